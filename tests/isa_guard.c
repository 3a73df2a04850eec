/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isa_guard.c - linked into every C test: when WEFT_TEST_ISA asks for an
 * instruction set that this CPU lacks, the test ends before main with a line
 * and the exit status 77, which CTest reports as skipped.  In all tests threads
 * share what is as short as can be.
 */
#include "base/base.h"
#include "cpu/cpu.h"
#include "kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[WF_ISA_COUNT] = {
    [WF_ISA_SCALAR] = "scalar", [WF_ISA_SSE2] = "sse2", [WF_ISA_AVX2] = "avx2",
    [WF_ISA_AVX512] = "avx512", [WF_ISA_NEON] = "neon",
};

double guard_shared_from;

__attribute__((constructor)) static void guard(void)
{
    const char *wanted = getenv("WEFT_TEST_ISA");
    int offered = wf_cpu_isa();
    guard_shared_from = wf_cpu_shared_from;
    wf_cpu_shared_from = 0;
    if (!wanted || !strcmp(wanted, names[offered]))
        return;
    printf("skipped: this CPU offers %s, not %s\n", names[offered], wanted);
    fflush(stdout);
    _Exit(77);
}
