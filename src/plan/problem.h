/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * problem.h - the problem as planning sees it: checked, complete, canonical.
 *
 * weft_problem is what users fill in, with defaults and redundancy;
 * wf_problem is what is left when every default is written out and every
 * dimension that does nothing is gone.  Two descriptors that mean the same
 * work become the same wf_problem, so memo, cache and wisdom meet.
 */
#ifndef WEFT_PLAN_PROBLEM_H
#define WEFT_PLAN_PROBLEM_H

#include "base/base.h"
#include <weft/weft.h>

typedef struct wf_problem {
    weft_kind kind; /* C2C, R2C, C2R, or R2R for all the real kinds */
    weft_type type;
    weft_sign sign;   /* R2C forward, C2R inverse, R2R forward */
    double scale;     /* the normalisation resolved to a number */
    double scale_low; /* what it leaves of it; compensated f64 only, else 0 */
    int slices;       /* precision slices only, else 0 */
    weft_precision precision; /* FAST where a mode makes no difference */
    double target;            /* > 0: the mode is to be chosen */
    bool ortho; /* R2R: end elements are scaled, too, as weft.h says */
    bool split, in_place, scrambled;
    bool empty;         /* some batch n is 0: nothing to do */
    int threads;        /* >= 1 */
    weft_engine engine; /* not AUTO: CPU */
    int rank;  /* dims: n >= 2 each, in the user's order; the last one of R2C
                  and C2R is the real one, always there, n >= 1 */
    int loops; /* loop: n >= 2 each, outermost (largest stride) first;
                     neighbours that walk memory as one are merged */
    weft_dim dim[WEFT_MAX_RANK];    /* logical n; strides of the real side */
    weft_dim loop[WEFT_MAX_RANK];   /* count reals, of the complex complex */
    weft_kind kinds[WEFT_MAX_RANK]; /* R2R: of each dim */
    int64_t total; /* product of all n, transformed and batch */
} wf_problem;

/* "c2c", "r2c", ... "rodft11"; of R2R "r2r". */
const char *wf_kind_name(weft_kind kind);
/* One of R2HC .. RODFT11: real vectors of one length on both sides. */
bool wf_kind_is_real(weft_kind kind);
/* Is it this cosine kind, or the sine kind of its type? */
static inline bool wf_kind_is_type(weft_kind kind, weft_kind cosine)
{
    return kind == cosine || kind == cosine + (WEFT_RODFT00 - WEFT_REDFT00);
}
/* The kind of one axis. */
static inline weft_kind wf_axis_kind(const wf_problem *canonical, int axis)
{
    return canonical->kind == WEFT_R2R ? canonical->kinds[axis]
                                       : canonical->kind;
}
/* Does an orthogonal matrix of this kind scale end elements apart? */
bool wf_kind_has_ends(weft_kind kind);

/* The two sides of a problem: where samples come from and go to. */
typedef enum wf_side { WF_INPUT, WF_OUTPUT } wf_side;
/* Do this side's elements have an imaginary part? */
static inline bool wf_side_is_complex(weft_kind kind, wf_side side)
{
    return kind == WEFT_C2C ||
           kind == (side == WF_INPUT ? WEFT_C2R : WEFT_R2C);
}
/* Elements that a transformed dimension of n has on this side; `last`: it is
 * the one that R2C and C2R halve. */
static inline int64_t wf_side_length(weft_kind kind, wf_side side, bool last,
                                     int64_t n)
{
    bool half = last && (kind == WEFT_R2C || kind == WEFT_C2R) &&
                wf_side_is_complex(kind, side);
    return half ? n / 2 + 1 : n;
}
/* The same of dim[index]. */
int64_t wf_dim_length(const wf_problem *canonical, int index, wf_side side);
/* Is there one element in every dimension, so that nothing is transformed? */
bool wf_problem_is_copy(const wf_problem *canonical);
/* All elements of a side, and the reals from one element to the next. */
int64_t wf_side_count(const wf_problem *canonical, wf_side side);
int wf_side_scalars(const wf_problem *canonical, wf_side side);
/* In place, and each row of reals lies on its own complex numbers (or, of one
 * kind on both sides, each element on its own place). */
bool wf_problem_overlays(const wf_problem *canonical);

/* Makes one loop of each two that walk memory as one, on both sides. */
void wf_merge_loops(weft_dim *loop, int *count);

/* Everything weft_problem_check promises to refuse. */
weft_status wf_problem_check(const weft_problem *problem);
/* Checks and canonicalises. */
weft_status wf_problem_canonical(const weft_problem *problem,
                                 wf_problem *canonical);
/* The notation of weft.h. */
weft_status wf_problem_parse(const char *text, weft_problem *problem);
weft_status wf_problem_print(const weft_problem *problem, wf_text *text);
/* "auto", "cpu", ...; NULL: there is none. */
const char *wf_engine_name(weft_engine engine);
/* "fast", ..., as in the notation (slices without their number). */
const char *wf_precision_name(weft_precision precision);
/* modes.c: why a precision is not for a problem of the real kinds, R2HC and
 * later, with `rank` dimensions of two elements and more; NULL: it is. */
const char *wf_mode_misfit(weft_precision precision, weft_type type, int rank,
                           bool ortho, weft_kind kind);
/* One text for one canonical problem: the key of cache and wisdom. */
void wf_problem_key(const wf_problem *canonical, wf_text *text);
weft_status wf_problem_extent(const weft_problem *problem,
                              weft_extent *extent);

#endif
