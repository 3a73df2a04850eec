/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * splits_tmpl.c - doubles into parts and slices, and FP32 sums into doubles:
 * plain loops, which each ISA's compilation turns into its vectors.  Needs
 * SPLITS (a name).
 *
 * Nothing here rounds but where its comment says so, and that rounding is
 * one IEEE operation: every ISA gives the same bits.
 */
#include <math.h>
#include <string.h>

#include "kernel/matrix/matrix.h"

static inline double exponential(int e)
{
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^k in two factors that are in range, |k| <= 1150. */
static void two_factors(int k, double *first, double *second)
{
    *first = exponential(k / 2);
    *second = exponential(k - k / 2);
}

/* To nearest even integer, |x| < 2^51. */
static inline double nearest(double x)
{
    const double magic = 0x1.8p52;
    return (x + magic) - magic;
}

/* To `bits` significant bits, nearest even; below 2^-62, where products would
 * come near the end of FP32's range, to zero. */
static inline double shorten(double x, int bits)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    const int cut = 53 - bits;
    word += ((uint64_t)1 << (cut - 1)) - 1 + (word >> cut & 1);
    word &= ~(((uint64_t)1 << cut) - 1);
    memcpy(&x, &word, sizeof x);
    return __builtin_fabs(x) < 0x1p-62 ? 0 : x;
}

/* fp16 has 11 bits down to 2^-14, then multiples of 2^-24. */
static inline double shorten_fp16(double x)
{
    const double subnormal = nearest(x * 0x1p24) * 0x1p-24;
    return __builtin_fabs(x) < 0x1p-14 ? subnormal : shorten(x, 11);
}

/* The least e with x <= 2^e.  Digits that carry need the first below 127. */
static int exponent_of(const wf_scheme *scheme, uint64_t bits)
{
    double x;
    int e;
    if (bits >= (uint64_t)0x7ff << 52)
        return WF_NOT_FINITE;
    memcpy(&x, &bits, sizeof x);
    if (x == 0)
        return 0;
    const double mantissa = frexp(x, &e);
    if (mantissa == 0.5)
        e--;
    const bool full = mantissa == 0.5 || mantissa > 63.0 / 64;
    return scheme->format == WF_FORMAT_INT8 && full ? e + 1 : e;
}

/* Part 0 rounds x, part 1 rounds what is left over, and so on; in fp16 and
 * tf32 what is left over is scaled by 2^11 first. */
static void split_parts(const wf_scheme *scheme, const double *x, size_t count,
                        float *parts)
{
    const bool fp16 = scheme->format == WF_FORMAT_FP16;
    const int bits = scheme->format == WF_FORMAT_BF16 ? 8 : 11;
    const double up = scheme->format == WF_FORMAT_BF16 ? 1 : 0x1p11;
    for (size_t i = 0; i < count; i++) {
        double rest = x[i];
        for (int p = 0; p < scheme->parts; p++) {
            const double part = fp16 ? shorten_fp16(rest)
                                     : shorten(rest, bits);
            parts[(size_t)p * count + i] = (float)part;
            rest = (rest - part) * up;
        }
    }
}

/* Slice 0 is x 2^(beta-1) to the nearest integer, slice p that of the rest
 * times 2^beta. */
static void split_slices(const wf_scheme *scheme, const double *x,
                         size_t count, float *parts)
{
    const double radix = exponential(wf_scheme_slice_bits(scheme));
    for (size_t i = 0; i < count; i++) {
        double rest = x[i];
        for (int p = 0; p < scheme->parts; p++) {
            const double slice = nearest(rest);
            parts[(size_t)p * count + i] = (float)slice;
            rest = (rest - slice) * radix;
        }
    }
}

/* int8 has no +128: the number becomes an integer of all its digits, and
 * digits -128 .. 127 carry upwards from the last. */
static void split_digits(const wf_scheme *scheme, const double *x,
                         size_t count, float *parts)
{
    for (size_t i = 0; i < count; i++) {
        double v = x[i];
        if (__builtin_fabs(v) < 0x1p51)
            v = nearest(v);
        int64_t rest = (int64_t)v;
        for (int p = scheme->parts - 1; p > 0; p--) {
            const int64_t digit = ((rest + 128) & 255) - 128;
            parts[(size_t)p * count + i] = (float)digit;
            rest = (rest - digit) / 256;
        }
        parts[i] = (float)rest;
    }
}

/* The scale of each line, in two factors. */
static void scale(double *panel, int lines, size_t k, int top,
                  const int *exponent)
{
    double first[2 * WF_TILE_COLUMNS], second[2 * WF_TILE_COLUMNS];
    const size_t width = 2 * (size_t)lines;
    for (int r = 0; r < lines; r++) {
        const int e = exponent[r] == WF_NOT_FINITE ? 0 : exponent[r];
        two_factors(top - e, &first[2 * r], &second[2 * r]);
        first[2 * r + 1] = first[2 * r];
        second[2 * r + 1] = second[2 * r];
    }
    for (size_t i = 0; i < k; i++)
        for (size_t l = 0; l < width; l++)
            panel[i * width + l] = panel[i * width + l] * first[l] * second[l];
}

static void split(const wf_scheme *scheme, double *panel, int lines, size_t k,
                  const int *exponent, float *parts)
{
    const size_t count = 2 * (size_t)lines * k;
    const bool digits = scheme->format == WF_FORMAT_INT8;
    const int top = !scheme->sliced ? 0
                    : digits        ? 8 * scheme->parts - 1
                                    : wf_scheme_slice_bits(scheme) - 1;
    scale(panel, lines, k, top, exponent);
    if (!scheme->sliced)
        split_parts(scheme, panel, count, parts);
    else if (digits)
        split_digits(scheme, panel, count, parts);
    else
        split_slices(scheme, panel, count, parts);
}

/* Magnitudes compare like their bits, and infinities and NaN above all. */
static void limits(const wf_scheme *scheme, double *panel, int lines, size_t k,
                   int *exponent)
{
    uint64_t largest[2 * WF_TILE_COLUMNS] = {0};
    const size_t width = 2 * (size_t)lines;
    for (size_t i = 0; i < k; i++)
        for (size_t l = 0; l < width; l++) {
            uint64_t bits;
            memcpy(&bits, &panel[i * width + l], sizeof bits);
            bits &= INT64_MAX;
            largest[l] = bits > largest[l] ? bits : largest[l];
        }
    for (int r = 0; r < lines; r++) {
        const uint64_t a = largest[2 * r], b = largest[2 * r + 1];
        exponent[r] = exponent_of(scheme, a > b ? a : b);
        if (exponent[r] == WF_NOT_FINITE)
            for (size_t i = 0; i < k; i++)
                panel[i * width + 2 * (size_t)r] =
                    panel[i * width + 2 * (size_t)r + 1] = 0;
    }
}

static void add_sums(double *restrict sum, const float *restrict tile,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += tile[i];
}

/* The product with a power of two is exact: one rounding. */
static void combine(double *restrict total, const double *restrict sum,
                    double weight, size_t count)
{
    for (size_t i = 0; i < count; i++)
        total[i] += sum[i] * weight;
}

extern const wf_tile_splits SPLITS;
const wf_tile_splits SPLITS = {
    .limits = limits, .split = split, .add = add_sums, .combine = combine};
