/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.c - bound column passes: one column in each lane.
 *
 * A block of `width` neighbouring columns goes through self-sorting passes in
 * a scratch block that stays in the second cache: the first pass leaves its
 * butterflies there in such an order that those between it and the last write where
 * they read, from legs side by side.  Every lane uses the same (broadcast) twiddle,
 * so one set of tables serves all widths, and what is left at the right edge runs
 * narrower kernels.  Where those would be SSE2's, of 128 bits, and samples are
 * interleaved on both sides, rows of 256 bits stay as they are: the kernels are those
 * of interleaved passes (interleaved.c), with factors of their own.  Works in place:
 * all of a span is read before any of it is written (one pass: each butterfly writes
 * where it read).
 *
 * Far columns, whose rows lie beyond the second cache, go in spans of several
 * blocks: the first pass reads, and the last one writes, a row of all blocks
 * before the next row, as memory serves four neighbouring lines twice as fast
 * as one or two (docs/performance.md).  Between them each block goes on alone.
 * So do nearer ones whose rows share sets of the first cache (wf_row_piece).
 * While a span is written the rows of the next are fetched, and while a butterfly
 * is read or written those of one to come, if that helps the processor
 * (wf_streaming).  An output that is neither input nor in the caches is written
 * past them, a butterfly of all blocks at a time: rows far apart are else read one
 * by one to be written.
 *
 * At a zipped end (zipped.h) a span is columns from the front and their mirror
 * images from the back: the first pass reads, or the last writes, a butterfly of
 * the ones together with one of the others by way of two tiles.  So are samples
 * read that a pass (half_in) makes of reals, number k together with h - k; column 0
 * and the middle one have their mirror images in themselves.
 */
#include <string.h>

#include "cpu/axis.h"
#include "cpu/convolved.h"
#include "cpu/stream.h"
#include "cpu/zipped.h"

enum {
    MAX_WIDTHS = 5,
    SPAN_BYTES = 1 << 21, /* of the blocks of a span */
    ONE_PASS = 32 /* blocks in one call where there is nothing between */
};

typedef struct level {
    int width;
    int lanes; /* what kernels count of a row: 1, or its columns (interleaved, any) */
    const wf_kernel *kernel[WF_MAX_RADICES];
    const void *tw[WF_MAX_RADICES];
    wf_pass_args args[WF_MAX_RADICES];
} level;

struct wf_column {
    wf_node node;
    int64_t rows;
    int passes, levels;
    int radix[WF_MAX_RADICES];
    bool any;      /* one pass, by a kernel of any number of columns */
    int span;      /* blocks of the widest width in a span, and of scratch */
    bool ahead;    /* the next span may be fetched, */
    int fetch;     /* and the rows of so many butterflies on; 0: none; */
    int written;   /* those that are written, too */
    bool past;     /* whole spans are written past the caches, */
    size_t buffer; /* a butterfly of each block by way of here in scratch; */
    size_t edges;  /* where it has two blocks more; 0: none */
    wf_mover mover;
    wf_column_end in_end, out_end;
    bool beside;      /* blocks begin half a page from the output */
    size_t slot;      /* bytes of a scratch block */
    ptrdiff_t in_row; /* bytes from one row to the next */
    wf_zipper zipper;
    ptrdiff_t zipped_row;    /* scalars, at the zipped end */
    const wf_r2r_pass *half; /* of WF_END_HALVED */
    size_t tile;            /* bytes of a tile, two of them behind the slots */
    wf_convolved convolved; /* instead of passes */
    const void *tw[WF_MAX_RADICES];
    level level[MAX_WIDTHS];
};

/* Are its rows of reals, of either plane or of what half_in is to make? */
static bool is_planar(wf_column_end end)
{
    return end == WF_END_SPLIT || end == WF_END_HALVED;
}

/* Is half of a span from the back? */
static bool is_mirrored(wf_column_end end)
{
    return end == WF_END_ZIPPED || end == WF_END_NEGATED ||
           end == WF_END_HALVED;
}

static bool zips(const wf_column *c)
{
    return is_mirrored(c->in_end) || is_mirrored(c->out_end);
}

wf_column_span wf_column_next(const wf_node *node, int64_t columns)
{
    const wf_column *c = (const wf_column *)node;
    int i = 0;
    while (c->level[i].width > columns)
        i++;
    wf_column_span span = {c->level[i].width, 1};
    if (i == 0)
        span.blocks = columns / span.width < c->span
                          ? (int)(columns / span.width)
                          : c->span;
    return span;
}

static char *slot_of(const wf_column *c, char *scratch, int b)
{
    return scratch + (size_t)b * c->slot;
}

/* Where in a slot butterfly p of the first pass writes, in scalars: p has a digit for
 * the legs of each later pass, of which the last ones are to lie farthest apart. */
static ptrdiff_t place_of(const wf_column *c, int width, int64_t p)
{
    int64_t row = 0;
    for (int i = c->passes - 1; i > 0; i--) {
        row = row * c->radix[i] + p % c->radix[i];
        p /= c->radix[i];
    }
    return (ptrdiff_t)(row * c->radix[0]) * 2 * width;
}

/* Of WF_END_HALVED: those of the first row that come with `count` columns at `at`. */
static const char *halved_back(const wf_column *c, const wf_samples *at,
                               ptrdiff_t count)
{
    const char *first = at->in_im;
    const ptrdiff_t column = (const char *)at->in_re - first;
    return first + c->in_row - column - count * (ptrdiff_t)c->node.bytes;
}

wf_column_ahead wf_column_look_ahead(const wf_node *node, wf_column_span span,
                                     const wf_samples *next)
{
    const wf_column *c = (const wf_column *)node;
    size_t bytes = (size_t)wf_column_count(span) * 2 * node->bytes;
    if (next == NULL || c->passes == 1 || span.blocks == 1 ||
        (!zips(c) && !c->ahead))
        return (wf_column_ahead){0};
    if (c->in_end == WF_END_SPLIT)
        return (wf_column_ahead){next->in_re, next->in_im, c->in_row,
                                 bytes / 2,   2 * c->rows, 2};
    if (c->in_end == WF_END_HALVED)
        return (wf_column_ahead){
            next->in_re, halved_back(c, next, wf_column_count(span) / 2),
            c->in_row,   bytes / 4,
            4 * c->rows, 4};
    if (is_mirrored(c->in_end)) /* half as many rows, twice as long */
        return (wf_column_ahead){next->in_re, next->in_im, 2 * c->in_row,
                                 bytes,       c->rows,     1};
    if (is_mirrored(c->out_end))
        return (wf_column_ahead){next->in_re, next->in_im, c->in_row,
                                 bytes / 2,   2 * c->rows, 1};
    return (wf_column_ahead){next->in_re,   wf_at(next->in_re, c->in_row, 1),
                             2 * c->in_row, bytes,
                             c->rows,       1};
}

/* Butterfly q of all blocks, `dist` apart in the buffer, to its rows. */
static void write_past(const wf_column *c, const wf_pass_args *args,
                       const char *buffer, size_t dist, void *out)
{
    size_t bytes = c->node.bytes;
    int64_t legs = c->rows / (int64_t)args->nq;
    for (int64_t k = 0; k < legs; k++)
        WF_MOVE(&c->mover, stream, wf_to(out, k * args->out_leg, bytes),
                wf_at(buffer, k * (ptrdiff_t)dist, bytes), dist);
}

/* `piece` bytes of each leg of a butterfly, and of its other plane, if any. */
static inline __attribute__((always_inline)) void fetch_legs(const char *re,
                                                             const char *im,
                                                             ptrdiff_t leg,
                                                             ptrdiff_t legs,
                                                             size_t piece)
{
    for (ptrdiff_t k = 0; k < legs; k++) {
        wf_fetch(re + k * leg, piece);
        if (im != NULL)
            wf_fetch(im + k * leg, piece);
    }
}

/* The rows of butterfly q of the last pass, to be written. */
static inline __attribute__((always_inline)) void fetch_written(
    const wf_column *c, const wf_pass_args *args, const wf_samples *at,
    ptrdiff_t q, size_t piece)
{
    const size_t bytes = c->node.bytes;
    const bool split = c->out_end == WF_END_SPLIT;
    fetch_legs(wf_at(at->out_re, q * args->out_q, bytes),
               split ? wf_at(at->out_im, q * args->out_q, bytes) : NULL,
               args->out_leg * (ptrdiff_t)bytes, c->rows / (ptrdiff_t)args->nq,
               piece);
}

/* The last pass: of one block at once, of several each butterfly of all of them
 * before the next. */
static void write_span(const wf_column *c, const level *l, int blocks,
                       const wf_samples *at, char *scratch,
                       wf_column_ahead *ahead)
{
    const int i = c->passes - 1;
    const bool past = c->past && blocks == c->span;
    const size_t bytes = c->node.bytes, count = l->args[i].nq;
    const ptrdiff_t next = c->out_end == WF_END_SPLIT ? l->width
                                                      : 2 * l->width;
    const void *made = slot_of(c, scratch, 0);
    wf_pass_args args = l->args[i];
    if (blocks == 1) {
        wf_column_fetch(ahead, c->rows);
        wf_call_pass(l->kernel[i], made, wf_at(made, l->width, bytes),
                     at->out_re, at->out_im, l->tw[i], &args);
        return;
    }
    args.nq = (size_t)blocks;
    args.in_q = (ptrdiff_t)(c->slot / bytes);
    args.out_q = next;
    args.tw_q = 0;
    if (past)
        args.out_leg = blocks * next;
    for (size_t q = 0; q < count; q++) {
        const ptrdiff_t row = (ptrdiff_t)q * l->args[i].out_q;
        char *re = wf_to(at->out_re, row, bytes), *to = re;
        if (past)
            to = scratch + c->buffer;
        wf_column_fetch(ahead, c->rows / (int64_t)count);
        if (!past && c->written > 0 && q + (size_t)c->written < count)
            fetch_written(c, &l->args[i], at, (ptrdiff_t)q + c->written,
                          (size_t)(blocks * next) * bytes);
        const void *from = wf_at(made, (ptrdiff_t)q * l->args[i].in_q, bytes);
        wf_call_pass(l->kernel[i], from, wf_at(from, l->width, bytes), to,
                     wf_to(at->out_im, row, bytes),
                     wf_at(l->tw[i], (ptrdiff_t)q * l->args[i].tw_q, bytes),
                     &args);
        if (past)
            write_past(c, &l->args[i], to, (size_t)(blocks * next), re);
    }
}

/* Butterfly p of the first pass and its mirror image, by the pass before it. */
static void make_legs(const wf_column *c, const wf_samples *at, ptrdiff_t p,
                      ptrdiff_t step, size_t count, void *tile, void *mirror)
{
    const ptrdiff_t column = (const char *)at->in_re - (const char *)at->in_im;
    const wf_r2r_legs legs = {.row = (size_t)c->zipped_row,
                              .first = (size_t)p,
                              .step = (size_t)step,
                              .legs = (size_t)c->zipper.radix,
                              .column = (size_t)column / c->node.bytes,
                              .count = count,
                              .near = (size_t)c->zipper.near};
    WF_MOVE(&c->zipper.mover, half_in_legs, tile, mirror, at->in_im, c->half,
            &legs);
}

/* The first pass of `half` blocks from the front and as many from the back; or, of
 * WF_END_HALVED, of the front alone. */
static void read_mirrored(const wf_column *c, const level *l, int half,
                          bool alone, const wf_samples *at, char *scratch)
{
    const size_t bytes = c->node.bytes,
                 count = (size_t)half * (size_t)l->width;
    const bool halved = c->in_end == WF_END_HALVED;
    const ptrdiff_t im = halved ? (ptrdiff_t)count : 0; /* in a tile */
    char *tile = scratch + (size_t)c->span * c->slot, *mirror = tile + c->tile;
    char *front = slot_of(c, scratch, 0), *back = slot_of(c, scratch, half);
    wf_pass_args args = l->args[0];
    const ptrdiff_t last = (ptrdiff_t)args.np - 1;
    const ptrdiff_t row = c->zipped_row * (ptrdiff_t)bytes;
    args.np = 1;
    args.nq = (size_t)half;
    for (ptrdiff_t p = 0; p <= last; p++) {
        void *to = wf_to(front, place_of(c, l->width, p), bytes);
        void *other = wf_to(back, place_of(c, l->width, last - p), bytes);
        const char *re = wf_at(at->in_re, p * c->zipped_row, bytes);
        const char *from = wf_at(at->in_im, (last - p) * c->zipped_row, bytes);
        if (!halved && c->fetch > 0 && p + c->fetch <= last)
            wf_zip_fetch(&c->zipper, count, re + c->fetch * row,
                         from - c->fetch * row);
        if (halved)
            make_legs(c, at, p, last + 1, count, tile, mirror);
        else
            wf_unzip_legs(&c->zipper, count, re, from, tile, mirror);
        wf_call_pass(l->kernel[0], tile, wf_at(tile, im, bytes), to,
                     wf_to(to, l->width, bytes), l->tw[0], &args);
        if (!alone)
            wf_call_pass(l->kernel[0], mirror, wf_at(mirror, im, bytes), other,
                         wf_to(other, l->width, bytes), l->tw[0], &args);
    }
}

/* Butterfly q of the last pass, of `half` blocks from b on, into a tile. */
static void fill_tile(const wf_column *c, const level *l, int b, int half,
                      ptrdiff_t q, void *tile, char *scratch)
{
    const int i = c->passes - 1;
    const size_t bytes = c->node.bytes;
    wf_pass_args args = l->args[i];
    args.nq = 1;
    for (int k = 0; k < half; k++) {
        const void *from = wf_at(slot_of(c, scratch, b + k), q * args.in_q,
                                 bytes);
        void *to = wf_to(tile, 2 * (ptrdiff_t)k * l->width, bytes);
        wf_call_pass(l->kernel[i], from, wf_at(from, l->width, bytes), to, to,
                     wf_at(l->tw[i], q * args.tw_q, bytes), &args);
    }
}

static void write_zipped(const wf_column *c, const level *l, int half,
                         const wf_samples *at, char *scratch,
                         wf_column_ahead *ahead)
{
    const size_t bytes = c->node.bytes,
                 count = (size_t)half * (size_t)l->width;
    const ptrdiff_t last = (ptrdiff_t)l->args[c->passes - 1].nq - 1;
    const ptrdiff_t row = c->zipped_row * (ptrdiff_t)bytes;
    const int64_t share = c->rows / (last + 1);
    char *tile = scratch + (size_t)c->span * c->slot, *mirror = tile + c->tile;
    for (ptrdiff_t q = 0; q <= last; q++) {
        char *front = wf_to(at->out_re, q * c->zipped_row, bytes);
        char *back = wf_to(at->out_im, (last - q) * c->zipped_row, bytes);
        if (q < last)
            wf_zip_fetch(&c->zipper, count, front + row, back - row);
        wf_column_fetch(ahead, share);
        fill_tile(c, l, 0, half, q, tile, scratch);
        wf_column_fetch(ahead, share);
        fill_tile(c, l, half, half, last - q, mirror, scratch);
        wf_zip_legs(&c->zipper, count, front, back, tile, mirror);
    }
}

/* The rows of butterfly p of the first pass. */
static inline __attribute__((always_inline)) void fetch_butterfly(
    const wf_column *c, const wf_pass_args *args, const void *in_re,
    const void *in_im, ptrdiff_t p, size_t piece)
{
    const size_t bytes = c->node.bytes;
    const bool split = c->in_end == WF_END_SPLIT;
    fetch_legs(wf_at(in_re, p * args->in_p, bytes),
               split ? wf_at(in_im, p * args->in_p, bytes) : NULL,
               c->in_row * (ptrdiff_t)args->np, c->rows / (ptrdiff_t)args->np,
               piece);
}

/* The first pass of neighbouring blocks; of far ones a butterfly of each before
 * the next, while rows to come are fetched. */
static void read_blocks(const wf_column *c, const level *l, int blocks,
                        const void *in_re, const void *in_im, void *out_re,
                        void *out_im)
{
    const size_t bytes = c->node.bytes;
    const wf_pass_args *all = &l->args[0];
    const ptrdiff_t count = (ptrdiff_t)all->np;
    const size_t piece = (size_t)all->in_q * (size_t)blocks * bytes;
    const ptrdiff_t some = c->fetch > 0 ? 1 /* in one call those of a digit */
                           : c->passes > 1 ? c->radix[c->passes - 1]
                                           : count;
    wf_pass_args args = *all;
    args.np = (size_t)some;
    args.nq *= (size_t)blocks;
    for (ptrdiff_t p = 0; p < count; p += some) {
        const ptrdiff_t place = place_of(c, l->width, p);
        if (c->fetch > 0 && p + c->fetch < count)
            fetch_butterfly(c, all, in_re, in_im, p + c->fetch, piece);
        wf_call_pass(l->kernel[0], wf_at(in_re, p * args.in_p, bytes),
                     wf_at(in_im, p * args.in_p, bytes),
                     wf_to(out_re, place, bytes), wf_to(out_im, place, bytes),
                     l->tw[0], &args);
    }
}

/* The first pass, up to the slots or the other end. */
static void read_span(const wf_column *c, const level *l, int blocks,
                      const wf_samples *at, void *out_re, void *out_im,
                      char *scratch)
{
    if (is_mirrored(c->in_end)) {
        read_mirrored(c, l, (blocks + 1) / 2, blocks == 1, at, scratch);
        return;
    }
    if (!zips(c)) {
        read_blocks(c, l, blocks, at->in_re, at->in_im, out_re, out_im);
        return;
    }
    const int half = blocks / 2;
    read_blocks(c, l, half, at->in_re, at->in_re, out_re, out_im);
    out_re = slot_of(c, scratch, half);
    out_im = wf_to(out_re, l->width, c->node.bytes);
    read_blocks(c, l, half, at->in_im, at->in_im, out_re, out_im);
}

/* All passes of a block that go from where it lies to there. */
static void run_between(const wf_column *c, const level *l, char *block,
                        int moves)
{
    char *im = wf_to(block, l->width, c->node.bytes);
    for (int i = 1; i <= moves; i++)
        wf_call_pass(l->kernel[i], block, im, block, im, l->tw[i],
                     &l->args[i]);
}

/* The passes before the last, of blocks that come to scratch. */
static void bring(const wf_column *c, const level *l, int blocks, int moves,
                  const wf_samples *at, char *scratch)
{
    void *to = slot_of(c, scratch, 0);
    read_span(c, l, blocks, at, to, wf_to(to, l->width, c->node.bytes),
              scratch);
    for (int b = 0; moves > 0 && b < blocks; b++)
        run_between(c, l, slot_of(c, scratch, b), moves);
}

void wf_column_run(const wf_node *node, wf_column_span span,
                   const wf_samples *at, char *scratch, const void **rows,
                   const wf_samples *next)
{
    const wf_column *c = (const wf_column *)node;
    wf_column_ahead ahead = wf_column_look_ahead(node, span, next);
    const level *l = c->level;
    bool to_block = c->out_end == WF_END_BLOCK;
    int between = c->passes - (to_block ? 0 : 1);
    while (l->width != span.width)
        l++;
    if (c->convolved.transform != NULL) {
        const void *block = wf_convolved_run(&c->convolved,
                                             (int)(l - c->level), l->width, at,
                                             scratch);
        if (to_block)
            rows[0] = block;
        return;
    }
    if (c->beside)
        scratch = wf_beside(scratch, at->out_re);
    if (between > 0)
        bring(c, l, span.blocks, between - 1, at, scratch);
    else
        read_span(c, l, span.blocks, at, at->out_re, at->out_im, scratch);
    if (is_mirrored(c->out_end))
        write_zipped(c, l, span.blocks / 2, at, scratch, &ahead);
    else if (between > 0 && !to_block)
        write_span(c, l, span.blocks, at, scratch, &ahead);
    for (int b = 0; to_block && b < span.blocks; b++)
        rows[b] = slot_of(c, scratch, b);
}

int wf_column_part(const wf_node *node)
{
    const wf_column *c = (const wf_column *)node;
    for (int i = 0; i < c->levels && !c->any; i++)
        if (c->level[i].lanes > 1)
            return c->level[i].width;
    return 0;
}

int wf_column_overlap(const wf_node *node, int64_t columns)
{
    const wf_column *c = (const wf_column *)node;
    const level *l = c->level;
    while (l->width > columns)
        l++;
    const int64_t left = columns % l->width;
    const bool two = left > 0 && columns < 2 * l->width; /* as one call */
    return two || left > l->width / 2 ? l->width : 0;
}

bool wf_column_is_single(const wf_node *node)
{
    const wf_column *c = (const wf_column *)node;
    return c->passes == 1 && !zips(c) && c->in_end != WF_END_BLOCK &&
           c->out_end != WF_END_BLOCK;
}

wf_column_call wf_column_as_call(const wf_node *node, int64_t columns,
                                 int64_t planes, ptrdiff_t is, ptrdiff_t os,
                                 bool overlaps)
{
    const wf_column *c = (const wf_column *)node;
    const level *l = c->level;
    while (!c->any && l->width > columns)
        l++;
    const bool one = c->any || columns % l->width == 0;
    /* The first and the last of them as two matrices. */
    const bool two = !one && overlaps && planes == 1 &&
                     columns < 2 * l->width && c->in_end == WF_END_SPLIT &&
                     c->out_end == WF_END_SPLIT;
    if (two) {
        planes = 2;
        is = os = (ptrdiff_t)columns - l->width;
    }
    wf_column_call call = {one || two ? l->kernel[0] : NULL, l->tw[0],
                           l->args[0]};
    call.args.np = (size_t)planes;
    call.args.nq = (size_t)(c->any ? columns : columns / l->width * l->lanes);
    call.args.in_p = is;
    call.args.out_p = os;
    return call;
}

void wf_column_run_single(const wf_node *node, const wf_samples *at,
                          int64_t columns, int64_t planes, ptrdiff_t is,
                          ptrdiff_t os)
{
    const wf_column *c = (const wf_column *)node;
    const ptrdiff_t apart[2] = {c->in_end == WF_END_SPLIT ? 1 : 2,
                                c->out_end == WF_END_SPLIT ? 1 : 2};
    wf_samples here = *at;
    if (c->any) {
        const wf_column_call call = wf_column_as_call(node, columns, planes,
                                                      is, os, false);
        wf_call_pass(call.kernel, at->in_re, at->in_im, at->out_re, at->out_im,
                     NULL, &call.args);
        return;
    }
    for (const level *l = c->level; columns > 0; l++) {
        if (l->width > columns)
            continue;
        const int64_t blocks = columns >> __builtin_ctz((unsigned)l->width);
        const ptrdiff_t done = (ptrdiff_t)blocks * l->width;
        wf_pass_args args = l->args[0];
        args.np = (size_t)planes;
        args.in_p = is;
        args.out_p = os;
        args.nq = (size_t)(blocks * l->lanes);
        wf_call_pass(l->kernel[0], here.in_re, here.in_im, here.out_re,
                     here.out_im, l->tw[0], &args);
        here = wf_samples_at(&here, apart[0] * done, apart[1] * done,
                             node->bytes);
        columns -= done;
    }
}

void wf_column_settle(const wf_node *node)
{
    if (((const wf_column *)node)->past)
        wf_hand_settle();
}

int64_t wf_column_unit(const wf_node *node)
{
    const wf_column *c = (const wf_column *)node;
    return c->level[0].width * (zips(c) ? 2 : 1);
}

int64_t wf_column_units(const wf_node *node, int64_t columns)
{
    int64_t unit = wf_column_unit(node);
    return (columns + unit - 1) / unit;
}

wf_samples wf_column_at(const wf_node *node, const wf_samples *at,
                        int64_t columns, int64_t first, wf_column_span span)
{
    const wf_column *c = (const wf_column *)node;
    const size_t bytes = node->bytes;
    const int64_t end = first + wf_column_count(span);
    const bool split_in = c->in_end == WF_END_SPLIT;
    const bool split_out = c->out_end == WF_END_SPLIT;
    const bool halved = c->in_end == WF_END_HALVED;
    ptrdiff_t in = halved ? 1 : is_mirrored(c->in_end) ? 4 : split_in ? 1 : 2;
    ptrdiff_t out = is_mirrored(c->out_end) ? 4 : split_out ? 1 : 2;
    ptrdiff_t front = zips(c) ? first / 2 : first;
    ptrdiff_t back = halved ? 0 : zips(c) ? columns - end / 2 : first;
    return (wf_samples){
        wf_at(at->in_re, in * front, bytes),
        wf_at(split_in ? at->in_im : at->in_re, in * back, bytes),
        wf_to(at->out_re, out * front, bytes),
        wf_to(split_out ? at->out_im : at->out_re, out * back, bytes)};
}

/* Columns c..stop-1 of them. */
static void run_some(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t columns, int64_t c, int64_t stop)
{
    while (c < stop) {
        wf_column_span span = wf_column_next(node, stop - c), then = {0};
        wf_samples block = wf_column_at(node, at, columns, c, span), next;
        c += wf_column_count(span);
        if (c < stop)
            then = wf_column_next(node, stop - c);
        next = wf_column_at(node, at, columns, c, then);
        wf_column_run(node, span, &block, scratch, NULL,
                      c < stop ? &next : NULL);
    }
}

/* Far columns in front of the first whose rows of the output begin lines, where blocks
 * had better begin, too: malloc's large arrays begin 16 bytes into one. */
static int64_t columns_before_lines(const wf_column *c, const wf_samples *at,
                                    int64_t columns)
{
    enum { LEAST_BLOCKS = 16 }; /* one more at the edges is little then */
    const bool split = c->out_end == WF_END_SPLIT;
    const size_t sample = (split ? 1 : 2) * c->node.bytes;
    const int width = c->level[0].width;
    const int64_t before = wf_before_line(at->out_re, sample);
    if (c->edges == 0 || c->in_row % WF_LINE != 0 || columns % width != 0 ||
        columns / width < LEAST_BLOCKS ||
        (split && wf_before_line(at->out_im, sample) != before))
        return 0;
    return before % width;
}

/* Blocks of the first columns and of the last ones come to scratch before the
 * others, with which they overlap, and go back after them: so a column has the same
 * bits at any address. */
static void run_shifted(const wf_node *node, const wf_samples *at,
                        char *scratch, int64_t columns, int64_t before,
                        int64_t begin, int64_t end)
{
    const wf_column *c = (const wf_column *)node;
    const level *l = &c->level[0];
    const wf_column_span one = {l->width, 1};
    const int64_t inner = columns / l->width - 1; /* blocks between lines */
    const bool has[2] = {begin == 0, begin < inner && inner <= end};
    const int64_t stop = end < inner ? end : inner;
    wf_samples edge[2];
    wf_column_ahead nothing = {0};
    for (int i = 0; i < 2; i++) {
        edge[i] = wf_column_at(node, at, columns,
                               i == 0 ? 0 : columns - l->width, one);
        if (has[i])
            bring(c, l, 1, c->passes - 2, &edge[i],
                  slot_of(c, scratch + c->edges, i));
    }
    run_some(node, at, scratch, columns, before + begin * l->width,
             before + stop * l->width);
    for (int i = 0; i < 2; i++)
        if (has[i])
            write_span(c, l, 1, &edge[i], slot_of(c, scratch + c->edges, i),
                       &nothing);
}

void wf_column_run_units(const wf_node *node, const wf_samples *at,
                         char *scratch, int64_t columns, int64_t begin,
                         int64_t end)
{
    const int64_t unit = wf_column_unit(node);
    const int64_t stop = end * unit < columns ? end * unit : columns;
    const int64_t before = columns_before_lines((const wf_column *)node, at,
                                                columns);
    if (before > 0)
        run_shifted(node, at, scratch, columns, before, begin, end);
    else
        run_some(node, at, scratch, columns, begin * unit, stop);
    wf_column_settle(node);
}

/* Columns in blocks of the widest width that there are enough for. */
static int64_t whole_blocks(const wf_node *node, int64_t columns)
{
    return columns - columns % wf_column_next(node, columns).width;
}

int64_t wf_column_units_apart(const wf_node *node, int64_t columns)
{
    return wf_column_units(node, whole_blocks(node, columns));
}

void wf_column_run_apart(const wf_node *node, const wf_samples *at,
                         char *scratch, int64_t columns, int64_t begin,
                         int64_t end)
{
    const int64_t whole = whole_blocks(node, columns);
    wf_column_run_units(node, at, scratch, whole, begin, end);
    if (whole == columns || end != wf_column_units(node, whole))
        return;
    const wf_column_span span = {wf_column_next(node, columns).width, 1};
    const wf_samples last = wf_column_at(node, at, columns,
                                         columns - span.width, span);
    wf_column_run(node, span, &last, scratch, NULL, NULL);
}

/* ---- Binding ------------------------------------------------------------- */

static wf_kernel_kind kind_of(const wf_column *c, int i)
{
    bool first = i == 0, last = i == c->passes - 1;
    bool split = c->out_end == WF_END_SPLIT || c->out_end == WF_END_BLOCK;
    if (first && last && !split)
        return WF_KERNEL_COL_I;
    if (first)
        return is_planar(c->in_end) || c->in_end == WF_END_BLOCK
                   ? WF_KERNEL_COL_S
                   : WF_KERNEL_COLFIRST;
    return last && !split ? WF_KERNEL_COLLAST_SCALED : WF_KERNEL_COLMID;
}

/* Scalars between two rows at one end. */
static ptrdiff_t row_stride(wf_column_end end, int64_t stride, int width)
{
    if (end == WF_END_BLOCK)
        return 2 * (ptrdiff_t)width;
    return is_planar(end) ? stride : 2 * stride;
}

/* Half as wide would be SSE2's planes.  There is but one such block: its factors
 * are those of one. */
static bool is_interleaved(const wf_binder *binder, const wf_step *step,
                           const wf_column *c, double scale, int width)
{
    bool has = c->levels > 0 && scale == 1 && step->n <= WF_INTERLEAVED_ROWS &&
               c->in_end == WF_END_INTERLEAVED &&
               c->out_end == WF_END_INTERLEAVED &&
               wf_isa_of_width(binder->real, width) == WF_ISA_SSE2;
    for (int i = 0; has && i < step->radices; i++)
        has = wf_kernel_of_width(WF_KERNEL_WITHIN_LAST, binder->real,
                                 2 * width, step->radix[i]) != NULL;
    return has;
}

/* The factors of interleaved rows; the last pass goes from row to row, where these
 * are apart. */
static weft_status interleave(const wf_binder *binder, const wf_step *step,
                              const wf_roots_table *roots, wf_column *c,
                              level *l)
{
    weft_status status = WEFT_OK;
    int64_t s = 1;
    for (int i = 0; status == WEFT_OK && i < step->radices; i++) {
        const wf_turns turns = {.real = binder->real,
                                .lanes = 2 * l->width,
                                .r1 = (int)s,
                                .r2 = step->radix[i],
                                .reversed = binder->inverse,
                                .alike = true,
                                .roots = roots};
        wf_pass_args *args = &l->args[i];
        args->tw_q = 0;
        if (i > 0 && i == step->radices - 1 && args->out_q != args->in_q) {
            args->np = (size_t)s;
            args->nq = (size_t)l->width;
            args->in_p = args->in_q;
            args->out_p = args->out_q;
            args->tw_q = 2 * (ptrdiff_t)(turns.r2 - 1) * turns.lanes;
        }
        status = wf_bind_turns(&c->node, &turns, binder->inverse, &l->tw[i]);
        s *= turns.r2;
    }
    return status;
}

/* One that takes any number of columns, where one pass is all. */
static const wf_kernel *kernel_of_any(const wf_binder *binder,
                                      const wf_step *step)
{
    if (step->kind != WF_STEP_COLUMN || step->radices != 1)
        return NULL;
    return wf_kernel_of_width(WF_KERNEL_COL_ANY, binder->real, step->width,
                              step->radix[0]);
}

static weft_status bind_level(const wf_binder *binder, const wf_step *step,
                              const wf_roots_table *roots, wf_column *c,
                              int64_t in_stride, int64_t out_stride,
                              double scale, int width)
{
    level *l = &c->level[c->levels];
    int64_t s = 1, n = step->n;
    const wf_kernel *any = c->in_end == WF_END_INTERLEAVED &&
                                   c->out_end == WF_END_INTERLEAVED
                               ? kernel_of_any(binder, step)
                               : NULL;
    const bool interleaved = any == NULL &&
                             is_interleaved(binder, step, c, scale, width);
    c->any = any != NULL;
    l->width = width;
    l->lanes = interleaved || c->any ? width : 1;
    memcpy(l->tw, c->tw, sizeof l->tw);
    for (int i = 0; i < step->radices; i++) {
        int r = step->radix[i];
        int64_t m = n / (s * r);
        bool first = i == 0, last = i == step->radices - 1;
        ptrdiff_t in = row_stride(first ? c->in_end : WF_END_BLOCK, in_stride,
                                  width);
        ptrdiff_t out = row_stride(last ? c->out_end : WF_END_BLOCK,
                                   out_stride, width);
        l->kernel[i] = any;
        if (any == NULL)
            l->kernel[i] = wf_kernel_of_width(
                interleaved ? WF_KERNEL_WITHIN_LAST : kind_of(c, i),
                binder->real, interleaved ? 2 * width : width, r);
        if (l->kernel[i] == NULL)
            return wf_fail(WEFT_ERR_UNSUPPORTED,
                           "no column kernel for radix %d at width %d", r,
                           width);
        l->args[i] = (wf_pass_args){
            .np = (size_t)m,
            .nq = (size_t)(s * l->lanes),
            .in_p = first ? in : in * s * r,
            .in_q = in,
            .out_p = first && !last
                         ? out * (n / step->radix[step->radices - 1])
                         : out * s * r,
            .out_q = out,
            .out_leg = out * s,
            .tw_q = 2 * (ptrdiff_t)(r - 1),
            .scale = last ? scale : 1};
        wf_set_legs(&l->args[i], binder->inverse, first ? in * m : in * s, r);
        s *= r;
    }
    c->levels++;
    /* The first pass goes from block to block where others go along q. */
    l->args[0].in_q = is_planar(c->in_end) ? width : 2 * width;
    l->args[0].out_q = (ptrdiff_t)(c->slot / binder->bytes);
    if (step->radices == 1 && c->out_end != WF_END_BLOCK)
        l->args[0].out_q = c->out_end == WF_END_SPLIT ? width : 2 * width;
    if (is_mirrored(c->in_end))
        wf_set_legs(&l->args[0], binder->inverse, c->zipper.near,
                    step->radix[0]);
    if (is_mirrored(c->out_end))
        l->args[c->passes - 1].out_leg = c->zipper.near;
    return interleaved ? interleave(binder, step, roots, c, l) : WEFT_OK;
}

/* Bytes of a row, both planes of it, that near columns write together. */
static size_t near_piece(const wf_column *c, ptrdiff_t stride, size_t bytes)
{
    const size_t planes = c->out_end == WF_END_SPLIT ? 2 : 1;
    if (c->out_end == WF_END_BLOCK || zips(c))
        return 0;
    return planes *
           wf_row_piece(row_stride(c->out_end, stride, 0) * (ptrdiff_t)bytes);
}

/* Slots and spans, for blocks of the widest width.  Where rows of the output are as
 * close as a block's, and legs of the last pass in one set, those that are read and
 * those that are written must not be in the same one. */
static void size_span(wf_column *c, const wf_step *step, size_t bytes,
                      int64_t in_stride, int64_t out_stride)
{
    const bool halved = c->in_end == WF_END_HALVED;
    const size_t block = 2 * (size_t)step->width * bytes;
    const size_t row = halved ? block / 2 : block;
    size_t far = 0;
    if (c->in_end != WF_END_BLOCK)
        far = (size_t)in_stride * (size_t)step->n * 2 * bytes;
    if (c->out_end != WF_END_BLOCK && (size_t)out_stride > (size_t)in_stride)
        far = (size_t)out_stride * (size_t)step->n * 2 * bytes;
    const wf_streaming here = wf_streaming_here();
    const size_t piece = far > here.far ? here.piece
                                        : near_piece(c, out_stride, bytes);
    const int planes = is_planar(c->in_end) ? 2 : 1;
    /* A quotient: the product may be too large. */
    const ptrdiff_t row_reach = (ptrdiff_t)here.reach / (c->rows * planes);
    const bool reaches = c->in_row > row_reach;
    c->ahead = here.ahead && reaches;
    c->fetch = reaches && step->radices > 1 ? here.rows : 0;
    c->written = reaches ? here.written : 0;
    c->slot = wf_round64((size_t)step->n * block);
    c->span = zips(c) ? 2 : 1;
    while (2 * c->span <= WF_MAX_SPAN && 2 * (size_t)c->span * row <= piece &&
           2 * (size_t)c->span * c->slot <= SPAN_BYTES)
        c->span *= 2;
    if (step->radices == 1 && c->out_end != WF_END_BLOCK) {
        c->span = ONE_PASS; /* from end to end */
        return;
    }
    c->node.scratch = c->slot * (size_t)c->span;
    c->beside = c->out_end == WF_END_INTERLEAVED &&
                out_stride <= step->width &&
                step->n / step->radix[step->radices - 1] * out_stride * 2 *
                        (int64_t)bytes % WF_PAGE ==
                    0;
    c->node.scratch += c->beside ? WF_PAGE : 0;
}

/* Rows of x are twice as long as those of columns. */
static void bind_zipper(const wf_binder *binder, const wf_step *step,
                        int64_t stride, wf_column *c)
{
    bool reads = is_mirrored(c->in_end);
    int radix = step->radix[reads ? 0 : step->radices - 1];
    c->zipped_row = c->in_end == WF_END_HALVED ? stride : 4 * stride;
    const wf_isa isa = wf_isa_of_width(binder->real, step->width);
    c->zipper = (wf_zipper){.mover = c->in_end == WF_END_HALVED
                                         ? wf_mover_of_isa(binder->real, isa)
                                         : wf_mover_best(binder->real),
                            .bytes = binder->bytes,
                            .negate = (reads ? c->in_end : c->out_end) ==
                                      WF_END_NEGATED,
                            .radix = radix,
                            .far = step->n / radix * c->zipped_row,
                            .near = (ptrdiff_t)step->width * c->span};
    c->tile = wf_round64((size_t)(radix * c->zipper.near) * binder->bytes);
    c->node.scratch += 2 * c->tile;
}

static weft_status bind_tables(const wf_binder *binder, const wf_step *step,
                               const wf_roots_table *roots, wf_column *c,
                               double scale)
{
    int64_t s = step->radix[0];
    for (int i = 1; i < step->radices; i++) {
        int r = step->radix[i];
        void *table = wf_node_table(&c->node, (size_t)s * 2 * (size_t)(r - 1));
        if (table == NULL)
            return wf_no_memory();
        wf_table_broadcast(binder->real, roots, s, r, binder->inverse,
                           i == step->radices - 1 ? scale : 1, table);
        c->tw[i] = table;
        s *= r;
    }
    return WEFT_OK;
}

static bool has_all_levels(const wf_column *c)
{
    return c->levels > 0 && c->level[c->levels - 1].width == 1;
}

static weft_status bind_passes(const wf_binder *binder, const wf_step *step,
                               wf_column *c, int64_t in_stride,
                               int64_t out_stride, double scale)
{
    c->passes = step->radices;
    memcpy(c->radix, step->radix, sizeof c->radix);
    size_span(c, step, binder->bytes, in_stride, out_stride);
    if (zips(c))
        bind_zipper(binder, step,
                    is_mirrored(c->in_end) ? in_stride : out_stride, c);
    wf_roots_table roots;
    weft_status status = wf_roots_make(step->n, binder->inverse, &roots);
    if (status == WEFT_OK)
        status = bind_tables(binder, step, &roots, c, scale);
    const int *width = wf_cpu_widths(binder->type);
    for (; status == WEFT_OK && *width != 0; width++)
        if (*width <= step->width)
            status = bind_level(binder, step, &roots, c, in_stride, out_stride,
                                scale, *width);
    wf_roots_drop(&roots);
    return status;
}

/* One block after the other; another step scales. */
static weft_status bind_convolved(const wf_binder *binder, const wf_step *step,
                                  wf_column *c, int64_t in_stride,
                                  int64_t out_stride, double scale)
{
    if (zips(c) || c->in_end == WF_END_BLOCK || scale != 1)
        return wf_fail(WEFT_ERR_ARGUMENT, "convolved %lld: not for these ends",
                       (long long)step->n);
    c->span = 1;
    for (const int *width = wf_cpu_widths(binder->type); *width != 0; width++)
        if (*width <= step->width)
            c->level[c->levels++].width = *width;
    c->convolved.in_end = c->in_end;
    c->convolved.out_end = c->out_end;
    c->convolved.in_row = row_stride(c->in_end, in_stride, 0);
    c->convolved.out_row = row_stride(c->out_end, out_stride, 0);
    return wf_convolved_bind(binder, step, &c->node, &c->convolved);
}

/* One column that is contiguous numbers, in place; of block ends. */
static void run_one(const wf_node *node, const wf_samples *at, char *scratch)
{
    const wf_column *c = (const wf_column *)node;
    const void *made;
    const wf_samples one = {at->in_re, wf_at(at->in_re, 1, node->bytes), NULL,
                            NULL};
    wf_column_run(node, (wf_column_span){1, 1}, &one, scratch, &made, NULL);
    memcpy(at->out_re, made, 2 * (size_t)c->rows * node->bytes);
}

weft_status wf_bind_column(const wf_binder *binder, const wf_step *step,
                           wf_column_end in_end, int64_t in_stride,
                           wf_column_end out_end, int64_t out_stride,
                           double scale, wf_node **node)
{
    const bool blocks = in_end == WF_END_BLOCK && out_end == WF_END_BLOCK;
    wf_column *c = (wf_column *)wf_node_new(binder, sizeof *c,
                                            blocks ? run_one : NULL);
    *node = NULL;
    if (c == NULL)
        return wf_no_memory();
    c->rows = step->n;
    c->in_end = in_end;
    c->out_end = out_end;
    c->in_row = row_stride(in_end, in_stride, step->width) *
                (ptrdiff_t)binder->bytes;
    weft_status status = (step->kind == WF_STEP_CONVOLVED
                              ? bind_convolved
                              : bind_passes)(binder, step, c, in_stride,
                                             out_stride, scale);
    if (status == WEFT_OK && !has_all_levels(c))
        status = wf_fail(WEFT_ERR_ARGUMENT, "no column kernels of width %d",
                         step->width);
    if (status != WEFT_OK) {
        wf_node_free(&c->node);
        return status;
    }
    *node = &c->node;
    return WEFT_OK;
}

void wf_column_halve(wf_node *node, const wf_r2r_pass *half)
{
    ((wf_column *)node)->half = half;
}

void wf_column_past(wf_node *node)
{
    wf_column *c = (wf_column *)node;
    const level *l = &c->level[0];
    /* Blocks narrower than a line cannot write whole ones. */
    if (WF_HAND_STREAMS == 0 || c->span == 1 || c->passes == 1 ||
        c->out_end != WF_END_INTERLEAVED ||
        2 * (size_t)l->width * node->bytes < WF_LINE)
        return;
    size_t legs = (size_t)c->rows / l->args[c->passes - 1].nq;
    c->past = true;
    c->mover = wf_mover_best(node->real);
    c->buffer = node->scratch;
    node->scratch += wf_round64(legs * (size_t)(2 * l->width * c->span) *
                                node->bytes);
}

void wf_column_align(wf_node *node)
{
    wf_column *c = (wf_column *)node;
    if (c->span == 1 || c->passes == 1 || c->beside ||
        c->in_end != c->out_end || zips(c) || c->in_end == WF_END_BLOCK)
        return;
    c->edges = node->scratch;
    node->scratch += 2 * c->slot;
}
