/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signs.h - the tables of all leaves of a type; see signs.c.
 */
#ifndef GEN_SIGNS_H
#define GEN_SIGNS_H

#include "emit.h"

/* Where the table has these, in scalars. */
int signs_place(wf_real real, const long double *k, int width);
/* Before the leaves of a file.  When all have been written: what that includes, and
 * the file of the table, which is empty then. */
void signs_declare(FILE *f, wf_real real);
void signs_print_header(FILE *f, wf_real real);
void signs_print(FILE *f, wf_real real);

#endif
