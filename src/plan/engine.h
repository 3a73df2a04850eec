/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.h - the door engines implement.  Planning knows widths, radices and
 * prices; it does not know instruction sets.
 */
#ifndef WEFT_PLAN_ENGINE_H
#define WEFT_PLAN_ENGINE_H

#include "plan/problem.h"
#include "plan/step.h"

/* A tree bound to an engine; each engine has its own. */
typedef struct wf_program wf_program;

/* What a kernel is used for, as planning speaks of it. */
typedef enum wf_role {
    WF_ROLE_LEAF,   /* a whole transform of n */
    WF_ROLE_FIRST,  /* first self-sorting pass, transposing */
    WF_ROLE_PASS,   /* a later pass, twiddles in every lane */
    WF_ROLE_COLUMN, /* a pass with one column a lane */
    WF_ROLE_COUNT
} wf_role;

/* Rates the cost model multiplies with; reference values, so that the same
 * problem has the same plan on every machine of one ISA level. */
typedef struct wf_machine {
    double level_bytes[3]; /* capacity of cache 1, 2, 3 */
    double level_rate[4];  /* ns per byte moved from cache 1, 2, 3, memory */
    double call;           /* ns to start a step */
    double kernel_call;    /* ns to call a pass kernel */
    double alias;          /* ns for each leg beyond the eighth when legs are a
                              multiple of a page apart: they fall into one
                              set of the first cache and evict each other */
} wf_machine;

typedef struct wf_engine {
    const char *name;
    const wf_machine *machine;
    /* Widths available for a type, widest first, 0-terminated. */
    const int *(*widths)(weft_type type);
    /* ns for one butterfly on `width` lanes (for a leaf: one transform, any
     * width), data in the first cache; negative when there is no kernel. */
    double (*price)(wf_role role, weft_type type, int width, int radix);
    /* Real operations of the same (a vector operation counts its lanes). */
    double (*flops)(wf_role role, weft_type type, int width, int radix);
    /* Bound plans: see cpu/cpu.h for the CPU's. */
    weft_status (*bind)(const wf_problem *problem, const wf_step *tree,
                        wf_program **program);
    /* Median seconds of one execution of a bound program on the engine's own
     * buffers; time_limit in seconds. */
    weft_status (*measure)(wf_program *program, const wf_problem *problem,
                           double time_limit, double *seconds);
    void (*release)(wf_program *program);
} wf_engine;

#endif
