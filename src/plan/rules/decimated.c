/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimated - n = n1 n2 by rows of every n1-th sample, then columns.
 *
 * Rows are transforms of their own, columns have a lane each, without a shuffle
 * or a call for each.  So lengths with a large prime factor are split: either is
 * the prime, which is a convolution of a row or of columns.
 * Error: the rows', the columns' and a product's.
 * Source: decimation in time, Cooley and Tukey 1965; Bailey 1990.
 */
#include "num/num.h"
#include "plan/search.h"

static void propose(wf_search *search, int64_t n, int64_t n1,
                    wf_candidates *candidates)
{
    const wf_step *a = wf_search_column(search, n1);
    const wf_step *b = wf_search_row(search, n / n1);
    if (a != NULL && b != NULL)
        wf_propose(search, candidates,
                   wf_step_over(WF_STEP_DECIMATED, n, a, b));
}

void wf_rule_decimated(wf_search *search, int64_t n, wf_candidates *candidates)
{
    const int64_t largest = (int64_t)wf_largest_prime_factor((uint64_t)n),
                  balanced = wf_balanced_divisor(n);
    bool asked = wf_search_asked(search, n, "decimated");
    if (largest == n || n < 4 || search->engine->weigh != NULL ||
        (largest <= 16 && !asked))
        return;
    propose(search, n, n / largest, candidates);
    if (largest != n / largest)
        propose(search, n, largest, candidates);
    if (balanced != largest && balanced != n / largest)
        propose(search, n, balanced, candidates);
}
