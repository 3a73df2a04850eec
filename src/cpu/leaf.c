/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaf.c - one kernel for the whole.
 */
#include "cpu/move.h"
#include "cpu/node.h"

typedef struct leaf {
    wf_node node;
    const wf_kernel *kernel;
    const void *table;  /* of a long one, a scaled one's (pass.h), or NULL */
    double scale;       /* by a second pass, of all `reals` that one writes, */
    size_t reals, some; /* of so many transforms at a time */
    wf_mover mover;
} leaf;

wf_leaf_call wf_leaf_of(const wf_node *node)
{
    const leaf *l = (const leaf *)node;
    if (!wf_node_is_leaf(node) || l->scale != 1)
        return (wf_leaf_call){NULL, NULL, 0, 0, 0};
    return (wf_leaf_call){l->kernel->run.leaf, l->table, 1, 0, 0};
}

/* Some at a time, so that the second pass is over near memory. */
static void run_scaled(const leaf *l, const void *in, void *out, size_t count,
                       ptrdiff_t in_dist, ptrdiff_t out_dist)
{
    const size_t bytes = l->node.bytes;
    const bool packed = out_dist == (ptrdiff_t)l->reals;
    for (size_t some; count > 0; count -= some) {
        some = count < l->some ? count : l->some;
        l->kernel->run.leaf(in, out, some, in_dist, out_dist, l->table);
        if (packed)
            WF_MOVE(&l->mover, scale, out, l->scale, some * l->reals);
        for (size_t k = 0; k < some && !packed; k++)
            WF_MOVE(&l->mover, scale,
                    wf_to(out, (ptrdiff_t)k * out_dist, bytes), l->scale,
                    l->reals);
        in = wf_at(in, (ptrdiff_t)some * in_dist, bytes);
        out = wf_to(out, (ptrdiff_t)some * out_dist, bytes);
    }
}

void wf_leaf_run_many(const wf_node *node, const void *in, void *out,
                      size_t count, ptrdiff_t in_dist, ptrdiff_t out_dist)
{
    const leaf *l = (const leaf *)node;
    if (l->scale != 1)
        run_scaled(l, in, out, count, in_dist, out_dist);
    else
        l->kernel->run.leaf(in, out, count, in_dist, out_dist, l->table);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    (void)scratch;
    wf_leaf_run_many(node, at->in_re, at->out_re, 1, 0, 0);
}

static void run_plain(const void *what, const void *in, void *out)
{
    wf_leaf_run_many(what, in, out, 1, 0, 0);
}

static weft_status set_scale(double scale, int64_t reals, leaf *l)
{
    enum { NEAR = 8 << 10 };
    l->scale = l->kernel->scaled ? 1 : scale;
    l->reals = (size_t)reals;
    l->some = (size_t)wf_leaf_group(NEAR, l->reals * l->node.bytes);
    if (l->scale == scale)
        return WEFT_OK;
    void *table = wf_node_table(&l->node, 2);
    if (table == NULL)
        return wf_no_memory();
    wf_table_set(l->node.real, table, 0, scale);
    wf_table_set(l->node.real, table, 1,
                 l->kernel->kind == WF_KERNEL_LEAF_INV);
    l->table = table;
    return WEFT_OK;
}

/* Gives it the scale and to its owner, or drops it. */
static weft_status hand_over(double scale, int64_t reals, leaf *l,
                             wf_node **node)
{
    weft_status status = set_scale(scale, reals, l);
    if (status == WEFT_OK)
        *node = &l->node;
    else
        wf_node_free(&l->node);
    return status;
}

bool wf_node_is_leaf(const wf_node *node)
{
    return node->run == run;
}

/* Long leaves are complex. */
static weft_status bind_table(const wf_binder *binder, leaf *l)
{
    const int n = l->kernel->radix;
    const wf_turns turns = {.real = binder->real,
                            .lanes = l->kernel->lanes,
                            .r1 = l->kernel->rows,
                            .r2 = n / l->kernel->rows,
                            .form = wf_turns_of_leaf((wf_isa)l->kernel->isa,
                                                     binder->real, n)};
    return wf_bind_turns(&l->node, &turns, binder->inverse, &l->table);
}

/* NULL: there is none. */
static const wf_kernel *find(const wf_binder *binder, const wf_step *step,
                             wf_kernel_kind kind, bool far)
{
    return step->n > WF_LONGEST_LEAF
               ? NULL
               : wf_kernel_of_leaf(kind, binder->type, (int)step->n, far);
}

static weft_status bind(const wf_binder *binder, const wf_step *step,
                        const wf_kernel *kernel, leaf **bound)
{
    if (kernel == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED, "no leaf kernel for %lld",
                       (long long)step->n);
    leaf *l = (leaf *)wf_node_new(binder, sizeof *l, run);
    if (l == NULL)
        return wf_no_memory();
    l->node.plain = (wf_plain){run_plain, l};
    l->kernel = kernel;
    l->mover = wf_mover_of_isa(binder->real, kernel->isa);
    weft_status status = kernel->rows ? bind_table(binder, l) : WEFT_OK;
    if (status == WEFT_OK)
        *bound = l;
    else
        wf_node_free(&l->node);
    return status;
}

weft_status wf_bind_leaf(const wf_binder *binder, const wf_step *step,
                         const wf_usage *usage, wf_node **node)
{
    leaf *l = NULL;
    wf_pair pair;
    wf_kernel_kind kind = binder->inverse ? WF_KERNEL_LEAF_INV
                                          : WF_KERNEL_LEAF_FWD;
    const wf_kernel *kernel = find(binder, step, kind, usage->far);
    *node = NULL;
    if (wf_leaf_is_pair(kernel, binder->type, step->n, &pair)) {
        weft_status made = wf_bind_within(binder, &pair, usage, node);
        return made != WEFT_OK || usage->scale == 1
                   ? made
                   : wf_bind_scaled(binder, step->n, usage->scale, *node,
                                    node);
    }
    weft_status status = bind(binder, step, kernel, &l);
    return status == WEFT_OK ? hand_over(usage->scale, 2 * step->n, l, node)
                             : status;
}

weft_status wf_bind_real_leaf(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "rleaf on split data");
    if (step->n <= 2)
        return wf_bind_real_tiny(binder, step, usage, node);
    leaf *l = NULL;
    wf_kernel_kind kind = binder->inverse ? WF_KERNEL_REAL_INV
                                          : WF_KERNEL_REAL_FWD;
    weft_status status = bind(binder, step,
                              find(binder, step, kind, usage->far), &l);
    return status == WEFT_OK
               ? hand_over(usage->scale, step->n + (binder->inverse ? 0 : 2),
                           l, node)
               : status;
}
