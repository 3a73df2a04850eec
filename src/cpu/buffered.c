/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffered.c - an axis of any stride: a group of transforms copied to unit
 * stride, transformed, copied back.  All of a group is read before any of it
 * is written, so in place is safe.  Where the child is columns the group is
 * copied to neighbouring columns.
 */
#include <stdlib.h>

#include "cpu/move.h"
#include "cpu/walker.h"

typedef struct buffered {
    wf_walker walker; /* a block is a group */
    wf_mover mover;
    int64_t n;
    ptrdiff_t is, os;
    int64_t row; /* reals from one transform to the next, or one row */
    bool whole_in, whole_out; /* columns: complex numbers side by side */
    bool real_in, real_out;   /* real axis: R2C, C2R; both: a real kind */
    size_t buffer;            /* bytes of the group's buffer */
} buffered;

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const buffered *b = (const buffered *)walker;
    const wf_node *child = walker->node.child[0];
    size_t n = (size_t)b->n, many = (size_t)count;
    const wf_mover *m = &b->mover;
    WF_MOVE(m, gather_many, (void *)scratch, at->in_re, at->in_im, b->is, n,
            walker->inner.is, many, b->n);
    for (int64_t i = 0; i < count; i++) {
        void *row = wf_to(scratch, 2 * i * b->n, walker->node.bytes);
        wf_samples one = {row, row, row, row};
        child->run(child, &one, scratch + b->buffer);
    }
    WF_MOVE(m, scatter_many, (const void *)scratch, at->out_re, at->out_im,
            b->os, n, walker->inner.os, many, b->n);
}

/* A row of the buffer is n reals or n/2 + 1 complex numbers. */
static void run_real_block(const wf_walker *walker, const wf_samples *at,
                           char *scratch, int64_t count)
{
    const buffered *b = (const buffered *)walker;
    const wf_node *child = walker->node.child[0];
    size_t n = (size_t)b->n, half = n / 2 + 1, many = (size_t)count;
    ptrdiff_t in = walker->inner.is, out = walker->inner.os;
    const wf_mover *m = &b->mover;
    if (b->real_in)
        WF_MOVE(m, move_reals, (void *)scratch, 1, b->row, at->in_re, b->is,
                in, n, many);
    else
        WF_MOVE(m, gather_many, (void *)scratch, at->in_re, at->in_im, b->is,
                half, in, many, b->row / 2);
    for (int64_t i = 0; i < count; i++) {
        void *row = wf_to(scratch, i * b->row, walker->node.bytes);
        wf_samples one = {row, row, row, row};
        child->run(child, &one, scratch + b->buffer);
    }
    if (!b->real_out)
        WF_MOVE(m, scatter_many, (const void *)scratch, at->out_re, at->out_im,
                b->os, half, out, many, b->row / 2);
    else
        WF_MOVE(m, move_reals, at->out_re, b->os, out, (const void *)scratch,
                1, b->row, n, many);
}

/* Element k of transform t to row k, column t of a matrix, and back. */
static void run_column_block(const wf_walker *walker, const wf_samples *at,
                             char *scratch, int64_t count)
{
    const buffered *b = (const buffered *)walker;
    const wf_node *child = walker->node.child[0];
    const wf_mover *m = &b->mover;
    const size_t n = (size_t)b->n, many = (size_t)count;
    const ptrdiff_t in = walker->inner.is, out = walker->inner.os;
    void *rows = scratch, *made = scratch + b->buffer;
    const wf_samples matrix = {rows, rows, made, made};
    if (b->whole_in)
        WF_MOVE(m, transpose, at->in_re, in / 2, rows, b->row / 2, many, n);
    else
        WF_MOVE(m, gather_many, rows, at->in_re, at->in_im, in, many, b->is, n,
                b->row / 2);
    wf_column_run_apart(child, &matrix, scratch + 2 * b->buffer, count, 0,
                        wf_column_units_apart(child, count));
    if (b->whole_out)
        WF_MOVE(m, transpose, (const void *)made, b->row / 2, at->out_re,
                out / 2, n, many);
    else
        WF_MOVE(m, scatter_many, (const void *)made, at->out_re, at->out_im,
                out, many, b->os, n, b->row / 2);
}

static int64_t distance(const weft_dim *d)
{
    return llabs(d->is) + llabs(d->os);
}

/* The loop whose neighbours are nearest: grouping it moves whole cache
 * lines. */
static int nearest_loop(const wf_walk *walk)
{
    int best = -1;
    for (int i = 0; i < walk->loops; i++)
        if (best < 0 || distance(&walk->loop[i]) < distance(&walk->loop[best]))
            best = i;
    return best;
}

/* As many transforms as fit 128 KiB, at most 16, at least 1, but a line of neighbours
 * if that fits 16 MiB; more where they fit 32 KiB, for rows of neighbours to be written
 * in pieces of two lines or more.  Channels together, since they are moved in whole
 * vectors. */
static int64_t group_size(const buffered *b, bool real, int64_t channels,
                          size_t bytes)
{
    enum { LEAST = 16, PIECE = 128, ALL = 1 << 28, MOST = 1 << 24, LINE = 64 };
    const wf_loop *inner = &b->walker.inner;
    const int64_t row = b->row * (int64_t)bytes, fit = (128 << 10) / row,
                  near = (32 << 10) / row / LEAST * LEAST,
                  line = LINE / ((real ? 1 : 2) * (int64_t)bytes);
    int64_t group = fit < 1 ? 1 : fit > LEAST ? LEAST : fit;
    if (channels > 0 && channels * row <= ALL)
        return channels;
    if (group > line)
        group -= group % line;
    else if (line * row <= MOST)
        group = line;
    if (inner->os > 0 && inner->os <= 2) {
        size_t piece = wf_row_piece(b->os * (ptrdiff_t)bytes);
        int64_t most = (int64_t)((piece < PIECE ? PIECE : piece) / bytes) /
                       inner->os;
        most = most < near ? most : near;
        group = most > group ? most : group;
    }
    return group < inner->n ? group : inner->n;
}

/* Interleaved, of unit stride, and whole numbers apart. */
static bool is_whole(const wf_axis *axis, ptrdiff_t stride, ptrdiff_t dist)
{
    return !axis->usage.split && stride == 2 && dist > 0 && dist % 2 == 0;
}

/* A block of the widest columns at a time. */
static weft_status bind_columns(const wf_binder *binder, const wf_axis *axis,
                                buffered *b, wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    wf_walker *walker = &b->walker;
    wf_node *child;
    b->whole_in = is_whole(axis, b->is, walker->inner.is);
    b->whole_out = is_whole(axis, b->os, walker->inner.os);
    b->row = 2 * step->width;
    b->buffer = wf_round64((size_t)(b->n * b->row) * binder->bytes);
    walker->run_block = run_column_block;
    wf_walker_cut(walker, step->width);
    weft_status status = wf_bind_column(binder, step, WF_END_INTERLEAVED,
                                        step->width, WF_END_INTERLEAVED,
                                        step->width, 1, &child);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_finish(walker, child, 2 * b->buffer + child->scratch);
    *node = &walker->node;
    return WEFT_OK;
}

weft_status wf_bind_buffered(const wf_binder *binder, const wf_axis *axis,
                             wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    const bool columns = wf_step_is_column(step);
    bool r2r = wf_step_is_r2r(step->kind);
    bool real = axis->walk.real || r2r;
    *node = NULL;
    buffered *b = (buffered *)wf_node_new(binder, sizeof *b, wf_walker_run);
    if (b == NULL)
        return wf_no_memory();
    wf_walker *walker = &b->walker;
    wf_axis_split_loops(&axis->walk,
                        columns ? wf_walk_abreast(&axis->walk, step->width)
                                : nearest_loop(&axis->walk),
                        &walker->outer, &walker->inner);
    b->mover = wf_mover_best(binder->real);
    b->n = axis->walk.axis.n;
    b->is = axis->walk.in_scalars * (ptrdiff_t)axis->walk.axis.is;
    b->os = axis->walk.out_scalars * (ptrdiff_t)axis->walk.axis.os;
    walker->threads = binder->threads;
    if (columns)
        return bind_columns(binder, axis, b, node);
    b->real_in = r2r || !binder->inverse;
    b->real_out = r2r || binder->inverse;
    b->row = real ? 2 * (b->n / 2 + 1) : 2 * b->n;
    const int64_t group = group_size(b, real, wf_walk_channels(&axis->walk),
                                     binder->bytes);
    b->buffer = wf_round64((size_t)(group * b->row) * binder->bytes);
    walker->run_block = real ? run_real_block : run_block;
    wf_walker_cut(walker, group);
    wf_usage usage = {.in_place = true,
                      .split = false,
                      .scale = real ? axis->usage.scale : 1,
                      .ortho = axis->usage.ortho};
    return wf_walker_bind(walker, binder, step, &usage, b->buffer, node);
}
