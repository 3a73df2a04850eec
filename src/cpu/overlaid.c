/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlaid.c - C2R of several axes out of place, whose complex axes end in the output.
 *
 * The n reals of an output row are the place of n/2 complex numbers: all of a half
 * spectrum but its last one.  Those of all rows are a row of their own, in scratch.
 * So two arrays come through the caches where packed scratch for all is a third.  A
 * few rows at a time are put together, and transformed to where they were.
 */
#include "cpu/walker.h"

#include <string.h>

/* Children: `axes` of all columns but the last, as many of that one, and the rows. */
typedef struct overlaid {
    wf_node node;
    int axes;
    size_t last; /* scalars from the first column to the last */
    size_t side; /* bytes of that in scratch */
} overlaid;

typedef struct rows {
    wf_walker walker;
    size_t n;   /* reals of a row */
    size_t row; /* scalars from one to the next where they are put together */
    int64_t some;  /* rows at a time */
    size_t buffer; /* bytes of those */
} rows;

/* Rows of the output, which the walk writes, and numbers that it reads. */
static void run_rows(const wf_walker *walker, const wf_samples *at,
                     char *scratch, int64_t count)
{
    const rows *r = (const rows *)walker;
    const size_t bytes = walker->node.bytes;
    const ptrdiff_t row = (ptrdiff_t)r->row;
    const wf_loop *inner = &walker->inner;
    wf_samples here = *at;
    for (int64_t some; count > 0; count -= some) {
        some = count < r->some ? count : r->some;
        for (int64_t i = 0; i < some; i++) {
            char *whole = wf_to(scratch, i * row, bytes);
            memcpy(whole, wf_at(here.out_re, i * inner->os, bytes),
                   r->n * bytes);
            memcpy(whole + r->n * bytes,
                   wf_at(here.in_re, i * inner->is, bytes), 2 * bytes);
        }
        const wf_samples there = {scratch, NULL, here.out_re, NULL};
        wf_rows_run(walker->node.child[0], &there, row, inner->os, some,
                    scratch + r->buffer);
        here = wf_samples_at(&here, some * inner->is, some * inner->os, bytes);
    }
}

static wf_samples of_one(const void *in, void *out, size_t bytes)
{
    return (wf_samples){in, wf_at(in, 1, bytes), out, wf_to(out, 1, bytes)};
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const overlaid *o = (const overlaid *)node;
    char *below = scratch + o->side;
    const void *in = at->in_re;
    for (int part = 0; part < 2; part++) {
        void *out = part == 0 ? at->out_re : scratch;
        wf_samples axis = of_one(in, out, node->bytes);
        for (int i = 0; i < o->axes; i++) {
            const wf_node *child = node->child[part * o->axes + i];
            child->run(child, &axis, below);
            axis = of_one(out, out, node->bytes);
        }
        in = wf_at(in, (ptrdiff_t)o->last, node->bytes);
    }
    const wf_samples all = of_one(scratch, at->out_re, node->bytes);
    node->child[2 * o->axes]->run(node->child[2 * o->axes], &all, below);
}

/* Where a second cache of 2 MiB does not hold the three arrays; smaller ones lose by
 * the column that is left, and by rows copied (c2r:f64 256x256 in slices 0.84 of the
 * speed, f32 384x384 0.77). */
bool wf_is_overlaid(const wf_problem *problem, const wf_step *rank)
{
    enum { LEAST_BYTES = 3 << 19 };
    const int last = problem->rank - 1;
    bool fits = !problem->split && !problem->in_place &&
                wf_problem_bytes(problem) >= LEAST_BYTES &&
                rank->children == problem->rank &&
                2 * last + 1 <= WF_NODE_CHILDREN &&
                problem->loops < WEFT_MAX_RANK && /* columns are one more */
                problem->dim[last].n % 2 == 0 && problem->dim[last].is == 1 &&
                problem->dim[last].os == 1;
    for (int i = 0; i < last; i++)
        fits = fits && problem->dim[i].os % 2 == 0;
    for (int i = 0; i < problem->loops; i++)
        fits = fits && problem->loop[i].os % 2 == 0;
    for (int i = 0; i <= last && fits; i++) {
        const wf_step *axis = rank->child[i];
        fits = i < last ? axis->kind == WF_STEP_COLS &&
                              wf_step_is_column(axis->child[0])
                        : axis->kind == WF_STEP_ROWS ||
                              axis->kind == WF_STEP_STREAMED;
    }
    return fits;
}

/* The complex axes of `columns` numbers of each row; apart: in rows of one. */
static wf_problem columns_of(const wf_problem *problem, int64_t columns,
                             bool apart)
{
    wf_problem part = *problem;
    int64_t stride = 1;
    part.kind = WEFT_C2C;
    part.scale = 1;
    part.rank--;
    for (int i = part.rank - 1; i >= 0; i--) {
        part.dim[i].os = apart ? stride : part.dim[i].os / 2;
        stride *= part.dim[i].n;
    }
    for (int i = part.loops - 1; i >= 0; i--) {
        part.loop[i].os = apart ? stride : part.loop[i].os / 2;
        stride *= part.loop[i].n;
    }
    part.loop[part.loops++] = (weft_dim){columns, 1, 1};
    part.total = stride * columns;
    return part;
}

static weft_status bind_columns(const wf_binder *binder,
                                const wf_problem *part, const wf_step *rank,
                                int carrier, double scale, overlaid *o)
{
    wf_course course;
    wf_course_of(part, &course);
    for (int i = 0; i < o->axes; i++) {
        wf_node *child;
        weft_status status = wf_bind_axis(binder, &course, rank->child[i],
                                          i == 0, i == carrier ? scale : 1,
                                          &child);
        if (status != WEFT_OK)
            return status;
        wf_node_adopt(&o->node, child);
    }
    return WEFT_OK;
}

static weft_status bind_rows(const wf_binder *binder,
                             const wf_problem *problem,
                             const wf_problem *apart, const wf_step *step,
                             double scale, overlaid *o)
{
    enum { SOME_BYTES = 8 << 10 };
    rows *r = (rows *)wf_node_new(binder, sizeof *r, wf_walker_run);
    if (r == NULL)
        return wf_no_memory();
    wf_walker *walker = &r->walker;
    wf_walk walk = {.count = 1, .in_scalars = 2, .out_scalars = 1};
    for (int i = 0; i < problem->loops; i++)
        walk.loop[walk.loops++] = (weft_dim){problem->loop[i].n,
                                             apart->loop[i].os,
                                             problem->loop[i].os};
    for (int i = 0; i < o->axes; i++)
        walk.loop[walk.loops++] = (weft_dim){problem->dim[i].n,
                                             apart->dim[i].os,
                                             problem->dim[i].os};
    wf_merge_loops(walk.loop, &walk.loops);
    wf_axis_split_loops(&walk, wf_axis_longest_loop(&walk), &walker->outer,
                        &walker->inner);
    walker->run_block = run_rows;
    walker->threads = binder->threads;
    wf_walker_cut(walker, wf_walker_share(walker, WF_LEAF_LANES));
    r->n = (size_t)problem->dim[o->axes].n;
    const size_t row = wf_round64((r->n + 2) * binder->bytes);
    r->row = row / binder->bytes;
    r->some = wf_several(SOME_BYTES, row);
    r->buffer = (size_t)r->some * row;
    wf_node *child;
    weft_status status = wf_walker_bind(walker, binder, step->child[0],
                                        &(wf_usage){.scale = scale}, r->buffer,
                                        &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&o->node, child);
    return WEFT_OK;
}

weft_status wf_bind_overlaid(const wf_binder *binder,
                             const wf_problem *problem, const wf_step *rank,
                             int carrier, wf_node **node)
{
    overlaid *o = (overlaid *)wf_node_new(binder, sizeof *o, run);
    *node = NULL;
    if (o == NULL)
        return wf_no_memory();
    const int64_t half = problem->dim[problem->rank - 1].n / 2;
    const wf_problem all = columns_of(problem, half, false);
    const wf_problem last = columns_of(problem, 1, true);
    const double scale = problem->scale;
    o->axes = problem->rank - 1;
    o->last = (size_t)(2 * half);
    o->side = wf_round64((size_t)last.total * 2 * binder->bytes);
    weft_status status = bind_columns(binder, &all, rank, carrier, scale, o);
    if (status == WEFT_OK)
        status = bind_columns(binder, &last, rank, carrier, scale, o);
    if (status == WEFT_OK)
        status = bind_rows(binder, problem, &last, rank->child[o->axes],
                           carrier == o->axes ? scale : 1, o);
    if (status != WEFT_OK) {
        wf_node_free(&o->node);
        return status;
    }
    wf_node_grow_scratch(&o->node, o->side);
    *node = &o->node;
    return WEFT_OK;
}
