/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * helpers_api.c - fast sizes, memory, and the reference transform.
 */
#include "api/api.h"
#include "kernel/ref/ref.h"
#include "num/num.h"

int64_t weft_next_fast_size(int64_t n)
{
    uint64_t m = n < 1 ? 0 : wf_next_smooth((uint64_t)n, 7);
    return m > INT64_MAX ? 0 : (int64_t)m;
}

void *weft_alloc(size_t bytes)
{
    return wf_alloc(bytes);
}

void weft_free(void *block)
{
    wf_free(block);
}

static weft_status check_reference(int64_t n, weft_sign sign, const double *in,
                                   const double *out_hi)
{
    if (n < 1)
        return wf_fail(WEFT_ERR_ARGUMENT, "n is %lld: must be at least 1",
                       (long long)n);
    if ((int)sign != WEFT_FORWARD && (int)sign != WEFT_INVERSE)
        return wf_fail(WEFT_ERR_ARGUMENT, "sign is %d: must be 0 or 1",
                       (int)sign);
    if (!in || !out_hi)
        return wf_fail(WEFT_ERR_ARGUMENT, "%s is NULL", in ? "out_hi" : "in");
    return WEFT_OK;
}

weft_status weft_reference(int64_t n, weft_sign sign, const double *in,
                           double *out_hi, double *out_lo)
{
    size_t bytes;
    weft_status status = check_reference(n, sign, in, out_hi);
    if (status != WEFT_OK)
        return status;
    if (!wf_mul_size((size_t)n, 2 * sizeof(wf_dd), &bytes))
        return wf_fail(WEFT_ERR_OVERFLOW, "n is %lld: too large",
                       (long long)n);
    wf_dd *exact = wf_alloc(bytes);
    if (!exact)
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for %zu bytes", bytes);
    status = wf_reference_c2c((size_t)n, sign == WEFT_FORWARD ? -1 : 1, in,
                              exact);
    for (size_t i = 0; status == WEFT_OK && i < 2 * (size_t)n; i++) {
        out_hi[i] = exact[i].hi;
        if (out_lo)
            out_lo[i] = exact[i].lo;
    }
    wf_free(exact);
    return status;
}
