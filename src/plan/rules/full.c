/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * full - a real vector as a complex one of the same length.
 *
 * The imaginary parts are 0 and the mirrored half of the result is dropped
 * (made, in the inverse).  Twice the work of a real method: for the odd
 * lengths that have none.  Where one is known already that no complex transform
 * can undercut, none is looked for.
 * Error: the child's.
 */
#include <math.h>

#include "plan/search.h"

/* Is `most` less than any complex transform of n takes?  A leaf, or passes at the
 * best rate; beyond leaves, where n/2 fills whole vectors, that of n/2 and a pass
 * is less (of 15000 such plans on any processor or instruction set). */
static bool is_beaten(wf_search *search, int64_t n, double most)
{
    const wf_engine *engine = search->engine;
    if (isinf(most))
        return false;
    if (n > WF_LONGEST_LEAF &&
        n % (2 * (int64_t)engine->widths(search->type)[0]) == 0)
        return true;
    const double passes = wf_search_rate(search) * (double)n * log2((double)n);
    const double leaf = n > WF_LONGEST_LEAF
                            ? -1
                            : engine->price(WF_ROLE_LEAF, search->type, 0,
                                            (int)n);
    return passes >= most && (leaf < 0 || leaf >= most);
}

void wf_rule_full(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n < 2 || is_beaten(search, n, wf_cost_to_beat(search, candidates)))
        return;
    const wf_step *child = wf_search_row(search, n);
    if (child != NULL)
        wf_propose(search, candidates,
                   wf_step_over(WF_STEP_FULL, n, child, NULL));
}
