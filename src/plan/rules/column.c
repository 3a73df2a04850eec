/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column - mixed-radix passes with a column in each lane.
 *
 * The passes of `stockham` on vectors whose lanes are neighbouring columns:
 * every lane does the same with the same twiddle, so nothing is shuffled and
 * any length whose prime factors have kernels works at full width.  The tree
 * is planned for the widest width; what is left over at the right edge runs
 * the same radices at narrower ones, on the same tables.
 *
 * Other lengths are convolutions of such columns: of n - 1 (see rader), or of a
 * smooth m >= 2n - 1 (see bluestein).  Permutations move whole vectors, which
 * makes them cheaper than those of one transform after the other.
 */
#include <math.h>

#include "num/num.h"
#include "plan/path.h"

static wf_step *propose_passes(wf_search *search, int64_t n, int largest,
                               int64_t row)
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
                    .largest = largest,
                    .column = true,
                    .row = row};
    if (wf_path_cheapest(&path, step) &&
        wf_cost_step(search->engine, search->type, step))
        return step;
    wf_step_free(step);
    return NULL;
}

static wf_step *propose(wf_search *search, int64_t n)
{
    return propose_passes(search, n, WF_LARGEST_RADIX, 0);
}

/* No convolution of m costs less: its transforms are butterflies at least. */
static double least_cost(wf_search *search, int64_t n, int64_t m)
{
    const int width = search->engine->widths(search->type)[0];
    wf_step child = {.kind = WF_STEP_COLUMN, .n = m, .width = width},
            step = {.kind = WF_STEP_CONVOLVED,
                    .n = n,
                    .width = width,
                    .split = {m}};
    child.cost = wf_search_rate(search) * width * (double)m * log2((double)m);
    wf_step_adopt(&step, &child);
    wf_cost_step(search->engine, search->type, &step);
    return step.cost;
}

/* Keeps the cheaper of *best and a convolution of m. */
static void try_convolved(wf_search *search, int64_t n, int64_t m,
                          wf_step **best)
{
    if (*best != NULL && least_cost(search, n, m) >= (*best)->cost)
        return;
    const wf_step *child = wf_search_column(search, m);
    if (child == NULL || child->kind != WF_STEP_COLUMN)
        return;
    wf_step *step = wf_step_over(WF_STEP_CONVOLVED, n, child, NULL);
    if (step == NULL) {
        search->no_memory = true;
        return;
    }
    step->width = child->width;
    step->split[0] = m;
    if (wf_cost_step(search->engine, search->type, step) &&
        (*best == NULL || step->cost < (*best)->cost)) {
        wf_step_free(*best);
        *best = step;
    } else {
        wf_step_free(step);
    }
}

/* Blocks of the convolution should stay in the second cache. */
static wf_step *propose_convolved(wf_search *search, int64_t n)
{
    enum { LONGEST = 1 << 13 };
    static const int numerator[] = {18, 20, 24, 25, 27, 28,
                                    30, 32, 33, 35, 36};
    wf_step *best = NULL;
    if (search->engine->weigh != NULL || n > LONGEST)
        return NULL;
    if (wf_is_prime((uint64_t)n))
        try_convolved(search, n, n - 1, &best);
    int64_t power = 64;
    while (power < 2 * n - 1)
        power *= 2;
    for (size_t i = 0; i < sizeof numerator / sizeof numerator[0]; i++)
        if (power / 32 * numerator[i] >= 2 * n - 1)
            try_convolved(search, n, power / 32 * numerator[i], &best);
    return best;
}

/* What the memo has of n; NULL: nothing yet. */
static const wf_memo *find(const wf_search *search, int64_t n, int sort)
{
    for (int i = 0; i < search->memos; i++)
        if (search->memo[i].n == n && search->memo[i].sort == sort)
            return &search->memo[i];
    return NULL;
}

const wf_step *wf_search_column(wf_search *search, int64_t n)
{
    const wf_memo *memo = find(search, n, WF_SORT_COLUMN);
    if (memo != NULL)
        return memo->best;
    if (n < 2 || n > 1 << 20 || search->no_memory)
        return NULL;
    const bool smooth = wf_largest_prime_factor((uint64_t)n) <= 31;
    return wf_search_remember(search, n, WF_SORT_COLUMN,
                              (smooth ? propose : propose_convolved)(search,
                                                                     n));
}

const wf_step *wf_search_whole_column(wf_search *search, int64_t n)
{
    const int width = search->engine->widths(search->type)[0];
    const wf_memo *memo = find(search, n, WF_SORT_WHOLE_COLUMN);
    if (memo != NULL)
        return memo->best;
    if (n > WF_LARGEST_INTERLEAVED || search->no_memory ||
        wf_search_price(search, WF_ROLE_WHOLE_COLUMN, width, (int)n) < 0)
        return NULL;
    wf_step *step = wf_step_new(WF_STEP_COLUMN, n);
    search->no_memory |= step == NULL;
    if (step != NULL) {
        step->width = width;
        step->radices = 1;
        step->radix[0] = (int)n;
        wf_cost_step(search->engine, search->type, step);
    }
    return wf_search_remember(search, n, WF_SORT_WHOLE_COLUMN, step);
}

/* Sets of the first cache repeat after a page. */
const wf_step *wf_search_column_apart(wf_search *search, int64_t n,
                                      int64_t row)
{
    const int64_t low = row & -row, apart = low < WF_PAGE ? low : WF_PAGE;
    const int sort = WF_SORT_ROWS_APART + (int)apart;
    const wf_step *step = wf_search_column(search, n);
    if (step == NULL ||
        !wf_column_crowds(search->engine->machine(), step, apart))
        return step;
    const wf_memo *memo = find(search, n, sort);
    if (memo != NULL)
        return memo->best;
    /* One pass is proposed beside these. */
    const bool one = wf_search_whole_column(search, n) != NULL;
    const int largest = one ? (int)n - 1 : WF_LARGEST_RADIX;
    return wf_search_remember(search, n, sort,
                              propose_passes(search, n, largest, apart));
}
