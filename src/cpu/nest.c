/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nest.c - see nest.h.  The split over threads depends on nothing but the
 * counts, so results have the same bits for any number of threads.
 */
#include "cpu/nest.h"

void wf_nest_add(wf_nest *nest, weft_dim dim, int in_scalars, int out_scalars)
{
    if (nest->loops == 0)
        nest->count = 1;
    nest->loop[nest->loops++] = (wf_loop){dim.n,
                                          in_scalars * (ptrdiff_t)dim.is,
                                          out_scalars * (ptrdiff_t)dim.os};
    nest->count *= dim.n;
}

void wf_cursor_set(const wf_nest *nest, int64_t flat, wf_cursor *cursor)
{
    cursor->in = cursor->out = 0;
    for (int i = nest->loops - 1; i >= 0; i--) {
        const wf_loop *loop = &nest->loop[i];
        int64_t at = flat % loop->n;
        flat /= loop->n;
        cursor->index[i] = at;
        cursor->in += at * loop->is;
        cursor->out += at * loop->os;
    }
}

void wf_cursor_next(const wf_nest *nest, wf_cursor *cursor)
{
    for (int i = nest->loops - 1; i >= 0; i--) {
        const wf_loop *loop = &nest->loop[i];
        cursor->in += loop->is;
        cursor->out += loop->os;
        if (++cursor->index[i] < loop->n)
            return;
        cursor->in -= loop->n * loop->is;
        cursor->out -= loop->n * loop->os;
        cursor->index[i] = 0;
    }
}

typedef struct share {
    const wf_node *node;
    const wf_samples *at;
    char *scratch;
    int64_t parts, units;
    size_t slice;
    wf_work *work;
} share;

static void run_share(void *context, size_t index)
{
    const share *s = context;
    const wf_range r = wf_cut(s->units, (int64_t)index, s->parts);
    s->work(s->node, s->at, wf_to(s->scratch, (ptrdiff_t)index, s->slice),
            r.begin, r.end);
}

void wf_run_units(const wf_node *node, const wf_samples *at, char *scratch,
                  int threads, int64_t units, size_t slice, wf_work *work)
{
    if (threads <= 1 || units <= 1) {
        work(node, at, scratch, 0, units);
        return;
    }
    int64_t parts = threads < units ? threads : units;
    share s = {node, at, scratch, parts, units, slice, work};
    wf_parallel_for(threads, (size_t)parts, run_share, &s);
}
