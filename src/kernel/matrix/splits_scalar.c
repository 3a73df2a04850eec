/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts, slices and sums of sums, scalar. */
#define SPLITS wf_splits_scalar
#include "kernel/matrix/splits_tmpl.c"
