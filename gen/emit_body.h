/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_body.h - what the emitters of split and of interleaved kernels share:
 * straight-line code in single assignment, node i being the constant t<i>,
 * with loads at their first use.
 */
#ifndef GEN_EMIT_BODY_H
#define GEN_EMIT_BODY_H

#include "emit.h"

/* How columns take their rows: as they lie, those of `some` mask, from places apart,
 * half a register of 128 bits, or two of each column at a time. */
typedef enum rows_as { WHOLE, MASKED, APART, HALF, PAIRS } rows_as;

typedef struct emitter emitter;
struct emitter {
    FILE *f;
    const row *r;
    const kind_info *kind;
    const program *p;
    char letter;    /* of the register words: V, or X, Y, Z */
    char *declared; /* per node: bit k, by twin k */
    /* Two transforms made step by step together: the second one's values are
     * u<i>, its input x2 and its output y2. */
    int twins, twin;
    /* Per OP_VEC, OP_ALT: scalar k of table c, ~k of d (constants.h). */
    int *place;
    int turns; /* are OP_ALT and what else has the transform's sign in d? */
    char leg_known[MAX_RADIX]; /* the offset of input leg j has a name */
    int sums, fused; /* sums, and how many of them are written as fused */
    int seen;        /* sums written */
    int in_loop;     /* alone: the body of one */
    rows_as rows;    /* emit_columns.c, emit_apart.c: of the input, or both, */
    rows_as out_rows; /* of the output */
    int scaled;       /* what is stored is multiplied by s */
    int from_blocks;  /* legs are where emit_from_blocks has them */
    int lines;        /* ... and outputs are stored by whole lines */
    void (*load)(emitter *e, int i); /* declare the input node i */
    /* Is an input doubled, node i (is_doubled), as it is loaded? */
    void (*load_doubled)(const emitter *e, int i);
    void (*store)(emitter *e, const sink *s);
};

void emitter_begin(emitter *e, FILE *f, const row *r, const program *p);
void emitter_end(emitter *e);
/* What is written next declares its values anew. */
void emitter_forget(emitter *e);
void emit_body(emitter *e, const schedule *s);
char value_letter(const emitter *e);
/* Node i as an operand. */
void emit_operand(const emitter *e, int i);
/* Node i is about to be read: load it if it is an input. */
void emit_use(emitter *e, int i);
/* A constant of this type, always with a point or exponent. */
void print_constant(FILE *f, wf_real real, long double k);

/* emit_leaf.c */
void emit_leaf(FILE *f, const made *m);
/* wf_kernel.scaled: of complex leaves to 16, of such back to reals, and of 20, 24, 32
 * and 64, where registers are wide; without 11, 13 and 14, for 33 KB. */
int leaf_scaled(const made *m);
/* emit_leaf_split.c: one of two arrays, with their loop. */
void emit_leaf_split(FILE *f, const made *m);
/* Inputs of a pair of elements that has element j, of all transforms of a register,
 * which are `distance` apart. */
void emit_load_pair(emitter *e, int j, const char *distance);
/* Opens the function of a leaf: in and out are of type T from here on. */
void emit_leaf_entry(FILE *f, const char *name, int reads_table);
/* X, Y, Z: 128, 256, 512 bits.  One complex float is half an X. */
char letter_of(const row *r, int lanes);
/* Where table c has the constants of the lanes. */
void emit_lane_constants(emitter *e);

/* emit_blocks.c: element j of an array of distance `s` bytes: up to three times
 * that from one of a few places.  A chain of sums would have the last leg wait for
 * all others; more multiples than 1 and 3 are more than there are registers. */
void emit_place(FILE *f, const char *type, const char *array, char s, int j);
/* Those for j < count. */
void emit_places(FILE *f, const char *type, const char *array, char s,
                 int count);
/* The distance that is this field of the arguments, in bytes, and three times it; not
 * seen through by the compiler from here on. */
void emit_distance(FILE *f, char name, const char *field, int count);
void emit_hidden(FILE *f, char name, int count);
/* Has this pass loops for blocks: beside those for im anywhere, for blocks on
 * both sides; or no others, where it reads only blocks? */
typedef enum blocks { BLOCKS_NOT, BLOCKS_TOO, BLOCKS_ALONE } blocks;
blocks blocks_of(const row *r);
/* Those loops, which return. */
void emit_from_blocks(emitter *e, const schedule *s);
/* What they read and store: input `slot`; output k. */
void load_from_block(emitter *e, int slot);
void store_in_block(emitter *e, int k, int re, int im);

/* emit_alone.c */
void emit_alone(FILE *f, const row *r, const program *p, const schedule *s);

/* The same of a leaf of both signs, and where d has those that turn with the sign. */
void emit_leaf_constants(emitter *e);
/* emit_within.c: what is between the braces of a leaf in two loops; one loop. */
void emit_long_leaf(FILE *f, const made *m);
void emit_within(FILE *f, const row *r);

/* A pass kernel up to its opening brace; the same of a function for all columns, which
 * the kernel calls where it does not know better. */
void emit_pass_opening(FILE *f, const row *r);
void emit_all_opening(FILE *f, const row *r);

/* emit_reals.c */
void emit_reals(FILE *f, const made *m);

/* emit_lone.c: the same of one lane.  Has a kernel of one lane a function for a column
 * that is alone?  That function; the kernel, which calls it or the one for all. */
void emit_lone(FILE *f, const made *m);
int has_lone_function(const row *r);
void emit_lone_function(FILE *f, const made *m);
void emit_lone_entry(FILE *f, const made *m);

/* emit_columns.c; is a length worth the room of loops for each width?  What the words
 * that load and store rows so have behind LD and ST. */
void emit_columns(FILE *f, const row *r);
int is_frequent(int n);
const char *word_of_rows(rows_as rows);

/* emit_apart.c */
void emit_columns_apart(FILE *f, const row *r);

/* emit_prime.c: the entry of one kernel in loops. */
void emit_prime(FILE *f, const row *r);

/* emit_prime_leaf.c: what is between the braces of a leaf in loops. */
void emit_prime_leaf(FILE *f, const row *r);

/* emit_borrow.c: does this row borrow the arithmetic of another? */
void emit_borrowing(FILE *f, const row *r);

#endif
