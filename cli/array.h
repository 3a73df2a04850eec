/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An array in memory, between the file formats and the transforms: what
 * .npy, .csv, raw and audio files become when read.
 */
#ifndef WEFT_CLI_ARRAY_H
#define WEFT_CLI_ARRAY_H

#include "cli.h"

typedef enum array_type {
    ARRAY_F32, /* float32 */
    ARRAY_F64, /* float64 */
    ARRAY_C64, /* complex64: two floats */
    ARRAY_C128 /* complex128: two doubles */
} array_type;

enum { ARRAY_MAX_RANK = 64 };

/* `count` elements; the last index runs fastest, or the first when
 * `fortran`.  `rate` is the samples per second of audio, 0 otherwise. */
typedef struct array {
    array_type type;
    int rank;
    int64_t shape[ARRAY_MAX_RANK];
    int64_t count;
    bool fortran;
    double rate;
    void *data;
} array;

static inline bool array_is_complex(array_type type)
{
    return type == ARRAY_C64 || type == ARRAY_C128;
}

static inline bool array_is_double(array_type type)
{
    return type == ARRAY_F64 || type == ARRAY_C128;
}

/* Bytes of one element. */
size_t array_element(array_type type);
/* "float32", "complex128", ...: numpy's names. */
const char *array_type_name(array_type type);

/* Allocates data for type, rank and shape as already set in *self, with
 * count computed; false with a reason when that overflows or there is no
 * memory. */
bool array_allocate(array *self, reason *why);
void array_free(array *self);

/* A new array of another type, same shape and order; complex to real is not
 * offered. */
bool array_convert(const array *self, array_type type, array *result,
                   reason *why);
/* The same elements with the last index fastest, in place of *self. */
bool array_make_c_order(array *self, reason *why);

#endif
