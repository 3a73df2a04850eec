/* SPDX-License-Identifier: BSD-3-Clause */
/* A program written for FFTW, on weft's library of that name. */
#include <complex.h>
#include <fftw3.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    enum { N = 16 };
    fftw_complex *x = fftw_alloc_complex(N);
    fftw_plan p = fftw_plan_dft_1d(N, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
    for (int i = 0; i < N; i++)
        x[i] = i % 2 ? -1 : 1;
    fftw_execute(p);
    int wrong = cabs(x[N / 2] - N) > 1e-12 || cabs(x[0]) > 1e-12 ||
                !strstr(fftw_version, "weft");
    fftw_destroy_plan(p);
    fftw_free(x);
    printf("%s: %s\n", fftw_version, wrong ? "wrong" : "right");
    return wrong;
}
