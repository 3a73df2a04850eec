/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hand.c - which tables this build has.  WEFT_HAVE_<ISA> comes from the build
 * (WEFT_ISAS); scalar is always there.
 */
#include "kernel/hand/hand.h"

#include "kernel/hand/pairs.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

extern const wf_hand_f64 wf_hand_f64_scalar, wf_hand_f64_sse2,
    wf_hand_f64_avx2, wf_hand_f64_avx512, wf_hand_f64_neon;
extern const wf_hand_f32 wf_hand_f32_scalar, wf_hand_f32_sse2,
    wf_hand_f32_avx2, wf_hand_f32_avx512, wf_hand_f32_neon;
extern const wf_hand_pairs wf_hand_pairs_scalar, wf_hand_pairs_sse2,
    wf_hand_pairs_avx2, wf_hand_pairs_avx512, wf_hand_pairs_neon;

static const struct {
    const wf_hand_f64 *f64;
    const wf_hand_f32 *f32;
    const wf_hand_pairs *pairs;
} tables[WF_ISA_COUNT] = {
#ifdef WEFT_HAVE_SSE2
    [WF_ISA_SSE2] = {&wf_hand_f64_sse2, &wf_hand_f32_sse2,
                     &wf_hand_pairs_sse2},
#endif
#ifdef WEFT_HAVE_AVX2
    [WF_ISA_AVX2] = {&wf_hand_f64_avx2, &wf_hand_f32_avx2,
                     &wf_hand_pairs_avx2},
#endif
#ifdef WEFT_HAVE_AVX512
    [WF_ISA_AVX512] = {&wf_hand_f64_avx512, &wf_hand_f32_avx512,
                       &wf_hand_pairs_avx512},
#endif
#ifdef WEFT_HAVE_NEON
    [WF_ISA_NEON] = {&wf_hand_f64_neon, &wf_hand_f32_neon,
                     &wf_hand_pairs_neon},
#endif
    [WF_ISA_SCALAR] = {&wf_hand_f64_scalar, &wf_hand_f32_scalar,
                       &wf_hand_pairs_scalar},
};

const wf_hand_f64 *wf_hand_f64_for(wf_isa isa)
{
    const wf_hand_f64 *table = isa < WF_ISA_COUNT ? tables[isa].f64 : NULL;
    return table ? table : &wf_hand_f64_scalar;
}

const wf_hand_f32 *wf_hand_f32_for(wf_isa isa)
{
    const wf_hand_f32 *table = isa < WF_ISA_COUNT ? tables[isa].f32 : NULL;
    return table ? table : &wf_hand_f32_scalar;
}

const wf_hand_pairs *wf_hand_pairs_for(wf_isa isa)
{
    const wf_hand_pairs *table = isa < WF_ISA_COUNT ? tables[isa].pairs : NULL;
    return table ? table : &wf_hand_pairs_scalar;
}

void wf_hand_settle(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}
