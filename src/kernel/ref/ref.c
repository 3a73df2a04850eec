/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ref.c - the oracle.
 *
 * The definition, applied by decimation in time: n = p m with p the smallest
 * prime of n gives p transforms of length m and m transforms of length p.  A
 * prime length is the sum of the definition, or for p > DIRECT_MAX Bluestein's
 * convolution (L. I. Bluestein, "A linear filtering approach to the
 * computation of the discrete Fourier transform", NEREM Record 10, 1968)
 * through a power of two, which the same code transforms.  Every phase is an
 * index into one table of exact roots.
 *
 * There is nothing fast here on purpose: no rule, kernel or table of the
 * library is shared, so an agreement between the two says something.
 */
#include "kernel/ref/ref.h"

#include "num/dd_inline.h"

#include <string.h>

#define DIRECT_MAX 500 /* p^2 work; Bluestein costs about 400 p */

typedef struct cdd {
    wf_dd re, im;
} cdd;

typedef struct bluestein bluestein;

typedef struct plan {
    size_t n;
    cdd *roots;           /* exp(sign 2 pi i k / n), k < n */
    cdd *leg, *leg_out;   /* p values each, the largest prime's */
    bluestein *large[16]; /* one for each large prime, in wf_factor's order */
    wf_factors factors;
} plan;

struct bluestein {
    size_t p, m;       /* m >= 2p - 1, a power of two */
    plan *forward;     /* length m, sign -1 */
    cdd *chirp;        /* exp(sign pi i j^2 / p), j < p */
    cdd *filter;       /* transform of the conjugate chirp, / m */
    cdd *work, *work2; /* m each */
};

static cdd cadd(cdd a, cdd b)
{
    return (cdd){add(a.re, b.re), add(a.im, b.im)};
}

static wf_dd negate(wf_dd a)
{
    return (wf_dd){-a.hi, -a.lo};
}

static cdd conjugate(cdd a)
{
    return (cdd){a.re, negate(a.im)};
}

static cdd cmul(cdd a, cdd b)
{
    return (cdd){add(mul(a.re, b.re), negate(mul(a.im, b.im))),
                 add(mul(a.re, b.im), mul(a.im, b.re))};
}

static cdd root(int64_t k, uint64_t n)
{
    cdd w;
    wf_root_dd(k, n, &w.re, &w.im);
    return w;
}

static void transform(const plan *pl, size_t n, const cdd *in, size_t stride,
                      cdd *out);

/* ---- prime lengths ------------------------------------------------------ */

static void direct(const plan *pl, size_t p, const cdd *in, cdd *out)
{
    size_t unit = pl->n / p;
    for (size_t k = 0; k < p; k++) {
        cdd sum = in[0];
        for (size_t j = 1; j < p; j++)
            sum = cadd(sum, cmul(in[j], pl->roots[j * k % p * unit]));
        out[k] = sum;
    }
}

static void convolve(const bluestein *b, const cdd *in, cdd *out)
{
    memset(b->work, 0, b->m * sizeof(cdd));
    for (size_t j = 0; j < b->p; j++)
        b->work[j] = cmul(in[j], b->chirp[j]);
    transform(b->forward, b->m, b->work, 1, b->work2);
    for (size_t j = 0; j < b->m; j++) /* inverse = conj, forward, conj */
        b->work[j] = conjugate(cmul(b->work2[j], b->filter[j]));
    transform(b->forward, b->m, b->work, 1, b->work2);
    for (size_t k = 0; k < b->p; k++)
        out[k] = cmul(conjugate(b->work2[k]), b->chirp[k]);
}

static void prime_transform(const plan *pl, size_t p, const cdd *in, cdd *out)
{
    for (int i = 0; i < pl->factors.count; i++)
        if (pl->factors.prime[i] == p && pl->large[i]) {
            convolve(pl->large[i], in, out);
            return;
        }
    direct(pl, p, in, out);
}

/* ---- any length --------------------------------------------------------- */

static size_t smallest_prime(const plan *pl, size_t n)
{
    for (int i = 0; i < pl->factors.count; i++)
        if (n % pl->factors.prime[i] == 0)
            return (size_t)pl->factors.prime[i];
    return 1;
}

/* n divides the plan's; in and out do not overlap. */
static void transform(const plan *pl, size_t n, const cdd *in, size_t stride,
                      cdd *out)
{
    if (n == 1) {
        *out = *in;
        return;
    }
    size_t p = smallest_prime(pl, n), m = n / p, unit = pl->n / n;
    for (size_t j = 0; j < p; j++)
        transform(pl, m, in + j * stride, stride * p, out + j * m);
    for (size_t k = 0; k < m; k++) {
        for (size_t j = 0; j < p; j++)
            pl->leg[j] = cmul(out[j * m + k], pl->roots[j * k * unit]);
        prime_transform(pl, p, pl->leg, pl->leg_out);
        for (size_t q = 0; q < p; q++)
            out[q * m + k] = pl->leg_out[q];
    }
}

/* ---- making and freeing ------------------------------------------------- */

static void plan_free(plan *pl);

static void bluestein_free(bluestein *b)
{
    if (!b)
        return;
    plan_free(b->forward);
    wf_free(b->chirp);
    wf_free(b->filter);
    wf_free(b->work);
    wf_free(b->work2);
    wf_free(b);
}

static void plan_free(plan *pl)
{
    if (!pl)
        return;
    for (int i = 0; i < 16; i++)
        bluestein_free(pl->large[i]);
    wf_free(pl->roots);
    wf_free(pl->leg);
    wf_free(pl->leg_out);
    wf_free(pl);
}

static cdd *new_values(size_t count)
{
    return wf_calloc(count, sizeof(cdd));
}

static bluestein *bluestein_new(size_t p, int sign);

static plan *plan_new(size_t n, int sign)
{
    plan *pl = wf_calloc(1, sizeof *pl);
    if (!pl)
        return NULL;
    pl->n = n;
    pl->factors = wf_factor(n);
    size_t largest = (size_t)wf_largest_prime_factor(n);
    pl->roots = new_values(n);
    pl->leg = new_values(largest);
    pl->leg_out = new_values(largest);
    if (!pl->roots || !pl->leg || !pl->leg_out)
        goto fail;
    for (size_t k = 0; k < n; k++)
        pl->roots[k] = root(sign * (int64_t)k, n);
    for (int i = 0; i < pl->factors.count; i++) {
        if (pl->factors.prime[i] <= DIRECT_MAX)
            continue;
        pl->large[i] = bluestein_new((size_t)pl->factors.prime[i], sign);
        if (!pl->large[i])
            goto fail;
    }
    return pl;
fail:
    plan_free(pl);
    return NULL;
}

static void make_filter(bluestein *b)
{
    const wf_dd scale = {1.0 / (double)b->m, 0}; /* a power of two: exact */
    for (size_t j = 0; j < b->p; j++) {
        b->work[j] = conjugate(b->chirp[j]);
        b->work[(b->m - j) % b->m] = b->work[j];
    }
    transform(b->forward, b->m, b->work, 1, b->filter);
    for (size_t j = 0; j < b->m; j++) {
        b->filter[j].re = mul(b->filter[j].re, scale);
        b->filter[j].im = mul(b->filter[j].im, scale);
    }
}

static bluestein *bluestein_new(size_t p, int sign)
{
    bluestein *b = wf_calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->p = p;
    for (b->m = 1; b->m < 2 * p - 1;)
        b->m *= 2;
    b->forward = plan_new(b->m, -1);
    b->chirp = new_values(p);
    b->filter = new_values(b->m);
    b->work = new_values(b->m);
    b->work2 = new_values(b->m);
    if (!b->forward || !b->chirp || !b->filter || !b->work || !b->work2) {
        bluestein_free(b);
        return NULL;
    }
    for (size_t j = 0; j < p; j++) { /* j^2 mod 2p, times the sign */
        int64_t square = (int64_t)wf_mul_mod(j, j, 2 * (uint64_t)p);
        b->chirp[j] = root(sign * square, 2 * (uint64_t)p);
    }
    make_filter(b);
    return b;
}

weft_status wf_reference_c2c(size_t n, int sign, const double *in, wf_dd *out)
{
    if (n == 0 || (sign != 1 && sign != -1))
        return wf_fail(WEFT_ERR_ARGUMENT, "reference: n = %zu, sign %d", n,
                       sign);
    plan *pl = plan_new(n, sign);
    cdd *values = pl ? new_values(n) : NULL;
    if (!values) {
        plan_free(pl);
        return wf_fail(WEFT_ERR_NO_MEMORY, "reference: n = %zu", n);
    }
    for (size_t j = 0; j < n; j++)
        values[j] = (cdd){{in[2 * j], 0}, {in[2 * j + 1], 0}};
    transform(pl, n, values, 1, (cdd *)(void *)out);
    wf_free(values);
    plan_free(pl);
    return WEFT_OK;
}
