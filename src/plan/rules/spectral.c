/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectral - a real kind of odd length by its half spectrum.
 *
 * As `halved`, with R2C or C2R of the same odd length inside.  Type IV of odd
 * n is a discrete Hartley transform of n between two permutations with signs:
 * the odd residues mod 8n are, up to the signs of a cosine, those that are 1
 * mod 8.
 * Error: the child's, and one product with rounded factors (type IV: none).
 * Source: Makhoul 1980; Chan and Ho 1990; docs/math.md.
 */
#include "plan/search.h"

void wf_rule_spectral(wf_search *search, weft_kind kind, int64_t n,
                      wf_candidates *candidates)
{
    if (n % 2 == 0 || n < 3 || n > INT32_MAX / 8 || kind == WEFT_REDFT00 ||
        kind == WEFT_RODFT00)
        return;
    const wf_step *child = wf_search_real(search, n);
    if (child != NULL)
        wf_propose_r2r(search, candidates, WF_STEP_SPECTRAL, kind, n, child,
                       NULL);
}
