/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft bench: problems timed beside other libraries, in one process, in turn
 * (timing.h), all on the same buffers.  Every contender's result is compared
 * with weft's, before timing and after each of its rounds; what fails is a
 * line of the report and a non-zero exit code, never a silent gap.
 *
 * In place, transforming again and again would let the numbers grow beyond
 * all bounds, and FFTW's c2r does what it likes with its input: while timing
 * the data is zero, and the comparison is made on fresh data outside the timed
 * calls.
 */
#include <math.h>
#include <string.h>

#include <weft/weft.h>

#include "args.h"
#include "exact.h"
#include "field.h"
#include "peer.h"
#include "problems.h"
#include "report.h"
#include "timing.h"

enum {
    OPT_SWEEP,
    OPT_PEERS,
    OPT_FFTW,
    OPT_MKL,
    OPT_EFFORT,
    OPT_FFTW_LIMIT,
    OPT_ROUNDS,
    OPT_BUDGET,
    OPT_CLOCK,
    OPT_MEASURE,
    OPT_LIMIT,
    OPT_RULE,
    OPT_TREE,
    OPT_JSON
};

static const arg options[] = {
    {"sweep", "RANGE", "problems, for instance c2c:f64:2^2..2^22"},
    {"peers", "LIST", "exactly these must be there: fftw,mkl; or none"},
    {"fftw-lib", "PATH", "another FFTW build (repeat for more)"},
    {"mkl-lib", "PATH", "libmkl_rt to load [searched]"},
    {"fftw-effort", "HOW", "estimate, measure or patient [measure]"},
    {"fftw-time-limit", "SECONDS", "FFTW's planner limit [none]"},
    {"rounds", "N", "rounds of each problem at most [20]"},
    {"time-budget", "SECONDS", "of each problem, two rounds at least [2]"},
    {"clock", "WHICH", "cpu (of the process) or wall [cpu with 1 thread]"},
    {"measure", NULL, "plan weft by measuring, too"},
    {"time-limit", "SECONDS", "of --measure a problem [1]"},
    {"rule", "NAME", "only plans whose root this rule makes"},
    {"tree", "TEXT", "exactly this plan, as weft plan prints it"},
    {"json", NULL, "print a JSON report"},
    {NULL, NULL, NULL}};

static const command self = {
    "bench", "PROBLEM... [OPTION...]",
    "Times problems beside the FFT libraries found at run time: any "
    "libfftw3/libfftw3f, MKL's libmkl_rt. Times are of one execution, "
    "minimum and median; a ratio is the library's time over weft's, "
    "above 1 where weft is faster. GFLOP/s counts 5 N log2 N, of r2c and "
    "c2r 2.5 N log2 N.",
    "  weft bench c2c:f64:1024 c2c:f32:1024\n"
    "  weft bench --sweep c2c:f64:2^2..2^22 --json --peers fftw\n"
    "  weft bench c2c:f64:512x512:threads=2 --mkl-lib "
    "/opt/mkl/lib/libmkl_rt.so.2\n"
    "  weft bench c2c:f64:4096 --fftw-effort patient --rounds 50\n"
    "  weft bench c2c:f32:512*256:rule=matrix c2c:f32:512*256:rule=radix2\n",
    options};

typedef struct request {
    problem_list problems;
    peer_options peers;
    const char *only; /* --peers, or NULL: what is there */
    timing_plan timing;
    weft_plan_options plan;
    bool clock_given, json;
    report *root;
} request;

static const char *const efforts[] = {"estimate", "measure", "patient", NULL};
static const char *const clocks[] = {"cpu", "wall", NULL};

static int set_peers(request *want, const char *value)
{
    want->only = strcmp(value, "none") ? value : "";
    for (const char *at = value; *at && want->only[0];) {
        size_t word = strcspn(at, ",");
        if (!(word == 4 && !strncmp(at, "fftw", 4)) &&
            !(word == 3 && !strncmp(at, "mkl", 3)))
            return fail(CODE_USAGE,
                        "--peers takes a list of fftw, mkl, or "
                        "none, not '%s'",
                        value);
        at += word + (at[word] == ',');
    }
    return CODE_OK;
}

static int set_clock(request *want, const char *value)
{
    int index = 0;
    int code = args_choice("clock", value, clocks, &index);
    want->timing.clock = (timing_clock)index;
    want->clock_given = true;
    return code;
}

static int set_rounds(request *want, const char *value)
{
    int64_t rounds = 0;
    int code = args_integer("rounds", value, 1, 100000, &rounds);
    want->timing.rounds = (int)rounds;
    return code;
}

static int add_fftw(request *want, const char *value)
{
    if (want->peers.fftw_count == MAX_PEERS)
        return fail(CODE_USAGE, "more than %d --fftw-lib", (int)MAX_PEERS);
    want->peers.fftw_path[want->peers.fftw_count++] = value;
    return CODE_OK;
}

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_SWEEP: return problems_add_sweep(&want->problems, value);
    case OPT_PEERS: return set_peers(want, value);
    case OPT_FFTW: return add_fftw(want, value);
    case OPT_MKL: want->peers.mkl_path = value; return CODE_OK;
    case OPT_EFFORT:
        return args_choice("fftw-effort", value, efforts, &want->peers.effort);
    case OPT_FFTW_LIMIT:
        return args_number("fftw-time-limit", value, 0, 1e9,
                           &want->peers.time_limit);
    case OPT_ROUNDS: return set_rounds(want, value);
    case OPT_BUDGET:
        return args_number("time-budget", value, 0, 1e6, &want->timing.budget);
    case OPT_CLOCK: return set_clock(want, value);
    case OPT_MEASURE: want->plan.effort = WEFT_MEASURE; return CODE_OK;
    case OPT_RULE: want->plan.rule = value; return CODE_OK;
    case OPT_TREE: want->plan.tree = value; return CODE_OK;
    case OPT_LIMIT:
        return args_number("time-limit", value, 1e-6, 1e6,
                           &want->plan.time_limit);
    default: want->json = true; return CODE_OK;
    }
}

/* ---- One problem -------------------------------------------------------- */

enum { MAX_CONTENDERS = MAX_PEERS + 1 };

/* Contender 0 is weft; i > 0 is peer i - 1.  Peers know natural order only:
 * for a scrambled problem what they should give comes from weft's plan of
 * the same problem in natural order. */
typedef struct contest {
    field data;
    weft_plan *plan;
    double scale;                        /* weft's; peers do not scale */
    double *input, *own, *natural, *got; /* packed */
    contender contenders[MAX_CONTENDERS];
    reason failure[MAX_CONTENDERS];
    double planning[MAX_CONTENDERS]; /* seconds */
    int count;
} contest;

static void call_weft(void *argument, int64_t calls)
{
    const contest *c = argument;
    const weft_plan *plan = c->plan;
    const samples at = c->data.at;
    for (int64_t i = 0; i < calls; i++)
        weft_execute(plan, at.in_re, at.out_re);
}

static void call_weft_split(void *argument, int64_t calls)
{
    const contest *c = argument;
    const weft_plan *plan = c->plan;
    const samples at = c->data.at;
    for (int64_t i = 0; i < calls; i++)
        weft_execute_split(plan, at.in_re, at.in_im, at.out_re, at.out_im);
}

/* Timed calls change their own input: in place, and peers' c2r. */
static bool eats_input(const contest *c)
{
    return c->data.problem.place == WEFT_IN_PLACE ||
           c->data.problem.kind == WEFT_C2R;
}

static void zero_data(contest *c)
{
    memset(c->data.in[0], 0, c->data.in_bytes);
    if (c->data.in[1])
        memset(c->data.in[1], 0, c->data.in_bytes);
}

/* Compares what contender i left in the output with what weft gives. */
static bool compare(contest *c, int i)
{
    field_result(&c->data, c->got);
    for (int64_t k = 0; i > 0 && k < 2 * c->data.count; k++)
        c->got[k] *= c->scale;
    error_pair e = error_between(c->got, i ? c->natural : c->own, NULL,
                                 c->data.count);
    /* Two libraries, each within some times the bar. */
    double most = 30 * problem_unit(&c->data.problem) +
                  10 * problem_bar_of(&c->data.problem, c->plan);
    if (e.l2 <= most)
        return true;
    because(&c->failure[i],
            "its result differs from weft's by %.3g "
            "(relative L2; at most %.3g)",
            e.l2, most);
    return false;
}

/* After a round: out of place the result of the timed calls themselves, in
 * place that of one more call on fresh data. */
static bool check_round(void *context, int i)
{
    contest *c = context;
    if (c->data.count == 0)
        return true;
    if (eats_input(c)) {
        field_load(&c->data, c->input);
        c->contenders[i].run.run(c->contenders[i].run.argument, 1);
    }
    bool good = compare(c, i);
    if (eats_input(c))
        zero_data(c);
    return good;
}

static int run_once(contest *c, const weft_plan *plan, double *result)
{
    field_load(&c->data, c->input);
    if (field_execute(&c->data, plan))
        return fail_library("cannot execute");
    field_result(&c->data, result);
    return CODE_OK;
}

/* What results should be: weft's own, and in natural order. */
static int expect(contest *c)
{
    int code = run_once(c, c->plan, c->own);
    if (code || c->data.problem.order == WEFT_NATURAL) {
        c->natural = c->own;
        return code;
    }
    weft_problem natural = c->data.problem;
    weft_plan *plan;
    natural.order = WEFT_NATURAL;
    if (weft_plan_create(&natural, NULL, &plan))
        return fail_library("cannot plan natural order");
    code = run_once(c, plan, c->natural);
    weft_plan_release(plan);
    return code;
}

/* By the model thrice, for the time of one that finds its code in cache. */
static int plan_weft(contest *c, const request *want,
                     const weft_problem *problem, const problem_rule *rule)
{
    int times = want->plan.effort == WEFT_MODEL ? 3 : 1;
    weft_plan_options asked = want->plan;
    if (rule->name[0])
        asked.rule = rule->name;
    for (int i = 0; i < times; i++) {
        weft_plan_release(c->plan);
        c->plan = NULL;
        double start = timing_now(CLOCK_WALL);
        if (weft_plan_create(problem, &asked, &c->plan))
            return fail_library("cannot plan");
        double seconds = timing_now(CLOCK_WALL) - start;
        if (i == 0 || seconds < c->planning[0])
            c->planning[0] = seconds;
    }
    return CODE_OK;
}

static int open_contest(contest *c, const request *want,
                        const weft_problem *problem, const problem_rule *rule)
{
    int code = field_open(&c->data, problem);
    if (code)
        return code;
    code = plan_weft(c, want, problem, rule);
    if (code)
        return code;
    bool split = problem->layout == WEFT_SPLIT;
    c->contenders[0].run = (runner){split ? call_weft_split : call_weft, c};
    c->input = packed_new(4 * c->data.count);
    if (!c->input)
        return CODE_LIBRARY;
    c->own = c->input + 2 * c->data.count;
    c->natural = c->own + 2 * c->data.count;
    c->got = c->natural + 2 * c->data.count;
    double low;
    problem_scale(problem, &c->scale, &low);
    fill_random(c->input, c->data.count, problem->type, 1);
    field_project(&c->data, c->input);
    return expect(c);
}

static void plan_peers(contest *c, const peer_list *list)
{
    c->count = list->count + 1;
    for (int i = 1; i < c->count; i++) {
        const peer *p = &list->peers[i - 1];
        contender *one = &c->contenders[i];
        progress("%s plans", p->name);
        double start = timing_now(CLOCK_WALL);
        one->out = !p->plan(p, &c->data.problem, &c->data.at, &one->run,
                            &c->failure[i]);
        c->planning[i] = timing_now(CLOCK_WALL) - start;
        if (one->out || c->data.count == 0)
            continue;
        field_load(&c->data, c->input);
        one->run.run(one->run.argument, 1);
        one->out = !compare(c, i);
    }
}

static void close_contest(contest *c, const peer_list *list)
{
    for (int i = 1; i < c->count; i++)
        list->peers[i - 1].release(&list->peers[i - 1], c->data.problem.type,
                                   &c->contenders[i].run);
    weft_free(c->input);
    weft_plan_release(c->plan);
    field_close(&c->data);
}

/* ---- Reporting ---------------------------------------------------------- */

static void print_contender(const contest *c, int i, const char *name,
                            const char *build, report *rows)
{
    const contender *one = &c->contenders[i], *own = &c->contenders[0];
    double flops = problem_flops(&c->data.problem);
    report *row = report_append(rows);
    report_text(row, "name", name);
    report_text(row, "build", build);
    report_bool(row, "ok", !one->out);
    if (one->out) {
        report_text(row, "failure", c->failure[i].text);
        if (!rows)
            printf("  %-5s FAILED: %s  (%s)\n", name, c->failure[i].text,
                   build);
        return;
    }
    report_number(row, "min_ns", 1e9 * one->minimum);
    report_number(row, "median_ns", 1e9 * one->median);
    report_number(row, "gflops", 1e-9 * flops / one->minimum);
    report_number(row, "gflops_median", 1e-9 * flops / one->median);
    report_number(row, "planning_seconds", c->planning[i]);
    report_integer(row, "samples", one->count);
    report_integer(row, "calls", one->calls);
    if (i > 0 && !own->out) {
        report_number(row, "ratio_min", one->minimum / own->minimum);
        report_number(row, "ratio_median", one->median / own->median);
    }
    if (rows)
        return;
    printf("  %-5s min %12.1f ns  median %12.1f ns  %7.2f GFLOP/s", name,
           1e9 * one->minimum, 1e9 * one->median, 1e-9 * flops / one->minimum);
    if (i > 0 && !own->out)
        printf("  ratio %5.2f min %5.2f median", one->minimum / own->minimum,
               one->median / own->median);
    printf("  %s\n", build);
}

static int print_contest(const contest *c, const char *text,
                         const peer_list *list, report *row)
{
    char tree[2000] = "";
    weft_plan_text(c->plan, tree, sizeof tree, NULL);
    report_text(row, "problem", text);
    report_text(row, "plan", tree);
    report *rows = report_array(row, "contenders");
    if (!row)
        printf("%s  %s\n", text, tree);
    int failed = 0;
    for (int i = 0; i < c->count; i++) {
        failed += c->contenders[i].out;
        print_contender(c, i, i ? list->peers[i - 1].name : "weft",
                        i ? list->peers[i - 1].build : weft_version(), rows);
    }
    report_bool(row, "ok", !failed);
    fflush(stdout);
    return failed;
}

/* 0 or CODE_CHECK: the case is a line of the report either way. */
static int bench_one(const request *want, const peer_list *list,
                     const char *text, report *rows)
{
    static contest c; /* large; one at a time */
    c = (contest){.count = 1};
    weft_problem problem;
    problem_rule rule;
    int code = problem_read_ruled(text, &problem, &rule);
    if (!code)
        code = open_contest(&c, want, &problem, &rule);
    timing_plan timing = want->timing;
    if (!want->clock_given)
        timing.clock = problem.threads > 1 ? CLOCK_WALL : CLOCK_CPU;
    timing.check = check_round;
    timing.context = &c;
    report *row = report_append(rows);
    if (!code) {
        plan_peers(&c, list);
        progress("%s", text);
        if (c.data.count > 0)
            field_load(&c.data, c.input);
        if (eats_input(&c))
            zero_data(&c);
        code = timing_run(c.contenders, c.count, &timing);
    }
    progress_end();
    report_text(row, "clock", clocks[timing.clock]);
    if (!code) {
        code = print_contest(&c, text, list, row) ? CODE_CHECK : CODE_OK;
    } else {
        report_text(row, "problem", text);
        report_text(row, "failure", fail_text());
        report_bool(row, "ok", false);
        if (!row)
            printf("%s  FAILED\n", text);
    }
    close_contest(&c, list);
    return code ? CODE_CHECK : CODE_OK;
}

/* A line a peer that is absent; CODE_CHECK when --peers asked for it. */
static int note_absent(const request *want, const peer_list *list,
                       report *root)
{
    report *rows = report_array(root, "absent");
    bool required = false;
    for (int i = 0; i < list->absent_count; i++) {
        const missing *m = &list->absent[i];
        report *row = report_append(rows);
        report_text(row, "name", m->name);
        report_text(row, "why", m->why.text);
        if (!root)
            printf("%s not found: %s\n", m->name, m->why.text);
        required = required || m->named || want->only != NULL;
    }
    if (required)
        fail(CODE_CHECK, "a peer that --peers or its path names is not "
                         "there");
    return required ? CODE_CHECK : CODE_OK;
}

static int most_threads(const request *want)
{
    int most = 1;
    for (size_t i = 0; i < want->problems.count; i++) {
        weft_problem problem;
        problem_rule rule;
        if (!problem_read_ruled(want->problems.texts[i], &problem, &rule) &&
            problem.threads > most)
            most = problem.threads;
    }
    return most;
}

static int run(request *want)
{
    static peer_list list; /* large; made once a run */
    want->peers.threads = most_threads(want);
    peers_open(&list, &want->peers, want->only);
    int code = note_absent(want, &list, want->root);
    report *peers = report_array(want->root, "peers");
    for (int i = 0; i < list.count; i++) {
        report *row = report_append(peers);
        report_text(row, "name", list.peers[i].name);
        report_text(row, "build", list.peers[i].build);
        report_text(row, "path_f64", list.peers[i].path[WEFT_F64]);
        report_text(row, "path_f32", list.peers[i].path[WEFT_F32]);
    }
    report_text(want->root, "fftw_effort", efforts[want->peers.effort]);
    report_number(want->root, "fftw_time_limit",
                  want->peers.time_limit < 0 ? NAN : want->peers.time_limit);
    report *rows = report_array(want->root, "results");
    for (size_t i = 0; i < want->problems.count; i++) {
        progress("[%zu/%zu] %s", i + 1, want->problems.count,
                 want->problems.texts[i]);
        int one = bench_one(want, &list, want->problems.texts[i], rows);
        code = one ? one : code;
    }
    return code;
}

int command_bench(int argc, char **argv)
{
    request want = {
        .peers = {.effort = 1, .time_limit = -1},
        .plan = {.size = sizeof want.plan},
        .timing = {.rounds = 20, .budget = 2, .sample = 2e-4, .warm = 1e-3}};
    int code = problems_parse(&self, argc, argv, set_option, &want,
                              &want.problems);
    if (!code && want.json)
        code = report_begin(&want.root);
    if (!code)
        code = run(&want);
    problems_free(&want.problems);
    return report_exit(want.root, code);
}
