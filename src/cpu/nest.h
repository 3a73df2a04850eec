/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nest.h - loops around a step: a flat index to offsets, and a split of the
 * flat range over threads.
 */
#ifndef WEFT_CPU_NEST_H
#define WEFT_CPU_NEST_H

#include "cpu/node.h"

/* Offsets in scalars. */
typedef struct wf_loop {
    int64_t n;
    ptrdiff_t is, os;
} wf_loop;

typedef struct wf_nest {
    int loops;
    int64_t count;                   /* product of n; 1 without loops */
    wf_loop loop[2 * WEFT_MAX_RANK]; /* innermost last */
} wf_nest;

typedef struct wf_cursor {
    ptrdiff_t in, out;
    int64_t index[2 * WEFT_MAX_RANK];
} wf_cursor;

/* Reals an element on either side. */
void wf_nest_add(wf_nest *nest, weft_dim dim, int in_scalars, int out_scalars);
void wf_cursor_set(const wf_nest *nest, int64_t flat, wf_cursor *cursor);
void wf_cursor_next(const wf_nest *nest, wf_cursor *cursor);

/* Part `part` of `parts` of 0..units-1: parts that are equal, but for one unit. */
typedef struct wf_range {
    int64_t begin, end;
} wf_range;
static inline wf_range wf_cut(int64_t units, int64_t part, int64_t parts)
{
    if (parts == 1) /* no division */
        return (wf_range){0, units};
    return (wf_range){units * part / parts, units * (part + 1) / parts};
}

/* Bytes of samples for which another thread pays where it exchanges them before
 * every pass.  How many share phases (base.h) of so many bytes, with `least` each. */
enum { WF_EXCHANGED_BYTES = 128 << 10 };
static inline int64_t wf_parts_for(int threads, int64_t bytes, int64_t least)
{
    int64_t parts = bytes / least < threads ? bytes / least : threads;
    return parts < 1 ? 1 : parts < WF_PHASE_PARTS ? parts : WF_PHASE_PARTS;
}

/* Runs work(node, at, scratch, begin, end) over 0..units-1 in one call, or in
 * `threads` calls on slices of scratch `slice` bytes apart. */
typedef void wf_work(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end);
void wf_run_units(const wf_node *node, const wf_samples *at, char *scratch,
                  int threads, int64_t units, size_t slice, wf_work *work);

#endif
