/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/prime_leaf.h - whole transforms of primes p = 2h + 1 from 17 on, in
 * loops.
 *
 * The matrices of prime.h, with the outputs in the lanes: registers of c
 * complex numbers, re im re im, hold A and B of k, k + 1, ... , and for each j
 * s[j] is broadcast and meets a row of the table.  The formulas hold for every
 * k, so the lanes of a last register beyond h make once more what other lanes
 * make, and store the same.
 *
 * Needs interleaved.h to be included before; takes the widest registers up to
 * 256 bits, since h is short.
 */
#ifndef WEFT_KERNEL_VEC_PRIME_LEAF_H
#define WEFT_KERNEL_VEC_PRIME_LEAF_H

#include <stddef.h>

/* P, the register: the words of interleaved.h, and
 *   PALL(p)   the complex number at p, everywhere
 *   PREV(v)   complex numbers in reverse */
#if defined(__AVX2__)
typedef Y P;
#define PLD YLD
#define PST YST
#define PST1 YST1
#define PADD YADD
#define PSUB YSUB
#define PMUL YMUL
#define PFMA YFMA
#define PSWAP YSWAP
#define PALT YALT
#if WF_VEC_REAL == 64
#define PALL(p) _mm256_broadcast_pd((const __m128d *)(const void *)(p))
#define PREV(v) YSHUF(v, v, 2, 3, 0, 1)
#else
#define PALL(p) \
    _mm256_castpd_ps(_mm256_broadcast_sd((const double *)(const void *)(p)))
#define PREV(v) YSHUF(v, v, 6, 7, 4, 5, 2, 3, 0, 1)
#endif
#else
typedef X P;
#define PLD XLD
#define PST XST
#define PST1 XST1
#define PADD XADD
#define PSUB XSUB
#define PMUL XMUL
#ifdef XFMA
#define PFMA XFMA
#else
#define PFMA(a, b, c) XADD(XMUL(a, b), c)
#endif
#define PSWAP XSWAP
#define PALT XALT
#if WF_VEC_REAL == 64
#define PALL XLD
#define PREV(v) (v)
#else
LEAF_INLINE P PALL(const T *p)
{
    const P v = XLDH(p);
    return XSHUF(v, v, 0, 1, 0, 1);
}
#define PREV(v) XSHUF(v, v, 2, 3, 0, 1)
#endif
#endif

enum {
    PRIME_LANES = sizeof(P) / sizeof(T),
    PRIME_ROOM = 32 /* numbers of s and of d, p = 31 */
};

/* s[1 ..] and d[1 ..] to b and b + PRIME_ROOM. */
LEAF_INLINE void prime_leaf_fold(const T *x, ptrdiff_t p, T *b)
{
    const T *u = x + 2, *v = x + 2 * p - PRIME_LANES;
    for (; u - x < p; u += PRIME_LANES, v -= PRIME_LANES, b += PRIME_LANES) {
        const P low = PLD(u), high = PREV(PLD(v));
        PST(b, PADD(low, high));
        PST(b + PRIME_ROOM, PSUB(low, high));
    }
}

#define EACH2(does) does(0) does(1)
#define EACH3(does) EACH2(does) does(2)
#define EACH4(does) EACH3(does) does(3)
#define EACH5(does) EACH4(does) does(4)
#define EACH6(does) EACH5(does) does(5)
#define EACH7(does) EACH6(does) does(6)
#define EACH8(does) EACH7(does) does(7)

#define BEGIN_A(i) P a##i = PFMA(PLD(t + (i)*PRIME_LANES), s, x0);
#define ADD_A(i) a##i = PFMA(PLD(t + (i)*PRIME_LANES), s, a##i);
#define BEGIN_B(i) P b##i = PMUL(PLD(t + (i)*PRIME_LANES), d);
#define ADD_B(i) b##i = PFMA(PLD(t + (i)*PRIME_LANES), d, b##i);
#define END(i)                                                \
    {                                                         \
        const P turned = PMUL(PSWAP(b##i), alt);              \
        PST(y + 2 * k + (i)*PRIME_LANES, PADD(a##i, turned)); \
        PST(y + 2 * (p - k + 1) - ((i) + 1) * PRIME_LANES,    \
            PREV(PSUB(a##i, turned)));                        \
    }

/* prime_leaf_N: N registers of outputs from k on, their mirror images, and if
 * k = 1 y[0]; returns the table of the next block. */
#define PRIME_LEAF(N)                                                         \
    LEAF_INLINE const T *prime_leaf_##N(P x0, T *y, ptrdiff_t p, ptrdiff_t k, \
                                        const T *b, const T *t, P alt)        \
    {                                                                         \
        const T *const end = b + p - 1;                                       \
        P s = PALL(b), sum = PADD(x0, s);                                     \
        EACH##N(BEGIN_A);                                                     \
        t += (N)*PRIME_LANES;                                                 \
        for (const T *from = b + 2; from != end; from += 2) {                 \
            s = PALL(from);                                                   \
            sum = PADD(sum, s);                                               \
            EACH##N(ADD_A);                                                   \
            t += (N)*PRIME_LANES;                                             \
        }                                                                     \
        P d = PALL(b + PRIME_ROOM);                                           \
        EACH##N(BEGIN_B);                                                     \
        t += (N)*PRIME_LANES;                                                 \
        for (const T *from = b + 2; from != end; from += 2) {                 \
            d = PALL(from + PRIME_ROOM);                                      \
            EACH##N(ADD_B);                                                   \
            t += (N)*PRIME_LANES;                                             \
        }                                                                     \
        if (k == 1)                                                           \
            PST1(y, sum);                                                     \
        EACH##N(END);                                                         \
        return t;                                                             \
    }

PRIME_LEAF(2)
PRIME_LEAF(3)
PRIME_LEAF(4)
PRIME_LEAF(5)
PRIME_LEAF(6)
PRIME_LEAF(7)
PRIME_LEAF(8)

#endif
