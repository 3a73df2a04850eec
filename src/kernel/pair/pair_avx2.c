/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated transforms for AVX2 with FMA. */
#define WF_VEC_REAL 64
#include "kernel/vec/avx2.h"
#define TABLE wf_pair_avx2
#include "kernel/pair/pair_tmpl.c"
