/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels for AVX2 with FMA. */
#define ISA avx2
#define VECTOR_BYTES 32
#include "kernel/hand/all_tmpl.c"
