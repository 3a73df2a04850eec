/* SPDX-License-Identifier: BSD-3-Clause */
/* Bare numbers: see io_raw.h. */
#include "io_raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool raw_parse_shape(const char *text, array *shape, reason *why)
{
    const char *at = text;
    shape->rank = 0;
    for (;;) {
        char *end;
        errno = 0;
        long long n = strtoll(at, &end, 10);
        if (errno || end == at || n < 0 || shape->rank == ARRAY_MAX_RANK) {
            because(why, "'%s' is not a shape such as 512x512", text);
            return false;
        }
        shape->shape[shape->rank++] = n;
        if (!*end)
            return true;
        if (*end != 'x') {
            because(why, "'%s' is not a shape such as 512x512", text);
            return false;
        }
        at = end + 1;
    }
}

bool raw_parse(const unsigned char *bytes, size_t length, const array *shape,
               array *result, reason *why)
{
    *result = *shape;
    result->data = NULL;
    size_t element = array_element(shape->type);
    if (shape->rank < 0) {
        if (length % element) {
            because(why, "it has %zu bytes, no whole number of %s", length,
                    array_type_name(shape->type));
            return false;
        }
        result->rank = 1;
        result->shape[0] = (int64_t)(length / element);
    }
    int64_t count = 1, needed = 0;
    bool fits = true;
    for (int d = 0; d < result->rank; d++)
        fits = fits && checked_product(count, result->shape[d], &count);
    fits = fits && checked_product(count, (int64_t)element, &needed);
    if (!fits || (uint64_t)needed != length) {
        because(why, "it has %zu bytes, its shape and type %s need %s%lld",
                length, array_type_name(shape->type), fits ? "" : "more than ",
                (long long)(fits ? needed : INT64_MAX));
        return false;
    }
    if (!array_allocate(result, why))
        return false;
    if (length)
        memcpy(result->data, bytes, length);
    return true;
}

bool raw_write(FILE *stream, const array *self)
{
    size_t count = (size_t)self->count;
    return fwrite(self->data, array_element(self->type), count, stream) ==
           count;
}
