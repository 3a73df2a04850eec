/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks_tmpl.c - products of samples in blocks, LANES re and then LANES im: no
 * shuffle but where the samples are the user's.  One lane is interleaved.
 */
#ifdef ONE_LANE
static void multiply_to_blocks(T *out, T *other, const T *a, const T *b,
                               const T *c, size_t n, size_t rows, size_t step)
{
    for (; rows > 0; rows--, out += 2 * n, other += 2 * n) {
        multiply(out, a, b, n);
        multiply(other, a, c, n);
        a += 2 * step, b += 2 * step, c += 2 * step;
    }
}

static void multiply_blocks(T *out, const T *a, const T *b, size_t n)
{
    multiply(out, a, b, n);
}

static void multiply_from_blocks(T *out, const T *a, const T *b, const T *c,
                                 const T *d, size_t n, size_t rows,
                                 size_t step)
{
    for (; rows > 0; rows--, a += 2 * n, c += 2 * n) {
        for (size_t i = 0; i < 2 * n; i += VL) {
            const size_t rest = 2 * n - i < VL ? 2 * n - i : VL;
            vec x = product(load_part(a + i, rest), load_part(b + i, rest));
            vec y = product(load_part(c + i, rest), load_part(d + i, rest));
            store_part(out + i, x + y, rest);
        }
        out += 2 * step, b += 2 * step, d += 2 * step;
    }
}
#else
static inline split load_block(const T *p)
{
    return (split){held(load(p)), held(load(p + VL))};
}

static inline void store_block(T *p, split x)
{
    store(p, x.re);
    store(p + VL, x.im);
}

static inline split load_users(const T *p)
{
    const vec a = held(load(p)), b = held(load(p + VL));
    return parted(a, b);
}

static void multiply_to_blocks(T *out, T *other, const T *a, const T *b,
                               const T *c, size_t n, size_t rows, size_t step)
{
    for (; rows > 0; rows--, out += 2 * n, other += 2 * n) {
        for (size_t i = 0; i < 2 * n; i += 2 * VL) {
            const split x = load_users(a + i);
            store_block(out + i, split_product(x, load_block(b + i)));
            store_block(other + i, split_product(x, load_block(c + i)));
        }
        a += 2 * step, b += 2 * step, c += 2 * step;
    }
}

static void multiply_blocks(T *out, const T *a, const T *b, size_t n)
{
    for (size_t i = 0; i < 2 * n; i += 2 * VL)
        store_block(out + i,
                    split_product(load_block(a + i), load_block(b + i)));
}

static void multiply_from_blocks(T *out, const T *a, const T *b, const T *c,
                                 const T *d, size_t n, size_t rows,
                                 size_t step)
{
    for (; rows > 0; rows--, a += 2 * n, c += 2 * n) {
        for (size_t i = 0; i < 2 * n; i += 2 * VL) {
            split x = split_product(load_block(a + i), load_block(b + i));
            split y = split_product(load_block(c + i), load_block(d + i));
            put_pairs(out + i, x.re + y.re, x.im + y.im, VL);
        }
        out += 2 * step, b += 2 * step, d += 2 * step;
    }
}

#if VECTOR_BYTES >= 32
static inline split twist_of(const T *row, const T *column)
{
    return split_product(load_block(column),
                         (split){(vec){0} + row[0], (vec){0} + row[1]});
}

static void twist_to_blocks(T *out, T *other, const T *a, const T *b,
                            const T *row, const T *column, size_t n,
                            size_t rows, size_t step)
{
    for (; rows > 0; rows--, a += 2 * step, row += 2)
        for (size_t i = 0; i < 2 * n; i += 2 * VL) {
            const split w = twist_of(row, column + i);
            const split x = split_product(load_users(a + i), load_block(b));
            const vec p = x.re * w.re, q = x.im * w.re;
            store_block(out, (split){FMA(-x.im, w.im, p), FMA(x.re, w.im, q)});
            store_block(other,
                        (split){FMA(x.im, w.im, p), FMA(-x.re, w.im, q)});
            out += 2 * VL, other += 2 * VL, b += 2 * VL;
        }
}

static void twist_from_blocks(T *out, const T *a, const T *c, const T *b,
                              const T *row, const T *column, size_t n,
                              size_t rows, size_t step)
{
    for (; rows > 0; rows--, out += 2 * step, row += 2)
        for (size_t i = 0; i < 2 * n; i += 2 * VL) {
            const split w = twist_of(row, column + i);
            const split x = load_block(a), y = load_block(c);
            const split sum = {FMA(x.re + y.re, w.re, (x.im - y.im) * w.im),
                               FMA(x.im + y.im, w.re, (y.re - x.re) * w.im)};
            const split z = split_product(sum, load_block(b));
            put_pairs(out + i, z.re, z.im, VL);
            a += 2 * VL, c += 2 * VL, b += 2 * VL;
        }
}
#endif
#endif
