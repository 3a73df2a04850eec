/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wisdom_test.c - wisdom goes out and in unchanged; damaged, it is refused
 * with a reason and changes nothing; false, it does no harm.
 */
#include "check.h"
#include "oracle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const problems[] = {"c2c:f64:1000", "c2c:f32:64*9:inplace",
                                       "c2c:f64:97:inverse:norm=ortho",
                                       "c2c:f64:12x18:split"};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static char *export_text(void)
{
    char *text = NULL;
    weft_status status = weft_wisdom_export(&text);
    CHECK(status == WEFT_OK && text, "export: %s", weft_error_text());
    return text;
}

static weft_plan *plan_of(const char *problem, weft_effort effort)
{
    weft_problem p;
    weft_plan *plan = NULL;
    weft_plan_options o = {.size = sizeof o,
                           .effort = effort,
                           .time_limit = 0.01};
    weft_status status = weft_problem_parse(problem, &p);
    if (status == WEFT_OK)
        status = weft_plan_create(&p, &o, &plan);
    CHECK(status == WEFT_OK, "%s: %s", problem, weft_error_text());
    return plan;
}

static void text_of(const char *problem, char *text, size_t size)
{
    weft_plan *plan = plan_of(problem, WEFT_MODEL);
    text[0] = '\0';
    if (plan)
        weft_plan_text(plan, text, size, NULL);
    weft_plan_release(plan);
}

/* The text as import must see it: FNV-1a of all before the checksum line. */
static void seal(char *text, size_t size, const char *body)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = body; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    snprintf(text, size, "%schecksum %016" PRIx64 "\n", body, hash);
}

static void test_round_trip(void)
{
    static char measured[PROBLEMS][1024], text[1024];
    weft_wisdom_forget();
    char *empty = export_text();
    for (int i = 0; i < PROBLEMS; i++)
        weft_plan_release(plan_of(problems[i], WEFT_MEASURE));
    char *first = export_text();
    CHECK(strcmp(empty, first), "measuring left no wisdom");
    for (int i = 0; i < PROBLEMS; i++)
        text_of(problems[i], measured[i], sizeof measured[i]);
    weft_wisdom_forget();
    char *again = export_text();
    CHECK(!strcmp(empty, again), "forgetting left \"%s\"", again);
    weft_free(again);
    CHECK(weft_wisdom_import(first) == WEFT_OK, "import: %s",
          weft_error_text());
    again = export_text();
    CHECK(!strcmp(first, again), "export after import differs");
    weft_free(again);
    for (int i = 0; i < PROBLEMS; i++) {
        text_of(problems[i], text, sizeof text);
        CHECK(!strcmp(text, measured[i]), "%s: with wisdom %s, measured %s",
              problems[i], text, measured[i]);
    }
    CHECK(weft_wisdom_import(first) == WEFT_OK, "twice: %s",
          weft_error_text());
    again = export_text();
    CHECK(strlen(first) == strlen(again), "importing twice doubles it");
    weft_free(again);
    CHECK(weft_wisdom_import(empty) == WEFT_OK, "empty: %s",
          weft_error_text());
    weft_free(first);
    weft_free(empty);
}

/* Refused with a reason, and what is known stays. */
static void refuse(const char *bad, const char *known, const char *what,
                   size_t at)
{
    weft_status status = weft_wisdom_import(bad);
    if (!CHECK(status == WEFT_ERR_PARSE && weft_error_text()[0],
               "%s at %zu: %s (%s)", what, at, weft_status_name(status),
               weft_error_text())) {
        fprintf(stderr, "%s\n", bad);
        weft_wisdom_forget();
        weft_wisdom_import(known);
        return;
    }
    if (at % 16 == 0) {
        char *now = export_text();
        CHECK(!strcmp(now, known), "%s at %zu: refused, yet it changed", what,
              at);
        weft_free(now);
    }
}

static void test_damage(void)
{
    weft_wisdom_forget();
    for (int i = 0; i < PROBLEMS; i++)
        weft_plan_release(plan_of(problems[i], WEFT_MEASURE));
    char *good = export_text();
    size_t length = strlen(good);
    char *bad = malloc(length + 100);
    for (size_t i = 0; i < length; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(bad, good, length + 1);
            bad[i] = (char)(bad[i] ^ 1 << bit);
            if (i + 1 < length || bad[i]) /* all but the last newline lost */
                refuse(bad, good, "flipped bit", i);
        }
    for (size_t i = 0; i + 1 < length; i++) {
        memcpy(bad, good, i);
        bad[i] = '\0';
        refuse(bad, good, "cut", i);
        memmove(bad, good, i);
        strcpy(bad + i, good + i + 1);
        if (strcmp(bad, good))
            refuse(bad, good, "byte left out", i);
    }
    sprintf(bad, "%sx", good);
    refuse(bad, good, "more after the end", 0);
    sprintf(bad, "%s%s", "\n", good);
    refuse(bad, good, "more before the start", 0);
    refuse("", good, "empty text", 0);
    free(bad);
    weft_free(good);
}

/* Well sealed, but not what this version writes. */
static void test_strange(void)
{
    static const char *const bodies[] = {
        "weft-wisdom 2\n",
        "weft-wisdom 0\n",
        "weft-wisdom\n",
        "wisdom 1\n",
        "weft-wisdom 1\nhello\n",
        "weft-wisdom 1\n\n",
        "weft-wisdom 1\navx2 | c2c:f64:8/1/1 | 5\n",
        "weft-wisdom 1\navx2 | c2c:f64:8/1/1 | 5 | (rows 0 (leaf 8))\n",
        "weft-wisdom 1\navx2 | c2c:f64:8/1/1 | -5 | 1 | (rows 0 (leaf 8))\n",
        "weft-wisdom 1\navx2 | c2c:f64:8/1/1 | nan | 1 | (rows 0 (leaf 8))\n",
        "weft-wisdom 1\navx2 | c2c:f64:8/1/1 | 5 | 0 | (rows 0 (leaf 8))\n",
        "weft-wisdom 1\navx2 | c2c:f64:8/1/1 | 5 | 1 | (rows 0 (leaf 8)\n",
        "weft-wisdom 1\navx2 | c2c:f64:0/1/1 | 5 | 1 | (rows 0 (leaf 8))\n",
        "weft-wisdom 1\navx2 | r2r:f64:8/1/1 | 5 | 1 | (rows 0 (leaf 8))\n",
    };
    char text[512];
    weft_wisdom_forget();
    char *known = export_text();
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        seal(text, sizeof text, bodies[i]);
        refuse(text, known, "a strange line", 16 * i);
    }
    weft_free(known);
}

/* A tree that is no plan of its problem: refused, or not followed. */
static void test_false(void)
{
    static const char *const trees[] = {
        "(rows 0 (leaf 12))",
        "(rank (rows 0 (leaf 16)))",
        "(rank (rows 0 (leaf 8)))",
        "(rank (rows 1 (leaf 12)))",
        "(rank (cols 0 (column 12 w8 12)))",
        "(rank (copy))",
        "(copy)",
        "(rank)",
        "(rank (rows 0 (leaf 12)) (rows 0 (leaf 12)))",
        "(rank (rows 0 (leaf 12)) (scale))",
        "(rank (rows 0 (bluestein 12 m16 (leaf 16))))",
        "(rank (rows 0 (rader 12 (leaf 11))))",
        "(rank (rows 0 (good 12 2x6 (leaf 2) (leaf 6))))",
        "(rank (rows 0 (good 12 3x4 (leaf 4) (leaf 3))))",
        "(rank (rows 0 (twostep 12 3x4 (leaf 4) (leaf 3))))",
        "(repack (rank (rows 0 (leaf 12))))",
        "(rows 5 (leaf 12))",
        "(rows 0 (leaf 4093))",
        "(cols 0 (column 12 w8 "
        "4.3))",
        "(rows 0 (stockham 12 w9999 4.3))",
        "(rows 0 (rader 12 (leaf 11)))",
        "(buffered 0 (bluestein 12 13 (leaf "
        "13)))",
        "(scale)",
        "(rank (rows 0 (leaf 12)) (scale))"};
    double x[24], y[24], hi[24], lo[24];
    noise_state noise = {12};
    const int64_t n = 12;
    for (int i = 0; i < 24; i++)
        x[i] = oracle_sample(&noise, WEFT_F64);
    oracle_transform(WEFT_F64, false, 1, &n, x, hi, lo);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        char body[640], text[720];
        weft_wisdom_forget();
        snprintf(body, sizeof body,
                 "weft-wisdom 1\n%s | c2c:f64:12/1/1 | 5 "
                 "| 1 | %s\n",
                 weft_isa(), trees[i]);
        seal(text, sizeof text, body);
        weft_status status = weft_wisdom_import(text);
        CHECK(status == WEFT_OK || weft_error_text()[0], "%s: no reason",
              trees[i]);
        weft_plan *plan = plan_of("c2c:f64:12", WEFT_MODEL);
        memset(y, 0xff, sizeof y);
        CHECK(weft_execute(plan, x, y) == WEFT_OK, "%s", weft_error_text());
        oracle_error e = oracle_compare(n, y, hi, lo, 1);
        CHECK(e.l2 <= oracle_bar(WEFT_F64, 1, &n),
              "wisdom %s (%s): error "
              "%.3g",
              trees[i], weft_status_name(status), e.l2);
        weft_plan_release(plan);
    }
    weft_wisdom_forget();
}

/* Wisdom is followed, and only when it may be. */
static void test_followed(void)
{
    char body[640], text[720], free_choice[512], wise[512], unwise[512] = "";
    weft_wisdom_forget();
    text_of("c2c:f64:64", free_choice, sizeof free_choice);
    weft_problem p;
    weft_plan *plan = NULL;
    weft_problem_parse("c2c:f64:64", &p);
    weft_plan_options o = {.size = sizeof o, .rule = "radix2"};
    CHECK(weft_plan_create(&p, &o, &plan) == WEFT_OK, "radix2: %s",
          weft_error_text());
    char other[512] = "";
    if (plan)
        weft_plan_text(plan, other, sizeof other, NULL);
    weft_plan_release(plan);
    snprintf(body, sizeof body,
             "weft-wisdom 1\n%s | c2c:f64:64/1/1 | 5 | 2 | "
             "%s\n",
             weft_isa(), other);
    seal(text, sizeof text, body);
    CHECK(weft_wisdom_import(text) == WEFT_OK, "import: %s",
          weft_error_text());
    text_of("c2c:f64:64", wise, sizeof wise);
    CHECK(!strcmp(wise, other), "wisdom says %s, the plan is %s", other, wise);
    o = (weft_plan_options){.size = sizeof o, .ignore_wisdom = 1};
    plan = NULL;
    weft_plan_create(&p, &o, &plan);
    if (plan)
        weft_plan_text(plan, unwise, sizeof unwise, NULL);
    weft_plan_release(plan);
    CHECK(!strcmp(unwise, free_choice), "ignore_wisdom gives %s, not %s",
          unwise, free_choice);
    o = (weft_plan_options){.size = sizeof o, .wisdom_only = 1};
    weft_status status = weft_plan_create(&p, &o, &plan);
    CHECK(status == WEFT_OK, "wisdom_only with wisdom: %s", weft_error_text());
    weft_plan_release(plan);
    o.effort = WEFT_MEASURE;
    o.time_limit = 2; /* what it was found with */
    status = weft_plan_create(&p, &o, &plan);
    CHECK(status == WEFT_OK, "wisdom of the limit: %s", weft_error_text());
    weft_plan_release(plan);
    o.time_limit = 3;
    status = weft_plan_create(&p, &o, &plan);
    CHECK(status == WEFT_ERR_UNSUPPORTED, "wisdom of a lesser limit: %s",
          weft_status_name(status));
    o = (weft_plan_options){.size = sizeof o, .wisdom_only = 1};
    status = weft_plan_create(&p, &o, &plan);
    weft_plan_release(plan);
    weft_wisdom_forget();
    status = weft_plan_create(&p, &o, &plan);
    CHECK(status == WEFT_ERR_UNSUPPORTED && !plan &&
              strstr(weft_error_text(), "wisdom_only"),
          "wisdom_only without wisdom: %s", weft_error_text());
    o.ignore_wisdom = 1;
    CHECK(weft_plan_create(&p, &o, &plan) == WEFT_ERR_ARGUMENT,
          "wisdom_only and ignore_wisdom: %s", weft_error_text());
    text_of("c2c:f64:64", wise, sizeof wise);
    CHECK(!strcmp(wise, free_choice), "forgotten wisdom is followed: %s",
          wise);
}

int main(void)
{
    test_round_trip();
    test_damage();
    test_strange();
    test_false();
    test_followed();
    weft_wisdom_forget();
    return check_report("wisdom_test");
}
