/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_test.c - problems nobody would think of, against the oracle through
 * plain loops over the index space.
 *
 *     random_test [--count N] [--seed S] [--case K]
 *
 * Each case runs three times, its arrays ending at a page that may not be
 * touched, then starting behind one, then one real number further, so that
 * nothing is aligned.  Checked each time: the values, that the input (out of
 * place) and every element between the problem's are as before, and that the
 * bits do not depend on the address, the run or the number of threads.
 * A failure names the case and its problem string.  Before them come all kinds
 * of a few numbers, alone and with neighbours between their elements.
 */
#define _DEFAULT_SOURCE
#include "check.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_AXES = 2 * WEFT_MAX_RANK, MAX_TOTAL = 1 << 14 };

static noise_state noise;

static int64_t below(int64_t n)
{
    return noise_below(&noise, n);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

/* ---- Memory between guards ---------------------------------------------- */

typedef struct arena {
    char *map, *data;
    size_t mapped, bytes;
} arena;

enum { AT_END, AT_START, UNALIGNED, PLACEMENTS };

static arena arena_new(size_t bytes, int placement, size_t real)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t inside = (bytes + real + page - 1) / page * page;
    arena a = {.mapped = inside + 2 * page, .bytes = bytes};
    a.map = mmap(NULL, a.mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a.map == MAP_FAILED || mprotect(a.map, page, PROT_NONE) ||
        mprotect(a.map + page + inside, page, PROT_NONE)) {
        fprintf(stderr, "random_test: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    a.data = a.map + page;
    if (placement == AT_END)
        a.data += inside - bytes;
    else if (placement == UNALIGNED)
        a.data += real;
    return a;
}

static void arena_free(arena *a)
{
    if (a->map)
        munmap(a->map, a->mapped);
    a->map = NULL;
}

/* ---- A random problem --------------------------------------------------- */

static int64_t random_length(int64_t most)
{
    static const int64_t liked[] = {2,   3,    4,    5,    6,    7,    8,
                                    9,   11,   12,   13,   16,   17,   19,
                                    23,  27,   30,   32,   49,   60,   64,
                                    67,  81,   97,   100,  101,  121,  127,
                                    128, 169,  243,  256,  257,  360,  512,
                                    625, 1000, 1009, 1024, 2048, 2187, 4096};
    if (chance(4))
        return 1;
    for (int tries = 0; tries < 8 && chance(60); tries++) {
        int64_t n = liked[below(sizeof liked / sizeof *liked)];
        if (n <= most)
            return n;
    }
    return 1 + below(most);
}

static weft_dim *axis_of(weft_problem *p, int i)
{
    return i < p->rank ? &p->dims[i] : &p->batch[i - p->rank];
}

static void shuffle(int *order, int count)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)below(i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

/* Nested strides in a random order, with gaps.  `tight`: no gaps after the
 * first stride, and one sign, so that any order covers the same elements. */
static void random_strides(weft_problem *p, bool output, int64_t first,
                           bool tight, int64_t sign)
{
    int order[MAX_AXES], count = p->rank + p->batch_rank;
    int64_t stride = first;
    shuffle(order, count);
    if (chance(40)) /* row-major, the batch outermost */
        for (int i = 0; i < count; i++)
            order[i] = i < p->rank ? p->rank - 1 - i
                                   : count - 1 - (i - p->rank);
    for (int i = 0; i < count; i++) {
        weft_dim *d = axis_of(p, order[i]);
        int64_t n = d->n ? d->n : 1;
        int64_t s = tight ? sign * stride : chance(15) ? -stride : stride;
        if (output)
            d->os = s;
        else
            d->is = s;
        stride *= n;
        if (!tight && chance(25))
            stride += 1 + below(5);
    }
}

static void random_layout(weft_problem *p)
{
    int count = p->rank + p->batch_rank;
    if (chance(20))
        return; /* packed by default */
    int64_t first = chance(75) ? 1 : 1 + below(4);
    if (p->place == WEFT_IN_PLACE && chance(50)) {
        int64_t sign = chance(80) ? 1 : -1;
        random_strides(p, false, first, true, sign);
        random_strides(p, true, first, true, sign);
        return;
    }
    random_strides(p, false, first, false, 1);
    if (p->place == WEFT_IN_PLACE) {
        for (int i = 0; i < count; i++)
            axis_of(p, i)->os = axis_of(p, i)->is;
        return;
    }
    random_strides(p, true, chance(75) ? 1 : 1 + below(4), false, 1);
    if (count && chance(6)) /* one vector read again and again */
        axis_of(p, (int)below(count))->is = 0;
}

/* One real kind for all dimensions, or one each. */
static void random_kinds(weft_problem *p)
{
    p->kind = WEFT_R2R;
    p->layout = WEFT_INTERLEAVED;
    p->order = WEFT_NATURAL;
    for (int i = 0; i < p->rank; i++) {
        p->kinds[i] = (weft_kind)(WEFT_R2HC + below(WEFT_R2R - WEFT_R2HC));
        if (p->kinds[i] == WEFT_REDFT00 && p->dims[i].n == 1)
            p->dims[i].n = 2; /* the shortest there is */
    }
    if (p->rank > 0 && chance(30)) {
        p->kind = p->kinds[0];
        for (int i = 0; i < p->rank; i++) {
            p->kinds[i] = WEFT_C2C; /* not read */
            if (p->kind == WEFT_REDFT00 && p->dims[i].n == 1)
                p->dims[i].n = 2;
        }
    }
}

/* Real kinds have what they have for one dimension (weft.h), ends alike. */
static void random_precision(weft_problem *p)
{
    int rank = 0;
    for (int i = 0; i < p->rank; i++)
        rank += p->dims[i].n > 1;
    bool all = p->kind == WEFT_C2C ||
               (rank == 1 && p->norm != WEFT_NORM_ORTHO);
    if ((all || p->type == WEFT_F32) && chance(20))
        p->precision = chance(50) ? WEFT_PRECISION_COMPENSATED
                                  : WEFT_PRECISION_DOUBLE;
    else if (all && chance(15))
        p->precision = (weft_precision)(WEFT_PRECISION_BF16 +
                                        below(WEFT_PRECISION_SLICES -
                                              WEFT_PRECISION_BF16 + 1));
}

static weft_problem random_problem(void)
{
    static const int ranks[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 2,
                                2, 2, 2, 2, 3, 3, 3, 4, 4, 8};
    static const int batches[] = {0, 0, 0, 1, 1, 1, 2, 2, 3};
    weft_problem p = {.size = sizeof p};
    int64_t left = chance(8) ? MAX_TOTAL : chance(30) ? 4096 : 512;
    p.type = chance(50) ? WEFT_F64 : WEFT_F32;
    p.sign = chance(50) ? WEFT_FORWARD : WEFT_INVERSE;
    p.layout = chance(65) ? WEFT_INTERLEAVED : WEFT_SPLIT;
    p.place = chance(60) ? WEFT_OUT_OF_PLACE : WEFT_IN_PLACE;
    p.norm = (weft_norm)(chance(60) ? 0 : below(5));
    if (p.norm == WEFT_NORM_SCALE)
        p.scale = chance(30) ? 1 : (double)(1 + below(1000)) / -37;
    p.threads = (int32_t)(chance(60) ? below(2) : 2 + below(2));
    p.rank = ranks[below(sizeof ranks / sizeof *ranks)];
    p.batch_rank = batches[below(sizeof batches / sizeof *batches)];
    for (int i = 0; i < p.rank; i++) {
        int64_t most = p.rank == 1 ? left : p.rank == 8 ? 4 : 1 + left / 8;
        p.dims[i].n = random_length(most < left ? most : left);
        left /= p.dims[i].n;
    }
    for (int i = 0; i < p.batch_rank; i++) {
        p.batch[i].n = 1 + below(left < 20 ? left : 20);
        left /= p.batch[i].n;
        if (chance(1))
            p.batch[i].n = 0;
    }
    if (p.rank == 1 && chance(6))
        p.order = WEFT_SCRAMBLED;
    if (chance(25))
        random_kinds(&p);
    random_layout(&p);
    random_precision(&p);
    if (p.precision == WEFT_PRECISION_SLICES)
        p.slices = (int32_t)(2 + below(7));
    return p;
}

/* ---- What a problem means ----------------------------------------------- */

/* Packed row-major strides, the batch outermost, where all are zero. */
static weft_problem with_strides(const weft_problem *problem)
{
    weft_problem p = *problem;
    int count = p.rank + p.batch_rank;
    int64_t stride = 1;
    for (int i = 0; i < count; i++)
        if (axis_of(&p, i)->is || axis_of(&p, i)->os)
            return p;
    for (int i = 0; i < count; i++) {
        int at = i < p.rank ? p.rank - 1 - i : count - 1 - (i - p.rank);
        axis_of(&p, at)->is = axis_of(&p, at)->os = stride;
        stride *= axis_of(&p, at)->n;
    }
    return p;
}

/* Offset of element `index` (row-major) of `rank` dimensions. */
static int64_t offset_of(const weft_dim *dims, int rank, int64_t index,
                         bool output)
{
    int64_t offset = 0;
    for (int i = rank - 1; i >= 0; i--) {
        offset += index % dims[i].n * (output ? dims[i].os : dims[i].is);
        index /= dims[i].n;
    }
    return offset;
}

typedef struct work {
    weft_problem problem; /* strides explicit */
    char name[400];
    int64_t vector, vectors;  /* elements of one transform, their number */
    int64_t low[2], count[2]; /* of input and output arrays, in elements */
    size_t real;
    int parts;            /* reals an element */
    const int64_t *order; /* scrambled: from weft_plan_order */
    double bound;         /* of the plan: the bar of matrix products */
} work;

static void find_extent(work *w)
{
    for (int output = 0; output < 2; output++) {
        int64_t low = 0, high = 0;
        for (int i = 0; i < w->problem.rank + w->problem.batch_rank; i++) {
            const weft_dim *d = axis_of(&w->problem, i);
            int64_t reach = (d->n - 1) * (output ? d->os : d->is);
            if (d->n)
                *(reach < 0 ? &low : &high) += reach;
        }
        w->low[output] = low;
        w->count[output] = w->vectors ? high - low + 1 : 0;
    }
}

static work make_work(const weft_problem *problem)
{
    work w = {.problem = with_strides(problem), .vector = 1, .vectors = 1};
    w.parts = problem->kind == WEFT_C2C ? 2 : 1;
    w.real = problem->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    for (int i = 0; i < problem->rank; i++)
        w.vector *= problem->dims[i].n;
    for (int i = 0; i < problem->batch_rank; i++)
        w.vectors *= problem->batch[i].n;
    find_extent(&w);
    return w;
}

/* ---- Arrays of a run ---------------------------------------------------- */

/* Interleaved: part[0] holds all.  Split: re and im. */
typedef struct array {
    arena part[2];
    int64_t low, count;
    bool split;
    int parts;
    size_t real;
} array;

static array array_new(const work *w, int output, int placement)
{
    array a = {.low = w->low[output],
               .count = w->count[output],
               .split = w->problem.layout == WEFT_SPLIT,
               .parts = w->parts,
               .real = w->real};
    size_t bytes = (size_t)a.count * a.real * (a.split ? 1 : (size_t)a.parts);
    for (int i = 0; i < 1 + a.split; i++)
        a.part[i] = arena_new(bytes, placement, w->real);
    return a;
}

static void array_free(array *a)
{
    arena_free(&a->part[0]);
    arena_free(&a->part[1]);
}

static void array_copy(array *to, const array *from)
{
    for (int i = 0; i < 1 + to->split; i++)
        if (to->part[i].bytes)
            memcpy(to->part[i].data, from->part[i].data, to->part[i].bytes);
}

static bool array_same(const array *a, const array *b)
{
    for (int i = 0; i < 1 + a->split; i++)
        if (a->part[i].bytes &&
            memcmp(a->part[i].data, b->part[i].data, a->part[i].bytes))
            return false;
    return true;
}

/* `element` counts from the pointer given to execute. */
static char *real_at(const array *a, int64_t element, int part)
{
    int64_t at = element - a->low;
    if (a->split)
        return a->part[part].data + (size_t)at * a->real;
    return a->part[0].data + (size_t)(a->parts * at + part) * a->real;
}

static void *pointer(const array *a, int part)
{
    return a->count ? (void *)real_at(a, 0, part) : (void *)a->part[part].data;
}

static double get(const array *a, int64_t element, int part)
{
    double d;
    float f;
    if (a->real == sizeof d) {
        memcpy(&d, real_at(a, element, part), sizeof d);
        return d;
    }
    memcpy(&f, real_at(a, element, part), sizeof f);
    return f;
}

static void fill(array *a, weft_type type)
{
    for (int64_t i = a->low; i < a->low + a->count; i++)
        for (int part = 0; part < a->parts; part++) {
            double d = oracle_sample(&noise, type);
            float f = (float)d;
            memcpy(real_at(a, i, part),
                   type == WEFT_F64 ? (void *)&d : (void *)&f, a->real);
        }
}

/* ---- Checks of one run -------------------------------------------------- */

/* Scrambled: position k of an input or output holds frequency order[k]. */
static int64_t natural(const work *w, int64_t k, bool output)
{
    bool scrambled = w->order && w->problem.rank == 1 &&
                     (output == (w->problem.sign == WEFT_FORWARD));
    return scrambled ? w->order[k] : k;
}

static void gather(const work *w, const array *a, int64_t v, bool output,
                   double *packed)
{
    const weft_problem *p = &w->problem;
    int64_t base = offset_of(p->batch, p->batch_rank, v, output);
    for (int64_t k = 0; k < w->vector; k++) {
        int64_t at = base + offset_of(p->dims, p->rank, k, output);
        int64_t to = natural(w, k, output);
        for (int part = 0; part < w->parts; part++)
            packed[w->parts * to + part] = get(a, at, part);
    }
}

/* The promise is about the sum of many roundings.  One vector of few numbers
 * may be unlucky: 1 + 1/sqrt(N) times as far off, 1 + 2/sqrt(N) where there
 * are N reals only; and a scale that is not a power of two is itself
 * rounded. */
static double bar_of(const weft_problem *p, const int64_t *n, int64_t vector)
{
    bool ortho = p->kind != WEFT_C2C && p->norm == WEFT_NORM_ORTHO;
    const double unit = p->type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
    double bar = oracle_bar(p->type, p->rank, n);
    int exponent;
    bool f64 = p->type == WEFT_F64;
    if (p->precision == WEFT_PRECISION_COMPENSATED ||
        (p->precision == WEFT_PRECISION_DOUBLE && !f64))
        return 1.001 * unit;  /* one rounding, the scale included */
    if (p->kind > WEFT_C2R) { /* each dimension has factors of its own */
        double square = 0;
        for (int d = 0; d < p->rank; d++)
            square += pow(oracle_bar(p->type, 1, &n[d]), 2);
        bar = fmax(bar, sqrt(square));
    }
    bar *= 1 + (p->kind > WEFT_C2R ? 2 : 1) / sqrt((double)vector);
    if (ortho || fabs(frexp((double)oracle_scale(p), &exponent)) != 0.5)
        bar += unit;
    return bar;
}

/* A dimension read with stride 0 is constant: all of it at one frequency,
 * which no bar for one element foresees. */
static bool has_constant(const weft_problem *p)
{
    for (int i = 0; i < p->rank; i++)
        if (p->dims[i].is == 0 && p->dims[i].n > 1)
            return true;
    return false;
}

static weft_kind kind_of(const weft_problem *p, int dimension)
{
    return p->kind == WEFT_R2R ? p->kinds[dimension] : p->kind;
}

/* What vector x should give, and the scale that is left to apply. */
static oracle_quad expect(const work *w, const int64_t *n, const double *x,
                          double *hi, double *lo)
{
    const weft_problem *p = &w->problem;
    weft_kind kinds[WEFT_MAX_RANK];
    if (p->kind == WEFT_C2C) {
        oracle_transform(p->type, p->sign == WEFT_INVERSE, p->rank, n, x, hi,
                         lo);
        return oracle_scale(p);
    }
    for (int i = 0; i < p->rank; i++)
        kinds[i] = kind_of(p, i);
    bool ortho = p->norm == WEFT_NORM_ORTHO;
    oracle_r2r(p->type, ortho, p->rank, n, kinds, x, hi, lo);
    return ortho ? 1 : oracle_scale(p);
}

static void check_values(const work *w, const array *in, const array *out)
{
    /* Reals are compared by pairs: room for one more, which is 0. */
    int64_t room = 2 * w->vector + 2, pairs = (w->parts * w->vector + 1) / 2;
    double *block = calloc(4 * (size_t)room, sizeof *block);
    double *x = block, *got = x + room, *hi = got + room, *lo = hi + room;
    const weft_problem *p = &w->problem;
    int64_t n[WEFT_MAX_RANK], periods[WEFT_MAX_RANK];
    for (int i = 0; i < p->rank; i++) {
        n[i] = p->dims[i].n;
        periods[i] = oracle_period(kind_of(p, i), n[i]);
        /* Two products with rounded factors round as much as 16 does. */
        if (kind_of(p, i) >= WEFT_REDFT00 && n[i] > 1 && periods[i] < 16)
            periods[i] = 16;
    }
    bool products = p->precision >= WEFT_PRECISION_BF16 && p->rank > 0;
    double bar = products ? w->bound : bar_of(p, periods, w->vector);
    if (has_constant(p))
        bar *= 2; /* equal terms are rounded alike, not as noise is */
    double bar_max = has_constant(p) || products
                         ? HUGE_VAL
                         : bar + oracle_bar_max(p->type, p->rank, periods);
    for (int64_t v = 0; v < w->vectors; v++) {
        gather(w, in, v, false, x);
        gather(w, out, v, true, got);
        oracle_quad scale = expect(w, n, x, hi, lo);
        oracle_error e = oracle_compare(pairs, got, hi,
                                        p->type == WEFT_F64 ? lo : NULL,
                                        scale);
        if (!CHECK(e.l2 <= bar && e.max <= bar_max,
                   "%s: vector %lld: "
                   "relative L2 error %.3g (bar %.3g), largest %.3g (bar "
                   "%.3g)",
                   w->name, (long long)v, e.l2, bar, e.max, bar_max))
            break;
    }
    free(block);
}

/* `before` with the problem's elements from `after` must be `after`. */
static void check_untouched(const work *w, array *before, const array *after)
{
    const weft_problem *p = &w->problem;
    for (int64_t v = 0; v < w->vectors; v++)
        for (int64_t k = 0; k < w->vector; k++) {
            int64_t at = offset_of(p->batch, p->batch_rank, v, true) +
                         offset_of(p->dims, p->rank, k, true);
            for (int part = 0; part < w->parts; part++)
                memcpy(real_at(before, at, part), real_at(after, at, part),
                       w->real);
        }
    CHECK(array_same(before, after),
          "%s: elements outside the problem "
          "changed",
          w->name);
}

static void execute(const work *w, const weft_plan *plan, const array *in,
                    const array *out)
{
    weft_status status =
        in->split ? weft_execute_split(plan, pointer(in, 0), pointer(in, 1),
                                       pointer(out, 0), pointer(out, 1))
                  : weft_execute(plan, pointer(in, 0), pointer(out, 0));
    CHECK(status == WEFT_OK, "%s: execute: %s", w->name, weft_error_text());
}

static void run(const work *w, weft_plan *const plans[2])
{
    const weft_problem *p = &w->problem;
    bool in_place = p->place == WEFT_IN_PLACE;
    array in = array_new(w, 0, AT_START), first = {.count = 0};
    array blank = array_new(w, 1, AT_START);
    fill(&in, p->type);
    if (in_place)
        array_copy(&blank, &in);
    else
        fill(&blank, p->type);
    for (int i = 0; i < PLACEMENTS + 1; i++) {
        int placement = i % PLACEMENTS;
        array from = array_new(w, 0, placement);
        array to = in_place ? from : array_new(w, 1, placement);
        array_copy(&from, &in);
        array_copy(&to, &blank);
        execute(w, plans[i == PLACEMENTS], &from, &to);
        if (!in_place)
            CHECK(array_same(&from, &in), "%s: the input changed", w->name);
        if (i == 0) {
            check_values(w, &in, &to);
            first = array_new(w, 1, AT_START);
            array_copy(&first, &to);
            array before = array_new(w, 1, AT_START);
            array_copy(&before, &blank);
            check_untouched(w, &before, &to);
            array_free(&before);
        } else {
            CHECK(array_same(&to, &first), "%s: other bits %s", w->name,
                  i == PLACEMENTS ? "with another number of threads"
                                  : "at another address");
        }
        array_free(&from);
        if (!in_place)
            array_free(&to);
    }
    array_free(&in);
    array_free(&blank);
    array_free(&first);
}

/* ---- One case ----------------------------------------------------------- */

static void check_extent(const work *w, const weft_problem *problem)
{
    weft_extent e = {.count = -1};
    weft_status status = weft_problem_extent(problem, &e);
    if (!CHECK(status == WEFT_OK, "%s: extent: %s", w->name,
               weft_error_text()))
        return;
    CHECK(e.count == w->vector * w->vectors, "%s: extent counts %lld", w->name,
          (long long)e.count);
    if (w->vectors)
        CHECK(e.in_low == w->low[0] && e.out_low == w->low[1] &&
                  e.in_high == w->low[0] + w->count[0] - 1 &&
                  e.out_high == w->low[1] + w->count[1] - 1,
              "%s: extent [%lld, %lld] and [%lld, %lld]", w->name,
              (long long)e.in_low, (long long)e.in_high, (long long)e.out_low,
              (long long)e.out_high);
}

/* print, parse, print: the same text; the parsed problem is what runs. */
static bool round_trip(work *w, weft_problem *problem)
{
    char again[sizeof w->name] = "";
    size_t length = 0;
    weft_problem parsed;
    weft_status status = weft_problem_print(problem, w->name, sizeof w->name,
                                            &length);
    if (!CHECK(status == WEFT_OK && length < sizeof w->name,
               "a problem of rank %d is refused: %s", (int)problem->rank,
               weft_error_text()))
        return false;
    status = weft_problem_parse(w->name, &parsed);
    if (!CHECK(status == WEFT_OK, "%s: parse: %s", w->name, weft_error_text()))
        return false;
    weft_problem_print(&parsed, again, sizeof again, NULL);
    CHECK(!strcmp(again, w->name), "%s: prints again as %s", w->name, again);
    *problem = parsed;
    return true;
}

static void plan_and_run(work *w, const weft_problem *problem)
{
    weft_plan *plans[2] = {NULL, NULL};
    weft_problem other = *problem;
    int64_t *order = NULL;
    other.threads = problem->threads > 1 ? 1 : 3;
    const weft_problem *both[2] = {problem, &other};
    for (int i = 0; i < 2; i++) {
        weft_status status = weft_plan_create(both[i], NULL, &plans[i]);
        if (!CHECK(status == WEFT_OK, "%s: plan: %s: %s", w->name,
                   weft_status_name(status), weft_error_text()))
            goto out;
    }
    if (problem->order == WEFT_SCRAMBLED) {
        order = malloc((size_t)w->vector * sizeof *order);
        weft_status status = weft_plan_order(plans[0], order,
                                             (size_t)w->vector);
        if (!CHECK(status == WEFT_OK, "%s: order: %s", w->name,
                   weft_error_text()))
            goto out;
        for (int64_t k = 0; k < w->vector; k++)
            if (!CHECK(order[k] >= 0 && order[k] < w->vector,
                       "%s: order[%lld] is %lld", w->name, (long long)k,
                       (long long)order[k]))
                goto out;
        w->order = order;
    }
    weft_plan_error(plans[0], &w->bound, NULL);
    run(w, plans);
out:
    free(order);
    weft_plan_release(plans[0]);
    weft_plan_release(plans[1]);
}

static void test_problem(weft_problem problem)
{
    work w = make_work(&problem);
    if (round_trip(&w, &problem)) {
        check_extent(&w, &problem);
        plan_and_run(&w, &problem);
    }
}

/* ---- A few numbers, and a few neighbours -------------------------------- */

/* The dimensions of `shape` with `between` neighbours innermost, without gaps. */
static void interleave(weft_problem *p, const int64_t *shape, int64_t between)
{
    int64_t stride = between;
    for (int i = p->rank - 1; i >= 0; i--) {
        p->dims[i] = (weft_dim){shape[i], stride, stride};
        stride *= shape[i];
    }
    p->batch_rank = 1;
    p->batch[0] = (weft_dim){between, 1, 1};
}

static void test_small_shape(weft_kind kind, weft_type type, int rank,
                             const int64_t *shape)
{
    static const int64_t neighbours[] = {1, 2, 3, 6, 7, 8, 21};
    enum { MANY = sizeof neighbours / sizeof *neighbours };
    const bool r2r = kind >= WEFT_R2HC;
    for (int bits = 0; bits < 4; bits += kind == WEFT_C2C ? 1 : 3) {
        weft_problem p = weft_problem_nd(type, rank, shape, 1,
                                         bits & 2 && !r2r ? WEFT_INVERSE
                                                          : WEFT_FORWARD);
        p.kind = r2r ? WEFT_R2R : kind;
        for (int i = 0; i < rank && r2r; i++) /* each meets another */
            p.kinds[i] = (weft_kind)(WEFT_R2HC +
                                     (kind - WEFT_R2HC + 4 * i) % 11);
        p.norm = bits & 2 ? WEFT_NORM_ORTHO : WEFT_NORM_NONE;
        if (bits & 1)
            p.place = WEFT_IN_PLACE;
        test_problem(p);
        p.batch_rank = 1;
        p.batch[0] = (weft_dim){19, 0, 0};
        test_problem(p);
        for (int i = 0; i < MANY; i++) {
            interleave(&p, shape, neighbours[i]);
            test_problem(p);
        }
    }
}

static void test_small(void)
{
    static const int64_t shapes[][4] = {
        {1, 2},    {1, 3},    {1, 4},       {1, 7},      {1, 16},   {1, 31},
        {1, 48},   {1, 90},   {2, 36, 5},   {2, 2, 2},   {2, 2, 3}, {2, 5, 2},
        {2, 4, 4}, {2, 8, 3}, {3, 2, 2, 2}, {3, 2, 3, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int kind = WEFT_C2C; kind <= WEFT_RODFT11; kind++)
            for (int f32 = 0; f32 < 2; f32++)
                if (kind == WEFT_C2C || kind >= WEFT_R2HC)
                    test_small_shape((weft_kind)kind,
                                     f32 ? WEFT_F32 : WEFT_F64,
                                     (int)shapes[i][0], shapes[i] + 1);
}

static void test_case(uint64_t seed, int64_t number)
{
    noise.state = (seed << 32) + (uint64_t)number;
    noise.state = noise_bits(&noise);
    long failures = check_failures;
    test_problem(random_problem());
    if (check_failures > failures)
        fprintf(stderr, "    again: random_test --seed %llu --case %lld\n",
                (unsigned long long)seed, (long long)number);
}

int main(int argc, char **argv)
{
    int64_t count = 2500, only = -1;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--count"))
            count = atoll(argv[i + 1]);
        else if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--case"))
            only = atoll(argv[i + 1]);
    }
    printf("random_test: %s, seed %llu\n", weft_isa(),
           (unsigned long long)seed);
    if (only < 0)
        test_small();
    if (only >= 0)
        test_case(seed, only);
    else
        for (int64_t i = 0; i < count && check_failures < 20; i++)
            test_case(seed, i);
    return check_report("random_test");
}
