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
    oracle_noise noise = {(uint64_t)n};
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

static void test_sums(int64_t n, weft_type type, bool inverse)
{
    mpfr_t re, im;
    mpfr_inits2(BITS, re, im, (mpfr_ptr)NULL);
    make_input(n, type);
    oracle_transform(type, inverse, 1, &n, in, hi, lo);
    double bar = (type == WEFT_F64 ? 1e-30 : 4e-15) * sqrt((double)n);
    int64_t step = n <= 40 ? 1 : n / 13;
    for (int64_t k = 0; k < n; k += step) {
        sum_of(n, k, inverse ? 1 : -1, re, im);
        double gap = mpfr_gap(re, hi[2 * k], lo[2 * k]) +
                     mpfr_gap(im, hi[2 * k + 1], lo[2 * k + 1]);
        CHECK(gap < bar, "n %lld, %s, k %lld: off by %g", (long long)n,
              type == WEFT_F64 ? "f64" : "f32", (long long)k, gap);
    }
    mpfr_clears(re, im, (mpfr_ptr)NULL);
}

static void test_against_mpfr(void)
{
    static const int64_t more[] = {49,  60,  64,   89,   97,   101,  121, 127,
                                   128, 143, 210,  243,  251,  256,  257, 509,
                                   510, 625, 1009, 1021, 1022, 1024, 2018};
    test_roots();
    for (int64_t n = 1; n <= 48; n++)
        for (int kind = 0; kind < 4; kind++)
            test_sums(n, kind & 1 ? WEFT_F32 : WEFT_F64, kind >> 1);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        test_sums(more[i], WEFT_F64, false);
        test_sums(more[i], WEFT_F32, i & 1);
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
            oracle_transform(WEFT_F64, inverse, 1, &n, in, hi, lo);
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
    test_compare();
    test_reference();
    return check_report("oracle_test");
}
