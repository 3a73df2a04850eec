/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c2c_test.c - every length: 1..1024 one by one, then samples of every kind
 * of number, against the oracle.  Both types, both signs, out of place and in
 * place, interleaved and split, batches, normalisations.
 *
 *     c2c_test [--max N] [--to LOG2] [--deal N]
 *
 * --max: exhaustive to N instead of 1024; --to: powers of two and primes to
 * 2^LOG2 instead of 2^18.  WEFT_ISA says for which instruction set.  --deal:
 * lengths from N on are dealt out among the four instruction sets of x86, as
 * the oracle takes most of the time; run on all four, each length is tested.
 *
 * The oracle is asked once for each length and type; the inverse is the
 * forward transform read backwards, and the vectors of a batch are the first
 * one times powers of i and of 2, which cost no rounding.
 */
#include "check.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
    weft_type type;
    int64_t n;
    double *in, *hi[2], *lo[2]; /* by sign */
} sample;

/* The largest error over bar, for the report. */
static struct worst {
    double ratio, units;
    int64_t n;
} worst[2][2]; /* by type, and smooth or not */

static void *need(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block) {
        fprintf(stderr, "c2c_test: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    return block;
}

static sample make_sample(weft_type type, int64_t n)
{
    sample s = {.type = type, .n = n};
    size_t bytes = (size_t)n * 2 * sizeof(double);
    noise_state noise = {(uint64_t)n * 2 + type};
    s.in = need(bytes);
    for (int sign = 0; sign < 2; sign++) {
        s.hi[sign] = need(bytes);
        s.lo[sign] = type == WEFT_F64 ? need(bytes) : NULL;
    }
    for (int64_t i = 0; i < 2 * n; i++)
        s.in[i] = oracle_sample(&noise, type);
    oracle_transform(type, false, 1, &n, s.in, s.hi[0], s.lo[0]);
    oracle_reverse(n, s.hi[0], s.hi[1]);
    if (s.lo[0])
        oracle_reverse(n, s.lo[0], s.lo[1]);
    return s;
}

static void free_sample(sample *s)
{
    free(s->in);
    for (int sign = 0; sign < 2; sign++) {
        free(s->hi[sign]);
        free(s->lo[sign]);
    }
}

/* ---- Buffers of either type and layout ---------------------------------- */

typedef struct buffer {
    weft_type type;
    bool split;
    int64_t count;
    void *re, *im;
} buffer;

static size_t buffer_bytes(const buffer *b)
{
    size_t real = b->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    return (size_t)b->count * real * (b->split ? 1 : 2);
}

/* Full of bytes that make every number not a number. */
static buffer make_buffer(const weft_problem *p, int64_t count)
{
    buffer b = {.type = p->type,
                .split = p->layout == WEFT_SPLIT,
                .count = count};
    b.re = need(buffer_bytes(&b));
    memset(b.re, 0xff, buffer_bytes(&b));
    if (b.split) {
        b.im = need(buffer_bytes(&b));
        memset(b.im, 0xff, buffer_bytes(&b));
    }
    return b;
}

static void free_buffer(buffer *b)
{
    free(b->re);
    free(b->im);
}

static void *real_at(const buffer *b, int64_t element, int part)
{
    size_t real = b->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    char *start = b->split && part ? b->im : b->re;
    int64_t index = b->split ? element : 2 * element + part;
    return start + (size_t)index * real;
}

static double get(const buffer *b, int64_t element, int part)
{
    const void *at = real_at(b, element, part);
    return b->type == WEFT_F64 ? *(const double *)at : *(const float *)at;
}

static void put(buffer *b, int64_t element, int part, double value)
{
    void *at = real_at(b, element, part);
    if (b->type == WEFT_F64)
        *(double *)at = value;
    else
        *(float *)at = (float)value;
}

/* ---- One problem -------------------------------------------------------- */

/* Element k of vector v. */
static int64_t offset(const weft_problem *p, int64_t v, int64_t k)
{
    if (p->dims[0].is == 0)
        return v * p->dims[0].n + k;
    return v * p->batch[0].is + k * p->dims[0].is;
}

/* i^v 2^(v%3) (re + i im): exact. */
static void turn(int64_t v, double *re, double *im)
{
    double scale = (double)(1 << v % 3), a = *re * scale, b = *im * scale;
    switch (v % 4) {
    case 0: *re = a, *im = b; break;
    case 1: *re = -b, *im = a; break;
    case 2: *re = -a, *im = -b; break;
    default: *re = b, *im = -a; break;
    }
}

static void load(const weft_problem *p, const sample *s, int64_t vectors,
                 buffer *b)
{
    for (int64_t v = 0; v < vectors; v++)
        for (int64_t k = 0; k < s->n; k++) {
            double re = s->in[2 * k], im = s->in[2 * k + 1];
            turn(v, &re, &im);
            put(b, offset(p, v, k), 0, re);
            put(b, offset(p, v, k), 1, im);
        }
}

static void note(const sample *s, double error, double bar)
{
    const double unit = s->type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
    struct worst *w = &worst[s->type][bar == 5 * unit];
    if (error / bar > w->ratio)
        *w = (struct worst){error / bar, error / unit, s->n};
}

static void compare(const weft_problem *p, const sample *s, int64_t vectors,
                    const buffer *b, const char *name)
{
    double *got = need((size_t)s->n * 2 * sizeof *got);
    double bar = oracle_bar(s->type, 1, &s->n);
    double bar_max = oracle_bar_max(s->type, 1, &s->n);
    oracle_quad scale = oracle_scale(p);
    int exponent; /* a scale that is no power of two costs one more u */
    if (fabs(frexp((double)scale, &exponent)) != 0.5)
        bar += s->type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
    for (int64_t v = 0; v < vectors; v++) {
        for (int64_t k = 0; k < s->n; k++) {
            got[2 * k] = get(b, offset(p, v, k), 0);
            got[2 * k + 1] = get(b, offset(p, v, k), 1);
        }
        /* i^-v, without the power of two, which goes to the scale. */
        for (int64_t k = 0; k < s->n; k++)
            turn((4 - v % 4) % 4 * 9, &got[2 * k], &got[2 * k + 1]);
        oracle_error e = oracle_compare(s->n, got, s->hi[p->sign],
                                        s->lo[p->sign], scale * (1 << v % 3));
        CHECK(e.l2 <= bar, "%s, vector %lld: relative L2 error %.3g, bar %.3g",
              name, (long long)v, e.l2, bar);
        CHECK(e.max <= bar_max,
              "%s, vector %lld: largest error %.3g, bar "
              "%.3g",
              name, (long long)v, e.max, bar_max);
        if (scale == 1)
            note(s, e.l2, bar);
    }
    free(got);
}

static weft_status execute(const weft_plan *plan, const buffer *in,
                           const buffer *out)
{
    if (in->split)
        return weft_execute_split(plan, in->re, in->im, out->re, out->im);
    return weft_execute(plan, in->re, out->re);
}

static bool same_bytes(const buffer *a, const buffer *b)
{
    return !memcmp(a->re, b->re, buffer_bytes(a)) &&
           (!a->split || !memcmp(a->im, b->im, buffer_bytes(a)));
}

static void run_by(const char *rule, const weft_problem *p, const sample *s)
{
    weft_plan_options options = {.size = sizeof options, .rule = rule};
    char name[256] = "?";
    int64_t vectors = p->batch_rank ? p->batch[0].n : 1;
    weft_plan *plan = NULL;
    weft_problem_print(p, name, sizeof name, NULL);
    weft_status status = weft_plan_create(p, &options, &plan);
    if (!CHECK(status == WEFT_OK, "%s: plan: %s: %s", name,
               weft_status_name(status), weft_error_text()))
        return;
    bool in_place = p->place == WEFT_IN_PLACE;
    buffer in = make_buffer(p, vectors * s->n);
    buffer out = make_buffer(p, vectors * s->n);
    load(p, s, vectors, &in);
    status = execute(plan, &in, in_place ? &in : &out);
    CHECK(status == WEFT_OK, "%s: execute: %s", name, weft_error_text());
    compare(p, s, vectors, in_place ? &in : &out, name);
    if (!in_place) {
        load(p, s, vectors, &out);
        CHECK(same_bytes(&in, &out), "%s: the input changed", name);
    }
    free_buffer(&in);
    free_buffer(&out);
    weft_plan_release(plan);
}

static void run(const weft_problem *p, const sample *s)
{
    run_by(NULL, p, s);
}

/* ---- The variants of one length ----------------------------------------- */

static weft_problem variant(const sample *s, int bits)
{
    weft_problem p = weft_problem_1d(s->type, s->n,
                                     bits & 1 ? WEFT_INVERSE : WEFT_FORWARD);
    p.place = bits & 2 ? WEFT_IN_PLACE : WEFT_OUT_OF_PLACE;
    p.layout = bits & 4 ? WEFT_SPLIT : WEFT_INTERLEAVED;
    return p;
}

static void run_variants(const sample *s)
{
    for (int bits = 0; bits < 8; bits++) {
        weft_problem p = variant(s, bits);
        run(&p, s);
    }
}

static void run_batches(const sample *s)
{
    static const int64_t counts[] = {1, 3, 9, 17};
    for (int bits = 0; bits < 8; bits++)
        for (int i = 0; i < 4; i++) {
            weft_problem p = variant(s, bits);
            p.batch_rank = 1;
            p.batch[0].n = counts[i];
            run(&p, s);
            /* The same as columns of a row-major matrix. */
            p.dims[0].is = p.dims[0].os = counts[i];
            p.batch[0].is = p.batch[0].os = 1;
            run(&p, s);
        }
}

static void run_norms(const sample *s)
{
    for (int norm = WEFT_NORM_BACKWARD; norm <= WEFT_NORM_SCALE; norm++)
        for (int bits = 0; bits < 8; bits++) {
            weft_problem p = variant(s, bits);
            p.norm = (weft_norm)norm;
            p.scale = norm == WEFT_NORM_SCALE ? -0.7 : 0;
            run(&p, s);
        }
}

/* A long vector: each sign, place and layout at least once. */
static void run_few(const sample *s)
{
    static const int few[] = {0, 3, 5, 6};
    for (int i = 0; i < 4; i++) {
        weft_problem p = variant(s, few[i]);
        run(&p, s);
    }
}

/* Whether this instruction set is the one of four that tests length n. */
static bool dealt_here(int64_t n)
{
    static const char *const hands[] = {"scalar", "sse2", "avx2", "avx512"};
    uint32_t mixed = (uint32_t)n * UINT32_C(2654435761);
    return !strcmp(weft_isa(), hands[mixed >> 30]);
}

static void test_all_lengths(int64_t largest, int64_t deal)
{
    for (int64_t n = 1; n <= largest; n++)
        for (int type = WEFT_F64; type <= WEFT_F32; type++) {
            if (n >= deal && !dealt_here(n))
                continue;
            sample s = make_sample((weft_type)type, n);
            if (n <= 1024)
                run_variants(&s);
            else
                run_few(&s);
            if (n <= 33 || (n <= 1024 && n % 63 < 2))
                run_batches(&s);
            if (n <= 20 || (n <= 1024 && n % 97 == 0))
                run_norms(&s);
            free_sample(&s);
        }
}

static void test_length(int64_t n)
{
    for (int type = WEFT_F64; type <= WEFT_F32; type++) {
        sample s = make_sample((weft_type)type, n);
        run_few(&s);
        free_sample(&s);
    }
}

static void test_samples(int64_t limit)
{
    static const int64_t lengths[] = {
        1025,  1080,  1155,  1287,  1331,  1458,  1500,  1536,  2002,  2003,
        2187,  2310,  2401,  3000,  3072,  3125,  3721,  3969,  4087,  4093,
        4095,  4097,  4099,  4620,  4913,  5040,  5929,  6144,  6561,  7919,
        8190,  8191,  9998,  9999,  10000, 10007, 10080, 12288, 14641, 15015,
        15625, 16807, 24576, 28561, 29791, 30030, 44100, 48000, 49152, 50653,
        65520, 65537, 68921, 69984, 98304, 100003};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        test_length(lengths[i]);
    for (int64_t n = 2048; n <= limit; n *= 2)
        test_length(n);
    if (limit >= 1 << 20) {
        test_length(1000000);
        test_length(524287);      /* prime */
        test_length(720720);      /* 2^4 3^2 5 7 11 13 */
        test_length(1 << 17 | 1); /* 3 * 43691 */
    }
}

/* Far columns: narrow vectors only meet them at lengths that are not tested
 * otherwise, or that have other plans there. */
static void test_fourstep(void)
{
    static const int64_t lengths[] = {1 << 17, 1 << 18, 180000, 250000};
    for (int type = WEFT_F64; type <= WEFT_F32; type++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            sample s = make_sample((weft_type)type, lengths[i]);
            for (int bits = 0; bits < 4; bits++) {
                weft_problem p = variant(&s, bits);
                run_by("fourstep", &p, &s);
            }
            free_sample(&s);
        }
}

/* Several dimensions are random_test's work; here one known image. */
static void test_two_dimensions(void)
{
    for (int type = WEFT_F64; type <= WEFT_F32; type++) {
        const int64_t shape[2] = {60, 128}, total = 60 * 128;
        weft_type t = (weft_type)type;
        sample s = {.type = t, .n = total};
        size_t bytes = (size_t)total * 2 * sizeof(double);
        noise_state noise = {60};
        double *hi = need(bytes), *lo = need(bytes), *got = need(bytes);
        s.in = need(bytes);
        for (int64_t i = 0; i < 2 * total; i++)
            s.in[i] = oracle_sample(&noise, t);
        oracle_transform(t, false, 2, shape, s.in, hi, lo);
        weft_problem p = weft_problem_nd(t, 2, shape, 1, WEFT_FORWARD);
        buffer in = make_buffer(&p, total), out = make_buffer(&p, total);
        for (int64_t i = 0; i < 2 * total; i++)
            put(&in, i / 2, (int)(i % 2), s.in[i]);
        weft_status status = weft_fftn(t, 2, shape, in.re, out.re);
        CHECK(status == WEFT_OK, "weft_fftn: %s", weft_error_text());
        for (int64_t i = 0; i < 2 * total; i++)
            got[i] = get(&out, i / 2, (int)(i % 2));
        oracle_error e = oracle_compare(total, got, hi, lo, 1);
        double bar = oracle_bar(t, 2, shape);
        CHECK(e.l2 <= bar, "60x128: relative L2 error %.3g, bar %.3g", e.l2,
              bar);
        free_buffer(&in);
        free_buffer(&out);
        free(s.in);
        free(hi);
        free(lo);
        free(got);
    }
}

static void report(void)
{
    static const char *const types[] = {"f64", "f32"};
    static const char *const classes[] = {"smooth", "other"};
    for (int type = 0; type < 2; type++)
        for (int i = 0; i < 2; i++) {
            const struct worst *w = &worst[type][i];
            printf("%s, %-6s lengths: %.2f u (%.0f %% of the bar) at "
                   "n = %lld\n",
                   types[type], classes[i], w->units, 100 * w->ratio,
                   (long long)w->n);
        }
}

int main(int argc, char **argv)
{
    int64_t largest = 1024, limit = 1 << 18, deal = INT64_MAX;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--max"))
            largest = atoll(argv[i + 1]);
        else if (!strcmp(argv[i], "--to"))
            limit = INT64_C(1) << atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--deal"))
            deal = atoll(argv[i + 1]);
    }
    printf("c2c_test: %s\n", weft_isa());
    test_all_lengths(largest, deal);
    test_samples(limit);
    test_fourstep();
    test_two_dimensions();
    report();
    return check_report("c2c_test");
}
