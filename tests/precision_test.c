/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precision_test.c - accuracy as a parameter.
 *
 *     precision_test [--to LOG2] [--targets N]
 *
 * The compensated and double modes give the error of the correctly rounded
 * result, times at most 1.1, for every length, sign, layout, norm and batch;
 * error bounds hold for every mode; a target is met by the plan it gets, or
 * refused where no mode meets it.  --to: lengths to 2^LOG2 instead of 2^14;
 * --targets: that many random (length, target) instead of 1000.
 */
#include "base/base.h"
#include "check.h"
#include "kernel/pair/pair.h"
#include "num/num.h"
#include "oracle.h"

#include <math.h>
#include <string.h>

static const double units[] = {0x1p-53, 0x1p-24};

static void *need(size_t bytes)
{
    void *block = malloc(bytes ? bytes : 1);
    if (!block) {
        fprintf(stderr, "precision_test: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    return block;
}

/* ---- Data --------------------------------------------------------------- */

/* One vector and its exact transform, before the scale. */
typedef struct sample {
    weft_type type;
    int64_t n;
    double *in, *hi, *lo;
} sample;

static sample sample_new(weft_type type, int64_t n, bool inverse)
{
    sample s = {.type = type, .n = n};
    noise_state noise = {(uint64_t)n * 2 + (uint64_t)type};
    size_t bytes = 2 * (size_t)n * sizeof(double);
    s.in = need(bytes);
    s.hi = need(bytes);
    s.lo = need(bytes);
    for (int64_t i = 0; i < 2 * n; i++)
        s.in[i] = oracle_sample(&noise, type);
    /* As for doubles: f32 results are compared beyond a double, too. */
    oracle_exact(inverse, 1, &n, s.in, s.hi, s.lo);
    return s;
}

static void sample_free(sample *s)
{
    free(s->in);
    free(s->hi);
    free(s->lo);
}

static void put(const weft_problem *p, void *array, int64_t at, double x)
{
    if (p->type == WEFT_F64)
        ((double *)array)[at] = x;
    else
        ((float *)array)[at] = (float)x;
}

static double get(const weft_problem *p, const void *array, int64_t at)
{
    return p->type == WEFT_F64 ? ((const double *)array)[at]
                               : (double)((const float *)array)[at];
}

/* scale (hi + lo), rounded once to the type. */
static double rounded(const sample *s, int64_t i, oracle_quad scale)
{
    oracle_quad exact = scale * ((oracle_quad)s->hi[i] + s->lo[i]);
    return s->type == WEFT_F64 ? (double)exact : (double)(float)exact;
}

/* ---- One problem, vectors packed one after the other --------------------- */

typedef struct outcome {
    double error, correct; /* relative L2: of weft, of rounding alone */
    double bound, expected;
} outcome;

static weft_status execute(const weft_plan *plan, const weft_problem *p,
                           const char *in, char *out, int64_t total)
{
    size_t real = p->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    size_t im = p->layout == WEFT_SPLIT ? (size_t)total * real : 0;
    if (p->layout == WEFT_SPLIT)
        return weft_execute_split(plan, in, in + im, out, out + im);
    return weft_execute(plan, in, out);
}

/* Every vector of the batch is the sample; the first is measured, the others
 * must have its bits. */
static bool measure(const weft_problem *p, const sample *s, const char *name,
                    outcome *result)
{
    int64_t vectors = p->batch_rank ? p->batch[0].n : 1;
    int64_t total = vectors * s->n;
    bool split = p->layout == WEFT_SPLIT;
    size_t real = p->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    char *in = need(2 * (size_t)total * real);
    char *out = need(2 * (size_t)total * real);
    double *got = need(2 * (size_t)s->n * sizeof *got);
    double *best = need(2 * (size_t)s->n * sizeof *best);
    oracle_quad scale = oracle_scale(p);
    weft_plan *plan = NULL;
    bool good = CHECK(weft_plan_create(p, NULL, &plan) == WEFT_OK, "%s: %s",
                      name, weft_error_text());
    if (!good)
        goto done;
    weft_plan_error(plan, &result->bound, &result->expected);
    for (int64_t i = 0; i < total; i++)
        for (int part = 0; part < 2; part++)
            put(p, in, split ? part * total + i : 2 * i + part,
                s->in[2 * (i % s->n) + part]);
    weft_status status = execute(plan, p, in, out, total);
    good = CHECK(status == WEFT_OK, "%s: %s", name, weft_error_text());
    for (int64_t i = 0; i < total; i++)
        for (int part = 0; part < 2; part++) {
            double x = get(p, out, split ? part * total + i : 2 * i + part);
            int64_t at = 2 * (i % s->n) + part;
            if (i < s->n) {
                got[at] = x;
                best[at] = rounded(s, at, scale);
            } else if (x != got[at]) {
                good = CHECK(false, "%s: vector %lld differs from the first",
                             name, (long long)(i / s->n));
                goto done;
            }
        }
    result->error = oracle_compare(s->n, got, s->hi, s->lo, scale).l2;
    result->correct = oracle_compare(s->n, best, s->hi, s->lo, scale).l2;
done:
    weft_plan_release(plan);
    free(in);
    free(out);
    free(got);
    free(best);
    return good;
}

/* ---- The precise modes --------------------------------------------------- */

static struct worst {
    double ratio;
    int64_t n;
} worst[2];

static void check_precise(const weft_problem *p, const sample *s)
{
    char name[256] = "?";
    outcome o = {0};
    weft_problem_print(p, name, sizeof name, NULL);
    if (!measure(p, s, name, &o))
        return;
    /* A result without any error may get one in the 70th bit. */
    CHECK(o.error <= 1.1 * o.correct + 0x1p-60 * units[0],
          "%s: relative L2 error %.6g, correctly rounded %.6g", name, o.error,
          o.correct);
    CHECK(o.error <= o.bound && o.bound < 1.001 * units[s->type],
          "%s: relative L2 error %.6g, bound %.6g", name, o.error, o.bound);
    CHECK(s->n == 1 || (o.expected > 0.3 * units[s->type] &&
                        o.expected < 0.6 * units[s->type]),
          "%s: expected error %.6g", name, o.expected);
    if (o.correct > 0 && o.error / o.correct > worst[s->type].ratio)
        worst[s->type] = (struct worst){o.error / o.correct, s->n};
}

static weft_problem precise(const sample *s, bool inverse)
{
    weft_problem p = weft_problem_1d(s->type, s->n,
                                     inverse ? WEFT_INVERSE : WEFT_FORWARD);
    p.precision = WEFT_PRECISION_COMPENSATED;
    return p;
}

/* Layouts, batches around the number of lanes, and norms. */
static void check_variants(const sample *s, bool inverse)
{
    static const int64_t counts[] = {2, 8, 19};
    weft_problem p = precise(s, inverse);
    p.layout = WEFT_SPLIT;
    check_precise(&p, s);
    for (int i = 0; i < 3; i++) {
        p = precise(s, inverse);
        p.layout = i == 1 ? WEFT_SPLIT : WEFT_INTERLEAVED;
        p.batch_rank = 1;
        p.batch[0].n = counts[i];
        check_precise(&p, s);
    }
    for (int norm = WEFT_NORM_BACKWARD; norm <= WEFT_NORM_SCALE; norm++) {
        p = precise(s, inverse);
        p.norm = (weft_norm)norm;
        p.scale = norm == WEFT_NORM_SCALE ? -0.7 : 0;
        check_precise(&p, s);
    }
    p = precise(s, inverse);
    p.precision = WEFT_PRECISION_DOUBLE;
    if (s->type == WEFT_F32)
        check_precise(&p, s);
}

static void test_precise(int64_t limit)
{
    static const int64_t lengths[] = {105,  121,  127,  128,  143,  169,
                                      240,  243,  256,  343,  500,  512,
                                      600,  625,  1000, 1001, 1009, 1024,
                                      1331, 2048, 2187, 2310, 3001, 4096};
    for (int type = 0; type < 2; type++) {
        for (int64_t n = 1; n <= 100; n++) {
            sample s = sample_new((weft_type)type, n, n % 2);
            weft_problem p = precise(&s, n % 2);
            check_precise(&p, &s);
            if (n <= 20 || n % 8 == 0)
                check_variants(&s, n % 2);
            sample_free(&s);
        }
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            sample s = sample_new((weft_type)type, lengths[i], i % 2);
            weft_problem p = precise(&s, i % 2);
            check_precise(&p, &s);
            sample_free(&s);
        }
        for (int64_t n = 8192; n <= limit; n *= 2) {
            sample s = sample_new((weft_type)type, n, false);
            weft_problem p = precise(&s, false);
            check_precise(&p, &s);
            sample_free(&s);
        }
        printf("%s: at most %.6f of the correctly rounded error, n = %lld\n",
               type ? "f32" : "f64", worst[type].ratio,
               (long long)worst[type].n);
    }
}

/* ---- Low parts ------------------------------------------------------------ */

/* Two passes by hand: the low planes are there, and with them the values are
 * exact to far below the last bit of a double. */
static void test_low_parts(void)
{
    enum { N = 32, PLANE = 40 };
    const wf_pair_kernels *k = wf_pair_kernels_for((wf_isa)wf_cpu_isa());
    sample s = sample_new(WEFT_F64, N, false);
    double a[4 * PLANE], b[4 * PLANE];
    wf_pair_user user = {2, 0, N, 1};
    k->load(a, PLANE, 1, s.in, s.in + 1, &user);
    wf_pair_args first = {
        .m = 8, .s = 1, .inner = 1, .radix = 4, .plane = PLANE};
    k->four(a, b, &first);
    double tw[7 * 4 * 128];
    int64_t n = N, stride = 4;
    wf_root_table *roots = wf_root_table_new(N);
    wf_pair_args next = {.inner = 1, .tw = tw, .plane = PLANE};
    for (int pass = 0; pass < 2; pass++) {
        int r = pass ? 2 : 4;
        size_t times;
        next.m = (size_t)(n / (stride * r));
        next.s = (size_t)stride;
        next.radix = r;
        next.span = wf_pair_span(k, next.s, 1, &times);
        for (int j = 1; j < r; j++)
            for (size_t i = 0; i < next.span; i++) {
                wf_dd w[2];
                double *to = tw + (size_t)(j - 1) * 4 * next.span + i;
                int64_t turn = -(int64_t)(i % next.s) * j * (int64_t)next.m;
                wf_root_table_dd(roots, turn, 0, 0, 1, w);
                to[0] = w[0].hi;
                to[next.span] = w[1].hi;
                to[2 * next.span] = w[0].lo;
                to[3 * next.span] = w[1].lo;
            }
        (pass ? k->two : k->four)(pass ? a : b, pass ? b : a, &next);
        stride *= r;
    }
    wf_root_table_free(roots);
    int low = 0;
    double most = 0;
    for (int i = 0; i < N; i++)
        for (int part = 0; part < 2; part++) {
            double hi = b[part * PLANE + i], lo = b[(2 + part) * PLANE + i];
            oracle_quad want = (oracle_quad)s.hi[2 * i + part] +
                               s.lo[2 * i + part];
            double error = fabs((double)((oracle_quad)hi + lo - want));
            low += lo != 0;
            most = error > most ? error : most;
        }
    CHECK(low > N, "%d of %d low parts are not zero", low, 2 * N);
    CHECK(most < 0x1p-72, "hi + lo errs by %.3g", most);
    sample_free(&s);
}

/* ---- Not a number ---------------------------------------------------------- */

/* A NaN or an infinity stays in its vector. */
static void test_not_finite(void)
{
    enum { N = 48, VECTORS = 19, BAD = 7 };
    for (int kind = 0; kind < 4; kind++) {
        weft_type type = (weft_type)(kind / 2);
        double bad = kind % 2 ? HUGE_VAL : nan("");
        weft_problem p = weft_problem_1d(type, N, WEFT_FORWARD);
        double in[2 * N * VECTORS], clean[2 * N * VECTORS];
        double out[2 * N * VECTORS];
        noise_state noise = {(uint64_t)kind};
        p.precision = WEFT_PRECISION_COMPENSATED;
        p.batch_rank = 1;
        p.batch[0].n = VECTORS;
        for (int i = 0; i < 2 * N * VECTORS; i++)
            put(&p, in, i, oracle_sample(&noise, type));
        weft_transform(&p, in, clean);
        put(&p, in, 2 * (BAD * N + 5), bad);
        put(&p, in, 2 * (BAD * N + 5) + 1, bad);
        weft_transform(&p, in, out);
        for (int i = 0; i < 2 * N * VECTORS; i++) {
            double x = get(&p, out, i), y = get(&p, clean, i);
            bool here = i / (2 * N) == BAD;
            CHECK(here ? !isfinite(x) : x == y,
                  "kind %d: element %d of vector %d is %g, was %g", kind,
                  i % (2 * N), i / (2 * N), x, y);
        }
    }
}

/* ---- Bounds and targets --------------------------------------------------- */

static int64_t random_length(noise_state *noise)
{
    uint64_t bits = noise_bits(noise);
    int64_t most = INT64_C(1) << (1 + bits % 11);
    return 1 + noise_below(noise, most);
}

/* The plan of one mode: its bound and its cost; false when the problem has no
 * such mode. */
static bool mode_of(weft_problem p, weft_precision precision, int slices,
                    double *bound, double *cost)
{
    weft_plan_info info = {.size = sizeof info};
    weft_plan_options options = {.size = sizeof options, .ignore_wisdom = 1};
    weft_plan *plan = NULL;
    p.precision = precision;
    p.slices = slices;
    p.target_error = 0;
    weft_status status = weft_plan_create(&p, &options, &plan);
    if (status != WEFT_OK) {
        CHECK(status == WEFT_ERR_UNSUPPORTED, "%s", weft_error_text());
        return false;
    }
    weft_plan_error(plan, bound, NULL);
    weft_plan_get_info(plan, &info);
    *cost = info.cost;
    weft_plan_release(plan);
    return true;
}

/* The cost of the cheapest mode that meets the target, of those tried: all,
 * or the native ones; HUGE_VAL: none does. */
static double cheapest(const weft_problem *p, bool all)
{
    double least = HUGE_VAL, bound, cost;
    for (int m = WEFT_PRECISION_FAST;
         m <= (all ? WEFT_PRECISION_SLICES : WEFT_PRECISION_DOUBLE); m++) {
        bool sliced = m == WEFT_PRECISION_SLICES;
        for (int s = sliced ? 2 : 0; s <= (sliced ? 8 : 0); s++)
            if (mode_of(*p, (weft_precision)m, s, &bound, &cost) &&
                bound <= p->target_error && cost < least)
                least = cost;
    }
    return least;
}

/* n reals to n/2 + 1 complex numbers. */
static void measure_r2c(const weft_plan *plan, const weft_problem *p,
                        const sample *s, outcome *o)
{
    int64_t half = s->n / 2 + 1;
    double *in = need(2 * (size_t)s->n * sizeof *in);
    double *out = need(2 * (size_t)half * sizeof *out);
    double *got = need(2 * (size_t)half * sizeof *got);
    for (int64_t i = 0; i < s->n; i++)
        put(p, in, i, s->in[2 * i]);
    weft_execute(plan, in, out);
    for (int64_t i = 0; i < 2 * half; i++)
        got[i] = get(p, out, i);
    o->error = oracle_compare(half, got, s->hi, s->lo, 1).l2;
    free(in);
    free(out);
    free(got);
}

static sample real_sample(weft_type type, int64_t n)
{
    sample s = sample_new(type, n, false);
    for (int64_t i = 0; i < n; i++)
        s.in[2 * i + 1] = 0;
    oracle_exact(false, 1, &n, s.in, s.hi, s.lo);
    return s;
}

static struct tally {
    int met, refused, foreign, neuron, real;
} tally;

static void check_target(const weft_problem *p, const char *name, bool all)
{
    bool cpu = p->engine != WEFT_ENGINE_NEURON, real = p->kind == WEFT_R2C;
    double least = cheapest(p, all || !cpu);
    weft_plan_info info = {.size = sizeof info};
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(p, NULL, &plan);
    if (status == WEFT_ERR_UNSUPPORTED && !cpu) {
        CHECK(least == HUGE_VAL, "%s: refused: %s", name, weft_error_text());
        tally.foreign++; /* the engine has nothing for this kind or length */
        return;
    }
    if (least == HUGE_VAL) {
        CHECK(status == WEFT_ERR_TARGET && plan == NULL &&
                  strstr(weft_error_text(), "the least error bound") != NULL,
              "%s: not refused: %s", name, weft_error_text());
        tally.refused++;
        return;
    }
    if (!CHECK(status == WEFT_OK, "%s: %s", name, weft_error_text()))
        return;
    weft_plan_get_info(plan, &info);
    sample s = real ? real_sample(p->type, p->dims[0].n)
                    : sample_new(p->type, p->dims[0].n, false);
    outcome o = {.bound = info.error_bound};
    if (real)
        measure_r2c(plan, p, &s, &o);
    if (real || measure(p, &s, name, &o)) {
        CHECK(o.error <= o.bound && o.bound <= p->target_error,
              "%s: relative L2 error %.4g, bound %.4g", name, o.error,
              o.bound);
        CHECK(info.cost <= least, "%s: cost %.0f, another mode's %.0f", name,
              info.cost, least);
        tally.met++;
        tally.neuron += !cpu;
        tally.real += real;
    }
    weft_plan_release(plan);
    sample_free(&s);
}

/* From a third of u up: evenly in the exponent, most of them where modes
 * differ. */
static double random_target(noise_state *noise, weft_type type)
{
    double part = (double)noise_below(noise, 1000) / 1000;
    bool near = noise_below(noise, 2) == 1;
    return units[type] / 3 *
           exp2(part * (near               ? 7.6
                        : type == WEFT_F64 ? 50
                                           : 21));
}

static void test_targets(int count)
{
    noise_state noise = {2026};
    for (int i = 0; i < count; i++) {
        weft_type type = (weft_type)noise_below(&noise, 2);
        weft_problem p = weft_problem_1d(type, random_length(&noise),
                                         WEFT_FORWARD);
        char name[256] = "?";
        if (noise_below(&noise, 3) == 0)
            p.kind = WEFT_R2C;
        if (noise_below(&noise, 24) == 0) { /* its model takes its time */
            p.engine = WEFT_ENGINE_NEURON;
            p.dims[0].n = 1 + p.dims[0].n % 300;
        }
        p.target_error = random_target(&noise, type);
        weft_problem_print(&p, name, sizeof name, NULL);
        check_target(&p, name, i % 16 == 0);
    }
    const struct tally *t = &tally;
    CHECK(t->met + t->refused + t->foreign == count && t->met > count / 2 &&
              t->refused > count / 20,
          "%d of %d targets met, %d refused", t->met, count, t->refused);
    printf("%d random targets: %d met (%d by engine neuron, %d real), %d "
           "refused, none missed; %d not for engine neuron\n",
           count, t->met, t->neuron, t->real, t->refused, t->foreign);
}

/* Short vectors vary most: many of each. */
static void test_short_bounds(void)
{
    for (int type = 0; type < 2; type++)
        for (int64_t n = 1; n <= 64; n++) {
            weft_problem p = weft_problem_1d((weft_type)type, n, WEFT_FORWARD);
            double bound, most = 0, x[128], out[128], hi[128], lo[128];
            weft_plan *plan = NULL;
            noise_state noise = {(uint64_t)n};
            if (!CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK, "%s",
                       weft_error_text()))
                continue;
            weft_plan_error(plan, &bound, NULL);
            for (int trial = 0; trial < 100; trial++) {
                double in[128];
                for (int i = 0; i < 2 * n; i++) {
                    x[i] = oracle_sample(&noise, p.type);
                    put(&p, in, i, x[i]);
                }
                weft_execute(plan, in, out);
                weft_reference(n, WEFT_FORWARD, x, hi, lo);
                double got[128];
                for (int i = 0; i < 2 * n; i++)
                    got[i] = get(&p, out, i);
                double error = oracle_compare(n, got, hi, lo, 1).l2;
                most = error > most ? error : most;
            }
            CHECK(most <= bound, "%s %lld: error %.4g, bound %.4g",
                  type ? "f32" : "f64", (long long)n, most, bound);
            weft_plan_release(plan);
        }
}

/* Real kinds by their definition, across columns: sums of many numbers must not err
 * more than transforms. */
static void test_long_sums(void)
{
    enum { N = 48, COLUMNS = 7, TRIALS = 100 };
    static const weft_kind kind[] = {WEFT_RODFT00, WEFT_REDFT10, WEFT_DHT};
    static const char *const names[] = {"rodft00", "redft10", "dht"};
    static float in[N * COLUMNS], out[N * COLUMNS];
    noise_state noise = {48};
    for (int k = 0; k < 3; k++) {
        char text[80], tree[80];
        snprintf(text, sizeof text, "%s:f32:48/7/7*7/1/1", names[k]);
        snprintf(tree, sizeof tree, "(rank (cols 0 (dense %s 48)))", names[k]);
        const weft_plan_options options = {.size = sizeof options,
                                           .tree = tree};
        weft_problem p;
        weft_plan *plan = NULL;
        double bound = 0, most = 0;
        if (!CHECK(weft_problem_parse(text, &p) == WEFT_OK &&
                       weft_plan_create(&p, &options, &plan) == WEFT_OK &&
                       weft_plan_error(plan, &bound, NULL) == WEFT_OK,
                   "%s: %s", tree, weft_error_text()))
            continue;
        for (int trial = 0; trial < TRIALS; trial++) {
            for (int i = 0; i < N * COLUMNS; i++)
                in[i] = (float)noise_real(&noise);
            weft_execute(plan, in, out);
            for (int c = 0; c < COLUMNS; c++) {
                const int64_t n = N;
                double x[N], got[N], hi[N], lo[N];
                for (int i = 0; i < N; i++) {
                    x[i] = in[i * COLUMNS + c];
                    got[i] = out[i * COLUMNS + c];
                }
                oracle_r2r(WEFT_F32, false, 1, &n, &kind[k], x, hi, lo);
                double error = oracle_compare(N / 2, got, hi, lo, 1).l2;
                most = error > most ? error : most;
            }
        }
        CHECK(most <= bound, "%s: error %.4g, bound %.4g", tree, most, bound);
        weft_plan_release(plan);
    }
}

/* ---- The interface -------------------------------------------------------- */

static void expect(weft_status want, const char *text, const char *part)
{
    weft_problem p;
    weft_plan *plan = NULL;
    weft_status status = weft_problem_parse(text, &p);
    if (status == WEFT_OK)
        status = weft_plan_create(&p, NULL, &plan);
    CHECK(status == want && strstr(weft_error_text(), part), "%s: %s: %s",
          text, weft_status_name(status), weft_error_text());
    weft_plan_release(plan);
}

static void test_texts(void)
{
    static const char *const texts[] = {
        "c2c:f64:64:precision=compensated",
        "c2c:f32:64:precision=double",
        "c2c:f32:8x9*3:inverse:threads=2:precision=compensated",
        "c2c:f64:100:norm=ortho:precision=compensated",
        "c2c:f32:64:target=1e-07",
        "c2c:f64:64:split:target=2.5e-16"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weft_problem p;
        char text[200] = "";
        CHECK(weft_problem_parse(texts[i], &p) == WEFT_OK &&
                  weft_problem_print(&p, text, sizeof text, NULL) == WEFT_OK &&
                  !strcmp(text, texts[i]),
              "%s prints as %s: %s", texts[i], text, weft_error_text());
    }
    expect(WEFT_ERR_PARSE, "c2c:f64:8:precision=exact", "\"exact\"");
    expect(WEFT_ERR_PARSE, "c2c:f64:8:precision=slices", "\"slices\"");
    expect(WEFT_ERR_PARSE, "c2c:f64:8:precision=slices9", "\"slices9\"");
    expect(WEFT_ERR_PARSE, "c2c:f64:8:target=0", "\"0\"");
    expect(WEFT_ERR_PARSE, "c2c:f64:8:target=-1", "\"-1\"");
    expect(WEFT_ERR_ARGUMENT, "c2c:f64:8:target=1:precision=double",
           "target_error is 1");
    expect(WEFT_ERR_TARGET, "c2c:f32:1000:target=1e-9", "5.96e-08");
    expect(WEFT_ERR_TARGET, "r2c:f64:1000:target=1e-16",
           "1.11e-16, of precision compensated");
    expect(WEFT_ERR_TARGET, "redft10:f64:8x9:target=1e-16",
           "of precision fast");
    expect(WEFT_ERR_UNSUPPORTED, "redft10:f64:8x9:precision=compensated",
           "precision compensated has real kinds of one dimension only");
    expect(WEFT_ERR_UNSUPPORTED, "redft10:f32:8:norm=ortho:precision=split3",
           "end elements");
    expect(WEFT_ERR_TARGET, "c2c:f32:64:engine=neuron:target=1e-9",
           "of precision slices");
    expect(WEFT_ERR_UNSUPPORTED, "redft10:f64:64:engine=neuron:target=1e-9",
           "not redft10");
    expect(WEFT_ERR_TARGET, "c2c:f64:1000:target=1e-17", "1.11e-16");
    weft_problem p = weft_problem_1d(WEFT_F64, 8, WEFT_FORWARD);
    p.slices = 3;
    CHECK(weft_problem_check(&p) == WEFT_ERR_ARGUMENT &&
              strstr(weft_error_text(), "slices is 3"),
          "slices without the mode: %s", weft_error_text());
    p.slices = 0;
    p.target_error = nan("");
    CHECK(weft_problem_check(&p) == WEFT_ERR_ARGUMENT &&
              strstr(weft_error_text(), "target_error is"),
          "target not a number: %s", weft_error_text());
    double bound;
    CHECK(weft_plan_error(NULL, &bound, NULL) == WEFT_ERR_ARGUMENT,
          "no plan has an error");
}

/* The same work is one plan: double on f64 is fast, compensated f32 is
 * double; and wisdom and the one-call cache keep modes apart. */
static void test_meetings(void)
{
    static const char *const pairs[][2] = {
        {"c2c:f64:16:precision=double", "(rank (rows 0 (leaf 16)))"},
        {"c2c:f32:16:precision=double", "(widen (rank (rows 0 (leaf 16))))"},
        {"c2c:f32:16:precision=compensated",
         "(widen (rank (rows 0 (leaf 16))))"},
        {"c2c:f64:62:precision=compensated",
         "(pairs (chirp 0 62 m128 (passes 0 128 4.4.4.2)))"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        weft_problem p;
        weft_plan *plan = NULL;
        char text[200] = "";
        weft_problem_parse(pairs[i][0], &p);
        CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
                  weft_plan_text(plan, text, sizeof text, NULL) == WEFT_OK &&
                  !strcmp(text, pairs[i][1]),
              "%s: %s %s", pairs[i][0], text, weft_error_text());
        weft_plan_release(plan);
    }
    sample s = sample_new(WEFT_F64, 60, false);
    double fast[120], best[120];
    weft_problem p = weft_problem_1d(WEFT_F64, 60, WEFT_FORWARD);
    weft_transform(&p, s.in, fast);
    p.precision = WEFT_PRECISION_COMPENSATED;
    weft_transform(&p, s.in, best);
    CHECK(oracle_compare(60, best, s.hi, s.lo, 1).l2 <
              0.5 * oracle_compare(60, fast, s.hi, s.lo, 1).l2,
          "the cache mixes up precisions");
    weft_plan_options options = {.size = sizeof options,
                                 .effort = WEFT_MEASURE,
                                 .time_limit = 0.001};
    weft_plan *plan = NULL;
    char *wisdom = NULL;
    p.norm = WEFT_NORM_ORTHO;
    CHECK(weft_plan_create(&p, &options, &plan) == WEFT_OK &&
              weft_wisdom_export(&wisdom) == WEFT_OK &&
              strstr(wisdom, ":norm=ortho:precision=compensated") != NULL,
          "measuring: %s, wisdom %s", weft_error_text(),
          wisdom ? wisdom : "none");
    CHECK(weft_wisdom_import(wisdom) == WEFT_OK, "%s", weft_error_text());
    weft_free(wisdom);
    weft_plan_release(plan);
    weft_wisdom_forget();
    sample_free(&s);
}

/* Whatever order a mode leaves, weft_plan_order tells it: the transform of an
 * impulse at 1 is the roots of unity in that order. */
static void test_order(void)
{
    static const char *const texts[] = {
        "c2c:f32:1048576:scrambled:precision=double",
        "c2c:f64:1048576:scrambled:precision=compensated",
        "c2c:f64:1048576:scrambled:target=2e-16"};
    const int64_t n = 1 << 20;
    double *in = need(2 * (size_t)n * sizeof *in);
    double *out = need(2 * (size_t)n * sizeof *out);
    int64_t *order = need((size_t)n * sizeof *order);
    for (int i = 0; i < 3; i++) {
        weft_problem p;
        weft_plan *plan = NULL;
        memset(in, 0, 2 * (size_t)n * sizeof *in);
        weft_problem_parse(texts[i], &p);
        put(&p, in, 2, 1);
        if (!CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK, "%s: %s",
                   texts[i], weft_error_text()))
            continue;
        weft_execute(plan, in, out);
        CHECK(weft_plan_order(plan, order, (size_t)n) == WEFT_OK, "%s",
              weft_error_text());
        for (int64_t k = 0; k < n; k += 9973) {
            oracle_quad re, im;
            oracle_root((n - order[k]) % n, n, &re, &im);
            CHECK(fabs(get(&p, out, 2 * k) - (double)re) < units[p.type] &&
                      fabs(get(&p, out, 2 * k + 1) - (double)im) <
                          units[p.type],
                  "%s: frequency %lld is not at %lld", texts[i],
                  (long long)order[k], (long long)k);
        }
        weft_plan_release(plan);
    }
    free(in);
    free(out);
    free(order);
}

int main(int argc, char **argv)
{
    int64_t limit = 1 << 14;
    int targets = 1000;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--to"))
            limit = INT64_C(1) << atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--targets"))
            targets = atoi(argv[i + 1]);
    }
    printf("precision_test: %s\n", weft_isa());
    test_texts();
    test_meetings();
    test_low_parts();
    test_not_finite();
    test_order();
    test_short_bounds();
    test_long_sums();
    test_precise(limit);
    test_targets(targets);
    return check_report("precision_test");
}
