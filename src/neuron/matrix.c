/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.c - the transform as one matrix product, for every row at once.
 *
 * A complex product of split data is the real one [xr xi] [[Wr Wi] [-Wi Wr]]:
 * one contraction of 2n instead of four of n, and up to n = 64 one matrix of
 * 128 x 128.  Rows lie in HBM as they are, so a tile of up to 128 rows is
 * loaded with whole rows as descriptors, turned by the Tensor engine (the
 * contraction must lie in the partitions), and is the stationary operand; the
 * matrix moves, 512 columns at a time, and the result has its rows in the
 * partitions again.  Remainders of all three sizes are tiles of that size.
 *
 * The matrix stays in SBUF when it fits (n <= 960 in FP32), else it streams,
 * once for each tile of rows.
 */
#include "neuron/lower.h"

enum { TURN = 128, RESIDENT = 120 << 10 };

typedef struct product {
    wf_nc_lowering *l;
    wf_nc_mode mode;
    wf_nc_products products;
    wf_nc_pair in, out;
    int64_t n, side; /* side = 2n */
    int turns;       /* tiles of the contraction */
    int table;
    bool resident;
    int64_t at_table, at_in[2], at_turned[2], at_rest, at_out[2], at_row[2];
    double scale; /* of scaled modes; the others have it in the matrix */
    int bank;
} product;

static int64_t turn_size(const product *m, int turn)
{
    return wf_nc_least(TURN, m->side - (int64_t)turn * TURN);
}

/* Part `part` of the data's tile `turn`: [contraction, rows]. */
static wf_nc_view turned(const product *m, int parity, int part, int turn,
                         int64_t rows)
{
    int64_t slot = (int64_t)part * m->turns + turn;
    return wf_nc_tile(
        WF_NC_SBUF, m->mode.type, 0, (int)turn_size(m, turn),
        m->at_turned[parity] + slot * TURN * wf_nc_bytes(m->mode.type), rows);
}

/* Columns first .. of part `part` of the matrix's tile `turn`. */
static wf_nc_view table_tile(const product *m, int part, int turn,
                             int64_t first, int64_t count)
{
    int64_t width = m->resident ? m->side : WF_NC_MOVING;
    int64_t slot = (int64_t)part * m->turns + turn;
    wf_nc_view tile = wf_nc_tile(
        WF_NC_SBUF, m->mode.type, 0, (int)turn_size(m, turn),
        m->at_table + slot * width * wf_nc_bytes(m->mode.type), width);
    return wf_nc_columns(tile, m->resident ? first : 0, count);
}

static void load_table(const product *m, int64_t first, int64_t count)
{
    wf_nc_program *p = m->l->program;
    for (int part = 0; part < m->mode.parts; part++)
        for (int turn = 0; turn < m->turns; turn++) {
            int64_t row = part * m->side + (int64_t)turn * TURN;
            wf_nc_load(p, table_tile(m, part, turn, first, count),
                       wf_nc_rows(p, m->table, row * m->side + first, m->side,
                                  turn_size(m, turn), count));
        }
}

static void move_rows(const product *m, wf_nc_pair pair, int64_t first,
                      int64_t rows, wf_nc_view tile, bool store)
{
    wf_nc_program *p = m->l->program;
    for (int plane = 0; plane < 2; plane++) {
        wf_nc_view half = wf_nc_columns(tile, plane * m->n, m->n);
        wf_nc_view hbm = wf_nc_rows(p, plane ? pair.im : pair.re, first * m->n,
                                    m->n, rows, m->n);
        wf_nc_load(p, store ? hbm : half, store ? half : hbm);
    }
}

/* The tile's rows divided by powers of two, which are kept, times the scale:
 * in the matrix it would push fp16 entries to the end of their exponents. */
static void scale_rows(const product *m, wf_nc_view tile, wf_nc_view power,
                       wf_nc_view inverse)
{
    wf_nc_program *p = m->l->program;
    wf_nc_reduce(p, inverse, tile);
    wf_nc_exponent(p, power, inverse);
    wf_nc_reciprocal(p, inverse, power);
    wf_nc_by_row(p, WF_NC_VECTOR, WF_NC_MUL, tile, tile, inverse);
    if (m->scale != 1)
        wf_nc_scalar(p, WF_NC_VECTOR, WF_NC_MUL, power, power,
                     (float)m->scale);
}

static void turn_rows(product *m, int parity, int64_t rows, wf_nc_view tile)
{
    wf_nc_program *p = m->l->program;
    for (int turn = 0; turn < m->turns; turn++) {
        int64_t size = turn_size(m, turn);
        wf_nc_view bank = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, (int)size,
                                     wf_nc_bank(m->bank++ % 4), rows);
        wf_nc_view rest = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)size,
                                     m->at_rest, rows);
        wf_nc_view part[3];
        for (int i = 0; i < m->mode.parts; i++)
            part[i] = turned(m, parity, i, turn, rows);
        wf_nc_transpose(p, WF_NC_TENSOR, bank,
                        wf_nc_columns(tile, (int64_t)turn * TURN, size));
        wf_nc_split(m->l, m->mode, bank, part, rest);
    }
}

static wf_nc_view next_bank(product *m, int64_t rows, int64_t count)
{
    return wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, (int)rows,
                      wf_nc_bank(4 + m->bank++ % 4), count);
}

/* Products first .. last of the mode, in one sum. */
static wf_nc_view add_products(product *m, int parity, int64_t rows,
                               int64_t column, int64_t count, int first,
                               int last)
{
    wf_nc_view bank = next_bank(m, rows, count);
    for (int k = first; k <= last; k++)
        for (int turn = 0; turn < m->turns; turn++)
            wf_nc_matmul(
                m->l->program, bank,
                turned(m, parity, m->products.data[k], turn, rows),
                table_tile(m, m->products.table[k], turn, column, count),
                k > first || turn > 0, k == last && turn == m->turns - 1);
    return bank;
}

static void multiply(product *m, int parity, int64_t rows, int64_t first,
                     int64_t count, wf_nc_view out, const wf_nc_view *power)
{
    wf_nc_program *p = m->l->program;
    int last = m->products.count - 1;
    wf_nc_view to = wf_nc_columns(out, first, count), sum;
    if (wf_nc_apart(m->mode)) {
        wf_nc_view low = add_products(m, parity, rows, first, count, 0,
                                      last - 1);
        sum = add_products(m, parity, rows, first, count, last, last);
        wf_nc_scalar(p, WF_NC_VECTOR, WF_NC_MUL, to, low, 1 / WF_NC_LIFT);
        wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, to, sum, to);
        sum = to;
    } else {
        sum = add_products(m, parity, rows, first, count, 0, last);
    }
    if (power != NULL)
        wf_nc_by_row(p, WF_NC_VECTOR, WF_NC_MUL, to, sum, *power);
    else
        wf_nc_copy(p, m->bank % 2 ? WF_NC_VECTOR : WF_NC_SCALAR, to, sum);
}

static void one_tile(product *m, int parity, int64_t first, int64_t rows)
{
    wf_nc_view in = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)rows,
                               m->at_in[parity], m->side);
    wf_nc_view out = in, power[2];
    out.at = m->at_out[parity];
    for (int i = 0; i < 2; i++)
        power[i] = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)rows,
                              m->at_row[parity] + 64 * i, 1);
    move_rows(m, m->in, first, rows, in, false);
    if (m->mode.scaled)
        scale_rows(m, in, power[0], power[1]);
    turn_rows(m, parity, rows, in);
    for (int64_t at = 0;
         at < m->side && wf_nc_status(m->l->program) == WEFT_OK;
         at += WF_NC_MOVING) {
        int64_t count = wf_nc_least(WF_NC_MOVING, m->side - at);
        if (!m->resident)
            load_table(m, at, count);
        multiply(m, parity, rows, at, count, out,
                 m->mode.scaled ? power : NULL);
    }
    move_rows(m, m->out, first, rows, out, true);
}

static void one_product(wf_nc_lowering *l, wf_nc_mode mode, wf_nc_pair in,
                        wf_nc_pair out, wf_nc_shape shape, bool inverse,
                        double scale)
{
    wf_nc_program *p = l->program;
    product m = {.l = l,
                 .mode = mode,
                 .products = wf_nc_mode_products(mode),
                 .in = in,
                 .out = out,
                 .n = shape.n,
                 .side = 2 * shape.n,
                 .turns = (int)((2 * shape.n + TURN - 1) / TURN),
                 .scale = scale,
                 .table = wf_nc_matrix_table(l, mode, shape.n, inverse,
                                             mode.scaled ? 1 : scale)};
    int64_t slots = (int64_t)mode.parts * m.turns;
    int bytes = wf_nc_bytes(mode.type);
    m.resident = slots * m.side * bytes <= RESIDENT;
    bool twice = shape.rows > WF_NC_PARTITIONS && shape.n <= 1024;
    p = l->program;
    wf_nc_restart(p);
    m.at_table = wf_nc_sbuf(p, mode.type,
                            slots * (m.resident ? m.side : WF_NC_MOVING));
    m.at_rest = wf_nc_sbuf(p, WF_NC_FP32, TURN);
    for (int i = 0; i < 2; i++) {
        bool again = i == 1 && !twice;
        m.at_in[i] = again ? m.at_in[0] : wf_nc_sbuf(p, WF_NC_FP32, m.side);
        m.at_turned[i] = again ? m.at_turned[0]
                               : wf_nc_sbuf(p, mode.type, slots * TURN);
        m.at_out[i] = again ? m.at_out[0] : wf_nc_sbuf(p, WF_NC_FP32, m.side);
        m.at_row[i] = wf_nc_sbuf(p, WF_NC_FP32, 32);
    }
    if (m.resident)
        load_table(&m, 0, m.side);
    int parity = 0;
    for (int64_t at = 0; at < shape.rows && wf_nc_status(p) == WEFT_OK;
         at += WF_NC_PARTITIONS) {
        one_tile(&m, parity, at,
                 wf_nc_least(WF_NC_PARTITIONS, shape.rows - at));
        parity = !parity;
    }
}

void wf_nc_matrix(wf_nc_lowering *l, wf_nc_shape shape, double scale)
{
    wf_nc_pair in = l->at, out = wf_nc_target(l);
    l->variance += wf_nc_variance(l, 2 * shape.n);
    one_product(l, l->mode, in, out, shape, l->inverse, scale);
    wf_nc_arrived(l, out);
}
