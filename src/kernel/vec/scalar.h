/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/scalar.h - the kernels' vocabulary without vectors: VL = 1.
 *
 * Every header of this folder defines the same words, for the real type that
 * WF_VEC_REAL (64 or 32) asks for:
 *
 *   T, V, VL             the real type, a vector of VL of them
 *   VLD(p) VST(p, v)     load, store; no alignment needed
 *   VLD1(p) VK(x)        the number at p, the number x, in every lane
 *   VADD VSUB VMUL VNEG
 *   VFMA(a, b, c)        a * b + c
 *   VFNMA(a, b, c)       c - a * b
 *   VFMS(a, b, c)        a * b - c
 *   VST_HEAD(p, v)       store all lanes but the last
 *   VREV(v)              the lanes in reverse
 *   vldi(p, &re, &im)    VL complex numbers from 2 VL numbers; vsti back
 *   vsti_back(p, re, im) the same in reverse
 *   vldi_any, vsti_any   the same with the lanes in whatever order is
 *                        cheapest; column r then sits in lane VLANE_ANY(r)
 *   vtranspose(x)        lane l of x[r] <-> lane r of x[l], r, l < VL
 *   VOPAQUE(n)           forget what is known of the integer n, so that
 *                        products with it are not hoisted out of a loop
 *
 * Targets with fused operations use intrinsics or builtins for them, never
 * a * b + c: contraction is off, so results do not depend on the compiler.
 */
#ifndef WEFT_KERNEL_VEC_SCALAR_H
#define WEFT_KERNEL_VEC_SCALAR_H

#include <stddef.h>

enum { VL = 1 };

#if WF_VEC_REAL == 64
typedef double T;
#define VFMA_BUILTIN __builtin_fma
#else
typedef float T;
#define VFMA_BUILTIN __builtin_fmaf
#endif
typedef T V;

#define VOPAQUE(n) __asm__("" : "+r"(n))
#define VLANE_ANY(r) (r)
#define VLD(p) (*(p))
#define VLD1(p) (*(p))
#define VST(p, v) ((void)(*(p) = (v)))
#define VK(x) ((T)(x))
#define VADD(a, b) ((a) + (b))
#define VSUB(a, b) ((a) - (b))
#define VMUL(a, b) ((a) * (b))
#define VNEG(a) (-(a))

/* Leaves of FMA targets are scalar code in their files. */
#if defined(__FMA__) || defined(__aarch64__)
#define VFMA(a, b, c) VFMA_BUILTIN(a, b, c)
#define VFNMA(a, b, c) VFMA_BUILTIN(-(a), b, c)
#define VFMS(a, b, c) VFMA_BUILTIN(a, b, -(c))
#else
#define VFMA(a, b, c) ((a) * (b) + (c))
#define VFNMA(a, b, c) ((c) - (a) * (b))
#define VFMS(a, b, c) ((a) * (b) - (c))
#endif

static inline void vldi(const T *p, V *re, V *im)
{
    *re = p[0];
    *im = p[1];
}

static inline void vsti(T *p, V re, V im)
{
    p[0] = re;
    p[1] = im;
}

#define VREV(v) (v)
#define VST_HEAD(p, v) ((void)(p), (void)(v))
#define vsti_back vsti
#define vldi_any vldi
#define vsti_any vsti

static inline void vtranspose(V *x)
{
    (void)x;
}

#endif
