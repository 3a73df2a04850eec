/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense.h - the shape of a short real transform by its definition, as the
 * price and the binder of `direct` and `dense` both need it.
 *
 * The transform is a matrix of reals times the vector, a column of the matrix
 * times an element at a time, rows in the lanes.  Half of the products are
 * enough where rows (or columns) are alike from both ends but for the sign:
 * sums and differences of elements mirrored come first, or of sums last.
 */
#ifndef WEFT_PLAN_DENSE_H
#define WEFT_PLAN_DENSE_H

#include "plan/engine.h"
#include "plan/search.h"

/* The longest of `direct`, of `dense`, and of `spectral` of even n; the most reals on
 * a side of `once`. */
enum { WF_DIRECT = 63, WF_DENSE = 48, WF_HALVES = 48, WF_ONCE = 64 };

/* Vectors of a block. */
enum { WF_DENSE_BLOCK = 4 };

typedef enum wf_dense_form {
    WF_DENSE_PLAIN, /* in[j] times row j */
    WF_DENSE_PAIRS, /* in[j] +- in[n-1-j], in even and odd lanes, times one */
    WF_DENSE_BOTH,  /* sums of in[2j] and of in[2j+1]; theirs, and mirrored
                        their difference, are the output */
} wf_dense_form;

typedef struct wf_dense_shape {
    wf_dense_form form;
    int width;    /* lanes of the vectors */
    int columns;  /* sums, of which a vector has `width` */
    int rows;     /* elements, of PAIRS pairs of them */
    int products; /* of vectors */
    int blocks;   /* of vectors whose sums are made together */
} wf_dense_shape;

/* Of a matrix of any numbers; widths as wf_engine's. */
wf_dense_shape wf_dense_shape_plain(int in, int out, weft_type type,
                                    const int *widths);
/* WEFT_R2C, C2R or a real kind. */
wf_dense_shape wf_dense_shape_of(weft_kind kind, weft_type type, int n,
                                 const int *widths);

/* Reals of one transform on a side: n, or those of a half spectrum. */
static inline int64_t wf_dense_reals(weft_kind kind, int64_t n, wf_side side)
{
    return wf_side_is_complex(kind, side) ? n / 2 * 2 + 2 : n;
}
/* The same from one to the next, where they lie one after the other: in place a half
 * spectrum and its reals take as much. */
static inline int64_t wf_dense_pitch(weft_kind kind, int64_t n, wf_side side,
                                     bool in_place)
{
    const bool halves = kind == WEFT_R2C || kind == WEFT_C2R;
    return in_place && halves ? n / 2 * 2 + 2 : wf_dense_reals(kind, n, side);
}
/* How many such vectors a register holds, `in` and `out` reals apart, for rows of
 * them; 0: there are no kernels. */
int wf_dense_together(int64_t in, int64_t out, weft_type type,
                      const int *widths);

/* So few side by side that a register has several numbers of all of them, where their
 * rows adjoin: which pays where the products' lanes are fewer than wf_dense_width's
 * would be, of which parts of registers cost twice as much, and in no more than
 * WF_DENSE_GROUP registers.  registers 0: it does not. */
enum { WF_DENSE_GROUP = 8 };
typedef struct wf_dense_group {
    int width;
    int legs;      /* numbers that are multiplied, */
    int in, out;   /* reals of a row */
    int together;  /* rows of the output in a register, */
    int registers; /* of so many */
} wf_dense_group;
wf_dense_group wf_dense_group_of(weft_kind kind, weft_type type,
                                 const wf_walk *walk, const int *widths);

/* So short, of no neighbours or a few, and each where no other one is, that they go one
 * after the other by scalars; half spectra of 2 only. */
enum { WF_DENSE_ANYWHERE = 4 };
bool wf_dense_anywhere(weft_kind kind, const wf_walk *walk);

/* Longer ones of a real kind that are rows on one side and neighbours on the other, or
 * rows on both: the loop that is to be neighbours, or -1. */
int wf_dense_crossed(weft_kind kind, const wf_walk *walk);

/* Lanes for so many of them side by side: of the narrowest registers that take all
 * and have fused operations, as 512 bits are two halves on some processors. */
int wf_dense_width(int64_t columns, weft_type type, const int *widths);

/* Lanes of the registers that move rows of n reals, for `spectral` of even n one after
 * the other; 0: there are no kernels. */
int wf_halves_width(int n, weft_type type, const int *widths);
/* So many bytes of their half spectra stay in the first cache with their reals. */
enum { WF_HALVES_TILE = 8192 };

/* once: prices the step; false where a transform of this problem is no small
 * block without gaps on both sides. */
bool wf_price_once(const wf_engine *engine, const wf_problem *problem,
                   wf_step *step);

#endif
