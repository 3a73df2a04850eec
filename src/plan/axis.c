/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.c - from one transform of unit stride to a whole problem.
 *
 * A problem is its axes, one after the other: the first reads the input and
 * writes the output, the others work on the output in place.  Each axis is
 * walked by rows (unit stride), streamed ones where memory is their limit, by
 * columns (a neighbouring dimension of unit stride in the lanes, or short ones
 * anywhere), reals embedded in complex ones, or through a buffer; the cheapest that
 * applies is taken (walk_price.c).  In place with two layouts is out of place from a
 * packed copy.
 */
#include "plan/dense.h"
#include "plan/precise.h"
#include "plan/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The strides that a step meets: `first` reads the input, and the axes of C2R
 * but the last write to the course's own place. */
static weft_dim side(weft_dim d, weft_dim there, bool backward, bool first,
                     bool real)
{
    int64_t middle = backward ? there.os : d.os;
    return (weft_dim){d.n, first ? d.is : middle, real ? d.os : middle};
}

void wf_walk_axis(const wf_course *course, int axis, bool first, wf_walk *walk)
{
    const wf_problem *p = &course->problem;
    bool backward = p->kind == WEFT_C2R;
    bool halves = backward || p->kind == WEFT_R2C;
    *walk = (wf_walk){.count = 1, .real = halves && axis == p->rank - 1};
    bool real = walk->real || !halves; /* writes the output itself */
    for (int i = 0; i < p->loops; i++)
        walk->loop[walk->loops++] = side(p->loop[i], course->loop[i], backward,
                                         first, real);
    for (int i = 0; i < p->rank; i++) {
        weft_dim d = side(p->dim[i], course->dim[i], backward, first, real);
        if (i == axis)
            walk->axis = d;
        else
            walk->loop[walk->loops++] = d;
        /* Beside complex axes the real one has its complex length. */
        if (i != axis && i == p->rank - 1 && halves)
            walk->loop[walk->loops - 1].n = d.n / 2 + 1;
    }
    for (int i = 0; i < walk->loops; i++)
        walk->count *= walk->loop[i].n;
    /* Rows of a matrix without gaps, columns in all planes of a cube. */
    wf_merge_loops(walk->loop, &walk->loops);
    walk->in_scalars = wf_side_scalars(p, WF_INPUT);
    walk->out_scalars = wf_side_scalars(p, WF_OUTPUT);
    if (halves && !walk->real)
        walk->in_scalars = walk->out_scalars = p->split ? 1 : 2;
    walk->in_place = course->staged ? !first && !walk->real
                                    : p->in_place || !first;
}

static bool carries_scale(const wf_step *axis, bool split)
{
    if (axis->children != 1)
        return false;
    const wf_step *child = axis->child[0];
    if (child->kind == WF_STEP_REAL_COLUMN || wf_step_is_lone(child))
        return false;
    if (axis->kind == WF_STEP_EMBEDDED)
        return true;
    if (wf_step_is_real(child->kind) || wf_step_is_r2r(child->kind))
        return true;
    if (child->kind == WF_STEP_MATRIX)
        return axis->kind == WF_STEP_ROWS;
    if (split) /* rows of whole numbers */
        return (axis->kind == WF_STEP_BUFFERED ||
                (axis->kind == WF_STEP_STREAMED &&
                 child->kind != WF_STEP_STOCKHAM)) &&
               !wf_step_is_column(child);
    if (axis->kind == WF_STEP_COLS)
        return child->radices >= 2 && child->kind != WF_STEP_BESIDE;
    return axis->kind == WF_STEP_ROWS || axis->kind == WF_STEP_STREAMED ||
           (axis->kind == WF_STEP_BUFFERED && !wf_step_is_column(child));
}

bool wf_child_scales(const wf_step *rank, int i, bool split)
{
    const wf_step *child = rank->child[i];
    return child->kind == WF_STEP_SCALE ||
           (child->kind == WF_STEP_SLICED && i > 0) ||
           carries_scale(child, split);
}

/* Packs the input of every dimension, widest output stride outermost, so that
 * unit strides meet unit strides. */
void wf_repacked(const wf_problem *problem, wf_problem *view)
{
    weft_dim *order[2 * WEFT_MAX_RANK];
    int count = 0;
    *view = *problem;
    view->in_place = false;
    for (int i = 0; i < view->loops + view->rank; i++) {
        weft_dim *d = i < view->loops ? &view->loop[i]
                                      : &view->dim[i - view->loops];
        int at = count++;
        for (; at > 0 && llabs(order[at - 1]->os) < llabs(d->os); at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
    int64_t stride = 1;
    for (int i = count - 1; i >= 0; i--) {
        weft_dim *d = order[i];
        bool inner = d >= view->dim && d < view->dim + view->rank;
        d->is = stride;
        stride *= inner ? wf_dim_length(view, (int)(d - view->dim), WF_INPUT)
                        : d->n;
    }
}

void wf_course_of(const wf_problem *problem, wf_course *course)
{
    wf_problem there = *problem;
    course->problem = *problem;
    course->staged = problem->kind == WEFT_C2R && problem->rank > 1 &&
                     !wf_problem_overlays(problem);
    if (course->staged)
        wf_repacked(problem, &there);
    for (int i = 0; i < problem->rank; i++) {
        course->dim[i] = there.dim[i];
        course->dim[i].os = there.dim[i].is;
    }
    for (int i = 0; i < problem->loops; i++) {
        course->loop[i] = there.loop[i];
        course->loop[i].os = there.loop[i].is;
    }
}

bool wf_needs_repack(const wf_problem *problem)
{
    return problem->in_place && !wf_problem_overlays(problem) &&
           (problem->kind != WEFT_C2R || problem->rank == 1);
}

int wf_walk_neighbours(const wf_walk *walk)
{
    int best = -1;
    for (int i = 0; i < walk->loops; i++) {
        const weft_dim *d = &walk->loop[i];
        if (d->is == 1 && d->os == 1 &&
            (best < 0 || d->n > walk->loop[best].n))
            best = i;
    }
    return best;
}

int64_t wf_walk_lanes(const wf_walk *walk)
{
    const int lanes = wf_walk_neighbours(walk);
    return lanes < 0 ? 0 : walk->loop[lanes].n;
}

int64_t wf_walk_channels(const wf_walk *walk)
{
    enum { MOST = 8 };
    const int64_t count = wf_walk_lanes(walk);
    return count > 1 && count <= MOST &&
                   (walk->axis.is == count || walk->axis.os == count)
               ? count
               : 0;
}

bool wf_columns_overlap(int64_t columns, int64_t n, weft_type type)
{
    enum { MANY = 2048 };
    const int64_t part = WF_INTERLEAVED_BYTES /
                         (int64_t)wf_complex_bytes(type);
    const int64_t left = columns % part;
    return columns < MANY && (left > 1 ? n > 4 : left > 0 && n > 12);
}

int wf_walk_packed(const wf_walk *walk, int64_t in, int64_t out)
{
    if (walk->axis.is != 1 || walk->axis.os != 1)
        return -1;
    for (int i = 0; i < walk->loops; i++)
        if (walk->loop[i].is * walk->in_scalars == in &&
            walk->loop[i].os * walk->out_scalars == out)
            return i;
    return -1;
}

/* A loop that fills half of a vector's lanes. */
static bool has_batch(const wf_search *search, const wf_course *course,
                      int axis, bool first)
{
    const int width = search->engine->widths(search->type)[0];
    wf_walk walk;
    wf_walk_axis(course, axis, first, &walk);
    const int taken = wf_walk_abreast(&walk, width);
    return taken >= 0 && 2 * walk.loop[taken].n >= width;
}

/* Without them columns need no search. */
static bool has_lanes(const wf_course *course, int axis, bool first)
{
    wf_walk walk;
    wf_walk_axis(course, axis, first, &walk);
    return wf_walk_lanes(&walk) > 0;
}

int64_t wf_walk_reals(const wf_walk *walk, wf_side side)
{
    bool out = side == WF_OUTPUT;
    int scalars = out ? walk->out_scalars : walk->in_scalars;
    int64_t n = walk->axis.n;
    return walk->real && scalars == 2 ? 2 * (n / 2 + 1) : scalars * n;
}

int wf_walk_streamed(const wf_walk *walk)
{
    enum { LONG = 256 }; /* reals whose lines may be cut at both ends */
    int best = -1;
    if (walk->axis.is != 1 || walk->axis.os != 1)
        return -1;
    for (int i = 0; i < walk->loops; i++)
        if (best < 0 || llabs(walk->loop[i].os) < llabs(walk->loop[best].os))
            best = i;
    int64_t row = wf_walk_reals(walk, WF_OUTPUT);
    bool packed = best >= 0 && walk->loop[best].os * walk->out_scalars == row;
    return packed || walk->in_place || row >= LONG ? best : -1;
}

int wf_walk_abreast(const wf_walk *walk, int width)
{
    int best = -1;
    for (int i = 0; i < walk->loops; i++) {
        const weft_dim *d = &walk->loop[i],
                       *b = &walk->loop[best < 0 ? 0 : best];
        int64_t here = llabs(d->is) + llabs(d->os);
        int64_t there = llabs(b->is) + llabs(b->os);
        bool fills = d->n >= width, filled = b->n >= width;
        if (best < 0 || (fills != filled ? fills
                         : fills         ? here < there
                                         : d->n > b->n))
            best = i;
    }
    return best;
}

static int crossed_of(const wf_walk *walk)
{
    for (int i = 0; i < walk->loops; i++) {
        const weft_dim *d = &walk->loop[i];
        if ((d->os == 1 && walk->axis.is == 1 && d->is > 0 &&
             walk->axis.os > 0) ||
            (d->is == 1 && walk->axis.os == 1 && d->os > 0 &&
             walk->axis.is > 0))
            return i;
    }
    return -1;
}

int wf_walk_crossed(const wf_walk *walk)
{
    const bool complex = !walk->real && walk->in_scalars == 2 &&
                         walk->out_scalars == 2;
    return complex && !walk->in_place ? crossed_of(walk) : -1;
}

bool wf_walk_takes_tiles(const wf_walk *walk)
{
    enum { LEAST = 4 };
    return walk->axis.n >= LEAST && wf_walk_neighbours(walk) < 0;
}

bool wf_walk_is_apart(const wf_walk *walk)
{
    bool same = walk->axis.is == walk->axis.os;
    for (int i = 0; i < walk->loops; i++)
        same = same && walk->loop[i].is == walk->loop[i].os;
    return !walk->in_place || same;
}

int wf_walk_crossed_reals(const wf_walk *walk)
{
    return wf_walk_takes_tiles(walk) && !walk->in_place ? crossed_of(walk)
                                                        : -1;
}

static wf_step *axis_step(wf_search *search, wf_step_kind kind, int axis,
                          const wf_step *child)
{
    wf_step *step = wf_step_over(kind, child->n, child, NULL);
    if (step == NULL)
        search->no_memory = true;
    else
        step->axis = axis;
    return step;
}

/* Keeps the cheaper of *best and the axis step, NULL: there is none. */
static void try_step(wf_search *search, const wf_course *course, bool first,
                     wf_step *step, wf_step **best)
{
    if (step == NULL)
        return;
    bool fits = wf_price_axis(search->engine, course, step, first);
    search->no_memory |= isnan(step->cost);
    if (fits && (*best == NULL || step->cost < (*best)->cost)) {
        wf_step_free(*best);
        *best = step;
    } else {
        wf_step_free(step);
    }
}

/* Of `kind` over child. */
static void try_axis(wf_search *search, const wf_course *course,
                     wf_step_kind kind, int axis, bool first,
                     const wf_step *child, wf_step **best)
{
    if (child != NULL)
        try_step(search, course, first, axis_step(search, kind, axis, child),
                 best);
}

/* Prices the candidates by the axis step they make, for engines that weigh
 * the two together; those that do not fit go. */
static void weigh_candidates(wf_search *search, const wf_course *course,
                             int axis, bool first, wf_candidates *candidates)
{
    wf_candidates all = *candidates;
    candidates->count = 0;
    for (int i = 0; i < all.count; i++) {
        wf_step *tree = all.tree[i], *best = NULL;
        try_axis(search, course, WF_STEP_ROWS, axis, first, tree, &best);
        try_axis(search, course, WF_STEP_BUFFERED, axis, first, tree, &best);
        if (best == NULL) {
            wf_step_free(tree);
            continue;
        }
        tree->cost = best->cost;
        wf_step_free(best);
        int at = candidates->count++;
        for (; at > 0 && candidates->tree[at - 1]->cost > tree->cost; at--)
            candidates->tree[at] = candidates->tree[at - 1];
        candidates->tree[at] = tree;
    }
}

static void explain_candidates(const wf_candidates *candidates, int64_t n,
                               wf_text *why)
{
    if (why == NULL)
        return;
    wf_text_add(why, "candidates for length %" PRId64 ", cheapest first:\n",
                n);
    for (int i = 0; i < candidates->count; i++) {
        wf_text_add(why, "%12.0f ns  ", candidates->tree[i]->cost);
        wf_step_print(candidates->tree[i], why);
        wf_text_add(why, "\n");
    }
}

/* A rule speaks of axes of its own sort; without one it makes no plan. */
static bool rule_is_idle(const wf_search *search, const wf_problem *problem)
{
    bool r2r = problem->kind == WEFT_R2R;
    bool real = !r2r && problem->kind != WEFT_C2C;
    bool complex = !r2r && (!real || problem->rank > 1);
    return search->rule != NULL && !(search->r2r    ? r2r
                                     : search->real ? real
                                                    : complex);
}

/* Complex vectors as columns: where they are, or of lengths that convolve copied
 * there. */
static void try_columns(wf_search *search, const wf_course *course, int axis,
                        bool first, int64_t n, wf_step **best)
{
    const bool weighs = search->engine->weigh != NULL;
    wf_walk walk;
    wf_walk_axis(course, axis, first, &walk);
    const int64_t row = llabs(walk.axis.os) *
                        (int64_t)wf_complex_bytes(search->type);
    if ((search->rule == NULL || search->real) &&
        (weighs || wf_walk_lanes(&walk) > 0))
        try_axis(search, course, WF_STEP_COLS, axis, first,
                 wf_search_column_apart(search, n, row), best);
    if (search->rule == NULL && !weighs &&
        (!search->split || wf_walk_lanes(&walk) == 0))
        try_axis(search, course, WF_STEP_COLS, axis, first,
                 wf_search_whole_column(search, n), best);
    if (search->rule == NULL && !weighs && !search->split &&
        wf_walk_lanes(&walk) > 1 && walk.axis.os == wf_walk_lanes(&walk)) {
        wf_step *beside = wf_search_beside(search, n, wf_walk_lanes(&walk),
                                           walk.in_place);
        try_axis(search, course, WF_STEP_COLS, axis, first, beside, best);
        wf_step_free(beside);
    }
    if (search->rule == NULL && !weighs &&
        wf_largest_prime_factor((uint64_t)n) > 31 &&
        has_batch(search, course, axis, first))
        try_axis(search, course, WF_STEP_BUFFERED, axis, first,
                 wf_search_column(search, n), best);
    if (search->rule == NULL && !weighs && wf_walk_crossed(&walk) >= 0)
        try_axis(search, course, WF_STEP_BUFFERED, axis, first,
                 wf_search_whole_column(search, n), best);
}

/* Vectors of a real kind, or real ones, side by side. */
static void try_abreast(wf_search *search, const wf_course *course,
                        weft_kind kind, int axis, bool first, wf_step **best)
{
    wf_candidates candidates;
    wf_search_abreast(search, kind, course->problem.dim[axis].n, &candidates);
    for (int i = 0; i < candidates.count; i++) {
        const wf_step *tree = candidates.tree[i];
        try_axis(search, course, WF_STEP_ROWS, axis, first, tree, best);
        try_axis(search, course, WF_STEP_COLS, axis, first, tree, best);
    }
    wf_candidates_free(&candidates);
}

/* Those of a real kind, or real ones, by the definition: neighbours, or one after
 * the other. */
static void try_dense(wf_search *search, const wf_course *course,
                      weft_kind kind, int axis, bool first, wf_step **best)
{
    const int64_t n = course->problem.dim[axis].n;
    const bool r2r = kind >= WEFT_R2HC;
    if (n < 2 || n > WF_DENSE ||
        (search->rule != NULL &&
         strcmp(search->rule, r2r ? "dense" : "direct") != 0))
        return;
    wf_candidates one = {0};
    wf_step *tree = wf_step_new(r2r ? WF_STEP_DENSE : WF_STEP_DIRECT, n);
    if (tree != NULL)
        tree->real = kind;
    wf_propose(search, &one, tree);
    if (one.count > 0)
        try_axis(search, course, WF_STEP_COLS, axis, first, one.tree[0], best);
    if (one.count > 0)
        try_axis(search, course, WF_STEP_ROWS, axis, first, one.tree[0], best);
    wf_candidates_free(&one);
}

/* NULL: no kernel, or no memory. */
static wf_step *real_column(wf_search *search, int64_t n, int width)
{
    if (n > WF_LONGEST_REAL_COLUMN)
        return NULL;
    wf_step *step = wf_step_new(WF_STEP_REAL_COLUMN, n);
    search->no_memory |= step == NULL;
    if (step == NULL)
        return NULL;
    step->width = width;
    if (wf_cost_step(search->engine, search->type, step))
        return step;
    wf_step_free(step);
    return NULL;
}

/* Short real ones: neighbours, one in each lane, or any, one at a time. */
static void try_real_column(wf_search *search, const wf_course *course,
                            int axis, bool first, wf_step **best)
{
    const int widths[] = {search->engine->widths(search->type)[0], 1};
    for (int i = widths[0] == 1; i < 2; i++) {
        wf_step *step = real_column(search, course->problem.dim[axis].n,
                                    widths[i]);
        if (step != NULL)
            try_axis(search, course, WF_STEP_COLS, axis, first, step, best);
        wf_step_free(step);
    }
}

/* A halfcomplex kind by a half spectrum, if there is one. */
static void try_spectrum(wf_search *search, const wf_course *course,
                         wf_step_kind walk, weft_kind kind, int axis,
                         bool first, const wf_step *spectrum, wf_step **best)
{
    wf_candidates one = {0};
    if (spectrum != NULL)
        wf_propose_r2r(search, &one, WF_STEP_SPECTRAL, kind, spectrum->n,
                       spectrum, NULL);
    if (one.count > 0)
        try_axis(search, course, walk, axis, first, one.tree[0], best);
    wf_candidates_free(&one);
}

/* Short halfcomplex ones: of even length, one after the other; anywhere, one at a
 * time. */
static void try_halves(wf_search *search, const wf_course *course,
                       weft_kind kind, int axis, bool first, wf_step **best)
{
    const int64_t n = course->problem.dim[axis].n;
    if ((kind != WEFT_R2HC && kind != WEFT_HC2R) || n < 2 ||
        (search->rule != NULL && strcmp(search->rule, "spectral") != 0))
        return;
    if (n % 2 == 0 && n <= WF_HALVES &&
        has_batch(search, course, axis, first)) {
        const wf_step *leaf = wf_search_real(search, n);
        if (leaf != NULL && leaf->kind == WF_STEP_REAL_LEAF)
            try_spectrum(search, course, WF_STEP_ROWS, kind, axis, first, leaf,
                         best);
    }
    wf_step *column = real_column(search, n, 1);
    try_spectrum(search, course, WF_STEP_COLS, kind, axis, first, column,
                 best);
    wf_step_free(column);
}

/* Real neighbours by complex columns: one in each, or two. */
static void try_parts(wf_search *search, const wf_course *course, int axis,
                      bool first, wf_step **best)
{
    static wf_step *(*const plan[])(wf_search *, const wf_problem *,
                                    const wf_walk *,
                                    weft_kind) = {wf_plan_embedded,
                                                  wf_plan_paired};
    wf_walk walk;
    wf_walk_axis(course, axis, first, &walk);
    for (int i = 0; i < 2; i++) {
        wf_step *step = plan[i](search, &course->problem, &walk,
                                wf_axis_kind(&course->problem, axis));
        if (step != NULL)
            step->axis = axis;
        try_step(search, course, first, step, best);
    }
}

/* Rows in two arrays, where they are. */
static void try_apart(wf_search *search, const wf_course *course, int axis,
                      bool first, wf_step **best)
{
    wf_candidates candidates;
    wf_search_apart(search, course->problem.dim[axis].n, &candidates);
    for (int i = 0; i < candidates.count; i++) {
        const wf_step *tree = candidates.tree[i];
        try_axis(search, course, WF_STEP_ROWS, axis, first, tree, best);
        try_axis(search, course, WF_STEP_STREAMED, axis, first, tree, best);
    }
    wf_candidates_free(&candidates);
}

static wf_step *plan_axis(wf_search *search, const wf_course *course, int axis,
                          bool first, wf_text *why)
{
    wf_candidates candidates;
    wf_step *best = NULL;
    const wf_problem *problem = &course->problem;
    int64_t n = problem->dim[axis].n;
    bool r2r = problem->kind == WEFT_R2R;
    bool real = !r2r && problem->kind != WEFT_C2C && axis == problem->rank - 1;
    search->root = n;
    if (search->engine->weigh != NULL)
        wf_fail(WEFT_OK, "engine %s: no rule has a step for it",
                search->engine->name);
    if (rule_is_idle(search, problem))
        return NULL;
    if (problem->scrambled && wf_scrambled_split(n) != 0) {
        wf_step *tree = wf_search_scrambled(search, n);
        try_axis(search, course, WF_STEP_ROWS, axis, first, tree, &best);
        try_axis(search, course, WF_STEP_BUFFERED, axis, first, tree, &best);
        wf_step_free(tree);
        return best;
    }
    if (r2r)
        wf_search_r2r_candidates(search, problem->kinds[axis], n, &candidates);
    else
        wf_search_candidates(search, n, real, &candidates);
    if (search->engine->weigh != NULL)
        weigh_candidates(search, course, axis, first, &candidates);
    explain_candidates(&candidates, n, why);
    for (int i = 0; i < candidates.count; i++) {
        const wf_step *tree = candidates.tree[i];
        if (i == 0 || tree->kind == WF_STEP_STOCKHAM)
            try_axis(search, course, WF_STEP_ROWS, axis, first, tree, &best);
        if (i == 0 && search->engine->weigh == NULL)
            try_axis(search, course, WF_STEP_STREAMED, axis, first, tree,
                     &best);
    }
    if (candidates.count > 0)
        try_axis(search, course, WF_STEP_BUFFERED, axis, first,
                 candidates.tree[0], &best);
    if (search->split && !real && !r2r && !search->matrices &&
        search->engine->weigh == NULL)
        try_apart(search, course, axis, first, &best);
    if ((r2r || real) && search->engine->weigh == NULL && !search->matrices)
        try_dense(search, course, wf_axis_kind(problem, axis), axis, first,
                  &best);
    if (r2r && search->engine->weigh == NULL && !search->matrices)
        try_halves(search, course, problem->kinds[axis], axis, first, &best);
    if (r2r && search->engine->weigh == NULL)
        try_abreast(search, course, problem->kinds[axis], axis, first, &best);
    if (real && search->rule == NULL && search->engine->weigh == NULL &&
        !search->matrices)
        try_real_column(search, course, axis, first, &best);
    if (real && search->rule == NULL && search->engine->weigh == NULL &&
        !search->matrices && has_lanes(course, axis, first))
        try_abreast(search, course, problem->kind, axis, first, &best);
    if ((real || r2r) && search->rule == NULL &&
        search->engine->weigh == NULL && !search->matrices)
        try_parts(search, course, axis, first, &best);
    if (!real && !r2r && !search->matrices)
        try_columns(search, course, axis, first, n, &best);
    wf_candidates_free(&candidates);
    return best;
}

/* Axes by ascending output stride: the contiguous one reads the input, mostly.  The
 * real one of R2C is the first, of C2R the last. */
static int64_t place_of(const wf_problem *problem, int axis)
{
    if (axis == problem->rank - 1 && problem->kind == WEFT_R2C)
        return -1;
    if (axis == problem->rank - 1 && problem->kind == WEFT_C2R)
        return INT64_MAX;
    return llabs(problem->dim[axis].os);
}

/* In the second cache rows lose nothing where they are, and columns that overlap
 * must have their output in another array.  Not of a batch from memory, which is
 * read in order. */
static bool columns_go_first(const wf_search *search,
                             const wf_problem *problem, const int order[])
{
    enum { LARGEST = 13 }; /* prime of interleaved passes */
    const wf_engine *engine = search->engine;
    const weft_dim *rows = &problem->dim[order[0]];
    const int64_t n = problem->dim[order[1]].n;
    const int bytes = (int)wf_complex_bytes(problem->type);
    double data = bytes;
    for (int i = 0; i < problem->rank; i++)
        data *= (double)problem->dim[i].n;
    return problem->kind == WEFT_C2C && !problem->in_place &&
           search->rule == NULL && !search->matrices && !search->far &&
           engine->weigh == NULL && rows->os == 1 &&
           wf_columns_overlap(rows->n, n, problem->type) &&
           2 * data <= engine->machine()->level_bytes[1] &&
           wf_largest_prime_factor((uint64_t)n) <= LARGEST &&
           engine->price(WF_ROLE_INTERLEAVED, problem->type,
                         2 * WF_INTERLEAVED_BYTES / bytes, 2) >= 0;
}

static void order_axes(const wf_search *search, const wf_problem *problem,
                       int order[])
{
    const int last = problem->rank - 1;
    for (int i = 0; i <= last; i++) {
        int j = i;
        int64_t place = place_of(problem, i);
        for (; j > 0 && place_of(problem, order[j - 1]) > place; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    if (last > 0 && columns_go_first(search, problem, order)) {
        const int rows = order[0];
        memmove(order, order + 1, (size_t)last * sizeof *order);
        order[last] = rows;
    }
}

/* Engines that weigh have said why they do not do what was proposed last. */
static weft_status no_plan(const wf_search *search, int64_t n)
{
    char why[WF_ERROR_TEXT];
    bool weighs = search->engine->weigh != NULL;
    snprintf(why, sizeof why, "%s", weighs ? wf_error_text() : "");
    return wf_fail(WEFT_ERR_UNSUPPORTED,
                   "no plan%s%s for length %" PRId64 "%s%s",
                   search->rule == NULL ? "" : " by rule ",
                   search->rule == NULL ? "" : search->rule, n,
                   weighs ? ": " : "", why);
}

static weft_status add_axes(wf_search *search, const wf_course *course,
                            wf_step *rank, wf_text *why)
{
    int order[WEFT_MAX_RANK];
    const wf_problem *view = &course->problem;
    bool scaled = view->scale == 1;
    order_axes(search, view, order);
    for (int i = 0; i < view->rank; i++) {
        wf_step *step = plan_axis(search, course, order[i], i == 0, why);
        if (step == NULL && !search->no_memory)
            return no_plan(search, view->dim[order[i]].n);
        if (step == NULL)
            return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
        wf_step_adopt(rank, step);
        scaled |= wf_child_scales(rank, i, view->split);
    }
    for (int i = 0; i < 2; i++) {
        bool wanted = i == 0 ? view->rank == 0 : !scaled;
        if (!wanted)
            continue;
        wf_step *step = wf_step_new(i == 0 ? WF_STEP_COPY : WF_STEP_SCALE, 1);
        if (step == NULL)
            return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
        wf_step_adopt(rank, step);
    }
    return WEFT_OK;
}

/* How a tree of this problem begins: rank, or what stands above it; `packs`: not with
 * an exchange. */
static wf_step_kind root_kind(const wf_problem *problem, bool packs,
                              wf_course *course)
{
    wf_problem view = *problem;
    wf_step_kind kind = WF_STEP_RANK;
    if (!packs && wf_exchanged(problem, &view)) {
        kind = WF_STEP_EXCHANGED;
    } else if (wf_needs_repack(problem)) {
        wf_repacked(problem, &view);
        kind = WF_STEP_REPACK;
    }
    wf_course_of(&view, course);
    return course->staged ? WF_STEP_STAGED : kind;
}

/* The axes, or all of them at once. */
static void try_once(wf_search *search, const wf_problem *problem,
                     wf_step **tree)
{
    if (search->rule != NULL || search->matrices || problem->rank < 2 ||
        problem->dim[0].n > WF_ONCE)
        return;
    wf_step *step = wf_step_new(WF_STEP_ONCE, 1);
    search->no_memory |= step == NULL;
    if (step != NULL && wf_price_once(search->engine, problem, step) &&
        step->cost < (*tree)->cost) {
        wf_step *dearer = *tree;
        *tree = step;
        step = dearer;
    }
    wf_step_free(step);
}

weft_status wf_plan_axes(wf_search *search, const wf_problem *problem,
                         wf_step **tree, wf_text *why)
{
    wf_course course;
    wf_step_kind root = root_kind(problem, search->engine->weigh != NULL,
                                  &course);
    weft_status status = WEFT_ERR_NO_MEMORY;
    wf_step *rank = wf_step_new(WF_STEP_RANK, 1);
    if (rank != NULL)
        status = add_axes(search, &course, rank, why);
    if (status == WEFT_OK && root != WF_STEP_RANK) {
        wf_step *outer = wf_step_new(root, 1);
        if (outer == NULL)
            status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
        else
            wf_step_adopt(outer, rank);
        rank = outer == NULL ? rank : outer;
    }
    if (status == WEFT_OK)
        status = wf_price_axes(search->engine, problem, rank);
    if (status != WEFT_OK) {
        wf_step_free(rank);
        return status;
    }
    *tree = rank;
    try_once(search, problem, tree);
    return WEFT_OK;
}

static weft_status misfit(const char *what)
{
    return wf_fail(WEFT_ERR_ARGUMENT,
                   "the plan tree does not fit the problem: %s", what);
}

static const char no_room[] = "no memory to weigh it";
static const char no_walk[] = "a walk the layout does not allow";

/* All axes but the first. */
static const char *check_planes(const wf_engine *engine,
                                const wf_problem *view, wf_step *step,
                                bool used[])
{
    wf_problem planes;
    for (int i = 1; i < view->rank; i++) {
        if (used[i])
            return "an axis twice";
        used[i] = true;
    }
    return wf_planes_of(view, &planes) &&
                   wf_price_sliced(engine, &planes, step) == WEFT_OK
               ? NULL
               : "slices of planes that are not there";
}

/* One child of the rank step: 0 when it fits, else what is wrong. */
static const char *check_child(const wf_engine *engine,
                               const wf_course *course, const wf_step *rank,
                               int index, bool used[])
{
    const wf_problem *view = &course->problem;
    wf_step *step = rank->child[index];
    bool first = index == 0, last = index == rank->children - 1;
    if (step->kind == WF_STEP_SLICED)
        return index == (view->kind == WEFT_C2R)
                   ? check_planes(engine, view, step, used)
                   : "planes out of their turn";
    if ((step->kind == WF_STEP_COPY) != (view->rank == 0 && first))
        return "a rank 0 begins with a copy, and nothing else has one";
    if (step->kind == WF_STEP_COPY)
        return NULL;
    if (step->kind == WF_STEP_SCALE)
        return view->scale != 1 && last && !first
                   ? NULL
                   : "a scale is the last step, where there is one";
    if (step->kind != WF_STEP_ROWS && step->kind != WF_STEP_STREAMED &&
        step->kind != WF_STEP_COLS && step->kind != WF_STEP_BUFFERED &&
        !wf_step_has_part(step->kind))
        return "not an axis step";
    if (step->axis >= view->rank || used[step->axis])
        return "an axis that is not there, or twice";
    const bool parted = wf_step_has_part(step->kind);
    if (!parted && step->child[0]->n != view->dim[step->axis].n)
        return "a length that is not the axis's";
    bool scrambled = view->scrambled && wf_scrambled_split(step->child[0]->n);
    if ((step->child[0]->kind == WF_STEP_SCRAMBLED) != scrambled ||
        (scrambled &&
         step->child[0]->split[0] != wf_scrambled_split(step->child[0]->n)))
        return "another order of the output";
    int turn = view->kind == WEFT_R2C ? 0 : view->rank - 1;
    if ((view->kind == WEFT_R2C || view->kind == WEFT_C2R) &&
        (index == turn) != (step->axis == view->rank - 1))
        return "the real axis out of its turn";
    const wf_step *inner = step->child[0]->kind == WF_STEP_FULL
                               ? step->child[0]->child[0]
                               : step->child[0];
    const bool matrix = inner->kind == WF_STEP_MATRIX;
    if (matrix ? !wf_problem_takes(view, &inner->scheme)
               : wf_problem_is_matrix(view))
        return "another precision";
    used[step->axis] = true;
    if (!parted)
        step->n = step->child[0]->n;
    if (!wf_price_axis(engine, course, step, first))
        return isnan(step->cost) ? no_room : no_walk;
    return NULL;
}

/* What a root has beside its axes: a copy of all, a square in the second cache, both
 * so many ns an element; scratch of its own that is written and read. */
static double price_root(const wf_machine *machine, const wf_problem *problem,
                         const wf_step *root)
{
    const double bytes = wf_problem_bytes(problem);
    switch (root->kind) {
    case WF_STEP_REPACK: return 2 * (double)problem->total;
    case WF_STEP_EXCHANGED: return 0.3 * (double)problem->total;
    default: return wf_cost_bytes(machine, bytes, 2 * bytes);
    }
}

weft_status wf_price_axes(const wf_engine *engine, const wf_problem *problem,
                          wf_step *tree)
{
    if (wf_problem_is_precise(problem) && engine->weigh == NULL)
        return wf_price_precise(engine, problem, tree);
    if (tree->kind == WF_STEP_SLICED)
        return wf_price_sliced(engine, problem, tree);
    wf_course course;
    wf_step *rank = tree;
    bool used[WEFT_MAX_RANK] = {false}, scaled = problem->scale == 1;
    if (tree->kind == WF_STEP_ONCE)
        return !wf_problem_is_matrix(problem) &&
                       wf_price_once(engine, problem, tree)
                   ? WEFT_OK
                   : misfit("it is no small block on either side");
    const bool packs = engine->weigh != NULL || tree->kind == WF_STEP_REPACK;
    if (root_kind(problem, packs, &course) != tree->kind)
        return misfit("another root");
    if (tree->kind != WF_STEP_RANK)
        rank = tree->child[0];
    if (rank->kind != WF_STEP_RANK)
        return misfit("the root is not a rank step");
    int axes = 0;
    if (engine->weigh != NULL) /* no_walk's reason is this tree's */
        wf_fail(WEFT_OK, "%s", "");
    rank->cost = engine->machine()->call;
    rank->flops = 0;
    for (int i = 0; i < rank->children; i++) {
        wf_step *step = rank->child[i];
        const char *wrong = check_child(engine, &course, rank, i, used);
        if (wrong == no_room)
            return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan");
        if (wrong == no_walk && engine->weigh != NULL) {
            char why[WF_ERROR_TEXT]; /* the engine has said it */
            snprintf(why, sizeof why, "%s", wf_error_text());
            return misfit(why);
        }
        if (wrong != NULL)
            return misfit(wrong);
        if (step->kind == WF_STEP_SLICED)
            axes += problem->rank - 1;
        else
            axes += step->kind != WF_STEP_COPY && step->kind != WF_STEP_SCALE;
        scaled |= wf_child_scales(rank, i, problem->split);
        if (step->kind == WF_STEP_COPY || step->kind == WF_STEP_SCALE)
            step->cost = 0.5 * (double)problem->total;
        rank->cost += step->cost;
        rank->flops += step->flops;
        step->error = step->children == 0 ? 0 : wf_step_error(step);
    }
    rank->error = wf_step_error(rank);
    if (axes != problem->rank)
        return misfit("not every axis is there");
    if (!scaled)
        return misfit("nothing multiplies by the scale");
    if (tree != rank) {
        tree->error = rank->error;
        tree->cost = rank->cost + price_root(engine->machine(), problem, tree);
        tree->flops = rank->flops;
    }
    return WEFT_OK;
}
