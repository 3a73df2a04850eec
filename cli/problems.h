/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The problems named on a command line: operands in weft's notation (and
 * rule=NAME, where a command takes that), and sweeps such as
 * c2c:f64:2^2..2^22, which stand for one problem each power (or, as 5..9, each
 * whole number).
 */
#ifndef WEFT_CLI_PROBLEMS_H
#define WEFT_CLI_PROBLEMS_H

#include <weft/weft.h>

#include "args.h"
#include "cli.h"

typedef struct problem_list {
    char **texts;
    size_t count, capacity;
} problem_list;

/* Each 0, CODE_USAGE or CODE_LIBRARY, told. */
int problems_add(problem_list *list, const char *text);
int problems_add_sweep(problem_list *list, const char *text);
/* The operands argv[0 .. count). */
int problems_add_operands(problem_list *list, int count, char **argv);
/* A whole command line of options and problems: args_parse, whose results it
 * has, then the operands. */
int problems_parse(const command *self, int argc, char **argv, args_set *set,
                   void *want, problem_list *list);
void problems_free(problem_list *list);

/* Parses one; the problem's strides are expanded (never all zero unless the
 * problem needs none). */
int problem_read(const char *text, weft_problem *problem);
/* The same of a text that may have the option rule=NAME, of a plan whose root
 * that rule makes; "": it has none. */
typedef struct problem_rule {
    char name[40];
} problem_rule;
int problem_read_ruled(const char *text, weft_problem *problem,
                       problem_rule *rule);
/* For weft_plan_options.rule. */
static inline const char *problem_rule_name(const problem_rule *rule)
{
    return rule->name[0] ? rule->name : NULL;
}
/* The kind of one dimension; the period of what it continues its n samples to;
 * is it a problem of the real kinds R2HC to RODFT11? */
weft_kind problem_kind(const weft_problem *problem, int dimension);
int64_t problem_period(const weft_problem *problem, int dimension);
bool problem_is_r2r(const weft_problem *problem);
/* 1, 1/N, 1/sqrt(N) or the number: as a sum, hi + lo.  (The end elements that
 * an orthogonal real kind scales apart are exact.c's.) */
void problem_scale(const weft_problem *problem, double *hi, double *lo);
/* Elements of one transform and of the batch. */
int64_t problem_size(const weft_problem *problem);
int64_t problem_batch(const weft_problem *problem);
/* 2^-53 or 2^-24. */
double problem_unit(const weft_problem *problem);
/* The bar of weft's `fast` mode: 0.6 u sqrt(log2 N) + u when every factor
 * of N is at most 13, else 5 u (or the first, where N is so large that it
 * is the greater). */
double problem_bar(const weft_problem *problem);
/* The bar where there is another mode or a target: what the plan bounds. */
double problem_bar_of(const weft_problem *problem, const weft_plan *plan);
/* 5 N lg N a transform, all of the batch: FLOP by convention. */
double problem_flops(const weft_problem *problem);

#endif
