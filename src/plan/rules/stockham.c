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

/* True when every vector of the proposal is full. */
static bool propose(const wf_path *path, wf_candidates *candidates)
{
    wf_step *step = wf_step_new(WF_STEP_STOCKHAM, path->n);
    if (step == NULL) {
        path->search->no_memory = true;
        return false;
    }
    step->width = path->width;
    bool found = wf_path_cheapest(path, step);
    bool full = found && step->radix[0] % path->width == 0 &&
                path->n / step->radix[0] % path->width == 0;
    if (found && !already_there(candidates, step))
        wf_propose(path->search, candidates, step);
    else
        wf_step_free(step);
    return full;
}

/* Is the best of this width dearer by a quarter than the best of another? Then
 * still narrower ones are, too. */
static bool falls_behind(const wf_candidates *candidates, int width)
{
    double best = -1, here = -1; /* cheapest first */
    for (int i = candidates->count - 1; i >= 0; i--) {
        const wf_step *step = candidates->tree[i];
        if (step->kind == WF_STEP_STOCKHAM && step->width == width)
            here = step->cost;
        else if (step->kind == WF_STEP_STOCKHAM)
            best = step->cost;
    }
    return best >= 0 && here > 1.25 * best;
}

void wf_rule_stockham(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (n < 4 || n > 1 << 22 || wf_largest_prime_factor((uint64_t)n) > 31)
        return;
    const int *width = search->engine->widths(search->type);
    int more = WF_MAX_CANDIDATES; /* widths worth a look */
    for (; *width != 0 && more > 0; width++, more--) {
        wf_path path = {.search = search,
                        .n = n,
                        .width = *width,
                        .largest = WF_LARGEST_RADIX,
                        .fuse = true};
        if (propose(&path, candidates) && !search->thorough &&
            more > search->engine->machine()->rivals)
            more = search->engine->machine()->rivals + 1;
        if (!search->thorough && falls_behind(candidates, *width))
            more = 1;
        for (int i = 1; search->thorough && i < 6; i++) {
            path.fuse = i % 2 == 0;
            path.largest = i < 2 ? WF_LARGEST_RADIX : i < 4 ? 16 : 8;
            propose(&path, candidates);
        }
    }
}
