/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft verify: four properties that only a correct transform has, on random
 * data (after Ergun, "Testing multivariate linear functions", STOC 1995,
 * which FFTW's own self-test uses too):
 *
 *   linearity  T(a x + b y) = a T(x) + b T(y)
 *   impulse    T(delta at j) = exp(-+ 2 pi i j k / n)
 *   shift      T(x moved by s) = T(x) exp(-+ 2 pi i s k / n)
 *   reference  T(x) against the exact transform
 *
 * and that the input (out of place) and the gaps between the output's
 * elements stay as they were.
 */
#include <math.h>
#include <string.h>

#include <weft/weft.h>

#include "args.h"
#include "exact.h"
#include "field.h"
#include "problems.h"
#include "report.h"

enum { OPT_SWEEP, OPT_SEED, OPT_LIMIT, OPT_JSON };

static const arg options[] = {
    {"sweep", "RANGE", "problems, for instance c2c:f64:1..64"},
    {"seed", "N", "of the data [1]"},
    {"limit", "G", "no reference above G thousand million products [4]"},
    {"json", NULL, "print a JSON report"},
    {NULL, NULL, NULL}};

static const command self = {
    "verify", "PROBLEM... [OPTION...]",
    "Checks linearity, the response to an impulse, the response to a "
    "shift, and the difference from an exact transform, each against the "
    "error bar of the fast mode; and that nothing but the output was "
    "written. Exit code 1 when a check fails.",
    "  weft verify c2c:f64:1024 c2c:f32:30x40:inplace\n"
    "  weft verify c2c:f64:8/2/1x4/16/8*3/64/32:split\n"
    "  weft verify r2c:f64:1000 c2r:f32:30x41*3:inplace\n"
    "  weft verify redft10:f64:1000 redft01+dht:f32:30x40\n"
    "  weft verify --sweep c2c:f64:1..128\n",
    options};

typedef struct request {
    problem_list problems;
    report *root;
    bool json;
    int64_t seed;
    double limit;
} request;

/* One problem under test; the arrays are packed complex. */
typedef struct subject {
    field data;
    weft_plan *plan;
    int64_t *order;
    double *x, *y, *tx, *ty, *mix, *want;
    report *row;
    bool quiet, ruled;
    int failures;
} subject;

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_SWEEP: return problems_add_sweep(&want->problems, value);
    case OPT_SEED:
        return args_integer("seed", value, 0, INT64_MAX, &want->seed);
    case OPT_LIMIT: return args_number("limit", value, 0, 1e9, &want->limit);
    default: want->json = true; return CODE_OK;
    }
}

static void verdict(subject *s, const char *check, const error_pair *e,
                    double bar)
{
    double u = problem_unit(&s->data.problem);
    bool good = e->l2 <= bar;
    s->failures += !good;
    report *part = report_object(s->row, check);
    report_number(part, "l2", e->l2);
    report_number(part, "max", e->max);
    report_number(part, "bar", bar);
    report_bool(part, "ok", good);
    if (!s->quiet)
        printf("  %-10s L2 %.3e = %6.2f u, max %6.2f u, bar %6.2f u  %s\n",
               check, e->l2, e->l2 / u, e->max / u, bar / u,
               good ? "ok" : "FAILED");
}

static void remark(subject *s, const char *check, bool good, const char *text)
{
    s->failures += !good;
    report *part = report_object(s->row, check);
    report_bool(part, "ok", good);
    report_text(part, "remark", text);
    if (!s->quiet)
        printf("  %-10s %s\n", check, text);
}

static int transform(subject *s, const double *in, double *out)
{
    field_load(&s->data, in);
    if (field_execute(&s->data, s->plan))
        return fail_library("cannot execute");
    field_result(&s->data, out);
    return CODE_OK;
}

/* ---- Indices ------------------------------------------------------------ */

/* The frequency (or time) index at packed position i of one side: natural,
 * or through the order on the scrambled side. */
static int64_t index_at(const subject *s, int64_t i, bool output)
{
    bool inverse = s->data.problem.sign == WEFT_INVERSE;
    if (!s->order || output == inverse)
        return i;
    return s->order[i];
}

/* exp(-+ 2 pi i sum_d j_d k_d / n_d) for packed indices j, k of one
 * transform. */
static void phase(const weft_problem *problem, int64_t j, int64_t k,
                  double z[2])
{
    const long double two_pi = 6.283185307179586476925286766559L;
    long double turns = 0;
    for (int d = problem->rank - 1; d >= 0; d--) {
        int64_t n = problem->dims[d].n;
        int64_t a = j % n, b = k % n, product = 0;
        /* a * b mod n without overflow, bit by bit of b. */
        for (; b; b >>= 1) {
            if (b & 1)
                product = product >= n - a ? product - (n - a) : product + a;
            a = a >= n - a ? a - (n - a) : a + a;
        }
        turns += (long double)product / (long double)n;
        j /= n;
        k /= n;
    }
    turns -= floorl(turns);
    z[0] = (double)cosl(two_pi * turns);
    z[1] = (double)sinl(two_pi * turns);
    if (problem->sign == WEFT_FORWARD)
        z[1] = -z[1];
}

/* Packed index of (i - s) mod n in every dimension. */
static int64_t shifted(const weft_problem *problem, int64_t i, int64_t s)
{
    int64_t result = 0, stride = 1;
    for (int d = problem->rank - 1; d >= 0; d--) {
        int64_t n = problem->dims[d].n;
        int64_t at = i % n - s % n;
        result += (at < 0 ? at + n : at) * stride;
        stride *= n;
        i /= n;
        s /= n;
    }
    return result;
}

/* ---- The checks --------------------------------------------------------- */

static int check_linearity(subject *s, double bar)
{
    bool complex = s->data.problem.kind == WEFT_C2C;
    const double a[2] = {0.75, complex ? -0.5 : 0};
    const double b[2] = {-0.25, complex ? 0.625 : 0};
    for (int64_t i = 0; i < 2 * s->data.count; i += 2) {
        for (int p = 0; p < 2; p++) {
            /* (a x + b y), part p: the coefficients are short, but f32 and
             * f64 still round; what is rounded is what is transformed. */
            double sign = p ? 1 : -1;
            s->mix[i + p] = a[0] * s->x[i + p] + sign * a[1] * s->x[i + !p] +
                            b[0] * s->y[i + p] + sign * b[1] * s->y[i + !p];
            s->want[i + p] = a[0] * s->tx[i + p] +
                             sign * a[1] * s->tx[i + !p] +
                             b[0] * s->ty[i + p] + sign * b[1] * s->ty[i + !p];
        }
    }
    int code = transform(s, s->mix, s->mix);
    if (code)
        return code;
    error_pair e = error_between(s->mix, s->want, NULL, s->data.count);
    /* Three transforms' errors and the rounding of a x + b y. */
    verdict(s, "linearity", &e, 3 * bar + 2 * problem_unit(&s->data.problem));
    return CODE_OK;
}

/* Position -i of one transform. */
static int64_t opposite(const weft_problem *problem, int64_t i)
{
    return shifted(problem, 0, i);
}

/* A spectrum of reals has its impulses in pairs. */
static int check_impulse(subject *s, double bar)
{
    const weft_problem *problem = &s->data.problem;
    int64_t n = problem_size(problem), at = n / 3;
    double scale, low;
    problem_scale(problem, &scale, &low);
    memset(s->mix, 0, (size_t)s->data.count * 2 * sizeof *s->mix);
    int64_t pair = opposite(problem, at);
    bool paired = problem->kind == WEFT_C2R && pair != at;
    for (int64_t b = 0; b < s->data.count / n; b++) {
        s->mix[2 * (b * n + at)] = 1;
        if (paired)
            s->mix[2 * (b * n + pair)] = 1;
        for (int64_t k = 0; k < n; k++) {
            double *z = s->want + 2 * (b * n + k);
            phase(problem, index_at(s, at, false), index_at(s, k, true), z);
            z[0] *= paired ? 2 * scale : scale;
            z[1] *= problem->kind == WEFT_C2R ? 0 : scale;
        }
    }
    int code = transform(s, s->mix, s->mix);
    if (code)
        return code;
    error_pair e = error_between(s->mix, s->want, NULL, s->data.count);
    verdict(s, "impulse", &e, bar + problem_unit(problem));
    return CODE_OK;
}

/* Shifts in time: natural order only on the side that is moved. */
static int check_shift(subject *s, double bar)
{
    const weft_problem *problem = &s->data.problem;
    if (s->order && problem->sign == WEFT_INVERSE) {
        remark(s, "shift", true, "left out: the input is scrambled");
        return CODE_OK;
    }
    if (problem->kind == WEFT_C2R) {
        remark(s, "shift", true, "left out: half a spectrum cannot be moved");
        return CODE_OK;
    }
    int64_t n = problem_size(problem), by = 2 * n / 5 + (n > 1);
    for (int64_t i = 0; i < s->data.count; i++) {
        int64_t base = i / n * n, k = i - base;
        double z[2], *x = s->x + 2 * (base + shifted(problem, k, by));
        double re = s->tx[2 * i], im = s->tx[2 * i + 1];
        memcpy(s->mix + 2 * i, x, sizeof z);
        phase(problem, by, index_at(s, k, true), z);
        s->want[2 * i] = re * z[0] - im * z[1];
        s->want[2 * i + 1] = re * z[1] + im * z[0];
    }
    int code = transform(s, s->mix, s->mix);
    if (code)
        return code;
    error_pair e = error_between(s->mix, s->want, NULL, s->data.count);
    verdict(s, "shift", &e, 2 * bar + problem_unit(problem));
    return CODE_OK;
}

static int check_reference(subject *s, double bar, double limit)
{
    if (exact_cost(&s->data.problem) > limit * 1e9) {
        char text[120];
        snprintf(text, sizeof text,
                 "left out: %.3g thousand million "
                 "products, more than --limit %g",
                 1e-9 * exact_cost(&s->data.problem), limit);
        remark(s, "reference", true, text);
        return CODE_OK;
    }
    int code = exact_transform(&s->data.problem, s->order, s->x, s->mix,
                               s->want);
    if (code)
        return code;
    error_pair e = error_between(s->tx, s->mix, s->want, s->data.count);
    verdict(s, "reference", &e, bar);
    return CODE_OK;
}

static void check_memory(subject *s)
{
    reason why;
    bool in_place = s->data.problem.place == WEFT_IN_PLACE;
    if (!in_place && !field_input_intact(&s->data, s->x))
        remark(s, "memory", false, "FAILED: the input was changed");
    else if (!field_gaps_intact(&s->data, &why))
        remark(s, "memory", false, why.text);
    else
        remark(s, "memory", true,
               in_place ? "in place" : "input and gaps intact: ok");
}

static int check_all(subject *s, const request *want)
{
    const weft_problem *problem = &s->data.problem;
    double bar = problem_bar_of(problem, s->plan);
    if (s->ruled && weft_plan_error(s->plan, &bar, NULL))
        return fail_library("the plan's error");
    fill_random(s->x, s->data.count, problem->type, (uint64_t)want->seed);
    fill_random(s->y, s->data.count, problem->type, (uint64_t)want->seed + 1);
    field_project(&s->data, s->x);
    field_project(&s->data, s->y);
    int code = transform(s, s->y, s->ty);
    if (!code)
        code = transform(s, s->x, s->tx);
    if (code)
        return code;
    check_memory(s);
    code = check_linearity(s, bar);
    bool phases = !problem_is_r2r(problem); /* the others have none */
    if (s->data.overlaps && phases) {
        remark(s, "impulse", true, "left out: the input overlaps");
        remark(s, "shift", true, "left out: the input overlaps");
        phases = false;
    }
    if (!code && phases)
        code = check_impulse(s, bar);
    if (!code && phases)
        code = check_shift(s, bar);
    if (!code)
        code = check_reference(s, bar, want->limit);
    return code;
}

static int verify(subject *s, const request *want, const weft_problem *problem,
                  const char *text, const char *rule)
{
    const weft_plan_options asked = {.size = sizeof asked, .rule = rule};
    s->ruled = rule != NULL;
    int code = field_open(&s->data, problem);
    if (!code)
        code = field_checkable(&s->data, text);
    if (code)
        return code;
    weft_status status = weft_plan_create(problem, &asked, &s->plan);
    if (status)
        return fail_plan(status, "cannot plan");
    code = order_of(problem, s->plan, &s->order);
    if (code)
        return code;
    if (s->data.count == 0) {
        remark(s, "empty", true, "no elements: nothing to check");
        return CODE_OK;
    }
    double *space = packed_new(6 * s->data.count);
    if (!space)
        return CODE_LIBRARY;
    double **parts[] = {&s->x, &s->y, &s->tx, &s->ty, &s->mix, &s->want};
    for (int i = 0; i < 6; i++)
        *parts[i] = space + 2 * i * s->data.count;
    code = check_all(s, want);
    weft_free(space);
    return code;
}

static int run(const request *want)
{
    report *rows = report_array(want->root, "results");
    int failed = 0;
    for (size_t i = 0; i < want->problems.count; i++) {
        const char *text = want->problems.texts[i];
        weft_problem problem;
        problem_rule rule;
        int code = problem_read_ruled(text, &problem, &rule);
        if (code)
            return code;
        subject s = {.row = report_append(rows), .quiet = want->root != NULL};
        report_text(s.row, "problem", text);
        if (!s.quiet)
            printf("%s\n", text);
        progress("[%zu/%zu] %s", i + 1, want->problems.count, text);
        code = verify(&s, want, &problem, text, problem_rule_name(&rule));
        progress_end();
        report_bool(s.row, "ok", !s.failures && !code);
        weft_plan_release(s.plan);
        weft_free(s.order);
        field_close(&s.data);
        if (code)
            return code;
        failed += s.failures > 0;
        fflush(stdout);
    }
    report_integer(want->root, "failed", failed);
    if (!want->root)
        printf("%zu problem%s, %d failed\n", want->problems.count,
               want->problems.count == 1 ? "" : "s", failed);
    return failed ? CODE_CHECK : CODE_OK;
}

int command_verify(int argc, char **argv)
{
    request want = {.seed = 1, .limit = 4};
    int code = problems_parse(&self, argc, argv, set_option, &want,
                              &want.problems);
    if (!code && want.json)
        code = report_begin(&want.root);
    if (!code)
        code = run(&want);
    problems_free(&want.problems);
    return report_exit(want.root, code);
}
