/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alloc.c - the only door to the heap.
 *
 * Every block starts 64 bytes after its header, at a multiple of 64.  Small
 * blocks come from malloc.  From 2 MiB on a block is mapped so that the
 * *block* (not its header) starts at a multiple of 2 MiB: transparent huge
 * pages then cover it whole, and the header lives at the end of the page
 * before it.  The header says which of the two it was and what to give back,
 * so wf_free needs nothing but the pointer.
 *
 * The three counters are the tests' window: how many requests, how many
 * blocks are live, and which request is to fail.
 */
#define _GNU_SOURCE
#include "base/base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGN ((size_t)64)
#define HUGE ((size_t)2 << 20)
#define PAGE ((size_t)65536) /* a multiple of every page size in use */

typedef struct header {
    void *base;    /* what malloc or mmap gave */
    size_t mapped; /* bytes mapped at base; 0: malloc */
} header;

_Static_assert(sizeof(header) <= 64, "the header fits before the block");

static _Atomic int64_t live, requests, fail_after = -1;

/* Counts the request; true when a test wants this one to fail. */
static bool request_fails(void)
{
    atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed);
    int64_t left = atomic_load_explicit(&fail_after, memory_order_relaxed);
    while (left >= 0) /* the failing request leaves -1 behind: off again */
        if (atomic_compare_exchange_weak(&fail_after, &left, left - 1))
            return left == 0;
    return false;
}

static void *finish(char *block, void *base, size_t mapped)
{
    header *h = (header *)(void *)(block - ALIGN);
    h->base = base;
    h->mapped = mapped;
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return block;
}

static char *round_up(char *p, size_t alignment)
{
    uintptr_t excess = (uintptr_t)p & (alignment - 1);
    return excess ? p + (alignment - excess) : p;
}

/* Maps HUGE + PAGE more than asked, then gives the two ends back: what stays
 * is one PAGE for the header and the block, starting at a multiple of HUGE. */
static void *alloc_mapped(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + PAGE - 1) & ~(PAGE - 1);
    size_t total = bytes + HUGE + PAGE;
    char *all = mmap(NULL, total, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    char *block = round_up(all + PAGE, HUGE);
    char *base = block - PAGE, *end = block + bytes;
    if (base > all)
        munmap(all, (size_t)(base - all));
    if (all + total > end)
        munmap(end, (size_t)(all + total - end));
#ifdef MADV_HUGEPAGE
    madvise(block, bytes, MADV_HUGEPAGE); /* advice: may be refused */
#endif
    return finish(block, base, bytes + PAGE);
}

static void *alloc_small(size_t bytes)
{
    char *base = malloc(bytes + 2 * ALIGN);
    return base ? finish(round_up(base, ALIGN) + ALIGN, base, 0) : NULL;
}

void *wf_alloc(size_t bytes)
{
    if (request_fails())
        return NULL;
    return bytes >= HUGE ? alloc_mapped(bytes) : alloc_small(bytes);
}

void *wf_calloc(size_t count, size_t bytes)
{
    size_t total;
    if (!wf_mul_size(count, bytes, &total))
        total = SIZE_MAX; /* counted, and refused by wf_alloc */
    void *block = wf_alloc(total);
    if (block && total < HUGE) /* a fresh mapping is zero already */
        memset(block, 0, total);
    return block;
}

void wf_free(void *block)
{
    if (!block)
        return;
    header h = *(header *)(void *)((char *)block - ALIGN);
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    if (h.mapped)
        munmap(h.base, h.mapped);
    else
        free(h.base);
}

char *wf_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = wf_alloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

int64_t wf_alloc_fail_after(int64_t n)
{
    atomic_store(&fail_after, n < 0 ? -1 : n);
    return atomic_exchange(&requests, 0);
}

int64_t wf_alloc_live(void)
{
    return atomic_load(&live);
}
