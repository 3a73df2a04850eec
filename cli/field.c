/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a problem: see field.h. */
#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems.h"

enum { PATTERN = 0xA5 };

static const weft_dim *dim_at(const weft_problem *problem, int d)
{
    return d < problem->batch_rank ? &problem->batch[d]
                                   : &problem->dims[d - problem->batch_rank];
}

/* Walks the elements of a problem in packed order. */
typedef struct walk {
    const weft_problem *problem;
    int last;          /* the innermost dimension, -1: there is none */
    int64_t n, is, os; /* its own */
    int64_t index[2 * WEFT_MAX_RANK];
    int64_t at, in, out;
} walk;

static walk walk_begin(const weft_problem *problem)
{
    walk w = {.problem = problem,
              .last = problem->batch_rank + problem->rank - 1};
    if (w.last >= 0) {
        const weft_dim *inner = dim_at(problem, w.last);
        w.n = inner->n;
        w.is = inner->is;
        w.os = inner->os;
    }
    return w;
}

/* Innermost first, the rest where that has come to its end. */
static void walk_outwards(walk *w)
{
    for (int d = w->last; d >= 0; d--) {
        const weft_dim *dim = dim_at(w->problem, d);
        if (d < w->last) {
            w->in += dim->is;
            w->out += dim->os;
            w->index[d]++;
        }
        if (w->index[d] < dim->n)
            return;
        w->index[d] = 0;
        w->in -= dim->is * dim->n;
        w->out -= dim->os * dim->n;
    }
}

static inline void walk_next(walk *w)
{
    w->at++;
    if (w->last < 0)
        return;
    w->in += w->is;
    w->out += w->os;
    if (++w->index[w->last] == w->n)
        walk_outwards(w);
}

/* Is this element stored on a halved side? */
static bool in_first_half(const walk *w)
{
    const weft_problem *p = w->problem;
    return p->rank == 0 ||
           w->index[p->batch_rank + p->rank - 1] <= p->dims[p->rank - 1].n / 2;
}

/* Packed position of frequency -k. */
static int64_t mirrored(const walk *w)
{
    const weft_problem *p = w->problem;
    int64_t at = 0;
    for (int d = 0; d < p->batch_rank + p->rank; d++) {
        int64_t n = dim_at(p, d)->n, i = w->index[d];
        at = at * n + (d < p->batch_rank || i == 0 ? i : n - i);
    }
    return at;
}

typedef enum side { INPUT, OUTPUT } side;

static bool is_real(const weft_problem *problem, side where)
{
    return problem_is_r2r(problem) ||
           problem->kind == (where == INPUT ? WEFT_R2C : WEFT_C2R);
}

static bool is_half(const weft_problem *problem, side where)
{
    return problem->kind == (where == INPUT ? WEFT_C2R : WEFT_R2C);
}

static size_t real_bytes(const weft_problem *problem)
{
    return problem->type == WEFT_F32 ? 4 : 8;
}

static size_t element_bytes(const weft_problem *problem, side where)
{
    bool two = problem->layout != WEFT_SPLIT && !is_real(problem, where);
    return (two ? 2 : 1) * real_bytes(problem);
}

static bool range_bytes(int64_t low, int64_t high, size_t element,
                        size_t *bytes)
{
    if (low < -(INT64_MAX / 64) || high > INT64_MAX / 64)
        return false;
    *bytes = (size_t)(high - low + 1) * element;
    return true;
}

/* Samples that a processor may still be storing when it is called with them again:
 * few, and none far from the others. */
static bool goes_in_turn(const field *self)
{
    enum { SHORT = 64 };
    const weft_problem *p = &self->problem;
    return p->place == WEFT_IN_PLACE && p->layout == WEFT_INTERLEAVED &&
           self->in_bytes <= SHORT * 2 * real_bytes(p);
}

static int allocate(field *self, size_t offset)
{
    enum { LINE = 64 };
    bool split = self->problem.layout == WEFT_SPLIT;
    bool in_place = self->problem.place == WEFT_IN_PLACE;
    size_t apart = goes_in_turn(self)
                       ? (self->in_bytes + LINE - 1) / LINE * LINE
                       : 0;
    size_t in_bytes = self->in_bytes + (RING - 1) * apart;
    char *at[2][2] = {{NULL, NULL}, {NULL, NULL}};
    for (int part = 0; part < (split ? 2 : 1); part++) {
        self->in[part] = weft_alloc(in_bytes + offset);
        self->out[part] = in_place ? self->in[part]
                                   : weft_alloc(self->out_bytes + offset);
        if (!self->in[part] || !self->out[part])
            return fail(CODE_LIBRARY, "no memory for %zu bytes",
                        self->in_bytes + self->out_bytes);
        memset(self->in[part], 0, in_bytes + offset);
        memset(self->out[part], 0, self->out_bytes + offset);
        at[0][part] = (char *)self->in[part] + offset -
                      self->in_low * (int64_t)self->in_element;
        at[1][part] = (char *)self->out[part] + offset -
                      self->out_low * (int64_t)self->out_element;
    }
    self->at = (samples){at[0][0], at[0][1], at[1][0], at[1][1], apart};
    return CODE_OK;
}

/* One block for both sides, counted in the smaller of their elements. */
static void share_block(field *self)
{
    weft_extent *e = &self->extent;
    int64_t in = self->in_element > self->out_element ? 2 : 1;
    int64_t out = self->out_element > self->in_element ? 2 : 1;
    e->in_low *= in;
    e->in_high = e->in_high * in + in - 1;
    e->out_low *= out;
    e->out_high = e->out_high * out + out - 1;
    e->in_low = e->out_low = e->in_low < e->out_low ? e->in_low : e->out_low;
    e->in_high = e->out_high = e->in_high > e->out_high ? e->in_high
                                                        : e->out_high;
    self->in_element = self->out_element = in > 1 ? self->out_element
                                                  : self->in_element;
}

/* Elements a dimension has in the input. */
static int64_t input_length(const weft_problem *p, int d)
{
    int64_t n = dim_at(p, d)->n;
    bool halved = is_half(p, INPUT) && d == p->batch_rank + p->rank - 1;
    return halved ? n / 2 + 1 : n;
}

/* Each stride is longer than all that shorter ones span: that is enough for
 * every element to have a place of its own. */
static bool is_apart(const weft_problem *p)
{
    for (int d = 0; d < p->batch_rank + p->rank; d++) {
        int64_t step = llabs(dim_at(p, d)->is), span = 0;
        for (int e = 0; e < p->batch_rank + p->rank; e++) {
            int64_t other = llabs(dim_at(p, e)->is);
            if (other < step || (other == step && e < d))
                span += (input_length(p, e) - 1) * other;
        }
        if (input_length(p, d) > 1 && span >= step)
            return false;
    }
    return true;
}

static int find_overlaps(field *self)
{
    const weft_problem *p = &self->problem;
    if (self->count == 0 || p->place == WEFT_IN_PLACE || is_apart(p))
        return CODE_OK;
    size_t elements = self->in_bytes / self->in_element;
    unsigned char *seen = weft_alloc(elements);
    if (!seen)
        return fail(CODE_LIBRARY, "no memory for %zu bytes", elements);
    memset(seen, 0, elements);
    walk w = walk_begin(p);
    for (; w.at < self->count && !self->overlaps; walk_next(&w)) {
        if (is_half(p, INPUT) && !in_first_half(&w))
            continue;
        self->overlaps = seen[w.in - self->in_low];
        seen[w.in - self->in_low] = 1;
    }
    weft_free(seen);
    return CODE_OK;
}

int field_open_at(field *self, const weft_problem *problem, int64_t offset)
{
    *self = (field){.problem = *problem};
    weft_extent *e = &self->extent;
    if (offset % real_bytes(problem) != 0)
        return fail(CODE_USAGE,
                    "an offset of %lld bytes is no whole number of %s",
                    (long long)offset,
                    problem->type == WEFT_F64 ? "f64" : "f32");
    if (weft_problem_extent(problem, e))
        return fail_library("the problem's extent");
    self->count = problem_size(problem) * problem_batch(problem);
    self->in_element = element_bytes(problem, INPUT);
    self->out_element = element_bytes(problem, OUTPUT);
    if (problem->place == WEFT_IN_PLACE)
        share_block(self);
    self->in_low = e->in_low;
    self->out_low = e->out_low;
    if (!range_bytes(e->in_low, e->in_high, self->in_element,
                     &self->in_bytes) ||
        !range_bytes(e->out_low, e->out_high, self->out_element,
                     &self->out_bytes))
        return fail(CODE_LIBRARY, "the problem's memory does not fit");
    int code = allocate(self, (size_t)offset);
    if (!code)
        code = find_overlaps(self);
    if (code)
        field_close(self);
    return code;
}

int field_open(field *self, const weft_problem *problem)
{
    return field_open_at(self, problem, 0);
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

/* Numbers of one side's arrays; a real has no imaginary part. */
typedef struct reals {
    bool f32, real;
    void *re, *im;
    int64_t step; /* reals from one element to the next */
} reals;

static reals side_of(const field *self, side where)
{
    const weft_problem *p = &self->problem;
    const samples *at = &self->at;
    bool split = p->layout == WEFT_SPLIT, real = is_real(p, where);
    char *re = where == INPUT ? at->in_re : at->out_re;
    void *im = where == INPUT ? at->in_im : at->out_im;
    return (reals){.f32 = p->type == WEFT_F32,
                   .real = real,
                   .re = re,
                   .im = split ? im : re + real_bytes(p),
                   .step = split || real ? 1 : 2};
}

static void put(const reals *r, int64_t at, const double *z)
{
    for (int part = 0; part < (r->real ? 1 : 2); part++) {
        void *base = part ? r->im : r->re;
        if (r->f32)
            ((float *)base)[at * r->step] = (float)z[part];
        else
            ((double *)base)[at * r->step] = z[part];
    }
}

static void get(const reals *r, int64_t at, double *z)
{
    z[1] = 0;
    for (int part = 0; part < (r->real ? 1 : 2); part++) {
        const void *base = part ? r->im : r->re;
        z[part] = r->f32 ? ((const float *)base)[at * r->step]
                         : ((const double *)base)[at * r->step];
    }
}

/* What is missing of a halved side, from what is there. */
static void mirror(const field *self, double *packed)
{
    walk w = walk_begin(&self->problem);
    for (; w.at < self->count; walk_next(&w)) {
        int64_t from = mirrored(&w);
        if (from >= w.at)
            continue;
        packed[2 * w.at] = packed[2 * from];
        packed[2 * w.at + 1] = -packed[2 * from + 1];
    }
}

int field_checkable(const field *self, const char *text)
{
    if (!self->overlaps || !is_half(&self->problem, INPUT))
        return CODE_OK;
    return fail(CODE_LIBRARY,
                "'%s': elements of its input overlap, which cannot be checked "
                "for c2r",
                text);
}

/* Of numbers for one element the last is what all become. */
static void read_back(const field *self, double *packed)
{
    reals in = side_of(self, INPUT);
    walk w = walk_begin(&self->problem), again = w;
    for (; w.at < self->count; walk_next(&w))
        put(&in, w.in, packed + 2 * w.at);
    for (; again.at < self->count; walk_next(&again))
        get(&in, again.in, packed + 2 * again.at);
}

void field_project(const field *self, double *packed)
{
    if (is_real(&self->problem, INPUT))
        for (int64_t i = 0; i < self->count; i++)
            packed[2 * i + 1] = 0;
    if (self->overlaps && !is_half(&self->problem, INPUT))
        read_back(self, packed);
    if (!is_half(&self->problem, INPUT))
        return;
    walk w = walk_begin(&self->problem);
    for (; w.at < self->count; walk_next(&w))
        if (mirrored(&w) == w.at)
            packed[2 * w.at + 1] = 0;
    mirror(self, packed);
}

void field_load(field *self, const double *packed)
{
    if (self->out[0] != self->in[0])
        for (int part = 0; part < 2 && self->out[part]; part++)
            memset(self->out[part], PATTERN, self->out_bytes);
    reals in = side_of(self, INPUT);
    walk w = walk_begin(&self->problem);
    for (; w.at < self->count; walk_next(&w))
        if (!is_half(w.problem, INPUT) || in_first_half(&w))
            put(&in, w.in, packed + 2 * w.at);
}

void field_result(const field *self, double *packed)
{
    reals out = side_of(self, OUTPUT);
    bool half = is_half(&self->problem, OUTPUT);
    walk w = walk_begin(&self->problem);
    for (; w.at < self->count; walk_next(&w)) {
        if (!half || in_first_half(&w))
            get(&out, w.out, packed + 2 * w.at);
        else
            packed[2 * w.at] = packed[2 * w.at + 1] = NAN;
    }
    /* Where both k and -k are stored, both must be right: only what is not
     * stored is mirrored. */
    walk m = walk_begin(&self->problem);
    for (; half && m.at < self->count; walk_next(&m)) {
        if (in_first_half(&m))
            continue;
        int64_t from = mirrored(&m);
        packed[2 * m.at] = packed[2 * from];
        packed[2 * m.at + 1] = -packed[2 * from + 1];
    }
}

bool field_input_intact(const field *self, const double *packed)
{
    reals in = side_of(self, INPUT);
    walk w = walk_begin(&self->problem);
    for (; w.at < self->count; walk_next(&w)) {
        double z[2];
        if (is_half(w.problem, INPUT) && !in_first_half(&w))
            continue;
        get(&in, w.in, z);
        if (z[0] != packed[2 * w.at] || z[1] != packed[2 * w.at + 1])
            return false;
    }
    return true;
}

bool field_gaps_intact(const field *self, reason *why)
{
    if (self->out[0] == self->in[0])
        return true;
    size_t element = self->out_element, elements = self->out_bytes / element;
    unsigned char *touched = weft_alloc(elements);
    if (!touched) {
        because(why, "no memory to look at the gaps");
        return false;
    }
    memset(touched, 0, elements);
    walk w = walk_begin(&self->problem);
    for (; w.at < self->count; walk_next(&w))
        if (!is_half(w.problem, OUTPUT) || in_first_half(&w))
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
