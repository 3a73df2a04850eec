/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.c - an axis of unit stride: each transform where it lies.
 */
#include "cpu/stream.h"
#include "cpu/walker.h"

void wf_rows_run(const wf_node *child, const wf_samples *at, ptrdiff_t is,
                 ptrdiff_t os, int64_t count, char *scratch)
{
    if (wf_node_is_leaf(child)) {
        wf_leaf_run_many(child, at->in_re, at->out_re, (size_t)count, is, os);
        return;
    }
    if (child->many != NULL) {
        child->many(child, at, is, os, count, scratch);
        return;
    }
    if (child->plain.run != NULL) {
        const void *in = at->in_re;
        void *out = at->out_re;
        for (int64_t i = 0; i < count; i++) {
            wf_node_plain(child, in, out);
            in = wf_at(in, is, child->bytes);
            out = wf_to(out, os, child->bytes);
        }
        return;
    }
    const wf_plain_split *split = &child->plain_split;
    wf_samples row = *at;
    for (int64_t i = 0; i < count; i++) {
        if (split->run != NULL)
            split->run(split->what, row.in_re, row.in_im, row.out_re,
                       row.out_im);
        else
            child->run(child, &row, scratch);
        row = wf_samples_at(&row, is, os, child->bytes);
    }
}

/* With what is known of rows of a slice that come from memory. */
typedef struct fetched {
    wf_walker walker;
    size_t bytes;    /* of a row of the input */
    ptrdiff_t ahead; /* scalars from a row to the one that is fetched */
} fetched;

/* One by one, while a later one is fetched: behind the last ones that is what
 * follows in memory, mostly the first ones of the next slice. */
static void run_fetched(const wf_walker *rows, const wf_samples *at,
                        char *scratch, int64_t count)
{
    const fetched *f = (const fetched *)rows;
    wf_samples row = *at;
    for (int64_t i = 0; i < count; i++) {
        wf_fetch(wf_at(row.in_re, f->ahead, rows->node.bytes), f->bytes);
        wf_rows_run(rows->node.child[0], &row, rows->inner.is, rows->inner.os,
                    1, scratch);
        row = wf_samples_at(&row, rows->inner.is, rows->inner.os,
                            rows->node.bytes);
    }
}

static void run_block(const wf_walker *rows, const wf_samples *at,
                      char *scratch, int64_t count)
{
    wf_rows_run(rows->node.child[0], at, rows->inner.is, rows->inner.os, count,
                scratch);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const wf_walker *rows = what;
    const wf_samples at = {in, NULL, out, NULL};
    wf_rows_run(rows->node.child[0], &at, rows->inner.is, rows->inner.os,
                rows->inner.n, NULL);
}

wf_leaf_call wf_rows_leaf(const wf_node *node)
{
    const wf_walker *rows = (const wf_walker *)node;
    wf_leaf_call call = {NULL, NULL, 0, 0, 0};
    if (node->plain.run != run_plain)
        return call;
    call = wf_leaf_of(node->child[0]);
    call.count = (size_t)rows->inner.n;
    call.in_dist = rows->inner.is;
    call.out_dist = rows->inner.os;
    return call;
}

static bool is_far(const wf_binder *binder, const wf_walk *walk)
{
    const int64_t reals = wf_walk_reals(walk, WF_INPUT) +
                          wf_walk_reals(walk, WF_OUTPUT);
    return wf_stream_pays(reals * walk->count / 2, binder->bytes);
}

/* The longest loop inside all others. */
static wf_walker *new_rows(const wf_binder *binder, const wf_walk *walk,
                           int64_t unit)
{
    wf_walker *rows = (wf_walker *)wf_node_new(binder, sizeof(fetched),
                                               wf_walker_run);
    if (rows == NULL)
        return NULL;
    wf_axis_split_loops(walk, wf_axis_longest_loop(walk), &rows->outer,
                        &rows->inner);
    rows->run_block = run_block;
    rows->threads = binder->threads;
    wf_walker_cut(rows, wf_walker_share(rows, unit));
    return rows;
}

static void set_fetched(wf_walker *rows, const wf_walk *walk)
{
    enum { LEAST = 3 };
    fetched *f = (fetched *)rows;
    f->bytes = (size_t)wf_walk_reals(walk, WF_INPUT) * rows->node.bytes;
    const ptrdiff_t count = (ptrdiff_t)(wf_streaming_here().next / f->bytes);
    f->ahead = (count > LEAST ? count : LEAST) * rows->inner.is;
    rows->run_block = run_fetched;
}

static void set_plain(wf_walker *rows)
{
    if (rows->node.child[0]->plain.run != NULL)
        wf_walker_set_plain(rows, run_plain);
}

weft_status wf_bind_rows_of(const wf_binder *binder, const wf_walk *walk,
                            wf_node *child, wf_node **node)
{
    wf_walker *rows = new_rows(binder, walk, 1);
    *node = NULL;
    if (rows == NULL) {
        wf_node_free(child);
        return wf_no_memory();
    }
    wf_walker_finish(rows, child, child->scratch);
    set_plain(rows);
    *node = &rows->node;
    return WEFT_OK;
}

/* Rows that go in groups, which the number of threads is not to change. */
static int64_t unit_of(const wf_step *step)
{
    switch (step->kind) {
    case WF_STEP_LEAF:
    case WF_STEP_REAL_LEAF:
    case WF_STEP_HALF:
    case WF_STEP_HALVED:
    case WF_STEP_SPECTRAL: return WF_LEAF_LANES;
    default: return 1;
    }
}

weft_status wf_bind_rows(const wf_binder *binder, const wf_axis *axis,
                         wf_node **node)
{
    *node = NULL;
    const wf_step *step = axis->step->child[0];
    wf_usage usage = axis->usage;
    usage.lone = axis->walk.loops == 0;
    if (usage.lone) /* no walking */
        return wf_bind_transform(binder, step, &usage, node);
    wf_walker *rows = new_rows(binder, &axis->walk, unit_of(step));
    if (rows == NULL)
        return wf_no_memory();
    if (binder->ahead)
        set_fetched(rows, &axis->walk);
    usage.far = binder->far || is_far(binder, &axis->walk);
    weft_status status = wf_walker_bind(rows, binder, step, &usage, 0, node);
    if (status == WEFT_OK && !binder->ahead)
        set_plain(rows);
    return status;
}
