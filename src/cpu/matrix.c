/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.c - an axis as matrix products: blocks of its transforms, whatever
 * their strides, each block one product a pass.
 *
 * Three ways: the passes alone; a length with a large prime factor as
 * Bluestein's convolution of a length without, in doubles (floats for f32);
 * and `refined`, which repeats X += F (x - F^-1 X) with F in bf16 and F^-1 of
 * FP32 quality (six products of bf16 parts): each round multiplies the error
 * by F's, down to that of F^-1 (docs/math.md).
 */
#include <string.h>

#include "cpu/staged.h"
#include "cpu/walker.h"
#include "kernel/hand/spectrum.h"
#include "num/num.h"

enum {
    ROUNDS = 2,
    BLOCK_SAMPLES = 1 << 14,
    LEAST_BLOCK = 1,
    MOST_BLOCK = 192
};

typedef struct matrix {
    wf_walker walker;
    wf_staged forth, back; /* back: refined only */
    wf_real carrier;
    int64_t n, length; /* of the axis, and what the passes transform */
    bool convolves;    /* length is not n */
    bool refined;
    double factor;
    ptrdiff_t is, os;             /* of the axis, scalars */
    const void *chirp, *spectrum; /* complex, carrier */
} matrix;

static size_t carrier_bytes(const matrix *x)
{
    return x->carrier == WF_F64 ? sizeof(double) : sizeof(float);
}

static wf_ends planes(const matrix *x, char *memory, int64_t count, int64_t n)
{
    return (wf_ends){x->carrier, memory,
                     memory + (size_t)(count * n) * carrier_bytes(x), n, 1};
}

static size_t plane_bytes(const matrix *x, int64_t count, int64_t n)
{
    return wf_round64((size_t)(count * n) * 2 * carrier_bytes(x));
}

static double element(const wf_ends *e, const void *plane, int64_t b,
                      int64_t i)
{
    const ptrdiff_t at = b * e->dist + i * e->step;
    return e->real == WF_F64 ? ((const double *)plane)[at]
                             : (double)((const float *)plane)[at];
}

static void set_element(const wf_ends *e, void *plane, int64_t b, int64_t i,
                        double value)
{
    const ptrdiff_t at = b * e->dist + i * e->step;
    if (e->real == WF_F64)
        ((double *)plane)[at] = value;
    else
        ((float *)plane)[at] = (float)value;
}

/* ---- Refinement ---------------------------------------------------------- */

/* to = from - to, or += */
static void combine(const matrix *x, int64_t count, const wf_ends *from,
                    const wf_ends *to, double sign)
{
    for (int64_t b = 0; b < count; b++)
        for (int64_t i = 0; i < x->length; i++) {
            set_element(to, to->re, b, i,
                        element(from, from->re, b, i) +
                            sign * element(to, to->re, b, i));
            set_element(to, to->im, b, i,
                        element(from, from->im, b, i) +
                            sign * element(to, to->im, b, i));
        }
}

static void run_refined(const matrix *x, int64_t count, const wf_ends *in,
                        const wf_ends *out, double factor, char *scratch)
{
    const size_t bytes = plane_bytes(x, count, x->length);
    const wf_ends sum = planes(x, scratch, count, x->length);
    const wf_ends rest = planes(x, scratch + bytes, count, x->length);
    char *below = scratch + 2 * bytes;
    wf_staged_run(&x->forth, count, in, &sum, 1, below);
    for (int i = 0; i < ROUNDS; i++) {
        wf_staged_run(&x->back, count, &sum, &rest, 1 / (double)x->length,
                      below);
        combine(x, count, in, &rest, -1);
        wf_staged_run(&x->forth, count, &rest, &rest, 1, below);
        combine(x, count, &rest, &sum, 1);
    }
    for (int64_t b = 0; b < count; b++)
        for (int64_t i = 0; i < x->length; i++) {
            set_element(out, out->re, b, i,
                        factor * element(&sum, sum.re, b, i));
            set_element(out, out->im, b, i,
                        factor * element(&sum, sum.im, b, i));
        }
}

/* The passes of the tree, refined or not. */
static void run_passes(const matrix *x, int64_t count, const wf_ends *in,
                       const wf_ends *out, double factor, char *scratch)
{
    if (x->refined)
        run_refined(x, count, in, out, factor, scratch);
    else
        wf_staged_run(&x->forth, count, in, out, factor, scratch);
}

/* ---- Convolution --------------------------------------------------------- */

/* to = from times the table, n numbers of each transform, times factor. */
static void multiply_table(const matrix *x, int64_t count, int64_t n,
                           const wf_ends *from, const wf_ends *to,
                           const void *table, double factor)
{
    const wf_ends w = {x->carrier, NULL, NULL, 0, 1};
    for (int64_t b = 0; b < count; b++)
        for (int64_t i = 0; i < n; i++) {
            const double re = element(from, from->re, b, i),
                         im = element(from, from->im, b, i),
                         c = element(&w, table, 0, 2 * i),
                         d = element(&w, table, 0, 2 * i + 1);
            set_element(to, to->re, b, i, factor * (re * c - im * d));
            set_element(to, to->im, b, i, factor * (re * d + im * c));
        }
}

/* The inverse transform is the forward one with the planes exchanged on both
 * sides. */
static wf_ends exchanged(const wf_ends *e)
{
    return (wf_ends){e->real, e->im, e->re, e->dist, e->step};
}

static void run_convolution(const matrix *x, int64_t count, const wf_ends *in,
                            const wf_ends *out, char *scratch)
{
    const size_t bytes = plane_bytes(x, count, x->length);
    const wf_ends a = planes(x, scratch, count, x->length);
    const wf_ends turned = exchanged(&a);
    memset(scratch, 0, bytes);
    multiply_table(x, count, x->n, in, &a, x->chirp, 1);
    run_passes(x, count, &a, &a, 1, scratch + bytes);
    multiply_table(x, count, x->length, &a, &a, x->spectrum, 1);
    run_passes(x, count, &turned, &turned, 1, scratch + bytes);
    multiply_table(x, count, x->n, &a, out, x->chirp, x->factor);
}

/* ---- A block ------------------------------------------------------------- */

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const matrix *x = (const matrix *)walker;
    const wf_ends in = {walker->node.real, (void *)(uintptr_t)at->in_re,
                        (void *)(uintptr_t)at->in_im, walker->inner.is, x->is};
    const wf_ends out = {walker->node.real, at->out_re, at->out_im,
                         walker->inner.os, x->os};
    if (x->convolves)
        run_convolution(x, count, &in, &out, scratch);
    else
        run_passes(x, count, &in, &out, x->factor, scratch);
}

static size_t block_scratch(const matrix *x, int64_t count)
{
    size_t bytes = wf_staged_scratch(&x->forth, count);
    if (x->refined) {
        const size_t back = wf_staged_scratch(&x->back, count);
        bytes = (back > bytes ? back : bytes) +
                2 * plane_bytes(x, count, x->length);
    }
    return x->convolves ? bytes + plane_bytes(x, count, x->length) : bytes;
}

/* ---- Binding ------------------------------------------------------------- */

/* exp(-+ pi i k^2/n) and the spectrum of its conjugate, wrapped; see
 * convolve.c. */
static weft_status bind_convolution(const wf_binder *binder, matrix *x)
{
    const size_t n = (size_t)x->n, m = (size_t)x->length;
    const int sign = binder->inverse ? 1 : -1;
    const size_t scalars = carrier_bytes(x) / x->walker.node.bytes;
    const size_t wide = scalars < 1 ? 1 : scalars;
    void *chirp = wf_node_table(&x->walker.node, 2 * n * wide);
    void *spectrum = wf_node_table(&x->walker.node, 2 * m * wide);
    wf_root_table *roots = wf_root_table_new(2 * (uint64_t)x->n);
    double *made = wf_calloc(2 * (n + m), sizeof *made);
    weft_status status = WEFT_OK;
    if (chirp == NULL || spectrum == NULL || roots == NULL || made == NULL) {
        status = wf_no_memory();
    } else {
        double *h = made + 2 * n;
        wf_root_table_f64(roots, 0, sign, 2 * sign, n, made);
        for (size_t k = 0; k < n; k++)
            for (size_t plane = 0; plane < 2; plane++) {
                const double value = made[2 * k + plane];
                wf_table_set(x->carrier, chirp, (int64_t)(2 * k + plane),
                             value);
                h[2 * k + plane] = h[2 * (k == 0 ? 0 : m - k) + plane] =
                    plane == 0 ? value : -value;
            }
        status = wf_make_spectrum(x->carrier, false, h, x->length, spectrum);
    }
    wf_root_table_free(roots);
    wf_free(made);
    x->chirp = chirp;
    x->spectrum = spectrum;
    return status;
}

static weft_status bind_parts(const wf_binder *binder, const wf_step *step,
                              matrix *x)
{
    static const wf_scheme residual = {.format = WF_FORMAT_BF16, .parts = 3};
    wf_node *node = &x->walker.node;
    const bool inverse = binder->inverse && !x->convolves;
    weft_status status = wf_bind_staged(node, &step->scheme, step, x->length,
                                        inverse, &x->forth);
    x->carrier = x->forth.carrier;
    if (status == WEFT_OK && x->refined)
        status = wf_bind_staged(node, &residual, step, x->length, !inverse,
                                &x->back);
    if (status == WEFT_OK && x->convolves)
        status = bind_convolution(binder, x);
    return status;
}

/* As many transforms as keep a block in the second cache, and at least as
 * many as the rows of a packed block want. */
static int64_t block_size(const matrix *x)
{
    const int64_t fit = BLOCK_SAMPLES / x->length;
    if (x->forth.stages == 1 && !x->convolves)
        return MOST_BLOCK;
    return fit < LEAST_BLOCK  ? LEAST_BLOCK
           : fit > MOST_BLOCK ? MOST_BLOCK
                              : fit;
}

weft_status wf_bind_matrix(const wf_binder *binder, const wf_axis *axis,
                           wf_node **node)
{
    *node = NULL;
    const wf_step *step = axis->step->child[0];
    if (step->scheme.format == WF_FORMAT_F32 && binder->real == WF_F64)
        return wf_fail(WEFT_ERR_ARGUMENT, "matrix f32 on f64 samples");
    matrix *x = (matrix *)wf_node_new(binder, sizeof *x, wf_walker_run);
    if (x == NULL)
        return wf_no_memory();
    wf_walker *walker = &x->walker;
    wf_axis_split_loops(&axis->walk, wf_axis_longest_loop(&axis->walk),
                        &walker->outer, &walker->inner);
    x->n = step->n;
    x->convolves = step->split[0] != 0;
    x->length = x->convolves ? step->split[0] : x->n;
    x->refined = step->scheme.refined;
    x->factor = axis->usage.scale;
    x->is = axis->walk.in_scalars * (ptrdiff_t)axis->walk.axis.is;
    x->os = axis->walk.out_scalars * (ptrdiff_t)axis->walk.axis.os;
    walker->run_block = run_block;
    walker->threads = binder->threads;
    weft_status status = bind_parts(binder, step, x);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_cut(walker, block_size(x));
    const int64_t most = walker->inner.n < walker->block ? walker->inner.n
                                                         : walker->block;
    walker->slice = wf_round64(block_scratch(x, most));
    walker->node.scratch = walker->slice * (size_t)(wf_walker_has_many(walker)
                                                        ? walker->threads
                                                        : 1);
    *node = &walker->node;
    return WEFT_OK;
}
