/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_leaf - the whole real transform is one straight-line kernel.
 *
 * A complex leaf of half the length with the pass of `half` in its registers;
 * n = 1 and 2 are a sum and a difference.
 * Error: as half's.
 */
#include "plan/search.h"

void wf_rule_real_leaf(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n <= 2 ||
        (n <= 1024 &&
         search->engine->price(WF_ROLE_REAL, search->type, 0, (int)n) >= 0))
        wf_propose(search, candidates, wf_step_new(WF_STEP_REAL_LEAF, n));
}
