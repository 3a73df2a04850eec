/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scrambled.c - column trip and row trip, nothing sorted.
 *
 * Forward: blocks of columns (length n1) from the input to the same place of
 * the output, then each row k1 times w^(k1 j2) and transformed (length n2)
 * where it lies.  Inverse: the rows first, the twiddles after them, then the
 * columns.  A row's twiddles come from 1/SPAN of themselves (two_factors.h).
 *
 * Whichever trip brings the data into the output writes past the caches, the
 * rows by way of a buffer; while a row takes its twiddles the next is fetched.
 */
#include "cpu/nest.h"
#include "cpu/stream.h"
#include "cpu/two_factors.h"

enum { SPAN = 64 };

typedef struct scrambled {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2;
    bool inverse;
    bool fetched;  /* rows come from memory */
    size_t buffer; /* bytes of a row on its way past the caches; none: 0 */
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

/* Row k at `row` times its twiddles, there or past the caches to `out`. */
static void twiddle(const scrambled *s, int64_t k, void *row, void *out,
                    wf_ahead *ahead)
{
    size_t bytes = s->node.bytes;
    for (int64_t b = 0; b < s->twiddles.blocks; b++) {
        int64_t left = s->n2 - b * SPAN, count = left < SPAN ? left : SPAN;
        void *some = wf_to(row, 2 * b * SPAN, bytes);
        wf_ahead_fetch(ahead, SPAN * 2 * bytes);
        wf_multiply_some_powers(&s->twiddles, &s->mover, k, b, count, some,
                                some);
        if (row != out)
            WF_MOVE(&s->mover, stream, wf_to(out, 2 * b * SPAN, bytes),
                    (const void *)some, (size_t)(2 * count));
    }
}

static void rows(const wf_node *node, const wf_samples *at, char *scratch,
                 int64_t begin, int64_t end)
{
    const scrambled *s = (const scrambled *)node;
    const wf_node *child = node->child[1];
    size_t row_bytes = (size_t)s->n2 * 2 * node->bytes;
    for (int64_t k = begin; k < end; k++) {
        ptrdiff_t offset = 2 * k * s->n2;
        const char *in = wf_at(at->in_re, offset, node->bytes);
        void *out = wf_to(at->out_re, offset, node->bytes);
        void *made = s->buffer > 0 ? scratch : out;
        wf_samples row = {s->inverse ? in : out, s->inverse ? in : out, made,
                          made};
        bool more = s->fetched && k + 1 < end;
        wf_ahead ahead = {in + row_bytes, in + row_bytes};
        if (more)
            ahead.end += row_bytes;
        if (!s->inverse)
            twiddle(s, k, out, out, &ahead);
        else
            wf_ahead_fetch(&ahead, WF_STREAM_EARLY);
        child->run(child, &row, scratch + s->buffer);
        if (s->inverse)
            twiddle(s, k, made, out, &ahead);
    }
    if (s->buffer > 0)
        wf_hand_settle();
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
    if (s->fetched && !usage->in_place && !s->inverse)
        wf_column_past(child);
    wf_column_align(child);
    status = wf_bind_transform(&below, step->child[1], &row, &child);
    if (status == WEFT_OK)
        wf_node_adopt(&s->node, child);
    return status;
}

static void size_scratch(scrambled *s, const wf_usage *usage)
{
    size_t a = s->node.child[0]->scratch, b = s->node.child[1]->scratch;
    if (s->fetched && !usage->in_place && s->inverse && WF_HAND_STREAMS)
        s->buffer = wf_round64((size_t)s->n2 * 2 * s->node.bytes);
    b += s->buffer;
    s->slice = a > b ? a : b;
    s->node.scratch = s->slice * (size_t)s->threads;
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
    s->fetched = wf_stream_pays(step->n * (usage->in_place ? 1 : 2),
                                binder->bytes);
    s->threads = binder->threads;
    weft_status status = bind_children(binder, step, usage, s);
    if (status == WEFT_OK)
        status = wf_bind_powers(&s->node, binder, step->n, s->n1, s->n2, SPAN,
                                usage->scale, &s->twiddles);
    if (status != WEFT_OK) {
        wf_node_free(&s->node);
        return status;
    }
    size_scratch(s, usage);
    *node = &s->node;
    return WEFT_OK;
}
