/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.c - the spectrum of a fixed sequence by a plan of this engine.
 *
 * Doubles want their spectra of pairs (kernel/hand/spectrum.c).  For floats a
 * transform in doubles is exact: it errs by some 2^-52 and is rounded to
 * 2^-24, and it is ten times as fast.
 */
#include "cpu/spectrum.h"

#include "cpu/cpu.h"
#include "cpu/node.h"
#include "plan/planner.h"

/* 1/n times the transform. */
static weft_status transform_doubles(bool inverse, const double *in, int64_t n,
                                     double *out)
{
    const wf_problem problem = {.kind = WEFT_C2C,
                                .type = WEFT_F64,
                                .sign = inverse ? WEFT_INVERSE : WEFT_FORWARD,
                                .scale = 1 / (double)n,
                                .threads = 1,
                                .engine = WEFT_ENGINE_CPU,
                                .rank = 1,
                                .dim = {{n, 1, 1}},
                                .total = n};
    const wf_request request = {.problem = &problem, .engine = &wf_cpu_engine};
    wf_step *tree;
    wf_program *program = NULL;
    weft_status status = wf_planner_plan(&request, &tree, NULL);
    if (status == WEFT_OK)
        status = wf_cpu_bind(&problem, tree, &program);
    wf_step_free(tree);
    if (status == WEFT_OK) {
        wf_cpu_execute(program, in, NULL, out, NULL);
        wf_cpu_release(program);
    }
    return status;
}

weft_status wf_fast_spectrum(wf_real real, bool inverse,
                             const double *sequence, int64_t n, void *table)
{
    if (real == WF_F64 || n < 2)
        return wf_make_spectrum(real, inverse, sequence, n, table);
    double *exact = wf_alloc(2 * (size_t)n * sizeof *exact);
    if (exact == NULL)
        return wf_no_memory();
    weft_status status = transform_doubles(inverse, sequence, n, exact);
    for (int64_t i = 0; i < 2 * n && status == WEFT_OK; i++)
        ((float *)table)[i] = (float)exact[i];
    wf_free(exact);
    return status;
}
