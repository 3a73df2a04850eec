/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffered.c - an axis of any stride: a group of transforms copied to unit
 * stride, transformed, copied back.  All of a group is read before any of it
 * is written, so in place is safe; else what is of unit stride is not copied.
 * Where the child is columns the group is copied to neighbouring columns.
 */
#include <stdlib.h>

#include "cpu/move.h"
#include "cpu/walker.h"

enum { PLAIN_BYTES = 8 << 10 }; /* of rows on the stack */

/* One side of a transform. */
typedef struct side {
    ptrdiff_t stride; /* reals from one number to the next */
    size_t n;         /* numbers, */
    bool real;        /* or complex ones */
    bool whole;       /* of unit stride: not copied; columns: side by side */
    bool joined;      /* split arrays of unit stride, one after another */
} side;

typedef struct buffered {
    wf_walker walker; /* a block is a group */
    wf_mover mover;
    side in, out;
    wf_leaf_call leaf; /* what the child is, if that is one */
    int64_t row;       /* reals from one transform to the next, or one row */
    size_t buffer;     /* bytes of the group's buffer */
} buffered;

static void bring(const buffered *b, const wf_samples *at, size_t count,
                  void *rows)
{
    const ptrdiff_t next = b->walker.inner.is;
    if (b->in.real)
        WF_MOVE(&b->mover, move_reals, rows, 1, b->row, at->in_re,
                b->in.stride, next, b->in.n, count);
    else if (b->in.joined)
        WF_MOVE(&b->mover, merge, rows, at->in_re, at->in_im, b->in.n * count);
    else
        WF_MOVE(&b->mover, gather_many, rows, at->in_re, at->in_im,
                b->in.stride, b->in.n, next, count, b->row / 2);
}

static void take(const buffered *b, const void *rows, size_t count,
                 const wf_samples *at)
{
    const ptrdiff_t next = b->walker.inner.os;
    if (b->out.real)
        WF_MOVE(&b->mover, move_reals, at->out_re, b->out.stride, next, rows,
                1, b->row, b->out.n, count);
    else if (b->out.joined)
        WF_MOVE(&b->mover, part, at->out_re, at->out_im, rows,
                b->out.n * count);
    else
        WF_MOVE(&b->mover, scatter_many, rows, at->out_re, at->out_im,
                b->out.stride, b->out.n, next, count, b->row / 2);
}

/* What is of unit stride stays where it is; `room`: rows, then scratch. */
static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *room, int64_t count)
{
    const buffered *b = (const buffered *)walker;
    const wf_samples rows = {b->in.whole ? at->in_re : room, NULL,
                             b->out.whole ? at->out_re : room, NULL};
    if (!b->in.whole)
        bring(b, at, (size_t)count, room);
    const ptrdiff_t is = b->in.whole ? walker->inner.is : b->row,
                    os = b->out.whole ? walker->inner.os : b->row;
    if (b->leaf.run != NULL)
        b->leaf.run(rows.in_re, rows.out_re, (size_t)count, is, os,
                    b->leaf.table);
    else
        wf_rows_run(walker->node.child[0], &rows, is, os, count,
                    room + b->buffer);
    if (!b->out.whole)
        take(b, room, (size_t)count, at);
}

/* All of it, which needs no scratch. */
static void run_plain(const void *what, const void *in, void *out)
{
    const buffered *b = what;
    const size_t bytes = b->walker.node.bytes;
    _Alignas(64) char rows[PLAIN_BYTES];
    const wf_samples at = {in, wf_at(in, 1, bytes), out, wf_to(out, 1, bytes)};
    run_block(&b->walker, &at, rows, b->walker.inner.n);
}

static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    const buffered *b = what;
    _Alignas(64) char rows[PLAIN_BYTES];
    const wf_samples at = {in_re, in_im, out_re, out_im};
    run_block(&b->walker, &at, rows, b->walker.inner.n);
}

/* Element k of transform t to row k, column t of a matrix, and back. */
static void run_column_block(const wf_walker *walker, const wf_samples *at,
                             char *scratch, int64_t count)
{
    const buffered *b = (const buffered *)walker;
    const wf_node *child = walker->node.child[0];
    const wf_mover *m = &b->mover;
    const size_t n = b->in.n, many = (size_t)count;
    const ptrdiff_t in = walker->inner.is, out = walker->inner.os;
    void *rows = scratch, *made = scratch + b->buffer;
    const wf_samples matrix = {rows, rows, made, made};
    if (b->in.whole)
        WF_MOVE(m, transpose, at->in_re, in / 2, rows, b->row / 2, many, n);
    else
        WF_MOVE(m, gather_many, rows, at->in_re, at->in_im, in, many,
                b->in.stride, n, b->row / 2);
    wf_column_run_apart(child, &matrix, scratch + 2 * b->buffer, count, 0,
                        wf_column_units_apart(child, count));
    if (b->out.whole)
        WF_MOVE(m, transpose, (const void *)made, b->row / 2, at->out_re,
                out / 2, n, many);
    else
        WF_MOVE(m, scatter_many, (const void *)made, at->out_re, at->out_im,
                out, many, b->out.stride, n, b->row / 2);
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
        size_t piece = wf_row_piece(b->out.stride * (ptrdiff_t)bytes);
        int64_t most = (int64_t)((piece < PIECE ? PIECE : piece) / bytes) /
                       inner->os;
        most = most < near ? most : near;
        group = most > group ? most : group;
    }
    return group < inner->n ? group : inner->n;
}

/* Of split arrays, which need no lines of neighbours: as many as the stack has room
 * for. */
static int64_t joined_group(const buffered *b, size_t bytes)
{
    const int64_t group = wf_leaf_group(PLAIN_BYTES, (size_t)b->row * bytes);
    return group < b->walker.inner.n ? group : b->walker.inner.n;
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
    b->in.whole = is_whole(axis, b->in.stride, walker->inner.is);
    b->out.whole = is_whole(axis, b->out.stride, walker->inner.os);
    b->row = 2 * step->width;
    b->buffer = wf_round64(b->in.n * (size_t)b->row * binder->bytes);
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

/* No wider than what short leaves read and write, for which vectors of 512 bits would
 * wait: 12 complex floats 28 ns, then 21. */
static wf_mover mover_of_joined(wf_real real)
{
    const wf_isa isa = (wf_isa)wf_cpu_isa();
    return wf_mover_of_isa(real, isa == WF_ISA_AVX512 ? WF_ISA_AVX2 : isa);
}

static side side_of(const wf_binder *binder, const wf_axis *axis,
                    const wf_loop *inner, wf_side at)
{
    const wf_walk *walk = &axis->walk;
    const bool output = at == WF_OUTPUT,
               r2r = wf_step_is_r2r(axis->step->child[0]->kind);
    side s = {.real = r2r || (walk->real && output == binder->inverse)};
    s.stride = output ? walk->out_scalars * (ptrdiff_t)walk->axis.os
                      : walk->in_scalars * (ptrdiff_t)walk->axis.is;
    s.n = (size_t)(walk->real && !s.real ? walk->axis.n / 2 + 1
                                         : walk->axis.n);
    s.whole = !(axis->usage.split && !s.real) && !axis->usage.in_place &&
              s.stride == (s.real ? 1 : 2);
    s.joined = axis->usage.split && !s.real && s.stride == 1 &&
               (inner->n == 1 ||
                (output ? inner->os : inner->is) == (ptrdiff_t)s.n);
    return s;
}

weft_status wf_bind_buffered(const wf_binder *binder, const wf_axis *axis,
                             wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    const bool columns = wf_step_is_column(step);
    if (columns && wf_walk_crossed(&axis->walk) >= 0)
        return wf_bind_crossed(binder, axis, node);
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
    b->in = side_of(binder, axis, &walker->inner, WF_INPUT);
    b->out = side_of(binder, axis, &walker->inner, WF_OUTPUT);
    b->mover = b->in.joined || b->out.joined ? mover_of_joined(binder->real)
                                             : wf_mover_best(binder->real);
    walker->threads = binder->threads;
    if (columns)
        return bind_columns(binder, axis, b, node);
    const int64_t n = axis->walk.axis.n;
    b->row = real ? 2 * (n / 2 + 1) : 2 * n;
    const int64_t group = b->in.joined || b->out.joined
                              ? joined_group(b, binder->bytes)
                              : group_size(b, real,
                                           wf_walk_channels(&axis->walk),
                                           binder->bytes);
    b->buffer = wf_round64((size_t)(group * b->row) * binder->bytes);
    walker->run_block = run_block;
    wf_walker_cut(walker, group);
    wf_usage usage = {.in_place = !b->in.whole && !b->out.whole,
                      .split = false,
                      .scale = axis->usage.scale,
                      .ortho = axis->usage.ortho};
    weft_status status = wf_walker_bind(walker, binder, step, &usage,
                                        b->buffer, node);
    if (status != WEFT_OK)
        return status;
    b->leaf = wf_leaf_of(walker->node.child[0]);
    if (b->buffer > PLAIN_BYTES || walker->node.child[0]->plain.run == NULL)
        return WEFT_OK;
    if (axis->usage.split)
        wf_walker_set_plain_split(walker, run_plain_split);
    else
        wf_walker_set_plain(walker, run_plain);
    return WEFT_OK;
}
