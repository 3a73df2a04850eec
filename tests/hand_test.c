/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hand_test.c - the hand-written kernels of every ISA this CPU has against
 * obvious loops.
 *
 * Every test works on whole buffers: what a kernel must not touch (gaps
 * between rows, lanes beyond the last, guards at both ends) is compared too,
 * and pointers are offset by one T, so nothing is aligned by chance.
 */
#include "kernel/hand/hand.h"
#include "kernel/hand/pairs.h"

#include "base/base.h"
#include "check.h"
#include "num/num.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static noise_state noise = {1};

static const char *const isa_names[] = {"scalar", "sse2", "avx2", "avx512",
                                        "neon"};
static const char *isa_name;

enum { R2R_ROOM = 700, R2R_AT = 40 };
enum { DENSE_MOST = 64 }; /* columns: four vectors of 16 */

#define T double
#define F(name) name##_f64
#define EPSILON 0x1p-52
#define HAND_FOR wf_hand_f64_for
#include "hand_test_tmpl.h"
#undef T
#undef F
#undef EPSILON
#undef HAND_FOR

#define T float
#define F(name) name##_f32
#define EPSILON 0x1p-23
#define HAND_FOR wf_hand_f32_for
#include "hand_test_tmpl.h"

/* ---- pairs --------------------------------------------------------------- */

enum { PAIRS_MOST = 1024 };

/* Radices of one transform, in the order of the passes, 0 at the end: rows
 * shorter than a vector, longer, and not a multiple of one. */
static const int pair_plans[][5] = {
    {2},     {3},         {8},        {8, 8, 8},    {2, 2, 2, 3},   {3, 5, 7},
    {4, 13}, {8, 9, 3},   {31, 8},    {2, 29, 4},   {17, 2, 8},     {19, 3, 3},
    {8, 23}, {11, 4, 11}, {25, 7, 4}, {5, 2, 2, 8}, {8, 2, 5, 3, 4}};

static wf_dd dd_of(const double *head, const double *rest, size_t at)
{
    return (wf_dd){head[at], rest[at]};
}

/* |sum over j of x[j] w_n^(j k) - y[k]|^2 */
static double pair_error(const wf_planes *x, const wf_planes *y, int n, int k)
{
    wf_dd re = {-y->re[k], -y->re_rest[k]}, im = {-y->im[k], -y->im_rest[k]};
    for (int j = 0; j < n; j++) {
        wf_dd c, s, a = dd_of(x->re, x->re_rest, (size_t)j);
        wf_dd b = dd_of(x->im, x->im_rest, (size_t)j);
        wf_root_dd(-(int64_t)j * k, (uint64_t)n, &c, &s);
        re = wf_dd_add(re, wf_dd_sub(wf_dd_mul(a, c), wf_dd_mul(b, s)));
        im = wf_dd_add(im, wf_dd_add(wf_dd_mul(a, s), wf_dd_mul(b, c)));
    }
    return re.hi * re.hi + im.hi * im.hi;
}

static void test_pair_plan(const wf_hand_pairs *pairs, const int *radix)
{
    static double roots[4 * PAIRS_MOST], room[3][4 * PAIRS_MOST];
    int n = 1, passes = 0;
    for (; passes < 5 && radix[passes] != 0; passes++)
        n *= radix[passes];
    for (int k = 0; k < n; k++) {
        wf_dd re, im;
        wf_root_dd(-k, (uint64_t)n, &re, &im);
        double w[4] = {re.hi, re.lo, im.hi, im.lo};
        memcpy(&roots[4 * k], w, sizeof w);
    }
    wf_planes at[3];
    for (int i = 0; i < 3; i++)
        at[i] = (wf_planes){room[i], room[i] + n, room[i] + 2 * n,
                            room[i] + 3 * n};
    double norm = 0, error = 0, rounded[2 * PAIRS_MOST], worst = 0;
    for (int i = 0; i < 4 * n; i++) {
        double x = noise_real(&noise);
        room[0][i] = i / n % 2 ? x * 0x1p-53 : x;
        norm += i / n % 2 ? 0 : x * x * n;
    }
    wf_planes in = at[0], out = at[1];
    size_t s = 1;
    for (int i = 0; i < passes; i++, s *= (size_t)radix[i - 1]) {
        pairs->pass(&in, &out, roots, (size_t)n, s, radix[i]);
        in = out;
        out = i % 2 ? at[1] : at[2];
    }
    pairs->round(&in, 3, 0x1p-54, (size_t)n, rounded);
    for (int k = 0; k < n; k++) {
        error += pair_error(&at[0], &in, n, k);
        double re = 3 * (in.re[k] + in.re_rest[k]) + 0x1p-54 * in.re[k];
        double im = 3 * (in.im[k] + in.im_rest[k]) + 0x1p-54 * in.im[k];
        worst = fmax(worst, fabs(rounded[2 * k] - re) / fabs(re));
        worst = fmax(worst, fabs(rounded[2 * k + 1] - im) / fabs(im));
    }
    CHECK(sqrt(error / norm) < 0x1p-96, "%s: pairs %d, first %d: 2^%.1f",
          isa_name, n, radix[0], log2(sqrt(error / norm)));
    CHECK(worst < 0x1p-51, "%s: pairs %d rounded: %g", isa_name, n, worst);
}

static void test_pairs(const wf_hand_pairs *pairs)
{
    for (size_t i = 0; i < sizeof pair_plans / sizeof *pair_plans; i++)
        test_pair_plan(pairs, pair_plans[i]);
}

/* Roots have the same bits whoever makes them. */
static void test_turn(wf_turn *turn)
{
    static const uint64_t lengths[] = {1, 2, 5, 24, 100, 1009, 4094, 65536};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const uint64_t n = lengths[i];
        double *plain = malloc(2 * n * sizeof *plain);
        double *turned = malloc(2 * n * sizeof *turned);
        CHECK(plain && turned && wf_roots_circle(n, true, NULL, plain) &&
                  wf_roots_circle(n, true, turn, turned) &&
                  !memcmp(plain, turned, 2 * n * sizeof *plain),
              "%s: roots of %d", isa_name, (int)n);
        free(plain);
        free(turned);
    }
}

int main(void)
{
    int widest = wf_cpu_isa();
    for (int isa = WF_ISA_SCALAR; isa < WF_ISA_COUNT; isa++) {
        bool runs = isa == WF_ISA_SCALAR || isa == widest ||
                    (isa < widest && widest != WF_ISA_NEON);
        if (!runs)
            continue;
        isa_name = isa_names[isa];
        test_f64(wf_hand_f64_for((wf_isa)isa));
        test_f32(wf_hand_f32_for((wf_isa)isa));
        test_pairs(wf_hand_pairs_for((wf_isa)isa));
        test_turn(wf_hand_pairs_for((wf_isa)isa)->turn);
        printf("%s: %d and %d lanes\n", isa_name,
               wf_hand_f64_for((wf_isa)isa)->lanes,
               wf_hand_f32_for((wf_isa)isa)->lanes);
    }
    return check_report("hand");
}
