/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.c - a parallel for, on our own pool or the host's executor.
 *
 * The idea: the indexes of a task lie in one atomic counter, and everybody
 * who has time takes the next one.  The caller is one of them, so a task is
 * always finished by its caller alone if nobody comes: no worker to be had,
 * a pool already busy, a call from inside a job are all the same case and
 * none of them can block.
 *
 * One task at a time is posted to the pool; `busy` says whose.  A posted task
 * has `tickets`, one for each helper it wants.  A worker joins by taking a
 * ticket, works, and says so in `finished`.  The caller, out of indexes,
 * takes the remaining tickets back: from then on nobody can join, and it
 * waits only for those who did.
 *
 * What always holds:
 *   - job, context, count are written only while tickets == 0 and every
 *     joined worker has finished; they are read only after joining;
 *   - a sleeper raises `sleepers` before it looks at tickets, a poster sets
 *     tickets before it looks at sleepers (both sequentially consistent), so
 *     one of them sees the other; the same for caller_waits and finished.
 */
#define _GNU_SOURCE
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#define MAX_WORKERS 255
/* About 100 microseconds: what a wake-up costs a virtual machine. */
#define SPINS 5000

static struct {
    atomic_flag busy;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    atomic_int tickets, sleepers, finished;
    atomic_bool caller_waits, quit;
    atomic_uint epoch; /* counts forks */
    atomic_size_t next;
    size_t count;
    wf_job *job;
    void *context;
    int workers; /* started; changed only while busy is held */
    pthread_t worker[MAX_WORKERS];
} pool = {
    .busy = ATOMIC_FLAG_INIT,
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

/* ---- work --------------------------------------------------------------- */

static void take_indexes(wf_job *job, void *context, size_t count)
{
    for (;;) {
        if (atomic_load_explicit(&pool.next, memory_order_relaxed) >= count)
            return; /* asked first, so that next never runs far past count */
        size_t i = atomic_fetch_add_explicit(&pool.next, 1,
                                             memory_order_relaxed);
        if (i >= count)
            return;
        job(context, i);
    }
}

static bool take_ticket(void)
{
    int left = atomic_load(&pool.tickets);
    while (left > 0)
        if (atomic_compare_exchange_weak(&pool.tickets, &left, left - 1))
            return true;
    return false;
}

/* ---- a worker's life ---------------------------------------------------- */

static void sleep_until_posted(void)
{
    pthread_mutex_lock(&pool.mutex);
    atomic_fetch_add(&pool.sleepers, 1);
    while (atomic_load(&pool.tickets) <= 0 && !atomic_load(&pool.quit))
        pthread_cond_wait(&pool.wake, &pool.mutex);
    atomic_fetch_sub(&pool.sleepers, 1);
    pthread_mutex_unlock(&pool.mutex);
}

static void report_finished(void)
{
    atomic_fetch_add(&pool.finished, 1);
    if (!atomic_load(&pool.caller_waits))
        return;
    pthread_mutex_lock(&pool.mutex);
    pthread_cond_broadcast(&pool.done);
    pthread_mutex_unlock(&pool.mutex);
}

static void *worker_main(void *unused)
{
    (void)unused;
    int spins = 0;
    while (!atomic_load(&pool.quit)) {
        if (take_ticket()) {
            take_indexes(pool.job, pool.context, pool.count);
            report_finished();
            spins = 0;
        } else if (++spins < SPINS) {
            wf_relax();
        } else {
            sleep_until_posted();
            spins = 0;
        }
    }
    return NULL;
}

/* ---- starting ----------------------------------------------- */

/* Needs busy.  Workers take no signals: those belong to the host. */
static int start_workers(int wanted)
{
    if (wanted > MAX_WORKERS)
        wanted = MAX_WORKERS;
    if (pool.workers < wanted) {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        while (pool.workers < wanted &&
               !pthread_create(&pool.worker[pool.workers], NULL, worker_main,
                               NULL))
            pool.workers++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return pool.workers < wanted ? pool.workers : wanted;
}

/* ---- the caller --------------------------------------------------------- */

static void post(int helpers)
{
    atomic_store(&pool.tickets, helpers);
    if (atomic_load(&pool.sleepers) == 0)
        return;
    pthread_mutex_lock(&pool.mutex);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.mutex);
}

static void wait_for(int joined)
{
    for (int i = 0; i < SPINS; i++, wf_relax())
        if (atomic_load(&pool.finished) == joined)
            return;
    atomic_store(&pool.caller_waits, true);
    pthread_mutex_lock(&pool.mutex);
    while (atomic_load(&pool.finished) != joined)
        pthread_cond_wait(&pool.done, &pool.mutex);
    pthread_mutex_unlock(&pool.mutex);
    atomic_store(&pool.caller_waits, false);
}

/* Needs busy. */
static void run_on_pool(int threads, size_t count, wf_job *job, void *context)
{
    unsigned epoch = atomic_load(&pool.epoch);
    size_t most = count < (size_t)threads ? count : (size_t)threads;
    int helpers = start_workers(most > MAX_WORKERS ? MAX_WORKERS
                                                   : (int)most - 1);
    pool.job = job;
    pool.context = context;
    pool.count = count;
    atomic_store(&pool.next, 0);
    atomic_store(&pool.finished, 0);
    post(helpers);
    take_indexes(job, context, count);
    if (atomic_load(&pool.epoch) != epoch)
        return; /* a job forked and this is the child: nobody to wait for */
    wait_for(helpers - atomic_exchange(&pool.tickets, 0));
    atomic_flag_clear_explicit(&pool.busy, memory_order_release);
}

/* ---- the host's executor: two words that change together ---------------- */

static struct {
    atomic_uint version; /* odd while they change */
    _Atomic(weft_executor *) run;
    _Atomic(void *) context;
} host;

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Under the lock. */
static void change_executor(weft_executor *executor, void *executor_context)
{
    atomic_fetch_add(&host.version, 1);
    atomic_store(&host.run, executor);
    atomic_store(&host.context, executor_context);
    atomic_fetch_add(&host.version, 1);
}

void wf_set_executor(weft_executor *executor, void *executor_context)
{
    pthread_mutex_lock(&one_at_a_time);
    change_executor(executor, executor_context);
    pthread_mutex_unlock(&one_at_a_time);
}

void wf_unset_executor(weft_executor *executor)
{
    pthread_mutex_lock(&one_at_a_time);
    if (atomic_load(&host.run) == executor)
        change_executor(NULL, NULL);
    pthread_mutex_unlock(&one_at_a_time);
}

static weft_executor *get_executor(void **context)
{
    for (;;) {
        unsigned before = atomic_load(&host.version);
        weft_executor *run = atomic_load(&host.run);
        *context = atomic_load(&host.context);
        if (!(before & 1) && before == atomic_load(&host.version))
            return run;
        wf_relax();
    }
}

/* ---- doors -------------------------------------------------------------- */

void wf_parallel_for(int threads, size_t count, wf_job *job, void *context)
{
    void *host_context;
    weft_executor *executor = NULL;
    if (threads > 1 && count > 1) {
        executor = get_executor(&host_context);
        if (executor) {
            executor(host_context, threads, count, job, context);
            return;
        }
        if (!atomic_flag_test_and_set_explicit(&pool.busy,
                                               memory_order_acquire)) {
            run_on_pool(threads, count, job, context);
            return;
        }
    }
    for (size_t i = 0; i < count; i++)
        job(context, i);
}

/* Needs busy. */
static void stop_workers(void)
{
    atomic_store(&pool.quit, true);
    pthread_mutex_lock(&pool.mutex);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.mutex);
    while (pool.workers > 0)
        pthread_join(pool.worker[--pool.workers], NULL);
    atomic_store(&pool.quit, false);
    atomic_flag_clear_explicit(&pool.busy, memory_order_release);
}

/* Not from inside a job: it waits for the task at hand. */
void wf_threads_shutdown(void)
{
    while (atomic_flag_test_and_set_explicit(&pool.busy, memory_order_acquire))
        sched_yield();
    stop_workers();
}

/* ---- forking and unloading ---------------------------------------------- */

/* The child of a fork has the forking thread only.  An executor that another
 * thread was just setting is half set: which one, nobody can say. */
static void forget_workers(void)
{
    pool.workers = 0;
    atomic_store(&pool.tickets, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.finished, 0);
    atomic_store(&pool.caller_waits, false);
    atomic_store(&pool.quit, false);
    atomic_fetch_add(&pool.epoch, 1);
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pthread_cond_init(&pool.done, NULL);
    atomic_flag_clear(&pool.busy);
    pthread_mutex_init(&one_at_a_time, NULL);
    if (atomic_load(&host.version) & 1) {
        atomic_store(&host.run, NULL);
        atomic_fetch_add(&host.version, 1);
    }
}

__attribute__((constructor)) static void load(void)
{
    pthread_atfork(NULL, NULL, forget_workers);
}

/* A library that is unloaded leaves no thread running in its code.  At the
 * end of the process a task may be at hand, whose threads end with it. */
__attribute__((destructor)) static void unload(void)
{
    if (!atomic_flag_test_and_set_explicit(&pool.busy, memory_order_acquire))
        stop_workers();
}
