/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone_third.c - a transform alone of type III: alone_second.c from the last
 * step to the first, each transposed.
 */
#include "alone.h"

/* Sums and differences of a block of V frequencies from `first` on. */
static void begin_block(const maker *k, int first, int *c, int *s)
{
    dag *g = k->g;
    const int h = k->q / 2;
    cplx legs[MOST_Q], y[MOST_Q];
    for (int t = 0; t < h; ++t) {
        const int far = k->n - 2 * k->m * t - first - k->v + 1;
        const alone_turns w = alone_turns_of(k, t);
        const int x = alone_input(k, 2 * k->m * t + first, ALONE_ON);
        const int z = lanes_reversed(k, alone_input(k, far, ALONE_BACK));
        legs[t] = cplx_split(x, dag_mul(g, z, w.signed_c));
        if (t) {
            legs[t].re = dag_fma(g, z, w.signed_s, dag_mul(g, x, w.c));
            legs[t].im = dag_fma(g, dag_neg(g, x), w.s, legs[t].im);
        }
    }
    algebra_dft(&k->b, h, algebra_leg, legs, y);
    for (int i = 0; i < h; ++i) {
        const int l = alone_leg(k, i);
        c[l] = dag_fma(g, y[i].im, alone_factor(k, l, 3, first),
                       dag_mul(g, y[i].re, alone_factor(k, l, 0, first)));
        s[l] = dag_fma(g, y[i].im, alone_factor(k, l, 2, first),
                       dag_mul(g, y[i].re, alone_factor(k, l, 1, first)));
    }
}

/* The sums' number 0, of V l's from `first` on. */
static int begin_ends(const maker *k, int first)
{
    dag *g = k->g;
    int sum = dag_mul(g, dag_load(g, ALONE_APART),
                      alone_row_of_ends(k, 0, first));
    for (int i = 1; i < k->q / 2; ++i)
        sum = dag_fma(g, dag_load(g, 2 * k->m * i + ALONE_EACH),
                      alone_row_of_ends(k, i, first), sum);
    return sum;
}

/* Outputs of transforms c and s of V l's from V b on. */
static void store_pairs(const maker *k, int b, const int *c, const int *s)
{
    dag *g = k->g;
    const int sign = alone_spread(k, ALONE_SIGN);
    int x[MAX_RADIX], y[MAX_RADIX];
    cosine_third(g, k->m, c, x);
    if (!alone_is_shared(k))
        cosine_third(g, k->m, s, y);
    for (int j = 0; j < k->m; ++j) {
        const int on = k->q * j + b * k->v + ALONE_ON;
        const int back = k->q * (j + 1) - (b + 1) * k->v + ALONE_BACK;
        if (alone_is_shared(k)) {
            const int z = lanes_reversed(k, x[j]);
            alone_add_root(k, on,
                           j % 2
                               ? dag_fma(g, dag_neg(g, z), alone_halves(k),
                                         dag_mul(g, x[j], sign))
                               : dag_fma(g, x[j], alone_scaled_halves(k), z));
            continue;
        }
        const int z = j % 2 ? dag_neg(g, y[j]) : y[j];
        alone_add_root(k, on, dag_fma(g, x[j], sign, z));
        alone_add_root(
            k, back, lanes_reversed(k, dag_fma(g, dag_neg(g, z), sign, x[j])));
    }
}

/* Registers that sums and differences share: number i has the sums' i and the
 * differences' m - i. */
static void third_shared(const maker *k)
{
    const int m = k->m, v = k->v;
    int low[MAX_RADIX][MAX_LANES], high[MAX_RADIX][MAX_LANES];
    int c[MAX_RADIX], same[MAX_LANES];
    if (m < v) {
        alone_third_short(k, begin_ends(k, 0), c);
        store_pairs(k, 0, c, NULL);
        return;
    }
    for (int block = 0; block < alone_blocks(k); ++block) {
        int sums[MAX_LANES], less[MAX_LANES], back[MAX_LANES];
        begin_block(k, alone_first(k, block), sums, less);
        for (int l = 0; l < v / 2; ++l)
            back[l] = less[v / 2 - 1 - l];
        lanes_split(k, sums, v / 2, low[block]);
        lanes_split(k, back, v / 2, high[block]);
    }
    for (int i = 1; i <= m; ++i) { /* the last one is number 0 */
        const int j = i < m ? m - i : m, a = (i - 1) / v, b = (j - 1) / v;
        c[i % m] = lanes_join(k, low[a], i - alone_first(k, a), high[b],
                              j - alone_first(k, b));
    }
    for (int i = 0; i < v; ++i)
        same[i] = i < v / 2 ? i : v + i;
    c[0] = lanes_choose(k, begin_ends(k, 0), c[0], same);
    store_pairs(k, 0, c, NULL);
}

static void begin_rows(const maker *k, int first, int (*x)[MAX_LANES],
                       int (*y)[MAX_LANES])
{
    int sums[MOST_Q], less[MOST_Q];
    begin_block(k, first, sums, less);
    for (int b = 0; b < k->pairs; ++b) {
        lanes_rows(k, sums + b * k->v, x[b]);
        lanes_rows(k, less + b * k->v, y[b]);
    }
}

void alone_third(const maker *k)
{
    int c[MOST_PAIRS][MAX_RADIX], s[MOST_PAIRS][MAX_RADIX];
    if (alone_is_shared(k)) {
        third_shared(k);
        return;
    }
    for (int block = 0; block < alone_blocks(k); ++block) {
        const int first = alone_first(k, block);
        int x[MOST_PAIRS][MAX_LANES], y[MOST_PAIRS][MAX_LANES];
        begin_rows(k, first, x, y);
        for (int b = 0; b < k->pairs; ++b)
            for (int i = 0; i < k->v; ++i) {
                c[b][first + i] = x[b][i];
                s[b][k->m - first - i] = y[b][i];
            }
    }
    for (int b = 0; b < k->pairs; ++b) {
        c[b][0] = begin_ends(k, b * k->v);
        store_pairs(k, b, c[b], s[b]);
    }
}

void alone_third_part(const maker *k, alone_part part)
{
    int x[MOST_PAIRS][MAX_LANES], y[MOST_PAIRS][MAX_LANES];
    int c[MAX_RADIX], s[MAX_RADIX];
    if (part == ALONE_PAIRS) {
        for (int i = 0; i < k->m; ++i) {
            c[i] = dag_load(k->g, alone_scratch(k, 0, 0, i) + ALONE_ON);
            s[i] = dag_load(k->g, alone_scratch(k, 0, 1, i) + ALONE_ON);
        }
        store_pairs(k, 0, c, s);
        return;
    }
    if (part == ALONE_BLOCKS)
        begin_rows(k, 1, x, y);
    for (int b = 0; b < k->pairs; ++b) {
        if (part == ALONE_LONE)
            alone_add_root(k, alone_scratch(k, b, 0, 0),
                           begin_ends(k, b * k->v));
        for (int i = 0; i < k->v && part == ALONE_BLOCKS; ++i) {
            const int less = alone_scratch(k, b, 1, k->m - 1 - i);
            alone_add_root(k, alone_scratch(k, b, 0, i + 1) + ALONE_ON,
                           x[b][i]);
            alone_add_root(k, less + ALONE_BACK, y[b][i]);
        }
    }
}
