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
    WF_STREAM_EARLY = 4096     /* fetched before a transform: as much as the
                              processor keeps in flight */
};

/* Complex numbers of input and output that caches do not keep. */
static inline bool wf_stream_pays(int64_t numbers, size_t bytes)
{
    return (size_t)numbers * 2 * bytes >= WF_STREAM_LEAST;
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
