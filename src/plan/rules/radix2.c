/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * radix2 - log2(n) passes of radix 2: the butterfly baseline of the posts.
 *
 * The first radix must fill a vector, so the width is the narrowest there is.
 * Never the cheapest; proposed when asked for, as the measure of the others.
 * Source: Cooley and Tukey 1965.
 */
#include "plan/search.h"

void wf_rule_radix2(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (!wf_search_asked(search, n, "radix2") || n < 4 || n > 1 << 30 ||
        (n & (n - 1)) != 0)
        return;
    wf_step *step = wf_step_new(WF_STEP_STOCKHAM, n);
    if (step != NULL) {
        step->width = 1;
        for (int64_t s = 1; s < n; s *= 2)
            step->radix[step->radices++] = 2;
    }
    wf_propose(search, candidates, step);
}
