/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * twostep - n = n1 n2 by columns copied to contiguous vectors.
 *
 * The input is an n1 x n2 matrix.  Step 1 copies a group of columns to
 * contiguous vectors, transforms them (length n1), multiplies by the twiddles
 * and writes them as rows of the transposed matrix; step 2 does the same with
 * the columns of that (length n2) and writes columns, which is the natural
 * order.  Any children do, so this is how lengths with a large prime factor
 * are split.
 * Source: Bailey 1990; the "2-step" of Napa-FFT2.
 */
#include <math.h>

#include "num/num.h"
#include "plan/search.h"

static void propose(wf_search *search, int64_t n, int64_t n1,
                    wf_candidates *candidates)
{
    const wf_step *a = wf_search_row(search, n1);
    const wf_step *b = wf_search_row(search, n / n1);
    if (a != NULL && b != NULL)
        wf_propose(search, candidates, wf_step_over(WF_STEP_TWOSTEP, n, a, b));
}

void wf_rule_twostep(wf_search *search, int64_t n, wf_candidates *candidates)
{
    int64_t largest = (int64_t)wf_largest_prime_factor((uint64_t)n);
    bool asked = wf_search_asked(search, n, "twostep");
    if (largest == n || n < 4)
        return;
    if (largest > 31) {
        propose(search, n, n / largest, candidates);
        if (largest < n / largest)
            propose(search, n, wf_balanced_divisor(n), candidates);
    } else if (asked || largest > 16 || n > 1 << 17) {
        /* 17..31 have no transposing first pass: two of them need this. */
        int64_t n1 = wf_balanced_divisor(n);
        const double most = wf_cost_to_beat(search, candidates);
        bool beaten = n1 > 1 && isfinite(most) &&
                      wf_least_of_two(search, WF_STEP_TWOSTEP, n, n1) >= most;
        if (n1 > 1 && !beaten)
            propose(search, n, n1, candidates);
    }
}
