/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two_factors.h - what binders of n = n1 n2 share.
 */
#ifndef WEFT_CPU_TWO_FACTORS_H
#define WEFT_CPU_TWO_FACTORS_H

#include "cpu/move.h"
#include "cpu/node.h"

/* table[r][c] = scale * w^(r c), w the n-th root of the transform's sign. */
weft_status wf_bind_matrix_twiddles(wf_node *node, const wf_binder *binder,
                                    int64_t n, int64_t rows, int64_t cols,
                                    double scale, const void **twiddles);
/* Rows of powers of w from few of them: row r is coarse[r][k / span] times
 * fine[r][k mod span], the scale in the coarse ones. */
typedef struct wf_powers {
    int64_t cols, span, blocks; /* cols = span blocks, rounded up */
    const void *coarse, *fine;
} wf_powers;

weft_status wf_bind_powers(wf_node *node, const wf_binder *binder, int64_t n,
                           int64_t rows, int64_t cols, int64_t span,
                           double scale, wf_powers *powers);
/* out[k] = in[k] w^(row k), k < cols; out may be in. */
void wf_multiply_powers(const wf_powers *powers, const wf_mover *mover,
                        int64_t row, const void *in, void *out);
/* The same of some: k = block span + 0..count-1; in and out are theirs. */
void wf_multiply_some_powers(const wf_powers *powers, const wf_mover *mover,
                             int64_t row, int64_t block, int64_t count,
                             const void *in, void *out);
/* The rows' twiddles, scaled: whole, or of long rows as powers. */
typedef struct wf_row_twiddles {
    const void *whole; /* [rows][cols] complex, or NULL: */
    wf_powers powers;
} wf_row_twiddles;
weft_status wf_bind_row_twiddles(wf_node *node, const wf_binder *binder,
                                 int64_t n, int64_t rows, int64_t cols,
                                 double scale, wf_row_twiddles *twiddles);
/* out[k] = in[k] scale w^(row k), k < cols; out may be in. */
void wf_twiddle_row(const wf_row_twiddles *twiddles, const wf_mover *mover,
                    int64_t row, int64_t cols, const void *in, void *out);
/* The same of rows first .. first + count - 1, one behind the other, in place. */
void wf_twiddle_rows(const wf_row_twiddles *twiddles, const wf_mover *mover,
                     int64_t first, int64_t count, int64_t cols, void *rows);
/* So many complex numbers rounded up to whole cache lines. */
static inline int64_t wf_whole_lines(int64_t numbers, size_t bytes)
{
    return (int64_t)(wf_round64(2 * (size_t)numbers * bytes) / (2 * bytes));
}
/* Child 0 as columns from one matrix to another, of so many numbers a row, and child
 * 1 as rows in place, single-threaded. */
weft_status wf_bind_columns_and_rows(const wf_binder *binder,
                                     const wf_step *step, int64_t in,
                                     int64_t out, wf_node *node);
/* How many of so many rows a thread makes together: lines of the input, or lanes of
 * leaves, for any number of threads. */
int64_t wf_rows_together(const wf_node *row, int64_t rows, int threads);
/* Both children of a step, in place, single-threaded. */
weft_status wf_bind_two_children(const wf_binder *binder, const wf_step *step,
                                 wf_node *node);

#endif
