/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .npy files: see io_npy.h.
 *
 * A file is "\x93NUMPY", two version bytes, the header's length (2 bytes in
 * version 1, 4 later), the header and the elements.  The header is a Python
 * literal {'descr': '<c16', 'fortran_order': False, 'shape': (3, 4), };
 * the parser takes its three keys in any order and refuses what else there
 * may be.  Files are hostile: every step checks what is left.
 */
#include "io_npy.h"

#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

typedef struct header {
    char descr[16];
    bool fortran, have_descr, have_fortran, have_shape;
    bool fields; /* descr is a list: elements are structures */
    array shape; /* rank and shape only */
} header;

static void skip_space(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' ||
                              *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_space(c);
    if (c->at >= c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length))
        return false;
    c->at += length;
    return true;
}

static bool take_string(cursor *c, char *text, size_t size)
{
    skip_space(c);
    if (c->at >= c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    char quote = *c->at++;
    size_t used = 0;
    while (c->at < c->end && *c->at != quote) {
        if (used + 1 >= size)
            return false;
        text[used++] = *c->at++;
    }
    text[used] = 0;
    return take(c, quote);
}

static bool take_size(cursor *c, int64_t *value)
{
    skip_space(c);
    if (c->at >= c->end || *c->at < '0' || *c->at > '9')
        return false;
    *value = 0;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9') {
        if (*value > (INT64_MAX - 9) / 10)
            return false;
        *value = 10 * *value + (*c->at++ - '0');
    }
    take(c, 'L'); /* Python 2 wrote 3L */
    return true;
}

static bool take_shape(cursor *c, array *shape)
{
    if (!take(c, '('))
        return false;
    shape->rank = 0;
    while (!take(c, ')')) {
        if (shape->rank == ARRAY_MAX_RANK ||
            !take_size(c, &shape->shape[shape->rank++]))
            return false;
        if (!take(c, ','))
            return take(c, ')');
    }
    return true;
}

static bool take_entry(cursor *c, header *head)
{
    char key[16];
    if (!take_string(c, key, sizeof key) || !take(c, ':'))
        return false;
    if (!strcmp(key, "descr")) {
        head->have_descr = true;
        head->fields = take(c, '[');
        return !head->fields &&
               take_string(c, head->descr, sizeof head->descr);
    }
    if (!strcmp(key, "fortran_order")) {
        head->have_fortran = true;
        head->fortran = take_word(c, "True");
        return head->fortran || take_word(c, "False");
    }
    if (!strcmp(key, "shape")) {
        head->have_shape = true;
        return take_shape(c, &head->shape);
    }
    return false;
}

static bool parse_header(const char *text, size_t length, header *head,
                         reason *why)
{
    cursor c = {text, text + length};
    bool good = take(&c, '{');
    while (good && !take(&c, '}')) {
        good = take_entry(&c, head);
        if (good && !take(&c, ',')) {
            good = take(&c, '}');
            break;
        }
    }
    if (head->fields) {
        because(why, "its elements are structures, not single numbers");
        return false;
    }
    skip_space(&c);
    if (!good || c.at != c.end) {
        because(why, "its .npy header is malformed near byte %td",
                c.at - text);
        return false;
    }
    if (!head->have_descr || !head->have_fortran || !head->have_shape) {
        because(why, "its .npy header lacks %s",
                !head->have_descr     ? "'descr'"
                : !head->have_fortran ? "'fortran_order'"
                                      : "'shape'");
        return false;
    }
    return true;
}

/* Types that are read: numpy's letter and size, and what they become. */
typedef struct number_type {
    const char *descr;
    array_type type;
    char letter;
    size_t bytes;
} number_type;

static const number_type number_types[] = {
    {"<f4", ARRAY_F32, 'f', 4}, {"<f8", ARRAY_F64, 'f', 8},
    {"<c8", ARRAY_C64, 'c', 8}, {"<c16", ARRAY_C128, 'c', 16},
    {"|b1", ARRAY_F64, 'u', 1}, {"|u1", ARRAY_F64, 'u', 1},
    {"|i1", ARRAY_F64, 'i', 1}, {"<i2", ARRAY_F64, 'i', 2},
    {"<u2", ARRAY_F64, 'u', 2}, {"<i4", ARRAY_F64, 'i', 4},
    {"<u4", ARRAY_F64, 'u', 4}, {"<i8", ARRAY_F64, 'i', 8},
    {"<u8", ARRAY_F64, 'u', 8},
};

static const number_type *find_type(const char *descr, reason *why)
{
    for (size_t i = 0; i < sizeof number_types / sizeof *number_types; i++)
        if (!strcmp(descr, number_types[i].descr))
            return &number_types[i];
    because(why, "its type '%.15s' is not read: %s", descr,
            descr[0] == '>' ? "big-endian data, convert it with numpy"
                            : "only little-endian float32, float64, "
                              "complex64, complex128 and integers are");
    return NULL;
}

static double integer_at(const unsigned char *bytes, const number_type *type)
{
    uint64_t value = 0;
    for (size_t b = 0; b < type->bytes; b++)
        value |= (uint64_t)bytes[b] << (8 * b);
    if (type->letter == 'u')
        return (double)value;
    uint64_t top = (uint64_t)1 << (8 * type->bytes - 1);
    return value & top ? -(double)(~(value - 1) & (top | (top - 1)))
                       : (double)value;
}

static bool read_elements(const unsigned char *bytes, size_t length,
                          const header *head, array *result, reason *why)
{
    const number_type *type = find_type(head->descr, why);
    if (!type)
        return false;
    *result = head->shape;
    result->type = type->type;
    result->fortran = head->fortran;
    int64_t count = 1, needed;
    for (int d = 0; d < result->rank; d++) {
        if (!checked_product(count, result->shape[d], &count)) {
            because(why, "the product of its shape does not fit in 63 bits");
            return false;
        }
    }
    if (!checked_product(count, (int64_t)type->bytes, &needed) ||
        (uint64_t)needed > length) {
        because(why,
                "it is truncated: its header promises %lld elements of %zu "
                "bytes, and %zu bytes follow",
                (long long)count, type->bytes, length);
        return false;
    }
    if ((uint64_t)needed < length) {
        because(why, "%zu bytes follow its last element",
                length - (size_t)needed);
        return false;
    }
    if (!array_allocate(result, why))
        return false;
    if (type->letter == 'f' || type->letter == 'c')
        memcpy(result->data, bytes, (size_t)needed);
    else
        for (int64_t i = 0; i < count; i++)
            ((double *)result->data)[i] =
                integer_at(bytes + (size_t)i * type->bytes, type);
    return true;
}

bool npy_parse(const unsigned char *bytes, size_t length, array *result,
               reason *why)
{
    *result = (array){.data = NULL};
    if (length < 10 || memcmp(bytes, "\x93NUMPY", 6)) {
        because(why, length < 10 ? "it is too short for a .npy file"
                                 : "it does not begin as a .npy file");
        return false;
    }
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0) {
        because(why, "its .npy version %d.%d is not known (1.0 to 3.0 are)",
                bytes[6], bytes[7]);
        return false;
    }
    size_t start = bytes[6] == 1 ? 10 : 12;
    size_t size = bytes[8] | (size_t)bytes[9] << 8;
    if (start == 12 && length >= 12)
        size |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length < start || size > length - start) {
        because(why,
                "it is truncated: its .npy header says it has %zu bytes, "
                "the file has %zu in all",
                size, length);
        return false;
    }
    header head = {.have_descr = false};
    return parse_header((const char *)bytes + start, size, &head, why) &&
           read_elements(bytes + start + size, length - start - size, &head,
                         result, why);
}

bool npy_write(FILE *stream, const array *self)
{
    static const char *const descr[] = {"<f4", "<f8", "<c8", "<c16"};
    char shape[ARRAY_MAX_RANK * 22 + 8] = "";
    size_t used = 0;
    for (int d = 0; d < self->rank; d++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%lld%s",
                                 (long long)self->shape[d],
                                 self->rank == 1      ? ","
                                 : d + 1 < self->rank ? ", "
                                                      : "");
    char text[sizeof shape + 128];
    int length = snprintf(text, sizeof text,
                          "{'descr': '%s', 'fortran_order': %s, "
                          "'shape': (%s), }",
                          descr[self->type], self->fortran ? "True" : "False",
                          shape);
    /* The elements start at a multiple of 64, after a newline. */
    int total = (10 + length + 1 + 63) / 64 * 64;
    int size = total - 10;
    unsigned char front[10] = {0x93,
                               'N',
                               'U',
                               'M',
                               'P',
                               'Y',
                               1,
                               0,
                               (unsigned char)(size & 255),
                               (unsigned char)(size >> 8)};
    if (fwrite(front, 1, 10, stream) != 10 ||
        fprintf(stream, "%s%*s\n", text, size - length - 1, "") < 0)
        return false;
    size_t count = (size_t)self->count;
    return fwrite(self->data, array_element(self->type), count, stream) ==
           count;
}
