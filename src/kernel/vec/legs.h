/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/legs.h - large radices around one shared body.
 *
 * From about radix 17 on a butterfly's arithmetic outweighs moving its legs,
 * and its values do not fit the registers anyway.  So only col_s, the kind
 * without twiddles on split data, is written out for such radices; the other
 * kinds gather their legs into a buffer of blocks (VL re, VL im), apply what
 * the kind asks for on the way, and call it.  Needs the vocabulary of an ISA
 * to be included before.
 */
#ifndef WEFT_KERNEL_VEC_LEGS_H
#define WEFT_KERNEL_VEC_LEGS_H

#include "kernel/pass.h"

/* What a kind does to its legs; constants at every call. */
enum {
    LEGS_INTERLEAVED = 1, /* the input is */
    LEGS_TWIDDLE_LANES = 2,
    LEGS_TWIDDLE_BROADCAST = 4,
    LEGS_SCALED = 8
};

static inline void legs_gather(T *b, ptrdiff_t r, int flags, const T *xr,
                               const T *xi, const T *w, const wf_pass_args *a)
{
    for (ptrdiff_t j = 0; j < r; ++j) {
        const ptrdiff_t o = j ? a->in_base + j * a->in_leg : 0;
        V re, im;
        if (flags & LEGS_INTERLEAVED) {
            vldi(xr + o, &re, &im);
        } else {
            re = VLD(xr + o);
            im = VLD(xi + o);
        }
        if (j && (flags & (LEGS_TWIDDLE_LANES | LEGS_TWIDDLE_BROADCAST))) {
            const int lanes = flags & LEGS_TWIDDLE_LANES;
            const T *v = w + 2 * (j - 1) * (lanes ? VL : 1);
            const V c = lanes ? VLD(v) : VLD1(v);
            const V d = lanes ? VLD(v + VL) : VLD1(v + 1);
            const V x = VFNMA(im, d, VMUL(re, c));
            im = VFMA(re, d, VMUL(im, c));
            re = x;
        } else if (flags & LEGS_SCALED) {
            const V scale = VK((T)a->scale);
            re = VMUL(re, scale);
            im = VMUL(im, scale);
        }
        VST(b + 2 * VL * j, re);
        VST(b + 2 * VL * j + VL, im);
    }
}

/* Blocks to interleaved vectors. */
static inline void legs_scatter(const T *b, ptrdiff_t r, T *y, ptrdiff_t leg)
{
    for (ptrdiff_t k = 0; k < r; ++k)
        vsti(y + k * leg, VLD(b + 2 * VL * k), VLD(b + 2 * VL * k + VL));
}

#endif
