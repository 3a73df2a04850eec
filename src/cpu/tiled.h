/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tiled.h - short real transforms of neighbours that are rows on a side: there they are
 * neighbours in a tile in the first cache, which whole registers transpose.
 */
#ifndef WEFT_CPU_TILED_H
#define WEFT_CPU_TILED_H

#include "cpu/walker.h"

/* One side of a block of them. */
typedef struct wf_tile {
    bool rows;      /* of numbers, else neighbours, which need none */
    size_t numbers; /* of a transform, of so many reals each: */
    int unit;       /* 1 or 2 */
    ptrdiff_t next; /* reals from one row to the next */
} wf_tile;

/* Neighbours to neighbours, of a tile or the user's. */
typedef void wf_tiled_columns(const wf_walker *walker, const void *in,
                              void *out, int64_t count);

/* The first member of a node that may go by tiles. */
typedef struct wf_tiled {
    wf_walker walker;
    wf_tiled_columns *columns;
    wf_tile in, out;
    ptrdiff_t row; /* numbers of a tile's row, the most that one block has */
} wf_tiled;

/* From the walk, whose inner loop is to be neighbours; the walker goes by tiles from
 * now on, cut into blocks that fit. */
void wf_tiled_bind(const wf_walk *walk, const size_t numbers[2], int width,
                   wf_tiled_columns *columns, wf_tiled *t);
/* Reals from one number of a transform to the next, where the columns read and write;
 * `stride`: where they are no rows. */
static inline ptrdiff_t wf_tiled_leg(const wf_tiled *t, const wf_tile *side,
                                     ptrdiff_t stride)
{
    return side->rows ? side->unit * t->row : stride;
}

#endif
