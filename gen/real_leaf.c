/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_leaf.c - what makes a complex leaf of length m one of n = 2m reals, in
 * its registers; see src/plan/rules/half.c for the formula.  With w the factor
 * of k, forward -i exp(-2 pi i k/n) / 2, inverse i exp(2 pi i k/n), and M the
 * element m - k (forward of Z, k taken mod m; inverse of X),
 *     result[k] = half (x[k] + conj M) + w (x[k] - conj M).
 *
 * Across, registers k and m - k meet and share their products.  Within,
 * elements k .. k + C - 1 meet those from m - k downwards, which are one
 * shuffle of two registers away.  Forward that shuffle is after the transform,
 * and half of the registers meet the other half: the mirror image of a result
 * is another with the same products, turned round and stored where it begins.
 * Inverse the shuffle turns round a second load of the input.
 */
#include "program.h"

#include "util.h"

#include <string.h>

typedef struct halves {
    int sum, difference; /* half (x + conj M), x - conj M */
} halves;

static halves meet(const builder *b, int x, int mirror)
{
    dag *g = b->g;
    const int sum = dag_alt_axpy(g, x, -1, mirror);
    return (halves){b->sign < 0 ? dag_mul(g, sum, dag_const(g, 0.5L)) : sum,
                    dag_alt_axpy(g, x, 1, mirror)};
}

/* Parts of w for k. */
static long double factor_re(const builder *b, int k, int n)
{
    return b->sign < 0 ? -turn_sin(k, n) / 2 : -turn_sin(k, n);
}

static long double factor_im(const builder *b, int k, int n)
{
    return b->sign < 0 ? -turn_cos(k, n) / 2 : turn_cos(k, n);
}

/* sum +- w difference, one k in all lanes. */
static int result_of(const builder *b, halves h, int sign, int k, int n)
{
    dag *g = b->g;
    const int x = dag_axpy(g, h.sum, sign * factor_re(b, k, n), h.difference);
    return dag_alt_axpy(g, x, sign * factor_im(b, k, n),
                        dag_swap(g, h.difference));
}

/* k conj x */
static int conjugate(const builder *b, long double k, int x)
{
    lanes signs;
    memset(&signs, 0, sizeof signs);
    for (int l = 0; l < b->g->width; ++l)
        signs.k[l] = l % 2 ? -k : k;
    return dag_mul(b->g, x, dag_vec(b->g, &signs));
}

void real_leaf_across(program *p, const builder *b, const cplx *y)
{
    const int m = p->radix;
    for (int k = 0; 2 * k <= m; ++k) {
        const halves h = meet(b, y[k].re, y[(m - k) % m].re);
        p->roots[k] = result_of(b, h, 1, k, 2 * m);
        if (2 * k < m)
            p->roots[m - k] = conjugate(b, 1, result_of(b, h, -1, k, 2 * m));
    }
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

/* Lane l holds element first + l/2. */
static int result_within(const builder *b, halves h, int first, int n)
{
    dag *g = b->g;
    lanes c, d;
    memset(&c, 0, sizeof c);
    memset(&d, 0, sizeof d);
    for (int l = 0; l < g->width; ++l) {
        const int k = first + l / 2;
        c.k[l] = factor_re(b, k, n);
        d.k[l] = (l % 2 ? 1 : -1) * factor_im(b, k, n);
    }
    const int x = dag_fma(g, h.difference, dag_vec(g, &c), h.sum);
    return dag_fma(g, dag_swap(g, h.difference), dag_vec(g, &d), x);
}

static void add_root(program *p, int place, int root)
{
    p->sinks[p->sink_count++] = (sink){p->root_count, 1};
    p->places[p->root_count] = place;
    p->roots[p->root_count++] = root;
}

/* Two stores: X[k ..], and from the same sum and product the conjugates of
 * those at m - k downwards, which are turned round. */
static void unpack_block(program *p, const builder *b, const int *at, int k)
{
    dag *g = b->g;
    const int m = p->radix, width = g->width, c = width / 2, n = 2 * m;
    int mirrored[MAX_LANES], back[MAX_LANES];
    lanes re, im;
    memset(&re, 0, sizeof re);
    memset(&im, 0, sizeof im);
    for (int l = 0; l < width; ++l) {
        const int i = k + l / 2;
        /* x[m - k], then below it */
        mirrored[l] = l < 2 ? width + l : width - l / 2 * 2 + l % 2;
        back[l] = width - 2 - l / 2 * 2 + l % 2;
        re.k[l] = factor_re(b, i, n);
        im.k[l] = (l % 2 ? 1 : -1) * factor_im(b, i, n);
    }
    const int x = at[k / c];
    const int mirror = choose(b, at[(m - k) / c - 1], at[(m - k) % m / c],
                              mirrored);
    const int sum = dag_alt_axpy(g, x, -1, mirror);
    const int difference = dag_alt_axpy(g, x, 1, mirror);
    const int product = dag_fma(g, dag_swap(g, difference), dag_vec(g, &im),
                                dag_mul(g, difference, dag_vec(g, &re)));
    const int low = dag_axpy(g, product, 0.5L, sum);
    const int high = dag_alt_axpy(g, conjugate(b, 0.5L, sum), 1, product);
    add_root(p, k, low);
    add_root(p, m - k - c + 1, choose(b, high, high, back));
}

void real_leaf_within(program *p, const builder *b)
{
    const int m = p->radix, c = b->g->width / 2;
    int at[MAX_RADIX]; /* by place / c */
    for (int i = 0; i < p->root_count; ++i)
        at[p->places[i] / c] = p->roots[i];
    p->root_count = p->sink_count = 0;
    for (int k = 0; 2 * k < m; k += c)
        unpack_block(p, b, at, k);
    p->lone = p->root_count;
    add_root(p, m / 2, conjugate(b, 1, at[m / 2 / c]));
}

int real_leg_across(const builder *b, int m, int j)
{
    dag *g = b->g;
    if (j > 0)
        return result_of(b, meet(b, dag_load(g, j), dag_load(g, m - j)), 1, j,
                         2 * m);
    /* Real parts only: (x + y, x - y). */
    int from[MAX_LANES];
    for (int l = 0; l < g->width; ++l)
        from[l] = l / 2 * 2;
    const int x = dag_load(g, 0), y = dag_load(g, m);
    return dag_alt_axpy(g, choose(b, x, x, from), -1, choose(b, y, y, from));
}

int real_leg_within(const builder *b, int m, int first)
{
    dag *g = b->g;
    const int width = g->width, c = width / 2;
    int x = dag_load(g, first), y = dag_load(g, m - first - c + 1);
    const int zero = dag_const(g, 0);
    int same[MAX_LANES], back[MAX_LANES];
    for (int l = 0; l < width; ++l) {
        same[l] = l;
        back[l] = width - 2 - l / 2 * 2 + l % 2;
    }
    if (first == 0) { /* imaginary parts that must not matter */
        same[1] = back[1] = width + 1;
        x = choose(b, x, zero, same);
        y = choose(b, y, zero, back);
    } else {
        y = choose(b, y, y, back);
    }
    return result_within(b, meet(b, x, y), first, 2 * m);
}
