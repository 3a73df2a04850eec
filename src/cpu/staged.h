/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staged.h - a transform as products with DFT matrices: one matrix of n, or
 * self-sorting passes whose butterflies are matrices, twiddles between.  A
 * pass is one product for the whole batch.
 */
#ifndef WEFT_CPU_STAGED_H
#define WEFT_CPU_STAGED_H

#include "cpu/node.h"
#include "kernel/matrix/matrix.h"

/* Pass of radix r after transforms of length s: row (b, p, q) of the product
 * has the legs j of butterfly p, q of transform b. */
typedef struct wf_stage {
    wf_stationary matrix;
    const void *twiddle; /* [r][s] complex; NULL when s = 1 */
    int64_t s;
} wf_stage;

typedef struct wf_staged {
    int64_t n;
    wf_real carrier; /* type of the samples between passes, and twiddles */
    int stages;
    wf_stage stage[WF_MAX_RADICES];
} wf_staged;

/* Where the transforms are: number b starts at b dist, elements step apart. */
typedef struct wf_ends {
    wf_real real;
    void *re, *im;
    ptrdiff_t dist, step;
} wf_ends;

/* The tables go to the node. */
weft_status wf_bind_staged(wf_node *node, const wf_scheme *scheme,
                           const wf_step *step, int64_t n, bool inverse,
                           wf_staged *staged);
/* Bytes of scratch for `count` transforms at once. */
size_t wf_staged_scratch(const wf_staged *staged, int64_t count);
/* Out times factor.  in and out may be the same samples. */
void wf_staged_run(const wf_staged *staged, int64_t count, const wf_ends *in,
                   const wf_ends *out, double factor, char *scratch);

#endif
