/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planner.c - the two ways to a tree: search, or take one that was given.
 */
#include "plan/precise.h"
#include "plan/search.h"

#include <math.h>
#include <string.h>

/* An engine that weighs says why it refuses a candidate; where another one
 * serves, that was nobody's error, and the thread's text stays what it was. */
typedef struct reason {
    char text[WF_ERROR_TEXT];
} reason;

static reason keep_reason(void)
{
    reason kept; /* no printing: this happens in every plan */
    memcpy(kept.text, wf_error_text(), sizeof kept.text);
    return kept;
}

static weft_status restore_reason(weft_status status, const reason *kept)
{
    if (status == WEFT_OK && strcmp(wf_error_text(), kept->text) != 0)
        wf_fail(status, "%s", kept->text);
    return status;
}

weft_status wf_planner_adopt(const wf_problem *problem,
                             const wf_engine *engine, const char *text,
                             wf_step **tree)
{
    *tree = NULL;
    wf_step *step;
    const reason kept = keep_reason();
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
    return restore_reason(status, &kept);
}

/* ---- Measuring ---------------------------------------------------------- */

/* Of an axis, for each second of the limit, one at least. */
enum { CANDIDATES_A_SECOND = 16 };

static int most_candidates(double time_limit)
{
    const double most = CANDIDATES_A_SECOND * fmax(time_limit, 1);
    return most < WF_MAX_CANDIDATES ? (int)most : WF_MAX_CANDIDATES;
}

typedef struct contest {
    const wf_request *request;
    double share; /* seconds the runs of one candidate may take */
    double end;   /* on the clock */
    double rate; /* what a tree takes to bind and time, of the model's price */
    double seconds; /* of the best tree so far */
    wf_text *why;
} contest;

/* Not before it is tried: one run to warm up, one that counts, and as much to bind. */
static const double FIRST_RATE = 4;

bool wf_planner_has_time(const wf_step *tree, double seconds)
{
    return FIRST_RATE * 1e-9 * tree->cost <= seconds;
}

void wf_planner_has_timed(const wf_request *request)
{
    if (request->timed != NULL)
        *request->timed = true;
}

static bool has_time(const contest *c, const wf_step *tree)
{
    return wf_clock_seconds() + c->rate * 1e-9 * tree->cost <= c->end;
}

/* Binds and times a whole tree. */
static weft_status time_tree(const contest *c, const wf_step *tree,
                             double *seconds)
{
    const wf_engine *engine = c->request->engine;
    wf_program *program = NULL;
    weft_status status = engine->bind(engine, c->request->problem, tree,
                                      &program);
    if (status != WEFT_OK)
        return status;
    status = engine->measure(program, c->request->problem, c->share, seconds);
    engine->release(program);
    if (status == WEFT_OK && c->why != NULL) {
        wf_text_add(c->why, "%12.0f ns measured  ", 1e9 * *seconds);
        wf_step_print(tree, c->why);
        wf_text_add(c->why, "\n");
    }
    return status;
}

static wf_step *rank_of(wf_step *tree)
{
    while (tree->kind == WF_STEP_REPACK || tree->kind == WF_STEP_EXCHANGED ||
           tree->kind == WF_STEP_STAGED || tree->kind == WF_STEP_SLICED)
        tree = tree->child[0];
    return tree;
}

/* The faster of the two to *tree, the other one to *rival. */
static weft_status race(contest *c, wf_step **tree, wf_step **rival)
{
    double seconds;
    if (!has_time(c, *rival))
        return WEFT_OK;
    weft_status status = time_tree(c, *rival, &seconds);
    if (status == WEFT_OK && seconds < c->seconds) {
        wf_step *loser = *tree;
        c->seconds = seconds;
        *tree = *rival;
        *rival = loser;
    }
    return status;
}

/* *tree with its axis step `index` walked as `walk` over `transform`, if that
 * is faster. */
static weft_status challenge(contest *c, wf_step **tree, int index,
                             wf_step_kind walk, const wf_step *transform)
{
    wf_step *rival = wf_step_copy(*tree);
    wf_step *child = wf_step_copy(transform);
    weft_status status = WEFT_OK;
    if (rival == NULL || child == NULL) {
        wf_step_free(child);
        status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory while measuring");
        goto done;
    }
    wf_step *axis = rank_of(rival)->child[index];
    wf_step_free(axis->child[0]);
    axis->child[0] = child;
    axis->kind = walk;
    /* A rival that does not fit the layout is no rival. */
    if (wf_price_axes(c->request->engine, c->request->problem, rival) !=
        WEFT_OK)
        goto done;
    status = race(c, tree, &rival);
done:
    wf_step_free(rival);
    return status;
}

/* The model's tree, for which there must be time, or nothing is timed at all. */
static weft_status time_first(contest *c, const wf_step *tree, bool *timed)
{
    const double begin = wf_clock_seconds();
    *timed = wf_planner_has_time(tree, c->end - begin);
    if (!*timed)
        return WEFT_OK;
    const weft_status status = time_tree(c, tree, &c->seconds);
    c->rate = (wf_clock_seconds() - begin) / (1e-9 * tree->cost);
    return status;
}

/* The tree against the other one, if there is one, whose loser *other is; then,
 * axis by axis, the model's best transforms against the one in the tree.
 * Columns have one plan and stay.  The cost becomes what was measured. */
static weft_status measure(const wf_request *request, wf_search *search,
                           wf_step **tree, wf_step **other, wf_text *why)
{
    int axes = request->problem->rank > 0 ? request->problem->rank : 1;
    const int most = most_candidates(request->time_limit);
    contest c = {.request = request,
                 .share = request->time_limit / (axes * most + 1),
                 .end = wf_clock_seconds() + request->time_limit,
                 .why = why};
    bool timed;
    weft_status status = time_first(&c, *tree, &timed);
    if (status != WEFT_OK || !timed)
        return status;
    wf_planner_has_timed(request);
    if (*other != NULL)
        status = race(&c, tree, other);
    for (int i = 0; status == WEFT_OK && i < rank_of(*tree)->children; i++) {
        const wf_step *axis = rank_of(*tree)->child[i];
        wf_step_kind walk = axis->kind;
        if (walk != WF_STEP_ROWS && walk != WF_STEP_STREAMED &&
            walk != WF_STEP_BUFFERED)
            continue;
        wf_candidates candidates;
        search->root = axis->child[0]->n;
        if (wf_step_is_r2r(axis->child[0]->kind))
            wf_search_r2r_candidates(search, axis->child[0]->real,
                                     search->root, &candidates);
        else
            wf_search_candidates(search, search->root,
                                 wf_step_is_real(axis->child[0]->kind),
                                 &candidates);
        for (int k = 0; k < candidates.count && k < most && status == WEFT_OK;
             k++)
            if (candidates.tree[k]->error <= WF_ERROR_LIMIT ||
                search->matrices)
                status = challenge(&c, tree, i, walk, candidates.tree[k]);
        if (status == WEFT_OK && walk == WF_STEP_STREAMED)
            status = challenge(&c, tree, i, WF_STEP_ROWS,
                               rank_of(*tree)->child[i]->child[0]);
        wf_candidates_free(&candidates);
    }
    (*tree)->cost = 1e9 * c.seconds;
    return status;
}

weft_status wf_planner_plan(const wf_request *request, wf_step **tree,
                            wf_text *why)
{
    if (wf_problem_is_precise(request->problem) &&
        request->engine->weigh == NULL)
        return wf_plan_precise(request, tree, why);
    wf_search search = {
        .engine = request->engine,
        .type = request->problem->type,
        .rule = request->rule,
        .real = request->rule != NULL && wf_rule_is_real(request->rule),
        .r2r = request->rule != NULL && wf_rule_is_r2r(request->rule),
        .scheme = wf_problem_scheme(request->problem),
        .matrices = wf_problem_is_matrix(request->problem),
        .thorough = request->effort == WEFT_MEASURE,
        .in_place = request->problem->in_place &&
                    request->problem->kind != WEFT_C2R,
        .half_in_place = request->problem->in_place ||
                         request->problem->kind == WEFT_C2R,
        .split = request->problem->split,
        .far = wf_problem_bytes(request->problem) >
               request->engine->machine()->kept};
    *tree = NULL;
    const reason kept = keep_reason();
    wf_step *other = NULL;
    weft_status status = wf_plan_axes(&search, request->problem, tree, why);
    if (status == WEFT_OK && !request->group)
        other = wf_try_slices(&search, request->problem, tree);
    if (status == WEFT_OK && request->effort == WEFT_MEASURE)
        status = measure(request, &search, tree, &other, why);
    wf_step_free(other);
    if (status == WEFT_OK && search.no_memory)
        status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory while planning");
    if (status != WEFT_OK) {
        wf_step_free(*tree);
        *tree = NULL;
    }
    wf_search_free(&search);
    return restore_reason(status, &kept);
}
