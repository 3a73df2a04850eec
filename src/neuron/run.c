/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - a machine's memories, and the program run on them.
 *
 * Every engine reads numbers widened to FP32 and writes them rounded to the
 * destination's type.  The Tensor engine adds its products in FP32 down the
 * partitions, first to last, and then the sum to PSUM; products of bf16, fp16,
 * tf32 and int8 are exact in FP32, fp32 products enter the sum unrounded.
 * Memory that nobody wrote is NaN: on chip at the start of every kernel, in
 * HBM at the start of the program.
 */
#include "neuron/program.h"

#include <math.h>
#include <string.h>

enum { ROW = 128 * WF_NC_MOVING };

struct wf_nc_machine {
    const wf_nc_program *program;
    char *sbuf, *psum, *hbm;
    size_t pitch; /* bytes of a partition of SBUF that are used */
    float *a, *b, *sum;
};

static size_t round64(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static size_t pitch_of(const wf_nc_program *p)
{
    return round64((size_t)p->counts.sbuf_high);
}

/* What a, b and sum hold: the operands of a matmul, or the longest row. */
static size_t row_room(const wf_nc_program *p)
{
    size_t most = (size_t)p->row_high;
    return ((most > ROW ? most : ROW) + 15) & ~(size_t)15;
}

enum { PSUM_PITCH = 8 * WF_NC_BANK };

size_t wf_nc_machine_bytes(const wf_nc_program *p)
{
    return round64(sizeof(wf_nc_machine)) + WF_NC_PARTITIONS * pitch_of(p) +
           WF_NC_PARTITIONS * PSUM_PITCH + 3 * row_room(p) * sizeof(float) +
           p->arena;
}

wf_nc_machine *wf_nc_machine_at(const wf_nc_program *p, void *block)
{
    char *at = block;
    wf_nc_machine *m = block;
    *m = (wf_nc_machine){.program = p, .pitch = pitch_of(p)};
    m->sbuf = at += round64(sizeof *m);
    m->psum = at += WF_NC_PARTITIONS * m->pitch;
    at += WF_NC_PARTITIONS * PSUM_PITCH;
    m->a = (float *)(void *)at;
    m->b = m->a + row_room(p);
    m->sum = m->b + row_room(p);
    m->hbm = at + 3 * row_room(p) * sizeof(float);
    memset(m->hbm, 0xff, p->arena);
    return m;
}

void *wf_nc_machine_tensor(wf_nc_machine *m, int tensor)
{
    return m->hbm + m->program->tensor[tensor].offset;
}

void *wf_nc_machine_room(wf_nc_machine *m, wf_nc_room room)
{
    return m->hbm + room.at;
}

/* ---- Rows --------------------------------------------------------------- */

static char *row_at(wf_nc_machine *m, const wf_nc_view *v, int row)
{
    int bytes = wf_nc_bytes(v->type);
    if (v->space == WF_NC_HBM) {
        const wf_nc_hbm_tensor *t = &m->program->tensor[v->tensor];
        char *base = t->values != NULL ? t->values : m->hbm + t->offset;
        int64_t at = v->at + (v->fold > 0 ? row / v->fold * v->outer +
                                                row % v->fold * v->step
                                          : row * v->step);
        return base + at * bytes;
    }
    size_t partition = (size_t)(v->partition + row);
    return (v->space == WF_NC_SBUF ? m->sbuf + partition * m->pitch
                                   : m->psum + partition * PSUM_PITCH) +
           v->at;
}

/* A row of a view between memory and a contiguous float array. */
typedef struct walk {
    const wf_nc_view *view;
    char *at;
    float *row;
    bool write;
} walk;

static void walk_dim(walk *w, int dim, int64_t offset)
{
    wf_nc_dim d = w->view->dim[dim];
    wf_nc_type type = w->view->type;
    if (dim + 1 < w->view->dims) {
        for (int32_t i = 0; i < d.n; i++)
            walk_dim(w, dim + 1, offset + (int64_t)i * d.stride);
        return;
    }
    if (type == WF_NC_FP32 && d.stride == 1) {
        float *memory = (float *)(void *)w->at + offset;
        memcpy(w->write ? memory : w->row, w->write ? w->row : memory,
               (size_t)d.n * sizeof(float));
    } else if (w->write) {
        for (int32_t i = 0; i < d.n; i++)
            wf_nc_write(type, w->at, offset + (int64_t)i * d.stride,
                        w->row[i]);
    } else {
        wf_nc_read_many(type, w->at, offset, d.stride, d.n, w->row);
    }
    w->row += d.n;
}

static void read_row(wf_nc_machine *m, const wf_nc_view *v, int row,
                     float *out)
{
    walk w = {v, row_at(m, v, row), out, false};
    walk_dim(&w, 0, 0);
}

static void write_row(wf_nc_machine *m, const wf_nc_view *v, int row,
                      float *in)
{
    walk w = {v, row_at(m, v, row), in, true};
    walk_dim(&w, 0, 0);
}

/* ---- DMA ----------------------------------------------------------------- */

/* Bytes as they are, row by row: between memory and a contiguous row. */
static char *move_bytes(const wf_nc_view *v, int dim, char *at, char *row,
                        bool write)
{
    wf_nc_dim d = v->dim[dim];
    int bytes = wf_nc_bytes(v->type);
    bool inner = dim + 1 == v->dims;
    if (inner && d.stride == 1) {
        size_t length = (size_t)d.n * (size_t)bytes;
        memcpy(write ? at : row, write ? row : at, length);
        return row + length;
    }
    for (int32_t i = 0; i < d.n; i++, at += (ptrdiff_t)d.stride * bytes) {
        if (!inner) {
            row = move_bytes(v, dim + 1, at, row, write);
            continue;
        }
        memcpy(write ? at : row, write ? row : at, (size_t)bytes);
        row += bytes;
    }
    return row;
}

static void run_dma(wf_nc_machine *m, const wf_nc_instruction *i)
{
    for (int row = 0; row < i->dst.partitions; row++) {
        char *buffer = (char *)m->a;
        move_bytes(&i->a, 0, row_at(m, &i->a, row), buffer, false);
        move_bytes(&i->dst, 0, row_at(m, &i->dst, row), buffer, true);
    }
}

/* ---- The Tensor engine -------------------------------------------------- */

static void add_products(float *restrict sum, const float *restrict moving,
                         float s, int64_t n, bool wide, bool rounded)
{
    if (wide)
        for (int64_t j = 0; j < n; j++)
            sum[j] = (float)((double)sum[j] + (double)s * (double)moving[j]);
    else if (rounded)
        for (int64_t j = 0; j < n; j++)
            sum[j] += wf_nc_round(WF_NC_BF16, s * moving[j]);
    else
        for (int64_t j = 0; j < n; j++)
            sum[j] += s * moving[j];
}

static void run_matmul(wf_nc_machine *m, const wf_nc_instruction *i)
{
    int rows = i->a.partitions, columns = i->dst.partitions;
    int64_t n = wf_nc_free_size(&i->dst);
    bool wide = i->a.type == WF_NC_FP32 || i->b.type == WF_NC_FP32;
    bool bf16 = i->a.type == WF_NC_BF16 && i->b.type == WF_NC_BF16;
    wf_nc_product product = m->program->core->product;
    for (int k = 0; k < rows; k++) {
        read_row(m, &i->a, k, m->a + (size_t)k * (size_t)columns);
        read_row(m, &i->b, k, m->b + (int64_t)k * n);
    }
    for (int c = 0; c < columns; c++) {
        float *sum = m->sum, *before = m->sum + n;
        memset(sum, 0, (size_t)n * sizeof *sum);
        for (int k = 0; k < rows; k++)
            add_products(sum, m->b + (int64_t)k * n,
                         m->a[(size_t)k * (size_t)columns + (size_t)c], n,
                         wide, bf16 && product == WF_NC_PRODUCT_BF16);
        for (int64_t j = 0; bf16 && product == WF_NC_OUTPUT_BF16 && j < n; j++)
            sum[j] = wf_nc_round(WF_NC_BF16, sum[j]);
        if (i->accumulate) {
            read_row(m, &i->dst, c, before);
            for (int64_t j = 0; j < n; j++)
                sum[j] = before[j] + sum[j];
        }
        write_row(m, &i->dst, c, sum);
    }
}

static void run_transpose(wf_nc_machine *m, const wf_nc_instruction *i)
{
    int rows = i->a.partitions, columns = i->dst.partitions;
    for (int k = 0; k < rows; k++)
        read_row(m, &i->a, k, m->a + (size_t)k * (size_t)columns);
    for (int c = 0; c < columns; c++) {
        for (int k = 0; k < rows; k++)
            m->b[k] = m->a[(size_t)k * (size_t)columns + (size_t)c];
        write_row(m, &i->dst, c, m->b);
    }
}

/* ---- A lane for each partition ------------------------------------------ */

static float alu(wf_nc_alu op, float a, float b)
{
    return op == WF_NC_ADD ? a + b : op == WF_NC_SUB ? a - b : a * b;
}

static float exponent(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= 0x7f800000;
    memcpy(&value, &bits, sizeof value);
    return value < 0x1p-100f ? 0x1p-100f : value;
}

/* fmaxf forgets NaN; the engine does not. */
static float largest(const float *a, int64_t n)
{
    float most = 0;
    for (int64_t j = 0; j < n; j++)
        if (!(fabsf(a[j]) <= most))
            most = isnan(most) ? most : fabsf(a[j]);
    return most;
}

static void run_row(wf_nc_machine *m, const wf_nc_instruction *i, int row)
{
    float *a = m->a, *b = m->b, *out = m->sum;
    int64_t n = wf_nc_free_size(&i->dst);
    if (i->op != WF_NC_OP_MEMSET)
        read_row(m, &i->a, row, a);
    if (i->op == WF_NC_OP_BINARY || i->by_row)
        read_row(m, &i->b, row, b);
    float number = i->by_row ? b[0] : i->number;
    switch (i->op) {
    case WF_NC_OP_BINARY:
        for (int64_t j = 0; j < n; j++)
            out[j] = alu(i->alu, a[j], b[j]);
        break;
    case WF_NC_OP_SCALAR:
        for (int64_t j = 0; j < n; j++)
            out[j] = alu(i->alu, a[j], number);
        break;
    case WF_NC_OP_REDUCE: out[0] = largest(a, wf_nc_free_size(&i->a)); break;
    case WF_NC_OP_EXPONENT:
        for (int64_t j = 0; j < n; j++)
            out[j] = exponent(a[j]);
        break;
    case WF_NC_OP_RECIPROCAL:
        for (int64_t j = 0; j < n; j++)
            out[j] = 1 / a[j];
        break;
    case WF_NC_OP_MEMSET:
        for (int64_t j = 0; j < n; j++)
            out[j] = number;
        break;
    default: out = a; break; /* copy */
    }
    write_row(m, &i->dst, row, out);
}

static void run_kernel(wf_nc_machine *m, const wf_nc_phase *phase)
{
    memset(m->sbuf, 0xff, WF_NC_PARTITIONS * m->pitch);
    memset(m->psum, 0xff, WF_NC_PARTITIONS * PSUM_PITCH);
    for (int64_t k = 0; k < phase->count; k++) {
        const wf_nc_instruction *i =
            &m->program->instruction[phase->first + k];
        if (i->op == WF_NC_OP_MATMUL)
            run_matmul(m, i);
        else if (i->op == WF_NC_OP_TRANSPOSE)
            run_transpose(m, i);
        else if (i->op == WF_NC_OP_DMA)
            run_dma(m, i);
        else
            for (int row = 0; row < i->dst.partitions; row++)
                run_row(m, i, row);
    }
}

void wf_nc_machine_run(wf_nc_machine *m)
{
    for (int k = 0; k < m->program->phases; k++) {
        const wf_nc_phase *phase = &m->program->phase[k];
        if (phase->job != NULL)
            phase->job(phase->context, m);
        else
            run_kernel(m, phase);
    }
}
