/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handle.c - the pointers that programs hold as plans.
 *
 * Handles live in chunks that are never freed while the library is loaded:
 * whether a pointer is a handle is arithmetic on its address, so that NULL, a
 * destroyed plan, a plan of the other precision and any other pointer are
 * seen without being followed.  Chunk k has FIRST_HANDLES << k handles; a program
 * that holds a million plans has 15 chunks, most programs have one, of a fixed
 * address.
 *
 * Looking up takes no lock: chunks are published once, `live` is atomic.
 *
 * Reason for the mutable statics: FFTW's functions have no context to keep
 * them in.
 */
#define _POSIX_C_SOURCE 200809L
#include "compat.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 26 };

handle first_handles[FIRST_HANDLES];
static _Atomic(handle *) chunks[CHUNKS];
static handle *free_list; /* under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t chunk_count(int k)
{
    return (size_t)FIRST_HANDLES << k;
}

/* Needs the lock; false without memory. */
static bool add_chunk(void)
{
    for (int k = 0; k < CHUNKS; k++) {
        if (atomic_load_explicit(&chunks[k], memory_order_relaxed))
            continue;
        const size_t bytes = chunk_count(k) * sizeof(handle);
        handle *chunk = k == 0 ? first_handles
                               : aligned_alloc(_Alignof(handle), bytes);
        if (!chunk)
            return false;
        memset(chunk, 0, bytes);
        for (size_t i = chunk_count(k); i-- > 0;) {
            chunk[i].next_free = free_list;
            free_list = &chunk[i];
        }
        atomic_store_explicit(&chunks[k], chunk, memory_order_release);
        return true;
    }
    return false;
}

handle *handle_new(weft_plan *plan)
{
    pthread_mutex_lock(&lock);
    if (!free_list && !add_chunk()) {
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    handle *h = free_list;
    free_list = h->next_free;
    pthread_mutex_unlock(&lock);
    h->plan = plan;
    atomic_store_explicit(&h->other, NULL, memory_order_relaxed);
    h->at = (arrays){{NULL, NULL}, {NULL, NULL}};
    h->split = false;
    h->stage = NULL;
    h->next_free = NULL;
    atomic_store_explicit(&h->live, true, memory_order_release);
    return h;
}

static bool is_handle(const handle *h)
{
    for (int k = 0; k < CHUNKS; k++) {
        const handle *chunk = atomic_load_explicit(&chunks[k],
                                                   memory_order_acquire);
        if (!chunk)
            return false;
        uintptr_t offset = (uintptr_t)h - (uintptr_t)chunk;
        if (offset < chunk_count(k) * sizeof *h)
            return offset % sizeof *h == 0;
    }
    return false;
}

handle *handle_sought(handle *const p)
{
    if (is_handle(p) && atomic_load_explicit(&p->live, memory_order_acquire))
        return p;
    complain(p ? FOREIGN_PLAN : NULL_PLAN, NULL);
    return NULL;
}

/* Of two threads that destroy one plan, one does. */
void handle_free(handle *h)
{
    if (!atomic_exchange(&h->live, false))
        return;
    weft_plan_release(h->plan);
    weft_plan_release(atomic_exchange(&h->other, NULL));
    stage_free(h->stage);
    h->plan = NULL;
    h->stage = NULL;
    pthread_mutex_lock(&lock);
    h->next_free = free_list;
    free_list = h;
    pthread_mutex_unlock(&lock);
}

/* ---- Fork and unload ---------------------------------------------------- */

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

static bool any_live(void)
{
    for (int k = 0; k < CHUNKS; k++) {
        const handle *chunk = atomic_load(&chunks[k]);
        for (size_t i = 0; chunk && i < chunk_count(k); i++)
            if (atomic_load(&chunk[i].live))
                return true;
    }
    return false;
}

/* Plans that are not destroyed are the program's: another thread may execute
 * one while the process ends.  The first chunk is the library's own. */
__attribute__((destructor)) static void unload(void)
{
    if (pthread_mutex_trylock(&lock))
        return;
    for (int k = 1; k < CHUNKS && !any_live(); k++)
        free(atomic_exchange(&chunks[k], NULL));
    pthread_mutex_unlock(&lock);
}
