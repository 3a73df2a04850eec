/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.h - spectra of fixed sequences, for convolutions of this engine.
 */
#ifndef WEFT_CPU_SPECTRUM_H
#define WEFT_CPU_SPECTRUM_H

#include "kernel/hand/spectrum.h"

/* wf_make_spectrum; for floats in doubles, by the plan they would have. */
weft_status wf_fast_spectrum(wf_real real, bool inverse,
                             const double *sequence, int64_t n, void *table);

#endif
