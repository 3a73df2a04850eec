/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels in double for AVX2 with FMA. */
#define ISA avx2
#define BITS 64
#define VECTOR_BYTES 32
#include "kernel/hand/all_tmpl.c"
