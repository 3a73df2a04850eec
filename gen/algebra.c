/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algebra.c - small Fourier transforms of any size as graphs.
 *
 *   powers of two    decimation in time by radix 4, depth first
 *   coprime factors  Good-Thomas: two index maps, no rotation at all
 *   prime powers     Cooley-Tukey
 *   odd primes       sums and differences of the legs j and p - j, then one
 *                    real matrix for each: all fused multiply-adds
 *
 * Invariant: leg 0 of every transform is never rotated, so its scale and
 * power are those of the outputs.
 */
#include "algebra.h"

#include "util.h"

#include <stdlib.h>

/* A view of the legs: element i of the view is leg (start + i*step) mod n. */
typedef struct view {
    leg_fn *leg;
    void *context;
    long start, step, n;
} view;

static void dft(const builder *b, int n, const view *x, cplx *y);

static cplx take(const view *x, int i)
{
    return x->leg(x->context, (int)((x->start + i * x->step) % x->n));
}

static view part(const view *x, long start, long step)
{
    view v = *x;
    v.start = (x->start + start * x->step) % x->n;
    v.step = x->step * step % x->n;
    return v;
}

/* Multiplication by the fourth root of unity of the transform's sign. */
static cplx times_root4(const builder *b, cplx a)
{
    return cplx_times_i(b, a, b->sign);
}

static void butterfly2(const builder *b, cplx x0, cplx x1, cplx *y0, cplx *y1)
{
    *y0 = cplx_axpy(b, x0, 1, x1);
    *y1 = cplx_axpy(b, x0, -1, x1);
}

/* n = 2m: y[k], y[k+m] = even[k] +- w^k odd[k]. */
static void step2(const builder *b, int n, const view *x, cplx *y)
{
    const int m = n / 2;
    cplx sub[2][MAX_RADIX];
    for (int a = 0; a < 2; ++a) {
        const view v = part(x, a, 2);
        dft(b, m, &v, sub[a]);
    }
    for (int k = 0; k < m; ++k)
        butterfly2(b, sub[0][k], cplx_rotate(b, sub[1][k], k, n), &y[k],
                   &y[k + m]);
}

/* n = 4m.  The pairs (0, 2) and (1, 3) meet first, so that a rotation's
 * scale is absorbed at the first meeting. */
static void step4(const builder *b, int n, const view *x, cplx *y)
{
    const int m = n / 4;
    cplx sub[4][MAX_RADIX];
    for (int a = 0; a < 4; ++a) {
        const view v = part(x, a, 4);
        dft(b, m, &v, sub[a]);
    }
    for (int k = 0; k < m; ++k) {
        cplx s02, d02, s13, d13;
        butterfly2(b, sub[0][k], cplx_rotate(b, sub[2][k], 2 * k, n), &s02,
                   &d02);
        butterfly2(b, cplx_rotate(b, sub[1][k], k, n),
                   cplx_rotate(b, sub[3][k], 3 * k, n), &s13, &d13);
        butterfly2(b, s02, s13, &y[k], &y[k + 2 * m]);
        butterfly2(b, d02, times_root4(b, d13), &y[k + m], &y[k + 3 * m]);
    }
}

/* Columns of a prime's matrices computed together.  1 reads every leg from
 * memory for every column; many spill.  Of 1 2 3 4 5 8, 3 was best or next
 * to it with 16 and with 32 registers (p = 31: 210 -> 153 ns AVX2, 190 -> 160
 * AVX-512). */
enum { PRIME_BLOCK = 3 };

/*
 * The symmetric matrices of an odd prime p.  With s[j] = x[j] + x[p-j] and
 * d[j] = x[j] - x[p-j], j = 1..h:
 *     A[k] = x[0] + sum_j cos(2 pi jk/p) s[j]
 *     B[k] =        sum_j sin(2 pi jk/p) d[j]
 *     y[k], y[p-k] = A[k] +- sign i B[k]
 * B is summed divided by its largest coefficient, which makes the first
 * product free and is repaid in the last fused operation.
 */
static void meet_prime(const builder *b, int p, const cplx *x, cplx *y)
{
    const int h = (p - 1) / 2;
    cplx s[MAX_RADIX], d[MAX_RADIX];
    for (int j = 1; j <= h; ++j)
        butterfly2(b, x[j], x[p - j], &s[j], &d[j]);
    y[0] = x[0];
    for (int j = 1; j <= h; ++j)
        y[0] = cplx_axpy(b, y[0], 1, s[j]);
    const int top = (p + 2) / 4; /* 2 pi top/p is nearest to a quarter turn */
    /* Columns of the matrices go in blocks: a leg is read once for each. */
    const int block = h < 5 ? 1 : PRIME_BLOCK;
    for (int first = 1; first <= h; first += block) {
        const int end = first + block <= h + 1 ? first + block : h + 1;
        cplx even[MAX_RADIX], odd[MAX_RADIX];
        int lead[MAX_RADIX];
        for (int k = first; k < end; ++k) {
            even[k] = x[0];
            lead[k] = 1;
            while (lead[k] * k % p != top && lead[k] * k % p != p - top)
                ++lead[k];
            odd[k] = d[lead[k]];
        }
        for (int j = 1; j <= h; ++j)
            for (int k = first; k < end; ++k)
                even[k] = cplx_axpy(b, even[k], turn_cos((long)j * k, p),
                                    s[j]);
        for (int j = 1; j <= h; ++j)
            for (int k = first; k < end; ++k)
                if (j != lead[k])
                    odd[k] = cplx_axpy(b, odd[k],
                                       turn_sin((long)j * k, p) /
                                           turn_sin((long)lead[k] * k, p),
                                       d[j]);
        for (int k = first; k < end; ++k) {
            const cplx turned = times_root4(b, odd[k]);
            const long double c = turn_sin((long)lead[k] * k, p);
            y[k] = cplx_axpy(b, even[k], c, turned);
            y[p - k] = cplx_axpy(b, even[k], -c, turned);
        }
    }
}

/* n = p^e: p transforms of m = n/p, rotations, then m of the prime p. */
static void step_prime(const builder *b, int n, int p, const view *x, cplx *y)
{
    const int m = n / p;
    cplx(*sub)[MAX_RADIX] = gen_alloc((size_t)p * sizeof *sub);
    for (int a = 0; a < p; ++a) {
        const view v = part(x, a, p);
        dft(b, m, &v, sub[a]);
    }
    for (int k = 0; k < m; ++k) {
        cplx legs[MAX_RADIX], out[MAX_RADIX];
        for (int a = 0; a < p; ++a)
            legs[a] = cplx_rotate(b, sub[a][k], (long)a * k, n);
        meet_prime(b, p, legs, out);
        for (int a = 0; a < p; ++a)
            y[k + a * m] = out[a];
    }
    free(sub);
}

cplx algebra_leg(void *context, int j)
{
    return ((const cplx *)context)[j];
}

/* n = p*q, coprime: x[(q i + p j) mod n] are the legs of a p by q transform
 * whose output (k mod p, k mod q) is y[k]. */
static void step_coprime(const builder *b, int n, int p, const view *x,
                         cplx *y)
{
    const int q = n / p;
    cplx(*sub)[MAX_RADIX] = gen_alloc((size_t)p * sizeof *sub);
    for (int i = 0; i < p; ++i) {
        const view v = part(x, (long)q * i, p);
        dft(b, q, &v, sub[i]);
    }
    for (int k2 = 0; k2 < q; ++k2) {
        cplx legs[MAX_RADIX], out[MAX_RADIX];
        for (int i = 0; i < p; ++i)
            legs[i] = sub[i][k2];
        const view v = {algebra_leg, legs, 0, 1, p};
        dft(b, p, &v, out);
        for (int k = k2; k < n; k += q)
            y[k] = out[k % p];
    }
    free(sub);
}

static int smallest_odd_prime(int n)
{
    for (int p = 3; p * p <= n; p += 2)
        if (n % p == 0)
            return p;
    return n;
}

int algebra_columns(int n)
{
    const int p = smallest_odd_prime(n);
    int power = 1;
    while (n / power % p == 0)
        power *= p;
    return power == n ? n / p : n / power;
}

static void dft(const builder *b, int n, const view *x, cplx *y)
{
    int odd = n;
    while (odd % 2 == 0)
        odd /= 2;
    if (n == 1) {
        y[0] = take(x, 0);
        return;
    }
    if (n == 2) {
        step2(b, n, x, y);
        return;
    }
    if (odd == 1) {
        step4(b, n, x, y);
        return;
    }
    const int p = smallest_odd_prime(odd);
    int power = 1;
    while (n / power % p == 0)
        power *= p;
    if (power == n)
        step_prime(b, n, p, x, y);
    else
        step_coprime(b, n, power, x, y);
}

void algebra_dft_scaled(const builder *b, int n, leg_fn *leg, void *context,
                        cplx *y)
{
    const view all = {leg, context, 0, 1, n};
    dft(b, n, &all, y);
}

void algebra_dft(const builder *b, int n, leg_fn *leg, void *context, cplx *y)
{
    algebra_dft_scaled(b, n, leg, context, y);
    for (int k = 0; k < n; ++k)
        y[k] = cplx_settle(b, y[k]);
}
