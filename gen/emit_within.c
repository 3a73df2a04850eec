/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_within.c - transforms within registers of n = R1 R2 as two loops.
 *
 * A straight line of n numbers has the code of a DFT of R1, and of R2, as often
 * as it does one.  Here a loop over blocks of C columns stores to scratch,
 * transposed; one over blocks of C rows turns what it reads by factors from the
 * plan's table.  The straight line has most of these stores, too, since no
 * registers hold so much: where it has many blocks the loops are as fast, in a
 * tenth of its code, and the processor need not fetch it anew (Zen 5, f64 512,
 * 64 in a row: 392 ns each, in loops 277).
 *
 * A leaf has both loops and all their distances as constants.  Each is a kernel
 * of its own, too (WITHIN kinds), that takes them from its caller: two lists of
 * kernels serve all products of their radices, in 1.07 (AVX2) to 1.13 (AVX-512)
 * of a leaf's time.  There both signs are one kernel, by the order of legs; in a
 * leaf some constants have the sign.
 */
#include "emit_body.h"

#include "util.h"

#include <stdlib.h>
#include <string.h>

/*
 * A straight line is kept for powers of two and up to `most`, but for some that
 * would be longest.  Straight, in loops, ns: Zen 5, f64, 256 bits, 98 66, 75; 105
 * 77, 82; 110 85, 84; 112 61, 65; 120 69, 70; 125 105, 107; 126 80, 84; 128 70, 75;
 * 512 bits 144 48, 50; 192 69, 66; 240 80, 85; 256 94, 101; 512 223, 220; f32, 512
 * bits 240 50, 58.  Zen 4, f64, 256 bits, 128 85, 91; 140 101, 103; 200 143, 143;
 * 256 211, 203; 512 bits 256 184, 195; 512 431, 476; f32, 256 bits 240 91, 100; 256
 * 103, 115; 400 168, 178; 512 238, 238; 512 bits 256 93, 106; 512 213, 215; 1024
 * 510, 530.
 */
int in_two_loops(const row *r)
{
    const int n = r->radix, doubles = r->real == WF_F64;
    const int most = doubles ? 128 : 240;
    const int narrow = doubles && r->isa == WF_ISA_AVX2;
    const int large = n == 91 || n == 99 || n == 104 || n == 105 || n == 110 ||
                      n == 120 || n == 125 || n == 126;
    if (!kind_of(r->kind)->leaf || kind_of(r->kind)->real ||
        (n == 256 && !narrow))
        return 0;
    return n > most || (narrow && large);
}

/* Leg 0 is apart (LEG in kernel/pass.h). */
static void emit_place_of(const emitter *e, int slot)
{
    const int width = e->p->g->width;
    if (slot >= SLOT_TWIDDLE)
        fprintf(e->f, "w + %d", (slot - SLOT_TWIDDLE) * width);
    else if (slot == 0)
        fputs("x", e->f);
    else
        emit_place(e->f, "const ", "leg", 'j', slot);
}

static void load_leg(emitter *e, int i)
{
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %cLD(", e->letter, i, e->letter);
    emit_place_of(e, e->p->g->nodes[i].a);
    fputs(");\n", e->f);
}

/* Behind the last leg there may be nothing that can be read. */
static void load_doubled(const emitter *e, int i)
{
    const node *n = &e->p->g->nodes[i];
    const int odd = e->p->g->patterns[n->c].src[0];
    const int slot = e->p->g->nodes[n->a].a;
    fprintf(e->f, "%cLD%s(", e->letter,
            !odd                      ? "EVEN"
            : slot == e->p->radix - 1 ? "LAST_ODD"
                                      : "ODD");
    emit_place_of(e, slot);
    fputs(");\n", e->f);
}

static void store_square(emitter *e, const sink *s)
{
    const int width = e->p->g->width, place = e->p->places[s->first];
    fprintf(e->f, "    %cST(", e->letter);
    emit_place(e->f, "", "y", 'k', place % (width / 2));
    fprintf(e->f, " + %d, t%d);\n", place / (width / 2) * width,
            e->p->roots[s->first]);
}

static void store_leg(emitter *e, const sink *s)
{
    fprintf(e->f, "    %cST(", e->letter);
    emit_place(e->f, "", "y", 'k', e->p->places[s->first]);
    fprintf(e->f, ", t%d);\n", e->p->roots[s->first]);
}

/* Where a loop's samples are, as text. */
typedef struct places {
    const char *total, *js, *ks; /* columns or rows; distances in numbers */
    const char *x, *leg, *w, *y; /* of block b, which begins at `first` */
} places;

/* A loop over blocks of C of `total`, whose body is p. */
static void emit_loop(FILE *f, const row *r, program *p, int columns,
                      const places *at)
{
    emitter e;
    const int c = p->leaf.lanes / 2, fixed = kind_of(r->kind)->leaf != 0;
    const int outputs = columns ? c : p->radix;
    const char *word = fixed ? "const ptrdiff_t" : "ptrdiff_t";
    schedule s = schedule_program(p);
    emitter_begin(&e, f, r, p);
    e.letter = letter_of(r, p->leaf.lanes);
    e.load = load_leg;
    e.load_doubled = wf_loads_doubled(r->isa) ? load_doubled : NULL;
    e.store = columns ? store_square : store_leg;
    fprintf(f,
            "    {\n    const ptrdiff_t last = %s - %d;\n"
            "    %s j1 = %s * (ptrdiff_t)sizeof(T), j3 = 3 * j1;\n"
            "    %s k1 = %s * (ptrdiff_t)sizeof(T), k3 = 3 * k1;\n"
            "    (void)k3;\n"
            "    for (ptrdiff_t b = 0; b < (%s + %d) / %d; ++b) {\n"
            "    const ptrdiff_t first = b * %d < last ? b * %d : last;\n"
            "    const T *x = %s;\n"
            "    const char *leg0 = (const char *)(%s);\n",
            at->total, c, word, at->js, word, at->ks, at->total, c - 1, c, c,
            c, at->x, at->leg);
    if (!columns)
        fprintf(f, "    const T *w = %s;\n", at->w);
    fprintf(f, "    char *y0 = (char *)(%s);\n", at->y);
    if (!fixed)
        fputs("    __asm__(\"\" : \"+r\"(j1), \"+r\"(j3), \"+r\"(k1), "
              "\"+r\"(k3));\n",
              f);
    emit_places(f, "const ", "leg", 'j', p->radix);
    emit_places(f, "", "y", 'k', outputs);
    if (fixed)
        emit_leaf_constants(&e);
    emit_body(&e, &s);
    fputs("    }\n    }\n", f);
    emitter_end(&e);
    free(s.steps);
    program_free(p);
}

/* What reads rows of scratch waits for rows just written that have the same place in a
 * page (of c2c:f64:1024 in place a quarter of the places took 1.15 times as long; Zen 4).
 * Only where rows are powers of two long do all rows of both meet. */
static int can_meet(size_t row)
{
    return (row & (row - 1)) == 0;
}

/* Input, output, scratch and factors are more than a first cache of 32 KiB holds.  The
 * rows that a block reads lie as its results do, where the squares are whole: so the
 * output can be the scratch.  (Zen 4, before over after, 512 bits: f64 512 1.08, 1024
 * 1.03, f32 1024 1.03, 512 0.97; 256 bits: f64 1.11, 1.09, f32 1024 1.05.) */
static int is_crowded(const row *r)
{
    return r->radix * (r->real == WF_F64 ? 16 : 8) >= 8 * 1024;
}

void emit_long_leaf(FILE *f, const made *m)
{
    const row *r = &m->r;
    const design d = m->parts[0].p->leaf;
    const int r1 = d.rows, r2 = r->radix / r1, c = d.lanes / 2;
    const wf_turns_form form = wf_turns_of_leaf(r->isa, r->real, r->radix);
    const int blocks = (r1 + c - 1) / c;
    const int in_output = r1 % c == 0 && is_crowded(r);
    const int apart = can_meet((size_t)(blocks * d.lanes));
    const places columns = {.total = "R2",
                            .js = "2 * R2",
                            .ks = "COLUMN",
                            .x = "in + (ptrdiff_t)i * in_dist + 2 * first",
                            .leg = "x",
                            .y = "middle + first * COLUMN"};
    const places rows = {.total = "R1",
                         .js = "COLUMN",
                         .ks = "2 * R1",
                         .x = "middle + b * LANES",
                         .leg = "x",
                         .w = "tw + b * TURNS",
                         .y = "to + 2 * first"};
    if (d.lanes != target_lanes(r->isa, r->real))
        gen_die("a long leaf in narrow registers");
    fprintf(f,
            "    enum { R1 = %d, R2 = %d, LANES = %d, COLUMN = %d, TURNS = %d "
            "};\n"
            "    T scratch[%s * COLUMN] __attribute__((aligned(64)));\n"
            "    for (; i < count; ++i) {\n"
            "    T *to = out + (ptrdiff_t)i * out_dist;\n"
            "    T *middle = %s;\n",
            r1, r2, d.lanes, blocks * d.lanes,
            (r2 - 1) * d.lanes * wf_turns_vectors(form),
            apart ? "(R2 + 1)" : "R2",
            apart ? "clear_of(scratch, to, COLUMN * sizeof(T))" : "scratch");
    if (in_output)
        fputs("    if (are_apart(in + (ptrdiff_t)i * in_dist, to, 2 * R1 * "
              "R2))\n"
              "        middle = to;\n",
              f);
    emit_loop(f, r, within_columns_new(r, r1, d.lanes), 1, &columns);
    emit_loop(f, r, within_rows_new(r, r2, d.lanes, form), 0, &rows);
    fputs("    }\n", f);
}

void emit_within(FILE *f, const row *r)
{
    const int lanes = target_lanes(r->isa, r->real);
    const int columns = kind_of(r->kind)->within == WITHIN_FIRST;
    const places at = {
        .total = "total",
        .js = "a->in_leg",
        .ks = columns ? "a->out_q" : "a->out_leg",
        .x = columns ? "in_re + 2 * first" : "in_re + b * LANES",
        .leg = "x + a->in_base",
        .w = "tw + b * TURNS",
        .y = columns ? "out_re + first * a->out_q" : "out_re + 2 * first"};
    emit_pass_opening(f, r);
    fprintf(f,
            "    %s\n    const ptrdiff_t total = (ptrdiff_t)a->nq;\n"
            "    (void)in_im;\n    (void)out_im;\n",
            columns ? "(void)tw;" : "");
    if (!columns)
        fprintf(f,
                "    enum { LANES = %d, TURNS = %d };\n"
                "    for (size_t p = 0; p < a->np; ++p) {\n",
                lanes, (r->radix - 1) * lanes * 2);
    emit_loop(f, r,
              columns ? within_columns_new(r, r->radix, lanes)
                      : within_rows_new(r, r->radix, lanes, WF_TURNS_TWICE),
              columns, &at);
    if (!columns)
        fputs("    in_re += a->in_p;\n    out_re += a->out_p;\n"
              "    tw += a->tw_q;\n    }\n",
              f);
    fputs("}\n", f);
}
