/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - huge pages, whole and in pieces.
 *
 * The first touch of a page of 4 KiB takes 1.2 us and giving it back 0.2 us
 * (Linux 6.18 on a virtual Zen 4), that of a page of 2 MiB 42 us: no more than
 * 35 small ones, 140 KiB.  Tables of plans are larger soon, and were most of
 * the time that planning took.  So blocks of middle size are pieces of huge
 * pages: regions of 64 units, a word of bits saying which are taken, and another
 * which of them end a piece.  Pieces have no header, so that two blocks of 1 MiB
 * are one huge page: an address says whether and where it is one.
 *
 * Words are changed by compare-and-swap, so nothing waits and nothing is locked
 * when a process forks.  A region whose last piece is given back is given back
 * itself, but for two: 4 MiB stay, for the next plan to find.
 */
#define _GNU_SOURCE
#include "base/pages.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define UNIT ((size_t)32 << 10)
enum { REGIONS = 32 };

typedef struct region {
    _Atomic(char *) start;        /* NULL: not there */
    _Atomic uint64_t taken, last; /* last: only of taken ones */
} region;

static region regions[REGIONS];
enum { SPARES = 2, NONE = 0, CLOSED = -1 };
static atomic_int spare[SPARES]; /* 1 + the empty regions that stay; by chance
                                    some that are used again */

char *wf_pages_map(size_t before, size_t bytes)
{
    size_t total = before + bytes + WF_HUGE;
    char *all = mmap(NULL, total, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    size_t excess = ((uintptr_t)all + before) & (WF_HUGE - 1);
    char *base = all + (excess != 0 ? WF_HUGE - excess : 0);
    char *end = base + before + bytes;
    if (base > all)
        munmap(all, (size_t)(base - all));
    if (all + total > end)
        munmap(end, (size_t)(all + total - end));
#ifdef MADV_HUGEPAGE
    madvise(base + before, bytes, MADV_HUGEPAGE); /* may be refused */
#endif
    return base;
}

/* The lowest `units` free ones that are neighbours; 0: there are none. */
static uint64_t find_run(uint64_t taken, int units)
{
    uint64_t starts = ~taken;
    for (int i = 1; i < units; i++)
        starts &= ~taken >> i;
    uint64_t first = starts & (0 - starts);
    return (((uint64_t)1 << units) - 1) * first;
}

/* Unmaps a region if nothing of it is taken; meanwhile it looks full. */
static void discard(region *r)
{
    uint64_t none = 0;
    if (!atomic_compare_exchange_strong(&r->taken, &none, ~(uint64_t)0))
        return;
    char *start = atomic_exchange(&r->start, NULL);
    if (start != NULL)
        munmap(start, WF_HUGE);
    atomic_store_explicit(&r->taken, 0, memory_order_release);
}

/* A place among the spare ones becomes `to`; false: none is `from`. */
static bool change_spare(int from, int to)
{
    for (int i = 0; i < SPARES; i++)
        if (atomic_compare_exchange_strong(&spare[i], &(int){from}, to))
            return true;
    return false;
}

static void give(region *r, uint64_t units)
{
    const int number = 1 + (int)(r - regions);
    if (atomic_fetch_and(&r->taken, ~units) == units &&
        !change_spare(number, number) && !change_spare(NONE, number))
        discard(r);
}

/* A library that is unloaded leaves no empty page behind; what others give
 * back later goes at once. */
__attribute__((destructor)) static void unload(void)
{
    for (int i = 0; i < SPARES; i++)
        atomic_store(&spare[i], CLOSED);
    for (int i = 0; i < REGIONS; i++)
        discard(&regions[i]);
}

/* False: no memory.  Another thread may be faster; its region will do. */
static bool open_region(region *r)
{
    char *none = NULL, *start = wf_pages_map(0, WF_HUGE);
    if (start == NULL)
        return false;
    if (!atomic_compare_exchange_strong(&r->start, &none, start))
        munmap(start, WF_HUGE);
    return true;
}

/* NULL: no room. */
static char *take(region *r, int units)
{
    uint64_t run,
        taken = atomic_load_explicit(&r->taken, memory_order_relaxed);
    do {
        run = find_run(taken, units);
        if (run == 0)
            return NULL;
    } while (!atomic_compare_exchange_weak(&r->taken, &taken, taken | run));
    if (taken == 0)
        change_spare(1 + (int)(r - regions), NONE);
    char *start = atomic_load(&r->start); /* stays, now that a part is ours */
    if (start == NULL) {                  /* it went before that */
        give(r, run);
        return NULL;
    }
    const int first = __builtin_ctzll(run);
    atomic_fetch_or(&r->last, (uint64_t)1 << (first + units - 1));
    return start + (size_t)first * UNIT;
}

/* Where memory is watched for overruns every block is one of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCHED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED true
#endif
#endif
#ifndef WATCHED
#define WATCHED false
#endif

/* Of the regions that are there, the spare one among them, else of a new one. */
char *wf_piece_take(size_t bytes)
{
    const int units = (int)((bytes + UNIT - 1) / UNIT);
    char *piece;
    if (WATCHED)
        return NULL;
    for (int i = 0; i < REGIONS; i++)
        if (atomic_load(&regions[i].start) != NULL &&
            (piece = take(&regions[i], units)) != NULL)
            return piece;
    for (int i = 0; i < REGIONS; i++)
        if (atomic_load(&regions[i].start) == NULL) {
            if (!open_region(&regions[i]))
                return NULL;
            if ((piece = take(&regions[i], units)) != NULL)
                return piece;
        }
    return NULL;
}

/* The region whose piece it is: that one stays while we look. */
static region *region_of(const char *block)
{
    for (int i = 0; i < REGIONS; i++) {
        const char *start = atomic_load(&regions[i].start);
        if (start != NULL && (uintptr_t)block - (uintptr_t)start < WF_HUGE)
            return &regions[i];
    }
    return NULL;
}

bool wf_piece_give(const char *block)
{
    region *r = (uintptr_t)block % UNIT == 0 ? region_of(block) : NULL;
    if (r == NULL)
        return false;
    const int first = (int)((uintptr_t)block % WF_HUGE / UNIT);
    const uint64_t from = ~(uint64_t)0 << first;
    const uint64_t ends = atomic_load(&r->last) & from;
    const uint64_t end = ends & (0 - ends);
    atomic_fetch_and(&r->last, ~end);
    give(r, (end | (end - 1)) & from);
    return true;
}
