/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * price.c - what a kernel takes, from what the generator knows of it.
 *
 * On the reference machine a kernel's price is the slowest of its three queues:
 * arithmetic (two a cycle), loads (two) and stores (one); 512-bit shuffles share a
 * port with arithmetic on the machines that set the pace (docs/performance.md),
 * those of leaves in narrower registers have one of their own.  Wide leaves and
 * passes cost the same there within a few per cent; other machines, whose shuffles
 * steal nothing, tip the scale (Zen 4, c2c:f32:1024: 510 ns as a leaf, 720 in
 * passes).  Zen 4, which makes 512 bits of two halves, Zen 5 and Intel's servers have
 * prices of their own (prices.c).
 */
#include <math.h>

#include "cpu/node.h"
#include "cpu/prices.h"
#include "plan/search.h"

/* A whole transform in registers of any width. */
static bool is_leaf(wf_role role)
{
    return role == WF_ROLE_LEAF || role == WF_ROLE_LEAF_SPLIT ||
           role == WF_ROLE_REAL || role == WF_ROLE_ALONE;
}

static bool is_interleaved(wf_role role)
{
    return role == WF_ROLE_INTERLEAVED_FIRST || role == WF_ROLE_INTERLEAVED ||
           role == WF_ROLE_WHOLE_COLUMN || role == WF_ROLE_LONE_COLUMN;
}

/* A leaf that is two kernels, and what they do together. */
typedef struct two {
    wf_pair pair;
    wf_kernel both;
} two;

/* `both` of *room where it is two. */
static const wf_kernel *kernel_of(wf_role role, weft_type type, int width,
                                  int radix, two *room)
{
    wf_real real = type == WEFT_F64 ? WF_F64 : WF_F32;
    static const wf_kernel_kind kind[WF_ROLE_COUNT] = {
        WF_KERNEL_LEAF_FWD, WF_KERNEL_LEAF_SPLIT_SCALED, WF_KERNEL_FIRST_I,
        WF_KERNEL_MID, WF_KERNEL_LAST_SCALED, WF_KERNEL_COLMID,
        WF_KERNEL_COL_ANY, WF_KERNEL_COL_APART, WF_KERNEL_WITHIN_FIRST,
        WF_KERNEL_WITHIN_LAST, WF_KERNEL_REAL_FWD, WF_KERNEL_REAL_COL_FWD,
        WF_KERNEL_REAL_COL_INV, WF_KERNEL_HALF_FIRST, WF_KERNEL_HALF_MID,
        /* types III and IV cost what II does: */
        WF_KERNEL_COSINE2, WF_KERNEL_ROWS2, WF_KERNEL_ALONE2};
    if (!is_leaf(role))
        return wf_kernel_of_width(kind[role], real, width, radix);
    const wf_kernel *leaf = wf_kernel_of_leaf(kind[role], type, radix, false);
    if (role != WF_ROLE_LEAF ||
        !wf_leaf_is_pair(leaf, type, radix, &room->pair))
        return leaf;
    room->both = wf_pair_count(&room->pair);
    return &room->both;
}

/* A block of a kernel that has both parts of a number in one vector. */
static double cycles_of_block(const wf_core_prices *core, const wf_kernel *k)
{
    const bool narrow = k->isa != WF_ISA_AVX512;
    const wf_issue *i = &core->issue;
    const int spilled = k->live -
                        (narrow ? core->ymm.registers : core->zmm.registers);
    return i->pass[narrow] * (k->adds + k->muls + k->fmas + k->shuffles) +
           i->block + (spilled > 0 ? i->spill[narrow] * spilled : 0);
}

static bool is_half(wf_role role)
{
    return role == WF_ROLE_HALF_FIRST || role == WF_ROLE_HALF;
}

static const wf_queues *queues_of(const wf_core_prices *core, wf_role role,
                                  wf_isa isa)
{
    const bool wide = isa == WF_ISA_AVX512;
    const wf_queues *half = wide ? &core->half_zmm : &core->half_ymm;
    if (is_half(role) && half->registers > 0)
        return half;
    return wide ? &core->zmm : &core->ymm;
}

static double price_of_core(const wf_core_prices *core, wf_role role,
                            const wf_kernel *k)
{
    double sums = k->adds + k->muls + k->fmas;
    if (is_leaf(role)) {
        const int narrow = wf_leaf_bits(k) < 512;
        const wf_issue *i = &core->issue;
        if (role == WF_ROLE_ALONE) /* a longer chain, called with less */
            return i->alone[narrow] * (sums + k->shuffles) / core->ghz;
        return (i->leaf[narrow] * (sums + k->shuffles) + i->around) /
               core->ghz;
    }
    const wf_queues *q = queues_of(core, role, k->isa);
    if (is_interleaved(role)) {
        /* More legs than registers wait in memory; a first pass of 7 stores one
         * block over the other. */
        const bool more = k->radix > WF_LARGEST_RADIX ||
                          (role == WF_ROLE_INTERLEAVED_FIRST && k->radix < 8);
        return (cycles_of_block(core, k) + (more ? 0.5 * k->radix : 0)) /
               core->ghz;
    }
    double constants = k->fmas > k->muls ? k->fmas - k->muls : 0;
    bool first = role == WF_ROLE_FIRST || role == WF_ROLE_HALF_FIRST;
    double a = q->sum * sums +
               q->product * fmax(0, k->muls + k->fmas - k->adds) +
               (first ? q->transpose : q->shuffle) * k->shuffles;
    double b = q->load * k->loads + q->store * k->stores +
               q->constant * constants;
    double cycles = (a > b ? a + q->overlap * b : b + q->overlap * a) +
                    q->around - (first ? q->hidden : 0);
    if (k->live > q->registers)
        cycles += q->spill * (k->live - q->registers);
    if (k->live > q->many)
        cycles += q->spill_more * (k->live - q->many);
    if (k->isa < WF_ISA_AVX2)
        cycles *= core->narrow[k->isa];
    return cycles / core->ghz;
}

/* What a leaf of two kernels takes beside its operations: two calls, and where
 * registers have 512 bits traffic, once input, output and scratch do not fit into
 * the first cache; narrower ones leave the time for that. */
static double cost_of_two(const wf_machine *machine, const wf_kernel *k,
                          double trips)
{
    const double data = k->radix * (k->real == WF_F64 ? 16.0 : 8.0);
    const double traffic = wf_cost_bytes(machine, trips * data, 4 * data);
    return 2 * machine->kernel_call + (wf_leaf_bits(k) < 512 ? 0 : traffic);
}

static double price_of_two(const wf_core_prices *core, const two *t)
{
    int columns, rows;
    wf_pair_blocks(&t->pair, &columns, &rows);
    return (columns * cycles_of_block(core, t->pair.first) +
            rows * cycles_of_block(core, t->pair.last) + core->issue.around) /
               core->ghz +
           cost_of_two(&core->machine, &t->both, core->issue.trips);
}

double wf_price_by(const wf_core_prices *core, wf_role role, weft_type type,
                   int width, int radix)
{
    if (role == WF_ROLE_LAST && core == NULL)
        role = WF_ROLE_PASS; /* what the other rates were found with */
    two room;
    const wf_kernel *k = kernel_of(role, type, width, radix, &room);
    if (k == NULL)
        return -1;
    const bool pair = k == &room.both;
    if (core != NULL)
        return pair ? price_of_two(core, &room) : price_of_core(core, role, k);
    const double around = pair ? cost_of_two(wf_machine_of(NULL), k,
                                             WF_REFERENCE_TRIPS)
                               : 0;
    double sums = 0.5 * (k->adds + k->muls + k->fmas);
    double arithmetic = sums + k->shuffles;
    bool leaf = is_leaf(role), within = leaf || is_interleaved(role);
    const bool narrow = leaf ? wf_leaf_bits(k) < 512 : k->isa != WF_ISA_AVX512;
    if (within && narrow)
        arithmetic = sums > k->shuffles ? sums : k->shuffles;
    else if (within)
        arithmetic = sums + 0.8 * k->shuffles;
    double memory = 0.5 * k->loads + 1.0 * k->stores;
    double cycles = arithmetic > memory ? arithmetic : memory;
    /* Beyond the registers values go through memory: radix 16 nearly free, as
     * memory operands (mid_16 on AVX2 has 16 registers), radix 32 dear. */
    bool reals = role == WF_ROLE_HALF_FIRST || role >= WF_ROLE_COSINE;
    int live = (reals || within ? 1 : 2) * radix + 4,
        registers = k->isa == WF_ISA_AVX512 ? 36 : 24;
    if (!leaf && live > registers)
        cycles += 0.4 * (live - registers);
    if (!leaf && live > 36)
        cycles += 1.4 * (live - 36);
    return (cycles + 2) / WF_REFERENCE_GHZ + around;
}

double wf_kernel_flops(wf_role role, weft_type type, int width, int radix)
{
    two room;
    const wf_kernel *k = kernel_of(role, type, width, radix, &room);
    if (k == NULL)
        return 0;
    const int lanes = is_leaf(role)
                          ? wf_leaf_bits(k) / (k->real == WF_F64 ? 64 : 32)
                          : k->lanes;
    return (k->adds + k->muls + 2.0 * k->fmas) * lanes;
}
