/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage.c - split transforms whose input and output share an array in a way
 * that is not plainly in place: real to complex onto re, complex to real onto
 * either part, re of one side as im of the other.  No program is known that
 * needs them to be fast; FFTW has plans for them, so they have to be right.
 * The input is copied to memory of its own and transformed from there.
 */
#include "compat.h"

#include <stdlib.h>

struct stage {
    int axes, parts;
    size_t count; /* elements of a part */
    int64_t n[2 * WEFT_MAX_RANK], stride[2 * WEFT_MAX_RANK];
};

static weft_dim *axis_of(weft_problem *p, int i)
{
    return i < p->batch_rank ? &p->batch[i] : &p->dims[i - p->batch_rank];
}

/* What the input has along an axis: of the halved one, n/2 + 1. */
static int64_t input_count(weft_problem *p, int i)
{
    int64_t n = axis_of(p, i)->n;
    bool halved = p->kind == WEFT_C2R && i == p->batch_rank + p->rank - 1;
    return halved ? n / 2 + 1 : n;
}

/* Row-major, the batch outermost; the problem is left with the strides of the
 * copy.  NULL: no memory, or sizes and strides that no array has. */
stage *stage_new(weft_problem *p)
{
    int64_t step = 1;
    stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->axes = p->batch_rank + p->rank;
    s->parts = p->kind == WEFT_R2C ? 1 : 2;
    for (int i = s->axes - 1; i >= 0; i--) {
        int64_t n = input_count(p, i), is = axis_of(p, i)->is;
        s->n[i] = n;
        s->stride[i] = is;
        axis_of(p, i)->is = step;
        if (n < 0 ||
            (n > 0 && (step > INT64_MAX / 64 / n || is > INT64_MAX / 64 / n ||
                       is < INT64_MIN / 64 / n))) {
            free(s);
            return NULL;
        }
        step *= s->n[i];
    }
    s->count = (size_t)step;
    return s;
}

void stage_free(stage *s)
{
    free(s);
}

static void copy_in(const stage *s, const real *from, real *to)
{
    int64_t index[2 * WEFT_MAX_RANK] = {0};
    for (size_t k = 0; k < s->count; k++) {
        to[k] = *from;
        for (int i = s->axes - 1; i >= 0; i--) {
            from += s->stride[i];
            if (++index[i] < s->n[i])
                break;
            from -= s->stride[i] * s->n[i];
            index[i] = 0;
        }
    }
}

bool stage_execute(const stage *s, const weft_plan *plan, const real *ri,
                   const real *ii, real *ro, real *io)
{
    if (s->parts == 2 && !ii)
        return false;
    real *copy = malloc(((size_t)s->parts * s->count + 1) * sizeof *copy);
    if (!copy)
        return false;
    copy_in(s, ri, copy);
    if (s->parts == 2)
        copy_in(s, ii, copy + s->count);
    bool done = weft_execute_split(plan, copy,
                                   s->parts == 2 ? copy + s->count : NULL, ro,
                                   io) == WEFT_OK;
    free(copy);
    return done;
}
