/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * problem_api.c - descriptors made, checked, measured, printed and parsed.
 *
 * The constructors return a value and so cannot refuse: what makes no sense
 * goes into the descriptor as it is, and whoever takes that refuses it.
 */
#include "api/api.h"

weft_problem weft_problem_1d(weft_type type, int64_t n, weft_sign sign)
{
    return (weft_problem){.size = sizeof(weft_problem),
                          .type = type,
                          .sign = sign,
                          .rank = 1,
                          .dims = {{.n = n}}};
}

weft_problem weft_problem_nd(weft_type type, int rank, const int64_t *shape,
                             int64_t count, weft_sign sign)
{
    weft_problem problem = {
        .size = sizeof problem, .type = type, .sign = sign, .rank = rank};
    /* A rank that will be refused has no shape worth reading. */
    for (int i = 0; shape && rank <= WEFT_MAX_RANK && i < rank; i++)
        problem.dims[i].n = shape[i];
    if (count != 1) {
        problem.batch_rank = 1;
        problem.batch[0].n = count;
    }
    return problem;
}

weft_status weft_problem_parse(const char *text, weft_problem *problem)
{
    return wf_problem_parse(text, problem);
}

weft_status weft_problem_print(const weft_problem *problem, char *buffer,
                               size_t capacity, size_t *length)
{
    wf_text text = {0};
    weft_status status = wf_check_buffer(buffer, capacity);
    if (status == WEFT_OK)
        status = wf_problem_print(problem, &text);
    if (status == WEFT_OK)
        status = wf_copy_out(&text, buffer, capacity, length);
    return status;
}

weft_status weft_problem_check(const weft_problem *problem)
{
    return wf_problem_check(problem);
}

weft_status weft_problem_extent(const weft_problem *problem,
                                weft_extent *extent)
{
    return wf_problem_extent(problem, extent);
}
