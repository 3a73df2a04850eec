/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sixstep - n = n1 n2 by rows between explicit matrix transposes.
 *
 * Transpose, n2 rows of length n1, transpose fused with the twiddles, n1 rows
 * of length n2, transpose.  Square matrices transpose in place, recursively;
 * 2:1 rectangles through their two squares.  Every row transform is of unit
 * stride, and a scrambled order saves the last transpose.
 * On engines that multiply matrices it takes the lengths with a prime factor
 * that no pass has.
 * Source: Bailey 1990; Napa-FFT2's large transforms.
 */
#include "num/num.h"
#include "plan/search.h"

void wf_rule_sixstep(wf_search *search, int64_t n, wf_candidates *candidates)
{
    bool asked = wf_search_asked(search, n, "sixstep");
    const uint64_t passes = (uint64_t)search->engine->matrix_radix;
    const uint64_t largest = wf_largest_prime_factor((uint64_t)n);
    bool beyond = passes > 0 && largest > passes;
    if (!asked && !beyond && n <= 1 << 20)
        return;
    if (n < 4 || (passes == 0 && largest > 31))
        return;
    int64_t n1 = wf_balanced_divisor(n);
    if (n1 == 1)
        return;
    const wf_step *a = wf_search_row(search, n1);
    const wf_step *b = wf_search_row(search, n / n1);
    if (a != NULL && b != NULL)
        wf_propose(search, candidates, wf_step_over(WF_STEP_SIXSTEP, n, a, b));
}
