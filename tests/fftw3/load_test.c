/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load_test.c FOLDER - the drop-in libraries as plug-ins use them: loaded and
 * unloaded again and again, in a process that forks, and in one that ends
 * while threads are at work.  This program is linked to none of them.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 4096, BATCH = 16, ESTIMATE = 64, MEASURE = 0 };

static const char *folder;

/* Of one of the two libraries; samples are void: their type differs. */
typedef struct library {
    void *handle, *companion;
    void *(*plan_many_dft)(int rank, const int *n, int howmany, void *in,
                           const int *inembed, int istride, int idist,
                           void *out, const int *onembed, int ostride,
                           int odist, int sign, unsigned flags);
    void (*execute)(void *plan);
    void (*destroy_plan)(void *plan);
    void (*plan_with_nthreads)(int count);
    int (*planner_nthreads)(void);
    char *(*export_wisdom_to_string)(void);
    int (*import_wisdom_from_string)(const char *text);
} library;

static void *open_library(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "load_test: %s\n", dlerror());
        exit(2);
    }
    return handle;
}

static void find(void *handle, const char *prefix, const char *name,
                 void *slot)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", prefix, name);
    *(void **)slot = dlsym(handle, full);
    if (!*(void **)slot) {
        fprintf(stderr, "load_test: no %s\n", full);
        exit(2);
    }
}

static library load(const char *suffix)
{
    library l;
    char name[64], prefix[16];
    snprintf(prefix, sizeof prefix, "fftw%s_", suffix);
    snprintf(name, sizeof name, "libfftw3%s_threads.so.3", suffix);
    l.companion = open_library(name);
    snprintf(name, sizeof name, "libfftw3%s.so.3", suffix);
    l.handle = open_library(name);
    find(l.handle, prefix, "plan_many_dft", &l.plan_many_dft);
    find(l.handle, prefix, "execute", &l.execute);
    find(l.handle, prefix, "destroy_plan", &l.destroy_plan);
    find(l.companion, prefix, "plan_with_nthreads", &l.plan_with_nthreads);
    find(l.handle, prefix, "planner_nthreads", &l.planner_nthreads);
    find(l.handle, prefix, "export_wisdom_to_string",
         &l.export_wisdom_to_string);
    find(l.handle, prefix, "import_wisdom_from_string",
         &l.import_wisdom_from_string);
    return l;
}

static void unload(library *l)
{
    dlclose(l->handle);
    dlclose(l->companion);
}

static double in[2 * N * BATCH], out[2 * N * BATCH];

/* A plan for two threads, executed, so that workers and caches exist. */
static void use(const library *l, unsigned flags)
{
    const int n[] = {N};
    l->plan_with_nthreads(2);
    CHECK(l->planner_nthreads() == 2, "the companion's threads are %d",
          l->planner_nthreads());
    void *plan = l->plan_many_dft(1, n, BATCH, in, NULL, 1, N, out, NULL, 1, N,
                                  -1, flags);
    if (!CHECK(plan, "no plan"))
        return;
    l->execute(plan);
    l->destroy_plan(plan);
    char *text = l->export_wisdom_to_string();
    CHECK(text && l->import_wisdom_from_string(text), "no wisdom");
    free(text);
}

/* ---- The host's loop ------------------------------------------------------ */

static int loops;

static void count_loop(void *(*work)(char *), char *jobs, size_t size,
                       int count, void *data)
{
    loops++;
    (void)data;
    for (int i = 0; i < count; i++)
        work(jobs + size * (size_t)i);
}

/* Does an execution by two threads go by count_loop? */
static bool uses_loop(const library *l)
{
    const int before = loops;
    use(l, ESTIMATE);
    return loops > before;
}

/* One library's end leaves the other's loop alone. */
static void test_loops(void)
{
    library both[2] = {load(""), load("f")};
    void (*set)(void (*)(void *(*)(char *), char *, size_t, int, void *),
                void *);
    void (*set_other)(void (*)(void *(*)(char *), char *, size_t, int, void *),
                      void *);
    void (*end[2])(void);
    find(both[0].companion, "fftw_", "threads_set_callback", &set);
    find(both[1].companion, "fftwf_", "threads_set_callback", &set_other);
    find(both[0].companion, "fftw_", "cleanup_threads", &end[0]);
    find(both[1].companion, "fftwf_", "cleanup_threads", &end[1]);
    CHECK(!uses_loop(&both[0]), "a loop that nobody set");
    set(count_loop, NULL);
    CHECK(uses_loop(&both[0]), "the loop is not used");
    end[1]();
    CHECK(uses_loop(&both[0]), "the other library's end took the loop away");
    end[0]();
    CHECK(!uses_loop(&both[0]), "the library's own end did not");
    set(count_loop, NULL);
    set_other(count_loop, NULL);
    end[0]();
    CHECK(uses_loop(&both[1]), "the first's end took the second's loop away");
    end[1]();
    CHECK(!uses_loop(&both[1]), "the second's own end did not");
    unload(&both[0]);
    unload(&both[1]);
}

/* ---- Load and unload ------------------------------------------------------ */

static int threads_now(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return 1;
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count - 2; /* . and .. */
}

static bool is_loaded(const char *name)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

/* Pages of address space, of this process. */
static long pages_now(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages;
}

/* Within a second: a joined thread may take a moment to be gone. */
static bool threads_fall_to(int count)
{
    for (int i = 0; i < 1000 && threads_now() > count; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return threads_now() <= count;
}

static void cycle(int round, int threads)
{
    library f64 = load(""), f32 = load("f");
    use(&f64, round % 10 ? ESTIMATE : MEASURE);
    use(&f32, ESTIMATE);
    unload(&f64);
    use(&f32, ESTIMATE);
    unload(&f32);
    CHECK(!is_loaded("libfftw3.so.3") && !is_loaded("libfftw3f.so.3") &&
              !is_loaded("libweft.so.0"),
          "still loaded");
    CHECK(threads_fall_to(threads), "%d threads after unloading, %d before",
          threads_now(), threads);
}

static void test_cycles(void)
{
    enum { WARM = 12, ROUNDS = 60 };
    const int threads = threads_now(); /* an emulator has one of its own */
    for (int i = 0; i < WARM; i++)
        cycle(i, threads);
    size_t bytes = mallinfo2().uordblks;
    long pages = pages_now();
    for (int i = 0; i < ROUNDS; i++)
        cycle(i, threads);
    size_t grown = mallinfo2().uordblks - bytes;
    CHECK((ptrdiff_t)grown < 4096, "%d cycles keep %td bytes", ROUNDS,
          (ptrdiff_t)grown);
    if (check_emulated("pages kept, among which are the emulator's"))
        return;
    CHECK(pages_now() - pages < 256, "%d cycles keep %ld pages", ROUNDS,
          pages_now() - pages);
}

/* ---- Fork ------------------------------------------------------------------- */

static atomic_bool stop;
static library shared;

/* Plans, executes and reads wisdom without a pause. */
static void *keep_busy(void *unused)
{
    const int n[] = {60};
    double *mine = calloc(240, sizeof *mine);
    char *text = shared.export_wisdom_to_string();
    (void)unused;
    while (mine && text && !atomic_load(&stop)) {
        void *plan = shared.plan_many_dft(1, n, 1, mine, NULL, 1, 60,
                                          mine + 120, NULL, 1, 60, -1,
                                          ESTIMATE);
        shared.execute(plan);
        shared.destroy_plan(plan);
        shared.import_wisdom_from_string(text);
    }
    free(text);
    free(mine);
    return NULL;
}

/* Children of a busy process work and end. */
static void test_fork(void)
{
    enum { BUSY = 3, CHILDREN = 40 };
    pthread_t thread[BUSY];
    if (check_emulated("fork"))
        return;
    shared = load("");
    for (int i = 0; i < BUSY; i++)
        pthread_create(&thread[i], NULL, keep_busy, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            long before = check_failures;
            use(&shared, i % 10 ? ESTIMATE : MEASURE);
            _exit(check_failures != before);
        }
        int status = -1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child &&
                  WIFEXITED(status) && WEXITSTATUS(status) == 0,
              "a forked child ended with %x", (unsigned)status);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < BUSY; i++)
        pthread_join(thread[i], NULL);
    unload(&shared);
}

/* ---- The end of a process ------------------------------------------------------ */

static void *execute_for_ever(void *plan)
{
    for (;;)
        shared.execute(plan);
    return NULL;
}

/* exit() while threads execute: the libraries' destructors neither wait for
 * ever nor take away what is in use. */
static void test_exit_at_work(void)
{
    if (check_emulated("exit with threads"))
        return;
    for (int i = 0; i < 5; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            const int n[] = {N};
            pthread_t thread;
            alarm(20);
            shared = load("f");
            shared.plan_with_nthreads(2);
            for (int k = 0; k < 2; k++)
                pthread_create(&thread, NULL, execute_for_ever,
                               shared.plan_many_dft(1, n, BATCH, in, NULL, 1,
                                                    N, out, NULL, 1, N, -1,
                                                    ESTIMATE));
            usleep(20000);
            exit(0);
        }
        int status = -1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child &&
                  WIFEXITED(status) && WEXITSTATUS(status) == 0,
              "a process that ended at work: %x", (unsigned)status);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: load_test FOLDER\n");
        return 2;
    }
    folder = argv[1];
    test_cycles();
    test_loops();
    test_fork();
    test_exit_at_work();
    return check_report("load_test");
}
