/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modes.c - which modes serve a problem, and which number formats a mode.
 */
#include "plan/precise.h"
#include "plan/search.h"

/* What keeps a mode from a problem of real kinds (R2HC and later) with
 * `rank` dimensions of more than one element; NULL: nothing does.  Such modes
 * take a real kind as a complex transform of its period (whole.c): a second
 * dimension would want the first one's result rounded, and end elements a
 * factor of their own. */
const char *wf_mode_misfit(weft_precision precision, weft_type type, int rank,
                           bool ortho, weft_kind kind)
{
    bool plain = precision == WEFT_PRECISION_FAST ||
                 precision == WEFT_PRECISION_DOUBLE ||
                 (precision == WEFT_PRECISION_COMPENSATED && type == WEFT_F32);
    if (plain || rank == 0)
        return NULL;
    if (rank > 1)
        return "has real kinds of one dimension only";
    return ortho && wf_kind_has_ends(kind)
               ? "does not scale the end elements that norm ortho does"
               : NULL;
}

static bool serves(const wf_problem *problem, weft_precision precision)
{
    if (precision == WEFT_PRECISION_FAST)
        return true;
    if (precision == WEFT_PRECISION_DOUBLE)
        return problem->type == WEFT_F32;
    if (precision == WEFT_PRECISION_COMPENSATED &&
        (problem->engine != WEFT_ENGINE_CPU ||
         problem->type == WEFT_F32)) /* which is double */
        return false;
    return !wf_problem_is_copy(problem) &&
           (problem->kind != WEFT_R2R ||
            wf_mode_misfit(precision, problem->type, problem->rank,
                           problem->ortho, problem->kinds[0]) == NULL);
}

int wf_target_modes(const wf_problem *problem, wf_mode *modes)
{
    int count = 0;
    for (int m = WEFT_PRECISION_FAST; m < WEFT_PRECISION_SLICES; m++)
        if (serves(problem, (weft_precision)m))
            modes[count++] = (wf_mode){(weft_precision)m, 0};
    for (int slices = 2; slices <= 8; slices++)
        if (serves(problem, WEFT_PRECISION_SLICES))
            modes[count++] = (wf_mode){WEFT_PRECISION_SLICES, slices};
    return count;
}

void wf_problem_in_mode(const wf_problem *problem, wf_mode mode,
                        wf_problem *view)
{
    *view = *problem;
    view->precision = mode.precision;
    view->slices = mode.slices;
    view->target = 0;
    if (mode.precision != WEFT_PRECISION_COMPENSATED)
        view->scale_low = 0;
    if (mode.precision == WEFT_PRECISION_COMPENSATED ||
        mode.precision >= WEFT_PRECISION_BF16)
        view->scrambled = false; /* they have the natural order only */
}

bool wf_problem_is_matrix(const wf_problem *problem)
{
    if (problem->engine != WEFT_ENGINE_CPU) /* its floating formats have */
        return problem->precision == WEFT_PRECISION_SLICES || /* passes */
               problem->precision == WEFT_PRECISION_DOUBLE;
    return problem->precision >= WEFT_PRECISION_BF16;
}

wf_scheme wf_problem_scheme(const wf_problem *problem)
{
    static const wf_scheme of[] = {
        /* Of an engine without FP64; f32 only, whose own rounding is 2^19
         * times what five slices leave. */
        [WEFT_PRECISION_DOUBLE] = {.format = WF_FORMAT_BF16,
                                   .parts = 5,
                                   .sliced = true},
        [WEFT_PRECISION_BF16] = {.format = WF_FORMAT_BF16, .parts = 1},
        [WEFT_PRECISION_FP16] = {.format = WF_FORMAT_FP16, .parts = 1},
        [WEFT_PRECISION_SPLIT2] = {.format = WF_FORMAT_BF16, .parts = 2},
        [WEFT_PRECISION_SPLIT3] = {.format = WF_FORMAT_BF16, .parts = 3},
        [WEFT_PRECISION_REFINED] = {.format = WF_FORMAT_BF16,
                                    .parts = 1,
                                    .refined = true},
        [WEFT_PRECISION_FP16X2] = {.format = WF_FORMAT_FP16, .parts = 2},
        [WEFT_PRECISION_SLICES] = {.format = WF_FORMAT_BF16, .sliced = true},
    };
    if (!wf_problem_is_matrix(problem))
        return (wf_scheme){.format = problem->type == WEFT_F64 ? WF_FORMAT_F64
                                                               : WF_FORMAT_F32,
                           .parts = 1};
    wf_scheme scheme = of[problem->precision];
    if (problem->precision == WEFT_PRECISION_SLICES)
        scheme.parts = problem->slices;
    return scheme;
}

/* fp16 and tf32 have the same bits; slices come from any format that has
 * them. */
bool wf_problem_takes(const wf_problem *problem, const wf_scheme *scheme)
{
    const wf_scheme own = wf_problem_scheme(problem);
    const bool sixteen = own.format == WF_FORMAT_FP16 &&
                         scheme->format == WF_FORMAT_TF32;
    if (own.sliced != scheme->sliced || own.refined != scheme->refined ||
        own.parts != scheme->parts)
        return false;
    return own.sliced || own.format == scheme->format || sixteen ||
           scheme->format == WF_FORMAT_F64;
}
