/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-gen - writes the kernels of weft as C.
 *
 *   weft-gen --list  [--isas a,b]            the rows, one a line
 *   weft-gen --check [--isas a,b]            every graph against its oracle
 *   weft-gen --emit DIR [--isas a,b]
 *   weft-gen --inline FILE NAME...           these pass kernels, to be inlined
 *
 * --emit writes, for each (isa, real), a file for each family of kernels, for each
 * real the constants of leaves, and kernels.inc, the list of all rows, and groups.inc,
 * that of its parts.
 * The file names depend on the arguments only, so a build system can know them
 * beforehand.  A file whose text is as it was is left alone: a new kernel
 * changes that of its family and the lists.
 */
#include "constants.h"
#include "emit.h"
#include "util.h"

#include <stdlib.h>
#include <string.h>

typedef struct options {
    int list, check;
    const char *dir;
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

/* A file that is written beside its place and takes it only if its text is
 * another: what depends on an unchanged file is not made again. */
typedef struct output {
    FILE *f;
    char path[4096], fresh[4096 + 4];
} output;

static output open_output(const char *dir, const char *name)
{
    output o;
    if (snprintf(o.path, sizeof o.path, "%s/%s", dir, name) >=
        (int)sizeof o.path)
        gen_die("path too long");
    snprintf(o.fresh, sizeof o.fresh, "%s.new", o.path);
    o.f = fopen(o.fresh, "w");
    if (!o.f)
        gen_die("cannot write to the output directory");
    return o;
}

static int same_text(const char *a, const char *b)
{
    FILE *f = fopen(a, "r"), *g = fopen(b, "r");
    int same = f && g, c = 0;
    while (same && c != EOF) {
        c = getc(f);
        same = c == getc(g);
    }
    if (f)
        fclose(f);
    if (g)
        fclose(g);
    return same;
}

static void close_output(const output *o)
{
    if (fclose(o->f))
        gen_die("cannot write to the output directory");
    if (same_text(o->fresh, o->path))
        remove(o->fresh);
    else if ((remove(o->path), rename(o->fresh, o->path)))
        gen_die("cannot replace a file of the output directory");
}

/* Kernels that share a file. */
typedef enum family {
    FIRST,
    MID,
    LAST,
    COLUMN,
    HALF,
    PRIME,
    COSINE,
    LEAF,
    REAL,
    ALONE,
    WITHIN,
    FAMILY_COUNT
} family;

static const char *const family_names[] = {"first",  "mid",   "last",
                                           "column", "half",  "prime",
                                           "cosine", "leaf",  "real",
                                           "alone",  "within"};

static family family_of(const row *r)
{
    const kind_info *k = kind_of(r->kind);
    if (k->alone)
        return ALONE;
    if (k->within)
        return WITHIN;
    if (k->leaf)
        return k->real ? REAL : LEAF;
    if (in_loops(r))
        return PRIME;
    if (k->reals)
        return COLUMN;
    if (k->cosine || k->half)
        return k->cosine ? COSINE : HALF;
    if (k->first)
        return FIRST;
    return k->scaled ? LAST : k->twiddles ? MID : COLUMN;
}

/* kernels.inc has the rows of a set, a type and a kind one after another, in
 * the order of their radices: groups.inc says where each such run starts. */
static void emit_runs(FILE *groups, const row *rows, int count)
{
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && rows[next].kind == rows[i].kind;)
            ++next;
        emit_run(groups, &rows[i], next - i);
    }
}

static void emit_group(const options *o, wf_isa isa, wf_real real, FILE *list,
                       const row *rows, int count)
{
    output files[FAMILY_COUNT];
    for (int i = 0; i < FAMILY_COUNT; ++i) {
        char name[128];
        snprintf(name, sizeof name, "%s_%s_%s.c", target_of(isa)->name,
                 real_name(real), family_names[i]);
        files[i] = open_output(o->dir, name);
        emit_head(files[i].f, isa, real, i >= LEAF);
        if (i == PRIME)
            emit_prime_head(files[i].f, rows, count, 0);
        if (i >= LEAF && isa != WF_ISA_SCALAR)
            constants_declare(files[i].f, real);
    }
    for (int i = 0; i < count; ++i) {
        made m = make_kernel(&rows[i]);
        emit_kernel(files[family_of(&rows[i])].f, &m);
        emit_row(list, &m);
        drop_kernel(&m);
    }
    for (int i = 0; i < FAMILY_COUNT; ++i)
        close_output(&files[i]);
}

static output open_constants(const options *o, wf_real real, const char *end)
{
    char name[32];
    snprintf(name, sizeof name, "constants_%s.%s", real_name(real), end);
    return open_output(o->dir, name);
}

static void emit_constants(const options *o, wf_real real)
{
    const output header = open_constants(o, real, "h"),
                 source = open_constants(o, real, "c");
    constants_print_header(header.f, real);
    constants_print(source.f, real);
    close_output(&header);
    close_output(&source);
}

/* ---- Kernels to be inlined ------------------------------------------------ */

static int find_row(const char *wanted, row *found)
{
    static row rows[MAX_ROWS];
    for (int isa = 0; isa < WF_ISA_COUNT; ++isa)
        for (int real = 0; real < WF_REAL_COUNT; ++real) {
            const int count = target_rows((wf_isa)isa, (wf_real)real, 0, rows,
                                          MAX_ROWS);
            for (int i = 0; i < count; ++i) {
                char name[80];
                emit_name(name, sizeof name, &rows[i]);
                *found = rows[i];
                if (!strcmp(name, wanted))
                    return 1;
            }
        }
    return 0;
}

/* What a borrower calls goes before it.  The definition takes its linkage and
 * the attribute from the declaration (C11 6.2.2, 5). */
static void emit_inlined(FILE *f, const row *r, row *done, int *count)
{
    row lender;
    for (int i = 0; i < *count; ++i)
        if (done[i].kind == r->kind && done[i].radix == r->radix)
            return;
    if (*count == MAX_ROWS)
        gen_die("--inline: too many kernels");
    done[(*count)++] = *r;
    if (lender_of(r, &lender))
        emit_inlined(f, &lender, done, count);
    char name[80];
    emit_name(name, sizeof name, r);
    fprintf(f,
            "\nstatic inline __attribute__((always_inline)) wf_pass_%s wf_%s;",
            real_name(r->real), name);
    made m = make_kernel(r);
    emit_kernel(f, &m);
    drop_kernel(&m);
}

static int emit_named(const char *path, char **names, int count)
{
    static row rows[MAX_ROWS], done[MAX_ROWS];
    int made_count = 0;
    if (count < 1 || count > MAX_ROWS)
        gen_die("--inline FILE NAME...");
    for (int i = 0; i < count; ++i) {
        if (!find_row(names[i], &rows[i]) || kind_of(rows[i].kind)->leaf)
            gen_die("--inline: no pass kernel of this name");
        if (rows[i].isa != rows[0].isa || rows[i].real != rows[0].real)
            gen_die("--inline: kernels of one instruction set and type only");
    }
    FILE *f = fopen(path, "w");
    if (!f)
        gen_die("cannot write the file");
    emit_head(f, rows[0].isa, rows[0].real, 0);
    emit_prime_head(f, rows, count, 1);
    for (int i = 0; i < count; ++i)
        emit_inlined(f, &rows[i], done, &made_count);
    if (fclose(f))
        gen_die("cannot write the file");
    return 0;
}

static int run(const options *o)
{
    static row rows[MAX_ROWS];
    output list = {0}, groups = {0};
    int failures = 0, sets = 0;
    for (int isa = 0; isa < WF_ISA_COUNT; ++isa)
        sets += o->isas[isa];
    if (o->dir) {
        list = open_output(o->dir, "kernels.inc");
        groups = open_output(o->dir, "groups.inc");
    }
    /* The widest first: parts of its constants are those of the others (constants.c). */
    for (int isa = WF_ISA_COUNT - 1; isa >= 0; --isa)
        for (int real = 0; real < WF_REAL_COUNT; ++real) {
            if (!o->isas[isa])
                continue;
            const int count = target_rows((wf_isa)isa, (wf_real)real,
                                          sets == 1, rows, MAX_ROWS);
            if (o->dir) {
                emit_group(o, (wf_isa)isa, (wf_real)real, list.f, rows, count);
                emit_runs(groups.f, rows, count);
            }
            for (int i = 0; i < count && (o->list || o->check); ++i) {
                made m = make_kernel(&rows[i]);
                failures += o->list ? list_row(&m) : check_row(&m);
                drop_kernel(&m);
            }
        }
    if (o->dir) {
        for (int real = 0; real < WF_REAL_COUNT; ++real)
            emit_constants(o, (wf_real)real);
        close_output(&list);
        close_output(&groups);
    }
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
    options o = {0};
    const char *isas = "scalar,sse2,avx2,avx512,neon";
    for (int i = 1; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--list"))
            o.list = 1;
        else if (!strcmp(argv[i], "--check"))
            o.check = 1;
        else if (!strcmp(argv[i], "--emit") && value)
            o.dir = argv[++i];
        else if (!strcmp(argv[i], "--isas") && value)
            isas = argv[++i];
        else if (!strcmp(argv[i], "--inline") && value)
            return emit_named(value, argv + i + 2, argc - i - 2);
        else
            gen_die("usage: --list | --check | --emit DIR [--isas a,b] | "
                    "--inline FILE NAME...");
    }
    for (int i = 0; i < WF_ISA_COUNT; ++i)
        o.isas[i] = (char)has_word(isas, target_of((wf_isa)i)->name);
    return run(&o);
}
