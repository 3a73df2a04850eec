/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planes.c - work on whole planes: element by element, and the exchange of
 * two axes.
 *
 * Element-wise, a plane is cut into tiles of 128 partitions with up to 1024
 * neighbours each; what is left is one partition's.
 */
#include "neuron/lower.h"

enum { WIDE = 1024 };

typedef struct piece {
    int64_t at, partitions, each;
} piece;

/* The next piece of `elements` from `at`; false at the end. */
static bool next_piece(int64_t elements, piece *p)
{
    int64_t at = p->at + p->partitions * p->each, left = elements - at;
    if (left == 0)
        return false;
    int64_t each = left / WF_NC_PARTITIONS;
    each = wf_nc_least(each, WIDE);
    *p = each > 0 ? (piece){at, WF_NC_PARTITIONS, each} : (piece){at, 1, left};
    return true;
}

static wf_nc_view tile_of(const piece *p, int64_t at)
{
    return wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)p->partitions, at,
                      p->each);
}

static wf_nc_view hbm_of(const wf_nc_lowering *l, const piece *p, int tensor,
                         int64_t offset)
{
    return wf_nc_rows(l->program, tensor, offset + p->at, p->each,
                      p->partitions, p->each);
}

void wf_nc_planes(wf_nc_lowering *l, wf_nc_alu alu, wf_nc_pair out,
                  wf_nc_pair a, wf_nc_pair b, int64_t elements)
{
    wf_nc_program *p = l->program;
    int tensor[2][3] = {{out.re, a.re, b.re}, {out.im, a.im, b.im}};
    int64_t place[2][2][2];
    wf_nc_restart(p);
    for (int i = 0; i < 8; i++)
        place[i / 4][i / 2 % 2][i % 2] = wf_nc_sbuf(p, WF_NC_FP32, WIDE);
    int parity = 0;
    for (piece k = {0}; next_piece(elements, &k); parity = !parity)
        for (int plane = 0; plane < 2; plane++) {
            wf_nc_view x = tile_of(&k, place[parity][plane][0]);
            wf_nc_view y = tile_of(&k, place[parity][plane][1]);
            wf_nc_load(p, x, hbm_of(l, &k, tensor[plane][1], 0));
            wf_nc_load(p, y, hbm_of(l, &k, tensor[plane][2], 0));
            wf_nc_binary(p, plane ? WF_NC_GPSIMD : WF_NC_VECTOR, alu, x, x, y);
            wf_nc_load(p, hbm_of(l, &k, tensor[plane][0], 0), x);
        }
}

void wf_nc_rescale(wf_nc_lowering *l, double scale)
{
    wf_nc_program *p = l->program;
    wf_nc_pair in = l->at, out = wf_nc_target(l);
    int64_t place[2][2];
    wf_nc_restart(p);
    for (int i = 0; i < 4; i++)
        place[i / 2][i % 2] = wf_nc_sbuf(p, WF_NC_FP32, WIDE);
    int parity = 0;
    for (piece k = {0}; next_piece(l->total, &k); parity = !parity)
        for (int plane = 0; plane < 2; plane++) {
            wf_nc_view x = tile_of(&k, place[parity][plane]);
            wf_nc_load(p, x, hbm_of(l, &k, plane ? in.im : in.re, 0));
            if (scale != 1)
                wf_nc_scalar(p, plane ? WF_NC_GPSIMD : WF_NC_VECTOR, WF_NC_MUL,
                             x, x, (float)scale);
            wf_nc_load(p, hbm_of(l, &k, plane ? out.im : out.re, 0), x);
        }
    l->variance += scale == 1 ? 0 : 0.5 * 0x1p-48;
    wf_nc_arrived(l, out);
}

/* ---- Rows and a table ---------------------------------------------------- */

typedef struct product {
    wf_nc_program *p;
    wf_nc_side in, out;
    wf_nc_pair table;
    int64_t place[2][8];
    int parity;
} product;

/* out = in times w: views of HBM and of SBUF tiles of their shape. */
static void complex_product(product *m, const wf_nc_view in[2],
                            const wf_nc_view out[2], const wf_nc_view w[2],
                            const piece *shape)
{
    wf_nc_view x[2], t[4];
    const int64_t *place = m->place[m->parity];
    m->parity = !m->parity;
    for (int i = 0; i < 2; i++) {
        x[i] = tile_of(shape, place[2 + i]);
        wf_nc_load(m->p, x[i], in[i]);
    }
    for (int i = 0; i < 4; i++)
        t[i] = tile_of(shape, place[4 + i]);
    wf_nc_binary(m->p, WF_NC_VECTOR, WF_NC_MUL, t[0], x[0], w[0]);
    wf_nc_binary(m->p, WF_NC_VECTOR, WF_NC_MUL, t[1], x[1], w[1]);
    wf_nc_binary(m->p, WF_NC_VECTOR, WF_NC_SUB, t[0], t[0], t[1]);
    wf_nc_binary(m->p, WF_NC_GPSIMD, WF_NC_MUL, t[2], x[0], w[1]);
    wf_nc_binary(m->p, WF_NC_GPSIMD, WF_NC_MUL, t[3], x[1], w[0]);
    wf_nc_binary(m->p, WF_NC_GPSIMD, WF_NC_ADD, t[2], t[2], t[3]);
    wf_nc_load(m->p, out[0], t[0]);
    wf_nc_load(m->p, out[1], t[2]);
}

static int plane_of(wf_nc_pair pair, int plane)
{
    return plane ? pair.im : pair.re;
}

/* A row's numbers dealt out to the partitions. */
static void dealt_product(product *m, int64_t rows, int64_t n)
{
    for (piece k = {0}; next_piece(n, &k);) {
        wf_nc_view w[2], in[2], out[2];
        for (int i = 0; i < 2; i++) {
            w[i] = tile_of(&k, m->place[0][i]);
            wf_nc_load(m->p, w[i],
                       wf_nc_rows(m->p, plane_of(m->table, i), k.at, k.each,
                                  k.partitions, k.each));
        }
        for (int64_t row = 0; row < rows; row++) {
            for (int i = 0; i < 2; i++) {
                in[i] = wf_nc_rows(m->p, plane_of(m->in.pair, i),
                                   row * m->in.pitch + k.at, k.each,
                                   k.partitions, k.each);
                out[i] = wf_nc_rows(m->p, plane_of(m->out.pair, i),
                                    row * m->out.pitch + k.at, k.each,
                                    k.partitions, k.each);
            }
            complex_product(m, in, out, w, &k);
        }
    }
}

/* A row in each partition; the table's numbers are read into all. */
static void stacked_product(product *m, int64_t rows, int64_t n)
{
    for (int64_t at = 0; at < n; at += WIDE)
        for (int64_t row = 0; row < rows; row += WF_NC_PARTITIONS) {
            piece k = {at, wf_nc_least(WF_NC_PARTITIONS, rows - row),
                       wf_nc_least(WIDE, n - at)};
            wf_nc_view w[2], in[2], out[2];
            for (int i = 0; i < 2; i++) {
                w[i] = tile_of(&k, m->place[0][i]);
                if (row == 0)
                    wf_nc_load(m->p, w[i],
                               wf_nc_rows(m->p, plane_of(m->table, i), at, 0,
                                          k.partitions, k.each));
                in[i] = wf_nc_rows(m->p, plane_of(m->in.pair, i),
                                   row * m->in.pitch + at, m->in.pitch,
                                   k.partitions, k.each);
                out[i] = wf_nc_rows(m->p, plane_of(m->out.pair, i),
                                    row * m->out.pitch + at, m->out.pitch,
                                    k.partitions, k.each);
            }
            complex_product(m, in, out, w, &k);
        }
}

void wf_nc_times_table(wf_nc_lowering *l, wf_nc_side in, wf_nc_side out,
                       wf_nc_pair table, int64_t rows, int64_t n)
{
    product m = {.p = l->program, .in = in, .out = out, .table = table};
    wf_nc_restart(m.p);
    for (int i = 0; i < 16; i++) /* the table's two have one place */
        m.place[i / 8][i % 8] = i >= 8 && i % 8 < 2
                                    ? m.place[0][i % 8]
                                    : wf_nc_sbuf(m.p, WF_NC_FP32, WIDE);
    if (rows >= WF_NC_PARTITIONS / 2)
        stacked_product(&m, rows, n);
    else
        dealt_product(&m, rows, n);
    l->variance += 0.4 * 0x1p-48;
}

void wf_nc_zero_rows(wf_nc_lowering *l, wf_nc_side out, int64_t rows,
                     int64_t first, int64_t count)
{
    wf_nc_program *p = l->program;
    bool stacked = rows >= WF_NC_PARTITIONS / 2;
    wf_nc_restart(p);
    int64_t place = wf_nc_sbuf(p, WF_NC_FP32, WIDE);
    wf_nc_memset(p,
                 wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, WF_NC_PARTITIONS, place,
                            WIDE),
                 0);
    for (int plane = 0; plane < 2; plane++)
        for (int64_t row = 0; row < rows;
             row += stacked ? WF_NC_PARTITIONS : 1) {
            int64_t at = row * out.pitch + first;
            int64_t high = wf_nc_least(WF_NC_PARTITIONS, rows - row);
            for (int64_t c = 0; stacked && c < count; c += WIDE) {
                piece k = {c, high, wf_nc_least(WIDE, count - c)};
                wf_nc_load(p,
                           wf_nc_rows(p, plane_of(out.pair, plane), at + c,
                                      out.pitch, high, k.each),
                           tile_of(&k, place));
            }
            for (piece k = {0}; !stacked && next_piece(count, &k);)
                wf_nc_load(p,
                           wf_nc_rows(p, plane_of(out.pair, plane), at + k.at,
                                      k.each, k.partitions, k.each),
                           tile_of(&k, place));
        }
}

void wf_nc_twiddle_rows(wf_nc_lowering *l, wf_nc_pair twiddle, int64_t rows,
                        int64_t n)
{
    wf_nc_pair out = wf_nc_target(l);
    double before = l->variance;
    wf_nc_times_table(l, (wf_nc_side){l->at, n}, (wf_nc_side){out, n}, twiddle,
                      rows, n);
    l->variance = before; /* in the pass's law */
    wf_nc_arrived(l, out);
}

/* ---- Two axes ------------------------------------------------------------ */

/* [outer][rows][columns] to [outer][columns][rows]: tiles of 128 x 128 turned
 * by the Tensor engine, so that both sides move runs. */
void wf_nc_swap_axes(wf_nc_lowering *l, int64_t outer, int64_t rows,
                     int64_t columns)
{
    enum { SIDE = WF_NC_PARTITIONS };
    wf_nc_program *p = l->program;
    wf_nc_pair in = l->at, out = wf_nc_target(l);
    int64_t from[4], to[4];
    int turn = 0;
    wf_nc_restart(p);
    for (int i = 0; i < 4; i++) {
        from[i] = wf_nc_sbuf(p, WF_NC_FP32, SIDE);
        to[i] = wf_nc_sbuf(p, WF_NC_FP32, SIDE);
    }
    for (int64_t o = 0; o < outer; o++)
        for (int64_t r = 0; r < rows; r += SIDE)
            for (int64_t c = 0; c < columns; c += SIDE)
                for (int plane = 0; plane < 2; plane++, turn++) {
                    int64_t nr = wf_nc_least(SIDE, rows - r);
                    int64_t nc = wf_nc_least(SIDE, columns - c);
                    int64_t base = o * rows * columns;
                    wf_nc_view x = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0,
                                              (int)nr, from[turn % 4], nc);
                    wf_nc_view y = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0,
                                              (int)nc, to[turn % 4], nr);
                    wf_nc_view bank = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0,
                                                 (int)nc, wf_nc_bank(turn % 8),
                                                 nr);
                    wf_nc_load(p, x,
                               wf_nc_rows(p, plane ? in.im : in.re,
                                          base + r * columns + c, columns, nr,
                                          nc));
                    wf_nc_transpose(p, WF_NC_TENSOR, bank, x);
                    wf_nc_copy(p, plane ? WF_NC_SCALAR : WF_NC_VECTOR, y,
                               bank);
                    wf_nc_load(p,
                               wf_nc_rows(p, plane ? out.im : out.re,
                                          base + c * rows + r, rows, nc, nr),
                               y);
                }
    wf_nc_arrived(l, out);
}
