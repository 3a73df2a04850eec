/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix_bench - a DFT as a matrix product, against what the processor can
 * do, weft's own transform, and another library's product.
 *
 *   matrix_bench [--blas-lib FILE] [--rows N] [--rounds N] [n ...]
 *
 * For each n, `rows` f32 transforms (default 256), one thread, as
 *
 *   tile     the kernel alone, operands of 64 terms in the first cache
 *   plan     `matrix n f32 n`, its matrix packed when it was planned
 *   bf16     `matrix n bf16 n`, of precision bf16
 *   cgemm    weft_cgemm with the same matrix, both operands packed each time
 *   sgemm    cblas_sgemm of FILE: rows x 2n times 2n x 2n reals, which are
 *            the same products
 *   fast     the plan weft chooses
 *
 * All but the last in percent of the peak, a loop of fused multiply-adds that
 * touches registers only, and in GFLOP/s (8 a complex product); the plans
 * in ns a transform, too.  All take turns and minima are kept: other work on
 * the machine only adds.  FILE is opened when it is named, never linked to;
 * libraries that read OMP_, MKL_ or OPENBLAS_NUM_THREADS get one thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "kernel/matrix/matrix.h"
#include <weft/weft.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { TERMS = 64, STEPS = 20000, CBLAS_ROWS = 101, CBLAS_AS_IT_IS = 111 };

typedef void sgemm(int layout, int transpose_a, int transpose_b, int m, int n,
                   int k, float alpha, const float *a, int lda, const float *b,
                   int ldb, float beta, float *c, int ldc);

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "matrix_bench: %s: %s\n", what, why);
    exit(2);
}

/* ---- The peak -------------------------------------------------------------- */

/* Chains of fused operations, more than a core has under way at once: 4
 * cycles each (8 on some), two a cycle.  Returns the operations on one lane
 * times two; the sum keeps the compiler from leaving it out. */
#if defined(__x86_64__)
#define PEAK(name, isa, vector, set, fused, store, lanes, chains)     \
    __attribute__((target(isa))) static double name(float *sum)       \
    {                                                                 \
        vector s[chains];                                             \
        const vector a = set(sum[0]), b = set(sum[1]);                \
        _Pragma("GCC unroll 32") for (int i = 0; i < chains; i++)     \
            s[i] = set((float)i);                                     \
        for (int step = 0; step < STEPS; step++)                      \
            _Pragma("GCC unroll 32") for (int i = 0; i < chains; i++) \
                s[i] = fused(s[i], a, b);                             \
        _Pragma("GCC unroll 32") for (int i = 1; i < chains; i++)     \
            s[0] = fused(s[i], a, s[0]);                              \
        float all[lanes];                                             \
        store(all, s[0]);                                             \
        sum[2] += all[0];                                             \
        return 2.0 * STEPS * chains * lanes;                          \
    }
PEAK(peak_avx512, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps,
     _mm512_storeu_ps, 16, 24)
PEAK(peak_avx2, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps,
     _mm256_storeu_ps, 8, 12)
#endif

/* GFLOP of one loop at the ISA level in use; 0: this program has none. */
static double run_peak(void)
{
    static float sum[3] = {0.5f, 0.25f, 0};
#if defined(__x86_64__)
    if (!strcmp(weft_isa(), "avx512"))
        return 1e-9 * peak_avx512(sum);
    if (!strcmp(weft_isa(), "avx2"))
        return 1e-9 * peak_avx2(sum);
#endif
    (void)sum;
    return 0;
}

/* ---- The contenders -------------------------------------------------------- */

typedef struct work {
    int n, rows;
    float *x, *y, *w; /* rows x n, rows x n, n x n complex */
    float *wide;      /* 2n x 2n reals: w as a real matrix */
    weft_plan *matrix, *bf16, *fast;
    weft_gemm gemm;
    sgemm *sgemm;
} work;

static float *numbers(size_t count)
{
    float *p = weft_alloc(count * sizeof *p);
    if (!p)
        fail("numbers", "no memory");
    for (size_t i = 0; i < count; i++)
        p[i] = (float)((i * 2654435761u >> 8) % 1000) / 1000 - 0.5f;
    return p;
}

/* One product in `format`, or (NULL) what weft chooses. */
static weft_plan *plan_of(int n, int rows, const char *format)
{
    weft_problem p = weft_problem_1d(WEFT_F32, n, WEFT_FORWARD);
    char text[100];
    const char *tree = format ? text : NULL;
    snprintf(text, sizeof text, "(rank (rows 0 (matrix %d %s %d)))", n,
             format ? format : "", n);
    if (format && !strcmp(format, "bf16"))
        p.precision = WEFT_PRECISION_BF16;
    weft_plan_options o = {.size = sizeof o, .tree = tree, .ignore_wisdom = 1};
    weft_plan *plan;
    p.batch_rank = 1;
    p.batch[0].n = rows;
    if (weft_plan_create(&p, &o, &plan))
        fail("plan", weft_error_text());
    return plan;
}

static void open_work(work *k)
{
    const size_t n = (size_t)k->n, rows = (size_t)k->rows;
    k->x = numbers(2 * rows * n);
    k->y = numbers(2 * rows * n);
    k->w = numbers(2 * n * n);
    k->wide = numbers(4 * n * n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const double phase = (double)(i * j % n) / (double)n;
            const float re = (float)cos(2 * M_PI * phase);
            const float im = -(float)sin(2 * M_PI * phase);
            float *at = k->wide + 4 * j * n + 2 * i;
            k->w[2 * (j * n + i)] = at[0] = at[2 * n + 1] = re;
            k->w[2 * (j * n + i) + 1] = at[1] = im;
            at[2 * n] = -im;
        }
    k->matrix = plan_of(k->n, k->rows, "f32");
    k->bf16 = plan_of(k->n, k->rows, "bf16");
    k->fast = plan_of(k->n, k->rows, NULL);
    k->gemm = (weft_gemm){.size = sizeof k->gemm,
                          .type = WEFT_F32,
                          .m = k->rows,
                          .n = k->n,
                          .k = k->n};
}

static void close_work(work *k)
{
    weft_plan_release(k->matrix);
    weft_plan_release(k->bf16);
    weft_plan_release(k->fast);
    weft_free(k->x);
    weft_free(k->y);
    weft_free(k->w);
    weft_free(k->wide);
}

/* GFLOP of one run. */
static double run_tile(const work *k)
{
    static _Alignas(64) float a[TERMS * 2 * WF_TILE_ROWS];
    static _Alignas(64) float b[TERMS * 2 * WF_TILE_COLUMNS];
    static _Alignas(64) float c[2 * WF_TILE_ROWS * WF_TILE_COLUMNS];
    const wf_scheme f32 = {.format = WF_FORMAT_F32, .parts = 1};
    const wf_tile *tile = wf_tile_for(&f32, (wf_isa)wf_cpu_isa(), true);
    const void *x = a, *w = b;
    const double one = 8e-9 * tile->mr * tile->nr * TERMS;
    int calls = 0;
    (void)k;
    for (; calls * one < 1e-3; calls++)
        tile->run(1, &x, &w, TERMS, c);
    return calls * one;
}

static double product_flops(const work *k)
{
    return 8e-9 * k->rows * k->n * k->n;
}

static double run_plan(const work *k)
{
    weft_execute(k->matrix, k->x, k->y);
    return product_flops(k);
}

static double run_bf16(const work *k)
{
    weft_execute(k->bf16, k->x, k->y);
    return product_flops(k);
}

static double run_cgemm(const work *k)
{
    weft_cgemm(&k->gemm, k->x, k->w, k->y);
    return product_flops(k);
}

static double run_sgemm(const work *k)
{
    if (!k->sgemm)
        return 0;
    k->sgemm(CBLAS_ROWS, CBLAS_AS_IT_IS, CBLAS_AS_IT_IS, k->rows, 2 * k->n,
             2 * k->n, 1, k->x, 2 * k->n, k->wide, 2 * k->n, 0, k->y,
             2 * k->n);
    return product_flops(k);
}

static double run_fast(const work *k)
{
    weft_execute(k->fast, k->x, k->y);
    return product_flops(k);
}

/* ---- The table ------------------------------------------------------------- */

enum { TILE, PLAN, BF16, CGEMM, SGEMM, FAST, CONTENDERS };

typedef double contender(const work *k);
static contender *const contenders[CONTENDERS] = {run_tile,  run_plan,
                                                  run_bf16,  run_cgemm,
                                                  run_sgemm, run_fast};

/* Do plans and products give the same? */
static void check_same(const work *k)
{
    const size_t count = 2 * (size_t)k->rows * (size_t)k->n;
    float *want = numbers(count);
    for (int c = PLAN; c < CONTENDERS; c++) {
        double far = 0;
        if (contenders[c](k) == 0)
            continue;
        if (c == PLAN)
            memcpy(want, k->y, count * sizeof *want);
        for (size_t i = 0; i < count; i++)
            far = fmax(far, fabs((double)k->y[i] - want[i]));
        if (!(far < (c == BF16 ? 1e-2 : 1e-4) * k->n))
            fail("results differ", c == SGEMM ? "sgemm" : "weft");
    }
    weft_free(want);
}

static void print_rate(double rate, double peak)
{
    if (rate == 0)
        printf(" | %9s", "-");
    else if (peak == 0)
        printf(" | %9.0f", rate);
    else
        printf(" | %4.0f %3.0f%%", rate, 100 * rate / peak);
}

static void bench_row(work *k, int rounds)
{
    double peak = 0, best[CONTENDERS] = {0}, flops;
    open_work(k);
    check_same(k);
    for (int round = 0; round < rounds; round++) {
        double start = wf_clock_seconds();
        flops = run_peak();
        peak = fmax(peak, flops / (wf_clock_seconds() - start));
        for (int c = 0; c < CONTENDERS; c++) {
            start = wf_clock_seconds();
            flops = contenders[c](k);
            best[c] = fmax(best[c], flops / (wf_clock_seconds() - start));
        }
    }
    printf("| %4d | %4.0f", k->n, peak);
    for (int c = TILE; c <= SGEMM; c++)
        print_rate(best[c], peak);
    static const int timed[] = {PLAN, BF16, FAST};
    for (int i = 0; i < 3; i++)
        printf(" | %7.0f", product_flops(k) / best[timed[i]] / k->rows * 1e9);
    printf(" |\n");
    close_work(k);
}

static int number(const char *text, const char *option)
{
    const int value = atoi(text);
    if (value < 1 || value > 1 << 20)
        fail(option, "must be 1 to 1048576");
    return value;
}

static sgemm *open_blas(const char *file)
{
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("MKL_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail("--blas-lib", dlerror());
    sgemm *found;
    *(void **)&found = dlsym(library, "cblas_sgemm");
    if (!found)
        fail("--blas-lib", dlerror());
    return found;
}

int main(int argc, char **argv)
{
    work k = {.rows = 256};
    int rounds = 100, i = 1;
    for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2)
        if (!strcmp(argv[i], "--blas-lib"))
            k.sgemm = open_blas(argv[i + 1]);
        else if (!strcmp(argv[i], "--rows"))
            k.rows = number(argv[i + 1], argv[i]);
        else if (!strcmp(argv[i], "--rounds"))
            rounds = number(argv[i + 1], argv[i]);
        else
            fail(argv[i], "no such option");
    printf("f32, %s, %d rows: GFLOP/s and share of the peak; ns a transform\n",
           weft_isa(), k.rows);
    printf("|    n | peak |      tile |      plan |      bf16 |     cgemm | "
           "    sgemm | ns plan | ns bf16 | ns fast |\n"
           "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    static const int usual[] = {16, 32, 64, 128, 256, 512};
    const int given = argc - i, count = given ? given : 6;
    for (int l = 0; l < count; l++) {
        k.n = given ? number(argv[i + l], "n") : usual[l];
        bench_row(&k, rounds);
    }
    return 0;
}
