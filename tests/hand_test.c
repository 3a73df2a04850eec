/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hand_test.c - the hand-written kernels of every ISA this CPU has against
 * obvious loops.
 *
 * Every test works on whole buffers: what a kernel must not touch (gaps
 * between rows, lanes beyond the last, guards at both ends) is compared too,
 * and pointers are offset by one T, so nothing is aligned by chance.
 */
#include "kernel/hand/hand.h"

#include "base/base.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;
static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static const char *const isa_names[] = {"scalar", "sse2", "avx2", "avx512",
                                        "neon"};
static const char *isa_name;

#define T double
#define F(name) name##_f64
#define EPSILON 0x1p-52
#include "hand_test_tmpl.h"
#undef T
#undef F
#undef EPSILON

#define T float
#define F(name) name##_f32
#define EPSILON 0x1p-23
#include "hand_test_tmpl.h"

int main(void)
{
    int widest = wf_cpu_isa();
    for (int isa = WF_ISA_SCALAR; isa < WF_ISA_COUNT; isa++) {
        bool runs = isa == WF_ISA_SCALAR || isa == widest ||
                    (isa < widest && widest != WF_ISA_NEON);
        if (!runs)
            continue;
        isa_name = isa_names[isa];
        test_f64(wf_hand_f64_for((wf_isa)isa));
        test_f32(wf_hand_f32_for((wf_isa)isa));
        printf("%s: %d and %d lanes\n", isa_name,
               wf_hand_f64_for((wf_isa)isa)->lanes,
               wf_hand_f32_for((wf_isa)isa)->lanes);
    }
    return check_report("hand");
}
