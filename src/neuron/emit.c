/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - programs are written here: each instruction checked, timed and,
 * when the program is to run, kept.
 */
#include "neuron/program.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 1 << 20 };

static void no_memory(wf_nc_program *p)
{
    if (p->status == WEFT_OK)
        p->status = wf_fail(WEFT_ERR_NO_MEMORY,
                            "no memory for a NeuronCore program");
}

/* Room for one more element of a growing array; false: no memory. */
static bool grow(wf_nc_program *p, void **array, int64_t count, int64_t *room,
                 size_t size)
{
    if (count < *room)
        return true;
    int64_t more = 2 * *room + 32;
    void *bigger = wf_alloc((size_t)more * size);
    if (bigger == NULL) {
        no_memory(p);
        return false;
    }
    if (count > 0)
        memcpy(bigger, *array, (size_t)count * size);
    wf_free(*array);
    *array = bigger;
    *room = more;
    return true;
}

static bool grow_int(wf_nc_program *p, void **array, int count, int *room,
                     size_t size)
{
    int64_t wide = *room;
    bool good = grow(p, array, count, &wide, size);
    *room = (int)wide;
    return good;
}

wf_nc_program *wf_nc_new(const wf_nc_core *core, bool keep)
{
    wf_nc_program *p = wf_calloc(1, sizeof *p);
    if (p != NULL) {
        p->core = core;
        p->keep = keep;
    }
    return p;
}

void wf_nc_free(wf_nc_program *p)
{
    if (p == NULL)
        return;
    for (int i = 0; i < p->tensors; i++)
        wf_free(p->tensor[i].values);
    while (p->held != NULL) {
        wf_nc_held *next = p->held->next;
        wf_free(p->held);
        p->held = next;
    }
    wf_free(p->tensor);
    wf_free(p->instruction);
    wf_free(p->phase);
    wf_free(p);
}

/* ---- Tensors and kernels ------------------------------------------------ */

static int new_tensor(wf_nc_program *p, wf_nc_type type, int64_t elements)
{
    void *array = p->tensor;
    if (p->status != WEFT_OK ||
        !grow_int(p, &array, p->tensors, &p->tensor_room, sizeof *p->tensor))
        return -1;
    p->tensor = array;
    p->tensor[p->tensors] =
        (wf_nc_hbm_tensor){.type = type, .elements = elements, .kernel = -1};
    p->counts.hbm_bytes += elements * wf_nc_bytes(type);
    return p->tensors++;
}

/* Takes bytes of a machine's block; false, told: they do not fit. */
static bool take(wf_nc_program *p, size_t bytes, size_t *at)
{
    size_t end;
    *at = p->arena;
    if (p->status == WEFT_OK &&
        (!wf_add_size(bytes, 63, &end) || !wf_add_size(p->arena, end, &end)))
        p->status = wf_fail(WEFT_ERR_OVERFLOW, "%zu bytes of HBM", bytes);
    if (p->status == WEFT_OK)
        p->arena = end & ~(size_t)63;
    return p->status == WEFT_OK;
}

void *wf_nc_context(wf_nc_program *p, size_t bytes)
{
    wf_nc_held *held = p->status == WEFT_OK ? wf_alloc(sizeof *held + bytes)
                                            : NULL;
    if (held == NULL) {
        no_memory(p);
        return NULL;
    }
    held->next = p->held;
    p->held = held;
    return held + 1;
}

wf_nc_room wf_nc_host_room(wf_nc_program *p, size_t bytes)
{
    wf_nc_room room;
    take(p, bytes, &room.at);
    return room;
}

int wf_nc_tensor(wf_nc_program *p, wf_nc_type type, int64_t elements)
{
    int64_t bytes = 0;
    size_t at;
    if (p->status == WEFT_OK &&
        (elements < 0 || !wf_mul_i64(elements, wf_nc_bytes(type), &bytes)))
        p->status = wf_fail(WEFT_ERR_OVERFLOW, "an HBM tensor of %lld",
                            (long long)elements);
    if (!take(p, (size_t)bytes, &at))
        return -1;
    int tensor = new_tensor(p, type, elements);
    if (tensor >= 0)
        p->tensor[tensor].offset = at;
    return tensor;
}

int wf_nc_constant(wf_nc_program *p, wf_nc_type type, int64_t elements,
                   const float *values)
{
    int tensor = new_tensor(p, type, elements);
    if (tensor < 0)
        return -1;
    /* A program that only counts needs to know that it is a constant. */
    size_t count = p->keep ? (size_t)elements : 1;
    void *copy = wf_alloc(count * (size_t)wf_nc_bytes(type));
    if (copy == NULL) {
        no_memory(p);
        return -1;
    }
    for (size_t i = 0; p->keep && i < count; i++)
        wf_nc_write(type, copy, (int64_t)i, values[i]);
    p->tensor[tensor].values = copy;
    return tensor;
}

wf_nc_view wf_nc_hbm(const wf_nc_program *p, int tensor, int64_t at,
                     int64_t step, int64_t partitions)
{
    bool good = tensor >= 0 && tensor < p->tensors;
    return (wf_nc_view){.space = WF_NC_HBM,
                        .type = good ? p->tensor[tensor].type : WF_NC_FP32,
                        .tensor = tensor,
                        .at = at,
                        .step = step,
                        .partitions = (int32_t)partitions};
}

static wf_nc_phase *new_phase(wf_nc_program *p)
{
    void *array = p->phase;
    if (!grow_int(p, &array, p->phases, &p->phase_room, sizeof *p->phase))
        return NULL;
    p->phase = array;
    p->phase[p->phases] = (wf_nc_phase){.first = p->instructions,
                                        .start = p->counts.device};
    return &p->phase[p->phases++];
}

void wf_nc_begin(wf_nc_program *p, const char *name)
{
    if (!wf_nc_check_kernel_begin(p))
        return;
    wf_nc_phase *phase = new_phase(p);
    if (phase == NULL)
        return;
    phase->name = name;
    p->in_kernel = true;
    p->kernel++;
    p->counts.kernels++;
    p->sbuf_next = 0;
    wf_nc_schedule_begin(p);
}

void wf_nc_end(wf_nc_program *p)
{
    if (!wf_nc_check_kernel_end(p))
        return;
    wf_nc_phase *phase = &p->phase[p->phases - 1];
    phase->count = p->instructions - phase->first;
    phase->device = wf_nc_schedule_end(p);
    p->counts.device += phase->device;
    p->in_kernel = false;
}

void wf_nc_host(wf_nc_program *p, wf_nc_job *job, const void *context,
                int64_t bytes)
{
    if (p->status != WEFT_OK)
        return;
    wf_nc_phase *phase = new_phase(p);
    if (phase == NULL)
        return;
    phase->name = "host";
    phase->job = job;
    phase->context = context;
    p->counts.host_bytes += bytes;
    p->in_call = false;
}

/* ---- Places on chip ----------------------------------------------------- */

int64_t wf_nc_sbuf(wf_nc_program *p, wf_nc_type type, int64_t columns)
{
    int64_t at = p->sbuf_next;
    p->sbuf_next += (columns * wf_nc_bytes(type) + 63) & ~(int64_t)63;
    return at;
}

void wf_nc_restart(wf_nc_program *p)
{
    p->sbuf_next = 0;
}

int64_t wf_nc_bank(int bank)
{
    return (int64_t)bank * WF_NC_BANK;
}

wf_nc_view wf_nc_tile(wf_nc_space space, wf_nc_type type, int partition,
                      int partitions, int64_t at, int64_t columns)
{
    return (wf_nc_view){.space = space,
                        .type = type,
                        .partition = partition,
                        .partitions = partitions,
                        .at = at,
                        .base = (int32_t)at,
                        .step = 1,
                        .dims = 1,
                        .dim = {{(int32_t)columns, 1}}};
}

wf_nc_view wf_nc_columns(wf_nc_view tile, int64_t first, int64_t count)
{
    tile.at += first * wf_nc_bytes(tile.type);
    tile.dim[tile.dims - 1].n = (int32_t)count;
    return tile;
}

/* ---- Instructions ------------------------------------------------------- */

static void high_water(wf_nc_program *p, const wf_nc_view *v)
{
    int end = (int)(v->at + wf_nc_span(v));
    if (v->space == WF_NC_SBUF && end > p->counts.sbuf_high)
        p->counts.sbuf_high = end;
    int banks = (end + WF_NC_BANK - 1) / WF_NC_BANK;
    if (v->space == WF_NC_PSUM && banks > p->counts.psum_high)
        p->counts.psum_high = banks;
    if (wf_nc_free_size(v) > p->row_high)
        p->row_high = wf_nc_free_size(v);
}

static void emit(wf_nc_program *p, wf_nc_instruction i)
{
    if (!wf_nc_check(p, &i))
        return;
    high_water(p, &i.dst);
    if (i.op != WF_NC_OP_MEMSET)
        high_water(p, &i.a);
    wf_nc_schedule(p, &i);
    if (p->instructions == MOST_INSTRUCTIONS) {
        p->status = wf_fail(WEFT_ERR_UNSUPPORTED,
                            "engine neuron: more than %d instructions: the "
                            "problem is too large for this plan",
                            MOST_INSTRUCTIONS);
        return;
    }
    void *array = p->instruction;
    if (p->keep &&
        !grow(p, &array, p->instructions, &p->instruction_room, sizeof i))
        return;
    p->instruction = array;
    if (p->keep)
        p->instruction[p->instructions] = i;
    p->instructions++;
}

void wf_nc_load(wf_nc_program *p, wf_nc_view dst, wf_nc_view src)
{
    emit(p, (wf_nc_instruction){
                .op = WF_NC_OP_DMA, .unit = WF_NC_DMA, .dst = dst, .a = src});
}

void wf_nc_matmul(wf_nc_program *p, wf_nc_view dst, wf_nc_view stationary,
                  wf_nc_view moving, bool accumulate, bool close)
{
    emit(p, (wf_nc_instruction){.op = WF_NC_OP_MATMUL,
                                .unit = WF_NC_TENSOR,
                                .accumulate = accumulate,
                                .close = close,
                                .dst = dst,
                                .a = stationary,
                                .b = moving});
}

void wf_nc_transpose(wf_nc_program *p, wf_nc_unit unit, wf_nc_view dst,
                     wf_nc_view src)
{
    emit(p, (wf_nc_instruction){
                .op = WF_NC_OP_TRANSPOSE, .unit = unit, .dst = dst, .a = src});
}

void wf_nc_copy(wf_nc_program *p, wf_nc_unit unit, wf_nc_view dst,
                wf_nc_view src)
{
    emit(p, (wf_nc_instruction){
                .op = WF_NC_OP_COPY, .unit = unit, .dst = dst, .a = src});
}

void wf_nc_binary(wf_nc_program *p, wf_nc_unit unit, wf_nc_alu alu,
                  wf_nc_view dst, wf_nc_view a, wf_nc_view b)
{
    emit(p, (wf_nc_instruction){.op = WF_NC_OP_BINARY,
                                .unit = unit,
                                .alu = alu,
                                .dst = dst,
                                .a = a,
                                .b = b});
}

void wf_nc_scalar(wf_nc_program *p, wf_nc_unit unit, wf_nc_alu alu,
                  wf_nc_view dst, wf_nc_view a, float number)
{
    emit(p, (wf_nc_instruction){.op = WF_NC_OP_SCALAR,
                                .unit = unit,
                                .alu = alu,
                                .number = number,
                                .dst = dst,
                                .a = a});
}

void wf_nc_by_row(wf_nc_program *p, wf_nc_unit unit, wf_nc_alu alu,
                  wf_nc_view dst, wf_nc_view a, wf_nc_view rows)
{
    emit(p, (wf_nc_instruction){.op = WF_NC_OP_SCALAR,
                                .unit = unit,
                                .alu = alu,
                                .by_row = true,
                                .dst = dst,
                                .a = a,
                                .b = rows});
}

void wf_nc_reduce(wf_nc_program *p, wf_nc_view dst, wf_nc_view a)
{
    emit(p,
         (wf_nc_instruction){
             .op = WF_NC_OP_REDUCE, .unit = WF_NC_VECTOR, .dst = dst, .a = a});
}

void wf_nc_exponent(wf_nc_program *p, wf_nc_view dst, wf_nc_view a)
{
    emit(p, (wf_nc_instruction){.op = WF_NC_OP_EXPONENT,
                                .unit = WF_NC_VECTOR,
                                .dst = dst,
                                .a = a});
}

void wf_nc_reciprocal(wf_nc_program *p, wf_nc_view dst, wf_nc_view a)
{
    emit(p, (wf_nc_instruction){.op = WF_NC_OP_RECIPROCAL,
                                .unit = WF_NC_VECTOR,
                                .dst = dst,
                                .a = a});
}

void wf_nc_memset(wf_nc_program *p, wf_nc_view dst, float number)
{
    emit(p, (wf_nc_instruction){.op = WF_NC_OP_MEMSET,
                                .unit = WF_NC_VECTOR,
                                .number = number,
                                .dst = dst});
}

/* ---- The whole ---------------------------------------------------------- */

weft_status wf_nc_status(const wf_nc_program *p)
{
    return p->status;
}

weft_status wf_nc_finish(wf_nc_program *p)
{
    if (p->status == WEFT_OK && p->in_kernel)
        wf_nc_end(p);
    return p->status;
}

const wf_nc_counters *wf_nc_counts(const wf_nc_program *p)
{
    return &p->counts;
}

double wf_nc_time(const wf_nc_program *p)
{
    return (double)p->counts.calls * p->core->call +
           (double)p->counts.kernels * p->core->kernel + p->counts.device;
}
