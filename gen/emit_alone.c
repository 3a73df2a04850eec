/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_alone.c - one cosine transform in registers as C text, in the vocabulary
 * of kernel/vec/interleaved.h.
 */
#include "emit_body.h"

/* The slots of program.h: input, table, and the number apart. */
static void load(emitter *e, int i)
{
    const int slot = e->p->g->nodes[i].a, each = slot & SLOT_SPREAD;
    const int at = slot & (SLOT_SPREAD - 1);
    const char *const of = slot == SLOT_SCALE     ? "in_im"
                           : slot >= SLOT_TWIDDLE ? "tw"
                                                  : "in_re";
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %c%s(%s%s%d%s);\n", e->letter, i,
            e->letter, each || slot == SLOT_SCALE ? "K" : "LD", of,
            each || slot == SLOT_SCALE ? "[" : " + ", at,
            each || slot == SLOT_SCALE ? "]" : "");
}

static void store(emitter *e, const sink *s)
{
    const int root = e->p->roots[s->first], place = e->p->places[s->first];
    if (e->p->lone == s->first + 1)
        fprintf(e->f, "    out_im[0] = t%d[0];\n    out_re[%d] = t%d[1];\n",
                root, place, root);
    else
        fprintf(e->f, "    %cST(out_re + %d, t%d);\n", e->letter, place, root);
}

void emit_alone(FILE *f, const row *r, const program *p, const schedule *s)
{
    emitter e;
    char name[96] = "wf_";
    emit_name(name + 3, sizeof name - 3, r);
    emitter_begin(&e, f, r, p);
    e.letter = letter_of(r, p->g->width);
    e.load = load;
    e.store = store;
    for (int define = 0; define < 2; ++define)
        fprintf(f,
                "%svoid %s(const T *in_re, const T *in_im, T *out_re,\n"
                "    T *out_im, const T *tw, const wf_pass_args *a)%s",
                define ? "" : "\n", name, define ? "\n{\n" : ";\n");
    fprintf(f, "    (void)a;\n    (void)%s;\n",
            e.kind->cosine == 2 ? "in_im" : "out_im");
    emit_lane_constants(&e);
    emit_body(&e, s);
    fputs("}\n", f);
    emitter_end(&e);
}
