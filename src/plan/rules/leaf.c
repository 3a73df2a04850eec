/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaf - the whole transform is one straight-line kernel.
 *
 * Applies where the generator made one (wf_cost_tree refuses the others).
 * Error: that of the generated graph, about half of the general law.
 */
#include "plan/search.h"

void wf_rule_leaf(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n <= 1024 &&
        search->engine->price(WF_ROLE_LEAF, search->type, 0, (int)n) >= 0)
        wf_propose(search, candidates, wf_step_new(WF_STEP_LEAF, n));
}
