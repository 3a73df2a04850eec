/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts, slices and sums of sums, neon. */
#define SPLITS wf_splits_neon
#include "kernel/matrix/splits_tmpl.c"
