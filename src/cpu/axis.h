/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.h - what the ways to walk an axis share.
 */
#ifndef WEFT_CPU_AXIS_H
#define WEFT_CPU_AXIS_H

#include "cpu/nest.h"
#include "plan/search.h" /* wf_walk */

typedef struct wf_axis {
    const wf_problem *problem;
    const wf_step *step;
    wf_walk walk;
    wf_usage usage;
} wf_axis;

typedef weft_status wf_bind_walk(const wf_binder *binder, const wf_axis *axis,
                                 wf_node **node);
wf_bind_walk wf_bind_rows, wf_bind_streamed, wf_bind_cols, wf_bind_buffered,
    wf_bind_crossed, wf_bind_matrix, wf_bind_abreast, wf_bind_dense_cols,
    wf_bind_real_cols, wf_bind_lone, wf_bind_embedded, wf_bind_paired,
    wf_bind_halves, wf_bind_dense_lone;
/* No node, and no error, where they do not lie one after the other. */
wf_bind_walk wf_bind_dense_rows;

/* All transforms of a walk by a child that has a plain way, which the rows adopt;
 * it is freed where there is no memory. */
weft_status wf_bind_rows_of(const wf_binder *binder, const wf_walk *walk,
                            wf_node *child, wf_node **node);

/* Index of the loop with the most iterations; -1 without loops. */
int wf_axis_longest_loop(const wf_walk *walk);
/* All loops but `taken` into outer, `taken` into inner (n = 1 for -1). */
void wf_axis_split_loops(const wf_walk *walk, int taken, wf_nest *outer,
                         wf_loop *inner);

static inline wf_samples wf_samples_at(const wf_samples *at, ptrdiff_t in,
                                       ptrdiff_t out, size_t bytes)
{
    return (wf_samples){wf_at(at->in_re, in, bytes),
                        wf_at(at->in_im, in, bytes),
                        wf_to(at->out_re, out, bytes),
                        wf_to(at->out_im, out, bytes)};
}

#endif
