/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_alone.c - one cosine transform in registers as C text, in the vocabulary
 * of kernel/vec/interleaved.h: a straight line, or where that is much code, two
 * loops and a few instructions, with scratch between.  The straight line stays
 * what is counted and checked (--check).
 */
#include "emit_body.h"

#include "util.h"

#include <stdlib.h>

/* From so many registers on.  Zen 4, ns, straight, in loops, types II and III:
 * AVX2 f64 512 346 325, 305 322; 256 134 146, 129 136; 128 54 61, 58 63; f32 256 70
 * 76, 76 77; AVX-512 f64 256 111 137, 125 138: these of 32 registers lose a little
 * for a third of their code.  The last block may overlap the one before it. */
enum { LOOP_REGISTERS = 32 };

static int in_loops_alone(const row *r)
{
    const int v = alone_lanes(r);
    return v < wf_alone_columns(r->radix) && r->radix / v >= LOOP_REGISTERS;
}

/* Where slot or place `at` is, of the vector that is named. */
static void print_place(const emitter *e, int at, const char *vector)
{
    const char *const of = at & ALONE_SCRATCH ? "z"
                           : at & ALONE_TABLE ? "tw"
                                              : vector;
    const int moves = e->in_loop ? at & (ALONE_ON | ALONE_BACK) : 0;
    fprintf(e->f, "%s + %d", of, at & ALONE_AT);
    if (at & ALONE_TWO)
        fprintf(e->f, ", %d", at / ALONE_DISTANCE - ALONE_FAR);
    if (moves)
        fprintf(e->f, " %c %s", moves == ALONE_ON ? '+' : '-',
                at & ALONE_SCRATCH ? "zo" : "o");
}

static void load(emitter *e, int i)
{
    const int slot = e->p->g->nodes[i].a;
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = ", e->letter, i);
    if (slot == ALONE_APART) {
        fprintf(e->f, "%cK(in_im[0]);\n", e->letter);
        return;
    }
    if (slot & ALONE_TWO)
        fputs("yload_two(", e->f);
    else
        fprintf(e->f, "%c%s", e->letter, slot & ALONE_EACH ? "K(*(" : "LD(");
    print_place(e, slot, "in_re");
    fputs(slot & ALONE_EACH ? "));\n" : ");\n", e->f);
}

static void store(emitter *e, const sink *s)
{
    const int root = e->p->roots[s->first], place = e->p->places[s->first];
    const int n = e->r->radix, q = wf_alone_columns(n);
    if (!e->p->lone || s->first + 1 < e->p->lone) {
        if (place & ALONE_TWO)
            fputs("    ystore_two(", e->f);
        else
            fprintf(e->f, "    %cST(", e->letter);
        print_place(e, place, "out_re");
        fprintf(e->f, ", t%d);\n", root);
        return;
    }
    for (int l = 0; l < e->p->g->width && place + l < q / 2; ++l)
        if (place + l)
            fprintf(e->f, "    out_re[%d] = t%d[%d];\n",
                    (place + l) * 2 * (n / q), root, l);
        else
            fprintf(e->f, "    out_im[0] = t%d[0];\n", root);
}

static void emit_line(FILE *f, const row *r, const program *p,
                      const schedule *s, int in_loop)
{
    emitter e;
    emitter_begin(&e, f, r, p);
    e.letter = letter_of(r, p->g->width);
    e.load = load;
    e.store = store;
    e.in_loop = in_loop;
    emit_lane_constants(&e);
    emit_body(&e, s);
    emitter_end(&e);
}

/* One of the loops, or what is in neither. */
static void emit_part(FILE *f, const row *r, alone_part part)
{
    program *p = alone_part_new(r, part);
    schedule s = schedule_program(p);
    const int v = alone_lanes(r), q = wf_alone_columns(r->radix);
    const int m = r->radix / q;
    if (part == ALONE_LONE)
        fputs("    {\n", f);
    else if (part == ALONE_PAIRS)
        fprintf(f,
                "    for (ptrdiff_t i = 0; i < %d; ++i) {\n"
                "    const ptrdiff_t o = i * %d, zo = i * %d;\n",
                q / v / 2, v, 2 * (m + 1) * v);
    else if (m % v == 0)
        fprintf(f,
                "    for (ptrdiff_t o = 0; o < %d; o += %d) {\n"
                "    const ptrdiff_t zo = o * %d;\n",
                m, v, v);
    else
        fprintf(f,
                "    for (ptrdiff_t i = 0; i < %d; i += %d) {\n"
                "    const ptrdiff_t o = i < %d ? i : %d, zo = o * %d;\n",
                m, v, m - v, m - v, v);
    emit_line(f, r, p, &s, part != ALONE_LONE);
    fputs("    }\n", f);
    free(s.steps);
    program_free(p);
}

static void emit_loops(FILE *f, const row *r)
{
    const int second = kind_of(r->kind)->cosine == 2, v = alone_lanes(r);
    const int q = wf_alone_columns(r->radix), rows = r->radix / q + 1;
    const char letter = letter_of(r, v);
    fprintf(f, "    T z[%d] __attribute__((aligned(64)));\n", q * rows);
    if (second) {
        emit_part(f, r, ALONE_PAIRS);
        for (int b = 0; b < q / v / 2; ++b)
            fprintf(f, "    %cST(z + %d, %cK(0));\n", letter,
                    ((2 * b + 1) * rows - 1) * v, letter);
        emit_part(f, r, ALONE_BLOCKS);
        emit_part(f, r, ALONE_LONE);
    } else {
        emit_part(f, r, ALONE_BLOCKS);
        emit_part(f, r, ALONE_LONE);
        emit_part(f, r, ALONE_PAIRS);
    }
}

void emit_alone(FILE *f, const row *r, const program *p, const schedule *s)
{
    char name[96] = "wf_";
    emit_name(name + 3, sizeof name - 3, r);
    for (int define = 0; define < 2; ++define)
        fprintf(f,
                "%svoid %s(const T *in_re, const T *in_im, T *out_re,\n"
                "    T *out_im, const T *tw, const wf_pass_args *a)%s",
                define ? "" : "\n", name, define ? "\n{\n" : ";\n");
    fprintf(f, "    (void)a;\n    (void)%s;\n",
            kind_of(r->kind)->cosine == 2 ? "in_im" : "out_im");
    if (in_loops_alone(r))
        emit_loops(f, r);
    else
        emit_line(f, r, p, s, 0);
    fputs("}\n", f);
}
