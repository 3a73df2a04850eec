/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dd_inline.h - the double-double operations as inline functions, for the
 * two or three files that spend their time in them (dd.c, roots.c, the
 * reference transform).  Everybody else calls wf_dd_* of num.h.
 *
 * Needs -ffp-contract=off.
 */
#ifndef WEFT_NUM_DD_INLINE_H
#define WEFT_NUM_DD_INLINE_H

#include "num/num.h"

/* a + b = hi + lo exactly. */
static inline wf_dd two_sum(double a, double b)
{
    double s = a + b, b_part = s - a;
    return (wf_dd){s, (a - (s - b_part)) + (b - b_part)};
}

/* The same when |a| >= |b| or a == 0. */
static inline wf_dd fast_two_sum(double a, double b)
{
    double s = a + b;
    return (wf_dd){s, b - (s - a)};
}

/* The upper 26 bits of a (Veltkamp); a - upper_half(a) has 26 as well, a sign
 * being worth a bit.  Needs |a| < 2^996. */
static inline double upper_half(double a)
{
    double c = 0x1.0000002p27 * a; /* 2^27 + 1 */
    return c - (c - a);
}

/* a * b = hi + lo exactly, unless it underflows. */
static inline wf_dd two_prod(double a, double b)
{
    double p = a * b;
    double a1 = upper_half(a), b1 = upper_half(b);
    double a2 = a - a1, b2 = b - b1;
    return (wf_dd){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline wf_dd add(wf_dd a, wf_dd b)
{
    wf_dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    s = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(s.hi, s.lo + t.lo);
}

static inline wf_dd mul(wf_dd a, wf_dd b)
{
    wf_dd p = two_prod(a.hi, b.hi);
    double low = (a.hi * b.lo + a.lo * b.hi) + a.lo * b.lo;
    return fast_two_sum(p.hi, p.lo + low);
}

#endif
