/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wisdom_api.c - weft's wisdom through FFTW's names.
 *
 * The text is weft's own, versioned and checksummed; it is one store for both
 * precisions.  Reading stops behind the line of the checksum, so that wisdom
 * of several libraries can follow one another in a file; whatever does not
 * begin like weft's wisdom, FFTW's own for example, is 0 without a word.
 */
#define _XOPEN_SOURCE 700 /* mkstemp, realpath */
#include "compat.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 4096 findings, the most that are kept, take less. */
#define MOST_TEXT ((size_t)16 << 20)

static const char opening[] = "weft-wisdom ", closing[] = "checksum ";

/* ---- Out ---------------------------------------------------------------- */

char *X(export_wisdom_to_string)(void)
{
    char *text, *copy = NULL;
    if (weft_wisdom_export(&text) != WEFT_OK)
        return NULL;
    size_t bytes = strlen(text) + 1;
    copy = malloc(bytes);
    if (copy)
        memcpy(copy, text, bytes);
    weft_free(text);
    return copy;
}

void X(export_wisdom)(X(write_char_func) write_char, void *data)
{
    char *text = write_char ? X(export_wisdom_to_string)() : NULL;
    for (const char *c = text; c && *c; c++)
        write_char(*c, data);
    free(text);
}

void X(export_wisdom_to_file)(FILE *output_file)
{
    char *text = output_file ? X(export_wisdom_to_string)() : NULL;
    if (text)
        fputs(text, output_file);
    free(text);
}

static bool write_text(FILE *file, const char *text)
{
    bool written = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0)
        written = false;
    return written;
}

/* A stream to a new file of those rights; `name` ends with XXXXXX. */
static FILE *open_new(char *name, mode_t rights)
{
    const int descriptor = mkstemp(name);
    if (descriptor < 0)
        return NULL;
    FILE *file = fchmod(descriptor, rights) ? NULL : fdopen(descriptor, "w");
    if (!file) {
        close(descriptor);
        unlink(name);
    }
    return file;
}

/* The text goes to a file beside the old one, which it then replaces: what was
 * there stays until the new is whole.  Into the old one where there can be none
 * beside it. */
static bool replace(const char *path, mode_t rights, const char *text)
{
    static const char ending[] = ".XXXXXX";
    char *real = realpath(path, NULL); /* a link stays a link */
    char *name = real ? malloc(strlen(real) + sizeof ending) : NULL;
    bool done = false;
    if (name) {
        strcpy(name, real);
        strcat(name, ending);
        FILE *file = open_new(name, rights);
        if (!file) {
            done = write_text(fopen(path, "w"), text);
        } else {
            done = write_text(file, text) && rename(name, real) == 0;
            if (!done)
                unlink(name);
        }
    }
    free(name);
    free(real);
    return done;
}

/* Without a text, or room for it, an old file stays as it is.  Devices, pipes
 * and files of other users are written to. */
int X(export_wisdom_to_filename)(const char *filename)
{
    char *text = filename ? X(export_wisdom_to_string)() : NULL;
    struct stat old;
    bool written = false;
    if (text && stat(filename, &old) == 0 && S_ISREG(old.st_mode) &&
        old.st_uid == geteuid())
        written = replace(filename, old.st_mode & 07777, text);
    else if (text)
        written = write_text(fopen(filename, "w"), text);
    free(text);
    return written;
}

/* ---- In ----------------------------------------------------------------- */

/* What has been read of a text, NUL-terminated. */
typedef struct reading {
    char *text;
    size_t length, capacity, line; /* where the current line begins */
} reading;

static bool append(reading *r, char c)
{
    if (r->length + 1 >= r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 4096;
        char *text = capacity > MOST_TEXT ? NULL : realloc(r->text, capacity);
        if (!text)
            return false;
        r->text = text;
        r->capacity = capacity;
    }
    r->text[r->length++] = c;
    r->text[r->length] = '\0';
    return true;
}

/* Is it still the beginning of weft's wisdom, as far as it goes? */
static bool opens(const reading *r)
{
    size_t most = sizeof opening - 1;
    return !strncmp(r->text, opening, r->length < most ? r->length : most);
}

/* After each newline: was that the last line? */
static bool line_closes(reading *r)
{
    bool last = !strncmp(r->text + r->line, closing, sizeof closing - 1);
    r->line = r->length;
    return last;
}

/* True when a whole text was read; its end may also be the end of input. */
static bool read_text(reading *r, X(read_char_func) read_char, void *data)
{
    int c;
    do
        c = read_char(data);
    while (c > 0 && isspace((unsigned char)c));
    for (; c > 0; c = read_char(data)) {
        if (!append(r, (char)c) || !opens(r))
            return false;
        if (c == '\n' && line_closes(r))
            return true;
    }
    return r->length > 0;
}

int X(import_wisdom)(X(read_char_func) read_char, void *data)
{
    reading r = {NULL, 0, 0, 0};
    bool known = read_char && read_text(&r, read_char, data) &&
                 weft_wisdom_import(r.text) == WEFT_OK;
    free(r.text);
    if (known)
        cache_clear(); /* plans made without it are not the best any more */
    return known;
}

static int read_file(void *file)
{
    return fgetc(file);
}

static int read_string(void *cursor)
{
    const char **at = cursor;
    return **at ? (unsigned char)*(*at)++ : EOF;
}

int X(import_wisdom_from_file)(FILE *input_file)
{
    return input_file ? X(import_wisdom)(read_file, input_file) : 0;
}

int X(import_wisdom_from_filename)(const char *filename)
{
    FILE *file = filename ? fopen(filename, "r") : NULL;
    if (!file)
        return 0;
    int known = X(import_wisdom_from_file)(file);
    return fclose(file) == 0 && known;
}

int X(import_wisdom_from_string)(const char *input_string)
{
    return input_string ? X(import_wisdom)(read_string, &input_string) : 0;
}

/* Where FFTW keeps it; its own is refused. */
int X(import_system_wisdom)(void)
{
#if WEFT_FFTW_SINGLE
    return X(import_wisdom_from_filename)("/etc/fftw/wisdomf");
#else
    return X(import_wisdom_from_filename)("/etc/fftw/wisdom");
#endif
}

void X(forget_wisdom)(void)
{
    weft_wisdom_forget();
    cache_clear();
}
