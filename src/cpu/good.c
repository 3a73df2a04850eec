/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * good.c - coprime factors: two index maps around an n1 x n2 transform.
 *
 * Input element (j1, j2) is j = n2 j1 + n1 j2 mod n; output k is element
 * (k mod n1, k mod n2); then jk/n = j1 k/n1 + j2 k/n2 up to whole turns, and
 * no twiddles remain.
 */
#include "cpu/move.h"
#include "cpu/two_factors.h"

typedef struct good {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2;
    const uint32_t *in_index, *out_index;
    size_t matrix, column; /* bytes */
} good;

static void run_column(const good *g, char *scratch, int64_t c)
{
    size_t bytes = g->node.bytes;
    const wf_node *child = g->node.child[0];
    void *column = scratch + g->matrix;
    void *top = wf_to(scratch, 2 * c, bytes);
    wf_samples one = {column, column, column, column};
    WF_MOVE(&g->mover, gather, column, top, wf_at(top, 1, bytes), 2 * g->n2,
            (size_t)g->n1);
    child->run(child, &one, scratch + g->matrix + g->column);
    WF_MOVE(&g->mover, scatter, column, top, wf_to(top, 1, bytes), 2 * g->n2,
            (size_t)g->n1);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const good *g = (const good *)node;
    size_t n = (size_t)(g->n1 * g->n2);
    WF_MOVE(&g->mover, gather_index, (void *)scratch, at->in_re, g->in_index,
            n);
    for (int64_t r = 0; r < g->n1; r++) {
        void *row = wf_to(scratch, 2 * r * g->n2, node->bytes);
        wf_samples one = {row, row, row, row};
        node->child[1]->run(node->child[1], &one,
                            scratch + g->matrix + g->column);
    }
    for (int64_t c = 0; c < g->n2; c++)
        run_column(g, scratch, c);
    WF_MOVE(&g->mover, gather_index, at->out_re, (const void *)scratch,
            g->out_index, n);
}

static weft_status bind_indexes(good *g)
{
    int64_t n = g->n1 * g->n2;
    uint32_t *in = wf_node_index_table(&g->node, n);
    uint32_t *out = wf_node_index_table(&g->node, n);
    if (in == NULL || out == NULL)
        return wf_no_memory();
    for (int64_t a = 0; a < g->n1; a++)
        for (int64_t b = 0; b < g->n2; b++)
            in[a * g->n2 + b] = (uint32_t)((g->n2 * a + g->n1 * b) % n);
    for (int64_t k = 0; k < n; k++)
        out[k] = (uint32_t)(k % g->n1 * g->n2 + k % g->n2);
    g->in_index = in;
    g->out_index = out;
    return WEFT_OK;
}

weft_status wf_bind_good(const wf_binder *binder, const wf_step *step,
                         const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n > INT32_MAX)
        return wf_fail(WEFT_ERR_ARGUMENT, "good %lld: not for this data",
                       (long long)step->n);
    good *g = (good *)wf_node_new(binder, sizeof *g, run);
    if (g == NULL)
        return wf_no_memory();
    g->mover = wf_mover_best(binder->real);
    g->n1 = step->split[0];
    g->n2 = step->split[1];
    weft_status status = wf_bind_two_children(binder, step, &g->node);
    if (status == WEFT_OK)
        status = bind_indexes(g);
    if (status != WEFT_OK) {
        wf_node_free(&g->node);
        return status;
    }
    size_t element = 2 * binder->bytes;
    size_t a = g->node.child[0]->scratch, b = g->node.child[1]->scratch;
    g->matrix = wf_round64((size_t)step->n * element);
    g->column = wf_round64((size_t)g->n1 * element);
    g->node.scratch = g->matrix + g->column + (a > b ? a : b);
    *node = &g->node;
    return WEFT_OK;
}
