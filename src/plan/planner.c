/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planner.c - the two ways to a tree: search, or take one that was given.
 */
#include "plan/search.h"

weft_status wf_planner_adopt(const wf_problem *problem,
                             const wf_engine *engine, const char *text,
                             wf_step **tree)
{
    *tree = NULL;
    wf_step *step;
    weft_status status = wf_step_parse(text, &step);
    if (status != WEFT_OK)
        return status;
    if (!wf_cost_tree(engine, problem->type, step))
        status = wf_fail(WEFT_ERR_UNSUPPORTED,
                         "the plan tree names a kernel this machine lacks");
    else
        status = wf_price_axes(engine, problem, step);
    if (status != WEFT_OK)
        wf_step_free(step);
    else
        *tree = step;
    return status;
}

/* Times the model's best candidates for a problem of one axis and keeps the
 * fastest.  The time is shared evenly; running out keeps the best so far. */
static weft_status measure(const wf_request *request, wf_search *search,
                           wf_step **tree, wf_text *why)
{
    const wf_problem *problem = request->problem;
    wf_candidates candidates;
    double best = -1, limit = request->time_limit;
    if (problem->rank != 1)
        return WEFT_OK;
    search->root = problem->dim[0].n;
    wf_search_candidates(search, search->root, &candidates);
    for (int i = 0; i < candidates.count && i < 12; i++) {
        wf_step *copy = wf_step_copy(*tree);
        wf_program *program = NULL;
        double seconds = 0;
        if (copy == NULL)
            break;
        wf_step *rank = copy->kind == WF_STEP_REPACK ? copy->child[0] : copy;
        wf_step *axis = rank->child[0];
        if (axis->kind == WF_STEP_COLS) {
            wf_step_free(copy);
            break;
        }
        wf_step_free(axis->child[0]);
        axis->child[0] = candidates.tree[i];
        candidates.tree[i] = NULL;
        if (wf_price_axes(request->engine, problem, copy) == WEFT_OK &&
            request->engine->bind(problem, copy, &program) == WEFT_OK &&
            request->engine->measure(program, problem, limit / 12, &seconds) ==
                WEFT_OK &&
            (best < 0 || seconds < best)) {
            best = seconds;
            wf_step *slower = *tree;
            *tree = copy;
            copy = slower;
            (*tree)->cost = 1e9 * seconds;
        }
        if (why != NULL && seconds > 0)
            wf_text_add(why, "measured %.0f ns\n", 1e9 * seconds);
        if (program != NULL)
            request->engine->release(program);
        wf_step_free(copy);
    }
    wf_candidates_free(&candidates);
    return WEFT_OK;
}

weft_status wf_planner_plan(const wf_request *request, wf_step **tree,
                            wf_text *why)
{
    wf_search search = {.engine = request->engine,
                        .type = request->problem->type,
                        .rule = request->rule};
    *tree = NULL;
    weft_status status = wf_plan_axes(&search, request->problem, tree, why);
    if (status == WEFT_OK && request->effort == WEFT_MEASURE)
        status = measure(request, &search, tree, why);
    if (status == WEFT_OK && search.no_memory) {
        wf_step_free(*tree);
        *tree = NULL;
        status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory while planning");
    }
    wf_search_free(&search);
    return status;
}
