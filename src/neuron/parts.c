/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - FP32 numbers as sums of bf16 parts.
 *
 * x = x0 + x1 + ..., each part the rounded rest: 8 bits a part.  Of the
 * products only those whose parts' numbers add to less than the number of
 * parts matter (three of two parts, six of three), and the smallest are added
 * first.  The parts are made on the device, when a tile is on its way from
 * PSUM to SBUF anyway.
 *
 * fp16 has 11 bits a part, and so has tf32.  A rest is below 2^-11 of its
 * number, near the end of fp16's exponents: it is stored 2^11 times as large,
 * and products with it have a sum of their own, which is taken down again.
 */
#include "neuron/lower.h"
#include "neuron/program.h"

bool wf_nc_mode_of(weft_precision precision, wf_nc_mode *mode)
{
    static const struct {
        weft_precision precision;
        wf_nc_mode mode;
    } modes[] = {{WEFT_PRECISION_FAST, {WF_NC_FP32, 1, false, false}},
                 {WEFT_PRECISION_BF16, {WF_NC_BF16, 1, false, false}},
                 {WEFT_PRECISION_FP16, {WF_NC_FP16, 1, true, false}},
                 {WEFT_PRECISION_SPLIT2, {WF_NC_BF16, 2, false, false}},
                 {WEFT_PRECISION_SPLIT3, {WF_NC_BF16, 3, false, false}},
                 {WEFT_PRECISION_FP16X2, {WF_NC_FP16, 2, true, false}},
                 {WEFT_PRECISION_REFINED, {WF_NC_BF16, 1, false, true}}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (modes[i].precision == precision) {
            *mode = modes[i].mode;
            return true;
        }
    return false;
}

wf_nc_mode wf_nc_mode_of_passes(wf_nc_mode mode)
{
    if (mode.scaled)
        mode = (wf_nc_mode){.type = WF_NC_TF32, .parts = mode.parts};
    return mode;
}

bool wf_nc_apart(wf_nc_mode mode)
{
    return mode.scaled && mode.parts == 2;
}

/* What rounding the operands leaves (measured, docs/neuron.md), and the FP32
 * sum: its k-th rounding is relative to a partial sum of k terms, so K
 * roundings of variance u^2/6 k/K make u^2 K/12, by chunks of 128; products of
 * short parts round less on the way. */
double wf_nc_variance(const wf_nc_lowering *l, int64_t terms)
{
    const wf_nc_mode mode = l->mode;
    double u = 0x1p-24, k = terms < 128 ? (double)terms : 128;
    double sum = u * u * (k / (mode.parts == 3 ? 60 : 12) + 0.5);
    double operands = 0;
    if (mode.type == WF_NC_BF16 && mode.parts == 1)
        operands = 2.1e-3;
    else if (mode.type == WF_NC_BF16 && mode.parts == 2)
        operands = 3.6e-6;
    else if (mode.parts == 2)
        operands = 5e-8;
    else if (mode.type != WF_NC_FP32 && mode.parts == 1)
        operands = 2.6e-4;
    sum += mode.type == WF_NC_BF16 ? wf_nc_product_variance(l) : 0;
    return sum + operands * operands;
}

/* Of bf16's products, or their sums, rounded to bf16 again (measured). */
double wf_nc_product_variance(const wf_nc_lowering *l)
{
    const double error = 0.43 * 0x1p-8;
    return l->program->core->product == WF_NC_EXACT ? 0 : error * error;
}

bool wf_nc_plain(wf_nc_mode mode)
{
    return mode.type == WF_NC_FP32 && mode.parts == 1;
}

wf_nc_products wf_nc_mode_products(wf_nc_mode mode)
{
    wf_nc_products products = {0};
    for (int level = mode.parts - 1; level >= 0; level--)
        for (int data = level; data >= 0; data--) {
            products.data[products.count] = data;
            products.table[products.count++] = level - data;
        }
    return products;
}

void wf_nc_split(wf_nc_lowering *l, wf_nc_mode mode, wf_nc_view src,
                 const wf_nc_view *part, wf_nc_view rest)
{
    wf_nc_program *p = l->program;
    wf_nc_copy(p, WF_NC_SCALAR, part[0], src);
    if (wf_nc_apart(mode)) {
        wf_nc_binary(p, WF_NC_VECTOR, WF_NC_SUB, rest, src, part[0]);
        wf_nc_scalar(p, WF_NC_GPSIMD, WF_NC_MUL, part[1], rest, WF_NC_LIFT);
        return;
    }
    if (mode.parts == 2)
        wf_nc_binary(p, WF_NC_VECTOR, WF_NC_SUB, part[1], src, part[0]);
    if (mode.parts != 3)
        return;
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_SUB, rest, src, part[0]);
    wf_nc_copy(p, WF_NC_SCALAR, part[1], rest);
    wf_nc_binary(p, WF_NC_GPSIMD, WF_NC_SUB, part[2], rest, part[1]);
}
