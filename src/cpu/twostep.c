/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * twostep.c - columns copied to contiguous vectors, twice.
 *
 * Step 1: groups of columns of the n1 x n2 input, transformed (length n1) and
 * multiplied by the twiddles, become rows of the n2 x n1 middle matrix (the
 * output; scratch when in place).  Step 2: groups of its columns, transformed
 * (length n2), are written to the same columns of the output.
 */
#include "cpu/move.h"
#include "cpu/nest.h"
#include "cpu/two_factors.h"
#include "num/num.h"

enum { GROUP = 8 };

typedef struct twostep {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2;
    bool in_place;
    int threads;
    size_t middle, slice, buffer;
    wf_row_twiddles twiddles; /* n2 rows of n1 */
} twostep;

/* Columns c0 .. c0+count-1 of a matrix with `ld` columns, transformed. */
static void transform_columns(const twostep *t, const wf_node *child,
                              const void *matrix, int64_t ld, int64_t length,
                              int64_t c0, int64_t count, char *scratch)
{
    size_t bytes = t->node.bytes;
    const void *in = wf_at(matrix, 2 * c0, bytes);
    WF_MOVE(&t->mover, gather_many, (void *)scratch, in, wf_at(in, 1, bytes),
            2 * ld, (size_t)length, 2, (size_t)count, length);
    for (int64_t i = 0; i < count; i++) {
        void *row = wf_to(scratch, 2 * i * length, bytes);
        wf_samples one = {row, row, row, row};
        child->run(child, &one, scratch + t->buffer);
    }
}

static void step_one(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const twostep *t = (const twostep *)node;
    size_t bytes = node->bytes;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t c0 = unit * GROUP;
        int64_t count = t->n2 - c0 < GROUP ? t->n2 - c0 : GROUP;
        transform_columns(t, node->child[0], at->in_re, t->n2, t->n1, c0,
                          count, scratch);
        for (int64_t i = 0; i < count; i++)
            wf_twiddle_row(&t->twiddles, &t->mover, c0 + i, t->n1,
                           wf_at(scratch, 2 * i * t->n1, bytes),
                           wf_to(at->out_re, 2 * (c0 + i) * t->n1, bytes));
    }
}

static void step_two(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const twostep *t = (const twostep *)node;
    size_t bytes = node->bytes;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t c0 = unit * GROUP;
        int64_t count = t->n1 - c0 < GROUP ? t->n1 - c0 : GROUP;
        transform_columns(t, node->child[1], at->in_re, t->n1, t->n2, c0,
                          count, scratch);
        void *out = wf_to(at->out_re, 2 * c0, bytes);
        WF_MOVE(&t->mover, scatter_many, (const void *)scratch, out,
                wf_to(out, 1, bytes), 2 * t->n1, (size_t)t->n2, 2,
                (size_t)count, t->n2);
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const twostep *t = (const twostep *)node;
    void *middle = t->in_place ? (void *)scratch : at->out_re;
    char *slices = scratch + t->middle;
    wf_samples one = {at->in_re, at->in_re, middle, middle};
    wf_samples two = {middle, middle, at->out_re, at->out_re};
    wf_run_units(node, &one, slices, t->threads, (t->n2 + GROUP - 1) / GROUP,
                 t->slice, step_one);
    wf_run_units(node, &two, slices, t->threads, (t->n1 + GROUP - 1) / GROUP,
                 t->slice, step_two);
}

weft_status wf_bind_twostep(const wf_binder *binder, const wf_step *step,
                            const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "twostep on split data");
    twostep *t = (twostep *)wf_node_new(binder, sizeof *t, run);
    if (t == NULL)
        return wf_no_memory();
    t->mover = wf_mover_best(binder->real);
    t->n1 = step->split[0];
    t->n2 = step->split[1];
    t->in_place = usage->in_place;
    t->threads = binder->threads;
    weft_status status = wf_bind_two_children(binder, step, &t->node);
    if (status == WEFT_OK)
        status = wf_bind_row_twiddles(&t->node, binder, step->n, t->n2, t->n1,
                                      usage->scale, &t->twiddles);
    if (status != WEFT_OK) {
        wf_node_free(&t->node);
        return status;
    }
    size_t element = 2 * binder->bytes;
    int64_t longer = t->n1 > t->n2 ? t->n1 : t->n2;
    size_t a = t->node.child[0]->scratch, b = t->node.child[1]->scratch;
    t->buffer = wf_round64((size_t)(GROUP * longer) * element);
    t->slice = t->buffer + (a > b ? a : b);
    t->middle = t->in_place ? wf_round64((size_t)step->n * element) : 0;
    t->node.scratch = t->middle + t->slice * (size_t)t->threads;
    *node = &t->node;
    return WEFT_OK;
}
