/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle.h - what a transform should have given, from arithmetic that shares
 * nothing with the library: longer numbers, roots from their own series.
 *
 * Expected values are pairs of doubles, hi + lo, so that an error of a small
 * part of a unit in the last place of a double can be seen: they come from
 * numbers of 64 bits (x87) or 113, in which rounding is a thousandth of a
 * double's.  For float problems plain doubles are exact enough (lo = 0).
 * oracle_exact is in 113 bits everywhere, which is software and takes twenty
 * times as long.
 *
 * One thread at a time; no memory ends the test.
 */
#ifndef WEFT_TESTS_ORACLE_H
#define WEFT_TESTS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <weft/weft.h>

#include "random.h"

#if defined(__aarch64__)
typedef long double oracle_quad;
#else
__extension__ typedef __float128 oracle_quad;
#endif

/* cos and sin of 2 pi k / n, for 0 <= k < n < 2^60, to about 1e-33. */
void oracle_root(int64_t k, int64_t n, oracle_quad *re, oracle_quad *im);

/* The unscaled transform over `rank` packed row-major dimensions of packed
 * interleaved input.  lo may be NULL. */
void oracle_transform(weft_type type, bool inverse, int rank, const int64_t *n,
                      const double *in, double *hi, double *lo);

/* oracle_transform of doubles to 1e-30. */
void oracle_exact(bool inverse, int rank, const int64_t *n, const double *in,
                  double *hi, double *lo);

/* The number of samples in one period of what a real kind continues n of
 * them to; n for R2C, C2R and C2C. */
int64_t oracle_period(weft_kind kind, int64_t n);

/* The same of the real kinds R2HC to RODFT11, one for each dimension; ortho:
 * as WEFT_NORM_ORTHO scales it, 1/sqrt of the periods included. */
void oracle_r2r(weft_type type, bool ortho, int rank, const int64_t *n,
                const weft_kind *kinds, const double *in, double *hi,
                double *lo);

/* Two transforms for the work of one: the cosine transform (REDFT) of x and
 * the sine transform (RODFT) of y, both of type `which`, I to IV as 1 to 4.
 * Type 1: n + 1 cosines and n - 1 sines, else n of each.  lo may be NULL. */
typedef struct oracle_split {
    double *hi, *lo;
} oracle_split;
void oracle_cosines_and_sines(weft_type type, int which, int64_t n,
                              const double *x, const double *y,
                              const oracle_split *c, const oracle_split *s);

/* out = in with every frequency k of one dimension at -k: the inverse
 * transform of the same data from the forward one. */
void oracle_reverse(int64_t n, const double *in, double *out);

/* The factor a problem asks for. */
oracle_quad oracle_scale(const weft_problem *problem);

/* `got` against scale * (hi + lo), n complex numbers: the L2 norm of the
 * difference and its largest absolute value, both relative to the L2 norm
 * and the root mean square of what is expected.  Infinite when something is
 * not a number.  All zero expected: the plain norms. */
typedef struct oracle_error {
    double l2, max;
} oracle_error;
oracle_error oracle_compare(int64_t n, const double *got, const double *hi,
                            const double *lo, oracle_quad scale);

/* What the library promises for relative L2: 0.6 u sqrt(log2 N) + u when no
 * prime factor exceeds 13, else 5 u; and the largest error that is plausible
 * for one element of N where the L2 promise holds. */
double oracle_bar(weft_type type, int rank, const int64_t *n);
double oracle_bar_max(weft_type type, int rank, const int64_t *n);

/* noise_real, rounded to the type. */
double oracle_sample(noise_state *noise, weft_type type);

#endif
