/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.h - the cheapest order of radices, by dynamic programming.
 *
 * The price of a pass depends only on its radix and on the product s of the
 * radices before it, so the cheapest plan is a shortest path through the
 * divisors of n, from 1 to n.  Two passes fused through a small buffer are
 * one longer edge that pays for its memory once.
 */
#ifndef WEFT_PLAN_PATH_H
#define WEFT_PLAN_PATH_H

#include "plan/search.h"

typedef struct wf_path {
    wf_search *search;
    int64_t n;
    int width;
    int largest;      /* no radix above this */
    bool fuse;        /* may passes share a buffer? */
    bool column;      /* a COLUMN step's passes; of no other: STOCKHAM's */
    int64_t row;      /* bytes from row to row of columns; 0: not known */
    bool half;        /* passes over half spectra; width: the widest */
    bool interleaved; /* an INTERLEAVED step's */
    bool apart;       /* a STOCKHAM step's from and to two arrays */
    double most;      /* dearer paths need not be found; 0: all are wanted */
} wf_path;

/* Sets radix[], fused[] and radices of `step`.  False when no path exists
 * (a prime factor without a kernel, columns narrower than the width), or all
 * that do are dearer than `most`. */
bool wf_path_cheapest(const wf_path *path, wf_step *step);

#endif
