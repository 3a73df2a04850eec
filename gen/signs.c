/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signs.c - the constants of leaves that have the sign of the transform, a table for
 * all leaves of a type.
 *
 * The vectors of a length are among those of its multiples, loops for blocks have what
 * those for single transforms have, and a narrow register has a part of what a wide one
 * has: each is there once (404 KB of tables; 216 with one for each instruction set; then 150),
 * for the forward transform and, negated, for the inverse.
 */
#include "signs.h"

#include "emit_body.h"
#include "util.h"

#include <math.h>
#include <stdlib.h>

static struct {
    long double *k; /* as the type has them */
    int count, room;
} tables[WF_REAL_COUNT];

static const char *type_of(wf_real real)
{
    return real == WF_F64 ? "f64" : "f32";
}

static long double as_type(wf_real real, long double k)
{
    return real == WF_F64 ? (long double)(double)k : (long double)(float)k;
}

static int is_at(int place, wf_real real, const long double *k, int width)
{
    for (int l = 0; l < width; ++l) {
        const long double there = tables[real].k[place + l],
                          wanted = as_type(real, k[l]);
        if (there != wanted || signbit(there) != signbit(wanted))
            return 0;
    }
    return 1;
}

static void append(wf_real real, long double k)
{
    const int count = tables[real].count++;
    if (count == tables[real].room) {
        const int room = 2 * count + 256;
        tables[real].room = room;
        tables[real].k = gen_realloc(tables[real].k,
                                     (size_t)room * sizeof(long double));
    }
    tables[real].k[count] = k;
}

int signs_place(wf_real real, const long double *k, int width)
{
    for (int place = 0; place + width <= tables[real].count; place += width)
        if (is_at(place, real, k, width))
            return place;
    while (tables[real].count % width)
        append(real, 0);
    for (int l = 0; l < width; ++l)
        append(real, as_type(real, k[l]));
    return tables[real].count - width;
}

void signs_declare(FILE *f, wf_real real)
{
    fprintf(f,
            "#include \"signs_%s.h\"\n"
            "\nstatic inline const T *signs_of(ptrdiff_t inverse)\n{\n"
            "    return wf_signs_%s[inverse];\n}\n",
            type_of(real), type_of(real));
}

void signs_print_header(FILE *f, wf_real real)
{
    enum { LINE = 16 }; /* scalars of the widest register */
    while (tables[real].count == 0 || tables[real].count % LINE)
        append(real, 0);
    fprintf(f,
            "/* SPDX-License-Identifier: BSD-3-Clause */\n"
            "/* Made by weft-gen; do not edit. */\n"
            "extern __attribute__((visibility(\"hidden\"), aligned(64)))\n"
            "const %s wf_signs_%s[2][%d];\n",
            real == WF_F64 ? "double" : "float", type_of(real),
            tables[real].count);
}

void signs_print(FILE *f, wf_real real)
{
    fprintf(f,
            "/* SPDX-License-Identifier: BSD-3-Clause */\n"
            "/* Made by weft-gen; do not edit. */\n"
            "#include \"signs_%s.h\"\n\n"
            "const %s wf_signs_%s[2][%d] = {\n",
            type_of(real), real == WF_F64 ? "double" : "float", type_of(real),
            tables[real].count);
    for (int inverse = 0; inverse < 2; ++inverse) {
        fputs("    {\n", f);
        for (int i = 0; i < tables[real].count; ++i) {
            const long double k = tables[real].k[i];
            fputs("        ", f);
            print_constant(f, real, inverse ? -k : k);
            fputs(",\n", f);
        }
        fputs("    },\n", f);
    }
    fputs("};\n", f);
    free(tables[real].k);
    tables[real].k = NULL;
    tables[real].count = tables[real].room = 0;
}
