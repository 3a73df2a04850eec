/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convolved.h - columns of lengths with large prime factors, one in each lane.
 *
 * Rader's and Bluestein's algorithms (convolve.c) on blocks of neighbouring
 * columns: what is moved are rows of a block, what they are multiplied by is
 * the same in every lane, and the convolution's transforms are column passes
 * from block to block.
 */
#ifndef WEFT_CPU_CONVOLVED_H
#define WEFT_CPU_CONVOLVED_H

#include "cpu/move.h"

enum { WF_CONVOLVED_WIDTHS = 5 };

typedef struct wf_convolved {
    const wf_node *transform; /* columns of m; NULL: there is no convolution */
    int64_t n, m;
    wf_column_end in_end, out_end;
    ptrdiff_t in_row, out_row; /* scalars between rows of user memory */
    const uint32_t *powers;    /* Rader: m of them; else NULL */
    const void *spectrum, *chirp;
    size_t block; /* bytes of scratch before the transform's */
    wf_mover mover[WF_CONVOLVED_WIDTHS];
} wf_convolved;

/* Of the ends and rows of `convolved`; its transform and its tables become
 * those of `node`. */
weft_status wf_convolved_bind(const wf_binder *binder, const wf_step *step,
                              wf_node *node, wf_convolved *convolved);
/* One block of the level'th width; with WF_END_BLOCK, where it lies then. */
const void *wf_convolved_run(const wf_convolved *convolved, int level,
                             int width, const wf_samples *at, char *scratch);

/* convolve.c: what Rader's algorithm of prime n needs, as tables of `node`, by
 * `transform` of n - 1 numbers. */
weft_status wf_rader_tables(const wf_binder *binder, int64_t n,
                            const wf_node *transform, wf_node *node,
                            const uint32_t **powers, const void **spectrum);

#endif
