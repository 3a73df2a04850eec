/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined.h - Bluestein's convolution by a Stockham transform whose ends meet
 * the products in the first cache.
 */
#ifndef WEFT_CPU_JOINED_H
#define WEFT_CPU_JOINED_H

#include "cpu/chirps.h"
#include "cpu/move.h"

/* What a transform of m is multiplied by. */
typedef struct wf_part {
    const void *spectrum;             /* m complex */
    const void *chirp_in, *chirp_out; /* Bluestein: n complex */
} wf_part;

struct stockham;

/* Numbers only, fixed by binding. */
typedef struct wf_joined {
    const struct stockham *transform;
    const wf_kernel *begin, *end; /* its first and last passes, in blocks */
    wf_mover mover;
    int width;
    int64_t n, m;
    int threads; /* 2: each its half of the columns, then one of the parts */
    int rows;    /* common multiple of the two passes' radices */
    int64_t begin_span, span, end_span; /* columns of a block, at most */
    int64_t begin_blocks, end_blocks;
    size_t array, block, below; /* bytes: of m complex, of the buffer, of
                                   what passes between need */
    size_t scratch;             /* of all that and more arrays */
} wf_joined;

/* For a transform of n over `child`, which `step` became.  False: it is none
 * that this can be done with. */
bool wf_joined_bind(const wf_step *step, const wf_node *child, int64_t n,
                    int threads, wf_joined *joined);
/* Both parts' spectra, m numbers each, in the form and the order in which they
 * are used, of the conjugate of the first in its own order and number 0 again
 * behind the last. */
void wf_joined_spectra(const wf_joined *joined, const void *from,
                       void *const to[2]);
void wf_joined_run(const wf_joined *joined, const wf_part part[2],
                   const void *in, void *out, char *scratch);

#endif
