/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As a C99 program uses FFTW: complex numbers of <complex.h>, measured plans,
 * wisdom in a file, several precisions and threads in one program.
 */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 12, COLUMNS = 20, HALF = COLUMNS / 2 + 1 };

static int failures;

static void expect(int right, const char *what)
{
    if (!right)
        printf("wrong: %s\n", what), failures++;
}

/* A field and back, through the spectrum of reals. */
static void round_trip(unsigned flags)
{
    double *field = fftw_alloc_real(ROWS * COLUMNS);
    fftw_complex *spectrum = fftw_alloc_complex(ROWS * HALF);
    fftw_plan forward = fftw_plan_dft_r2c_2d(ROWS, COLUMNS, field, spectrum,
                                             flags);
    fftw_plan back = fftw_plan_dft_c2r_2d(ROWS, COLUMNS, spectrum, field,
                                          flags);
    double mean = 0, error = 0;
    expect(forward && back, "plans of a field");
    for (int i = 0; i < ROWS * COLUMNS; i++)
        mean += field[i] = sin(i * i) + 0.25;
    fftw_execute(forward);
    expect(cabs(spectrum[0] - mean) < 1e-12, "the mean of a field");
    fftw_execute(back);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        error += fabs(field[i] / (ROWS * COLUMNS) - sin(i * i) - 0.25);
    expect(error < 1e-11, "a field and back");
    fftw_destroy_plan(forward);
    fftw_destroy_plan(back);
    fftw_free(field);
    fftw_free(spectrum);
}

/* The other precisions are declared, for programs that use FFTW's. */
static void precisions(void)
{
    expect(sizeof(fftwl_complex) == 2 * sizeof(long double) &&
               sizeof fftwl_plan_dft_1d(1, NULL, NULL, 1, 0) == sizeof(void *),
           "long double");
#ifdef __SIZEOF_FLOAT128__
    fftwq_complex z = 3 + 4 * I;
    expect(sizeof z == 32 && creal((fftw_complex)(z * z)) == -7 &&
               sizeof fftwq_plan_dft_1d(1, &z, &z, 1, 0) == sizeof(void *),
           "__float128");
#endif
}

/* Many in-place transforms in float, by two threads. */
static void columns(void)
{
    enum { N = 64, MANY = 8 };
    const int n[] = {N};
    fftwf_complex *x = fftwf_alloc_complex(N * MANY);
    fftwf_init_threads();
    fftwf_plan_with_nthreads(2);
    fftwf_plan p = fftwf_plan_many_dft(1, n, MANY, x, NULL, MANY, 1, x, NULL,
                                       MANY, 1, FFTW_BACKWARD, FFTW_MEASURE);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < MANY; k++)
            x[i * MANY + k] = i == k ? 1 : 0;
    fftwf_execute(p);
    for (int k = 0; k < MANY; k++) /* a tone of frequency k in column k */
        expect(cabsf(x[5 * MANY + k] -
                     cexpf((float)(2 * 3.14159265358979 * 5 * k / N) * I)) <
                   1e-5f,
               "a tone");
    fftwf_destroy_plan(p);
    fftwf_cleanup_threads();
    fftwf_free(x);
}

/* A cosine transform is its inverse's inverse. */
static void cosines(void)
{
    enum { N = 30 };
    double x[N], y[N];
    fftw_plan p = fftw_plan_r2r_1d(N, x, y, FFTW_REDFT10, FFTW_ESTIMATE);
    fftw_plan q = fftw_plan_r2r_1d(N, y, x, FFTW_REDFT01, FFTW_ESTIMATE);
    expect(p && q, "plans of cosines");
    for (int i = 0; i < N; i++)
        x[i] = i;
    fftw_execute(p);
    fftw_execute(q);
    for (int i = 0; i < N; i++)
        expect(fabs(x[i] - 2.0 * N * i) < 1e-10, "cosines and back");
    fftw_destroy_plan(p);
    fftw_destroy_plan(q);
}

int main(void)
{
    round_trip(FFTW_ESTIMATE);
    round_trip(FFTW_MEASURE | FFTW_DESTROY_INPUT);
    columns();
    cosines();
    precisions();
    char *wisdom = fftw_export_wisdom_to_string();
    expect(wisdom && fftw_import_wisdom_from_string(wisdom), "wisdom");
    fftw_free(wisdom);
    expect(strstr(fftw_version, "weft") != NULL, fftw_version);
    fftw_cleanup();
    printf("C: %d wrong\n", failures);
    return failures != 0;
}
