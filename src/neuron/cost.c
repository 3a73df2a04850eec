/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - cycles of an instruction on its engine, by the tables of the
 * architecture and performance guides; N is elements in a partition.
 *
 * | nc_matmul         | max(min(64, stationary columns), N), fp32 four times |
 * | nc_transpose      | Tensor max(P, min(64, F)), Vector max(64, N)         |
 * | tensor_tensor     | max(64, N) with an input in PSUM or all operands     |
 * |                   | contiguous bf16 in SBUF, else max(64, 2 N)           |
 * | all others        | max(64, N)                                           |
 */
#include "neuron/program.h"

static double at_least_64(double n)
{
    return n < 64 ? 64 : n;
}

static bool is_contiguous(const wf_nc_view *v)
{
    int64_t run = 1;
    for (int k = v->dims - 1; k >= 0; k--) {
        if (v->dim[k].stride != run && v->dim[k].n != 1)
            return false;
        run *= v->dim[k].n;
    }
    return true;
}

static bool is_half(const wf_nc_view *v)
{
    return v->space == WF_NC_SBUF && wf_nc_bytes(v->type) <= 2 &&
           is_contiguous(v);
}

double wf_nc_cycles(const wf_nc_core *core, const wf_nc_instruction *i)
{
    double n = (double)wf_nc_free_size(&i->dst), rate = 1;
    switch (i->op) {
    case WF_NC_OP_MATMUL: {
        double m = i->dst.partitions < 64 ? i->dst.partitions : 64;
        double cycles = n > m ? n : m;
        bool slow = i->a.type == WF_NC_FP32 || i->b.type == WF_NC_FP32;
        return slow ? 4 * cycles : cycles;
    }
    case WF_NC_OP_TRANSPOSE: {
        if (i->unit == WF_NC_VECTOR)
            return at_least_64(n);
        double p = i->a.partitions, f = i->dst.partitions;
        f = f < 64 ? f : 64;
        return p > f ? p : f;
    }
    case WF_NC_OP_BINARY: {
        bool psum = i->a.space == WF_NC_PSUM || i->b.space == WF_NC_PSUM;
        bool half = is_half(&i->dst) && is_half(&i->a) && is_half(&i->b);
        if (half && i->unit == WF_NC_VECTOR)
            rate = core->vector_half_rate;
        return at_least_64((psum || half ? n : 2 * n) / rate);
    }
    case WF_NC_OP_REDUCE: return at_least_64((double)wf_nc_free_size(&i->a));
    case WF_NC_OP_DMA: return 0; /* has no clock: schedule.c */
    default:
        if (i->unit == WF_NC_VECTOR && is_half(&i->dst) &&
            (i->op == WF_NC_OP_MEMSET || is_half(&i->a)))
            rate = core->vector_half_rate;
        return at_least_64(n / rate);
    }
}

/* Elements that lie one behind the other. */
static int64_t run_of(const wf_nc_view *v)
{
    int64_t run = 1;
    for (int k = v->dims - 1; k >= 0; k--) {
        if (v->dim[k].n == 1)
            continue;
        if (v->dim[k].stride != run)
            return run;
        run *= v->dim[k].n;
    }
    bool rows = v->space == WF_NC_HBM && v->step == run && v->fold == 0;
    return rows ? run * v->partitions : run;
}

int64_t wf_nc_descriptor(const wf_nc_instruction *i)
{
    int64_t to = run_of(&i->dst), from = run_of(&i->a);
    return to < from ? to : from;
}
