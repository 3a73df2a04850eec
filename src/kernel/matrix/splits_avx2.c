/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts, slices and sums of sums, avx2. */
#define SPLITS wf_splits_avx2
#include "kernel/matrix/splits_tmpl.c"
