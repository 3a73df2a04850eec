/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimated.c - rows of every n1-th sample, then columns.
 *
 * The input is an n2 x n1 matrix.  Its columns, transposed, are the rows of an
 * n1 x n2 matrix in scratch; these are transformed (length n2) and multiplied
 * by the twiddles.  The columns of that matrix, transformed (length n1), are
 * the columns of the output, which is in natural order.
 */
#include "cpu/move.h"
#include "cpu/nest.h"
#include "cpu/two_factors.h"

typedef struct decimated {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2, group;
    int64_t ld; /* of the matrix, whose rows begin cache lines */
    int threads;
    size_t matrix, slice; /* bytes */
    wf_row_twiddles twiddles;
} decimated;

/* Rows first .. last - 1 of the matrix. */
static void transform_rows(const decimated *d, void *matrix, char *scratch,
                           int64_t first, int64_t last)
{
    const wf_node *child = d->node.child[1];
    const size_t bytes = d->node.bytes;
    void *rows = wf_to(matrix, 2 * first * d->ld, bytes);
    const bool leaves = wf_node_is_leaf(child);
    if (leaves)
        wf_leaf_run_many(child, rows, rows, (size_t)(last - first), 2 * d->ld,
                         2 * d->ld);
    if (leaves && d->ld == d->n2) {
        wf_twiddle_rows(&d->twiddles, &d->mover, first, last - first, d->n2,
                        rows);
        return;
    }
    for (int64_t i = first; i < last; i++) {
        void *row = wf_to(matrix, 2 * i * d->ld, bytes);
        const wf_samples one = {row, row, row, row};
        if (!leaves)
            child->run(child, &one, scratch);
        wf_twiddle_row(&d->twiddles, &d->mover, i, d->n2, row, row);
    }
}

static void make_rows(const wf_node *node, const wf_samples *at, char *scratch,
                      int64_t begin, int64_t end)
{
    const decimated *d = (const decimated *)node;
    const size_t bytes = node->bytes;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t first = unit * d->group;
        int64_t last = first + d->group < d->n1 ? first + d->group : d->n1;
        WF_MOVE(&d->mover, transpose, wf_at(at->in_re, 2 * first, bytes),
                d->n1, wf_to(at->out_re, 2 * first * d->ld, bytes), d->ld,
                (size_t)d->n2, (size_t)(last - first));
        transform_rows(d, at->out_re, scratch, first, last);
    }
}

static void make_columns(const wf_node *node, const wf_samples *at,
                         char *scratch, int64_t begin, int64_t end)
{
    const decimated *d = (const decimated *)node;
    wf_column_run_apart(node->child[0], at, scratch, d->n2, begin, end);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const decimated *d = (const decimated *)node;
    void *matrix = scratch;
    const wf_samples rows = {at->in_re, at->in_re, matrix, matrix};
    const wf_samples columns = {matrix, matrix, at->out_re, at->out_re};
    wf_run_units(node, &rows, scratch + d->matrix, d->threads,
                 (d->n1 + d->group - 1) / d->group, d->slice, make_rows);
    wf_run_units(node, &columns, scratch + d->matrix, d->threads,
                 wf_column_units_apart(node->child[0], d->n2), d->slice,
                 make_columns);
}

weft_status wf_bind_decimated(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "decimated on split data");
    decimated *d = (decimated *)wf_node_new(binder, sizeof *d, run);
    if (d == NULL)
        return wf_no_memory();
    d->mover = wf_mover_best(binder->real);
    d->n1 = step->split[0];
    d->n2 = step->split[1];
    d->ld = wf_whole_lines(d->n2, binder->bytes);
    d->threads = binder->threads;
    weft_status status = wf_bind_columns_and_rows(binder, step, d->ld, d->n2,
                                                  &d->node);
    if (status == WEFT_OK)
        status = wf_bind_row_twiddles(&d->node, binder, step->n, d->n1, d->n2,
                                      usage->scale, &d->twiddles);
    if (status != WEFT_OK) {
        wf_node_free(&d->node);
        return status;
    }
    d->group = wf_rows_together(d->node.child[1], d->n1, d->threads);
    const size_t a = d->node.child[0]->scratch, b = d->node.child[1]->scratch;
    d->matrix = 2 * (size_t)(d->n1 * d->ld) * binder->bytes;
    d->slice = a > b ? a : b;
    d->node.scratch = d->matrix + d->slice * (size_t)d->threads;
    *node = &d->node;
    return WEFT_OK;
}
