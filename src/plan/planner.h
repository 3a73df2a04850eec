/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planner.h - from a canonical problem to a tree of steps.
 */
#ifndef WEFT_PLAN_PLANNER_H
#define WEFT_PLAN_PLANNER_H

#include "plan/engine.h"

/* The best tree by the model, or by timing the model's best candidates when
 * effort is MEASURE.  `rule` NULL or a rule's name (see rules.def): the root
 * transform is made by that rule.  `why` (may be NULL) receives the
 * candidates of the root with their costs, best first.  wisdom is not looked
 * at: the api does that (it hands the remembered tree to wf_planner_adopt). */
typedef struct wf_request {
    const wf_problem *problem;
    const wf_engine *engine;
    weft_effort effort;
    double time_limit; /* seconds, MEASURE */
    bool *timed;       /* MEASURE: set if anything was; or NULL */
    const char *rule;
    bool group; /* of a batch, below a precise step: it has no slices */
} wf_request;

weft_status wf_planner_plan(const wf_request *request, wf_step **tree,
                            wf_text *why);

/* Can the tree, of which only its price is known, be bound and timed within so many
 * seconds?  Where not even the first one can, nothing is timed. */
bool wf_planner_has_time(const wf_step *tree, double seconds);
/* Something was. */
void wf_planner_has_timed(const wf_request *request);

/* Parses a tree's text and prices it for the problem; refuses what does not
 * fit the problem (lengths, axes) with WEFT_ERR_ARGUMENT. */
weft_status wf_planner_adopt(const wf_problem *problem,
                             const wf_engine *engine, const char *text,
                             wf_step **tree);

/* accuracy.c: the error laws.  Relative L2, in absolute terms. */
void wf_tree_error(const wf_problem *problem, const wf_step *tree,
                   double *bound, double *expected);

#endif
