/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tensor_pass.c - a self-sorting pass of radix r on the Tensor engine.
 *
 * The r legs of a pass lie n/r apart, so r whole runs of columns load into r
 * partitions, real parts above imaginary ones: [xr; xi], up to 512 columns of
 * as many transforms as fit, against the stationary [[Wr Wi] [-Wi Wr]]: one
 * matrix of 128 x 128 for r = 64, stationary for the whole pass.
 * Where twiddles follow, real and imaginary results must meet in one partition,
 * so the two halves of the stationary give two results; the twiddle product
 * reads them from PSUM (Vector) and adds in SBUF (GpSimd).
 *
 * A pass writes runs of s numbers.  The first has s = 1: its result is turned
 * on the Tensor engine, so that the r results of a column lie in a row and
 * are the run.
 *
 * Applies to r <= 64; columns and rows may be any number.
 */
#include "neuron/lower.h"

typedef struct pass {
    wf_nc_lowering *l;
    const wf_nc_pass *is;
    wf_nc_mode mode;
    wf_nc_products products;
    wf_nc_pair in, out, twiddle;
    int64_t columns, m;
    int table, bank;
    bool twiddled;
    int64_t at_table, at_data[2], at_part[2][3], at_rest, at_twiddle[2];
    int64_t at_product[2][4], at_result[2][2], at_turned[2];
} pass;

/* A rectangle of columns (p, q) of some rows: at most 512 of them. */
typedef struct block {
    int64_t row, rows, p, ps, q, qs;
} block;

static int64_t columns_of(const block *b)
{
    return b->rows * b->ps * b->qs;
}

static wf_nc_view tile(wf_nc_type type, int64_t partitions, int64_t at,
                       int64_t columns)
{
    return wf_nc_tile(WF_NC_SBUF, type, 0, (int)partitions, at, columns);
}

static void load_legs(const pass *s, const block *b, wf_nc_view data)
{
    int64_t r = s->is->r, column = b->p * s->is->s + b->q;
    for (int plane = 0; plane < 2; plane++) {
        wf_nc_view half = data;
        half.partition = plane * (int)r;
        half.partitions = (int)r;
        wf_nc_view from = wf_nc_hbm(s->l->program, plane ? s->in.im : s->in.re,
                                    b->row * s->is->n + column, s->columns, r);
        from = wf_nc_add(wf_nc_add(from, b->rows, s->is->n), b->ps * b->qs, 1);
        wf_nc_load(s->l->program, half, from);
    }
}

/* Columns first .. of the stationary's part, as [2r, count]. */
static wf_nc_view stationary(const pass *s, int part, int64_t first,
                             int64_t count)
{
    int64_t side = 2 * s->is->r;
    wf_nc_view whole =
        tile(s->mode.type, side,
             s->at_table + part * side * wf_nc_bytes(s->mode.type), side);
    return wf_nc_columns(whole, first, count);
}

static wf_nc_view multiply(pass *s, const wf_nc_view *data, int64_t first,
                           int64_t results, int64_t columns)
{
    wf_nc_view bank = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, (int)results,
                                 wf_nc_bank(s->bank++ % 6), columns);
    for (int k = 0; k < s->products.count; k++)
        wf_nc_matmul(s->l->program, bank,
                     stationary(s, s->products.table[k], first, results),
                     data[s->products.data[k]], k > 0,
                     k == s->products.count - 1);
    return bank;
}

/* A view of the twiddles' tile for some rows: the same for each. */
static wf_nc_view repeated(wf_nc_view view, int64_t rows)
{
    view.dims = 2;
    view.dim[1] = view.dim[0];
    view.dim[0] = (wf_nc_dim){(int32_t)rows, 0};
    return view;
}

static void load_twiddles(const pass *s, const block *b)
{
    int64_t column = b->p * s->is->s + b->q, count = b->ps * b->qs;
    for (int plane = 0; plane < 2; plane++)
        wf_nc_load(s->l->program,
                   tile(WF_NC_FP32, s->is->r, s->at_twiddle[plane], count),
                   wf_nc_rows(s->l->program,
                              plane ? s->twiddle.im : s->twiddle.re, column,
                              s->columns, s->is->r, count));
}

/* result = half times twiddle: four products, a difference and a sum. */
static void twiddle(const pass *s, const block *b, const wf_nc_view half[2],
                    int parity, const wf_nc_view result[2])
{
    wf_nc_program *p = s->l->program;
    wf_nc_view w[2], t[4];
    for (int i = 0; i < 2; i++)
        w[i] = repeated(tile(WF_NC_FP32, s->is->r, s->at_twiddle[i],
                             b->ps * b->qs),
                        b->rows);
    for (int i = 0; i < 4; i++)
        t[i] = tile(WF_NC_FP32, s->is->r, s->at_product[parity][i],
                    columns_of(b));
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[0], half[0], w[0]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[1], half[1], w[1]);
    wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_SUB, result[0], t[0], t[1]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[2], half[0], w[1]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[3], half[1], w[0]);
    wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_ADD, result[1], t[2], t[3]);
}

/* y[row][p][k][q]: runs of q for each k. */
static void store_runs(const pass *s, const block *b, const wf_nc_view result,
                       int plane)
{
    int64_t r = s->is->r, step = s->is->s;
    int64_t at = b->row * s->is->n + b->p * r * step + b->q;
    wf_nc_view to = wf_nc_hbm(s->l->program, plane ? s->out.im : s->out.re, at,
                              step, r);
    to = wf_nc_add(wf_nc_add(to, b->rows, s->is->n), b->ps, r * step);
    wf_nc_load(s->l->program, wf_nc_add(to, b->qs, 1), result);
}

/* s = 1: columns become rows of r results. */
static void store_turned(pass *s, const block *b, const wf_nc_view result[2],
                         int parity)
{
    wf_nc_program *p = s->l->program;
    int64_t r = s->is->r, count = columns_of(b);
    for (int64_t at = 0; at < count; at += WF_NC_PARTITIONS) {
        int64_t rows = wf_nc_least(WF_NC_PARTITIONS, count - at);
        for (int plane = 0; plane < 2; plane++) {
            wf_nc_view bank = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, (int)rows,
                                         wf_nc_bank(6 + plane), r);
            wf_nc_view turned = tile(WF_NC_FP32, rows,
                                     s->at_turned[parity] + plane * r * 4, r);
            wf_nc_transpose(p, WF_NC_TENSOR, bank,
                            wf_nc_columns(result[plane], at, rows));
            wf_nc_copy(p, WF_NC_SCALAR, turned, bank);
            int64_t to = b->row * s->is->n + (b->p + at) * r;
            wf_nc_load(p,
                       wf_nc_rows(p, plane ? s->out.im : s->out.re, to, r,
                                  rows, r),
                       turned);
        }
    }
}

static void one_block(pass *s, const block *b, int parity)
{
    wf_nc_program *p = s->l->program;
    int64_t r = s->is->r, count = columns_of(b);
    wf_nc_view data[3] = {tile(WF_NC_FP32, 2 * r, s->at_data[parity], count)};
    wf_nc_view result[2];
    load_legs(s, b, data[0]);
    if (!wf_nc_plain(s->mode)) {
        wf_nc_view whole = data[0];
        for (int i = 0; i < s->mode.parts; i++)
            data[i] = tile(s->mode.type, 2 * r, s->at_part[parity][i], count);
        wf_nc_split(s->l, s->mode, whole, data,
                    tile(WF_NC_FP32, 2 * r, s->at_rest, count));
    }
    for (int i = 0; i < 2; i++)
        result[i] = tile(WF_NC_FP32, r, s->at_result[parity][i], count);
    if (s->twiddled) {
        wf_nc_view half[2];
        for (int i = 0; i < 2; i++)
            half[i] = multiply(s, data, i * r, r, count);
        twiddle(s, b, half, parity, result);
    } else if (s->is->s > 1) { /* both halves at once: nothing mixes them */
        wf_nc_view both = multiply(s, data, 0, 2 * r, count);
        wf_nc_view to = tile(WF_NC_FP32, 2 * r, s->at_result[parity][0],
                             count);
        wf_nc_copy(p, s->bank % 2 ? WF_NC_VECTOR : WF_NC_SCALAR, to, both);
        for (int i = 0; i < 2; i++) {
            result[i] = to;
            result[i].partition = i * (int)r;
            result[i].partitions = (int)r;
        }
    } else {
        for (int i = 0; i < 2; i++)
            wf_nc_copy(p, i ? WF_NC_VECTOR : WF_NC_SCALAR, result[i],
                       multiply(s, data, i * r, r, count));
    }
    if (s->is->s == 1 && s->columns > 1)
        store_turned(s, b, result, parity);
    else
        for (int i = 0; i < 2; i++)
            store_runs(s, b, result[i], i);
}

static void place(pass *s, int64_t most)
{
    wf_nc_program *p = s->l->program;
    int64_t side = 2 * (int64_t)s->is->r;
    wf_nc_restart(p);
    s->at_table = wf_nc_sbuf(p, s->mode.type, s->mode.parts * side);
    s->at_rest = wf_nc_sbuf(p, WF_NC_FP32, most);
    for (int i = 0; i < 2; i++) {
        s->at_twiddle[i] = wf_nc_sbuf(p, WF_NC_FP32, most);
        s->at_data[i] = wf_nc_sbuf(p, WF_NC_FP32, most);
        for (int k = 0; k < s->mode.parts; k++)
            s->at_part[i][k] = wf_nc_sbuf(p, s->mode.type, most);
        for (int k = 0; k < 4; k++)
            s->at_product[i][k] = wf_nc_sbuf(p, WF_NC_FP32, most);
        for (int k = 0; k < 2; k++)
            s->at_result[i][k] = wf_nc_sbuf(p, WF_NC_FP32, most);
        s->at_turned[i] = wf_nc_sbuf(p, WF_NC_FP32, side);
    }
    for (int part = 0; part < s->mode.parts; part++)
        wf_nc_load(
            p,
            tile(s->mode.type, side,
                 s->at_table + part * side * wf_nc_bytes(s->mode.type), side),
            wf_nc_rows(p, s->table, part * side * side, side, side, side));
}

/* All rows of one rectangle of columns: its twiddles are loaded once. */
static void all_rows(pass *s, block b, int *parity)
{
    int64_t together = WF_NC_MOVING / (b.ps * b.qs);
    bool whole = b.ps * b.qs == s->columns;
    if (s->twiddled)
        load_twiddles(s, &b);
    for (b.row = 0; b.row < s->is->rows; b.row += b.rows) {
        /* Turned rows follow each other only where whole rows do. */
        b.rows = whole || s->is->s > 1
                     ? wf_nc_least(together, s->is->rows - b.row)
                     : 1;
        one_block(s, &b, *parity);
        *parity = !*parity;
    }
}

void wf_nc_tensor_pass(wf_nc_lowering *l, const wf_nc_pass *is)
{
    pass s = {.l = l,
              .is = is,
              .mode = wf_nc_mode_of_passes(l->mode),
              .products = wf_nc_mode_products(l->mode),
              .in = l->at,
              .out = wf_nc_target(l),
              .columns = is->n / is->r,
              .m = is->n / is->r / is->s};
    int parity = 0;
    s.twiddled = s.m > 1;
    s.table = wf_nc_matrix_table(l, s.mode, is->r, l->inverse, is->scale);
    if (s.twiddled)
        s.twiddle = wf_nc_twiddles(l, is, false);
    place(&s, WF_NC_MOVING);
    if (is->s >= WF_NC_MOVING) {
        for (int64_t at = 0; at < s.m; at++)
            for (int64_t q = 0; q < is->s; q += WF_NC_MOVING)
                all_rows(&s,
                         (block){.p = at,
                                 .ps = 1,
                                 .q = q,
                                 .qs = wf_nc_least(WF_NC_MOVING, is->s - q)},
                         &parity);
    } else {
        int64_t most = WF_NC_MOVING / is->s;
        for (int64_t at = 0; at < s.m; at += most)
            all_rows(&s,
                     (block){.p = at,
                             .ps = wf_nc_least(most, s.m - at),
                             .q = 0,
                             .qs = is->s},
                     &parity);
    }
    l->variance += wf_nc_variance(l, 2 * is->r) + 0.3 * 0x1p-48;
    wf_nc_arrived(l, s.out);
}
