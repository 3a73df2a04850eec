/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_passes - odd n by self-sorting passes over half spectra.
 *
 * The passes of `stockham` on reals: what a pass combines are spectra of reals,
 * of which it reads the first half; of what a butterfly of odd radix r gives,
 * the first (r+1)/2 lie in the first half of the longer spectrum, and the
 * others in the second, whose conjugates mirrored are the rest of the first.
 * So every pass does half of what the complex one does.
 *
 * C2R: X[k] -> Re X[k] - Im X[k] is the discrete Hartley transform, its own
 * inverse.  The spectrum becomes its n Hartley numbers, these are transformed
 * as if they were samples, and the Hartley numbers of that are the result.
 *
 * Error: as stockham's; C2R one more sum on either side.
 * Source: Sorensen, Jones, Heideman and Burrus 1987; Bracewell 1983;
 * docs/math.md.
 */
#include "num/num.h"
#include "plan/path.h"

static void propose_in(wf_search *search, int64_t n, int width,
                       wf_candidates *candidates)
{
    wf_step *step = wf_step_new(WF_STEP_REAL_PASSES, n);
    if (step == NULL) {
        search->no_memory = true;
        return;
    }
    step->width = width;
    wf_path path = {.search = search,
                    .n = n,
                    .width = width,
                    .largest = WF_LARGEST_RADIX,
                    .half = true};
    if (wf_path_cheapest(&path, step))
        wf_propose(search, candidates, step);
    else
        wf_step_free(step);
}

void wf_rule_real_passes(wf_search *search, int64_t n,
                         wf_candidates *candidates)
{
    if (n < 3 || n % 2 == 0 || n > 1 << 22 ||
        wf_largest_prime_factor((uint64_t)n) > 19)
        return;
    const int *width = search->engine->widths(search->type);
    propose_in(search, n, width[0], candidates);
    if (search->engine->machine()->half_row > 0 &&
        wf_is_wide(search->type, width[0]))
        propose_in(search, n, width[1], candidates);
}
