/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.c - the memo and the tournament of the rules.
 */
#include "plan/search.h"

#include <math.h>
#include <string.h>

/* Below the limit first, but where the precision is not the type's. */
static bool comes_before(const wf_search *search, const wf_step *a,
                         const wf_step *b)
{
    bool a_exact = search->matrices || a->error <= WF_ERROR_LIMIT,
         b_exact = search->matrices || b->error <= WF_ERROR_LIMIT;
    return a_exact != b_exact ? a_exact : a->cost < b->cost;
}

void wf_propose(wf_search *search, wf_candidates *candidates, wf_step *tree)
{
    if (tree == NULL) {
        search->no_memory = true;
        return;
    }
    const wf_engine *engine = search->engine;
    if (candidates->count == WF_MAX_CANDIDATES ||
        (engine->has != NULL && engine->has(tree) != WEFT_OK) ||
        !wf_cost_step(engine, search->type, tree)) {
        wf_step_free(tree);
        return;
    }
    int i = candidates->count++;
    for (; i > 0 && comes_before(search, tree, candidates->tree[i - 1]); i--)
        candidates->tree[i] = candidates->tree[i - 1];
    candidates->tree[i] = tree;
}

wf_step *wf_step_over(wf_step_kind kind, int64_t n, const wf_step *a,
                      const wf_step *b)
{
    const wf_step *wanted[2] = {a, b};
    wf_step *step = wf_step_new(kind, n);
    if (step == NULL)
        return NULL;
    for (int i = 0; i < 2; i++) {
        if (wanted[i] == NULL)
            continue;
        wf_step *child = wf_step_copy(wanted[i]);
        if (child == NULL) {
            wf_step_free(step);
            return NULL;
        }
        wf_step_adopt(step, child);
    }
    if (a != NULL && b != NULL) {
        step->split[0] = a->n;
        step->split[1] = b->n;
    }
    return step;
}

void wf_propose_r2r(wf_search *search, wf_candidates *candidates,
                    wf_step_kind step, weft_kind kind, int64_t n,
                    const wf_step *a, const wf_step *b)
{
    wf_step *tree = wf_step_over(step, n, a, b);
    if (tree != NULL)
        tree->real = kind;
    wf_propose(search, candidates, tree);
}

bool wf_search_asked(const wf_search *search, int64_t n, const char *rule)
{
    return search->rule != NULL && !search->real && !search->r2r &&
           n == search->root && strcmp(search->rule, rule) == 0;
}

int64_t wf_divisor_to(int64_t n, int64_t most)
{
    for (int64_t d = most; d > 1 && most - d < 1 << 16; d--)
        if (n % d == 0)
            return d;
    return 1;
}

int64_t wf_balanced_divisor(int64_t n)
{
    int64_t root = (int64_t)sqrt((double)n);
    while (root > 0 && root > n / root)
        root--;
    return wf_divisor_to(n, root);
}

void wf_candidates_free(wf_candidates *candidates)
{
    for (int i = 0; i < candidates->count; i++)
        wf_step_free(candidates->tree[i]);
    candidates->count = 0;
}

static const struct {
    wf_rule *propose;
    const char *name;
    bool real;
} rules[] = {
#define WF_RULE(function, name) {wf_rule_##function, name, false},
#define WF_REAL_RULE(function, name) {wf_rule_##function, name, true},
#define WF_R2R_RULE(function, name)
#include "plan/rules.def"
#undef WF_R2R_RULE
#undef WF_REAL_RULE
#undef WF_RULE
};

static const struct {
    wf_r2r_rule *propose;
    const char *name;
} r2r_rules[] = {
#define WF_RULE(function, name)
#define WF_REAL_RULE(function, name)
#define WF_R2R_RULE(function, name) {wf_rule_##function, name},
#include "plan/rules.def"
#undef WF_R2R_RULE
#undef WF_REAL_RULE
#undef WF_RULE
};

enum {
    RULES = sizeof rules / sizeof rules[0],
    R2R_RULES = sizeof r2r_rules / sizeof r2r_rules[0]
};

bool wf_rule_is_r2r(const char *rule)
{
    for (int i = 0; i < R2R_RULES; i++)
        if (strcmp(rule, r2r_rules[i].name) == 0)
            return true;
    return false;
}

void wf_search_r2r_candidates(wf_search *search, weft_kind kind, int64_t n,
                              wf_candidates *candidates)
{
    candidates->count = 0;
    bool forced = search->rule != NULL && n == search->root && search->r2r;
    for (int i = 0; i < R2R_RULES; i++)
        if (!forced || strcmp(search->rule, r2r_rules[i].name) == 0)
            r2r_rules[i].propose(search, kind, n, candidates);
}

bool wf_rule_is_real(const char *rule)
{
    for (int i = 0; i < RULES; i++)
        if (rules[i].real && strcmp(rule, rules[i].name) == 0)
            return true;
    return false;
}

/* Rules whose trees are of matrix steps, on an engine with others; one with
 * passes of its own has them by the first alone.  Only such an engine asks for
 * a real transform here: the whole complex one. */
static bool multiplies(const wf_engine *engine, const char *rule, bool real)
{
    static const char *const names[] = {"matrix", "radix4", "radix8",
                                        "radix16", "mixed"};
    size_t count = engine->matrix_radix > 0 ? 1
                                            : sizeof names / sizeof names[0];
    if (real)
        return strcmp(rule, "full") == 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rule, names[i]) == 0)
            return true;
    return false;
}

void wf_search_candidates(wf_search *search, int64_t n, bool real,
                          wf_candidates *candidates)
{
    candidates->count = 0;
    bool forced = search->rule != NULL && n == search->root &&
                  real == search->real && !search->r2r;
    for (int i = 0; i < RULES; i++)
        if (rules[i].real == real &&
            (!forced || strcmp(search->rule, rules[i].name) == 0) &&
            (!search->matrices ||
             multiplies(search->engine, rules[i].name, real)))
            rules[i].propose(search, n, candidates);
}

double wf_search_price(wf_search *search, wf_role role, int width, int radix)
{
    if (width == 0)
        return -1; /* an engine without passes */
    return search->engine->price(role, search->type, width, radix);
}

/* That of a radix 4 to 32 in the widest two widths.  Other radices have more
 * operations, narrower vectors more of them. */
static double find_rate(wf_search *search)
{
    static const wf_role roles[] = {WF_ROLE_FIRST, WF_ROLE_PASS, WF_ROLE_LAST,
                                    WF_ROLE_COLUMN};
    const int *width = search->engine->widths(search->type);
    double best = INFINITY;
    for (int w = 0; w < 2 && width[w] != 0; w++)
        for (int log = 2; log <= 5; log++)
            for (size_t k = 0; k < sizeof roles / sizeof roles[0]; k++) {
                double price = wf_search_price(search, roles[k], width[w],
                                               1 << log) /
                               (double)(log << log) / width[w];
                best = price >= 0 && price < best ? price : best;
            }
    return isinf(best) ? 0 : 0.95 * best;
}

double wf_search_rate(wf_search *search)
{
    if (search->rate == 0)
        search->rate = find_rate(search);
    return search->rate;
}

double wf_least_of_two(wf_search *search, wf_step_kind kind, int64_t n,
                       int64_t n1)
{
    wf_step a = {.kind = WF_STEP_COLUMN,
                 .n = n1,
                 .width = search->engine->widths(search->type)[0]},
            b = a, step = {.kind = kind, .n = n, .split = {n1, n / n1}};
    b.n = n / n1;
    wf_step_adopt(&step, &a);
    wf_step_adopt(&step, &b);
    wf_cost_step(search->engine, search->type, &step);
    return step.cost + wf_search_rate(search) * (double)n * log2((double)n);
}

double wf_cost_to_beat(const wf_search *search,
                       const wf_candidates *candidates)
{
    if (search->thorough || search->engine->weigh != NULL ||
        candidates->count == 0 || candidates->tree[0]->error > WF_ERROR_LIMIT)
        return INFINITY;
    return candidates->tree[0]->cost;
}

static wf_step *recall(wf_search *search, int64_t n, int sort, bool *known)
{
    for (int i = 0; i < search->memos; i++)
        if (search->memo[i].n == n && search->memo[i].sort == sort) {
            *known = true;
            return search->memo[i].best;
        }
    *known = false;
    return NULL;
}

/* Takes ownership of best; returns it, or NULL when it could not be kept. */
wf_step *wf_search_remember(wf_search *search, int64_t n, int sort,
                            wf_step *best)
{
    if (search->memos == search->capacity) {
        int capacity = 2 * search->capacity + 16;
        wf_memo *memo = wf_alloc((size_t)capacity * sizeof *memo);
        if (memo == NULL) {
            search->no_memory = true;
            wf_step_free(best);
            return NULL;
        }
        if (search->memos > 0)
            memcpy(memo, search->memo, (size_t)search->memos * sizeof *memo);
        wf_free(search->memo);
        search->memo = memo;
        search->capacity = capacity;
    }
    search->memo[search->memos++] = (wf_memo){n, sort, best};
    return best;
}

static double cost_in_place(const wf_search *search, const wf_step *tree)
{
    return tree->cost + wf_cost_in_place(search->engine, search->type, tree,
                                         !search->in_place);
}

/* The first candidate, or in place one that is cheaper there; the others freed.  NULL
 * when there is none. */
static wf_step *keep_best(const wf_search *search, bool in_place,
                          wf_candidates *candidates)
{
    if (candidates->count == 0)
        return NULL;
    int best = 0;
    for (int i = 1; in_place && i < candidates->count; i++)
        if (candidates->tree[i]->error <= WF_ERROR_LIMIT &&
            cost_in_place(search, candidates->tree[i]) <
                cost_in_place(search, candidates->tree[best]))
            best = i;
    wf_step *kept = candidates->tree[best];
    candidates->tree[best] = NULL;
    wf_candidates_free(candidates);
    return kept;
}

static const wf_step *best_of(wf_search *search, int64_t n, int sort)
{
    bool known;
    wf_step *best = recall(search, n, sort, &known);
    if (known || search->no_memory)
        return best;
    wf_candidates candidates;
    if (sort >= WF_SORT_R2R)
        wf_search_r2r_candidates(search, (weft_kind)(sort - WF_SORT_R2R), n,
                                 &candidates);
    else
        wf_search_candidates(search, n, sort == WF_SORT_REAL, &candidates);
    return wf_search_remember(search, n, sort,
                              keep_best(search, sort == WF_SORT_ROW_IN_PLACE,
                                        &candidates));
}

const wf_step *wf_search_row(wf_search *search, int64_t n)
{
    return best_of(search, n, WF_SORT_ROW);
}

const wf_step *wf_search_row_in_place(wf_search *search, int64_t n)
{
    return best_of(search, n, WF_SORT_ROW_IN_PLACE);
}

const wf_step *wf_search_real(wf_search *search, int64_t n)
{
    return best_of(search, n, WF_SORT_REAL);
}

const wf_step *wf_search_r2r(wf_search *search, weft_kind kind, int64_t n)
{
    return best_of(search, n, WF_SORT_R2R + (int)kind);
}

void wf_search_free(wf_search *search)
{
    for (int i = 0; i < search->memos; i++)
        wf_step_free(search->memo[i].best);
    wf_free(search->memo);
    search->memo = NULL;
    search->memos = search->capacity = 0;
}
