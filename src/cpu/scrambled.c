/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scrambled.c - column trip and row trip, nothing sorted.
 *
 * Forward: blocks of columns (length n1) from the input to the same place of
 * the output, then each row k1 times w^(k1 j2) and transformed (length n2)
 * where it lies.  Inverse: the rows first, the twiddles after them, then the
 * columns.  A row's twiddles come from 1/SPAN of themselves: w^(k1 SPAN b)
 * for its blocks b and w^(k1 l) for the SPAN places of a block.
 */
#include "cpu/move.h"
#include "cpu/nest.h"
#include "num/num.h"

enum { SPAN = 64 };

typedef struct scrambled {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2, blocks;
    bool inverse;
    int threads;
    size_t slice;
    const void *coarse; /* [n1][blocks] complex, the scale in them */
    const void *fine;   /* [n1][SPAN] complex */
} scrambled;

static void columns(const wf_node *node, const wf_samples *at, char *scratch,
                    int64_t begin, int64_t end)
{
    const scrambled *s = (const scrambled *)node;
    wf_column_run_units(node->child[0], at, scratch, s->n2, begin, end);
}

static void turn(const scrambled *s, int64_t row, const void *in, void *out)
{
    size_t bytes = s->node.bytes;
    WF_MOVE(&s->mover, multiply_powers, out, in,
            wf_at(s->coarse, 2 * row * s->blocks, bytes),
            wf_at(s->fine, 2 * row * SPAN, bytes), SPAN, (size_t)s->n2);
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
            turn(s, k, out, out);
        child->run(child, &row, scratch);
        if (s->inverse)
            turn(s, k, out, out);
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

/* table[row][i] = scale * w^(row step i), i = 0..count-1 */
static weft_status bind_powers(const wf_binder *binder, scrambled *s,
                               const wf_root_table *roots, int64_t step,
                               int64_t count, double scale, const void **table)
{
    void *out = wf_node_table(&s->node, 2 * (size_t)(s->n1 * count));
    double *row = wf_alloc(2 * (size_t)count * sizeof *row);
    if (out == NULL || row == NULL) {
        wf_free(row);
        return wf_no_memory();
    }
    for (int64_t k = 0; k < s->n1; k++) {
        wf_root_table_f64(roots, 0, binder->inverse ? k * step : -k * step, 0,
                          (size_t)count, row);
        for (int64_t i = 0; i < 2 * count; i++)
            wf_table_set(binder->real, out, 2 * k * count + i, scale * row[i]);
    }
    wf_free(row);
    *table = out;
    return WEFT_OK;
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
    wf_root_table *roots = wf_root_table_new((uint64_t)step->n);
    weft_status status = WEFT_OK;
    if (s == NULL || roots == NULL) {
        status = wf_no_memory();
        goto done;
    }
    s->mover = wf_mover_best(binder->real);
    s->n1 = step->split[0];
    s->n2 = step->split[1];
    s->blocks = (s->n2 + SPAN - 1) / SPAN;
    s->inverse = binder->inverse;
    s->threads = binder->threads;
    status = bind_children(binder, step, usage, s);
    if (status == WEFT_OK)
        status = bind_powers(binder, s, roots, SPAN, s->blocks, usage->scale,
                             &s->coarse);
    if (status == WEFT_OK)
        status = bind_powers(binder, s, roots, 1, SPAN, 1, &s->fine);
done:
    wf_root_table_free(roots);
    if (status != WEFT_OK) {
        wf_node_free(s == NULL ? NULL : &s->node);
        return status;
    }
    size_t a = s->node.child[0]->scratch, b = s->node.child[1]->scratch;
    s->slice = a > b ? a : b;
    s->node.scratch = s->slice * (size_t)s->threads;
    *node = &s->node;
    return WEFT_OK;
}
