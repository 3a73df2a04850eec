/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * few_test.c - few short real transforms side by side, of which registers hold
 * several numbers each (wf_dense_group): each has the results that it has by itself,
 * one that is no number changes no bit of another's, and nothing else is written.
 */
#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <weft/weft.h>

enum { TEXT = 256, MOST_N = 48, MOST = 9, PLANES = 3, GUARD = 64 };
enum { ROOM = PLANES * (MOST_N + 2) * MOST + 2 * GUARD };

typedef struct sort {
    const char *name, *options;
} sort;

static const sort sorts[] = {
    {"r2c", ""},
    {"c2r", ":norm=0.5"},
    {"r2hc", ":inplace"},
    {"hc2r", ":norm=3"},
    {"dht", ":inplace"},
    {"redft00", ""},
    {"redft10", ""},
    {"redft01", ":norm=ortho"},
    {"rodft00", ""},
    {"rodft10", ":inplace"},
    {"rodft11", ":norm=ortho"},
    {"redft11", ""},
};

typedef struct sample {
    sort sort;
    bool f64, in_place, in_pairs, out_pairs;
    int n, v, planes;
    int in_rows, out_rows;
} sample;

static noise_state noise = {1};
static char input[ROOM * sizeof(double)], made[2][sizeof input],
    alone[sizeof input];

static size_t bytes_of(const sample *s)
{
    return s->f64 ? sizeof(double) : sizeof(float);
}

static double number(const sample *s, const char *p, size_t at)
{
    double x = 0;
    float y = 0;
    memcpy(s->f64 ? (void *)&x : &y, p + at * bytes_of(s), bytes_of(s));
    return s->f64 ? x : (double)y;
}

static void set_number(const sample *s, char *p, size_t at, double x)
{
    const float y = (float)x;
    memcpy(p + at * bytes_of(s), s->f64 ? (const void *)&x : &y, bytes_of(s));
}

static int unit_of(bool pairs)
{
    return pairs ? 2 : 1;
}

/* Reals of a plane. */
static size_t plane_of(const sample *s, bool output)
{
    return (size_t)(s->v * (output ? s->out_rows * unit_of(s->out_pairs)
                                   : s->in_rows * unit_of(s->in_pairs)));
}

static weft_plan *plan_of(const sample *s, int v, int planes, const char *tree)
{
    char text[TEXT];
    weft_problem problem;
    weft_plan *plan = NULL;
    snprintf(text, sizeof text, "%s:%s:%d/%d/%d*%d/1/1x%d/%d/%d%s",
             s->sort.name, s->f64 ? "f64" : "f32", s->n, s->v, s->v, v, planes,
             s->v * s->in_rows, s->v * s->out_rows, s->sort.options);
    weft_plan_options o = {.size = sizeof o, .tree = tree};
    CHECK(weft_problem_parse(text, &problem) == WEFT_OK &&
              weft_plan_create(&problem, &o, &plan) == WEFT_OK,
          "%s: %s", text, weft_error_text());
    return plan;
}

/* All memory after the transforms from `in` and to `out` reals on. */
static void execute(const sample *s, const weft_plan *plan, size_t in,
                    size_t out, char *memory)
{
    const size_t bytes = bytes_of(s);
    memset(memory, 0x5a, sizeof input);
    if (s->in_place)
        memcpy(memory, input, sizeof input);
    char *to = memory + (GUARD + out) * bytes;
    CHECK(weft_execute(plan, s->in_place ? to : input + (GUARD + in) * bytes,
                       to) == WEFT_OK,
          "%s", weft_error_text());
}

/* Places of all numbers of neighbour t of plane i, in turn. */
static size_t place(const sample *s, int i, int t, int k, bool output)
{
    const int unit = unit_of(output ? s->out_pairs : s->in_pairs);
    return GUARD + (size_t)i * plane_of(s, output) +
           (size_t)((k / unit * s->v + t) * unit + k % unit);
}

static void check_values(const sample *s, const weft_plan *one)
{
    const double unit = s->f64 ? DBL_EPSILON : FLT_EPSILON;
    const int numbers = s->out_rows * unit_of(s->out_pairs);
    for (int i = 0; i < s->planes; i++)
        for (int t = 0; t < s->v; t++) {
            double most = 0, largest = 0;
            execute(s, one, place(s, i, t, 0, false) - GUARD,
                    place(s, i, t, 0, true) - GUARD, alone);
            for (int k = 0; k < numbers; k++) {
                const size_t at = place(s, i, t, k, true);
                const double x = number(s, made[0], at),
                             y = number(s, alone, at);
                most = fmax(most, fabs(x - y));
                largest = fmax(largest, fabs(y));
            }
            CHECK(most <= 20 * unit * largest,
                  "%s%s n %d, %d of %d: %d of plane %d is %.3g off",
                  s->sort.name, s->sort.options, s->n, s->v, s->planes, t, i,
                  most / largest);
        }
}

static void check_guards(const sample *s)
{
    const char *before = s->in_place ? input : NULL;
    const size_t bytes = bytes_of(s), front = GUARD * bytes,
                 end = front + (size_t)s->planes * plane_of(s, true) * bytes;
    int wrong = 0;
    for (size_t i = 0; i < end + front; i++)
        if (i < front || i >= end)
            wrong += made[0][i] != (before ? before[i] : 0x5a);
    CHECK(wrong == 0, "%s%s n %d, %d of %d: %d bytes written outside",
          s->sort.name, s->sort.options, s->n, s->v, s->planes, wrong);
}

/* One neighbour becomes what is no number, and the others keep all bits. */
static void check_company(const sample *s, const weft_plan *plan)
{
    const int loud = s->v / 2, plane = s->planes - 1;
    for (int k = 0; k < s->in_rows * unit_of(s->in_pairs); k++)
        set_number(s, input, place(s, plane, loud, k, false), NAN);
    execute(s, plan, 0, 0, made[1]);
    for (int k = 0; k < s->out_rows * unit_of(s->out_pairs); k++) {
        const size_t at = place(s, plane, loud, k, true) * bytes_of(s);
        memcpy(made[1] + at, made[0] + at, bytes_of(s));
    }
    const size_t all = (2 * GUARD + (size_t)s->planes * plane_of(s, true)) *
                       bytes_of(s);
    CHECK(memcmp(made[0], made[1], all) == 0,
          "%s%s n %d, %d of %d: others changed", s->sort.name, s->sort.options,
          s->n, s->v, s->planes);
}

static void test_one(const sort *kind, bool f64, int n, int v, int planes)
{
    sample s = {.sort = *kind,
                .f64 = f64,
                .in_place = strstr(kind->options, "inplace") != NULL,
                .in_pairs = strcmp(kind->name, "c2r") == 0,
                .out_pairs = strcmp(kind->name, "r2c") == 0,
                .n = n,
                .v = v,
                .planes = planes};
    char tree[TEXT];
    s.in_rows = s.in_pairs ? n / 2 + 1 : n;
    s.out_rows = s.out_pairs ? n / 2 + 1 : n;
    if (s.in_pairs || s.out_pairs)
        snprintf(tree, sizeof tree, "(rank (cols 0 (direct %d)))", n);
    else
        snprintf(tree, sizeof tree, "(rank (cols 0 (dense %s %d)))",
                 kind->name, n);
    for (size_t i = 0; i < ROOM; i++)
        set_number(&s, input, i, noise_real(&noise));
    weft_plan *plan = plan_of(&s, v, planes, tree),
              *one = plan_of(&s, 1, 1, NULL);
    if (plan != NULL && one != NULL) {
        execute(&s, plan, 0, 0, made[0]);
        check_values(&s, one);
        check_guards(&s);
        check_company(&s, plan);
    }
    weft_plan_release(plan);
    weft_plan_release(one);
}

int main(void)
{
    static const int lengths[] = {2,  3,  4,  5,  6,  7,  8,  9,  11, 12,
                                  13, 15, 16, 17, 20, 24, 31, 33, 48};
    const size_t count = sizeof lengths / sizeof *lengths;
    const size_t step = check_step(3,
                                   "lengths of few transforms side by side");
    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++)
        for (size_t i = 0; i < count; i += step)
            for (int v = 2; v <= MOST; v++)
                for (int f64 = 0; f64 < 2; f64++)
                    test_one(&sorts[k], f64, lengths[i], v,
                             1 + (lengths[i] + v) % 2 * (PLANES - 1));
    return check_report("few_test");
}
