/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone - one vector of type II or III by one kernel, in registers.
 *
 * Sums and differences of neighbours that lie alike from both ends of a piece,
 * transforms of the same types across registers, and one complex transform of a
 * few points: two dozen lengths from 16 to 1024, in wide registers only.
 * Error: as of a transform of n by butterflies.
 * Source: docs/math.md.
 */
#include "plan/search.h"

void wf_rule_alone(wf_search *search, weft_kind kind, int64_t n,
                   wf_candidates *candidates)
{
    if ((kind == WEFT_REDFT10 || kind == WEFT_REDFT01 ||
         kind == WEFT_RODFT10 || kind == WEFT_RODFT01) &&
        n <= 1024 &&
        search->engine->price(WF_ROLE_ALONE, search->type, 0, (int)n) >= 0)
        wf_propose_r2r(search, candidates, WF_STEP_ALONE, kind, n, NULL, NULL);
}
