/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft plan: what the planner makes of a problem, and why.
 */
#include <stdlib.h>
#include <string.h>

#include <weft/weft.h>

#include "args.h"
#include "problems.h"
#include "report.h"

enum {
    OPT_MEASURE,
    OPT_LIMIT,
    OPT_RULE,
    OPT_TREE,
    OPT_ENGINE,
    OPT_SWEEP,
    OPT_JSON
};

static const arg options[] = {
    {"measure", NULL, "time the candidates instead of the model"},
    {"time-limit", "SECONDS", "that --measure may take a problem [1]"},
    {"rule", "NAME", "only plans whose root this rule makes"},
    {"tree", "TEXT", "exactly this plan, as weft plan prints it"},
    {"engine", "NAME", "of all problems, in place of their engine="},
    {"sweep", "RANGE", "problems, for instance c2c:f64:2^2..2^22"},
    {"json", NULL, "print a JSON report"},
    {NULL, NULL, NULL}};

static const command self = {
    "plan", "PROBLEM... [OPTION...]",
    "Prints the plan tree of each problem, the cost of its steps, and "
    "the candidates it was chosen from.",
    "  weft plan c2c:f64:1024\n"
    "  weft plan c2c:f32:512x512:inplace --measure\n"
    "  weft plan c2c:f64:4096 --rule radix2\n"
    "  weft plan --engine neuron c2c:f32:4096*8\n"
    "  weft plan --sweep c2c:f64:2^2..2^22 --json\n",
    options};

typedef struct request {
    weft_plan_options plan;
    bool other_engine;
    weft_engine engine;
    problem_list problems;
    report *root;
    bool json;
} request;

/* The engine's name is the library's to know: read as part of a problem. */
static int set_engine(request *want, const char *name)
{
    char text[64];
    weft_problem problem;
    snprintf(text, sizeof text, "c2c:f32:2:engine=%.32s", name);
    if (weft_problem_parse(text, &problem)) {
        fail_library("--engine");
        return CODE_USAGE;
    }
    want->other_engine = true;
    want->engine = problem.engine;
    return CODE_OK;
}

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_MEASURE: want->plan.effort = WEFT_MEASURE; return CODE_OK;
    case OPT_LIMIT:
        return args_number("time-limit", value, 1e-6, 1e6,
                           &want->plan.time_limit);
    case OPT_RULE: want->plan.rule = value; return CODE_OK;
    case OPT_TREE: want->plan.tree = value; return CODE_OK;
    case OPT_ENGINE: return set_engine(want, value);
    case OPT_SWEEP: return problems_add_sweep(&want->problems, value);
    default: want->json = true; return CODE_OK;
    }
}

/* One of the library's texts, allocated; NULL told. */
typedef weft_status text_function(const weft_plan *plan, char *buffer,
                                  size_t capacity, size_t *length);

static char *plan_text(text_function *write, const weft_plan *plan)
{
    size_t length = 0;
    char *text = NULL;
    if (!write(plan, NULL, 0, &length)) {
        text = malloc(length + 1);
        if (text && write(plan, text, length + 1, NULL)) {
            free(text);
            text = NULL;
        }
    }
    if (!text)
        fail_library("the plan's text");
    return text;
}

static void print_info(const weft_plan_info *info, report *row)
{
    report_number(row, "cost", info->cost);
    report_number(row, "flops", info->flops);
    report_number(row, "planning_seconds", info->planning_seconds);
    report_integer(row, "table_bytes", (int64_t)info->table_bytes);
    report_integer(row, "scratch_bytes", (int64_t)info->scratch_bytes);
    report_number(row, "error_bound", info->error_bound);
    report_number(row, "error_expected", info->error_expected);
    if (row)
        return;
    printf("cost %.4g, %.0f flops, planned in %.3g ms; %zu bytes of tables, "
           "%zu of scratch; error <= %.3g, expected %.3g\n\n",
           info->cost, info->flops, 1e3 * info->planning_seconds,
           info->table_bytes, info->scratch_bytes, info->error_bound,
           info->error_expected);
}

static int show_plan(const request *want, const char *problem,
                     const weft_plan *plan, report *row)
{
    char *tree = plan_text(weft_plan_text, plan);
    char *why = plan_text(weft_plan_explain, plan);
    char *canonical = plan_text(weft_plan_problem, plan);
    weft_plan_info info = {.size = sizeof info};
    int code = tree && why && canonical ? CODE_OK : CODE_LIBRARY;
    if (!code && weft_plan_get_info(plan, &info))
        code = fail_library("the plan's figures");
    if (!code) {
        report_text(row, "problem", problem);
        report_text(row, "canonical", canonical);
        report_text(row, "tree", tree);
        report_text(row, "explanation", why);
        if (!want->root)
            printf("%s\n%s\n%s%s", canonical, tree, why,
                   why[0] && why[strlen(why) - 1] != '\n' ? "\n" : "");
        print_info(&info, row);
    }
    free(tree);
    free(why);
    free(canonical);
    return code;
}

static int run(const request *want)
{
    report *rows = report_array(want->root, "plans");
    for (size_t i = 0; i < want->problems.count; i++) {
        const char *text = want->problems.texts[i];
        weft_problem problem;
        weft_plan *plan;
        problem_rule rule;
        int code = problem_read_ruled(text, &problem, &rule);
        if (code)
            return code;
        weft_plan_options asked = want->plan;
        if (rule.name[0] && asked.rule)
            return fail(CODE_USAGE, "problem '%s': rule= and --rule", text);
        if (rule.name[0])
            asked.rule = rule.name;
        if (want->other_engine)
            problem.engine = want->engine;
        progress("[%zu/%zu] %s", i + 1, want->problems.count, text);
        weft_status status = weft_plan_create(&problem, &asked, &plan);
        progress_end();
        if (status) {
            char what[400];
            snprintf(what, sizeof what, "cannot plan '%s'", text);
            return fail_plan(status, what);
        }
        code = show_plan(want, text, plan, report_append(rows));
        weft_plan_release(plan);
        if (code)
            return code;
    }
    return CODE_OK;
}

int command_plan(int argc, char **argv)
{
    request want = {.plan = {.size = sizeof want.plan}};
    int code = problems_parse(&self, argc, argv, set_option, &want,
                              &want.problems);
    if (!code && want.plan.time_limit > 0 && want.plan.effort == WEFT_MODEL)
        code = fail(CODE_USAGE, "--time-limit is for --measure");
    if (!code && want.json)
        code = report_begin(&want.root);
    if (!code)
        code = run(&want);
    problems_free(&want.problems);
    int printed = code > 0 ? CODE_OK : report_end(want.root);
    return code < 0 ? CODE_OK : code ? code : printed;
}
