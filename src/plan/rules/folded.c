/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folded - type I of odd length as types I and III of half the length.
 *
 * The elements with even k see sums of elements that mirror each other, those
 * with odd k differences (sines: the other way round): decimation in
 * frequency, without factors.
 * Error: the mean square of the children's, and one rounding.
 * Source: Swarztrauber 1986; docs/math.md.
 */
#include "plan/search.h"

void wf_rule_folded(wf_search *search, weft_kind kind, int64_t n,
                    wf_candidates *candidates)
{
    bool cosine = kind == WEFT_REDFT00;
    if ((!cosine && kind != WEFT_RODFT00) || n % 2 == 0 || n < 7)
        return;
    /* The first is longer: n/2 + 1 and n/2. */
    const wf_step *a =
        wf_search_r2r(search, cosine ? WEFT_REDFT00 : WEFT_RODFT01, n / 2 + 1);
    const wf_step *b =
        wf_search_r2r(search, cosine ? WEFT_REDFT01 : WEFT_RODFT00, n / 2);
    if (a != NULL && b != NULL)
        wf_propose_r2r(search, candidates, WF_STEP_FOLDED, kind, n, a, b);
}
