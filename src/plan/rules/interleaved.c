/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interleaved - self-sorting passes with both parts of a number in a vector.
 *
 * The passes of `stockham` by kernels within registers: a vector has half as many
 * numbers, a product with a twiddle costs a shuffle, and a butterfly of an odd
 * radix needs half of the registers.  Rows need not fill vectors: the last one
 * overlaps.  So lengths with factors 7, 11 and 13, or with few factors 2, take 0.55
 * to 0.95 of the time (docs/performance.md).  Multiples of 64 fill the vectors of
 * stockham, and legs so far apart meet in few sets of the first cache.
 *
 * Proposes the cheapest path of radices at the widest width that a first radix
 * fills; when plans are to be measured, at the next one, too.  Two passes are a
 * leaf where there is one.
 * Error: as stockham's.
 * Source: as stockham's.
 */
#include <math.h>

#include "num/num.h"
#include "plan/path.h"

/* Bytes of samples: of more, two passes and the tables are too many for a second
 * cache of 1 MiB, and far legs cost more than is known here. */
enum { LONGEST_BYTES = 3 << 18 };

/* Of so many the longest radices have legs that are near. */
enum { NEAR_BYTES = 1 << 18 };

/* A first radix that fills a vector. */
static bool has_first(wf_search *search, int64_t n, int width)
{
    for (int r = width / 2; r <= WF_LARGEST_INTERLEAVED; r++)
        if (n % r == 0 &&
            wf_search_price(search, WF_ROLE_INTERLEAVED_FIRST, width, r) >= 0)
            return true;
    return false;
}

static void propose(wf_search *search, int64_t n, int width, bool is_leaf,
                    wf_candidates *candidates)
{
    wf_step *step = wf_step_new(WF_STEP_INTERLEAVED, n);
    if (step == NULL) {
        search->no_memory = true;
        return;
    }
    const int64_t bytes = n * (int64_t)wf_complex_bytes(search->type);
    wf_path path = {.search = search,
                    .n = n,
                    .width = width,
                    .largest = bytes <= NEAR_BYTES ? WF_LARGEST_INTERLEAVED
                                                   : WF_LARGEST_RADIX,
                    .interleaved = true};
    const double most = wf_cost_to_beat(search, candidates);
    if (!isinf(most))
        path.most = most;
    step->width = width;
    if (wf_path_cheapest(&path, step) && (step->radices > 2 || !is_leaf))
        wf_propose(search, candidates, step);
    else
        wf_step_free(step);
}

void wf_rule_interleaved(wf_search *search, int64_t n,
                         wf_candidates *candidates)
{
    const int *width = search->engine->widths(search->type);
    const bool asked = wf_search_asked(search, n, "interleaved");
    if (n < 4 || wf_largest_prime_factor((uint64_t)n) > 13 ||
        search->engine->weigh != NULL ||
        (!asked &&
         (n % 64 == 0 ||
          n > LONGEST_BYTES / (int64_t)wf_complex_bytes(search->type))))
        return;
    const bool is_leaf = !asked && n <= WF_LONGEST_LEAF &&
                         search->engine->price(WF_ROLE_LEAF, search->type, 0,
                                               (int)n) >= 0;
    int i = 0;
    while (width[i] > 1 && !has_first(search, n, width[i]))
        i++;
    for (int k = 0; k <= search->thorough && width[i + k] > 1; k++)
        propose(search, n, width[i + k], is_leaf, candidates);
}
