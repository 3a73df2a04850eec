/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lower.c - the frame around the emitters: axes, passes, kernels, and which
 * planes hold the data.
 */
#include "neuron/lower.h"

#include "neuron/program.h"

#include <math.h>

enum { LONGEST_MATRIX = 2048, LONGEST_SLICES = 1024 };

static const wf_nc_pair nothing = {-1, -1};

/* Every pass's expected error, in quadrature, is measured within a tenth or
 * below (tests/neuron_engine_test.c); single vectors stay within this. */
static const double BOUND = 1.6;

/* ---- Kernels and planes ------------------------------------------------- */

static void use(wf_nc_lowering *l, wf_nc_pair pair, wf_nc_home home)
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
        use(l, l->spare[i],
            same(l->spare[i], l->at) ? WF_NC_ARGUMENT : WF_NC_PRIVATE);
    use(l, l->at, WF_NC_ARGUMENT);
    for (int i = 0; i < 2; i++)
        if (l->kept[i].re >= 0)
            use(l, l->kept[i], WF_NC_ARGUMENT);
}

void wf_nc_close(wf_nc_lowering *l)
{
    if (!l->open)
        return;
    use(l, l->at, WF_NC_RESULT);
    for (int i = 0; i < 2; i++) /* what was made here and is needed later */
        if (l->kept[i].re >= 0 &&
            l->program->tensor[l->kept[i].re].home == WF_NC_PRIVATE)
            use(l, l->kept[i], WF_NC_RESULT);
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

bool wf_nc_can(const wf_step *step)
{
    if (step->kind == WF_STEP_LEAF)
        return step->n <= LONGEST_MATRIX;
    if (step->kind != WF_STEP_STOCKHAM || step->n > INT32_MAX)
        return false;
    for (int i = 0; i < step->radices; i++)
        if (step->radix[i] > WF_NC_LARGEST_RADIX)
            return false;
    return true;
}

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

static void transform_once(wf_nc_lowering *l, const wf_step *step,
                           int64_t rows, double scale)
{
    if (step->kind == WF_STEP_LEAF) {
        wf_nc_open(l, "matrix");
        wf_nc_matrix(l, (wf_nc_shape){rows, step->n}, scale);
    } else {
        passes(l, step, rows, scale);
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
    transform_once(l, step, rows, 1);
    forward = l->variance - before;
    first = l->kept[1] = l->at;
    l->mode = fp32;
    l->inverse = !l->inverse;
    transform_once(l, step, rows, 1 / (double)step->n);
    l->inverse = !l->inverse;
    l->mode = mode;
    wf_nc_open(l, "residual");
    residual = wf_nc_target(l);
    wf_nc_planes(l, WF_NC_SUB, residual, x, l->at, l->total);
    wf_nc_arrived(l, residual);
    l->kept[0] = nothing;
    transform_once(l, step, rows, 1);
    wf_nc_open(l, "sum");
    wf_nc_pair sum = wf_nc_target(l);
    wf_nc_planes(l, WF_NC_ADD, sum, first, l->at, l->total);
    wf_nc_arrived(l, sum);
    l->kept[1] = nothing;
    /* bf16's error of bf16's error, and twice FP32's. */
    l->variance = before + 1.3 * forward * forward + 6 * 0x1p-48;
}

static void transform(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                      double scale)
{
    if (!l->mode.refined) {
        transform_once(l, step, rows, scale);
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

static void one_axis(wf_nc_lowering *l, const wf_problem *problem,
                     const wf_step *axis, double scale)
{
    int64_t outer, inner, n = axis->child[0]->n;
    around(problem, axis->axis, &outer, &inner);
    if (inner > 1) {
        wf_nc_open(l, "swap");
        wf_nc_swap_axes(l, outer, n, inner);
    }
    transform(l, axis->child[0], outer * inner, scale);
    if (inner > 1) {
        wf_nc_open(l, "swap");
        wf_nc_swap_axes(l, outer, inner, n);
    }
}

static bool is_sliced(const wf_problem *problem)
{
    return problem->precision == WEFT_PRECISION_SLICES;
}

static weft_status check_axis(const wf_problem *problem, const wf_step *axis)
{
    int64_t outer, inner;
    bool rows = axis->kind == WF_STEP_ROWS;
    around(problem, axis->axis, &outer, &inner);
    if ((!rows && axis->kind != WF_STEP_BUFFERED) || rows != (inner == 1))
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "engine neuron walks the innermost axis by rows and "
                       "others buffered, not by %s",
                       wf_step_name(axis->kind));
    const wf_step *child = axis->child[0];
    if (!wf_nc_can(child) ||
        (is_sliced(problem) &&
         (child->kind != WF_STEP_LEAF || child->n > LONGEST_SLICES)))
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "engine neuron has no %s of length %lld",
                       wf_step_name(axis->child[0]->kind),
                       (long long)axis->child[0]->n);
    return WEFT_OK;
}

static wf_nc_pair new_pair(wf_nc_program *p, int64_t elements)
{
    wf_nc_pair pair;
    pair.re = wf_nc_tensor(p, WF_NC_FP32, elements);
    pair.im = wf_nc_tensor(p, WF_NC_FP32, elements);
    return pair;
}

/* Slices: the host makes digits and adds sums, the device multiplies. */
static void sliced_axis(wf_nc_lowering *l, const wf_problem *problem,
                        const wf_step *axis, wf_nc_room planes, double scale)
{
    int64_t outer, inner;
    around(problem, axis->axis, &outer, &inner);
    wf_nc_slices_axis(l, problem->slices, planes, outer, axis->child[0]->n,
                      inner, scale);
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

static weft_status lower_sliced(wf_nc_program *p, const wf_problem *problem,
                                const wf_step *rank, wf_nc_ends *ends)
{
    wf_nc_lowering l = begin_sliced(p, problem);
    ends->sliced = true;
    ends->planes = sliced_planes(p, problem);
    for (int i = 0; i < rank->children; i++) {
        const wf_step *step = rank->child[i];
        double scale = i == 0 ? problem->scale : 1;
        if (step->kind == WF_STEP_SCALE)
            continue; /* the first axis has done it */
        if (step->kind == WF_STEP_COPY) {
            wf_nc_slices_copy(&l, ends->planes, scale);
            continue;
        }
        weft_status status = check_axis(problem, step);
        if (status != WEFT_OK)
            return status;
        sliced_axis(&l, problem, step, ends->planes, scale);
    }
    /* Levels added, and rounded to the type. */
    double last = problem->type == WEFT_F32 ? 0.2 * 0x1p-48 : 0.4 * 0x1p-106;
    ends->error = sqrt(l.variance + last);
    ends->bound = BOUND * sqrt(l.worst + last);
    return wf_nc_finish(p);
}

static wf_nc_lowering begin(wf_nc_program *p, const wf_problem *problem)
{
    wf_nc_lowering l = {.program = p,
                        .inverse = problem->sign == WEFT_INVERSE,
                        .total = problem->total,
                        .kept = {nothing, nothing},
                        .at = new_pair(p, problem->total)};
    for (int i = 0; i < WF_NC_SPARES; i++)
        l.spare[i] = new_pair(p, problem->total);
    wf_nc_mode_of(problem->precision, &l.mode); /* engine.c has checked */
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
        sliced_axis(&s, problem, axis, sliced_planes(program, problem), 1);
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
    const wf_step *rank = tree->kind == WF_STEP_REPACK ? tree->child[0] : tree;
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
