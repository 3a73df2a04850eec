/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense_cols.c - short real transforms of neighbours, side by side, by the
 * definition: all numbers of a vector of columns are read, then each output is a
 * sum of them.  So in place is safe, and nothing moves between lanes.
 */
#include "cpu/definition.h"
#include "cpu/move.h"
#include "cpu/walker.h"
#include "plan/dense.h"

typedef struct dense_cols {
    wf_walker walker;
    wf_loop planes; /* matrices that one block goes through */
    wf_mover mover;
    wf_dense_columns matrix;
} dense_cols;

static void transform(const dense_cols *d, const void *in, void *out,
                      int64_t count)
{
    const size_t bytes = d->walker.node.bytes;
    for (int64_t i = 0; i < d->planes.n; i++) {
        WF_MOVE(&d->mover, dense_columns, out, in, &d->matrix, (size_t)count);
        in = wf_at(in, d->planes.is, bytes);
        out = wf_to(out, d->planes.os, bytes);
    }
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    (void)scratch;
    transform((const dense_cols *)walker, at->in_re, at->out_re, count);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const dense_cols *d = what;
    transform(d, in, out, d->walker.inner.n);
}

/* WF_DENSE_SUMS columns at a time; zeros after the last. */
static weft_status make_table(const wf_binder *binder, weft_kind kind,
                              int64_t n, const wf_usage *usage, dense_cols *d)
{
    enum { MANY = WF_DENSE_SUMS, FEW = MANY / 2 };
    wf_dense_columns *m = &d->matrix;
    const size_t all = (m->out + FEW - 1) / FEW * FEW;
    wf_definition what;
    void *table = wf_node_table(&d->walker.node, all * m->in);
    if (table == NULL)
        return wf_no_memory();
    m->table = table;
    weft_status status = wf_definition_make(kind, n, usage, &what);
    if (status != WEFT_OK)
        return status;
    int64_t at = 0;
    for (size_t first = 0; first < all; first += MANY)
        for (size_t j = 0; j < m->in; j++)
            for (size_t k = first; k < first + MANY && k < all; k++) {
                double w = 0;
                if (k < m->out)
                    w = wf_definition_entry(&what, (int64_t)j, (int64_t)k);
                wf_table_set(binder->real, table, at++, w);
            }
    wf_definition_drop(&what);
    return WEFT_OK;
}

weft_status wf_bind_dense_cols(const wf_binder *binder, const wf_axis *axis,
                               wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    const wf_walk *walk = &axis->walk;
    const weft_kind kind = wf_dense_kind(binder, step);
    const int lanes = wf_walk_neighbours(walk);
    *node = NULL;
    if (lanes < 0)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "cols %d: no neighbour of unit stride",
                       axis->step->axis);
    dense_cols *d = (dense_cols *)wf_node_new(binder, sizeof *d,
                                              wf_walker_run);
    if (d == NULL)
        return wf_no_memory();
    wf_walker *walker = &d->walker;
    wf_axis_split_loops(walk, lanes, &walker->outer, &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    d->planes = wf_walker_planes(walker);
    wf_walker_cut(walker,
                  wf_walker_share(walker, wf_cpu_widths(binder->type)[0]));
    const int width = wf_dense_width(walker->inner.n, binder->type,
                                     wf_cpu_widths(binder->type));
    d->mover = wf_mover_of_isa(binder->real,
                               wf_isa_of_width(binder->real, width));
    d->matrix = (wf_dense_columns){
        .in = (size_t)wf_dense_reals(kind, step->n, WF_INPUT),
        .out = (size_t)wf_dense_reals(kind, step->n, WF_OUTPUT),
        .is = walk->in_scalars * (ptrdiff_t)walk->axis.is,
        .os = walk->out_scalars * (ptrdiff_t)walk->axis.os,
        .pairs_in = kind == WEFT_C2R,
        .pairs_out = kind == WEFT_R2C,
        .hollow = step->n % 2 == 0};
    weft_status status = make_table(binder, kind, step->n, &axis->usage, d);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_set_plain(walker, run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
