/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs_tmpl.c - see pairs.h.
 *
 * Sums keep the rounding error of the heads and add it to the rest; nothing
 * renormalises: after a transform the rest is some tens of units in the last
 * place of the head, and its own roundings stay 2^-98 down.  Products are
 * exact in the heads, by a fused operation or by Dekker's splitting.
 *
 * Lanes are q where a row of s fills a vector.  The first pass or two have
 * shorter rows: there lanes run over p and q together, which lie one after
 * the other in the input, and the outputs are put in place one by one.
 *
 * Source: T. J. Dekker, "A floating-point technique for extending the
 * available precision", Numer. Math. 18, 1971.
 */
typedef struct pair {
    vec h, l;
} pair;

typedef struct number {
    pair re, im;
} number;

INLINE pair pair_add(pair a, pair b)
{
    vec s = a.h + b.h, b_part = s - a.h;
    vec error = (a.h - (s - b_part)) + (b.h - b_part);
    return (pair){s, (a.l + b.l) + error};
}

INLINE pair pair_negate(pair a)
{
    return (pair){-a.h, -a.l};
}

INLINE pair pair_sub(pair a, pair b)
{
    return pair_add(a, pair_negate(b));
}

#ifdef FUSED
INLINE vec product_error(vec a, vec b, vec p)
{
    return FMA(a, b, -p);
}
#else
INLINE vec product_error(vec a, vec b, vec p)
{
    vec c = a * 0x1.0000002p27, d = b * 0x1.0000002p27;
    vec a1 = c - (c - a), b1 = d - (d - b), a2 = a - a1, b2 = b - b1;
    return ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
}
#endif

INLINE pair pair_mul(pair a, pair b)
{
    vec p = a.h * b.h, error = product_error(a.h, b.h, p);
    return (pair){p, FMA(a.h, b.l, FMA(a.l, b.h, error))};
}

INLINE number number_add(number a, number b)
{
    return (number){pair_add(a.re, b.re), pair_add(a.im, b.im)};
}

INLINE number number_sub(number a, number b)
{
    return (number){pair_sub(a.re, b.re), pair_sub(a.im, b.im)};
}

INLINE number number_mul(number a, number b)
{
    return (number){pair_sub(pair_mul(a.re, b.re), pair_mul(a.im, b.im)),
                    pair_add(pair_mul(a.re, b.im), pair_mul(a.im, b.re))};
}

/* times -i */
INLINE number number_turn(number a)
{
    return (number){a.im, pair_negate(a.re)};
}

INLINE vec every(double x)
{
    return (vec){0} + x;
}

INLINE number constant(const double *root)
{
    return (number){{every(root[0]), every(root[1])},
                    {every(root[2]), every(root[3])}};
}

INLINE number fetch(const wf_planes *in, size_t at)
{
    return (number){{load(in->re + at), load(in->re_rest + at)},
                    {load(in->im + at), load(in->im_rest + at)}};
}

INLINE number fetch_part(const wf_planes *in, size_t at, size_t count)
{
    return (number){
        {load_part(in->re + at, count), load_part(in->re_rest + at, count)},
        {load_part(in->im + at, count), load_part(in->im_rest + at, count)}};
}

INLINE void put(const wf_planes *out, size_t at, number x)
{
    store(out->re + at, x.re.h);
    store(out->re_rest + at, x.re.l);
    store(out->im + at, x.im.h);
    store(out->im_rest + at, x.im.l);
}

/* ---- r points, in place, natural order ----------------------------------- */

INLINE void points_2(number *a, number *b)
{
    number sum = number_add(*a, *b);
    *b = number_sub(*a, *b);
    *a = sum;
}

INLINE void points_4(number *a, number *b, number *c, number *d)
{
    points_2(a, c);
    points_2(b, d);
    number turned = number_turn(*d), third = number_sub(*a, *b);
    *a = number_add(*a, *b);
    *b = number_add(*c, turned);
    *d = number_sub(*c, turned);
    *c = third;
}

/* times (1 - i) sqrt(1/2) */
INLINE number number_eighth(number a, pair half)
{
    return (number){pair_mul(pair_add(a.re, a.im), half),
                    pair_mul(pair_sub(a.im, a.re), half)};
}

INLINE void points_8(number *x)
{
    const pair half = {every(0x1.6a09e667f3bcdp-1),
                       every(-0x1.bdd3413b26456p-55)};
    points_4(&x[0], &x[2], &x[4], &x[6]);
    points_4(&x[1], &x[3], &x[5], &x[7]);
    number y1 = number_eighth(x[3], half), y2 = number_turn(x[5]);
    number y3 = number_turn(number_eighth(x[7], half));
    number e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6], y0 = x[1];
    x[0] = number_add(e0, y0);
    x[4] = number_sub(e0, y0);
    x[1] = number_add(e1, y1);
    x[5] = number_sub(e1, y1);
    x[2] = number_add(e2, y2);
    x[6] = number_sub(e2, y2);
    x[3] = number_add(e3, y3);
    x[7] = number_sub(e3, y3);
}

/* Odd r: the sums and differences of legs j and r - j meet the real and the
 * imaginary parts of the roots, for outputs k and r - k at once. */
INLINE void points_odd(number *x, const double *roots, size_t n, int r)
{
    enum { HALF = WF_PAIRS_LARGEST / 2 };
    number even[HALF], odd[HALF], first = x[0];
    int half = r / 2;
    size_t step = n / (size_t)r;
    for (int j = 1; j <= half; j++) {
        even[j - 1] = number_add(x[j], x[r - j]);
        odd[j - 1] = number_sub(x[j], x[r - j]);
        x[0] = number_add(x[0], even[j - 1]);
    }
    for (int k = 1; k <= half; k++) {
        number a = first, b = {{{0}, {0}}, {{0}, {0}}};
        for (int j = 1; j <= half; j++) {
            number w = constant(roots + 4 * ((size_t)(j * k % r) * step));
            number e = even[j - 1], o = odd[j - 1];
            a = number_add(a, (number){pair_mul(e.re, w.re),
                                       pair_mul(e.im, w.re)});
            b = number_add(b, (number){pair_mul(o.re, w.im),
                                       pair_mul(o.im, w.im)});
        }
        number turned = {pair_negate(b.im), b.re};
        x[k] = number_add(a, turned);
        x[r - k] = number_sub(a, turned);
    }
}

/* One of each for all radices: what they are for is planned once. */
static __attribute__((noinline)) void points(number *x, const double *roots,
                                             size_t n, int r)
{
    if (r == 2)
        points_2(&x[0], &x[1]);
    else if (r == 4)
        points_4(&x[0], &x[1], &x[2], &x[3]);
    else if (r == 8)
        points_8(x);
    else
        points_odd(x, roots, n, r);
}

/* ---- passes -------------------------------------------------------------- */

typedef struct pair_pass {
    const wf_planes *in, *out;
    const double *roots;
    size_t n, s, m;
} pair_pass;

/* Rows of at least a vector; the last vector of a row overlaps. */
INLINE void long_rows(const pair_pass *p, int r)
{
    size_t leg = p->n / (size_t)r, s = p->s;
    number x[WF_PAIRS_LARGEST];
    for (size_t row = 0; row < p->m; row++)
        for (size_t at = 0; at < s; at += VL) {
            size_t q = at + VL <= s ? at : s - VL;
            for (int j = 0; j < r; j++)
                x[j] = fetch(p->in, q + s * row + (size_t)j * leg);
            points(x, p->roots, p->n, r);
            size_t to = q + s * (size_t)r * row;
            put(p->out, to, x[0]);
            for (int k = 1; k < r; k++) {
                const double *w = p->roots + 4 * (s * row * (size_t)k);
                number y = row == 0 ? x[k] : number_mul(x[k], constant(w));
                put(p->out, to + s * (size_t)k, y);
            }
        }
}

/* Where the lanes of a vector that starts at i of p and q together belong. */
typedef struct places {
    size_t row[VL], to[VL];
} places;

INLINE places locate(const pair_pass *p, size_t i, size_t count, int r)
{
    places at;
    size_t row = i / p->s, q = i % p->s;
    for (size_t l = 0; l < count; l++) {
        at.row[l] = row;
        at.to[l] = q + p->s * (size_t)r * row;
        if (++q == p->s) {
            q = 0;
            row++;
        }
    }
    return at;
}

INLINE number twiddles(const pair_pass *p, const places *at, size_t k,
                       size_t count)
{
    double w[4][VL] = {{0}};
    for (size_t l = 0; l < count; l++)
        for (int part = 0; part < 4; part++)
            w[part][l] = p->roots[4 * (p->s * at->row[l] * k) + (size_t)part];
    return (number){{load(w[0]), load(w[1])}, {load(w[2]), load(w[3])}};
}

INLINE void put_lanes(const pair_pass *p, const places *at, size_t k, number x,
                      size_t count)
{
    double y[4][VL];
    wf_planes lanes = {y[0], y[1], y[2], y[3]};
    put(&lanes, 0, x);
    for (size_t l = 0; l < count; l++) {
        size_t to = at->to[l] + p->s * k;
        p->out->re[to] = y[0][l];
        p->out->re_rest[to] = y[1][l];
        p->out->im[to] = y[2][l];
        p->out->im_rest[to] = y[3][l];
    }
}

INLINE void short_rows(const pair_pass *p, int r)
{
    size_t leg = p->n / (size_t)r;
    number x[WF_PAIRS_LARGEST];
    for (size_t i = 0; i < leg; i += VL) {
        size_t count = leg - i < VL ? leg - i : VL;
        places at = locate(p, i, count, r);
        for (int j = 0; j < r; j++) {
            size_t from = i + (size_t)j * leg;
            x[j] = count == VL ? fetch(p->in, from)
                               : fetch_part(p->in, from, count);
        }
        points(x, p->roots, p->n, r);
        put_lanes(p, &at, 0, x[0], count);
        for (int k = 1; k < r; k++)
            put_lanes(p, &at, (size_t)k,
                      number_mul(x[k], twiddles(p, &at, (size_t)k, count)),
                      count);
    }
}

static void pairs_pass(const wf_planes *in, const wf_planes *out,
                       const double *roots, size_t n, size_t s, int r)
{
    const pair_pass p = {in, out, roots, n, s, n / (s * (size_t)r)};
    if (s >= VL)
        long_rows(&p, r);
    else
        short_rows(&p, r);
}

static void pairs_round(const wf_planes *in, double factor, double rest,
                        size_t n, double *out)
{
    const pair by = {every(factor), every(rest)};
    for (size_t i = 0; i < n; i += VL) {
        size_t count = n - i < VL ? n - i : VL;
        number x = count == VL ? fetch(in, i) : fetch_part(in, i, count);
        pair re = pair_mul(x.re, by), im = pair_mul(x.im, by);
        double c[VL], d[VL];
        store(c, re.h + re.l);
        store(d, im.h + im.l);
        for (size_t l = 0; l < count; l++) {
            out[2 * (i + l)] = c[l];
            out[2 * (i + l) + 1] = d[l];
        }
    }
}

/* As two_products in num/roots.c, the rests added; heads of 26 bits need no
 * fused operation. */
INLINE vec turned(vec a, vec a_rest, vec b, vec b_rest, vec d, vec d_rest,
                  vec e, vec e_rest)
{
    vec p = a * b, q = d * e, s = p + q, q_part = s - p;
    vec error = (p - (s - q_part)) + (q - q_part);
    vec low = (a * b_rest + a_rest * b + a_rest * b_rest) +
              (d * e_rest + d_rest * e + d_rest * e_rest);
    return s + (error + low);
}

static void turn(const double by[4], size_t count, const double *const at[4],
                 double *cosine, double *sine)
{
    const vec c = every(by[0]), c_rest = every(by[1]), s = every(by[2]),
              s_rest = every(by[3]);
    for (size_t i = 0; i < count; i += VL) {
        const size_t left = count - i;
        vec x[4];
        for (int k = 0; k < 4; k++)
            x[k] = left < VL ? load_part(at[k] + i, left) : load(at[k] + i);
        vec re = turned(c, c_rest, x[0], x[1], -s, -s_rest, x[2], x[3]);
        vec im = turned(s, s_rest, x[0], x[1], c, c_rest, x[2], x[3]);
        if (left < VL) {
            store_part(cosine + i, re, left);
            store_part(sine + i, im, left);
        } else {
            store(cosine + i, re);
            store(sine + i, im);
        }
    }
}

#define PAIRS JOIN(wf_hand_pairs_, ISA)
extern const wf_hand_pairs PAIRS;
const wf_hand_pairs PAIRS = {.pass = pairs_pass,
                             .round = pairs_round,
                             .turn = turn};
