/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated transforms for AVX-512 F, DQ, BW, VL. */
#define WF_VEC_REAL 64
#include "kernel/vec/avx512.h"
#define TABLE wf_pair_avx512
#include "kernel/pair/pair_tmpl.c"
