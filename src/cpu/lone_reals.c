/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lone_reals.c - short real transforms anywhere, one at a time by scalars: any strides,
 * one array or two, in place.  All of them are one call of a kernel.
 */
#include "cpu/walker.h"

typedef struct lone_reals {
    wf_walker walker;
    const wf_kernel *kernel;
    wf_pass_args args; /* of all */
} lone_reals;

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const lone_reals *l = (const lone_reals *)walker;
    wf_pass_args args = l->args;
    (void)scratch;
    args.nq = (size_t)count;
    wf_call_pass(l->kernel, at->in_re, at->in_im, at->out_re, at->out_im, NULL,
                 &args);
}

static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    const lone_reals *l = what;
    wf_call_pass(l->kernel, in_re, in_im, out_re, out_im, NULL, &l->args);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const lone_reals *l = what;
    const size_t bytes = l->walker.node.bytes;
    wf_call_pass(l->kernel, in, wf_at(in, 1, bytes), out, wf_to(out, 1, bytes),
                 NULL, &l->args);
}

weft_status wf_bind_lone_reals(const wf_binder *binder, const wf_axis *axis,
                               wf_node **node)
{
    const wf_walk *walk = &axis->walk;
    const int n = (int)walk->axis.n;
    const wf_kernel *kernel = wf_kernel_of_width(
        binder->inverse ? WF_KERNEL_REAL_COL_INV : WF_KERNEL_REAL_COL_FWD,
        binder->real, 1, n);
    *node = NULL;
    if (kernel == NULL)
        return wf_fail(WEFT_ERR_ARGUMENT, "rcolumn %d: no kernel of one lane",
                       n);
    lone_reals *l = (lone_reals *)wf_node_new(binder, sizeof *l,
                                              wf_walker_run);
    if (l == NULL)
        return wf_no_memory();
    wf_walker *walker = &l->walker;
    wf_axis_split_loops(walk, wf_walk_abreast(walk, 1), &walker->outer,
                        &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    const wf_loop planes = wf_walker_planes(walker);
    wf_walker_cut(walker, wf_walker_share(walker, 1));
    l->kernel = kernel;
    l->args = (wf_pass_args){.np = (size_t)planes.n,
                             .nq = (size_t)walker->inner.n,
                             .in_leg = walk->in_scalars * walk->axis.is,
                             .in_p = planes.is,
                             .in_q = walker->inner.is,
                             .out_leg = walk->out_scalars * walk->axis.os,
                             .out_p = planes.os,
                             .out_q = walker->inner.os};
    if (axis->usage.split)
        wf_walker_set_plain_split(walker, run_plain_split);
    else
        wf_walker_set_plain(walker, run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
