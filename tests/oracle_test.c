/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle_test.c - who guards the guard: the oracle against sums written down
 * from the definition in 200-bit MPFR numbers, and against weft_reference.
 * Without MPFR only the second half runs.
 */
#include "check.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 2100 };

static double in[2 * LARGEST], hi[2 * LARGEST], lo[2 * LARGEST];

static void make_input(int64_t n, weft_type type)
{
    noise_state noise = {(uint64_t)n};
    for (int64_t i = 0; i < 2 * n; i++)
        in[i] = oracle_sample(&noise, type);
}

#ifdef WEFT_HAVE_MPFR
#include <mpfr.h>

enum { BITS = 200 };

static double mpfr_gap(mpfr_t exact, double high, double low)
{
    mpfr_t t;
    mpfr_init2(t, BITS);
    mpfr_sub_d(t, exact, high, MPFR_RNDN);
    mpfr_sub_d(t, t, low, MPFR_RNDN);
    double gap = fabs(mpfr_get_d(t, MPFR_RNDN));
    mpfr_clear(t);
    return gap;
}

static void angle(mpfr_t t, int64_t k, int64_t n)
{
    mpfr_const_pi(t, MPFR_RNDN);
    mpfr_mul_si(t, t, 2 * (long)k, MPFR_RNDN);
    mpfr_div_si(t, t, (long)n, MPFR_RNDN);
}

static void test_roots(void)
{
    static const int64_t sizes[] = {1,    2,     3,       4,
                                    5,    7,     8,       9,
                                    16,   24,    31,      100,
                                    1009, 65536, 1000003, INT64_C(1) << 40};
    mpfr_t t, c, s;
    mpfr_inits2(BITS, t, c, s, (mpfr_ptr)NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t n = sizes[i], step = n < 200 ? 1 : n / 97;
        for (int64_t k = 0; k < n; k += step) {
            oracle_quad re, im;
            oracle_root(k, n, &re, &im);
            angle(t, k, n);
            mpfr_sin_cos(s, c, t, MPFR_RNDN);
            double r = (double)re, q = (double)im;
            double gap = mpfr_gap(c, r, (double)(re - r)) +
                         mpfr_gap(s, q, (double)(im - q));
            CHECK(gap < 2e-32, "root %lld of %lld: off by %g", (long long)k,
                  (long long)n, gap);
        }
    }
    mpfr_clears(t, c, s, (mpfr_ptr)NULL);
}

/* One frequency from the definition, into re and im. */
static void sum_of(int64_t n, int64_t k, int sign, mpfr_t re, mpfr_t im)
{
    mpfr_t t, c, s;
    mpfr_inits2(BITS, t, c, s, (mpfr_ptr)NULL);
    mpfr_set_zero(re, 1);
    mpfr_set_zero(im, 1);
    for (int64_t j = 0; j < n; j++) {
        angle(t, j * k % n, n);
        mpfr_sin_cos(s, c, t, MPFR_RNDN);
        mpfr_mul_si(s, s, sign, MPFR_RNDN);
        mpfr_mul_d(t, c, in[2 * j], MPFR_RNDN);
        mpfr_add(re, re, t, MPFR_RNDN);
        mpfr_mul_d(t, s, in[2 * j + 1], MPFR_RNDN);
        mpfr_sub(re, re, t, MPFR_RNDN);
        mpfr_mul_d(t, c, in[2 * j + 1], MPFR_RNDN);
        mpfr_add(im, im, t, MPFR_RNDN);
        mpfr_mul_d(t, s, in[2 * j], MPFR_RNDN);
        mpfr_add(im, im, t, MPFR_RNDN);
    }
    mpfr_clears(t, c, s, (mpfr_ptr)NULL);
}

/* oracle_exact, or oracle_transform of the type. */
static void test_sums(int64_t n, bool exact, weft_type type, bool inverse)
{
    mpfr_t re, im;
    mpfr_inits2(BITS, re, im, (mpfr_ptr)NULL);
    const char *name = exact ? "exact" : type == WEFT_F64 ? "f64" : "f32";
    make_input(n, type);
    if (exact)
        oracle_exact(inverse, 1, &n, in, hi, lo);
    else
        oracle_transform(type, inverse, 1, &n, in, hi, lo);
    double bar = (exact              ? 1e-30
                  : type == WEFT_F64 ? 2e-18
                                     : 4e-15) *
                 sqrt((double)n);
    int64_t step = n <= 40 ? 1 : n / 13;
    for (int64_t k = 0; k < n; k += step) {
        sum_of(n, k, inverse ? 1 : -1, re, im);
        double gap = mpfr_gap(re, hi[2 * k], lo[2 * k]) +
                     mpfr_gap(im, hi[2 * k + 1], lo[2 * k + 1]);
        CHECK(gap < bar, "n %lld, %s, k %lld: off by %g", (long long)n, name,
              (long long)k, gap);
    }
    mpfr_clears(re, im, (mpfr_ptr)NULL);
}

/* ---- The real kinds, each from its line in weft.h ------------------------ */

/* factor * cos or sin (2 pi num / den) x into sum. */
static void add_wave(mpfr_t sum, bool sine, int64_t num, int64_t den,
                     double factor)
{
    mpfr_t t;
    mpfr_init2(t, BITS);
    angle(t, num % den, den);
    if (sine)
        mpfr_sin(t, t, MPFR_RNDN);
    else
        mpfr_cos(t, t, MPFR_RNDN);
    mpfr_mul_d(t, t, factor, MPFR_RNDN);
    mpfr_add(sum, sum, t, MPFR_RNDN);
    mpfr_clear(t);
}

/* Element k of the transform of in[0..n-1]. */
static void real_sum(weft_kind kind, int64_t n, int64_t k, mpfr_t sum)
{
    const int64_t last = n - 1, odd = k % 2 ? -1 : 1;
    mpfr_set_zero(sum, 1);
    for (int64_t j = 0; j < n; j++) {
        double x = in[j];
        switch (kind) {
        case WEFT_R2HC:
            if (2 * k <= n)
                add_wave(sum, false, j * k, n, x);
            else
                add_wave(sum, true, j * (n - k), n, -x);
            break;
        case WEFT_HC2R:
            if (j == 0 || 2 * j == n)
                add_wave(sum, false, j * k, n, x);
            else if (2 * j < n)
                add_wave(sum, false, j * k, n, 2 * x);
            else
                add_wave(sum, true, (n - j) * k, n, -2 * x);
            break;
        case WEFT_DHT:
            add_wave(sum, false, j * k, n, x);
            add_wave(sum, true, j * k, n, x);
            break;
        case WEFT_REDFT00:
            add_wave(sum, false, j * k, 2 * last,
                     j == 0 || j == last ? x : 2 * x);
            break;
        case WEFT_REDFT10:
            add_wave(sum, false, (2 * j + 1) * k, 4 * n, 2 * x);
            break;
        case WEFT_REDFT01:
            add_wave(sum, false, j * (2 * k + 1), 4 * n, j == 0 ? x : 2 * x);
            break;
        case WEFT_REDFT11:
            add_wave(sum, false, (2 * j + 1) * (2 * k + 1), 8 * n, 2 * x);
            break;
        case WEFT_RODFT00:
            add_wave(sum, true, (j + 1) * (k + 1), 2 * (n + 1), 2 * x);
            break;
        case WEFT_RODFT10:
            add_wave(sum, true, (2 * j + 1) * (k + 1), 4 * n, 2 * x);
            break;
        case WEFT_RODFT01:
            if (j == last)
                mpfr_add_d(sum, sum, (double)odd * x, MPFR_RNDN);
            else
                add_wave(sum, true, (j + 1) * (2 * k + 1), 4 * n, 2 * x);
            break;
        default: /* RODFT11 */
            add_wave(sum, true, (2 * j + 1) * (2 * k + 1), 8 * n, 2 * x);
        }
    }
}

static void test_real_sums(weft_type type, weft_kind kind, int64_t n)
{
    if (kind == WEFT_REDFT00 && n == 1) /* not defined */
        return;
    mpfr_t sum;
    mpfr_init2(sum, BITS);
    make_input(n, type);
    oracle_r2r(type, false, 1, &n, &kind, in, hi, lo);
    double bar = (type == WEFT_F64 ? 8e-18 : 1e-14) * sqrt((double)n);
    int64_t step = n <= 40 ? 1 : n / 13;
    for (int64_t k = 0; k < n; k += step) {
        real_sum(kind, n, k, sum);
        double gap = mpfr_gap(sum, hi[k], lo[k]);
        CHECK(gap < bar, "kind %d, n %lld, %s, k %lld: off by %g", kind,
              (long long)n, type == WEFT_F64 ? "f64" : "f32", (long long)k,
              gap);
    }
    mpfr_clear(sum);
}

static void test_against_mpfr(void)
{
    static const int64_t more[] = {49,  60,  64,   89,   97,   101,  121, 127,
                                   128, 143, 210,  243,  251,  256,  257, 509,
                                   510, 625, 1009, 1021, 1022, 1024, 2018};
    test_roots();
    for (int64_t n = 1; n <= 48; n++)
        for (int inverse = 0; inverse < 2; inverse++) {
            test_sums(n, true, WEFT_F64, inverse);
            test_sums(n, false, WEFT_F64, inverse);
            test_sums(n, false, WEFT_F32, inverse);
        }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        test_sums(more[i], true, WEFT_F64, i & 1);
        test_sums(more[i], false, WEFT_F64, false);
        test_sums(more[i], false, WEFT_F32, i & 1);
    }
    for (int kind = WEFT_R2HC; kind < WEFT_R2R; kind++) {
        for (int64_t n = 1; n <= 20; n++) {
            test_real_sums(WEFT_F64, (weft_kind)kind, n);
            test_real_sums(WEFT_F32, (weft_kind)kind, n);
        }
        for (size_t i = kind % 3; i < sizeof more / sizeof *more; i += 3)
            test_real_sums(WEFT_F64, (weft_kind)kind, more[i]);
    }
}
#else
static void test_against_mpfr(void)
{
    printf("oracle_test: no MPFR here, sums not compared\n");
}
#endif

/* Two dimensions are one after the other. */
static void test_dimensions(void)
{
    const int64_t n[3] = {3, 7, 4};
    double expect[2 * 84], line[2 * 7], out[2 * 7];
    make_input(84, WEFT_F64);
    memcpy(expect, in, sizeof expect);
    for (int d = 0; d < 3; d++) {
        int64_t stride = d == 0 ? 28 : d == 1 ? 4 : 1;
        for (int64_t i = 0; i < 84; i++) {
            if (i / stride % n[d])
                continue;
            for (int64_t j = 0; j < n[d]; j++)
                memcpy(&line[2 * j], &expect[2 * (i + j * stride)],
                       2 * sizeof *line);
            oracle_transform(WEFT_F64, false, 1, &n[d], line, out, NULL);
            for (int64_t j = 0; j < n[d]; j++)
                memcpy(&expect[2 * (i + j * stride)], &out[2 * j],
                       2 * sizeof *line);
        }
    }
    oracle_transform(WEFT_F64, false, 3, n, in, hi, lo);
    oracle_error e = oracle_compare(84, expect, hi, lo, 1);
    CHECK(e.l2 < 1e-15, "three dimensions: error %g", e.l2);
}

static double real_gap(int64_t n, const double *a_hi, const double *a_lo,
                       const double *b_hi, const double *b_lo)
{
    double gap = 0;
    for (int64_t i = 0; i < n; i++)
        gap = fmax(gap, fabs(a_hi[i] - b_hi[i] + (a_lo[i] - b_lo[i])));
    return gap;
}

/* Two at once are as one by one; dimensions are one after the other. */
static void test_real_forms(void)
{
    static const weft_kind cosine[] = {WEFT_REDFT00, WEFT_REDFT10,
                                       WEFT_REDFT01, WEFT_REDFT11};
    static double pair[4][64], one[2][64];
    const oracle_split c = {pair[0], pair[1]}, s = {pair[2], pair[3]};
    make_input(64, WEFT_F64);
    for (int64_t n = 1; n <= 31; n++)
        for (int which = 1; which <= 4; which++) {
            int more = which == 1;
            weft_kind kinds[2] = {cosine[which - 1], cosine[which - 1] + 4};
            oracle_cosines_and_sines(WEFT_F64, which, n, in, in + 32, &c, &s);
            for (int i = 0; i < 2; i++) {
                int64_t length = i ? n - more : n + more;
                if (length < 1)
                    continue;
                oracle_r2r(WEFT_F64, false, 1, &length, &kinds[i], in + 32 * i,
                           one[0], one[1]);
                double gap = real_gap(length, one[0], one[1], pair[2 * i],
                                      pair[2 * i + 1]);
                CHECK(gap < 1e-17, "type %d of %lld, part %d: off by %g",
                      which, (long long)n, i, gap);
            }
        }
    const int64_t shape[2] = {5, 6};
    const weft_kind kinds[2] = {WEFT_RODFT10, WEFT_REDFT11};
    double step[30], rows[30], column[5], out[5], zero[30] = {0};
    oracle_r2r(WEFT_F64, false, 2, shape, kinds, in, hi, lo);
    for (int r = 0; r < 5; r++)
        oracle_r2r(WEFT_F64, false, 1, &shape[1], &kinds[1], in + 6 * r,
                   rows + 6 * r, NULL);
    for (int k = 0; k < 6; k++) {
        for (int r = 0; r < 5; r++)
            column[r] = rows[6 * r + k];
        oracle_r2r(WEFT_F64, false, 1, &shape[0], &kinds[0], column, out,
                   NULL);
        for (int r = 0; r < 5; r++)
            step[6 * r + k] = out[r];
    }
    CHECK(real_gap(30, hi, lo, step, zero) < 1e-13, "two dimensions");
}

/* Orthogonal means that the transform and its inverse, and the norm, agree. */
static void test_ortho(void)
{
    static const weft_kind inverse[] = {
        WEFT_DHT,     WEFT_REDFT00, WEFT_REDFT10, WEFT_REDFT01, WEFT_REDFT11,
        WEFT_RODFT00, WEFT_RODFT10, WEFT_RODFT01, WEFT_RODFT11};
    double back[40], low[40], zero[40] = {0};
    for (int kind = WEFT_DHT; kind < WEFT_R2R; kind++)
        for (int64_t n = 2; n < 12; n++) {
            weft_kind k = (weft_kind)kind, there = inverse[kind - WEFT_DHT];
            double norm[2] = {0, 0};
            make_input(n, WEFT_F64);
            oracle_r2r(WEFT_F64, true, 1, &n, &k, in, hi, lo);
            oracle_r2r(WEFT_F64, true, 1, &n, &there, hi, back, low);
            for (int64_t i = 0; i < n; i++) {
                norm[0] += in[i] * in[i];
                norm[1] += hi[i] * hi[i];
            }
            CHECK(real_gap(n, back, low, in, zero) < 1e-14 &&
                      fabs(norm[1] / norm[0] - 1) < 1e-14,
                  "kind %d of %lld is not orthogonal", kind, (long long)n);
        }
}

/* The library's own slow transform promises 1e-28. */
static void test_reference(void)
{
    static const int64_t sizes[] = {1, 2, 3, 12, 64, 97, 360, 1009, 2048};
    static double high[2 * LARGEST], low[2 * LARGEST];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int inverse = 0; inverse < 2; inverse++) {
            int64_t n = sizes[i];
            double error = 0, norm = 0;
            make_input(n, WEFT_F64);
            oracle_exact(inverse, 1, &n, in, hi, lo);
            weft_status status = weft_reference(
                n, inverse ? WEFT_INVERSE : WEFT_FORWARD, in, high, low);
            CHECK(status == WEFT_OK, "weft_reference of %lld: %s",
                  (long long)n, weft_error_text());
            for (int64_t k = 0; k < 2 * n; k++) {
                double d = (high[k] - hi[k]) + (low[k] - lo[k]);
                error += d * d;
                norm += hi[k] * hi[k];
            }
            CHECK(error <= norm * 1e-56, "weft_reference of %lld: error %g",
                  (long long)n, sqrt(error / norm));
        }
}

/* The comparison must see what it is there to see. */
static void test_compare(void)
{
    double got[2 * 8];
    const int64_t n = 8;
    make_input(n, WEFT_F64);
    oracle_transform(WEFT_F64, false, 1, &n, in, hi, lo);
    memcpy(got, hi, sizeof got);
    CHECK(oracle_compare(n, got, hi, lo, 1).l2 < 0x1p-53, "exact to a double");
    got[5] *= 1 + 1e-12;
    CHECK(oracle_compare(n, got, hi, lo, 1).l2 > 1e-14, "one wrong digit");
    got[5] = NAN;
    CHECK(isinf(oracle_compare(n, got, hi, lo, 1).l2), "not a number");
    CHECK(isinf(oracle_compare(n, got, hi, lo, 1).max), "not a number");
    got[5] = 1e300;
    CHECK(oracle_compare(n, got, hi, lo, 1).l2 > 1, "overflowing error");
}

int main(void)
{
    test_against_mpfr();
    test_dimensions();
    test_real_forms();
    test_ortho();
    test_compare();
    test_reference();
    return check_report("oracle_test");
}
