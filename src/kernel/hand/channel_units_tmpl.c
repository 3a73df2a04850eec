/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel_units_tmpl.c - the channels of channels_tmpl.c for one sort of unit:
 *   UNIT(name)         name, for these units
 *   UNIT_T             T in a unit
 *   UNIT_VEC           a vector of them, and
 *   UNIT_N, UNIT_PART  its elements, in all and in a unit
 */
INLINE void UNIT(part_odd)(UNIT_VEC *v, int m)
{
    ALL_WAYS(PART_ELEMENT);
}

INLINE void UNIT(join_odd)(UNIT_VEC *v, int m)
{
    ALL_WAYS(JOIN_ELEMENT);
}

/* Vectors of m channels to those of the even ones, then of the odd ones. */
INLINE void UNIT(part_even)(UNIT_VEC *v, int m)
{
    UNIT_VEC odd[4];
#pragma GCC unroll 4
    for (int i = 0; i < m / 2; i++) {
        const UNIT_VEC a = v[2 * i], b = v[2 * i + 1];
        v[i] = STEP(PART_ELEMENT, 2, 0, 1, a, b);
        odd[i] = STEP(PART_ELEMENT, 2, 1, 1, a, b);
    }
#pragma GCC unroll 4
    for (int i = 0; i < m / 2; i++)
        v[m / 2 + i] = odd[i];
}

INLINE void UNIT(join_even)(UNIT_VEC *v, int m)
{
    UNIT_VEC odd[4];
#pragma GCC unroll 4
    for (int i = 0; i < m / 2; i++)
        odd[i] = v[m / 2 + i];
#pragma GCC unroll 4
    for (int i = m / 2 - 1; i >= 0; i--) {
        const UNIT_VEC a = v[i], b = odd[i];
        v[2 * i] = STEP(JOIN_ELEMENT, 2, 0, 1, a, b);
        v[2 * i + 1] = STEP(JOIN_ELEMENT, 2, 1, 1, a, b);
    }
}

/* All levels: vector i is then of channel `channel_at(i, m)`. */
INLINE void UNIT(part)(UNIT_VEC *v, int m)
{
    const int odd = m == 6 ? 3 : m;
    if (m % 2 == 0)
        UNIT(part_even)(v, m);
    if (m % 4 == 0) {
        UNIT(part_even)(v, m / 2);
        UNIT(part_even)(v + m / 2, m / 2);
    }
#pragma GCC unroll 4
    for (int i = 0; m == 8 && i < 4; i++)
        UNIT(part_even)(v + 2 * i, 2);
    UNIT(part_odd)(v, odd);
    if (m == 6)
        UNIT(part_odd)(v + 3, odd);
}

INLINE void UNIT(join)(UNIT_VEC *v, int m)
{
    const int odd = m == 6 ? 3 : m;
    UNIT(join_odd)(v, odd);
    if (m == 6)
        UNIT(join_odd)(v + 3, odd);
#pragma GCC unroll 4
    for (int i = 0; m == 8 && i < 4; i++)
        UNIT(join_even)(v + 2 * i, 2);
    if (m % 4 == 0) {
        UNIT(join_even)(v, m / 2);
        UNIT(join_even)(v + m / 2, m / 2);
    }
    if (m % 2 == 0)
        UNIT(join_even)(v, m);
}

/* n >= UNIT_COUNT units of each of m channels; m is a constant. */
INLINE void UNIT(part_all)(const T *in, T *out, ptrdiff_t ld, size_t n, int m)
{
    for (size_t k = 0;;) {
        UNIT_VEC v[8];
#pragma GCC unroll 8
        for (int i = 0; i < m; i++)
            v[i] = (UNIT_VEC)load(in + UNIT_T * k * (size_t)m + i * VL);
        UNIT(part)(v, m);
#pragma GCC unroll 8
        for (int i = 0; i < m; i++)
            store(out + UNIT_T * (channel_at(i, m) * ld + (ptrdiff_t)k),
                  (vec)v[i]);
        if (k + UNIT_COUNT == n)
            return;
        k = least(k + UNIT_COUNT, n - UNIT_COUNT);
    }
}

INLINE void UNIT(join_all)(const T *in, ptrdiff_t ld, T *out, size_t n, int m)
{
    for (size_t k = 0;;) {
        UNIT_VEC v[8];
#pragma GCC unroll 8
        for (int i = 0; i < m; i++)
            v[i] = (UNIT_VEC)load(
                in + UNIT_T * (channel_at(i, m) * ld + (ptrdiff_t)k));
        UNIT(join)(v, m);
#pragma GCC unroll 8
        for (int i = 0; i < m; i++)
            store(out + UNIT_T * k * (size_t)m + i * VL, (vec)v[i]);
        if (k + UNIT_COUNT == n)
            return;
        k = least(k + UNIT_COUNT, n - UNIT_COUNT);
    }
}

/* m, or 0 where a vector is more than a channel, and for 8 channels in vectors that
 * hold no more: those are squares. */
static inline size_t UNIT(whole)(size_t n, size_t m)
{
    return n < UNIT_COUNT || (m == 8 && UNIT_COUNT <= 8) ? 0 : m;
}

/* out[t ld + k] = in[m k + t]; false where so many are not done. */
static bool UNIT(part_channels)(const T *in, T *out, ptrdiff_t ld, size_t n,
                                size_t m)
{
    switch (UNIT(whole)(n, m)) {
#define CASE(m) \
    case m: UNIT(part_all)(in, out, ld, n, m); return true;
        EACH_COUNT(CASE)
#undef CASE
    default: return false;
    }
}

/* out[m k + t] = in[t ld + k], else as above. */
static bool UNIT(join_channels)(const T *in, ptrdiff_t ld, T *out, size_t n,
                                size_t m)
{
    switch (UNIT(whole)(n, m)) {
#define CASE(m) \
    case m: UNIT(join_all)(in, ld, out, n, m); return true;
        EACH_COUNT(CASE)
#undef CASE
    default: return false;
    }
}

#undef UNIT
#undef UNIT_VEC
#undef UNIT_N
#undef UNIT_PART
#undef UNIT_T
