/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hand_test_tmpl.h - the tests of hand_test.c for one type T.
 */
/* clang-format off: it takes F(name)(arguments) for two statements */

/* A buffer of `count` T of noise; freed by free(buffer - 1). */
static T *F(noise)(size_t count)
{
    T *x = (T *)malloc((count + 2) * sizeof(T)) + 1;
    for (size_t i = 0; i < count; i++)
        x[i] = (T)(noise_real(&noise));
    return x;
}

static T *F(twin)(const T *x, size_t count)
{
    T *y = (T *)malloc((count + 2) * sizeof(T)) + 1;
    memcpy(y, x, count * sizeof(T));
    return y;
}

static void F(drop)(T *x)
{
    free(x - 1);
}

/* Equal up to `tolerance` (0: to the bit), everywhere. */
static void F(compare)(const char *what, size_t a, size_t b, const T *got,
                       const T *want, size_t count, double tolerance)
{
    size_t i = 0;
    while (i < count && fabs((double)got[i] - (double)want[i]) <= tolerance)
        i++;
    CHECK(i == count, "%s %s, %zu x %zu, T %zu: got %g, want %g at %zu of %zu",
          isa_name, what, a, b, sizeof(T), (double)got[i], (double)want[i], i,
          count);
}

static void F(times)(T *z, const T *x, const T *w)
{
    double re = (double)x[0] * (double)w[0] - (double)x[1] * (double)w[1];
    double im = (double)x[0] * (double)w[1] + (double)x[1] * (double)w[0];
    z[0] = (T)re;
    z[1] = (T)im;
}

/* ---- pointwise ---------------------------------------------------------- */

static void F(test_pointwise)(const F(wf_hand) * hand, size_t n)
{
    size_t all = 2 * n + 40;
    T *a = F(noise)(all), *b = F(noise)(all), *out = F(noise)(all);
    T *want = F(twin)(out, all), *whole = F(twin)(out, all);
    for (size_t k = 0; k < n; k++)
        F(times)(want + 20 + 2 * k, a + 2 * k, b + 2 * k);
    hand->multiply(out + 20, a, b, n);
    F(compare)("multiply", n, 1, out, want, all, 4 * EPSILON);
    for (size_t k = 0; k < n; k++) {
        const T turned[2] = {a[2 * k + 1], a[2 * k]};
        F(times)(want + 20 + 2 * k, turned, b + 2 * k);
    }
    memcpy(whole, out, all * sizeof(T));
    hand->multiply_turned(out + 20, a, b, n);
    F(compare)("multiply_turned", n, 1, out, want, all, 4 * EPSILON);
    memcpy(out + 20, a, 2 * n * sizeof(T));
    hand->multiply_turned(out + 20, out + 20, b, n);
    F(compare)("multiply_turned in place", n, 1, out, want, all, 4 * EPSILON);
    for (size_t k = 0; k < n; k++) {
        const T turned[2] = {a[2 * k + 1], a[2 * k]};
        T sum[2];
        F(times)(sum, turned, b + 2 * k);
        F(times)(want + 20 + 2 * k, turned, a + 20 + 2 * k);
        want[20 + 2 * k] += sum[0];
        want[20 + 2 * k + 1] += sum[1];
    }
    hand->multiply_turned_both(out + 20, a, b, a, a + 20, n);
    F(compare)("multiply_turned_both", n, 1, out, want, all, 8 * EPSILON);
    memcpy(out, whole, all * sizeof(T));
    for (size_t k = 0; k < n; k++) /* the same bits one by one, in place */
        hand->multiply(a + 2 * k, a + 2 * k, b + 2 * k, 1);
    F(compare)("multiply singly", n, 1, a, whole + 20, 2 * n, 0);
    memcpy(a, out, all * sizeof(T));
    T *fine = F(noise)(16 + 2);
    for (size_t k = 0; k < n; k++) {
        T w[2];
        F(times)(w, fine + 2 * (k % 8), b + 2 * (k / 8));
        F(times)(want + 20 + 2 * k, a + 20 + 2 * k, w);
    }
    hand->multiply_powers(out + 20, a + 20, b, fine, 8, n);
    F(compare)("multiply_powers", n, 1, out, want, all, 8 * EPSILON);
    F(drop)(fine);
    memcpy(want, out, all * sizeof(T));
    for (size_t i = 0; i < n; i++)
        want[20 + i] *= 3;
    hand->scale(out + 20, 3, n);
    F(compare)("scale", n, 1, out, want, all, 0);
    F(drop)(a);
    F(drop)(b);
    F(drop)(out);
    F(drop)(want);
    F(drop)(whole);
}

/* Where number k of a row of blocks has its re, and how far away its im. */
static size_t F(in_blocks)(const F(wf_hand) * hand, size_t k, size_t *to_im)
{
    const size_t lanes = (size_t)hand->lanes;
    *to_im = lanes;
    return 2 * (k / lanes * lanes) + k % lanes;
}

static void F(block_times)(const F(wf_hand) * hand, T *z, const T *x,
                           const T *w, size_t k)
{
    size_t im, re = F(in_blocks)(hand, k, &im);
    const T a[2] = {x[re], x[re + im]}, b[2] = {w[re], w[re + im]};
    F(times)(z, a, b);
}

/* Rows of n numbers `step` apart, of the user and in blocks. */
static void F(test_blocks)(const F(wf_hand) * hand, size_t blocks, size_t rows)
{
    const size_t n = blocks * (size_t)hand->lanes;
    const size_t step = n + 3 * (size_t)hand->lanes;
    const size_t all = 2 * (rows * step + n) + 40;
    T *a = F(noise)(all), *b = F(noise)(all), *c = F(noise)(all);
    T *d = F(noise)(all), *out = F(noise)(all), *other = F(noise)(all);
    T *want = F(twin)(out, all), *also = F(twin)(other, all);
    size_t im;
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < n; k++) {
            const size_t from = 2 * r * step + F(in_blocks)(hand, k, &im);
            const size_t to = 20 + 2 * r * n + F(in_blocks)(hand, k, &im);
            const T v[2] = {b[from], b[from + im]};
            const T w[2] = {c[from], c[from + im]};
            T y[2], z[2];
            F(times)(y, a + 2 * (r * step + k), v);
            F(times)(z, a + 2 * (r * step + k), w);
            want[to] = y[0], want[to + im] = y[1];
            also[to] = z[0], also[to + im] = z[1];
        }
    hand->multiply_to_blocks(out + 20, other + 20, a, b, c, n, rows, step);
    F(compare)("multiply_to_blocks", n, rows, out, want, all, 4 * EPSILON);
    F(compare)("multiply_to_blocks", n, rows, other, also, all, 4 * EPSILON);
    memcpy(want, out, all * sizeof(T));
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < n; k++) {
            T y[2], z[2], *to = want + 20 + 2 * (r * step + k);
            F(block_times)(hand, y, a + 2 * r * n, b + 2 * r * step, k);
            F(block_times)(hand, z, d + 2 * r * n, c + 2 * r * step, k);
            to[0] = y[0] + z[0], to[1] = y[1] + z[1];
        }
    hand->multiply_from_blocks(out + 20, a, b, d, c, n, rows, step);
    F(compare)("multiply_from_blocks", n, rows, out, want, all, 8 * EPSILON);
    memcpy(want, out, all * sizeof(T));
    for (size_t k = 0; k < n; k++) {
        const size_t to = 20 + F(in_blocks)(hand, k, &im);
        T y[2];
        F(block_times)(hand, y, a, b, k);
        want[to] = y[0], want[to + im] = y[1];
    }
    hand->multiply_blocks(out + 20, a, b, n);
    F(compare)("multiply_blocks", n, 1, out, want, all, 4 * EPSILON);
    memcpy(out + 20, a, 2 * n * sizeof(T));
    hand->multiply_blocks(out + 20, out + 20, b, n);
    F(compare)("multiply_blocks in place", n, 1, out, want, all, 4 * EPSILON);
    T *const buffers[] = {a, b, c, d, out, other, want, also};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        F(drop)(buffers[i]);
}

/* Rows of the user's numbers, and blocks times twists of a row and a column. */
static void F(test_twists)(const F(wf_hand) * hand, size_t blocks, size_t rows)
{
    const size_t n = blocks * (size_t)hand->lanes, step = n + 3;
    const size_t all = 2 * (rows * step + n) + 40;
    if (hand->twist_to_blocks == NULL)
        return;
    T *a = F(noise)(all), *b = F(noise)(all), *row = F(noise)(2 * rows + 2);
    T *column = F(noise)(2 * n + 2), *out = F(noise)(all);
    T *other = F(noise)(all), *want = F(twin)(out, all);
    T *also = F(twin)(other, all);
    size_t im;
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < n; k++) {
            const size_t in = F(in_blocks)(hand, k, &im), at = 2 * r * n + in;
            T w[2], x[2];
            F(times)(w, (T[2]){column[in], column[in + im]}, row + 2 * r);
            F(times)(x, a + 2 * (r * step + k), (T[2]){b[at], b[at + im]});
            T y[2], z[2];
            F(times)(y, x, w);
            F(times)(z, x, (T[2]){w[0], -w[1]});
            want[20 + at] = y[0], want[20 + at + im] = y[1];
            also[20 + at] = z[0], also[20 + at + im] = z[1];
        }
    hand->twist_to_blocks(out + 20, other + 20, a, b, row, column, n, rows,
                          step);
    F(compare)("twist_to_blocks", n, rows, out, want, all, 16 * EPSILON);
    F(compare)("twist_to_blocks", n, rows, other, also, all, 16 * EPSILON);
    memcpy(want, out, all * sizeof(T));
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < n; k++) {
            const size_t in = F(in_blocks)(hand, k, &im), at = 2 * r * n + in;
            T w[2], y[2], z[2], *to = want + 20 + 2 * (r * step + k);
            F(times)(w, (T[2]){column[in], column[in + im]}, row + 2 * r);
            F(times)(y, (T[2]){a[at], a[at + im]}, (T[2]){w[0], -w[1]});
            F(times)(z, (T[2]){other[at], other[at + im]}, w);
            F(times)
            (to, (T[2]){y[0] + z[0], y[1] + z[1]}, (T[2]){b[at], b[at + im]});
        }
    hand->twist_from_blocks(out + 20, a, other, b, row, column, n, rows, step);
    F(compare)("twist_from_blocks", n, rows, out, want, all, 32 * EPSILON);
    T *const buffers[] = {a, b, row, column, out, other, want, also};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        F(drop)(buffers[i]);
}

/* ---- moves -------------------------------------------------------------- */

/* One layout: n elements `stride` apart, `count` transforms `dist` apart,
 * im at re + im_offset. */
static void F(test_moves)(const F(wf_hand) * hand, size_t n, size_t count,
                          ptrdiff_t stride, ptrdiff_t dist,
                          ptrdiff_t im_offset, ptrdiff_t ld)
{
    ptrdiff_t s = (ptrdiff_t)n * stride, d = (ptrdiff_t)count * dist;
    ptrdiff_t low = (s < 0 ? -s : 0) + (d < 0 ? -d : 0) + 16;
    size_t far = (size_t)(2 * low + (s > 0 ? s : 0) + (d > 0 ? d : 0) +
                          im_offset);
    size_t near = (size_t)ld * 2 * count + 32;
    T *user = F(noise)(far), *ours = F(noise)(near);
    T *want = F(twin)(ours, near), *back = F(noise)(far);
    T *want_back = F(twin)(back, far);
    T *re = user + low, *im = re + im_offset;
    for (size_t t = 0; t < count; t++)
        for (size_t k = 0; k < n; k++) {
            ptrdiff_t at = (ptrdiff_t)k * stride + (ptrdiff_t)t * dist;
            T *to = want + 16 + 2 * ((ptrdiff_t)t * ld + (ptrdiff_t)k);
            to[0] = re[at];
            to[1] = im[at];
            want_back[low + at] = to[0];
            want_back[low + im_offset + at] = to[1];
        }
    hand->gather_many(ours + 16, re, im, stride, n, dist, count, ld);
    F(compare)("gather_many", n, count, ours, want, near, 0);
    hand->scatter_many(ours + 16, back + low, back + low + im_offset, stride,
                       n, dist, count, ld);
    F(compare)("scatter_many", n, count, back, want_back, far, 0);
    if (count == 1) {
        memset(ours + 16, 0, 2 * n * sizeof(T));
        hand->gather(ours + 16, re, im, stride, n);
        F(compare)("gather", n, count, ours, want, near, 0);
        hand->scatter(ours + 16, back + low, back + low + im_offset, stride,
                      n);
        F(compare)("scatter", n, count, back, want_back, far, 0);
        double *wide = malloc((2 * n + 1) * sizeof *wide);
        hand->gather_wide(wide, re, im, stride, n);
        for (size_t k = 0; k < 2 * n; k++)
            CHECK(wide[k] == (double)want[16 + k],
                  "gather_wide of %zu, stride %td: %zu", n, stride, k);
        hand->scatter_wide(wide, back + low, back + low + im_offset, stride,
                           n);
        F(compare)("scatter_wide", n, count, back, want_back, far, 0);
        hand->gather_wide_reals(wide, re, stride, n);
        for (size_t k = 0; k < n; k++)
            CHECK(wide[k] == (double)want[16 + 2 * k],
                  "gather_wide_reals of %zu, stride %td: %zu", n, stride, k);
        hand->scatter_wide_reals(wide, back + low, stride, n);
        F(compare)("scatter_wide_reals", n, count, back, want_back, far, 0);
        free(wide);
    }
    F(drop)(user);
    F(drop)(ours);
    F(drop)(want);
    F(drop)(back);
    F(drop)(want_back);
}

/* Two planes and what they are merged to. */
static void F(test_merge)(const F(wf_hand) * hand, size_t n)
{
    T *re = F(noise)(n + 9), *im = F(noise)(n + 9);
    T *both = F(noise)(2 * n + 9), *want = F(twin)(both, 2 * n + 9);
    T *back[2] = {F(noise)(n + 9), F(noise)(n + 9)};
    T *want_back[2] = {F(twin)(back[0], n + 9), F(twin)(back[1], n + 9)};
    for (size_t k = 0; k < n; k++) {
        want_back[0][1 + k] = want[1 + 2 * k] = re[1 + k];
        want_back[1][1 + k] = want[2 + 2 * k] = im[1 + k];
    }
    hand->merge(both + 1, re + 1, im + 1, n);
    F(compare)("merge", n, 1, both, want, 2 * n + 9, 0);
    hand->part(back[0] + 1, back[1] + 1, both + 1, n);
    for (int i = 0; i < 2; i++) {
        F(compare)("part", n, 1, back[i], want_back[i], n + 9, 0);
        F(drop)(back[i]);
        F(drop)(want_back[i]);
    }
    F(drop)(re);
    F(drop)(im);
    F(drop)(both);
    F(drop)(want);
}

static void F(test_all_moves)(const F(wf_hand) * hand)
{
    static const size_t lengths[] = {0, 1, 2, 3, 5, 16, 17, 37, 64};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            size_t n = lengths[i], count = lengths[j];
            ptrdiff_t a = (ptrdiff_t)n, c = (ptrdiff_t)count;
            F(test_moves)(hand, n, count, 2, 2 * a + 2, 1, a + 1); /* rows */
            F(test_moves)(hand, n, count, 4, 4 * a + 2, 1, a + 1); /* halves */
            F(test_moves)(hand, n, count, 2 * c + 2, 2, 1, a); /* columns */
            F(test_moves)(hand, n, count, 2 * c + 3, 2, 1, a); /* no matrix */
            F(test_moves)(hand, n, count, -2 * c, 2, 1, a + 3);
            F(test_moves)(hand, n, count, 2 * c, -2, 1, a);
            F(test_moves)(hand, n, count, 1, a, a * c + 5, a); /* split */
            F(test_moves)(hand, n, count, c + 1, 1, (a + 1) * (c + 1), a);
            F(test_moves)(hand, n, count, 6 * c + 7, 6, 3, a + 2);
        }
    for (size_t n = 0; n < 70; n++)
        F(test_merge)(hand, n);
    uint32_t index[100];
    T *x = F(noise)(200), *y = F(noise)(200), *z = F(twin)(y, 200);
    for (uint32_t k = 0; k < 100; k++)
        index[k] = k * 37 % 100;
    for (int k = 0; k < 90; k++)
        memcpy(z + 2 * k, x + 2 * index[k], 2 * sizeof(T));
    hand->gather_index(y, x, index, 90);
    F(compare)("gather_index", 90, 1, y, z, 200, 0);
    for (int k = 0; k < 90; k++)
        memcpy(z + 2 * index[k], x + 2 * k, 2 * sizeof(T));
    hand->scatter_index(y, x, index, 90);
    F(compare)("scatter_index", 90, 1, y, z, 200, 0);
    for (size_t at = 0; at < 20; at++) /* any place in a line */
        for (size_t n = 0; n < 90; n += 1 + n / 20) {
            memcpy(z + at, x + 3, n * sizeof(T));
            hand->stream(y + at, x + 3, n);
            wf_hand_settle();
            F(compare)("stream", n, at, y, z, 200, 0);
        }
    F(drop)(x);
    F(drop)(y);
    F(drop)(z);
}

/* ---- transposes --------------------------------------------------------- */

static void F(test_transpose)(const F(wf_hand) * hand, size_t rows,
                              size_t cols, size_t gap)
{
    size_t in_ld = cols + gap, out_ld = rows + 2 * gap, tw_ld = cols + gap / 2;
    size_t in_all = 2 * in_ld * rows + 8, out_all = 2 * out_ld * cols + 8;
    T *in = F(noise)(in_all), *out = F(noise)(out_all);
    T *tw = F(noise)(2 * tw_ld * rows + 8), *want = F(twin)(out, out_all);
    T *product = F(twin)(in, in_all);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            memcpy(want + 4 + 2 * (c * out_ld + r), in + 2 * (r * in_ld + c),
                   2 * sizeof(T));
    hand->transpose(in, (ptrdiff_t)in_ld, out + 4, (ptrdiff_t)out_ld, rows,
                    cols);
    F(compare)("transpose", rows, cols, out, want, out_all, 0);
    for (size_t r = 0; r < rows; r++) /* bits as multiply would have them */
        hand->multiply(product + 2 * r * in_ld, in + 2 * r * in_ld,
                       tw + 2 * r * tw_ld, cols);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            memcpy(want + 4 + 2 * (c * out_ld + r),
                   product + 2 * (r * in_ld + c), 2 * sizeof(T));
    hand->transpose_twiddle(in, (ptrdiff_t)in_ld, out + 4, (ptrdiff_t)out_ld,
                            rows, cols, tw, (ptrdiff_t)tw_ld);
    F(compare)("transpose_twiddle", rows, cols, out, want, out_all, 0);
    F(drop)(in);
    F(drop)(out);
    F(drop)(tw);
    F(drop)(want);
    F(drop)(product);
}

static void F(test_square)(const F(wf_hand) * hand, size_t n, size_t gap)
{
    size_t ld = n + gap, tw_ld = n + gap / 2, all = 2 * ld * n + 8;
    T *a = F(noise)(all), *want = F(twin)(a, all), *product = F(twin)(a, all);
    T *tw = F(noise)(2 * tw_ld * n + 8);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < r; c++)
            memcpy(tw + 2 * (r * tw_ld + c), tw + 2 * (c * tw_ld + r),
                   2 * sizeof(T));
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            memcpy(want + 4 + 2 * (c * ld + r), a + 4 + 2 * (r * ld + c),
                   2 * sizeof(T));
    hand->transpose_square(a + 4, (ptrdiff_t)ld, n);
    F(compare)("transpose_square", n, gap, a, want, all, 0);
    for (size_t r = 0; r < n; r++)
        hand->multiply(product + 4 + 2 * r * ld, a + 4 + 2 * r * ld,
                       tw + 2 * r * tw_ld, n);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            memcpy(want + 4 + 2 * (c * ld + r), product + 4 + 2 * (r * ld + c),
                   2 * sizeof(T));
    hand->transpose_square_twiddle(a + 4, (ptrdiff_t)ld, n, tw,
                                   (ptrdiff_t)tw_ld);
    F(compare)("transpose_square_twiddle", n, gap, a, want, all, 0);
    F(drop)(a);
    F(drop)(want);
    F(drop)(product);
    F(drop)(tw);
}

static void F(test_square_reals)(const F(wf_hand) * hand, size_t n, size_t gap)
{
    const size_t ld = n + gap, all = ld * n + 8;
    T *a = F(noise)(all), *want = F(twin)(a, all);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            want[4 + c * ld + r] = a[4 + r * ld + c];
    if (hand->square_reals != NULL) /* there is one of floats */
        hand->square_reals(a + 4, (ptrdiff_t)ld, n);
    if (hand->square_reals != NULL)
        F(compare)("square_reals", n, gap, a, want, all, 0);
    F(drop)(a);
    F(drop)(want);
}

static void F(test_rect)(const F(wf_hand) * hand, size_t rows, size_t cols)
{
    size_t n = rows < cols ? rows : cols, all = 2 * rows * cols + 8;
    T *a = F(noise)(all), *want = F(twin)(a, all), *buffer = F(noise)(2 * n);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            memcpy(want + 4 + 2 * (c * rows + r), a + 4 + 2 * (r * cols + c),
                   2 * sizeof(T));
    hand->transpose_rect(a + 4, rows, cols, buffer);
    F(compare)("transpose_rect", rows, cols, a, want, all, 0);
    F(drop)(a);
    F(drop)(want);
    F(drop)(buffer);
}

/* ---- columns ------------------------------------------------------------ */

static void F(test_columns)(const F(wf_hand) * hand, size_t rows, size_t lanes)
{
    size_t vl = (size_t)hand->lanes, row = 2 * vl + rows % 3;
    size_t ld = rows + rows % 5, all = 2 * ld * vl + 16;
    T *block = F(noise)(row * rows + 2 * vl), *tw = F(noise)(2 * vl * rows);
    T *start = F(noise)(2 * rows + 2);
    T *out = F(noise)(all), *want = F(twin)(out, all);
    for (size_t k = 0; k < rows; k++)
        for (size_t l = 0; l < lanes; l++) {
            const T *w = tw + 2 * k * vl;
            T x[2] = {block[k * row + l], block[k * row + vl + l]};
            T factor[2];
            F(times)(factor, (T[2]){w[l], w[vl + l]}, start + 2 * k);
            F(times)(x, (T[2]){x[0], x[1]}, factor);
            memcpy(want + 8 + 2 * (l * ld + k), x, sizeof x);
        }
    hand->column_twiddle_transpose(block, block + vl, (ptrdiff_t)row, tw,
                                   start, rows, lanes, out + 8, (ptrdiff_t)ld);
    F(compare)
    ("column_twiddle_transpose", rows, lanes, out, want, all, 8 * EPSILON);
    F(drop)(block);
    F(drop)(tw);
    F(drop)(start);
    F(drop)(out);
    F(drop)(want);
}

/* Where number (k, lane) of a tile has its re and its im. */
static size_t F(in_tiles)(const wf_tiles *tiles, size_t vl, size_t k, size_t l)
{
    return (k / vl) * (size_t)tiles->next + l * (size_t)tiles->row + k % vl;
}

/* Tiles in planes, or re and im by turns, and from there times factors again. */
static void F(test_tiles)(const F(wf_hand) * hand, size_t groups, int sign,
                          bool planes)
{
    const size_t vl = (size_t)hand->lanes, rows = groups * vl;
    const size_t row = 2 * vl + groups % 3, apart = planes ? vl * rows : vl;
    const size_t all = 2 * vl * (rows + vl) + 16, size = 2 * vl * rows + 8;
    if (hand->column_to_tiles == NULL)
        return;
    const wf_tiles tiles = {.row = (ptrdiff_t)(planes ? rows : 2 * vl),
                            .next = (ptrdiff_t)(planes ? vl
                                                       : 2 * vl * (vl + 1)),
                            .sign = sign,
                            .past = !planes && sign < 0};
    T *block = F(noise)(row * rows + 2 * vl), *tw = F(noise)(2 * vl * rows);
    T *start = F(noise)(2 * rows + 2);
    const size_t room = all + groups * 2 * vl;
    T *out = F(noise)(room), *want = F(twin)(out, room);
    T *back = F(noise)(size), *also = F(twin)(back, size);
    /* to whole lines, which past the caches asks for */
    T *to = out + (64 - (uintptr_t)out % 64) % 64 / sizeof(T);
    const size_t at = (size_t)(to - out);
    for (size_t k = 0; k < rows; k++)
        for (size_t l = 0; l < vl; l++) {
            const T *w = tw + 2 * k * vl;
            T factor[2], z[2];
            F(times)(factor, (T[2]){w[l], w[vl + l]}, start + 2 * k);
            factor[1] *= (T)sign;
            F(times)
            (z, (T[2]){block[k * row + l], block[k * row + vl + l]}, factor);
            const size_t place = at + F(in_tiles)(&tiles, vl, k, l);
            want[place] = z[0];
            want[place + apart] = z[1];
        }
    hand->column_to_tiles(block, block + vl, (ptrdiff_t)row, tw, start, rows,
                          &tiles, to, to + apart);
    F(compare)("column_to_tiles", rows, vl, out, want, room, 8 * EPSILON);
    for (size_t k = 0; k < rows; k++)
        for (size_t l = 0; l < vl; l++) {
            const T *w = tw + 2 * k * vl;
            const size_t place = at + F(in_tiles)(&tiles, vl, k, l);
            T factor[2], z[2];
            F(times)(factor, (T[2]){w[l], w[vl + l]}, start + 2 * k);
            factor[1] *= (T)sign;
            F(times)(z, (T[2]){out[place], out[place + apart]}, factor);
            also[4 + 2 * vl * k + l] = z[0];
            also[4 + 2 * vl * k + vl + l] = z[1];
        }
    hand->column_from_tiles(back + 4, tw, start, rows, &tiles, to, to + apart);
    F(compare)("column_from_tiles", rows, vl, back, also, size, 8 * EPSILON);
    T *const buffers[] = {block, tw, start, out, want, back, also};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        F(drop)(buffers[i]);
}

/* Where lane l of user row k has its re and its im. */
static void F(in_rows)(size_t k, size_t l, size_t row, size_t im, bool planes,
                       size_t at[2])
{
    at[0] = 4 + k * row + (planes ? l : 2 * l);
    at[1] = planes ? at[0] + im : at[0] + 1;
}

/* Rows of a block from user memory and back, by an index or times factors. */
static void F(test_column_rows)(const F(wf_hand) * hand, size_t rows,
                                bool planes, bool indexed)
{
    const size_t vl = (size_t)hand->lanes, row = 2 * vl + 3;
    const size_t im = row * rows + 4, all = 2 * im + 2 * vl + 8;
    const size_t size = 2 * vl * rows + 8;
    T *user = F(noise)(all), *factor = F(noise)(2 * rows + 2);
    T *block = F(noise)(size), *want = F(twin)(block, size);
    T *back = F(noise)(all), *there = F(twin)(back, all);
    uint32_t index[100];
    for (size_t k = 0; k < rows; k++)
        index[k] = (uint32_t)(rows - 1 - k);
    for (size_t k = 0; k < rows; k++)
        for (size_t l = 0; l < vl; l++) {
            size_t at[2];
            F(in_rows)(indexed ? index[k] : k, l, row, im, planes, at);
            T x[2] = {user[at[0]], user[at[1]]};
            if (!indexed)
                F(times)(x, (T[2]){x[0], x[1]}, factor + 2 * k);
            want[4 + 2 * vl * k + l] = x[0];
            want[4 + 2 * vl * k + vl + l] = x[1];
            if (!indexed) /* turned */
                F(times)(x, (T[2]){x[1], x[0]}, factor + 2 * k);
            there[at[0]] = x[0];
            there[at[1]] = x[1];
        }
    hand->column_gather(block + 4, user + 4, user + 4 + (planes ? im : 0),
                        (ptrdiff_t)row, indexed ? index : NULL,
                        indexed ? NULL : factor, rows);
    F(compare)("column_gather", rows, vl, block, want, size, 8 * EPSILON);
    hand->column_scatter(want + 4, back + 4, back + 4 + (planes ? im : 0),
                         (ptrdiff_t)row, indexed ? index : NULL,
                         indexed ? NULL : factor, rows);
    F(compare)("column_scatter", rows, vl, back, there, all, 8 * EPSILON);
    F(drop)(user);
    F(drop)(factor);
    F(drop)(block);
    F(drop)(want);
    F(drop)(back);
    F(drop)(there);
}

static void F(test_column_products)(const F(wf_hand) * hand, size_t rows,
                                    bool turned)
{
    const size_t vl = (size_t)hand->lanes, size = 2 * vl * (rows + 2) + 8;
    T *in = F(noise)(size), *factor = F(noise)(2 * rows + 2);
    T *out = F(noise)(size), *want = F(twin)(out, size);
    for (size_t k = 0; k < rows; k++)
        for (size_t l = 0; l < vl; l++) {
            const T *x = in + 2 * vl * k + l;
            T y[2];
            F(times)
            (y, turned ? (T[2]){x[vl], x[0]} : (T[2]){x[0], x[vl]},
             factor + 2 * k);
            want[4 + 2 * vl * k + l] = y[0];
            want[4 + 2 * vl * k + vl + l] = y[1];
        }
    hand->column_multiply(out + 4, in, factor, rows, turned);
    F(compare)("column_multiply", rows, vl, out, want, size, 8 * EPSILON);
    memcpy(want, out, size * sizeof(T));
    for (size_t i = 4; i < 4 + 2 * vl; i++) {
        want[i + 2 * vl] += out[i];
        want[i] += in[i - 4];
    }
    hand->column_share(out + 4, in);
    F(compare)("column_share", rows, vl, out, want, size, 0);
    F(drop)(in);
    F(drop)(factor);
    F(drop)(out);
    F(drop)(want);
}

/* ---- reals -------------------------------------------------------------- */

/* k = first .. last and m - k of real_unpack and real_pack, by their comment. */
static void F(real_inner)(T *out, const T *in, const T *w, T half,
                          size_t first, size_t last, size_t m)
{
    for (size_t k = first; k <= last; k++) {
        const T *x = in + 2 * k, *y = in + 2 * (m - k);
        double a[2] = {(double)x[0] + (double)y[0],
                       (double)x[1] - (double)y[1]};
        double b[2] = {(double)x[0] - (double)y[0],
                       (double)x[1] + (double)y[1]};
        double c = (double)w[2 * k], d = (double)w[2 * k + 1];
        double wb[2] = {c * b[0] - d * b[1], c * b[1] + d * b[0]};
        double h = (double)half;
        out[2 * (m - k)] = (T)(h * a[0] - wb[0]);
        out[2 * (m - k) + 1] = (T)(wb[1] - h * a[1]);
        if (2 * k == m) /* k = m - k: the factor is real there */
            continue;
        out[2 * k] = (T)(h * a[0] + wb[0]);
        out[2 * k + 1] = (T)(h * a[1] + wb[1]);
    }
}

static void F(test_halves)(const F(wf_hand) * hand, size_t m, bool in_place)
{
    size_t all = 2 * m + 42;
    T *in = F(noise)(all), *w = F(noise)(m + 3);
    T *out = in_place ? F(twin)(in, all) : F(noise)(all);
    T *want = F(twin)(out, all), *packed = F(twin)(out, all);
    T *want_packed = F(twin)(out, all);
    const T *x = in + 20;
    if (m % 2 == 0) { /* as it is in a transform: the middle is its own pair */
        w[m] = (T)-0.5;
        w[m + 1] = 0;
    }
    F(real_inner)(want + 20, x, w, (T)0.5, 1, m / 2 * (m > 1), m);
    want[20] = (T)(((double)x[0] + (double)x[1]) * 0.25);
    want[20 + 2 * m] = (T)(((double)x[0] - (double)x[1]) * 0.25);
    want[21] = want[21 + 2 * m] = 0;
    hand->real_unpack(out + 20, in_place ? out + 20 : x, w, (T)0.5, (T)0.25,
                      m);
    F(compare)("real_unpack", m, in_place, out, want, all, 8 * EPSILON);
    F(real_inner)(want_packed + 20, x, w, (T)0.5, 1, m / 2 * (m > 1), m);
    want_packed[20] = (T)(((double)x[0] + (double)x[2 * m]) * 0.25);
    want_packed[21] = (T)(((double)x[0] - (double)x[2 * m]) * 0.25);
    hand->real_pack(packed + 20, in_place ? packed + 20 : x, w, (T)0.5,
                    (T)0.25, m);
    F(compare)
    ("real_pack", m, in_place, packed, want_packed, all, 8 * EPSILON);
    F(drop)(in);
    F(drop)(w);
    F(drop)(out);
    F(drop)(want);
    F(drop)(packed);
    F(drop)(want_packed);
}

/* Pairs in rows of `each`, and the ends: the bits of all in one call. */
static void F(test_some)(const F(wf_hand) * hand, size_t m, size_t each,
                         bool in_place)
{
    const size_t all = 2 * m + 42;
    T *in = F(noise)(all), *w = F(noise)(m + 3);
    T *out = in_place ? F(twin)(in, all) : F(noise)(all);
    T *want = F(twin)(out, all);
    const T *from = (in_place ? out : in) + 20;
    if (m % 2 == 0) {
        w[m] = (T)-0.5;
        w[m + 1] = 0;
    }
    hand->real_unpack(want + 20, (in_place ? want : in) + 20, w, (T)0.5,
                      (T)0.25, m);
    for (size_t k = 1, count; k <= m / 2; k += count) {
        count = m / 2 - k + 1 < each ? m / 2 - k + 1 : each;
        hand->real_some(out + 20, from, w, (T)0.5, k, count, m);
    }
    hand->real_unpack_ends(out + 20, from, (T)0.25, m);
    F(compare)("real_some", m, each, out, want, all, 0);
    F(drop)(in);
    F(drop)(w);
    F(drop)(out);
    F(drop)(want);
}

/* The same in rows of `each`, all below m/2, and the ends. */
static void F(test_rows)(const F(wf_hand) * hand, size_t m, size_t each,
                         bool in_place)
{
    size_t all = 2 * m + 42, below = (m - 1) / 2;
    T *in = F(noise)(all), *w = F(noise)(m + 3), row[2];
    T *re = F(noise)(2 * each), *im = F(noise)(2 * each);
    T *out = in_place ? F(twin)(in, all) : F(noise)(all);
    T *want = F(twin)(out, all), *packed = F(twin)(out, all);
    const T *x = in + 20, *from = in_place ? out + 20 : x;
    for (size_t k = 0; k < each; k++) {
        re[2 * k + 1] = re[2 * k];
        im[2 * k + 1] = im[2 * k];
    }
    for (size_t k = 1, count; k <= below; k += count) {
        count = below - k + 1 < each ? below - k + 1 : each;
        row[0] = w[2 * k];
        row[1] = w[2 * k + 1];
        for (size_t c = 0; c < count; c++) {
            T column[2] = {re[2 * c], im[2 * c]};
            F(times)(w + 2 * (k + c), row, column);
        }
        hand->real_row(out + 20, from, row, re, im, (T)0.5, k, count, m);
    }
    F(real_inner)(want + 20, x, w, (T)0.5, 1, below, m);
    want[20] = (T)(((double)x[0] + (double)x[1]) * 0.25);
    want[20 + 2 * m] = (T)(((double)x[0] - (double)x[1]) * 0.25);
    want[21] = want[21 + 2 * m] = 0;
    hand->real_unpack_ends(out + 20, from, (T)0.25, m);
    F(compare)("real_row", m, each, out, want, all, 8 * EPSILON);
    memcpy(want, packed, all * sizeof(T));
    want[20] = (T)(((double)x[0] + (double)x[2 * m]) * 0.25);
    want[21] = (T)(((double)x[0] - (double)x[2 * m]) * 0.25);
    hand->real_pack_ends(packed + 20, in_place ? packed + 20 : x, (T)0.25, m);
    F(compare)("real_pack_ends", m, each, packed, want, all, 8 * EPSILON);
    F(drop)(in);
    F(drop)(w);
    F(drop)(re);
    F(drop)(im);
    F(drop)(out);
    F(drop)(want);
    F(drop)(packed);
}

static void F(test_widths)(const F(wf_hand) * hand, size_t n)
{
    size_t all = 2 * n + 44;
    T *in = F(noise)(all), *out = F(noise)(all), *want = F(twin)(out, all);
    for (size_t k = 0; k < n; k++) {
        want[20 + 2 * k] = in[k];
        want[21 + 2 * k] = 0;
    }
    hand->real_widen(out + 20, in, n);
    F(compare)("real_widen", n, 1, out, want, all, 0);
    for (size_t k = 0; k <= n / 2; k++) {
        want[20 + 2 * k] = in[2 * k] * (T)0.5;
        want[21 + 2 * k] = k == 0 || 2 * k == n ? 0 : in[2 * k + 1] * (T)0.5;
    }
    hand->real_halve(out + 20, in, (T)0.5, n);
    F(compare)("real_halve", n, 1, out, want, all, 0);
    for (size_t k = 0; k < n; k++) {
        size_t from = 2 * k <= n ? k : n - k;
        bool real = from == 0 || 2 * from == n;
        want[20 + 2 * k] = in[2 * from];
        want[21 + 2 * k] = real       ? 0
                           : from < k ? -in[2 * from + 1]
                                      : in[2 * from + 1];
    }
    hand->real_mirror(out + 20, in, n);
    F(compare)("real_mirror", n, 1, out, want, all, 0);
    for (size_t k = 0; k < n; k++)
        want[20 + k] = in[2 * k] * (T)0.5;
    hand->real_narrow(out + 20, in, (T)0.5, n);
    F(compare)("real_narrow", n, 1, out, want, all, 0);
    F(drop)(in);
    F(drop)(out);
    F(drop)(want);
}

static void F(test_tiny)(const F(wf_hand) * hand)
{
    const T in[4] = {3, 5, 7, 11}, untouched = 99;
    const T forward[2][5] = {{6, 0, 99, 99}, {16, 0, -4, 0}};
    const T inverse[2][5] = {{6, 99, 99, 99}, {20, -8, 99, 99}};
    for (size_t n = 1; n <= 2; n++) {
        /* One more than is compared: compare looks at it. */
        T out[5] = {untouched, untouched, untouched, untouched};
        hand->real_tiny(out, in, 2, n);
        F(compare)("real_tiny", n, 1, out, forward[n - 1], 4, 0);
        out[0] = out[1] = out[2] = out[3] = untouched;
        hand->real_tiny_back(out, in, 2, n);
        F(compare)("real_tiny_back", n, 1, out, inverse[n - 1], 4, 0);
    }
}

static void F(test_move_reals)(const F(wf_hand) * hand, size_t n, size_t count,
                               const int stride[4])
{
    enum { ALL = 4000, ORIGIN = 2000 };
    T *in = F(noise)(ALL), *out = F(noise)(ALL), *want = F(twin)(out, ALL);
    for (size_t t = 0; t < count; t++)
        for (size_t k = 0; k < n; k++)
            want[ORIGIN + (int)t * stride[1] + (int)k * stride[0]] =
                in[ORIGIN + (int)t * stride[3] + (int)k * stride[2]];
    hand->move_reals(out + ORIGIN, stride[0], stride[1], in + ORIGIN,
                     stride[2], stride[3], n, count);
    F(compare)("move_reals", n, count, out, want, ALL, 0);
    F(drop)(in);
    F(drop)(out);
    F(drop)(want);
}

static void F(test_reals)(const F(wf_hand) * hand)
{
    static const int strides[][4] = {{1, 50, 1, 60},  {1, 50, 7, 1},
                                     {9, 1, 1, 45},   {-1, 60, 3, -150},
                                     {12, 1, 13, -1}, {2, 101, -9, 1},
                                     {2, 101, 1, 60}, {1, 60, 2, 101}};
    for (size_t m = 1; m < 70; m++) {
        F(test_halves)(hand, m, false);
        F(test_halves)(hand, m, true);
        for (size_t each = 1; each < 40; each += 6) {
            F(test_some)(hand, m, each, false);
            F(test_some)(hand, m, each, true);
            F(test_rows)(hand, m, each, false);
            F(test_rows)(hand, m, each, true);
        }
        F(test_widths)(hand, m);
    }
    F(test_tiny)(hand);
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
        for (size_t n = 0; n <= 40; n += 5)
            for (size_t count = 0; count < 9; count++)
                F(test_move_reals)(hand, n, count, strides[i]);
}

static void F(test_channels)(const F(wf_hand) * hand)
{
    for (int count = 2; count < 10; count++)
        for (size_t n = 1; n < 100; n += 1 + n / 5) {
            const ptrdiff_t m = count, ld = (ptrdiff_t)n + 3;
            const int apart[] = {1, 110, count, 1},
                      back[] = {count, 1, 1, 110};
            F(test_moves)(hand, n, (size_t)count, 2 * m, 2, 1, ld);
            F(test_move_reals)(hand, n, (size_t)count, apart);
            F(test_move_reals)(hand, n, (size_t)count, back);
        }
}

/* ---- passes of the real kinds -------------------------------------------- */

/* The factors of half_out and half_in: what a pair gives does not depend on
 * which of the two is k only if they are what they should be. */
static void F(fill_half)(T *table, size_t n, wf_r2r_form form, bool back)
{
    const double turn = (back ? 1 : -1) * 8 * atan(1) / (4 * (double)n);
    int step = form >= WF_R2R_COSINE ? 5 : 4;
    for (size_t k = 0; k < 100; k++) {
        double b = turn * (double)(n + (size_t)step * k), a = turn * (double)k;
        table[k] = (T)(0.5 * cos(b));
        table[100 + k] = (T)(0.5 * sin(b));
        table[200 + k] = (T)(0.5 * cos(a));
        table[300 + k] = (T)(0.5 * sin(a));
    }
}

/* Each against the scalar one, whose values kinds_test holds to definitions,
 * on the same data: between vectors and their tails nothing else differs. */
static void F(test_r2r_pass)(const F(wf_hand) * hand, size_t n, int which)
{
    const F(wf_hand) *plain = HAND_FOR(WF_ISA_SCALAR);
    T *table = F(noise)(R2R_ROOM);
    const T *x = F(noise)(R2R_ROOM);
    T *out[2] = {F(noise)(R2R_ROOM), NULL};
    T *more[2] = {F(noise)(R2R_ROOM), NULL};
    uint32_t index[100];
    static const char *const names[] = {
        "half_out",   "half_in",      "odd_out",       "odd_in",
        "quarter_in", "quarter_out",  "unzip",         "zip",
        "weave",      "fold",         "unfold",        "part_of",
        "pick",       "hartley_pick", "hartley_place", "part"};
    for (size_t k = 0; k < 100; k++)
        index[k] = (uint32_t)noise_below(&noise, 200);
    out[1] = F(twin)(out[0], R2R_ROOM);
    more[1] = F(twin)(more[0], R2R_ROOM);
    const bool quarter = which == 4 || which == 5;
    const size_t halves = (n / 2 + 1) / 2; /* of type IV; some of them, too */
    for (int i = 0; i < (which < 2 || quarter ? 8 : 4); i++) {
        const int form = i % 4; /* half_out and half_in from k = 1 and 0 */
        const size_t begin = quarter ? (i < 4 ? 0 : halves / 16 / 2 * 16)
                                     : i < 4;
        const wf_r2r_pass pass = {.form = (wf_r2r_form)form,
                                  .n = n,
                                  .table = table,
                                  .ld = 100,
                                  .scale = 0.5,
                                  .first = 1.25,
                                  .middle = 0.75,
                                  .begin = begin,
                                  .end = quarter ? halves : n / 4 + 1};
        bool negate = form % 2;
        if (which < 2)
            F(fill_half)(table, n, (wf_r2r_form)form, which == 1);
        for (int j = 0; j < 2; j++) {
            const F(wf_hand) *h = j ? plain : hand;
            T *y = out[j] + R2R_AT, *z = more[j] + R2R_AT;
            switch (which) {
            case 0: h->half_out(y, x, &pass); break;
            case 1: h->half_in(y, x, &pass); break;
            case 2: h->odd_out(y, x, &pass); break;
            case 3: h->odd_in(y, x, &pass); break;
            case 4: h->quarter_in(y, x, &pass); break;
            case 5: h->quarter_out(y, x, &pass); break;
            case 6: h->unzip(y, y + n - 1, x, negate, n); break;
            case 7: h->zip(y, x, x + n - 1, negate, n); break;
            case 8: h->weave(y, x, table, n); break;
            case 9: h->fold(y, z, x, n); break;
            case 10: h->unfold(y, y + 300, x, 0.5 * form - 1, n); break;
            case 11: h->part_of(y, x, negate, 0.25, n); break;
            case 12: h->pick(y, x, index, n); break;
            case 13: h->hartley_pick(y, x, index, n); break;
            case 14: h->hartley_place(y, x, index, n); break;
            default: h->part(y, z, x, n); break;
            }
        }
        F(compare)
        (names[which], n, (size_t)form, out[0], out[1], R2R_ROOM,
         16 * EPSILON);
        F(compare)
        (names[which], n, (size_t)form, more[0], more[1], R2R_ROOM,
         16 * EPSILON);
    }
    F(drop)(table);
    F(drop)((T *)(uintptr_t)x);
    for (int i = 0; i < 2; i++) {
        F(drop)(out[i]);
        F(drop)(more[i]);
    }
}

/* A table of factors for each k, as products of those of row and column: k = first
 * + row `length` + column. */
static void F(fill_products)(T *table, size_t ld, size_t first, size_t length,
                             const T *row, size_t rows, const T *column,
                             size_t columns)
{
    for (size_t k = first; k < ld; k++)
        for (size_t i = 0; i < 2; i++) {
            const size_t j = (k - first) / length, c = (k - first) % length;
            const T *u = column + 2 * i * columns + c;
            const T *v = row + 2 * i * rows + j;
            T factor[2];
            F(times)
            (factor, (T[2]){u[0], u[columns]}, (T[2]){v[0], v[rows]});
            table[2 * i * ld + k] = factor[0];
            table[(2 * i + 1) * ld + k] = factor[1];
        }
}

/* Of pairs and factors one by one, as the scalar kernels take it. */
static wf_r2r_pass F(half_pass)(bool sine, size_t n, const T *table)
{
    return (wf_r2r_pass){.form = sine ? WF_R2R_SINE : WF_R2R_COSINE,
                         .n = n,
                         .table = table,
                         .ld = n / 4 + 1,
                         .scale = 1,
                         .first = 1.25,
                         .middle = 0.75,
                         .begin = 1,
                         .end = n / 4 + 1};
}

/* half_out of planes, in place, and factors by rows, against pairs and factors one
 * by one of the scalar kernels. */
static void F(test_planes)(const F(wf_hand) * hand, size_t n, bool sine)
{
    enum { LD = WF_R2R_ROW + 16 };
    const F(wf_hand) *plain = HAND_FOR(WF_ISA_SCALAR);
    const size_t h = n / 2, most = h / 2, rows = most / WF_R2R_ROW + 1;
    T *row = F(noise)(4 * rows), *column = F(noise)(4 * LD);
    T *table = F(noise)(4 * (most + 1)), *x = F(noise)(n);
    T *got = F(twin)(x, n), *want = F(twin)(x, n);
    const wf_r2r_pass one = F(half_pass)(sine, n, table);
    wf_r2r_pass other = one;
    other.table = column;
    other.ld = LD;
    other.rows = row;
    other.row_ld = rows;
    F(fill_products)(table, most + 1, 1, WF_R2R_ROW, row, rows, column, LD);
    for (size_t k = 0; k < h; k++)
        for (size_t part = 0; part < 2; part++)
            got[part * h + k] = x[2 * k + part];
    plain->half_out(want, x, &one);
    hand->half_out(got, got, &other);
    F(compare)("half_out, planes", n, sine, got, want, n, 32 * EPSILON);
    F(drop)(row);
    F(drop)(column);
    F(drop)(table);
    F(drop)(x);
    F(drop)(got);
    F(drop)(want);
}

/* Some legs of both tiles, with what the scalar half_in makes there; number h is no
 * result, and from h/2 on the scalars have the factors of h - k, which only true ones
 * agree with. */
static void F(compare_legs)(const wf_r2r_legs *l, const T *front,
                            const T *back, const T *want, size_t h, bool sine)
{
    for (size_t i = 0; i < l->legs; i++)
        for (size_t c = 0; c < l->count; c++) {
            const size_t k = (l->first + i * l->step) * l->row + l->column + c;
            const size_t other = l->legs - 1 - i, from = l->count - 1 - c;
            for (size_t part = 0; part < 2 && k < h / 2; part++) {
                const T *x = &front[i * l->near + part * l->count + c];
                const T *y = &back[other * l->near + part * l->count + from];
                F(compare)
                ("half_in_legs", k, sine, x, &want[2 * k + part], 1,
                 64 * EPSILON);
                if (k > 0)
                    F(compare)
                ("half_in_legs, mirrored", k, sine, y,
                 &want[2 * (h - k) + part], 1, 64 * EPSILON);
            }
        }
}

static void F(test_legs)(const F(wf_hand) * hand, size_t rows, size_t legs,
                         bool sine)
{
    const F(wf_hand) *plain = HAND_FOR(WF_ISA_SCALAR);
    const size_t vl = (size_t)hand->lanes, row = 8 * vl, h = rows * row;
    const size_t n = 2 * h, most = h / 2, near = 6 * vl;
    T *by_row = F(noise)(4 * rows), *column = F(noise)(4 * row);
    T *table = F(noise)(4 * (most + 1)), *x = F(noise)(n);
    T *want = F(noise)(n), *front = F(noise)(legs * near);
    T *back = F(noise)(legs * near);
    wf_r2r_pass pass = F(half_pass)(sine, n, table);
    F(fill_products)(table, most + 1, 0, row, by_row, rows, column, row);
    plain->half_in(want, x, &pass);
    pass.table = column;
    pass.ld = row;
    pass.rows = by_row;
    pass.row_ld = rows;
    for (size_t first = 0; first < rows / legs; first++)
        for (size_t at = 0; at <= 4; at += 2) {
            const wf_r2r_legs l = {.row = row,
                                   .first = first,
                                   .step = rows / legs,
                                   .legs = legs,
                                   .column = at * vl,
                                   .count = at == 4 ? vl : 2 * vl,
                                   .near = near};
            hand->half_in_legs(front, back, x, &pass, &l);
            F(compare_legs)(&l, front, back, want, h, sine);
        }
    F(drop)(by_row);
    F(drop)(column);
    F(drop)(table);
    F(drop)(x);
    F(drop)(want);
    F(drop)(front);
    F(drop)(back);
}

static void F(test_r2r)(const F(wf_hand) * hand)
{
    const size_t most = hand->lanes * sizeof(T) == 64 ? 90 : 0;
    for (size_t i = 1; i < most; i += i < 6 ? 1 : 11)
        for (int sine = 0; sine < 2; sine++)
            F(test_planes)(hand, 64 * i, sine);
    for (int way = 0; hand->half_in_legs != NULL && way < 4; way++)
        F(test_legs)(hand, 12, way / 2 ? 4 : 3, way % 2);
    for (int which = 0; which < 16; which++)
        for (size_t n = 0; n < 100; n++) {
            bool even = which < 2 || which == 4 || which == 5;
            bool odd = which == 2 || which == 3 || which == 9;
            if (n % 2 ? even : odd || (even && n == 0))
                continue;
            F(test_r2r_pass)(hand, n, which);
        }
}

/* ---- a few reals times a matrix ------------------------------------------ */

/* The sums of one column: over all rows, or even and odd ones apart. */
static void F(dense_column)(const wf_dense *d, int form, const T *x,
                            const T *matrix, size_t k, double *sum)
{
    sum[0] = d->head ? (double)x[0] * (double)matrix[k] : 0;
    sum[1] = 0;
    for (size_t j = 0; j < d->rows; j++) {
        const double w = (double)matrix[(d->head + j) * DENSE_MOST + k];
        double leg = (double)x[d->first + j];
        if (form == 1)
            leg += (k % 2 ? -1 : 1) * (double)x[d->last - j];
        sum[form == 2 ? j % 2 : 0] += leg * w;
    }
}

/* In place; `columns` may be fewer than v vectors have. */
static void F(test_dense)(const F(wf_hand) * hand, int form, size_t v,
                          size_t columns, size_t rows, bool head)
{
    const size_t lanes = hand->lanes > 1 ? (size_t)hand->lanes
                                         : 16 / sizeof(T);
    const bool turned = form == 2 && head;
    const size_t inputs = form == 1 ? 2 * rows : rows, first = head ? 2 : 0;
    T *matrix = F(noise)((rows + 1) * DENSE_MOST), *x = F(noise)(R2R_ROOM);
    T *table = F(noise)((rows + 1) * v * lanes);
    T *want = F(twin)(x, R2R_ROOM);
    T *y = want + R2R_AT;
    const wf_dense d = {
        .table = table,
        .rows = rows,
        .first = first,
        .last = form == 2 ? 2 * columns - 1 : first + inputs - (inputs > 0),
        .end = columns < lanes ? 0 : columns - lanes,
        .columns = columns,
        .head = head,
        .turned = turned,
    };
    size_t at = 0;
    for (size_t j = 0; j < rows + head; j++)
        for (size_t i = 0; i < v; i++)
            for (size_t l = 0; l < lanes; l++) {
                const size_t k = (i < v - 1 ? i * lanes : d.end) + l;
                table[at++] = matrix[j * DENSE_MOST + k % DENSE_MOST];
            }
    for (size_t k = 0; k < columns; k++) {
        double sum[2];
        F(dense_column)(&d, form, x + R2R_AT, matrix, k, sum);
        y[k] = (T)(sum[0] + sum[1]);
        if (form == 2 && !(turned && k == 0))
            y[d.last - k] = (T)(sum[0] - sum[1]);
    }
    hand->dense[form][v - 1](&d, x + R2R_AT, x + R2R_AT);
    F(compare)("dense", rows, columns, x, want, R2R_ROOM, 50 * EPSILON);
    F(drop)(matrix);
    F(drop)(table);
    F(drop)(x);
    F(drop)(want);
}

static void F(test_all_dense)(const F(wf_hand) * hand)
{
    const size_t lanes = hand->lanes > 1 ? (size_t)hand->lanes
                                         : 16 / sizeof(T);
    for (int form = 0; form < 3; form++)
        for (size_t columns = form == 0   ? 1
                              : form == 1 ? 2
                                          : lanes;
             columns <= 4 * lanes; columns += form == 1 ? 2 : 1)
            for (size_t rows = 0; rows < 12; rows++)
                for (int head = 0; head < 2; head++)
                    F(test_dense)
    (hand, form, (columns + lanes - 1) / lanes, columns, rows, head);
}

/* Number j of column c of rows that begin `row` apart. */
static size_t F(column_at)(bool pairs, size_t row, size_t j, size_t c)
{
    return pairs ? j / 2 * row + 2 * c + j % 2 : j * row + c;
}

static void F(test_dense_columns)(const F(wf_hand) * hand, size_t in,
                                  size_t out, bool pairs_in, bool pairs_out,
                                  bool hollow, size_t columns)
{
    enum { ROWS = 24, ROW = 3 * 64, ALL = ROWS * ROW };
    T *matrix = F(noise)(out * in),
      *table = F(noise)((out + WF_DENSE_SUMS) * in);
    T *x = F(noise)(ALL), *y = F(noise)(ALL), *want = F(twin)(y, ALL);
    const wf_dense_columns d = {.table = table,
                                .in = in,
                                .out = out,
                                .is = ROW,
                                .os = ROW,
                                .pairs_in = pairs_in,
                                .pairs_out = pairs_out,
                                .hollow = hollow};
    size_t at = 0;
    for (size_t first = 0, sums; first < out; first += sums) {
        sums = wf_dense_sums(out - first);
        for (size_t j = 0; j < in; j++)
            for (size_t k = first; k < first + sums; k++)
                table[at++] = k < out ? matrix[k * in + j] : 0;
    }
    for (size_t c = 0; c < columns; c++)
        for (size_t k = 0; k < out; k++) {
            double sum = 0;
            for (size_t j = 0; j < in; j++)
                if (!pairs_in || (j != 1 && (!hollow || j < in - 1)))
                    sum += (double)matrix[k * in + j] *
                           (double)x[F(column_at)(pairs_in, ROW, j, c)];
            want[F(column_at)(pairs_out, ROW, k, c)] = (T)sum;
        }
    hand->dense_columns(y, x, &d, columns);
    F(compare)("dense_columns", in, columns, y, want, ALL, 50 * EPSILON);
    F(drop)(matrix);
    F(drop)(table);
    F(drop)(x);
    F(drop)(y);
    F(drop)(want);
}

/* As many vectors in a register as it holds; in place both sides take as much. */
static void F(test_dense_rows)(const F(wf_hand) * hand, size_t in, size_t out,
                               size_t count, bool in_place)
{
    const size_t lanes = (size_t)hand->lanes, words = sizeof(T) / 4,
                 most = in > out ? in : out, together = lanes / most;
    const wf_dense_rows apart = {.numbers = in,
                                 .in = in_place ? most : in,
                                 .out = in_place ? most : out,
                                 .together = together};
    const size_t all = count * apart.out + 1;
    T *matrix = F(noise)(out * in), *x = F(noise)(count * apart.in + 1);
    T *y = in_place ? x : F(noise)(all);
    T *want = F(twin)(y, all);
    T *table = F(noise)(2 * lanes * in);
    wf_dense_rows d = apart;
    d.table = table;
    for (size_t j = 0; j < in; j++)
        for (size_t l = 0; l < lanes; l++) {
            const size_t which = l / d.out, k = l % d.out;
            const bool used = which < together && k < out;
            uint32_t *index = (void *)(table + 2 * j * lanes);
            for (size_t w = 0; w < words; w++)
                index[l * words + w] =
                    (uint32_t)((used ? which * d.in + j : 0) * words + w);
            table[(2 * j + 1) * lanes + l] = used ? matrix[k * in + j] : 0;
        }
    for (size_t c = 0; c < count; c++)
        for (size_t k = 0; k < d.out; k++) {
            double sum = 0;
            for (size_t j = 0; j < in && k < out; j++)
                sum += (double)matrix[k * in + j] * (double)x[c * d.in + j];
            want[c * d.out + k] = (T)sum;
        }
    hand->dense_rows(y, x, &d, count);
    F(compare)("dense_rows", in, count, y, want, all, 50 * EPSILON);
    if (y != x)
        F(drop)(y);
    F(drop)(x);
    F(drop)(matrix);
    F(drop)(table);
    F(drop)(want);
}

static void F(test_all_dense_rows)(const F(wf_hand) * hand)
{
    const size_t lanes = (size_t)hand->lanes;
    for (size_t in = 2; hand->dense_rows != NULL && in <= lanes; in++)
        for (size_t out = 2; out <= lanes; out++)
            for (size_t count = 1; count < 44; count += count < 20 ? 3 : 11) {
                F(test_dense_rows)(hand, in, out, count, false);
                F(test_dense_rows)(hand, in, out, count, true);
            }
}

/* Two registers of results, each of two vectors of the row. */
static void F(test_window_rows)(const F(wf_hand) * hand, size_t count)
{
    enum { VECTORS = 2, IN = 41, OUT = 50 };
    const size_t lanes = (size_t)hand->lanes, words = sizeof(T) / 4;
    const int32_t places[3 * VECTORS] = {3, 11, 20, 0, 1, 0};
    T *table = F(noise)(4 * lanes * VECTORS);
    T *x = F(noise)(count * IN), *y = F(noise)(count * OUT),
      *want = F(twin)(y, count * OUT);
    const wf_windows d = {table, places, VECTORS};
    for (size_t v = 0; v < VECTORS; v++)
        for (size_t lane = 0; lane < lanes; lane++) {
            double factor[2];
            size_t from[2];
            for (size_t which = 0; which < 2; which++) {
                uint32_t *index = (void *)(table +
                                           (4 * v + 2 * which) * lanes);
                factor[which] =
                    (double)table[(4 * v + 2 * which + 1) * lanes + lane];
                from[which] = (5 * lane + 3 * v + which) % lanes;
                for (size_t w = 0; w < words; w++)
                    index[lane * words + w] = (uint32_t)(from[which] * words +
                                                         w);
                from[which] += (size_t)places[3 * v + which];
            }
            for (size_t row = 0; row < count; row++)
                want[row * OUT + (size_t)places[3 * v + 2] + lane] =
                    (T)(factor[0] * (double)x[row * IN + from[0]] +
                        factor[1] * (double)x[row * IN + from[1]]);
        }
    hand->window_rows(y, x, &d, count, IN, OUT);
    F(compare)("window_rows", IN, count, y, want, count * OUT, 4 * EPSILON);
    F(drop)(table);
    F(drop)(x);
    F(drop)(y);
    F(drop)(want);
}

static void F(test_all_dense_columns)(const F(wf_hand) * hand)
{
    static const size_t columns[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 40};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        for (size_t n = 2; n < 20; n++) {
            const size_t half = n / 2 * 2 + 2, c = columns[i];
            const bool even = n % 2 == 0;
            F(test_dense_columns)(hand, n, n, false, false, false, c);
            F(test_dense_columns)(hand, n, half, false, true, false, c);
            F(test_dense_columns)(hand, half, n, true, false, even, c);
        }
}

/* ---- real transforms side by side ---------------------------------------- */

static size_t F(row_of)(const wf_lanes *l, size_t j)
{
    return !l->unzipped ? j : j % 2 ? l->n - 1 - j / 2 : j / 2;
}

/* Element j of transform t is lane t of its row, and back. */
static void F(test_lane_moves)(const F(wf_hand) * hand, const wf_lanes *l)
{
    enum { ALL = 4000, ORIGIN = 1600 };
    const size_t lanes = (size_t)hand->lanes, tile = l->n * lanes;
    T *user = F(noise)(ALL), *back = F(twin)(user, ALL);
    T *got = F(noise)(tile), *want = F(twin)(got, tile);
    for (size_t j = 0; j < l->n; j++)
        for (size_t t = 0; t < lanes; t++) {
            const ptrdiff_t at = ORIGIN + (ptrdiff_t)j * l->leg +
                                 (ptrdiff_t)t * l->next;
            const T sign = l->negate && j % 2 ? -1 : 1;
            T *lane = &want[F(row_of)(l, j) * lanes + t];
            *lane = t < l->count ? sign * user[at] : 0;
        }
    hand->lanes_in(got, user + ORIGIN, l);
    F(compare)("lanes_in", l->n, l->count, got, want, tile, 0);
    for (size_t j = 0; j < l->n; j++) /* other numbers for the way back */
        for (size_t t = 0; t < lanes; t++)
            want[F(row_of)(l, j) * lanes + t] *= 2;
    for (size_t j = 0; j < l->n; j++)
        for (size_t t = 0; t < l->count; t++)
            back[ORIGIN + (ptrdiff_t)j * l->leg + (ptrdiff_t)t * l->next] *= 2;
    hand->lanes_out(user + ORIGIN, want, l);
    F(compare)("lanes_out", l->n, l->count, user, back, ALL, 0);
    F(drop)(user);
    F(drop)(back);
    F(drop)(got);
    F(drop)(want);
}

/* Each lane against the pass of one transform. */
static void F(test_lane_pass)(const F(wf_hand) * hand, size_t n, int which)
{
    static const char *const names[] = {"lanes_half_out", "lanes_half_in",
                                        "lanes_quarter_in",
                                        "lanes_quarter_out"};
    const size_t lanes = (size_t)hand->lanes, all = n * lanes;
    const ptrdiff_t leg = (ptrdiff_t)lanes;
    T *table = F(noise)(R2R_ROOM), *in = F(noise)(all), *one = F(noise)(n);
    T *got = F(noise)(all), *want = F(twin)(got, all), *made = F(noise)(n);
    for (int form = 0; form < 4; form++) {
        const wf_r2r_pass pass = {(wf_r2r_form)form,
                                  n,
                                  table,
                                  which < 2 ? 100 : n / 2,
                                  0.5,
                                  1.25,
                                  0.75,
                                  which < 2,
                                  which < 2 ? n / 4 + 1 : (n / 2 + 1) / 2,
                                  NULL,
                                  0};
        if (which == 1 && form == WF_R2R_HARTLEY)
            continue; /* is its own inverse */
        const bool sine = form == WF_R2R_SINE;
        const size_t last = sine ? all - lanes : 0;
        if (which < 2)
            F(fill_half)(table, n, (wf_r2r_form)form, which == 1);
        for (size_t t = 0; t < lanes; t++) {
            for (size_t j = 0; j < n; j++)
                one[j] = in[j * lanes + t];
            switch (which) {
            case 0: hand->half_out(made, one, &pass); break;
            case 1: hand->half_in(made, one, &pass); break;
            case 2: hand->quarter_in(made, one, &pass); break;
            default: hand->quarter_out(made, one, &pass); break;
            }
            for (size_t j = 0; j < n; j++)
                want[j * lanes + t] = made[j];
        }
        switch (which) {
        case 0:
            hand->lanes_half_out(got + last, sine ? -leg : leg, in, &pass);
            break;
        case 1:
            hand->lanes_half_in(got, in + last, sine ? -leg : leg, &pass);
            break;
        case 2:
            hand->lanes_quarter_in(got, in + last, sine ? -leg : leg, &pass);
            break;
        default: hand->lanes_quarter_out(got, leg, in, &pass); break;
        }
        F(compare)
        (names[which], n, (size_t)form, got, want, all, 16 * EPSILON);
    }
    F(drop)(table);
    F(drop)(in);
    F(drop)(one);
    F(drop)(got);
    F(drop)(want);
    F(drop)(made);
}

static void F(test_lanes)(const F(wf_hand) * hand)
{
    static const int strides[][2] = {{1, 40},  {1, -37}, {17, 1},
                                     {-16, 1}, {2, 41},  {-1, 50}};
    for (size_t n = 2; n < 36 && hand->lanes > 1; n += 2)
        for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
            for (int flags = 0; flags < 4; flags++)
                for (int count = 1; count <= hand->lanes; count += 1 + flags) {
                    const wf_lanes l = {
                        strides[i][0],
                        strides[i][1],
                        n,
                        (size_t)(i % 2 ? count : hand->lanes + 1 - count),
                        flags & 1,
                        flags & 2};
                    F(test_lane_moves)(hand, &l);
                }
    for (size_t n = 2; n < 100 && hand->lanes > 1; n += 2)
        for (int which = 0; which < 4; which++)
            F(test_lane_pass)(hand, n, which);
}

static void F(test)(const F(wf_hand) * hand)
{
    F(test_all_dense)(hand);
    F(test_all_dense_columns)(hand);
    F(test_all_dense_rows)(hand);
    for (size_t count = 1; hand->window_rows != NULL && count < 9; count++)
        F(test_window_rows)(hand, count);
    F(test_reals)(hand);
    F(test_channels)(hand);
    F(test_lanes)(hand);
    static const size_t sides[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,
                                   15, 16, 17, 31, 32, 33, 64, 67, 130};
    for (size_t n = 0; n < 70; n++) {
        F(test_pointwise)(hand, n);
        F(test_blocks)(hand, n / 4, n % 4);
        F(test_twists)(hand, n / 4, n % 4);
    }
    F(test_all_moves)(hand);
    F(test_r2r)(hand);
    for (int i = 0; i < 18; i++)
        for (int j = 0; j < 18; j++) {
            F(test_transpose)(hand, sides[i], sides[j], 0);
            F(test_transpose)(hand, sides[i], sides[j], 3);
        }
    for (size_t n = 0; n < 150; n++) {
        F(test_square)(hand, n, n % 4);
        F(test_square_reals)(hand, n, n % 3);
        if (n > 50)
            continue;
        for (size_t q = 1; q < 5; q++) {
            F(test_rect)(hand, n, q * n);
            F(test_rect)(hand, q * n, n);
        }
    }
    F(test_rect)(hand, 256, 512);
    F(test_rect)(hand, 512, 256);
    for (size_t rows = 0; rows < 70; rows++)
        for (size_t lanes = 0; lanes <= (size_t)hand->lanes; lanes++)
            F(test_columns)(hand, rows, lanes);
    for (size_t groups = 1; groups < 6; groups++)
        for (int way = 0; way < 4; way++)
            F(test_tiles)(hand, groups, way & 1 ? -1 : 1, way & 2);
    for (size_t rows = 0; rows < 70; rows += 23)
        for (int way = 0; way < 4; way++) {
            F(test_column_rows)(hand, rows, way & 1, way & 2);
            F(test_column_products)(hand, rows, way & 1);
        }
}
