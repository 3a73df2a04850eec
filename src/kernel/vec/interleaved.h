/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/interleaved.h - the vocabulary of leaves: registers of whole complex
 * numbers, re im re im.
 *
 * Words begin with the width of their registers, X 128, Y 256, Z 512 bits,
 * because one leaf may use several; which of them exist follows from what
 * the file is compiled for.  For S one of them:
 *
 *   S                     the register
 *   SLD(p) SST(p, v)      load, store, no alignment needed
 *   XLDH XSTH             one complex float, half an X
 *   SST1(p, v)            the first complex number of v
 *   SK(k) SALT(k)         k everywhere; -k k -k k ...
 *   SADD SSUB SMUL SFMA SFNMA SFMS       as in scalar.h
 *   SFMALT(a, b, c)       a b - c in even lanes, a b + c in odd ones
 *   SSWAP(v)              re and im exchanged
 *   SSHUF(a, b, i ...)    any lanes of a and b
 *   YBLEND(a, b, mask)    lanes of b where mask has a bit, else of a
 *   SLDA(p, d) SSTA(p, d, v)             element t at p + t d; of floats Y
 *   SLDS(p, q) SSTS(p, q, v)             re at p, im at q
 *   SLDP(p, d, &v, &w) SSTP(p, d, v, w)  float: two elements at p + t d, the
 *                         first of all of them in v, the second in w; of Z in
 *                         an order of t that only these two words know
 *
 * Sums, products and shuffles are the compilers' vector extensions; fused
 * operations are intrinsics.
 */
#ifndef WEFT_KERNEL_VEC_INTERLEAVED_H
#define WEFT_KERNEL_VEC_INTERLEAVED_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Out of line each would move its registers through memory. */
#define LEAF_INLINE static inline __attribute__((always_inline))

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(mask, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(mask, a, b, ...) __builtin_shuffle(a, b, (mask){__VA_ARGS__})
#endif

#if WF_VEC_REAL == 64
typedef double T;
typedef long long mask_word;
#else
typedef float T;
typedef int mask_word;
#endif

#define VOPAQUE(n) __asm__("" : "+r"(n))

/* Are n reals at a other memory than n at b? */
LEAF_INLINE int are_apart(const T *a, const T *b, size_t n)
{
    return (uintptr_t)(a + n) <= (uintptr_t)b ||
           (uintptr_t)(b + n) <= (uintptr_t)a;
}

/* Where in scratch rows of so many bytes keep clear of those of `out`: a quarter of a
 * row on. */
LEAF_INLINE T *clear_of(T *scratch, const T *out, size_t row)
{
    const size_t on = ((uintptr_t)out - (uintptr_t)scratch + row / 4) % row;
    return scratch + on / 64 * (64 / sizeof(T));
}

typedef mask_word XMASK __attribute__((vector_size(16)));

#define XADD(a, b) ((a) + (b))
#define XSUB(a, b) ((a) - (b))
#define XNEG(a) (-(a))
#define XMUL(a, b) ((a) * (b))
#define XSHUF(a, b, ...) SHUFFLE(XMASK, a, b, __VA_ARGS__)

#if WF_VEC_REAL == 64

#if defined(__x86_64__)
typedef __m128d X;
#define XLD(p) _mm_loadu_pd(p)
#define XST(p, v) _mm_storeu_pd(p, v)
#else
typedef float64x2_t X;
#define XLD(p) vld1q_f64(p)
#define XST(p, v) vst1q_f64(p, v)
#endif
#define XST1 XST
#define XK(k) ((X){k, k})
#define XALT(k) ((X){-(k), k})
#define XSWAP(v) XSHUF(v, v, 1, 0)

#else

#if defined(__x86_64__)
typedef __m128 X;
#define XLD(p) _mm_loadu_ps(p)
#define XST(p, v) _mm_storeu_ps(p, v)
#define XLDH(p) \
    _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(p)))
#define XSTH(p, v) \
    _mm_storel_epi64((__m128i *)(void *)(p), _mm_castps_si128(v))
#else
typedef float32x4_t X;
#define XLD(p) vld1q_f32(p)
#define XST(p, v) vst1q_f32(p, v)
#define XLDH(p) vcombine_f32(vld1_f32(p), vdup_n_f32(0))
#define XSTH(p, v) vst1_f32(p, vget_low_f32(v))
#endif
#define XST1 XSTH
#define XK(k) ((X){k, k, k, k})
#define XALT(k) ((X){-(k), k, -(k), k})
#define XSWAP(v) XSHUF(v, v, 1, 0, 3, 2)

LEAF_INLINE void XLDP(const T *p, ptrdiff_t d, X *v, X *w)
{
    const X a = XLD(p), b = XLD(p + d);
    *v = XSHUF(a, b, 0, 1, 4, 5);
    *w = XSHUF(a, b, 2, 3, 6, 7);
}

LEAF_INLINE void XSTP(T *p, ptrdiff_t d, X v, X w)
{
    XST(p, XSHUF(v, w, 0, 1, 4, 5));
    XST(p + d, XSHUF(v, w, 2, 3, 6, 7));
}

#endif

#if defined(__aarch64__) && WF_VEC_REAL == 64
#define XFMA(a, b, c) vfmaq_f64(c, a, b)
#define XFNMA(a, b, c) vfmsq_f64(c, a, b)
#define XFMS(a, b, c) vfmaq_f64(-(c), a, b)
#define XFMALT(a, b, c) vfmaq_f64(XMUL(XALT(1), c), a, b)
#elif defined(__aarch64__)
#define XFMA(a, b, c) vfmaq_f32(c, a, b)
#define XFNMA(a, b, c) vfmsq_f32(c, a, b)
#define XFMS(a, b, c) vfmaq_f32(-(c), a, b)
#define XFMALT(a, b, c) vfmaq_f32(XMUL(XALT(1), c), a, b)
#elif defined(__FMA__) && WF_VEC_REAL == 64
#define XFMA(a, b, c) _mm_fmadd_pd(a, b, c)
#define XFNMA(a, b, c) _mm_fnmadd_pd(a, b, c)
#define XFMS(a, b, c) _mm_fmsub_pd(a, b, c)
#define XFMALT(a, b, c) _mm_fmaddsub_pd(a, b, c)
#elif defined(__FMA__)
#define XFMA(a, b, c) _mm_fmadd_ps(a, b, c)
#define XFNMA(a, b, c) _mm_fnmadd_ps(a, b, c)
#define XFMS(a, b, c) _mm_fmsub_ps(a, b, c)
#define XFMALT(a, b, c) _mm_fmaddsub_ps(a, b, c)
#endif

#if defined(__AVX2__)

typedef mask_word YMASK __attribute__((vector_size(32)));

#define YADD(a, b) ((a) + (b))
#define YSUB(a, b) ((a) - (b))
#define YNEG(a) (-(a))
#define YMUL(a, b) ((a) * (b))
#define YSHUF(a, b, ...) SHUFFLE(YMASK, a, b, __VA_ARGS__)

#if WF_VEC_REAL == 64

typedef __m256d Y;
#define YLD(p) _mm256_loadu_pd(p)
#define YLDEVEN(p) _mm256_movedup_pd(_mm256_loadu_pd(p))
#define YLDODD(p) _mm256_movedup_pd(_mm256_loadu_pd((p) + 1))
#define YST(p, v) _mm256_storeu_pd(p, v)
#define YST1(p, v) XST(p, _mm256_castpd256_pd128(v))
#define YFMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define YFNMA(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define YFMS(a, b, c) _mm256_fmsub_pd(a, b, c)
#define YFMALT(a, b, c) _mm256_fmaddsub_pd(a, b, c)
#define YK(k) ((Y){k, k, k, k})
#define YALT(k) ((Y){-(k), k, -(k), k})
#define YSWAP(v) YSHUF(v, v, 1, 0, 3, 2)
#define YBLEND(a, b, mask) _mm256_blend_pd(a, b, mask)

LEAF_INLINE Y YLDS(const T *p, const T *q)
{
    const Y v = _mm256_insertf128_pd(_mm256_castpd128_pd256(XLD(p)), XLD(q),
                                     1);
    return _mm256_permute4x64_pd(v, 0xd8);
}

LEAF_INLINE void YSTS(T *p, T *q, Y v)
{
    v = _mm256_permute4x64_pd(v, 0xd8);
    XST(p, _mm256_castpd256_pd128(v));
    XST(q, _mm256_extractf128_pd(v, 1));
}

LEAF_INLINE Y YLDA(const T *p, ptrdiff_t d)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(XLD(p)), XLD(p + d), 1);
}

LEAF_INLINE void YSTA(T *p, ptrdiff_t d, Y v)
{
    XST(p, _mm256_castpd256_pd128(v));
    XST(p + d, _mm256_extractf128_pd(v, 1));
}

#else

typedef __m256 Y;
#define YLD(p) _mm256_loadu_ps(p)
#define YST(p, v) _mm256_storeu_ps(p, v)
#define YST1(p, v) XSTH(p, _mm256_castps256_ps128(v))
#define YFMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define YFNMA(a, b, c) _mm256_fnmadd_ps(a, b, c)
#define YFMS(a, b, c) _mm256_fmsub_ps(a, b, c)
#define YFMALT(a, b, c) _mm256_fmaddsub_ps(a, b, c)
#define YK(k) ((Y){k, k, k, k, k, k, k, k})
#define YALT(k) ((Y){-(k), k, -(k), k, -(k), k, -(k), k})
#define YSWAP(v) YSHUF(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#define YBLEND(a, b, mask) _mm256_blend_ps(a, b, mask)

LEAF_INLINE X XLDS(const T *p, const T *q)
{
    const X v = _mm_loadh_pi(XLDH(p), (const __m64 *)(const void *)q);
    return XSHUF(v, v, 0, 2, 1, 3);
}

LEAF_INLINE void XSTS(T *p, T *q, X v)
{
    v = XSHUF(v, v, 0, 2, 1, 3);
    XSTH(p, v);
    _mm_storeh_pi((__m64 *)(void *)q, v);
}

LEAF_INLINE Y YLDS(const T *p, const T *q)
{
    const Y v = _mm256_insertf128_ps(_mm256_castps128_ps256(XLD(p)), XLD(q),
                                     1);
    return YSHUF(v, v, 0, 4, 1, 5, 2, 6, 3, 7);
}

LEAF_INLINE void YSTS(T *p, T *q, Y v)
{
    v = YSHUF(v, v, 0, 2, 4, 6, 1, 3, 5, 7);
    XST(p, _mm256_castps256_ps128(v));
    XST(q, _mm256_extractf128_ps(v, 1));
}

LEAF_INLINE Y yload_two(const T *p, ptrdiff_t d)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(XLD(p)), XLD(p + d), 1);
}

LEAF_INLINE void ystore_two(T *p, ptrdiff_t d, Y v)
{
    XST(p, _mm256_castps256_ps128(v));
    XST(p + d, _mm256_extractf128_ps(v, 1));
}

/* Four numbers that lie d apart. */
LEAF_INLINE Y yload_four(const T *p, ptrdiff_t d)
{
    const X a = _mm_loadh_pi(XLDH(p), (const __m64 *)(const void *)(p + d));
    const X b = _mm_loadh_pi(XLDH(p + 2 * d),
                             (const __m64 *)(const void *)(p + 3 * d));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
}

LEAF_INLINE void ystore_four(T *p, ptrdiff_t d, Y v)
{
    const X a = _mm256_castps256_ps128(v), b = _mm256_extractf128_ps(v, 1);
    XSTH(p, a);
    _mm_storeh_pi((__m64 *)(void *)(p + d), a);
    XSTH(p + 2 * d, b);
    _mm_storeh_pi((__m64 *)(void *)(p + 3 * d), b);
}

#define YLDA(p, d) yload_four(p, d)
#define YSTA(p, d, v) ystore_four(p, d, v)

#define YPAIRS_LOW(a, b) YSHUF(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define YPAIRS_HIGH(a, b) YSHUF(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

LEAF_INLINE void YLDP(const T *p, ptrdiff_t d, Y *v, Y *w)
{
    const Y a = yload_two(p, 2 * d), b = yload_two(p + d, 2 * d);
    *v = YPAIRS_LOW(a, b);
    *w = YPAIRS_HIGH(a, b);
}

LEAF_INLINE void YSTP(T *p, ptrdiff_t d, Y v, Y w)
{
    ystore_two(p, 2 * d, YPAIRS_LOW(v, w));
    ystore_two(p + d, 2 * d, YPAIRS_HIGH(v, w));
}

#endif
#endif

#if defined(__AVX512DQ__)

typedef mask_word ZMASK __attribute__((vector_size(64)));

#define ZADD(a, b) ((a) + (b))
#define ZSUB(a, b) ((a) - (b))
#define ZNEG(a) (-(a))
#define ZMUL(a, b) ((a) * (b))
#define ZSHUF(a, b, ...) SHUFFLE(ZMASK, a, b, __VA_ARGS__)

#if WF_VEC_REAL == 64

typedef __m512d Z;
#define ZLD(p) _mm512_loadu_pd(p)
#define ZLDEVEN(p) _mm512_movedup_pd(_mm512_loadu_pd(p))
#define ZLDODD(p) _mm512_movedup_pd(_mm512_loadu_pd((p) + 1))
#define ZLDLAST_ODD(p) _mm512_permute_pd(_mm512_loadu_pd(p), 0xff)
#define ZST(p, v) _mm512_storeu_pd(p, v)
#define ZST1(p, v) XST(p, _mm512_castpd512_pd128(v))
#define ZFMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define ZFNMA(a, b, c) _mm512_fnmadd_pd(a, b, c)
#define ZFMS(a, b, c) _mm512_fmsub_pd(a, b, c)
#define ZFMALT(a, b, c) _mm512_fmaddsub_pd(a, b, c)
#define ZK(k) _mm512_set1_pd(k)
#define ZALT(k) ((Z){-(k), k, -(k), k, -(k), k, -(k), k})
#define ZSWAP(v) _mm512_permute_pd(v, 0x55)
#define YLDM(p, some) _mm256_maskz_loadu_pd(some, p)
#define YSTM(p, some, v) _mm256_mask_storeu_pd(p, some, v)

LEAF_INLINE Z ZLDS(const T *p, const T *q)
{
    const Z v = _mm512_insertf64x4(_mm512_castpd256_pd512(YLD(p)), YLD(q), 1);
    return ZSHUF(v, v, 0, 4, 1, 5, 2, 6, 3, 7);
}

LEAF_INLINE void ZSTS(T *p, T *q, Z v)
{
    v = ZSHUF(v, v, 0, 2, 4, 6, 1, 3, 5, 7);
    YST(p, _mm512_castpd512_pd256(v));
    YST(q, _mm512_extractf64x4_pd(v, 1));
}

LEAF_INLINE Z ZLDA(const T *p, ptrdiff_t d)
{
    const Z a = _mm512_castpd256_pd512(YLDA(p, d));
    return _mm512_insertf64x4(a, YLDA(p + 2 * d, d), 1);
}

LEAF_INLINE void ZSTA(T *p, ptrdiff_t d, Z v)
{
    XST(p, _mm512_castpd512_pd128(v));
    XST(p + d, _mm512_extractf64x2_pd(v, 1));
    XST(p + 2 * d, _mm512_extractf64x2_pd(v, 2));
    XST(p + 3 * d, _mm512_extractf64x2_pd(v, 3));
}

#else

typedef __m512 Z;
#define ZLD(p) _mm512_loadu_ps(p)
#define ZLDEVEN(p) _mm512_moveldup_ps(_mm512_loadu_ps(p))
#define ZST(p, v) _mm512_storeu_ps(p, v)
#define ZST1(p, v) XSTH(p, _mm512_castps512_ps128(v))
#define ZFMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define ZFNMA(a, b, c) _mm512_fnmadd_ps(a, b, c)
#define ZFMS(a, b, c) _mm512_fmsub_ps(a, b, c)
#define ZFMALT(a, b, c) _mm512_fmaddsub_ps(a, b, c)
#define ZK(k) _mm512_set1_ps(k)
#define ZALT(k)                                                               \
    ((Z){-(k), k, -(k), k, -(k), k, -(k), k, -(k), k, -(k), k, -(k), k, -(k), \
         k})
#define ZSWAP(v) _mm512_permute_ps(v, 0xb1)

/* Compilers would load once and shuffle twice, which takes a pipe of arithmetic. */
LEAF_INLINE Z ZLDODD(const T *p)
{
    Z v;
    __asm__("vmovshdup %1, %0" : "=v"(v) : "m"(*(const __m512_u *)p));
    return v;
}
#define ZLDLAST_ODD ZLDODD

#define YLDM(p, some) _mm256_maskz_loadu_ps(some, p)
#define YSTM(p, some, v) _mm256_mask_storeu_ps(p, some, v)

LEAF_INLINE Z ZLDS(const T *p, const T *q)
{
    const Z v = _mm512_insertf32x8(_mm512_castps256_ps512(YLD(p)), YLD(q), 1);
    return ZSHUF(v, v, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

LEAF_INLINE void ZSTS(T *p, T *q, Z v)
{
    v = ZSHUF(v, v, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    YST(p, _mm512_castps512_ps256(v));
    YST(q, _mm512_extractf32x8_ps(v, 1));
}

LEAF_INLINE Z zload_four(const T *p, ptrdiff_t d)
{
    const Z a = _mm512_castps256_ps512(yload_two(p, d));
    return _mm512_insertf32x8(a, yload_two(p + 2 * d, d), 1);
}

LEAF_INLINE void zstore_four(T *p, ptrdiff_t d, Z v)
{
    XST(p, _mm512_castps512_ps128(v));
    XST(p + d, _mm512_extractf32x4_ps(v, 1));
    XST(p + 2 * d, _mm512_extractf32x4_ps(v, 2));
    XST(p + 3 * d, _mm512_extractf32x4_ps(v, 3));
}

LEAF_INLINE Z zpairs_low(Z a, Z b)
{
    return _mm512_castpd_ps(
        _mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}

LEAF_INLINE Z zpairs_high(Z a, Z b)
{
    return _mm512_castpd_ps(
        _mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}

LEAF_INLINE void ZLDP(const T *p, ptrdiff_t d, Z *v, Z *w)
{
    const Z a = zload_four(p, d), b = zload_four(p + 4 * d, d);
    *v = zpairs_low(a, b);
    *w = zpairs_high(a, b);
}

LEAF_INLINE void ZSTP(T *p, ptrdiff_t d, Z v, Z w)
{
    zstore_four(p, d, zpairs_low(v, w));
    zstore_four(p + 4 * d, d, zpairs_high(v, w));
}

#endif
#endif
#endif
