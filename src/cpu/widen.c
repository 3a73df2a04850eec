/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * widen.c - groups of f32 transforms copied to doubles, transformed, and
 * rounded back.  A group that is not full is filled up with zeros.
 */
#include <string.h>

#include "cpu/move.h"
#include "cpu/precise.h"

typedef struct widen {
    wf_grouped grouped;
    const wf_hand_f32 *hand;
    bool in_real, out_real;
    size_t in, out;           /* doubles of one transform on either side */
    size_t in_bytes, buffers; /* of the group's first block, of both */
} widen;

void wf_grouped_begin(const wf_binder *binder, const wf_problem *problem,
                      const wf_group *group, wf_grouped *grouped)
{
    int in = wf_side_scalars(problem, WF_INPUT);
    int out = wf_side_scalars(problem, WF_OUTPUT);
    wf_walk walk = {.loops = problem->loops,
                    .in_scalars = in,
                    .out_scalars = out};
    for (int i = 0; i < problem->loops; i++)
        walk.loop[i] = problem->loop[i];
    wf_axis_split_loops(&walk, group->loop, &grouped->walker.outer,
                        &grouped->walker.inner);
    grouped->walker.threads = binder->threads;
    wf_walker_cut(&grouped->walker, group->n);
    grouped->rows = (wf_nest){.count = 1};
    grouped->line = (wf_loop){1, 0, 0};
    grouped->in_n = grouped->out_n = 1;
    for (int i = 0; i < problem->rank; i++) {
        weft_dim d = problem->dim[i];
        if (i < problem->rank - 1)
            wf_nest_add(&grouped->rows, d, in, out);
        else
            grouped->line = (wf_loop){d.n, in * (ptrdiff_t)d.is,
                                      out * (ptrdiff_t)d.os};
    }
    if (problem->rank > 0) {
        int last = problem->rank - 1;
        grouped->in_n = (size_t)wf_dim_length(problem, last, WF_INPUT);
        grouped->out_n = (size_t)wf_dim_length(problem, last, WF_OUTPUT);
    }
}

wf_samples wf_grouped_next(const wf_grouped *grouped, const wf_samples *at)
{
    const wf_walker *walker = &grouped->walker;
    return wf_samples_at(at, walker->inner.is, walker->inner.os,
                         walker->node.bytes);
}

weft_status wf_grouped_finish(const wf_binder *binder, const wf_problem *view,
                              const wf_step *tree, size_t buffers,
                              wf_grouped *grouped, wf_node **node)
{
    wf_binder below = *binder;
    below.threads = view->threads;
    wf_node *child;
    weft_status status = wf_bind_sequence(&below, view, tree, &child);
    if (status != WEFT_OK) {
        wf_node_free(&grouped->walker.node);
        return status;
    }
    wf_walker_finish(&grouped->walker, child, buffers + child->scratch);
    *node = &grouped->walker.node;
    return WEFT_OK;
}

/* One transform's lines to the packed block. */
static void move_in(const widen *w, const wf_samples *at, double *block)
{
    const wf_grouped *g = &w->grouped;
    size_t bytes = g->walker.node.bytes, n = g->in_n;
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        const void *re = wf_at(at->in_re, cursor.in, bytes);
        if (w->in_real)
            w->hand->gather_wide_reals(block, re, g->line.is, n);
        else
            w->hand->gather_wide(block, re, wf_at(at->in_im, cursor.in, bytes),
                                 g->line.is, n);
        block += w->in_real ? n : 2 * n;
        wf_cursor_next(&g->rows, &cursor);
    }
}

static void move_out(const widen *w, const wf_samples *at, const double *block)
{
    const wf_grouped *g = &w->grouped;
    size_t bytes = g->walker.node.bytes, n = g->out_n;
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        void *re = wf_to(at->out_re, cursor.out, bytes);
        if (w->out_real)
            w->hand->scatter_wide_reals(block, re, g->line.os, n);
        else
            w->hand->scatter_wide(block, re,
                                  wf_to(at->out_im, cursor.out, bytes),
                                  g->line.os, n);
        block += w->out_real ? n : 2 * n;
        wf_cursor_next(&g->rows, &cursor);
    }
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const widen *w = (const widen *)walker;
    const wf_node *child = walker->node.child[0];
    double *in = (void *)scratch, *out = (void *)(scratch + w->in_bytes);
    wf_samples one = *at;
    if (w->buffers == w->in_bytes)
        out = in;
    for (int64_t i = 0; i < count;
         i++, one = wf_grouped_next(&w->grouped, &one))
        move_in(w, &one, in + (size_t)i * w->in);
    if (count < walker->block)
        memset(in + (size_t)count * w->in, 0,
               (size_t)(walker->block - count) * w->in * sizeof *in);
    wf_samples all = {in, in + 1, out, out + 1};
    child->run(child, &all, scratch + w->buffers);
    one = *at;
    for (int64_t i = 0; i < count;
         i++, one = wf_grouped_next(&w->grouped, &one))
        move_out(w, &one, out + (size_t)i * w->out);
}

/* The doubles of one transform on a side. */
static size_t doubles(const wf_problem *problem, wf_side side)
{
    size_t count = wf_side_is_complex(problem->kind, side) ? 2 : 1;
    for (int i = 0; i < problem->rank; i++)
        count *= (size_t)wf_dim_length(problem, i, side);
    return count;
}

weft_status wf_bind_widen(const wf_binder *binder, const wf_problem *problem,
                          const wf_step *step, wf_node **node)
{
    wf_problem view;
    wf_group group;
    size_t numbers;
    *node = NULL;
    wf_widened(problem, &view, &group);
    widen *w = (widen *)wf_node_new(binder, sizeof *w, wf_walker_run);
    if (w == NULL || !wf_mul_size((size_t)view.total, 128, &numbers)) {
        wf_node_free((wf_node *)w);
        return wf_no_memory();
    }
    wf_grouped_begin(binder, problem, &group, &w->grouped);
    w->hand = wf_mover_best(WF_F32).f32;
    w->in_real = !wf_side_is_complex(problem->kind, WF_INPUT);
    w->out_real = !wf_side_is_complex(problem->kind, WF_OUTPUT);
    w->in = doubles(problem, WF_INPUT);
    w->out = doubles(problem, WF_OUTPUT);
    w->in_bytes = wf_round64((size_t)group.n * w->in * sizeof(double));
    w->buffers = w->in_bytes;
    if (!view.in_place)
        w->buffers += wf_round64((size_t)group.n * w->out * sizeof(double));
    w->grouped.walker.run_block = run_block;
    wf_binder below = *binder;
    below.type = WEFT_F64;
    below.real = WF_F64;
    below.bytes = sizeof(double);
    return wf_grouped_finish(&below, &view, step->child[0], w->buffers,
                             &w->grouped, node);
}
