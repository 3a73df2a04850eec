/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stockham - self-sorting mixed-radix passes, decimation in time.
 *
 * Pass i turns n/(s r) groups of r transforms of length s into transforms of
 * length s r; writing them at stride s sorts as it goes, so no pass permutes.
 * The first pass transposes in registers, so that every later pass has its
 * lanes along s and shuffles nothing.  A width w needs a first radix >= w and
 * at least w columns; narrower widths serve the lengths that are too small or
 * too odd for the wide one, and need no look where its vectors are all full
 * (but where registers are made of two halves the next width does as well).
 *
 * Proposes the cheapest path of radices for each width, up to 2^22 (long
 * before that, a pass over memory for every radix costs more than two trips
 * in blocks); when plans are to be measured, also the cheapest without
 * fusing and with smaller radices.
 * Error: one rounding a pass and twiddle, grows as sqrt(log n).
 * Source: Stockham 1966 (in Cochran et al. 1967); Swarztrauber 1984.
 */
#include "num/num.h"
#include "plan/path.h"

static bool already_there(const wf_candidates *candidates, const wf_step *step)
{
    for (int i = 0; i < candidates->count; i++) {
        const wf_step *other = candidates->tree[i];
        bool same = other->kind == step->kind && other->width == step->width &&
                    other->radices == step->radices;
        for (int k = 0; same && k < step->radices; k++)
            same = other->radix[k] == step->radix[k] &&
                   other->fused[k] == step->fused[k];
        if (same)
            return true;
    }
    return false;
}

typedef enum outcome { NONE, FULL, PARTIAL, BEATEN } outcome;

/* Are all vectors full, but for one in 16 of the first pass at most? */
static bool is_full(const wf_step *step)
{
    const int64_t lanes = step->n / step->radix[0], width = step->width;
    const int64_t padded = (lanes + width - 1) / width * width;
    return step->radix[0] % width == 0 && 16 * (padded - lanes) <= lanes;
}

/* Not priced; NULL: there is none, or no memory. */
static wf_step *cheapest(const wf_path *path)
{
    wf_step *step = wf_step_new(WF_STEP_STOCKHAM, path->n);
    if (step == NULL) {
        path->search->no_memory = true;
        return NULL;
    }
    step->width = path->width;
    if (wf_path_cheapest(path, step))
        return step;
    wf_step_free(step);
    return NULL;
}

/* FULL: the proposal is. */
static outcome propose(const wf_path *path, wf_candidates *candidates)
{
    wf_step *step = cheapest(path);
    if (step == NULL)
        return path->most > 0 ? BEATEN : NONE;
    const outcome found = is_full(step) ? FULL : PARTIAL;
    if (already_there(candidates, step))
        wf_step_free(step);
    else
        wf_propose(path->search, candidates, step);
    return found;
}

wf_step *wf_search_unfused(wf_search *search, int64_t n, double most)
{
    const wf_path path = {.search = search,
                          .n = n,
                          .width = search->engine->widths(search->type)[0],
                          .largest = WF_LARGEST_RADIX,
                          .most = most};
    wf_step *step = cheapest(&path);
    if (step == NULL || wf_cost_step(search->engine, search->type, step))
        return step;
    wf_step_free(step);
    return NULL;
}

/* The best of the widths before, cheapest first; 0: there is none. */
static double best_cost(const wf_candidates *candidates)
{
    for (int i = 0; i < candidates->count; i++)
        if (candidates->tree[i]->kind == WF_STEP_STOCKHAM)
            return candidates->tree[i]->cost;
    return 0;
}

/* What the path of a width may cost, so many times the best of the widths before:
 * nor more than an interleaved one, but where planes are wanted. */
static double most_for(const wf_candidates *candidates, double times)
{
    double most = times * best_cost(candidates);
    for (int i = 0; i < candidates->count; i++) {
        const wf_step *step = candidates->tree[i];
        if (step->kind == WF_STEP_INTERLEAVED &&
            (most == 0 || step->cost < most))
            most = step->cost;
    }
    return most;
}

static void propose_all(wf_search *search, int64_t n, bool apart,
                        wf_candidates *candidates)
{
    if (n < 4 || n > 1 << 22 || wf_largest_prime_factor((uint64_t)n) > 31)
        return;
    const int *width = search->engine->widths(search->type);
    int more = WF_MAX_CANDIDATES; /* widths worth a look */
    for (; *width != 0 && more > 0; width++, more--) {
        /* Where the best of this one is dearer by a quarter than that of
         * another, still narrower ones are, too. */
        wf_path path = {.search = search,
                        .n = n,
                        .width = *width,
                        .largest = WF_LARGEST_RADIX,
                        .fuse = true,
                        .apart = apart};
        if (!search->thorough)
            path.most = most_for(candidates,
                                 more == 1 || width[1] == 0 ? 1 : 1.25);
        outcome found = propose(&path, candidates);
        if (found == FULL && !search->thorough &&
            more > search->engine->machine()->rivals)
            more = search->engine->machine()->rivals + 1;
        if (found == BEATEN)
            more = 1;
        for (int i = 1; search->thorough && i < 6; i++) {
            path.fuse = i % 2 == 0;
            path.largest = i < 2 ? WF_LARGEST_RADIX : i < 4 ? 16 : 8;
            propose(&path, candidates);
        }
    }
}

void wf_rule_stockham(wf_search *search, int64_t n, wf_candidates *candidates)
{
    propose_all(search, n, false, candidates);
}

void wf_search_apart(wf_search *search, int64_t n, wf_candidates *candidates)
{
    candidates->count = 0;
    if (search->rule == NULL || wf_search_asked(search, n, "stockham"))
        propose_all(search, n, true, candidates);
}
