/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halves_test.c - short halfcomplex transforms of even length one after the other, by
 * leaves and whole registers (src/cpu/halves.c): each has what it has by the
 * definition, one that is no number changes no bit of another, and what lies between
 * them stays.
 */
#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <weft/weft.h>

enum { MOST_N = 48, MOST_ROWS = 700, GAP = 5 };
enum { ROOM = MOST_ROWS * (MOST_N + GAP) };

typedef struct sample {
    const char *kind, *norm;
    bool f64, in_place;
    int n, rows, is, os; /* reals from a row to the next */
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
static weft_plan *plan_of(const sample *s, int rows, const char *step)
{
    char text[120], tree[120];
    weft_problem problem;
    weft_plan *plan = NULL;
    const weft_plan_options options = {.size = sizeof options, .tree = tree};
    snprintf(text, sizeof text, "%s:%s:%d/1/1*%d/%d/%d%s%s", s->kind,
             s->f64 ? "f64" : "f32", s->n, rows, s->is, s->os, s->norm,
             s->in_place ? ":inplace" : "");
    snprintf(tree, sizeof tree, "(rank (rows 0 (%s)))", step);
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

static void check_rows(const sample *s, const weft_plan *dense)
{
    const double u = s->f64 ? DBL_EPSILON : (double)FLT_EPSILON;
    const size_t bytes = s->f64 ? sizeof(double) : sizeof(float);
    for (int row = 0; row < s->rows; row++) {
        double error = 0, size = 0;
        const char *from = (const char *)in + (size_t)(row * s->is) * bytes;
        memcpy(by_definition, from, (size_t)s->n * bytes);
        CHECK(weft_execute(dense, by_definition, by_definition) == WEFT_OK,
              "%s", weft_error_text());
        for (int k = 0; k < s->n; k++) {
            const double want = get(s, by_definition, k);
            const double off = get(s, out, row * s->os + k) - want;
            error += off * off;
            size += want * want;
        }
        CHECK(sqrt(error) <= 4 * u * sqrt(size),
              "%s f%d n %d, row %d of %d: %g of %g", s->kind, s->f64 ? 64 : 32,
              s->n, row, s->rows, sqrt(error), sqrt(size));
        for (int k = s->n; k < s->os && row + 1 < s->rows; k++)
            CHECK(get(s, out, row * s->os + k) == 77, "a gap is written");
    }
}

/* Row `bad` gets something that is no number; all others keep their bits. */
static void check_apart(const sample *s, const weft_plan *plan, int bad)
{
    const size_t bytes = s->f64 ? sizeof(double) : sizeof(float);
    set(s, in, bad * s->is + s->n / 3, NAN);
    memcpy(again, s->in_place ? in : out, sizeof again);
    run(s, plan, in, again);
    for (int row = 0; row < s->rows; row++)
        CHECK(row == bad ||
                  !memcmp((char *)again + (size_t)(row * s->os) * bytes,
                          (char *)out + (size_t)(row * s->os) * bytes,
                          (size_t)s->n * bytes),
              "row %d of %d changes with row %d", row, s->rows, bad);
}

/* Is there such a plan? */
static bool test(sample s)
{
    char step[80], definition[80];
    sample one = s;
    snprintf(step, sizeof step, "spectral %s %d (rleaf %d)", s.kind, s.n, s.n);
    snprintf(definition, sizeof definition, "dense %s %d", s.kind, s.n);
    one.in_place = true;
    weft_plan *plan = plan_of(&s, s.rows, step);
    if (plan == NULL)
        return false;
    weft_plan *dense = plan_of(&one, 1, definition);
    for (int i = 0; i < ROOM; i++) {
        set(&s, in, i, 77);
        set(&s, out, i, 77);
    }
    for (int row = 0; row < s.rows; row++)
        for (int k = 0; k < s.n; k++)
            set(&s, in, row * s.is + k, noise_real(&noise));
    if (CHECK(dense != NULL, "%s: %s", definition, weft_error_text())) {
        run(&s, plan, in, out);
        check_rows(&s, dense);
        check_apart(&s, plan, (int)noise_below(&noise, s.rows));
    }
    weft_plan_release(plan);
    weft_plan_release(dense);
    return true;
}

int main(void)
{
    static const int rows[] = {1, 2, 7, 33, 100, MOST_ROWS};
    int lengths = 0;
    for (int n = 4; n <= MOST_N; n += 2) {
        bool any = false;
        for (int i = 0; i < 24; i++) {
            const sample s = {.kind = i % 2 ? "hc2r" : "r2hc",
                              .norm = i % 3 ? "" : ":norm=0.5",
                              .f64 = i / 2 % 2,
                              .in_place = i % 5 == 1,
                              .n = n,
                              .rows = rows[i % 6],
                              .is = n + (i % 4 < 2 ? 0 : GAP),
                              .os = n + (i % 4 < 2 ? 0 : GAP)};
            any |= test(s);
        }
        lengths += any;
    }
    /* Where registers of 32 bytes can be permuted. */
    const bool kernels = strncmp(weft_isa(), "avx", 3) == 0;
    CHECK(kernels ? lengths >= 12 : lengths == 0, "%d lengths have such plans",
          lengths);
    return check_report("halves_test");
}
