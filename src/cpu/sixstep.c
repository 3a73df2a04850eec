/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sixstep.c - rows between explicit matrix transposes.
 *
 * Square, or one side a multiple of the other: everything happens in the
 * output, transposed in place (rectangles through their squares; their
 * twiddles are multiplied into the rows, which are in cache).  Otherwise two
 * matrices take turns (one is the output when that is free).
 */
#include "cpu/move.h"
#include "cpu/nest.h"
#include "cpu/two_factors.h"

typedef struct sixstep {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2;
    bool in_place;
    enum { SQUARE, RECTANGLE, GENERAL } shape;
    int threads;
    size_t first, second, slice; /* bytes; first: a row for rectangles */
    const void *twiddles;        /* [n2][n1] complex, the scale in them */
} sixstep;

static void run_rows(const sixstep *s, int index, void *matrix, char *scratch,
                     int64_t begin, int64_t end)
{
    const wf_node *child = s->node.child[index];
    int64_t length = index == 0 ? s->n1 : s->n2;
    for (int64_t i = begin; i < end; i++) {
        void *row = wf_to(matrix, 2 * i * length, s->node.bytes);
        wf_samples one = {row, row, row, row};
        child->run(child, &one, scratch);
        if (index == 0 && s->shape == RECTANGLE)
            WF_MOVE(&s->mover, multiply, row, (const void *)row,
                    wf_at(s->twiddles, 2 * i * length, s->node.bytes),
                    (size_t)length);
    }
}

static void rows_one(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    run_rows((const sixstep *)node, 0, at->out_re, scratch, begin, end);
}

static void rows_two(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    run_rows((const sixstep *)node, 1, at->out_re, scratch, begin, end);
}

static void rows_of(const sixstep *s, int index, void *matrix, char *slices)
{
    wf_samples at = {matrix, matrix, matrix, matrix};
    wf_run_units(&s->node, &at, slices, s->threads, index == 0 ? s->n2 : s->n1,
                 s->slice, index == 0 ? rows_one : rows_two);
}

static void run_square(const sixstep *s, const wf_samples *at, char *slices)
{
    void *out = at->out_re;
    size_t n = (size_t)s->n1;
    if (s->in_place)
        WF_MOVE(&s->mover, transpose_square, out, s->n1, n);
    else
        WF_MOVE(&s->mover, transpose, at->in_re, s->n1, out, s->n1, n, n);
    rows_of(s, 0, out, slices);
    WF_MOVE(&s->mover, transpose_square_twiddle, out, s->n1, n, s->twiddles,
            s->n1);
    rows_of(s, 1, out, slices);
    WF_MOVE(&s->mover, transpose_square, out, s->n1, n);
}

static void run_rectangle(const sixstep *s, const wf_samples *at,
                          char *scratch, char *slices)
{
    void *out = at->out_re, *row = scratch;
    size_t n1 = (size_t)s->n1, n2 = (size_t)s->n2;
    if (s->in_place)
        WF_MOVE(&s->mover, transpose_rect, out, n1, n2, row);
    else
        WF_MOVE(&s->mover, transpose, at->in_re, s->n2, out, s->n1, n1, n2);
    rows_of(s, 0, out, slices);
    WF_MOVE(&s->mover, transpose_rect, out, n2, n1, row);
    rows_of(s, 1, out, slices);
    WF_MOVE(&s->mover, transpose_rect, out, n1, n2, row);
}

static void run_general(const sixstep *s, const wf_samples *at, char *scratch,
                        char *slices)
{
    void *one = s->in_place ? (void *)scratch : at->out_re;
    void *two = scratch + s->first;
    size_t n1 = (size_t)s->n1, n2 = (size_t)s->n2;
    WF_MOVE(&s->mover, transpose, at->in_re, s->n2, one, s->n1, n1, n2);
    rows_of(s, 0, one, slices);
    WF_MOVE(&s->mover, transpose_twiddle, one, s->n1, two, s->n2, n2, n1,
            s->twiddles, s->n1);
    rows_of(s, 1, two, slices);
    WF_MOVE(&s->mover, transpose, two, s->n2, at->out_re, s->n1, n1, n2);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const sixstep *s = (const sixstep *)node;
    char *slices = scratch + s->first + s->second;
    if (s->shape == SQUARE)
        run_square(s, at, slices);
    else if (s->shape == RECTANGLE)
        run_rectangle(s, at, scratch, slices);
    else
        run_general(s, at, scratch, slices);
}

static void size_scratch(sixstep *s)
{
    size_t element = 2 * s->node.bytes;
    size_t matrix = wf_round64((size_t)(s->n1 * s->n2) * element);
    size_t row = wf_round64((size_t)(s->n1 < s->n2 ? s->n1 : s->n2) * element);
    size_t a = s->node.child[0]->scratch, b = s->node.child[1]->scratch;
    if (s->shape == RECTANGLE)
        s->first = row;
    else if (s->shape == GENERAL)
        s->first = s->in_place ? matrix : 0;
    s->second = s->shape == GENERAL ? matrix : 0;
    s->slice = a > b ? a : b;
    s->node.scratch = s->first + s->second + s->slice * (size_t)s->threads;
}

weft_status wf_bind_sixstep(const wf_binder *binder, const wf_step *step,
                            const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "sixstep on split data");
    sixstep *s = (sixstep *)wf_node_new(binder, sizeof *s, run);
    if (s == NULL)
        return wf_no_memory();
    s->mover = wf_mover_best(binder->real);
    s->n1 = step->split[0];
    s->n2 = step->split[1];
    s->in_place = usage->in_place;
    s->threads = binder->threads;
    weft_status status = wf_bind_two_children(binder, step, &s->node);
    if (status == WEFT_OK)
        status = wf_bind_matrix_twiddles(&s->node, binder, step->n, s->n2,
                                         s->n1, usage->scale, &s->twiddles);
    if (status != WEFT_OK) {
        wf_node_free(&s->node);
        return status;
    }
    s->shape = s->n1 == s->n2                             ? SQUARE
               : s->n1 % s->n2 == 0 || s->n2 % s->n1 == 0 ? RECTANGLE
                                                          : GENERAL;
    size_scratch(s);
    *node = &s->node;
    return WEFT_OK;
}
