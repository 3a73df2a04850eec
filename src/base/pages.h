/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.h - memory by pages, for alloc.c alone.
 */
#ifndef WEFT_BASE_PAGES_H
#define WEFT_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WF_HUGE ((size_t)2 << 20)

/* `before` + bytes of zeros, of which those behind `before` begin at a
 * multiple of WF_HUGE and are advised as huge pages; NULL: no memory.  Both
 * are multiples of every page size in use; to be given back by munmap. */
char *wf_pages_map(size_t before, size_t bytes);

/* A part of a huge page that others share. */
typedef struct wf_piece {
    char *start; /* at a multiple of 32 KiB */
    int region;
    uint64_t units;
} wf_piece;

/* The most bytes of a piece. */
#define WF_PIECE_MOST (((size_t)1 << 20) + ((size_t)32 << 10))

/* False: none can be had.  What is in it is undefined. */
bool wf_piece_take(size_t bytes, wf_piece *piece);
void wf_piece_give(const wf_piece *piece);

#endif
