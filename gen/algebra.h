/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algebra.h - small Fourier transforms as graphs.
 */
#ifndef GEN_ALGEBRA_H
#define GEN_ALGEBRA_H

#include "cplx.h"

enum { MAX_RADIX = 1024 };

/* Leg j of a transform, made when it is first needed, so that the order in
 * which nodes are created is already a good order to execute them. */
typedef cplx leg_fn(void *context, int j);

/* Of an array, which is the context. */
cplx algebra_leg(void *context, int j);

/* y[k] = sum_j leg(j) exp(sign 2 pi i jk/n), with the scale of leg 0; the
 * second: settled. */
void algebra_dft_scaled(const builder *b, int n, leg_fn *leg, void *context,
                        cplx *y);
void algebra_dft(const builder *b, int n, leg_fn *leg, void *context, cplx *y);

/* Of odd n > 1: y[k] with the same k mod this are made together, of legs of their own. */
int algebra_columns(int n);

#endif
