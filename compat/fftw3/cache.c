/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache.c - the plans made lately: programs written for FFTW plan the same
 * problem again and again, often once a transform.
 *
 * ENTRIES problems, the one used longest ago gives way, and together at most
 * MOST_BYTES of tables and scratch memory: an idle plan of a large problem is
 * not worth its memory.  A problem has one entry, the longest measured.  What is
 * in the cache is also what FFTW_ESTIMATE | FFTW_WISDOM_ONLY knows.
 *
 * Nothing is planned or freed under the lock.  A scan of the hashes costs less
 * than anything else on the way to a plan.
 *
 * Reason for the mutable statics: FFTW's functions have no context to keep
 * them in.
 */
#define _POSIX_C_SOURCE 200809L
#include "compat.h"

#include <pthread.h>
#include <string.h>

enum { ENTRIES = 128 };
#define MOST_BYTES ((size_t)64 << 20)

typedef struct entry {
    weft_plan *plan; /* NULL: free */
    uint64_t hash, used;
    size_t bytes;
    double limit; /* seconds that measuring might take */
    weft_problem problem;
} entry;

static entry entries[ENTRIES];
static uint64_t now;
static size_t bytes_held;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- Identity ----------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t mix_dims(uint64_t hash, const weft_dim *dims, int count)
{
    for (int i = 0; i < count; i++) {
        hash = mix(hash, (uint64_t)dims[i].n);
        hash = mix(hash, (uint64_t)dims[i].is);
        hash = mix(hash, (uint64_t)dims[i].os);
    }
    return mix(hash, (uint64_t)count);
}

static uint64_t hash_of(const weft_problem *p)
{
    uint64_t hash = (uint64_t)p->kind << 40 | (uint64_t)p->sign << 34 |
                    (uint64_t)p->layout << 33 | (uint64_t)p->place << 32 |
                    (uint64_t)p->threads;
    for (int i = 0; p->kind == WEFT_R2R && i < p->rank; i++)
        hash = mix(hash, (uint64_t)p->kinds[i]);
    return mix_dims(mix_dims(hash, p->dims, p->rank), p->batch, p->batch_rank);
}

static bool same_dims(const weft_dim *a, const weft_dim *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i].n != b[i].n || a[i].is != b[i].is || a[i].os != b[i].os)
            return false;
    return true;
}

/* Of the fields that planner.c sets. */
static bool same(const weft_problem *a, const weft_problem *b)
{
    return a->kind == b->kind && a->sign == b->sign &&
           a->layout == b->layout && a->place == b->place &&
           a->threads == b->threads && a->rank == b->rank &&
           a->batch_rank == b->batch_rank &&
           same_dims(a->dims, b->dims, a->rank) &&
           same_dims(a->batch, b->batch, a->batch_rank) &&
           (a->kind != WEFT_R2R ||
            !memcmp(a->kinds, b->kinds, sizeof *a->kinds * (size_t)a->rank));
}

/* Needs the lock. */
static entry *entry_of(const weft_problem *problem, uint64_t hash)
{
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i].plan && entries[i].hash == hash &&
            same(&entries[i].problem, problem))
            return &entries[i];
    return NULL;
}

/* ---- Find and insert ---------------------------------------------------- */

weft_plan *cache_find(const weft_problem *problem, double least)
{
    weft_plan *plan = NULL;
    uint64_t hash = hash_of(problem);
    pthread_mutex_lock(&lock);
    entry *e = entry_of(problem, hash);
    if (e && e->limit >= least) {
        e->used = ++now;
        plan = weft_plan_retain(e->plan);
    }
    pthread_mutex_unlock(&lock);
    return plan;
}

/* Needs the lock.  The plan of an entry, which is free from now on. */
static weft_plan *take_out(entry *e)
{
    weft_plan *plan = e->plan;
    bytes_held -= e->bytes;
    e->plan = NULL;
    return plan;
}

/* Needs the lock: a free entry, or the one used longest ago. */
static entry *oldest(void)
{
    entry *found = &entries[0];
    for (int i = 0; i < ENTRIES; i++) {
        if (!entries[i].plan)
            return &entries[i];
        if (entries[i].used < found->used)
            found = &entries[i];
    }
    return found;
}

/* Needs the lock: the oldest of those in use, or NULL. */
static entry *oldest_held(void)
{
    entry *found = NULL;
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i].plan && (!found || entries[i].used < found->used))
            found = &entries[i];
    return found;
}

void cache_insert(const weft_problem *problem, double limit, weft_plan *plan)
{
    weft_plan *out[ENTRIES + 1];
    int outs = 0;
    weft_plan_info info = {.size = sizeof info};
    if (weft_plan_get_info(plan, &info) != WEFT_OK)
        return;
    size_t bytes = info.table_bytes + info.scratch_bytes;
    if (bytes > MOST_BYTES / 4)
        return;
    uint64_t hash = hash_of(problem);
    pthread_mutex_lock(&lock);
    entry *e = entry_of(problem, hash);
    if (!e)
        e = oldest();
    if (e->plan)
        out[outs++] = take_out(e);
    for (entry *old; bytes_held + bytes > MOST_BYTES && (old = oldest_held());)
        out[outs++] = take_out(old);
    *e = (entry){weft_plan_retain(plan), hash, ++now, bytes, limit, *problem};
    bytes_held += bytes;
    pthread_mutex_unlock(&lock);
    while (outs > 0)
        weft_plan_release(out[--outs]);
}

/* ---- Clear, fork, unload ------------------------------------------------ */

/* Needs the lock, and gives it back. */
static void clear_and_unlock(void)
{
    weft_plan *out[ENTRIES];
    for (int i = 0; i < ENTRIES; i++)
        out[i] = entries[i].plan ? take_out(&entries[i]) : NULL;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < ENTRIES; i++)
        weft_plan_release(out[i]);
}

void cache_clear(void)
{
    pthread_mutex_lock(&lock);
    clear_and_unlock();
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void load(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

__attribute__((destructor)) static void unload(void)
{
    if (!pthread_mutex_trylock(&lock))
        clear_and_unlock();
}
