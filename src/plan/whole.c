/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.c - a real kind as a complex problem of whole periods.
 *
 * Every real kind is what a complex transform makes of a vector with the
 * kind's symmetry, some of its numbers read, the others known (docs/math.md):
 * real vectors for R2C, half spectra with their mirror images for C2R, even
 * or odd periods for the cosine and sine kinds.  So what has complex
 * transforms has all of these, with no more than samples moved: no rounding,
 * no bits but those of the complex transform of the vector.
 */
#include "plan/precise.h"

/* Even and odd periods of the cosine and sine kinds; n for the others. */
static int64_t period_of(weft_kind kind, int64_t n)
{
    switch (kind) {
    case WEFT_REDFT00: return 2 * (n - 1);
    case WEFT_RODFT00: return 2 * (n + 1);
    case WEFT_REDFT01:
    case WEFT_REDFT10:
    case WEFT_RODFT01:
    case WEFT_RODFT10: return 4 * n;
    case WEFT_REDFT11:
    case WEFT_RODFT11: return 8 * n;
    default: return n;
    }
}

wf_period wf_whole_period(weft_kind kind, int64_t n)
{
    wf_period p = {.length = period_of(kind, n),
                   .in_step = 1,
                   .out_step = 1,
                   .sine = kind >= WEFT_RODFT00 && kind <= WEFT_RODFT11};
    switch (kind) {
    case WEFT_RODFT00: p.in_start = p.out_start = 1; break;
    case WEFT_REDFT01: p.out_start = 1, p.out_step = 2; break;
    case WEFT_RODFT01:
        p.in_start = p.out_start = 1;
        p.out_step = 2;
        p.halves_last = true;
        break;
    case WEFT_RODFT10: p.out_start = 1; /* fallthrough */
    case WEFT_REDFT10: p.in_start = 1, p.in_step = 2; break;
    case WEFT_REDFT11:
    case WEFT_RODFT11:
        p.in_start = p.out_start = 1;
        p.in_step = p.out_step = 2;
        break;
    default: break;
    }
    return p;
}

void wf_wholes(const wf_problem *problem, wf_problem *view, wf_group *group)
{
    enum { MOST = 64 };
    wf_problem whole = *problem;
    for (int i = 0; i < problem->rank; i++)
        if (problem->kind == WEFT_R2R)
            whole.dim[i].n = period_of(problem->kinds[i], whole.dim[i].n);
    *group = wf_precise_group(&whole, 2 * (int64_t)sizeof(double), MOST);
    *view = whole;
    view->kind = WEFT_C2C;
    view->in_place = true;
    view->split = view->ortho = false;
    view->loops = view->rank = 0;
    view->total = 1;
    for (int i = 0; i < whole.rank; i++)
        if (whole.dim[i].n > 1) {
            view->kinds[view->rank] = WEFT_C2C;
            view->dim[view->rank++] = whole.dim[i];
        }
    for (int i = view->rank - 1; i >= 0; i--) {
        view->dim[i].is = view->dim[i].os = view->total;
        view->total *= view->dim[i].n;
    }
    if (group->loop >= 0 && group->n < problem->loop[group->loop].n)
        view->threads = 1; /* they share out the groups */
    if (group->n > 1)
        view->loop[view->loops++] = (weft_dim){group->n, view->total,
                                               view->total};
    view->total *= group->n;
}
