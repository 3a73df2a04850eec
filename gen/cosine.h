/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cosine.h - cosine transforms of odd length as graphs, for those of twice it and more.
 */
#ifndef GEN_COSINE_H
#define GEN_COSINE_H

#include "program.h"

/* Sums of x[j] cos(pi k (2j+1) / 2n); of x[k] cos of the same, by j; of x[j]
 * cos(pi (2k+1) (2j+1) / 4n), times sqrt(2). */
void cosine_odd_second(const builder *b, int n, const int *x, int *y);
void cosine_odd_third(const builder *b, int n, const int *x, int *y);
void cosine_odd_fourth(const builder *b, int n, const int *x, int *y);

#endif
