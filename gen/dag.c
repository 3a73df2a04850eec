/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dag.c - storage of expression graphs: growth, hash-consing, operands.
 *
 * The generator is a short-lived host program: running out of memory ends
 * it with a message.
 */
#include "dag.h"

#include "util.h"

#include <stdlib.h>
#include <string.h>

dag *dag_new(int width)
{
    dag *g = gen_alloc(sizeof *g);
    memset(g, 0, sizeof *g);
    g->width = width;
    g->table_size = 1 << 10;
    g->table = gen_alloc((size_t)g->table_size * sizeof *g->table);
    memset(g->table, 0xff, (size_t)g->table_size * sizeof *g->table);
    return g;
}

void dag_free(dag *g)
{
    if (!g)
        return;
    free(g->nodes);
    free(g->table);
    free(g->vecs);
    free(g->patterns);
    free(g);
}

static unsigned hash_node(const node *n)
{
    unsigned long long bits = 0;
    const double k = (double)n->k;
    memcpy(&bits, &k, sizeof k);
    unsigned long long h = (unsigned long long)n->op * 0x9e3779b97f4a7c15u;
    h = (h ^ (unsigned)n->a) * 0xff51afd7ed558ccdu;
    h = (h ^ (unsigned)n->b) * 0xc4ceb9fe1a85ec53u;
    h = (h ^ (unsigned)n->c) * 0x9e3779b97f4a7c15u;
    h = (h ^ bits) * 0xff51afd7ed558ccdu;
    return (unsigned)(h >> 32);
}

static int same_node(const node *x, const node *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->k == y->k;
}

/* The place of n in the table: where it is, or where it would go. */
static int *find_place(const dag *g, const node *n)
{
    unsigned mask = (unsigned)g->table_size - 1;
    unsigned i = hash_node(n) & mask;
    while (g->table[i] >= 0 && !same_node(&g->nodes[g->table[i]], n))
        i = (i + 1) & mask;
    return &g->table[i];
}

static void grow_table(dag *g)
{
    g->table_size *= 2;
    free(g->table);
    g->table = gen_alloc((size_t)g->table_size * sizeof *g->table);
    memset(g->table, 0xff, (size_t)g->table_size * sizeof *g->table);
    for (int i = 0; i < g->count; ++i)
        *find_place(g, &g->nodes[i]) = i;
}

int dag_intern(dag *g, op o, int a, int b, int c, long double k)
{
    const node n = {o, a, b, c, k};
    int *place = find_place(g, &n);
    if (*place >= 0)
        return *place;
    if (g->count == g->room) {
        g->room = g->room ? 2 * g->room : 256;
        g->nodes = gen_realloc(g->nodes, (size_t)g->room * sizeof *g->nodes);
    }
    g->nodes[g->count] = n;
    *place = g->count++;
    const int made = *place;
    if (2 * g->count > g->table_size)
        grow_table(g);
    return made;
}

int dag_operands(const node *n, int out[3])
{
    switch (n->op) {
    case OP_CONST:
    case OP_ALT:
    case OP_VEC:
    case OP_LOAD: return 0;
    case OP_NEG:
    case OP_SWAP: out[0] = n->a; return 1;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_SHUF:
        out[0] = n->a;
        out[1] = n->b;
        return 2;
    case OP_FMA:
    case OP_FNMA:
    case OP_FMS:
    case OP_FMALT:
        out[0] = n->a;
        out[1] = n->b;
        out[2] = n->c;
        return 3;
    }
    return 0;
}

void dag_mark(const dag *g, int i, char *live)
{
    if (live[i])
        return;
    live[i] = 1;
    int x[3];
    const int n = dag_operands(&g->nodes[i], x);
    for (int j = 0; j < n; ++j)
        dag_mark(g, x[j], live);
}

int dag_operations(const dag *g, const int *roots, int root_count)
{
    char *live = gen_alloc((size_t)g->count);
    int x[3], count = 0;
    memset(live, 0, (size_t)g->count);
    for (int i = 0; i < root_count; ++i)
        dag_mark(g, roots[i], live);
    for (int i = 0; i < g->count; ++i)
        count += live[i] && dag_operands(&g->nodes[i], x) > 0;
    free(live);
    return count;
}
