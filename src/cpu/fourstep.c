/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fourstep.c - two trips through memory in blocks of neighbouring columns.
 *
 * Trip 1: a block of columns of the n1 x n2 input becomes, in a scratch block,
 * its column transforms; times the twiddles w^(k1 j2), transposed in
 * registers, it is written as rows of the n2 x n1 middle matrix.  Trip 2:
 * blocks of columns of that matrix, transformed, are written to the same
 * columns of the output.  Out of place the middle matrix is the output; in
 * place it is scratch.
 *
 * The twiddles of a block that starts at column j0 are
 * w^(k1 j0) * w^(k1 l), l the lane: a scalar per row and block times a vector
 * per row that all blocks share, so the tables are 1/width of the data.
 */
#include "cpu/move.h"
#include "cpu/nest.h"
#include "num/num.h"

enum { MAX_STARTS = 8, MAX_LEVELS = 5 };

typedef struct fourstep {
    wf_node node;
    int64_t n1, n2;
    bool in_place;
    int threads;
    size_t middle; /* bytes of the middle matrix in scratch */
    size_t slice;  /* bytes of scratch a thread takes after it */
    size_t expand; /* offset of the expanded twiddles in a slice */
    int levels;
    int width[MAX_LEVELS];
    wf_mover mover[MAX_LEVELS];
    const void *lane[MAX_LEVELS]; /* [n1][2 width]: w^(k1 l) */
    const void *start;            /* [starts][n1] complex: w^(k1 j0) */
    int64_t starts;
} fourstep;

/* The blocks of columns: full ones, then narrower ones for what is left. */
static int level_at(const fourstep *f, int64_t left)
{
    int i = 0;
    while (f->width[i] > left)
        i++;
    return i;
}

/* tw[k][l] = start[k] * lane[k][l], as vectors of c and d. */
static void expand(wf_real real, void *tw, const void *start,
                   const void *lane, int64_t rows, int width)
{
    for (int64_t k = 0; k < rows; k++)
        for (int l = 0; l < width; l++) {
            int64_t at = 2 * k * width + l;
            if (real == WF_F64) {
                const double *s = (const double *)start + 2 * k;
                const double *v = (const double *)lane + at;
                ((double *)tw)[at] = s[0] * v[0] - s[1] * v[width];
                ((double *)tw)[at + width] = s[0] * v[width] + s[1] * v[0];
            } else {
                const float *s = (const float *)start + 2 * k;
                const float *v = (const float *)lane + at;
                ((float *)tw)[at] = s[0] * v[0] - s[1] * v[width];
                ((float *)tw)[at + width] = s[0] * v[width] + s[1] * v[0];
            }
        }
}

static void trip_one(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const fourstep *f = (const fourstep *)node;
    const wf_node *column = node->child[0];
    size_t bytes = node->bytes;
    int wide = f->width[0];
    void *tw = scratch + f->expand;
    int64_t full = f->n2 / wide;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t stop = unit < full ? (unit + 1) * wide : f->n2;
        int64_t start = unit;
        for (int64_t j0 = unit * wide; j0 < stop; start++) {
            int i = level_at(f, stop - j0), width = f->width[i];
            wf_samples block = {wf_at(at->in_re, 2 * j0, bytes), NULL, NULL,
                                NULL};
            block.in_im = block.in_re;
            void *rows = wf_column_run(column, width, &block, scratch);
            expand(node->real, tw, wf_at(f->start, 2 * start * f->n1, bytes),
                   f->lane[i], f->n1, width);
            WF_MOVE(&f->mover[i], column_twiddle_transpose, rows,
                    wf_at(rows, width, bytes), 2 * (ptrdiff_t)width, tw,
                    (size_t)f->n1, (size_t)width,
                    wf_to(at->out_re, 2 * j0 * f->n1, bytes), f->n1);
            j0 += width;
        }
    }
}

static void trip_two(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const fourstep *f = (const fourstep *)node;
    const wf_node *column = node->child[1];
    int wide = f->width[0];
    int64_t full = f->n1 / wide;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t stop = unit < full ? (unit + 1) * wide : f->n1;
        for (int64_t k0 = unit * wide; k0 < stop;) {
            int width = wf_column_width(column, stop - k0);
            wf_samples block = {wf_at(at->in_re, 2 * k0, node->bytes), NULL,
                                wf_to(at->out_re, 2 * k0, node->bytes), NULL};
            block.in_im = block.in_re;
            block.out_im = block.out_re;
            wf_column_run(column, width, &block, scratch);
            k0 += width;
        }
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const fourstep *f = (const fourstep *)node;
    void *middle = f->in_place ? (void *)scratch : at->out_re;
    char *slices = scratch + f->middle;
    int64_t wide = f->width[0];
    wf_samples one = {at->in_re, at->in_re, middle, middle};
    wf_samples two = {middle, middle, at->out_re, at->out_re};
    wf_run_units(node, &one, slices, f->threads, (f->n2 + wide - 1) / wide,
                 f->slice, trip_one);
    wf_run_units(node, &two, slices, f->threads, (f->n1 + wide - 1) / wide,
                 f->slice, trip_two);
}

/* ---- Binding ------------------------------------------------------------- */

static void fill(const wf_binder *binder, int64_t n, int64_t product,
                 double scale, void *table, int64_t re, int64_t im)
{
    double c, d;
    int64_t k = product % n;
    wf_root(binder->inverse ? k : -k, (uint64_t)n, &c, &d);
    wf_table_set(binder->real, table, re, scale * c);
    wf_table_set(binder->real, table, im, scale * d);
}

/* The scalars of every block start, in the order trip 1 meets them. */
static weft_status bind_starts(const wf_binder *binder, fourstep *f,
                               double scale)
{
    int64_t j[MAX_STARTS], full = f->n2 / f->width[0];
    int more = 0;
    for (int64_t j0 = full * f->width[0]; j0 < f->n2;) {
        j[more++] = j0;
        j0 += f->width[level_at(f, f->n2 - j0)];
        if (more == MAX_STARTS)
            break;
    }
    f->starts = full + more;
    void *table = wf_node_table(&f->node, 2 * (size_t)(f->starts * f->n1));
    if (table == NULL)
        return wf_no_memory();
    for (int64_t b = 0; b < f->starts; b++) {
        int64_t j0 = b < full ? b * f->width[0] : j[b - full];
        for (int64_t k = 0; k < f->n1; k++) {
            int64_t at = 2 * (b * f->n1 + k);
            fill(binder, f->n1 * f->n2, k * j0, scale, table, at, at + 1);
        }
    }
    f->start = table;
    return WEFT_OK;
}

static weft_status bind_lanes(const wf_binder *binder, fourstep *f)
{
    for (int i = 0; i < f->levels; i++) {
        int64_t width = f->width[i];
        void *table = wf_node_table(&f->node, (size_t)(f->n1 * 2 * width));
        if (table == NULL)
            return wf_no_memory();
        for (int64_t k = 0; k < f->n1; k++)
            for (int64_t l = 0; l < width; l++) {
                int64_t at = 2 * k * width + l;
                fill(binder, f->n1 * f->n2, k * l, 1, table, at, at + width);
            }
        f->lane[i] = table;
    }
    return WEFT_OK;
}

static weft_status bind_children(const wf_binder *binder, const wf_step *step,
                                 fourstep *f)
{
    wf_node *child;
    weft_status status =
        wf_bind_column(binder, step->child[0], WF_END_INTERLEAVED, f->n2,
                       WF_END_BLOCK, 0, 1, &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&f->node, child);
    status = wf_bind_column(binder, step->child[1], WF_END_INTERLEAVED, f->n1,
                            WF_END_INTERLEAVED, f->n1, 1, &child);
    if (status == WEFT_OK)
        wf_node_adopt(&f->node, child);
    return status;
}

static void size_scratch(fourstep *f)
{
    size_t a = f->node.child[0]->scratch, b = f->node.child[1]->scratch;
    f->expand = a;
    a += wf_round64((size_t)(f->n1 * 2 * f->width[0]) * f->node.bytes);
    f->slice = a > b ? a : b;
    f->middle = f->in_place ? wf_round64((size_t)(f->n1 * f->n2) * 2 *
                                         f->node.bytes)
                            : 0;
    f->node.scratch = f->middle + f->slice * (size_t)f->threads;
}

weft_status wf_bind_fourstep(const wf_binder *binder, const wf_step *step,
                             const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n > (int64_t)1 << 40)
        return wf_fail(WEFT_ERR_ARGUMENT, "fourstep %lld: not for this data",
                       (long long)step->n);
    fourstep *f = (fourstep *)wf_node_new(binder, sizeof *f, run);
    if (f == NULL)
        return wf_no_memory();
    f->n1 = step->split[0];
    f->n2 = step->split[1];
    f->in_place = usage->in_place;
    f->threads = binder->threads;
    for (const int *w = wf_cpu_widths(binder->type); *w != 0; w++) {
        if (*w > step->child[0]->width || *w > step->child[1]->width)
            continue;
        f->mover[f->levels] = wf_mover_of_isa(
            binder->real, wf_isa_of_width(binder->real, *w));
        f->width[f->levels++] = *w;
    }
    weft_status status = bind_children(binder, step, f);
    if (status == WEFT_OK)
        status = bind_starts(binder, f, usage->scale);
    if (status == WEFT_OK)
        status = bind_lanes(binder, f);
    if (status != WEFT_OK) {
        wf_node_free(&f->node);
        return status;
    }
    size_scratch(f);
    *node = &f->node;
    return WEFT_OK;
}
