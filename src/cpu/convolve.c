/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convolve.c - Rader and Bluestein: transforms as convolutions with a fixed
 * sequence whose spectrum (with the 1/m of the inverse) is a table.
 *
 * The inner length is transformed twice by one binding, of the sign of the
 * outer transform, which only fixes how the table is made.  Back is forth with
 * re and im exchanged on both ways (Bluestein's products do it), or with the
 * result in the opposite order (Rader's way of reading it).
 */
#include <string.h>

#include "cpu/move.h"
#include "cpu/spectrum.h"
#include "num/num.h"

typedef struct convolution {
    wf_node node;
    wf_mover mover;
    int64_t n, m;
    const void *spectrum;             /* m complex */
    const void *chirp_in, *chirp_out; /* Bluestein: n complex */
    const uint32_t *powers;           /* Rader: n - 1 */
    size_t buffer;                    /* bytes of m complex */
} convolution;

static void transform(const convolution *c, void *buffer, char *scratch)
{
    const wf_node *child = c->node.child[0];
    wf_samples one = {buffer, buffer, buffer, buffer};
    child->run(child, &one, scratch);
}

static void run_bluestein(const wf_node *node, const wf_samples *at,
                          char *scratch)
{
    const convolution *c = (const convolution *)node;
    size_t n = (size_t)c->n, m = (size_t)c->m;
    char *below = scratch + c->buffer;
    void *buffer = scratch;
    WF_MOVE(&c->mover, multiply, buffer, at->in_re, c->chirp_in, n);
    memset(wf_to(buffer, 2 * c->n, node->bytes), 0, 2 * (m - n) * node->bytes);
    transform(c, buffer, below);
    WF_MOVE(&c->mover, multiply_turned, buffer, (const void *)buffer,
            c->spectrum, m);
    transform(c, buffer, below);
    WF_MOVE(&c->mover, multiply_turned, at->out_re, (const void *)buffer,
            c->chirp_out, n);
}

/* a[0..1] + b[0..1] to sum: the three single elements Rader treats apart. */
static void add_one(wf_real real, void *sum, const void *a, const void *b)
{
    if (real == WF_F64) {
        const double *x = a, *y = b;
        double re = x[0] + y[0], im = x[1] + y[1];
        ((double *)sum)[0] = re;
        ((double *)sum)[1] = im;
    } else {
        const float *x = a, *y = b;
        float re = x[0] + y[0], im = x[1] + y[1];
        ((float *)sum)[0] = re;
        ((float *)sum)[1] = im;
    }
}

/* X[0] = x[0] + sum of the others; adding x[0] to the product's element 0
 * adds it to every other output. */
static void run_rader(const wf_node *node, const wf_samples *at, char *scratch)
{
    const convolution *c = (const convolution *)node;
    size_t m = (size_t)c->m;
    char *below = scratch + c->buffer;
    void *buffer = scratch;
    double x0[2], sum[2]; /* room for either type */
    memcpy(x0, at->in_re, 2 * node->bytes);
    WF_MOVE(&c->mover, gather_index, buffer, at->in_re, c->powers, m);
    transform(c, buffer, below);
    add_one(node->real, sum, x0, buffer);
    WF_MOVE(&c->mover, multiply, buffer, (const void *)buffer, c->spectrum, m);
    add_one(node->real, buffer, buffer, x0);
    transform(c, buffer, below);
    WF_MOVE(&c->mover, scatter_index, at->out_re, (const void *)buffer,
            c->powers, m);
    memcpy(at->out_re, sum, 2 * node->bytes);
}

/* ---- Binding ------------------------------------------------------------- */

static weft_status bind_inner(const wf_binder *binder, const wf_step *child,
                              convolution *c)
{
    wf_usage usage = {.in_place = true, .split = false, .scale = 1};
    wf_node *node;
    weft_status status = wf_bind_transform(binder, child, &usage, &node);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&c->node, node);
    c->buffer = wf_round64((size_t)c->m * 2 * binder->bytes);
    c->node.scratch = c->buffer + node->scratch;
    return WEFT_OK;
}

static convolution *new_convolution(const wf_binder *binder,
                                    const wf_step *step, int64_t m,
                                    wf_run *run)
{
    convolution *c = (convolution *)wf_node_new(binder, sizeof *c, run);
    if (c != NULL) {
        c->mover = wf_mover_best(binder->real);
        c->n = step->n;
        c->m = m;
    }
    return c;
}

/* Half a circle of roots, of which the others are conjugates; turn: -1 for the
 * conjugates of all, which a forward transform has. */
typedef struct half_circle {
    int64_t n;
    double turn;
    double *re_im;
} half_circle;

static weft_status open_circle(const wf_binder *binder, int64_t n,
                               half_circle *roots)
{
    size_t scalars;
    *roots = (half_circle){.n = n, .turn = binder->inverse ? 1 : -1};
    if (!wf_mul_size((size_t)(n / 2 + 1), 2 * sizeof(double), &scalars))
        return wf_fail(WEFT_ERR_OVERFLOW, "table of %lld roots", (long long)n);
    roots->re_im = wf_alloc(scalars);
    if (roots->re_im != NULL &&
        wf_roots_half((uint64_t)n, wf_turn_best(), roots->re_im))
        return WEFT_OK;
    wf_free(roots->re_im);
    return wf_no_memory();
}

/* Root k, 0 <= k < n. */
static inline void read_root(const half_circle *roots, int64_t k, double *re,
                             double *im)
{
    const bool mirrored = k > roots->n / 2;
    const double *w = &roots->re_im[2 * (mirrored ? roots->n - k : k)];
    *re = w[0];
    *im = mirrored ? -roots->turn * w[1] : roots->turn * w[1];
}

static inline void put(wf_real real, void *table, int64_t k, double re,
                       double im)
{
    wf_table_set(real, table, 2 * k, re);
    wf_table_set(real, table, 2 * k + 1, im);
}

/* Where the chirp goes: what the transform begins and ends with, and what
 * becomes its spectrum. */
typedef struct chirp {
    int64_t n, m;
    double scale; /* of out */
    void *in, *out, *h;
} chirp;

static inline void put_chirp(wf_real real, const chirp *c, int64_t k,
                             double re, double im)
{
    put(real, c->in, k, re, im);
    if (c->out != c->in)
        put(real, c->out, k, c->scale * re, c->scale * im);
    put(real, c->h, k, re, im);
    put(real, c->h, k == 0 ? 0 : c->m - k, re, im);
}

/* exp(-+ pi i k^2 / n) to both tables, and as conj h[+-k], wrapped, to the one
 * that will be the spectrum.  k^2 mod 2n by its differences, the odd numbers;
 * n - k has the same but for the sign of odd n; roots: of 2n.  h is even, so
 * that the transform of conj h is the conjugate spectrum that multiply_turned
 * wants. */
static inline void fill_chirp(wf_real real, const chirp *c,
                              const half_circle *roots)
{
    const double sign = c->n % 2 == 0 ? 1 : -1;
    const int64_t gap = c->m - 2 * c->n + 1;
    memset(wf_to(c->h, 2 * c->n, real == WF_F64 ? 8 : 4), 0,
           2 * (size_t)gap * (real == WF_F64 ? 8 : 4));
    put_chirp(real, c, 0, 1, 0);
    for (int64_t k = 1, square = 1; k <= c->n / 2; k++) {
        double re, im;
        read_root(roots, square, &re, &im);
        put_chirp(real, c, k, re, im);
        put_chirp(real, c, c->n - k, sign * re, sign * im);
        square += 2 * k + 1;
        square = square >= 2 * c->n ? square - 2 * c->n : square;
    }
}

static weft_status make_chirps(const wf_binder *binder, convolution *c,
                               double scale)
{
    void *in = wf_node_table(&c->node, 2 * (size_t)c->n);
    void *out = scale == 1 ? in : wf_node_table(&c->node, 2 * (size_t)c->n);
    void *spectrum = wf_node_table(&c->node, 2 * (size_t)c->m);
    half_circle roots;
    if (in == NULL || out == NULL || spectrum == NULL ||
        open_circle(binder, 2 * c->n, &roots) != WEFT_OK)
        return wf_no_memory();
    const chirp all = {c->n, c->m, scale, in, out, spectrum};
    if (binder->real == WF_F64)
        fill_chirp(WF_F64, &all, &roots);
    else
        fill_chirp(WF_F32, &all, &roots);
    wf_free(roots.re_im);
    c->chirp_in = in;
    c->chirp_out = out;
    c->spectrum = spectrum;
    const wf_sequence sequence = {.m = c->m,
                                  .symmetry = WF_SYMMETRY_EVEN,
                                  .energy = (double)(2 * c->n - 1),
                                  .factor = 1};
    return wf_spectrum(c->node.child[0], &sequence, spectrum);
}

weft_status wf_bind_bluestein(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "bluestein on split data");
    convolution *c = new_convolution(binder, step, step->split[0],
                                     run_bluestein);
    if (c == NULL)
        return wf_no_memory();
    weft_status status = bind_inner(binder, step->child[0], c);
    if (status == WEFT_OK)
        status = make_chirps(binder, c, usage->scale);
    if (status != WEFT_OK) {
        wf_node_free(&c->node);
        return status;
    }
    *node = &c->node;
    return WEFT_OK;
}

/* The sequence exp(-+ 2 pi i g^-q / n).  The convolution's element q belongs to
 * g^-q, and is element -q of what the second transform makes. */
static inline void fill_sequence(wf_real real, const half_circle *roots,
                                 const uint32_t *powers, int64_t m,
                                 void *sequence)
{
    for (int64_t q = 0; q < m / 2; q++) {
        double re, im;
        read_root(roots, powers[q], &re, &im);
        put(real, sequence, q == 0 ? 0 : m - q, re, im);
        put(real, sequence, m / 2 - q, re, -im);
    }
}

/* g^q: with m = n - 1, g^(m/2) = -1 mod n. */
static weft_status make_powers(const wf_binder *binder, convolution *c)
{
    const uint64_t n = (uint64_t)c->n;
    const int64_t half = c->m / 2;
    uint32_t *powers = wf_node_index_table(&c->node, c->m);
    void *spectrum = wf_node_table(&c->node, 2 * (size_t)c->m);
    half_circle roots;
    if (powers == NULL || spectrum == NULL ||
        open_circle(binder, c->n, &roots) != WEFT_OK)
        return wf_no_memory();
    wf_powers_mod(wf_primitive_root(n), n, (size_t)half, powers);
    for (int64_t q = 0; q < half; q++)
        powers[half + q] = (uint32_t)n - powers[q];
    if (binder->real == WF_F64)
        fill_sequence(WF_F64, &roots, powers, c->m, spectrum);
    else
        fill_sequence(WF_F32, &roots, powers, c->m, spectrum);
    wf_free(roots.re_im);
    c->powers = powers;
    c->spectrum = spectrum;
    const wf_sequence sequence = {.m = c->m,
                                  .symmetry = WF_SYMMETRY_TURNED,
                                  .energy = (double)c->m,
                                  .gauss = c->n,
                                  .factor = 1};
    return wf_spectrum(c->node.child[0], &sequence, spectrum);
}

weft_status wf_bind_rader(const wf_binder *binder, const wf_step *step,
                          const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n > INT32_MAX || !wf_is_prime((uint64_t)step->n))
        return wf_fail(WEFT_ERR_ARGUMENT, "rader %lld: not for this length",
                       (long long)step->n);
    convolution *c = new_convolution(binder, step, step->n - 1, run_rader);
    if (c == NULL)
        return wf_no_memory();
    weft_status status = bind_inner(binder, step->child[0], c);
    if (status == WEFT_OK)
        status = make_powers(binder, c);
    if (status != WEFT_OK) {
        wf_node_free(&c->node);
        return status;
    }
    *node = &c->node;
    return WEFT_OK;
}
