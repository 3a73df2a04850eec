/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies.h - steps that only move or scale samples.
 */
#ifndef WEFT_CPU_COPIES_H
#define WEFT_CPU_COPIES_H

#include "cpu/node.h"

typedef enum wf_form { WF_INTERLEAVED, WF_SPLIT, WF_REAL } wf_form;

/* A node that copies all elements of `dims` (strides in elements) from in to
 * out, times scale.  Both sides have the same format. */
weft_status wf_bind_copies(const wf_binder *binder, const weft_dim *dims,
                           int count, wf_form format, double scale,
                           wf_node **node);

#endif
