/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target.c - the instruction sets, and which kernels each of them gets.
 */
#include "program.h"

#include "util.h"

static const target targets[WF_ISA_COUNT] = {
    [WF_ISA_SCALAR] = { WF_ISA_SCALAR, "scalar", 0, 0 },
    [WF_ISA_SSE2] = { WF_ISA_SSE2, "sse2", 128, 0 },
    [WF_ISA_AVX2] = { WF_ISA_AVX2, "avx2", 256, 1 },
    [WF_ISA_AVX512] = { WF_ISA_AVX512, "avx512", 512, 1 },
    [WF_ISA_NEON] = { WF_ISA_NEON, "neon", 128, 1 },
};

const target *target_of(wf_isa isa)
{
    return &targets[isa];
}

int target_lanes(wf_isa isa, wf_real real)
{
    const int bits = targets[isa].bits;
    return bits ? bits / (real == WF_F64 ? 64 : 32) : 1;
}

/* Every radix the planner may ask for.  A transposing kernel needs R >= VL;
 * the composites above 16 are there for the widest vectors only. */
static const int pass_radices[] = { 2,  3,  4,  5,  6,  7,  8,
                                    9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 19, 23, 29, 31 };
static const int first_radices[] = { 2,  3,  4,  5,  6,  7,  8,  9,
                                     10, 11, 12, 13, 14, 15, 16, 18,
                                     20, 21, 24, 25, 27, 28, 30, 32 };
static const int leaf_lengths[] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,
                                    10, 11, 12, 13, 14, 15, 16, 17, 18,
                                    19, 20, 21, 22, 23, 24, 25, 26, 27,
                                    28, 29, 30, 31, 32, 36, 40, 48, 64,
                                    128 };

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static int contains(const int *list, int count, int n)
{
    for (int i = 0; i < count; ++i)
        if (list[i] == n)
            return 1;
    return 0;
}

/* A scalar leaf is col_s of its length, so that row exists for all lengths. */
static int wanted(wf_kernel_kind kind, wf_isa isa, int lanes, int radix)
{
    if (!kind_of(kind)->first)
        return kind_of(kind)->leaf ||
               contains(pass_radices, COUNT(pass_radices), radix) ||
               (kind == WF_KERNEL_COL_S && isa == WF_ISA_SCALAR && radix > 1);
    return radix >= lanes && (radix <= 16 || lanes == 16);
}

int target_rows(wf_isa isa, wf_real real, row *rows, int room)
{
    int count = 0;
    for (int k = 0; k < WF_KERNEL_KIND_COUNT; ++k) {
        const kind_info *kind = kind_of((wf_kernel_kind)k);
        const int *list = kind->first ? first_radices : leaf_lengths;
        const int n = kind->first ? COUNT(first_radices)
                                  : COUNT(leaf_lengths);
        for (int i = 0; i < n; ++i) {
            if (!wanted((wf_kernel_kind)k, isa, target_lanes(isa, real),
                        list[i]))
                continue;
            if (count == room)
                gen_die("more rows than expected");
            rows[count++] = (row){ (wf_kernel_kind)k, real, isa, list[i] };
        }
    }
    return count;
}

int target_interleave_cost(wf_isa isa, wf_real real, int any_order)
{
    (void)real;
    switch (isa) {
    case WF_ISA_SCALAR:
    case WF_ISA_NEON: return 0;
    case WF_ISA_AVX2: return any_order ? 2 : 4;
    default: return 2;
    }
}

int target_transpose_cost(wf_isa isa, wf_real real)
{
    const int vl = target_lanes(isa, real);
    int stages = 0;
    for (int w = 1; w < vl; w *= 2)
        ++stages;
    return vl * stages;
}
