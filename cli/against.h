/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft bench --against CHANGE: what words make of a problem, so that it can
 * be timed beside itself done in another way.  Words stand between commas:
 *
 *     r2c, redft10, f32          another kind or type
 *     inplace, threads=2, ...    an option of the notation, in place of the
 *                                problem's own
 *     outofplace, interleaved, natural, forward
 *                                without inplace, split, scrambled, inverse
 *     model, measure             planned that way, by whatever rule is best
 *     offset=BYTES               arrays that begin there, in place of --offset's
 */
#ifndef WEFT_CLI_AGAINST_H
#define WEFT_CLI_AGAINST_H

#include "problems.h"

/* A problem and how it is to be planned. */
typedef struct entrant {
    char *text; /* in the notation */
    weft_problem problem;
    problem_rule rule;
    weft_plan_options plan; /* but for the text's rule: entrant_plan */
    int64_t offset;         /* of its arrays: field_open_at */
} entrant;

/* The problem that a command line names, and what CHANGE makes of it; CHANGE
 * must make another one.  Each 0, CODE_USAGE or CODE_LIBRARY, told; free what
 * is in them in every case. */
int entrant_read(entrant *self, const char *text,
                 const weft_plan_options *plan, int64_t offset);
/* What --offset and offset= take. */
int offset_read(const char *value, int64_t *offset);
int entrant_change(entrant *self, const entrant *from, const char *change);
void entrant_free(entrant *self);
/* For weft_plan_create; points into self. */
weft_plan_options entrant_plan(const entrant *self);

#endif
