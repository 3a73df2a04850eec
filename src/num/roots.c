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
 * All n roots (wf_roots_circle): every angle of the octant that some root
 * folds to, once, in loops that compilers make vectors of; then its images.
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
    int shift = 3; /* B is a multiple of 8, every step of a circle */
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

/* Where the roots go.  Runs of one arc share a row of the coarse table; the
 * fine entries of the arc's residue lie in planes of `room` numbers: cosines,
 * their rests, sines, their rests, and what the run makes of them. */
typedef struct circle {
    const wf_root_table *table;
    wf_turn *turn;
    uint64_t n;
    bool conjugate;
    int part; /* 1: all roots; 2, 4, 8: only roots 0 .. n/part */
    double *out;
    size_t room;
    double *plane[6];
} circle;

/* The place of root k, 0 <= k <= n, or of its conjugate. */
static inline double *place(const circle *o, uint64_t k)
{
    return &o->out[2 * (o->conjugate ? o->n - k : k)];
}

static inline void put(double *at, double re, double im)
{
    at[0] = re;
    at[1] = im;
}

/* Roots k, k + way, ... (way +-1) as x + iy, and their mirror images: 2 of an
 * odd n, 4 of an even one, 8 of a multiple of 4.  Half of a circle has half of
 * them, a quarter one or two, an eighth the first. */
static inline void put_run(const circle *o, uint64_t k, int way, size_t count,
                           const double *x, const double *y, int images)
{
    const uint64_t n = o->n, half = images >= 4 ? n / 2 : 0,
                   quarter = images == 8 ? n / 4 : 0;
    const ptrdiff_t step = o->conjugate ? -2 * way : 2 * way;
    double *a = place(o, k), *b = place(o, n - k);
    double *c = place(o, half + k), *d = place(o, half ? half - k : n - k);
    double *e = place(o, quarter + k), *f = place(o, n - quarter - k);
    double *g = place(o, half + quarter + k);
    double *h = place(o, quarter ? quarter - k : n - k);
    ptrdiff_t at = 0;
    for (size_t i = 0; i < count; i++, at += step) {
        const double re = x[i], im = y[i];
        put(a + at, re, im);
        if (o->part >= 4) {
            if (o->part == 4 && images == 8)
                put(h - at, im, re);
            continue;
        }
        if (images >= 4)
            put(d - at, -re, im);
        if (images == 8) {
            put(e + at, -im, re);
            put(h - at, im, re);
        }
        if (o->part == 2)
            continue;
        put(b - at, re, -im);
        if (images >= 4)
            put(c + at, -re, -im);
        if (images == 8) {
            put(f - at, -im, -re);
            put(g + at, im, -re);
        }
    }
}

/* The sums of two_products and their rounding. */
static void turn_run(const double by[4], size_t count,
                     const double *const at[4], double *restrict cosine,
                     double *restrict sine)
{
    const double *restrict c = at[0], *restrict c_rest = at[1];
    const double *restrict s = at[2], *restrict s_rest = at[3];
    const double a = by[0], ar = by[1], b = by[2], br = by[3];
    for (size_t i = 0; i < count; i++) {
        wf_dd x = two_products(a, ar, c[i], c_rest[i], -b, -br, s[i],
                               s_rest[i]);
        wf_dd y = two_products(b, br, c[i], c_rest[i], a, ar, s[i], s_rest[i]);
        cosine[i] = x.hi;
        sine[i] = y.hi;
    }
}

/* Roots k, k + way, ..., whose angles fold to (i + t step) units of the octant,
 * t < count: swapped, cosine and sine change places; left, the cosine is
 * negative. */
typedef struct arc {
    uint64_t k, i, step, count;
    int way;
    bool swapped, left;
} arc;

static inline void fill_arc(const circle *o, const arc *arc, int images)
{
    const wf_root_table *t = o->table;
    const uint64_t block = (uint64_t)1 << t->shift;
    const uint64_t last = t->n >> t->unit_shift, step = arc->step;
    const uint64_t residue = arc->i % step;
    double *const *plane = o->plane;
    for (uint64_t f = residue, u = 0; f < block && f <= last; f += step, u++) {
        plane[0][u] = t->fine[f].c;
        plane[1][u] = t->fine[f].c_rest;
        plane[2][u] = t->fine[f].s;
        plane[3][u] = t->fine[f].s_rest;
    }
    uint64_t k = arc->k, i = arc->i, left = arc->count;
    while (left > 0) {
        const uint64_t u = (i & (block - 1)) / step;
        const uint64_t most = block / step - u;
        const size_t run = (size_t)(left < most ? left : most);
        double *cosine = plane[arc->swapped ? 5 : 4];
        double *sine = plane[arc->swapped ? 4 : 5];
        const entry *p = &t->coarse[i >> t->shift];
        const double by[4] = {p->c, p->c_rest, p->s, p->s_rest};
        const double *const at[4] = {plane[0] + u, plane[1] + u, plane[2] + u,
                                     plane[3] + u};
        o->turn(by, run, at, plane[4], plane[5]);
        for (size_t r = 0; arc->left && r < run; r++)
            cosine[r] = -cosine[r];
        put_run(o, k, arc->way, run, cosine, sine, images);
        k = arc->way > 0 ? k + run : k - run;
        i += run * step;
        left -= run;
    }
}

/* The axes are +0 and +-1, and the diagonals have equal parts. */
static void fill_axes(const circle *o)
{
    const uint64_t n = o->n;
    const double up = o->conjugate ? -1 : 1;
    put(o->out, 1, 0);
    if (n % 2 == 0 && o->part < 4)
        put(&o->out[n], -1, 0);
    if (n % 4 == 0 && o->part < 8)
        put(&o->out[n / 2], 0, up);
    if (n % 4 == 0 && o->part == 1)
        put(&o->out[n + n / 2], 0, -up);
    if (n % 8 == 0)
        put_run(o, n / 8, 1, 1, &sqrt_half.hi, &sqrt_half.hi, 8);
}

/* The roots of the first octant, or quadrant, or half: k = 1 to n/8, n/4, n/2,
 * by arcs of an eighth of a turn, forwards and backwards. */
static void fill_arcs(const circle *o)
{
    const uint64_t n = o->n, eighth = n / 8, quarter = n / 4;
    if (n % 4 == 0) {
        uint64_t step = 8 / o->table->unit;
        arc a = {1, step, step, (n - 1) / 8, 1, false, false};
        fill_arc(o, &a, 8);
    } else if (n % 2 == 0) {
        arc a = {1, 4, 4, eighth, 1, false, false};
        arc b = {quarter, n - 4 * quarter, 4, quarter - eighth, -1, true,
                 false};
        fill_arc(o, &a, 4);
        fill_arc(o, &b, 4);
    } else {
        uint64_t half = n / 2, most = n / 8 * 3 + n % 8 * 3 / 8; /* 3n/8 */
        arc a = {1, 8, 8, eighth, 1, false, false};
        arc b = {quarter, 2 * n - 8 * quarter, 8, quarter - eighth, -1, true,
                 false};
        arc c = {quarter + 1, 8 * (quarter + 1) - 2 * n,
                 8,           most - quarter,
                 1,           true,
                 true};
        arc d = {half, 4, 8, half - most, -1, false, true};
        fill_arc(o, &a, 2);
        fill_arc(o, &b, 2);
        fill_arc(o, &c, 2);
        fill_arc(o, &d, 2);
    }
}

static bool draw(circle o)
{
    wf_root_table *table = wf_root_table_new(o.n);
    if (table == NULL)
        return false;
    o.table = table;
    o.room = (size_t)1 << table->shift;
    double *planes = wf_alloc(6 * o.room * sizeof *planes);
    for (int i = 0; i < 6 && planes != NULL; i++)
        o.plane[i] = planes + (size_t)i * o.room;
    if (planes != NULL) {
        fill_axes(&o);
        fill_arcs(&o);
    }
    wf_free(planes);
    wf_root_table_free(table);
    return planes != NULL;
}

bool wf_roots_circle(uint64_t n, bool conjugate, wf_turn *turn, double *re_im)
{
    return draw((circle){.n = n,
                         .conjugate = conjugate,
                         .part = 1,
                         .turn = turn != NULL ? turn : turn_run,
                         .out = re_im});
}

bool wf_roots_part(uint64_t n, int part, wf_turn *turn, double *re_im)
{
    return draw((circle){.n = n,
                         .part = part,
                         .turn = turn != NULL ? turn : turn_run,
                         .out = re_im});
}

bool wf_roots_circle_pairs(uint64_t n, bool conjugate, double *re_im)
{
    wf_root_table *table = wf_root_table_new(n);
    if (table == NULL)
        return false;
    wf_root_table_dd(table, 0, conjugate ? -1 : 1, 0, (size_t)n,
                     (wf_dd *)(void *)re_im);
    wf_root_table_free(table);
    return true;
}
