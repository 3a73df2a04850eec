/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scrambled.c - column trip and row trip, nothing sorted.
 *
 * Forward: blocks of columns (length n1) from the input to the same place of
 * the output, then each row k1 times w^(k1 j2) and transformed (length n2)
 * where it lies.  Inverse: the rows first, the twiddles after them, then the
 * columns.  A row's twiddles come from 1/SPAN of themselves (two_factors.h).
 */
#include "cpu/move.h"
#include "cpu/nest.h"
#include "cpu/two_factors.h"

enum { SPAN = 64 };

typedef struct scrambled {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2;
    bool inverse;
    int threads;
    size_t slice;
    wf_powers twiddles; /* n1 rows of n2 */
} scrambled;

static void columns(const wf_node *node, const wf_samples *at, char *scratch,
                    int64_t begin, int64_t end)
{
    const scrambled *s = (const scrambled *)node;
    wf_column_run_units(node->child[0], at, scratch, s->n2, begin, end);
}

static void rows(const wf_node *node, const wf_samples *at, char *scratch,
                 int64_t begin, int64_t end)
{
    const scrambled *s = (const scrambled *)node;
    const wf_node *child = node->child[1];
    for (int64_t k = begin; k < end; k++) {
        ptrdiff_t offset = 2 * k * s->n2;
        const void *in = wf_at(at->in_re, offset, node->bytes);
        void *out = wf_to(at->out_re, offset, node->bytes);
        wf_samples row = {s->inverse ? in : out, s->inverse ? in : out, out,
                          out};
        if (!s->inverse)
            wf_multiply_powers(&s->twiddles, &s->mover, k, out, out);
        child->run(child, &row, scratch);
        if (s->inverse)
            wf_multiply_powers(&s->twiddles, &s->mover, k, out, out);
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const scrambled *s = (const scrambled *)node;
    wf_samples first = *at;
    wf_samples second = {at->out_re, at->out_re, at->out_re, at->out_re};
    int64_t units = wf_column_units(node->child[0], s->n2);
    const wf_samples *for_columns = s->inverse ? &second : &first;
    const wf_samples *for_rows = s->inverse ? &first : &second;
    if (s->inverse)
        wf_run_units(node, for_rows, scratch, s->threads, s->n1, s->slice,
                     rows);
    wf_run_units(node, for_columns, scratch, s->threads, units, s->slice,
                 columns);
    if (!s->inverse)
        wf_run_units(node, for_rows, scratch, s->threads, s->n1, s->slice,
                     rows);
}

static weft_status bind_children(const wf_binder *binder, const wf_step *step,
                                 const wf_usage *usage, scrambled *s)
{
    wf_binder below = *binder;
    wf_usage row = {.in_place = !s->inverse || usage->in_place, .scale = 1};
    wf_node *child;
    below.threads = 1;
    weft_status status = wf_bind_column(binder, step->child[0],
                                        WF_END_INTERLEAVED, s->n2,
                                        WF_END_INTERLEAVED, s->n2, 1, &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&s->node, child);
    status = wf_bind_transform(&below, step->child[1], &row, &child);
    if (status == WEFT_OK)
        wf_node_adopt(&s->node, child);
    return status;
}

weft_status wf_bind_scrambled(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "scrambled on split data");
    scrambled *s = (scrambled *)wf_node_new(binder, sizeof *s, run);
    if (s == NULL)
        return wf_no_memory();
    s->mover = wf_mover_best(binder->real);
    s->n1 = step->split[0];
    s->n2 = step->split[1];
    s->inverse = binder->inverse;
    s->threads = binder->threads;
    weft_status status = bind_children(binder, step, usage, s);
    if (status == WEFT_OK)
        status = wf_bind_powers(&s->node, binder, s->n1, s->n2, SPAN,
                                usage->scale, &s->twiddles);
    if (status != WEFT_OK) {
        wf_node_free(&s->node);
        return status;
    }
    size_t a = s->node.child[0]->scratch, b = s->node.child[1]->scratch;
    s->slice = a > b ? a : b;
    s->node.scratch = s->slice * (size_t)s->threads;
    *node = &s->node;
    return WEFT_OK;
}
