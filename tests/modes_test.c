/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modes_test.c - transforms as matrix products: each precision's figures at
 * the lengths they are promised for, and its plan's bound at every length,
 * layout and sign; real kinds with the bits of complex ones; slices with the
 * same bits for any batch, place, number of
 * threads and instruction set; vectors that are not finite; plans that are
 * forced; trees of another precision.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "oracle.h"
#include <weft/weft.h>

static noise_state noise = {5};

static double get(weft_type type, const void *p, int64_t i)
{
    return type == WEFT_F64 ? ((const double *)p)[i]
                            : (double)((const float *)p)[i];
}

static void put(weft_type type, void *p, int64_t i, double x)
{
    if (type == WEFT_F64)
        ((double *)p)[i] = x;
    else
        ((float *)p)[i] = (float)x;
}

static weft_plan *plan_of(const char *text, const char *rule, const char *tree,
                          weft_problem *problem)
{
    weft_plan *plan = NULL;
    const weft_plan_options options = {.size = sizeof options,
                                       .ignore_wisdom = 1,
                                       .rule = rule,
                                       .tree = tree};
    weft_status status = weft_problem_parse(text, problem);
    if (status == WEFT_OK)
        status = weft_plan_create(problem, &options, &plan);
    CHECK(status == WEFT_OK, "%s: %s", text, weft_error_text());
    return plan;
}

/* ---- Errors -------------------------------------------------------------- */

/* Noise of many small numbers, like the normal distribution. */
static double sample(void)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += oracle_sample(&noise, WEFT_F64);
    return sum;
}

/* Relative L2 error of the packed transforms of a problem of rank 1 or 2,
 * interleaved, over the whole batch; the worst of its vectors in *worst. */
static double error_of(const char *text, const char *rule, const char *tree,
                       double *bound, double *worst)
{
    weft_problem p;
    weft_plan *plan = plan_of(text, rule, tree, &p);
    if (plan == NULL)
        return INFINITY;
    int64_t n = 1, dims[2] = {1, 1};
    for (int i = 0; i < p.rank; i++)
        n *= dims[i] = p.dims[i].n;
    const int64_t batch = p.batch_rank == 0 ? 1 : p.batch[0].n;
    const size_t count = (size_t)(2 * n * batch);
    double *in = malloc(count * 8), *hi = malloc((size_t)(2 * n) * 8),
           *lo = malloc((size_t)(2 * n) * 8), *got = malloc((size_t)n * 16);
    void *x = malloc(count * 8), *y = malloc(count * 8);
    for (size_t i = 0; i < count; i++) {
        put(p.type, x, (int64_t)i, sample());
        in[i] = get(p.type, x, (int64_t)i);
    }
    void *out = p.place == WEFT_IN_PLACE ? x : y;
    weft_execute(plan, x, out);
    weft_plan_error(plan, bound, NULL);
    double square = 0;
    *worst = 0;
    for (int64_t b = 0; b < batch; b++) {
        oracle_transform(WEFT_F64, p.sign == WEFT_INVERSE, p.rank, dims,
                         in + 2 * n * b, hi, lo);
        for (int64_t i = 0; i < 2 * n; i++)
            got[i] = get(p.type, out, 2 * n * b + i);
        const double e = oracle_compare(n, got, hi, lo, oracle_scale(&p)).l2;
        square += e * e;
        *worst = e > *worst ? e : *worst;
    }
    free(in);
    free(hi);
    free(lo);
    free(got);
    free(x);
    free(y);
    weft_plan_release(plan);
    return sqrt(square / (double)batch);
}

/* The figures that are promised by name. */
static void check_figures(void)
{
    static const struct {
        const char *problem, *tree;
        double bar;
    } figures[] = {
        {"c2c:f32:256*6:precision=bf16", NULL, 3e-3},
        {"c2c:f32:256*6:precision=fp16", NULL, 4e-4},
        {"c2c:f32:256*6:precision=split2",
         "(rank (rows 0 (matrix 256 bf16x2 256)))", 4e-6},
        {"c2c:f32:256*6:precision=split3",
         "(rank (rows 0 (matrix 256 bf16x3 256)))", 2e-7},
        {"c2c:f32:256*6:precision=fp16x2",
         "(rank (rows 0 (matrix 256 fp16x2 256)))", 4.5e-7},
        {"c2c:f32:256*6:precision=fp16x2",
         "(rank (rows 0 (matrix 256 tf32x2 256)))", 4.5e-7},
        {"c2c:f32:256*6:precision=split3", NULL, 2e-7},
        {"c2c:f32:256*6:precision=fp16x2", NULL, 4.5e-7},
        {"c2c:f32:256*6:precision=refined", NULL, 2e-7},
        {"c2c:f64:64*6:precision=slices4", NULL, 1e-10},
        {"c2c:f64:256*6:precision=slices4", NULL, 1e-10},
        {"c2c:f64:512*6:precision=slices4",
         "(rank (rows 0 (matrix 512 bf16s4 512)))", 1e-10},
        {"c2c:f64:16*6:precision=slices6", NULL, 3e-16},
        {"c2c:f64:64*6:precision=slices6",
         "(rank (rows 0 (matrix 64 bf16s6 64)))", 4e-16},
        {"c2c:f64:256*6:precision=slices6",
         "(rank (rows 0 (matrix 256 bf16s6 256)))", 5e-16},
        {"c2c:f64:512*6:precision=slices6",
         "(rank (rows 0 (matrix 512 bf16s6 512)))", 5e-16},
        {"c2c:f32:256*6", "(rank (rows 0 (matrix 256 f32 256)))", 4e-7},
        {"c2c:f32:256*6", "(rank (rows 0 (matrix 256 f32 16.16)))", 4e-7},
        {"c2c:f32:512*6", "(rank (rows 0 (matrix 512 f32 16.8.4)))", 4e-7},
        {"c2c:f32:4096*2", "(rank (rows 0 (matrix 4096 f32 8.8.8.8)))", 4e-7},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        double bound, worst;
        const double e = error_of(figures[i].problem, NULL, figures[i].tree,
                                  &bound, &worst);
        CHECK(e <= figures[i].bar, "%s %s: error %.3g, promised %.3g",
              figures[i].problem, figures[i].tree ? figures[i].tree : "", e,
              figures[i].bar);
    }
}

static const char *const modes[] = {"bf16",    "fp16",    "split2",  "split3",
                                    "fp16x2",  "refined", "slices2", "slices4",
                                    "slices6", "slices8"};
enum { MODES = sizeof modes / sizeof modes[0] };

static void check_bound(const char *problem, const char *rule)
{
    double bound, worst;
    error_of(problem, rule, NULL, &bound, &worst);
    CHECK(worst <= bound, "%s: error %.3g, bound %.3g", problem, worst, bound);
}

static void check_bounds(void)
{
    static const int lengths[] = {2,   3,    4,    5,    7,    8,   13,
                                  16,  31,   45,   101,  128,  210, 243,
                                  509, 1000, 1024, 1031, 2048, 4099};
    char text[128];
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
        for (int m = 0; m < MODES; m++)
            for (int type = 0; type < 2; type++) {
                const char *option = (l + (size_t)m) % 3 == 0   ? ":inverse"
                                     : (l + (size_t)m) % 3 == 1 ? ":inplace"
                                                                : "";
                snprintf(text, sizeof text, "c2c:%s:%d%s%s:precision=%s",
                         type == 0 ? "f64" : "f32", lengths[l],
                         lengths[l] < 600 ? "*3" : "", option, modes[m]);
                check_bound(text, NULL);
            }
    for (int n = 2; n <= 70; n++)
        for (int type = 0; type < 2; type++) {
            snprintf(text, sizeof text, "c2c:%s:%d*2%s",
                     type == 0 ? "f64" : "f32", n, n % 2 ? ":inverse" : "");
            check_bound(text, "matrix");
        }
    for (int m = 0; m < MODES; m++) {
        snprintf(text, sizeof text, "c2c:f64:12x35:precision=%s", modes[m]);
        check_bound(text, NULL);
        snprintf(text, sizeof text,
                 "c2c:f32:40*5:inverse:norm=ortho:precision=%s", modes[m]);
        check_bound(text, NULL);
    }
}

/* ---- Layouts: the bits of the packed transform --------------------------- */

enum { ROOM = 1 << 13 };

/* Element e of transform b in the problem's input or output. */
static int64_t place(const weft_problem *p, bool out, int64_t b, int64_t e)
{
    return b * (out ? p->batch[0].os : p->batch[0].is) +
           e * (out ? p->dims[0].os : p->dims[0].is);
}

static void check_layout(const char *mode, const char *shape,
                         const char *options)
{
    static double in[2][ROOM], out[2][ROOM], packed[2 * ROOM], want[2 * ROOM];
    char text[160];
    weft_problem p, q;
    snprintf(text, sizeof text, "c2c:f64:%s%s:precision=%s", shape, options,
             mode);
    weft_plan *plan = plan_of(text, NULL, NULL, &p);
    const int64_t n = p.dims[0].n, batch = p.batch[0].n;
    snprintf(text, sizeof text, "c2c:f64:%d*%d:precision=%s", (int)n,
             (int)batch, mode);
    weft_plan *plain = plan_of(text, NULL, NULL, &q);
    if (plan == NULL || plain == NULL)
        return;
    const bool split = p.layout == WEFT_SPLIT, same = p.place == WEFT_IN_PLACE;
    double *base = in[0];
    for (int64_t b = 0; b < batch; b++)
        for (int64_t e = 0; e < n; e++)
            for (int plane = 0; plane < 2; plane++) {
                const int64_t at = place(&p, false, b, e);
                const double x = sample();
                packed[2 * (b * n + e) + plane] = x;
                if (split)
                    in[plane][at] = x;
                else
                    base[2 * at + plane] = x;
            }
    weft_execute(plain, packed, want);
    double *to[2] = {same ? in[0] : out[0], same ? in[1] : out[1]};
    weft_status status = split ? weft_execute_split(plan, in[0], in[1], to[0],
                                                    to[1])
                               : weft_execute(plan, in[0], to[0]);
    bool equal = status == WEFT_OK;
    for (int64_t b = 0; b < batch; b++)
        for (int64_t e = 0; e < n; e++)
            for (int plane = 0; plane < 2; plane++) {
                const int64_t at = place(&p, true, b, e);
                equal &= want[2 * (b * n + e) + plane] ==
                         (split ? to[plane][at] : to[0][2 * at + plane]);
            }
    CHECK(equal, "c2c:f64:%s%s:precision=%s: not the bits of the packed one",
          shape, options, mode);
    weft_plan_release(plan);
    weft_plan_release(plain);
}

static void check_layouts(void)
{
    for (int m = 0; m < MODES; m++) {
        check_layout(modes[m], "45/1/1*7/45/45", ":split");
        check_layout(modes[m], "32/9/1*5/1/40", "");
        check_layout(modes[m], "30/1/5*5/30/1", ":threads=2");
        check_layout(modes[m], "24/3/3*3/1/1", ":inplace");
        check_layout(modes[m], "24/6/2*3/1/50", ":split:threads=3");
    }
}

/* ---- Real kinds: the bits of complex transforms --------------------------- */

/* Of n reals, both ways, `count` of them, in threads. */
static void check_real(const char *mode, int n, int count, int threads)
{
    enum { MOST = 1 << 12 };
    static double x[MOST], in[2 * MOST], want[2 * MOST], got[2 * MOST];
    char text[128];
    weft_problem p;
    const int half = n / 2 + 1;
    snprintf(text, sizeof text, "c2c:f64:%d*%d:precision=%s", n, count, mode);
    weft_plan *all = plan_of(text, NULL, NULL, &p);
    snprintf(text, sizeof text, "r2c:f64:%d*%d:threads=%d:precision=%s", n,
             count, threads, mode);
    weft_plan *real = plan_of(text, NULL, NULL, &p);
    memset(in, 0, sizeof in);
    for (int i = 0; i < n * count; i++)
        in[2 * i] = x[i] = sample();
    weft_execute(all, in, want);
    weft_execute(real, x, got);
    weft_plan_release(real);
    weft_plan_release(all);
    bool same = true;
    for (int b = 0; b < count; b++)
        for (int i = 0; i < 2 * half; i++) /* what is 0 may be -0 or noise */
            same &= got[2 * half * b + i] == want[2 * n * b + i] || i == 1 ||
                    (n % 2 == 0 && i == n + 1);
    CHECK(same, "%s: not the bits of c2c", text);
    for (int b = 0; b < count; b++)
        for (int k = 0; k < n; k++) {
            const int at = 2 * k > n ? n - k : k;
            const double *from = got + 2 * (half * b + at);
            double *to = in + 2 * (n * b + k);
            to[0] = from[0];
            to[1] = k == 0 || 2 * k == n ? 0 : 2 * k > n ? -from[1] : from[1];
        }
    snprintf(text, sizeof text, "c2c:f64:%d*%d:inverse:precision=%s", n, count,
             mode);
    all = plan_of(text, NULL, NULL, &p);
    snprintf(text, sizeof text, "c2r:f64:%d*%d:threads=%d:precision=%s", n,
             count, threads, mode);
    real = plan_of(text, NULL, NULL, &p);
    weft_execute(all, in, want);
    weft_execute(real, got, x);
    weft_plan_release(real);
    weft_plan_release(all);
    for (int i = 0; i < n * count; i++)
        same &= x[i] == want[2 * i];
    CHECK(same, "%s: not the bits of c2c", text);
}

static void check_reals(void)
{
    for (int m = 0; m < MODES; m++) {
        check_real(modes[m], 48, 1, 1);
        check_real(modes[m], 45, 70, 3);
        check_real(modes[m], 1031, 1, 2);
    }
    check_real("compensated", 48, 9, 1);
    check_real("compensated", 31, 50, 2);
}

/* ---- The same bits ------------------------------------------------------- */

static uint64_t hash_bytes(const void *p, size_t bytes)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)p)[i]) * 1099511628211u;
    return h;
}

/* Slices give these bits on every instruction set, with or without matrix
 * hardware, and for any number of vectors and threads. */
static void check_bits(const char *mode, int n, const char *tree,
                       uint64_t hash)
{
    enum { MOST = 40 };
    double *in = malloc((size_t)n * MOST * 16),
           *out = malloc((size_t)n * MOST * 16), *one = malloc((size_t)n * 16);
    char text[128];
    noise.state = 77; /* the data of the hash */
    for (int i = 0; i < 2 * n * MOST; i++)
        in[i] = sample();
    weft_problem p;
    for (int batch = 1; batch <= MOST; batch += 13)
        for (int threads = 1; threads <= 3; threads++) {
            snprintf(text, sizeof text,
                     "c2c:f64:%d*%d:threads=%d:precision=%s", n, batch,
                     threads, mode);
            weft_plan *plan = plan_of(text, NULL, tree, &p);
            if (plan == NULL)
                continue;
            weft_execute(plan, in, out);
            weft_plan_release(plan);
            if (batch == 1 && threads == 1)
                memcpy(one, out, (size_t)n * 16);
            CHECK(memcmp(one, out, (size_t)n * 16) == 0, "%s: other bits",
                  text);
        }
    CHECK(hash_bytes(one, (size_t)n * 16) == hash,
          "%s of %d: bits %016llx, on other machines %016llx", mode, n,
          (unsigned long long)hash_bytes(one, (size_t)n * 16),
          (unsigned long long)hash);
    free(in);
    free(out);
    free(one);
}

static void check_same_bits(void)
{
    check_bits("slices3", 37, "(rank (rows 0 (matrix 37 bf16s3 37)))",
               0x7a1e3669e052b41d);
    check_bits("slices6", 256, "(rank (rows 0 (matrix 256 bf16s6 16.16)))",
               0x7446e2015381b0e1);
    check_bits("slices4", 1000, "(rank (rows 0 (matrix 1000 int8s4 50.20)))",
               0xca92c43aa3cadc8a);
    check_bits("slices5", 96, "(rank (rows 0 (matrix 96 fp16s5 12.8)))",
               0x6f4a9684eaa9cd8b);
    check_bits("slices4", 512, NULL, 0x1abc6c3cdd6b3c13); /* its own plan */
}

/* ---- What is not finite stays in its vector ------------------------------ */

static void check_contained(const char *mode, double what)
{
    enum { N = 60, BATCH = 9, STRUCK = 4 };
    double in[2 * N * BATCH], out[2 * N * BATCH], clean[2 * N * BATCH];
    char text[64];
    weft_problem p;
    snprintf(text, sizeof text, "c2c:f64:%d*%d:precision=%s", N, BATCH, mode);
    weft_plan *plan = plan_of(text, NULL, NULL, &p);
    if (plan == NULL)
        return;
    for (int i = 0; i < 2 * N * BATCH; i++)
        in[i] = i < 2 * N ? 0 : sample();
    for (int i = 2 * N; i < 4 * N; i++) /* as small as it gets */
        in[i] = ldexp(in[i], -1070);
    weft_execute(plan, in, clean);
    in[2 * (STRUCK * N + 7) + 1] = what;
    weft_execute(plan, in, out);
    weft_plan_release(plan);
    bool zeros = true, same = true, struck = true;
    for (int i = 0; i < 2 * N * BATCH; i++) {
        zeros &= i >= 2 * N || out[i] == 0;
        if (i / (2 * N) == STRUCK)
            struck &= isnan(out[i]) != 0;
        else
            same &= out[i] == clean[i];
    }
    CHECK(zeros && same && struck,
          "%s, %g: zeros %d, others the same %d, "
          "vector NaN %d",
          text, what, zeros, same, struck);
}

/* ---- Trees --------------------------------------------------------------- */

static void check_trees(void)
{
    static const struct {
        const char *problem, *tree;
        weft_status status;
    } cases[] = {
        {"c2c:f64:64", "(rank (rows 0 (matrix 64 f64 8.8)))", WEFT_OK},
        {"c2c:f32:64:split", "(rank (rows 0 (matrix 64 f64 64)))", WEFT_OK},
        {"c2c:f32:64", "(rank (rows 0 (matrix 64 f32 4.4.4)))", WEFT_OK},
        {"c2c:f32:64:precision=fp16", "(rank (rows 0 (matrix 64 tf32 64)))",
         WEFT_OK},
        {"c2c:f64:64:precision=slices3",
         "(rank (rows 0 (matrix 64 int8s3 64)))", WEFT_OK},
        {"c2c:f64:61", "(rank (rows 0 (matrix 61 f64 m128 16.8)))", WEFT_OK},
        {"r2c:f64:64:precision=slices3",
         "(whole (rank (rows 0 (matrix 64 bf16s3 64))))", WEFT_OK},
        {"redft10:f64:16:precision=slices3",
         "(whole (rank (rows 0 (matrix 64 bf16s3 64))))", WEFT_OK},
        {"c2r:f64:64:precision=compensated",
         "(whole (pairs (passes 0 64 4.4.4)))", WEFT_OK},
        /* another length, no complex vectors, another form */
        {"r2c:f64:64:precision=slices3",
         "(whole (rank (rows 0 (matrix 33 bf16s3 33))))", WEFT_ERR_ARGUMENT},
        {"r2c:f64:64:precision=slices3",
         "(whole (whole (rank (rows 0 (matrix 64 bf16s3 64)))))",
         WEFT_ERR_PARSE},
        {"r2c:f64:16", "(whole (rank (rows 0 (leaf 16))))", WEFT_ERR_ARGUMENT},
        {"r2c:f64:64:precision=slices3",
         "(rank (rows 0 (matrix 64 bf16s3 64)))", WEFT_ERR_ARGUMENT},
        /* another precision */
        {"c2c:f64:64", "(rank (rows 0 (matrix 64 bf16 64)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16:precision=bf16", "(rank (rows 0 (leaf 16)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:64:precision=slices4",
         "(rank (rows 0 (matrix 64 bf16s3 64)))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:64:precision=split3",
         "(rank (rows 0 (matrix 64 bf16x2 64)))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:64", "(rank (rows 0 (matrix 64 f32 64)))",
         WEFT_ERR_UNSUPPORTED},
        /* not trees */
        {"c2c:f64:64", "(rank (rows 0 (matrix 64 f64 8.4)))", WEFT_ERR_PARSE},
        {"c2c:f64:64", "(rank (rows 0 (matrix 64 f64 8+8)))", WEFT_ERR_PARSE},
        {"c2c:f64:64", "(rank (rows 0 (matrix 64 f17 8.8)))", WEFT_ERR_PARSE},
        {"c2c:f64:64", "(rank (rows 0 (matrix 64 bf16x9 64)))",
         WEFT_ERR_PARSE},
        {"c2c:f64:61", "(rank (rows 0 (matrix 61 f64 m120 12.10)))",
         WEFT_ERR_PARSE},
        {"c2c:f64:64", "(rank (buffered 0 (matrix 64 f64 64)))",
         WEFT_ERR_PARSE},
        {"c2c:f64:64",
         "(rank (rows 0 (good 64x3 (matrix 64 f64 64) (leaf "
         "3))))",
         WEFT_ERR_PARSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weft_problem p;
        weft_plan *plan = NULL;
        const weft_plan_options options = {.size = sizeof options,
                                           .tree = cases[i].tree};
        weft_problem_parse(cases[i].problem, &p);
        const weft_status status = weft_plan_create(&p, &options, &plan);
        CHECK(status == cases[i].status, "%s %s: %s: %s", cases[i].problem,
              cases[i].tree, weft_status_name(status), weft_error_text());
        char text[256] = "";
        if (plan != NULL)
            weft_plan_text(plan, text, sizeof text, NULL);
        CHECK(status != WEFT_OK || strcmp(text, cases[i].tree) == 0,
              "%s printed as %s", cases[i].tree, text);
        weft_plan_release(plan);
    }
}

int main(void)
{
    check_figures();
    check_bounds();
    check_layouts();
    check_reals();
    check_same_bits();
    for (int m = 0; m < MODES; m++) {
        check_contained(modes[m], NAN);
        check_contained(modes[m], -INFINITY);
    }
    check_trees();
    return check_report("modes_test");
}
