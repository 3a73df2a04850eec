/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * behaviour_test.c - what programs rely on beside the numbers, row by row, for
 * both libraries (this file is compiled for each): what is a plan and what is
 * NULL, what happens to misuse, memory, texts, settings.
 */
#define _GNU_SOURCE
#include "check.h"
#include "fftw3_both.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 64 };

static real *a, *b; /* of 16 N reals each */
static C *x, *y;    /* the same memory */

static bool plans(plan p)
{
    bool made = p != NULL;
    X(destroy_plan)(p);
    return made;
}

#define IS_PLAN(...) CHECK(plans(__VA_ARGS__), "no plan")
#define IS_NULL(...) CHECK(!plans(__VA_ARGS__), "a plan")

/* ---- Standard error, caught --------------------------------------------- */

static int saved_stderr, pipe_ends[2];

static void catch_stderr(void)
{
    fflush(stderr);
    saved_stderr = dup(2);
    if (pipe(pipe_ends) || dup2(pipe_ends[1], 2) < 0)
        exit(2);
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
}

/* The number of lines printed since. */
static int caught_lines(void)
{
    char text[4000];
    int lines = 0;
    fflush(stderr);
    ssize_t got = read(pipe_ends[0], text, sizeof text);
    for (ssize_t i = 0; i < got; i++)
        lines += text[i] == '\n';
    dup2(saved_stderr, 2);
    close(saved_stderr);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return lines;
}

/* ---- What is a plan ----------------------------------------------------- */

static void test_sizes(void)
{
    const int zero[] = {0, 4}, negative[] = {4, -4}, four[] = {4, 4};
    IS_NULL(X(plan_dft_1d)(0, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft_1d)(-1, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft_1d)(INT_MIN, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft)(2, zero, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft)(2, negative, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft)(-1, four, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft)(INT_MAX, four, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft)(2, NULL, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft)(2, four, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft)(0, NULL, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft_1d)(1, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_NULL(X(plan_many_dft)(1, four, -1, x, NULL, 1, 4, y, NULL, 1, 4, -1,
                             FFTW_ESTIMATE));
    IS_PLAN(X(plan_many_dft)(1, four, 0, x, NULL, 1, 4, y, NULL, 1, 4, -1,
                             FFTW_ESTIMATE));
}

/* The Walsh-Hadamard transform is a real one of as many dimensions of 2: of a unit
 * vector at j, element k is -1 to the number of bits that j and k have both. */
static void test_hadamard(void)
{
    enum { RANK = 18, ALL = 1 << RANK, J = 0x2a5c3 };
    int twos[RANK], wrong = 0;
    r2r_kind kind[RANK];
    real *data = X(malloc)(ALL * sizeof *data);
    for (int i = 0; i < RANK; i++) {
        twos[i] = 2;
        kind[i] = i % 2 ? FFTW_R2HC : FFTW_DHT;
    }
    plan p = X(plan_r2r)(RANK, twos, data, data, kind, FFTW_ESTIMATE);
    memset(data, 0, ALL * sizeof *data);
    data[J] = 1;
    X(execute)(p);
    for (int k = 0; k < ALL; k++)
        wrong += data[k] != (__builtin_popcount(k & J) % 2 ? -1 : 1);
    CHECK(wrong == 0, "%d elements of %d are wrong", wrong, ALL);
    X(destroy_plan)(p);
    X(free)(data);
}

/* weft takes 32 dimensions longer than 1; of length 1 as many as a shape has, but
 * for r2r, where some kinds multiply even one sample. */
static void test_ranks(void)
{
    int twos[33], ones[65];
    r2r_kind kind[65];
    for (int i = 0; i < 65; i++) {
        ones[i] = 1;
        kind[i] = FFTW_REDFT10;
    }
    for (int i = 0; i < 33; i++)
        twos[i] = 2;
    IS_NULL(X(plan_dft)(33, twos, NULL, NULL, -1, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft)(20, twos, NULL, NULL, -1, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft)(65, ones, x, y, -1, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft)(64, ones, x, y, -1, FFTW_ESTIMATE));
    ones[7] = 8;
    IS_PLAN(X(plan_dft_r2c)(20, ones, a, y, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft_c2r)(20, ones, x, b, FFTW_ESTIMATE));
    IS_NULL(X(plan_r2r)(33, ones, a, b, kind, FFTW_ESTIMATE));
    for (int i = 0; i < 8; i++)
        a[i] = (real)(i + 1);
    plan p = X(plan_dft_r2c)(20, ones, a, y, FFTW_ESTIMATE);
    X(execute)(p); /* the last dimension is 1, and so the output as long */
    CHECK(fabs(y[0][0] - 36) < 1e-5 && fabs(y[4][0] + 4) < 1e-5 &&
              fabs(y[7][0] - y[1][0]) < 1e-5 && fabs(y[7][1] + y[1][1]) < 1e-5,
          "r2c of 8 among dimensions of 1: %g, %g", (double)y[0][0],
          (double)y[4][0]);
    X(destroy_plan)(p);
}

static void test_signs_and_strides(void)
{
    const iodim64 plain = {8, 1, 1}, still = {8, 1, 0}, repeat = {8, 0, 1};
    const iodim64 short_step = {4, 8, 4}, wide = {4, 8, 8};
    IS_NULL(X(plan_dft_1d)(8, x, y, 7, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft_1d)(8, x, y, 0, FFTW_ESTIMATE));
    IS_NULL(X(plan_guru64_dft)(1, &still, 0, NULL, x, y, -1, FFTW_ESTIMATE));
    IS_PLAN(X(plan_guru64_dft)(1, &repeat, 0, NULL, x, y, -1, FFTW_ESTIMATE));
    IS_NULL(X(plan_guru64_dft)(1, &plain, 1, &short_step, x, y, -1,
                               FFTW_ESTIMATE));
    IS_PLAN(X(plan_guru64_dft)(1, &plain, 1, &wide, x, y, -1, FFTW_ESTIMATE));
    IS_NULL(X(plan_guru64_dft)(1, NULL, 0, NULL, x, y, -1, FFTW_ESTIMATE));
}

static void test_overflow(void)
{
    const int large[] = {INT_MAX, INT_MAX, INT_MAX};
    const iodim64 far = {3, PTRDIFF_MAX, PTRDIFF_MAX};
    const iodim64 long_one = {PTRDIFF_MAX, 1, 1};
    IS_NULL(X(plan_dft)(3, large, x, y, -1, FFTW_ESTIMATE));
    IS_NULL(X(plan_many_dft)(2, large, INT_MAX, x, large, INT_MAX, INT_MAX, y,
                             large, INT_MAX, INT_MAX, -1, FFTW_ESTIMATE));
    IS_NULL(X(plan_guru64_dft)(1, &far, 0, NULL, x, y, -1, FFTW_ESTIMATE));
    IS_NULL(
        X(plan_guru64_dft)(1, &long_one, 0, NULL, x, y, -1, FFTW_ESTIMATE));
}

/* Nothing is read or written by planning, whatever the effort. */
static void test_planning_leaves_arrays(void)
{
    for (int i = 0; i < 2 * N; i++)
        a[i] = (real)i;
    IS_PLAN(X(plan_dft_1d)(N, x, x, FFTW_FORWARD, FFTW_MEASURE));
    IS_PLAN(X(plan_dft_1d)(N, NULL, NULL, FFTW_FORWARD, FFTW_MEASURE));
    IS_PLAN(X(plan_dft_1d)(N, NULL, NULL, FFTW_FORWARD, FFTW_PATIENT));
    for (int i = 0; i < 2 * N; i++)
        CHECK(a[i] == (real)i, "planning changed element %d", i);
}

/* ---- Misuse ------------------------------------------------------------- */

static void test_misuse(void)
{
    char other[512] = {0};
    plan gone = X(plan_dft_1d)(8, x, y, -1, FFTW_ESTIMATE);
    plan unset = X(plan_dft_1d)(8, NULL, NULL, -1, FFTW_ESTIMATE);
    X(destroy_plan)(gone);
    X(destroy_plan)(NULL);
    catch_stderr();
    for (int i = 0; i < 3; i++)
        X(execute)(NULL);
    int lines = caught_lines();
    CHECK(lines == 1, "execute(NULL) prints %d lines", lines);
    catch_stderr();
    X(execute)((plan)(void *)other);
    X(execute)(gone);
    X(execute)((plan)(uintptr_t)4096);
    X(execute)((plan)((uintptr_t)unset + 8));
    X(destroy_plan)((plan)(void *)other);
    X(destroy_plan)(gone);
    X(execute_dft)(gone, x, y);
    X(execute_split_dft)(gone, a, a, b, b);
    CHECK(X(cost)(gone) == 0 && !X(sprint_plan)(gone), "of a destroyed plan");
    lines = caught_lines();
    CHECK(lines == 1, "foreign handles print %d lines", lines);
    catch_stderr();
    X(execute)(unset);
    X(execute_dft)(unset, x, NULL);
    lines = caught_lines();
    CHECK(lines == 1, "NULL arrays print %d lines", lines);
    X(destroy_plan)(unset);
}

/* ---- Executing ---------------------------------------------------------- */

/* Frequency 3 of N: everything lands at X[3]. */
static void fill_tone(C *to)
{
    for (int i = 0; i < N; i++) {
        to[i][0] = (real)cos(2 * M_PI * 3 * i / N);
        to[i][1] = (real)sin(2 * M_PI * 3 * i / N);
    }
}

static void expect_peak(C *got, int at, const char *what)
{
    for (int k = 0; k < N; k++)
        CHECK(fabs(got[k][0] - (k == at ? N : 0)) < 1e-4 &&
                  fabs(got[k][1]) < 1e-4,
              "%s: X[%d] is %g %+g i", what, k, (double)got[k][0],
              (double)got[k][1]);
}

static void test_execute(void)
{
    plan p = X(plan_dft_1d)(N, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
    plan back = X(plan_dft_1d)(N, x, y, FFTW_BACKWARD, FFTW_ESTIMATE);
    plan inside = X(plan_dft_1d)(N, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
    fill_tone(x);
    X(execute)(p);
    expect_peak(y, 3, "forward");
    X(execute)(back);
    expect_peak(y, N - 3, "backward");
    X(execute)(inside);
    expect_peak(x, 3, "in place");
    fill_tone(x); /* placed unlike the plans: the same result */
    X(execute_dft)(inside, x, y);
    expect_peak(y, 3, "out of place by a plan in place");
    X(execute_dft)(p, x, x);
    expect_peak(x, 3, "in place by a plan out of place");
    C *odd = (C *)(void *)(a + 1); /* of another alignment */
    fill_tone(odd);
    X(execute_dft)(p, odd, y);
    expect_peak(y, 3, "unaligned");
    fill_tone(x);
    X(cleanup)(); /* live plans stay */
    X(execute)(p);
    expect_peak(y, 3, "after cleanup");
    X(cleanup_threads)();
    X(execute)(back);
    expect_peak(y, N - 3, "after cleanup_threads");
    X(destroy_plan)(p);
    X(destroy_plan)(back);
    X(destroy_plan)(inside);
}

static void test_split(void)
{
    static real re[N], im[N], to_re[N], to_im[N];
    const iodim64 d64 = {N, 1, 1}, d2 = {N, 2, 2};
    const iodim d = {N, 1, 1};
    plan p = X(plan_guru64_split_dft)(1, &d64, 0, NULL, re, im, to_re, to_im,
                                      FFTW_ESTIMATE);
    IS_NULL(X(plan_guru_split_dft)(1, &d, 0, NULL, re, im, to_re, to_re,
                                   FFTW_ESTIMATE));
    plan in_place = X(plan_guru_split_dft)(1, &d, 0, NULL, re, im, re, im,
                                           FFTW_ESTIMATE);
    /* re and im exchanged on both sides: the inverse. */
    plan back = X(plan_guru_split_dft)(1, &d, 0, NULL, im, re, to_im, to_re,
                                       FFTW_ESTIMATE);
    /* Exchanged on one side: what FFTW has a plan for. */
    plan crossed = X(plan_guru64_split_dft)(1, &d64, 0, NULL, re, im, im, re,
                                            FFTW_ESTIMATE);
    plan strided = X(plan_guru64_split_dft)(1, &d2, 0, NULL, a, a + 1, b,
                                            b + 1, FFTW_ESTIMATE);
    for (int round = 0; round < 5; round++) {
        plan both[] = {p, in_place, back, strided, crossed};
        static const int peak[] = {3, 3, N - 3, 3, 3};
        fill_tone(x);
        for (int i = 0; i < N; i++) {
            re[i] = x[i][0];
            im[i] = x[i][1];
        }
        X(execute)(both[round]);
        for (int i = 0; i < N && round != 3; i++) {
            y[i][0] = round == 4 ? im[i] : round == 1 ? re[i] : to_re[i];
            y[i][1] = round == 4 ? re[i] : round == 1 ? im[i] : to_im[i];
        }
        expect_peak(y, peak[round], "split");
        X(destroy_plan)(both[round]);
    }
}

/* Rank 0 copies, no transforms do nothing. */
static void test_nothing_much(void)
{
    const int n[] = {4};
    plan copy = X(plan_many_dft)(0, NULL, 3, x, NULL, 1, 2, y, NULL, 1, 1, -1,
                                 FFTW_ESTIMATE);
    plan none = X(plan_many_dft)(1, n, 0, x, NULL, 1, 4, y, NULL, 1, 4, -1,
                                 FFTW_ESTIMATE);
    fill_tone(x);
    memset(y, 0, N * sizeof *y);
    X(execute)(none);
    CHECK(y[0][0] == 0 && y[3][1] == 0, "no transforms did something");
    X(execute)(copy);
    for (int i = 0; i < 4; i++)
        CHECK(y[i][0] == (i < 3 ? x[2 * i][0] : 0) &&
                  y[i][1] == (i < 3 ? x[2 * i][1] : 0),
              "a copy's element %d is %g", i, (double)y[i][0]);
    X(destroy_plan)(copy);
    X(destroy_plan)(none);
}

/* ---- Real transforms ----------------------------------------------------- */

static void test_real_sizes(void)
{
    const r2r_kind none[] = {(r2r_kind)99, FFTW_DHT};
    const int four[] = {4, 4};
    IS_NULL(X(plan_dft_r2c_1d)(0, a, y, FFTW_ESTIMATE));
    IS_NULL(X(plan_dft_c2r_1d)(-3, x, b, FFTW_ESTIMATE));
    IS_NULL(X(plan_r2r_1d)(0, a, b, FFTW_DHT, FFTW_ESTIMATE));
    IS_NULL(X(plan_r2r_1d)(1, a, b, FFTW_REDFT00, FFTW_ESTIMATE));
    IS_NULL(X(plan_r2r_1d)(8, a, b, (r2r_kind)99, FFTW_ESTIMATE));
    IS_NULL(X(plan_r2r_1d)(8, a, b, (r2r_kind)-1, FFTW_ESTIMATE));
    IS_NULL(X(plan_r2r)(2, four, a, b, none, FFTW_ESTIMATE));
    IS_NULL(X(plan_r2r)(2, four, a, b, NULL, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft_r2c_1d)(1, a, y, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft_c2r_1d)(1, x, b, FFTW_ESTIMATE));
    IS_PLAN(X(plan_r2r_1d)(1, a, b, FFTW_RODFT00, FFTW_ESTIMATE));
    IS_PLAN(X(plan_r2r_1d)(2, a, b, FFTW_REDFT00, FFTW_ESTIMATE));
    for (int kind = FFTW_R2HC; kind <= FFTW_RODFT11; kind++)
        IS_PLAN(X(plan_r2r_1d)(30, a, a, (r2r_kind)kind, FFTW_ESTIMATE));
}

enum { ROWS = 6, COLUMNS = 10, HALF = COLUMNS / 2 + 1 };

/* (i, k) of a field of rows `pitch` apart. */
static real value(int i, int k)
{
    return (real)((i * i + 3 * k * k) % 13 - 6);
}

static void expect_field(const real *got, int pitch, const char *what)
{
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++)
            CHECK(fabs(got[i * pitch + k] / (ROWS * COLUMNS) - value(i, k)) <
                      1e-4,
                  "%s: (%d, %d) is %g", what, i, k,
                  (double)got[i * pitch + k]);
}

/* Out of place from packed rows, in place in padded ones, and back; c2r of
 * two dimensions keeps its input when asked and without. */
static void test_field(void)
{
    static C spectrum[ROWS * HALF], kept[ROWS * HALF], inside[ROWS * HALF];
    real *rows = (real *)(void *)inside;
    const unsigned keep[] = {FFTW_ESTIMATE,
                             FFTW_ESTIMATE | FFTW_PRESERVE_INPUT};
    plan p = X(plan_dft_r2c_2d)(ROWS, COLUMNS, a, spectrum, FFTW_ESTIMATE);
    plan q = X(plan_dft_r2c_2d)(ROWS, COLUMNS, rows, inside, FFTW_ESTIMATE);
    plan back = X(plan_dft_c2r_2d)(ROWS, COLUMNS, inside, rows, FFTW_ESTIMATE);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++)
            a[i * COLUMNS + k] = rows[i * 2 * HALF + k] = value(i, k);
    X(execute)(p);
    X(execute)(q);
    for (int i = 0; i < ROWS * HALF; i++)
        CHECK(fabs(spectrum[i][0] - inside[i][0]) < 1e-4 &&
                  fabs(spectrum[i][1] - inside[i][1]) < 1e-4,
              "in place, element %d differs", i);
    X(execute)(back);
    expect_field(rows, 2 * HALF, "in place and back");
    memcpy(kept, spectrum, sizeof kept);
    for (int i = 0; i < 2; i++) {
        plan c2r = X(plan_dft_c2r_2d)(ROWS, COLUMNS, spectrum, b, keep[i]);
        memset(b, 0, ROWS * COLUMNS * sizeof *b);
        X(execute)(c2r);
        expect_field(b, COLUMNS, "and back");
        CHECK(!memcmp(kept, spectrum, sizeof kept), "c2r changed its input");
        X(destroy_plan)(c2r);
    }
    X(destroy_plan)(p);
    X(destroy_plan)(q);
    X(destroy_plan)(back);
}

/* New arrays: out of place by a plan made without any, in place by another. */
static void test_real_elsewhere(void)
{
    static C spectrum[N / 2 + 1];
    plan p = X(plan_dft_r2c_1d)(N, NULL, NULL, FFTW_ESTIMATE);
    plan q = X(plan_dft_r2c_1d)(N, a, spectrum, FFTW_ESTIMATE);
    for (int i = 0; i < N; i++)
        a[i] = (real)cos(2 * M_PI * 5 * i / N);
    X(execute_dft_r2c)(p, a, spectrum);
    CHECK(fabs(spectrum[5][0] - N / 2) < 1e-4 && fabs(spectrum[4][0]) < 1e-4,
          "X[5] is %g", (double)spectrum[5][0]);
    X(execute_dft_r2c)(q, a, x);
    CHECK(fabs(x[5][0] - N / 2) < 1e-4 && fabs(x[4][0]) < 1e-4,
          "in place, X[5] is %g", (double)x[5][0]);
    X(destroy_plan)(p);
    X(destroy_plan)(q);
}

/* ---- Memory ------------------------------------------------------------- */

static void test_memory(void)
{
    CHECK(!X(alloc_complex)(((size_t)1 << 60) + 2), "2^60 complex numbers");
    CHECK(!X(alloc_real)(SIZE_MAX / sizeof(real) + 2), "too many reals");
    CHECK(!X(malloc)(SIZE_MAX - 100), "all memory there is");
    void *block = X(malloc)(100), *other = X(alloc_complex)(3);
    void *third = X(alloc_real)(3), *none = X(malloc)(0);
    CHECK(block && other && third && none, "no memory");
    CHECK((uintptr_t)block % 64 == 0 && (uintptr_t)other % 64 == 0,
          "not aligned");
    CHECK(X(alignment_of)(block) == X(alignment_of)(other),
          "fftw_malloc's blocks are aligned alike");
    free(block); /* as many programs do */
    free(third);
    free(none);
    X(free)(other);
    X(free)(NULL);
}

/* ---- Texts and numbers -------------------------------------------------- */

static void test_texts(void)
{
    plan p = X(plan_dft_1d)(1000, NULL, NULL, -1, FFTW_ESTIMATE);
    double add = -1, mul = -1, fma = -1;
    char printed[500] = "";
    char *text = X(sprint_plan)(p);
    FILE *file = tmpfile();
    if (!CHECK(text && file, "no text"))
        return;
    X(fprint_plan)(p, file);
    rewind(file);
    size_t got = fread(printed, 1, sizeof printed - 1, file);
    fclose(file);
    CHECK(got == strlen(text) && !strcmp(text, printed), "'%s' and '%s'", text,
          printed);
    CHECK(strstr(text, "1000"), "a plan of 1000 says '%s'", text);
    free(text);
    X(flops)(p, &add, &mul, &fma);
    CHECK(add > 10000 && mul == 0 && fma == 0, "flops %g %g %g", add, mul,
          fma);
    CHECK(X(cost)(p) > 0 && X(cost)(p) == X(estimate_cost)(p), "costs %g, %g",
          X(cost)(p), X(estimate_cost)(p));
    X(destroy_plan)(p);
    CHECK(!strncmp(X(version), "fftw-3.3.10", 11), "version %s", X(version));
    CHECK(*X(cc) && strlen(X(codelet_optim)) < 100, "how it was made");
}

/* ---- Settings ----------------------------------------------------------- */

static void test_settings(void)
{
    CHECK(X(init_threads)() != 0, "init_threads");
    CHECK(X(planner_nthreads)() == 1, "%d threads", X(planner_nthreads)());
    X(plan_with_nthreads)(3);
    CHECK(X(planner_nthreads)() == 3, "%d threads", X(planner_nthreads)());
    fill_tone(x);
    plan p = X(plan_dft_1d)(N, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
    X(execute)(p);
    expect_peak(y, 3, "three threads");
    X(destroy_plan)(p);
    X(plan_with_nthreads)(100000); /* more than weft takes: as many */
    IS_PLAN(X(plan_dft_1d)(N, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    X(plan_with_nthreads)(-5);
    CHECK(X(planner_nthreads)() == 1, "%d threads", X(planner_nthreads)());
    X(make_planner_thread_safe)();
    X(set_timelimit)(0);
    IS_PLAN(X(plan_dft_1d)(60, x, y, FFTW_FORWARD, FFTW_EXHAUSTIVE));
    X(set_timelimit)(1e-3);
    IS_PLAN(X(plan_dft_1d)(60, x, y, FFTW_FORWARD, FFTW_EXHAUSTIVE));
    X(set_timelimit)(FFTW_NO_TIMELIMIT);
}

/* Where there is no time for one candidate nothing is timed, and so there is no
 * wisdom. */
static void test_time_limit(void)
{
    const unsigned known = FFTW_MEASURE | FFTW_WISDOM_ONLY;
    X(forget_wisdom)();
    X(set_timelimit)(1e-9);
    IS_PLAN(X(plan_dft_1d)(4096, NULL, NULL, FFTW_FORWARD, FFTW_MEASURE));
    IS_NULL(X(plan_dft_1d)(4096, NULL, NULL, FFTW_FORWARD, known));
    X(set_timelimit)(0.01);
    IS_PLAN(X(plan_dft_1d)(64, NULL, NULL, FFTW_FORWARD, FFTW_MEASURE));
    IS_PLAN(X(plan_dft_1d)(64, NULL, NULL, FFTW_FORWARD, known));
    X(set_timelimit)(FFTW_NO_TIMELIMIT); /* asks for more */
    IS_NULL(X(plan_dft_1d)(64, NULL, NULL, FFTW_FORWARD, known));
    X(forget_wisdom)(); /* and the plan that was kept */
    IS_PLAN(X(plan_dft_1d)(4096, NULL, NULL, FFTW_FORWARD, FFTW_MEASURE));
    IS_PLAN(X(plan_dft_1d)(4096, NULL, NULL, FFTW_FORWARD, known));
}

static int loops, looped_jobs;

static void host_loop(void *(*work)(char *), char *jobdata, size_t elsize,
                      int njobs, void *data)
{
    loops += data == &loops;
    for (int i = njobs; i-- > 0;) {
        looped_jobs++;
        work(jobdata + elsize * (size_t)i);
    }
}

static void test_host_loop(void)
{
    enum { MANY = 1 << 16 };
    C *from = X(alloc_complex)(MANY), *one = X(alloc_complex)(MANY);
    C *many = X(alloc_complex)(MANY);
    for (int i = 0; i < MANY; i++) {
        from[i][0] = (real)(i % 17);
        from[i][1] = (real)(i % 5);
    }
    const int n[] = {1024};
    plan p = X(plan_many_dft)(1, n, 64, from, NULL, 1, 1024, one, NULL, 1,
                              1024, -1, FFTW_ESTIMATE);
    X(plan_with_nthreads)(4);
    X(threads_set_callback)(host_loop, &loops);
    plan q = X(plan_many_dft)(1, n, 64, from, NULL, 1, 1024, many, NULL, 1,
                              1024, -1, FFTW_ESTIMATE);
    X(execute)(p);
    CHECK(loops == 0, "the loop was called for one thread");
    X(execute)(q);
    CHECK(loops > 0 && looped_jobs >= 2 && looped_jobs <= 4 * loops,
          "%d loops of %d jobs", loops, looped_jobs);
    CHECK(!memcmp(one, many, MANY * sizeof *one), "other bits");
    X(threads_set_callback)(NULL, NULL);
    int before = loops;
    memset(many, 0, MANY * sizeof *one);
    X(execute)(q);
    CHECK(loops == before, "the loop was called after it was taken back");
    CHECK(!memcmp(one, many, MANY * sizeof *one), "other bits");
    X(destroy_plan)(p);
    X(destroy_plan)(q);
    X(plan_with_nthreads)(1);
    X(free)(from);
    X(free)(one);
    X(free)(many);
}

/* ---- Wisdom ------------------------------------------------------------- */

typedef struct text {
    char data[1 << 14];
    size_t length, at;
} text;

static void put(char c, void *context)
{
    text *t = context;
    if (t->length < sizeof t->data - 1)
        t->data[t->length++] = c;
}

static int get(void *context)
{
    text *t = context;
    return t->at < t->length ? (unsigned char)t->data[t->at++] : EOF;
}

static int endless(void *context)
{
    (void)context;
    return 'w';
}

static void test_wisdom_text(void)
{
    static text t;
    X(forget_wisdom)();
    char *empty = X(export_wisdom_to_string)();
    IS_PLAN(X(plan_dft_1d)(48, x, y, FFTW_FORWARD, FFTW_MEASURE));
    char *known = X(export_wisdom_to_string)();
    if (!CHECK(empty && known && strstr(known, "48"), "no wisdom"))
        return;
    X(export_wisdom)(put, &t);
    CHECK(t.length == strlen(known) && !strcmp(t.data, known), "'%s'", t.data);
    X(export_wisdom)(put, &t); /* two, one behind the other */
    for (int i = 0; i < 2; i++) {
        X(forget_wisdom)();
        CHECK(X(import_wisdom)(get, &t) == 1, "import of text %d", i);
        char *again = X(export_wisdom_to_string)();
        CHECK(again && !strcmp(again, known), "'%s'", again);
        free(again);
    }
    CHECK(X(import_wisdom)(get, &t) == 0, "import of nothing");
    CHECK(X(import_wisdom)(endless, NULL) == 0, "an endless text");
    CHECK(X(import_wisdom_from_string)("garbage") == 0, "garbage");
    CHECK(X(import_wisdom_from_string)("") == 0, "nothing");
    CHECK(X(import_wisdom_from_string)(
              "(fftw-3.3.10 fftw_wisdom #x458a31c8 #x92381c4c\n)") == 0,
          "FFTW's own");
    CHECK(X(import_wisdom_from_string)(NULL) == 0, "NULL");
    CHECK(X(import_wisdom_from_string)(empty) == 1, "empty wisdom");
    size_t length = strlen(known);
    for (size_t i = 0; i < length; i++) { /* every byte changed */
        char kept = known[i];
        known[i] = (char)(kept ^ 1);
        CHECK(X(import_wisdom_from_string)(known) == 0,
              "byte %zu changed is wisdom", i);
        known[i] = kept;
    }
    free(empty);
    free(known);
}

static void test_wisdom_files(void)
{
    char name[] = "/tmp/weft-fftw3-XXXXXX";
    int file = mkstemp(name);
    if (!CHECK(file >= 0, "no temporary file"))
        return;
    close(file);
    X(forget_wisdom)();
    IS_PLAN(X(plan_dft_1d)(36, x, y, FFTW_FORWARD, FFTW_MEASURE));
    CHECK(X(export_wisdom_to_filename)(name) == 1, "export to a file");
    X(forget_wisdom)();
    CHECK(X(import_wisdom_from_filename)(name) == 1, "import from a file");
    FILE *stream = fopen(name, "w+");
    X(export_wisdom_to_file)(stream);
    rewind(stream);
    CHECK(X(import_wisdom_from_file)(stream) == 1, "import from a stream");
    fclose(stream);
    unlink(name);
    CHECK(X(import_wisdom_from_filename)(name) == 0, "a missing file");
    CHECK(X(import_wisdom_from_filename)("/") == 0, "a folder");
    CHECK(X(export_wisdom_to_filename)("/nowhere/at/all") == 0, "nowhere");
    CHECK(X(import_wisdom_from_filename)(NULL) == 0 &&
              X(import_wisdom_from_file)(NULL) == 0 &&
              X(export_wisdom_to_filename)(NULL) == 0,
          "NULL");
    X(import_system_wisdom)();
}

/* An old file is replaced whole, through a link, with its rights, or it stays:
 * here for want of room. */
static void test_wisdom_replaced(void)
{
    char folder[] = "/tmp/weft-fftw3-XXXXXX", name[64], link[64], text[8];
    if (!CHECK(mkdtemp(folder), "no temporary folder"))
        return;
    snprintf(name, sizeof name, "%s/wisdom", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    FILE *file = fopen(name, "w");
    CHECK(file && fputs("kept", file) >= 0 && !fclose(file) &&
              !chmod(name, 0640) && !symlink(name, link),
          "files in %s", folder);

    struct rlimit most, less;
    getrlimit(RLIMIT_FSIZE, &most);
    less = most;
    less.rlim_cur = 8;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &less);
    CHECK(X(export_wisdom_to_filename)(link) == 0, "no room");
    setrlimit(RLIMIT_FSIZE, &most);
    signal(SIGXFSZ, SIG_DFL);
    file = fopen(name, "r");
    CHECK(file && fgets(text, sizeof text, file) && !strcmp(text, "kept"),
          "the old file is gone");
    if (file)
        fclose(file);

    struct stat is;
    CHECK(X(export_wisdom_to_filename)(link) == 1 && !lstat(link, &is) &&
              S_ISLNK(is.st_mode) && !stat(name, &is) &&
              (is.st_mode & 0777) == 0640 &&
              X(import_wisdom_from_filename)(name) == 1,
          "replaced through a link");
    CHECK(X(export_wisdom_to_filename)("/dev/null") == 1 &&
              !stat("/dev/null", &is) && S_ISCHR(is.st_mode),
          "a device stays one");
    unlink(link);
    unlink(name);
    CHECK(rmdir(folder) == 0, "something is left in %s", folder);
}

static void test_wisdom_only(void)
{
    const unsigned only = FFTW_WISDOM_ONLY;
    X(cleanup)();
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_ESTIMATE | only));
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, only));
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_ESTIMATE | only));
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, only));
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_MEASURE));
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, only));
    char *known = X(export_wisdom_to_string)();
    /* More patience asks for more than what was measured with less. */
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_PATIENT | only));
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_PATIENT));
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_PATIENT | only));
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, only));
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_EXHAUSTIVE | only));
    X(forget_wisdom)();
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, only));
    X(set_timelimit)(0); /* plans as ESTIMATE does, which is no wisdom */
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_MEASURE));
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, only));
    X(set_timelimit)(FFTW_NO_TIMELIMIT);
    X(forget_wisdom)();
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_ESTIMATE | only));
    CHECK(X(import_wisdom_from_string)(known) == 1, "import");
    IS_PLAN(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, only));
    IS_NULL(X(plan_dft_1d)(44, x, y, FFTW_FORWARD, FFTW_PATIENT | only));
    free(known);
}

int main(void)
{
    a = X(alloc_real)(16 * N);
    b = X(alloc_real)(16 * N);
    x = (C *)(void *)a;
    y = (C *)(void *)b;
    test_sizes();
    test_ranks();
    test_hadamard();
    test_signs_and_strides();
    test_overflow();
    test_planning_leaves_arrays();
    test_misuse();
    test_execute();
    test_split();
    test_nothing_much();
    test_real_sizes();
    test_field();
    test_real_elsewhere();
    test_memory();
    test_texts();
    test_settings();
    test_time_limit();
    test_host_loop();
    test_wisdom_text();
    test_wisdom_files();
    test_wisdom_replaced();
    test_wisdom_only();
    X(cleanup)();
    X(free)(a);
    X(free)(b);
    return check_report(TEST_LIBRARY " behaviour_test");
}
