/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dd.c - double-double arithmetic: a number is the unevaluated sum hi + lo
 * with |lo| <= ulp(hi)/2, about 106 bits.
 *
 * Sums by Knuth (TAOCP 2, 4.2.2), products by Dekker ("A floating-point
 * technique for extending the available precision", Numer. Math. 18, 1971).
 * Error bounds with u = 2^-53, from M. Joldes, J.-M. Muller, V. Popescu,
 * "Tight and rigorous error bounds for basic building blocks of double-word
 * arithmetic", ACM TOMS 44, 2017: add 3u^2 (their algorithm 6), mul 5u^2 (11
 * with the low product, 12), div 10u^2 (17).
 *
 * Compiled without contraction and without fast math: an fma put in by the
 * compiler, or a sum put in another order, would lose the low halves.
 */
#include "num/num.h"

#include "num/dd_inline.h"

#include <math.h>

wf_dd wf_dd_add(wf_dd a, wf_dd b)
{
    return add(a, b);
}

wf_dd wf_dd_sub(wf_dd a, wf_dd b)
{
    return add(a, (wf_dd){-b.hi, -b.lo});
}

wf_dd wf_dd_mul(wf_dd a, wf_dd b)
{
    return mul(a, b);
}

/* Long division: two quotient digits and their remainders, a third for the
 * last bits. */
wf_dd wf_dd_div(wf_dd a, wf_dd b)
{
    double q1 = a.hi / b.hi;
    wf_dd rest = wf_dd_sub(a, mul(b, (wf_dd){q1, 0}));
    double q2 = rest.hi / b.hi;
    rest = wf_dd_sub(rest, mul(b, (wf_dd){q2, 0}));
    double q3 = rest.hi / b.hi;
    return add(fast_two_sum(q1, q2), (wf_dd){q3, 0});
}

/* One Newton step from the rounded root: s + (a - s^2) / (2 s), whose error
 * is the square of the start's. */
wf_dd wf_dd_sqrt(wf_dd a)
{
    if (!(a.hi > 0))
        return (wf_dd){sqrt(a.hi), 0};
    double s = sqrt(a.hi);
    wf_dd rest = wf_dd_sub(a, two_prod(s, s));
    return fast_two_sum(s, rest.hi / (2 * s));
}
