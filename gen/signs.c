/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signs.c - the constants of leaves that have the sign of the transform, a table for
 * all leaves of a file.
 *
 * The vectors of a length are among those of its multiples, and loops for blocks have
 * what those for single transforms have: each is there once (404 KB of tables, then
 * 216), for the forward transform and, negated, for the inverse.
 */
#include "signs.h"

#include "emit_body.h"
#include "util.h"

#include <math.h>
#include <stdlib.h>

/* Of the file that is being written. */
static struct {
    long double *k; /* as the file's type has them */
    int count, room;
} table;

static long double as_type(wf_real real, long double k)
{
    return real == WF_F64 ? (long double)(double)k : (long double)(float)k;
}

static int is_at(int place, wf_real real, const long double *k, int width)
{
    for (int l = 0; l < width; ++l) {
        const long double there = table.k[place + l],
                          wanted = as_type(real, k[l]);
        if (there != wanted || signbit(there) != signbit(wanted))
            return 0;
    }
    return 1;
}

static void append(long double k)
{
    if (table.count == table.room) {
        table.room = 2 * table.room + 256;
        table.k = gen_realloc(table.k, (size_t)table.room * sizeof *table.k);
    }
    table.k[table.count++] = k;
}

int signs_place(wf_real real, const long double *k, int width)
{
    for (int place = 0; place + width <= table.count; place += width)
        if (is_at(place, real, k, width))
            return place;
    while (table.count % width)
        append(0);
    for (int l = 0; l < width; ++l)
        append(as_type(real, k[l]));
    return table.count - width;
}

void signs_declare(FILE *f)
{
    fputs("\nstatic const T *signs_of(ptrdiff_t inverse);\n", f);
}

void signs_print(FILE *f, wf_real real)
{
    enum { LINE = 16 }; /* scalars of the widest register */
    while (table.count == 0 || table.count % LINE)
        append(0);
    fprintf(f,
            "\nstatic const T signs[2][%d] __attribute__((aligned(64))) = {\n",
            table.count);
    for (int inverse = 0; inverse < 2; ++inverse) {
        fputs("    {\n", f);
        for (int i = 0; i < table.count; ++i) {
            fputs("        ", f);
            print_constant(f, real, inverse ? -table.k[i] : table.k[i]);
            fputs(",\n", f);
        }
        fputs("    },\n", f);
    }
    fputs("};\n\n"
          "static const T *signs_of(ptrdiff_t inverse)\n{\n"
          "    return signs[inverse];\n}\n",
          f);
    free(table.k);
    table.k = NULL;
    table.count = table.room = 0;
}
