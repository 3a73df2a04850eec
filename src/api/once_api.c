/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * once_api.c - transforms in one call, through the cache of plans.
 */
#include "api/api.h"

/* Uses up the caller's reference. */
static weft_status run(weft_plan *plan, const void *in, void *out)
{
    weft_status status = weft_execute(plan, in, out);
    weft_plan_release(plan);
    return status;
}

/* What execute would refuse is refused before planning for it. */
static weft_status check_pointers(const wf_problem *canonical, const void *in,
                                  const void *out)
{
    if (canonical->split)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "the problem is for split data: plan it and use "
                       "weft_execute_split");
    if (canonical->empty)
        return WEFT_OK;
    if (!in || !out)
        return wf_fail(WEFT_ERR_ARGUMENT, "%s is NULL", in ? "out" : "in");
    if ((in == out) != canonical->in_place)
        return wf_fail(
            WEFT_ERR_ARGUMENT,
            in == out ? "in and out are equal: the problem is out of place"
                      : "in and out differ: the problem is in place");
    return WEFT_OK;
}

weft_status weft_transform(const weft_problem *problem, const void *in,
                           void *out)
{
    wf_problem canonical;
    weft_status status = wf_problem_canonical(problem, &canonical);
    if (status == WEFT_OK)
        status = check_pointers(&canonical, in, out);
    if (status != WEFT_OK || canonical.empty)
        return status;
    weft_plan *plan = wf_cache_find(&canonical);
    if (!plan) {
        status = weft_plan_create(problem, NULL, &plan);
        if (status != WEFT_OK)
            return status;
        wf_cache_insert(plan);
    }
    return run(plan, in, out);
}

/* numpy's normalisation; the pointers say the place. */
static weft_status transform_packed(weft_problem problem, const void *in,
                                    void *out)
{
    problem.norm = WEFT_NORM_BACKWARD;
    problem.place = in == out ? WEFT_IN_PLACE : WEFT_OUT_OF_PLACE;
    return weft_transform(&problem, in, out);
}

static weft_status transform_1d(weft_type type, int64_t n, weft_sign sign,
                                const void *in, void *out)
{
    weft_plan *plan = wf_cache_find_simple(
        wf_cache_simple_id(type, n, sign, in == out));
    if (plan)
        return run(plan, in, out);
    return transform_packed(weft_problem_1d(type, n, sign), in, out);
}

static weft_status transform_nd(weft_type type, int rank, const int64_t *shape,
                                weft_sign sign, const void *in, void *out)
{
    if (rank > 0 && !shape)
        return wf_fail(WEFT_ERR_ARGUMENT, "shape is NULL");
    return transform_packed(weft_problem_nd(type, rank, shape, 1, sign), in,
                            out);
}

weft_status weft_fft(weft_type type, int64_t n, const void *in, void *out)
{
    return transform_1d(type, n, WEFT_FORWARD, in, out);
}

weft_status weft_ifft(weft_type type, int64_t n, const void *in, void *out)
{
    return transform_1d(type, n, WEFT_INVERSE, in, out);
}

weft_status weft_fftn(weft_type type, int rank, const int64_t *shape,
                      const void *in, void *out)
{
    return transform_nd(type, rank, shape, WEFT_FORWARD, in, out);
}

weft_status weft_ifftn(weft_type type, int rank, const int64_t *shape,
                       const void *in, void *out)
{
    return transform_nd(type, rank, shape, WEFT_INVERSE, in, out);
}

static weft_status transform_real(weft_problem problem, weft_kind kind,
                                  const void *in, void *out)
{
    problem.kind = kind;
    return transform_packed(problem, in, out);
}

weft_status weft_rfft(weft_type type, int64_t n, const void *in, void *out)
{
    return transform_real(weft_problem_1d(type, n, WEFT_FORWARD), WEFT_R2C, in,
                          out);
}

weft_status weft_irfft(weft_type type, int64_t n, const void *in, void *out)
{
    return transform_real(weft_problem_1d(type, n, WEFT_INVERSE), WEFT_C2R, in,
                          out);
}

static weft_status transform_real_nd(weft_type type, int rank,
                                     const int64_t *shape, weft_kind kind,
                                     const void *in, void *out)
{
    weft_sign sign = kind == WEFT_C2R ? WEFT_INVERSE : WEFT_FORWARD;
    if (rank > 0 && !shape)
        return wf_fail(WEFT_ERR_ARGUMENT, "shape is NULL");
    return transform_real(weft_problem_nd(type, rank, shape, 1, sign), kind,
                          in, out);
}

weft_status weft_rfftn(weft_type type, int rank, const int64_t *shape,
                       const void *in, void *out)
{
    return transform_real_nd(type, rank, shape, WEFT_R2C, in, out);
}

weft_status weft_irfftn(weft_type type, int rank, const int64_t *shape,
                        const void *in, void *out)
{
    return transform_real_nd(type, rank, shape, WEFT_C2R, in, out);
}

void weft_cache_clear(void)
{
    wf_cache_clear();
}
