/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stockham_zipped.c - the pass of a stockham step at its zipped end (zipped.h).
 *
 * A few vectors of columns from the front and their mirror images from the back
 * at a time, by way of two tiles that stay in the first cache: so the samples
 * are sorted without a vector of them that goes to the second cache and back.
 */
#include "cpu/stockham.h"

/* Two tiles and what they are made from and into, of a first cache of 32 KiB. */
enum { TILE_BYTES = 8192 };

/* Columns q and on, in vectors, and as many up to mirror. */
static size_t blocks_at(const stockham *s, const pass *p, size_t q,
                        ptrdiff_t *mirror)
{
    const size_t left = p->args.nq / 2 - q;
    const size_t blocks = left < s->blocks ? left : s->blocks;
    *mirror = (ptrdiff_t)(p->args.nq - q - blocks);
    return blocks;
}

void wf_stockham_read_zipped(const stockham *s, const void *in, void *to,
                             char *tiles)
{
    const pass *p = &s->pass[0];
    const size_t bytes = s->node.bytes, half = p->args.nq / 2;
    const ptrdiff_t four = 4 * (ptrdiff_t)s->width;
    const ptrdiff_t rows = p->args.out_q * s->width; /* of a vector */
    const wf_zipper *z = &s->zipper;
    char *tile = tiles, *mirror = tiles + s->tile;
    wf_pass_args args = p->args;
    args.in_leg = z->near;
    for (size_t q = 0; q < half; q += args.nq) {
        ptrdiff_t here = (ptrdiff_t)q, there;
        args.nq = blocks_at(s, p, q, &there);
        void *front = wf_to(to, here * rows, bytes);
        void *back = wf_to(to, there * rows, bytes);
        wf_unzip_legs(z, args.nq * (size_t)s->width,
                      wf_at(in, here * four, bytes),
                      wf_at(in, there * four, bytes), tile, mirror);
        wf_call_pass(p->kernel, tile, tile, front,
                     wf_to(front, s->width, bytes), p->table, &args);
        wf_call_pass(p->kernel, mirror, mirror, back,
                     wf_to(back, s->width, bytes), p->table, &args);
    }
}

/* The last pass of columns q and on into a tile. */
static void fill_tile(const stockham *s, const pass *p,
                      const wf_pass_args *args, const void *from, ptrdiff_t q,
                      void *tile)
{
    const size_t bytes = s->node.bytes;
    const void *in = wf_at(from, q * args->in_q, bytes);
    wf_call_pass(p->kernel, in, wf_at(in, s->width, bytes), tile, tile,
                 wf_at(p->table, q * args->tw_q, bytes), args);
}

void wf_stockham_write_zipped(const stockham *s, const void *from, void *out,
                              char *tiles)
{
    const pass *p = &s->pass[s->passes - 1];
    const size_t bytes = s->node.bytes, half = p->args.nq / 2;
    const ptrdiff_t four = 4 * (ptrdiff_t)s->width;
    const wf_zipper *z = &s->zipper;
    char *tile = tiles, *mirror = tiles + s->tile;
    wf_pass_args args = p->args;
    args.out_leg = z->near;
    for (size_t q = 0; q < half; q += args.nq) {
        ptrdiff_t here = (ptrdiff_t)q, there;
        args.nq = blocks_at(s, p, q, &there);
        fill_tile(s, p, &args, from, here, tile);
        fill_tile(s, p, &args, from, there, mirror);
        wf_zip_legs(z, args.nq * (size_t)s->width,
                    wf_to(out, here * four, bytes),
                    wf_to(out, there * four, bytes), tile, mirror);
    }
}

void wf_stockham_bind_zipped(bool inverse, bool negate, stockham *s)
{
    const pass *p = &s->pass[inverse ? s->passes - 1 : 0];
    const int radix = p->kernel->radix;
    const size_t columns = p->args.nq * (size_t)s->width;
    const size_t block = (size_t)(2 * radix * s->width) * s->node.bytes;
    s->blocks = block < TILE_BYTES ? TILE_BYTES / block : 1;
    s->zipper = (wf_zipper){.mover = wf_mover_best(s->node.real),
                            .bytes = s->node.bytes,
                            .negate = negate,
                            .radix = radix,
                            .far = 4 * (ptrdiff_t)columns,
                            .near = 2 * (ptrdiff_t)s->blocks * s->width};
    s->tile = wf_round64(s->blocks * block);
}
