/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale.c - the output times a factor, where no other step multiplies: at once
 * where it has no gaps, else line by line through a small buffer.
 */
#include "cpu/copies.h"

#include "cpu/axis.h"
#include "cpu/move.h"

enum { CHUNK = 256 };

typedef struct scaling {
    wf_node node;
    wf_mover mover;
    wf_nest outer;
    wf_loop line;
    double scale;
    wf_form format;
    size_t packed; /* reals without gaps of each array; 0: walked */
} scaling;

static void scale_reals(const scaling *s, void *reals, size_t count)
{
    WF_MOVE(&s->mover, scale, reals, s->scale, count);
}

static void scale_line(const scaling *s, const wf_samples *at, char *scratch)
{
    for (int64_t done = 0; done < s->line.n; done += CHUNK) {
        const int64_t left = s->line.n - done;
        const size_t count = (size_t)(left < CHUNK ? left : CHUNK);
        char *re = wf_to(at->out_re, done * s->line.os, s->node.bytes);
        char *im = wf_to(at->out_im, done * s->line.os, s->node.bytes);
        WF_MOVE(&s->mover, gather, (void *)scratch, (const void *)re,
                (const void *)im, s->line.os, count);
        scale_reals(s, scratch, 2 * count);
        WF_MOVE(&s->mover, scatter, (const void *)scratch, (void *)re,
                (void *)im, s->line.os, count);
    }
}

static void scale_line_of_reals(const scaling *s, const wf_samples *at,
                                char *scratch)
{
    for (int64_t done = 0; done < s->line.n; done += 2 * CHUNK) {
        const int64_t left = s->line.n - done;
        const size_t count = (size_t)(left < 2 * CHUNK ? left : 2 * CHUNK);
        char *reals = wf_to(at->out_re, done * s->line.os, s->node.bytes);
        WF_MOVE(&s->mover, move_reals, (void *)scratch, 1, 0,
                (const void *)reals, s->line.os, 0, count, 1);
        scale_reals(s, scratch, count);
        WF_MOVE(&s->mover, move_reals, (void *)reals, s->line.os, 0,
                (const void *)scratch, 1, 0, count, 1);
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const scaling *s = (const scaling *)node;
    wf_cursor cursor;
    wf_cursor_set(&s->outer, 0, &cursor);
    for (int64_t i = 0; i < s->outer.count; i++) {
        const wf_samples line = wf_samples_at(at, cursor.out, cursor.out,
                                              node->bytes);
        if (s->format == WF_REAL)
            scale_line_of_reals(s, &line, scratch);
        else
            scale_line(s, &line, scratch);
        wf_cursor_next(&s->outer, &cursor);
    }
}

static void run_plain(const void *what, const void *in, void *out)
{
    const scaling *s = what;
    (void)in;
    scale_reals(s, out, s->packed);
}

static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    const scaling *s = what;
    (void)in_re;
    (void)in_im;
    scale_reals(s, out_re, s->packed);
    if (s->format == WF_SPLIT)
        scale_reals(s, out_im, s->packed);
}

static void run_packed(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    (void)scratch;
    run_plain_split(node, NULL, NULL, at->out_re, at->out_im);
}

/* Elements from element 0 on without gaps; 0: there are others. */
static int64_t packed_elements(const weft_dim *dims, int count)
{
    bool used[2 * WEFT_MAX_RANK] = {false};
    int64_t next = 1;
    for (int found = 0; found < count; found++) {
        int i = 0;
        while (i < count &&
               (used[i] || (dims[i].n != 1 && dims[i].os != next)))
            i++;
        if (i == count)
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

weft_status wf_bind_scale(const wf_binder *binder, const weft_dim *dims,
                          int count, wf_form format, double scale,
                          wf_node **node)
{
    *node = NULL;
    scaling *s = (scaling *)wf_node_new(binder, sizeof *s, run);
    if (s == NULL)
        return wf_no_memory();
    const int scalars = format == WF_INTERLEAVED ? 2 : 1;
    wf_walk walk = {.loops = count,
                    .in_scalars = scalars,
                    .out_scalars = scalars};
    for (int i = 0; i < count; i++)
        walk.loop[i] = dims[i];
    wf_axis_split_loops(&walk, shortest_stride(&walk), &s->outer, &s->line);
    s->mover = wf_mover_best(binder->real);
    s->scale = scale;
    s->format = format;
    s->node.scratch = wf_round64(CHUNK * 2 * binder->bytes);
    s->packed = (size_t)(scalars * packed_elements(dims, count));
    if (s->packed > 0) {
        s->node.run = run_packed;
        s->node.plain = (wf_plain){run_plain, s};
        s->node.plain_split = (wf_plain_split){run_plain_split, s};
    }
    *node = &s->node;
    return WEFT_OK;
}
