/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/neon.h - the kernels' vocabulary for AArch64 Advanced SIMD; see
 * scalar.h.  Structured loads do the interleaving.
 */
#ifndef WEFT_KERNEL_VEC_NEON_H
#define WEFT_KERNEL_VEC_NEON_H

#include <arm_neon.h>
#include <stddef.h>

#define VOPAQUE(n) __asm__("" : "+r"(n))
#define VLANE_ANY(r) (r)
#define vldi_any vldi
#define vsti_any vsti

#if WF_VEC_REAL == 64

typedef double T;
typedef float64x2_t V;
enum { VL = 2 };

#define VLD(p) vld1q_f64(p)
#define VLD1(p) vld1q_dup_f64(p)
#define VST(p, v) vst1q_f64(p, v)
#define VST_HEAD(p, v) vst1q_lane_f64(p, v, 0)
#define VK(x) vdupq_n_f64(x)
#define VADD(a, b) vaddq_f64(a, b)
#define VSUB(a, b) vsubq_f64(a, b)
#define VMUL(a, b) vmulq_f64(a, b)
#define VNEG(a) vnegq_f64(a)
#define VREV(a) vextq_f64(a, a, 1)
#define VFMA(a, b, c) vfmaq_f64(c, a, b)
#define VFNMA(a, b, c) vfmsq_f64(c, a, b)
#define VFMS(a, b, c) vfmaq_f64(vnegq_f64(c), a, b)

static inline void vldi(const T *p, V *re, V *im)
{
    const float64x2x2_t v = vld2q_f64(p);
    *re = v.val[0];
    *im = v.val[1];
}

static inline void vsti(T *p, V re, V im)
{
    const float64x2x2_t v = {{re, im}};
    vst2q_f64(p, v);
}

static inline void vtranspose(V *x)
{
    const V a = vtrn1q_f64(x[0], x[1]);
    x[1] = vtrn2q_f64(x[0], x[1]);
    x[0] = a;
}

#else

typedef float T;
typedef float32x4_t V;
enum { VL = 4 };

#define VLD(p) vld1q_f32(p)
#define VLD1(p) vld1q_dup_f32(p)
#define VST(p, v) vst1q_f32(p, v)
#define VST_HEAD(p, v)                 \
    do {                               \
        vst1_f32(p, vget_low_f32(v));  \
        vst1q_lane_f32((p) + 2, v, 2); \
    } while (0)
#define VK(x) vdupq_n_f32(x)
#define VADD(a, b) vaddq_f32(a, b)
#define VSUB(a, b) vsubq_f32(a, b)
#define VMUL(a, b) vmulq_f32(a, b)
#define VNEG(a) vnegq_f32(a)
#define VREV(a) vextq_f32(vrev64q_f32(a), vrev64q_f32(a), 2)
#define VFMA(a, b, c) vfmaq_f32(c, a, b)
#define VFNMA(a, b, c) vfmsq_f32(c, a, b)
#define VFMS(a, b, c) vfmaq_f32(vnegq_f32(c), a, b)

static inline void vldi(const T *p, V *re, V *im)
{
    const float32x4x2_t v = vld2q_f32(p);
    *re = v.val[0];
    *im = v.val[1];
}

static inline void vsti(T *p, V re, V im)
{
    const float32x4x2_t v = {{re, im}};
    vst2q_f32(p, v);
}

static inline V vpairs_low(V a, V b)
{
    return vreinterpretq_f32_f64(
        vtrn1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}

static inline V vpairs_high(V a, V b)
{
    return vreinterpretq_f32_f64(
        vtrn2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}

static inline void vtranspose(V *x)
{
    const V a = vtrn1q_f32(x[0], x[1]), b = vtrn2q_f32(x[0], x[1]);
    const V c = vtrn1q_f32(x[2], x[3]), d = vtrn2q_f32(x[2], x[3]);
    x[0] = vpairs_low(a, c);
    x[1] = vpairs_low(b, d);
    x[2] = vpairs_high(a, c);
    x[3] = vpairs_high(b, d);
}

#endif

static inline void vsti_back(T *p, V re, V im)
{
    vsti(p, VREV(re), VREV(im));
}

#endif
