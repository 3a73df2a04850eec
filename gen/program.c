/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c - from a row of the list to the graph of its kernel.
 */
#include "program.h"

#include "util.h"

#include <stdlib.h>
#include <string.h>

static const kind_info kinds[] = {
    [WF_KERNEL_FIRST_I] = {.name = "first_i", .in_i = 1, .first = 1},
    [WF_KERNEL_FIRST_S] = {.name = "first_s", .first = 1},
    [WF_KERNEL_MID] = {.name = "mid", .twiddles = 'V'},
    [WF_KERNEL_LAST_SCALED] = {.name = "last",
                               .out_i = 1,
                               .twiddles = 'V',
                               .scaled = 1},
    [WF_KERNEL_COLFIRST] = {.name = "colfirst", .in_i = 1},
    [WF_KERNEL_COLMID] = {.name = "colmid", .twiddles = 'B'},
    [WF_KERNEL_COLLAST_SCALED] = {.name = "collast",
                                  .out_i = 1,
                                  .twiddles = 'B',
                                  .scaled = 1},
    [WF_KERNEL_COL_I] = {.name = "col_i", .in_i = 1, .out_i = 1},
    [WF_KERNEL_COL_S] = {.name = "col_s"},
    [WF_KERNEL_HALF_FIRST] = {.name = "half_first", .first = 1, .half = 1},
    [WF_KERNEL_HALF_MID] = {.name = "half_mid", .twiddles = 'V', .half = 1},
    [WF_KERNEL_HALF_LAST_SCALED] = {.name = "half_last",
                                    .out_i = 1,
                                    .twiddles = 'V',
                                    .scaled = 1,
                                    .half = 1},
    [WF_KERNEL_HALF_HARTLEY_SCALED] = {.name = "half_hartley",
                                       .twiddles = 'V',
                                       .scaled = 1,
                                       .half = HARTLEY},
    [WF_KERNEL_COSINE2] = {.name = "cosine2", .twiddles = 'B', .cosine = 2},
    [WF_KERNEL_COSINE3] = {.name = "cosine3", .twiddles = 'B', .cosine = 3},
    [WF_KERNEL_COSINE4] = {.name = "cosine4", .twiddles = 'B', .cosine = 4},
    [WF_KERNEL_ROWS2] = {.name = "rows2",
                         .twiddles = 'B',
                         .cosine = 2,
                         .rows = 1},
    [WF_KERNEL_ROWS3] = {.name = "rows3",
                         .twiddles = 'B',
                         .cosine = 3,
                         .rows = 1},
    [WF_KERNEL_ROWS4] = {.name = "rows4",
                         .twiddles = 'B',
                         .cosine = 4,
                         .rows = 1},
    [WF_KERNEL_ALONE2] = {.name = "alone2",
                          .twiddles = 'B',
                          .cosine = 2,
                          .alone = 1},
    [WF_KERNEL_ALONE3] = {.name = "alone3",
                          .twiddles = 'B',
                          .cosine = 3,
                          .alone = 1},
    [WF_KERNEL_LEAF_FWD] = {.name = "leaf_fwd",
                            .in_i = 1,
                            .out_i = 1,
                            .leaf = -1},
    [WF_KERNEL_LEAF_INV] = {.name = "leaf_inv",
                            .in_i = 1,
                            .out_i = 1,
                            .leaf = 1},
    [WF_KERNEL_LEAF_SPLIT_SCALED] = {.name = "leaf_split",
                                     .leaf = -1,
                                     .split = 1},
    [WF_KERNEL_REAL_FWD] =
        {.name = "real_fwd", .in_i = 1, .out_i = 1, .leaf = -1, .real = 1},
    [WF_KERNEL_REAL_INV] =
        {.name = "real_inv", .in_i = 1, .out_i = 1, .leaf = 1, .real = 1},
    [WF_KERNEL_WITHIN_FIRST] = {.name = "within_first",
                                .in_i = 1,
                                .out_i = 1,
                                .within = WITHIN_FIRST},
    [WF_KERNEL_WITHIN_LAST] = {.name = "within_last",
                               .in_i = 1,
                               .out_i = 1,
                               .twiddles = 'V',
                               .within = WITHIN_LAST},
    [WF_KERNEL_COL_ANY] = {.name = "col_any",
                           .in_i = 1,
                           .out_i = 1,
                           .within = WITHIN_WHOLE},
    [WF_KERNEL_COL_APART] = {.name = "col_apart",
                             .in_i = 1,
                             .out_i = 1,
                             .within = WITHIN_APART},
    [WF_KERNEL_REAL_COL_FWD] = {.name = "rcol_fwd", .out_i = 1, .reals = -1},
    [WF_KERNEL_REAL_COL_INV] = {.name = "rcol_inv", .in_i = 1, .reals = 1},
};

const kind_info *kind_of(wf_kernel_kind kind)
{
    return &kinds[kind];
}

typedef struct leg_context {
    const builder *b;
    const kind_info *kind;
    int n;
} leg_context;

static cplx make_leg(void *context, int j)
{
    const leg_context *c = context;
    dag *g = c->b->g;
    const int reals = (c->kind->half && c->kind->first) || c->kind->reals;
    cplx x = cplx_split(dag_load(g, 2 * j),
                        reals ? dag_const(g, 0) : dag_load(g, 2 * j + 1));
    if (c->kind->twiddles && j > 0) {
        const int slot = SLOT_TWIDDLE + 2 * (j - 1);
        x = cplx_times(c->b, x, dag_load(g, slot), dag_load(g, slot + 1));
    } else if (c->kind->scaled) {
        const int scale = dag_load(g, SLOT_SCALE);
        x.re = dag_mul(g, x.re, scale);
        x.im = dag_mul(g, x.im, scale);
    }
    return x;
}

/* Outputs leave one by one; a transposing kind stores blocks of VL, the
 * partial one first (see kinds.def: later blocks overwrite its garbage). */
static void plan_sinks(program *p, const row *r)
{
    const int vl = target_lanes(r->isa, r->real), count = p->root_count / 2;
    const int block = kinds[r->kind].first ? vl : 1;
    if (count % block) {
        const int first = count / block * block;
        p->sinks[p->sink_count++] = (sink){2 * first, 2 * (count - first)};
        p->ordered = 1;
    }
    for (int k = 0; k + block <= count; k += block)
        p->sinks[p->sink_count++] = (sink){2 * k, 2 * block};
}

int half_row(int radix, int lanes)
{
    int row = 1;
    while (row < (radix + 1) / 2)
        row *= 2;
    return lanes == 1 ? (radix + 1) / 2 : row;
}

static cplx conjugate(const builder *b, cplx y)
{
    y.im = dag_neg(b->g, y.im);
    return y;
}

/* y[k] of reals from y[k] or y[r - k], whichever the algebra makes out of the
 * first half of the transforms inside, so that it makes no other. */
static cplx half_output(const builder *b, int r, int k, const cplx *y)
{
    int p = 3, inner = r;
    while (r % p)
        p += 2;
    while (inner % p == 0)
        inner /= p;
    if (inner == 1)
        inner = r / p;
    return k % inner * 2 > inner ? conjugate(b, y[r - k]) : y[k];
}

/* What a pass over half spectra gives, of what a complex one would. */
static void halve(program *p, const row *r, const builder *b, cplx *y)
{
    const int n = r->radix;
    if (kinds[r->kind].half == HARTLEY) {
        for (int k = 0; k < n; ++k)
            y[k] = cplx_split(dag_sub(b->g, y[k].re, y[k].im),
                              dag_add(b->g, y[k].re, y[k].im));
        return;
    }
    if (!kinds[r->kind].first) {
        for (int k = n / 2 + 1; k < n; ++k)
            y[k] = conjugate(b, y[k]);
        return;
    }
    cplx half[MAX_RADIX];
    const int count = half_row(n, target_lanes(r->isa, r->real));
    for (int k = 0; k < count; ++k)
        half[k] = k <= n / 2 ? half_output(b, n, k, y)
                             : conjugate(b, half[n - k]);
    memcpy(y, half, (size_t)count * sizeof *y);
    p->root_count = 2 * count;
}

/* Outputs k <= n/2; back to reals the same the other way. */
static program *reals_made(program *p, const row *r, const builder *b, cplx *y)
{
    const int n = r->radix, fuses = target_of(r->isa)->has_fma;
    p->root_count = 0;
    for (int k = 0; k <= n / 2; ++k) {
        const cplx x = n % 2 == 0 ? y[k] : half_output(b, n, k, y);
        p->sinks[p->sink_count++] = (sink){p->root_count, 2};
        p->roots[p->root_count++] = x.re;
        p->roots[p->root_count++] = k == 0 || 2 * k == n ? dag_const(p->g, 0)
                                                         : x.im;
    }
    if (kinds[r->kind].reals > 0)
        program_transpose(p, fuses);
    else if (!fuses)
        p->g = dag_unfuse(p->g, p->roots, p->root_count);
    return p;
}

program *program_new(const row *r)
{
    const int lanes = target_lanes(r->isa, r->real);
    if (kinds[r->kind].within >= WITHIN_WHOLE)
        return columns_new(r, lanes);
    if (kinds[r->kind].within)
        return kinds[r->kind].within == WITHIN_FIRST
                   ? within_columns_new(r, r->radix, lanes)
                   : within_rows_new(r, r->radix, lanes, WF_TURNS_TWICE);
    if (kinds[r->kind].alone)
        return alone_program_new(r);
    if (kinds[r->kind].cosine)
        return cosine_program_new(r);
    program *p = gen_alloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->radix = r->radix;
    p->root_count = 2 * r->radix;
    p->g = dag_new(lanes);
    const kind_info *kind = kind_of(r->kind);
    const int sign = kind->leaf ? kind->leaf : -1;
    const builder b = {p->g, 0, sign};
    leg_context context = {&b, kind, r->radix};
    cplx y[MAX_RADIX];
    algebra_dft(&b, r->radix, make_leg, &context, y);
    if (kind->half)
        halve(p, r, &b, y);
    if (kind->reals)
        return reals_made(p, r, &b, y);
    for (int k = 0; k < p->root_count / 2; ++k) {
        p->roots[2 * k] = y[k].re;
        p->roots[2 * k + 1] = y[k].im;
    }
    if (!target_of(r->isa)->has_fma)
        p->g = dag_unfuse(p->g, p->roots, p->root_count);
    plan_sinks(p, r);
    return p;
}

void program_free(program *p)
{
    if (p)
        dag_free(p->g);
    free(p);
}
