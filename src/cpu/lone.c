/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lone.c - short transforms whose numbers lie anywhere: any strides, one array or two, in
 * place.  All of them are one call of a kernel; those of two arrays and of reals are done
 * one at a time by scalars, rows of two arrays within registers.  The halfcomplex kinds
 * are r2c and c2r whose im lie from the end of the vector.
 */
#include "cpu/walker.h"

typedef struct lone {
    wf_walker walker;
    const wf_kernel *kernel;
    wf_pass_args args; /* of all */
    bool split;        /* re and im in two arrays */
    bool exchanged; /* re and im, on both sides: the inverse of split ones */
    ptrdiff_t im;   /* from re to im, in scalars, of one array */
} lone;

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const lone *l = (const lone *)walker;
    const size_t bytes = walker->node.bytes;
    wf_pass_args args = l->args;
    (void)scratch;
    args.nq = (size_t)count;
    if (!l->split)
        wf_call_pass(l->kernel, at->in_re, wf_at(at->in_re, l->im, bytes),
                     at->out_re, wf_to(at->out_re, l->im, bytes), NULL, &args);
    else if (l->exchanged)
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
    wf_call_pass(l->kernel, in, wf_at(in, l->im, bytes), out,
                 wf_to(out, l->im, bytes), NULL, &l->args);
}

/* R2C and C2R, also of the halfcomplex kinds; else C2C. */
static weft_kind kind_of(const wf_binder *binder, const wf_axis *axis)
{
    const wf_step *child = axis->step->child[0];
    if (wf_step_is_lone(child))
        return child->real == WEFT_HC2R ? WEFT_C2R : WEFT_R2C;
    if (axis->walk.real)
        return binder->inverse ? WEFT_C2R : WEFT_R2C;
    return WEFT_C2C;
}

static bool is_rows(const wf_axis *axis)
{
    return axis->step->kind == WF_STEP_ROWS;
}

static const wf_kernel *kernel_of(const wf_binder *binder, const wf_axis *axis)
{
    const int n = (int)axis->walk.axis.n;
    const weft_kind kind = kind_of(binder, axis);
    if (is_rows(axis))
        return wf_kernel_of_leaf(WF_KERNEL_LEAF_SPLIT_SCALED, binder->type, n,
                                 false);
    if (kind != WEFT_C2C)
        return wf_kernel_of_width(kind == WEFT_C2R ? WF_KERNEL_REAL_COL_INV
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
static void set_legs(const wf_binder *binder, const wf_axis *axis, lone *l)
{
    const wf_walk *walk = &axis->walk;
    wf_pass_args *args = &l->args;
    const ptrdiff_t n = (ptrdiff_t)walk->axis.n,
                    in = walk->in_scalars * (ptrdiff_t)walk->axis.is,
                    out = walk->out_scalars * (ptrdiff_t)walk->axis.os;
    const bool back = binder->inverse && !walk->real && walk->in_scalars == 2,
               from_rows = walk->axis.is == 1;
    args->in_leg = in;
    args->out_leg = out;
    args->im_leg = kind_of(binder, axis) == WEFT_C2R ? in : out;
    l->im = 1;
    if (wf_step_is_lone(axis->step->child[0])) { /* from the end */
        l->im = n * args->im_leg;
        args->im_leg = -args->im_leg;
    } else if (back && from_rows) {
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
                       "%s %d: no kernel, and no neighbour of unit stride",
                       wf_step_name(axis->step->kind), axis->step->axis);
    lone *l = (lone *)wf_node_new(binder, sizeof *l, wf_walker_run);
    if (l == NULL)
        return wf_no_memory();
    wf_walker *walker = &l->walker;
    wf_axis_split_loops(walk,
                        is_rows(axis)  ? wf_axis_longest_loop(walk)
                        : crossed >= 0 ? crossed
                                       : wf_walk_abreast(walk, 1),
                        &walker->outer, &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    const wf_loop planes = is_rows(axis) ? (wf_loop){1, 0, 0}
                                         : wf_walker_planes(walker);
    wf_walker_cut(walker, wf_walker_share(walker, kernel->lanes));
    l->kernel = kernel;
    l->args = (wf_pass_args){.np = (size_t)planes.n,
                             .nq = (size_t)walker->inner.n,
                             .in_p = planes.is,
                             .in_q = walker->inner.is,
                             .out_p = planes.os,
                             .out_q = walker->inner.os,
                             .scale = axis->usage.scale};
    l->split = axis->usage.split;
    l->exchanged = axis->usage.split && binder->inverse && !walk->real;
    set_legs(binder, axis, l);
    if (axis->usage.split)
        wf_walker_set_plain_split(walker, l->exchanged ? run_plain_exchanged
                                                       : run_plain_split);
    else
        wf_walker_set_plain(walker, run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
