/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fftw3_both.h - lets a test be compiled for either library: X(name) and the
 * types are those of libfftw3, or of libfftw3f with TEST_SINGLE.
 */
#ifndef WEFT_TESTS_FFTW3_BOTH_H
#define WEFT_TESTS_FFTW3_BOTH_H

#include <fftw3.h>

#if TEST_SINGLE
#define X(name) fftwf_##name
#define TEST_LIBRARY "libfftw3f"
typedef float real;
typedef fftwf_complex C;
#else
#define X(name) fftw_##name
#define TEST_LIBRARY "libfftw3"
typedef double real;
typedef fftw_complex C;
#endif

typedef X(plan) plan;
typedef X(iodim) iodim;
typedef X(iodim64) iodim64;
typedef X(r2r_kind) r2r_kind;

#endif
