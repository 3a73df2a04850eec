/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone_short.c - the ends of a transform alone that has half as many frequencies
 * k as a register has lanes: n = 32 of floats in 256 bits, Q = 8, m = 4.
 *
 * A register has numbers of two l, or of two t, in its halves.  Transposed within
 * quarters, sums of l share one with differences of 3 - l, and the other way
 * round with its halves exchanged: rotated so, both are legs of the complex
 * transform of 4, those that meet in its first butterflies.
 */
#include "alone.h"

#include "util.h"

#include <string.h>

/* The distance from the lower to the upper half, in memory. */
static int two(int at, int distance)
{
    return at + ALONE_TWO + (distance + ALONE_FAR) * ALONE_DISTANCE;
}

static int exchanged(const maker *k, int x)
{
    return lanes_quarters(k, x, x, 1, 0, 0, 0);
}

/* Sum and difference of the halves, or of the upper and the lower one. */
static int meet(const maker *k, int x)
{
    return dag_fma(k->g, x, alone_halves(k), exchanged(k, x));
}

static int meet_back(const maker *k, int x)
{
    dag *g = k->g;
    return dag_fma(g, dag_neg(g, exchanged(k, x)), alone_halves(k), x);
}

/* In halves: k for t, and for t + 1. */
static int by_turn(const maker *k, int t, int sine)
{
    lanes v;
    memset(&v, 0, sizeof v);
    for (int i = 0; i < k->v; ++i) {
        const int u = t + 2 * i / k->v;
        v.k[i] = sine ? turn_sin(u, 2 * k->q) : turn_cos(u, 2 * k->q);
    }
    return dag_vec(k->g, &v);
}

static int reversed(const maker *k, int x)
{
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i)
        from[i] = i / k->inside * k->inside + k->inside - 1 - i % k->inside;
    return lanes_choose(k, x, x, from);
}

/* ---- Type II: from c, registers of sums and differences ------------------- */

/* Outputs of t and t + 1. */
static void store_two(const maker *k, int t, int re, int im)
{
    dag *g = k->g;
    const int at = 2 * k->m * t + 1, far = k->n - 2 * k->m * t - k->m;
    const int c = by_turn(k, t, 0), s = by_turn(k, t, 1);
    const int x = dag_fma(g, dag_neg(g, im), s, dag_mul(g, re, c));
    const int y = dag_fma(g, re, s, dag_mul(g, im, c));
    const int z = dag_mul(g, y, alone_spread(k, ALONE_SIGN));
    alone_add_root(k, two(at, 2 * k->m), x);
    alone_add_root(k, two(far, -2 * k->m), reversed(k, z));
}

void alone_second_short(const maker *k, const int *c)
{
    dag *g = k->g;
    int x[4], re[2], im[2];
    for (int i = 0; i < 4; ++i)
        x[i] = lanes_quarters(k, i < 3 ? c[i + 1] : dag_const(g, 0), c[3 - i],
                              0, 3, 0, 0);
    lanes_transpose(k, x);
    for (int l = 0; l < 2; ++l) {
        const int y = exchanged(k, x[3 - l]);
        const int a = dag_mul(g, x[l], alone_factor(k, l, 0, 1));
        const int b = dag_mul(g, x[l], alone_factor(k, l, 3, 1));
        re[l] = meet(k, dag_fma(g, y, alone_factor(k, l, 1, 1), a));
        im[l] = meet(k, dag_fma(g, y, alone_factor(k, l, 2, 1), b));
    }
    /* s13 and -i d13 */
    const int turned_re = lanes_quarters(k, re[1], im[1], 0, 3, 0, 0);
    const int turned_im = lanes_quarters(k, im[1], re[1], 0, 3, 0, 0);
    const int sign = alone_halves(k);
    store_two(k, 0, dag_add(g, re[0], turned_re),
              dag_fma(g, turned_im, sign, im[0]));
    store_two(k, 2, dag_sub(g, re[0], turned_re),
              dag_fma(g, dag_neg(g, turned_im), sign, im[0]));
}

/* ---- Type III: to c, number 0 of which has `ends` for its sums ------------- */

static void load_two(const maker *k, int t, int *re, int *im)
{
    dag *g = k->g;
    const int at = 2 * k->m * t + 1, far = k->n - 2 * k->m * t - k->m;
    const int c = by_turn(k, t, 0), s = by_turn(k, t, 1);
    const int x = dag_load(g, two(at, 2 * k->m));
    const int y = reversed(k, dag_load(g, two(far, -2 * k->m)));
    const int z = dag_mul(g, y, alone_spread(k, ALONE_SIGN));
    *re = dag_fma(g, z, s, dag_mul(g, x, c));
    *im = dag_fma(g, dag_neg(g, x), s, dag_mul(g, z, c));
}

void alone_third_short(const maker *k, int ends, int *c)
{
    dag *g = k->g;
    int u[2], v[2], x[4], re[2], im[2];
    load_two(k, 0, &u[0], &u[1]);
    load_two(k, 2, &v[0], &v[1]);
    const int less_re = dag_sub(g, u[0], v[0]);
    const int less_im = dag_sub(g, u[1], v[1]);
    re[0] = meet(k, dag_add(g, u[0], v[0]));
    im[0] = meet(k, dag_add(g, u[1], v[1]));
    re[1] = meet_back(k, lanes_quarters(k, less_re, less_im, 0, 3, 0, 0));
    im[1] = meet(k, lanes_quarters(k, less_im, less_re, 0, 3, 0, 0));
    for (int l = 0; l < 2; ++l) {
        const int a = dag_mul(g, re[l], alone_factor(k, l, 0, 1));
        const int b = dag_mul(g, re[l], alone_factor(k, l, 1, 1));
        x[l] = dag_fma(g, im[l], alone_factor(k, l, 3, 1), a);
        x[3 - l] = exchanged(k,
                             dag_fma(g, im[l], alone_factor(k, l, 2, 1), b));
    }
    lanes_transpose(k, x);
    c[0] = lanes_quarters(k, ends, x[3], 0, 3, 0, 0);
    for (int i = 1; i < 4; ++i)
        c[i] = lanes_quarters(k, x[i - 1], x[3 - i], 0, 3, 0, 0);
}
