/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - programs as C text in the vocabulary of kernel/vec/.
 */
#ifndef GEN_EMIT_H
#define GEN_EMIT_H

#include "program.h"

#include <stdio.h>

/* A kernel ready to be written: one program, or for an interleaved leaf the
 * one for batches and, unless it serves both, the one for single transforms. */
typedef struct made {
    row r;
    int count;
    struct {
        program *p;
        schedule s;
    } parts[2];
} made;

/* What one butterfly, or a leaf alone, takes. */
typedef struct tally {
    int adds, muls, fmas, loads, stores, shuffles, constants;
} tally;

/* Does this row call another one for its arithmetic? */
int borrows(const row *r);
/* The same, and which. */
int lender_of(const row *r, row *lender);
/* "f64"; "mid_8_f64_avx2" */
const char *real_name(wf_real real);
void emit_name(char *out, size_t room, const row *r);
/* The head of a C file for the kernels of one (isa, real). */
void emit_head(FILE *f, wf_isa isa, wf_real real, int leaves);
/* What follows that if some rows, all of one (isa, real), are in loops; alone: of a file
 * that is not among the library's. */
void emit_prime_head(FILE *f, const row *rows, int count, int alone);
/* One kernel. */
void emit_kernel(FILE *f, const made *m);
tally count_operations(const made *m);
/* Its WF_ROW line in kernels.inc. */
void emit_row(FILE *f, const made *m);
/* The WF_RUN line in groups.inc of this many rows, of which this is the first:
 * one set, type and kind, radices ascending. */
void emit_run(FILE *f, const row *first, int count);

#endif
