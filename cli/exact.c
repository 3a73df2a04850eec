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

/* ---- The real kinds ------------------------------------------------------ */

/* A symmetric complex vector (weft.h's definitions, read backwards) of which
 * some frequencies are the result. */

static bool is_sine(weft_kind kind)
{
    return kind >= WEFT_RODFT00;
}

/* Length of that vector. */
static int64_t embedded(weft_kind kind, int64_t n)
{
    switch (kind) {
    case WEFT_REDFT00: return 2 * (n - 1);
    case WEFT_RODFT00: return 2 * (n + 1);
    case WEFT_REDFT11:
    case WEFT_RODFT11: return 8 * n;
    default: return kind >= WEFT_REDFT00 ? 4 * n : n;
    }
}

/* Where number j of the input goes, and where number k of the output is. */
static int64_t position(weft_kind kind, int64_t i, bool output)
{
    switch (kind) {
    case WEFT_REDFT00: return i;
    case WEFT_RODFT00: return i + 1;
    case WEFT_REDFT10: return output ? i : 2 * i + 1;
    case WEFT_RODFT10: return output ? i + 1 : 2 * i + 1;
    case WEFT_REDFT01: return output ? 2 * i + 1 : i;
    case WEFT_RODFT01: return output ? 2 * i + 1 : i + 1;
    default: return 2 * i + 1;
    }
}

static void embed(weft_kind kind, int64_t n, int64_t j, double x, double *e)
{
    int64_t length = embedded(kind, n), back = j ? n - j : 0;
    if (kind == WEFT_HC2R) { /* the other half of the spectrum */
        int part = 2 * j > n;
        e[2 * j + part] = part ? -x : x;
        e[2 * back + part] = x;
    } else if (kind < WEFT_REDFT00) {
        e[2 * j] = x;
    } else {
        int64_t at = position(kind, j, false);
        if (kind == WEFT_RODFT01 && j == n - 1)
            x /= 2; /* alone in its definition */
        e[2 * at] = x;
        e[2 * ((length - at) % length)] = is_sine(kind) ? -x : x;
    }
}

static void extract(weft_kind kind, int64_t n, int64_t k, const line *l,
                    double *hi, double *lo)
{
    int64_t at = 2 * k;
    double sign = 1;
    if (kind == WEFT_R2HC && 2 * k > n)
        at = 2 * (n - k) + 1;
    else if (is_sine(kind))
        at = 2 * position(kind, k, true) + 1, sign = -1;
    else if (kind >= WEFT_REDFT00)
        at = 2 * position(kind, k, true);
    *hi = sign * l->a_hi[at];
    *lo = sign * l->a_lo[at];
    if (kind == WEFT_DHT)
        add_to(hi, lo, -l->a_hi[at + 1], -l->a_lo[at + 1]);
}

static void multiply(double *hi, double *lo, double s, double t)
{
    double product = *hi * s;
    double low = fma(*hi, s, -product) + *hi * t + *lo * s;
    *hi = product + low;
    *lo = low - (*hi - product);
}

/* The end elements of an orthogonal kind: those that weigh less than the
 * others in the input, more than the others in the output. */
static bool is_end(weft_kind kind, int64_t n, int64_t i, bool output)
{
    bool first = kind == WEFT_REDFT00 ||
                 kind == (output ? WEFT_REDFT10 : WEFT_REDFT01);
    bool last = kind == WEFT_REDFT00 ||
                kind == (output ? WEFT_RODFT10 : WEFT_RODFT01);
    return (first && i == 0) || (last && i == n - 1);
}

static weft_status transform_real_axis(double *hi, double *lo, int64_t count,
                                       int64_t n, int64_t stride,
                                       weft_kind kind, bool ortho,
                                       const line *l)
{
    const double root = 0x1.6a09e667f3bcdp0, rest = -0x1.bdd3413b26456p-54;
    size_t bytes = 2 * (size_t)embedded(kind, n) * sizeof(double);
    weft_status status = WEFT_OK;
    for (int64_t q = 0; q < count / n && !status; q++) {
        int64_t base = q / stride * stride * n + q % stride;
        memset(l->in_hi, 0, bytes);
        memset(l->in_lo, 0, bytes);
        for (int64_t j = 0; j < n; j++) {
            int64_t at = 2 * (base + j * stride);
            if (ortho && is_end(kind, n, j, false))
                multiply(&hi[at], &lo[at], root, rest);
            embed(kind, n, j, hi[at], l->in_hi);
            embed(kind, n, j, lo[at], l->in_lo);
        }
        status = transform_line(l, embedded(kind, n),
                                kind == WEFT_HC2R ? WEFT_INVERSE
                                                  : WEFT_FORWARD);
        for (int64_t k = 0; k < n && !status; k++) {
            int64_t at = 2 * (base + k * stride);
            extract(kind, n, k, l, &hi[at], &lo[at]);
            if (ortho && is_end(kind, n, k, true))
                multiply(&hi[at], &lo[at], root / 2, rest / 2);
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
    for (int64_t i = 0; i < reals; i++)
        multiply(&hi[i], &lo[i], s, t);
}

void order_apply(double *x, int64_t count, int64_t n, const int64_t *order,
                 bool back, double *space)
{
    for (int64_t b = 0; b < count / n; b++) {
        double *vector = x + 2 * b * n;
        memcpy(space, vector, (size_t)n * 2 * sizeof *x);
        for (int64_t i = 0; i < n; i++) {
            int64_t from = back ? i : order[i];
            int64_t to = back ? order[i] : i;
            memcpy(vector + 2 * to, space + 2 * from, 2 * sizeof *x);
        }
    }
}

int exact_transform(const weft_problem *problem, const int64_t *order,
                    const double *in, double *hi, double *lo)
{
    int64_t longest = 1;
    int64_t count = problem_size(problem) * problem_batch(problem);
    for (int d = 0; d < problem->rank; d++) {
        int64_t length = embedded(problem_kind(problem, d),
                                  problem->dims[d].n);
        longest = length > longest ? length : longest;
    }
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
        order_apply(hi, count, problem->dims[0].n, order, true, space);
    int64_t stride = 1;
    weft_status status = WEFT_OK;
    for (int d = problem->rank - 1; d >= 0 && !status; d--) {
        int64_t n = problem->dims[d].n;
        weft_kind kind = problem_kind(problem, d);
        if (problem_is_r2r(problem))
            status = transform_real_axis(hi, lo, count, n, stride, kind,
                                         problem->norm == WEFT_NORM_ORTHO, &l);
        else if (n > 1)
            status = transform_axis(hi, lo, count, n, stride, problem->sign,
                                    &l);
        stride *= n;
    }
    if (order && !inverse) {
        order_apply(hi, count, problem->dims[0].n, order, false, space);
        order_apply(lo, count, problem->dims[0].n, order, false, space);
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
        int64_t n = embedded(problem_kind(problem, d), problem->dims[d].n);
        double all = count / (double)problem->dims[d].n * (double)n;
        for (int64_t p = 2; p <= n / p; p++)
            for (; n % p == 0; n /= p)
                cost += 2 * all * (double)p;
        if (n > 1)
            cost += 2 * all * (double)n;
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
