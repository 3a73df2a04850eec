/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eval.c - runs a program as its own oracle.
 *
 * Every node is evaluated in the kernel's type with one rounding an
 * operation, exactly as the hardware would, and the outputs are compared
 * with a long double transform of the same inputs by the definition.
 */
#include "program.h"

#include "util.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double rounded(double x, wf_real real)
{
    return real == WF_F32 ? (double)(float)x : x;
}

static double fused(double a, double b, double c, wf_real real)
{
    if (real == WF_F32)
        return (double)fmaf((float)a, (float)b, (float)c);
    return fma(a, b, c);
}

typedef struct value {
    double lane[MAX_LANES];
} value;

/* Lane l of node n. */
static double eval_lane(const dag *g, const node *n, const value *v, int l,
                        wf_real real)
{
    int x[3];
    double a = 0, b = 0, c = 0;
    const int count = dag_operands(n, x);
    if (count > 0)
        a = v[x[0]].lane[l];
    if (count > 1)
        b = v[x[1]].lane[l];
    if (count > 2)
        c = v[x[2]].lane[l];
    switch (n->op) {
    case OP_CONST: return rounded((double)n->k, real);
    case OP_ALT: return rounded((double)(l % 2 ? n->k : -n->k), real);
    case OP_VEC: return rounded((double)g->vecs[n->a].k[l], real);
    case OP_ADD: return rounded(a + b, real);
    case OP_SUB: return rounded(a - b, real);
    case OP_NEG: return -a;
    case OP_MUL: return rounded(a * b, real);
    case OP_FMA: return fused(a, b, c, real);
    case OP_FNMA: return fused(-a, b, c, real);
    case OP_FMS: return fused(a, b, -c, real);
    case OP_FMALT: return fused(a, b, l % 2 ? c : -c, real);
    case OP_SWAP: return v[n->a].lane[l ^ 1];
    case OP_SHUF: {
        const int from = g->patterns[n->c].src[l];
        return from < g->width ? v[n->a].lane[from]
                               : v[n->b].lane[from - g->width];
    }
    case OP_LOAD: break;
    }
    gen_die("an operation the evaluator does not know");
}

/* Small reproducible numbers in [-1, 1). */
static double noise(unsigned i)
{
    unsigned x = i * 2654435761u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (double)x / 2147483648.0 - 1;
}

/* The value of an input slot; twiddles are points of the unit circle. */
static double input(int slot, wf_real real)
{
    if (slot == SLOT_SCALE)
        return 0.5;
    if (slot < SLOT_TWIDDLE)
        return rounded(noise((unsigned)slot), real);
    const int j = (slot - SLOT_TWIDDLE) / 2;
    const long double c = slot % 2 ? turn_sin(7L * j + 3, 1009)
                                   : turn_cos(7L * j + 3, 1009);
    return rounded((double)c, real);
}

static void reference_leg(const kind_info *kind, int j, wf_real real,
                          long double *re, long double *im)
{
    *re = (long double)input(2 * j, real);
    *im = (kind->half && kind->first) || kind->reals < 0
              ? 0
              : (long double)input(2 * j + 1, real);
    if (kind->twiddles && j > 0) {
        const int slot = SLOT_TWIDDLE + 2 * (j - 1);
        const long double c = (long double)input(slot, real);
        const long double d = (long double)input(slot + 1, real);
        const long double x = *re * c - *im * d;
        *im = *re * d + *im * c;
        *re = x;
    } else if (kind->scaled) {
        *re *= 0.5L;
        *im *= 0.5L;
    }
}

/* Number part (0 re, 1 im) of element j of transform t. */
static double leaf_input(int t, int j, int part, wf_real real)
{
    return rounded(noise((unsigned)(1000 * t + 2 * j + part)), real);
}

/* Which transform and element lane l of the vector at element `place` is. */
static void leaf_lane(const program *p, int place, int l, int *t, int *j)
{
    *t = p->leaf.rows ? 0 : l / 2;
    *j = p->leaf.rows ? place + l / 2 : place;
}

/* Lane l of an input. */
typedef double input_fn(const program *p, wf_real real, int slot, int l);

static double split_lane(const program *p, wf_real real, int slot, int l)
{
    (void)p;
    (void)l;
    return input(slot, real);
}

static double interleaved_lane(const program *p, wf_real real, int slot, int l)
{
    int t, j;
    leaf_lane(p, slot, l, &t, &j);
    return leaf_input(t, j, l & 1, real);
}

/* The factor of leg q > 0 of row t. */
static double turned_by(int q, int t, int part, wf_real real)
{
    const long turn = 7L * q + 31 * t;
    return rounded(
        (double)(part ? turn_sin(turn, 1009) : turn_cos(turn, 1009)), real);
}

static double within_lane(const program *p, wf_real real, int slot, int l)
{
    const int turn = slot - SLOT_TWIDDLE, q = turn / 2 + 1;
    if (turn < 0)
        return interleaved_lane(p, real, slot, l);
    const double factor = turned_by(q, l / 2, turn % 2, real);
    return turn % 2 && l % 2 == 0 ? -factor : factor;
}

static value *eval_graph(const program *p, wf_real real, input_fn *in)
{
    const dag *g = p->g;
    value *v = gen_alloc((size_t)g->count * sizeof *v);
    for (int i = 0; i < g->count; ++i)
        for (int l = 0; l < (p->interleaved ? g->width : 1); ++l) {
            const node *n = &g->nodes[i];
            v[i].lane[l] = n->op == OP_LOAD ? in(p, real, n->a, l)
                                            : eval_lane(g, n, v, l, real);
        }
    return v;
}

/* Element k of the transform of n legs x, by the definition. */
static void reference(int n, int sign, int k, long double (*x)[2],
                      long double y[2])
{
    y[0] = y[1] = 0;
    for (int j = 0; j < n; ++j) {
        const long double c = turn_cos((long)j * k, n);
        const long double s = sign * turn_sin((long)j * k, n);
        y[0] += x[j][0] * c - x[j][1] * s;
        y[1] += x[j][0] * s + x[j][1] * c;
    }
}

/* Element k of a cosine transform; see kinds.def. */
static long double reference_cosine(int type, int n, int k, wf_real real)
{
    long double y = 0, s[3];
    for (int i = 0; i < 3; ++i)
        s[i] = (long double)input(SLOT_TWIDDLE + i, real);
    for (int j = 0; j < n; ++j) {
        const long turns = type == 2   ? (2L * j + 1) * 2 * k
                           : type == 3 ? 2L * j * (2 * k + 1)
                                       : (2L * j + 1) * (2 * k + 1);
        const long double x = (long double)input(2 * j, real) *
                              turn_cos(turns, 8 * n);
        y += x * s[type == 2 ? j % 2 : k % 2] * (type == 3 && !j ? s[2] : 1);
    }
    return type == 2 && !k ? y * s[2] : y;
}

typedef struct errors {
    long double worst, largest;
} errors;

static void compare(errors *e, long double expected, double got)
{
    e->worst = fmaxl(e->worst, fabsl(expected - (long double)got));
    e->largest = fmaxl(e->largest, fabsl(expected));
}

static void compare_split(errors *e, const program *p, const row *r,
                          const value *v, int sign)
{
    long double x[MAX_RADIX][2], y[2];
    for (int j = 0; j < p->radix; ++j)
        reference_leg(kind_of(r->kind), j, r->real, &x[j][0], &x[j][1]);
    const kind_info *kind = kind_of(r->kind);
    const int mirrored = kind->half && !kind->first && kind->half != HARTLEY;
    for (int k = 0; k < p->root_count / 2; ++k) {
        reference(p->radix, sign, k, x, y);
        if (mirrored && 2 * k > p->radix)
            y[1] = -y[1];
        if (kind->half == HARTLEY) {
            y[1] += y[0];
            y[0] += y[0] - y[1];
        }
        compare(e, y[0], v[p->roots[2 * k]].lane[0]);
        compare(e, y[1], v[p->roots[2 * k + 1]].lane[0]);
    }
}

/* Columns of half spectra to reals. */
static void compare_back(errors *e, const program *p, const row *r,
                         const value *v)
{
    const int n = p->radix;
    long double x[MAX_RADIX][2], y[2];
    for (int j = 0; j < n; ++j) {
        const int k = 2 * j > n ? n - j : j;
        x[j][0] = (long double)input(2 * k, r->real);
        x[j][1] = k == 0 || 2 * k == n
                      ? 0
                      : (long double)input(2 * k + 1, r->real);
        if (k != j)
            x[j][1] = -x[j][1];
    }
    for (int k = 0; k < n; ++k) {
        reference(n, 1, k, x, y);
        compare(e, y[0], v[p->roots[k]].lane[0]);
    }
}

/* Leg j of the complex transform that a real leaf is part of. */
static void real_leg(const program *p, wf_real real, int sign, int t, int j,
                     long double x[2])
{
    const int m = p->radix, k = j <= m ? j : 2 * m - j;
    if (sign < 0) {
        x[0] = (long double)leaf_input(t, j / 2, j % 2, real);
        x[1] = 0;
        return;
    }
    x[0] = (long double)leaf_input(t, k, 0, real);
    x[1] = k % m == 0 ? 0 : (long double)leaf_input(t, k, 1, real);
    if (j > m)
        x[1] = -x[1];
}

static void compare_real_leaf(errors *e, const program *p, const row *r,
                              const value *v, int sign)
{
    for (int i = 0; i < p->root_count; ++i)
        for (int l = 0; l < p->g->width; l += 2) {
            long double x[MAX_RADIX][2], y[2], z[2];
            int t, k;
            leaf_lane(p, p->places[i], l, &t, &k);
            if (p->lone && i == p->lone && l > 0)
                break;
            for (int j = 0; j < r->radix; ++j)
                real_leg(p, r->real, sign, t, j, x[j]);
            if (sign < 0) {
                reference(r->radix, sign, k, x, y);
            } else {
                reference(r->radix, sign, 2 * k, x, y);
                reference(r->radix, sign, 2 * k + 1, x, z);
                y[1] = z[0];
            }
            compare(e, y[0], v[p->roots[i]].lane[l]);
            compare(e, y[1], v[p->roots[i]].lane[l + 1]);
        }
}

static void compare_leaf(errors *e, const program *p, const row *r,
                         const value *v, int sign)
{
    for (int i = 0; i < p->root_count; ++i)
        for (int l = 0; l < p->g->width; l += 2) {
            long double x[MAX_RADIX][2], y[2];
            int t, k;
            leaf_lane(p, p->places[i], l, &t, &k);
            for (int j = 0; j < p->radix; ++j)
                for (int part = 0; part < 2; ++part)
                    x[j][part] = (long double)leaf_input(t, j, part, r->real);
            reference(p->radix, sign, k, x, y);
            compare(e, y[0], v[p->roots[i]].lane[l]);
            compare(e, y[1], v[p->roots[i]].lane[l + 1]);
        }
}

/* Leg j of vector t, as the DFT of a WITHIN kind has it. */
static void within_leg(const row *r, int t, int j, long double x[2])
{
    const long double re = (long double)leaf_input(t, j, 0, r->real);
    const long double im = (long double)leaf_input(t, j, 1, r->real);
    const int turned = kind_of(r->kind)->twiddles && j > 0;
    const long double c = turned ? (long double)turned_by(j, t, 0, r->real)
                                 : 1;
    const long double d = turned ? (long double)turned_by(j, t, 1, r->real)
                                 : 0;
    x[0] = re * c - im * d;
    x[1] = re * d + im * c;
}

static void compare_within(errors *e, const program *p, const row *r,
                           const value *v)
{
    const int c = p->g->width / 2,
              columns = kind_of(r->kind)->within == WITHIN_FIRST;
    for (int i = 0; i < p->root_count; ++i)
        for (int l = 0; l < c; ++l) {
            long double x[MAX_RADIX][2], y[2];
            const int place = p->places[i];
            const int t = columns ? place % c : l;
            const int k = columns ? leaf_start(p->radix, c, place / c) + l
                                  : place;
            for (int j = 0; j < p->radix; ++j)
                within_leg(r, t, j, x[j]);
            reference(p->radix, -1, k, x, y);
            compare(e, y[0], v[p->roots[i]].lane[2 * l]);
            compare(e, y[1], v[p->roots[i]].lane[2 * l + 1]);
        }
}

/* ---- Alone: with tables as the engine makes them ------------------------- */

/* Number i of what comes after the factors of a type. */
static long double alone_more(int type, int sine, int n, int i)
{
    const int q = wf_alone_columns(n), sign = sine ? -1 : 1;
    const int at = i - ALONE_TURNS, t = (i - ALONE_ENDS) % ALONE_ROW;
    const int row = (i - ALONE_ENDS) / ALONE_ROW;
    const int y = type == 2 ? t : row, l = type == 2 ? row : t;
    if (i < ALONE_SIGN)
        return i < q / 2 ? sign : -sign;
    if (i < ALONE_TURNS)
        return sign;
    if (i < ALONE_ENDS)
        return sign *
               (at % 2 ? turn_sin(at / 2, 2 * q) : turn_cos(at / 2, 2 * q));
    const int first = type == 2 ? 2 : 1;
    if (y == 0)
        return sine ? (l % 2 ? first : -first) : first;
    return sine ? -2 * turn_sin(y * (2 * l + 1), 2 * q)
                : 2 * turn_cos(y * (2 * l + 1), 2 * q);
}

static long double alone_table(int type, int sine, int n, int i)
{
    const int m = n / wf_alone_columns(n), k = i % m + 1, row = i / m;
    const int q = wf_alone_columns(n), upper = row % 2;
    const int l = upper ? q / 2 - 1 - row / 8 : row / 8;
    const int which = row % 8 / 2 ^ upper, u = q - 1 - 2 * l;
    if (i >= 2 * n)
        return alone_more(type, sine, n, i - 2 * n);
    const int swap = (which == 1 || which == 3) != sine;
    const int minus = (which >= 2) && ((l % 2) ^ sine ^ (which == 3));
    long double f = swap ? turn_sin((long)k * u, 4 * n)
                         : turn_cos((long)k * u, 4 * n);
    const int sum = which == 0 || which == 3, number = sum ? k : m - k;
    if (type == 2)
        f *= number < m ? cosine_scale(m, number) : 0;
    else
        f *= number < m ? cosine_given(m, number) : 1;
    return (minus ? -2 : 2) * (type == 3 && k == m ? f / 2 : f);
}

static double alone_number(int j, wf_real real)
{
    return rounded(noise((unsigned)j), real);
}

static double alone_input_lane(const program *p, wf_real real, int slot, int l,
                               int type, int sine)
{
    const int n = p->radix;
    const int at = alone_lane(slot, l, p->g->width);
    if (slot == ALONE_APART)
        return alone_number(sine ? n - 1 : 0, real);
    if (slot & ALONE_TABLE)
        return rounded((double)alone_table(type, sine, n, at), real);
    return alone_number(type == 3 && sine ? at - 1 : at, real);
}

static double cosine2_lane(const program *p, wf_real real, int slot, int l)
{
    return alone_input_lane(p, real, slot, l, 2, 0);
}

static double sine2_lane(const program *p, wf_real real, int slot, int l)
{
    return alone_input_lane(p, real, slot, l, 2, 1);
}

static double cosine3_lane(const program *p, wf_real real, int slot, int l)
{
    return alone_input_lane(p, real, slot, l, 3, 0);
}

static double sine3_lane(const program *p, wf_real real, int slot, int l)
{
    return alone_input_lane(p, real, slot, l, 3, 1);
}

/* By the definition, REDFT10 to RODFT01 of weft.h. */
static long double reference_alone(int type, int sine, int n, int k,
                                   wf_real real)
{
    long double y = 0;
    for (int j = 0; j < n; ++j) {
        const long a = type == 2 ? 2 * j + 1 : 2 * k + 1;
        const long b = (type == 2 ? k : j) + sine;
        const int end = type == 3 && j == (sine ? n - 1 : 0);
        y += (long double)alone_number(j, real) * (end ? 1 : 2) *
             (sine ? turn_sin(a * b, 4L * n) : turn_cos(a * b, 4L * n));
    }
    return y;
}

static void compare_alone(errors *e, const program *p, const row *r, int sine)
{
    static input_fn *const lane[2][2] = {{cosine2_lane, sine2_lane},
                                         {cosine3_lane, sine3_lane}};
    const int type = kind_of(r->kind)->cosine, n = p->radix;
    const int q = wf_alone_columns(n);
    const int back = type == 2 && sine; /* out_re is one element before */
    value *v = eval_graph(p, r->real, lane[type - 2][sine]);
    for (int i = 0; i < p->root_count; ++i)
        for (int l = 0; l < p->g->width; ++l) {
            int k = alone_lane(p->places[i], l, p->g->width) - back;
            if (p->lone && i >= p->lone - 1) {
                const int t = p->places[i] + l;
                if (t >= q / 2)
                    break;
                k = t ? 2 * (n / q) * t - back : sine ? n - 1 : 0;
            }
            compare(e, reference_alone(type, sine, n, k, r->real),
                    v[p->roots[i]].lane[l]);
        }
    free(v);
}

double eval_program(const program *p, const row *r)
{
    const kind_info *kind = kind_of(r->kind);
    const int sign = kind->leaf ? kind->leaf : -1;
    errors e = {0, 0};
    value *v = NULL;
    for (int sine = 0; kind->alone && sine < 2; ++sine)
        compare_alone(&e, p, r, sine);
    if (!kind->alone)
        v = eval_graph(p, r->real,
                       kind->within     ? within_lane
                       : p->interleaved ? interleaved_lane
                                        : split_lane);
    if (kind->alone)
        (void)sign;
    else if (kind->cosine)
        for (int k = 0; k < p->radix; ++k)
            compare(&e, reference_cosine(kind->cosine, p->radix, k, r->real),
                    v[p->roots[k]].lane[0]);
    else if (kind->real)
        compare_real_leaf(&e, p, r, v, sign);
    else if (kind->reals > 0)
        compare_back(&e, p, r, v);
    else if (kind->within)
        compare_within(&e, p, r, v);
    else if (p->interleaved)
        compare_leaf(&e, p, r, v, sign);
    else
        compare_split(&e, p, r, v, sign);
    free(v);
    return (double)(e.worst / e.largest /
                    (r->real == WF_F32 ? FLT_EPSILON : DBL_EPSILON));
}
