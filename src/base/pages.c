/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - huge pages, whole and in pieces.
 *
 * The first touch of a page of 4 KiB takes 1.2 us and giving it back 0.2 us
 * (Linux 6.18 on a virtual Zen 4), that of a page of 2 MiB 42 us: no more than
 * 35 small ones, 140 KiB.  Tables of plans are larger soon, and were most of
 * the time that planning took.  So blocks of middle size are pieces of huge
 * pages: regions of 64 units, a word of bits saying which are taken.
 *
 * Words are changed by compare-and-swap, so nothing waits and nothing is locked
 * when a process forks.  A region whose last piece is given back is given back
 * itself, but for one: 2 MiB stay, for the next plan to find.
 */
#define _GNU_SOURCE
#include "base/pages.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define UNIT ((size_t)32 << 10)
enum { REGIONS = 32 };

typedef struct region {
    _Atomic(char *) start; /* NULL: not there */
    _Atomic uint64_t taken;
} region;

static region regions[REGIONS];
enum { NONE = -1, CLOSED = -2 };
static atomic_int spare = NONE; /* the empty region that stays; by chance one
                                   that is used again */

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

static void give(region *r, uint64_t units)
{
    const int index = (int)(r - regions);
    int other = NONE;
    if (atomic_fetch_and(&r->taken, ~units) == units &&
        !atomic_compare_exchange_strong(&spare, &other, index) &&
        other != index)
        discard(r);
}

/* A library that is unloaded leaves no empty page behind; what others give
 * back later goes at once. */
__attribute__((destructor)) static void unload(void)
{
    atomic_store(&spare, CLOSED);
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

static bool take(region *r, int units, wf_piece *piece)
{
    uint64_t taken = atomic_load_explicit(&r->taken, memory_order_relaxed);
    do {
        piece->units = find_run(taken, units);
        if (piece->units == 0)
            return false;
    } while (!atomic_compare_exchange_weak(&r->taken, &taken,
                                           taken | piece->units));
    int index = (int)(r - regions);
    if (taken == 0)
        atomic_compare_exchange_strong(&spare, &(int){index}, NONE);
    piece->start = atomic_load(&r->start); /* stays, now that a part is ours */
    if (piece->start == NULL) {            /* it went before that */
        give(r, piece->units);
        return false;
    }
    piece->start += (size_t)__builtin_ctzll(piece->units) * UNIT;
    piece->region = index;
    return true;
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
bool wf_piece_take(size_t bytes, wf_piece *piece)
{
    const int units = (int)((bytes + UNIT - 1) / UNIT);
    if (WATCHED)
        return false;
    for (int i = 0; i < REGIONS; i++)
        if (atomic_load(&regions[i].start) != NULL &&
            take(&regions[i], units, piece))
            return true;
    for (int i = 0; i < REGIONS; i++)
        if (atomic_load(&regions[i].start) == NULL) {
            if (!open_region(&regions[i]))
                return false;
            if (take(&regions[i], units, piece))
                return true;
        }
    return false;
}

void wf_piece_give(const wf_piece *piece)
{
    give(&regions[piece->region], piece->units);
}
