/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone_second.c - a transform alone of type II; see alone.c.
 */
#include "alone.h"

/* Sums and differences of all j, of V l's from V b on: one register of both
 * where they share it.  The sign of every other difference is a factor that the
 * first sums of their transform take in. */
static void load_pairs(const maker *k, int b, int *sums, int *less)
{
    dag *g = k->g;
    const int sign = alone_spread(k, ALONE_SIGN);
    for (int j = 0; j < k->m; ++j) {
        const int x = alone_input(k, k->q * j + b * k->v, ALONE_ON);
        const int y = lanes_reversed(
            k, alone_input(k, k->q * (j + 1) - (b + 1) * k->v, ALONE_BACK));
        if (alone_is_shared(k)) {
            sums[j] = dag_fma(g, x, alone_scaled_halves(k), y);
            sums[j] = j % 2 ? dag_mul(g, sums[j], alone_halves(k)) : sums[j];
            continue;
        }
        sums[j] = dag_fma(g, x, sign, y);
        less[j] = j % 2 ? dag_fma(g, y, sign, dag_neg(g, x))
                        : dag_fma(g, dag_neg(g, y), sign, x);
    }
}

static void transform_pairs(const maker *k, int b, int *c, int *s)
{
    int sums[MAX_RADIX], less[MAX_RADIX];
    load_pairs(k, b, sums, less);
    k->g->fuses = alone_is_shared(k);
    cosine_second(k->g, k->m, sums, c);
    k->g->fuses = 0;
    if (!alone_is_shared(k))
        cosine_second(k->g, k->m, less, s);
}

/* Outputs of a block of V frequencies from `first` on. */
static void finish_block(const maker *k, const int *c, const int *s, int first)
{
    dag *g = k->g;
    const int h = k->q / 2;
    cplx legs[MOST_Q], y[MOST_Q];
    for (int i = 0; i < h; ++i) {
        const int l = alone_leg(k, i);
        const int re = dag_mul(g, c[l], alone_factor(k, l, 0, first));
        const int im = dag_mul(g, c[l], alone_factor(k, l, 3, first));
        legs[i] =
            cplx_split(dag_fma(g, s[l], alone_factor(k, l, 1, first), re),
                       dag_fma(g, s[l], alone_factor(k, l, 2, first), im));
    }
    algebra_dft(&k->b, h, algebra_leg, legs, y);
    for (int t = 0; t < h; ++t) {
        const int far = k->n - 2 * k->m * t - first - k->v + 1;
        const alone_turns w = alone_turns_of(k, t);
        int re = y[t].re, im = dag_mul(g, y[t].im, w.signed_c);
        if (t) {
            re = dag_fma(g, dag_neg(g, y[t].im), w.s, dag_mul(g, re, w.c));
            im = dag_fma(g, y[t].re, w.signed_s, im);
        }
        alone_add_root(k, 2 * k->m * t + first + ALONE_ON, re);
        alone_add_root(k, far + ALONE_BACK, lanes_reversed(k, im));
    }
}

/* The same of registers x[b] of sums, and y[b] of differences. */
static void finish_rows(const maker *k, int (*x)[MAX_LANES],
                        int (*y)[MAX_LANES], int first)
{
    const int v = k->v;
    int sums[2 * MOST_Q], less[2 * MOST_Q], back[MAX_LANES];
    if (alone_is_shared(k)) {
        lanes_columns(k, x[0], 0, v / 2, sums);
        lanes_columns(k, y[0], v / 2, v / 2, back);
        for (int l = 0; l < v / 2; ++l)
            less[l] = back[v / 2 - 1 - l];
    }
    for (int b = 0; b < k->pairs && !alone_is_shared(k); ++b) {
        lanes_columns(k, x[b], 0, v, sums + b * v);
        lanes_columns(k, y[b], 0, v, less + b * v);
    }
    finish_block(k, sums, less, first);
}

/* y[2 m i] from the sums' number 0. */
static void finish_ends(const maker *k, const int *zero)
{
    const int h = k->q / 2, most = h < k->v ? h : k->v;
    k->p->lone = k->p->root_count + 1;
    for (int first = 0; first < h; first += k->v) {
        int sum = dag_const(k->g, 0);
        for (int l = 0; l < h; ++l) {
            int from[MAX_LANES];
            for (int i = 0; i < k->v; ++i)
                from[i] = (h <= k->inside ? i / k->inside * k->inside : 0) +
                          l % most;
            const int x = zero[l / most];
            sum = dag_fma(k->g, lanes_choose(k, x, x, from),
                          alone_row_of_ends(k, l, first), sum);
        }
        alone_add_root(k, first, sum);
    }
}

void alone_second(const maker *k)
{
    const int m = k->m, v = k->v, zero = dag_const(k->g, 0);
    int c[MOST_PAIRS][MAX_RADIX], s[MOST_PAIRS][MAX_RADIX], ends[MOST_PAIRS];
    for (int b = 0; b < k->pairs; ++b) {
        transform_pairs(k, b, c[b], s[b]);
        ends[b] = c[b][0];
    }
    if (m < v)
        alone_second_short(k, c[0]);
    for (int block = 0; m >= v && block < alone_blocks(k); ++block) {
        const int first = alone_first(k, block);
        int x[MOST_PAIRS][MAX_LANES], y[MOST_PAIRS][MAX_LANES];
        for (int b = 0; b < k->pairs; ++b)
            for (int i = 0; i < v; ++i) {
                x[b][i] = first + i < m ? c[b][first + i] : zero;
                y[b][i] = (alone_is_shared(k) ? c : s)[b][m - first - i];
            }
        finish_rows(k, x, y, first);
    }
    finish_ends(k, ends);
}

/* The first of the loops over b, over blocks, and what comes after them. */
void alone_second_part(const maker *k, alone_part part)
{
    int x[MOST_PAIRS][MAX_LANES], y[MOST_PAIRS][MAX_LANES];
    if (part == ALONE_PAIRS) {
        int c[MAX_RADIX], s[MAX_RADIX];
        transform_pairs(k, 0, c, s);
        for (int i = 0; i < k->m; ++i) {
            alone_add_root(k, alone_scratch(k, 0, 0, i) + ALONE_ON, c[i]);
            alone_add_root(k, alone_scratch(k, 0, 1, i) + ALONE_ON, s[i]);
        }
        return;
    }
    for (int b = 0; b < k->pairs; ++b)
        for (int i = 0; i < k->v; ++i) {
            const int less = alone_scratch(k, b, 1, k->m - 1 - i);
            x[b][i] = dag_load(k->g, alone_scratch(k, b, 0, i + 1) + ALONE_ON);
            y[b][i] = dag_load(k->g, less + ALONE_BACK);
        }
    if (part == ALONE_BLOCKS) {
        finish_rows(k, x, y, 1);
        return;
    }
    int ends[MOST_PAIRS];
    for (int b = 0; b < k->pairs; ++b)
        ends[b] = dag_load(k->g, alone_scratch(k, b, 0, 0));
    finish_ends(k, ends);
}
