/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chirps.h - what Bluestein's algorithm multiplies by, and the sequence that it
 * convolves with.
 */
#ifndef WEFT_CPU_CHIRPS_H
#define WEFT_CPU_CHIRPS_H

#include "cpu/node.h"

/* Chirps have room for so many zeros more: whole blocks. */
enum { WF_CHIRPS_PAD = 16 };

/* Where they go.  Of one part only [0].  in and out have n numbers and zeros
 * behind them in blocks: re of `width` numbers and then im of them (1:
 * interleaved).  sequence: m numbers, interleaved; of two
 * parts it is the first part's, of which the other is the mirror image. */
typedef struct wf_chirps {
    int64_t n, m;
    int parts, width;
    double scale; /* of out; 1: out[0] and out[1] are in[1] and in[0] */
    void *in[2], *out[2], *sequence;
    /* Two parts by their twists, if span > 0: in[0] and out[0] (scale 1: the same)
     * have the chirp itself, m numbers as `rows` rows, `span` columns after the
     * other; row and column have the twists of the first of each row, one by one,
     * and of the first row, in blocks. */
    int64_t rows, span;
    void *row, *column;
} wf_chirps;

/* work: so many bytes, of no further use.  False: no memory. */
size_t wf_chirps_work(const wf_chirps *chirps);
bool wf_chirps_fill(const wf_binder *binder, const wf_chirps *chirps,
                    void *work);

#endif
