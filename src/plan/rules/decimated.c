/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimated - n = n1 n2 by rows of every n1-th sample, then columns.
 *
 * Rows are transforms of their own, columns have a lane each, without a shuffle
 * or a call for each.  So lengths with a large prime factor are split: either is
 * the prime, which is a convolution of a row or of columns.  So are those whose
 * passes fill no whole vectors.
 * Error: the rows', the columns' and a product's.
 * Source: decimation in time, Cooley and Tukey 1965; Bailey 1990.
 */
#include "num/num.h"
#include "plan/search.h"

static void propose(wf_search *search, wf_step_kind kind, int64_t n,
                    int64_t n1, wf_candidates *candidates)
{
    const wf_step *a = wf_search_column(search, n1);
    const wf_step *b = wf_search_row(search, n / n1);
    if (a != NULL && b != NULL)
        wf_propose(search, candidates, wf_step_over(kind, n, a, b));
}

void wf_propose_decimated(wf_search *search, wf_step_kind kind, int64_t n,
                          int64_t largest, wf_candidates *candidates)
{
    const int64_t balanced = wf_balanced_divisor(n);
    propose(search, kind, n, n / largest, candidates);
    if (largest != n / largest)
        propose(search, kind, n, largest, candidates);
    if (balanced > 1 && balanced != largest && balanced != n / largest)
        propose(search, kind, n, balanced, candidates);
}

/* Are passes at full width none of the candidates?  Their first radix would have
 * as many legs as there are lanes: 1001 = 13 11 7 has no such in 16.  Narrower
 * doubles are as soon done while they are few. */
static bool is_narrow(const wf_search *search, int64_t n,
                      const wf_candidates *candidates)
{
    const wf_step *best = candidates->tree[0];
    return n >= (search->type == WEFT_F64 ? 512 : 128) &&
           candidates->count > 0 && best->kind == WF_STEP_STOCKHAM &&
           best->width < search->engine->widths(search->type)[0];
}

/* The longest leaves as rows, under columns of passes at full width. */
static void propose_leaves(wf_search *search, int64_t n,
                           wf_candidates *candidates)
{
    enum { SHORTEST = 32, MOST = 3 };
    for (int64_t n1 = 2, proposed = 0;
         n1 * SHORTEST <= n && n1 <= 512 && proposed < MOST; n1++) {
        if (n % n1 != 0 || n / n1 > WF_LONGEST_LEAF)
            continue;
        const double row = search->engine->price(WF_ROLE_LEAF, search->type, 0,
                                                 (int)(n / n1));
        if (row < 0 || (double)n1 * row >= wf_cost_to_beat(search, candidates))
            continue;
        propose(search, WF_STEP_DECIMATED, n, n1, candidates);
        proposed++;
    }
}

void wf_rule_decimated(wf_search *search, int64_t n, wf_candidates *candidates)
{
    const int64_t largest = (int64_t)wf_largest_prime_factor((uint64_t)n);
    bool asked = wf_search_asked(search, n, "decimated");
    if (largest == n || n < 4 || search->engine->weigh != NULL)
        return;
    if (largest <= 16 && !asked) {
        if (is_narrow(search, n, candidates))
            propose_leaves(search, n, candidates);
        return;
    }
    wf_propose_decimated(search, WF_STEP_DECIMATED, n, largest, candidates);
}
