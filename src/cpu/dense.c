/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense.c - one short real vector, unit stride, by the definition: `direct` is
 * R2C and C2R of odd n, `dense` any of the real kinds; or times any matrix.
 */
#include "plan/dense.h"

#include <string.h>

#include "cpu/definition.h"
#include "cpu/move.h"

enum { MOST_NUMBERS = WF_ONCE, MOST_BLOCKS = 8 };

/* Columns that one call makes. */
typedef struct block {
    wf_plain_run *run;
    wf_dense matrix;
} block;

typedef struct dense {
    wf_node node;
    size_t numbers; /* of the input */
    int blocks;
    block block[MOST_BLOCKS];
} dense;

/* A block must not write what the next one reads. */
static void run_blocks(const void *what, const void *in, void *out)
{
    const dense *d = what;
    double copy[MOST_NUMBERS];
    if (in == out)
        in = memcpy(copy, in, d->numbers * d->node.bytes);
    for (int i = 0; i < d->blocks; i++)
        d->block[i].run(&d->block[i].matrix, in, out);
}

/* ---- Binding ------------------------------------------------------------- */

/* What a matrix is made of. */
typedef struct making {
    wf_entry *entry;
    const void *what;
    bool head, back; /* of half spectra: see hand.h */
    size_t last;
} making;

/* The rows of one block, its vectors side by side. */
static void fill_table(const wf_binder *binder, const wf_dense_shape *s,
                       const making *make, const wf_dense *m, int64_t vectors,
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
                    w = make->entry(make->what, j, k);
                }
                wf_table_set(binder->real, table, at++, w);
            }
    }
}

/* Columns from `begin` on, as many as fit. */
static weft_status add_block(const wf_binder *binder, const wf_dense_shape *s,
                             const making *make, wf_mover mover, int64_t begin,
                             dense *d)
{
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
                           .rows = (size_t)(s->rows - make->head),
                           .first = make->back ? 2 : make->head,
                           .last = make->last,
                           .begin = (size_t)begin,
                           .end = (size_t)end,
                           .columns = (size_t)s->columns,
                           .head = make->head,
                           .turned = make->back && begin == 0};
    b->run = binder->real == WF_F64 ? mover.f64->dense[s->form][most - 1]
                                    : mover.f32->dense[s->form][most - 1];
    fill_table(binder, s, make, &b->matrix, most, table);
    return WEFT_OK;
}

static weft_status bind_shape(const wf_binder *binder, const wf_dense_shape *s,
                              const making *make, size_t numbers,
                              wf_node **node)
{
    const int *widths = wf_cpu_widths(binder->type);
    wf_mover mover = wf_mover_of_isa(
        binder->real,
        wf_isa_of_width(binder->real, widths[0] == 1 ? 1 : s->width));
    dense *d = (dense *)wf_node_new(binder, sizeof *d, wf_node_run_plain);
    if (d == NULL)
        return wf_no_memory();
    d->numbers = numbers;
    weft_status status = WEFT_OK;
    for (int64_t begin = 0; status == WEFT_OK && begin < s->columns;
         begin += WF_DENSE_VECTORS * s->width)
        status = add_block(binder, s, make, mover, begin, d);
    if (status != WEFT_OK) {
        wf_node_free(&d->node);
        return status;
    }
    d->node.plain = d->blocks == 1
                        ? (wf_plain){d->block[0].run, &d->block[0].matrix}
                        : (wf_plain){run_blocks, d};
    *node = &d->node;
    return WEFT_OK;
}

weft_status wf_bind_matrix_of(const wf_binder *binder, int in, int out,
                              wf_entry *entry, const void *what,
                              wf_node **node)
{
    const wf_dense_shape s = wf_dense_shape_plain(in, out, binder->type,
                                                  wf_cpu_widths(binder->type));
    const making make = {.entry = entry, .what = what};
    *node = NULL;
    return bind_shape(binder, &s, &make, (size_t)in, node);
}

static double entry_of(const void *what, int64_t j, int64_t k)
{
    return wf_definition_entry(what, j, k);
}

static weft_status bind_dense(const wf_binder *binder, weft_kind kind,
                              int64_t n, const wf_usage *usage, wf_node **node)
{
    const wf_dense_shape s = wf_dense_shape_of(kind, binder->type, (int)n,
                                               wf_cpu_widths(binder->type));
    const bool back = kind == WEFT_C2R;
    wf_definition what;
    const making make = {.entry = entry_of,
                         .what = &what,
                         .head = back || (kind == WEFT_R2C &&
                                          s.form == WF_DENSE_PAIRS),
                         .back = back,
                         .last = (size_t)n - !back};
    weft_status status = wf_definition_make(kind, n, usage, &what);
    if (status == WEFT_OK)
        status = bind_shape(binder, &s, &make,
                            (size_t)wf_dense_reals(kind, n, WF_INPUT), node);
    wf_definition_drop(&what);
    return status;
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
