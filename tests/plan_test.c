/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_test.c - the planner's choices as text, and what holds for any plan.
 *
 *     plan_test [--update] [FILE]
 *
 * FILE (plans.txt beside this source unless another is named) holds a line
 * for each problem: the problem, a tab, the tree.  The cost model is
 * deterministic for an instruction set, so the expectation is one level's:
 * without WEFT_ISA the program starts itself again with avx2, and on a CPU or
 * with a WEFT_ISA that has another level the comparison is left out.
 * --update writes the file anew, to be read before it is committed.
 *
 * For any plan: the same text when planned again, at once and after other
 * plans; radices and splits multiply to the length; planning is quick.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "oracle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const problems[] = {
    "c2c:f64:1", "c2c:f64:2", "c2c:f64:3", "c2c:f64:4", "c2c:f64:5",
    "c2c:f64:7", "c2c:f64:8", "c2c:f64:12", "c2c:f64:13", "c2c:f64:16",
    "c2c:f64:17", "c2c:f64:31", "c2c:f64:32", "c2c:f64:37", "c2c:f64:60",
    "c2c:f64:64", "c2c:f64:100", "c2c:f64:128", "c2c:f64:256",
    "c2c:f64:512", "c2c:f64:1000", "c2c:f64:1001", "c2c:f64:1009",
    "c2c:f64:1024", "c2c:f64:2048", "c2c:f64:4096", "c2c:f64:4099",
    "c2c:f64:6144", "c2c:f64:8192", "c2c:f64:10007", "c2c:f64:16384",
    "c2c:f64:30030", "c2c:f64:32768", "c2c:f64:44100", "c2c:f64:65536",
    "c2c:f64:65537", "c2c:f64:131072", "c2c:f64:262144", "c2c:f64:524288",
    "c2c:f64:1048576", "c2c:f32:16", "c2c:f32:64", "c2c:f32:256",
    "c2c:f32:1000", "c2c:f32:1009", "c2c:f32:1024", "c2c:f32:4096",
    "c2c:f32:44100", "c2c:f32:65536", "c2c:f32:1048576",
    "c2c:f64:1024:inverse", "c2c:f64:1024:inplace", "c2c:f64:1024:split",
    "c2c:f64:1024:scrambled", "c2c:f64:65536:scrambled",
    "c2c:f64:1024:norm=ortho", "c2c:f64:8*1000", "c2c:f64:64*4096",
    "c2c:f64:64*4096:threads=2", "c2c:f64:64/4096/4096*4096/1/1",
    "c2c:f64:512x512", "c2c:f64:512x512:inplace", "c2c:f64:64x64x64",
    "c2c:f64:97x101", "c2c:f64:1024/2/3", "c2c:f64:64/1/64x64/64/1:inplace",
    "c2c:f64:-*100", "c2c:f64:8*0"};

enum { PROBLEMS = sizeof problems / sizeof *problems, LONGEST = 2048 };

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool plan_text(const char *problem, char *text)
{
    weft_problem p;
    weft_plan *plan = NULL;
    size_t length = LONGEST;
    weft_plan_options o = {.size = sizeof o, .ignore_wisdom = 1};
    weft_status status = weft_problem_parse(problem, &p);
    if (status == WEFT_OK)
        status = weft_plan_create(&p, &o, &plan);
    if (!CHECK(status == WEFT_OK, "%s: %s", problem, weft_error_text()))
        return false;
    weft_plan_text(plan, text, LONGEST, &length);
    CHECK(length > 0 && length < LONGEST, "%s: a text of %zu", problem,
          length);
    weft_plan_release(plan);
    return length < LONGEST;
}

/* ---- For any plan ------------------------------------------------------- */

/* "(stockham 1024 w8 16+8.8": n, and the product of what follows.  Splits
 * "32x32" multiply to n likewise.  Prints what does not. */
static void check_products(const char *problem, const char *text)
{
    for (const char *at = text; (at = strchr(at, '(')) != NULL; at++) {
        char name[32] = "";
        long long n = 0, product = 1, value;
        int used = 0;
        if (sscanf(at, "(%31[a-z0-9] %lld%n", name, &n, &used) < 2)
            continue;
        bool split = strchr(" )", at[used]) && at[used] == ' '
                     && isdigit((unsigned char)at[used + 1]);
        bool passes = !strcmp(name, "stockham") || !strcmp(name, "column");
        if (!split && !passes)
            continue;
        const char *list = at + used + 1;
        if (passes) {
            list = strchr(list, ' ');
            if (!CHECK(list, "%s: %s names no radices", problem, text))
                return;
            list++;
        }
        for (; isdigit((unsigned char)*list); list += strchr("x.+", *list)
                                                      && *list != '\0') {
            char *end;
            value = strtoll(list, &end, 10);
            product *= value;
            list = end;
        }
        CHECK(product == n, "%s: %s: the parts of %s %lld multiply to %lld",
              problem, text, name, n, product);
    }
}

static void test_any(char texts[][LONGEST])
{
    char again[LONGEST];
    for (int i = 0; i < PROBLEMS; i++) {
        if (!texts[i][0])
            continue;
        check_products(problems[i], texts[i]);
        if (plan_text(problems[i], again))
            CHECK(!strcmp(texts[i], again), "%s: planned again %s, before "
                  "%s", problems[i], again, texts[i]);
    }
    for (int i = PROBLEMS - 1; i >= 0; i--)
        if (texts[i][0] && plan_text(problems[i], again))
            CHECK(!strcmp(texts[i], again), "%s: after others %s, before %s",
                  problems[i], again, texts[i]);
}

/* Rules asked for by name make the root. */
static void test_rules(void)
{
    static const char *const rules[][3] = {
        {"c2c:f64:16", "leaf", "leaf"},
        {"c2c:f64:1024", "stockham", "stockham"},
        {"c2c:f64:1024", "radix2", "2.2.2.2.2.2.2.2.2.2"},
        {"c2c:f64:4096", "twostep", "twostep"},
        {"c2c:f64:4096", "fourstep", "fourstep"},
        {"c2c:f64:4096", "sixstep", "sixstep"},
        {"c2c:f64:1001", "good", "good"},
        {"c2c:f64:1009", "rader", "rader"},
        {"c2c:f64:1009", "bluestein", "bluestein"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        weft_problem p;
        weft_plan *plan = NULL;
        char text[LONGEST] = "";
        weft_plan_options o = {.size = sizeof o, .rule = rules[i][1]};
        weft_problem_parse(rules[i][0], &p);
        weft_status status = weft_plan_create(&p, &o, &plan);
        CHECK(status == WEFT_OK, "%s by %s: %s", rules[i][0], rules[i][1],
              weft_error_text());
        if (plan)
            weft_plan_text(plan, text, sizeof text, NULL);
        CHECK(strstr(text, rules[i][2]), "%s by %s is %s", rules[i][0],
              rules[i][1], text);
        weft_plan_release(plan);
    }
}

/* Far above what planning takes (docs say about a millisecond to 2^20), so
 * that a slow or sanitized run passes; a search gone exponential does not. */
static void test_quick(void)
{
    static const char *const slow[] = {
        "c2c:f64:1048576", "c2c:f64:720720", "c2c:f64:999983",
        "c2c:f32:65537x3", "c2c:f64:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        char text[LONGEST];
        double start = seconds_now();
        plan_text(slow[i], text);
        double taken = seconds_now() - start;
        CHECK(taken < 10, "%s: planned in %.2f s", slow[i], taken);
    }
}

/* ---- The expectation ---------------------------------------------------- */

static void write_plans(const char *path, char texts[][LONGEST])
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL, "%s cannot be written", path))
        return;
    for (int i = 0; i < PROBLEMS; i++)
        fprintf(file, "%s\t%s\n", problems[i], texts[i]);
    fclose(file);
    printf("plan_test: wrote %s\n", path);
}

static void compare_plans(const char *path, char texts[][LONGEST])
{
    static char line[LONGEST + 256];
    FILE *file = fopen(path, "r");
    int i = 0;
    if (!CHECK(file != NULL, "%s cannot be read (--update makes it)", path))
        return;
    for (; fgets(line, sizeof line, file); i++) {
        line[strcspn(line, "\n")] = '\0';
        char *tree = strchr(line, '\t');
        if (!CHECK(tree && i < PROBLEMS, "%s:%d: \"%s\"", path, i + 1, line))
            break;
        *tree++ = '\0';
        CHECK(!strcmp(line, problems[i]), "%s:%d: %s, not %s", path, i + 1,
              line, problems[i]);
        CHECK(!strcmp(tree, texts[i]), "%s: the plan is %s, expected %s",
              problems[i], texts[i], tree);
    }
    CHECK(i == PROBLEMS, "%s: %d problems, not %d", path, i, (int)PROBLEMS);
    fclose(file);
}

/* The library may have looked at WEFT_ISA before main. */
static void choose_level(char **argv)
{
#if defined(__x86_64__)
    if (!getenv("WEFT_ISA") && !setenv("WEFT_ISA", "avx2", 1))
        execv("/proc/self/exe", argv);
#else
    (void)argv;
#endif
}

static const char *plans_beside_source(void)
{
    static char path[4096];
    const char *slash = strrchr(__FILE__, '/');
    int folder = slash ? (int)(slash + 1 - __FILE__) : 0;
    snprintf(path, sizeof path, "%.*splans.txt", folder, __FILE__);
    return path;
}

int main(int argc, char **argv)
{
    static char texts[PROBLEMS][LONGEST];
    const char *path = plans_beside_source();
    bool update = false;
    choose_level(argv);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--update"))
            update = true;
        else
            path = argv[i];
    }
    for (int i = 0; i < PROBLEMS; i++)
        if (!plan_text(problems[i], texts[i]))
            texts[i][0] = '\0';
    if (!strcmp(weft_isa(), "avx2")) {
        if (update)
            write_plans(path, texts);
        else
            compare_plans(path, texts);
    } else {
        printf("plan_test: %s: plans are compared on avx2 only\n",
               weft_isa());
    }
    test_any(texts);
    test_rules();
    test_quick();
    return check_report("plan_test");
}
