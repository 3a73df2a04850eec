/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache.c - the plans of the one-call functions: the 64 problems used last.
 *
 * Lookups share a read lock and take a reference under it, so a plan that is
 * evicted while it executes lives until it has ended.  Nothing is planned,
 * allocated or freed under the lock, and inserting needs no memory: the cache
 * cannot fail.  Two threads that miss at once both plan; the second to insert
 * finds the first's plan there and keeps its own for its one call.
 *
 * A lookup is a scan of 64 numbers: a hash table of 64 would not be faster.
 * They are the hash of the canonical problem, and, so that weft_fft need not
 * even make a descriptor, the simple id of a packed vector.
 *
 * Reason for the mutable static: weft.h promises one cache for all threads,
 * and the one-call functions have no context to keep it in.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_rwlock_t under strict C11 */
#include "api/api.h"

#include <pthread.h>
#include <string.h>

enum { ENTRIES = 64 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static weft_plan *plans[ENTRIES]; /* NULL: free */
static uint64_t hashes[ENTRIES];
static uint64_t simple_ids[ENTRIES];   /* 0: not a simple problem */
static _Atomic uint64_t used[ENTRIES]; /* `now` when last found */
static _Atomic uint64_t now;

/* ---- Identity ----------------------------------------------------------- */

uint64_t wf_cache_simple_id(weft_type type, int64_t n, weft_sign sign,
                            bool in_place)
{
    if ((unsigned)type > WEFT_F32 || (unsigned)sign > WEFT_INVERSE || n < 2 ||
        n > INT64_MAX / 16)
        return 0;
    return (uint64_t)n << 3 | (uint64_t)type << 2 | (uint64_t)sign << 1 |
           (uint64_t)in_place;
}

static uint64_t simple_id_of(const wf_problem *c)
{
    int64_t n = c->dim[0].n;
    if (c->kind != WEFT_C2C || c->empty || c->rank != 1 || c->loops ||
        c->dim[0].is != 1 || c->dim[0].os != 1 || c->split || c->scrambled ||
        c->threads != 1 || c->engine != WEFT_ENGINE_CPU ||
        c->precision != WEFT_PRECISION_FAST || c->target > 0 ||
        c->scale != (c->sign == WEFT_INVERSE ? 1 / (double)n : 1))
        return 0;
    return wf_cache_simple_id(c->type, n, c->sign, c->in_place);
}

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

static uint64_t hash_of(const wf_problem *c)
{
    uint64_t hash = (uint64_t)c->type << 5 | (uint64_t)c->sign << 4 |
                    (uint64_t)c->split << 3 | (uint64_t)c->in_place << 2 |
                    (uint64_t)c->scrambled << 1 | (uint64_t)c->empty;
    hash = mix(hash, (uint64_t)c->threads << 16 | (uint64_t)c->engine << 8 |
                         (uint64_t)c->kind << 1 | (uint64_t)c->ortho);
    hash = mix(hash, (uint64_t)c->precision);
    for (int i = 0; i < c->rank; i++)
        hash = mix(hash, (uint64_t)c->kinds[i]);
    return mix_dims(mix_dims(hash, c->dim, c->rank), c->loop, c->loops);
}

static bool same_kinds(const wf_problem *a, const wf_problem *b)
{
    for (int i = 0; i < a->rank; i++)
        if (a->kinds[i] != b->kinds[i])
            return false;
    return a->kind == b->kind && a->ortho == b->ortho;
}

static bool same_dims(const weft_dim *a, const weft_dim *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i].n != b[i].n || a[i].is != b[i].is || a[i].os != b[i].os)
            return false;
    return true;
}

/* Scales compare as bits, so that -0 is not 0. */
static bool same(const wf_problem *a, const wf_problem *b)
{
    return a->type == b->type && a->sign == b->sign && a->split == b->split &&
           !memcmp(&a->scale, &b->scale, sizeof a->scale) &&
           !memcmp(&a->scale_low, &b->scale_low, sizeof a->scale_low) &&
           a->precision == b->precision && a->slices == b->slices &&
           !memcmp(&a->target, &b->target, sizeof a->target) &&
           a->in_place == b->in_place && a->scrambled == b->scrambled &&
           a->empty == b->empty && a->threads == b->threads &&
           a->engine == b->engine && a->rank == b->rank &&
           a->loops == b->loops && same_kinds(a, b) &&
           same_dims(a->dim, b->dim, a->rank) &&
           same_dims(a->loop, b->loop, a->loops);
}

/* ---- Find (either lock held) -------------------------------------------- */

/* `now` need not be exact between threads: it only orders evictions. */
static void touch(int i)
{
    uint64_t time = atomic_fetch_add_explicit(&now, 1, memory_order_relaxed) +
                    1;
    atomic_store_explicit(&used[i], time, memory_order_relaxed);
}

static int index_of(const wf_problem *canonical, uint64_t hash)
{
    for (int i = 0; i < ENTRIES; i++)
        if (plans[i] && hashes[i] == hash && same(&plans[i]->asked, canonical))
            return i;
    return -1;
}

static int index_of_simple(uint64_t id)
{
    for (int i = 0; i < ENTRIES; i++)
        if (simple_ids[i] == id)
            return i;
    return -1;
}

static weft_plan *take(int i)
{
    if (i < 0)
        return NULL;
    touch(i);
    return weft_plan_retain(plans[i]);
}

weft_plan *wf_cache_find_simple(uint64_t id)
{
    if (!id || pthread_rwlock_rdlock(&lock))
        return NULL; /* too many readers: a miss is always allowed */
    weft_plan *plan = take(index_of_simple(id));
    pthread_rwlock_unlock(&lock);
    return plan;
}

weft_plan *wf_cache_find(const wf_problem *canonical)
{
    uint64_t hash = hash_of(canonical);
    if (pthread_rwlock_rdlock(&lock))
        return NULL;
    weft_plan *plan = take(index_of(canonical, hash));
    pthread_rwlock_unlock(&lock);
    return plan;
}

/* ---- Change ------------------------------------------------------------- */

/* A free slot, or the one used longest ago. */
static int slot(void)
{
    int oldest = 0;
    for (int i = 0; i < ENTRIES; i++) {
        if (!plans[i])
            return i;
        if (used[i] < used[oldest])
            oldest = i;
    }
    return oldest;
}

void wf_cache_insert(weft_plan *plan)
{
    weft_plan *evicted = NULL;
    uint64_t hash = hash_of(&plan->asked);
    if (pthread_rwlock_wrlock(&lock))
        return;
    if (index_of(&plan->asked, hash) < 0) {
        int i = slot();
        evicted = plans[i];
        plans[i] = weft_plan_retain(plan);
        hashes[i] = hash;
        simple_ids[i] = simple_id_of(&plan->asked);
        touch(i);
    }
    pthread_rwlock_unlock(&lock);
    weft_plan_release(evicted);
}

/* Needs the write lock, and gives it back. */
static void clear_and_unlock(void)
{
    weft_plan *old[ENTRIES];
    memcpy(old, plans, sizeof old);
    memset(plans, 0, sizeof plans);
    memset(simple_ids, 0, sizeof simple_ids);
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < ENTRIES; i++)
        weft_plan_release(old[i]);
}

void wf_cache_clear(void)
{
    if (!pthread_rwlock_wrlock(&lock))
        clear_and_unlock();
}

/* ---- Fork and unload ----------------------------------------------------- */

/* A child that was forked while another thread held the lock would wait for
 * it for ever. */
static void before_fork(void)
{
    pthread_rwlock_wrlock(&lock);
}

static void after_fork(void)
{
    pthread_rwlock_unlock(&lock);
}

/* The child's only thread is not the one that took the lock, as the C library
 * numbers them: its lock is a new one. */
static void after_fork_in_child(void)
{
    static const pthread_rwlock_t fresh = PTHREAD_RWLOCK_INITIALIZER;
    lock = fresh;
}

__attribute__((constructor)) static void load(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

__attribute__((destructor)) static void unload(void)
{
    if (!pthread_rwlock_trywrlock(&lock))
        clear_and_unlock();
}
