/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense - a short vector of a real kind by the definition.
 *
 * All kinds of all short lengths; for one vector sooner done than an algorithm
 * whose results wait for each other.
 * Error: sums of n terms, in parts; up to the longest below the law.
 */
#include "plan/dense.h"
#include "plan/search.h"

void wf_rule_dense(wf_search *search, weft_kind kind, int64_t n,
                   wf_candidates *candidates)
{
    if (n >= 2 && n <= WF_DENSE)
        wf_propose_r2r(search, candidates, WF_STEP_DENSE, kind, n, NULL, NULL);
}
