/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense_rows.c - short real transforms one after the other, by the definition, as
 * many as a register holds: each number goes to the places of all outputs of its
 * transform, times what it is in them.
 */
#include "cpu/definition.h"
#include "cpu/move.h"
#include "cpu/walker.h"
#include "plan/dense.h"

typedef struct dense_rows {
    wf_walker walker;
    wf_mover mover;
    wf_dense_rows matrix;
} dense_rows;

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const dense_rows *d = (const dense_rows *)walker;
    (void)scratch;
    WF_MOVE(&d->mover, dense_rows, at->out_re, at->in_re, &d->matrix,
            (size_t)count);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const dense_rows *d = what;
    WF_MOVE(&d->mover, dense_rows, out, in, &d->matrix,
            (size_t)d->walker.inner.n);
}

/* Is it an imaginary part that half spectra have none of? */
static bool is_hollow(weft_kind kind, int64_t n, int64_t j)
{
    return kind == WEFT_C2R && (j == 1 || (n % 2 == 0 && j == n + 1));
}

/* Which 32 bits of a register number j of each transform is, and its factors: of
 * lanes that no transform has, zeros; a number that is not read is another. */
static void put_number(const wf_definition *what, const dense_rows *d,
                       int64_t width, int64_t j, uint32_t *index,
                       void *factors)
{
    const wf_dense_rows *m = &d->matrix;
    const int words = (int)(d->walker.node.bytes / sizeof *index);
    const bool hollow = is_hollow(what->kind, what->n, j);
    for (int64_t lane = 0; lane < width; lane++) {
        const int64_t which = lane / (int64_t)m->out,
                      k = lane % (int64_t)m->out;
        const bool used = which < (int64_t)m->together &&
                          k < wf_dense_reals(what->kind, what->n, WF_OUTPUT);
        const int64_t from = used ? which * (int64_t)m->in + (hollow ? 0 : j)
                                  : 0;
        for (int w = 0; w < words; w++)
            index[lane * words + w] = (uint32_t)(from * words + w);
        wf_table_set(d->walker.node.real, factors, lane,
                     used && !hollow ? wf_definition_entry(what, j, k) : 0);
    }
}

static weft_status make_table(const wf_binder *binder, weft_kind kind,
                              int64_t n, const wf_usage *usage, dense_rows *d)
{
    const int64_t width = wf_cpu_widths(binder->type)[0];
    wf_dense_rows *m = &d->matrix;
    wf_definition what;
    char *table = wf_node_table(&d->walker.node,
                                2 * (size_t)width * m->numbers);
    m->table = table;
    if (table == NULL)
        return wf_no_memory();
    weft_status status = wf_definition_make(kind, n, usage, &what);
    if (status != WEFT_OK)
        return status;
    for (size_t j = 0; j < m->numbers; j++) {
        char *index = table + 2 * j * (size_t)width * binder->bytes;
        put_number(&what, d, width, (int64_t)j, (void *)index,
                   index + (size_t)width * binder->bytes);
    }
    wf_definition_drop(&what);
    return WEFT_OK;
}

weft_status wf_bind_dense_rows(const wf_binder *binder, const wf_axis *axis,
                               wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    const weft_kind kind = wf_dense_kind(binder, step);
    const bool in_place = axis->walk.in_place;
    const int64_t in = wf_dense_pitch(kind, step->n, WF_INPUT, in_place),
                  out = wf_dense_pitch(kind, step->n, WF_OUTPUT, in_place);
    const int packed = wf_walk_packed(&axis->walk, in, out);
    const int together = wf_dense_together(in, out, binder->type,
                                           wf_cpu_widths(binder->type));
    *node = NULL;
    if (packed < 0 || together == 0 || axis->usage.split)
        return WEFT_OK;
    dense_rows *d = (dense_rows *)wf_node_new(binder, sizeof *d,
                                              wf_walker_run);
    if (d == NULL)
        return wf_no_memory();
    wf_walker *walker = &d->walker;
    wf_axis_split_loops(&axis->walk, packed, &walker->outer, &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    wf_walker_cut(walker, wf_walker_share(walker, together));
    d->mover = wf_mover_widest(binder);
    d->matrix = (wf_dense_rows){
        .numbers = (size_t)wf_dense_reals(kind, step->n, WF_INPUT),
        .in = (size_t)in,
        .out = (size_t)out,
        .together = (size_t)together};
    weft_status status = make_table(binder, kind, step->n, &axis->usage, d);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_set_plain(walker, run_plain);
    *node = &walker->node;
    return WEFT_OK;
}
