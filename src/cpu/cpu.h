/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu.h - the CPU engine: trees bound to kernels, tables and scratch.
 *
 * A wf_program is immutable once bound, except for its pool of scratch
 * blocks, which is atomic.  Executing decides nothing.
 */
#ifndef WEFT_CPU_CPU_H
#define WEFT_CPU_CPU_H

#include "kernel/hand/hand.h"
#include "kernel/pass.h"
#include "plan/engine.h"

/* Runs what it is given on samples that are not split, without scratch. */
typedef void wf_plain_run(const void *what, const void *in, void *out);
typedef struct wf_plain {
    wf_plain_run *run; /* NULL: there is no such way */
    const void *what;
} wf_plain;

/* The same on samples that are split. */
typedef void wf_plain_split_run(const void *what, const void *in_re,
                                const void *in_im, void *out_re, void *out_im);
typedef struct wf_plain_split {
    wf_plain_split_run *run;
    const void *what;
} wf_plain_split;

/* A generated kernel, to be called with (in, out, count, in_dist, out_dist,
 * table). */
typedef struct wf_leaf_call {
    wf_leaf *run;
    const void *table;
    size_t count;
    ptrdiff_t in_dist, out_dist;
} wf_leaf_call;

extern const wf_engine wf_cpu_engine;

/* Bytes of samples, on both sides, that are worth a second thread; 0 in tests, which
 * have few and want all cuts. */
extern double wf_cpu_shared_from;

weft_status wf_cpu_bind(const wf_problem *problem, const wf_step *tree,
                        wf_program **program);
/* Interleaved: *_im are NULL.  Thread-safe, re-entrant. */
void wf_cpu_execute(const wf_program *program, const void *in_re,
                    const void *in_im, void *out_re, void *out_im);
void wf_cpu_release(wf_program *program);

/* For a program that is transforms by one generated kernel, one after the other:
 * the call to make in place of wf_cpu_execute, whose own way would cost as much
 * again at n = 4.  run is NULL for any other program. */
wf_leaf_call wf_cpu_leaf(const wf_program *program);
/* The same of any program that has such a way; its samples must not be split, or
 * must be. */
wf_plain wf_cpu_plain(const wf_program *program);
wf_plain_split wf_cpu_plain_split(const wf_program *program);

size_t wf_cpu_table_bytes(const wf_program *program);
size_t wf_cpu_scratch_bytes(const wf_program *program);
/* order[i] = frequency at position i, for scrambled rank-1 programs (and the
 * identity for natural ones). */
void wf_cpu_order(const wf_program *program, int64_t *order, int64_t n);
/* Which steps run tuned code, the figures "tuned_steps" and "tunable_steps",
 * and the code that could be compiled for one of these. */
void wf_cpu_explain(const wf_program *program, wf_text *text);
bool wf_cpu_figure(const wf_program *program, const char *name, double *value);
weft_status wf_cpu_source(const wf_program *program, int part, wf_text *text);
/* The report of weft_info: features, caches, kernels. */
void wf_cpu_report(wf_text *text);

#endif
