/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api.h - what the files behind weft.h share: the plan's fields, the table
 * of engines, the cache of the one-call functions, and copying texts out.
 */
#ifndef WEFT_API_API_H
#define WEFT_API_API_H

#include "cpu/cpu.h"
#include "neuron/engine.h"
#include "plan/planner.h"
#include "plan/problem.h"
#include "plan/step.h"

#include <stdatomic.h>

/* Immutable once created, except for `references`. */
struct weft_plan {
    /* What execute reads. */
    wf_program *program; /* NULL for an empty problem only */
    wf_execute *execute; /* the engine's */
    bool whole;          /* neither empty nor split */
    bool empty, split, in_place;
    wf_leaf_call leaf;          /* where that is all it is, */
    wf_plain plain;             /* or else this, */
    wf_plain_split plain_split; /* of a split plan this */
    atomic_size_t references;
    const wf_engine *engine;
    wf_problem asked;     /* canonical */
    wf_problem canonical; /* where there is a target, with its precision */
    weft_problem problem; /* as the user gave it */
    wf_step *tree;
    wf_text why;
    bool plain_search; /* the tree is wf_planner_plan's, `why` not kept */
    bool timed;        /* the cost, */
    double cost, planning_seconds, error_bound, error_expected;
};

/* engines.c: never NULL for a checked problem's engine. */
const wf_engine *wf_engine_of(weft_engine engine);

/* cache.c.  Both finders return a plan with a reference for the caller, or
 * NULL.  A simple id names one packed vector with the normalisation of
 * weft_fft; 0 is no id. */
uint64_t wf_cache_simple_id(weft_type type, int64_t n, weft_sign sign,
                            bool in_place);
weft_plan *wf_cache_find_simple(uint64_t id);
weft_plan *wf_cache_find(const wf_problem *canonical);
void wf_cache_insert(weft_plan *plan); /* takes a reference of its own */
void wf_cache_clear(void);

/* copy_out.c: the rule of weft_problem_print.  Frees the text. */
weft_status wf_copy_out(wf_text *text, char *buffer, size_t capacity,
                        size_t *length);
/* To be asked first, so that nothing is made in vain. */
weft_status wf_check_buffer(const char *buffer, size_t capacity);

#endif
