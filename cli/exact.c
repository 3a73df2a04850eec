/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact results: see exact.h.  One dimension after the other, each line by
 * weft_reference.  Between dimensions numbers are hi + lo, and as the
 * transform is linear, a line's result is that of its hi plus that of its lo.
 */
#include "exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "field.h"
#include "problems.h"

static bool is_scrambled(const weft_problem *problem)
{
    return problem->order == WEFT_SCRAMBLED && problem->rank == 1;
}

int order_of(const weft_problem *problem, const weft_plan *plan,
             int64_t **order)
{
    *order = NULL;
    if (!is_scrambled(problem))
        return CODE_OK;
    size_t n = (size_t)problem->dims[0].n;
    *order = weft_alloc(n * sizeof **order);
    if (!*order)
        return fail(CODE_LIBRARY, "no memory for an order of %zu", n);
    if (weft_plan_order(plan, *order, n)) {
        weft_free(*order);
        *order = NULL;
        return fail_library("the plan's order");
    }
    return CODE_OK;
}

/* (a, b) = (a, b) + (c, d): Knuth's two-sum, then the low parts. */
static void add_to(double *a, double *b, double c, double d)
{
    double sum = *a + c, v = sum - *a;
    double low = (*a - (sum - v)) + (c - v) + *b + d;
    *a = sum + low;
    *b = low - (*a - sum);
}

typedef struct line {
    double *in_hi, *in_lo, *a_hi, *a_lo, *b_hi, *b_lo;
} line;

static weft_status transform_line(const line *l, int64_t n, weft_sign sign)
{
    weft_status status = weft_reference(n, sign, l->in_hi, l->a_hi, l->a_lo);
    if (!status)
        status = weft_reference(n, sign, l->in_lo, l->b_hi, l->b_lo);
    for (int64_t i = 0; i < 2 * n && !status; i++)
        add_to(&l->a_hi[i], &l->a_lo[i], l->b_hi[i], l->b_lo[i]);
    return status;
}

/* Transforms all lines of length n, `stride` complex numbers apart inside. */
static weft_status transform_axis(double *hi, double *lo, int64_t count,
                                  int64_t n, int64_t stride, weft_sign sign,
                                  const line *l)
{
    weft_status status = WEFT_OK;
    for (int64_t q = 0; q < count / n && !status; q++) {
        progress("reference: line %lld of %lld", (long long)q + 1,
                 (long long)(count / n));
        int64_t base = q / stride * stride * n + q % stride;
        for (int64_t j = 0; j < n; j++) {
            int64_t at = 2 * (base + j * stride);
            memcpy(l->in_hi + 2 * j, hi + at, 2 * sizeof *hi);
            memcpy(l->in_lo + 2 * j, lo + at, 2 * sizeof *lo);
        }
        status = transform_line(l, n, sign);
        for (int64_t j = 0; j < n && !status; j++) {
            int64_t at = 2 * (base + j * stride);
            memcpy(hi + at, l->a_hi + 2 * j, 2 * sizeof *hi);
            memcpy(lo + at, l->a_lo + 2 * j, 2 * sizeof *lo);
        }
    }
    return status;
}

static void apply_scale(const weft_problem *problem, double *hi, double *lo,
                        int64_t reals)
{
    double s, t;
    problem_scale(problem, &s, &t);
    if (s == 1 && t == 0)
        return;
    for (int64_t i = 0; i < reals; i++) {
        double product = hi[i] * s;
        double low = fma(hi[i], s, -product) + hi[i] * t + lo[i] * s;
        hi[i] = product + low;
        lo[i] = low - (hi[i] - product);
    }
}

/* Reorders each vector of a rank-1 batch: to[order[i]] = from[i] when
 * `inverse`, to[i] = from[order[i]] else; through `space` of n. */
static void reorder(double *x, int64_t count, int64_t n, const int64_t *order,
                    bool inverse, double *space)
{
    for (int64_t b = 0; b < count / n; b++) {
        double *vector = x + 2 * b * n;
        memcpy(space, vector, (size_t)n * 2 * sizeof *x);
        for (int64_t i = 0; i < n; i++) {
            int64_t from = inverse ? i : order[i];
            int64_t to = inverse ? order[i] : i;
            memcpy(vector + 2 * to, space + 2 * from, 2 * sizeof *x);
        }
    }
}

int exact_transform(const weft_problem *problem, const int64_t *order,
                    const double *in, double *hi, double *lo)
{
    int64_t longest = 1;
    int64_t count = problem_size(problem) * problem_batch(problem);
    for (int d = 0; d < problem->rank; d++)
        if (problem->dims[d].n > longest)
            longest = problem->dims[d].n;
    double *space = packed_new(6 * longest);
    if (!space)
        return CODE_LIBRARY;
    double *part = space;
    line l;
    double **parts[] = {&l.in_hi, &l.in_lo, &l.a_hi,
                        &l.a_lo,  &l.b_hi,  &l.b_lo};
    for (int i = 0; i < 6; i++, part += 2 * longest)
        *parts[i] = part;

    memcpy(hi, in, (size_t)count * 2 * sizeof *hi);
    memset(lo, 0, (size_t)count * 2 * sizeof *lo);
    bool inverse = problem->sign == WEFT_INVERSE;
    if (order && inverse)
        reorder(hi, count, problem->dims[0].n, order, true, space);
    int64_t stride = 1;
    weft_status status = WEFT_OK;
    for (int d = problem->rank - 1; d >= 0 && !status; d--) {
        int64_t n = problem->dims[d].n;
        if (n > 1)
            status = transform_axis(hi, lo, count, n, stride, problem->sign,
                                    &l);
        stride *= n;
    }
    if (order && !inverse) {
        reorder(hi, count, problem->dims[0].n, order, false, space);
        reorder(lo, count, problem->dims[0].n, order, false, space);
    }
    apply_scale(problem, hi, lo, 2 * count);
    weft_free(space);
    return status ? fail_library("the reference") : CODE_OK;
}

double exact_cost(const weft_problem *problem)
{
    double count = (double)problem_size(problem) *
                   (double)problem_batch(problem);
    double cost = 0;
    for (int d = 0; d < problem->rank; d++) {
        int64_t n = problem->dims[d].n;
        for (int64_t p = 2; p <= n / p; p++)
            for (; n % p == 0; n /= p)
                cost += 2 * count * (double)p;
        if (n > 1)
            cost += 2 * count * (double)n;
    }
    return cost;
}

error_pair error_between(const double *got, const double *hi, const double *lo,
                         int64_t count)
{
    /* long double: squares of doubles neither overflow nor vanish. */
    long double difference = 0, size = 0, most = 0;
    for (int64_t i = 0; i < count; i++) {
        double re = got[2 * i] - hi[2 * i];
        double im = got[2 * i + 1] - hi[2 * i + 1];
        if (lo) {
            re -= lo[2 * i];
            im -= lo[2 * i + 1];
        }
        long double square = (long double)re * re + (long double)im * im;
        if (!(square <= LDBL_MAX))
            return (error_pair){INFINITY, INFINITY};
        difference += square;
        most = square > most ? square : most;
        size += (long double)hi[2 * i] * hi[2 * i] +
                (long double)hi[2 * i + 1] * hi[2 * i + 1];
    }
    if (size == 0)
        return difference == 0 ? (error_pair){0, 0}
                               : (error_pair){INFINITY, INFINITY};
    return (error_pair){(double)sqrtl(difference / size),
                        (double)sqrtl(most * (long double)count / size)};
}
