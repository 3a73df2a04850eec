/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precise.h - problems computed in more than the arithmetic of their samples.
 *
 * widen: f32 samples become doubles, group by group, are transformed by a plan
 * for doubles, and are rounded once on the way back.  pairs: f64 samples
 * become sums of two doubles (kernel/pair), likewise.  Both read all of a
 * group of transforms before they write any of it.
 */
#ifndef WEFT_PLAN_PRECISE_H
#define WEFT_PLAN_PRECISE_H

#include "plan/planner.h"

static inline bool wf_problem_is_precise(const wf_problem *problem)
{
    return problem->precision == WEFT_PRECISION_COMPENSATED ||
           problem->precision == WEFT_PRECISION_DOUBLE;
}

/* The problem in another mode: one of those a target chooses from. */
void wf_problem_in_mode(const wf_problem *problem, weft_precision precision,
                        wf_problem *view);
/* The modes a target chooses from, for the type of the problem; the number
 * of them. */
enum { WF_MOST_MODES = 9 };
int wf_target_modes(const wf_problem *problem, weft_precision *modes);

/* A group is `n` neighbours of loop `loop` (-1: the problem has none). */
typedef struct wf_group {
    int loop;
    int64_t n;
} wf_group;

/* Groups of at most `most` transforms whose numbers, `bytes` each, stay in
 * the second cache. */
wf_group wf_precise_group(const wf_problem *problem, int64_t bytes,
                          int64_t most);
/* The problem below a widen step: a group, packed, in doubles; c2c in place,
 * other kinds between two blocks. */
void wf_widened(const wf_problem *problem, wf_problem *view, wf_group *group);

/* wf_planner_plan for a precise problem. */
weft_status wf_plan_precise(const wf_request *request, wf_step **tree,
                            wf_text *why);
/* Prices the complete tree of a precise problem, children priced, and checks
 * that it fits. */
weft_status wf_price_precise(const wf_engine *engine,
                             const wf_problem *problem, wf_step *tree);

/* Prices a passes or chirp step; false when it names a radix without a
 * kernel. */
bool wf_cost_pairs(const wf_engine *engine, wf_step *step);

#endif
