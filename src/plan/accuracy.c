/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accuracy.c - the error law of each step, and of a tree.
 *
 * With correctly rounded twiddles the roundings of the log2(n) levels add
 * like independent noise: relative L2 error 0.55 u sqrt(log2 n) (docs/math.md
 * derives 0.58 from Schatzman 1996; docs/accuracy.md measures it), and never
 * above 0.6 u sqrt(log2 n) + u.  Splits and axes add in quadrature, which the
 * law already has in it, and a convolution (Rader, Bluestein) is two inner
 * transforms and two products with correctly rounded tables.
 */
#include "plan/search.h"

#include <math.h>

static bool convolves(const wf_step *step)
{
    bool found = step->kind == WF_STEP_RADER ||
                 step->kind == WF_STEP_BLUESTEIN;
    for (int i = 0; i < step->children; i++)
        found |= convolves(step->child[i]);
    return found;
}

double wf_step_error(const wf_step *step)
{
    double square = 0;
    for (int i = 0; i < step->children; i++)
        square += step->child[i]->error * step->child[i]->error;
    if (step->kind == WF_STEP_RADER || step->kind == WF_STEP_BLUESTEIN)
        square = 2 * square + 1;
    else if (step->children == 0)
        square = 0.55 * 0.55 * log2(step->n < 2 ? 2 : (double)step->n);
    else if (convolves(step))
        square += 1; /* measured: nested convolutions share part of theirs */
    return sqrt(square);
}

void wf_tree_error(const wf_problem *problem, const wf_step *tree,
                   double *bound, double *expected)
{
    double u = problem->type == WEFT_F64 ? ldexp(1, -53) : ldexp(1, -24);
    double n = 1;
    for (int i = 0; i < problem->rank; i++)
        n *= (double)problem->dim[i].n;
    double smooth = 0.6 * sqrt(log2(n < 2 ? 2 : n)) + 1;
    double rough = 1.3 * tree->error + 1;
    *expected = u * tree->error;
    *bound = u * (!convolves(tree) ? smooth : rough > 5 ? rough : 5);
    if (problem->scale != 1) {
        *bound += u;
        *expected += 0.3 * u;
    }
}
