/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair.h - the kernels of compensated transforms: every number is a pair, the
 * unevaluated sum hi + lo of two doubles.
 *
 * A sum keeps its rounding error (Knuth's two-sum) and a product keeps its own
 * (Dekker's two-product, by a fused multiply-subtract where there is one) in
 * the low part.  The low part is not renormalised: |lo| stays about u log2 n
 * |hi|, and what is lost is some u^2 of the norm (M. Lange and S. M. Rump,
 * "Faithfully rounded floating-point computations", ACM TOMS 46, 2020, call
 * this pair arithmetic).
 *
 * Data are four planes of doubles, `plane` apart: re.hi, im.hi, re.lo, im.lo.
 * Every kernel transforms forward; the inverse is the forward transform with
 * re and im exchanged on the way in and out.  Passes are those of
 * docs/math.md, formula (2), with `inner` transforms side by side: element k
 * of transform i is at k inner + i.  Nothing needs alignment, and arithmetic
 * on an element does not depend on its place.
 */
#ifndef WEFT_KERNEL_PAIR_PAIR_H
#define WEFT_KERNEL_PAIR_PAIR_H

#include <stddef.h>

#include "kernel/isa.h"

/* The largest odd radix of `odd`. */
enum { WF_PAIR_MAX_RADIX = 13 };

/* One pass of radix r over n = m s r elements.  Twiddles are rows of `span`
 * numbers, four (re.hi, im.hi, re.lo, im.lo) for each leg 1..r-1.  Where inner
 * is below `lanes`, lanes hold neighbours in k too: a row is one number for
 * each k and transform, s inner in all, and where that is also below `lanes`
 * it is repeated to s inner + lanes.  Else one for each k.  See wf_pair_span.
 * s = 1 has none. */
typedef struct wf_pair_args {
    size_t m, s, inner;
    const double *tw;
    size_t span;
    const double *roots; /* odd radices: r roots of unity, four numbers each */
    int radix;
    size_t plane;
} wf_pair_args;

typedef void wf_pair_pass(const double *in, double *out,
                          const wf_pair_args *args);

/* What a product does besides: exchanges re and im before or after. */
typedef enum wf_pair_turn {
    WF_PAIR_PLAIN,
    WF_PAIR_TURN_IN,
    WF_PAIR_TURN_OUT
} wf_pair_turn;

/* A strided array of complex numbers in the user's memory: number k of vector
 * i is at k stride + i dist, counted in doubles. */
typedef struct wf_pair_user {
    ptrdiff_t stride, dist;
    size_t n, vectors;
} wf_pair_user;

typedef struct wf_pair_kernels {
    int lanes;
    wf_pair_pass *two, *four, *odd; /* in and out do not overlap */
    /* out = in table: n rows of `inner` numbers times n numbers.  Planes of
     * the table are n apart.  out may be in. */
    void (*multiply)(double *out, size_t out_plane, const double *in,
                     size_t in_plane, const double *table, size_t n,
                     size_t inner, wf_pair_turn turn);
    /* Vector i to lane i of rows of `inner` (>= vectors; lanes beyond are
     * zero); the low planes become zero. */
    void (*load)(double *out, size_t plane, size_t inner, const double *re,
                 const double *im, const wf_pair_user *user);
    /* And back: (hi + lo)(scale + scale_low), rounded once. */
    void (*save)(const double *in, size_t plane, size_t inner, double *re,
                 double *im, const wf_pair_user *user, double scale,
                 double scale_low);
} wf_pair_kernels;

/* The table of this ISA; the scalar one when it is not compiled in. */
const wf_pair_kernels *wf_pair_kernels_for(wf_isa isa);

/* The span of a pass's twiddles; number i of a row belongs to k = i / *times
 * mod s. */
static inline size_t wf_pair_span(const wf_pair_kernels *kernels, size_t s,
                                  size_t inner, size_t *times)
{
    size_t lanes = (size_t)kernels->lanes;
    *times = inner < lanes ? inner : 1;
    return s * *times < lanes ? s * *times + lanes : s * *times;
}

#endif
