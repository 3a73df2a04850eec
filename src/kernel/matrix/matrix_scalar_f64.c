/* SPDX-License-Identifier: BSD-3-Clause */
/* The tile of complex sums in double, scalar. */
#define WF_VEC_REAL 64
#define NAME f64_scalar
#define HOLDS WF_FORMAT_F64
#define MR 2
#define NV 2
#include "kernel/vec/scalar.h"

#include "kernel/matrix/tile_tmpl.c"
