/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fourstep - n = n1 n2 in two trips through memory.
 *
 * The input is an n1 x n2 matrix.  Trip 1 takes a block of neighbouring
 * columns through a buffer in the second cache: column transforms of length
 * n1, twiddles, transposes of register tiles, and writes the block as rows of
 * the transposed matrix.  Trip 2 takes blocks of columns of that, length n2,
 * and writes them where they were: natural order, no pass over memory that
 * only moves.
 * Proposed from 2^15 up, splits near the square root.
 *
 * In place that needs room for the whole matrix.  n = m^2 and n = 2 m^2 can do
 * without: trip 1 writes columns where they were, trip 2 are rows, and as soon
 * as a block of rows is transformed it is exchanged with its mirror image
 * among the rows above (cpu/fourstep.c).  The tree has rows as second child.
 * Source: Bailey 1990, Gentleman and Sande 1966.
 */
#include "num/num.h"
#include "plan/search.h"

#include <math.h>

/* Terabytes; beyond, the walk below would take seconds and then overflow. */
static const int64_t MOST = (int64_t)1 << 40;

/* Below SQUARES two matrices stay in the third cache.  From MATRIX on, or where
 * the machine says, the second one goes past the caches, where blocks of columns
 * have whole lines, and costs less than exchanging; beyond MOST_MATRIX the time is
 * about the same or more, and so is the memory (docs/performance.md). */
enum { LINE_BYTES = 64 };
static const int64_t SQUARES_BYTES = 8 << 20, MATRIX_BYTES = 16 << 20,
                     MOST_MATRIX_BYTES = 128 << 20;

static bool exchanging_pays(const wf_search *search, int64_t n)
{
    int64_t sample = (int64_t)wf_complex_bytes(search->type);
    int64_t bytes = n * sample;
    const double exchanged = search->engine->machine()->exchanged;
    const double matrix = exchanged > 0 ? exchanged : (double)MATRIX_BYTES;
    bool lines = search->engine->widths(search->type)[0] * sample >=
                 LINE_BYTES;
    return bytes >= SQUARES_BYTES &&
           ((double)bytes < matrix || bytes > MOST_MATRIX_BYTES || !lines);
}

/* n = squares m^2 in place; false: it is not. */
static bool propose_squares(wf_search *search, int64_t n, int64_t squares,
                            wf_candidates *candidates)
{
    int64_t m = (int64_t)(sqrt((double)(n / squares)) + 0.5);
    if (squares * m * m != n)
        return false;
    const wf_step *a = wf_search_column(search, squares * m);
    const wf_step *b = wf_search_row(search, m);
    if (a == NULL || b == NULL)
        return false;
    wf_propose(search, candidates, wf_step_over(WF_STEP_FOURSTEP, n, a, b));
    return true;
}

void wf_rule_fourstep(wf_search *search, int64_t n, wf_candidates *candidates)
{
    bool asked = wf_search_asked(search, n, "fourstep");
    if ((n < 1 << 14 && !asked) || n < 16 || n > MOST ||
        wf_largest_prime_factor((uint64_t)n) > 31)
        return;
    if (search->in_place && (asked || exchanging_pays(search, n)) &&
        (propose_squares(search, n, 1, candidates) ||
         propose_squares(search, n, 2, candidates)) &&
        !search->thorough)
        return;
    /* Divisors around sqrt(n), up to a factor 4 to either side. */
    int proposed = 0;
    int64_t low = 2, high = n / 2;
    while (low * low < n)
        low *= 2;
    high = low * 4;
    low = low / 8 > 2 ? low / 8 : 2;
    for (int64_t n1 = low; n1 <= high && proposed < 12; n1++) {
        if (n % n1 != 0)
            continue;
        const double most = wf_cost_to_beat(search, candidates);
        if (isfinite(most) &&
            wf_least_of_two(search, WF_STEP_FOURSTEP, n, n1) >= most)
            return; /* the others move as much */
        const wf_step *a = wf_search_column(search, n1);
        const wf_step *b = wf_search_column(search, n / n1);
        if (a == NULL || b == NULL)
            continue;
        wf_propose(search, candidates,
                   wf_step_over(WF_STEP_FOURSTEP, n, a, b));
        proposed++;
    }
}
