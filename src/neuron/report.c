/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - a program's counters and timetable in words.
 */
#include "neuron/program.h"

#include <inttypes.h>

static void report_engines(const wf_nc_program *p, wf_text *text)
{
    const wf_nc_counters *c = &p->counts;
    wf_text_add(text, "%-8s %12s %12s %10s %6s\n", "engine", "instructions",
                "cycles", "busy us", "busy");
    for (int u = 0; u < WF_NC_UNITS; u++) {
        double share = c->device > 0 ? 100 * c->busy[u] / c->device : 0;
        wf_text_add(text, "%-8s %12" PRId64, wf_nc_unit_name((wf_nc_unit)u),
                    c->instructions[u]);
        if (u < WF_NC_DMA)
            wf_text_add(text, " %12.0f", c->cycles[u]);
        else
            wf_text_add(text, " %12s", "-");
        wf_text_add(text, " %10.2f %5.1f%%\n", c->busy[u] / 1e3, share);
    }
}

static void report_dma(const wf_nc_program *p, wf_text *text)
{
    static const char *const size[WF_NC_SIZES] = {
        "under 64 B", "64 B ..", "512 B ..", "2 KiB ..", "8 KiB .."};
    const wf_nc_counters *c = &p->counts;
    wf_text_add(text,
                "dma: %" PRId64 " bytes in %" PRId64 " transfers, %" PRId64
                " descriptors\n",
                c->bytes, c->instructions[WF_NC_DMA], c->descriptors);
    for (int k = 0; k < WF_NC_SIZES; k++)
        if (c->size_count[k] > 0)
            wf_text_add(text,
                        "  %-10s %10" PRId64 " descriptors, %12" PRId64
                        " bytes\n",
                        size[k], c->size_count[k], c->size_bytes[k]);
}

void wf_nc_report(const wf_nc_program *p, wf_text *text)
{
    const wf_nc_counters *c = &p->counts;
    wf_text_add(text, "NeuronCore model %s, one execution:\n", p->core->name);
    report_engines(p, text);
    report_dma(p, text);
    wf_text_add(text,
                "psum: %" PRId64 " accumulation groups, %d of %d banks; sbuf: "
                "%d of %d bytes a partition; hbm: %" PRId64 " bytes\n",
                c->groups, c->psum_high, p->core->psum_banks, c->sbuf_high,
                p->core->sbuf_bytes, c->hbm_bytes);
    wf_text_add(text,
                "tensor: %" PRId64 " multiply-adds, %" PRId64
                " stationary loads\n",
                c->multiplies, c->stationaries);
    if (c->host_bytes > 0)
        wf_text_add(text,
                    "host: %" PRId64 " bytes prepared and combined, not in "
                    "the time\n",
                    c->host_bytes);
    for (int k = 0; k < p->phases; k++)
        wf_text_add(text, "%s %-24s %10.2f us, from %.2f us\n",
                    p->phase[k].job ? "step  " : "kernel", p->phase[k].name,
                    p->phase[k].device / 1e3, p->phase[k].start / 1e3);
    wf_text_add(text,
                "time: %.1f us = %" PRId64 " calls x %.1f + %" PRId64
                " kernels x %.1f + device %.2f\n",
                wf_nc_time(p) / 1e3, c->calls, p->core->call / 1e3, c->kernels,
                p->core->kernel / 1e3, c->device / 1e3);
}

static const char *const names[] = {
    "matmul", "transpose",  "copy",   "tensor_tensor", "tensor_scalar",
    "reduce", "exponent",   "reciprocal", "memset",    "dma"};

void wf_nc_timetable(const wf_nc_program *p, wf_text *text)
{
    for (int k = 0; k < p->phases; k++) {
        const wf_nc_phase *phase = &p->phase[k];
        for (int64_t i = 0; i < phase->count; i++) {
            const wf_nc_instruction *at = &p->instruction[phase->first + i];
            bool store = at->op == WF_NC_OP_DMA &&
                         at->dst.space == WF_NC_HBM;
            wf_text_add(text, "%s %s %.1f %.1f %s\n", phase->name,
                        wf_nc_unit_name(at->unit), phase->start + at->begin,
                        phase->start + at->end,
                        store ? "store" : names[at->op]);
        }
    }
}
