/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - twiddle factors, in the order kernels consume them.
 *
 * All tables of a transform of length n are read from one list of the n-th
 * roots of unity, whose phases were reduced in integers.  An inverse
 * transform runs the forward kernels with legs 1..r-1 in reverse, so slot j of
 * its tables holds the factor of leg r - j.
 */
#include "cpu/node.h"
#include "num/num.h"

weft_status wf_roots_make(int64_t n, bool inverse, wf_roots_table *roots)
{
    size_t scalars;
    roots->n = n;
    roots->re_im = NULL;
    if (!wf_mul_size((size_t)n, 2 * sizeof(double), &scalars))
        return wf_fail(WEFT_ERR_OVERFLOW, "table of %lld roots", (long long)n);
    roots->re_im = wf_alloc(scalars);
    if (roots->re_im == NULL)
        return wf_no_memory();
    if (wf_roots_circle((uint64_t)n, !inverse, roots->re_im))
        return WEFT_OK;
    wf_roots_drop(roots);
    return wf_no_memory();
}

void wf_roots_drop(wf_roots_table *roots)
{
    wf_free(roots->re_im);
    roots->re_im = NULL;
}

/* One column of a table: the factors of slot j at q = q0, q0 + 1, ..., in
 * a pass of radix r at stride s; their exponents advance by `step` roots and
 * never reach a whole turn. */
typedef struct column {
    const double *w;
    int64_t step;
} column;

static column slot(const wf_roots_table *roots, int64_t s, int r, int j,
                   int64_t q0, bool inverse)
{
    int64_t leg = inverse ? r - j : j;
    int64_t step = leg * (roots->n / (s * r));
    return (column){&roots->re_im[2 * q0 * step], 2 * step};
}

/* table[at + i advance] = scale re, table[.. + apart] = scale im of the i-th
 * factor of the column, i < count. */
static inline void put_column(wf_real real, column c, int64_t count,
                              double scale, void *table, int64_t at,
                              int64_t advance, int64_t apart)
{
    if (real == WF_F64) {
        double *out = (double *)table + at;
        for (int64_t i = 0; i < count; i++, out += advance, c.w += c.step) {
            out[0] = scale * c.w[0];
            out[apart] = scale * c.w[1];
        }
    } else {
        float *out = (float *)table + at;
        for (int64_t i = 0; i < count; i++, out += advance, c.w += c.step) {
            out[0] = (float)(scale * c.w[0]);
            out[apart] = (float)(scale * c.w[1]);
        }
    }
}

void wf_table_broadcast(wf_real real, const wf_roots_table *roots, int64_t s,
                        int r, bool inverse, double scale, void *table)
{
    for (int j = 1; j < r; j++)
        put_column(real, slot(roots, s, r, j, 0, inverse), s, scale, table,
                   2 * (j - 1), 2 * (r - 1), 1);
}

size_t wf_table_lanes_scalars(int64_t lanes, int r, int width)
{
    size_t vectors = (size_t)((lanes + width - 1) / width);
    return vectors * 2 * (size_t)(r - 1) * (size_t)width;
}

static void lanes_at(wf_real real, const wf_roots_table *roots, int64_t s,
                     int r, int width, bool inverse, double scale, int64_t q0,
                     void *table, int64_t at)
{
    for (int j = 1; j < r; j++)
        put_column(real, slot(roots, s, r, j, q0, inverse), width, scale,
                   table, at + (int64_t)2 * (j - 1) * width, 1, width);
}

void wf_table_lanes(wf_real real, const wf_roots_table *roots, int64_t s,
                    int64_t lanes, int r, int width, bool inverse,
                    double scale, void *table)
{
    int64_t vector = (int64_t)2 * (r - 1) * width, at = 0;
    for (int64_t q = 0; q + width <= lanes; q += width, at += vector)
        lanes_at(real, roots, s, r, width, inverse, scale, q, table, at);
    if (lanes % width != 0)
        lanes_at(real, roots, s, r, width, inverse, scale, lanes - width,
                 table, at);
}
