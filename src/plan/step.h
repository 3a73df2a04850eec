/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.h - a plan is plain data: a tree of steps that can be built, checked,
 * printed and parsed, and that touches no sample.
 */
#ifndef WEFT_PLAN_STEP_H
#define WEFT_PLAN_STEP_H

#include "base/base.h"
#include "num/num.h"
#include <weft/weft.h>

typedef enum wf_step_kind {
#define WF_STEP(id, name, fields, children, meaning) WF_STEP_##id,
#include "plan/steps.def"
#undef WF_STEP
    WF_STEP_KIND_COUNT
} wf_step_kind;

enum { WF_MAX_RADICES = 32, WF_MAX_CHILDREN = WEFT_MAX_RANK + 2 };

typedef struct wf_step {
    wf_step_kind kind;
    int axis;         /* A: index into the canonical problem's dim[] */
    int64_t n;        /* N: length transformed */
    weft_kind real;   /* K: R2HC or later */
    int64_t split[2]; /* S: n = split[0] * split[1]; M: split[0]; C: the
                         same, 0: none */
    wf_scheme scheme; /* F */
    bool emulated;    /* F: no hardware here has the format */
    int width;        /* W: lanes of the kernels */
    int radices;      /* R: how many, in the order of execution */
    int radix[WF_MAX_RADICES];
    bool fused[WF_MAX_RADICES]; /* pass i shares a buffer with pass i+1 */
    int children;
    struct wf_step *child[WF_MAX_CHILDREN];
    double cost;  /* of the model: nanoseconds of one execution, with all
                     that is below it */
    double flops; /* real operations, the same way */
    double error; /* the error law's growth, in u: see accuracy.c */
} wf_step;

/* Is it a transform of one vector; of one to a half spectrum or back; of one
 * of the real kinds? */
static inline bool wf_step_is_transform(wf_step_kind kind)
{
    return kind >= WF_STEP_LEAF;
}
static inline bool wf_step_is_real(wf_step_kind kind)
{
    return kind >= WF_STEP_REAL_LEAF && kind < WF_STEP_HALVED;
}
static inline bool wf_step_is_r2r(wf_step_kind kind)
{
    return kind >= WF_STEP_HALVED;
}

/* An axis by the whole of another problem, a rank. */
static inline bool wf_step_has_part(wf_step_kind kind)
{
    return kind == WF_STEP_EMBEDDED || kind == WF_STEP_PAIRED;
}

/* Does the transform multiply by a scale, of samples that are not split? */
bool wf_step_scales(const struct wf_step *step);

/* Columns in lanes, whatever they are transformed by. */
static inline bool wf_step_is_column(const struct wf_step *step)
{
    return step->kind == WF_STEP_COLUMN || step->kind == WF_STEP_CONVOLVED;
}

/* By the definition: of one vector or, below cols, of neighbours. */
static inline bool wf_step_is_dense(const struct wf_step *step)
{
    return step->kind == WF_STEP_DENSE || step->kind == WF_STEP_DIRECT;
}

/* `spectral` by the kernel of reals anywhere, one at a time (cpu/lone.c). */
static inline bool wf_step_is_lone(const struct wf_step *step)
{
    return step->kind == WF_STEP_SPECTRAL &&
           step->child[0]->kind == WF_STEP_REAL_COLUMN;
}

/* `spectral` of even n otherwise: halfcomplex rows, of a block at a time
 * (cpu/halves.c). */
static inline bool wf_step_is_halves(const struct wf_step *step)
{
    return step->kind == WF_STEP_SPECTRAL && step->n % 2 == 0;
}

/* A real transform, or a real kind, of several vectors side by side. */
static inline bool wf_step_is_abreast(const struct wf_step *step)
{
    return step->kind == WF_STEP_LANED || step->kind == WF_STEP_REAL_LANED ||
           (step->kind == WF_STEP_LANES && step->width > 1);
}

/* Can the first and the last pass of this transform go block by block through
 * the first cache, with the products of a convolution between (cpu/joined.c), and
 * does it pay?  The rows of a block, which are whole butterflies of both; 0: no. */
int wf_step_joined_rows(const wf_step *step);
/* Can the trips of this four-step, of scalars of so many bytes
 * (cpu/joined_fourstep.c)? */
bool wf_step_joins_trips(const wf_step *step, size_t bytes);

/* Can this step read (inverse: write) samples that are in the order of a cosine
 * transform (cpu/zipped.h), in one of its passes or trips? */
bool wf_step_zips(const wf_step *step, bool inverse);
/* Does such a four-step, inverse, of scalars of so many bytes, make its input of reals
 * (halved)? */
bool wf_step_takes_half(const wf_step *step, size_t bytes);

/* NULL when there is no memory. */
wf_step *wf_step_new(wf_step_kind kind, int64_t n);
wf_step *wf_step_copy(const wf_step *step);
void wf_step_free(wf_step *step); /* the whole tree; NULL is nothing */
void wf_step_adopt(wf_step *parent, wf_step *child);

const char *wf_step_name(wf_step_kind kind);
const char *wf_step_fields(wf_step_kind kind);

/* "(rows 0 (stockham 1024 w8 16+8.8))" */
void wf_step_print(const wf_step *step, wf_text *text);
void wf_step_explain(const wf_step *step, int depth, wf_text *text);
/* Builds a tree from its text and checks what a tree says about itself
 * (products of radices and splits, child counts, lengths of children);
 * whether it fits a problem and a machine is the engine's to say. */
weft_status wf_step_parse(const char *text, wf_step **step);

#endif
