/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/avx2.h - the kernels' vocabulary for AVX2 with FMA; see scalar.h.
 *
 * Shuffles within 128-bit halves are cheap, across them they are not: the
 * any-order forms stay within, the natural ones cross with one more step,
 * for loads done by the load ports (insert from memory).
 */
#ifndef WEFT_KERNEL_VEC_AVX2_H
#define WEFT_KERNEL_VEC_AVX2_H

#include <immintrin.h>
#include <stddef.h>

#define VOPAQUE(n) __asm__("" : "+r"(n))

#if WF_VEC_REAL == 64

typedef double T;
typedef __m256d V;
enum { VL = 4 };

#define VLD(p) _mm256_loadu_pd(p)
#define VLD1(p) _mm256_broadcast_sd(p)
#define VST(p, v) _mm256_storeu_pd(p, v)
#define VST_HEAD(p, v) \
    _mm256_maskstore_pd(p, _mm256_setr_epi64x(-1, -1, -1, 0), v)
#define VK(x) _mm256_set1_pd(x)
#define VADD(a, b) _mm256_add_pd(a, b)
#define VSUB(a, b) _mm256_sub_pd(a, b)
#define VMUL(a, b) _mm256_mul_pd(a, b)
#define VNEG(a) _mm256_xor_pd(a, _mm256_set1_pd(-0.0))
#define VREV(a) _mm256_permute4x64_pd(a, 0x1b)
#define VFMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define VFNMA(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define VFMS(a, b, c) _mm256_fmsub_pd(a, b, c)

/* Lanes of unpacklo(c0 c1, c2 c3): c0 c2 c1 c3. */
#define VLANE_ANY(r) ((r) < 2 ? 2 * (r) : 2 * (r)-3)

static inline void vldi_any(const T *p, V *re, V *im)
{
    const V a = VLD(p), b = VLD(p + 4);
    *re = _mm256_unpacklo_pd(a, b);
    *im = _mm256_unpackhi_pd(a, b);
}

static inline void vsti_any(T *p, V re, V im)
{
    VST(p, _mm256_unpacklo_pd(re, im));
    VST(p + 4, _mm256_unpackhi_pd(re, im));
}

static inline V vhalves(const T *p, const T *q)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)),
                                _mm_loadu_pd(q), 1);
}

static inline void vldi(const T *p, V *re, V *im)
{
    const V a = vhalves(p, p + 4), b = vhalves(p + 2, p + 6);
    *re = _mm256_unpacklo_pd(a, b);
    *im = _mm256_unpackhi_pd(a, b);
}

static inline void vsti(T *p, V re, V im)
{
    const V a = _mm256_unpacklo_pd(re, im), b = _mm256_unpackhi_pd(re, im);
    VST(p, _mm256_permute2f128_pd(a, b, 0x20));
    VST(p + 4, _mm256_permute2f128_pd(a, b, 0x31));
}

static inline void vtranspose(V *x)
{
    const V a = _mm256_unpacklo_pd(x[0], x[1]);
    const V b = _mm256_unpackhi_pd(x[0], x[1]);
    const V c = _mm256_unpacklo_pd(x[2], x[3]);
    const V d = _mm256_unpackhi_pd(x[2], x[3]);
    x[0] = _mm256_permute2f128_pd(a, c, 0x20);
    x[1] = _mm256_permute2f128_pd(b, d, 0x20);
    x[2] = _mm256_permute2f128_pd(a, c, 0x31);
    x[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

#else

typedef float T;
typedef __m256 V;
enum { VL = 8 };

#define VLD(p) _mm256_loadu_ps(p)
#define VLD1(p) _mm256_broadcast_ss(p)
#define VST(p, v) _mm256_storeu_ps(p, v)
#define VST_HEAD(p, v) \
    _mm256_maskstore_ps(p, _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, -1, 0), v)
#define VK(x) _mm256_set1_ps(x)
#define VADD(a, b) _mm256_add_ps(a, b)
#define VSUB(a, b) _mm256_sub_ps(a, b)
#define VMUL(a, b) _mm256_mul_ps(a, b)
#define VNEG(a) _mm256_xor_ps(a, _mm256_set1_ps(-0.0f))
#define VREV(a) \
    _mm256_permutevar8x32_ps(a, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))
#define VFMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define VFNMA(a, b, c) _mm256_fnmadd_ps(a, b, c)
#define VFMS(a, b, c) _mm256_fmsub_ps(a, b, c)

/* Lanes of shuffle(c0 c1 c2 c3, c4 c5 c6 c7): c0 c1 c4 c5 c2 c3 c6 c7. */
#define VLANE_ANY(r) \
    ((r) % 4 < 2 ? (r) / 4 * 2 + (r) % 4 : (r) / 4 * 2 + (r) % 4 + 2)

static inline void vldi_any(const T *p, V *re, V *im)
{
    const V a = VLD(p), b = VLD(p + 8);
    *re = _mm256_shuffle_ps(a, b, 0x88);
    *im = _mm256_shuffle_ps(a, b, 0xdd);
}

static inline void vsti_any(T *p, V re, V im)
{
    VST(p, _mm256_unpacklo_ps(re, im));
    VST(p + 8, _mm256_unpackhi_ps(re, im));
}

static inline V vhalves(const T *p, const T *q)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)),
                                _mm_loadu_ps(q), 1);
}

static inline void vldi(const T *p, V *re, V *im)
{
    const V a = vhalves(p, p + 8), b = vhalves(p + 4, p + 12);
    *re = _mm256_shuffle_ps(a, b, 0x88);
    *im = _mm256_shuffle_ps(a, b, 0xdd);
}

static inline void vsti(T *p, V re, V im)
{
    const V a = _mm256_unpacklo_ps(re, im), b = _mm256_unpackhi_ps(re, im);
    VST(p, _mm256_permute2f128_ps(a, b, 0x20));
    VST(p + 8, _mm256_permute2f128_ps(a, b, 0x31));
}

/* 4x4 within each 128-bit half. */
static inline void vtranspose4(V *x)
{
    const V a = _mm256_unpacklo_ps(x[0], x[1]);
    const V b = _mm256_unpackhi_ps(x[0], x[1]);
    const V c = _mm256_unpacklo_ps(x[2], x[3]);
    const V d = _mm256_unpackhi_ps(x[2], x[3]);
    x[0] = _mm256_shuffle_ps(a, c, 0x44);
    x[1] = _mm256_shuffle_ps(a, c, 0xee);
    x[2] = _mm256_shuffle_ps(b, d, 0x44);
    x[3] = _mm256_shuffle_ps(b, d, 0xee);
}

static inline void vhalves_meet(V *x, V *y)
{
    const V a = _mm256_permute2f128_ps(*x, *y, 0x20);
    *y = _mm256_permute2f128_ps(*x, *y, 0x31);
    *x = a;
}

static inline void vtranspose(V *x)
{
    vtranspose4(x);
    vtranspose4(x + 4);
    vhalves_meet(&x[0], &x[4]);
    vhalves_meet(&x[1], &x[5]);
    vhalves_meet(&x[2], &x[6]);
    vhalves_meet(&x[3], &x[7]);
}

#endif

static inline void vsti_back(T *p, V re, V im)
{
    vsti(p, VREV(re), VREV(im));
}

#endif
