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

/* In blocks of `width` numbers, a power of two. */
static inline void put_in_block(wf_real real, void *table, int width,
                                int64_t k, double re, double im)
{
    const int64_t at = 2 * k - (k & (width - 1));
    wf_table_set(real, table, at, re);
    wf_table_set(real, table, at + width, im);
}

/* The chirp as doubles, in the order of its numbers: k^2 mod 2n by its
 * differences, the odd numbers; n - k has the same but for the sign of odd n. */
static void list_chirp(int64_t n, const wf_half_circle *roots, double *list)
{
    const double sign = n % 2 == 0 ? 1 : -1;
    list[0] = 1;
    list[1] = 0;
    for (int64_t k = 1, square = 1; k <= n / 2; k++) {
        double *near = list + 2 * k, *far = list + 2 * (n - k), re, im;
        wf_half_circle_read(roots, square, &re, &im);
        near[0] = re;
        near[1] = im;
        far[0] = sign * re;
        far[1] = sign * im;
        square += 2 * k + 1;
        square = square >= 2 * n ? square - 2 * n : square;
    }
}

/* ---- One part ------------------------------------------------------------ */

static inline void fill_one(wf_real real, const wf_chirps *c,
                            const double *list)
{
    const int64_t n = c->n, m = c->m;
    const size_t bytes = real == WF_F64 ? 8 : 4;
    memset(wf_to(c->sequence, 2 * n, bytes), 0,
           2 * (size_t)(m - 2 * n + 1) * bytes);
    for (int64_t k = 0; k < n; k++) {
        const double re = list[2 * k], im = list[2 * k + 1];
        wf_table_put(real, c->in[0], k, re, im);
        if (c->out[0] != c->in[0])
            wf_table_put(real, c->out[0], k, c->scale * re, c->scale * im);
        wf_table_put(real, c->sequence, k, re, im);
        wf_table_put(real, c->sequence, k == 0 ? 0 : m - k, re, im);
    }
}

/* ---- Two parts ----------------------------------------------------------- */

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
            put_twisted(real, scaled, &c, k, x);
        }
        if (far < c.n) {
            y = twist(&list[2 * far], im, turn * re);
            put_twisted(real, scaled, &c, far, y);
        }
        wf_table_put(real, c.sequence, k, (x.a - x.b) + (y.a + y.b),
                     (x.d + x.e) + (y.d - y.e));
        if (k > 0)
            wf_table_put(real, c.sequence, far, (y.a - y.b) + (x.a + x.b),
                         (y.d + y.e) + (x.d - x.e));
    }
}

/* ---- Both ---------------------------------------------------------------- */

static void fill_rest(const wf_chirps *c, size_t bytes, void *table)
{
    const int64_t whole = c->n & -(int64_t)c->width;
    memset(wf_to(table, 2 * whole, bytes), 0,
           2 * (size_t)c->width * (size_t)(whole < c->n) * bytes);
}

static weft_status fill_two_parts(const wf_binder *binder, const wf_chirps *c,
                                  const double *list)
{
    double *twists = wf_alloc(2 * (size_t)(c->m / 2 + 1) * sizeof *twists);
    if (twists == NULL ||
        !wf_roots_eighth(4 * (uint64_t)c->m, wf_turn_best(), twists)) {
        wf_free(twists);
        return wf_no_memory();
    }
    for (int p = 0; p < 2; p++) {
        fill_rest(c, binder->bytes, c->in[p]);
        fill_rest(c, binder->bytes, c->out[p]);
    }
    const double turn = binder->inverse ? 1 : -1;
    if (binder->real == WF_F32)
        fill_two(WF_F32, c->scale != 1, c, list, turn, twists);
    else if (c->scale != 1)
        fill_two(WF_F64, true, c, list, turn, twists);
    else
        fill_two(WF_F64, false, c, list, turn, twists);
    wf_free(twists);
    return WEFT_OK;
}

weft_status wf_chirps_fill(const wf_binder *binder, const wf_chirps *c)
{
    wf_half_circle roots;
    double *list = wf_alloc(2 * (size_t)c->n * sizeof *list);
    weft_status status = wf_half_circle_make(2 * c->n, binder->inverse,
                                             &roots);
    if (status == WEFT_OK && list == NULL)
        status = wf_no_memory();
    if (status == WEFT_OK)
        list_chirp(c->n, &roots, list);
    wf_free(roots.re_im);
    if (status == WEFT_OK && c->parts == 2)
        status = fill_two_parts(binder, c, list);
    else if (status == WEFT_OK && binder->real == WF_F64)
        fill_one(WF_F64, c, list);
    else if (status == WEFT_OK)
        fill_one(WF_F32, c, list);
    wf_free(list);
    return status;
}
