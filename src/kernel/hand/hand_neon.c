/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand-written kernels for NEON. */
#define ISA neon
#define VECTOR_BYTES 16
#include "kernel/hand/all_tmpl.c"
