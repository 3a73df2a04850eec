/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alloc.c - the only door to the heap.
 *
 * Blocks of 32 KiB to 1.5 MiB are pieces of huge pages (pages.c), which know
 * their own.  Others start 64 bytes after a header, at a multiple of 64, that
 * says what to give back.  Small ones come from malloc; larger ones are mapped
 * by themselves so that the *block* (not its header) starts at a multiple of
 * 2 MiB: huge pages then cover it, and the header lives at the end of the page
 * before it.  So wf_free needs nothing but the pointer.
 *
 * The three counters are the tests' window: how many requests, how many
 * blocks are live, and which request is to fail.
 */
#define _GNU_SOURCE
#include "base/base.h"
#include "base/pages.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGN ((size_t)64)
#define PAGE ((size_t)65536) /* a multiple of every page size in use */
#define LEAST_PIECE ((size_t)32 << 10)

typedef struct header {
    void *base;    /* what malloc or mmap gave */
    size_t mapped; /* bytes mapped at base; 0: none */
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

static void *count(void *block)
{
    if (block != NULL)
        atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return block;
}

static void *finish(char *block, header h)
{
    *(header *)(void *)(block - ALIGN) = h;
    return block;
}

/* The last pages are a huge one, too, if at least a quarter of it is used. */
static void *alloc_mapped(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    size_t rest = bytes % WF_HUGE;
    bytes = rest >= WF_HUGE / 4 || bytes < WF_HUGE
                ? bytes - rest + WF_HUGE
                : (bytes + PAGE - 1) & ~(PAGE - 1);
    char *base = wf_pages_map(PAGE, bytes);
    if (base == NULL)
        return NULL;
    return finish(base + PAGE, (header){base, PAGE + bytes});
}

static void *alloc_small(size_t bytes)
{
    char *base = malloc(bytes + 2 * ALIGN);
    if (base == NULL)
        return NULL;
    size_t excess = (uintptr_t)base & (ALIGN - 1);
    return finish(base + (excess != 0 ? ALIGN - excess : 0) + ALIGN,
                  (header){base, 0});
}

static void *alloc_middle(size_t bytes)
{
    char *piece = wf_piece_take(bytes);
    return piece != NULL ? piece : alloc_small(bytes);
}

void *wf_alloc(size_t bytes)
{
    if (request_fails())
        return NULL;
    return count(bytes < LEAST_PIECE      ? alloc_small(bytes)
                 : bytes <= WF_PIECE_MOST ? alloc_middle(bytes)
                                          : alloc_mapped(bytes));
}

void *wf_calloc(size_t count, size_t bytes)
{
    size_t total;
    if (!wf_mul_size(count, bytes, &total))
        total = SIZE_MAX; /* counted, and refused by wf_alloc */
    void *block = wf_alloc(total);
    if (block && total <= WF_PIECE_MOST) /* a fresh mapping is zero already */
        memset(block, 0, total);
    return block;
}

void wf_free(void *block)
{
    if (!block)
        return;
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    if (wf_piece_give(block))
        return;
    header h = *(header *)(void *)((char *)block - ALIGN);
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
