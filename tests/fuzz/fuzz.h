/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz.h - what the fuzz targets share: DEMAND, texts from bytes, and plans
 * executed on heap blocks that hold exactly the elements of the problem's
 * extent, so that one sample too far is seen by AddressSanitizer.
 */
#ifndef WEFT_TESTS_FUZZ_H
#define WEFT_TESTS_FUZZ_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__attribute__((noreturn, format(printf, 4, 5))) static inline void fuzz_broken(
    const char *file, int line, const char *condition, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: %s: ", file, line, condition);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

#define DEMAND(condition, ...) \
    ((condition) ? (void)0     \
                 : fuzz_broken(__FILE__, __LINE__, #condition, __VA_ARGS__))

static inline void *fuzz_need(size_t bytes)
{
    void *block = malloc(bytes ? bytes : 1);
    DEMAND(block, "no memory for %zu bytes", bytes);
    return block;
}

/* The bytes as a string of their own length: reading past the NUL shows. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = fuzz_need(size + 1);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static inline weft_problem fuzz_problem_of(const char *text)
{
    weft_problem problem;
    weft_status status = weft_problem_parse(text, &problem);
    DEMAND(status == WEFT_OK, "%s: %s", text, weft_error_text());
    return problem;
}

/* What weft_plan_text or weft_problem_print says, to be freed. */
static inline char *fuzz_plan_text(const weft_plan *plan)
{
    size_t length = 0;
    weft_status status = weft_plan_text(plan, NULL, 0, &length);
    DEMAND(status == WEFT_OK, "%s", weft_error_text());
    char *text = fuzz_need(length + 1);
    weft_plan_text(plan, text, length + 1, NULL);
    DEMAND(strlen(text) == length, "length %zu for %s", length, text);
    return text;
}

/* ---- Executing ---------------------------------------------------------- */

/* One side of a problem; element 0 is at -low. */
typedef struct fuzz_side {
    int64_t low;
    size_t element; /* bytes of one in each block */
    size_t bytes;   /* of each block */
    char *block[2]; /* the second of split problems only */
} fuzz_side;

static inline fuzz_side fuzz_side_new(const weft_problem *p, int64_t low,
                                      int64_t high)
{
    bool split = p->layout == WEFT_SPLIT;
    size_t real = p->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    fuzz_side side = {.low = low, .element = split ? real : 2 * real};
    side.bytes = (size_t)(high - low + 1) * side.element;
    side.block[0] = fuzz_need(side.bytes);
    side.block[1] = split ? fuzz_need(side.bytes) : NULL;
    return side;
}

static inline void fuzz_side_free(fuzz_side *side)
{
    free(side->block[0]);
    free(side->block[1]);
}

static inline void *fuzz_side_at(const fuzz_side *side, int part)
{
    return side->block[part] - side->low * (int64_t)side->element;
}

/* Numbers in (-1, 1) without a pattern a transform could hide behind. */
static inline void fuzz_side_fill(const weft_problem *p, fuzz_side *side)
{
    uint32_t state = 12345;
    for (int part = 0; part < 2 && side->block[part]; part++)
        if (p->type == WEFT_F64)
            for (size_t i = 0; i < side->bytes / sizeof(double); i++) {
                state = state * 1664525u + 1013904223u;
                ((double *)(void *)side->block[part])[i] = (int32_t)state *
                                                           0x1p-31;
            }
        else
            for (size_t i = 0; i < side->bytes / sizeof(float); i++) {
                state = state * 1664525u + 1013904223u;
                ((float *)(void *)side->block[part])[i] =
                    (float)((int32_t)state >> 8) * 0x1p-23f;
            }
}

/* The relative L2 distance of all that lies in two blocks; bytes between the
 * elements of the problem count too, and must be the same. */
static inline double fuzz_distance(const weft_problem *p, const fuzz_side *a,
                                   const fuzz_side *b)
{
    double off = 0, norm = 0;
    for (int part = 0; part < 2 && a->block[part]; part++) {
        const void *x = a->block[part], *y = b->block[part];
        size_t real = p->type == WEFT_F64 ? sizeof(double) : sizeof(float);
        for (size_t i = 0; i < a->bytes / real; i++) {
            double u = p->type == WEFT_F64 ? ((const double *)x)[i]
                                           : ((const float *)x)[i];
            double v = p->type == WEFT_F64 ? ((const double *)y)[i]
                                           : ((const float *)y)[i];
            off += (u - v) * (u - v);
            norm += u * u;
        }
    }
    return norm > 0 ? sqrt(off / norm) : sqrt(off);
}

/* Executes on fresh blocks with always the same input and gives the output
 * blocks, which are the caller's. */
static inline fuzz_side fuzz_execute(const weft_problem *p,
                                     const weft_plan *plan)
{
    weft_extent extent;
    weft_status status = weft_problem_extent(p, &extent);
    DEMAND(status == WEFT_OK, "extent: %s", weft_error_text());
    bool in_place = p->place == WEFT_IN_PLACE;
    if (in_place) { /* r2c and c2r: two layouts, a real is not above a complex */
        extent.out_low = extent.in_low < extent.out_low ? extent.in_low
                                                        : extent.out_low;
        extent.out_high = extent.in_high > extent.out_high ? extent.in_high
                                                           : extent.out_high;
    }
    fuzz_side in = fuzz_side_new(p, extent.in_low, extent.in_high);
    fuzz_side out = fuzz_side_new(p, extent.out_low, extent.out_high);
    fuzz_side kept = fuzz_side_new(p, extent.in_low, extent.in_high);
    fuzz_side_fill(p, &in);
    fuzz_side_fill(p, &out); /* in place: the input, outside: what stays */
    fuzz_side_fill(p, &kept);
    const fuzz_side *from = in_place ? &out : &in;
    status =
        p->layout == WEFT_SPLIT
            ? weft_execute_split(plan, fuzz_side_at(from, 0),
                                 fuzz_side_at(from, 1), fuzz_side_at(&out, 0),
                                 fuzz_side_at(&out, 1))
            : weft_execute(plan, fuzz_side_at(from, 0), fuzz_side_at(&out, 0));
    DEMAND(status == WEFT_OK, "execute: %s", weft_error_text());
    for (int part = 0; part < 2 && in.block[part]; part++)
        DEMAND(!memcmp(in.block[part], kept.block[part], in.bytes),
               "the input changed");
    fuzz_side_free(&in);
    fuzz_side_free(&kept);
    return out;
}

/* Any two plans of one problem give the same result, up to what they promise
 * for its precision; deep trees of convolutions may cost some digits. */
static inline void fuzz_compare(const weft_problem *p, const weft_plan *plan,
                                const weft_plan *standard)
{
    fuzz_side want = fuzz_execute(p, standard);
    fuzz_side got = fuzz_execute(p, plan);
    double distance = fuzz_distance(p, &want, &got), one, other;
    DEMAND(weft_plan_error(plan, &one, NULL) == WEFT_OK &&
               weft_plan_error(standard, &other, NULL) == WEFT_OK,
           "error: %s", weft_error_text());
    double bar = (p->type == WEFT_F64 ? 1e-11 : 1e-4) + one + other;
    DEMAND(distance <= bar,
           "relative distance %g from the standard plan, of %g", distance,
           bar);
    fuzz_side_free(&want);
    fuzz_side_free(&got);
}

/* What weft would plan by itself. */
static inline weft_plan *fuzz_standard(const weft_problem *p)
{
    weft_plan_options options = {.size = sizeof options, .ignore_wisdom = 1};
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(p, &options, &plan);
    DEMAND(status == WEFT_OK, "plan: %s", weft_error_text());
    return plan;
}

#endif
