/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.h - spectra of fixed sequences, for convolutions of this engine.
 */
#ifndef WEFT_CPU_SPECTRUM_H
#define WEFT_CPU_SPECTRUM_H

#include "cpu/node.h"

/* What mathematics says of a spectrum B of m numbers before it is computed. */
typedef enum wf_symmetry {
    /* b[-q] = b[q]: B[-k] = B[k] (Bluestein's chirp) */
    WF_SYMMETRY_EVEN,
    /* b[q + m/2] = conj b[q]: B[-k] = (-1)^k conj B[k], and `gauss` is known
     * (Rader's roots) */
    WF_SYMMETRY_TURNED
} wf_symmetry;

typedef struct wf_sequence {
    int64_t m;            /* numbers: complex, or reals */
    wf_symmetry symmetry; /* of a complex spectrum */
    double energy;        /* sum of |b[q]|^2 */
    /* Rader's of a prime n: B[0] = -1 and |B[k]|^2 = n (a Gauss sum); 0: not
     * known. */
    int64_t gauss;
    double factor; /* of the spectrum, beside 1/m */
} wf_sequence;

/* The sequence in `table` becomes factor/m times its spectrum, of m complex
 * numbers or, for reals, m/2 + 1.  `transform` is the convolution's own: of m
 * numbers, in place, not scaled; scratch: as much as it wants. */
void wf_spectrum(const wf_node *transform, const wf_sequence *sequence,
                 void *table, void *scratch);
/* The same of a sequence of no symmetry, whose `energy` is not known better
 * than about.  image: m numbers, overwritten. */
void wf_plain_spectrum(const wf_node *transform, const wf_sequence *sequence,
                       void *table, void *image, void *scratch);
/* The spectrum of the sequence read backwards. */
void wf_spectrum_image(wf_real real, int64_t m, const void *table,
                       void *image);
weft_status wf_real_spectrum(const wf_node *transform,
                             const wf_sequence *sequence, void *table);

#endif
