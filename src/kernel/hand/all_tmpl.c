/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * all_tmpl.c - all templates for one ISA and one type.
 *
 * Needs ISA (a name), VECTOR_BYTES and BITS (64: double, 32: float).  Gives
 * the templates:
 *   T             the type
 *   VL            T in a vector (of these templates; the contract's is LANES)
 *   UNITS         complex numbers in a vector
 *   UNIT_D, LANE_ROWS  doubles in a complex number; reals in a double
 *   LINE          complex numbers in a cache line of 64 bytes
 *   FMA(a, b, c)  a b + c, fused where the ISA fuses.  Written out, because
 *                 contraction by the compiler could differ from place to
 *                 place, and results must not.  FUSED: defined when it fuses
 *
 * Vectors are GNU vectors; shuffles are __builtin_shufflevector, which gcc 12
 * and clang have in common.
 */
#include <stdbool.h>
#include <string.h>

#include "kernel/hand/hand.h"
#include "kernel/hand/pairs.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#define INLINE static inline __attribute__((always_inline))

typedef double dvec __attribute__((vector_size(VECTOR_BYTES)));

/* X(i, h, n) for i = 0..count-1 */
#define LIST2(X, h, n, i) X(i, h, n), X((i) + 1, h, n)
#define LIST4(X, h, n, i) LIST2(X, h, n, i), LIST2(X, h, n, (i) + 2)
#define LIST8(X, h, n, i) LIST4(X, h, n, i), LIST4(X, h, n, (i) + 4)
#define LIST16(X, h, n, i) LIST8(X, h, n, i), LIST8(X, h, n, (i) + 8)

/* Of two rows cut in blocks of h lanes: the even blocks of both, a first;
 * the odd blocks of both. */
#define LOWER(i, h, n) ((i) / (h) % 2 ? (n) + (i) - (h) : (i))
#define UPPER(i, h, n) ((i) / (h) % 2 ? (n) + (i) : (i) + (h))
/* Of two rows: their elements in turns, of the first halves and the second. */
#define MERGED_LOW(i, h, n) ((i) / 2 + (i) % 2 * (n))
#define MERGED_HIGH(i, h, n) ((n) / 2 + (i) / 2 + (i) % 2 * (n))
/* Of two rows: every second element of both. */
#define EVENS(i, h, n) (2 * (i))
#define ODDS(i, h, n) (2 * (i) + 1)
/* Of two rows: every second pair of both.  And of one row, pairs or elements where
 * those would come from, in the first half (h 0) or the second one. */
#define SECONDS(i, h, n) ((i) / 2 * 4 + (i) % 2)
#define SPREAD(i, h, n) ((h) + (i) / 4 * 2 + (i) % 2)
#define TWICE(i, h, n) ((h) + (i) / 2)
/* Of one row of pairs. */
#define EVEN(i, h, n) ((i) / 2 * 2)
#define ODD(i, h, n) ((i) / 2 * 2 + 1)
#define TURNED(i, h, n) ((i) % 2 ? (i)-1 : (i) + 1)
#define SIGNS(i, h, n) ((i) % 2 ? (T)0.0 : (T)-0.0)
#define KEPT(i, h, n) (WORD) - 1
#define DROPPED(i, h, n) 0

#define SHUFFLE(n, X, h, a, b) \
    __builtin_shufflevector(a, b, JOIN(LIST, n)(X, h, n, 0))

#if VECTOR_BYTES == 64
#include <immintrin.h>
#define DOUBLES 8
#define FLOATS 16
#define FUSED 1
#define MM _mm512_
#define FMA_f64(a, b, c) _mm512_fmadd_pd(a, b, c)
#define FMA_f32(a, b, c) _mm512_fmadd_ps(a, b, c)
#elif VECTOR_BYTES == 32
#include <immintrin.h>
#define DOUBLES 4
#define FLOATS 8
#define FUSED 1
#define MM _mm256_
#define FMA_f64(a, b, c) _mm256_fmadd_pd(a, b, c)
#define FMA_f32(a, b, c) _mm256_fmadd_ps(a, b, c)
#else
#ifdef __SSE2__
#include <immintrin.h>
#endif
#define DOUBLES 2
#define FLOATS 4
#if defined(__aarch64__) && !defined(ONE_LANE)
#include <arm_neon.h>
#define FUSED 1
#define FMA_f64(a, b, c) vfmaq_f64(c, a, b)
#define FMA_f32(a, b, c) vfmaq_f32(c, a, b)
#else
#define FMA_f64(a, b, c) ((a) * (b) + (c))
#define FMA_f32(a, b, c) ((a) * (b) + (c))
#endif
#endif

#if BITS == 64
#define T double
#define WORD uint64_t
#define TABLE_TYPE wf_hand_f64
#define VL DOUBLES
#define FMA FMA_f64
#define MASKED(name) JOIN(MM, JOIN(name, _pd))
#define UNIT_D 2
#define LANE_ROWS 1
#define LINE 4
#else
#define T float
#define WORD uint32_t
#define TABLE_TYPE wf_hand_f32
#define VL FLOATS
#define FMA FMA_f32
#define MASKED(name) JOIN(MM, JOIN(name, _ps))
#define UNIT_D 1
#define LANE_ROWS 2
#define LINE 8
#endif
#define UNITS (VL / 2)
#ifdef ONE_LANE
#define LANES 1
#else
#define LANES VL
#endif

#include "kernel/hand/vector_tmpl.c"
#include "kernel/hand/pointwise_tmpl.c"
#include "kernel/hand/channels_tmpl.c"
#include "kernel/hand/transpose_tmpl.c"
#include "kernel/hand/move_tmpl.c"
#include "kernel/hand/columns_tmpl.c"
#include "kernel/hand/real_tmpl.c"
#include "kernel/hand/r2r_tmpl.c"
#include "kernel/hand/blocks_tmpl.c"
#include "kernel/hand/odd_tmpl.c"
#include "kernel/hand/dense_tmpl.c"
#include "kernel/hand/lanes_tmpl.c"
#include "kernel/hand/embed_tmpl.c"
#if BITS == 64
#include "kernel/hand/pairs_tmpl.c"
#endif
#include "kernel/hand/table_tmpl.c"
