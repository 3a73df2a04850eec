/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_leaf.c - interleaved leaves as C text, in the vocabulary of
 * kernel/vec/interleaved.h.
 *
 * A leaf is a loop over blocks of transforms side by side, if it has such a
 * program, then a loop over single transforms.
 */
#include "emit_body.h"

/* X, Y, Z: 128, 256, 512 bits.  One complex float is half an X. */
static char letter_of(const row *r, int lanes)
{
    const int bits = lanes * (r->real == WF_F64 ? 64 : 32);
    return bits <= 128 ? 'X' : bits == 256 ? 'Y' : 'Z';
}

static int is_half(const emitter *e)
{
    return e->r->real == WF_F32 && e->p->g->width == 2;
}

static int is_across(const emitter *e)
{
    return !e->p->leaf.rows && e->p->g->width > 2;
}

/* Element numbers of a pair that holds element j; see plan_across. */
static int pair_of(const emitter *e, int j)
{
    const int n = e->p->inputs;
    return j == n - 1 && n % 2 ? n - 2 : j / 2 * 2;
}

static void load_across(emitter *e, int i)
{
    const dag *g = e->p->g;
    const int j = g->nodes[i].a;
    if (e->r->real == WF_F64) {
        e->declared[i] = 1;
        fprintf(e->f, "    const %c t%d = %cLDA(x + %d, in_dist);\n",
                e->letter, i, e->letter, 2 * j);
        return;
    }
    const int first = pair_of(e, j);
    const int a = dag_load(e->p->g, first);
    const int b = dag_load(e->p->g, first + 1);
    fprintf(e->f,
            "    %c p%d, q%d;\n    %cLDP(x + %d, in_dist, &p%d, &q%d);\n",
            e->letter, first, first, e->letter, 2 * first, first, first);
    /* The overlapping last pair brings one element that is already here. */
    if (!e->declared[a])
        fprintf(e->f, "    const %c t%d = p%d;\n", e->letter, a, first);
    if (!e->declared[b])
        fprintf(e->f, "    const %c t%d = q%d;\n", e->letter, b, first);
    e->declared[a] = e->declared[b] = 1;
}

static void load(emitter *e, int i)
{
    if (is_across(e)) {
        load_across(e, i);
        return;
    }
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %cLD%s(x + %d);\n", e->letter, i,
            e->letter, is_half(e) ? "H" : "", 2 * e->p->g->nodes[i].a);
}

static void store(emitter *e, const sink *s)
{
    const int *root = &e->p->roots[s->first];
    const int place = 2 * e->p->places[s->first];
    const int last = place / 2 + e->p->g->width / 2 > e->p->outputs;
    if (!is_across(e))
        fprintf(e->f, "    %cST%s(y + %d, t%d);\n", e->letter,
                is_half(e) ? "H"
                : last     ? "1"
                           : "",
                place, root[0]);
    else if (e->r->real == WF_F64)
        fprintf(e->f, "    %cSTA(y + %d, out_dist, t%d);\n", e->letter, place,
                root[0]);
    else
        fprintf(e->f, "    %cSTP(y + %d, out_dist, t%d, t%d);\n", e->letter,
                place, root[0], root[1]);
}

static void emit_lane_constants(const emitter *e)
{
    const dag *g = e->p->g;
    if (!g->vec_count)
        return;
    fputs("    static const T c[] __attribute__((aligned(64))) = {\n", e->f);
    for (int i = 0; i < g->vec_count; ++i)
        for (int l = 0; l < g->width; ++l) {
            fputs("        ", e->f);
            print_constant(e, g->vecs[i].k[l]);
            fputs(",\n", e->f);
        }
    fputs("    };\n", e->f);
}

static void emit_part(FILE *f, const made *m, int i)
{
    emitter e;
    const program *p = m->parts[i].p;
    emitter_begin(&e, f, &m->r, p);
    e.letter = letter_of(&m->r, p->g->width);
    e.load = load;
    e.store = store;
    const int block = p->leaf.rows ? 1 : p->g->width / 2;
    fprintf(f, "    for (; i + %d <= count; i += %d) {\n", block, block);
    emit_lane_constants(&e);
    fputs("    const T *x = in + (ptrdiff_t)i * in_dist;\n"
          "    T *y = out + (ptrdiff_t)i * out_dist;\n",
          f);
    emit_body(&e, &m->parts[i].s);
    fputs("    }\n", f);
    emitter_end(&e);
}

void emit_leaf(FILE *f, const made *m)
{
    char name[80];
    emit_name(name, sizeof name, &m->r);
    for (int define = 0; define < 2; ++define)
        fprintf(f,
                "%svoid wf_%s(const T *in, T *out, size_t count,\n"
                "    ptrdiff_t in_dist, ptrdiff_t out_dist)%s",
                define ? "" : "\n", name, define ? "\n{\n" : ";\n");
    fputs("    size_t i = 0;\n", f);
    for (int i = 0; i < m->count; ++i)
        emit_part(f, m, i);
    fputs("}\n", f);
}
