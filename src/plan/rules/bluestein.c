/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bluestein - any length as a convolution of a smooth length m >= 2n - 1.
 *
 * jk = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with the
 * chirp exp(pi i k^2 / n).  The chirp's phase is reduced in integers
 * (k^2 mod 2n), which keeps the error at a small multiple of the inner
 * transforms'.  Half of what would be transformed are zeros: so the convolution
 * is two of length m/2 >= n, each twisted by a quarter of a turn, whose wrapped
 * sums the twists tell apart (docs/math.md).
 * Source: Bluestein 1970; the chirp z-transform of Rabiner et al. 1969.
 */
#include <math.h>

#include "num/num.h"
#include "plan/search.h"

/* Up to here transforms of both lengths may be one kernel. */
enum { SHORT = 512 };

/* The best price a sample and bit: that of a radix 4 to 32 in the widest two
 * widths.  Other radices have more operations, narrower vectors more of them. */
static double find_rate(const wf_search *search)
{
    static const wf_role roles[] = {WF_ROLE_FIRST, WF_ROLE_PASS, WF_ROLE_LAST,
                                    WF_ROLE_COLUMN};
    const int *width = search->engine->widths(search->type);
    double best = INFINITY;
    for (int w = 0; w < 2 && width[w] != 0; w++)
        for (int log = 2; log <= 5; log++)
            for (size_t k = 0; k < sizeof roles / sizeof roles[0]; k++) {
                double price = search->engine->price(roles[k], search->type,
                                                     width[w], 1 << log);
                price /= (double)(log << log) * width[w];
                best = price >= 0 && price < best ? price : best;
            }
    return isinf(best) ? 0 : 0.95 * best;
}

static double bits(int64_t m)
{
    return (double)m * log2((double)m);
}

/* No plan by this m costs less: two transforms that are butterflies and at
 * least two trips of their samples, of which two fused passes share some; or
 * one kernel.  A transform of a length found before took `found` a sample and
 * bit, of which longer ones that win save less than 0.15 (74 to 2^20, AVX-512,
 * AVX2, SSE2), unless they are one kernel. */
static double least_cost(wf_search *search, int64_t n, int64_t m, int parts,
                         double found)
{
    const wf_engine *engine = search->engine;
    const int64_t length = m / parts;
    const double data = (double)length *
                        (double)wf_complex_bytes(search->type);
    double leaf = length > 1024 ? -1
                                : engine->price(WF_ROLE_LEAF, search->type, 0,
                                                (int)length);
    if (search->rate == 0)
        search->rate = find_rate(search);
    /* What can be joined: two passes that ask for nothing. */
    wf_step child = {.kind = WF_STEP_STOCKHAM,
                     .n = length,
                     .width = 1,
                     .radices = 2,
                     .radix = {1, 1}},
            step = {.kind = WF_STEP_BLUESTEIN, .n = n, .split = {m}};
    child.cost = search->rate * bits(length) +
                 wf_cost_bytes(engine->machine(), 3 * data, 2 * data);
    if (child.cost < 0.85 * found * bits(length))
        child.cost = 0.85 * found * bits(length);
    if (leaf >= 0 && leaf < child.cost)
        child.cost = leaf;
    wf_step_adopt(&step, &child);
    wf_cost_step(engine, search->type, &step);
    return step.cost;
}

/* Can it not be the cheapest any more?  Nobody looks at the others. */
static bool is_beaten(wf_search *search, int64_t n, int64_t m, int parts,
                      double found, const wf_candidates *candidates)
{
    return !search->thorough && search->engine->weigh == NULL &&
           candidates->count > 0 &&
           candidates->tree[0]->error <= WF_ERROR_LIMIT &&
           least_cost(search, n, m, parts, found) >= candidates->tree[0]->cost;
}

static void propose_over(wf_search *search, int64_t n, int64_t m, int parts,
                         wf_candidates *candidates, double *found)
{
    /* Not over itself, where a smooth length is asked for by this rule. */
    if (m < 2 * n - 1 || m % parts != 0 || m / parts == n ||
        is_beaten(search, n, m, parts, *found, candidates))
        return;
    const wf_step *child = wf_search_row(search, m / parts);
    if (child == NULL)
        return;
    *found = child->cost / bits(child->n);
    wf_step *step = wf_step_over(WF_STEP_BLUESTEIN, n, child, NULL);
    if (step != NULL)
        step->split[0] = m;
    wf_propose(search, candidates, step);
}

void wf_rule_bluestein(wf_search *search, int64_t n, wf_candidates *candidates)
{
    bool asked = wf_search_asked(search, n, "bluestein");
    int largest = search->engine->matrix_radix;
    if (n < 2 || n > INT64_MAX / 8 ||
        (!asked && wf_largest_prime_factor((uint64_t)n) <=
                       (largest > 31 ? (uint64_t)largest : 31)))
        return;
    /* One part never is the best where that is several passes. */
    const bool weighed = search->engine->weigh != NULL;
    const bool one = weighed || asked || search->thorough || n <= SHORT;
    /* The next power of two and the lengths of few passes below it. */
    int64_t power = 2;
    while (power < 2 * n - 1)
        power *= 2;
    double found = 0;
    static const int numerator[] = {18, 20, 24, 25, 27, 28, 30, 32};
    for (size_t i = 0; i < sizeof numerator / sizeof numerator[0]; i++) {
        int64_t m = power / 32 * numerator[i];
        if (power < 32)
            m = numerator[i] == 32 ? power : 0;
        if (!weighed)
            propose_over(search, n, m, 2, candidates, &found);
        if (one)
            propose_over(search, n, m, 1, candidates, &found);
    }
}
