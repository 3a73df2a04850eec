/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel.h - the kernels there are: kinds, rows and finding one.  How one is
 * called is in pass.h.
 */
#ifndef WEFT_KERNEL_KERNEL_H
#define WEFT_KERNEL_KERNEL_H

#include "kernel/isa.h"
#include "kernel/pass.h"

#include <stdint.h>

/* The kinds, one row each in kinds.def. */
typedef enum wf_kernel_kind {
#define WF_KIND(id, name, role) WF_KERNEL_##id,
#include "kernel/kinds.def"
#undef WF_KIND
    WF_KERNEL_KIND_COUNT
} wf_kernel_kind;

/* What the generator knows about a kernel, and the kernel itself.  There are
 * thousands: numbers are narrow, and names are made when they are asked for. */
typedef struct wf_kernel {
    uint8_t kind, real, isa;         /* of the enumerations */
    uint8_t lanes;                   /* VL */
    int16_t radix;                   /* R of a pass, n of a leaf */
    int16_t adds, muls, fmas;        /* real operations of one butterfly (or
                                 transform), a vector operation counted once */
    int16_t loads, stores, shuffles; /* vector instructions of the same */
    int16_t constants; /* distinct constants kept in registers or memory */
    int16_t live;      /* values alive at once, as scheduled */
    int8_t rows;       /* R1 of a long leaf (pass.h), 0 of what is not */
    int8_t scaled;     /* can a leaf multiply by *tw? */
    union {
        wf_pass_f64 *pass_f64;
        wf_pass_f32 *pass_f32;
        wf_leaf *leaf;
    } run;
} wf_kernel;

/* All kernels compiled in, for tests, benches and `weft info`.  The list is
 * constant; kernels of ISAs this CPU lacks are listed too (do not run them). */
size_t wf_kernel_count(void);
const wf_kernel *wf_kernel_at(size_t index);

/* Its row, its test and its bench: "mid_8_f64_avx2". */
typedef struct wf_kernel_name {
    char text[40];
} wf_kernel_name;
wf_kernel_name wf_kernel_name_of(const wf_kernel *kernel);

/* The kernel of exactly this row, or NULL when there is none. */
const wf_kernel *wf_kernel_find(wf_kernel_kind kind, wf_real real, wf_isa isa,
                                int radix);

/* Q of the ALONE kinds (kinds.def), which generator and tables must agree on.
 * The larger Q, the shorter the transforms across registers, and the longer
 * those at the ends of them: n = 32 has 12 operations a register with 8, 13 with
 * 4; 512 as many with 16 and with 32, whose loops are less code.  Q is a multiple of
 * 4, m of at least 4. */
static inline int wf_alone_columns(int n)
{
    return n % 8 || n < 32 ? 4 : n % 16 || n < 256 ? 8 : n < 1024 ? 16 : 32;
}

/* How factors c + i d of rows within registers lie in vectors; of long leaves only
 * (pass.h) otherwise than twice. */
typedef enum wf_turns_form {
    WF_TURNS_TWICE, /* c c, then -d d */
    WF_TURNS_TURNED, /* c d, then -d c, for samples each part of which comes twice */
    WF_TURNS_ONCE /* c d */
} wf_turns_form;

/* Loads that double the even reals of a vector, or the odd ones, shuffle nothing.  (Odd
 * doubles are the even ones from 8 bytes on, to behind the vector.) */
static inline int wf_loads_doubled(wf_isa isa)
{
    return isa == WF_ISA_AVX2 || isa == WF_ISA_AVX512;
}

/* Where factors would be 20 KB and more, the first cache holds all in half the room.
 * With AVX-512 a shuffle takes the place of a fused operation.  Emerald Rapids, twice
 * over turned, in long leaves whose rows begin lines: f32 320 1.10, 512 1.08, 1024
 * 1.06; AVX2 0.97 to 1.03; in passes, whose rows mostly do not, 0.94 to 1.02. */
static inline wf_turns_form wf_turns_of_leaf(wf_isa isa, wf_real real, int n)
{
    return n * (real == WF_F64 ? 32 : 16) > 20 * 1024 ? WF_TURNS_ONCE
           : isa == WF_ISA_AVX512                     ? WF_TURNS_TURNED
                                                      : WF_TURNS_TWICE;
}

static inline int wf_turns_vectors(wf_turns_form f)
{
    return f == WF_TURNS_ONCE ? 1 : 2;
}

#endif
