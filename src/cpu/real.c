/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real.c - one real vector of unit stride: R2C, and C2R in inverse binders.
 *
 * half works in the output: forward the child transforms the reals where the
 * half spectrum will be and a pass unpacks it there; inverse a pass packs the
 * spectrum into the place of the reals, where the child transforms it.  So
 * neither needs scratch, and an input elsewhere is only read.  But a child that
 * would itself need scratch for all samples to work in place finds them there,
 * and has the output for its middle; and where the output begins within a line of
 * memory, numbers in scratch do not.
 */
#include "cpu/move.h"
#include "cpu/nest.h"
#include "cpu/walker.h"
#include "num/num.h"

/* A factor for every pair is half as many bytes as the spectrum.  Where that
 * fills a second cache the factor is a product, of one for a row of COLUMNS
 * pairs and one for the column: less to read, and to make.  Rows are units for
 * threads, which pay from SHARE_BYTES of samples on. */
enum { COLUMNS = 256, TABLE_BYTES = 1 << 20, SHARE_BYTES = 1 << 18 };

/* Bytes of output of transforms that are several at a time. */
enum { SOME_BYTES = 8 << 10 };

typedef struct half {
    wf_node node;
    wf_mover mover;
    size_t m;
    double half, scale;
    int threads;         /* for the pass */
    size_t room;         /* bytes of scratch for samples; 0: none */
    bool always;         /* are samples there, wherever the output begins? */
    int64_t some;        /* of many at a time */
    const void *factors; /* m/2 + 1 complex; NULL: products of */
    const void *row;     /* w^(COLUMNS j) times their factor, and */
    const void *re, *im; /* of w^c, c < COLUMNS, each twice */
} half;

static void make_pairs(const half *h, const wf_samples *at, int64_t j,
                       ptrdiff_t skip, size_t first, size_t count)
{
    const wf_hand_f64 *f64 = h->mover.f64;
    const wf_hand_f32 *f32 = h->mover.f32;
    const size_t bytes = h->node.bytes;
    const bool doubles = h->node.real == WF_F64;
    if (h->factors != NULL && doubles) {
        f64->real_some(at->out_re, at->in_re, h->factors, h->half, first,
                       count, h->m);
        return;
    }
    if (h->factors != NULL) {
        f32->real_some(at->out_re, at->in_re, h->factors, (float)h->half,
                       first, count, h->m);
        return;
    }
    const void *row = wf_at(h->row, 2 * j, bytes);
    const void *re = wf_at(h->re, 2 * skip, bytes);
    const void *im = wf_at(h->im, 2 * skip, bytes);
    if (doubles)
        f64->real_row(at->out_re, at->in_re, row, re, im, h->half, first,
                      count, h->m);
    else
        f32->real_row(at->out_re, at->in_re, row, re, im, (float)h->half,
                      first, count, h->m);
}

/* Row j: k = COLUMNS j and on, to m/2 at most, each with its m - k; but k = 0
 * is an end. */
static void run_rows(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const half *h = (const half *)node;
    (void)scratch;
    for (int64_t j = begin; j < end; j++) {
        size_t first = (size_t)j * COLUMNS, count = h->m / 2 + 1 - first;
        ptrdiff_t skip = j == 0;
        count = (count < COLUMNS ? count : COLUMNS) - (size_t)skip;
        first += (size_t)skip;
        make_pairs(h, at, j, skip, first, count);
    }
}

static int64_t rows_of(const half *h)
{
    return (int64_t)(h->m / 2 / COLUMNS + 1);
}

static bool by_rows(const half *h)
{
    return h->factors == NULL || h->threads > 1;
}

/* The pass, where factors are of each pair and one thread makes it. */
static void unpack(const half *h, const void *in, void *out)
{
    if (h->node.real == WF_F64)
        h->mover.f64->real_unpack(out, in, h->factors, h->half, h->scale,
                                  h->m);
    else
        h->mover.f32->real_unpack(out, in, h->factors, (float)h->half,
                                  (float)h->scale, h->m);
}

static void pack(const half *h, const void *in, void *out)
{
    if (h->node.real == WF_F64)
        h->mover.f64->real_pack(out, in, h->factors, h->half, h->scale, h->m);
    else
        h->mover.f32->real_pack(out, in, h->factors, (float)h->half,
                                (float)h->scale, h->m);
}

/* Are samples in scratch?  Where the output begins within a line, rather than read and
 * written across lines; not where it begins within a number, as the pass does then. */
static bool in_scratch(const half *h, const void *out)
{
    const size_t beyond = (uintptr_t)out % WF_LINE;
    return h->always ||
           (h->room > 0 && beyond != 0 && beyond % (2 * h->node.bytes) == 0);
}

static void run_unpack(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const half *h = (const half *)node;
    void *out = at->out_re, *z = out;
    if (in_scratch(h, out)) {
        const wf_samples here = {at->in_re, at->in_im, scratch, scratch};
        z = scratch;
        node->child[0]->run(node->child[0], &here, scratch + h->room);
    } else {
        node->child[0]->run(node->child[0], at, scratch + h->room);
    }
    wf_samples there = {z, z, out, out};
    if (!by_rows(h)) {
        unpack(h, z, out);
        return;
    }
    wf_run_units(node, &there, NULL, h->threads, rows_of(h), 0, run_rows);
    if (node->real == WF_F64)
        h->mover.f64->real_unpack_ends(out, z, h->scale, h->m);
    else
        h->mover.f32->real_unpack_ends(out, z, (float)h->scale, h->m);
}

static void run_pack(const wf_node *node, const wf_samples *at, char *scratch)
{
    const half *h = (const half *)node;
    void *out = in_scratch(h, at->out_re) ? scratch : at->out_re;
    wf_samples packed = {at->in_re, at->in_re, out, out};
    wf_samples there = {out, out, at->out_re, at->out_re};
    if (!by_rows(h)) {
        pack(h, at->in_re, out);
    } else {
        wf_run_units(node, &packed, NULL, h->threads, rows_of(h), 0, run_rows);
        if (node->real == WF_F64)
            h->mover.f64->real_pack_ends(out, at->in_re, h->scale, h->m);
        else
            h->mover.f32->real_pack_ends(out, at->in_re, (float)h->scale,
                                         h->m);
    }
    node->child[0]->run(node->child[0], &there, scratch + h->room);
}

/* Of short ones several at a time, all of a pass before the first of the other: the
 * stores of one alone would still be on their way to the first cache, where a load of
 * two of them waits for both. */
static void run_many(const wf_node *node, const wf_samples *at, ptrdiff_t is,
                     ptrdiff_t os, int64_t count, char *scratch)
{
    const half *h = (const half *)node;
    const size_t bytes = node->bytes;
    wf_samples row = *at;
    for (int64_t some; count > 0; count -= some) {
        some = count < h->some ? count : h->some;
        wf_samples there = {row.out_re, NULL, row.out_re, NULL};
        const bool back = node->run == run_pack;
        for (int64_t i = 0; back && i < some; i++)
            pack(h, wf_at(row.in_re, i * is, bytes),
                 wf_to(row.out_re, i * os, bytes));
        wf_rows_run(node->child[0], back ? &there : &row, back ? os : is, os,
                    some, scratch);
        for (int64_t i = 0; !back && i < some; i++)
            unpack(h, wf_at(row.out_re, i * os, bytes),
                   wf_to(row.out_re, i * os, bytes));
        row = wf_samples_at(&row, some * is, some * os, bytes);
    }
}

/* Complex number k of a table: -i w half forward, i conj w half inverse, of a
 * root conj w = exp(2 pi i j / n). */
static void put_factor(const half *h, bool inverse, void *table, int64_t k,
                       const double *root)
{
    double re = -h->half * root[1], im = h->half * root[0];
    wf_table_set(h->node.real, table, 2 * k, re);
    wf_table_set(h->node.real, table, 2 * k + 1, inverse ? im : -im);
}

/* Roots 0 .. count - 1 of order 2 m: of each row of COLUMNS the first, or all of
 * a quarter of the circle. */
static bool make_roots(const half *h, bool rows, int64_t count, double *roots)
{
    const uint64_t order = 2 * (uint64_t)h->m;
    if (!rows)
        return wf_roots_part(order, 4, wf_turn_best(), roots);
    wf_roots(order, 0, COLUMNS, (size_t)count, roots);
    return true;
}

/* A factor for each pair, or row by row. */
static weft_status make_factors(const wf_binder *binder, half *h)
{
    bool rows = h->m * binder->bytes > TABLE_BYTES;
    int64_t count = rows ? rows_of(h) : (int64_t)(h->m / 2 + 1);
    /* and one real behind them (real_unpack) */
    void *table = wf_node_table(&h->node, 2 * (size_t)count + 1);
    double *roots = wf_alloc(2 * (size_t)count * sizeof *roots);
    weft_status status = table != NULL && roots != NULL &&
                                 make_roots(h, rows, count, roots)
                             ? WEFT_OK
                             : wf_no_memory();
    for (int64_t k = 0; status == WEFT_OK && k < count; k++)
        put_factor(h, binder->inverse, table, k, roots + 2 * k);
    wf_free(roots);
    *(rows ? &h->row : &h->factors) = table;
    return status;
}

static weft_status make_columns(const wf_binder *binder, half *h)
{
    void *re = wf_node_table(&h->node, 2 * COLUMNS);
    void *im = wf_node_table(&h->node, 2 * COLUMNS);
    double roots[2 * COLUMNS];
    if (re == NULL || im == NULL)
        return wf_no_memory();
    wf_roots(2 * (uint64_t)h->m, 0, 1, COLUMNS, roots);
    for (int64_t i = 0; i < 2 * COLUMNS; i++) {
        double s = roots[i / 2 * 2 + 1];
        wf_table_set(binder->real, re, i, roots[i / 2 * 2]);
        wf_table_set(binder->real, im, i, binder->inverse ? s : -s);
    }
    h->re = re;
    h->im = im;
    return WEFT_OK;
}

/* Of one short leaf by one kernel, whose stores are half lines or begin anywhere, the pass goes by
 * vectors of half a line, most of which are of one store.  (Emerald Rapids: 1.04 to 1.57
 * times as fast; floats forward, with longer ones, are not.) */
static wf_mover mover_of(const wf_binder *binder, const wf_step *child,
                         const wf_usage *usage)
{
    enum { LONGEST = 76, LINE = 4, LONGEST_F32 = 80, LINE_F32 = 8 };
    const bool doubles = binder->real == WF_F64;
    const wf_mover best = wf_mover_best(binder->real);
    if (!usage->lone || !wf_mover_has_lines(&best) ||
        child->kind != WF_STEP_LEAF || (!doubles && !binder->inverse) ||
        child->n > (doubles ? LONGEST : LONGEST_F32))
        return best;
    const wf_kernel *leaf = wf_kernel_of_leaf(
        binder->inverse ? WF_KERNEL_LEAF_INV : WF_KERNEL_LEAF_FWD,
        binder->type, (int)child->n, false);
    const bool lines = leaf == NULL ||
                       (wf_leaf_bits(leaf) == 512 &&
                        child->n % (doubles ? LINE : LINE_F32) == 0);
    return lines ? best : wf_mover_of_isa(binder->real, WF_ISA_AVX2);
}

/* Does it take scratch for all samples in place, and none elsewhere? */
static bool has_middle(const wf_step *step)
{
    return step->kind == WF_STEP_TWOSTEP ||
           (step->kind == WF_STEP_FOURSTEP &&
            wf_step_is_column(step->child[1]));
}

/* Is scratch better than outputs across lines?  These work in place or not, as they are
 * asked; of less bytes all is in the first cache. */
static bool may_be_aside(const wf_step *child, size_t bytes, bool inverse)
{
    enum { LEAST = 14 << 10, LEAST_INVERSE = 20 << 10, MOST = 512 << 10 };
    const size_t least = inverse ? LEAST_INVERSE : LEAST;
    return bytes >= least && bytes <= MOST &&
           (child->kind == WF_STEP_STOCKHAM ||
            child->kind == WF_STEP_INTERLEAVED);
}

weft_status wf_bind_half(const wf_binder *binder, const wf_step *step,
                         const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n < 4)
        return wf_fail(WEFT_ERR_ARGUMENT, "half %lld: not for these data",
                       (long long)step->n);
    half *h = (half *)wf_node_new(binder, sizeof *h,
                                  binder->inverse ? run_pack : run_unpack);
    if (h == NULL)
        return wf_no_memory();
    h->mover = mover_of(binder, step->child[0], usage);
    h->m = (size_t)step->n / 2;
    h->threads = 2 * h->m * binder->bytes < SHARE_BYTES ? 1 : binder->threads;
    h->scale = usage->scale;
    h->half = binder->inverse ? usage->scale : usage->scale / 2;
    h->always = binder->inverse && has_middle(step->child[0]);
    const size_t room = wf_round64(2 * h->m * binder->bytes);
    if (h->always || may_be_aside(step->child[0], room, binder->inverse))
        h->room = room;
    wf_usage below = {.in_place = binder->inverse ? !h->always
                                                  : usage->in_place,
                      .scale = 1};
    wf_node *child;
    weft_status status = wf_bind_transform(binder, step->child[0], &below,
                                           &child);
    if (status == WEFT_OK) {
        wf_node_adopt(&h->node, child);
        h->node.scratch = h->room + child->scratch;
        status = make_factors(binder, h);
    }
    if (status == WEFT_OK && h->factors == NULL)
        status = make_columns(binder, h);
    h->some = wf_several(SOME_BYTES, 2 * h->m * binder->bytes);
    if (h->some > 1 && h->room == 0)
        h->node.many = run_many;
    if (status != WEFT_OK) {
        wf_node_free(&h->node);
        return status;
    }
    *node = &h->node;
    return WEFT_OK;
}

/* ---- full ---------------------------------------------------------------- */

typedef struct full {
    wf_node node;
    wf_mover mover;
    size_t n, buffer; /* buffer: bytes of n complex numbers */
    double scale;
} full;

static void run_widen(const wf_node *node, const wf_samples *at, char *scratch)
{
    const full *w = (const full *)node;
    wf_samples there = {scratch, scratch, scratch, scratch};
    WF_MOVE(&w->mover, real_widen, (void *)scratch, at->in_re, w->n);
    node->child[0]->run(node->child[0], &there, scratch + w->buffer);
    if (node->real == WF_F64)
        w->mover.f64->real_halve(at->out_re, (void *)scratch, w->scale, w->n);
    else
        w->mover.f32->real_halve(at->out_re, (void *)scratch, (float)w->scale,
                                 w->n);
}

static void run_narrow(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const full *w = (const full *)node;
    wf_samples there = {scratch, scratch, scratch, scratch};
    WF_MOVE(&w->mover, real_mirror, (void *)scratch, at->in_re, w->n);
    node->child[0]->run(node->child[0], &there, scratch + w->buffer);
    if (node->real == WF_F64)
        w->mover.f64->real_narrow(at->out_re, (void *)scratch, w->scale, w->n);
    else
        w->mover.f32->real_narrow(at->out_re, (void *)scratch, (float)w->scale,
                                  w->n);
}

weft_status wf_bind_full(const wf_binder *binder, const wf_step *step,
                         const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "full on split data");
    full *w = (full *)wf_node_new(binder, sizeof *w,
                                  binder->inverse ? run_narrow : run_widen);
    if (w == NULL)
        return wf_no_memory();
    w->mover = wf_mover_best(binder->real);
    w->n = (size_t)step->n;
    w->scale = usage->scale;
    w->buffer = wf_round64(2 * w->n * binder->bytes);
    wf_usage below = {.in_place = true, .scale = 1};
    wf_node *child;
    weft_status status = wf_bind_transform(binder, step->child[0], &below,
                                           &child);
    if (status != WEFT_OK) {
        wf_node_free(&w->node);
        return status;
    }
    wf_node_adopt(&w->node, child);
    w->node.scratch = w->buffer + child->scratch;
    *node = &w->node;
    return WEFT_OK;
}

/* ---- n = 1 and 2 --------------------------------------------------------- */

typedef struct tiny {
    wf_node node;
    wf_mover mover;
    double scale;
    size_t n;
} tiny;

static void run_tiny(const void *what, const void *in, void *out)
{
    const tiny *l = what;
    if (l->node.real == WF_F64)
        l->mover.f64->real_tiny(out, in, l->scale, l->n);
    else
        l->mover.f32->real_tiny(out, in, (float)l->scale, l->n);
}

static void run_tiny_back(const void *what, const void *in, void *out)
{
    const tiny *l = what;
    if (l->node.real == WF_F64)
        l->mover.f64->real_tiny_back(out, in, l->scale, l->n);
    else
        l->mover.f32->real_tiny_back(out, in, (float)l->scale, l->n);
}

weft_status wf_bind_real_tiny(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    tiny *l = (tiny *)wf_node_new(binder, sizeof *l, wf_node_run_plain);
    if (l == NULL)
        return wf_no_memory();
    l->node.plain = (wf_plain){binder->inverse ? run_tiny_back : run_tiny, l};
    l->mover = wf_mover_best(binder->real);
    l->scale = usage->scale;
    l->n = (size_t)step->n;
    *node = &l->node;
    return WEFT_OK;
}
