/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * r2r.c - one vector of a real kind, unit stride on both sides.
 *
 * Every step reads all of its input into scratch before it writes the output,
 * so in place needs no thought.  A sine transform of type II, III or IV is the
 * cosine transform of the same type with one side mirrored and the odd
 * elements of the other negated; passes do that on their way (WF_R2R_SINE).
 */
#include <math.h>
#include <string.h>

#include "cpu/move.h"
#include "cpu/r2r.h"
#include "num/num.h"

typedef struct r2r {
    wf_node node;
    wf_mover mover;
    wf_r2r_pass in, out; /* passes before and after the child */
    size_t n, a, b;      /* a, b: bytes of the buffers */
    bool sine, ortho;
    bool spectral; /* the child has half a spectrum, not n/2 complex */
    double scale;
    const uint32_t *pick[2]; /* spectral, type IV: before and after */
} r2r;

static void run_child(const r2r *r, int child, const void *in, void *out,
                      char *scratch)
{
    wf_samples at = {in, in, out, out};
    r->node.child[child]->run(r->node.child[child], &at, scratch);
}

/* ---- Binding, common ----------------------------------------------------- */

static r2r *new_r2r(const wf_binder *binder, const wf_step *step,
                    const wf_usage *usage, wf_run *run)
{
    r2r *r = (r2r *)wf_node_new(binder, sizeof *r, run);
    if (r != NULL) {
        r->mover = wf_mover_best(binder->real);
        r->n = (size_t)step->n;
        r->sine = wf_r2r_is_sine(step->real);
        r->spectral = step->kind == WF_STEP_SPECTRAL;
        r->ortho = usage->ortho;
        r->scale = usage->scale;
    }
    return r;
}

/* Child `index` in the sign wanted; adds its scratch to that of the node. */
static weft_status bind_child(const wf_binder *binder, const wf_step *step,
                              int index, bool inverse, const wf_usage *usage,
                              r2r *r)
{
    wf_binder below = *binder;
    wf_node *child;
    below.inverse = inverse;
    weft_status status = wf_bind_transform(&below, step->child[index], usage,
                                           &child);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&r->node, child);
    size_t scratch = r->a + r->b + child->scratch;
    if (r->node.scratch < scratch)
        r->node.scratch = scratch;
    return WEFT_OK;
}

static weft_status finish(weft_status status, r2r *r, wf_node **node)
{
    if (status == WEFT_OK)
        *node = &r->node;
    else
        wf_node_free(&r->node);
    return status;
}

weft_status wf_r2r_rows(const wf_binder *binder, void *table, size_t ld,
                        uint64_t order, const wf_r2r_row *rows, int count)
{
    wf_root_table *roots = wf_root_table_new(order);
    double *line = wf_alloc(2 * ld * sizeof *line);
    weft_status status = WEFT_OK;
    if (roots == NULL || line == NULL)
        status = wf_no_memory();
    for (int i = 0; status == WEFT_OK && i < count; i++) {
        wf_root_table_f64(roots, rows[i].start, rows[i].step, 0, ld, line);
        for (size_t k = 0; k < ld; k++)
            for (size_t part = 0; part < 2; part++)
                wf_table_set(binder->real, table,
                             (int64_t)((2 * (size_t)i + part) * ld + k),
                             rows[i].scale * line[2 * k + part]);
    }
    wf_root_table_free(roots);
    wf_free(line);
    return status;
}

static weft_status make_table(const wf_binder *binder, wf_node *node,
                              size_t ld, uint64_t order,
                              const wf_r2r_row *rows, int count,
                              const void **table)
{
    void *made = wf_node_table(node, 2 * ld * (size_t)count);
    *table = made;
    return made == NULL ? wf_no_memory()
                        : wf_r2r_rows(binder, made, ld, order, rows, count);
}

/* ---- halved and spectral: the child and a pass before or after it -------- */

static void run_forward(const wf_node *node, const wf_samples *at,
                        char *scratch)
{
    const r2r *r = (const r2r *)node;
    const void *in = at->in_re;
    if (r->out.form >= WF_R2R_COSINE) {
        WF_MOVE(&r->mover, unzip, (void *)scratch, in, r->sine, r->n);
        in = scratch;
    }
    run_child(r, 0, in, scratch, scratch + r->a);
    if (r->spectral)
        WF_MOVE(&r->mover, odd_out, at->out_re, (const void *)scratch,
                &r->out);
    else
        WF_MOVE(&r->mover, half_out, at->out_re, (const void *)scratch,
                &r->out);
}

static void run_back(const wf_node *node, const wf_samples *at, char *scratch)
{
    const r2r *r = (const r2r *)node;
    bool direct = r->in.form == WF_R2R_HALFCOMPLEX;
    if (r->spectral)
        WF_MOVE(&r->mover, odd_in, (void *)scratch, at->in_re, &r->in);
    else
        WF_MOVE(&r->mover, half_in, (void *)scratch, at->in_re, &r->in);
    run_child(r, 0, scratch, direct ? at->out_re : scratch, scratch + r->a);
    if (!direct)
        WF_MOVE(&r->mover, zip, at->out_re, (const void *)scratch, r->sine,
                r->n);
}

/* ---- halved -------------------------------------------------------------- */

static void run_quarter(const wf_node *node, const wf_samples *at,
                        char *scratch)
{
    const r2r *r = (const r2r *)node;
    WF_MOVE(&r->mover, quarter_in, (void *)scratch, at->in_re, &r->in);
    run_child(r, 0, scratch, scratch, scratch + r->a);
    WF_MOVE(&r->mover, quarter_out, at->out_re, (const void *)scratch,
            &r->out);
}

static wf_r2r_form form_of(weft_kind kind)
{
    switch (kind) {
    case WEFT_R2HC:
    case WEFT_HC2R: return WF_R2R_HALFCOMPLEX;
    case WEFT_DHT: return WF_R2R_HARTLEY;
    default: return wf_r2r_is_sine(kind) ? WF_R2R_SINE : WF_R2R_COSINE;
    }
}

/* What X[0] and, of even n, X[n/2] are multiplied by; the orthogonal matrix
 * has sqrt(1/2) of a first row of 2, and sqrt(2) of a first column of 1. */
static void set_ends(wf_r2r_pass *pass, double scale, bool back, bool ortho)
{
    bool turned = pass->form >= WF_R2R_COSINE;
    double first = turned && !back ? 2 : 1;
    pass->first = scale * (turned && ortho ? sqrt(2) : first);
    pass->middle = scale * (turned ? sqrt(2) : 1);
}

/* Rows begin 15 numbers early and are a multiple of 16 long: the blocks of the
 * pass, from k = 1 on, then do not lie across cache lines. */
weft_status wf_r2r_halved_pass(const wf_binder *binder, wf_node *node,
                               const wf_step *step, const wf_usage *usage,
                               bool back, wf_r2r_pass *pass)
{
    enum { EARLY = 15, LINE = 16 };
    int64_t n = step->n, sign = back ? 1 : -1;
    size_t h = (size_t)n / 2,
           most = h / 2 + 17; /* a block of 16 beyond half */
    size_t ld = ((h < most ? h : most) + EARLY + LINE - 1) / LINE * LINE;
    bool turned = form_of(step->real) >= WF_R2R_COSINE;
    int64_t turn = sign * (turned ? 5 : 4);
    double half = turned || back ? usage->scale : usage->scale / 2;
    const wf_r2r_row rows[2] = {{sign * n - EARLY * turn, turn, half},
                                {-EARLY * sign, sign, half}};
    const void *table;
    *pass = (wf_r2r_pass){
        .form = form_of(step->real), .n = (size_t)n, .ld = ld, .scale = half};
    set_ends(pass, usage->scale, back, usage->ortho);
    weft_status status = make_table(binder, node, ld, 4 * (uint64_t)n, rows,
                                    turned ? 2 : 1, &table);
    if (status == WEFT_OK)
        pass->table = wf_at(table, EARLY, binder->bytes);
    return status;
}

/* exp(-2 pi i (j + 1/8)/2n). */
weft_status wf_r2r_quarter_pass(const wf_binder *binder, wf_node *node,
                                const wf_step *step, double scale,
                                wf_r2r_pass *pass)
{
    const wf_r2r_row rows = {-1, -8, scale};
    *pass = (wf_r2r_pass){.form = form_of(step->real),
                          .n = (size_t)step->n,
                          .ld = (size_t)step->n / 2};
    return make_table(binder, node, pass->ld, 16 * (uint64_t)step->n, &rows, 1,
                      &pass->table);
}

weft_status wf_bind_halved(const wf_binder *binder, const wf_step *step,
                           const wf_usage *usage, wf_node **node)
{
    bool quarter = wf_r2r_is_kind(step->real, WEFT_REDFT11);
    bool back = step->real == WEFT_HC2R ||
                wf_r2r_is_kind(step->real, WEFT_REDFT01);
    bool direct = form_of(step->real) < WF_R2R_COSINE;
    *node = NULL;
    r2r *r = new_r2r(binder, step, usage,
                     quarter ? run_quarter
                     : back  ? run_back
                             : run_forward);
    if (r == NULL)
        return wf_no_memory();
    r->a = wf_round64(r->n * binder->bytes);
    wf_usage below = {.in_place = !direct, .scale = 1};
    weft_status status = bind_child(binder, step, 0, back, &below, r);
    if (status == WEFT_OK && quarter)
        status = wf_r2r_quarter_pass(binder, &r->node, step, 1, &r->in);
    else if (status == WEFT_OK)
        status = wf_r2r_halved_pass(binder, &r->node, step, usage, back,
                                    back ? &r->in : &r->out);
    if (status == WEFT_OK && quarter)
        status = wf_r2r_quarter_pass(binder, &r->node, step, 2 * usage->scale,
                                     &r->out);
    return finish(status, r, node);
}

/* ---- spectral ------------------------------------------------------------ */

static void run_residues(const wf_node *node, const wf_samples *at,
                         char *scratch)
{
    const r2r *r = (const r2r *)node;
    void *middle = scratch + r->a;
    WF_MOVE(&r->mover, pick, (void *)scratch, at->in_re, r->pick[0], r->n);
    run_child(r, 0, scratch, scratch, scratch + r->a + r->b);
    WF_MOVE(&r->mover, odd_out, middle, (const void *)scratch, &r->out);
    WF_MOVE(&r->mover, pick, at->out_re, (const void *)middle, r->pick[1],
            r->n);
}

static weft_status make_spectral(const wf_binder *binder, const wf_step *step,
                                 bool back, r2r *r)
{
    wf_r2r_pass *pass = back ? &r->in : &r->out;
    int64_t sign = back ? 1 : -1;
    const wf_r2r_row rows = {0, sign, back ? r->scale : 2 * r->scale};
    *pass = (wf_r2r_pass){.form = form_of(step->real),
                          .n = r->n,
                          .ld = (r->n + 1) / 2,
                          .scale = r->scale};
    set_ends(pass, r->scale, back, r->ortho);
    if (pass->form < WF_R2R_COSINE)
        return WEFT_OK;
    return make_table(binder, &r->node, pass->ld, 4 * (uint64_t)step->n, &rows,
                      1, &pass->table);
}

/* The residue 1 mod 8 among +-(2j+1) and 4n +- (2j+1), mod 8n; the cosine of
 * an odd multiple changes sign with 4n. */
static int64_t residue(int64_t n, int64_t j, bool *negative)
{
    int64_t a = 2 * j + 1, way[4] = {a, 8 * n - a, 4 * n + a, 4 * n - a};
    int i = 0;
    while (i < 3 && way[i] % 8 != 1)
        i++;
    *negative = i >= 2;
    return way[i];
}

/* With ab/8n = u ab/8 + v ab/n up to whole turns, u = 1/n mod 8 = n mod 8 and
 * v = 1/8 mod n, and ab = 1 mod 8:  2 cos(2 pi ab/8n) = sqrt(2) (+-cos +-sin)
 * (2 pi v ab/n), the signs by u alone.  So element j goes to a mod n, and
 * element k comes from +-vb mod n of a Hartley transform, re - im at q and
 * re + im at n - q.  Sines mirror the input and negate odd outputs. */
static weft_status make_residues(const wf_step *step, r2r *r)
{
    int64_t n = step->n, u = n % 8;
    uint64_t v = wf_inverse_mod(8 % (uint64_t)n, (uint64_t)n);
    uint32_t *in = wf_node_index_table(&r->node, n);
    uint32_t *out = wf_node_index_table(&r->node, n);
    if (in == NULL || out == NULL)
        return wf_no_memory();
    for (int64_t j = 0; j < n; j++) {
        bool negative;
        int64_t a = residue(n, j, &negative);
        int64_t from = r->sine ? n - 1 - j : j;
        in[a % n] = (uint32_t)(2 * from + negative);
        int64_t q = (int64_t)wf_mul_mod((uint64_t)(a % n), v, (uint64_t)n);
        if (u == 1 || u == 5)
            q = q == 0 ? 0 : n - q;
        negative ^= (u == 3 || u == 5) ^ (r->sine && j % 2);
        out[j] = (uint32_t)(2 * q + negative);
    }
    r->pick[0] = in;
    r->pick[1] = out;
    r->out = (wf_r2r_pass){.form = WF_R2R_HARTLEY,
                           .n = r->n,
                           .scale = sqrt(2) * r->scale,
                           .first = sqrt(2) * r->scale};
    return WEFT_OK;
}

weft_status wf_bind_spectral(const wf_binder *binder, const wf_step *step,
                             const wf_usage *usage, wf_node **node)
{
    bool residues = wf_r2r_is_kind(step->real, WEFT_REDFT11);
    bool back = step->real == WEFT_HC2R ||
                wf_r2r_is_kind(step->real, WEFT_REDFT01);
    bool direct = form_of(step->real) < WF_R2R_COSINE;
    *node = NULL;
    if (step->n > INT32_MAX / 8)
        return wf_fail(WEFT_ERR_ARGUMENT, "spectral %lld: not for this length",
                       (long long)step->n);
    r2r *r = new_r2r(binder, step, usage,
                     residues ? run_residues
                     : back   ? run_back
                              : run_forward);
    if (r == NULL)
        return wf_no_memory();
    r->a = wf_round64((r->n + 1) * binder->bytes); /* the half spectrum */
    r->b = residues ? r->a : 0;
    wf_usage below = {.in_place = !direct, .scale = 1};
    weft_status status = bind_child(binder, step, 0, back, &below, r);
    if (status == WEFT_OK)
        status = residues ? make_residues(step, r)
                          : make_spectral(binder, step, back, r);
    return finish(status, r, node);
}

/* ---- Type I -------------------------------------------------------------- */

static void scale_two(const r2r *r, void *a, void *b, double factor)
{
    if (r->node.real == WF_F64) {
        *(double *)a *= factor;
        *(double *)b *= factor;
    } else {
        *(float *)a *= (float)factor;
        *(float *)b *= (float)factor;
    }
}

static void scale_ends_of_output(const r2r *r, void *out)
{
    if (r->ortho && !r->sine)
        scale_two(r, out, wf_to(out, (ptrdiff_t)r->n - 1, r->node.bytes),
                  sqrt(0.5));
}

/* x[0], x[half] and, mirrored, what is between them. */
static void run_period(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const r2r *r = (const r2r *)node;
    const wf_mover *m = &r->mover;
    const size_t bytes = node->bytes, n = r->n;
    ptrdiff_t half = r->sine ? (ptrdiff_t)n + 1 : (ptrdiff_t)n - 1;
    void *first = scratch, *middle = wf_to(first, half, bytes);
    void *front = wf_to(first, 1, bytes);
    void *back = wf_to(first, 2 * half - 1, bytes);
    const void *spectrum = first;
    if (r->sine) {
        memset(first, 0, bytes);
        memset(middle, 0, bytes);
        WF_MOVE(m, unfold, front, back, at->in_re, -1, n);
        spectrum = wf_at(first, 2, bytes);
    } else {
        memcpy(first, at->in_re, bytes);
        memcpy(middle, wf_at(at->in_re, half, bytes), bytes);
        if (r->ortho)
            scale_two(r, first, middle, sqrt(2));
        WF_MOVE(m, unfold, front, back, wf_at(at->in_re, 1, bytes), 1, n - 2);
    }
    run_child(r, 0, first, first, scratch + r->a);
    WF_MOVE(m, part_of, at->out_re, spectrum, r->sine,
            r->sine ? -r->scale : r->scale, n);
    scale_ends_of_output(r, at->out_re);
}

weft_status wf_bind_period(const wf_binder *binder, const wf_step *step,
                           const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    r2r *r = new_r2r(binder, step, usage, run_period);
    if (r == NULL)
        return wf_no_memory();
    wf_usage below = {.in_place = true, .scale = 1};
    r->a = wf_round64(((size_t)step->child[0]->n + 2) * binder->bytes);
    return finish(bind_child(binder, step, 0, false, &below, r), r, node);
}

static void run_folded(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const r2r *r = (const r2r *)node;
    void *sums = scratch, *differences = scratch + r->a;
    char *below = scratch + r->a + r->b;
    WF_MOVE(&r->mover, fold, sums, differences, at->in_re, r->n);
    if (r->ortho && !r->sine)
        scale_two(r, sums, differences, sqrt(2));
    run_child(r, 0, sums, sums, below);
    run_child(r, 1, differences, differences, below);
    WF_MOVE(&r->mover, weave, at->out_re, (const void *)sums,
            (const void *)differences, r->n);
    scale_ends_of_output(r, at->out_re);
}

weft_status wf_bind_folded(const wf_binder *binder, const wf_step *step,
                           const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    r2r *r = new_r2r(binder, step, usage, run_folded);
    if (r == NULL)
        return wf_no_memory();
    wf_usage below = {.in_place = true, .scale = usage->scale};
    r->a = r->b = wf_round64((r->n / 2 + 1) * binder->bytes);
    weft_status status = bind_child(binder, step, 0, false, &below, r);
    if (status == WEFT_OK)
        status = bind_child(binder, step, 1, false, &below, r);
    return finish(status, r, node);
}
