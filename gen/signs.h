/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signs.h - the table of a file of leaves; see signs.c.
 */
#ifndef GEN_SIGNS_H
#define GEN_SIGNS_H

#include "emit.h"

/* Where the table has these, in scalars; all of a file are of one type. */
int signs_place(wf_real real, const long double *k, int width);
/* Before the leaves of a file, and behind them. */
void signs_declare(FILE *f);
void signs_print(FILE *f, wf_real real);

#endif
