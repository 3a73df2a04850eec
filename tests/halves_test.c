/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halves_test.c - short halfcomplex transforms: those of even length one after the
 * other, by leaves and whole registers (src/cpu/halves.c), and those anywhere, one at a
 * time (src/cpu/lone.c).  Each has what it has by the definition, one that is no number
 * changes no bit of another, and what lies between them stays.
 */
#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <weft/weft.h>

enum { MOST_N = 48, MOST_ROWS = 700, GAP = 5, MOST_LONE = 16 };
enum { ROOM = MOST_ROWS * (MOST_N + GAP) };

typedef struct sample {
    const char *kind, *norm;
    bool f64, in_place;
    int n, rows, is, os; /* reals from a row to the next */
    int in_leg, out_leg; /* from a number to the next */
} sample;

static noise_state noise = {5};
static double in[ROOM], out[ROOM], again[ROOM], by_definition[MOST_N];

static double get(const sample *s, const void *p, ptrdiff_t at)
{
    return s->f64 ? ((const double *)p)[at] : (double)((const float *)p)[at];
}

static void set(const sample *s, void *p, ptrdiff_t at, double x)
{
    if (s->f64)
        ((double *)p)[at] = x;
    else
        ((float *)p)[at] = (float)x;
}

/* NULL where there is no such plan. */
static weft_plan *plan_of(const sample *s, int rows, const char *walk,
                          const char *step)
{
    char text[120], tree[120];
    weft_problem problem;
    weft_plan *plan = NULL;
    const weft_plan_options options = {.size = sizeof options, .tree = tree};
    snprintf(text, sizeof text, "%s:%s:%d/%d/%d*%d/%d/%d%s%s", s->kind,
             s->f64 ? "f64" : "f32", s->n, s->in_leg, s->out_leg, rows, s->is,
             s->os, s->norm, s->in_place ? ":inplace" : "");
    snprintf(tree, sizeof tree, "(rank (%s 0 (%s))%s)", walk, step,
             *s->norm && !strcmp(walk, "cols") ? " (scale)" : "");
    CHECK(weft_problem_parse(text, &problem) == WEFT_OK, "%s: %s", text,
          weft_error_text());
    weft_plan_create(&problem, &options, &plan);
    return plan;
}

static void run(const sample *s, const weft_plan *plan, const void *from,
                void *to)
{
    if (s->in_place)
        memcpy(to, from, sizeof in);
    CHECK(weft_execute(plan, s->in_place ? to : from, to) == WEFT_OK, "%s",
          weft_error_text());
}

static int in_at(const sample *s, int row, int k)
{
    return row * s->is + k * s->in_leg;
}

static int out_at(const sample *s, int row, int k)
{
    return row * s->os + k * s->out_leg;
}

static void check_rows(const sample *s, const weft_plan *dense)
{
    static bool written[ROOM];
    const double u = s->f64 ? DBL_EPSILON : (double)FLT_EPSILON;
    memset(written, 0, sizeof written);
    for (int row = 0; row < s->rows; row++) {
        double error = 0, size = 0;
        for (int k = 0; k < s->n; k++)
            set(s, by_definition, k, get(s, in, in_at(s, row, k)));
        CHECK(weft_execute(dense, by_definition, by_definition) == WEFT_OK,
              "%s", weft_error_text());
        for (int k = 0; k < s->n; k++) {
            const double want = get(s, by_definition, k);
            const double off = get(s, out, out_at(s, row, k)) - want;
            written[out_at(s, row, k)] = true;
            error += off * off;
            size += want * want;
        }
        CHECK(sqrt(error) <= 4 * u * sqrt(size),
              "%s f%d n %d, row %d of %d: %g of %g", s->kind, s->f64 ? 64 : 32,
              s->n, row, s->rows, sqrt(error), sqrt(size));
    }
    int strays = 0;
    for (int i = 0; i < ROOM; i++)
        strays += !written[i] && get(s, out, i) != 77;
    CHECK(strays == 0, "%d gaps are written", strays);
}

static bool same_row(const sample *s, int row)
{
    const size_t bytes = s->f64 ? sizeof(double) : sizeof(float);
    bool same = true;
    for (int k = 0; k < s->n; k++) {
        const size_t at = (size_t)out_at(s, row, k) * bytes;
        same = same && !memcmp((const char *)again + at,
                               (const char *)out + at, bytes);
    }
    return same;
}

/* Row `bad` gets something that is no number; all others keep their bits. */
static void check_apart(const sample *s, const weft_plan *plan, int bad)
{
    set(s, in, in_at(s, bad, s->n / 3), NAN);
    memcpy(again, s->in_place ? in : out, sizeof again);
    run(s, plan, in, again);
    for (int row = 0; row < s->rows; row++)
        CHECK(row == bad || same_row(s, row),
              "row %d of %d changes with row %d", row, s->rows, bad);
}

/* Is there such a plan? */
static bool test(sample s, const char *walk, const char *spectrum)
{
    char step[80], definition[80];
    sample one = s;
    snprintf(step, sizeof step, "spectral %s %d (%s)", s.kind, s.n, spectrum);
    snprintf(definition, sizeof definition, "dense %s %d", s.kind, s.n);
    one.in_place = true;
    one.in_leg = one.out_leg = 1;
    weft_plan *plan = plan_of(&s, s.rows, walk, step);
    if (plan == NULL)
        return false;
    weft_plan *dense = plan_of(&one, 1, "rows", definition);
    for (int i = 0; i < ROOM; i++) {
        set(&s, in, i, 77);
        set(&s, out, i, 77);
    }
    for (int row = 0; row < s.rows; row++)
        for (int k = 0; k < s.n; k++)
            set(&s, in, in_at(&s, row, k), noise_real(&noise));
    if (CHECK(dense != NULL, "%s: %s", definition, weft_error_text())) {
        run(&s, plan, in, out);
        check_rows(&s, dense);
        check_apart(&s, plan, (int)noise_below(&noise, s.rows));
    }
    weft_plan_release(plan);
    weft_plan_release(dense);
    return true;
}

static bool test_rows(int n, int i)
{
    static const int rows[] = {1, 2, 7, 33, 100, MOST_ROWS};
    char leaf[20];
    const int apart = n + (i % 4 < 2 ? 0 : GAP);
    const sample s = {.kind = i % 2 ? "hc2r" : "r2hc",
                      .norm = i % 3 ? "" : ":norm=0.5",
                      .f64 = i / 2 % 2,
                      .in_place = i % 5 == 1,
                      .n = n,
                      .rows = rows[i % 6],
                      .is = apart,
                      .os = apart,
                      .in_leg = 1,
                      .out_leg = 1};
    snprintf(leaf, sizeof leaf, "rleaf %d", n);
    return test(s, "rows", leaf);
}

/* Rows or columns, with gaps or without, on either side; all numbers from one. */
static bool test_lone(int n, int i)
{
    static const int rows[] = {1, 2, 3, 20};
    char column[20];
    const int count = rows[i % 4], gap = i % 3;
    const bool same = i % 5 == 1, in_rows = i / 4 % 2,
               out_rows = same ? in_rows : i / 8 % 2;
    const sample s = {.kind = i % 2 ? "hc2r" : "r2hc",
                      .norm = i % 7 ? "" : ":norm=0.5",
                      .f64 = i / 2 % 2,
                      .in_place = same,
                      .n = n,
                      .rows = count,
                      .is = in_rows ? n * (1 + gap) + gap : 1,
                      .os = out_rows ? n * (1 + gap) + gap : 1,
                      .in_leg = i % 16 == 13 && !same ? 0
                                : in_rows             ? 1 + gap
                                                      : count + gap,
                      .out_leg = out_rows ? 1 + gap : count + gap};
    snprintf(column, sizeof column, "rcolumn %d w1", n);
    return test(s, "cols", column);
}

int main(void)
{
    enum { LAYOUTS = 24, LONE_LAYOUTS = 80 };
    int lengths = 0;
    for (int n = 4; n <= MOST_N; n += 2) {
        bool any = false;
        for (int i = 0; i < LAYOUTS; i++)
            any |= test_rows(n, i);
        lengths += any;
    }
    /* Where registers of 32 bytes can be permuted. */
    const bool kernels = strncmp(weft_isa(), "avx", 3) == 0;
    CHECK(kernels ? lengths >= 12 : lengths == 0, "%d lengths have such plans",
          lengths);
    for (int n = 2; n <= MOST_LONE; n++)
        for (int i = 0; i < LONE_LAYOUTS; i++)
            CHECK(test_lone(n, i), "no plan for %d, layout %d: %s", n, i,
                  weft_error_text());
    return check_report("halves_test");
}
