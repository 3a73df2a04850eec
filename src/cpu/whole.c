/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.c - groups of vectors of a real kind copied to complex vectors of
 * their period (plan/whole.c), transformed, and what was asked for copied
 * back, number by number.  A group that is not full is filled up with zeros.
 */
#include <string.h>

#include "cpu/precise.h"

typedef struct whole whole;

/* One transform to the packed block, or back. */
typedef void wf_mover_in(const whole *w, const wf_samples *at, char *block);
typedef void wf_mover_out(const whole *w, const wf_samples *at,
                          const char *block);

struct whole {
    wf_grouped grouped;
    weft_kind kind;
    wf_mover_in *move_in;
    wf_mover_out *move_out;
    ptrdiff_t n;       /* of the last dimension */
    ptrdiff_t line;    /* complex numbers it has in the block */
    wf_period period;  /* cosine and sine kinds */
    size_t one, block; /* bytes of a transform, and of the group */
};

/* ---- Numbers -------------------------------------------------------------- */

static double number(const whole *w, const void *p, ptrdiff_t at)
{
    return w->grouped.walker.node.real == WF_F64
               ? ((const double *)p)[at]
               : (double)((const float *)p)[at];
}

static void set_number(const whole *w, void *p, ptrdiff_t at, double x)
{
    if (w->grouped.walker.node.real == WF_F64)
        ((double *)p)[at] = x;
    else
        ((float *)p)[at] = (float)x;
}

static void set_complex(const whole *w, void *p, ptrdiff_t at, double re,
                        double im)
{
    set_number(w, p, 2 * at, re);
    set_number(w, p, 2 * at + 1, im);
}

static void *line_of(const whole *w, const char *block, int64_t i)
{
    return wf_to((void *)(uintptr_t)block, 2 * (ptrdiff_t)i * w->line,
                 w->grouped.walker.node.bytes);
}

/* ---- R2C ------------------------------------------------------------------ */

static void reals_in(const whole *w, const wf_samples *at, char *block)
{
    const wf_grouped *g = &w->grouped;
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        void *to = line_of(w, block, i);
        for (ptrdiff_t j = 0; j < w->n; j++)
            set_complex(w, to, j,
                        number(w, at->in_re, cursor.in + j * g->line.is), 0);
        wf_cursor_next(&g->rows, &cursor);
    }
}

/* The imaginary parts that are zero in the exact result: of the first number
 * and of the middle one, of rank 1. */
static bool is_real(const whole *w, ptrdiff_t k)
{
    return w->grouped.rows.count == 1 && (k == 0 || 2 * k == w->n);
}

static void halves_out(const whole *w, const wf_samples *at, const char *block)
{
    const wf_grouped *g = &w->grouped;
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        const void *from = line_of(w, block, i);
        for (ptrdiff_t k = 0; k <= w->n / 2; k++) {
            ptrdiff_t to = cursor.out + k * g->line.os;
            set_number(w, at->out_re, to, number(w, from, 2 * k));
            set_number(w, at->out_im, to,
                       is_real(w, k) ? 0 : number(w, from, 2 * k + 1));
        }
        wf_cursor_next(&g->rows, &cursor);
    }
}

/* ---- C2R ------------------------------------------------------------------ */

/* The line of the negated frequencies of all dimensions but the last. */
static int64_t mirrored_line(const wf_nest *rows, const wf_cursor *cursor)
{
    int64_t at = 0;
    for (int i = 0; i < rows->loops; i++) {
        int64_t n = rows->loop[i].n;
        at = at * n + (n - cursor->index[i]) % n;
    }
    return at;
}

/* The half that is there, and its mirror image: X[n - k] = conj X[k].  Where
 * the input is no spectrum of reals the real part of the result is what C2R
 * gives. */
static void halves_in(const whole *w, const wf_samples *at, char *block)
{
    const wf_grouped *g = &w->grouped;
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        void *to = line_of(w, block, i);
        void *there = line_of(w, block, mirrored_line(&g->rows, &cursor));
        for (ptrdiff_t k = 0; k <= w->n / 2; k++) {
            ptrdiff_t from = cursor.in + k * g->line.is;
            double re = number(w, at->in_re, from);
            double im = is_real(w, k) ? 0 : number(w, at->in_im, from);
            set_complex(w, to, k, re, im);
            if (k > 0 && 2 * k != w->n)
                set_complex(w, there, w->n - k, re, -im);
        }
        wf_cursor_next(&g->rows, &cursor);
    }
}

static void reals_out(const whole *w, const wf_samples *at, const char *block)
{
    const wf_grouped *g = &w->grouped;
    wf_cursor cursor;
    wf_cursor_set(&g->rows, 0, &cursor);
    for (int64_t i = 0; i < g->rows.count; i++) {
        const void *from = line_of(w, block, i);
        for (ptrdiff_t j = 0; j < w->n; j++)
            set_number(w, at->out_re, cursor.out + j * g->line.os,
                       number(w, from, 2 * j));
        wf_cursor_next(&g->rows, &cursor);
    }
}

/* ---- The other kinds, of rank 1 ------------------------------------------- */

/* X + i X of a vector x + i x: re X - im X is the real part, for a Hartley
 * transform without another rounding. */
static void hartley_in(const whole *w, const wf_samples *at, char *block)
{
    for (ptrdiff_t j = 0; j < w->n; j++) {
        double x = number(w, at->in_re, j * w->grouped.line.is);
        set_complex(w, block, j, x, x);
    }
}

/* The forward transform of conj X is real where the inverse of X is. */
static void halfcomplex_in(const whole *w, const wf_samples *at, char *block)
{
    ptrdiff_t is = w->grouped.line.is;
    for (ptrdiff_t k = 0; k <= w->n / 2; k++) {
        double re = number(w, at->in_re, k * is);
        double im = k == 0 || 2 * k == w->n
                        ? 0
                        : number(w, at->in_re, (w->n - k) * is);
        set_complex(w, block, k, re, -im);
        if (k > 0)
            set_complex(w, block, w->n - k, re, 2 * k == w->n ? 0 : im);
    }
}

static void halfcomplex_out(const whole *w, const wf_samples *at,
                            const char *block)
{
    ptrdiff_t os = w->grouped.line.os;
    for (ptrdiff_t k = 0; k < w->n; k++)
        set_number(w, at->out_re, k * os,
                   number(w, block,
                          2 * k <= w->n ? 2 * k : 2 * (w->n - k) + 1));
}

static void period_in(const whole *w, const wf_samples *at, char *block)
{
    const wf_period *p = &w->period;
    memset(block, 0, w->one);
    for (ptrdiff_t j = 0; j < w->n; j++) {
        int64_t to = p->in_start + j * p->in_step;
        double x = number(w, at->in_re, j * w->grouped.line.is);
        if (p->halves_last && j == w->n - 1)
            x /= 2;
        set_number(w, block, 2 * to, x);
        set_number(w, block, 2 * ((p->length - to) % p->length),
                   p->sine ? -x : x);
    }
}

static void period_out(const whole *w, const wf_samples *at, const char *block)
{
    const wf_period *p = &w->period;
    for (ptrdiff_t k = 0; k < w->n; k++) {
        ptrdiff_t from = 2 * (p->out_start + k * p->out_step);
        set_number(w, at->out_re, k * w->grouped.line.os,
                   p->sine ? -number(w, block, from + 1)
                           : number(w, block, from));
    }
}

static void choose_moves(const wf_problem *problem, whole *w)
{
    weft_kind kind = problem->kind == WEFT_R2R ? problem->kinds[0]
                                               : problem->kind;
    w->move_in = kind == WEFT_C2R    ? halves_in
                 : kind == WEFT_HC2R ? halfcomplex_in
                 : kind == WEFT_DHT  ? hartley_in
                 : kind > WEFT_DHT   ? period_in
                                     : reals_in;
    w->move_out = kind == WEFT_R2C    ? halves_out
                  : kind == WEFT_R2HC ? halfcomplex_out
                  : kind > WEFT_DHT   ? period_out
                                      : reals_out;
    w->n = (ptrdiff_t)problem->dim[problem->rank - 1].n;
    w->period = wf_whole_period(kind, w->n);
    w->line = (ptrdiff_t)w->period.length;
}

/* ---- A group --------------------------------------------------------------- */

static void run_block(const wf_walker *walker, const wf_samples *at,
                      char *scratch, int64_t count)
{
    const whole *w = (const whole *)walker;
    const wf_node *child = walker->node.child[0];
    wf_samples one = *at;
    for (int64_t i = 0; i < count;
         i++, one = wf_grouped_next(&w->grouped, &one))
        w->move_in(w, &one, scratch + (size_t)i * w->one);
    memset(scratch + (size_t)count * w->one, 0,
           w->block - (size_t)count * w->one);
    void *im = wf_to(scratch, 1, walker->node.bytes);
    wf_samples all = {scratch, im, scratch, im};
    child->run(child, &all, scratch + w->block);
    one = *at;
    for (int64_t i = 0; i < count;
         i++, one = wf_grouped_next(&w->grouped, &one))
        w->move_out(w, &one, scratch + (size_t)i * w->one);
}

weft_status wf_bind_whole(const wf_binder *binder, const wf_problem *problem,
                          const wf_step *step, wf_node **node)
{
    wf_problem view;
    wf_group group;
    size_t numbers;
    *node = NULL;
    wf_wholes(problem, &view, &group);
    whole *w = (whole *)wf_node_new(binder, sizeof *w, wf_walker_run);
    if (w == NULL || !wf_mul_size((size_t)view.total, 128, &numbers)) {
        wf_node_free((wf_node *)w);
        return wf_no_memory();
    }
    wf_grouped_begin(binder, problem, &group, &w->grouped);
    choose_moves(problem, w);
    w->one = (size_t)(view.total / group.n) * 2 * binder->bytes;
    w->block = wf_round64((size_t)group.n * w->one);
    w->grouped.walker.run_block = run_block;
    return wf_grouped_finish(binder, &view, step->child[0], w->block,
                             &w->grouped, node);
}
