/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lower.h - from the steps of a plan to the machine's instructions.
 *
 * On the device data are two planes of FP32 in HBM, packed row-major, loops of
 * the batch outermost.  Each emitter reads one pair of planes and writes
 * another, inside a kernel that the caller has begun; kernels end only where
 * the plan says so (`.` between passes: one kernel each, as the posts' drivers
 * do; `+`: the same kernel), because starting one costs more than most
 * transforms.
 */
#ifndef WEFT_NEURON_LOWER_H
#define WEFT_NEURON_LOWER_H

#include "neuron/machine.h"
#include "plan/engine.h"

typedef struct wf_nc_pair {
    int re, im;
} wf_nc_pair;

/* How numbers go through the Tensor engine: `parts` numbers of `type` whose
 * sum stands for an FP32 number, their products added smallest first.  The
 * second of two scaled parts is WF_NC_LIFT times as large as it is worth. */
#define WF_NC_LIFT 2048.0f
typedef struct wf_nc_mode {
    wf_nc_type type;
    int parts;
    bool scaled;  /* every row by a power of two, into fp16's range */
    bool refined; /* corrected by an FP32 residual, once */
} wf_nc_mode;

enum { WF_NC_SPARES = 5, WF_NC_LARGEST_RADIX = 64 };

typedef struct wf_nc_lowering {
    wf_nc_program *program;
    wf_nc_mode mode;
    bool inverse;
    int64_t total; /* complex elements of the whole problem */
    wf_nc_pair at; /* where the data are */
    /* A kernel writes to planes that are not its argument, from others. */
    wf_nc_pair spare[WF_NC_SPARES], argument;
    wf_nc_pair kept[2]; /* not to be written to: re -1, or needed later */
    double variance;    /* of the relative error to expect */
    double worst;       /* the same of rows whose norm is one element's */
    bool open;          /* a kernel is */
} wf_nc_lowering;

/* One transform of length n for each of `rows` packed rows. */
typedef struct wf_nc_shape {
    int64_t rows, n;
} wf_nc_shape;

/* A self-sorting pass: radix r after passes whose radices multiply to s, as
 * cpu/stockham.c has it: x[c + j n/r] to y[p r s + k s + q], c = p s + q, times
 * exp(-+2 pi i p k / (r m)), m = n/(r s). */
typedef struct wf_nc_pass {
    int64_t rows, n, s;
    int r;
    double scale;
} wf_nc_pass;

/* Where the data are before and after, and the relative L2 error to expect. */
typedef struct wf_nc_ends {
    wf_nc_pair in, out; /* planes on the device */
    bool sliced;        /* or doubles, re before im, on the host */
    wf_nc_room planes;
    double error, bound; /* to expect, and not exceeded; relative L2 */
} wf_nc_ends;

/* lower.c: the frame. */
weft_status wf_nc_lower(wf_nc_program *program, const wf_problem *problem,
                        const wf_step *tree, wf_nc_ends *ends);
/* Refuses a step that is not lowered, wherever it stands. */
weft_status wf_nc_has(const wf_step *step);
/* Does an axis step walk as the engine wants it to? */
bool wf_nc_walks(const wf_problem *problem, const wf_step *axis);
/* One axis alone, for its price. */
weft_status wf_nc_lower_axis(wf_nc_program *program, const wf_problem *problem,
                             const wf_step *axis);
/* A transform of `rows` packed rows, from l->at. */
void wf_nc_transform(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                     double scale);
/* Planes of l->total numbers. */
wf_nc_pair wf_nc_new_pair(wf_nc_lowering *l);
void wf_nc_use_pair(wf_nc_lowering *l, wf_nc_pair pair, wf_nc_home home);

/* Begins a kernel unless one is open; the data are its argument. */
void wf_nc_open(wf_nc_lowering *l, const char *name);
/* Ends it; the data are its result. */
void wf_nc_close(wf_nc_lowering *l);
/* The planes to write next, and that they are written. */
wf_nc_pair wf_nc_target(wf_nc_lowering *l);
void wf_nc_arrived(wf_nc_lowering *l, wf_nc_pair at);

/* The emitters: from l->at to wf_nc_target. */
void wf_nc_matrix(wf_nc_lowering *l, wf_nc_shape shape, double scale);
void wf_nc_tensor_pass(wf_nc_lowering *l, const wf_nc_pass *pass);
void wf_nc_vector_pass(wf_nc_lowering *l, const wf_nc_pass *pass);
void wf_nc_swap_axes(wf_nc_lowering *l, int64_t outer, int64_t rows,
                     int64_t columns);
void wf_nc_rescale(wf_nc_lowering *l, double scale);
/* One set of legs in `partitions`, `each` columns of each leg side by side, at
 * SBUF addresses of the planes: sums and differences of radix 2 or 4. */
typedef struct wf_nc_legs {
    int64_t partitions, each;
    int64_t in[2], sum[2], out[2];
} wf_nc_legs;
void wf_nc_butterfly(wf_nc_lowering *l, int r, const wf_nc_legs *legs);
/* planes.c: out = a (alu) b, element by element. */
void wf_nc_planes(wf_nc_lowering *l, wf_nc_alu alu, wf_nc_pair out,
                  wf_nc_pair a, wf_nc_pair b, int64_t elements);
/* n numbers of each row times the same n of a table, from planes whose rows
 * are `pitch` apart to others; and zeros to columns first .. of rows. */
typedef struct wf_nc_side {
    wf_nc_pair pair;
    int64_t pitch;
} wf_nc_side;
void wf_nc_times_table(wf_nc_lowering *l, wf_nc_side in, wf_nc_side out,
                       wf_nc_pair table, int64_t rows, int64_t n);
void wf_nc_zero_rows(wf_nc_lowering *l, wf_nc_side out, int64_t rows,
                     int64_t first, int64_t count);
/* Every row of n times the same n twiddles. */
void wf_nc_twiddle_rows(wf_nc_lowering *l, wf_nc_pair twiddle, int64_t rows,
                        int64_t n);
/* posts.c: the same pass in kernels of its own, as the posts' drivers run it:
 * the radix-r kernel, the twiddles, the permutation. */
void wf_nc_posts_pass(wf_nc_lowering *l, const wf_nc_pass *pass);

/* long.c: lengths that no pass has; a scale goes into their last product. */
void wf_nc_sixstep(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                   double scale);
void wf_nc_bluestein(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                     double scale);

/* tables.c */
/* exp(-+pi i k^2/n), k < n, the same times scale, and the transform of its
 * conjugate wrapped to m, over m. */
typedef struct wf_nc_chirp {
    wf_nc_pair in, out, spectrum;
} wf_nc_chirp;
wf_nc_chirp wf_nc_chirps(wf_nc_lowering *l, int64_t n, int64_t m,
                         double scale);
/* exp(-+2 pi i a b / n) * scale in [rows][columns], and the real matrix
 * [[Wr, Wi], [-Wi, Wr]] of a transform of n, in the mode's parts: part i is
 * rows i 2n .. of the constant. */
int wf_nc_matrix_table(wf_nc_lowering *l, wf_nc_mode mode, int64_t n,
                       bool inverse, double scale);
/* Twiddles of a pass for every column c and result k = 0 .. r-1: [k][c], or
 * [c][k]. */
wf_nc_pair wf_nc_twiddles(wf_nc_lowering *l, const wf_nc_pass *pass,
                          bool by_column);

/* The chirp's n numbers, then its conjugate wrapped to m, interleaved; the
 * caller frees it.  NULL: no memory, and the program says so. */
double *wf_nc_chirp_doubles(wf_nc_program *p, int64_t n, int64_t m,
                            bool inverse);

/* parts.c */
typedef struct wf_nc_products {
    int count;
    int data[6], table[6]; /* parts, smallest product first */
} wf_nc_products;
wf_nc_products wf_nc_mode_products(wf_nc_mode mode);
/* The parts of `src` (PSUM or SBUF) into tiles part[0..]; `rest` is FP32 room
 * for three parts. */
void wf_nc_split(wf_nc_lowering *l, wf_nc_mode mode, wf_nc_view src,
                 const wf_nc_view *part, wf_nc_view rest);
/* False when the machine has none of that precision. */
bool wf_nc_mode_of(weft_precision precision, wf_nc_mode *mode);
/* Have the products with second parts a sum of their own? */
bool wf_nc_apart(wf_nc_mode mode);
/* The mode of passes: fp16's 11 bits as tf32, whose range needs no scaling. */
wf_nc_mode wf_nc_mode_of_passes(wf_nc_mode mode);
/* Variance of the relative error of a sum of `terms` products; what the core's own
 * products add, if they are not exact. */
double wf_nc_variance(const wf_nc_lowering *l, int64_t terms);
double wf_nc_product_variance(const wf_nc_lowering *l);
/* Is fp32 itself the operand? */
bool wf_nc_plain(wf_nc_mode mode);

/* slices.c: one axis of the host's planes of doubles, in place, by the passes
 * of a matrix step; `narrow`: its results are rounded to FP32. */
typedef struct wf_nc_slab {
    wf_nc_room planes; /* [outer][n][inner], re before im */
    int64_t outer, n, inner;
} wf_nc_slab;
void wf_nc_slices_axis(wf_nc_lowering *l, const wf_step *matrix,
                       wf_nc_slab slab, double scale, bool narrow);

/* An HBM view, without free dimensions yet: wf_nc_add adds them, outermost
 * first. */
static inline wf_nc_view wf_nc_add(wf_nc_view view, int64_t n, int64_t stride)
{
    view.dim[view.dims++] = (wf_nc_dim){(int32_t)n, (int32_t)stride};
    return view;
}
/* `partitions` rows of `count` neighbours. */
static inline wf_nc_view wf_nc_rows(const wf_nc_program *program, int tensor,
                                    int64_t at, int64_t step,
                                    int64_t partitions, int64_t count)
{
    return wf_nc_add(wf_nc_hbm(program, tensor, at, step, partitions), count,
                     1);
}
static inline int64_t wf_nc_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
