/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * once.c - all axes of a few numbers at once: a block of memory times the matrix
 * of the whole transform.
 */
#include "cpu/axis.h"
#include "cpu/definition.h"
#include "cpu/walker.h"

typedef struct whole {
    const wf_problem *problem;
    wf_roots_table roots;              /* complex: of all n together, */
    wf_definition kind[WEFT_MAX_RANK]; /* or of each axis */
} whole;

/* The index in one dimension of an element of a block. */
static int64_t index_of(const wf_problem *p, int axis, wf_side side,
                        int64_t element)
{
    const weft_dim *d = &p->dim[axis];
    return element / (side == WF_INPUT ? d->is : d->os) %
           wf_dim_length(p, axis, side);
}

/* The factor of the input's element from in the output's element to. */
static void root_of(const whole *w, int64_t from, int64_t to, double *re,
                    double *im)
{
    const wf_problem *p = w->problem;
    const int last = p->rank - 1;
    double scale = p->scale;
    int64_t turns = 0;
    for (int i = 0; i < p->rank; i++) {
        const int64_t j = index_of(p, i, WF_INPUT, from),
                      k = index_of(p, i, WF_OUTPUT, to), n = p->dim[i].n;
        turns += j * k % n * (w->roots.n / n);
        if (p->kind == WEFT_C2R && i == last && j > 0 && 2 * j != n)
            scale *= 2; /* and its mirror image */
    }
    const double *root = w->roots.re_im + 2 * (turns % w->roots.n);
    *re = scale * root[0];
    *im = scale * root[1];
}

static double entry(const void *what, int64_t j, int64_t k)
{
    const whole *w = what;
    const wf_problem *p = w->problem;
    double re = p->scale, im = 0;
    for (int i = 0; i < p->rank && p->kind == WEFT_R2R; i++)
        re *= wf_definition_entry(&w->kind[i], index_of(p, i, WF_INPUT, j),
                                  index_of(p, i, WF_OUTPUT, k));
    if (p->kind == WEFT_R2R)
        return re;
    const int in = wf_side_scalars(p, WF_INPUT),
              out = wf_side_scalars(p, WF_OUTPUT);
    const int from = (int)(j % in), to = (int)(k % out); /* re or im */
    root_of(w, j / in, k / out, &re, &im);
    return from == to ? re : from ? -im : im;
}

static weft_status make(const wf_binder *binder, const wf_problem *p, whole *w)
{
    const wf_usage usage = {.scale = 1, .ortho = p->ortho};
    weft_status status = WEFT_OK;
    int64_t n = 1;
    *w = (whole){.problem = p};
    for (int i = 0; i < p->rank; i++)
        n *= p->dim[i].n;
    if (p->kind != WEFT_R2R)
        return wf_roots_make(n, binder->inverse, &w->roots);
    for (int i = 0; i < p->rank && status == WEFT_OK; i++)
        status = wf_definition_make(p->kinds[i], p->dim[i].n, &usage,
                                    &w->kind[i]);
    return status;
}

static int reals(const wf_problem *p, wf_side side)
{
    int64_t count = wf_side_scalars(p, side);
    for (int i = 0; i < p->rank; i++)
        count *= wf_dim_length(p, i, side);
    return (int)count;
}

weft_status wf_bind_once(const wf_binder *binder, const wf_problem *problem,
                         wf_node **node)
{
    whole w;
    *node = NULL;
    weft_status status = make(binder, problem, &w);
    if (status == WEFT_OK)
        status = wf_bind_matrix_of(binder, reals(problem, WF_INPUT),
                                   reals(problem, WF_OUTPUT), entry, &w, node);
    wf_roots_drop(&w.roots);
    for (int i = 0; i < problem->rank; i++)
        wf_definition_drop(&w.kind[i]);
    if (status != WEFT_OK || problem->loops == 0)
        return status;
    wf_walk walk = {.loops = problem->loops,
                    .in_scalars = wf_side_scalars(problem, WF_INPUT),
                    .out_scalars = wf_side_scalars(problem, WF_OUTPUT)};
    for (int i = 0; i < problem->loops; i++)
        walk.loop[i] = problem->loop[i];
    return wf_bind_rows_of(binder, &walk, *node, node);
}
