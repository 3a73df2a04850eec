/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bluestein - any length as a convolution of a smooth length m >= 2n - 1.
 *
 * jk = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with the
 * chirp exp(pi i k^2 / n).  The chirp's phase is reduced in integers
 * (k^2 mod 2n), which keeps the error at a small multiple of the inner
 * transforms'.
 * Source: Bluestein 1970; the chirp z-transform of Rabiner et al. 1969.
 */
#include "num/num.h"
#include "plan/search.h"

void wf_rule_bluestein(wf_search *search, int64_t n, wf_candidates *candidates)
{
    bool asked = wf_search_asked(search, n, "bluestein");
    int largest = search->engine->matrix_radix;
    if (n < 2 || n > INT64_MAX / 8 ||
        (!asked && wf_largest_prime_factor((uint64_t)n) <=
                       (largest > 31 ? (uint64_t)largest : 31)))
        return;
    /* The next power of two and the lengths of few passes below it. */
    int64_t power = 2;
    while (power < 2 * n - 1)
        power *= 2;
    static const int numerator[] = {16, 15, 14, 12, 10, 9};
    for (size_t i = 0; i < sizeof numerator / sizeof numerator[0]; i++) {
        int64_t m = power / 16 * numerator[i];
        if (m < 2 * n - 1 || (power < 16 && i > 0))
            continue;
        const wf_step *child = wf_search_row(search, m);
        if (child == NULL)
            continue;
        wf_step *step = wf_step_over(WF_STEP_BLUESTEIN, n, child, NULL);
        if (step != NULL)
            step->split[0] = m;
        wf_propose(search, candidates, step);
    }
}
