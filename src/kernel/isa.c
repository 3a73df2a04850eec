/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isa.c - names and widths of the instruction sets.
 */
#include "kernel/isa.h"

const char *wf_isa_name(wf_isa isa)
{
    static const char *const names[] = {"scalar", "sse2", "avx2", "avx512",
                                        "neon"};
    return (unsigned)isa < WF_ISA_COUNT ? names[isa] : "unknown";
}

int wf_isa_lanes(wf_isa isa, wf_real real)
{
    static const int bits[] = {0, 128, 256, 512, 128};
    if ((unsigned)isa >= WF_ISA_COUNT || !bits[isa])
        return 1;
    return bits[isa] / (real == WF_F64 ? 64 : 32);
}
