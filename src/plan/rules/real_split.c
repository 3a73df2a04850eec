/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_split - odd n = r m by r real transforms of m and one pass of radix r.
 *
 * The samples whose numbers are equal mod r are copied to rows; the half
 * spectra of the rows meet in the last pass of `rpasses`.  For lengths with a
 * prime that has no pass, and for very long ones.
 * Error: the row's, and that of the pass.
 */
#include "num/num.h"
#include "plan/search.h"

/* From here on passes go through memory so often that rows may be faster. */
enum { FAR = 1 << 20 };

void wf_rule_real_split(wf_search *search, int64_t n,
                        wf_candidates *candidates)
{
    bool asked = search->rule != NULL && search->real && n == search->root;
    if (n < 9 || n % 2 == 0 ||
        (!asked && n < FAR && wf_largest_prime_factor((uint64_t)n) <= 19))
        return;
    const wf_engine *engine = search->engine;
    const int *widths = engine->widths(search->type);
    for (int r = 3; r <= 31; r += 2) {
        if (n % r != 0 || n / r < 3 ||
            engine->price(WF_ROLE_HALF, search->type, widths[0], r) < 0)
            continue;
        const wf_step *child = wf_search_real(search, n / r);
        if (child == NULL)
            continue;
        wf_step *step = wf_step_over(WF_STEP_REAL_SPLIT, n, child, NULL);
        if (step != NULL) {
            step->split[0] = r;
            step->split[1] = n / r;
        }
        wf_propose(search, candidates, step);
    }
}
