/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_blocks.c - passes from blocks, whose im is the vector after re.
 *
 * With im at a constant distance the addresses of all legs are sums of a few
 * registers.  With im anywhere they are twice as many, more than there are, and
 * are made anew in each butterfly: of 190 instructions of mid_8 50 are that.
 * Time of the loops with im anywhere over that of these, all in the first cache,
 * Zen 4, doubles, AVX2 and AVX-512: mid 4 1.26 1.20, 6 1.17 1.14, 8 1.15 1.08, 10
 * 1.10 1.03, 12 1.11 1.03, 16 1.04 1.04; last 4 1.13 1.12, 8 1.04 1.03, 16 1.01
 * 0.99; colmid 4 1.22 1.13, 8 1.03 1.02, 16 1.05 1.05.  Floats within 0.03 of
 * that.
 *
 * Where an array begins within a line of memory, as malloc's large ones do, every
 * store of a whole vector is two.  Stored by lines, a part of the first and of the last
 * of them, two vectors are three stores.
 */
#include "emit_body.h"

void emit_place(FILE *f, const char *type, const char *array, char s, int j)
{
    fprintf(f, "(%sT *)(%s%d", type, array, j / 4);
    if (j % 4)
        fprintf(f, " + %d * %c%d", j % 4 == 2 ? 2 : 1, s, j % 4 == 3 ? 3 : 1);
    fputs(")", f);
}

void emit_places(FILE *f, const char *type, const char *array, char s,
                 int count)
{
    for (int i = 1; 4 * i < count; ++i)
        fprintf(f, "    %schar *%s%d = %s%d + 4 * %c1;\n", type, array, i,
                array, i - 1, s);
}

void emit_distance(FILE *f, char name, const char *field, int count)
{
    fprintf(f, "    ptrdiff_t %c1 = a->%s * size;\n", name, field);
    if (count > 3)
        fprintf(f, "    ptrdiff_t %c3 = 3 * %c1;\n", name, name);
}

void emit_hidden(FILE *f, char name, int count)
{
    fprintf(f, "    VOPAQUE(%c1);\n", name);
    if (count > 3)
        fprintf(f, "    VOPAQUE(%c3);\n", name);
}

/* Those that gain enough for the room they take. */
static const struct {
    wf_kernel_kind kind;
    wf_isa isa;
    blocks how;
    unsigned char radices[12];
} chosen[] = {
    {WF_KERNEL_MID, WF_ISA_AVX2, BLOCKS_TOO, {3, 4, 6, 8}},
    {WF_KERNEL_MID, WF_ISA_AVX512, BLOCKS_TOO, {3, 4, 6, 8}},
    {WF_KERNEL_LAST_SCALED, WF_ISA_AVX2, BLOCKS_TOO, {4, 8}},
    {WF_KERNEL_LAST_SCALED, WF_ISA_AVX512, BLOCKS_TOO, {4, 8}},
    {WF_KERNEL_COLMID, WF_ISA_AVX2, BLOCKS_ALONE, {2, 3, 4, 6, 7, 10, 12}},
    {WF_KERNEL_COLMID, WF_ISA_AVX512, BLOCKS_ALONE, {2, 3, 4, 6, 16}},
    {WF_KERNEL_COLLAST_SCALED,
     WF_ISA_AVX2,
     BLOCKS_ALONE,
     {2, 3, 4, 5, 6, 7, 8, 9, 11}},
};

blocks blocks_of(const row *r)
{
    const int count = (int)(sizeof chosen / sizeof *chosen);
    for (int i = 0; i < count; ++i)
        if (chosen[i].kind == r->kind && chosen[i].isa == r->isa)
            for (int j = 0; chosen[i].radices[j]; ++j)
                if (chosen[i].radices[j] == r->radix)
                    return chosen[i].how;
    return BLOCKS_NOT;
}

void load_from_block(emitter *e, int slot)
{
    fputs("VLD(", e->f);
    if (slot < 2)
        fputs("(const T *)x", e->f);
    else
        emit_place(e->f, "const ", "leg", 'j', slot / 2);
    fputs(slot % 2 ? " + VL)" : ")", e->f);
}

void store_in_block(emitter *e, int k, int re, int im)
{
    const int apart = blocks_of(e->r) == BLOCKS_ALONE;
    fputs(e->lines         ? "    vsti_lines("
          : e->kind->out_i ? "    vsti("
                           : "    VST(",
          e->f);
    emit_place(e->f, "", "y", 'k', k);
    if (e->kind->out_i) {
        fprintf(e->f, ", t%d, t%d%s);\n", re, im, e->lines ? ", &z" : "");
        return;
    }
    fprintf(e->f, ", t%d);\n    VST(", re);
    emit_place(e->f, "", apart ? "z" : "y", 'k', k);
    fprintf(e->f, "%s, t%d);\n", apart ? "" : " + VL", im);
}

/* Has it such loops, too?  Most fused last passes are of radix 8; others, and those that
 * write where they read, gain nothing. */
static int stores_lines(const row *r)
{
    return r->kind == WF_KERNEL_LAST_SCALED && r->isa == WF_ISA_AVX512 &&
           r->radix == 8;
}

static void emit_block_loops(emitter *e, const schedule *s, int apart)
{
    FILE *f = e->f;
    const int radix = e->r->radix;
    fprintf(
        f,
        "    for (size_t p = 0; p < a->np; ++p) {\n"
        "    const char *x = (const char *)(in_re + (ptrdiff_t)p * a->in_p);\n"
        "    const char *leg0 = x + a->in_base * size;\n"
        "    char *y0 = (char *)(out_re%s + (ptrdiff_t)p * a->out_p);\n",
        e->lines ? " - z.beyond" : "");
    if (apart)
        fputs("    char *z0 = (char *)(out_im + (ptrdiff_t)p * a->out_p);\n",
              f);
    fputs("    const T *w = tw + (ptrdiff_t)p * a->tw_p;\n"
          "    for (size_t q = a->nq; q > 0; --q) {\n",
          f);
    emit_hidden(f, 'j', radix);
    emit_hidden(f, 'k', radix);
    emit_places(f, "const ", "leg", 'j', radix);
    emit_places(f, "", "y", 'k', radix);
    if (apart)
        emit_places(f, "", "z", 'k', radix);
    e->from_blocks = 1;
    emit_body(e, s);
    e->from_blocks = 0;
    emitter_forget(e);
    fprintf(f,
            "    x += a->in_q * size;\n    leg0 += a->in_q * size;\n"
            "    y0 += a->out_q * size;\n%s    w += a->tw_q;\n    }\n    }\n",
            apart ? "    z0 += a->out_q * size;\n" : "");
}

void emit_from_blocks(emitter *e, const schedule *s)
{
    FILE *f = e->f;
    const int radix = e->r->radix, too = blocks_of(e->r) == BLOCKS_TOO;
    const int apart = !too && !e->kind->out_i;
    if (too)
        fprintf(f, "    if (in_im == in_re + VL%s) {\n",
                e->kind->out_i ? "" : " && out_im == out_re + VL");
    fputs("    const ptrdiff_t size = sizeof(T);\n", f);
    emit_distance(f, 'j', "in_leg", radix);
    emit_distance(f, 'k', "out_leg", radix);
    if (stores_lines(e->r)) {
        fputs("    const vlines z = vlines_of(\n"
              "        vbeyond(out_re, a->out_leg | a->out_p | a->out_q));\n"
              "    if (z.beyond) {\n",
              f);
        e->lines = 1;
        emit_block_loops(e, s, apart);
        e->lines = 0;
        fputs("    return;\n    }\n", f);
    }
    emit_block_loops(e, s, apart);
    if (too)
        fputs("    return;\n    }\n", f);
}
