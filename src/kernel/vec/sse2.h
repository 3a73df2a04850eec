/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/sse2.h - the kernels' vocabulary for SSE2; see scalar.h.
 */
#ifndef WEFT_KERNEL_VEC_SSE2_H
#define WEFT_KERNEL_VEC_SSE2_H

#include <emmintrin.h>
#include <stddef.h>

#define VOPAQUE(n) __asm__("" : "+r"(n))
#define VLANE_ANY(r) (r)
#define vldi_any vldi
#define vsti_any vsti

/* Without fused operations; the generator does not emit them here. */
#define VFMA(a, b, c) VADD(VMUL(a, b), c)
#define VFNMA(a, b, c) VSUB(c, VMUL(a, b))
#define VFMS(a, b, c) VSUB(VMUL(a, b), c)

#if WF_VEC_REAL == 64

typedef double T;
typedef __m128d V;
enum { VL = 2 };

#define VLD(p) _mm_loadu_pd(p)
#define VLD1(p) _mm_set1_pd(*(p))
#define VST(p, v) _mm_storeu_pd(p, v)
#define VST_HEAD(p, v) _mm_storel_pd(p, v)
#define VK(x) _mm_set1_pd(x)
#define VADD(a, b) _mm_add_pd(a, b)
#define VSUB(a, b) _mm_sub_pd(a, b)
#define VMUL(a, b) _mm_mul_pd(a, b)
#define VNEG(a) _mm_xor_pd(a, _mm_set1_pd(-0.0))
#define VREV(a) _mm_shuffle_pd(a, a, 1)

static inline void vldi(const T *p, V *re, V *im)
{
    const V a = VLD(p), b = VLD(p + 2);
    *re = _mm_unpacklo_pd(a, b);
    *im = _mm_unpackhi_pd(a, b);
}

static inline void vsti(T *p, V re, V im)
{
    VST(p, _mm_unpacklo_pd(re, im));
    VST(p + 2, _mm_unpackhi_pd(re, im));
}

static inline void vtranspose(V *x)
{
    const V a = _mm_unpacklo_pd(x[0], x[1]);
    x[1] = _mm_unpackhi_pd(x[0], x[1]);
    x[0] = a;
}

#else

typedef float T;
typedef __m128 V;
enum { VL = 4 };

#define VLD(p) _mm_loadu_ps(p)
#define VLD1(p) _mm_set1_ps(*(p))
#define VST(p, v) _mm_storeu_ps(p, v)
#define VST_HEAD(p, v)                              \
    do {                                            \
        _mm_storel_pi((__m64 *)(void *)(p), v);     \
        _mm_store_ss((p) + 2, _mm_movehl_ps(v, v)); \
    } while (0)
#define VK(x) _mm_set1_ps(x)
#define VADD(a, b) _mm_add_ps(a, b)
#define VSUB(a, b) _mm_sub_ps(a, b)
#define VMUL(a, b) _mm_mul_ps(a, b)
#define VNEG(a) _mm_xor_ps(a, _mm_set1_ps(-0.0f))
#define VREV(a) _mm_shuffle_ps(a, a, 0x1b)

static inline void vldi(const T *p, V *re, V *im)
{
    const V a = VLD(p), b = VLD(p + 4);
    *re = _mm_shuffle_ps(a, b, 0x88);
    *im = _mm_shuffle_ps(a, b, 0xdd);
}

static inline void vsti(T *p, V re, V im)
{
    VST(p, _mm_unpacklo_ps(re, im));
    VST(p + 4, _mm_unpackhi_ps(re, im));
}

static inline void vtranspose(V *x)
{
    _MM_TRANSPOSE4_PS(x[0], x[1], x[2], x[3]);
}

#endif

static inline void vsti_back(T *p, V re, V im)
{
    vsti(p, VREV(re), VREV(im));
}

#endif
