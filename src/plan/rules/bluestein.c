/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bluestein - any length as a convolution of a smooth length m >= 2n - 1.
 *
 * jk = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with the
 * chirp exp(pi i k^2 / n).  The chirp's phase is reduced in integers
 * (k^2 mod 2n), which keeps the error at a small multiple of the inner
 * transforms'.  Half of what would be transformed are zeros: so the convolution
 * is two of length m/2 >= n, each twisted by a quarter of a turn, whose wrapped
 * sums the twists tell apart (docs/math.md).  Long ones are joined to the trips of a
 * four-step.
 * Source: Bluestein 1970; the chirp z-transform of Rabiner et al. 1969.
 */
#include <math.h>

#include "num/num.h"
#include "plan/search.h"

/* Up to here transforms of either length may be leaves. */
enum { SHORT = WF_LONGEST_LEAF };

/* A child that is so many times as dear as another is not worth joining. */
static const double DEARER = 1.2;

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
    double leaf = length > SHORT ? -1
                                 : engine->price(WF_ROLE_LEAF, search->type, 0,
                                                 (int)length);
    /* What can be joined: two passes that ask for nothing. */
    wf_step child = {.kind = WF_STEP_STOCKHAM,
                     .n = length,
                     .width = 1,
                     .radices = 2,
                     .radix = {1, 1}},
            step = {.kind = WF_STEP_BLUESTEIN, .n = n, .split = {m}};
    child.cost = wf_search_rate(search) * bits(length) +
                 wf_cost_bytes(engine->machine(), 3 * data, 2 * data);
    if (child.cost < 0.85 * found * bits(length))
        child.cost = 0.85 * found * bits(length);
    if (leaf >= 0 && leaf < child.cost)
        child.cost = leaf;
    wf_step_adopt(&step, &child);
    wf_cost_step(engine, search->type, &step);
    return step.cost;
}

/* Of the cheapest of this rule; 0: there is none. */
static int best_parts(const wf_candidates *candidates)
{
    for (int i = 0; i < candidates->count; i++) {
        const wf_step *step = candidates->tree[i];
        if (step->kind == WF_STEP_BLUESTEIN)
            return (int)(step->split[0] / step->child[0]->n);
    }
    return 0;
}

/* What a convolution in so many parts must cost less than.  One part must be
 * better than two by a sixtieth: the spectrum of two takes half of the time to
 * make, and scratch is half. */
static double cost_to_beat(const wf_search *search,
                           const wf_candidates *candidates, int64_t n,
                           int parts)
{
    const double most = wf_cost_to_beat(search, candidates);
    return parts == 1 && n > SHORT && best_parts(candidates) == 2
               ? 0.985 * most
               : most;
}

/* By this child, if it costs less than `most`. */
static void propose_by(wf_search *search, int64_t n, int64_t m,
                       const wf_step *child, double most,
                       wf_candidates *candidates)
{
    wf_step *step = wf_step_over(WF_STEP_BLUESTEIN, n, child, NULL);
    if (step == NULL) {
        search->no_memory = true;
        return;
    }
    step->split[0] = m;
    if (wf_cost_step(search->engine, search->type, step) && step->cost < most)
        wf_propose(search, candidates, step);
    else
        wf_step_free(step);
}

/* Two parts by passes that can be joined to the products, as fused ones cannot. */
static void propose_joined(wf_search *search, int64_t n, int64_t m,
                           double dearest, wf_candidates *candidates)
{
    wf_step *child = wf_search_unfused(search, m / 2, dearest);
    if (child != NULL && wf_step_joined_rows(child) != 0)
        propose_by(search, n, m, child, wf_cost_to_beat(search, candidates),
                   candidates);
    wf_step_free(child);
}

static void propose_over(wf_search *search, int64_t n, int64_t m, int parts,
                         wf_candidates *candidates, double *found)
{
    /* Not over itself, where a smooth length is asked for by this rule. */
    const double most = cost_to_beat(search, candidates, n, parts);
    if (m < 2 * n - 1 || m % parts != 0 || m / parts == n ||
        (isfinite(most) && least_cost(search, n, m, parts, *found) >= most))
        return;
    const wf_step *child = wf_search_row(search, m / parts);
    if (child == NULL)
        return;
    *found = child->cost / bits(child->n);
    propose_by(search, n, m, child, most, candidates);
    if (parts == 2 && child->kind == WF_STEP_STOCKHAM &&
        wf_step_joined_rows(child) == 0)
        propose_joined(search, n, m, DEARER * child->cost, candidates);
}

/* No plan so costs less: columns that are butterflies. */
static double least_of_trips(wf_search *search, int64_t n, int64_t length)
{
    const int width = search->engine->widths(search->type)[0];
    wf_step a = {.kind = WF_STEP_COLUMN, .n = width, .width = width}, b = a,
            child = {.kind = WF_STEP_FOURSTEP, .n = length},
            step = {.kind = WF_STEP_BLUESTEIN, .n = n, .split = {2 * length}};
    wf_step_adopt(&child, &a);
    wf_step_adopt(&child, &b);
    wf_step_adopt(&step, &child);
    wf_cost_step(search->engine, search->type, &step);
    return step.cost + 4 * wf_search_rate(search) * bits(length);
}

/* Two parts over a four-step whose trips are joined to the products, which another
 * split may suit better than the four-step alone.  Of lengths below `least` what
 * passes write stays in the second cache, and theirs are joined sooner.  n1 <= n2:
 * the blocks of columns that are turned into tiles are the small ones. */
static void propose_trips(wf_search *search, int64_t n, int64_t m,
                          wf_candidates *candidates)
{
    enum { LEAST_F64 = 3 << 19, LEAST_F32 = 1 << 19, APART = 16 };
    const wf_machine *machine = search->engine->machine();
    const double least = machine->trips_from > 0    ? machine->trips_from
                         : search->type == WEFT_F64 ? LEAST_F64
                                                    : LEAST_F32;
    const int64_t length = m / 2;
    const int64_t width = search->engine->widths(search->type)[0];
    if (machine->trips[1] == 0 ||
        (double)length * (double)wf_complex_bytes(search->type) < least ||
        length % (width * width) != 0 || m < 2 * n - 1 ||
        least_of_trips(search, n, length) >=
            wf_cost_to_beat(search, candidates))
        return;
    for (int64_t n1 = width; n1 <= length / n1; n1 += width) {
        const int64_t n2 = length / n1;
        if (length % n1 != 0 || n2 % width != 0 || n2 > APART * n1)
            continue;
        const wf_step *a = wf_search_column(search, n1),
                      *b = wf_search_column(search, n2);
        if (a == NULL || b == NULL)
            continue;
        wf_step *child = wf_step_over(WF_STEP_FOURSTEP, length, a, b);
        if (child == NULL) {
            search->no_memory = true;
            return;
        }
        if (wf_cost_step(search->engine, search->type, child))
            propose_by(search, n, m, child,
                       wf_cost_to_beat(search, candidates), candidates);
        wf_step_free(child);
    }
}

void wf_rule_bluestein(wf_search *search, int64_t n, wf_candidates *candidates)
{
    bool asked = wf_search_asked(search, n, "bluestein");
    int largest = search->engine->matrix_radix;
    if (n < 2 || n > INT64_MAX / 8 ||
        (!asked && wf_largest_prime_factor((uint64_t)n) <=
                       (largest > 31 ? (uint64_t)largest : 31)))
        return;
    int parts = search->engine->weigh != NULL ? 1 : 0; /* 0: try both */
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
        if (parts != 1) {
            propose_over(search, n, m, 2, candidates, &found);
            propose_trips(search, n, m, candidates);
        }
        if (parts != 2)
            propose_over(search, n, m, 1, candidates, &found);
        /* What is better for one length is for those after it. */
        if (parts == 0 && n > SHORT && !search->thorough)
            parts = best_parts(candidates);
    }
}
