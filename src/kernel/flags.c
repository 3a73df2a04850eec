/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flags.c - how kernels are compiled; CMakeLists.txt defines the texts.
 */
#include "kernel/flags.h"

const char *wf_isa_flags(wf_isa isa)
{
    static const char *const flags[WF_ISA_COUNT] = {
        [WF_ISA_SCALAR] = WF_FLAGS_scalar,
        [WF_ISA_SSE2] = WF_FLAGS_sse2,
        [WF_ISA_AVX2] = WF_FLAGS_avx2,
        [WF_ISA_AVX512] = WF_FLAGS_avx512,
        [WF_ISA_NEON] = WF_FLAGS_neon};
    return flags[isa];
}
