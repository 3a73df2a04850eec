/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_bench - how fast one kernel is when everything is in L1.
 *
 *   kernel_bench [text ...]     rows whose name contains every text
 *
 * For each row: nanoseconds of one butterfly (of one transform for a leaf,
 * in a batch and, in brackets, alone in its call), GFLOP/s by the 5 n lg n
 * convention over the lanes, floating-point and shuffle instructions of the
 * descriptor per cycle, and the share of the time that a core issuing two
 * floating-point or shuffle instructions a cycle would need at least.
 *
 * Times are minima over many rounds: other work on the machine only adds.
 */
#include "base/base.h"
#include "kernel/kernel.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, BUFFER = 1 << 16 };

static int cpu_runs(wf_isa isa)
{
    switch (isa) {
    case WF_ISA_SCALAR: return 1;
#if defined(__x86_64__)
    case WF_ISA_SSE2: return 1;
    case WF_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case WF_ISA_AVX512: return __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    case WF_ISA_NEON: return 1;
#endif
    default: return 0;
    }
}

/* Cycles a second: a chain of dependent integer additions. */
static double clock_rate(void)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t x = (uint64_t)round;
        const double start = wf_clock_seconds();
        for (int i = 0; i < 20000; ++i) {
            x += 1;
            __asm__ volatile("" : "+r"(x));
            x += 1;
            __asm__ volatile("" : "+r"(x));
            x += 1;
            __asm__ volatile("" : "+r"(x));
            x += 1;
            __asm__ volatile("" : "+r"(x));
        }
        best = fmin(best, wf_clock_seconds() - start);
    }
    return 80000 / best;
}

static _Alignas(64) double in[BUFFER], out[BUFFER], tw[BUFFER];

static int is_real_column(const wf_kernel *k)
{
    return k->kind == WF_KERNEL_REAL_COL_FWD ||
           k->kind == WF_KERNEL_REAL_COL_INV;
}

static int is_within(const wf_kernel *k)
{
    return k->kind == WF_KERNEL_WITHIN_FIRST ||
           k->kind == WF_KERNEL_WITHIN_LAST || k->kind == WF_KERNEL_COL_ANY ||
           k->kind == WF_KERNEL_COL_APART ||
           (is_real_column(k) && k->lanes > 1);
}

/* Blocks of columns, or of rows, of half as many as there are lanes; columns anywhere
 * go to rows. */
static wf_pass_args within_layout(const wf_kernel *k, int blocks)
{
    const int c = k->lanes / 2, rows = (k->radix + c - 1) / c;
    wf_pass_args a = {.np = 1, .nq = (size_t)(blocks * c)};
    a.in_leg = k->kind == WF_KERNEL_WITHIN_FIRST ? 2 * blocks * c
                                                 : blocks * k->lanes;
    a.in_q = 2;
    a.out_q = rows * k->lanes;
    a.out_leg = 2 * blocks * c;
    if (k->kind == WF_KERNEL_COL_APART) {
        a.out_q = 2 * k->radix;
        a.out_leg = 2;
    }
    return a;
}

static int is_split_leaf(const wf_kernel *k)
{
    return k->kind == WF_KERNEL_LEAF_SPLIT_SCALED;
}

/* Reals from re to im, and from a transform of two arrays to the next. */
static ptrdiff_t plane_of(const wf_kernel *k)
{
    return is_split_leaf(k) ? k->radix : k->lanes;
}

/* One batch, unit strides, blocks; small enough for the first cache. */
static wf_pass_args pass_layout(const wf_kernel *k)
{
    const int size = k->real == WF_F64 ? 8 : 4;
    const int bytes = 6 * k->radix * k->lanes * size;
    const int nq = bytes > 12288 ? 1 : bytes > 6144 ? 2 : 24576 / bytes;
    const int one = k->kind == WF_KERNEL_ALONE2 || k->kind == WF_KERNEL_ALONE3;
    const ptrdiff_t unit = 2 * plane_of(k);
    wf_pass_args a = {.np = 1, .nq = (size_t)(one ? 1 : nq < 16 ? nq : 16)};
    a.in_leg = a.out_leg = unit * (ptrdiff_t)a.nq;
    a.in_q = a.out_q = unit;
    a.tw_q = 2 * (k->radix - 1) * k->lanes;
    a.scale = 1;
    if (k->kind == WF_KERNEL_FIRST_I || k->kind == WF_KERNEL_FIRST_S) {
        a.out_leg = 2 * k->lanes;
        a.out_q = 2 * ((k->radix + k->lanes - 1) / k->lanes * k->lanes);
    }
    return a;
}

static int is_complex_leaf(const wf_kernel *k)
{
    return k->kind == WF_KERNEL_LEAF_FWD || k->kind == WF_KERNEL_LEAF_INV;
}

static int is_real_leaf(const wf_kernel *k)
{
    return k->kind == WF_KERNEL_REAL_FWD || k->kind == WF_KERNEL_REAL_INV;
}

/* Least seconds of one call. */
static double time_pass(const wf_kernel *k, const wf_pass_args *a, int calls)
{
    const ptrdiff_t im = plane_of(k);
    double best = 1e9;
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = wf_clock_seconds();
        for (int i = 0; i < calls; ++i)
            if (k->real == WF_F64)
                k->run.pass_f64(in, in + im, out, out + im, tw, a);
            else
                k->run.pass_f32((float *)in, (float *)in + im, (float *)out,
                                (float *)out + im, (float *)tw, a);
        best = fmin(best, wf_clock_seconds() - start);
    }
    return best / calls;
}

static double time_leaf(const wf_kernel *k, size_t count, int calls)
{
    const ptrdiff_t dist = is_real_leaf(k) ? k->radix + 2 : 2 * k->radix;
    double best = 1e9;
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = wf_clock_seconds();
        for (int i = 0; i < calls; ++i)
            k->run.leaf(in, out, count, dist, dist, tw);
        best = fmin(best, wf_clock_seconds() - start);
    }
    return best / calls;
}

static void bench_row(const wf_kernel *k, double hertz)
{
    const double n = k->radix;
    const int real = is_real_leaf(k) || is_real_column(k);
    const double flops = (real ? 2.5 : 5) * n * log2(n);
    const double fp = k->adds + k->muls + k->fmas;
    const double bound = (fp + k->shuffles) / 2;
    if (is_complex_leaf(k) || is_real_leaf(k)) {
        const size_t count = (size_t)(1024 / k->radix) + 1;
        const double t = time_leaf(k, count, 20) / (double)count;
        const double alone = time_leaf(k, 1, 1000);
        printf("%-28s %8.2f ns [%7.2f] %7.2f GF  fp/c %4.2f sh/c %4.2f\n",
               wf_kernel_name_of(k).text, 1e9 * t, 1e9 * alone,
               1e-9 * flops / t, fp / (t * hertz), k->shuffles / (t * hertz));
        return;
    }
    enum { BLOCKS = 4 };
    const int lanes = is_split_leaf(k) ? 1 : k->lanes;
    const int within = is_within(k);
    const wf_pass_args a = within ? within_layout(k, BLOCKS) : pass_layout(k);
    const double t = time_pass(k, &a, 200) / (within ? BLOCKS : (double)a.nq);
    printf("%-28s %8.2f ns %7.2f GF  fp/c %4.2f sh/c %4.2f  bound %3.0f %%\n",
           wf_kernel_name_of(k).text, 1e9 * t,
           1e-9 * flops * lanes / (within ? 2 * t : t), fp / (t * hertz),
           k->shuffles / (t * hertz), 100 * bound / (t * hertz));
}

static int chosen(const char *name, int count, char **texts)
{
    for (int i = 0; i < count; ++i)
        if (!strstr(name, texts[i]))
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    const double hertz = clock_rate();
    printf("clock %.2f GHz\n", 1e-9 * hertz);
    for (size_t i = 0; i < wf_kernel_count(); ++i) {
        const wf_kernel *k = wf_kernel_at(i);
        if (cpu_runs(k->isa) &&
            chosen(wf_kernel_name_of(k).text, argc - 1, argv + 1))
            bench_row(k, hertz);
    }
    return 0;
}
