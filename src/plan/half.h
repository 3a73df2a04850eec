/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * half.h - the shape of passes over half spectra, as the price and the binder
 * of `rpasses` both need it.
 *
 * A pass at stride s turns m = n/(s r) groups of r half spectra of s reals, of
 * h = (s+1)/2 numbers each, into half spectra of s r reals.  Its lanes go
 * along the h numbers.  The first pass makes rows longer than h, of a power of
 * two (kinds.def); a second pass may fill a vector that is wider than h with
 * them.  The last pass may not, as what it makes beyond the middle has no
 * place in the output.
 */
#ifndef WEFT_PLAN_HALF_H
#define WEFT_PLAN_HALF_H

#include "plan/step.h"

typedef struct wf_half_pass {
    int64_t s, m;
    int r, width;
    int64_t lanes; /* of one group; the first pass: of all, which is m */
    int64_t row;   /* numbers from one row of its input to the next */
} wf_half_pass;

/* The pass of radix r at stride s; single: s is one radix, and not two.
 * Widths as wf_engine's, none above `most`. */
wf_half_pass wf_half_pass_at(int64_t n, int64_t s, int r, bool single,
                             const int *widths, int most);

#endif
