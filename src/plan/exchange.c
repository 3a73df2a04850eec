/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.c - in place with two axes exchanged: squares whose output is
 * transposed, columns that become rows.
 *
 * Two axes of one length, dimensions or loops, have each other's strides in the
 * output, and all others have their own.  Then the axes work in place where the
 * input is, and the square of the two is transposed at the end: that is a trip
 * over the samples less than from a packed copy of them.
 */
#include "plan/search.h"

static bool stays(const weft_dim *d)
{
    return d->is == d->os;
}

static bool are_mirrored(const weft_dim *a, const weft_dim *b)
{
    return a->n == b->n && a->is == b->os && a->os == b->is;
}

bool wf_exchanged(const wf_problem *problem, wf_problem *view)
{
    weft_dim *moved[2];
    int found = 0;
    *view = *problem;
    if (!problem->in_place ||
        (problem->kind != WEFT_C2C && problem->kind != WEFT_R2R))
        return false;
    for (int i = 0; i < view->loops + view->rank; i++) {
        weft_dim *d = i < view->loops ? &view->loop[i]
                                      : &view->dim[i - view->loops];
        if (stays(d))
            continue;
        if (found == 2)
            return false;
        moved[found++] = d;
    }
    if (found < 2 || !are_mirrored(moved[0], moved[1]))
        return false;
    for (int i = 0; i < 2; i++)
        moved[i]->os = moved[i]->is;
    return true;
}
