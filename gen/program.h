/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - the graph of one kernel, and the order in which it runs.
 *
 * A program is a graph, its outputs, and sinks: groups of outputs that are
 * stored together once all of them are known.
 */
#ifndef GEN_PROGRAM_H
#define GEN_PROGRAM_H

#include "algebra.h"

#include "kernel/kernel.h"

/* Input slots of a split program: leg j is slots 2j and 2j+1 (re, im; of a
 * cosine transform re alone);
 * twiddle scalar i of the table is SLOT_TWIDDLE + i; the scale of leg 0 is
 * SLOT_SCALE.  An interleaved program's slot is a complex element. */
enum { SLOT_TWIDDLE = 1 << 12, SLOT_SCALE = 1 << 13 };

/* Input slots and places of a transform alone: V numbers from an element of
 * the vector on, of the table, or of scratch; EACH: one number in every lane.  In
 * a loop they move on, or back, with it.  APART: the number apart, in every
 * lane.  After 2n factors the table has numbers of its own. */
enum {
    ALONE_AT = (1 << 12) - 1,
    ALONE_EACH = 1 << 12,
    ALONE_TABLE = 1 << 13,
    ALONE_SCRATCH = 1 << 14,
    ALONE_APART = 1 << 15,
    ALONE_ON = 1 << 16,
    ALONE_BACK = 1 << 17,
    ALONE_TWO = 1 << 18, /* the upper half elsewhere, at this distance + FAR */
    ALONE_DISTANCE = 1 << 19,
    ALONE_FAR = 256
};
enum {
    ALONE_HALVES = 0, /* sign for l < Q/2, -sign */
    ALONE_SIGN = MAX_LANES,
    ALONE_TURNS, /* sign cos, sign sin of 2 pi t / 2Q, t = 0 .. Q/4 */
    ALONE_ENDS = 3 * MAX_LANES, /* rows of ALONE_ROW */
    ALONE_ROW = MAX_LANES
};

enum { MAX_ROOTS = 2 * MAX_RADIX, MAX_ROWS = 720 };

typedef struct sink {
    int first, count; /* roots */
} sink;

/* How a leaf uses registers of `lanes` numbers.  rows > 0: one transform,
 * rows x (n / rows) elements, lanes / 2 consecutive elements a register.
 * rows == 0: element j of lanes / 2 transforms in one register. */
typedef struct design {
    int lanes, rows;
} design;

typedef struct program {
    dag *g;
    int radix;
    int interleaved;
    design leaf;         /* interleaved programs only, as all below */
    int inputs, outputs; /* complex elements of one transform */
    int root_count;
    int roots[MAX_ROOTS];  /* split: re, im of output k are 2k and 2k + 1;
                              reals: output k is k */
    int places[MAX_ROOTS]; /* interleaved: first element of the root */
    int lone; /* the root that is stored up to its first element; 0: none.
                 Alone: 1 + the first of those of every 2 m-th output */
    sink sinks[MAX_RADIX];
    int sink_count;
    int ordered;   /* sinks must be stored in their order */
    int registers; /* to be scheduled by time as far as these allow, or 0 */
} program;

enum { HARTLEY = 2 };

/* The loops of a transform whose numbers are whole in registers: of more than one
 * pass, or of columns by one, neighbours or anywhere. */
typedef enum within_loop {
    WITHIN_NOT,
    WITHIN_FIRST,
    WITHIN_LAST,
    WITHIN_WHOLE,
    WITHIN_APART
} within_loop;

/* What the generator knows of a kind. */
typedef struct kind_info {
    const char *name;
    int in_i, out_i; /* interleaved input, output */
    int first;       /* transposing */
    int twiddles;    /* 0, 'V' or 'B' */
    int scaled;
    int leaf;   /* 0, -1 forward, +1 inverse */
    int split;  /* a leaf of two arrays, which is called as a pass */
    int real;   /* a leaf of `radix` reals on one side */
    int half;   /* a pass over half spectra, of odd radix; HARTLEY: its
                   outputs are re - im and re + im */
    int cosine; /* type of a cosine transform of reals, or 0 */
    int rows;   /* ... of contiguous ones */
    int alone;  /* ... of one, in registers */
    within_loop within;
    int reals; /* -1: whole columns of reals to half spectra; 1: and back */
} kind_info;

typedef struct row {
    wf_kernel_kind kind;
    wf_real real;
    wf_isa isa;
    int radix;
} row;

/* The order: node numbers, and ~s for "store sink s". */
typedef struct schedule {
    int *steps;
    int count;
    int max_live;
} schedule;

const kind_info *kind_of(wf_kernel_kind kind);

/* target.c */
typedef struct target {
    wf_isa isa;
    const char *name;
    int bits; /* of a vector; 0: one number */
    int registers;
    int has_fma;
    int has_sum_pipes; /* some of its processors add in pipes of their own */
} target;
const target *target_of(wf_isa isa);
int target_lanes(wf_isa isa, wf_real real);
/* All rows of one (isa, real), in order; returns their number.  `only`: no
 * other instruction set is built. */
int target_rows(wf_isa isa, wf_real real, int only, row *rows, int room);
/* Shuffles of one interleaved load or store, and of one transpose. */
int target_interleave_cost(wf_isa isa, wf_real real, int any_order);
int target_transpose_cost(wf_isa isa, wf_real real);

/* program.c */
/* Outputs in a row of a transposing kernel of half spectra. */
int half_row(int radix, int lanes);
program *program_new(const row *r);
/* transpose.c: reals to half spectra becomes half spectra to reals, `fuses`: with fused
 * operations. */
void program_transpose(program *p, int fuses);
/* The transposed graph of roots of reals, whose leg j is slot 2j, which is freed: from
 * in[i] for root i, in g, to out[j] for leg j. */
void dag_transpose(dag *forth, int *roots, int count, dag *g, const int *in,
                   int *out);
void program_free(program *p);

/* emit_prime.c: is it a pass or a leaf of a large prime, written as loops? */
int in_loops(const row *r);

/* emit_within.c: is it a leaf of two loops? */
int in_two_loops(const row *r);

/* leaf.c: the designs of a leaf, for batches and for what is left of them;
 * equal if one serves both, lanes == 0 if the leaf is a split program.  Then
 * the program of one design. */
typedef struct leaf_designs {
    design batch, single;
} leaf_designs;
leaf_designs leaf_choose(const row *r);
program *leaf_program_new(const row *r, design d);
/* The bodies of the loops of a transform within registers, forward ones.
 * Columns: a DFT of R1 over C columns; register l, at place k C + l, of its
 * squares, block k of the rows, transposed.  Rows: legs q < R2, turned for q > 0
 * by the slots SLOT_TWIDDLE + 2 (q - 1), + 1, or of one vector by SLOT_TWIDDLE + q - 1
 * (wf_turns_form, kernel/kernel.h); a DFT of R2. */
program *within_columns_new(const row *r, int r1, int lanes);
program *within_rows_new(const row *r, int r2, int lanes, wf_turns_form form);
/* Is node i of them an input of which each even real is twice, or each odd one? */
int is_doubled(const dag *g, int i);
/* A DFT of whole rows of lanes / 2 columns. */
program *columns_new(const row *r, int lanes);
/* Where blocks of c of n elements start: the last one overlaps that before. */
int leaf_start(int n, int c, int block);
/* Is a vector of constants a multiple of -1 1 -1 1, that is of i? */
int leaf_vec_turns(const dag *g, int vec);

/* real_leaf.c: the two ends of a real leaf of n = 2m around a complex one of
 * length m.  What y[] (across) or the roots (within) give, unpacked, as
 * roots; a leg of the complex transform, packed; all legs of a design within,
 * by place / C. */
void real_leaf_across(program *p, const builder *b, const cplx *y);
void real_leaf_within(program *p, const builder *b);
int real_leg_across(const builder *b, int m, int j);
void real_legs_within(const builder *b, int m, int *legs);

/* cosine.c; the two: sums of x[j] cos(pi k (2j + 1) / 2n), of type II divided by
 * scales, of type III of numbers k that were given theirs (kinds.def).  In a program
 * of their own scales are inputs. */
program *cosine_program_new(const row *r);
void cosine_second(dag *g, int n, const int *x, int *y);
void cosine_third(dag *g, int n, const int *x, int *y);
long double cosine_scale(int n, int k);
long double cosine_given(int n, int k);

/* alone.c: V, the program; and as loops, over V l's and their mirror
 * images, over blocks of V frequencies, and what is in neither. */
typedef enum alone_part { ALONE_PAIRS, ALONE_BLOCKS, ALONE_LONE } alone_part;
int alone_lanes(const row *r);
/* The row of m factors `which` of l. */
int alone_row(int q, int l, int which);
/* Lane l of a slot or place. */
int alone_lane(int at, int l, int width);
program *alone_program_new(const row *r);
program *alone_part_new(const row *r, alone_part part);

/* schedule.c */
schedule schedule_program(const program *p);

/* eval.c: the largest error of the program against a long double transform,
 * in units of the type's epsilon relative to the largest output. */
double eval_program(const program *p, const row *r);

#endif
