/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - programs as C text in the vocabulary of kernel/vec/.
 */
#ifndef GEN_EMIT_H
#define GEN_EMIT_H

#include "program.h"

#include <stdio.h>

/* "mid_8_f64_avx2" */
void emit_name(char *out, size_t room, const row *r);
/* The head of a C file for the kernels of one (isa, real). */
void emit_head(FILE *f, wf_isa isa, wf_real real, int leaves);
/* One kernel. */
void emit_kernel(FILE *f, const row *r, const program *p, const schedule *s);
/* Its WF_ROW line in kernels.inc. */
void emit_row(FILE *f, const row *r, const program *p, const schedule *s);

#endif
