/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constants.h - the tables of all leaves of a type; see constants.c.
 */
#ifndef GEN_CONSTANTS_H
#define GEN_CONSTANTS_H

#include "emit.h"

/* Where the table of those that turn with the sign, or of the others, has these, in
 * scalars. */
int turning_place(wf_real real, const long double *k, int width);
int fixed_place(wf_real real, const long double *k, int width);
/* Before the leaves of a file.  When all have been written: what that includes, and
 * the file of the tables, which are empty then. */
void constants_declare(FILE *f, wf_real real);
void constants_print_header(FILE *f, wf_real real);
void constants_print(FILE *f, wf_real real);

#endif
