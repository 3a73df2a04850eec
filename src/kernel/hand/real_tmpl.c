/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_tmpl.c - between complex transforms and the half spectra of reals.
 *
 * Pairs k and m - k are made together: a vector from the front, one from the
 * back turned round.  Both are loaded before either is stored, so out may be
 * in.  Front and back go in whole blocks from 0 and m, as the transform before
 * stored them and the one after will read them: a processor that has to put a
 * vector together from two stores waits for both.  So the vector m - k, m - k -
 * 1, .. begins with the last number of one block and goes on in the next one.
 */

/* Complex numbers in reverse order; the same, of the first of b and all of a
 * but its first. */
#define BACK(i, h, n) (VL - 2 - (i) / 2 * 2 + (i) % 2)
#define MIRRORED(i, h, n) ((i) < 2 ? (n) + (i) : VL - (i) / 2 * 2 + (i) % 2)
#define CONJUGATE(i, h, n) ((i) % 2 ? (T)-0.0 : (T)0.0)

static inline vec turned_round(vec x)
{
    return SHUFFLE(VL, BACK, 0, x, x);
}

static inline vec mirrored(vec a, vec b)
{
    return SHUFFLE(VL, MIRRORED, 0, a, b);
}

static inline vec conjugate(vec x)
{
    const vec signs = {JOIN(LIST, VL)(CONJUGATE, 0, 0, 0)};
    return (vec)((word)x ^ (word)signs);
}

/* Front x and back y (turned round) to the same of the result; c and d: re and
 * im of the factors, twice each; half: with alternating signs in halves. */
static inline void pair_numbers(vec *x, vec *y, vec c, vec d, vec half,
                                vec halves)
{
    vec z = conjugate(*y), a = *x + z, b = *x - z;
    b = alternate(b, c, SHUFFLE(VL, TURNED, 0, b, b) * d);
    *x = FMA(a, half, b);
    *y = alternate(a, halves, b);
}

static inline void real_pairs(vec *x, vec *y, const T *w, vec half, vec halves)
{
    vec c, d;
    load_parts(w, &c, &d);
    pair_numbers(x, y, c, d, half, halves);
}

/* Less than a vector of pairs, k = 1 .. m/2. */
static inline void real_few(T *out, const T *in, const T *w, vec half,
                            vec halves, size_t m)
{
    size_t left = m / 2, back = m - left;
    T part[VL] = {0};
    memcpy(part + VL - 2 * left, in + 2 * back, 2 * left * sizeof(T));
    vec x = load_part(in + 2, 2 * left), y = turned_round(load(part));
    vec c, d;
    parts_of(load_part(w + 2, 2 * left), &c, &d);
    pair_numbers(&x, &y, c, d, half, halves);
    store(part, turned_round(y));
    memcpy(out + 2 * back, part + VL - 2 * left, 2 * left * sizeof(T));
    store_part(out + 2, x, 2 * left);
}

/* Whole vectors below count, of k = 0 something; the next k.  far begins with
 * in[m]. */
static inline size_t real_vectors(T *out, const T *in, const T *w, vec half,
                                  vec halves, vec far, size_t count, size_t m)
{
    vec x = load(in), near = load(in + 2 * (m - UNITS));
    vec y = mirrored(near, far);
    real_pairs(&x, &y, w, half, halves);
    store(out, x);
    size_t k = UNITS;
#if VECTOR_BYTES == 32 /* then y and near need not be copied */
#pragma GCC unroll 2
#endif
    for (; k + UNITS <= count; k += UNITS) {
        vec done = y;
        far = near;
        near = load(in + 2 * (m - k - UNITS));
        x = load(in + 2 * k);
        y = mirrored(near, far);
        real_pairs(&x, &y, w + 2 * k, half, halves);
        store(out + 2 * k, x);
        store(out + 2 * (m - k), mirrored(done, y));
    }
    /* what is left of y: all but its first number, which has been stored; that
     * of k = 0 has no place here */
    if (k > UNITS)
        store(out + 2 * (m - k + 1), turned_round(y));
    else
        store_part(out + 2 * (m - k + 1), turned_round(y), VL - 2);
    return k;
}

#if VECTOR_BYTES == 64
/* The same where blocks from the back, or from both ends, would lie across lines:
 * numbers come from a line and the one above it, and go to a line from a block and the
 * one before.  A store across lines is two, which many in turn have to wait for. */
enum { SHIFTED_LEAST = 7168 / sizeof(T) }; /* reals */

#define PART(i, h, n) ((i) % 2)
#define NUMBER(i, h, n) ((i) / 2 * 2)

/* Reals from the beginning of its line; odd: between two numbers. */
static inline ptrdiff_t beyond_line(const T *p)
{
    return (ptrdiff_t)((uintptr_t)p / sizeof(T) % VL);
}

/* Where they are, lines that have been loaded cost no more than one store. */
static inline bool shifts(const T *out, const T *in, size_t m)
{
    const ptrdiff_t to = beyond_line(out + 2 * m),
                    from = beyond_line(in + 2 * m);
    return m >= SHIFTED_LEAST / 2 && out != in &&
           (to > 0 || beyond_line(out) > 0) && to % 2 == 0 && from % 2 == 0;
}

INLINE size_t real_vectors_shifted(bool both, T *out, const T *in, const T *w,
                                   vec half, vec halves, T re, T im,
                                   size_t count, size_t m)
{
    const ptrdiff_t ahead = beyond_line(out);
    const ptrdiff_t from = beyond_line(in + 2 * m);
    const ptrdiff_t to = beyond_line(out + 2 * m);
    const word zero = {0}, number = {JOIN(LIST, VL)(NUMBER, 0, 0, 0)};
    const word part = {JOIN(LIST, VL)(PART, 0, 0, 0)};
    const __m512i at = (__m512i)(zero + (WORD)(VL + from) - number + part);
    const __m512i put = (__m512i)(zero + (WORD)(VL + to) - number + part);
    const __m512i put_front = (__m512i)(zero + (WORD)(VL - ahead) + number +
                                        part);
    T first[VL] = {0};
    memcpy(first, in + 2 * m - from, (size_t)from * sizeof(T));
    first[from] = re;
    first[from + 1] = im;
    const T *line = in + 2 * m - from;
    T *back = out + 2 * m - to;
    vec far = load(first), done = {0}, y = {0}, x = {0};
    size_t k = 0;
    for (; k + UNITS <= count; k += UNITS) {
        const vec near = load(line - 2 * k - VL), before = x;
        x = load(in + 2 * k);
        y = MASKED(permutex2var)(near, at, far);
        real_pairs(&x, &y, w + 2 * k, half, halves);
        if (!both || k == 0)
            store(out + 2 * k, x);
        else
            store(out - ahead + 2 * k,
                  MASKED(permutex2var)(before, put_front, x));
        if (k == UNITS)
            store(out + 2 * (m - k), mirrored(done, y));
        if (k > 0)
            store(back - 2 * k, MASKED(permutex2var)(done, put, y));
        far = near;
        done = y;
    }
    store(out + 2 * (m - k + 1), turned_round(y));
    if (both)
        store(out + 2 * k - VL, x);
    return k;
}
#endif

/* k = 1 .. m - 1; of k = 0 something is stored; (re, im): in[m].  (As a vector it
 * would be an argument in a wide register: then compilers leave the upper halves of
 * registers as they are on return, and what is compiled for SSE waits for them.)
 * A rest of less than a
 * vector is made by one that overlaps the last: it is loaded before that one is
 * stored, and gives what it gave the same bits; but m/2 alone only turns into
 * its conjugate. */
static inline void real_inner(T *out, const T *in, const T *w, T scale, T re,
                              T im, size_t m)
{
    const vec far = {re, im};
    const vec half = (vec){0} + scale, halves = conjugate(half);
    size_t count = m / 2 + 1, last = count - UNITS, rest = m - m / 2;
    if (m / 2 < UNITS) {
        real_few(out, in, w, half, halves, m);
        return;
    }
    vec u = load(in + 2 * last), v = turned_round(load(in + 2 * rest));
    size_t k;
#if VECTOR_BYTES == 64
    const bool shifted = shifts(out, in, m);
    if (shifted && beyond_line(out) > 0)
        k = real_vectors_shifted(true, out, in, w, half, halves, re, im, count,
                                 m);
    else if (shifted)
        k = real_vectors_shifted(false, out, in, w, half, halves, re, im,
                                 count, m);
    else
#endif
        k = real_vectors(out, in, w, half, halves, far, count, m);
    if (k == count)
        return;
    if (k == rest) {
        out[2 * k] = 2 * scale * in[2 * k];
        out[2 * k + 1] = -2 * scale * in[2 * k + 1];
        return;
    }
    real_pairs(&u, &v, w + 2 * last, half, halves);
    store(out + 2 * last, u);
    store(out + 2 * rest, turned_round(v));
}

static void real_unpack_ends(T *out, const T *in, T scale, size_t m)
{
    T re = in[0], im = in[1];
    out[0] = (re + im) * scale;
    out[1] = 0;
    out[2 * m] = (re - im) * scale;
    out[2 * m + 1] = 0;
}

static void real_pack_ends(T *out, const T *in, T scale, size_t m)
{
    T first = in[0], last = in[2 * m];
    out[0] = (first + last) * scale;
    out[1] = (first - last) * scale;
}

static void real_unpack(T *out, const T *in, const T *w, T half, T scale,
                        size_t m)
{
    const T first[2] = {in[0], in[1]};
    real_inner(out, in, w, half, first[0], first[1], m);
    real_unpack_ends(out, first, scale, m);
}

static void real_pack(T *out, const T *in, const T *w, T half, T scale,
                      size_t m)
{
    T first = in[0], last = in[2 * m];
    real_inner(out, in, w, half, last, 0, m);
    out[0] = (first + last) * scale;
    out[1] = (first - last) * scale;
}

/* re and im of factors, twice each: each its own, in a; or the products of (s, t)
 * and (a, b). */
static inline void real_factors(bool own, vec a, vec b, vec s, vec t, vec *c,
                                vec *d)
{
    if (own) {
        parts_of(a, c, d);
    } else {
        *c = FMA(a, s, -(b * t));
        *d = FMA(a, t, b * s);
    }
}

/* k = first on, by the factors that begin at re and im. */
INLINE void real_part(bool own, T *out, const T *in, const T *re, const T *im,
                      vec s, vec t, T scale, size_t first, size_t count,
                      size_t m)
{
    const vec half = (vec){0} + scale, halves = conjugate(half);
    const size_t stop = 2 * (m - first + 1), reals = 2 * count;
    T *back = out + stop;
    const T *in_back = in + stop;
    vec c, d;
    out += 2 * first;
    in += 2 * first;
    size_t i = 0;
    for (; i + VL <= reals; i += VL) {
        real_factors(own, load(re + i), load(im + i), s, t, &c, &d);
        vec x = load(in + i), y = turned_round(load(in_back - i - VL));
        pair_numbers(&x, &y, c, d, half, halves);
        store(out + i, x);
        store(back - i - VL, turned_round(y));
    }
    if (i == reals)
        return;
    const size_t left = reals - i;
    real_factors(own, load_part(re + i, left), load_part(im + i, left), s, t,
                 &c, &d);
    vec x = load_part(in + i, left);
    vec y = turned_round(load_end(in_back - i - VL, left));
    pair_numbers(&x, &y, c, d, half, halves);
    store_part(out + i, x, left);
    store_end(back - i - VL, turned_round(y), left);
}

static void real_row(T *out, const T *in, const T *row, const T *column_re,
                     const T *column_im, T scale, size_t first, size_t count,
                     size_t m)
{
    real_part(false, out, in, column_re, column_im, (vec){0} + row[0],
              (vec){0} + row[1], scale, first, count, m);
}

static void real_some(T *out, const T *in, const T *w, T scale, size_t first,
                      size_t count, size_t m)
{
    w += 2 * first;
    real_part(true, out, in, w, w, (vec){0}, (vec){0}, scale, first, count, m);
}

static void real_tiny(T *out, const T *in, T scale, size_t n)
{
    T a = in[0], b = n == 2 ? in[1] : 0;
    out[0] = (a + b) * scale;
    out[1] = 0;
    if (n == 2) {
        out[2] = (a - b) * scale;
        out[3] = 0;
    }
}

static void real_tiny_back(T *out, const T *in, T scale, size_t n)
{
    T a = in[0], b = n == 2 ? in[2] : 0;
    out[0] = (a + b) * scale;
    if (n == 2)
        out[1] = (a - b) * scale;
}

static void real_widen(T *out, const T *in, size_t n)
{
    const vec zero = {0};
    size_t k = 0;
    for (; k + VL <= n; k += VL) {
        const split x = merged(load(in + k), zero);
        store(out + 2 * k, x.re);
        store(out + 2 * k + VL, x.im);
    }
    for (; k < n; k++) {
        out[2 * k] = in[k];
        out[2 * k + 1] = 0;
    }
}

static void real_halve(T *out, const T *in, T scale, size_t n)
{
    const size_t reals = 2 * (n / 2 + 1);
    size_t k = 0;
    for (; k + VL <= reals; k += VL)
        store(out + k, load(in + k) * scale);
    for (; k < reals; k++)
        out[k] = in[k] * scale;
    out[1] = 0;
    if (n % 2 == 0)
        out[n + 1] = 0;
}

static void real_mirror(T *out, const T *in, size_t n)
{
    const size_t half = (n + 1) / 2; /* from here on mirrored */
    size_t k = 1;
    out[0] = in[0];
    out[1] = 0;
    for (; k + UNITS <= half; k += UNITS) {
        const vec x = load(in + 2 * k);
        store(out + 2 * k, x);
        store(out + 2 * (n - k - UNITS + 1), turned_round(conjugate(x)));
    }
    for (; k < half; k++) {
        out[2 * k] = out[2 * (n - k)] = in[2 * k];
        out[2 * k + 1] = in[2 * k + 1];
        out[2 * (n - k) + 1] = -in[2 * k + 1];
    }
    if (n % 2 == 0) {
        out[n] = in[n];
        out[n + 1] = 0;
    }
}

static void real_narrow(T *out, const T *in, T scale, size_t n)
{
    size_t k = 0;
    for (; k + VL <= n; k += VL)
        store(out + k, scale * SHUFFLE(VL, EVENS, 0, load(in + 2 * k),
                                       load(in + 2 * k + VL)));
    for (; k < n; k++)
        out[k] = in[2 * k] * scale;
}
