/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels in double for AVX-512 F, DQ, BW, VL. */
#define ISA avx512
#define BITS 64
#define VECTOR_BYTES 64
#include "kernel/hand/all_tmpl.c"
