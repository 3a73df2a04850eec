/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.c - when each instruction runs: engines in program order beside
 * each other, each instruction after the data it needs.
 *
 * What was written must be complete before it is read, and read before it is
 * written again, seen in granules on chip and whole tensors in HBM (writes of
 * one tensor do not wait for each other: they write different elements).  A
 * reader begins 60 cycles after its data is there, 100 between tiny
 * instructions of the Vector and Scalar engines.  The stationary operand of a
 * matmul is loaded in the shadow of the matmul before, K/4 cycles, and not at
 * all when it is there already.  DMA has a latency and a rate: transfers in
 * flight overlap their latencies and share the rate; loads do not queue
 * behind stores that wait.
 */
#include "neuron/program.h"

#include <string.h>

static double later(double a, double b)
{
    return a > b ? a : b;
}

typedef struct patch {
    wf_nc_moment (*granule)[QUADRANTS];
    int first, last, top, bottom;
} patch;

static patch patch_of(wf_nc_clocks *c, const wf_nc_view *v)
{
    patch p = {v->space == WF_NC_SBUF ? c->sbuf : c->psum,
               (int)(v->at / GRANULE),
               (int)((v->at + wf_nc_span(v) - 1) / GRANULE), v->partition / 32,
               (v->partition + v->partitions - 1) / 32};
    return p;
}

/* When the view can be read (its writes ended) or written (reads, too). */
static double ready(wf_nc_program *program, const wf_nc_view *v, bool write)
{
    double time = 0;
    if (v->space == WF_NC_HBM) {
        const wf_nc_hbm_tensor *t = &program->tensor[v->tensor];
        return write ? t->read_end : t->write_end;
    }
    patch p = patch_of(&program->clocks, v);
    for (int i = p.first; i <= p.last; i++)
        for (int q = p.top; q <= p.bottom; q++) {
            const wf_nc_moment *m = &p.granule[i][q];
            time = later(time, m->write_end);
            if (write)
                time = later(time, m->read_end);
        }
    return time;
}

static void mark(wf_nc_program *program, const wf_nc_view *v, bool write,
                 double end)
{
    if (v->space == WF_NC_HBM) {
        wf_nc_hbm_tensor *t = &program->tensor[v->tensor];
        double *at = write ? &t->write_end : &t->read_end;
        *at = later(*at, end);
        return;
    }
    patch p = patch_of(&program->clocks, v);
    for (int i = p.first; i <= p.last; i++)
        for (int q = p.top; q <= p.bottom; q++) {
            double *at = write ? &p.granule[i][q].write_end
                               : &p.granule[i][q].read_end;
            *at = later(*at, end);
        }
}

static int operands(const wf_nc_instruction *i)
{
    if (i->op == WF_NC_OP_MEMSET)
        return 0;
    return i->op == WF_NC_OP_MATMUL || i->op == WF_NC_OP_BINARY || i->by_row
               ? 2
               : 1;
}

static void schedule_dma(wf_nc_program *p, wf_nc_instruction *i)
{
    wf_nc_clocks *c = &p->clocks;
    int64_t run = wf_nc_descriptor(i);
    int64_t elements = i->dst.partitions * wf_nc_free_size(&i->dst);
    int64_t size = run * wf_nc_bytes(i->dst.type);
    int64_t count = (elements + run - 1) / run;
    double paid = (double)(size < p->core->dma_short ? p->core->dma_short
                                                     : size);
    double move = (double)count * paid / p->core->dma_rate;
    double *bus = i->dst.space == WF_NC_HBM ? &c->stores : &c->loads;
    double *slot = &c->ring[c->transfers++ % p->core->dma_queues];
    double start =
        later(later(ready(p, &i->a, false), ready(p, &i->dst, true)), *slot);
    double begin = later(start + p->core->dma_start, *bus);
    i->begin = start;
    i->end = *bus = *slot = begin + move;
    c->moving += move;
    p->counts.busy[WF_NC_DMA] += move;
    int class = size < 64     ? 0
                : size < 512  ? 1
                : size < 2048 ? 2
                : size < 8192 ? 3
                              : 4;
    p->counts.size_count[class] += count;
    p->counts.size_bytes[class] += count * size;
    p->counts.descriptors += count;
    p->counts.bytes += elements * wf_nc_bytes(i->dst.type);
}

/* The stationary operand of a matmul: when it is in place. */
static double weights(wf_nc_program *p, const wf_nc_instruction *i,
                      double latency)
{
    wf_nc_clocks *c = &p->clocks;
    double there = ready(p, &i->a, false);
    bool same = memcmp(&c->weights, &i->a, sizeof i->a) == 0 &&
                there <= c->weights_ready;
    if (same)
        return c->weights_end;
    double begin = later(later(there + latency, c->matmul_begin),
                         c->weights_end);
    c->weights = i->a;
    c->weights_ready = there;
    c->weights_end = begin + i->a.partitions / 4.0 / p->core->ghz[0];
    p->counts.stationaries++;
    return c->weights_end;
}

void wf_nc_schedule(wf_nc_program *p, wf_nc_instruction *i)
{
    wf_nc_clocks *c = &p->clocks;
    p->counts.instructions[i->unit]++;
    if (i->op == WF_NC_OP_DMA) {
        schedule_dma(p, i);
    } else {
        double ghz = p->core->ghz[i->unit];
        double cycles = wf_nc_cycles(p->core, i);
        bool lanes = i->unit == WF_NC_VECTOR || i->unit == WF_NC_SCALAR;
        bool tiny = lanes && wf_nc_free_size(&i->dst) < 64;
        double latency = (tiny ? WF_NC_TINY_CYCLES : WF_NC_ACCESS_CYCLES) /
                         ghz;
        double begin = later(c->free[i->unit], ready(p, &i->dst, true));
        const wf_nc_view *view[2] = {&i->a, &i->b};
        for (int k = 0; k < operands(i); k++) {
            double there = ready(p, view[k], false);
            if (i->op == WF_NC_OP_MATMUL && k == 0)
                begin = later(begin, weights(p, i, latency));
            else if (there > 0)
                begin = later(begin, there + latency);
        }
        i->begin = begin;
        i->end = c->free[i->unit] = begin + cycles / ghz;
        p->counts.cycles[i->unit] += cycles;
        p->counts.busy[i->unit] += cycles / ghz;
        if (i->op == WF_NC_OP_MATMUL) {
            c->matmul_begin = begin;
            p->counts.multiplies += (int64_t)i->a.partitions *
                                    i->dst.partitions *
                                    wf_nc_free_size(&i->dst);
        }
    }
    mark(p, &i->dst, true, i->end);
    if (operands(i) > 0)
        mark(p, &i->a, false, i->end);
    if (operands(i) > 1)
        mark(p, &i->b, false, i->end);
    c->end = later(c->end, i->end);
}

void wf_nc_schedule_begin(wf_nc_program *p)
{
    memset(&p->clocks, 0, sizeof p->clocks);
    p->clocks.weights.partitions = -1;
}

/* The longest chain, or DMA alone at its rate, both directions together. */
double wf_nc_schedule_end(wf_nc_program *p)
{
    return later(p->clocks.end, p->clocks.moving);
}
