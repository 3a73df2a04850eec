/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.c - from one transform of unit stride to a whole problem.
 *
 * A problem is its axes, one after the other: the first reads the input and
 * writes the output, the others work on the output in place.  Each axis is
 * walked by rows (unit stride), by columns (a neighbouring dimension of unit
 * stride in the lanes), or through a buffer; the cheapest that applies is
 * taken.  In place with two layouts is out of place from a packed copy.
 */
#include "plan/precise.h"
#include "plan/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static weft_dim side(weft_dim d, bool first)
{
    return (weft_dim){d.n, first ? d.is : d.os, d.os};
}

void wf_walk_axis(const wf_problem *problem, int axis, bool first,
                  wf_walk *walk)
{
    walk->axis = side(problem->dim[axis], first);
    walk->loops = 0;
    for (int i = 0; i < problem->loops; i++)
        walk->loop[walk->loops++] = side(problem->loop[i], first);
    for (int i = 0; i < problem->rank; i++)
        if (i != axis)
            walk->loop[walk->loops++] = side(problem->dim[i], first);
}

bool wf_step_carries_scale(const wf_step *axis, bool split)
{
    if (split || axis->children != 1)
        return false;
    const wf_step *child = axis->child[0];
    if (axis->kind == WF_STEP_COLS)
        return child->radices >= 2;
    if (axis->kind != WF_STEP_ROWS)
        return false;
    switch (child->kind) {
    case WF_STEP_STOCKHAM:
    case WF_STEP_TWOSTEP:
    case WF_STEP_FOURSTEP:
    case WF_STEP_SIXSTEP:
    case WF_STEP_SCRAMBLED:
    case WF_STEP_BLUESTEIN: return true;
    default: return false;
    }
}

/* Packs the input of every dimension, widest output stride outermost, so that
 * unit strides meet unit strides. */
void wf_repacked(const wf_problem *problem, wf_problem *view)
{
    weft_dim *order[2 * WEFT_MAX_RANK];
    int count = 0;
    *view = *problem;
    view->in_place = false;
    for (int i = 0; i < view->loops + view->rank; i++) {
        weft_dim *d = i < view->loops ? &view->loop[i]
                                      : &view->dim[i - view->loops];
        int at = count++;
        for (; at > 0 && llabs(order[at - 1]->os) < llabs(d->os); at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
    int64_t stride = 1;
    for (int i = count - 1; i >= 0; i--) {
        order[i]->is = stride;
        stride *= order[i]->n;
    }
}

bool wf_needs_repack(const wf_problem *problem)
{
    bool differs = false;
    for (int i = 0; i < problem->rank; i++)
        differs |= problem->dim[i].is != problem->dim[i].os;
    for (int i = 0; i < problem->loops; i++)
        differs |= problem->loop[i].is != problem->loop[i].os;
    return problem->in_place && differs;
}

static double total_bytes(const wf_problem *problem)
{
    return (double)problem->total * (double)wf_complex_bytes(problem->type);
}

/* Transforms whose lanes can be neighbours: the loop of unit stride. */
static int64_t unit_lanes(const wf_walk *walk)
{
    for (int i = 0; i < walk->loops; i++)
        if (walk->loop[i].is == 1 && walk->loop[i].os == 1)
            return walk->loop[i].n;
    return 0;
}

/* False when this way of walking does not fit the layout. */
static bool price_axis(const wf_engine *engine, const wf_problem *problem,
                       wf_step *step, bool first)
{
    wf_walk walk;
    if (engine->weigh != NULL) {
        step->cost = engine->weigh(engine, problem, step, &step->flops);
        return step->cost >= 0;
    }
    wf_walk_axis(problem, step->axis, first, &walk);
    const wf_step *child = step->child[0];
    double count = (double)(problem->total / walk.axis.n);
    double bytes = total_bytes(problem);
    double stream = wf_cost_bytes(engine->machine, 2 * bytes, 2 * bytes);
    step->flops = count * child->flops;
    if (step->kind == WF_STEP_ROWS) {
        if (walk.axis.is != 1 || walk.axis.os != 1 ||
            (problem->split && child->kind != WF_STEP_STOCKHAM))
            return false;
        step->cost = count * child->cost + (count > 1 ? stream : 0);
    } else if (step->kind == WF_STEP_COLS) {
        int64_t lanes = unit_lanes(&walk);
        if (lanes == 0)
            return false;
        double blocks = ceil((double)lanes / child->width) +
                        (lanes % child->width != 0);
        step->cost = count / (double)lanes * blocks * child->cost +
                     1.5 * stream;
    } else {
        double strided = unit_lanes(&walk) > 0 ? 1 : 2;
        step->cost = count * child->cost + 2 * stream +
                     strided * 1.2 * (double)problem->total;
    }
    return true;
}

static wf_step *axis_step(wf_search *search, wf_step_kind kind, int axis,
                          const wf_step *child)
{
    wf_step *step = wf_step_over(kind, child->n, child, NULL);
    if (step == NULL)
        search->no_memory = true;
    else
        step->axis = axis;
    return step;
}

/* Keeps the cheaper of *best and the axis step of `kind` over child. */
static void try_axis(wf_search *search, const wf_problem *problem,
                     wf_step_kind kind, int axis, bool first,
                     const wf_step *child, wf_step **best)
{
    if (child == NULL)
        return;
    wf_step *step = axis_step(search, kind, axis, child);
    if (step == NULL)
        return;
    bool fits = price_axis(search->engine, problem, step, first);
    search->no_memory |= isnan(step->cost);
    if (fits && (*best == NULL || step->cost < (*best)->cost)) {
        wf_step_free(*best);
        *best = step;
    } else {
        wf_step_free(step);
    }
}

/* Prices the candidates by the axis step they make, for engines that weigh
 * the two together; those that do not fit go. */
static void weigh_candidates(wf_search *search, const wf_problem *problem,
                             int axis, bool first, wf_candidates *candidates)
{
    wf_candidates all = *candidates;
    candidates->count = 0;
    for (int i = 0; i < all.count; i++) {
        wf_step *tree = all.tree[i], *best = NULL;
        try_axis(search, problem, WF_STEP_ROWS, axis, first, tree, &best);
        try_axis(search, problem, WF_STEP_BUFFERED, axis, first, tree, &best);
        if (best == NULL) {
            wf_step_free(tree);
            continue;
        }
        tree->cost = best->cost;
        wf_step_free(best);
        int at = candidates->count++;
        for (; at > 0 && candidates->tree[at - 1]->cost > tree->cost; at--)
            candidates->tree[at] = candidates->tree[at - 1];
        candidates->tree[at] = tree;
    }
}

static void explain_candidates(const wf_candidates *candidates, int64_t n,
                               wf_text *why)
{
    if (why == NULL)
        return;
    wf_text_add(why, "candidates for length %" PRId64 ", cheapest first:\n",
                n);
    for (int i = 0; i < candidates->count; i++) {
        wf_text_add(why, "%12.0f ns  ", candidates->tree[i]->cost);
        wf_step_print(candidates->tree[i], why);
        wf_text_add(why, "\n");
    }
}

static wf_step *plan_axis(wf_search *search, const wf_problem *problem,
                          int axis, bool first, wf_text *why)
{
    wf_candidates candidates;
    wf_step *best = NULL;
    int64_t n = problem->dim[axis].n;
    search->root = n;
    if (problem->scrambled && wf_scrambled_split(n) != 0) {
        wf_step *tree = wf_search_scrambled(search, n);
        try_axis(search, problem, WF_STEP_ROWS, axis, first, tree, &best);
        try_axis(search, problem, WF_STEP_BUFFERED, axis, first, tree, &best);
        wf_step_free(tree);
        return best;
    }
    wf_search_candidates(search, n, &candidates);
    if (search->engine->weigh != NULL)
        weigh_candidates(search, problem, axis, first, &candidates);
    explain_candidates(&candidates, n, why);
    for (int i = 0; i < candidates.count; i++) {
        const wf_step *tree = candidates.tree[i];
        if (i == 0 || tree->kind == WF_STEP_STOCKHAM)
            try_axis(search, problem, WF_STEP_ROWS, axis, first, tree, &best);
    }
    if (candidates.count > 0)
        try_axis(search, problem, WF_STEP_BUFFERED, axis, first,
                 candidates.tree[0], &best);
    if (search->rule == NULL)
        try_axis(search, problem, WF_STEP_COLS, axis, first,
                 wf_search_column(search, n), &best);
    wf_candidates_free(&candidates);
    return best;
}

/* Axes by ascending output stride: the contiguous one reads the input. */
static void order_axes(const wf_problem *problem, int order[])
{
    for (int i = 0; i < problem->rank; i++) {
        int j = i;
        int64_t stride = llabs(problem->dim[i].os);
        for (; j > 0 && llabs(problem->dim[order[j - 1]].os) > stride; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

static weft_status add_axes(wf_search *search, const wf_problem *view,
                            wf_step *rank, wf_text *why)
{
    int order[WEFT_MAX_RANK];
    bool scaled = view->scale == 1;
    order_axes(view, order);
    for (int i = 0; i < view->rank; i++) {
        wf_step *step = plan_axis(search, view, order[i], i == 0, why);
        if (step == NULL && !search->no_memory)
            return wf_fail(WEFT_ERR_UNSUPPORTED,
                           "no plan%s%s for length %" PRId64,
                           search->rule == NULL ? "" : " by rule ",
                           search->rule == NULL ? "" : search->rule,
                           view->dim[order[i]].n);
        if (step == NULL)
            return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
        scaled |= wf_step_carries_scale(step, view->split);
        wf_step_adopt(rank, step);
    }
    for (int i = 0; i < 2; i++) {
        bool wanted = i == 0 ? view->rank == 0 : !scaled;
        if (!wanted)
            continue;
        wf_step *step = wf_step_new(i == 0 ? WF_STEP_COPY : WF_STEP_SCALE, 1);
        if (step == NULL)
            return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
        wf_step_adopt(rank, step);
    }
    return WEFT_OK;
}

weft_status wf_plan_axes(wf_search *search, const wf_problem *problem,
                         wf_step **tree, wf_text *why)
{
    wf_problem view = *problem;
    bool repack = wf_needs_repack(problem);
    if (repack)
        wf_repacked(problem, &view);
    wf_step *rank = wf_step_new(WF_STEP_RANK, 1);
    weft_status status = WEFT_ERR_NO_MEMORY;
    if (rank != NULL)
        status = add_axes(search, &view, rank, why);
    if (status == WEFT_OK && repack) {
        wf_step *outer = wf_step_new(WF_STEP_REPACK, 1);
        if (outer == NULL)
            status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
        else
            wf_step_adopt(outer, rank);
        rank = outer == NULL ? rank : outer;
    }
    if (status == WEFT_OK)
        status = wf_price_axes(search->engine, problem, rank);
    if (status != WEFT_OK) {
        wf_step_free(rank);
        return status;
    }
    *tree = rank;
    return WEFT_OK;
}

static weft_status misfit(const char *what)
{
    return wf_fail(WEFT_ERR_ARGUMENT,
                   "the plan tree does not fit the problem: %s", what);
}

static const char no_room[] = "no memory to weigh it";

/* One child of the rank step: 0 when it fits, else what is wrong. */
static const char *check_child(const wf_engine *engine, const wf_problem *view,
                               const wf_step *rank, int index, bool used[])
{
    wf_step *step = rank->child[index];
    bool first = index == 0, last = index == rank->children - 1;
    if ((step->kind == WF_STEP_COPY) != (view->rank == 0 && first))
        return "a rank 0 begins with a copy, and nothing else has one";
    if (step->kind == WF_STEP_COPY)
        return NULL;
    if (step->kind == WF_STEP_SCALE)
        return view->scale != 1 && last && !first
                   ? NULL
                   : "a scale is the last step, where there is one";
    if (step->kind != WF_STEP_ROWS && step->kind != WF_STEP_COLS &&
        step->kind != WF_STEP_BUFFERED)
        return "not an axis step";
    if (step->axis >= view->rank || used[step->axis])
        return "an axis that is not there, or twice";
    if (step->child[0]->n != view->dim[step->axis].n)
        return "a length that is not the axis's";
    bool scrambled = view->scrambled && wf_scrambled_split(step->child[0]->n);
    if ((step->child[0]->kind == WF_STEP_SCRAMBLED) != scrambled ||
        (scrambled &&
         step->child[0]->split[0] != wf_scrambled_split(step->child[0]->n)))
        return "another order of the output";
    used[step->axis] = true;
    step->n = step->child[0]->n;
    if (!price_axis(engine, view, step, first))
        return isnan(step->cost) ? no_room
                                 : "a walk the layout does not allow";
    return NULL;
}

weft_status wf_price_axes(const wf_engine *engine, const wf_problem *problem,
                          wf_step *tree)
{
    if (wf_problem_is_precise(problem))
        return wf_price_precise(engine, problem, tree);
    wf_problem view = *problem;
    wf_step *rank = tree;
    bool used[WEFT_MAX_RANK] = {false}, scaled = problem->scale == 1;
    if (wf_needs_repack(problem) != (tree->kind == WF_STEP_REPACK))
        return misfit("repack");
    if (tree->kind == WF_STEP_REPACK) {
        wf_repacked(problem, &view);
        rank = tree->child[0];
    }
    if (rank->kind != WF_STEP_RANK)
        return misfit("the root is not a rank step");
    int axes = 0;
    rank->cost = engine->machine->call;
    rank->flops = 0;
    for (int i = 0; i < rank->children; i++) {
        wf_step *step = rank->child[i];
        const char *wrong = check_child(engine, &view, rank, i, used);
        if (wrong == no_room)
            return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan");
        if (wrong != NULL)
            return misfit(wrong);
        axes += step->kind != WF_STEP_COPY && step->kind != WF_STEP_SCALE;
        scaled |= step->kind == WF_STEP_SCALE ||
                  wf_step_carries_scale(step, view.split);
        if (step->kind == WF_STEP_COPY || step->kind == WF_STEP_SCALE)
            step->cost = 0.5 * (double)view.total;
        rank->cost += step->cost;
        rank->flops += step->flops;
        step->error = step->children == 0 ? 0 : wf_step_error(step);
    }
    rank->error = wf_step_error(rank);
    if (axes != view.rank)
        return misfit("not every axis is there");
    if (!scaled)
        return misfit("nothing multiplies by the scale");
    if (tree != rank) {
        tree->error = rank->error;
        tree->cost = rank->cost + 2 * (double)view.total;
        tree->flops = rank->flops;
    }
    return WEFT_OK;
}
