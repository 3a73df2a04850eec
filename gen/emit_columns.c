/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_columns.c - any number of neighbouring columns, both parts of a number in
 * one register.
 *
 * A register has C numbers of one row.  What is left of C columns goes through
 * narrower ones: 256 bits, 128 and half of that; where n is long, of AVX-512 through
 * 256 bits with a mask.  (A masked load waits for stores that its lanes without a mask
 * would reach, as those of the next row are in place: Zen 4, r2c:f32:15x4x8 of 3 1200
 * ns with masks, 540 without.)
 */
#include "emit_body.h"

#include <stdlib.h>

int is_frequent(int n)
{
    return n <= 10 || n == 12 || n == 16;
}

const char *word_of_rows(rows_as rows)
{
    static const char *const words[] = {"", "M", "A", "H", "P"};
    return words[rows];
}

/* Leg j of x, or output k of y, and what its word takes beside the place. */
static void emit_number(const emitter *e, const char *type, const char *array,
                        char distance, int j)
{
    if (j == 0)
        fputc(*array == 'l' ? 'x' : 'y', e->f);
    else
        emit_place(e->f, type, array, distance, j);
    if (e->twin)
        fprintf(e->f, " + %d", e->p->g->width);
    if (e->rows == MASKED)
        fputs(", some", e->f);
}

static void load_leg(emitter *e, int i)
{
    e->declared[i] |= (char)(1 << e->twin);
    fprintf(e->f, "    const %c %c%d = %cLD%s(", e->letter, value_letter(e), i,
            e->letter, word_of_rows(e->rows));
    emit_number(e, "const ", "leg", 'j', e->p->g->nodes[i].a);
    fputs(");\n", e->f);
}

static void store_leg(emitter *e, const sink *s)
{
    fprintf(e->f, "    %cST%s(", e->letter, word_of_rows(e->rows));
    emit_number(e, "", "y", 'k', e->p->places[s->first]);
    fprintf(e->f, ", %c%d);\n", value_letter(e), e->p->roots[s->first]);
}

/* One butterfly of x and y, or two beside each other. */
static void emit_butterfly(FILE *f, const row *r, int lanes, rows_as rows,
                           int twins)
{
    emitter e;
    program *p = columns_new(r, lanes);
    schedule s = schedule_program(p);
    emitter_begin(&e, f, r, p);
    e.letter = letter_of(r, lanes);
    e.load = load_leg;
    e.store = store_leg;
    e.rows = rows;
    e.twins = twins;
    fputs("    const char *leg0 = (const char *)(x + a->in_base);\n"
          "    char *y0 = (char *)y;\n",
          f);
    emit_hidden(f, 'j', r->radix);
    emit_hidden(f, 'k', r->radix);
    emit_places(f, "const ", "leg", 'j', r->radix);
    emit_places(f, "", "y", 'k', r->radix);
    emit_body(&e, &s);
    emitter_end(&e);
    free(s.steps);
    program_free(p);
}

/* What moves on by `reals` of each row.  Compilers would make up counts of turns, in
 * registers more. */
static void emit_step(FILE *f, int reals)
{
    fprintf(f,
            "    x += %d;\n    y += %d;\n    left -= %d;\n"
            "    VOPAQUE(x);\n    VOPAQUE(y);\n    VOPAQUE(left);\n    }\n",
            reals, reals, reals / 2);
}

/* `word`, if or while, there are `least` columns left; all of them, if at most as many
 * as a register has. */
static void emit_turns(FILE *f, const row *r, const char *word, int lanes,
                       int least, rows_as rows)
{
    fprintf(f, "    %s (left >= %d) {\n", word, least);
    if (rows == MASKED)
        fprintf(f,
                "    const __mmask8 some = (__mmask8)(left < %d ? (1 << 2 * "
                "left) - 1 : 255);\n",
                lanes / 2);
    emit_butterfly(f, r, lanes, rows, 1);
    emit_step(f, lanes);
}

/* Of 512 bits those of 9 to 12 lose 2 to 13 % in the first cache.  Of 256 bits, with
 * 16 registers, 8 loses 5 % there, and 5 and 7 12 and 16 %; where rows share sets it
 * gains 41 %, which are those of powers of two. */
static int has_twins(const row *r)
{
    const int n = r->radix;
    return r->isa == WF_ISA_AVX512 ? n <= 8 : n == 2 || n == 4 || n == 8;
}

/* Two registers of each row, where all rows are in registers then: so twice as many
 * are on their way from the second cache, where rows share sets of the first (8 of 2048
 * doubles 9.8, then 8.6 us). */
static void emit_twins(FILE *f, const row *r, int lanes)
{
    fprintf(f, "    while (left >= %d) {\n", lanes);
    emit_butterfly(f, r, lanes, WHOLE, 2);
    emit_step(f, 2 * lanes);
}

/* All columns of a matrix, whose distances are known before.  `three` are sooner done
 * together where no matrix follows in place: its first load would wait for the last
 * such store (AVX-512, 100 of 3 x 3 floats 1110 ns, then 545). */
static void emit_matrix(FILE *f, const row *r)
{
    const int lanes = target_lanes(r->isa, r->real);
    if (has_twins(r))
        emit_twins(f, r, lanes);
    emit_turns(f, r, "while", lanes, lanes / 2, WHOLE);
    const int masks = r->isa == WF_ISA_AVX512 && !is_frequent(r->radix);
    if (masks)
        emit_turns(f, r, "while", lanes / 2, 1, MASKED);
    for (int l = lanes / 2; l >= 2 && !masks; l /= 2) {
        if (l == 4 && lanes == 16) {
            fputs("    if (three)\n", f);
            emit_turns(f, r, "if", 8, 3, MASKED);
        }
        emit_turns(f, r, "if", l, l / 2,
                   l == 2 && r->real == WF_F32 ? HALF : WHOLE);
    }
}

static void emit_distances(FILE *f, const row *r)
{
    fputs("    const ptrdiff_t size = sizeof(T);\n", f);
    emit_distance(f, 'j', "in_leg", r->radix);
    emit_distance(f, 'k', "out_leg", r->radix);
}

/* A matrix ends where its columns do, which says where the next one begins: a register
 * for that would be one more to keep for the caller, and a few columns feel it. */
static void emit_matrices(FILE *f, const row *r)
{
    emit_distances(f, r);
    fputs("    const int three = a->np == 1 || x != y;\n"
          "    (void)three;\n"
          "    for (size_t p = a->np; p > 0; --p) {\n"
          "    ptrdiff_t left = (ptrdiff_t)a->nq;\n",
          f);
    emit_matrix(f, r);
    fputs("    const ptrdiff_t done = 2 * ((ptrdiff_t)a->nq - left);\n"
          "    x += a->in_p - done;\n    y += a->out_p - done;\n"
          "    }\n",
          f);
}

/* One matrix of few rows is a function of its own, which keeps none at all (Zen 4, 2 to
 * 8 neighbours 1.13; called for each of many 4 x 4 matrices it would take 1.05 to 1.25
 * of their time).  Of more rows it gains as much, 5 to 8 KB a length. */
enum { MOST_ALONE = 4 };

static void emit_alone_or_all(FILE *f, const row *r)
{
    char name[80];
    emit_name(name, sizeof name, r);
    fprintf(
        f,
        "\nstatic __attribute__((noinline)) void one_%s(const T *x, T *y,\n"
        "    ptrdiff_t left, const wf_pass_args *a)\n{\n",
        name);
    emit_distances(f, r);
    fputs("    enum { three = 1 };\n", f);
    emit_matrix(f, r);
    fprintf(f,
            "}\n\nstatic __attribute__((noinline)) void all_%s(const T *x, "
            "T *y,\n    const wf_pass_args *a)\n{\n",
            name);
    emit_matrices(f, r);
    fputs("}\n", f);
}

void emit_columns(FILE *f, const row *r)
{
    char name[80];
    emit_name(name, sizeof name, r);
    if (r->radix <= MOST_ALONE)
        emit_alone_or_all(f, r);
    emit_pass_opening(f, r);
    fputs("    const T *x = in_re;\n    T *y = out_re;\n"
          "    (void)in_im;\n    (void)out_im;\n    (void)tw;\n",
          f);
    if (r->radix <= MOST_ALONE)
        fprintf(f,
                "    if (a->np == 1)\n"
                "        one_%s(x, y, (ptrdiff_t)a->nq, a);\n"
                "    else\n"
                "        all_%s(x, y, a);\n",
                name, name);
    else
        emit_matrices(f, r);
    fputs("}\n", f);
}
