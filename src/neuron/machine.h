/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - a NeuronCore in software: its memories, its instructions with
 * their numbers, what it refuses, what it counts, and when each thing runs.
 *
 * A program is a list of kernels, each a straight line of instructions.  An
 * instruction is checked against the rules (rules.def), priced (cost.c) and
 * put into the timetable (schedule.c) when it is emitted; what the hardware's
 * compiler would refuse, emitting refuses, and names the rule.  Running the
 * program (run.c) moves numbers and cannot fail.
 *
 * The first refusal sticks: later calls do nothing, and wf_nc_finish returns
 * it, so that a lowering reads as the kernel it writes.
 *
 * Figures: the public NKI documentation (architecture guides for trn1 and
 * trn2, the pages of the instructions, the performance guide).
 */
#ifndef WEFT_NEURON_MACHINE_H
#define WEFT_NEURON_MACHINE_H

#include "base/base.h"

/* ---- The core ----------------------------------------------------------- */

typedef enum wf_nc_unit {
    WF_NC_TENSOR,
    WF_NC_VECTOR,
    WF_NC_SCALAR,
    WF_NC_GPSIMD,
    WF_NC_DMA,
    WF_NC_UNITS
} wf_nc_unit;
const char *wf_nc_unit_name(wf_nc_unit unit);

/* How the Tensor engine multiplies bf16: the posts measured 1.7e-3 for their
 * three-product mode, which the first model does not explain. */
typedef enum wf_nc_product {
    WF_NC_EXACT,        /* exact products, FP32 sums: what the guide states */
    WF_NC_PRODUCT_BF16, /* every product rounded to bf16 */
    WF_NC_OUTPUT_BF16   /* the sum of every nc_matmul rounded to bf16 */
} wf_nc_product;

typedef struct wf_nc_core {
    const char *name;
    double ghz[WF_NC_DMA]; /* clocks of the four compute engines */
    int sbuf_bytes;        /* of one partition */
    int psum_banks;        /* 2 KiB each, of one partition */
    double dma_rate;       /* bytes per ns, all queues of a core */
    double dma_start;      /* ns until the first byte moves */
    int dma_queues;        /* transfers in flight */
    int dma_short;         /* a shorter descriptor costs as much as this */
    bool shared_hbm;       /* may a kernel allocate shared HBM of its own? */
    int vector_half_rate;  /* 16-bit elements a lane takes each cycle */
    wf_nc_product product;
    /* Calibrated on the posts' tables (docs/neuron.md), ns: the host starting
     * a compiled graph, and each device operation (kernel) in it. */
    double call, kernel;
} wf_nc_core;

extern const wf_nc_core wf_nc_trn1, wf_nc_trn2;

enum {
    WF_NC_PARTITIONS = 128,
    WF_NC_BANK = 2048,      /* bytes of a PSUM bank in a partition */
    WF_NC_BANK_WORDS = 512, /* FP32 numbers in it */
    WF_NC_OPEN_GROUPS = 8,
    WF_NC_FREE_DIMS = 4,
    WF_NC_MOVING = 512,       /* columns of a moving operand */
    WF_NC_ACCESS_CYCLES = 60, /* from a result to its first reader */
    WF_NC_TINY_CYCLES = 100   /* the same between tiny instructions */
};

/* ---- Numbers and where they are ----------------------------------------- */

typedef enum wf_nc_type {
    WF_NC_FP32,
    WF_NC_TF32, /* FP32 with 10 bits of fraction, 4 bytes */
    WF_NC_BF16,
    WF_NC_FP16,
    WF_NC_INT8,
    WF_NC_FP64 /* can be said, and is refused */
} wf_nc_type;
int wf_nc_bytes(wf_nc_type type);
const char *wf_nc_type_name(wf_nc_type type);

typedef enum wf_nc_space { WF_NC_SBUF, WF_NC_PSUM, WF_NC_HBM } wf_nc_space;

/* Free dimensions, outermost first, in elements.  One more than there may be,
 * so that too many can be said and refused. */
typedef struct wf_nc_dim {
    int32_t n, stride;
} wf_nc_dim;

/* An access: `partitions` rows of `dims` free dimensions.
 * On chip: rows are partitions `partition`, +1, ..; `at` is a byte address in
 * each of them.
 * HBM: row i starts at element at + (i / fold) outer + (i % fold) step of
 * `tensor` (fold 0: at + i step); a step of 0 reads one row into all. */
typedef struct wf_nc_view {
    wf_nc_space space;
    wf_nc_type type;
    int32_t tensor, partition, partitions, dims;
    int64_t at, step, outer;
    int32_t fold, base; /* base: where the on-chip tile begins */
    wf_nc_dim dim[WF_NC_FREE_DIMS + 1];
} wf_nc_view;

/* A tile: `columns` contiguous elements in each of some partitions. */
wf_nc_view wf_nc_tile(wf_nc_space space, wf_nc_type type, int partition,
                      int partitions, int64_t at, int64_t columns);
/* Columns first .. first + count of a tile. */
wf_nc_view wf_nc_columns(wf_nc_view tile, int64_t first, int64_t count);
int64_t wf_nc_free_size(const wf_nc_view *view); /* elements in a partition */

/* ---- Instructions ------------------------------------------------------- */

typedef enum wf_nc_op {
    WF_NC_OP_MATMUL,    /* dst (+)= a^T b: a stationary, b moving */
    WF_NC_OP_TRANSPOSE, /* dst = a^T */
    WF_NC_OP_COPY,      /* dst = a, to dst's type */
    WF_NC_OP_BINARY,    /* dst = a (alu) b */
    WF_NC_OP_SCALAR,    /* dst = a (alu) number, or a (alu) b[row] */
    WF_NC_OP_REDUCE,    /* dst[row] = max |a[row]| */
    WF_NC_OP_EXPONENT,  /* dst = 2^floor(log2 |a|), at least 2^-100 */
    WF_NC_OP_RECIPROCAL,
    WF_NC_OP_MEMSET,
    WF_NC_OP_DMA
} wf_nc_op;

typedef enum wf_nc_alu { WF_NC_ADD, WF_NC_SUB, WF_NC_MUL } wf_nc_alu;

typedef struct wf_nc_instruction {
    wf_nc_op op;
    wf_nc_unit unit;
    wf_nc_alu alu;
    bool accumulate, close; /* matmul: onto the open group; ends the group */
    bool by_row;            /* scalar: b has one number for each row */
    float number;
    wf_nc_view dst, a, b;
    double begin, end; /* ns from the start of its kernel */
} wf_nc_instruction;

/* ---- Programs ----------------------------------------------------------- */

typedef enum wf_nc_home {
    WF_NC_ARGUMENT, /* handed to a kernel: immutable in it */
    WF_NC_RESULT,   /* handed out by a kernel: written completely */
    WF_NC_PRIVATE,  /* a kernel's own, private HBM */
    WF_NC_SHARED    /* a kernel's own, shared HBM */
} wf_nc_home;

enum { WF_NC_SIZES = 5 };
typedef struct wf_nc_counters {
    int64_t calls, kernels;
    int64_t instructions[WF_NC_UNITS];
    double cycles[WF_NC_DMA]; /* compute engines */
    double busy[WF_NC_UNITS]; /* ns */
    int64_t bytes;            /* by DMA */
    int64_t descriptors;
    int64_t
        size_count[WF_NC_SIZES]; /* descriptors < 64, 512, 2048, 8192, .. */
    int64_t size_bytes[WF_NC_SIZES];
    int64_t groups;           /* of accumulation in PSUM */
    int64_t stationaries;     /* loads of the stationary operand */
    int64_t multiplies;       /* multiply-accumulates of the Tensor engine */
    int sbuf_high, psum_high; /* bytes of a partition, banks */
    int64_t hbm_bytes;
    int64_t host_bytes; /* prepared or combined by the host */
    double device;      /* ns, all kernels, without their start */
} wf_nc_counters;

typedef struct wf_nc_program wf_nc_program;

/* `keep` false: only counts and times, for prices.  NULL: no memory. */
wf_nc_program *wf_nc_new(const wf_nc_core *core, bool keep);
void wf_nc_free(wf_nc_program *program);

/* An HBM tensor; lives as long as the program.  Content is NaN until written.
 * A constant is an argument whose values are given (copied). */
int wf_nc_tensor(wf_nc_program *program, wf_nc_type type, int64_t elements);
int wf_nc_constant(wf_nc_program *program, wf_nc_type type, int64_t elements,
                   const float *values);
wf_nc_view wf_nc_hbm(const wf_nc_program *program, int tensor, int64_t at,
                     int64_t step, int64_t partitions);

/* One graph compiled and started by the host: what follows, until the next
 * call, costs its start once. */
void wf_nc_call(wf_nc_program *program);
/* A kernel: everything on chip is unknown (NaN) again.  Constants are its
 * arguments; other tensors are what `use` says until the kernel's end. */
void wf_nc_begin(wf_nc_program *program, const char *name);
void wf_nc_use(wf_nc_program *program, int tensor, wf_nc_home home);
void wf_nc_end(wf_nc_program *program);
/* A step of the host between calls: job(context, machine) at run time. */
typedef struct wf_nc_machine wf_nc_machine;
typedef void wf_nc_job(const void *context, wf_nc_machine *machine);
void wf_nc_host(wf_nc_program *program, wf_nc_job *job, const void *context,
                int64_t bytes);
/* What such steps need: memory for their context, which lives as long as the
 * program (NULL: the program has failed), and memory of each machine. */
void *wf_nc_context(wf_nc_program *program, size_t bytes);
typedef struct wf_nc_room {
    size_t at;
} wf_nc_room;
wf_nc_room wf_nc_host_room(wf_nc_program *program, size_t bytes);

/* SBUF addresses, from 0 up in a kernel; PSUM tiles begin at a bank. */
int64_t wf_nc_sbuf(wf_nc_program *program, wf_nc_type type, int64_t columns);
void wf_nc_restart(wf_nc_program *program); /* from 0 again: a new pass */
int64_t wf_nc_bank(int bank);

void wf_nc_load(wf_nc_program *program, wf_nc_view dst, wf_nc_view src);
void wf_nc_matmul(wf_nc_program *program, wf_nc_view dst,
                  wf_nc_view stationary, wf_nc_view moving, bool accumulate,
                  bool close);
void wf_nc_transpose(wf_nc_program *program, wf_nc_unit unit, wf_nc_view dst,
                     wf_nc_view src);
void wf_nc_copy(wf_nc_program *program, wf_nc_unit unit, wf_nc_view dst,
                wf_nc_view src);
void wf_nc_binary(wf_nc_program *program, wf_nc_unit unit, wf_nc_alu alu,
                  wf_nc_view dst, wf_nc_view a, wf_nc_view b);
void wf_nc_scalar(wf_nc_program *program, wf_nc_unit unit, wf_nc_alu alu,
                  wf_nc_view dst, wf_nc_view a, float number);
void wf_nc_by_row(wf_nc_program *program, wf_nc_unit unit, wf_nc_alu alu,
                  wf_nc_view dst, wf_nc_view a, wf_nc_view rows);
void wf_nc_reduce(wf_nc_program *program, wf_nc_view dst, wf_nc_view a);
void wf_nc_exponent(wf_nc_program *program, wf_nc_view dst, wf_nc_view a);
void wf_nc_reciprocal(wf_nc_program *program, wf_nc_view dst, wf_nc_view a);
void wf_nc_memset(wf_nc_program *program, wf_nc_view dst, float number);

/* The first refusal, or WEFT_OK with everything counted. */
weft_status wf_nc_finish(wf_nc_program *program);
weft_status wf_nc_status(const wf_nc_program *program);
const wf_nc_counters *wf_nc_counts(const wf_nc_program *program);
/* ns of one execution: calls and kernels at their price, and the device. */
double wf_nc_time(const wf_nc_program *program);

/* A counter by its name ("device_ns", "tensor_cycles", ..; report.c lists
 * them); false: there is none. */
bool wf_nc_figure(const wf_nc_program *program, const char *name,
                  double *value);
size_t wf_nc_table_bytes(const wf_nc_program *program); /* constants */

/* One line an instruction: KERNEL UNIT BEGIN END WHAT, times in ns from the
 * start of the first kernel, kernels one behind the other. */
void wf_nc_timetable(const wf_nc_program *program, wf_text *text);
void wf_nc_report(const wf_nc_program *program, wf_text *text);

/* ---- Running (run.c) ---------------------------------------------------- */

size_t wf_nc_machine_bytes(const wf_nc_program *program);
/* `block`: machine_bytes, 64-byte aligned, any content. */
wf_nc_machine *wf_nc_machine_at(const wf_nc_program *program, void *block);
void *wf_nc_machine_tensor(wf_nc_machine *machine, int tensor);
void *wf_nc_machine_room(wf_nc_machine *machine, wf_nc_room room);
void wf_nc_machine_run(wf_nc_machine *machine);

/* numbers.c: one number of a type, rounded to nearest even. */
float wf_nc_read(wf_nc_type type, const void *at, int64_t index);
void wf_nc_write(wf_nc_type type, void *at, int64_t index, float value);
/* `count` numbers, `stride` apart from `index` on. */
void wf_nc_read_many(wf_nc_type type, const void *at, int64_t index,
                     int64_t stride, int64_t count, float *out);
float wf_nc_round(wf_nc_type type, float value);

#endif
