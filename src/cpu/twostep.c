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

/* Shorter rows of twiddles are made faster one by one than from powers. */
enum { GROUP = 8, LEAST_POWERS = 256 };

typedef struct twostep {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2;
    bool in_place;
    int threads;
    size_t middle, slice, buffer;
    const void *twiddles; /* [n2][n1] complex, the scale in them; NULL: */
    wf_powers powers;     /* n2 rows of n1 */
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

static void multiply_row(const twostep *t, int64_t row, const void *in,
                         void *out)
{
    if (t->twiddles == NULL)
        wf_multiply_powers(&t->powers, &t->mover, row, in, out);
    else
        WF_MOVE(&t->mover, multiply, out, in,
                wf_at(t->twiddles, 2 * row * t->n1, t->node.bytes),
                (size_t)t->n1);
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
            multiply_row(t, c0 + i, wf_at(scratch, 2 * i * t->n1, bytes),
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

weft_status wf_bind_matrix_twiddles(wf_node *node, const wf_binder *binder,
                                    int64_t rows, int64_t cols, double scale,
                                    const void **twiddles)
{
    void *table = wf_node_table(node, 2 * (size_t)rows * (size_t)cols);
    if (table == NULL)
        return wf_no_memory();
    int64_t n = rows * cols;
    wf_roots_table roots;
    weft_status status = wf_roots_make(n, binder->inverse, &roots);
    if (status != WEFT_OK)
        return status;
    for (int64_t r = 0, at = 0; r < rows; r++)
        for (int64_t c = 0, k = 0; c < cols; c++, k += r, at += 2) {
            k -= k >= n ? n : 0;
            const double *w = &roots.re_im[2 * k];
            wf_table_set(binder->real, table, at, scale * w[0]);
            wf_table_set(binder->real, table, at + 1, scale * w[1]);
        }
    wf_roots_drop(&roots);
    *twiddles = table;
    return WEFT_OK;
}

/* table[row][i] = scale w^(row step i), i < count */
static weft_status bind_rows(wf_node *node, const wf_binder *binder,
                             const wf_root_table *roots, int64_t rows,
                             int64_t step, int64_t count, double scale,
                             const void **table)
{
    void *out = wf_node_table(node, 2 * (size_t)(rows * count));
    double *row = wf_alloc(2 * (size_t)count * sizeof *row);
    if (out == NULL || row == NULL) {
        wf_free(row);
        return wf_no_memory();
    }
    for (int64_t k = 0; k < rows; k++) {
        wf_root_table_f64(roots, 0, binder->inverse ? k * step : -k * step, 0,
                          (size_t)count, row);
        for (int64_t i = 0; i < 2 * count; i++)
            wf_table_set(binder->real, out, 2 * k * count + i, scale * row[i]);
    }
    wf_free(row);
    *table = out;
    return WEFT_OK;
}

weft_status wf_bind_powers(wf_node *node, const wf_binder *binder,
                           int64_t rows, int64_t cols, int64_t span,
                           double scale, wf_powers *powers)
{
    *powers = (wf_powers){.cols = cols,
                          .span = span,
                          .blocks = (cols + span - 1) / span};
    wf_root_table *roots = wf_root_table_new((uint64_t)(rows * cols));
    if (roots == NULL)
        return wf_no_memory();
    weft_status status = bind_rows(node, binder, roots, rows, span,
                                   powers->blocks, scale, &powers->coarse);
    if (status == WEFT_OK)
        status = bind_rows(node, binder, roots, rows, 1, span, 1,
                           &powers->fine);
    wf_root_table_free(roots);
    return status;
}

void wf_multiply_some_powers(const wf_powers *powers, const wf_mover *mover,
                             int64_t row, int64_t block, int64_t count,
                             const void *in, void *out)
{
    const size_t bytes = mover->real == WF_F64 ? sizeof(double)
                                               : sizeof(float);
    WF_MOVE(mover, multiply_powers, out, in,
            wf_at(powers->coarse, 2 * (row * powers->blocks + block), bytes),
            wf_at(powers->fine, 2 * row * powers->span, bytes),
            (size_t)powers->span, (size_t)count);
}

void wf_multiply_powers(const wf_powers *powers, const wf_mover *mover,
                        int64_t row, const void *in, void *out)
{
    wf_multiply_some_powers(powers, mover, row, 0, powers->cols, in, out);
}

/* A span near the root of a row's length makes both tables short. */
static weft_status bind_twiddles(const wf_binder *binder, double scale,
                                 twostep *t)
{
    int64_t span = 16;
    if (t->n1 < LEAST_POWERS)
        return wf_bind_matrix_twiddles(&t->node, binder, t->n2, t->n1, scale,
                                       &t->twiddles);
    while (span * span < t->n1)
        span *= 2;
    return wf_bind_powers(&t->node, binder, t->n2, t->n1, span, scale,
                          &t->powers);
}

weft_status wf_bind_two_children(const wf_binder *binder, const wf_step *step,
                                 wf_node *node)
{
    wf_binder below = *binder;
    wf_usage usage = {.in_place = true, .split = false, .scale = 1};
    below.threads = 1;
    for (int i = 0; i < 2; i++) {
        wf_node *child;
        weft_status status = wf_bind_transform(&below, step->child[i], &usage,
                                               &child);
        if (status != WEFT_OK)
            return status;
        wf_node_adopt(node, child);
    }
    return WEFT_OK;
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
        status = bind_twiddles(binder, usage->scale, t);
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
