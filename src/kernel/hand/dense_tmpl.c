/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense_tmpl.c - a short vector of reals times up to four vectors of columns
 * of a matrix; and many vectors, side by side or one after the other, times a
 * matrix.
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
    static void dense_##name(const void *dense, const void *in, void *out) \
    {                                                                      \
        const wf_dense *d = dense;                                         \
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

/* ---- Side by side -------------------------------------------------------- */

INLINE vec load_to(const T *p, size_t count)
{
    return count >= VL ? load(p) : load_part(p, count);
}

INLINE void store_to(T *p, vec x, size_t count)
{
    if (count >= VL)
        store(p, x);
    else
        store_few(p, x, count);
}

/* Of `count` pairs: the first VL of their numbers, and how many are left. */
INLINE size_t beyond_vector(size_t count)
{
    return count > VL / 2 ? 2 * count - VL : 0;
}

/* All numbers of at most VL columns. */
INLINE void columns_in(vec *x, const T *in, const wf_dense_columns *d,
                       size_t count)
{
    if (!d->pairs_in) {
        for (size_t j = 0; j < d->in; j++, in += d->is)
            x[j] = load_to(in, count);
        return;
    }
    for (size_t j = 0; j < d->in; j += 2, in += d->is) {
        const split z = parted(load_to(in, 2 * count),
                               load_to(in + VL, beyond_vector(count)));
        x[j] = z.re;
        x[j + 1] = z.im;
    }
    x[1] = (vec){0};
    if (d->hollow)
        x[d->in - 1] = (vec){0};
}

/* v sums over n numbers of a vector of columns, their factors side by side. */
INLINE void columns_sum(vec *sum, const T *x, ptrdiff_t is, const T *w,
                        size_t n, const int v)
{
    vec leg = load(x);
    UNROLL
    for (int i = 0; i < v; i++)
        sum[i] = leg * splat(w[i]);
    for (size_t j = 1; j < n; j++) {
        x += is;
        w += v;
        leg = load(x);
        UNROLL
        for (int i = 0; i < v; i++)
            sum[i] = FMA(leg, splat(w[i]), sum[i]);
    }
}

/* Up to v numbers: of them all, as what is not asked for takes no longer than a loop
 * of fewer.  Many are summed by parts: one sum of 48, each rounding of which is of all
 * before it, may err by more than is promised. */
INLINE void columns_by(T *to, ptrdiff_t os, const T *x, ptrdiff_t is,
                       const T *w, size_t n, size_t numbers, const int v)
{
    enum { PART = 16 };
    vec sum[WF_DENSE_SUMS];
    columns_sum(sum, x, is, w, least(n, PART), v);
    for (size_t from = PART; from < n; from += PART) {
        vec more[WF_DENSE_SUMS];
        columns_sum(more, x + (ptrdiff_t)from * is, is, w + from * (size_t)v,
                    least(n - from, PART), v);
        UNROLL
        for (int i = 0; i < v; i++)
            sum[i] += more[i];
    }
    UNROLL
    for (int i = 0; i < v; i++, to += os) {
        if (i >= v / 2 && (size_t)i >= numbers)
            break;
        store(to, sum[i]);
    }
}

static void columns_made(T *to, ptrdiff_t os, const T *x, ptrdiff_t is,
                         const wf_dense_columns *d)
{
    const T *w = d->table;
    for (size_t left = d->out; left > 0;) {
        const size_t sums = wf_dense_sums(left);
        const size_t numbers = sums < left ? sums : left;
        switch (sums) {
        case WF_DENSE_SUMS:
            columns_by(to, os, x, is, w, d->in, numbers, WF_DENSE_SUMS);
            break;
        case 4: columns_by(to, os, x, is, w, d->in, numbers, 4); break;
        default: columns_by(to, os, x, is, w, d->in, numbers, 2);
        }
        to += (ptrdiff_t)numbers * os;
        w += sums * d->in;
        left -= numbers;
    }
}

INLINE void columns_out(T *out, const vec *sum, const wf_dense_columns *d,
                        size_t count)
{
    if (!d->pairs_out) {
        for (size_t i = 0; i < d->out; i++, out += d->os)
            store_to(out, sum[i], count);
        return;
    }
    for (size_t i = 0; i < d->out; i += 2, out += d->os) {
        const split z = merged(sum[i], sum[i + 1]);
        store_to(out, z.re, 2 * count);
        store_to(out + VL, z.im, beyond_vector(count));
    }
}

/* Whole vectors of reals need no copies: of up to WF_DENSE_SUMS results all is read
 * before any is written. */
static void dense_columns(T *out, const T *in, const wf_dense_columns *d,
                          size_t count)
{
    vec x[WF_DENSE_NUMBERS], sum[WF_DENSE_NUMBERS];
    const ptrdiff_t in_next = d->pairs_in ? 2 * VL : VL;
    const ptrdiff_t out_next = d->pairs_out ? 2 * VL : VL;
    for (size_t c = 0; c < count; c += VL, in += in_next, out += out_next) {
        const size_t some = count - c < VL ? count - c : VL;
        const bool direct = some == VL && !d->pairs_in &&
                            d->out <= WF_DENSE_SUMS,
                   plain = some == VL && !d->pairs_out;
        if (!direct)
            columns_in(x, in, d, some);
        columns_made(plain ? out : (T *)sum, plain ? d->os : VL,
                     direct ? in : (const T *)x, direct ? d->is : VL, d);
        if (!plain)
            columns_out(out, sum, d, some);
    }
}

static void rows_widen(T *to, size_t width, const T *from, ptrdiff_t from_row,
                       size_t rows, size_t count)
{
    const size_t more = count > VL ? count - VL : 0;
    for (size_t i = 0; i < rows; i++, to += width, from += from_row) {
        store(to, load_to(from, count));
        if (width > VL)
            store(to + VL, load_to(from + VL, more));
    }
}

static void rows_narrow(T *to, ptrdiff_t to_row, const T *from, size_t width,
                        size_t rows, size_t count)
{
    const size_t more = count > VL ? count - VL : 0;
    for (size_t i = 0; i < rows; i++, to += to_row, from += width) {
        store_to(to, load(from), count);
        if (more > 0)
            store_to(to + VL, load(from + VL), more);
    }
}

/* ---- Anywhere ------------------------------------------------------------ */

#ifdef ONE_LANE
typedef T two_reals
    __attribute__((vector_size(2 * sizeof(T)), aligned(sizeof(T)), may_alias));

/* n = 2, the sum and the difference: to places of their own, from neighbours to
 * neighbours, or with zeros as neighbours. */
typedef enum lone_form { LONE_APART, LONE_PAIRS, LONE_ZEROS } lone_form;

/* count > 0: a loop of one branch, as these are built small. */
INLINE void lone_sums(T *out, const T *in, const wf_dense_lone *d,
                      size_t count, const lone_form form)
{
    const ptrdiff_t is = d->is, os = d->os, a = d->in_at[1], b = d->out_at[1];
    const two_reals sign = {1, -1};
    do {
        if (form == LONE_PAIRS) {
            const two_reals x = *(const two_reals *)in, y = {x[1], x[0]};
            *(two_reals *)out = y + x * sign;
        } else if (form == LONE_ZEROS) {
            *(two_reals *)out = (two_reals){in[0] + in[a], 0};
            *(two_reals *)(out + b) = (two_reals){in[0] - in[a], 0};
        } else {
            const T sum = in[0] + in[a], difference = in[0] - in[a];
            out[0] = sum;
            out[b] = difference;
        }
        in += is;
        out += os;
    } while (--count > 0);
}

INLINE void lone_by(T *out, const T *in, const wf_dense_lone *lone,
                    size_t count, const size_t n, const bool zeros)
{
    const wf_dense_lone d = *lone;
    T w[WF_DENSE_LONE * WF_DENSE_LONE], x[WF_DENSE_LONE];
    UNROLL
    for (size_t i = 0; i < n * n; i++)
        w[i] = ((const T *)d.table)[i];
    do {
        UNROLL
        for (size_t j = 0; j < n; j++)
            x[j] = in[d.in_at[j]];
        UNROLL
        for (size_t k = 0; k < n; k++) {
            T sum = w[k * n] * x[0];
            UNROLL
            for (size_t j = 1; j < n; j++)
                sum += w[k * n + j] * x[j];
            out[d.out_at[k]] = sum;
        }
        if (zeros)
            out[d.zero_at[0]] = out[d.zero_at[1]] = 0;
        in += d.is;
        out += d.os;
    } while (--count > 0);
}

static void dense_lone(T *out, const T *in, const wf_dense_lone *d,
                       size_t count)
{
    switch (d->n) {
    case 2:
        if (d->sums && d->zeros > 0)
            lone_sums(out, in, d, count, LONE_ZEROS);
        else if (d->sums && d->in_at[1] == 1 && d->out_at[1] == 1)
            lone_sums(out, in, d, count, LONE_PAIRS);
        else if (d->sums)
            lone_sums(out, in, d, count, LONE_APART);
        else if (d->zeros > 0)
            lone_by(out, in, d, count, 2, true);
        else
            lone_by(out, in, d, count, 2, false);
        break;
    case 3: lone_by(out, in, d, count, 3, false); break;
    default: lone_by(out, in, d, count, 4, false);
    }
}
#endif

/* ---- One after the other ------------------------------------------------- */

/* Registers whose sums do not wait for each other. */
enum { ROWS_ABREAST = 4 };

#if VECTOR_BYTES == 64
#define MOVED(x, index) \
    (vec) _mm512_permutexvar_ps(_mm512_loadu_si512(index), (__m512)(x))
#elif VECTOR_BYTES == 32
#define MOVED(x, index)             \
    (vec) _mm256_permutevar8x32_ps( \
        (__m256)(x), _mm256_loadu_si256((const __m256i *)(index)))
#endif

#ifdef MOVED
/* The first of `count` vectors, in registers of d->together each. */
INLINE void rows_in(vec *x, const T *in, const wf_dense_rows *d, size_t count,
                    size_t registers)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < registers; i++) {
        x[i] = count > 0 ? load_to(in, count * d->in) : (vec){0};
        in += d->together * d->in;
        count -= count < d->together ? count : d->together;
    }
}

/* A whole register, of which the next one's numbers overwrite what is none of its
 * own, but for the last. */
INLINE void rows_out(T *out, const vec *sum, const wf_dense_rows *d,
                     size_t count, size_t registers)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < registers && count > 0; i++) {
        const size_t some = count < d->together ? count : d->together;
        store_to(out, sum[i], count * d->out < VL ? some * d->out : VL);
        out += d->together * d->out;
        count -= some;
    }
}

/* In place numbers are read before the registers in front of them are written. */
INLINE void rows_by(T *out, const T *in, const wf_dense_rows *d, size_t count,
                    const size_t registers)
{
    const size_t many = registers * d->together;
    vec x[ROWS_ABREAST], sum[ROWS_ABREAST];
    rows_in(x, in, d, count, registers);
    while (count > 0) {
        const char *table = d->table;
#pragma GCC unroll 4
        for (size_t i = 0; i < registers; i++)
            sum[i] = (vec){0};
        for (size_t j = 0; j < d->numbers; j++, table += 2 * VECTOR_BYTES) {
            const vec w = load(
                (const T *)(const void *)(table + VECTOR_BYTES));
#pragma GCC unroll 4
            for (size_t i = 0; i < registers; i++)
                sum[i] = FMA(MOVED(x[i], (const void *)table), w, sum[i]);
        }
        const size_t left = count < many ? 0 : count - many;
        in += many * d->in;
        rows_in(x, in, d, left, registers);
        rows_out(out, sum, d, count, registers);
        out += many * d->out;
        count = left;
    }
}

static void dense_rows(T *out, const T *in, const wf_dense_rows *d,
                       size_t count)
{
    if (count > d->together)
        rows_by(out, in, d, count, ROWS_ABREAST);
    else
        rows_by(out, in, d, count, 1);
}

/* A register of all rows, then the next: so its tables stay in registers. */
static void window_rows(T *out, const T *in, const wf_windows *d, size_t count,
                        ptrdiff_t in_row, ptrdiff_t out_row)
{
    const T *w = d->table;
    const int32_t *place = d->places;
    for (size_t v = d->vectors; v > 0; v--, place += 3, w += 4 * VL) {
        const T *a = in + place[0], *b = in + place[1];
        T *to = out + place[2];
        const vec wa = load(w + VL), wb = load(w + 3 * VL);
        for (size_t i = count; i > 0; i--) {
            const vec y = MOVED(load(a), (const void *)w) * wa;
            store(to, FMA(MOVED(load(b), (const void *)(w + 2 * VL)), wb, y));
            a += in_row;
            b += in_row;
            to += out_row;
        }
    }
}

/* ---- A few side by side -------------------------------------------------- */

INLINE void few_by(T *out, const T *in, const wf_dense_few *d, size_t count,
                   const size_t registers)
{
    for (; count > 0; count--, in += d->is, out += d->os) {
        const char *table = d->table;
        const T *row = in;
        vec sum[WF_DENSE_REGISTERS];
#pragma GCC unroll 8
        for (size_t i = 0; i < registers; i++)
            sum[i] = (vec){0};
        for (size_t j = 0; j < d->legs; j++) {
            const vec leg = MOVED(load_to(row, d->group), (const void *)table);
            const T *w = (const T *)(const void *)(table + VECTOR_BYTES);
#pragma GCC unroll 8
            for (size_t i = 0; i < registers; i++)
                sum[i] = FMA(leg, load(w + i * VL), sum[i]);
            table += (1 + d->registers) * VECTOR_BYTES;
            row += !d->pairs || j % 2 == 0 ? d->group : 0;
        }
        T *to = out;
#pragma GCC unroll 8
        for (size_t i = 0; i + 1 < registers; i++, to += d->step)
            store(to, sum[i]);
        store_to(to, sum[registers - 1], d->last);
    }
}

static void dense_few(T *out, const T *in, const wf_dense_few *d, size_t count)
{
    switch (d->registers) {
    case 1: few_by(out, in, d, count, 1); break;
    case 2: few_by(out, in, d, count, 2); break;
    case 3: few_by(out, in, d, count, 3); break;
    case 4: few_by(out, in, d, count, 4); break;
    case 5: few_by(out, in, d, count, 5); break;
    case 6: few_by(out, in, d, count, 6); break;
    case 7: few_by(out, in, d, count, 7); break;
    default: few_by(out, in, d, count, 8);
    }
}
#undef MOVED
#endif
