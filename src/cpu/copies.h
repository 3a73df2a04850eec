/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies.h - steps that only move or scale samples.
 */
#ifndef WEFT_CPU_COPIES_H
#define WEFT_CPU_COPIES_H

#include "cpu/node.h"

typedef enum wf_form { WF_INTERLEAVED, WF_SPLIT, WF_REAL } wf_form;

/* copies.c: a node that copies all elements of `dims` (strides in elements) from
 * in to out, which are not the same memory. */
weft_status wf_bind_copies(const wf_binder *binder, const weft_dim *dims,
                           int count, wf_form format, wf_node **node);
/* exchange.c: the same in place, of a layout that wf_exchanged tells. */
weft_status wf_bind_exchange(const wf_binder *binder, const weft_dim *dims,
                             int count, wf_form format, wf_node **node);
/* scale.c: all elements of the output of `dims`, times scale. */
weft_status wf_bind_scale(const wf_binder *binder, const weft_dim *dims,
                          int count, wf_form format, double scale,
                          wf_node **node);

/* Items of so many bytes are numbers to the kernels of floats, and, of doubles, so
 * many to those of doubles, whatever they are. */
enum { WF_FLOATS_NUMBER = 8, WF_DOUBLES_NUMBER = 16 };

#endif
