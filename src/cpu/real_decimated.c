/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_decimated.c - odd n = n1 n2: rows of every n1-th sample, two in one complex
 * row, then columns of half as many numbers.
 *
 * As decimated.c, of reals.  Samples 2p and 2p + 1 of each n1 are re and im of row p,
 * whose spectrum has those of both: the sum and the difference of numbers k and
 * n2 - k.  Of each the first half, multiplied by the twiddles, is a row of a matrix of
 * n1 x (n2 + 1)/2 complex numbers; its columns, transformed (length n1), hold numbers
 * k1 n2 + k2 of the result at row k1, of which the lower rows are the half spectrum's
 * and the others, read backwards, the conjugates of what is between them.
 */
#include <string.h>

#include "cpu/move.h"
#include "cpu/nest.h"
#include "cpu/two_factors.h"

enum { GROUP = 8 }; /* pairs of a line that are copied together */

typedef struct real_decimated {
    wf_node node;
    wf_mover mover;
    int64_t n1, n2, half, pairs, group; /* (n2 + 1)/2; (n1 + 1)/2 */
    int64_t ld, row; /* from complex row to row, and in the matrix */
    bool hartley;
    int threads;
    size_t matrix, block, slice; /* bytes; block: a group's rows */
    wf_row_twiddles twiddles;
} real_decimated;

/* Of each line of n1 samples, so many pairs to a row each. */
static inline void copy_pairs(size_t bytes, const real_decimated *d,
                              const char *in, int64_t count, char *rows)
{
    const size_t line = (size_t)d->n1 * bytes, row = 2 * (size_t)d->ld * bytes;
    for (int64_t i = 0; i < d->n2; i++, in += line, rows += 2 * bytes)
        for (int64_t p = 0; p < count; p++)
            memcpy(rows + (size_t)p * row, in + 2 * (size_t)p * bytes,
                   2 * bytes);
}

/* Samples 2p and 2p + 1 of every n1 to row p; the last row of all has no second
 * ones. */
static inline void gather(wf_real real, const real_decimated *d,
                          const void *in, int64_t first, int64_t last,
                          void *rows)
{
    const size_t bytes = real == WF_F64 ? sizeof(double) : sizeof(float);
    const bool ends = last == d->pairs;
    for (int64_t p = first, left = last - ends - first; left > 0;
         p += GROUP, left -= GROUP) {
        const void *from = wf_at(in, 2 * p, bytes);
        void *to = wf_to(rows, 2 * (p - first) * d->ld, bytes);
        if (left < GROUP)
            copy_pairs(bytes, d, from, left, to);
        else
            copy_pairs(bytes, d, from, GROUP, to);
    }
    void *row = wf_to(rows, 2 * (last - 1 - first) * d->ld, bytes);
    for (int64_t i = 0; ends && i < d->n2; i++)
        wf_table_put(real, row, i, wf_table_get(real, in, (i + 1) * d->n1 - 1),
                     0);
}

/* Twice the first halves of the spectra of re and im from that of both. */
#define PART(T, n, both, re, im)                                    \
    do {                                                            \
        const T *up = (both), *down = up + 2 * (n);                 \
        T *a = (re), *b = (im);                                     \
        a[0] = up[0] + up[0];                                       \
        b[0] = up[1] + up[1];                                       \
        a[1] = b[1] = 0;                                            \
        for (int64_t k = 1; k <= (n) / 2; k++) {                    \
            up += 2, down -= 2, a += 2, b += 2;                     \
            const T x = up[0], y = up[1], u = down[0], v = down[1]; \
            a[0] = x + u;                                           \
            a[1] = y - v;                                           \
            b[0] = y + v;                                           \
            b[1] = u - x;                                           \
        }                                                           \
    } while (0)

/* Rows 2 first .. of the matrix: the second of the last pair is not there. */
static void part_rows(const real_decimated *d, const void *rows, int64_t first,
                      int64_t last, void *matrix)
{
    const size_t bytes = d->node.bytes;
    for (int64_t p = first; p < last; p++) {
        const void *both = wf_at(rows, 2 * (p - first) * d->ld, bytes);
        void *re = wf_to(matrix, 4 * p * d->row, bytes),
             *im = wf_to(re, 2 * d->row, bytes);
        if (d->node.real == WF_F64)
            PART(double, d->n2, both, re, im);
        else
            PART(float, d->n2, both, re, im);
        wf_twiddle_row(&d->twiddles, &d->mover, 2 * p, d->half, re, re);
        if (2 * p + 1 < d->n1)
            wf_twiddle_row(&d->twiddles, &d->mover, 2 * p + 1, d->half, im,
                           im);
    }
}

static void make_rows(const wf_node *node, const wf_samples *at, char *scratch,
                      int64_t begin, int64_t end)
{
    const real_decimated *d = (const real_decimated *)node;
    const wf_node *child = node->child[1];
    char *rows = scratch, *below = scratch + d->block;
    for (int64_t unit = begin; unit < end; unit++) {
        const int64_t first = unit * d->group;
        const int64_t last = first + d->group < d->pairs ? first + d->group
                                                         : d->pairs;
        if (node->real == WF_F64)
            gather(WF_F64, d, at->in_re, first, last, rows);
        else
            gather(WF_F32, d, at->in_re, first, last, rows);
        if (wf_node_is_leaf(child))
            wf_leaf_run_many(child, rows, rows, (size_t)(last - first),
                             2 * d->ld, 2 * d->ld);
        else
            for (int64_t i = 0; i < last - first; i++) {
                void *row = wf_to(rows, 2 * i * d->ld, node->bytes);
                child->run(child, &(wf_samples){row, row, row, row}, below);
            }
        part_rows(d, rows, first, last, at->out_re);
    }
}

static void make_columns(const wf_node *node, const wf_samples *at,
                         char *scratch, int64_t begin, int64_t end)
{
    const real_decimated *d = (const real_decimated *)node;
    wf_column_run_apart(node->child[0], at, scratch, d->half, begin, end);
}

/* Row k1 of the half spectrum, or the conjugates that it holds. */
static inline void put_spectrum(wf_real real, const real_decimated *d,
                                const void *row, int64_t k1, void *out)
{
    if (2 * k1 < d->n1) {
        memcpy(wf_to(out, 2 * k1 * d->n2, d->node.bytes), row,
               2 * (size_t)d->half * d->node.bytes);
        return;
    }
    const int64_t end = (d->n1 - k1) * d->n2;
    for (int64_t k = 1; k < d->half; k++)
        wf_table_put(real, out, end - k, wf_table_get(real, row, 2 * k),
                     -wf_table_get(real, row, 2 * k + 1));
}

/* Hartley number k is re - im, n - k re + im. */
static inline void put_hartley(wf_real real, const real_decimated *d,
                               const void *row, int64_t k1, void *out)
{
    const int64_t begin = k1 * d->n2, end = (d->n1 - k1) * d->n2;
    for (int64_t k = 0; k < d->half; k++) {
        const double re = wf_table_get(real, row, 2 * k),
                     im = wf_table_get(real, row, 2 * k + 1);
        wf_table_set(real, out, begin + k, re - im);
        if (k > 0)
            wf_table_set(real, out, end - k, re + im);
    }
}

static void make_result(const wf_node *node, const wf_samples *at,
                        char *scratch, int64_t begin, int64_t end)
{
    const real_decimated *d = (const real_decimated *)node;
    (void)scratch;
    for (int64_t k1 = begin; k1 < end; k1++) {
        const void *row = wf_at(at->in_re, 2 * k1 * d->half, node->bytes);
        if (node->real == WF_F64 && d->hartley)
            put_hartley(WF_F64, d, row, k1, at->out_re);
        else if (node->real == WF_F64)
            put_spectrum(WF_F64, d, row, k1, at->out_re);
        else if (d->hartley)
            put_hartley(WF_F32, d, row, k1, at->out_re);
        else
            put_spectrum(WF_F32, d, row, k1, at->out_re);
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const real_decimated *d = (const real_decimated *)node;
    char *a = scratch, *b = scratch + d->matrix, *rest = b + d->matrix;
    const wf_samples rows = {at->in_re, at->in_re, a, a};
    const wf_samples columns = {a, a, b, b};
    const wf_samples result = {b, b, at->out_re, at->out_re};
    wf_run_units(node, &rows, rest, d->threads,
                 (d->pairs + d->group - 1) / d->group, d->slice, make_rows);
    wf_run_units(node, &columns, rest, d->threads,
                 wf_column_units_apart(node->child[0], d->half), d->slice,
                 make_columns);
    wf_run_units(node, &result, rest, d->threads, d->n1, d->slice,
                 make_result);
    if (!d->hartley)
        wf_table_set(node->real, at->out_re, 1, 0);
}

weft_status wf_bind_real_decimated(const wf_binder *binder,
                                   const wf_step *step, const wf_usage *usage,
                                   wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n % 2 == 0)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "rdecimated %lld: not for these data",
                       (long long)step->n);
    if (binder->inverse)
        return wf_bind_turned(binder, step, usage, wf_bind_real_decimated,
                              node);
    real_decimated *d = (real_decimated *)wf_node_new(binder, sizeof *d, run);
    if (d == NULL)
        return wf_no_memory();
    d->mover = wf_mover_best(binder->real);
    d->n1 = step->split[0];
    d->n2 = step->split[1];
    d->half = (d->n2 + 1) / 2;
    d->pairs = (d->n1 + 1) / 2;
    d->ld = wf_whole_lines(d->n2, binder->bytes);
    d->row = wf_whole_lines(d->half, binder->bytes);
    d->hartley = usage->hartley;
    d->threads = binder->threads;
    weft_status status = wf_bind_columns_and_rows(binder, step, d->row,
                                                  d->half, &d->node);
    if (status == WEFT_OK)
        status = wf_bind_row_twiddles(&d->node, binder, step->n, d->n1,
                                      d->half, usage->scale / 2, &d->twiddles);
    if (status != WEFT_OK) {
        wf_node_free(&d->node);
        return status;
    }
    d->group = wf_rows_together(d->node.child[1], d->pairs, d->threads);
    const size_t a = d->node.child[0]->scratch, b = d->node.child[1]->scratch;
    d->matrix = 4 * (size_t)(d->pairs * d->row) * binder->bytes;
    d->block = 2 * (size_t)(d->group * d->ld) * binder->bytes;
    d->slice = d->block + (a > b ? a : b);
    d->node.scratch = 2 * d->matrix + d->slice * (size_t)d->threads;
    *node = &d->node;
    return WEFT_OK;
}
