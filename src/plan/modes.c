/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modes.c - which number formats serve a precision.
 */
#include "plan/search.h"

bool wf_problem_is_matrix(const wf_problem *problem)
{
    return problem->precision >= WEFT_PRECISION_BF16 &&
           problem->engine == WEFT_ENGINE_CPU;
}

wf_scheme wf_problem_scheme(const wf_problem *problem)
{
    static const wf_scheme of[] = {
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
    if (scheme.sliced)
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
