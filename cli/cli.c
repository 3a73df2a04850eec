/* SPDX-License-Identifier: BSD-3-Clause */
/* Telling errors and progress: see cli.h. */
#include "cli.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <weft/weft.h>

#include "args.h"

void because(reason *why, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
}

int fail(int code, const char *format, ...)
{
    progress_end();
    /* One write: lines of concurrent programs do not mix. */
    char line[1200];
    int used = snprintf(line, sizeof line, "weft %s: ", args_command());
    va_list list;
    va_start(list, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, list);
    va_end(list);
    fprintf(stderr, "%s\n", line);
    return code;
}

int fail_library(const char *what)
{
    const char *text = weft_error_text();
    return fail(CODE_LIBRARY, "%s: %s", what,
                text[0] ? text : "refused without a reason");
}

/* Whether a progress line stands on the terminal now. */
static bool progress_shown;

void progress(const char *format, ...)
{
    if (!isatty(STDERR_FILENO))
        return;
    char line[120];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    progress_shown = true;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}

bool checked_product(int64_t a, int64_t b, int64_t *product)
{
    if (a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b))
        return false;
    *product = a * b;
    return true;
}

void copy_text(char *to, size_t size, const char *from)
{
    size_t length = strlen(from);
    if (length >= size)
        length = size - 1;
    memcpy(to, from, length);
    to[length] = 0;
}
