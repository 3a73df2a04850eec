/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - output past the caches while input is fetched.
 */
#ifndef WEFT_CPU_STREAM_H
#define WEFT_CPU_STREAM_H

#include "cpu/move.h"

enum {
    WF_STREAM_LINE = 64,
    WF_STREAM_LEAST = 1 << 24, /* bytes of input and output beyond which
                                  caches do not keep them */
    WF_STREAM_EARLY = 4096,    /* fetched before a transform: as much as the
                              processor keeps in flight */
    WF_AHEAD_LEAST = 1 << 22   /* columns that reach over more are fetched */
};

/* Complex numbers of input and output that caches do not keep. */
static inline bool wf_stream_pays(int64_t numbers, size_t bytes)
{
    return (size_t)numbers * 2 * bytes >= WF_STREAM_LEAST;
}

/* How a processor takes what its caches do not hold.  Columns that reach over
 * more than `far` bytes are read in long pieces; the next ones are fetched by
 * instructions meanwhile (ahead), and the rows of the butterfly `rows` on (0:
 * are not).  Of streamed rows of 1 KiB and more `group` bytes are written
 * together, while the group `groups` on is fetched, `early` bytes of it before
 * the transforms. */
typedef struct wf_streaming {
    size_t far;
    bool ahead;
    int rows;
    size_t group;
    int groups;
    size_t early;
} wf_streaming;

/* Ice Lake's servers do better without instructions that fetch columns, and let
 * the third cache serve single lines; what is fetched farther ahead, and smaller
 * groups, were timed on Zen 4 only (docs/performance.md). */
static inline wf_streaming wf_streaming_here(void)
{
    switch (wf_cpu_core_kind()) {
    case WF_CORE_ICELAKE:
        return (wf_streaming){1 << 23, false, 0, 8192, 1, WF_STREAM_EARLY};
    case WF_CORE_ZEN4: return (wf_streaming){1 << 20, true, 2, 3584, 2, 512};
    default: return (wf_streaming){1 << 20, true, 0, 4096, 1, WF_STREAM_EARLY};
    }
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
