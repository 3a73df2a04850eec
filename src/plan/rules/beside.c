/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * beside - a few columns as one transform whose numbers are rows of them.
 *
 * The passes of `interleaved` on numbers that are v neighbours each.  After the first
 * pass, of radix r, r v of them lie side by side, and all vectors are full; the first
 * has v to fill its own with, by kernels that take any number of columns.  `column`
 * has v lanes, of planes, in every pass.  Factors are there for each lane, so it is
 * for arrays that the first cache, or not much more, holds; there many columns gain
 * by it, too: planes take every row apart and put it together again.
 *
 * Where one pass is all (see column) that is sooner done.
 *
 * The cheapest order of radices by dynamic programming over the divisors of n.
 * Error: as stockham's.
 * Source: as stockham's.
 */
#include <math.h>
#include <string.h>

#include "num/num.h"
#include "plan/search.h"

enum { MOST_DIVISORS = 128, MOST_BYTES = 3 << 16 };

/* The divisors of n, ascending; how many, or 0: more than there is room for. */
static int list_divisors(int64_t n, int64_t divisor[MOST_DIVISORS])
{
    int64_t large[MOST_DIVISORS];
    int count = 0, mirrored = 0;
    for (int64_t d = 1; d * d <= n; d++) {
        if (n % d != 0)
            continue;
        if (count + mirrored + 2 > MOST_DIVISORS)
            return 0;
        divisor[count++] = d;
        if (d * d != n)
            large[mirrored++] = n / d;
    }
    while (mirrored > 0)
        divisor[count++] = large[--mirrored];
    return count;
}

/* The cheapest way to the product of the radices so far. */
typedef struct state {
    double cost;
    int radix, from; /* the last radix, and the state before it */
} state;

static void try_pass(const wf_search *search, const wf_step *step,
                     int64_t columns, const int64_t *divisor, state *states,
                     int from, int to)
{
    const int64_t r = divisor[to] / divisor[from];
    if (divisor[to] % divisor[from] != 0 || r > WF_LARGEST_INTERLEAVED ||
        r == step->n || (from == 0 && r * columns < step->width / 2))
        return;
    const wf_pass_place place = {
        .n = step->n, .s = divisor[from], .r = (int)r, .width = step->width};
    const double pass = wf_cost_beside_pass(search->engine, search->type,
                                            &place, columns);
    if (pass >= 0 && states[from].cost + pass < states[to].cost)
        states[to] = (state){states[from].cost + pass, (int)r, from};
}

/* Sets the radices of `step`; false: there are none. */
static bool find_radices(const wf_search *search, int64_t columns,
                         wf_step *step)
{
    int64_t divisor[MOST_DIVISORS];
    state states[MOST_DIVISORS];
    const int count = list_divisors(step->n, divisor);
    for (int i = 0; i < count; i++)
        states[i].cost = i == 0 ? 0 : INFINITY;
    for (int from = 0; from + 1 < count; from++)
        if (states[from].cost < states[count - 1].cost)
            for (int to = from + 1; to < count; to++)
                try_pass(search, step, columns, divisor, states, from, to);
    if (count == 0 || isinf(states[count - 1].cost))
        return false;
    int last = WF_MAX_RADICES;
    for (int at = count - 1; at > 0 && last > 0; at = states[at].from)
        step->radix[--last] = states[at].radix;
    step->radices = WF_MAX_RADICES - last;
    memmove(step->radix, step->radix + last,
            (size_t)step->radices * sizeof step->radix[0]);
    return true;
}

wf_step *wf_search_beside(wf_search *search, int64_t n, int64_t columns,
                          bool in_place)
{
    const int64_t bytes = (int64_t)wf_complex_bytes(search->type);
    const int width = search->engine->widths(search->type)[0];
    /* One pass of more than eight rows in a set; in place it reads and writes the
     * same, which vectors of a line do at once. */
    const bool crowded = n > 8 && search->engine->machine()->crowded > 0 &&
                         columns * bytes % WF_PAGE == 0 &&
                         !(in_place && width / 2 * bytes >= WF_LINE);
    if (n < 4 || columns < 2 || width < 2 ||
        n > MOST_BYTES / bytes / columns ||
        (!crowded && wf_search_whole_column(search, n) != NULL))
        return NULL;
    wf_step *step = wf_step_new(WF_STEP_BESIDE, n);
    if (step == NULL) {
        search->no_memory = true;
        return NULL;
    }
    step->width = width;
    if (find_radices(search, columns, step) &&
        wf_cost_step(search->engine, search->type, step))
        return step;
    wf_step_free(step);
    return NULL;
}
