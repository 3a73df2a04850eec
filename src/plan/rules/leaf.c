/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaf - the whole transform is one kernel, or two within registers.
 *
 * Applies where the generator made one (wf_cost_tree refuses the others), or
 * the engine multiplies by a matrix of n.
 * Error: that of the generated graph, about half of the general law.
 */
#include "plan/search.h"

void wf_rule_leaf(wf_search *search, int64_t n, wf_candidates *candidates)
{
    int64_t most = search->engine->weigh != NULL ? 1 << 20 : WF_LONGEST_LEAF;
    if (n <= most &&
        search->engine->price(WF_ROLE_LEAF, search->type, 0, (int)n) >= 0)
        wf_propose(search, candidates, wf_step_new(WF_STEP_LEAF, n));
}
