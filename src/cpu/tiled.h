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

typedef struct wf_tiled {
    wf_real real;
    wf_tile in, out;
    ptrdiff_t row; /* numbers of a tile's row, the most that one block has */
} wf_tiled;

/* Neighbours to neighbours, of a tile or the user's. */
typedef void wf_tiled_columns(const wf_walker *walker, const void *in,
                              void *out, int64_t count);

/* From the walk, whose inner loop is to be neighbours; `reals`: of a transform on the
 * larger side.  The walker is cut into blocks that fit. */
void wf_tiled_bind(const wf_binder *binder, const wf_walk *walk,
                   const size_t numbers[2], int64_t reals, int width,
                   wf_walker *walker, wf_tiled *t);
/* Reals from one number of a transform to the next, where the columns read and write;
 * `stride`: where they are no rows. */
static inline ptrdiff_t wf_tiled_leg(const wf_tiled *t, const wf_tile *side,
                                     ptrdiff_t stride)
{
    return side->rows ? side->unit * t->row : stride;
}
/* A block is read before it is written. */
void wf_tiled_run(const wf_tiled *t, const wf_walker *walker, const void *in,
                  void *out, int64_t count, wf_tiled_columns *columns);

#endif
