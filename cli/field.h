/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory a problem works on: buffers as large as its strides reach, and
 * the way between them and packed complex doubles (batch outermost, the last
 * dimension fastest), which is what checks compute with.
 *
 * Packed, both sides of r2c and c2r are whole: n complex numbers, of which the
 * real side keeps the real parts and the other side the first half, the rest
 * being its mirror image.  So what checks know of c2c holds for them, on
 * numbers that are real or symmetric (field_project).
 */
#ifndef WEFT_CLI_FIELD_H
#define WEFT_CLI_FIELD_H

#include <weft/weft.h>

#include "cli.h"
#include "peer.h"

typedef struct field {
    weft_problem problem; /* strides expanded */
    weft_extent extent;
    int64_t count;              /* n of all dimensions, batch included */
    size_t in_bytes, out_bytes; /* of each block */
    size_t in_element, out_element;
    int64_t in_low, out_low; /* the lowest offset a block holds, in elements */
    void *in[2], *out[2];    /* blocks: re (or interleaved), im */
    samples at;              /* element (0, .., 0) of each */
    bool overlaps; /* elements of the input share memory (a stride of 0,
                      frames that overlap) */
} field;

/* 0 or CODE_LIBRARY, told.  Blocks begin so many bytes past a multiple of 64, which
 * must be whole reals: malloc's are at 16 there, mostly. */
int field_open_at(field *self, const weft_problem *problem, int64_t offset);
int field_open(field *self, const weft_problem *problem); /* at 0 */
void field_close(field *self);

/* Checks make up numbers for any problem but c2r of overlapping elements: of
 * those some would have to be conjugate to others.  0 or CODE_LIBRARY, told. */
int field_checkable(const field *self, const char *text);
/* Makes packed numbers those that the problem's input can be: real, or
 * symmetric, or equal where elements overlap, or anything.  Of overlapping
 * ones the input is written. */
void field_project(const field *self, double *packed);
/* Packed numbers into the input, rounded to the type; the output (out of
 * place) is filled with a pattern. */
void field_load(field *self, const double *packed);
void field_result(const field *self, double *packed);
/* The input again, out of place: has anyone changed it? */
bool field_input_intact(const field *self, const double *packed);
/* Nothing between and around the output's elements was written since
 * field_load. */
bool field_gaps_intact(const field *self, reason *why);

weft_status field_execute(const field *self, const weft_plan *plan);

/* `count` complex numbers in [-1, 1]^2 that the type holds exactly; the same
 * seed gives the same numbers everywhere. */
void fill_random(double *packed, int64_t count, weft_type type, uint64_t seed);
/* Space for `count` complex doubles; NULL told. */
double *packed_new(int64_t count);

#endif
