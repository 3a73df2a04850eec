/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pass.h - how a generated kernel is called: the contract between it and the
 * engine that binds it.
 *
 * Generated code includes this header and nothing that lists kernels, so that
 * a new kind of kernel (kinds.def) leaves every other as it is compiled.
 *
 * Only kernels touch samples.  A kernel never allocates, never decides, never
 * looks at the problem: strides, counts and tables come in, samples go out.
 *
 * Units.  T is the real type (float or double).  Every stride, step and
 * offset below counts T scalars (not complex numbers, not bytes).  No
 * pointer needs more alignment than a T.  VL is the number of T in a vector
 * of the kernel's instruction set.
 *
 * Formats of VL complex numbers:
 *   I  interleaved: 2*VL consecutive T, re im re im ...      (one pointer)
 *   S  split: VL consecutive re at one pointer, VL consecutive im at the
 *      other.  The "block" layout between passes (VL re, then VL im) is S
 *      with im = re + VL; two planes are S with two unrelated pointers.
 *
 * A pass kernel computes np * nq butterflies of radix R, each on VL lanes:
 *
 *   for p in 0..np-1, q in 0..nq-1:
 *       leg j of R:  VL complex at in  + p*in_p  + q*in_q  + LEG(j)
 *       multiplied by its twiddle factor when the kind has twiddles
 *       forward R-point DFT  y[k] = sum_j x[j] exp(-2 pi i j k / R)
 *       output k:    VL complex at out + p*out_p + q*out_q + k*out_leg
 *
 * LEG(0) = 0 and LEG(j) = in_base + j*in_leg for j >= 1.  The forward
 * transform has in_base = 0.  The inverse transform runs the *same* kernel
 * with in_base = R*leg, in_leg = -leg (leg j reads element R-j), because
 * sum_j x[j] exp(+2 pi i jk/R) = sum_j x[(R-j) mod R] exp(-2 pi i jk/R):
 * one set of kernels serves both signs.  Tables are built to match.
 *
 * Outputs of one call may alias its inputs only when every butterfly writes
 * exactly the addresses it read (all R legs are loaded before the first
 * store of that butterfly).
 *
 * Twiddle tables hold, for j = 1..R-1 in order, the pair (c, d) of the
 * complex factor c + i*d that multiplies leg j:
 *   V  per lane:  w[(2*(j-1))*VL + l] = c, w[(2*(j-1)+1)*VL + l] = d
 *   B  broadcast: w[2*(j-1)] = c, w[2*(j-1)+1] = d, same for all lanes
 * The table pointer of butterfly (p, q) is tw + p*tw_p + q*tw_q.
 */
#ifndef WEFT_KERNEL_PASS_H
#define WEFT_KERNEL_PASS_H

#include <stddef.h>

/* One call of a pass kernel; see the comment at the top of this file. */
typedef struct wf_pass_args {
    size_t np, nq;
    ptrdiff_t in_base, in_leg, in_p, in_q;
    ptrdiff_t out_leg, out_p, out_q;
    ptrdiff_t tw_p, tw_q;
    double scale;       /* only kinds that end in _SCALED read it */
    ptrdiff_t out_back; /* only HALF kinds and COL_APART read it */
    ptrdiff_t im_leg;   /* only REAL_COL kinds of one lane read it */
} wf_pass_args;

/* For I formats re is the interleaved pointer and im is not read. */
typedef void wf_pass_f64(const double *in_re, const double *in_im,
                         double *out_re, double *out_im, const double *tw,
                         const wf_pass_args *args);
typedef void wf_pass_f32(const float *in_re, const float *in_im, float *out_re,
                         float *out_im, const float *tw,
                         const wf_pass_args *args);

/* A leaf: `count` whole transforms of length n, interleaved, unit stride,
 * transform t reading in + t*in_dist and writing out + t*out_dist, distances
 * counted in reals of the kernel's type.  in == out with equal distances is
 * allowed.  One kernel for each sign.  Real leaves (n even) do not let the
 * imaginary parts of X[0] and X[n/2] matter.
 *
 * Some (wf_kernel.scaled) multiply by *tw unless tw is NULL; of complex
 * ones tw[1] is 1 for the inverse, else 0.
 * Long ones (wf_kernel.rows = R1, of n = R1 R2) read tw, others do not: for
 * each block of VL/2 rows p < R1, the last of which may overlap the one before,
 * and q = 1..R2-1 in order, the factors c + i d = exp(-+2 pi i p q / n) in one or
 * two vectors, as wf_turns_of_leaf (kernel.h) has it; then one number that is not
 * used. */
typedef void wf_leaf(const void *in, void *out, size_t count,
                     ptrdiff_t in_dist, ptrdiff_t out_dist, const void *tw);

#endif
