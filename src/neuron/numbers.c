/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers.c - numbers in the machine's formats.  Every engine computes in
 * FP32; what it reads is widened exactly, what it writes is rounded to
 * nearest even.  int8 saturates and takes NaN as 0.
 */
#include "neuron/machine.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

/* 10 bits of fraction: the lowest 13 of FP32 rounded away. */
static float round_tf32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7f800000) == 0x7f800000)
        return value;
    bits = (bits + 0xfff + (bits >> 13 & 1)) & ~(uint32_t)0x1fff;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int8_t round_int8(float value)
{
    if (isnan(value))
        return 0;
    float whole = rintf(value);
    return whole > 127 ? 127 : whole < -128 ? -128 : (int8_t)whole;
}

float wf_nc_round(wf_nc_type type, float value)
{
    switch (type) {
    case WF_NC_TF32: return round_tf32(value);
    case WF_NC_BF16: return wf_bf16_to_f32(wf_f32_to_bf16(value));
    case WF_NC_FP16: return wf_f16_to_f32(wf_f32_to_f16(value));
    case WF_NC_INT8: return round_int8(value);
    default: return value;
    }
}

float wf_nc_read(wf_nc_type type, const void *at, int64_t index)
{
    switch (type) {
    case WF_NC_BF16: return wf_bf16_to_f32(((const uint16_t *)at)[index]);
    case WF_NC_FP16: return wf_f16_to_f32(((const uint16_t *)at)[index]);
    case WF_NC_INT8: return ((const int8_t *)at)[index];
    default: return ((const float *)at)[index];
    }
}

void wf_nc_write(wf_nc_type type, void *at, int64_t index, float value)
{
    switch (type) {
    case WF_NC_TF32: ((float *)at)[index] = round_tf32(value); return;
    case WF_NC_BF16: ((uint16_t *)at)[index] = wf_f32_to_bf16(value); return;
    case WF_NC_FP16: ((uint16_t *)at)[index] = wf_f32_to_f16(value); return;
    case WF_NC_INT8: ((int8_t *)at)[index] = round_int8(value); return;
    default: ((float *)at)[index] = value; return;
    }
}

/* A bf16 number is the upper half of an FP32 one: most of what runs. */
static void read_bf16(const uint16_t *at, int64_t stride, int64_t count,
                      float *out)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)at[i * stride] << 16;
        memcpy(&out[i], &bits, sizeof bits);
    }
}

void wf_nc_read_many(wf_nc_type type, const void *at, int64_t index,
                     int64_t stride, int64_t count, float *out)
{
    if (type == WF_NC_BF16) {
        read_bf16((const uint16_t *)at + index, stride, count, out);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        out[i] = wf_nc_read(type, at, index + i * stride);
}
