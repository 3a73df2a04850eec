/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a problem's result should be, from weft_reference: any rank, batch,
 * sign, normalisation and order, to about 1e-28.
 */
#ifndef WEFT_CLI_EXACT_H
#define WEFT_CLI_EXACT_H

#include <weft/weft.h>

#include "cli.h"

/* Packed input to packed hi + lo; `order` is the plan's (NULL: natural).
 * 0 or CODE_LIBRARY, told. */
int exact_transform(const weft_problem *problem, const int64_t *order,
                    const double *in, double *hi, double *lo);
/* About how many complex multiplications that takes. */
double exact_cost(const weft_problem *problem);

/* How far `got` is from hi + lo (lo may be NULL): the L2 norm of the
 * difference over that of hi, and the greatest difference over the root mean
 * square of hi.  Anything not finite gives infinity. */
typedef struct error_pair {
    double l2, max;
} error_pair;
error_pair error_between(const double *got, const double *hi, const double *lo,
                         int64_t count);

/* The plan's order of frequencies, NULL for natural order; 0 or an error,
 * told.  Free with weft_free. */
int order_of(const weft_problem *problem, const weft_plan *plan,
             int64_t **order);
/* The vectors of n of a rank-1 batch into that order, or back into the natural
 * one; through `space` of n complex numbers. */
void order_apply(double *x, int64_t count, int64_t n, const int64_t *order,
                 bool back, double *space);

#endif
