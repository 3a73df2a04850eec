/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a plan's tree: the first chooses a problem, the rest is
 * options.tree.  A tree is refused with a reason or it is a plan: then its
 * text is a tree again, and executing it gives the transform.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const problems[] = {
    "c2c:f64:16",        "c2c:f64:64:inverse", "c2c:f64:13",
    "c2c:f64:60:inplace", "c2c:f64:4x6",       "c2c:f64:8*9",
    "c2c:f64:24/2/3",    "c2c:f64:-*5",        "c2c:f64:12/3/3*3/1/1",
    "c2c:f64:101"};

enum { PROBLEMS = sizeof problems / sizeof *problems, ROOM = 256 };

static void must(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_plan: %s\n", what);
    abort();
}

static void fill(double *x)
{
    for (int i = 0; i < 2 * ROOM; i++)
        x[i] = (double)(i * 7919 % 1009) / 1009 - 0.5;
}

static void execute(const weft_problem *problem, const weft_plan *plan,
                    double *out)
{
    double x[2 * ROOM];
    fill(x);
    fill(out);
    must(weft_execute(plan, problem->place == WEFT_IN_PLACE ? out : x, out)
             == WEFT_OK, "an accepted plan does not execute");
}

/* The planner's own plan, held against the oracle elsewhere, is the judge. */
static void check_values(const weft_problem *problem, const weft_plan *plan,
                         const char *tree)
{
    double want[2 * ROOM], got[2 * ROOM];
    weft_plan *judge = NULL;
    must(weft_plan_create(problem, NULL, &judge) == WEFT_OK, "no plan");
    execute(problem, judge, want);
    execute(problem, plan, got);
    for (int i = 0; i < 2 * ROOM; i++)
        must(fabs(want[i] - got[i]) < 1e-9, tree);
    weft_plan_release(judge);
}

static void check_text(const weft_problem *problem, const weft_plan *plan)
{
    size_t length = 0;
    must(weft_plan_text(plan, NULL, 0, &length) == WEFT_OK, "no text");
    char *text = malloc(length + 1);
    if (!text)
        return;
    weft_plan_text(plan, text, length + 1, NULL);
    weft_plan_options o = {.size = sizeof o, .tree = text};
    weft_plan *again = NULL;
    must(weft_plan_create(problem, &o, &again) == WEFT_OK, text);
    weft_plan_release(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_problem problem;
    weft_plan *plan = NULL;
    if (size == 0)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    weft_problem_parse(problems[data[0] % PROBLEMS], &problem);
    weft_plan_options o = {.size = sizeof o, .tree = text};
    weft_status status = weft_plan_create(&problem, &o, &plan);
    must((status == WEFT_OK) == (plan != NULL), "status and plan disagree");
    must(status != WEFT_ERR_INTERNAL, weft_error_text());
    if (plan) {
        check_text(&problem, plan);
        check_values(&problem, plan, text);
    } else {
        must(weft_error_text()[0] != '\0', "no reason");
    }
    weft_plan_release(plan);
    free(text);
    return 0;
}
