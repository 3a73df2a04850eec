/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ref.h - the oracle: a transform of any length, slow and obvious, in
 * double-double.  Tests and `weft accuracy` measure everything against it.
 */
#ifndef WEFT_KERNEL_REF_REF_H
#define WEFT_KERNEL_REF_REF_H

#include <stddef.h>

#include "base/base.h"
#include "num/num.h"

/* out[k] = sum_j in[j] exp(sign 2 pi i j k / n), sign -1 or +1, no scaling.
 * `in` is interleaved doubles (callers with floats widen), `out` interleaved
 * double-doubles: out[2k] real, out[2k+1] imaginary.  The error relative to
 * the largest output is about log2(n) * 2^-104.  n = 2^20 takes seconds.
 * WEFT_ERR_NO_MEMORY (about 100 n bytes are used), WEFT_ERR_ARGUMENT for
 * n = 0 or another sign. */
weft_status wf_reference_c2c(size_t n, int sign, const double *in, wf_dd *out);

#endif
