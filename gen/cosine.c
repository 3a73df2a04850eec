/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cosine.c - cosine transforms of reals of types II, III and IV as graphs; the
 * contract is in kinds.def.
 *
 * Type II of n is type II of n/2 of the sums of elements that mirror each
 * other, which gives the even outputs, and type IV of their differences, the
 * odd ones; type III is the same the other way round; type IV is a complex
 * transform of n/2 between two rotations.  Nothing but butterflies and
 * rotations, so as exact as a Fourier transform (Plonka and Tasche, "Fast and
 * numerically stable algorithms for discrete cosine transforms", Linear
 * Algebra and its Applications 394, 2005).  Of odd n: cosine_odd.c.
 */
#include "cosine.h"

#include "util.h"

#include <math.h>
#include <string.h>

/* k times the node, as cplx's scale. */
typedef struct scaled {
    int node;
    long double k;
} scaled;

static int settle(dag *g, scaled x)
{
    return dag_mul(g, x.node, dag_const(g, x.k));
}

/* With z[j] = c[j] (x[2j] + i x[n-1-2j]), c[j] = exp(-2 pi i (8j+1)/16n):
 * y[2k] + i y[n-1-2k] = conj (c[k] Z[k]).  `given`: the larger part of c[j] is a
 * factor that x[2j] and x[n-1-2j] have already. */
static void type4(const builder *b, int n, const int *x, int given, scaled *y)
{
    cplx legs[MAX_RADIX], z[MAX_RADIX];
    if (n % 2) {
        int odd[MAX_RADIX] = {x[0]};
        if (n > 1)
            cosine_odd_fourth(b, n, x, odd);
        for (int k = 0; k < n; ++k)
            y[k] = (scaled){odd[k], turn_cos(1, 8)};
        return;
    }
    for (int j = 0; j < n / 2; ++j)
        legs[j] = cplx_rotate(b, cplx_split(x[2 * j], x[n - 1 - 2 * j]),
                              8 * j + 1, 16 * n);
    for (int j = 0; given && j < n / 2; ++j)
        legs[j].scale = 1;
    algebra_dft_scaled(b, n / 2, algebra_leg, legs, z);
    for (int k = 0; k < n / 2; ++k) {
        const cplx turned = cplx_rotate(b, z[k], 8 * k + 1, 16 * n);
        y[2 * k] = (scaled){turned.re, turned.scale};
        y[n - 1 - 2 * k] = (scaled){dag_neg(b->g, turned.im), turned.scale};
    }
}

static void type2(const builder *b, int n, const int *x, scaled *y);

/* y of the sums and differences of n elements. */
static void weave(const builder *b, int n, const int *sums,
                  const int *differences, scaled *y)
{
    scaled even[MAX_RADIX], odd[MAX_RADIX];
    type2(b, n / 2, sums, even);
    type4(b, n / 2, differences, 0, odd);
    for (int k = 0; k < n / 2; ++k) {
        y[2 * k] = even[k];
        y[2 * k + 1] = odd[k];
    }
}

static void type2(const builder *b, int n, const int *x, scaled *y)
{
    int sums[MAX_RADIX] = {0}, differences[MAX_RADIX] = {0};
    if (n % 2) {
        int odd[MAX_RADIX] = {x[0]};
        if (n > 1)
            cosine_odd_second(b, n, x, odd);
        for (int k = 0; k < n; ++k)
            y[k] = (scaled){odd[k], 1};
        return;
    }
    for (int j = 0; j < n / 2; ++j) {
        sums[j] = dag_add(b->g, x[j], x[n - 1 - j]);
        differences[j] = dag_sub(b->g, x[j], x[n - 1 - j]);
    }
    weave(b, n, sums, differences, y);
}

/* The scale of y[k] is 1; x[k] may have those of cosine_third already. */
static void type3(const builder *b, int n, const int *x, int given, int *y)
{
    int even[MAX_RADIX] = {0}, odd[MAX_RADIX] = {0}, u[MAX_RADIX];
    scaled v[MAX_RADIX];
    if (n % 2) {
        y[0] = x[0];
        if (n > 1)
            cosine_odd_third(b, n, x, y);
        return;
    }
    for (int j = 0; j < n / 2; ++j) {
        even[j] = x[2 * j];
        odd[j] = x[2 * j + 1];
    }
    type3(b, n / 2, even, given, u);
    type4(b, n / 2, odd, given, v);
    for (int k = 0; k < n / 2; ++k) {
        y[k] = dag_axpy(b->g, u[k], v[k].k, v[k].node);
        y[n - 1 - k] = dag_axpy(b->g, u[k], -v[k].k, v[k].node);
    }
}

/* Type II with its scales: a product and fused operations instead of the
 * first sums. */
static void scaled_type2(const builder *b, int n, const int *x, const int *s,
                         int *y)
{
    dag *g = b->g;
    int sums[MAX_RADIX] = {0}, differences[MAX_RADIX] = {0};
    scaled out[MAX_RADIX];
    for (int j = 0; j < n / 2; ++j) { /* n is even: one of the two is odd */
        const int front = dag_mul(g, x[j], s[j % 2]);
        const int back = x[n - 1 - j], factor = s[1 - j % 2];
        sums[j] = dag_fma(g, back, factor, front);
        differences[j] = dag_fma(g, dag_neg(g, back), factor, front);
    }
    weave(b, n, sums, differences, out);
    for (int k = 0; k < n; ++k)
        y[k] = settle(g, out[k]);
    y[0] = dag_mul(g, y[0], s[2]);
}

/* The builder's sign is that of every transform within. */
static builder forward(dag *g)
{
    return (builder){g, 0, -1};
}

void cosine_second(dag *g, int n, const int *x, int *y)
{
    const builder b = forward(g);
    scaled out[MAX_RADIX];
    type2(&b, n, x, out);
    for (int k = 0; k < n; ++k) {
        const node *of = &g->nodes[out[k].node];
        const long double scale = cosine_scale(n, k);
        const int negated = of->op == OP_NEG && out[k].k * scale < 0;
        y[k] = negated ? of->a : out[k].node;
        if (fabsl((negated ? -out[k].k : out[k].k) - scale) > 1e-15L)
            gen_die("a cosine transform has other scales than its contract");
    }
}

void cosine_third(dag *g, int n, const int *x, int *y)
{
    const builder b = forward(g);
    type3(&b, n, x, 1, y);
}

/* Number k of n is number p of the type IV of q inside; 0: of one of type II or III. */
static int inside(int n, int k, int *p)
{
    for (; k && k % 2 == 0 && n % 2 == 0; k /= 2)
        n /= 2;
    *p = k / 2;
    return k && n % 2 == 0 ? n / 2 : 0;
}

long double cosine_given(int n, int k)
{
    int p;
    const int q = inside(n, k, &p);
    const int at = 8 * (p % 2 ? (q - 1 - p) / 2 : p / 2) + 1;
    if (q == 0 || q % 2)
        return 1;
    const long double c = turn_cos(at, 16 * q), s = turn_sin(at, 16 * q);
    return c > s ? c : s;
}

long double cosine_scale(int n, int k)
{
    int p;
    const int q = inside(n, k, &p);
    if (q == 0 || q % 2)
        return q ? turn_cos(1, 8) : 1;
    return (p % 2 ? -1 : 1) * turn_cos(1, 16 * q) * cosine_given(n, k);
}

program *cosine_program_new(const row *r)
{
    const int n = r->radix, type = kind_of(r->kind)->cosine;
    program *p = gen_alloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->radix = p->root_count = p->sink_count = n;
    p->g = dag_new(target_lanes(r->isa, r->real));
    const builder b = {p->g, 0, -1};
    int x[MAX_RADIX], s[3];
    scaled y[MAX_RADIX];
    for (int j = 0; j < n; ++j) {
        x[j] = dag_load(p->g, 2 * j);
        p->sinks[j] = (sink){j, 1};
    }
    for (int i = 0; i < 3; ++i)
        s[i] = dag_load(p->g, SLOT_TWIDDLE + i);
    if (type == 2) {
        scaled_type2(&b, n, x, s, p->roots);
    } else if (type == 3) {
        x[0] = dag_mul(p->g, x[0], s[2]);
        type3(&b, n, x, 0, p->roots);
    } else {
        type4(&b, n, x, 0, y);
        for (int k = 0; k < n; ++k)
            p->roots[k] = settle(p->g, y[k]);
    }
    for (int k = 0; k < n && type > 2; ++k)
        p->roots[k] = dag_mul(p->g, p->roots[k], s[k % 2]);
    if (!target_of(r->isa)->has_fma)
        p->g = dag_unfuse(p->g, p->roots, n);
    return p;
}
