/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sliced.c - a batch in slices, each through all axes before the next.
 *
 * Axis by axis a batch of matrices comes from memory, and goes there, as often as
 * it has axes, though the caches would hold a few of them from the first to the
 * last.  A cube is a batch of its planes before its first axis, of C2R after it,
 * from where the first axis has left them.
 */
#include "plan/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void wf_slice_of(const wf_problem *problem, int64_t count, wf_problem *part)
{
    *part = *problem;
    part->total = problem->total / problem->loop[0].n * count;
    part->loop[0].n = count;
    if (count > 1)
        return;
    part->loops--;
    memmove(part->loop, part->loop + 1,
            (size_t)part->loops * sizeof *part->loop);
}

bool wf_planes_of(const wf_problem *problem, wf_problem *planes)
{
    if (problem->rank < 3 || problem->loops > 0)
        return false;
    *planes = *problem;
    planes->rank--;
    planes->loops = 1;
    planes->loop[0] = problem->dim[0];
    for (int i = 0; i < planes->rank; i++) {
        planes->dim[i] = problem->dim[i + 1];
        planes->kinds[i] = problem->kinds[i + 1];
    }
    if (problem->kind != WEFT_C2R) {
        planes->scale = 1; /* which the first axis, the last step, has */
        return true;
    }
    wf_course course;
    wf_course_of(problem, &course);
    planes->in_place = problem->in_place && !course.staged;
    planes->loop[0].is = course.dim[0].os;
    for (int i = 0; i < planes->rank; i++)
        planes->dim[i].is = course.dim[i + 1].os;
    return true;
}

/* Are there transforms of several axes, of which none reaches to where the next
 * begins?  In place with two layouts one may write where another reads. */
static bool has_slices(const wf_problem *problem)
{
    if (problem->rank < 2 || problem->loops == 0 || problem->loop[0].n < 2 ||
        wf_needs_repack(problem))
        return false;
    const weft_dim *outer = &problem->loop[0];
    for (int i = 0; i < problem->rank; i++)
        if (llabs(problem->dim[i].is) >= llabs(outer->is) ||
            llabs(problem->dim[i].os) >= llabs(outer->os))
            return false;
    return true;
}

/* Bytes of one number on this side. */
static double number_bytes(const wf_problem *problem, wf_side side)
{
    return (double)wf_complex_bytes(problem->type) / 2 *
           wf_side_scalars(problem, side);
}

/* Do the numbers of the output ascend without a gap, those of a slice together? */
static bool is_packed(const wf_problem *problem)
{
    bool ascends = true;
    int64_t span = 1;
    for (int i = 0; i < problem->rank; i++) {
        const weft_dim *d = &problem->dim[i];
        ascends = ascends && d->os > 0;
        span += (wf_dim_length(problem, i, WF_OUTPUT) - 1) * d->os;
    }
    for (int i = 0; i < problem->loops; i++) {
        ascends = ascends && problem->loop[i].os > 0;
        span += (problem->loop[i].n - 1) * problem->loop[i].os;
    }
    const int64_t count = wf_side_count(problem, WF_OUTPUT);
    return ascends && span == count &&
           problem->loop[0].os == count / problem->loop[0].n;
}

bool wf_slices_stream(const wf_problem *problem)
{
    const int last = problem->rank - 1;
    const weft_dim *row = &problem->dim[last];
    const double bytes = (double)wf_dim_length(problem, last, WF_OUTPUT) *
                         number_bytes(problem, WF_OUTPUT);
    return !problem->split && row->is == 1 && row->os == 1 &&
           bytes >= WF_LONG_ROW && (problem->in_place || is_packed(problem));
}

double wf_problem_bytes(const wf_problem *problem)
{
    double side[2];
    for (int i = 0; i < 2; i++)
        side[i] = (double)wf_side_count(problem, (wf_side)i) *
                  number_bytes(problem, (wf_side)i);
    return problem->in_place ? fmax(side[0], side[1]) : side[0] + side[1];
}

/* May one transform that the second cache does not hold be a slice?  Its output
 * stays near while rows are fetched and the result goes past the caches, or is near
 * when the next axis comes; C2R has the packed scratch of one for that of all. */
static bool goes_alone(const wf_machine *machine, const wf_problem *problem,
                       bool far)
{
    const double output = (double)wf_side_count(problem, WF_OUTPUT) /
                          (double)problem->loop[0].n *
                          number_bytes(problem, WF_OUTPUT);
    const bool streams = far && wf_slices_stream(problem);
    return (problem->kind == WEFT_C2R && !problem->in_place) ||
           output <= machine->sliced[streams ? 0 : 1];
}

/* Bytes that slices have room for: what the second cache holds.  If they come from
 * memory, and a quarter of the first cache holds a transform, as much as that: they
 * begin while the processor still has the numbers of the one before to come. */
static double slice_bytes(const wf_machine *machine, const wf_problem *problem,
                          double one)
{
    const double near = machine->level_bytes[0] / 4;
    const bool far = wf_problem_bytes(problem) > machine->kept;
    if (far && one <= near)
        return near;
    return one > machine->level_bytes[1] && goes_alone(machine, problem, far)
               ? one
               : machine->level_bytes[1];
}

/* As many transforms as a slice has room for, which is not all, and at most a
 * share that leaves threads something to do (one has the same slices), in slices of
 * one size but for the last; 0: none. */
static int64_t count_of(const wf_machine *machine, const wf_problem *problem)
{
    enum { SHARES = 16 };
    const int64_t n = problem->loop[0].n, share = (n + SHARES - 1) / SHARES;
    const double one = wf_problem_bytes(problem) / (double)n;
    const double room = slice_bytes(machine, problem, one) / one;
    if (room < 1 || room >= (double)n)
        return 0;
    const int64_t most = room > (double)share ? share : (int64_t)room;
    const int64_t slices = (n + most - 1) / most;
    return (n + slices - 1) / slices;
}

weft_status wf_price_sliced(const wf_engine *engine, const wf_problem *problem,
                            wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const int64_t count = step->n;
    if (engine->weigh != NULL || !has_slices(problem) ||
        count >= problem->loop[0].n)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "the plan tree does not fit the problem: it has no "
                       "slices of so many");
    const int64_t rest = problem->loop[0].n % count;
    const double slices = (double)problem->loop[0].n / (double)count;
    const double bytes = wf_problem_bytes(problem);
    wf_problem part;
    weft_status status = WEFT_OK;
    if (rest > 0) { /* by the same tree */
        wf_slice_of(problem, rest, &part);
        status = wf_price_axes(engine, &part, step->child[0]);
    }
    wf_slice_of(problem, count, &part);
    if (status == WEFT_OK)
        status = wf_price_axes(engine, &part, step->child[0]);
    /* a slice's own trips are among what its axes cost */
    step->cost = machine->call + slices * step->child[0]->cost +
                 wf_cost_bytes(machine, bytes, bytes) -
                 wf_cost_bytes(machine, bytes, bytes / slices);
    step->flops = slices * step->child[0]->flops;
    step->error = wf_step_error(step);
    return status;
}

/* NULL: there are none, or no memory. */
static wf_step *plan_slices(wf_search *search, const wf_problem *problem)
{
    wf_problem part;
    wf_step *child, *step;
    if (!has_slices(problem))
        return NULL;
    const int64_t count = count_of(search->engine->machine(), problem);
    if (count == 0)
        return NULL;
    wf_slice_of(problem, count, &part);
    if (wf_plan_axes(search, &part, &child, NULL) != WEFT_OK)
        return NULL;
    step = child->kind == WF_STEP_ONCE ? NULL
                                       : wf_step_new(WF_STEP_SLICED, count);
    if (step == NULL)
        wf_step_free(child);
    else
        wf_step_adopt(step, child);
    return step;
}

/* Planes of C2R go by way of two places of their own: where the third cache has the
 * whole cube that costs more than it saves (c2r:f64 100x100x100 0.91 of the speed on
 * Zen 4, 0.87 on Emerald Rapids, 128x128x128 1.22 and 0.96), but for planes that the
 * second has not (16x256x256 on Emerald Rapids 1.35). */
static bool planes_pay(const wf_machine *machine, const wf_problem *problem)
{
    const double bytes = wf_problem_bytes(problem);
    const double plane = bytes / (double)problem->dim[0].n;
    return bytes > (problem->in_place ? 1 : 1.5) * machine->kept ||
           (machine->sliced[1] > 0 && plane > machine->level_bytes[1]);
}

/* Planes in slices before the step that `tree` has for the first axis, or after
 * it. */
static wf_step *plan_planes(wf_search *search, const wf_problem *problem,
                            const wf_step *tree)
{
    const bool back = problem->kind == WEFT_C2R;
    const wf_step *rank = tree->kind == WF_STEP_STAGED ? tree->child[0] : tree;
    wf_problem planes;
    if (rank->kind != WF_STEP_RANK || rank->children != problem->rank ||
        !wf_planes_of(problem, &planes) ||
        (back && !planes_pay(search->engine->machine(), problem)))
        return NULL;
    const wf_step *axis = rank->child[problem->rank - (back ? 2 : 1)];
    if (axis->axis != 0)
        return NULL;
    wf_step *step = wf_step_new(WF_STEP_RANK, 1);
    wf_step *slices = plan_slices(search, &planes);
    wf_step *first = wf_step_copy(axis);
    wf_step *root = tree == rank ? NULL : wf_step_new(tree->kind, 1);
    if (step == NULL || slices == NULL || first == NULL ||
        (root == NULL && tree != rank)) {
        wf_step_free(step);
        wf_step_free(slices);
        wf_step_free(first);
        wf_step_free(root);
        return NULL;
    }
    wf_step_adopt(step, back ? first : slices);
    wf_step_adopt(step, back ? slices : first);
    if (root == NULL)
        return step;
    wf_step_adopt(root, step);
    return root;
}

wf_step *wf_try_slices(wf_search *search, const wf_problem *problem,
                       wf_step **tree)
{
    if (search->engine->weigh != NULL || search->rule != NULL ||
        search->matrices)
        return NULL;
    wf_step *step = problem->loops > 0 ? plan_slices(search, problem)
                                       : plan_planes(search, problem, *tree);
    if (step == NULL)
        return NULL;
    if (wf_price_axes(search->engine, problem, step) != WEFT_OK) {
        wf_step_free(step);
        return NULL;
    }
    if (step->cost < (*tree)->cost) {
        wf_step *dearer = *tree;
        *tree = step;
        step = dearer;
    }
    return step;
}
