/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transpose.c - what takes half spectra back to reals, from what made them.
 *
 * The inverse is the transposed matrix of the forward transform, but for a factor of 2
 * of all numbers that have a conjugate.  A graph of sums and products by constants is
 * transposed by going through it backwards, each node handing what has come to it from
 * where it is used to its own operands, and keeps its number of operations (A. V.
 * Oppenheim and R. W. Schafer, Discrete-Time Signal Processing, on transposed
 * flowgraphs).  A transform of all legs, half of which are conjugates of others, has
 * more: 9 56 sums and 30 products, then 34 and 18.
 */
#include "program.h"
#include "util.h"

#include <stdlib.h>
#include <string.h>

/* A sum of what comes to a node; node < 0: nothing does.  Twice: of half of that. */
typedef struct due {
    int node, twice;
} due;

typedef struct transposed {
    const dag *forth;
    dag *g;
    due *to;     /* per node of forth */
    int doubles; /* factors instead of what they multiply */
} transposed;

/* 2 x + y. */
static int twice_and(dag *g, int x, int y)
{
    return g->fuses ? dag_fma(g, dag_const(g, 2), x, y)
                    : dag_add(g, dag_add(g, x, x), y);
}

static void hand(transposed *t, int i, due d)
{
    due *to = &t->to[i];
    if (to->node < 0)
        *to = d;
    else if (to->twice == d.twice)
        to->node = dag_add(t->g, to->node, d.node);
    else
        *to = (due){to->twice ? twice_and(t->g, to->node, d.node)
                              : twice_and(t->g, d.node, to->node),
                    0};
}

static due negative(const transposed *t, due d)
{
    return (due){dag_neg(t->g, d.node), d.twice};
}

/* Which operand of a product is its constant factor, which the other; < 0: none. */
static int factor_of(const dag *g, const node *n, int *other)
{
    if (n->op != OP_MUL)
        return -1;
    const int first = g->nodes[n->a].op == OP_CONST;
    const int factor = first ? n->a : n->b;
    *other = first ? n->b : n->a;
    return g->nodes[factor].op == OP_CONST ? factor : -1;
}

/* Factor after factor is one. */
static due times(const transposed *t, long double k, due d)
{
    dag *g = t->g;
    int node = d.node, other = -1;
    if (g->nodes[node].op == OP_NEG) {
        node = g->nodes[node].a;
        k = -k;
    }
    const int inner = factor_of(g, &g->nodes[node], &other);
    if (inner >= 0) {
        k *= g->nodes[inner].k;
        node = other;
    }
    const int doubles = d.twice && t->doubles;
    return (due){dag_mul(g, dag_const(g, doubles ? 2 * k : k), node),
                 d.twice && !doubles};
}

/* What has come to node i to its operands. */
static void hand_down(transposed *t, int i)
{
    const node *n = &t->forth->nodes[i];
    const due d = t->to[i];
    switch (n->op) {
    case OP_CONST:
    case OP_LOAD: break;
    case OP_ADD:
    case OP_SUB:
        hand(t, n->a, d);
        hand(t, n->b, n->op == OP_ADD ? d : negative(t, d));
        break;
    case OP_NEG: hand(t, n->a, negative(t, d)); break;
    case OP_MUL: {
        int other;
        const int factor = factor_of(t->forth, n, &other);
        if (factor < 0)
            gen_die("transpose: a product of two inputs");
        hand(t, other, times(t, t->forth->nodes[factor].k, d));
        break;
    }
    default: gen_die("transpose: an operation of lanes");
    }
}

static void begin(transposed *t)
{
    t->to = gen_alloc((size_t)t->forth->count * sizeof *t->to);
    for (int i = 0; i < t->forth->count; ++i)
        t->to[i].node = -1;
}

/* To the loads; roots[j] is what has come to leg j. */
static void go_back(transposed *t, int *roots)
{
    for (int i = t->forth->count - 1; i >= 0; --i) {
        const due d = t->to[i];
        if (d.node < 0)
            continue;
        hand_down(t, i);
        if (t->forth->nodes[i].op == OP_LOAD)
            roots[t->forth->nodes[i].a / 2] = d.twice ? dag_add(t->g, d.node,
                                                                d.node)
                                                      : d.node;
    }
    free(t->to);
}

/* The graph that makes reals; roots[j] is number j. */
static dag *turned(const program *p, const dag *forth, int fuses, int doubles,
                   int *roots)
{
    transposed t = {forth, dag_new(forth->width), NULL, doubles};
    t.g->fuses = fuses;
    begin(&t);
    for (int i = 0; i < p->root_count; ++i) {
        const int k = i / 2, whole = k == 0 || 2 * k == p->radix;
        if (forth->nodes[p->roots[i]].op != OP_CONST) /* im of a real one */
            hand(&t, p->roots[i], (due){dag_load(t.g, i), !whole});
    }
    go_back(&t, roots);
    return t.g;
}

void dag_transpose(dag *forth, int *roots, int count, dag *g, const int *in,
                   int *out)
{
    forth = dag_unfuse(forth, roots, count);
    transposed t = {forth, g, NULL, 0};
    begin(&t);
    for (int i = 0; i < count; ++i)
        hand(&t, roots[i], (due){in[i], 0});
    go_back(&t, out);
    dag_free(forth);
}

void program_transpose(program *p, int fuses)
{
    dag *forth = dag_unfuse(p->g, p->roots, p->root_count), *best = NULL;
    int roots[MAX_RADIX], fewest = 0;
    program made = *p;
    p->sink_count = p->radix;
    for (int j = 0; j < p->radix; ++j)
        p->sinks[j] = (sink){j, 1};
    for (int doubles = 0; doubles < 2; ++doubles) {
        dag *g = turned(&made, forth, fuses, doubles, roots);
        const int count = dag_operations(g, roots, p->radix);
        if (best && count >= fewest) {
            dag_free(g);
            continue;
        }
        dag_free(best);
        best = g;
        fewest = count;
        memcpy(p->roots, roots, (size_t)p->radix * sizeof *roots);
    }
    dag_free(forth);
    p->g = best;
    p->root_count = p->radix;
}
