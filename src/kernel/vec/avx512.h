/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/avx512.h - the kernels' vocabulary for AVX-512 (F, DQ, BW, VL); see
 * scalar.h.
 *
 * Any shuffle of two registers is one instruction, but on many cores it
 * takes the place of a fused multiply-add: their number is what counts.  The
 * any-order forms need no index registers.
 */
#ifndef WEFT_KERNEL_VEC_AVX512_H
#define WEFT_KERNEL_VEC_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define VOPAQUE(n) __asm__("" : "+r"(n))

/* Lanes up to `count`, which may be less than none and more than all. */
#define VMASK_OF(name, count)                                         \
    const __mmask16 name = (__mmask16)((count) >= VL  ? (1 << VL) - 1 \
                                       : (count) <= 0 ? 0             \
                                                      : (1 << (count)) - 1)

#if WF_VEC_REAL == 64

typedef double T;
typedef __m512d V;
enum { VL = 8 };

#define VLD(p) _mm512_loadu_pd(p)
#define VLD1(p) _mm512_set1_pd(*(p))
#define VST(p, v) _mm512_storeu_pd(p, v)
#define VLDM(p, some) _mm512_maskz_loadu_pd(some, p)
#define VSTM(p, some, v) _mm512_mask_storeu_pd(p, some, v)
#define VST_HEAD(p, v) _mm512_mask_storeu_pd(p, 0x7f, v)
#define VK(x) _mm512_set1_pd(x)
#define VADD(a, b) _mm512_add_pd(a, b)
#define VSUB(a, b) _mm512_sub_pd(a, b)
#define VMUL(a, b) _mm512_mul_pd(a, b)
#define VNEG(a) _mm512_xor_pd(a, _mm512_set1_pd(-0.0))
#define VREV(a) \
    _mm512_permutexvar_pd(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), a)
#define VFMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define VFNMA(a, b, c) _mm512_fnmadd_pd(a, b, c)
#define VFMS(a, b, c) _mm512_fmsub_pd(a, b, c)
#define VQUARTERS(a, b, s) _mm512_shuffle_f64x2(a, b, s)
#define VPICK(a, lanes, b) _mm512_permutex2var_pd(a, (__m512i)(lanes), b)
typedef int64_t VWORD;
#define VITSELF ((vindex){0, 1, 2, 3, 4, 5, 6, 7})

/* Lanes of unpacklo(c0 .. c3, c4 .. c7): c0 c4 c1 c5 c2 c6 c3 c7. */
#define VLANE_ANY(r) ((r) < 4 ? 2 * (r) : 2 * (r)-7)

static inline void vldi_any(const T *p, V *re, V *im)
{
    const V a = VLD(p), b = VLD(p + 8);
    *re = _mm512_unpacklo_pd(a, b);
    *im = _mm512_unpackhi_pd(a, b);
}

static inline void vsti_any(T *p, V re, V im)
{
    VST(p, _mm512_unpacklo_pd(re, im));
    VST(p + 8, _mm512_unpackhi_pd(re, im));
}

static inline void vldi(const T *p, V *re, V *im)
{
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const V a = VLD(p), b = VLD(p + 8);
    *re = _mm512_permutex2var_pd(a, even, b);
    *im = _mm512_permutex2var_pd(a, odd, b);
}

static inline void vsti(T *p, V re, V im)
{
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    VST(p, _mm512_permutex2var_pd(re, low, im));
    VST(p + 8, _mm512_permutex2var_pd(re, high, im));
}

/* The masks of the first and of the second vector. */
static inline void vldim(const T *p, __mmask8 low, __mmask8 high, V *re, V *im)
{
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const V a = VLDM(p, low), b = VLDM(p + 8, high);
    *re = _mm512_permutex2var_pd(a, even, b);
    *im = _mm512_permutex2var_pd(a, odd, b);
}

static inline void vstim(T *p, __mmask8 low, __mmask8 high, V re, V im)
{
    const __m512i front = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i back = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    VSTM(p, low, _mm512_permutex2var_pd(re, front, im));
    VSTM(p + 8, high, _mm512_permutex2var_pd(re, back, im));
}

static inline void vsti_back(T *p, V re, V im)
{
    const __m512i high = _mm512_setr_epi64(7, 15, 6, 14, 5, 13, 4, 12);
    const __m512i low = _mm512_setr_epi64(3, 11, 2, 10, 1, 9, 0, 8);
    VST(p, _mm512_permutex2var_pd(re, high, im));
    VST(p + 8, _mm512_permutex2var_pd(re, low, im));
}

#else

typedef float T;
typedef __m512 V;
enum { VL = 16 };

#define VLD(p) _mm512_loadu_ps(p)
#define VLD1(p) _mm512_set1_ps(*(p))
#define VST(p, v) _mm512_storeu_ps(p, v)
#define VLDM(p, some) _mm512_maskz_loadu_ps(some, p)
#define VSTM(p, some, v) _mm512_mask_storeu_ps(p, some, v)
#define VST_HEAD(p, v) _mm512_mask_storeu_ps(p, 0x7fff, v)
#define VK(x) _mm512_set1_ps(x)
#define VADD(a, b) _mm512_add_ps(a, b)
#define VSUB(a, b) _mm512_sub_ps(a, b)
#define VMUL(a, b) _mm512_mul_ps(a, b)
#define VNEG(a) _mm512_xor_ps(a, _mm512_set1_ps(-0.0f))
#define VREV(a)                                                              \
    _mm512_permutexvar_ps(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, \
                                            6, 5, 4, 3, 2, 1, 0),            \
                          a)
#define VFMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define VFNMA(a, b, c) _mm512_fnmadd_ps(a, b, c)
#define VFMS(a, b, c) _mm512_fmsub_ps(a, b, c)
#define VQUARTERS(a, b, s) _mm512_shuffle_f32x4(a, b, s)
#define VPICK(a, lanes, b) _mm512_permutex2var_ps(a, (__m512i)(lanes), b)
typedef int32_t VWORD;
#define VITSELF \
    ((vindex){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})

/* Quarter h of shuffle(c0 .. c7, c8 .. c15): c(2h) c(2h+1) c(2h+8) c(2h+9). */
#define VLANE_ANY(r) ((r) % 8 / 2 * 4 + (r) / 8 * 2 + (r) % 2)

static inline void vldi_any(const T *p, V *re, V *im)
{
    const V a = VLD(p), b = VLD(p + 16);
    *re = _mm512_shuffle_ps(a, b, 0x88);
    *im = _mm512_shuffle_ps(a, b, 0xdd);
}

static inline void vsti_any(T *p, V re, V im)
{
    VST(p, _mm512_unpacklo_ps(re, im));
    VST(p + 16, _mm512_unpackhi_ps(re, im));
}

static inline void vldi(const T *p, V *re, V *im)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                           20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
                                          21, 23, 25, 27, 29, 31);
    const V a = VLD(p), b = VLD(p + 16);
    *re = _mm512_permutex2var_ps(a, even, b);
    *im = _mm512_permutex2var_ps(a, odd, b);
}

static inline void vsti(T *p, V re, V im)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                                          21, 6, 22, 7, 23);
    const __m512i high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12,
                                           28, 13, 29, 14, 30, 15, 31);
    VST(p, _mm512_permutex2var_ps(re, low, im));
    VST(p + 16, _mm512_permutex2var_ps(re, high, im));
}

static inline void vldim(const T *p, __mmask16 low, __mmask16 high, V *re,
                         V *im)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                           20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
                                          21, 23, 25, 27, 29, 31);
    const V a = VLDM(p, low), b = VLDM(p + 16, high);
    *re = _mm512_permutex2var_ps(a, even, b);
    *im = _mm512_permutex2var_ps(a, odd, b);
}

static inline void vstim(T *p, __mmask16 low, __mmask16 high, V re, V im)
{
    const __m512i front = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
                                            5, 21, 6, 22, 7, 23);
    const __m512i back = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12,
                                           28, 13, 29, 14, 30, 15, 31);
    VSTM(p, low, _mm512_permutex2var_ps(re, front, im));
    VSTM(p + 16, high, _mm512_permutex2var_ps(re, back, im));
}

static inline void vsti_back(T *p, V re, V im)
{
    const __m512i high = _mm512_setr_epi32(15, 31, 14, 30, 13, 29, 12, 28, 11,
                                           27, 10, 26, 9, 25, 8, 24);
    const __m512i low = _mm512_setr_epi32(7, 23, 6, 22, 5, 21, 4, 20, 3, 19, 2,
                                          18, 1, 17, 0, 16);
    VST(p, _mm512_permutex2var_ps(re, high, im));
    VST(p + 16, _mm512_permutex2var_ps(re, low, im));
}

#endif

typedef VWORD vindex __attribute__((vector_size(64)));

/* How vsti's numbers lie in lines of memory, the first of which has `beyond` elements of
 * others before them: lane l is element (l - beyond) mod 2 VL of re im re im ..., of the
 * first line and the last or, VL further, of that between them. */
typedef struct vlines {
    ptrdiff_t beyond;
    vindex ends, middle;
    __mmask16 first, last;
} vlines;

static inline vlines vlines_of(ptrdiff_t beyond)
{
    const vindex element = VITSELF - (VWORD)beyond;
    const vindex ends = (element >> 1 & (VL - 1)) | (element & 1) * VL;
    const __mmask16 last = (__mmask16)((1 << beyond) - 1);
    return (vlines){beyond, ends, ends ^ (VL / 2), (__mmask16)~last, last};
}

/* p: that first line. */
static inline void vsti_lines(T *p, V re, V im, const vlines *to)
{
    const V ends = VPICK(re, to->ends, im);
    VSTM(p, to->first, ends);
    VST(p + VL, VPICK(re, to->middle, im));
    VSTM(p + 2 * VL, to->last, ends);
}

/* Elements of its line before p, where all that is so far apart begins alike; else 0. */
static inline ptrdiff_t vbeyond(const T *p, ptrdiff_t distances)
{
    return distances % VL ? 0 : (ptrdiff_t)((uintptr_t)p / sizeof(T) % VL);
}

#define VINLINE static inline __attribute__((always_inline))

/* 4x4 transpose of 128-bit quarters: quarter h of vector g <-> quarter g of
 * vector h. */
VINLINE void vtranspose_quarters(V *w0, V *w1, V *w2, V *w3)
{
    const V a = VQUARTERS(*w0, *w1, 0x44), b = VQUARTERS(*w0, *w1, 0xee);
    const V c = VQUARTERS(*w2, *w3, 0x44), d = VQUARTERS(*w2, *w3, 0xee);
    *w0 = VQUARTERS(a, c, 0x88);
    *w1 = VQUARTERS(a, c, 0xdd);
    *w2 = VQUARTERS(b, d, 0x88);
    *w3 = VQUARTERS(b, d, 0xdd);
}

#if WF_VEC_REAL == 64

/* Within quarters: lane e of the pair g goes to vector 2g + e. */
VINLINE void vtranspose2(V *x)
{
    const V a = _mm512_unpacklo_pd(x[0], x[1]);
    x[1] = _mm512_unpackhi_pd(x[0], x[1]);
    x[0] = a;
}

/* After the first stage x[2g + e] holds, in quarter h, element 2h + e of the
 * pair g; exchanging g and h leaves row 2h + e in x[2h + e]. */
VINLINE void vtranspose(V *x)
{
    vtranspose2(x);
    vtranspose2(x + 2);
    vtranspose2(x + 4);
    vtranspose2(x + 6);
    vtranspose_quarters(&x[0], &x[2], &x[4], &x[6]);
    vtranspose_quarters(&x[1], &x[3], &x[5], &x[7]);
}

#else

static inline V vpairs_low(V a, V b)
{
    return _mm512_castpd_ps(
        _mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}

static inline V vpairs_high(V a, V b)
{
    return _mm512_castpd_ps(
        _mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}

/* 4x4 within each quarter. */
VINLINE void vtranspose4(V *x)
{
    const V a = _mm512_unpacklo_ps(x[0], x[1]);
    const V b = _mm512_unpackhi_ps(x[0], x[1]);
    const V c = _mm512_unpacklo_ps(x[2], x[3]);
    const V d = _mm512_unpackhi_ps(x[2], x[3]);
    x[0] = vpairs_low(a, c);
    x[1] = vpairs_high(a, c);
    x[2] = vpairs_low(b, d);
    x[3] = vpairs_high(b, d);
}

VINLINE void vtranspose(V *x)
{
    vtranspose4(x);
    vtranspose4(x + 4);
    vtranspose4(x + 8);
    vtranspose4(x + 12);
    vtranspose_quarters(&x[0], &x[4], &x[8], &x[12]);
    vtranspose_quarters(&x[1], &x[5], &x[9], &x[13]);
    vtranspose_quarters(&x[2], &x[6], &x[10], &x[14]);
    vtranspose_quarters(&x[3], &x[7], &x[11], &x[15]);
}

#endif
#endif
