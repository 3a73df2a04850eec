/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posts.c - a pass as the trnfft posts' drivers run it, to be measured
 * against: each device operation a kernel with a start of its own.
 *
 * Radix 8 and 4: 128 groups in the partitions, a group's r legs in the free
 * dimension; the radix kernel (8: W8 by four products on the Tensor engine,
 * 4: sums on Vector), the twiddle product (of every pass: the posts precompute
 * log_r N tables), and the permutation, one for each plane ("8 graph nodes a
 * stage" are four for each).  Radix 2: groups of s neighbours, the twiddle
 * product in the kernel, and the twiddles brought to the device by every
 * stage, as the posts say of their drivers before they precomputed them.
 *
 * What the posts' kernels do and the hardware does not define - accumulating
 * onto a cleared bank, dropping remainders of tiles - is not repeated.
 */
#include "neuron/lower.h"

/* Groups (row, column) that are neighbours in [row][column] order: part of a
 * row, or some whole rows. */
typedef struct groups {
    int64_t row, rows, column, columns;
} groups;

typedef struct pass {
    wf_nc_lowering *l;
    const wf_nc_pass *is;
    wf_nc_pair in, out;
    int64_t columns;
} pass;

static int64_t count_of(const groups *g)
{
    return g->rows * g->columns;
}

/* One number of each group in a partition, `more` of them `stride` apart. */
static wf_nc_view legs_of(const pass *s, const groups *g, int tensor)
{
    wf_nc_view view = wf_nc_hbm(s->l->program, tensor,
                                g->row * s->is->n + g->column, 1, count_of(g));
    view = wf_nc_add(view, s->is->r, s->columns);
    view.fold = (int32_t)g->columns;
    view.outer = s->is->n;
    return view;
}

/* [group][leg], a group's legs side by side. */
static void store(const pass *s, const groups *g, wf_nc_view re, wf_nc_view im)
{
    int64_t r = s->is->r, at = g->row * s->is->n + g->column * r;
    for (int plane = 0; plane < 2; plane++)
        wf_nc_load(s->l->program,
                   wf_nc_rows(s->l->program, plane ? s->out.im : s->out.re, at,
                              r, count_of(g), r),
                   plane ? im : re);
}

static wf_nc_view tile(int64_t partitions, int64_t at, int64_t columns)
{
    return wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)partitions, at, columns);
}

/* ---- Radix 8 ------------------------------------------------------------ */

static void tensor_groups(const pass *s, const groups *g, int64_t base,
                          int64_t at_w)
{
    wf_nc_program *p = s->l->program;
    int64_t r = s->is->r, count = count_of(g);
    wf_nc_view x[2], result[2];
    for (int plane = 0; plane < 2; plane++) {
        wf_nc_view from = wf_nc_hbm(p, plane ? s->in.im : s->in.re,
                                    g->row * s->is->n + g->column, s->columns,
                                    r);
        from = wf_nc_add(wf_nc_add(from, g->rows, s->is->n), g->columns, 1);
        x[plane] = tile(r, base + plane * 512, count);
        wf_nc_load(p, x[plane], from);
    }
    for (int plane = 0; plane < 2; plane++) {
        wf_nc_view bank = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, (int)count,
                                     wf_nc_bank(plane), r);
        /* Rows of [[Wr Wi] [-Wi Wr]]: xr by the upper, xi by the lower. */
        for (int k = 0; k < 2; k++)
            wf_nc_matmul(p, bank, x[k],
                         tile(r, at_w + (2 * k + plane) * r * 4, r), k > 0,
                         k == 1);
        result[plane] = tile(count, base + 1024 + plane * 512, r);
        wf_nc_copy(p, WF_NC_VECTOR, result[plane], bank);
    }
    store(s, g, result[0], result[1]);
}

/* ---- Radix 4 ------------------------------------------------------------ */

static void vector_groups(const pass *s, const groups *g, int64_t base)
{
    wf_nc_program *p = s->l->program;
    int64_t r = s->is->r, count = count_of(g);
    wf_nc_legs legs = {count,
                       1,
                       {base, base + 64},
                       {base + 128, base + 192},
                       {base + 256, base + 320}};
    wf_nc_load(p, tile(count, legs.in[0], r), legs_of(s, g, s->in.re));
    wf_nc_load(p, tile(count, legs.in[1], r), legs_of(s, g, s->in.im));
    wf_nc_butterfly(s->l, s->is->r, &legs);
    store(s, g, tile(count, legs.out[0], r), tile(count, legs.out[1], r));
}

/* ---- A kernel of groups, and the permutation ----------------------------- */

static void radix_kernel(wf_nc_lowering *l, const wf_nc_pass *is)
{
    wf_nc_program *p = l->program;
    bool tensor = is->r != 4;
    int64_t r = is->r, base = 8192, at_w = 0, turn = 0;
    wf_nc_open(l, "radix");
    pass s = {l, is, l->at, wf_nc_target(l), is->n / is->r};
    wf_nc_restart(p);
    if (tensor) {
        wf_nc_mode fp32 = {.type = WF_NC_FP32, .parts = 1};
        int table = wf_nc_matrix_table(l, fp32, r, l->inverse, is->scale);
        at_w = wf_nc_sbuf(p, WF_NC_FP32, 4 * r);
        for (int half = 0; half < 2; half++)
            wf_nc_load(p, tile(r, at_w + half * 2 * r * 4, 2 * r),
                       wf_nc_rows(p, table, half * r * 2 * r, 2 * r, r,
                                  2 * r));
    }
    int64_t most = wf_nc_least(WF_NC_PARTITIONS, s.columns);
    int64_t together = WF_NC_PARTITIONS / most;
    for (groups g = {0}; g.row < is->rows; g.row += g.rows) {
        g.rows = wf_nc_least(together, is->rows - g.row);
        for (g.column = 0; g.column < s.columns; g.column += g.columns) {
            g.columns = wf_nc_least(most, s.columns - g.column);
            int64_t room = base + turn++ % 4 * 4096; /* tiles in flight */
            if (tensor)
                tensor_groups(&s, &g, room, at_w);
            else
                vector_groups(&s, &g, room);
        }
    }
    wf_nc_arrived(l, s.out);
    wf_nc_close(l);
}

/* A plane from [row][p][q][k] to [row][p][k][q]. */
static void permute_kernel(wf_nc_lowering *l, const wf_nc_pass *is, int in,
                           int out)
{
    wf_nc_program *p = l->program;
    int64_t r = is->r, m = is->n / r / is->s;
    wf_nc_begin(p, "permute");
    wf_nc_use(p, in, WF_NC_ARGUMENT);
    wf_nc_use(p, out, WF_NC_RESULT);
    for (int64_t row = 0; row < is->rows; row++) {
        wf_nc_view from = wf_nc_hbm(p, in, row * is->n, 1, r);
        wf_nc_view to = wf_nc_hbm(p, out, row * is->n, is->s, r);
        wf_nc_load(p, wf_nc_add(wf_nc_add(to, m, r * is->s), is->s, 1),
                   wf_nc_add(wf_nc_add(from, m, r * is->s), is->s, r));
    }
    wf_nc_end(p);
}

/* ---- Radix 2 ------------------------------------------------------------ */

/* Blocks of s columns of a row, as groups above: (row, p). */
static void butterflies(const pass *s, const groups *g, int64_t q,
                        int64_t each, int64_t base, wf_nc_pair twiddle)
{
    wf_nc_program *p = s->l->program;
    int64_t n = s->is->n, step = s->is->s, count = count_of(g);
    int64_t room = each * 8, column = g->column * step + q;
    wf_nc_legs legs = {count,
                       each,
                       {base, base + room},
                       {0, 0},
                       {base + 2 * room, base + 3 * room}};
    wf_nc_view w[2], t[2], y[2];
    for (int i = 0; i < 2; i++) {
        wf_nc_view from = wf_nc_hbm(p, i ? s->in.im : s->in.re,
                                    g->row * n + column, step, count);
        wf_nc_view tw = wf_nc_rows(p, i ? twiddle.im : twiddle.re, column,
                                   step, count, each);
        from.fold = tw.fold = (int32_t)g->columns;
        from.outer = n;
        w[i] = tile(count, base + 4 * room + i * each * 4, each);
        t[i] = tile(count, base + 5 * room + i * each * 4, each);
        y[i] = tile(count, legs.out[i] + each * 4, each);
        wf_nc_load(p, tile(count, legs.in[i], 2 * each),
                   wf_nc_add(wf_nc_add(from, 2, n / 2), each, 1));
        wf_nc_load(p, w[i], tw);
    }
    wf_nc_butterfly(s->l, 2, &legs);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[0], y[1], w[1]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, t[1], y[0], w[1]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, y[0], y[0], w[0]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_MUL, y[1], y[1], w[0]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_SUB, y[0], y[0], t[0]);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, y[1], y[1], t[1]);
    for (int i = 0; i < 2; i++) {
        wf_nc_view to = wf_nc_hbm(p, i ? s->out.im : s->out.re,
                                  g->row * n + 2 * g->column * step + q,
                                  2 * step, count);
        to.fold = (int32_t)g->columns;
        to.outer = n;
        wf_nc_load(p, wf_nc_add(wf_nc_add(to, 2, step), each, 1),
                   tile(count, legs.out[i], 2 * each));
    }
}

static void butterfly_kernel(wf_nc_lowering *l, const wf_nc_pass *is,
                             wf_nc_pair twiddle)
{
    wf_nc_open(l, "butterfly");
    wf_nc_use(l->program, twiddle.re, WF_NC_ARGUMENT);
    wf_nc_use(l->program, twiddle.im, WF_NC_ARGUMENT);
    pass s = {l, is, l->at, wf_nc_target(l), is->n / 2};
    int64_t m = s.columns / is->s, turn = 0;
    int64_t wide = wf_nc_least(is->s, 512);
    int64_t most = wf_nc_least(WF_NC_PARTITIONS, m);
    int64_t together = WF_NC_PARTITIONS / most;
    for (groups g = {0}; g.row < is->rows; g.row += g.rows) {
        g.rows = wf_nc_least(together, is->rows - g.row);
        for (g.column = 0; g.column < m; g.column += g.columns) {
            g.columns = wf_nc_least(most, m - g.column);
            for (int64_t q = 0; q < is->s; q += wide)
                butterflies(&s, &g, q, wf_nc_least(wide, is->s - q),
                            turn++ % 3 * 48 * 512, twiddle);
        }
    }
    wf_nc_arrived(l, s.out);
    wf_nc_close(l);
}

/* The twiddles of the differences, one for each column, brought to the
 * device: an operation of every stage. */
static wf_nc_pair twiddle_kernel(wf_nc_lowering *l, const wf_nc_pass *is)
{
    wf_nc_program *p = l->program;
    int64_t count = is->n / 2;
    wf_nc_pair from = wf_nc_twiddles(l, is, false), to;
    to.re = wf_nc_tensor(p, WF_NC_FP32, count);
    to.im = wf_nc_tensor(p, WF_NC_FP32, count);
    wf_nc_begin(p, "twiddles");
    for (int i = 0; i < 2; i++) {
        wf_nc_use(p, i ? to.im : to.re, WF_NC_RESULT);
        wf_nc_load(p, wf_nc_rows(p, i ? to.im : to.re, 0, 1, 1, count),
                   wf_nc_rows(p, i ? from.im : from.re, count, 1, 1, count));
    }
    wf_nc_end(p);
    return to;
}

/* ---- The stages --------------------------------------------------------- */

void wf_nc_posts_pass(wf_nc_lowering *l, const wf_nc_pass *is)
{
    l->variance += (is->r < 8 ? 0.8 : 1.6) * 0x1p-48;
    if (is->r == 2) {
        butterfly_kernel(l, is, twiddle_kernel(l, is));
        return;
    }
    radix_kernel(l, is);
    wf_nc_open(l, "twiddles");
    wf_nc_twiddle_rows(l, wf_nc_twiddles(l, is, true), is->rows, is->n);
    wf_nc_close(l);
    wf_nc_pair in = l->at, out = wf_nc_target(l);
    permute_kernel(l, is, in.re, out.re);
    permute_kernel(l, is, in.im, out.im);
    wf_nc_arrived(l, out);
}
