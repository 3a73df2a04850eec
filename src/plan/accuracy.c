/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accuracy.c - the error law of each step, and of a tree.
 *
 * With correctly rounded twiddles the roundings of the log2(n) levels add
 * like independent noise: relative L2 error 0.55 u sqrt(log2 n) (docs/math.md
 * derives 0.58 from Schatzman 1996; docs/accuracy.md measures it), and never
 * above 0.6 u sqrt(log2 n) + u.  Splits and axes add in quadrature, which the
 * law already has in it, and a convolution (Rader, Bluestein) is two inner
 * transforms, two products, and a spectrum that a third one made.
 */
#include "plan/precise.h"
#include "plan/search.h"

#include <math.h>

/* Rounding a result once: u at most, 0.42 u to expect (docs/math.md). */
#define ROUNDING 0.42

static bool convolves(const wf_step *step)
{
    bool found = step->kind == WF_STEP_RADER ||
                 step->kind == WF_STEP_BLUESTEIN ||
                 step->kind == WF_STEP_CONVOLVED ||
                 step->kind == WF_STEP_REAL_RADER;
    for (int i = 0; i < step->children; i++)
        found |= convolves(step->child[i]);
    return found;
}

/* What rounding to parts or slices leaves out of one pass, and what its sums
 * add: FP32 sums (FP64 for f64) of up to 64 complex terms, whose own sums are
 * FP64, or in f32 and f64 of the same type.  Products of bf16 parts are so
 * short that half of their sums are exact.  The constants are measured
 * (docs/accuracy.md). */
static double pass_error(const wf_scheme *s, int radix)
{
    const double u = ldexp(1, s->format == WF_FORMAT_F64 ? -53 : -24);
    const double terms = radix < WF_CHUNK_COLUMNS ? radix : WF_CHUNK_COLUMNS;
    const double chunks = (double)radix / terms - 1;
    const bool bf16 = s->format == WF_FORMAT_BF16;
    const double sum = (bf16 ? 0.14 : 0.42) * sqrt(terms) * u;
    if (s->refined)
        return hypot(0.7 * u, sum);
    if (s->sliced) {
        const int digit = wf_scheme_slice_bits(s) * s->parts;
        const double room = s->format == WF_FORMAT_INT8 ? 2 : 1;
        return hypot((1 + 0.65 * s->parts) * ldexp(room, -digit),
                     ldexp(1, -53));
    }
    if (wf_scheme_native(s))
        return hypot(sum, 0.3 * sqrt(chunks) * u);
    const double parts = ldexp(s->parts == 1 ? 0.28 : 0.13,
                               1 - (bf16 ? 8 : 11) * s->parts);
    return hypot(parts, sum);
}

/* What two rounds of refinement leave of the error of passes in bf16 (docs/math.md):
 * its third power.  Factors that are rounded alike in all passes of a radix add up. */
static double left_by_refinement(const wf_step *step)
{
    double error = 0;
    for (int i = 0; i < step->radices; i++)
        error += step->radix[i] > 4 ? 1.5e-3 : 0;
    return error * error * error;
}

double wf_matrix_error(weft_type type, const wf_step *step)
{
    const double u = ldexp(1, type == WEFT_F64 ? -53 : -24);
    const double left = step->scheme.refined ? left_by_refinement(step) : 0;
    double square = left * left;
    for (int i = 0; i < step->radices; i++) {
        const double one = pass_error(&step->scheme, step->radix[i]);
        square += one * one;
    }
    /* Bluestein's two transforms and three products; the result's rounding
     * to the type. */
    if (step->split[0] != 0)
        square = 2 * square + 3 * ldexp(0.25, 2 * -53);
    return sqrt(square + 0.1 * u * u);
}

/* The square of a convolution's error from that of its transforms.  Its
 * spectrum is made by such a transform, too, whose error shrinks by what is
 * known of it (cpu/spectrum.c): more where that is its modulus, Rader's when
 * not padded. */
static double convolution_error(const wf_step *step, double square)
{
    double spectrum = step->child[0]->n == step->n - 1 ? 0.15 : 0.4;
    if (step->kind == WF_STEP_REAL_RADER) /* and sums of Hartley numbers */
        return (2.3 + spectrum) * square + 1.4;
    return (2 + spectrum) * square + 1;
}

double wf_step_error(const wf_step *step)
{
    double square = 0;
    if (step->kind == WF_STEP_PASSES || step->kind == WF_STEP_CHIRP)
        return 0; /* some u of the lower part */
    if (step->kind == WF_STEP_WIDEN || step->kind == WF_STEP_PAIRS)
        return ROUNDING;
    for (int i = 0; i < step->children; i++)
        square += step->child[i]->error * step->child[i]->error;
    if (step->kind == WF_STEP_RADER || step->kind == WF_STEP_BLUESTEIN ||
        step->kind == WF_STEP_CONVOLVED || step->kind == WF_STEP_REAL_RADER)
        square = convolution_error(step, square);
    else if (step->kind == WF_STEP_REAL_SPLIT)
        square += 0.55 * 0.55 * log2((double)step->split[0]);
    else if (step->kind == WF_STEP_HALF)
        square += 0.55 * 0.55;
    else if (step->kind == WF_STEP_LANES || step->kind == WF_STEP_ALONE)
        square = 0.55 * 0.55 * log2((double)step->n) + 0.5;
    else if (step->kind == WF_STEP_HALVED || step->kind == WF_STEP_SPECTRAL ||
             step->kind == WF_STEP_LANED || step->kind == WF_STEP_REAL_LANED ||
             step->kind == WF_STEP_EMBEDDED)
        square += 0.8; /* a level, and a product with rounded factors */
    else if (step->kind == WF_STEP_FOLDED)
        square = square / 2 + 0.2; /* each child has half of the energy */
    else if (step->children == 0)
        square = 0.55 * 0.55 * log2(step->n < 2 ? 2 : (double)step->n);
    else { /* measured: nested convolutions share part of theirs */
        for (int i = 0; i < step->children; i++)
            square += convolves(step->child[i]) ? 1 : 0;
        if (step->kind == WF_STEP_REAL_DECIMATED)
            square += 0.55 * 0.55; /* a row's spectrum in two */
    }
    return sqrt(square);
}

static bool multiplies(const wf_step *step)
{
    bool found = step->kind == WF_STEP_MATRIX;
    for (int i = 0; i < step->children; i++)
        found |= multiplies(step->child[i]);
    return found;
}

/* A whole step moves samples: relative errors are those of the complex
 * vectors, of whose energy the result has its share.  With few numbers that
 * are sums of noise, some vector's share of the error is larger. */
static void whole_error(const wf_problem *problem, const wf_step *whole,
                        double *bound, double *expected)
{
    wf_problem view;
    wf_group group;
    double n = 1;
    wf_wholes(problem, &view, &group);
    wf_tree_error(&view, whole->child[0], bound, expected);
    for (int i = 0; i < problem->rank; i++)
        n *= (double)problem->dim[i].n;
    if (multiplies(whole))
        *bound *= 1 + 1 / sqrt(n);
}

/* One rounding of what a finer arithmetic made, with that one's own error:
 * a transform in doubles for f32; for f64 pairs of doubles, whose twiddles
 * are within 2^-76 and whose sums lose u^2 each. */
static void precise_error(const wf_problem *problem, const wf_step *tree,
                          double *bound, double *expected)
{
    double u = problem->type == WEFT_F64 ? ldexp(1, -53) : ldexp(1, -24);
    double fine_bound = ldexp(1, -70), fine = fine_bound;
    const wf_step *step = tree->kind == WF_STEP_REPACK ? tree->child[0] : tree;
    if (step->kind == WF_STEP_WHOLE) {
        whole_error(problem, step, bound, expected);
        return;
    }
    if (step->kind == WF_STEP_WIDEN) {
        wf_problem view;
        wf_group group;
        wf_widened(problem, &view, &group);
        wf_tree_error(&view, step->child[0], &fine_bound, &fine);
    }
    *bound = u + (1 + u) * fine_bound;
    *expected = sqrt(ROUNDING * ROUNDING * u * u + fine * fine);
}

/* The N of the law: for the cosine and sine kinds the period, and not less
 * than 16, whose levels round as much as the two products around a short one.
 */
static double levels_of(const wf_problem *problem, int i)
{
    double n = (double)problem->dim[i].n;
    if (problem->kind != WEFT_R2R || problem->kinds[i] < WEFT_REDFT00)
        return n;
    n *= 2;
    n += problem->kinds[i] == WEFT_RODFT00 ? 2 : 0;
    return n < 16 ? 16 : n;
}

void wf_tree_error(const wf_problem *problem, const wf_step *tree,
                   double *bound, double *expected)
{
    if (wf_problem_is_precise(problem)) {
        precise_error(problem, tree, bound, expected);
        return;
    }
    double u = problem->type == WEFT_F64 ? ldexp(1, -53) : ldexp(1, -24);
    double n = 1;
    /* A copy, times a scale that f32 rounds, and that may be a root of 2. */
    if (wf_problem_is_copy(problem)) {
        bool exact = problem->type == WEFT_F64 && problem->kind != WEFT_R2R;
        *bound = problem->scale == 1 ? 0 : exact ? u : 2 * u;
        *expected = ROUNDING * *bound;
        return;
    }
    for (int i = 0; i < problem->rank; i++)
        n *= levels_of(problem, i);
    if (multiplies(tree)) {
        *expected = u * tree->error;
        *bound = (2.5 * *expected + u) * (1 + 1 / sqrt(n));
        return;
    }
    /* A vector of few numbers may be unlucky with their roundings. */
    double smooth = (0.6 * sqrt(log2(n)) + 1) * (1 + 1 / sqrt(n));
    double rough = 1.3 * tree->error + 1;
    *expected = u * tree->error;
    *bound = u * (!convolves(tree) ? smooth : rough > 5 ? rough : 5);
    if (problem->scale != 1) {
        *bound += u;
        *expected += 0.3 * u;
    }
}
