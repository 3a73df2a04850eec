/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * period - a cosine or sine transform of type I as the real transform of a
 * whole period, 2(n-1) or 2(n+1).
 *
 * Twice the work that the symmetry would allow, and as exact as the real
 * transform is.  (The classical way to half the length divides by sines, whose
 * error grows as sqrt(n): never used.)  `folded` does the most of the work
 * where n is odd; this is for what is left.
 * Error: the child's.
 */
#include "plan/search.h"

void wf_rule_period(wf_search *search, weft_kind kind, int64_t n,
                    wf_candidates *candidates)
{
    bool cosine = kind == WEFT_REDFT00;
    if ((!cosine && kind != WEFT_RODFT00) || n < 2 || n > INT64_MAX / 8)
        return;
    const wf_step *child = wf_search_real(search,
                                          2 * (cosine ? n - 1 : n + 1));
    if (child != NULL)
        wf_propose_r2r(search, candidates, WF_STEP_PERIOD, kind, n, child,
                       NULL);
}
