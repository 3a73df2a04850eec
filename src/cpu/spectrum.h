/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.h - the spectrum of a fixed sequence, made with care.
 */
#ifndef WEFT_CPU_SPECTRUM_H
#define WEFT_CPU_SPECTRUM_H

#include "cpu/node.h"

/* table = 1/n times the transform (of the binder's sign) of n interleaved
 * complex doubles, rounded once to the binder's type. */
weft_status wf_make_spectrum(const wf_binder *binder, const double *sequence,
                             int64_t n, void *table);

#endif
