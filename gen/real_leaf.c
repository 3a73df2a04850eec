/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_leaf.c - what makes a complex leaf of length m one of n = 2m reals, in
 * its registers; see src/plan/rules/half.c for the formula.  With w the factor
 * of k, forward -i exp(-2 pi i k/n) / 2, inverse i exp(2 pi i k/n), and M the
 * element m - k (forward of Z, k taken mod m; inverse of X),
 *     result[k] = half (x[k] + conj M) + w (x[k] - conj M),
 *     result[m - k] = conj(half (x[k] + conj M) - w (x[k] - conj M)).
 *
 * So half of the registers meet the other half, and both results share their
 * products.  Across these are registers k and m - k.  Within, elements k .. k +
 * C - 1 meet those from m - k downwards, which are one shuffle of two registers
 * away, inverse of one load; the mirrored results begin in the middle of a block,
 * so the first of the next, from another such pair, moves in from above.
 */
#include "program.h"

#include "util.h"

#include <string.h>

typedef struct halves {
    int sum, product; /* x + conj M; w (x - conj M) */
} halves;

/* even, odd, even, ... */
static int turns(const builder *b, long double even, long double odd)
{
    lanes v;
    memset(&v, 0, sizeof v);
    for (int l = 0; l < b->g->width; ++l)
        v.k[l] = l % 2 ? odd : even;
    return dag_vec(b->g, &v);
}

static int sum_of(const builder *b, int x, int mirror)
{
    return dag_fma(b->g, turns(b, 1, -1), mirror, x);
}

static int difference_of(const builder *b, int x, int mirror)
{
    return dag_fma(b->g, turns(b, 1, -1), mirror, dag_neg(b->g, x));
}

/* Parts of -w for k; the first is no less than 0. */
static long double factor_re(const builder *b, int k, int n)
{
    return b->sign < 0 ? turn_sin(k, n) / 2 : turn_sin(k, n);
}

static long double factor_im(const builder *b, int k, int n)
{
    return b->sign < 0 ? turn_cos(k, n) / 2 : -turn_cos(k, n);
}

/* result[k] */
static int low_of(const builder *b, halves h)
{
    return b->sign < 0 ? dag_axpy(b->g, h.product, 0.5L, h.sum)
                       : dag_add(b->g, h.sum, h.product);
}

/* result[m - k], which is conj(half sum - product). */
static int high_of(const builder *b, halves h)
{
    const long double half = b->sign < 0 ? 0.5L : 1;
    return dag_fmalt(b->g, h.sum, turns(b, half, -half), h.product);
}

/* result[m/2] */
static int middle_of(const builder *b, int x)
{
    const long double k = b->sign < 0 ? 1 : 2;
    return dag_mul(b->g, x, turns(b, k, -k));
}

/* Lanes of a and b chosen by number; lanes of b begin at `width`. */
static int choose(const builder *b, int x, int y, const int *from)
{
    pattern p;
    memset(&p, 0, sizeof p);
    for (int l = 0; l < b->g->width; ++l)
        p.src[l] = (signed char)from[l];
    return dag_shuffle(b->g, x, y, &p);
}

/* ---- Across: one k > 0 in all lanes --------------------------------------- */

static halves meet_across(const builder *b, int x, int mirror, int k, int n)
{
    dag *g = b->g;
    const int difference = difference_of(b, x, mirror);
    const int part = dag_mul(g, dag_const(g, factor_re(b, k, n)), difference);
    return (halves){sum_of(b, x, mirror),
                    dag_alt_axpy(g, part, factor_im(b, k, n),
                                 dag_swap(g, difference))};
}

void real_leaf_across(program *p, const builder *b, const cplx *y)
{
    dag *g = b->g;
    const int m = p->radix, real = turns(b, 1, 0);
    const int re = dag_mul(g, y[0].re, real), im = dag_swap(g, y[0].re);
    p->roots[0] = dag_fma(g, im, real, re);
    p->roots[m] = dag_fma(g, dag_neg(g, im), real, re);
    for (int k = 1; 2 * k < m; ++k) {
        const halves h = meet_across(b, y[k].re, y[m - k].re, k, 2 * m);
        p->roots[k] = low_of(b, h);
        p->roots[m - k] = high_of(b, h);
    }
    if (m % 2 == 0)
        p->roots[m / 2] = middle_of(b, y[m / 2].re);
}

int real_leg_across(const builder *b, int m, int j)
{
    dag *g = b->g;
    const int k = 2 * j > m ? m - j : j;
    if (j > 0 && 2 * j == m)
        return middle_of(b, dag_load(g, j));
    if (j > 0) {
        const halves h = meet_across(b, dag_load(g, k), dag_load(g, m - k), k,
                                     2 * m);
        return j == k ? low_of(b, h) : high_of(b, h);
    }
    /* Real parts only: (x + y, x - y). */
    int from[MAX_LANES];
    for (int l = 0; l < g->width; ++l)
        from[l] = l / 2 * 2;
    const int x = dag_load(g, 0), y = dag_load(g, m);
    return dag_fma(g, turns(b, 1, -1), choose(b, y, y, from),
                   choose(b, x, x, from));
}

/* ---- Within: lane l holds element k + l/2 --------------------------------- */

static halves meet_within(const builder *b, int x, int mirror, int k, int n)
{
    dag *g = b->g;
    lanes re, im;
    memset(&re, 0, sizeof re);
    memset(&im, 0, sizeof im);
    for (int l = 0; l < g->width; ++l) {
        re.k[l] = factor_re(b, k + l / 2, n);
        im.k[l] = (l % 2 ? 1 : -1) * factor_im(b, k + l / 2, n);
    }
    const int difference = difference_of(b, x, mirror);
    const int part = dag_mul(g, difference, dag_vec(g, &re));
    return (halves){sum_of(b, x, mirror), dag_fma(g, dag_swap(g, difference),
                                                  dag_vec(g, &im), part)};
}

/* The first element of `next`, then the last of x and those below it. */
static int turned(const builder *b, int x, int next)
{
    const int width = b->g->width;
    int from[MAX_LANES];
    for (int l = 0; l < width; ++l)
        from[l] = l < 2 ? width + l : width - l / 2 * 2 + l % 2;
    return choose(b, x, next, from);
}

static void add_root(program *p, int place, int root)
{
    p->sinks[p->sink_count++] = (sink){p->root_count, 1};
    p->places[p->root_count] = place;
    p->roots[p->root_count++] = root;
}

void real_leaf_within(program *p, const builder *b)
{
    const int m = p->radix, c = b->g->width / 2;
    int at[MAX_RADIX]; /* by place / c */
    int before = -1;
    for (int i = 0; i < p->root_count; ++i)
        at[p->places[i] / c] = p->roots[i];
    p->root_count = p->sink_count = 0;
    for (int k = 0; 2 * k < m; k += c) {
        const int mirror = turned(b, at[(m - k) / c - 1], at[(m - k) % m / c]);
        const halves h = meet_within(b, at[k / c], mirror, k, 2 * m);
        const int high = high_of(b, h);
        add_root(p, k, low_of(b, h));
        p->lone = k ? p->lone : p->root_count;
        add_root(p, m - k, k ? turned(b, before, high) : high);
        before = high;
    }
    add_root(p, m / 2, turned(b, before, middle_of(b, at[m / 2 / c])));
}

/* Elements k .. of the input and, turned round, those that end with m - k. */
static halves load_within(const builder *b, int m, int k)
{
    dag *g = b->g;
    const int width = g->width, zero = dag_const(g, 0);
    int x = dag_load(g, k), y = dag_load(g, m - k - width / 2 + 1);
    int same[MAX_LANES], back[MAX_LANES];
    for (int l = 0; l < width; ++l) {
        same[l] = l;
        back[l] = width - 2 - l / 2 * 2 + l % 2;
    }
    if (k == 0) { /* imaginary parts that must not matter */
        same[1] = back[1] = width + 1;
        x = choose(b, x, zero, same);
    }
    y = choose(b, y, k ? y : zero, back);
    return meet_within(b, x, y, k, 2 * m);
}

void real_legs_within(const builder *b, int m, int *legs)
{
    const int c = b->g->width / 2;
    int before = -1;
    for (int k = 0; 2 * k < m; k += c) {
        const halves h = load_within(b, m, k);
        const int high = high_of(b, h);
        legs[k / c] = low_of(b, h);
        if (k)
            legs[(m - k) / c] = turned(b, before, high);
        before = high;
    }
    legs[m / 2 / c] = turned(b, before, middle_of(b, dag_load(b->g, m / 2)));
}
