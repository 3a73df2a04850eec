/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hand-written kernels in double for any machine.  The compiler may lower
 * the 16-byte vectors of the templates as it likes; block layouts have one
 * lane.
 */
#define ISA scalar
#define BITS 64
#define VECTOR_BYTES 16
#define ONE_LANE 1
#include "kernel/hand/all_tmpl.c"
