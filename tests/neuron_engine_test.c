/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neuron_engine_test.c - problems with engine=neuron give what the CPU engine
 * gives, within the error the plan states; what the engine lacks it refuses;
 * its figures and its timetable are those of the plan.
 */
#include "check.h"
#include "oracle.h"
#include "random.h"

#include <math.h>
#include <string.h>
#include <weft/weft.h>

static weft_problem parse(const char *text)
{
    weft_problem p;
    memset(&p, 0, sizeof p);
    CHECK(weft_problem_parse(text, &p) == WEFT_OK, "%s: %s", text,
          weft_error_text());
    return p;
}

/* Input and output arrays, and where element 0 is in each plane. */
typedef struct arrays {
    size_t in_room, out_room;
    float *in, *out;
    const float *in_re, *in_im;
    float *out_re, *out_im;
} arrays;

static arrays make_arrays(const weft_problem *p, uint64_t seed)
{
    weft_extent e;
    arrays a = {0};
    weft_problem_extent(p, &e);
    noise_state noise = {seed};
    size_t in_n = (size_t)(e.in_high - e.in_low + 1);
    size_t out_n = (size_t)(e.out_high - e.out_low + 1);
    if (p->place == WEFT_IN_PLACE)
        in_n = out_n = in_n > out_n ? in_n : out_n;
    a.in_room = 2 * in_n;
    a.out_room = 2 * out_n;
    a.in = malloc(a.in_room * sizeof(float));
    a.out = malloc(a.out_room * sizeof(float));
    for (size_t i = 0; i < a.in_room; i++)
        a.in[i] = (float)oracle_sample(&noise, WEFT_F32);
    for (size_t i = 0; i < a.out_room; i++)
        a.out[i] = 77;
    if (p->place == WEFT_IN_PLACE) {
        memcpy(a.out, a.in, a.in_room * sizeof(float));
        free(a.in);
        a.in = a.out;
    }
    bool split = p->layout == WEFT_SPLIT;
    a.in_re = a.in - (split || p->kind == WEFT_R2C ? 1 : 2) * e.in_low;
    a.in_im = a.in_re + (split ? (ptrdiff_t)in_n : 1);
    a.out_re = a.out - (split || p->kind == WEFT_C2R ? 1 : 2) * e.out_low;
    a.out_im = a.out_re + (split ? (ptrdiff_t)out_n : 1);
    return a;
}

static void free_arrays(arrays *a)
{
    if (a->in != a->out)
        free(a->in);
    free(a->out);
}

static weft_status run(const weft_problem *p, const weft_plan *plan,
                       const arrays *a)
{
    return p->layout == WEFT_SPLIT
               ? weft_execute_split(plan, a->in_re,
                                    p->kind == WEFT_R2C ? NULL : a->in_im,
                                    a->out_re,
                                    p->kind == WEFT_C2R ? NULL : a->out_im)
               : weft_execute(plan, a->in_re, a->out_re);
}

/* The CPU engine computes in double, from the same samples. */
static double distance(const weft_problem *p, const arrays *got,
                       const arrays *same_in)
{
    weft_problem exact = *p;
    weft_plan *plan = NULL;
    double error = HUGE_VAL;
    exact.type = WEFT_F64;
    exact.engine = WEFT_ENGINE_CPU;
    exact.precision = WEFT_PRECISION_FAST;
    exact.slices = 0;
    exact.target_error = 0;
    double *in = malloc(same_in->in_room * sizeof *in);
    double *out = malloc(same_in->out_room * sizeof *out);
    for (size_t i = 0; i < same_in->in_room; i++)
        in[i] = (double)same_in->in[i];
    for (size_t i = 0; i < same_in->out_room; i++)
        out[i] = 77;
    bool in_place = p->place == WEFT_IN_PLACE;
    if (in_place)
        memcpy(out, in, same_in->in_room * sizeof *in);
    double *from = (in_place ? out : in) + (same_in->in_re - same_in->in);
    double *to = out + (same_in->out_re - same_in->out);
    ptrdiff_t im_in = same_in->in_im - same_in->in_re;
    ptrdiff_t im_out = same_in->out_im - same_in->out_re;
    if (weft_plan_create(&exact, NULL, &plan) == WEFT_OK &&
        (p->layout == WEFT_SPLIT
             ? weft_execute_split(plan, from,
                                  p->kind == WEFT_R2C ? NULL : from + im_in,
                                  to, p->kind == WEFT_C2R ? NULL : to + im_out)
             : weft_execute(plan, from, to)) == WEFT_OK) {
        double difference = 0, size = 0;
        /* In place, what pads rows of reals may end as anything. */
        size_t n = p->rank > 0 ? (size_t)p->dims[p->rank - 1].n : 1;
        bool padded = in_place && p->kind == WEFT_C2R;
        for (size_t i = 0; i < same_in->out_room; i++) {
            if (padded && i % (2 * (n / 2 + 1)) >= n)
                continue;
            double d = (double)got->out[i] - out[i];
            difference += d * d;
            size += out[i] == 77 ? 0 : out[i] * out[i];
        }
        error = sqrt(difference / size);
    }
    weft_plan_release(plan);
    free(in);
    free(out);
    return error;
}

/* Elements that belong to no sample stay 77 on both sides, so that a write
 * beyond the problem shows as an error. */
static void test_problem(const char *text, const char *rule, const char *tree)
{
    weft_problem p = parse(text);
    weft_plan_options options = {.size = sizeof options,
                                 .rule = rule,
                                 .tree = tree};
    weft_plan *plan = NULL;
    weft_plan_info info = {.size = sizeof info};
    const char *how = rule ? rule : tree ? tree : "";
    if (!CHECK(weft_plan_create(&p, &options, &plan) == WEFT_OK, "%s %s: %s",
               text, how, weft_error_text()))
        return;
    arrays a = make_arrays(&p, 7), b = make_arrays(&p, 7);
    CHECK(run(&p, plan, &a) == WEFT_OK, "%s: %s", text, weft_error_text());
    double error = distance(&p, &a, &b);
    weft_plan_get_info(plan, &info);
    CHECK(error <= info.error_bound, "%s %s: error %.3g, bound %.3g", text,
          how, error, info.error_bound);
    /* A law that says ten times too much is no law. */
    int64_t n = p.rank == 1 ? p.dims[0].n : 0;
    CHECK(n < 16 || error * 10 >= info.error_expected,
          "%s %s: error %.3g, expected %.3g", text, how, error,
          info.error_expected);
    double calls = 0, kernels = 0, device = 0, time = 0;
    CHECK(weft_plan_figure(plan, "calls", &calls) == WEFT_OK && calls >= 1 &&
              weft_plan_figure(plan, "kernels", &kernels) == WEFT_OK &&
              kernels >= 1 &&
              weft_plan_figure(plan, "device_ns", &device) == WEFT_OK &&
              weft_plan_figure(plan, "time_ns", &time) == WEFT_OK &&
              time > device && device > 0,
          "%s: %g calls, %g kernels, %g ns of %g", text, calls, kernels,
          device, time);
    CHECK(p.rank != 1 || p.dims[0].n < 2 || p.norm ||
              fabs(time - info.cost) < 1e-6 * time,
          "%s %s: cost %g, time %g", text, how, info.cost, time);
    weft_plan_release(plan);
    free_arrays(&a);
    free_arrays(&b);
}

/* ---- What it computes --------------------------------------------------- */

static void test_problems(void)
{
    static const char *const list[] = {
        "c2c:f32:1:engine=neuron",
        "c2c:f32:2:engine=neuron",
        "c2c:f32:3*5:engine=neuron",
        "c2c:f32:64*300:engine=neuron",
        "c2c:f32:64*130:inverse:norm=backward:engine=neuron",
        "c2c:f32:97*9:split:engine=neuron",
        "c2c:f32:128*32:engine=neuron",
        "c2c:f32:131:inplace:engine=neuron",
        "c2c:f32:256*32:engine=neuron-trn2",
        "c2c:f32:1021*2:engine=neuron",
        "c2c:f32:1024*3:engine=neuron",
        "c2c:f32:4096:norm=ortho:engine=neuron",
        "c2c:f32:12000:inverse:engine=neuron",
        "c2c:f32:30x20*3:norm=ortho:engine=neuron",
        "c2c:f32:20x6x130:inverse:engine=neuron",
        "c2c:f32:8/2/1x4/16/8*3/64/32:engine=neuron",
        "c2c:f32:37/3/-2*5/120/-90:norm=0.25:engine=neuron",
        "c2c:f32:32/1/32x32/32/1:inplace:engine=neuron",
        "c2c:f32:-*11:norm=3:engine=neuron",
        /* Two factors with a prime that no pass has, and convolutions. */
        "c2c:f32:2053:engine=neuron",
        "c2c:f32:4084*3:engine=neuron",
        "c2c:f32:4757*70:inverse:norm=ortho:engine=neuron",
        "c2c:f32:10007:engine=neuron",
        "c2c:f32:5003*2:inverse:norm=backward:engine=neuron-trn2",
        "c2c:f32:4099x3:engine=neuron",
        "c2c:f32:65536:engine=neuron",
        "c2c:f32:94208:engine=neuron",
        /* Reals, as complex numbers. */
        "r2c:f32:1:engine=neuron",
        "r2c:f32:2*3:engine=neuron",
        "r2c:f32:64*9:engine=neuron",
        "r2c:f32:45*7:norm=ortho:engine=neuron",
        "r2c:f32:30x20*2:engine=neuron",
        "r2c:f32:4084:engine=neuron",
        "r2c:f32:24x18:inplace:engine=neuron",
        "r2c:f32:50:split:engine=neuron",
        "c2r:f32:2:engine=neuron",
        "c2r:f32:64*9:norm=backward:engine=neuron",
        "c2r:f32:45*7:engine=neuron",
        "c2r:f32:30x20*2:engine=neuron",
        "c2r:f32:12x9x8:norm=ortho:engine=neuron",
        "c2r:f32:24x18:inplace:engine=neuron",
        "c2r:f32:50:split:engine=neuron",
        /* Frames of a spectrogram: apart, overlapping, of reals. */
        "c2c:f32:400*100:engine=neuron",
        "c2c:f32:128/1/1*300/32/128:engine=neuron",
        "r2c:f32:256/1/1*150/64/129:engine=neuron",
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        test_problem(list[i], NULL, NULL);
    static const char *const rules[] = {"stages",  "radix8",   "radix4",
                                        "mixed",   "radix2",   "leaf",
                                        "sixstep", "bluestein"};
    static const struct {
        const char *problem;
        unsigned rules; /* bits */
    } ways[] = {{"c2c:f32:64:engine=neuron", 1 | 2 | 4 | 16 | 32},
                {"c2c:f32:64*5:inverse:engine=neuron", 1 | 2 | 4 | 16 | 32},
                {"c2c:f32:512*33:engine=neuron", 1 | 2},
                {"c2c:f32:256*130:inverse:norm=ortho:engine=neuron",
                 1 | 4 | 8 | 32},
                {"c2c:f32:1024*7:engine=neuron", 1 | 4 | 8 | 16},
                {"c2c:f32:4096:engine=neuron", 1 | 2 | 4},
                {"c2c:f32:2048:inverse:engine=neuron", 1 | 8},
                {"c2c:f32:384*3:engine=neuron", 64 | 128},
                {"c2c:f32:100*70:inverse:norm=ortho:engine=neuron", 64 | 128}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (unsigned r = 0; r < sizeof rules / sizeof *rules; r++)
            if (ways[i].rules >> r & 1)
                test_problem(ways[i].problem, rules[r], NULL);
}

static void test_modes(void)
{
    static const char *const mode[] = {"bf16",   "fp16",       "fp16x2",
                                       "split2", "split3",     "refined",
                                       "double", "compensated"};
    static const char *const shape[] = {"64*9",    "100",   "256*130",
                                        "7*3",     "600*2", "1000:inverse",
                                        "24x18*2", "4096",  "128*5:norm=ortho",
                                        "4084",    "4099"};
    for (size_t i = 0; i < sizeof mode / sizeof *mode; i++)
        for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
            char text[120];
            snprintf(text, sizeof text,
                     "c2c:f32:%s:engine=neuron:precision=%s", shape[k],
                     mode[i]);
            test_problem(text, NULL, NULL);
        }
    for (size_t i = 0; i < sizeof mode / sizeof *mode; i++)
        for (int back = 0; back < 2; back++) {
            char text[120];
            snprintf(text, sizeof text,
                     "%s:f32:18x40:norm=ortho:engine=neuron:precision=%s",
                     back ? "c2r" : "r2c", mode[i]);
            test_problem(text, NULL, NULL);
        }
}

/* The cheapest mode that keeps a target, by the plan's own bound. */
static void test_targets(void)
{
    static const double target[] = {1e-2, 1e-3, 1e-5, 5e-7, 2.4e-7};
    double last = 0;
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        char text[120];
        snprintf(text, sizeof text, "c2c:f32:256*64:engine=neuron:target=%g",
                 target[i]);
        weft_problem p = parse(text);
        weft_plan_info info = {.size = sizeof info};
        weft_plan *plan = NULL;
        if (!CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK, "%s: %s",
                   text, weft_error_text()))
            continue;
        weft_plan_get_info(plan, &info);
        CHECK(info.error_bound <= target[i] && info.cost >= last,
              "%s: bound %g, cost %g after %g", text, info.error_bound,
              info.cost, last);
        last = info.cost;
        weft_plan_release(plan);
        test_problem(text, NULL, NULL);
    }
}

/* bf16 whose products, or sums, the engine rounds is another engine. */
static void test_products(void)
{
    static const char *const engine[] = {"neuron", "neuron-product",
                                         "neuron-output"};
    float in[128], out[3][128];
    for (int i = 0; i < 128; i++)
        in[i] = (float)cos(i * i);
    for (int e = 0; e < 3; e++) {
        char text[120];
        snprintf(text, sizeof text, "c2c:f32:64:engine=%s:precision=split2",
                 engine[e]);
        weft_problem p = parse(text);
        weft_plan *plan = NULL;
        CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
                  weft_execute(plan, in, out[e]) == WEFT_OK,
              "%s: %s", text, weft_error_text());
        weft_plan_release(plan);
    }
    for (int e = 0; e < 3; e++)
        CHECK(memcmp(out[e], out[(e + 1) % 3], sizeof in) != 0, "%s is %s",
              engine[e], engine[(e + 1) % 3]);
}

/* Such an engine knows that its errors are larger. */
static void test_product_errors(void)
{
    static const char *const engine[] = {"neuron-product", "neuron-output"};
    static const char *const precision[] = {"split2",  "split3",
                                            "bf16",    "double",
                                            "slices3", "compensated"};
    enum { N = 250 };
    float in[2 * N], exact[2 * N], out[2 * N];
    noise_state noise = {9};
    for (int i = 0; i < 2 * N; i++)
        in[i] = (float)noise_real(&noise);
    weft_problem p = parse("c2c:f32:250:precision=double");
    weft_plan *plan = NULL;
    CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
              weft_execute(plan, in, exact) == WEFT_OK,
          "%s", weft_error_text());
    weft_plan_release(plan);
    for (size_t e = 0; e < sizeof engine / sizeof *engine; e++)
        for (size_t i = 0; i < sizeof precision / sizeof *precision; i++) {
            char text[120];
            double bound = 0, off = 0, norm = 0;
            snprintf(text, sizeof text, "c2c:f32:%d:engine=%s:precision=%s", N,
                     engine[e], precision[i]);
            p = parse(text);
            plan = NULL;
            CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
                      weft_execute(plan, in, out) == WEFT_OK &&
                      weft_plan_error(plan, &bound, NULL) == WEFT_OK,
                  "%s: %s", text, weft_error_text());
            weft_plan_release(plan);
            for (int k = 0; k < 2 * N; k++) {
                off += pow((double)out[k] - (double)exact[k], 2);
                norm += pow((double)exact[k], 2);
            }
            CHECK(sqrt(off / norm) <= bound, "%s: error %.3g, bound %.3g",
                  text, sqrt(off / norm), bound);
        }
}

/* Of no dimension: nothing is sliced. */
static void test_copies(void)
{
    static const char *const precision[] = {"fast", "bf16", "double",
                                            "slices3", "compensated"};
    float in[12], out[12];
    for (int i = 0; i < 12; i++)
        in[i] = (float)(i + 1);
    for (size_t i = 0; i < sizeof precision / sizeof *precision; i++) {
        char text[120];
        snprintf(text, sizeof text,
                 "c2c:f32:-*6:engine=neuron:precision=%s:norm=0.5",
                 precision[i]);
        weft_problem p = parse(text);
        weft_plan *plan = NULL;
        memset(out, 0, sizeof out);
        CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
                  weft_execute(plan, in, out) == WEFT_OK,
              "%s: %s", text, weft_error_text());
        weft_plan_release(plan);
        CHECK(out[0] == 0.5f && out[11] == 6, "%s: %g, %g", text,
              (double)out[0], (double)out[11]);
    }
}

/* ---- Slices, to the bit -------------------------------------------------- */

enum { SLICE_ROWS = 3, SLICE_N = 100, BETA = 9 };

/* Digits of a number that is at most 2^e. */
static void digits_of(oracle_quad x, int e, int slices, int64_t *digit)
{
    oracle_quad rest = x;
    for (int i = 0; i < BETA - 1 - e; i++)
        rest *= 2;
    for (int i = 0; i < e - BETA + 1; i++)
        rest /= 2;
    for (int i = 0; i < slices; i++) {
        double near = rint((double)rest);
        oracle_quad off = rest - (oracle_quad)near;
        near += off > 0.5 ? 1 : off < -0.5 ? -1 : 0;
        digit[i] = (int64_t)near;
        rest = (rest - (oracle_quad)near) * (1 << BETA);
    }
}

/* What exact sums give: in integers, from other roots, then the levels. */
static void sliced_row(const double *x, int n, int slices, bool inverse,
                       double *out)
{
    static int64_t data[2][SLICE_N][8], root[2][SLICE_N][8];
    double most = 0;
    int e = 0;
    for (int i = 0; i < 2 * n; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    if (frexp(most, &e) == 0.5)
        e--;
    for (int j = 0; j < n; j++) {
        oracle_quad re, im;
        oracle_root(inverse ? j : (n - j) % n, n, &re, &im);
        digits_of(re, 0, slices, root[0][j]);
        digits_of(im, 0, slices, root[1][j]);
        digits_of((oracle_quad)x[2 * j], e, slices, data[0][j]);
        digits_of((oracle_quad)x[2 * j + 1], e, slices, data[1][j]);
    }
    for (int k = 0; k < n; k++) {
        double total[2] = {0, 0};
        for (int level = slices - 1; level >= 0; level--) {
            int64_t sum[2] = {0, 0};
            for (int i = 0; i <= level; i++)
                for (int j = 0; j < n; j++) {
                    int64_t a = data[0][j][i], b = data[1][j][i];
                    int64_t c = root[0][j * k % n][level - i];
                    int64_t d = root[1][j * k % n][level - i];
                    sum[0] += a * c - b * d;
                    sum[1] += a * d + b * c;
                }
            for (int h = 0; h < 2; h++)
                total[h] += ldexp((double)sum[h],
                                  -BETA * level - 2 * (BETA - 1));
        }
        out[2 * k] = ldexp(total[0], e);
        out[2 * k + 1] = ldexp(total[1], e);
    }
}

/* The whole transform as one matrix: one exact sum for each number. */
static void one_product(int n, int slices, char tree[80])
{
    snprintf(tree, 80, "(rank (rows 0 (matrix %d bf16s%d %d)))", n, slices, n);
}

static void test_slices(const char *engine, int n, int slices, bool inverse)
{
    double in[SLICE_ROWS * 2 * SLICE_N], out[SLICE_ROWS * 2 * SLICE_N];
    double want[2 * SLICE_N];
    float in32[SLICE_ROWS * 2 * SLICE_N], out32[SLICE_ROWS * 2 * SLICE_N];
    noise_state noise = {(uint64_t)(n * slices)};
    for (int i = 0; i < SLICE_ROWS * 2 * n; i++) {
        in[i] = ldexp(oracle_sample(&noise, WEFT_F64), i / (2 * n) * 40 - 35);
        in32[i] = (float)in[i];
    }
    char tree[80];
    weft_plan_options options = {.size = sizeof options, .tree = tree};
    for (int f64 = 0; f64 < 2; f64++) {
        char text[120];
        snprintf(text, sizeof text,
                 "c2c:%s:%d*%d%s:engine=%s:precision=slices%d",
                 f64 ? "f64" : "f32", n, SLICE_ROWS, inverse ? ":inverse" : "",
                 engine, slices);
        one_product(n, slices, tree);
        weft_problem p = parse(text);
        weft_plan *plan = NULL;
        if (!CHECK(weft_plan_create(&p, &options, &plan) == WEFT_OK, "%s: %s",
                   text, weft_error_text()))
            return;
        weft_execute(plan, f64 ? (void *)in : (void *)in32,
                     f64 ? (void *)out : (void *)out32);
        weft_plan_release(plan);
        for (int row = 0; row < SLICE_ROWS; row++) {
            double x[2 * SLICE_N];
            for (int i = 0; i < 2 * n; i++)
                x[i] = f64 ? in[row * 2 * n + i]
                           : (double)in32[row * 2 * n + i];
            sliced_row(x, n, slices, inverse, want);
            for (int i = 0; i < 2 * n; i++) {
                int at = row * 2 * n + i;
                bool same = f64 ? out[at] == want[i]
                                : out32[at] == (float)want[i];
                if (!CHECK(same, "%s row %d, number %d: %a, %a", text, row, i,
                           f64 ? out[at] : (double)out32[at], want[i]))
                    break;
            }
        }
    }
}

/* The CPU's matrix product of the same slices: the same bits. */
static void test_slices_of_cpu(int n, int slices)
{
    double in[SLICE_ROWS * 2 * SLICE_N], out[SLICE_ROWS * 2 * SLICE_N];
    double product[SLICE_ROWS * 2 * SLICE_N];
    double *matrix = malloc((size_t)(2 * n * n) * sizeof *matrix);
    char text[120], format[16], tree[80];
    weft_plan_options options = {.size = sizeof options, .tree = tree};
    noise_state noise = {(uint64_t)(n + slices)};
    weft_plan *plan = NULL;
    for (int i = 0; i < SLICE_ROWS * 2 * n; i++)
        in[i] = oracle_sample(&noise, WEFT_F64);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            oracle_quad re, im;
            oracle_root((n - j * k % n) % n, n, &re, &im);
            matrix[2 * (j * n + k)] = (double)re;
            matrix[2 * (j * n + k) + 1] = (double)im;
        }
    snprintf(format, sizeof format, "bf16s%d", slices);
    snprintf(text, sizeof text,
             "c2c:f64:%d*%d:engine=neuron:precision=slices%d", n, SLICE_ROWS,
             slices);
    one_product(n, slices, tree);
    weft_problem p = parse(text);
    weft_gemm gemm = {.size = sizeof gemm,
                      .type = WEFT_F64,
                      .m = SLICE_ROWS,
                      .n = n,
                      .k = n,
                      .format = format};
    CHECK(weft_plan_create(&p, &options, &plan) == WEFT_OK &&
              weft_execute(plan, in, out) == WEFT_OK &&
              weft_cgemm(&gemm, in, matrix, product) == WEFT_OK,
          "%s: %s", text, weft_error_text());
    CHECK(memcmp(out, product, (size_t)(SLICE_ROWS * 2 * n) * sizeof *out) ==
              0,
          "%s is not weft_cgemm's %s", text, format);
    weft_plan_release(plan);
    free(matrix);
}

/* Whole plans, as each engine makes them by itself: the same tree, the same
 * bits; in passes, as a convolution, along every axis. */
static void test_slices_of_engines(const char *problem)
{
    weft_plan *plan[2] = {NULL, NULL};
    float *out[2] = {NULL, NULL};
    char tree[2][200] = {"", ""};
    size_t bytes = 0;
    for (int e = 0; e < 2; e++) {
        char text[160];
        weft_extent extent;
        snprintf(text, sizeof text, "%s:engine=%s", problem,
                 e ? "neuron" : "cpu");
        weft_problem p = parse(text);
        if (!CHECK(weft_plan_create(&p, NULL, &plan[e]) == WEFT_OK &&
                       weft_problem_extent(&p, &extent) == WEFT_OK,
                   "%s: %s", text, weft_error_text()))
            break;
        weft_plan_text(plan[e], tree[e], sizeof tree[e], NULL);
        size_t size = p.type == WEFT_F64 ? 16 : 8; /* reals have room, too */
        size_t count = (size_t)(extent.in_high + 1);
        noise_state noise = {17};
        char *in = malloc(count * size);
        bytes = (size_t)(extent.out_high + 1) * size;
        out[e] = calloc(1, bytes);
        for (size_t i = 0; i < 2 * count; i++) {
            double x = ldexp(oracle_sample(&noise, p.type),
                             (int)(i % 97) - 50);
            if (p.type == WEFT_F64)
                ((double *)(void *)in)[i] = x;
            else
                ((float *)(void *)in)[i] = (float)x;
        }
        CHECK(weft_execute(plan[e], in, out[e]) == WEFT_OK, "%s: %s", text,
              weft_error_text());
        free(in);
    }
    CHECK(strncmp(problem, "c2c", 3) != 0 || strcmp(tree[0], tree[1]) == 0,
          "%s: CPU %s, neuron %s", problem, tree[0], tree[1]);
    CHECK(out[1] && memcmp(out[0], out[1], bytes) == 0,
          "%s: the engines differ", problem);
    for (int e = 0; e < 2; e++) {
        weft_plan_release(plan[e]);
        free(out[e]);
    }
}

static void test_same_slices(void)
{
    static const char *const list[] = {
        "c2c:f64:37*3:precision=slices3",
        "c2c:f64:256*5:precision=slices6",
        "c2c:f64:1000:inverse:norm=ortho:precision=slices4",
        "c2c:f64:4096:precision=slices5",
        "c2c:f64:1031:precision=slices4",
        "c2c:f64:1033:inverse:norm=backward:precision=slices2",
        "c2c:f64:24x18*2:inverse:norm=0.3:precision=slices8",
        "c2c:f32:24x18x5:norm=ortho:precision=slices3",
        "c2c:f32:512*9:precision=slices4",
        "c2c:f32:60/3/2*4/200/150:precision=slices7",
        "c2c:f32:128/1/1*20/32/128:precision=slices4",
        "r2c:f64:256*3:norm=ortho:precision=slices4",
        "r2c:f32:45*2:precision=slices5",
        "r2c:f64:1031:precision=slices3",
        "r2c:f64:12x10*2:precision=slices4",
        "c2r:f64:100*3:precision=slices6",
        "c2r:f32:64:norm=backward:precision=slices3",
        "c2r:f64:9x14:precision=slices4",
        "c2r:f32:4x9x14:norm=ortho:precision=slices4",
        "r2c:f32:4x9x14:norm=ortho:precision=slices2"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        test_slices_of_engines(list[i]);
}

static void test_all_slices(void)
{
    static const int n[] = {2, 16, 37, 64, 100};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (int slices = 2; slices <= 8; slices++)
            if (slices <= 5) /* a matrix of doubles has no more digits */
                test_slices_of_cpu(n[i], slices);
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (int slices = 2; slices <= 8; slices++)
            test_slices(slices % 2 ? "neuron" : "neuron-trn2", n[i], slices,
                        i % 2 == 1);
}

/* All the norm in one element: what the bound is for. */
static void test_spikes(void)
{
    enum { N = 512 };
    static double in[2 * N], out[2 * N], exact[2 * N];
    noise_state noise = {9};
    for (int slices = 2; slices <= 6; slices += 2) {
        char text[100];
        double bound = 0, lost = 0, whole = 0;
        weft_plan *plan = NULL;
        snprintf(text, sizeof text,
                 "c2c:f64:512:engine=neuron:precision=slices%d", slices);
        weft_problem p = parse(text);
        for (int i = 0; i < 2 * N; i++)
            in[i] = 1e-3 * oracle_sample(&noise, WEFT_F64);
        in[34] = 1;
        CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
                  weft_execute(plan, in, out) == WEFT_OK &&
                  weft_plan_error(plan, &bound, NULL) == WEFT_OK &&
                  weft_reference(N, WEFT_FORWARD, in, exact, NULL) == WEFT_OK,
              "%s: %s", text, weft_error_text());
        for (int i = 0; i < 2 * N; i++) {
            lost += (out[i] - exact[i]) * (out[i] - exact[i]);
            whole += exact[i] * exact[i];
        }
        CHECK(sqrt(lost / whole) <= bound,
              "%s: a spike's error %.3g, bound "
              "%.3g",
              text, sqrt(lost / whole), bound);
        weft_plan_release(plan);
    }
}

/* A row of zeros, one with an infinity, and what is not sliced at all. */
static void test_odd_slices(void)
{
    weft_problem p = parse("c2c:f64:8*3:engine=neuron:precision=slices4");
    double in[48] = {0}, out[48];
    for (int i = 16; i < 48; i++)
        in[i] = i;
    in[35] = INFINITY;
    CHECK(weft_transform(&p, in, out) == WEFT_OK, "%s", weft_error_text());
    for (int i = 0; i < 48; i++)
        CHECK(i < 16   ? out[i] == 0
              : i < 32 ? isfinite(out[i])
                       : isnan(out[i]),
              "number %d is %g", i, out[i]);
    weft_cache_clear();
    test_problem("c2c:f32:30x20*3:norm=ortho:engine=neuron:precision=slices3",
                 NULL, NULL);
    test_problem("c2c:f32:37/3/-2*5/120/-90:norm=0.25:engine=neuron:"
                 "precision=slices4",
                 NULL, NULL);
    test_problem("c2c:f32:600*140:inverse:split:engine=neuron:"
                 "precision=slices2",
                 NULL, NULL);
    test_problem("c2c:f32:256:inplace:engine=neuron:precision=slices3", NULL,
                 NULL);
}

/* Passes in kernels of their own, mixed with fused ones, odd radices. */
static void test_trees(void)
{
    static const struct {
        const char *problem, *tree;
    } list[] = {
        {"c2c:f32:64*3:engine=neuron", "(rank (rows 0 (stockham 64 w1 8.8)))"},
        {"c2c:f32:64*3:inverse:engine=neuron",
         "(rank (rows 0 (stockham 64 w1 4.4.4)))"},
        {"c2c:f32:512*3:engine=neuron",
         "(rank (rows 0 (stockham 512 w1 8+8.8)))"},
        {"c2c:f32:420*33:engine=neuron",
         "(rank (rows 0 (stockham 420 w1 2+7+15+2)))"},
        {"c2c:f32:1500*5:inverse:engine=neuron",
         "(rank (rows 0 (stockham 1500 w1 4+15+25)))"},
        {"c2c:f32:60*130:engine=neuron",
         "(rank (rows 0 (stockham 60 w1 5.3.4)))"},
        {"c2c:f32:3136*2:engine=neuron",
         "(rank (rows 0 (stockham 3136 w1 56+56)))"},
        {"c2c:f32:2048*2:engine=neuron",
         "(rank (rows 0 (stockham 2048 w1 4+4+4+4+4+2)))"},
        {"c2c:f32:600*129:engine=neuron", "(rank (rows 0 (leaf 600)))"},
        {"c2c:f32:9x10:engine=neuron",
         "(rank (rows 1 (leaf 10)) (buffered 0 (leaf 9)))"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        test_problem(list[i].problem, NULL, list[i].tree);
}

/* A row's bits do not depend on the rows beside it; a NaN stays in its row. */
static void test_rows_alone(void)
{
    enum { N = 96, ROWS = 140 };
    static float in[2 * N * ROWS], out[2 * N * ROWS], one[2 * N];
    weft_problem many = parse("c2c:f32:96*140:engine=neuron");
    weft_problem alone = parse("c2c:f32:96:engine=neuron");
    weft_plan_options leaf = {.size = sizeof leaf, .rule = "leaf"};
    weft_plan *plan[2] = {NULL, NULL};
    noise_state noise = {3};
    for (int i = 0; i < 2 * N * ROWS; i++)
        in[i] = (float)oracle_sample(&noise, WEFT_F32);
    in[2 * N * 5 + 8] = NAN;
    CHECK(weft_plan_create(&many, &leaf, &plan[0]) == WEFT_OK &&
              weft_plan_create(&alone, &leaf, &plan[1]) == WEFT_OK,
          "%s", weft_error_text());
    weft_execute(plan[0], in, out);
    for (int row = 0; row < ROWS; row++) {
        weft_execute(plan[1], in + 2 * N * row, one);
        bool same = row != 5 && !memcmp(one, out + 2 * N * row, sizeof one);
        bool lost = row == 5 && isnan(out[2 * N * row]);
        CHECK(same || lost, "row %d", row);
    }
    weft_plan_release(plan[0]);
    weft_plan_release(plan[1]);
}

/* ---- What it refuses, and tells ------------------------------------------ */

static void test_refusals(void)
{
    static const struct {
        const char *problem, *tree;
        weft_status status;
        const char *why; /* part of the text */
    } list[] = {
        {"c2c:f64:64:engine=neuron", NULL, WEFT_ERR_UNSUPPORTED,
         "type f64 is for precision slices only; NeuronCore rule number "
         "formats: "},
        {"c2c:f64:64:engine=neuron:precision=compensated", NULL,
         WEFT_ERR_UNSUPPORTED, "NeuronCore rule number formats: "},
        {"c2c:f64:64:engine=neuron:precision=fp16x2", NULL,
         WEFT_ERR_UNSUPPORTED, "NeuronCore rule number formats: "},
        {"c2c:f32:1048576:scrambled:engine=neuron", NULL, WEFT_ERR_UNSUPPORTED,
         "natural order only"},
        {"redft10:f32:64:engine=neuron", NULL, WEFT_ERR_UNSUPPORTED,
         "c2c, r2c and c2r, not redft10"},
        {"c2c:f32:4294967296:engine=neuron", NULL, WEFT_ERR_UNSUPPORTED,
         "more numbers than an access counts"},
        {"c2c:f32:64:engine=neuron:target=1e-9", NULL, WEFT_ERR_TARGET,
         "least error bound"},
        {"c2c:f32:134:engine=neuron", "(rank (rows 0 (stockham 134 w1 67.2)))",
         WEFT_ERR_ARGUMENT,
         "a pass of radix 67 contracts 134 numbers; NeuronCore rule matmul "
         "size: "},
        {"c2c:f32:8192:engine=neuron", "(rank (rows 0 (leaf 8192)))",
         WEFT_ERR_ARGUMENT, "NeuronCore rule SBUF capacity: "},
        {"c2c:f32:64*2:engine=neuron", "(rank (buffered 0 (leaf 64)))",
         WEFT_ERR_ARGUMENT, "by rows, and others buffered, not by buffered"},
        {"c2c:f32:35:engine=neuron",
         "(rank (rows 0 (good 35 5x7 (leaf 5) (leaf 7))))", WEFT_ERR_ARGUMENT,
         "step good needs a list of indices; NeuronCore rule free "
         "dimensions: "},
        {"c2c:f32:37:engine=neuron", "(rank (rows 0 (rader 37 (leaf 36))))",
         WEFT_ERR_ARGUMENT, "NeuronCore rule free dimensions: "},
        {"c2c:f32:10007:engine=neuron",
         "(rank (rows 0 (bluestein 10007 m20480 (stockham 20480 w1 "
         "32.32.20))))",
         WEFT_ERR_ARGUMENT, "join them by +"},
        {"c2c:f32:256:engine=neuron",
         "(rank (rows 0 (twostep 256 16x16 (leaf 16) (leaf 16))))",
         WEFT_ERR_ARGUMENT, "has no twostep 256"},
        {"c2c:f64:96:engine=neuron:precision=slices4",
         "(rank (rows 0 (matrix 96 fp16s4 12.8)))", WEFT_ERR_ARGUMENT,
         "slices of bf16"},
        {"r2c:f32:96:engine=neuron", "(rank (rows 0 (half 96 (leaf 48))))",
         WEFT_ERR_ARGUMENT, "a real axis is a full complex one"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        weft_problem p = parse(list[i].problem);
        weft_plan_options options = {.size = sizeof options,
                                     .tree = list[i].tree};
        weft_plan *plan;
        weft_status status = weft_plan_create(&p, &options, &plan);
        CHECK(status == list[i].status && !plan &&
                  strstr(weft_error_text(), list[i].why),
              "%s %s: %s: %s", list[i].problem,
              list[i].tree ? list[i].tree : "", weft_status_name(status),
              weft_error_text());
        weft_plan_release(plan);
    }
    /* What candidates were refused for is not the error of a plan. */
    weft_problem p = parse("c2c:f32:4099:engine=neuron");
    weft_plan *plan;
    char before[600];
    snprintf(before, sizeof before, "%s", weft_error_text());
    CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
              strcmp(before, weft_error_text()) == 0,
          "the thread's error text became: %s", weft_error_text());
    weft_plan_release(plan);
}

/* Each engine does one thing after the other. */
static void test_timetable(void)
{
    weft_problem p = parse("c2c:f32:512*40:engine=neuron");
    weft_plan_options options = {.size = sizeof options, .rule = "radix8"};
    weft_plan *plan = NULL;
    size_t length = 0;
    char kernel[40], unit[40], what[40];
    double begin, end, busy[8] = {0}, last[8] = {0}, device = 0;
    static const char *const units[] = {"tensor", "vector", "scalar",
                                        "gpsimd"};
    if (!CHECK(weft_plan_create(&p, &options, &plan) == WEFT_OK, "%s",
               weft_error_text()))
        return;
    CHECK(weft_plan_timetable(plan, NULL, 0, &length) == WEFT_OK, "%s",
          weft_error_text());
    char *text = malloc(length + 1);
    weft_plan_timetable(plan, text, length + 1, NULL);
    weft_plan_figure(plan, "device_ns", &device);
    double lines = 0, want = 0;
    for (char *at = text; at && *at; at = strchr(at, '\n') + 1) {
        int fields = sscanf(at, "%39s %39s %lf %lf %39s", kernel, unit, &begin,
                            &end, what);
        CHECK(fields == 5 && begin >= 0 && end > begin && end < device + 1,
              "line of the timetable: %.60s", at);
        for (int u = 0; u < 4; u++)
            if (!strcmp(unit, units[u])) {
                CHECK(begin >= last[u] - 0.1, "%s at %g before %g", unit,
                      begin, last[u]);
                last[u] = end;
                busy[u] += end - begin;
            }
        lines++;
    }
    for (int u = 0; u < 4; u++) {
        char name[64];
        double value;
        snprintf(name, sizeof name, "%s_busy_ns", units[u]);
        CHECK(weft_plan_figure(plan, name, &value) == WEFT_OK &&
                  fabs(value - busy[u]) <= 0.1 * lines,
              "%s: %g, %g", name, value, busy[u]);
        snprintf(name, sizeof name, "%s_instructions", units[u]);
        weft_plan_figure(plan, name, &value);
        want += value;
    }
    double transfers;
    weft_plan_figure(plan, "dma_instructions", &transfers);
    CHECK(lines == want + transfers, "%g lines, %g instructions", lines,
          want + transfers);
    free(text);
    CHECK(weft_plan_figure(plan, "no_such", &want) == WEFT_ERR_UNSUPPORTED,
          "a figure that is not there");
    weft_plan_release(plan);
    p.engine = WEFT_ENGINE_CPU;
    options.rule = NULL;
    weft_plan_create(&p, &options, &plan);
    CHECK(weft_plan_timetable(plan, NULL, 0, &length) == WEFT_ERR_UNSUPPORTED,
          "the CPU's timetable");
    CHECK(weft_plan_figure(plan, "calls", &want) == WEFT_ERR_UNSUPPORTED,
          "the CPU's figures");
    weft_plan_release(plan);
}

/* The cache of the one-call functions keeps engines apart. */
static void test_cache(void)
{
    float in[128] = {1}, cpu[128], neuron[128], again[128];
    weft_problem p = parse("c2c:f32:64");
    for (int i = 0; i < 128; i++)
        in[i] = (float)sin(i);
    weft_transform(&p, in, cpu);
    p.engine = WEFT_ENGINE_NEURON;
    weft_transform(&p, in, neuron);
    p.engine = WEFT_ENGINE_AUTO;
    weft_transform(&p, in, again);
    CHECK(!memcmp(cpu, again, sizeof cpu), "another engine's plan");
    CHECK(memcmp(cpu, neuron, sizeof cpu) != 0, "the CPU's plan");
    weft_cache_clear();
}

int main(void)
{
    test_problems();
    test_modes();
    test_products();
    test_product_errors();
    test_copies();
    test_targets();
    test_all_slices();
    test_same_slices();
    test_odd_slices();
    test_spikes();
    test_trees();
    test_rows_alone();
    test_refusals();
    test_timetable();
    test_cache();
    return check_report("neuron_engine_test");
}
