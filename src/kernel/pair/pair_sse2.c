/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated transforms for SSE2. */
#include <stdint.h>

#define WF_VEC_REAL 64
#include "kernel/vec/sse2.h"
#define VHEAD(x) \
    _mm_and_pd(x, _mm_castsi128_pd(_mm_set1_epi64x(-(INT64_C(1) << 27))))
#define TABLE wf_pair_sse2
#include "kernel/pair/pair_tmpl.c"
