/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base_test.c - the ground floor: allocation and its failures, text, checked
 * sizes, CPU mask, and the parallel for under everything that could upset it.
 */
#define _GNU_SOURCE
#include "base/base.h"

#include "check.h"
#include "random.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- sizes, status, text ------------------------------------------------ */

static void test_sizes(void)
{
    size_t s = 7;
    int64_t i = 7;
    CHECK(!wf_mul_size(SIZE_MAX / 2, 3, &s) && s == 7, "overflow");
    CHECK(wf_mul_size(SIZE_MAX, 1, &s) && s == SIZE_MAX, "SIZE_MAX");
    CHECK(wf_mul_size(SIZE_MAX, 0, &s) && s == 0, "zero");
    CHECK(!wf_add_size(SIZE_MAX, 1, &s) && s == 0, "overflow");
    CHECK(wf_add_size(SIZE_MAX - 1, 1, &s) && s == SIZE_MAX, "SIZE_MAX");
    CHECK(!wf_mul_i64(INT64_MIN, -1, &i) && i == 7, "overflow");
    CHECK(wf_mul_i64(-3, 5, &i) && i == -15, "product");
    CHECK(!wf_add_i64(INT64_MIN, -1, &i) && i == -15, "overflow");
    CHECK(wf_add_i64(INT64_MIN, INT64_MAX, &i) && i == -1, "sum");
}

static void test_status(void)
{
    weft_status status = wf_fail(WEFT_ERR_ARGUMENT, "rank %d", 3);
    CHECK(status == WEFT_ERR_ARGUMENT, "%d", (int)status);
    CHECK(!strcmp(wf_error_text(), "rank 3"), "%s", wf_error_text());
    char longer[2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    wf_fail(WEFT_ERR_PARSE, "%s", longer);
    CHECK(strlen(wf_error_text()) == 511, "truncated");
}

static void test_text(void)
{
    wf_text text = {0};
    char expected[60000], *end = expected;
    for (int i = 0; i < 5000; i++) {
        wf_text_add(&text, "%d,", i);
        end += sprintf(end, "%d,", i);
    }
    wf_text_add(&text, "%s", "");
    CHECK(!text.failed && !strcmp(text.data, expected), "long text");
    char few[4];
    CHECK(wf_text_copy(&text, few, 4) == text.length && !strcmp(few, "0,1"),
          "copy");
    CHECK(wf_text_copy(&text, NULL, 0) == text.length, "length only");
    wf_alloc_fail_after(0);
    for (int i = 0; i < 5000; i++)
        wf_text_add(&text, "more than there is room for, at some point");
    CHECK(text.failed && !text.data, "remembers");
    wf_text_free(&text);
    CHECK(wf_text_copy(&text, few, 4) == 0 && !few[0], "empty");
}

/* ---- memory ------------------------------------------------------------- */

static void test_alloc(void)
{
    int64_t live = wf_alloc_live();
    static const size_t sizes[] = {0,       1,       63,      64,      4096,
                                   65535,   65536,   1000001, 1081280, 1081281,
                                   2097151, 2097152, 2097153, 33333333};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *p = wf_alloc(sizes[i]), *q = wf_calloc(sizes[i], 1);
        CHECK(p && q && (uintptr_t)p % 64 == 0, "%zu bytes", sizes[i]);
        CHECK(sizes[i] < 2097152 || (uintptr_t)p % 2097152 == 0, "huge page");
        memset(p, 255, sizes[i]);
        size_t zeros = 0;
        while (zeros < sizes[i] && !q[zeros])
            zeros++;
        CHECK(zeros == sizes[i], "%zu zeros of %zu", zeros, sizes[i]);
        wf_free(p);
        wf_free(q);
    }
    char *copy = wf_strdup("weft");
    CHECK(!strcmp(copy, "weft"), "copy");
    wf_free(copy);
    wf_free(NULL);
    CHECK(!wf_alloc(SIZE_MAX) && !wf_alloc(SIZE_MAX - 100) &&
              !wf_calloc(SIZE_MAX / 2, 3),
          "too much");
    CHECK(wf_alloc_live() == live, "%d leaked", (int)(wf_alloc_live() - live));
}

/* Blocks that share huge pages, taken and given back in any order by threads
 * that know nothing of each other: each finds in its own what it wrote. */
static void *crowd(void *seed)
{
    enum { BLOCKS = 24 };
    static const size_t least = 65536;
    noise_state noise = {(uintptr_t)seed};
    uint32_t foreign = 0;
    struct {
        uint32_t *at, mark;
        size_t words;
    } block[BLOCKS] = {{0}};
    for (int i = 0; i < 4000; i++) {
        int k = (int)noise_below(&noise, BLOCKS);
        if (block[k].at) {
            for (size_t w = 0; w < block[k].words; w += 500)
                foreign += block[k].at[w] != block[k].mark;
            wf_free(block[k].at);
            block[k].at = NULL;
            continue;
        }
        size_t more = (size_t)noise_below(&noise, 1 << 20);
        block[k].words = (least + more) / sizeof *block[k].at;
        block[k].mark = (uint32_t)noise_bits(&noise);
        block[k].at = wf_alloc(block[k].words * sizeof *block[k].at);
        for (size_t w = 0; block[k].at && w < block[k].words; w += 500)
            block[k].at[w] = block[k].mark;
    }
    for (int k = 0; k < BLOCKS; k++)
        wf_free(block[k].at);
    return (void *)(uintptr_t)foreign;
}

static void test_alloc_shared(void)
{
    enum { THREADS = 4 };
    int64_t live = wf_alloc_live();
    pthread_t thread[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&thread[i], NULL, crowd, (void *)(i + 1)),
              "thread");
    for (int i = 0; i < THREADS; i++) {
        void *foreign;
        pthread_join(thread[i], &foreign);
        CHECK(!foreign, "%u words of others", (unsigned)(uintptr_t)foreign);
    }
    CHECK(wf_alloc_live() == live, "%d leaked", (int)(wf_alloc_live() - live));
}

static void test_alloc_failing(void)
{
    wf_alloc_fail_after(2);
    void *p[5];
    for (int i = 0; i < 5; i++)
        p[i] = wf_alloc(10);
    CHECK(p[0] && p[1] && !p[2] && p[3] && p[4], "the third fails");
    CHECK(wf_alloc_fail_after(-1) == 5, "asked five times");
    for (int i = 0; i < 5; i++)
        wf_free(p[i]);
    wf_alloc_fail_after(3);
    wf_alloc_fail_after(-1);
    for (int i = 0; i < 5; i++)
        wf_free(p[i] = wf_alloc(10));
    CHECK(p[3] != NULL, "turned off");
}

/* ---- CPU ---------------------------------------------------------------- */

/* What this program sees when started with name=value, its "isa" or its "core":
 * plus 100 when the value was ignored.  The look is once a process, so it starts
 * anew. */
static int seen_under(const char *name, const char *value, const char *what)
{
    pid_t child = fork();
    if (child == 0) {
        setenv(name, value, 1);
        execl("/proc/self/exe", "base_test", what, (char *)NULL);
        _exit(99);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

static void test_core(void)
{
    static const char *const cores[] = {"other",         "icelake",
                                        "emeraldrapids", "graniterapids",
                                        "zen4",          "zen5"};
    enum { CORES = sizeof cores / sizeof *cores };
    if (check_emulated("WEFT_CORE"))
        return;
    for (int i = 0; i < CORES; i++) {
        int got = seen_under("WEFT_CORE", cores[i], "core");
        CHECK(got == i, "%s gives %d", cores[i], got);
    }
    int here = seen_under("WEFT_CORE", "", "core");
    int unknown = seen_under("WEFT_CORE", "zen", "core");
    printf("core: %s\n", wf_cpu_core_name());
    CHECK(here < CORES && unknown == here + 100, "none %d, unknown %d", here,
          unknown);
}

static void test_cpu(void)
{
    static const char *const masks[] = {"scalar", "sse2", "avx2", "avx512",
                                        "neon",   "mmx",  ""};
    enum { COUNT_MASKS = 7, NEON = 4 };
    int got[COUNT_MASKS];
    if (check_emulated("masks of the ISA"))
        return;
    for (int i = 0; i < COUNT_MASKS; i++)
        got[i] = seen_under("WEFT_ISA", masks[i], "isa");
    int widest = got[6];
    printf("cpu: %s, isa %d, caches %zu %zu %zu, %d CPUs\n", wf_cpu_name(),
           wf_cpu_isa(), wf_cpu_cache_size(1), wf_cpu_cache_size(2),
           wf_cpu_cache_size(3), wf_cpu_count());
    CHECK(got[0] == 0, "scalar gives %d", got[0]);
    CHECK(got[5] == widest + 100, "an unknown mask gives %d", got[5]);
    for (int i = 1; i <= NEON; i++) {
        bool lower = i == widest || (i < widest && widest != NEON);
        int want = lower ? i : widest + 100;
        CHECK(got[i] == want, "%s gives %d, want %d", masks[i], got[i], want);
    }
    CHECK(wf_cpu_count() >= 1, "%d", wf_cpu_count());
    CHECK(!wf_cpu_has("perpetual motion") && !wf_cpu_cache_size(9), "unknown");
    double t = wf_clock_seconds();
    CHECK(wf_clock_seconds() >= t, "time runs on");
}

/* ---- threads ------------------------------------------------------------ */

#define COUNT 10000
typedef struct marks {
    atomic_int at[COUNT];
} marks;

static void mark(void *context, size_t i)
{
    atomic_fetch_add(&((marks *)context)->at[i], 1);
}

static bool all_are(const marks *m, size_t count, int value)
{
    for (size_t i = 0; i < COUNT; i++)
        if (atomic_load(&m->at[i]) != (i < count ? value : 0))
            return false;
    return true;
}

static void test_counts(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 17, COUNT};
    for (int threads = -1; threads < 10; threads++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            static marks m;
            memset(&m, 0, sizeof m);
            wf_parallel_for(threads, counts[i], mark, &m);
            CHECK(all_are(&m, counts[i], 1), "%d threads, %zu jobs", threads,
                  counts[i]);
        }
}

static void nested_job(void *context, size_t i)
{
    (void)i;
    wf_parallel_for(4, COUNT, mark, context);
}

static void *concurrent_caller(void *context)
{
    for (int i = 0; i < 20; i++)
        wf_parallel_for(3, COUNT, mark, context);
    return NULL;
}

static void test_nested_and_concurrent(void)
{
    static marks nested, shared;
    wf_parallel_for(4, 10, nested_job, &nested);
    CHECK(all_are(&nested, COUNT, 10), "nested");
    pthread_t callers[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&callers[i], NULL, concurrent_caller, &shared);
    for (int i = 0; i < 6; i++)
        pthread_join(callers[i], NULL);
    CHECK(all_are(&shared, COUNT, 120), "concurrent");
    wf_threads_shutdown();
    wf_threads_shutdown();
    wf_parallel_for(4, COUNT, mark, &nested);
    CHECK(all_are(&nested, COUNT, 11), "after shutdown");
}

enum { PARTS = 5, PHASES = 7 };
typedef struct phase_marks {
    size_t parts;
    atomic_int at[PHASES][WF_PHASE_PARTS];
    atomic_int early; /* jobs that began before the phase before was done */
} phase_marks;

static void mark_phase(void *context, int phase, size_t part)
{
    phase_marks *m = context;
    for (size_t i = 0; phase > 0 && i < m->parts; i++)
        if (atomic_load(&m->at[phase - 1][i]) != 1)
            atomic_fetch_add(&m->early, 1);
    if (phase == 2 && part == 1)
        usleep(200); /* the others wait */
    atomic_fetch_add(&m->at[phase][part], 1);
}

static void check_phases(size_t parts)
{
    static phase_marks m;
    memset(&m, 0, sizeof m);
    m.parts = parts;
    wf_parallel_phases(parts, PHASES, mark_phase, &m);
    int wrong = 0;
    for (int i = 0; i < PHASES; i++)
        for (size_t j = 0; j < WF_PHASE_PARTS; j++)
            wrong += atomic_load(&m.at[i][j]) != (j < parts);
    CHECK(wrong == 0, "%zu parts: %d not once", parts, wrong);
    CHECK(atomic_load(&m.early) == 0, "%zu parts: %d early", parts,
          atomic_load(&m.early));
}

static void phases_job(void *context, size_t i)
{
    phase_marks *m = (phase_marks *)context + i;
    m->parts = 3;
    wf_parallel_phases(3, PHASES, mark_phase, m);
}

static void test_phases(void)
{
    for (int i = 0; i < 20; i++)
        for (size_t parts = 1; parts <= PARTS; parts++)
            check_phases(parts);
    check_phases(WF_PHASE_PARTS);
    static phase_marks nested[PARTS];
    wf_parallel_for(PARTS, PARTS, phases_job, nested);
    for (int i = 0; i < PARTS; i++)
        CHECK(atomic_load(&nested[i].early) == 0 &&
                  atomic_load(&nested[i].at[PHASES - 1][2]) == 1,
              "phases %d within a task", i);
}

/* Many short tasks with pauses, so that workers fall asleep in between. */
static void test_sleep_and_wake(void)
{
    static marks m;
    for (int i = 0; i < 2000; i++) {
        wf_parallel_for(3, 3, mark, &m);
        if (i % 100 == 0)
            usleep(300);
    }
    CHECK(all_are(&m, 3, 2000), "sleep and wake");
}

#if defined(__SANITIZE_THREAD__)
#define TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TSAN 1
#endif
#endif

static void test_fork(void)
{
#ifdef TSAN
    return; /* it refuses threads in the child */
#endif
    static marks m;
    if (check_emulated("fork"))
        return;
    wf_parallel_for(4, COUNT, mark, &m);
    pid_t child = fork();
    if (child == 0) {
        wf_parallel_for(4, COUNT, mark, &m);
        bool done = all_are(&m, COUNT, 2);
        wf_threads_shutdown();
        _exit(done ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0, "parallel for after fork");
}

static int executor_calls;
static void backwards(void *executor_context, int threads, size_t count,
                      void (*job)(void *, size_t), void *job_context)
{
    executor_calls += threads + *(int *)executor_context;
    while (count)
        job(job_context, --count);
}

static void test_executor(void)
{
    static marks m;
    int extra = 100;
    wf_set_executor(backwards, &extra);
    wf_parallel_for(5, COUNT, mark, &m);
    wf_parallel_for(1, COUNT, mark, &m);
    check_phases(PARTS);
    wf_set_executor(NULL, NULL);
    wf_parallel_for(5, COUNT, mark, &m);
    CHECK(all_are(&m, COUNT, 3), "all jobs");
    CHECK(executor_calls == 210, "got %d, want 210", executor_calls);
}

int main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "isa"))
        return wf_cpu_isa() + (wf_cpu_mask_text() ? 100 : 0);
    if (count > 1 && !strcmp(arguments[1], "core"))
        return (int)wf_cpu_core_kind() + (wf_cpu_mask_text() ? 100 : 0);
    test_cpu();
    test_core();
    test_sizes();
    test_status();
    test_text();
    test_alloc();
    test_alloc_shared();
    test_alloc_failing();
    test_counts();
    test_nested_and_concurrent();
    test_phases();
    test_sleep_and_wake();
    test_fork();
    test_executor();
    wf_threads_shutdown();
    return check_report("base");
}
