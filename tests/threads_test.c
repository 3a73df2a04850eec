/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads_test.c - every function from any thread at any time: planning,
 * executing one plan at once, the cache and its clearing, wisdom, the host's
 * executor, forking.  Made for ThreadSanitizer; without it, results still
 * must be bit-identical to those of one thread.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "oracle.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#endif

enum { THREADS = 6, ROUNDS = 40, LARGEST = 8192, SHARED = 5 };

static const char *const problems[SHARED] = {"c2c:f64:4096", "c2c:f64:1009",
                                             "c2c:f64:60x64:threads=2",
                                             "c2c:f64:100*40:threads=3",
                                             "c2c:f64:1024:scrambled"};
static weft_plan *plans[SHARED];
static double input[2 * LARGEST], expected[SHARED][2 * LARGEST];
static int64_t counts[SHARED];

/* CHECK is for one thread: the others count here. */
static atomic_int wrong_status, wrong_bits, wrong_text;

static weft_plan *plan_of(const char *problem)
{
    weft_problem p;
    weft_plan *plan = NULL;
    weft_status status = weft_problem_parse(problem, &p);
    if (status == WEFT_OK)
        status = weft_plan_create(&p, NULL, &plan);
    if (status != WEFT_OK)
        atomic_fetch_add(&wrong_status, 1);
    return plan;
}

static void prepare(void)
{
    noise_state noise = {99};
    for (int i = 0; i < 2 * LARGEST; i++)
        input[i] = oracle_sample(&noise, WEFT_F64);
    for (int i = 0; i < SHARED; i++) {
        weft_problem p;
        weft_extent e = {0};
        weft_problem_parse(problems[i], &p);
        weft_problem_extent(&p, &e);
        counts[i] = e.count;
        plans[i] = plan_of(problems[i]);
        CHECK(plans[i] && e.count <= LARGEST, "%s: %s", problems[i],
              weft_error_text());
        weft_execute(plans[i], input, expected[i]);
    }
}

static void expect(int i, const double *out)
{
    if (memcmp(out, expected[i], (size_t)counts[i] * 2 * sizeof *out))
        atomic_fetch_add(&wrong_bits, 1);
}

static void verdict(const char *what)
{
    CHECK(atomic_load(&wrong_status) == 0, "%s: %d calls failed", what,
          atomic_load(&wrong_status));
    CHECK(atomic_load(&wrong_bits) == 0, "%s: %d results with other bits",
          what, atomic_load(&wrong_bits));
    CHECK(atomic_load(&wrong_text) == 0,
          "%s: %d error texts of other "
          "threads",
          what, atomic_load(&wrong_text));
    atomic_store(&wrong_status, 0);
    atomic_store(&wrong_bits, 0);
    atomic_store(&wrong_text, 0);
}

/* ---- What the threads do ------------------------------------------------ */

static void *execute_shared(void *context)
{
    int start = *(int *)context;
    double *out = malloc(2 * LARGEST * sizeof *out);
    for (int round = 0; round < ROUNDS; round++) {
        int i = (start + round) % SHARED;
        weft_plan *plan = weft_plan_retain(plans[i]);
        if (weft_execute(plan, input, out) != WEFT_OK)
            atomic_fetch_add(&wrong_status, 1);
        expect(i, out);
        weft_plan_release(plan);
    }
    free(out);
    return NULL;
}

static void *plan_and_execute(void *context)
{
    int start = *(int *)context;
    double *out = malloc(2 * LARGEST * sizeof *out);
    for (int round = 0; round < ROUNDS / 4; round++) {
        int i = (start + round) % SHARED;
        weft_plan *plan = plan_of(problems[i]);
        if (!plan || weft_execute(plan, input, out) != WEFT_OK)
            atomic_fetch_add(&wrong_status, 1);
        expect(i, out);
        weft_plan_release(plan);
    }
    free(out);
    return NULL;
}

/* An impulse has a flat spectrum: exact for powers of two, else nearly. */
static void *use_cache(void *context)
{
    int start = *(int *)context;
    double x[2 * 90] = {1}, y[2 * 90];
    for (int round = 0; round < ROUNDS * 3; round++) {
        int64_t n = 1 + (start * 17 + round) % 90;
        if (weft_fft(WEFT_F64, n, x, y) != WEFT_OK)
            atomic_fetch_add(&wrong_status, 1);
        if (y[2 * n - 2] < 0.999999 || y[2 * n - 2] > 1.000001)
            atomic_fetch_add(&wrong_bits, 1);
        if (round % 37 == 0)
            weft_cache_clear();
    }
    return NULL;
}

static void *use_wisdom(void *context)
{
    (void)context;
    weft_plan_options o = {.size = sizeof o,
                           .effort = WEFT_MEASURE,
                           .time_limit = 0.001};
    for (int round = 0; round < 4; round++) {
        weft_problem p = weft_problem_1d(WEFT_F32, 30 + round, WEFT_FORWARD);
        weft_plan *plan = NULL;
        char *text = NULL;
        if (weft_plan_create(&p, &o, &plan) != WEFT_OK ||
            weft_wisdom_export(&text) != WEFT_OK ||
            weft_wisdom_import(text) != WEFT_OK)
            atomic_fetch_add(&wrong_status, 1);
        weft_free(text);
        weft_plan_release(plan);
        if (round == 2)
            weft_wisdom_forget();
    }
    return NULL;
}

/* The reason is the thread's own. */
static void *make_errors(void *context)
{
    int me = *(int *)context;
    char number[32];
    snprintf(number, sizeof number, "-%d", 1000 + me);
    for (int round = 0; round < ROUNDS * 5; round++) {
        weft_problem p = weft_problem_1d(WEFT_F64, -1000 - me, WEFT_FORWARD);
        if (weft_problem_check(&p) != WEFT_ERR_ARGUMENT ||
            !strstr(weft_error_text(), number))
            atomic_fetch_add(&wrong_text, 1);
    }
    return NULL;
}

static void together(const char *what, void *(*const *work)(void *))
{
    pthread_t thread[THREADS];
    int number[THREADS];
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, work[i], &number[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    verdict(what);
}

/* ---- Plans released elsewhere ------------------------------------------- */

static void *release(void *plan)
{
    double *out = malloc(2 * LARGEST * sizeof *out);
    if (weft_execute(plan, input, out) != WEFT_OK)
        atomic_fetch_add(&wrong_status, 1);
    weft_plan_release(plan);
    free(out);
    return NULL;
}

static void test_release_elsewhere(void)
{
    pthread_t thread[4];
    weft_plan *plan = plan_of("c2c:f64:2000");
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, release, weft_plan_retain(plan));
    weft_plan_release(plan);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    verdict("released elsewhere");
}

/* ---- Pool and executor -------------------------------------------------- */

static void test_pool(void)
{
    static double one[2 * LARGEST], many[2 * LARGEST];
    static const char *const shapes[] = {"c2c:f64:8192",   "c2c:f64:64x128",
                                         "c2c:f64:128*64", "c2c:f64:17x19x23",
                                         "c2c:f64:4096*2", "c2c:f64:7919"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char problem[64];
        weft_plan *plan = plan_of(shapes[i]);
        memset(one, 0, sizeof one);
        weft_execute(plan, input, one);
        weft_plan_release(plan);
        for (int threads = 2; threads <= 8; threads++) {
            snprintf(problem, sizeof problem, "%s:threads=%d", shapes[i],
                     threads);
            plan = plan_of(problem);
            memset(many, 0, sizeof many);
            CHECK(weft_execute(plan, input, many) == WEFT_OK, "%s: %s",
                  problem, weft_error_text());
            CHECK(!memcmp(one, many, sizeof one),
                  "%s: other bits than one "
                  "thread",
                  problem);
            weft_plan_release(plan);
            if (threads == 5)
                weft_threads_shutdown();
        }
    }
    verdict("own pool");
}

static atomic_int executor_calls, executor_jobs;
static int executor_context;

/* Backwards, in the caller's thread. */
static void backwards(void *context, int threads, size_t count,
                      void (*job)(void *, size_t), void *job_context)
{
    atomic_fetch_add(&executor_calls,
                     context == &executor_context && threads >= 1);
    for (size_t i = count; i-- > 0;) {
        atomic_fetch_add(&executor_jobs, 1);
        job(job_context, i);
    }
}

static void test_executor(void)
{
    static double out[2 * LARGEST];
    weft_set_executor(backwards, &executor_context);
    for (int i = 0; i < SHARED; i++) {
        memset(out, 0, sizeof out);
        CHECK(weft_execute(plans[i], input, out) == WEFT_OK, "%s",
              weft_error_text());
        expect(i, out);
    }
    weft_plan *plan = plan_of("c2c:f64:64*128:threads=4");
    CHECK(weft_execute(plan, input, out) == WEFT_OK, "%s", weft_error_text());
    weft_plan_release(plan);
    verdict("the host's executor");
    CHECK(atomic_load(&executor_calls) > 0 && atomic_load(&executor_jobs) > 1,
          "the executor was called %d times for %d jobs",
          atomic_load(&executor_calls), atomic_load(&executor_jobs));
    weft_set_executor(NULL, NULL);
    int before = atomic_load(&executor_calls);
    weft_execute(plans[3], input, out);
    CHECK(atomic_load(&executor_calls) == before, "the executor is called "
                                                  "after it was taken back");
}

/* ---- Fork --------------------------------------------------------------- */

#ifndef UNDER_TSAN /* which ends a child that starts threads */
static atomic_bool is_busy, stop_it;

/* Executes without a pause, and allocates nothing: a sanitizer's allocator
 * (not the C library's) would leave its locks held to a child. */
static void *keep_executing(void *unused)
{
    static double out[2 * LARGEST];
    (void)unused;
    for (int round = 0; !atomic_load(&stop_it); round++) {
        int i = round % SHARED;
        if (weft_execute(plans[i], input, out) != WEFT_OK)
            atomic_fetch_add(&wrong_status, 1);
        expect(i, out);
        if (i == SHARED - 1)
            atomic_store(&is_busy, true);
    }
    return NULL;
}
#endif

static void test_fork(void)
{
#ifndef UNDER_TSAN
    static double out[2 * LARGEST];
    pthread_t busy;
    if (check_emulated("fork"))
        return;
    pthread_create(&busy, NULL, keep_executing, NULL);
    while (!atomic_load(&is_busy))
        sched_yield();
    for (int round = 0; round < 5; round++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            for (int i = 0; i < SHARED; i++) {
                weft_plan *plan = plan_of(problems[i]);
                weft_execute(plan, input, out);
                expect(i, out);
                weft_plan_release(plan);
            }
            weft_fft(WEFT_F64, 16, input, out);
            _exit(atomic_load(&wrong_bits) || atomic_load(&wrong_status));
        }
        int status = -1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child &&
                  WIFEXITED(status) && WEXITSTATUS(status) == 0,
              "a forked child ended with %x", (unsigned)status);
    }
    atomic_store(&stop_it, true);
    pthread_join(busy, NULL);
    verdict("fork");
#endif
}

int main(void)
{
    static void *(*const executing[THREADS])(
        void *) = {execute_shared, execute_shared, execute_shared,
                   execute_shared, execute_shared, execute_shared};
    static void *(*const planning[THREADS])(
        void *) = {plan_and_execute, plan_and_execute, plan_and_execute,
                   execute_shared,   plan_and_execute, make_errors};
    static void *(*const all[THREADS])(
        void *) = {use_cache,  use_cache,        use_wisdom,
                   use_wisdom, plan_and_execute, make_errors};
    prepare();
    together("executing", executing);
    together("planning", planning);
    together("everything", all);
    test_release_elsewhere();
    test_pool();
    test_executor();
    test_fork();
    for (int i = 0; i < SHARED; i++)
        weft_plan_release(plans[i]);
    weft_cache_clear();
    weft_wisdom_forget();
    weft_threads_shutdown();
    return check_report("threads_test");
}
