/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaf.c - one straight-line kernel.
 */
#include "cpu/node.h"

typedef struct leaf {
    wf_node node;
    const wf_kernel *kernel;
} leaf;

const wf_kernel *wf_leaf_kernel(const wf_node *node)
{
    return ((const leaf *)node)->kernel;
}

void wf_leaf_run_many(const wf_node *node, const void *in, void *out,
                      size_t count, ptrdiff_t in_dist, ptrdiff_t out_dist)
{
    const wf_kernel *kernel = wf_leaf_kernel(node);
    if (kernel->real == WF_F64)
        kernel->run.leaf_f64(in, out, count, in_dist, out_dist);
    else
        kernel->run.leaf_f32(in, out, count, in_dist, out_dist);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    (void)scratch;
    wf_leaf_run_many(node, at->in_re, at->out_re, 1, 0, 0);
}

bool wf_node_is_leaf(const wf_node *node)
{
    return node->run == run;
}

weft_status wf_bind_leaf(const wf_binder *binder, const wf_step *step,
                         const wf_usage *usage, wf_node **node)
{
    (void)usage;
    *node = NULL;
    wf_kernel_kind kind = binder->inverse ? WF_KERNEL_LEAF_INV
                                          : WF_KERNEL_LEAF_FWD;
    /* The widest level that has it: leaves choose their own vectors. */
    const wf_kernel *kernel = NULL;
    const int *width = wf_cpu_widths(binder->type);
    for (; kernel == NULL && *width != 0 && step->n <= 1024; width++)
        kernel = wf_kernel_of_width(kind, binder->real, *width, (int)step->n);
    if (kernel == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED, "no leaf kernel for %lld",
                       (long long)step->n);
    leaf *l = (leaf *)wf_node_new(binder, sizeof *l, run);
    if (l == NULL)
        return wf_no_memory();
    l->kernel = kernel;
    *node = &l->node;
    return WEFT_OK;
}
