/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft accuracy: how far results are from the exact ones, on random data
 * (uniform in the square -1..1, the same in every run).  Without a problem:
 * every mode at many lengths (modes.c), or what unreduced angles do
 * (angles.c).
 */
#include <math.h>

#include <weft/weft.h>

#include "angles.h"
#include "args.h"
#include "exact.h"
#include "field.h"
#include "modes.h"
#include "problems.h"
#include "report.h"

enum {
    OPT_SWEEP,
    OPT_TRIALS,
    OPT_SEED,
    OPT_TYPE,
    OPT_KIND,
    OPT_TOP,
    OPT_PLOT,
    OPT_ANGLES,
    OPT_TREE,
    OPT_JSON
};

static const arg options[] = {
    {"sweep", "RANGE", "problems, for instance c2c:f64:2^2..2^22"},
    {"trials", "N", "data sets a problem; errors are the worst [1]"},
    {"seed", "N", "of the data [1]"},
    {"type", "TYPE", "the table of modes for f32 or f64 only [both]"},
    {"kind", "KIND", "the table of modes of another kind, r2c .. [c2c]"},
    {"top", "E", "the table's lengths are 2^4, 2^6 .. 2^E [16]"},
    {"plot", "FILE", "draw the table as an SVG, too"},
    {"angles", "KIND", "fp32: what tables of unreduced FP32 angles do"},
    {"tree", "TEXT", "exactly this plan of each problem"},
    {"json", NULL, "print a JSON report"},
    {NULL, NULL, NULL}};

static const command self = {
    "accuracy", "[PROBLEM...] [OPTION...]",
    "Measures relative L2 and maximum error against an exact transform, "
    "also in units of u (2^-53 or 2^-24), beside the bar of the fast "
    "mode. The maximum error is relative to the root mean square of the "
    "result. Exit code 1 when a bar is missed. The bar of another mode "
    "than fast, and of rule=NAME and --tree, is its plan's bound. "
    "Without a problem: the table of all precision modes at lengths 16 "
    "to 65536, relative L2 and maximum error, bound and cost.",
    "  weft accuracy --type f32 --plot modes.svg\n"
    "  weft accuracy --type f64 --kind r2c\n"
    "  weft accuracy --angles fp32\n"
    "  weft accuracy c2c:f64:1024 c2c:f32:1009:precision=double\n"
    "  weft accuracy --sweep c2c:f64:2^2..2^20 --json\n"
    "  weft accuracy c2c:f32:64x64*10:inverse --trials 5\n"
    "  weft accuracy c2c:f32:256*6:rule=matrix\n"
    "  weft accuracy --sweep r2c:f64:2^2..2^20\n",
    options};

typedef struct request {
    problem_list problems;
    report *root;
    bool json, table, angles; /* table: an option only the table has */
    int64_t trials, seed;
    const char *tree;
    modes_request modes;
} request;

static const char *const types[] = {"f32", "f64", NULL};
static const char *const angle_kinds[] = {"fp32", NULL};

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    int index;
    switch (option) {
    case OPT_SWEEP: return problems_add_sweep(&want->problems, value);
    case OPT_TRIALS:
        return args_integer("trials", value, 1, 1000000, &want->trials);
    case OPT_SEED:
        return args_integer("seed", value, 0, INT64_MAX, &want->seed);
    case OPT_TYPE:
        want->table = true;
        return args_choice("type", value, types, &want->modes.type);
    case OPT_KIND:
        want->table = true;
        want->modes.kind = value;
        return CODE_OK;
    case OPT_TOP:
        want->table = true;
        return args_integer("top", value, 4, 22, &want->modes.top);
    case OPT_PLOT:
        want->table = true;
        want->modes.plot = value;
        return CODE_OK;
    case OPT_ANGLES:
        want->angles = true;
        return args_choice("angles", value, angle_kinds, &index);
    case OPT_TREE: want->tree = value; return CODE_OK;
    default: want->json = true; return CODE_OK;
    }
}

static int parse(int argc, char **argv, request *want)
{
    int code = args_parse(&self, argc, argv, set_option, want);
    if (code)
        return code;
    int operands = argc - args_operands();
    if (operands == 0 && want->problems.count == 0)
        return want->tree ? fail(CODE_USAGE, "--tree is for a problem")
                          : CODE_OK;
    if (want->table || want->angles)
        return fail(CODE_USAGE, "--%s without a problem, not beside one",
                    want->angles ? "angles"
                                 : "type, --kind, --top and --plot go");
    return problems_add_operands(&want->problems, operands,
                                 argv + args_operands());
}

/* What is found of one problem. */
typedef struct finding {
    error_pair worst; /* of the trials */
    double rounded;   /* relative L2, of the exact results rounded once */
    double bound, bar;
} finding;

/* hi + lo as a number of the type. */
static void round_once(double *x, const double *hi, const double *lo,
                       int64_t count, weft_type type)
{
    for (int64_t i = 0; i < 2 * count; i++) {
        float narrow = (float)hi[i];
        x[i] = type == WEFT_F64 ? hi[i] + lo[i] : (double)narrow;
    }
}

/* The worst of some trials; `space` holds three times the field's count. */
static int measure(const request *want, field *data, const weft_plan *plan,
                   const int64_t *order, double *space, finding *found)
{
    double *in = space, *hi = in + 2 * data->count, *lo = hi + 2 * data->count;
    error_pair *worst = &found->worst;
    for (int64_t trial = 0; trial < want->trials; trial++) {
        fill_random(in, data->count, data->problem.type,
                    (uint64_t)(want->seed + trial));
        field_project(data, in);
        field_load(data, in);
        if (field_execute(data, plan))
            return fail_library("cannot execute");
        int code = exact_transform(&data->problem, order, in, hi, lo);
        if (code)
            return code;
        field_result(data, in);
        error_pair e = error_between(in, hi, lo, data->count);
        worst->l2 = e.l2 > worst->l2 ? e.l2 : worst->l2;
        worst->max = e.max > worst->max ? e.max : worst->max;
        round_once(in, hi, lo, data->count, data->problem.type);
        e = error_between(in, hi, lo, data->count);
        found->rounded = e.l2 > found->rounded ? e.l2 : found->rounded;
    }
    return CODE_OK;
}

static int one(const request *want, const weft_problem *problem,
               const char *text, const char *rule, finding *found)
{
    const weft_plan_options asked = {.size = sizeof asked,
                                     .rule = rule,
                                     .tree = want->tree};
    field data = {.count = 0};
    weft_plan *plan = NULL;
    int64_t *order = NULL;
    double *space = NULL;
    int code = field_open(&data, problem);
    if (!code)
        code = field_checkable(&data, text);
    weft_status status = code ? WEFT_OK
                              : weft_plan_create(problem, &asked, &plan);
    if (status)
        code = fail_plan(status, "cannot plan");
    weft_plan_info info = {.size = sizeof info};
    if (!code && weft_plan_get_info(plan, &info))
        code = fail_library("the plan's figures");
    found->bound = info.error_bound;
    found->bar = code                 ? 0
                 : rule || want->tree ? found->bound
                                      : problem_bar_of(problem, plan);
    if (!code)
        code = order_of(problem, plan, &order);
    if (!code && !(space = packed_new(3 * data.count)))
        code = CODE_LIBRARY;
    if (!code)
        code = measure(want, &data, plan, order, space, found);
    weft_free(space);
    weft_free(order);
    weft_plan_release(plan);
    field_close(&data);
    return code;
}

static void print_row(report *row, const char *text,
                      const weft_problem *problem, const finding *f, bool good)
{
    const error_pair *e = &f->worst;
    double u = problem_unit(problem), bar = f->bar;
    report_text(row, "problem", text);
    report_number(row, "l2", e->l2);
    report_number(row, "l2_u", e->l2 / u);
    report_number(row, "max", e->max);
    report_number(row, "max_u", e->max / u);
    report_number(row, "rounded_l2", f->rounded);
    report_number(row, "bar", bar);
    report_number(row, "bar_u", bar / u);
    report_number(row, "bound", f->bound);
    report_bool(row, "ok", good);
    if (!row)
        printf("%-32s %10.3e %7.2f %10.3e %7.2f %7.2f  %s\n", text, e->l2,
               e->l2 / u, e->max, e->max / u, bar / u,
               good ? "ok" : "ABOVE THE BAR");
}

static int run(const request *want)
{
    report *rows = report_array(want->root, "results");
    if (!want->root)
        printf("%-32s %10s %7s %10s %7s %7s\n", "problem", "L2", "in u", "max",
               "in u", "bar/u");
    int missed = 0;
    for (size_t i = 0; i < want->problems.count; i++) {
        const char *text = want->problems.texts[i];
        weft_problem problem;
        finding f = {.bound = 0};
        progress("[%zu/%zu] %s", i + 1, want->problems.count, text);
        problem_rule rule;
        int code = problem_read_ruled(text, &problem, &rule);
        if (!code)
            code = one(want, &problem, text, problem_rule_name(&rule), &f);
        progress_end();
        if (code)
            return code;
        bool good = f.worst.l2 <= f.bar;
        missed += !good;
        print_row(report_append(rows), text, &problem, &f, good);
        fflush(stdout);
    }
    report_integer(want->root, "missed", missed);
    return missed ? CODE_CHECK : CODE_OK;
}

int command_accuracy(int argc, char **argv)
{
    request want = {.trials = 1,
                    .seed = 1,
                    .modes = {.kind = "c2c", .type = 2, .top = 16}};
    int code = parse(argc, argv, &want);
    if (!code && want.json)
        code = report_begin(&want.root);
    want.modes.seed = want.seed;
    if (!code && want.angles)
        code = angles_run(want.seed, want.root);
    else if (!code && want.problems.count == 0)
        code = modes_run(&want.modes, want.root);
    else if (!code)
        code = run(&want);
    problems_free(&want.problems);
    return report_exit(want.root, code);
}
