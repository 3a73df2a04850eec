/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * odd_tmpl.c - reals of odd length: what stands around the convolution that a
 * prime becomes.
 */

/* p[index[l] / 2], or with index[l] less its last bit; and the sign bits that
 * the last bits ask for. */
#if VECTOR_BYTES == 64 && BITS == 64
#define INDEX __m256i
#define INDEXES(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define HALVES(i) _mm256_srli_epi32(i, 1)
#define EVENS_OF(i) _mm256_slli_epi32(_mm256_srli_epi32(i, 1), 1)
#define SIGNS_OF(i) _mm512_slli_epi64(_mm512_cvtepu32_epi64(i), 63)
#define GATHER(p, i) (vec) _mm512_i32gather_pd(i, p, 8)
#elif VECTOR_BYTES == 64
#define INDEX __m512i
#define INDEXES(p) _mm512_loadu_si512((const void *)(p))
#define HALVES(i) _mm512_srli_epi32(i, 1)
#define EVENS_OF(i) _mm512_slli_epi32(_mm512_srli_epi32(i, 1), 1)
#define SIGNS_OF(i) _mm512_slli_epi32(i, 31)
#define GATHER(p, i) (vec) _mm512_i32gather_ps(i, p, 4)
#elif VECTOR_BYTES == 32 && BITS == 64
#define INDEX __m128i
#define INDEXES(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define HALVES(i) _mm_srli_epi32(i, 1)
#define EVENS_OF(i) _mm_slli_epi32(_mm_srli_epi32(i, 1), 1)
#define SIGNS_OF(i) _mm256_slli_epi64(_mm256_cvtepu32_epi64(i), 63)
#define GATHER(p, i) (vec) _mm256_i32gather_pd(p, i, 8)
#elif VECTOR_BYTES == 32
#define INDEX __m256i
#define INDEXES(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define HALVES(i) _mm256_srli_epi32(i, 1)
#define EVENS_OF(i) _mm256_slli_epi32(_mm256_srli_epi32(i, 1), 1)
#define SIGNS_OF(i) _mm256_slli_epi32(i, 31)
#define GATHER(p, i) (vec) _mm256_i32gather_ps(p, i, 4)
#endif
#ifdef GATHER
#define SIGNED(x, i) (vec)((word)(x) ^ (word)SIGNS_OF(i))
#endif

static void pick(T *out, const T *in, const uint32_t *index, size_t n)
{
    size_t k = 0;
#ifdef GATHER
    for (; k + VL <= n; k += VL) {
        const INDEX i = INDEXES(index + k);
        store(out + k, SIGNED(GATHER(in, HALVES(i)), i));
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
#ifdef GATHER
    for (; q + VL <= half; q += VL) {
        const INDEX i = INDEXES(index + q);
        const vec re = GATHER(x, EVENS_OF(i));
        const vec im = SIGNED(GATHER(x + 1, EVENS_OF(i)), i);
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
#ifdef GATHER
    for (; k + VL <= half; k += VL) {
        const INDEX i = INDEXES(index + k);
        const vec a = GATHER(y, HALVES(i)), b = GATHER(y + half, HALVES(i));
        put_pairs(out + 2 * k, a + b, SIGNED(b - a, i), VL);
    }
#endif
    for (; k < half; k++) {
        const T *at = y + (size_t)(index[k] >> 1);
        T a = at[0], b = at[half], im = b - a;
        out[2 * k] = a + b;
        out[2 * k + 1] = index[k] & 1 ? -im : im;
    }
}

/* ---- Planes -------------------------------------------------------------- */

static void part(T *re, T *im, const T *in, size_t n)
{
    FOR_BLOCKS(0, n - 1, n, k, count, {
        split x = pairs(in + 2 * k, count);
        put_reals(re + k, x.re, count);
        put_reals(im + k, x.im, count);
    });
}
