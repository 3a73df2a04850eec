/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts, slices and sums of sums, avx512. */
#define SPLITS wf_splits_avx512
#include "kernel/matrix/splits_tmpl.c"
