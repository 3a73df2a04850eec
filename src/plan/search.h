/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - the dynamic program over lengths that rules propose to.
 *
 * A length is planned once: rules propose trees for it, the cheapest stays in
 * the memo, and larger lengths copy it.  Children are asked for through
 * wf_search_row and wf_search_column; lengths only shrink on the way down
 * (Bluestein's m grows, but is smooth, and smooth lengths never ask for a
 * convolution), so the recursion ends.
 */
#ifndef WEFT_PLAN_SEARCH_H
#define WEFT_PLAN_SEARCH_H

#include "plan/planner.h"

/* What a length is planned for: rows and columns of a complex transform, a
 * real one (R2C, C2R), or a real kind: WF_SORT_R2R + kind; columns whose rows are
 * apart: WF_SORT_ROWS_APART + how far. */
enum {
    WF_SORT_ROW,
    WF_SORT_ROW_IN_PLACE,
    WF_SORT_COLUMN,
    WF_SORT_WHOLE_COLUMN,
    WF_SORT_REAL,
    WF_SORT_R2R,
    WF_SORT_ROWS_APART = 1 << 10
};

/* Of a pass, and of interleaved ones, whose kernels have half as much to hold. */
enum {
    WF_LARGEST_RADIX = 32,
    WF_LARGEST_INTERLEAVED = 40,
    WF_LONGEST_REAL_COLUMN = 40
};

typedef struct wf_memo {
    int64_t n;
    int sort;
    wf_step *best; /* NULL: this length cannot be planned */
} wf_memo;

typedef struct wf_search {
    const wf_engine *engine;
    weft_type type;
    const char *rule; /* forced at the root length, else NULL */
    int64_t root;     /* the length `rule` speaks of */
    bool real;        /* the root is a real transform, and so is `rule` */
    bool r2r;         /* it is of a real kind */
    wf_scheme scheme; /* of matrix products */
    bool matrices;    /* the precision has no other rule than matrix */
    bool thorough;    /* more proposals, for measuring to choose from */
    double rate;      /* wf_search_rate's, 0: not asked yet */
    bool in_place;    /* long axes are: c2r has its halves in scratch */
    /* The complex transform of a real one's halves is; c2r's, too, but for what wants
     * room. */
    bool half_in_place;
    bool split; /* the samples are two planes */
    bool far;   /* and come from memory */
    wf_memo *memo;
    int memos, capacity;
    bool no_memory;
} wf_search;

/* Candidates for one length; owns the trees. */
enum { WF_MAX_CANDIDATES = 48 };
typedef struct wf_candidates {
    int count;
    wf_step *tree[WF_MAX_CANDIDATES];
} wf_candidates;

/* A rule: adds its proposals, priced, for one transform of length n. */
typedef void wf_rule(wf_search *search, int64_t n, wf_candidates *candidates);
typedef void wf_r2r_rule(wf_search *search, weft_kind kind, int64_t n,
                         wf_candidates *candidates);
#define WF_RULE(function, name) wf_rule wf_rule_##function;
#define WF_REAL_RULE(function, name) wf_rule wf_rule_##function;
#define WF_R2R_RULE(function, name) wf_r2r_rule wf_rule_##function;
#include "plan/rules.def"
#undef WF_R2R_RULE
#undef WF_REAL_RULE
#undef WF_RULE

/* The engine's price of a pass's kernel; -1 of width 0. */
double wf_search_price(wf_search *search, wf_role role, int width, int radix);
/* The best price a sample and bit: no transform of several passes has a better
 * one on the average of its passes. */
double wf_search_rate(wf_search *search);

/* The best tree for one transform of n, unit stride (borrowed from the memo);
 * NULL when there is none or no memory (then search->no_memory). */
const wf_step *wf_search_row(wf_search *search, int64_t n);
const wf_step *wf_search_row_in_place(wf_search *search, int64_t n);
/* rules/stockham.c: passes from and to two arrays; nothing else goes there without a
 * way round. */
void wf_search_apart(wf_search *search, int64_t n, wf_candidates *candidates);
/* Passes of the widest vectors, none of which are fused, that cost
 * no more than `most`; the caller's, NULL: none. */
wf_step *wf_search_unfused(wf_search *search, int64_t n, double most);
/* The best column tree for n, priced per block of `width` columns; NULL when
 * n has a prime factor without a kernel. */
const wf_step *wf_search_column(wf_search *search, int64_t n);
/* One pass of all of n, for interleaved columns of any number; NULL: no kernel. */
const wf_step *wf_search_whole_column(wf_search *search, int64_t n);
/* Few columns in passes of unsplit numbers; the caller's, NULL: none.  in_place:
 * to where they are. */
wf_step *wf_search_beside(wf_search *search, int64_t n, int64_t columns,
                          bool in_place);
/* The best one for columns whose rows are so many bytes apart. */
const wf_step *wf_search_column_apart(wf_search *search, int64_t n,
                                      int64_t row);
/* The best tree for R2C or C2R of n, and for a real kind of n. */
const wf_step *wf_search_real(wf_search *search, int64_t n);
const wf_step *wf_search_r2r(wf_search *search, weft_kind kind, int64_t n);
/* rules/lanes.c: the ways to transform several vectors side by side. */
void wf_search_abreast(wf_search *search, weft_kind kind, int64_t n,
                       wf_candidates *candidates);
/* Keeps a tree in the memo, which owns it from now on; returns it, or NULL
 * when there is no memory (the tree is freed then). */
wf_step *wf_search_remember(wf_search *search, int64_t n, int sort,
                            wf_step *best);
/* All proposals for n, cheapest first; `real`: for a real transform. */
void wf_search_candidates(wf_search *search, int64_t n, bool real,
                          wf_candidates *candidates);
void wf_search_r2r_candidates(wf_search *search, weft_kind kind, int64_t n,
                              wf_candidates *candidates);
/* Is there a real rule of this name, or one of the real kinds? */
bool wf_rule_is_real(const char *rule);
bool wf_rule_is_r2r(const char *rule);
void wf_candidates_free(wf_candidates *candidates);
void wf_search_free(wf_search *search);

/* 5 u is promised for lengths that need convolutions; above this expected
 * error (in u) a vector may exceed it, so a dearer tree below it comes first. */
#define WF_ERROR_LIMIT 4.05

/* For rules.  Adding a NULL tree records that memory ran out. */
void wf_propose(wf_search *search, wf_candidates *candidates, wf_step *tree);
/* Nobody looks at proposals that cannot cost less; infinite: any may be looked
 * at. */
double wf_cost_to_beat(const wf_search *search,
                       const wf_candidates *candidates);
/* No step of this kind, with two children of the lengths n1 and n / n1, costs
 * less: its own moves, and butterflies at the best rate there is. */
double wf_least_of_two(wf_search *search, wf_step_kind kind, int64_t n,
                       int64_t n1);
/* A step of a real kind over copies of its children. */
void wf_propose_r2r(wf_search *search, wf_candidates *candidates,
                    wf_step_kind step, weft_kind kind, int64_t n,
                    const wf_step *a, const wf_step *b);
/* A step with copies of the (borrowed) children; NULL when out of memory. */
wf_step *wf_step_over(wf_step_kind kind, int64_t n, const wf_step *a,
                      const wf_step *b);
/* Is this rule the one asked for at length n? */
bool wf_search_asked(const wf_search *search, int64_t n, const char *rule);

/* rules/scrambled.c: n1 of the scrambled order of length n, where position
 * k1 n2 + k2 holds frequency k1 + n1 k2; 0: scrambled is natural.  A function
 * of n alone, so that a transform and its inverse meet. */
int64_t wf_scrambled_split(int64_t n);
wf_step *wf_search_scrambled(wf_search *search, int64_t n);

/* The largest divisor of n not above `most`, or sqrt(n); 1 when none is found
 * within 2^16 trials. */
int64_t wf_divisor_to(int64_t n, int64_t most);
int64_t wf_balanced_divisor(int64_t n);

/* ---- accuracy.c --------------------------------------------------------- */

/* The relative L2 error to expect of a step, in u, from its children's. */
double wf_step_error(const wf_step *step);
/* The same of a matrix step, relative L2. */
double wf_matrix_error(weft_type type, const wf_step *step);

/* ---- cost.c ------------------------------------------------------------- */

size_t wf_complex_bytes(weft_type type);
/* Do rows of so many numbers fill two cache lines, as those of 512 bits do? */
static inline bool wf_is_wide(weft_type type, int width)
{
    return width * (double)wf_complex_bytes(type) >= 128;
}
/* ns to stream `bytes` when the data in use together takes `working_set`
 * bytes. */
double wf_cost_bytes(const wf_machine *machine, double bytes,
                     double working_set);
/* Prices one step over children that are priced, or a tree bottom-up, for
 * `type`: fills cost, flops and error of every transform step (axis steps are
 * priced by walk_price.c).  False when a kernel it names does not exist. */
bool wf_cost_step(const wf_engine *engine, weft_type type, wf_step *step);
/* What a real transform takes more backwards, ns; steps are priced forward. */
double wf_cost_turned(const wf_engine *engine, const wf_step *step);
bool wf_cost_tree(const wf_engine *engine, weft_type type, wf_step *tree);
/* ns more, or less, that a complex transform takes in place; room: what wants a middle
 * matrix comes from room of its own, as in c2r. */
double wf_cost_in_place(const wf_engine *engine, weft_type type,
                        const wf_step *step, bool room);
/* A pass of a self-sorting transform of n: radix r at output stride s. */
typedef struct wf_pass_place {
    int64_t n, s;
    int r, width;
    wf_fusing fusing;
    int partner; /* the radix it is fused with, 0: none */
    bool second; /* of the two */
} wf_pass_place;
/* ns more that the last pass takes, 0: it is another, to the caller's two arrays, where
 * the legs of both meet in the sets of the first cache; of all passes of a
 * step, 0: it is none of passes. */
double wf_cost_apart_pass(const wf_engine *engine, weft_type type,
                          const wf_pass_place *place);
double wf_cost_apart(const wf_engine *engine, weft_type type,
                     const wf_step *step);
/* price is the engine's for the kernel; below 0 so is the cost. */
double wf_cost_pass(const wf_engine *engine, weft_type type,
                    const wf_pass_place *place, double price);
double wf_cost_interleaved_pass(const wf_engine *engine, weft_type type,
                                const wf_pass_place *place, double price);
double wf_cost_half_pass(const wf_engine *engine, weft_type type, int64_t n,
                         int64_t s, int r, bool single, int most);
double wf_cost_column_pass(const wf_engine *engine, weft_type type,
                           const wf_pass_place *place, int64_t row,
                           double price);
/* Do a column's first rows, or its last, `row` bytes apart, share sets of the first
 * cache that do not hold them all? */
bool wf_column_crowds(const wf_machine *machine, const wf_step *column,
                      int64_t row);
/* So many vectors of any strides; crossed: in rows on one side, neighbours on the
 * other.  row: bytes from row to row of neighbours that are written, or 0. */
typedef struct wf_lone {
    double count;
    bool split, crossed;
    int64_t row;
} wf_lone;
/* Of each as a column of one pass; -1: there is no such pass. */
double wf_cost_lone(const wf_engine *engine, weft_type type,
                    const wf_step *column, const wf_lone *lone);
/* Columns of so many matrices, of one pass by one call for each width.
 * row: bytes from row to row of the output; apart: that is another array, so what is
 * left of whole vectors may go with some before. */
double wf_cost_columns(const wf_engine *engine, weft_type type,
                       const wf_step *column, int64_t columns, int64_t row,
                       double matrices, bool apart);

/* Few columns in passes of unsplit numbers: do they fill vectors?  Their cost. */
bool wf_fits_beside(const wf_step *step, int64_t columns);
double wf_cost_beside(const wf_engine *engine, weft_type type,
                      const wf_step *step, int64_t columns);
double wf_cost_beside_pass(const wf_engine *engine, weft_type type,
                           const wf_pass_place *place, int64_t columns);

/* ---- axis.c: from transforms to whole problems -------------------------- */
weft_status wf_plan_axes(wf_search *search, const wf_problem *problem,
                         wf_step **tree, wf_text *why);
/* modes.c: precisions that are matrix products only, the number format a
 * problem's products have, and whether another will do. */
bool wf_problem_is_matrix(const wf_problem *problem);
wf_scheme wf_problem_scheme(const wf_problem *problem);
bool wf_problem_takes(const wf_problem *problem, const wf_scheme *scheme);
/* Prices the axis steps of a complete tree (children already priced) and
 * checks that it fits the problem. */
weft_status wf_price_axes(const wf_engine *engine, const wf_problem *problem,
                          wf_step *tree);

/* sliced.c: the first `count` transforms of the outermost loop; the planes of a
 * cube, a batch by its first axis, or false. */
void wf_slice_of(const wf_problem *problem, int64_t count, wf_problem *part);
bool wf_planes_of(const wf_problem *problem, wf_problem *planes);
/* Are rows long enough to be fetched one by one, and the output of each slice one
 * piece of memory, or its input? */
bool wf_slices_stream(const wf_problem *problem);
/* Bytes of input and output. */
double wf_problem_bytes(const wf_problem *problem);
/* Prices a sliced step over a tree whose transforms are priced, and checks that it
 * fits the problem. */
weft_status wf_price_sliced(const wf_engine *engine, const wf_problem *problem,
                            wf_step *step);
/* *tree in slices, if that is cheaper; the other of the two, or NULL. */
wf_step *wf_try_slices(wf_search *search, const wf_problem *problem,
                       wf_step **tree);

/* exchange.c: in place, two axes with each other's strides in the output.  The
 * problem below an exchanged step: all of them where the input is. */
bool wf_exchanged(const wf_problem *problem, wf_problem *view);

/* In place with two layouts: the tree is a repack step, or an exchanged one. */
bool wf_needs_repack(const wf_problem *problem);
/* The problem below a repack step: out of place from a packed copy. */
void wf_repacked(const wf_problem *problem, wf_problem *view);

/* Can child i of a rank step multiply by the scale: is it a scale step, planes that
 * come last, or an axis that does so at no cost?  The last such child does it. */
bool wf_child_scales(const wf_step *rank, int i, bool split);

/* Where the axes of a problem work.  The first reads the input; all end in the
 * output, the first one with the output's layout.  Of C2R only the last,
 * real one does: the complex ones work where the input is, if it may be
 * overwritten, or (staged) in packed scratch. */
typedef struct wf_course {
    wf_problem problem;
    bool staged;
    weft_dim dim[WEFT_MAX_RANK], loop[WEFT_MAX_RANK]; /* C2R: os = of there */
} wf_course;
void wf_course_of(const wf_problem *problem, wf_course *course);

/* How a step of an axis walks memory: the axis itself and all other
 * dimensions as loops, with the lengths they have at that step. */
typedef struct wf_walk {
    weft_dim axis;
    int loops;
    weft_dim loop[2 * WEFT_MAX_RANK];
    int64_t count; /* transforms: the product of the loops */
    bool real;     /* the axis that R2C and C2R halve */
    bool in_place;
    int in_scalars, out_scalars; /* reals an element */
} wf_walk;
void wf_walk_axis(const wf_course *course, int axis, bool first,
                  wf_walk *walk);
/* Reals of one transform on a side (WF_INPUT, WF_OUTPUT), unit stride. */
int64_t wf_walk_reals(const wf_walk *walk, wf_side side);
/* Bytes of a row's output from which on the next ones are fetched meanwhile. */
enum { WF_LONG_ROW = 1024 };
/* The loop whose transforms are streamed in groups, the one with the nearest
 * outputs; -1 where that does not fit the layout. */
int wf_walk_streamed(const wf_walk *walk);
/* The longest loop of unit stride on both sides, -1: there is none; and its n, or 0. */
int wf_walk_neighbours(const wf_walk *walk);
int64_t wf_walk_lanes(const wf_walk *walk);
/* How many they are, if that is 2 to 8 and all of one side's that lies between
 * two numbers of a vector, as a recording's channels; or 0. */
int64_t wf_walk_channels(const wf_walk *walk);
/* Columns in place of planes of 128 bits (cpu/column.c): bytes of a row of them, and
 * the most rows, for each lane has its factors in a table. */
enum { WF_INTERLEAVED_BYTES = 32, WF_INTERLEAVED_ROWS = 1024 };
/* Is it worth while to transform some of so many columns twice, so that every
 * vector is full?  Else what is left of the narrowest ones goes one by one, as it
 * does in place; of many it is little. */
bool wf_columns_overlap(int64_t columns, int64_t n, weft_type type);
/* The loop whose transforms of `in` reals lie one after the other, and so do their
 * results of `out`; -1: there is none. */
int wf_walk_packed(const wf_walk *walk, int64_t in, int64_t out);
/* Are they of unit stride on both sides? */
static inline bool wf_walk_is_rows(const wf_walk *walk)
{
    return walk->axis.is == 1 && walk->axis.os == 1;
}
/* The loop whose vectors lie side by side on one side, as columns, and are of unit stride
 * on the other: from columns where that is the output, else to them.  -1: there is
 * none.  Of interleaved complex numbers; or, of no split arrays, of reals on a
 * side, long enough for tiles. */
int wf_walk_crossed(const wf_walk *walk);
int wf_walk_crossed_reals(const wf_walk *walk);
/* Real ones without neighbours, of so many numbers that tiles make them some. */
bool wf_walk_takes_tiles(const wf_walk *walk);
/* Out of place, or each where no other one is? */
bool wf_walk_is_apart(const wf_walk *walk);
/* walk_price.c: ns of an axis step; false when this way of walking does not fit the
 * layout. */
bool wf_price_axis(const wf_engine *engine, const wf_course *course,
                   wf_step *step, bool first);
/* The loop whose transforms go side by side, `width` of them; -1 without
 * loops. */
int wf_walk_abreast(const wf_walk *walk, int width);

/* ---- rules/decimated.c --------------------------------------------------- */

/* Steps of this kind over columns and rows: with the largest prime factor of n in
 * either, and of lengths that are near each other. */
void wf_propose_decimated(wf_search *search, wf_step_kind kind, int64_t n,
                          int64_t largest, wf_candidates *candidates);

/* ---- embedded.c ---------------------------------------------------------- */

/* A step of this kind, of n, over the best rank of another problem; not priced.  NULL:
 * there is none, or no memory. */
wf_step *wf_plan_part(wf_search *search, const wf_problem *part,
                      wf_step_kind kind, int64_t n);

/* The complex problem of a block of real neighbours, packed on both sides. */
void wf_embedded_part(const wf_problem *problem, const wf_walk *walk,
                      int64_t columns, wf_problem *part);
/* False: the walk of this kind, or the columns, do not fit. */
bool wf_price_embedded(const wf_engine *engine, const wf_problem *problem,
                       const wf_walk *walk, weft_kind kind, wf_step *step);
/* Not priced; NULL: there is none, or no memory. */
wf_step *wf_plan_embedded(wf_search *search, const wf_problem *problem,
                          const wf_walk *walk, weft_kind kind);

/* ---- paired.c ------------------------------------------------------------ */

/* The complex problem of pairs of neighbours, where they are; false: the kind or the
 * walk does not fit. */
bool wf_paired_part(const wf_problem *problem, const wf_walk *walk,
                    weft_kind kind, double scale, wf_problem *part);
/* As those of embedded.c. */
bool wf_price_paired(const wf_engine *engine, const wf_problem *problem,
                     const wf_walk *walk, weft_kind kind, wf_step *step);
wf_step *wf_plan_paired(wf_search *search, const wf_problem *problem,
                        const wf_walk *walk, weft_kind kind);

#endif
