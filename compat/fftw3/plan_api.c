/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_api.c - what a finished plan tells, its end, and the planner's
 * settings.
 */
#include "compat.h"

#include <stdlib.h>

void X(destroy_plan)(handle *p)
{
    handle *h = p ? handle_of(p) : NULL;
    if (h)
        handle_free(h);
}

/* ---- Texts -------------------------------------------------------------- */

char *X(sprint_plan)(handle *const p)
{
    size_t length = 0;
    handle *h = handle_of(p);
    if (!h || weft_plan_text(h->plan, NULL, 0, &length) != WEFT_OK)
        return NULL;
    char *text = malloc(length + 1);
    if (text && weft_plan_text(h->plan, text, length + 1, NULL) != WEFT_OK) {
        free(text);
        text = NULL;
    }
    return text;
}

void X(fprint_plan)(handle *const p, FILE *output_file)
{
    char *text = output_file ? X(sprint_plan)(p) : NULL;
    if (text)
        fputs(text, output_file);
    free(text);
}

void X(print_plan)(handle *const p)
{
    X(fprint_plan)(p, stdout);
}

/* ---- Numbers ------------------------------------------------------------ */

static weft_plan_info info_of(handle *const p)
{
    weft_plan_info info = {.size = sizeof info};
    handle *h = handle_of(p);
    if (h)
        weft_plan_get_info(h->plan, &info);
    return info;
}

/* weft counts additions and multiplications together: the sum is in *add. */
void X(flops)(handle *const p, double *add, double *mul, double *fmas)
{
    double flops = info_of(p).flops;
    if (add)
        *add = flops;
    if (mul)
        *mul = 0;
    if (fmas)
        *fmas = 0;
}

double X(cost)(handle *const p)
{
    return info_of(p).cost;
}

/* The model's price of the same tree, also where the cost was measured. */
double X(estimate_cost)(handle *const p)
{
    handle *h = handle_of(p);
    char *tree = h ? X(sprint_plan)(p) : NULL;
    double cost = 0;
    weft_plan_info info = {.size = sizeof info};
    weft_problem problem;
    weft_plan *priced = NULL;
    weft_plan_options options = {.size = sizeof options, .tree = tree};
    if (tree && problem_of_plan(h->plan, &problem) &&
        weft_plan_create(&problem, &options, &priced) == WEFT_OK &&
        weft_plan_get_info(priced, &info) == WEFT_OK)
        cost = info.cost;
    weft_plan_release(priced);
    free(tree);
    return cost;
}

/* ---- Settings ----------------------------------------------------------- */

void X(set_timelimit)(double t)
{
    planner_set_timelimit(t);
}

/* Plans stay valid; what is not theirs goes. */
void X(cleanup)(void)
{
    X(forget_wisdom)();
}

/* A program that was linked to FFTW may hold copies of these, of the size they
 * had there: none here is longer than any of FFTW's. */
const char X(version)[] = "fftw-3.3.10-weft";
const char X(cc)[] = "cc";
const char X(codelet_optim)[] = "";
