/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.c - bound column passes: one column in each lane.
 *
 * A block of `width` neighbouring columns goes through self-sorting passes in
 * a scratch block that stays in the second cache; every lane uses the same
 * (broadcast) twiddle, so one set of tables serves all widths, and what is
 * left at the right edge runs narrower kernels.  Works in place: all of a
 * block is read before any of it is written (one pass: each butterfly writes
 * where it read).
 */
#include "cpu/node.h"

enum { MAX_WIDTHS = 5 };

typedef struct level {
    int width;
    const wf_kernel *kernel[WF_MAX_RADICES];
    wf_pass_args args[WF_MAX_RADICES];
} level;

struct wf_column {
    wf_node node;
    int passes, levels;
    wf_column_end in_end, out_end;
    size_t half; /* bytes of one scratch block */
    const void *tw[WF_MAX_RADICES];
    level level[MAX_WIDTHS];
};

int wf_column_width(const wf_node *node, int64_t columns)
{
    const wf_column *c = (const wf_column *)node;
    for (int i = 0; i < c->levels; i++)
        if (c->level[i].width <= columns)
            return c->level[i].width;
    return 1;
}

void *wf_column_run(const wf_node *node, int width, const wf_samples *at,
                    char *scratch)
{
    const wf_column *c = (const wf_column *)node;
    const level *l = c->level;
    while (l->width != width)
        l++;
    const void *in_re = at->in_re, *in_im = at->in_im;
    for (int i = 0; i < c->passes; i++) {
        void *out_re = scratch + (i % 2 == 0 ? 0 : c->half);
        void *out_im = wf_to(out_re, width, node->bytes);
        if (i == c->passes - 1 && c->out_end != WF_END_BLOCK) {
            out_re = at->out_re;
            out_im = at->out_im;
        }
        wf_call_pass(l->kernel[i], in_re, in_im, out_re, out_im, c->tw[i],
                     &l->args[i]);
        in_re = out_re;
        in_im = out_im;
    }
    return (void *)(uintptr_t)in_re;
}

/* ---- Binding ------------------------------------------------------------- */

static wf_kernel_kind kind_of(const wf_column *c, int i)
{
    bool first = i == 0, last = i == c->passes - 1;
    if (first && last && c->out_end == WF_END_INTERLEAVED)
        return WF_KERNEL_COL_I;
    if (first)
        return c->in_end == WF_END_INTERLEAVED ? WF_KERNEL_COLFIRST
                                               : WF_KERNEL_COL_S;
    if (last && c->out_end == WF_END_INTERLEAVED)
        return WF_KERNEL_COLLAST_SCALED;
    return WF_KERNEL_COLMID;
}

/* Scalars between two rows at one end. */
static ptrdiff_t row_stride(wf_column_end end, int64_t stride, int width)
{
    if (end == WF_END_BLOCK)
        return 2 * (ptrdiff_t)width;
    return end == WF_END_INTERLEAVED ? 2 * stride : stride;
}

static weft_status bind_level(const wf_binder *binder, const wf_step *step,
                              wf_column *c, int64_t in_stride,
                              int64_t out_stride, double scale, int width)
{
    level *l = &c->level[c->levels];
    int64_t s = 1, n = step->n;
    l->width = width;
    for (int i = 0; i < step->radices; i++) {
        int r = step->radix[i];
        int64_t m = n / (s * r);
        bool first = i == 0, last = i == step->radices - 1;
        ptrdiff_t in = row_stride(first ? c->in_end : WF_END_BLOCK, in_stride,
                                  width);
        ptrdiff_t out = row_stride(last ? c->out_end : WF_END_BLOCK,
                                   out_stride, width);
        l->kernel[i] = wf_kernel_of_width(kind_of(c, i), binder->real, width,
                                          r);
        if (l->kernel[i] == NULL)
            return wf_fail(WEFT_ERR_UNSUPPORTED,
                           "no column kernel for radix %d at width %d", r,
                           width);
        ptrdiff_t leg = in * s * m;
        l->args[i] = (wf_pass_args){.np = (size_t)m,
                                    .nq = (size_t)s,
                                    .in_base = binder->inverse ? r * leg : 0,
                                    .in_leg = binder->inverse ? -leg : leg,
                                    .in_p = in * s,
                                    .in_q = in,
                                    .out_p = out * s * r,
                                    .out_q = out,
                                    .out_leg = out * s,
                                    .tw_q = 2 * (ptrdiff_t)(r - 1),
                                    .scale = last ? scale : 1};
        s *= r;
    }
    c->levels++;
    return WEFT_OK;
}

static weft_status bind_tables(const wf_binder *binder, const wf_step *step,
                               wf_column *c, double scale)
{
    wf_roots_table roots;
    weft_status status = wf_roots_make(step->n, binder->inverse, &roots);
    int64_t s = step->radix[0];
    for (int i = 1; status == WEFT_OK && i < step->radices; i++) {
        int r = step->radix[i];
        void *table = wf_node_table(&c->node, (size_t)s * 2 * (size_t)(r - 1));
        if (table == NULL)
            status = wf_no_memory();
        else
            wf_table_broadcast(binder->real, &roots, s, r, binder->inverse,
                               i == step->radices - 1 ? scale : 1, table);
        c->tw[i] = table;
        s *= r;
    }
    wf_roots_drop(&roots);
    return status;
}

weft_status wf_bind_column(const wf_binder *binder, const wf_step *step,
                           wf_column_end in_end, int64_t in_stride,
                           wf_column_end out_end, int64_t out_stride,
                           double scale, wf_node **node)
{
    wf_column *c = (wf_column *)wf_node_new(binder, sizeof *c, NULL);
    *node = NULL;
    if (c == NULL)
        return wf_no_memory();
    c->passes = step->radices;
    c->in_end = in_end;
    c->out_end = out_end;
    weft_status status = bind_tables(binder, step, c, scale);
    const int *width = wf_cpu_widths(binder->type);
    for (; status == WEFT_OK && *width != 0; width++)
        if (*width <= step->width)
            status = bind_level(binder, step, c, in_stride, out_stride, scale,
                                *width);
    if (status == WEFT_OK &&
        (c->levels == 0 || c->level[c->levels - 1].width != 1))
        status = wf_fail(WEFT_ERR_ARGUMENT, "no column kernels of width %d",
                         step->width);
    if (status != WEFT_OK) {
        wf_node_free(&c->node);
        return status;
    }
    c->half = wf_round64((size_t)step->n * 2 * (size_t)c->level[0].width *
                         binder->bytes);
    c->node.scratch = 2 * c->half;
    *node = &c->node;
    return WEFT_OK;
}
