/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column - mixed-radix passes with a column in each lane.
 *
 * The passes of `stockham` on vectors whose lanes are neighbouring columns:
 * every lane does the same with the same twiddle, so nothing is shuffled and
 * any length whose prime factors have kernels works at full width.  The tree
 * is planned for the widest width; what is left over at the right edge runs
 * the same radices at narrower ones, on the same tables.
 */
#include "num/num.h"
#include "plan/path.h"

static wf_step *propose(wf_search *search, int64_t n)
{
    wf_step *step = wf_step_new(WF_STEP_COLUMN, n);
    if (step == NULL) {
        search->no_memory = true;
        return NULL;
    }
    step->width = search->engine->widths(search->type)[0];
    wf_path path = {.search = search,
                    .n = n,
                    .width = step->width,
                    .largest = WF_LARGEST_RADIX,
                    .column = true};
    if (wf_path_cheapest(&path, step) &&
        wf_cost_step(search->engine, search->type, step))
        return step;
    wf_step_free(step);
    return NULL;
}

const wf_step *wf_search_column(wf_search *search, int64_t n)
{
    for (int i = 0; i < search->memos; i++)
        if (search->memo[i].n == n && search->memo[i].sort == WF_SORT_COLUMN)
            return search->memo[i].best;
    if (n < 2 || n > 1 << 20 || search->no_memory ||
        wf_largest_prime_factor((uint64_t)n) > 31)
        return NULL;
    return wf_search_remember(search, n, WF_SORT_COLUMN, propose(search, n));
}
