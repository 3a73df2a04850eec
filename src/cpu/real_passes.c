/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_passes.c - bound passes over half spectra, odd n; plan/half.h has their
 * shape.
 *
 * Between passes the numbers are in planes, re and im, number q of group p at
 * row p + q, so any vector start will do: what is left of a row is a whole
 * vector that overlaps the one before it.  Rows that end in more than their
 * half overwrite the front of the next one, which is written after them.
 */
#include "cpu/move.h"
#include "plan/half.h"

typedef struct pass {
    const wf_kernel *kernel;
    wf_pass_args args, tail; /* tail: one more call for the lanes left over */
    bool has_tail;
    ptrdiff_t tail_in, tail_out;
    const void *table, *tail_table;
} pass;

typedef struct passes {
    wf_node node;
    wf_mover mover;
    int count;
    size_t plane, block; /* scalars from re to im; bytes of two planes */
    size_t n;
    bool hartley;
    double scale; /* of a single pass, whose kernel has none */
    pass pass[];  /* as many as the step has radices */
} passes;

static void call(const pass *p, size_t bytes, const void *re, const void *im,
                 void *out_re, void *out_im)
{
    if (p->args.nq != 0)
        wf_call_pass(p->kernel, re, im, out_re, out_im, p->table, &p->args);
    if (p->has_tail)
        wf_call_pass(p->kernel, wf_at(re, p->tail_in, bytes),
                     wf_at(im, p->tail_in, bytes),
                     wf_to(out_re, p->tail_out, bytes),
                     wf_to(out_im, p->tail_out, bytes), p->tail_table,
                     &p->tail);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const passes *b = (const passes *)node;
    ptrdiff_t plane = (ptrdiff_t)b->plane;
    const void *re = at->in_re, *im = at->in_re;
    for (int i = 0; i < b->count - 1; i++) {
        void *to = scratch + (i % 2 == 0 ? 0 : b->block);
        void *to_im = wf_to(to, plane, node->bytes);
        call(&b->pass[i], node->bytes, re, im, to, to_im);
        re = to;
        im = to_im;
    }
    call(&b->pass[b->count - 1], node->bytes, re, im, at->out_re, at->out_re);
    if (!b->hartley)
        wf_table_set(node->real, at->out_re, 1, 0);
}

/* One butterfly of one lane. */
static void run_single(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const passes *b = (const passes *)node;
    (void)scratch;
    wf_call_pass(b->pass[0].kernel, at->in_re, NULL, at->out_re,
                 wf_to(at->out_re, 1, node->bytes), NULL, &b->pass[0].args);
    if (b->scale != 1)
        WF_MOVE(&b->mover, scale, at->out_re, b->scale, b->n + 1);
}

static void run_single_hartley(const wf_node *node, const wf_samples *at,
                               char *scratch)
{
    const passes *b = (const passes *)node;
    const wf_r2r_pass turn = {.form = WF_R2R_HARTLEY,
                              .n = b->n,
                              .scale = b->scale,
                              .first = b->scale};
    wf_call_pass(b->pass[0].kernel, at->in_re, NULL, scratch,
                 wf_to(scratch, 1, node->bytes), NULL, &b->pass[0].args);
    WF_MOVE(&b->mover, odd_out, at->out_re, (const void *)scratch, &turn);
}

/* ---- Binding ------------------------------------------------------------- */

static void shape_first(const wf_half_pass *s, int64_t n, int64_t row, pass *p)
{
    int64_t m = s->m, w = s->width;
    p->args = (wf_pass_args){.np = 1,
                             .nq = (size_t)(m / w),
                             .in_q = w,
                             .in_leg = n / s->r,
                             .out_q = row,
                             .out_leg = w,
                             .scale = 1};
    p->tail_in = m - w;
    p->tail_out = row * (m - w);
    p->has_tail = m % w != 0;
}

/* `unit` reals for a number of the output; turn: how far beyond it the second
 * Hartley numbers begin, 0 where there are none. */
static void shape_later(const wf_half_pass *s, int64_t row, ptrdiff_t unit,
                        int64_t turn, pass *p)
{
    int64_t w = s->width, rest = s->lanes - w;
    p->args = (wf_pass_args){.np = (size_t)s->m,
                             .nq = (size_t)(s->lanes / w),
                             .in_p = s->row,
                             .in_q = w,
                             .in_leg = s->row * s->m,
                             .out_p = unit * row,
                             .out_q = unit * w,
                             .out_leg = unit * s->s,
                             .tw_q = 2 * (ptrdiff_t)(s->r - 1) * w,
                             .scale = 1,
                             .out_back = -turn};
    p->tail_in = rest;
    p->tail_out = unit * rest;
    p->has_tail = s->lanes % w != 0;
    p->tail = p->args;
    p->tail.out_back += 2 * unit * rest;
}

static weft_status bind_table(const wf_binder *binder,
                              const wf_roots_table *roots,
                              const wf_half_pass *s, double scale, passes *b,
                              pass *p)
{
    size_t scalars = wf_table_lanes_scalars(s->lanes, s->r, s->width);
    void *table = wf_node_table(&b->node, scalars);
    if (table == NULL)
        return wf_no_memory();
    wf_table_lanes(binder->real, roots, s->s, s->lanes, s->r, s->width, false,
                   scale, table);
    p->table = table;
    p->tail_table = wf_at(table, s->lanes / s->width * p->args.tw_q,
                          binder->bytes);
    return WEFT_OK;
}

/* Pass i; `next` is the one after it. */
static weft_status bind_pass(const wf_binder *binder, const wf_step *step,
                             const wf_roots_table *roots, double scale, int i,
                             const wf_half_pass *s, const wf_half_pass *next,
                             passes *b)
{
    bool last = i == step->radices - 1, hartley = last && b->hartley;
    pass *p = &b->pass[i];
    wf_kernel_kind kind = i == 0    ? WF_KERNEL_HALF_FIRST
                          : hartley ? WF_KERNEL_HALF_HARTLEY_SCALED
                          : last    ? WF_KERNEL_HALF_LAST_SCALED
                                    : WF_KERNEL_HALF_MID;
    p->kernel = wf_kernel_of_width(kind, binder->real, s->width, s->r);
    if (p->kernel == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "no kernel for radix %d of half spectra, width %d",
                       s->r, s->width);
    if (i == 0)
        shape_first(s, step->n, last ? 0 : next->row, p);
    else
        shape_later(s, last ? 0 : next->row, last && !hartley ? 2 : 1,
                    hartley ? step->n : 0, p);
    if (i == 0)
        p->tail = p->args;
    p->tail.nq = 1;
    p->args.scale = p->tail.scale = last ? scale : 1;
    return i == 0 ? WEFT_OK
                  : bind_table(binder, roots, s, last ? scale : 1, b, p);
}

static weft_status bind_all(const wf_binder *binder, const wf_step *step,
                            double scale, passes *b)
{
    const int *widths = wf_cpu_widths(binder->type);
    wf_half_pass shape[WF_MAX_RADICES + 1] = {{0}};
    wf_roots_table roots = {0};
    weft_status status = WEFT_OK;
    int64_t s = 1, most = 0;
    for (int i = 0; i < step->radices; i++) {
        int64_t size;
        shape[i] = wf_half_pass_at(step->n, s, step->radix[i], i == 1, widths,
                                   step->width);
        s *= step->radix[i];
        size = shape[i].row * shape[i].m * shape[i].r;
        most = i > 0 && size > most ? size : most;
    }
    if (step->radices > 1)
        status = wf_roots_make(step->n, false, &roots);
    for (int i = 0; status == WEFT_OK && i < step->radices; i++, b->count++)
        status = bind_pass(binder, step, &roots, scale, i, &shape[i],
                           &shape[i + 1], b);
    wf_roots_drop(&roots);
    /* The last row may end in a vector beyond it. */
    b->plane = wf_round64(((size_t)most + 2 * (size_t)step->width) *
                          binder->bytes) /
               binder->bytes;
    b->block = 2 * b->plane * binder->bytes;
    b->node.scratch = b->block * (size_t)(step->radices > 2   ? 2
                                          : step->radices > 1 ? 1
                                                              : 0);
    return status;
}

weft_status wf_bind_real_passes(const wf_binder *binder, const wf_step *step,
                                const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n % 2 == 0)
        return wf_fail(WEFT_ERR_ARGUMENT, "rpasses %lld: not for these data",
                       (long long)step->n);
    if (binder->inverse)
        return wf_bind_turned(binder, step, usage, wf_bind_real_passes, node);
    bool single = step->radices == 1;
    passes *b = (passes *)wf_node_new(
        binder, sizeof *b + (size_t)step->radices * sizeof(pass),
        !single          ? run
        : usage->hartley ? run_single_hartley
                         : run_single);
    if (b == NULL)
        return wf_no_memory();
    b->mover = wf_mover_best(binder->real);
    b->n = (size_t)step->n;
    b->hartley = usage->hartley;
    b->scale = usage->scale;
    weft_status status = bind_all(binder, step, usage->scale, b);
    if (single) { /* re and im in turn */
        b->pass[0].args.out_leg = 2;
        b->node.scratch = wf_round64((b->n + 1) * binder->bytes);
    }
    if (status != WEFT_OK) {
        wf_node_free(&b->node);
        return status;
    }
    *node = &b->node;
    return WEFT_OK;
}
