/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guru_test.c - problems nobody would think of, through FFTW's planners,
 * against the oracle by plain loops over the index space.
 *
 *     guru_test [--count N] [--seed S] [--case K] [--families F] [--stock 1]
 *
 * Every family of planner (complex, split, real to complex and back, real to
 * real) and every way to call it (guru, guru64, advanced), rank 0 to 6, signed
 * strides with gaps, batches, in place, also transposed, unaligned.  Arrays
 * lie between pages that may not be touched.  Checked: the values, that the
 * input (out of place) and everything between the elements is as before, and
 * that new-array execution elsewhere gives the same bits.
 *
 * Every tenth case is spoiled: some number in it is replaced by a strange one.
 * It may be a plan or not; nothing else may happen.
 *
 * Run with FFTW's own library and --stock 1, it checks itself: only what FFTW
 * promises too is asked for.
 */
#define _DEFAULT_SOURCE
#include "check.h"
#include "fftw3_both.h"
#include "oracle.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_RANK = 6, MAX_BATCH = 3, MAX_AXES = MAX_RANK + MAX_BATCH };
enum { MAX_TOTAL = 1 << 12, MAX_R2R = 96 };

static const weft_type type = TEST_SINGLE ? WEFT_F32 : WEFT_F64;
static noise_state noise;
static bool stock;   /* it is FFTW's own library */
static int families; /* the first so many */

static int64_t below(int64_t n)
{
    return noise_below(&noise, n);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

/* ---- A problem ------------------------------------------------------------ */

typedef enum family {
    COMPLEX,
    SPLIT,
    R2C,
    C2R,
    SPLIT_R2C,
    SPLIT_C2R,
    R2R,
    FAMILIES
} family;

typedef enum way { GURU, GURU64, MANY, WAYS } way;

enum { IN, OUT };

typedef struct problem {
    family family;
    way way;
    int rank, batch_rank, sign;
    bool in_place;
    unsigned flags;
    iodim64 axis[MAX_AXES + 1]; /* the transform's, the batch's; one spare */
    r2r_kind kind[MAX_RANK];
    /* MANY only */
    int n[MAX_RANK], embed[2][MAX_RANK], stride[2], dist[2];
    bool packed[2]; /* NULL for embed */
} problem;

static bool is_split(const problem *p)
{
    return p->family == SPLIT || p->family == SPLIT_R2C ||
           p->family == SPLIT_C2R;
}

static bool halves(const problem *p)
{
    return p->family == R2C || p->family == C2R || p->family == SPLIT_R2C ||
           p->family == SPLIT_C2R;
}

static bool is_real(const problem *p, int side)
{
    if (p->family == R2R)
        return true;
    if (p->family == R2C || p->family == SPLIT_R2C)
        return side == IN;
    return (p->family == C2R || p->family == SPLIT_C2R) && side == OUT;
}

static int axes(const problem *p)
{
    return p->rank + p->batch_rank;
}

/* Elements along an axis: of the halved one, n/2 + 1 complex numbers. */
static int64_t count_of(const problem *p, int axis, int side)
{
    int64_t n = p->axis[axis].n;
    return halves(p) && axis == p->rank - 1 && !is_real(p, side) ? n / 2 + 1
                                                                 : n;
}

static ptrdiff_t *stride_of(problem *p, int axis, int side)
{
    return side == IN ? &p->axis[axis].is : &p->axis[axis].os;
}

/* ---- Strides ------------------------------------------------------------------ */

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

/* Nested in a random or the usual order, with gaps and signs unless tight. */
static void nest(problem *p, int side, int64_t first, bool tight)
{
    int order[MAX_AXES], count = axes(p);
    int64_t stride = first;
    shuffle(order, count);
    if (chance(40))
        for (int i = 0; i < count; i++)
            order[i] = i < p->rank ? p->rank - 1 - i
                                   : count - 1 - (i - p->rank);
    for (int i = 0; i < count; i++) {
        int64_t n = count_of(p, order[i], side);
        *stride_of(p, order[i], side) = !tight && chance(15) ? -stride
                                                             : stride;
        stride *= n ? n : 1;
        if (!tight && chance(25))
            stride += 1 + below(5);
    }
}

/* In place, rows of reals lie in the room of their complex numbers: the
 * halved axis is dense on both sides, the others 2 : 1. */
static void nest_halves_in_place(problem *p)
{
    int complex_side = is_real(p, IN) ? OUT : IN, last = p->rank - 1;
    int order[MAX_AXES], count = axes(p);
    int64_t stride = p->axis[last].n / 2 + 1 + (chance(25) ? below(4) : 0);
    shuffle(order, count);
    p->axis[last].is = p->axis[last].os = 1;
    for (int i = 0; i < count; i++) {
        if (order[i] == last)
            continue;
        *stride_of(p, order[i], complex_side) = stride;
        *stride_of(p, order[i], !complex_side) = 2 * stride;
        stride *= p->axis[order[i]].n ? p->axis[order[i]].n : 1;
        if (chance(25))
            stride += 1 + below(3);
    }
}

static void random_strides(problem *p)
{
    if (p->in_place && halves(p) && is_split(p)) { /* re is the reals */
        nest(p, IN, 1, false);
        nest(p, OUT, 1, false);
    } else if (p->in_place && halves(p)) {
        nest_halves_in_place(p);
    } else if (p->in_place && chance(50)) { /* perhaps transposed */
        int64_t first = chance(75) ? 1 : 1 + below(4);
        nest(p, IN, first, true);
        nest(p, OUT, first, true);
    } else {
        nest(p, IN, chance(75) ? 1 : 1 + below(4), false);
        nest(p, OUT, chance(75) ? 1 : 1 + below(4), false);
        for (int i = 0; p->in_place && i < axes(p); i++)
            p->axis[i].os = p->axis[i].is;
        if (!p->in_place && axes(p) && chance(5)) /* read again and again */
            p->axis[below(axes(p))].is = 0;
    }
}

/* The advanced interface: strides are the stride times the extents to the
 * right, as the manual says. */
static void random_many(problem *p)
{
    int last = p->rank - 1;
    p->batch_rank = 1;
    for (int side = IN; side <= OUT; side++) {
        bool real_side = is_real(p, side);
        int64_t stride = p->in_place && halves(p) ? 1 : 1 + below(3);
        if (p->in_place && side == OUT && !halves(p))
            stride = p->stride[IN];
        p->stride[side] = (int)stride;
        p->packed[side] = chance(50);
        if (p->in_place && side == OUT && !halves(p))
            p->packed[side] = p->packed[IN];
        for (int i = last; i >= 0; i--) {
            int64_t extent = count_of(p, i, side);
            if (halves(p) && i == last && p->in_place && real_side)
                extent = 2 * (p->axis[i].n / 2 + 1);
            if (!p->packed[side] && i > 0 && !(p->in_place && halves(p)))
                extent += p->in_place && side == OUT ? p->embed[IN][i] - extent
                                                     : below(3);
            p->embed[side][i] = (int)extent;
            *stride_of(p, i, side) = stride;
            stride *= extent;
        }
        if (p->in_place && halves(p))
            p->dist[side] = (int)stride;
        else if (p->in_place && side == OUT)
            p->dist[side] = p->dist[IN];
        else
            p->dist[side] = (int)(stride + below(4));
        *stride_of(p, p->rank, side) = p->dist[side];
    }
}

/* ---- Sizes --------------------------------------------------------------------- */

static int64_t random_length(int64_t most)
{
    static const int liked[] = {2,  3,  4,  5,  6,  7,   8,   9,   11,  12,
                                13, 16, 17, 23, 27, 30,  32,  37,  49,  60,
                                64, 67, 81, 96, 97, 100, 128, 169, 256, 360};
    if (chance(5))
        return 1;
    for (int tries = 0; tries < 8 && chance(60); tries++) {
        int64_t n = liked[below(sizeof liked / sizeof *liked)];
        if (n <= most)
            return n;
    }
    return 1 + below(most);
}

static void random_sizes(problem *p)
{
    static const int ranks[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6};
    static const int batches[] = {0, 0, 0, 1, 1, 1, 2, 3};
    int64_t left = chance(8) ? MAX_TOTAL : chance(30) ? 1024 : 256;
    p->rank = ranks[below(sizeof ranks / sizeof *ranks)];
    p->batch_rank = batches[below(sizeof batches / sizeof *batches)];
    if (p->way == MANY) {
        p->rank = 1 + (int)below(3);
        p->batch_rank = 1;
    }
    for (int i = 0; i < axes(p); i++) {
        int64_t most = i >= p->rank ? 12 : p->rank == 1 ? left : 1 + left / 6;
        if (p->family == R2R && most > MAX_R2R)
            most = MAX_R2R;
        most = most < left ? most : left;
        p->axis[i].n = random_length(most ? most : 1);
        if (i < p->rank && p->family == R2R && p->kind[i] == FFTW_REDFT00 &&
            p->axis[i].n < 2)
            p->axis[i].n = 2;
        left /= p->axis[i].n;
        if (i < p->rank)
            p->n[i] = (int)p->axis[i].n;
    }
    if (p->batch_rank && chance(2))
        p->axis[p->rank].n = 0;
}

static problem random_problem(void)
{
    static const unsigned flags[] = {FFTW_ESTIMATE, FFTW_ESTIMATE,
                                     FFTW_ESTIMATE | FFTW_PRESERVE_INPUT,
                                     FFTW_ESTIMATE | FFTW_UNALIGNED,
                                     FFTW_ESTIMATE | FFTW_DESTROY_INPUT};
    problem p = {.family = (family)below(families), .way = (way)below(WAYS)};
    if (p.way == MANY && is_split(&p))
        p.way = GURU64;
    p.sign = chance(50) && !is_split(&p) ? FFTW_BACKWARD : FFTW_FORWARD;
    p.flags = flags[below(sizeof flags / sizeof *flags)];
    for (int i = 0; i < MAX_RANK; i++)
        p.kind[i] = i && chance(50) ? p.kind[0]
                                    : (r2r_kind)below(FFTW_RODFT11 + 1);
    p.in_place = chance(40);
    random_sizes(&p);
    if (halves(&p) && p.rank == 0)
        p.in_place = false;
    if (stock) /* it overwrites the input of c2r, and minds alignment */
        p.flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    if (p.way == MANY)
        random_many(&p);
    else
        random_strides(&p);
    return p;
}

/* ---- Memory between guards --------------------------------------------------- */

typedef struct arena {
    char *map, *data;
    size_t mapped, bytes;
} arena;

enum { AT_END, AT_START, UNALIGNED, PLACEMENTS };

static arena arena_new(size_t bytes, int placement)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t inside = (bytes + sizeof(real) + page - 1) / page * page;
    arena a = {.mapped = inside + 2 * page, .bytes = bytes};
    a.map = mmap(NULL, a.mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a.map == MAP_FAILED || mprotect(a.map, page, PROT_NONE) ||
        mprotect(a.map + page + inside, page, PROT_NONE)) {
        fprintf(stderr, "guru_test: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    a.data = a.map + page;
    if (placement == AT_END)
        a.data += inside - bytes;
    else if (placement == UNALIGNED)
        a.data += sizeof(real);
    return a;
}

static void arena_free(arena *a)
{
    if (a->map)
        munmap(a->map, a->mapped);
    a->map = NULL;
}

/* ---- An array: one side, or in place both ------------------------------------- */

typedef struct array {
    arena part[2];
    int64_t low[2], high[2]; /* reals, from the pointer given to FFTW, that
                                each part holds */
    int parts;
} array;

/* Widens [low, high], in reals, by what `side` of the problem touches. */
static void reach(const problem *p, int side, int64_t *low, int64_t *high)
{
    bool pairs = !is_real(p, side) && !is_split(p);
    int64_t from = 0, to = 0;
    for (int i = 0; i < axes(p); i++) {
        int64_t s = side == IN ? p->axis[i].is : p->axis[i].os;
        int64_t step = (count_of(p, i, side) - 1) * s;
        if (count_of(p, i, side) == 0)
            return;
        *(step < 0 ? &from : &to) += step;
    }
    from *= pairs ? 2 : 1;
    to = pairs ? 2 * to + 1 : to;
    *low = from < *low ? from : *low;
    *high = to > *high ? to : *high;
}

static array array_new(const problem *p, int side, int placement)
{
    bool reals = is_real(p, side) && (!p->in_place || is_real(p, !side));
    array a = {.parts = is_split(p) && !reals ? 2 : 1};
    int64_t low = 0, high = -1;
    reach(p, side, &low, &high);
    if (p->in_place)
        reach(p, !side, &low, &high);
    for (int i = 0; i < a.parts; i++) {
        a.low[i] = low;
        a.high[i] = high;
        a.part[i] = arena_new((size_t)(high - low + 1) * sizeof(real),
                              placement);
    }
    return a;
}

static void array_free(array *a)
{
    arena_free(&a->part[0]);
    arena_free(&a->part[1]);
}

static void array_copy(array *to, const array *from)
{
    for (int i = 0; i < to->parts; i++)
        memcpy(to->part[i].data, from->part[i].data, to->part[i].bytes);
}

static bool array_same(const array *a, const array *b)
{
    for (int i = 0; i < a->parts; i++)
        if (memcmp(a->part[i].data, b->part[i].data, a->part[i].bytes))
            return false;
    return true;
}

static void array_fill(array *a)
{
    for (int i = 0; i < a->parts; i++)
        for (size_t k = 0; k < a->part[i].bytes; k += sizeof(real)) {
            real r = (real)oracle_sample(&noise, type);
            memcpy(a->part[i].data + k, &r, sizeof r);
        }
}

static real *pointer(const array *a, int part)
{
    if (part >= a->parts)
        return NULL;
    return (real *)(void *)a->part[part].data - a->low[part];
}

/* re or im of the element at `offset` elements. */
static real *at(const problem *p, const array *a, int side, int64_t offset,
                int part)
{
    if (is_real(p, side))
        return pointer(a, 0) + offset;
    return is_split(p) ? pointer(a, part) + offset
                       : pointer(a, 0) + 2 * offset + part;
}

/* ---- Vectors, packed ------------------------------------------------------------ */

static int64_t vector_of(const problem *p, int side)
{
    int64_t n = 1;
    for (int i = 0; i < p->rank; i++)
        n *= count_of(p, i, side);
    return n;
}

static int64_t vectors_of(const problem *p)
{
    int64_t n = 1;
    for (int i = p->rank; i < axes(p); i++)
        n *= p->axis[i].n;
    return n;
}

/* Of element k of vector v, row-major both. */
static int64_t offset_of(const problem *p, int side, int64_t v, int64_t k)
{
    int64_t offset = 0;
    for (int i = axes(p) - 1; i >= 0; i--) {
        int64_t *index = i < p->rank ? &k : &v;
        int64_t n = count_of(p, i, side);
        offset += *index % n * (side == IN ? p->axis[i].is : p->axis[i].os);
        *index /= n;
    }
    return offset;
}

static void gather(const problem *p, const array *a, int side, int64_t v,
                   double *packed)
{
    for (int64_t k = 0; k < vector_of(p, side); k++) {
        int64_t offset = offset_of(p, side, v, k);
        packed[2 * k] = (double)*at(p, a, side, offset, 0);
        packed[2 * k + 1] = is_real(p, side)
                                ? 0
                                : (double)*at(p, a, side, offset, 1);
    }
}

static void scatter(const problem *p, array *a, int side, int64_t v,
                    const double *packed)
{
    for (int64_t k = 0; k < vector_of(p, side); k++) {
        int64_t offset = offset_of(p, side, v, k);
        *at(p, a, side, offset, 0) = (real)packed[2 * k];
        if (!is_real(p, side))
            *at(p, a, side, offset, 1) = (real)packed[2 * k + 1];
    }
}

/* ---- What is expected ------------------------------------------------------------ */

/* The whole vector from the half of it that is stored, and back. */
static void unfold(const problem *p, const double *half, double *full)
{
    int64_t last = p->axis[p->rank - 1].n, stored = last / 2 + 1;
    int64_t rows = vector_of(p, is_real(p, IN) ? IN : OUT) / last;
    for (int64_t r = 0; r < rows; r++) {
        int64_t mirror = 0, rest = r, scale = 1; /* the row of -indices */
        for (int i = p->rank - 2; i >= 0; i--) {
            int64_t n = p->axis[i].n;
            mirror += (n - rest % n) % n * scale;
            rest /= n;
            scale *= n;
        }
        for (int64_t k = 0; k < last; k++) {
            bool there = k < stored;
            const double *from = half + 2 * ((there ? r : mirror) * stored +
                                             (there ? k : last - k));
            full[2 * (r * last + k)] = from[0];
            full[2 * (r * last + k) + 1] = there ? from[1] : -from[1];
        }
    }
}

static void fold(const problem *p, const double *full, double *half)
{
    int64_t last = p->rank ? p->axis[p->rank - 1].n : 1;
    int64_t stored = last / 2 + 1;
    int64_t rows = vector_of(p, is_real(p, IN) ? IN : OUT) / last;
    for (int64_t r = 0; r < rows; r++)
        memcpy(half + 2 * r * stored, full + 2 * r * last,
               2 * (size_t)stored * sizeof *half);
}

/* cos and sin of 2 pi k / n, for n up to 8 MAX_R2R, remembered. */
static const double *roots_of(int64_t n)
{
    static double *known[8 * MAX_R2R + 1];
    if (!known[n]) {
        known[n] = malloc(2 * (size_t)n * sizeof(double));
        if (!known[n])
            exit(2);
        for (int64_t k = 0; k < n; k++) {
            oracle_quad re, im;
            oracle_root(k, n, &re, &im);
            known[n][2 * k] = (double)re;
            known[n][2 * k + 1] = (double)im;
        }
    }
    return known[n];
}

static double cosine(int64_t k, int64_t n)
{
    return roots_of(n)[2 * (k % n)];
}

static double sine(int64_t k, int64_t n)
{
    return roots_of(n)[2 * (k % n) + 1];
}

/* How much of x[j] is in X[k], by the definitions of FFTW's manual. */
static double coefficient(r2r_kind kind, int64_t n, int64_t k, int64_t j)
{
    double ends = k % 2 ? -1 : 1;
    switch (kind) {
    case FFTW_R2HC:
        return k <= n / 2 ? cosine(j * k, n) : -sine(j * (n - k), n);
    case FFTW_HC2R:
        return j == 0 || 2 * j == n ? cosine(j * k, n)
               : j < n - j          ? 2 * cosine(j * k, n)
                                    : -2 * sine((n - j) * k, n);
    case FFTW_DHT: return cosine(j * k, n) + sine(j * k, n);
    case FFTW_REDFT00:
        return j == 0 ? 1 : j == n - 1 ? ends : 2 * cosine(j * k, 2 * (n - 1));
    case FFTW_REDFT10: return 2 * cosine((2 * j + 1) * k, 4 * n);
    case FFTW_REDFT01: return j == 0 ? 1 : 2 * cosine(j * (2 * k + 1), 4 * n);
    case FFTW_REDFT11: return 2 * cosine((2 * j + 1) * (2 * k + 1), 8 * n);
    case FFTW_RODFT00: return 2 * sine((j + 1) * (k + 1), 2 * (n + 1));
    case FFTW_RODFT10: return 2 * sine((2 * j + 1) * (k + 1), 4 * n);
    case FFTW_RODFT01:
        return j == n - 1 ? ends : 2 * sine((j + 1) * (2 * k + 1), 4 * n);
    default: return 2 * sine((2 * j + 1) * (2 * k + 1), 8 * n);
    }
}

/* One dimension of n at a time, `step` apart, in place. */
static void transform_r2r(r2r_kind kind, int64_t n, int64_t step,
                          int64_t total, double *x)
{
    double line[MAX_R2R];
    for (int64_t start = 0; start < total; start++) {
        if (start / step % n)
            continue;
        for (int64_t k = 0; k < n; k++) {
            line[k] = 0;
            for (int64_t j = 0; j < n; j++)
                line[k] += coefficient(kind, n, k, j) *
                           x[2 * (start + j * step)];
        }
        for (int64_t k = 0; k < n; k++)
            x[2 * (start + k * step)] = line[k];
    }
}

/* *expected from the gathered input; both have room for the whole vector. */
static void expect(const problem *p, const double *in, double *expected)
{
    int64_t n[MAX_RANK], total = vector_of(p, is_real(p, IN) ? IN : OUT);
    double *full = malloc(2 * (size_t)total * sizeof *full);
    if (!full)
        exit(2);
    for (int i = 0; i < p->rank; i++)
        n[i] = p->axis[i].n;
    if (p->family == R2R) {
        memcpy(expected, in, 2 * (size_t)total * sizeof *in);
        for (int64_t i = p->rank - 1, step = 1; i >= 0; step *= n[i--])
            transform_r2r(p->kind[i], n[i], step, total, expected);
    } else if (halves(p) && is_real(p, OUT)) {
        if (p->rank)
            unfold(p, in, full);
        else
            memcpy(full, in, 2 * sizeof *in);
        oracle_transform(type, true, p->rank, n, full, expected, NULL);
    } else if (halves(p)) {
        oracle_transform(type, false, p->rank, n, in, full, NULL);
        fold(p, full, expected);
    } else {
        oracle_transform(type, p->sign == FFTW_BACKWARD, p->rank, n, in,
                         expected, NULL);
    }
    free(full);
}

/* ---- Plans ------------------------------------------------------------------------ */

static plan plan_many(const problem *p, real *in, real *out)
{
    const int *inembed = p->packed[IN] ? NULL : p->embed[IN];
    const int *onembed = p->packed[OUT] ? NULL : p->embed[OUT];
    int howmany = (int)p->axis[p->rank].n;
    C *cin = (C *)(void *)in, *cout = (C *)(void *)out;
    switch (p->family) {
    case R2C:
        return X(plan_many_dft_r2c)(p->rank, p->n, howmany, in, inembed,
                                    p->stride[IN], p->dist[IN], cout, onembed,
                                    p->stride[OUT], p->dist[OUT], p->flags);
    case C2R:
        return X(plan_many_dft_c2r)(p->rank, p->n, howmany, cin, inembed,
                                    p->stride[IN], p->dist[IN], out, onembed,
                                    p->stride[OUT], p->dist[OUT], p->flags);
    case R2R:
        return X(plan_many_r2r)(p->rank, p->n, howmany, in, inembed,
                                p->stride[IN], p->dist[IN], out, onembed,
                                p->stride[OUT], p->dist[OUT], p->kind,
                                p->flags);
    default:
        return X(plan_many_dft)(p->rank, p->n, howmany, cin, inembed,
                                p->stride[IN], p->dist[IN], cout, onembed,
                                p->stride[OUT], p->dist[OUT], p->sign,
                                p->flags);
    }
}

static plan plan_guru64(const problem *p, real *const in[2],
                        real *const out[2])
{
    const iodim64 *d = p->axis, *h = p->axis + p->rank;
    int rank = p->rank, batch = p->batch_rank;
    C *cin = (C *)(void *)in[0], *cout = (C *)(void *)out[0];
    switch (p->family) {
    case SPLIT:
        return X(plan_guru64_split_dft)(rank, d, batch, h, in[0], in[1],
                                        out[0], out[1], p->flags);
    case R2C:
        return X(plan_guru64_dft_r2c)(rank, d, batch, h, in[0], cout,
                                      p->flags);
    case C2R:
        return X(plan_guru64_dft_c2r)(rank, d, batch, h, cin, out[0],
                                      p->flags);
    case SPLIT_R2C:
        return X(plan_guru64_split_dft_r2c)(rank, d, batch, h, in[0], out[0],
                                            out[1], p->flags);
    case SPLIT_C2R:
        return X(plan_guru64_split_dft_c2r)(rank, d, batch, h, in[0], in[1],
                                            out[0], p->flags);
    case R2R:
        return X(plan_guru64_r2r)(rank, d, batch, h, in[0], out[0], p->kind,
                                  p->flags);
    default:
        return X(plan_guru64_dft)(rank, d, batch, h, cin, cout, p->sign,
                                  p->flags);
    }
}

static plan plan_guru(const problem *p, real *const in[2], real *const out[2])
{
    iodim d[MAX_AXES], *h = d + p->rank;
    int rank = p->rank, batch = p->batch_rank;
    C *cin = (C *)(void *)in[0], *cout = (C *)(void *)out[0];
    for (int i = 0; i < axes(p); i++)
        d[i] = (iodim){(int)p->axis[i].n, (int)p->axis[i].is,
                       (int)p->axis[i].os};
    switch (p->family) {
    case SPLIT:
        return X(plan_guru_split_dft)(rank, d, batch, h, in[0], in[1], out[0],
                                      out[1], p->flags);
    case R2C:
        return X(plan_guru_dft_r2c)(rank, d, batch, h, in[0], cout, p->flags);
    case C2R:
        return X(plan_guru_dft_c2r)(rank, d, batch, h, cin, out[0], p->flags);
    case SPLIT_R2C:
        return X(plan_guru_split_dft_r2c)(rank, d, batch, h, in[0], out[0],
                                          out[1], p->flags);
    case SPLIT_C2R:
        return X(plan_guru_split_dft_c2r)(rank, d, batch, h, in[0], in[1],
                                          out[0], p->flags);
    case R2R:
        return X(plan_guru_r2r)(rank, d, batch, h, in[0], out[0], p->kind,
                                p->flags);
    default:
        return X(plan_guru_dft)(rank, d, batch, h, cin, cout, p->sign,
                                p->flags);
    }
}

static plan plan_of(const problem *p, const array *in, const array *out)
{
    real *const from[2] = {pointer(in, 0), pointer(in, 1)};
    real *const to[2] = {pointer(out, 0), pointer(out, 1)};
    switch (p->way) {
    case MANY: return plan_many(p, from[0], to[0]);
    case GURU: return plan_guru(p, from, to);
    default: return plan_guru64(p, from, to);
    }
}

static void execute_on(const problem *p, plan q, const array *in,
                       const array *out)
{
    real *from = pointer(in, 0), *to = pointer(out, 0);
    C *cfrom = (C *)(void *)from, *cto = (C *)(void *)to;
    switch (p->family) {
    case SPLIT:
        X(execute_split_dft)(q, from, pointer(in, 1), to, pointer(out, 1));
        break;
    case R2C: X(execute_dft_r2c)(q, from, cto); break;
    case C2R: X(execute_dft_c2r)(q, cfrom, to); break;
    case SPLIT_R2C:
        X(execute_split_dft_r2c)(q, from, to, pointer(out, 1));
        break;
    case SPLIT_C2R:
        X(execute_split_dft_c2r)(q, from, pointer(in, 1), to);
        break;
    case R2R: X(execute_r2r)(q, from, to); break;
    default: X(execute_dft)(q, cfrom, cto); break;
    }
}

/* ---- One case ----------------------------------------------------------------------- */

static void name_of(const problem *p, char *text, size_t room)
{
    static const char *const names[FAMILIES] = {
        "complex", "split", "r2c", "c2r", "split r2c", "split c2r", "r2r"};
    static const char *const ways[] = {"guru", "guru64", "many"};
    int length = snprintf(text, room, "%s %s%s%s", names[p->family],
                          ways[p->way], p->in_place ? " in place" : "",
                          p->sign == FFTW_BACKWARD ? " backward" : "");
    for (int i = 0; i < axes(p) && length < (int)room; i++) {
        length += snprintf(text + length, room - (size_t)length,
                           "%s%td/%td/%td", i == p->rank ? " * " : " ",
                           p->axis[i].n, p->axis[i].is, p->axis[i].os);
        if (p->family == R2R && i < p->rank && length < (int)room)
            length += snprintf(text + length, room - (size_t)length, ":%d",
                               (int)p->kind[i]);
    }
}

/* Spectra of real vectors, with noise where it is not read. */
static void make_hermitian(const problem *p, array *in)
{
    int64_t total = vector_of(p, OUT), n[MAX_RANK];
    double *x = malloc(6 * (size_t)(total + 1) * sizeof *x);
    double *full = x + 2 * total, *half = full + 2 * total;
    if (!x)
        exit(2);
    for (int i = 0; i < p->rank; i++)
        n[i] = p->axis[i].n;
    for (int64_t v = 0; v < vectors_of(p); v++) {
        for (int64_t k = 0; k < total; k++) {
            x[2 * k] = oracle_sample(&noise, type);
            x[2 * k + 1] = 0;
        }
        oracle_transform(type, false, p->rank, n, x, full, NULL);
        fold(p, full, half);
        scatter(p, in, IN, v, half);
    }
    free(x);
}

static void check_values(const problem *p, const char *name, const array *in,
                         const array *out)
{
    int64_t total = vector_of(p, is_real(p, IN) ? IN : OUT), bigger = total;
    for (int side = IN; side <= OUT; side++)
        if (vector_of(p, side) > bigger)
            bigger = vector_of(p, side);
    size_t room = 2 * (size_t)bigger + 2;
    double *x = malloc(3 * room * sizeof *x);
    double *got = x + room, *expected = got + room;
    const double unit = type == WEFT_F64 ? 0x1p-53 : 0x1p-24;
    double bar = 8 * unit * (1 + log2((double)bigger));
    if (!x)
        exit(2);
    for (int64_t v = 0; v < vectors_of(p); v++) {
        gather(p, in, IN, v, x);
        gather(p, out, OUT, v, got);
        expect(p, x, expected);
        for (int64_t k = 0; is_real(p, OUT) && k < vector_of(p, OUT); k++)
            expected[2 * k + 1] = 0;
        oracle_error e = oracle_compare(vector_of(p, OUT), got, expected, NULL,
                                        1);
        if (!CHECK(e.l2 <= bar, "%s: vector %lld: relative L2 error %.3g",
                   name, (long long)v, e.l2))
            break;
    }
    free(x);
}

/* Elements that are not the output's are as before. */
static void check_untouched(const problem *p, const char *name, array *before,
                            const array *after)
{
    for (int64_t v = 0; v < vectors_of(p); v++)
        for (int64_t k = 0; k < vector_of(p, OUT); k++) {
            int64_t offset = offset_of(p, OUT, v, k);
            for (int part = 0; part < (is_real(p, OUT) ? 1 : 2); part++)
                *at(p, before, OUT, offset, part) = *at(p, after, OUT, offset,
                                                        part);
        }
    /* In place, what the input took may change too. */
    if (p->in_place && halves(p))
        for (int64_t v = 0; v < vectors_of(p); v++)
            for (int64_t k = 0; k < vector_of(p, IN); k++) {
                int64_t offset = offset_of(p, IN, v, k);
                for (int part = 0; part < (is_real(p, IN) ? 1 : 2); part++)
                    *at(p, before, IN, offset, part) = *at(p, after, IN,
                                                           offset, part);
            }
    CHECK(array_same(before, after),
          "%s: elements between the problem's "
          "changed",
          name);
}

static void run(const problem *p, const char *name)
{
    array in = array_new(p, IN, AT_START), first = {.parts = 0};
    array blank = array_new(p, p->in_place ? IN : OUT, AT_START);
    array_fill(&in);
    if (p->family == C2R || p->family == SPLIT_C2R)
        make_hermitian(p, &in);
    if (p->in_place)
        array_copy(&blank, &in);
    else
        array_fill(&blank);
    plan q = NULL;
    for (int i = 0; i < PLACEMENTS; i++) {
        array from = array_new(p, IN, i);
        array to = p->in_place ? from : array_new(p, OUT, i);
        array_copy(&from, &in);
        array_copy(&to, &blank);
        if (!q) {
            q = plan_of(p, &from, &to);
            CHECK(array_same(&from, &in) && array_same(&to, &blank),
                  "%s: planning touched the arrays", name);
            if (CHECK(q, "%s: no plan", name))
                X(execute)(q);
        } else {
            execute_on(p, q, &from, &to);
        }
        if (q && !p->in_place &&
            !(stock && (halves(p) || p->flags & FFTW_DESTROY_INPUT)))
            CHECK(array_same(&from, &in), "%s: the input changed", name);
        if (q && i == 0) {
            check_values(p, name, &in, &to);
            first = array_new(p, p->in_place ? IN : OUT, AT_START);
            array_copy(&first, &to);
            check_untouched(p, name, &blank, &to);
            array_copy(&blank, p->in_place ? &in : &blank);
        } else if (q) {
            array mine = array_new(p, p->in_place ? IN : OUT, AT_START);
            array_copy(&mine, &to);
            CHECK(stock || array_same(&mine, &first),
                  "%s: other bits elsewhere", name);
            array_free(&mine);
        }
        array_free(&from);
        if (!p->in_place)
            array_free(&to);
        if (!q)
            break;
    }
    X(destroy_plan)(q);
    array_free(&in);
    array_free(&blank);
    array_free(&first);
}

/* ---- Spoiled problems ----------------------------------------------------------------- */

static void spoil(problem *p)
{
    static const ptrdiff_t strange[] = {
        0, -1, INT_MAX, INT_MIN, PTRDIFF_MAX, PTRDIFF_MIN, PTRDIFF_MAX / 2, 1};
    ptrdiff_t value = strange[below(sizeof strange / sizeof *strange)];
    int axis = (int)below(axes(p) + 1);
    switch (below(6)) {
    case 0: /* a length that fits is planned: gigabytes of tables */
        p->axis[axis].n = value > 1 && value < PTRDIFF_MAX / 2 ? 0 : value;
        break;
    case 1: p->axis[axis].is = value; break;
    case 2: p->axis[axis].os = value; break;
    case 3: p->sign = (int)value; break;
    case 4: p->kind[below(MAX_RANK)] = (r2r_kind)((unsigned)value + 11); break;
    default: p->flags = (unsigned)noise_bits(&noise) | FFTW_ESTIMATE; break;
    }
}

/* Only planning: what is planned may not be executable on what there is. */
static void try_spoiled(problem p)
{
    static real arrays[4][16];
    array in = {.parts = 1}, out = {.parts = 1};
    if (p.way == MANY)
        p.way = GURU64;
    spoil(&p);
    if (is_split(&p))
        in.parts = out.parts = 2;
    for (int i = 0; i < 2; i++) {
        in.part[i].data = (char *)arrays[i];
        out.part[i].data = (char *)arrays[p.in_place ? i : 2 + i];
    }
    X(destroy_plan)(plan_of(&p, &in, &out));
    check_count++;
}

static void test_case(uint64_t seed, int64_t number)
{
    char name[600];
    noise.state = (seed << 32) + (uint64_t)number;
    noise.state = noise_bits(&noise);
    problem p = random_problem();
    const int threads = below(4) ? 1 : 2 + (int)below(3);
    name_of(&p, name, sizeof name);
    X(plan_with_nthreads)(threads);
    long failures = check_failures;
    if (number % 10 == 9 && !stock)
        try_spoiled(p);
    else
        run(&p, name);
    if (check_failures > failures)
        fprintf(stderr,
                "    again, %d threads: guru_test --seed %llu --case %lld\n",
                threads, (unsigned long long)seed, (long long)number);
}

int main(int argc, char **argv)
{
    int64_t count = 2000, only = -1;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--count"))
            count = atoll(argv[i + 1]);
        else if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--families"))
            families = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--stock"))
            stock = atoi(argv[i + 1]) != 0;
        else if (!strcmp(argv[i], "--case"))
            only = atoll(argv[i + 1]);
    }
    if (families < 1 || families > FAMILIES)
        families = FAMILIES;
    printf("guru_test: %s, seed %llu\n", X(version), (unsigned long long)seed);
    if (only >= 0)
        test_case(seed, only);
    else
        for (int64_t i = 0; i < count && check_failures < 20; i++)
            test_case(seed, i);
    X(cleanup)();
    return check_report(TEST_LIBRARY " guru_test");
}
