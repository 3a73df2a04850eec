/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eval.c - runs a program as its own oracle.
 *
 * Every node is evaluated in the kernel's type with one rounding an
 * operation, exactly as the hardware would, and the outputs are compared
 * with a long double transform of the same inputs by the definition.
 */
#include "program.h"

#include "util.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double rounded(double x, wf_real real)
{
    return real == WF_F32 ? (double)(float)x : x;
}

static double fused(double a, double b, double c, wf_real real)
{
    if (real == WF_F32)
        return (double)fmaf((float)a, (float)b, (float)c);
    return fma(a, b, c);
}

static double eval_node(const node *n, const double *v, wf_real real)
{
    switch (n->op) {
    case OP_CONST: return rounded((double)n->k, real);
    case OP_ADD: return rounded(v[n->a] + v[n->b], real);
    case OP_SUB: return rounded(v[n->a] - v[n->b], real);
    case OP_NEG: return -v[n->a];
    case OP_MUL: return rounded(v[n->a] * v[n->b], real);
    case OP_FMA: return fused(v[n->a], v[n->b], v[n->c], real);
    case OP_FNMA: return fused(-v[n->a], v[n->b], v[n->c], real);
    case OP_FMS: return fused(v[n->a], v[n->b], -v[n->c], real);
    default: gen_die("an operation the split evaluator does not know");
    }
}

/* Small reproducible numbers in [-1, 1). */
static double noise(unsigned i)
{
    unsigned x = i * 2654435761u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (double)x / 2147483648.0 - 1;
}

/* The value of an input slot; twiddles are points of the unit circle. */
static double input(int slot, wf_real real)
{
    if (slot == SLOT_SCALE)
        return 0.5;
    if (slot < SLOT_TWIDDLE)
        return rounded(noise((unsigned)slot), real);
    const int j = (slot - SLOT_TWIDDLE) / 2;
    const long double c = slot % 2 ? turn_sin(7L * j + 3, 1009)
                                   : turn_cos(7L * j + 3, 1009);
    return rounded((double)c, real);
}

static void reference_leg(const kind_info *kind, int j, wf_real real,
                          long double *re, long double *im)
{
    *re = (long double)input(2 * j, real);
    *im = (long double)input(2 * j + 1, real);
    if (kind->twiddles && j > 0) {
        const int slot = SLOT_TWIDDLE + 2 * (j - 1);
        const long double c = (long double)input(slot, real);
        const long double d = (long double)input(slot + 1, real);
        const long double x = *re * c - *im * d;
        *im = *re * d + *im * c;
        *re = x;
    } else if (kind->scaled) {
        *re *= 0.5L;
        *im *= 0.5L;
    }
}

double eval_program(const program *p, const row *r)
{
    const kind_info *kind = kind_of(r->kind);
    const int sign = kind->leaf ? kind->leaf : -1;
    double *v = gen_alloc((size_t)p->g->count * sizeof *v);
    for (int i = 0; i < p->g->count; ++i) {
        const node *n = &p->g->nodes[i];
        v[i] = n->op == OP_LOAD ? input(n->a, r->real)
                                : eval_node(n, v, r->real);
    }
    long double worst = 0, largest = 0;
    for (int k = 0; k < p->radix; ++k) {
        long double re = 0, im = 0;
        for (int j = 0; j < p->radix; ++j) {
            long double x, y;
            reference_leg(kind, j, r->real, &x, &y);
            const long double c = turn_cos((long)j * k, p->radix);
            const long double s = sign * turn_sin((long)j * k, p->radix);
            re += x * c - y * s;
            im += x * s + y * c;
        }
        worst = fmaxl(worst, fabsl(re - (long double)v[p->roots[2 * k]]));
        worst = fmaxl(worst, fabsl(im - (long double)v[p->roots[2 * k + 1]]));
        largest = fmaxl(largest, fmaxl(fabsl(re), fabsl(im)));
    }
    free(v);
    return (double)(worst / largest /
                    (r->real == WF_F32 ? FLT_EPSILON : DBL_EPSILON));
}
