/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stockham_shared.c - the passes of one transform by several threads.
 *
 * Each pass is cut into equal parts of its butterflies, in neighbouring vectors
 * of columns (q) or else rows (p), and begins when the one before is done.  The
 * kernels do for each butterfly what they do for one thread: the same bits.
 *
 * Samples that another core has written cost more than the butterflies that want
 * them (docs/performance.notes.md).  Column q + s k of a pass comes from column
 * q of the pass before, at stride s: columns that are equal modulo the first
 * radix never meet again.  So where the vectors of the first radix can be dealt
 * out evenly, each thread has the columns of every such vector in all later
 * passes, and the cores exchange samples once.  A Zen 4 takes longer for lines of
 * which each thread has every other pair than for all that are exchanged.
 */
#include "cpu/nest.h"
#include "cpu/stockham.h"

#include <string.h>

/* Bytes of samples for which another thread pays that are exchanged once. */
enum { ONCE_BYTES = 64 << 10 };

typedef struct share {
    const stockham *s;
    const wf_samples *at;
    char *scratch;
} share;

static void move(const stockham *s, ends *e, ptrdiff_t scalars)
{
    e->re = wf_to(e->re, scalars, s->node.bytes);
    e->im = wf_to(e->im, scalars, s->node.bytes);
}

/* Part of a fused pair: some of its outer or of its inner loop. */
static void cut_fused(const stockham *s, int64_t part, pass *p, ends *from,
                      ends *to)
{
    const size_t bytes = s->node.bytes;
    if (p->outer >= p->inner) {
        const wf_range r = wf_cut(p->outer, part, s->parts);
        p->outer = r.end - r.begin;
        move(s, from, r.begin * p->outer_in);
        move(s, to, r.begin * p->outer_out);
        return;
    }
    const wf_range r = wf_cut(p->inner, part, s->parts);
    p->inner = r.end - r.begin;
    move(s, from, r.begin * p->inner_in);
    move(s, to, r.begin * p->inner_out);
    p->table = wf_at(p->table, r.begin * p->inner_table, bytes);
    p->second_table = wf_at(p->second_table, r.begin * p->inner_second_table,
                            bytes);
}

/* Every so manieth vector of columns. */
static void deal_columns(const stockham *s, int64_t part, pass *p, ends *from,
                         ends *to)
{
    move(s, from, part * p->args.in_q);
    move(s, to, part * p->args.out_q);
    p->table = wf_at(p->table, part * p->args.tw_q, s->node.bytes);
    p->args.nq /= (size_t)s->parts;
    p->args.in_q *= s->parts;
    p->args.out_q *= s->parts;
    p->args.tw_q *= s->parts;
}

/* Neighbours; the lanes left over at the end overlap the last whole vector and
 * stay with it.  The first pass counts its output in columns. */
static void cut_columns(const stockham *s, bool first, int64_t part, pass *p,
                        ends *from, ends *to)
{
    const wf_range r = wf_cut((int64_t)p->args.nq, part, s->parts);
    const ptrdiff_t in = r.begin * p->args.in_q;
    const ptrdiff_t out = r.begin * p->args.out_q * (first ? s->width : 1);
    p->args.nq = (size_t)(r.end - r.begin);
    move(s, from, in);
    move(s, to, out);
    p->table = wf_at(p->table, r.begin * p->args.tw_q, s->node.bytes);
    p->has_tail = p->has_tail && part == s->parts - 1;
    p->tail_in -= in;
    p->tail_out -= out;
}

static void cut_rows(const stockham *s, int64_t part, pass *p, ends *from,
                     ends *to)
{
    const wf_range r = wf_cut((int64_t)p->args.np, part, s->parts);
    p->args.np = p->tail.np = (size_t)(r.end - r.begin);
    move(s, from, r.begin * p->args.in_p);
    move(s, to, r.begin * p->args.out_p);
}

/* A transposing first pass to planes clobbers `width` scalars behind each vector
 * of rows, which the next one writes.  Behind the last of a part another thread
 * writes: it goes by way of the buffer. */
static void run_first_of_planes(const stockham *s, pass *p, ends from, ends to,
                                char *buffer)
{
    const size_t bytes = s->node.bytes;
    const size_t rows = (size_t)(s->width * p->kernel->radix);
    const ptrdiff_t last = (ptrdiff_t)p->args.nq - 1;
    const ends there = {buffer,
                        wf_to(buffer, (ptrdiff_t)rows + s->width, bytes)};
    p->args.nq--;
    wf_stockham_pass(s, p, from, to, NULL);
    p->args.nq = 1;
    move(s, &from, last * p->args.in_q);
    move(s, &to, last * (ptrdiff_t)rows);
    wf_stockham_pass(s, p, from, there, NULL);
    memcpy(to.re, there.re, rows * bytes);
    memcpy(to.im, there.im, rows * bytes);
}

static void run_part(void *context, int index, size_t number)
{
    const share *c = context;
    const stockham *s = c->s;
    const int64_t part = (int64_t)number;
    pass p = s->pass[index];
    char *buffer = c->scratch + s->buffer + number * s->slice;
    ends from, to;
    wf_stockham_ends(s, index, c->at, c->scratch, &from, &to);
    if (p.second != NULL)
        cut_fused(s, part, &p, &from, &to);
    else if (index > 0 && s->own_columns)
        deal_columns(s, part, &p, &from, &to);
    else if (index == 0 || p.args.nq >= p.args.np)
        cut_columns(s, index == 0, part, &p, &from, &to);
    else
        cut_rows(s, part, &p, &from, &to);
    if (index == 0 && s->planes && part < s->parts - 1)
        run_first_of_planes(s, &p, from, to, buffer);
    else
        wf_stockham_pass(s, &p, from, to, buffer);
}

void wf_stockham_run_shared(const wf_node *node, const wf_samples *at,
                            char *scratch)
{
    const stockham *s = (const stockham *)node;
    share c = {s, at, wf_stockham_scratch(s, at, scratch)};
    wf_parallel_phases((size_t)s->parts, s->passes, run_part, &c);
}

static bool has_pairs(const stockham *s)
{
    for (int i = 0; i < s->passes; i++)
        if (s->pass[i].second != NULL)
            return true;
    return false;
}

void wf_stockham_share(int threads, int64_t n, stockham *s)
{
    const int64_t bytes = 2 * n * (int64_t)s->node.bytes;
    const int radix = s->pass[0].kernel->radix;
    s->parts = wf_parts_for(threads, bytes, ONCE_BYTES);
    s->own_columns = wf_cpu_core_kind() != WF_CORE_ZEN4 && !has_pairs(s) &&
                     radix % (s->width * s->parts) == 0;
    if (!s->own_columns)
        s->parts = wf_parts_for(threads, bytes, WF_EXCHANGED_BYTES);
    const size_t rows = 2 * (size_t)((radix + 1) * s->width) * s->node.bytes;
    if (s->parts > 1 && s->planes && s->slice < rows)
        s->slice = wf_round64(rows);
}
