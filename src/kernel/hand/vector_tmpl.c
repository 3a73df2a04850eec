/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vector_tmpl.c - vectors of T: unaligned loads and stores, the complex
 * product of interleaved vectors, transposes of small squares in registers.
 *
 * A square of 2^s x 2^s is transposed by s exchanges: exchange h swaps bit h
 * of the row number with bit h of the lane number (J. O. Eklundh, "A fast
 * computer method for matrix transposing", IEEE TC 21, 1972).
 */
typedef T vec __attribute__((vector_size(VECTOR_BYTES)));
typedef T loose
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias));
typedef WORD word __attribute__((vector_size(VECTOR_BYTES)));

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline vec load(const T *p)
{
    return *(const loose *)p;
}

/* Of pairs the first reals, each twice, and the second ones. */
static inline void parts_of(vec pairs, vec *firsts, vec *seconds)
{
    *firsts = SHUFFLE(VL, EVEN, 0, pairs, pairs);
    *seconds = SHUFFLE(VL, ODD, 0, pairs, pairs);
}

/* Of those at p; of doubles the latter by a load that ends one behind them.  Such loads shuffle nothing: with 256
 * bits transforms of r2c and c2r are 1.04 to 1.06 times as fast, with 512, where more of
 * them lie across lines, 0.99 (Emerald Rapids). */
static inline void load_parts(const T *p, vec *firsts, vec *seconds)
{
#if VECTOR_BYTES == 32 && BITS == 64
    *firsts = _mm256_movedup_pd(load(p));
    *seconds = _mm256_movedup_pd(load(p + 1));
#elif VECTOR_BYTES == 32 /* compilers would load once and shuffle twice */
    *firsts = _mm256_moveldup_ps(load(p));
    __asm__("vmovshdup %1, %0" : "=x"(*seconds) : "m"(*(const loose *)p));
#else
    parts_of(load(p), firsts, seconds);
#endif
}

/* In a register: gcc would read memory twice for two instructions that take it
 * as an operand. */
static inline vec held(vec x)
{
#ifdef __SSE2__
    __asm__("" : "+v"(x));
#endif
    return x;
}

static inline void store(T *p, vec x)
{
    *(loose *)p = x;
}

/* To a multiple of VECTOR_BYTES, past the caches where the ISA can: no line is
 * read first, and none stays. */
static inline void store_past(T *p, vec x)
{
#if VECTOR_BYTES >= 32
    MASKED(stream)(p, x);
#elif defined(__SSE2__) && BITS == 64
    _mm_stream_pd(p, x);
#elif defined(__SSE2__)
    _mm_stream_ps(p, x);
#else
    store(p, x);
#endif
}

/* VL complex numbers. */
typedef struct split {
    vec re, im;
} split;

/* x and y in turns.  Of four lanes gcc makes six instructions where two
 * within halves and two of halves do (zip of 256 doubles 30 ns, then 27.5). */
static inline split merged(vec x, vec y)
{
    if (VL != 4 || BITS != 64)
        return (split){SHUFFLE(VL, MERGED_LOW, 0, x, y),
                       SHUFFLE(VL, MERGED_HIGH, 0, x, y)};
    const vec a = SHUFFLE(VL, LOWER, 1, x, y);
    const vec b = SHUFFLE(VL, UPPER, 1, x, y);
    return (split){SHUFFLE(VL, LOWER, VL / 2, a, b),
                   SHUFFLE(VL, UPPER, VL / 2, a, b)};
}

/* The way back. */
static inline split parted(vec a, vec b)
{
    return (split){SHUFFLE(VL, EVENS, 0, a, b), SHUFFLE(VL, ODDS, 0, a, b)};
}

/* The first `count` T, the others zero, and back; the last `count` of the VL at
 * p, lanes being where they would be with all of them.  Nothing else is
 * touched. */
#if VECTOR_BYTES == 64
#define MASK(count) ((1u << (count)) - 1)

static inline vec load_part(const T *p, size_t count)
{
    return (vec)MASKED(maskz_loadu)(MASK(count), p);
}

static inline void store_part(T *p, vec x, size_t count)
{
    MASKED(mask_storeu)(p, MASK(count), x);
}

static inline vec load_end(const T *p, size_t count)
{
    return (vec)MASKED(maskz_loadu)(MASK(count) << (VL - count), p);
}

static inline void store_end(T *p, vec x, size_t count)
{
    MASKED(mask_storeu)(p, MASK(count) << (VL - count), x);
}

#undef MASK
#elif VECTOR_BYTES == 32
/* A window of VL into lanes that are kept, then not, then kept. */
static const WORD window[3 * VL] = {JOIN(LIST, VL)(KEPT, 0, 0, 0),
                                    JOIN(LIST, VL)(DROPPED, 0, 0, 0),
                                    JOIN(LIST, VL)(KEPT, 0, 0, 0)};

static inline __m256i mask_at(size_t start)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)(window + start));
}

static inline vec load_part(const T *p, size_t count)
{
    return (vec)MASKED(maskload)(p, mask_at(VL - count));
}

static inline void store_part(T *p, vec x, size_t count)
{
    MASKED(maskstore)(p, mask_at(VL - count), x);
}

static inline vec load_end(const T *p, size_t count)
{
    return (vec)MASKED(maskload)(p, mask_at(VL + count));
}

static inline void store_end(T *p, vec x, size_t count)
{
    MASKED(maskstore)(p, mask_at(VL + count), x);
}
#else
/* One of two is a constant; one to three are code that there must be once. */
#if BITS == 64
#define SOME static inline
#else
#define SOME static __attribute__((noinline, unused))
#endif

SOME vec load_part(const T *p, size_t count)
{
    T part[VL] = {0};
    memcpy(part, p, count * sizeof(T));
    return load(part);
}

SOME void store_part(T *p, vec x, size_t count)
{
    T part[VL];
    store(part, x);
    memcpy(p, part, count * sizeof(T));
}

SOME vec load_end(const T *p, size_t count)
{
    T part[VL] = {0};
    memcpy(part + VL - count, p + VL - count, count * sizeof(T));
    return load(part);
}

SOME void store_end(T *p, vec x, size_t count)
{
    T part[VL];
    store(part, x);
    memcpy(p + VL - count, part + VL - count, count * sizeof(T));
}
#undef SOME
#endif

/* The first count < VL in pieces: AMD's masked stores of AVX2 are 40
 * operations. */
static inline void store_few(T *out, vec x, size_t count)
{
#if VECTOR_BYTES == 32
    const size_t bytes = count * sizeof(T);
    __m128d half = _mm256_castpd256_pd128((__m256d)x);
    char *at = (char *)out;
    if (bytes & 16) {
        _mm_storeu_pd((double *)(void *)at, half);
        half = _mm256_extractf128_pd((__m256d)x, 1);
        at += 16;
    }
    if (bytes & 8) {
        _mm_storel_pd((double *)(void *)at, half);
        half = _mm_unpackhi_pd(half, half);
        at += 8;
    }
    if (bytes & 4)
        _mm_store_ss((float *)(void *)at, _mm_castpd_ps(half));
#else
    store_part(out, x, count);
#endif
}

/* a b - c in even lanes, a b + c in odd ones. */
static inline vec alternate(vec a, vec b, vec c)
{
#if VECTOR_BYTES >= 32
    return MASKED(fmaddsub)(a, b, c);
#else
    const vec signs = {JOIN(LIST, VL)(SIGNS, 0, 0, 0)};
    return FMA(a, b, (vec)((word)c ^ (word)signs));
#endif
}

/* (a + ib)(c + id): (a, b) c -+ (b, a) d. */
static inline vec product(vec x, vec w)
{
    vec c, d;
    parts_of(w, &c, &d);
    return alternate(x, c, SHUFFLE(VL, TURNED, 0, x, x) * d);
}

/* (b + ia)(c + id) */
static inline vec product_turned(vec x, vec w)
{
    const vec signs = {JOIN(LIST, VL)(SIGNS, 0, 0, 0)};
    vec c, d;
    parts_of(w, &c, &d);
    vec other = (vec)((word)(x * d) ^ (word)signs);
    return FMA(SHUFFLE(VL, TURNED, 0, x, x), c, other);
}

/* Exchanges blocks of h doubles between two rows. */
#define EXCHANGE(x, y, h)                            \
    do {                                             \
        dvec a_ = (dvec)(x), b_ = (dvec)(y);         \
        x = (vec)SHUFFLE(DOUBLES, LOWER, h, a_, b_); \
        y = (vec)SHUFFLE(DOUBLES, UPPER, h, a_, b_); \
    } while (0)

/* UNITS x UNITS complex numbers. */
static inline void transpose_units(vec *v)
{
#if VL / 2 > 1
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i += 2)
        EXCHANGE(v[i], v[i + 1], UNIT_D);
#endif
#if VL / 2 > 2
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++)
        if (!(i & 2))
            EXCHANGE(v[i], v[i + 2], 2 * UNIT_D);
#endif
#if VL / 2 > 4
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++)
        if (!(i & 4))
            EXCHANGE(v[i], v[i + 4], 4 * UNIT_D);
#endif
    (void)v;
}

/* VL x VL reals. */
static inline void transpose_lanes(vec *v)
{
#if LANE_ROWS == 2
#pragma GCC unroll 16
    for (int i = 0; i < VL; i += 2) {
        vec a = v[i], b = v[i + 1];
        v[i] = SHUFFLE(VL, LOWER, 1, a, b);
        v[i + 1] = SHUFFLE(VL, UPPER, 1, a, b);
    }
#endif
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++)
        if (!(i & LANE_ROWS))
            EXCHANGE(v[i], v[i + LANE_ROWS], 1);
#if DOUBLES > 2
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++)
        if (!(i & 2 * LANE_ROWS))
            EXCHANGE(v[i], v[i + 2 * LANE_ROWS], 2);
#endif
#if DOUBLES > 4
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++)
        if (!(i & 4 * LANE_ROWS))
            EXCHANGE(v[i], v[i + 4 * LANE_ROWS], 4);
#endif
}
