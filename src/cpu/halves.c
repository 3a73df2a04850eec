/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halves.c - short halfcomplex transforms of even length one after the other: half
 * spectra of a block of them by the leaves of r2c and c2r, in a tile, and whole
 * registers from there, or to there, in halfcomplex order.
 *
 * Of one transform the registers would wait for the leaf's stores, and longer than
 * both take; of a block they do not.  All of a block is read before any of it is
 * written, so in place is safe.
 */
#include "cpu/move.h"
#include "cpu/walker.h"
#include "plan/dense.h"

typedef struct halves {
    wf_walker walker;
    wf_mover mover;
    wf_windows windows; /* but for how far apart rows are */
    int64_t n, some;    /* length; rows of a block */
    bool back;
} halves;

enum { WIDEST = 16 }; /* lanes of a register */

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *tile, int64_t count)
{
    const halves *h = (const halves *)walker;
    const wf_node *leaf = walker->node.child[0];
    const ptrdiff_t is = walker->inner.is, os = walker->inner.os,
                    half = (ptrdiff_t)h->n + 2;
    const void *in = at->in_re;
    void *out = at->out_re;
    for (int64_t left = count; left > 0; left -= h->some) {
        const size_t some = (size_t)(left < h->some ? left : h->some);
        if (h->back) {
            WF_MOVE(&h->mover, window_rows, (void *)tile, in, &h->windows,
                    some, is, half);
            wf_leaf_run_many(leaf, tile, out, some, half, os);
        } else {
            wf_leaf_run_many(leaf, in, tile, some, is, half);
            WF_MOVE(&h->mover, window_rows, out, (const void *)tile,
                    &h->windows, some, half, os);
        }
        in = wf_at(in, h->some * is, walker->node.bytes);
        out = wf_to(out, h->some * os, walker->node.bytes);
    }
}

/* Where number k of a halfcomplex vector is in its half spectrum; and back, -1: what
 * is read of nobody. */
static int64_t place_of(const halves *h, int64_t k)
{
    const int64_t n = h->n;
    if (!h->back)
        return k <= n / 2 ? 2 * k : 2 * (n - k) + 1;
    if (k % 2 == 0)
        return k / 2;
    return k == 1 || k == n + 1 ? -1 : n - k / 2;
}

/* Results `to` and after from the two vectors that hold what they are of. */
static void put_windows(halves *h, int64_t to, int64_t width, int64_t in,
                        double scale, char *table, int32_t from[2])
{
    const int words = (int)(h->walker.node.bytes / sizeof(uint32_t));
    const size_t vector = (size_t)width * h->walker.node.bytes;
    int64_t place[WIDEST], first[2] = {in - width, in - width};
    for (int64_t i = 0; i < width; i++) {
        place[i] = place_of(h, to + i);
        if (place[i] >= 0 && place[i] < first[0])
            first[0] = place[i];
    }
    for (int64_t i = 0; i < width; i++)
        if (place[i] >= first[0] + width && place[i] < first[1])
            first[1] = place[i];
    for (int which = 0; which < 2; which++, table += 2 * vector) {
        uint32_t *index = (void *)table;
        from[which] = (int32_t)first[which];
        for (int64_t i = 0; i < width; i++) {
            const int64_t lane = place[i] - first[which];
            const bool here = place[i] >= 0 && lane >= 0 && lane < width &&
                              (which == 0 || place[i] >= first[0] + width);
            for (int w = 0; w < words; w++)
                index[i * words + w] = (uint32_t)((here ? lane : 0) * words +
                                                  w);
            wf_table_set(h->walker.node.real, table + vector, i,
                         here ? scale : 0);
        }
    }
}

static weft_status make_table(const wf_binder *binder, int width, double scale,
                              halves *h)
{
    const int64_t in = h->back ? h->n : h->n + 2, out = 2 * h->n + 2 - in;
    const int64_t vectors = (out + width - 1) / width;
    char *table = wf_node_table(&h->walker.node,
                                (size_t)(4 * width * vectors));
    int32_t *places = (int32_t *)wf_node_index_table(&h->walker.node,
                                                     3 * vectors);
    if (table == NULL || places == NULL)
        return wf_no_memory();
    h->windows = (wf_windows){table, places, (size_t)vectors};
    for (int64_t v = 0; v < vectors; v++, places += 3) {
        const int64_t to = (v + 1) * width > out ? out - width : v * width;
        put_windows(h, to, width, in, scale, table, places);
        places[2] = (int32_t)to;
        table += (size_t)(4 * width) * binder->bytes;
    }
    return WEFT_OK;
}

weft_status wf_bind_halves(const wf_binder *binder, const wf_axis *axis,
                           wf_node **node)
{
    const wf_step *step = axis->step->child[0];
    const int width = wf_halves_width((int)step->n, binder->type,
                                      wf_cpu_widths(binder->type));
    *node = NULL;
    if (width == 0)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "the plan tree names a kernel this machine lacks");
    halves *h = (halves *)wf_node_new(binder, sizeof *h, wf_walker_run);
    if (h == NULL)
        return wf_no_memory();
    wf_walker *walker = &h->walker;
    wf_axis_split_loops(&axis->walk, wf_axis_longest_loop(&axis->walk),
                        &walker->outer, &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    wf_walker_cut(walker, wf_walker_share(walker, WF_LEAF_LANES));
    h->mover = wf_mover_of_isa(binder->real,
                               wf_isa_of_width(binder->real, width));
    h->n = step->n;
    h->back = step->real == WEFT_HC2R;
    const size_t half = (size_t)(h->n + 2) * binder->bytes;
    h->some = wf_leaf_group(WF_HALVES_TILE, half);
    weft_status status = make_table(binder, width, axis->usage.scale, h);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_binder below = *binder;
    below.inverse = h->back;
    return wf_walker_bind(walker, &below, step->child[0],
                          &(wf_usage){.scale = 1},
                          wf_round64((size_t)h->some * half), node);
}
