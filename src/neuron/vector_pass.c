/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vector_pass.c - a self-sorting pass of radix 2 or 4: sums and differences
 * only, so the Tensor engine has nothing to do.  Real parts on the Vector
 * engine, imaginary ones on GpSimd.
 *
 * Many rows: a row in each partition, blocks of columns in the free dimension.
 * Few rows: the columns of a row are dealt out to the partitions, `each`
 * neighbours to one, where a divisor of the columns allows it, and rows lie
 * side by side in the free dimension.
 */
#include "neuron/lower.h"

enum { WIDEST = 512 };

typedef struct pass {
    wf_nc_lowering *l;
    const wf_nc_pass *is;
    wf_nc_pair in, out, twiddle;
    int64_t columns, m;
    bool twiddled;
    int64_t at_in[2][2], at_out[2][2], at_sum[2], at_twiddle[2];
    int64_t at_product[2];
} pass;

/* Some partitions with `each` columns, the first's first column (p, q), of
 * `rows` rows side by side (1 when rows lie in the partitions). */
typedef struct block {
    int64_t row, rows, partitions, p, q, each;
    bool dealt;
} block;

static int64_t leg_size(const block *b)
{
    return b->rows * b->each;
}

static wf_nc_view tile(const block *b, int64_t at, int64_t columns)
{
    return wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)b->partitions, at,
                      columns);
}

static void load(const pass *s, const block *b, int parity)
{
    int64_t column = b->p * s->is->s + b->q, n = s->is->n;
    for (int plane = 0; plane < 2; plane++) {
        wf_nc_view from = wf_nc_hbm(s->l->program, plane ? s->in.im : s->in.re,
                                    b->row * n + column,
                                    b->dealt ? b->each : n, b->partitions);
        from = wf_nc_add(wf_nc_add(from, s->is->r, s->columns), b->rows, n);
        from = wf_nc_add(from, b->each, 1);
        wf_nc_load(s->l->program,
                   tile(b, s->at_in[parity][plane], s->is->r * leg_size(b)),
                   from);
    }
}

static void load_twiddles(const pass *s, const block *b)
{
    int64_t column = b->p * s->is->s + b->q;
    for (int plane = 0; s->twiddled && plane < 2; plane++) {
        wf_nc_view from = wf_nc_hbm(s->l->program,
                                    plane ? s->twiddle.im : s->twiddle.re,
                                    s->columns + column,
                                    b->dealt ? b->each : 0, b->partitions);
        from = wf_nc_add(from, s->is->r - 1, s->columns);
        wf_nc_load(s->l->program,
                   tile(b, s->at_twiddle[plane], (s->is->r - 1) * b->each),
                   wf_nc_add(from, b->each, 1));
    }
}

/* Leg j of a tile of legs. */
static wf_nc_view leg(const wf_nc_legs *g, int64_t at, int64_t j)
{
    return wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)g->partitions,
                      at + j * g->each * 4, g->each);
}

static const wf_nc_unit unit[2] = {WF_NC_VECTOR, WF_NC_GPSIMD};

static void radix2(wf_nc_lowering *l, const wf_nc_legs *g)
{
    for (int plane = 0; plane < 2; plane++) {
        int64_t x = g->in[plane], y = g->out[plane];
        for (int k = 0; k < 2; k++)
            wf_nc_binary(l->program, unit[plane], k ? WF_NC_SUB : WF_NC_ADD,
                         leg(g, y, k), leg(g, x, 0), leg(g, x, 1));
    }
}

/* Sums t0 = a0 + a2, t1 = a0 - a2, t2 = a1 + a3, t3 = a1 - a3; y0 = t0 + t2,
 * y2 = t0 - t2, y1 = t1 -+ i t3, y3 = t1 +- i t3. */
static void radix4(wf_nc_lowering *l, const wf_nc_legs *g)
{
    wf_nc_program *p = l->program;
    for (int plane = 0; plane < 2; plane++)
        for (int t = 0; t < 4; t++)
            wf_nc_binary(p, unit[plane], t % 2 ? WF_NC_SUB : WF_NC_ADD,
                         leg(g, g->sum[plane], t), leg(g, g->in[plane], t / 2),
                         leg(g, g->in[plane], t / 2 + 2));
    for (int plane = 0; plane < 2; plane++) {
        int64_t mine = g->sum[plane], other = g->sum[!plane];
        int64_t y = g->out[plane];
        for (int k = 0; k < 2; k++)
            wf_nc_binary(p, unit[plane], k ? WF_NC_SUB : WF_NC_ADD,
                         leg(g, y, 2 * k), leg(g, mine, 0), leg(g, mine, 2));
        /* -i (re + i im) = im - i re: y1's real part adds the other's. */
        for (int k = 0; k < 2; k++) {
            bool add = (plane == 0) != (k == 1);
            wf_nc_binary(p, unit[plane],
                         add != l->inverse ? WF_NC_ADD : WF_NC_SUB,
                         leg(g, y, 1 + 2 * k), leg(g, mine, 1),
                         leg(g, other, 3));
        }
    }
}

void wf_nc_butterfly(wf_nc_lowering *l, int r, const wf_nc_legs *legs)
{
    if (r == 2)
        radix2(l, legs);
    else
        radix4(l, legs);
}

/* Legs 1 .. of the result, in place. */
static void twiddle(const pass *s, const block *b, int parity)
{
    wf_nc_program *p = s->l->program;
    int64_t count = (s->is->r - 1) * leg_size(b);
    wf_nc_view y[2], w[2], t[2];
    for (int i = 0; i < 2; i++) {
        y[i] = tile(b, s->at_out[parity][i] + leg_size(b) * 4, count);
        w[i] = tile(b, s->at_twiddle[i], 0); /* the same for every row */
        w[i].dims = 0;
        w[i] = wf_nc_add(w[i], s->is->r - 1, b->each);
        w[i] = wf_nc_add(wf_nc_add(w[i], b->rows, 0), b->each, 1);
        t[i] = tile(b, s->at_product[i], count);
    }
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[0], y[1], w[1]);
    wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_MUL, t[1], y[0], w[1]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, y[0], y[0], w[0]);
    wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_MUL, y[1], y[1], w[0]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_SUB, y[0], y[0], t[0]);
    wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_ADD, y[1], y[1], t[1]);
}

static void store(const pass *s, const block *b, int parity)
{
    int64_t r = s->is->r, step = s->is->s, n = s->is->n;
    int64_t qs = wf_nc_least(b->each, step), ps = b->each / qs;
    int64_t at = b->row * n + b->p * r * step + b->q;
    for (int plane = 0; plane < 2; plane++) {
        wf_nc_view to = wf_nc_hbm(s->l->program, plane ? s->out.im : s->out.re,
                                  at, b->dealt ? b->each : n, b->partitions);
        to = wf_nc_add(wf_nc_add(to, r, step), b->rows, n);
        to = wf_nc_add(wf_nc_add(to, ps, r * step), qs, 1);
        if (b->dealt && ps > 1) {
            to.step = ps * r * step;
        } else if (b->dealt && step > b->each) { /* q moves on, then p */
            to.fold = (int32_t)(step / b->each);
            to.outer = r * step;
        } else if (b->dealt) {
            to.step = r * step;
        }
        wf_nc_load(s->l->program, to,
                   tile(b, s->at_out[parity][plane], r * leg_size(b)));
    }
}

static void one_block(const pass *s, const block *b, int parity)
{
    wf_nc_legs legs = {b->partitions,
                       leg_size(b),
                       {s->at_in[parity][0], s->at_in[parity][1]},
                       {s->at_sum[0], s->at_sum[1]},
                       {s->at_out[parity][0], s->at_out[parity][1]}};
    load(s, b, parity);
    wf_nc_butterfly(s->l, s->is->r, &legs);
    if (s->twiddled)
        twiddle(s, b, parity);
    for (int plane = 0; s->is->scale != 1 && plane < 2; plane++) {
        wf_nc_view y = tile(b, s->at_out[parity][plane],
                            s->is->r * leg_size(b));
        wf_nc_scalar(s->l->program, plane ? WF_NC_GPSIMD : WF_NC_VECTOR,
                     WF_NC_MUL, y, y, (float)s->is->scale);
    }
    store(s, b, parity);
}

/* The fewest columns a partition can take so that 128 take them all, in whole
 * runs; 0: none. */
static int64_t deal(const pass *s)
{
    int64_t step = s->is->s;
    if (s->is->rows >= WF_NC_PARTITIONS / 2)
        return 0;
    for (int64_t each = 1; each <= WIDEST; each++)
        if (s->columns % each == 0 && s->columns / each <= WF_NC_PARTITIONS &&
            (each % step == 0 || step % each == 0))
            return each;
    /* Long rows take several turns of 128 partitions. */
    for (int64_t each = WIDEST; each >= 64; each--)
        if (s->columns % each == 0 && step % each == 0 &&
            (step / each) % WF_NC_PARTITIONS == 0)
            return each;
    return 0;
}

static void place(pass *s, int64_t each)
{
    wf_nc_program *p = s->l->program;
    int64_t r = s->is->r;
    wf_nc_restart(p);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            s->at_in[i][k] = wf_nc_sbuf(p, WF_NC_FP32, r * each);
            s->at_out[i][k] = wf_nc_sbuf(p, WF_NC_FP32, r * each);
        }
        s->at_sum[i] = wf_nc_sbuf(p, WF_NC_FP32, r * each);
        s->at_twiddle[i] = wf_nc_sbuf(p, WF_NC_FP32, r * each);
        s->at_product[i] = wf_nc_sbuf(p, WF_NC_FP32, r * each);
    }
}

static void dealt_rows(pass *s, int64_t each)
{
    int64_t shares = s->columns / each;
    int parity = 0;
    for (int64_t at = 0; at < shares; at += WF_NC_PARTITIONS) {
        block b = {.partitions = wf_nc_least(WF_NC_PARTITIONS, shares - at),
                   .p = at * each / s->is->s,
                   .q = at * each % s->is->s,
                   .each = each,
                   .dealt = true};
        load_twiddles(s, &b);
        for (b.row = 0; b.row < s->is->rows; b.row += b.rows) {
            b.rows = wf_nc_least(WIDEST / each, s->is->rows - b.row);
            one_block(s, &b, parity);
            parity = !parity;
        }
    }
}

static void whole_rows(pass *s)
{
    int64_t step = s->is->s, many = step < WIDEST ? WIDEST / step : 1;
    int64_t wide = wf_nc_least(step, WIDEST);
    int parity = 0;
    for (int64_t at = 0; at < s->m; at += many)
        for (int64_t q = 0; q < step; q += wide) {
            int64_t ps = wf_nc_least(many, s->m - at);
            block b = {.rows = 1,
                       .partitions = wf_nc_least(WF_NC_PARTITIONS,
                                                 s->is->rows),
                       .p = at,
                       .q = q,
                       .each = ps * wf_nc_least(wide, step - q)};
            load_twiddles(s, &b);
            for (b.row = 0; b.row < s->is->rows; b.row += WF_NC_PARTITIONS) {
                b.partitions = wf_nc_least(WF_NC_PARTITIONS,
                                           s->is->rows - b.row);
                one_block(s, &b, parity);
                parity = !parity;
            }
        }
}

void wf_nc_vector_pass(wf_nc_lowering *l, const wf_nc_pass *is)
{
    pass s = {.l = l,
              .is = is,
              .in = l->at,
              .out = wf_nc_target(l),
              .columns = is->n / is->r,
              .m = is->n / is->r / is->s};
    s.twiddled = s.m > 1;
    if (s.twiddled)
        s.twiddle = wf_nc_twiddles(l, is, false);
    int64_t each = deal(&s);
    place(&s, each > 0 ? each * wf_nc_least(WIDEST / each, is->rows)
                       : wf_nc_least(WIDEST, s.columns));
    if (each > 0)
        dealt_rows(&s, each);
    else
        whole_rows(&s);
    l->variance += (is->r == 2 ? 0.5 : 0.8) * 0x1p-48;
    wf_nc_arrived(l, s.out);
}
