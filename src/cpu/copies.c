/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies.c - steps that only move or scale samples, of any layout: line by
 * line through a small buffer.
 */
#include "cpu/copies.h"

#include "cpu/axis.h"
#include "cpu/move.h"

enum { CHUNK = 256 };

typedef struct copies {
    wf_node node;
    wf_mover mover;
    wf_nest outer;
    wf_loop line;
    double scale;
    wf_form format;
    size_t packed; /* reals without gaps, in place, of each array; 0: walked */
} copies;

static void scale_chunk(const copies *c, char *scratch, size_t reals)
{
    if (c->scale != 1)
        WF_MOVE(&c->mover, scale, (void *)scratch, c->scale, reals);
}

static void move_line(const copies *c, const wf_samples *at, char *scratch)
{
    size_t bytes = c->node.bytes;
    for (int64_t done = 0; done < c->line.n; done += CHUNK) {
        int64_t left = c->line.n - done;
        size_t count = (size_t)(left < CHUNK ? left : CHUNK);
        ptrdiff_t in = done * c->line.is, out = done * c->line.os;
        WF_MOVE(&c->mover, gather, (void *)scratch,
                wf_at(at->in_re, in, bytes), wf_at(at->in_im, in, bytes),
                c->line.is, count);
        scale_chunk(c, scratch, 2 * count);
        WF_MOVE(&c->mover, scatter, (const void *)scratch,
                wf_to(at->out_re, out, bytes), wf_to(at->out_im, out, bytes),
                c->line.os, count);
    }
}

static void move_reals(const copies *c, const wf_samples *at, char *scratch)
{
    size_t bytes = c->node.bytes;
    for (int64_t done = 0; done < c->line.n; done += 2 * CHUNK) {
        int64_t left = c->line.n - done;
        size_t count = (size_t)(left < 2 * CHUNK ? left : 2 * CHUNK);
        WF_MOVE(&c->mover, move_reals, (void *)scratch, 1, 0,
                wf_at(at->in_re, done * c->line.is, bytes), c->line.is, 0,
                count, 1);
        scale_chunk(c, scratch, count);
        WF_MOVE(&c->mover, move_reals,
                wf_to(at->out_re, done * c->line.os, bytes), c->line.os, 0,
                (const void *)scratch, 1, 0, count, 1);
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const copies *c = (const copies *)node;
    wf_cursor cursor;
    wf_cursor_set(&c->outer, 0, &cursor);
    for (int64_t i = 0; i < c->outer.count; i++) {
        wf_samples line = wf_samples_at(at, cursor.in, cursor.out,
                                        node->bytes);
        if (c->format == WF_REAL)
            move_reals(c, &line, scratch);
        else
            move_line(c, &line, scratch);
        wf_cursor_next(&c->outer, &cursor);
    }
}

static void run_plain(const void *what, const void *in, void *out)
{
    const copies *c = what;
    (void)in;
    scale_chunk(c, out, c->packed);
}

static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    const copies *c = what;
    (void)in_re;
    (void)in_im;
    scale_chunk(c, out_re, c->packed);
    if (c->format == WF_SPLIT)
        scale_chunk(c, out_im, c->packed);
}

static void run_packed(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    (void)scratch;
    run_plain_split(node, NULL, NULL, at->out_re, at->out_im);
}

/* Elements that are where they go to, from element 0 on without gaps; 0: there are
 * others. */
static int64_t packed_elements(const weft_dim *dims, int count)
{
    bool used[2 * WEFT_MAX_RANK] = {false};
    int64_t next = 1;
    for (int found = 0; found < count; found++) {
        int i = 0;
        while (i < count &&
               (used[i] || (dims[i].n != 1 && dims[i].os != next)))
            i++;
        if (i == count || (dims[i].n != 1 && dims[i].is != dims[i].os))
            return 0;
        used[i] = true;
        next *= dims[i].n;
    }
    return next;
}

static int shortest_stride(const wf_walk *walk)
{
    int best = -1;
    for (int i = 0; i < walk->loops; i++)
        if (best < 0 || (walk->loop[i].os == 1 && walk->loop[i].n > 1))
            best = i;
    return best;
}

weft_status wf_bind_copies(const wf_binder *binder, const weft_dim *dims,
                           int count, wf_form format, double scale,
                           wf_node **node)
{
    *node = NULL;
    copies *c = (copies *)wf_node_new(binder, sizeof *c, run);
    if (c == NULL)
        return wf_no_memory();
    int scalars = format == WF_INTERLEAVED ? 2 : 1;
    wf_walk walk = {.loops = count,
                    .in_scalars = scalars,
                    .out_scalars = scalars};
    for (int i = 0; i < count; i++)
        walk.loop[i] = dims[i];
    wf_axis_split_loops(&walk, shortest_stride(&walk), &c->outer, &c->line);
    c->mover = wf_mover_best(binder->real);
    c->scale = scale;
    c->format = format;
    c->node.scratch = wf_round64(CHUNK * 2 * binder->bytes);
    if (scale != 1)
        c->packed = (size_t)(scalars * packed_elements(dims, count));
    if (c->packed > 0) {
        c->node.run = run_packed;
        c->node.plain = (wf_plain){run_plain, c};
        c->node.plain_split = (wf_plain_split){run_plain_split, c};
    }
    *node = &c->node;
    return WEFT_OK;
}
