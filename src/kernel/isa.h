/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isa.h - the instruction sets and number types that kernels are made for.
 */
#ifndef WEFT_KERNEL_ISA_H
#define WEFT_KERNEL_ISA_H

/* Instruction sets a kernel can be compiled for, narrowest first. */
typedef enum wf_isa {
    WF_ISA_SCALAR,
    WF_ISA_SSE2,
    WF_ISA_AVX2,   /* AVX2 + FMA */
    WF_ISA_AVX512, /* AVX-512 F, DQ, BW, VL */
    WF_ISA_NEON,
    WF_ISA_COUNT
} wf_isa;

/* Storage and arithmetic type of a kernel. */
typedef enum wf_real { WF_F64, WF_F32, WF_REAL_COUNT } wf_real;

/* "scalar", "sse2", "avx2", "avx512", "neon" */
const char *wf_isa_name(wf_isa isa);
/* Numbers in a register; 1 for scalar. */
int wf_isa_lanes(wf_isa isa, wf_real real);

#endif
