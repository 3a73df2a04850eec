/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_decimated - odd n = n1 n2 by rows of every n1-th sample, two in one complex
 * row, and columns of half the numbers.
 *
 * As `decimated`, at half of its work: lengths with a prime that has no pass, in
 * which `full` would do all of it.
 * Error: the rows', the columns', a sum's and a product's.
 * Source: decimation in time; two reals in one complex transform (Cooley, Lewis and
 * Welch 1970); docs/math.md.
 */
#include "num/num.h"
#include "plan/search.h"

void wf_rule_real_decimated(wf_search *search, int64_t n,
                            wf_candidates *candidates)
{
    const int64_t largest = (int64_t)wf_largest_prime_factor((uint64_t)n);
    const bool asked = search->rule != NULL && search->real &&
                       n == search->root;
    if (n % 2 == 0 || largest == n || n < 9 || (largest <= 19 && !asked))
        return;
    wf_propose_decimated(search, WF_STEP_REAL_DECIMATED, n, largest,
                         candidates);
}
