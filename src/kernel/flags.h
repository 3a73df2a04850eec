/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flags.h - how kernels are compiled, for whoever compiles more of them.
 */
#ifndef WEFT_KERNEL_FLAGS_H
#define WEFT_KERNEL_FLAGS_H

#include "kernel/isa.h"

/* "-O2 -ffp-contract=off -mavx2 ...", the same that this build used. */
const char *wf_isa_flags(wf_isa isa);

#endif
