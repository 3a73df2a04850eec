/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tile_amx_model.c - what the AMX instructions do, in C, so that the tiles of
 * tile_amx_tmpl.c are held to the others on machines without AMX.
 *
 * TDPBF16PS adds the products of even and of odd elements apart, each sum from
 * zero with one rounding a term, then the two sums together, then that to the
 * register (Intel SDM, operation of TDPBF16PS); subnormal numbers, which it
 * takes as zero, do not occur in panels.  TDPBSSD adds four products of int8
 * to an int32.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef union tile_register {
    uint16_t bf16[16][32];
    int8_t int8[16][64];
    float f32[16][16];
    int32_t int32[16][16];
} tile_register;

static float widen(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Products of bf16 are exact in FP32, so this rounds once, as the unit. */
static void multiply_bf16(tile_register *c, const tile_register *a,
                          const tile_register *b)
{
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < 16; n++) {
            float sum[2] = {0, 0};
            for (int k = 0; k < 16; k++)
                for (int i = 0; i < 2; i++)
                    sum[i] += widen(a->bf16[m][2 * k + i]) *
                              widen(b->bf16[k][2 * n + i]);
            const float both = sum[0] + sum[1];
            c->f32[m][n] += both;
        }
}

static void multiply_int8(tile_register *c, const tile_register *a,
                          const tile_register *b)
{
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < 16; n++)
            for (int k = 0; k < 64; k++)
                c->int32[m][n] += a->int8[m][k] *
                                  b->int8[k / 4][4 * n + k % 4];
}

#define SUFFIX amx_model
#define BEGIN() tile_register t_[8]
#define END() ((void)t_)
#define LOAD(t, p) memcpy(&t_[t], p, sizeof t_[t])
#define STORE(t, p) memcpy(p, &t_[t], sizeof t_[t])
#define ZERO(t) memset(&t_[t], 0, sizeof t_[t])
#define DP_bf16(c, a, b) multiply_bf16(&t_[c], &t_[a], &t_[b])
#define DP_int8(c, a, b) multiply_int8(&t_[c], &t_[a], &t_[b])
#include "kernel/matrix/tile_amx_tmpl.c"
