/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads_api.c - threads through FFTW's names.  weft needs no initialising
 * and its planner is safe in any thread; only the number of threads and the
 * host's loop are settings.
 */
#include "compat.h"

int X(init_threads)(void)
{
    return 1;
}

void X(plan_with_nthreads)(int nthreads)
{
    planner_set_threads(nthreads);
}

int X(planner_nthreads)(void)
{
    return planner_threads();
}

void X(make_planner_thread_safe)(void)
{
}

/* ---- The host's loop ---------------------------------------------------- */

typedef void parallel_loop(void *(*work)(char *), char *jobdata, size_t elsize,
                           int njobs, void *data);

static _Atomic(parallel_loop *) host_loop;
static _Atomic(void *) host_data;

/* One of the jobs the host is given: jobs first, first + step, ... of weft. */
typedef struct portion {
    void (*job)(void *context, size_t index);
    void *context;
    size_t first, step, count;
} portion;

static void *do_portion(char *data)
{
    const portion *p = (const portion *)(void *)data;
    for (size_t i = p->first; i < p->count; i += p->step)
        p->job(p->context, i);
    return NULL;
}

static void run_on_host(void *unused, int threads, size_t count,
                        void (*job)(void *, size_t), void *context)
{
    enum { MOST = 64 };
    portion portions[MOST];
    parallel_loop *loop = atomic_load(&host_loop);
    (void)unused;
    size_t jobs = threads < 1 || !loop ? 1 : (size_t)threads;
    jobs = jobs > count ? count : jobs;
    jobs = jobs > MOST ? MOST : jobs;
    for (size_t i = 0; i < jobs; i++)
        portions[i] = (portion){job, context, i, jobs, count};
    if (loop && jobs > 1)
        loop(do_portion, (char *)portions, sizeof *portions, (int)jobs,
             atomic_load(&host_data));
    else if (jobs)
        do_portion((char *)portions);
}

void X(threads_set_callback)(parallel_loop *loop, void *data)
{
    atomic_store(&host_data, data);
    atomic_store(&host_loop, loop);
    if (loop)
        weft_set_executor(run_on_host, NULL);
    else
        weft_unset_executor(run_on_host);
}

/* weft has one executor: another library's, or the host's own, stays. */
static void drop_callback(void)
{
    X(threads_set_callback)(NULL, NULL);
}

void X(cleanup_threads)(void)
{
    drop_callback();
    planner_set_threads(1);
    weft_threads_shutdown();
    X(cleanup)();
}

/* weft must not call into a library that is gone. */
__attribute__((destructor)) static void unload(void)
{
    drop_callback();
}
