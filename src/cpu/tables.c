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
    wf_roots((uint64_t)n, 0, inverse ? 1 : -1, (size_t)n, roots->re_im);
    return WEFT_OK;
}

void wf_roots_drop(wf_roots_table *roots)
{
    wf_free(roots->re_im);
    roots->re_im = NULL;
}

void wf_table_set(wf_real real, void *table, int64_t index, double value)
{
    if (real == WF_F64)
        ((double *)table)[index] = value;
    else
        ((float *)table)[index] = (float)value;
}

/* The factor of slot j at q, in a pass of radix r at stride s. */
static const double *factor(const wf_roots_table *roots, int64_t s, int r,
                            int j, int64_t q, bool inverse)
{
    int64_t leg = inverse ? r - j : j;
    int64_t step = roots->n / (s * r);
    return &roots->re_im[2 * (leg * q % (s * r) * step)];
}

void wf_table_broadcast(wf_real real, const wf_roots_table *roots, int64_t s,
                        int r, bool inverse, double scale, void *table)
{
    for (int64_t q = 0; q < s; q++)
        for (int j = 1; j < r; j++) {
            const double *w = factor(roots, s, r, j, q, inverse);
            int64_t at = 2 * (q * (r - 1) + j - 1);
            wf_table_set(real, table, at, scale * w[0]);
            wf_table_set(real, table, at + 1, scale * w[1]);
        }
}

size_t wf_table_lanes_scalars(int64_t s, int r, int width)
{
    size_t vectors = (size_t)((s + width - 1) / width);
    return vectors * 2 * (size_t)(r - 1) * (size_t)width;
}

static void lanes_at(wf_real real, const wf_roots_table *roots, int64_t s,
                     int r, int width, bool inverse, double scale, int64_t q0,
                     void *table, int64_t at)
{
    for (int j = 1; j < r; j++)
        for (int lane = 0; lane < width; lane++) {
            const double *w = factor(roots, s, r, j, q0 + lane, inverse);
            int64_t pair = at + (int64_t)2 * (j - 1) * width + lane;
            wf_table_set(real, table, pair, scale * w[0]);
            wf_table_set(real, table, pair + width, scale * w[1]);
        }
}

void wf_table_lanes(wf_real real, const wf_roots_table *roots, int64_t s,
                    int r, int width, bool inverse, double scale, void *table)
{
    int64_t vector = (int64_t)2 * (r - 1) * width, at = 0;
    for (int64_t q = 0; q + width <= s; q += width, at += vector)
        lanes_at(real, roots, s, r, width, inverse, scale, q, table, at);
    if (s % width != 0)
        lanes_at(real, roots, s, r, width, inverse, scale, s - width, table,
                 at);
}
