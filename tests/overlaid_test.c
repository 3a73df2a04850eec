/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlaid_test.c - C2R of matrices and cubes that the second cache does not hold, whose
 * complex axes end in the output (cpu/overlaid.c): the numbers are those of the same
 * transform in place, which has no such way; the input and what lies between rows stay
 * as they were; three threads make the same bits; and there is no scratch for all.
 */
#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

enum { GUARD = 64, FILL = 0x5a };

/* n[rank - 1] reals a row, rows `gap` reals longer in the output, `batch` of all. */
static const struct sample {
    bool f64;
    int rank, n[3], batch, gap;
    bool overlaid;
    double scale;
} samples[] = {
    {true, 2, {300, 370}, 1, 0, true, 1},
    {true, 2, {300, 370}, 1, 6, true, 0.75},
    {false, 2, {320, 750}, 1, 0, true, 1},
    {false, 2, {750, 322}, 2, 10, true, 0.5},
    {true, 2, {64, 128}, 17, 0, false, 1}, /* in slices */
    {true, 2, {500, 6}, 70, 2, false, 1},
    {true, 3, {7, 60, 250}, 1, 4, false, 0.25}, /* as the plan has it */
    {false, 3, {5, 112, 500}, 2, 0, false, 1},
    {true, 2, {300, 371}, 1, 0, false, 1}, /* no place for odd rows, */
    {true, 2, {300, 370}, 1, 3, false, 1}, /* nor where others begin */
};

static size_t bytes_of(const struct sample *s)
{
    return s->f64 ? sizeof(double) : sizeof(float);
}

static int64_t rows_of(const struct sample *s)
{
    int64_t rows = s->batch;
    for (int i = 0; i < s->rank - 1; i++)
        rows *= s->n[i];
    return rows;
}

/* Reals of a row: n, and room for two more; with the gap. */
static int64_t padded(const struct sample *s)
{
    return 2 * (s->n[s->rank - 1] / 2 + 1);
}

static int64_t pitch(const struct sample *s)
{
    return s->n[s->rank - 1] + s->gap;
}

static weft_plan *plan_of(const struct sample *s, bool in_place, int threads)
{
    weft_problem p = {.size = sizeof p,
                      .kind = WEFT_C2R,
                      .type = s->f64 ? WEFT_F64 : WEFT_F32,
                      .sign = WEFT_INVERSE,
                      .norm = WEFT_NORM_SCALE,
                      .scale = s->scale,
                      .rank = s->rank,
                      .batch_rank = 1,
                      .place = in_place ? WEFT_IN_PLACE : WEFT_OUT_OF_PLACE,
                      .threads = threads};
    int64_t is = padded(s) / 2, os = in_place ? padded(s) : pitch(s);
    p.dims[s->rank - 1] = (weft_dim){s->n[s->rank - 1], 1, 1};
    for (int i = s->rank - 2; i >= 0; i--) {
        p.dims[i] = (weft_dim){s->n[i], is, os};
        is *= s->n[i];
        os *= s->n[i];
    }
    p.batch[0] = (weft_dim){s->batch, is, os};
    weft_plan *plan = NULL;
    CHECK(weft_plan_create(&p, NULL, &plan) == WEFT_OK, "%s",
          weft_error_text());
    return plan;
}

static double number(const struct sample *s, const char *p, int64_t i)
{
    return s->f64 ? ((const double *)p)[i] : (double)((const float *)p)[i];
}

/* What one thread, or several, leave of memory; freed by the caller. */
static char *made(const struct sample *s, const char *in, int threads)
{
    const size_t size = (size_t)(rows_of(s) * pitch(s)) * bytes_of(s);
    char *out = malloc(size + 2 * GUARD);
    memset(out, FILL, size + 2 * GUARD);
    weft_plan *plan = plan_of(s, false, threads);
    weft_plan_info info = {.size = sizeof info};
    CHECK(weft_plan_get_info(plan, &info) == WEFT_OK, "%s", weft_error_text());
    CHECK(!s->overlaid || threads > 1 || info.scratch_bytes < size / 3,
          "%zu bytes of scratch beside %zu of output", info.scratch_bytes,
          size);
    CHECK(weft_execute(plan, in, out + GUARD) == WEFT_OK, "%s",
          weft_error_text());
    weft_plan_release(plan);
    return out;
}

static void compare(const struct sample *s, const char *out, const char *want)
{
    const size_t bytes = bytes_of(s);
    const int64_t n = s->n[s->rank - 1], rows = rows_of(s);
    double most = 0, largest = 0;
    bool intact = true;
    for (int i = 0; i < GUARD; i++)
        intact = intact && out[i] == FILL &&
                 out[GUARD + (size_t)(rows * pitch(s)) * bytes + (size_t)i] ==
                     FILL;
    out += GUARD;
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t k = 0; k < n; k++) {
            const double x = number(s, want, r * padded(s) + k);
            const double d = fabs(number(s, out, r * pitch(s) + k) - x);
            most = d <= most ? most : d;
            largest = fmax(largest, fabs(x));
        }
        for (size_t i = (size_t)n * bytes; i < (size_t)pitch(s) * bytes; i++)
            intact = intact && out[(size_t)(r * pitch(s)) * bytes + i] == FILL;
    }
    CHECK(intact, "%dx%d*%d: written between rows, or beyond", s->n[0],
          s->n[1], s->batch);
    CHECK(most <= 16 * (s->f64 ? DBL_EPSILON : (double)FLT_EPSILON) * largest,
          "%dx%d*%d: %g of %g", s->n[0], s->n[1], s->batch, most, largest);
}

static void test_sample(const struct sample *s, noise_state *noise)
{
    const int64_t reals = rows_of(s) * padded(s);
    const size_t size = (size_t)reals * bytes_of(s);
    char *in = malloc(size), *want = malloc(size);
    for (int64_t i = 0; i < reals; i++) {
        const double x = noise_real(noise);
        if (s->f64)
            ((double *)in)[i] = x;
        else
            ((float *)in)[i] = (float)x;
    }
    memcpy(want, in, size);
    char *one = made(s, in, 1), *three = made(s, in, 3);
    CHECK(memcmp(in, want, size) == 0, "%dx%d*%d: the input", s->n[0], s->n[1],
          s->batch);
    weft_plan *plan = plan_of(s, true, 1);
    CHECK(weft_execute(plan, want, want) == WEFT_OK, "%s", weft_error_text());
    weft_plan_release(plan);
    compare(s, one, want);
    CHECK(memcmp(one, three,
                 (size_t)(rows_of(s) * pitch(s)) * bytes_of(s) + 2 * GUARD) ==
              0,
          "%dx%d*%d: other bits by three threads", s->n[0], s->n[1], s->batch);
    free(in);
    free(want);
    free(one);
    free(three);
}

int main(void)
{
    noise_state noise = {11};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        test_sample(&samples[i], &noise);
    weft_threads_shutdown();
    return check_report("overlaid");
}
