/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense_cols.c - short real transforms of neighbours, side by side, by the
 * definition: all numbers of a vector of columns are read, then each output is a
 * sum of them.  So in place is safe, and nothing moves between lanes.  Of few
 * columns (wf_dense_group) a register has several numbers of all, and a number goes to
 * the places of as many outputs.  Those that are rows on a side (wf_dense_crossed) are
 * neighbours there in a tile, to or from which they are transposed.
 */
#include "cpu/definition.h"
#include "cpu/move.h"
#include "cpu/tiled.h"
#include "plan/dense.h"

_Static_assert(WF_DENSE_GROUP == (int)WF_DENSE_REGISTERS, "the planner knows");

typedef struct dense_cols {
    wf_tiled tiled;
    wf_loop planes; /* matrices that one block goes through */
    wf_mover mover;
    wf_dense_columns matrix;
    wf_dense_few few; /* in place of it, where there are registers */
} dense_cols;

static void transform(const dense_cols *d, const void *in, void *out,
                      int64_t count)
{
    const size_t bytes = d->tiled.walker.node.bytes;
    if (d->few.registers > 0) {
        WF_MOVE(&d->mover, dense_few, out, in, &d->few, (size_t)d->planes.n);
        return;
    }
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
    transform(d, in, out, d->tiled.walker.inner.n);
}

static void columns(const wf_walker *walker, const void *in, void *out,
                    int64_t count)
{
    transform((const dense_cols *)walker, in, out, count);
}

/* wf_dense_sums columns at a time; zeros after the last. */
static weft_status make_table(const wf_binder *binder, weft_kind kind,
                              int64_t n, const wf_usage *usage, dense_cols *d)
{
    wf_dense_columns *m = &d->matrix;
    wf_definition what;
    void *table = wf_node_table(&d->tiled.walker.node,
                                (m->out + WF_DENSE_SUMS) * m->in);
    if (table == NULL)
        return wf_no_memory();
    m->table = table;
    weft_status status = wf_definition_make(kind, n, usage, &what);
    if (status != WEFT_OK)
        return status;
    int64_t at = 0;
    for (size_t first = 0, sums; first < m->out; first += sums) {
        sums = wf_dense_sums(m->out - first);
        for (size_t j = 0; j < m->in; j++)
            for (size_t k = first; k < first + sums; k++) {
                double w = 0;
                if (k < m->out)
                    w = wf_definition_entry(&what, (int64_t)j, (int64_t)k);
                wf_table_set(binder->real, table, at++, w);
            }
    }
    wf_definition_drop(&what);
    return WEFT_OK;
}

/* Which 32 bits of its row number j of each column is, in each lane of the column's. */
static void put_index(const wf_dense_group *g, const dense_cols *d, int64_t j,
                      uint32_t *index)
{
    const int words = (int)(d->tiled.walker.node.bytes / sizeof *index);
    const int in = g->in / (int)d->tiled.walker.inner.n;
    const int out = g->out / (int)d->tiled.walker.inner.n;
    for (int lane = 0; lane < g->width; lane++) {
        const bool used = lane < g->together * g->out;
        const int column = lane % g->out / out;
        const int from = used ? column * in + (int)(j % in) : 0;
        for (int w = 0; w < words; w++)
            index[lane * words + w] = (uint32_t)(from * words + w);
    }
}

/* What number j is in those of the outputs that register i has; in others nothing. */
static void put_factors(const wf_definition *what, const wf_dense_group *g,
                        const dense_cols *d, int64_t j, int i, void *factors)
{
    const int out = g->out / (int)d->tiled.walker.inner.n;
    const int64_t numbers = wf_dense_reals(what->kind, what->n, WF_OUTPUT);
    for (int lane = 0; lane < g->width; lane++) {
        const int row = lane / g->out;
        const int64_t k = (i * g->together + row) * out + lane % out;
        wf_table_set(d->tiled.walker.node.real, factors, lane,
                     row < g->together && k < numbers
                         ? wf_definition_entry(what, j, k)
                         : 0);
    }
}

static weft_status make_few(const wf_binder *binder, weft_kind kind, int64_t n,
                            const wf_usage *usage, const wf_dense_group *g,
                            dense_cols *d)
{
    const size_t vector = (size_t)g->width * binder->bytes;
    const int rows = (int)(wf_dense_reals(kind, n, WF_OUTPUT) *
                           d->tiled.walker.inner.n / g->out);
    char *table = wf_node_table(&d->tiled.walker.node,
                                (size_t)(g->legs * (1 + g->registers) *
                                         g->width));
    wf_definition what;
    if (table == NULL)
        return wf_no_memory();
    d->few = (wf_dense_few){
        .table = table,
        .legs = (size_t)g->legs,
        .group = (size_t)g->in,
        .registers = (size_t)g->registers,
        .step = (size_t)(g->together * g->out),
        .last = (size_t)((rows - (g->registers - 1) * g->together) * g->out),
        .is = d->planes.is,
        .os = d->planes.os,
        .pairs = kind == WEFT_C2R};
    weft_status status = wf_definition_make(kind, n, usage, &what);
    if (status != WEFT_OK)
        return status;
    for (int64_t leg = 0; leg < g->legs; leg++) {
        const int64_t j = d->few.pairs && leg > 0 ? leg + 1 : leg;
        put_index(g, d, j, (void *)table);
        table += vector;
        for (int i = 0; i < g->registers; i++, table += vector)
            put_factors(&what, g, d, j, i, table);
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
    const int crossed = wf_dense_crossed(kind, walk);
    const int lanes = crossed >= 0 ? crossed : wf_walk_neighbours(walk);
    *node = NULL;
    if (lanes < 0 || wf_dense_anywhere(kind, walk))
        return wf_bind_dense_lone(binder, axis, node);
    dense_cols *d = (dense_cols *)wf_node_new(binder, sizeof *d,
                                              wf_walker_run);
    if (d == NULL)
        return wf_no_memory();
    wf_walker *walker = &d->tiled.walker;
    wf_axis_split_loops(walk, lanes, &walker->outer, &walker->inner);
    walker->threads = binder->threads;
    d->planes = (wf_loop){1, 0, 0};
    const int *widths = wf_cpu_widths(binder->type);
    const wf_dense_group group = wf_dense_group_of(kind, binder->type, walk,
                                                   widths);
    const bool few = group.registers > 0;
    const size_t n = (size_t)step->n;
    if (crossed >= 0) {
        wf_tiled_bind(walk, (size_t[]){n, n}, widths[0], columns, &d->tiled);
    } else {
        walker->run_block = run_block;
        d->planes = wf_walker_planes(walker);
        wf_walker_cut(walker, few ? walker->inner.n
                                  : wf_walker_share(walker, widths[0]));
        wf_walker_set_plain(walker, run_plain);
    }
    const int width = few ? group.width
                          : wf_dense_width(walker->inner.n, binder->type,
                                           widths);
    d->mover = wf_mover_of_isa(binder->real,
                               wf_isa_of_width(binder->real, width));
    d->matrix = (wf_dense_columns){
        .in = (size_t)wf_dense_reals(kind, step->n, WF_INPUT),
        .out = (size_t)wf_dense_reals(kind, step->n, WF_OUTPUT),
        .is = wf_tiled_leg(&d->tiled, &d->tiled.in,
                           walk->in_scalars * (ptrdiff_t)walk->axis.is),
        .os = wf_tiled_leg(&d->tiled, &d->tiled.out,
                           walk->out_scalars * (ptrdiff_t)walk->axis.os),
        .pairs_in = kind == WEFT_C2R,
        .pairs_out = kind == WEFT_R2C,
        .hollow = step->n % 2 == 0};
    weft_status status =
        few ? make_few(binder, kind, step->n, &axis->usage, &group, d)
            : make_table(binder, kind, step->n, &axis->usage, d);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    *node = &walker->node;
    return WEFT_OK;
}
