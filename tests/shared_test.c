/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared_test.c - one transform by several threads has the bits that one thread
 * gives it, and writes nothing else: every way in which passes are shared, in
 * place, split, both ways, and real kinds; on weft's own threads and on an
 * executor that runs all parts in turn, in any order.
 */
#include "check.h"
#include "cpu/cpu.h"
#include "cpu/node.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

/* Watched by a sanitizer, which takes minutes, each case is of one type, in
 * turns, and by two counts of threads, and less is looked at around the output:
 * what threads share does not depend on the type. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { IN_TURNS = 1 };
#else
enum { IN_TURNS = 0 };
#endif

enum { LONGEST = 1 << 17, GUARD = 64, TEXT = 300 };

extern double guard_shared_from; /* isa_guard.c: what the library comes with */

/* ---- Trees ---------------------------------------------------------------- */

/* With %d: a width, once or twice; trees that a width does not fit are not made.  Or a kind, by
 * its default plan.  n numbers; `beside` has as many columns of them as its own
 * length leaves. */
static const struct sample {
    int n;
    const char *tree;
    int rows; /* of n numbers and room for two, one after the other; 0: one */
} samples[] = {
    /* columns dealt out (not on a Zen 4), by rows, by columns */
    {32768, "(rank (rows 0 (stockham 32768 w%d 16.16.16.8)))", 0},
    {65536, "(rank (rows 0 (stockham 65536 w%d 16.16.16.16)))", 0},
    {65536, "(rank (rows 0 (stockham 65536 w%d 8.8.8.8.16)))", 0},
    /* pairs: the first, one between, the last */
    {65536, "(rank (rows 0 (stockham 65536 w%d 16+16.16.16)))", 0},
    {65536, "(rank (rows 0 (stockham 65536 w%d 16.16+16.16)))", 0},
    {65536, "(rank (rows 0 (stockham 65536 w%d 16.16.16+16)))", 0},
    {65536, "(rank (rows 0 (stockham 65536 w%d 16+16.16+16)))", 0},
    /* planes, with lanes left over */
    {44100, "(rank (rows 0 (stockham 44100 w%d 15.14.14.15)))", 0},
    {78125, "(rank (rows 0 (stockham 78125 w%d 5.5.5.5.5.5.5)))", 0},
    {84375, "(rank (rows 0 (stockham 84375 w%d 15.15.15.5.5)))", 0},
    {65520, "(rank (rows 0 (stockham 65520 w%d 14.13.15.12.2)))", 0},
    /* by groups, the last pass by blocks, of which the last overlaps */
    {44100, "(rank (rows 0 (interleaved 44100 w%d 15.14.14.15)))", 0},
    {45045, "(rank (rows 0 (interleaved 45045 w%d 11.3.7.13.15)))", 0},
    /* by groups of five columns, then of rows of them */
    {45000, "(rank (cols 0 (beside 9000 w%d 15.24.25)))", 0},
    /* below other steps */
    {65537, "(rank (rows 0 (rader 65537 (stockham 65536 w%d 16.16.16.16))))",
     0},
    {40009,
     "(rank (rows 0 (bluestein 40009 m81920 "
     "(stockham 40960 w%d 16.16.16.10))))",
     0},
    {40009,
     "(rank (rows 0 (bluestein 40009 m81920 (fourstep 40960 160x256 "
     "(column 160 w%d 16.10) (column 256 w%d 16.16)))))",
     0},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static weft_plan *plan_of(const struct sample *s, int width, weft_type type,
                          const char *options, int threads)
{
    char problem[TEXT], tree[TEXT];
    const bool kind = s->tree[0] != '(';
    const char *beside = strstr(s->tree, "beside ");
    const int n = beside == NULL ? s->n : atoi(beside + 7), c = s->n / n;
    snprintf(tree, sizeof tree, s->tree, width, width);
    snprintf(problem, sizeof problem, "%s:%s:%d/%d/%d*%d/1/1%s:threads=%d",
             kind ? s->tree : "c2c", type == WEFT_F64 ? "f64" : "f32", n, c, c,
             c, options, threads);
    if (s->rows > 0)
        snprintf(problem, sizeof problem, "%s:%s:%d*%d%s:threads=%d", s->tree,
                 type == WEFT_F64 ? "f64" : "f32", s->n, s->rows, options,
                 threads);
    weft_problem p;
    weft_plan *plan = NULL;
    weft_plan_options o = {.size = sizeof o, .tree = tree};
    if (CHECK(weft_problem_parse(problem, &p) == WEFT_OK, "%s: %s", problem,
              weft_error_text()))
        weft_plan_create(&p, kind ? NULL : &o, &plan);
    return plan;
}

/* ---- Execution ------------------------------------------------------------ */

static int executor_calls;

/* One after the other, the first `from` of them last. */
static void in_turn(void *from, int threads, size_t count,
                    void (*job)(void *, size_t), void *context)
{
    (void)threads;
    executor_calls++;
    for (size_t i = 0; i < count; i++)
        job(context, (i + (size_t)(*(int *)from)) % count);
}

static double input[2 * LONGEST];
static char made[2][2 * (LONGEST + GUARD) * sizeof(double)];

static size_t real_of(weft_type type)
{
    return type == WEFT_F64 ? sizeof(double) : sizeof(float);
}

/* The bytes that execute fills: all, or n numbers between two guards. */
static size_t extent(const struct sample *s, weft_type type)
{
    const size_t n = s->rows > 0 ? (size_t)(s->rows * (s->n + 2))
                                 : (size_t)s->n;
    return IN_TURNS ? 2 * (n + GUARD) * real_of(type) : sizeof made[0];
}

/* What the plan leaves in memory, from real number GUARD on. */
static void execute(const weft_plan *plan, const struct sample *s,
                    weft_type type, const char *options, char *memory)
{
    const bool in_place = strstr(options, "inplace") != NULL;
    char *out = memory + GUARD * real_of(type);
    const size_t bytes = 2 * (size_t)s->n * real_of(type);
    memset(memory, 0x5a, extent(s, type));
    if (in_place)
        memcpy(out, input, bytes);
    weft_status status =
        strstr(options, "split") != NULL
            ? weft_execute_split(plan, input, (char *)input + bytes / 2, out,
                                 out + bytes / 2)
            : weft_execute(plan, in_place ? (void *)out : input, out);
    CHECK(status == WEFT_OK, "%s", weft_error_text());
}

/* By each of these numbers of threads as by one; the count that shared. */
static int compare(const struct sample *s, int width, weft_type type,
                   const char *options, const int *threads)
{
    weft_plan *one = plan_of(s, width, type, options, 1);
    if (one != NULL)
        execute(one, s, type, options, made[0]);
    int shared = 0;
    for (; *threads != 0; threads++) {
        weft_plan *many = plan_of(s, width, type, options, *threads);
        CHECK((one != NULL) == (many != NULL), "%s: %s", s->tree,
              weft_error_text());
        if (one != NULL && many != NULL) {
            execute(many, s, type, options, made[1]);
            CHECK(memcmp(made[0], made[1], extent(s, type)) == 0,
                  "%s %d w%d %s %s: %d threads: other bits", s->tree, s->n,
                  width, type == WEFT_F64 ? "f64" : "f32", options, *threads);
            int from = *threads / 2;
            executor_calls = 0;
            weft_set_executor(in_turn, &from);
            execute(many, s, type, options, made[1]);
            weft_set_executor(NULL, NULL);
            shared += executor_calls > 0;
            CHECK(memcmp(made[0], made[1], extent(s, type)) == 0,
                  "%s %d w%d %s %s: %d parts in turn: other bits", s->tree,
                  s->n, width, type == WEFT_F64 ? "f64" : "f32", options,
                  *threads);
        }
        weft_plan_release(many);
    }
    weft_plan_release(one);
    return shared;
}

static void test_sample(const struct sample *s, weft_type type)
{
    static const char *const options[] = {"", ":inverse:inplace:norm=0.75",
                                          ":split", ":inverse:split"};
    static const int all[] = {2, 3, 4, 6, 8, 0}, two[] = {2, 7, 0};
    const int *threads = IN_TURNS ? two : all;
    int shared = 0;
    if ((strstr(s->tree, "interleaved") != NULL ||
         strstr(s->tree, "beside") != NULL) &&
        wf_cpu_isa() != WF_ISA_AVX2 && wf_cpu_isa() != WF_ISA_AVX512) {
        printf("shared: %s: only with AVX2 and AVX-512\n", s->tree);
        return;
    }
    for (const int *width = wf_cpu_widths(type); *width != 0; width++)
        for (int o = 0; o < 4; o++)
            shared += compare(s, *width, type, options[o], threads);
    CHECK(shared > 0, "%s: by no width, or never shared", s->tree);
}

static const char *const kinds[] = {"r2c",     "c2r",     "redft10", "redft01",
                                    "rodft10", "rodft01", "r2hc",    "hc2r",
                                    "dht",     "redft11"};

/* Short rows go several at a time, by leaves whose bits depend on how many. */
static void test_rows(weft_type type)
{
    static const int lengths[] = {48, 60, 100, 105, 150};
    static const int threads[] = {2, 3, 5, 0};
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 5; i++) {
            const struct sample s = {lengths[i], kinds[k], 37};
            compare(&s, 0, type, "", threads);
            compare(&s, 0, type, ":inplace:norm=0.75", threads);
        }
}

/* The passes beside the complex transform are shared, too. */
static void test_kinds(weft_type type)
{
    static const int lengths[] = {1 << 16, 88200, 78750, 97 * 157};
    static const int threads[] = {2, 5, 0};
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < 4; i++) {
            const struct sample s = {lengths[i], kinds[k], 0};
            if (IN_TURNS && (k + i) % 2 != (type == WEFT_F32))
                continue;
            CHECK(compare(&s, 0, type, "", threads) == 2, "%s %d: not shared",
                  s.tree, s.n);
            compare(&s, 0, type, ":inplace:norm=0.75", threads);
        }
}

/* The plans that users get; short ones are not worth a second thread. */
static void test_choice(void)
{
    static const struct choice {
        const char *problem;
        bool shared;
    } choices[] = {
        {"c2c:f64:65536", true},       {"c2c:f64:131072", true},
        {"c2c:f64:60000", true},       {"c2c:f64:1024", false},
        {"c2c:f64:16*1000", true},     {"c2c:f64:16*100", false},
        {"redft10:f64:30*3000", true}, {"dht:f64:5*300", false},
        {"r2c:f64:100x100", true},     {"r2c:f32:7/1/9*9/7/1", false},
    };
    wf_cpu_shared_from = guard_shared_from;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        char problem[TEXT];
        const struct choice *c = &choices[i];
        snprintf(problem, sizeof problem, "%s:threads=2", c->problem);
        weft_problem p;
        weft_plan *plan = NULL;
        weft_problem_parse(problem, &p);
        CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK, "%s: %s", problem,
              weft_error_text());
        int from = 0;
        executor_calls = 0;
        weft_set_executor(in_turn, &from);
        weft_execute(plan, input, made[0]);
        weft_set_executor(NULL, NULL);
        CHECK((executor_calls > 0) == c->shared, "%s: %d tasks for threads",
              problem, executor_calls);
        weft_plan_release(plan);
    }
    wf_cpu_shared_from = 0;
}

int main(void)
{
    noise_state noise = {5};
    for (int i = 0; i < 2 * LONGEST; i++)
        input[i] = noise_real(&noise);
    if (IN_TURNS)
        printf("shared: each case of one type, by 2 and 7 threads, for the "
               "sanitizer\n");
    for (int i = 0; i < SAMPLES; i += 1 + IN_TURNS)
        test_sample(&samples[i], WEFT_F64);
    test_kinds(WEFT_F64);
    test_rows(WEFT_F64);
    float *singles = (float *)input;
    for (int i = 0; i < 4 * LONGEST; i++)
        singles[i] = (float)noise_real(&noise);
    for (int i = IN_TURNS; i < SAMPLES; i += 1 + IN_TURNS)
        test_sample(&samples[i], WEFT_F32);
    test_kinds(WEFT_F32);
    test_rows(WEFT_F32);
    test_choice();
    weft_threads_shutdown();
    return check_report("shared");
}
