/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense_lone.c - the shortest real transforms whose numbers lie anywhere, by the
 * definition: each by scalars, all of a loop by one call.
 */
#include "cpu/definition.h"
#include "cpu/move.h"
#include "cpu/walker.h"
#include "plan/dense.h"

_Static_assert(WF_DENSE_ANYWHERE == (int)WF_DENSE_LONE, "the planner knows");

typedef struct dense_lone {
    wf_walker walker;
    wf_loop planes; /* loops that one block goes through */
    wf_mover mover;
    wf_dense_lone matrix;
} dense_lone;

static void transform(const dense_lone *d, const void *in, void *out,
                      int64_t count)
{
    const size_t bytes = d->walker.node.bytes;
    for (int64_t i = 0; i < d->planes.n; i++) {
        WF_MOVE(&d->mover, dense_lone, out, in, &d->matrix, (size_t)count);
        in = wf_at(in, d->planes.is, bytes);
        out = wf_to(out, d->planes.os, bytes);
    }
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    (void)scratch;
    transform((const dense_lone *)walker, at->in_re, at->out_re, count);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const dense_lone *d = what;
    transform(d, in, out, d->walker.inner.n);
}

/* Of a half spectrum of 2 only re is anything; its im are zeros. */
static weft_status make_matrix(const wf_binder *binder, const wf_axis *axis,
                               weft_kind kind, dense_lone *d)
{
    const wf_walk *walk = &axis->walk;
    const int64_t n = walk->axis.n;
    const int64_t in = walk->in_scalars * walk->axis.is,
                  out = walk->out_scalars * walk->axis.os,
                  reals_in = kind == WEFT_C2R ? 2 : 1,
                  reals_out = kind == WEFT_R2C ? 2 : 1;
    wf_dense_lone *m = &d->matrix;
    void *table = wf_node_table(&d->walker.node, (size_t)(n * n));
    wf_definition what;
    if (table == NULL)
        return wf_no_memory();
    weft_status status = wf_definition_make(kind, n, &axis->usage, &what);
    if (status != WEFT_OK)
        return status;
    *m = (wf_dense_lone){.table = table,
                         .n = (size_t)n,
                         .is = d->walker.inner.is,
                         .os = d->walker.inner.os};
    m->sums = n == 2;
    for (int64_t k = 0; k < n; k++) {
        m->in_at[k] = (ptrdiff_t)(k * in);
        m->out_at[k] = (ptrdiff_t)(k * out);
        if (kind == WEFT_R2C)
            m->zero_at[m->zeros++] = m->out_at[k] + 1;
        for (int64_t j = 0; j < n; j++) {
            const double w = wf_definition_entry(&what, reals_in * j,
                                                 reals_out * k);
            m->sums = m->sums && w == (j * k == 0 ? 1 : -1);
            wf_table_set(binder->real, table, k * n + j, w);
        }
    }
    wf_definition_drop(&what);
    return WEFT_OK;
}

weft_status wf_bind_dense_lone(const wf_binder *binder, const wf_axis *axis,
                               wf_node **node)
{
    const wf_walk *walk = &axis->walk;
    const weft_kind kind = wf_dense_kind(binder, axis->step->child[0]);
    *node = NULL;
    if (!wf_dense_anywhere(kind, walk))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "cols %d: no neighbour of unit stride, and no kernel",
                       axis->step->axis);
    dense_lone *d = (dense_lone *)wf_node_new(binder, sizeof *d,
                                              wf_walker_run);
    if (d == NULL)
        return wf_no_memory();
    wf_walker *walker = &d->walker;
    wf_axis_split_loops(walk, wf_axis_longest_loop(walk), &walker->outer,
                        &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    d->planes = wf_walker_planes(walker);
    wf_walker_cut(walker, wf_walker_share(walker, 1));
    d->mover = wf_mover_of_isa(binder->real, WF_ISA_SCALAR);
    weft_status status = make_matrix(binder, axis, kind, d);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_set_plain(walker, run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
