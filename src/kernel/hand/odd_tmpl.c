/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * odd_tmpl.c - reals of odd length: short ones by the definition, and what
 * stands around the convolution that a prime becomes.
 *
 * By the definition, with s[j] = x[j] + x[n-j] and d[j] = x[j] - x[n-j],
 *     re X[k] = x[0] + sum s[j] cos,  im X[k] = - sum d[j] sin,
 * sums over 0 < j < n/2 that vectors make for VL k at a time; the way back has
 * the same products.  Two partial sums, of even and of odd j, halve the time
 * that each waits for the one before it.
 */

enum { DIRECT = 32 }; /* (n + 1)/2 at most */

/* Less nothing, which compilers see is nothing; adding it would not be, to a
 * negative zero. */
static inline vec splat(T x)
{
    return x - (vec){0};
}

/* Sums over j = 1 .. h-1 of a[j], b[j] times row j of either table, for `count`
 * vectors of columns; first is added to the sums of a. */
static inline void direct_sums(split *x, int count, T first, const T *a,
                               const T *b, const T *w, size_t ld, size_t h)
{
    split odd[2];
    size_t j = 1;
    for (int i = 0; i < count; i++) {
        x[i] = (split){splat(first), {0}};
        odd[i] = (split){{0}, {0}};
    }
    for (; j + 1 < h; j += 2, w += 4 * ld) {
        const vec s = splat(a[j]), d = splat(b[j]);
        const vec t = splat(a[j + 1]), e = splat(b[j + 1]);
        for (int i = 0; i < count; i++) {
            const T *v = w + i * VL;
            x[i].re = FMA(s, load(v), x[i].re);
            x[i].im = FMA(d, load(v + ld), x[i].im);
            odd[i].re = FMA(t, load(v + 2 * ld), odd[i].re);
            odd[i].im = FMA(e, load(v + 3 * ld), odd[i].im);
        }
    }
    for (int i = 0; i < count; i++) {
        if (j < h) {
            const T *v = w + i * VL;
            x[i].re = FMA(splat(a[j]), load(v), x[i].re);
            x[i].im = FMA(splat(b[j]), load(v + ld), x[i].im);
        }
        x[i].re += odd[i].re;
        x[i].im += odd[i].im;
    }
}

static inline void direct_store(T *out, split x, T scale, size_t h, size_t k)
{
    if (h - k >= VL)
        put_pairs(out + 2 * k, x.re * scale, x.im * scale, VL);
    else
        put_pairs(out + 2 * k, x.re * scale, x.im * scale, h - k);
}

static void direct_out(T *out, const T *in, const T *table, size_t ld, T scale,
                       size_t n)
{
    const size_t h = (n + 1) / 2;
    const T first = in[0];
    T sum[DIRECT + VL], difference[DIRECT + VL];
    size_t k = 0;
    FOR_BLOCKS(1, h - 1, h, j, count, {
        vec a = reals(in + j, count);
        vec b = reals_back(in + n - j, count);
        store(sum + j, a + b);
        store(difference + j, a - b);
    });
    for (; k + VL < h; k += 2 * VL) {
        split x[2];
        direct_sums(x, 2, first, sum, difference, table + k, ld, h);
        direct_store(out, x[0], scale, h, k);
        direct_store(out, x[1], scale, h, k + VL);
    }
    if (k < h) {
        split x;
        direct_sums(&x, 1, first, sum, difference, table + k, ld, h);
        direct_store(out, x, scale, h, k);
    }
    out[1] = 0;
}

/* Outputs k .. and n - k .., downwards. */
static inline void direct_spread(T *out, split x, T scale, size_t n, size_t k)
{
    const size_t left = (n + 1) / 2 - k, count = left < VL ? left : VL;
    put_reals(out + k, (x.re + x.im) * scale, count);
    put_reals_back(out + n - k, (x.re - x.im) * scale, count);
}

static void direct_in(T *out, const T *in, const T *table, size_t ld, T scale,
                      size_t n)
{
    const size_t h = (n + 1) / 2;
    const T first = in[0];
    T re[DIRECT + VL], im[DIRECT + VL], all[4] = {first};
    size_t k = 1;
    FOR_BLOCKS(1, h - 1, h, j, count, {
        split x = pairs(in + 2 * j, count);
        store(re + j, x.re + x.re);
        store(im + j, x.im + x.im);
    });
    for (size_t j = 1; j < h; j++)
        all[j % 4] += re[j];
    for (; k + VL < h; k += 2 * VL) {
        split x[2];
        direct_sums(x, 2, first, re, im, table + k - 1, ld, h);
        direct_spread(out, x[0], scale, n, k);
        direct_spread(out, x[1], scale, n, k + VL);
    }
    if (k < h) {
        split x;
        direct_sums(&x, 1, first, re, im, table + k - 1, ld, h);
        direct_spread(out, x, scale, n, k);
    }
    out[0] = (all[0] + all[1] + (all[2] + all[3])) * scale;
}

/* ---- Primes -------------------------------------------------------------- */

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
