/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text files: see io_csv.h.  Numbers are gathered as complex in one growing
 * block; when no imaginary part was written the result is real.
 */
#include "io_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gather {
    double *numbers; /* re, im */
    size_t count, capacity;
    int64_t rows, columns;
    bool complex;
} gather;

static bool gather_add(gather *g, double re, double im)
{
    if (g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 1024;
        double *larger = realloc(g->numbers, capacity * 2 * sizeof(double));
        if (!larger)
            return false;
        g->numbers = larger;
        g->capacity = capacity;
    }
    g->numbers[2 * g->count] = re;
    g->numbers[2 * g->count + 1] = im;
    g->count++;
    return true;
}

/* One number, `text` ending in zero: re, imj, re+imj, (re+imj).  errno tells
 * a part out of range. */
static bool parse_number(char *text, double *re, double *im, bool *complex)
{
    size_t length = strlen(text);
    if (length >= 2 && text[0] == '(' && text[length - 1] == ')') {
        text[length - 1] = 0;
        text++;
    }
    char *end;
    errno = 0;
    double first = strtod(text, &end);
    *im = 0;
    *re = first;
    if (end == text)
        return false;
    if (!*end)
        return true;
    *complex = true;
    if ((*end == 'j' || *end == 'i') && !end[1]) {
        *re = 0;
        *im = first;
        return true;
    }
    char *second = end;
    if (*second != '+' && *second != '-')
        return false;
    *im = strtod(second, &end);
    return end != second && (*end == 'j' || *end == 'i') && !end[1];
}

static bool is_blank(char c)
{
    return c == '\t' || c == ' ' || c == '\r';
}

static bool is_comma(char c)
{
    return c == ',' || c == ';';
}

static void skip_blanks(const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        (*at)++;
}

typedef enum found { FIELD, LINE_END, TOO_LONG, EMPTY, MIXED } found;

/* The next field of line [*at, end), copied to `field`, and the comma or
 * semicolon behind it.  One of them is kept in *comma (0 before the first): in
 * a line with both, one is the decimal comma of some languages, and what it
 * separates is no two numbers. */
static found next_field(const char **at, const char *end, char *comma,
                        char *field, size_t size)
{
    size_t used = 0;
    skip_blanks(at, end);
    if (*at == end)
        return LINE_END;
    while (*at < end && !is_blank(**at) && !is_comma(**at)) {
        if (used + 1 == size)
            return TOO_LONG;
        field[used++] = *(*at)++;
    }
    field[used] = 0;
    skip_blanks(at, end);
    if (*at < end && is_comma(**at)) {
        if (*comma && *comma != **at)
            return MIXED;
        *comma = *(*at)++;
    }
    return used ? FIELD : EMPTY;
}

static bool take_number(char *field, gather *g, reason *why)
{
    double re, im;
    reason shown;
    because(&shown, "'%s'", field);
    if (!parse_number(field, &re, &im, &g->complex))
        because(why, "%s is not a number", shown.text);
    else if (errno == ERANGE && (isinf(re) || isinf(im)))
        because(why, "%s is beyond the range of double", shown.text);
    else if (!gather_add(g, re, im))
        because(why, "no memory for its numbers");
    else
        return true;
    return false;
}

/* The numbers of one line, which does not begin with #. */
static bool take_line(const char *at, const char *end, gather *g,
                      int64_t *columns, reason *why)
{
    char field[120], comma = 0;
    found what;
    while ((what = next_field(&at, end, &comma, field, sizeof field)) ==
           FIELD) {
        if (!take_number(field, g, why))
            return false;
        ++*columns;
    }
    if (what == EMPTY)
        because(why, "column %lld is empty", (long long)*columns + 1);
    else if (what == MIXED)
        because(why, "it has both , and ; (decimals take a point)");
    else if (what == TOO_LONG)
        because(why, "a field is longer than any number");
    return what == LINE_END;
}

static bool parse_line(const char *at, const char *end, int64_t line,
                       gather *g, reason *why)
{
    int64_t columns = 0;
    reason part;
    skip_blanks(&at, end);
    if (at < end && *at == '#')
        return true;
    if (!take_line(at, end, g, &columns, &part)) {
        because(why, "line %lld: %s", (long long)line, part.text);
        return false;
    }
    if (columns == 0)
        return true;
    if (g->rows && columns != g->columns) {
        because(why, "line %lld has %lld columns, the lines above %lld",
                (long long)line, (long long)columns, (long long)g->columns);
        return false;
    }
    g->columns = columns;
    g->rows++;
    return true;
}

bool csv_parse(const unsigned char *bytes, size_t length, array *result,
               reason *why)
{
    *result = (array){.data = NULL};
    gather g = {.numbers = NULL};
    const char *at = (const char *)bytes, *end = at + length;
    bool good = !length || !memchr(bytes, 0, length);
    if (!good)
        because(why, "it holds zero bytes: it is not text");
    if (length >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3))
        at += 3; /* the mark of UTF-8 that spreadsheets write */
    for (int64_t line = 1; good && at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            stop = end;
        good = parse_line(at, stop, line, &g, why);
        at = stop < end ? stop + 1 : end;
    }
    if (good && g.rows == 0) {
        because(why, "it holds no numbers");
        good = false;
    }
    if (good) {
        result->type = g.complex ? ARRAY_C128 : ARRAY_F64;
        result->rank = g.columns > 1 ? 2 : 1;
        result->shape[0] = g.rows;
        result->shape[1] = g.columns;
        good = array_allocate(result, why);
    }
    double *to = result->data;
    for (size_t i = 0; good && i < g.count; i++) {
        if (g.complex)
            memcpy(to + 2 * i, g.numbers + 2 * i, 2 * sizeof(double));
        else
            to[i] = g.numbers[2 * i];
    }
    free(g.numbers);
    return good;
}

/* Digits that bring back the same number: 9 for float, 17 for double. */
static int write_element(FILE *stream, const array *self, int64_t index)
{
    int digits = array_is_double(self->type) ? 17 : 9;
    int64_t at = array_is_complex(self->type) ? 2 * index : index;
    double part[2];
    for (int p = 0; p < (array_is_complex(self->type) ? 2 : 1); p++)
        part[p] = array_is_double(self->type)
                      ? ((const double *)self->data)[at + p]
                      : (double)((const float *)self->data)[at + p];
    if (array_is_complex(self->type))
        return fprintf(stream, "%.*g%+.*gj", digits, part[0], digits, part[1]);
    return fprintf(stream, "%.*g", digits, part[0]);
}

bool csv_write(FILE *stream, const array *self)
{
    int64_t columns = self->rank == 2 ? self->shape[1] : 1;
    for (int64_t i = 0; i < self->count; i++) {
        if (write_element(stream, self, i) < 0 ||
            fputc((i + 1) % columns ? ',' : '\n', stream) == EOF)
            return false;
    }
    return true;
}
