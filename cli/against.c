/* SPDX-License-Identifier: BSD-3-Clause */
/* What --against makes of a problem: see against.h. */
#define _POSIX_C_SOURCE 200809L
#include "against.h"

#include "args.h"

#include <stdlib.h>
#include <string.h>

/* ---- The text ------------------------------------------------------------ */

/* What is between the colons.  A problem has at most ten options, each once:
 * of more than MOST fields some are nonsense, and so are some of the first
 * MOST, which the parser will say. */
enum { KIND, TYPE, SHAPE, OPTIONS, MOST = 64 };

typedef struct fields {
    const char *at[MOST];
    int count;
} fields;

static void add(fields *f, const char *field)
{
    if (f->count < MOST)
        f->at[f->count++] = field;
}

static void split(fields *f, char *text, const char *separator)
{
    char *rest = NULL;
    for (char *at = strtok_r(text, separator, &rest); at;
         at = strtok_r(NULL, separator, &rest))
        add(f, at);
}

/* Takes away the option that is, or up to its = is, `word`. */
static void drop(fields *f, const char *word)
{
    size_t name = strcspn(word, "=");
    int kept = OPTIONS;
    for (int i = OPTIONS; i < f->count; i++)
        if (strncmp(f->at[i], word, name) || strcspn(f->at[i], "=") != name)
            f->at[kept++] = f->at[i];
    f->count = kept;
}

/* The option that `word` is or denies; NULL: neither. */
static const char *option_of(const char *word)
{
    static const char *const pairs[][2] = {{"inplace", "outofplace"},
                                           {"split", "interleaved"},
                                           {"scrambled", "natural"},
                                           {"inverse", "forward"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strcmp(word, pairs[i][0]) || !strcmp(word, pairs[i][1]))
            return pairs[i][0];
    return NULL;
}

/* Other rules than the problem's hold from here on. */
static void replan(entrant *self, weft_effort effort)
{
    self->plan.effort = effort;
    self->plan.rule = self->plan.tree = NULL;
}

/* 0 or CODE_USAGE, told. */
static int apply(entrant *self, fields *f, const char *word)
{
    static const char offset[] = "offset=";
    const char *option = option_of(word);
    if (!strncmp(word, offset, sizeof offset - 1))
        return offset_read(word + sizeof offset - 1, &self->offset);
    bool model = !strcmp(word, "model"), measure = !strcmp(word, "measure");
    if (model || measure) {
        drop(f, "rule=");
        replan(self, measure ? WEFT_MEASURE : WEFT_MODEL);
    } else if (!strcmp(word, "f64") || !strcmp(word, "f32")) {
        f->at[TYPE] = word;
    } else if (option) {
        drop(f, option);
        if (!strcmp(word, option))
            add(f, word);
    } else if (strchr(word, '=')) {
        drop(f, word);
        add(f, word);
        if (!strncmp(word, "rule=", 5))
            replan(self, self->plan.effort);
    } else {
        f->at[KIND] = word;
    }
    return CODE_OK;
}

static void join(const fields *f, char *text)
{
    *text = 0;
    for (int i = 0; i < f->count; i++) {
        if (i > 0)
            strcat(text, ":");
        strcat(text, f->at[i]);
    }
}

/* ---- Entrants ------------------------------------------------------------ */

int offset_read(const char *value, int64_t *offset)
{
    return args_integer("offset", value, 0, 63, offset);
}

int entrant_read(entrant *self, const char *text,
                 const weft_plan_options *plan, int64_t offset)
{
    *self = (entrant){.plan = *plan, .text = strdup(text), .offset = offset};
    if (!self->text)
        return fail(CODE_LIBRARY, "no memory for '%s'", text);
    return problem_read_ruled(text, &self->problem, &self->rule);
}

void entrant_free(entrant *self)
{
    free(self->text);
    self->text = NULL;
}

weft_plan_options entrant_plan(const entrant *self)
{
    weft_plan_options plan = self->plan;
    if (self->rule.name[0])
        plan.rule = self->rule.name;
    return plan;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same(const entrant *a, const entrant *b)
{
    char one[4000] = "", other[4000] = "";
    weft_plan_options p = entrant_plan(a), q = entrant_plan(b);
    weft_problem_print(&a->problem, one, sizeof one, NULL);
    weft_problem_print(&b->problem, other, sizeof other, NULL);
    return !strcmp(one, other) && p.effort == q.effort &&
           same_text(p.rule, q.rule) && same_text(p.tree, q.tree) &&
           a->offset == b->offset;
}

int entrant_change(entrant *self, const entrant *from, const char *change)
{
    *self = (entrant){.plan = from->plan, .offset = from->offset};
    char *old = strdup(from->text), *words = strdup(change);
    self->text = malloc(strlen(from->text) + strlen(change) + 2);
    int code = CODE_OK;
    if (!old || !words || !self->text) {
        code = fail(CODE_LIBRARY, "no memory for '%s'", change);
    } else {
        fields f = {.count = 0}, said = {.count = 0};
        split(&f, old, ":");
        split(&said, words, ",");
        for (int i = 0; i < said.count && !code; i++)
            code = apply(self, &f, said.at[i]);
        join(&f, self->text);
        if (!code)
            code = problem_read_ruled(self->text, &self->problem, &self->rule);
        if (code)
            fail(code, "--against '%s' makes that of '%s'", change,
                 from->text);
        else if (same(self, from))
            code = fail(CODE_USAGE, "--against '%s' leaves '%s' as it is",
                        change, from->text);
    }
    free(old);
    free(words);
    return code;
}
