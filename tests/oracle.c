/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle.c - see oracle.h.  The transforms are in oracle_fft.h and
 * oracle_real.h, here three times: in 113 bits, in 64 for doubles, in 53 for
 * floats.
 */
#include "oracle.h"

#include <float.h>
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
#undef REAL
#undef NAME

_Static_assert(LDBL_MANT_DIG >= 64, "doubles would be checked by doubles");
#define REAL long double
#define NAME(x) long_##x
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

void oracle_root(int64_t k, int64_t n, oracle_quad *re, oracle_quad *im)
{
    const quad_value w = quad_root(k, n);
    *re = w.re;
    *im = -w.im;
}

void oracle_transform(weft_type type, bool inverse, int rank, const int64_t *n,
                      const double *in, double *hi, double *lo)
{
    if (type == WEFT_F64)
        long_transform(inverse, rank, n, in, hi, lo);
    else
        double_transform(inverse, rank, n, in, hi, lo);
}

void oracle_exact(bool inverse, int rank, const int64_t *n, const double *in,
                  double *hi, double *lo)
{
    quad_transform(inverse, rank, n, in, hi, lo);
}

void oracle_r2r(weft_type type, bool ortho, int rank, const int64_t *n,
                const weft_kind *kinds, const double *in, double *hi,
                double *lo)
{
    if (type == WEFT_F64)
        long_r2r(ortho, rank, n, kinds, in, hi, lo);
    else
        double_r2r(ortho, rank, n, kinds, in, hi, lo);
}

void oracle_cosines_and_sines(weft_type type, int which, int64_t n,
                              const double *x, const double *y,
                              const oracle_split *c, const oracle_split *s)
{
    if (type == WEFT_F64)
        long_cosines_and_sines(which, n, x, y, c, s);
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
    const long double factor = (long double)scale;
    double error = 0, norm = 0, largest = 0;
    for (int64_t k = 0; k < n; k++) {
        double square = 0;
        for (int64_t i = 2 * k; i < 2 * k + 2; i++) {
            double d = got[i] - hi[i], w = hi[i]; /* d is exact when small */
            if (lo)
                d -= lo[i];
            if (factor != 1) {
                long double want = hi[i];
                want = factor * (lo ? want + lo[i] : want);
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
