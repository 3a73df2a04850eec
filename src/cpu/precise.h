/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precise.h - what the three precise steps share: groups of transforms, in
 * another format while they are worked on (plan/precise.h).
 */
#ifndef WEFT_CPU_PRECISE_H
#define WEFT_CPU_PRECISE_H

#include "cpu/walker.h"
#include "plan/precise.h"

/* First member of the three nodes: the walk over groups, and where the lines
 * (last dimension) of one transform are. */
typedef struct wf_grouped {
    wf_walker walker;
    wf_nest rows; /* of all dimensions but the last */
    wf_loop line;
    size_t in_n, out_n; /* elements of a line on either side */
} wf_grouped;

/* Sets all but walker.run_block; the caller finishes the walker. */
void wf_grouped_begin(const wf_binder *binder, const wf_problem *problem,
                      const wf_group *group, wf_grouped *grouped);

/* The samples of the next transform of a group. */
wf_samples wf_grouped_next(const wf_grouped *grouped, const wf_samples *at);

/* Binds `tree`, which transforms a group, below the walker: `view` is the
 * group as a problem, its samples in the first `buffers` bytes of scratch.
 * Frees the node on failure. */
weft_status wf_grouped_finish(const wf_binder *binder, const wf_problem *view,
                              const wf_step *tree, size_t buffers,
                              wf_grouped *grouped, wf_node **node);

/* The binders of a widen, a whole and a pairs step. */
weft_status wf_bind_widen(const wf_binder *binder, const wf_problem *problem,
                          const wf_step *step, wf_node **node);
weft_status wf_bind_whole(const wf_binder *binder, const wf_problem *problem,
                          const wf_step *step, wf_node **node);
weft_status wf_bind_pairs(const wf_binder *binder, const wf_problem *problem,
                          const wf_step *step, wf_node **node);

#endif
