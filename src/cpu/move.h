/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move.h - the hand-written kernels, for nodes that do not care about the
 * type.  Strides as in hand.h.
 */
#ifndef WEFT_CPU_MOVE_H
#define WEFT_CPU_MOVE_H

#include "cpu/node.h"

/* The hand kernels of one type at one ISA level. */
typedef struct wf_mover {
    wf_real real;
    const wf_hand_f64 *f64;
    const wf_hand_f32 *f32;
} wf_mover;

static inline wf_mover wf_mover_of_isa(wf_real real, wf_isa isa)
{
    return (wf_mover){real, real == WF_F64 ? wf_hand_f64_for(isa) : NULL,
                      real == WF_F32 ? wf_hand_f32_for(isa) : NULL};
}

static inline wf_mover wf_mover_best(wf_real real)
{
    return wf_mover_of_isa(real, (wf_isa)wf_cpu_isa());
}

/* For what needs the widest registers: they may be those of a lesser level. */
static inline wf_mover wf_mover_widest(const wf_binder *binder)
{
    const int width = wf_cpu_widths(binder->type)[0];
    return wf_mover_of_isa(binder->real, wf_isa_of_width(binder->real, width));
}

#define WF_MOVE(mover, function, ...)                              \
    ((mover)->real == WF_F64 ? (mover)->f64->function(__VA_ARGS__) \
                             : (mover)->f32->function(__VA_ARGS__))

/* Is it in the table, where not every one has it? */
#define WF_HAS(mover, function)                               \
    ((mover)->real == WF_F64 ? (mover)->f64->function != NULL \
                             : (mover)->f32->function != NULL)

/* Are vectors cache lines? */
static inline bool wf_mover_has_lines(const wf_mover *m)
{
    return m->real == WF_F64 ? m->f64->lanes == 8 : m->f32->lanes == 16;
}

/* Bytes of a row that should be written together, of rows `apart` bytes from each
 * other.  Rows as far apart as a page lie in the same sets of the first cache, as
 * those of half a page do by turns: where the stores under way meet in few sets,
 * each evicts a line that another has fetched.  So they should spread over an
 * eighth of all sets. */
static inline size_t wf_row_piece(ptrdiff_t apart)
{
    const size_t grain = (size_t)apart | WF_PAGE;
    return (grain & -grain) / 8;
}

#endif
