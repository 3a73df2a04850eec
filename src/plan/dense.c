/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense.c - see dense.h.
 */
#include "plan/dense.h"

static bool pairs_fit(weft_kind kind, int n)
{
    return kind == WEFT_R2C
               ? n % 2 == 1
               : n % 2 == 0 && (kind == WEFT_REDFT10 || kind == WEFT_RODFT10);
}

static bool both_fit(weft_kind kind, int n)
{
    return kind == WEFT_C2R ? n % 2 == 1
                            : kind == WEFT_REDFT00 || kind == WEFT_REDFT01 ||
                                  kind == WEFT_RODFT00 || kind == WEFT_RODFT01;
}

/* Of vectors no wider than the sums need, but where there are four widths (the
 * third one does not fuse); without vectors, of the compiler's. */
static int width_for(int columns, weft_type type, const int *widths)
{
    if (widths[0] == 1)
        return type == WEFT_F64 ? 2 : 4;
    const bool four = widths[1] > 1 && widths[2] > 1;
    return four && widths[1] >= columns ? widths[1] : widths[0];
}

/* `more` products before those of each block. */
static void count_products(wf_dense_shape *s, int more)
{
    const int vectors = (s->columns + s->width - 1) / s->width;
    s->blocks = (vectors + WF_DENSE_BLOCK - 1) / WF_DENSE_BLOCK;
    s->products = s->rows * vectors + more * s->blocks;
}

wf_dense_shape wf_dense_shape_plain(int in, int out, weft_type type,
                                    const int *widths)
{
    wf_dense_shape s = {WF_DENSE_PLAIN, .columns = out, .rows = in};
    s.width = width_for(out, type, widths);
    count_products(&s, 0);
    return s;
}

/* Lanes of 32 bytes, which have fused operations. */
static int least_width(weft_type type)
{
    return type == WEFT_F64 ? 4 : 8;
}

int wf_dense_together(int64_t in, int64_t out, weft_type type,
                      const int *widths)
{
    const int64_t most = in > out ? in : out;
    return widths[0] < least_width(type) ? 0 : (int)(widths[0] / most);
}

int wf_dense_crossed(weft_kind kind, const wf_walk *walk)
{
    if (kind < WEFT_R2HC || !wf_walk_takes_tiles(walk))
        return -1;
    int best = wf_walk_crossed_reals(walk);
    if (best >= 0 || !wf_walk_is_rows(walk) || !wf_walk_is_apart(walk))
        return best;
    for (int i = 0; i < walk->loops; i++)
        if (best < 0 || walk->loop[i].n > walk->loop[best].n)
            best = i;
    return best;
}

/* Neighbours with gaps beside them, or by way of a tile, must be some. */
static bool pay_as_columns(weft_kind kind, const wf_walk *walk)
{
    enum { LEAST = 4, LEAST_CROSSED = 8 };
    const int64_t lanes = wf_walk_lanes(walk);
    const int crossed = wf_dense_crossed(kind, walk);
    if (lanes == 0)
        return crossed >= 0 && walk->loop[crossed].n >= LEAST_CROSSED;
    return lanes >= LEAST ||
           (walk->axis.is == lanes && walk->axis.os == lanes);
}

bool wf_dense_anywhere(weft_kind kind, const wf_walk *walk)
{
    const bool halves = kind == WEFT_R2C || kind == WEFT_C2R;
    return walk->axis.n <= (halves ? 2 : WF_DENSE_ANYWHERE) &&
           wf_walk_is_apart(walk) && !(halves && walk->in_place) &&
           !pay_as_columns(kind, walk);
}

int wf_dense_width(int64_t columns, weft_type type, const int *widths)
{
    while (widths[1] >= columns && widths[1] >= least_width(type))
        widths++;
    return widths[0];
}

/* Two and more of them a row: the widest are mostly across lines. */
int wf_halves_width(int n, weft_type type, const int *widths)
{
    while (2 * widths[0] > n && widths[1] >= least_width(type))
        widths++;
    return widths[0] < least_width(type) || widths[0] > n ? 0 : widths[0];
}

wf_dense_group wf_dense_group_of(weft_kind kind, weft_type type,
                                 const wf_walk *walk, const int *widths)
{
    const wf_dense_group none = {0};
    const int loop = wf_walk_neighbours(walk);
    const int64_t n = walk->axis.n,
                  columns = loop < 0 ? 0 : walk->loop[loop].n;
    if (n > WF_DENSE || columns == 0 || columns > widths[0] ||
        walk->axis.is != columns || walk->axis.os != columns ||
        widths[0] < least_width(type))
        return none;
    const int in = (int)wf_dense_reals(kind, n, WF_INPUT),
              out = (int)wf_dense_reals(kind, n, WF_OUTPUT);
    const int width = wf_dense_width(columns, type, widths);
    wf_dense_group g = {
        .width = widths[0],
        .legs = kind == WEFT_C2R ? (int)n : in,
        .in = (int)columns * (wf_side_is_complex(kind, WF_INPUT) ? 2 : 1),
        .out = (int)columns * (wf_side_is_complex(kind, WF_OUTPUT) ? 2 : 1)};
    const int results = out * (int)columns;
    while (widths[1] >= least_width(type) && widths[1] >= results)
        g.width = *++widths;
    g.together = g.width / g.out;
    if (g.in > g.width || g.together == 0)
        return none;
    const int some = g.together * g.out;
    g.registers = (results + some - 1) / some;
    const double products = (double)g.legs * g.registers * g.width,
                 columns_have = (double)in * out * width;
    const double worth = columns % width == 0 ? 1 : 2;
    return g.registers <= WF_DENSE_GROUP && products <= worth * columns_have
               ? g
               : none;
}

wf_dense_shape wf_dense_shape_of(weft_kind kind, weft_type type, int n,
                                 const int *widths)
{
    const int out = kind == WEFT_R2C ? n / 2 * 2 + 2 : n;
    const int in = kind == WEFT_C2R ? n / 2 * 2 + 1 : n;
    const wf_dense_shape s = wf_dense_shape_plain(in, out, type, widths);
    wf_dense_shape half = s;
    if (pairs_fit(kind, n)) {
        half.form = WF_DENSE_PAIRS;
        half.rows = (n + 1) / 2;
        count_products(&half, n / 2);
    } else if (both_fit(kind, n)) {
        half.form = WF_DENSE_BOTH;
        half.columns = (n + 1) / 2;
        half.width = width_for(half.columns, type, widths);
        count_products(&half, 4); /* or as much as four */
        if (half.columns < half.width)
            return s;
    }
    return half.products < s.products ? half : s;
}
