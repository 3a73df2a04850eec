/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_tmpl.h - the functions of one type; hand.h includes it for each T.
 *
 * Complex data are interleaved unless said otherwise.  A leading dimension
 * (ld), a distance out_ld or in_ld counts complex numbers; strides of (re,
 * im) pointer pairs and of split data count T.  Interleaved data as a pair
 * are im = re + 1.  No pointer needs more alignment than a T, every count
 * may be 0, and nothing outside the named elements is read or written.
 *
 * Arithmetic on an element does not depend on its place: the same product
 * gives the same bits in a loop's body, its tail, a tile or its edge.
 */

/* lanes of the ISA: VL of kernel.h */
int lanes;

/* ---- pointwise_tmpl.c --------------------------------------------------- */

/* out[k] = a[k] b[k]; out may be a, or b. */
void (*multiply)(T *out, const T *a, const T *b, size_t n);
/* out[k] = in[k] coarse[k / span] fine[k mod span]: a row of twiddles w^(r k)
 * from sqrt(n) numbers.  out may be in. */
void (*multiply_powers)(T *out, const T *in, const T *coarse, const T *fine,
                        size_t span, size_t n);
void (*scale)(T *x, T factor, size_t n_reals);

/* ---- move_tmpl.c -------------------------------------------------------- */

/* out[k] = (re[k stride], im[k stride]), and back. */
void (*gather)(T *out, const T *re, const T *im, ptrdiff_t stride, size_t n);
void (*scatter)(const T *in, T *re, T *im, ptrdiff_t stride, size_t n);

/* gather and scatter between T and doubles. */
void (*gather_wide)(double *out, const T *re, const T *im, ptrdiff_t stride,
                    size_t n);
void (*scatter_wide)(const double *in, T *re, T *im, ptrdiff_t stride,
                     size_t n);

/* The same for `count` transforms, the t-th at re + t dist and out + t out_ld:
 * whichever of stride and dist is smaller runs in the inner loop, so columns
 * are read and written in whole cache lines. */
void (*gather_many)(T *out, const T *re, const T *im, ptrdiff_t stride,
                    size_t n, ptrdiff_t dist, size_t count, ptrdiff_t out_ld);
void (*scatter_many)(const T *in, T *re, T *im, ptrdiff_t stride, size_t n,
                     ptrdiff_t dist, size_t count, ptrdiff_t in_ld);

/* Reals: transform t's element k from in + t in_dist + k in_stride to
 * out + t out_dist + k out_stride, k < n, t < count. */
void (*move_reals)(T *out, ptrdiff_t out_stride, ptrdiff_t out_dist,
                   const T *in, ptrdiff_t in_stride, ptrdiff_t in_dist,
                   size_t n, size_t count);

/* out[k] = in[index[k]]; out[index[k]] = in[k]. */
void (*gather_index)(T *out, const T *in, const uint32_t *index, size_t n);
void (*scatter_index)(T *out, const T *in, const uint32_t *index, size_t n);

/* ---- real_tmpl.c -------------------------------------------------------- */

/* Between the transform Z of m = n/2 complex numbers and the half spectrum X
 * of n reals (m + 1), with w[k - 1] a factor for each k = 1 .. m/2: for k and
 * m - k, where A = x[k] + conj x[m - k] and B = x[k] - conj x[m - k],
 *     out[k] = half A + w B,  out[m - k] = conj(half A - w B).
 * real_unpack makes X from Z (out = in allowed): X[0], X[m] = scale
 * (re Z[0] +- im Z[0]).  real_pack makes Z from X: re, im Z[0] = scale (re
 * X[0] +- re X[m]). */
void (*real_unpack)(T *out, const T *in, const T *w, T half, T scale,
                    size_t m);
void (*real_pack)(T *out, const T *in, const T *w, T half, T scale, size_t m);

/* Whole transforms of n = 1 or 2 reals, times scale; out = in allowed. */
void (*real_tiny)(T *out, const T *in, T scale, size_t n);
void (*real_tiny_back)(T *out, const T *in, T scale, size_t n);

/* n reals as complex numbers, and n/2 + 1 of n complex numbers times scale.
 * No overlap. */
void (*real_widen)(T *out, const T *in, size_t n);
void (*real_halve)(T *out, const T *in, T scale, size_t n);
/* The n complex numbers whose first n/2 + 1 are given, with X[0] (and X[n/2],
 * n even) made real; then the real parts of n, times scale. */
void (*real_mirror)(T *out, const T *in, size_t n);
void (*real_narrow)(T *out, const T *in, T scale, size_t n);

/* ---- transpose_tmpl.c --------------------------------------------------- */

/* out(c, r) = in(r, c) [times tw(r, c)], r < rows, c < cols; no overlap. */
void (*transpose)(const T *in, ptrdiff_t in_ld, T *out, ptrdiff_t out_ld,
                  size_t rows, size_t cols);
void (*transpose_twiddle)(const T *in, ptrdiff_t in_ld, T *out,
                          ptrdiff_t out_ld, size_t rows, size_t cols,
                          const T *tw, ptrdiff_t tw_ld);

/* In place, n x n.  The factors must be symmetric: tw(r, c) = tw(c, r). */
void (*transpose_square)(T *a, ptrdiff_t ld, size_t n);
void (*transpose_square_twiddle)(T *a, ptrdiff_t ld, size_t n, const T *tw,
                                 ptrdiff_t tw_ld);

/* In place, rows x cols without gaps becomes cols x rows, where one of the
 * two divides the other.  buffer: min(rows, cols) complex numbers. */
void (*transpose_rect)(T *a, size_t rows, size_t cols, T *buffer);

/* ---- columns_tmpl.c ----------------------------------------------------- */

/* The heart of the four-step: a block of VL columns, split: row k has VL re
 * at re + k row and VL im at im + k row (all VL are read).  Element (k, lane)
 * times its factor goes to out + 2 (lane out_ld + k), k < rows, lane < lanes
 * <= VL.  The factor is the product of two: tw has for each row VL c, then VL
 * d of c + i d; start has for each row one (c, d) for all lanes.  tw NULL: no
 * factors. */
void (*column_twiddle_transpose)(const T *re, const T *im, ptrdiff_t row,
                                 const T *tw, const T *start, size_t rows,
                                 size_t lanes, T *out, ptrdiff_t out_ld);
