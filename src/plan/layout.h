/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - which addresses a problem's dimensions reach.
 */
#ifndef WEFT_PLAN_LAYOUT_H
#define WEFT_PLAN_LAYOUT_H

#include "base/base.h"
#include <weft/weft.h>

/* Offsets stay within +-2^59: times 16 bytes, the largest sample, they fit
 * ptrdiff_t, and a sum of a few of them fits int64_t. */
#define WF_OFFSET_LIMIT (INT64_MAX / 16)

enum { WF_MAX_AXES = 2 * WEFT_MAX_RANK };

/* n elements s apart; `id` is the caller's, to name the axis in a refusal. */
typedef struct wf_axis {
    int64_t n, s;
    int id;
} wf_axis;

typedef enum wf_answer { WF_NO = 0, WF_YES, WF_UNKNOWN } wf_answer;

/* Transformed dimensions 0 .. rank-1, then those of the batch. */
int wf_axis_count(const weft_problem *problem);
weft_dim *wf_axis_at(weft_problem *problem, int index);
const weft_dim *wf_axis_of(const weft_problem *problem, int index);

/* Every stride of every dimension is 0: the packed layout is meant. */
bool wf_layout_is_default(const weft_problem *problem);
/* Writes the packed strides.  False, with the axis at which the product of
 * sizes passes WF_OFFSET_LIMIT, when they do not fit. */
bool wf_layout_pack(weft_problem *problem, int *axis);
/* The strides that matter (n >= 2) are the packed ones. */
bool wf_layout_is_packed(const weft_problem *problem);

/* Do different indices reach different addresses?  Needs n >= 2, s != 0,
 * a total extent within WF_OFFSET_LIMIT and count <= WF_MAX_AXES.  Unless
 * the answer is WF_YES, *id names an axis of the collision. */
wf_answer wf_layout_distinct(const wf_axis *axes, int count, int *id);

/* Do two lists of axes reach the same addresses relative to their lowest?
 * Needs the same as wf_layout_distinct, and b's addresses distinct. */
bool wf_layout_same(const wf_axis *a, int a_count, const wf_axis *b,
                    int b_count);

#endif
