/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair.c - which tables this build has.  WEFT_HAVE_<ISA> comes from the build
 * (WEFT_ISAS); scalar is always there.
 */
#include "kernel/pair/pair.h"

extern const wf_pair_kernels wf_pair_scalar, wf_pair_sse2, wf_pair_avx2,
    wf_pair_avx512, wf_pair_neon;

static const wf_pair_kernels *const tables[WF_ISA_COUNT] = {
#ifdef WEFT_HAVE_SSE2
    [WF_ISA_SSE2] = &wf_pair_sse2,
#endif
#ifdef WEFT_HAVE_AVX2
    [WF_ISA_AVX2] = &wf_pair_avx2,
#endif
#ifdef WEFT_HAVE_AVX512
    [WF_ISA_AVX512] = &wf_pair_avx512,
#endif
#ifdef WEFT_HAVE_NEON
    [WF_ISA_NEON] = &wf_pair_neon,
#endif
    [WF_ISA_SCALAR] = &wf_pair_scalar,
};

const wf_pair_kernels *wf_pair_kernels_for(wf_isa isa)
{
    const wf_pair_kernels *table = isa < WF_ISA_COUNT ? tables[isa] : NULL;
    return table ? table : &wf_pair_scalar;
}
