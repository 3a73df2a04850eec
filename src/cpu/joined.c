/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined.c - Bluestein's convolution of two parts by a Stockham transform whose
 * ends meet the products in the first cache.
 *
 * Done one after the other, products and transforms take every sample through
 * the second cache three times more than passes alone, and sort re and im apart
 * and together again each time.  Here the first and last pass go block by block
 * of neighbouring columns, through a buffer of a few KiB, and all but the user's
 * samples are in blocks of vectors, re and im apart:
 *
 *   begin  samples times chirp -> buffer -> first pass
 *   turn   last pass -> buffer, times spectrum -> first pass of the way back
 *   end    last pass of both parts -> buffer, times chirp, sum -> output
 *
 * A butterfly of the last pass, of radix r, makes numbers m/r apart, one of the
 * first pass, of radix f, takes numbers m/f apart: with the common multiple c of
 * both, columns q + i m/c, i < c, are whole butterflies of either.  They are
 * the buffer's rows.
 *
 * The way back is the way forth with re and im exchanged before and after, which
 * are pointers here.
 */
#include "cpu/joined.h"

#include "cpu/nest.h"
#include "cpu/stockham.h"

/* Of a buffer: with its factors and what is written it is in the first cache. */
enum { BLOCK_BYTES = 12288 };

/* Of one part's samples, for which a second thread pays. */
enum { SHARED_BYTES = 64 << 10 };

/* Columns of a block of so many rows: whole vectors, one at least. */
static int64_t columns_of(int width, size_t bytes, int rows)
{
    size_t vector = 2 * (size_t)width * bytes * (size_t)rows;
    int64_t vectors = (int64_t)(BLOCK_BYTES / vector);
    return (vectors < 1 ? 1 : vectors) * width;
}

static int64_t blocks_of(int64_t columns, int64_t span)
{
    return (columns + span - 1) / span;
}

/* What a thread has of its own. */
static size_t slice_of(const wf_joined *j)
{
    return j->block + j->below;
}

bool wf_joined_bind(const wf_step *step, const wf_node *child, int64_t n,
                    int threads, wf_joined *joined)
{
    const stockham *s = wf_stockham_of(child);
    const int rows = wf_step_joined_rows(step);
    if (s == NULL || rows == 0)
        return false;
    const int f = step->radix[0], l = step->radix[step->radices - 1],
              w = step->width;
    const int64_t m = step->n;
    const wf_real real = child->real;
    *joined =
        (wf_joined){.transform = s,
                    .begin = wf_kernel_of_width(WF_KERNEL_FIRST_S, real, w, f),
                    .end = wf_kernel_of_width(WF_KERNEL_MID, real, w, l),
                    .mover = wf_mover_of_isa(real, wf_isa_of_width(real, w)),
                    .n = n,
                    .order = {w, rows, m, columns_of(w, child->bytes, rows)},
                    .begin_span = columns_of(w, child->bytes, 2 * f),
                    .end_span = columns_of(w, child->bytes, 2 * l),
                    .below = s->node.scratch - s->buffer};
    const int64_t begin = joined->begin_span * f * 2,
                  turn = joined->order.span * rows,
                  end = joined->end_span * l * 2;
    const int64_t some = begin > turn ? begin : turn;
    const size_t bytes = 2 * child->bytes;
    joined->begin_blocks = blocks_of(m / f, joined->begin_span);
    joined->end_blocks = blocks_of(m / l, joined->end_span);
    joined->array = wf_round64((size_t)m * bytes);
    joined->block = wf_round64((size_t)(some > end ? some : end) * bytes);
    joined->threads = threads > 1 && joined->array >= SHARED_BYTES ? 2 : 1;
    joined->scratch = (size_t)joined->threads * slice_of(joined) +
                      (size_t)(2 + joined->threads) * joined->array;
    return joined->begin != NULL && joined->end != NULL;
}

/* ---- Tables -------------------------------------------------------------- */

/* One number's conjugate, in a block. */
static inline void put_conjugate(wf_real real, int width, void *to, int64_t at,
                                 const void *from, int64_t k)
{
    wf_table_set(real, to, at, wf_table_get(real, from, 2 * k));
    wf_table_set(real, to, at + width, -wf_table_get(real, from, 2 * k + 1));
}

/* A block of numbers k, k + 1, ... */
static inline void put_block(wf_real real, int width, void *to, int64_t at,
                             const void *from, int64_t k)
{
    for (int l = 0; l < width; l++)
        put_conjugate(real, width, to, 2 * at + l, from, k + l);
}

/* Of their mirror images among m numbers; 0 is its own. */
static inline void put_mirrored(wf_real real, int width, void *to, int64_t at,
                                const void *from, int64_t m, int64_t k)
{
    put_conjugate(real, width, to, 2 * at, from, k == 0 ? 0 : m - k);
    for (int l = 1; l < width; l++)
        put_conjugate(real, width, to, 2 * at + l, from, m - k - l);
}

static inline void sort(wf_real real, int width, const wf_joined_order *o,
                        const void *from, void *const to[2])
{
    const int64_t columns = o->m / o->rows;
    int64_t at = 0;
    for (int64_t q = 0; q < columns; q += o->span)
        for (int64_t i = 0; i < o->rows; i++)
            for (int64_t k = q; k < columns && k < q + o->span;
                 k += width, at += width) {
                const int64_t number = k + i * columns;
                put_block(real, width, to[0], at, from, number);
                if (to[1] != NULL)
                    put_mirrored(real, width, to[1], at, from, o->m, number);
            }
}

/* The usual widths as constants, so that blocks are vectors. */
void wf_joined_spectra(wf_real real, const wf_joined_order *o,
                       const void *from, void *const to[2])
{
    if (real == WF_F64 && o->width == 8)
        sort(WF_F64, 8, o, from, to);
    else if (real == WF_F64 && o->width == 4)
        sort(WF_F64, 4, o, from, to);
    else if (real == WF_F64)
        sort(WF_F64, o->width, o, from, to);
    else if (o->width == 16)
        sort(WF_F32, 16, o, from, to);
    else
        sort(WF_F32, o->width, o, from, to);
}

/* ---- Running ------------------------------------------------------------- */

/* The user's numbers as legs of a first or last pass. */
static wf_joined_rows users_of(const wf_joined *j, const wf_part *part,
                               int radix)
{
    return (wf_joined_rows){.mover = j->mover,
                            .bytes = j->transform->node.bytes,
                            .width = j->order.width,
                            .n = j->n,
                            .rows = radix,
                            .columns = j->order.m / radix,
                            .part = part};
}

/* The first pass of columns q to q + span, whose legs are in the buffer, so many
 * scalars apart; turned: with re and im exchanged. */
static void run_first(const wf_joined *j, void *buffer, ptrdiff_t apart,
                      bool turned, int64_t q, int64_t span, void *to)
{
    const stockham *s = j->transform;
    const size_t bytes = s->node.bytes;
    wf_pass_args args = s->pass[0].args;
    args.nq = (size_t)(span / j->order.width);
    args.in_base = args.in_leg < 0 ? j->begin->radix * apart : 0;
    args.in_leg = args.in_leg < 0 ? -apart : apart;
    const void *re = buffer, *im = wf_at(buffer, j->order.width, bytes);
    void *out = wf_to(to, q * args.out_q, bytes);
    wf_call_pass(j->begin, turned ? im : re, turned ? re : im, out,
                 wf_to(out, j->order.width, bytes), NULL, &args);
}

/* The last pass of columns q to q + span, into rows of the buffer. */
static void run_last(const wf_joined *j, const void *from, int64_t q,
                     int64_t span, void *buffer, ptrdiff_t apart, bool turned)
{
    const stockham *s = j->transform;
    const pass *p = &s->pass[s->passes - 1];
    const size_t bytes = s->node.bytes;
    const int64_t vectors = q / j->order.width;
    wf_pass_args args = p->args;
    args.nq = (size_t)(span / j->order.width);
    args.out_leg = apart;
    const void *in = wf_at(from, vectors * args.in_q, bytes);
    void *re = buffer, *im = wf_to(buffer, j->order.width, bytes);
    wf_call_pass(j->end, in, wf_at(in, j->order.width, bytes),
                 turned ? im : re, turned ? re : im,
                 wf_at(p->table, vectors * args.tw_q, bytes), &args);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void begin(const wf_joined *j, const wf_part *part, wf_range blocks,
                  const void *in, char *buffer, char *const *to)
{
    const int radix = j->begin->radix;
    const wf_joined_rows users = users_of(j, part, radix);
    for (int64_t i = blocks.begin; i < blocks.end; i++) {
        const int64_t q = i * j->begin_span;
        const int64_t span = least(j->begin_span, users.columns - q);
        char *block[2] = {buffer,
                          wf_to(buffer, 2 * radix * span, users.bytes)};
        wf_joined_read(&users, in, q, span, block);
        for (int p = 0; p < 2; p++)
            run_first(j, block[p], 2 * span, false, q, span, to[p]);
    }
}

static void turn(const wf_joined *j, const void *spectrum, const void *from,
                 char *block, void *to)
{
    const size_t bytes = j->transform->node.bytes;
    const int64_t columns = j->order.m / j->order.rows;
    const int lasts = j->order.rows / j->end->radix;
    const int firsts = j->order.rows / j->begin->radix;
    for (int64_t q = 0; q < columns; q += j->order.span) {
        const int64_t span = least(j->order.span, columns - q);
        const ptrdiff_t row = 2 * span;
        for (int i = 0; i < lasts; i++)
            run_last(j, from, q + i * columns, span,
                     wf_to(block, i * row, bytes), lasts * row, false);
        WF_MOVE(&j->mover, multiply_blocks, (void *)block, (const void *)block,
                wf_at(spectrum, 2 * q * j->order.rows, bytes),
                (size_t)(span * j->order.rows));
        for (int i = 0; i < firsts; i++)
            run_first(j, wf_to(block, i * row, bytes), firsts * row, true,
                      q + i * columns, span, to);
    }
}

static void end(const wf_joined *j, const wf_part *part, wf_range blocks,
                char *const *from, char *buffer, void *out)
{
    const int radix = j->end->radix;
    const wf_joined_rows users = users_of(j, part, radix);
    for (int64_t i = blocks.begin; i < blocks.end; i++) {
        const int64_t q = i * j->end_span;
        const int64_t span = least(j->end_span, users.columns - q);
        char *block[2] = {buffer,
                          wf_to(buffer, 2 * radix * span, users.bytes)};
        for (int p = 0; p < 2; p++)
            run_last(j, from[p], q, span, block[p], 2 * span, true);
        wf_joined_write(&users, block, q, span, out);
    }
}

/* The passes between, from a to b and from b to a in turn; true: the last of
 * them has written to b. */
static bool run_middle(const wf_joined *j, void *a, void *b, char *scratch)
{
    bool swapped = false;
    for (int i = 1; i + 1 < j->transform->passes; i++, swapped = !swapped)
        wf_stockham_middle(j->transform, i, swapped ? b : a, swapped ? a : b,
                           scratch);
    return swapped;
}

/* From a, where its first pass has written, to b: the passes between, the turn
 * and as many passes again are an odd number of ways from one to the other. */
static void run_part(const wf_joined *j, const wf_part *part, char *block,
                     void *a, void *b)
{
    char *below = block + j->block;
    const bool swapped = run_middle(j, a, b, below);
    turn(j, part->spectrum, swapped ? b : a, block, swapped ? a : b);
    run_middle(j, swapped ? a : b, swapped ? b : a, below);
}

typedef struct share {
    const wf_joined *j;
    const wf_part *part;
    const void *in;
    void *out;
    char *slices, *array[4];
} share;

/* Part 0 goes from array 0 to 2, part 1 from 1 to 3; one thread takes 0 for 3. */
static void run_phase(void *context, int phase, size_t number)
{
    const share *c = context;
    const wf_joined *j = c->j;
    const int64_t i = (int64_t)number;
    char *slice = c->slices + number * slice_of(j);
    if (phase == 0)
        begin(j, c->part, wf_cut(j->begin_blocks, i, j->threads), c->in, slice,
              c->array);
    else if (phase == 2)
        end(j, c->part, wf_cut(j->end_blocks, i, j->threads), &c->array[2],
            slice, c->out);
    else
        for (size_t p = number; p < 2; p += (size_t)j->threads)
            run_part(j, &c->part[p], slice, c->array[p], c->array[2 + p]);
}

void wf_joined_run(const wf_joined *j, const wf_part part[2], const void *in,
                   void *out, char *scratch)
{
    char *a = scratch + (size_t)j->threads * slice_of(j);
    share c = {j, part, in, out, scratch, {a, a + j->array, a + 2 * j->array}};
    c.array[3] = j->threads == 1 ? a : a + 3 * j->array;
    wf_parallel_phases((size_t)j->threads, 3, run_phase, &c);
}
