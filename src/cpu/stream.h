/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - output past the caches while input is fetched.
 */
#ifndef WEFT_CPU_STREAM_H
#define WEFT_CPU_STREAM_H

#include "cpu/move.h"

enum {
    WF_STREAM_EARLY = 4096 /* fetched before a transform: as much as the
                              processor keeps in flight */
};

/* How a processor takes what its caches do not hold, which is input and output of
 * `least` bytes and more, in slices `slices`.  Columns that reach over more than `far`
 * bytes are read in pieces of so many bytes of a row.  Of those that reach over more
 * than `reach` the next ones are fetched by instructions meanwhile (ahead), and the
 * rows of the butterfly `rows` on that is read, and `written` on that is written (0:
 * are not).  Streamed rows of `row` bytes of input are fetched.  Of rows of 1 KiB and
 * more `group` bytes are written together, while the group `groups` on is fetched,
 * `early` bytes of it before the transforms and the rest by turns with what is written,
 * at least `turn` bytes at a time; but the next group, 4 KiB of it before, if rows are
 * longer than a page and are from half spectra, or up to `kept` bytes with their input
 * and no other axis comes between (0: all alike).  In place rows of up to `apart` bytes
 * are transformed where they are, and others, too, if all are less than `all_apart`.
 * Of the rows of slices the one `next` bytes on is fetched, or the third.  What is only
 * moved has its `lines` of the output fetched before they are written.  Cosine
 * transforms of type III of up to `joined` bytes, of floats and of doubles, make their
 * pass where a four-step reads.  Of real vectors side by side `abreast` bytes of each
 * row are brought, and written past the caches, together (0: are not).  Self-sorting
 * passes have a third array in place over `third_from` bytes and more, and those of 512
 * bits over up to `third`, so that the last one rewrites lines that are in the cache;
 * between the two the second cache holds two arrays and not three
 * (docs/performance.md). */
typedef struct wf_streaming {
    size_t least, slices, far, piece, reach;
    bool ahead;
    int rows, written;
    size_t row, group;
    int groups;
    size_t early, turn, kept, apart, all_apart, next;
    bool lines;
    size_t joined[WF_REAL_COUNT];
    size_t third, third_from, abreast;
} wf_streaming;

/* Of the processor that this is, or is taken for (WEFT_CORE). */
wf_streaming wf_streaming_here(void);

/* Complex numbers of input and output that caches do not keep. */
static inline bool wf_stream_pays(int64_t numbers, size_t bytes)
{
    return (size_t)numbers * 2 * bytes >= wf_streaming_here().least;
}

static inline bool wf_stream_pays_in_slices(int64_t numbers, size_t bytes)
{
    return (size_t)numbers * 2 * bytes >= wf_streaming_here().slices;
}

/* What is still to be fetched; inlined as wf_fetch is. */
typedef struct wf_ahead {
    const char *next, *end;
} wf_ahead;

static inline __attribute__((always_inline)) void wf_ahead_fetch(wf_ahead *a,
                                                                 size_t bytes)
{
    size_t left = (size_t)(a->end - a->next);
    bytes = bytes < left ? bytes : left;
    wf_fetch(a->next, bytes);
    a->next += bytes;
}

#endif
