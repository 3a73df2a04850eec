/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halved - a real kind of even length by a complex transform of half of it.
 *
 * Types II and III sort the even elements before the odd ones, mirrored, which
 * turns cosines of half steps into the real transform of the same length, and
 * turn its spectrum by exp(-pi i k/2n); that turn and the unpacking of the
 * half-size complex transform are one pass.  Type IV is a complex transform of
 * n/2 between two sets of factors.  R2HC, HC2R and DHT differ from R2C and C2R
 * in where they put the parts.
 * Error: that of the child, of one level and of one product with rounded
 * factors (type IV: two).
 * Source: Narasimha and Peterson 1978; Makhoul 1980; docs/math.md.
 */
#include "plan/search.h"

void wf_rule_halved(wf_search *search, weft_kind kind, int64_t n,
                    wf_candidates *candidates)
{
    if (n % 2 != 0 || kind == WEFT_REDFT00 || kind == WEFT_RODFT00)
        return;
    const wf_step *child = wf_search_row(search, n / 2);
    if (child != NULL)
        wf_propose_r2r(search, candidates, WF_STEP_HALVED, kind, n, child,
                       NULL);
}
