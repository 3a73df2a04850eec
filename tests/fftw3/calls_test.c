/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls_test.c - every name that makes a plan, in C and in both spellings of
 * Fortran, does what fftw_plan_guru64_* does, which guru_test.c holds to the
 * oracle: what arguments in a wrong order make is wholly different.  And what else
 * Fortran can call.  For both libraries (this file is compiled for each).
 */
#include "check.h"
#include "fftw3_both.h"

#include <math.h>
#include <string.h>

/* Of C: the last is the fastest.  MANY of them in arrays that are PAD longer. */
enum { N0 = 3, N1 = 4, N2 = 5, HALF = N2 / 2 + 1, MANY = 2, PAD = 7 };
enum { REALS = 2 * MANY * (N0 * N1 * N2 + PAD) };

static real input[REALS], wanted[REALS], made[REALS];
static const int lengths[3] = {N0, N1, N2};
static const r2r_kind kinds[3] = {FFTW_REDFT10, FFTW_DHT, FFTW_RODFT00};
static const int backward = FFTW_BACKWARD, flags = FFTW_ESTIMATE;

/* ---- What Fortran sees --------------------------------------------------- */

#if TEST_SINGLE
#define ONE(name) sfftw_##name##_
#define TWO(name) sfftw_##name##__
#else
#define ONE(name) dfftw_##name##_
#define TWO(name) dfftw_##name##__
#endif
#define FORTRAN(name, ...) \
    extern void ONE(name)(__VA_ARGS__), TWO(name)(__VA_ARGS__)

typedef const int *in_int;

FORTRAN(plan_dft, plan *, in_int, in_int, C *, C *, in_int, in_int);
FORTRAN(plan_dft_1d, plan *, in_int, C *, C *, in_int, in_int);
FORTRAN(plan_dft_2d, plan *, in_int, in_int, C *, C *, in_int, in_int);
FORTRAN(plan_dft_3d, plan *, in_int, in_int, in_int, C *, C *, in_int, in_int);
FORTRAN(plan_many_dft, plan *, in_int, in_int, in_int, C *, in_int, in_int,
        in_int, C *, in_int, in_int, in_int, in_int, in_int);
FORTRAN(plan_guru_dft, plan *, in_int, in_int, in_int, in_int, in_int, in_int,
        in_int, in_int, C *, C *, in_int, in_int);
FORTRAN(plan_guru_split_dft, plan *, in_int, in_int, in_int, in_int, in_int,
        in_int, in_int, in_int, real *, real *, real *, real *, in_int);
FORTRAN(plan_dft_r2c, plan *, in_int, in_int, real *, C *, in_int);
FORTRAN(plan_dft_r2c_1d, plan *, in_int, real *, C *, in_int);
FORTRAN(plan_dft_r2c_2d, plan *, in_int, in_int, real *, C *, in_int);
FORTRAN(plan_dft_r2c_3d, plan *, in_int, in_int, in_int, real *, C *, in_int);
FORTRAN(plan_many_dft_r2c, plan *, in_int, in_int, in_int, real *, in_int,
        in_int, in_int, C *, in_int, in_int, in_int, in_int);
FORTRAN(plan_guru_dft_r2c, plan *, in_int, in_int, in_int, in_int, in_int,
        in_int, in_int, in_int, real *, C *, in_int);
FORTRAN(plan_guru_split_dft_r2c, plan *, in_int, in_int, in_int, in_int,
        in_int, in_int, in_int, in_int, real *, real *, real *, in_int);
FORTRAN(plan_dft_c2r, plan *, in_int, in_int, C *, real *, in_int);
FORTRAN(plan_dft_c2r_1d, plan *, in_int, C *, real *, in_int);
FORTRAN(plan_dft_c2r_2d, plan *, in_int, in_int, C *, real *, in_int);
FORTRAN(plan_dft_c2r_3d, plan *, in_int, in_int, in_int, C *, real *, in_int);
FORTRAN(plan_many_dft_c2r, plan *, in_int, in_int, in_int, C *, in_int, in_int,
        in_int, real *, in_int, in_int, in_int, in_int);
FORTRAN(plan_guru_dft_c2r, plan *, in_int, in_int, in_int, in_int, in_int,
        in_int, in_int, in_int, C *, real *, in_int);
FORTRAN(plan_guru_split_dft_c2r, plan *, in_int, in_int, in_int, in_int,
        in_int, in_int, in_int, in_int, real *, real *, real *, in_int);
FORTRAN(plan_r2r, plan *, in_int, in_int, real *, real *, in_int, in_int);
FORTRAN(plan_r2r_1d, plan *, in_int, real *, real *, in_int, in_int);
FORTRAN(plan_r2r_2d, plan *, in_int, in_int, real *, real *, in_int, in_int,
        in_int);
FORTRAN(plan_r2r_3d, plan *, in_int, in_int, in_int, real *, real *, in_int,
        in_int, in_int, in_int);
FORTRAN(plan_many_r2r, plan *, in_int, in_int, in_int, real *, in_int, in_int,
        in_int, real *, in_int, in_int, in_int, in_int, in_int);
FORTRAN(plan_guru_r2r, plan *, in_int, in_int, in_int, in_int, in_int, in_int,
        in_int, in_int, real *, real *, in_int, in_int);
FORTRAN(execute, plan *);
FORTRAN(execute_dft, plan *, C *, C *);
FORTRAN(execute_dft_r2c, plan *, real *, C *);
FORTRAN(execute_dft_c2r, plan *, C *, real *);
FORTRAN(execute_r2r, plan *, real *, real *);
FORTRAN(execute_split_dft, plan *, real *, real *, real *, real *);
FORTRAN(execute_split_dft_r2c, plan *, real *, real *, real *);
FORTRAN(execute_split_dft_c2r, plan *, real *, real *, real *);
FORTRAN(destroy_plan, plan *);
FORTRAN(print_plan, plan *);
FORTRAN(flops, plan *, double *, double *, double *);
FORTRAN(cost, double *, plan *);
FORTRAN(estimate_cost, double *, plan *);
FORTRAN(set_timelimit, const double *);
FORTRAN(cleanup, void);
FORTRAN(forget_wisdom, void);
FORTRAN(export_wisdom, void (*)(char *, void *), void *);
FORTRAN(import_wisdom, int *, void (*)(int *, void *), void *);
FORTRAN(import_system_wisdom, int *);
FORTRAN(init_threads, int *);
FORTRAN(plan_with_nthreads, in_int);
FORTRAN(planner_nthreads, int *);
FORTRAN(cleanup_threads, void);

/* ---- What they must be --------------------------------------------------- */

typedef enum family { DFT, R2C, C2R, R2R } family;

/* Packed rows of the first `rank` lengths from `first` on, times `many` that are
 * PAD apart. */
typedef struct shape {
    family family;
    int first, rank, many;
} shape;

/* Numbers of dimension i on a side. */
static int extent(const shape *s, int i, bool in)
{
    const int n = lengths[s->first + i];
    const bool half = i == s->rank - 1 && (s->family == R2C   ? !in
                                           : s->family == C2R ? in
                                                              : false);
    return half ? n / 2 + 1 : n;
}

static int total(const shape *s, bool in)
{
    int count = 1;
    for (int i = 0; i < s->rank; i++)
        count *= extent(s, i, in);
    return count;
}

static int distance(const shape *s, bool in)
{
    return total(s, in) + PAD;
}

/* Dimensions, row by row, and the batch. */
typedef struct grid {
    int n[3], is[3], os[3], embed_in[3], embed_out[3];
    int many, idist, odist;
} grid;

static grid grid_of(const shape *s)
{
    grid g = {.many = s->many,
              .idist = distance(s, true),
              .odist = distance(s, false)};
    int is = 1, os = 1;
    for (int i = s->rank - 1; i >= 0; i--) {
        g.n[i] = lengths[s->first + i];
        g.embed_in[i] = extent(s, i, true);
        g.embed_out[i] = extent(s, i, false);
        g.is[i] = is;
        g.os[i] = os;
        is *= g.embed_in[i];
        os *= g.embed_out[i];
    }
    return g;
}

static plan guru64(const shape *s, real *in, real *out)
{
    const grid g = grid_of(s);
    iodim64 dim[3], batch = {g.many, g.idist, g.odist};
    for (int i = 0; i < s->rank; i++)
        dim[i] = (iodim64){g.n[i], g.is[i], g.os[i]};
    switch (s->family) {
    case DFT:
        return X(plan_guru64_dft)(s->rank, dim, 1, &batch, (C *)in, (C *)out,
                                  backward, (unsigned)flags);
    case R2C:
        return X(plan_guru64_dft_r2c)(s->rank, dim, 1, &batch, in, (C *)out,
                                      (unsigned)flags);
    case C2R:
        return X(plan_guru64_dft_c2r)(s->rank, dim, 1, &batch, (C *)in, out,
                                      (unsigned)flags);
    default:
        return X(plan_guru64_r2r)(s->rank, dim, 1, &batch, in, out,
                                  kinds + s->first, (unsigned)flags);
    }
}

static void want(const shape *s)
{
    memset(wanted, 0, sizeof wanted);
    plan p = guru64(s, input, wanted);
    CHECK(p != NULL, "no plan to compare with");
    X(execute)(p);
    X(destroy_plan)(p);
}

/* To some roundings: those of two arrays have plans of their own. */
static void compare(const char *name, const real *got)
{
    const double unit = TEST_SINGLE ? 0x1p-24 : 0x1p-53;
    double largest = 0, error = 0;
    for (int i = 0; i < REALS; i++) {
        const double size = fabs(wanted[i]), off = fabs(got[i] - wanted[i]);
        largest = size > largest ? size : largest;
        error = off > error ? off : error;
    }
    CHECK(error <= 8 * unit * largest, "%s: %.3g beside %.3g", name, error,
          largest);
}

static void expect(const char *name, plan p)
{
    memset(made, 0, sizeof made);
    CHECK(p != NULL, "%s: no plan", name);
    X(execute)(p);
    compare(name, made);
    X(destroy_plan)(p);
}

#define EXPECT(name, ...) expect(#name, X(name)(__VA_ARGS__))
/* By both spellings; the plan is the first argument. */
#define EXPECT_FORTRAN(name, ...)         \
    do {                                  \
        plan p = NULL;                    \
        ONE(name)(&p, __VA_ARGS__);       \
        expect("Fortran " #name "_", p);  \
        p = NULL;                         \
        TWO(name)(&p, __VA_ARGS__);       \
        expect("Fortran " #name "__", p); \
    } while (0)

/* ---- Plain plans --------------------------------------------------------- */

static const int n0 = N0, n1 = N1, n2 = N2, two = 2, three = 3, one = 1;
static const int cube[] = {N2, N1, N0}; /* of Fortran */
static C *const in_c = (C *)input, *const out_c = (C *)made;

static void test_plain_dft(void)
{
    const unsigned f = (unsigned)flags;
    want(&(shape){DFT, 2, 1, 1});
    EXPECT(plan_dft_1d, N2, in_c, out_c, backward, f);
    EXPECT(plan_dft, 1, lengths + 2, in_c, out_c, backward, f);
    EXPECT_FORTRAN(plan_dft_1d, &n2, in_c, out_c, &backward, &flags);
    want(&(shape){DFT, 1, 2, 1});
    EXPECT(plan_dft_2d, N1, N2, in_c, out_c, backward, f);
    EXPECT(plan_dft, 2, lengths + 1, in_c, out_c, backward, f);
    EXPECT_FORTRAN(plan_dft_2d, &n2, &n1, in_c, out_c, &backward, &flags);
    EXPECT_FORTRAN(plan_dft, &two, cube, in_c, out_c, &backward, &flags);
    want(&(shape){DFT, 0, 3, 1});
    EXPECT(plan_dft_3d, N0, N1, N2, in_c, out_c, backward, f);
    EXPECT(plan_dft, 3, lengths, in_c, out_c, backward, f);
    EXPECT_FORTRAN(plan_dft_3d, &n2, &n1, &n0, in_c, out_c, &backward, &flags);
    EXPECT_FORTRAN(plan_dft, &three, cube, in_c, out_c, &backward, &flags);
}

static void test_plain_r2c(void)
{
    const unsigned f = (unsigned)flags;
    want(&(shape){R2C, 2, 1, 1});
    EXPECT(plan_dft_r2c_1d, N2, input, out_c, f);
    EXPECT_FORTRAN(plan_dft_r2c_1d, &n2, input, out_c, &flags);
    want(&(shape){R2C, 1, 2, 1});
    EXPECT(plan_dft_r2c_2d, N1, N2, input, out_c, f);
    EXPECT_FORTRAN(plan_dft_r2c_2d, &n2, &n1, input, out_c, &flags);
    want(&(shape){R2C, 0, 3, 1});
    EXPECT(plan_dft_r2c_3d, N0, N1, N2, input, out_c, f);
    EXPECT(plan_dft_r2c, 3, lengths, input, out_c, f);
    EXPECT_FORTRAN(plan_dft_r2c_3d, &n2, &n1, &n0, input, out_c, &flags);
    EXPECT_FORTRAN(plan_dft_r2c, &three, cube, input, out_c, &flags);
}

static void test_plain_c2r(void)
{
    const unsigned f = (unsigned)flags;
    want(&(shape){C2R, 2, 1, 1});
    EXPECT(plan_dft_c2r_1d, N2, in_c, made, f);
    EXPECT_FORTRAN(plan_dft_c2r_1d, &n2, in_c, made, &flags);
    want(&(shape){C2R, 1, 2, 1});
    EXPECT(plan_dft_c2r_2d, N1, N2, in_c, made, f);
    EXPECT_FORTRAN(plan_dft_c2r_2d, &n2, &n1, in_c, made, &flags);
    want(&(shape){C2R, 0, 3, 1});
    EXPECT(plan_dft_c2r_3d, N0, N1, N2, in_c, made, f);
    EXPECT(plan_dft_c2r, 3, lengths, in_c, made, f);
    EXPECT_FORTRAN(plan_dft_c2r_3d, &n2, &n1, &n0, in_c, made, &flags);
    EXPECT_FORTRAN(plan_dft_c2r, &three, cube, in_c, made, &flags);
}

static void test_plain_r2r(void)
{
    const unsigned f = (unsigned)flags;
    const int k0 = (int)kinds[0], k1 = (int)kinds[1], k2 = (int)kinds[2];
    const int all[] = {k2, k1, k0};
    want(&(shape){R2R, 2, 1, 1});
    EXPECT(plan_r2r_1d, N2, input, made, kinds[2], f);
    EXPECT_FORTRAN(plan_r2r_1d, &n2, input, made, &k2, &flags);
    want(&(shape){R2R, 1, 2, 1});
    EXPECT(plan_r2r_2d, N1, N2, input, made, kinds[1], kinds[2], f);
    EXPECT_FORTRAN(plan_r2r_2d, &n2, &n1, input, made, &k2, &k1, &flags);
    want(&(shape){R2R, 0, 3, 1});
    EXPECT(plan_r2r_3d, N0, N1, N2, input, made, kinds[0], kinds[1], kinds[2],
           f);
    EXPECT(plan_r2r, 3, lengths, input, made, kinds, f);
    EXPECT_FORTRAN(plan_r2r_3d, &n2, &n1, &n0, input, made, &k2, &k1, &k0,
                   &flags);
    EXPECT_FORTRAN(plan_r2r, &three, cube, input, made, all, &flags);
}

/* ---- Advanced and guru --------------------------------------------------- */

/* A list in the order of Fortran. */
typedef struct backwards {
    int at[3];
} backwards;

static backwards turn(const int *list)
{
    return (backwards){{list[2], list[1], list[0]}};
}

/* Fortran's guru dimensions are in the order of C, its kinds of r2r are not. */
static void test_many(family family)
{
    const shape s = {family, 0, 3, MANY};
    const grid g = grid_of(&s);
    const backwards ie = turn(g.embed_in), oe = turn(g.embed_out);
    const int all[] = {(int)kinds[2], (int)kinds[1], (int)kinds[0]};
    const unsigned f = (unsigned)flags;
    iodim dim[3], batch = {g.many, g.idist, g.odist};
    for (int i = 0; i < 3; i++)
        dim[i] = (iodim){g.n[i], g.is[i], g.os[i]};
    want(&s);
#define GRID &three, g.n, g.is, g.os, &one, &g.many, &g.idist, &g.odist
#define IN_C in_c, ie.at, &one, &g.idist
#define IN_R input, ie.at, &one, &g.idist
#define OUT_C out_c, oe.at, &one, &g.odist
#define OUT_R made, oe.at, &one, &g.odist
    switch (family) {
    case DFT:
        EXPECT(plan_many_dft, 3, lengths, MANY, in_c, g.embed_in, 1, g.idist,
               out_c, g.embed_out, 1, g.odist, backward, f);
        EXPECT(plan_many_dft, 3, lengths, MANY, in_c, NULL, 1, g.idist, out_c,
               NULL, 1, g.odist, backward, f);
        EXPECT(plan_guru_dft, 3, dim, 1, &batch, in_c, out_c, backward, f);
        EXPECT_FORTRAN(plan_many_dft, &three, cube, &g.many, IN_C, OUT_C,
                       &backward, &flags);
        EXPECT_FORTRAN(plan_guru_dft, GRID, in_c, out_c, &backward, &flags);
        break;
    case R2C:
        EXPECT(plan_many_dft_r2c, 3, lengths, MANY, input, NULL, 1, g.idist,
               out_c, NULL, 1, g.odist, f);
        EXPECT(plan_guru_dft_r2c, 3, dim, 1, &batch, input, out_c, f);
        EXPECT_FORTRAN(plan_many_dft_r2c, &three, cube, &g.many, IN_R, OUT_C,
                       &flags);
        EXPECT_FORTRAN(plan_guru_dft_r2c, GRID, input, out_c, &flags);
        break;
    case C2R:
        EXPECT(plan_many_dft_c2r, 3, lengths, MANY, in_c, NULL, 1, g.idist,
               made, NULL, 1, g.odist, f);
        EXPECT(plan_guru_dft_c2r, 3, dim, 1, &batch, in_c, made, f);
        EXPECT_FORTRAN(plan_many_dft_c2r, &three, cube, &g.many, IN_C, OUT_R,
                       &flags);
        EXPECT_FORTRAN(plan_guru_dft_c2r, GRID, in_c, made, &flags);
        break;
    default:
        EXPECT(plan_many_r2r, 3, lengths, MANY, input, NULL, 1, g.idist, made,
               NULL, 1, g.odist, kinds, f);
        EXPECT(plan_guru_r2r, 3, dim, 1, &batch, input, made, kinds, f);
        EXPECT_FORTRAN(plan_many_r2r, &three, cube, &g.many, IN_R, OUT_R, all,
                       &flags);
        EXPECT_FORTRAN(plan_guru_r2r, GRID, input, made, all, &flags);
    }
}

/* In two arrays: parts lie beside each other, so that strides are half as many
 * numbers of twice the length. */
static void test_split(void)
{
    const grid g = grid_of(&(shape){DFT, 0, 3, MANY});
    int is[3], os[3];
    const int idist = 2 * g.idist, odist = 2 * g.odist;
    iodim dim[3], batch = {g.many, idist, odist};
    iodim64 dim64[3], batch64 = {g.many, idist, odist};
    for (int i = 0; i < 3; i++) {
        is[i] = 2 * g.is[i];
        os[i] = 2 * g.os[i];
        dim[i] = (iodim){g.n[i], is[i], os[i]};
        dim64[i] = (iodim64){g.n[i], is[i], os[i]};
    }
    want(&(shape){DFT, 0, 3, MANY});
    /* backward is forward with the parts exchanged */
    EXPECT(plan_guru_split_dft, 3, dim, 1, &batch, input + 1, input, made + 1,
           made, (unsigned)flags);
    EXPECT(plan_guru64_split_dft, 3, dim64, 1, &batch64, input + 1, input,
           made + 1, made, (unsigned)flags);
    EXPECT_FORTRAN(plan_guru_split_dft, &three, g.n, is, os, &one, &g.many,
                   &idist, &odist, input + 1, input, made + 1, made, &flags);
}

static void test_split_reals(bool back)
{
    const shape s = {back ? C2R : R2C, 0, 3, MANY};
    const grid g = grid_of(&s);
    const int in_unit = back ? 2 : 1, out_unit = back ? 1 : 2;
    int is[3], os[3];
    const int idist = in_unit * g.idist, odist = out_unit * g.odist;
    iodim dim[3], batch = {g.many, idist, odist};
    iodim64 dim64[3], batch64 = {g.many, idist, odist};
    for (int i = 0; i < 3; i++) {
        is[i] = in_unit * g.is[i];
        os[i] = out_unit * g.os[i];
        dim[i] = (iodim){g.n[i], is[i], os[i]};
        dim64[i] = (iodim64){g.n[i], is[i], os[i]};
    }
    const unsigned f = (unsigned)flags;
    want(&s);
    if (back) {
        EXPECT(plan_guru_split_dft_c2r, 3, dim, 1, &batch, input, input + 1,
               made, f);
        EXPECT(plan_guru64_split_dft_c2r, 3, dim64, 1, &batch64, input,
               input + 1, made, f);
        EXPECT_FORTRAN(plan_guru_split_dft_c2r, &three, g.n, is, os, &one,
                       &g.many, &idist, &odist, input, input + 1, made,
                       &flags);
    } else {
        EXPECT(plan_guru_split_dft_r2c, 3, dim, 1, &batch, input, made,
               made + 1, f);
        EXPECT(plan_guru64_split_dft_r2c, 3, dim64, 1, &batch64, input, made,
               made + 1, f);
        EXPECT_FORTRAN(plan_guru_split_dft_r2c, &three, g.n, is, os, &one,
                       &g.many, &idist, &odist, input, made, made + 1, &flags);
    }
}

/* ---- Executing, and the rest of Fortran ---------------------------------- */

/* A plan for other arrays; `call` executes it on these. */
#define EXPECT_EXECUTED(name, call)     \
    do {                                \
        memset(made, 0, sizeof made);   \
        call;                           \
        compare("Fortran " name, made); \
    } while (0)

static void test_fortran_execute(void)
{
    static real elsewhere[REALS];
    C *e = (C *)elsewhere;
    want(&(shape){DFT, 2, 1, 1});
    plan p = X(plan_dft_1d)(N2, in_c, out_c, backward, (unsigned)flags);
    EXPECT_EXECUTED("execute", ONE(execute)(&p));
    EXPECT_EXECUTED("execute_dft", TWO(execute_dft)(&p, in_c, out_c));
    ONE(execute_dft)(&p, in_c, e);
    compare("Fortran execute_dft, other arrays", elsewhere);
    ONE(destroy_plan)(&p);
    p = X(plan_dft_r2c_1d)(N2, elsewhere, e + N2, (unsigned)flags);
    want(&(shape){R2C, 2, 1, 1});
    EXPECT_EXECUTED("execute_dft_r2c", ONE(execute_dft_r2c)(&p, input, out_c));
    TWO(destroy_plan)(&p);
    p = X(plan_dft_c2r_1d)(N2, e, elsewhere + 2 * N2, (unsigned)flags);
    want(&(shape){C2R, 2, 1, 1});
    EXPECT_EXECUTED("execute_dft_c2r", ONE(execute_dft_c2r)(&p, in_c, made));
    ONE(destroy_plan)(&p);
    p = X(plan_r2r_1d)(N2, elsewhere, elsewhere + N2, kinds[2],
                       (unsigned)flags);
    want(&(shape){R2R, 2, 1, 1});
    EXPECT_EXECUTED("execute_r2r", ONE(execute_r2r)(&p, input, made));
    ONE(destroy_plan)(&p);
}

static void test_fortran_split(void)
{
    const int is = 2;
    plan p = NULL;
    want(&(shape){DFT, 2, 1, 1});
    ONE(plan_guru_split_dft)
    (&p, &one, &n2, &is, &is, &one, &one, &one, &one, wanted + 1, wanted,
     made + 1, made, &flags);
    EXPECT_EXECUTED("execute_split_dft",
                    ONE(execute_split_dft)(&p, input + 1, input, made + 1,
                                           made));
    ONE(destroy_plan)(&p);
    want(&(shape){R2C, 2, 1, 1});
    ONE(plan_guru_split_dft_r2c)
    (&p, &one, &n2, &one, &is, &one, &one, &one, &one, wanted, made, made + 1,
     &flags);
    EXPECT_EXECUTED("execute_split_dft_r2c",
                    ONE(execute_split_dft_r2c)(&p, input, made, made + 1));
    ONE(destroy_plan)(&p);
    want(&(shape){C2R, 2, 1, 1});
    ONE(plan_guru_split_dft_c2r)
    (&p, &one, &n2, &is, &one, &one, &one, &one, &one, wanted, wanted + 1,
     made, &flags);
    EXPECT_EXECUTED("execute_split_dft_c2r",
                    ONE(execute_split_dft_c2r)(&p, input, input + 1, made));
    ONE(destroy_plan)(&p);
}

/* More dimensions than there is room for are no plan, and nothing is written where
 * none belongs. */
static void test_fortran_ranks(void)
{
    enum { MOST = 100 };
    int n[MOST], kind[MOST];
    for (int i = 0; i < MOST; i++) {
        n[i] = 1;
        kind[i] = FFTW_R2HC;
    }
    for (int rank = 60; rank <= MOST; rank++) {
        plan p = NULL;
        ONE(plan_dft)(&p, &rank, n, in_c, out_c, &backward, &flags);
        CHECK((p != NULL) == (rank <= 64), "rank %d", rank);
        ONE(destroy_plan)(&p);
        ONE(plan_dft_r2c)(&p, &rank, n, input, out_c, &flags);
        CHECK((p != NULL) == (rank <= 64), "r2c of rank %d", rank);
        ONE(destroy_plan)(&p);
        ONE(plan_r2r)(&p, &rank, n, input, made, kind, &flags);
        CHECK(p == NULL, "r2r of rank %d", rank);
        ONE(plan_many_dft)
        (&p, &rank, n, &one, in_c, n, &one, &one, out_c, n, &one, &one,
         &backward, &flags);
        CHECK((p != NULL) == (rank <= 64), "many of rank %d", rank);
        ONE(destroy_plan)(&p);
        ONE(plan_guru_r2r)
        (&p, &rank, n, n, n, &one, n, n, n, input, made, kind, &flags);
        CHECK(p == NULL, "guru r2r of rank %d", rank);
    }
}

/* A text that Fortran writes and reads a character at a time. */
typedef struct text {
    char at[1 << 16];
    int length, read;
} text;

static void put(char *c, void *context)
{
    text *t = context;
    if (t->length < (int)sizeof t->at)
        t->at[t->length++] = *c;
}

static void get(int *c, void *context)
{
    text *t = context;
    *c = t->read < t->length ? t->at[t->read++] : -1;
}

static void test_fortran_wisdom(void)
{
    static text t;
    int known = -1;
    X(plan) p = X(plan_dft_1d)(60, in_c, out_c, FFTW_FORWARD, FFTW_MEASURE);
    X(destroy_plan)(p);
    ONE(export_wisdom)(put, &t);
    ONE(forget_wisdom)();
    CHECK(X(plan_dft_1d)(60, in_c, out_c, FFTW_FORWARD,
                         FFTW_MEASURE | FFTW_WISDOM_ONLY) == NULL,
          "a plan from forgotten wisdom");
    TWO(import_wisdom)(&known, get, &t);
    CHECK(known == 1, "import_wisdom: %d", known);
    p = X(plan_dft_1d)(60, in_c, out_c, FFTW_FORWARD,
                       FFTW_MEASURE | FFTW_WISDOM_ONLY);
    CHECK(p != NULL, "no plan from wisdom that came back");
    X(destroy_plan)(p);
    ONE(import_wisdom)(&known, get, &t);
    CHECK(known == 0, "import_wisdom of nothing: %d", known);
    ONE(import_system_wisdom)(&known);
    CHECK(known == 0 || known == 1, "import_system_wisdom: %d", known);
    ONE(cleanup)();
}

static void test_fortran_settings(void)
{
    int value = 0;
    const double limit = 0.5, none = FFTW_NO_TIMELIMIT;
    double add = 0, mul = 0, fma = 0, cost = 0, estimate = 0;
    ONE(init_threads)(&value);
    CHECK(value != 0, "init_threads");
    ONE(plan_with_nthreads)(&three);
    TWO(planner_nthreads)(&value);
    CHECK(value == 3, "%d threads", value);
    ONE(cleanup_threads)();
    ONE(planner_nthreads)(&value);
    CHECK(value == 1, "%d threads after all", value);
    ONE(set_timelimit)(&limit);
    TWO(set_timelimit)(&none);
    plan p = X(plan_dft_1d)(N2, in_c, out_c, backward, (unsigned)flags);
    ONE(flops)(&p, &add, &mul, &fma);
    ONE(cost)(&cost, &p);
    TWO(estimate_cost)(&estimate, &p);
    CHECK(add + mul + 2 * fma > 0 && cost > 0 && estimate > 0,
          "flops %g %g %g, cost %g, estimate %g", add, mul, fma, cost,
          estimate);
    ONE(print_plan)(&p);
    X(print_plan)(p);
    puts("");
    X(destroy_plan)(p);
}

int main(void)
{
    for (int i = 0; i < REALS; i++)
        input[i] = (real)((i * 37 + 11) % 101 - 50) / 8;
    test_plain_dft();
    test_plain_r2c();
    test_plain_c2r();
    test_plain_r2r();
    for (family f = DFT; f <= R2R; f++)
        test_many(f);
    test_split();
    test_split_reals(false);
    test_split_reals(true);
    test_fortran_execute();
    test_fortran_split();
    test_fortran_ranks();
    test_fortran_wisdom();
    test_fortran_settings();
    X(cleanup)();
    return check_report(TEST_LIBRARY " calls_test");
}
