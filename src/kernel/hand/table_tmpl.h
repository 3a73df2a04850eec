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
/* The same of a with re and im exchanged.  An inverse transform is a forward
 * one between two exchanges, and exchanging a b is exchanging a, times conj b.
 */
void (*multiply_turned)(T *out, const T *a, const T *b, size_t n);
/* The sum of two such products, of a and b and of c and d. */
void (*multiply_turned_both)(T *out, const T *a, const T *b, const T *c,
                             const T *d, size_t n);
/* Blocks: numbers in groups of `lanes`, re of all and then im of all.  n is a
 * multiple of `lanes`.  Rows of n numbers, those of out and other one after the
 * other, those of a, b and c `step` numbers apart; all but a in blocks:
 * out[k] = a[k] b[k] and other[k] = a[k] c[k]. */
void (*multiply_to_blocks)(T *out, T *other, const T *a, const T *b,
                           const T *c, size_t n, size_t rows, size_t step);
/* out[k] = a[k] b[k], all in blocks; out may be a. */
void (*multiply_blocks)(T *out, const T *a, const T *b, size_t n);
/* Rows as above, of a and c one after the other, of out, b and d `step` apart:
 * out[k] = a[k] b[k] + c[k] d[k], all but out in blocks. */
void (*multiply_from_blocks)(T *out, const T *a, const T *b, const T *c,
                             const T *d, size_t n, size_t rows, size_t step);
/* As multiply_to_blocks, but rows of b, too, are one after the other, and out is
 * multiplied by w, other by conj w, where number k of row r has w = row[r] column[k],
 * the latter in blocks.  NULL: as column_to_tiles. */
void (*twist_to_blocks)(T *out, T *other, const T *a, const T *b, const T *row,
                        const T *column, size_t n, size_t rows, size_t step);
/* out[k] = (a[k] conj w + c[k] w) b[k]; only rows of out are `step` apart. */
void (*twist_from_blocks)(T *out, const T *a, const T *c, const T *b,
                          const T *row, const T *column, size_t n, size_t rows,
                          size_t step);
/* out[k] = in[k] coarse[k / span] fine[k mod span]: a row of twiddles w^(r k)
 * from sqrt(n) numbers.  out may be in. */
void (*multiply_powers)(T *out, const T *in, const T *coarse, const T *fine,
                        size_t span, size_t n);
void (*scale)(T *x, T factor, size_t n_reals);

/* ---- move_tmpl.c -------------------------------------------------------- */

/* Two planes to n complex numbers, and back. */
void (*merge)(T *out, const T *re, const T *im, size_t n);
void (*part)(T *re, T *im, const T *in, size_t n);
/* out[k] = (re[k stride], im[k stride]), and back. */
void (*gather)(T *out, const T *re, const T *im, ptrdiff_t stride, size_t n);
void (*scatter)(const T *in, T *re, T *im, ptrdiff_t stride, size_t n);

/* gather and scatter between T and doubles. */
void (*gather_wide)(double *out, const T *re, const T *im, ptrdiff_t stride,
                    size_t n);
void (*scatter_wide)(const double *in, T *re, T *im, ptrdiff_t stride,
                     size_t n);
/* The same of reals. */
void (*gather_wide_reals)(double *out, const T *in, ptrdiff_t stride,
                          size_t n);
void (*scatter_wide_reals)(const double *in, T *out, ptrdiff_t stride,
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

/* In place, n x n reals; of floats alone, NULL of doubles, which are numbers of two
 * floats to transpose_square. */
void (*square_reals)(T *a, ptrdiff_t ld, size_t n);

/* out[k] = in[index[k]]; out[index[k]] = in[k]. */
void (*gather_index)(T *out, const T *in, const uint32_t *index, size_t n);
void (*scatter_index)(T *out, const T *in, const uint32_t *index, size_t n);

/* out[k] = in[k], no overlap: for output that the caches could not keep.  On
 * x86 it goes past them (WF_HAND_STREAMS), and wf_hand_settle must come before
 * other threads may hear of it. */
void (*stream)(T *out, const T *in, size_t n);

/* ---- real_tmpl.c -------------------------------------------------------- */

/* Between the transform Z of m = n/2 complex numbers and the half spectrum X
 * of n reals (m + 1), with w[k] a factor for each k = 0 .. m/2 (for m/2 itself,
 * m even: -half), and one real behind them, which is not used: for k and m - k,
 * where A = x[k] + conj x[m - k] and B = x[k] - conj x[m - k],
 *     out[k] = half A + w B,  out[m - k] = conj(half A - w B).
 * real_unpack makes X from Z (out = in allowed): X[0], X[m] = scale
 * (re Z[0] +- im Z[0]).  real_pack makes Z from X: re, im Z[0] = scale (re
 * X[0] +- re X[m]). */
void (*real_unpack)(T *out, const T *in, const T *w, T half, T scale,
                    size_t m);
void (*real_pack)(T *out, const T *in, const T *w, T half, T scale, size_t m);

/* The same in parts.  real_row: k = first .. first + count - 1, 0 < first and
 * k <= m/2, each with its m - k.  The factor of k is the product of row (re, im)
 * and column k - first, which has two vectors, re and im, each number twice.
 * The ends: X and Z of k = 0 and m. */
void (*real_row)(T *out, const T *in, const T *row, const T *column_re,
                 const T *column_im, T half, size_t first, size_t count,
                 size_t m);
/* real_some: the same with a factor for each k, w[k]; what real_unpack and
 * real_pack make there, to the bit. */
void (*real_some)(T *out, const T *in, const T *w, T half, size_t first,
                  size_t count, size_t m);
void (*real_unpack_ends)(T *out, const T *in, T scale, size_t m);
void (*real_pack_ends)(T *out, const T *in, T scale, size_t m);

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

/* ---- r2r_tmpl.c: real kinds, from and to the transforms inside them ------ */

/* No output may overlap an input, but half_out's may be its planes.  The form
 * says how n reals hold the numbers X[0..n/2].  Even n, from and to h = n/2
 * complex Z:
 *     X[k] = a[k] (Z[k] + conj Z[h-k]) + b[k] (Z[k] - conj Z[h-k]),
 * begin <= k < end of 1 .. h/2, each with h - k; table: re b, im b and, cosine
 * and sine, re a, im a, read from k = begin on; a = scale for the other forms.
 * The last vector may be whole, beyond end, and ends before h.  With begin 0 or 1
 * the ends, too: X[0] and X[h] are first and middle times re Z[0] +- im Z[0].
 * begin 0 is for tables whose number 0 begins a cache line; what it is does not
 * matter.  The same way back, with Z for X. */
void (*half_out)(T *out, const T *z, const wf_r2r_pass *pass);
void (*half_in)(T *z, const T *in, const wf_r2r_pass *pass);
/* The same way back of cosines and sines, a few numbers of some rows (hand.h) to one
 * tile and those of h - k, mirrored in both directions, to the other; there h - 0 is
 * no result.  NULL: vectors of less than 32 bytes. */
void (*half_in_legs)(T *front, T *back, const T *in, const wf_r2r_pass *pass,
                     const wf_r2r_legs *legs);
/* A row pair of such a table: (re[k], im[k]) = (u[k], v[k]) times the one number
 * of the row, for k < n and on to a multiple of 16. */
void (*turn_row)(T *re, T *im, const T *u, const T *v, const T *row_re,
                 const T *row_im, size_t n);
/* Odd n, from and to X[0..(n-1)/2] itself, times scale or (cosine, sine) the
 * table's re and im of k < ld; X[0] times first. */
void (*odd_out)(T *out, const T *x, const wf_r2r_pass *pass);
void (*odd_in)(T *x, const T *in, const wf_r2r_pass *pass);

/* Type IV, n = 2 h: the complex z[j] = c[j] (x[2j] + i x[n-1-2j]), the two
 * exchanged for sines; and y[2k] + i y[n-1-2k] = conj (c[k] z[k]), without
 * conj for sines.  table: re c, im c of j < h.  Those of begin <= j < end of 0 ..
 * (h-1)/2, each with h-1-j; begin a multiple of VL, and end, but for the last, too. */
void (*quarter_in)(T *z, const T *x, const wf_r2r_pass *pass);
void (*quarter_out)(T *y, const T *z, const wf_r2r_pass *pass);

/* front[k] = in[2k], back[-k] = +-in[2k+1]; n odd: the last in front.  With back
 * = front + n-1 the odd elements come mirrored behind the even ones.  And back. */
void (*unzip)(T *front, T *back, const T *in, bool negate, size_t n);
void (*zip)(T *out, const T *front, const T *back, bool negate, size_t n);
/* out = even[0], odd[0], even[1], ...: n numbers. */
void (*weave)(T *out, const T *even, const T *odd, size_t n);
/* sum[i] = x[i] + x[n-1-i], i <= n/2; difference[i] the same, i < n/2; n odd. */
void (*fold)(T *sum, T *difference, const T *x, size_t n);
/* front[i] = x[i], back[-i] = sign x[i]. */
void (*unfold)(T *front, T *back, const T *x, double sign, size_t n);
/* out[k] = scale times re or im of the complex x[k]. */
void (*part_of)(T *out, const T *x, bool im, double scale, size_t n);
/* out[k] = in[index[k] / 2], negative where index[k] is odd. */
void (*pick)(T *out, const T *in, const uint32_t *index, size_t n);

/* ---- odd_tmpl.c: reals of odd length ------------------------------------- */

/* Hartley numbers of a half spectrum in an order of their own: out[q] = re -
 * im and out[q + half] = re + im of x[index[q] / 2], conjugate where index is
 * odd.  Back, out[k] = (a + b, b - a) of a, b = y[index[k] / 2] and half after
 * it. */
void (*hartley_pick)(T *out, const T *x, const uint32_t *index, size_t half);
void (*hartley_place)(T *out, const T *y, const uint32_t *index, size_t half);

/* ---- dense_tmpl.c: a few reals times a matrix; out = in allowed ---------- */

/* [form][v - 1], of v vectors of columns of the templates' VL; see wf_dense. */
wf_dense_run *dense[3][WF_DENSE_VECTORS];
/* `count` columns; in place where rows are the same. */
/* Rows of `count` T, from_row apart, to rows of `width`, VL or 2 VL, and zeros; and
 * as many of them back. */
void (*rows_widen)(T *to, size_t width, const T *from, ptrdiff_t from_row,
                   size_t rows, size_t count);
void (*rows_narrow)(T *to, ptrdiff_t to_row, const T *from, size_t width,
                    size_t rows, size_t count);
void (*dense_columns)(T *out, const T *in, const wf_dense_columns *d,
                      size_t count);
/* One after the other, `count` > 0 of them, in place or not; scalars, and NULL in tables
 * of vectors. */
void (*dense_lone)(T *out, const T *in, const wf_dense_lone *d, size_t count);
/* `count` matrices, in place or not; NULL with vectors of less than 32 bytes. */
void (*dense_few)(T *out, const T *in, const wf_dense_few *d, size_t count);
/* `count` vectors, in place or not; NULL with vectors of less than 32 bytes. */
void (*dense_rows)(T *out, const T *in, const wf_dense_rows *d, size_t count);
/* `count` rows, so far apart; not in place.  NULL likewise. */
void (*window_rows)(T *out, const T *in, const wf_windows *d, size_t count,
                    ptrdiff_t in_row, ptrdiff_t out_row);

/* ---- lanes_tmpl.c: VL transforms side by side; NULL with one lane -------- */

/* From user memory to a tile, where lanes beyond count are zero, and back. */
void (*lanes_in)(T *tile, const T *in, const wf_lanes *lanes);
void (*lanes_out)(T *out, const T *tile, const wf_lanes *lanes);
/* A halfcomplex tile of n rows as the half spectra of `count` neighbours, row k
 * of them at k leg; and back: imaginary parts of numbers 0 and n/2 are not read. */
void (*lanes_join)(T *out, ptrdiff_t leg, const T *tile, size_t n,
                   size_t count);
void (*lanes_part)(T *tile, const T *in, ptrdiff_t leg, size_t n,
                   size_t count);
/* half_out, half_in, quarter_in and quarter_out of VL transforms: rows of VL
 * reals `leg` apart on the one side, Z as a tile on the other (complex k in
 * rows 2k and 2k + 1).  Sine transforms are cosine transforms with the rows of
 * X, of type IV those of the input, in reverse: the last one first and a
 * negative leg. */
void (*lanes_half_out)(T *out, ptrdiff_t leg, const T *z,
                       const wf_r2r_pass *pass);
void (*lanes_half_in)(T *z, const T *in, ptrdiff_t leg,
                      const wf_r2r_pass *pass);
void (*lanes_quarter_in)(T *z, const T *in, ptrdiff_t leg,
                         const wf_r2r_pass *pass);
void (*lanes_quarter_out)(T *out, ptrdiff_t leg, const T *z,
                          const wf_r2r_pass *pass);

/* ---- embed_tmpl.c; NULL with vectors of less than 32 bytes ---------------- */

/* To all n complex rows of a tile, times the scale, zeros behind `count` (what is not
 * known of half spectra is what makes the transform real: imaginary parts of numbers
 * 0 and n/2 are not read); and what `form` has of a tile's rows, real parts of reals. */
void (*embed_in)(T *tile, const T *in, const wf_embed *e);
void (*embed_out)(T *out, const T *tile, const wf_embed *e);

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
/* Exchanges a, rows x cols, and b, cols x rows, each transposed on its way. */
void (*transpose_swap)(T *a, T *b, ptrdiff_t ld, size_t rows, size_t cols);

/* In place, rows x cols without gaps becomes cols x rows, where one of the
 * two divides the other.  buffer: min(rows, cols) complex numbers. */
void (*transpose_rect)(T *a, size_t rows, size_t cols, T *buffer);

/* ---- columns_tmpl.c ----------------------------------------------------- */

/* The heart of the four-step: a block of VL columns, split: row k has VL re
 * at re + k row and VL im at im + k row (all VL are read).  Element (k, lane)
 * times its factor goes to out + 2 (lane out_ld + k), k < rows, lane < lanes
 * <= VL.  The factor is the product of two: tw has for each row VL c, then VL
 * d of c + i d; start has for each row one (c, d) for all lanes. */
void (*column_twiddle_transpose)(const T *re, const T *im, ptrdiff_t row,
                                 const T *tw, const T *start, size_t rows,
                                 size_t lanes, T *out, ptrdiff_t out_ld);
/* The same of all VL lanes and VL rows at a time, rows being a multiple of it: those
 * become VL rows of VL numbers in planes, a lane each, as `tiles` has it (hand.h).
 * NULL: vectors of less than 32 bytes. */
void (*column_to_tiles)(const T *re, const T *im, ptrdiff_t row, const T *tw,
                        const T *start, size_t rows, const wf_tiles *tiles,
                        T *out_re, T *out_im);
/* The way back to a packed block, and then times the factors. */
void (*column_from_tiles)(T *out, const T *tw, const T *start, size_t rows,
                          const wf_tiles *tiles, const T *re, const T *im);
/* The same of all VL lanes and without the transpose: element (k, lane) goes
 * to out + 2 (k out_ld + lane). */
void (*column_twiddle)(const T *re, const T *im, ptrdiff_t row, const T *tw,
                       const T *start, size_t rows, T *out, ptrdiff_t out_ld);

/* The heart of convolutions with a column in each lane.  Blocks are packed: row
 * k has VL re, then VL im.  Row k of one is row index[k] of user memory, or
 * row k times factor[k] (a complex number for all lanes); the other of index and
 * factor is NULL.  Rows of user memory are `row` scalars apart, interleaved at
 * re == im, else re and im in planes. */
void (*column_gather)(T *out, const T *re, const T *im, ptrdiff_t row,
                      const uint32_t *index, const T *factor, size_t rows);
/* The way back; with factors re and im change places before the product. */
void (*column_scatter)(const T *in, T *re, T *im, ptrdiff_t row,
                       const uint32_t *index, const T *factor, size_t rows);
/* Row k times factor[k]; turned: re and im change places before the product. */
void (*column_multiply)(T *out, const T *in, const T *factor, size_t rows,
                        bool turned);
/* out[0] = out[0] + sum, and what was there is added to out[1]. */
void (*column_share)(T *out, const T *sum);
