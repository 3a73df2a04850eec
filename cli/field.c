/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a problem: see field.h. */
#include "field.h"

#include <string.h>

#include "problems.h"

enum { PATTERN = 0xA5 };

/* Walks the elements of a problem in packed order. */
typedef struct walk {
    const weft_problem *problem;
    int64_t index[2 * WEFT_MAX_RANK];
    int64_t in, out;
} walk;

static const weft_dim *dim_at(const weft_problem *problem, int d)
{
    return d < problem->batch_rank ? &problem->batch[d]
                                   : &problem->dims[d - problem->batch_rank];
}

static void walk_next(walk *w)
{
    for (int d = w->problem->batch_rank + w->problem->rank - 1; d >= 0; d--) {
        const weft_dim *dim = dim_at(w->problem, d);
        w->in += dim->is;
        w->out += dim->os;
        if (++w->index[d] < dim->n)
            return;
        w->index[d] = 0;
        w->in -= dim->is * dim->n;
        w->out -= dim->os * dim->n;
    }
}

static size_t element_bytes(const weft_problem *problem)
{
    size_t real = problem->type == WEFT_F32 ? 4 : 8;
    return problem->layout == WEFT_SPLIT ? real : 2 * real;
}

static bool range_bytes(int64_t low, int64_t high, size_t element,
                        size_t *bytes)
{
    if (low < -(INT64_MAX / 64) || high > INT64_MAX / 64)
        return false;
    *bytes = (size_t)(high - low + 1) * element;
    return true;
}

static int allocate(field *self)
{
    bool split = self->problem.layout == WEFT_SPLIT;
    bool in_place = self->problem.place == WEFT_IN_PLACE;
    size_t element = element_bytes(&self->problem);
    char *at[2][2] = {{NULL, NULL}, {NULL, NULL}};
    for (int part = 0; part < (split ? 2 : 1); part++) {
        self->in[part] = weft_alloc(self->in_bytes);
        self->out[part] = in_place ? self->in[part]
                                   : weft_alloc(self->out_bytes);
        if (!self->in[part] || !self->out[part])
            return fail(CODE_LIBRARY, "no memory for %zu bytes",
                        self->in_bytes + self->out_bytes);
        memset(self->in[part], 0, self->in_bytes);
        memset(self->out[part], 0, self->out_bytes);
        at[0][part] = (char *)self->in[part] - self->in_low * (int64_t)element;
        at[1][part] = (char *)self->out[part] -
                      self->out_low * (int64_t)element;
    }
    self->at = (samples){at[0][0], at[0][1], at[1][0], at[1][1]};
    return CODE_OK;
}

int field_open(field *self, const weft_problem *problem)
{
    *self = (field){.problem = *problem};
    weft_extent *e = &self->extent;
    if (weft_problem_extent(problem, e))
        return fail_library("the problem's extent");
    self->count = problem_size(problem) * problem_batch(problem);
    if (problem->place == WEFT_IN_PLACE) {
        e->in_low = e->out_low = e->in_low < e->out_low ? e->in_low
                                                        : e->out_low;
        e->in_high = e->out_high = e->in_high > e->out_high ? e->in_high
                                                            : e->out_high;
    }
    self->in_low = e->in_low;
    self->out_low = e->out_low;
    size_t element = element_bytes(problem);
    if (!range_bytes(e->in_low, e->in_high, element, &self->in_bytes) ||
        !range_bytes(e->out_low, e->out_high, element, &self->out_bytes))
        return fail(CODE_LIBRARY, "the problem's memory does not fit");
    int code = allocate(self);
    if (code)
        field_close(self);
    return code;
}

void field_close(field *self)
{
    for (int part = 0; part < 2; part++) {
        if (self->out[part] != self->in[part])
            weft_free(self->out[part]);
        weft_free(self->in[part]);
        self->in[part] = self->out[part] = NULL;
    }
}

static void put(const weft_problem *problem, void *re, void *im, int64_t at,
                const double *z)
{
    bool split = problem->layout == WEFT_SPLIT;
    int64_t first = split ? at : 2 * at, second = split ? at : 2 * at + 1;
    void *other = split ? im : re;
    if (problem->type == WEFT_F32) {
        ((float *)re)[first] = (float)z[0];
        ((float *)other)[second] = (float)z[1];
    } else {
        ((double *)re)[first] = z[0];
        ((double *)other)[second] = z[1];
    }
}

static void get(const weft_problem *problem, const void *re, const void *im,
                int64_t at, double *z)
{
    bool split = problem->layout == WEFT_SPLIT;
    int64_t first = split ? at : 2 * at, second = split ? at : 2 * at + 1;
    const void *other = split ? im : re;
    if (problem->type == WEFT_F32) {
        z[0] = ((const float *)re)[first];
        z[1] = ((const float *)other)[second];
    } else {
        z[0] = ((const double *)re)[first];
        z[1] = ((const double *)other)[second];
    }
}

void field_load(field *self, const double *packed)
{
    if (self->out[0] != self->in[0])
        for (int part = 0; part < 2 && self->out[part]; part++)
            memset(self->out[part], PATTERN, self->out_bytes);
    walk w = {.problem = &self->problem};
    for (int64_t i = 0; i < self->count; i++, walk_next(&w))
        put(&self->problem, self->at.in_re, self->at.in_im, w.in,
            packed + 2 * i);
}

void field_result(const field *self, double *packed)
{
    walk w = {.problem = &self->problem};
    for (int64_t i = 0; i < self->count; i++, walk_next(&w))
        get(&self->problem, self->at.out_re, self->at.out_im, w.out,
            packed + 2 * i);
}

bool field_input_intact(const field *self, const double *packed)
{
    walk w = {.problem = &self->problem};
    for (int64_t i = 0; i < self->count; i++, walk_next(&w)) {
        double z[2];
        get(&self->problem, self->at.in_re, self->at.in_im, w.in, z);
        if (z[0] != packed[2 * i] || z[1] != packed[2 * i + 1])
            return false;
    }
    return true;
}

bool field_gaps_intact(const field *self, reason *why)
{
    if (self->out[0] == self->in[0])
        return true;
    size_t element = element_bytes(&self->problem);
    size_t elements = self->out_bytes / element;
    unsigned char *touched = weft_alloc(elements);
    if (!touched) {
        because(why, "no memory to look at the gaps");
        return false;
    }
    memset(touched, 0, elements);
    walk w = {.problem = &self->problem};
    for (int64_t i = 0; i < self->count; i++, walk_next(&w))
        touched[w.out - self->out_low] = 1;
    bool intact = true;
    for (size_t i = 0; i < elements * element && intact; i++) {
        for (int part = 0; part < 2 && self->out[part]; part++)
            if (!touched[i / element] &&
                ((unsigned char *)self->out[part])[i] != PATTERN)
                intact = false;
        if (!intact)
            because(why,
                    "element %lld of the output, which is none of the "
                    "problem's, was written",
                    (long long)(i / element) + (long long)self->out_low);
    }
    weft_free(touched);
    return intact;
}

weft_status field_execute(const field *self, const weft_plan *plan)
{
    const samples *at = &self->at;
    if (self->problem.layout == WEFT_SPLIT)
        return weft_execute_split(plan, at->in_re, at->in_im, at->out_re,
                                  at->out_im);
    return weft_execute(plan, at->in_re, at->out_re);
}

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void fill_random(double *packed, int64_t count, weft_type type, uint64_t seed)
{
    for (int64_t i = 0; i < 2 * count; i++) {
        double x = (double)(next_random(&seed) >> 11) * 0x1p-52 - 1;
        packed[i] = type == WEFT_F32 ? (float)x : x;
    }
}

double *packed_new(int64_t count)
{
    int64_t bytes;
    double *packed = NULL;
    if (checked_product(count, 16, &bytes))
        packed = weft_alloc(bytes ? (size_t)bytes : 1);
    if (!packed)
        fail(CODE_LIBRARY, "no memory for %lld complex numbers",
             (long long)count);
    return packed;
}
