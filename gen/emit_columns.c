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
          "    char *y0 = (char *)y;\n"
          "    __asm__(\"\" : \"+r\"(j1), \"+r\"(j3), \"+r\"(k1), "
          "\"+r\"(k3));\n",
          f);
    emit_places(f, "const ", "leg", 'j', r->radix);
    emit_places(f, "", "y", 'k', r->radix);
    emit_body(&e, &s);
    emitter_end(&e);
    free(s.steps);
    program_free(p);
}

/* While there are `least` columns left; all of them, if at most as many as a
 * register has. */
static void emit_loop(FILE *f, const row *r, int lanes, int least,
                      rows_as rows)
{
    const int c = lanes / 2;
    fprintf(f, "    for (; left >= %d; left -= %d) {\n", least, c);
    if (rows == MASKED)
        fprintf(f,
                "    const __mmask8 some = (__mmask8)(left < %d ? (1 << 2 * "
                "left) - 1 : 255);\n",
                c);
    emit_butterfly(f, r, lanes, rows, 1);
    fprintf(f, "    x += %d;\n    y += %d;\n    }\n", lanes, lanes);
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
    fprintf(f, "    for (; left >= %d; left -= %d) {\n", lanes, lanes);
    emit_butterfly(f, r, lanes, WHOLE, 2);
    fprintf(f, "    x += %d;\n    y += %d;\n    }\n", 2 * lanes, 2 * lanes);
}

void emit_columns(FILE *f, const row *r)
{
    const int lanes = target_lanes(r->isa, r->real);
    emit_pass_opening(f, r);
    fputs(
        "    ptrdiff_t j1 = a->in_leg * (ptrdiff_t)sizeof(T), j3 = 3 * j1;\n"
        "    ptrdiff_t k1 = a->out_leg * (ptrdiff_t)sizeof(T), k3 = 3 * k1;\n"
        "    (void)in_im;\n    (void)out_im;\n    (void)tw;\n",
        f);
    fputs("    for (size_t p = 0; p < a->np; ++p) {\n"
          "    ptrdiff_t left = (ptrdiff_t)a->nq;\n"
          "    const T *x = in_re + (ptrdiff_t)p * a->in_p;\n"
          "    T *y = out_re + (ptrdiff_t)p * a->out_p;\n",
          f);
    if (has_twins(r))
        emit_twins(f, r, lanes);
    emit_loop(f, r, lanes, lanes / 2, WHOLE);
    const int masks = r->isa == WF_ISA_AVX512 && !is_frequent(r->radix);
    if (masks)
        emit_loop(f, r, lanes / 2, 1, MASKED);
    for (int l = lanes / 2; l >= 2 && !masks; l /= 2) {
        if (l == 4 && lanes == 16) /* three are sooner done together */
            emit_loop(f, r, 8, 3, MASKED);
        emit_loop(f, r, l, l / 2, l == 2 && r->real == WF_F32 ? HALF : WHOLE);
    }
    fputs("    }\n}\n", f);
}
