/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossed.c - vectors of unit stride on one side that lie side by side on the other:
 * columns between the rows of that side and a tile in the first cache, which squares in
 * registers transpose to or from this one.  Not in place.
 */
#include "cpu/move.h"
#include "cpu/walker.h"

enum { TILE = 8 << 10 };

typedef struct crossed {
    wf_walker walker; /* a block is the columns of a tile */
    wf_mover mover;
    bool to_columns; /* or from them */
    size_t n;
    ptrdiff_t row;       /* complex numbers from one row of the tile, and */
    ptrdiff_t vector;    /* from one vector, to the next */
    size_t tile;         /* its bytes */
    wf_column_call call; /* of a whole tile, where that is one */
} crossed;

static void run_columns(const crossed *c, const void *in, void *out,
                        int64_t count, char *scratch)
{
    const wf_node *child = c->walker.node.child[0];
    const wf_samples at = {in, in, out, out};
    if (c->call.kernel != NULL && count == c->row)
        wf_call_pass(c->call.kernel, in, NULL, out, NULL, c->call.tw,
                     &c->call.args);
    else if (wf_column_is_single(child))
        wf_column_run_single(child, &at, count, 1, 0, 0);
    else
        wf_column_run_units(child, &at, scratch, count, 0,
                            wf_column_units(child, count));
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const crossed *c = (const crossed *)walker;
    char *tile = scratch, *rest = scratch + c->tile;
    if (c->to_columns) {
        WF_MOVE(&c->mover, transpose, at->in_re, c->vector, (void *)tile,
                c->row, (size_t)count, c->n);
        run_columns(c, tile, at->out_re, count, rest);
    } else {
        run_columns(c, at->in_re, tile, count, rest);
        WF_MOVE(&c->mover, transpose, (const void *)tile, c->row, at->out_re,
                c->vector, c->n, (size_t)count);
    }
}

static void run_plain(const void *what, const void *in, void *out)
{
    const wf_walker *walker = what;
    _Alignas(64) char tile[TILE];
    const wf_samples at = {in, in, out, out};
    run_block(walker, &at, tile, walker->inner.n);
}

/* Whole vectors of columns, as many as fit. */
static int64_t columns_of_tile(const wf_step *column, size_t bytes)
{
    const int64_t fit = TILE / (2 * (int64_t)bytes * column->n);
    return fit < column->width ? column->width : fit - fit % column->width;
}

weft_status wf_bind_crossed(const wf_binder *binder, const wf_axis *axis,
                            wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    const wf_walk *walk = &axis->walk;
    *node = NULL;
    crossed *c = (crossed *)wf_node_new(binder, sizeof *c, wf_walker_run);
    if (c == NULL)
        return wf_no_memory();
    wf_walker *walker = &c->walker;
    wf_axis_split_loops(walk, wf_walk_crossed(walk), &walker->outer,
                        &walker->inner);
    c->to_columns = walk->axis.os != 1;
    walker->run_block = run_block;
    walker->threads = binder->threads;
    wf_walker_cut(walker, columns_of_tile(step, binder->bytes));
    c->mover = wf_mover_best(binder->real);
    c->n = (size_t)walk->axis.n;
    c->row = walker->block < walker->inner.n ? walker->block : walker->inner.n;
    c->vector = (c->to_columns ? walker->inner.is : walker->inner.os) / 2;
    c->tile = wf_round64(2 * c->n * (size_t)c->row * binder->bytes);
    wf_node *child;
    weft_status status = wf_bind_column(binder, step, WF_END_INTERLEAVED,
                                        c->to_columns ? c->row : walk->axis.is,
                                        WF_END_INTERLEAVED,
                                        c->to_columns ? walk->axis.os : c->row,
                                        axis->usage.scale, &child);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_finish(walker, child, c->tile + child->scratch);
    if (wf_column_is_single(child))
        c->call = wf_column_as_call(child, c->row, 1, 0, 0, false);
    if (c->tile <= TILE && child->scratch == 0)
        wf_walker_set_plain(walker, run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
