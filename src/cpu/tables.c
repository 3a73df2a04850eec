/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - twiddle factors, in the order kernels consume them.
 *
 * All tables of a transform of length n are read from one list of the n-th
 * roots of unity, whose phases were reduced in integers.  An inverse
 * transform runs the forward kernels with legs 1..r-1 in reverse, so slot j of
 * its tables holds the factor of leg r - j.
 */
#include "cpu/node.h"
#include "kernel/hand/pairs.h"
#include "num/num.h"

wf_turn *wf_turn_best(void)
{
    return wf_hand_pairs_for((wf_isa)wf_cpu_isa())->turn;
}

weft_status wf_roots_make(int64_t n, bool inverse, wf_roots_table *roots)
{
    size_t scalars;
    roots->n = n;
    roots->re_im = NULL;
    if (!wf_mul_size((size_t)n, 2 * sizeof(double), &scalars))
        return wf_fail(WEFT_ERR_OVERFLOW, "table of %lld roots", (long long)n);
    roots->re_im = wf_alloc(scalars);
    if (roots->re_im == NULL)
        return wf_no_memory();
    if (wf_roots_circle((uint64_t)n, !inverse, wf_turn_best(), roots->re_im))
        return WEFT_OK;
    wf_roots_drop(roots);
    return wf_no_memory();
}

void wf_roots_drop(wf_roots_table *roots)
{
    wf_free(roots->re_im);
    roots->re_im = NULL;
}

size_t wf_half_circle_bytes(int64_t n)
{
    return 2 * (size_t)(n / 2 + 1) * sizeof(double);
}

bool wf_half_circle_make(int64_t n, bool inverse, double *re_im,
                         wf_half_circle *roots)
{
    *roots =
        (wf_half_circle){.n = n, .turn = inverse ? 1 : -1, .re_im = re_im};
    return wf_roots_part((uint64_t)n, 2, wf_turn_best(), re_im);
}

/* One column of a table: the factors of slot j at q = q0, q0 + 1, ..., in
 * a pass of radix r at stride s; their exponents advance by `step` roots and
 * never reach a whole turn. */
typedef struct column {
    const double *w;
    int64_t step;
} column;

static column slot(const wf_roots_table *roots, int64_t s, int r, int j,
                   int64_t q0, bool inverse)
{
    int64_t leg = inverse ? r - j : j;
    int64_t step = leg * (roots->n / (s * r));
    return (column){&roots->re_im[2 * q0 * step], 2 * step};
}

/* table[at + i advance] = scale re, table[.. + apart] = scale im of the i-th
 * factor of the column, i < count. */
static inline void put_column(wf_real real, column c, int64_t count,
                              double scale, void *table, int64_t at,
                              int64_t advance, int64_t apart)
{
    if (real == WF_F64) {
        double *out = (double *)table + at;
        for (int64_t i = 0; i < count; i++, out += advance, c.w += c.step) {
            out[0] = scale * c.w[0];
            out[apart] = scale * c.w[1];
        }
    } else {
        float *out = (float *)table + at;
        for (int64_t i = 0; i < count; i++, out += advance, c.w += c.step) {
            out[0] = (float)(scale * c.w[0]);
            out[apart] = (float)(scale * c.w[1]);
        }
    }
}

void wf_table_broadcast(wf_real real, const wf_roots_table *roots, int64_t s,
                        int r, bool inverse, double scale, void *table)
{
    for (int j = 1; j < r; j++)
        put_column(real, slot(roots, s, r, j, 0, inverse), s, scale, table,
                   2 * (j - 1), 2 * (r - 1), 1);
}

size_t wf_table_lanes_scalars(int64_t lanes, int r, int width)
{
    size_t vectors = (size_t)((lanes + width - 1) / width);
    return vectors * 2 * (size_t)(r - 1) * (size_t)width;
}

/* One vector of the table: the factors at q0 .. q0 + width - 1, `unit` roots
 * from exponent to exponent. */
static inline void put_vector(wf_real real, const wf_roots_table *roots,
                              int64_t unit, int r, int width, bool inverse,
                              double scale, int64_t q0, void *table)
{
    for (int j = 1; j < r; j++) {
        const int64_t step = 2 * (inverse ? r - j : j) * unit;
        const double *w = &roots->re_im[q0 * step];
        const int64_t at = (int64_t)2 * (j - 1) * width;
        for (int i = 0; i < width; i++, w += step) {
            wf_table_set(real, table, at + i, scale * w[0]);
            wf_table_set(real, table, at + width + i, scale * w[1]);
        }
    }
}

static inline void put_lanes(wf_real real, const wf_roots_table *roots,
                             int64_t s, int64_t lanes, int r, int width,
                             bool inverse, double scale, char *table)
{
    const int64_t unit = roots->n / (s * r);
    const size_t bytes = real == WF_F64 ? sizeof(double) : sizeof(float);
    const size_t vector = 2 * (size_t)(r - 1) * (size_t)width * bytes;
    for (int64_t q = 0; q + width <= lanes; q += width, table += vector)
        put_vector(real, roots, unit, r, width, inverse, scale, q, table);
    if (lanes % width != 0)
        put_vector(real, roots, unit, r, width, inverse, scale, lanes - width,
                   table);
}

/* The usual widths as constants, so that their loops are straight lines. */
static inline void choose_lanes(wf_real real, const wf_roots_table *roots,
                                int64_t s, int64_t lanes, int r, int width,
                                bool inverse, double scale, void *table)
{
    switch (width) {
    case 4:
        put_lanes(real, roots, s, lanes, r, 4, inverse, scale, table);
        break;
    case 8:
        put_lanes(real, roots, s, lanes, r, 8, inverse, scale, table);
        break;
    default: put_lanes(real, roots, s, lanes, r, width, inverse, scale, table);
    }
}

void wf_table_lanes(wf_real real, const wf_roots_table *roots, int64_t s,
                    int64_t lanes, int r, int width, bool inverse,
                    double scale, void *table)
{
    if (real == WF_F64)
        choose_lanes(WF_F64, roots, s, lanes, r, width, inverse, scale, table);
    else
        choose_lanes(WF_F32, roots, s, lanes, r, width, inverse, scale, table);
}

static int beside(const wf_turns *t)
{
    return t->beside > 1 ? t->beside : 1;
}

static int blocks_of_turns(const wf_turns *t)
{
    const int c = t->alike ? 1 : t->lanes / 2;
    return (t->r1 * beside(t) + c - 1) / c;
}

static size_t scalars_of_turns(const wf_turns *t)
{
    return (size_t)blocks_of_turns(t) * (size_t)(t->r2 - 1) *
           (size_t)(t->lanes * wf_turns_vectors(t->form));
}

/* One factor, and where a second vector begins `apart` on, its part of that. */
static inline void put_turn(wf_real real, wf_turns_form form, const double *w,
                            void *table, int64_t to, int64_t apart)
{
    wf_table_set(real, table, to, w[0]);
    wf_table_set(real, table, to + 1, w[form == WF_TURNS_TWICE ? 0 : 1]);
    if (form == WF_TURNS_ONCE)
        return;
    wf_table_set(real, table, to + apart, -w[1]);
    wf_table_set(real, table, to + apart + 1,
                 w[form == WF_TURNS_TWICE ? 1 : 0]);
}

/* The factors of c rows, the first of which is `first`, of the leg whose factors
 * are root q, 2 q ...; alike: of that row for all.  Each root is that of `beside`
 * rows. */
static inline void put_turns(wf_real real, wf_turns_form form, bool alike,
                             int c, int beside, const double *re_im,
                             ptrdiff_t first, ptrdiff_t q, void *table,
                             int64_t at)
{
    const double *w = &re_im[2 * (first / beside) * q];
    ptrdiff_t left = beside - first % beside;
    for (int i = 0; i < c; i++) {
        put_turn(real, form, w, table, at + 2 * i, 2 * c);
        if (beside == 1 || --left == 0) {
            w += alike ? 0 : 2 * q;
            left = beside;
        }
    }
}

static inline void put_blocks(const wf_turns *t, wf_real real,
                              wf_turns_form form, bool alike, int c,
                              int rows_beside, const wf_roots_table *roots,
                              void *table)
{
    const ptrdiff_t step = (ptrdiff_t)(roots->n / (t->r1 * t->r2));
    const int rows = t->r1 * rows_beside;
    int64_t at = 0;
    for (int block = 0; block < blocks_of_turns(t); block++) {
        const int first = alike                   ? block
                          : block * c + c <= rows ? block * c
                                                  : rows - c;
        for (int j = 1; j < t->r2; j++, at += 2 * c * wf_turns_vectors(form))
            put_turns(real, form, alike, c, rows_beside, roots->re_im, first,
                      step * (t->reversed ? t->r2 - j : j), table, at);
    }
}

/* The usual forms as constants, so that their loops are straight lines. */
static void put_all_turns(const wf_turns *t, const wf_roots_table *roots,
                          void *table)
{
    const int c = t->lanes / 2;
    const bool usual = !t->alike && beside(t) == 1;
    const bool twice = usual && t->form == WF_TURNS_TWICE;
    const bool turned = usual && t->form == WF_TURNS_TURNED;
    if (twice && t->real == WF_F64 && c == 2)
        put_blocks(t, WF_F64, WF_TURNS_TWICE, false, 2, 1, roots, table);
    else if (twice && t->real == WF_F64 && c == 4)
        put_blocks(t, WF_F64, WF_TURNS_TWICE, false, 4, 1, roots, table);
    else if (twice && t->real == WF_F32 && c == 4)
        put_blocks(t, WF_F32, WF_TURNS_TWICE, false, 4, 1, roots, table);
    else if (twice && t->real == WF_F32 && c == 8)
        put_blocks(t, WF_F32, WF_TURNS_TWICE, false, 8, 1, roots, table);
    else if (turned && t->real == WF_F64 && c == 4)
        put_blocks(t, WF_F64, WF_TURNS_TURNED, false, 4, 1, roots, table);
    else if (turned && t->real == WF_F32 && c == 8)
        put_blocks(t, WF_F32, WF_TURNS_TURNED, false, 8, 1, roots, table);
    else if (t->real == WF_F64)
        put_blocks(t, WF_F64, t->form, t->alike, c, beside(t), roots, table);
    else
        put_blocks(t, WF_F32, t->form, t->alike, c, beside(t), roots, table);
}

weft_status wf_bind_turns(wf_node *node, const wf_turns *turns, bool inverse,
                          const void **table)
{
    wf_roots_table own = {0};
    weft_status status = turns->roots != NULL
                             ? WEFT_OK
                             : wf_roots_make(turns->r1 * turns->r2, inverse,
                                             &own);
    if (status != WEFT_OK)
        return status;
    /* of the last vector what is read ends one number further */
    void *made = wf_node_table(node, scalars_of_turns(turns) + 1);
    if (made != NULL)
        put_all_turns(turns, turns->roots != NULL ? turns->roots : &own, made);
    if (turns->roots == NULL)
        wf_roots_drop(&own);
    *table = made;
    return made == NULL ? wf_no_memory() : WEFT_OK;
}
