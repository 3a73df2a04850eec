/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone.h - what the files of a cosine transform alone share; see alone.c.
 */
#ifndef GEN_ALONE_H
#define GEN_ALONE_H

#include "program.h"

enum { MOST_Q = 32, MOST_PAIRS = MOST_Q / 4 };

typedef struct maker {
    program *p;
    dag *g;
    builder b;
    int n, q, m;
    int v;        /* reals of a register */
    int inside;   /* of its quarters of 128 bits */
    int quarters; /* quarters, at least 1 */
    int pairs;    /* registers of sums: V l's each, or V/2 of one */
} maker;

/* V numbers of the vector, of factor `which` of l for the frequencies from
 * `first` on; a number of the table in every lane. */
int alone_input(const maker *k, int at, int direction);
int alone_factor(const maker *k, int l, int which, int first);
int alone_spread(const maker *k, int at);
int alone_row_of_ends(const maker *k, int row, int first);
/* -1 in the upper half of a register, 1 in the lower one; times the sign. */
int alone_halves(const maker *k);
int alone_scaled_halves(const maker *k);
/* cos and sin of 2 pi t/2Q, and their products with the sign. */
typedef struct alone_turns {
    int c, s, signed_c, signed_s;
} alone_turns;
alone_turns alone_turns_of(const maker *k, int t);
/* Where in scratch the transforms of sums b have number i, or of differences:
 * there is room for one more, which is zero. */
int alone_scratch(const maker *k, int b, int of_less, int i);
/* The number l < Q/2 that is leg g of the complex transform. */
int alone_leg(const maker *k, int g);
int alone_is_shared(const maker *k);
/* Blocks of V frequencies are all from 1 to m; the last one overlaps. */
int alone_blocks(const maker *k);
int alone_first(const maker *k, int block);
void alone_add_root(const maker *k, int place, int root);

/* alone_lanes.c: lane i is lane from[i] of x, or from[i] - V of y; lanes in
 * reverse; quarters of x, or from number `quarters` on of y; the squares that
 * `inside` registers have in each quarter, transposed. */
int lanes_choose(const maker *k, int x, int y, const int *from);
int lanes_reversed(const maker *k, int x);
int lanes_quarters(const maker *k, int x, int y, int a, int b, int c, int d);
void lanes_transpose(const maker *k, int *x);
/* Lanes first .. first + count - 1 of V registers, transposed. */
void lanes_columns(const maker *k, const int *x, int first, int count,
                   int *out);
/* The way back: `count` lanes by frequency in parts; a register whose lower half
 * is that of register i by parts x, the upper one that of j by y; V registers of V
 * lanes. */
void lanes_split(const maker *k, const int *x, int count, int *part);
int lanes_join(const maker *k, const int *x, int i, const int *y, int j);
void lanes_rows(const maker *k, const int *x, int *out);

/* alone_second.c, alone_third.c */
void alone_second(const maker *k);
void alone_second_part(const maker *k, alone_part part);
void alone_third(const maker *k);
void alone_third_part(const maker *k, alone_part part);

/* alone_short.c: a transform of m = V/2. */
void alone_second_short(const maker *k, const int *c);
void alone_third_short(const maker *k, int ends, int *c);

#endif
