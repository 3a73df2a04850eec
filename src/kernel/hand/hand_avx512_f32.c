/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels in float for AVX-512 F, DQ, BW, VL. */
#define ISA avx512
#define BITS 32
#define VECTOR_BYTES 64
#include "kernel/hand/all_tmpl.c"
