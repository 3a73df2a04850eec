/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accuracy.c - the error law of each step, and of a tree.
 *
 * For passes with correctly rounded twiddles the rounding errors of the
 * log2(N) levels add like independent noise: relative L2 error about
 * 0.35 u sqrt(log2 N) (Schatzman 1996; measured in docs/accuracy.md), and
 * never above 0.6 u sqrt(log2 N) + u.  A convolution (Rader, Bluestein) adds
 * two transforms of the inner length and two products: 5 u is never exceeded.
 */
#include "plan/planner.h"

#include <math.h>

static bool convolves(const wf_step *tree)
{
    if (tree->kind == WF_STEP_RADER || tree->kind == WF_STEP_BLUESTEIN)
        return true;
    for (int i = 0; i < tree->children; i++)
        if (convolves(tree->child[i]))
            return true;
    return false;
}

void wf_tree_error(const wf_problem *problem, const wf_step *tree,
                   double *bound, double *expected)
{
    double u = problem->type == WEFT_F64 ? ldexp(1, -53) : ldexp(1, -24);
    double n = 1;
    for (int i = 0; i < problem->rank; i++)
        n *= (double)problem->dim[i].n;
    double levels = sqrt(log2(n < 2 ? 2 : n));
    bool convolution = convolves(tree);
    *expected = convolution ? u * (0.7 * levels + 0.6)
                            : u * (0.35 * levels + 0.2);
    *bound = u * (0.6 * levels + 1);
    if (convolution && *bound < 5 * u)
        *bound = 5 * u;
}
