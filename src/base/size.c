/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * size.c - checked arithmetic.  The result is stored only when it fits.
 */
#include "base/base.h"

bool wf_mul_size(size_t a, size_t b, size_t *product)
{
    if (b && a > SIZE_MAX / b)
        return false;
    *product = a * b;
    return true;
}

bool wf_add_size(size_t a, size_t b, size_t *sum)
{
    if (a > SIZE_MAX - b)
        return false;
    *sum = a + b;
    return true;
}

bool wf_mul_i64(int64_t a, int64_t b, int64_t *product)
{
    int64_t result;
    if (__builtin_mul_overflow(a, b, &result))
        return false;
    *product = result;
    return true;
}

bool wf_add_i64(int64_t a, int64_t b, int64_t *sum)
{
    int64_t result;
    if (__builtin_add_overflow(a, b, &result))
        return false;
    *sum = result;
    return true;
}
