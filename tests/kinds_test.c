/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kinds_test.c - every length of every real kind: 1..1024 one by one, then
 * samples, against the oracle.  Both types, out of place and in place,
 * batches by rows and by columns, normalisations, mixed kinds in two and three
 * dimensions.
 *
 *     kinds_test [--max N] [--to LOG2]
 *
 * --max: exhaustive to N instead of 1024; --to: samples to 2^LOG2 instead of
 * 2^13.  WEFT_ISA says for which instruction set.
 *
 * The bars are those of complex transforms (oracle.h) with the period for N:
 * the matrices are orthogonal but for a factor and at most two rows or
 * columns, weighted by sqrt(2), so a relative error in the sense of L2 is not
 * amplified by more than that, and the passes around the transform inside
 * round no more than the levels that the period has and it has not.  The
 * smallest lengths have the slack of single vectors, 1 + 1/sqrt(N) (weft.h).
 *
 * The oracle is asked six times for each length and type: a cosine and a sine
 * transform together, R2C and DHT rearranged from R2HC, C2R from HC2R.  The
 * vectors of a batch are the first one times powers of -2.
 */
#include "check.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One vector of a kind and what its transform should be, as reals: R2C and
 * C2R count both parts of each complex number. */
typedef struct sample {
    weft_kind kind;
    weft_type type;
    int64_t n, in_count, out_count;
    double *in, *hi, *lo;
} sample;

static struct worst {
    double ratio, units;
    int64_t n;
} worst[WEFT_R2R][2]; /* by kind and type */

static void *need(size_t bytes)
{
    void *block = calloc(1, bytes ? bytes : 1);
    if (!block) {
        fprintf(stderr, "kinds_test: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    return block;
}

static double *numbers(int64_t count)
{
    return need((size_t)count * sizeof(double));
}

static double unit_of(weft_type type)
{
    return type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
}

/* Room for one real more than there is: errors are summed by pairs. */
static sample new_sample(weft_kind kind, weft_type type, int64_t n)
{
    int64_t half = 2 * (n / 2 + 1);
    sample s = {.kind = kind,
                .type = type,
                .n = n,
                .in_count = kind == WEFT_C2R ? half : n,
                .out_count = kind == WEFT_R2C ? half : n};
    noise_state noise = {(uint64_t)n * 64 + (uint64_t)kind * 2 + type};
    s.in = numbers(half);
    s.hi = numbers(half);
    s.lo = numbers(half);
    for (int64_t i = 0; i < s.in_count; i++)
        s.in[i] = oracle_sample(&noise, type);
    return s;
}

static void free_sample(sample *s)
{
    free(s->in);
    free(s->hi);
    free(s->lo);
}

/* ---- Running one problem ------------------------------------------------- */

typedef struct buffer {
    weft_type type;
    int64_t count;
    void *data;
} buffer;

static size_t bytes_of(const buffer *b)
{
    return (size_t)b->count *
           (b->type == WEFT_F64 ? sizeof(double) : sizeof(float));
}

/* Full of bytes that make every number not a number. */
static buffer make_buffer(weft_type type, int64_t count)
{
    buffer b = {type, count, NULL};
    b.data = need(bytes_of(&b));
    memset(b.data, 0xff, bytes_of(&b));
    return b;
}

static double get(const buffer *b, int64_t at)
{
    return b->type == WEFT_F64 ? ((const double *)b->data)[at]
                               : ((const float *)b->data)[at];
}

static void put(buffer *b, int64_t at, double value)
{
    if (b->type == WEFT_F64)
        ((double *)b->data)[at] = value;
    else
        ((float *)b->data)[at] = (float)value;
}

/* Where real i of vector v lies. */
typedef struct layout {
    int64_t stride, dist; /* of elements */
    int parts;            /* reals an element */
} layout;

static int64_t place(const layout *l, int64_t v, int64_t i)
{
    return l->parts * (v * l->dist + i / l->parts * l->stride) + i % l->parts;
}

static layout layout_of(const weft_problem *p, const sample *s, bool input)
{
    weft_kind complex_kind = input ? WEFT_C2R : WEFT_R2C;
    bool halves = s->kind == WEFT_R2C || s->kind == WEFT_C2R;
    layout l = {1, s->n, s->kind == complex_kind ? 2 : 1};
    if (p->batch_rank && p->batch[0].is == 1) {
        l.stride = p->batch[0].n;
        l.dist = 1;
    } else if (l.parts == 2) {
        l.dist = s->n / 2 + 1;
    } else if (halves && p->place == WEFT_IN_PLACE) {
        l.dist = 2 * (s->n / 2 + 1);
    }
    return l;
}

static double sign_of(int64_t v)
{
    return (v % 2 ? -1.0 : 1.0) * (double)(1 << v % 3);
}

static bool is_unread(const sample *s, int64_t i)
{
    return s->kind == WEFT_C2R && (i == 1 || (s->n % 2 == 0 && i == s->n + 1));
}

/* What the problem does not read stays not a number. */
static void load(const weft_problem *p, const sample *s, buffer *b)
{
    int64_t vectors = p->batch_rank ? p->batch[0].n : 1;
    layout l = layout_of(p, s, true);
    for (int64_t v = 0; v < vectors; v++)
        for (int64_t i = 0; i < s->in_count; i++)
            if (!is_unread(s, i))
                put(b, place(&l, v, i), sign_of(v) * s->in[i]);
}

static void compare(const weft_problem *p, const sample *s, const buffer *b,
                    oracle_quad scale, const char *name)
{
    int64_t vectors = p->batch_rank ? p->batch[0].n : 1;
    int64_t period = oracle_period(s->kind, s->n), count = s->out_count;
    double *got = numbers(count + 1);
    double slack = 1 + 1 / sqrt((double)period);
    double bar = slack * oracle_bar(s->type, 1, &period);
    double bar_max = slack * oracle_bar_max(s->type, 1, &period);
    layout l = layout_of(p, s, false);
    int exponent;
    if (fabs(frexp((double)scale, &exponent)) != 0.5 ||
        p->norm == WEFT_NORM_ORTHO)
        bar += unit_of(s->type);
    for (int64_t v = 0; v < vectors; v++) {
        for (int64_t i = 0; i < count; i++)
            got[i] = get(b, place(&l, v, i));
        oracle_error e = oracle_compare((count + 1) / 2, got, s->hi, s->lo,
                                        scale * sign_of(v));
        CHECK(e.l2 <= bar, "%s, vector %lld: relative L2 error %.3g, bar %.3g",
              name, (long long)v, e.l2, bar);
        CHECK(e.max <= bar_max,
              "%s, vector %lld: largest error %.3g, bar %.3g", name,
              (long long)v, e.max, bar_max);
        struct worst *w = &worst[s->kind][s->type];
        if (e.l2 / bar > w->ratio)
            *w = (struct worst){e.l2 / bar, e.l2 / unit_of(s->type), s->n};
    }
    free(got);
}

/* By this tree, or by the plan of the model: NULL. */
static void run_by(const char *tree, const weft_problem *p, const sample *s,
                   oracle_quad scale)
{
    const weft_plan_options options = {.size = sizeof options, .tree = tree};
    char name[256] = "?";
    int64_t vectors = p->batch_rank ? p->batch[0].n : 1;
    int64_t room = vectors * 2 * (s->n / 2 + 1);
    bool in_place = p->place == WEFT_IN_PLACE;
    weft_plan *plan = NULL;
    weft_problem_print(p, name, sizeof name, NULL);
    weft_status status = weft_plan_create(p, tree ? &options : NULL, &plan);
    if (!CHECK(status == WEFT_OK, "%s: plan %s: %s: %s", name,
               tree ? tree : "", weft_status_name(status), weft_error_text()))
        return;
    buffer in = make_buffer(s->type, room), out = make_buffer(s->type, room);
    load(p, s, &in);
    status = weft_execute(plan, in.data, in_place ? in.data : out.data);
    CHECK(status == WEFT_OK, "%s: execute: %s", name, weft_error_text());
    compare(p, s, in_place ? &in : &out, scale, name);
    if (!in_place) {
        memset(out.data, 0xff, bytes_of(&out));
        load(p, s, &out);
        CHECK(!memcmp(in.data, out.data, bytes_of(&in)),
              "%s: the input changed", name);
    }
    free(in.data);
    free(out.data);
    weft_plan_release(plan);
}

static void run(const weft_problem *p, const sample *s, oracle_quad scale)
{
    run_by(NULL, p, s, scale);
}

/* ---- The variants of one sample ------------------------------------------ */

static weft_problem problem_of(const sample *s, bool in_place)
{
    weft_problem p = weft_problem_1d(s->type, s->n, WEFT_FORWARD);
    p.kind = s->kind;
    p.place = in_place ? WEFT_IN_PLACE : WEFT_OUT_OF_PLACE;
    return p;
}

static void run_places(const sample *s)
{
    for (int place = 0; place < 2; place++) {
        weft_problem p = problem_of(s, place);
        run(&p, s, 1);
    }
}

static void run_batches(const sample *s)
{
    static const int64_t counts[] = {3, 9, 17, 35};
    bool halves = s->kind == WEFT_R2C || s->kind == WEFT_C2R;
    for (int i = 0; i < 8; i++) {
        weft_problem p = problem_of(s, i % 2);
        p.batch_rank = 1;
        p.batch[0].n = counts[i / 2];
        run(&p, s, 1);
        if (halves && i % 2) /* columns of these do not lie on themselves */
            continue;
        p.dims[0].is = p.dims[0].os = counts[i / 2];
        p.batch[0].is = p.batch[0].os = 1;
        run(&p, s, 1);
    }
}

static void run_norms(const sample *s)
{
    for (int norm = WEFT_NORM_BACKWARD; norm <= WEFT_NORM_SCALE; norm++)
        for (int bits = 0; bits < 4; bits++) {
            weft_problem p = problem_of(s, bits & 1);
            p.sign = bits & 2 ? WEFT_INVERSE : WEFT_FORWARD;
            p.norm = (weft_norm)norm;
            p.scale = norm == WEFT_NORM_SCALE ? -0.7 : 0;
            sample orthogonal = *s;
            oracle_quad scale = oracle_scale(&p);
            bool ends = norm == WEFT_NORM_ORTHO && s->kind >= WEFT_R2HC;
            if (ends) { /* the end elements have scales of their own */
                orthogonal.hi = numbers(s->n + 1);
                orthogonal.lo = numbers(s->n + 1);
                oracle_r2r(s->type, true, 1, &s->n, &s->kind, s->in,
                           orthogonal.hi, orthogonal.lo);
                scale = 1;
            }
            run(&p, &orthogonal, scale);
            if (ends) {
                free(orthogonal.hi);
                free(orthogonal.lo);
            }
        }
}

static void run_all(const sample *s)
{
    if (s->n < 1 || (s->kind == WEFT_REDFT00 && s->n < 2))
        return;
    run_places(s);
    if (s->n <= 33 || (s->n <= 1024 && s->n % 63 < 2))
        run_batches(s);
    if (s->n <= 12 || (s->n <= 1024 && s->n % 97 == 0))
        run_norms(s);
}

/* ---- All kinds of one length --------------------------------------------- */

static oracle_quad value(const sample *s, int64_t i)
{
    return (oracle_quad)s->hi[i] + s->lo[i];
}

static void set(sample *s, int64_t i, oracle_quad x)
{
    s->hi[i] = (double)x;
    s->lo[i] = (double)(x - s->hi[i]);
}

/* R2HC, and R2C and DHT from the same numbers. */
static void run_forward(weft_type type, int64_t n)
{
    sample hc = new_sample(WEFT_R2HC, type, n);
    sample r2c = new_sample(WEFT_R2C, type, n);
    sample dht = new_sample(WEFT_DHT, type, n);
    oracle_r2r(type, false, 1, &n, &hc.kind, hc.in, hc.hi, hc.lo);
    memcpy(r2c.in, hc.in, (size_t)n * sizeof(double));
    memcpy(dht.in, hc.in, (size_t)n * sizeof(double));
    for (int64_t k = 0; k < n; k++) {
        int64_t low = 2 * k <= n ? k : n - k;
        bool has_im = low > 0 && 2 * low < n;
        oracle_quad re = value(&hc, low),
                    im = has_im ? value(&hc, n - low) : 0;
        set(&dht, k, low == k ? re - im : re + im);
        if (low == k) {
            set(&r2c, 2 * k, re);
            set(&r2c, 2 * k + 1, im);
        }
    }
    run_all(&hc);
    run_all(&r2c);
    run_all(&dht);
    free_sample(&hc);
    free_sample(&r2c);
    free_sample(&dht);
}

static void run_backward(weft_type type, int64_t n)
{
    sample hc = new_sample(WEFT_HC2R, type, n);
    sample c2r = new_sample(WEFT_C2R, type, n);
    oracle_r2r(type, false, 1, &n, &hc.kind, hc.in, hc.hi, hc.lo);
    memcpy(c2r.hi, hc.hi, (size_t)n * sizeof(double));
    memcpy(c2r.lo, hc.lo, (size_t)n * sizeof(double));
    for (int64_t k = 0; 2 * k <= n; k++) {
        c2r.in[2 * k] = hc.in[k];
        c2r.in[2 * k + 1] = k > 0 && 2 * k < n ? hc.in[n - k] : 0;
    }
    run_all(&hc);
    run_all(&c2r);
    free_sample(&hc);
    free_sample(&c2r);
}

static void run_cosines_and_sines(weft_type type, int which, int64_t n,
                                  int64_t largest)
{
    static const weft_kind cosine[] = {WEFT_REDFT00, WEFT_REDFT10,
                                       WEFT_REDFT01, WEFT_REDFT11};
    static const weft_kind sine[] = {WEFT_RODFT00, WEFT_RODFT10, WEFT_RODFT01,
                                     WEFT_RODFT11};
    int more = which == 1;
    sample c = new_sample(cosine[which - 1], type, n + more);
    sample s = new_sample(sine[which - 1], type, n - more);
    const oracle_split c_out = {c.hi, c.lo}, s_out = {s.hi, s.lo};
    oracle_cosines_and_sines(type, which, n, c.in, s.in, &c_out, &s_out);
    if (c.n <= largest)
        run_all(&c);
    if (s.n <= largest)
        run_all(&s);
    free_sample(&c);
    free_sample(&s);
}

/* The first four kinds of work of a length, or the one that `only` says. */
static void test_length(int64_t n, int64_t largest, int only)
{
    for (int type = WEFT_F64; type <= WEFT_F32; type++)
        for (int i = 0; i < 6; i++) {
            weft_type t = (weft_type)type;
            if (only >= 0 && i != only)
                continue;
            if (i < 4)
                run_cosines_and_sines(t, i + 1, n, largest);
            else if (i == 4 && n <= largest)
                run_forward(t, n);
            else if (n <= largest)
                run_backward(t, n);
        }
}

/* Each kind has its turn among the lengths of each sort. */
static void test_samples(int64_t limit)
{
    static const int64_t lengths[] = {
        1025,   1027,   1080,   1155,    1536,   2002,  2003,  2048,   2187,
        2310,   3000,   3125,   4093,    4096,   4098,  4620,  5040,   6144,
        7919,   8000,   8190,   8191,    8192,   9999,  10007, 12288,  15015,
        16384,  16807,  30030,  32768,   44100,  65536, 65537, 100003, 131072,
        262144, 524287, 720720, 1000000, 1048576};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int turn = 0; turn < 2 && lengths[i] <= limit; turn++)
            test_length(lengths[i], INT64_MAX,
                        (int)(i + 3 * (size_t)turn) % 6);
}

/* ---- Types II and III that sort on their way ------------------------------ */

/* n = 2 n1 n2 and passes of the columns: 16.2 and 8.8.  Of the last, larger than
 * the caches, a span has several blocks, and the factors of the pass are made a
 * row at a time.  n2 = 1: one trip, passes of n/2. */
typedef struct split {
    int64_t n, n1, n2;
    const char *passes[2];
} split;

static const split splits[] = {
    {12288,
     6144,
     1,
     {"16.4.4.4.6"}}, /* an odd number of passes, an even one */
    {12288, 6144, 1, {"16.16.4.6"}},
    {12288, 6144, 1, {"16.4+4.4.6"}}, /* a pair between the ends, */
    {12288, 6144, 1, {"16+4.4.4+6"}}, /* at both: unzipped */
    {20480, 10240, 1, {"16.8.8.10"}}, /* tiles of six vectors, then of two */
    {10240, 5120, 1, {"16.8.8.5"}},   /* 5: III unzipped */
    {4096, 32, 64, {"16.2", "8.8"}},
    {30720, 96, 160, {"6.16", "10.16"}},
    {9216, 64, 72, {"8.8", "8.9"}}, /* 9: III unzipped, */
    {9216, 72, 64, {"9.8", "8.8"}}, /* II: of III an odd number of legs */
    {1 << 18, 128, 1024, {"8.16", "8.8.16"}}};

/* Every width that there are kernels of, the widest alone where it takes long;
 * threads that share the spans. */
static void run_split(const split *d, const sample *s)
{
    static const char *const names[] = {"redft01", "redft10", "rodft01",
                                        "rodft10"};
    static const weft_kind kinds[] = {WEFT_REDFT01, WEFT_REDFT10, WEFT_RODFT01,
                                      WEFT_RODFT10};
    const bool far = d->n > 1 << 17;
    const char *name = "";
    int widths = 0;
    for (int i = 0; i < 4; i++)
        if (kinds[i] == s->kind)
            name = names[i];
    for (int width = 16; width > 0; width /= 2) {
        weft_plan *plan = NULL;
        weft_problem p = problem_of(s, false);
        char tree[256];
        if (d->n2 == 1)
            snprintf(tree, sizeof tree,
                     "(rank (rows 0 (halved %s %lld (stockham %lld w%d "
                     "%s))))",
                     name, (long long)d->n, (long long)d->n1, width,
                     d->passes[0]);
        else
            snprintf(tree, sizeof tree,
                     "(rank (rows 0 (halved %s %lld (fourstep %lld %lldx%lld "
                     "(column %lld w%d %s) (column %lld w%d %s)))))",
                     name, (long long)d->n, (long long)d->n / 2,
                     (long long)d->n1, (long long)d->n2, (long long)d->n1,
                     width, d->passes[0], (long long)d->n2, width,
                     d->passes[1]);
        const weft_plan_options options = {.size = sizeof options,
                                           .tree = tree};
        if (weft_plan_create(&p, &options, &plan) != WEFT_OK)
            continue;
        weft_plan_release(plan);
        for (int bits = far && widths > 0 ? 4 : 0; bits < 4; bits++) {
            p = problem_of(s, bits & 1);
            p.threads = bits & 2 ? 3 : 1;
            p.norm = bits & 2 ? WEFT_NORM_SCALE : WEFT_NORM_NONE;
            p.scale = bits & 2 ? -0.7 : 0;
            run_by(tree, &p, s, oracle_scale(&p));
        }
        widths++;
    }
    CHECK(widths > 0, "%s %lld: no width has kernels", name, (long long)d->n);
}

static void test_splits(void)
{
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++)
        for (int bits = 0; bits < 4; bits++) {
            const split *d = &splits[i];
            weft_type type = bits & 1 ? WEFT_F32 : WEFT_F64;
            bool two = bits & 2;
            if (d->n > 1 << 17 && type == WEFT_F32)
                continue; /* near, and the oracle takes seconds */
            sample c = new_sample(two ? WEFT_REDFT10 : WEFT_REDFT01, type,
                                  d->n);
            sample s = new_sample(two ? WEFT_RODFT10 : WEFT_RODFT01, type,
                                  d->n);
            const oracle_split c_out = {c.hi, c.lo}, s_out = {s.hi, s.lo};
            oracle_cosines_and_sines(type, two ? 2 : 3, d->n, c.in, s.in,
                                     &c_out, &s_out);
            run_split(d, &c);
            run_split(d, &s);
            free_sample(&c);
            free_sample(&s);
        }
}

/* ---- Several dimensions -------------------------------------------------- */

static void test_shape(weft_type type, int rank, const int64_t *shape,
                       const weft_kind *kinds, weft_norm norm, bool in_place)
{
    weft_problem p = weft_problem_nd(type, rank, shape, 1, WEFT_FORWARD);
    int64_t total = 1, periods[3] = {1, 1, 1};
    p.kind = WEFT_R2R;
    p.norm = norm;
    p.place = in_place ? WEFT_IN_PLACE : WEFT_OUT_OF_PLACE;
    for (int d = 0; d < rank; d++) {
        p.kinds[d] = kinds[d];
        total *= shape[d];
        periods[d] = oracle_period(kinds[d], shape[d]);
    }
    char name[256] = "?";
    weft_problem_print(&p, name, sizeof name, NULL);
    double *in = numbers(total + 1), *hi = numbers(total + 1);
    double *lo = numbers(total + 1), *got = numbers(total + 1);
    noise_state noise = {(uint64_t)total};
    buffer from = make_buffer(type, total), to = make_buffer(type, total);
    for (int64_t i = 0; i < total; i++)
        put(&from, i, in[i] = oracle_sample(&noise, type));
    oracle_r2r(type, norm == WEFT_NORM_ORTHO, rank, shape, kinds, in, hi, lo);
    weft_status status = weft_transform(&p, from.data,
                                        in_place ? from.data : to.data);
    CHECK(status == WEFT_OK, "%s: %s", name, weft_error_text());
    for (int64_t i = 0; i < total; i++)
        got[i] = get(in_place ? &from : &to, i);
    oracle_quad scale = norm == WEFT_NORM_ORTHO ? 1 : oracle_scale(&p);
    oracle_error e = oracle_compare((total + 1) / 2, got, hi, lo, scale);
    double bar = oracle_bar(type, rank, periods) + 2 * unit_of(type);
    CHECK(e.l2 <= bar, "%s: relative L2 error %.3g, bar %.3g", name, e.l2,
          bar);
    free(from.data);
    free(to.data);
    free(in);
    free(hi);
    free(lo);
    free(got);
}

static void test_shapes(void)
{
    static const int64_t shapes[][3] = {{8, 8, 1},    {5, 12, 1}, {33, 20, 1},
                                        {64, 100, 1}, {3, 4, 5},  {9, 16, 10},
                                        {17, 15, 16}, {2, 129, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int turn = 0; turn < 11; turn++) {
            weft_kind kinds[3];
            int rank = shapes[i][2] == 1 ? 2 : 3;
            for (int d = 0; d < rank; d++) /* each kind meets others */
                kinds[d] = (weft_kind)(WEFT_R2HC + (turn * (d + 1) + d) % 11);
            for (int bits = 0; bits < 8; bits++)
                test_shape(bits & 1 ? WEFT_F32 : WEFT_F64, rank, shapes[i],
                           kinds, bits & 4 ? WEFT_NORM_ORTHO : WEFT_NORM_NONE,
                           bits & 2);
        }
}

static void report(void)
{
    static const char *const names[] = {"c2c",     "r2c",     "c2r",
                                        "r2hc",    "hc2r",    "dht",
                                        "redft00", "redft01", "redft10",
                                        "redft11", "rodft00", "rodft01",
                                        "rodft10", "rodft11"};
    for (int kind = WEFT_R2C; kind < WEFT_R2R; kind++)
        for (int type = 0; type < 2; type++) {
            const struct worst *w = &worst[kind][type];
            printf("%-7s %s: %.2f u (%.0f %% of the bar) at n = %lld\n",
                   names[kind], type ? "f32" : "f64", w->units, 100 * w->ratio,
                   (long long)w->n);
        }
}

int main(int argc, char **argv)
{
    int64_t largest = 1024, limit = 1 << 13;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--max"))
            largest = atoll(argv[i + 1]);
        else if (!strcmp(argv[i], "--to"))
            limit = INT64_C(1) << atoi(argv[i + 1]);
    }
    printf("kinds_test: %s\n", weft_isa());
    for (int64_t n = 1; n <= largest + 1; n++)
        test_length(n, largest, -1);
    test_samples(limit);
    test_splits();
    test_shapes();
    report();
    return check_report("kinds_test");
}
