/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_lone.c - whole transforms one at a time, of numbers anywhere: both parts of a
 * number at places of their own.
 *
 * x, u are re and im that are read, y, v those that are written.  All of a transform is
 * read before any of it is written, so that it can be done in place.  Of half spectra
 * the im have a distance of their own: that of re backwards is the halfcomplex order,
 * which has no place for im of y[0] and y[R/2], zeros.
 *
 * Loops are those of reals here, of complex ones as of any pass.  Of short ones that are
 * alone a function has less to begin with (r2c of 4 6.5 ns, then 5.1; of 12 10.0 with
 * both).
 */
#include "emit_body.h"

/* Numbers at a distance, of which so many have an im that is read or written. */
typedef struct side {
    const char *type, *re, *im, *from; /* im NULL: reals */
    char distance, im_distance;
    int count, complex;
} side;

/* Of half spectra the im, which one side has, have a distance of their own. */
static char distance_of_im(const row *r, char distance)
{
    return kind_of(r->kind)->reals ? 'l' : distance;
}

/* How it reads; how it writes. */
static void sides_of(const row *r, side sides[2])
{
    const int n = r->radix, half = n / 2 + 1;
    const int reals = kind_of(r->kind)->reals; /* 0: none */
    sides[0] = (side){.type = "const ",
                      .re = "x",
                      .im = reals < 0 || (reals > 0 && n == 2) ? NULL : "u",
                      .from = "in",
                      .distance = 'j',
                      .im_distance = distance_of_im(r, 'j'),
                      .count = reals > 0 ? half : n,
                      .complex = reals ? (n + 1) / 2 : n};
    sides[1] = (side){.type = "",
                      .re = "y",
                      .im = reals > 0 ? NULL : "v",
                      .from = "out",
                      .distance = 'k',
                      .im_distance = distance_of_im(r, 'k'),
                      .count = reals < 0 ? half : n,
                      .complex = reals ? half : n};
}

/* Has im a distance of its own? */
static int has_im_distance(const side *s)
{
    return s->im && s->im_distance != s->distance;
}

int has_lone_function(const row *r)
{
    const int reals = kind_of(r->kind)->reals;
    return r->isa == WF_ISA_SCALAR && r->radix > 1 &&
           (reals || r->kind == WF_KERNEL_COL_S) &&
           r->radix <= (reals ? 8 : 6);
}

static void load_number(emitter *e, int i)
{
    const int slot = e->p->g->nodes[i].a;
    e->declared[i] = 1;
    fprintf(e->f, "    const V t%d = VLD(", i);
    emit_place(e->f, "const ", slot % 2 ? "u" : "x",
               slot % 2 ? distance_of_im(e->r, 'j') : 'j', slot / 2);
    fputs(");\n", e->f);
}

static void store_part(const emitter *e, const char *array, char distance,
                       int k, int root)
{
    fputs("    VST(", e->f);
    emit_place(e->f, "", array, distance, k);
    fputs(", ", e->f);
    emit_operand(e, root);
    fputs(");\n", e->f);
}

static void store_number(emitter *e, const sink *s)
{
    const int *root = &e->p->roots[s->first], k = s->first / s->count;
    const char distance = distance_of_im(e->r, 'k');
    store_part(e, "y", 'k', k, root[0]);
    if (s->count < 2)
        return;
    if (distance != 'k' && (k == 0 || 2 * k == e->r->radix))
        fprintf(e->f, "    if (%c1 == k1)\n", distance);
    store_part(e, "v", distance, k, root[1]);
}

static void open_array(FILE *f, const side *s, const char *name,
                       const char *part)
{
    fprintf(f,
            "    %schar *%s0 = (%schar *)(%s_%s + (ptrdiff_t)p * a->%s_p);\n",
            s->type, name, s->type, s->from, part, s->from);
}

static void move_on(FILE *f, const side *s)
{
    fprintf(f, "    %s0 += a->%s_q * size;\n", s->re, s->from);
    if (s->im)
        fprintf(f, "    %s0 += a->%s_q * size;\n", s->im, s->from);
}

/* The transform whose arrays begin at x0 and y0, and at u0 or v0. */
static void emit_transform(FILE *f, const made *m, const side sides[2])
{
    const dag *g = m->parts[0].p->g;
    emitter e;
    emitter_begin(&e, f, &m->r, m->parts[0].p);
    e.letter = 'V';
    e.load = load_number;
    e.store = store_number;
    for (int i = 0; i < 2; ++i) {
        const side *s = &sides[i];
        emit_hidden(f, s->distance, s->count);
        emit_places(f, s->type, s->re, s->distance, s->count);
        if (has_im_distance(s))
            emit_hidden(f, s->im_distance, s->complex);
        if (s->im)
            emit_places(f, s->type, s->im, s->im_distance, s->complex);
    }
    for (int i = 0; i < g->count; ++i)
        if (g->nodes[i].op == OP_LOAD)
            emit_use(&e, i);
    emit_body(&e, &m->parts[0].s);
    emitter_end(&e);
}

static void emit_triple(FILE *f, char distance)
{
    fprintf(f, "    ptrdiff_t %c3 = 3 * %c1;\n", distance, distance);
}

void emit_lone_function(FILE *f, const made *m)
{
    char name[80];
    side sides[2];
    sides_of(&m->r, sides);
    emit_name(name, sizeof name, &m->r);
    fprintf(f, "\nstatic __attribute__((noinline)) void one_%s(\n", name);
    for (int i = 0; i < 2; ++i) {
        const side *s = &sides[i];
        fprintf(f, "    %schar *%s0, ", s->type, s->re);
        if (s->im)
            fprintf(f, "%schar *%s0, ", s->type, s->im);
        if (has_im_distance(s))
            fprintf(f, "ptrdiff_t %c1, ", s->im_distance);
        fprintf(f, "ptrdiff_t %c1%s", s->distance, i == 0 ? ",\n" : ")\n{\n");
    }
    for (int i = 0; i < 2; ++i) {
        if (sides[i].count > 3)
            emit_triple(f, sides[i].distance);
        if (has_im_distance(&sides[i]) && sides[i].complex > 3)
            emit_triple(f, sides[i].im_distance);
    }
    emit_transform(f, m, sides);
    fputs("}\n", f);
}

void emit_lone_entry(FILE *f, const made *m)
{
    char name[80];
    side sides[2];
    sides_of(&m->r, sides);
    emit_name(name, sizeof name, &m->r);
    emit_pass_opening(f, &m->r);
    fprintf(f,
            "    if (a->np == 1 && a->nq == 1 && a->in_base == 0) {\n"
            "    const ptrdiff_t bytes = sizeof(T);\n    one_%s(",
            name);
    for (int i = 0; i < 2; ++i) {
        const side *s = &sides[i];
        fprintf(f, "(%schar *)%s_re, ", s->type, s->from);
        if (s->im)
            fprintf(f, "(%schar *)%s_im, ", s->type, s->from);
        if (has_im_distance(s))
            fputs("a->im_leg * bytes, ", f);
        fprintf(f, "a->%s_leg * bytes%s", s->from,
                i == 0 ? ",\n        " : "");
    }
    fprintf(f,
            ");\n    return;\n    }\n"
            "    all_%s(in_re, in_im, out_re, out_im, tw, a);\n}\n",
            name);
}

void emit_lone(FILE *f, const made *m)
{
    side sides[2];
    const int lone = has_lone_function(&m->r);
    sides_of(&m->r, sides);
    if (lone)
        emit_lone_function(f, m);
    (lone ? emit_all_opening : emit_pass_opening)(f, &m->r);
    fputs("    const ptrdiff_t size = sizeof(T);\n    (void)tw;\n", f);
    for (int i = 0; i < 2; ++i)
        if (!sides[i].im)
            fprintf(f, "    (void)%s_im;\n", sides[i].from);
    for (int i = 0; i < 2; ++i) {
        emit_distance(f, sides[i].distance, i == 0 ? "in_leg" : "out_leg",
                      sides[i].count);
        if (has_im_distance(&sides[i]))
            emit_distance(f, sides[i].im_distance, "im_leg", sides[i].complex);
    }
    fputs("    for (size_t p = 0; p < a->np; ++p) {\n", f);
    for (int i = 0; i < 2; ++i) {
        open_array(f, &sides[i], sides[i].re, "re");
        if (sides[i].im)
            open_array(f, &sides[i], sides[i].im, "im");
    }
    fputs("    for (size_t q = a->nq; q > 0; --q) {\n", f);
    emit_transform(f, m, sides);
    for (int i = 0; i < 2; ++i)
        move_on(f, &sides[i]);
    fputs("    }\n    }\n}\n", f);
    if (lone)
        emit_lone_entry(f, m);
}
