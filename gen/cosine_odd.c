/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cosine_odd.c - cosine transforms of odd length n, as Fourier transforms of n reals
 * in another order.
 *
 * Type II: p = +-(2j+1), whichever is 1 mod 4, stands for element j, as the cosine does
 * not see the sign.  pk/4n = n pk/4 + pk/4 mod n (1/4 being that of n) up to whole
 * turns, and the first of the two is nk/4: so with X the transform of x in order of
 * p mod n, y[k] is a part of X[k/4 mod n], the imaginary one for odd k (Heideman,
 * "Computation of an odd-length DCT from a real-valued DFT of the same length", IEEE
 * Transactions on Signal Processing 40, 1992).  Type III is that network transposed.
 * Type IV: docs/math.md.
 */
#include "cosine.h"

#include "num/num.h"
#include "util.h"

/* X[f] of reals; one of each pair of conjugates, such that all of them want half of
 * the columns that algebra.c makes of prime powers and of coprime factors. */
typedef struct spectrum {
    int n, columns;
    cplx at[MAX_RADIX];
} spectrum;

static void transform(const builder *b, int n, const cplx *legs, spectrum *s)
{
    s->n = n;
    s->columns = algebra_columns(n);
    algebra_dft(b, n, algebra_leg, (void *)legs, s->at);
}

static cplx number(const builder *b, const spectrum *s, int f)
{
    const int back = (s->n - f) % s->n, m = s->columns;
    if (f % m < back % m || (f % m == back % m && f < back))
        return s->at[f];
    return cplx_split(s->at[back].re, dag_neg(b->g, s->at[back].im));
}

/* x with x part = 1 mod n. */
static int inverse_of(int part, int n)
{
    int x = 1;
    while (part * x % n != 1 % n)
        ++x;
    return x;
}

void cosine_odd_second(const builder *b, int n, const int *x, int *y)
{
    const int quarter = inverse_of(4, n);
    cplx legs[MAX_RADIX];
    spectrum s;
    for (int j = 0; j < n; ++j) {
        const int p = j % 2 ? 4 * n - (2 * j + 1) : 2 * j + 1;
        legs[p % n] = cplx_split(x[j], dag_const(b->g, 0));
    }
    transform(b, n, legs, &s);
    for (int k = 0; k < n; ++k) {
        const cplx z = number(b, &s, quarter * k % n);
        const int part = k % 2 ? z.im : z.re;
        y[k] = n * k % 4 < 2 ? part : dag_neg(b->g, part);
    }
}

void cosine_odd_third(const builder *b, int n, const int *x, int *y)
{
    dag *forth = dag_new(b->g->width);
    const builder to = {forth, 0, b->sign};
    int in[MAX_RADIX], out[MAX_RADIX];
    for (int j = 0; j < n; ++j)
        in[j] = dag_load(forth, 2 * j);
    cosine_odd_second(&to, n, in, out);
    dag_transpose(forth, out, n, b->g, x, y);
}

void cosine_odd_fourth(const builder *b, int n, const int *x, int *y)
{
    dag *g = b->g;
    const int eighth = inverse_of(8, n), way = n % 8;
    cplx legs[MAX_RADIX];
    spectrum s;
    bool negative;
    for (int j = 0; j < n; ++j) {
        const int a = (int)(wf_residue_of_eighths(n, j, &negative) % n);
        legs[a] = cplx_split(negative ? dag_neg(g, x[j]) : x[j],
                             dag_const(g, 0));
    }
    transform(b, n, legs, &s);
    for (int k = 0; k < n; ++k) {
        const int a = (int)(wf_residue_of_eighths(n, k, &negative) % n);
        const int q = eighth * a % n;
        const int back = way == 1 || way == 5;
        const cplx z = number(b, &s, back ? (n - q) % n : q);
        negative ^= way == 3 || way == 5;
        y[k] = negative ? dag_sub(g, z.im, z.re) : dag_sub(g, z.re, z.im);
    }
}
