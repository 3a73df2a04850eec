/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planner.c - from a shape and FFTW's flags to a plan.
 *
 * Flags are seconds: ESTIMATE is weft's model, which times nothing; MEASURE,
 * PATIENT and EXHAUSTIVE measure for at most so many as are below, or what
 * fftw_set_timelimit leaves of them.  The other flags ask for what weft does
 * anyway (PRESERVE_INPUT, UNALIGNED) or allow what it does not need.
 *
 * Refused before weft sees it: what FFTW refuses too (sizes below 1), a sign
 * or kind that is none, and outputs that overlap.
 *
 * Reason for the mutable statics: FFTW's functions have no context to keep
 * them in.
 */
#include "compat.h"

#include <math.h>
#include <string.h>

enum { MOST_THREADS = 1024 };

static _Atomic double time_limit = -1;
static atomic_int threads = 1;

void planner_set_timelimit(double seconds)
{
    atomic_store_explicit(&time_limit, seconds, memory_order_relaxed);
}

void planner_set_threads(int count)
{
    atomic_store_explicit(&threads, count < 1 ? 1 : count,
                          memory_order_relaxed);
}

int planner_threads(void)
{
    return atomic_load_explicit(&threads, memory_order_relaxed);
}

/* ---- Flags -------------------------------------------------------------- */

/* Seconds that measuring may take, of what the time limit leaves; 0: nothing is
 * timed.  Looking for wisdom takes no time. */
static double seconds_of(unsigned flags)
{
    const double limit = atomic_load_explicit(&time_limit,
                                              memory_order_relaxed),
                 most = flags & FFTW_EXHAUSTIVE ? 60
                        : flags & FFTW_PATIENT  ? 10
                                                : 1;
    if (flags & FFTW_ESTIMATE || (limit == 0 && !(flags & FFTW_WISDOM_ONLY)))
        return 0;
    return limit > 0 && limit < most ? limit : most;
}

/* ---- The problem -------------------------------------------------------- */

static bool refuse(const weft_problem *problem, const char *why)
{
    trace_refusal(problem, why);
    return false;
}

static bool set_sign(weft_problem *p, const request *r)
{
    if (r->kind != WEFT_C2C)
        return true;
    if (r->sign != FFTW_FORWARD && r->sign != FFTW_BACKWARD)
        return refuse(NULL, "the sign is neither -1 nor +1");
    p->sign = r->sign == FFTW_FORWARD ? WEFT_FORWARD : WEFT_INVERSE;
    return true;
}

static bool set_kinds(weft_problem *p, const request *r, int rank)
{
    p->kind = r->kind;
    if (r->kind != WEFT_R2R)
        return true;
    if (rank && !r->r2r)
        return refuse(NULL, "the kinds are NULL");
    bool alike = true;
    for (int i = 0; i < rank; i++) {
        int kind = (int)r->r2r[i];
        if (kind < FFTW_R2HC || kind > FFTW_RODFT11)
            return refuse(NULL, "a kind is none");
        if (kind == FFTW_REDFT00 && p->dims[i].n < 2)
            return refuse(NULL, "REDFT00 of fewer than 2 samples");
        p->kinds[i] = (weft_kind)(WEFT_R2HC + kind); /* in the same order */
        alike = alike && p->kinds[i] == p->kinds[0];
    }
    if (alike) {
        p->kind = rank ? p->kinds[0] : WEFT_R2HC;
        memset(p->kinds, 0, sizeof p->kinds);
    }
    return true;
}

/* Of the first `droppable` those of length 1 are left out.  Strides of 0 everywhere
 * would be weft's packed default. */
static bool add_dims(weft_dim *to, int32_t *count, const weft_dim *from,
                     int from_count, int droppable)
{
    for (int i = 0; i < from_count; i++) {
        if (i < droppable && from[i].n == 1)
            continue;
        if (*count == WEFT_MAX_RANK)
            return refuse(NULL, "more than 32 dimensions");
        to[(*count)++] = from[i];
    }
    return true;
}

static bool is_empty(const weft_problem *p)
{
    for (int i = 0; i < p->batch_rank; i++)
        if (p->batch[i].n == 0)
            return true;
    return false;
}

/* A single sample, real to complex or back, is the transform of length 1.  So is a
 * last dimension of 1, and some real kinds multiply one sample. */
static bool set_dims(weft_problem *p, const shape *s, weft_kind kind)
{
    const int droppable = kind == WEFT_C2C   ? s->rank
                          : kind == WEFT_R2R ? 0
                                             : s->rank - 1;
    if (!add_dims(p->dims, &p->rank, s->dims, s->rank, droppable) ||
        !add_dims(p->batch, &p->batch_rank, s->batch, s->batch_rank,
                  s->batch_rank))
        return false;
    if (p->rank == 0 && (kind == WEFT_R2C || kind == WEFT_C2R)) {
        p->dims[0] = (weft_dim){1, 1, 1};
        p->rank = 1;
    }
    for (int i = 0; i < s->rank; i++)
        if (s->dims[i].n < 1)
            return refuse(NULL, "a length is below 1");
    for (int i = 0; i < p->rank + p->batch_rank && !is_empty(p); i++) {
        const weft_dim *d = i < p->rank ? &p->dims[i] : &p->batch[i - p->rank];
        if (d->n > 1 && d->os == 0)
            return refuse(NULL, "an output stride is 0");
    }
    return true;
}

/* In place: each array given is the same on both sides. */
static bool in_place(const arrays *a)
{
    return a->in[0] == a->out[0] &&
           (a->in[1] == a->out[1] || !a->in[1] || !a->out[1]);
}

/* Split arrays shared by the two sides, but not as in place means it. */
static bool is_tangled(const request *r)
{
    const arrays *a = &r->at;
    if (r->layout != WEFT_SPLIT || (r->kind == WEFT_C2C && in_place(a)))
        return false;
    return a->in[0] == a->out[0] || a->in[0] == a->out[1] ||
           (a->in[1] && (a->in[1] == a->out[0] || a->in[1] == a->out[1]));
}

static bool problem_of(weft_problem *p, const shape *s, const request *r)
{
    int count = planner_threads();
    if (r->at.out[0] && r->at.out[0] == r->at.out[1])
        return refuse(NULL, "re and im of the output are one array");
    *p = (weft_problem){.size = sizeof *p,
                        .type = REAL_TYPE,
                        .layout = r->layout,
                        .threads = count < MOST_THREADS ? count
                                                        : MOST_THREADS};
    p->place = in_place(&r->at) && !is_tangled(r) ? WEFT_IN_PLACE
                                                  : WEFT_OUT_OF_PLACE;
    if (!set_dims(p, s, r->kind) || !set_sign(p, r) ||
        !set_kinds(p, r, s->rank))
        return false;
    return true;
}

/* ---- The plan ----------------------------------------------------------- */

static weft_plan *find_or_make(const weft_problem *problem, unsigned flags)
{
    const double seconds = seconds_of(flags);
    weft_plan *plan = cache_find(problem, seconds);
    if (plan)
        return plan;
    const weft_plan_options options = {
        .size = sizeof options,
        .effort = seconds > 0 ? WEFT_MEASURE : WEFT_MODEL,
        .time_limit = seconds,
        .wisdom_only = (flags & FFTW_WISDOM_ONLY) != 0};
    if (weft_plan_create(problem, &options, &plan) != WEFT_OK) {
        refuse(problem, weft_error_text());
        return NULL;
    }
    weft_plan_info info = {.size = sizeof info};
    const bool timed = weft_plan_get_info(plan, &info) == WEFT_OK &&
                       info.timed;
    cache_insert(problem, timed ? seconds : 0, plan);
    return plan;
}

handle *plan_make(const shape *s, const request *r)
{
    weft_problem problem;
    stage *copied = NULL;
    weft_plan *plan = NULL;
    if (!problem_of(&problem, s, r) ||
        (is_tangled(r) && !(copied = stage_new(&problem))))
        return NULL;
    plan = find_or_make(&problem, r->flags);
    handle *h = plan ? handle_new(plan) : NULL;
    if (!h) {
        weft_plan_release(plan);
        stage_free(copied);
        return NULL;
    }
    h->at = r->at;
    h->split = r->layout == WEFT_SPLIT;
    h->stage = copied;
    return h;
}

handle *plan_guru(int rank, const iodim *dims, int batch_rank,
                  const iodim *batch, request r)
{
    shape s;
    if (!shape_of_guru(&s, rank, dims, batch_rank, batch))
        return NULL;
    return plan_make(&s, &r);
}

handle *plan_guru64(int rank, const iodim64 *dims, int batch_rank,
                    const iodim64 *batch, request r)
{
    shape s;
    if (!shape_of_guru64(&s, rank, dims, batch_rank, batch))
        return NULL;
    return plan_make(&s, &r);
}
