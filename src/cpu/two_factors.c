/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two_factors.c - twiddles between the two steps of n = n1 n2, by rows.
 */
#include "cpu/two_factors.h"
#include "num/num.h"

/* Shorter rows of twiddles are made faster one by one than from powers. */
enum { LEAST_POWERS = 256 };

weft_status wf_bind_matrix_twiddles(wf_node *node, const wf_binder *binder,
                                    int64_t n, int64_t rows, int64_t cols,
                                    double scale, const void **twiddles)
{
    void *table = wf_node_table(node, 2 * (size_t)rows * (size_t)cols);
    if (table == NULL)
        return wf_no_memory();
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

weft_status wf_bind_powers(wf_node *node, const wf_binder *binder, int64_t n,
                           int64_t rows, int64_t cols, int64_t span,
                           double scale, wf_powers *powers)
{
    *powers = (wf_powers){.cols = cols,
                          .span = span,
                          .blocks = (cols + span - 1) / span};
    wf_root_table *roots = wf_root_table_new((uint64_t)n);
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
weft_status wf_bind_row_twiddles(wf_node *node, const wf_binder *binder,
                                 int64_t n, int64_t rows, int64_t cols,
                                 double scale, wf_row_twiddles *twiddles)
{
    int64_t span = 16;
    if (cols < LEAST_POWERS)
        return wf_bind_matrix_twiddles(node, binder, n, rows, cols, scale,
                                       &twiddles->whole);
    while (span * span < cols)
        span *= 2;
    return wf_bind_powers(node, binder, n, rows, cols, span, scale,
                          &twiddles->powers);
}

void wf_twiddle_row(const wf_row_twiddles *twiddles, const wf_mover *mover,
                    int64_t row, int64_t cols, const void *in, void *out)
{
    const size_t bytes = mover->real == WF_F64 ? sizeof(double)
                                               : sizeof(float);
    if (twiddles->whole == NULL)
        wf_multiply_powers(&twiddles->powers, mover, row, in, out);
    else
        WF_MOVE(mover, multiply, out, in,
                wf_at(twiddles->whole, 2 * row * cols, bytes), (size_t)cols);
}

void wf_twiddle_rows(const wf_row_twiddles *twiddles, const wf_mover *mover,
                     int64_t first, int64_t count, int64_t cols, void *rows)
{
    const size_t bytes = mover->real == WF_F64 ? sizeof(double)
                                               : sizeof(float);
    if (twiddles->whole != NULL) {
        WF_MOVE(mover, multiply, rows, (const void *)rows,
                wf_at(twiddles->whole, 2 * first * cols, bytes),
                (size_t)(count * cols));
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        void *row = wf_to(rows, 2 * i * cols, bytes);
        wf_twiddle_row(twiddles, mover, first + i, cols, row, row);
    }
}

weft_status wf_bind_columns_and_rows(const wf_binder *binder,
                                     const wf_step *step, int64_t in,
                                     int64_t out, wf_node *node)
{
    const wf_usage rows = {.in_place = true, .scale = 1};
    wf_binder one_thread = *binder;
    wf_node *child;
    one_thread.threads = 1;
    weft_status status = wf_bind_column(binder, step->child[0],
                                        WF_END_INTERLEAVED, in,
                                        WF_END_INTERLEAVED, out, 1, &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(node, child);
    status = wf_bind_transform(&one_thread, step->child[1], &rows, &child);
    if (status == WEFT_OK)
        wf_node_adopt(node, child);
    return status;
}

int64_t wf_rows_together(const wf_node *row, int64_t rows, int threads)
{
    enum { LINES = 8 };
    const int64_t share = (rows + threads - 1) / threads;
    if (wf_node_is_leaf(row))
        return WF_LEAF_LANES;
    return share < LINES ? share : LINES;
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
