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
    wf_samples row = *at;
    for (int64_t i = 0; i < count; i++) {
        child->run(child, &row, scratch);
        row = wf_samples_at(&row, is, os, child->bytes);
    }
}

static void run_block(const wf_walker *rows, const wf_samples *at,
                      char *scratch, int64_t count)
{
    wf_rows_run(rows->node.child[0], at, rows->inner.is, rows->inner.os, count,
                scratch);
}

static bool is_far(const wf_binder *binder, const wf_walk *walk)
{
    const int64_t reals = wf_walk_reals(walk, WF_INPUT) +
                          wf_walk_reals(walk, WF_OUTPUT);
    return wf_stream_pays(reals * walk->count / 2, binder->bytes);
}

weft_status wf_bind_rows(const wf_binder *binder, const wf_axis *axis,
                         wf_node **node)
{
    *node = NULL;
    const wf_step *step = axis->step->child[0];
    if (axis->walk.loops == 0) /* one transform: no walking */
        return wf_bind_transform(binder, step, &axis->usage, node);
    wf_walker *rows = (wf_walker *)wf_node_new(binder, sizeof *rows,
                                               wf_walker_run);
    if (rows == NULL)
        return wf_no_memory();
    int longest = wf_axis_longest_loop(&axis->walk);
    wf_axis_split_loops(&axis->walk, longest, &rows->outer, &rows->inner);
    rows->run_block = run_block;
    rows->threads = binder->threads;
    bool leaf = step->kind == WF_STEP_LEAF || step->kind == WF_STEP_REAL_LEAF;
    wf_walker_cut(rows, wf_walker_share(rows, leaf ? WF_LEAF_LANES : 1));
    wf_usage usage = axis->usage;
    usage.far = is_far(binder, &axis->walk);
    return wf_walker_bind(rows, binder, step, &usage, 0, node);
}
