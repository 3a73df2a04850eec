/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels for SSE2. */
#define ISA sse2
#define VECTOR_BYTES 16
#include "kernel/hand/all_tmpl.c"
