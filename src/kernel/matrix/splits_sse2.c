/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts, slices and sums of sums, sse2. */
#define SPLITS wf_splits_sse2
#include "kernel/matrix/splits_tmpl.c"
