/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lone.c - short transforms whose numbers lie anywhere: any strides, one array or two, in
 * place.  All of them are one call of a kernel; those of two arrays and of reals are done
 * one at a time by scalars.
 */
#include "cpu/walker.h"

typedef struct lone {
    wf_walker walker;
    const wf_kernel *kernel;
    wf_pass_args args; /* of all */
    bool exchanged;    /* re and im, on both sides: the inverse */
} lone;

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const lone *l = (const lone *)walker;
    wf_pass_args args = l->args;
    (void)scratch;
    args.nq = (size_t)count;
    if (l->exchanged)
        wf_call_pass(l->kernel, at->in_im, at->in_re, at->out_im, at->out_re,
                     NULL, &args);
    else
        wf_call_pass(l->kernel, at->in_re, at->in_im, at->out_re, at->out_im,
                     NULL, &args);
}

static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    const lone *l = what;
    wf_call_pass(l->kernel, in_re, in_im, out_re, out_im, NULL, &l->args);
}

static void run_plain_exchanged(const void *what, const void *in_re,
                                const void *in_im, void *out_re, void *out_im)
{
    run_plain_split(what, in_im, in_re, out_im, out_re);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const lone *l = what;
    const size_t bytes = l->walker.node.bytes;
    wf_call_pass(l->kernel, in, wf_at(in, 1, bytes), out, wf_to(out, 1, bytes),
                 NULL, &l->args);
}

static const wf_kernel *kernel_of(const wf_binder *binder, const wf_axis *axis)
{
    const int n = (int)axis->walk.axis.n;
    if (axis->walk.real)
        return wf_kernel_of_width(binder->inverse ? WF_KERNEL_REAL_COL_INV
                                                  : WF_KERNEL_REAL_COL_FWD,
                                  binder->real, 1, n);
    return axis->usage.split
               ? wf_kernel_of_width(WF_KERNEL_COL_S, binder->real, 1, n)
               : wf_kernel_of_width(WF_KERNEL_COL_APART, binder->real,
                                    WF_INTERLEAVED_BYTES / (int)binder->bytes,
                                    n);
}

/* The sign of complex ones is in the order of legs, or of outputs, where the legs of a
 * row are read in pairs; of two arrays in which one is which. */
static void set_legs(const wf_binder *binder, const wf_walk *walk,
                     wf_pass_args *args)
{
    const ptrdiff_t n = (ptrdiff_t)walk->axis.n,
                    in = walk->in_scalars * (ptrdiff_t)walk->axis.is,
                    out = walk->out_scalars * (ptrdiff_t)walk->axis.os;
    const bool back = binder->inverse && !walk->real && walk->in_scalars == 2,
               from_rows = walk->axis.is == 1;
    args->in_leg = in;
    args->out_leg = out;
    if (back && from_rows) {
        args->out_back = n * out;
        args->out_leg = -out;
    } else if (back) {
        wf_set_legs(args, true, in, (int)n);
    }
}

weft_status wf_bind_lone(const wf_binder *binder, const wf_axis *axis,
                         wf_node **node)
{
    const wf_walk *walk = &axis->walk;
    const int crossed = wf_walk_crossed(walk);
    const wf_kernel *kernel = kernel_of(binder, axis);
    *node = NULL;
    if (kernel == NULL)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "cols %d: no neighbour of unit stride, and no kernel",
                       axis->step->axis);
    lone *l = (lone *)wf_node_new(binder, sizeof *l, wf_walker_run);
    if (l == NULL)
        return wf_no_memory();
    wf_walker *walker = &l->walker;
    wf_axis_split_loops(walk,
                        crossed >= 0 ? crossed : wf_walk_abreast(walk, 1),
                        &walker->outer, &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    const wf_loop planes = wf_walker_planes(walker);
    wf_walker_cut(walker, wf_walker_share(walker, kernel->lanes));
    l->kernel = kernel;
    l->args = (wf_pass_args){.np = (size_t)planes.n,
                             .nq = (size_t)walker->inner.n,
                             .in_p = planes.is,
                             .in_q = walker->inner.is,
                             .out_p = planes.os,
                             .out_q = walker->inner.os};
    l->exchanged = axis->usage.split && binder->inverse && !walk->real;
    set_legs(binder, walk, &l->args);
    if (axis->usage.split)
        wf_walker_set_plain_split(walker, l->exchanged ? run_plain_exchanged
                                                       : run_plain_split);
    else
        wf_walker_set_plain(walker, run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
