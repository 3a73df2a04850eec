/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * problem.h - the problem as planning sees it: checked, complete, canonical.
 *
 * weft_problem is what users fill in, with defaults and redundancy;
 * wf_problem is what is left when every default is written out and every
 * dimension that does nothing is gone.  Two descriptors that mean the same
 * work become the same wf_problem, so memo, cache and wisdom meet.
 */
#ifndef WEFT_PLAN_PROBLEM_H
#define WEFT_PLAN_PROBLEM_H

#include "base/base.h"
#include <weft/weft.h>

typedef struct wf_problem {
    weft_type type;
    weft_sign sign;
    double scale;     /* the normalisation resolved to a number */
    double scale_low; /* what it leaves of it; compensated f64 only, else 0 */
    weft_precision precision; /* FAST where a mode makes no difference */
    double target;            /* > 0: the mode is to be chosen */
    bool split, in_place, scrambled;
    bool empty;         /* some batch n is 0: nothing to do */
    int threads;        /* >= 1 */
    weft_engine engine; /* not AUTO: CPU */
    int rank;           /* dims: n >= 2 each, in the user's order */
    int loops;          /* loop: n >= 2 each, outermost (largest stride) first;
                     neighbours that walk memory as one are merged */
    weft_dim dim[WEFT_MAX_RANK];
    weft_dim loop[WEFT_MAX_RANK];
    int64_t total; /* product of all n, transformed and batch */
} wf_problem;

/* Everything weft_problem_check promises to refuse. */
weft_status wf_problem_check(const weft_problem *problem);
/* Checks and canonicalises. */
weft_status wf_problem_canonical(const weft_problem *problem,
                                 wf_problem *canonical);
/* The notation of weft.h. */
weft_status wf_problem_parse(const char *text, weft_problem *problem);
weft_status wf_problem_print(const weft_problem *problem, wf_text *text);
/* "auto", "cpu", ...; NULL: there is none. */
const char *wf_engine_name(weft_engine engine);
/* "fast", ..., as in the notation (slices without their number). */
const char *wf_precision_name(weft_precision precision);
/* One text for one canonical problem: the key of cache and wisdom. */
void wf_problem_key(const wf_problem *canonical, wf_text *text);
weft_status wf_problem_extent(const weft_problem *problem,
                              weft_extent *extent);

#endif
