/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scrambled - the two trips of `fourstep` without its transpose.
 *
 * Columns of the n1 x n2 input, twiddles, rows: frequency k1 + n1 k2 is left
 * at position k1 n2 + k2.  The inverse takes rows, twiddles, columns, and
 * ends in natural order; convolutions and correlations need no more.  Both
 * trips work where the data lie.  n2 is about 16 n1: rows are nearly as quick
 * per sample up to 16384 of them, and the shorter a column, the more
 * neighbours go through the second cache together.
 * From 2^20 up, where it saves a trip through memory; below, in cache, the row
 * twiddles cost more than sorting (the passes of `stockham` sort as they
 * go) and scrambled means natural.
 * Source: Gentleman and Sande 1966; Bailey 1990.
 */
#include <math.h>

#include "num/num.h"
#include "plan/search.h"

int64_t wf_scrambled_split(int64_t n)
{
    if (n < 1 << 20 || wf_largest_prime_factor((uint64_t)n) > 31)
        return 0;
    int64_t n1 = wf_divisor_to(n, (int64_t)sqrt((double)n / 16));
    return n1 >= 16 && n / n1 <= 1 << 20 ? n1 : 0;
}

wf_step *wf_search_scrambled(wf_search *search, int64_t n)
{
    int64_t n1 = wf_scrambled_split(n);
    const wf_step *column = wf_search_column(search, n1);
    const wf_step *row = wf_search_row(search, n / n1);
    if (column == NULL || row == NULL)
        return NULL;
    wf_step *step = wf_step_over(WF_STEP_SCRAMBLED, n, column, row);
    if (step == NULL)
        search->no_memory = true;
    else if (wf_cost_step(search->engine, search->type, step))
        return step;
    wf_step_free(step);
    return NULL;
}
