/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * r2r.h - the passes of r2r.c, for those who run them on other layouts.
 */
#ifndef WEFT_CPU_R2R_H
#define WEFT_CPU_R2R_H

#include "cpu/node.h"
#include "plan/problem.h"

static inline bool wf_r2r_is_sine(weft_kind kind)
{
    return kind >= WEFT_RODFT00;
}

/* The pass of `halved` beside the child, back: before it; that of type IV on
 * one side.  The tables are the node's. */
weft_status wf_r2r_halved_pass(const wf_binder *binder, wf_node *node,
                               const wf_step *step, const wf_usage *usage,
                               bool back, wf_r2r_pass *pass);
/* That of `spectral`, of any n. */
weft_status wf_r2r_spectral_pass(const wf_binder *binder, wf_node *node,
                                 weft_kind kind, int64_t n,
                                 const wf_usage *usage, bool back,
                                 wf_r2r_pass *pass);
weft_status wf_r2r_quarter_pass(const wf_binder *binder, wf_node *node,
                                const wf_step *step, double scale,
                                wf_r2r_pass *pass);

/* One row pair of a table: scale exp(2 pi i (start + k step) / order). */
typedef struct wf_r2r_row {
    int64_t start, step;
    double scale;
} wf_r2r_row;

/* Rows of ld numbers, re and im of each row pair in turn. */
weft_status wf_r2r_rows(const wf_binder *binder, void *table, size_t ld,
                        uint64_t order, const wf_r2r_row *rows, int count);

#endif
