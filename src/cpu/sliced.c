/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sliced.c - a batch in slices, which stay in the caches from axis to axis.
 */
#include "cpu/walker.h"

/* Child 1, where there is one, has the last slice, which is shorter. */
static void run_slice(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const wf_node *child = walker->node.child[count < walker->block];
    child->run(child, at, scratch);
}

static weft_status bind_slices(const wf_binder *binder,
                               const wf_problem *problem, const wf_step *step,
                               wf_walker *walker)
{
    const int64_t n = problem->loop[0].n, counts[] = {step->n, n % step->n};
    wf_binder below = *binder;
    size_t slice = 0;
    below.threads = 1;
    for (int i = 0; i < 2 && counts[i] > 0; i++) {
        wf_problem part;
        wf_node *child;
        wf_slice_of(problem, counts[i], &part);
        weft_status status = wf_bind_sequence(&below, &part, step->child[0],
                                              &child);
        if (status != WEFT_OK)
            return status;
        slice = child->scratch > slice ? child->scratch : slice;
        wf_walker_finish(walker, child, slice);
    }
    return WEFT_OK;
}

weft_status wf_bind_sliced(const wf_binder *binder, const wf_problem *problem,
                           const wf_step *step, wf_node **node)
{
    wf_walker *walker = (wf_walker *)wf_node_new(binder, sizeof *walker,
                                                 wf_walker_run);
    *node = NULL;
    if (walker == NULL)
        return wf_no_memory();
    const weft_dim *outer = &problem->loop[0];
    const ptrdiff_t in = wf_side_scalars(problem, WF_INPUT),
                    out = wf_side_scalars(problem, WF_OUTPUT);
    walker->outer = (wf_nest){.count = 1};
    walker->inner = (wf_loop){outer->n, in * (ptrdiff_t)outer->is,
                              out * (ptrdiff_t)outer->os};
    walker->threads = binder->threads;
    walker->run_block = run_slice;
    wf_walker_cut(walker, step->n);
    weft_status status = bind_slices(binder, problem, step, walker);
    if (status != WEFT_OK)
        wf_node_free(&walker->node);
    else
        *node = &walker->node;
    return status;
}
