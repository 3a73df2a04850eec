/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stages - self-sorting passes for an engine that multiplies matrices.
 *
 * A pass of radix r is one product with the r x r matrix, whatever r is, so
 * fewer and larger radices are better until the engine is full; engines that
 * can say how large (matrix_radix) get these lists of radices:
 *
 *   stages   n in the fewest factors the engine has, largest first, balanced
 *   radix8, radix4, mixed   the posts' dispatch: 8^k, 4^k and [8^a 4^b]
 *
 * each with its passes in one kernel (`8+8`) and in kernels of their own
 * (`8.8`), as the posts' drivers run them; the latter only where that can pay
 * or is asked for.
 * Error: that of the passes.  Source: the trnfft posts, 2026.
 */
#include "plan/search.h"

#include <math.h>

static bool same_passes(const wf_step *a, const wf_step *b, bool fused)
{
    bool same = a->kind == b->kind && a->radices == b->radices &&
                a->fused[0] == fused;
    for (int i = 0; same && i < a->radices; i++)
        same = a->radix[i] == b->radix[i];
    return same;
}

static void propose(wf_search *search, wf_candidates *candidates,
                    const wf_step *passes, bool fused)
{
    for (int i = 0; i < candidates->count; i++)
        if (same_passes(candidates->tree[i], passes, fused))
            return;
    wf_step *step = wf_step_copy(passes);
    for (int i = 0; step != NULL && i + 1 < step->radices; i++)
        step->fused[i] = fused;
    wf_propose(search, candidates, step);
}

static void propose_both(wf_search *search, wf_candidates *candidates,
                         const wf_step *passes)
{
    if (passes->radices < 2)
        return;
    bool asked = search->rule != NULL && passes->n == search->root;
    propose(search, candidates, passes, true);
    if (asked || passes->n <= 1 << 14)
        propose(search, candidates, passes, false);
}

/* The largest radices first, while they divide what is left; false when
 * something stays. */
static bool take(int64_t n, int largest, int least, wf_step *step)
{
    step->n = n;
    step->width = 1;
    step->radices = 0;
    for (int r = largest; r >= least; r--)
        for (; n % r == 0 && step->radices < WF_MAX_RADICES; n /= r)
            step->radix[step->radices++] = r;
    return n == 1;
}

/* `count` radices that make n, each the smallest divisor that leaves the
 * others enough: 4096 is 64 64, 1024 is 32 32, and not 64 16. */
static bool balance(int64_t n, int largest, int count, wf_step *step)
{
    step->n = n;
    step->width = 1;
    step->radices = 0;
    for (int left = count; left > 0; left--) {
        int best = 0;
        for (int r = largest; r >= 2; r--)
            if (n % r == 0 && pow(r, left) >= (double)n)
                best = r;
        if (best == 0)
            return false;
        step->radix[step->radices++] = best;
        n /= best;
    }
    return n == 1;
}

void wf_rule_stages(wf_search *search, int64_t n, wf_candidates *candidates)
{
    int largest = search->engine->matrix_radix;
    wf_step step = {.kind = WF_STEP_STOCKHAM};
    if (largest == 0 || n < 4)
        return;
    for (int count = 2; count <= WF_MAX_RADICES; count++)
        if (balance(n, largest, count, &step)) {
            propose_both(search, candidates, &step);
            break;
        }
    if (take(n, largest, 2, &step))
        propose_both(search, candidates, &step);
}

static void posts(wf_search *search, int64_t n, wf_candidates *candidates,
                  int radix)
{
    wf_step step = {.kind = WF_STEP_STOCKHAM};
    if (search->engine->matrix_radix >= radix && take(n, radix, radix, &step))
        propose_both(search, candidates, &step);
}

void wf_rule_radix8(wf_search *search, int64_t n, wf_candidates *candidates)
{
    posts(search, n, candidates, 8);
}

void wf_rule_radix4(wf_search *search, int64_t n, wf_candidates *candidates)
{
    posts(search, n, candidates, 4);
}

/* Eights, and one or two fours where log2 n is no multiple of 3. */
void wf_rule_mixed(wf_search *search, int64_t n, wf_candidates *candidates)
{
    wf_step step = {.kind = WF_STEP_STOCKHAM, .n = n, .width = 1};
    int log = 0;
    for (; n > 1 && n % 2 == 0; n /= 2)
        log++;
    if (search->engine->matrix_radix == 0 || n != 1 || log < 5 || log % 3 == 0)
        return;
    int fours = log % 3 == 1 ? 2 : 1;
    for (int i = 0; i < (log - 2 * fours) / 3; i++)
        step.radix[step.radices++] = 8;
    for (int i = 0; i < fours; i++)
        step.radix[step.radices++] = 4;
    propose_both(search, candidates, &step);
}
