/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaf.c - whole transforms in interleaved registers.
 *
 * A register holds C complex numbers.  Three designs:
 *
 *   across   C transforms side by side, one element a register: any n, no
 *            lane ever meets another;
 *   within   one transform of n = R1 x R2, both at least C: DFTs of R1 over
 *            the columns, C columns a register; then C x C transposes; then
 *            twiddles; then DFTs of R2.  No deinterleaving anywhere.  Where C
 *            does not divide R1 or R2, the last block of rows or columns
 *            overlaps that before: what both have is made, and stored, twice.
 *            R1 = C and R2 = C/2: two rows a register, DFTs of R1/2 over the
 *            registers and then of 2 over their halves;
 *   halves   one transform of n = 2 m, m odd, C = 2: both sums of the coprime
 *            2 x m (Good 1958) in one register, x[j] + x[j + m] and their
 *            difference; then a DFT of m, which turns no lane; the even outputs
 *            come in one lane, the odd ones in the other.
 *
 * Across with C = 1 is the design of last resort: it serves every n.
 *
 * A long leaf within registers is two loops (emit_within.c), over blocks of
 * C columns and of C rows, whose bodies are programs of their own.
 */
#include "program.h"

#include "util.h"

#include <stdlib.h>
#include <string.h>

/* Where the legs of a leaf come from. */
typedef struct source {
    const builder *b;
    int real;        /* an inverse real leaf: legs are packed from its input */
    int m;           /* legs of the whole transform */
    const int *made; /* within: legs by place / C, not loads; or NULL */
} source;

static cplx load_element(void *context, int j)
{
    const source *s = context;
    return cplx_interleaved(s->real ? real_leg_across(s->b, s->m, j)
                                    : dag_load(s->b->g, j));
}

/* Wide float registers are loaded and stored by pairs of elements; an odd n
 * ends with a pair that overlaps the one before. */
static void plan_across(program *p, int pairs)
{
    for (int k = 0; k < p->outputs; k += 1 + pairs) {
        if (k + pairs >= p->outputs)
            k = p->outputs - 1 - pairs;
        p->sinks[p->sink_count++] = (sink){k, 1 + pairs};
    }
}

static void build_across(program *p, const builder *b, source *s, int pairs)
{
    cplx y[MAX_RADIX];
    algebra_dft(b, p->radix, load_element, s, y);
    for (int k = 0; k < p->outputs; ++k) {
        p->roots[k] = k < p->radix ? y[k].re : -1;
        p->places[k] = k;
    }
    p->root_count = p->outputs;
    if (p->outputs > p->radix)
        real_leaf_across(p, b, y);
    plan_across(p, pairs);
}

/* One shuffle of whole complex numbers: element i of the result is element
 * from[i] of a, or from[i] - c of b. */
static int shuffle(dag *g, int a, int b, const int *from)
{
    pattern p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < g->width; ++i)
        p.src[i] = (signed char)(2 * from[i / 2] + i % 2);
    return dag_shuffle(g, a, b, &p);
}

/* *a, *b -> two selections of whole blocks of h elements: from[0..q-1] for
 * the new *a, from[q..2q-1] for the new *b; q blocks in a register, numbers
 * from q on are of *b. */
static void meet(dag *g, int *a, int *b, int h, const int *from)
{
    const int c = g->width / 2, q = c / h;
    int first[MAX_LANES], second[MAX_LANES];
    for (int e = 0; e < c; ++e) {
        first[e] = from[e / h] * h + e % h;
        second[e] = from[q + e / h] * h + e % h;
    }
    const int x = *a, y = *b;
    *a = shuffle(g, x, y, first);
    *b = shuffle(g, x, y, second);
}

/* C x C transpose of complex elements, h of them in 128 bits: first within
 * the 128-bit quarters, then the quarters themselves, so that each step is
 * one instruction without an index register. */
static void transpose(dag *g, int *x, int h)
{
    static const int halves[] = {0, 2, 1, 3};
    static const int low_high[] = {0, 1, 4, 5, 2, 3, 6, 7};
    static const int even_odd[] = {0, 2, 4, 6, 1, 3, 5, 7};
    const int c = g->width / 2, quarters = c / h;
    if (h == 2)
        for (int i = 0; i < c; i += 2) {
            int from[2 * MAX_LANES];
            for (int e = 0; e < c; ++e) {
                from[e] = e & 1 ? c + e - 1 : e;
                from[c + e] = e & 1 ? c + e : e + 1;
            }
            meet(g, &x[i], &x[i + 1], 1, from);
        }
    for (int e = 0; e < h && quarters == 2; ++e)
        meet(g, &x[e], &x[e + h], h, halves);
    for (int e = 0; e < h && quarters == 4; ++e) {
        int *w0 = &x[e], *w1 = &x[e + h], *w2 = &x[e + 2 * h],
            *w3 = &x[e + 3 * h];
        meet(g, w0, w1, h, low_high); /* w0: 0 1 | 0 1, w1: 2 3 | 2 3 */
        meet(g, w2, w3, h, low_high);
        meet(g, w0, w2, h, even_odd); /* w0: element 0 of all, w2: 1 */
        meet(g, w1, w3, h, even_odd); /* w1: 2, w3: 3 */
        const int t = *w1;
        *w1 = *w2;
        *w2 = t;
    }
}

/* Element e of x times w^turns[e], of n turns a circle. */
static int times_roots(const builder *b, int n, int x, const int *turns)
{
    dag *g = b->g;
    lanes c, d;
    memset(&c, 0, sizeof c);
    memset(&d, 0, sizeof d);
    for (int l = 0; l < g->width; ++l) {
        const long turn = (long)b->sign * turns[l / 2];
        c.k[l] = turn_cos(turn, n);
        d.k[l] = (l % 2 ? 1 : -1) * turn_sin(turn, n);
    }
    const int product = dag_mul(g, x, dag_vec(g, &c));
    return dag_fma(g, dag_swap(g, x), dag_vec(g, &d), product);
}

/* x times w^(p k) for the lanes k = first, first + 1, ... */
static int twiddle(const builder *b, int n, int x, int p, int first)
{
    int turns[MAX_LANES];
    for (int e = 0; e < b->g->width / 2; ++e)
        turns[e] = p * (first + e);
    return times_roots(b, n, x, turns);
}

typedef struct column {
    const source *s;
    int first, stride;
} column;

static cplx load_column(void *context, int j)
{
    const column *c = context;
    const int at = c->first + j * c->stride;
    if (c->s->made)
        return cplx_interleaved(c->s->made[at / (c->s->b->g->width / 2)]);
    return cplx_interleaved(dag_load(c->s->b->g, at));
}

int leaf_start(int n, int c, int block)
{
    return block * c + c <= n ? block * c : n - c;
}

static void build_within(program *p, const builder *b, const source *s, int r1,
                         int h)
{
    const int n = p->radix, r2 = n / r1, c = b->g->width / 2;
    const int blocks = (r2 + c - 1) / c;
    cplx(*columns)[MAX_RADIX] = gen_alloc((size_t)blocks * sizeof *columns);
    for (int i = 0; i < blocks; ++i) {
        column context = {s, leaf_start(r2, c, i), r2};
        algebra_dft(b, r1, load_column, &context, columns[i]);
    }
    for (int block = 0; block * c < r1; ++block) {
        const int k = leaf_start(r1, c, block);
        cplx legs[MAX_RADIX], y[MAX_RADIX];
        for (int i = 0; i < blocks; ++i) {
            int x[MAX_LANES];
            for (int l = 0; l < c; ++l)
                x[l] = columns[i][k + l].re;
            transpose(b->g, x, h);
            for (int l = 0; l < c; ++l) {
                const int q = leaf_start(r2, c, i) + l;
                legs[q] = cplx_interleaved(q ? twiddle(b, n, x[l], q, k)
                                             : x[l]);
            }
        }
        algebra_dft(b, r2, algebra_leg, legs, y);
        for (int i = 0; i < r2; ++i) {
            p->sinks[p->sink_count++] = (sink){p->root_count, 1};
            p->places[p->root_count] = k + r1 * i;
            p->roots[p->root_count++] = y[i].re;
        }
    }
    free(columns);
    if (p->outputs > p->radix)
        real_leaf_within(p, b);
}

/* The sum and the difference of the halves of x. */
static int meet_halves(const builder *b, int x)
{
    dag *g = b->g;
    const int c = g->width / 2;
    int swapped[MAX_LANES];
    lanes signs;
    memset(&signs, 0, sizeof signs);
    for (int l = 0; l < g->width; ++l) {
        swapped[l / 2] = (l / 2 + c / 2) % c;
        signs.k[l] = l < c ? 1 : -1;
    }
    return dag_fma(g, x, dag_vec(g, &signs), shuffle(g, x, x, swapped));
}

/* C/2 registers, of two rows of C/2: element q of row k in either half becomes
 * element k of row q. */
static void transpose_halves(dag *g, int *x)
{
    const int h = g->width / 4;
    for (int step = 1; step < h; step *= 2)
        for (int i = 0; i < h; ++i) {
            int from[2 * MAX_LANES];
            if (i & step)
                continue;
            for (int e = 0; e < 2 * h; ++e) {
                from[e] = e & step ? 2 * h + e - step : e;
                from[2 * h + e] = e & step ? 2 * h + e : e + step;
            }
            meet(g, &x[i], &x[i + step], 1, from);
        }
}

static int has_short_rows(int n, int r1, int lanes)
{
    return 2 * r1 == lanes && 4 * n == r1 * lanes;
}

/* n = R1 x R2 with R1 = C, R2 = C/2.  DFTs of C/2 over the registers leave row k
 * of the even rows' in one half, of the odd rows' in the other; w^k and the sum
 * and difference of the halves make them rows k and k + C/2 of R1. */
static void build_short_rows(program *p, const builder *b, const source *s)
{
    const int n = p->radix, c = b->g->width / 2, h = c / 2;
    column context = {s, 0, c};
    cplx x[MAX_RADIX], y[MAX_RADIX];
    int rows[MAX_LANES], turns[MAX_LANES];
    algebra_dft(b, h, load_column, &context, x);
    for (int k = 0; k < h; ++k) {
        for (int e = 0; e < c; ++e)
            turns[e] = e < h ? 0 : k;
        rows[k] = meet_halves(b,
                              k ? times_roots(b, c, x[k].re, turns) : x[k].re);
        for (int e = 0; e < c; ++e)
            turns[e] = (e < h ? k : k + h) * (e % h);
        rows[k] = times_roots(b, n, rows[k], turns);
    }
    transpose_halves(b->g, rows);
    for (int k = 0; k < h; ++k)
        x[k] = cplx_interleaved(rows[k]);
    algebra_dft(b, h, algebra_leg, x, y);
    for (int k = 0; k < h; ++k) {
        p->sinks[p->sink_count++] = (sink){p->root_count, 1};
        p->places[p->root_count] = k * c;
        p->roots[p->root_count++] = y[k].re;
    }
    if (p->outputs > p->radix)
        real_leaf_within(p, b);
}

/* Leg t of the transform of m of a leaf of n = 2m, m odd. */
static cplx load_halves(void *context, int t)
{
    const source *s = context;
    dag *g = s->b->g;
    const int m = s->m / 2, odd = 2 * t > m, j = odd ? 2 * t - m : 2 * t;
    const int first = leaf_start(m, 2, j / 2), l = j - first;
    const int x = dag_load(g, first), y = dag_load(g, first + m);
    const int less = odd ? dag_sub(g, y, x) : dag_sub(g, x, y);
    const int from[] = {l, 2 + l};
    return cplx_interleaved(shuffle(g, dag_add(g, x, y), less, from));
}

static void build_halves(program *p, const builder *b, source *s)
{
    const int m = p->radix / 2;
    const int from[] = {0, 3};
    cplx y[MAX_RADIX];
    algebra_dft(b, m, load_halves, s, y);
    for (int k = 0; k < m; ++k) {
        p->sinks[p->sink_count++] = (sink){p->root_count, 1};
        p->places[p->root_count] = 2 * k;
        p->roots[p->root_count++] = shuffle(b->g, y[2 * k % m].re,
                                            y[(2 * k + 1) % m].re, from);
    }
}

/* ---- The bodies of two loops ---------------------------------------------- */

static program *body_new(int radix, int lanes)
{
    program *p = gen_alloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->radix = p->inputs = p->outputs = radix;
    p->interleaved = 1;
    p->leaf.lanes = lanes;
    p->g = dag_new(lanes);
    return p;
}

static void add_root(program *p, int place, int root)
{
    p->sinks[p->sink_count++] = (sink){p->root_count, 1};
    p->places[p->root_count] = place;
    p->roots[p->root_count++] = root;
}

static program *body_made(program *p, const row *r)
{
    if (!target_of(r->isa)->has_fma)
        p->g = dag_unfuse(p->g, p->roots, p->root_count);
    return p;
}

static cplx load_plain(void *context, int j)
{
    return cplx_interleaved(dag_load(context, j));
}

program *within_columns_new(const row *r, int r1, int lanes)
{
    program *p = body_new(r1, lanes);
    const builder b = {p->g, 1, -1};
    const int c = lanes / 2;
    cplx y[MAX_RADIX];
    algebra_dft(&b, r1, load_plain, p->g, y);
    for (int block = 0; block * c < r1; ++block) {
        int x[MAX_LANES];
        for (int l = 0; l < c; ++l)
            x[l] = y[leaf_start(r1, c, block) + l].re;
        transpose(p->g, x, r->real == WF_F64 ? 1 : 2);
        for (int l = 0; l < c; ++l)
            add_root(p, block * c + l, x[l]);
    }
    return body_made(p, r);
}

program *columns_new(const row *r, int lanes)
{
    program *p = body_new(r->radix, lanes);
    const builder b = {p->g, 1, -1};
    cplx y[MAX_RADIX];
    algebra_dft(&b, r->radix, load_plain, p->g, y);
    for (int k = 0; k < r->radix; ++k)
        add_root(p, k, y[k].re);
    return body_made(p, r);
}

/* Element `odd` of each pair of x, twice. */
static int doubled(dag *g, int x, int odd)
{
    pattern p;
    memset(&p, 0, sizeof p);
    for (int l = 0; l < g->width; ++l)
        p.src[l] = (signed char)(l / 2 * 2 + odd);
    return dag_shuffle(g, x, x, &p);
}

int is_doubled(const dag *g, int i)
{
    const node *n = &g->nodes[i];
    if (n->op != OP_SHUF || n->a != n->b || g->nodes[n->a].op != OP_LOAD)
        return 0;
    const signed char *src = g->patterns[n->c].src;
    for (int l = 0; l < g->width; ++l)
        if (src[l] != l / 2 * 2 + src[0] || src[0] > 1)
            return 0;
    return 1;
}

/* Leg q from scratch, turned by what the table says (kernel/pass.h). */
typedef struct turned {
    dag *g;
    wf_turns_form form;
} turned;

static cplx load_turned(void *context, int q)
{
    const turned *t = context;
    dag *g = t->g;
    const int x = dag_load(g, q);
    if (q == 0)
        return cplx_interleaved(x);
    const int at = SLOT_TWIDDLE + (q - 1) * wf_turns_vectors(t->form);
    const int w = dag_load(g, at);
    if (t->form == WF_TURNS_ONCE)
        return cplx_interleaved(
            dag_fmalt(g, x, doubled(g, w, 0),
                      dag_mul(g, dag_swap(g, x), doubled(g, w, 1))));
    const int v = dag_load(g, at + 1);
    if (t->form == WF_TURNS_TURNED)
        return cplx_interleaved(
            dag_fma(g, doubled(g, x, 1), v, dag_mul(g, doubled(g, x, 0), w)));
    return cplx_interleaved(dag_fma(g, dag_swap(g, x), v, dag_mul(g, x, w)));
}

program *within_rows_new(const row *r, int r2, int lanes, wf_turns_form form)
{
    program *p = body_new(r2, lanes);
    const builder b = {p->g, 1, -1};
    turned t = {p->g, form};
    cplx y[MAX_RADIX];
    algebra_dft(&b, r2, load_turned, &t, y);
    for (int k = 0; k < r2; ++k)
        add_root(p, k, y[k].re);
    return body_made(p, r);
}

int leaf_vec_turns(const dag *g, int vec)
{
    const long double *k = g->vecs[vec].k;
    for (int l = 0; l < g->width; l += 2)
        if (k[l] != -k[l + 1])
            return 0;
    return 1;
}

/*
 * The inverse of a complex leaf, from the forward one: i becomes -i wherever
 * it occurs, which is in the sign of -k k -k k and of the vectors d of
 * `twiddle`.  So both signs are one graph with other constants, and one
 * function (emit_leaf.c).
 */
static void mirror(dag *g)
{
    for (int i = 0; i < g->count; ++i)
        if (g->nodes[i].op == OP_ALT)
            g->nodes[i].k = -g->nodes[i].k;
    for (int i = 0; i < g->vec_count; ++i)
        for (int l = 0; l < g->width && leaf_vec_turns(g, i); l += 2) {
            long double *k = &g->vecs[i].k[l];
            k[0] = -k[0];
            k[1] = -k[1];
        }
}

/* Real leaves, whose chains of operations are long, are ordered by time, and may
 * spill a quarter; but not where the data alone fill 32 registers. */
static int registers_by_time(const row *r, design d)
{
    enum { MANY = 32 };
    const int data = d.rows ? r->radix / d.lanes : r->radix / 2;
    const int registers = target_of(r->isa)->registers;
    return kind_of(r->kind)->real && data < MANY ? registers + registers / 4
                                                 : 0;
}

program *leaf_program_new(const row *r, design d)
{
    const kind_info *kind = kind_of(r->kind);
    program *p = gen_alloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->radix = p->inputs = p->outputs = kind->real ? r->radix / 2 : r->radix;
    if (kind->real && kind->leaf < 0)
        ++p->outputs;
    else if (kind->real)
        ++p->inputs;
    p->interleaved = 1;
    p->leaf = d;
    p->registers = registers_by_time(r, d);
    p->g = dag_new(d.lanes);
    const int mirrored = kind->leaf > 0 && !kind->real;
    const builder b = {p->g, 1, mirrored ? -1 : kind->leaf};
    source s = {&b, p->inputs > p->radix, p->radix, NULL};
    if (d.rows == 2 && p->radix % 4)
        build_halves(p, &b, &s);
    else if (d.rows) {
        int legs[MAX_RADIX];
        if (s.real) {
            real_legs_within(&b, p->radix, legs);
            s.made = legs;
        }
        if (has_short_rows(p->radix, d.rows, d.lanes))
            build_short_rows(p, &b, &s);
        else
            build_within(p, &b, &s, d.rows, r->real == WF_F64 ? 1 : 2);
    } else
        build_across(p, &b, &s, r->real == WF_F32 && d.lanes > 2);
    if (!target_of(r->isa)->has_fma)
        p->g = dag_unfuse(p->g, p->roots, p->root_count);
    if (mirrored)
        mirror(p->g);
    return p;
}

/*
 * The measured choices, with gcc 12 (minima; all designs of a length side by
 * side): R1 of the design "within" for registers of so many lanes, 0 where none
 * is good; the choice of R1 matters by 5 to 15 %.  `most`: the widest registers
 * worth having for doubles.  512 bits, which some cores do in two halves, are not
 * where whole ones gain nothing (36), and a core of halves has those of 256 where it
 * loses (cpu/node.c); the long ones are within 5 % there (Zen 4: f64 200 147 ns and
 * 150, f32 400 178 and 173).
 */
static const struct {
    int n, rows4, rows8, rows16, most;
} within[] = {
    {4, 2, 0, 0, 4},       {8, 4, 0, 0, 4},      {10, 2, 0, 0, 4},
    {12, 6, 0, 0, 4},      {14, 2, 0, 0, 4},     {16, 4, 4, 0, 8},
    {18, 2, 0, 0, 4},      {20, 10, 4, 0, 8},    {22, 2, 0, 0, 4},
    {24, 12, 4, 0, 4},     {25, 5, 0, 0, 4},     {26, 2, 0, 0, 4},
    {27, 9, 0, 0, 4},      {28, 14, 7, 0, 8},    {30, 2, 0, 0, 4},
    {32, 4, 4, 8, 8},      {33, 11, 0, 0, 4},    {34, 2, 0, 0, 4},
    {35, 5, 7, 0, 8},      {36, 6, 6, 0, 4},     {38, 2, 0, 0, 4},
    {39, 13, 0, 0, 4},     {40, 20, 4, 0, 8},    {42, 2, 7, 0, 8},
    {44, 22, 11, 0, 8},    {45, 9, 9, 0, 8},     {48, 12, 12, 0, 8},
    {49, 7, 7, 0, 8},      {50, 10, 10, 0, 8},   {52, 13, 13, 0, 8},
    {54, 9, 6, 0, 8},      {55, 11, 11, 0, 8},   {56, 14, 14, 0, 8},
    {60, 10, 15, 0, 8},    {63, 9, 7, 0, 8},     {64, 16, 4, 8, 8},
    {65, 13, 13, 0, 8},    {66, 11, 11, 0, 8},   {70, 2, 7, 0, 8},
    {72, 12, 12, 8, 8},    {75, 15, 15, 0, 8},   {77, 11, 11, 0, 8},
    {78, 13, 13, 0, 8},    {80, 20, 20, 8, 8},   {81, 9, 9, 9, 8},
    {84, 14, 12, 0, 8},    {88, 11, 8, 8, 8},    {90, 15, 15, 0, 8},
    {91, 13, 13, 0, 8},    {96, 12, 12, 8, 8},   {98, 14, 7, 0, 8},
    {99, 11, 11, 11, 8},   {100, 10, 10, 10, 8}, {104, 13, 13, 8, 8},
    {105, 15, 15, 0, 8},   {108, 18, 12, 12, 8}, {110, 11, 11, 11, 8},
    {112, 28, 28, 8, 8},   {120, 12, 12, 15, 8}, {125, 25, 25, 0, 8},
    {126, 21, 18, 14, 8},  {128, 32, 32, 8, 8},  {140, 14, 0, 0, 4},
    {144, 12, 12, 8, 8},   {160, 20, 20, 8, 8},  {192, 24, 24, 8, 8},
    {200, 10, 20, 8, 8},   {240, 12, 12, 16, 8}, {250, 10, 25, 25, 8},
    {256, 16, 16, 16, 8},  {300, 0, 20, 20, 8},  {320, 40, 40, 40, 8},
    {360, 0, 0, 24, 4},    {384, 0, 0, 48, 4},   {400, 0, 20, 20, 4},
    {480, 0, 0, 30, 4},    {500, 0, 0, 25, 4},   {512, 32, 32, 32, 8},
    {1024, 32, 32, 32, 8},
};

/* Real leaves unpack whole registers, none of which may overlap another. */
static int suits(const row *r, int n, int rows, int lanes)
{
    const int c = lanes / 2;
    return rows &&
           (!kind_of(r->kind)->real || has_short_rows(n, rows, lanes) ||
            (rows % c == 0 && n / rows % c == 0));
}

/* The widest registers of at most so many lanes; one number in each, and rows ==
 * 0, where the list has none. */
static design design_within(const row *r, int n, int most)
{
    for (size_t i = 0; i < sizeof within / sizeof *within; ++i) {
        if (within[i].n != n)
            continue;
        const int rows[] = {within[i].rows4, within[i].rows8,
                            within[i].rows16};
        if (r->real == WF_F64 && within[i].most < most)
            most = within[i].most;
        for (int j = 2, lanes = 16; j >= 0; --j, lanes /= 2)
            if (lanes <= most && suits(r, n, rows[j], lanes))
                return (design){lanes, rows[j]};
    }
    return (design){2, 0};
}

/*
 * Designs within registers never wait for a batch; across registers are
 * wider.  Across wins as soon as its registers are wider, except where eight
 * lanes of doubles are put together from four loads and four stores each:
 * there the narrower design within is level or ahead up to n = 24 (n = 12
 * 3.6 against 4.4 ns, 20 6.7 against 6.9, 24 8.6 against 8.9), and below
 * n = 7 plain single transforms are (n = 5 1.6 against 2.0 ns).  Across n
 * registers spill from n = 28 on: on a Zen 4 core, 16 lanes of floats, n = 32
 * 28 ns across against 12 within, 48 26 against 18; doubles, 36 25 against 21.
 */
leaf_designs leaf_choose(const row *r)
{
    const int most = target_lanes(r->isa, r->real);
    const int n = kind_of(r->kind)->real ? r->radix / 2 : r->radix;
    leaf_designs d = {{0, 0}, {0, 0}};
    if (r->isa == WF_ISA_SCALAR)
        return d;
    d.batch = d.single = design_within(r, n, most);
    if (kind_of(r->kind)->split)
        return d;
    /* 64 transforms, eight lanes of floats, within or in loops, and across: 17
     * 657 and 539 ns, 19 873, 671, 20 427, 379, 36 990, 858; four lanes of
     * doubles 19 1283, 1188. */
    const int floats = r->real == WF_F32;
    const int across = !kind_of(r->kind)->real &&
                       (floats ? most == 8 &&
                                     (n == 17 || n == 19 || n == 20 || n == 36)
                               : most == 4 && n == 19);
    if (across)
        d.batch = (design){most, 0};
    if (across || in_loops(r)) /* one number a register counts the loops */
        return d;
    const int slow_across = r->real == WF_F64 && most == 8;
    const int sixty = kind_of(r->kind)->real && kind_of(r->kind)->leaf < 0 &&
                      n == 30; /* r2c f64: 31 ns across, 30 one by one */
    const int stay = (slow_across && (n < 7 || n == 10 || sixty)) ||
                     (slow_across && d.single.rows && (n <= 24 || n >= 36)) ||
                     (most == 16 && d.single.rows && n >= 28); /* spills */
    if (d.single.lanes < most && n > 1 && n <= 32 && !stay)
        d.batch = (design){most, 0};
    return d;
}
