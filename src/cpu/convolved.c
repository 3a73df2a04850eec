/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convolved.c - see convolved.h.
 *
 * The spectrum is made by the columns of width 1, which do the same operations
 * as all others.
 */
#include <string.h>

#include "cpu/chirps.h"
#include "cpu/convolved.h"
#include "cpu/spectrum.h"
#include "num/num.h"

/* A packed block: rows of 2 width scalars. */
typedef struct block {
    const wf_mover *mover;
    size_t bytes;
    int width;
} block;

static void *row_of(const block *b, void *rows, int64_t k)
{
    return wf_to(rows, 2 * k * b->width, b->bytes);
}

static const void *transform(const wf_convolved *c, const block *b, void *rows,
                             char *scratch)
{
    const void *made;
    void *im = wf_to(rows, b->width, b->bytes);
    const wf_samples at = {rows, im, NULL, NULL};
    wf_column_run(c->transform, (wf_column_span){b->width, 1}, &at, scratch,
                  &made, NULL);
    return made;
}

/* Row 0 of the block is row 0 of the input and then of the output; the others
 * are convolved. */
static void run_rader(const wf_convolved *c, const block *b,
                      const wf_samples *at, void *rows, char *below)
{
    void *others = row_of(b, rows, 1);
    WF_MOVE(b->mover, column_gather, rows, at->in_re, at->in_im, c->in_row,
            NULL, NULL, 1);
    WF_MOVE(b->mover, column_gather, others, at->in_re, at->in_im, c->in_row,
            c->powers, NULL, (size_t)c->m);
    const void *made = transform(c, b, others, below);
    WF_MOVE(b->mover, column_multiply, others, made, c->spectrum, (size_t)c->m,
            false);
    WF_MOVE(b->mover, column_share, rows, made);
    made = transform(c, b, others, below);
    if (at->out_re != rows)
        WF_MOVE(b->mover, column_scatter, (const void *)rows, at->out_re,
                at->out_im, c->out_row, NULL, NULL, 1);
    WF_MOVE(b->mover, column_scatter, made, at->out_re, at->out_im,
            at->out_re == rows ? 2 * b->width : c->out_row, c->powers, NULL,
            (size_t)c->m);
}

static void run_bluestein(const wf_convolved *c, const block *b,
                          const wf_samples *at, void *rows, char *below)
{
    WF_MOVE(b->mover, column_gather, rows, at->in_re, at->in_im, c->in_row,
            NULL, c->chirp, (size_t)c->n);
    memset(row_of(b, rows, c->n), 0,
           2 * (size_t)(c->m - c->n) * (size_t)b->width * b->bytes);
    const void *made = transform(c, b, rows, below);
    WF_MOVE(b->mover, column_multiply, rows, made, c->spectrum, (size_t)c->m,
            true);
    made = transform(c, b, rows, below);
    WF_MOVE(b->mover, column_scatter, made, at->out_re, at->out_im,
            at->out_re == rows ? 2 * b->width : c->out_row, NULL, c->chirp,
            (size_t)c->n);
}

const void *wf_convolved_run(const wf_convolved *c, int level, int width,
                             const wf_samples *at, char *scratch)
{
    const block b = {&c->mover[level], c->transform->bytes, width};
    wf_samples here = *at;
    if (c->in_end == WF_END_INTERLEAVED)
        here.in_im = here.in_re;
    if (c->out_end == WF_END_INTERLEAVED)
        here.out_im = here.out_re;
    if (c->out_end == WF_END_BLOCK) {
        here.out_re = scratch;
        here.out_im = wf_to(scratch, width, b.bytes);
    }
    (c->powers != NULL ? run_rader : run_bluestein)(c, &b, &here, scratch,
                                                    scratch + c->block);
    return scratch;
}

/* ---- Binding ------------------------------------------------------------- */

static weft_status make_chirps(const wf_binder *binder, wf_node *node,
                               wf_convolved *c)
{
    void *chirp = wf_node_table(node, 2 * ((size_t)c->n + WF_CHIRPS_PAD));
    void *spectrum = wf_node_table(node, 2 * (size_t)c->m);
    wf_chirps chirps = {.n = c->n,
                        .m = c->m,
                        .parts = 1,
                        .width = 1,
                        .scale = 1,
                        .in = {chirp},
                        .out = {chirp},
                        .sequence = spectrum};
    const size_t bytes = wf_chirps_work(&chirps);
    const size_t scratch = c->transform->scratch;
    void *work = wf_alloc(bytes > scratch ? bytes : scratch);
    const bool made = chirp != NULL && spectrum != NULL && work != NULL &&
                      wf_chirps_fill(binder, &chirps, work);
    if (made) {
        const wf_sequence sequence = {.m = c->m,
                                      .symmetry = WF_SYMMETRY_EVEN,
                                      .energy = (double)(2 * c->n - 1),
                                      .factor = 1};
        wf_spectrum(c->transform, &sequence, spectrum, work);
    }
    wf_free(work);
    c->chirp = chirp;
    c->spectrum = spectrum;
    return made ? WEFT_OK : wf_no_memory();
}

weft_status wf_convolved_bind(const wf_binder *binder, const wf_step *step,
                              wf_node *node, wf_convolved *c)
{
    const int64_t n = step->n, m = step->split[0];
    wf_node *child;
    if (m == n - 1 && (n < 5 || !wf_is_prime((uint64_t)n)))
        return wf_fail(WEFT_ERR_ARGUMENT, "convolved %lld m%lld: not a prime",
                       (long long)n, (long long)m);
    weft_status status = wf_bind_column(binder, step->child[0], WF_END_BLOCK,
                                        0, WF_END_BLOCK, 0, 1, &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(node, child);
    c->transform = child;
    c->n = n;
    c->m = m;
    const size_t row = 2 * (size_t)step->width * binder->bytes;
    c->block = wf_round64((size_t)(c->m + 1) * row);
    node->scratch = c->block + child->scratch;
    int levels = 0;
    for (const int *w = wf_cpu_widths(binder->type); *w != 0; w++)
        if (*w <= step->width)
            c->mover[levels++] = wf_mover_of_isa(
                binder->real, wf_isa_of_width(binder->real, *w));
    return m == n - 1 ? wf_rader_tables(binder, n, child, node, &c->powers,
                                        &c->spectrum)
                      : make_chirps(binder, node, c);
}
