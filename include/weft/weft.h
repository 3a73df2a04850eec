/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft.h - Wide-Engine Fourier Transforms: the whole public library, and its
 * manual.
 *
 * A problem says what is wanted; planning turns it into a tree of steps;
 * executing moves samples and decides nothing:
 *
 *     weft_problem problem = weft_problem_1d(WEFT_F64, 1024, WEFT_FORWARD);
 *     weft_plan *plan;
 *     weft_status status = weft_plan_create(&problem, NULL, &plan);
 *     if (status == WEFT_OK)
 *         status = weft_execute(plan, in, out);
 *     weft_plan_release(plan);
 *
 * or, in one call, weft_fft(WEFT_F64, 1024, in, out).
 *
 * The transform.  For dimensions n_1 .. n_r the forward complex transform is
 *
 *     X[k_1..k_r] = scale * sum_j x[j_1..j_r] exp(-2 pi i sum_d j_d k_d/n_d)
 *
 * and the inverse has +2 pi i.  `scale` is 1 unless the problem's
 * normalisation says otherwise.  Method sources: Cooley and Tukey 1965,
 * Stockham 1966, Good 1958 and Thomas 1963, Rader 1968, Bluestein 1970,
 * Bailey 1990 (four- and six-step); docs/math.md derives what is used.
 *
 * Accuracy.  The relative L2 error of the native mode is at most
 * 0.6 u sqrt(log2 N) + u for N with small prime factors (u = 2^-53 or 2^-24)
 * and 5 u for other N, a further u where a scale that is no power of two is
 * applied; single vectors of few numbers may exceed it by chance, by a factor
 * 1 + 1/sqrt(N), of N reals 1 + 2/sqrt(N).  For the cosine and sine kinds N
 * counts the period of a dimension (2n, 2(n-1) or 2(n+1), see below), at least
 * 16, and each dimension multiplies by factors of its own: the error is at most
 * the root of the sum of the squares of their bounds.
 * docs/accuracy.md holds the measured table.
 *
 * Samples.  Complex samples are interleaved (re, im, re, im, ...; the layout
 * of C99 and C++ complex and of numpy) or split (one array of re, one of im).
 * Any alignment a real number has is enough; arrays that begin at multiples of 64
 * bytes, as weft_alloc's do, take the least time, malloc's (at 16, mostly) up to a
 * third more from some 2000 samples on.  Strides count elements:
 * complex numbers for interleaved data, reals for split data; they may be
 * negative; the pointer given to execute is element (0, .., 0).
 *
 * Threads.  Every function may be called from any thread at any time.  Plans
 * are immutable and reference-counted; one plan may execute in many threads
 * at once, on different data.  Results do not depend on the number of
 * threads, nor on the buffers' addresses: the same bits on one ISA level.
 * One complex transform is shared by threads from 2^14 samples of f64 or 2^15 of
 * f32 on (f64 of a large prime factor from 2^12), what real kinds do around it
 * from 2^15 or 2^16 reals on (types I and IV and odd lengths: by one thread), a
 * batch or a matrix by its vectors, if input and output have 64 KiB.  Only
 * WEFT_MEASURE, by which every run may come to another plan, takes what so many
 * threads share best.
 *
 * Errors.  Functions return a status and never print, exit or abort.
 * weft_error_text() tells, for the calling thread, what was wrong with the
 * last refused call, with the offending value.  On an error outputs
 * are untouched and pointers handed out are set to NULL.
 */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

/* "0.1.0", of the library that runs (not of the header compiled against). */
WEFT_API const char *weft_version(void);

/* ---- Status ------------------------------------------------------------- */

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_ERR_ARGUMENT,    /* an argument makes no sense */
    WEFT_ERR_OVERFLOW,    /* a size or offset beyond what processors address */
    WEFT_ERR_NO_MEMORY,   /* an allocation failed; nothing leaked */
    WEFT_ERR_UNSUPPORTED, /* meaningful, but this build or version cannot */
    WEFT_ERR_PARSE,       /* a text (problem, plan, wisdom) is malformed */
    WEFT_ERR_IO,          /* a file cannot be read (or written, by clients) */
    WEFT_ERR_TARGET,      /* no plan meets the accuracy asked for */
    WEFT_ERR_INTERNAL     /* a defect of weft: please report it */
} weft_status;

/* "ok", "argument", "overflow", ...; "unknown" for any other value. */
WEFT_API const char *weft_status_name(weft_status status);

/* Why the last call in this thread that returned an error did so, one line,
 * "" if none has.  Valid until the thread's next weft call that fails. */
WEFT_API const char *weft_error_text(void);

/* ---- The problem -------------------------------------------------------- */

/* The transform.  n is always the logical length: of the complex or real
 * vector for C2C, R2C and C2R, of the stored vector for the others.  With
 * x the input and X the output of one dimension, before the scale:
 *
 *   C2C      the forward or inverse complex transform above
 *   R2C      forward, n reals to n/2 + 1 complex X[0..n/2] (the rest is
 *            their mirror image, X[n-k] = conj X[k])
 *   C2R      inverse, n/2 + 1 complex to n reals; imaginary parts of X[0]
 *            and, n even, of X[n/2] are not read
 *   R2HC     R2C stored as re[0], re[1] .. re[n/2], im[(n-1)/2] .. im[1]
 *   HC2R     C2R from that storage
 *   DHT      X[k] = sum_j x[j] (cos + sin)(2 pi j k/n), its own inverse
 *   REDFT00  x[0] + (-1)^k x[n-1] + 2 sum_{0<j<n-1} x[j] cos(pi j k/(n-1))
 *   REDFT10  2 sum_j x[j] cos(pi (j + 1/2) k/n), the DCT-II, "the DCT"
 *   REDFT01  x[0] + 2 sum_{j>0} x[j] cos(pi j (k + 1/2)/n), the DCT-III
 *   REDFT11  2 sum_j x[j] cos(pi (j + 1/2)(k + 1/2)/n), the DCT-IV
 *   RODFT00  2 sum_j x[j] sin(pi (j + 1)(k + 1)/(n + 1)), the DST-I
 *   RODFT10  2 sum_j x[j] sin(pi (j + 1/2)(k + 1)/n), the DST-II
 *   RODFT01  (-1)^k x[n-1] + 2 sum_{j<n-1} x[j] sin(pi (j + 1)(k + 1/2)/n),
 *            the DST-III
 *   RODFT11  2 sum_j x[j] sin(pi (j + 1/2)(k + 1/2)/n), the DST-IV
 *
 * (FFTW's names and definitions.)  In several dimensions R2C and C2R halve
 * the last one and are complex in the others; the real kinds are products
 * of their dimensions' transforms, one kind for all or one each (R2R).
 *
 * Elements.  Strides of the real side count reals, of the complex side
 * complex numbers (split: reals).  Packed R2C and C2R in place pad each row
 * of reals to the 2 (n/2 + 1) that its complex numbers take; other layouts
 * in place are read as a whole before they are written.  Execute gets the
 * real array as in or out; split: as in_re or out_re, with in_im or out_im
 * NULL; split R2C and C2R are out of place only, and the real kinds are not
 * split.
 *
 * `sign` is read for C2C only, and for the real kinds' normalisation: with
 * N the product of n (R2C, C2R, R2HC, HC2R, DHT), 2(n-1) (REDFT00), 2(n+1)
 * (RODFT00) or 2n (the others), BACKWARD scales the inverse by 1/N.  R2C and
 * R2HC are forward, C2R and HC2R inverse, whatever the sign says; each
 * dimension of a mixed problem counts by its own kind.  ORTHO is
 * 1/sqrt(N) and makes the matrix of DHT and of the cosine and sine kinds
 * orthogonal, which for REDFT00, REDFT01, REDFT10, RODFT01 and RODFT10 also
 * scales end elements by sqrt(2) or sqrt(1/2), as scipy 1.12's "ortho" does. */
typedef enum weft_kind {
    WEFT_C2C = 0,
    WEFT_R2C,
    WEFT_C2R,
    WEFT_R2HC,
    WEFT_HC2R,
    WEFT_DHT,
    WEFT_REDFT00,
    WEFT_REDFT01,
    WEFT_REDFT10,
    WEFT_REDFT11,
    WEFT_RODFT00,
    WEFT_RODFT01,
    WEFT_RODFT10,
    WEFT_RODFT11,
    WEFT_R2R /* R2HC or later: weft_problem.kinds has one for each dimension */
} weft_kind;

typedef enum weft_type {
    WEFT_F64 = 0, /* double */
    WEFT_F32      /* float */
} weft_type;

typedef enum weft_sign {
    WEFT_FORWARD = 0, /* exp(-2 pi i j k / n) */
    WEFT_INVERSE      /* exp(+2 pi i j k / n) */
} weft_sign;

/* The scale, with N the product of the transformed dimensions. */
typedef enum weft_norm {
    WEFT_NORM_NONE = 0, /* 1 both ways, as FFTW */
    WEFT_NORM_BACKWARD, /* forward 1, inverse 1/N, as numpy by default */
    WEFT_NORM_ORTHO,    /* 1/sqrt(N) both ways */
    WEFT_NORM_FORWARD,  /* forward 1/N, inverse 1 */
    WEFT_NORM_SCALE     /* the number in weft_problem.scale, both ways */
} weft_norm;

typedef enum weft_layout { WEFT_INTERLEAVED = 0, WEFT_SPLIT } weft_layout;

typedef enum weft_place {
    WEFT_OUT_OF_PLACE = 0, /* input and output do not overlap; the input is
                              preserved */
    WEFT_IN_PLACE          /* execute gets the same pointer(s) for both */
} weft_place;

/* Order of the frequencies in the output (forward) or input (inverse).
 * Scrambled is whatever order the plan finds cheapest, fixed by the problem's
 * type and dimensions: an inverse scrambled problem of the same shape undoes
 * exactly it, so pairs of transforms around a pointwise product (convolution,
 * correlation) skip the reordering.  weft_plan_order tells the permutation.
 * Only rank 1 has a scrambled order. */
typedef enum weft_order { WEFT_NATURAL = 0, WEFT_SCRAMBLED } weft_order;

/* Who computes.  AUTO is the CPU.  NEURON is a NeuronCore in software, for
 * those who want to know what it would do (docs/neuron.md): it runs the plan's
 * kernels with that machine's numbers, refuses what the hardware refuses, and
 * counts what it would spend.  C2C, R2C and C2R (as complex transforms), any
 * length, natural order, every precision of f32, and slices of f64; the rest is
 * refused, and the text names the rule of the machine that is in the way.  Its
 * variants are trn2's core, and trn1's with the products, or the sums, of bf16
 * rounded to bf16.  Costs are then of that machine, not of this one. */
typedef enum weft_engine {
    WEFT_ENGINE_AUTO = 0,
    WEFT_ENGINE_CPU,
    WEFT_ENGINE_NEURON, /* trn1 */
    WEFT_ENGINE_NEURON_TRN2,
    WEFT_ENGINE_NEURON_PRODUCT,
    WEFT_ENGINE_NEURON_OUTPUT
} weft_engine;

/* How exact.  FAST: the storage type's own arithmetic, the error above.
 * COMPENSATED: the error of the correctly rounded result, u at most and about
 * 0.42 u for random data, whatever the length: f64 by butterflies and twiddle
 * products that carry their rounding errors along (seven to thirty times the
 * time of fast), f32 by double arithmetic.  DOUBLE: f64 arithmetic on f32
 * samples, rounded once; on f64 the same as fast.  A scrambled order may
 * depend on the precision too.
 *
 * The others make transforms of matrix products in the number formats of
 * weft_gemm (scrambled is natural).  They are slower than FAST and
 * DOUBLE on CPUs, also where AVX512_BF16 multiplies bf16, and are here for
 * engines that multiply short numbers, and for SLICES, whose results have
 * the same bits on every machine.
 *
 * Real kinds take these others, and COMPENSATED in f64, as complex vectors of
 * a period (n numbers; of the cosine and sine kinds 2(n-1) to 8n), of which
 * the result is a part: its bits are those of C2C, whatever the batch and the
 * threads.  WEFT_ERR_UNSUPPORTED there: R2HC and later in more than one
 * dimension (the second would want the first one's result, rounded), and
 * their norm ORTHO where it scales end elements (one rounding more).
 *
 * Relative L2 errors of noise, of a single pass of n = 256 (weft_plan_error
 * knows the others): BF16 2e-3, FP16 3e-4, SPLIT2 4e-6,
 * FP16X2 2e-7, SPLIT3 and REFINED 7e-8, SLICES of s slices (1 + 0.65 s)
 * 2^(-9 s), 6e-11 for 4 and 3e-16 for 6; with f32 samples no less than the
 * 3e-8 of their own rounding. */
typedef enum weft_precision {
    WEFT_PRECISION_FAST = 0,
    WEFT_PRECISION_COMPENSATED, /* close to the correctly rounded result */
    WEFT_PRECISION_DOUBLE,      /* f64 arithmetic on f32 samples */
    WEFT_PRECISION_BF16,        /* matrix products of bf16 parts, FP32 sums */
    WEFT_PRECISION_FP16,        /* the same of scaled fp16 parts */
    WEFT_PRECISION_SPLIT2,      /* bf16 in two parts, three products */
    WEFT_PRECISION_SPLIT3,      /* bf16 in three parts, six products */
    WEFT_PRECISION_REFINED,     /* bf16 corrected by an FP32 residual */
    WEFT_PRECISION_FP16X2,      /* fp16 in two scaled parts, three products */
    WEFT_PRECISION_SLICES       /* error-free slices: weft_problem.slices */
} weft_precision;

#define WEFT_MAX_RANK 32

/* One dimension: n elements, `is` apart in the input and `os` apart in the
 * output.  is = os = 0 in *every* dimension of a problem (transformed and
 * batch) means packed row-major, the batch outermost. */
typedef struct weft_dim {
    int64_t n;
    int64_t is;
    int64_t os;
} weft_dim;

/* What is wanted.  Zero every field you do not set, and set `size` to
 * sizeof(weft_problem): later versions only add fields at the end, where zero
 * means what this version does.  rank = 0 is a copy (with the scale). */
typedef struct weft_problem {
    size_t size;
    weft_kind kind;
    weft_type type;
    weft_sign sign;
    weft_norm norm;
    double scale;       /* WEFT_NORM_SCALE only: finite */
    int32_t rank;       /* 0 .. WEFT_MAX_RANK transformed dimensions */
    int32_t batch_rank; /* 0 .. WEFT_MAX_RANK dimensions of the batch */
    weft_dim dims[WEFT_MAX_RANK];
    weft_dim batch[WEFT_MAX_RANK];
    weft_layout layout; /* of the input and the output */
    weft_place place;
    weft_order order;
    weft_precision precision;
    weft_engine engine;
    int32_t threads; /* at most this many; 0 and 1: the caller's only */
    weft_kind kinds[WEFT_MAX_RANK]; /* R2R only: of each dimension */
    int32_t slices;                 /* PRECISION_SLICES only: 2 .. 8 */
    double target_error; /* > 0: of all modes the cheapest whose bound on the
                            relative L2 error is at most this; precision must
                            be FAST.  Planning refuses with WEFT_ERR_TARGET
                            what no mode meets, and tells the least bound
                            there is, and whose */
} weft_problem;

/* The common descriptors: packed, out of place, not normalised. */
WEFT_API weft_problem weft_problem_1d(weft_type type, int64_t n,
                                      weft_sign sign);
/* `shape` row-major, `count` transforms packed one after the other. */
WEFT_API weft_problem weft_problem_nd(weft_type type, int rank,
                                      const int64_t *shape, int64_t count,
                                      weft_sign sign);

/*
 * The notation of problems, one for tests, bench, command line, wisdom and
 * bug reports:
 *
 *     KIND:TYPE:SHAPE[*BATCH][:OPTION...]
 *
 *     c2c:f64:1024          c2c:f32:512x512:inplace
 *     c2c:f64:64*4096:inverse:threads=2
 *     c2c:f64:8/2/1x4/16/8*3/64/32   (n/is/os: explicit strides, everywhere)
 *     r2c:f32:512x512       c2r:f64:1000:inplace:norm=backward
 *     redft10+rodft00:f64:8x9        (a kind for each dimension)
 *
 * KIND c2c r2c c2r r2hc hc2r dht redft00 .. rodft11, several real ones joined
 * by +; TYPE f64 f32; SHAPE n or n/is/os joined by x, `-` for rank 0;
 * BATCH likewise.  OPTION: inverse, inplace, split, scrambled,
 * norm=none|backward|ortho|forward|NUMBER, threads=N, engine=auto|cpu|
 * neuron|neuron-trn2|neuron-product|neuron-output,
 * precision=fast|compensated|double|bf16|fp16|split2|split3|refined|fp16x2|
 * slices2
 * (to slices8), target=NUMBER (target_error);
 * rule=NAME (a plan by that rule) is the command line's: here it is
 * weft_plan_options.rule.
 *
 * Parse refuses (WEFT_ERR_PARSE) anything else, naming the part. */
WEFT_API weft_status weft_problem_parse(const char *text,
                                        weft_problem *problem);

/* Writes the canonical notation, like snprintf: at most `capacity` bytes with
 * the terminating zero (capacity 0: nothing), and the full length (without
 * it) to *length unless NULL.  Refuses an invalid problem. */
WEFT_API weft_status weft_problem_print(const weft_problem *problem,
                                        char *buffer, size_t capacity,
                                        size_t *length);

/* Checks a problem as planning does, without planning.  Refuses: unknown enum
 * values, rank out of range, n < 1, batch n < 0, an n >= 2 with output
 * stride 0, output elements that overlap, a product of sizes above 2^52 (no
 * processor addresses as much), offsets beyond 63 bits, a scale that is not
 * finite, in-place layouts that do not cover the same elements (R2C and C2R in
 * place may lie anyhow), a REDFT00 of one element, split or scrambled data of
 * kinds that have none, slices without PRECISION_SLICES or outside 2 .. 8, a
 * target_error that is negative, not finite, or beside a precision.  (batch n
 * = 0 is valid: nothing to do.) */
WEFT_API weft_status weft_problem_check(const weft_problem *problem);

/* The number of elements (of R2C and C2R: reals), and the lowest and highest
 * element offset that execute touches in the input and the output: [low,
 * high] inclusive, in elements of that side, from the pointers given to
 * execute. */
typedef struct weft_extent {
    int64_t count;
    int64_t in_low, in_high, out_low, out_high;
} weft_extent;
WEFT_API weft_status weft_problem_extent(const weft_problem *problem,
                                         weft_extent *extent);

/* ---- Plans -------------------------------------------------------------- */

typedef struct weft_plan weft_plan;

/* How hard to look.  MODEL: a deterministic cost model, no timing, the same
 * plan in every run (default).  MEASURE: times the candidates on weft's own
 * buffers, never the user's. */
typedef enum weft_effort { WEFT_MODEL = 0, WEFT_MEASURE } weft_effort;

typedef struct weft_plan_options {
    size_t size; /* sizeof(weft_plan_options) */
    weft_effort effort;
    double time_limit;     /* seconds MEASURE may take, 0: 1 second; 16
                              candidates an axis for each.  Less than two runs
                              take: nothing is timed, the plan is the model's and
                              no wisdom.  Wisdom that was found with less is not
                              enough: it is measured again */
    int32_t ignore_wisdom; /* nonzero: plan as if no wisdom were loaded */
    const char *rule; /* only plans whose root is made by this rule, "leaf",
                         "stockham", "radix2", "fourstep", ...; NULL: any.
                         WEFT_ERR_UNSUPPORTED when none applies */
    const char *tree; /* exactly this plan tree (the text of weft_plan_text);
                         NULL: search.  WEFT_ERR_PARSE or _ARGUMENT when it
                         is not a plan of this problem, _UNSUPPORTED when
                         it names a kernel this machine lacks, _TARGET when
                         its error bound is above target_error */
    int32_t wisdom_only; /* nonzero: WEFT_ERR_UNSUPPORTED unless the wisdom
                            that is loaded knows the problem */
} weft_plan_options;

/* Plans a problem.  `options` may be NULL.  Copies what it needs: the
 * problem and the options may go afterwards.  On success *plan has one
 * reference.  Refuses what weft_problem_check refuses. */
WEFT_API weft_status weft_plan_create(const weft_problem *problem,
                                      const weft_plan_options *options,
                                      weft_plan **plan);
WEFT_API weft_plan *weft_plan_retain(weft_plan *plan);
WEFT_API void weft_plan_release(weft_plan *plan); /* NULL is nothing */

/* Transforms.  For interleaved problems `in` and `out` point to complex
 * samples of the problem's type; in place they are equal.  For
 * split problems use weft_execute_split.  Re-entrant; takes no lock and
 * allocates nothing, except that the second and later *simultaneous*
 * executions of one plan get their scratch memory when first needed (and
 * wait for a free one if there is no memory).  Refuses only: NULL, a plan
 * of the other layout, in == out against the problem's place. */
WEFT_API weft_status weft_execute(const weft_plan *plan, const void *in,
                                  void *out);
WEFT_API weft_status weft_execute_split(const weft_plan *plan,
                                        const void *in_re, const void *in_im,
                                        void *out_re, void *out_im);

/* What the plan is: each writes like weft_problem_print. */
WEFT_API weft_status weft_plan_problem(const weft_plan *plan, char *buffer,
                                       size_t capacity, size_t *length);
/* The tree as one line of text, accepted again as options.tree. */
WEFT_API weft_status weft_plan_text(const weft_plan *plan, char *buffer,
                                    size_t capacity, size_t *length);
/* The tree indented, a step a line with its cost, then why: the candidates
 * of the root with their costs, best first; then the steps that run tuned
 * code. */
WEFT_API weft_status weft_plan_explain(const weft_plan *plan, char *buffer,
                                       size_t capacity, size_t *length);

/* When each instruction of one execution runs, a line each: KERNEL UNIT BEGIN
 * END WHAT, in nanoseconds.  Engines that are models have one; the CPU's says
 * WEFT_ERR_UNSUPPORTED. */
WEFT_API weft_status weft_plan_timetable(const weft_plan *plan, char *buffer,
                                         size_t capacity, size_t *length);
/* A count of one execution by its name, of engines that count: of neuron
 * "calls", "kernels", "device_ns", "time_ns", "dma_bytes", "dma_descriptors",
 * "psum_groups", "psum_high" (banks), "sbuf_high" (bytes of a partition),
 * "hbm_bytes", "host_bytes", "multiplies", and for tensor, vector, scalar,
 * gpsimd and dma "UNIT_instructions", "UNIT_busy_ns" and (not dma)
 * "UNIT_cycles"; of the CPU "tunable_steps", those weft_plan_source knows, and
 * "tuned_steps", those of them that run tuned code.  WEFT_ERR_UNSUPPORTED for
 * any other. */
WEFT_API weft_status weft_plan_figure(const weft_plan *plan, const char *name,
                                      double *value);

typedef struct weft_plan_info {
    size_t size;   /* set to sizeof(weft_plan_info) */
    double cost;   /* nanoseconds: about, by the model; or timed */
    int32_t timed; /* nonzero: by MEASURE, or an earlier one's wisdom */
    double flops;  /* real additions and multiplications (an FMA is
                              two) of one execution */
    double planning_seconds;
    size_t table_bytes;    /* twiddles and index tables */
    size_t scratch_bytes;  /* of one execution */
    double error_bound;    /* relative L2 error that is not exceeded */
    double error_expected; /* and the one to expect of random data */
} weft_plan_info;
WEFT_API weft_status weft_plan_get_info(const weft_plan *plan,
                                        weft_plan_info *info);

/* The same two errors, either of which may be NULL.  Both are relative L2
 * errors of one execution (the norm of the difference from the exact result
 * over the norm of that), from the error laws of the plan's steps, which
 * docs/accuracy.md derives and measures; they hold for data in the range of
 * the type, without underflow, whose roundings are independent: those of vectors
 * with one large element, or all but constant, are not quite, and were seen to be
 * 1.35 of the bound at most, of constant ones by precision=refined 2.3. */
WEFT_API weft_status weft_plan_error(const weft_plan *plan, double *bound,
                                     double *expected);

/* For a scrambled plan: order[i] = the frequency found at position i, for
 * 0 <= i < n; natural plans give i.  `count` must be n. */
WEFT_API weft_status weft_plan_order(const weft_plan *plan, int64_t *order,
                                     size_t count);

/* ---- One call ----------------------------------------------------------- */

/* Transforms n packed interleaved complex numbers, numpy's normalisation
 * (weft_ifft divides by n); in == out is allowed.  Plans come from an
 * internal cache of the 64 problems used last, shared by all threads. */
WEFT_API weft_status weft_fft(weft_type type, int64_t n, const void *in,
                              void *out);
WEFT_API weft_status weft_ifft(weft_type type, int64_t n, const void *in,
                               void *out);
/* Row-major shape[0] x ... x shape[rank-1]. */
WEFT_API weft_status weft_fftn(weft_type type, int rank, const int64_t *shape,
                               const void *in, void *out);
WEFT_API weft_status weft_ifftn(weft_type type, int rank, const int64_t *shape,
                                const void *in, void *out);
/* n reals to n/2 + 1 complex numbers, and back divided by n; in == out is
 * allowed where there is room for the complex ones.  n is the number of
 * reals, on both ways; of weft_irfft's input the imaginary parts of X[0] and,
 * n even, of X[n/2] are not read. */
WEFT_API weft_status weft_rfft(weft_type type, int64_t n, const void *in,
                               void *out);
WEFT_API weft_status weft_irfft(weft_type type, int64_t n, const void *in,
                                void *out);
/* Row-major; the last dimension is halved.  In place each row of reals takes
 * the 2 (n/2 + 1) of its complex numbers. */
WEFT_API weft_status weft_rfftn(weft_type type, int rank, const int64_t *shape,
                                const void *in, void *out);
WEFT_API weft_status weft_irfftn(weft_type type, int rank,
                                 const int64_t *shape, const void *in,
                                 void *out);
/* Any problem, through the same cache. */
WEFT_API weft_status weft_transform(const weft_problem *problem,
                                    const void *in, void *out);
/* Forgets the cached plans (those executing stay until they end). */
WEFT_API void weft_cache_clear(void);

/* ---- Complex matrix products -------------------------------------------- */

/*
 * C = A B, or C = C + A B, of complex matrices: A is m x k, B is k x n, C is
 * m x n, of one type and layout.  The kernel of the matrix plans; a complex
 * linear layer is one call (B the transpose of the weights, by its strides).
 *
 * Strides count complex elements for interleaved data, reals for split data,
 * and may be negative; all six zero: packed, row-major.  The elements of C
 * overlap neither one another nor A nor B.
 *
 * `format` says how numbers are multiplied; u = 2^-24 below is FP32's.
 * Errors are relative to sum_l |a_il| |b_lj| of the element:
 *
 *   NULL           the type's own arithmetic, "f32" or "f64"
 *   "f64"          FP64 arithmetic, also on f32 data
 *   "bf16"         operands rounded to 8 bits: 2^-8
 *   "fp16" "tf32"  operands rounded to 11 bits: 2^-11
 *   "bf16x2"       two bf16 parts, three products: 2^-16
 *   "fp16x2" "tf32x2"  two parts, the second scaled by 2^11: about 2^-22 + u
 *                  (fp16's where no element is less than 2^-14 of the largest of
 *                  its row or column: those below lose bits)
 *   "bf16x3"       three bf16 parts, six products: about u
 *   "bf16s2" .. "bf16s8", "int8s2" .., "fp16s2" ..   slices of 9, 8 or 11
 *                  bits: products and sums without error, the result within
 *                  about (s + 1) 2^(1 - s bits) of the rows' and columns'
 *                  largest element, bit for bit the same on every machine
 *
 * Products of parts have FP32 sums of at most 64 complex terms; sums of sums
 * are FP64.  Except in f32 and f64, each row of A and column of B is scaled
 * by a power of two first, and one that holds a NaN or an infinity makes its
 * row or column of C NaN, and no other.  What runs the products is in
 * weft_info; results do not depend on threads, nor a row of C on other rows.
 */
typedef struct weft_gemm {
    size_t size; /* sizeof(weft_gemm) */
    weft_type type;
    weft_layout layout;
    int64_t m, n, k; /* >= 0; k = 0: A B is zero */
    int64_t a_row, a_column, b_row, b_column, c_row, c_column;
    int32_t conjugate_a, conjugate_b; /* nonzero: conj(A), conj(B) */
    int32_t accumulate;               /* nonzero: C + A B */
    int32_t threads;    /* at most this many; 0 and 1: the caller's only */
    const char *format; /* see above */
} weft_gemm;

/* Packs B into memory of its own.  Refuses sizes and threads below 0, unknown
 * types and formats, a stride 0 of C over more than one element, NULL, the other layout, "f32"
 * on f64 data (WEFT_ERR_UNSUPPORTED), extents beyond 63 bits
 * (WEFT_ERR_OVERFLOW), and no memory; C is untouched then. */
WEFT_API weft_status weft_cgemm(const weft_gemm *gemm, const void *a,
                                const void *b, void *c);
WEFT_API weft_status weft_cgemm_split(const weft_gemm *gemm, const void *a_re,
                                      const void *a_im, const void *b_re,
                                      const void *b_im, void *c_re,
                                      void *c_im);

/* ---- Wisdom ------------------------------------------------------------- */

/* What MEASURE found, kept for the process and portable as text: versioned,
 * checksummed.  Import is all or nothing, says why it refuses, and can
 * change which plan is chosen but never the result's correctness. */
/* *text is allocated; free it with weft_free. */
WEFT_API weft_status weft_wisdom_export(char **text);
WEFT_API weft_status weft_wisdom_import(const char *text);
WEFT_API void weft_wisdom_forget(void);

/* ---- Tuned code --------------------------------------------------------- */

/*
 * A step "stockham" of a plan can run code that was compiled for it alone, its
 * kernels inlined and its counts, strides and scale literals: the same bits,
 * up to 13 % sooner where the data fit the caches, in places no sooner.  The
 * command `weft tune` compiles the source of each such step into a file of its own
 * and keeps what is faster; programs use it that call weft_tuned_load, or are
 * started with WEFT_TUNED=FOLDER in the environment.
 */

/* C source for step `part` (0, 1, ...) of a plan that code can be compiled
 * for; writes like weft_problem_print.  Its comment has two lines of words
 * between single spaces: "weft-gen --inline kernels.h NAME...", which makes
 * the kernels it includes (weft-gen is in PREFIX/libexec/weft), and "cc ...",
 * the options to compile it with, but for -I PREFIX/share/weft and the files'
 * names.  WEFT_ERR_UNSUPPORTED: the plan has no such part, or none at all. */
WEFT_API weft_status weft_plan_source(const weft_plan *plan, int part,
                                      char *buffer, size_t capacity,
                                      size_t *length);

/* Loads a compiled file, or all files *.so of a folder; plans made afterwards
 * use what fits (those in the cache of one-call functions are older:
 * weft_cache_clear).  It fits the step it was compiled for, number by number,
 * and no other.  What is loaded stays to the end of the process.  Of a folder
 * everything that can be is loaded, and the first refusal returned.  Refuses:
 *
 *   WEFT_ERR_IO           what cannot be read
 *   WEFT_ERR_ARGUMENT     what another user could have written: the file, its
 *                         folder and those above must be root's or this
 *                         user's, writable for nobody else (a folder above
 *                         may be like /tmp); what is no file or folder
 *   WEFT_ERR_PARSE        what is no compiled code of this machine, or not
 *                         weft's
 *   WEFT_ERR_UNSUPPORTED  code of another version of weft, or for an
 *                         instruction set not in use; in programs that are
 *                         linked statically
 *
 * WEFT_TUNED is read when the first plan is made, or weft_info called, which
 * reports what was loaded and what refused; programs that have more rights
 * than who started them ignore it. */
WEFT_API weft_status weft_tuned_load(const char *path);

/* ---- Helpers ------------------------------------------------------------ */

/* The smallest m >= n that is fast (prime factors 2, 3, 5, 7 only); 0 when
 * n < 1 or no such m fits. */
WEFT_API int64_t weft_next_fast_size(int64_t n);

/* 64-byte aligned memory, huge pages for large blocks; NULL on failure. */
WEFT_API void *weft_alloc(size_t bytes);
WEFT_API void weft_free(void *block);

/* The slow exact transform to hold results against: one packed complex
 * vector of n doubles (interleaved), computed in double-double (error below
 * 1e-28 relative), out_hi + out_lo the result (interleaved, each 2 n
 * doubles; out_lo may be NULL), not scaled.  O(n * sum of prime factors);
 * seconds at n = 10^6. */
WEFT_API weft_status weft_reference(int64_t n, weft_sign sign,
                                    const double *in, double *out_hi,
                                    double *out_lo);

/* ---- The machine -------------------------------------------------------- */

/* The ISA level in use: "scalar", "sse2", "avx2", "avx512", "neon".  The
 * environment variable WEFT_ISA, read at first use, lowers it.  Plans are priced
 * for the processor at hand, those of one kind alike; WEFT_CORE=other, icelake,
 * emeraldrapids, graniterapids, zen4 or zen5, read at the same time, prices them
 * for another. */
WEFT_API const char *weft_isa(void);
/* A report of CPU, caches, engines and kernels, many lines; writes like
 * weft_problem_print. */
WEFT_API weft_status weft_info(char *buffer, size_t capacity, size_t *length);

/* The host's executor for parallel work: must call job(job_context, i) once
 * for each i in 0..count-1, on any threads, and return when all have ended.
 * NULL restores weft's own pool.  Set it before executing. */
typedef void weft_executor(void *executor_context, int threads, size_t count,
                           void (*job)(void *job_context, size_t index),
                           void *job_context);
WEFT_API void weft_set_executor(weft_executor *executor,
                                void *executor_context);
/* Restores weft's own pool where `executor` is the one that is set: for a library
 * that is unloaded, and leaves another's alone. */
WEFT_API void weft_unset_executor(weft_executor *executor);
/* Ends weft's own worker threads (they start again when needed). */
WEFT_API void weft_threads_shutdown(void);

#ifdef __cplusplus
}
#endif

#endif
