/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.h - what the generator knows of a kernel beside its row in
 * kernel.h, which the kernels themselves are compiled with.
 */
#ifndef WEFT_KERNEL_REGISTRY_H
#define WEFT_KERNEL_REGISTRY_H

#include "kernel/kernel.h"

/* Values alive at once, as scheduled; of a row of the list. */
int wf_kernel_live(const wf_kernel *kernel);

#endif
