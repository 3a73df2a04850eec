/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_prices - plans by other prices than the library has, for bench/fit_prices.py.
 *
 * Reads commands, a line each, and answers each with a line:
 *
 *   prices                      name=value@start ... of this processor's: `start`
 *                               is what to try where it is 0, 0 not to
 *   set NAME=VALUE...           ok
 *   plan PROBLEM                the tree that the search finds, or -
 *   load PROBLEM|TREE|...       ok, or - if a tree is refused
 *   costs                       of the trees loaded, in order, ns
 *   time SECONDS|PROBLEM|TREE|...
 *                               ns of one execution of each, the least of turns; or -
 *
 * WEFT_ISA and WEFT_CORE hold as everywhere; processors that have no prices of their
 * own are refused.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "cpu/prices.h"
#include "plan/planner.h"
#include "plan/search.h"

enum { LONGEST_LINE = 1 << 16, MOST_TREES = 32, TURNS = 12 };

/* ---- Prices by name ------------------------------------------------------ */

typedef struct price {
    const char *name;
    size_t offset;
    double start;
} price;

#define MAY(field, start)                              \
    {                                                  \
#field, offsetof(wf_core_prices, field), start \
    }
#define IS(field) MAY(field, 0)
#define QUEUES(q)                                                         \
    IS(q.sum), IS(q.product), IS(q.shuffle), IS(q.transpose), IS(q.load), \
        IS(q.store), IS(q.constant), IS(q.overlap), IS(q.around),         \
        IS(q.hidden), IS(q.spill), IS(q.spill_more)

/* What says where a processor changes its ways, as wf_machine's `sliced`, is not
 * here: such limits are measured by themselves.  Nor what says which passes may be
 * fused (the first cache, `buffer`, `fused`, `unfused`): with other values trees would
 * be timed, and priced, that the search never finds. */
static const price prices[] = {
    IS(machine.level_bytes[1]),
    IS(machine.level_rate[1]),
    IS(machine.level_rate[2]),
    IS(machine.spread),
    MAY(machine.in_place[0], 0.15),
    MAY(machine.in_place[1], 0.1),
    IS(machine.call),
    IS(machine.kernel_call),
    IS(machine.real_call),
    IS(machine.block_call),
    MAY(machine.row, 0.0085),
    MAY(machine.group, 3),
    IS(machine.table),
    IS(machine.share[WF_ALONE]),
    IS(machine.share[WF_FUSED_FIRST]),
    IS(machine.share[WF_FUSED_MIDDLE]),
    IS(machine.share[WF_FUSED_LAST]),
    IS(machine.reach),
    IS(machine.walk[0]),
    IS(machine.walk[1]),
    MAY(machine.walk_wide, 0.03),
    MAY(machine.walk_more, 0.002),
    MAY(machine.half_row, 1),
    IS(machine.many),
    IS(machine.legs),
    IS(machine.alias),
    IS(machine.alias_out),
    MAY(machine.alias_buffer, 1),
    MAY(machine.alias_pair, 1),
    MAY(machine.column_row, 1.5),
    MAY(machine.crowded, 1.5),
    IS(machine.split_load),
    IS(machine.split_store),
    IS(machine.split_far),
    IS(machine.product[0]),
    IS(machine.product[1]),
    IS(machine.product[2]),
    IS(machine.convolved[0]),
    IS(machine.convolved[1]),
    MAY(machine.primes[0], 0.45),
    MAY(machine.primes[1], 0.5),
    IS(machine.wide),
    IS(machine.sorted[0]),
    IS(machine.sorted[1]),
    IS(machine.full_call),
    IS(machine.full_trips),
    MAY(machine.half_call, 6),
    MAY(machine.turned[0], 12),
    MAY(machine.turned[1], 0.05),
    IS(machine.sum),
    IS(machine.joined[0]),
    IS(machine.joined[1]),
    MAY(machine.passes_far, 0.05),
    MAY(machine.trips[0], 0.3),
    MAY(machine.trips[1], 0.15),
    MAY(machine.trips[2], 0.15),
    MAY(machine.apart, 0.02),
    MAY(machine.trips_from, 1 << 19),
    IS(machine.copied),
    IS(machine.strided),
    IS(machine.merged),
    IS(machine.merged_reals),
    IS(machine.beside.butterfly),
    IS(machine.beside.crowd),
    MAY(machine.beside.both, 1),
    MAY(machine.beside.group, 0.3),
    IS(machine.beside.pass),
    IS(machine.beside.one),
    IS(machine.beside.many),
    IS(machine.beside.in_place),
    IS(machine.reals.embedded),
    IS(machine.reals.row[0]),
    IS(machine.reals.row[1]),
    IS(machine.reals.laned),
    IS(machine.reals.second),
    MAY(machine.part, 0.7),
    IS(machine.again),
    IS(machine.indexed),
    MAY(machine.rewritten, 0.005),
    MAY(machine.row_split[0], 0.15),
    MAY(machine.row_split[1], 0.3),
    MAY(machine.lopsided, 0.1),
    IS(machine.tile),
    QUEUES(zmm),
    QUEUES(ymm),
    QUEUES(half_zmm),
    QUEUES(half_ymm),
    IS(narrow[WF_ISA_SCALAR]),
    IS(narrow[WF_ISA_SSE2]),
    IS(issue.leaf[0]),
    IS(issue.leaf[1]),
    IS(issue.around),
    IS(issue.alone[0]),
    IS(issue.alone[1]),
    IS(issue.pass[0]),
    IS(issue.pass[1]),
    MAY(issue.block, 4),
    MAY(issue.spill[0], 2),
    MAY(issue.spill[1], 1),
    IS(issue.trips),
};
enum { PRICES = sizeof prices / sizeof prices[0] };

/* ---- An engine with prices that change ------------------------------------ */

static wf_core_prices mine;
static wf_engine engine;

static const wf_machine *machine(void)
{
    return wf_machine_of(&mine);
}

static double price_of(wf_role role, weft_type type, int width, int radix)
{
    return wf_price_by(&mine, role, type, width, radix);
}

static double *place_of(const price *p)
{
    return (double *)(void *)((char *)&mine + p->offset);
}

static void tell_prices(void)
{
    for (int i = 0; i < PRICES; i++)
        printf("%s%s=%.17g@%g", i > 0 ? " " : "", prices[i].name,
               *place_of(&prices[i]), prices[i].start);
    puts("");
}

static bool set_price(const char *name, const char *value)
{
    for (int i = 0; i < PRICES; i++)
        if (strcmp(prices[i].name, name) == 0) {
            *place_of(&prices[i]) = strtod(value, NULL);
            return true;
        }
    return false;
}

static void set_prices(char *words)
{
    for (char *word = strtok(words, " "); word != NULL;
         word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        if (value != NULL)
            *value++ = '\0';
        if (value == NULL || !set_price(word, value)) {
            fprintf(stderr, "fit_prices: there is no price %s\n", word);
            exit(1);
        }
    }
    puts("ok");
}

/* ---- Problems and trees -------------------------------------------------- */

typedef struct work {
    wf_problem problem;
    int count;
    char *tree[MOST_TREES];
} work;

static work *works;
static size_t loaded;

static bool read_problem(const char *text, wf_problem *canonical)
{
    weft_problem problem;
    return wf_problem_parse(text, &problem) == WEFT_OK &&
           wf_problem_canonical(&problem, canonical) == WEFT_OK;
}

static void plan(const char *text)
{
    wf_problem problem;
    wf_step *tree = NULL;
    wf_text printed = {0};
    if (read_problem(text, &problem)) {
        const wf_request request = {.problem = &problem,
                                    .engine = &engine,
                                    .effort = WEFT_MODEL};
        if (wf_planner_plan(&request, &tree, NULL) == WEFT_OK)
            wf_step_print(tree, &printed);
    }
    puts(printed.data != NULL && !printed.failed ? printed.data : "-");
    wf_step_free(tree);
    wf_text_free(&printed);
}

/* Negative: it is refused. */
static double cost_of(const wf_problem *problem, const char *text)
{
    wf_step *tree = NULL;
    double cost = -1;
    if (wf_planner_adopt(problem, &engine, text, &tree) == WEFT_OK)
        cost = tree->cost;
    wf_step_free(tree);
    return cost;
}

static void *need(void *block)
{
    if (block == NULL) {
        fputs("fit_prices: no memory\n", stderr);
        exit(1);
    }
    return block;
}

static char *copy_of(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(need(malloc(bytes)), text, bytes);
}

static void load(char *words)
{
    work w = {.count = 0};
    bool good = read_problem(strtok(words, "|"), &w.problem);
    for (char *tree; good && (tree = strtok(NULL, "|")) != NULL;) {
        good = w.count < MOST_TREES && cost_of(&w.problem, tree) >= 0;
        if (good)
            w.tree[w.count++] = copy_of(tree);
    }
    puts(good ? "ok" : "-");
    if (!good)
        return;
    works = need(realloc(works, (loaded + 1) * sizeof *works));
    works[loaded++] = w;
}

static void tell_costs(void)
{
    for (size_t i = 0; i < loaded; i++)
        for (int k = 0; k < works[i].count; k++)
            printf("%.9g ", cost_of(&works[i].problem, works[i].tree[k]));
    puts("");
}

/* ---- Timing ---------------------------------------------------------------- */

typedef struct timed {
    weft_plan *plan;
    double least; /* s */
    long runs;    /* of a sample */
} timed;

/* The first run, after those of other trees, finds their samples in the caches. */
static double run(const timed *t, const void *in, void *out)
{
    weft_execute(t->plan, in, out);
    const double start = wf_clock_seconds();
    for (long i = 0; i < t->runs; i++)
        weft_execute(t->plan, in, out);
    return (wf_clock_seconds() - start) / (double)t->runs;
}

/* s, of a sample that says how many runs to take. */
#define ENOUGH 1e-4

/* Each gets its share of the time, in samples by turns. */
static void take_turns(timed *t, int count, double seconds, const void *in,
                       void *out)
{
    for (int i = 0; i < count; i++) {
        double first;
        while ((first = run(&t[i], in, out)) * (double)t[i].runs < ENOUGH)
            t[i].runs *= 2;
        const double runs = seconds / (TURNS * count) / first;
        t[i].runs = runs > 1 ? (long)runs : 1;
    }
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < count; k++) {
            timed *here = &t[turn % 2 ? count - 1 - k : k];
            const double took = run(here, in, out);
            here->least = took < here->least ? took : here->least;
        }
}

/* Room for a side whose elements may be complex. */
static void *block_of(const weft_problem *p, int64_t low, int64_t high)
{
    const size_t bytes = 2 * (p->type == WEFT_F64 ? sizeof(double)
                                                  : sizeof(float));
    if (low < 0)
        return NULL;
    void *block = weft_alloc((size_t)(high + 1) * bytes);
    if (block != NULL)
        memset(block, 0, (size_t)(high + 1) * bytes);
    return block;
}

static void time_trees(char *words)
{
    const double seconds = strtod(strtok(words, "|"), NULL);
    timed t[MOST_TREES];
    int count = 0;
    weft_problem problem;
    weft_extent extent;
    const char *text = strtok(NULL, "|");
    bool good = text != NULL && !weft_problem_parse(text, &problem) &&
                !weft_problem_extent(&problem, &extent);
    for (char *tree; good && (tree = strtok(NULL, "|")) != NULL;) {
        const weft_plan_options options = {.size = sizeof options,
                                           .ignore_wisdom = 1,
                                           .tree = tree};
        weft_plan *plan = NULL;
        good = count < MOST_TREES &&
               !weft_plan_create(&problem, &options, &plan);
        if (good)
            t[count++] = (timed){.plan = plan, .least = 1e9, .runs = 1};
    }
    void *in = NULL, *out = NULL;
    if (good) {
        const bool in_place = problem.place == WEFT_IN_PLACE;
        const int64_t high = extent.in_high > extent.out_high
                                 ? extent.in_high
                                 : extent.out_high;
        in = block_of(&problem, extent.in_low, high);
        out = in_place ? in : block_of(&problem, extent.out_low, high);
        good = in != NULL && out != NULL;
        if (good)
            take_turns(t, count, seconds, in, out);
        if (!in_place)
            weft_free(out);
        weft_free(in);
    }
    for (int i = 0; i < count; i++) {
        if (good)
            printf("%.6g ", 1e9 * t[i].least);
        weft_plan_release(t[i].plan);
    }
    puts(good ? "" : "-");
}

static void obey(char *line)
{
    char *rest = strchr(line, ' ');
    if (rest != NULL)
        *rest++ = '\0';
    if (strcmp(line, "prices") == 0)
        tell_prices();
    else if (strcmp(line, "costs") == 0)
        tell_costs();
    else if (strcmp(line, "set") == 0 && rest != NULL)
        set_prices(rest);
    else if (strcmp(line, "plan") == 0 && rest != NULL)
        plan(rest);
    else if (strcmp(line, "load") == 0 && rest != NULL)
        load(rest);
    else if (strcmp(line, "time") == 0 && rest != NULL)
        time_trees(rest);
    else {
        fprintf(stderr, "fit_prices: what is %s?\n", line);
        exit(1);
    }
    fflush(stdout);
}

int main(void)
{
    static char line[LONGEST_LINE];
    const wf_core_prices *here = wf_core_prices_here();
    if (here == NULL) {
        fputs("fit_prices: no prices of this processor's own; "
              "WEFT_CORE names another's to begin with\n",
              stderr);
        return 1;
    }
    mine = *here;
    engine = wf_cpu_engine;
    engine.machine = machine;
    engine.price = price_of;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        obey(line);
    }
    for (size_t i = 0; i < loaded; i++)
        for (int k = 0; k < works[i].count; k++)
            free(works[i].tree[k]);
    free(works);
    return 0;
}
