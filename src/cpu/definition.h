/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * definition.h - the matrix of a short real transform.
 *
 * Numbers are reals; those of half spectra re and im in turn, from X[0] on.
 */
#ifndef WEFT_CPU_DEFINITION_H
#define WEFT_CPU_DEFINITION_H

#include "cpu/node.h"

typedef struct wf_definition {
    weft_kind kind; /* R2C, C2R or a real kind */
    int64_t n;
    bool ortho;
    double scale;
    wf_roots_table roots; /* exp(-2 pi i k/order) */
} wf_definition;

weft_status wf_definition_make(weft_kind kind, int64_t n,
                               const wf_usage *usage, wf_definition *d);
void wf_definition_drop(wf_definition *d);
/* What number j of the input is in number k of the output, scaled. */
double wf_definition_entry(const wf_definition *d, int64_t j, int64_t k);

/* Of a step that is `dense` or `direct`. */
static inline weft_kind wf_dense_kind(const wf_binder *binder,
                                      const wf_step *step)
{
    return step->kind == WF_STEP_DENSE ? step->real
           : binder->inverse           ? WEFT_C2R
                                       : WEFT_R2C;
}

/* Number j of the input in number k of the output of something. */
typedef double wf_entry(const void *what, int64_t j, int64_t k);
/* dense.c: `in` <= WF_ONCE reals times a matrix; in place or not. */
weft_status wf_bind_matrix_of(const wf_binder *binder, int in, int out,
                              wf_entry *entry, const void *what,
                              wf_node **node);

#endif
