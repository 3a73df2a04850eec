/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fourstep.h - the factors of a bound four-step, for who takes its trips
 * otherwise (joined_fourstep.c).
 *
 * That of row k1 and column j2 is w^(k1 j2): of whole blocks of columns, the one
 * that begins at `start` times its width, a number for each row times one for each
 * row and lane.
 */
#ifndef WEFT_CPU_FOURSTEP_H
#define WEFT_CPU_FOURSTEP_H

#include "cpu/node.h"

/* [n1][2 width]: re of a row, then im. */
const void *wf_fourstep_lanes(const wf_node *fourstep);
/* [n1] complex, in a table or in `row`, which is room for them. */
const void *wf_fourstep_start(const wf_node *fourstep, int64_t start,
                              void *row);

#endif
