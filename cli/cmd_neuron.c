/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft neuron: what the NeuronCore model says, beside what was measured on the
 * hardware, as the tables of docs/neuron.md; and pictures of its schedules.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <weft/weft.h>

#include "args.h"
#include "posts.h"
#include "problems.h"
#include "schedule_picture.h"

enum { OPT_SVG, OPT_RULE, OPT_TREE };

static const arg options[] = {
    {"svg", "FILE", "draw the schedule of PROBLEM's plan"},
    {"rule", "NAME", "of the plan drawn, as for weft plan"},
    {"tree", "TEXT", "of the plan drawn, as for weft plan"},
    {NULL, NULL, NULL}};

static const command self = {
    "neuron", "[--svg FILE PROBLEM]",
    "Prints the NeuronCore model's times beside the trnfft posts' "
    "measurements, the dispatch its costs choose, and what batching and "
    "fewer kernels save; or draws when each engine does what.",
    "  weft neuron\n"
    "  weft neuron --svg schedule.svg c2c:f32:4096*8:engine=neuron\n"
    "  weft plan c2c:f32:256*32:engine=neuron\n",
    options};

/* ---- Beside the posts --------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count % 2 ? values[count / 2]
                     : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Errors of rows predicted by fits that did not have them. */
typedef struct held {
    double error[64], worst;
    int count;
} held;

static void hold(held *h, double error)
{
    error = fabs(error);
    h->error[h->count++] = error;
    h->worst = error > h->worst ? error : h->worst;
}

static void tell_held(const char *what, held *h)
{
    printf("| %s | %d | %.1f %% | %.1f %% |\n", what, h->count,
           100 * median(h->error, h->count), 100 * h->worst);
}

/* Fits to the rows whose number is not `part` of `folds`, which are held. */
static post_fit fold(const post_counts *counts, int folds, int part, held *in,
                     held *out, held *plain)
{
    bool taken[64] = {false};
    for (int i = 0; i < post_count; i++)
        taken[i] = (i + 1) % folds != part && !post_is_again(i);
    post_fit fit = post_calibrate(counts, taken);
    for (int i = 0; i < post_count; i++) {
        double error = post_error(&fit, i, counts);
        bool mine = (i + 1) % folds == part;
        if (post_is_again(i))
            continue;
        hold(mine ? out : in, error);
        if (mine && !post_rows[i].remark[0])
            hold(plain, error);
    }
    return fit;
}

static void print_rows(const post_counts *counts, const post_fit *fit)
{
    printf("## Beside the posts (trn1, microseconds)\n\n"
           "| row | post | path | N x batch | measured | calls | kernels | "
           "device | model | error | remark |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < post_count; i++) {
        const post_row *r = &post_rows[i];
        printf("| %d%s | %s | %s | %d x %d | %.0f | %.0f | %.0f | %.1f | "
               "%.0f | %+.1f %% | %s |\n",
               i + 1,
               post_is_again(i) ? ""
               : i % 2          ? " held"
                                : " fitted",
               r->post, r->path, r->n, r->batch, r->measured, counts[i].calls,
               counts[i].kernels, counts[i].device,
               post_predict(fit, i, counts), 100 * post_error(fit, i, counts),
               r->remark);
    }
}

static void print_folds(const post_counts *counts, const post_fit *chosen)
{
    static const int folds[] = {2, 5, 64};
    static const char *const what[] = {"each half held in turn",
                                       "five parts, each held in turn",
                                       "every row held in turn"};
    for (int k = 0; k < 3; k++) {
        held in = {.count = 0}, out = in, plain = in;
        int same = 0, fits = 0;
        for (int part = 0; part < folds[k]; part++) {
            int before = out.count;
            in.count = 0;
            post_fit fit = fold(counts, folds[k], part, &in, &out, &plain);
            if (out.count == before)
                continue; /* a part of no rows */
            fits++;
            same += fit.radix == chosen->radix &&
                    fit.butterfly == chosen->butterfly;
        }
        char text[100];
        snprintf(text, sizeof text, "%s: %d of %d fits choose the same counts",
                 what[k], same, fits);
        tell_held(text, &out);
    }
}

static int print_posts(void)
{
    post_counts counts[64] = {{0, 0, 0, 0}};
    held in = {.count = 0}, out = in, plain = in;
    for (int i = 0; i < post_count; i++) {
        int code = post_count_row(&post_rows[i], &counts[i]);
        if (code)
            return code;
    }
    post_fit fit = fold(counts, 2, 0, &in, &out, &plain);
    print_rows(counts, &fit);
    printf(
        "\nChosen by the rows of odd number alone: %d kernels a stage of "
        "radix 4 or 8, %d a\nstage of the butterfly (of 1 to %d each), %.0f "
        "us a call, %.0f us a kernel.\n\n"
        "| rows | number | median error | worst |\n|---|---|---|---|\n",
        fit.radix, fit.butterfly, POST_MOST_KERNELS, fit.call, fit.kernel);
    tell_held("odd, fitted to", &in);
    tell_held("even, held back", &out);
    tell_held("even, held back, without a remark", &plain);
    print_folds(counts, &fit);
    puts("");
    return CODE_OK;
}

/* ---- Dispatch ----------------------------------------------------------- */

/* us of a plan of c2c:f32:N*BATCH, by a tree or weft's own; negative: told.
 * `chosen` (may be NULL) gets the transform's text. */
static double time_of(int n, int batch, const char *tree, char *chosen,
                      double *device)
{
    char text[80], whole[400];
    weft_problem problem;
    weft_plan *plan;
    weft_plan_options o = {.size = sizeof o, .tree = tree};
    double time = 0;
    snprintf(text, sizeof text, "c2c:f32:%d*%d:engine=neuron", n, batch);
    if (weft_problem_parse(text, &problem) ||
        weft_plan_create(&problem, &o, &plan)) {
        fail_library(text);
        return -1;
    }
    weft_plan_figure(plan, "time_ns", &time);
    if (device)
        weft_plan_figure(plan, "device_ns", device);
    if (chosen && !weft_plan_text(plan, whole, sizeof whole, NULL)) {
        const char *from = strstr(whole, "(rows 0 ");
        from = from ? from + strlen("(rows 0 ") : whole;
        snprintf(chosen, 100, "%.*s", (int)strlen(from) - 2, from);
    }
    weft_plan_release(plan);
    return time / 1e3;
}

enum { PATHS = 5 };
static const struct {
    const char *name;
    int radix;
} paths[PATHS] = {{"dft-gemm", 0},
                  {"radix-8", 8},
                  {"radix-4", 4},
                  {"mixed", 84},
                  {"butterfly", 2}};

static bool applies(int path, int log)
{
    switch (paths[path].radix) {
    case 8: return log % 3 == 0;
    case 4: return log % 2 == 0;
    case 84: return log % 3 != 0;
    default: return true;
    }
}

/* The posts': DFT-GEMM up to 256, 8^k, then [8^a 4^b], which came last. */
static int posts_choice(int log)
{
    return log <= 8 ? 0 : log % 3 == 0 ? 1 : 3;
}

static int print_dispatch_row(int log)
{
    int n = 1 << log, best = -1, capped = -1;
    double time[PATHS];
    printf("| %d |", n);
    for (int i = 0; i < PATHS; i++) {
        char tree[160];
        time[i] = INFINITY;
        if (!applies(i, log) || (paths[i].radix == 0 && n > 2048)) {
            printf(" - |");
            continue;
        }
        post_tree(n, paths[i].radix, false, tree, sizeof tree);
        time[i] = time_of(n, 1, tree, NULL, NULL);
        if (time[i] < 0)
            return CODE_LIBRARY;
        printf(" %.0f |", time[i]);
        if (best < 0 || time[i] < time[best])
            best = i;
        if ((i > 0 || n <= 256) && (capped < 0 || time[i] < time[capped]))
            capped = i;
    }
    char tree[100];
    double device, own = time_of(n, 1, NULL, tree, &device);
    if (own < 0)
        return CODE_LIBRARY;
    int posts = posts_choice(log);
    printf(" %s | %s | %s | `%s` | %.0f | %.1f | %.1f x |\n",
           paths[posts].name, paths[capped].name, paths[best].name, tree, own,
           device / 1e3, time[posts] / own);
    return CODE_OK;
}

static int print_dispatch(void)
{
    printf("## Dispatch (model, microseconds, one vector)\n\n"
           "| N | dft-gemm | radix-8 | radix-4 | mixed | butterfly | posts "
           "take | model, gemm to 256 | model | weft's plan | us | of it on "
           "the device | than the posts' |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int log = 6; log <= 12; log++) {
        int code = print_dispatch_row(log);
        if (code)
            return code;
    }
    puts("");
    return CODE_OK;
}

/* ---- Any length ---------------------------------------------------------- */

static int print_lengths(void)
{
    static const int n[] = {1021, 2053,  4084,   5003,
                            8192, 10007, 262147, 1048576};
    printf("## Any length (model, microseconds, one vector)\n\n"
           "| N | weft's plan | us | of it on the device |\n"
           "|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        char tree[100];
        double device, time = time_of(n[i], 1, NULL, tree, &device);
        if (time < 0)
            return CODE_LIBRARY;
        printf("| %d | `%s` | %.0f | %.1f |\n", n[i], tree, time,
               device / 1e3);
    }
    puts("");
    return CODE_OK;
}

/* ---- Batches ------------------------------------------------------------ */

static int print_batches(void)
{
    static const struct {
        int n, batch;
    } rows[] = {{64, 512}, {128, 32}, {256, 32}, {256, 1000}, {4096, 64}};
    printf("## A launch for each row, and the batch in the partitions\n\n"
           "| N x batch | a launch each, us | one kernel, us | times | on the "
           "device, us | ns a vector |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double device, one = time_of(rows[i].n, 1, NULL, NULL, NULL);
        double all = time_of(rows[i].n, rows[i].batch, NULL, NULL, &device);
        if (one < 0 || all < 0)
            return CODE_LIBRARY;
        printf("| %d x %d | %.0f | %.0f | %.0f | %.1f | %.0f |\n", rows[i].n,
               rows[i].batch, one * rows[i].batch, all,
               one * rows[i].batch / all, device / 1e3,
               device / rows[i].batch);
    }
    puts("");
    return CODE_OK;
}

/* ---- bf16 --------------------------------------------------------------- */

enum { MODEL_N = 64, MODEL_VECTORS = 64, LARGEST_N = 1024 };

/* Gaussian numbers, rounded to float. */
static double gaussian(uint64_t *state)
{
    double u[2];
    for (int i = 0; i < 2; i++) {
        *state = *state * UINT64_C(6364136223846793005) +
                 UINT64_C(1442695040888963407);
        u[i] = ((double)(*state >> 12) + 0.5) * 0x1p-52;
    }
    return (float)(sqrt(-2 * log(u[0])) * cos(2 * 3.14159265358979324 * u[1]));
}

/* Relative L2 error over the vectors, and the mean of max / max, of an f32
 * problem of one vector; *bound: the plan's. */
static int model_errors(const char *text, int vectors, double *l2, double *max,
                        double *bound)
{
    weft_problem problem;
    weft_plan *plan;
    static double x[2 * LARGEST_N], exact[2 * LARGEST_N];
    static float in[2 * LARGEST_N], out[2 * LARGEST_N];
    double lost = 0, whole = 0;
    uint64_t state = 42;
    if (weft_problem_parse(text, &problem) ||
        weft_plan_create(&problem, NULL, &plan))
        return fail_library(text);
    int n = (int)problem.dims[0].n;
    *max = 0;
    weft_plan_error(plan, bound, NULL);
    for (int v = 0; v < vectors; v++) {
        double far = 0, top = 0;
        for (int i = 0; i < 2 * n; i++) {
            x[i] = gaussian(&state);
            in[i] = (float)x[i];
        }
        if (weft_reference(n, WEFT_FORWARD, x, exact, NULL) ||
            weft_execute(plan, in, out)) {
            weft_plan_release(plan);
            return fail_library(text);
        }
        for (int i = 0; i < 2 * n; i += 2) {
            double re = out[i] - exact[i], im = out[i + 1] - exact[i + 1];
            lost += re * re + im * im;
            whole += exact[i] * exact[i] + exact[i + 1] * exact[i + 1];
            far = fmax(far, hypot(re, im));
            top = fmax(top, hypot(exact[i], exact[i + 1]));
        }
        *max += far / top / vectors;
    }
    *l2 = sqrt(lost / whole);
    weft_plan_release(plan);
    return CODE_OK;
}

static int print_models(void)
{
    static const struct {
        const char *engine, *what;
    } models[] = {{"neuron", "exact products, FP32 sums"},
                  {"neuron-product", "every product rounded to bf16"},
                  {"neuron-output", "every matmul's result rounded to bf16"}};
    printf("## Three models of bf16 multiplication (N = 64, %d Gaussian "
           "vectors)\n\n| model | engine | bf16 L2 | bf16 max/max | split2 "
           "L2 | split2 max/max |\n|---|---|---|---|---|---|\n",
           MODEL_VECTORS);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        double l2[2], max[2], bound;
        for (int k = 0; k < 2; k++) {
            char text[100];
            snprintf(text, sizeof text, "c2c:f32:%d:engine=%s:precision=%s",
                     MODEL_N, models[i].engine, k ? "split2" : "bf16");
            int code = model_errors(text, MODEL_VECTORS, &l2[k], &max[k],
                                    &bound);
            if (code)
                return code;
        }
        printf("| %s | %s | %.2e | %.2e | %.2e | %.2e |\n", models[i].what,
               models[i].engine, l2[0], max[0], l2[1], max[1]);
    }
    puts("");
    return CODE_OK;
}

/* ---- Errors ------------------------------------------------------------- */

static int print_errors(void)
{
    static const char *const modes[] = {"fast",    "bf16",        "fp16",
                                        "fp16x2",  "split2",      "split3",
                                        "refined", "compensated", "double",
                                        "slices2", "slices3",     "slices4"};
    static const int n[] = {64, 256, 1024, 1021};
    printf(
        "## Errors by precision (relative L2, 4 Gaussian vectors of f32; "
        "the bound)\n\n| precision | N = 64 | N = 256 | N = 1024 | N = 1021 "
        "|\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        printf("| %s |", modes[i]);
        for (size_t k = 0; k < sizeof n / sizeof n[0]; k++) {
            char text[100];
            double l2, max, bound;
            snprintf(text, sizeof text,
                     "c2c:f32:%d:engine=neuron:precision=%s", n[k], modes[i]);
            int code = model_errors(text, 4, &l2, &max, &bound);
            if (code)
                return code;
            printf(" %.1e (%.1e) |", l2, bound);
        }
        puts("");
    }
    puts("");
    return CODE_OK;
}

/* ---- Pictures ----------------------------------------------------------- */

static int draw(const char *file, const char *text,
                const weft_plan_options *plan_options)
{
    weft_problem problem;
    weft_plan *plan;
    size_t length = 0;
    double device = 0;
    char title[300];
    int code = problem_read(text, &problem);
    if (code)
        return code;
    if (weft_plan_create(&problem, plan_options, &plan))
        return fail_library(text);
    char *times = NULL;
    if (!weft_plan_timetable(plan, NULL, 0, &length))
        times = malloc(length + 1);
    if (!times || weft_plan_timetable(plan, times, length + 1, NULL)) {
        code = fail_library("the plan's timetable");
    } else {
        char tree[200] = "";
        weft_plan_text(plan, tree, sizeof tree, NULL);
        weft_plan_figure(plan, "device_ns", &device);
        snprintf(title, sizeof title, "%s  %.120s  %.2f us", text, tree,
                 device / 1e3);
        code = schedule_picture(file, title, times);
    }
    free(times);
    weft_plan_release(plan);
    return code;
}

typedef struct request {
    const char *file; /* of the picture */
    weft_plan_options plan;
} request;

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_SVG: want->file = value; return CODE_OK;
    case OPT_RULE: want->plan.rule = value; return CODE_OK;
    default: want->plan.tree = value; return CODE_OK;
    }
}

int command_neuron(int argc, char **argv)
{
    request want = {.plan = {.size = sizeof want.plan}};
    int code = args_parse(&self, argc, argv, set_option, &want);
    if (code)
        return code == ARGS_HELP ? CODE_OK : code;
    int operands = argc - args_operands();
    if (operands != (want.file ? 1 : 0))
        return fail(CODE_USAGE, want.file
                                    ? "--svg wants one problem"
                                    : "a problem is for --svg (weft plan "
                                      "shows its counters)");
    if (!want.file && (want.plan.rule || want.plan.tree))
        return fail(CODE_USAGE, "--%s is for --svg",
                    want.plan.rule ? "rule" : "tree");
    if (want.file)
        return draw(want.file, argv[args_operands()], &want.plan);
    code = print_posts();
    if (!code)
        code = print_dispatch();
    if (!code)
        code = print_lengths();
    if (!code)
        code = print_batches();
    if (!code)
        code = print_models();
    return code ? code : print_errors();
}
