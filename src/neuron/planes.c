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

void wf_nc_twiddle_rows(wf_nc_lowering *l, wf_nc_pair twiddle, int64_t rows,
                        int64_t n)
{
    wf_nc_program *p = l->program;
    wf_nc_pair in = l->at, out = wf_nc_target(l);
    int64_t place[8];
    wf_nc_restart(p);
    for (int i = 0; i < 8; i++)
        place[i] = wf_nc_sbuf(p, WF_NC_FP32, WIDE);
    for (piece k = {0}; next_piece(n, &k);) {
        wf_nc_view x[2], w[2], t[4];
        for (int i = 0; i < 2; i++) {
            x[i] = tile_of(&k, place[i]);
            w[i] = tile_of(&k, place[2 + i]);
            wf_nc_load(p, w[i], hbm_of(l, &k, i ? twiddle.im : twiddle.re, 0));
        }
        for (int i = 0; i < 4; i++)
            t[i] = tile_of(&k, place[4 + i]);
        for (int64_t row = 0; row < rows; row++) {
            for (int i = 0; i < 2; i++)
                wf_nc_load(p, x[i], hbm_of(l, &k, i ? in.im : in.re, row * n));
            wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[0], x[0], w[0]);
            wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[1], x[1], w[1]);
            wf_nc_binary(p, WF_NC_VECTOR, WF_NC_SUB, t[0], t[0], t[1]);
            wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_MUL, t[2], x[0], w[1]);
            wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_MUL, t[3], x[1], w[0]);
            wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_ADD, t[2], t[2], t[3]);
            wf_nc_load(p, hbm_of(l, &k, out.re, row * n), t[0]);
            wf_nc_load(p, hbm_of(l, &k, out.im, row * n), t[2]);
        }
    }
    wf_nc_arrived(l, out);
}

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
