/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - what weft_info says of this machine.
 */
#include "cpu/cpu.h"
#include "cpu/tuned.h"
#include "kernel/kernel.h"
#include "kernel/matrix/matrix.h"

static void report_features(wf_text *text)
{
    static const char *const names[] = {"sse2",     "avx",      "avx2",
                                        "fma",      "avx512f",  "avx512dq",
                                        "avx512bw", "avx512vl", "avx512bf16",
                                        "amx-bf16", "amx-int8"};
    wf_text_add(text, "features:");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (wf_cpu_has(names[i]))
            wf_text_add(text, " %s", names[i]);
    wf_text_add(text, "\n");
}

static void report_kernels(wf_text *text)
{
    int count[WF_ISA_COUNT][WF_REAL_COUNT] = {{0}};
    for (size_t i = 0; i < wf_kernel_count(); i++) {
        const wf_kernel *k = wf_kernel_at(i);
        count[k->isa][k->real]++;
    }
    for (int isa = 0; isa < WF_ISA_COUNT; isa++)
        if (count[isa][0] + count[isa][1] > 0)
            wf_text_add(text, "kernels %s: %d f64, %d f32%s\n",
                        wf_isa_name((wf_isa)isa), count[isa][0], count[isa][1],
                        isa > wf_cpu_isa() ? " (not for this CPU)" : "");
}

/* The number formats of matrix products, and what multiplies them here. */
static void report_formats(wf_text *text)
{
    for (int i = 0; i < WF_FORMAT_COUNT; i++) {
        const char *hardware = wf_format_hardware((wf_format)i);
        wf_text_add(text, "format %s: %s\n", wf_format_name((wf_format)i),
                    hardware != NULL ? hardware
                                     : "emulated, exactly, by f32 products");
    }
}

void wf_cpu_report(wf_text *text)
{
    wf_text_add(text, "cpu: %s\n", wf_cpu_name());
    wf_text_add(text, "isa: %s\n", wf_isa_name((wf_isa)wf_cpu_isa()));
    wf_text_add(text, "core: %s\n", wf_cpu_core_name());
    if (wf_cpu_mask_text() != NULL)
        wf_text_add(text, "note: %s\n", wf_cpu_mask_text());
    report_features(text);
    wf_text_add(text, "cpus: %d\n", wf_cpu_count());
    for (int level = 1; level <= 3; level++)
        wf_text_add(text, "cache %d: %zu KiB\n", level,
                    wf_cpu_cache_size(level) >> 10);
    wf_text_add(text, "engines: cpu, neuron (a model)\n");
    report_kernels(text);
    report_formats(text);
    wf_tuned_report(text);
}
