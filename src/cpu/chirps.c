/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chirps.c - the tables of Bluestein's algorithm: c[k] = exp(-+ pi i k^2 / n),
 * 0 <= k < n, and conj h[+-k] = c[k], wrapped, which will be the spectrum.
 *
 * h is even, so that the transform of conj h is the conjugate spectrum that
 * multiply_turned wants.  Of two parts (docs/math.md) c is twisted by
 * t[k] = exp(-+ pi i k / 2m) for the one and by its conjugate for the other.
 */
#include <string.h>

#include "cpu/chirps.h"
#include "num/num.h"

/* The first quarter of the 2n-th roots, and -1 for the conjugates of all. */
typedef struct quarter {
    int64_t n;
    double turn;
    const double *re_im;
} quarter;

static inline void read_root(const quarter *roots, int64_t k, double *re,
                             double *im)
{
    const bool below = k > roots->n;
    const int64_t up = below ? 2 * roots->n - k : k;
    const bool left = 2 * up > roots->n;
    const double *w = &roots->re_im[2 * (left ? roots->n - up : up)];
    *re = left ? -w[0] : w[0];
    *im = below ? -roots->turn * w[1] : roots->turn * w[1];
}

/* k^2 mod 2n by its differences, the odd numbers. */
static inline int64_t next_square(int64_t square, int64_t k, int64_t n)
{
    square += 2 * k + 1;
    return square >= 2 * n ? square - 2 * n : square;
}

/* ---- One part ------------------------------------------------------------ */

/* c[k], which h[-k] is, too. */
static inline void put_one(wf_real real, const wf_chirps *c, int64_t k,
                           double re, double im)
{
    wf_table_put(real, c->in[0], k, re, im);
    if (c->out[0] != c->in[0])
        wf_table_put(real, c->out[0], k, c->scale * re, c->scale * im);
    wf_table_put(real, c->sequence, k, re, im);
    wf_table_put(real, c->sequence, k == 0 ? 0 : c->m - k, re, im);
}

/* n - k has the square of k but for the sign of odd n. */
static inline void fill_one(wf_real real, const wf_chirps *chirps,
                            const quarter *roots)
{
    const wf_chirps c = *chirps;
    const double sign = c.n % 2 == 0 ? 1 : -1;
    const size_t bytes = real == WF_F64 ? 8 : 4;
    memset(wf_to(c.sequence, 2 * c.n, bytes), 0,
           2 * (size_t)(c.m - 2 * c.n + 1) * bytes);
    put_one(real, &c, 0, 1, 0);
    for (int64_t k = 1, square = 1; k <= c.n / 2; k++) {
        double re, im;
        read_root(roots, square, &re, &im);
        put_one(real, &c, k, re, im);
        put_one(real, &c, c.n - k, sign * re, sign * im);
        square = next_square(square, k, c.n);
    }
}

/* ---- Two parts ----------------------------------------------------------- */

/* In blocks of `width` numbers, a power of two. */
static inline void put_in_block(wf_real real, void *table, int width,
                                int64_t k, double re, double im)
{
    const int64_t at = 2 * k - (k & (width - 1));
    wf_table_set(real, table, at, re);
    wf_table_set(real, table, at + width, im);
}

/* The chirp as doubles, in the order of its numbers. */
static void list_chirp(int64_t n, const quarter *roots, double *list)
{
    const double sign = n % 2 == 0 ? 1 : -1;
    list[0] = 1;
    list[1] = 0;
    for (int64_t k = 1, square = 1; k <= n / 2; k++) {
        double *near = list + 2 * k, *far = list + 2 * (n - k), re, im;
        read_root(roots, square, &re, &im);
        near[0] = re;
        near[1] = im;
        far[0] = sign * re;
        far[1] = sign * im;
        square = next_square(square, k, n);
    }
}

/* A number of the chirp times its twist: (a - b) + i (d + e), and times the
 * conjugate: (a + b) + i (d - e). */
typedef struct twisted {
    double a, b, d, e;
} twisted;

static inline twisted twist(const double *c, double re, double im)
{
    return (twisted){c[0] * re, c[1] * im, c[1] * re, c[0] * im};
}

/* One part ends with the other's twist, as the way back undoes its own. */
static inline void put_twisted(wf_real real, bool scaled, const wf_chirps *c,
                               int64_t k, twisted x)
{
    const double re = x.a - x.b, im = x.d + x.e;
    const double other_re = x.a + x.b, other_im = x.d - x.e;
    put_in_block(real, c->in[0], c->width, k, re, im);
    put_in_block(real, c->in[1], c->width, k, other_re, other_im);
    if (!scaled)
        return;
    const double s = c->scale;
    put_in_block(real, c->out[1], c->width, k, s * re, s * im);
    put_in_block(real, c->out[0], c->width, k, s * other_re, s * other_im);
}

/* Numbers k and m - k of the sequence meet each other's chirps; the twist of
 * m - k is that of k with re and im exchanged but for the sign. */
static inline void fill_two(wf_real real, bool scaled, const wf_chirps *chirps,
                            const double *list, double turn,
                            const double *twists)
{
    const wf_chirps c = *chirps;
    for (int64_t k = 0, far = c.m; k <= far; k++, far--) {
        const double re = twists[2 * k], im = twists[2 * k + 1];
        twisted x = {0, 0, 0, 0}, y = {0, 0, 0, 0};
        if (k < c.n) {
            x = twist(&list[2 * k], re, turn * im);
            if (c.span == 0)
                put_twisted(real, scaled, &c, k, x);
        }
        if (far < c.n) {
            y = twist(&list[2 * far], im, turn * re);
            if (c.span == 0)
                put_twisted(real, scaled, &c, far, y);
        }
        wf_table_put(real, c.sequence, k, (x.a - x.b) + (y.a + y.b),
                     (x.d + x.e) + (y.d - y.e));
        if (k > 0)
            wf_table_put(real, c.sequence, far, (y.a - y.b) + (x.a + x.b),
                         (y.d + y.e) + (x.d - x.e));
    }
}

/* The chirp in spans of columns, times the scale. */
static inline void sort_chirp(wf_real real, const wf_chirps *c,
                              const double *list, double scale, void *table)
{
    const int64_t columns = c->m / c->rows;
    int64_t at = 0;
    for (int64_t q = 0; q < columns; q += c->span)
        for (int64_t i = 0; i < c->rows; i++)
            for (int64_t k = q; k < q + c->span; k++, at++) {
                const int64_t number = i * columns + k;
                const bool none = number >= c->n;
                put_in_block(real, table, c->width, at,
                             none ? 0 : scale * list[2 * number],
                             none ? 0 : scale * list[2 * number + 1]);
            }
}

/* Twist k of m, which k = m/2 and its mirror image share. */
static inline void put_twist(wf_real real, const wf_chirps *c, double turn,
                             const double *twists, int64_t k, void *table,
                             int width, int64_t at)
{
    const bool far = 2 * k > c->m;
    const double *t = &twists[2 * (far ? c->m - k : k)];
    put_in_block(real, table, width, at, far ? t[1] : t[0],
                 turn * (far ? t[0] : t[1]));
}

static inline void fill_twists(wf_real real, const wf_chirps *c, double turn,
                               const double *list, const double *twists)
{
    const int64_t columns = c->m / c->rows;
    for (int64_t k = 0; k < columns; k++)
        put_twist(real, c, turn, twists, k, c->column, c->width, k);
    for (int64_t i = 0; i < c->rows; i++)
        put_twist(real, c, turn, twists, i * columns, c->row, 1, i);
    sort_chirp(real, c, list, 1, c->in[0]);
    if (c->out[0] != c->in[0])
        sort_chirp(real, c, list, c->scale, c->out[0]);
}

static void fill_rest(const wf_chirps *c, size_t bytes, void *table)
{
    const int64_t whole = c->n & -(int64_t)c->width;
    memset(wf_to(table, 2 * whole, bytes), 0,
           2 * (size_t)c->width * (size_t)(whole < c->n) * bytes);
}

static bool fill_two_parts(const wf_binder *binder, const wf_chirps *c,
                           const quarter *roots, double *work)
{
    double *twists = work, *list = work + c->m + 2;
    if (!wf_roots_part(4 * (uint64_t)c->m, 8, wf_turn_best(), twists))
        return false;
    list_chirp(c->n, roots, list);
    const double turn = binder->inverse ? 1 : -1;
    for (int p = 0; p < 2 && c->span == 0; p++) {
        fill_rest(c, binder->bytes, c->in[p]);
        fill_rest(c, binder->bytes, c->out[p]);
    }
    if (c->span > 0 && binder->real == WF_F64)
        fill_twists(WF_F64, c, turn, list, twists);
    else if (c->span > 0)
        fill_twists(WF_F32, c, turn, list, twists);
    if (binder->real == WF_F32)
        fill_two(WF_F32, c->scale != 1, c, list, turn, twists);
    else if (c->scale != 1)
        fill_two(WF_F64, true, c, list, turn, twists);
    else
        fill_two(WF_F64, false, c, list, turn, twists);
    return true;
}

/* ---- Both ---------------------------------------------------------------- */

/* Two parts: behind the roots twists 0 to m/2 and the chirp. */
size_t wf_chirps_work(const wf_chirps *c)
{
    size_t numbers = (size_t)(c->n / 2 + 1);
    if (c->parts == 2)
        numbers += (size_t)(c->m / 2 + 1) + (size_t)c->n;
    return 2 * numbers * sizeof(double);
}

bool wf_chirps_fill(const wf_binder *binder, const wf_chirps *c, void *work)
{
    double *rest = (double *)work + 2 * (c->n / 2 + 1);
    const quarter roots = {c->n, binder->inverse ? 1 : -1, work};
    if (!wf_roots_part(2 * (uint64_t)c->n, 4, wf_turn_best(), work))
        return false;
    if (c->parts == 2)
        return fill_two_parts(binder, c, &roots, rest);
    if (binder->real == WF_F64)
        fill_one(WF_F64, c, &roots);
    else
        fill_one(WF_F32, c, &roots);
    return true;
}
