/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walker.c - see walker.h.
 */
#include "cpu/walker.h"

void wf_walker_cut(wf_walker *walker, int64_t block)
{
    walker->block = block;
    walker->blocks = (walker->inner.n + block - 1) / block;
}

void wf_walker_join(wf_walker *walker, int64_t few)
{
    const int64_t last = walker->inner.n -
                         (walker->blocks - 1) * walker->block;
    if (walker->blocks > 1 && last <= few)
        walker->blocks--;
}

int64_t wf_walker_share(const wf_walker *walker, int64_t unit)
{
    int64_t n = walker->inner.n;
    int64_t share = n / (4 * (int64_t)walker->threads) / unit * unit;
    return walker->threads <= 1 ? n : share < unit ? unit : share;
}

wf_loop wf_walker_planes(wf_walker *walker)
{
    wf_nest *outer = &walker->outer;
    if (walker->threads > 1 || outer->loops == 0)
        return (wf_loop){1, 0, 0};
    const wf_loop planes = outer->loop[--outer->loops];
    outer->count /= planes.n;
    return planes;
}

bool wf_walker_has_many(const wf_walker *walker)
{
    return walker->outer.count * walker->blocks > 1;
}

void wf_walker_set_plain(wf_walker *walker, wf_plain_run *run)
{
    if (!wf_walker_has_many(walker))
        walker->node.plain = (wf_plain){run, walker};
}

void wf_walker_set_plain_split(wf_walker *walker, wf_plain_split_run *run)
{
    if (!wf_walker_has_many(walker))
        walker->node.plain_split = (wf_plain_split){run, walker};
}

void wf_walker_finish(wf_walker *walker, wf_node *child, size_t slice)
{
    wf_node_adopt(&walker->node, child);
    walker->slice = slice;
    walker->node.scratch =
        slice * (size_t)(wf_walker_has_many(walker) ? walker->threads : 1);
}

weft_status wf_walker_bind(wf_walker *walker, const wf_binder *binder,
                           const wf_step *step, const wf_usage *usage,
                           size_t buffer, wf_node **node)
{
    wf_binder below = *binder;
    below.threads = wf_walker_has_many(walker) ? 1 : binder->threads;
    wf_node *child;
    weft_status status = wf_bind_transform(&below, step, usage, &child);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_finish(walker, child, buffer + child->scratch);
    *node = &walker->node;
    return WEFT_OK;
}

static void work(const wf_node *node, const wf_samples *at, char *scratch,
                 int64_t begin, int64_t end)
{
    const wf_walker *w = (const wf_walker *)node;
    wf_cursor cursor;
    wf_cursor_set(&w->outer, begin / w->blocks, &cursor);
    int64_t block = begin % w->blocks;
    for (int64_t unit = begin; unit < end; unit++) {
        const int64_t first = block * w->block;
        const bool last = block + 1 == w->blocks;
        wf_samples here = wf_samples_at(at, cursor.in + first * w->inner.is,
                                        cursor.out + first * w->inner.os,
                                        node->bytes);
        w->run_block(w, &here, scratch, last ? w->inner.n - first : w->block);
        if (++block == w->blocks) {
            block = 0;
            wf_cursor_next(&w->outer, &cursor);
        }
    }
}

void wf_walker_run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const wf_walker *w = (const wf_walker *)node;
    if (!wf_walker_has_many(w)) {
        w->run_block(w, at, scratch, w->inner.n);
        return;
    }
    wf_run_units(node, at, scratch, w->threads, w->outer.count * w->blocks,
                 w->slice, work);
}
