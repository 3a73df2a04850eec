/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_api.c - arrays.  Programs give them to free() as well as to
 * fftw_free, so they are plain blocks of the C library, a cache line and a
 * vector of any instruction set aligned.
 */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "compat.h"

#include <stdlib.h>

enum { ALIGNMENT = 64, ALIGNMENT_TOLD = 16 };

void *X(malloc)(size_t n)
{
    void *block = NULL;
    return posix_memalign(&block, ALIGNMENT, n ? n : 1) ? NULL : block;
}

real *X(alloc_real)(size_t n)
{
    return n > SIZE_MAX / sizeof(real) ? NULL : X(malloc)(n * sizeof(real));
}

pair *X(alloc_complex)(size_t n)
{
    size_t size = sizeof(pair);
    return n > SIZE_MAX / size ? NULL : X(malloc)(n * size);
}

void X(free)(void *p)
{
    free(p);
}

/* As FFTW tells it.  Programs compare these to see whether a plan suits other
 * arrays; weft's plans suit any. */
int X(alignment_of)(real *p)
{
    return (int)((uintptr_t)p % ALIGNMENT_TOLD);
}
