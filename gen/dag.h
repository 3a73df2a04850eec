/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dag.h - expression graphs of vector operations.
 *
 * A graph is an array of nodes.  Operands always have smaller numbers than
 * the node that uses them, equal nodes have equal numbers (hash-consing), so
 * a common subexpression exists once by construction.  Every node is a whole
 * vector; for split data all lanes do the same and one may think of a real
 * number.
 *
 * Nodes are made only by the constructors below, which simplify as they
 * build: signs travel towards the outputs, factors 0 and 1 vanish, a product
 * that is added becomes one fused operation.
 */
#ifndef GEN_DAG_H
#define GEN_DAG_H

enum { MAX_LANES = 16 };

typedef enum op {
    OP_CONST, /* k in every lane */
    OP_ALT,   /* -k in even lanes, k in odd lanes */
    OP_VEC,   /* lane constants number a */
    OP_LOAD,  /* input slot a */
    OP_ADD,   /* a + b */
    OP_SUB,   /* a - b */
    OP_NEG,   /* -a */
    OP_MUL,   /* a * b */
    OP_FMA,   /* a * b + c */
    OP_FNMA,  /* c - a * b */
    OP_FMS,   /* a * b - c */
    OP_FMALT, /* a * b - c in even lanes, a * b + c in odd lanes */
    OP_SWAP,  /* neighbours exchanged: (re, im) -> (im, re) */
    OP_SHUF   /* lanes of a and b chosen by pattern number c */
} op;

typedef struct node {
    op op;
    int a, b, c;
    long double k;
} node;

/* Lane l of a shuffle is lane src[l] of a, or lane src[l] - lanes of b. */
typedef struct pattern {
    signed char src[MAX_LANES];
} pattern;

typedef struct lanes {
    long double k[MAX_LANES];
} lanes;

typedef struct dag {
    node *nodes;
    int count, room;
    int *table; /* open addressing, -1 is free */
    int table_size;
    int width; /* lanes of a vector; matters to OP_VEC and OP_SHUF only */
    int fuses; /* sums take in products, which others may have use for, too */
    lanes *vecs;
    int vec_count;
    pattern *patterns;
    int pattern_count;
} dag;

dag *dag_new(int width);
void dag_free(dag *g);

/* The node with exactly these fields, old or new: no simplification. */
int dag_intern(dag *g, op o, int a, int b, int c, long double k);

/* Operands of a node: 0 to 3 of them in out[]. */
int dag_operands(const node *n, int out[3]);
/* live[i] = 1 for node i and all that it is made of. */
void dag_mark(const dag *g, int i, char *live);
/* How many operations make the roots. */
int dag_operations(const dag *g, const int *roots, int root_count);

/* Constructors that simplify (simplify.c). */
int dag_const(dag *g, long double k);
int dag_load(dag *g, int slot);
int dag_vec(dag *g, const lanes *v);
int dag_neg(dag *g, int a);
int dag_add(dag *g, int a, int b);
int dag_sub(dag *g, int a, int b);
int dag_mul(dag *g, int a, int b);
int dag_fma(dag *g, int a, int b, int c);              /* a * b + c */
int dag_axpy(dag *g, int a, long double k, int b);     /* a + k * b */
int dag_alt_axpy(dag *g, int a, long double k, int b); /* a + ALT(k) * b */
int dag_fmalt(dag *g, int a, int b, int c);
int dag_swap(dag *g, int a);
int dag_shuffle(dag *g, int a, int b, const pattern *p);

/* Rewrites fused operations as products and sums for targets without them;
 * a product used by a sum and a difference is then computed once.  roots[]
 * are renumbered into the new graph, which is returned; g is freed. */
dag *dag_unfuse(dag *g, int *roots, int root_count);

#endif
