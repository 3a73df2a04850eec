/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_long_leaf.c - long leaves within registers as two loops.
 *
 * A straight line of n numbers has the code of a DFT of R1, and of R2, as often
 * as it does one.  Here a loop over blocks of C columns stores to scratch,
 * transposed; one over blocks of C rows turns what it reads by factors from
 * tables.  The straight line has most of these stores, too, since no registers
 * hold so much: where it has many blocks the loops are as fast, in a tenth of
 * its code.  What is left is tables, and so that both signs have one the loop
 * over rows is there twice.  The program of the whole leaf stays what is counted
 * and checked (--check).
 */
#include "emit_body.h"

#include "util.h"

#include <stdlib.h>

/* The longest straight lines.  Zen 4, ns, straight, in loops: f64, 256 bits, 100
 * 67, 66; 128 85, 91; 140 101, 103; 200 143, 143; 256 211, 203; 512 bits 256 184,
 * 195; 512 431, 476; f32, 256 bits 240 91, 100; 256 103, 115; 400 168, 178; 512
 * 238, 238; 512 bits 256 93, 106; 512 213, 215; 1024 510, 530. */
enum { STRAIGHT_DOUBLES = 128, STRAIGHT_FLOATS = 256 };

int in_two_loops(const row *r)
{
    if (!kind_of(r->kind)->leaf || kind_of(r->kind)->real)
        return 0;
    return r->real == WF_F32
               ? r->radix > STRAIGHT_FLOATS
               : r->isa == WF_ISA_AVX2 && r->radix > STRAIGHT_DOUBLES;
}

static void load_turned(emitter *e, int i)
{
    const int slot = e->p->g->nodes[i].a, width = e->p->g->width;
    const int turn = slot - SLOT_TWIDDLE;
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %cLD(%s + %d);\n", e->letter, i,
            e->letter,
            turn < 0   ? "z"
            : turn % 2 ? "td"
                       : "tc",
            (turn < 0 ? slot : turn / 2) * width);
}

static void store_square(emitter *e, const sink *s)
{
    fprintf(e->f, "    %cST(z + %d, t%d);\n", e->letter,
            e->p->places[s->first] * e->p->g->width, e->p->roots[s->first]);
}

/* The forward factors of all blocks of rows in the order of their use. */
static void emit_turns(const emitter *e, int r2, int sines)
{
    const int n = e->r->radix, r1 = n / r2, lanes = e->p->leaf.lanes;
    const int c = lanes / 2, size = (r1 + c - 1) / c * (r2 - 1) * lanes;
    fprintf(e->f,
            "    static const T %s[%d] __attribute__((aligned(64))) = {\n",
            sines ? "sines" : "cosines", size);
    for (int i = 0; i < size; ++i) {
        const int block = i / lanes / (r2 - 1), q = i / lanes % (r2 - 1) + 1;
        const int l = i % lanes;
        const long turns = (long)q * (leaf_start(r1, c, block) + l / 2);
        const long double sine = l % 2 ? -turn_sin(turns, n)
                                       : turn_sin(turns, n);
        fputs("        ", e->f);
        print_constant(e, sines ? sine : turn_cos(turns, n));
        fputs(",\n", e->f);
    }
    fputs("    };\n", e->f);
}

/* The first element of block b of c of n, the last one overlapping. */
static void emit_first(FILE *f, int n, int c)
{
    fprintf(f, "    const ptrdiff_t first = ");
    if (n % c)
        fprintf(f, "b * %d < %d ? b * %d : %d;\n", c, n - c, c, n - c);
    else
        fprintf(f, "b * %d;\n", c);
}

/* Begins the loop over blocks of c of n that p is the body of. */
static emitter begin_loop(FILE *f, const made *m, program *p, int n)
{
    emitter e;
    const int lanes = p->leaf.lanes, c = lanes / 2;
    emitter_begin(&e, f, &m->r, p);
    e.letter = letter_of(&m->r, lanes);
    fprintf(f, "    for (ptrdiff_t b = 0; b < %d; ++b) {\n", (n + c - 1) / c);
    emit_first(f, n, c);
    return e;
}

static void end_loop(emitter *e, program *p)
{
    schedule s = schedule_program(p);
    emit_body(e, &s);
    fputs("    }\n", e->f);
    emitter_end(e);
    free(s.steps);
    program_free(p);
}

static void emit_columns(FILE *f, const made *m, design d)
{
    program *p = leaf_columns_new(&m->r, d);
    emitter e = begin_loop(f, m, p, m->r.radix / d.rows);
    e.load = emit_leaf_load;
    e.store = store_square;
    fprintf(f,
            "    const T *x = in + (ptrdiff_t)i * in_dist + 2 * first;\n"
            "    T *z = scratch + %d * first;\n",
            d.lanes);
    emit_leaf_constants(&e);
    end_loop(&e, p);
}

static void emit_rows(FILE *f, const made *m, design d, int sign)
{
    const int r2 = m->r.radix / d.rows;
    program *p = leaf_rows_new(&m->r, d, sign);
    emitter e = begin_loop(f, m, p, d.rows);
    e.load = load_turned;
    e.store = emit_leaf_store;
    fprintf(f,
            "    const T *z = scratch + b * %d;\n"
            "    const T *tc = cosines + b * %d, *td = sines + b * %d;\n"
            "    T *y = out + (ptrdiff_t)i * out_dist + 2 * first;\n",
            r2 * d.lanes, (r2 - 1) * d.lanes, (r2 - 1) * d.lanes);
    emit_lane_constants(&e);
    end_loop(&e, p);
}

void emit_long_leaf(FILE *f, const made *m)
{
    const emitter e = {.f = f, .r = &m->r, .p = m->parts[0].p};
    const design d = e.p->leaf;
    const int r2 = m->r.radix / d.rows, c = d.lanes / 2;
    emit_turns(&e, r2, 0);
    emit_turns(&e, r2, 1);
    fprintf(f,
            "    T scratch[%d] __attribute__((aligned(64)));\n"
            "    for (; i < count; ++i) {\n",
            (d.rows + c - 1) / c * r2 * d.lanes);
    emit_columns(f, m, d);
    fputs("    if (inverse) {\n", f);
    emit_rows(f, m, d, 1);
    fputs("    } else {\n", f);
    emit_rows(f, m, d, -1);
    fputs("    }\n    }\n", f);
}
