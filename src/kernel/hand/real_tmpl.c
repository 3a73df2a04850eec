/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_tmpl.c - between complex transforms and the half spectra of reals.
 *
 * Pairs k and m - k are made together: a vector from the front, one from the
 * back turned round.  Both are loaded before either is stored, so out may be
 * in.  The last vector overlaps the one before it; it is loaded before that
 * one is stored, and gives what it gave the same bits again.
 */

/* Complex numbers in reverse order. */
#define BACK(i, h, n) (VL - 2 - (i) / 2 * 2 + (i) % 2)
#define CONJUGATE(i, h, n) ((i) % 2 ? (T)-0.0 : (T)0.0)

static inline vec turned_round(vec x)
{
    return SHUFFLE(VL, BACK, 0, x, x);
}

static inline vec conjugate(vec x)
{
    const vec signs = {JOIN(LIST, VL)(CONJUGATE, 0, 0, 0)};
    return (vec)((word)x ^ (word)signs);
}

/* Front x and back y (conjugate, turned round) to the same of the result. */
static inline void real_pairs(vec *x, vec *y, vec w, vec half)
{
    vec a = *x + *y, b = product(*x - *y, w);
    *x = FMA(a, half, b);
    *y = FMA(a, half, -b);
}

/* Less than a vector of pairs, k = 1 .. m/2. */
static inline void real_few(T *out, const T *in, const T *w, vec h, size_t m)
{
    size_t k = 1, left = m / 2, back = m - left;
    T part[VL] = {0};
    memcpy(part + VL - 2 * left, in + 2 * back, 2 * left * sizeof(T));
    vec x = load_part(in + 2 * k, 2 * left);
    vec y = conjugate(turned_round(load(part)));
    real_pairs(&x, &y, load_part(w, 2 * left), h);
    store(part, turned_round(conjugate(y)));
    memcpy(out + 2 * back, part + VL - 2 * left, 2 * left * sizeof(T));
    store_part(out + 2 * k, x, 2 * left);
}

/* k = 1 .. m - 1. */
static inline void real_inner(T *out, const T *in, const T *w, T half,
                              size_t m)
{
    const vec h = (vec){0} + half;
    if (m / 2 < UNITS) {
        real_few(out, in, w, h, m);
        return;
    }
    size_t k = 1, end = m / 2 - UNITS + 1, rest = m - m / 2;
    vec u = load(in + 2 * end), v = load(in + 2 * rest);
    for (; k < end; k += UNITS) {
        size_t back = m - k - UNITS + 1;
        vec x = load(in + 2 * k);
        vec y = conjugate(turned_round(load(in + 2 * back)));
        real_pairs(&x, &y, load(w + 2 * (k - 1)), h);
        store(out + 2 * k, x);
        store(out + 2 * back, turned_round(conjugate(y)));
    }
    v = conjugate(turned_round(v));
    real_pairs(&u, &v, load(w + 2 * (end - 1)), h);
    store(out + 2 * end, u);
    store(out + 2 * rest, turned_round(conjugate(v)));
}

static void real_unpack(T *out, const T *in, const T *w, T half, T scale,
                        size_t m)
{
    T re = in[0], im = in[1];
    real_inner(out, in, w, half, m);
    out[0] = (re + im) * scale;
    out[1] = 0;
    out[2 * m] = (re - im) * scale;
    out[2 * m + 1] = 0;
}

static void real_pack(T *out, const T *in, const T *w, T half, T scale,
                      size_t m)
{
    T first = in[0], last = in[2 * m];
    real_inner(out, in, w, half, m);
    out[0] = (first + last) * scale;
    out[1] = (first - last) * scale;
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
    for (size_t k = 0; k < n; k++) {
        out[2 * k] = in[k];
        out[2 * k + 1] = 0;
    }
}

static void real_halve(T *out, const T *in, T scale, size_t n)
{
    size_t reals = 2 * (n / 2 + 1);
    for (size_t k = 0; k < reals; k++)
        out[k] = in[k] * scale;
    out[1] = 0;
    if (n % 2 == 0)
        out[n + 1] = 0;
}

static void real_mirror(T *out, const T *in, size_t n)
{
    out[0] = in[0];
    out[1] = 0;
    for (size_t k = 1; 2 * k <= n; k++) {
        out[2 * (n - k)] = in[2 * k];
        out[2 * (n - k) + 1] = -in[2 * k + 1];
        out[2 * k] = in[2 * k];
        out[2 * k + 1] = 2 * k == n ? 0 : in[2 * k + 1];
    }
}

static void real_narrow(T *out, const T *in, T scale, size_t n)
{
    for (size_t k = 0; k < n; k++)
        out[k] = in[2 * k] * scale;
}
