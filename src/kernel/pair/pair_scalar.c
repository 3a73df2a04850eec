/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated transforms for any machine. */
#include <stdint.h>
#include <string.h>
#define WF_VEC_REAL 64
#include "kernel/vec/scalar.h"

static inline double head(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(((uint64_t)1 << 27) - 1);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

#define VHEAD(x) head(x)
#define TABLE wf_pair_scalar
#include "kernel/pair/pair_tmpl.c"
