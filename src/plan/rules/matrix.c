/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix - the transforms of an axis as products with DFT matrices.
 *
 * Any n up to 1024 may be one matrix, primes and odd lengths too; a composite
 * n is passes of radices that divide it, each a matrix (16.16, or 16.8.4 as
 * on engines that want small ones); a length with a prime factor above 1024
 * is Bluestein's convolution of a power of two.  A pass costs its radix a
 * sample in products, and its packing whatever the radix: sixteen is near the
 * optimum on a CPU, and every radix is offered to whoever asks.
 *
 * The precisions bf16, fp16, split2, split3, refined and slices have no other
 * rule on the CPU; in fast this one proposes only when asked for, as the direct
 * comparison with butterflies that it is.
 * Error: law of the number format, see accuracy.c and docs/math.md.
 * Source: the definition; Stockham 1966 for the passes; Bluestein 1970.
 */
#include "num/num.h"
#include "plan/search.h"

#include <math.h>

enum { LARGEST = 1024 };

/* n as factors of at most `limit`, each as large as possible, if its prime
 * factors allow; the rest of a large one may leave small ones. */
static bool split(int64_t n, int limit, wf_step *step)
{
    step->radices = 0;
    while (n > 1) {
        int r = n < limit ? (int)n : limit;
        while (r > 1 && n % r != 0)
            r--;
        if (r == 1 || step->radices == WF_MAX_RADICES)
            return false;
        step->radix[step->radices++] = r;
        n /= r;
    }
    return true;
}

static void propose(wf_search *search, int64_t n, int64_t length, int limit,
                    wf_candidates *candidates)
{
    wf_step *step = wf_step_new(WF_STEP_MATRIX, n);
    if (step == NULL) {
        search->no_memory = true;
        return;
    }
    step->scheme = search->scheme;
    step->split[0] = length == n ? 0 : length;
    if (split(length, limit, step))
        wf_propose(search, candidates, step);
    else
        wf_step_free(step);
}

static const int limits[] = {1024, 256, 128, 64, 32, 16, 8, 4};
enum { LIMITS = sizeof limits / sizeof limits[0] };

/* cost.c's law for a number, with a rate that is no machine's own: 64
 * multiply-adds a ns. */
static double reference_cost(const wf_scheme *scheme, const wf_step *step)
{
    double cost = 0;
    for (int i = 0; i < step->radices; i++)
        cost += 4.0 * wf_scheme_products(scheme) * step->radix[i] / 64 + 8 +
                3 * scheme->parts;
    return cost;
}

/* The sums of slices are exact, but a pass rounds its results: that a
 * transform has the same bits everywhere, its radices follow from n and the
 * number of slices alone. */
static void propose_sliced(wf_search *search, int64_t n, int64_t length,
                           wf_candidates *candidates)
{
    double least = INFINITY;
    int best = limits[0];
    for (int i = 0; i < LIMITS; i++) {
        wf_step step;
        if (!split(length, limits[i], &step))
            continue;
        double cost = reference_cost(&search->scheme, &step);
        if (cost < least) {
            least = cost;
            best = limits[i];
        }
    }
    propose(search, n, length, best, candidates);
}

void wf_rule_matrix(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (search->engine->products == NULL ||
        (!wf_search_asked(search, n, "matrix") && !search->matrices) ||
        n > (int64_t)1 << 40)
        return;
    const int64_t largest = (int64_t)wf_largest_prime_factor((uint64_t)n);
    int64_t length = n;
    if (largest > LARGEST)
        for (length = 1; length < 2 * n - 1; length *= 2)
            continue;
    if (search->scheme.sliced) {
        propose_sliced(search, n, length, candidates);
        return;
    }
    int before = 0;
    for (int i = 0; i < LIMITS; i++) {
        /* Limits above n give the tree that n gave. */
        const int limit = length < limits[i] ? (int)length : limits[i];
        if (limit != before)
            propose(search, n, length, limit, candidates);
        before = limit;
    }
}
