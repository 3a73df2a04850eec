/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - a program's counters and timetable in words.
 */
#include "neuron/program.h"

#include <inttypes.h>
#include <string.h>

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
    static const char *const size[WF_NC_SIZES] = {"under 64 B", "64 B ..",
                                                  "512 B ..", "2 KiB ..",
                                                  "8 KiB .."};
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

/* ---- By name ------------------------------------------------------------ */

bool wf_nc_figure(const wf_nc_program *p, const char *name, double *value)
{
    const wf_nc_counters *c = &p->counts;
    const struct {
        const char *name;
        double value;
    } figure[] = {
        {"calls", (double)c->calls},
        {"kernels", (double)c->kernels},
        {"device_ns", c->device},
        {"time_ns", wf_nc_time(p)},
        {"dma_bytes", (double)c->bytes},
        {"dma_descriptors", (double)c->descriptors},
        {"psum_groups", (double)c->groups},
        {"psum_high", c->psum_high},
        {"sbuf_high", c->sbuf_high},
        {"hbm_bytes", (double)c->hbm_bytes},
        {"host_bytes", (double)c->host_bytes},
        {"multiplies", (double)c->multiplies},
    };
    for (size_t i = 0; i < sizeof figure / sizeof figure[0]; i++)
        if (strcmp(figure[i].name, name) == 0) {
            *value = figure[i].value;
            return true;
        }
    for (int u = 0; u < WF_NC_UNITS; u++) {
        const char *unit = wf_nc_unit_name((wf_nc_unit)u);
        size_t length = strlen(unit);
        if (strncmp(name, unit, length) != 0)
            continue;
        if (strcmp(name + length, "_instructions") == 0)
            *value = (double)c->instructions[u];
        else if (strcmp(name + length, "_busy_ns") == 0)
            *value = c->busy[u];
        else if (u < WF_NC_DMA && strcmp(name + length, "_cycles") == 0)
            *value = c->cycles[u];
        else
            continue;
        return true;
    }
    return false;
}

size_t wf_nc_table_bytes(const wf_nc_program *p)
{
    size_t bytes = 0;
    for (int i = 0; i < p->tensors; i++)
        if (p->tensor[i].values != NULL)
            bytes += (size_t)p->tensor[i].elements *
                     (size_t)wf_nc_bytes(p->tensor[i].type);
    return bytes;
}

/* ---- When --------------------------------------------------------------- */

static const char *const names[] = {
    "matmul", "transpose", "copy",       "tensor_tensor", "tensor_scalar",
    "reduce", "exponent",  "reciprocal", "memset",        "dma"};

void wf_nc_timetable(const wf_nc_program *p, wf_text *text)
{
    for (int k = 0; k < p->phases; k++) {
        const wf_nc_phase *phase = &p->phase[k];
        for (int64_t i = 0; i < phase->count; i++) {
            const wf_nc_instruction *at = &p->instruction[phase->first + i];
            bool store = at->op == WF_NC_OP_DMA && at->dst.space == WF_NC_HBM;
            wf_text_add(text, "%s %s %.1f %.1f %s\n", phase->name,
                        wf_nc_unit_name(at->unit), phase->start + at->begin,
                        phase->start + at->end,
                        store ? "store" : names[at->op]);
        }
    }
}
