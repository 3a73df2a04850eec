/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaf.c - one kernel for the whole.
 */
#include "cpu/move.h"
#include "cpu/node.h"

typedef struct leaf {
    wf_node node;
    const wf_kernel *kernel;
    const void *table; /* of a long one, else NULL */
    double scale; /* real leaves: of all `reals` that one transform writes */
    size_t reals;
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
    enum { SOME = 16 };
    leaf plain = *l;
    plain.scale = 1;
    size_t bytes = l->node.bytes;
    for (size_t i = 0; i < count; i += SOME) {
        size_t some = count - i < SOME ? count - i : SOME;
        const void *from = wf_at(in, (ptrdiff_t)i * in_dist, bytes);
        void *to = wf_to(out, (ptrdiff_t)i * out_dist, bytes);
        wf_leaf_run_many(&plain.node, from, to, some, in_dist, out_dist);
        for (size_t k = 0; k < some; k++) {
            void *row = wf_to(to, (ptrdiff_t)k * out_dist, bytes);
            if (l->node.real == WF_F64)
                l->mover.f64->scale(row, l->scale, l->reals);
            else
                l->mover.f32->scale(row, (float)l->scale, l->reals);
        }
    }
}

void wf_leaf_run_many(const wf_node *node, const void *in, void *out,
                      size_t count, ptrdiff_t in_dist, ptrdiff_t out_dist)
{
    const leaf *l = (const leaf *)node;
    const wf_kernel *kernel = l->kernel;
    if (l->scale != 1)
        run_scaled(l, in, out, count, in_dist, out_dist);
    else
        kernel->run.leaf(in, out, count, in_dist, out_dist, l->table);
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
                            .packed = wf_leaf_is_packed(binder->real, n)};
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
    l->scale = 1;
    l->mover = wf_mover_best(binder->real);
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
    if (wf_leaf_is_pair(kernel, binder->type, step->n, &pair))
        return wf_bind_within(binder, &pair, usage, node);
    weft_status status = bind(binder, step, kernel, &l);
    *node = l == NULL ? NULL : &l->node;
    return status;
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
    if (status != WEFT_OK)
        return status;
    l->scale = usage->scale;
    l->reals = (size_t)step->n + (binder->inverse ? 0 : 2);
    *node = &l->node;
    return WEFT_OK;
}
