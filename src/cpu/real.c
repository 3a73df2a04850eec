/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real.c - one real vector of unit stride: R2C, and C2R in inverse binders.
 *
 * half works in the output: forward the child transforms the reals where the
 * half spectrum will be and a pass unpacks it there; inverse a pass packs the
 * spectrum into the place of the reals, where the child transforms it.  So
 * neither needs scratch, and an input elsewhere is only read.
 */
#include "cpu/move.h"
#include "num/num.h"

typedef struct half {
    wf_node node;
    wf_mover mover;
    size_t m;
    double half, scale;
    const void *factors; /* m/2 complex */
} half;

static void run_unpack(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const half *h = (const half *)node;
    node->child[0]->run(node->child[0], at, scratch);
    if (node->real == WF_F64)
        h->mover.f64->real_unpack(at->out_re, at->out_re, h->factors, h->half,
                                  h->scale, h->m);
    else
        h->mover.f32->real_unpack(at->out_re, at->out_re, h->factors,
                                  (float)h->half, (float)h->scale, h->m);
}

static void run_pack(const wf_node *node, const wf_samples *at, char *scratch)
{
    const half *h = (const half *)node;
    wf_samples there = {at->out_re, at->out_re, at->out_re, at->out_re};
    if (node->real == WF_F64)
        h->mover.f64->real_pack(at->out_re, at->in_re, h->factors, h->half,
                                h->scale, h->m);
    else
        h->mover.f32->real_pack(at->out_re, at->in_re, h->factors,
                                (float)h->half, (float)h->scale, h->m);
    node->child[0]->run(node->child[0], &there, scratch);
}

/* -i w^k half forward, i w^-k half inverse, w = exp(-2 pi i / n). */
static weft_status make_factors(const wf_binder *binder, half *h)
{
    size_t count = h->m / 2;
    void *table = wf_node_table(&h->node, 2 * count);
    double *roots = wf_alloc(2 * (count + 1) * sizeof *roots);
    weft_status status = WEFT_OK;
    if (table == NULL || roots == NULL)
        status = wf_no_memory();
    else
        wf_roots(2 * (uint64_t)h->m, 1, 1, count, roots);
    for (size_t k = 0; status == WEFT_OK && k < count; k++) {
        double re = -h->half * roots[2 * k + 1], im = h->half * roots[2 * k];
        wf_table_set(binder->real, table, (int64_t)(2 * k), re);
        wf_table_set(binder->real, table, (int64_t)(2 * k + 1),
                     binder->inverse ? im : -im);
    }
    wf_free(roots);
    h->factors = table;
    return status;
}

weft_status wf_bind_half(const wf_binder *binder, const wf_step *step,
                         const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n < 4)
        return wf_fail(WEFT_ERR_ARGUMENT, "half %lld: not for these data",
                       (long long)step->n);
    half *h = (half *)wf_node_new(binder, sizeof *h,
                                  binder->inverse ? run_pack : run_unpack);
    if (h == NULL)
        return wf_no_memory();
    h->mover = wf_mover_best(binder->real);
    h->m = (size_t)step->n / 2;
    h->scale = usage->scale;
    h->half = binder->inverse ? usage->scale : usage->scale / 2;
    wf_usage below = {.in_place = usage->in_place || binder->inverse,
                      .scale = 1};
    wf_node *child;
    weft_status status = wf_bind_transform(binder, step->child[0], &below,
                                           &child);
    if (status == WEFT_OK) {
        wf_node_adopt(&h->node, child);
        h->node.scratch = child->scratch;
        status = make_factors(binder, h);
    }
    if (status != WEFT_OK) {
        wf_node_free(&h->node);
        return status;
    }
    *node = &h->node;
    return WEFT_OK;
}

/* ---- full ---------------------------------------------------------------- */

typedef struct full {
    wf_node node;
    wf_mover mover;
    size_t n, buffer; /* buffer: bytes of n complex numbers */
    double scale;
} full;

static void run_widen(const wf_node *node, const wf_samples *at, char *scratch)
{
    const full *w = (const full *)node;
    wf_samples there = {scratch, scratch, scratch, scratch};
    WF_MOVE(&w->mover, real_widen, (void *)scratch, at->in_re, w->n);
    node->child[0]->run(node->child[0], &there, scratch + w->buffer);
    if (node->real == WF_F64)
        w->mover.f64->real_halve(at->out_re, (void *)scratch, w->scale, w->n);
    else
        w->mover.f32->real_halve(at->out_re, (void *)scratch, (float)w->scale,
                                 w->n);
}

static void run_narrow(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const full *w = (const full *)node;
    wf_samples there = {scratch, scratch, scratch, scratch};
    WF_MOVE(&w->mover, real_mirror, (void *)scratch, at->in_re, w->n);
    node->child[0]->run(node->child[0], &there, scratch + w->buffer);
    if (node->real == WF_F64)
        w->mover.f64->real_narrow(at->out_re, (void *)scratch, w->scale, w->n);
    else
        w->mover.f32->real_narrow(at->out_re, (void *)scratch, (float)w->scale,
                                  w->n);
}

weft_status wf_bind_full(const wf_binder *binder, const wf_step *step,
                         const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "full on split data");
    full *w = (full *)wf_node_new(binder, sizeof *w,
                                  binder->inverse ? run_narrow : run_widen);
    if (w == NULL)
        return wf_no_memory();
    w->mover = wf_mover_best(binder->real);
    w->n = (size_t)step->n;
    w->scale = usage->scale;
    w->buffer = wf_round64(2 * w->n * binder->bytes);
    wf_usage below = {.in_place = true, .scale = 1};
    wf_node *child;
    weft_status status = wf_bind_transform(binder, step->child[0], &below,
                                           &child);
    if (status != WEFT_OK) {
        wf_node_free(&w->node);
        return status;
    }
    wf_node_adopt(&w->node, child);
    w->node.scratch = w->buffer + child->scratch;
    *node = &w->node;
    return WEFT_OK;
}

/* ---- n = 1 and 2 --------------------------------------------------------- */

typedef struct tiny {
    wf_node node;
    wf_mover mover;
    double scale;
    size_t n;
} tiny;

static void run_tiny(const wf_node *node, const wf_samples *at, char *scratch)
{
    const tiny *l = (const tiny *)node;
    (void)scratch;
    if (node->real == WF_F64)
        l->mover.f64->real_tiny(at->out_re, at->in_re, l->scale, l->n);
    else
        l->mover.f32->real_tiny(at->out_re, at->in_re, (float)l->scale, l->n);
}

static void run_tiny_back(const wf_node *node, const wf_samples *at,
                          char *scratch)
{
    const tiny *l = (const tiny *)node;
    (void)scratch;
    if (node->real == WF_F64)
        l->mover.f64->real_tiny_back(at->out_re, at->in_re, l->scale, l->n);
    else
        l->mover.f32->real_tiny_back(at->out_re, at->in_re, (float)l->scale,
                                     l->n);
}

weft_status wf_bind_real_tiny(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    tiny *l = (tiny *)wf_node_new(binder, sizeof *l,
                                  binder->inverse ? run_tiny_back : run_tiny);
    if (l == NULL)
        return wf_no_memory();
    l->mover = wf_mover_best(binder->real);
    l->scale = usage->scale;
    l->n = (size_t)step->n;
    *node = &l->node;
    return WEFT_OK;
}
