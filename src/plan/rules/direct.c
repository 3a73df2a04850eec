/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * direct - a short real vector of odd length by the definition.
 *
 * Sums and differences of x[j] and x[n-j] leave half of the matrix: for one
 * transform that is sooner done than passes whose vectors it cannot fill.
 * Error: sums of n/2 terms in parts, below the law up to n = 63.
 */
#include "plan/dense.h"
#include "plan/search.h"

void wf_rule_direct(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n >= 3 && n % 2 == 1 && n <= WF_DIRECT)
        wf_propose(search, candidates, wf_step_new(WF_STEP_DIRECT, n));
}
