/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft tune: compiles the steps of a plan for themselves, and keeps what is
 * faster than the built-in kernels.
 *
 * All problems are planned before anything is loaded, so that each built-in
 * plan is one, and later its tree is planned again with the code there.  Both
 * must give the same bits; then they are timed in turn on the same data.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include <weft/weft.h>

#include "args.h"
#include "compile.h"
#include "field.h"
#include "problems.h"
#include "report.h"
#include "timing.h"

enum {
    OPT_SWEEP,
    OPT_FOLDER,
    OPT_COMPILER,
    OPT_ALL,
    OPT_ROUNDS,
    OPT_BUDGET,
    OPT_JSON
};

static const arg options[] = {
    {"sweep", "RANGE", "problems, for instance c2c:f64:2^7..2^16"},
    {"folder", "DIR", "for the compiled files [weft in the user's cache]"},
    {"compiler", "PROGRAM", "gcc or clang, by name or path [cc]"},
    {"keep-all", NULL, "keep what is not 2 % faster, too"},
    {"rounds", "N", "rounds of timing a problem at most [40]"},
    {"time-budget", "SECONDS", "of timing a problem, two rounds at least [1]"},
    {"json", NULL, "print a JSON report"},
    {NULL, NULL, NULL}};

static const command self = {
    "tune", "PROBLEM... [OPTION...]",
    "Compiles the steps `stockham` of each problem's plan once more, for "
    "their very numbers, and keeps what makes the problem 2 % faster. "
    "Results have the same bits. Programs use it that are started with "
    "WEFT_TUNED=DIR in the environment, or call weft_tuned_load.",
    "  weft tune c2c:f64:4096 c2c:f32:4096:inverse\n"
    "  WEFT_TUNED=~/.cache/weft weft bench c2c:f64:4096\n"
    "  weft tune --sweep c2c:f64:2^7..2^16 --compiler clang\n"
    "  weft tune r2c:f64:100000 --folder ./tuned --keep-all\n",
    options};

/* What a problem must gain to be worth a file. */
static const double least_gain = 1.02;

enum { MAX_PARTS = 32 };

typedef struct request {
    problem_list problems;
    const char *folder, *compiler;
    bool all, json;
    timing_plan timing;
    report *root;
    workshop shop;
    int compiled; /* files so far, to tell them apart */
} request;

static int set_rounds(request *want, const char *value)
{
    int64_t rounds = 0;
    int code = args_integer("rounds", value, 1, 100000, &rounds);
    want->timing.rounds = (int)rounds;
    return code;
}

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_SWEEP: return problems_add_sweep(&want->problems, value);
    case OPT_FOLDER: want->folder = value; return CODE_OK;
    case OPT_COMPILER: want->compiler = value; return CODE_OK;
    case OPT_ALL: want->all = true; return CODE_OK;
    case OPT_ROUNDS: return set_rounds(want, value);
    case OPT_BUDGET:
        return args_number("time-budget", value, 0, 1e6, &want->timing.budget);
    default: want->json = true; return CODE_OK;
    }
}

/* ---- One problem ---------------------------------------------------------- */

typedef struct work {
    const char *text;
    weft_plan *builtin, *tuned;
    field data;
    compiled files[MAX_PARTS];
    int parts;
    double gain;
    contender contenders[2];
} work;

static void call_plan(const work *w, const weft_plan *plan, int64_t calls)
{
    for (int64_t i = 0; i < calls; i++)
        field_execute(&w->data, plan);
}

static void call_builtin(void *argument, int64_t calls)
{
    call_plan(argument, ((work *)argument)->builtin, calls);
}

static void call_tuned(void *argument, int64_t calls)
{
    call_plan(argument, ((work *)argument)->tuned, calls);
}

/* *text allocated; NULL: the plan has no such part. */
static int read_source(const weft_plan *plan, int part, char **text)
{
    size_t length = 0;
    *text = NULL;
    weft_status status = weft_plan_source(plan, part, NULL, 0, &length);
    if (status == WEFT_ERR_UNSUPPORTED)
        return CODE_OK;
    *text = status ? NULL : malloc(length + 1);
    if (*text && weft_plan_source(plan, part, *text, length + 1, NULL)) {
        free(*text);
        *text = NULL;
    }
    return *text ? CODE_OK : fail_library("the source of a step");
}

/* What is there from before and cannot be loaded is compiled again. */
static int load_part(request *want, const char *source, compiled *file)
{
    if (!file->fresh[0] && !weft_tuned_load(file->path))
        return CODE_OK;
    if (!file->fresh[0]) {
        int code = workshop_compile(&want->shop, source, want->compiled, true,
                                    file);
        if (code)
            return code;
    }
    return weft_tuned_load(file->fresh)
               ? fail_library("cannot load what was compiled")
               : CODE_OK;
}

/* Compiles and loads every part; equal ones come to the same file. */
static int compile_parts(request *want, work *w)
{
    for (int part = 0; part < MAX_PARTS; part++) {
        char *source;
        compiled *file = &w->files[w->parts];
        int code = read_source(w->builtin, part, &source);
        if (code || !source)
            return code;
        code = workshop_compile(&want->shop, source, want->compiled, false,
                                file);
        for (int i = 0; i < w->parts && !code; i++)
            if (strcmp(w->files[i].path, file->path) == 0) {
                if (file->fresh[0])
                    remove(file->fresh); /* the same step again */
                file->fresh[0] = '\0';
                file->path[0] = '\0';
            }
        if (!code && file->path[0]) {
            want->compiled++;
            w->parts++;
            code = load_part(want, source, file);
        }
        free(source);
        if (code)
            return code;
    }
    return CODE_OK;
}

static int plan_again(work *w)
{
    size_t length = 0;
    double steps = 0, tuned = 0;
    weft_plan_options asked = {.size = sizeof asked};
    weft_problem problem = w->data.problem;
    weft_plan_text(w->builtin, NULL, 0, &length);
    char *tree = malloc(length + 1);
    if (!tree)
        return fail(CODE_LIBRARY, "no memory for %zu bytes", length + 1);
    weft_plan_text(w->builtin, tree, length + 1, NULL);
    asked.tree = tree;
    weft_status status = weft_plan_create(&problem, &asked, &w->tuned);
    free(tree);
    if (status)
        return fail_library("cannot plan with tuned code");
    weft_plan_figure(w->tuned, "tunable_steps", &steps);
    weft_plan_figure(w->tuned, "tuned_steps", &tuned);
    return steps == tuned
               ? CODE_OK
               : fail(CODE_CHECK, "%s: %.0f of %.0f steps run tuned code",
                      w->text, tuned, steps);
}

/* The bytes that a plan leaves in the output's blocks. */
static int result_of(work *w, const weft_plan *plan, const double *input,
                     unsigned char *bytes)
{
    field_load(&w->data, input);
    if (field_execute(&w->data, plan))
        return fail_library("cannot execute");
    for (int i = 0; i < 2; i++)
        if (w->data.out[i])
            memcpy(bytes + (size_t)i * w->data.out_bytes, w->data.out[i],
                   w->data.out_bytes);
    return CODE_OK;
}

static int compare(work *w)
{
    size_t size = 2 * w->data.out_bytes;
    double *input = packed_new(w->data.count);
    unsigned char *bytes = calloc(2, size ? size : 1);
    int code = input && bytes
                   ? CODE_OK
                   : fail(CODE_LIBRARY, "no memory for %zu bytes", 2 * size);
    if (!code) {
        fill_random(input, w->data.count, w->data.problem.type, 1);
        field_project(&w->data, input);
        code = result_of(w, w->builtin, input, bytes);
    }
    if (!code)
        code = result_of(w, w->tuned, input, bytes + size);
    if (!code && memcmp(bytes, bytes + size, size) != 0)
        code = fail(CODE_CHECK, "%s: tuned code gives other bits", w->text);
    weft_free(input);
    free(bytes);
    return code;
}

/* On zeros: in place, other numbers would grow beyond all bounds. */
static int time_both(const request *want, work *w)
{
    timing_plan timing = want->timing;
    timing.clock = w->data.problem.threads > 1 ? CLOCK_WALL : CLOCK_CPU;
    for (int i = 0; i < 2; i++)
        if (w->data.in[i])
            memset(w->data.in[i], 0, w->data.in_bytes);
    w->contenders[0].run = (runner){call_builtin, w};
    w->contenders[1].run = (runner){call_tuned, w};
    int code = timing_run(w->contenders, 2, &timing);
    w->gain = w->contenders[0].minimum / w->contenders[1].minimum;
    return code;
}

static int settle(const request *want, work *w)
{
    bool keep = want->all || w->gain >= least_gain;
    for (int i = 0; i < w->parts; i++) {
        compiled *file = &w->files[i];
        int code = keep ? workshop_keep(file) : CODE_OK;
        if (code)
            return code;
        if (file->fresh[0])
            remove(file->fresh);
    }
    return CODE_OK;
}

static void print_work(const work *w, report *row)
{
    double builtin = 1e9 * w->contenders[0].minimum;
    double tuned = 1e9 * w->contenders[1].minimum;
    report_text(row, "problem", w->text);
    report_number(row, "builtin_ns", builtin);
    report_number(row, "tuned_ns", tuned);
    report_number(row, "ratio", w->gain);
    report *rows = report_array(row, "files");
    if (!row)
        printf("%-28s built-in %12.1f ns  tuned %12.1f ns  ratio %5.3f\n",
               w->text, builtin, tuned, w->gain);
    for (int i = 0; i < w->parts; i++) {
        const compiled *file = &w->files[i];
        report *one = report_append(rows);
        report_text(one, "path", file->path);
        report_bool(one, "kept", !file->fresh[0]);
        if (!row)
            printf("  %s%s\n", file->path,
                   file->fresh[0] ? " (not kept)" : "");
    }
    fflush(stdout);
}

static int tune(request *want, work *w, report *row)
{
    weft_problem problem = w->data.problem;
    progress("%s: compiling", w->text);
    int code = compile_parts(want, w);
    if (code)
        return code;
    if (w->parts == 0) {
        report_text(row, "problem", w->text);
        report_array(row, "files");
        if (!row)
            printf("%-28s has no step that code can be compiled for\n",
                   w->text);
        return CODE_OK;
    }
    code = field_open(&w->data, &problem);
    if (!code)
        code = plan_again(w);
    if (!code)
        code = compare(w);
    progress("%s: timing", w->text);
    if (!code)
        code = time_both(want, w);
    progress_end();
    if (!code)
        code = settle(want, w);
    if (!code)
        print_work(w, row);
    return code;
}

static void drop(work *w)
{
    for (int i = 0; i < w->parts; i++)
        if (w->files[i].fresh[0])
            remove(w->files[i].fresh);
    weft_plan_release(w->builtin);
    weft_plan_release(w->tuned);
    field_close(&w->data);
}

static int plan_first(work *w, const char *text)
{
    w->text = text;
    int code = problem_read(text, &w->data.problem);
    if (code)
        return code;
    weft_status status = weft_plan_create(&w->data.problem, NULL, &w->builtin);
    char what[400];
    snprintf(what, sizeof what, "cannot plan '%s'", text);
    return status ? fail_plan(status, what) : CODE_OK;
}

static int run(request *want)
{
    size_t count = want->problems.count;
    work *works = calloc(count ? count : 1, sizeof *works);
    if (!works)
        return fail(CODE_LIBRARY, "no memory for %zu problems", count);
    int code = CODE_OK;
    for (size_t i = 0; i < count && !code; i++)
        code = plan_first(&works[i], want->problems.texts[i]);
    if (!code)
        code = workshop_open(&want->shop, want->folder, want->compiler);
    report_text(want->root, "folder", want->shop.folder);
    report *rows = report_array(want->root, "results");
    for (size_t i = 0; i < count && !code; i++)
        code = tune(want, &works[i], report_append(rows));
    for (size_t i = 0; i < count; i++)
        drop(&works[i]);
    workshop_close(&want->shop);
    free(works);
    return code;
}

int command_tune(int argc, char **argv)
{
    request want = {
        .compiler = "cc",
        .timing = {.rounds = 40, .budget = 1, .sample = 2e-4, .warm = 5e-4}};
    unsetenv("WEFT_TUNED"); /* built-in is built-in */
    int code = problems_parse(&self, argc, argv, set_option, &want,
                              &want.problems);
    if (!code && want.json)
        code = report_begin(&want.root);
    if (!code)
        code = run(&want);
    problems_free(&want.problems);
    return report_exit(want.root, code);
}
