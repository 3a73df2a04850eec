/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * streamed.c - an axis of unit stride whose samples are more than the caches
 * hold.
 *
 * A group of transforms goes to a buffer in the first cache and from there past
 * all caches to memory, which so need not read lines that are about to be
 * written.  The input of the next group, or the one after it, is fetched meanwhile,
 * a part before the transforms and the rest as the buffer is written
 * (wf_streaming): by itself the processor looks no further than the end of a page,
 * and begins each one anew.  Of two arrays each has a buffer, and is fetched for
 * itself; transforms other than passes, which take them as they are, are of rows of
 * whole numbers that are put together from both and parted again.
 */
#include <string.h>

#include "cpu/stream.h"
#include "cpu/walker.h"

enum { GROUP_BYTES = 4096, TURN_BYTES = 1024 };

typedef struct streamed {
    wf_walker walker;
    wf_mover mover;
    int64_t group;   /* transforms */
    int64_t ahead;   /* from those at hand to those that are fetched, */
    size_t early;    /* so many bytes of them before the transforms */
    int parts;       /* arrays that samples are in */
    ptrdiff_t row;   /* scalars of a transform's output in each */
    size_t in_bytes; /* of its input there, where that is fetched, else 0 */
    size_t buffer; /* bytes of a group there; 0: it is transformed in place */
    size_t joined; /* and of its rows of whole numbers; 0: none are made */
    size_t turn;   /* bytes written between two fetches */
} streamed;

/* `bytes` of the buffer to where they belong; pieces end where lines do. */
static void write(const streamed *s, const char *from, char *to, size_t bytes,
                  wf_ahead *a)
{
    for (size_t some; bytes > 0; bytes -= some, from += some, to += some) {
        some = s->turn - (uintptr_t)to % WF_LINE;
        some = some < bytes ? some : bytes;
        wf_ahead_fetch(a, some);
        WF_MOVE(&s->mover, stream, (void *)to, (const void *)from,
                some / s->walker.node.bytes);
    }
}

/* A group whose outputs adjoin those of the group before, of which the part of a
 * line that was left is in front of what was made (none: `begins`), and leaves a part
 * to the next (none: `ends`): all lines are written whole.  A group that leaves one
 * is longer than a line. */
static void write_packed(const streamed *s, char *made, char *out,
                         size_t bytes, bool begins, bool ends, wf_ahead *a)
{
    const size_t held = begins ? 0 : (uintptr_t)out % WF_LINE;
    const size_t left = ends ? 0 : (uintptr_t)(out + bytes) % WF_LINE;
    write(s, made - held, out - held, held + bytes - left, a);
    memmove(made - left, made + bytes - left, left);
}

static void write_rows(const streamed *s, const char *buffer, char *out,
                       int64_t count, wf_ahead *a)
{
    size_t bytes = s->walker.node.bytes;
    for (int64_t i = 0; i < count; i++)
        write(s, wf_at(buffer, i * s->row, bytes),
              wf_to(out, i * s->walker.inner.os, bytes),
              (size_t)s->row * bytes, a);
}

/* What is to be fetched while the group at hand, which begins at `in`, is transformed and
 * written; `left`: transforms from it to the end. */
static wf_ahead ahead_of(const streamed *s, const char *in, int64_t left)
{
    wf_ahead a = {in, in};
    left -= s->ahead;
    left = left < s->group ? left : s->group;
    if (left > 0 && s->in_bytes > 0) {
        a.next = wf_at(in, s->ahead * s->walker.inner.is,
                       s->walker.node.bytes);
        a.end = a.next + left * (int64_t)s->in_bytes;
    }
    return a;
}

/* A group to where it is made, `os` scalars apart. */
static void transform(const streamed *s, const wf_samples *at, ptrdiff_t os,
                      int64_t count, char *room)
{
    const wf_node *child = s->walker.node.child[0];
    const size_t numbers = (size_t)(count * s->row);
    if (s->joined == 0) {
        wf_rows_run(child, at, s->walker.inner.is, os, count, room);
        return;
    }
    const wf_samples rows = {room, NULL, room, NULL};
    WF_MOVE(&s->mover, merge, (void *)room, at->in_re, at->in_im, numbers);
    wf_rows_run(child, &rows, 2 * s->row, 2 * s->row, count, room + s->joined);
    WF_MOVE(&s->mover, part, at->out_re, at->out_im, (const void *)room,
            numbers);
}

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const streamed *s = (const streamed *)walker;
    size_t bytes = walker->node.bytes;
    bool packed = walker->inner.os == s->row;
    char *room = scratch + (size_t)s->parts * s->buffer;
    for (int64_t i = 0, some; i < count; i += some) {
        some = count - i < s->group ? count - i : s->group;
        const wf_samples group = wf_samples_at(at, i * walker->inner.is,
                                               i * walker->inner.os, bytes);
        wf_ahead a[2] = {ahead_of(s, group.in_re, count - i)};
        if (s->parts > 1)
            a[1] = ahead_of(s, group.in_im, count - i);
        for (int k = 0; k < s->parts; k++)
            wf_ahead_fetch(&a[k], s->early);
        if (s->buffer == 0) {
            transform(s, &group, walker->inner.os, some, room);
            continue;
        }
        char *made = scratch + WF_LINE;
        const wf_samples here = {group.in_re, group.in_im, made,
                                 made + s->buffer};
        transform(s, &here, s->row, some, room);
        for (int k = 0; k < s->parts; k++, made += s->buffer) {
            char *out = k == 0 ? group.out_re : group.out_im;
            if (packed)
                write_packed(s, made, out, (size_t)(some * s->row) * bytes,
                             i == 0, i + some == count, &a[k]);
            else
                write_rows(s, made, out, some, &a[k]);
        }
    }
    if (s->buffer > 0)
        wf_hand_settle();
}

/* 1 KiB; of rows longer than a page in inverse proportion less, as was fastest for
 * rows of 2 KiB to 256 KiB (Zen 4). */
static size_t turn_of(size_t row_bytes, size_t least)
{
    const size_t turn = row_bytes <= WF_PAGE
                            ? TURN_BYTES
                            : TURN_BYTES * WF_PAGE / row_bytes;
    return (turn > least ? turn : least) / WF_LINE * WF_LINE;
}

/* Where they are transformed in place nothing is written after them: all of the next
 * group is fetched before, and groups are not smaller than elsewhere.  Half spectra are
 * read from both ends. */
static void set_groups(streamed *s, size_t row_bytes, const wf_axis *axis,
                       bool in_place)
{
    const wf_streaming here = wf_streaming_here();
    const bool own = row_bytes >= WF_LONG_ROW &&
                     !(in_place && here.group < GROUP_BYTES);
    const size_t all = (size_t)axis->walk.count * (s->in_bytes + row_bytes);
    const bool kept = axis->problem->rank == 1 && all <= here.kept;
    const bool next = in_place || (here.kept > 0 && row_bytes > WF_PAGE &&
                                   (kept || s->in_bytes > row_bytes));
    s->group = wf_leaf_group(own ? here.group : GROUP_BYTES, row_bytes);
    s->ahead = s->group * (next ? 1 : here.groups);
    s->early = next ? WF_STREAM_EARLY : here.early;
    s->turn = turn_of(row_bytes, next ? TURN_BYTES : here.turn);
}

/* In place by way of the buffer, too: long rows of more than the third cache has. */
static bool is_apart(size_t row_bytes, int64_t count)
{
    const wf_streaming here = wf_streaming_here();
    return row_bytes > here.apart &&
           (size_t)count * row_bytes >= here.all_apart;
}

weft_status wf_bind_streamed(const wf_binder *binder, const wf_axis *axis,
                             wf_node **node)
{
    *node = NULL;
    const wf_step *step = axis->step->child[0];
    const wf_walk *walk = &axis->walk;
    const bool split = axis->usage.split,
               joined = split && step->kind != WF_STEP_STOCKHAM;
    if (joined && wf_walk_packed(walk, walk->axis.n, walk->axis.n) < 0)
        return wf_fail(WEFT_ERR_ARGUMENT, "streamed %lld: rows with gaps",
                       (long long)step->n);
    streamed *s = (streamed *)wf_node_new(binder, sizeof *s, wf_walker_run);
    if (s == NULL)
        return wf_no_memory();
    wf_walker *walker = &s->walker;
    wf_axis_split_loops(walk, wf_walk_streamed(walk), &walker->outer,
                        &walker->inner);
    walker->run_block = run_block;
    walker->threads = binder->threads;
    s->mover = wf_mover_best(binder->real);
    s->parts = split ? 2 : 1;
    s->row = (ptrdiff_t)wf_walk_reals(walk, WF_OUTPUT);
    s->in_bytes = (size_t)wf_walk_reals(walk, WF_INPUT) * binder->bytes;
    if (s->in_bytes < wf_streaming_here().row)
        s->in_bytes = 0;
    const size_t row_bytes = (size_t)s->row * binder->bytes;
    wf_usage usage = axis->usage;
    usage.far = true;
    usage.in_place &= !is_apart(row_bytes, walk->count);
    set_groups(s, row_bytes, axis, usage.in_place);
    if (!usage.in_place)
        s->buffer = wf_round64((size_t)(s->group * s->row) * binder->bytes +
                               WF_LINE);
    if (joined) {
        s->joined = wf_round64(2 * (size_t)(s->group * s->row) *
                               binder->bytes);
        usage.split = false;
        usage.in_place = true;
    }
    wf_walker_cut(walker, wf_walker_share(walker, s->group));
    return wf_walker_bind(walker, binder, step, &usage,
                          (size_t)s->parts * s->buffer + s->joined, node);
}
