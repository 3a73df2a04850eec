/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hand.h - the kernels written by hand: products, copies with strides,
 * transposes.  One table of functions for each type and ISA; whoever binds a
 * plan picks the table once, so executing has no dispatch.
 *
 * The templates (*_tmpl.c) are compiled once for each ISA and type, by
 * hand_<isa>_<type>.c.
 */
#ifndef WEFT_KERNEL_HAND_HAND_H
#define WEFT_KERNEL_HAND_HAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/isa.h"

/* What a spectrum X of reals is stored as: its halves re and im; re -+ im; or
 * the halves re and -im of X times factors, in order (cosine transforms) or
 * mirrored (sine transforms). */
typedef enum wf_r2r_form {
    WF_R2R_HALFCOMPLEX,
    WF_R2R_HARTLEY,
    WF_R2R_COSINE,
    WF_R2R_SINE
} wf_r2r_form;

enum { WF_R2R_ROW = 256 };

/* One pass of r2r_tmpl.c. */
typedef struct wf_r2r_pass {
    wf_r2r_form form;
    size_t n;
    const void *table; /* rows of ld numbers, re and im in turn */
    size_t ld;
    double scale, first, middle;
    size_t begin, end; /* half_out, half_in, quarter_..: the k that are made */
    /* Not NULL: factors are those of table, of the numbers of a row, times one of
     * rows for each row; as many rows, row_ld long.  For half_in_legs, and for
     * half_out of cosines and sines in tables of vectors that are cache lines: then Z
     * is in planes, re[h] and im[h], h/2 a multiple of 16, rows of WF_R2R_ROW. */
    const void *rows;
    size_t row_ld;
} wf_r2r_pass;

/* What half_in_legs makes: Z in rows of `row` numbers, of rows first + i step, i <
 * legs, the columns from `column` on, `count` of them; all but legs in multiples of
 * VL.  Leg i of a tile begins at number i near: count re, then as many im. */
typedef struct wf_r2r_legs {
    size_t row, first, step, legs, column, count, near;
} wf_r2r_legs;

/* Where column_to_tiles puts VL rows that were lanes: `row` scalars apart, those of
 * the next VL rows `next` scalars on.  sign -1: factors are conjugates.  past: past
 * the caches. */
typedef struct wf_tiles {
    ptrdiff_t row, next;
    int sign;
    bool past;
} wf_tiles;

/* Columns of a matrix for dense_tmpl.c: v vectors, VL numbers from column
 * `begin` on, the next VL, ..., and the last vector's from column `end` on.  One
 * vector may have fewer than VL columns.  Rows of the table are for in[0]
 * (head), then for in[first], in[first + 1], ..., `rows` of them.  By form:
 *   0   out[k] = sum over j of in[j] w[j][k]
 *   1   rows are for pairs, in[first] and in[last], in[first + 1] and
 *       in[last - 1], ...: in even columns their sum, in odd ones the
 *       difference is multiplied
 *   2   with sums even[k] and odd[k] over rows 0, 2, .. (and the head) and 1,
 *       3, .. of the rest, out[k] = even[k] + odd[k] and out[last - k] =
 *       even[k] - odd[k]; no fewer than VL columns.  turned: this block has
 *       column 0, and out[last] is not there; out[last - VL] must be that of a
 *       later column */
typedef struct wf_dense {
    const void *table;
    size_t rows, first, last, begin, end, columns;
    bool head, turned;
} wf_dense;

enum { WF_DENSE_VECTORS = 4 };

/* out = in allowed.  dense: a wf_dense. */
typedef void wf_dense_run(const void *dense, const void *in, void *out);

/* Transforms anywhere of n <= WF_DENSE_LONE reals: number k, at out_at[k] of `out`, is
 * the sum over j of that at in_at[j] times table[k n + j]; zeros: 0 at those of zero_at.
 * `is` and `os` from one transform to the next; all in T. */
enum { WF_DENSE_LONE = 4 };
typedef struct wf_dense_lone {
    const void *table;
    bool sums; /* of 2: the sum, then the difference */
    size_t n, zeros;
    ptrdiff_t in_at[WF_DENSE_LONE], out_at[WF_DENSE_LONE], zero_at[2];
    ptrdiff_t is, os;
} wf_dense_lone;

/* Neighbouring columns that are all multiplied by one matrix: number k < out of
 * each is the sum over j < in of number j times w[k][j].  Numbers j of all columns
 * are a row, `is` (os) T after that of j - 1; or, pairs_in (pairs_out), numbers 2j
 * and 2j + 1 in turns, as re and im of a half spectrum, of which number 1 and,
 * hollow, the last one count as zero.  The table has the factors of wf_dense_sums
 * k for j = 0, 1, .., then those of the next k. */
typedef struct wf_dense_columns {
    const void *table;
    size_t in, out;
    ptrdiff_t is, os;
    bool pairs_in, pairs_out, hollow;
} wf_dense_columns;

enum { WF_DENSE_NUMBERS = 66, WF_DENSE_SUMS = 8 };

/* Sums that are made together where so many are left. */
static inline size_t wf_dense_sums(size_t left)
{
    return left > 4 ? WF_DENSE_SUMS : left > 2 ? 4 : 2;
}

/* The same of so few columns that a register has several numbers of all of them:
 * rows adjoin on both sides, and so do results, `step` reals of them in a register, in
 * the last one `last`.  Rows are `group` reals; pairs: re and im in turns, of which
 * the first row's im is not read, nor what is behind the `legs` numbers.  For each of
 * them the table has which 32 bits of its row go where, then `registers` vectors of
 * factors.  Matrices are is and os T apart. */
typedef struct wf_dense_few {
    const void *table;
    size_t legs, group, registers, step, last;
    ptrdiff_t is, os;
    bool pairs;
} wf_dense_few;

enum { WF_DENSE_REGISTERS = 8 };

/* Where whole registers of a row's results come from: results places[3v + 2] and
 * after from the two vectors of the row that begin at places[3v] and places[3v + 1].
 * The table has for each v which 32 bits of the first of them go where, what they
 * are multiplied by, and the same of the second. */
typedef struct wf_windows {
    const void *table;
    const int32_t *places;
    size_t vectors;
} wf_windows;

/* Vectors `in` reals after one another, `together` of them in a register, times one
 * matrix; results are `out` apart, and what is between them is written, too.  The
 * table has for each of their `numbers` which 32 bits of the register go where, then
 * what they are multiplied by: `numbers` times two vectors. */
typedef struct wf_dense_rows {
    const void *table;
    size_t numbers, in, out, together;
} wf_dense_rows;

/* A tile of lanes_tmpl.c and the VL transforms of user memory it stands for,
 * count <= VL of them: element j < n of transform t at j leg + t next.  In the
 * tile it is lane t of row j; unzipped: the even elements come first, then the
 * odd ones, mirrored.  negate: the odd ones change their sign on the way. */
typedef struct wf_lanes {
    ptrdiff_t leg, next;
    size_t n, count;
    bool unzipped, negate;
} wf_lanes;

/* Rows of `count` neighbours in user memory, `leg` apart, and as complex numbers in
 * a tile, `width` >= count in a row, whole vectors: n reals; n/2 + 1 numbers of half
 * spectra; these as n rows of reals, R2HC's; the Hartley numbers of them; or re and
 * -im of each times a factor, the first times `first`.  sorted: of reals the even
 * ones come first in the tile, then the odd ones, mirrored; negate: those change
 * their sign. */
typedef enum wf_embed_form {
    WF_EMBED_REALS,
    WF_EMBED_SPECTRA,
    WF_EMBED_HALFCOMPLEX,
    WF_EMBED_HARTLEY,
    WF_EMBED_COSINE
} wf_embed_form;

typedef struct wf_embed {
    wf_embed_form form;
    size_t n, count, width;
    ptrdiff_t leg;
    bool sorted, negate;
    double scale, first; /* of reals and spectra; of WF_EMBED_COSINE */
    const void *table;   /* its factors: re of all, ld numbers, and im */
    size_t ld;
} wf_embed;

typedef struct wf_hand_f64 {
#define T double
#include "kernel/hand/table_tmpl.h"
#undef T
} wf_hand_f64;

typedef struct wf_hand_f32 {
#define T float
#include "kernel/hand/table_tmpl.h"
#undef T
} wf_hand_f32;

/* Are `stream`'s stores others than a copy's?  wf_hand_settle: what this thread
 * has streamed is visible to whom it tells so. */
#ifdef __SSE2__
enum { WF_HAND_STREAMS = 1 };
#else
enum { WF_HAND_STREAMS = 0 };
#endif
void wf_hand_settle(void);

/* The table of this ISA; the scalar one when it is not compiled in.  Never
 * NULL.  The CPU must have the ISA. */
const wf_hand_f64 *wf_hand_f64_for(wf_isa isa);
const wf_hand_f32 *wf_hand_f32_for(wf_isa isa);

#endif
