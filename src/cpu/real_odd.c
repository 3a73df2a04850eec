/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * real_odd.c - one real vector of odd length, unit stride, by other means than
 * passes: primes as a convolution of reals, others row by row; and C2R by what
 * makes R2C.
 */
#include <string.h>

#include "cpu/move.h"
#include "cpu/spectrum.h"
#include "num/num.h"

/* ---- C2R: by Hartley numbers --------------------------------------------- */

typedef struct turned {
    wf_node node;
    wf_mover mover;
    wf_r2r_pass turn;
    size_t buffer;
} turned;

static void run_turned(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const turned *t = (const turned *)node;
    wf_samples there = {scratch, scratch, at->out_re, at->out_re};
    WF_MOVE(&t->mover, odd_out, (void *)scratch, at->in_re, &t->turn);
    node->child[0]->run(node->child[0], &there, scratch + t->buffer);
}

weft_status wf_bind_turned(const wf_binder *binder, const wf_step *step,
                           const wf_usage *usage, wf_bind *forward,
                           wf_node **node)
{
    *node = NULL;
    turned *t = (turned *)wf_node_new(binder, sizeof *t, run_turned);
    if (t == NULL)
        return wf_no_memory();
    wf_binder below = *binder;
    wf_usage inside = {.hartley = true, .scale = usage->scale};
    wf_node *child;
    below.inverse = false;
    weft_status status = forward(&below, step, &inside, &child);
    if (status != WEFT_OK) {
        wf_node_free(&t->node);
        return status;
    }
    wf_node_adopt(&t->node, child);
    t->mover = wf_mover_best(binder->real);
    t->turn = (wf_r2r_pass){
        .form = WF_R2R_HARTLEY, .n = (size_t)step->n, .scale = 1, .first = 1};
    t->buffer = wf_round64((size_t)step->n * binder->bytes);
    t->node.scratch = t->buffer + child->scratch;
    *node = &t->node;
    return WEFT_OK;
}

/* ---- rrader -------------------------------------------------------------- */

typedef struct prime {
    wf_node node;
    wf_mover mover;
    size_t n, m; /* m: of the convolution, n - 1 or, padded, from 2n - 3 */
    double scale;
    const void *spectrum;         /* m/2 + 1 complex */
    const uint32_t *pick, *place; /* before and after it */
    size_t buffer;                /* bytes of m + 2 reals */
} prime;

/* first + the sum of all, and with it to every output of the convolution. */
static double take_first(const prime *p, void *buffer, double first)
{
    double sum;
    if (p->node.real == WF_F64) {
        double *v = buffer;
        sum = first + v[0];
    } else {
        float *v = buffer;
        sum = (float)first + v[0];
    }
    return sum;
}

static void add_first(const prime *p, void *buffer, double first)
{
    if (p->node.real == WF_F64)
        ((double *)buffer)[0] += first;
    else
        ((float *)buffer)[0] += (float)first;
}

/* The convolution of the n - 1 reals in the buffer; `first` is the sample that
 * is not among them, `share` what is to be added of it to every output.
 * Returns the sum of all n. */
static double convolve(const prime *p, char *buffer, double first,
                       double share, char *scratch)
{
    const wf_node *node = &p->node;
    wf_samples at = {buffer, buffer, buffer, buffer};
    size_t count = p->n - 1;
    if (p->m != count)
        memset(wf_to(buffer, (ptrdiff_t)count, node->bytes), 0,
               (p->m - count) * node->bytes);
    node->child[0]->run(node->child[0], &at, scratch);
    double sum = take_first(p, buffer, first);
    WF_MOVE(&p->mover, multiply, (void *)buffer, (const void *)buffer,
            p->spectrum, p->m / 2 + 1);
    add_first(p, buffer, share);
    node->child[1]->run(node->child[1], &at, scratch);
    return sum;
}

static void run_prime(const wf_node *node, const wf_samples *at, char *scratch)
{
    const prime *p = (const prime *)node;
    double first = wf_table_get(node->real, at->in_re, 0);
    WF_MOVE(&p->mover, pick, (void *)scratch, at->in_re, p->pick, p->n - 1);
    double sum = convolve(p, scratch, first, p->scale / 2 * first,
                          scratch + p->buffer);
    WF_MOVE(&p->mover, hartley_place, wf_to(at->out_re, 2, node->bytes),
            (const void *)scratch, p->place, p->n / 2);
    wf_table_set(node->real, at->out_re, 0, p->scale * sum);
    wf_table_set(node->real, at->out_re, 1, 0);
}

static void run_prime_back(const wf_node *node, const wf_samples *at,
                           char *scratch)
{
    const prime *p = (const prime *)node;
    double first = wf_table_get(node->real, at->in_re, 0);
    WF_MOVE(&p->mover, hartley_pick, (void *)scratch, at->in_re, p->pick,
            p->n / 2);
    double sum = convolve(p, scratch, first, p->scale * first,
                          scratch + p->buffer);
    WF_MOVE(&p->mover, pick, wf_to(at->out_re, 1, node->bytes),
            (const void *)scratch, p->place, p->n - 1);
    wf_table_set(node->real, at->out_re, 0, p->scale * sum);
}

/* As 2 k, odd when k is in the mirrored half and n - k has its conjugate. */
static uint32_t half_index(uint64_t k, uint64_t n)
{
    return (uint32_t)(k <= n / 2 ? 2 * k : 2 * (n - k) + 1);
}

/* With g a generator, element q of the convolution's input is x[g^q] and
 * element q of its output belongs to g^-q; g^((n-1)/2) = -1, so that x[k] and
 * x[-k] are half of it apart.  The sequence is cas(2 pi g^-q / n), cyclic
 * with n - 1 also where it is padded. */
static weft_status make_powers(const wf_binder *binder, prime *p)
{
    uint64_t n = p->n, count = n - 1, half = count / 2;
    uint32_t *pick = wf_node_index_table(&p->node, (int64_t)count);
    uint32_t *place = wf_node_index_table(&p->node, (int64_t)count);
    void *b = wf_node_table(&p->node, p->m + 2);
    bool padded = p->m != count; /* all but b[0] are there twice */
    wf_roots_table roots = {0};
    if (pick == NULL || place == NULL || b == NULL ||
        wf_roots_make((int64_t)n, true, &roots) != WEFT_OK)
        return wf_no_memory();
    memset(b, 0, p->m * binder->bytes);
    /* pick holds the powers themselves until each has been used */
    wf_powers_mod(wf_primitive_root(n), n, count, pick);
    for (uint64_t q = 0; q < count; q++) {
        uint64_t up = pick[q];
        uint64_t mirror = q == 0 ? 0 : count - q; /* up = g^-mirror */
        double cas = roots.re_im[2 * up] + roots.re_im[2 * up + 1];
        wf_table_set(binder->real, b, (int64_t)mirror, cas);
        if (padded && mirror != 0)
            wf_table_set(binder->real, b, (int64_t)(p->m - count + mirror),
                         cas);
        if (binder->inverse) {
            if (q < half)
                pick[q] = half_index(up, n);
            place[up - 1] = (uint32_t)(2 * mirror);
        } else {
            pick[q] = (uint32_t)(2 * up);
            if (mirror < half) /* a, b at mirror are those of k = up */
                place[(up <= n / 2 ? up : n - up) - 1] =
                    (uint32_t)(2 * mirror + (up > n / 2));
        }
    }
    wf_roots_drop(&roots);
    p->pick = pick;
    p->place = place;
    p->spectrum = b;
    double first = wf_table_get(binder->real, b, 0);
    const wf_sequence sequence = {
        .m = (int64_t)p->m,
        .energy = padded ? 2 * (double)count - first * first : (double)count,
        .gauss = padded ? 0 : (int64_t)n,
        .factor = binder->inverse ? p->scale : p->scale / 2};
    return wf_real_spectrum(p->node.child[0], &sequence, b);
}

static weft_status bind_inner(const wf_binder *binder, const wf_step *child,
                              wf_node *node)
{
    wf_binder below = *binder;
    wf_usage usage = {.in_place = true, .scale = 1};
    for (int i = 0; i < 2; i++) {
        wf_node *bound;
        below.inverse = i == 1;
        weft_status status = wf_bind_transform(&below, child, &usage, &bound);
        if (status != WEFT_OK)
            return status;
        wf_node_adopt(node, bound);
        if (node->scratch < bound->scratch)
            node->scratch = bound->scratch;
    }
    return WEFT_OK;
}

weft_status wf_bind_real_rader(const wf_binder *binder, const wf_step *step,
                               const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n < 3 || step->n > INT32_MAX / 2 ||
        !wf_is_prime((uint64_t)step->n))
        return wf_fail(WEFT_ERR_ARGUMENT, "rrader %lld: not for this length",
                       (long long)step->n);
    prime *p = (prime *)wf_node_new(
        binder, sizeof *p, binder->inverse ? run_prime_back : run_prime);
    if (p == NULL)
        return wf_no_memory();
    p->mover = wf_mover_best(binder->real);
    p->n = (size_t)step->n;
    p->m = (size_t)step->split[0];
    p->scale = usage->scale;
    weft_status status = bind_inner(binder, step->child[0], &p->node);
    if (status == WEFT_OK)
        status = make_powers(binder, p);
    if (status != WEFT_OK) {
        wf_node_free(&p->node);
        return status;
    }
    p->buffer = wf_round64((p->m + 2) * binder->bytes);
    p->node.scratch += p->buffer;
    *node = &p->node;
    return WEFT_OK;
}

/* ---- rsplit -------------------------------------------------------------- */

typedef struct split {
    wf_node node;
    wf_mover mover;
    const wf_kernel *kernel;
    wf_pass_args args, tail;
    bool has_tail, hartley;
    ptrdiff_t rest; /* where the tail's lanes begin */
    const void *table, *tail_table;
    size_t r, m, h;
    size_t row, rows; /* reals from row to row; bytes of the rows */
    size_t plane;     /* reals from re to im */
    size_t planes;    /* bytes of both */
} split;

static void run_split(const wf_node *node, const wf_samples *at, char *scratch)
{
    const split *s = (const split *)node;
    size_t bytes = node->bytes;
    ptrdiff_t unit = s->hartley ? 1 : 2;
    void *re = scratch + s->rows, *im = wf_to(re, (ptrdiff_t)s->plane, bytes);
    WF_MOVE(&s->mover, move_reals, (void *)scratch, 1, (ptrdiff_t)s->row,
            at->in_re, (ptrdiff_t)s->r, 1, s->m, s->r);
    for (size_t j = 0; j < s->r; j++) {
        void *row = wf_to(scratch, (ptrdiff_t)(j * s->row), bytes);
        ptrdiff_t to = (ptrdiff_t)(j * s->h);
        wf_samples one = {row, row, row, row};
        node->child[0]->run(node->child[0], &one,
                            scratch + s->rows + s->planes);
        WF_MOVE(&s->mover, part, wf_to(re, to, bytes), wf_to(im, to, bytes),
                (const void *)row, s->h);
    }
    wf_call_pass(s->kernel, re, im, at->out_re, at->out_re, s->table,
                 &s->args);
    if (s->has_tail)
        wf_call_pass(s->kernel, wf_at(re, s->rest, bytes),
                     wf_at(im, s->rest, bytes),
                     wf_to(at->out_re, unit * s->rest, bytes),
                     wf_to(at->out_re, unit * s->rest, bytes), s->tail_table,
                     &s->tail);
    if (!s->hartley)
        wf_table_set(node->real, at->out_re, 1, 0);
}

/* The last pass: as in real_passes.c, with the rows of one group. */
static weft_status bind_butterflies(const wf_binder *binder, double scale,
                                    split *s)
{
    const int *width = wf_cpu_widths(binder->type);
    int64_t h = (int64_t)s->h, m = (int64_t)s->m;
    int r = (int)s->r;
    while (width[1] != 0 && *width > h)
        width++;
    int w = *width;
    const ptrdiff_t unit = s->hartley ? 1 : 2;
    s->kernel = wf_kernel_of_width(s->hartley ? WF_KERNEL_HALF_HARTLEY_SCALED
                                              : WF_KERNEL_HALF_LAST_SCALED,
                                   binder->real, w, r);
    if (s->kernel == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "no kernel for radix %d of half spectra", r);
    s->args = (wf_pass_args){.np = 1,
                             .nq = (size_t)(h / w),
                             .in_q = w,
                             .in_leg = h,
                             .out_q = unit * w,
                             .out_leg = unit * m,
                             .out_back = s->hartley ? -m * r : 0,
                             .tw_q = 2 * (ptrdiff_t)(r - 1) * w,
                             .scale = scale};
    s->has_tail = h % w != 0;
    s->rest = h - w;
    s->tail = s->args;
    s->tail.nq = 1;
    s->tail.out_back += 2 * unit * s->rest;
    wf_roots_table roots;
    weft_status status = wf_roots_make(m * r, false, &roots);
    void *table = wf_node_table(&s->node, wf_table_lanes_scalars(h, r, w));
    if (status == WEFT_OK && table == NULL)
        status = wf_no_memory();
    if (status == WEFT_OK)
        wf_table_lanes(binder->real, &roots, m, h, r, w, false, scale, table);
    wf_roots_drop(&roots);
    s->table = table;
    s->tail_table = wf_at(table, h / w * s->args.tw_q, binder->bytes);
    return status;
}

weft_status wf_bind_real_split(const wf_binder *binder, const wf_step *step,
                               const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n % 2 == 0 || step->split[0] > 1024)
        return wf_fail(WEFT_ERR_ARGUMENT, "rsplit %lld: not for these data",
                       (long long)step->n);
    if (binder->inverse)
        return wf_bind_turned(binder, step, usage, wf_bind_real_split, node);
    split *s = (split *)wf_node_new(binder, sizeof *s, run_split);
    if (s == NULL)
        return wf_no_memory();
    s->mover = wf_mover_best(binder->real);
    s->r = (size_t)step->split[0];
    s->m = (size_t)step->split[1];
    s->hartley = usage->hartley;
    s->h = (s->m + 1) / 2;
    s->row = wf_round64((s->m + 1) * binder->bytes) / binder->bytes;
    s->rows = s->r * s->row * binder->bytes;
    s->plane = wf_round64(s->r * s->h * binder->bytes) / binder->bytes;
    s->planes = 2 * s->plane * binder->bytes;
    wf_usage below = {.in_place = true, .scale = 1};
    wf_node *child;
    weft_status status = wf_bind_transform(binder, step->child[0], &below,
                                           &child);
    if (status == WEFT_OK) {
        wf_node_adopt(&s->node, child);
        s->node.scratch = s->rows + s->planes + child->scratch;
        status = bind_butterflies(binder, usage->scale, s);
    }
    if (status != WEFT_OK) {
        wf_node_free(&s->node);
        return status;
    }
    *node = &s->node;
    return WEFT_OK;
}
