/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_apart.c - columns of complex numbers that lie anywhere, both parts of a number
 * in one register.
 *
 * A register of 256 bits has a number of each of C columns.  Neighbours are whole
 * registers, rows of floats pairs of numbers: so a matrix is transposed on its way.
 * Where only one side is rows, pairs there gain 1.17 (Zen 4, mean of 60, 20 KB).  Lengths
 * that are not frequent have one loop, for numbers anywhere, by which they gain 1.03 to
 * 2.06 (mean of 60 1.37, 57 KB).  What is left of C columns goes one by one, in half a
 * register.
 */
#include "emit_body.h"

#include <stdlib.h>

static void load_leg(emitter *e, int i)
{
    const int j = e->p->g->nodes[i].a;
    if (e->rows == PAIRS) {
        emit_load_pair(e, j, "in_q");
        return;
    }
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %cLD%s(", e->letter, i, e->letter,
            word_of_rows(e->rows));
    if (j == 0)
        fputs("x", e->f);
    else
        emit_place(e->f, "const ", "leg", 'j', j);
    fputs(e->rows == APART ? ", in_q);\n" : ");\n", e->f);
}

static void store_leg(emitter *e, const sink *s)
{
    const int *root = &e->p->roots[s->first], k = e->p->places[s->first];
    fprintf(e->f, "    %cST%s(", e->letter, word_of_rows(e->out_rows));
    if (e->out_rows == PAIRS) {
        fprintf(e->f, "y + %d, out_q, t%d, t%d);\n", 2 * k, root[0], root[1]);
        return;
    }
    if (k == 0)
        fputs("y", e->f);
    else
        emit_place(e->f, "", "to", 'k', k);
    fprintf(e->f, "%s, t%d);\n", e->out_rows == APART ? ", out_q" : "",
            root[0]);
}

/* Two numbers at a time; of an odd length the last overlaps the one before. */
static void pair_sinks(program *p)
{
    p->sink_count = 0;
    for (int k = 0; k < p->radix; k += 2)
        p->sinks[p->sink_count++] = (sink){k + 1 < p->radix ? k : p->radix - 2,
                                           2};
}

/* One butterfly of x and y. */
static void emit_butterfly(FILE *f, const row *r, int lanes, rows_as in,
                           rows_as out)
{
    emitter e;
    program *p = columns_new(r, lanes);
    if (out == PAIRS)
        pair_sinks(p);
    schedule s = schedule_program(p);
    emitter_begin(&e, f, r, p);
    e.letter = letter_of(r, lanes);
    e.load = load_leg;
    e.store = store_leg;
    e.rows = in;
    e.out_rows = out;
    if (in != PAIRS) {
        fputs("    const char *leg0 = (const char *)(x + in_base);\n"
              "    __asm__(\"\" : \"+r\"(j1), \"+r\"(j3));\n",
              f);
        emit_places(f, "const ", "leg", 'j', r->radix);
    }
    if (out != PAIRS) {
        fputs("    char *to0 = (char *)(y + out_back);\n"
              "    __asm__(\"\" : \"+r\"(k1), \"+r\"(k3));\n",
              f);
        emit_places(f, "", "to", 'k', r->radix);
    }
    emit_body(&e, &s);
    emitter_end(&e);
    free(s.steps);
    program_free(p);
}

/* What butterflies of a loop have in common. */
static void emit_distances(FILE *f, rows_as in, rows_as out)
{
    if (in != PAIRS) {
        fputs("    const ptrdiff_t in_base = a->in_base;\n", f);
        emit_distance(f, 'j', "in_leg", MAX_RADIX);
    }
    if (out != PAIRS) {
        fputs("    const ptrdiff_t out_back = a->out_back;\n", f);
        emit_distance(f, 'k', "out_leg", MAX_RADIX);
    }
}

/* A function of a loop over registers that are full, which gives what is left. */
static void emit_many(FILE *f, const row *r, const char *which, rows_as in,
                      rows_as out)
{
    char name[80];
    const int lanes = target_lanes(r->isa, r->real), c = lanes / 2;
    emit_name(name, sizeof name, r);
    fprintf(f,
            "\nstatic __attribute__((noinline)) size_t %s_%s(const T *x,\n"
            "    T *y, size_t left, const wf_pass_args *a)\n{\n"
            "    const ptrdiff_t size = sizeof(T);\n"
            "    const ptrdiff_t in_q = a->in_q, out_q = a->out_q;\n",
            which, name);
    emit_distances(f, in, out);
    fprintf(f, "    for (; left >= %d; left -= %d) {\n", c, c);
    emit_butterfly(f, r, lanes, in, out);
    fprintf(f,
            "    x += %d * in_q;\n    y += %d * out_q;\n    }\n"
            "    return left;\n}\n",
            c, c);
}

static void emit_blocks(FILE *f, const row *r)
{
    const int floats = r->real == WF_F32;
    const rows_as rows = floats ? PAIRS : APART;
    emit_many(f, r, "apart", APART, APART);
    if (!is_frequent(r->radix))
        return;
    emit_many(f, r, "to_columns", rows, WHOLE);
    emit_many(f, r, "to_rows", WHOLE, rows);
    if (floats) {
        emit_many(f, r, "from_rows", PAIRS, APART);
        emit_many(f, r, "into_rows", APART, PAIRS);
    }
}

/* Fewer registers' worth are not worth the call. */
static int least_of_blocks(const row *r)
{
    const int c = target_lanes(r->isa, r->real) / 2;
    return r->real == WF_F32 || r->radix >= 16 ? c : 2 * c;
}

/* `left` columns from x to y by the function of their shape; taken: what its value
 * goes to, if anything. */
static void emit_choice_of_blocks(FILE *f, const row *r, const char *taken)
{
    const int floats = r->real == WF_F32;
    char name[80];
    emit_name(name, sizeof name, r);
    if (!is_frequent(r->radix)) {
        fprintf(f, "    %sapart_%s(x, y, left, a);\n", taken, name);
        return;
    }
    if (floats)
        fputs("    const int rows = a->in_base == 0 && a->in_leg == 2;\n"
              "    const int to_rows = a->out_back == 0 && a->out_leg == 2;\n",
              f);
    fprintf(f,
            "    if (%sa->out_q == 2)\n"
            "        %sto_columns_%s(x, y, left, a);\n"
            "    else if (%sa->in_q == 2)\n"
            "        %sto_rows_%s(x, y, left, a);\n",
            floats ? "rows && " : "", taken, name, floats ? "to_rows && " : "",
            taken, name);
    if (floats)
        fprintf(f,
                "    else if (rows)\n"
                "        %sfrom_rows_%s(x, y, left, a);\n"
                "    else if (to_rows)\n"
                "        %sinto_rows_%s(x, y, left, a);\n",
                taken, name, taken, name);
    fprintf(f,
            "    else\n"
            "        %sapart_%s(x, y, left, a);\n",
            taken, name);
}

/* As many as fill registers. */
static void emit_call_of_blocks(FILE *f, const row *r)
{
    fprintf(f, "    if (left >= %d) {\n    size_t rest;\n",
            least_of_blocks(r));
    emit_choice_of_blocks(f, r, "rest = ");
    fputs("    x += (ptrdiff_t)(left - rest) * a->in_q;\n"
          "    y += (ptrdiff_t)(left - rest) * a->out_q;\n"
          "    left = rest;\n    }\n",
          f);
}

/* One column. */
static void emit_one(FILE *f, const row *r)
{
    const rows_as half = r->real == WF_F32 ? HALF : WHOLE;
    char name[80];
    emit_name(name, sizeof name, r);
    fprintf(
        f,
        "\nstatic __attribute__((noinline)) void one_%s(const T *x, T *y,\n"
        "    ptrdiff_t in_base, ptrdiff_t j1, ptrdiff_t out_back,\n"
        "    ptrdiff_t k1)\n{\n"
        "    ptrdiff_t j3 = 3 * j1, k3 = 3 * k1;\n",
        name);
    emit_butterfly(f, r, 2, half, half);
    fputs("}\n", f);
}

static void emit_call_of_one(FILE *f, const row *r, const char *x,
                             const char *y)
{
    char name[80];
    emit_name(name, sizeof name, r);
    fprintf(f,
            "    one_%s(%s, %s, a->in_base, a->in_leg * size,\n"
            "        a->out_back, a->out_leg * size);\n",
            name, x, y);
}

/* All of them. */
static void emit_all(FILE *f, const row *r)
{
    const rows_as half = r->real == WF_F32 ? HALF : WHOLE;
    const int often = is_frequent(r->radix);
    char name[80];
    emit_name(name, sizeof name, r);
    fprintf(f,
            "\nstatic __attribute__((noinline)) void all_%s(const T *in,\n"
            "    T *out, const wf_pass_args *a)\n{\n"
            "    const ptrdiff_t size = sizeof(T);\n",
            name);
    if (often)
        emit_distances(f, half, half);
    fputs("    for (size_t p = 0; p < a->np; ++p) {\n"
          "    const T *x = in + (ptrdiff_t)p * a->in_p;\n"
          "    T *y = out + (ptrdiff_t)p * a->out_p;\n"
          "    size_t left = a->nq;\n",
          f);
    emit_call_of_blocks(f, r);
    fputs("    for (; left > 0; --left) {\n", f);
    if (often)
        emit_butterfly(f, r, 2, half, half);
    else
        emit_call_of_one(f, r, "x", "y");
    fputs("    x += a->in_q;\n    y += a->out_q;\n"
          "    }\n    }\n}\n",
          f);
}

/* One column alone, and those that fill registers, are functions of their own, which
 * have less to begin with. */
void emit_columns_apart(FILE *f, const row *r)
{
    char name[80];
    emit_name(name, sizeof name, r);
    emit_one(f, r);
    emit_blocks(f, r);
    emit_all(f, r);
    emit_pass_opening(f, r);
    fputs("    const ptrdiff_t size = sizeof(T);\n"
          "    (void)in_im;\n    (void)out_im;\n    (void)tw;\n"
          "    if (a->np == 1 && a->nq == 1) {\n",
          f);
    emit_call_of_one(f, r, "in_re", "out_re");
    fprintf(f,
            "    return;\n    }\n"
            "    if (a->np == 1 && a->nq %% %d == 0) {\n"
            "    const T *x = in_re;\n    T *y = out_re;\n"
            "    const size_t left = a->nq;\n",
            target_lanes(r->isa, r->real) / 2);
    emit_choice_of_blocks(f, r, "");
    fputs("    return;\n    }\n", f);
    fprintf(f, "    all_%s(in_re, out_re, a);\n}\n", name);
}
