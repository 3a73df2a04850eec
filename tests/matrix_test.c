/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix_test.c - complex matrix products: every m, n, k up to a limit and
 * larger samples against 113-bit sums; each number format within its law;
 * slices without any error, and with the same bits from every tile; rows and
 * columns that are not finite; strides, signs, refusals.
 *
 * Every operand ends at a guard page.
 *
 *   matrix_test [--to N]    m, n, k <= N exhaustively (40)
 */
#define _GNU_SOURCE
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"
#include "kernel/matrix/matrix.h"
#include "oracle.h"
#include <weft/weft.h>

typedef oracle_quad quad;

static noise_state noise = {20261121};

/* Memory that ends where reading is a crash. */
typedef struct guarded {
    char *map, *end;
    size_t mapped;
} guarded;

static guarded guarded_new(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inside = (bytes + page - 1) / page * page;
    guarded g = {.mapped = inside + page};
    g.map = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g.map == MAP_FAILED || mprotect(g.map + inside, page, PROT_NONE)) {
        fprintf(stderr, "matrix_test: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    g.end = g.map + inside;
    return g;
}

static void guarded_free(guarded *g)
{
    munmap(g->map, g->mapped);
}

static size_t bytes_of(weft_type type)
{
    return type == WEFT_F64 ? 8 : 4;
}

static void put(weft_type type, void *p, int64_t i, double x)
{
    if (type == WEFT_F64)
        ((double *)p)[i] = x;
    else
        ((float *)p)[i] = (float)x;
}

static double get(weft_type type, const void *p, int64_t i)
{
    return type == WEFT_F64 ? ((const double *)p)[i]
                            : (double)((const float *)p)[i];
}

static void fill_noise(weft_type type, void *p, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        put(type, p, i, oracle_sample(&noise, type));
}

/* Packed interleaved products in 113 bits: out[2 (i n + j)], and the sum of
 * magnitudes that errors are measured against. */
static void product(weft_type type, const void *a, const void *b, int64_t m,
                    int64_t n, int64_t k, quad *out, double *size)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            quad re = 0, im = 0;
            double sum = 0;
            for (int64_t l = 0; l < k; l++) {
                const double ar = get(type, a, 2 * (i * k + l)),
                             ai = get(type, a, 2 * (i * k + l) + 1),
                             br = get(type, b, 2 * (l * n + j)),
                             bi = get(type, b, 2 * (l * n + j) + 1);
                re += (quad)ar * br - (quad)ai * bi;
                im += (quad)ar * bi + (quad)ai * br;
                sum += hypot(ar, ai) * hypot(br, bi);
            }
            out[2 * (i * n + j)] = re;
            out[2 * (i * n + j) + 1] = im;
            size[i * n + j] = sum;
        }
}

/* The largest error of packed C, relative to the sum of magnitudes. */
static double worst(weft_type type, const void *c, const quad *want,
                    const double *size, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++) {
        const double dr = (double)(get(type, c, 2 * i) - want[2 * i]),
                     di = (double)(get(type, c, 2 * i + 1) - want[2 * i + 1]);
        const double e = hypot(dr, di) / (size[i] > 0 ? size[i] : 1);
        if (!(e <= largest))
            largest = e;
    }
    return largest;
}

static double unit(weft_type type)
{
    return type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
}

/* ---- Every m, n, k ------------------------------------------------------- */

/* The corner m x n of the product has the bits it has in the whole. */
static void check_corner(weft_type type, const guarded at[3], int64_t m,
                         int64_t n, int64_t k, int64_t most, const char *whole)
{
    const size_t each = 2 * bytes_of(type);
    char *c = at[2].end - (size_t)(m * n) * each;
    const weft_gemm g = {
        .size = sizeof g, .type = type, .m = m, .n = n, .k = k};
    memset(c, 0xff, (size_t)(m * n) * each);
    const weft_status status = weft_cgemm(&g,
                                          at[0].end - (size_t)(m * k) * each,
                                          at[1].end - (size_t)(k * n) * each,
                                          c);
    bool same = status == WEFT_OK;
    for (int64_t i = 0; same && i < m; i++)
        same = memcmp(c + (size_t)(i * n) * each,
                      whole + (size_t)(i * most) * each,
                      (size_t)n * each) == 0;
    CHECK(same, "%s %lld x %lld x %lld: not the corner of the product",
          type == WEFT_F64 ? "f64" : "f32", (long long)m, (long long)n,
          (long long)k);
}

static void check_all_sizes(weft_type type, int64_t most)
{
    const size_t each = 2 * bytes_of(type), all = (size_t)(most * most);
    guarded at[3];
    for (int i = 0; i < 3; i++)
        at[i] = guarded_new(all * each);
    char *a = malloc(all * each), *b = malloc(all * each),
         *c = malloc(all * each);
    quad *want = malloc(2 * all * sizeof *want);
    double *size = malloc(all * sizeof *size);
    for (int64_t k = 1; k <= most; k++) {
        const weft_gemm g = {
            .size = sizeof g, .type = type, .m = most, .n = most, .k = k};
        fill_noise(type, a, 2 * most * k);
        fill_noise(type, b, 2 * k * most);
        product(type, a, b, most, most, k, want, size);
        weft_cgemm(&g, a, b, c);
        const double e = worst(type, c, want, size, most * most);
        CHECK(e <= (double)(2 * k + 1) * unit(type),
              "type %d, k %lld: error %.2g", type, (long long)k, e);
        for (int64_t m = 1; m <= most; m++) {
            memcpy(at[0].end - (size_t)(m * k) * each, a,
                   (size_t)(m * k) * each);
            for (int64_t n = 1; n <= most; n++) {
                char *to = at[1].end - (size_t)(k * n) * each;
                for (int64_t l = 0; l < k; l++)
                    memcpy(to + (size_t)(l * n) * each,
                           b + (size_t)(l * most) * each, (size_t)n * each);
                check_corner(type, at, m, n, k, most, c);
            }
        }
    }
    for (int i = 0; i < 3; i++)
        guarded_free(&at[i]);
    free(a);
    free(b);
    free(c);
    free(want);
    free(size);
}

/* ---- Formats ------------------------------------------------------------- */

typedef struct law {
    const char *format;
    double error; /* of a product of many terms, relative to magnitudes */
} law;

/* Each operand is rounded (two complex roundings: 2 sqrt(2) half units), and
 * sums of noise stay a factor below these bounds. */
static const law laws[] = {
    {"bf16", 0x1p-7},    {"fp16", 0x1p-10},   {"tf32", 0x1p-10},
    {"bf16x2", 0x1p-14}, {"fp16x2", 0x1p-20}, {"tf32x2", 0x1p-20},
    {"bf16x3", 0x1p-21}, {"bf16s2", 0x1p-13}, {"bf16s3", 0x1p-22},
    {"bf16s4", 0x1p-31}, {"bf16s5", 0x1p-40}, {"bf16s6", 0x1p-48},
    {"bf16s7", 0x1p-50}, {"bf16s8", 0x1p-50}, {"int8s2", 0x1p-11},
    {"int8s3", 0x1p-19}, {"int8s4", 0x1p-27}, {"int8s6", 0x1p-42},
    {"int8s8", 0x1p-50}, {"fp16s2", 0x1p-17}, {"fp16s3", 0x1p-28},
    {"fp16s5", 0x1p-48},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

/* A product by one tile: packed interleaved doubles. */
static void by_tile(const wf_scheme *scheme, wf_isa isa, const wf_tile *tile,
                    int64_t m, int64_t n, int64_t k, const double *a,
                    const double *b, double *c)
{
    wf_stationary s;
    size_t bytes, fill;
    wf_stationary_plan(&s, scheme, isa, true, k, n, &bytes, &fill);
    if (tile != NULL) { /* plan again, for this tile's sizes */
        const int64_t depth = (k + tile->depth - 1) / tile->depth *
                              tile->depth;
        const int64_t panels = (n + tile->nr - 1) / tile->nr;
        s.tile = tile;
        s.depth = depth;
        s.panel_bytes = (size_t)depth * (size_t)scheme->parts * tile->b_bytes;
        bytes = (size_t)panels * s.panel_bytes + (size_t)n * sizeof(int) +
                (size_t)panels + 256;
        fill = (size_t)depth * 4096 * (size_t)scheme->parts;
    }
    const size_t room = wf_multiply_scratch(&s);
    char *packed = weft_alloc(bytes),
         *scratch = weft_alloc(fill > room ? fill : room);
    memset(scratch, 0xff, fill > room ? fill : room); /* all NaN */
    const wf_strided from = {
        .real = WF_F64, .re = b, .im = b + 1, .row = 2 * n, .column = 2};
    wf_stationary_fill(&s, &from, packed, scratch);
    const wf_multiply multiply = {.b = &s,
                                  .in_real = WF_F64,
                                  .out_real = WF_F64,
                                  .nq = m,
                                  .np = 1,
                                  .in = {0, 0, 2 * k, 2},
                                  .out = {0, 0, 2 * n, 2},
                                  .factor = 1};
    wf_multiply_rows(&multiply, a, a + 1, c, c + 1, 0, m, scratch);
    weft_free(packed);
    weft_free(scratch);
}

static const wf_tile *usable_tile(int i, wf_isa *isa)
{
    const char *feature;
    const wf_tile *tile = wf_tile_at(i, isa, &feature);
    const bool here = tile != NULL && (int)*isa <= wf_cpu_isa() &&
                      (wf_cpu_isa() != WF_ISA_NEON || *isa == WF_ISA_SCALAR ||
                       *isa == WF_ISA_NEON) &&
                      (feature == NULL || wf_cpu_has(feature));
    return here ? tile : NULL;
}

static bool tiles_left(int i)
{
    wf_isa isa;
    const char *feature;
    return wf_tile_at(i, &isa, &feature) != NULL;
}

static bool tile_holds(const wf_tile *tile, const wf_scheme *scheme)
{
    return tile->holds == WF_FORMAT_F32 || tile->holds == scheme->format ||
           (tile->holds == WF_FORMAT_BF16 && tile->depth == 1 &&
            scheme->format == WF_FORMAT_INT8);
}

/* Against the oracle, and every tile against the scalar one: with ==, but for
 * parts on hardware that has its own order of adding. */
static void check_format(const law *l, int64_t m, int64_t n, int64_t k)
{
    wf_scheme scheme;
    const size_t length = wf_scheme_parse(l->format, &scheme);
    if (!CHECK(length == strlen(l->format), "%s is no format", l->format))
        return;
    const size_t count = (size_t)(m * n);
    double *a = malloc((size_t)(2 * m * k) * 8);
    double *b = malloc((size_t)(2 * k * n) * 8);
    double *c = malloc(2 * count * 8), *other = malloc(2 * count * 8);
    quad *want = malloc(2 * count * sizeof *want);
    double *size = malloc(count * 8);
    fill_noise(WEFT_F64, a, 2 * m * k);
    fill_noise(WEFT_F64, b, 2 * k * n);
    for (int64_t i = 0; i < 2 * k; i++) /* a row far from the others */
        a[i] *= 0x1p500;
    product(WEFT_F64, a, b, m, n, k, want, size);
    by_tile(&scheme, WF_ISA_SCALAR, NULL, m, n, k, a, b, c);
    const double e = worst(WEFT_F64, c, want, size, m * n);
    CHECK(e <= l->error, "%s, k %lld: error %.3g, law %.3g", l->format,
          (long long)k, e, l->error);
    for (int i = 0; tiles_left(i); i++) {
        wf_isa isa;
        const wf_tile *tile = usable_tile(i, &isa);
        if (tile == NULL || !tile_holds(tile, &scheme))
            continue;
        memset(other, 0xff, 2 * count * 8);
        by_tile(&scheme, isa, tile, m, n, k, a, b, other);
        const double d = worst(WEFT_F64, other, want, size, m * n);
        CHECK(d <= l->error, "%s by %s, k %lld: error %.3g", l->format,
              tile->name, (long long)k, d);
        CHECK((!scheme.sliced && tile->holds != WF_FORMAT_F32) ||
                  memcmp(c, other, 2 * count * 8) == 0,
              "%s by %s, k %lld: not the bits of the scalar tile", l->format,
              tile->name, (long long)k);
    }
    free(a);
    free(b);
    free(c);
    free(other);
    free(want);
    free(size);
}

static void check_formats(void)
{
    static const int64_t sizes[][3] = {
        {1, 1, 1},   {2, 3, 5},    {7, 17, 8},   {5, 33, 9},
        {13, 4, 63}, {6, 32, 64},  {11, 50, 65}, {17, 20, 130},
        {3, 2, 257}, {25, 70, 16}, {4, 3, 512},
    };
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int i = 0; i < LAWS; i++)
            check_format(&laws[i], sizes[s][0], sizes[s][1], sizes[s][2]);
}

/* ---- Slices: every partial sum is an integer that FP32 holds ------------- */

enum { CHECKING_MR = 2, CHECKING_NR = 2 };

static long partial_sums, inexact_sums;
static double largest_sum;

static void follow(float *sum, int64_t *exact, float x, float y)
{
    *sum = *sum + x * y;
    *exact += (int64_t)x * (int64_t)y;
    partial_sums++;
    inexact_sums += (double)*sum != (double)*exact || x != rintf(x) ||
                    y != rintf(y);
    if (fabs((double)*exact) > largest_sum)
        largest_sum = fabs((double)*exact);
}

static void checking_run(int pairs, const void *const a[],
                         const void *const b[], size_t k, void *out)
{
    for (int r = 0; r < CHECKING_MR; r++)
        for (int c = 0; c < CHECKING_NR; c++) {
            float re = 0, im = 0;
            int64_t exact_re = 0, exact_im = 0;
            for (int p = 0; p < pairs; p++)
                for (size_t i = 0; i < k; i++) {
                    const float *x = (const float *)a[p] +
                                     2 * (i * CHECKING_MR + (size_t)r);
                    const float *y = (const float *)b[p] +
                                     2 * i * CHECKING_NR + c;
                    follow(&re, &exact_re, x[0], y[0]);
                    follow(&re, &exact_re, -x[1], y[CHECKING_NR]);
                    follow(&im, &exact_im, x[0], y[CHECKING_NR]);
                    follow(&im, &exact_im, x[1], y[0]);
                }
            float *tile = (float *)out + 2 * r * CHECKING_NR + c;
            tile[0] = re;
            tile[CHECKING_NR] = im;
        }
}

static const wf_tile checking = {.name = "checking",
                                 .holds = WF_FORMAT_F32,
                                 .mr = CHECKING_MR,
                                 .nr = CHECKING_NR,
                                 .depth = 1,
                                 .a_bytes = 2 * CHECKING_MR * sizeof(float),
                                 .b_bytes = 2 * CHECKING_NR * sizeof(float),
                                 .run = checking_run};

/* kind 0: noise; 1: every slice as large as it gets; 2: ends of the range. */
static double hard_number(int kind)
{
    if (kind == 0)
        return oracle_sample(&noise, WEFT_F64);
    const double sign = noise_bits(&noise) & 1 ? -1 : 1;
    if (kind == 1)
        return sign * (noise_bits(&noise) & 1 ? 1 : 1 - 0x1p-53);
    return ldexp(sign * oracle_sample(&noise, WEFT_F64),
                 (int)(noise_bits(&noise) % 2000) - 1000);
}

static void check_exact(const char *format, int64_t k, int kind)
{
    wf_scheme scheme;
    wf_scheme_parse(format, &scheme);
    const int64_t m = 3, n = 4;
    double *a = malloc((size_t)(2 * m * k) * 8);
    double *b = malloc((size_t)(2 * k * n) * 8);
    double c[2 * 3 * 4], scalar[2 * 3 * 4];
    for (int64_t i = 0; i < 2 * m * k; i++)
        a[i] = hard_number(kind);
    for (int64_t i = 0; i < 2 * k * n; i++)
        b[i] = kind == 2 ? oracle_sample(&noise, WEFT_F64) : hard_number(kind);
    partial_sums = inexact_sums = 0;
    largest_sum = 0;
    by_tile(&scheme, WF_ISA_SCALAR, &checking, m, n, k, a, b, c);
    CHECK(partial_sums > 0 && inexact_sums == 0,
          "%s, k %lld, kind %d: %ld of %ld sums not exact", format,
          (long long)k, kind, inexact_sums, partial_sums);
    CHECK(largest_sum <= 0x1p24, "%s, k %lld: a sum of %.0f", format,
          (long long)k, largest_sum);
    by_tile(&scheme, WF_ISA_SCALAR, NULL, m, n, k, a, b, scalar);
    CHECK(memcmp(c, scalar, sizeof c) == 0, "%s, k %lld: other bits", format,
          (long long)k);
    free(a);
    free(b);
}

static void check_exact_sums(void)
{
    static const char *const formats[] = {
        "bf16s2", "bf16s3", "bf16s4", "bf16s5", "bf16s6", "bf16s8", "int8s2",
        "int8s4", "int8s5", "int8s8", "fp16s2", "fp16s3", "fp16s5"};
    static const int64_t lengths[] = {1, 7, 8, 16, 64, 65, 300};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
            for (int kind = 0; kind < 3; kind++)
                check_exact(formats[f], lengths[l], kind);
}

/* ---- Numbers that are none, and the smallest ----------------------------- */

enum { SIDE = 9 };

static weft_gemm square(const char *format)
{
    return (weft_gemm){.size = sizeof(weft_gemm),
                       .type = WEFT_F64,
                       .m = SIDE,
                       .n = SIDE,
                       .k = SIDE,
                       .format = format};
}

static void check_not_finite(const char *format, double what)
{
    double a[2 * SIDE * SIDE], b[2 * SIDE * SIDE], c[2 * SIDE * SIDE],
        clean[2 * SIDE * SIDE];
    const weft_gemm g = square(format);
    fill_noise(WEFT_F64, a, 2 * SIDE * SIDE);
    fill_noise(WEFT_F64, b, 2 * SIDE * SIDE);
    weft_cgemm(&g, a, b, clean);
    a[2 * (3 * SIDE + 5) + 1] = what; /* row 3 */
    b[2 * (2 * SIDE + 7)] = what;     /* column 7 */
    weft_cgemm(&g, a, b, c);
    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        const bool struck = i / 2 / SIDE == 3 || i / 2 % SIDE == 7;
        CHECK(struck ? isnan(c[i]) != 0 : c[i] == clean[i],
              "%s, %g: element %d is %g", format, what, i / 2, c[i]);
    }
}

static void check_small(const char *format)
{
    double a[2 * SIDE * SIDE], b[2 * SIDE * SIDE], c[2 * SIDE * SIDE],
        same[2 * SIDE * SIDE];
    const weft_gemm g = square(format);
    fill_noise(WEFT_F64, a, 2 * SIDE * SIDE);
    fill_noise(WEFT_F64, b, 2 * SIDE * SIDE);
    for (int i = 0; i < 2 * SIDE; i++)
        a[i] = 0;
    weft_cgemm(&g, a, b, c);
    for (int i = 0; i < 2 * SIDE; i++)
        CHECK(c[i] == 0, "%s: zero row gives %g", format, c[i]);
    /* Rows near the end of the range: the same digits, another scale. */
    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        a[i] = rint(ldexp(a[i], 20));
        b[i] = rint(ldexp(b[i], 4));
    }
    weft_cgemm(&g, a, b, same);
    for (int i = 0; i < 2 * SIDE * SIDE; i++)
        a[i] = ldexp(a[i], -1074);
    weft_cgemm(&g, a, b, c);
    for (int i = 0; i < 2 * SIDE * SIDE; i++)
        CHECK(fabs(c[i] - ldexp(same[i], -1074)) <= 0x1p-1074,
              "%s: subnormal rows: %g, not %g", format, c[i],
              ldexp(same[i], -1074));
}

/* ---- Strides, signs, threads --------------------------------------------- */

/* The product by its definition from any strides, in doubles. */
static void check_strided(weft_type type, weft_layout layout, int variant)
{
    enum { M = 13, N = 37, K = 21, ROOM = 4 * 40 * 40 };
    const int64_t unit_of = layout == WEFT_SPLIT ? 1 : 2;
    const bool transposed = variant & 1, backwards = variant & 2,
               more = variant & 4;
    double x[3][2][ROOM];
    char data[3][2][ROOM * 8];
    weft_gemm g = {.size = sizeof g,
                   .type = type,
                   .layout = layout,
                   .m = M,
                   .n = N,
                   .k = K,
                   .conjugate_a = variant >> 3 & 1,
                   .conjugate_b = variant >> 4 & 1,
                   .accumulate = more,
                   .threads = 1 + variant % 3};
    g.a_row = transposed ? 2 : 40;
    g.a_column = transposed ? 30 : 1;
    g.b_row = transposed ? 1 : 39;
    g.b_column = transposed ? 23 : 1;
    g.c_row = backwards ? -40 : transposed ? 1 : 41;
    g.c_column = backwards ? -1 : transposed ? 14 : 1;
    const int64_t corner = backwards ? 40 * (M - 1) + N - 1 : 0;
    for (int o = 0; o < 3; o++)
        for (int plane = 0; plane < 2; plane++)
            for (int i = 0; i < ROOM; i++) {
                x[o][plane][i] = oracle_sample(&noise, type);
                const int64_t at = layout == WEFT_SPLIT ? i : 2 * i + plane;
                if (layout == WEFT_SPLIT)
                    put(type, data[o][plane], at, x[o][plane][i]);
                else if (i < ROOM / 2)
                    put(type, data[o][0], at, x[o][plane][i]);
            }
    const size_t base = (size_t)(corner * unit_of) * bytes_of(type);
    weft_status status =
        layout == WEFT_SPLIT
            ? weft_cgemm_split(&g, data[0][0], data[0][1], data[1][0],
                               data[1][1], data[2][0] + base,
                               data[2][1] + base)
            : weft_cgemm(&g, data[0][0], data[1][0], data[2][0] + base);
    CHECK(status == WEFT_OK, "variant %d: %s", variant, weft_error_text());
    double largest = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const int64_t at = corner + i * g.c_row + j * g.c_column;
            double re = more ? x[2][0][at] : 0, im = more ? x[2][1][at] : 0;
            for (int l = 0; l < K; l++) {
                const int64_t p = i * g.a_row + l * g.a_column,
                              q = l * g.b_row + j * g.b_column;
                const double ai = x[0][1][p] * (g.conjugate_a ? -1 : 1),
                             bi = x[1][1][q] * (g.conjugate_b ? -1 : 1);
                re += x[0][0][p] * x[1][0][q] - ai * bi;
                im += x[0][0][p] * bi + ai * x[1][0][q];
            }
            x[2][0][at] = re;
            x[2][1][at] = im;
        }
    for (int plane = 0; plane < 2; plane++)
        for (int i = 0; i < (layout == WEFT_SPLIT ? ROOM : ROOM / 2); i++) {
            const double got = layout == WEFT_SPLIT
                                   ? get(type, data[2][plane], i)
                                   : get(type, data[2][0], 2 * i + plane);
            largest = fmax(largest, fabs(got - x[2][plane][i]));
        }
    CHECK(largest <= 64 * unit(type), "type %d layout %d variant %d: off %g",
          type, layout, variant, largest);
}

static void check_threads(const char *format)
{
    enum { M = 211, N = 45, K = 70 };
    static double a[2 * M * K], b[2 * K * N], one[2 * M * N], many[2 * M * N];
    weft_gemm g = {.size = sizeof g,
                   .type = WEFT_F64,
                   .m = M,
                   .n = N,
                   .k = K,
                   .format = format};
    fill_noise(WEFT_F64, a, 2 * M * K);
    fill_noise(WEFT_F64, b, 2 * K * N);
    weft_cgemm(&g, a, b, one);
    for (int threads = 2; threads <= 5; threads++) {
        g.threads = threads;
        memset(many, 0, sizeof many);
        weft_cgemm(&g, a, b, many);
        CHECK(memcmp(one, many, sizeof one) == 0, "%s, %d threads: other bits",
              format, threads);
    }
}

/* ---- Refusals ------------------------------------------------------------ */

static void refuse(weft_gemm g, weft_status want, const char *part)
{
    double a[8] = {0}, c[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const weft_status status = weft_cgemm(&g, a, a, c);
    CHECK(status == want, "status %s: %s", weft_status_name(status),
          weft_error_text());
    CHECK(strstr(weft_error_text(), part) != NULL, "\"%s\" lacks \"%s\"",
          weft_error_text(), part);
    CHECK(c[0] == 1 && c[7] == 8, "output touched");
}

static void check_refusals(void)
{
    const weft_gemm good = {.size = sizeof good, .m = 2, .n = 2, .k = 2};
    weft_gemm g = good;
    double c[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    g.size = 7;
    refuse(g, WEFT_ERR_ARGUMENT, "size 7");
    g = good;
    g.m = -3;
    refuse(g, WEFT_ERR_ARGUMENT, "m -3");
    g = good;
    g.type = (weft_type)9;
    refuse(g, WEFT_ERR_ARGUMENT, "type 9");
    g = good;
    g.layout = WEFT_SPLIT;
    refuse(g, WEFT_ERR_ARGUMENT, "weft_cgemm_split");
    g = good;
    g.threads = -1;
    refuse(g, WEFT_ERR_ARGUMENT, "threads -1");
    g = good;
    g.a_row = g.a_column = g.b_row = g.b_column = g.c_column = 1;
    refuse(g, WEFT_ERR_ARGUMENT, "stride of c is 0");
    static const char *const wrong[] = {"bf17",    "bf16x4", "bf16s9",
                                        "int8",    "f32x2",  "",
                                        "bf16x2 ", "refined"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        g = good;
        g.format = wrong[i];
        refuse(g, WEFT_ERR_ARGUMENT, "not a format");
    }
    g = good;
    g.format = "f32";
    refuse(g, WEFT_ERR_UNSUPPORTED, "f32");
    g = good;
    g.n = INT64_MAX / 2;
    refuse(g, WEFT_ERR_OVERFLOW, "63 bits");
    g = good;
    g.a_row = INT64_MIN;
    g.a_column = g.b_row = g.b_column = g.c_row = g.c_column = 1;
    refuse(g, WEFT_ERR_OVERFLOW, "63 bits");
    CHECK(weft_cgemm(NULL, c, c, c) == WEFT_ERR_ARGUMENT, "NULL taken");
    CHECK(weft_cgemm(&good, NULL, c, c) == WEFT_ERR_ARGUMENT, "NULL taken");
    g = good;
    g.k = 0;
    CHECK(weft_cgemm(&g, NULL, NULL, c) == WEFT_OK && c[0] == 0 && c[7] == 0,
          "k = 0 is not zero");
    g.k = 2;
    g.m = 0;
    CHECK(weft_cgemm(&g, NULL, NULL, NULL) == WEFT_OK, "m = 0 refused");
}

/* ---- Larger -------------------------------------------------------------- */

static void check_large(weft_type type, int64_t m, int64_t n, int64_t k)
{
    const size_t count = (size_t)(m * n), each = 2 * bytes_of(type);
    char *a = malloc((size_t)(m * k) * each);
    char *b = malloc((size_t)(k * n) * each), *c = malloc(count * each);
    quad *want = malloc(2 * count * sizeof *want);
    double *size = malloc(count * 8);
    fill_noise(type, a, 2 * m * k);
    fill_noise(type, b, 2 * k * n);
    product(type, a, b, m, n, k, want, size);
    const weft_gemm g = {
        .size = sizeof g, .type = type, .m = m, .n = n, .k = k};
    weft_cgemm(&g, a, b, c);
    const double e = worst(type, c, want, size, m * n);
    CHECK(e <= 130 * unit(type), "type %d, %lld x %lld x %lld: error %.3g",
          type, (long long)m, (long long)n, (long long)k, e);
    free(a);
    free(b);
    free(c);
    free(want);
    free(size);
}

int main(int count, char **argument)
{
    const int64_t most = count == 3 && strcmp(argument[1], "--to") == 0
                             ? atoi(argument[2])
                             : 40;
    for (int type = 0; type < 2; type++) {
        check_all_sizes((weft_type)type, most);
        check_large((weft_type)type, 101, 67, 203);
        check_large((weft_type)type, 3, 5, 5000);
        for (int variant = 0; variant < 32; variant++) {
            check_strided((weft_type)type, WEFT_INTERLEAVED, variant);
            check_strided((weft_type)type, WEFT_SPLIT, variant);
        }
    }
    check_formats();
    check_exact_sums();
    static const char *const some[] = {"bf16",   "fp16x2", "bf16x3",
                                       "bf16s4", "int8s4", "fp16s3"};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        check_not_finite(some[i], NAN);
        check_not_finite(some[i], INFINITY);
        check_not_finite(some[i], -INFINITY);
        check_small(some[i]);
        check_threads(some[i]);
    }
    check_threads("f64");
    check_refusals();
    return check_report("matrix_test");
}
