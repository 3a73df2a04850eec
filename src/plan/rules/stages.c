/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stages - self-sorting passes for an engine that multiplies matrices.
 *
 * A pass of radix r is one product with the r x r matrix, whatever r is, so
 * fewer and larger radices are better until the engine is full; engines that
 * can say how large (matrix_radix) get these lists of radices:
 *
 *   stages   n in the fewest factors the engine has, largest first, balanced
 *   radix16, radix8, radix4, mixed   16^k, and the posts' dispatch: 8^k, 4^k
 *                                    and [8^a 4^b]
 *
 * each with its passes in one kernel (`8+8`) and in kernels of their own
 * (`8.8`), as the posts' drivers run them; the latter only where that can pay
 * or is asked for.
 *
 * The CPU has cheaper passes, and multiplies matrices of any size: there these
 * names, where they are asked for, are `matrix` trees of the same radices, to
 * be compared; mixed is [16^a 8^b 4^c].
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

/* Passes as products, for an engine that has both. */
static void propose_products(wf_search *search, wf_candidates *candidates,
                             const wf_step *passes)
{
    wf_step *step = wf_step_copy(passes);
    if (step != NULL) {
        step->kind = WF_STEP_MATRIX;
        step->scheme = search->scheme;
    }
    wf_propose(search, candidates, step);
}

static bool has_products(const wf_search *search, int64_t n, const char *rule)
{
    return search->engine->matrix_radix == 0 &&
           search->engine->products != NULL &&
           wf_search_asked(search, n, rule);
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

/* Passes of one radix. */
static void alike(wf_search *search, int64_t n, wf_candidates *candidates,
                  int radix, const char *rule)
{
    wf_step step = {.kind = WF_STEP_STOCKHAM};
    if (n < 2 || !take(n, radix, radix, &step))
        return;
    if (search->engine->matrix_radix >= radix)
        propose_both(search, candidates, &step);
    else if (has_products(search, n, rule))
        propose_products(search, candidates, &step);
}

void wf_rule_radix16(wf_search *search, int64_t n, wf_candidates *candidates)
{
    if (search->engine->matrix_radix == 0 ||
        wf_search_asked(search, n, "radix16"))
        alike(search, n, candidates, 16, "radix16");
}

void wf_rule_radix8(wf_search *search, int64_t n, wf_candidates *candidates)
{
    alike(search, n, candidates, 8, "radix8");
}

void wf_rule_radix4(wf_search *search, int64_t n, wf_candidates *candidates)
{
    alike(search, n, candidates, 4, "radix4");
}

/* The most of 2^each that leaves no single 2 of 2^*log, *log less that. */
static void add_powers(wf_step *step, int each, int *log)
{
    int count = *log / each;
    if (*log - count * each == 1)
        count--;
    for (int i = 0; i < count; i++, *log -= each)
        step->radix[step->radices++] = 1 << each;
}

/* Eights, and one or two fours where log2 n is no multiple of 3; on the CPU
 * as many sixteens as there are before. */
void wf_rule_mixed(wf_search *search, int64_t n, wf_candidates *candidates)
{
    wf_step step = {.kind = WF_STEP_STOCKHAM, .n = n, .width = 1};
    bool products = has_products(search, n, "mixed");
    int log = 0;
    for (; n > 1 && n % 2 == 0; n /= 2)
        log++;
    if (n != 1 || log < 5 ||
        (products ? log % 4 == 0
                  : search->engine->matrix_radix == 0 || log % 3 == 0))
        return;
    if (products)
        add_powers(&step, 4, &log);
    add_powers(&step, 3, &log);
    add_powers(&step, 2, &log);
    if (products)
        propose_products(search, candidates, &step);
    else
        propose_both(search, candidates, &step);
}
