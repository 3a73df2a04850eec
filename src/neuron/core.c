/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core.c - the figures of two NeuronCores, and names.
 *
 * Rates and sizes: the architecture guides.  A device of trn1 has two cores,
 * of trn2 eight; dma_rate is one core's share of the queues.  dma_short is
 * the model's own: the guides ask for 512 bytes and more a descriptor and
 * give no price for less.  call and kernel: `weft neuron` fits them to the
 * posts' tables (trn1); trn2 has no measurement and takes the same.
 */
#include "neuron/machine.h"

const wf_nc_core wf_nc_trn1 = {.name = "trn1",
                               .ghz = {2.8, 1.12, 1.4, 1.4},
                               .sbuf_bytes = 192 << 10,
                               .psum_banks = 8,
                               .dma_rate = 272,
                               .dma_start = 1300,
                               .dma_queues = 16,
                               .dma_short = 512,
                               .shared_hbm = false,
                               .vector_half_rate = 1,
                               .product = WF_NC_EXACT,
                               .call = 857e3,
                               .kernel = 322e3};

const wf_nc_core wf_nc_trn2 = {.name = "trn2",
                               .ghz = {2.4, 0.96, 1.2, 1.2},
                               .sbuf_bytes = 224 << 10,
                               .psum_banks = 8,
                               .dma_rate = 368,
                               .dma_start = 1300,
                               .dma_queues = 16,
                               .dma_short = 512,
                               .shared_hbm = true,
                               .vector_half_rate = 2,
                               .product = WF_NC_EXACT,
                               .call = 857e3,
                               .kernel = 322e3};

const char *wf_nc_unit_name(wf_nc_unit unit)
{
    static const char *const names[WF_NC_UNITS] = {"tensor", "vector",
                                                   "scalar", "gpsimd", "dma"};
    return names[unit];
}

static const struct {
    const char *name;
    int bytes;
} types[] = {{"fp32", 4}, {"tf32", 4}, {"bf16", 2},
             {"fp16", 2}, {"int8", 1}, {"fp64", 8}};

int wf_nc_bytes(wf_nc_type type)
{
    return types[type].bytes;
}

const char *wf_nc_type_name(wf_nc_type type)
{
    return types[type].name;
}
