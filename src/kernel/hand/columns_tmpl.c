/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns_tmpl.c - a block of columns, times twiddles, into rows.
 *
 * UNITS rows of the block are VL vectors re, im, re, im, ...: one transpose
 * of VL x VL reals turns them into interleaved pieces of VL rows, a full
 * cache line each with 64-byte vectors.  For split output re and im are
 * transposed apart, VL rows at a time.
 */
#ifndef ONE_LANE

/* One row of the block, times its factors. */
static inline void F(column_row)(const T *re, const T *im, const T *tw,
                                 const T *start, VEC *x, VEC *y)
{
    VEC a = F(load)(re), b = F(load)(im);
    if (tw) {
        VEC u = F(load)(tw), v = F(load)(tw + VL);
        VEC s = (VEC){0} + start[0], t = (VEC){0} + start[1];
        VEC c = FMA(u, s, -(v * t)), d = FMA(v, s, u * t);
        *x = FMA(a, c, -(b * d));
        *y = FMA(b, c, a * d);
    } else {
        *x = a;
        *y = b;
    }
}

static inline void F(columns)(const T *re, const T *im, ptrdiff_t row,
                              const T *tw, const T *start, size_t rows,
                              size_t lanes, T *out, ptrdiff_t out_ld)
{
    size_t k = 0;
    for (; k + UNITS <= rows; k += UNITS) {
        VEC v[VL];
#pragma GCC unroll 8
        for (int i = 0; i < UNITS; i++) {
            ptrdiff_t at = (ptrdiff_t)k + i;
            F(column_row)(re + at * row, im + at * row,
                          tw ? tw + at * 2 * VL : NULL, start ? start + 2 * at : NULL,
                          &v[2 * i], &v[2 * i + 1]);
        }
        F(transpose_lanes)(v);
#pragma GCC unroll 16
        for (int l = 0; l < VL; l++) { /* unrolled: v stays in registers */
            if ((size_t)l == lanes)
                break;
            F(store)(out + 2 * (l * out_ld + (ptrdiff_t)k), v[l]);
        }
    }
    if (k == rows)
        return;
    VEC v[VL] = {{0}};
    for (size_t i = 0; i < rows - k; i++) {
        ptrdiff_t at = (ptrdiff_t)(k + i);
        F(column_row)(re + at * row, im + at * row,
                      tw ? tw + at * 2 * VL : NULL, start ? start + 2 * at : NULL, &v[2 * i],
                      &v[2 * i + 1]);
    }
    F(transpose_lanes)(v);
    for (ptrdiff_t l = 0; l < (ptrdiff_t)lanes; l++)
        F(store_part)(out + 2 * (l * out_ld + (ptrdiff_t)k), v[l],
                      2 * (rows - k));
}

static void F(column_twiddle_transpose)(const T *re, const T *im,
                                        ptrdiff_t row, const T *tw,
                                        const T *start, size_t rows,
                                        size_t lanes, T *out,
                                        ptrdiff_t out_ld)
{
    if (tw)
        F(columns)(re, im, row, tw, start, rows, lanes, out, out_ld);
    else
        F(columns)(re, im, row, NULL, NULL, rows, lanes, out, out_ld);
}

#else /* one lane: nothing to transpose */

static void F(column_twiddle_transpose)(const T *re, const T *im,
                                        ptrdiff_t row, const T *tw,
                                        const T *start, size_t rows,
                                        size_t lanes, T *out,
                                        ptrdiff_t out_ld)
{
    (void)out_ld;
    for (size_t k = 0; lanes && k < rows; k++, re += row, im += row) {
        T a = *re, b = *im, c = 1, d = 0;
        if (tw) {
            T u = tw[2 * k], v = tw[2 * k + 1];
            T s = start[2 * k], t = start[2 * k + 1];
            c = u * s - v * t;
            d = v * s + u * t;
        }
        out[2 * k] = tw ? a * c - b * d : a;
        out[2 * k + 1] = tw ? b * c + a * d : b;
    }
}

#endif
