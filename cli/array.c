/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in memory: see array.h. */
#include "array.h"

#include <stdlib.h>
#include <string.h>

#include <weft/weft.h>

size_t array_element(array_type type)
{
    static const size_t bytes[] = {4, 8, 8, 16};
    return bytes[type];
}

const char *array_type_name(array_type type)
{
    static const char *const names[] = {"float32", "float64", "complex64",
                                        "complex128"};
    return names[type];
}

bool array_allocate(array *self, reason *why)
{
    int64_t count = 1, bytes;
    for (int d = 0; d < self->rank; d++) {
        if (!checked_product(count, self->shape[d], &count)) {
            because(why, "the product of its shape does not fit in 63 bits");
            return false;
        }
    }
    if (!checked_product(count, (int64_t)array_element(self->type), &bytes)) {
        because(why, "%lld elements do not fit in memory", (long long)count);
        return false;
    }
    self->count = count;
    self->data = weft_alloc(bytes ? (size_t)bytes : 1);
    if (!self->data) {
        because(why, "no memory for %lld bytes", (long long)bytes);
        return false;
    }
    return true;
}

void array_free(array *self)
{
    weft_free(self->data);
    self->data = NULL;
}

/* Element-wise widening or narrowing: a real number at index i of the
 * source's reals, whatever its precision. */
static double real_at(const array *self, int64_t index)
{
    return array_is_double(self->type) ? ((const double *)self->data)[index]
                                       : ((const float *)self->data)[index];
}

static void put_real(array *self, int64_t index, double value)
{
    if (array_is_double(self->type))
        ((double *)self->data)[index] = value;
    else
        ((float *)self->data)[index] = (float)value;
}

bool array_convert(const array *self, array_type type, array *result,
                   reason *why)
{
    *result = *self;
    result->type = type;
    result->data = NULL;
    if (array_is_complex(self->type) && !array_is_complex(type)) {
        because(why, "%s does not convert to %s", array_type_name(self->type),
                array_type_name(type));
        return false;
    }
    if (!array_allocate(result, why))
        return false;
    bool from_complex = array_is_complex(self->type);
    bool to_complex = array_is_complex(type);
    if (self->type == type) {
        memcpy(result->data, self->data,
               (size_t)self->count * array_element(type));
    } else if (from_complex == to_complex) {
        int64_t reals = self->count * (from_complex ? 2 : 1);
        for (int64_t i = 0; i < reals; i++)
            put_real(result, i, real_at(self, i));
    } else {
        for (int64_t i = 0; i < self->count; i++) {
            put_real(result, 2 * i, real_at(self, i));
            put_real(result, 2 * i + 1, 0);
        }
    }
    return true;
}

bool array_make_c_order(array *self, reason *why)
{
    if (!self->fortran || self->rank < 2) {
        self->fortran = false;
        return true;
    }
    array ordered = *self;
    ordered.fortran = false;
    if (!array_allocate(&ordered, why))
        return false;
    size_t element = array_element(self->type);
    int64_t stride[ARRAY_MAX_RANK], index[ARRAY_MAX_RANK] = {0};
    stride[0] = 1;
    for (int d = 1; d < self->rank; d++)
        stride[d] = stride[d - 1] * self->shape[d - 1];
    const char *from = self->data;
    char *to = ordered.data;
    int64_t offset = 0;
    for (int64_t i = 0; i < self->count; i++) {
        memcpy(to + (size_t)i * element, from + (size_t)offset * element,
               element);
        for (int d = self->rank - 1; d >= 0; d--) {
            offset += stride[d];
            if (++index[d] < self->shape[d])
                break;
            offset -= stride[d] * self->shape[d];
            index[d] = 0;
        }
    }
    array_free(self);
    *self = ordered;
    return true;
}
