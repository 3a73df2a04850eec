/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON reports, a thin layer over jansson so that no other file needs to
 * know whether it was built in.  Every function takes NULL for "no report
 * wanted" and does nothing: commands fill their report without asking.
 */
#ifndef WEFT_CLI_REPORT_H
#define WEFT_CLI_REPORT_H

#include "cli.h"

typedef struct json_t report;

/* Version of jansson, or NULL when left out. */
const char *report_library(void);
/* For --json: *root a fresh object with the keys every report begins with
 * (program, version, command, isa), or CODE_ABSENT, told. */
int report_begin(report **root);
/* Prints and frees; 0 or CODE_OUTPUT. */
int report_end(report *root);
/* The exit code of a command whose run ended with `code` (< 0: only its help
 * was wanted).  A failed check is a result: its report is printed too. */
int report_exit(report *root, int code);

/* Children belong to their parent. */
report *report_object(report *parent, const char *key);
report *report_array(report *parent, const char *key);
report *report_append(report *array); /* a new object at its end */
void report_append_number(report *array, double value);

void report_text(report *object, const char *key, const char *value);
void report_number(report *object, const char *key, double value);
void report_integer(report *object, const char *key, int64_t value);
void report_bool(report *object, const char *key, bool value);

#endif
