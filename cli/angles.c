/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See angles.h.  The algorithms are those of the posts on trnfft: the DFT as a
 * matrix product, the same of bfloat16 parts, radix-2 butterflies, radix 8 with
 * W8 as a matrix, and Bluestein through radix 2; all sums in float.
 */
#include "angles.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include <weft/weft.h>

#include "exact.h"
#include "field.h"

typedef float complex number;

/* exp(-2 pi i j k / n) rounded to float: the phase reduced in integers, or
 * the angle as a float product, as large as it comes. */
static number root(int64_t j, int64_t k, int64_t n, bool fp32)
{
    if (fp32) {
        float angle = -2.0f * 3.14159265f * (float)j * (float)k / (float)n;
        return (float)cos(angle) + (float)sin(angle) * (number)I;
    }
    double angle = -2 * 3.14159265358979323846 * (double)(j * k % n) /
                   (double)n;
    return (float)cos(angle) + (float)sin(angle) * (number)I;
}

static number times(number a, number b)
{
    float ar = crealf(a), ai = cimagf(a), br = crealf(b), bi = cimagf(b);
    return ar * br - ai * bi + (ar * bi + ai * br) * (number)I;
}

typedef bool algorithm(int64_t n, const number *x, number *out, bool fp32);

static bool matrix(int64_t n, const number *x, number *out, bool fp32)
{
    for (int64_t k = 0; k < n; k++) {
        number sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += times(x[j], root(j, k, n, fp32));
        out[k] = sum;
    }
    return true;
}

/* To bfloat16, to nearest: its eight bits of fraction are a float's upper
 * ones. */
static float to_bf16(float x)
{
    int exponent;
    float fraction = frexpf(x, &exponent);
    return ldexpf(rintf(ldexpf(fraction, 8)), exponent - 8);
}

static void split(number x, number *high, number *low)
{
    float re = to_bf16(crealf(x)), im = to_bf16(cimagf(x));
    *high = re + im * (number)I;
    *low = to_bf16(crealf(x) - re) + to_bf16(cimagf(x) - im) * (number)I;
}

/* The posts' "ozaki": both operands as two bfloat16, three of the four
 * products, summed in float. */
static bool split2(int64_t n, const number *x, number *out, bool fp32)
{
    for (int64_t k = 0; k < n; k++) {
        number high = 0, low = 0, xh, xl, wh, wl;
        for (int64_t j = 0; j < n; j++) {
            split(x[j], &xh, &xl);
            split(root(j, k, n, fp32), &wh, &wl);
            high += times(xh, wh);
            low += times(xh, wl) + times(xl, wh);
        }
        out[k] = high + low;
    }
    return true;
}

/* Self-sorting passes (docs/math.md) of radix r, whose matrix is a table as
 * well; n is a power of r. */
static bool passes(int64_t n, int64_t r, const number *x, number *out,
                   bool fp32)
{
    number w[8][8], leg[8];
    number *from = malloc((size_t)n * sizeof *from);
    number *to = malloc((size_t)n * sizeof *to);
    bool good = from && to;
    for (int64_t t = 0; t < r; t++)
        for (int64_t j = 0; j < r; j++)
            w[t][j] = root(j, t, r, fp32);
    for (int64_t i = 0; good && i < n; i++)
        from[i] = x[i];
    for (int64_t s = 1; good && s < n; s *= r) {
        int64_t m = n / (s * r);
        for (int64_t q = 0; q < m; q++)
            for (int64_t k = 0; k < s; k++) {
                for (int64_t j = 0; j < r; j++)
                    leg[j] = times(from[(q + j * m) * s + k],
                                   root(j, k, s * r, fp32));
                for (int64_t t = 0; t < r; t++) {
                    number sum = leg[0];
                    for (int64_t j = 1; j < r; j++)
                        sum += r == 2 ? (t ? -leg[j] : leg[j])
                                      : times(leg[j], w[t][j]);
                    to[q * s * r + k + s * t] = sum;
                }
            }
        number *done = to;
        to = from;
        from = done;
    }
    for (int64_t i = 0; good && i < n; i++)
        out[i] = from[i];
    free(from);
    free(to);
    return good;
}

static bool radix2(int64_t n, const number *x, number *out, bool fp32)
{
    return passes(n, 2, x, out, fp32);
}

static bool radix8(int64_t n, const number *x, number *out, bool fp32)
{
    return passes(n, 8, x, out, fp32);
}

static bool bluestein(int64_t n, const number *x, number *out, bool fp32)
{
    int64_t m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    number *space = calloc((size_t)(4 * m + n), sizeof *space);
    if (!space)
        return false;
    number *a = space, *b = a + m, *fa = b + m, *fb = fa + m, *c = fb + m;
    for (int64_t k = 0; k < n; k++) {
        c[k] = root(k, k, 2 * n, fp32);
        a[k] = times(x[k], c[k]);
        b[k] = conjf(c[k]);
        b[(m - k) % m] = b[k];
    }
    bool good = radix2(m, a, fa, fp32) && radix2(m, b, fb, fp32);
    for (int64_t k = 0; k < m; k++) /* the inverse by conjugates */
        a[k] = conjf(times(fa[k], fb[k]));
    good = good && radix2(m, a, fa, fp32);
    for (int64_t k = 0; k < n; k++)
        out[k] = times(conjf(fa[k]) / (float)m, c[k]);
    free(space);
    return good;
}

/* ---- Measuring ----------------------------------------------------------- */

static const struct demonstration {
    const char *name;
    algorithm *run;
    int64_t n[6]; /* ends with 0 */
} demonstrations[] = {
    {"matrix", matrix, {64, 256, 512, 1024, 2048, 0}},
    {"split2", split2, {64, 128, 256, 0}},
    {"radix-2", radix2, {256, 512, 1024, 4096, 0}},
    {"radix-8", radix8, {64, 512, 4096, 0}},
    {"bluestein", bluestein, {100, 1000, 1009, 10007, 65537, 0}}};

/* max/max beside L2: the largest error over the largest value. */
typedef struct outcome {
    double l2, max;
} outcome;

static outcome compare(int64_t n, const number *got, const double *want)
{
    double difference = 0, size = 0, most = 0, largest = 0;
    for (int64_t k = 0; k < n; k++) {
        double re = crealf(got[k]) - want[2 * k];
        double im = cimagf(got[k]) - want[2 * k + 1];
        double error = re * re + im * im;
        double value = want[2 * k] * want[2 * k] +
                       want[2 * k + 1] * want[2 * k + 1];
        difference += error;
        size += value;
        most = error > most ? error : most;
        largest = value > largest ? value : largest;
    }
    return (outcome){sqrt(difference / size), sqrt(most / largest)};
}

/* Root mean square error of a table of n x n roots, from some 64 rows. */
static double table_error(int64_t n, bool fp32)
{
    double sum = 0, count = 0;
    for (int64_t j = 0; j < n; j += n / 64 - (n > 64), count += (double)n)
        for (int64_t k = 0; k < n; k++) {
            double angle = -2 * 3.14159265358979323846 * (double)(j * k % n) /
                           (double)n;
            number w = root(j, k, n, fp32);
            double re = crealf(w) - cos(angle), im = cimagf(w) - sin(angle);
            sum += re * re + im * im;
        }
    return sqrt(sum / count);
}

static int one(const struct demonstration *d, int64_t n, int64_t seed,
               report *row)
{
    double *in = packed_new(2 * n), *want = in ? in + 2 * n : NULL;
    number *x = malloc(2 * (size_t)n * sizeof *x);
    int code = in && x ? CODE_OK : fail(CODE_LIBRARY, "no memory");
    outcome result[2] = {{0, 0}};
    if (!code) {
        fill_random(in, n, WEFT_F32, (uint64_t)seed);
        if (weft_reference(n, WEFT_FORWARD, in, want, NULL))
            code = fail_library("the reference");
    }
    for (int fp32 = 0; fp32 < 2 && !code; fp32++) {
        for (int64_t k = 0; k < n; k++)
            x[k] = (float)in[2 * k] + (float)in[2 * k + 1] * (number)I;
        if (!d->run(n, x, x + n, fp32))
            code = fail(CODE_LIBRARY, "no memory");
        else
            result[fp32] = compare(n, x + n, want);
    }
    if (!code && !row)
        printf("%-10s %7lld %12.2e %9.2e %12.2e %9.2e\n", d->name,
               (long long)n, result[0].l2, result[0].max, result[1].l2,
               result[1].max);
    report_text(row, "algorithm", d->name);
    report_integer(row, "n", n);
    report_number(row, "exact_l2", result[0].l2);
    report_number(row, "exact_max", result[0].max);
    report_number(row, "fp32_l2", result[1].l2);
    report_number(row, "fp32_max", result[1].max);
    weft_free(in);
    free(x);
    return code;
}

static void tables(report *root)
{
    report *rows = report_array(root, "tables");
    if (!root)
        printf("\nroot mean square error of the table of n x n roots\n"
               "%18s %12s %22s\n",
               "n", "rounded", "FP32 angles");
    for (int64_t n = 64; n <= 4096; n *= 4) {
        double exact = table_error(n, false), fp32 = table_error(n, true);
        report *row = report_append(rows);
        report_integer(row, "n", n);
        report_number(row, "exact", exact);
        report_number(row, "fp32", fp32);
        if (!root)
            printf("%18lld %12.2e %22.2e\n", (long long)n, exact, fp32);
    }
}

int angles_run(int64_t seed, report *root)
{
    report *rows = report_array(root, "angles");
    int code = CODE_OK;
    if (!root)
        printf("%30s %22s\n%-10s %7s %12s %9s %12s %9s\n", "rounded roots",
               "FP32 angles", "algorithm", "n", "L2", "max/max", "L2",
               "max/max");
    size_t count = sizeof demonstrations / sizeof *demonstrations;
    for (size_t i = 0; i < count; i++)
        for (const int64_t *n = demonstrations[i].n; *n && !code; n++) {
            progress("%s of %lld", demonstrations[i].name, (long long)*n);
            code = one(&demonstrations[i], *n, seed, report_append(rows));
        }
    progress_end();
    if (!code)
        tables(root);
    return code;
}
