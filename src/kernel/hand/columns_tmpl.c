/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns_tmpl.c - a block of columns, times twiddles, into rows or back into
 * columns.
 *
 * UNITS rows of the block are VL vectors re, im, re, im, ...: one transpose
 * of VL x VL reals turns them into interleaved pieces of VL rows, a full
 * cache line each with 64-byte vectors.  The factor of a row is made of two,
 * the product in registers being cheaper than a table of all of them.
 */
#ifndef ONE_LANE

/* One row of the block, times its factors, or their conjugates: sign -1. */
static inline void column_row(const T *re, const T *im, const T *tw,
                              const T *start, T sign, vec *x, vec *y)
{
    vec a = load(re), b = load(im), u = load(tw), v = load(tw + VL);
    vec s = (vec){0} + start[0], t = (vec){0} + start[1];
    vec c = FMA(u, s, -(v * t)), d = sign * FMA(v, s, u * t);
    *x = FMA(a, c, -(b * d));
    *y = FMA(b, c, a * d);
}

static void column_twiddle_transpose(const T *re, const T *im, ptrdiff_t row,
                                     const T *tw, const T *start, size_t rows,
                                     size_t lanes, T *out, ptrdiff_t out_ld)
{
    size_t k = 0;
    for (; k + UNITS <= rows; k += UNITS) {
        vec v[VL];
#pragma GCC unroll 8
        for (int i = 0; i < UNITS; i++) {
            ptrdiff_t at = (ptrdiff_t)k + i;
            column_row(re + at * row, im + at * row, tw + at * 2 * VL,
                       start + 2 * at, 1, &v[2 * i], &v[2 * i + 1]);
        }
        transpose_lanes(v);
#pragma GCC unroll 16
        for (int l = 0; l < VL; l++) { /* unrolled: v stays in registers */
            if ((size_t)l == lanes)
                break;
            store(out + 2 * (l * out_ld + (ptrdiff_t)k), v[l]);
        }
    }
    if (k == rows)
        return;
    vec v[VL] = {{0}};
    for (size_t i = 0; i < rows - k; i++) {
        ptrdiff_t at = (ptrdiff_t)(k + i);
        column_row(re + at * row, im + at * row, tw + at * 2 * VL,
                   start + 2 * at, 1, &v[2 * i], &v[2 * i + 1]);
    }
    transpose_lanes(v);
    for (ptrdiff_t l = 0; l < (ptrdiff_t)lanes; l++)
        store_part(out + 2 * (l * out_ld + (ptrdiff_t)k), v[l],
                   2 * (rows - k));
}

static void column_twiddle(const T *re, const T *im, ptrdiff_t row,
                           const T *tw, const T *start, size_t rows, T *out,
                           ptrdiff_t out_ld)
{
    for (size_t k = 0; k < rows; k++, re += row, im += row) {
        vec x, y;
        column_row(re, im, tw + 2 * VL * k, start + 2 * k, 1, &x, &y);
        T *to = out + 2 * (ptrdiff_t)k * out_ld;
        store(to, SHUFFLE(VL, MERGED_LOW, 0, x, y));
        store(to + VL, SHUFFLE(VL, MERGED_HIGH, 0, x, y));
    }
}

/* A row of lanes of user memory: interleaved where im is not known. */
static inline split column_read(const T *re, const T *im)
{
    if (im)
        return (split){load(re), load(im)};
    return parted(load(re), load(re + VL));
}

static inline void column_write(T *re, T *im, split x)
{
    const split y = im ? x : merged(x.re, x.im);
    store(re, y.re);
    store(im ? im : re + VL, y.im);
}

/* A number of all lanes. */
static inline split column_factor(const T *w)
{
    return (split){(vec){0} + w[0], (vec){0} + w[1]};
}

static inline split column_product(split x, split w)
{
    return (split){FMA(x.re, w.re, -(x.im * w.im)),
                   FMA(x.im, w.re, x.re * w.im)};
}

static inline split column_sum(split x, split y)
{
    return (split){x.re + y.re, x.im + y.im};
}

#if VECTOR_BYTES >= 32
/* VL rows `from` scalars apart to as many, their lanes.  Real parts and imaginary
 * ones by turns: both are more than there are registers. */
INLINE void turn_rows(const T *in, ptrdiff_t from, T *out, ptrdiff_t to,
                      bool past)
{
    vec v[VL];
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++)
        v[i] = load(in + i * from);
    transpose_lanes(v);
    if (past) {
#pragma GCC unroll 16
        for (int l = 0; l < VL; l++)
            store_past(out + l * to, v[l]);
        return;
    }
#pragma GCC unroll 16
    for (int l = 0; l < VL; l++)
        store(out + l * to, v[l]);
}

/* VL rows times the factors to a packed block. */
static inline void turn_factors(T *out, const T *re, const T *im,
                                ptrdiff_t row, const T *tw, const T *start,
                                T sign)
{
    for (int i = 0; i < VL; i++, re += row, im += row, out += 2 * VL) {
        vec x, y;
        column_row(re, im, tw, start, sign, &x, &y);
        column_write(out, out + VL, (split){x, y});
        tw += 2 * VL, start += 2;
    }
}

static void column_to_tiles(const T *re, const T *im, ptrdiff_t row,
                            const T *tw, const T *start, size_t rows,
                            const wf_tiles *tiles, T *out_re, T *out_im)
{
    T block[2 * VL * VL] __attribute__((aligned(64)));
    for (size_t k = 0; k < rows; k += VL) {
        turn_factors(block, re, im, row, tw, start, (T)tiles->sign);
        re += VL * row, im += VL * row;
        tw += 2 * VL * VL, start += 2 * VL;
        T *const to[2] = {out_re, out_im};
#pragma GCC unroll 1
        for (int part = 0; part < 2; part++)
            turn_rows(block + part * VL, 2 * VL, to[part], tiles->row,
                      tiles->past);
        out_re += tiles->next, out_im += tiles->next;
    }
}

static void column_from_tiles(T *out, const T *tw, const T *start, size_t rows,
                              const wf_tiles *tiles, const T *re, const T *im)
{
    for (size_t k = 0; k < rows; k += VL) {
        const T *const in[2] = {re, im};
#pragma GCC unroll 1
        for (int part = 0; part < 2; part++)
            turn_rows(in[part], tiles->row, out + part * VL, 2 * VL, false);
        turn_factors(out, out, out + VL, 2 * VL, tw, start, (T)tiles->sign);
        out += 2 * VL * VL, tw += 2 * VL * VL, start += 2 * VL;
        re += tiles->next, im += tiles->next;
    }
}
#endif

#else /* one lane: nothing to transpose */

typedef struct single {
    T re, im;
} single;

static inline single column_read(const T *re, const T *im)
{
    return (single){re[0], im ? im[0] : re[1]};
}

static inline void column_write(T *re, T *im, single x)
{
    re[0] = x.re;
    *(im ? im : re + 1) = x.im;
}

static inline single column_factor(const T *w)
{
    return (single){w[0], w[1]};
}

static inline single column_product(single x, single w)
{
    return (single){x.re * w.re - x.im * w.im, x.im * w.re + x.re * w.im};
}

static inline single column_sum(single x, single y)
{
    return (single){x.re + y.re, x.im + y.im};
}
#define split single

static void column_twiddle_transpose(const T *re, const T *im, ptrdiff_t row,
                                     const T *tw, const T *start, size_t rows,
                                     size_t lanes, T *out, ptrdiff_t out_ld)
{
    (void)out_ld;
    for (size_t k = 0; lanes && k < rows; k++, re += row, im += row) {
        const T a = *re, b = *im, u = tw[2 * k], v = tw[2 * k + 1];
        const T s = start[2 * k], t = start[2 * k + 1];
        const T c = u * s - v * t, d = v * s + u * t;
        out[2 * k] = a * c - b * d;
        out[2 * k + 1] = b * c + a * d;
    }
}

static void column_twiddle(const T *re, const T *im, ptrdiff_t row,
                           const T *tw, const T *start, size_t rows, T *out,
                           ptrdiff_t out_ld)
{
    for (size_t k = 0; k < rows; k++, tw += 2, start += 2, out += 2 * out_ld)
        column_twiddle_transpose(re + (ptrdiff_t)k * row,
                                 im + (ptrdiff_t)k * row, row, tw, start, 1, 1,
                                 out, 1);
}

#endif

/* ---- Convolutions: rows by an index, or times a factor ------------------- */

static inline split column_turned(split x)
{
    return (split){x.im, x.re};
}

/* Once for each of what is NULL and what is not. */
INLINE void gather_rows(T *out, const T *re, const T *im, ptrdiff_t row,
                        const uint32_t *index, const T *factor, size_t rows)
{
    for (size_t k = 0; k < rows; k++, out += 2 * LANES) {
        ptrdiff_t at = (ptrdiff_t)(index ? index[k] : k) * row;
        split x = column_read(re + at, im ? im + at : NULL);
        if (factor)
            x = column_product(x, column_factor(factor + 2 * k));
        column_write(out, out + LANES, x);
    }
}

INLINE void scatter_rows(const T *in, T *re, T *im, ptrdiff_t row,
                         const uint32_t *index, const T *factor, size_t rows)
{
    for (size_t k = 0; k < rows; k++, in += 2 * LANES) {
        ptrdiff_t at = (ptrdiff_t)(index ? index[k] : k) * row;
        split x = column_read(in, in + LANES);
        if (factor)
            x = column_product(column_turned(x),
                               column_factor(factor + 2 * k));
        column_write(re + at, im ? im + at : NULL, x);
    }
}

static void column_gather(T *out, const T *re, const T *im, ptrdiff_t row,
                          const uint32_t *index, const T *factor, size_t rows)
{
    if (im == re && index)
        gather_rows(out, re, NULL, row, index, NULL, rows);
    else if (im == re)
        gather_rows(out, re, NULL, row, NULL, factor, rows);
    else if (index)
        gather_rows(out, re, im, row, index, NULL, rows);
    else
        gather_rows(out, re, im, row, NULL, factor, rows);
}

static void column_scatter(const T *in, T *re, T *im, ptrdiff_t row,
                           const uint32_t *index, const T *factor, size_t rows)
{
    if (im == re && index)
        scatter_rows(in, re, NULL, row, index, NULL, rows);
    else if (im == re)
        scatter_rows(in, re, NULL, row, NULL, factor, rows);
    else if (index)
        scatter_rows(in, re, im, row, index, NULL, rows);
    else
        scatter_rows(in, re, im, row, NULL, factor, rows);
}

static void column_multiply(T *out, const T *in, const T *factor, size_t rows,
                            bool turned)
{
    for (size_t k = 0; k < rows; k++, in += 2 * LANES, out += 2 * LANES) {
        const split x = column_read(in, in + LANES);
        column_write(out, out + LANES,
                     column_product(turned ? column_turned(x) : x,
                                    column_factor(factor + 2 * k)));
    }
}

static void column_share(T *out, const T *sum)
{
    T *next = out + 2 * LANES;
    const split x = column_read(out, out + LANES);
    column_write(next, next + LANES,
                 column_sum(x, column_read(next, next + LANES)));
    column_write(out, out + LANES,
                 column_sum(x, column_read(sum, sum + LANES)));
}
#undef split
