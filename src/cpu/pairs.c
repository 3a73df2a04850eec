/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.c - compensated transforms: a group of vectors is taken into planes of
 * pairs (kernel/pair/pair.h), side by side where they are short, every axis is
 * transformed there, and the sums are rounded once on the way back.
 *
 * Two buffers of four planes take turns.  Rows of `inner` numbers are what
 * stands behind the axis: later dimensions, and the vectors of the group.
 */
#include <string.h>

#include "cpu/precise.h"
#include "kernel/pair/pair.h"
#include "num/num.h"

/* One axis: `outer` transforms of length n, one after the other. */
typedef struct pair_axis {
    wf_node node; /* owns the tables; it is not run by itself */
    size_t outer, n, inner;
    int passes;
    wf_pair_pass *pass[WF_MAX_RADICES];
    wf_pair_args args[WF_MAX_RADICES];
    /* Chirps: child 0 has length m; NULL tables otherwise. */
    size_t m, plane; /* of the two buffers for m */
    const double *chirp_in, *chirp_out, *spectrum;
} pair_axis;

typedef struct pairs {
    wf_grouped grouped;
    const wf_pair_kernels *kernels;
    bool inverse;
    size_t lanes, plane;
    size_t buffer, below; /* doubles of a buffer; where the chirps' begin */
    double scale, scale_low;
} pairs;

/* ---- Execution ----------------------------------------------------------- */

/* One transform; where its result is. */
static double *run_passes(const pair_axis *axis, double *from, double *to)
{
    for (int i = 0; i < axis->passes; i++) {
        axis->pass[i](from, to, &axis->args[i]);
        double *done = to;
        to = from;
        from = done;
    }
    return from;
}

/* A convolution: forth, product, and back, which is forth with re and im
 * exchanged. */
static void run_chirp(const pair_axis *axis, const wf_pair_kernels *kernels,
                      double *data, size_t plane, double *below)
{
    const pair_axis *middle = (const pair_axis *)axis->node.child[0];
    size_t n = axis->n * axis->inner, m = axis->m * axis->inner;
    double *other = below + 4 * axis->plane;
    kernels->multiply(below, axis->plane, data, plane, axis->chirp_in, axis->n,
                      axis->inner, WF_PAIR_PLAIN);
    for (size_t c = 0; c < 4; c++)
        memset(below + c * axis->plane + n, 0, (m - n) * sizeof *below);
    double *x = run_passes(middle, below, other);
    double *y = x == below ? other : below;
    kernels->multiply(y, axis->plane, x, axis->plane, axis->spectrum, axis->m,
                      axis->inner, WF_PAIR_TURN_OUT);
    x = run_passes(middle, y, x);
    kernels->multiply(data, plane, x, axis->plane, axis->chirp_out, axis->n,
                      axis->inner, WF_PAIR_TURN_IN);
}

static double *run_axis(const pairs *p, const pair_axis *axis, double *from,
                        double *to, double *below)
{
    size_t step = axis->n * axis->inner;
    double *result = from;
    for (size_t i = 0; i < axis->outer; i++) {
        if (axis->chirp_in != NULL)
            run_chirp(axis, p->kernels, from + i * step, p->plane, below);
        else
            result = run_passes(axis, from + i * step, to + i * step) -
                     i * step;
    }
    return result;
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const pairs *p = (const pairs *)walker;
    const wf_grouped *g = &p->grouped;
    double *a = (void *)scratch, *b = a + p->buffer;
    size_t bytes = walker->node.bytes, n = (size_t)g->line.n;
    size_t row = n * p->lanes;
    wf_pair_user in = {g->line.is, walker->inner.is, n, (size_t)count};
    wf_pair_user out = {g->line.os, walker->inner.os, n, (size_t)count};
    wf_samples s = *at;
    if (p->inverse)
        s = (wf_samples){at->in_im, at->in_re, at->out_im, at->out_re};
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        p->kernels->load(a + (size_t)i * row, p->plane, p->lanes,
                         wf_at(s.in_re, cursor.in, bytes),
                         wf_at(s.in_im, cursor.in, bytes), &in);
        wf_cursor_next(&g->rows, &cursor);
    }
    double *x = a;
    for (int i = 0; i < walker->node.children; i++)
        x = run_axis(p, (const pair_axis *)walker->node.child[i], x,
                     x == a ? b : a, a + p->below);
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        p->kernels->save(x + (size_t)i * row, p->plane, p->lanes,
                         wf_to(s.out_re, cursor.out, bytes),
                         wf_to(s.out_im, cursor.out, bytes), &out, p->scale,
                         p->scale_low);
        wf_cursor_next(&g->rows, &cursor);
    }
}

/* ---- Tables -------------------------------------------------------------- */

static void put(double *at, size_t span, const wf_dd w[2])
{
    at[0] = w[0].hi;
    at[span] = w[1].hi;
    at[2 * span] = w[0].lo;
    at[3 * span] = w[1].lo;
}

/* exp(-2 pi i r / radix), four numbers each. */
static const double *make_roots(pair_axis *axis, int radix)
{
    double *roots = wf_node_table(&axis->node, 4 * (size_t)radix);
    for (int k = 0; roots != NULL && k < radix; k++) {
        wf_dd w[2];
        wf_root_dd(-k, (uint64_t)radix, &w[0], &w[1]);
        put(roots + 4 * k, 1, w);
    }
    return roots;
}

/* Legs 1..r-1 of a pass: w_sr^(jk). */
static const double *make_twiddles(pair_axis *axis, const wf_pair_args *args,
                                   size_t times, const wf_root_table *roots,
                                   wf_dd *space)
{
    size_t r = (size_t)args->radix;
    double *table = wf_node_table(&axis->node, (r - 1) * 4 * args->span);
    if (table == NULL)
        return NULL;
    for (size_t j = 1; j < r; j++) {
        double *leg = table + (j - 1) * 4 * args->span;
        int64_t step = -(int64_t)(j * args->m);
        wf_root_table_dd(roots, 0, step, 0, args->s, space);
        for (size_t i = 0; i < args->span; i++)
            put(leg + i, args->span, space + 2 * (i / times % args->s));
    }
    return table;
}

static wf_pair_pass *kernel_for(const wf_pair_kernels *kernels, int radix)
{
    return radix == 2   ? kernels->two
           : radix == 4 ? kernels->four
                        : kernels->odd;
}

/* Passes over rows of `inner` numbers, in planes `plane` apart. */
static weft_status make_passes(const wf_pair_kernels *kernels,
                               const wf_step *step, size_t inner, size_t plane,
                               pair_axis *axis)
{
    const double *odd_roots[WF_PAIR_MAX_RADIX + 1] = {NULL};
    wf_root_table *roots = wf_root_table_new((uint64_t)step->n);
    wf_dd *space = wf_calloc(2 * (size_t)step->n, sizeof *space);
    weft_status status = roots && space ? WEFT_OK : wf_no_memory();
    size_t s = 1;
    for (int i = 0; status == WEFT_OK && i < step->radices; i++) {
        int r = step->radix[i];
        size_t times, span = wf_pair_span(kernels, s, inner, &times);
        wf_pair_args *args = &axis->args[i];
        *args = (wf_pair_args){.m = (size_t)step->n / (s * (size_t)r),
                               .s = s,
                               .inner = inner,
                               .span = span,
                               .radix = r,
                               .plane = plane};
        if (r % 2 && odd_roots[r] == NULL)
            odd_roots[r] = make_roots(axis, r);
        args->roots = r % 2 ? odd_roots[r] : NULL;
        if (s > 1)
            args->tw = make_twiddles(axis, args, times, roots, space);
        if ((s > 1 && args->tw == NULL) || (r % 2 && args->roots == NULL))
            status = wf_no_memory();
        axis->pass[i] = kernel_for(kernels, r);
        axis->passes = i + 1;
        s *= (size_t)r;
    }
    wf_free(space);
    wf_root_table_free(roots);
    return status;
}

/* ---- Chirps -------------------------------------------------------------- */

/* The chirp, and times 1/m, and h[+-k] = conj(chirp[k]), wrapped. */
static void put_chirp(const pair_axis *axis, const wf_dd *chirp, double *in,
                      double *out, double *h)
{
    size_t n = axis->n, m = axis->m;
    wf_dd part = wf_dd_div((wf_dd){1, 0}, (wf_dd){(double)m, 0});
    for (size_t k = 0; k < n; k++) {
        const wf_dd *c = chirp + 2 * k;
        wf_dd small[2] = {wf_dd_mul(c[0], part), wf_dd_mul(c[1], part)};
        wf_dd turned[2] = {c[0], {-c[1].hi, -c[1].lo}};
        put(in + k, n, c);
        put(out + k, n, small);
        put(h + k, m, turned);
        put(h + (k == 0 ? 0 : m - k), m, turned);
    }
}

/* The transform of h (m numbers in four planes) to `spectrum`. */
static weft_status make_spectrum(const wf_binder *binder,
                                 const wf_pair_kernels *kernels,
                                 const wf_step *step, double *h, double *other,
                                 double *spectrum, size_t m)
{
    pair_axis *one = (pair_axis *)wf_node_new(binder, sizeof *one, NULL);
    if (one == NULL)
        return wf_no_memory();
    weft_status status = make_passes(kernels, step, 1, m, one);
    if (status == WEFT_OK)
        memcpy(spectrum, run_passes(one, h, other), 4 * m * sizeof *h);
    wf_node_free(&one->node);
    return status;
}

static weft_status make_chirps(const wf_binder *binder,
                               const wf_pair_kernels *kernels,
                               const wf_step *step, pair_axis *axis)
{
    size_t n = axis->n, m = axis->m;
    double *in = wf_node_table(&axis->node, 4 * n);
    double *out = wf_node_table(&axis->node, 4 * n);
    double *spectrum = wf_node_table(&axis->node, 4 * m);
    double *h = wf_calloc(8 * m, sizeof *h);
    wf_dd *chirp = wf_calloc(2 * n, sizeof *chirp);
    wf_root_table *roots = wf_root_table_new(2 * (uint64_t)n);
    weft_status status;
    if (in && out && spectrum && h && chirp && roots) {
        wf_root_table_dd(roots, 0, -1, -2, n, chirp);
        put_chirp(axis, chirp, in, out, h);
        status = make_spectrum(binder, kernels, step->child[0], h, h + 4 * m,
                               spectrum, m);
    } else {
        status = wf_no_memory();
    }
    wf_root_table_free(roots);
    wf_free(chirp);
    wf_free(h);
    axis->chirp_in = in;
    axis->chirp_out = out;
    axis->spectrum = spectrum;
    return status;
}

/* ---- Binding ------------------------------------------------------------- */

/* Doubles between planes for `count` numbers: not a multiple of a page. */
static size_t plane_for(size_t count)
{
    return (count + 7) / 8 * 8 + 24;
}

static weft_status bind_axis(const wf_binder *binder, const pairs *p,
                             const wf_step *step, size_t outer, size_t inner,
                             wf_node **node)
{
    pair_axis *axis = (pair_axis *)wf_node_new(binder, sizeof *axis, NULL);
    *node = NULL;
    if (axis == NULL)
        return wf_no_memory();
    axis->outer = outer;
    axis->n = (size_t)step->n;
    axis->inner = inner;
    weft_status status;
    if (step->kind == WF_STEP_CHIRP) {
        wf_node *child;
        axis->m = (size_t)step->child[0]->n;
        axis->plane = plane_for(axis->m * inner);
        pair_axis *middle = (pair_axis *)wf_node_new(binder, sizeof *middle,
                                                     NULL);
        if (middle == NULL) {
            wf_node_free(&axis->node);
            return wf_no_memory();
        }
        child = &middle->node;
        wf_node_adopt(&axis->node, child);
        status = make_passes(p->kernels, step->child[0], inner, axis->plane,
                             middle);
        if (status == WEFT_OK)
            status = make_chirps(binder, p->kernels, step, axis);
    } else {
        status = make_passes(p->kernels, step, inner, p->plane, axis);
    }
    if (status != WEFT_OK)
        wf_node_free(&axis->node);
    else
        *node = &axis->node;
    return status;
}

/* Bytes of a thread's scratch; false when they are beyond any memory. */
static bool size_scratch(const wf_problem *problem, const wf_step *step,
                         pairs *p, size_t *slice)
{
    size_t numbers = p->lanes, most = 0, total;
    for (int i = 0; i < problem->rank; i++)
        if (!wf_mul_size(numbers, (size_t)problem->dim[i].n, &numbers))
            return false;
    for (int i = 0; i < step->children; i++) {
        const wf_step *axis = step->child[i];
        size_t wanted;
        if (axis->kind != WF_STEP_CHIRP)
            continue;
        /* of the child's m; at most as many rows as there are numbers */
        if (!wf_mul_size((size_t)axis->child[0]->n, numbers / (size_t)axis->n,
                         &wanted))
            return false;
        most = wanted > most ? wanted : most;
    }
    if (!wf_mul_size(numbers, 128 * 1024, &total) ||
        !wf_mul_size(most, 128 * 1024, &total))
        return false; /* room for the threads too */
    p->plane = plane_for(numbers);
    p->buffer = 4 * p->plane;
    p->below = 2 * p->buffer;
    *slice = wf_round64((p->below + (most == 0 ? 0 : 8 * plane_for(most))) *
                        sizeof(double));
    return true;
}

/* Every axis, with the dimensions before and behind it. */
static weft_status bind_axes(const wf_binder *binder,
                             const wf_problem *problem, const wf_step *step,
                             size_t slice, pairs *p)
{
    for (int i = 0; i < step->children; i++) {
        const wf_step *child = step->child[i];
        size_t outer = 1, inner = p->lanes;
        for (int d = 0; d < child->axis; d++)
            outer *= (size_t)problem->dim[d].n;
        for (int d = child->axis + 1; d < problem->rank; d++)
            inner *= (size_t)problem->dim[d].n;
        wf_node *node;
        weft_status status = bind_axis(binder, p, child, outer, inner, &node);
        if (status != WEFT_OK)
            return status;
        if (i < step->children - 1)
            wf_node_adopt(&p->grouped.walker.node, node);
        else
            wf_walker_finish(&p->grouped.walker, node, slice);
    }
    return WEFT_OK;
}

/* The widest kernels, with a group of vectors in their lanes; without a group,
 * those that a short transform still fills. */
static wf_group choose_kernels(const wf_problem *problem, pairs *p)
{
    const int *width = wf_cpu_widths(WEFT_F64);
    int64_t n = 1;
    p->kernels = wf_pair_kernels_for(wf_isa_of_width(WF_F64, *width));
    wf_group group = wf_precise_group(problem, 8 * sizeof(double),
                                      p->kernels->lanes);
    p->lanes = (size_t)p->kernels->lanes;
    if (group.n == p->kernels->lanes)
        return group;
    group.n = 1;
    p->lanes = 1;
    for (int i = 0; i < problem->rank; i++)
        n *= problem->dim[i].n;
    while (*width > 1 && *width > n / 4)
        width++;
    p->kernels = wf_pair_kernels_for(wf_isa_of_width(WF_F64, *width));
    return group;
}

weft_status wf_bind_pairs(const wf_binder *binder, const wf_problem *problem,
                          const wf_step *step, wf_node **node)
{
    *node = NULL;
    pairs *p = (pairs *)wf_node_new(binder, sizeof *p, wf_walker_run);
    if (p == NULL)
        return wf_no_memory();
    p->inverse = binder->inverse;
    p->scale = problem->scale;
    p->scale_low = problem->scale_low;
    wf_group group = choose_kernels(problem, p);
    wf_grouped_begin(binder, problem, &group, &p->grouped);
    p->grouped.walker.run_block = run_block;
    size_t slice = 0;
    weft_status status = size_scratch(problem, step, p, &slice)
                             ? bind_axes(binder, problem, step, slice, p)
                             : wf_no_memory();
    if (status != WEFT_OK) {
        wf_node_free(&p->grouped.walker.node);
        return status;
    }
    *node = &p->grouped.walker.node;
    return WEFT_OK;
}
