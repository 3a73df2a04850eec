/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cols.c - an axis whose neighbours are another dimension of unit stride:
 * that dimension goes into the lanes of vectors.
 */
#include "cpu/axis.h"

typedef struct cols {
    wf_node node;
    wf_nest outer;
    int64_t lanes;  /* columns side by side */
    int width;      /* of a full block */
    int64_t blocks; /* full ones, and one more for what is left */
    int scalars;    /* per element */
    int threads;
} cols;

static void run_columns(const cols *c, const wf_samples *at, char *scratch,
                        int64_t first, int64_t count)
{
    const wf_node *child = c->node.child[0];
    while (count > 0) {
        int width = wf_column_width(child, count);
        ptrdiff_t offset = c->scalars * (ptrdiff_t)first;
        wf_samples block = wf_samples_at(at, offset, offset, c->node.bytes);
        wf_column_run(child, width, &block, scratch);
        first += width;
        count -= width;
    }
}

static void work(const wf_node *node, const wf_samples *at, char *scratch,
                 int64_t begin, int64_t end)
{
    const cols *c = (const cols *)node;
    wf_cursor cursor;
    wf_cursor_set(&c->outer, begin / c->blocks, &cursor);
    int64_t block = begin % c->blocks;
    for (int64_t unit = begin; unit < end; unit++) {
        wf_samples here = wf_samples_at(at, cursor.in, cursor.out,
                                        node->bytes);
        int64_t first = block * c->width, count = c->lanes - first;
        run_columns(c, &here, scratch, first,
                    count < c->width ? count : c->width);
        if (++block == c->blocks) {
            block = 0;
            wf_cursor_next(&c->outer, &cursor);
        }
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const cols *c = (const cols *)node;
    wf_run_units(node, at, scratch, c->threads, c->outer.count * c->blocks,
                 node->child[0]->scratch, work);
}

/* The longest loop of unit stride on both sides. */
static int lane_loop(const wf_walk *walk)
{
    int best = -1;
    for (int i = 0; i < walk->loops; i++) {
        const weft_dim *d = &walk->loop[i];
        if (d->is == 1 && d->os == 1 &&
            (best < 0 || d->n > walk->loop[best].n))
            best = i;
    }
    return best;
}

weft_status wf_bind_cols(const wf_binder *binder, const wf_axis *axis,
                         wf_node **node)
{
    *node = NULL;
    int lanes = lane_loop(&axis->walk);
    if (lanes < 0)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "cols %d: no neighbour of unit "
                       "stride",
                       axis->step->axis);
    cols *c = (cols *)wf_node_new(binder, sizeof *c, run);
    if (c == NULL)
        return wf_no_memory();
    wf_loop lane;
    c->scalars = axis->usage.split ? 1 : 2;
    wf_axis_split_loops(&axis->walk, lanes, c->scalars, &c->outer, &lane);
    c->lanes = lane.n;
    wf_column_end end = axis->usage.split ? WF_END_SPLIT : WF_END_INTERLEAVED;
    wf_node *child;
    weft_status status = wf_bind_column(binder, axis->step->child[0], end,
                                        axis->walk.axis.is, end,
                                        axis->walk.axis.os, axis->usage.scale,
                                        &child);
    if (status != WEFT_OK) {
        wf_node_free(&c->node);
        return status;
    }
    wf_node_adopt(&c->node, child);
    c->width = wf_column_width(child, INT64_MAX);
    c->blocks = (c->lanes + c->width - 1) / c->width;
    c->threads = binder->threads;
    c->node.scratch = child->scratch * (size_t)c->threads;
    *node = &c->node;
    return WEFT_OK;
}
