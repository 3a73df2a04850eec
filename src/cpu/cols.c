/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cols.c - an axis whose neighbours are another dimension of unit stride:
 * that dimension goes into the lanes of vectors.
 */
#include "cpu/stream.h"
#include "cpu/walker.h"

static void run_block(const wf_walker *cols, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const wf_node *child = cols->node.child[0];
    wf_samples block = *at;
    while (count > 0) {
        wf_column_span span = wf_column_next(child, count);
        count -= wf_column_count(span);
        /* is = os: see lane_loop */
        ptrdiff_t step = wf_column_count(span) * cols->inner.is;
        wf_samples next = wf_samples_at(&block, step, step, cols->node.bytes);
        wf_column_run(child, span, &block, scratch, NULL,
                      count > 0 ? &next : NULL);
        block = next;
    }
    wf_column_settle(child);
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
                       "cols %d: no neighbour of unit stride",
                       axis->step->axis);
    wf_walker *cols = (wf_walker *)wf_node_new(binder, sizeof *cols,
                                               wf_walker_run);
    if (cols == NULL)
        return wf_no_memory();
    wf_axis_split_loops(&axis->walk, lanes, &cols->outer, &cols->inner);
    wf_column_end end = axis->usage.split ? WF_END_SPLIT : WF_END_INTERLEAVED;
    wf_node *child;
    weft_status status = wf_bind_column(binder, axis->step->child[0], end,
                                        axis->walk.axis.is, end,
                                        axis->walk.axis.os, axis->usage.scale,
                                        &child);
    if (status != WEFT_OK) {
        wf_node_free(&cols->node);
        return status;
    }
    int64_t numbers = axis->walk.count * axis->walk.axis.n;
    if (!axis->usage.in_place && wf_stream_pays(2 * numbers, binder->bytes))
        wf_column_past(child);
    cols->run_block = run_block;
    cols->threads = binder->threads;
    wf_walker_cut(cols, wf_walker_share(cols, wf_column_unit(child)));
    wf_walker_finish(cols, child, child->scratch);
    *node = &cols->node;
    return WEFT_OK;
}
