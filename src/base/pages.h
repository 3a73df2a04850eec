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

/* The most bytes of a piece: what is left of a huge page is still of use. */
#define WF_PIECE_MOST ((size_t)3 << 19)

/* So many bytes of a huge page that others share, at a multiple of 32 KiB; what
 * is in them is undefined.  NULL: none can be had. */
char *wf_piece_take(size_t bytes);

/* False: the block is no piece. */
bool wf_piece_give(const char *block);

#endif
