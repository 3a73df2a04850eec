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

void wf_axis_split_loops(const wf_walk *walk, int taken, wf_nest *outer,
                         wf_loop *inner)
{
    int in = walk->in_scalars, out = walk->out_scalars;
    *outer = (wf_nest){.count = 1};
    *inner = (wf_loop){1, 0, 0};
    for (int i = 0; i < walk->loops; i++) {
        weft_dim d = walk->loop[i];
        if (i != taken)
            wf_nest_add(outer, d, in, out);
        else
            *inner = (wf_loop){d.n, in * (ptrdiff_t)d.is,
                               out * (ptrdiff_t)d.os};
    }
}

weft_status wf_bind_axis(const wf_binder *binder, const wf_course *course,
                         const wf_step *step, bool first, double scale,
                         wf_node **node)
{
    wf_axis axis = {.problem = &course->problem,
                    .step = step,
                    .usage = {.split = course->problem.split,
                              .scale = scale,
                              .ortho = course->problem.ortho}};
    wf_walk_axis(course, step->axis, first, &axis.walk);
    axis.usage.in_place = axis.walk.in_place;
    if (step->kind == WF_STEP_EMBEDDED)
        return wf_bind_embedded(binder, &axis, node);
    if (step->kind == WF_STEP_PAIRED)
        return wf_bind_paired(binder, &axis, node);
    if (step->kind == WF_STEP_ROWS && step->child[0]->kind == WF_STEP_MATRIX)
        return wf_bind_matrix(binder, &axis, node);
    if (wf_step_is_abreast(step->child[0]))
        return wf_bind_abreast(binder, &axis, node);
    if (step->kind == WF_STEP_ROWS && wf_step_is_dense(step->child[0])) {
        weft_status status = wf_bind_dense_rows(binder, &axis, node);
        if (status != WEFT_OK || *node != NULL)
            return status;
    }
    if (step->kind == WF_STEP_ROWS && wf_step_is_halves(step->child[0]))
        return wf_bind_halves(binder, &axis, node);
    if (step->kind == WF_STEP_ROWS && step->child[0]->kind == WF_STEP_LEAF &&
        axis.usage.split)
        return wf_bind_lone(binder, &axis, node);
    if (step->kind == WF_STEP_ROWS)
        return wf_bind_rows(binder, &axis, node);
    if (step->kind == WF_STEP_STREAMED)
        return wf_bind_streamed(binder, &axis, node);
    if (step->kind == WF_STEP_COLS && wf_step_is_dense(step->child[0]))
        return wf_bind_dense_cols(binder, &axis, node);
    if (step->kind == WF_STEP_COLS &&
        step->child[0]->kind == WF_STEP_REAL_COLUMN &&
        step->child[0]->width > 1)
        return wf_bind_real_cols(binder, &axis, node);
    if (step->kind == WF_STEP_COLS &&
        (axis.walk.real || wf_step_is_lone(step->child[0]) ||
         wf_walk_neighbours(&axis.walk) < 0))
        return wf_bind_lone(binder, &axis, node);
    if (step->kind == WF_STEP_COLS)
        return wf_bind_cols(binder, &axis, node);
    return wf_bind_buffered(binder, &axis, node);
}
