/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_columns.c - any number of neighbouring columns, both parts of a number in
 * one register.
 *
 * A register has C numbers of one row.  What is left of C columns goes through
 * narrower ones: of AVX-512 through 256 bits with a mask, of AVX2 through 128 bits
 * and half of that.
 */
#include "emit_body.h"

#include <stdlib.h>

/* What follows LD and ST of this loop's words. */
static const char *part_of(const emitter *e)
{
    if (e->letter == 'X')
        return e->p->g->width == 2 && e->r->real == WF_F32 ? "H" : "";
    return e->r->isa == WF_ISA_AVX512 && e->letter == 'Y' ? "M" : "";
}

static const char *mask_of(const emitter *e)
{
    return *part_of(e) == 'M' ? ", some" : "";
}

static void load_leg(emitter *e, int i)
{
    const int j = e->p->g->nodes[i].a;
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %cLD%s(", e->letter, i, e->letter,
            part_of(e));
    if (j == 0)
        fputs("x", e->f);
    else
        emit_place(e->f, "const ", "leg", 'j', j);
    fprintf(e->f, "%s);\n", mask_of(e));
}

static void store_leg(emitter *e, const sink *s)
{
    fprintf(e->f, "    %cST%s(", e->letter, part_of(e));
    emit_place(e->f, "", "y", 'k', e->p->places[s->first]);
    fprintf(e->f, "%s, t%d);\n", mask_of(e), e->p->roots[s->first]);
}

/* While there are `least` columns left; all of them, if at most as many as a
 * register has. */
static void emit_loop(FILE *f, const row *r, int lanes, int least)
{
    emitter e;
    program *p = columns_new(r, lanes);
    schedule s = schedule_program(p);
    const int c = lanes / 2;
    emitter_begin(&e, f, r, p);
    e.letter = letter_of(r, lanes);
    e.load = load_leg;
    e.store = store_leg;
    fprintf(f, "    for (; left >= %d; left -= %d) {\n", least, c);
    if (*mask_of(&e))
        fprintf(f,
                "    const __mmask8 some = (__mmask8)(left < %d ? (1 << 2 * "
                "left) - 1 : 255);\n",
                c);
    fputs("    const char *leg0 = (const char *)(x + a->in_base);\n"
          "    char *y0 = (char *)y;\n"
          "    __asm__(\"\" : \"+r\"(j1), \"+r\"(j3), \"+r\"(k1), "
          "\"+r\"(k3));\n",
          f);
    emit_places(f, "const ", "leg", 'j', r->radix);
    emit_places(f, "", "y", 'k', r->radix);
    emit_body(&e, &s);
    fprintf(f, "    x += %d;\n    y += %d;\n    }\n", lanes, lanes);
    emitter_end(&e);
    free(s.steps);
    program_free(p);
}

void emit_columns(FILE *f, const row *r)
{
    char name[80];
    emit_name(name, sizeof name, r);
    for (int define = 0; define < 2; ++define)
        fprintf(f,
                "%svoid wf_%s(const T *in_re, const T *in_im, T *out_re,\n"
                "    T *out_im, const T *tw, const wf_pass_args *a)%s",
                define ? "" : "\n", name, define ? "\n{\n" : ";\n");
    fputs(
        "    ptrdiff_t j1 = a->in_leg * (ptrdiff_t)sizeof(T), j3 = 3 * j1;\n"
        "    ptrdiff_t k1 = a->out_leg * (ptrdiff_t)sizeof(T), k3 = 3 * k1;\n"
        "    (void)in_im;\n    (void)out_im;\n    (void)tw;\n"
        "    for (size_t p = 0; p < a->np; ++p) {\n"
        "    ptrdiff_t left = (ptrdiff_t)a->nq;\n"
        "    const T *x = in_re + (ptrdiff_t)p * a->in_p;\n"
        "    T *y = out_re + (ptrdiff_t)p * a->out_p;\n",
        f);
    const int lanes = target_lanes(r->isa, r->real);
    emit_loop(f, r, lanes, lanes / 2);
    if (r->isa == WF_ISA_AVX512)
        emit_loop(f, r, lanes / 2, 1);
    for (int l = lanes / 2; l >= 2 && r->isa == WF_ISA_AVX2; l /= 2)
        emit_loop(f, r, l, l / 2);
    fputs("    }\n}\n", f);
}
