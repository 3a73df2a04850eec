/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * half - a real vector of even length as a complex one of half the length.
 *
 * z[j] = x[2j] + i x[2j+1] is how the reals lie in memory anyway.  With Z its
 * transform of length m = n/2 and w = exp(-2 pi i / n),
 *     X[k] = (Z[k] + conj Z[m-k]) / 2 - i w^k (Z[k] - conj Z[m-k]) / 2,
 * one pass that takes k and m - k together, where they lie.  The inverse makes
 * Z from X by the same pass with conjugate factors, then transforms.
 * Error: one rounding and a twiddle more than the child's.
 * Source: Cooley, Lewis and Welch 1970; docs/math.md.
 */
#include "plan/search.h"

void wf_rule_half(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n < 4 || n % 2 != 0)
        return;
    const wf_step *child = search->half_in_place
                               ? wf_search_row_in_place(search, n / 2)
                               : wf_search_row(search, n / 2);
    if (child != NULL)
        wf_propose(search, candidates,
                   wf_step_over(WF_STEP_HALF, n, child, NULL));
}
