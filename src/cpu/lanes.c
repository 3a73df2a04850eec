/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.c - vectors of a real kind, or real ones, side by side, one in each lane.
 *
 * A group of them is read as rows of one element each: where they are, if they
 * are neighbours and fill the lanes, else from a tile in scratch.  All of a
 * group is read before any of it is written, so in place is safe.
 */
#include <math.h>
#include <string.h>

#include "cpu/move.h"
#include "cpu/r2r.h"
#include "cpu/stream.h"
#include "cpu/walker.h"

/* What a group is transformed by; lanes and laned. */
typedef struct lanes lanes;
struct lanes {
    wf_node node;
    wf_mover mover;
    size_t n, width, tile; /* tile: bytes of width vectors */
    bool sine;
    const wf_kernel *kernel;
    const wf_kernel *rows;         /* for contiguous vectors, or NULL */
    wf_pass_args one;              /* lanes: unit strides, and */
    ptrdiff_t in_first, out_first; /* where leg 0 then is */
    wf_r2r_pass in, out; /* laned: passes before and after the columns */
    void (*run)(const lanes *l, const void *in, const wf_lanes *from,
                void *out, const wf_lanes *to, char *scratch);
};

/* The walk of an axis, a group after the other. */
typedef struct abreast {
    wf_walker walker;
    ptrdiff_t is, os;
    int64_t together; /* vectors whose output is written together, from */
    size_t matrix;    /* so many bytes of scratch; 0: each group's by itself */
    size_t brought;   /* in front of it so many of input; 0: it stays */
    bool past;        /* the matrix is written past the caches */
    int64_t rows;     /* of the output, and scalars of one number of them */
    ptrdiff_t unit;
    size_t piece; /* bytes of far rows that are fetched together; 0: none */
    /* Of whole groups of contiguous vectors, nq of them; np 0: they are not. */
    wf_pass_args contiguous;
} abreast;

/* Rows of a group: its tile, or user memory itself. */
typedef struct rows {
    void *at;
    ptrdiff_t leg;
} rows;

static bool is_direct(const lanes *l, const wf_lanes *user)
{
    return user->next == 1 && user->count == l->width;
}

static rows rows_of(const lanes *l, const void *user, const wf_lanes *lanes,
                    char *tile)
{
    if (is_direct(l, lanes)) /* written only where it is an output */
        return (rows){(void *)(uintptr_t)user, lanes->leg};
    return (rows){tile, (ptrdiff_t)l->width};
}

/* The last row first. */
static rows mirror(const lanes *l, rows r)
{
    ptrdiff_t last = (ptrdiff_t)(l->n - 1) * r.leg;
    return (rows){wf_to(r.at, last, l->node.bytes), -r.leg};
}

/* Their input, brought to a tile if need be; sine transforms of types III and
 * IV read it in reverse. */
static rows fetch(const lanes *l, const void *in, const wf_lanes *from,
                  char *tile, bool mirrored)
{
    rows r = rows_of(l, in, from, tile);
    if (!is_direct(l, from))
        WF_MOVE(&l->mover, lanes_in, (void *)tile, in, from);
    return mirrored ? mirror(l, r) : r;
}

/* ---- lanes: a kernel ----------------------------------------------------- */

/* even, odd, first: see kinds.def. */
static weft_status make_scales(const wf_binder *binder, const wf_step *step,
                               const wf_usage *usage, lanes *l)
{
    bool third = wf_kind_is_type(step->real, WEFT_REDFT01);
    double scale = 2 * usage->scale, first = third ? 0.5 : 1;
    void *table = wf_node_table(&l->node, 3);
    if (table == NULL)
        return wf_no_memory();
    wf_table_set(binder->real, table, 0, scale);
    wf_table_set(binder->real, table, 1, l->sine ? -scale : scale);
    wf_table_set(binder->real, table, 2, usage->ortho ? sqrt(0.5) : first);
    return WEFT_OK;
}

static void call_kernel(const lanes *l, rows in, rows out)
{
    wf_pass_args args = {
        .np = 1, .nq = 1, .in_leg = in.leg, .out_leg = out.leg};
    wf_call_pass(l->kernel, in.at, NULL, out.at, NULL, l->node.table[0],
                 &args);
}

/* A sine transform has its output of type II, its input of the others in
 * reverse. */
static void run_kernel(const lanes *l, const void *in, const wf_lanes *from,
                       void *out, const wf_lanes *to, char *scratch)
{
    bool second = l->kernel->kind == WF_KERNEL_COSINE2;
    rows x = fetch(l, in, from, scratch, l->sine && !second);
    rows y = rows_of(l, out, to, scratch);
    call_kernel(l, x, l->sine && second ? mirror(l, y) : y);
    if (!is_direct(l, to))
        WF_MOVE(&l->mover, lanes_out, out, (const void *)scratch, to);
}

static void run_one(const wf_node *node, const wf_samples *at, char *scratch)
{
    const lanes *l = (const lanes *)node;
    (void)scratch;
    wf_call_pass(l->kernel, wf_at(at->in_re, l->in_first, node->bytes), NULL,
                 wf_to(at->out_re, l->out_first, node->bytes), NULL,
                 node->table[0], &l->one);
}

static lanes *new_lanes(const wf_binder *binder, const wf_step *step)
{
    lanes *l = (lanes *)wf_node_new(binder, sizeof *l, run_one);
    if (l != NULL) {
        l->n = (size_t)step->n;
        l->width = (size_t)step->width;
        l->sine = wf_r2r_is_sine(step->real);
        l->mover = wf_mover_of_isa(binder->real,
                                   wf_isa_of_width(binder->real, step->width));
        l->tile = wf_round64(l->n * l->width * binder->bytes);
    }
    return l;
}

static const wf_kernel *kernel_of(const wf_binder *binder, const wf_step *step,
                                  wf_kernel_kind second)
{
    int type = wf_kind_is_type(step->real, WEFT_REDFT10)   ? 0
               : wf_kind_is_type(step->real, WEFT_REDFT01) ? 1
                                                           : 2;
    return step->n > 128
               ? NULL
               : wf_kernel_of_width((wf_kernel_kind)(second + type),
                                    binder->real, step->width, (int)step->n);
}

weft_status wf_bind_lanes(const wf_binder *binder, const wf_step *step,
                          const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    const wf_kernel *kernel = kernel_of(binder, step, WF_KERNEL_COSINE2);
    if (kernel == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "no kernel for %lld numbers, %d in a vector",
                       (long long)step->n, step->width);
    lanes *l = new_lanes(binder, step);
    if (l == NULL)
        return wf_no_memory();
    ptrdiff_t last = (ptrdiff_t)step->n - 1;
    bool second = kernel->kind == WF_KERNEL_COSINE2;
    l->kernel = kernel;
    if (!l->sine && step->width > 1)
        l->rows = kernel_of(binder, step, WF_KERNEL_ROWS2);
    l->run = run_kernel;
    l->in_first = l->sine && !second ? last : 0;
    l->out_first = l->sine && second ? last : 0;
    l->one = (wf_pass_args){.np = 1,
                            .nq = 1,
                            .in_leg = l->in_first > 0 ? -1 : 1,
                            .out_leg = l->out_first > 0 ? -1 : 1};
    l->node.scratch = l->width == 1 ? 0 : l->tile;
    weft_status status = make_scales(binder, step, usage, l);
    if (status != WEFT_OK) {
        wf_node_free(&l->node);
        return status;
    }
    *node = &l->node;
    return WEFT_OK;
}

/* ---- laned: columns of n/2 between passes -------------------------------- */

/* The columns of a tile of complex rows; where their transforms are. */
static const void *run_columns(const lanes *l, void *tile, char *scratch)
{
    const void *made;
    void *im = wf_to(tile, (ptrdiff_t)l->width, l->node.bytes);
    wf_samples at = {tile, im, NULL, NULL};
    wf_column_run(l->node.child[0], (wf_column_span){(int)l->width, 1}, &at,
                  scratch, &made, NULL);
    return made;
}

/* R2HC, DHT and type II: even elements and then odd ones are the columns. */
static void run_forward(const lanes *l, const void *in, const wf_lanes *from,
                        void *out, const wf_lanes *to, char *scratch)
{
    char *tile = scratch, *result = scratch + l->tile;
    wf_lanes order = *from;
    order.unzipped = l->out.form >= WF_R2R_COSINE;
    order.negate = l->sine;
    WF_MOVE(&l->mover, lanes_in, (void *)tile, in, &order);
    const void *z = run_columns(l, tile, scratch + 2 * l->tile);
    rows y = rows_of(l, out, to, result);
    if (l->sine)
        y = mirror(l, y);
    WF_MOVE(&l->mover, lanes_half_out, y.at, y.leg, z, &l->out);
    if (!is_direct(l, to))
        WF_MOVE(&l->mover, lanes_out, out, (const void *)result, to);
}

/* HC2R and type III. */
static void run_back(const lanes *l, const void *in, const wf_lanes *from,
                     void *out, const wf_lanes *to, char *scratch)
{
    char *tile = scratch, *spectrum = scratch + l->tile;
    rows x = fetch(l, in, from, tile, l->sine);
    WF_MOVE(&l->mover, lanes_half_in, (void *)spectrum, x.at, x.leg, &l->in);
    const void *z = run_columns(l, spectrum, scratch + 2 * l->tile);
    wf_lanes order = *to;
    order.unzipped = l->in.form >= WF_R2R_COSINE;
    order.negate = l->sine;
    WF_MOVE(&l->mover, lanes_out, out, z, &order);
}

/* R2C: as R2HC, whose rows are joined to complex ones. */
static void run_real_forward(const lanes *l, const void *in,
                             const wf_lanes *from, void *out,
                             const wf_lanes *to, char *scratch)
{
    char *tile = scratch, *result = scratch + l->tile;
    const ptrdiff_t width = (ptrdiff_t)l->width;
    WF_MOVE(&l->mover, lanes_in, (void *)tile, in, from);
    const void *z = run_columns(l, tile, scratch + 2 * l->tile);
    WF_MOVE(&l->mover, lanes_half_out, (void *)result, width, z, &l->out);
    WF_MOVE(&l->mover, lanes_join, out, to->leg, (const void *)result, l->n,
            to->count);
}

/* C2R. */
static void run_real_back(const lanes *l, const void *in, const wf_lanes *from,
                          void *out, const wf_lanes *to, char *scratch)
{
    char *tile = scratch, *spectrum = scratch + l->tile;
    const ptrdiff_t width = (ptrdiff_t)l->width;
    WF_MOVE(&l->mover, lanes_part, (void *)tile, in, from->leg, l->n,
            from->count);
    WF_MOVE(&l->mover, lanes_half_in, (void *)spectrum, (const void *)tile,
            width, &l->in);
    const void *z = run_columns(l, spectrum, scratch + 2 * l->tile);
    WF_MOVE(&l->mover, lanes_out, out, z, to);
}

static void run_quarter(const lanes *l, const void *in, const wf_lanes *from,
                        void *out, const wf_lanes *to, char *scratch)
{
    char *tile = scratch, *columns = scratch + l->tile;
    rows x = fetch(l, in, from, tile, l->sine);
    WF_MOVE(&l->mover, lanes_quarter_in, (void *)columns, x.at, x.leg, &l->in);
    const void *z = run_columns(l, columns, scratch + 2 * l->tile);
    rows y = rows_of(l, out, to, tile);
    WF_MOVE(&l->mover, lanes_quarter_out, y.at, y.leg, z, &l->out);
    if (!is_direct(l, to))
        WF_MOVE(&l->mover, lanes_out, out, (const void *)tile, to);
}

static bool is_back(weft_kind kind)
{
    return kind == WEFT_HC2R || wf_kind_is_type(kind, WEFT_REDFT01);
}

static bool is_quarter(weft_kind kind)
{
    return wf_kind_is_type(kind, WEFT_REDFT11);
}

/* The real kind whose passes it has. */
static weft_kind kind_of(const wf_binder *binder, const wf_step *step)
{
    if (step->kind != WF_STEP_REAL_LANED)
        return step->real;
    return binder->inverse ? WEFT_HC2R : WEFT_R2HC;
}

static weft_status bind_laned(const wf_binder *binder, const wf_step *laned,
                              const wf_usage *usage, wf_node **node)
{
    wf_step like = *laned; /* its children stay where they are */
    const wf_step *step = &like;
    const bool real = laned->kind == WF_STEP_REAL_LANED;
    like.real = kind_of(binder, laned);
    const bool quarter = is_quarter(step->real);
    const bool back = is_back(step->real);
    *node = NULL;
    if (step->width != wf_cpu_widths(binder->type)[0])
        return wf_fail(WEFT_ERR_ARGUMENT, "laned w%d: not the lanes there are",
                       step->width);
    lanes *l = new_lanes(binder, step);
    if (l == NULL)
        return wf_no_memory();
    l->run = quarter ? run_quarter
             : real  ? (back ? run_real_back : run_real_forward)
             : back  ? run_back
                     : run_forward;
    wf_binder below = *binder;
    below.inverse = back;
    wf_node *child;
    weft_status status = wf_bind_column(&below, step->child[0], WF_END_SPLIT,
                                        2 * step->width, WF_END_BLOCK, 0, 1,
                                        &child);
    if (status == WEFT_OK) {
        wf_node_adopt(&l->node, child);
        l->node.scratch = 2 * l->tile + child->scratch;
        status = quarter
                     ? wf_r2r_quarter_pass(binder, &l->node, step, 1, &l->in)
                     : wf_r2r_halved_pass(binder, &l->node, step, usage, back,
                                          back ? &l->in : &l->out);
    }
    if (status == WEFT_OK && quarter)
        status = wf_r2r_quarter_pass(binder, &l->node, step, 2 * usage->scale,
                                     &l->out);
    if (status != WEFT_OK) {
        wf_node_free(&l->node);
        return status;
    }
    *node = &l->node;
    return WEFT_OK;
}

/* ---- The axis ------------------------------------------------------------ */

/* One side of neighbours `next` apart, their numbers `leg`. */
typedef struct grid {
    void *at;
    ptrdiff_t leg, next;
} grid;

/* `count` neighbours on. */
static void advance(grid *g, int64_t count, size_t bytes)
{
    g->at = wf_to(g->at, count * g->next, bytes);
}

/* A share of the rows of what comes `piece` bytes on, for the group of neighbours
 * from `done` on: all groups of a piece fetch all rows of the next. */
static inline __attribute__((always_inline)) void fetch_next(const abreast *a,
                                                             const lanes *l,
                                                             const grid *in,
                                                             int64_t done)
{
    const size_t bytes = l->node.bytes;
    const int64_t groups = (int64_t)(a->piece / (l->width * bytes));
    const int64_t part = done / (int64_t)l->width % groups;
    const wf_range rows = wf_cut((int64_t)l->n, part, groups);
    const char *at = wf_at(in->at, done - part * (int64_t)l->width, bytes);
    for (int64_t k = rows.begin; k < rows.end; k++)
        wf_fetch(at + a->piece + k * in->leg * (ptrdiff_t)bytes, a->piece);
}

/* A group after the other.  By pointers: copies would be read whole just after
 * they are written in parts, which takes 10 ns. */
static void run_groups(const abreast *a, const lanes *l, const grid *in,
                       const grid *out, int64_t count, char *scratch)
{
    wf_lanes from = {.leg = in->leg, .next = in->next, .n = l->n};
    wf_lanes to = {.leg = out->leg, .next = out->next, .n = l->n};
    for (int64_t done = 0; done < count; done += (int64_t)l->width) {
        const size_t left = (size_t)(count - done);
        from.count = to.count = left < l->width ? left : l->width;
        if (a->piece > 0)
            fetch_next(a, l, in, done);
        l->run(l, wf_at(in->at, done * in->next, l->node.bytes), &from,
               wf_to(out->at, done * out->next, l->node.bytes), &to, scratch);
    }
}

/* Rows of `count` reals to scratch. */
static grid bring(const abreast *a, const lanes *l, const grid *in,
                  int64_t count, char *scratch)
{
    const size_t bytes = l->node.bytes;
    const grid rows = {scratch, a->together, 1};
    for (ptrdiff_t k = 0; k < (ptrdiff_t)l->n; k++)
        memcpy(wf_to(scratch, k * rows.leg, bytes),
               wf_at(in->at, k * in->leg, bytes), (size_t)count * bytes);
    return rows;
}

/* Groups to a matrix, and from there rows of all of them. */
static void run_together(const abreast *a, const lanes *l, const grid *in,
                         const grid *out, int64_t count, char *scratch)
{
    const size_t bytes = l->node.bytes;
    const grid from = a->brought > 0 ? bring(a, l, in, count, scratch) : *in;
    scratch += a->brought;
    const grid matrix = {scratch, a->unit * a->together, a->unit};
    const size_t row = (size_t)(a->unit * count) * bytes;
    run_groups(a, l, &from, &matrix, count, scratch + a->matrix);
    for (int64_t k = 0; k < a->rows; k++) {
        void *to = wf_to(out->at, k * out->leg, bytes);
        const void *made = wf_at(scratch, k * matrix.leg, bytes);
        if (a->past)
            WF_MOVE(&l->mover, stream, to, made, row / bytes);
        else
            memcpy(to, made, row);
    }
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const abreast *a = (const abreast *)walker;
    const lanes *l = (const lanes *)walker->node.child[0];
    const size_t bytes = walker->node.bytes;
    grid in = {(void *)(uintptr_t)at->in_re, a->is, walker->inner.is};
    grid out = {at->out_re, a->os, walker->inner.os};
    if (a->contiguous.np > 0) {
        wf_pass_args args = a->contiguous;
        args.nq = (size_t)count / l->width;
        const int64_t done = (int64_t)(args.nq * l->width);
        wf_call_pass(l->rows, in.at, NULL, out.at, NULL, l->node.table[0],
                     &args);
        advance(&in, done, bytes);
        advance(&out, done, bytes);
        count -= done;
    }
    if (a->matrix == 0) {
        run_groups(a, l, &in, &out, count, scratch);
        return;
    }
    for (int64_t many; count > 0; count -= many) {
        many = count < a->together ? count : a->together;
        run_together(a, l, &in, &out, many, scratch);
        advance(&in, many, bytes);
        advance(&out, many, bytes);
    }
    if (a->past)
        wf_hand_settle();
}

/* Whole groups in one block. */
static void run_plain(const void *what, const void *in, void *out)
{
    const abreast *a = what;
    const lanes *l = (const lanes *)a->walker.node.child[0];
    wf_call_pass(l->rows, in, NULL, out, NULL, l->node.table[0],
                 &a->contiguous);
}

static void set_contiguous(abreast *a, const lanes *l)
{
    const wf_loop *inner = &a->walker.inner;
    if (l->rows == NULL || a->is != 1 || a->os != 1)
        return;
    a->contiguous = (wf_pass_args){.np = 1,
                                   .nq = (size_t)inner->n / l->width,
                                   .in_q = inner->is,
                                   .out_q = inner->os};
    if ((size_t)inner->n % l->width == 0)
        wf_walker_set_plain(&a->walker, run_plain);
}

/* The output of so many vectors is written together, by way of the matrix. */
static void set_together(abreast *a, int64_t vectors, size_t bytes)
{
    a->together = vectors;
    a->matrix = wf_round64((size_t)(a->rows * vectors * a->unit) * bytes);
}

/* Rows of output are written together where more of them share a set of the first
 * cache than it has ways.  Halved kinds write two rows at a time, and those of
 * spectra are two lines. */
static void size_matrix(abreast *a, const wf_binder *binder,
                        const wf_step *step)
{
    enum { MEET = 2 * 12 * 4096 / 8, LEAST = 128 };
    const wf_loop *inner = &a->walker.inner;
    const weft_kind kind = kind_of(binder, step);
    const bool spectra = step->kind == WF_STEP_REAL_LANED && !is_back(kind);
    const bool paired = is_back(kind) || is_quarter(kind);
    const size_t piece = wf_row_piece(a->os * (ptrdiff_t)binder->bytes);
    a->unit = spectra ? 2 : 1;
    a->rows = spectra ? step->n / 2 + 1 : step->n;
    a->together = step->width;
    int64_t most = (int64_t)(piece / binder->bytes) / a->unit;
    most = (most < inner->n ? most : inner->n) / step->width * step->width;
    if (inner->os != a->unit || most <= step->width ||
        piece < (spectra  ? 4
                 : paired ? 2
                          : 1) *
                    (size_t)LEAST ||
        (size_t)a->rows * piece <= (is_back(kind) ? 2 * MEET : MEET))
        return;
    set_together(a, most, binder->bytes);
}

/* What memory must bring: pieces of far rows rather than a line of each, by way of
 * scratch that caches hold.  In place lines are written soon after they are read;
 * there kinds gain whose input is sorted on its way (Zen 5). */
static bool set_pieces(abreast *a, const wf_binder *binder,
                       const wf_axis *axis)
{
    enum { MOST = 1 << 21, IN_PLACE = 256 };
    const wf_step *step = axis->step->child[0];
    const size_t bytes = binder->bytes, width = (size_t)step->width;
    const wf_loop *inner = &a->walker.inner;
    const int64_t n = step->n, numbers = axis->walk.count * n;
    const weft_kind kind = kind_of(binder, step);
    size_t piece = wf_streaming_here().abreast;
    while (piece > WF_LINE && piece * (size_t)a->rows > MOST)
        piece /= 2;
    const size_t most = piece / bytes / (size_t)a->unit / width * width;
    if (inner->os != a->unit || most <= width || (int64_t)most > inner->n ||
        !wf_stream_pays(numbers - numbers / 3, bytes) ||
        (axis->usage.in_place &&
         (piece < IN_PLACE || is_back(kind) || is_quarter(kind))))
        return false;
    a->past = !axis->usage.in_place;
    set_together(a, (int64_t)most, bytes);
    if (inner->is == 1)
        a->brought = wf_round64((size_t)(n * a->together) * bytes);
    return true;
}

/* Neighbours of far rows: a cache line of each comes from memory half as fast as
 * four, which together stay in the second cache until they are used. */
static size_t piece_of(const abreast *a, const lanes *l)
{
    enum { PIECE = 256, PIECES = 1 << 19 };
    const size_t bytes = l->node.bytes, line = l->width * bytes;
    const wf_streaming here = wf_streaming_here();
    if (a->walker.inner.is != 1 || here.rows == 0 ||
        a->is * (ptrdiff_t)(l->n * bytes) <= (ptrdiff_t)here.reach)
        return 0;
    size_t piece = PIECE;
    while (piece > line && piece * l->n > PIECES)
        piece /= 2;
    return piece;
}

weft_status wf_bind_abreast(const wf_binder *binder, const wf_axis *axis,
                            wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    *node = NULL;
    abreast *a = (abreast *)wf_node_new(binder, sizeof *a, wf_walker_run);
    if (a == NULL)
        return wf_no_memory();
    int taken = wf_walk_abreast(&axis->walk, step->width);
    wf_axis_split_loops(&axis->walk, taken, &a->walker.outer,
                        &a->walker.inner);
    a->is = axis->walk.in_scalars * (ptrdiff_t)axis->walk.axis.is;
    a->os = axis->walk.out_scalars * (ptrdiff_t)axis->walk.axis.os;
    a->walker.run_block = run_block;
    a->walker.threads = binder->threads;
    size_matrix(a, binder, step);
    const bool pieces = set_pieces(a, binder, axis);
    int64_t groups = (a->walker.inner.n + a->together - 1) / a->together;
    int64_t share = groups / (4 * (int64_t)binder->threads);
    wf_walker_cut(&a->walker, (binder->threads <= 1 ? groups
                               : share < 1          ? 1
                                                    : share) *
                                  a->together);
    wf_node *child;
    weft_status status = (step->kind == WF_STEP_LANES
                              ? wf_bind_lanes
                              : bind_laned)(binder, step, &axis->usage,
                                            &child);
    if (status != WEFT_OK) {
        wf_node_free(&a->walker.node);
        return status;
    }
    a->piece = pieces ? 0 : piece_of(a, (const lanes *)child);
    wf_walker_finish(&a->walker, child,
                     a->brought + a->matrix + child->scratch);
    if (step->kind == WF_STEP_LANES)
        set_contiguous(a, (const lanes *)child);
    *node = &a->walker.node;
    return WEFT_OK;
}
