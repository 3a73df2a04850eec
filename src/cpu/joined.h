/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined.h - Bluestein's convolution of two parts by a transform whose ends meet
 * the products in a cache.
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

/* ---- joined_rows.c: the user's side -------------------------------------- */

/* Both parts' chirps as products: the chirp itself, in spans of columns one after
 * the other, zeros behind n; and its twist, of a row times of a column, the latter
 * in blocks. */
typedef struct wf_twists {
    const void *in, *out, *row, *column;
    int64_t span;
} wf_twists;

/* n numbers as rows of `columns`, zeros behind them.  `span` neighbouring columns
 * from q on are a block: row for row, in blocks of `width`. */
typedef struct wf_joined_rows {
    wf_mover mover;
    size_t bytes; /* of a scalar */
    int width;
    int64_t n, rows, columns;
    wf_twists twists;
    const wf_part *part; /* two, with chirps; NULL: by the twists */
} wf_joined_rows;

/* Times the chirps, to a block for each part; and the sum of both, times theirs. */
void wf_joined_read(const wf_joined_rows *rows, const void *in, int64_t q,
                    int64_t span, char *const block[2]);
void wf_joined_write(const wf_joined_rows *rows, char *const block[2],
                     int64_t q, int64_t span, void *out);

/* ---- Tables -------------------------------------------------------------- */

/* The order of m numbers in which spectra are used: of an array of `rows` rows
 * `span` columns together (of the last ones what is left), row for row, in blocks
 * of `width`. */
typedef struct wf_joined_order {
    int width;
    int64_t rows, m, span;
} wf_joined_order;

/* Both parts' spectra (to[1] NULL: the first), m numbers each, in the form and the
 * order in which they are used, of the conjugate of the first in its own order. */
void wf_joined_spectra(wf_real real, const wf_joined_order *order,
                       const void *from, void *const to[2]);

/* ---- joined.c: by a Stockham transform ----------------------------------- */

struct stockham;

/* Numbers only, fixed by binding. */
typedef struct wf_joined {
    const struct stockham *transform;
    const wf_kernel *begin, *end; /* its first and last passes, in blocks */
    wf_mover mover;
    int64_t n;
    int threads; /* 2: each its half of the columns, then one of the parts */
    wf_joined_order
        order; /* rows: common multiple of the two passes' radices */
    int64_t begin_span, end_span; /* columns of a block, at most */
    int64_t begin_blocks, end_blocks;
    size_t array, block, below; /* bytes: of m complex, of the buffer, of
                                   what passes between need */
    size_t scratch;             /* of all that and more arrays */
} wf_joined;

/* For a transform of n over `child`, which `step` became.  False: it is none
 * that this can be done with. */
bool wf_joined_bind(const wf_step *step, const wf_node *child, int64_t n,
                    int threads, wf_joined *joined);
void wf_joined_run(const wf_joined *joined, const wf_part part[2],
                   const void *in, void *out, char *scratch);

/* ---- joined_fourstep.c: by a four-step ----------------------------------- */

typedef struct wf_joined_fourstep {
    const wf_node *fourstep; /* its factors */
    /* Of n1 from a span to packed rows, and the other way, and of n2; [0] of the
     * four-step's sign, [1] of the other one. */
    const wf_node *forth[2], *back[2], *row[2];
    wf_joined_rows users; /* n1 x n2 */
    int64_t blocks;       /* of columns, in a span */
    ptrdiff_t strip;      /* scalars from one to the next */
    bool past;            /* tiles go past the caches */
    int threads;
    size_t array, span, block, factors; /* bytes */
    size_t slice, scratch;              /* of a thread, of all */
} wf_joined_fourstep;

/* For a transform of n over the child of `node`, which `step` became and which
 * wf_step_joins_trips knows; binds more children of `node`.  What it is to know
 * beside that: users.twists. */
weft_status wf_joined_fourstep_bind(const wf_binder *binder,
                                    const wf_step *step, wf_node *node,
                                    int64_t n, wf_joined_fourstep *joined);
/* The order of its spectrum: rows, `width` of them together. */
wf_joined_order wf_joined_fourstep_order(const wf_joined_fourstep *joined);
/* spectrum: of the first part. */
void wf_joined_fourstep_run(const wf_joined_fourstep *joined,
                            const void *spectrum, const void *in, void *out,
                            char *scratch);

#endif
