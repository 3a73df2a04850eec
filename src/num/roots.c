/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * roots.c - exp(2 pi i k / n), the phase reduced in integers.
 *
 * The phase is held as the fraction a / n of an eighth turn.  Three
 * reflections, exact in integers, fold it into 0 <= a <= n and remember which
 * signs to flip and whether to swap sine and cosine; so symmetric roots have
 * the same bits, and 0, +-1, +-1/2, +-sqrt(1/2) are what they should be.
 *
 * One root: the angle (pi/4) (a/n) and its Taylor series in double-double.
 * The terms below 2^-50 of the result need, and get, only double.  Left out
 * are terms below 2^-112.
 *
 * Many roots (wf_root_table): a = coarse * B + fine with B near sqrt(n), two
 * small tables of roots to 2^-98, and the angle-sum formula
 *     cos(c + f) = cos c cos f - sin c sin f,
 *     sin(c + f) = sin c cos f + cos c sin f.
 * A table value is a head of 26 bits and a double for the rest, 79 bits in
 * all: products of heads are exact in double without any splitting, their
 * sum is made exact by two_sum, and everything else is a correction 2^-26
 * down whose rounding is 2^-78 of the root.  Rounding the sum once to double
 * therefore errs by at most 0.5 + 2^-24 ulp.  The small tables take a series
 * for every 64th entry and one product of double-doubles for the others.
 *
 * All n roots (wf_roots_circle): one product for each point of the octant (a
 * quadrant or half when 4 or 2 does not divide n), the others mirrored.
 *
 * Sources: octants, S. G. Johnson and M. Frigo, "Implementing FFTs in
 * practice" (2008); heads and tails, S. Gal and B. Bachelis, "An accurate
 * elementary mathematical library for the IEEE floating point standard",
 * ACM TOMS 17, 1991.
 */
#include "num/num.h"

#include "base/base.h"
#include "num/dd_inline.h"

#include <string.h>

__extension__ typedef unsigned __int128 u128;

static const wf_dd quarter_pi = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
static const wf_dd sqrt_half = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};

/* (-1)^j / (2j)! and (-1)^j / (2j+1)!, j = 1, 2, ..., from exact fractions. */
static const wf_dd cos_terms[] = {
    {-0x1p-1, 0},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {-0x1.27e4fb7789f5cp-22, -0x1.cbbc05b4fa99ap-76},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {-0x1.93974a8c07c9dp-37, -0x1.05d6f8a2efd1fp-92},
    {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
    {-0x1.6827863b97d97p-53, -0x1.eec01221a8b0bp-107},
    {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
    {-0x1.0ce396db7f853p-70, 0x1.aebcdbd20331cp-124},
    {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
    {-0x1.88e85fc6a4e5ap-89, 0x1.71c37ebd16540p-143},
    {0x1.0a18a2635085dp-98, 0x1.b9e2e28e1aa54p-153},
};
static const wf_dd sin_terms[] = {
    {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
    {-0x1.ae64567f544e4p-26, 0x1.c062e06d1f209p-80},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
    {-0x1.ae7f3e733b81fp-41, -0x1.1d8656b0ee8cbp-97},
    {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
    {-0x1.2f49b46814157p-57, -0x1.2650f61dbdcb4p-112},
    {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
    {-0x1.761b41316381ap-75, 0x1.3423c7d91404fp-130},
    {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
    {-0x1.d1ab1c2dccea3p-94, -0x1.054d0c78aea14p-149},
};

/* ---- one root ----------------------------------------------------------- */

/* sum over j of terms[j-1] y^j: Horner, the first `exact` terms in
 * double-double, the others in double. */
static wf_dd series(const wf_dd *terms, int count, int exact, wf_dd y)
{
    double tail = 0;
    for (int j = count - 1; j >= exact; j--)
        tail = terms[j].hi + y.hi * tail;
    wf_dd sum = {y.hi * tail, 0};
    for (int j = exact - 1; j >= 0; j--) {
        wf_dd s = fast_two_sum(terms[j].hi, sum.hi);
        sum = mul(y, fast_two_sum(s.hi, s.lo + (terms[j].lo + sum.lo)));
    }
    return sum;
}

/* An unsigned integer, exactly. */
static wf_dd from_integer(uint64_t k)
{
    return fast_two_sum((double)(k >> 32) * 0x1p32, (double)(uint32_t)k);
}

/* Cosine and sine of the fraction a / n of an eighth turn, 0 <= a <= n. */
static void octant(uint64_t a, uint64_t n, wf_dd *c, wf_dd *s)
{
    if (a == n) {
        *c = *s = sqrt_half;
        return;
    }
    wf_dd x = mul(quarter_pi, wf_dd_div(from_integer(a), from_integer(n)));
    wf_dd y = mul(x, x);
    wf_dd cosine = series(cos_terms, 14, 8, y);
    wf_dd sine = series(sin_terms, 13, 7, y);
    *c = add((wf_dd){1, 0}, cosine);
    *s = add(x, mul(x, sine));
    if ((u128)3 * a == (u128)2 * n)
        *s = (wf_dd){0.5, 0};
}

/* What folding did; undone in the opposite order. */
typedef struct fold {
    uint64_t a;
    bool swap, flip_cos, flip_sin;
} fold;

/* k < n; a turn is 8 n. */
static inline fold fold_phase(uint64_t k, uint64_t n)
{
    fold f = {0};
    u128 a = (u128)8 * k;
    if (a > (u128)4 * n) {
        a = (u128)8 * n - a;
        f.flip_sin = true;
    }
    if (a > (u128)2 * n) {
        a = (u128)4 * n - a;
        f.flip_cos = true;
    }
    if (a > n) {
        a = (u128)2 * n - a;
        f.swap = true;
    }
    f.a = (uint64_t)a;
    return f;
}

static inline wf_dd negate_if(bool flip, wf_dd x)
{
    return flip ? (wf_dd){-x.hi, -x.lo} : x;
}

static inline void unfold(fold f, wf_dd c, wf_dd s, wf_dd *re, wf_dd *im)
{
    /* a zero keeps its sign: the axes are +0 */
    *re = negate_if(f.flip_cos && (f.swap ? s : c).hi != 0, f.swap ? s : c);
    *im = negate_if(f.flip_sin && (f.swap ? c : s).hi != 0, f.swap ? c : s);
}

static uint64_t reduce(int64_t k, uint64_t n)
{
    if (k >= 0)
        return (uint64_t)k % n;
    uint64_t rest = (uint64_t) - (k + 1) % n; /* -k - 1 */
    return n - 1 - rest;
}

void wf_root_dd(int64_t k, uint64_t n, wf_dd *re, wf_dd *im)
{
    fold f = fold_phase(reduce(k, n), n);
    wf_dd c, s;
    octant(f.a, n, &c, &s);
    unfold(f, c, s, re, im);
}

void wf_root(int64_t k, uint64_t n, double *re, double *im)
{
    wf_dd c, s;
    wf_root_dd(k, n, &c, &s);
    *re = c.hi;
    *im = s.hi;
}

/* To float with one rounding: the double is first rounded to odd, which
 * keeps on which side of a float's midpoint the value lies (S. Boldo and G.
 * Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms
 * using rounding to odd", IEEE TC 57, 2008). */
static inline float round_f32(wf_dd x)
{
    uint64_t bits;
    memcpy(&bits, &x.hi, sizeof bits);
    uint64_t move = (uint64_t)(x.lo != 0) & ~bits; /* no branch: a coin toss */
    bits += move * (2 * (uint64_t)((x.lo > 0) == (x.hi > 0)) - 1);
    memcpy(&x.hi, &bits, sizeof bits);
    return (float)x.hi;
}

void wf_root_f32(int64_t k, uint64_t n, float *re, float *im)
{
    wf_dd c, s;
    wf_root_dd(k, n, &c, &s);
    *re = round_f32(c);
    *im = round_f32(s);
}

/* ---- many roots --------------------------------------------------------- */

/* A value as head (26 bits) + rest. */
typedef struct entry {
    double c, c_rest, s, s_rest;
} entry;

struct wf_root_table {
    uint64_t n;
    uint64_t unit;         /* gcd(8, n): every a is a multiple */
    int unit_shift, shift; /* unit = 2^unit_shift, B = 2^shift */
    entry *coarse, *fine;  /* of one block */
};

/* Above this n the folding would leave 64 bits. */
#define TABLE_MAX ((uint64_t)1 << 59)

/* A root to 2^-100. */
typedef struct point {
    wf_dd c, s;
} point;

/* a b + d e to 2^-102 of the larger product, without renormalising between. */
static inline wf_dd sum_of_products(wf_dd a, wf_dd b, wf_dd d, wf_dd e)
{
    wf_dd p = two_prod(a.hi, b.hi), q = two_prod(d.hi, e.hi);
    wf_dd sum = two_sum(p.hi, q.hi);
    double low = (p.lo + q.lo) + (a.hi * b.lo + a.lo * b.hi) +
                 (d.hi * e.lo + d.lo * e.hi);
    return fast_two_sum(sum.hi, sum.lo + low);
}

static inline point turn(point p, point q)
{
    wf_dd minus = {-p.s.hi, -p.s.lo};
    return (point){sum_of_products(p.c, q.c, minus, q.s),
                   sum_of_products(p.s, q.c, p.c, q.s)};
}

/* Entry i has the angle i step / n, i < count, all in the octant.  Of 64
 * entries the first comes from the series; the distances to the others are
 * products of halves, six deep. */
static void fill_entries(entry *out, size_t count, uint64_t step, uint64_t n)
{
    enum { GROUP = 64 };
    point away[GROUP] = {{{1, 0}, {0, 0}}};
    if (count > 1)
        octant(step, n, &away[1].c, &away[1].s);
    for (size_t i = 2; i < GROUP && i < count; i++)
        away[i] = turn(away[i / 2], away[i - i / 2]);
    point start = away[0];
    for (size_t i = 0; i < count; i++) {
        point p = away[i % GROUP];
        if (i >= GROUP) {
            if (i % GROUP == 0)
                octant(i * step, n, &start.c, &start.s);
            p = turn(start, p);
        }
        entry e = {.c = upper_half(p.c.hi), .s = upper_half(p.s.hi)};
        e.c_rest = (p.c.hi - e.c) + p.c.lo;
        e.s_rest = (p.s.hi - e.s) + p.s.lo;
        out[i] = e;
    }
}

wf_root_table *wf_root_table_new(uint64_t n)
{
    if (n == 0 || n > TABLE_MAX)
        return NULL;
    int unit_shift = n % 8 == 0 ? 3 : n % 4 == 0 ? 2 : n % 2 == 0;
    uint64_t last = n >> unit_shift; /* a / unit runs over 0..last */
    int shift = 0;
    while ((uint64_t)1 << (2 * shift) < last)
        shift++;
    size_t fine = (size_t)1 << shift, coarse = (size_t)(last >> shift) + 1;
    wf_root_table *table = wf_alloc(sizeof *table +
                                    (fine + coarse) * sizeof(entry));
    if (!table)
        return NULL;
    *table = (wf_root_table){n,          (uint64_t)1 << unit_shift,
                             unit_shift, shift,
                             NULL,       (entry *)(void *)(table + 1)};
    table->coarse = table->fine + fine;
    /* with n < B (n tiny) the fine entries beyond n are never asked for */
    fill_entries(table->fine, fine <= last ? fine : (size_t)last + 1,
                 table->unit, n);
    fill_entries(table->coarse, coarse, table->unit << shift, n);
    return table;
}

void wf_root_table_free(wf_root_table *table)
{
    wf_free(table);
}

/* a b + d e in 79 bits, each factor a head and a rest. */
static inline wf_dd two_products(double a, double a_rest, double b,
                                 double b_rest, double d, double d_rest,
                                 double e, double e_rest)
{
    wf_dd sum = two_sum(a * b, d * e); /* both products exact */
    double low = (a * b_rest + a_rest * b + a_rest * b_rest) +
                 (d * e_rest + d_rest * e + d_rest * e_rest);
    return fast_two_sum(sum.hi, sum.lo + low);
}

/* a/unit of an octant, 0 <= a < n. */
static inline void look_up_octant(const wf_root_table *t, uint64_t i, wf_dd *c,
                                  wf_dd *s)
{
    const entry *p = &t->coarse[i >> t->shift];
    const entry *q = &t->fine[i & (((uint64_t)1 << t->shift) - 1)];
    *c = two_products(p->c, p->c_rest, q->c, q->c_rest, -p->s, -p->s_rest,
                      q->s, q->s_rest);
    *s = two_products(p->s, p->s_rest, q->c, q->c_rest, p->c, p->c_rest, q->s,
                      q->s_rest);
}

static inline void look_up(const wf_root_table *t, uint64_t k, wf_dd *re,
                           wf_dd *im)
{
    const uint64_t n = t->n;
    uint64_t a = 8 * k; /* fold_phase in 64 bits */
    fold f = {0};
    f.flip_sin = a > 4 * n;
    a = f.flip_sin ? 8 * n - a : a;
    f.flip_cos = a > 2 * n;
    a = f.flip_cos ? 4 * n - a : a;
    f.swap = a > n;
    a = f.swap ? 2 * n - a : a;
    wf_dd c = sqrt_half, s = sqrt_half;
    if (a != n)
        look_up_octant(t, a >> t->unit_shift, &c, &s);
    unfold(f, c, s, re, im);
}

static inline uint64_t add_mod(uint64_t a, uint64_t b, uint64_t n)
{
    return a >= n - b ? a - (n - b) : a + b;
}

void wf_root_table_f64(const wf_root_table *table, int64_t start, int64_t step,
                       int64_t bend, size_t count, double *re_im)
{
    const uint64_t n = table->n, b = reduce(bend, n);
    uint64_t k = reduce(start, n), s = reduce(step, n);
    for (size_t i = 0; i < count; i++) {
        wf_dd re, im;
        look_up(table, k, &re, &im);
        re_im[2 * i] = re.hi;
        re_im[2 * i + 1] = im.hi;
        k = add_mod(k, s, n);
        s = add_mod(s, b, n);
    }
}

void wf_root_table_f32(const wf_root_table *table, int64_t start, int64_t step,
                       int64_t bend, size_t count, float *re_im)
{
    const uint64_t n = table->n, b = reduce(bend, n);
    uint64_t k = reduce(start, n), s = reduce(step, n);
    for (size_t i = 0; i < count; i++) {
        wf_dd re, im;
        look_up(table, k, &re, &im);
        re_im[2 * i] = round_f32(re);
        re_im[2 * i + 1] = round_f32(im);
        k = add_mod(k, s, n);
        s = add_mod(s, b, n);
    }
}

void wf_root_table_dd(const wf_root_table *table, int64_t start, int64_t step,
                      int64_t bend, size_t count, wf_dd *re_im)
{
    const uint64_t n = table->n, b = reduce(bend, n);
    uint64_t k = reduce(start, n), s = reduce(step, n);
    for (size_t i = 0; i < count; i++) {
        look_up(table, k, &re_im[2 * i], &re_im[2 * i + 1]);
        k = add_mod(k, s, n);
        s = add_mod(s, b, n);
    }
}

/* Below this many roots a table costs more than it saves. */
static bool table_pays(uint64_t n, size_t count)
{
    return n <= TABLE_MAX && (double)count * (double)count > (double)n;
}

void wf_roots(uint64_t n, int64_t start, int64_t step, size_t count,
              double *re_im)
{
    wf_root_table *table = table_pays(n, count) ? wf_root_table_new(n) : NULL;
    if (table) {
        wf_root_table_f64(table, start, step, 0, count, re_im);
        wf_root_table_free(table);
        return;
    }
    uint64_t k = reduce(start, n), s = reduce(step, n);
    for (size_t i = 0; i < count; i++, k = add_mod(k, s, n)) {
        fold f = fold_phase(k, n);
        wf_dd c, d, re, im;
        octant(f.a, n, &c, &d);
        unfold(f, c, d, &re, &im);
        re_im[2 * i] = re.hi;
        re_im[2 * i + 1] = im.hi;
    }
}

void wf_roots_f32(uint64_t n, int64_t start, int64_t step, size_t count,
                  float *re_im)
{
    wf_root_table *table = table_pays(n, count) ? wf_root_table_new(n) : NULL;
    if (table) {
        wf_root_table_f32(table, start, step, 0, count, re_im);
        wf_root_table_free(table);
        return;
    }
    uint64_t k = reduce(start, n), s = reduce(step, n);
    for (size_t i = 0; i < count; i++, k = add_mod(k, s, n)) {
        fold f = fold_phase(k, n);
        wf_dd c, d, re, im;
        octant(f.a, n, &c, &d);
        unfold(f, c, d, &re, &im);
        re_im[2 * i] = round_f32(re);
        re_im[2 * i + 1] = round_f32(im);
    }
}

/* ---- the whole circle --------------------------------------------------- */

typedef struct circle {
    uint64_t n;
    bool conjugate, pairs; /* pairs: re, its rest, im, its rest */
    double *out;
} circle;

static inline void put(const circle *o, uint64_t k, wf_dd re, wf_dd im)
{
    uint64_t at = o->conjugate && k != 0 ? o->n - k : k;
    if (o->pairs) {
        double *out = &o->out[4 * at];
        out[0] = re.hi;
        out[1] = re.lo;
        out[2] = im.hi;
        out[3] = im.lo;
    } else {
        o->out[2 * at] = re.hi;
        o->out[2 * at + 1] = im.hi;
    }
}

/* 0 - x, so that no zero is negative. */
static inline wf_dd negated(wf_dd x)
{
    return (wf_dd){0 - x.hi, 0 - x.lo};
}

/* Root k and its mirror images. */
static inline void put_images(const circle *o, uint64_t k, wf_dd c, wf_dd s)
{
    uint64_t n = o->n;
    put(o, k, c, s);
    if (k != 0)
        put(o, n - k, c, negated(s));
    if (n % 2 == 0) {
        put(o, n / 2 - k, negated(c), s);
        put(o, n / 2 + k, negated(c), negated(s));
    }
    if (n % 4 == 0) {
        put(o, n / 4 - k, s, c);
        put(o, n / 4 + k, negated(s), c);
        put(o, n / 2 + n / 4 - k, negated(s), negated(c));
        put(o, n / 2 + n / 4 + k, s, negated(c));
    }
}

static inline bool fill_circle(const circle *o)
{
    const uint64_t n = o->n;
    wf_root_table *table = wf_root_table_new(n);
    if (table == NULL)
        return false;
    uint64_t parts = n % 4 == 0 ? 8 : n % 2 == 0 ? 4 : 2;
    for (uint64_t k = 0; k <= n / parts; k++) {
        wf_dd c = sqrt_half, s = sqrt_half;
        if (parts < 8)
            look_up(table, k, &c, &s);
        else if (8 * k != n)
            look_up_octant(table, 8 * k >> table->unit_shift, &c, &s);
        put_images(o, k, c, s);
    }
    wf_root_table_free(table);
    return true;
}

bool wf_roots_circle(uint64_t n, bool conjugate, double *re_im)
{
    return fill_circle(&(circle){n, conjugate, false, re_im});
}

bool wf_roots_circle_pairs(uint64_t n, bool conjugate, double *re_im)
{
    return fill_circle(&(circle){n, conjugate, true, re_im});
}
