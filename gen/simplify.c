/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simplify.c - the constructors of graph nodes.
 *
 * What always holds afterwards: no operand of a sum or product is an OP_NEG,
 * constants used as factors are positive and not 0 or 1, and OP_NEG appears
 * at outputs only.  Only identities that are exact in floating point (signs,
 * 0, 1) are applied, plus the fusing of a product into a sum, which rounds
 * once less.  (x + 0 -> x forgets the sign of a zero; nobody may rely on
 * it.)
 */
#include "dag.h"

#include "util.h"

#include <stdlib.h>
#include <string.h>

static int is_neg(const dag *g, int a)
{
    return g->nodes[a].op == OP_NEG;
}

static int is_const(const dag *g, int a, long double k)
{
    return g->nodes[a].op == OP_CONST && g->nodes[a].k == k;
}

/* Operands in a fixed order, so that a + b and b + a are one node. */
static int intern_symmetric(dag *g, op o, int a, int b, int c)
{
    return a < b ? dag_intern(g, o, a, b, c, 0) : dag_intern(g, o, b, a, c, 0);
}

int dag_const(dag *g, long double k)
{
    return dag_intern(g, OP_CONST, -1, -1, -1, k == 0 ? 0 : k);
}

int dag_load(dag *g, int slot)
{
    return dag_intern(g, OP_LOAD, slot, -1, -1, 0);
}

int dag_vec(dag *g, const lanes *v)
{
    int i = 0;
    while (i < g->vec_count &&
           memcmp(g->vecs[i].k, v->k, sizeof(long double) * (size_t)g->width))
        ++i;
    if (i == g->vec_count) {
        g->vecs = gen_realloc(g->vecs, (size_t)(i + 1) * sizeof *g->vecs);
        g->vecs[g->vec_count++] = *v;
    }
    return dag_intern(g, OP_VEC, i, -1, -1, 0);
}

int dag_neg(dag *g, int a)
{
    if (is_neg(g, a))
        return g->nodes[a].a;
    if (g->nodes[a].op == OP_CONST)
        return dag_const(g, -g->nodes[a].k);
    return dag_intern(g, OP_NEG, a, -1, -1, 0);
}

static int takes_in(const dag *g, int a)
{
    return g->fuses && g->nodes[a].op == OP_MUL;
}

int dag_add(dag *g, int a, int b)
{
    if (is_const(g, a, 0))
        return b;
    if (is_const(g, b, 0))
        return a;
    if (is_neg(g, a) && is_neg(g, b))
        return dag_neg(g, dag_add(g, g->nodes[a].a, g->nodes[b].a));
    if (is_neg(g, a))
        return dag_sub(g, b, g->nodes[a].a);
    if (is_neg(g, b))
        return dag_sub(g, a, g->nodes[b].a);
    if (takes_in(g, b))
        return dag_fma(g, g->nodes[b].a, g->nodes[b].b, a);
    if (takes_in(g, a))
        return dag_fma(g, g->nodes[a].a, g->nodes[a].b, b);
    return intern_symmetric(g, OP_ADD, a, b, -1);
}

int dag_sub(dag *g, int a, int b)
{
    if (is_const(g, b, 0))
        return a;
    if (is_const(g, a, 0))
        return dag_neg(g, b);
    if (is_neg(g, b))
        return dag_add(g, a, g->nodes[b].a);
    if (is_neg(g, a))
        return dag_neg(g, dag_add(g, g->nodes[a].a, b));
    if (a == b)
        return dag_const(g, 0);
    if (takes_in(g, b))
        return intern_symmetric(g, OP_FNMA, g->nodes[b].a, g->nodes[b].b, a);
    if (takes_in(g, a))
        return intern_symmetric(g, OP_FMS, g->nodes[a].a, g->nodes[a].b, b);
    return dag_intern(g, OP_SUB, a, b, -1, 0);
}

int dag_mul(dag *g, int a, int b)
{
    if (g->nodes[b].op == OP_CONST) {
        const int t = a;
        a = b;
        b = t;
    }
    if (is_const(g, a, 0) || is_const(g, b, 0))
        return dag_const(g, 0);
    if (g->nodes[a].op == OP_CONST && g->nodes[b].op == OP_CONST)
        return dag_const(g, g->nodes[a].k * g->nodes[b].k);
    if (is_const(g, a, 1))
        return b;
    if (g->nodes[a].op == OP_CONST && g->nodes[a].k < 0)
        return dag_neg(g, dag_mul(g, dag_const(g, -g->nodes[a].k), b));
    if (is_neg(g, a))
        return dag_neg(g, dag_mul(g, g->nodes[a].a, b));
    if (is_neg(g, b))
        return dag_neg(g, dag_mul(g, a, g->nodes[b].a));
    return intern_symmetric(g, OP_MUL, a, b, -1);
}

int dag_fma(dag *g, int a, int b, int c)
{
    /* Let dag_mul settle signs and trivial factors, then fuse its product. */
    if (is_const(g, c, 0))
        return dag_mul(g, a, b);
    int negative = 0;
    if (is_neg(g, a)) {
        a = g->nodes[a].a;
        negative ^= 1;
    }
    if (is_neg(g, b)) {
        b = g->nodes[b].a;
        negative ^= 1;
    }
    if (g->nodes[a].op == OP_CONST && g->nodes[a].k < 0) {
        a = dag_const(g, -g->nodes[a].k);
        negative ^= 1;
    }
    if (is_const(g, a, 0) || is_const(g, b, 0))
        return c;
    if (is_const(g, a, 1))
        return negative ? dag_sub(g, c, b) : dag_add(g, c, b);
    if (is_neg(g, c)) {
        const int d = g->nodes[c].a;
        if (!negative)
            return intern_symmetric(g, OP_FMS, a, b, d);
        return dag_neg(g, intern_symmetric(g, OP_FMA, a, b, d));
    }
    return intern_symmetric(g, negative ? OP_FNMA : OP_FMA, a, b, c);
}

int dag_axpy(dag *g, int a, long double k, int b)
{
    return dag_fma(g, dag_const(g, k), b, a);
}

int dag_alt_axpy(dag *g, int a, long double k, int b)
{
    if (is_neg(g, a) || is_neg(g, b))
        gen_die("interleaved values carry no sign");
    if (k == 0)
        return a;
    /* One constant serves both signs: c - ALT(k) b. */
    const int f = dag_intern(g, OP_ALT, -1, -1, -1, k < 0 ? -k : k);
    return intern_symmetric(g, k < 0 ? OP_FNMA : OP_FMA, f, b, a);
}

int dag_fmalt(dag *g, int a, int b, int c)
{
    if (is_neg(g, a) || is_neg(g, b) || is_neg(g, c))
        gen_die("interleaved values carry no sign");
    return intern_symmetric(g, OP_FMALT, a, b, c);
}

int dag_swap(dag *g, int a)
{
    if (g->nodes[a].op == OP_SWAP)
        return g->nodes[a].a;
    return dag_intern(g, OP_SWAP, a, -1, -1, 0);
}

int dag_shuffle(dag *g, int a, int b, const pattern *p)
{
    int i = 0;
    while (i < g->pattern_count &&
           memcmp(g->patterns[i].src, p->src, (size_t)g->width))
        ++i;
    if (i == g->pattern_count) {
        g->patterns = gen_realloc(g->patterns,
                                  (size_t)(i + 1) * sizeof *g->patterns);
        g->patterns[g->pattern_count++] = *p;
    }
    return dag_intern(g, OP_SHUF, a, b, i, 0);
}

dag *dag_unfuse(dag *g, int *roots, int root_count)
{
    dag *h = dag_new(g->width);
    int *to = gen_alloc((size_t)g->count * sizeof *to);
    for (int i = 0; i < g->count; ++i) {
        const node n = g->nodes[i];
        int x[3] = {n.a, n.b, n.c};
        int used[3];
        const int operands = dag_operands(&n, used);
        for (int j = 0; j < operands; ++j)
            x[j] = to[used[j]];
        switch (n.op) {
        case OP_VEC: to[i] = dag_vec(h, &g->vecs[n.a]); break;
        case OP_SHUF:
            to[i] = dag_shuffle(h, x[0], x[1], &g->patterns[n.c]);
            break;
        case OP_FMA: to[i] = dag_add(h, x[2], dag_mul(h, x[0], x[1])); break;
        case OP_FNMA: to[i] = dag_sub(h, x[2], dag_mul(h, x[0], x[1])); break;
        case OP_FMS: to[i] = dag_sub(h, dag_mul(h, x[0], x[1]), x[2]); break;
        case OP_FMALT:
            to[i] = dag_add(h, dag_mul(h, x[0], x[1]),
                            dag_mul(h, dag_intern(h, OP_ALT, -1, -1, -1, 1),
                                    x[2]));
            break;
        default: to[i] = dag_intern(h, n.op, x[0], x[1], x[2], n.k); break;
        }
    }
    for (int i = 0; i < root_count; ++i)
        roots[i] = to[roots[i]];
    free(to);
    dag_free(g);
    return h;
}
