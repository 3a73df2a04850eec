/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * half.c - IEEE binary16 and bfloat16, in integers, round to nearest even.
 * A NaN stays a NaN, made quiet, its upper payload kept: what VCVTPS2PH and
 * VCVTPH2PS do, so that emulation and hardware agree to the bit.
 */
#include "num/num.h"

#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* m / 2^shift to nearest even, 1 <= shift <= 31. */
static uint32_t round_shift(uint32_t m, int shift)
{
    uint32_t half = (uint32_t)1 << (shift - 1);
    return (m + half - 1 + (m >> shift & 1)) >> shift;
}

uint16_t wf_f32_to_f16(float x)
{
    uint32_t bits = bits_of(x), sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff, half;
    if (magnitude > 0x7f800000)
        half = 0x7e00 | (magnitude >> 13 & 0x3ff);
    else if (magnitude >= 0x47800000) /* 2^16 and infinity */
        half = 0x7c00;
    else if (magnitude >= 0x38800000) /* normal; a carry may reach infinity */
        half = round_shift(magnitude - 0x38000000, 13);
    else if (magnitude >= 0x33000000) /* at least 2^-25: units of 2^-24 */
        half = round_shift((magnitude & 0x7fffff) | 0x800000,
                           126 - (int)(magnitude >> 23));
    else
        half = 0;
    return (uint16_t)(sign | half);
}

float wf_f16_to_f32(uint16_t x)
{
    uint32_t sign = (uint32_t)(x & 0x8000) << 16;
    uint32_t magnitude = x & 0x7fff;
    if (magnitude > 0x7c00)
        return from_bits(sign | 0x7fc00000 | magnitude << 13);
    if (magnitude == 0x7c00)
        return from_bits(sign | 0x7f800000);
    if (magnitude >= 0x400)
        return from_bits(sign | ((magnitude << 13) + 0x38000000));
    float value = (float)magnitude * 0x1p-24f; /* exact */
    return from_bits(sign | bits_of(value));
}

uint16_t wf_f32_to_bf16(float x)
{
    uint32_t bits = bits_of(x);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float wf_bf16_to_f32(uint16_t x)
{
    return from_bits((uint32_t)x << 16);
}
