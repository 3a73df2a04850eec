/* SPDX-License-Identifier: BSD-3-Clause */
/* The tile of complex sums in double, neon. */
#define WF_VEC_REAL 64
#define NAME f64_neon
#define HOLDS WF_FORMAT_F64
#define MR 6
#define NV 2
#include "kernel/vec/neon.h"

#include "kernel/matrix/tile_tmpl.c"
