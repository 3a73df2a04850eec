/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft bench: problems timed beside other libraries, and beside what --against
 * makes of them, in one process, in turn (contest.h).  What fails is a line of
 * the report and a non-zero exit code, never a silent gap.
 */
#include <math.h>
#include <string.h>

#include <weft/weft.h>

#include "against.h"
#include "args.h"
#include "contest.h"
#include "peer.h"
#include "problems.h"
#include "report.h"
#include "timing.h"

enum {
    OPT_SWEEP,
    OPT_AGAINST,
    OPT_PEERS,
    OPT_FFTW,
    OPT_MKL,
    OPT_WEFT,
    OPT_EFFORT,
    OPT_FFTW_LIMIT,
    OPT_ROUNDS,
    OPT_BUDGET,
    OPT_CLOCK,
    OPT_OFFSET,
    OPT_MEASURE,
    OPT_LIMIT,
    OPT_RULE,
    OPT_TREE,
    OPT_JSON
};

static const arg options[] = {
    {"sweep", "RANGE", "problems, for instance c2c:f64:2^2..2^22"},
    {"against", "CHANGE", "beside the same with this changed (may repeat)"},
    {"peers", "LIST", "exactly these must be there: fftw,mkl; or none"},
    {"fftw-lib", "PATH", "another FFTW build (repeat for more)"},
    {"mkl-lib", "PATH", "libmkl_rt to load [searched]"},
    {"weft-lib", "PATH", "another build of libweft.so (repeat for more)"},
    {"fftw-effort", "HOW", "estimate, measure or patient [measure]"},
    {"fftw-time-limit", "SECONDS", "FFTW's planner limit [none]"},
    {"rounds", "N", "rounds of each problem at most [20]"},
    {"time-budget", "SECONDS", "of each problem, two rounds at least [2]"},
    {"clock", "WHICH", "cpu (of the process) or wall [cpu with 1 thread]"},
    {"offset", "BYTES", "of arrays past a multiple of 64; malloc's 16 [0]"},
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
    "c2r 2.5 N log2 N. --against times each problem beside itself with "
    "other words, between commas: a kind or a type, an option of the "
    "notation, its absence (outofplace, interleaved, natural, forward), or "
    "how to plan it (model, measure), or where its arrays begin "
    "(offset=16); its ratio is its time over the problem's. --weft-lib times "
    "another build of weft beside this one, on the same arrays and planned "
    "by the same options. Up to 64 complex samples in place, or as many bytes "
    "of reals, are eight arrays that take turns.",
    "  weft bench c2c:f64:1024 c2c:f32:1024\n"
    "  weft bench --sweep c2c:f64:2^2..2^22 --json --peers fftw\n"
    "  weft bench c2c:f64:512x512:threads=2 --mkl-lib "
    "/opt/mkl/lib/libmkl_rt.so.2\n"
    "  weft bench c2c:f64:4096 --fftw-effort patient --rounds 50\n"
    "  weft bench c2c:f32:512*256:rule=matrix c2c:f32:512*256:rule=radix2\n"
    "  weft bench r2c:f64:1024 --against c2c --against r2c,inplace\n"
    "  weft bench c2c:f64:65536 --against measure --peers none\n"
    "  weft bench c2c:f64:65536:threads=2 --against threads=1\n"
    "  weft bench c2c:f64:1048576 --against offset=16\n"
    "  weft bench r2c:f32:1000 --peers none --weft-lib before/libweft.so\n",
    options};

typedef struct request {
    problem_list problems;
    const char *against[MAX_AGAINST];
    int against_count;
    peer_options peers;
    const char *only; /* --peers, or NULL: what is there */
    timing_plan timing;
    weft_plan_options plan;
    int64_t offset;
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

static int add_library(const char *option, const char **paths, int *count,
                       const char *value)
{
    if (*count == MAX_PEERS)
        return fail(CODE_USAGE, "more than %d %s", (int)MAX_PEERS, option);
    paths[(*count)++] = value;
    return CODE_OK;
}

static int add_against(request *want, const char *value)
{
    if (want->against_count == MAX_AGAINST)
        return fail(CODE_USAGE, "more than %d --against", (int)MAX_AGAINST);
    want->against[want->against_count++] = value;
    return CODE_OK;
}

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_SWEEP: return problems_add_sweep(&want->problems, value);
    case OPT_AGAINST: return add_against(want, value);
    case OPT_PEERS: return set_peers(want, value);
    case OPT_FFTW:
        return add_library("--fftw-lib", want->peers.fftw_path,
                           &want->peers.fftw_count, value);
    case OPT_WEFT:
        return add_library("--weft-lib", want->peers.weft_path,
                           &want->peers.weft_count, value);
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
    case OPT_OFFSET: return offset_read(value, &want->offset);
    case OPT_MEASURE: want->plan.effort = WEFT_MEASURE; return CODE_OK;
    case OPT_RULE: want->plan.rule = value; return CODE_OK;
    case OPT_TREE: want->plan.tree = value; return CODE_OK;
    case OPT_LIMIT:
        return args_number("time-limit", value, 1e-6, 1e6,
                           &want->plan.time_limit);
    default: want->json = true; return CODE_OK;
    }
}

/* ---- Reporting ---------------------------------------------------------- */

/* How a contender is called: weft, a peer's name, what --against said. */
static const char *name_of(const contest *c, const request *want, int i)
{
    if (i == 0)
        return "weft";
    return contest_is_peer(c, i) ? c->peers->peers[i - 1].name
                                 : want->against[i - c->peers->count - 1];
}

/* Behind a contender's figures: what it is. */
static void print_origin(const contest *c, int i, report *row)
{
    char tree[2000] = "";
    const entry *e = contest_entry(c, i);
    const peer *p = contest_is_peer(c, i) ? &c->peers->peers[i - 1] : NULL;
    const char *build = p ? p->build : weft_version();
    report_text(row, "build", build);
    if (p && p->tree && c->contenders[i].run.argument) {
        p->tree(&c->contenders[i].run, tree, sizeof tree);
        report_text(row, "plan", tree);
    }
    if (i == 0 || p) {
        if (!row)
            printf("  %s%s%s\n", build, tree[0] ? "  " : "", tree);
        return;
    }
    if (e->plan)
        weft_plan_text(e->plan, tree, sizeof tree, NULL);
    report_text(row, "problem", e->is->text);
    report_text(row, "plan", tree);
    report_text(row, "checked", e->checked ? e->checked : "not");
    if (!row)
        printf("  %s  %s\n", e->is->text, tree);
}

static void print_contender(const contest *c, const char *name, int i,
                            int width, report *rows)
{
    const contender *one = &c->contenders[i], *own = &c->contenders[0];
    double flops = problem_flops(&contest_entry(c, i)->is->problem);
    report *row = report_append(rows);
    report_text(row, "name", name);
    report_bool(row, "ok", !one->out);
    if (one->out) {
        report_text(row, "failure", c->failure[i].text);
        if (!rows)
            printf("  %-*s FAILED: %s", width, name, c->failure[i].text);
        print_origin(c, i, row);
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
    if (!rows) {
        printf("  %-*s min %12.1f ns  median %12.1f ns  %7.2f GFLOP/s", width,
               name, 1e9 * one->minimum, 1e9 * one->median,
               1e-9 * flops / one->minimum);
        if (i > 0 && !own->out)
            printf("  ratio %5.2f min %5.2f median",
                   one->minimum / own->minimum, one->median / own->median);
    }
    print_origin(c, i, row);
}

static int print_contest(const contest *c, const request *want, report *row)
{
    const entry *own = &c->entries[0];
    char tree[2000] = "";
    weft_plan_text(own->plan, tree, sizeof tree, NULL);
    report_text(row, "problem", own->is->text);
    report_text(row, "plan", tree);
    report_integer(row, "offset", own->is->offset);
    report *rows = report_array(row, "contenders");
    if (!row)
        printf("%s  %s\n", own->is->text, tree);
    int failed = 0, width = 5;
    for (int i = 0; i < c->count; i++) {
        int length = (int)strlen(name_of(c, want, i));
        width = length > width ? length : width;
    }
    for (int i = 0; i < c->count; i++) {
        failed += c->contenders[i].out;
        print_contender(c, name_of(c, want, i), i, width, rows);
    }
    report_bool(row, "ok", !failed);
    fflush(stdout);
    return failed;
}

/* ---- One problem -------------------------------------------------------- */

typedef struct entrants {
    entrant at[1 + MAX_AGAINST]; /* the problem, then its counterparts */
    int count, threads;          /* the most of any */
} entrants;

/* Free them in every case. */
static int read_entrants(const request *want, const char *text,
                         entrants *found)
{
    *found = (entrants){.count = 1};
    int code = entrant_read(&found->at[0], text, &want->plan, want->offset);
    for (int i = 0; i < want->against_count && !code; i++)
        code = entrant_change(&found->at[found->count++], &found->at[0],
                              want->against[i]);
    for (int i = 0; i < found->count && !code; i++)
        if (found->at[i].problem.threads > found->threads)
            found->threads = found->at[i].problem.threads;
    return code;
}

static void free_entrants(entrants *found)
{
    for (int i = 0; i < found->count; i++)
        entrant_free(&found->at[i]);
}

/* 0 or CODE_CHECK: the case is a line of the report either way. */
static int bench_one(const request *want, const peer_list *list,
                     const char *text, report *rows)
{
    static contest c; /* large; one at a time */
    entrants found;
    timing_plan timing = want->timing;
    c = (contest){.peers = list};
    report *row = report_append(rows);
    int code = read_entrants(want, text, &found);
    if (!code)
        code = contest_open(&c, found.at, found.count, list);
    if (!want->clock_given)
        timing.clock = found.threads > 1 ? CLOCK_WALL : CLOCK_CPU;
    if (!code) {
        progress("%s", text);
        code = contest_run(&c, &timing);
    }
    progress_end();
    report_text(row, "clock", clocks[timing.clock]);
    if (!code) {
        code = print_contest(&c, want, row) ? CODE_CHECK : CODE_OK;
    } else {
        report_text(row, "problem", text);
        report_text(row, "failure", fail_text());
        report_bool(row, "ok", false);
        if (!row)
            printf("%s  FAILED\n", text);
    }
    contest_close(&c);
    free_entrants(&found);
    return code ? CODE_CHECK : CODE_OK;
}

/* ---- All of them -------------------------------------------------------- */

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

/* Before anything is timed: what --against makes of each problem is one, and
 * another one. */
static int check_entrants(const request *want, int *most_threads)
{
    int code = CODE_OK;
    for (size_t i = 0; i < want->problems.count && !code; i++) {
        entrants found;
        code = read_entrants(want, want->problems.texts[i], &found);
        if (found.at[0].problem.threads > *most_threads)
            *most_threads = found.at[0].problem.threads;
        free_entrants(&found);
    }
    return code;
}

static int run(request *want)
{
    static peer_list list; /* large; made once a run */
    want->peers.threads = 1;
    want->peers.how = &want->plan;
    int code = check_entrants(want, &want->peers.threads);
    if (code)
        return code;
    peers_open(&list, &want->peers, want->only);
    code = note_absent(want, &list, want->root);
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
        .plan = {.size = sizeof want.plan, .ignore_wisdom = 1},
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
