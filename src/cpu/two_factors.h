/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two_factors.h - what binders of n = n1 n2 share.
 */
#ifndef WEFT_CPU_TWO_FACTORS_H
#define WEFT_CPU_TWO_FACTORS_H

#include "cpu/node.h"

/* table[r][c] = scale * w^(r c), w the root of the transform's sign. */
weft_status wf_bind_matrix_twiddles(wf_node *node, const wf_binder *binder,
                                    int64_t rows, int64_t cols, double scale,
                                    const void **twiddles);
/* Both children of a step, in place, single-threaded. */
weft_status wf_bind_two_children(const wf_binder *binder, const wf_step *step,
                                 wf_node *node);

#endif
