/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_test.c - what the planner chooses, as text, and what must hold for
 * whatever it chooses.
 *
 *     plan_test [--core CORE] [--update] [PLANS]
 *
 * PLANS (plans.txt beside this file) has two lines a problem, the problem and,
 * indented, its tree at the avx2 level by the prices of CORE (other; a word of
 * WEFT_CORE); lines with # are comments.  The model times nothing, so the trees
 * are the same on every machine.  --update writes
 * the trees of this build into the file: after a change of the cost model,
 * run it and read the diff.
 */
#define _POSIX_C_SOURCE 200809L /* setenv, execv */
#include "check.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 4096 };

/* A build without sse2 has no kernels for the columns that are left over at
 * the edge of avx2's, so it has other plans, and no fourstep. */
#ifdef WEFT_PLANS
static const char *const plans = WEFT_PLANS;
#else
static const char *const plans = NULL;
#endif

static weft_problem problem_of(const char *text)
{
    weft_problem problem;
    weft_status status = weft_problem_parse(text, &problem);
    if (!CHECK(status == WEFT_OK, "%s: %s", text, weft_error_text()))
        problem = weft_problem_1d(WEFT_F64, 1, WEFT_FORWARD);
    return problem;
}

/* The tree's text; false with CHECK's complaint when there is no plan. */
static bool tree_of(const char *problem_text, const char *given, char *text)
{
    weft_problem problem = problem_of(problem_text);
    weft_plan_options options = {.size = sizeof options,
                                 .tree = given,
                                 .ignore_wisdom = 1};
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(&problem, &options, &plan);
    snprintf(text, LINE, "?");
    if (!CHECK(status == WEFT_OK, "%s%s%s: %s", problem_text,
               given ? " by " : "", given ? given : "", weft_error_text()))
        return false;
    size_t length = 0;
    weft_plan_text(plan, text, LINE, &length);
    CHECK(length == strlen(text) && length > 0, "%s: length %zu", problem_text,
          length);
    weft_plan_release(plan);
    return true;
}

/* ---- The file ----------------------------------------------------------- */

static void cut_newline(char *line)
{
    line[strcspn(line, "\n")] = '\0';
}

/* One problem: planned twice and from its own text, the same each time. */
static void check_problem(const char *problem, const char *expected)
{
    char tree[LINE], again[LINE];
    if (!tree_of(problem, NULL, tree))
        return;
    CHECK(!strcmp(tree, expected), "%s:\n  got  %s\n  want %s", problem, tree,
          expected);
    tree_of(problem, NULL, again);
    CHECK(!strcmp(tree, again), "%s: planned again %s", problem, again);
    if (strstr(problem, "*0"))
        return; /* nothing to do: whatever tree is given is not looked at */
    tree_of(problem, tree, again);
    CHECK(!strcmp(tree, again), "%s: %s becomes %s", problem, tree, again);
}

static void check_file(FILE *stream)
{
    char line[LINE], tree[LINE];
    int problems = 0;
    while (fgets(line, sizeof line, stream)) {
        cut_newline(line);
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (!CHECK(fgets(tree, sizeof tree, stream), "%s: no tree", line))
            return;
        cut_newline(tree);
        CHECK(!strncmp(tree, "    ", 4), "%s: not a tree: %s", line, tree);
        check_problem(line, tree + strspn(tree, " "));
        problems++;
    }
    CHECK(problems >= 60, "only %d problems", problems);
}

/* The file as it should be, in memory, then over itself. */
static void update_file(FILE *stream, const char *path)
{
    enum { LARGEST = 1 << 18 };
    static char text[LARGEST];
    char line[LINE], tree[LINE];
    size_t used = 0;
    while (fgets(line, sizeof line, stream) && used < LARGEST - 3 * LINE) {
        if (line[0] == ' ')
            continue;
        cut_newline(line);
        used += (size_t)sprintf(text + used, "%s\n", line);
        if (line[0] == '#' || line[0] == '\0')
            continue;
        tree_of(line, NULL, tree);
        used += (size_t)sprintf(text + used, "    %s\n", tree);
    }
    FILE *out = fopen(path, "w");
    CHECK(out && fwrite(text, 1, used, out) == used, "cannot write %s", path);
    if (out)
        CHECK(fclose(out) == 0, "cannot write %s", path);
}

static void use_file(const char *path, bool update)
{
    FILE *stream = fopen(path, "r");
    if (!CHECK(stream, "cannot open %s", path))
        return;
    if (update)
        update_file(stream, path);
    else
        check_file(stream);
    fclose(stream);
}

/* ---- Every rule can be asked for ---------------------------------------- */

typedef struct asked {
    const char *rule;
    int64_t n[3];
    const char *root; /* the step it makes */
    bool real;        /* of r2c and c2r */
    weft_kind kind;   /* of this kind and the sine kind beside it */
} asked;

static const asked rules[] = {
    {"leaf", {4, 16, 32}, "(leaf ", false, WEFT_C2C},
    {"interleaved", {64, 360, 1001}, "(interleaved ", false, WEFT_C2C},
    {"stockham", {64, 360, 4096}, "(stockham ", false, WEFT_C2C},
    {"radix2", {8, 256, 2048}, "(stockham ", false, WEFT_C2C},
    {"twostep", {36, 1024, 2 * 67}, "(twostep ", false, WEFT_C2C},
    {"decimated", {36, 1024, 2 * 67}, "(decimated ", false, WEFT_C2C},
    {"fourstep", {256, 900, 16384}, "(fourstep ", false, WEFT_C2C},
    {"sixstep", {64, 1000, 4096}, "(sixstep ", false, WEFT_C2C},
    {"good", {15, 240, 4 * 101}, "(good ", false, WEFT_C2C},
    {"rader", {5, 17, 1009}, "(rader ", false, WEFT_C2C},
    {"bluestein", {6, 1021, 1024}, "(bluestein ", false, WEFT_C2C},
    {"stages", {64, 360, 2048}, "(stockham ", false, WEFT_C2C},
    {"radix4", {16, 64, 256}, "(stockham ", false, WEFT_C2C},
    {"radix8", {64, 512, 4096}, "(stockham ", false, WEFT_C2C},
    {"radix16", {256, 256, 4096}, "(stockham ", false, WEFT_C2C},
    {"mixed", {32, 1024, 2048}, "(stockham ", false, WEFT_C2C},
    {"matrix", {7, 240, 1021}, "(matrix ", false, WEFT_C2C},
    {"rleaf", {1, 2, 2}, "(rleaf ", true, WEFT_C2C},
    {"half", {4, 22, 1000}, "(half ", true, WEFT_C2C},
    {"direct", {3, 37, 63}, "(direct ", true, WEFT_C2C},
    {"rpasses", {3, 99, 2187}, "(rpasses ", true, WEFT_C2C},
    {"rsplit", {9, 111, 3 * 343}, "(rsplit ", true, WEFT_C2C},
    {"rdecimated", {9, 111, 43 * 47}, "(rdecimated ", true, WEFT_C2C},
    {"rrader", {5, 47, 1009}, "(rrader ", true, WEFT_C2C},
    {"full", {2, 9, 100}, "(full ", true, WEFT_C2C},
    {"halved", {2, 36, 1000}, "(halved ", false, WEFT_REDFT10},
    {"spectral", {3, 35, 1009}, "(spectral ", false, WEFT_REDFT11},
    {"period", {2, 36, 513}, "(period ", false, WEFT_REDFT00},
    {"folded", {7, 37, 1025}, "(folded ", false, WEFT_REDFT00},
    {"dense", {2, 37, 48}, "(dense ", false, WEFT_REDFT00},
    {"alone", {16, 64, 512}, "(alone ", false, WEFT_REDFT10},
    {"lanes", {4, 8, 16}, "(lanes ", false, WEFT_REDFT10},
};

/* Does the list above name each row of rules.def, in its order? */
static void test_rules_are_all_here(void)
{
    static const char *const name[] = {
#define WF_RULE(function, text) text,
#define WF_REAL_RULE(function, text) text,
#define WF_R2R_RULE(function, text) text,
#include "plan/rules.def"
#undef WF_R2R_RULE
#undef WF_REAL_RULE
#undef WF_RULE
    };
    const size_t count = sizeof name / sizeof *name;
    CHECK(count == sizeof rules / sizeof *rules, "%zu rules in rules.def",
          count);
    for (size_t i = 0; i < count && i < sizeof rules / sizeof *rules; i++)
        CHECK(!strcmp(name[i], rules[i].rule), "rule %zu is %s", i, name[i]);
}

/* The same data as R2C (`in` real) or C2R (`in` the spectrum of reals) takes
 * them: packed reals, or the first half. */
static void mirror(weft_kind kind, weft_type type, int64_t n, double *in,
                   void *from)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t back = k == 0 ? 0 : n - k;
        if (kind == WEFT_R2C || k == back)
            in[2 * k + 1] = 0;
        else if (k > back) {
            in[2 * k] = in[2 * back];
            in[2 * k + 1] = -in[2 * back + 1];
        }
        if (type == WEFT_F64 && kind == WEFT_R2C)
            ((double *)from)[k] = in[2 * k];
        else if (kind == WEFT_R2C)
            ((float *)from)[k] = (float)in[2 * k];
    }
}

/* The same for a real kind, with the oracle as the truth. */
static double real_kind_error_of(const weft_problem *p, const weft_plan *plan)
{
    int64_t n = p->dims[0].n;
    bool f64 = p->type == WEFT_F64;
    size_t room = ((size_t)n + 1) * sizeof(double);
    double *in = calloc(5, room), error = HUGE_VAL;
    if (!in)
        return error;
    double *hi = in + n + 1, *lo = hi + n + 1, *got = lo + n + 1;
    void *from = got + n + 1, *to = malloc(room);
    noise_state noise = {(uint64_t)n};
    for (int64_t i = 0; i < n; i++) {
        in[i] = oracle_sample(&noise, p->type);
        if (f64)
            ((double *)from)[i] = in[i];
        else
            ((float *)from)[i] = (float)in[i];
    }
    void *out = p->place == WEFT_IN_PLACE ? from : to;
    oracle_r2r(p->type, false, 1, &n, &p->kind, in, hi, lo);
    if (to && weft_execute(plan, from, out) == WEFT_OK) {
        for (int64_t i = 0; i < n; i++)
            got[i] = f64 ? ((double *)out)[i] : ((float *)out)[i];
        error = oracle_compare((n + 1) / 2, got, hi, lo, 1).l2 /
                (f64 ? 0x1p-53 : 0x1p-24);
    }
    free(to);
    free(in);
    return error;
}

/* The error of one execution in u, with weft_reference as the truth. */
static double error_of(const weft_problem *p, const weft_plan *plan)
{
    int64_t n = p->dims[0].n;
    bool f64 = p->type == WEFT_F64;
    size_t reals = 2 * (size_t)n;
    size_t room = (reals + 2) * sizeof(double);
    double *in = malloc(room), *got = malloc(room);
    double *hi = malloc(room), *lo = malloc(room);
    double error = HUGE_VAL;
    void *from = malloc(room), *to = malloc(room);
    if (!in || !got || !hi || !lo || !from || !to)
        goto done;
    noise_state noise = {(uint64_t)n};
    for (size_t i = 0; i < reals; i++) {
        in[i] = oracle_sample(&noise, p->type);
        if (f64)
            ((double *)from)[i] = in[i];
        else
            ((float *)from)[i] = (float)in[i];
    }
    void *out = p->place == WEFT_IN_PLACE ? from : to;
    if (p->kind != WEFT_C2C)
        mirror(p->kind, p->type, n, in, from);
    if (weft_reference(n, p->sign, in, hi, lo) != WEFT_OK ||
        weft_execute(plan, from, out) != WEFT_OK)
        goto done;
    int64_t count = n;
    if (p->kind == WEFT_R2C) {
        count = n / 2 + 1;
        reals = 2 * (size_t)count;
    } else if (p->kind == WEFT_C2R) { /* reals, as if two made a complex */
        for (int64_t i = 0; i < n; i++) {
            hi[i] = hi[2 * i];
            lo[i] = lo[2 * i];
        }
        count = (n + 1) / 2;
        reals = 2 * (size_t)count;
        hi[n] = lo[n] = 0; /* reads past an odd n are of zeros */
        if (f64)
            ((double *)out)[n] = 0;
        else
            ((float *)out)[n] = 0;
    }
    for (size_t i = 0; i < reals; i++)
        got[i] = f64 ? ((double *)out)[i] : ((float *)out)[i];
    error = oracle_compare(count, got, hi, lo, 1).l2 /
            (f64 ? 0x1p-53 : 0x1p-24);
done:
    free(in);
    free(got);
    free(hi);
    free(lo);
    free(from);
    free(to);
    return error;
}

/* The transform step below rank and axis. */
static const char *root_of(const char *tree)
{
    const char *at = tree;
    for (int i = 0; at && i < 2; i++)
        at = strchr(at + 1, '(');
    return at ? at : "?";
}

/* These are for an engine that multiplies matrices; on the CPU, all but the
 * first, another name of the matrix rule's trees. */
static bool is_for_matrices(const char *rule)
{
    static const char *const names[] = {"stages", "radix4", "radix8",
                                        "radix16", "mixed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(rule, names[i]))
            return true;
    return false;
}

static void test_rule(const asked *a, int64_t n, int bits)
{
    weft_problem p = weft_problem_1d(bits & 1 ? WEFT_F32 : WEFT_F64, n,
                                     bits & 2 ? WEFT_INVERSE : WEFT_FORWARD);
    p.place = bits & 4 ? WEFT_IN_PLACE : WEFT_OUT_OF_PLACE;
    const char *root = a->root;
    bool multiplies = is_for_matrices(a->rule);
    if (multiplies && bits & 4 && strcmp(a->rule, "stages")) {
        root = "(matrix ";
    } else if (multiplies) { /* f64 is refused: neuron_test */
        p.engine = WEFT_ENGINE_NEURON;
        p.type = WEFT_F32;
    }
    if (a->real)
        p.kind = bits & 2 ? WEFT_C2R : WEFT_R2C;
    if (a->kind != WEFT_C2C)
        p.kind = (weft_kind)(a->kind + (bits & 2 ? 4 : 0));
    char name[128], tree[LINE] = "";
    weft_plan_options options = {.size = sizeof options, .rule = a->rule};
    weft_plan *plan = NULL;
    weft_problem_print(&p, name, sizeof name, NULL);
    weft_status status = weft_plan_create(&p, &options, &plan);
    if (status == WEFT_ERR_UNSUPPORTED && !plans &&
        (!strcmp(a->rule, "fourstep") || !strcmp(a->rule, "alone") ||
         !strcmp(a->rule, "interleaved")))
        return;
    if (!CHECK(status == WEFT_OK, "%s by %s: %s", name, a->rule,
               weft_error_text()))
        return;
    weft_plan_text(plan, tree, sizeof tree, NULL);
    CHECK(!strncmp(root_of(tree), root, strlen(root)), "%s by %s: %s", name,
          a->rule, tree);
    double error = a->kind == WEFT_C2C ? error_of(&p, plan)
                                       : real_kind_error_of(&p, plan);
    /* Forced plans are held to a looser bar than what weft chooses. */
    CHECK(error <= 8, "%s by %s: error %.2f u", name, a->rule, error);
    weft_plan_release(plan);
}

static void test_rules(void)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (int j = 0; j < 3; j++)
            for (int bits = 0; bits < 8; bits++)
                test_rule(&rules[i], rules[i].n[j], bits);
}

/* A rule that does not apply, or that is not there, makes no plan. */
static void test_rule_refusals(void)
{
    static const struct {
        const char *problem, *rule;
    } none[] = {
        {"c2c:f64:1000003", "leaf"},   {"c2c:f64:67", "stockham"},
        {"c2c:f64:12", "radix2"},      {"c2c:f64:13", "twostep"},
        {"c2c:f64:67", "fourstep"},    {"c2c:f64:13", "sixstep"},
        {"c2c:f64:64", "good"},        {"c2c:f64:15", "rader"},
        {"c2c:f64:64", "butterflies"}, {"c2c:f64:64", ""},
        {"c2c:f32:64", "stages"},      {"c2c:f32:60", "radix8"},
        {"redft10:f64:9", "halved"},   {"redft10:f64:8", "spectral"},
        {"redft00:f64:8", "folded"},   {"rodft10:f64:8", "period"},
        {"redft10:f64:8", "stockham"}, {"c2c:f64:64", "halved"},
        {"r2c:f64:64", "halved"},      {"redft10+dht:f64:8x9", "halved"},
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        weft_problem p = problem_of(none[i].problem);
        weft_plan_options options = {.size = sizeof options,
                                     .rule = none[i].rule};
        weft_plan *plan = (weft_plan *)&options; /* must become NULL */
        weft_status status = weft_plan_create(&p, &options, &plan);
        CHECK(status == WEFT_ERR_UNSUPPORTED && !plan && *weft_error_text(),
              "%s by %s: %s", none[i].problem, none[i].rule,
              weft_status_name(status));
    }
}

/* ---- Trees that are not plans ------------------------------------------- */

static void test_trees_refused(void)
{
    static const struct {
        const char *problem, *tree;
        weft_status status;
    } bad[] = {
        {"c2c:f64:16", "", WEFT_ERR_PARSE},
        {"c2c:f64:16", "(", WEFT_ERR_PARSE},
        {"c2c:f64:16", "(rank)", WEFT_ERR_PARSE},
        {"c2c:f64:16", "(rank (rows 0 (leaf 16))", WEFT_ERR_PARSE},
        {"c2c:f64:16", "(rank (rows 0 (leaf 16)))x", WEFT_ERR_PARSE},
        {"c2c:f64:12", "(rank (rows 0 (good 12 2x6 (leaf 2) (leaf 6))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:12",
         "(rank (rows 0 (fourstep 12 3x4 (column 3 w1 3) "
         "(leaf 4))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:6",
         "(rank (rows 0 (fourstep 6 3x2 (column 3 w1 3) "
         "(leaf 2))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:12", "(rank (rows 0 (decimated 12 3x4 (leaf 3) (leaf 4))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:12",
         "(rank (rows 0 (decimated 12 3x4 (column 3 w1 3) (leaf 3))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:7*9", "(rank (rows 0 (convolved 7 w1 m6 (column 6 w1 6))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:7/9/9*9/1/1", "(rank (cols 0 (convolved 7 w1 m6 (leaf 6))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:7/9/9*9/1/1",
         "(rank (cols 0 (convolved 7 w1 m12 (column 12 w1 12))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:7/9/9*9/1/1",
         "(rank (cols 0 (convolved 7 w2 m6 (column 6 w1 6))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:7/9/9*9/1/1",
         "(rank (cols 0 (convolved 7 w1 m6 "
         "(convolved 6 w1 m16 (column 16 w1 16)))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:9/9/9*9/1/1",
         "(rank (cols 0 (convolved 9 w1 m8 (column 8 w1 8))))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(rank (rows 0 (root 16)))", WEFT_ERR_PARSE},
        {"c2c:f64:16", "(rank (rows 0 (stockham 16 w4 4.5)))", WEFT_ERR_PARSE},
        {"c2c:f64:16", "(rank (rows 0 (leaf 99999999999999999999)))",
         WEFT_ERR_PARSE},
        {"c2c:f64:16", "(leaf 16)", WEFT_ERR_ARGUMENT},
        {"redft10:f64:16", "(rank (rows 0 (leaf 16)))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(rank (rows 0 (halved dht 16 (leaf 8))))",
         WEFT_ERR_ARGUMENT},
        {"dht:f64:16", "(rank (rows 0 (halved redft10 16 (leaf 8))))",
         WEFT_ERR_ARGUMENT},
        {"dht:f64:16", "(rank (rows 0 (halved dht 16 (leaf 16))))",
         WEFT_ERR_PARSE},
        {"dht:f64:16", "(rank (rows 0 (halved c2c 16 (leaf 8))))",
         WEFT_ERR_PARSE},
        {"dht:f64:9", "(rank (rows 0 (spectral dht 9 (leaf 9))))",
         WEFT_ERR_PARSE},
        {"r2hc:f64:9", "(rank (rows 0 (spectral r2hc 9 (rcolumn 9 w1))))",
         WEFT_ERR_PARSE},
        {"r2hc:f64:9/2/2", "(rank (cols 0 (spectral r2hc 9 (rcolumn 9 w2))))",
         WEFT_ERR_PARSE},
        {"dht:f64:9/2/2", "(rank (cols 0 (spectral dht 9 (rcolumn 9 w1))))",
         WEFT_ERR_PARSE},
        {"r2hc:f64:17/2/2",
         "(rank (cols 0 (spectral r2hc 17 (rcolumn 17 w1))))",
         WEFT_ERR_UNSUPPORTED},
        {"redft00:f64:9",
         "(rank (rows 0 (period redft00 9 (full 18 (leaf 18)))))",
         WEFT_ERR_PARSE},
        {"redft00:f64:9",
         "(rank (rows 0 (folded redft00 9 (halved redft10 4 (leaf 2)) "
         "(halved redft01 4 (leaf 2)))))",
         WEFT_ERR_PARSE},
        {"redft10:f64:16", "(rank (cols 0 (halved redft10 16 (leaf 8))))",
         WEFT_ERR_PARSE},
        {"redft10:f64:16", "(rank (rows 0 (lanes redft10 16 w2)))",
         WEFT_ERR_ARGUMENT},
        {"redft10:f64:10", "(rank (rows 0 (lanes redft10 10 w1)))",
         WEFT_ERR_UNSUPPORTED},
        {"redft10:f64:16*9", "(rank (cols 0 (lanes redft10 16 w2)))",
         WEFT_ERR_ARGUMENT},
        {"redft10:f64:16*9", "(rank (buffered 0 (lanes redft10 16 w2)))",
         WEFT_ERR_PARSE},
        {"dht:f64:16*9", "(rank (rows 0 (lanes dht 16 w2)))", WEFT_ERR_PARSE},
        {"dht:f64:16*9", "(rank (rows 0 (laned dht 16 w2 (leaf 8))))",
         WEFT_ERR_PARSE},
        {"dht:f64:16*9", "(rank (rows 0 (laned dht 16 w2 (column 8 w1 8))))",
         WEFT_ERR_PARSE},
        {"r2c:f64:16*9", "(rank (rows 0 (rlaned 16 w2 (column 8 w2 8))))",
         WEFT_ERR_ARGUMENT},
        {"r2c:f64:16/9/9*9/1/1:split",
         "(rank (cols 0 (rlaned 16 w2 (column 8 w2 8))))", WEFT_ERR_ARGUMENT},
        {"r2c:f64:16/9/9*9/1/1",
         "(rank (cols 0 (rlaned 16 w2 (column 4 w2 4))))", WEFT_ERR_PARSE},
        {"c2c:f64:16/9/9*9/1/1",
         "(rank (cols 0 (rlaned 16 w2 (column 8 w2 8))))", WEFT_ERR_ARGUMENT},
        {"r2c:f64:6", "(rank (rows 0 (direct 6)))", WEFT_ERR_ARGUMENT},
        {"r2c:f64:6*9", "(rank (cols 0 (direct 6)))", WEFT_ERR_ARGUMENT},
        {"r2c:f64:6/9/9*9/1/1:split", "(rank (cols 0 (direct 6)))",
         WEFT_ERR_ARGUMENT},
        {"r2c:f64:50/9/9*9/1/1", "(rank (cols 0 (direct 50)))",
         WEFT_ERR_ARGUMENT},
        {"dht:f64:6/9/9*9/1/1", "(rank (cols 0 (dense r2hc 6)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:6/9/9*9/1/1", "(rank (cols 0 (direct 6)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(once)", WEFT_ERR_ARGUMENT},
        {"c2c:f64:8x8", "(once)", WEFT_ERR_ARGUMENT},
        {"c2c:f64:2x3:split", "(once)", WEFT_ERR_ARGUMENT},
        {"c2c:f64:2/4/4x3/1/1", "(once)", WEFT_ERR_ARGUMENT},
        {"c2c:f64:2x3:precision=split3", "(once)", WEFT_ERR_ARGUMENT},
        {"c2c:f64:2x3", "(rank (once))", WEFT_ERR_PARSE},
        {"c2c:f64:16", "(rank (rows 0 (leaf 8)))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(rank (rows 1 (leaf 16)))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(rank (rows 0 (leaf 16)) (rows 0 (leaf 16)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(rank (copy))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(rank (rows 0 (leaf 16)) (scale))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(repack (rank (rows 0 (leaf 16))))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16:inplace", "(exchanged (rank (rows 0 (leaf 16))))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16/9/1*9/1/16:inplace",
         "(exchanged (rank (cols 0 (column 16 w4 16))))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:16/16/1*16/1/16", "(exchanged (rank (copy)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16", "(rank (cols 0 (column 16 w4 4.4)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16/2/1", "(rank (rows 0 (leaf 16)))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:16",
         "(rank (rows 0 (bluestein 16 m30 (stockham 30 w1 6.5))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:16",
         "(rank (rows 0 (bluestein 16 m30 (stockham 15 w1 5.3))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:16",
         "(rank (rows 0 (bluestein 16 m33 (stockham 16 w1 4.4))))",
         WEFT_ERR_PARSE},
        {"c2c:f64:16", "(rank (rows 0 (rader 16 (stockham 15 w1 5.3))))",
         WEFT_ERR_ARGUMENT},
        /* The scale once, and after everything. */
        {"c2c:f64:16/8/8*8/1/1:norm=3", "(rank (cols 0 (column 16 w4 16)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16:norm=3", "(rank (scale) (buffered 0 (leaf 16)))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:16:norm=3", "(rank (rows 0 (leaf 16)) (scale) (scale))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:-*9:norm=3", "(rank (scale))", WEFT_ERR_ARGUMENT},
        {"c2c:f64:-*9:norm=3", "(rank (copy) (scale) (scale))",
         WEFT_ERR_ARGUMENT},
        {"c2c:f64:4096", "(rank (rows 0 (leaf 4096)))", WEFT_ERR_UNSUPPORTED},
        /* A bound of 1.2e-7. */
        {"c2c:f64:48:target=1e-15", "(rank (rows 0 (matrix 48 bf16x3 16.3)))",
         WEFT_ERR_TARGET},
        {"c2c:f64:512", "(rank (rows 0 (stockham 512 w64 8.8.8)))",
         WEFT_ERR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weft_problem p = problem_of(bad[i].problem);
        weft_plan_options options = {.size = sizeof options,
                                     .tree = bad[i].tree};
        weft_plan *plan = (weft_plan *)&options;
        weft_status status = weft_plan_create(&p, &options, &plan);
        CHECK(status == bad[i].status && !plan && *weft_error_text(),
              "%s by \"%s\": %s (%s)", bad[i].problem, bad[i].tree,
              weft_status_name(status), weft_error_text());
    }
}

/* ---- Planning is fast --------------------------------------------------- */

/* The best of three, so that a busy machine does not fail. */
static double planning_seconds(int64_t n)
{
    double best = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        weft_problem p = weft_problem_1d(WEFT_F64, n, WEFT_FORWARD);
        weft_plan_info info = {.size = sizeof info};
        weft_plan *plan = NULL;
        weft_status status = weft_plan_create(&p, NULL, &plan);
        if (!CHECK(status == WEFT_OK, "%lld: %s", (long long)n,
                   weft_error_text()))
            return best;
        weft_plan_get_info(plan, &info);
        if (info.planning_seconds < best)
            best = info.planning_seconds;
        weft_plan_release(plan);
    }
    return best;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWER 20
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOWER 20
#endif
#endif
#ifndef SLOWER
#ifdef __OPTIMIZE__
#define SLOWER 1
#else
#define SLOWER 5
#endif
#endif

static void test_planning_time(void)
{
    static const int64_t smooth[] = {16,    1000,  4096,  5040,
                                     30030, 50400, 65520, 65536};
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
        double seconds = planning_seconds(smooth[i]);
        CHECK(seconds <= 0.05 * SLOWER, "n = %lld: planned in %.3f s",
              (long long)smooth[i], seconds);
    }
}

/* Lengths whose divisors are far from the root, in a process that has no room for
 * their tables: the search ends, and says so. */
static void test_far_lengths(void)
{
    static const int64_t far[] = {4295360002, 4296000201, 8589934622,
                                  11111111111};
    const struct rlimit little = {(rlim_t)3 << 30, (rlim_t)3 << 30};
    if (SLOWER != 1) {
        printf("plan_test: sanitizers need more than 3 GiB: no far lengths\n");
        return;
    }
    const pid_t child = fork();
    if (child == 0) {
        int wrong = setrlimit(RLIMIT_AS, &little) != 0;
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            weft_problem p = weft_problem_nd(WEFT_F32, 1, &far[i], 1,
                                             WEFT_FORWARD);
            weft_plan *plan = NULL;
            wrong += weft_plan_create(&p, NULL, &plan) != WEFT_ERR_NO_MEMORY;
        }
        _exit(wrong);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0,
          "lengths beyond 2^32: status %#x", (unsigned)status);
}

static bool is_set(const char *name, const char *wanted)
{
    const char *value = getenv(name);
    return value && !strcmp(value, wanted);
}

/* weft reads them once, and isa_guard.c has asked already: begin anew. */
static void begin_at_avx2(const char *core, char **argv)
{
    if (is_set("WEFT_ISA", "avx2") && is_set("WEFT_CORE", core))
        return;
    setenv("WEFT_ISA", "avx2", 1);
    setenv("WEFT_CORE", core, 1);
    execv(argv[0], argv);
    perror("plan_test: cannot begin anew with WEFT_ISA=avx2");
    exit(2);
}

int main(int argc, char **argv)
{
    int next = 1;
    const char *core = "other";
    if (argc > 2 && !strcmp(argv[1], "--core")) {
        core = argv[2];
        next = 3;
    }
    bool update = argc > next && !strcmp(argv[next], "--update");
    const char *path = argc > next + update ? argv[next + update] : plans;
    if (check_emulated("plans of the file, which are for avx2"))
        return 77;
    begin_at_avx2(core, argv);
    if (strcmp(weft_isa(), "avx2") != 0) {
        printf("plan_test: skipped: the best here is %s, the plans of the "
               "file are for avx2\n",
               weft_isa());
        return 77;
    }
    if (path)
        use_file(path, update);
    else
        printf("plan_test: plans are not compared: not all levels of x86 up "
               "to avx2 are in this build\n");
    test_rules_are_all_here();
    test_rules();
    test_rule_refusals();
    test_trees_refused();
    test_planning_time();
    test_far_lengths();
    return check_report("plan_test");
}
