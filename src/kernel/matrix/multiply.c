/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * multiply.c - rows times the stationary operand: pack a block of rows, then
 * tile by tile.
 *
 * Panels of B are the outer loop over a block, so a panel comes from the
 * second cache once for the whole block, and a group of packed rows stays in
 * the first.  The terms of a tile are summed in chunks, whose borders depend
 * on the scheme alone; a row's bits depend on that row and on B only.
 */
#include <string.h>

#include "kernel/matrix/matrix.h"

enum { BLOCK_BYTES = 96 << 10, BLOCK_GROUPS = 16 };

/* Sizes and places of a block's scratch. */
typedef struct layout {
    size_t part;    /* bytes of one part of one group of rows */
    size_t group;   /* of all its parts */
    int groups;     /* of a block */
    size_t values;  /* double [depth][mr][2] */
    size_t numbers; /* float [parts][depth][mr][2], where the tile converts */
    size_t tile;    /* three of them: [mr][2][nr], double */
    size_t total;
} layout;

static size_t round64(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static layout layout_of(const wf_stationary *b)
{
    const size_t mr = (size_t)b->tile->mr, depth = (size_t)b->depth;
    const size_t parts = (size_t)b->scheme.parts;
    const bool native = wf_scheme_native(&b->scheme);
    layout l;
    l.part = depth * b->tile->a_bytes;
    l.group = round64(parts * l.part);
    const size_t fit = BLOCK_BYTES / l.group;
    l.groups = fit < 1 ? 1 : fit > BLOCK_GROUPS ? BLOCK_GROUPS : (int)fit;
    l.values = native ? 0 : round64(2 * depth * mr * sizeof(double));
    l.numbers = native || b->tile->convert_a == NULL
                    ? 0
                    : round64(parts * depth * mr * 2 * sizeof(float));
    l.tile = round64(2 * mr * (size_t)b->tile->nr * sizeof(double));
    l.total = (size_t)l.groups * l.group + l.values + l.numbers + 3 * l.tile;
    return l;
}

size_t wf_multiply_scratch(const wf_stationary *b)
{
    return layout_of(b).total;
}

int64_t wf_multiply_block(const wf_stationary *b)
{
    return (int64_t)layout_of(b).groups * b->tile->mr;
}

/* ---- Rows ---------------------------------------------------------------- */

typedef struct cursor {
    int64_t outer, p, q;
} cursor;

static cursor cursor_at(const wf_multiply *m, int64_t row)
{
    return (cursor){row / m->nq / m->np, row / m->nq % m->np, row % m->nq};
}

static void cursor_next(const wf_multiply *m, cursor *c)
{
    if (++c->q < m->nq)
        return;
    c->q = 0;
    if (++c->p < m->np)
        return;
    c->p = 0;
    c->outer++;
}

static ptrdiff_t place(const wf_row_map *map, const cursor *c)
{
    return (ptrdiff_t)c->outer * map->outer + (ptrdiff_t)c->p * map->middle +
           (ptrdiff_t)c->q * map->inner;
}

/* Rows of a group from c on; those beyond `rows` repeat the first.  The
 * cursor ends behind the last. */
static void locate(const wf_multiply *m, const wf_row_map *map, int rows,
                   int mr, cursor *c, wf_lines *lines)
{
    lines->step = map->step;
    for (int r = 0; r < mr; r++) {
        lines->offset[r] = r < rows ? place(map, c) : lines->offset[0];
        lines->turn[r] = r < rows ? (ptrdiff_t)c->q : lines->turn[0];
        if (r < rows)
            cursor_next(m, c);
    }
}

static const wf_tile_moves *moves_of(const wf_stationary *b, wf_real real)
{
    return real == WF_F64 ? b->isa->moves_f64 : b->isa->moves_f32;
}

/* ---- One group of rows, packed ------------------------------------------- */

static void pack(const wf_multiply *m, const layout *l, const wf_lines *lines,
                 char *panel, int *exponent, char *scratch)
{
    const wf_stationary *b = m->b;
    const size_t k = (size_t)b->k;
    const int mr = b->tile->mr;
    const wf_tile_moves *moves = moves_of(b, m->in_real);
    if (wf_scheme_native(&b->scheme)) {
        const bool wider = b->scheme.format == WF_FORMAT_F64;
        (wider ? moves->load : moves->pack)(lines, mr, k, panel);
        return;
    }
    double *values = (double *)scratch;
    float *numbers = l->numbers == 0 ? (float *)panel
                                     : (float *)(scratch + l->values);
    const size_t depth = (size_t)b->depth, width = 2 * (size_t)mr;
    moves->load(lines, mr, k, values);
    memset(values + k * width, 0, (depth - k) * width * sizeof *values);
    b->isa->splits->limits(&b->scheme, values, mr, depth, exponent);
    b->isa->splits->split(&b->scheme, values, mr, depth, exponent, numbers);
    if (l->numbers != 0)
        for (int p = 0; p < b->scheme.parts; p++)
            b->tile->convert_a(numbers + (size_t)p * depth * width, depth,
                               panel + (size_t)p * l->part);
}

/* ---- One tile ------------------------------------------------------------ */

static void sum_native(const wf_stationary *b, const char *rows,
                       const char *columns, char *sum, char *tile)
{
    const size_t count = 2 * (size_t)b->tile->mr * (size_t)b->tile->nr;
    const wf_tile_moves *moves = b->scheme.format == WF_FORMAT_F64
                                     ? b->isa->moves_f64
                                     : b->isa->moves_f32;
    for (int64_t at = 0; at < b->k; at += WF_CHUNK_COLUMNS) {
        const int64_t left = b->k - at;
        const size_t k = (size_t)(left < WF_CHUNK_COLUMNS ? left
                                                          : WF_CHUNK_COLUMNS);
        const void *a = rows + (size_t)at * b->tile->a_bytes;
        const void *w = columns + (size_t)at * b->tile->b_bytes;
        b->tile->run(1, &a, &w, k, at == 0 ? sum : tile);
        if (at != 0)
            moves->add(sum, tile, count);
    }
}

/* The pairs first .. last-1 of a level over k terms from `at`: how many are
 * not multiplications by zero. */
static int gather(const wf_stationary *b, const layout *l,
                  const wf_level *level, int first, int last, uint8_t empty,
                  int64_t at, const char *rows, const char *columns,
                  const void *x[], const void *w[])
{
    int count = 0;
    for (int i = first; i < last; i++) {
        if (empty >> level->b[i] & 1)
            continue;
        x[count] = rows + level->a[i] * l->part +
                   (size_t)at * b->tile->a_bytes;
        w[count++] = columns + (level->b[i] * (size_t)b->depth + (size_t)at) *
                                   b->tile->b_bytes;
    }
    return count;
}

static void sum_level(const wf_stationary *b, const layout *l,
                      const wf_level *level, uint8_t empty, const char *rows,
                      const char *columns, double *sum, float *tile)
{
    const size_t count = 2 * (size_t)b->tile->mr * (size_t)b->tile->nr;
    const int64_t chunk = wf_scheme_columns(&b->scheme);
    const int together = wf_scheme_pairs(&b->scheme);
    memset(sum, 0, count * sizeof *sum);
    for (int64_t at = 0; at < b->depth; at += chunk) {
        const int64_t left = b->depth - at;
        for (int i = 0; i < level->pairs; i += together) {
            const void *x[WF_SCHEME_PARTS], *w[WF_SCHEME_PARTS];
            const int end = i + together < level->pairs ? i + together
                                                        : level->pairs;
            const int pairs = gather(b, l, level, i, end, empty, at, rows,
                                     columns, x, w);
            if (pairs == 0)
                continue;
            b->tile->run(pairs, x, w, (size_t)(left < chunk ? left : chunk),
                         tile);
            b->isa->splits->add(sum, tile, count);
        }
    }
}

static void sum_parts(const wf_stationary *b, const layout *l, uint8_t empty,
                      const char *rows, const char *columns, double *total,
                      double *sum, float *tile)
{
    const size_t count = 2 * (size_t)b->tile->mr * (size_t)b->tile->nr;
    memset(total, 0, count * sizeof *total);
    for (int i = 0; i < b->levels; i++) {
        sum_level(b, l, &b->level[i], empty, rows, columns, sum, tile);
        b->isa->splits->combine(total, sum, b->level[i].weight, count);
    }
}

/* ---- A block ------------------------------------------------------------- */

/* One tile, computed and written. */
static void tile_of(const wf_multiply *m, const layout *l, int64_t panel,
                    const char *rows, const int *exponent, int valid,
                    const wf_lines *out, char *tiles)
{
    const wf_stationary *b = m->b;
    const int nr = b->tile->nr;
    const int64_t first = panel * nr, left = b->n - first;
    const size_t columns = (size_t)(left < nr ? left : nr);
    const char *packed = b->panels + (size_t)panel * b->panel_bytes;
    const wf_tile_moves *moves = moves_of(b, m->out_real);
    if (wf_scheme_native(&b->scheme)) {
        const bool narrow = b->scheme.format == WF_FORMAT_F64 &&
                            m->out_real == WF_F32;
        sum_native(b, rows, packed, tiles, tiles + l->tile);
        if (narrow)
            moves->store(out, (double *)tiles, valid, nr, columns, exponent,
                         b->exponent + first, m->factor, m->more);
        else
            moves->write(out, tiles, valid, nr, columns, m->factor, m->more);
        return;
    }
    double *total = (double *)tiles, *sum = (double *)(tiles + l->tile);
    sum_parts(b, l, b->empty[panel], rows, packed, total, sum,
              (float *)(tiles + 2 * l->tile));
    moves->store(out, total, valid, nr, columns, exponent, b->exponent + first,
                 m->factor, m->more);
}

/* The scalar behind `offset` scalars. */
static void *step_to(void *p, ptrdiff_t offset, wf_real real)
{
    return (char *)p + offset * (real == WF_F64 ? 8 : 4);
}

static void multiply_block(const wf_multiply *m, const layout *l, wf_lines *in,
                           void *out_re, void *out_im, int64_t begin,
                           int64_t end, char *scratch)
{
    const wf_stationary *b = m->b;
    const int mr = b->tile->mr, nr = b->tile->nr;
    char *after = scratch + (size_t)l->groups * l->group;
    char *tiles = after + l->values + l->numbers;
    int exponent[BLOCK_GROUPS * WF_TILE_ROWS] = {0};
    wf_lines out[BLOCK_GROUPS];
    cursor from = cursor_at(m, begin), to = from;
    int groups = 0;
    for (int64_t row = begin; row < end; row += mr, groups++) {
        const int valid = (int)(end - row < mr ? end - row : mr);
        locate(m, &m->in, valid, mr, &from, in);
        locate(m, &m->out, valid, mr, &to, &out[groups]);
        pack(m, l, in, scratch + (size_t)groups * l->group,
             exponent + groups * mr, after);
    }
    for (int64_t panel = 0; panel * nr < b->n; panel++) {
        const ptrdiff_t shift = (ptrdiff_t)(panel * nr) * m->out.step;
        for (int g = 0; g < groups; g++) {
            const int64_t left = end - begin - (int64_t)g * mr;
            out[g].to_re = step_to(out_re, shift, m->out_real);
            out[g].to_im = step_to(out_im, shift, m->out_real);
            tile_of(m, l, panel, scratch + (size_t)g * l->group,
                    exponent + g * mr, (int)(left < mr ? left : mr), &out[g],
                    tiles);
        }
    }
}

void wf_multiply_rows(const wf_multiply *m, const void *in_re,
                      const void *in_im, void *out_re, void *out_im,
                      int64_t begin, int64_t end, char *scratch)
{
    const layout l = layout_of(m->b);
    const int64_t block = (int64_t)l.groups * m->b->tile->mr;
    wf_lines in = {.re = in_re,
                   .im = in_im,
                   .twiddle = m->twiddle,
                   .twiddle_step = (ptrdiff_t)m->nq,
                   .conjugate = m->conjugate};
    for (int64_t row = begin; row < end; row += block)
        multiply_block(m, &l, &in, out_re, out_im, row,
                       row + block < end ? row + block : end, scratch);
}
