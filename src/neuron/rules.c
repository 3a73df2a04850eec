/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.c - what the hardware and its compiler refuse, refused by name.
 *
 * An instruction is looked at once, when it is emitted.  The state that rules
 * need (open accumulation groups, the tensors of a kernel, how much of a
 * result is written) moves with it, in program order, which on this machine
 * is also the order of the semantics.
 */
#include "neuron/program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *name, *sentence;
} rules[] = {
#define WF_NC_RULE(id, name, sentence) {name, sentence},
#include "neuron/rules.def"
#undef WF_NC_RULE
};

bool wf_nc_refuse(wf_nc_program *program, wf_nc_rule which, const char *format,
                  ...)
{
    char what[160];
    va_list arguments;
    if (program->status != WEFT_OK)
        return false;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    program->status = wf_fail(WEFT_ERR_ARGUMENT, "NeuronCore rule %s: %s (%s)",
                              rules[which].name, rules[which].sentence, what);
    return false;
}

weft_status wf_nc_lacks(wf_nc_rule which, const char *who, const char *what)
{
    return wf_fail(WEFT_ERR_UNSUPPORTED, "%s: %s; NeuronCore rule %s: %s", who,
                   what, rules[which].name, rules[which].sentence);
}

/* ---- One view ----------------------------------------------------------- */

int64_t wf_nc_free_size(const wf_nc_view *view)
{
    int64_t n = 1;
    for (int i = 0; i < view->dims; i++)
        n *= view->dim[i].n;
    return n;
}

int64_t wf_nc_span(const wf_nc_view *view)
{
    int64_t last = 0;
    for (int i = 0; i < view->dims; i++)
        last += (int64_t)(view->dim[i].n - 1) * view->dim[i].stride;
    return (last + 1) * wf_nc_bytes(view->type);
}

static bool check_dims(wf_nc_program *p, const wf_nc_view *v)
{
    if (v->partitions < 1 ||
        (v->space != WF_NC_HBM && v->partitions > WF_NC_PARTITIONS))
        return wf_nc_refuse(p, WF_NC_RULE_PARTITIONS, "%d partitions",
                            v->partitions);
    if (v->type > WF_NC_INT8)
        return wf_nc_refuse(p, WF_NC_RULE_FORMAT, "%s",
                            wf_nc_type_name(v->type));
    if (v->dims < 1 || v->dims > WF_NC_FREE_DIMS)
        return wf_nc_refuse(p, WF_NC_RULE_DIMS, "%d dimensions", v->dims);
    for (int i = 0; i < v->dims; i++)
        if (v->dim[i].n < 1 || (v->space != WF_NC_HBM && v->dim[i].stride < 0))
            return wf_nc_refuse(p, WF_NC_RULE_DIMS,
                                "dimension %d has n %d, stride %d", i,
                                v->dim[i].n, v->dim[i].stride);
    return true;
}

static bool check_start(wf_nc_program *p, const wf_nc_view *v)
{
    int quantum = v->partitions > 64 ? 128 : v->partitions > 32 ? 64 : 32;
    if (v->partition % quantum != 0 || v->partition < 0 ||
        v->partition + v->partitions > WF_NC_PARTITIONS)
        return wf_nc_refuse(p, WF_NC_RULE_START, "%d partitions from %d",
                            v->partitions, v->partition);
    return true;
}

/* The engines' address arithmetic begins at fixed partitions; DMA's need
 * only stay inside the memory. */
static bool check_on_chip(wf_nc_program *p, const wf_nc_view *v, bool dma)
{
    int64_t end = v->at + wf_nc_span(v);
    if (!check_dims(p, v))
        return false;
    if (v->step != 1)
        return wf_nc_refuse(p, WF_NC_RULE_STRIDE,
                            "a partition stride of %" PRId64, v->step);
    if (dma &&
        (v->partition < 0 || v->partition + v->partitions > WF_NC_PARTITIONS))
        return wf_nc_refuse(p, WF_NC_RULE_PARTITIONS, "%d partitions from %d",
                            v->partitions, v->partition);
    if (!dma && !check_start(p, v))
        return false;
    if (v->space == WF_NC_SBUF) {
        if (v->at < 0 || end > p->core->sbuf_bytes)
            return wf_nc_refuse(p, WF_NC_RULE_SBUF,
                                "bytes %" PRId64 " to %" PRId64 " of %d",
                                v->at, end, p->core->sbuf_bytes);
        return true;
    }
    if (v->at < 0 || end > (int64_t)p->core->psum_banks * WF_NC_BANK)
        return wf_nc_refuse(p, WF_NC_RULE_PSUM,
                            "bytes %" PRId64 " to %" PRId64, v->at, end);
    if (v->type != WF_NC_FP32)
        return wf_nc_refuse(p, WF_NC_RULE_PSUM_TYPE, "%s",
                            wf_nc_type_name(v->type));
    if (v->base % WF_NC_BANK != 0)
        return wf_nc_refuse(p, WF_NC_RULE_BANK_START, "byte %d of a bank",
                            v->base % WF_NC_BANK);
    if (v->at / WF_NC_BANK != (end - 1) / WF_NC_BANK)
        return wf_nc_refuse(p, WF_NC_RULE_BANK,
                            "bytes %" PRId64 " to %" PRId64, v->at, end);
    return true;
}

/* Lowest and highest element of an HBM access. */
static void reach(const wf_nc_view *v, int64_t *low, int64_t *high)
{
    int64_t fold = v->fold > 0 ? v->fold : v->partitions;
    int64_t inner = (v->partitions < fold ? v->partitions : fold) - 1;
    int64_t move[WF_NC_FREE_DIMS + 2], outer = (v->partitions - 1) / fold;
    int moves = 0;
    move[moves++] = inner * v->step;
    move[moves++] = outer * v->outer;
    for (int i = 0; i < v->dims; i++)
        move[moves++] = (int64_t)(v->dim[i].n - 1) * v->dim[i].stride;
    *low = *high = v->at;
    for (int i = 0; i < moves; i++)
        *(move[i] < 0 ? low : high) += move[i];
}

static bool check_hbm(wf_nc_program *p, const wf_nc_view *v, bool write)
{
    int64_t low, high;
    if (!check_dims(p, v))
        return false;
    if (v->tensor < 0 || v->tensor >= p->tensors)
        return wf_nc_refuse(p, WF_NC_RULE_UNNAMED, "tensor %d", v->tensor);
    wf_nc_hbm_tensor *t = &p->tensor[v->tensor];
    if (t->type != v->type)
        return wf_nc_refuse(p, WF_NC_RULE_DMA_TYPE, "%s tensor read as %s",
                            wf_nc_type_name(t->type),
                            wf_nc_type_name(v->type));
    reach(v, &low, &high);
    if (low < 0 || high >= t->elements)
        return wf_nc_refuse(p, WF_NC_RULE_HBM,
                            "elements %" PRId64 " to %" PRId64 " of %" PRId64,
                            low, high, t->elements);
    bool mine = t->kernel == p->kernel;
    if (!mine && t->values == NULL)
        return wf_nc_refuse(p, WF_NC_RULE_UNNAMED, "tensor %d", v->tensor);
    if (write && (t->values != NULL || t->home == WF_NC_ARGUMENT))
        return wf_nc_refuse(p, WF_NC_RULE_ARGUMENT, "tensor %d is written",
                            v->tensor);
    if (write)
        t->written += v->partitions * wf_nc_free_size(v);
    return true;
}

/* ---- Kinds of instruction ----------------------------------------------- */

static bool in_psum(const wf_nc_view *v)
{
    return v->space == WF_NC_PSUM;
}

static bool is_wide(wf_nc_type type)
{
    return type == WF_NC_FP32 || type == WF_NC_TF32;
}

static bool overlaps(const wf_nc_group *g, const wf_nc_view *v)
{
    return v->at < g->high && g->low < v->at + wf_nc_span(v) &&
           v->partition < g->partition + g->partitions &&
           g->partition < v->partition + v->partitions;
}

static bool check_groups(wf_nc_program *p, const wf_nc_instruction *i)
{
    const wf_nc_view *v = &i->dst;
    int found = -1;
    for (int k = 0; k < p->groups; k++)
        if (overlaps(&p->group[k], v))
            found = k;
    wf_nc_group *g = found < 0 ? NULL : &p->group[found];
    bool same = g != NULL && g->low == v->at &&
                g->high == v->at + wf_nc_span(v) &&
                g->partition == v->partition && g->partitions == v->partitions;
    if (i->accumulate && !same)
        return wf_nc_refuse(p, WF_NC_RULE_FIRST,
                            "bank %d, bytes from %" PRId64,
                            (int)(v->at / WF_NC_BANK), v->at % WF_NC_BANK);
    if (!i->accumulate && g != NULL)
        return wf_nc_refuse(p, WF_NC_RULE_OPEN, "bank %d is overwritten",
                            (int)(v->at / WF_NC_BANK));
    if (!i->accumulate) {
        if (p->groups == WF_NC_OPEN_GROUPS)
            return wf_nc_refuse(p, WF_NC_RULE_GROUPS, "a ninth, in bank %d",
                                (int)(v->at / WF_NC_BANK));
        found = p->groups++;
        p->group[found] = (wf_nc_group){.bank = (int)(v->at / WF_NC_BANK),
                                        .partition = v->partition,
                                        .partitions = v->partitions,
                                        .low = v->at,
                                        .high = v->at + wf_nc_span(v)};
        p->counts.groups++;
    }
    if (i->close)
        p->group[found] = p->group[--p->groups];
    return true;
}

static bool check_matmul(wf_nc_program *p, const wf_nc_instruction *i)
{
    int64_t m = wf_nc_free_size(&i->a), n = wf_nc_free_size(&i->b);
    if (i->a.space != WF_NC_SBUF || i->b.space != WF_NC_SBUF)
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_IN, "nc_matmul");
    if (!in_psum(&i->dst))
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_OUT, "nc_matmul");
    if (m > WF_NC_PARTITIONS || n > WF_NC_MOVING)
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_SIZE,
                            "stationary %d x %" PRId64
                            ", moving %d x %" PRId64,
                            i->a.partitions, m, i->b.partitions, n);
    if (is_wide(i->a.type) != is_wide(i->b.type))
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_TYPE, "%s by %s",
                            wf_nc_type_name(i->a.type),
                            wf_nc_type_name(i->b.type));
    if (i->a.partitions != i->b.partitions || i->dst.partitions != m ||
        wf_nc_free_size(&i->dst) != n)
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_SHAPE,
                            "[%d,%" PRId64 "]^T [%d,%" PRId64
                            "] to [%d,%" PRId64 "]",
                            i->a.partitions, m, i->b.partitions, n,
                            i->dst.partitions, wf_nc_free_size(&i->dst));
    return check_groups(p, i);
}

static bool check_transpose(wf_nc_program *p, const wf_nc_instruction *i)
{
    int64_t n = wf_nc_free_size(&i->a);
    bool tensor = i->unit == WF_NC_TENSOR;
    int most = tensor ? WF_NC_PARTITIONS : 32;
    if (i->unit != WF_NC_TENSOR && i->unit != WF_NC_VECTOR)
        return wf_nc_refuse(p, WF_NC_RULE_UNIT, "nc_transpose on %s",
                            wf_nc_unit_name(i->unit));
    if (tensor && i->a.space != WF_NC_SBUF)
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_IN, "nc_transpose");
    if (tensor && !in_psum(&i->dst))
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_OUT, "nc_transpose");
    if (i->a.partitions > most || n > most)
        return wf_nc_refuse(p, WF_NC_RULE_TRANSPOSE_SIZE, "%d x %" PRId64,
                            i->a.partitions, n);
    if (i->dst.partitions != n || wf_nc_free_size(&i->dst) != i->a.partitions)
        return wf_nc_refuse(p, WF_NC_RULE_TENSOR_SHAPE,
                            "%d x %" PRId64 " to %d x %" PRId64,
                            i->a.partitions, n, i->dst.partitions,
                            wf_nc_free_size(&i->dst));
    return true;
}

/* Vector, Scalar and GpSimd: a lane for each partition. */
static bool check_lanes(wf_nc_program *p, const wf_nc_instruction *i)
{
    bool uses_a = i->op != WF_NC_OP_MEMSET;
    bool uses_b = i->op == WF_NC_OP_BINARY || i->by_row;
    int64_t n = wf_nc_free_size(&i->dst);
    if (i->unit == WF_NC_TENSOR || i->unit == WF_NC_DMA ||
        (i->unit == WF_NC_SCALAR && i->op == WF_NC_OP_BINARY))
        return wf_nc_refuse(p, WF_NC_RULE_UNIT, "not on %s",
                            wf_nc_unit_name(i->unit));
    if (i->unit == WF_NC_GPSIMD &&
        (in_psum(&i->dst) || (uses_a && in_psum(&i->a)) ||
         (uses_b && in_psum(&i->b))))
        return wf_nc_refuse(p, WF_NC_RULE_GPSIMD_PSUM, "an operand in PSUM");
    if (i->op == WF_NC_OP_BINARY && in_psum(&i->a) && in_psum(&i->b))
        return wf_nc_refuse(p, WF_NC_RULE_BOTH_PSUM, "tensor_tensor");
    if ((uses_a && i->a.partitions != i->dst.partitions) ||
        (uses_b && i->b.partitions != i->dst.partitions))
        return wf_nc_refuse(p, WF_NC_RULE_ROWS, "%d, %d and %d",
                            i->dst.partitions,
                            uses_a ? i->a.partitions : i->dst.partitions,
                            uses_b ? i->b.partitions : i->dst.partitions);
    if (i->op == WF_NC_OP_REDUCE)
        return n == 1 ? true
                      : wf_nc_refuse(p, WF_NC_RULE_FREE_REDUCE,
                                     "%" PRId64 " numbers a partition", n);
    if ((uses_a && wf_nc_free_size(&i->a) != n) ||
        (i->op == WF_NC_OP_BINARY && wf_nc_free_size(&i->b) != n) ||
        (i->by_row && wf_nc_free_size(&i->b) != 1))
        return wf_nc_refuse(p, WF_NC_RULE_SHAPE,
                            "%" PRId64 " elements a partition", n);
    return true;
}

static bool check_dma(wf_nc_program *p, const wf_nc_instruction *i)
{
    const wf_nc_view *side[2] = {&i->dst, &i->a};
    if (in_psum(&i->dst) || in_psum(&i->a))
        return wf_nc_refuse(p, WF_NC_RULE_DMA_PSUM, "dma_copy");
    if (i->dst.type != i->a.type)
        return wf_nc_refuse(p, WF_NC_RULE_DMA_TYPE, "%s to %s",
                            wf_nc_type_name(i->a.type),
                            wf_nc_type_name(i->dst.type));
    for (int k = 0; k < 2; k++)
        if (side[k]->space == WF_NC_HBM ? !check_hbm(p, side[k], k == 0)
                                        : !check_on_chip(p, side[k], true))
            return false;
    if (i->dst.partitions != i->a.partitions)
        return wf_nc_refuse(p, WF_NC_RULE_ROWS, "%d and %d", i->dst.partitions,
                            i->a.partitions);
    if (wf_nc_free_size(&i->dst) != wf_nc_free_size(&i->a))
        return wf_nc_refuse(p, WF_NC_RULE_SHAPE, "%" PRId64 " and %" PRId64,
                            wf_nc_free_size(&i->dst), wf_nc_free_size(&i->a));
    return true;
}

/* Reading a sum that is not complete. */
static bool check_reads(wf_nc_program *p, const wf_nc_view *v)
{
    for (int k = 0; in_psum(v) && k < p->groups; k++)
        if (overlaps(&p->group[k], v))
            return wf_nc_refuse(p, WF_NC_RULE_OPEN, "bank %d is read",
                                p->group[k].bank);
    return true;
}

bool wf_nc_check(wf_nc_program *p, const wf_nc_instruction *i)
{
    bool two = i->op == WF_NC_OP_MATMUL || i->op == WF_NC_OP_BINARY ||
               i->by_row;
    const wf_nc_view *view[3] = {&i->dst, &i->a, &i->b};
    int views = i->op == WF_NC_OP_MEMSET ? 1 : two ? 3 : 2;
    if (p->status != WEFT_OK)
        return false;
    if (!p->in_kernel)
        return wf_nc_refuse(p, WF_NC_RULE_KERNEL, "an instruction outside");
    if (i->op == WF_NC_OP_DMA)
        return check_dma(p, i);
    for (int k = 0; k < views; k++) {
        if (view[k]->space == WF_NC_HBM)
            return wf_nc_refuse(p, WF_NC_RULE_ON_CHIP,
                                "%s reaches for tensor %d",
                                wf_nc_unit_name(i->unit), view[k]->tensor);
        if (!check_on_chip(p, view[k], false))
            return false;
        if (k > 0 && !check_reads(p, view[k]))
            return false;
    }
    if (i->op == WF_NC_OP_MATMUL)
        return check_matmul(p, i);
    if (!check_reads(p, &i->dst)) /* nor is it written over */
        return false;
    return i->op == WF_NC_OP_TRANSPOSE ? check_transpose(p, i)
                                       : check_lanes(p, i);
}

/* ---- Kernels ------------------------------------------------------------ */

void wf_nc_call(wf_nc_program *p)
{
    if (p->status != WEFT_OK)
        return;
    p->in_call = true;
    p->counts.calls++;
}

void wf_nc_use(wf_nc_program *p, int tensor, wf_nc_home home)
{
    if (p->status != WEFT_OK)
        return;
    if (home == WF_NC_SHARED && !p->core->shared_hbm) {
        wf_nc_refuse(p, WF_NC_RULE_SHARED, "tensor %d on %s", tensor,
                     p->core->name);
        return;
    }
    if (!p->in_kernel || tensor < 0 || tensor >= p->tensors) {
        wf_nc_refuse(p, p->in_kernel ? WF_NC_RULE_UNNAMED : WF_NC_RULE_KERNEL,
                     "tensor %d", tensor);
        return;
    }
    wf_nc_hbm_tensor *t = &p->tensor[tensor];
    t->home = home;
    if (t->kernel == p->kernel)
        return; /* the same tensor, handed out in the end */
    t->kernel = p->kernel;
    t->written = 0;
    t->write_end = t->read_end = 0;
}

bool wf_nc_check_kernel_end(wf_nc_program *p)
{
    if (p->status != WEFT_OK)
        return false;
    if (!p->in_kernel)
        return wf_nc_refuse(p, WF_NC_RULE_KERNEL,
                            "an end without a beginning");
    if (p->groups > 0)
        return wf_nc_refuse(p, WF_NC_RULE_OPEN, "%d at the end of a kernel",
                            p->groups);
    for (int k = 0; k < p->tensors; k++) {
        const wf_nc_hbm_tensor *t = &p->tensor[k];
        if (t->kernel == p->kernel && t->values == NULL &&
            t->home == WF_NC_RESULT &&
            (t->written == 0 || t->written % t->elements != 0))
            return wf_nc_refuse(p, WF_NC_RULE_REMAINDER,
                                "%" PRId64 " of %" PRId64 " elements written",
                                t->written, t->elements);
    }
    return true;
}

bool wf_nc_check_kernel_begin(wf_nc_program *p)
{
    if (p->status != WEFT_OK)
        return false;
    if (p->in_kernel || !p->in_call)
        return wf_nc_refuse(p, WF_NC_RULE_KERNEL,
                            p->in_kernel ? "one inside another" : "no call");
    return true;
}
