/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_api.c - what a finished plan does and tells.
 *
 * Execute is the library's shortest road: one test of what a caller can get
 * wrong, one call.  Whatever is odd goes to a function of its own that finds
 * out what it was.
 */
#include "api/api.h"

/* ---- Execute ------------------------------------------------------------ */

/* Also the empty plan's way out: it needs no memory, so NULL is fine. */
static weft_status odd(const weft_plan *plan, const void *in, const void *out,
                       bool split)
{
    if (!plan)
        return wf_fail(WEFT_ERR_ARGUMENT, "plan is NULL");
    if (plan->split != split)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       split ? "the plan is for interleaved data: use "
                               "weft_execute"
                             : "the plan is for split data: use "
                               "weft_execute_split");
    if (plan->empty)
        return WEFT_OK;
    if (!in || !out)
        return wf_fail(WEFT_ERR_ARGUMENT, "%s is NULL", in ? "out" : "in");
    if (plan->in_place)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "in and out differ: the plan is in place");
    return wf_fail(WEFT_ERR_ARGUMENT,
                   "in and out are equal: the plan is out of place");
}

weft_status weft_execute(const weft_plan *plan, const void *in, void *out)
{
    if (!plan || !in || !out || !plan->whole || (in == out) != plan->in_place)
        return odd(plan, in, out, false);
    const wf_leaf_call *leaf = &plan->leaf;
    if (leaf->run)
        leaf->run(in, out, leaf->count, leaf->in_dist, leaf->out_dist,
                  leaf->table);
    else if (plan->plain.run)
        plan->plain.run(plan->plain.what, in, out);
    else
        plan->execute(plan->program, in, NULL, out, NULL);
    return WEFT_OK;
}

/* Out of place, no input array may be an output array.  A real side has no
 * imaginary array, and a NULL there is in nobody's way. */
static bool placed(const weft_plan *plan, const void *in_re, const void *in_im,
                   const void *out_re, const void *out_im)
{
    if (plan->in_place)
        return in_re == out_re && in_im == out_im;
    return in_re != out_re && (in_im != out_im || in_im == NULL) &&
           in_re != out_im && in_im != out_re;
}

/* Of any plan and pointers. */
static weft_status execute_split(const weft_plan *plan, const void *in_re,
                                 const void *in_im, void *out_re, void *out_im)
{
    weft_kind kind = plan ? plan->canonical.kind : WEFT_C2C;
    if (!wf_side_is_complex(kind, WF_INPUT))
        in_im = NULL;
    if (!wf_side_is_complex(kind, WF_OUTPUT))
        out_im = NULL;
    const void *in = in_re && kind != WEFT_R2C ? in_im : in_re;
    const void *out = out_re && kind != WEFT_C2R ? out_im : out_re;
    if (!plan || !in || !out || !plan->split || plan->empty ||
        !placed(plan, in_re, in_im, out_re, out_im))
        return odd(plan, in, out, true);
    if (plan->plain_split.run)
        plan->plain_split.run(plan->plain_split.what, in_re, in_im, out_re,
                              out_im);
    else
        plan->execute(plan->program, in_re, in_im, out_re, out_im);
    return WEFT_OK;
}

weft_status weft_execute_split(const weft_plan *plan, const void *in_re,
                               const void *in_im, void *out_re, void *out_im)
{
    if (!plan || !plan->plain_split.run || !in_re || !in_im || !out_re ||
        !out_im || !placed(plan, in_re, in_im, out_re, out_im))
        return execute_split(plan, in_re, in_im, out_re, out_im);
    plan->plain_split.run(plan->plain_split.what, in_re, in_im, out_re,
                          out_im);
    return WEFT_OK;
}

/* ---- Texts -------------------------------------------------------------- */

static weft_status check_text(const weft_plan *plan, const char *buffer,
                              size_t capacity)
{
    if (!plan)
        return wf_fail(WEFT_ERR_ARGUMENT, "plan is NULL");
    return wf_check_buffer(buffer, capacity);
}

weft_status weft_plan_problem(const weft_plan *plan, char *buffer,
                              size_t capacity, size_t *length)
{
    weft_status status = check_text(plan, buffer, capacity);
    if (status != WEFT_OK)
        return status;
    return weft_problem_print(&plan->problem, buffer, capacity, length);
}

weft_status weft_plan_text(const weft_plan *plan, char *buffer,
                           size_t capacity, size_t *length)
{
    wf_text text = {0};
    weft_status status = check_text(plan, buffer, capacity);
    if (status != WEFT_OK)
        return status;
    wf_step_print(plan->tree, &text);
    return wf_copy_out(&text, buffer, capacity, length);
}

/* The candidates of a search by the model, which finds the same each time. */
static weft_status search_again(const weft_plan *plan, wf_text *why)
{
    wf_request request = {.problem = &plan->canonical,
                          .engine = plan->engine,
                          .effort = WEFT_MODEL};
    wf_step *tree;
    weft_status status = wf_planner_plan(&request, &tree, why);
    if (status == WEFT_OK)
        wf_step_free(tree);
    return status;
}

weft_status weft_plan_explain(const weft_plan *plan, char *buffer,
                              size_t capacity, size_t *length)
{
    wf_text text = {0};
    weft_status status = check_text(plan, buffer, capacity);
    if (status != WEFT_OK)
        return status;
    wf_step_explain(plan->tree, 0, &text);
    if (plan->plain_search)
        status = search_again(plan, &text);
    if (status != WEFT_OK) {
        wf_text_free(&text);
        return status;
    }
    if (plan->why.length)
        wf_text_add(&text, "%s", plan->why.data);
    if (!plan->empty && plan->engine->explain)
        plan->engine->explain(plan->program, &text);
    return wf_copy_out(&text, buffer, capacity, length);
}

weft_status weft_plan_timetable(const weft_plan *plan, char *buffer,
                                size_t capacity, size_t *length)
{
    wf_text text = {0};
    weft_status status = check_text(plan, buffer, capacity);
    if (status != WEFT_OK)
        return status;
    if (!plan->engine->timetable)
        return wf_fail(WEFT_ERR_UNSUPPORTED, "engine %s has no timetable",
                       plan->engine->name);
    if (!plan->empty)
        plan->engine->timetable(plan->program, &text);
    return wf_copy_out(&text, buffer, capacity, length);
}

/* ---- Numbers ------------------------------------------------------------ */

static weft_status check_info(const weft_plan_info *info)
{
    if (!info)
        return wf_fail(WEFT_ERR_ARGUMENT, "info is NULL");
    if (info->size < sizeof *info)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "info.size is %zu: must be sizeof(weft_plan_info), %zu",
                       info->size, sizeof *info);
    if (info->size > sizeof *info)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "info.size is %zu: this version of weft knows %zu",
                       info->size, sizeof *info);
    return WEFT_OK;
}

weft_status weft_plan_get_info(const weft_plan *plan, weft_plan_info *info)
{
    if (!plan)
        return wf_fail(WEFT_ERR_ARGUMENT, "plan is NULL");
    weft_status status = check_info(info);
    if (status != WEFT_OK)
        return status;
    *info = (weft_plan_info){.size = sizeof *info,
                             .planning_seconds = plan->planning_seconds,
                             .error_bound = plan->error_bound,
                             .error_expected = plan->error_expected};
    if (plan->empty)
        return WEFT_OK;
    info->cost = plan->cost;
    info->timed = plan->timed;
    info->flops = plan->tree->flops;
    plan->engine->sizes(plan->program, &info->table_bytes,
                        &info->scratch_bytes);
    return WEFT_OK;
}

weft_status weft_plan_figure(const weft_plan *plan, const char *name,
                             double *value)
{
    if (!plan || !name || !value)
        return wf_fail(WEFT_ERR_ARGUMENT, "%s is NULL",
                       !plan   ? "plan"
                       : !name ? "name"
                               : "value");
    *value = 0;
    if (!plan->empty && plan->engine->figure &&
        plan->engine->figure(plan->program, name, value))
        return WEFT_OK;
    return wf_fail(WEFT_ERR_UNSUPPORTED, "engine %s has no figure \"%.40s\"",
                   plan->engine->name, name);
}

weft_status weft_plan_error(const weft_plan *plan, double *bound,
                            double *expected)
{
    if (!plan)
        return wf_fail(WEFT_ERR_ARGUMENT, "plan is NULL");
    if (bound)
        *bound = plan->error_bound;
    if (expected)
        *expected = plan->error_expected;
    return WEFT_OK;
}

/* The product of the transformed dimensions, by which `order` is indexed. */
static int64_t transformed(const weft_problem *problem)
{
    int64_t n = 1;
    for (int i = 0; i < problem->rank; i++)
        n *= problem->dims[i].n;
    return n;
}

weft_status weft_plan_order(const weft_plan *plan, int64_t *order,
                            size_t count)
{
    if (!plan || !order)
        return wf_fail(WEFT_ERR_ARGUMENT, "%s is NULL",
                       plan ? "order" : "plan");
    int64_t n = transformed(&plan->problem);
    if (count != (size_t)n)
        return wf_fail(WEFT_ERR_ARGUMENT, "count is %zu: must be n, %zu",
                       count, (size_t)n);
    if (plan->canonical.scrambled && !plan->empty) {
        plan->engine->order(plan->program, order, n);
        return WEFT_OK;
    }
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    return WEFT_OK;
}
