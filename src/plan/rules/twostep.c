/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * twostep - n = n1 n2 by columns copied to contiguous vectors.
 *
 * The input is an n1 x n2 matrix.  Step 1 copies a group of columns to
 * contiguous vectors, transforms them (length n1), multiplies by the twiddles
 * and writes them as rows of the transposed matrix; step 2 does the same with
 * the columns of that (length n2) and writes columns, which is the natural
 * order.  Any children do.  `decimated` moves samples once and calls nothing for
 * each column, and is faster at every length: this one is proposed only when it
 * is asked for.
 * Source: Bailey 1990; the "2-step" of Napa-FFT2.
 */
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
    if (wf_search_asked(search, n, "twostep")) {
        const int64_t n1 = wf_balanced_divisor(n);
        if (n1 > 1)
            propose(search, n, n1, candidates);
    }
}
