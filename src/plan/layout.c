/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c - which addresses a problem's dimensions reach, by arithmetic on
 * (n, stride) alone.
 *
 * Distinct: two indices meet when integers d_i, |d_i| < n_i, not all zero,
 * give sum d_i s_i = 0 (signs of strides do not matter: d_i may be negated).
 * Most axes can be shown to have d_i = 0 and struck out:
 *   - s_i is larger than all the other axes span together, or
 *   - with g the gcd of the other strides, d_i s_i must be a multiple of g,
 *     and the smallest such d_i, g / gcd(g, s_i), is not below n_i.
 * For two axes the second rule is exact.  What remains (three or more truly
 * interleaved axes) is searched depth first from the largest stride down,
 * where the span of the smaller ones leaves few d_i to try; after
 * SEARCH_LIMIT trials the answer is "unknown".
 *
 * Same: each list is sorted and neighbours that walk memory as one are
 * merged.  When each stride exceeds what the smaller ones span, as in every
 * row-major layout with padding or steps, this form is the only one of its
 * set of addresses (the first run of equal gaps fixes the smallest axis, and
 * so on), so comparing it is exact.  Interleaved layouts may be the same set
 * in two forms; those are taken as different.
 */
#include "plan/layout.h"
#include "num/num.h"
#include "plan/problem.h"

#include <string.h>

enum { SEARCH_LIMIT = 1 << 18 };

int wf_axis_count(const weft_problem *problem)
{
    return problem->rank + problem->batch_rank;
}

weft_dim *wf_axis_at(weft_problem *problem, int index)
{
    return index < problem->rank ? &problem->dims[index]
                                 : &problem->batch[index - problem->rank];
}

const weft_dim *wf_axis_of(const weft_problem *problem, int index)
{
    return index < problem->rank ? &problem->dims[index]
                                 : &problem->batch[index - problem->rank];
}

/* ---- Packed ------------------------------------------------------------- */

bool wf_layout_is_default(const weft_problem *problem)
{
    for (int i = 0; i < wf_axis_count(problem); i++) {
        const weft_dim *d = wf_axis_of(problem, i);
        if (d->is || d->os)
            return false;
    }
    return true;
}

/* What a step of the axis outside this one must go over. */
static int64_t packed_length(const weft_problem *p, wf_side side, bool last,
                             int64_t n)
{
    bool real = !wf_side_is_complex(p->kind, side);
    if (real && last && p->place == WEFT_IN_PLACE &&
        (p->kind == WEFT_R2C || p->kind == WEFT_C2R))
        return 2 * (n / 2 + 1); /* room for the complex numbers */
    return wf_side_length(p->kind, side, last, n);
}

static bool widen(int64_t *stride, int64_t length)
{
    return length <= 1 ||
           (wf_mul_i64(*stride, length, stride) && *stride <= WF_OFFSET_LIMIT);
}

/* Batches outermost: the innermost axis is the last transformed one.  An
 * empty batch counts as 1, so that the other strides stay meaningful. */
bool wf_layout_pack(weft_problem *problem, int *axis)
{
    weft_problem *p = problem;
    int64_t in = 1, out = 1;
    *axis = 0;
    if (p->rank == 0) { /* one real, one complex number */
        in = packed_length(p, WF_INPUT, true, 1);
        out = packed_length(p, WF_OUTPUT, true, 1);
    }
    for (int k = 0; k < wf_axis_count(p); k++) {
        int i = k < p->rank ? p->rank - 1 - k
                            : wf_axis_count(p) - 1 - (k - p->rank);
        bool last = i == p->rank - 1;
        weft_dim *d = wf_axis_at(p, i);
        d->is = in;
        d->os = out;
        if (!widen(&in, packed_length(p, WF_INPUT, last, d->n)) ||
            !widen(&out, packed_length(p, WF_OUTPUT, last, d->n))) {
            *axis = i;
            return false;
        }
    }
    return true;
}

bool wf_layout_is_packed(const weft_problem *problem)
{
    weft_problem packed = *problem;
    int axis;
    if (wf_layout_is_default(problem))
        return true;
    if (!wf_layout_pack(&packed, &axis))
        return false;
    for (int i = 0; i < wf_axis_count(problem); i++) {
        const weft_dim *d = wf_axis_of(problem, i);
        const weft_dim *p = wf_axis_of(&packed, i);
        if (d->n > 1 && (d->is != p->is || d->os != p->os))
            return false;
    }
    return true;
}

/* ---- Distinct ----------------------------------------------------------- */

static int64_t magnitude(int64_t s)
{
    return s < 0 ? -s : s;
}

/* Copies with |s|, ascending by |s|, then n. */
static void sort_axes(const wf_axis *axes, int count, wf_axis *sorted)
{
    for (int i = 0; i < count; i++) {
        wf_axis a = {axes[i].n, magnitude(axes[i].s), axes[i].id};
        int k = i;
        for (; k > 0 && (sorted[k - 1].s > a.s ||
                         (sorted[k - 1].s == a.s && sorted[k - 1].n > a.n));
             k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = a;
    }
}

/* True when no collision can move along axis i. */
static bool still(const wf_axis *axes, int count, int i)
{
    int64_t span = 0;
    uint64_t g = 0, s = (uint64_t)axes[i].s;
    for (int k = 0; k < count; k++)
        if (k != i) {
            span += (axes[k].n - 1) * axes[k].s;
            g = g ? wf_gcd(g, (uint64_t)axes[k].s) : (uint64_t)axes[k].s;
        }
    return axes[i].s > span || g / wf_gcd(g, s) > (uint64_t)axes[i].n - 1;
}

static int strike_out(wf_axis *axes, int count)
{
    for (int i = 0; i < count;) {
        if (!still(axes, count, i)) {
            i++;
            continue;
        }
        count--;
        memmove(axes + i, axes + i + 1, (size_t)(count - i) * sizeof *axes);
        i = 0;
    }
    return count;
}

typedef struct search {
    const wf_axis *axes;
    int64_t span[WF_MAX_AXES]; /* of the axes below i */
    int trials;
} search;

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Is there a d_0 .. d_i with sum = -rest?  `moved`: some d above is not 0;
 * while none is, only d >= 0 needs trying (-d is a solution when d is). */
static wf_answer collides(search *look, int i, int64_t rest, bool moved)
{
    int64_t n = look->axes[i].n, s = look->axes[i].s;
    if (i == 0)
        return moved && rest % s == 0 && magnitude(rest / s) < n ? WF_YES
                                                                 : WF_NO;
    int64_t low = -floor_div(look->span[i] + rest, s);
    int64_t high = floor_div(look->span[i] - rest, s);
    low = clamp(low, moved ? 1 - n : 0, n);
    high = clamp(high, -n, n - 1);
    for (int64_t d = low; d <= high; d++) {
        if (look->trials++ >= SEARCH_LIMIT)
            return WF_UNKNOWN;
        wf_answer below = collides(look, i - 1, rest + d * s, moved || d);
        if (below != WF_NO)
            return below;
    }
    return WF_NO;
}

wf_answer wf_layout_distinct(const wf_axis *axes, int count, int *id)
{
    wf_axis sorted[WF_MAX_AXES];
    sort_axes(axes, count, sorted);
    count = strike_out(sorted, count);
    if (count == 0)
        return WF_YES;
    *id = sorted[count - 1].id;
    if (count == 2)
        return WF_NO;
    search look = {.axes = sorted};
    for (int i = 1; i < count; i++)
        look.span[i] = look.span[i - 1] +
                       (sorted[i - 1].n - 1) * sorted[i - 1].s;
    switch (collides(&look, count - 1, 0, false)) {
    case WF_YES: return WF_NO;
    case WF_NO: return WF_YES;
    default: return WF_UNKNOWN;
    }
}

/* ---- Same --------------------------------------------------------------- */

static int merged(const wf_axis *axes, int count, wf_axis *form)
{
    int last = -1;
    wf_axis sorted[WF_MAX_AXES];
    sort_axes(axes, count, sorted);
    for (int i = 0; i < count; i++) {
        if (last >= 0 && sorted[i].s == form[last].n * form[last].s)
            form[last].n *= sorted[i].n;
        else
            form[++last] = sorted[i];
    }
    return last + 1;
}

bool wf_layout_same(const wf_axis *a, int a_count, const wf_axis *b,
                    int b_count)
{
    wf_axis x[WF_MAX_AXES], y[WF_MAX_AXES];
    int count = merged(a, a_count, x);
    if (count != merged(b, b_count, y))
        return false;
    for (int i = 0; i < count; i++)
        if (x[i].n != y[i].n || x[i].s != y[i].s)
            return false;
    return true;
}
