/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.c - the CPU behind engine.h: its prices (prices.h), and measuring.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "cpu/node.h"
#include "cpu/prices.h"
#include "kernel/matrix/matrix.h"
#include "plan/search.h"

static const wf_machine *machine(void)
{
    return wf_machine_of(wf_core_prices_here());
}

/* Prices of passes, found once a process: a plan asks for some hundreds of
 * them.  0: not asked yet.  Two threads that ask at once find the same.  A tree
 * that is given may name any width and radix. */
static double price(wf_role role, weft_type type, int width, int radix)
{
    enum { TYPES = 2, WIDTHS = 5, WIDEST = 1 << (WIDTHS - 1) };
    static _Atomic double known[TYPES][WF_ROLE_COUNT][WIDTHS]
                               [WF_LARGEST_INTERLEAVED + 1];
    if (width < 1 || width > WIDEST || (width & (width - 1)) != 0 ||
        radix < 0 || radix > WF_LARGEST_INTERLEAVED)
        return wf_price_by(wf_core_prices_here(), role, type, width, radix);
    _Atomic double *here =
        &known[type == WEFT_F64][role][__builtin_ctz((unsigned)width)][radix];
    double found = atomic_load_explicit(here, memory_order_relaxed);
    if (found == 0) {
        found = wf_price_by(wf_core_prices_here(), role, type, width, radix);
        atomic_store_explicit(here, found, memory_order_relaxed);
    }
    return found;
}

/* A tile keeps one fused operation a cycle busy on every lane, twice that
 * where registers are halves of what the arithmetic has; VDPBF16PS does two
 * in the place of one. */
static double products(wf_format format, bool *emulated)
{
    const wf_real real = format == WF_FORMAT_F64 ? WF_F64 : WF_F32;
    const wf_isa isa = (wf_isa)wf_cpu_isa();
    const char *hardware = wf_format_hardware(format);
    const bool special = real == WF_F32 && format != WF_FORMAT_F32 &&
                         hardware != NULL;
    *emulated = hardware == NULL;
    return (special ? 2 : 1) * (isa == WF_ISA_AVX512 ? 1 : 1.6) *
           WF_REFERENCE_GHZ * wf_isa_lanes(isa, real);
}

/* ---- Measuring ----------------------------------------------------------- */

typedef struct span {
    int64_t low, high;
} span;

static void stretch(span *s, int64_t n, int64_t stride)
{
    if (stride < 0)
        s->low += (n - 1) * stride;
    else
        s->high += (n - 1) * stride;
}

static void spans(const wf_problem *p, span *in, span *out)
{
    *in = *out = (span){0, 0};
    for (int i = 0; i < p->rank; i++) {
        stretch(in, wf_dim_length(p, i, WF_INPUT), p->dim[i].is);
        stretch(out, wf_dim_length(p, i, WF_OUTPUT), p->dim[i].os);
    }
    for (int i = 0; i < p->loops; i++) {
        stretch(in, p->loop[i].n, p->loop[i].is);
        stretch(out, p->loop[i].n, p->loop[i].os);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Zeros transform to zeros: no overflow however often it runs. */
static double seconds_of(const wf_program *program, void *const at[4],
                         int runs)
{
    double begin = wf_clock_seconds();
    for (int i = 0; i < runs; i++)
        wf_cpu_execute(program, at[0], at[1], at[2], at[3]);
    return wf_clock_seconds() - begin;
}

/* Warms up, and says how many runs make 20 us.  A time below 1 ms that seems enough is
 * taken again: it may have been pages that are touched for the first time, and samples
 * of one short run would be the clock's. */
static int find_runs(const wf_program *program, void *const at[4])
{
    const double enough = 20e-6;
    int runs = 1;
    for (; runs < 1 << 14; runs *= 2) {
        double took = seconds_of(program, at, runs);
        if (took > enough && took < 1e-3)
            took = seconds_of(program, at, runs);
        if (took > enough)
            break;
    }
    return runs;
}

static double time_runs(const wf_program *program, void *const at[4],
                        double limit)
{
    enum { SAMPLES = 15 };
    double sample[SAMPLES];
    int count = 0;
    const double start = wf_clock_seconds();
    const int runs = find_runs(program, at);
    while (count < SAMPLES &&
           (count < 1 || wf_clock_seconds() - start < limit))
        sample[count++] = seconds_of(program, at, runs) / runs;
    qsort(sample, (size_t)count, sizeof sample[0], by_value);
    return sample[count / 2];
}

static weft_status measure(wf_program *program, const wf_problem *problem,
                           double limit, double *seconds)
{
    span in, out;
    spans(problem, &in, &out);
    size_t bytes = problem->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    size_t in_unit = (size_t)wf_side_scalars(problem, WF_INPUT) * bytes;
    size_t out_unit = (size_t)wf_side_scalars(problem, WF_OUTPUT) * bytes;
    size_t in_bytes = (size_t)(in.high - in.low + 1) * in_unit;
    size_t out_bytes = (size_t)(out.high - out.low + 1) * out_unit;
    if (problem->in_place) { /* one block for both, from the lower end */
        int64_t in_low = in.low * (int64_t)in_unit;
        int64_t out_low = out.low * (int64_t)out_unit;
        int64_t in_end = in_low + (int64_t)in_bytes;
        int64_t out_end = out_low + (int64_t)out_bytes;
        in_low = in_low < out_low ? in_low : out_low;
        in_bytes = (size_t)((in_end > out_end ? in_end : out_end) - in_low);
        in = out = (span){in_low / (int64_t)bytes, 0};
        in_unit = out_unit = bytes;
    }
    char *block[4] = {NULL};
    weft_status status = WEFT_OK;
    for (int i = 0; i < 4; i++) {
        bool wanted = (i % 2 == 0 || problem->split) &&
                      (i < 2 || !problem->in_place);
        size_t size = i < 2 ? in_bytes : out_bytes;
        block[i] = wanted ? wf_alloc(size) : NULL;
        if (wanted && block[i] == NULL)
            status = wf_no_memory();
        else if (wanted)
            memset(block[i], 0, size);
    }
    if (status == WEFT_OK) {
        void *at[4];
        for (int i = 0; i < 4; i++) {
            bool input = i < 2 || problem->in_place;
            char *base = block[problem->in_place ? i % 2 : i];
            int64_t low = input ? in.low : out.low;
            at[i] = base == NULL
                        ? NULL
                        : base - low * (int64_t)(input ? in_unit : out_unit);
        }
        *seconds = time_runs(program, at, limit);
    }
    for (int i = 0; i < 4; i++)
        wf_free(block[i]);
    return status;
}

static weft_status bind(const wf_engine *engine, const wf_problem *problem,
                        const wf_step *tree, wf_program **program)
{
    (void)engine;
    return wf_cpu_bind(problem, tree, program);
}

static void sizes(const wf_program *program, size_t *tables, size_t *scratch)
{
    *tables = wf_cpu_table_bytes(program);
    *scratch = wf_cpu_scratch_bytes(program);
}

static void release(wf_program *program)
{
    wf_cpu_release(program);
}

const wf_engine wf_cpu_engine = {.name = "cpu",
                                 .machine = machine,
                                 .widths = wf_cpu_widths,
                                 .price = price,
                                 .flops = wf_kernel_flops,
                                 .products = products,
                                 .bind = bind,
                                 .measure = measure,
                                 .release = release,
                                 .execute = wf_cpu_execute,
                                 .sizes = sizes,
                                 .explain = wf_cpu_explain,
                                 .figure = wf_cpu_figure,
                                 .source = wf_cpu_source,
                                 .order = wf_cpu_order};
