/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/prime.h - passes of large primes p = 2h + 1, in loops.
 *
 * With s[j] = x[j] + x[p-j] and d[j] = x[j] - x[p-j], j = 1..h:
 *     A[k] = x[0] + sum_j cos(2 pi jk/p) s[j]
 *     B[k] =        sum_j sin(2 pi jk/p) d[j]
 *     y[k], y[p-k] = A[k] -+ i B[k]
 * From p = 17 on s and d do not fit the registers, whichever way this is
 * written: they go to a buffer, and columns k are made three or four at a time,
 * so that a value is loaded once for that many products.  Both matrices of a
 * block run through the legs together where registers are many
 * (PRIME_MANY_REGISTERS), else one after the other.
 *
 * `roots` has the constants in the order of their use (gen/emit_prime.c), each
 * PRIME_COPIES times: as often as it has lanes where no load fills a register
 * with one number.  Needs the vocabulary of an instruction set to be included
 * before.
 */
#ifndef WEFT_KERNEL_VEC_PRIME_H
#define WEFT_KERNEL_VEC_PRIME_H

#include "kernel/pass.h"

/* What a kind does to its legs; constants at every call. */
enum {
    PRIME_IN_I = 1, /* interleaved input, output */
    PRIME_OUT_I = 2,
    PRIME_TWIDDLE_V = 4, /* a twiddle factor per lane, for all lanes */
    PRIME_TWIDDLE_B = 8,
    PRIME_SCALED = 16,
    PRIME_MIRRORED = 32, /* half spectra, see kinds.def */
    PRIME_HARTLEY = 64
};

enum { PRIME_HALF_MOST = 15 }; /* h of p = 31 */

#define PRIME_INLINE static inline __attribute__((always_inline))

/* Where one butterfly reads and writes. */
typedef struct prime_place {
    const T *xr, *xi, *w;
    T *yr, *yi;
    T *zr, *zi; /* below which mirrored outputs lie */
    ptrdiff_t base, js, ks;
    int edge; /* the first q: a Hartley number is missing there */
} prime_place;

PRIME_INLINE void prime_load(const prime_place *at, ptrdiff_t j, int flags,
                             V *re, V *im)
{
    const ptrdiff_t o = j ? at->base + j * at->js : 0;
    V a, b;
    if (flags & PRIME_IN_I && flags & PRIME_OUT_I) {
        vldi_any(at->xr + o, &a, &b);
    } else if (flags & PRIME_IN_I) {
        vldi(at->xr + o, &a, &b);
    } else {
        a = VLD(at->xr + o);
        b = VLD(at->xi + o);
    }
    if (j && flags & (PRIME_TWIDDLE_V | PRIME_TWIDDLE_B)) {
        const int lanes = flags & PRIME_TWIDDLE_V;
        const T *v = at->w + 2 * (j - 1) * (lanes ? VL : 1);
        const V c = lanes ? VLD(v) : VLD1(v);
        const V d = lanes ? VLD(v + VL) : VLD1(v + 1);
        const V t = VFNMA(b, d, VMUL(a, c));
        b = VFMA(a, d, VMUL(b, c));
        a = t;
    }
    *re = a;
    *im = b;
}

PRIME_INLINE void prime_store(const prime_place *at, ptrdiff_t k, int flags,
                              V re, V im)
{
    const ptrdiff_t o = k * at->ks;
    if (flags & PRIME_HARTLEY) {
        const V less = VSUB(re, im), more = VREV(VADD(re, im));
        VST(at->yr + o, less);
        if (k == 0 && at->edge)
            VST_HEAD(at->zr, more);
        else
            VST(at->zr - o, more);
    } else if (flags & PRIME_IN_I && flags & PRIME_OUT_I) {
        vsti_any(at->yr + o, re, im);
    } else if (flags & PRIME_OUT_I) {
        vsti(at->yr + o, re, im);
    } else {
        VST(at->yr + o, re);
        VST(at->yi + o, im);
    }
}

/* y[p - k], k <= h: its conjugate, reversed, in half spectra. */
PRIME_INLINE void prime_store_upper(const prime_place *at, ptrdiff_t p,
                                    ptrdiff_t k, int flags, V re, V im)
{
    const ptrdiff_t o = k * at->ks;
    if (!(flags & PRIME_MIRRORED)) {
        prime_store(at, p - k, flags, re, im);
    } else if (flags & PRIME_OUT_I) {
        vsti_back(at->zr + o, re, VNEG(im));
    } else {
        VST(at->zr + o, VREV(re));
        VST(at->zi + o, VREV(VNEG(im)));
    }
}

/* The sum of all legs, and s and d of each pair: four vectors of b. */
PRIME_INLINE void prime_fold(const prime_place *at, ptrdiff_t h, int flags,
                             V x[2], V sum[2], T *b)
{
    sum[0] = x[0];
    sum[1] = x[1];
    for (ptrdiff_t j = 1; j <= h; ++j, b += 4 * VL) {
        V ur, ui, vr, vi;
        prime_load(at, j, flags, &ur, &ui);
        prime_load(at, 2 * h + 1 - j, flags, &vr, &vi);
        const V sr = VADD(ur, vr), si = VADD(ui, vi);
        VST(b, sr);
        VST(b + VL, si);
        VST(b + 2 * VL, VSUB(ur, vr));
        VST(b + 3 * VL, VSUB(ui, vi));
        sum[0] = VADD(sum[0], sr);
        sum[1] = VADD(sum[1], si);
    }
}

#define PRIME_ROOT(t, i) \
    (PRIME_COPIES > 1 ? VLD((t) + (i)*PRIME_COPIES) : VLD1((t) + (i)))

#define COLUMNS 3
#include "kernel/vec/prime_columns_tmpl.h"
#undef COLUMNS
#define COLUMNS 4
#include "kernel/vec/prime_columns_tmpl.h"
#undef COLUMNS
#define COLUMNS 5
#include "kernel/vec/prime_columns_tmpl.h"
#undef COLUMNS

PRIME_INLINE void prime_pass(const T *in_re, const T *in_im, T *out_re,
                             T *out_im, const T *tw, const wf_pass_args *a,
                             ptrdiff_t h, const T *roots, int flags)
{
    T b[4 * PRIME_HALF_MOST * VL] __attribute__((aligned(64)));
    const int mirrored = flags & (PRIME_MIRRORED | PRIME_HARTLEY);
    const ptrdiff_t back = a->out_back +
                           (flags & PRIME_OUT_I ? 2 : 1) * (VL - 1);
    for (ptrdiff_t p = 0; p < (ptrdiff_t)a->np; ++p)
        for (ptrdiff_t q = 0; q < (ptrdiff_t)a->nq; ++q) {
            const ptrdiff_t x0 = p * a->in_p + q * a->in_q;
            const ptrdiff_t y0 = p * a->out_p + q * a->out_q;
            const ptrdiff_t z0 = p * a->out_p - q * a->out_q - back;
            prime_place at = {.xr = in_re + x0,
                              .yr = out_re + y0,
                              .base = a->in_base,
                              .js = a->in_leg,
                              .ks = a->out_leg,
                              .edge = q == 0};
            if (!(flags & PRIME_IN_I))
                at.xi = in_im + x0;
            if (!(flags & (PRIME_OUT_I | PRIME_HARTLEY)))
                at.yi = out_im + y0;
            if (flags & (PRIME_TWIDDLE_V | PRIME_TWIDDLE_B))
                at.w = tw + (p * a->tw_p + q * a->tw_q);
            if (mirrored)
                at.zr = out_re + z0;
            if (mirrored && !(flags & (PRIME_OUT_I | PRIME_HARTLEY)))
                at.zi = out_im + z0;
            V x[2], sum[2];
            prime_load(&at, 0, flags, &x[0], &x[1]);
            if (flags & PRIME_SCALED) {
                x[0] = VMUL(x[0], VK((T)a->scale));
                x[1] = VMUL(x[1], VK((T)a->scale));
            }
            prime_fold(&at, h, flags, x, sum, b);
            prime_store(&at, 0, flags, sum[0], sum[1]);
            const T *t = roots;
            ptrdiff_t k = 1;
            if (h == 5) {
                prime_columns5(&at, h, k, flags, x, b, t);
                continue;
            }
            for (; (h + 1 - k) % 3 != 0; k += 4)
                t = prime_columns4(&at, h, k, flags, x, b, t);
            for (; k <= h; k += 3)
                t = prime_columns3(&at, h, k, flags, x, b, t);
        }
}

#endif
