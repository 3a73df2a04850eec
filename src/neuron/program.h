/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - what the files of the machine share: a program from inside.
 */
#ifndef WEFT_NEURON_PROGRAM_H
#define WEFT_NEURON_PROGRAM_H

#include "neuron/machine.h"

typedef struct wf_nc_hbm_tensor {
    wf_nc_type type;
    int64_t elements;
    void *values;    /* a constant's, else NULL */
    size_t offset;   /* in a machine's block */
    wf_nc_home home; /* in the kernel `kernel` */
    int kernel;
    int64_t written;            /* elements, in that kernel */
    double write_end, read_end; /* ns, in that kernel */
} wf_nc_hbm_tensor;

typedef struct wf_nc_phase {
    const char *name;
    int64_t first, count; /* instructions of a kernel */
    double start, device; /* ns */
    wf_nc_job *job;       /* or a step of the host */
    const void *context;
} wf_nc_phase;

typedef struct wf_nc_group {
    int bank, partition, partitions;
    int64_t low, high; /* bytes in the partition */
} wf_nc_group;

/* Dependencies are seen in pieces of 256 bytes by 32 partitions. */
enum {
    GRANULE = 256,
    QUADRANTS = 4,
    SBUF_GRANULES = 1024,
    PSUM_GRANULES = 64
};

typedef struct wf_nc_moment {
    double write_end, read_end;
} wf_nc_moment;

typedef struct wf_nc_clocks {
    double free[WF_NC_DMA]; /* compute engines */
    double loads, stores;   /* the two directions of DMA */
    int64_t transfers;
    double end, moving; /* of the kernel; ns of DMA at full rate */
    double matmul_begin, weights_end, weights_ready;
    wf_nc_view weights;
    wf_nc_moment sbuf[SBUF_GRANULES][QUADRANTS];
    wf_nc_moment psum[PSUM_GRANULES][QUADRANTS];
    double ring[64];
} wf_nc_clocks;

/* A context of a host's step: the list, then the bytes. */
typedef struct wf_nc_held {
    _Alignas(64) struct wf_nc_held *next;
} wf_nc_held;

struct wf_nc_program {
    const wf_nc_core *core;
    bool keep, in_kernel, in_call;
    weft_status status;
    wf_nc_counters counts;
    wf_nc_instruction *instruction;
    int64_t instructions, instruction_room;
    wf_nc_phase *phase;
    int phases, phase_room, kernel; /* kernel: number of the latest */
    wf_nc_hbm_tensor *tensor;
    int tensors, tensor_room;
    int64_t sbuf_next;
    wf_nc_group group[WF_NC_OPEN_GROUPS];
    int groups;
    wf_nc_held *held;
    size_t arena;     /* bytes of tensors that are no constants */
    int64_t row_high; /* elements of the longest row */
    wf_nc_clocks clocks;
};

typedef enum wf_nc_rule {
#define WF_NC_RULE(id, name, sentence) WF_NC_RULE_##id,
#include "neuron/rules.def"
#undef WF_NC_RULE
    WF_NC_RULES
} wf_nc_rule;

/* rules.c.  The program fails by the rule unless it has failed already:
 * false. */
__attribute__((format(printf, 3, 4))) bool wf_nc_refuse(wf_nc_program *program,
                                                        wf_nc_rule rule,
                                                        const char *format,
                                                        ...);
/* "WHO: WHAT; NeuronCore rule NAME: SENTENCE", for what is refused before
 * there is a program. */
weft_status wf_nc_lacks(wf_nc_rule rule, const char *who, const char *what);
/* False when a rule refuses it (then program->status says so). */
bool wf_nc_check(wf_nc_program *program, const wf_nc_instruction *i);
bool wf_nc_check_kernel_begin(wf_nc_program *program);
bool wf_nc_check_kernel_end(wf_nc_program *program);
/* Bytes from a view's first element to the end of its last. */
int64_t wf_nc_span(const wf_nc_view *view);

/* cost.c: cycles of a compute instruction. */
double wf_nc_cycles(const wf_nc_core *core, const wf_nc_instruction *i);
/* Elements of one descriptor of a transfer. */
int64_t wf_nc_descriptor(const wf_nc_instruction *i);

/* schedule.c: fills begin and end, and the busy counters. */
void wf_nc_schedule(wf_nc_program *program, wf_nc_instruction *i);
void wf_nc_schedule_begin(wf_nc_program *program);
double wf_nc_schedule_end(wf_nc_program *program);

#endif
