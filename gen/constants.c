/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constants.c - the constants that leaves have a vector of, in tables for all leaves of
 * a type: those that have the sign of the transform, twice, for the inverse negated, and
 * the others.
 *
 * The vectors of a length are among those of its multiples, loops for blocks have what
 * those for single transforms have, and a narrow register has a part of what a wide one
 * has: each is there once (signs: 404 KB; 216 with a table for each instruction set; then
 * 150; the others: 49 KB less than as literals).
 *
 * The library holds the signs of the forward transform; those of the inverse, as many
 * bytes again, are made when it is loaded, before any constructor of a program's, whose
 * transforms want them.
 */
#include "constants.h"

#include "emit_body.h"
#include "util.h"

#include <math.h>
#include <stdlib.h>

typedef struct table {
    long double *k; /* as the type has them */
    int count, room;
} table;

static table signs[WF_REAL_COUNT], fixed[WF_REAL_COUNT];

static long double as_type(wf_real real, long double k)
{
    return real == WF_F64 ? (long double)(double)k : (long double)(float)k;
}

static int is_at(const table *t, int place, wf_real real, const long double *k,
                 int width)
{
    for (int l = 0; l < width; ++l) {
        const long double there = t->k[place + l],
                          wanted = as_type(real, k[l]);
        if (there != wanted || signbit(there) != signbit(wanted))
            return 0;
    }
    return 1;
}

static void append(table *t, long double k)
{
    if (t->count == t->room) {
        t->room = 2 * t->room + 256;
        t->k = gen_realloc(t->k, (size_t)t->room * sizeof *t->k);
    }
    t->k[t->count++] = k;
}

static int place_in(table *t, wf_real real, const long double *k, int width)
{
    for (int place = 0; place + width <= t->count; place += width)
        if (is_at(t, place, real, k, width))
            return place;
    while (t->count % width)
        append(t, 0);
    for (int l = 0; l < width; ++l)
        append(t, as_type(real, k[l]));
    return t->count - width;
}

int turning_place(wf_real real, const long double *k, int width)
{
    return place_in(&signs[real], real, k, width);
}

int fixed_place(wf_real real, const long double *k, int width)
{
    return place_in(&fixed[real], real, k, width);
}

void constants_declare(FILE *f, wf_real real)
{
    fprintf(f, "#include \"constants_%s.h\"\n", real_name(real));
}

/* Whole registers, of the widest. */
static int round_up(table *t)
{
    enum { LINE = 16 };
    while (t->count == 0 || t->count % LINE)
        append(t, 0);
    return t->count;
}

void constants_print_header(FILE *f, wf_real real)
{
    const char *type = real == WF_F64 ? "double" : "float";
    fprintf(f,
            "/* SPDX-License-Identifier: BSD-3-Clause */\n"
            "/* Made by weft-gen; do not edit. */\n"
            "#include <stddef.h>\n\n"
            "extern __attribute__((visibility(\"hidden\"), aligned(64)))\n"
            "%s wf_signs_%s[2][%d];\n"
            "extern __attribute__((visibility(\"hidden\"), aligned(64)))\n"
            "const %s wf_fixed_%s[%d];\n"
            "static inline const %s *signs_of(ptrdiff_t inverse)\n{\n"
            "    return wf_signs_%s[inverse];\n}\n",
            type, real_name(real), round_up(&signs[real]), type,
            real_name(real), round_up(&fixed[real]), type, real_name(real));
}

static void print_table(FILE *f, wf_real real, const char *name, table *t)
{
    fprintf(f, "const %s %s[%d] = {\n", real == WF_F64 ? "double" : "float",
            name, t->count);
    for (int i = 0; i < t->count; ++i) {
        fputs("    ", f);
        print_constant(f, real, t->k[i]);
        fputs(",\n", f);
    }
    fputs("};\n\n", f);
}

static void drop(table *t)
{
    free(t->k);
    *t = (table){NULL, 0, 0};
}

void constants_print(FILE *f, wf_real real)
{
    const char *name = real_name(real);
    const int count = signs[real].count;
    char fixed_name[32];
    snprintf(fixed_name, sizeof fixed_name, "wf_fixed_%s", name);
    fprintf(f,
            "/* SPDX-License-Identifier: BSD-3-Clause */\n"
            "/* Made by weft-gen; do not edit. */\n"
            "#include \"constants_%s.h\"\n\nstatic ",
            name);
    print_table(f, real, "forward", &signs[real]);
    print_table(f, real, fixed_name, &fixed[real]);
    fprintf(
        f,
        "%s wf_signs_%s[2][%d];\n\n"
        "static __attribute__((constructor(101))) void make_signs(void)\n{\n"
        "    for (int i = 0; i < %d; i++) {\n"
        "        wf_signs_%s[0][i] = forward[i];\n"
        "        wf_signs_%s[1][i] = -forward[i];\n"
        "    }\n}\n",
        real == WF_F64 ? "double" : "float", name, count, count, name, name);
    drop(&signs[real]);
    drop(&fixed[real]);
}
