/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * full - a real vector as a complex one of the same length.
 *
 * The imaginary parts are 0 and the mirrored half of the result is dropped
 * (made, in the inverse).  Twice the work of a real method: for the odd
 * lengths that have none.
 * Error: the child's.
 */
#include "plan/search.h"

void wf_rule_full(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n < 2)
        return;
    const wf_step *child = wf_search_row(search, n);
    if (child != NULL)
        wf_propose(search, candidates,
                   wf_step_over(WF_STEP_FULL, n, child, NULL));
}
