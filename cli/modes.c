/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every mode at every length: see modes.h.  One exact transform of each
 * length serves all modes of a type.  A mode that this version refuses for a
 * type is left out of its table.
 */
#include "modes.h"

#include <string.h>

#include <weft/weft.h>

#include "exact.h"
#include "field.h"
#include "problems.h"

static const char *const mode_names[] = {
    "fast",    "double",  "compensated", "bf16",    "fp16",    "split2",
    "fp16x2",  "split3",  "refined",     "slices2", "slices3", "slices4",
    "slices5", "slices6", "slices7",     "slices8"};

enum { MODES = sizeof mode_names / sizeof *mode_names, LENGTHS = 16 };

typedef struct cell {
    bool present;
    double l2, max, bound, expected, cost;
} cell;

typedef struct table {
    const char *kind;
    weft_type type;
    int lengths;
    int64_t n[LENGTHS];
    cell cells[MODES][LENGTHS];
} table;

/* False when this version has no such mode for the type. */
static bool problem_of(const table *t, int mode, int64_t n,
                       weft_problem *problem)
{
    char text[100];
    snprintf(text, sizeof text, "%.30s:%s:%lld:precision=%s", t->kind,
             t->type == WEFT_F64 ? "f64" : "f32", (long long)n,
             mode_names[mode]);
    return !weft_problem_parse(text, problem) &&
           !weft_problem_check(problem) && !problem_read(text, problem);
}

/* One vector and its exact transform. */
typedef struct truth {
    double *in, *hi, *lo, *got;
} truth;

static int measure(const weft_problem *problem, const truth *exact, cell *c)
{
    field data = {.count = 0};
    weft_plan *plan = NULL;
    weft_plan_info info = {.size = sizeof info};
    weft_status status = weft_plan_create(problem, NULL, &plan);
    if (status == WEFT_ERR_UNSUPPORTED)
        return CODE_OK; /* this length is too long for the mode */
    int code = status ? fail_library("cannot plan") : CODE_OK;
    if (!code && weft_plan_get_info(plan, &info))
        code = fail_library("the plan's figures");
    if (!code)
        code = field_open(&data, problem);
    if (!code) {
        field_load(&data, exact->in);
        if (field_execute(&data, plan))
            code = fail_library("cannot execute");
    }
    if (!code) {
        field_result(&data, exact->got);
        error_pair e = error_between(exact->got, exact->hi, exact->lo,
                                     data.count);
        *c = (cell){
            true,     e.l2, e.max, info.error_bound, info.error_expected,
            info.cost};
    }
    field_close(&data);
    weft_plan_release(plan);
    return code;
}

static int fill_length(table *t, int index, int64_t seed)
{
    int64_t n = t->n[index];
    weft_problem problem;
    double *space = packed_new(4 * n);
    if (!space)
        return CODE_LIBRARY;
    truth exact = {space, space + 2 * n, space + 4 * n, space + 6 * n};
    fill_random(exact.in, n, t->type, (uint64_t)seed);
    field data = {.count = 0};
    int code = CODE_OK;
    if (!problem_of(t, 0, n, &problem))
        code = fail_library("the fast mode");
    if (!code)
        code = field_open(&data, &problem);
    if (!code)
        field_project(&data, exact.in);
    field_close(&data);
    if (!code)
        code = exact_transform(&problem, NULL, exact.in, exact.hi, exact.lo);
    for (int mode = 0; mode < MODES && !code; mode++)
        if (problem_of(t, mode, n, &problem)) {
            progress("n = %lld, %s", (long long)n, mode_names[mode]);
            code = measure(&problem, &exact, &t->cells[mode][index]);
        }
    weft_free(space);
    return code;
}

/* ---- Texts --------------------------------------------------------------- */

static bool has_mode(const table *t, int mode)
{
    for (int i = 0; i < t->lengths; i++)
        if (t->cells[mode][i].present)
            return true;
    return false;
}

static void print_block(const table *t, const char *title, size_t offset,
                        const char *format)
{
    printf("%s:%s, %s\n%-12s", t->kind, t->type == WEFT_F64 ? "f64" : "f32",
           title, "mode");
    for (int i = 0; i < t->lengths; i++)
        printf(" %9lld", (long long)t->n[i]);
    printf("\n");
    for (int mode = 0; mode < MODES; mode++) {
        if (!has_mode(t, mode))
            continue;
        printf("%-12s", mode_names[mode]);
        for (int i = 0; i < t->lengths; i++) {
            const cell *c = &t->cells[mode][i];
            char text[32] = "-";
            double value;
            memcpy(&value, (const char *)c + offset, sizeof value);
            if (c->present)
                snprintf(text, sizeof text, format, value);
            printf(" %9s", text);
        }
        printf("\n");
    }
    printf("\n");
}

static void print_table(const table *t)
{
    print_block(t, "relative L2 error", offsetof(cell, l2), "%.2e");
    print_block(t, "largest error over the root mean square",
                offsetof(cell, max), "%.2e");
    print_block(t, "bound of the relative L2 error", offsetof(cell, bound),
                "%.2e");
    print_block(t, "cost by the model, ns", offsetof(cell, cost), "%.4g");
}

static void report_table(const table *t, report *rows)
{
    for (int mode = 0; mode < MODES; mode++)
        for (int i = 0; i < t->lengths; i++) {
            const cell *c = &t->cells[mode][i];
            if (!c->present)
                continue;
            report *row = report_append(rows);
            report_text(row, "kind", t->kind);
            report_text(row, "type", t->type == WEFT_F64 ? "f64" : "f32");
            report_text(row, "mode", mode_names[mode]);
            report_integer(row, "n", t->n[i]);
            report_number(row, "l2", c->l2);
            report_number(row, "max", c->max);
            report_number(row, "bound", c->bound);
            report_number(row, "expected", c->expected);
            report_number(row, "cost", c->cost);
            report_bool(row, "ok", c->l2 <= c->bound);
        }
}

/* ---- The whole ----------------------------------------------------------- */

static int add_lines(const table *t, plot_line *lines, int count)
{
    for (int mode = 0; mode < MODES; mode++) {
        if (!has_mode(t, mode))
            continue;
        plot_line *line = &lines[count++];
        snprintf(line->name, sizeof line->name, "%s %s",
                 t->type == WEFT_F64 ? "f64" : "f32", mode_names[mode]);
        line->count = 0;
        for (int i = 0; i < t->lengths; i++)
            if (t->cells[mode][i].present) {
                line->n[line->count] = (double)t->n[i];
                line->value[line->count++] = t->cells[mode][i].l2;
            }
    }
    return count;
}

static int missed_in(const table *t)
{
    int missed = 0;
    for (int mode = 0; mode < MODES; mode++)
        for (int i = 0; i < t->lengths; i++) {
            const cell *c = &t->cells[mode][i];
            missed += c->present && !(c->l2 <= c->bound);
        }
    return missed;
}

int modes_run(const modes_request *want, report *root)
{
    static plot_line lines[2 * MODES];
    report *rows = report_array(root, "modes");
    int count = 0, missed = 0, code = CODE_OK;
    for (int type = 0; type < 2 && !code; type++) {
        if (want->type != 2 && want->type != type)
            continue;
        table t = {.kind = want->kind,
                   .type = type == 0 ? WEFT_F32 : WEFT_F64};
        for (int64_t e = 4; e <= want->top && !code; e += 2) {
            t.n[t.lengths] = INT64_C(1) << e;
            code = fill_length(&t, t.lengths++, want->seed);
        }
        progress_end();
        if (code)
            return code;
        missed += missed_in(&t);
        count = add_lines(&t, lines, count);
        if (root)
            report_table(&t, rows);
        else
            print_table(&t);
    }
    if (missed && !root)
        printf("%d ABOVE THE BOUND\n", missed);
    report_integer(root, "missed", missed);
    if (!code && want->plot)
        code = plot_write(want->plot, "Relative L2 error of the modes", lines,
                          count);
    return code ? code : missed ? CODE_CHECK : CODE_OK;
}
