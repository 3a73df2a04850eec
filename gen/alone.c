/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone.c - one cosine transform of type II or III in registers: the complex
 * leaf of half the length, and in its registers what `halved` has before and
 * after it (src/kernel/hand/r2r_tmpl.c).  The contract is in kinds.def.
 *
 * The leaf is of the design within: a register has C complex numbers, 2C = V
 * reals.  A block is V of them in two registers, apart as V real and V imaginary
 * parts for the pass.  It takes the frequencies k = 1 .. h/2, V at a time, each
 * with h - k: those are whole blocks in reverse; these begin in the middle of
 * one, so lane 0 of the next moves in from above.
 *
 * The widest registers permute two others in any way at once; narrower ones
 * first within their quarters of 128 bits, then one alone.
 */
#include "program.h"

#include "util.h"

#include <string.h>

typedef struct maker {
    program *p;
    const builder *b;
    dag *g;
    int n, m; /* reals, complex numbers */
    int v, c; /* reals, complex numbers of a register */
    int wide; /* two registers are permuted in any way at once */
    int at[MAX_LANES], place[MAX_LANES]; /* lane i of a block that is apart
        within quarters holds element at[i]; place is the inverse */
} maker;

typedef struct parts {
    int re, im;
} parts;

static void find_quarters(maker *k, int bits)
{
    const int q = 128 / bits; /* numbers of a quarter */
    for (int i = 0; i < k->v; ++i) {
        const int quarter = i / q, inside = i % q;
        k->at[i] = inside < q / 2 ? quarter * (q / 2) + inside
                                  : k->c + quarter * (q / 2) + inside - q / 2;
        k->place[k->at[i]] = i;
    }
}

/* Lane i is lane from[i] of x, or lane from[i] - V of y. */
static int choose(const maker *k, int x, int y, const int *from)
{
    pattern p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < k->v; ++i)
        p.src[i] = (signed char)from[i];
    return dag_shuffle(k->g, x, y, &p);
}

static int reversed(const maker *k, int x)
{
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i)
        from[i] = k->v - 1 - i;
    return choose(k, x, x, from);
}

/* Numbers `part`, part + 2, ... of a and b, within quarters. */
static int apart_in_quarters(const maker *k, int a, int b, int part)
{
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i)
        from[i] = 2 * k->at[i] + part;
    return choose(k, a, b, from);
}

/* The same in order, or in reverse. */
static int apart(const maker *k, int a, int b, int part, int back)
{
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i) {
        const int e = back ? k->v - 1 - i : i;
        from[i] = k->wide ? 2 * e + part : k->place[e];
    }
    if (k->wide)
        return choose(k, a, b, from);
    const int x = apart_in_quarters(k, a, b, part);
    return choose(k, x, x, from);
}

/* Numbers of x and y, whose lanes are a block within quarters, in turn. */
static void merge_quarters(const maker *k, int x, int y, int *out)
{
    for (int half = 0; half < 2; ++half) {
        int from[MAX_LANES];
        for (int i = 0; i < k->v; ++i)
            from[i] = k->place[half * k->c + i / 2] + i % 2 * k->v;
        out[half] = choose(k, x, y, from);
    }
}

/* Numbers of x and y in turn; of either in reverse, if so. */
static void merge(const maker *k, int x, int x_back, int y, int y_back,
                  int *out)
{
    const int last = k->v - 1;
    for (int half = 0; half < 2 && k->wide; ++half) {
        int from[MAX_LANES];
        for (int i = 0; i < k->v; ++i) {
            const int e = half * k->c + i / 2;
            from[i] = i % 2 ? k->v + (y_back ? last - e : e)
                            : (x_back ? last - e : e);
        }
        out[half] = choose(k, x, y, from);
    }
    if (k->wide)
        return;
    int x_from[MAX_LANES], y_from[MAX_LANES];
    for (int i = 0; i < k->v; ++i) {
        x_from[i] = x_back ? last - k->at[i] : k->at[i];
        y_from[i] = y_back ? last - k->at[i] : k->at[i];
    }
    merge_quarters(k, choose(k, x, x, x_from), choose(k, y, y, y_from), out);
}

static parts times(const maker *k, parts x, parts w)
{
    dag *g = k->g;
    const int re = dag_neg(g, dag_mul(g, x.im, w.im));
    return (parts){dag_fma(g, x.re, w.re, re),
                   dag_fma(g, x.re, w.im, dag_mul(g, x.im, w.re))};
}

/* Row pair `row` of the table for the frequencies of block b. */
static parts factors(const maker *k, int row, int b)
{
    const int at = SLOT_TWIDDLE + 2 * row * (k->m / 2) + b * k->v;
    return (parts){dag_load(k->g, at), dag_load(k->g, at + k->m / 2)};
}

static int spread(const maker *k, int number)
{
    return dag_load(k->g, SLOT_TWIDDLE + SLOT_SPREAD + k->n + number);
}

static int root_half(const maker *k)
{
    return dag_const(k->g, turn_cos(1, 8));
}

static void add_root(const maker *k, int place, int root)
{
    program *p = k->p;
    p->sinks[p->sink_count++] = (sink){p->root_count, 1};
    p->places[p->root_count] = place;
    p->roots[p->root_count++] = root;
}

/* Registers of the leaf by place, which no longer are outputs. */
static void take_roots(const maker *k, int *at)
{
    program *p = k->p;
    for (int i = 0; i < p->root_count; ++i)
        at[p->places[i] / k->c] = p->roots[i];
    p->root_count = p->sink_count = 0;
}

/* ---- Type II ------------------------------------------------------------- */

/* Every fourth number and the second after it, from the front; the others
 * from the back.  Where quarters hold whole pairs, both stay in the order of a
 * block within quarters, which is returned. */
static const int *load_quads(const maker *k, int *legs, int *pairs)
{
    const int last = k->m / k->c - 1, sign = spread(k, ALONE_SIGN);
    const int whole = !k->wide && k->at[1] == 1;
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i) {
        from[i] = k->place[k->v - 1 - k->at[i]];
        pairs[i / 2] = k->at[i] / 2;
    }
    for (int i = 0; 2 * i < last; ++i) {
        const int a = dag_load(k->g, 2 * i * k->v);
        const int b = dag_load(k->g, (2 * i + 1) * k->v);
        const int x = apart_in_quarters(k, a, b, 1);
        legs[i] = whole ? apart_in_quarters(k, a, b, 0) : apart(k, a, b, 0, 0);
        legs[last - i] = dag_mul(
            k->g, whole ? choose(k, x, x, from) : apart(k, a, b, 1, 1), sign);
    }
    return whole ? pairs : NULL;
}

/* Part of Z[k], k from V b + 1 on. */
static int front_part(const maker *k, const int *at, int b, int part)
{
    const int v = k->v, blocks = k->m / v;
    const int *next = at + 2 * (b + 1);
    const int x = apart_in_quarters(k, at[2 * b], at[2 * b + 1], part);
    const int whole = k->wide && 2 * (b + 1) == blocks; /* see back_parts */
    const int y = whole ? apart(k, next[0], next[1], part, 1)
                        : apart_in_quarters(k, next[0], next[1], part);
    const int head = whole ? v - 1 : k->place[0];
    int from[MAX_LANES];
    for (int i = 0; i < v; ++i)
        from[i] = i < v - 1 ? k->place[i + 1] : v + head;
    if (k->wide)
        return choose(k, x, y, from);
    int both[MAX_LANES];
    for (int i = 0; i < v; ++i)
        both[i] = i == head ? v + i : i;
    from[v - 1] = head;
    const int shifted = choose(k, x, y, both);
    return choose(k, shifted, shifted, from);
}

static parts back_parts(const maker *k, const int *at, int b)
{
    const int *pair = at + 2 * (k->m / k->v - 1 - b);
    return (parts){apart(k, pair[0], pair[1], 0, 1),
                   apart(k, pair[0], pair[1], 1, 1)};
}

static void finish_block(const maker *k, const int *at, int b)
{
    dag *g = k->g;
    const int first = b * k->v + 1, back = b * k->v + k->v;
    const parts x = {front_part(k, at, b, 0), front_part(k, at, b, 1)};
    const parts y = back_parts(k, at, b);
    const parts p = {dag_add(g, x.re, y.re), dag_sub(g, x.im, y.im)};
    const parts q = {dag_sub(g, x.re, y.re), dag_add(g, x.im, y.im)};
    const parts s = times(k, p, factors(k, 0, b));
    const parts t = times(k, q, factors(k, 1, b));
    const int re = dag_sub(g, s.re, t.re), im = dag_sub(g, s.im, t.im);
    const int far = dag_mul(g, dag_add(g, s.im, t.im), spread(k, ALONE_TURN));
    const int near = dag_mul(g, dag_sub(g, re, im), spread(k, ALONE_ROOT));
    add_root(k, first, dag_add(g, s.re, t.re));
    add_root(k, k->n - back, reversed(k, far));
    add_root(k, k->m - back, reversed(k, near));
    add_root(k, k->m + first, dag_mul(g, dag_add(g, re, im), root_half(k)));
}

static void build_second(const maker *k, design d, wf_real real)
{
    dag *g = k->g;
    int legs[MAX_RADIX], at[MAX_RADIX], pairs[MAX_LANES];
    const int *order = load_quads(k, legs, pairs);
    g->fuses = 1;
    leaf_within(k->p, k->b, legs, order, d, real);
    take_roots(k, at);
    const int row = SLOT_TWIDDLE + k->n;
    const int product = dag_mul(g, at[0], dag_load(g, row + ALONE_ENDS));
    const int swapped = dag_load(g, row + ALONE_ENDS + MAX_LANES);
    k->p->lone = k->p->root_count + 1; /* 0 is none */
    add_root(k, k->m, dag_fma(g, dag_swap(g, at[0]), swapped, product));
    const int blocks = k->m / k->v / 2;
    for (int b = 0; b < blocks; ++b)
        finish_block(k, at, b);
}

/* ---- Type III ------------------------------------------------------------ */

/* Part of the V elements from V b on, within quarters: lanes of x but its last,
 * after the last of those before. */
static int behind(const maker *k, int before, int x)
{
    const int v = k->v;
    int both[MAX_LANES], from[MAX_LANES];
    for (int i = 0; i < v; ++i) {
        both[i] = i < v - 1 ? i : v + i;
        from[i] = k->at[i] > 0 ? k->at[i] - 1 : v - 1;
        from[i] += k->wide && k->at[i] == 0 ? v : 0;
    }
    if (k->wide)
        return choose(k, x, before, from);
    const int shifted = choose(k, x, before, both);
    return choose(k, shifted, shifted, from);
}

/* Z of block b: the sum, and the conjugate difference of the same frequencies
 * from the other end. */
static void begin_block(const maker *k, int b, parts *front, parts *back)
{
    dag *g = k->g;
    const int first = b * k->v + 1, last = b * k->v + k->v;
    const int u = dag_load(g, first);
    const int v = reversed(k, dag_load(g, k->n - last));
    const int p = reversed(k, dag_load(g, k->m - last));
    const int q = dag_mul(g, dag_load(g, k->m + first), root_half(k));
    const int turn = spread(k, ALONE_TURN), root = spread(k, ALONE_ROOT);
    const int re = dag_fma(g, p, root, q);
    const int im = dag_fma(g, dag_neg(g, p), root, q);
    const parts sum = {dag_add(g, u, re), dag_fma(g, v, turn, im)};
    const parts rest = {dag_sub(g, u, re),
                        dag_fma(g, v, turn, dag_neg(g, im))};
    const parts s = times(k, sum, factors(k, 0, b));
    const parts t = times(k, rest, factors(k, 1, b));
    *front = (parts){dag_add(g, s.re, t.re), dag_add(g, s.im, t.im)};
    *back = (parts){dag_sub(g, s.re, t.re), dag_sub(g, t.im, s.im)};
}

/* Z[0], im first: the last lane is re, as that of its swap is im. */
static int begin_ends(const maker *k)
{
    dag *g = k->g;
    const int row = SLOT_TWIDDLE + k->n + ALONE_ENDS;
    const int first = dag_load(g, SLOT_SCALE);
    const int middle = dag_load(g, k->m + SLOT_SPREAD);
    return dag_fma(g, middle, dag_load(g, row + MAX_LANES),
                   dag_mul(g, first, dag_load(g, row)));
}

static void build_third(const maker *k, design d, wf_real real)
{
    dag *g = k->g;
    int legs[MAX_RADIX], at[MAX_RADIX];
    parts before = {begin_ends(k), 0};
    before.im = dag_swap(g, before.re);
    for (int b = 0; 2 * b * k->v < k->m; ++b) {
        parts front, back;
        begin_block(k, b, &front, &back);
        merge_quarters(k, behind(k, before.re, front.re),
                       behind(k, before.im, front.im), legs + 2 * b);
        merge(k, back.re, 1, back.im, 1, legs + 2 * (k->m / k->v - 1 - b));
        before = front;
    }
    leaf_within(k->p, k->b, legs, NULL, d, real);
    take_roots(k, at);
    const int last = k->m / k->c - 1, sign = spread(k, ALONE_SIGN);
    for (int i = 0; 2 * i < last; ++i) {
        int out[2];
        merge(k, at[i], 0, dag_mul(g, at[last - i], sign), 1, out);
        add_root(k, 2 * i * k->v, out[0]);
        add_root(k, (2 * i + 1) * k->v, out[1]);
    }
}

program *alone_program_new(const row *r)
{
    const int second = kind_of(r->kind)->cosine == 2;
    const design d = leaf_design_within(r, r->radix / 2,
                                        target_lanes(r->isa, r->real));
    program *p = gen_alloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->interleaved = 1;
    p->leaf = d;
    p->radix = r->radix / 2;
    p->registers = r->isa == WF_ISA_AVX512 ? 32 : 16;
    p->g = dag_new(d.lanes);
    const builder b = {p->g, 1, second ? -1 : 1};
    const int bits = r->real == WF_F64 ? 64 : 32;
    maker k = {p,
               &b,
               p->g,
               r->radix,
               r->radix / 2,
               d.lanes,
               d.lanes / 2,
               d.lanes * bits == 512,
               {0},
               {0}};
    find_quarters(&k, bits);
    if (second)
        build_second(&k, d, r->real);
    else
        build_third(&k, d, r->real);
    p->radix = r->radix;
    return p;
}
