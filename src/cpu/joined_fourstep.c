/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined_fourstep.c - Bluestein's convolution of two parts by a four-step whose
 * trips meet the products in the second cache.
 *
 * What a convolution multiplies by can be in any order, and so is the spectrum
 * between the way forth and the way back: nothing is sorted, and both ways are
 * three trips together, not four.  m = n1 n2 numbers are an n1 x n2 matrix:
 *
 *   begin  spans of columns, times both chirps: transforms of n1, factors,
 *          turned into tiles
 *   turn   rows, a row in each lane: transforms of n2, times spectrum,
 *          transforms back, all where they lie
 *   end    columns from tiles, factors, transforms of n1 back; spans of both
 *          parts times chirp, sum
 *
 * The parts' twists are conjugates (docs/math.md), and the sequence is even: so
 * the second part goes forth by the inverse transform, and meets the spectrum of
 * the first one.  The chirp is one list, twists are products of a row's and a
 * column's: half as many numbers as two spectra and two lists, which come from
 * memory.
 *
 * Rows k to k + width are a strip: n2 rows of blocks, re and im apart, that are
 * columns for `turn`.  A tile is what it shares with as many columns, width^2
 * numbers that lie together; a tile more between strips keeps those of a column
 * out of each other's sets of the caches.
 * Source: Gentleman and Sande 1966; Bailey 1990.
 */
#include "cpu/joined.h"

#include "cpu/fourstep.h"
#include "cpu/nest.h"
#include "cpu/stream.h"

/* Of a span's blocks, both parts': where all comes from memory long rows are worth
 * more than that the second cache has room for the next ones (AVX-512 f64, 512
 * columns of 2^20: 22.4 ms, with 256 KiB 24.6; of 409600 8.1, 7.5). */
enum { SPAN_BYTES = 256 << 10, FAR_SPAN_BYTES = 1 << 20, MOST_BLOCKS = 8 };

/* Neighbouring blocks of columns in a span, of so many bytes each. */
static int64_t blocks_of(int64_t all, size_t bytes, bool far)
{
    const size_t most = far ? FAR_SPAN_BYTES : SPAN_BYTES;
    int64_t blocks = 1;
    while (2 * blocks <= MOST_BLOCKS && all % (2 * blocks) == 0 &&
           4 * (size_t)blocks * bytes <= most)
        blocks *= 2;
    return blocks;
}

/* ---- Binding ------------------------------------------------------------- */

/* Transforms of both signs from rows that are `in` scalars apart to others. */
static weft_status bind_columns(const wf_binder *binder, const wf_step *step,
                                int64_t in, int64_t out, wf_node *node,
                                const wf_node *columns[2])
{
    wf_binder one = *binder;
    for (int i = 0; i < 2; i++, one.inverse = !one.inverse) {
        wf_node *child;
        weft_status status = wf_bind_column(&one, step, WF_END_SPLIT, in,
                                            WF_END_SPLIT, out, 1, &child);
        if (status != WEFT_OK)
            return status;
        wf_node_adopt(node, child);
        columns[i] = child;
    }
    return WEFT_OK;
}

static void size_scratch(wf_joined_fourstep *j, size_t block)
{
    const wf_joined_rows *u = &j->users;
    const wf_node *all[] = {j->forth[0], j->forth[1], j->back[0],
                            j->back[1],  j->row[0],   j->row[1]};
    size_t most = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        most = all[i]->scratch > most ? all[i]->scratch : most;
    j->block = wf_round64(block);
    j->span = wf_round64(block * (size_t)j->blocks);
    j->factors = wf_round64(2 * (size_t)u->rows * u->bytes);
    j->slice = 2 * j->span + j->block + j->factors + most +
               WF_PAGE; /* wf_beside's */
    j->array = wf_round64((size_t)(u->rows / u->width * j->strip) * u->bytes);
    j->scratch = 2 * j->array + (size_t)j->threads * j->slice;
}

weft_status wf_joined_fourstep_bind(const wf_binder *binder,
                                    const wf_step *step, wf_node *node,
                                    int64_t n, wf_joined_fourstep *j)
{
    const int width = step->child[0]->width;
    const int64_t n1 = step->split[0], n2 = step->split[1], row = 2 * width;
    const size_t block = 2 * (size_t)(n1 * width) * binder->bytes;
    const wf_mover mover =
        wf_mover_of_isa(binder->real, wf_isa_of_width(binder->real, width));
    j->fourstep = node->child[0];
    j->past = wf_stream_pays(2 * step->n, binder->bytes);
    j->blocks = blocks_of(n2 / width, block, j->past);
    j->users = (wf_joined_rows){.mover = mover,
                                .bytes = binder->bytes,
                                .width = width,
                                .n = n,
                                .rows = n1,
                                .columns = n2,
                                .twists = {.span = j->blocks * width}};
    j->strip = row * (n2 + width);
    j->threads = binder->threads < WF_PHASE_PARTS ? binder->threads
                                                  : WF_PHASE_PARTS;
    weft_status status = bind_columns(binder, step->child[0], j->blocks * row,
                                      row, node, j->forth);
    if (status == WEFT_OK)
        status = bind_columns(binder, step->child[0], row, j->blocks * row,
                              node, j->back);
    if (status == WEFT_OK)
        status = bind_columns(binder, step->child[1], row, row, node, j->row);
    if (status == WEFT_OK)
        size_scratch(j, block);
    return status;
}

wf_joined_order wf_joined_fourstep_order(const wf_joined_fourstep *j)
{
    const wf_joined_rows *u = &j->users;
    return (wf_joined_order){.width = u->width,
                             .rows = u->columns,
                             .m = u->rows * u->columns,
                             .span = u->width};
}

/* ---- Running ------------------------------------------------------------- */

/* Where a thread has its own. */
typedef struct room {
    char *span[2], *block, *factors, *scratch;
} room;

static room room_of(const wf_joined_fourstep *j, char *slice)
{
    room r = {{slice, slice + j->span}, slice + 2 * j->span, NULL, NULL};
    r.factors = r.block + j->block;
    r.scratch = r.factors + j->factors;
    return r;
}

/* One column in each lane, from and to packed rows or those of a span. */
static void transform(const wf_joined_fourstep *j, const wf_node *column,
                      char *from, char *to, char *scratch)
{
    const wf_joined_rows *u = &j->users;
    const wf_samples at = {from, wf_at(from, u->width, u->bytes), to,
                           wf_to(to, u->width, u->bytes)};
    wf_column_run(column, (wf_column_span){u->width, 1}, &at, scratch, NULL,
                  NULL);
}

static char *block_of(const wf_joined_fourstep *j, char *span, int64_t b)
{
    return wf_to(span, 2 * b * j->users.width, j->users.bytes);
}

/* The tiles of a block of columns, number b of all, in its part's array.  The
 * second part goes the other way round. */
typedef struct turned {
    wf_tiles tiles;
    char *re, *im;
} turned;

static turned turn_block(const wf_joined_fourstep *j, int64_t b, int part,
                         bool back, char *array)
{
    const wf_joined_rows *u = &j->users;
    const int64_t width = u->width;
    char *re = wf_to(array, 2 * b * width * width, u->bytes);
    return (turned){.tiles = {.row = 2 * width,
                              .next = j->strip,
                              .sign = (part == 1) == back ? 1 : -1,
                              .past = j->past},
                    .re = re,
                    .im = wf_to(re, width, u->bytes)};
}

/* Block b of span i to its tiles, both parts by the same factors. */
static void turn_forth(const wf_joined_fourstep *j, const room *r, int64_t i,
                       int64_t b, char *const *array)
{
    const wf_joined_rows *u = &j->users;
    const int64_t number = i * j->blocks + b;
    const void *lanes = wf_fourstep_lanes(j->fourstep);
    const void *start = wf_fourstep_start(j->fourstep, number, r->factors);
    const void *im = wf_at(r->block, u->width, u->bytes);
    for (int p = 0; p < 2; p++) {
        const turned t = turn_block(j, number, p, false, array[p]);
        transform(j, j->forth[p], block_of(j, r->span[p], b), r->block,
                  r->scratch);
        WF_MOVE(&u->mover, column_to_tiles, (const void *)r->block, im,
                2 * u->width, lanes, start, (size_t)u->rows, &t.tiles,
                (void *)t.re, (void *)t.im);
    }
}

static void turn_back(const wf_joined_fourstep *j, const room *r, int64_t i,
                      int64_t b, char *const *array)
{
    const wf_joined_rows *u = &j->users;
    const int64_t number = i * j->blocks + b;
    const void *lanes = wf_fourstep_lanes(j->fourstep);
    const void *start = wf_fourstep_start(j->fourstep, number, r->factors);
    for (int p = 0; p < 2; p++) {
        const turned t = turn_block(j, number, p, true, array[p]);
        WF_MOVE(&u->mover, column_from_tiles, (void *)r->block, lanes, start,
                (size_t)u->rows, &t.tiles, (const void *)t.re,
                (const void *)t.im);
        transform(j, j->back[1 - p], r->block, block_of(j, r->span[p], b),
                  r->scratch);
    }
}

static void begin(const wf_joined_fourstep *j, wf_range spans, const void *in,
                  char *slice, char *const *array)
{
    const int64_t columns = j->users.twists.span;
    const room r = room_of(j, slice);
    for (int64_t i = spans.begin; i < spans.end; i++) {
        wf_joined_read(&j->users, in, i * columns, columns, r.span);
        for (int64_t b = 0; b < j->blocks; b++)
            turn_forth(j, &r, i, b, array);
    }
    if (j->past)
        wf_hand_settle();
}

/* A strip of both parts by one piece of the spectrum. */
static void turn(const wf_joined_fourstep *j, const void *spectrum,
                 wf_range strips, char *slice, char *const *array)
{
    const wf_joined_rows *u = &j->users;
    const int64_t numbers = u->columns * u->width;
    const room r = room_of(j, slice);
    for (int64_t i = strips.begin; i < strips.end; i++)
        for (int p = 0; p < 2; p++) {
            char *strip = wf_to(array[p], i * j->strip, u->bytes);
            char *scratch = wf_beside(r.scratch, strip);
            transform(j, j->row[p], strip, strip, scratch);
            WF_MOVE(&u->mover, multiply_blocks, (void *)strip,
                    (const void *)strip,
                    wf_at(spectrum, 2 * i * numbers, u->bytes),
                    (size_t)numbers);
            transform(j, j->row[1 - p], strip, strip, scratch);
        }
}

static void end(const wf_joined_fourstep *j, wf_range spans,
                char *const *array, char *slice, void *out)
{
    const int64_t columns = j->users.twists.span;
    const room r = room_of(j, slice);
    for (int64_t i = spans.begin; i < spans.end; i++) {
        for (int64_t b = 0; b < j->blocks; b++)
            turn_back(j, &r, i, b, array);
        wf_joined_write(&j->users, r.span, i * columns, columns, out);
    }
}

typedef struct share {
    const wf_joined_fourstep *j;
    const void *spectrum, *in;
    void *out;
    char *slices, *array[2];
} share;

static void run_phase(void *context, int phase, size_t number)
{
    const share *c = context;
    const wf_joined_fourstep *j = c->j;
    const int64_t i = (int64_t)number,
                  spans = j->users.columns / j->users.twists.span,
                  strips = j->users.rows / j->users.width;
    char *slice = c->slices + number * j->slice;
    if (phase == 0)
        begin(j, wf_cut(spans, i, j->threads), c->in, slice, c->array);
    else if (phase == 1)
        turn(j, c->spectrum, wf_cut(strips, i, j->threads), slice, c->array);
    else
        end(j, wf_cut(spans, i, j->threads), c->array, slice, c->out);
}

void wf_joined_fourstep_run(const wf_joined_fourstep *j, const void *spectrum,
                            const void *in, void *out, char *scratch)
{
    share c = {j,
               spectrum,
               in,
               out,
               scratch + 2 * j->array,
               {scratch, scratch + j->array}};
    wf_parallel_phases((size_t)j->threads, 3, run_phase, &c);
}
