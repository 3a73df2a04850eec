/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transpose_tmpl.c - transposes of complex matrices, alone or fused with a
 * product by twiddle factors.
 *
 * Matrices are halved, longer side first, until both sides are at most BASE:
 * every level of cache and of the TLB is then used well without naming its
 * size (M. Frigo, C. E. Leiserson, H. Prokop, S. Ramachandran, "Cache-
 * oblivious algorithms", FOCS 1999).  Below, the unit is a block of LINE x
 * LINE, one cache line wide both ways: it reads and writes whole lines,
 * however unlucky the leading dimension.  A block is made of tiles of UNITS
 * x UNITS that are transposed in registers.
 *
 * In place, transpose(A) = transpose(A11), swap(A12, A21), transpose(A22),
 * where swap exchanges two mirror blocks; symmetric factors are loaded once
 * for both.
 *
 * Cuts lie at multiples of LINE, so ragged blocks are only at the right and
 * lower ends.
 */
/* Of 16, 32 and 64, measured on 256 x 256 to 4096 x 4096: with 32 rows at a
 * power-of-two distance more lines fall into one set of L1 than it has ways. */
#define BASE 16

/* rows x cols numbers, each as a unit. */
static void copy_block(const T *in, ptrdiff_t in_ld, T *out, ptrdiff_t out_ld,
                       size_t rows, size_t cols)
{
    for (size_t r = 0; r < rows; r++)
        memcpy(out + 2 * (ptrdiff_t)r * out_ld, in + 2 * (ptrdiff_t)r * in_ld,
               cols * 2 * sizeof(T));
}

static inline size_t cut(size_t n)
{
    return (n / 2 + LINE - 1) / LINE * LINE;
}

/* ---- out of place ------------------------------------------------------- */

/* One whole block; tw may be NULL. */
static inline void block(const T *in, ptrdiff_t in_ld, T *out,
                         ptrdiff_t out_ld, const T *tw, ptrdiff_t tw_ld)
{
#if VECTOR_BYTES == 32
#pragma GCC unroll 2
#endif
    for (ptrdiff_t r = 0; r < LINE; r += UNITS)
#if VECTOR_BYTES == 32
#pragma GCC unroll 2
#endif
        for (ptrdiff_t c = 0; c < LINE; c += UNITS) {
            vec v[UNITS];
#pragma GCC unroll 8
            for (int i = 0; i < UNITS; i++) {
                v[i] = load(in + 2 * ((r + i) * in_ld + c));
                if (tw)
                    v[i] = product(v[i], load(tw + 2 * ((r + i) * tw_ld + c)));
            }
            transpose_units(v);
#pragma GCC unroll 8
            for (int i = 0; i < UNITS; i++)
                store(out + 2 * ((c + i) * out_ld + r), v[i]);
        }
}

/* A few numbers of each of many rows, or of columns. */
INLINE void strip(const T *in, ptrdiff_t in_next, ptrdiff_t in_step, T *out,
                  ptrdiff_t out_next, ptrdiff_t out_step, size_t many,
                  size_t few)
{
    for (size_t i = 0; i < many; i++, in += 2 * in_next, out += 2 * out_next)
#pragma GCC unroll 8
        for (ptrdiff_t k = 0; k < (ptrdiff_t)few; k++)
            memcpy(out + 2 * k * out_step, in + 2 * k * in_step,
                   2 * sizeof(T));
}

static inline void strips(const T *in, ptrdiff_t in_next, ptrdiff_t in_step,
                          T *out, ptrdiff_t out_next, ptrdiff_t out_step,
                          size_t many, size_t few)
{
    switch (few) { /* unrolled */
#define FEW(n)                                                         \
    case n:                                                            \
        strip(in, in_next, in_step, out, out_next, out_step, many, n); \
        break
        FEW(1);
        FEW(2);
        FEW(3);
        FEW(4);
        FEW(5);
        FEW(6);
        FEW(7);
#undef FEW
    default: break; /* LINE is 8 at most */
    }
}

/* Part of a block: number by number, or with factors through the stack, so
 * that products are those of whole blocks to the bit. */
static void ragged(const T *in, ptrdiff_t in_ld, T *out, ptrdiff_t out_ld,
                   size_t rows, size_t cols, const T *tw, ptrdiff_t tw_ld)
{
    if (!tw) {
        for (size_t c = 0; c < cols; c++, in += 2, out += 2 * out_ld)
#pragma GCC unroll 4
            for (size_t r = 0; r < rows; r++)
                memcpy(out + 2 * r, in + 2 * (ptrdiff_t)r * in_ld,
                       2 * sizeof(T));
        return;
    }
    T a[2 * LINE * LINE] = {0}, b[2 * LINE * LINE], w[2 * LINE * LINE] = {0};
    copy_block(in, in_ld, a, LINE, rows, cols);
    copy_block(tw, tw_ld, w, LINE, rows, cols);
    block(a, LINE, b, LINE, w, LINE);
    copy_block(b, LINE, out, out_ld, cols, rows);
}

/* Down the columns: written lines then follow each other. */
static inline void base(const T *in, ptrdiff_t in_ld, T *out, ptrdiff_t out_ld,
                        size_t rows, size_t cols, const T *tw, ptrdiff_t tw_ld)
{
    for (size_t c = 0; c < cols; c += LINE)
        for (size_t r = 0; r < rows; r += LINE) {
            ptrdiff_t i = (ptrdiff_t)r, j = (ptrdiff_t)c;
            const T *from = in + 2 * (i * in_ld + j);
            const T *factors = tw ? tw + 2 * (i * tw_ld + j) : NULL;
            T *to = out + 2 * (j * out_ld + i);
            if (r + LINE <= rows && c + LINE <= cols)
                block(from, in_ld, to, out_ld, factors, tw_ld);
            else
                ragged(from, in_ld, to, out_ld, least(LINE, rows - r),
                       least(LINE, cols - c), factors, tw_ld);
        }
}

static void transpose(const T *in, ptrdiff_t in_ld, T *out, ptrdiff_t out_ld,
                      size_t rows, size_t cols)
{
    if (in_ld == (ptrdiff_t)cols &&
        numbers_part_channels(in, out, out_ld, rows, cols))
        return;
    if (out_ld == (ptrdiff_t)rows &&
        numbers_join_channels(in, in_ld, out, cols, rows))
        return;
    if (cols < LINE) {
        strips(in, in_ld, 1, out, 1, out_ld, rows, cols);
    } else if (rows < LINE) {
        strips(in, 1, in_ld, out, out_ld, 1, cols, rows);
    } else if (rows <= BASE && cols <= BASE) {
        base(in, in_ld, out, out_ld, rows, cols, NULL, 0);
    } else if (rows >= cols) {
        size_t half = cut(rows);
        ptrdiff_t h = (ptrdiff_t)half;
        transpose(in, in_ld, out, out_ld, half, cols);
        transpose(in + 2 * h * in_ld, in_ld, out + 2 * h, out_ld, rows - half,
                  cols);
    } else {
        size_t half = cut(cols);
        ptrdiff_t h = (ptrdiff_t)half;
        transpose(in, in_ld, out, out_ld, rows, half);
        transpose(in + 2 * h, in_ld, out + 2 * h * out_ld, out_ld, rows,
                  cols - half);
    }
}

static void transpose_twiddle(const T *in, ptrdiff_t in_ld, T *out,
                              ptrdiff_t out_ld, size_t rows, size_t cols,
                              const T *tw, ptrdiff_t tw_ld)
{
    if (rows <= BASE && cols <= BASE) {
        base(in, in_ld, out, out_ld, rows, cols, tw, tw_ld);
    } else if (rows >= cols) {
        size_t half = cut(rows);
        ptrdiff_t h = (ptrdiff_t)half;
        transpose_twiddle(in, in_ld, out, out_ld, half, cols, tw, tw_ld);
        transpose_twiddle(in + 2 * h * in_ld, in_ld, out + 2 * h, out_ld,
                          rows - half, cols, tw + 2 * h * tw_ld, tw_ld);
    } else {
        size_t half = cut(cols);
        ptrdiff_t h = (ptrdiff_t)half;
        transpose_twiddle(in, in_ld, out, out_ld, rows, half, tw, tw_ld);
        transpose_twiddle(in + 2 * h, in_ld, out + 2 * h * out_ld, out_ld,
                          rows, cols - half, tw + 2 * h, tw_ld);
    }
}

/* ---- in place ----------------------------------------------------------- */

/* Tile x at a and its mirror y at b, exchanged, times factors that are NULL or
 * theirs; a may be b. */
INLINE void swap_tile(T *a, T *b, ptrdiff_t ld, const T *tw, ptrdiff_t tw_ld)
{
    vec x[UNITS], y[UNITS];
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++) {
        x[i] = load(a + 2 * i * ld);
        y[i] = load(b + 2 * i * ld);
    }
    transpose_units(y);
    if (tw) {
#pragma GCC unroll 8
        for (int i = 0; i < UNITS; i++) {
            vec w = load(tw + 2 * i * tw_ld);
            x[i] = product(x[i], w);
            y[i] = product(y[i], w);
        }
    }
    transpose_units(x);
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++) {
        store(b + 2 * i * ld, x[i]);
        store(a + 2 * i * ld, y[i]);
    }
}

/* Whole mirror blocks; a == b is a block on the diagonal. */
static __attribute__((noinline)) void swap_products(T *a, T *b, ptrdiff_t ld,
                                                    const T *tw,
                                                    ptrdiff_t tw_ld)
{
    for (ptrdiff_t r = 0; r < LINE; r += UNITS)
        for (ptrdiff_t c = a == b ? r : 0; c < LINE; c += UNITS)
            swap_tile(a + 2 * (r * ld + c), b + 2 * (c * ld + r), ld,
                      tw + 2 * (r * tw_ld + c), tw_ld);
}

/* Without factors: two blocks, and one on the diagonal. */
static __attribute__((noinline)) void swap_blocks(T *a, T *b, ptrdiff_t ld)
{
#if VECTOR_BYTES == 32
#pragma GCC unroll 2
#endif
    for (ptrdiff_t r = 0; r < LINE; r += UNITS)
#if VECTOR_BYTES == 32
#pragma GCC unroll 2
#endif
        for (ptrdiff_t c = 0; c < LINE; c += UNITS)
            swap_tile(a + 2 * (r * ld + c), b + 2 * (c * ld + r), ld, NULL, 0);
}

static __attribute__((noinline)) void turn_block(T *a, ptrdiff_t ld)
{
    for (ptrdiff_t r = 0; r < LINE; r += UNITS) {
        vec x[UNITS];
        T *tile = a + 2 * r * (ld + 1);
#pragma GCC unroll 8
        for (int i = 0; i < UNITS; i++)
            x[i] = load(tile + 2 * i * ld);
        transpose_units(x);
#pragma GCC unroll 8
        for (int i = 0; i < UNITS; i++)
            store(tile + 2 * i * ld, x[i]);
        for (ptrdiff_t c = r + UNITS; c < LINE; c += UNITS)
            swap_tile(a + 2 * (r * ld + c), a + 2 * (c * ld + r), ld, NULL, 0);
    }
}

static inline void swap_block(T *a, T *b, ptrdiff_t ld, const T *tw,
                              ptrdiff_t tw_ld)
{
    if (tw)
        swap_products(a, b, ld, tw, tw_ld);
    else if (a == b)
        turn_block(a, ld);
    else
        swap_blocks(a, b, ld);
}

static inline void swap_numbers(T *a, T *b)
{
    T x[2], y[2];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    memcpy(a, y, sizeof y);
    memcpy(b, x, sizeof x);
}

/* Number by number, or with factors through the stack, so that products are those of
 * whole blocks to the bit. */
static void swap_ragged(T *a, T *b, ptrdiff_t ld, size_t rows, size_t cols,
                        const T *tw, ptrdiff_t tw_ld)
{
    const bool diagonal = a == b;
    if (!tw) {
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < (diagonal ? r : cols); c++)
                swap_numbers(a + 2 * ((ptrdiff_t)r * ld + (ptrdiff_t)c),
                             b + 2 * ((ptrdiff_t)c * ld + (ptrdiff_t)r));
        return;
    }
    T x[2 * LINE * LINE] = {0}, y[2 * LINE * LINE] = {0};
    T w[2 * LINE * LINE] = {0};
    copy_block(a, ld, x, LINE, rows, cols);
    copy_block(b, ld, y, LINE, cols, rows);
    copy_block(tw, tw_ld, w, LINE, rows, cols);
    swap_block(x, diagonal ? x : y, LINE, w, LINE);
    copy_block(x, LINE, a, ld, rows, cols);
    if (!diagonal)
        copy_block(y, LINE, b, ld, cols, rows);
}

static inline void swap_any(T *a, T *b, ptrdiff_t ld, size_t rows, size_t cols,
                            const T *tw, ptrdiff_t tw_ld)
{
    if (rows >= LINE && cols >= LINE)
        swap_block(a, b, ld, tw, tw_ld);
    else
        swap_ragged(a, b, ld, least(LINE, rows), least(LINE, cols), tw, tw_ld);
}

/* a is rows x cols, b its mirror, cols x rows. */
static void swap(T *a, T *b, ptrdiff_t ld, size_t rows, size_t cols,
                 const T *tw, ptrdiff_t tw_ld)
{
    if (rows <= BASE && cols <= BASE) {
        for (size_t r = 0; r < rows; r += LINE)
            for (size_t c = 0; c < cols; c += LINE) {
                ptrdiff_t i = (ptrdiff_t)r, j = (ptrdiff_t)c;
                swap_any(a + 2 * (i * ld + j), b + 2 * (j * ld + i), ld,
                         rows - r, cols - c,
                         tw ? tw + 2 * (i * tw_ld + j) : NULL, tw_ld);
            }
    } else if (rows >= cols) {
        size_t half = cut(rows);
        ptrdiff_t h = (ptrdiff_t)half;
        swap(a, b, ld, half, cols, tw, tw_ld);
        swap(a + 2 * h * ld, b + 2 * h, ld, rows - half, cols,
             tw ? tw + 2 * h * tw_ld : NULL, tw_ld);
    } else {
        size_t half = cut(cols);
        ptrdiff_t h = (ptrdiff_t)half;
        swap(a, b, ld, rows, half, tw, tw_ld);
        swap(a + 2 * h, b + 2 * h * ld, ld, rows, cols - half,
             tw ? tw + 2 * h : NULL, tw_ld);
    }
}

static void square(T *a, ptrdiff_t ld, size_t n, const T *tw, ptrdiff_t tw_ld)
{
    if (!tw && n <= BASE && n % LINE != 0) {
        swap_ragged(a, a, ld, n, n, NULL, 0);
        return;
    }
    if (n <= BASE) {
        for (size_t r = 0; r < n; r += LINE)
            for (size_t c = r; c < n; c += LINE) {
                const ptrdiff_t i = (ptrdiff_t)r, j = (ptrdiff_t)c;
                swap_any(a + 2 * (i * ld + j), a + 2 * (j * ld + i), ld, n - r,
                         n - c, tw ? tw + 2 * (i * tw_ld + j) : NULL, tw_ld);
            }
        return;
    }
    size_t half = cut(n);
    ptrdiff_t h = (ptrdiff_t)half;
    square(a, ld, half, tw, tw_ld);
    swap(a + 2 * h, a + 2 * h * ld, ld, half, n - half, tw ? tw + 2 * h : NULL,
         tw_ld);
    square(a + 2 * h * (ld + 1), ld, n - half,
           tw ? tw + 2 * h * (tw_ld + 1) : NULL, tw_ld);
}

static void transpose_square(T *a, ptrdiff_t ld, size_t n)
{
    square(a, ld, n, NULL, 0);
}

static void transpose_square_twiddle(T *a, ptrdiff_t ld, size_t n, const T *tw,
                                     ptrdiff_t tw_ld)
{
    square(a, ld, n, tw, tw_ld);
}

static void transpose_swap(T *a, T *b, ptrdiff_t ld, size_t rows, size_t cols)
{
    swap(a, b, ld, rows, cols, NULL, 0);
}

/* ---- rectangular, in place ---------------------------------------------- */

/* Chunks of `length` numbers: chunk (i, j) of a p x q grid goes to (j, i).
 * Each cycle is moved once, from its smallest member, which is found by
 * walking it: p q is a few thousand and the walk is only arithmetic. */
static void transpose_chunks(T *a, size_t p, size_t q, size_t length,
                             T *buffer)
{
    size_t bytes = length * 2 * sizeof(T);
    for (size_t first = 0; first < p * q; first++) {
        size_t at = first;
        do /* content of `at` comes from (at % p, at / p) */
            at = at % p * q + at / p;
        while (at > first);
        size_t from = first % p * q + first / p;
        if (at != first || from == first)
            continue;
        memcpy(buffer, a + 2 * first * length, bytes);
        for (; from != first; at = from, from = at % p * q + at / p)
            memcpy(a + 2 * at * length, a + 2 * from * length, bytes);
        memcpy(a + 2 * at * length, buffer, bytes);
    }
}

/* A wide matrix is squares side by side: transposed in place they lie row
 * beside row, and moving rows as chunks puts them one below the other.  A
 * tall one goes the same way backwards. */
static void transpose_rect(T *a, size_t rows, size_t cols, T *buffer)
{
    size_t n = least(rows, cols);
    if (!n)
        return;
    size_t squares = rows > cols ? rows / cols : cols / rows;
    if (rows > cols)
        transpose_chunks(a, squares, n, n, buffer);
    for (size_t s = 0; s < squares; s++)
        transpose_square(a + 2 * s * n, (ptrdiff_t)(squares * n), n);
    if (cols > rows)
        transpose_chunks(a, n, squares, n, buffer);
}
