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

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

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

/* The table of this ISA; the scalar one when it is not compiled in.  Never
 * NULL.  The CPU must have the ISA. */
const wf_hand_f64 *wf_hand_f64_for(wf_isa isa);
const wf_hand_f32 *wf_hand_f32_for(wf_isa isa);

#endif
