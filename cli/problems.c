/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems on the command line: see problems.h. */
#define _POSIX_C_SOURCE 200809L
#include "problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBLEMS = 100000 };

int problems_add(problem_list *list, const char *text)
{
    if (list->count == MOST_PROBLEMS)
        return fail(CODE_USAGE, "more than %d problems", MOST_PROBLEMS);
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        char **larger = realloc(list->texts, capacity * sizeof *larger);
        if (!larger)
            return fail(CODE_LIBRARY, "no memory for %zu problems", capacity);
        list->texts = larger;
        list->capacity = capacity;
    }
    char *copy = strdup(text);
    if (!copy)
        return fail(CODE_LIBRARY, "no memory for '%s'", text);
    list->texts[list->count++] = copy;
    return CODE_OK;
}

void problems_free(problem_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->texts[i]);
    free(list->texts);
    *list = (problem_list){NULL, 0, 0};
}

int problems_add_operands(problem_list *list, int count, char **argv)
{
    int code = CODE_OK;
    for (int i = 0; i < count && !code; i++) {
        weft_problem problem;
        problem_rule rule;
        code = problem_read_ruled(argv[i], &problem, &rule);
        if (!code)
            code = problems_add(list, argv[i]);
    }
    if (!code && list->count == 0)
        code = fail(CODE_USAGE, "needs a problem, for instance "
                                "c2c:f64:1024 (--help tells more)");
    return code;
}

int problems_parse(const command *self, int argc, char **argv, args_set *set,
                   void *want, problem_list *list)
{
    int code = args_parse(self, argc, argv, set, want);
    return code ? code
                : problems_add_operands(list, argc - args_operands(),
                                        argv + args_operands());
}

/* One end of a sweep: N or BASE^EXPONENT. */
typedef struct sweep_end {
    long long base, exponent; /* exponent -1: the number `base` */
} sweep_end;

static bool parse_end(const char **at, sweep_end *end)
{
    char *stop;
    end->base = strtoll(*at, &stop, 10);
    end->exponent = -1;
    if (stop == *at || end->base < 1)
        return false;
    if (*stop == '^') {
        const char *from = stop + 1;
        end->exponent = strtoll(from, &stop, 10);
        if (stop == from || end->exponent < 0 || end->exponent > 62)
            return false;
    }
    *at = stop;
    return true;
}

static int add_value(problem_list *list, const char *text, size_t front,
                     long long value, const char *back)
{
    char made[400];
    snprintf(made, sizeof made, "%.*s%lld%s", (int)front, text, value, back);
    weft_problem problem;
    problem_rule rule;
    int code = problem_read_ruled(made, &problem, &rule);
    return code ? code : problems_add(list, made);
}

int problems_add_sweep(problem_list *list, const char *text)
{
    const char *dots = strstr(text, "..");
    const char *at = dots;
    while (at && at > text && strchr("0123456789^", at[-1]))
        at--;
    size_t front = at ? (size_t)(at - text) : 0;
    sweep_end low, high;
    const char *back = dots ? dots + 2 : NULL;
    bool good = dots && parse_end(&at, &low) && at == dots &&
                parse_end(&back, &high) &&
                (low.exponent < 0) == (high.exponent < 0) &&
                (low.exponent < 0 || low.base == high.base) &&
                strlen(text) < 300;
    if (!good)
        return fail(CODE_USAGE,
                    "--sweep takes a range such as "
                    "c2c:f64:2^2..2^22 or c2c:f32:5..9, not '%s'",
                    text);
    long long first = low.exponent < 0 ? low.base : low.exponent;
    long long last = high.exponent < 0 ? high.base : high.exponent;
    int code = CODE_OK;
    for (long long step = first; step <= last && !code; step++) {
        long long value = step;
        if (low.exponent >= 0) {
            value = 1;
            for (long long e = 0; e < step; e++) {
                if (value > INT64_MAX / low.base)
                    return fail(CODE_USAGE,
                                "--sweep '%s': %lld^%lld does "
                                "not fit",
                                text, low.base, step);
                value *= low.base;
            }
        }
        code = add_value(list, text, front, value, back);
    }
    return code;
}

/* What the next dimension outwards must step over, on one side. */
static int64_t row_length(const weft_problem *problem, bool complex)
{
    int64_t n = problem->rank ? problem->dims[problem->rank - 1].n : 1;
    bool halves = problem->kind == WEFT_R2C || problem->kind == WEFT_C2R;
    bool pads = halves && problem->place == WEFT_IN_PLACE;
    if (halves && complex)
        return n / 2 + 1;
    return pads ? 2 * (n / 2 + 1) : n;
}

/* All strides zero means packed: write it out. */
static void expand(weft_problem *problem)
{
    bool packed = true;
    for (int d = 0; d < problem->rank; d++)
        packed = packed && !problem->dims[d].is && !problem->dims[d].os;
    for (int d = 0; d < problem->batch_rank; d++)
        packed = packed && !problem->batch[d].is && !problem->batch[d].os;
    if (!packed)
        return;
    int last = problem->rank - 1;
    int64_t in = row_length(problem, problem->kind != WEFT_R2C);
    int64_t out = row_length(problem, problem->kind != WEFT_C2R);
    if (last >= 0)
        problem->dims[last].is = problem->dims[last].os = 1;
    for (int d = last - 1; d >= 0; d--) {
        problem->dims[d].is = in;
        problem->dims[d].os = out;
        in *= problem->dims[d].n;
        out *= problem->dims[d].n;
    }
    for (int d = problem->batch_rank - 1; d >= 0; d--) {
        problem->batch[d].is = in;
        problem->batch[d].os = out;
        in *= problem->batch[d].n;
        out *= problem->batch[d].n;
    }
}

int problem_read(const char *text, weft_problem *problem)
{
    char what[500];
    snprintf(what, sizeof what, "problem '%s'", text);
    if (weft_problem_parse(text, problem) || weft_problem_check(problem)) {
        fail_library(what);
        return CODE_USAGE;
    }
    if (problem->kind == WEFT_R2C || problem->kind == WEFT_C2R)
        problem->sign = problem->kind == WEFT_R2C ? WEFT_FORWARD
                                                  : WEFT_INVERSE;
    expand(problem);
    return CODE_OK;
}

int problem_read_ruled(const char *text, weft_problem *problem,
                       problem_rule *rule)
{
    static const char option[] = ":rule=";
    const char *at = strstr(text, option);
    rule->name[0] = 0;
    if (!at)
        return problem_read(text, problem);
    const char *name = at + strlen(option);
    size_t length = strcspn(name, ":");
    if (length == 0 || length >= sizeof rule->name)
        return fail(CODE_USAGE, "problem '%s': rule= takes a rule's name",
                    text);
    memcpy(rule->name, name, length);
    rule->name[length] = 0;
    char *plain = malloc(strlen(text) + 1);
    if (!plain)
        return fail(CODE_LIBRARY, "no memory for '%s'", text);
    memcpy(plain, text, (size_t)(at - text));
    strcpy(plain + (at - text), name + length);
    int code = problem_read(plain, problem);
    free(plain);
    return code;
}

int64_t problem_size(const weft_problem *problem)
{
    int64_t size = 1;
    for (int d = 0; d < problem->rank; d++)
        size *= problem->dims[d].n;
    return size;
}

int64_t problem_batch(const weft_problem *problem)
{
    int64_t count = 1;
    for (int d = 0; d < problem->batch_rank; d++)
        count *= problem->batch[d].n;
    return count;
}

weft_kind problem_kind(const weft_problem *problem, int dimension)
{
    return problem->kind == WEFT_R2R ? problem->kinds[dimension]
                                     : problem->kind;
}

bool problem_is_r2r(const weft_problem *problem)
{
    return problem->kind >= WEFT_R2HC;
}

int64_t problem_period(const weft_problem *problem, int dimension)
{
    int64_t n = problem->dims[dimension].n;
    switch (problem_kind(problem, dimension)) {
    case WEFT_REDFT00: return 2 * (n - 1);
    case WEFT_RODFT00: return 2 * (n + 1);
    case WEFT_REDFT01:
    case WEFT_REDFT10:
    case WEFT_REDFT11:
    case WEFT_RODFT01:
    case WEFT_RODFT10:
    case WEFT_RODFT11: return 2 * n;
    default: return n;
    }
}

/* Some kinds have a direction of their own. */
static bool is_inverse(const weft_problem *problem, int dimension)
{
    switch (problem_kind(problem, dimension)) {
    case WEFT_R2C:
    case WEFT_R2HC: return false;
    case WEFT_C2R:
    case WEFT_HC2R: return true;
    default: return problem->sign == WEFT_INVERSE;
    }
}

void problem_scale(const weft_problem *problem, double *hi, double *lo)
{
    long double forward = 1, inverse = 1, scale = 1;
    for (int d = 0; d < problem->rank; d++)
        *(is_inverse(problem, d) ? &inverse : &forward) *=
            (long double)problem_period(problem, d);
    if (problem->norm == WEFT_NORM_ORTHO)
        scale = 1 / sqrtl(forward * inverse);
    else if (problem->norm == WEFT_NORM_SCALE)
        scale = problem->scale;
    else if (problem->norm != WEFT_NORM_NONE)
        scale = 1 / (problem->norm == WEFT_NORM_BACKWARD ? inverse : forward);
    *hi = (double)scale;
    *lo = (double)(scale - (long double)*hi);
}

double problem_unit(const weft_problem *problem)
{
    return problem->type == WEFT_F32 ? 0x1p-24 : 0x1p-53;
}

static bool is_smooth(int64_t n)
{
    for (int64_t p = 2; p <= 13; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

double problem_bar(const weft_problem *problem)
{
    double u = problem_unit(problem), bits = 0;
    bool smooth = true;
    for (int d = 0; d < problem->rank; d++) {
        int64_t n = problem_period(problem, d);
        smooth = smooth && is_smooth(n);
        if (problem_kind(problem, d) >= WEFT_REDFT00 && n < 16)
            n = 16; /* weft.h */
        bits += log2((double)n);
    }
    double law = u + 0.6 * u * sqrt(bits);
    return smooth || law > 5 * u ? law : 5 * u;
}

double problem_bar_of(const weft_problem *problem, const weft_plan *plan)
{
    double bound;
    if (problem->precision == WEFT_PRECISION_FAST &&
        problem->target_error == 0 && problem->engine <= WEFT_ENGINE_CPU)
        return problem_bar(problem);
    return weft_plan_error(plan, &bound, NULL) ? 0 : bound;
}

double problem_flops(const weft_problem *problem)
{
    double n = (double)problem_size(problem);
    double each = problem->kind == WEFT_C2C ? 5 : 2.5;
    return each * n * log2(n) * (double)problem_batch(problem);
}
