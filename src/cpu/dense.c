/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense.c - one short real vector, unit stride, by the definition: `direct` is
 * R2C and C2R of odd n, `dense` any of the real kinds.
 */
#include "plan/dense.h"

#include <math.h>
#include <string.h>

#include "cpu/move.h"
#include "cpu/r2r.h"

enum { MOST_NUMBERS = WF_DIRECT + 1, MOST_BLOCKS = 8 };

/* Columns that one call makes. */
typedef struct block {
    wf_dense_run *run;
    wf_dense matrix;
} block;

typedef struct dense {
    wf_node node;
    size_t numbers; /* of the input */
    int blocks;
    block block[MOST_BLOCKS];
} dense;

static void run_one(const wf_node *node, const wf_samples *at, char *scratch)
{
    const block *b = ((const dense *)node)->block;
    (void)scratch;
    b->run(at->out_re, at->in_re, &b->matrix);
}

/* A block must not write what the next one reads. */
static void run_some(const wf_node *node, const wf_samples *at, char *scratch)
{
    const dense *d = (const dense *)node;
    const void *in = at->in_re;
    double copy[MOST_NUMBERS];
    (void)scratch;
    if (in == at->out_re)
        in = memcpy(copy, in, d->numbers * node->bytes);
    for (int i = 0; i < d->blocks; i++)
        d->block[i].run(at->out_re, in, &d->block[i].matrix);
}

wf_dense_run *wf_dense_of(const wf_node *node, const wf_dense **matrix)
{
    const block *b = ((const dense *)node)->block;
    if (node->run != run_one)
        return NULL;
    *matrix = &b->matrix;
    return b->run;
}

/* ---- The matrix ---------------------------------------------------------- */

typedef struct definition {
    weft_kind kind;
    int64_t n;
    bool ortho;
    double scale;
    wf_roots_table roots; /* exp(-2 pi i k/order) */
} definition;

/* Of the angles: pi/4n of types II to IV. */
static int64_t order_of(weft_kind kind, int64_t n)
{
    switch (kind) {
    case WEFT_REDFT00: return 2 * (n - 1);
    case WEFT_RODFT00: return 2 * (n + 1);
    case WEFT_REDFT01:
    case WEFT_RODFT01:
    case WEFT_REDFT10:
    case WEFT_RODFT10: return 4 * n;
    case WEFT_REDFT11:
    case WEFT_RODFT11: return 8 * n;
    default: return n;
    }
}

static double cosine(const definition *d, int64_t k)
{
    return d->roots.re_im[2 * (k % d->roots.n)];
}

static double sine(const definition *d, int64_t k)
{
    return -d->roots.re_im[2 * (k % d->roots.n) + 1];
}

/* Number i of n that hold a half spectrum: of X[f], im or re. */
static double half_complex(const definition *d, int64_t i, int64_t k)
{
    return 2 * i > d->n ? -sine(d, (d->n - i) * k) : cosine(d, i * k);
}

/* Of X[f] and its mirror image. */
static double both(const definition *d, int64_t f)
{
    return f % d->n == 0 || 2 * f == d->n ? 1 : 2;
}

/* What the orthogonal matrix scales apart, and the ends of types I and III. */
static double ends(const definition *d, int64_t j, int64_t k)
{
    const int64_t last = d->n - 1;
    const double half = d->ortho ? sqrt(0.5) : 0.5;
    switch (d->kind) {
    case WEFT_REDFT00:
        return (j == 0 || j == last ? half : 1) *
               (d->ortho && (k == 0 || k == last) ? half : 1);
    case WEFT_REDFT01: return j == 0 ? half : 1;
    case WEFT_RODFT01: return j == last ? half : 1;
    case WEFT_REDFT10: return d->ortho && k == 0 ? half : 1;
    case WEFT_RODFT10: return d->ortho && k == last ? half : 1;
    default: return 1;
    }
}

/* What number j of the input is in number k of the output; of half spectra
 * numbers are re and im in turn. */
static double entry(const definition *d, int64_t j, int64_t k)
{
    switch (d->kind) {
    case WEFT_R2C:
        return k % 2 ? -sine(d, j * (k / 2)) : cosine(d, j * (k / 2));
    case WEFT_C2R:
        return both(d, j / 2) *
               (j % 2 ? -sine(d, j / 2 * k) : cosine(d, j / 2 * k));
    case WEFT_R2HC: return half_complex(d, k, j);
    case WEFT_HC2R: return both(d, j) * half_complex(d, j, k);
    case WEFT_DHT: return cosine(d, j * k) + sine(d, j * k);
    case WEFT_REDFT00: return 2 * cosine(d, j * k);
    case WEFT_REDFT10: return 2 * cosine(d, (2 * j + 1) * k);
    case WEFT_REDFT01: return 2 * cosine(d, j * (2 * k + 1));
    case WEFT_REDFT11: return 2 * cosine(d, (2 * j + 1) * (2 * k + 1));
    case WEFT_RODFT00: return 2 * sine(d, (j + 1) * (k + 1));
    case WEFT_RODFT10: return 2 * sine(d, (2 * j + 1) * (k + 1));
    case WEFT_RODFT01: return 2 * sine(d, (j + 1) * (2 * k + 1));
    default: return 2 * sine(d, (2 * j + 1) * (2 * k + 1));
    }
}

/* ---- Binding ------------------------------------------------------------- */

/* The rows of one block, its vectors side by side. */
static void fill_table(const wf_binder *binder, const wf_dense_shape *s,
                       const definition *d, const wf_dense *m, int64_t vectors,
                       void *table)
{
    int64_t at = 0;
    for (int64_t row = 0; row < s->rows; row++) {
        int64_t j = m->head && row == 0 ? 0
                                        : (int64_t)m->first + row - m->head;
        for (int64_t i = 0; i < vectors; i++)
            for (int64_t l = 0; l < s->width; l++) {
                int64_t k = i == vectors - 1
                                ? (int64_t)m->end
                                : (int64_t)m->begin + i * s->width;
                double w = 0;
                if (k + l < s->columns) {
                    k += l;
                    w = d->scale * ends(d, j, k) * entry(d, j, k);
                }
                wf_table_set(binder->real, table, at++, w);
            }
    }
}

/* Columns from `begin` on, as many as fit. */
static weft_status add_block(const wf_binder *binder, const wf_dense_shape *s,
                             const definition *what, wf_mover mover,
                             int64_t begin, dense *d)
{
    const bool back = what->kind == WEFT_C2R;
    const bool head = back ||
                      (what->kind == WEFT_R2C && s->form == WF_DENSE_PAIRS);
    int64_t vectors = (s->columns - begin + s->width - 1) / s->width;
    int64_t most = vectors < WF_DENSE_VECTORS ? vectors : WF_DENSE_VECTORS;
    int64_t end = begin + (most - 1) * s->width;
    if (end + s->width > s->columns && s->columns >= s->width)
        end = s->columns - s->width;
    void *table = wf_node_table(&d->node, (size_t)(s->rows * most * s->width));
    if (table == NULL)
        return wf_no_memory();
    block *b = &d->block[d->blocks++];
    b->matrix = (wf_dense){.table = table,
                           .rows = (size_t)(s->rows - head),
                           .first = back ? 2 : head,
                           .last = (size_t)what->n - !back,
                           .begin = (size_t)begin,
                           .end = (size_t)end,
                           .columns = (size_t)s->columns,
                           .head = head,
                           .turned = back && begin == 0};
    b->run = binder->real == WF_F64 ? mover.f64->dense[s->form][most - 1]
                                    : mover.f32->dense[s->form][most - 1];
    fill_table(binder, s, what, &b->matrix, most, table);
    return WEFT_OK;
}

static weft_status bind_dense(const wf_binder *binder, weft_kind kind,
                              int64_t n, const wf_usage *usage, wf_node **node)
{
    const int *widths = wf_cpu_widths(binder->type);
    wf_dense_shape s = wf_dense_shape_of(kind, binder->type, (int)n, widths);
    wf_mover mover = wf_mover_of_isa(
        binder->real,
        wf_isa_of_width(binder->real, widths[0] == 1 ? 1 : s.width));
    definition what = {
        .kind = kind, .n = n, .ortho = usage->ortho, .scale = usage->scale};
    dense *d = (dense *)wf_node_new(binder, sizeof *d, run_some);
    if (d == NULL)
        return wf_no_memory();
    d->numbers = (size_t)(kind == WEFT_C2R ? n / 2 * 2 + 2 : n);
    weft_status status = wf_roots_make(order_of(kind, n), false, &what.roots);
    for (int64_t begin = 0; status == WEFT_OK && begin < s.columns;
         begin += WF_DENSE_VECTORS * s.width)
        status = add_block(binder, &s, &what, mover, begin, d);
    wf_roots_drop(&what.roots);
    if (status != WEFT_OK) {
        wf_node_free(&d->node);
        return status;
    }
    if (d->blocks == 1)
        d->node.run = run_one;
    *node = &d->node;
    return WEFT_OK;
}

weft_status wf_bind_direct(const wf_binder *binder, const wf_step *step,
                           const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n % 2 == 0 || step->n > WF_DIRECT)
        return wf_fail(WEFT_ERR_ARGUMENT, "direct %lld: not for this length",
                       (long long)step->n);
    return bind_dense(binder, binder->inverse ? WEFT_C2R : WEFT_R2C, step->n,
                      usage, node);
}

weft_status wf_bind_dense(const wf_binder *binder, const wf_step *step,
                          const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (step->n < 2 || step->n > WF_DENSE)
        return wf_fail(WEFT_ERR_ARGUMENT, "dense %lld: not for this length",
                       (long long)step->n);
    return bind_dense(binder, step->real, step->n, usage, node);
}
