/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stockham.h - a bound stockham step: numbers only, from which it is run
 * (stockham.c) and from which C code for it alone is written
 * (stockham_tuned.c).
 */
#ifndef WEFT_CPU_STOCKHAM_H
#define WEFT_CPU_STOCKHAM_H

#include "cpu/zipped.h"
#include "kernel/tuned.h"

/* The two files' own names.  What run reads from these must be in the key of
 * stockham_tuned.c, and in its code; a node of which that is not so must be
 * NULL for wf_stockham_of. */

typedef enum place { IN, OUT, SCRATCH_A, SCRATCH_B } place;

/* One kernel call, or two through the buffer. */
typedef struct pass {
    const wf_kernel *kernel, *second; /* second: fused, else NULL */
    wf_pass_args args, second_args;
    wf_pass_args tail; /* one more call for the lanes left over */
    bool has_tail;
    ptrdiff_t tail_in, tail_out;
    const void *table, *tail_table, *second_table;
    place from, to;
    /* Fused: the loops around the two calls. */
    int64_t outer, inner;
    ptrdiff_t outer_in, inner_in, outer_out, inner_out;
    ptrdiff_t inner_table, inner_second_table;
} pass;

typedef struct stockham {
    wf_node node;
    int passes;
    bool planes; /* in scratch */
    bool apart;  /* the caller's samples are in two arrays */
    int width;
    size_t plane;  /* scalars from re to im in scratch */
    size_t buffer; /* byte offset of the fused pairs' buffer in scratch */
    size_t b;      /* byte offset of scratch B */
    bool beside;   /* scratch begins half a page from the output */
    wf_tuned_run *tuned; /* in place of the passes, or NULL */
    /* Threads that share each pass, 1: none; with a buffer each, `slice` bytes
     * apart; all after the first pass on columns of their own. */
    int64_t parts;
    size_t slice;
    bool own_columns;
    /* At a zipped end: how samples come to tiles, of so many bytes and vectors
     * of columns. */
    wf_zipper zipper;
    size_t tile, blocks;
    pass pass[]; /* as many as the step has radices */
} stockham;

/* One end of a pass. */
typedef struct ends {
    void *re, *im;
} ends;

/* Where a node's scratch begins. */
static inline char *wf_stockham_scratch(const stockham *s,
                                        const wf_samples *at, char *scratch)
{
    return s->beside ? wf_beside(scratch, at->out_re) : scratch;
}

/* stockham.c: between which a pass goes; the pass. */
void wf_stockham_ends(const stockham *s, int i, const wf_samples *at,
                      char *room, ends *from, ends *to);
void wf_stockham_pass(const stockham *s, const pass *p, ends from, ends to,
                      char *buffer);

/* stockham_shared.c: the passes by several threads, to the same bits; after
 * binding: by how many, up to so many. */
void wf_stockham_share(int threads, int64_t n, stockham *s);
void wf_stockham_run_shared(const wf_node *node, const wf_samples *at,
                            char *scratch);

/* stockham_zipped.c: the first pass from samples in the order of zipped.h, the
 * last one to them, by way of two tiles. */
void wf_stockham_read_zipped(const stockham *s, const void *in, void *to,
                             char *tiles);
void wf_stockham_write_zipped(const stockham *s, const void *from, void *out,
                              char *tiles);
void wf_stockham_bind_zipped(bool inverse, bool negate, stockham *s);

/* The node as what it is; NULL: a node of another kind. */
const stockham *wf_stockham_of(const wf_node *node);

/* Pass i of blocks that is neither the first nor the last, between two arrays;
 * scratch: as much of the node's as is behind `buffer`. */
void wf_stockham_middle(const stockham *s, int i, void *from, void *to,
                        char *scratch);

/* "stockham 1024 w8 16.8.8 f64 avx512 forward in place". */
void wf_stockham_name(const stockham *s, wf_text *text);
/* C code that does what the node's run does, for weft_plan_source. */
void wf_stockham_source(const stockham *s, wf_text *text);
/* Loaded code that was compiled from the same source, or NULL. */
wf_tuned_run *wf_stockham_find_tuned(const stockham *s);

#endif
