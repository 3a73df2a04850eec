/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gemm.h - a complex matrix product as weft_gemm says it, checked: strides
 * count scalars, pointers are of scalars, formats are schemes.
 */
#ifndef WEFT_CPU_GEMM_H
#define WEFT_CPU_GEMM_H

#include <weft/weft.h>

#include "kernel/matrix/matrix.h"

typedef struct wf_gemm {
    wf_scheme scheme;
    wf_real real;
    int64_t m, n, k; /* >= 1 */
    ptrdiff_t a_row, a_column, b_row, b_column, c_row, c_column;
    bool conjugate_a, conjugate_b, more;
    int threads;
    const void *a_re, *a_im, *b_re, *b_im;
    void *c_re, *c_im;
} wf_gemm;

weft_status wf_cpu_gemm(const wf_gemm *gemm);

#endif
