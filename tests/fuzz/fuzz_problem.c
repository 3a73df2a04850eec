/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The notation of problems given any text: refused with a reason, or printed
 * canonically, which is a fixed point.  Check, print, extent and planning
 * must agree on what is valid; small valid problems are executed inside their
 * extent.
 */
#include "fuzz.h"

static char *print(const weft_problem *problem)
{
    size_t length = 0;
    weft_status status = weft_problem_print(problem, NULL, 0, &length);
    DEMAND(status == WEFT_OK, "print: %s", weft_error_text());
    char *text = fuzz_need(length + 1);
    weft_problem_print(problem, text, length + 1, NULL);
    DEMAND(strlen(text) == length, "length %zu for %s", length, text);
    return text;
}

static bool same_sizes(const weft_dim *a, const weft_dim *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i].n != b[i].n)
            return false;
    return true;
}

/* The same but for how packed strides and no threads are written. */
static bool same(const weft_problem *a, const weft_problem *b)
{
    weft_extent x, y;
    return weft_problem_extent(a, &x) == weft_problem_extent(b, &y) &&
           x.count == y.count && x.in_low == y.in_low &&
           x.in_high == y.in_high && x.out_low == y.out_low &&
           x.out_high == y.out_high && a->size == b->size &&
           a->kind == b->kind && a->type == b->type && a->sign == b->sign &&
           a->norm == b->norm && a->scale == b->scale && a->rank == b->rank &&
           a->batch_rank == b->batch_rank &&
           same_sizes(a->dims, b->dims, a->rank) &&
           same_sizes(a->batch, b->batch, a->batch_rank) &&
           a->layout == b->layout && a->place == b->place &&
           a->order == b->order && a->precision == b->precision &&
           a->engine == b->engine &&
           (a->threads == b->threads || (a->threads <= 1 && b->threads <= 1));
}

static void demand_fixed_point(const weft_problem *problem)
{
    weft_problem again;
    char *text = print(problem);
    weft_status status = weft_problem_parse(text, &again);
    DEMAND(status == WEFT_OK, "%s: %s", text, weft_error_text());
    DEMAND(same(problem, &again), "%s is another problem", text);
    char *second = print(&again);
    DEMAND(!strcmp(text, second), "%s becomes %s", text, second);
    free(text);
    free(second);
}

static void demand_refusals(const weft_problem *problem, weft_status why)
{
    weft_extent extent;
    weft_plan *plan = NULL;
    DEMAND(*weft_error_text(), "refused without a reason");
    DEMAND(weft_problem_print(problem, NULL, 0, NULL) == why, "print");
    DEMAND(weft_problem_extent(problem, &extent) == why, "extent");
    DEMAND(weft_plan_create(problem, NULL, &plan) == why && !plan, "plan");
}

static bool is_small(const weft_extent *e)
{
    const int64_t limit = 1 << 14;
    return e->count <= 2048 && e->in_high - e->in_low < limit &&
           e->out_high - e->out_low < limit;
}

static void demand_execution(const weft_problem *problem)
{
    weft_plan *plan = NULL;
    weft_problem few = *problem;
    if (few.threads > 2)
        few.threads = 2;
    weft_status status = weft_plan_create(&few, NULL, &plan);
    if (status == WEFT_ERR_UNSUPPORTED ||
        (status == WEFT_ERR_TARGET && few.target_error > 0))
        return;
    DEMAND(status == WEFT_OK, "plan: %s", weft_error_text());
    fuzz_side out = fuzz_execute(&few, plan);
    fuzz_side_free(&out);
    weft_plan_release(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_problem problem;
    char *text = fuzz_text(data, size);
    weft_status status = weft_problem_parse(text, &problem);
    free(text);
    if (status != WEFT_OK) {
        DEMAND(status == WEFT_ERR_PARSE && *weft_error_text(), "status %s, %s",
               weft_status_name(status), weft_error_text());
        return 0;
    }
    status = weft_problem_check(&problem);
    if (status != WEFT_OK) {
        demand_refusals(&problem, status);
        return 0;
    }
    demand_fixed_point(&problem);
    weft_extent extent;
    status = weft_problem_extent(&problem, &extent);
    DEMAND(status == WEFT_OK, "extent: %s", weft_error_text());
    DEMAND(extent.count >= 0, "%lld elements", (long long)extent.count);
    if (is_small(&extent))
        demand_execution(&problem);
    return 0;
}
