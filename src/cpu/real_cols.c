/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_cols.c - short real transforms of neighbours, one in each lane, by one kernel.
 *
 * What is left of whole vectors goes through a block of its own, with zeros beside
 * it.  All rows of a vector are read before any is written.  Transforms that are rows on
 * one side are neighbours in a tile there.
 */
#include "cpu/move.h"
#include "cpu/tiled.h"

/* Rows of reals, or of half spectra with two vectors each. */
enum { MOST_ROWS = WF_LONGEST_REAL_COLUMN };

typedef struct real_cols {
    wf_tiled tiled;
    wf_loop planes; /* matrices that one block goes through */
    wf_mover mover;
    const wf_kernel *kernel;
    wf_pass_args args;
    size_t in_rows, out_rows;
    size_t in_unit, out_unit; /* reals that a number has: 1 or 2 */
} real_cols;

static void run_left(const real_cols *r, const void *in, void *out,
                     size_t count)
{
    enum { VECTOR = 8 }; /* doubles of the widest */
    double from[MOST_ROWS * VECTOR] __attribute__((aligned(64)));
    double to[MOST_ROWS * VECTOR] __attribute__((aligned(64)));
    const size_t lanes = r->kernel->lanes;
    const size_t in_row = r->in_unit * lanes, out_row = r->out_unit * lanes;
    const wf_pass_args args = {.np = 1,
                               .nq = lanes,
                               .in_leg = (ptrdiff_t)in_row,
                               .out_leg = (ptrdiff_t)out_row};
    WF_MOVE(&r->mover, rows_widen, (void *)from, in_row, in, r->args.in_leg,
            r->in_rows, r->in_unit * count);
    wf_call_pass(r->kernel, from, NULL, to, NULL, NULL, &args);
    WF_MOVE(&r->mover, rows_narrow, out, r->args.out_leg, (const void *)to,
            out_row, r->out_rows, r->out_unit * count);
}

static void transform(const real_cols *r, const void *in, void *out,
                      int64_t count)
{
    const size_t bytes = r->tiled.walker.node.bytes, lanes = r->kernel->lanes;
    const bool any = r->kernel->isa == WF_ISA_AVX512;
    const size_t left = any ? 0 : (size_t)count % lanes;
    const size_t whole = (size_t)count - left;
    const ptrdiff_t done = (ptrdiff_t)whole;
    wf_pass_args args = r->args;
    args.nq = whole;
    if (whole > 0)
        wf_call_pass(r->kernel, in, NULL, out, NULL, NULL, &args);
    if (left == 0)
        return;
    in = wf_at(in, done * (ptrdiff_t)r->in_unit, bytes);
    out = wf_to(out, done * (ptrdiff_t)r->out_unit, bytes);
    for (int64_t i = 0; i < r->planes.n; i++) {
        run_left(r, in, out, left);
        in = wf_at(in, r->planes.is, bytes);
        out = wf_to(out, r->planes.os, bytes);
    }
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    (void)scratch;
    transform((const real_cols *)walker, at->in_re, at->out_re, count);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const real_cols *r = what;
    transform(r, in, out, r->tiled.walker.inner.n);
}

static void columns(const wf_walker *walker, const void *in, void *out,
                    int64_t count)
{
    transform((const real_cols *)walker, in, out, count);
}

weft_status wf_bind_real_cols(const wf_binder *binder, const wf_axis *axis,
                              wf_node **node)
{
    const int n = (int)axis->step->child[0]->n, half = n / 2 + 1;
    const wf_walk *walk = &axis->walk;
    const int crossed = wf_walk_crossed_reals(walk);
    const int lanes = crossed >= 0 ? crossed : wf_walk_neighbours(walk);
    const int width = axis->step->child[0]->width;
    const bool back = binder->inverse;
    const wf_kernel *kernel = wf_kernel_of_width(back ? WF_KERNEL_REAL_COL_INV
                                                      : WF_KERNEL_REAL_COL_FWD,
                                                 binder->real, width, n);
    *node = NULL;
    if (kernel == NULL || (lanes < 0 && kernel->isa != WF_ISA_AVX512))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "cols %d: no neighbour of unit stride, or no kernel",
                       axis->step->axis);
    real_cols *r = (real_cols *)wf_node_new(binder, sizeof *r, wf_walker_run);
    if (r == NULL)
        return wf_no_memory();
    wf_walker *walker = &r->tiled.walker;
    wf_axis_split_loops(walk, lanes, &walker->outer, &walker->inner);
    walker->threads = binder->threads;
    const size_t numbers[2] = {(size_t)(back ? half : n),
                               (size_t)(back ? n : half)};
    r->planes = (wf_loop){1, 0, 0};
    if (crossed >= 0) {
        wf_tiled_bind(walk, numbers, width, columns, &r->tiled);
    } else {
        walker->run_block = run_block;
        r->planes = wf_walker_planes(walker);
        wf_walker_cut(walker, wf_walker_share(walker, width));
        wf_walker_set_plain(walker, run_plain);
    }
    r->mover = wf_mover_widest(binder);
    r->kernel = kernel;
    r->in_rows = numbers[0];
    r->out_rows = numbers[1];
    r->in_unit = (size_t)walk->in_scalars;
    r->out_unit = (size_t)walk->out_scalars;
    r->args = (wf_pass_args){.np = (size_t)r->planes.n,
                             .in_p = r->planes.is,
                             .out_p = r->planes.os};
    r->args.in_leg = wf_tiled_leg(&r->tiled, &r->tiled.in,
                                  walk->in_scalars * walk->axis.is);
    r->args.out_leg = wf_tiled_leg(&r->tiled, &r->tiled.out,
                                   walk->out_scalars * walk->axis.os);
    *node = &walker->node;
    return WEFT_OK;
}
