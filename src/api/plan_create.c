/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_create.c - from a descriptor to a bound plan.
 *
 * The tree comes from one of three places: the caller (options.tree), wisdom,
 * or the planner.  Wisdom is only a hint: when its tree does not fit, it is
 * as if there were none.  A plan under construction owns whatever it holds,
 * so every failure is one weft_plan_release.
 */
#include "api/api.h"
#include "kernel/isa.h"
#include "plan/precise.h"
#include "plan/wisdom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static weft_status check_options(const weft_plan_options *o)
{
    if (o->size < sizeof *o)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "options.size is %zu: must be "
                       "sizeof(weft_plan_options), %zu",
                       o->size, sizeof *o);
    if (o->size > sizeof *o)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "options.size is %zu: this version of weft knows %zu",
                       o->size, sizeof *o);
    if ((int)o->effort != WEFT_MODEL && (int)o->effort != WEFT_MEASURE)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "options.effort is %d: must be 0 (model) or 1 "
                       "(measure)",
                       (int)o->effort);
    if (!isfinite(o->time_limit) || o->time_limit < 0)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "options.time_limit is %g: must be at least 0 and "
                       "finite",
                       o->time_limit);
    if (o->rule && o->tree)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "options.rule is \"%.40s\" and options.tree is given "
                       "too: at most one of them",
                       o->rule);
    if (o->wisdom_only && (o->rule || o->tree || o->ignore_wisdom))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "options.wisdom_only is %d and %s too: at most one of "
                       "them",
                       (int)o->wisdom_only,
                       o->ignore_wisdom ? "ignore_wisdom" : "rule or tree");
    return WEFT_OK;
}

/* ---- The tree ----------------------------------------------------------- */

static void drop_tree(weft_plan *plan)
{
    wf_step_free(plan->tree);
    plan->tree = NULL;
}

static weft_status bind(weft_plan *plan)
{
    return plan->engine->bind(plan->engine, &plan->canonical, plan->tree,
                              &plan->program);
}

/* A tree from its text, bound; the plan is as before when it does not fit. */
static weft_status adopt(weft_plan *plan, const char *tree)
{
    weft_status status = wf_planner_adopt(&plan->canonical, plan->engine, tree,
                                          &plan->tree);
    if (status != WEFT_OK) {
        plan->tree = NULL;
        return status;
    }
    plan->cost = plan->tree->cost;
    status = bind(plan);
    if (status != WEFT_OK) {
        plan->program = NULL;
        drop_tree(plan);
    }
    return status;
}

static const char *isa_name(void)
{
    return wf_isa_name((wf_isa)wf_cpu_isa());
}

/* Seconds that measuring may take; 0: nothing is measured. */
static double limit_of(const weft_plan_options *options)
{
    if (options->effort == WEFT_MODEL)
        return 0;
    return options->time_limit > 0 ? options->time_limit : 1;
}

/* True when wisdom knew a tree, found with no less a limit, and it fits.  A
 * failure in here is nobody's error: the thread's reason stays what it was. */
static bool follow_wisdom(weft_plan *plan, double limit)
{
    wf_text key = {0};
    char reason[512];
    double nanoseconds = 0;
    bool found = false;
    snprintf(reason, sizeof reason, "%s", wf_error_text());
    wf_problem_key(&plan->canonical, &key);
    char *tree = key.failed ? NULL
                            : wf_wisdom_recall(isa_name(), key.data, limit,
                                               &nanoseconds);
    if (tree && adopt(plan, tree) == WEFT_OK) {
        found = true;
        plan->timed = true;
        plan->cost = nanoseconds;
        wf_text_add(&plan->why, "from wisdom: measured %.4g ns\n",
                    nanoseconds);
    } else if (tree) {
        wf_fail(WEFT_OK, "%s", reason);
    }
    wf_free(tree);
    wf_text_free(&key);
    return found;
}

/* Best effort: a plan does not fail because it cannot be remembered. */
static void remember(const weft_plan *plan, double limit)
{
    wf_text key = {0}, tree = {0};
    char reason[512];
    snprintf(reason, sizeof reason, "%s", wf_error_text());
    wf_problem_key(&plan->canonical, &key);
    wf_step_print(plan->tree, &tree);
    if (!key.failed && !tree.failed && plan->cost > 0 &&
        wf_wisdom_remember(&(wf_finding){.isa = isa_name(),
                                         .key = key.data,
                                         .tree = tree.data,
                                         .nanoseconds = plan->cost,
                                         .limit = limit}) != WEFT_OK)
        wf_fail(WEFT_OK, "%s", reason);
    wf_text_free(&key);
    wf_text_free(&tree);
}

static weft_status search(weft_plan *plan, const weft_plan_options *options)
{
    wf_request request = {.problem = &plan->canonical,
                          .engine = plan->engine,
                          .effort = options->effort,
                          .timed = &plan->timed,
                          .time_limit = limit_of(options),
                          .rule = options->rule};
    /* The reasons of a plain search are found again when they are asked for:
     * printing them takes as long as the search. */
    plan->plain_search = !options->rule && options->effort == WEFT_MODEL;
    weft_status status = wf_planner_plan(
        &request, &plan->tree, plan->plain_search ? NULL : &plan->why);
    if (status != WEFT_OK) {
        plan->tree = NULL;
        return status;
    }
    plan->cost = plan->tree->cost;
    status = bind(plan);
    if (status != WEFT_OK)
        plan->program = NULL;
    else if (plan->timed && !options->rule)
        remember(plan, limit_of(options));
    return status;
}

/* Nothing to do, yet the plan has a tree to show. */
static weft_status plan_nothing(weft_plan *plan)
{
    plan->tree = wf_step_new(WF_STEP_COPY, 1);
    return plan->tree ? WEFT_OK
                      : wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan");
}

static void drop_program(weft_plan *plan)
{
    if (plan->program)
        plan->engine->release(plan->program);
    plan->program = NULL;
    drop_tree(plan);
    wf_text_free(&plan->why);
    plan->why = (wf_text){0};
}

static weft_status find_tree_as_asked(weft_plan *plan,
                                      const weft_plan_options *options)
{
    if (plan->empty)
        return plan_nothing(plan);
    if (options->tree)
        return adopt(plan, options->tree);
    if (!options->rule && !options->ignore_wisdom && wf_wisdom_any() &&
        follow_wisdom(plan, limit_of(options)))
        return WEFT_OK;
    if (options->wisdom_only)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "options.wisdom_only is %d: no wisdom for this problem",
                       (int)options->wisdom_only);
    return search(plan, options);
}

/* ---- The target --------------------------------------------------------- */

/* What planning one mode says, without a plan being made. */
typedef struct offer {
    wf_mode mode;
    double cost, bound;
    wf_step *tree;
} offer;

typedef struct auction {
    offer offer[WF_MOST_MODES]; /* cheapest first */
    int count;
} auction;

static void end_auction(auction *a)
{
    for (int i = 0; i < a->count; i++)
        wf_step_free(a->offer[i].tree);
    a->count = 0;
}

/* Adds what a mode offers, if anything; the status says why not. */
static weft_status ask_for_offer(const weft_plan *plan,
                                 const weft_plan_options *options,
                                 wf_mode mode, auction *a)
{
    wf_problem view;
    offer made = {.mode = mode};
    weft_status status = WEFT_OK;
    wf_problem_in_mode(&plan->asked, mode, &view);
    if (plan->engine->accepts)
        status = plan->engine->accepts(&view);
    if (status != WEFT_OK)
        return status;
    wf_request request = {.problem = &view,
                          .engine = plan->engine,
                          .effort = WEFT_MODEL,
                          .rule = options->rule};
    status = options->tree ? wf_planner_adopt(&view, plan->engine,
                                              options->tree, &made.tree)
                           : wf_planner_plan(&request, &made.tree, NULL);
    if (status != WEFT_OK)
        return status;
    made.cost = made.tree->cost;
    int i = a->count++;
    for (; i > 0 && a->offer[i - 1].cost > made.cost; i--)
        a->offer[i] = a->offer[i - 1];
    a->offer[i] = made;
    return WEFT_OK;
}

/* The error bound of an offer; some engines know it of a bound tree only. */
static weft_status find_bound(const weft_plan *plan, offer *o)
{
    wf_problem view;
    double expected;
    wf_problem_in_mode(&plan->asked, o->mode, &view);
    wf_tree_error(&view, o->tree, &o->bound, &expected);
    if (!plan->engine->errors)
        return WEFT_OK;
    wf_program *program;
    weft_status status = plan->engine->bind(plan->engine, &view, o->tree,
                                            &program);
    if (status != WEFT_OK)
        return status;
    plan->engine->errors(program, &o->bound, &expected);
    plan->engine->release(program);
    return WEFT_OK;
}

static void print_mode(wf_mode mode, char text[24])
{
    snprintf(text, 24, mode.slices ? "%s%d" : "%s",
             wf_precision_name(mode.precision), mode.slices);
}

/* `verdict`: the bound is known; else a cheaper offer has won. */
static void tell_offer(weft_plan *plan, const offer *o, const char *verdict)
{
    char mode[24];
    print_mode(o->mode, mode);
    wf_text_add(&plan->why, "target %.3g: %s ", plan->asked.target, mode);
    if (verdict)
        wf_text_add(&plan->why, "has error bound %.3g, ", o->bound);
    wf_text_add(&plan->why, "cost %.0f ns: %s\n", o->cost,
                verdict ? verdict : "dearer");
}

static weft_status refuse_target(const weft_plan *plan,
                                 const weft_plan_options *options,
                                 const auction *a)
{
    const char *whose = options->tree   ? "of this tree"
                        : options->rule ? "by this rule"
                                        : "for this problem";
    const offer *nearest = &a->offer[0];
    char mode[24];
    for (int i = 1; i < a->count; i++)
        if (a->offer[i].bound < nearest->bound)
            nearest = &a->offer[i];
    print_mode(nearest->mode, mode);
    return wf_fail(WEFT_ERR_TARGET,
                   "target_error is %.4g: the least error bound %s is %.4g, "
                   "of precision %s",
                   plan->asked.target, whose, nearest->bound, mode);
}

/* The cheapest offer that meets the target, all of them told; bounds that take
 * a bound tree to know are left out once there is one. */
static weft_status compare_offers(weft_plan *plan,
                                  const weft_plan_options *options, auction *a,
                                  const offer **best)
{
    *best = NULL;
    for (int i = 0; i < a->count; i++) {
        offer *o = &a->offer[i];
        const char *verdict = NULL;
        if (!*best || !plan->engine->errors) {
            weft_status status = find_bound(plan, o);
            if (status != WEFT_OK)
                return status;
            verdict = o->bound > plan->asked.target ? "not enough"
                      : *best                       ? "dearer"
                                                    : "taken";
            if (!*best && o->bound <= plan->asked.target)
                *best = o;
        }
        tell_offer(plan, o, verdict);
    }
    return *best ? WEFT_OK : refuse_target(plan, options, a);
}

/* The cheapest mode whose plan meets the target. */
static weft_status choose_mode(weft_plan *plan,
                               const weft_plan_options *options, wf_mode *best)
{
    wf_mode modes[WF_MOST_MODES];
    auction a = {.count = 0};
    const offer *taken;
    int count = wf_target_modes(&plan->asked, modes);
    weft_status status = WEFT_OK;
    for (int i = 0; i < count; i++) {
        status = ask_for_offer(plan, options, modes[i], &a);
        if (status == WEFT_ERR_NO_MEMORY)
            goto done;
    }
    if (a.count == 0)
        return status; /* another rule or tree, or no such arithmetic */
    status = compare_offers(plan, options, &a, &taken);
    if (status == WEFT_OK)
        *best = taken->mode;
done:
    end_auction(&a);
    return status;
}

static void find_error(weft_plan *plan)
{
    if (plan->empty)
        return;
    wf_tree_error(&plan->canonical, plan->tree, &plan->error_bound,
                  &plan->error_expected);
    if (plan->engine->errors)
        plan->engine->errors(plan->program, &plan->error_bound,
                             &plan->error_expected);
}

/* Resolves the target to a mode, then plans that; a tree that was measured
 * may have a larger bound than the model's, which then takes its place. */
static weft_status find_tree(weft_plan *plan, const weft_plan_options *options)
{
    if (plan->empty || plan->asked.target == 0)
        return find_tree_as_asked(plan, options);
    wf_mode best;
    weft_status status = choose_mode(plan, options, &best);
    if (status != WEFT_OK)
        return status;
    wf_problem_in_mode(&plan->asked, best, &plan->canonical);
    status = find_tree_as_asked(plan, options);
    if (status != WEFT_OK)
        return status;
    find_error(plan);
    if (plan->error_bound <= plan->asked.target)
        return WEFT_OK;
    weft_plan_options model = *options;
    model.effort = WEFT_MODEL;
    model.ignore_wisdom = 1;
    drop_program(plan);
    return find_tree_as_asked(plan, &model);
}

/* ---- The plan ----------------------------------------------------------- */

static weft_status fill(weft_plan *plan, const weft_problem *problem,
                        const weft_plan_options *options)
{
    double start = wf_clock_seconds();
    plan->problem = *problem;
    plan->empty = plan->canonical.empty;
    plan->split = plan->canonical.split;
    plan->in_place = plan->canonical.in_place;
    plan->engine = wf_engine_of(problem->engine);
    weft_status status = WEFT_OK;
    if (plan->engine->accepts && plan->asked.target == 0)
        status = plan->engine->accepts(&plan->canonical);
    if (status == WEFT_OK)
        status = find_tree(plan, options);
    if (status != WEFT_OK)
        return status;
    plan->whole = !plan->empty && !plan->split;
    find_error(plan);
    plan->execute = plan->engine->execute;
    if (!plan->empty &&
        plan->engine->figure) /* the whole, not its axes' sum */
        plan->engine->figure(plan->program, "time_ns", &plan->cost);
    if (plan->whole && plan->engine == &wf_cpu_engine) {
        plan->leaf = wf_cpu_leaf(plan->program);
        plan->plain = wf_cpu_plain(plan->program);
    }
    if (!plan->empty && plan->split && plan->engine == &wf_cpu_engine)
        plan->plain_split = wf_cpu_plain_split(plan->program);
    plan->planning_seconds = wf_clock_seconds() - start;
    return WEFT_OK;
}

weft_status weft_plan_create(const weft_problem *problem,
                             const weft_plan_options *options,
                             weft_plan **plan)
{
    static const weft_plan_options standard = {.size = sizeof standard};
    const weft_plan_options *chosen = options ? options : &standard;
    wf_problem canonical;
    if (!plan)
        return wf_fail(WEFT_ERR_ARGUMENT, "plan is NULL");
    *plan = NULL;
    weft_status status = check_options(chosen);
    if (status == WEFT_OK)
        status = wf_problem_canonical(problem, &canonical);
    if (status != WEFT_OK)
        return status;
    weft_plan *made = wf_calloc(1, sizeof *made);
    if (!made)
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan");
    atomic_init(&made->references, 1);
    made->asked = made->canonical = canonical;
    status = fill(made, problem, chosen);
    if (status != WEFT_OK)
        goto fail;
    *plan = made;
    return WEFT_OK;
fail:
    weft_plan_release(made);
    return status;
}

weft_plan *weft_plan_retain(weft_plan *plan)
{
    if (plan)
        atomic_fetch_add_explicit(&plan->references, 1, memory_order_relaxed);
    return plan;
}

void weft_plan_release(weft_plan *plan)
{
    if (!plan || atomic_fetch_sub_explicit(&plan->references, 1,
                                           memory_order_acq_rel) != 1)
        return;
    if (plan->program)
        plan->engine->release(plan->program);
    wf_step_free(plan->tree);
    wf_text_free(&plan->why);
    wf_free(plan);
}
