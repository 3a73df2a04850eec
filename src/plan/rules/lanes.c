/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes - vectors of a real kind side by side, one in each lane.
 *
 * Types II, III and IV of a few lengths are straight-line kernels without a
 * shuffle (alone: without vectors).  Any even n is complex columns of n/2
 * between the passes of `halved`, which in lanes are rows of vectors with
 * factors that all lanes share.  Neighbours are in lanes already; vectors of
 * unit stride are transposed into them, square by square in registers.
 * Error: as halved's.
 * Source: as halved's; Plonka and Tasche 2005 for the kernels.
 */
#include "plan/search.h"

#include <string.h>

enum {
    TILE_BYTES = 1 << 19, /* two tiles and the columns: in the L2 */
    WIDE = 64 /* bytes of vectors that real transforms go abreast in: in
                 narrower ones rows that are copied are as quick, but from
                 memory */
};

static void propose(wf_search *search, weft_kind kind, int64_t n, int width,
                    const wf_step *columns, wf_candidates *candidates)
{
    wf_step *step = wf_step_over(columns == NULL    ? WF_STEP_LANES
                                 : kind < WEFT_R2HC ? WF_STEP_REAL_LANED
                                                    : WF_STEP_LANED,
                                 n, columns, NULL);
    if (step != NULL) {
        step->real = kind;
        step->width = width;
    }
    wf_propose(search, candidates, step);
}

static bool has_kernels(weft_kind kind, int64_t n)
{
    return n <= 128 && (wf_kind_is_type(kind, WEFT_REDFT10) ||
                        wf_kind_is_type(kind, WEFT_REDFT01) ||
                        wf_kind_is_type(kind, WEFT_REDFT11));
}

void wf_rule_lanes(wf_search *search, weft_kind kind, int64_t n,
                   wf_candidates *candidates)
{
    if (has_kernels(kind, n))
        propose(search, kind, n, 1, NULL, candidates);
}

void wf_search_abreast(wf_search *search, weft_kind kind, int64_t n,
                       wf_candidates *candidates)
{
    candidates->count = 0;
    if (search->rule != NULL && strcmp(search->rule, "lanes") != 0)
        return;
    const int *width = search->engine->widths(search->type);
    const int64_t vector = width[0] * (int64_t)wf_complex_bytes(search->type) /
                           2;
    const bool far = search->far && search->engine->machine()->abreast > 0;
    if (kind < WEFT_R2HC && vector < WIDE && !far)
        return;
    for (int i = 0; width[i] > 1 && has_kernels(kind, n); i++)
        propose(search, kind, n, width[i], NULL, candidates);
    if (width[0] == 1 || n % 2 != 0 || wf_kind_is_type(kind, WEFT_REDFT00) ||
        n > TILE_BYTES / (width[0] * (int64_t)wf_complex_bytes(search->type)))
        return;
    const wf_step *columns = wf_search_column(search, n / 2);
    if (columns != NULL)
        propose(search, kind, n, width[0], columns, candidates);
}
