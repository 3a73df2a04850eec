/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cplx.h - complex values over a graph, for two layouts of registers.
 *
 * Split: real and imaginary parts are two nodes, multiplication by i is free
 * (the parts trade places and signs travel on).  Interleaved: one node holds
 * re, im, re, im ...; a power of i is carried beside it and costs a swap only
 * when two values of different powers meet.
 *
 * A value also carries a real scale, paid for only when it meets a value of
 * another scale, where a fused multiply-add absorbs it.  Rotations by a fixed
 * angle then cost one fused operation a part: with the angle reduced to
 * [-1/8, 1/8] of a turn,
 *     exp(-it) = cos t (1 - i tan t),   |tan t| <= 1,  cos t >= sqrt(1/2),
 * so no constant is ever large and nothing is lost in range or accuracy.
 */
#ifndef GEN_CPLX_H
#define GEN_CPLX_H

#include "dag.h"

typedef struct builder {
    dag *g;
    int interleaved;
    int sign; /* -1 forward: exp(-2 pi i jk/n);  +1 inverse */
} builder;

/* Stands for scale * i^power * (re + i im).  Interleaved values keep their
 * node in re; split values keep power 0. */
typedef struct cplx {
    int re, im;
    int power;
    long double scale;
} cplx;

cplx cplx_split(int re, int im);
cplx cplx_interleaved(int node);

/* i^power * a, any power. */
cplx cplx_times_i(const builder *b, cplx a, int power);
/* x + k*y, keeping the scale and power of x. */
cplx cplx_axpy(const builder *b, cplx x, long double k, cplx y);
/* a * exp(sign 2 pi i num/den), sign taken from the builder. */
cplx cplx_rotate(const builder *b, cplx a, long num, long den);
/* The same value with scale 1 and power 0. */
cplx cplx_settle(const builder *b, cplx a);
/* a * (c + i d), c and d graph nodes; a must be settled.  Split only. */
cplx cplx_times(const builder *b, cplx a, int c, int d);

#endif
