/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.c - the list of all kernels compiled in, and finding one.
 *
 * Both tables are made by the compiler from kernels.inc, the list the
 * generator wrote: nothing is registered at run time, so there is no state
 * and nothing to lock.
 */
#include "kernel/kernel.h"

#include <stdbool.h>
#include <stdint.h>

/* Every kernel's function. */
#define DECLARE_pass_f64(name) extern wf_pass_f64 wf_##name;
#define DECLARE_pass_f32(name) extern wf_pass_f32 wf_##name;
#define DECLARE_leaf_f64(name) extern wf_leaf_f64 wf_##name;
#define DECLARE_leaf_f32(name) extern wf_leaf_f32 wf_##name;
#define WF_ROW(kind, real, isa, radix, lanes, adds, muls, fmas, loads, \
               stores, shuffles, constants, live, type, name)          \
    DECLARE_##type(name)
#include "kernels.inc"
#undef WF_ROW

/* Every row's index. */
enum {
#define WF_ROW(kind, real, isa, radix, lanes, adds, muls, fmas, loads, \
               stores, shuffles, constants, live, type, name)          \
    INDEX_##name,
#include "kernels.inc"
#undef WF_ROW
    ROW_COUNT
};

static const wf_kernel rows[] = {
#define WF_ROW(k, r, i, n, lanes_, adds_, muls_, fmas_, loads_, stores_, \
               shuffles_, constants_, live_, type, name_)                \
    {WF_KERNEL_##k, WF_##r,     WF_ISA_##i, n,      lanes_,              \
     adds_,         muls_,      fmas_,      loads_, stores_,             \
     shuffles_,     constants_, live_,      #name_, {.type = wf_##name_}},
#include "kernels.inc"
#undef WF_ROW
};

enum { MAX_RADIX = 128, MAX_LEAF = 1024 };

/* Row index + 1, or 0 where there is no row: of passes, of leaves. */
#define PASS(kind, real, isa, radix, name) \
    [WF_KERNEL_##kind][WF_##real][WF_ISA_##isa][radix] = INDEX_##name + 1,
#define LEAF(kind, real, isa, radix, name)                                    \
    [WF_KERNEL_##kind - WF_KERNEL_LEAF_FWD][WF_##real][WF_ISA_##isa][radix] = \
        INDEX_##name + 1,
#define NOT_HERE(kind, real, isa, radix, name)
#define WF_ROW(kind, real, isa, radix, lanes, adds, muls, fmas, loads, \
               stores, shuffles, constants, live, type, name)          \
    PLACE_##type(kind, real, isa, radix, name)

#define PLACE_pass_f64 PASS
#define PLACE_pass_f32 PASS
#define PLACE_leaf_f64 NOT_HERE
#define PLACE_leaf_f32 NOT_HERE
static const uint16_t passes[WF_KERNEL_KIND_COUNT][WF_REAL_COUNT][WF_ISA_COUNT]
                            [MAX_RADIX + 1] = {
#include "kernels.inc"
};
#undef PLACE_pass_f64
#undef PLACE_pass_f32
#undef PLACE_leaf_f64
#undef PLACE_leaf_f32

#define PLACE_pass_f64 NOT_HERE
#define PLACE_pass_f32 NOT_HERE
#define PLACE_leaf_f64 LEAF
#define PLACE_leaf_f32 LEAF
enum { LEAF_KINDS = WF_KERNEL_KIND_COUNT - WF_KERNEL_LEAF_FWD };
static const uint16_t leaves[LEAF_KINDS][WF_REAL_COUNT][WF_ISA_COUNT]
                            [MAX_LEAF + 1] = {
#include "kernels.inc"
};
#undef WF_ROW

size_t wf_kernel_count(void)
{
    return ROW_COUNT;
}

const wf_kernel *wf_kernel_at(size_t index)
{
    return index < ROW_COUNT ? &rows[index] : NULL;
}

const wf_kernel *wf_kernel_find(wf_kernel_kind kind, wf_real real, wf_isa isa,
                                int radix)
{
    const bool leaf = kind >= WF_KERNEL_LEAF_FWD; /* they end the list */
    if ((unsigned)kind >= WF_KERNEL_KIND_COUNT ||
        (unsigned)real >= WF_REAL_COUNT || (unsigned)isa >= WF_ISA_COUNT ||
        radix < 1 || radix > (leaf ? MAX_LEAF : MAX_RADIX))
        return NULL;
    const int place = leaf
                          ? leaves[kind - WF_KERNEL_LEAF_FWD][real][isa][radix]
                          : passes[kind][real][isa][radix];
    return place ? &rows[place - 1] : NULL;
}
