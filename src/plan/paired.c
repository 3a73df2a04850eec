/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paired.c - real kinds of length 2 that are sum and difference, of neighbours: two
 * of them are a complex number, as the matrix is that of the complex transform.
 *
 * So a Walsh-Hadamard transform, a problem of many such axes, is all but its
 * innermost axis a complex one of half as many numbers.
 * Error: the complex transform's.
 */
#include "plan/search.h"

static bool is_even(const weft_dim *d)
{
    return d->is % 2 == 0 && d->os % 2 == 0;
}

bool wf_paired_part(const wf_problem *problem, const wf_walk *walk,
                    weft_kind kind, double scale, wf_problem *part)
{
    const int lanes = wf_walk_neighbours(walk);
    if ((kind != WEFT_R2HC && kind != WEFT_HC2R && kind != WEFT_DHT) ||
        walk->axis.n != 2 || !is_even(&walk->axis) || lanes < 0 ||
        walk->loop[lanes].n % 2 != 0 || walk->loops > WEFT_MAX_RANK ||
        problem->split)
        return false;
    *part = (wf_problem){.kind = WEFT_C2C,
                         .type = problem->type,
                         .sign = WEFT_FORWARD,
                         .scale = scale,
                         .precision = problem->precision,
                         .in_place = walk->in_place,
                         .threads = problem->threads,
                         .engine = problem->engine,
                         .rank = 1,
                         .total = walk->count};
    part->dim[0] = (weft_dim){2, walk->axis.is / 2, walk->axis.os / 2};
    for (int i = 0; i < walk->loops; i++) {
        const weft_dim *d = &walk->loop[i];
        if (i != lanes && !is_even(d))
            return false;
        if (i != lanes)
            part->loop[part->loops++] = (weft_dim){d->n, d->is / 2, d->os / 2};
        else if (d->n > 2)
            part->loop[part->loops++] = (weft_dim){d->n / 2, 1, 1};
    }
    return true;
}

bool wf_price_paired(const wf_engine *engine, const wf_problem *problem,
                     const wf_walk *walk, weft_kind kind, wf_step *step)
{
    wf_problem part;
    if (engine->weigh != NULL ||
        !wf_paired_part(problem, walk, kind, 1, &part) ||
        wf_price_axes(engine, &part, step->child[0]) != WEFT_OK)
        return false;
    step->cost = step->child[0]->cost;
    step->flops = step->child[0]->flops;
    return true;
}

wf_step *wf_plan_paired(wf_search *search, const wf_problem *problem,
                        const wf_walk *walk, weft_kind kind)
{
    wf_problem part;
    return wf_paired_part(problem, walk, kind, 1, &part)
               ? wf_plan_part(search, &part, WF_STEP_PAIRED, 0)
               : NULL;
}
