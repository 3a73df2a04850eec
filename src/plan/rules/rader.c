/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rader - a prime length as a cyclic convolution of length n - 1.
 *
 * With a generator g of the multiplicative group mod n, the nonzero indices
 * in the order of powers of g make the transform a convolution with the fixed
 * sequence exp(-2 pi i g^-q / n), whose spectrum is a table.  Cheap exactly
 * when n - 1 is.
 * Error: two transforms of length n - 1 and a product; see accuracy.c.
 * Source: Rader 1968.
 */
#include "num/num.h"
#include "plan/search.h"

void wf_rule_rader(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n < 5 || n > INT32_MAX || !wf_is_prime((uint64_t)n))
        return;
    bool asked = wf_search_asked(search, n, "rader");
    if (!asked && (n <= 31 || wf_largest_prime_factor((uint64_t)n - 1) > 31))
        return;
    const wf_step *child = wf_search_row(search, n - 1);
    if (child != NULL)
        wf_propose(search, candidates,
                   wf_step_over(WF_STEP_RADER, n, child, NULL));
}
