/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels in double for NEON. */
#define ISA neon
#define BITS 64
#define VECTOR_BYTES 16
#include "kernel/hand/all_tmpl.c"
