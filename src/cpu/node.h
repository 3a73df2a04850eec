/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.h - a step bound to kernels, tables and offsets.
 *
 * Binding decides everything that can be decided; running a node only adds
 * offsets and calls kernels.  A node is immutable once bound: what a run
 * needs to write to it takes from the scratch it is handed.
 *
 * Pointers are untyped and offsets count scalars; `bytes` is the size of one.
 * Interleaved samples have im == re (kernels of I formats do not read im).
 */
#ifndef WEFT_CPU_NODE_H
#define WEFT_CPU_NODE_H

#include "cpu/cpu.h"
#include "kernel/hand/hand.h"
#include "kernel/kernel.h"
#include "num/num.h"

typedef struct wf_node wf_node;

/* Where the samples of one transform are. */
typedef struct wf_samples {
    const void *in_re, *in_im;
    void *out_re, *out_im;
} wf_samples;

typedef void wf_run(const wf_node *node, const wf_samples *at, char *scratch);
/* The same of `count` transforms of unit stride, is and os scalars apart. */
typedef void wf_run_many(const wf_node *node, const wf_samples *at,
                         ptrdiff_t is, ptrdiff_t os, int64_t count,
                         char *scratch);

enum { WF_NODE_CHILDREN = WEFT_MAX_RANK + 2, WF_NODE_TABLES = 34 };

/* First member of every bound step. */
struct wf_node {
    wf_run *run;
    wf_run_many *many; /* of several; NULL: by run, one after the other */
    wf_plain plain;    /* another way, where it has one, */
    wf_plain_split plain_split; /* of split samples */
    wf_real real;
    size_t bytes;   /* of one scalar */
    size_t scratch; /* bytes run may use, 64-byte aligned, a multiple of 64 */
    int children, tables;
    wf_node *child[WF_NODE_CHILDREN];
    void *table[WF_NODE_TABLES];
    size_t table_bytes; /* of this node alone */
};

/* What every binding of one program has in common. */
typedef struct wf_binder {
    weft_type type;
    wf_real real;
    size_t bytes;
    bool inverse;
    bool far;   /* rows of the first axis are in memory, */
    bool ahead; /* and worth fetching */
    int threads;
} wf_binder;

/* How one transform of unit stride is to be bound. */
typedef struct wf_usage {
    bool in_place; /* in and out are the same memory */
    bool split;
    double scale; /* 1 unless the step carries it */
    bool ortho;   /* real kinds: end elements are scaled as weft.h says */
    bool hartley; /* R2C of odd n: Re X[k] - Im X[k], k < n, is the output */
    /* Complex, of steps that wf_step_zips: the input, inverse the output, is in
     * the order of zipped.h; negate: with odd elements negative; planes, of
     * wf_step_zips_planes: the other one is in planes.  Where the im of any
     * other output would be there is room for as many samples.  half: inverse and
     * zipped, of wf_step_takes_half: the input is reals that this pass is to go over
     * before, with a row of factors for each of trip 1, and the room is a row longer. */
    bool zipped, negate, planes;
    const wf_r2r_pass *half;
    bool far;  /* many of them, one after the other, from and to memory */
    bool lone; /* one: what it has just stored is still on its way */
} wf_usage;

/* All binders: NULL in *node and a status on failure. */
typedef weft_status wf_bind(const wf_binder *binder, const wf_step *step,
                            const wf_usage *usage, wf_node **node);

/* lower.c: the binder of a transform step's kind. */
wf_bind wf_bind_transform;
wf_bind wf_bind_leaf, wf_bind_stockham, wf_bind_interleaved, wf_bind_twostep,
    wf_bind_decimated, wf_bind_fourstep, wf_bind_sixstep, wf_bind_scrambled,
    wf_bind_good, wf_bind_rader, wf_bind_bluestein;
/* real.c: one real vector, unit stride on both sides; the binder's sign says
 * which side.  Inverse transforms leave their input alone, out of place. */
wf_bind wf_bind_real_leaf, wf_bind_real_tiny, wf_bind_half, wf_bind_full;
/* real_passes.c, real_odd.c, real_decimated.c: the same of odd n. */
wf_bind wf_bind_real_passes, wf_bind_direct, wf_bind_real_split,
    wf_bind_real_decimated, wf_bind_real_rader;
/* C2R of odd n by a binder of R2C that knows usage->hartley. */
weft_status wf_bind_turned(const wf_binder *binder, const wf_step *step,
                           const wf_usage *usage, wf_bind *forward,
                           wf_node **node);
/* r2r.c: one vector of a real kind, unit stride, in place or not. */
wf_bind wf_bind_halved, wf_bind_spectral, wf_bind_period, wf_bind_folded;
/* alone.c: the same by one kernel. */
wf_bind wf_bind_alone;
/* dense.c: the same of a few numbers. */
wf_bind wf_bind_dense;
/* lanes.c: one by a kernel; several side by side: wf_bind_abreast (axis.h). */
wf_bind wf_bind_lanes;

/* An axis step of the problem; scale as in wf_usage. */
struct wf_course; /* plan/search.h */
weft_status wf_bind_axis(const wf_binder *binder,
                         const struct wf_course *course, const wf_step *step,
                         bool first, double scale, wf_node **node);
/* program.c: a whole problem's tree. */
weft_status wf_bind_sequence(const wf_binder *binder,
                             const wf_problem *problem, const wf_step *tree,
                             wf_node **node);
/* overlaid.c: C2R by the axes of a rank step, of which `carrier` multiplies by the
 * scale, without packed scratch for all; where that can be. */
bool wf_is_overlaid(const wf_problem *problem, const wf_step *rank);
weft_status wf_bind_overlaid(const wf_binder *binder,
                             const wf_problem *problem, const wf_step *rank,
                             int carrier, wf_node **node);
/* sliced.c: a batch's, in slices. */
weft_status wf_bind_sliced(const wf_binder *binder, const wf_problem *problem,
                           const wf_step *step, wf_node **node);
/* scaled.c: the output of a complex transform, which is taken, times the scale. */
weft_status wf_bind_scaled(const wf_binder *binder, int64_t n, double scale,
                           wf_node *child, wf_node **node);
/* once.c: a whole problem of a few numbers. */
weft_status wf_bind_once(const wf_binder *binder, const wf_problem *problem,
                         wf_node **node);

static inline void wf_node_plain(const wf_node *node, const void *in,
                                 void *out)
{
    node->plain.run(node->plain.what, in, out);
}

/* What runs a node that has no other way than its plain one. */
wf_run wf_node_run_plain;

/* node.c: life of nodes. */
wf_node *wf_node_new(const wf_binder *binder, size_t size, wf_run *run);
void wf_node_free(wf_node *node); /* the whole tree */
void *wf_node_table(wf_node *node,
                    size_t scalars); /* owned; NULL: no memory */
uint32_t *wf_node_index_table(wf_node *node, int64_t count);
void wf_node_adopt(wf_node *node, wf_node *child);
/* To what any of the children takes, behind `own` bytes. */
void wf_node_grow_scratch(wf_node *node, size_t own);
weft_status wf_no_memory(void);
size_t wf_node_table_bytes(const wf_node *node); /* with children */

/* node.c: kernels by width. */
const wf_kernel *wf_kernel_of_width(wf_kernel_kind kind, wf_real real,
                                    int width, int radix);
wf_isa wf_isa_of_width(wf_real real, int width);
/* Leaves choose their own registers: of all widths the best, or NULL.  far: for
 * a usage that is. */
const wf_kernel *wf_kernel_of_leaf(wf_kernel_kind kind, weft_type type, int n,
                                   bool far);
/* Bits of the registers of one transform of a leaf, and of one of WF_ROLE_ALONE. */
int wf_leaf_bits(const wf_kernel *leaf);
const int *wf_cpu_widths(weft_type type);

/* As integers: tables and planes that a step does not have are NULL, and NULL
 * plus zero is not defined for pointers. */
static inline const void *wf_at(const void *p, ptrdiff_t scalars, size_t bytes)
{
    return (const void *)((uintptr_t)p + (uintptr_t)scalars * bytes);
}

static inline void *wf_to(void *p, ptrdiff_t scalars, size_t bytes)
{
    return (void *)((uintptr_t)p + (uintptr_t)scalars * bytes);
}

/* Lines into the second cache, to be read there.  Inlined, and so is what only
 * calls it: gcc deletes calls of functions that do nothing but prefetch. */
static inline __attribute__((always_inline)) void wf_fetch(const char *from,
                                                           size_t bytes)
{
    const char *end = from + bytes;
    for (from -= (uintptr_t)from % WF_LINE; from < end; from += WF_LINE)
        __builtin_prefetch(from, 0, 2);
}

/* Lines into the first cache, to be written by vectors across two of them, each of
 * which waits for both: before a pass that reads none of them.  The few lines of a
 * tile's rows have a loop of their own (copies.c), which by this one takes 1.04. */
static inline __attribute__((always_inline)) void wf_claim(char *to,
                                                           size_t bytes)
{
    for (size_t i = 0; i < bytes; i += WF_LINE)
        __builtin_prefetch(to + i, 1, 3);
}

/* Of an output of `bytes`, all where it is worth it: the first cache loses it to input,
 * scratch and two vectors of factors for one of numbers, but would hold it, and vectors
 * are lines.  Emerald Rapids, c2c:f64 by two passes, before over after: 630 0.96, 675
 * 1.05, 945 1.16; of AVX2's 675 0.88, 945 0.86. */
size_t wf_bytes_to_claim(size_t bytes, size_t vector);

/* Samples in front of the first that begins a line; 0: where none does, too. */
static inline int64_t wf_before_line(const void *at, size_t sample)
{
    const size_t left = -(uintptr_t)at % WF_LINE;
    return left % sample == 0 ? (int64_t)(left / sample) : 0;
}

static inline size_t wf_round64(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Scratch that begins half a page beside `data`, up to a page on: a load waits for a
 * store under way whose address ends as its own does, and evicts lines of its sets. */
static inline char *wf_beside(char *scratch, const void *data)
{
    const uintptr_t apart = (uintptr_t)data + WF_PAGE / 2 - (uintptr_t)scratch;
    return scratch + (apart & (WF_PAGE - 64));
}

/* r legs of a pass, so many scalars apart: the inverse reads them in reverse
 * (kernel/pass.h). */
static inline void wf_set_legs(wf_pass_args *args, bool inverse, ptrdiff_t leg,
                               int r)
{
    args->in_base = inverse ? r * leg : 0;
    args->in_leg = inverse ? -leg : leg;
}

static inline void wf_call_pass(const wf_kernel *kernel, const void *in_re,
                                const void *in_im, void *out_re, void *out_im,
                                const void *tw, const wf_pass_args *args)
{
    if (kernel->real == WF_F64)
        kernel->run.pass_f64(in_re, in_im, out_re, out_im, tw, args);
    else
        kernel->run.pass_f32(in_re, in_im, out_re, out_im, tw, args);
}

/* ---- interleaved.c: a few columns, whose rows are `stride` complex apart, to as many
 * that are contiguous. */
weft_status wf_bind_beside(const wf_binder *binder, const wf_step *step,
                           int64_t columns, int64_t stride, bool in_place,
                           wf_node **node);

/* ---- leaf.c: many transforms in one call of the kernel ------------------- */
bool wf_node_is_leaf(const wf_node *node);
/* The call that is all of a node, and of rows of leaves; else its run is NULL. */
wf_leaf_call wf_leaf_of(const wf_node *node);
wf_leaf_call wf_rows_leaf(const wf_node *node);
/* Up to so many transforms go into the lanes of vectors and what is left one by
 * one, in another order of operations: blocks of a multiple of it make the same
 * groups for any number of threads. */
enum { WF_LEAF_LANES = 16 };
/* Transforms whose output takes at most so many bytes: whole multiples of those, if
 * there are as many. */
static inline int64_t wf_leaf_group(size_t bytes, size_t row_bytes)
{
    const int64_t fit = (int64_t)(bytes / row_bytes);
    return fit < 1               ? 1
           : fit < WF_LEAF_LANES ? fit
                                 : fit / WF_LEAF_LANES * WF_LEAF_LANES;
}
/* Transforms of rows that several passes go over, each over all of them before the
 * next: as many as take so many bytes, a power of two, so that the leaf among the
 * passes has the same groups for any number of threads. */
static inline int64_t wf_several(size_t bytes, size_t row_bytes)
{
    int64_t several = WF_LEAF_LANES;
    while (several > 1 && (size_t)several * row_bytes > bytes)
        several /= 2;
    return several;
}
void wf_leaf_run_many(const wf_node *node, const void *in, void *out,
                      size_t count, ptrdiff_t in_dist, ptrdiff_t out_dist);

/* ---- within.c: the same of more lengths, by two kernels ------------------ */
typedef struct wf_pair {
    const wf_kernel *first, *last;
} wf_pair;
/* Is a leaf of n two kernels, those of the widest registers, rather than `leaf`,
 * the one that there is, or NULL? */
bool wf_leaf_is_pair(const wf_kernel *leaf, weft_type type, int64_t n,
                     wf_pair *pair);
/* How many blocks either does; what both do, as if they were one leaf. */
void wf_pair_blocks(const wf_pair *pair, int *columns, int *rows);
wf_kernel wf_pair_count(const wf_pair *pair);
weft_status wf_bind_within(const wf_binder *binder, const wf_pair *pair,
                           const wf_usage *usage, wf_node **node);

/* ---- tables.c: twiddles in the layouts of kernel.h ----------------------- */

/* exp(-+ 2 pi i k/n) for k = 0..n-1, interleaved doubles; NULL: no memory. */
typedef struct wf_roots_table {
    int64_t n;
    double *re_im;
} wf_roots_table;
weft_status wf_roots_make(int64_t n, bool inverse, wf_roots_table *roots);
void wf_roots_drop(wf_roots_table *roots);

/* Half of that circle, of which the others are conjugates; turn: -1 for the
 * conjugates of all, which a forward transform has. */
typedef struct wf_half_circle {
    int64_t n;
    double turn;
    const double *re_im;
} wf_half_circle;
/* In so many bytes at re_im.  False: no memory. */
size_t wf_half_circle_bytes(int64_t n);
bool wf_half_circle_make(int64_t n, bool inverse, double *re_im,
                         wf_half_circle *roots);
/* Root k, 0 <= k < n. */
static inline void wf_half_circle_read(const wf_half_circle *roots, int64_t k,
                                       double *re, double *im)
{
    const bool mirrored = k > roots->n / 2;
    const double *w = &roots->re_im[2 * (mirrored ? roots->n - k : k)];
    *re = w[0];
    *im = mirrored ? -roots->turn * w[1] : roots->turn * w[1];
}

/* The quickest loop for lists of roots. */
wf_turn *wf_turn_best(void);

/* Broadcast twiddles (B) of a pass: s entries of 2(r-1) scalars. */
void wf_table_broadcast(wf_real real, const wf_roots_table *roots, int64_t s,
                        int r, bool inverse, double scale, void *table);
/* Per-lane twiddles (V) for q < lanes <= s: lanes/width vectors, then one for
 * the last `width` values of q when lanes is not a multiple of width. */
size_t wf_table_lanes_scalars(int64_t lanes, int r, int width);
void wf_table_lanes(wf_real real, const wf_roots_table *roots, int64_t s,
                    int64_t lanes, int r, int width, bool inverse,
                    double scale, void *table);
/* The factors of a transform of n = R1 R2 within registers (a long leaf's in
 * kernel/pass.h); reversed: leg j is element R2 - j; alike: a vector is of one row;
 * beside > 1: each row is that of so many transforms.  roots: NULL, or those of a
 * multiple of n. */
typedef struct wf_turns {
    wf_real real;
    int lanes, r1, r2, beside;
    bool reversed, alike;
    wf_turns_form form;
    const wf_roots_table *roots;
} wf_turns;
weft_status wf_bind_turns(wf_node *node, const wf_turns *turns, bool inverse,
                          const void **table);

static inline void wf_table_set(wf_real real, void *table, int64_t index,
                                double value)
{
    if (real == WF_F64)
        ((double *)table)[index] = value;
    else
        ((float *)table)[index] = (float)value;
}
static inline double wf_table_get(wf_real real, const void *table,
                                  int64_t index)
{
    return real == WF_F64 ? ((const double *)table)[index]
                          : (double)((const float *)table)[index];
}
/* Complex number k of a table of them. */
static inline void wf_table_put(wf_real real, void *table, int64_t k,
                                double re, double im)
{
    wf_table_set(real, table, 2 * k, re);
    wf_table_set(real, table, 2 * k + 1, im);
}

/* ---- column.c: blocks of neighbouring columns ---------------------------- */

/* Formats of a column transform's two ends. */
typedef enum wf_column_end {
    WF_END_INTERLEAVED, /* rows `stride` complex apart in user memory */
    WF_END_SPLIT,       /* rows `stride` reals apart in two planes */
    WF_END_BLOCK,       /* packed rows of 2*width scalars: re, then im */
    WF_END_ZIPPED,  /* as INTERLEAVED, in the order of zipped.h; rows are */
    WF_END_NEGATED, /* twice as long and half as many.  Odd ones negative */
    WF_END_HALVED /* read only: half_in of reals, rows `stride` reals apart */
} wf_column_end;

typedef struct wf_column wf_column; /* a wf_node underneath */
weft_status wf_bind_column(const wf_binder *binder, const wf_step *step,
                           wf_column_end in_end, int64_t in_stride,
                           wf_column_end out_end, int64_t out_stride,
                           double scale, wf_node **node);
/* After binding, of WF_END_HALVED: the pass, with rows; it stays the caller's. */
void wf_column_halve(wf_node *node, const wf_r2r_pass *half);
/* After binding: the output is not the input and more than the caches hold, so
 * that far columns had better be written past them.  wf_column_settle: what
 * this thread has written is visible to whom it tells so. */
void wf_column_past(wf_node *node);
/* After binding: blocks of wf_column_run_units may begin where cache lines do. */
void wf_column_align(wf_node *node);
void wf_column_settle(const wf_node *node);
/* Columns that one run takes: `blocks` blocks of `width` neighbours. */
enum { WF_MAX_SPAN = 16 };
typedef struct wf_column_span {
    int width, blocks;
} wf_column_span;

/* The largest span within `columns` > 0.  Where one end is zipped, half of a span
 * are columns from the front, which begin at re, and half their mirror images,
 * which begin at im; on both sides.  Of WF_END_HALVED mirror images are those of
 * column 0, and column 0 of those of im; a span of one block is from the front. */
wf_column_span wf_column_next(const wf_node *node, int64_t columns);
/* Transforms a span.  With WF_END_BLOCK the input is one block that the output
 * is not, at->out_re is ignored and rows[b] is
 * where block b lies in scratch; otherwise rows may be NULL, and the rows of
 * another span, at `next`, are fetched meanwhile (NULL: none). */
void wf_column_run(const wf_node *node, wf_column_span span,
                   const wf_samples *at, char *scratch, const void **rows,
                   const wf_samples *next);

/* Rows of far columns that are still to be fetched; none of near ones. */
typedef struct wf_column_ahead {
    const char *row, *second; /* taken in turns */
    ptrdiff_t dist;           /* bytes from one to the next but one */
    size_t bytes;             /* of a row */
    int64_t left;             /* rows, in so many planes */
    int planes;
} wf_column_ahead;

wf_column_ahead wf_column_look_ahead(const wf_node *node, wf_column_span span,
                                     const wf_samples *next);
static inline __attribute__((always_inline)) void wf_column_fetch(
    wf_column_ahead *a, int64_t rows)
{
    for (rows *= a->planes; rows > 0 && a->left > 0; rows--, a->left--) {
        const char *row = a->row;
        wf_fetch(row, a->bytes);
        a->row = a->second;
        a->second = row + a->dist;
    }
}

static inline int wf_column_count(wf_column_span span)
{
    return span.width * span.blocks;
}

/* Columns of a unit of work for threads: the least that fills the widest vectors,
 * so that few columns are cut, too, within what would be one span. */
int64_t wf_column_unit(const wf_node *node);
int64_t wf_column_units(const wf_node *node, int64_t columns);
/* Of `columns` interleaved neighbours, the span after the first `first` of them;
 * to the same columns of the output. */
wf_samples wf_column_at(const wf_node *node, const wf_samples *at,
                        int64_t columns, int64_t first, wf_column_span span);
/* Columns of its narrowest vectors, which are interleaved; 0: it has none. */
int wf_column_part(const wf_node *node);
/* Columns of one pass between rows of memory: all of those of `planes` matrices,
 * is and os scalars apart, by one call of the kernel for each width. */
bool wf_column_is_single(const wf_node *node);
/* Columns of the last vector of a split one, where it is sooner done with some of the
 * one before than what is left of so many by narrower ones; else 0. */
int wf_column_overlap(const wf_node *node, int64_t columns);
/* Such a pass of so many columns in one call of one kernel, of as many matrices;
 * kernel NULL: it takes more.  overlaps: some columns may be made twice, which in
 * place they may not. */
typedef struct wf_column_call {
    const wf_kernel *kernel;
    const void *tw;
    wf_pass_args args;
} wf_column_call;
wf_column_call wf_column_as_call(const wf_node *node, int64_t columns,
                                 int64_t planes, ptrdiff_t is, ptrdiff_t os,
                                 bool overlaps);
void wf_column_run_single(const wf_node *node, const wf_samples *at,
                          int64_t columns, int64_t planes, ptrdiff_t is,
                          ptrdiff_t os);
/* Transforms units begin..end-1 of them. */
void wf_column_run_units(const wf_node *node, const wf_samples *at,
                         char *scratch, int64_t columns, int64_t begin,
                         int64_t end);
/* The same to another array, where columns may be transformed twice: what is left
 * of whole blocks is one more, which begins before its time.  Units are those of
 * the whole blocks. */
int64_t wf_column_units_apart(const wf_node *node, int64_t columns);
void wf_column_run_apart(const wf_node *node, const wf_samples *at,
                         char *scratch, int64_t columns, int64_t begin,
                         int64_t end);

#endif
