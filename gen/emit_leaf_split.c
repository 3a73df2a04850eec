/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_leaf_split.c - leaves of two arrays as C text.
 *
 * Their registers hold whole numbers as those of other leaves do: half of one comes
 * from either array, and one shuffle puts re beside im.
 */
#include "emit_body.h"
#include "util.h"

static void load_split(emitter *e, int i)
{
    const int j = e->p->g->nodes[i].a;
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %cLDS(xr + %d, xi + %d);\n", e->letter,
            i, e->letter, j, j);
}

static void store_split(emitter *e, const sink *s)
{
    const int k = e->p->places[s->first];
    fprintf(e->f, "    %cSTS(yr + %d, yi + %d, %cMUL(s, t%d));\n", e->letter,
            k, k, e->letter, e->p->roots[s->first]);
}

void emit_leaf_split(FILE *f, const made *m)
{
    const program *p = m->parts[0].p;
    emitter e;
    if (p->lone || p->g->width < 4)
        gen_die("leaf_split: registers that are not full");
    emitter_begin(&e, f, &m->r, p);
    e.letter = letter_of(&m->r, p->g->width);
    e.load = load_split;
    e.store = store_split;
    emit_pass_opening(f, &m->r);
    fprintf(f,
            "    (void)tw;\n"
            "    const size_t count = a->nq;\n"
            "    const ptrdiff_t next = a->in_q, to = a->out_q;\n"
            "    const %c s = %cK((T)a->scale);\n",
            e.letter, e.letter);
    emit_lane_constants(&e);
    fputs("    const T *xr = in_re, *xi = in_im;\n"
          "    T *yr = out_re, *yi = out_im;\n"
          "    for (size_t i = 0; i < count; ++i,\n"
          "        xr += next, xi += next, yr += to, yi += to) {\n",
          f);
    emit_body(&e, &m->parts[0].s);
    fputs("    }\n}\n", f);
    emitter_end(&e);
}
