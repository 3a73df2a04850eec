/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaled.c - a transform whose passes have no factor to spare, then its output times
 * the scale, which is near still.
 */
#include "cpu/move.h"
#include "cpu/node.h"

typedef struct scaled {
    wf_node node;
    wf_mover mover;
    double scale;
    size_t reals;
} scaled;

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const scaled *s = (const scaled *)node;
    node->child[0]->run(node->child[0], at, scratch);
    WF_MOVE(&s->mover, scale, at->out_re, s->scale, s->reals);
}

static void run_plain(const void *what, const void *in, void *out)
{
    const scaled *s = what;
    wf_node_plain(s->node.child[0], in, out);
    WF_MOVE(&s->mover, scale, out, s->scale, s->reals);
}

weft_status wf_bind_scaled(const wf_binder *binder, int64_t n, double scale,
                           wf_node *child, wf_node **node)
{
    scaled *s = (scaled *)wf_node_new(binder, sizeof *s, run);
    *node = NULL;
    if (s == NULL) {
        wf_node_free(child);
        return wf_no_memory();
    }
    s->mover = wf_mover_best(binder->real);
    s->scale = scale;
    s->reals = 2 * (size_t)n;
    s->node.scratch = child->scratch;
    wf_node_adopt(&s->node, child);
    if (child->plain.run != NULL)
        s->node.plain = (wf_plain){run_plain, s};
    *node = &s->node;
    return WEFT_OK;
}
