/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halved - a real kind of even length by a complex transform of half of it.
 *
 * Types II and III sort the even elements before the odd ones, mirrored, which
 * turns cosines of half steps into the real transform of the same length, and
 * turn its spectrum by exp(-pi i k/2n); that turn and the unpacking of the
 * half-size complex transform are one pass.  Type IV is a complex transform of
 * n/2 between two sets of factors.  R2HC, HC2R and DHT differ from R2C and C2R
 * in where they put the parts.
 * Error: that of the child, of one level and of one product with rounded
 * factors (type IV: two).
 * Source: Narasimha and Peterson 1978; Makhoul 1980; docs/math.md.
 */
#include "plan/search.h"

/* Fewer rows in the trip that reads, as they lie far apart: of type II, which is sorted
 * there, and of type III, whose pass is made there if only `turned` can, or both.  Where
 * none can, type III has fewer in the trip that writes. */
static bool fewer_rows(const wf_step *turned, const wf_step *child, bool back,
                       size_t bytes)
{
    const bool half = back && wf_step_takes_half(turned, bytes);
    if (half != (back && wf_step_takes_half(child, bytes)))
        return half;
    const int trip = back && !half;
    return turned->split[trip] < child->split[trip];
}

/* A four-step sorts samples in the trip that reads (type II) or writes (III) them, if it
 * can, and the faster the fewer rows those are: then its trips change places.  NULL:
 * they are right as they are, or no memory.  Zen 4, 2^18 to 2^20, before over after:
 * type II 1.05 to 1.10 (docs/performance.md). */
static wf_step *with_trips_turned(wf_search *search, const wf_step *child,
                                  bool back)
{
    if (child->kind != WF_STEP_FOURSTEP ||
        !wf_step_is_column(child->child[0]) ||
        !wf_step_is_column(child->child[1]))
        return NULL;
    wf_step *turned = wf_step_over(WF_STEP_FOURSTEP, child->n, child->child[1],
                                   child->child[0]);
    if (turned != NULL && wf_step_zips(turned, back) &&
        (!wf_step_zips(child, back) ||
         fewer_rows(turned, child, back,
                    wf_complex_bytes(search->type) / 2)) &&
        wf_cost_step(search->engine, search->type, turned))
        return turned;
    wf_step_free(turned);
    return NULL;
}

void wf_rule_halved(wf_search *search, weft_kind kind, int64_t n,
                    wf_candidates *candidates)
{
    if (n % 2 != 0 || kind == WEFT_REDFT00 || kind == WEFT_RODFT00)
        return;
    const wf_step *child = wf_search_row(search, n / 2);
    if (child == NULL)
        return;
    wf_step *turned = NULL;
    if (wf_kind_is_type(kind, WEFT_REDFT10) ||
        wf_kind_is_type(kind, WEFT_REDFT01))
        turned = with_trips_turned(search, child,
                                   wf_kind_is_type(kind, WEFT_REDFT01));
    wf_propose_r2r(search, candidates, WF_STEP_HALVED, kind, n,
                   turned != NULL ? turned : child, NULL);
    wf_step_free(turned);
}
