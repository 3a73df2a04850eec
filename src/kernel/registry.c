/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.c - the list of all kernels compiled in, and finding one.
 *
 * The tables are made by the compiler from kernels.inc, the list the generator
 * wrote, and groups.inc, where the kinds begin in it: nothing is registered at
 * run time, so there is no state and nothing to lock.
 */
#include "kernel/kernel.h"

#include <stdint.h>
#include <stdio.h>

/* Every kernel's function. */
#define DECLARE_pass_f64(name) extern wf_pass_f64 wf_##name;
#define DECLARE_pass_f32(name) extern wf_pass_f32 wf_##name;
#define DECLARE_leaf(name) extern wf_leaf wf_##name;
#define WF_ROW(kind, real, isa, radix, lanes, adds, muls, fmas, loads,      \
               stores, shuffles, constants, live, rows, scaled, type, name) \
    DECLARE_##type(name)
#include "kernels.inc"
#undef WF_ROW

/* Every row's index. */
enum {
#define WF_ROW(kind, real, isa, radix, lanes, adds, muls, fmas, loads,      \
               stores, shuffles, constants, live, rows, scaled, type, name) \
    INDEX_##name,
#include "kernels.inc"
#undef WF_ROW
    ROW_COUNT
};

static const wf_kernel rows[] = {
#define WF_ROW(k, r, i, n, lanes_, adds_, muls_, fmas_, loads_, stores_,  \
               shuffles_, constants_, live_, rows_, scaled_, type, name_) \
    {.kind = WF_KERNEL_##k,                                               \
     .real = WF_##r,                                                      \
     .isa = WF_ISA_##i,                                                   \
     .lanes = lanes_,                                                     \
     .radix = n,                                                          \
     .adds = adds_,                                                       \
     .muls = muls_,                                                       \
     .fmas = fmas_,                                                       \
     .loads = loads_,                                                     \
     .stores = stores_,                                                   \
     .shuffles = shuffles_,                                               \
     .constants = constants_,                                             \
     .live = live_,                                                       \
     .rows = rows_,                                                       \
     .scaled = scaled_,                                                   \
     .run = {.type = wf_##name_}},
#include "kernels.inc"
#undef WF_ROW
};

/* The rows of one kind, type and set are one after another, by radix. */
static const struct {
    uint16_t first, count;
} runs[WF_KERNEL_KIND_COUNT][WF_REAL_COUNT][WF_ISA_COUNT] = {
#define WF_RUN(kind, real, isa, count, name) \
    [WF_KERNEL_##kind][WF_##real][WF_ISA_##isa] = {INDEX_##name, count},
#include "groups.inc"
#undef WF_RUN
};

/* Their radices alone: a search stays within a line or two. */
static const uint16_t radices[ROW_COUNT] = {
#define WF_ROW(kind, real, isa, radix, lanes, adds, muls, fmas, loads,      \
               stores, shuffles, constants, live, rows, scaled, type, name) \
    radix,
#include "kernels.inc"
#undef WF_ROW
};

size_t wf_kernel_count(void)
{
    return ROW_COUNT;
}

const wf_kernel *wf_kernel_at(size_t index)
{
    return index < ROW_COUNT ? &rows[index] : NULL;
}

wf_kernel_name wf_kernel_name_of(const wf_kernel *kernel)
{
    static const char *const kinds[] = {
#define WF_KIND(id, name, role) name,
#include "kernel/kinds.def"
#undef WF_KIND
    };
    wf_kernel_name name;
    snprintf(name.text, sizeof name.text, "%s_%d_%s_%s", kinds[kernel->kind],
             kernel->radix, kernel->real == WF_F64 ? "f64" : "f32",
             wf_isa_name((wf_isa)kernel->isa));
    return name;
}

const wf_kernel *wf_kernel_find(wf_kernel_kind kind, wf_real real, wf_isa isa,
                                int radix)
{
    if ((unsigned)kind >= WF_KERNEL_KIND_COUNT ||
        (unsigned)real >= WF_REAL_COUNT || (unsigned)isa >= WF_ISA_COUNT)
        return NULL;
    unsigned at = runs[kind][real][isa].first;
    unsigned left = runs[kind][real][isa].count;
    while (left > 1) {
        const unsigned half = left / 2;
        at += radices[at + half] <= radix ? half : 0;
        left -= half;
    }
    return left && radices[at] == radix ? &rows[at] : NULL;
}
