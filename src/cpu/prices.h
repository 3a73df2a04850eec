/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prices.h - what kernels take, by what is known of one kind of processor.
 *
 * The model's rates and prices are data, so that a program can read a problem's plan by
 * others: bench/fit_prices.c, which finds them.
 */
#ifndef WEFT_CPU_PRICES_H
#define WEFT_CPU_PRICES_H

#include "kernel/kernel.h"
#include "plan/engine.h"

/* Of the reference machine, GHz. */
#define WF_REFERENCE_GHZ 2.6
/* wf_issue's `trips` where nothing else is known. */
#define WF_REFERENCE_TRIPS 15

/* Cycles of one instruction in its queue, of a shuffle that transposes beside
 * fused sums, too, and what one that multiplies takes more, for each that has no
 * plain sum beside it; what shows of the shorter queue; cycles around a butterfly,
 * and how many of them first passes hide; for each value alive beyond the
 * registers, and beyond `many`. */
typedef struct wf_queues {
    double sum, product, shuffle, transpose, load, store, constant, overlap;
    double around, hidden, spill, spill_more;
    int registers, many;
} wf_queues;

/* Cycles of an instruction of a leaf, of a kernel of WF_ROLE_ALONE, and of one that
 * is an interleaved pass or one of two that are a leaf: of 512 bits, of less; of
 * the last kind around a block, and for each value alive beyond the registers.  How
 * often a leaf of two kernels moves its data beyond the first cache. */
typedef struct wf_issue {
    double leaf[2], around, alone[2], pass[2], block, spill[2], trips;
} wf_issue;

/* What is known of one kind of processor: fitted to the minima of thousands of
 * trees.  A pass spends its time in the two longest of its queues. */
typedef struct wf_core_prices {
    wf_machine machine;
    double ghz;
    wf_queues zmm, ymm;
    /* Of half spectra; no registers: as others. */
    wf_queues half_zmm, half_ymm;
    double narrow[WF_ISA_AVX2]; /* of ymm's price, what lesser ISAs take */
    wf_issue issue;
} wf_core_prices;

/* Of the processor that this is, or is taken for (WEFT_CORE); NULL: the reference
 * machine's are all there is. */
const wf_core_prices *wf_core_prices_here(void);

/* Those rates that do not depend on the kernel. */
const wf_machine *wf_machine_of(const wf_core_prices *core);

/* As wf_engine's, by these prices; NULL: by the reference machine's. */
double wf_price_by(const wf_core_prices *core, wf_role role, weft_type type,
                   int width, int radix);
/* As wf_engine's. */
double wf_kernel_flops(wf_role role, weft_type type, int width, int radix);

#endif
