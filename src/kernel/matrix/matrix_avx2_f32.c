/* SPDX-License-Identifier: BSD-3-Clause */
/* The tile of complex sums in float, avx2. */
#define WF_VEC_REAL 32
#define NAME f32_avx2
#define HOLDS WF_FORMAT_F32
#define MR 3
#define NV 2
#include "kernel/vec/avx2.h"

#include "kernel/matrix/tile_tmpl.c"
