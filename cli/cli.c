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

static char told[1000]; /* what fail() told last, for reports */

const char *fail_text(void)
{
    return told;
}

/* One write: lines of concurrent programs do not mix. */
static void tell(const char *text)
{
    char line[1200];
    progress_end();
    snprintf(line, sizeof line, "weft %s: %s\n", args_command(), text);
    fputs(line, stderr);
}

int fail(int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(told, sizeof told, format, list);
    va_end(list);
    tell(told);
    return code;
}

void warn(const char *format, ...)
{
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    tell(text);
}

int fail_library(const char *what)
{
    const char *text = weft_error_text();
    return fail(CODE_LIBRARY, "%s: %s", what,
                text[0] ? text : "refused without a reason");
}

int fail_plan(weft_status status, const char *what)
{
    int code = fail_library(what);
    return status == WEFT_ERR_TARGET ? CODE_TARGET : code;
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
