/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.c - an axis of unit stride: each transform where it lies.
 */
#include "cpu/axis.h"

typedef struct rows {
    wf_node node;
    wf_nest outer;
    wf_loop inner;  /* walked inside the leaf's kernel */
    int64_t block;  /* inner iterations a unit takes */
    int64_t blocks; /* units per outer iteration */
    int threads;
} rows;

static void run_block(const rows *r, const wf_samples *at, char *scratch,
                      int64_t count)
{
    const wf_node *child = r->node.child[0];
    if (wf_node_is_leaf(child)) {
        wf_leaf_run_many(child, at->in_re, at->out_re, (size_t)count,
                         r->inner.is, r->inner.os);
        return;
    }
    wf_samples row = *at;
    for (int64_t i = 0; i < count; i++) {
        child->run(child, &row, scratch);
        row = wf_samples_at(&row, r->inner.is, r->inner.os, r->node.bytes);
    }
}

static void work(const wf_node *node, const wf_samples *at, char *scratch,
                 int64_t begin, int64_t end)
{
    const rows *r = (const rows *)node;
    wf_cursor cursor;
    wf_cursor_set(&r->outer, begin / r->blocks, &cursor);
    int64_t block = begin % r->blocks;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t first = block * r->block, count = r->inner.n - first;
        wf_samples rows_at = wf_samples_at(at, cursor.in + first * r->inner.is,
                                           cursor.out + first * r->inner.os,
                                           node->bytes);
        run_block(r, &rows_at, scratch, count < r->block ? count : r->block);
        if (++block == r->blocks) {
            block = 0;
            wf_cursor_next(&r->outer, &cursor);
        }
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const rows *r = (const rows *)node;
    wf_run_units(node, at, scratch, r->threads, r->outer.count * r->blocks,
                 node->child[0]->scratch, work);
}

/* Leaf kernels take up to 16 transforms into the lanes of vectors and what is
 * left one by one, in another order of operations: blocks of a multiple of 16
 * make the same groups for any number of threads. */
static void choose_blocks(rows *r, bool leaf)
{
    int64_t n = r->inner.n, unit = leaf ? 16 : 1;
    int64_t share = n / (4 * (int64_t)r->threads) / unit * unit;
    r->block = r->threads <= 1 ? n : share < unit ? unit : share;
    r->blocks = (n + r->block - 1) / r->block;
}

weft_status wf_bind_rows(const wf_binder *binder, const wf_axis *axis,
                         wf_node **node)
{
    *node = NULL;
    rows *r = (rows *)wf_node_new(binder, sizeof *r, run);
    if (r == NULL)
        return wf_no_memory();
    int longest = wf_axis_longest_loop(&axis->walk);
    int scalars = axis->usage.split ? 1 : 2;
    wf_axis_split_loops(&axis->walk, longest, scalars, &r->outer, &r->inner);
    int64_t units = r->outer.count * r->inner.n;
    r->threads = binder->threads;
    choose_blocks(r, axis->step->child[0]->kind == WF_STEP_LEAF);
    wf_binder below = *binder;
    below.threads = units > 1 ? 1 : binder->threads;
    wf_node *child;
    weft_status status = wf_bind_transform(&below, axis->step->child[0],
                                           &axis->usage, &child);
    if (status == WEFT_OK && axis->walk.loops == 0) {
        wf_node_free(&r->node); /* one transform: no walking */
        *node = child;
        return WEFT_OK;
    }
    if (status != WEFT_OK) {
        wf_node_free(&r->node);
        return status;
    }
    wf_node_adopt(&r->node, child);
    r->node.scratch = child->scratch * (size_t)(units > 1 ? r->threads : 1);
    *node = &r->node;
    return WEFT_OK;
}
