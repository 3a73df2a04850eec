/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * embedded_test.c - real neighbours by complex columns have the results of each by
 * itself, and no neighbour, not even one that is no number, changes a bit of
 * another's.  Nothing between rows is written, any number of threads gives the
 * same bits, and trees that do not fit are refused.
 */
#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <weft/weft.h>

#include "base/base.h"
#include "kernel/isa.h"

enum { TEXT = 512, MOST_N = 32, MOST = 67, GAP = 3, LEG = 2 * MOST + GAP };
enum { NUMBERS = (MOST_N + 1) * LEG };

/* One kind on both sides: reals a number has there, and numbers. */
typedef struct sort {
    const char *name, *options;
    bool in_spectra, out_spectra;
} sort;

static const sort sorts[] = {
    {"r2c", "", false, true},
    {"r2c", ":norm=0.75", false, true},
    {"c2r", "", true, false},
    {"c2r", ":norm=0.75", true, false},
    {"r2hc", "", false, false},
    {"r2hc", ":inplace", false, false},
    {"hc2r", ":norm=3", false, false},
    {"hc2r", ":inplace", false, false},
    {"dht", ":norm=ortho", false, false},
    {"dht", ":inplace", false, false},
    {"redft10", "", false, false},
    {"redft10", ":norm=ortho:inplace", false, false},
    {"redft01", ":norm=0.5", false, false},
    {"redft01", ":norm=ortho", false, false},
    {"rodft10", ":inplace", false, false},
    {"rodft10", ":norm=ortho", false, false},
    {"rodft01", "", false, false},
    {"rodft01", ":norm=ortho:inplace", false, false},
};

typedef struct sample {
    sort sort;
    weft_type type;
    int n, m, width;
} sample;

static double source[NUMBERS];
static char input[NUMBERS * sizeof(double)], made[2][sizeof input],
    alone[sizeof input];

static size_t bytes_of(const sample *s)
{
    return s->type == WEFT_F64 ? sizeof(double) : sizeof(float);
}

static double number(const sample *s, const char *p, size_t at)
{
    return s->type == WEFT_F64 ? ((const double *)(const void *)p)[at]
                               : ((const float *)(const void *)p)[at];
}

static void set_number(const sample *s, char *p, size_t at, double x)
{
    if (s->type == WEFT_F64)
        ((double *)(void *)p)[at] = x;
    else
        ((float *)(void *)p)[at] = (float)x;
}

/* `m` neighbours by two vectors of columns at a time; tree NULL: the model's. */
static weft_plan *plan_of(const sample *s, int m, bool by_tree, int threads)
{
    char problem[TEXT], tree[TEXT];
    weft_problem p;
    weft_plan *plan = NULL;
    const int in = s->sort.in_spectra ? LEG / 2 : LEG,
              out = s->sort.out_spectra ? LEG / 2 : LEG;
    snprintf(problem, sizeof problem, "%s:%s:%d/%d/%d*%d/1/1%s:threads=%d",
             s->sort.name, s->type == WEFT_F64 ? "f64" : "f32", s->n, in, out,
             m, s->sort.options, threads);
    snprintf(tree, sizeof tree,
             "(rank (embedded 0 %d (rank (cols 0 (column %d w%d %d)))))",
             2 * s->width, s->n, s->width, s->n);
    weft_plan_options o = {.size = sizeof o, .tree = by_tree ? tree : NULL};
    if (CHECK(weft_problem_parse(problem, &p) == WEFT_OK, "%s: %s", problem,
              weft_error_text()))
        CHECK(weft_plan_create(&p, &o, &plan) == WEFT_OK, "%s %s: %s", problem,
              tree, weft_error_text());
    return plan;
}

/* Everything in `memory`, from what lies `at` reals on in the input. */
static void execute(const sample *s, const weft_plan *plan, size_t in_at,
                    size_t out_at, char *memory)
{
    const size_t bytes = bytes_of(s);
    const bool in_place = strstr(s->sort.options, "inplace") != NULL;
    memset(memory, 0x5a, sizeof input);
    if (in_place)
        memcpy(memory, input, sizeof input);
    char *out = memory + out_at * bytes;
    const void *in = in_place ? out : input + in_at * bytes;
    CHECK(weft_execute(plan, in, out) == WEFT_OK, "%s", weft_error_text());
}

/* Of a neighbour, the largest difference over the largest number. */
static double difference(const sample *s, int neighbour)
{
    const bool spectra = s->sort.out_spectra;
    const int rows = spectra ? s->n / 2 + 1 : s->n, unit = spectra ? 2 : 1;
    double most = 0, largest = 0;
    for (int k = 0; k < rows; k++)
        for (int part = 0; part < unit; part++) {
            const size_t at = (size_t)(k * (spectra ? LEG / 2 * 2 : LEG) +
                                       unit * neighbour + part);
            const double x = number(s, made[0], at), y = number(s, alone, at);
            most = fmax(most, fabs(x - y));
            largest = fmax(largest, fabs(y));
        }
    return largest > 0 ? most / largest : most;
}

/* Each of the first, the last and one between by a plan of its own. */
static void check_values(const sample *s)
{
    const int who[] = {0, s->m / 2, s->m - 1};
    weft_plan *plan = plan_of(s, s->m, true, 1),
              *one = plan_of(s, 1, false, 1);
    if (plan != NULL && one != NULL) {
        execute(s, plan, 0, 0, made[0]);
        for (int i = 0; i < 3; i++) {
            const size_t in = (size_t)((s->sort.in_spectra ? 2 : 1) * who[i]),
                         out = (size_t)((s->sort.out_spectra ? 2 : 1) *
                                        who[i]);
            execute(s, one, in, out, alone);
            const double off = difference(s, who[i]);
            CHECK(off < (s->type == WEFT_F64 ? 20 * DBL_EPSILON
                                             : 20 * FLT_EPSILON),
                  "%s%s n %d of %d: neighbour %d is %.3g off", s->sort.name,
                  s->sort.options, s->n, s->m, who[i], off);
        }
    }
    weft_plan_release(plan);
    weft_plan_release(one);
}

static bool is_row_of(const sample *s, size_t at, int neighbour)
{
    const int unit = s->sort.out_spectra ? 2 : 1;
    const size_t leg = s->sort.out_spectra ? LEG / 2 * 2 : LEG;
    return at % leg / (size_t)unit == (size_t)neighbour;
}

/* One neighbour becomes what is no number, and the others keep all bits. */
static void check_company(const sample *s)
{
    const int loud = s->m / 3, unit = s->sort.in_spectra ? 2 : 1;
    const size_t leg = s->sort.in_spectra ? LEG / 2 * 2 : LEG;
    const size_t bytes = bytes_of(s);
    weft_plan *plan = plan_of(s, s->m, true, 1);
    if (plan == NULL)
        return;
    execute(s, plan, 0, 0, made[0]);
    for (int k = 0; k < (s->sort.in_spectra ? s->n / 2 + 1 : s->n); k++)
        for (int part = 0; part < unit; part++)
            set_number(s, input,
                       (size_t)k * leg + (size_t)(unit * loud + part), NAN);
    execute(s, plan, 0, 0, made[1]);
    int changed = 0, kept = 0;
    for (size_t at = 0; at < NUMBERS; at++) {
        const bool same = memcmp(made[0] + at * bytes, made[1] + at * bytes,
                                 bytes) == 0;
        if (is_row_of(s, at, loud))
            kept += same;
        else
            changed += !same;
    }
    CHECK(changed == 0, "%s%s n %d of %d: %d numbers of others changed",
          s->sort.name, s->sort.options, s->n, s->m, changed);
    CHECK(kept < NUMBERS / 2, "%s: nothing changed", s->sort.name);
    weft_plan_release(plan);
}

static void check_threads(const sample *s)
{
    weft_plan *one = plan_of(s, s->m, true, 1),
              *many = plan_of(s, s->m, true, 3);
    if (one != NULL && many != NULL) {
        execute(s, one, 0, 0, made[0]);
        execute(s, many, 0, 0, made[1]);
        CHECK(memcmp(made[0], made[1], sizeof input) == 0,
              "%s%s n %d of %d: other bits by three threads", s->sort.name,
              s->sort.options, s->n, s->m);
    }
    weft_plan_release(one);
    weft_plan_release(many);
}

/* Between rows, and behind the last, there is what was there. */
static void check_gaps(const sample *s)
{
    const bool spectra = s->sort.out_spectra;
    const size_t leg = spectra ? LEG / 2 * 2 : LEG, bytes = bytes_of(s);
    const size_t rows = (size_t)(spectra ? s->n / 2 + 1 : s->n);
    const size_t row = (size_t)s->m * (spectra ? 2 : 1);
    const bool in_place = strstr(s->sort.options, "inplace") != NULL;
    weft_plan *plan = plan_of(s, s->m, true, 1);
    if (plan == NULL)
        return;
    execute(s, plan, 0, 0, made[0]);
    memset(made[1], 0x5a, sizeof input);
    if (in_place)
        memcpy(made[1], input, sizeof input);
    int written = 0;
    for (size_t at = 0; at < sizeof input / bytes; at++)
        if (at >= rows * leg || at % leg >= row)
            written += memcmp(made[0] + at * bytes, made[1] + at * bytes,
                              bytes) != 0;
    CHECK(written == 0, "%s%s n %d of %d: %d numbers between rows written",
          s->sort.name, s->sort.options, s->n, s->m, written);
    weft_plan_release(plan);
}

static void fill(const sample *s)
{
    for (size_t i = 0; i < NUMBERS; i++)
        set_number(s, input, i, source[i]);
}

static void check_sample(const sample *s)
{
    fill(s);
    check_values(s);
    check_gaps(s);
    check_threads(s);
    check_company(s);
}

static void check_refused(const char *problem, const char *tree)
{
    weft_problem p;
    weft_plan *plan = NULL;
    weft_plan_options o = {.size = sizeof o, .tree = tree};
    if (!CHECK(weft_problem_parse(problem, &p) == WEFT_OK, "%s: %s", problem,
               weft_error_text()))
        return;
    CHECK(weft_plan_create(&p, &o, &plan) != WEFT_OK && plan == NULL,
          "%s by %s", problem, tree);
    weft_plan_release(plan);
}

static void check_misfits(int width)
{
    char tree[4][TEXT];
    const char *const columns[] = {
        "(rank (embedded 0 %d (rank (cols 0 (column 15 w%d 15)))))",
        "(rank (embedded 0 %d (cols 0 (column 15 w%d 15))))",
        "(rank (embedded 1 %d (rank (cols 0 (column 15 w%d 15)))))",
        "(rank (embedded 0 %d (rank (cols 0 (column 16 w%d 16)))))",
    };
    for (int i = 0; i < 4; i++)
        snprintf(tree[i], sizeof tree[i], columns[i], width, width);
    const char *const neighbours = "r2c:f64:15/40/40*40/1/1";
    for (int i = 1; i < 4; i++)
        check_refused(neighbours, tree[i]);
    check_refused("r2c:f64:15*40", tree[0]);
    check_refused("r2c:f64:15/40/20*20/1/1:inplace", tree[0]);
    check_refused("r2c:f64:15/40/40*40/1/1:split", tree[0]);
    check_refused("c2c:f64:15/40/40*40/1/1", tree[0]);
    check_refused("redft00:f64:15/40/40*40/1/1", tree[0]);
    snprintf(tree[0], sizeof tree[0], columns[0], width / 2, width);
    check_refused(neighbours, tree[0]);
    snprintf(tree[0], sizeof tree[0], columns[0], 64 * width, width);
    check_refused(neighbours, tree[0]);
}

int main(void)
{
    noise_state noise = {1};
    const wf_isa isa = (wf_isa)wf_cpu_isa();
    if (wf_isa_lanes(isa, WF_F64) < 4) {
        printf("embedded_test: vectors of less than 256 bits have no such "
               "steps\n");
        return check_report("embedded_test");
    }
    for (size_t i = 0; i < NUMBERS; i++)
        source[i] = noise_real(&noise);
    static const int lengths[] = {3, 5, 8, 15, 16, 25};
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++)
        for (size_t j = 0; j < sizeof lengths / sizeof lengths[0]; j++)
            for (int type = 0; type < 2; type++) {
                const wf_real real = type == 0 ? WF_F64 : WF_F32;
                const int width = wf_isa_lanes(isa, real);
                const int counts[] = {2, width - 1, 2 * width, MOST};
                for (int k = 0; k < 4; k++)
                    check_sample(&(sample){sorts[i],
                                           type == 0 ? WEFT_F64 : WEFT_F32,
                                           lengths[j], counts[k], width});
            }
    check_misfits(wf_isa_lanes(isa, WF_F64));
    return check_report("embedded_test");
}
