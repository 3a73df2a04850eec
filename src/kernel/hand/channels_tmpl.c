/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channels_tmpl.c - 2 to 8 interleaved channels to rows and back, in whole
 * vectors: part_channels and join_channels of complex numbers (numbers_) and
 * of reals (reals_), by channel_units_tmpl.c.
 *
 * A block is as many vectors as there are channels, on both sides.  An even
 * number of channels is two of half as many, every second unit, for a shuffle a
 * vector; an odd one, m, takes m - 1.  The last block overlaps the one before.
 */
#if VECTOR_BYTES >= 32

/* Step s of the way to vector `to`: units of vector s join those of the vectors
 * before, which step 1 finds in vector 0.  Parted, unit u of channel `to` is unit
 * m u + to of the block; joined, unit f of the block is of channel f mod m. */
#define ADD_UNIT(u, first, at, s, is) \
    ((is) ? UNIT_COUNT + (at) : (s) > 1 ? (u) : (first) ? (at) : 0)
#define PART_UNIT(u, m, to, s)                   \
    ADD_UNIT(u, (m) * (u) + (to) < UNIT_COUNT,   \
             ((m) * (u) + (to)) % UNIT_COUNT, s, \
             ((m) * (u) + (to)) / UNIT_COUNT == (s))
#define JOIN_UNIT(u, m, to, s)                      \
    ADD_UNIT(u, ((to)*UNIT_COUNT + (u)) % (m) == 0, \
             ((to)*UNIT_COUNT + (u)) / (m), s,      \
             ((to)*UNIT_COUNT + (u)) % (m) == (s))
#define PART_ELEMENT(i, h, n)                                                \
    PART_UNIT((i) / UNIT_PART, (h) / 64, (h) / 8 % 8, (h) % 8) * UNIT_PART + \
        (i) % UNIT_PART
#define JOIN_ELEMENT(i, h, n)                                                \
    JOIN_UNIT((i) / UNIT_PART, (h) / 64, (h) / 8 % 8, (h) % 8) * UNIT_PART + \
        (i) % UNIT_PART
#define STEP(X, m, to, s, a, b) \
    SHUFFLE(UNIT_N, X, 64 * (m) + 8 * (to) + (s), a, b)
#define WAY2(X, m, to) STEP(X, m, to, 1, v[0], v[1])
#define WAY3(X, m, to) STEP(X, m, to, 2, WAY2(X, m, to), v[2])
#define WAY4(X, m, to) STEP(X, m, to, 3, WAY3(X, m, to), v[3])
#define WAY5(X, m, to) STEP(X, m, to, 4, WAY4(X, m, to), v[4])
#define WAY6(X, m, to) STEP(X, m, to, 5, WAY5(X, m, to), v[5])
#define WAY7(X, m, to) STEP(X, m, to, 6, WAY6(X, m, to), v[6])

/* The m vectors at v, each by WAYm; m = 3, 5 or 7, or nothing is done. */
#define ALL_WAYS(X)                                                           \
    if (m == 3) {                                                             \
        const UNIT_VEC made[] = {WAY3(X, 3, 0), WAY3(X, 3, 1),                \
                                 WAY3(X, 3, 2)};                              \
        memcpy(v, made, sizeof made);                                         \
    } else if (m == 5) {                                                      \
        const UNIT_VEC made[] = {WAY5(X, 5, 0), WAY5(X, 5, 1), WAY5(X, 5, 2), \
                                 WAY5(X, 5, 3), WAY5(X, 5, 4)};               \
        memcpy(v, made, sizeof made);                                         \
    } else if (m == 7) {                                                      \
        const UNIT_VEC made[] = {WAY7(X, 7, 0), WAY7(X, 7, 1), WAY7(X, 7, 2), \
                                 WAY7(X, 7, 3), WAY7(X, 7, 4), WAY7(X, 7, 5), \
                                 WAY7(X, 7, 6)};                              \
        memcpy(v, made, sizeof made);                                         \
    }

#define EACH_COUNT(CASE) \
    CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)

/* Vector i of a block of m is then of this channel: levels put the even channels
 * before the odd ones. */
static inline int channel_at(int i, int m)
{
    return m == 8   ? i / 4 + i / 2 % 2 * 2 + i % 2 * 4
           : m == 6 ? i / 3 + i % 3 * 2
           : m == 4 ? i / 2 + i % 2 * 2
                    : i;
}

#define UNIT_COUNT (UNIT_N / UNIT_PART)

#define UNIT(name) JOIN(numbers_, name)
#define UNIT_VEC dvec
#define UNIT_N DOUBLES
#define UNIT_PART UNIT_D
#define UNIT_T 2
#include "kernel/hand/channel_units_tmpl.c"

#define UNIT(name) JOIN(reals_, name)
#define UNIT_VEC vec
#define UNIT_N VL
#define UNIT_PART 1
#define UNIT_T 1
#include "kernel/hand/channel_units_tmpl.c"
#else
/* Vectors are about as long as a number. */
#define numbers_part_channels(in, out, ld, n, m) false
#define numbers_join_channels(in, ld, out, n, m) false
#define reals_part_channels(in, out, ld, n, m) false
#define reals_join_channels(in, ld, out, n, m) false
#endif
