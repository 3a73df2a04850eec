/* SPDX-License-Identifier: BSD-3-Clause */
/* The tile of complex sums in float, scalar. */
#define WF_VEC_REAL 32
#define NAME f32_scalar
#define HOLDS WF_FORMAT_F32
#define MR 2
#define NV 2
#include "kernel/vec/scalar.h"

#include "kernel/matrix/tile_tmpl.c"
