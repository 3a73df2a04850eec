/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.c - the spectrum of a fixed sequence, more exactly than the
 * transforms that will be multiplied by it.
 *
 * A convolution's error is that of two transforms and of the spectrum it
 * multiplies by; the last is made once.  Where the transforms are products of
 * matrices, which may be finer than passes in doubles, it is made of pairs of
 * doubles and rounded once.  (Convolutions of passes have cpu/spectrum.c.)
 * Self-sorting passes of radix 8, 4, 2 and the odd primes.  The 1/n of the
 * inverse is applied here too: rounded apart, its error would be the same in
 * every output and add up where convolutions nest.
 *
 * An inverse transform is a forward one with re and im exchanged at both
 * ends.
 */
#include "kernel/hand/spectrum.h"

#include "kernel/hand/pairs.h"
#include "num/num.h"

#include <string.h>

enum { MAX_PASSES = 64 };

/* 8s first, as the first pass sets the length of the second's rows; 4 4 in
 * the place of 8 2; then the odd primes. */
static int list_radices(int64_t n, int *radix)
{
    int count = 0;
    for (; n % 4 == 0; n /= radix[count++])
        radix[count] = n % 8 == 0 && (n % 16 != 0 || n % 32 == 0) ? 8 : 4;
    if (n % 2 == 0) {
        radix[count++] = 2;
        n /= 2;
    }
    wf_factors f = wf_factor((uint64_t)n);
    for (int i = 0; i < f.count; i++)
        for (int e = 0; e < f.power[i]; e++)
            radix[count++] = (int)f.prime[i];
    return count;
}

static wf_planes planes(double *block, int64_t n, bool exchanged)
{
    wf_planes p = {block, block + n, block + 2 * n, block + 3 * n};
    wf_planes turned = {p.im, p.im_rest, p.re, p.re_rest};
    return exchanged ? turned : p;
}

static void put_sequence(const double *sequence, int64_t n,
                         const wf_planes *to)
{
    memset(to->re_rest, 0, (size_t)n * sizeof(double));
    memset(to->im_rest, 0, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < n; i++) {
        to->re[i] = sequence[2 * i];
        to->im[i] = sequence[2 * i + 1];
    }
}

/* From a to b and back; where the result is. */
static wf_planes transform(const wf_hand_pairs *pairs, const double *roots,
                           int64_t n, wf_planes a, wf_planes b)
{
    int radix[MAX_PASSES], passes = list_radices(n, radix);
    size_t s = 1;
    for (int i = 0; i < passes; i++) {
        pairs->pass(&a, &b, roots, (size_t)n, s, radix[i]);
        s *= (size_t)radix[i];
        wf_planes swap = a;
        a = b;
        b = swap;
    }
    return a;
}

weft_status wf_make_spectrum(wf_real real, bool inverse,
                             const double *sequence, int64_t n, void *table)
{
    const wf_hand_pairs *pairs = wf_hand_pairs_for((wf_isa)wf_cpu_isa());
    size_t count = 4 * (size_t)n;
    double *roots = wf_alloc(3 * count * sizeof *roots);
    if (roots == NULL || !wf_roots_circle_pairs((uint64_t)n, true, roots)) {
        wf_free(roots);
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a spectrum");
    }
    wf_planes a = planes(roots + count, n, inverse);
    wf_planes b = planes(roots + 2 * count, n, inverse);
    wf_planes in = planes(roots + count, n, false);
    put_sequence(sequence, n, &in);
    wf_planes result = transform(pairs, roots, n, a, b);
    if (inverse)
        result = (wf_planes){result.im, result.im_rest, result.re,
                             result.re_rest};
    wf_dd share = wf_dd_div((wf_dd){1, 0}, (wf_dd){(double)n, 0});
    double *rounded = real == WF_F64 ? table : roots;
    pairs->round(&result, share.hi, share.lo, (size_t)n, rounded);
    if (real == WF_F32)
        for (int64_t i = 0; i < 2 * n; i++)
            ((float *)table)[i] = (float)rounded[i];
    wf_free(roots);
    return WEFT_OK;
}
