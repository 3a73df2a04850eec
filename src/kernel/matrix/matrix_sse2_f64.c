/* SPDX-License-Identifier: BSD-3-Clause */
/* The tile of complex sums in double, sse2. */
#define WF_VEC_REAL 64
#define NAME f64_sse2
#define HOLDS WF_FORMAT_F64
#define MR 2
#define NV 2
#include "kernel/vec/sse2.h"

#include "kernel/matrix/tile_tmpl.c"
