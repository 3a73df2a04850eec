/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_test.c - random r2c and c2r problems against the oracle.
 *
 *   real_test [--count N] [--seed S] [--case K]
 *
 * Any rank, strides, signs, batches, split, in place (padded rows or any two
 * layouts in one block), normalisation and threads.  Every array lies between
 * pages that cannot be touched; what is no output keeps its bits, and out of
 * place so does the input.  Imaginary parts that must not be read are not
 * numbers.  Then lengths beyond the caches, of a few impulses.
 */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "oracle.h"

static noise_state noise;

static int64_t below(int64_t n)
{
    return noise_below(&noise, n);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

/* ---- Arrays -------------------------------------------------------------- */

/* One side of a problem: logical shape (batch, then dimensions) with the last
 * one halved if need be; strides in elements, offsets from the first real. */
typedef struct side {
    bool complex;
    int axes;
    int64_t n[8], stride[8], count;
    int64_t low, high; /* of elements */
} side;

static void close_side(side *s)
{
    s->count = 1;
    s->low = s->high = 0;
    for (int i = 0; i < s->axes; i++) {
        int64_t reach = (s->n[i] - 1) * s->stride[i];
        *(reach < 0 ? &s->low : &s->high) += reach;
        s->count *= s->n[i];
    }
}

/* Offset of element number `at`, row-major. */
static int64_t offset_of(const side *s, int64_t at)
{
    int64_t offset = 0;
    for (int i = s->axes - 1; i >= 0; i--) {
        offset += at % s->n[i] * s->stride[i];
        at /= s->n[i];
    }
    return offset;
}

typedef struct block {
    char *map, *data; /* data: bytes between the guards, flush to one */
    size_t mapped, bytes;
} block;

static block block_new(int64_t reals, size_t real)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    block b = {.bytes = (size_t)reals * real};
    size_t inside = (b.bytes + page - 1) / page * page;
    b.mapped = inside + 2 * page;
    b.map = mmap(NULL, b.mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b.map == MAP_FAILED || mprotect(b.map, page, PROT_NONE) ||
        mprotect(b.map + page + inside, page, PROT_NONE)) {
        fprintf(stderr, "real_test: no memory for %zu bytes\n", b.bytes);
        exit(2);
    }
    b.data = b.map + page + (chance(50) ? inside - b.bytes : 0);
    memset(b.data, 0xA5, b.bytes);
    return b;
}

static void block_free(block *b)
{
    if (b->map)
        munmap(b->map, b->mapped);
}

/* Where the elements of a side are: element e has its parts at
 * re[e * step] and im[e * step]. */
typedef struct reals {
    bool f32;
    char *re, *im; /* im NULL: real */
    int64_t step;
} reals;

static double get(const reals *r, int part, int64_t at)
{
    const char *base = part ? r->im : r->re;
    return r->f32 ? ((const float *)base)[at * r->step]
                  : ((const double *)base)[at * r->step];
}

static void put(const reals *r, int part, int64_t at, double x)
{
    char *base = part ? r->im : r->re;
    if (r->f32)
        ((float *)base)[at * r->step] = (float)x;
    else
        ((double *)base)[at * r->step] = x;
}

/* ---- A random problem ---------------------------------------------------- */

typedef struct trial {
    weft_problem problem;
    char text[500];
    bool forward, split, in_place;
    size_t real; /* bytes */
    side reals, spectrum;
    int64_t shape[8], total; /* batch and dimensions, whole */
    int first;               /* index of the first dimension */
    double *whole;           /* the input as complex numbers of `total` */
    double *hi, *lo;         /* what it should give */
} trial;

static int64_t random_length(int64_t most)
{
    static const int64_t liked[] = {2,  3,  4,  6,   7,   8,   9,  12,
                                    15, 16, 21, 32,  33,  45,  49, 64,
                                    67, 97, 98, 128, 210, 256, 289};
    if (chance(6))
        return 1;
    int64_t n = liked[below(sizeof liked / sizeof *liked)];
    return n <= most && chance(70) ? n : 1 + below(most);
}

/* Nested strides in a random order, with gaps and signs. */
static void random_strides(side *s)
{
    int order[8];
    int64_t stride = chance(80) ? 1 : 1 + below(3);
    for (int i = 0; i < s->axes; i++) {
        int j = chance(60) ? i : (int)below(i + 1);
        memmove(order + j + 1, order + j, (size_t)(i - j) * sizeof *order);
        order[j] = i;
    }
    for (int i = s->axes - 1; i >= 0; i--) {
        int axis = order[i];
        s->stride[axis] = chance(15) ? -stride : stride;
        stride *= s->n[axis];
        stride += chance(20) ? 1 + below(4) : 0;
    }
}

/* Without gaps, the batch innermost: neighbours; or outermost. */
static void close_strides(side *s, int first, bool inside)
{
    int64_t stride = 1;
    for (int i = 0; i < s->axes; i++) {
        const int next = s->axes - 1 - i;
        const int axis = !inside     ? next
                         : i < first ? first - 1 - i
                                     : next + first;
        s->stride[axis] = stride;
        stride *= s->n[axis];
    }
}

/* Rows of reals on their own complex numbers. */
static void padded_strides(trial *t)
{
    int64_t stride = 1;
    for (int i = t->spectrum.axes - 1; i >= 0; i--) {
        t->spectrum.stride[i] = stride;
        t->reals.stride[i] = 2 * stride;
        stride *= t->spectrum.n[i];
        stride += chance(10);
    }
    if (t->spectrum.axes)
        t->reals.stride[t->spectrum.axes - 1] = 1;
}

static void random_trial(trial *t)
{
    weft_problem *p = &t->problem;
    *t = (trial){.total = 1};
    *p = (weft_problem){.size = sizeof *p};
    p->type = chance(50) ? WEFT_F64 : WEFT_F32;
    t->real = p->type == WEFT_F64 ? 8 : 4;
    t->forward = chance(50);
    p->kind = t->forward ? WEFT_R2C : WEFT_C2R;
    p->sign = chance(50) ? WEFT_INVERSE : WEFT_FORWARD; /* not read */
    p->rank = chance(50) ? 1 : 1 + (int)below(4);
    p->batch_rank = chance(40) ? 0 : (int)below(3);
    t->split = chance(25);
    t->in_place = !t->split && chance(45);
    p->layout = t->split ? WEFT_SPLIT : WEFT_INTERLEAVED;
    p->place = t->in_place ? WEFT_IN_PLACE : WEFT_OUT_OF_PLACE;
    p->threads = chance(25) ? 3 : 1;
    p->norm = (weft_norm)below(5);
    p->scale = 0.75;
    if (chance(30))
        p->precision = chance(50) ? WEFT_PRECISION_DOUBLE
                                  : WEFT_PRECISION_COMPENSATED;
    else if (chance(25))
        p->precision = (weft_precision)(WEFT_PRECISION_BF16 +
                                        below(WEFT_PRECISION_SLICES -
                                              WEFT_PRECISION_BF16 + 1));
    if (p->precision == WEFT_PRECISION_SLICES)
        p->slices = (int32_t)(2 + below(7));
    t->first = p->batch_rank;
    int axes = p->batch_rank + p->rank;
    const bool small = chance(30); /* a few numbers */
    t->reals.axes = t->spectrum.axes = axes;
    t->spectrum.complex = true;
    for (int i = 0; i < axes; i++) {
        int64_t most = 3000 / t->total;
        most = i < t->first ? (most < 20 ? most : 20)
                            : (most < 300 ? most : 300);
        if (small && i >= t->first && most > 8)
            most = 8;
        int64_t n = random_length(most < 1 ? 1 : most);
        if (p->rank == 1 && i == axes - 1 && !small && chance(20))
            n = 300 + below(1500);
        t->shape[i] = t->reals.n[i] = t->spectrum.n[i] = n;
        t->total *= n;
    }
    t->spectrum.n[axes - 1] = t->shape[axes - 1] / 2 + 1;
    if (t->in_place && chance(60)) {
        padded_strides(t);
    } else if (chance(small ? 60 : 15)) {
        const bool inside = chance(60);
        close_strides(&t->reals, t->first, inside);
        close_strides(&t->spectrum, t->first, inside);
    } else {
        random_strides(&t->reals);
        random_strides(&t->spectrum);
    }
    close_side(&t->reals);
    close_side(&t->spectrum);
    const side *in = t->forward ? &t->reals : &t->spectrum;
    const side *out = t->forward ? &t->spectrum : &t->reals;
    for (int i = 0; i < axes; i++) {
        weft_dim d = {t->shape[i], in->stride[i], out->stride[i]};
        if (i < t->first)
            p->batch[i] = d;
        else
            p->dims[i - t->first] = d;
    }
    weft_problem_print(p, t->text, sizeof t->text, NULL);
}

/* ---- What it should give ------------------------------------------------- */

/* Whole position of element `at` of a side, and of its mirror image. */
static int64_t whole_of(const trial *t, const side *s, int64_t at, bool mirror)
{
    int64_t index[8], whole = 0;
    for (int i = s->axes - 1; i >= 0; i--) {
        index[i] = at % s->n[i];
        at /= s->n[i];
    }
    for (int i = 0; i < s->axes; i++) {
        int64_t n = t->shape[i], k = index[i];
        whole = whole * n + (mirror && i >= t->first && k > 0 ? n - k : k);
    }
    return whole;
}

static void make_input(trial *t)
{
    size_t bytes = 2 * (size_t)t->total * sizeof(double);
    t->whole = calloc(1, bytes);
    t->hi = malloc(bytes);
    t->lo = malloc(bytes);
    if (!t->whole || !t->hi || !t->lo)
        exit(2);
    const side *s = t->forward ? &t->reals : &t->spectrum;
    for (int64_t i = 0; i < s->count; i++) {
        int64_t at = whole_of(t, s, i, false);
        int64_t back = whole_of(t, s, i, true);
        double re = oracle_sample(&noise, t->problem.type);
        double im = oracle_sample(&noise, t->problem.type);
        if (s->complex && at > back && t->whole[2 * back] != 0)
            continue; /* made with its image */
        t->whole[2 * at] = re;
        t->whole[2 * at + 1] = s->complex && at != back ? im : 0;
        if (s->complex && at != back) {
            t->whole[2 * back] = re;
            t->whole[2 * back + 1] = -im;
        }
    }
}

static void expect(trial *t)
{
    const weft_problem *p = &t->problem;
    int64_t each = 1, n[WEFT_MAX_RANK];
    for (int i = 0; i < p->rank; i++)
        each *= n[i] = p->dims[i].n;
    for (int64_t b = 0; b < t->total; b += each)
        oracle_transform(p->type, !t->forward, p->rank, n, t->whole + 2 * b,
                         t->hi + 2 * b,
                         p->type == WEFT_F64 ? t->lo + 2 * b : NULL);
}

/* ---- Running it ---------------------------------------------------------- */

/* The blocks of both sides: in place the first, split one for each part. */
typedef struct memory {
    block blocks[4]; /* in re, in im, out re, out im */
    reals in, out;
    char *before[4];
} memory;

static reals open_side(const trial *t, memory *m, const side *s, int first)
{
    reals r = {.f32 = t->real == 4, .step = s->complex && !t->split ? 2 : 1};
    int64_t room = (s->high - s->low + 1) * r.step;
    for (int part = 0; part < (s->complex && t->split ? 2 : 1); part++) {
        block *b = &m->blocks[first + part];
        *b = block_new(room, t->real);
        *(part ? &r.im : &r.re) = b->data - s->low * r.step * (int64_t)t->real;
    }
    if (s->complex && !t->split)
        r.im = r.re + t->real;
    return r;
}

static void open_memory(const trial *t, memory *m)
{
    const side *in = t->forward ? &t->reals : &t->spectrum;
    const side *out = t->forward ? &t->spectrum : &t->reals;
    *m = (memory){.in = {.re = NULL}};
    if (!t->in_place) {
        m->in = open_side(t, m, in, 0);
        m->out = open_side(t, m, out, 2);
        return;
    }
    int64_t a = t->reals.low, b = 2 * t->spectrum.low;
    int64_t c = t->reals.high, d = 2 * t->spectrum.high + 1;
    int64_t low = a < b ? a : b, high = c > d ? c : d;
    m->blocks[0] = block_new(high - low + 1, t->real);
    char *origin = m->blocks[0].data - low * (int64_t)t->real;
    for (int i = 0; i < 2; i++) {
        bool complex = (i == 0 ? in : out)->complex;
        *(i == 0 ? &m->in : &m->out) = (reals){.f32 = t->real == 4,
                                               .re = origin,
                                               .im = complex ? origin + t->real
                                                             : NULL,
                                               .step = complex ? 2 : 1};
    }
}

static void load(const trial *t, memory *m)
{
    const side *s = t->forward ? &t->reals : &t->spectrum;
    int64_t n = t->shape[s->axes - 1];
    bool plain = t->problem.rank == 1;
    for (int64_t i = 0; i < s->count; i++) {
        int64_t at = whole_of(t, s, i, false), offset = offset_of(s, i);
        int64_t k = i % s->n[s->axes - 1];
        put(&m->in, 0, offset, t->whole[2 * at]);
        if (s->complex) /* of one dimension: X[0] and X[n/2] are real */
            put(&m->in, 1, offset,
                plain && (k == 0 || 2 * k == n) ? NAN : t->whole[2 * at + 1]);
    }
    for (int i = 0; i < 4; i++)
        if (m->blocks[i].map) {
            m->before[i] = malloc(m->blocks[i].bytes);
            if (!m->before[i])
                exit(2);
            memcpy(m->before[i], m->blocks[i].data, m->blocks[i].bytes);
        }
}

/* Bytes that no element of the output (in place: nor of the input) has. */
static void check_memory(const trial *t, memory *m)
{
    const side *out = t->forward ? &t->spectrum : &t->reals;
    const side *in = t->forward ? &t->reals : &t->spectrum;
    for (int i = 0; i < 4; i++) {
        block *b = &m->blocks[i];
        if (!b->map)
            continue;
        for (int pass = 0; pass < 2; pass++) {
            bool written = t->in_place || i >= 2;
            const side *s = pass ? in : out;
            const reals *r = pass ? &m->in : &m->out;
            if (!written || (pass && !t->in_place))
                continue;
            for (int64_t e = 0; e < s->count; e++)
                for (int part = 0; part < (s->complex ? 2 : 1); part++) {
                    char *x = (part ? r->im : r->re) +
                              offset_of(s, e) * r->step * (int64_t)t->real;
                    if (x >= b->data && x < b->data + b->bytes)
                        memcpy(m->before[i] + (x - b->data), x, t->real);
                }
        }
        CHECK(!memcmp(m->before[i], b->data, b->bytes), "%s: block %d changed",
              t->text, i);
    }
}

static void check_values(const trial *t, const memory *m, double bound)
{
    const weft_problem *p = &t->problem;
    const side *s = t->forward ? &t->spectrum : &t->reals;
    size_t bytes = 2 * (size_t)s->count * sizeof(double);
    double *got = malloc(bytes), *hi = malloc(bytes), *lo = malloc(bytes);
    if (!got || !hi || !lo)
        exit(2);
    for (int64_t i = 0; i < s->count; i++) {
        int64_t at = whole_of(t, s, i, false), offset = offset_of(s, i);
        for (int part = 0; part < 2; part++) {
            bool there = part == 0 || s->complex;
            got[2 * i + part] = there ? get(&m->out, part, offset) : 0;
            hi[2 * i + part] = there ? t->hi[2 * at + part] : 0;
            lo[2 * i + part] = there && p->type == WEFT_F64
                                   ? t->lo[2 * at + part]
                                   : 0;
        }
    }
    int64_t n[WEFT_MAX_RANK];
    double size = (double)s->count;
    for (int i = 0; i < p->rank; i++)
        n[i] = p->dims[i].n;
    weft_problem q = *p;
    q.kind = WEFT_C2C;
    q.sign = t->forward ? WEFT_FORWARD : WEFT_INVERSE;
    double u = p->type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
    /* As random_test: single vectors may miss a law of averages. */
    double bar = oracle_bar(p->type, p->rank, n) * (1 + 1 / sqrt(size)) +
                 (p->norm == WEFT_NORM_NONE ? 0 : u);
    double error = oracle_compare(s->count, got, hi, lo, oracle_scale(&q)).l2;
    bool once = p->precision == WEFT_PRECISION_COMPENSATED ||
                (p->precision == WEFT_PRECISION_DOUBLE && p->type == WEFT_F32);
    if (once)
        bar = 1.001 * u; /* one rounding */
    if (p->precision >= WEFT_PRECISION_BF16)
        bar = bound; /* as the plan says */
    CHECK(error <= bar, "%s: error %.2f u, bar %.2f u", t->text, error / u,
          bar / u);
    free(got);
    free(hi);
    free(lo);
}

static void run(const trial *t, const weft_plan *plan, memory *m)
{
    char *in_im = t->split ? m->in.im : NULL;
    char *out_im = t->split ? m->out.im : NULL;
    load(t, m);
    weft_status status = t->split ? weft_execute_split(plan, m->in.re, in_im,
                                                       m->out.re, out_im)
                                  : weft_execute(plan, m->in.re, m->out.re);
    CHECK(status == WEFT_OK, "%s: %s", t->text, weft_error_text());
}

static void close_memory(memory *m)
{
    for (int i = 0; i < 4; i++) {
        block_free(&m->blocks[i]);
        free(m->before[i]);
    }
}

/* Bits do not depend on threads, nor on where the data are. */
static void check_again(const trial *t, const memory *m)
{
    weft_problem p = t->problem;
    weft_plan *plan = NULL;
    memory again;
    p.threads = p.threads > 1 ? 1 : 4;
    if (weft_plan_create(&p, NULL, &plan) != WEFT_OK)
        return;
    open_memory(t, &again);
    run(t, plan, &again);
    const side *s = t->forward ? &t->spectrum : &t->reals;
    bool same = true;
    for (int64_t i = 0; i < s->count; i++)
        for (int part = 0; part < (s->complex ? 2 : 1); part++)
            same = same && get(&m->out, part, offset_of(s, i)) ==
                               get(&again.out, part, offset_of(s, i));
    CHECK(same, "%s: other bits with %d threads", t->text, (int)p.threads);
    close_memory(&again);
    weft_plan_release(plan);
}

static void one(void)
{
    trial t;
    memory m;
    weft_plan *plan = NULL;
    random_trial(&t);
    if (CHECK(weft_plan_create(&t.problem, NULL, &plan) == WEFT_OK, "%s: %s",
              t.text, weft_error_text())) {
        make_input(&t);
        expect(&t);
        open_memory(&t, &m);
        run(&t, plan, &m);
        check_memory(&t, &m);
        double bound = 0;
        weft_plan_error(plan, &bound, NULL);
        check_values(&t, &m, bound);
        if (chance(20))
            check_again(&t, &m);
        close_memory(&m);
        weft_plan_release(plan);
    }
    free(t.whole);
    free(t.hi);
    free(t.lo);
}

/* ---- Lengths beyond the caches ------------------------------------------- */

enum { IMPULSES = 3 };
static const long double PI = 3.141592653589793238462643383279502884L;

static weft_plan *large_plan(const char *problem, int64_t n, const char *rest)
{
    char text[80];
    weft_problem p;
    weft_plan *plan = NULL;
    snprintf(text, sizeof text, "%s:%lld%s", problem, (long long)n, rest);
    CHECK(weft_problem_parse(text, &p) == WEFT_OK &&
              weft_plan_create(&p, NULL, &plan) == WEFT_OK,
          "%s: %s", text, weft_error_text());
    return plan;
}

static double value_at(const void *data, bool f32, int64_t i)
{
    return f32 ? ((const float *)data)[i] : ((const double *)data)[i];
}

/* X[k] of impulses at `where` (value 1 + i) is a sum of roots of unity; back
 * again n times the impulses; the same bits from two threads, and in place. */
static void large(int64_t n, bool f32)
{
    size_t bytes = f32 ? 4 : 8, room = (size_t)(n + 2) * bytes;
    const char *r2c = f32 ? "r2c:f32" : "r2c:f64";
    const char *c2r = f32 ? "c2r:f32" : "c2r:f64";
    const double unit = f32 ? 0x1p-24 : 0x1p-53;
    const int64_t where[IMPULSES] = {1, n / 3, n - 5};
    char *in = calloc(1, room), *out = calloc(1, room), *back = malloc(room);
    weft_plan *one = large_plan(r2c, n, ""), *c = large_plan(c2r, n, "");
    weft_plan *two = large_plan(r2c, n, ":threads=2:inplace");
    weft_plan *c2 = large_plan(c2r, n, ":threads=2");
    if (!in || !out || !back || !one || !two || !c || !c2)
        exit(2);
    for (int i = 0; i < IMPULSES; i++)
        if (f32)
            ((float *)(void *)in)[where[i]] = (float)(1 + i);
        else
            ((double *)(void *)in)[where[i]] = 1 + i;
    weft_execute(one, in, out);
    double error = 0, power = 0;
    for (int64_t k = 0; k <= n / 2; k++) {
        double want[2] = {0, 0};
        for (int i = 0; i < IMPULSES; i++) {
            long double turn = (long double)(where[i] * k % n) /
                               (long double)n;
            want[0] += (double)((1 + i) * cosl(2 * PI * turn));
            want[1] -= (double)((1 + i) * sinl(2 * PI * turn));
        }
        for (int part = 0; part < 2; part++) {
            double d = value_at(out, f32, 2 * k + part) - want[part];
            error += d * d;
            power += want[part] * want[part];
        }
    }
    CHECK(sqrt(error / power) < 5 * unit, "%s:%lld: %g u", r2c, (long long)n,
          sqrt(error / power) / unit);
    memcpy(back, in, room);
    weft_execute(two, back, back);
    CHECK(memcmp(back, out, room) == 0, "%s:%lld: in place, by two threads",
          r2c, (long long)n);
    weft_execute(c, out, back);
    error = 0;
    for (int64_t j = 0; j < n; j++) {
        double d = value_at(back, f32, j) / (double)n - value_at(in, f32, j);
        error += d * d;
    }
    CHECK(sqrt(error / 14) < 10 * unit, "%s:%lld: %g u", c2r, (long long)n,
          sqrt(error / 14) / unit);
    weft_execute(c2, out, in);
    CHECK(memcmp(back, in, (size_t)n * bytes) == 0, "%s:%lld: two threads",
          c2r, (long long)n);
    weft_plan_release(one);
    weft_plan_release(two);
    weft_plan_release(c);
    weft_plan_release(c2);
    free(in);
    free(out);
    free(back);
}

/* ---- Neighbours, side by side ------------------------------------------- */

enum { GAP = 3 }; /* elements between rows, which stay as they are */

/* r2c, or c2r, of `many` neighbours by the tree, or by copied rows. */
static weft_plan *abreast_plan(bool back, bool f32, int64_t n, int64_t many,
                               const char *tree)
{
    char text[120];
    weft_problem p;
    weft_plan *plan = NULL;
    const long long m = (long long)many, pitch = m + GAP;
    const weft_plan_options options = {.size = sizeof options,
                                       .tree = tree,
                                       .rule = tree ? NULL : "full"};
    snprintf(text, sizeof text, "%s:%s:%lld/%lld/%lld*%lld/1/1:threads=2",
             back ? "c2r" : "r2c", f32 ? "f32" : "f64", (long long)n, pitch,
             pitch, m);
    CHECK(weft_problem_parse(text, &p) == WEFT_OK, "%s: %s", text,
          weft_error_text());
    if (weft_plan_create(&p, &options, &plan) != WEFT_OK)
        CHECK(tree != NULL, "%s: %s", text, weft_error_text());
    return plan;
}

static void abreast(bool back, bool f32, int64_t n, const char *passes,
                    int64_t many)
{
    const int64_t reals = 2 * (n / 2 + 1) * (many + GAP);
    const size_t room = (size_t)reals * (f32 ? 4 : 8);
    void *in = malloc(room), *want = malloc(room), *got = malloc(room);
    weft_plan *plain = abreast_plan(back, f32, n, many, NULL);
    int widths = 0;
    if (!in || !want || !got || !plain)
        exit(2);
    for (int64_t i = 0; i < reals; i++) {
        const double x = noise_real(&noise);
        if (f32)
            ((float *)in)[i] = (float)x;
        else
            ((double *)in)[i] = x;
    }
    memset(want, 0x5a, room);
    weft_execute(plain, in, want);
    for (int width = 16; width > 1; width /= 2) {
        char tree[120];
        if (passes == NULL && width < 16)
            break; /* of any width at once */
        if (passes == NULL)
            snprintf(tree, sizeof tree, "(rank (cols 0 (direct %lld)))",
                     (long long)n);
        else
            snprintf(tree, sizeof tree,
                     "(rank (cols 0 (rlaned %lld w%d (column %lld w%d %s))))",
                     (long long)n, width, (long long)n / 2, width, passes);
        weft_plan *plan = abreast_plan(back, f32, n, many, tree);
        if (plan == NULL)
            continue;
        double error = 0, power = 0;
        memset(got, 0x5a, room);
        weft_execute(plan, in, got);
        for (int64_t i = 0; i < reals; i++) {
            const double w = value_at(want, f32, i),
                         d = value_at(got, f32, i) - w;
            if (isfinite(w) && fabs(w) < 1e6) /* else it is a gap */
                power += w * w;
            else
                CHECK(memcmp((char *)got + (size_t)i * (f32 ? 4 : 8),
                             (char *)want + (size_t)i * (f32 ? 4 : 8),
                             f32 ? 4 : 8) == 0,
                      "%s: a gap is written", tree);
            error += isfinite(w) && fabs(w) < 1e6 ? d * d : 0;
        }
        CHECK(sqrt(error / power) < 10 * (f32 ? 0x1p-24 : 0x1p-53),
              "%s %s, %lld of them: %g", back ? "c2r" : "r2c", tree,
              (long long)many, sqrt(error / power));
        weft_plan_release(plan);
        widths++;
    }
    CHECK(widths > 0 || (passes && strcmp(weft_isa(), "scalar") == 0),
          "%s %lld: no width has kernels", passes ? "rlaned" : "direct",
          (long long)n);
    weft_plan_release(plain);
    free(in);
    free(want);
    free(got);
}

static void all_abreast(void)
{
    static const struct {
        int64_t n;
        const char *passes;
    } lengths[] = {
        {4, "2"}, {10, "5"}, {32, "16"}, {64, "4.8"}, {100, "5.10"}};
    /* A vector and less, pieces of rows a page apart, all of a page. */
    static const int64_t many[] = {2, 7, 61, 253, 509, 1021};
    static const int64_t short_ones[] = {2, 3, 4, 5, 8, 9, 16, 31, 48};
    for (size_t i = 0; i < sizeof short_ones / sizeof *short_ones; i++)
        for (int bits = 0; bits < 4; bits++)
            for (size_t j = 0; j < 3; j++)
                abreast(bits & 1, bits & 2, short_ones[i], NULL, many[j]);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t j = 0; j < sizeof many / sizeof *many; j++)
            for (int bits = 0; bits < 4; bits++)
                abreast(bits & 1, bits & 2, lengths[i].n, lengths[i].passes,
                        many[j]);
}

int main(int argc, char **argv)
{
    int64_t count = 800, seed = 1, only = -1;
    for (int i = 1; i + 1 < argc; i += 2) {
        int64_t value = strtoll(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--count"))
            count = value;
        else if (!strcmp(argv[i], "--seed"))
            seed = value;
        else if (!strcmp(argv[i], "--case"))
            only = value;
    }
    for (int64_t k = 0; k < count; k++) {
        long before = check_failures;
        if (only >= 0 && k != only)
            continue;
        noise = (noise_state){(uint64_t)(seed * 1000003 + k)};
        one();
        if (check_failures > before)
            fprintf(stderr, "  that was --seed %lld --case %lld\n",
                    (long long)seed, (long long)k);
    }
    if (only < 0) {
        all_abreast();
        large(1 << 14, false); /* a factor for each pair */
        large(1 << 15, true);
        large(2 * 13125, true);
        large(1 << 19, false);
        large(1 << 20, true);
        large(2 * 177147, false); /* m odd */
    }
    weft_threads_shutdown();
    return check_report("real_test");
}
