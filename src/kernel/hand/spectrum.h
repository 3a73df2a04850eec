/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.h - the spectrum of a fixed sequence, made with care.
 */
#ifndef WEFT_KERNEL_HAND_SPECTRUM_H
#define WEFT_KERNEL_HAND_SPECTRUM_H

#include "base/base.h"
#include "kernel/isa.h"

/* table = 1/n times the transform of n interleaved complex doubles, rounded
 * once to the type of the table. */
weft_status wf_make_spectrum(wf_real real, bool inverse,
                             const double *sequence, int64_t n, void *table);

#endif
