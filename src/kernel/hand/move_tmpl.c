/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move_tmpl.c - between the user's strides and our interleaved buffers.
 *
 * Many columns of an interleaved matrix are a transpose and go there.  Other
 * shapes with dist < stride are moved in strips, so that the strip's lines on
 * our side stay in L1 while the other side is walked along its lines.
 */

/* `each` reals that are neighbours go together.  Four at a time, whose places are
 * reckoned from the first: a pointer that goes from one to the next is there a cycle
 * later. */
static inline void move_apart(T *out, ptrdiff_t os, const T *in, ptrdiff_t is,
                              size_t n, size_t each)
{
    for (; n >= 4; n -= 4, out += 4 * os, in += 4 * is)
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            memcpy(out + i * os, in + i * is, each * sizeof(T));
    for (; n > 0; n--, out += os, in += is)
        memcpy(out, in, each * sizeof(T));
}

#if VECTOR_BYTES >= 32
/* 64 bits that go together: a number of floats, or a double. */
static inline double as_double(const T *p)
{
    double x;
    memcpy(&x, p, sizeof x);
    return x;
}

#if BITS == 32
static inline void put_double(T *p, double x)
{
    memcpy(p, &x, sizeof x);
}
#endif

static inline __m256d joined(__m128d low, __m128d high)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

/* Registers of what lies `stride` reals apart: what reads them next need not wait for
 * pieces to be written.  Four times 64 bits, */
static inline __m256d doubles_apart(const T *in, ptrdiff_t stride)
{
    return joined((__m128d){as_double(in), as_double(in + stride)},
                  (__m128d){as_double(in + 2 * stride),
                            as_double(in + 3 * stride)});
}

/* 256 bits of numbers, */
static inline __m256d load_two_apart(const T *in, ptrdiff_t stride)
{
#if BITS == 64
    return joined(_mm_loadu_pd(in), _mm_loadu_pd(in + stride));
#else
    return doubles_apart(in, stride);
#endif
}

/* a vector of numbers, */
static inline vec load_vector_apart(const T *in, ptrdiff_t stride)
{
    const __m256d low = load_two_apart(in, stride);
#if VECTOR_BYTES == 64
    const __m256d high = load_two_apart(in + UNITS / 2 * stride, stride);
    return (vec)_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
#else
    return (vec)low;
#endif
}

#if BITS == 64
/* or of reals. */
static inline vec load_reals_apart(const T *in, ptrdiff_t stride)
{
    const __m256d low = doubles_apart(in, stride);
#if VECTOR_BYTES == 64
    const __m256d high = doubles_apart(in + VL / 2 * stride, stride);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
#else
    return low;
#endif
}
#endif
#endif

#if VECTOR_BYTES == 64
/* Every second number of two vectors, and a vector's numbers, or reals, to every
 * second place; what is between them is not touched. */
#define EVERY_LANE ((1 << VL) - 1)

/* Masked stores to lines that are not in a cache wait for each. */
static inline void fetch_written(const T *out)
{
    enum { AHEAD = 1024 };
    __builtin_prefetch((const char *)out + AHEAD, 1);
    __builtin_prefetch((const char *)out + AHEAD + VECTOR_BYTES, 1);
}

static inline vec seconds(vec a, vec b)
{
    return SHUFFLE(VL, SECONDS, 0, a, b);
}

static inline void store_seconds(T *out, vec x)
{
    enum { NUMBERS = 0x3333 & EVERY_LANE };
    fetch_written(out);
    MASKED(mask_storeu)(out, NUMBERS, SHUFFLE(VL, SPREAD, 0, x, x));
    MASKED(mask_storeu)(out + VL, NUMBERS, SHUFFLE(VL, SPREAD, VL / 2, x, x));
}

static inline void store_second_reals(T *out, vec x)
{
    enum { REALS = 0x5555 & EVERY_LANE };
    fetch_written(out);
    MASKED(mask_storeu)(out, REALS, SHUFFLE(VL, TWICE, 0, x, x));
    MASKED(mask_storeu)(out + VL, REALS, SHUFFLE(VL, TWICE, VL / 2, x, x));
}
#endif

/* So many numbers, at most VL: vectors, too, which what reads them next would
 * wait for in pieces. */
static inline void merge_few(T *out, const T *re, const T *im, size_t n)
{
    const split x = merged(load_part(re, n), load_part(im, n));
    if (2 * n < VL) {
        store_few(out, x.re, 2 * n);
        return;
    }
    store(out, x.re);
    if (2 * n > VL)
        store_few(out + VL, x.im, 2 * n - VL);
}

static inline void part_few(T *re, T *im, const T *in, size_t n)
{
    const vec low = 2 * n < VL ? load_part(in, 2 * n) : load(in),
              high = 2 * n > VL ? load_part(in + VL, 2 * n - VL) : low;
    const split x = parted(low, high);
    store_few(re, x.re, n);
    store_few(im, x.im, n);
}

static void merge(T *out, const T *re, const T *im, size_t n)
{
    size_t k = 0;
    for (; k + VL <= n; k += VL) {
        const split x = merged(load(re + k), load(im + k));
        store(out + 2 * k, x.re);
        store(out + 2 * k + VL, x.im);
    }
    if (k < n)
        merge_few(out + 2 * k, re + k, im + k, n - k);
}

static void part(T *re, T *im, const T *in, size_t n)
{
    size_t k = 0;
    for (; k + VL <= n; k += VL) {
        const split x = parted(load(in + 2 * k), load(in + 2 * k + VL));
        store(re + k, x.re);
        store(im + k, x.im);
    }
    if (k < n)
        part_few(re + k, im + k, in + 2 * k, n - k);
}

/* Of every second number those that fill vectors; how many.  Nothing is read behind the
 * last one. */
static inline size_t gather_seconds(T *out, const T *in, size_t n)
{
    size_t k = 0;
#if VECTOR_BYTES == 64
    for (; k + UNITS < n; k += UNITS, in += 2 * VL)
        store(out + 2 * k, seconds(load(in), load(in + VL)));
    if (k + UNITS == n) {
        store(out + 2 * k, seconds(load(in), load_part(in + VL, VL - 2)));
        k = n;
    }
#else
    (void)out, (void)in, (void)n;
#endif
    return k;
}

static inline size_t scatter_seconds(T *out, const T *in, size_t n)
{
    size_t k = 0;
#if VECTOR_BYTES == 64
    for (; k + UNITS <= n; k += UNITS, out += 2 * VL)
        store_seconds(out, load(in + 2 * k));
#else
    (void)out, (void)in, (void)n;
#endif
    return k;
}

/* Interleaved numbers, `stride` reals apart, to where they are neighbours, and back. */
static void gather_numbers(T *out, const T *in, ptrdiff_t stride, size_t n)
{
    size_t k = stride == 4 ? gather_seconds(out, in, n) : 0;
    in += (ptrdiff_t)k * stride;
#if VECTOR_BYTES >= 32
    for (; k + UNITS <= n; k += UNITS, in += UNITS * stride)
        store(out + 2 * k, load_vector_apart(in, stride));
#endif
#if VECTOR_BYTES == 64
    if (k + UNITS / 2 <= n) {
        _mm256_storeu_pd((double *)(void *)(out + 2 * k),
                         load_two_apart(in, stride));
        k += UNITS / 2;
        in += UNITS / 2 * stride;
    }
#endif
    move_apart(out + 2 * k, 2, in, stride, n - k, 2);
}

static void scatter_numbers(T *out, ptrdiff_t stride, const T *in, size_t n)
{
    const size_t k = stride == 4 ? scatter_seconds(out, in, n) : 0;
    move_apart(out + (ptrdiff_t)k * stride, stride, in + 2 * k, 2, n - k, 2);
}

static void gather(T *out, const T *re, const T *im, ptrdiff_t stride,
                   size_t n)
{
    if (im == re + 1 && stride == 2) {
        copy(out, re, 2 * n);
    } else if (im == re + 1) {
        gather_numbers(out, re, stride, n);
    } else if (stride == 1) {
        merge(out, re, im, n);
    } else {
        for (size_t k = 0; k < n; k++) {
            out[2 * k] = re[(ptrdiff_t)k * stride];
            out[2 * k + 1] = im[(ptrdiff_t)k * stride];
        }
    }
}

static void scatter(const T *in, T *re, T *im, ptrdiff_t stride, size_t n)
{
    if (im == re + 1 && stride == 2) {
        copy(re, in, 2 * n);
    } else if (im == re + 1) {
        scatter_numbers(re, stride, in, n);
    } else if (stride == 1) {
        part(re, im, in, n);
    } else {
        for (size_t k = 0; k < n; k++) {
            re[(ptrdiff_t)k * stride] = in[2 * k];
            im[(ptrdiff_t)k * stride] = in[2 * k + 1];
        }
    }
}

/* To doubles and back. */
#if BITS == 32
typedef T half_vec __attribute__((vector_size(VECTOR_BYTES / 2),
                                  aligned(sizeof(T)), may_alias));
typedef double loose_dvec
    __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));

static inline void widen_row(double *out, const T *in, size_t n)
{
    size_t k = 0;
    for (; k + DOUBLES <= n; k += DOUBLES)
        *(loose_dvec *)(out + k) =
            __builtin_convertvector(*(const half_vec *)(in + k), dvec);
    for (; k < n; k++)
        out[k] = (double)in[k];
}

static inline void narrow_row(T *out, const double *in, size_t n)
{
    size_t k = 0;
    for (; k + DOUBLES <= n; k += DOUBLES)
        *(half_vec *)(out + k) =
            __builtin_convertvector(*(const loose_dvec *)(in + k), half_vec);
    for (; k < n; k++)
        out[k] = (T)in[k];
}
#else
static inline void widen_row(double *out, const T *in, size_t n)
{
    copy(out, in, n);
}

static inline void narrow_row(T *out, const double *in, size_t n)
{
    copy(out, in, n);
}
#endif

static void gather_wide(double *out, const T *re, const T *im,
                        ptrdiff_t stride, size_t n)
{
    if (im == re + 1 && stride == 2) {
        widen_row(out, re, 2 * n);
    } else {
        for (size_t k = 0; k < n; k++, re += stride, im += stride) {
            out[2 * k] = (double)*re;
            out[2 * k + 1] = (double)*im;
        }
    }
}

static void scatter_wide(const double *in, T *re, T *im, ptrdiff_t stride,
                         size_t n)
{
    if (im == re + 1 && stride == 2) {
        narrow_row(re, in, 2 * n);
    } else {
        for (size_t k = 0; k < n; k++, re += stride, im += stride) {
            *re = (T)in[2 * k];
            *im = (T)in[2 * k + 1];
        }
    }
}

static void gather_wide_reals(double *out, const T *in, ptrdiff_t stride,
                              size_t n)
{
    if (stride == 1) {
        widen_row(out, in, n);
        return;
    }
    for (size_t k = 0; k < n; k++, in += stride)
        out[k] = (double)*in;
}

static void scatter_wide_reals(const double *in, T *out, ptrdiff_t stride,
                               size_t n)
{
    if (stride == 1) {
        narrow_row(out, in, n);
        return;
    }
    for (size_t k = 0; k < n; k++, out += stride)
        *out = (T)in[k];
}

/* Elements of a strip, so many reals apart: half as many as a first cache of eight
 * ways has lines for. */
static inline size_t strip_of(ptrdiff_t stride)
{
    enum { LEAST = 8, WAYS = 4, LINE_BYTES = 64, PAGE_BYTES = 4096 };
    const size_t bytes = (size_t)stride * sizeof(T), low = bytes & -bytes;
    const size_t lines = PAGE_BYTES / (low > LINE_BYTES ? low : LINE_BYTES);
    return WAYS * lines > LEAST ? WAYS * lines : LEAST;
}

static inline bool along_columns(ptrdiff_t stride, ptrdiff_t dist)
{
    return (dist < 0 ? -dist : dist) < (stride < 0 ? -stride : stride);
}

/* Elements that go together, of vectors whose elements are `stride` apart. */
static inline size_t strip_along(ptrdiff_t stride, ptrdiff_t dist, size_t n,
                                 size_t count)
{
    const bool columns = count > 1 && along_columns(stride, dist);
    return columns ? least(n, strip_of(stride)) : n;
}

/* True when (re, im) is an interleaved matrix with rows `stride` apart. */
static inline bool is_matrix(const T *re, const T *im, ptrdiff_t stride,
                             ptrdiff_t dist, size_t count)
{
    return count > 1 && im == re + 1 && dist == 2 && stride % 2 == 0 &&
           along_columns(stride, dist);
}

static void gather_many(T *out, const T *re, const T *im, ptrdiff_t stride,
                        size_t n, ptrdiff_t dist, size_t count,
                        ptrdiff_t out_ld)
{
    if (is_matrix(re, im, stride, dist, count)) {
        transpose(re, stride / 2, out, out_ld, n, count);
        return;
    }
    const size_t strip = strip_along(stride, dist, n, count);
    for (size_t first = 0; first < n; first += strip)
        for (size_t t = 0; t < count; t++) {
            const ptrdiff_t k = (ptrdiff_t)first, u = (ptrdiff_t)t,
                            from = k * stride + u * dist;
            gather(out + 2 * (u * out_ld + k), re + from, im + from, stride,
                   least(n - first, strip));
        }
}

static void scatter_many(const T *in, T *re, T *im, ptrdiff_t stride, size_t n,
                         ptrdiff_t dist, size_t count, ptrdiff_t in_ld)
{
    if (is_matrix(re, im, stride, dist, count)) {
        transpose(in, in_ld, re, stride / 2, count, n);
        return;
    }
    const size_t strip = strip_along(stride, dist, n, count);
    for (size_t first = 0; first < n; first += strip)
        for (size_t t = 0; t < count; t++) {
            const ptrdiff_t k = (ptrdiff_t)first, u = (ptrdiff_t)t,
                            to = k * stride + u * dist;
            scatter(in + 2 * (u * in_ld + k), re + to, im + to, stride,
                    least(n - first, strip));
        }
}

/* As gather_seconds, of reals. */
static inline size_t gather_second_reals(T *out, const T *in, size_t n)
{
    size_t k = 0;
    for (; k + VL < n; k += VL, in += 2 * VL)
        store(out + k, parted(load(in), load(in + VL)).re);
#if VECTOR_BYTES >= 32
    if (k + VL == n) {
        store(out + k, parted(load(in), load_part(in + VL, VL - 1)).re);
        k = n;
    }
#endif
    return k;
}

static inline size_t scatter_second_reals(T *out, const T *in, size_t n)
{
    size_t k = 0;
#if VECTOR_BYTES == 64
    for (; k + VL <= n; k += VL, out += 2 * VL)
        store_second_reals(out, load(in + k));
#else
    (void)out, (void)in, (void)n;
#endif
    return k;
}

static void gather_reals(T *out, const T *in, ptrdiff_t stride, size_t n)
{
    size_t k = stride == 2 ? gather_second_reals(out, in, n) : 0;
    in += (ptrdiff_t)k * stride;
#if BITS == 64 && VECTOR_BYTES >= 32
    for (; k + VL <= n; k += VL, in += VL * stride)
        store(out + k, load_reals_apart(in, stride));
    if (VL == 8 && k + 4 <= n) {
        _mm256_storeu_pd(out + k, doubles_apart(in, stride));
        k += 4;
        in += 4 * stride;
    }
#endif
    move_apart(out + k, 1, in, stride, n - k, 1);
}

static void move_row(T *out, ptrdiff_t out_stride, const T *in,
                     ptrdiff_t in_stride, size_t n)
{
    size_t k = 0;
    if (out_stride == 1 && in_stride == 1) {
        copy(out, in, n);
    } else if (out_stride == 1) {
        gather_reals(out, in, in_stride, n);
    } else {
        if (in_stride == 1 && out_stride == 2)
            k = scatter_second_reals(out, in, n);
        move_apart(out + (ptrdiff_t)k * out_stride, out_stride,
                   in + (ptrdiff_t)k * in_stride, in_stride, n - k, 1);
    }
}

static inline void transpose_reals_square(T *out, ptrdiff_t out_ld,
                                          const T *in, ptrdiff_t in_ld)
{
    vec v[VL];
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++)
        v[i] = load(in + i * in_ld);
    transpose_lanes(v);
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++)
        store(out + i * out_ld, v[i]);
}

/* Part of a square: neither more than VL. */
static __attribute__((noinline, unused)) void transpose_reals_part(
    T *out, ptrdiff_t out_ld, const T *in, ptrdiff_t in_ld, size_t rows,
    size_t cols)
{
    vec v[VL];
#pragma GCC unroll 16
    for (size_t i = 0; i < VL; i++) {
        v[i] = (vec){0};
        if (i < rows)
            v[i] = load_part(in + (ptrdiff_t)i * in_ld, cols);
    }
    transpose_lanes(v);
#pragma GCC unroll 16
    for (size_t i = 0; i < VL; i++) {
        T *to = out + (ptrdiff_t)i * out_ld;
        if (i < cols && rows == VL)
            store(to, v[i]);
        else if (i < cols)
            store_few(to, v[i], rows);
    }
}

/* What whole squares leave. */
static inline void transpose_reals_edge(T *out, ptrdiff_t out_ld, const T *in,
                                        ptrdiff_t in_ld, size_t rows,
                                        size_t cols)
{
#if VECTOR_BYTES >= 32 && VECTOR_BYTES * 8 / BITS >= 8
    for (size_t r = 0; cols > 0 && r < rows; r += VL)
        for (size_t c = 0; c < cols; c += VL)
            transpose_reals_part(out + (ptrdiff_t)c * out_ld + (ptrdiff_t)r,
                                 out_ld,
                                 in + (ptrdiff_t)r * in_ld + (ptrdiff_t)c,
                                 in_ld, rows - r < VL ? rows - r : VL,
                                 cols - c < VL ? cols - c : VL);
#else
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[(ptrdiff_t)c * out_ld + (ptrdiff_t)r] =
                in[(ptrdiff_t)r * in_ld + (ptrdiff_t)c];
#endif
}

/* out(c, r) = in(r, c): whole squares in registers, along the rows of the input
 * or, `by_columns`, of the output; then the edges. */
static inline void transpose_reals(T *out, ptrdiff_t out_ld, const T *in,
                                   ptrdiff_t in_ld, size_t rows, size_t cols,
                                   bool by_columns)
{
    const size_t whole_rows = rows / VL * VL, whole_cols = cols / VL * VL;
    const size_t outer = by_columns ? whole_cols : whole_rows,
                 inner = by_columns ? whole_rows : whole_cols;
    for (size_t i = 0; i < outer; i += VL)
        for (size_t j = 0; j < inner; j += VL) {
            const ptrdiff_t r = (ptrdiff_t)(by_columns ? j : i),
                            c = (ptrdiff_t)(by_columns ? i : j);
            transpose_reals_square(out + c * out_ld + r, out_ld,
                                   in + r * in_ld + c, in_ld);
        }
    transpose_reals_edge(out + (ptrdiff_t)whole_cols * out_ld, out_ld,
                         in + whole_cols, in_ld, whole_rows,
                         cols - whole_cols);
    transpose_reals_edge(out + whole_rows, out_ld,
                         in + (ptrdiff_t)whole_rows * in_ld, in_ld,
                         rows - whole_rows, cols);
}

static void move_reals(T *out, ptrdiff_t out_stride, ptrdiff_t out_dist,
                       const T *in, ptrdiff_t in_stride, ptrdiff_t in_dist,
                       size_t n, size_t count)
{
    if (in_dist == 1 && out_stride == 1 && in_stride == (ptrdiff_t)count &&
        reals_part_channels(in, out, out_dist, n, count))
        return;
    if (out_dist == 1 && in_stride == 1 && out_stride == (ptrdiff_t)count &&
        reals_join_channels(in, in_dist, out, n, count))
        return;
    if (in_dist == 1 && out_stride == 1 && in_stride != 1) {
        transpose_reals(out, out_dist, in, in_stride, n, count, false);
        return;
    }
    if (out_dist == 1 && in_stride == 1 && out_stride != 1) {
        transpose_reals(out, out_stride, in, in_dist, count, n, true);
        return;
    }
    const size_t most = least(strip_along(in_stride, in_dist, n, count),
                              strip_along(out_stride, out_dist, n, count));
    for (size_t first = 0; first < n; first += most) {
        const size_t some = n - first < most ? n - first : most;
        T *to = out + (ptrdiff_t)first * out_stride;
        const T *from = in + (ptrdiff_t)first * in_stride;
        for (size_t t = 0; t < count; t++, to += out_dist, from += in_dist)
            move_row(to, out_stride, from, in_stride, some);
    }
}

#if BITS == 32
/* Tile a and its mirror b, exchanged; a may be b. */
static inline void swap_reals_tile(T *a, T *b, ptrdiff_t ld)
{
    T kept[VL * VL];
    transpose_reals_square(kept, VL, a, ld);
    if (a != b)
        transpose_reals_square(a, ld, b, ld);
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++)
        store(b + i * ld, load(kept + i * VL));
}

/* Tiles of blocks that a page or two of translations reach; the edges one by one. */
static void square_reals(T *a, ptrdiff_t ld, size_t n)
{
    enum { BLOCK = 64 };
    const size_t whole = n / VL * VL;
    for (size_t r0 = 0; r0 < whole; r0 += BLOCK)
        for (size_t c0 = 0; c0 <= r0; c0 += BLOCK)
            for (size_t r = r0; r < least(r0 + BLOCK, whole); r += VL)
                for (size_t c = c0; c < least(c0 + BLOCK, r + 1); c += VL)
                    swap_reals_tile(a + (ptrdiff_t)r * ld + (ptrdiff_t)c,
                                    a + (ptrdiff_t)c * ld + (ptrdiff_t)r, ld);
    for (size_t r = whole; r < n; r++)
        for (size_t c = 0; c < r; c++) {
            T *low = a + (ptrdiff_t)r * ld + (ptrdiff_t)c,
              *high = a + (ptrdiff_t)c * ld + (ptrdiff_t)r;
            const T x = *low;
            *low = *high;
            *high = x;
        }
}
#endif

#if VECTOR_BYTES >= 32
/* Places of numbers, read two at a time, without as many last bits of each. */
static inline uint64_t two_places(const uint32_t *index, int bits)
{
    const uint64_t each = UINT32_MAX >> bits;
    uint64_t both;
    memcpy(&both, index, sizeof both);
    return both >> bits & (each << 32 | each);
}

/* A register of 128 bits: two floats' complex numbers there, or one of doubles. */
static inline __m128d load_placed(const T *in, uint64_t places)
{
#if BITS == 64
    return _mm_loadu_pd(in + 2 * places);
#else
    return (__m128d){as_double(in + 2 * (places & UINT32_MAX)),
                     as_double(in + 2 * (places >> 32))};
#endif
}

static inline void store_placed(T *out, uint64_t places, const T *from)
{
    __m128d x;
    memcpy(&x, from, sizeof x);
#if BITS == 64
    _mm_storeu_pd(out + 2 * places, x);
#else
    put_double(out + 2 * (places & UINT32_MAX), x[0]);
    put_double(out + 2 * (places >> 32), x[1]);
#endif
}

/* Two registers: four floats' numbers, two of doubles. */
static inline __m256d load_two_placed(const T *in, const uint32_t *index,
                                      int bits)
{
    const uint64_t p = two_places(index, bits);
#if BITS == 64
    const uint64_t low = p & UINT32_MAX, high = p >> 32;
#else
    const uint64_t low = p, high = two_places(index + 2, bits);
#endif
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(load_placed(in, low)),
                                load_placed(in, high), 1);
}

static inline void store_two_placed(T *out, const uint32_t *index,
                                    const T *from)
{
    const uint64_t p = two_places(index, 0);
#if BITS == 64
    const uint64_t low = p & UINT32_MAX, high = p >> 32;
#else
    const uint64_t low = p, high = two_places(index + 2, 0);
#endif
    store_placed(out, low, from);
    store_placed(out, high, from + 128 / BITS);
}

/* A vector of them: what reads it next need not wait for pieces to be written. */
static inline vec load_vector_indexed(const T *in, const uint32_t *index,
                                      int bits)
{
    const __m256d low = load_two_placed(in, index, bits);
#if VECTOR_BYTES == 64
    const __m256d high = load_two_placed(in, index + UNITS / 2, bits);
    return (vec)_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
#else
    return (vec)low;
#endif
}
#endif

static void gather_index(T *out, const T *in, const uint32_t *index, size_t n)
{
    size_t k = 0;
#if VECTOR_BYTES >= 32
    for (; k + UNITS <= n; k += UNITS)
        store(out + 2 * k, load_vector_indexed(in, index + k, 0));
#endif
    for (; k < n; k++)
        memcpy(out + 2 * k, in + 2 * (size_t)index[k], 2 * sizeof(T));
}

static void scatter_index(T *out, const T *in, const uint32_t *index, size_t n)
{
    size_t k = 0;
#if VECTOR_BYTES >= 32
    enum { TWO = 256 / BITS / 2 };
    for (; k + 2 * TWO <= n; k += 2 * TWO) {
        store_two_placed(out, index + k, in + 2 * k);
        store_two_placed(out, index + k + TWO, in + 2 * (k + TWO));
    }
#endif
    for (; k < n; k++)
        memcpy(out + 2 * (size_t)index[k], in + 2 * k, 2 * sizeof(T));
}

static void stream(T *out, const T *in, size_t n)
{
    size_t k = -((uintptr_t)out / sizeof(T)) % VL;
    k = k < n ? k : n;
    copy(out, in, k);
    for (; n - k >= VL; k += VL)
        store_past(out + k, load(in + k));
    copy(out + k, in + k, n - k);
}
