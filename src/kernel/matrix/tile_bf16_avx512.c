/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tile_bf16_avx512.c - the tile of complex sums with AVX512_BF16: a product
 * of two pairs of bf16 in every lane, added to an FP32 sum.
 *
 * A pair is a complex number, so one instruction does the two products that
 * one plane of the sum needs: (re, im) of A times (re, -im) of B for re, times
 * (im, re) for im.  The instruction adds the product of the upper halves with
 * one rounding, then that of the lower halves with another (Intel SDM,
 * VDPBF16PS): re is the upper half, so that terms come in the order of the
 * other tiles.  It takes subnormal numbers and sums as zero; parts are
 * scaled so that none occur that matter, and slices are integers.
 *
 * int8 digits are bf16 numbers too: this tile holds both.
 */
#include <immintrin.h>
#include <string.h>

#include "kernel/matrix/matrix.h"

enum { MR = 6, NV = 2, VL = 16, NR = NV * VL };

static inline __m512bh pairs_at(const uint32_t *p)
{
    return (__m512bh)_mm512_loadu_si512(p);
}

static inline __m512bh pair_in_all(const uint32_t *p)
{
    return (__m512bh)_mm512_set1_epi32((int)*p);
}

static void run(int pairs, const void *const a[], const void *const b[],
                size_t k, void *out)
{
    __m512 re[MR][NV], im[MR][NV];
#pragma GCC unroll 16
    for (int r = 0; r < MR; r++)
#pragma GCC unroll 4
        for (int v = 0; v < NV; v++)
            re[r][v] = im[r][v] = _mm512_setzero_ps();
    for (int p = 0; p < pairs; p++) {
        const uint32_t *x = a[p], *w = b[p];
        for (size_t i = 0; i < k; i++) {
            __m512bh wr[NV], wi[NV];
#pragma GCC unroll 4
            for (int v = 0; v < NV; v++) {
                wr[v] = pairs_at(w + v * VL);
                wi[v] = pairs_at(w + NR + v * VL);
            }
#pragma GCC unroll 16
            for (int r = 0; r < MR; r++) {
                const __m512bh z = pair_in_all(x + r);
#pragma GCC unroll 4
                for (int v = 0; v < NV; v++) {
                    re[r][v] = _mm512_dpbf16_ps(re[r][v], z, wr[v]);
                    im[r][v] = _mm512_dpbf16_ps(im[r][v], z, wi[v]);
                }
            }
            x += MR;
            w += 2 * NR;
        }
    }
    float *tile = out;
#pragma GCC unroll 16
    for (int r = 0; r < MR; r++)
#pragma GCC unroll 4
        for (int v = 0; v < NV; v++) {
            _mm512_storeu_ps(tile + 2 * r * NR + v * VL, re[r][v]);
            _mm512_storeu_ps(tile + (2 * r + 1) * NR + v * VL, im[r][v]);
        }
}

/* The numbers are bf16 already: the upper half of the float. */
static inline uint32_t upper(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0xffff0000u;
}

static void convert_a(const float *numbers, size_t k, void *panel)
{
    uint32_t *to = panel;
    for (size_t i = 0; i < k * MR; i++)
        to[i] = upper(numbers[2 * i]) | upper(numbers[2 * i + 1]) >> 16;
}

static void convert_b(const float *numbers, size_t k, void *panel)
{
    uint32_t *to = panel;
    for (size_t i = 0; i < k; i++, numbers += 2 * NR, to += 2 * NR)
        for (int c = 0; c < NR; c++) {
            const uint32_t re = upper(numbers[c]), im = upper(numbers[NR + c]);
            to[c] = re | (im ^ 0x80000000u) >> 16;
            to[NR + c] = im | re >> 16;
        }
}

extern const wf_tile wf_tile_bf16_avx512;
const wf_tile wf_tile_bf16_avx512 = {.name = "tile_bf16_avx512",
                                     .holds = WF_FORMAT_BF16,
                                     .mr = MR,
                                     .nr = NR,
                                     .depth = 1,
                                     .a_bytes = MR * sizeof(uint32_t),
                                     .b_bytes = 2 * NR * sizeof(uint32_t),
                                     .run = run,
                                     .convert_a = convert_a,
                                     .convert_b = convert_b};
