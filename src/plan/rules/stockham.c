/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stockham - self-sorting mixed-radix passes, decimation in time.
 *
 * Pass i turns n/(s r) groups of r transforms of length s into transforms of
 * length s r; writing them at stride s sorts as it goes, so no pass permutes.
 * The first pass transposes in registers, so that every later pass has its
 * lanes along s and shuffles nothing.  A width w needs a first radix >= w and
 * at least w columns; narrower widths serve the lengths that are too small or
 * too odd for the wide one.
 *
 * Proposes the cheapest path of radices for each width, up to 2^20: above, a
 * pass over memory for every radix costs more than two trips in blocks.
 * Error: one rounding a pass and twiddle, grows as sqrt(log n).
 * Source: Stockham 1966 (in Cochran et al. 1967); Swarztrauber 1984.
 */
#include "num/num.h"
#include "plan/path.h"

void wf_rule_stockham(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n < 4 || n > 1 << 22 || wf_largest_prime_factor((uint64_t)n) > 31)
        return;
    const int *width = search->engine->widths(search->type);
    for (; *width != 0; width++) {
        wf_step *step = wf_step_new(WF_STEP_STOCKHAM, n);
        wf_path path = {search, n, *width, false};
        if (step == NULL) {
            search->no_memory = true;
            return;
        }
        step->width = *width;
        if (wf_path_cheapest(&path, step))
            wf_propose(search, candidates, step);
        else
            wf_step_free(step);
    }
}
