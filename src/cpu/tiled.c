/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tiled.c - see tiled.h.
 */
#include "cpu/tiled.h"

#include "cpu/move.h"

enum { TILE = 8 << 10 }; /* bytes, on the stack */

static wf_tile tile_of(bool rows, int unit, size_t numbers, ptrdiff_t next)
{
    const wf_tile tile = {rows, numbers, unit, next};
    return tile;
}

void wf_tiled_bind(const wf_binder *binder, const wf_walk *walk,
                   const size_t numbers[2], int64_t reals, int width,
                   wf_walker *walker, wf_tiled *t)
{
    const int in = walk->in_scalars, out = walk->out_scalars;
    const wf_loop *inner = &walker->inner;
    wf_walker_cut(walker,
                  TILE / (reals * (int64_t)binder->bytes) / width * width);
    *t = (wf_tiled){.real = binder->real,
                    .in = tile_of(inner->is != in, in, numbers[0], inner->is),
                    .out = tile_of(inner->os != out, out, numbers[1],
                                   inner->os),
                    .row = walker->block};
}

void wf_tiled_run(const wf_tiled *t, const wf_walker *walker, const void *in,
                  void *out, int64_t count, wf_tiled_columns *columns)
{
    _Alignas(64) char tile[TILE], made[TILE];
    const wf_mover best = wf_mover_best(t->real);
    const wf_tile *from = &t->in, *to = &t->out;
    const size_t many = (size_t)count;
    if (from->rows && from->unit == 1)
        WF_MOVE(&best, move_reals, (void *)tile, t->row, 1, in, 1, from->next,
                from->numbers, many);
    else if (from->rows)
        WF_MOVE(&best, transpose, in, from->next / 2, (void *)tile, t->row,
                many, from->numbers);
    columns(walker, from->rows ? tile : in, to->rows ? made : out, count);
    if (to->rows && to->unit == 1)
        WF_MOVE(&best, move_reals, out, 1, to->next, (const void *)made,
                t->row, 1, to->numbers, many);
    else if (to->rows)
        WF_MOVE(&best, transpose, (const void *)made, t->row, out,
                to->next / 2, to->numbers, many);
}
