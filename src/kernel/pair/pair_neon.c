/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated transforms for NEON. */
#define WF_VEC_REAL 64
#include "kernel/vec/neon.h"
#define TABLE wf_pair_neon
#include "kernel/pair/pair_tmpl.c"
