/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle.c - see oracle.h.  The transforms are in oracle_fft.h and
 * oracle_real.h, here twice: in 113 bits for doubles, in 53 for floats.
 */
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1024, DIRECT_LIMIT = 41 };

static void *need(size_t bytes)
{
    void *block = calloc(1, bytes ? bytes : 1);
    if (!block) {
        fprintf(stderr, "oracle: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    return block;
}

/* 4 while it divides, then the smallest prime. */
static int64_t next_factor(int64_t n)
{
    if (n % 4 == 0)
        return 4;
    if (n % 2 == 0)
        return 2;
    for (int64_t p = 3; p * p <= n; p += 2)
        if (n % p == 0)
            return p;
    return n;
}

/* ---- Roots -------------------------------------------------------------- */

/* sum (-1)^k x^(2k+first) / (2k+first)!, |x| <= pi/4: the term of degree 32
 * is below 2e-39. */
static oracle_quad series(oracle_quad x, int first)
{
    static oracle_quad inverse[33];
    if (inverse[0] == 0) {
        inverse[0] = 1;
        for (int k = 1; k <= 32; k++)
            inverse[k] = inverse[k - 1] / k;
    }
    oracle_quad sum = 0, square = x * x;
    for (int k = 30 + first; k >= first; k -= 2)
        sum = inverse[k] - square * sum;
    return first ? x * sum : sum;
}

void oracle_root(int64_t k, int64_t n, oracle_quad *re, oracle_quad *im)
{
    /* pi to 161 bits, as the sum of the three nearest doubles. */
    const oracle_quad pi = (oracle_quad)0x1.921fb54442d18p+1 +
                           (oracle_quad)0x1.1a62633145c07p-53 +
                           (oracle_quad)-0x1.f1976b7ed8fbcp-109;
    int64_t octant = 8 * k / n, rest = 8 * k - octant * n;
    if (octant & 1)
        rest = n - rest;
    oracle_quad x = pi * rest / (4 * (oracle_quad)n);
    oracle_quad c = series(x, 0), s = series(x, 1);
    const oracle_quad cosines[8] = {c, s, -s, -c, -c, -s, s, c};
    const oracle_quad sines[8] = {s, c, c, s, -s, -c, -c, -s};
    *re = cosines[octant];
    *im = sines[octant];
}

/* ---- Transforms --------------------------------------------------------- */

/* One Newton step from the double's root doubles its 53 bits. */
static oracle_quad square_root(oracle_quad x)
{
    oracle_quad r = sqrt((double)x);
    r = (r + x / r) / 2;
    return (r + x / r) / 2;
}

int64_t oracle_period(weft_kind kind, int64_t n)
{
    switch (kind) {
    case WEFT_REDFT00: return 2 * (n - 1);
    case WEFT_RODFT00: return 2 * (n + 1);
    default: return kind >= WEFT_REDFT01 && kind < WEFT_R2R ? 2 * n : n;
    }
}

#define REAL oracle_quad
#define NAME(x) quad_##x
#include "oracle_fft.h"
#include "oracle_real.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(x) double_##x
#include "oracle_fft.h"
#include "oracle_real.h"
#undef REAL
#undef NAME

void oracle_transform(weft_type type, bool inverse, int rank, const int64_t *n,
                      const double *in, double *hi, double *lo)
{
    if (type == WEFT_F64)
        quad_transform(inverse, rank, n, in, hi, lo);
    else
        double_transform(inverse, rank, n, in, hi, lo);
}

void oracle_r2r(weft_type type, bool ortho, int rank, const int64_t *n,
                const weft_kind *kinds, const double *in, double *hi,
                double *lo)
{
    if (type == WEFT_F64)
        quad_r2r(ortho, rank, n, kinds, in, hi, lo);
    else
        double_r2r(ortho, rank, n, kinds, in, hi, lo);
}

void oracle_cosines_and_sines(weft_type type, int which, int64_t n,
                              const double *x, const double *y,
                              const oracle_split *c, const oracle_split *s)
{
    if (type == WEFT_F64)
        quad_cosines_and_sines(which, n, x, y, c, s);
    else
        double_cosines_and_sines(which, n, x, y, c, s);
}

void oracle_reverse(int64_t n, const double *in, double *out)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t from = k ? n - k : 0;
        out[2 * k] = in[2 * from];
        out[2 * k + 1] = in[2 * from + 1];
    }
}

/* ---- Comparison --------------------------------------------------------- */

/* Each dimension counts by its own kind: some are forward or inverse whatever
 * the sign says. */
oracle_quad oracle_scale(const weft_problem *problem)
{
    oracle_quad forward = 1, inverse = 1;
    for (int d = 0; d < problem->rank; d++) {
        weft_kind kind = problem->kind == WEFT_R2R ? problem->kinds[d]
                                                   : problem->kind;
        bool back = problem->sign == WEFT_INVERSE;
        back |= kind == WEFT_C2R || kind == WEFT_HC2R;
        back &= kind != WEFT_R2C && kind != WEFT_R2HC;
        *(back ? &inverse : &forward) *= oracle_period(kind,
                                                       problem->dims[d].n);
    }
    switch (problem->norm) {
    case WEFT_NORM_BACKWARD: return 1 / inverse;
    case WEFT_NORM_FORWARD: return 1 / forward;
    case WEFT_NORM_ORTHO: return 1 / square_root(forward * inverse);
    case WEFT_NORM_SCALE: return problem->scale;
    default: return 1;
    }
}

oracle_error oracle_compare(int64_t n, const double *got, const double *hi,
                            const double *lo, oracle_quad scale)
{
    double error = 0, norm = 0, largest = 0;
    for (int64_t k = 0; k < n; k++) {
        double square = 0;
        for (int64_t i = 2 * k; i < 2 * k + 2; i++) {
            double d = got[i] - hi[i], w = hi[i]; /* d is exact when small */
            if (lo)
                d -= lo[i];
            if (scale != 1) {
                oracle_quad want = hi[i];
                want = scale * (lo ? want + lo[i] : want);
                d = (double)(got[i] - want);
                w = (double)want;
            }
            square += d * d;
            norm += w * w;
        }
        error += square;
        if (!(square <= largest)) /* also when it is not a number */
            largest = square;
    }
    if (!(error <= HUGE_VAL) || !isfinite(error))
        return (oracle_error){HUGE_VAL, HUGE_VAL};
    if (norm == 0)
        return (oracle_error){sqrt(error), sqrt(largest)};
    return (oracle_error){sqrt(error / norm),
                          sqrt(largest / norm * (double)n)};
}

double oracle_bar(weft_type type, int rank, const int64_t *n)
{
    const double unit = type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
    double bits = 0;
    for (int d = 0; d < rank; d++) {
        int64_t rest = n[d];
        for (int64_t p = 2; p <= 13; p++)
            while (rest % p == 0)
                rest /= p;
        if (rest > 1)
            return 5 * unit;
        bits += log2((double)n[d]);
    }
    return unit * (0.6 * sqrt(bits) + 1);
}

/* If the N errors were independent and normal, the largest would be near
 * sqrt(ln N) times their root mean square (each is complex); twice that and
 * one more is never met by chance. */
double oracle_bar_max(weft_type type, int rank, const int64_t *n)
{
    double total = 1;
    for (int d = 0; d < rank; d++)
        total *= (double)n[d];
    return oracle_bar(type, rank, n) * (2 * sqrt(log(total)) + 2);
}

/* ---- Noise -------------------------------------------------------------- */

double oracle_sample(noise_state *noise, weft_type type)
{
    double x = noise_real(noise);
    return type == WEFT_F32 ? (double)(float)x : x;
}
