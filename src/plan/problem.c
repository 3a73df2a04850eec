/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * problem.c - from what a user filled in to what planning works on.
 *
 * complete() is the one gate: it refuses everything weft_problem_check
 * promises to refuse and writes the strides out.  Behind it every size is
 * positive (a batch may be 0), every product and offset is within
 * WF_OFFSET_LIMIT, and no arithmetic below needs a check again.
 */
#include "plan/problem.h"
#include "num/num.h"
#include "plan/layout.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_THREADS = 1024 };

/* ---- Refusals: each names the argument and its value -------------------- */

typedef struct axis_name {
    char text[24];
} axis_name;

/* "dims[3]" or "batch[0]". */
static axis_name name_of(const weft_problem *problem, int index)
{
    bool inner = index < problem->rank;
    const char *array = inner ? "dims[" : "batch[";
    int number = inner ? index : index - problem->rank;
    axis_name name;
    int at = 0;
    while (*array)
        name.text[at++] = *array++;
    if (number >= 10)
        name.text[at++] = (char)('0' + number / 10);
    name.text[at++] = (char)('0' + number % 10);
    name.text[at++] = ']';
    name.text[at] = '\0';
    return name;
}

static weft_status bad_value(const char *field, int value)
{
    return wf_fail(WEFT_ERR_ARGUMENT, "%s is %d: not a value it can have",
                   field, value);
}

/* Fields are compared as integers: a user may have put anything there. */
static weft_status check_enums(const weft_problem *p)
{
    if ((int)p->kind < WEFT_C2C || (int)p->kind > WEFT_R2R)
        return bad_value("kind", (int)p->kind);
    if ((int)p->type != WEFT_F64 && (int)p->type != WEFT_F32)
        return bad_value("type", (int)p->type);
    if ((int)p->sign != WEFT_FORWARD && (int)p->sign != WEFT_INVERSE)
        return bad_value("sign", (int)p->sign);
    if ((int)p->norm < WEFT_NORM_NONE || (int)p->norm > WEFT_NORM_SCALE)
        return bad_value("norm", (int)p->norm);
    if ((int)p->layout != WEFT_INTERLEAVED && (int)p->layout != WEFT_SPLIT)
        return bad_value("layout", (int)p->layout);
    if ((int)p->place != WEFT_OUT_OF_PLACE && (int)p->place != WEFT_IN_PLACE)
        return bad_value("place", (int)p->place);
    if ((int)p->order != WEFT_NATURAL && (int)p->order != WEFT_SCRAMBLED)
        return bad_value("order", (int)p->order);
    if ((int)p->precision < WEFT_PRECISION_FAST ||
        (int)p->precision > WEFT_PRECISION_SLICES)
        return bad_value("precision", (int)p->precision);
    if (!wf_engine_name(p->engine))
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "engine is %d: this version knows 0 (auto) to %d",
                       (int)p->engine, (int)WEFT_ENGINE_NEURON_OUTPUT);
    return WEFT_OK;
}

/* A later version's larger struct would need its extra bytes read as zero;
 * this first version knows one size. */
static weft_status check_size(const weft_problem *p)
{
    if (!p)
        return wf_fail(WEFT_ERR_ARGUMENT, "problem is NULL");
    if (p->size < sizeof *p)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "problem.size is %zu: must be sizeof(weft_problem), "
                       "%zu",
                       p->size, sizeof *p);
    if (p->size > sizeof *p)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "problem.size is %zu: this version of weft knows %zu",
                       p->size, sizeof *p);
    return WEFT_OK;
}

static weft_status check_scalars(const weft_problem *p)
{
    if (p->norm == WEFT_NORM_SCALE && !isfinite(p->scale))
        return wf_fail(WEFT_ERR_ARGUMENT, "scale is %g: must be finite",
                       p->scale);
    if (p->rank < 0 || p->rank > WEFT_MAX_RANK)
        return wf_fail(WEFT_ERR_ARGUMENT, "rank is %d: must be 0 to %d",
                       (int)p->rank, WEFT_MAX_RANK);
    if (p->batch_rank < 0 || p->batch_rank > WEFT_MAX_RANK)
        return wf_fail(WEFT_ERR_ARGUMENT, "batch_rank is %d: must be 0 to %d",
                       (int)p->batch_rank, WEFT_MAX_RANK);
    if (p->threads < 0 || p->threads > MAX_THREADS)
        return wf_fail(WEFT_ERR_ARGUMENT, "threads is %d: must be 0 to %d",
                       (int)p->threads, MAX_THREADS);
    if (p->order == WEFT_SCRAMBLED && p->rank != 1)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "order is scrambled and rank is %d: must be 1",
                       (int)p->rank);
    return WEFT_OK;
}

/* Slices and target, against the mode. */
static weft_status check_precision(const weft_problem *p)
{
    bool slices = p->precision == WEFT_PRECISION_SLICES;
    if (!slices && p->slices != 0)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "slices is %d: must be 0 unless precision is slices",
                       (int)p->slices);
    if (slices && (p->slices < 2 || p->slices > 8))
        return wf_fail(WEFT_ERR_ARGUMENT, "slices is %d: must be 2 to 8",
                       (int)p->slices);
    if (!isfinite(p->target_error) || p->target_error < 0)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "target_error is %g: must be at least 0 and finite",
                       p->target_error);
    if (p->target_error > 0 && p->precision != WEFT_PRECISION_FAST)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "target_error is %g and precision is %s: a target "
                       "chooses the precision, which must be fast",
                       p->target_error, wf_precision_name(p->precision));
    return WEFT_OK;
}

static weft_kind kind_of(const weft_problem *p, int dim)
{
    return p->kind == WEFT_R2R ? p->kinds[dim] : p->kind;
}

/* The precisions that real kinds do not have everywhere. */
static weft_status check_real_precision(const weft_problem *p)
{
    int rank = 0, last = 0;
    for (int i = 0; i < p->rank; i++)
        if (p->dims[i].n != 1) {
            rank++;
            last = i;
        }
    const char *misfit = wf_mode_misfit(p->precision, p->type, rank,
                                        p->norm == WEFT_NORM_ORTHO,
                                        kind_of(p, last));
    if (misfit == NULL)
        return WEFT_OK;
    return wf_fail(WEFT_ERR_UNSUPPORTED, "kind is %s: precision %s %s",
                   wf_kind_name(kind_of(p, last)),
                   wf_precision_name(p->precision), misfit);
}

/* What only c2c has, and the kinds of the dimensions. */
static weft_status check_kinds(const weft_problem *p)
{
    const char *name = wf_kind_name(p->kind);
    if (p->kind == WEFT_C2C)
        return WEFT_OK;
    if (p->order == WEFT_SCRAMBLED)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "order is scrambled and kind is %s: only c2c has that",
                       name);
    if (p->kind == WEFT_R2C || p->kind == WEFT_C2R)
        return p->layout == WEFT_SPLIT && p->place == WEFT_IN_PLACE
                   ? wf_fail(WEFT_ERR_ARGUMENT,
                             "kind is %s, layout split and place in place: "
                             "split data have no place for the other side",
                             name)
                   : WEFT_OK;
    if (p->layout == WEFT_SPLIT)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "layout is split and kind is %s: real vectors have "
                       "one array",
                       name);
    for (int i = 0; i < p->rank; i++) {
        if (!wf_kind_is_real(kind_of(p, i)))
            return wf_fail(WEFT_ERR_ARGUMENT,
                           "kinds[%d] is %d: must be a real kind, %d to %d", i,
                           (int)p->kinds[i], WEFT_R2HC, WEFT_RODFT11);
        if (kind_of(p, i) == WEFT_REDFT00 && p->dims[i].n == 1)
            return wf_fail(WEFT_ERR_ARGUMENT,
                           "dims[%d].n is 1: must be at least 2 for redft00",
                           i);
    }
    return check_real_precision(p);
}

/* 2^56 bytes.  Planning such a length would try for minutes, and fail. */
static const int64_t MOST_SAMPLES = (int64_t)1 << 52;

static weft_status check_sizes(const weft_problem *p)
{
    int64_t total = 1;
    for (int i = 0; i < wf_axis_count(p); i++) {
        int64_t n = wf_axis_of(p, i)->n, least = i < p->rank;
        if (n < least)
            return wf_fail(WEFT_ERR_ARGUMENT,
                           "%s.n is %" PRId64 ": must be at least %" PRId64,
                           name_of(p, i).text, n, least);
        if (n > 0 && (!wf_mul_i64(total, n, &total) || total > MOST_SAMPLES))
            return wf_fail(WEFT_ERR_OVERFLOW,
                           "%s.n is %" PRId64 ": the product of all sizes is "
                           "above 2^52, more than a processor addresses",
                           name_of(p, i).text, n);
    }
    return WEFT_OK;
}

/* ---- Kinds and sides ---------------------------------------------------- */

const char *wf_kind_name(weft_kind kind)
{
    static const char *const names[] = {"c2c",     "r2c",     "c2r",
                                        "r2hc",    "hc2r",    "dht",
                                        "redft00", "redft01", "redft10",
                                        "redft11", "rodft00", "rodft01",
                                        "rodft10", "rodft11", "r2r"};
    return names[kind];
}

bool wf_kind_is_real(weft_kind kind)
{
    return (int)kind >= WEFT_R2HC && (int)kind <= WEFT_RODFT11;
}

bool wf_problem_is_copy(const wf_problem *canonical)
{
    return canonical->rank == 0 ||
           (canonical->rank == 1 && canonical->dim[0].n == 1);
}

int64_t wf_dim_length(const wf_problem *c, int index, wf_side side)
{
    return wf_side_length(c->kind, side, index == c->rank - 1,
                          c->dim[index].n);
}

int64_t wf_side_count(const wf_problem *c, wf_side side)
{
    int64_t count = 1;
    for (int i = 0; i < c->rank; i++)
        count *= wf_dim_length(c, i, side);
    for (int i = 0; i < c->loops; i++)
        count *= c->loop[i].n;
    return count;
}

int wf_side_scalars(const wf_problem *c, wf_side side)
{
    return wf_side_is_complex(c->kind, side) && !c->split ? 2 : 1;
}

bool wf_problem_overlays(const wf_problem *c)
{
    bool halves = c->kind == WEFT_R2C || c->kind == WEFT_C2R;
    int in = wf_side_scalars(c, WF_INPUT), out = wf_side_scalars(c, WF_OUTPUT);
    bool same = c->in_place;
    for (int i = 0; i < c->loops; i++)
        same = same && in * c->loop[i].is == out * c->loop[i].os;
    for (int i = 0; i < c->rank; i++) {
        const weft_dim *d = &c->dim[i];
        same = same && (halves && i == c->rank - 1
                            ? d->n == 1 || (d->is == 1 && d->os == 1)
                            : in * d->is == out * d->os);
    }
    return same;
}

/* ---- Offsets ------------------------------------------------------------ */

/* Elements of axis i (dimensions, then batch) on one side. */
static int64_t length_of(const weft_problem *p, int i, wf_side side)
{
    return wf_side_length(p->kind, side, i == p->rank - 1,
                          wf_axis_of(p, i)->n);
}

static bool is_empty(const weft_problem *p)
{
    for (int i = 0; i < p->batch_rank; i++)
        if (p->batch[i].n == 0)
            return true;
    return false;
}

/* Widens [low, high] by n elements `stride` apart. */
static bool reach(int64_t n, int64_t stride, int64_t *low, int64_t *high)
{
    int64_t step;
    if (n < 2)
        return true;
    if (!wf_mul_i64(n - 1, stride, &step) ||
        !wf_add_i64(step < 0 ? *low : *high, step, step < 0 ? low : high))
        return false;
    return *low >= -WF_OFFSET_LIMIT && *high <= WF_OFFSET_LIMIT + *low;
}

static weft_status find_extent(const weft_problem *p, weft_extent *extent)
{
    *extent = (weft_extent){.count = 1};
    for (int i = 0; i < wf_axis_count(p); i++) {
        const weft_dim *d = wf_axis_of(p, i);
        if (!reach(length_of(p, i, WF_INPUT), d->is, &extent->in_low,
                   &extent->in_high))
            return wf_fail(WEFT_ERR_OVERFLOW,
                           "%s.is is %" PRId64 " with n %" PRId64 ": offsets "
                           "do not fit in 63 bits of bytes",
                           name_of(p, i).text, d->is, d->n);
        if (!reach(length_of(p, i, WF_OUTPUT), d->os, &extent->out_low,
                   &extent->out_high))
            return wf_fail(WEFT_ERR_OVERFLOW,
                           "%s.os is %" PRId64 " with n %" PRId64 ": offsets "
                           "do not fit in 63 bits of bytes",
                           name_of(p, i).text, d->os, d->n);
        extent->count *= d->n;
    }
    return WEFT_OK;
}

/* ---- Layout ------------------------------------------------------------- */

static weft_status check_distinct(const weft_problem *p, const wf_axis *out,
                                  int count)
{
    int id = 0;
    wf_answer distinct = wf_layout_distinct(out, count, &id);
    if (distinct == WF_YES)
        return WEFT_OK;
    const weft_dim *d = wf_axis_of(p, id);
    if (distinct == WF_NO)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "%s.os is %" PRId64 " with n %" PRId64 ": output "
                       "elements overlap",
                       name_of(p, id).text, d->os, d->n);
    return wf_fail(WEFT_ERR_UNSUPPORTED,
                   "%s.os is %" PRId64 " with n %" PRId64 ": interleaved too "
                   "deeply to show that output elements do not overlap",
                   name_of(p, id).text, d->os, d->n);
}

static weft_status check_layout(const weft_problem *p,
                                const weft_extent *extent)
{
    wf_axis in[WF_MAX_AXES], out[WF_MAX_AXES];
    int count = 0, unequal = 0;
    for (int i = 0; i < wf_axis_count(p); i++) {
        const weft_dim *d = wf_axis_of(p, i);
        if (d->n < 2)
            continue;
        if (d->os == 0)
            return wf_fail(WEFT_ERR_ARGUMENT,
                           "%s.os is 0 with n %" PRId64 ": output elements "
                           "overlap",
                           name_of(p, i).text, d->n);
        if (d->is != d->os)
            unequal = i;
        in[count] = (wf_axis){length_of(p, i, WF_INPUT), d->is, i};
        out[count++] = (wf_axis){length_of(p, i, WF_OUTPUT), d->os, i};
    }
    weft_status status = check_distinct(p, out, count);
    /* Reals and complex numbers in one place may lie anyhow. */
    if (status != WEFT_OK || p->place != WEFT_IN_PLACE ||
        p->kind == WEFT_R2C || p->kind == WEFT_C2R)
        return status;
    if (extent->in_low != extent->out_low ||
        extent->in_high != extent->out_high ||
        !wf_layout_same(in, count, out, count)) {
        const weft_dim *d = wf_axis_of(p, unequal);
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "%s.is is %" PRId64 " and os %" PRId64 ": in place, "
                       "input and output must cover the same elements",
                       name_of(p, unequal).text, d->is, d->os);
    }
    return WEFT_OK;
}

/* ---- The gate ----------------------------------------------------------- */

/* Checks `problem`, and writes it with all strides explicit to *full. */
static weft_status complete(const weft_problem *problem, weft_problem *full,
                            weft_extent *extent)
{
    int axis = 0;
    weft_status status = check_size(problem);
    if (status == WEFT_OK)
        status = check_enums(problem);
    if (status == WEFT_OK)
        status = check_scalars(problem);
    if (status == WEFT_OK)
        status = check_precision(problem);
    if (status == WEFT_OK)
        status = check_sizes(problem);
    if (status == WEFT_OK)
        status = check_kinds(problem);
    if (status != WEFT_OK)
        return status;
    *full = *problem;
    if (wf_layout_is_default(full) && !wf_layout_pack(full, &axis))
        return wf_fail(WEFT_ERR_OVERFLOW,
                       "%s.n is %" PRId64 ": the padded size does not fit in "
                       "63 bits of bytes",
                       name_of(full, axis).text, wf_axis_of(full, axis)->n);
    status = find_extent(full, extent);
    if (status == WEFT_OK && !is_empty(full))
        status = check_layout(full, extent);
    return status;
}

weft_status wf_problem_check(const weft_problem *problem)
{
    weft_problem full;
    weft_extent extent;
    return complete(problem, &full, &extent);
}

weft_status wf_problem_extent(const weft_problem *problem, weft_extent *extent)
{
    weft_problem full;
    weft_extent found;
    if (!extent)
        return wf_fail(WEFT_ERR_ARGUMENT, "extent is NULL");
    weft_status status = complete(problem, &full, &found);
    if (status == WEFT_OK)
        *extent = is_empty(&full) ? (weft_extent){0} : found;
    return status;
}

/* ---- The canonical form ------------------------------------------------- */

/* N of weft.h: a kind and its inverse give N times the input. */
static double logical_size(weft_kind kind, int64_t n)
{
    switch (kind) {
    case WEFT_REDFT00: return 2 * ((double)n - 1);
    case WEFT_RODFT00: return 2 * ((double)n + 1);
    case WEFT_REDFT01:
    case WEFT_REDFT10:
    case WEFT_REDFT11:
    case WEFT_RODFT01:
    case WEFT_RODFT10:
    case WEFT_RODFT11: return 2 * (double)n;
    default: return (double)n;
    }
}

/* What one element is multiplied by: such dimensions go into the scale. */
static double factor_of_one(weft_kind kind)
{
    switch (kind) {
    case WEFT_REDFT10:
    case WEFT_RODFT00:
    case WEFT_RODFT10: return 2;
    case WEFT_REDFT11:
    case WEFT_RODFT11: return sqrt(2);
    default: return 1;
    }
}

/* An orthogonal matrix of one number is 1. */
static bool is_plain_one(const weft_problem *p, int i)
{
    return p->norm == WEFT_NORM_ORTHO && p->dims[i].n == 1;
}

static bool is_inverse(weft_kind kind, weft_sign sign)
{
    if (kind == WEFT_C2R || kind == WEFT_HC2R)
        return true;
    return sign == WEFT_INVERSE && kind != WEFT_R2C && kind != WEFT_R2HC;
}

static double resolve_scale(const weft_problem *p)
{
    double forward = 1, inverse = 1, ones = 1;
    for (int i = 0; i < p->rank; i++) {
        weft_kind kind = kind_of(p, i);
        if (is_plain_one(p, i))
            continue;
        if (p->dims[i].n == 1)
            ones *= factor_of_one(kind);
        *(is_inverse(kind, p->sign) ? &inverse : &forward) *=
            logical_size(kind, p->dims[i].n);
    }
    switch (p->norm) {
    case WEFT_NORM_BACKWARD: return ones / inverse;
    case WEFT_NORM_FORWARD: return ones / forward;
    case WEFT_NORM_ORTHO: return 1 / sqrt(forward * inverse);
    case WEFT_NORM_SCALE: return ones * p->scale;
    default: return ones;
    }
}

bool wf_kind_has_ends(weft_kind kind)
{
    return kind == WEFT_REDFT00 || kind == WEFT_REDFT01 ||
           kind == WEFT_REDFT10 || kind == WEFT_RODFT01 ||
           kind == WEFT_RODFT10;
}

/* Dimensions of one element do nothing, except where a real vector becomes a
 * complex one. */
static void add_dims(const weft_problem *p, wf_problem *c)
{
    bool halves = c->kind == WEFT_R2C || c->kind == WEFT_C2R;
    for (int i = 0; i < p->rank; i++) {
        if (p->dims[i].n == 1)
            continue;
        c->kinds[c->rank] = c->kind == WEFT_R2R ? kind_of(p, i) : WEFT_C2C;
        c->ortho |= p->norm == WEFT_NORM_ORTHO &&
                    wf_kind_has_ends(kind_of(p, i));
        c->dim[c->rank++] = p->dims[i];
    }
    if (halves && (p->rank == 0 || p->dims[p->rank - 1].n == 1))
        c->dim[c->rank++] = (weft_dim){1, 1, 1};
}

/* What is left of the exact scale beside its nearest double. */
static double resolve_scale_low(const weft_problem *p, double scale)
{
    wf_dd one = {1, 0}, both[2] = {one, one}, ones = one, exact;
    for (int i = 0; i < p->rank; i++) {
        weft_kind kind = kind_of(p, i);
        double factor = factor_of_one(kind);
        if (is_plain_one(p, i))
            continue;
        if (p->dims[i].n == 1) /* 1, 2 or the root of 2 */
            ones = wf_dd_mul(ones, factor == 1 || factor == 2
                                       ? (wf_dd){factor, 0}
                                       : wf_dd_sqrt((wf_dd){2, 0}));
        wf_dd *size = &both[is_inverse(kind, p->sign)];
        *size = wf_dd_mul(*size, (wf_dd){logical_size(kind, p->dims[i].n), 0});
    }
    switch (p->norm) {
    case WEFT_NORM_BACKWARD: exact = wf_dd_div(ones, both[1]); break;
    case WEFT_NORM_FORWARD: exact = wf_dd_div(ones, both[0]); break;
    case WEFT_NORM_ORTHO:
        exact = wf_dd_div(one, wf_dd_sqrt(wf_dd_mul(both[0], both[1])));
        break;
    case WEFT_NORM_SCALE: exact = wf_dd_mul(ones, (wf_dd){p->scale, 0}); break;
    default: exact = ones; break;
    }
    return (exact.hi - scale) + exact.lo;
}

/* Double arithmetic is what f64 has, and all that compensated f32 needs.  A
 * copy has no sums to compensate, and one product, whose factor is rounded, too, where
 * floats do not have it. */
static weft_precision resolve_precision(const weft_problem *p, bool copy,
                                        double scale)
{
    bool f64 = p->type == WEFT_F64;
    const bool precise = p->precision == WEFT_PRECISION_DOUBLE ||
                         p->precision == WEFT_PRECISION_COMPENSATED;
    if (copy && precise && !f64 && (double)(float)scale != scale)
        return WEFT_PRECISION_DOUBLE;
    if (copy && p->kind != WEFT_C2C)
        return WEFT_PRECISION_FAST;
    if (p->precision == WEFT_PRECISION_DOUBLE && f64)
        return WEFT_PRECISION_FAST;
    if (p->precision == WEFT_PRECISION_COMPENSATED)
        return !f64   ? WEFT_PRECISION_DOUBLE
               : copy ? WEFT_PRECISION_FAST
                      : WEFT_PRECISION_COMPENSATED;
    return copy ? WEFT_PRECISION_FAST : p->precision;
}

static int64_t magnitude(int64_t s)
{
    return s < 0 ? -s : s;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Positive when a goes inside b: larger strides first, and where those tie
 * any fixed order, so that the user's order leaves no trace. */
static int compare_loops(const weft_dim *a, const weft_dim *b)
{
    int64_t ai = magnitude(a->is), ao = magnitude(a->os);
    int64_t bi = magnitude(b->is), bo = magnitude(b->os);
    int c = compare(bi > bo ? bi : bo, ai > ao ? ai : ao);
    c = c ? c : compare(bo, ao);
    c = c ? c : compare(bi, ai);
    c = c ? c : compare(b->os, a->os);
    c = c ? c : compare(b->is, a->is);
    return c ? c : compare(b->n, a->n);
}

static void insert_loop(wf_problem *c, weft_dim loop)
{
    int k = c->loops++;
    for (; k > 0 && compare_loops(&c->loop[k - 1], &loop) > 0; k--)
        c->loop[k] = c->loop[k - 1];
    c->loop[k] = loop;
}

/* Does `outer` go on where `inner` ends, in the input and the output? */
static bool continues(const weft_dim *outer, const weft_dim *inner)
{
    return outer->is == inner->n * inner->is &&
           outer->os == inner->n * inner->os;
}

/* The merged loop keeps the inner one's strides and so its place. */
static bool merge_one_pair(weft_dim *loop, int *count)
{
    for (int i = 0; i < *count; i++)
        for (int j = 0; j < *count; j++) {
            if (i == j || !continues(&loop[i], &loop[j]))
                continue;
            loop[j].n *= loop[i].n;
            --*count;
            for (int k = i; k < *count; k++)
                loop[k] = loop[k + 1];
            return true;
        }
    return false;
}

void wf_merge_loops(weft_dim *loop, int *count)
{
    while (merge_one_pair(loop, count))
        ;
}

weft_status wf_problem_canonical(const weft_problem *problem,
                                 wf_problem *canonical)
{
    weft_problem full;
    weft_extent extent;
    weft_status status = complete(problem, &full, &extent);
    if (status != WEFT_OK)
        return status;
    wf_problem c = {.kind = wf_kind_is_real(full.kind) ? WEFT_R2R : full.kind,
                    .type = full.type,
                    .scale = 1,
                    .split = full.layout == WEFT_SPLIT,
                    .in_place = full.place == WEFT_IN_PLACE,
                    .empty = is_empty(&full),
                    .threads = full.threads > 1 ? (int)full.threads : 1,
                    .engine = full.engine == WEFT_ENGINE_AUTO ? WEFT_ENGINE_CPU
                                                              : full.engine,
                    .total = extent.count};
    if (!c.empty) {
        c.scale = resolve_scale(&full);
        add_dims(&full, &c);
        for (int i = 0; i < full.batch_rank; i++)
            if (full.batch[i].n > 1)
                insert_loop(&c, full.batch[i]);
        wf_merge_loops(c.loop, &c.loops);
    }
    if (c.rank) { /* a copy has neither sign nor order */
        c.sign = c.kind == WEFT_C2C   ? full.sign
                 : c.kind == WEFT_C2R ? WEFT_INVERSE
                                      : WEFT_FORWARD;
        c.scrambled = full.order == WEFT_SCRAMBLED;
    }
    if (!c.empty) {
        c.precision = resolve_precision(&full, wf_problem_is_copy(&c),
                                        c.scale);
        c.slices = (int)full.slices;
        c.target = full.target_error;
        if (c.precision >= WEFT_PRECISION_BF16)
            c.scrambled = false; /* products come in order */
    }
    if (c.precision == WEFT_PRECISION_COMPENSATED)
        c.scrambled = false; /* the natural order is as good */
    if (c.precision == WEFT_PRECISION_COMPENSATED ||
        (c.target > 0 && c.type == WEFT_F64))
        c.scale_low = resolve_scale_low(&full, c.scale);
    *canonical = c;
    return WEFT_OK;
}
