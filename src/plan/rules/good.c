/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * good - coprime factors without twiddles (prime-factor algorithm).
 *
 * n = n1 n2 with gcd 1: the input index j = n2 j1 + n1 j2 mod n and the output
 * index from the Chinese remainder theorem turn the transform into a true
 * n1 x n2 two-dimensional one.  The gathers cost more than the twiddles they
 * save, at every length: it is proposed only when it is asked for.
 * Source: Good 1958, Thomas 1963.
 */
#include "num/num.h"
#include "plan/search.h"

void wf_rule_good(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n > INT32_MAX || !wf_search_asked(search, n, "good"))
        return;
    int64_t largest = (int64_t)wf_largest_prime_factor((uint64_t)n);
    int64_t power = 1; /* the full power of one prime splits off coprimally */
    while (n / power % largest == 0)
        power *= largest;
    if (power == n)
        return;
    const wf_step *a = wf_search_row(search, n / power);
    const wf_step *b = wf_search_row(search, power);
    if (a != NULL && b != NULL)
        wf_propose(search, candidates, wf_step_over(WF_STEP_GOOD, n, a, b));
}
