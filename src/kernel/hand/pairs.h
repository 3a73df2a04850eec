/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.h - self-sorting passes on numbers that are pairs of doubles, for the
 * tables that want more than the type holds (spectrum.c).
 *
 * A real number is the unevaluated sum of two doubles, good to about 2^-98 of
 * the vector's norm after a transform.  A vector of n complex numbers is four
 * planes of n doubles: re, re's rest, im, im's rest.
 */
#ifndef WEFT_KERNEL_HAND_PAIRS_H
#define WEFT_KERNEL_HAND_PAIRS_H

#include <stddef.h>

#include "kernel/isa.h"
#include "num/num.h"

typedef struct wf_planes {
    double *re, *re_rest, *im, *im_rest;
} wf_planes;

/* The largest odd radix; even ones are 2, 4 and 8. */
enum { WF_PAIRS_LARGEST = 31 };

typedef struct wf_hand_pairs {
    /* Decimation in frequency, forward: for p < m = n/(s r), q < s, k < r
     *   out[q + s (r p + k)] = w_n^(s p k) sum_j in[q + s (p + m j)] w_r^(j k)
     * roots: w_n^k = exp(-2 pi i k / n), k < n, as re, rest, im, rest.  No
     * overlap. */
    void (*pass)(const wf_planes *in, const wf_planes *out,
                 const double *roots, size_t n, size_t s, int r);
    /* out[2 k], out[2 k + 1] = (factor + rest) times element k, rounded. */
    void (*round)(const wf_planes *in, double factor, double rest, size_t n,
                  double *out);
    /* The loop of num.h's lists of roots; the same bits everywhere. */
    wf_turn *turn;
} wf_hand_pairs;

/* As wf_hand_f64_for. */
const wf_hand_pairs *wf_hand_pairs_for(wf_isa isa);

#endif
