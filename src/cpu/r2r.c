/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * r2r.c - one vector of a real kind, unit stride on both sides.
 *
 * Every step has read all of its input before it writes what the output is to
 * have, so in place needs no thought.  A sine transform of type II, III or IV
 * is the cosine transform of the same type with one side mirrored and the odd
 * elements of the other negated; passes do that on their way (WF_R2R_SINE).
 */
#include <math.h>
#include <string.h>

#include "cpu/move.h"
#include "cpu/nest.h"
#include "cpu/r2r.h"
#include "cpu/stream.h"
#include "cpu/walker.h"
#include "cpu/zipped.h"
#include "num/num.h"

typedef struct r2r {
    wf_node node;
    wf_mover mover;
    wf_r2r_pass in, out; /* passes before and after the child */
    size_t n, a, b, c;   /* a, b, c: bytes of the buffers */
    bool sine, ortho;
    bool back;     /* the pass is before the child */
    bool quarter;  /* even type IV: one before it and one after it */
    int threads;   /* for passes over all samples */
    bool spectral; /* the child has half a spectrum, not n/2 complex */
    double scale;
    const uint32_t *pick[2]; /* spectral, type IV: before and after */
    size_t rows; /* of factors that are made as they are used, 0: none, */
    const void *row, *column; /* the one of each row; those of all rows */
    bool zipped;              /* types II, III: the child sorts, */
    bool planes;              /* type II: with Z in planes, in the output; */
    bool joined;              /* type III: and makes the pass; */
    bool in_output;           /* with room (type III: from an input) there, */
    size_t room;  /* or (type III: and) with room at this byte of scratch */
    bool beside;  /* buffer a begins half a page from the output */
    int64_t some; /* of many at a time, each with a buffer a */
} r2r;

static void run_child(const r2r *r, int child, const void *in, void *out,
                      char *scratch)
{
    wf_samples at = {in, in, out, out};
    r->node.child[child]->run(r->node.child[child], &at, scratch);
}

static void run_zipped(const r2r *r, const void *in, void *out, void *room,
                       char *scratch)
{
    wf_samples at = {in, in, out, room};
    r->node.child[0]->run(r->node.child[0], &at, scratch);
}

/* ---- Binding, common ----------------------------------------------------- */

/* Does its pass come before the child? */
static bool is_back(const wf_step *step)
{
    return step->real == WEFT_HC2R ||
           wf_kind_is_type(step->real, WEFT_REDFT01);
}

static r2r *new_r2r(const wf_binder *binder, const wf_step *step,
                    const wf_usage *usage, wf_run *run)
{
    r2r *r = (r2r *)wf_node_new(binder, sizeof *r, run);
    if (r != NULL) {
        r->mover = wf_mover_best(binder->real);
        r->n = (size_t)step->n;
        r->sine = wf_r2r_is_sine(step->real);
        r->back = is_back(step);
        r->threads = 1;
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
    size_t scratch = r->a + r->b + r->c + child->scratch;
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

/* A row pair, from the first octant of all roots. */
static void put_row(wf_real real, const double *octant, uint64_t order,
                    const wf_r2r_row *row, size_t ld, void *table, int64_t at)
{
    const int64_t n = (int64_t)order;
    const uint64_t step = (uint64_t)((row->step % n + n) % n);
    uint64_t k = (uint64_t)((row->start % n + n) % n);
    for (size_t i = 0; i < ld; i++) {
        double root[2];
        wf_root_of_octant(octant, order, k, root);
        wf_table_set(real, table, at + (int64_t)i, row->scale * root[0]);
        wf_table_set(real, table, at + (int64_t)(ld + i),
                     row->scale * root[1]);
        k += step;
        k = k < order ? k : k - order;
    }
}

/* Rows of far fewer numbers than an octant has are looked up one by one. */
static weft_status rows_of_octant(const wf_binder *binder, void *table,
                                  size_t ld, uint64_t order,
                                  const wf_r2r_row *rows, int count)
{
    double *octant = wf_alloc(2 * (size_t)(order / 8 + 1) * sizeof *octant);
    const bool made = octant != NULL &&
                      wf_roots_part(order, 8, wf_turn_best(), octant);
    for (int i = 0; made && i < count; i++)
        put_row(binder->real, octant, order, &rows[i], ld, table,
                2 * (int64_t)ld * i);
    wf_free(octant);
    return made ? WEFT_OK : wf_no_memory();
}

weft_status wf_r2r_rows(const wf_binder *binder, void *table, size_t ld,
                        uint64_t order, const wf_r2r_row *rows, int count)
{
    if (order % 4 == 0 && order / 8 <= 2 * ld * (size_t)count)
        return rows_of_octant(binder, table, ld, order, rows, count);
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

/* The factors of all k are as many bytes as the vector.  Where these are much of
 * a second cache they are products, of one for a row of ROW and one for the
 * column, made in the first cache as they are used. */
enum { ROW = WF_R2R_ROW, ROW_LD = ROW + 16, TABLE_BYTES = 1 << 20 };

/* Within the first cache sorting on the way costs more than it saves; from
 * SHARE_BYTES on passes that threads share are faster, and up to PAIRS_BYTES than
 * planes, whose pass they do not share. */
enum { ZIP_BYTES = 1 << 15, SHARE_BYTES = 1 << 18, PAIRS_BYTES = 1 << 23 };

/* Bytes of those that are several at a time. */
enum { SOME_BYTES = 4 << 10 };

static size_t row_pairs(const wf_r2r_pass *pass)
{
    return pass->form >= WF_R2R_COSINE ? 2 : 1;
}

/* Row j of the factors, and what of the pass they are for. */
static wf_r2r_pass make_row(const r2r *r, const wf_r2r_pass *pass, size_t j,
                            void *row)
{
    const size_t bytes = r->node.bytes;
    wf_r2r_pass part = *pass;
    for (size_t i = 0; i < row_pairs(pass); i++) {
        ptrdiff_t at = 2 * (ptrdiff_t)i, ld = (ptrdiff_t)r->rows;
        const void *u = wf_at(r->column, at * ROW_LD, bytes);
        const void *v = wf_at(r->column, (at + 1) * ROW_LD, bytes);
        const void *s = wf_at(r->row, at * ld + (ptrdiff_t)j, bytes);
        const void *t = wf_at(s, ld, bytes);
        WF_MOVE(&r->mover, turn_row, wf_to(row, at * ROW_LD, bytes),
                wf_to(row, (at + 1) * ROW_LD, bytes), u, v, s, t, ROW_LD);
    }
    part.ld = ROW_LD;
    part.begin = 1 + j * ROW;
    part.table = wf_at(row, -(ptrdiff_t)part.begin, bytes);
    part.end = part.begin + ROW < pass->end ? part.begin + ROW : pass->end;
    return part;
}

static void run_part(const r2r *r, const wf_r2r_pass *part, void *out,
                     const void *in)
{
    if (r->back)
        WF_MOVE(&r->mover, half_in, out, in, part);
    else
        WF_MOVE(&r->mover, half_out, out, in, part);
}

static void run_joined(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const r2r *r = (const r2r *)node;
    run_zipped(r, at->in_re, at->out_re, scratch, scratch + r->a);
}

/* ROW of the pass a unit; planes are all one. */
static int64_t units_of(const r2r *r, const wf_r2r_pass *pass)
{
    return r->planes ? 1 : (int64_t)((pass->end - 1 + ROW - 1) / ROW);
}

static void run_rows(const wf_node *node, const wf_samples *at, char *row,
                     int64_t begin, int64_t end)
{
    const r2r *r = (const r2r *)node;
    const wf_r2r_pass *pass = r->back ? &r->in : &r->out;
    wf_r2r_pass part = *pass;
    if (r->rows > 0 && !r->planes) {
        for (int64_t j = begin; j < end; j++) {
            part = make_row(r, pass, (size_t)j, row);
            run_part(r, &part, at->out_re, at->in_re);
        }
        return;
    }
    if (begin > 0)
        part.begin = 1 + (size_t)begin * ROW;
    if (end < units_of(r, pass))
        part.end = 1 + (size_t)end * ROW;
    run_part(r, &part, at->out_re, at->in_re);
}

/* The pass, forward after the child, back before it. */
static void run_half(const r2r *r, void *out, const void *in, char *rows)
{
    const wf_r2r_pass *pass = r->back ? &r->in : &r->out;
    if (r->threads == 1 && (r->rows == 0 || r->planes)) {
        run_part(r, pass, out, in);
        return;
    }
    const wf_samples at = {in, in, out, out};
    wf_run_units(&r->node, &at, rows, r->threads, units_of(r, pass),
                 r->b / (size_t)r->threads, run_rows);
}

/* Even samples from number `first` on and as many odd ones: `count` together. */
static void sort_some(const r2r *r, void *out, const void *in, ptrdiff_t first,
                      size_t count)
{
    const ptrdiff_t last = (ptrdiff_t)r->n - 1 - first;
    const size_t bytes = r->node.bytes;
    if (r->back)
        WF_MOVE(&r->mover, zip, wf_to(out, 2 * first, bytes),
                wf_at(in, first, bytes), wf_at(in, last, bytes), r->sine,
                count);
    else
        WF_MOVE(&r->mover, unzip, wf_to(out, first, bytes),
                wf_to(out, last, bytes), wf_at(in, 2 * first, bytes), r->sine,
                count);
}

/* 2 ROW samples a unit. */
static void run_sort(const wf_node *node, const wf_samples *at, char *scratch,
                     int64_t begin, int64_t end)
{
    const r2r *r = (const r2r *)node;
    const int64_t n = (int64_t)r->n, first = 2 * ROW * begin;
    const int64_t last = 2 * ROW * end < n ? 2 * ROW * end : n;
    (void)scratch;
    sort_some(r, at->out_re, at->in_re, first / 2, (size_t)(last - first));
}

static void sort(const r2r *r, void *out, const void *in)
{
    if (r->threads == 1) {
        sort_some(r, out, in, 0, r->n);
        return;
    }
    const wf_samples at = {in, in, out, out};
    wf_run_units(&r->node, &at, NULL, r->threads,
                 (int64_t)((r->n + 2 * ROW - 1) / (2 * ROW)), 0, run_sort);
}

/* From the input to z, which the child transforms, where there is something to do, and
 * from there to the output; rows: for factors that are made as they are used. */
static void enter(const r2r *r, void *z, const void *in, char *rows)
{
    if (r->quarter)
        WF_MOVE(&r->mover, quarter_in, z, in, &r->in);
    else if (!r->back)
        sort(r, z, in);
    else if (r->spectral)
        WF_MOVE(&r->mover, odd_in, z, in, &r->in);
    else
        run_half(r, z, in, rows);
}

static void leave(const r2r *r, void *out, const void *z, char *rows)
{
    if (r->quarter)
        WF_MOVE(&r->mover, quarter_out, out, z, &r->out);
    else if (r->back)
        sort(r, out, z);
    else if (r->spectral)
        WF_MOVE(&r->mover, odd_out, out, z, &r->out);
    else
        run_half(r, out, z, rows);
}

static char *buffer_apart(const r2r *r, char *scratch, const void *out)
{
    return r->beside ? wf_beside(scratch, out) : scratch;
}

static void run_forward(const wf_node *node, const wf_samples *at,
                        char *scratch)
{
    const r2r *r = (const r2r *)node;
    const void *in = at->in_re;
    void *out = at->out_re;
    void *z = out;
    char *below = scratch + r->a + r->b + r->c;
    void *room = r->in_output ? out : scratch + r->room;
    if (r->planes)
        room = wf_to(out, (ptrdiff_t)r->n / 2, node->bytes);
    else
        z = buffer_apart(r, scratch, out);
    if (r->out.form >= WF_R2R_COSINE && !r->zipped) {
        enter(r, z, in, NULL);
        in = z;
    }
    if (r->zipped)
        run_zipped(r, in, z, room, below);
    else
        run_child(r, 0, in, z, below);
    leave(r, out, z, scratch + r->a);
}

static void run_back(const wf_node *node, const wf_samples *at, char *scratch)
{
    const r2r *r = (const r2r *)node;
    char *below = scratch + r->a + r->b + r->c;
    char *buffer = buffer_apart(r, scratch, at->out_re);
    void *room = r->room == 0 ? buffer : scratch + r->room;
    void *z = r->in_output ? at->out_re : buffer;
    enter(r, z, at->in_re, scratch + r->a);
    if (r->zipped) {
        run_zipped(r, z, at->out_re, room, below);
    } else if (r->in.form == WF_R2R_HALFCOMPLEX) {
        run_child(r, 0, z, at->out_re, below);
    } else {
        run_child(r, 0, z, z, below);
        leave(r, at->out_re, z, NULL);
    }
}

/* ---- halved -------------------------------------------------------------- */

/* ROW of a pass of type IV a unit. */
static wf_r2r_pass part_of_quarter(const wf_r2r_pass *pass, int64_t begin,
                                   int64_t end)
{
    wf_r2r_pass part = *pass;
    part.begin = (size_t)begin * ROW;
    part.end = (size_t)end * ROW < pass->end ? (size_t)end * ROW : pass->end;
    return part;
}

static void run_quarter_in(const wf_node *node, const wf_samples *at,
                           char *scratch, int64_t begin, int64_t end)
{
    const r2r *r = (const r2r *)node;
    const wf_r2r_pass part = part_of_quarter(&r->in, begin, end);
    (void)scratch;
    WF_MOVE(&r->mover, quarter_in, at->out_re, at->in_re, &part);
}

static void run_quarter_out(const wf_node *node, const wf_samples *at,
                            char *scratch, int64_t begin, int64_t end)
{
    const r2r *r = (const r2r *)node;
    const wf_r2r_pass part = part_of_quarter(&r->out, begin, end);
    (void)scratch;
    WF_MOVE(&r->mover, quarter_out, at->out_re, at->in_re, &part);
}

static void run_quarter(const wf_node *node, const wf_samples *at,
                        char *scratch)
{
    const r2r *r = (const r2r *)node;
    const wf_samples in = {at->in_re, NULL, scratch, NULL};
    const wf_samples out = {scratch, NULL, at->out_re, NULL};
    const int64_t units = (int64_t)((r->in.end + ROW - 1) / ROW);
    const bool alone = r->threads == 1;
    if (alone)
        enter(r, scratch, at->in_re, NULL);
    else
        wf_run_units(node, &in, NULL, r->threads, units, 0, run_quarter_in);
    run_child(r, 0, scratch, scratch, scratch + r->a);
    if (alone)
        leave(r, at->out_re, scratch, NULL);
    else
        wf_run_units(node, &out, NULL, r->threads, units, 0, run_quarter_out);
}

/* Several at a time, as those of real.c. */
static void run_many(const wf_node *node, const wf_samples *at, ptrdiff_t is,
                     ptrdiff_t os, int64_t count, char *scratch)
{
    const r2r *r = (const r2r *)node;
    const size_t bytes = node->bytes;
    const ptrdiff_t apart = (ptrdiff_t)(r->a / bytes);
    const wf_r2r_form form = r->back ? r->in.form : r->out.form;
    const bool direct = form < WF_R2R_COSINE && !r->quarter;
    const bool enters = r->back || !direct, leaves = !r->back || !direct;
    wf_samples row = *at;
    for (int64_t some; count > 0; count -= some) {
        some = count < r->some ? count : r->some;
        for (int64_t i = 0; enters && i < some; i++)
            enter(r, wf_to(scratch, i * apart, bytes),
                  wf_at(row.in_re, i * is, bytes), NULL);
        const wf_samples middle = {enters ? scratch : row.in_re, NULL,
                                   leaves ? scratch : row.out_re, NULL};
        wf_rows_run(node->child[0], &middle, enters ? apart : is,
                    leaves ? apart : os, some,
                    scratch + (size_t)r->some * r->a);
        for (int64_t i = 0; leaves && i < some; i++)
            leave(r, wf_to(row.out_re, i * os, bytes),
                  wf_at(scratch, i * apart, bytes), NULL);
        row = wf_samples_at(&row, some * is, some * os, bytes);
    }
}

/* Those that are short, by one thread, and have all their samples in buffer a; not
 * where one pass is all there is and odd, or type IV has whole lines: these do not
 * wait. */
static void set_many(const wf_usage *usage, r2r *r)
{
    enum { LINE = 64 };
    const wf_r2r_form form = r->back ? r->in.form : r->out.form;
    r->some = wf_several(SOME_BYTES, r->a);
    if (usage->lone || r->some < 2 || r->zipped || r->b + r->c > 0 ||
        (r->quarter && r->n * r->node.bytes % LINE == 0) ||
        (r->spectral && form < WF_R2R_COSINE))
        return;
    const size_t scratch = (size_t)r->some * r->a + r->node.child[0]->scratch;
    r->node.many = run_many;
    if (r->node.scratch < scratch)
        r->node.scratch = scratch;
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

static wf_r2r_pass halved_pass(const wf_step *step, const wf_usage *usage,
                               bool back)
{
    size_t n = (size_t)step->n;
    bool turned = form_of(step->real) >= WF_R2R_COSINE;
    wf_r2r_pass pass = {.form = form_of(step->real),
                        .n = n,
                        .scale = turned || back ? usage->scale
                                                : usage->scale / 2,
                        .begin = 1,
                        .end = n / 4 + 1};
    set_ends(&pass, usage->scale, back, usage->ortho);
    return pass;
}

/* scale times the factors of k = first, first + step, ...: i exp(i turn k) and
 * exp(i k) in units of a quarter of pi/n, to the sign of the way. */
static void halved_rows(const wf_r2r_pass *pass, bool back, int64_t first,
                        int64_t step, double scale, wf_r2r_row rows[2])
{
    int64_t n = (int64_t)pass->n, sign = back ? 1 : -1;
    int64_t turn = sign * (pass->form >= WF_R2R_COSINE ? 5 : 4);
    rows[0] = (wf_r2r_row){sign * n + turn * first, turn * step, scale};
    rows[1] = (wf_r2r_row){sign * first, sign * step, scale};
}

/* Rows are a multiple of 16 long and begin with the first block of the pass, so
 * that none lies across cache lines: with k = 0 where vectors are lines. */
weft_status wf_r2r_halved_pass(const wf_binder *binder, wf_node *node,
                               const wf_step *step, const wf_usage *usage,
                               bool back, wf_r2r_pass *pass)
{
    enum { LINE = 16 };
    const wf_mover mover = wf_mover_best(binder->real);
    size_t h = (size_t)step->n / 2,
           most = h / 2 + LINE; /* a block of 16 beyond half */
    wf_r2r_row rows[2];
    *pass = halved_pass(step, usage, back);
    pass->begin = wf_mover_has_lines(&mover) ? 0 : 1;
    pass->ld = ((h < most ? h : most) + LINE - 1) / LINE * LINE;
    halved_rows(pass, back, (int64_t)pass->begin, 1, pass->scale, rows);
    const void *table;
    weft_status status = make_table(binder, node, pass->ld,
                                    4 * (uint64_t)step->n, rows,
                                    (int)row_pairs(pass), &table);
    if (status == WEFT_OK) /* that of k = 0 */
        pass->table = wf_at(table, -(ptrdiff_t)pass->begin, binder->bytes);
    return status;
}

/* The same by rows of `length` numbers, the first from `first` on, and columns. */
static weft_status make_row_factors(const wf_binder *binder,
                                    const wf_step *step, const wf_usage *usage,
                                    int64_t first, int64_t length, size_t ld,
                                    r2r *r)
{
    wf_r2r_pass *pass = r->back ? &r->in : &r->out;
    uint64_t order = 4 * (uint64_t)step->n;
    wf_r2r_row rows[2], columns[2];
    *pass = halved_pass(step, usage, r->back);
    int count = (int)row_pairs(pass);
    halved_rows(pass, r->back, first, length, pass->scale, rows);
    halved_rows(pass, r->back, 0, 1, 1, columns);
    columns[0].start = 0;
    weft_status status = make_table(binder, &r->node, r->rows, order, rows,
                                    count, &r->row);
    if (status == WEFT_OK)
        status = make_table(binder, &r->node, ld, order, columns, count,
                            &r->column);
    if (r->planes || r->joined) {
        pass->rows = r->row;
        pass->row_ld = r->rows;
        pass->table = r->column;
        pass->ld = ld;
    }
    return status;
}

static weft_status make_halved(const wf_binder *binder, const wf_step *step,
                               const wf_usage *usage, bool back, r2r *r)
{
    if (r->joined) {
        const int64_t *split = step->child[0]->split;
        r->rows = (size_t)split[0];
        return make_row_factors(binder, step, usage, 0, split[1],
                                (size_t)split[1] / 2 + 16, r);
    }
    if (r->b > 0 || r->planes) {
        r->rows = ((size_t)step->n / 4 + ROW - 1) / ROW;
        return make_row_factors(binder, step, usage, 1, ROW, ROW_LD, r);
    }
    return wf_r2r_halved_pass(binder, &r->node, step, usage, back,
                              back ? &r->in : &r->out);
}

/* exp(-2 pi i (j + 1/8)/2n). */
weft_status wf_r2r_quarter_pass(const wf_binder *binder, wf_node *node,
                                const wf_step *step, double scale,
                                wf_r2r_pass *pass)
{
    const wf_r2r_row rows = {-1, -8, scale};
    *pass = (wf_r2r_pass){.form = form_of(step->real),
                          .n = (size_t)step->n,
                          .ld = (size_t)step->n / 2,
                          .end = ((size_t)step->n / 2 - 1) / 2 + 1};
    return make_table(binder, node, pass->ld, 16 * (uint64_t)step->n, &rows, 1,
                      &pass->table);
}

/* In place there is no output until the end; a fourstep's room forward is its
 * output.  Threads share passes that do not sort, and pairs in the place of planes,
 * by factors that are products as planes' are: the same bits. */
static void set_zipped(const wf_step *child, bool back, bool in_place,
                       size_t factors, r2r *r)
{
    const bool passes = child->kind == WF_STEP_STOCKHAM;
    if (!wf_step_zips(child, back) ||
        (passes && (r->a <= ZIP_BYTES || r->threads > 1)))
        return;
    r->zipped = true;
    if (back && r->a <= wf_streaming_here().joined[r->node.real] &&
        wf_step_takes_half(child, r->node.bytes)) {
        r->joined = true;
        r->node.run = run_joined;
        r->a += 2 * (size_t)child->split[0] * r->node.bytes;
        r->a = wf_round64(r->a);
        r->b = 0;
        return;
    }
    const bool shared = r->threads > 1 && r->a <= PAIRS_BYTES;
    const bool planes = !back && !in_place &&
                        wf_step_zips_planes(child, r->node.bytes);
    r->planes = planes && !shared;
    if (planes && shared)
        r->b = factors;
    r->in_output = !in_place &&
                   (back ? wf_step_zips_from_output(child) : passes);
    if (in_place && (back || passes))
        r->c = r->a;
    if (passes) {
        r->a += in_place ? WF_PAGE / 2 : WF_PAGE;
        r->beside = !in_place;
    }
    if (r->planes)
        r->a = r->b = 0;
    if (r->c > 0)
        r->room = r->a + r->b;
}

weft_status wf_bind_halved(const wf_binder *binder, const wf_step *step,
                           const wf_usage *usage, wf_node **node)
{
    bool quarter = wf_kind_is_type(step->real, WEFT_REDFT11);
    bool back = is_back(step);
    bool direct = form_of(step->real) < WF_R2R_COSINE;
    *node = NULL;
    r2r *r = new_r2r(binder, step, usage,
                     quarter ? run_quarter
                     : back  ? run_back
                             : run_forward);
    if (r == NULL)
        return wf_no_memory();
    r->quarter = quarter;
    r->a = wf_round64(r->n * binder->bytes);
    r->threads = r->a < SHARE_BYTES ? 1 : binder->threads;
    const size_t factors = wf_round64(4 * ROW_LD * binder->bytes) *
                           (size_t)r->threads; /* a row for each */
    if (!quarter && r->a > TABLE_BYTES)
        r->b = factors;
    if (!direct && !quarter)
        set_zipped(step->child[0], back, usage->in_place, factors, r);
    wf_usage below = {.in_place = !direct && !r->zipped,
                      .scale = 1,
                      .zipped = r->zipped,
                      .planes = r->planes,
                      .negate = r->sine,
                      .half = r->joined ? &r->in : NULL};
    weft_status status = bind_child(binder, step, 0, back, &below, r);
    if (status == WEFT_OK && quarter)
        status = wf_r2r_quarter_pass(binder, &r->node, step, 1, &r->in);
    else if (status == WEFT_OK)
        status = make_halved(binder, step, usage, back, r);
    if (status == WEFT_OK && quarter)
        status = wf_r2r_quarter_pass(binder, &r->node, step, 2 * usage->scale,
                                     &r->out);
    if (status == WEFT_OK)
        set_many(usage, r);
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

weft_status wf_r2r_spectral_pass(const wf_binder *binder, wf_node *node,
                                 weft_kind kind, int64_t n,
                                 const wf_usage *usage, bool back,
                                 wf_r2r_pass *pass)
{
    const double scale = usage->scale;
    const wf_r2r_row rows = {0, back ? 1 : -1, back ? scale : 2 * scale};
    *pass = (wf_r2r_pass){.form = form_of(kind),
                          .n = (size_t)n,
                          .ld = (size_t)n / 2 + 1,
                          .scale = scale};
    set_ends(pass, scale, back, usage->ortho);
    if (pass->form < WF_R2R_COSINE)
        return WEFT_OK;
    return make_table(binder, node, pass->ld, 4 * (uint64_t)n, &rows, 1,
                      &pass->table);
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
        int64_t a = wf_residue_of_eighths(n, j, &negative);
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
    bool residues = wf_kind_is_type(step->real, WEFT_REDFT11);
    bool back = is_back(step);
    bool direct = form_of(step->real) < WF_R2R_COSINE;
    *node = NULL;
    if (step->n > INT32_MAX / 8 || step->n % 2 == 0) /* rows: halves.c */
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
                          : wf_r2r_spectral_pass(binder, &r->node, step->real,
                                                 step->n, usage, back,
                                                 back ? &r->in : &r->out);
    if (status == WEFT_OK && !residues)
        set_many(usage, r);
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
