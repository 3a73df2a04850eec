/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * odd_tmpl.c - reals of odd length: what stands around the convolution that a
 * prime becomes.
 */

#if VECTOR_BYTES >= 32
/* The numbers at p + index[l] / 2, piece by piece: instructions that gather take
 * half as long again. */
static inline __m128d load_two(const T *p, const uint32_t *index)
{
    const uint64_t both = two_places(index, 1);
    const T *a = p + (both & UINT32_MAX), *b = p + (both >> 32);
#if BITS == 64
    return _mm_loadh_pd(_mm_load_sd(a), b);
#else
    return _mm_castps_pd(
        _mm_insert_ps(_mm_load_ss(a), _mm_load_ss(b), 1 << 4));
#endif
}

static inline __m128d load_register(const T *p, const uint32_t *index)
{
#if BITS == 64
    return load_two(p, index);
#else
    return _mm_unpacklo_pd(load_two(p, index), load_two(p, index + 2));
#endif
}

static inline __m256d load_registers(const T *p, const uint32_t *index)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(
                                    load_register(p, index)),
                                load_register(p, index + 128 / BITS), 1);
}

static inline vec load_lanes(const T *p, const uint32_t *index)
{
    const __m256d low = load_registers(p, index);
#if VECTOR_BYTES == 64
    return (vec)_mm512_insertf64x4(_mm512_castpd256_pd512(low),
                                   load_registers(p, index + VL / 2), 1);
#else
    return (vec)low;
#endif
}

/* x with the signs that the last bits ask for. */
static inline vec signed_by(vec x, const uint32_t *index)
{
    typedef uint32_t places
        __attribute__((vector_size(VL * 4), aligned(4), may_alias));
    const places at = *(const places *)index;
    return (vec)((word)x ^ (__builtin_convertvector(at, word) << (BITS - 1)));
}
#endif

static void pick(T *out, const T *in, const uint32_t *index, size_t n)
{
    size_t k = 0;
#if VECTOR_BYTES >= 32
    for (; k + VL <= n; k += VL) {
        const vec x = load_lanes(in, index + k);
        store(out + k, signed_by(x, index + k));
    }
#endif
    for (; k < n; k++) {
        T x = in[index[k] >> 1];
        out[k] = index[k] & 1 ? -x : x;
    }
}

static void hartley_pick(T *out, const T *x, const uint32_t *index,
                         size_t half)
{
    size_t q = 0;
#if VECTOR_BYTES >= 32
    for (; q + VL <= half; q += VL) {
        const split z = parted(load_vector_indexed(x, index + q, 1),
                               load_vector_indexed(x, index + q + UNITS, 1));
        const vec re = z.re, im = signed_by(z.im, index + q);
        store(out + q, re - im);
        store(out + q + half, re + im);
    }
#endif
    for (; q < half; q++) {
        const T *at = x + 2 * (size_t)(index[q] >> 1);
        T re = at[0], im = index[q] & 1 ? -at[1] : at[1];
        out[q] = re - im;
        out[q + half] = re + im;
    }
}

static void hartley_place(T *out, const T *y, const uint32_t *index,
                          size_t half)
{
    size_t k = 0;
#if VECTOR_BYTES >= 32
    for (; k + VL <= half; k += VL) {
        const vec a = load_lanes(y, index + k),
                  b = load_lanes(y + half, index + k);
        put_pairs(out + 2 * k, a + b, signed_by(b - a, index + k), VL);
    }
#endif
    for (; k < half; k++) {
        const T *at = y + (size_t)(index[k] >> 1);
        T a = at[0], b = at[half], im = b - a;
        out[2 * k] = a + b;
        out[2 * k + 1] = index[k] & 1 ? -im : im;
    }
}
