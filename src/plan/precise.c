/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precise.c - see precise.h.
 *
 * A widen step leaves the choice to the planner of the doubles' problem, a
 * whole step to that of the complex one.  A pairs step has one way for each length: passes of radix 4, 2 and odd primes
 * to 13, or, for a length with a larger prime factor, Bluestein's convolution
 * (docs/math.md) through the cheapest such length.
 */
#include "plan/precise.h"

#include "num/num.h"
#include "plan/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Groups ------------------------------------------------------------- */

static int64_t reach(const weft_dim *d)
{
    return llabs(d->is) + llabs(d->os);
}

static int64_t transformed(const wf_problem *problem)
{
    int64_t n = 1;
    for (int i = 0; i < problem->rank; i++)
        n *= problem->dim[i].n;
    return n;
}

wf_group wf_precise_group(const wf_problem *problem, int64_t bytes,
                          int64_t most)
{
    enum { CACHE = 256 << 10 };
    wf_group group = {-1, 1};
    for (int i = 0; i < problem->loops; i++)
        if (group.loop < 0 ||
            reach(&problem->loop[i]) < reach(&problem->loop[group.loop]))
            group.loop = i;
    int64_t fit = CACHE / bytes / transformed(problem);
    if (group.loop >= 0)
        group.n = fit < 1 ? 1 : fit < most ? fit : most;
    if (group.loop >= 0 && group.n > problem->loop[group.loop].n)
        group.n = problem->loop[group.loop].n;
    return group;
}

void wf_widened(const wf_problem *problem, wf_problem *view, wf_group *group)
{
    bool one_side = problem->kind == WEFT_C2C;
    *group = wf_precise_group(problem, one_side ? 16 : 32, 16);
    *view = *problem;
    view->type = WEFT_F64;
    view->precision = WEFT_PRECISION_FAST;
    view->in_place = one_side;
    view->split = false;
    view->loops = 0;
    view->total = 1;
    int64_t in = 1, out = 1;
    for (int i = view->rank - 1; i >= 0; i--) {
        view->total *= view->dim[i].n;
        view->dim[i].is = in;
        view->dim[i].os = out;
        in *= wf_dim_length(problem, i, WF_INPUT);
        out *= wf_dim_length(problem, i, WF_OUTPUT);
    }
    if (view->total * group->n < problem->total)
        view->threads = 1; /* they share out the groups */
    if (group->n > 1)
        view->loop[view->loops++] = (weft_dim){group->n, in, out};
    view->total *= group->n;
}

/* A group is read before any of it is written, but not before another is. */
static bool needs_repack(const wf_problem *problem)
{
    return problem->in_place && !wf_problem_overlays(problem);
}

/* ---- Prices ------------------------------------------------------------- */

static bool is_odd_radix(int r)
{
    return r == 3 || r == 5 || r == 7 || r == 11 || r == 13;
}

/* Real operations of a butterfly with its twiddles: a pair's sum takes 8, its
 * product 7 (three fused). */
static double pass_flops(int r, bool first)
{
    double h = r / 2, twiddles = first ? 0 : (r - 1) * (4 * 7 + 2 * 8);
    if (r == 2)
        return twiddles + 4 * 8;
    if (r == 4)
        return twiddles + 16 * 8;
    return twiddles + 8 * (6 * h) + h * (h * 4 * (7 + 8) + 4 * 8);
}

/* ns of a vector operation, with what it waits for (measured); without fused
 * operations, which narrow vectors lack, a product takes twelve more. */
static double operation(double lanes)
{
    return lanes > 2 ? 0.09 : 0.16;
}

static bool cost_passes(const wf_engine *engine, wf_step *step)
{
    double lanes = engine->widths(WEFT_F64)[0], n = (double)step->n;
    double bytes = 4 * sizeof(double) * n;
    step->cost = engine->machine()->call;
    step->flops = 0;
    for (int i = 0; i < step->radices; i++) {
        int r = step->radix[i];
        if (r != 2 && r != 4 && !is_odd_radix(r))
            return false;
        step->flops += n / r * pass_flops(r, i == 0);
        step->cost += engine->machine()->kernel_call +
                      wf_cost_bytes(engine->machine(), 2 * bytes, 2 * bytes);
    }
    step->cost += step->flops / lanes * operation(lanes);
    return true;
}

bool wf_cost_pairs(const wf_engine *engine, wf_step *step)
{
    if (step->kind == WF_STEP_PASSES)
        return cost_passes(engine, step);
    const wf_step *child = step->child[0];
    double products = (2.0 * (double)step->n + (double)child->n) * 44;
    double lanes = engine->widths(WEFT_F64)[0];
    step->flops = 2 * child->flops + products;
    step->cost = 2 * child->cost + operation(lanes) * products / lanes;
    return true;
}

static weft_status misfit(const char *what)
{
    return wf_fail(WEFT_ERR_ARGUMENT,
                   "the plan tree does not fit the problem: %s", what);
}

static weft_status price_pairs(const wf_problem *problem, wf_step *pairs)
{
    bool used[WEFT_MAX_RANK] = {false};
    if (pairs->children != problem->rank)
        return misfit("not every axis is there");
    /* ns to take a number from the user's memory and to put one back */
    pairs->cost = 2 * (double)problem->total;
    pairs->flops = 2 * (double)problem->total;
    for (int i = 0; i < pairs->children; i++) {
        const wf_step *step = pairs->child[i];
        if (step->axis >= problem->rank || used[step->axis])
            return misfit("an axis that is not there, or twice");
        if (step->n != problem->dim[step->axis].n)
            return misfit("a length that is not the axis's");
        used[step->axis] = true;
        double count = (double)(problem->total / step->n);
        pairs->cost += count * step->cost;
        pairs->flops += count * step->flops;
    }
    return WEFT_OK;
}

static weft_status price_widen(const wf_engine *engine,
                               const wf_problem *problem, wf_step *widen)
{
    wf_problem view;
    wf_group group;
    wf_widened(problem, &view, &group);
    weft_status status = wf_price_axes(engine, &view, widen->child[0]);
    double groups = ceil((double)problem->total / (double)view.total);
    double bytes = (double)problem->total * 8;
    widen->flops = groups * widen->child[0]->flops;
    widen->cost = groups * widen->child[0]->cost +
                  1.2 * (double)problem->total +
                  wf_cost_bytes(engine->machine(), 2 * bytes, 2 * bytes);
    return status;
}

static weft_status price_whole(const wf_engine *engine,
                               const wf_problem *problem, wf_step *whole)
{
    wf_problem view;
    wf_group group;
    wf_wholes(problem, &view, &group);
    weft_status status = wf_price_axes(engine, &view, whole->child[0]);
    double numbers = (double)view.total / (double)group.n;
    double groups = ceil((double)problem->total /
                         (double)transformed(problem) / (double)group.n);
    double bytes = numbers * (double)wf_complex_bytes(problem->type);
    whole->flops = groups * whole->child[0]->flops;
    /* ns to take a number and to put one back, one by one */
    whole->cost = groups * (whole->child[0]->cost +
                            (double)group.n *
                                (3 * numbers +
                                 wf_cost_bytes(engine->machine(), 2 * bytes,
                                               (double)group.n * bytes)));
    return status;
}

/* The step that stands for a problem's form. */
static wf_step_kind form_of(const wf_problem *problem)
{
    return wf_problem_is_whole(problem)                  ? WF_STEP_WHOLE
           : problem->precision == WEFT_PRECISION_DOUBLE ? WF_STEP_WIDEN
                                                         : WF_STEP_PAIRS;
}

weft_status wf_price_precise(const wf_engine *engine,
                             const wf_problem *problem, wf_step *tree)
{
    wf_problem view = *problem;
    wf_step *step = tree;
    if (needs_repack(problem) != (tree->kind == WF_STEP_REPACK))
        return misfit("repack");
    if (tree->kind == WF_STEP_REPACK) {
        wf_repacked(problem, &view);
        step = tree->child[0];
    }
    if (step->kind != form_of(&view))
        return misfit("another precision");
    weft_status status = step->kind == WF_STEP_WIDEN
                             ? price_widen(engine, &view, step)
                         : step->kind == WF_STEP_WHOLE
                             ? price_whole(engine, &view, step)
                             : price_pairs(&view, step);
    step->error = wf_step_error(step);
    if (tree != step) {
        tree->error = step->error;
        tree->cost = step->cost + 2 * (double)view.total;
        tree->flops = step->flops;
    }
    return status;
}

/* ---- Plans -------------------------------------------------------------- */

static weft_status no_memory(void)
{
    return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
}

/* n <= 2^52 of many odd factors, 2^48 of others, has at most WF_MAX_RADICES
 * of them.  Radix 4 as long as it goes, 2, then the odd primes. */
static wf_step *plan_passes(const wf_engine *engine, int axis, int64_t n)
{
    static const int radix[] = {4, 2, 3, 5, 7, 11, 13};
    wf_step *step = wf_step_new(WF_STEP_PASSES, n);
    if (step == NULL)
        return NULL;
    step->axis = axis;
    for (size_t i = 0; i < sizeof radix / sizeof *radix; i++)
        for (; n % radix[i] == 0; n /= radix[i])
            step->radix[step->radices++] = radix[i];
    wf_cost_pairs(engine, step);
    return step;
}

/* 2^a times a small odd number, at least 2n - 1: the cheapest. */
static wf_step *plan_chirp(const wf_engine *engine, int axis, int64_t n)
{
    static const int odd[] = {1, 3, 5, 9, 15};
    wf_step *chirp = wf_step_new(WF_STEP_CHIRP, n), *best = NULL;
    if (chirp == NULL)
        return NULL;
    for (int i = 0; i < 5; i++) {
        int64_t m = odd[i];
        while (m < 2 * n - 1)
            m *= 2;
        wf_step *child = plan_passes(engine, axis, m);
        if (child == NULL) {
            wf_step_free(best);
            wf_step_free(chirp);
            return NULL;
        }
        bool better = best == NULL || child->cost < best->cost;
        wf_step_free(better ? best : child);
        best = better ? child : best;
    }
    chirp->axis = axis;
    chirp->split[0] = best->n;
    wf_step_adopt(chirp, best);
    wf_cost_pairs(engine, chirp);
    return chirp;
}

static weft_status plan_pairs(const wf_request *request,
                              const wf_problem *problem, wf_step **tree)
{
    if (request->rule != NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "no plan by rule %.40s: precision compensated has one "
                       "way for each length",
                       request->rule);
    wf_step *pairs = wf_step_new(WF_STEP_PAIRS, 1);
    for (int i = 0; pairs != NULL && i < problem->rank; i++) {
        int64_t n = problem->dim[i].n;
        if (n > INT64_C(1) << 48) {
            wf_step_free(pairs);
            return wf_fail(WEFT_ERR_UNSUPPORTED,
                           "dims[%d].n is %" PRId64 ": precision compensated "
                           "takes up to 2^48",
                           i, n);
        }
        bool smooth = wf_largest_prime_factor((uint64_t)n) <= 13;
        wf_step *step = smooth ? plan_passes(request->engine, i, n)
                               : plan_chirp(request->engine, i, n);
        if (step == NULL) {
            wf_step_free(pairs);
            return no_memory();
        }
        wf_step_adopt(pairs, step);
    }
    *tree = pairs;
    return pairs == NULL ? no_memory() : WEFT_OK;
}

/* A widen or whole step over the plan of its view. */
static weft_status plan_below(const wf_request *request, wf_step_kind kind,
                              const wf_problem *problem, wf_step **tree,
                              wf_text *why)
{
    wf_problem view;
    wf_group group;
    wf_step *child;
    if (kind == WF_STEP_WIDEN)
        wf_widened(problem, &view, &group);
    else
        wf_wholes(problem, &view, &group);
    wf_request below = *request;
    below.group = true;
    below.problem = &view;
    below.time_limit /= 2;
    weft_status status = wf_planner_plan(&below, &child, why);
    if (status != WEFT_OK)
        return status;
    *tree = wf_step_new(kind, 1);
    if (*tree == NULL) {
        wf_step_free(child);
        return no_memory();
    }
    wf_step_adopt(*tree, child);
    return WEFT_OK;
}

/* The cost becomes what was measured, where there is time: what is below has had
 * half of it. */
static weft_status measure(const wf_request *request, wf_step *tree)
{
    wf_program *program = NULL;
    double seconds;
    if (!wf_planner_has_time(tree, request->time_limit / 2))
        return WEFT_OK;
    weft_status status = request->engine->bind(request->engine,
                                               request->problem, tree,
                                               &program);
    if (status != WEFT_OK)
        return status;
    status = request->engine->measure(program, request->problem,
                                      request->time_limit / 2, &seconds);
    request->engine->release(program);
    tree->cost = 1e9 * seconds;
    wf_planner_has_timed(request);
    return status;
}

weft_status wf_plan_precise(const wf_request *request, wf_step **tree,
                            wf_text *why)
{
    wf_problem view = *request->problem;
    bool repack = needs_repack(request->problem);
    *tree = NULL;
    if (repack)
        wf_repacked(request->problem, &view);
    wf_step_kind form = form_of(&view);
    weft_status status = form == WF_STEP_PAIRS
                             ? plan_pairs(request, &view, tree)
                             : plan_below(request, form, &view, tree, why);
    if (status != WEFT_OK) {
        *tree = NULL;
        return status;
    }
    if (repack) {
        wf_step *outer = wf_step_new(WF_STEP_REPACK, 1);
        if (outer == NULL) {
            wf_step_free(*tree);
            *tree = NULL;
            return no_memory();
        }
        wf_step_adopt(outer, *tree);
        *tree = outer;
    }
    status = wf_price_precise(request->engine, request->problem, *tree);
    if (status == WEFT_OK && request->effort == WEFT_MEASURE)
        status = measure(request, *tree);
    if (status != WEFT_OK) {
        wf_step_free(*tree);
        *tree = NULL;
    }
    return status;
}
