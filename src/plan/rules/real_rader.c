/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_rader - a prime length as one convolution of n - 1 reals.
 *
 * As `rader`, of the discrete Hartley transform (real_passes.c): its kernel
 * cas(2 pi jk/n) = cos + sin is real, so the powers of a generator make it a
 * real cyclic convolution, by R2C and C2R of even length; the half spectrum
 * comes from its output, or goes to its input, two elements at a time.  Where
 * n - 1 is not smooth the convolution is padded with zeros to an even length
 * m >= 2n - 3 that is.
 * Error: two transforms of length m, a product and a sum; see accuracy.c.
 * Source: Rader 1968; Chu and Burrus 1982 (padding: Rader himself).
 */
#include "num/num.h"
#include "plan/search.h"

static void propose(wf_search *search, int64_t n, int64_t m,
                    wf_candidates *candidates)
{
    const wf_step *child = wf_search_real(search, m);
    if (child == NULL)
        return;
    wf_step *step = wf_step_over(WF_STEP_REAL_RADER, n, child, NULL);
    if (step != NULL)
        step->split[0] = m;
    wf_propose(search, candidates, step);
}

void wf_rule_real_rader(wf_search *search, int64_t n,
                        wf_candidates *candidates)
{
    if (n < 5 || n > INT32_MAX / 2 || !wf_is_prime((uint64_t)n))
        return;
    if (wf_largest_prime_factor((uint64_t)n - 1) <= 31) {
        propose(search, n, n - 1, candidates);
        return;
    }
    int64_t power = 16;
    while (power < 2 * n - 3)
        power *= 2;
    static const int numerator[] = {16, 15, 14, 12, 10, 9};
    for (size_t i = 0; i < sizeof numerator / sizeof numerator[0]; i++) {
        int64_t m = power / 16 * numerator[i];
        if (m >= 2 * n - 3 && m % 2 == 0)
            propose(search, n, m, candidates);
    }
}
