/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stockham.c - bound self-sorting passes.
 *
 * Between passes the samples are split, at index q + s p for value q of
 * transform p, in one of two layouts:
 *   block   width re, then width im, and so on; offset 2 e; used when the
 *           first radix fills whole vectors, so that no vector straddles
 *   planes  all re, then all im; offset e; any vector start will do, and the
 *           last, partial vector of a row is a whole one that overlaps
 * Where scratch has blocks, the caller's output may have samples between passes, as
 * blocks or, in two arrays, as planes: the last pass then rewrites it in place (each
 * butterfly writes where it read), so transforms of two passes need no
 * scratch.  Fused passes go through a buffer of ra rb vectors that stays in
 * the first cache.
 * A zipped end (zipped.h) is the first pass forward, the last one inverse; there
 * scratch A is the caller's room at out_im.
 */
#include "cpu/stockham.h"

#include "cpu/stream.h"
#include "cpu/tuned.h"

#include <string.h>

enum { TWO_PASSES = 4 << 10 }; /* of scratch, on the stack */

/* Of blocks im follows re, wherever they are.  As values: in memory, stored in
 * halves and read whole, two pointers take 10 ns. */
static ends locate(const stockham *s, place where, bool between,
                   const wf_samples *at, char *scratch)
{
    ends e;
    if (where == IN) {
        e.re = (void *)(uintptr_t)at->in_re;
        e.im = (void *)(uintptr_t)at->in_im;
        return e;
    }
    if (where == OUT) {
        e.re = at->out_re;
        e.im = at->out_im;
        if (!between || s->apart)
            return e;
    } else {
        e.re = scratch + (where == SCRATCH_B ? s->b : 0);
    }
    e.im = wf_to(e.re, (ptrdiff_t)s->plane, s->node.bytes);
    return e;
}

static void run_fused(const stockham *s, const pass *p, ends from, ends to,
                      char *buffer)
{
    size_t bytes = s->node.bytes;
    void *middle_im = wf_to(buffer, s->width, bytes);
    for (int64_t i = 0; i < p->outer; i++)
        for (int64_t j = 0; j < p->inner; j++) {
            ptrdiff_t in = i * p->outer_in + j * p->inner_in;
            ptrdiff_t out = i * p->outer_out + j * p->inner_out;
            wf_call_pass(p->kernel, wf_at(from.re, in, bytes),
                         wf_at(from.im, in, bytes), buffer, middle_im,
                         wf_at(p->table, j * p->inner_table, bytes), &p->args);
            wf_call_pass(p->second, buffer, middle_im,
                         wf_to(to.re, out, bytes), wf_to(to.im, out, bytes),
                         wf_at(p->second_table, j * p->inner_second_table,
                               bytes),
                         &p->second_args);
        }
}

static inline void run_pass(const stockham *s, const pass *p, ends from,
                            ends to)
{
    size_t bytes = s->node.bytes;
    if (p->args.nq != 0)
        wf_call_pass(p->kernel, from.re, from.im, to.re, to.im, p->table,
                     &p->args);
    if (p->has_tail)
        wf_call_pass(p->kernel, wf_at(from.re, p->tail_in, bytes),
                     wf_at(from.im, p->tail_in, bytes),
                     wf_to(to.re, p->tail_out, bytes),
                     wf_to(to.im, p->tail_out, bytes), p->tail_table,
                     &p->tail);
}

static void run_either(const stockham *s, const pass *p, ends from, ends to,
                       char *buffer)
{
    if (p->second != NULL)
        run_fused(s, p, from, to, buffer);
    else
        run_pass(s, p, from, to);
}

static ends input_of(const stockham *s, int i, const wf_samples *at,
                     char *room)
{
    return locate(s, s->pass[i].from, i > 0, at, room);
}

static ends output_of(const stockham *s, int i, const wf_samples *at,
                      char *room)
{
    return locate(s, s->pass[i].to, i < s->passes - 1, at, room);
}

static void run_passes(const stockham *s, const wf_samples *at, char *room,
                       int begin, int end, char *buffer)
{
    for (int i = begin; i < end; i++)
        run_either(s, &s->pass[i], input_of(s, i, at, room),
                   output_of(s, i, at, room), buffer);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const stockham *s = (const stockham *)node;
    scratch = wf_stockham_scratch(s, at, scratch);
    run_passes(s, at, scratch, 0, s->passes, scratch + s->buffer);
}

/* Two passes without a buffer, by way of the stack or the output: half of what `run`
 * takes around the kernels of a short transform. */
static inline void run_two(const stockham *s, ends from, ends to)
{
    _Alignas(64) char room[TWO_PASSES];
    ends middle = to;
    if (s->pass[0].to != OUT)
        middle.re = room;
    if (s->pass[0].to != OUT || !s->apart)
        middle.im = wf_to(middle.re, (ptrdiff_t)s->plane, s->node.bytes);
    run_pass(s, &s->pass[0], from, middle);
    run_pass(s, &s->pass[1], middle, to);
}

static void run_plain(const void *what, const void *in, void *out)
{
    run_two(what, (ends){(void *)(uintptr_t)in, NULL}, (ends){out, NULL});
}

static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    run_two(what, (ends){(void *)(uintptr_t)in_re, (void *)(uintptr_t)in_im},
            (ends){out_re, out_im});
}

static void set_plain(bool split, stockham *s)
{
    if (s->passes != 2 || s->pass[0].second != NULL ||
        s->pass[1].second != NULL || s->parts > 1 ||
        s->node.scratch > TWO_PASSES)
        return;
    if (split)
        s->node.plain_split = (wf_plain_split){run_plain_split, s};
    else
        s->node.plain = (wf_plain){run_plain, s};
}

static void run_from_zipped(const wf_node *node, const wf_samples *at,
                            char *scratch)
{
    const stockham *s = (const stockham *)node;
    void *first = locate(s, s->pass[0].to, true, at, at->out_im).re;
    wf_stockham_read_zipped(s, at->in_re, first, scratch);
    run_passes(s, at, at->out_im, 1, s->passes, scratch);
}

static void run_to_zipped(const wf_node *node, const wf_samples *at,
                          char *scratch)
{
    const stockham *s = (const stockham *)node;
    run_passes(s, at, at->out_im, 0, s->passes - 1, scratch);
    wf_stockham_write_zipped(s, at->out_im, at->out_re, scratch);
}

/* What another file does with a pass. */

void wf_stockham_ends(const stockham *s, int i, const wf_samples *at,
                      char *room, ends *from, ends *to)
{
    *from = input_of(s, i, at, room);
    *to = output_of(s, i, at, room);
}

void wf_stockham_pass(const stockham *s, const pass *p, ends from, ends to,
                      char *buffer)
{
    run_either(s, p, from, to, buffer);
}

void wf_stockham_middle(const stockham *s, int i, void *from, void *to,
                        char *scratch)
{
    const ends in = {from, wf_to(from, s->width, s->node.bytes)};
    const ends out = {to, wf_to(to, s->width, s->node.bytes)};
    run_either(s, &s->pass[i], in, out, scratch);
}

/* The same by code compiled for these very numbers (stockham_tuned.c). */
static void run_tuned(const wf_node *node, const wf_samples *at, char *scratch)
{
    const stockham *s = (const stockham *)node;
    s->tuned(at->in_re, at->in_im, at->out_re, at->out_im,
             wf_stockham_scratch(s, at, scratch),
             (const void *const *)node->table);
}

const stockham *wf_stockham_of(const wf_node *node)
{
    const bool is_one = node->run == run || node->run == run_tuned ||
                        node->run == wf_stockham_run_shared;
    return is_one ? (const stockham *)node : NULL;
}

/* ---- Binding ------------------------------------------------------------- */

typedef struct binding {
    const wf_binder *binder;
    const wf_step *step;
    const wf_usage *usage;
    stockham *node;
    wf_roots_table roots;
    int64_t n, s; /* s: product of the radices bound so far */
} binding;

/* Offset of element e: 2 e for interleaved and block data, e for planes. */
static ptrdiff_t unit(const binding *b, place where)
{
    const stockham *s = b->node;
    return (where == IN || where == OUT ? s->apart : s->planes) ? 1 : 2;
}

static const wf_kernel *find(const binding *b, wf_kernel_kind kind, int r)
{
    return wf_kernel_of_width(kind, b->binder->real, b->step->width, r);
}

static wf_kernel_kind kind_of(const binding *b, int index)
{
    if (index == 0)
        return b->usage->split ? WF_KERNEL_FIRST_S : WF_KERNEL_FIRST_I;
    if (index == b->step->radices - 1 && !b->usage->split)
        return WF_KERNEL_LAST_SCALED;
    return WF_KERNEL_MID;
}

/* The table of pass `index`, at stride s; the last one carries the scale. */
static void *make_table(binding *b, int index, int64_t s)
{
    int r = b->step->radix[index], width = b->step->width;
    bool last = index == b->step->radices - 1;
    void *table = wf_node_table(&b->node->node,
                                wf_table_lanes_scalars(s, r, width));
    if (table != NULL)
        wf_table_lanes(b->binder->real, &b->roots, s, s, r, width,
                       b->binder->inverse, last ? b->usage->scale : 1, table);
    return table;
}

static weft_status bind_first(binding *b, pass *p)
{
    int r = b->step->radix[0], w = b->step->width;
    int64_t m = b->n / r;
    ptrdiff_t in = unit(b, p->from), out = unit(b, p->to);
    p->kernel = find(b, kind_of(b, 0), r);
    p->args = (wf_pass_args){.np = 1,
                             .nq = (size_t)(m / w),
                             .in_q = in * w,
                             .out_q = out * r,
                             .out_leg = out * w,
                             .scale = 1};
    wf_set_legs(&p->args, b->binder->inverse, in * m, r);
    p->tail = p->args;
    p->tail.nq = 1;
    p->has_tail = m % w != 0;
    p->tail_in = in * (m - w);
    p->tail_out = out * r * (m - w);
    return WEFT_OK;
}

/* One loop over p in place of one turn for each. */
static void flatten(wf_pass_args *args)
{
    if (args->nq != 1)
        return;
    args->nq = args->np;
    args->in_q = args->in_p;
    args->out_q = args->out_p;
    args->tw_q = args->tw_p;
    args->np = 1;
}

static weft_status bind_later(binding *b, pass *p, int index)
{
    int r = b->step->radix[index], w = b->step->width;
    int64_t s = b->s, m = b->n / (s * r);
    bool last = index == b->step->radices - 1;
    ptrdiff_t in = unit(b, p->from), out = unit(b, p->to);
    p->kernel = find(b, kind_of(b, index), r);
    p->args = (wf_pass_args){.np = (size_t)m,
                             .nq = (size_t)(s / w),
                             .in_p = in * s,
                             .in_q = in * w,
                             .out_p = out * s * r,
                             .out_q = out * w,
                             .out_leg = out * s,
                             .tw_q = 2 * (ptrdiff_t)(r - 1) * w,
                             .scale = last ? b->usage->scale : 1};
    wf_set_legs(&p->args, b->binder->inverse, in * s * m, r);
    p->tail = p->args;
    p->tail.nq = 1;
    p->has_tail = s % w != 0;
    p->tail_in = in * (s - w);
    p->tail_out = out * (s - w);
    p->table = make_table(b, index, s);
    if (p->table == NULL)
        return wf_no_memory();
    p->tail_table = wf_at(p->table, (s / w) * p->args.tw_q, b->binder->bytes);
    if (!p->has_tail)
        flatten(&p->args);
    return WEFT_OK;
}

/* First and second pass: for each block of w rows of the second pass's
 * input, rb first butterflies' rows into the buffer, then w ra/w second
 * butterflies out of it. */
static weft_status bind_fused_first(binding *b, pass *p)
{
    int ra = b->step->radix[0], rb = b->step->radix[1], w = b->step->width;
    int64_t m = b->n / ra, m2 = m / rb;
    bool last = b->step->radices == 2;
    ptrdiff_t in = unit(b, p->from), out = unit(b, p->to);
    p->kernel = find(b, kind_of(b, 0), ra);
    p->second = find(b, kind_of(b, 1), rb);
    p->args = (wf_pass_args){.np = (size_t)rb,
                             .nq = 1,
                             .in_p = in * m2,
                             .out_p = 2 * (ptrdiff_t)ra * w,
                             .out_q = 2 * (ptrdiff_t)ra,
                             .out_leg = 2 * (ptrdiff_t)w,
                             .scale = 1};
    wf_set_legs(&p->args, b->binder->inverse, in * m, ra);
    p->second_args = (wf_pass_args){.np = (size_t)w,
                                    .nq = (size_t)(ra / w),
                                    .in_p = 2 * (ptrdiff_t)ra,
                                    .in_q = 2 * (ptrdiff_t)w,
                                    .out_p = out * ra * rb,
                                    .out_q = out * w,
                                    .out_leg = out * ra,
                                    .tw_q = 2 * (ptrdiff_t)(rb - 1) * w,
                                    .scale = last ? b->usage->scale : 1};
    wf_set_legs(&p->second_args, b->binder->inverse, 2 * (ptrdiff_t)ra * w,
                rb);
    flatten(&p->second_args);
    p->outer = 1;
    p->inner = m2 / w;
    p->inner_in = in * w;
    p->inner_out = out * ra * rb * w;
    p->second_table = make_table(b, 1, ra);
    return p->second_table == NULL ? wf_no_memory() : WEFT_OK;
}

static weft_status bind_fused_later(binding *b, pass *p, int index)
{
    int ra = b->step->radix[index], rb = b->step->radix[index + 1];
    int w = b->step->width;
    int64_t s = b->s, m2 = b->n / (s * ra * rb);
    bool last = index + 1 == b->step->radices - 1;
    ptrdiff_t in = unit(b, p->from), out = unit(b, p->to);
    ptrdiff_t table_a = 2 * (ptrdiff_t)(ra - 1) * w;
    ptrdiff_t table_b = 2 * (ptrdiff_t)(rb - 1) * w;
    p->kernel = find(b, kind_of(b, index), ra);
    p->second = find(b, kind_of(b, index + 1), rb);
    p->args = (wf_pass_args){.np = (size_t)rb,
                             .nq = 1,
                             .in_p = in * s * m2,
                             .out_p = 2 * (ptrdiff_t)ra * w,
                             .out_leg = 2 * (ptrdiff_t)w,
                             .scale = 1};
    wf_set_legs(&p->args, b->binder->inverse, in * s * m2 * rb, ra);
    p->second_args = (wf_pass_args){.np = (size_t)ra,
                                    .nq = 1,
                                    .in_p = 2 * (ptrdiff_t)w,
                                    .out_p = out * s,
                                    .out_leg = out * s * ra,
                                    .tw_p = s / w * table_b,
                                    .scale = last ? b->usage->scale : 1};
    wf_set_legs(&p->second_args, b->binder->inverse, 2 * (ptrdiff_t)ra * w,
                rb);
    flatten(&p->args);
    flatten(&p->second_args);
    p->outer = m2;
    p->inner = s / w;
    p->outer_in = in * s;
    p->inner_in = in * w;
    p->outer_out = out * s * ra * rb;
    p->inner_out = out * w;
    p->inner_table = table_a;
    p->inner_second_table = table_b;
    p->table = make_table(b, index, s);
    p->second_table = make_table(b, index + 1, s * ra);
    return p->table == NULL || p->second_table == NULL ? wf_no_memory()
                                                       : WEFT_OK;
}

/* In place: had the last pass better rewrite the output? */
static bool pays_third(const binding *b)
{
    const size_t bytes = b->binder->bytes, all = 2 * (size_t)b->n * bytes;
    const wf_streaming here = wf_streaming_here();
    return all >= here.third_from ||
           ((size_t)b->node->width * bytes == WF_LINE && all <= here.third);
}

/* The caller's two arrays as planes between passes?  Not of two passes, which have the
 * stack, nor where the legs of the last one, of re and of im, are so far apart that they
 * meet in few sets of a second cache. */
static bool pays_planes(const binding *b)
{
    enum { MEET = 1 << 15 };
    const int last = b->step->radix[b->step->radices - 1];
    return b->node->passes > 2 &&
           (size_t)(b->n / last) * b->binder->bytes % MEET != 0;
}

/* Do legs in planes, of re and of im, meet in the sets of a first cache of eight ways? */
static bool legs_meet(const binding *b)
{
    for (int i = 1; i < b->step->radices; i++) {
        const int r = b->step->radix[i];
        const int64_t leg = b->n / r * (int64_t)b->binder->bytes;
        const int64_t low = leg & -leg;
        if (2 * r > (low < WF_PAGE ? 8 * (WF_PAGE / low) : 8))
            return true;
    }
    return false;
}

/* Which memory each pass reads and writes.  Where rows are whole vectors the passes
 * alternate between the output and scratch A so that the last pass finds its input in
 * the output and rewrites it in place; where that cannot be (other rows, a fused last
 * pass, an in-place first pass), A and B alternate.  To a zipped end the last pass
 * goes from A.  In place an even number of passes would have the last one go from A,
 * too; some processors rather have a third array. */
static void choose_places(const binding *b)
{
    stockham *s = b->node;
    const wf_usage *usage = b->usage;
    const int count = s->passes;
    const bool fused_last = b->step->fused[b->step->radices - 2];
    bool use_out = !s->planes && (!s->apart || pays_planes(b));
    /* Passes before the last write; the last of them to OUT if it can be. */
    bool end_in_out = !fused_last && !(usage->zipped && b->binder->inverse);
    bool first_to_out = (count % 2 == 0) == end_in_out, third = false;
    if (use_out && s->apart && legs_meet(b)) {
        third = end_in_out; /* only the last pass reads planes */
        use_out = false;
    } else if (use_out && usage->in_place && first_to_out) {
        third = end_in_out && count > 2 && pays_third(b);
        first_to_out = false; /* the last reads A instead */
        use_out = end_in_out && !third;
    }
    for (int i = 0; i < count; i++) {
        bool even = i % 2 == 0;
        place to = use_out ? (even == first_to_out ? OUT : SCRATCH_A)
                           : (even ? SCRATCH_A : SCRATCH_B);
        s->pass[i].to = i == count - 1 || (third && i == count - 2) ? OUT : to;
        s->pass[i].from = i == 0 ? IN : s->pass[i - 1].to;
    }
}

/* From BESIDE bytes on, which the first cache does not hold by far, arrays that begin
 * at the same byte of a page are in each other's way. */
static void size_scratch(binding *b)
{
    enum { BESIDE = 3 << 17 };
    stockham *s = b->node;
    size_t bytes = b->binder->bytes, used = 0, buffer = 0;
    /* A transposing first pass clobbers up to `width` scalars past a plane. */
    s->plane = wf_round64(((size_t)b->n + 2 * (size_t)s->width) * bytes) /
               bytes;
    size_t block = 2 * s->plane * bytes;
    if (!s->planes)
        s->plane = (size_t)s->width;
    if (b->usage->zipped) { /* SCRATCH_A is at out_im */
        block = 0;
        buffer = 2 * s->tile;
    }
    for (int i = 0; i < s->passes; i++) {
        size_t wanted = s->pass[i].to == SCRATCH_B   ? 2 * block
                        : s->pass[i].to == SCRATCH_A ? block
                                                     : 0;
        used = wanted > used ? wanted : used;
        if (s->pass[i].second != NULL) {
            int points = s->pass[i].kernel->radix * s->pass[i].second->radix;
            size_t size = 2 * (size_t)points * (size_t)s->width * bytes;
            buffer = size > buffer ? size : buffer;
        }
    }
    s->beside = used > 0 && 2 * (size_t)b->n * bytes >= BESIDE;
    s->b = block;
    s->buffer = used;
    s->slice = wf_round64(buffer);
    wf_stockham_share(b->usage->zipped ? 1 : b->binder->threads, b->n, s);
    s->node.scratch = wf_round64(used + s->slice * (size_t)s->parts) +
                      (s->beside ? WF_PAGE : 0);
}

static weft_status bind_passes(binding *b)
{
    const wf_step *step = b->step;
    stockham *s = b->node;
    int at = 0;
    for (int i = 0; i < step->radices;) {
        pass *p = &s->pass[at++];
        bool fused = step->fused[i];
        weft_status status = fused ? (i == 0 ? bind_fused_first(b, p)
                                             : bind_fused_later(b, p, i))
                                   : (i == 0 ? bind_first(b, p)
                                             : bind_later(b, p, i));
        if (status != WEFT_OK)
            return status;
        if (p->kernel == NULL || (fused && p->second == NULL))
            return wf_fail(WEFT_ERR_UNSUPPORTED,
                           "no kernel for radix %d at width %d",
                           step->radix[i], step->width);
        for (int k = fused ? 2 : 1; k > 0; k--)
            b->s *= step->radix[i++];
    }
    return WEFT_OK;
}

/* What the passes above take for granted; a hostile tree may not have it. */
static bool fits(const wf_step *step)
{
    int64_t s = 1;
    int w = step->width, first = step->radix[0];
    if (step->radices < 2 || first < w || step->n / first < w)
        return false;
    for (int i = 0; i < step->radices; i++) {
        int64_t m2 = step->n / (s * step->radix[i]);
        if (step->fused[i]) {
            if (i + 1 == step->radices || step->fused[i + 1])
                return false;
            m2 /= step->radix[i + 1];
            if (i == 0 ? first % w != 0 || m2 % w != 0 : s % w != 0)
                return false;
        }
        s *= step->radix[i];
    }
    return true;
}

weft_status wf_bind_stockham(const wf_binder *binder, const wf_step *step,
                             const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (!fits(step))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "stockham %lld: these radices do not fill width %d",
                       (long long)step->n, step->width);
    binding b = {
        .binder = binder, .step = step, .usage = usage, .n = step->n, .s = 1};
    b.node = (stockham *)wf_node_new(
        binder, sizeof *b.node + (size_t)step->radices * sizeof(pass), run);
    if (b.node == NULL)
        return wf_no_memory();
    b.node->width = step->width;
    b.node->planes = step->radix[0] % step->width != 0;
    b.node->apart = usage->split;
    b.node->passes = step->radices;
    for (int i = 0; i < step->radices; i++)
        b.node->passes -= step->fused[i];
    choose_places(&b);
    weft_status status = wf_roots_make(step->n, binder->inverse, &b.roots);
    if (status == WEFT_OK)
        status = bind_passes(&b);
    wf_roots_drop(&b.roots);
    if (status != WEFT_OK) {
        wf_node_free(&b.node->node);
        return status;
    }
    if (usage->zipped)
        wf_stockham_bind_zipped(binder->inverse, usage->negate, b.node);
    size_scratch(&b);
    if (usage->zipped)
        b.node->node.run = binder->inverse ? run_to_zipped : run_from_zipped;
    else if (b.node->parts > 1)
        b.node->node.run = wf_stockham_run_shared;
    else if (wf_tuned_any())
        b.node->tuned = wf_stockham_find_tuned(b.node);
    if (b.node->tuned != NULL)
        b.node->node.run = run_tuned;
    else if (!usage->zipped)
        set_plain(usage->split, b.node);
    *node = &b.node->node;
    return WEFT_OK;
}
