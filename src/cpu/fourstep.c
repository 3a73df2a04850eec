/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fourstep.c - two trips through memory in blocks of neighbouring columns.
 *
 * Trip 1: a block of columns of the n1 x n2 input becomes, in a scratch block,
 * its column transforms; times the twiddles w^(k1 j2), transposed in
 * registers, it is written as rows of the n2 x n1 middle matrix.  Trip 2:
 * blocks of columns of that matrix, transformed, are written to the same
 * columns of the output.  Out of place the middle matrix is the output; in
 * place it is scratch, and a large output goes past the caches.
 *
 * Without a middle matrix, where n1 = n2 = m or n1 = 2 n2 = 2 m: trip 1 writes
 * its columns where they were, trip 2 transforms rows, and the result is
 * transposed in place while a block of rows is in cache: the block is
 * exchanged with its mirror image among the rows above, so that only those
 * come from memory once more, half of all.  For n1 = 2 m trip 1 puts row k at
 * 2 k, row m + k at 2 k + 1: two squares side by side in rows of 2 m, whose
 * transposes are the halves of the output's rows.
 *
 * A cosine transform's samples (zipped.h) are read in its order by trip 1, or
 * written by trip 2, with a middle matrix in the room at out_im that is neither.
 * Planes (wf_usage) are the output, and so the middle matrix.  Of reals that a pass
 * makes complex (wf_usage.half) trip 1 reads columns j and n2 - j together: the
 * mirror image of column 0 makes a row behind the middle matrix that nobody reads.
 *
 * The twiddles of a block that starts at column j0 are
 * w^(k1 j0) * w^(k1 l), l the lane: a scalar per row and block times a vector
 * per row that all blocks share.  Where the scalars would fill a second cache
 * they are products again, of a row for each `span` blocks and one for each
 * place among them, made as a block begins: n1 products beside n1 width
 * samples that come from memory, for tables that shrink with the square root
 * of n2 (2^20: from 2 MiB to 192 KiB) and are quick to make.
 */
#include "cpu/fourstep.h"
#include "cpu/nest.h"
#include "cpu/stream.h"
#include "num/num.h"

enum {
    MAX_STARTS = 16,
    MAX_LEVELS = 5,
    STARTS_IN_CACHE = 1 << 15,
    TURN = 16, /* rows of a block before the next block's */
    FETCH =
        32, /* rows of a block, while as much of the next span is fetched */
    EXCHANGE_BYTES = 1 << 19, /* of rows that are exchanged together, */
    LEAST_F64 = 16,           /* but so many of a square, */
    LEAST_F32 = 128           /* whose numbers are half as long */
};

typedef struct fourstep {
    wf_node node;
    int64_t n1, n2;
    bool in_place, zipped; /* zipped: what trip 1 reads, */
    bool room;             /* or trip 2 writes, from a middle matrix there */
    bool planes;           /* all behind a zipped input */
    bool halved;           /* trip 1 reads column j together with n2 - j */
    int squares;   /* side by side, exchanged in place; 0: a middle matrix */
    int64_t group; /* rows of a square that are exchanged together */
    int threads;
    size_t middle; /* bytes of the middle matrix in scratch */
    size_t slice;  /* bytes of scratch a thread takes after it */
    int levels;
    int width[MAX_LEVELS];
    wf_mover mover[MAX_LEVELS];
    const void *lane[MAX_LEVELS]; /* [n1][2 width]: w^(k1 l) */
    int64_t span;                 /* 1: `coarse` has every block's scalars */
    const void *coarse; /* [full / span][n1] complex: w^(k1 width span i) */
    const void *fine;   /* [span][n1]: w^(k1 width i) */
    const void *beside; /* halved, [span][n1]: w^(k1 (width i + 1)) */
    const void *tail;   /* [starts after the full blocks][n1] */
    size_t row;         /* where in a slice the blocks' scalars are made, */
    size_t row_bytes;   /* so far apart */
} fourstep;

static int64_t full_blocks(const fourstep *f)
{
    return f->n2 / f->width[0];
}

/* The blocks of columns: full ones, then narrower ones for what is left. */
static int level_of(const fourstep *f, int64_t left)
{
    int i = 0;
    while (f->width[i] > left)
        i++;
    return i;
}

/* The scalars of start number `start`; `row` is room to make them. */
static const void *scalars(const fourstep *f, int64_t start, void *row)
{
    size_t bytes = f->node.bytes;
    int64_t full = full_blocks(f);
    if (start >= full)
        return wf_at(f->tail, 2 * (start - full) * f->n1, bytes);
    const void *coarse = wf_at(f->coarse, 2 * (start / f->span) * f->n1,
                               bytes);
    if (f->span == 1)
        return coarse;
    WF_MOVE(&f->mover[0], multiply, row, coarse,
            wf_at(f->fine, 2 * (start % f->span) * f->n1, bytes),
            (size_t)f->n1);
    return row;
}

/* Those of a block that begins one column after that one's. */
static const void *scalars_beside(const fourstep *f, int64_t start, void *row)
{
    const size_t bytes = f->node.bytes;
    WF_MOVE(&f->mover[0], multiply, row,
            wf_at(f->coarse, 2 * (start / f->span) * f->n1, bytes),
            wf_at(f->beside, 2 * (start % f->span) * f->n1, bytes),
            (size_t)f->n1);
    return row;
}

const void *wf_fourstep_lanes(const wf_node *node)
{
    return ((const fourstep *)node)->lane[0];
}

const void *wf_fourstep_start(const wf_node *node, int64_t start, void *row)
{
    return scalars((const fourstep *)node, start, row);
}

/* Rows k.. of a block times its twiddles, `count` of them. */
static void write_rows(const fourstep *f, int level, const void *block,
                       const void *start, int64_t k, int64_t count, void *out)
{
    size_t bytes = f->node.bytes;
    ptrdiff_t width = f->width[level];
    const void *from = wf_at(block, 2 * k * width, bytes);
    int64_t place = f->squares * (k % f->n2) + k / f->n2;
    WF_MOVE(&f->mover[level], column_twiddle, from, wf_at(from, width, bytes),
            2 * width, wf_at(f->lane[level], 2 * k * width, bytes),
            wf_at(start, 2 * k, bytes), (size_t)count,
            wf_to(out, 2 * place * f->n2, bytes), f->squares * f->n2);
}

/* A span of columns back into the matrix, a few rows of each block in turn. */
static void write_span(const fourstep *f, int level, int blocks,
                       const void *const *block, int64_t start, void *out,
                       char *scratch, wf_column_ahead *ahead)
{
    const void *factors[WF_MAX_SPAN];
    for (int b = 0; b < blocks; b++)
        factors[b] = scalars(f, start + b,
                             scratch + f->row + (size_t)b * f->row_bytes);
    for (int64_t k = 0, count; k < f->n1; k += count) {
        count = f->n2 - k % f->n2 < TURN ? f->n2 - k % f->n2 : TURN;
        for (int b = 0; b < blocks; b++) {
            wf_column_fetch(ahead, (count + blocks - 1) / blocks);
            write_rows(f, level, block[b], factors[b], k, count,
                       wf_to(out, 2 * (ptrdiff_t)b * f->width[level],
                             f->node.bytes));
        }
    }
}

/* Rows k.. of a block turned, `count` of them, to element k of rows that begin
 * at place `at` of the middle matrix. */
static void turn_rows(const fourstep *f, int level, const void *block,
                      const void *start, int64_t k, int64_t count,
                      const wf_samples *out, int64_t at)
{
    size_t bytes = f->node.bytes;
    ptrdiff_t width = f->width[level];
    const wf_mover *m = &f->mover[level];
    const void *from = wf_at(block, 2 * k * width, bytes);
    const void *from_im = wf_at(from, width, bytes);
    const void *lane = wf_at(f->lane[level], 2 * k * width, bytes);
    start = wf_at(start, 2 * k, bytes);
    if (f->planes) {
        const wf_tiles tiles = {.row = f->n1, .next = width, .sign = 1};
        WF_MOVE(m, column_to_tiles, from, from_im, 2 * width, lane, start,
                (size_t)count, &tiles, wf_to(out->out_re, at + k, bytes),
                wf_to(out->out_im, at + k, bytes));
    } else
        WF_MOVE(m, column_twiddle_transpose, from, from_im, 2 * width, lane,
                start, (size_t)count, (size_t)width,
                wf_to(out->out_re, 2 * (at + k), bytes), f->n1);
}

/* A span of columns, from j on, as rows of the middle matrix; j is where block
 * `start` begins, or one after it. */
static void turn_span(const fourstep *f, int level, int blocks,
                      const void *const *block, int64_t start, int64_t j,
                      const wf_samples *out, char *scratch,
                      wf_column_ahead *ahead)
{
    ptrdiff_t width = f->width[level];
    int64_t most = ahead->left > 0 ? FETCH : f->n1;
    const bool beside = f->halved && j > start * width;
    const bool half = f->zipped || f->halved;
    int both = half ? 2 * blocks : blocks; /* in the time of all */
    const size_t sample = 2 * f->node.bytes;
    const bool lines = !f->planes && f->n1 * (int64_t)sample % WF_LINE == 0;
    const int64_t before = lines ? wf_before_line(out->out_re, sample) : 0;
    for (int b = 0; b < blocks; b++) {
        const void *factors = (beside
                                   ? scalars_beside
                                   : scalars)(f, start + b, scratch + f->row);
        for (int64_t k = 0, count; k < f->n1; k += count) {
            count = k == 0 && before > 0 ? before
                    : f->n1 - k < most   ? f->n1 - k
                                         : most;
            wf_column_fetch(ahead, (count + both - 1) / both);
            turn_rows(f, level, block[b], factors, k, count, out,
                      (j + b * width) * f->n1);
        }
    }
}

/* The same where half are columns from j on, and half their mirror images. */
static void turn_both(const fourstep *f, wf_column_span span,
                      const void *const *block, int64_t j,
                      const wf_samples *out, char *scratch,
                      wf_column_ahead *ahead)
{
    int half = span.blocks / 2;
    int64_t back = f->n2 - j - half * (int64_t)span.width;
    turn_span(f, 0, half, block, j / span.width, j, out, scratch, ahead);
    turn_span(f, 0, half, block + half, back / span.width, back + f->halved,
              out, scratch, ahead);
}

/* The middle column, its own mirror image, in a block of which the other columns
 * come again. */
static void turn_middle(const fourstep *f, const wf_samples *at, char *scratch)
{
    const wf_node *column = f->node.child[0];
    const wf_column_span span = {f->width[0], 1};
    const wf_samples block = wf_column_at(column, at, f->n2, f->n2, span);
    const int64_t j = f->n2 / 2;
    const void *rows[WF_MAX_SPAN];
    wf_column_ahead nothing = {0};
    wf_column_run(column, span, &block, scratch, rows, NULL);
    turn_span(f, 0, 1, rows, j / span.width, j, at, scratch, &nothing);
}

static void trip_one(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const fourstep *f = (const fourstep *)node;
    const wf_node *column = node->child[0];
    size_t bytes = node->bytes;
    int64_t unit = wf_column_unit(column);
    int64_t stop = end * unit < f->n2 ? end * unit : f->n2;
    int64_t start = begin * unit / f->width[0];
    if (f->halved && stop == f->n2)
        turn_middle(f, at, scratch);
    for (int64_t j0 = begin * unit; j0 < stop;) {
        wf_column_span span = wf_column_next(column, stop - j0), then = {0};
        int i = level_of(f, span.width), count = wf_column_count(span);
        const void *rows[WF_MAX_SPAN];
        wf_samples block = wf_column_at(column, at, f->n2, j0, span), next;
        if (j0 + count < stop)
            then = wf_column_next(column, stop - j0 - count);
        next = wf_column_at(column, at, f->n2, j0 + count, then);
        wf_column_ahead ahead = wf_column_look_ahead(
            column, span, j0 + count < stop ? &next : NULL);
        wf_column_run(column, span, &block, scratch, rows, NULL);
        if (f->squares > 0)
            write_span(f, i, span.blocks, rows, start,
                       wf_to(at->out_re, 2 * j0, bytes), scratch, &ahead);
        else if (f->zipped || f->halved)
            turn_both(f, span, rows, j0 / 2, at, scratch, &ahead);
        else
            turn_span(f, i, span.blocks, rows, start, j0, at, scratch, &ahead);
        j0 += count;
        start += span.blocks;
    }
}

static void trip_two(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const fourstep *f = (const fourstep *)node;
    wf_column_run_units(node->child[1], at, scratch, f->n1, begin, end);
}

/* Rows of each square from first on, with their mirror image above. */
static void exchange(const fourstep *f, void *matrix, int64_t first)
{
    size_t rows = (size_t)(f->n2 - first < f->group ? f->n2 - first
                                                    : f->group);
    ptrdiff_t ld = f->squares * f->n2;
    for (int s = 0; s < f->squares; s++) {
        void *square = wf_to(matrix, 2 * s * f->n2, f->node.bytes);
        void *left = wf_to(square, 2 * first * ld, f->node.bytes);
        void *above = wf_to(square, 2 * first, f->node.bytes);
        WF_MOVE(&f->mover[0], transpose_swap, left, above, ld, rows,
                (size_t)first);
        WF_MOVE(&f->mover[0], transpose_square,
                wf_to(left, 2 * first, f->node.bytes), ld, rows);
    }
}

static void exchange_groups(const wf_node *node, const wf_samples *at,
                            char *scratch, int64_t begin, int64_t end)
{
    const fourstep *f = (const fourstep *)node;
    (void)scratch;
    for (int64_t i = begin; i < end; i++)
        exchange(f, at->out_re, i * f->group);
}

/* Groups of rows; one thread exchanges them at once. */
static void transform_groups(const wf_node *node, const wf_samples *at,
                             char *scratch, int64_t begin, int64_t end)
{
    const fourstep *f = (const fourstep *)node;
    const wf_node *child = node->child[1];
    for (int64_t i = begin; i < end; i++) {
        int64_t last = (i + 1) * f->group < f->n2 ? (i + 1) * f->group : f->n2;
        for (int64_t r = f->squares * i * f->group; r < f->squares * last;
             r++) {
            void *row = wf_to(at->out_re, 2 * r * f->n2, node->bytes);
            wf_samples one = {row, row, row, row};
            child->run(child, &one, scratch);
        }
        if (f->threads == 1)
            exchange(f, at->out_re, i * f->group);
    }
}

static void run_squares(const wf_node *node, const wf_samples *at,
                        char *scratch)
{
    const fourstep *f = (const fourstep *)node;
    int64_t groups = (f->n2 + f->group - 1) / f->group;
    wf_run_units(node, at, scratch, f->threads,
                 wf_column_units(node->child[0], f->n2), f->slice, trip_one);
    wf_run_units(node, at, scratch, f->threads, groups, f->slice,
                 transform_groups);
    if (f->threads > 1)
        wf_run_units(node, at, scratch, f->threads, groups, f->slice,
                     exchange_groups);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const fourstep *f = (const fourstep *)node;
    void *middle = f->in_place ? (void *)scratch
                   : f->room   ? at->out_im
                               : at->out_re;
    char *slices = scratch + f->middle;
    wf_samples one = {at->in_re, at->in_im, middle, at->out_im};
    wf_samples two = {middle, at->out_im, at->out_re, at->out_im};
    wf_run_units(node, &one, slices, f->threads,
                 wf_column_units(node->child[0], f->n2), f->slice, trip_one);
    wf_run_units(node, &two, slices, f->threads,
                 wf_column_units(node->child[1], f->n1), f->slice, trip_two);
}

/* ---- Binding ------------------------------------------------------------- */

/* Room for the powers w^(k j), k = 0..n1-1, of one j, and their source. */
typedef struct powers {
    wf_root_table *roots;
    double *row;
} powers;

static weft_status open_powers(const fourstep *f, powers *p)
{
    p->roots = wf_root_table_new((uint64_t)(f->n1 * f->n2));
    p->row = wf_alloc((size_t)f->n1 * 2 * sizeof *p->row);
    return p->roots == NULL || p->row == NULL ? wf_no_memory() : WEFT_OK;
}

static void close_powers(powers *p)
{
    wf_root_table_free(p->roots);
    wf_free(p->row);
}

/* re of power k to table[at + k step], im to `apart` behind it. */
static void put_powers(const wf_binder *binder, const fourstep *f, powers *p,
                       int64_t j, double scale, void *table, int64_t at,
                       int64_t step, int64_t apart)
{
    wf_root_table_f64(p->roots, 0, binder->inverse ? j : -j, 0, (size_t)f->n1,
                      p->row);
    for (int64_t k = 0; k < f->n1; k++, at += step) {
        wf_table_set(binder->real, table, at, scale * p->row[2 * k]);
        wf_table_set(binder->real, table, at + apart,
                     scale * p->row[2 * k + 1]);
    }
}

/* Rows of powers of the columns first + step i, i < count. */
static weft_status bind_rows(const wf_binder *binder, fourstep *f, powers *p,
                             int64_t first, int64_t step, int64_t count,
                             double scale, const void **rows)
{
    void *table = wf_node_table(&f->node, 2 * (size_t)(count * f->n1));
    if (table == NULL)
        return wf_no_memory();
    for (int64_t i = 0; i < count; i++)
        put_powers(binder, f, p, first + i * step, scale, table, 2 * i * f->n1,
                   2, 1);
    *rows = table;
    return WEFT_OK;
}

static weft_status bind_starts(const wf_binder *binder, fourstep *f, powers *p,
                               double scale)
{
    int64_t full = full_blocks(f), width = f->width[0];
    f->span = 1;
    while (full * f->n1 > STARTS_IN_CACHE && f->span * f->span < full)
        f->span *= 2;
    weft_status status = bind_rows(binder, f, p, 0, f->span * width,
                                   (full + f->span - 1) / f->span, scale,
                                   &f->coarse);
    if (status == WEFT_OK && f->span > 1)
        status = bind_rows(binder, f, p, 0, width, f->span, 1, &f->fine);
    if (status == WEFT_OK && f->halved)
        status = bind_rows(binder, f, p, 1, width, f->span, 1, &f->beside);
    return status;
}

/* The narrower blocks that are left at the right edge. */
static weft_status bind_tail(const wf_binder *binder, fourstep *f, powers *p,
                             double scale)
{
    int64_t column[MAX_STARTS], starts = 0;
    for (int64_t j0 = full_blocks(f) * f->width[0]; j0 < f->n2;) {
        column[starts++] = j0; /* at most one a bit of the widest width */
        j0 += f->width[level_of(f, f->n2 - j0)];
    }
    if (starts == 0)
        return WEFT_OK;
    void *table = wf_node_table(&f->node, 2 * (size_t)(starts * f->n1));
    if (table == NULL)
        return wf_no_memory();
    for (int64_t i = 0; i < starts; i++)
        put_powers(binder, f, p, column[i], scale, table, 2 * i * f->n1, 2, 1);
    f->tail = table;
    return WEFT_OK;
}

/* Does a block of this level occur? */
static bool level_used(const fourstep *f, int level)
{
    int64_t left = f->n2 % f->width[0];
    if (level == 0)
        return full_blocks(f) > 0;
    for (; left > 0; left -= f->width[level_of(f, left)])
        if (level_of(f, left) == level)
            return true;
    return false;
}

static weft_status bind_lanes(const wf_binder *binder, fourstep *f, powers *p)
{
    for (int i = 0; i < f->levels; i++) {
        int64_t width = f->width[i];
        if (!level_used(f, i))
            continue;
        void *table = wf_node_table(&f->node, (size_t)(f->n1 * 2 * width));
        if (table == NULL)
            return wf_no_memory();
        for (int64_t l = 0; l < width; l++)
            put_powers(binder, f, p, l, 1, table, l, 2 * width, width);
        f->lane[i] = table;
    }
    return WEFT_OK;
}

static weft_status bind_children(const wf_binder *binder, const wf_step *step,
                                 const wf_usage *usage, fourstep *f)
{
    wf_node *child;
    wf_column_end plain = WF_END_INTERLEAVED;
    wf_column_end zipped = usage->negate ? WF_END_NEGATED : WF_END_ZIPPED;
    wf_column_end split = f->planes ? WF_END_SPLIT : plain;
    wf_column_end in = f->halved ? WF_END_HALVED : f->zipped ? zipped : split;
    weft_status status = wf_bind_column(binder, step->child[0], in, f->n2,
                                        WF_END_BLOCK, 0, 1, &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&f->node, child);
    if (f->halved)
        wf_column_halve(child, usage->half);
    if (f->squares > 0) {
        wf_binder one_thread = *binder;
        const wf_usage rows = {.in_place = true, .scale = 1};
        one_thread.threads = 1;
        status = wf_bind_transform(&one_thread, step->child[1], &rows, &child);
        if (status == WEFT_OK)
            wf_node_adopt(&f->node, child);
        return status;
    }
    status = wf_bind_column(binder, step->child[1], split, f->n1,
                            f->room ? zipped : split, f->n1, 1, &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&f->node, child);
    if (f->in_place && wf_stream_pays(2 * step->n, binder->bytes))
        wf_column_past(child);
    wf_column_align(child);
    return WEFT_OK;
}

static void size_scratch(fourstep *f)
{
    size_t a = f->node.child[0]->scratch, b = f->node.child[1]->scratch;
    f->row = a;
    f->row_bytes = wf_round64((size_t)f->n1 * 2 * f->node.bytes);
    a += f->row_bytes * (f->squares > 0 ? WF_MAX_SPAN : 1);
    f->slice = a > b ? a : b;
    f->middle = f->in_place && f->squares == 0
                    ? wf_round64((size_t)(f->n1 * f->n2) * 2 * f->node.bytes)
                    : 0;
    f->node.scratch = f->middle + f->slice * (size_t)f->threads;
}

weft_status wf_bind_fourstep(const wf_binder *binder, const wf_step *step,
                             const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n > (int64_t)1 << 40)
        return wf_fail(WEFT_ERR_ARGUMENT, "fourstep %lld: not for this data",
                       (long long)step->n);
    bool squares = !wf_step_is_column(step->child[1]);
    fourstep *f = (fourstep *)wf_node_new(binder, sizeof *f,
                                          squares ? run_squares : run);
    if (f == NULL)
        return wf_no_memory();
    f->n1 = step->split[0];
    f->n2 = step->split[1];
    f->in_place = usage->in_place;
    f->zipped = usage->zipped && !binder->inverse;
    f->room = usage->zipped && binder->inverse;
    f->planes = usage->planes;
    f->halved = usage->half != NULL;
    if (squares) {
        f->squares = (int)(f->n1 / f->n2);
        f->group = EXCHANGE_BYTES / (2 * f->n1 * (int64_t)binder->bytes);
        const int64_t least = binder->real == WF_F64 ? LEAST_F64 : LEAST_F32;
        f->group = f->group < least ? least : f->group;
    }
    f->threads = binder->threads;
    for (const int *w = wf_cpu_widths(binder->type); *w != 0; w++) {
        if (*w > step->child[0]->width)
            continue;
        f->mover[f->levels] =
            wf_mover_of_isa(binder->real, wf_isa_of_width(binder->real, *w));
        f->width[f->levels++] = *w;
    }
    powers p;
    weft_status status = open_powers(f, &p);
    if (status == WEFT_OK)
        status = bind_children(binder, step, usage, f);
    if (status == WEFT_OK)
        status = bind_starts(binder, f, &p, usage->scale);
    if (status == WEFT_OK)
        status = bind_tail(binder, f, &p, usage->scale);
    if (status == WEFT_OK)
        status = bind_lanes(binder, f, &p);
    close_powers(&p);
    if (status != WEFT_OK) {
        wf_node_free(&f->node);
        return status;
    }
    size_scratch(f);
    *node = &f->node;
    return WEFT_OK;
}
