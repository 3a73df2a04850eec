/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_test - every kernel row this CPU can run, against the definition.
 *
 * Each row runs with random data, random strides, several (p, q), forward
 * and inverse leg order, planes and blocks, out of place and, where the
 * contract allows it, in place.  Outputs are compared with a long double
 * transform; every scalar the contract does not mention must keep its bits.
 *
 * The body for one type is kernel_test_body.h, included twice.
 */
#include "kernel/kernel.h"

#include "random.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static noise_state noise = {1};

static int random_below(int n)
{
    return (int)noise_below(&noise, n);
}

static int cpu_runs(wf_isa isa)
{
    switch (isa) {
    case WF_ISA_SCALAR: return 1;
#if defined(__x86_64__)
    case WF_ISA_SSE2: return 1;
    case WF_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case WF_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    case WF_ISA_NEON: return 1;
#endif
    default: return 0;
    }
}

static const char *const kind_names[] = {
#define WF_KIND(id, name, role) name,
#include "kernel/kinds.def"
#undef WF_KIND
};

enum { MAX_N = 1024, MAX_LANES = 16 };

/* A kind's formats, as kinds.def says them. */
static int is_first(wf_kernel_kind k)
{
    return k == WF_KERNEL_FIRST_I || k == WF_KERNEL_FIRST_S ||
           k == WF_KERNEL_HALF_FIRST;
}

/* The upper half is mirrored. */
static int is_mirrored(wf_kernel_kind k)
{
    return k == WF_KERNEL_HALF_MID || k == WF_KERNEL_HALF_LAST_SCALED;
}

static int is_hartley(wf_kernel_kind k)
{
    return k == WF_KERNEL_HALF_HARTLEY_SCALED;
}

/* Numbers in a row of a transposing kind. */
static int row_of(const wf_kernel *k)
{
    int row = 1;
    if (k->kind != WF_KERNEL_HALF_FIRST)
        return k->radix;
    while (row < (k->radix + 1) / 2)
        row *= 2;
    return k->lanes == 1 ? (k->radix + 1) / 2 : row;
}

static int in_interleaved(wf_kernel_kind k)
{
    return k == WF_KERNEL_FIRST_I || k == WF_KERNEL_COLFIRST ||
           k == WF_KERNEL_COL_I;
}

static int out_interleaved(wf_kernel_kind k)
{
    return k == WF_KERNEL_LAST_SCALED || k == WF_KERNEL_COLLAST_SCALED ||
           k == WF_KERNEL_HALF_LAST_SCALED || k == WF_KERNEL_COL_I;
}

static int lane_twiddles(wf_kernel_kind k)
{
    return k == WF_KERNEL_MID || k == WF_KERNEL_LAST_SCALED ||
           is_mirrored(k) || is_hartley(k);
}

static int has_twiddles(wf_kernel_kind k)
{
    return lane_twiddles(k) || k == WF_KERNEL_COLMID ||
           k == WF_KERNEL_COLLAST_SCALED;
}

static int is_scaled(wf_kernel_kind k)
{
    return k == WF_KERNEL_LAST_SCALED || k == WF_KERNEL_COLLAST_SCALED ||
           k == WF_KERNEL_HALF_LAST_SCALED || is_hartley(k);
}

static int is_real(wf_kernel_kind k)
{
    return k == WF_KERNEL_REAL_FWD || k == WF_KERNEL_REAL_INV;
}

static int cosine_type(wf_kernel_kind k)
{
    return k == WF_KERNEL_COSINE2 || k == WF_KERNEL_ROWS2   ? 2
           : k == WF_KERNEL_COSINE3 || k == WF_KERNEL_ROWS3 ? 3
           : k == WF_KERNEL_COSINE4 || k == WF_KERNEL_ROWS4 ? 4
                                                            : 0;
}

static int is_rows(wf_kernel_kind k)
{
    return k >= WF_KERNEL_ROWS2 && k <= WF_KERNEL_ROWS4;
}

/* Element k of a cosine transform of n by kinds.def. */
static long double reference_cosine(int type, int n, int k,
                                    const long double *x, const long double *s)
{
    long double y = 0;
    for (int j = 0; j < n; ++j) {
        const int turns = type == 2   ? (2 * j + 1) * 2 * k
                          : type == 3 ? 2 * j * (2 * k + 1)
                                      : (2 * j + 1) * (2 * k + 1);
        const long double c = cosl(6.283185307179586476925286766559L *
                                   (turns % (8 * n)) / (8 * n));
        y += x[j] * c * s[type == 2 ? j % 2 : k % 2] *
             (type == 3 && j == 0 ? s[2] : 1);
    }
    return type == 2 && k == 0 ? y * s[2] : y;
}

static int is_alone(wf_kernel_kind k)
{
    return k == WF_KERNEL_ALONE2 || k == WF_KERNEL_ALONE3;
}

static int is_within(wf_kernel_kind k)
{
    return k == WF_KERNEL_WITHIN_FIRST || k == WF_KERNEL_WITHIN_LAST;
}

/* y[k] = sum_j x[j] exp(sign 2 pi i jk/n), with exact angles. */
static void reference_dft(int n, int sign, const long double *x,
                          long double *y)
{
    static long double c[MAX_N], s[MAX_N];
    static int table_n;
    if (table_n != n)
        for (int i = 0; i < n; ++i) {
            const long double a = 6.283185307179586476925286766559L * i / n;
            c[i] = cosl(a);
            s[i] = sinl(a);
        }
    table_n = n;
    /* The same products are in numbers k and n - k. */
    for (int k = 0; k <= n / 2; ++k) {
        long double re_c = 0, re_s = 0, im_c = 0, im_s = 0;
        for (int j = 0, i = 0; j < n; ++j, i += i + k < n ? k : k - n) {
            re_c += x[2 * j] * c[i];
            re_s += x[2 * j] * s[i];
            im_c += x[2 * j + 1] * c[i];
            im_s += x[2 * j + 1] * s[i];
        }
        const int last = (n - k) % n;
        y[2 * k] = re_c - sign * im_s;
        y[2 * k + 1] = im_c + sign * re_s;
        y[2 * last] = re_c + sign * im_s;
        y[2 * last + 1] = im_c - sign * re_s;
    }
}

/* Direct sums of up to 31 terms and rotations: well under 6 epsilons of the
 * largest output for every row; see docs/accuracy.md for what is measured. */
enum { MOST_EPSILONS = 6 };

/* Where im of half spectra that go one at a time are: behind re, in an array of their
 * own, from the end of the vector backwards. */
typedef enum lone_order { LONE_TOGETHER, LONE_APART, LONE_HALVES } lone_order;

#define T double
#define F(name) name##_f64
#define RUN_PASS(k) (k)->run.pass_f64
#define EPSILON DBL_EPSILON
#include "kernel_test_body.h"
#undef T
#undef F
#undef RUN_PASS
#undef EPSILON

#define T float
#define F(name) name##_f32
#define RUN_PASS(k) (k)->run.pass_f32
#define EPSILON FLT_EPSILON
#include "kernel_test_body.h"

static int test_kernel(const wf_kernel *k, double *worst)
{
    const int leaf = k->kind == WF_KERNEL_LEAF_FWD ||
                     k->kind == WF_KERNEL_LEAF_INV || is_real(k->kind);
    int bad = k->lanes != wf_isa_lanes(k->isa, k->real) ||
              wf_kernel_find(k->kind, k->real, k->isa, k->radix) != k;
    if (is_alone(k->kind))
        bad |= k->real == WF_F64 ? test_alone_f64(k, worst)
                                 : test_alone_f32(k, worst);
    else if (k->kind == WF_KERNEL_COL_ANY)
        bad |= k->real == WF_F64 ? test_columns_f64(k, worst)
                                 : test_columns_f32(k, worst);
    else if (k->kind == WF_KERNEL_LEAF_SPLIT_SCALED)
        bad |= k->real == WF_F64 ? test_split_f64(k, worst)
                                 : test_split_f32(k, worst);
    else if (k->kind == WF_KERNEL_COL_APART)
        bad |= k->real == WF_F64 ? test_apart_f64(k, worst)
                                 : test_apart_f32(k, worst);
    else if (k->kind == WF_KERNEL_REAL_COL_FWD ||
             k->kind == WF_KERNEL_REAL_COL_INV)
        bad |= k->real == WF_F64 ? test_real_columns_f64(k, worst)
                                 : test_real_columns_f32(k, worst);
    else if (is_within(k->kind))
        bad |= k->real == WF_F64 ? test_within_f64(k, worst)
                                 : test_within_f32(k, worst);
    else if (k->real == WF_F64)
        bad |= leaf ? test_leaf_f64(k, worst) : test_pass_f64(k, worst);
    else
        bad |= leaf ? test_leaf_f32(k, worst) : test_pass_f32(k, worst);
    if (bad)
        printf("FAIL %s\n", wf_kernel_name_of(k).text);
    return bad;
}

int main(void)
{
    int failures = 0;
    for (int isa = 0; isa < WF_ISA_COUNT; ++isa)
        for (int kind = 0; kind < WF_KERNEL_KIND_COUNT; ++kind) {
            int rows = 0, bad = 0;
            double worst = 0;
            for (size_t i = 0; i < wf_kernel_count(); ++i) {
                const wf_kernel *k = wf_kernel_at(i);
                if ((int)k->isa != isa || (int)k->kind != kind)
                    continue;
                ++rows;
                if (cpu_runs(k->isa))
                    bad += test_kernel(k, &worst);
            }
            if (rows)
                printf("%-7s %-9s %3d rows, %s, worst %.2f eps, %d bad\n",
                       wf_isa_name((wf_isa)isa), kind_names[kind], rows,
                       cpu_runs((wf_isa)isa) ? "run" : "not run", worst, bad);
            failures += bad;
        }
    return failures != 0;
}
