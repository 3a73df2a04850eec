/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-gen - writes the kernels of weft as C.
 *
 *   weft-gen --list  [--isas a,b]            the rows, one a line
 *   weft-gen --check [--isas a,b]            every graph against its oracle
 *   weft-gen --emit DIR [--isas a,b] [--parts N]
 *
 * --emit writes, for each (isa, real), N files of pass kernels and one of
 * leaves, and kernels.inc, the list of all rows.  The file names depend on
 * the arguments only, so a build system can know them beforehand.
 */
#include "emit.h"
#include "util.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 512, MAX_PARTS = 32 };

typedef struct options {
    int list, check;
    const char *dir;
    int parts;
    char isas[WF_ISA_COUNT];
} options;

typedef struct made {
    row r;
    program *p;
    schedule s;
} made;

/* All passes, in order. */
static made make_kernel(const row *r)
{
    made m = { .r = *r };
    m.p = program_new(r); /* algebra, simplify while building, unfuse */
    m.s = schedule_program(m.p); /* order, by register pressure */
    return m; /* then: eval (--check), emit (--emit) */
}

static void drop_kernel(made *m)
{
    program_free(m->p);
    free(m->s.steps);
}

static int list_row(const made *m)
{
    char name[80];
    emit_name(name, sizeof name, &m->r);
    printf("%-28s live %3d  ", name, m->s.max_live);
    emit_row(stdout, &m->r, m->p, &m->s);
    return 0;
}

/* Direct sums of p terms err by about sqrt(p) roundings; 8 epsilons of the
 * largest output leave room for every size made here and catch any wrong
 * constant. */
static int check_row(const made *m)
{
    const double error = eval_program(m->p, &m->r);
    if (error < 8)
        return 0;
    char name[80];
    emit_name(name, sizeof name, &m->r);
    fprintf(stderr, "weft-gen: %s: error %.3g epsilons\n", name, error);
    return 1;
}

static FILE *open_file(const char *dir, const char *name)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        gen_die("path too long");
    FILE *f = fopen(path, "w");
    if (!f)
        gen_die("cannot write to the output directory");
    return f;
}

/* Kernels go to the part with the least work so far. */
static void emit_group(const options *o, wf_isa isa, wf_real real,
                       FILE *list, const row *rows, int count)
{
    FILE *parts[MAX_PARTS];
    long work[MAX_PARTS] = { 0 };
    const char *real_name = real == WF_F64 ? "f64" : "f32";
    char name[128];
    for (int i = 0; i < o->parts; ++i) {
        snprintf(name, sizeof name, "%s_%s_%d.c", target_of(isa)->name,
                 real_name, i);
        parts[i] = open_file(o->dir, name);
        emit_head(parts[i], isa, real, 0);
    }
    snprintf(name, sizeof name, "%s_%s_leaf.c", target_of(isa)->name,
             real_name);
    FILE *leaves = open_file(o->dir, name);
    emit_head(leaves, isa, real, 1);
    for (int i = 0; i < count; ++i) {
        made m = make_kernel(&rows[i]);
        int least = 0;
        for (int j = 1; j < o->parts; ++j)
            if (work[j] < work[least])
                least = j;
        const int leaf = kind_of(rows[i].kind)->leaf;
        if (!leaf)
            work[least] += m.s.count;
        emit_kernel(leaf ? leaves : parts[least], &m.r, m.p, &m.s);
        emit_row(list, &m.r, m.p, &m.s);
        drop_kernel(&m);
    }
    for (int i = 0; i < o->parts; ++i)
        fclose(parts[i]);
    fclose(leaves);
}

static int run(const options *o)
{
    static row rows[MAX_ROWS];
    FILE *list = o->dir ? open_file(o->dir, "kernels.inc") : NULL;
    int failures = 0;
    for (int isa = 0; isa < WF_ISA_COUNT; ++isa)
        for (int real = 0; real < WF_REAL_COUNT; ++real) {
            if (!o->isas[isa])
                continue;
            const int count =
                target_rows((wf_isa)isa, (wf_real)real, rows, MAX_ROWS);
            if (o->dir)
                emit_group(o, (wf_isa)isa, (wf_real)real, list, rows, count);
            for (int i = 0; i < count && (o->list || o->check); ++i) {
                made m = make_kernel(&rows[i]);
                failures += o->list ? list_row(&m) : check_row(&m);
                drop_kernel(&m);
            }
        }
    if (list)
        fclose(list);
    return failures != 0;
}

static int has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = text; p; p = strpbrk(p, ",;")) {
        p += *p == ',' || *p == ';';
        if (!strncmp(p, word, n) && (!p[n] || p[n] == ',' || p[n] == ';'))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    options o = { .parts = 4 };
    const char *isas = "scalar,sse2,avx2,avx512,neon";
    for (int i = 1; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--list"))
            o.list = 1;
        else if (!strcmp(argv[i], "--check"))
            o.check = 1;
        else if (!strcmp(argv[i], "--emit") && value)
            o.dir = argv[++i];
        else if (!strcmp(argv[i], "--parts") && value)
            o.parts = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--isas") && value)
            isas = argv[++i];
        else
            gen_die("usage: --list | --check | --emit DIR "
                    "[--isas a,b] [--parts N]");
    }
    if (o.parts < 1 || o.parts > MAX_PARTS)
        gen_die("--parts is out of range");
    for (int i = 0; i < WF_ISA_COUNT; ++i)
        o.isas[i] = (char)has_word(isas, target_of((wf_isa)i)->name);
    return run(&o);
}
