/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-gen - writes the kernels of weft as C.
 *
 *   weft-gen --list  [--isas a,b]            the rows, one a line
 *   weft-gen --check [--isas a,b]            every graph against its oracle
 *   weft-gen --emit DIR [--isas a,b] [--parts N]
 *
 * --emit writes, for each (isa, real), N files of pass kernels, one of cosine
 * transforms and one of leaves, and kernels.inc, the list of all rows.  The file names depend on
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

static void add_part(made *m, program *p)
{
    m->parts[m->count].p = p;
    m->parts[m->count].s = schedule_program(p); /* by register pressure */
    ++m->count;
}

/* All passes, in order: algebra, which simplifies while it builds; unfusing
 * for targets without fused operations; scheduling.  Then evaluation
 * (--check) or emission (--emit). */
static made make_kernel(const row *r)
{
    made m = {.r = *r};
    const leaf_designs d = leaf_choose(r);
    if (!kind_of(r->kind)->leaf || !d.batch.lanes) {
        add_part(&m, program_new(r));
        return m;
    }
    add_part(&m, leaf_program_new(r, d.batch));
    if (d.batch.lanes != d.single.lanes || d.batch.rows != d.single.rows)
        add_part(&m, leaf_program_new(r, d.single));
    return m;
}

static void drop_kernel(made *m)
{
    for (int i = 0; i < m->count; ++i) {
        program_free(m->parts[i].p);
        free(m->parts[i].s.steps);
    }
}

static int list_row(const made *m)
{
    char name[80];
    emit_name(name, sizeof name, &m->r);
    printf("%-28s", name);
    for (int i = 0; i < m->count; ++i) {
        const program *p = m->parts[i].p;
        printf(" live %3d", m->parts[i].s.max_live);
        if (p->interleaved)
            printf(" (%d lanes, %d rows)", p->leaf.lanes, p->leaf.rows);
    }
    fputs("  ", stdout);
    emit_row(stdout, m);
    return 0;
}

/* Direct sums of p terms err by about sqrt(p) roundings; 8 epsilons of the
 * largest output leave room for every size made here and catch any wrong
 * constant. */
static int check_row(const made *m)
{
    int failures = 0;
    for (int i = 0; i < m->count; ++i) {
        const double error = eval_program(m->parts[i].p, &m->r);
        if (error < 8)
            continue;
        char name[80];
        emit_name(name, sizeof name, &m->r);
        fprintf(stderr, "weft-gen: %s: error %.3g epsilons\n", name, error);
        ++failures;
    }
    return failures;
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
static void emit_group(const options *o, wf_isa isa, wf_real real, FILE *list,
                       const row *rows, int count)
{
    FILE *parts[MAX_PARTS];
    long work[MAX_PARTS] = {0};
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
    snprintf(name, sizeof name, "%s_%s_cosine.c", target_of(isa)->name,
             real_name);
    FILE *cosines = open_file(o->dir, name);
    emit_head(cosines, isa, real, 0);
    for (int i = 0; i < count; ++i) {
        made m = make_kernel(&rows[i]);
        int least = 0;
        for (int j = 1; j < o->parts; ++j)
            if (work[j] < work[least])
                least = j;
        const kind_info *kind = kind_of(rows[i].kind);
        if (!kind->leaf && !kind->cosine && !borrows(&m.r))
            work[least] += m.parts[0].s.count;
        emit_kernel(kind->leaf     ? leaves
                    : kind->cosine ? cosines
                                   : parts[least],
                    &m);
        emit_row(list, &m);
        drop_kernel(&m);
    }
    for (int i = 0; i < o->parts; ++i)
        fclose(parts[i]);
    fclose(leaves);
    fclose(cosines);
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
            const int count = target_rows((wf_isa)isa, (wf_real)real, rows,
                                          MAX_ROWS);
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
    options o = {.parts = 4};
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
