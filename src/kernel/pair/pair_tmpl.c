/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_tmpl.c - the kernels of pair.h for one ISA.
 *
 * Needs the vocabulary of kernel/vec/ for doubles, TABLE (the name of the
 * table), and without fused operations VHEAD(x): x with the low 27 bits of
 * its fraction cleared.
 *
 * Where VL does not divide a row the last VL of it are worked on once more;
 * in and out are two buffers, so that does no harm.
 */
#include <stdbool.h>
#include <string.h>

#include "kernel/pair/pair.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- Arithmetic --------------------------------------------------------- */

typedef struct pair {
    V hi, lo;
} pair;

typedef struct complex_pair {
    pair re, im;
} complex_pair;

INLINE pair add(pair a, pair b)
{
    V s = VADD(a.hi, b.hi), t = VSUB(s, a.hi);
    V error = VADD(VSUB(a.hi, VSUB(s, t)), VSUB(b.hi, t));
    return (pair){s, VADD(error, VADD(a.lo, b.lo))};
}

INLINE pair sub(pair a, pair b)
{
    V s = VSUB(a.hi, b.hi), t = VSUB(s, a.hi);
    V error = VSUB(VSUB(a.hi, VSUB(s, t)), VADD(b.hi, t));
    return (pair){s, VADD(error, VSUB(a.lo, b.lo))};
}

/* a b - p, where p = fl(a b). */
INLINE V product_error(V a, V b, V p)
{
#ifdef VHEAD
    /* Heads of 26 bits: three exact products; of the fourth, a bit in 2^106
     * may be lost. */
    V a1 = VHEAD(a), b1 = VHEAD(b), a2 = VSUB(a, a1), b2 = VSUB(b, b1);
    V error = VADD(VSUB(VMUL(a1, b1), p), VMUL(a1, b2));
    return VADD(VADD(error, VMUL(a2, b1)), VMUL(a2, b2));
#else
    return VFMS(a, b, p);
#endif
}

INLINE pair mul(pair a, pair b)
{
    V p = VMUL(a.hi, b.hi);
    V error = product_error(a.hi, b.hi, p);
    return (pair){p, VFMA(a.lo, b.hi, VFMA(a.hi, b.lo, error))};
}

INLINE complex_pair add_c(complex_pair a, complex_pair b)
{
    return (complex_pair){add(a.re, b.re), add(a.im, b.im)};
}

INLINE complex_pair sub_c(complex_pair a, complex_pair b)
{
    return (complex_pair){sub(a.re, b.re), sub(a.im, b.im)};
}

INLINE complex_pair mul_c(complex_pair a, complex_pair w)
{
    return (complex_pair){sub(mul(a.re, w.re), mul(a.im, w.im)),
                          add(mul(a.re, w.im), mul(a.im, w.re))};
}

/* ---- Loads and stores --------------------------------------------------- */

/* How many lanes there are: all, or `count` < VL and the others zero.  Which
 * of the two is known where code is made, `count` is not. */
typedef struct extent {
    bool part;
    size_t count;
} extent;

#define WHOLE ((extent){false, VL})

static V load_part(const double *p, size_t count)
{
    double part[VL] = {0};
    memcpy(part, p, count * sizeof *p);
    return VLD(part);
}

static void store_part(double *p, V x, size_t count)
{
    double part[VL];
    VST(part, x);
    memcpy(p, part, count * sizeof *p);
}

INLINE V load(const double *p, extent e)
{
    return e.part ? load_part(p, e.count) : VLD(p);
}

INLINE void store(double *p, V x, extent e)
{
    if (e.part)
        store_part(p, x, e.count);
    else
        VST(p, x);
}

INLINE complex_pair load_c(const double *p, size_t plane, extent e)
{
    return (complex_pair){{load(p, e), load(p + 2 * plane, e)},
                          {load(p + plane, e), load(p + 3 * plane, e)}};
}

INLINE void store_c(double *p, size_t plane, complex_pair x, extent e)
{
    store(p, x.re.hi, e);
    store(p + plane, x.im.hi, e);
    store(p + 2 * plane, x.re.lo, e);
    store(p + 3 * plane, x.im.lo, e);
}

INLINE complex_pair same_c(const double *p, size_t plane)
{
    return (complex_pair){{VLD1(p), VLD1(p + 2 * plane)},
                          {VLD1(p + plane), VLD1(p + 3 * plane)}};
}

/* ---- Butterflies -------------------------------------------------------- */

/* What the radices of one shape work on; the factors of a row, NULL: none;
 * spread: one for each lane. */
typedef struct row {
    const double *in, *tw;
    double *out;
    size_t in_leg, out_leg, in_plane, out_plane, span;
    bool spread;
    const double *roots;
    int radix;
} row;

typedef void butterfly(const row *w, size_t at, extent e);

INLINE complex_pair leg(const row *w, int j, size_t at, extent e)
{
    complex_pair x = load_c(w->in + (size_t)j * w->in_leg + at, w->in_plane,
                            e);
    if (w->tw == NULL || j == 0)
        return x;
    const double *tw = w->tw + (size_t)(j - 1) * 4 * w->span;
    return mul_c(x, w->spread ? load_c(tw + at, w->span, e)
                              : same_c(tw, w->span));
}

INLINE void put(const row *w, int t, size_t at, complex_pair x, extent e)
{
    store_c(w->out + (size_t)t * w->out_leg + at, w->out_plane, x, e);
}

INLINE void butterfly_2(const row *w, size_t at, extent e)
{
    complex_pair a = leg(w, 0, at, e), b = leg(w, 1, at, e);
    put(w, 0, at, add_c(a, b), e);
    put(w, 1, at, sub_c(a, b), e);
}

/* a - i b and a + i b. */
INLINE complex_pair turn_down(complex_pair a, complex_pair b)
{
    return (complex_pair){add(a.re, b.im), sub(a.im, b.re)};
}

INLINE complex_pair turn_up(complex_pair a, complex_pair b)
{
    return (complex_pair){sub(a.re, b.im), add(a.im, b.re)};
}

INLINE void butterfly_4(const row *w, size_t at, extent e)
{
    complex_pair a = leg(w, 0, at, e), c = leg(w, 2, at, e);
    complex_pair even = add_c(a, c), left = sub_c(a, c);
    complex_pair b = leg(w, 1, at, e), d = leg(w, 3, at, e);
    complex_pair odd = add_c(b, d), right = sub_c(b, d);
    put(w, 0, at, add_c(even, odd), e);
    put(w, 2, at, sub_c(even, odd), e);
    put(w, 1, at, turn_down(left, right), e);
    put(w, 3, at, turn_up(left, right), e);
}

/* An odd prime by its symmetries (docs/math.md, short transforms). */
INLINE void butterfly_odd(const row *w, size_t at, extent e)
{
    enum { HALF = WF_PAIR_MAX_RADIX / 2 };
    int r = w->radix, h = r / 2;
    complex_pair s[HALF + 1], d[HALF + 1];
    complex_pair first = leg(w, 0, at, e), all = first;
    for (int j = 1; j <= h; j++) {
        complex_pair a = leg(w, j, at, e), b = leg(w, r - j, at, e);
        s[j] = add_c(a, b);
        d[j] = sub_c(a, b);
        all = add_c(all, s[j]);
    }
    put(w, 0, at, all, e);
    for (int k = 1; k <= h; k++) {
        complex_pair even = first, odd = {{VK(0), VK(0)}, {VK(0), VK(0)}};
        for (int j = 1; j <= h; j++) {
            complex_pair root = same_c(w->roots + 4 * (j * k % r), 1);
            even.re = add(even.re, mul(s[j].re, root.re));
            even.im = add(even.im, mul(s[j].im, root.re));
            odd.re = sub(odd.re, mul(d[j].re, root.im));
            odd.im = sub(odd.im, mul(d[j].im, root.im));
        }
        put(w, k, at, turn_down(even, odd), e);
        put(w, r - k, at, turn_up(even, odd), e);
    }
}

/* ---- Passes ------------------------------------------------------------- */

/* `length` >= VL butterflies of neighbours: the last vector may overlap the one
 * before it.  One call, as it is inlined. */
INLINE void run_row(const row *w, size_t length, butterfly *transform)
{
    for (size_t at = 0; at < length; at += VL) {
        at = at + VL <= length ? at : length - VL;
        transform(w, at, WHOLE);
    }
}

/* One plane of results of a narrow row: result t of butterfly f stands at from
 * + t VL + f - first and goes to q P r + t P + p, where f = q P + p. */
static void spread_out(const double *from, double *to, size_t period, int r,
                       size_t first, size_t count)
{
    size_t p = first % period;
    to += first / period * period * (size_t)r + p;
    for (size_t l = 0; l < count; l++) {
        for (int t = 0; t < r; t++)
            to[(size_t)t * period] = from[(size_t)t * VL + l];
        to++;
        if (++p == period) {
            p = 0;
            to += period * (size_t)(r - 1);
        }
    }
}

/* The same in runs of `period`, a constant that divides VL and first. */
INLINE void spread_runs(const double *from, double *to, size_t period, int r,
                        size_t first)
{
    to += first * (size_t)r;
    for (size_t l = 0; l < VL; l += period)
        for (int t = 0; t < r; t++, to += period)
            memcpy(to, from + (size_t)t * VL + l, period * sizeof *to);
}

/* The same for r = 4 and period 1: two interleavings, then both. */
INLINE void spread_4(const double *from, double *to, size_t first)
{
    double even[2 * VL], odd[2 * VL];
    vsti(even, VLD(from), VLD(from + 2 * VL));
    vsti(odd, VLD(from + VL), VLD(from + 3 * VL));
    vsti(to + 4 * first, VLD(even), VLD(odd));
    vsti(to + 4 * first + 2 * VL, VLD(even + VL), VLD(odd + VL));
}

INLINE void spread_plane(const double *from, double *to, size_t period, int r,
                         size_t first, size_t count)
{
    if (r == 4 && period == 1 && count == VL)
        spread_4(from, to, first);
    else if (period == 4 && VL == 8 && first % 4 == 0 && count == VL)
        spread_runs(from, to, 4, r, first);
    else if (period == 2 && VL >= 4 && first % 2 == 0 && count == VL)
        spread_runs(from, to, 2, r, first);
    else
        spread_out(from, to, period, r, first, count);
}

/* A pass whose runs of `period` = s inner numbers are shorter than a vector:
 * its lanes are all butterflies in turn, whose factors repeat, and whose
 * results are sorted on the way out. */
INLINE void run_narrow(const double *in, double *out, size_t period, int r,
                       butterfly *transform, const wf_pair_args *args)
{
    enum { BLOCK = WF_PAIR_MAX_RADIX * VL };
    double block[4 * BLOCK];
    size_t all = args->m * period;
    row w = {.out = block,
             .in_leg = all,
             .out_leg = VL,
             .in_plane = args->plane,
             .out_plane = BLOCK,
             .span = args->span,
             .spread = true,
             .roots = args->roots,
             .radix = r};
    for (size_t done = 0; done < all; done += VL) {
        size_t first = all >= VL && all - done < VL ? all - VL : done;
        size_t count = all < VL ? all : VL;
        w.in = in + first;
        w.tw = args->tw == NULL ? NULL : args->tw + first % period;
        transform(&w, 0, all < VL ? (extent){true, all} : WHOLE);
        for (size_t c = 0; c < 4; c++)
            spread_plane(block + c * BLOCK, out + c * args->plane, period, r,
                         first, count);
    }
}

INLINE void pass(const double *in, double *out, int r, butterfly *transform,
                 const wf_pair_args *args)
{
    size_t m = args->m, s = args->s, inner = args->inner;
    if (s * inner < VL) {
        run_narrow(in, out, s * inner, r, transform, args);
        return;
    }
    row w = {.in_leg = m * s * inner,
             .out_leg = s * inner,
             .in_plane = args->plane,
             .out_plane = args->plane,
             .span = args->span,
             .roots = args->roots,
             .radix = r};
    for (size_t q = 0; q < m; q++) {
        w.in = in + q * s * inner;
        w.out = out + q * s * (size_t)r * inner;
        if (s == 1) {
            w.tw = NULL;
            run_row(&w, inner, transform);
        } else if (inner < VL) {
            w.tw = args->tw;
            w.spread = true;
            run_row(&w, s * inner, transform);
        } else {
            w.spread = false;
            for (size_t k = 0; k < s; k++) {
                w.tw = args->tw + k;
                run_row(&w, inner, transform);
                w.in += inner;
                w.out += inner;
            }
        }
    }
}

static void two(const double *in, double *out, const wf_pair_args *args)
{
    pass(in, out, 2, butterfly_2, args);
}

static void four(const double *in, double *out, const wf_pair_args *args)
{
    pass(in, out, 4, butterfly_4, args);
}

static void odd(const double *in, double *out, const wf_pair_args *args)
{
    pass(in, out, args->radix, butterfly_odd, args);
}

/* ---- Products ----------------------------------------------------------- */

INLINE complex_pair exchanged(complex_pair x, bool wanted)
{
    return wanted ? (complex_pair){x.im, x.re} : x;
}

static void multiply(double *out, size_t out_plane, const double *in,
                     size_t in_plane, const double *table, size_t n,
                     size_t inner, wf_pair_turn turn)
{
    bool before = turn == WF_PAIR_TURN_IN, after = turn == WF_PAIR_TURN_OUT;
    if (inner == 1) {
        for (size_t k = 0; k < n; k += VL) {
            extent e = {n - k < VL, n - k};
            complex_pair w = load_c(table + k, n, e);
            complex_pair x = load_c(in + k, in_plane, e);
            x = exchanged(mul_c(exchanged(x, before), w), after);
            store_c(out + k, out_plane, x, e);
        }
        return;
    }
    for (size_t k = 0; k < n; k++) {
        complex_pair w = same_c(table + k, n);
        for (size_t i = 0; i < inner; i += VL) {
            size_t at = k * inner + i;
            extent e = {inner - i < VL, inner - i};
            complex_pair x = load_c(in + at, in_plane, e);
            x = exchanged(mul_c(exchanged(x, before), w), after);
            store_c(out + at, out_plane, x, e);
        }
    }
}

/* ---- To the user's memory and back -------------------------------------- */

static void load_user(double *out, size_t plane, size_t inner,
                      const double *re, const double *im,
                      const wf_pair_user *user)
{
    size_t n = user->n, k = 0;
    for (size_t i = 2; i < 4; i++)
        memset(out + i * plane, 0, n * inner * sizeof *out);
    if (user->vectors < inner)
        for (size_t i = 0; i < 2; i++)
            memset(out + i * plane, 0, n * inner * sizeof *out);
    if (inner == 1 && user->stride == 2 && (im == re + 1 || re == im + 1))
        for (; k + VL <= n; k += VL) {
            V x, y;
            vldi((re < im ? re : im) + 2 * k, &x, &y);
            VST(out + k, re < im ? x : y);
            VST(out + plane + k, re < im ? y : x);
        }
    for (; k < n; k++)
        for (size_t i = 0; i < user->vectors; i++) {
            ptrdiff_t from = (ptrdiff_t)k * user->stride +
                             (ptrdiff_t)i * user->dist;
            out[k * inner + i] = re[from];
            out[plane + k * inner + i] = im[from];
        }
}

/* The sum of a pair that is not normalised, times a scale in two parts. */
INLINE V round_once(const double *p, size_t plane, pair scale, bool scaled,
                    extent e)
{
    pair x = {load(p, e), load(p + 2 * plane, e)};
    if (scaled)
        x = mul(x, scale);
    return VADD(x.hi, x.lo);
}

static void save_user(const double *in, size_t plane, size_t inner, double *re,
                      double *im, const wf_pair_user *user, double scale,
                      double scale_low)
{
    size_t total = user->n * inner;
    pair factor = {VK(scale), VK(scale_low)};
    bool scaled = scale != 1 || scale_low != 0;
    for (size_t done = 0; done < total; done += VL) {
        size_t count = total - done < VL ? total - done : VL;
        extent e = {count < VL, count};
        V x = round_once(in + done, plane, factor, scaled, e);
        V y = round_once(in + plane + done, plane, factor, scaled, e);
        if (inner == 1 && count == VL && user->stride == 2 &&
            (im == re + 1 || re == im + 1)) {
            if (re < im)
                vsti(re + 2 * done, x, y);
            else
                vsti(im + 2 * done, y, x);
            continue;
        }
        double part[2][VL];
        VST(part[0], x);
        VST(part[1], y);
        for (size_t l = 0; l < count; l++) {
            size_t k = (done + l) / inner, i = (done + l) % inner;
            ptrdiff_t to = (ptrdiff_t)k * user->stride +
                           (ptrdiff_t)i * user->dist;
            if (i < user->vectors) {
                re[to] = part[0][l];
                im[to] = part[1][l];
            }
        }
    }
}

extern const wf_pair_kernels TABLE;
const wf_pair_kernels TABLE = {VL,       two,       four,     odd,
                               multiply, load_user, save_user};
