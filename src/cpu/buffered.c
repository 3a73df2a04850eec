/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffered.c - an axis of any stride: a group of transforms copied to unit
 * stride, transformed, copied back.  All of a group is read before any of it
 * is written, so in place is safe.
 */
#include <stdlib.h>

#include "cpu/axis.h"
#include "cpu/move.h"

typedef struct buffered {
    wf_node node;
    wf_mover mover;
    wf_nest outer;
    wf_loop inner; /* grouped */
    int64_t n, group, groups;
    ptrdiff_t is, os;
    size_t buffer; /* bytes of the group's buffer */
    int threads;
} buffered;

static void run_group(const buffered *b, const wf_samples *at, char *scratch,
                      int64_t count)
{
    const wf_node *child = b->node.child[0];
    size_t n = (size_t)b->n, many = (size_t)count;
    const wf_mover *m = &b->mover;
    WF_MOVE(m, gather_many, (void *)scratch, at->in_re, at->in_im, b->is, n,
            b->inner.is, many, b->n);
    for (int64_t i = 0; i < count; i++) {
        void *row = wf_to(scratch, 2 * i * b->n, b->node.bytes);
        wf_samples one = {row, row, row, row};
        child->run(child, &one, scratch + b->buffer);
    }
    WF_MOVE(m, scatter_many, (const void *)scratch, at->out_re, at->out_im,
            b->os, n, b->inner.os, many, b->n);
}

static void work(const wf_node *node, const wf_samples *at, char *scratch,
                 int64_t begin, int64_t end)
{
    const buffered *b = (const buffered *)node;
    wf_cursor cursor;
    wf_cursor_set(&b->outer, begin / b->groups, &cursor);
    int64_t group = begin % b->groups;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t first = group * b->group, count = b->inner.n - first;
        wf_samples here = wf_samples_at(at, cursor.in + first * b->inner.is,
                                        cursor.out + first * b->inner.os,
                                        node->bytes);
        run_group(b, &here, scratch, count < b->group ? count : b->group);
        if (++group == b->groups) {
            group = 0;
            wf_cursor_next(&b->outer, &cursor);
        }
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const buffered *b = (const buffered *)node;
    wf_run_units(node, at, scratch, b->threads, b->outer.count * b->groups,
                 b->buffer + node->child[0]->scratch, work);
}

/* The loop whose input neighbours are nearest: grouping it reads whole cache
 * lines. */
static int nearest_loop(const wf_walk *walk)
{
    int best = -1;
    for (int i = 0; i < walk->loops; i++)
        if (best < 0 ||
            llabs(walk->loop[i].is) + llabs(walk->loop[i].os) <
                llabs(walk->loop[best].is) + llabs(walk->loop[best].os))
            best = i;
    return best;
}

/* As many transforms as fit 128 KiB, at most 16, at least 1. */
static int64_t group_size(int64_t n, size_t bytes, int64_t count)
{
    int64_t fit = (int64_t)((128 << 10) / (2 * bytes)) / n;
    int64_t group = fit < 1 ? 1 : fit > 16 ? 16 : fit;
    return group < count ? group : count;
}

weft_status wf_bind_buffered(const wf_binder *binder, const wf_axis *axis,
                             wf_node **node)
{
    *node = NULL;
    buffered *b = (buffered *)wf_node_new(binder, sizeof *b, run);
    if (b == NULL)
        return wf_no_memory();
    int scalars = axis->usage.split ? 1 : 2;
    wf_axis_split_loops(&axis->walk, nearest_loop(&axis->walk), scalars,
                        &b->outer, &b->inner);
    b->mover = wf_mover_best(binder->real);
    b->n = axis->walk.axis.n;
    b->is = scalars * (ptrdiff_t)axis->walk.axis.is;
    b->os = scalars * (ptrdiff_t)axis->walk.axis.os;
    b->group = group_size(b->n, binder->bytes, b->inner.n);
    b->groups = (b->inner.n + b->group - 1) / b->group;
    b->buffer = wf_round64((size_t)(b->group * b->n) * 2 * binder->bytes);
    b->threads = binder->threads;
    bool many = b->outer.count * b->groups > 1;
    wf_binder below = *binder;
    below.threads = many ? 1 : binder->threads;
    wf_usage usage = {.in_place = true, .split = false, .scale = 1};
    wf_node *child;
    weft_status status = wf_bind_transform(&below, axis->step->child[0],
                                           &usage, &child);
    if (status != WEFT_OK) {
        wf_node_free(&b->node);
        return status;
    }
    wf_node_adopt(&b->node, child);
    b->node.scratch = (b->buffer + child->scratch) *
                      (size_t)(many ? b->threads : 1);
    *node = &b->node;
    return WEFT_OK;
}
