/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precise.h - problems computed in another form than their samples'.
 *
 * widen: f32 samples become doubles, group by group, are transformed by a plan
 * for doubles, and are rounded once on the way back.  pairs: f64 samples
 * become sums of two doubles (kernel/pair), likewise.  whole: samples of a
 * real kind become complex vectors, likewise, for modes that know no others.
 * All read all of a group of transforms before they write any of it.
 */
#ifndef WEFT_PLAN_PRECISE_H
#define WEFT_PLAN_PRECISE_H

#include "plan/planner.h"

/* A real kind in a mode that has complex transforms only. */
static inline bool wf_problem_is_whole(const wf_problem *problem)
{
    return problem->kind != WEFT_C2C &&
           problem->precision != WEFT_PRECISION_FAST &&
           problem->precision != WEFT_PRECISION_DOUBLE;
}

static inline bool wf_problem_is_precise(const wf_problem *problem)
{
    return problem->precision == WEFT_PRECISION_COMPENSATED ||
           problem->precision == WEFT_PRECISION_DOUBLE ||
           wf_problem_is_whole(problem);
}

/* A mode a target chooses from, and the problem in it. */
typedef struct wf_mode {
    weft_precision precision;
    int slices;
} wf_mode;
void wf_problem_in_mode(const wf_problem *problem, wf_mode mode,
                        wf_problem *view);
/* All that the type and kind of the problem have, on some engine; the number
 * of them. */
enum { WF_MOST_MODES = 16 };
int wf_target_modes(const wf_problem *problem, wf_mode *modes);

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

/* ---- whole.c ------------------------------------------------------------ */

/* The period of a real kind, of R2HC or later.  Number j of the input is at
 * in_start + j in_step, and (cosine and sine kinds) so is its mirror image,
 * negated in sines, as far from the other end; number k of the output is at
 * out_start + k out_step, the real part, in sines minus the imaginary one. */
typedef struct wf_period {
    int64_t length, in_start, in_step, out_start, out_step;
    bool sine, halves_last; /* RODFT01 counts its last number once */
} wf_period;
wf_period wf_whole_period(weft_kind kind, int64_t n);
/* The problem below a whole step: a group of complex vectors, packed, in
 * place; real kinds of rank 1 only. */
void wf_wholes(const wf_problem *problem, wf_problem *view, wf_group *group);

/* ---- precise.c ---------------------------------------------------------- */

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
