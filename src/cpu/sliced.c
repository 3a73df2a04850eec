/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sliced.c - a batch in slices, which stay in the caches from axis to axis.
 *
 * Where a batch comes from memory and long rows are the first axis, these are
 * fetched some rows ahead (rows.c), and the output is made in a buffer, the same
 * for all slices of a thread, from where it goes past the caches.
 */
#include "cpu/stream.h"
#include "cpu/walker.h"

typedef struct sliced {
    wf_walker walker;
    wf_mover mover;
    size_t reals;  /* of a transform's output */
    size_t buffer; /* bytes of a slice's output; 0: it is made where it goes */
} sliced;

/* Child 1, where there is one, has the last slice, which is shorter. */
static void run_slice(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const sliced *s = (const sliced *)walker;
    const wf_node *child = walker->node.child[count < walker->block];
    if (s->buffer == 0) {
        child->run(child, at, scratch);
        return;
    }
    const wf_samples here = {at->in_re, at->in_im, scratch,
                             wf_to(scratch, 1, walker->node.bytes)};
    child->run(child, &here, scratch + s->buffer);
    WF_MOVE(&s->mover, stream, at->out_re, (const void *)scratch,
            (size_t)count * s->reals);
    wf_hand_settle();
}

static weft_status bind_slices(const wf_binder *binder,
                               const wf_problem *problem, const wf_step *step,
                               sliced *s)
{
    wf_walker *walker = &s->walker;
    const bool far = wf_stream_pays_in_slices(problem->kind == WEFT_C2C
                                                  ? 2 * problem->total
                                                  : problem->total,
                                              binder->bytes);
    const int64_t n = problem->loop[0].n, counts[] = {step->n, n % step->n};
    wf_binder below = *binder;
    size_t slice = 0;
    below.threads = walker->threads > 1 ? 1 : binder->threads;
    below.far = binder->far || far;
    below.ahead = wf_slices_stream(problem) && (binder->ahead || far);
    if (below.ahead && far && !problem->in_place)
        s->buffer = wf_round64((size_t)step->n * s->reals * binder->bytes);
    for (int i = 0; i < 2 && counts[i] > 0; i++) {
        wf_problem part;
        wf_node *child;
        wf_slice_of(problem, counts[i], &part);
        weft_status status = wf_bind_sequence(&below, &part, step->child[0],
                                              &child);
        if (status != WEFT_OK)
            return status;
        slice = child->scratch > slice ? child->scratch : slice;
        wf_walker_finish(walker, child, s->buffer + slice);
    }
    return WEFT_OK;
}

weft_status wf_bind_sliced(const wf_binder *binder, const wf_problem *problem,
                           const wf_step *step, wf_node **node)
{
    sliced *s = (sliced *)wf_node_new(binder, sizeof *s, wf_walker_run);
    *node = NULL;
    if (s == NULL)
        return wf_no_memory();
    wf_walker *walker = &s->walker;
    const weft_dim *outer = &problem->loop[0];
    const ptrdiff_t in = wf_side_scalars(problem, WF_INPUT),
                    out = wf_side_scalars(problem, WF_OUTPUT);
    walker->outer = (wf_nest){.count = 1};
    walker->inner = (wf_loop){outer->n, in * (ptrdiff_t)outer->is,
                              out * (ptrdiff_t)outer->os};
    /* of fewer slices than threads each is shared */
    walker->threads = outer->n < binder->threads * step->n ? 1
                                                           : binder->threads;
    walker->run_block = run_slice;
    wf_walker_cut(walker, step->n);
    s->mover = wf_mover_best(binder->real);
    s->reals = (size_t)walker->inner.os;
    weft_status status = bind_slices(binder, problem, step, s);
    if (status != WEFT_OK)
        wf_node_free(&walker->node);
    else
        *node = &walker->node;
    return status;
}
