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

/* A block is read before it is written. */
static void run_tiles(const wf_tiled *t, const void *in, void *out,
                      int64_t count)
{
    _Alignas(64) char tile[TILE], made[TILE];
    const wf_mover best = wf_mover_best(t->walker.node.real);
    const wf_tile *from = &t->in, *to = &t->out;
    const size_t many = (size_t)count;
    if (from->rows && from->unit == 1)
        WF_MOVE(&best, move_reals, (void *)tile, t->row, 1, in, 1, from->next,
                from->numbers, many);
    else if (from->rows)
        WF_MOVE(&best, transpose, in, from->next / 2, (void *)tile, t->row,
                many, from->numbers);
    t->columns(&t->walker, from->rows ? tile : in, to->rows ? made : out,
               count);
    if (to->rows && to->unit == 1)
        WF_MOVE(&best, move_reals, out, 1, to->next, (const void *)made,
                t->row, 1, to->numbers, many);
    else if (to->rows)
        WF_MOVE(&best, transpose, (const void *)made, t->row, out,
                to->next / 2, to->numbers, many);
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    (void)scratch;
    run_tiles((const wf_tiled *)walker, at->in_re, at->out_re, count);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const wf_tiled *t = what;
    run_tiles(t, in, out, t->walker.inner.n);
}

void wf_tiled_bind(const wf_walk *walk, const size_t numbers[2], int width,
                   wf_tiled_columns *columns, wf_tiled *t)
{
    const int in = walk->in_scalars, out = walk->out_scalars;
    const wf_loop *inner = &t->walker.inner;
    const size_t read = numbers[0] * (size_t)in,
                 written = numbers[1] * (size_t)out,
                 reals = read > written ? read : written;
    t->columns = columns;
    t->in = tile_of(inner->is != in, in, numbers[0], inner->is);
    t->out = tile_of(inner->os != out, out, numbers[1], inner->os);
    t->row = (ptrdiff_t)(TILE / (reals * t->walker.node.bytes)) / width *
             width;
    t->walker.run_block = run_block;
    wf_walker_cut(&t->walker, t->row);
    wf_walker_set_plain(&t->walker, run_plain);
}
