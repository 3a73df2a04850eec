/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.c - bound column passes: one column in each lane.
 *
 * A block of `width` neighbouring columns goes through self-sorting passes in
 * a scratch block that stays in the second cache; every lane uses the same
 * (broadcast) twiddle, so one set of tables serves all widths, and what is
 * left at the right edge runs narrower kernels.  Works in place: all of a
 * span is read before any of it is written (one pass: each butterfly writes
 * where it read).
 *
 * Far columns, whose rows lie beyond the second cache, go in spans of several
 * blocks: the first pass reads, and the last one writes, a row of all blocks
 * before the next row, as memory serves four neighbouring lines twice as fast
 * as one or two (docs/performance.md).  Between them each block goes on alone.
 * While a span is written the rows of the next are fetched.  An output that is
 * neither input nor in the caches is written past them, a butterfly of all
 * blocks at a time: rows far apart are else read one by one to be written.
 */
#include "cpu/move.h"

enum {
    MAX_WIDTHS = 5,
    FAR_BYTES = 1 << 20,   /* columns that reach over more are far, */
    AHEAD_BYTES = 1 << 22, /* over more than this fetched ahead */
    PIECE_BYTES = 1024,    /* of a row, that far columns are read in */
    LINE_BYTES = 64,      /* narrower blocks are not written past the caches */
    SPAN_BYTES = 1 << 21, /* of the blocks of a span */
    TURN = 2,             /* butterflies of a block before the next block's */
    ONE_PASS = 32 /* blocks in one call where there is nothing between */
};

typedef struct level {
    int width;
    const wf_kernel *kernel[WF_MAX_RADICES];
    wf_pass_args args[WF_MAX_RADICES];
} level;

struct wf_column {
    wf_node node;
    int64_t rows;
    int passes, levels;
    int span;  /* blocks of the widest width in a span */
    int slots; /* blocks of scratch: one more when passes go between them */
    bool past; /* whole spans are written past the caches, */
    size_t buffer; /* a butterfly of each block by way of here in scratch */
    wf_mover mover;
    wf_column_end in_end, out_end;
    size_t slot; /* bytes of a scratch block */
    const void *tw[WF_MAX_RADICES];
    level level[MAX_WIDTHS];
};

wf_column_span wf_column_next(const wf_node *node, int64_t columns)
{
    const wf_column *c = (const wf_column *)node;
    int i = 0;
    while (c->level[i].width > columns)
        i++;
    wf_column_span span = {c->level[i].width, 1};
    if (i == 0)
        span.blocks = columns / span.width < c->span
                          ? (int)(columns / span.width)
                          : c->span;
    return span;
}

/* Where block b lies before pass i > 0: each pass between scratch blocks
 * moves every block one slot down, the lowest into the free one. */
static char *slot_of(const wf_column *c, char *scratch, int b, int i)
{
    int slot = c->slots == c->span ? b : (b + 2 - i + c->slots * i) % c->slots;
    return scratch + (size_t)slot * c->slot;
}

wf_column_ahead wf_column_look_ahead(const wf_node *node, wf_column_span span,
                                     const void *next)
{
    const wf_column *c = (const wf_column *)node;
    /* of the first pass, whose butterflies are neighbouring rows */
    ptrdiff_t dist = c->level[0].args[0].in_p * (ptrdiff_t)node->bytes;
    bool far = next != NULL && c->passes > 1 && span.blocks > 1 &&
               c->in_end == WF_END_INTERLEAVED && dist * c->rows > AHEAD_BYTES;
    return (wf_column_ahead){next, dist,
                             (size_t)wf_column_count(span) * 2 * node->bytes,
                             far ? c->rows : 0};
}

/* Butterfly q of all blocks, `dist` apart in the buffer, to its rows. */
static void write_past(const wf_column *c, const wf_pass_args *args,
                       const char *buffer, size_t dist, void *out)
{
    size_t bytes = c->node.bytes;
    int64_t legs = c->rows / (int64_t)args->nq;
    for (int64_t k = 0; k < legs; k++)
        WF_MOVE(&c->mover, stream, wf_to(out, k * args->out_leg, bytes),
                wf_at(buffer, k * (ptrdiff_t)dist, bytes), dist);
}

/* The last pass, a few butterflies of each block in turn. */
static void write_span(const wf_column *c, const level *l, int blocks,
                       const wf_samples *at, char *scratch,
                       wf_column_ahead *ahead)
{
    int i = c->passes - 1;
    bool past = c->past && blocks == c->span;
    size_t bytes = c->node.bytes, count = l->args[i].nq;
    ptrdiff_t next = c->out_end == WF_END_SPLIT ? l->width : 2 * l->width;
    wf_pass_args args = l->args[i];
    args.nq = past ? 1 : blocks == 1 ? count : TURN;
    if (past)
        args.out_leg = blocks * next;
    int64_t share = c->rows * (int64_t)args.nq / ((int64_t)count * blocks);
    for (size_t q = 0; q < count; q += args.nq) {
        if (args.nq > count - q)
            args.nq = count - q;
        ptrdiff_t row = (ptrdiff_t)q * args.out_q;
        wf_samples to = *at;
        to.out_re = past ? scratch + c->buffer : wf_to(at->out_re, row, bytes);
        to.out_im = wf_to(at->out_im, row, bytes);
        for (int b = 0; b < blocks; b++) {
            ptrdiff_t in = (ptrdiff_t)q * args.in_q;
            const void *from = wf_at(slot_of(c, scratch, b, i), in, bytes);
            wf_column_fetch(ahead, share);
            wf_call_pass(l->kernel[i], from, wf_at(from, l->width, bytes),
                         wf_to(to.out_re, b * next, bytes),
                         wf_to(to.out_im, b * next, bytes),
                         wf_at(c->tw[i], (ptrdiff_t)q * args.tw_q, bytes),
                         &args);
        }
        if (past)
            write_past(c, &l->args[i], scratch + c->buffer,
                       (size_t)(blocks * next), wf_to(at->out_re, row, bytes));
    }
}

void wf_column_run(const wf_node *node, wf_column_span span,
                   const wf_samples *at, char *scratch, const void **rows,
                   const void *next)
{
    const wf_column *c = (const wf_column *)node;
    wf_column_ahead ahead = wf_column_look_ahead(node, span, next);
    const level *l = c->level;
    bool to_block = c->out_end == WF_END_BLOCK;
    int between = c->passes - (to_block ? 0 : 1);
    while (l->width != span.width)
        l++;
    wf_pass_args first = l->args[0];
    first.nq = (size_t)span.blocks;
    void *out_re = at->out_re, *out_im = at->out_im;
    if (between > 0) {
        out_re = slot_of(c, scratch, 0, 1);
        out_im = wf_to(out_re, l->width, node->bytes);
    }
    wf_call_pass(l->kernel[0], at->in_re, at->in_im, out_re, out_im, c->tw[0],
                 &first);
    for (int i = 1; i < between; i++)
        for (int b = 0; b < span.blocks; b++) {
            const void *in = slot_of(c, scratch, b, i);
            void *out = slot_of(c, scratch, b, i + 1);
            wf_call_pass(l->kernel[i], in, wf_at(in, l->width, node->bytes),
                         out, wf_to(out, l->width, node->bytes), c->tw[i],
                         &l->args[i]);
        }
    if (between > 0 && !to_block)
        write_span(c, l, span.blocks, at, scratch, &ahead);
    for (int b = 0; to_block && b < span.blocks; b++)
        rows[b] = slot_of(c, scratch, b, c->passes);
}

void wf_column_settle(const wf_node *node)
{
    if (((const wf_column *)node)->past)
        wf_hand_settle();
}

int64_t wf_column_unit(const wf_node *node)
{
    return wf_column_count(wf_column_next(node, INT64_MAX));
}

int64_t wf_column_units(const wf_node *node, int64_t columns)
{
    int64_t unit = wf_column_unit(node);
    return (columns + unit - 1) / unit;
}

void wf_column_run_units(const wf_node *node, const wf_samples *at,
                         char *scratch, int64_t columns, int64_t begin,
                         int64_t end)
{
    int64_t unit = wf_column_unit(node), width;
    int64_t stop = end * unit < columns ? end * unit : columns;
    for (int64_t c = begin * unit; c < stop; c += width) {
        wf_column_span span = wf_column_next(node, stop - c);
        wf_samples block = {wf_at(at->in_re, 2 * c, node->bytes), NULL,
                            wf_to(at->out_re, 2 * c, node->bytes), NULL};
        block.in_im = block.in_re;
        block.out_im = block.out_re;
        width = wf_column_count(span);
        const void *next = wf_at(block.in_re, 2 * width, node->bytes);
        wf_column_run(node, span, &block, scratch, NULL,
                      c + width < stop ? next : NULL);
    }
    wf_column_settle(node);
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
    /* The first pass goes from block to block where others go along q. */
    l->args[0].in_q = c->in_end == WF_END_INTERLEAVED ? 2 * width : width;
    l->args[0].out_q = (ptrdiff_t)(c->slot / binder->bytes);
    if (step->radices == 1 && c->out_end != WF_END_BLOCK)
        l->args[0].out_q = c->out_end == WF_END_SPLIT ? width : 2 * width;
    c->levels++;
    return WEFT_OK;
}

/* Slots and spans, for blocks of the widest width. */
static void size_span(wf_column *c, const wf_step *step, size_t bytes,
                      int64_t in_stride, int64_t out_stride)
{
    size_t row = 2 * (size_t)step->width * bytes, far = 0;
    if (c->in_end != WF_END_BLOCK)
        far = (size_t)in_stride * (size_t)step->n * 2 * bytes;
    if (c->out_end != WF_END_BLOCK && (size_t)out_stride > (size_t)in_stride)
        far = (size_t)out_stride * (size_t)step->n * 2 * bytes;
    c->slot = wf_round64((size_t)step->n * row);
    c->span = 1;
    while (far > FAR_BYTES && 2 * c->span <= WF_MAX_SPAN &&
           2 * (size_t)c->span * row <= PIECE_BYTES &&
           2 * (size_t)c->span * c->slot <= SPAN_BYTES)
        c->span *= 2;
    int moves = step->radices - (c->out_end == WF_END_BLOCK ? 1 : 2);
    if (moves < 0) { /* one pass from end to end needs no blocks */
        c->span = ONE_PASS;
        return;
    }
    c->slots = c->span + (moves > 0);
    c->node.scratch = c->slot * (size_t)c->slots;
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
    c->rows = step->n;
    c->passes = step->radices;
    c->in_end = in_end;
    c->out_end = out_end;
    size_span(c, step, binder->bytes, in_stride, out_stride);
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
    *node = &c->node;
    return WEFT_OK;
}

void wf_column_past(wf_node *node)
{
    wf_column *c = (wf_column *)node;
    const level *l = &c->level[0];
    if (WF_HAND_STREAMS == 0 || c->span == 1 || c->passes == 1 ||
        c->out_end != WF_END_INTERLEAVED ||
        2 * (size_t)l->width * node->bytes < LINE_BYTES)
        return;
    size_t legs = (size_t)c->rows / l->args[c->passes - 1].nq;
    c->past = true;
    c->mover = wf_mover_best(node->real);
    c->buffer = node->scratch;
    node->scratch += wf_round64(legs * (size_t)(2 * l->width * c->span) *
                                node->bytes);
}
