/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.c - from an axis step to the walk of its kind.
 */
#include "cpu/axis.h"

int wf_axis_longest_loop(const wf_walk *walk)
{
    int longest = -1;
    for (int i = 0; i < walk->loops; i++)
        if (longest < 0 || walk->loop[i].n > walk->loop[longest].n)
            longest = i;
    return longest;
}

void wf_axis_split_loops(const wf_walk *walk, int taken, int scalars,
                         wf_nest *outer, wf_loop *inner)
{
    *outer = (wf_nest){.count = 1};
    *inner = (wf_loop){1, 0, 0};
    for (int i = 0; i < walk->loops; i++) {
        weft_dim d = walk->loop[i];
        if (i != taken)
            wf_nest_add(outer, d, scalars);
        else
            *inner = (wf_loop){d.n, scalars * (ptrdiff_t)d.is,
                               scalars * (ptrdiff_t)d.os};
    }
}

weft_status wf_bind_axis(const wf_binder *binder, const wf_problem *problem,
                         const wf_step *step, bool first, double scale,
                         wf_node **node)
{
    wf_axis axis = {.step = step,
                    .usage = {.in_place = !first || problem->in_place,
                              .split = problem->split,
                              .scale = scale}};
    wf_walk_axis(problem, step->axis, first, &axis.walk);
    if (step->kind == WF_STEP_ROWS)
        return wf_bind_rows(binder, &axis, node);
    if (step->kind == WF_STEP_COLS)
        return wf_bind_cols(binder, &axis, node);
    return wf_bind_buffered(binder, &axis, node);
}
