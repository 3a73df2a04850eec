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
    int64_t n;     /* numbers in a transform */
    size_t buffer; /* bytes of the group's buffer */
} widen;

void wf_grouped_begin(const wf_binder *binder, const wf_problem *problem,
                      const wf_group *group, wf_grouped *grouped)
{
    int scalars = problem->split ? 1 : 2;
    wf_walk walk = {.loops = problem->loops,
                    .in_scalars = scalars,
                    .out_scalars = scalars};
    for (int i = 0; i < problem->loops; i++)
        walk.loop[i] = problem->loop[i];
    wf_axis_split_loops(&walk, group->loop, &grouped->walker.outer,
                        &grouped->walker.inner);
    grouped->walker.threads = binder->threads;
    wf_walker_cut(&grouped->walker, group->n);
    grouped->rows = (wf_nest){.count = 1};
    grouped->line = (wf_loop){1, 0, 0};
    for (int i = 0; i < problem->rank; i++) {
        weft_dim d = problem->dim[i];
        if (i < problem->rank - 1)
            wf_nest_add(&grouped->rows, d, scalars, scalars);
        else
            grouped->line = (wf_loop){d.n, scalars * (ptrdiff_t)d.is,
                                      scalars * (ptrdiff_t)d.os};
    }
}

/* One transform's lines to the packed buffer, or from it. */
static void move(const widen *w, const wf_samples *at, double *buffer,
                 bool back)
{
    const wf_grouped *g = &w->grouped;
    size_t bytes = g->walker.node.bytes, n = (size_t)g->line.n;
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++, buffer += 2 * n) {
        if (back)
            w->hand->scatter_wide(buffer, wf_to(at->out_re, cursor.out, bytes),
                                  wf_to(at->out_im, cursor.out, bytes),
                                  g->line.os, n);
        else
            w->hand->gather_wide(buffer, wf_at(at->in_re, cursor.in, bytes),
                                 wf_at(at->in_im, cursor.in, bytes),
                                 g->line.is, n);
        wf_cursor_next(&g->rows, &cursor);
    }
}

static void move_all(const widen *w, const wf_samples *at, double *buffer,
                     int64_t count, bool back)
{
    const wf_walker *walker = &w->grouped.walker;
    wf_samples one = *at;
    for (int64_t i = 0; i < count; i++, buffer += 2 * w->n) {
        move(w, &one, buffer, back);
        one = wf_samples_at(&one, walker->inner.is, walker->inner.os,
                            walker->node.bytes);
    }
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const widen *w = (const widen *)walker;
    const wf_node *child = walker->node.child[0];
    double *buffer = (void *)scratch;
    move_all(w, at, buffer, count, false);
    if (count < walker->block)
        memset(buffer + 2 * count * w->n, 0,
               (size_t)(2 * (walker->block - count) * w->n) * sizeof *buffer);
    wf_samples all = {buffer, buffer + 1, buffer, buffer + 1};
    child->run(child, &all, scratch + w->buffer);
    move_all(w, at, buffer, count, true);
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
    if (w == NULL || !wf_mul_size((size_t)view.total, 32, &numbers)) {
        wf_node_free((wf_node *)w);
        return wf_no_memory();
    }
    wf_grouped_begin(binder, problem, &group, &w->grouped);
    w->hand = wf_mover_best(WF_F32).f32;
    w->n = view.total / group.n;
    w->buffer = wf_round64((size_t)view.total * 2 * sizeof(double));
    w->grouped.walker.run_block = run_block;
    wf_binder below = *binder;
    below.type = WEFT_F64;
    below.real = WF_F64;
    below.bytes = sizeof(double);
    below.threads = view.threads;
    wf_node *child;
    weft_status status = wf_bind_sequence(&below, &view, step->child[0],
                                          &child);
    if (status != WEFT_OK) {
        wf_node_free(&w->grouped.walker.node);
        return status;
    }
    wf_walker_finish(&w->grouped.walker, child, w->buffer + child->scratch);
    *node = &w->grouped.walker.node;
    return WEFT_OK;
}
