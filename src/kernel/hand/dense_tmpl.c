/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense_tmpl.c - a short vector of reals times up to four vectors of columns
 * of a matrix.
 *
 * A lone short transform waits for its own results, not for arithmetic: an
 * algorithm of few operations is a chain of them, with shuffles between.  By
 * the definition an element and a vector of outputs are one fused operation,
 * which waits for the sum before it and nothing else; sums are made in parts,
 * so that it seldom does.
 */

#define ALTERNATING(i, h, n) ((i) % 2 ? (T)-1.0 : (T)1.0)
/* Element 0, then the others in reverse. */
#define TURNED_ROUND(i, h, n) (((n) - (i)) % (n))
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

/* Parts of v sums, one after the other. */
enum { DENSE_SUMS = 16 };

/* Less nothing, which compilers see is nothing; adding it would not be, to a
 * negative zero. */
INLINE vec splat(T x)
{
    return x - (vec){0};
}

INLINE void dense_add(vec *sum, int v, vec x, const T *row)
{
    UNROLL
    for (int i = 0; i < v; i++)
        sum[i] = FMA(x, load(row + i * VL), sum[i]);
}

INLINE void dense_clear(vec *sum)
{
    UNROLL
    for (int i = 0; i < DENSE_SUMS; i++)
        sum[i] = (vec){0};
}

/* Part 0 becomes the sum of u parts. */
INLINE void dense_join(vec *sum, int v, int u)
{
    UNROLL
    for (int i = 0; i < v; i++) {
        if (u == 4)
            sum[2 * v + i] += sum[3 * v + i];
        if (u > 1)
            sum[i] += sum[v + i];
        if (u == 4)
            sum[i] += sum[2 * v + i];
    }
}

/* What a row is multiplied by: an element or, pairs, the sum (even lanes) and
 * the difference (odd lanes) of two. */
INLINE vec dense_leg(const T *front, const T *back, size_t j, bool pairs)
{
    const vec alternating = {JOIN(LIST, VL)(ALTERNATING, 0, 0, 0)};
    const vec x = splat(front[j]);
    if (!pairs)
        return x;
    return FMA(splat(back[-(ptrdiff_t)j]), alternating, x);
}

INLINE void dense_sums(T *out, const T *in, const wf_dense *d, int v, int u,
                       bool pairs)
{
    const T *front = in + d->first, *back = in + d->last, *w = d->table;
    const size_t rows = d->rows;
    vec sum[DENSE_SUMS];
    size_t j = 0;
    dense_clear(sum);
    if (d->head) {
        dense_add(sum, v, splat(in[0]), w);
        w += v * VL;
    }
    for (; j + (size_t)u <= rows; j += (size_t)u) {
        UNROLL
        for (int part = 0; part < u; part++, w += v * VL)
            dense_add(sum + part * v, v,
                      dense_leg(front, back, j + (size_t)part, pairs), w);
    }
    if (u > 2 && rows - j >= 2) {
        UNROLL
        for (int part = 0; part < 2; part++, j++, w += v * VL)
            dense_add(sum + part * v, v, dense_leg(front, back, j, pairs), w);
    }
    if (rows > j)
        dense_add(sum + (u - 1) * v, v, dense_leg(front, back, j, pairs), w);
    dense_join(sum, v, u);
    UNROLL
    for (int i = 0; i < v - 1; i++)
        store(out + d->begin + i * VL, sum[i]);
    if (v == 1 && d->columns < VL)
        store_few(out, sum[0], d->columns);
    else
        store(out + d->end, sum[v - 1]);
}

/* Sums of in[2j] and of in[2j + 1]: their difference, mirrored, at the back,
 * then their sum in front, which may correct what was left there. */
INLINE void dense_put_both(T *out, const wf_dense *d, const vec *even,
                           const vec *odd, int v)
{
    UNROLL
    for (int i = 0; i < v; i++) {
        const size_t k = i < v - 1 ? d->begin + (size_t)i * VL : d->end;
        const vec y = even[i] - odd[i];
        if (i == 0 && d->turned)
            store(out + d->last - VL, SHUFFLE(VL, TURNED_ROUND, 0, y, y));
        else
            store(out + d->last - k - (VL - 1),
                  SHUFFLE(VL, REVERSED, 0, y, y));
    }
    UNROLL
    for (int i = 0; i < v; i++) {
        const size_t k = i < v - 1 ? d->begin + (size_t)i * VL : d->end;
        store(out + k, even[i] + odd[i]);
    }
}

INLINE void dense_both(T *out, const T *in, const wf_dense *d, int v, int u)
{
    const T *x = in + d->first, *w = d->table;
    const size_t rows = d->rows, some = 2 * (size_t)u;
    vec sum[DENSE_SUMS];
    size_t j = 0;
    dense_clear(sum);
    if (d->head) {
        dense_add(sum, v, splat(in[0]), w);
        w += v * VL;
    }
    for (; j + some <= rows; j += some) {
        UNROLL
        for (int part = 0; part < 2 * u; part++, w += v * VL)
            dense_add(sum + part * v, v, splat(x[j + (size_t)part]), w);
    }
    if (u > 1 && rows - j >= 2) {
        UNROLL
        for (int part = 0; part < 2; part++, j++, w += v * VL)
            dense_add(sum + part * v, v, splat(x[j]), w);
    }
    if (rows > j)
        dense_add(sum + 2 * (u - 1) * v, v, splat(x[j]), w);
    dense_join(sum, 2 * v, u);
    dense_put_both(out, d, sum, sum + v, v);
}

#define DENSE(name, body)                                                  \
    static void dense_##name(void *out, const void *in, const wf_dense *d) \
    {                                                                      \
        body;                                                              \
    }
DENSE(plain_1, dense_sums(out, in, d, 1, 4, false))
DENSE(plain_2, dense_sums(out, in, d, 2, 2, false))
DENSE(plain_3, dense_sums(out, in, d, 3, 2, false))
DENSE(plain_4, dense_sums(out, in, d, 4, 2, false))
DENSE(pairs_1, dense_sums(out, in, d, 1, 4, true))
DENSE(pairs_2, dense_sums(out, in, d, 2, 2, true))
DENSE(pairs_3, dense_sums(out, in, d, 3, 2, true))
DENSE(pairs_4, dense_sums(out, in, d, 4, 2, true))
DENSE(both_1, dense_both(out, in, d, 1, 2))
DENSE(both_2, dense_both(out, in, d, 2, 2))
DENSE(both_3, dense_both(out, in, d, 3, 1))
DENSE(both_4, dense_both(out, in, d, 4, 1))
#undef DENSE
