/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies.c - copies of samples from one layout to another.
 *
 * Elements that are neighbours on both sides go together, as one item of so many
 * bytes; nothing but its size matters.  Of the loops over items, x is the nearest
 * in the output and y the nearest in the input.  If they are the same one, y is
 * the next, and the items of planes are copied line by line; else planes are
 * transposed: by the kernels of transpose_tmpl.c or move_tmpl.c where items of
 * 4, 8 or 16 bytes adjoin on both sides, or, of other sizes and strides, halved until
 * a part is a tile whose lines stay in the first cache, item by item.
 */
#include "cpu/copies.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/axis.h"
#include "cpu/move.h"
#include "cpu/stream.h"

/* Sides of tiles, of 8, 16, 32, 48 and 64: of items of 4 bytes, of others, and of those
 * that kernels take whole but for what is fetched before each.  Planes are cut at
 * multiples of CUT, and not where a side is SHORT. */
enum { REALS_TILE = 64, TILE = 32, FETCHED_TILE = 16, CUT = 16, SHORT = 8 };

typedef struct copies copies;
typedef void wf_plane(const copies *c, const char *in, char *out, int64_t nx,
                      int64_t ny);

struct copies {
    wf_node node;
    wf_mover mover; /* has both tables: an item is what has its size */
    wf_plane *part; /* copies one of a plane */
    int64_t most;   /* the longest side of it */
    wf_nest outer;
    wf_loop x, y; /* in bytes */
    size_t item;
    bool split;
    bool fetch; /* lines of the output, before they are written */
};

/* ---- Planes ------------------------------------------------------------- */

/* Four at a time, whose places are reckoned from the first: a pointer that goes from one
 * to the next is there a cycle later. */
static inline void copy_items(const copies *c, const char *in, char *out,
                              int64_t nx, int64_t ny, size_t item)
{
    const ptrdiff_t is = c->x.is, os = c->x.os;
    for (int64_t y = 0; y < ny; y++, in += c->y.is, out += c->y.os) {
        const char *from = in;
        char *to = out;
        int64_t x = 0;
        for (; x + 4 <= nx; x += 4, from += 4 * is, to += 4 * os)
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++)
                memcpy(to + i * os, from + i * is, item);
        for (; x < nx; x++, from += is, to += os)
            memcpy(to, from, item);
    }
}

static void copy_plane(const copies *c, const char *in, char *out, int64_t nx,
                       int64_t ny)
{
    switch (c->item) { /* one or two moves each */
    case 4: copy_items(c, in, out, nx, ny, 4); break;
    case 8: copy_items(c, in, out, nx, ny, 8); break;
    case 12: copy_items(c, in, out, nx, ny, 12); break;
    case 16: copy_items(c, in, out, nx, ny, 16); break;
    case 24: copy_items(c, in, out, nx, ny, 24); break;
    case 32: copy_items(c, in, out, nx, ny, 32); break;
    case 48: copy_items(c, in, out, nx, ny, 48); break;
    default: copy_items(c, in, out, nx, ny, c->item); break;
    }
}

/* Lines of so many rows that are about to be written.  Inlined as wf_fetch is. */
static inline __attribute__((always_inline)) void fetch_rows(const char *row,
                                                             ptrdiff_t apart,
                                                             int64_t rows,
                                                             ptrdiff_t bytes)
{
    for (int64_t r = 0; r < rows; r++, row += apart) {
        for (ptrdiff_t at = 0; at < bytes; at += WF_LINE)
            __builtin_prefetch(row + at, 1);
        __builtin_prefetch(row + bytes - 1, 1);
    }
}

/* Parts of a plane, the longer side halved until it is no longer than `most`, or
 * the other one is short. */
static void copy_parts(const copies *c, const char *in, char *out, int64_t nx,
                       int64_t ny)
{
    if (nx <= SHORT || ny <= SHORT || (nx <= c->most && ny <= c->most)) {
        if (c->fetch)
            fetch_rows(out, c->y.os, ny, nx * (ptrdiff_t)c->item);
        c->part(c, in, out, nx, ny);
    } else if (nx >= ny) {
        const int64_t half = (nx / 2 + CUT - 1) / CUT * CUT;
        copy_parts(c, in, out, half, ny);
        copy_parts(c, in + half * c->x.is, out + half * c->x.os, nx - half,
                   ny);
    } else {
        const int64_t half = (ny / 2 + CUT - 1) / CUT * CUT;
        copy_parts(c, in, out, nx, half);
        copy_parts(c, in + half * c->y.is, out + half * c->y.os, nx,
                   ny - half);
    }
}

/* One row of reals or numbers that have, on one side, gaps of one. */
static void copy_seconds(const copies *c, const void *in, void *out, size_t n)
{
    const wf_mover *m = &c->mover;
    const size_t bytes = c->node.bytes;
    const bool spread = c->x.os != (ptrdiff_t)c->item;
    if (c->item == bytes)
        WF_MOVE(m, move_reals, out, spread ? 2 : 1, 0, in, spread ? 1 : 2, 0,
                n, 1);
    else if (spread)
        WF_MOVE(m, scatter_many, in, out, wf_to(out, 1, bytes), 4, n, 0, 1, 0);
    else
        WF_MOVE(m, gather_many, out, in, wf_at(in, 1, bytes), 4, n, 0, 1, 0);
}

static void copy_seconds_plane(const copies *c, const char *in, char *out,
                               int64_t nx, int64_t ny)
{
    for (int64_t y = 0; y < ny; y++, in += c->y.is, out += c->y.os)
        copy_seconds(c, in, out, (size_t)nx);
}

/* Few rows are channels, on either side. */
static void transpose_tile(const copies *c, const char *in, char *out,
                           int64_t nx, int64_t ny)
{
    enum { BYTES = sizeof(float) };
    float *to = (float *)(void *)out;
    const float *from = (const float *)(const void *)in;
    const ptrdiff_t is = c->x.is / BYTES, os = c->y.os / BYTES;
    if (nx < ny)
        c->mover.f32->move_reals(to, os, 1, from, 1, is, (size_t)ny,
                                 (size_t)nx);
    else
        c->mover.f32->move_reals(to, 1, os, from, is, 1, (size_t)nx,
                                 (size_t)ny);
}

static void transpose_eights(const copies *c, const char *in, char *out,
                             int64_t nx, int64_t ny)
{
    c->mover.f32->transpose((const float *)(const void *)in,
                            c->x.is / WF_FLOATS_NUMBER, (float *)(void *)out,
                            c->y.os / WF_FLOATS_NUMBER, (size_t)nx,
                            (size_t)ny);
}

static void transpose_sixteens(const copies *c, const char *in, char *out,
                               int64_t nx, int64_t ny)
{
    c->mover.f64->transpose((const double *)(const void *)in,
                            c->x.is / WF_DOUBLES_NUMBER, (double *)(void *)out,
                            c->y.os / WF_DOUBLES_NUMBER, (size_t)nx,
                            (size_t)ny);
}

/* ---- Running ------------------------------------------------------------ */

static void run_plain(const void *what, const void *in, void *out)
{
    const copies *c = what;
    copy_parts(c, in, out, c->x.n, c->y.n);
}

/* One plane that is one part. */
static void run_part(const void *what, const void *in, void *out)
{
    const copies *c = what;
    c->part(c, in, out, c->x.n, c->y.n);
}

static void run_planes(const copies *c, const char *in, char *out)
{
    wf_cursor cursor;
    wf_cursor_set(&c->outer, 0, &cursor);
    for (int64_t i = 0; i < c->outer.count; i++) {
        run_plain(c, in + cursor.in, out + cursor.out);
        wf_cursor_next(&c->outer, &cursor);
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const copies *c = (const copies *)node;
    (void)scratch;
    run_planes(c, at->in_re, at->out_re);
    if (c->split)
        run_planes(c, at->in_im, at->out_im);
}

/* ---- Binding ------------------------------------------------------------ */

/* The loop with the shortest stride in the output, or the input; -1: none. */
static int nearest(const weft_dim *loop, int loops, bool input)
{
    int best = -1;
    for (int i = 0; i < loops; i++)
        if (best < 0 || (input ? llabs(loop[i].is) < llabs(loop[best].is)
                               : llabs(loop[i].os) < llabs(loop[best].os)))
            best = i;
    return best;
}

/* Takes loop i out of them; one turn where there is none. */
static weft_dim take(weft_dim *loop, int *loops, int i)
{
    if (i < 0)
        return (weft_dim){1, 0, 0};
    const weft_dim taken = loop[i];
    --*loops;
    for (; i < *loops; i++)
        loop[i] = loop[i + 1];
    return taken;
}

static wf_loop in_bytes(weft_dim loop, size_t element)
{
    return (wf_loop){loop.n, (ptrdiff_t)element * loop.is,
                     (ptrdiff_t)element * loop.os};
}

/* Registers of four items meet two lines in most rows that are no whole lines
 * apart, which takes longer than item by item; past the caches whole lines do not.
 * (c2c:f64:-*47/213/1x213/1/47 4.0 us, by items 3.1; 21 x 23 230 ns, 140;
 * 1001 x 1003 1.25 ms, 1.5.) */
static bool takes_items(const copies *c)
{
    const size_t bytes = 2 * c->item * (size_t)c->x.n * (size_t)c->y.n;
    return c->x.n > SHORT && c->y.n > SHORT &&
           (c->x.is | c->y.os) % WF_LINE != 0 &&
           bytes < wf_cpu_cache_size(3) / 2;
}

/* Of planes beyond the first cache, where the processor gains by it.  Rows that are a
 * multiple of 1 KiB apart have their lines in few sets, which lose them again: they wait
 * for the second cache to be too small. */
static bool fetches(const copies *c)
{
    const size_t bytes = 2 * c->item * (size_t)c->x.n * (size_t)c->y.n;
    return wf_streaming_here().lines && c->x.n > SHORT && c->y.n > SHORT &&
           bytes > wf_cpu_cache_size(c->y.os % 1024 == 0 ? 2 : 1);
}

/* Every second real or number, of rows that are several vectors: to close the gaps
 * vectors shuffle, to leave them they are stored by masks. */
static bool has_seconds(const copies *c)
{
    enum { LEAST = 96 };
    const int64_t item = (int64_t)c->item;
    const bool closed = c->x.is == 2 * item && c->x.os == item,
               spread = c->x.is == item && c->x.os == 2 * item;
    return c->item <= 2 * c->node.bytes && c->x.n >= LEAST &&
           (closed || (spread && wf_mover_has_lines(&c->mover)));
}

static void set_parts(copies *c, bool lines)
{
    const int64_t item = (int64_t)c->item;
    const bool doubles = c->node.bytes == sizeof(double);
    c->part = copy_plane;
    c->most = lines ? INT64_MAX : TILE;
    if (lines && has_seconds(c))
        c->part = copy_seconds_plane;
    if (lines || c->x.os != item || c->y.is != item || c->x.is % item ||
        c->y.os % item)
        return;
    if (item == 4) {
        c->part = transpose_tile;
        c->most = REALS_TILE;
        c->fetch = fetches(c);
    } else if (item == 8 || (item == 16 && doubles && !takes_items(c))) {
        c->part = item == 8 ? transpose_eights : transpose_sixteens;
        c->fetch = fetches(c);
        c->most = c->fetch ? FETCHED_TILE : INT64_MAX;
    }
}

weft_status wf_bind_copies(const wf_binder *binder, const weft_dim *dims,
                           int count, wf_form format, wf_node **node)
{
    *node = NULL;
    copies *c = (copies *)wf_node_new(binder, sizeof *c, run);
    if (c == NULL)
        return wf_no_memory();
    weft_dim loop[2 * WEFT_MAX_RANK];
    int loops = 0;
    for (int i = 0; i < count; i++)
        if (dims[i].n > 1)
            loop[loops++] = dims[i];
    wf_merge_loops(loop, &loops);
    c->mover = (wf_mover){.real = binder->real,
                          .f64 = wf_mover_best(WF_F64).f64,
                          .f32 = wf_mover_best(WF_F32).f32};
    c->split = format == WF_SPLIT;
    const size_t element = binder->bytes * (format == WF_INTERLEAVED ? 2 : 1);
    c->item = element;
    int i = nearest(loop, loops, false);
    if (i >= 0 && loop[i].is == 1 && loop[i].os == 1)
        c->item *= (size_t)take(loop, &loops, i).n;
    const weft_dim x = take(loop, &loops, nearest(loop, loops, false));
    i = nearest(loop, loops, true);
    const bool lines = i < 0 || llabs(loop[i].is) > llabs(x.is);
    if (lines)
        i = nearest(loop, loops, false);
    c->x = in_bytes(x, element);
    c->y = in_bytes(take(loop, &loops, i), element);
    c->outer = (wf_nest){.count = 1};
    for (i = 0; i < loops; i++)
        wf_nest_add(&c->outer, loop[i], (int)element, (int)element);
    set_parts(c, lines);
    if (c->outer.count == 1 && !c->split) {
        c->node.run = wf_node_run_plain;
        const bool one = c->most == INT64_MAX && !c->fetch;
        c->node.plain = (wf_plain){one ? run_part : run_plain, c};
    }
    *node = &c->node;
    return WEFT_OK;
}
