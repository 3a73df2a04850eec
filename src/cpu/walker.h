/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walker.h - what rows, streamed, cols and buffered share: one loop cut into
 * blocks, inside all the others, in any order and by any number of threads.
 *
 * The cut depends on the problem alone, never on timing, so results have the
 * same bits for any number of threads.
 */
#ifndef WEFT_CPU_WALKER_H
#define WEFT_CPU_WALKER_H

#include "cpu/axis.h"

typedef struct wf_walker wf_walker;

/* Does `count` iterations of the inner loop, the first one at `at`. */
typedef void wf_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count);

/* First member of the three nodes.  outer and inner are set first
 * (wf_axis_split_loops), then wf_walker_cut. */
struct wf_walker {
    wf_node node;
    wf_nest outer;
    wf_loop inner;
    wf_block *run_block;
    int64_t block;  /* iterations in a block */
    int64_t blocks; /* per outer iteration */
    int threads;
    size_t slice; /* bytes of scratch a thread takes */
};

void wf_walker_cut(wf_walker *walker, int64_t block);
/* A last block of no more than `few` iterations is one with that before it. */
void wf_walker_join(wf_walker *walker, int64_t few);
/* A block that gives each thread four, of whole units; all iterations for one
 * thread. */
int64_t wf_walker_share(const wf_walker *walker, int64_t unit);
/* For blocks that go through several planes: one thread takes the innermost of the
 * outer loops out, to do in every block. */
wf_loop wf_walker_planes(wf_walker *walker);
/* More than one block: then the threads work here, else below. */
bool wf_walker_has_many(const wf_walker *walker);
/* One block can be had plainly: `run` of the walker. */
void wf_walker_set_plain(wf_walker *walker, wf_plain_run *run);
void wf_walker_set_plain_split(wf_walker *walker, wf_plain_split_run *run);
/* Adopts the child and reserves `slice` bytes of scratch a thread. */
void wf_walker_finish(wf_walker *walker, wf_node *child, size_t slice);
/* Binds the child, a whole transform, with the threads that do not work here,
 * and adopts it; its scratch follows `buffer` bytes of the walker's own.  The
 * walker is *node then, or freed. */
weft_status wf_walker_bind(wf_walker *walker, const wf_binder *binder,
                           const wf_step *step, const wf_usage *usage,
                           size_t buffer, wf_node **node);

/* rows.c; streamed has it for its groups: `count` transforms of the child, is
 * and os scalars apart. */
void wf_rows_run(const wf_node *child, const wf_samples *at, ptrdiff_t is,
                 ptrdiff_t os, int64_t count, char *scratch);

/* The run of the nodes. */
wf_run wf_walker_run;

#endif
