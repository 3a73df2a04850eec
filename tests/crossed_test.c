/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossed_test.c - vectors of unit stride on one side that lie side by side on the other
 * (cpu/crossed.c): each has the result that it has by itself, nothing is written between
 * rows or beyond, and two threads make the same bits.
 */
#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

enum { TEXT = 256, GUARD = 64 };

/* `columns` vectors of n: on one side rows of vectors, `vector` complex numbers apart,
 * on the other rows of columns, `row` apart. */
typedef struct sample {
    bool f64, to_columns, inverse;
    int n, columns, vector, row, planes;
    size_t bytes; /* of a real */
} sample;

static noise_state noise = {1};

static size_t plane_of(const sample *s, bool columns)
{
    return columns ? (size_t)(s->n * s->row)
                   : (size_t)(s->columns * s->vector);
}

/* Complex numbers of a side, with guards. */
static size_t room_of(const sample *s, bool columns)
{
    return (size_t)s->planes * plane_of(s, columns) + 2 * GUARD;
}

static size_t place(const sample *s, int plane, int t, int k, bool columns)
{
    return GUARD + (size_t)plane * plane_of(s, columns) +
           (size_t)(columns ? k * s->row + t : t * s->vector + k);
}

static double number(const sample *s, const char *p, size_t real)
{
    double x = 0;
    float y = 0;
    memcpy(s->f64 ? (void *)&x : &y, p + real * s->bytes, s->bytes);
    return s->f64 ? x : (double)y;
}

static char *noise_of(const sample *s, size_t numbers)
{
    char *p = malloc(2 * numbers * s->bytes);
    for (size_t i = 0; i < 2 * numbers; i++) {
        const double x = noise_real(&noise);
        const float y = (float)x;
        memcpy(p + i * s->bytes, s->f64 ? (const void *)&x : &y, s->bytes);
    }
    return p;
}

static weft_plan *plan_of(const char *text, const char *tree)
{
    weft_problem problem;
    weft_plan *plan = NULL;
    weft_plan_options o = {.size = sizeof o, .tree = tree};
    CHECK(weft_problem_parse(text, &problem) == WEFT_OK &&
              weft_plan_create(&problem, &o, &plan) == WEFT_OK,
          "%s: %s", text, weft_error_text());
    return plan;
}

static weft_plan *crossed_plan(const sample *s, const char *tree, int threads)
{
    char text[TEXT];
    const bool to = s->to_columns;
    snprintf(text, sizeof text,
             "c2c:%s:%d/%d/%d*%d/%d/%dx%d/%zu/%zu%s:threads=%d",
             s->f64 ? "f64" : "f32", s->n, to ? 1 : s->row, to ? s->row : 1,
             s->columns, to ? s->vector : 1, to ? 1 : s->vector, s->planes,
             plane_of(s, !to), plane_of(s, to), s->inverse ? ":inverse" : "",
             threads);
    return plan_of(text, tree);
}

static void check_values(const sample *s, const char *in, const char *out)
{
    char text[TEXT];
    snprintf(text, sizeof text, "c2c:%s:%d%s", s->f64 ? "f64" : "f32", s->n,
             s->inverse ? ":inverse" : "");
    weft_plan *one = plan_of(text, NULL);
    char *x = malloc(2 * (size_t)s->n * s->bytes),
         *y = malloc(2 * (size_t)s->n * s->bytes);
    for (int t = 0; one != NULL && t < s->columns * s->planes; t++) {
        const int plane = t / s->columns, column = t % s->columns;
        double most = 0, largest = 0;
        for (int k = 0; k < s->n; k++)
            memcpy(x + 2 * (size_t)k * s->bytes,
                   in + 2 * place(s, plane, column, k, !s->to_columns) *
                            s->bytes,
                   2 * s->bytes);
        CHECK(weft_execute(one, x, y) == WEFT_OK, "%s", weft_error_text());
        for (int k = 0; k < 2 * s->n; k++) {
            const size_t at = 2 * place(s, plane, column, k / 2,
                                        s->to_columns) +
                              (size_t)(k % 2);
            most = fmax(most,
                        fabs(number(s, out, at) - number(s, y, (size_t)k)));
            largest = fmax(largest, fabs(number(s, y, (size_t)k)));
        }
        CHECK(most <= 20 * (s->f64 ? DBL_EPSILON : FLT_EPSILON) * largest,
              "%s, %d of %d, %s columns: %d is %.3g off", text, s->columns,
              s->planes, s->to_columns ? "to" : "from", t, most / largest);
    }
    free(x);
    free(y);
    weft_plan_release(one);
}

/* What no vector has is as before. */
static void check_gaps(const sample *s, char *out, const char *before)
{
    const size_t bytes = 2 * s->bytes;
    for (int t = 0; t < s->columns * s->planes; t++)
        for (int k = 0; k < s->n; k++) {
            const size_t at = place(s, t / s->columns, t % s->columns, k,
                                    s->to_columns) *
                              bytes;
            memcpy(out + at, before + at, bytes);
        }
    CHECK(memcmp(out, before, room_of(s, s->to_columns) * bytes) == 0,
          "n %d, %d of %d, %s columns: written outside", s->n, s->columns,
          s->planes, s->to_columns ? "to" : "from");
}

static void test_one(const sample *s, const char *tree)
{
    const size_t all = room_of(s, s->to_columns), bytes = 2 * s->bytes;
    char *in = noise_of(s, room_of(s, !s->to_columns)),
         *before = noise_of(s, all), *out[2];
    for (int i = 0; i < 2; i++) {
        out[i] = malloc(all * bytes);
        memcpy(out[i], before, all * bytes);
        weft_plan *plan = crossed_plan(s, tree, 1 + i);
        if (plan != NULL)
            CHECK(weft_execute(plan, in + GUARD * bytes,
                               out[i] + GUARD * bytes) == WEFT_OK,
                  "%s", weft_error_text());
        weft_plan_release(plan);
    }
    CHECK(memcmp(out[0], out[1], all * bytes) == 0,
          "n %d, %d of %d: two threads make other bits", s->n, s->columns,
          s->planes);
    check_values(s, in, out[0]);
    check_gaps(s, out[0], before);
    free(in);
    free(before);
    free(out[0]);
    free(out[1]);
}

/* Lanes of columns, as a plan of some names them. */
static int width_of(bool f64)
{
    char text[TEXT] = "", tree[TEXT] = "";
    snprintf(text, sizeof text, "c2c:%s:64/512/512*512/1/1",
             f64 ? "f64" : "f32");
    weft_plan *plan = plan_of(text, NULL);
    if (plan != NULL)
        weft_plan_text(plan, tree, sizeof tree, NULL);
    const char *width = strstr(tree, " w");
    weft_plan_release(plan);
    return width != NULL ? atoi(width + 2) : 1;
}

int main(void)
{
    static const struct {
        int n;
        const char *radices;
    } lengths[] = {{2, "2"},    {3, "3"},    {4, "4"},    {5, "5"},
                   {7, "7"},    {8, "8"},    {9, "9"},    {12, "12"},
                   {15, "15"},  {16, "16"},  {24, "8.3"}, {32, "8.4"},
                   {64, "8.8"}, {90, "9.10"}};
    static const int counts[] = {2, 3, 5, 8, 13, 17, 31, 64, 100};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
            for (int kind = 0; kind < 4; kind++) {
                const bool f64 = kind % 2 == 1;
                char tree[TEXT];
                const int n = lengths[i].n, pad = (int)(i + j) % 3;
                const sample s = {.f64 = f64,
                                  .to_columns = kind >= 2,
                                  .inverse = (i + j) % 2 == 1,
                                  .n = n,
                                  .columns = counts[j],
                                  .vector = n + pad,
                                  .row = counts[j] + 2 * pad,
                                  .planes = 1 + (int)j % 3,
                                  .bytes = f64 ? sizeof(double)
                                               : sizeof(float)};
                snprintf(tree, sizeof tree,
                         "(rank (buffered 0 (column %d w%d %s)))", n,
                         width_of(f64), lengths[i].radices);
                test_one(&s, tree);
            }
    return check_report("crossed_test");
}
