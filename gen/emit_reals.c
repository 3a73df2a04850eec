/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_reals.c - whole real transforms of neighbouring columns, one in each lane.
 *
 * AVX-512 loads and stores by masks, so that any number of columns is one call; AVX2
 * does whole vectors of them.
 */
#include "emit_body.h"

static int is_masked(const emitter *e)
{
    return e->r->isa == WF_ISA_AVX512;
}

static void load_real(emitter *e, int i)
{
    dag *g = e->p->g;
    const int j = g->nodes[i].a / 2;
    char place[64] = "x";
    if (j > 0)
        snprintf(place, sizeof place, "x + (jb + %d * js)", j);
    if (!e->kind->in_i) {
        e->declared[i] = 1;
        fprintf(e->f,
                is_masked(e) ? "    const V t%d = VLDM(%s, some);\n"
                             : "    const V t%d = VLD(%s);\n",
                i, place);
        return;
    }
    const int re = dag_load(g, 2 * j), im = dag_load(g, 2 * j + 1);
    e->declared[re] = e->declared[im] = 1;
    fprintf(e->f, "    V t%d, t%d;\n    %s(%s, %s&t%d, &t%d);\n", re, im,
            is_masked(e) ? "vldim" : "vldi", place,
            is_masked(e) ? "low, high, " : "", re, im);
}

static void store_real(emitter *e, const sink *s)
{
    const int *root = &e->p->roots[s->first];
    if (e->kind->in_i) {
        fprintf(e->f,
                is_masked(e) ? "    VSTM(y + %d * ks, some, "
                             : "    VST(y + %d * ks, ",
                s->first);
        emit_operand(e, root[0]);
        fputs(");\n", e->f);
        return;
    }
    fprintf(e->f, "    %s(y + %d * ks, %s", is_masked(e) ? "vstim" : "vsti",
            s->first / 2, is_masked(e) ? "low, high, " : "");
    emit_operand(e, root[0]);
    fputs(", ", e->f);
    emit_operand(e, root[1]);
    fputs(");\n", e->f);
}

void emit_reals(FILE *f, const made *m)
{
    const row *r = &m->r;
    const kind_info *kind = kind_of(r->kind);
    emitter e;
    for (int j = 0; kind->in_i && j < 2 * (r->radix / 2 + 1); ++j)
        dag_load(m->parts[0].p->g, j); /* both parts are loaded together */
    emitter_begin(&e, f, r, m->parts[0].p);
    e.letter = 'V';
    e.load = load_real;
    e.store = store_real;
    emit_pass_opening(f, r);
    fputs("    (void)in_im;\n    (void)out_im;\n    (void)tw;\n"
          "    for (size_t p = 0; p < a->np; ++p) {\n"
          "    const T *x = in_re + (ptrdiff_t)p * a->in_p;\n"
          "    T *y = out_re + (ptrdiff_t)p * a->out_p;\n",
          f);
    fprintf(
        f,
        "    for (ptrdiff_t left = (ptrdiff_t)a->nq; left >= %s; left -= VL) "
        "{\n",
        is_masked(&e) ? "1" : "VL");
    if (is_masked(&e))
        fputs("    VMASK_OF(some, left);\n    (void)some;\n"
              "    VMASK_OF(low, 2 * left);\n"
              "    VMASK_OF(high, 2 * left - VL);\n",
              f);
    fputs("    ptrdiff_t js = a->in_leg, ks = a->out_leg;\n"
          "    const ptrdiff_t jb = a->in_base;\n"
          "    VOPAQUE(js);\n    VOPAQUE(ks);\n",
          f);
    emit_body(&e, &m->parts[0].s);
    fprintf(f, "    x += %s;\n    y += %s;\n    }\n    }\n}\n",
            kind->in_i ? "2 * VL" : "VL", kind->out_i ? "2 * VL" : "VL");
    emitter_end(&e);
}
