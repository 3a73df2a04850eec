/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lower.c - the frame around the emitters: axes, passes, kernels, and which
 * planes hold the data.
 */
#include "neuron/lower.h"

#include "neuron/program.h"
#include "plan/search.h"

#include <math.h>
#include <stdio.h>

/* Longer ones are refused by SBUF's capacity long before. */
enum { LONGEST_MATRIX = 1 << 20 };

static const wf_nc_pair nothing = {-1, -1};

/* Every pass's expected error, in quadrature, is measured within a tenth or
 * below (tests/neuron_engine_test.c); single vectors stay within this. */
static const double BOUND = 1.6;

/* ---- Kernels and planes ------------------------------------------------- */

void wf_nc_use_pair(wf_nc_lowering *l, wf_nc_pair pair, wf_nc_home home)
{
    wf_nc_use(l->program, pair.re, home);
    wf_nc_use(l->program, pair.im, home);
}

static bool same(wf_nc_pair a, wf_nc_pair b)
{
    return a.re == b.re;
}

void wf_nc_open(wf_nc_lowering *l, const char *name)
{
    if (l->open)
        return;
    l->open = true;
    l->argument = l->at;
    wf_nc_begin(l->program, name);
    for (int i = 0; i < WF_NC_SPARES; i++)
        wf_nc_use_pair(l, l->spare[i],
                       same(l->spare[i], l->at) ? WF_NC_ARGUMENT
                                                : WF_NC_PRIVATE);
    wf_nc_use_pair(l, l->at, WF_NC_ARGUMENT);
    for (int i = 0; i < 2; i++)
        if (l->kept[i].re >= 0)
            wf_nc_use_pair(l, l->kept[i], WF_NC_ARGUMENT);
}

void wf_nc_close(wf_nc_lowering *l)
{
    if (!l->open)
        return;
    wf_nc_use_pair(l, l->at, WF_NC_RESULT);
    for (int i = 0; i < 2; i++) /* what was made here and is needed later */
        if (l->kept[i].re >= 0 &&
            l->program->tensor[l->kept[i].re].home == WF_NC_PRIVATE)
            wf_nc_use_pair(l, l->kept[i], WF_NC_RESULT);
    wf_nc_end(l->program);
    l->open = false;
}

wf_nc_pair wf_nc_target(wf_nc_lowering *l)
{
    int i = 0;
    /* There are five: one is none of these, or memory failed and the program
     * is not run. */
    while (i + 1 < WF_NC_SPARES &&
           (same(l->spare[i], l->at) || same(l->spare[i], l->argument) ||
            same(l->spare[i], l->kept[0]) || same(l->spare[i], l->kept[1])))
        i++;
    return l->spare[i];
}

void wf_nc_arrived(wf_nc_lowering *l, wf_nc_pair at)
{
    l->at = at;
}

/* ---- Transforms --------------------------------------------------------- */

static bool on_vector(int radix)
{
    return radix == 2 || radix == 4;
}

static bool is_fused(const wf_step *step, int i)
{
    return step->fused[i] || (i > 0 && step->fused[i - 1]);
}

static void passes(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                   double scale)
{
    wf_nc_pass pass = {.rows = rows, .n = step->n, .s = 1};
    for (int i = 0; i < step->radices; i++, pass.s *= pass.r) {
        bool last = i == step->radices - 1;
        pass.r = step->radix[i];
        pass.scale = 1;
        if (!is_fused(step, i)) {
            wf_nc_close(l);
            wf_nc_posts_pass(l, &pass);
            if (last && scale != 1) {
                wf_nc_open(l, "scale");
                wf_nc_rescale(l, scale);
            }
            continue;
        }
        pass.scale = last ? scale : 1;
        wf_nc_open(l, "passes");
        if (on_vector(pass.r))
            wf_nc_vector_pass(l, &pass);
        else
            wf_nc_tensor_pass(l, &pass);
        if (!step->fused[i] && !last)
            wf_nc_close(l);
    }
}

void wf_nc_transform(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                     double scale)
{
    switch (step->kind) {
    case WF_STEP_LEAF:
    case WF_STEP_REAL_LEAF:
        wf_nc_open(l, "matrix");
        wf_nc_matrix(l, (wf_nc_shape){rows, step->n}, scale);
        break;
    case WF_STEP_SIXSTEP: wf_nc_sixstep(l, step, rows, scale); break;
    case WF_STEP_BLUESTEIN: wf_nc_bluestein(l, step, rows, scale); break;
    default: passes(l, step, rows, scale); break;
    }
}

/* X = F x by bf16, then corrected by F (x - G X): with G the inverse in FP32,
 * so that the residual is exact to FP32.  (With G in bf16, as the posts have
 * it, the forward error is only exchanged for the inverse's.) */
static void refined(wf_nc_lowering *l, const wf_step *step, int64_t rows)
{
    wf_nc_mode mode = l->mode, fp32 = {.type = WF_NC_FP32, .parts = 1};
    wf_nc_pair x = l->at, first, residual;
    double before = l->variance, forward;
    l->kept[0] = x;
    wf_nc_transform(l, step, rows, 1);
    forward = l->variance - before;
    first = l->kept[1] = l->at;
    l->mode = fp32;
    l->inverse = !l->inverse;
    wf_nc_transform(l, step, rows, 1 / (double)step->n);
    l->inverse = !l->inverse;
    l->mode = mode;
    wf_nc_open(l, "residual");
    residual = wf_nc_target(l);
    wf_nc_planes(l, WF_NC_SUB, residual, x, l->at, l->total);
    wf_nc_arrived(l, residual);
    l->kept[0] = nothing;
    wf_nc_transform(l, step, rows, 1);
    wf_nc_open(l, "sum");
    wf_nc_pair sum = wf_nc_target(l);
    wf_nc_planes(l, WF_NC_ADD, sum, first, l->at, l->total);
    wf_nc_arrived(l, sum);
    l->kept[1] = nothing;
    /* bf16's error of bf16's error, and twice FP32's. */
    l->variance = before + 1.3 * forward * forward + 6 * 0x1p-48;
}

static void transform_axis(wf_nc_lowering *l, const wf_step *step,
                           int64_t rows, double scale)
{
    if (!l->mode.refined) {
        wf_nc_transform(l, step, rows, scale);
        return;
    }
    refined(l, step, rows);
    if (scale != 1) {
        wf_nc_open(l, "scale");
        wf_nc_rescale(l, scale);
    }
}

/* ---- Problems ----------------------------------------------------------- */

/* Elements outside and inside dimension `axis` of the packed layout. */
static void around(const wf_problem *problem, int axis, int64_t *outer,
                   int64_t *inner)
{
    *outer = *inner = 1;
    for (int i = 0; i < problem->loops; i++)
        *outer *= problem->loop[i].n;
    for (int i = 0; i < problem->rank; i++)
        if (i != axis)
            *(i < axis ? outer : inner) *= problem->dim[i].n;
}

/* A real transform is a complex one whose other half nobody looks at: the
 * samples come and go so (engine.c). */
static const wf_step *transform_of(const wf_step *axis)
{
    const wf_step *child = axis->child[0];
    return child->kind == WF_STEP_FULL ? child->child[0] : child;
}

static void one_axis(wf_nc_lowering *l, const wf_problem *problem,
                     const wf_step *axis, double scale)
{
    int64_t outer, inner, n = axis->child[0]->n;
    around(problem, axis->axis, &outer, &inner);
    if (inner > 1) {
        wf_nc_open(l, "swap");
        wf_nc_swap_axes(l, outer, n, inner);
    }
    transform_axis(l, transform_of(axis), outer * inner, scale);
    if (inner > 1) {
        wf_nc_open(l, "swap");
        wf_nc_swap_axes(l, outer, inner, n);
    }
}

/* ---- What it lowers ------------------------------------------------------ */

/* A copy multiplies nothing but by its scale. */
static bool is_sliced(const wf_problem *problem)
{
    return wf_problem_is_matrix(problem) && problem->rank > 0;
}

static weft_status lacks_step(const wf_step *step, const char *why)
{
    return wf_fail(WEFT_ERR_UNSUPPORTED, "engine neuron has no %s %lld: %s",
                   wf_step_name(step->kind), (long long)step->n, why);
}

weft_status wf_nc_has(const wf_step *step)
{
    int largest = 0;
    char what[80];
    for (int i = 0; i < step->radices; i++)
        largest = step->radix[i] > largest ? step->radix[i] : largest;
    if (step->n > (step->kind == WF_STEP_LEAF ? LONGEST_MATRIX : INT32_MAX))
        return lacks_step(step, "that is more numbers than an access counts");
    switch (step->kind) {
    case WF_STEP_LEAF:
    case WF_STEP_REAL_LEAF:
    case WF_STEP_FULL:
    case WF_STEP_SIXSTEP: return WEFT_OK;
    case WF_STEP_BLUESTEIN:
        if (step->child[0]->n == step->split[0])
            return WEFT_OK;
        return lacks_step(step, "its convolutions are of one part");
    case WF_STEP_STOCKHAM:
        if (largest <= WF_NC_LARGEST_RADIX)
            return WEFT_OK;
        snprintf(what, sizeof what, "a pass of radix %d contracts %d numbers",
                 largest, 2 * largest);
        return wf_nc_lacks(WF_NC_RULE_TENSOR_SIZE, "engine neuron", what);
    case WF_STEP_MATRIX:
        if (step->scheme.sliced && step->scheme.format == WF_FORMAT_BF16)
            return WEFT_OK;
        return lacks_step(step, "its matrix steps are slices of bf16");
    case WF_STEP_GOOD:
    case WF_STEP_RADER:
        snprintf(what, sizeof what, "step %s needs a list of indices",
                 wf_step_name(step->kind));
        return wf_nc_lacks(WF_NC_RULE_DIMS, "engine neuron", what);
    default:
        return lacks_step(step, "it lowers leaf, stockham, sixstep and "
                                "bluestein, of real axes full, of slices "
                                "matrix");
    }
}

/* one_kernel: inside a convolution, whose planes are its kernel's own. */
static weft_status check_transform(const wf_step *step, bool one_kernel)
{
    weft_status status = wf_nc_has(step);
    for (int i = 0; one_kernel && i + 1 < step->radices; i++)
        if (status == WEFT_OK && !step->fused[i])
            status = lacks_step(step, "the passes of a convolution lie in its "
                                      "kernel: join them by +");
    for (int i = 0; i < step->children && status == WEFT_OK; i++)
        status = check_transform(
            step->child[i], one_kernel || step->kind == WF_STEP_BLUESTEIN);
    return status;
}

bool wf_nc_walks(const wf_problem *problem, const wf_step *axis)
{
    int64_t outer, inner;
    around(problem, axis->axis, &outer, &inner);
    return axis->kind == (is_sliced(problem) || inner == 1 ? WF_STEP_ROWS
                                                           : WF_STEP_BUFFERED);
}

static weft_status check_axis(const wf_problem *problem, const wf_step *axis)
{
    const wf_step *child = axis->child[0];
    bool real = (problem->kind == WEFT_R2C || problem->kind == WEFT_C2R) &&
                axis->axis == problem->rank - 1;
    if (real !=
        (child->kind == WF_STEP_FULL || child->kind == WF_STEP_REAL_LEAF))
        return lacks_step(child, real ? "a real axis is a full complex one"
                                      : "the axis is complex");
    if (!wf_nc_walks(problem, axis))
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "engine neuron walks the innermost axis, and every one "
                       "of slices, by rows, and others buffered, not by %s",
                       wf_step_name(axis->kind));
    if (is_sliced(problem) != (transform_of(axis)->kind == WF_STEP_MATRIX))
        return lacks_step(transform_of(axis),
                          "slices are matrix steps, and these are slices");
    return check_transform(transform_of(axis), false);
}

/* ---- The whole ----------------------------------------------------------- */

wf_nc_pair wf_nc_new_pair(wf_nc_lowering *l)
{
    wf_nc_pair pair;
    pair.re = wf_nc_tensor(l->program, WF_NC_FP32, l->total);
    pair.im = wf_nc_tensor(l->program, WF_NC_FP32, l->total);
    return pair;
}

/* Slices: the host makes digits and adds sums, the device multiplies. */
static void sliced_axis(wf_nc_lowering *l, const wf_problem *problem,
                        const wf_step *axis, wf_nc_room planes, double scale,
                        bool ends)
{
    wf_nc_slab slab = {.planes = planes, .n = transform_of(axis)->n};
    around(problem, axis->axis, &slab.outer, &slab.inner);
    wf_nc_slices_axis(l, transform_of(axis), slab, scale,
                      ends && problem->type == WEFT_F32);
}

static wf_nc_room sliced_planes(wf_nc_program *p, const wf_problem *problem)
{
    return wf_nc_host_room(p, (size_t)problem->total * 2 * sizeof(double));
}

static wf_nc_lowering begin_sliced(wf_nc_program *p, const wf_problem *problem)
{
    return (wf_nc_lowering){.program = p,
                            .inverse = problem->sign == WEFT_INVERSE,
                            .total = problem->total};
}

/* The i-th axis to transform: in the tree's order, but that of the complex
 * transform for a real one, which is what it is. */
static const wf_step *sliced_axis_at(const wf_problem *problem,
                                     const wf_step *rank, int i)
{
    const wf_step *found = rank->child[i];
    for (int k = 0; problem->kind != WEFT_C2C && k < rank->children; k++)
        if (rank->child[k]->axis == problem->rank - 1 - i)
            found = rank->child[k];
    return found;
}

/* Axis by axis.  Slices as the CPU engine has them: each axis ends rounded to
 * the type, and the last one has the scale.  Double is rounded once. */
static weft_status lower_sliced(wf_nc_program *p, const wf_problem *problem,
                                const wf_step *rank, wf_nc_ends *ends)
{
    wf_nc_lowering l = begin_sliced(p, problem);
    bool every = problem->precision == WEFT_PRECISION_SLICES;
    double u = problem->type == WEFT_F32 ? 0x1p-24 : 0x1p-53;
    int roundings = every ? rank->children : 1;
    ends->sliced = true;
    ends->planes = sliced_planes(p, problem);
    for (int i = 0; i < rank->children; i++) {
        const wf_step *step = sliced_axis_at(problem, rank, i);
        bool last = i == rank->children - 1;
        weft_status status = check_axis(problem, step);
        if (status != WEFT_OK)
            return status;
        sliced_axis(&l, problem, step, ends->planes, last ? problem->scale : 1,
                    every || last);
    }
    ends->error = sqrt(l.variance + 0.18 * u * u * roundings);
    ends->bound = BOUND * sqrt(l.worst) + u * sqrt(roundings);
    return wf_nc_finish(p);
}

static wf_nc_lowering begin(wf_nc_program *p, const wf_problem *problem)
{
    wf_nc_lowering l = {.program = p,
                        .inverse = problem->sign == WEFT_INVERSE,
                        .total = problem->total,
                        .kept = {nothing, nothing}};
    l.at = wf_nc_new_pair(&l);
    for (int i = 0; i < WF_NC_SPARES; i++)
        l.spare[i] = wf_nc_new_pair(&l);
    wf_nc_mode_of(problem->rank > 0 ? problem->precision : WEFT_PRECISION_FAST,
                  &l.mode); /* engine.c has checked */
    wf_nc_call(p);
    return l;
}

weft_status wf_nc_lower_axis(wf_nc_program *program, const wf_problem *problem,
                             const wf_step *axis)
{
    weft_status status = check_axis(problem, axis);
    if (status != WEFT_OK)
        return status;
    if (is_sliced(problem)) {
        wf_nc_lowering s = begin_sliced(program, problem);
        sliced_axis(&s, problem, axis, sliced_planes(program, problem), 1,
                    true);
        return wf_nc_finish(program);
    }
    wf_nc_lowering l = begin(program, problem);
    one_axis(&l, problem, axis, 1);
    wf_nc_close(&l);
    return wf_nc_finish(program);
}

weft_status wf_nc_lower(wf_nc_program *program, const wf_problem *problem,
                        const wf_step *tree, wf_nc_ends *ends)
{
    const wf_step *rank = tree->kind == WF_STEP_RANK ? tree : tree->child[0];
    if (is_sliced(problem))
        return lower_sliced(program, problem, rank, ends);
    wf_nc_lowering l = begin(program, problem);
    double scale = problem->scale;
    ends->in = l.at;
    for (int i = 0; i < rank->children; i++) {
        const wf_step *step = rank->child[i];
        if (step->kind == WF_STEP_SCALE)
            continue; /* the first axis has done it */
        if (step->kind == WF_STEP_COPY) {
            wf_nc_open(&l, "copy");
            wf_nc_rescale(&l, scale);
            continue;
        }
        weft_status status = check_axis(problem, step);
        if (status != WEFT_OK)
            return status;
        one_axis(&l, problem, step, i == 0 ? scale : 1);
    }
    wf_nc_close(&l);
    ends->out = l.at;
    ends->error = sqrt(l.variance);
    ends->bound = BOUND * ends->error;
    return wf_nc_finish(program);
}
