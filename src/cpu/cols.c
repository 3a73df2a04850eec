/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cols.c - an axis whose neighbours are another dimension of unit stride:
 * that dimension goes into the lanes of vectors.
 */
#include "cpu/stream.h"
#include "cpu/walker.h"

/* part: columns of the last vector; one that would not be full overlaps the one
 * before.  In place 0: none does. */
typedef struct cols {
    wf_walker walker;
    wf_loop planes; /* one pass: matrices whose columns go in one call */
    int64_t part;
    wf_column_call call; /* all of it, where that is one call */
} cols;

/* What is left of `count` columns when all full vectors have been. */
static int64_t left_of(const cols *c, int64_t count)
{
    return c->part > 0 && count > c->part ? count % c->part : 0;
}

static wf_samples last_part(const cols *c, const wf_samples *at, int64_t count)
{
    /* is = os: see wf_walk_neighbours */
    const ptrdiff_t first = (ptrdiff_t)(count - c->part) * c->walker.inner.is;
    return wf_samples_at(at, first, first, c->walker.node.bytes);
}

static void run_single(const wf_walker *walker, const wf_samples *at,
                       char *scratch, int64_t count)
{
    const cols *c = (const cols *)walker;
    const wf_node *child = walker->node.child[0];
    const wf_loop *planes = &c->planes;
    const int64_t left = left_of(c, count);
    (void)scratch;
    wf_column_run_single(child, at, count - left, planes->n, planes->is,
                         planes->os);
    if (left > 0) {
        const wf_samples last = last_part(c, at, count);
        wf_column_run_single(child, &last, c->part, planes->n, planes->is,
                             planes->os);
    }
}

static void run_plain(const void *what, const void *in, void *out)
{
    const wf_walker *cols = what;
    const wf_samples at = {in, in, out, out};
    run_single(cols, &at, NULL, cols->inner.n);
}

static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    const wf_walker *cols = what;
    const wf_samples at = {in_re, in_im, out_re, out_im};
    run_single(cols, &at, NULL, cols->inner.n);
}

static void run_call(const void *what, const void *in, void *out)
{
    const cols *c = what;
    wf_call_pass(c->call.kernel, in, NULL, out, NULL, c->call.tw,
                 &c->call.args);
}

static void run_call_split(const void *what, const void *in_re,
                           const void *in_im, void *out_re, void *out_im)
{
    const cols *c = what;
    wf_call_pass(c->call.kernel, in_re, in_im, out_re, out_im, c->call.tw,
                 &c->call.args);
}

static void run_beside(const wf_walker *walker, const wf_samples *at,
                       char *scratch, int64_t count)
{
    const wf_node *child = walker->node.child[0];
    (void)count;
    child->run(child, at, scratch);
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const cols *c = (const cols *)walker;
    const wf_node *child = walker->node.child[0];
    const int64_t left = left_of(c, count), whole = count - left;
    wf_column_run_units(child, at, scratch, whole, 0,
                        wf_column_units(child, whole));
    if (left > 0) {
        const wf_samples last = last_part(c, at, count);
        wf_column_run_units(child, &last, scratch, c->part, 0,
                            wf_column_units(child, c->part));
    }
}

/* Columns of a block for threads: whole spans, or a fair part of fewer. */
static int64_t share_of(const wf_walker *walker, const wf_node *child)
{
    int64_t span = wf_column_count(wf_column_next(child, INT64_MAX));
    int64_t unit = wf_column_unit(child);
    int64_t fair = walker->inner.n / walker->threads / unit * unit;
    int64_t share = fair < span ? fair : span;
    return wf_walker_share(walker, share > 0 ? share : unit);
}

/* All neighbours at once. */
static weft_status bind_beside(const wf_binder *binder, const wf_axis *axis,
                               wf_walker *walker, wf_node **node)
{
    wf_walker_cut(walker, walker->inner.n);
    walker->threads = binder->threads;
    walker->run_block = run_beside;
    wf_binder below = *binder;
    below.threads = wf_walker_has_many(walker) ? 1 : binder->threads;
    wf_node *child;
    weft_status status = wf_bind_beside(&below, axis->step->child[0],
                                        walker->inner.n, axis->walk.axis.is,
                                        axis->usage.in_place, &child);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_finish(walker, child, child->scratch);
    *node = &walker->node;
    return WEFT_OK;
}

weft_status wf_bind_cols(const wf_binder *binder, const wf_axis *axis,
                         wf_node **node)
{
    *node = NULL;
    const int lanes = wf_walk_neighbours(&axis->walk);
    cols *c = (cols *)wf_node_new(binder, sizeof *c, wf_walker_run);
    if (c == NULL)
        return wf_no_memory();
    wf_walker *walker = &c->walker;
    wf_axis_split_loops(&axis->walk, lanes, &walker->outer, &walker->inner);
    if (axis->step->child[0]->kind == WF_STEP_BESIDE)
        return bind_beside(binder, axis, walker, node);
    wf_column_end end = axis->usage.split ? WF_END_SPLIT : WF_END_INTERLEAVED;
    wf_node *child;
    weft_status status = wf_bind_column(binder, axis->step->child[0], end,
                                        axis->walk.axis.is, end,
                                        axis->walk.axis.os, axis->usage.scale,
                                        &child);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    int64_t numbers = axis->walk.count * axis->walk.axis.n;
    if (!axis->usage.in_place && wf_stream_pays(2 * numbers, binder->bytes))
        wf_column_past(child);
    wf_column_align(child);
    if (!axis->usage.in_place &&
        wf_columns_overlap(walker->inner.n, axis->walk.axis.n, binder->type))
        c->part = wf_column_part(child);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    if (wf_column_is_single(child)) {
        walker->run_block = run_single;
        if (!axis->usage.in_place && axis->usage.split)
            c->part = wf_column_overlap(child, walker->inner.n);
        c->planes = wf_walker_planes(walker);
        c->call = wf_column_as_call(child, walker->inner.n, c->planes.n,
                                    c->planes.is, c->planes.os,
                                    !axis->usage.in_place);
    }
    wf_walker_cut(walker, share_of(walker, child));
    wf_walker_join(walker, c->part);
    wf_walker_finish(walker, child, child->scratch);
    const bool single = walker->run_block == run_single;
    if (single && axis->usage.split)
        wf_walker_set_plain_split(walker, c->call.kernel != NULL
                                              ? run_call_split
                                              : run_plain_split);
    else if (single)
        wf_walker_set_plain(walker,
                            c->call.kernel != NULL ? run_call : run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
