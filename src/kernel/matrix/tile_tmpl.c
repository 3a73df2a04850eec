/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tile_tmpl.c - the tile of sums of one ISA and type, and the moves around
 * it.  Needs the vocabulary of kernel/vec/, NAME (f32_avx512), HOLDS, MR and
 * NV: a tile is MR rows of NV vectors.
 *
 * For each term 2 NV vectors of B are loaded once and used by all MR rows; a
 * number of A, in every lane, is used 2 NV times: 4 MR NV fused operations
 * for 2 NV + 2 MR loads.  MR and NV are what the registers hold: 2 MR NV sums,
 * 2 NV of B, two of A.  (K. Goto and R. van de Geijn, "Anatomy of
 * high-performance matrix multiplication", ACM TOMS 34, 2008; F. Van Zee and
 * R. van de Geijn, "BLIS", ACM TOMS 41, 2015.)
 */
#include <string.h>

#include "kernel/matrix/matrix.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

enum { NR = NV * VL };

static void run(int pairs, const void *const a[], const void *const b[],
                size_t k, void *out)
{
    V re[MR][NV], im[MR][NV];
#pragma GCC unroll 16
    for (int r = 0; r < MR; r++)
#pragma GCC unroll 4
        for (int v = 0; v < NV; v++)
            re[r][v] = im[r][v] = VK(0);
    for (int p = 0; p < pairs; p++) {
        const T *x = a[p], *w = b[p];
        for (size_t i = 0; i < k; i++) {
            V wr[NV], wi[NV];
#pragma GCC unroll 4
            for (int v = 0; v < NV; v++) {
                wr[v] = VLD(w + v * VL);
                wi[v] = VLD(w + (NV + v) * VL);
            }
#pragma GCC unroll 16
            for (int r = 0; r < MR; r++) {
                const V xr = VLD1(x + 2 * r), xi = VLD1(x + 2 * r + 1);
#pragma GCC unroll 4
                for (int v = 0; v < NV; v++) {
                    re[r][v] = VFMA(xr, wr[v], re[r][v]);
                    im[r][v] = VFMA(xr, wi[v], im[r][v]);
                    re[r][v] = VFNMA(xi, wi[v], re[r][v]);
                    im[r][v] = VFMA(xi, wr[v], im[r][v]);
                }
            }
            x += 2 * MR;
            w += 2 * NR;
        }
    }
    T *tile = out;
#pragma GCC unroll 16
    for (int r = 0; r < MR; r++)
#pragma GCC unroll 4
        for (int v = 0; v < NV; v++) {
            VST(tile + 2 * r * NR + v * VL, re[r][v]);
            VST(tile + (2 * r + 1) * NR + v * VL, im[r][v]);
        }
}

extern const wf_tile JOIN(wf_tile_, NAME);
const wf_tile JOIN(wf_tile_, NAME) = {.name = "tile_" TEXT(NAME),
                                      .holds = HOLDS,
                                      .mr = MR,
                                      .nr = NR,
                                      .depth = 1,
                                      .a_bytes = 2 * MR * sizeof(T),
                                      .b_bytes = 2 * NR * sizeof(T),
                                      .run = run};

/* ---- Moves --------------------------------------------------------------- */

/* (re, im) of one row, all columns, to panel[i * 2 mr]; OUT is T or double,
 * and so are the twiddles. */
#define PACK_ROW(OUT)                                          \
    do {                                                       \
        const T *re = (const T *)lines->re + lines->offset[r]; \
        const T *im = (const T *)lines->im + lines->offset[r]; \
        const ptrdiff_t step = lines->step;                    \
        const OUT sign = lines->conjugate ? -1 : 1;            \
        OUT *to = (OUT *)panel + 2 * r;                        \
        const OUT *w = lines->twiddle;                         \
        if (w == NULL) {                                       \
            for (size_t i = 0; i < k; i++, to += 2 * mr) {     \
                to[0] = re[(ptrdiff_t)i * step];               \
                to[1] = sign * im[(ptrdiff_t)i * step];        \
            }                                                  \
            break;                                             \
        }                                                      \
        w += 2 * lines->turn[r];                               \
        for (size_t i = 0; i < k; i++, to += 2 * mr) {         \
            const OUT a = re[(ptrdiff_t)i * step];             \
            const OUT b = sign * im[(ptrdiff_t)i * step];      \
            to[0] = a * w[0] - b * w[1];                       \
            to[1] = a * w[1] + b * w[0];                       \
            w += 2 * lines->twiddle_step;                      \
        }                                                      \
    } while (0)

static void pack(const wf_lines *lines, int mr, size_t k, void *panel)
{
    for (int r = 0; r < mr; r++)
        PACK_ROW(T);
}

static void load(const wf_lines *lines, int mr, size_t k, void *panel)
{
    for (int r = 0; r < mr; r++)
        PACK_ROW(double);
}

static void add(void *sum, const void *tile, size_t count)
{
    T *restrict to = sum;
    const T *restrict from = tile;
    for (size_t i = 0; i < count; i++)
        to[i] += from[i];
}

/* One row; interleaved neighbours by vectors. */
static void write_row(T *to_re, T *to_im, ptrdiff_t step, const T *re,
                      const T *im, size_t columns, T factor, bool more)
{
    size_t c = 0;
    if (!more && step == 2 && to_im == to_re + 1)
        for (; c + VL <= columns; c += VL)
            vsti(to_re + 2 * c, VMUL(VK(factor), VLD(re + c)),
                 VMUL(VK(factor), VLD(im + c)));
    else if (!more && step == 1)
        for (; c + VL <= columns; c += VL) {
            VST(to_re + c, VMUL(VK(factor), VLD(re + c)));
            VST(to_im + c, VMUL(VK(factor), VLD(im + c)));
        }
    for (; c < columns; c++) {
        T *r = to_re + (ptrdiff_t)c * step, *i = to_im + (ptrdiff_t)c * step;
        *r = factor * re[c] + (more ? *r : 0);
        *i = factor * im[c] + (more ? *i : 0);
    }
}

static void write(const wf_lines *lines, const void *tile, int rows, int nr,
                  size_t columns, double factor, bool more)
{
    for (int r = 0; r < rows; r++) {
        const T *re = (const T *)tile + (size_t)(2 * r) * (size_t)nr;
        write_row((T *)lines->to_re + lines->offset[r],
                  (T *)lines->to_im + lines->offset[r], lines->step, re,
                  re + nr, columns, (T)factor, more);
    }
}

/* 2^e for the exponents that have one, in two factors for the others. */
static inline double power(int e)
{
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double scaled(double x, int e)
{
    if (e >= -1000 && e <= 1000)
        return x * power(e);
    int half = e / 2;
    half = half < -1000 ? -1000 : half > 1000 ? 1000 : half;
    int rest = e - half;
    rest = rest < -1020 ? -1020 : rest > 1020 ? 1020 : rest;
    return x * power(half) * power(rest);
}

static void store(const wf_lines *lines, const double *tile, int rows, int nr,
                  size_t columns, const int *exponent,
                  const int *column_exponent, double factor, bool more)
{
    for (int r = 0; r < rows; r++) {
        T *re = (T *)lines->to_re + lines->offset[r];
        T *im = (T *)lines->to_im + lines->offset[r];
        const double *from = tile + (size_t)(2 * r) * (size_t)nr;
        for (size_t c = 0; c < columns; c++) {
            const ptrdiff_t at = (ptrdiff_t)c * lines->step;
            double x = from[c], y = from[nr + (ptrdiff_t)c];
            if (exponent[r] == WF_NOT_FINITE ||
                column_exponent[c] == WF_NOT_FINITE) {
                x = y = __builtin_nan("");
            } else {
                const int e = exponent[r] + column_exponent[c];
                x = scaled(x, e) * factor;
                y = scaled(y, e) * factor;
            }
            re[at] = (T)(more ? re[at] + x : x);
            im[at] = (T)(more ? im[at] + y : y);
        }
    }
}

extern const wf_tile_moves JOIN(wf_moves_, NAME);
const wf_tile_moves JOIN(wf_moves_, NAME) = {
    .pack = pack, .load = load, .add = add, .write = write, .store = store};
