/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cplx.c - complex values over a graph; see cplx.h.
 */
#include "cplx.h"

#include "util.h"

cplx cplx_split(int re, int im)
{
    return (cplx){re, im, 0, 1};
}

cplx cplx_interleaved(int node)
{
    return (cplx){node, -1, 0, 1};
}

cplx cplx_times_i(const builder *b, cplx a, int power)
{
    power &= 3;
    if (b->interleaved) {
        a.power = (a.power + power) & 3;
        return a;
    }
    for (; power > 0; --power) {
        const int re = a.re;
        a.re = dag_neg(b->g, a.im);
        a.im = re;
    }
    return a;
}

cplx cplx_axpy(const builder *b, cplx x, long double k, cplx y)
{
    k = k * y.scale / x.scale;
    if (!b->interleaved) {
        x.re = dag_axpy(b->g, x.re, k, y.re);
        x.im = dag_axpy(b->g, x.im, k, y.im);
        return x;
    }
    const int turn = (y.power - x.power) & 3;
    if (turn & 2)
        k = -k;
    if (turn & 1)
        x.re = dag_alt_axpy(b->g, x.re, k, dag_swap(b->g, y.re));
    else
        x.re = dag_axpy(b->g, x.re, k, y.re);
    return x;
}

cplx cplx_rotate(const builder *b, cplx a, long num, long den)
{
    num *= b->sign;
    num %= den;
    if (num < 0)
        num += den;
    /* Nearest quarter turn, then what remains, in [-1/8, 1/8]. */
    const long quarter = (8 * num + den) / (2 * den);
    const long rest = 4 * num - quarter * den; /* over 4 den */
    a = cplx_times_i(b, a, (int)(quarter & 3));
    if (rest == 0)
        return a;
    const long double c = turn_cos(rest, 4 * den);
    long double t = turn_sin(rest, 4 * den) / c;
    if (2 * rest == den)
        t = 1;
    if (2 * rest == -den)
        t = -1;
    a = cplx_axpy(b, a, t, cplx_times_i(b, a, 1));
    a.scale *= c;
    return a;
}

cplx cplx_settle(const builder *b, cplx a)
{
    if (a.scale != 1) {
        const int k = dag_const(b->g, a.scale);
        a.re = dag_mul(b->g, a.re, k);
        if (!b->interleaved)
            a.im = dag_mul(b->g, a.im, k);
        a.scale = 1;
    }
    if (a.power)
        gen_die("a power of i is left on a value");
    return a;
}

cplx cplx_times(const builder *b, cplx a, int c, int d)
{
    dag *g = b->g;
    const int re = dag_fma(g, dag_neg(g, a.im), d, dag_mul(g, a.re, c));
    const int im = dag_fma(g, a.re, d, dag_mul(g, a.im, c));
    return cplx_split(re, im);
}
