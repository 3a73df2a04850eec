/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * embedded.c - real neighbours as complex columns: to a tile as complex numbers, or
 * as whole spectra, through the complex transforms to another tile, and from there
 * what was asked for.  Where the transform is sums and differences of two, pairs of
 * neighbours are complex columns where they lie.
 *
 * No neighbour touches another one's numbers: each transform has its own error, and
 * what is not a number stays where it is.  All of a block is read before any of it
 * is written, so in place is safe.
 */
#include "cpu/move.h"
#include "cpu/r2r.h"
#include "cpu/walker.h"

typedef struct embedded {
    wf_walker walker;
    wf_mover mover;
    wf_embed in, out; /* but for how many there are */
    ptrdiff_t in_unit, out_unit;
    ptrdiff_t in_first, out_first; /* rows in reverse: where the last one is */
    size_t tile;                   /* bytes */
} embedded;

static void run_some(const embedded *e, const void *in, void *out,
                     size_t count, char *scratch)
{
    const wf_node *child = e->walker.node.child[0];
    const size_t bytes = e->walker.node.bytes;
    void *tile = scratch, *made = scratch + e->tile;
    const wf_samples at = {tile, wf_at(tile, 1, bytes), made,
                           wf_to(made, 1, bytes)};
    wf_embed from = e->in, to = e->out;
    from.count = to.count = count;
    WF_MOVE(&e->mover, embed_in, tile, in, &from);
    child->run(child, &at, scratch + 2 * e->tile);
    WF_MOVE(&e->mover, embed_out, out, (const void *)made, &to);
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const embedded *e = (const embedded *)walker;
    const size_t bytes = walker->node.bytes, width = e->in.width;
    for (size_t done = 0; done < (size_t)count; done += width) {
        const size_t left = (size_t)count - done;
        const ptrdiff_t in = e->in_first + (ptrdiff_t)done * e->in_unit;
        const ptrdiff_t out = e->out_first + (ptrdiff_t)done * e->out_unit;
        run_some(e, wf_at(at->in_re, in, bytes), wf_to(at->out_re, out, bytes),
                 left < width ? left : width, scratch);
    }
}

/* What a kind has on a side. */
static wf_embed_form form_of(weft_kind kind, bool input)
{
    if (kind == WEFT_DHT && !input)
        return WF_EMBED_HARTLEY;
    if (wf_kind_is_type(kind, input ? WEFT_REDFT01 : WEFT_REDFT10))
        return WF_EMBED_COSINE;
    if (kind == (input ? WEFT_HC2R : WEFT_R2HC))
        return WF_EMBED_HALFCOMPLEX;
    if (kind == (input ? WEFT_C2R : WEFT_R2C))
        return WF_EMBED_SPECTRA;
    return WF_EMBED_REALS;
}

/* Types II and III: reals are sorted, a spectrum has factors, and a sine transform
 * is a cosine transform with one side mirrored and the other one's odd reals
 * negated. */
static weft_status bind_cosine(const wf_binder *binder, const wf_axis *axis,
                               embedded *e)
{
    const weft_kind kind = wf_axis_kind(axis->problem, axis->step->axis);
    const bool back = e->in.form == WF_EMBED_COSINE;
    wf_embed *reals = back ? &e->out : &e->in,
             *turned = back ? &e->in : &e->out;
    wf_r2r_pass pass;
    weft_status status = wf_r2r_spectral_pass(binder, &e->walker.node, kind,
                                              axis->walk.axis.n, &axis->usage,
                                              back, &pass);
    reals->scale = 1;
    reals->sorted = true;
    reals->negate = wf_r2r_is_sine(kind);
    turned->first = pass.first;
    turned->table = pass.table;
    turned->ld = pass.ld;
    if (reals->negate) {
        *(back ? &e->in_first : &e->out_first) = (axis->walk.axis.n - 1) *
                                                 turned->leg;
        turned->leg = -turned->leg;
    }
    return status;
}

/* ---- paired -------------------------------------------------------------- */

static void run_paired(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const wf_node *child = node->child[0];
    const wf_samples pairs = {at->in_re, wf_at(at->in_re, 1, node->bytes),
                              at->out_re, wf_to(at->out_re, 1, node->bytes)};
    child->run(child, &pairs, scratch);
}

weft_status wf_bind_paired(const wf_binder *binder, const wf_axis *axis,
                           wf_node **node)
{
    wf_problem part;
    *node = NULL;
    if (!wf_paired_part(axis->problem, &axis->walk,
                        wf_axis_kind(axis->problem, axis->step->axis),
                        axis->usage.scale, &part))
        return wf_fail(WEFT_ERR_ARGUMENT, "paired %d: not for these data",
                       axis->step->axis);
    wf_node *paired = wf_node_new(binder, sizeof *paired, run_paired), *child;
    if (paired == NULL)
        return wf_no_memory();
    wf_binder below = *binder;
    below.inverse = false;
    weft_status status = wf_bind_sequence(&below, &part, axis->step->child[0],
                                          &child);
    if (status != WEFT_OK) {
        wf_node_free(paired);
        return status;
    }
    wf_node_adopt(paired, child);
    paired->scratch = child->scratch;
    *node = paired;
    return WEFT_OK;
}

/* ---- embedded ------------------------------------------------------------ */

weft_status wf_bind_embedded(const wf_binder *binder, const wf_axis *axis,
                             wf_node **node)
{
    const wf_walk *walk = &axis->walk;
    const weft_kind kind = wf_axis_kind(axis->problem, axis->step->axis);
    wf_problem part;
    wf_embedded_part(axis->problem, walk, axis->step->n, &part);
    *node = NULL;
    embedded *e = (embedded *)wf_node_new(binder, sizeof *e, wf_walker_run);
    if (e == NULL)
        return wf_no_memory();
    wf_walker *walker = &e->walker;
    wf_axis_split_loops(walk, wf_walk_neighbours(walk), &walker->outer,
                        &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    wf_walker_cut(walker, wf_walker_share(walker, axis->step->n));
    e->mover = wf_mover_widest(binder);
    e->in_unit = walk->in_scalars;
    e->out_unit = walk->out_scalars;
    e->in = (wf_embed){.form = form_of(kind, true),
                       .n = (size_t)walk->axis.n,
                       .width = (size_t)axis->step->n,
                       .leg = walk->in_scalars * walk->axis.is,
                       .scale = axis->usage.scale};
    e->out = e->in;
    e->out.form = form_of(kind, false);
    e->out.leg = walk->out_scalars * walk->axis.os;
    e->tile = wf_round64(2 * (size_t)part.total * binder->bytes);
    wf_binder below = *binder;
    below.inverse = e->in.form != WF_EMBED_REALS;
    below.threads = 1;
    below.far = below.ahead = false;
    wf_node *child;
    weft_status status = WEFT_OK;
    if (e->in.form == WF_EMBED_COSINE || e->out.form == WF_EMBED_COSINE)
        status = bind_cosine(binder, axis, e);
    if (status == WEFT_OK)
        status = wf_bind_sequence(&below, &part, axis->step->child[0], &child);
    if (status != WEFT_OK) {
        wf_node_free(&walker->node);
        return status;
    }
    wf_walker_finish(walker, child, 2 * e->tile + child->scratch);
    *node = &walker->node;
    return WEFT_OK;
}
