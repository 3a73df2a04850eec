/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels in float for AVX2 with FMA. */
#define ISA avx2
#define BITS 32
#define VECTOR_BYTES 32
#include "kernel/hand/all_tmpl.c"
