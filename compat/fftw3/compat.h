/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compat.h - what the files of the drop-in libraries share.
 *
 * A call goes: *_api.c (FFTW's names) -> layout.c (FFTW's ways to say a shape,
 * all turned into one) -> planner.c (a weft_problem, flags to seconds, the
 * cache) -> handle.c (the pointer that the program holds).  Executing looks
 * the handle up and calls weft.
 *
 * Every file is compiled twice, for libfftw3 and libfftw3f: X(name) carries
 * the prefix, `real` the type.  Nothing here is exported but FFTW's names;
 * nothing but <weft/weft.h> is used.
 */
#ifndef WEFT_COMPAT_FFTW3_COMPAT_H
#define WEFT_COMPAT_FFTW3_COMPAT_H

/* The names' definitions are what these libraries export. */
#define FFTW_EXTERN extern __attribute__((visibility("default")))

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/weft.h>

#include "fftw3.h"

#if WEFT_FFTW_SINGLE
#define X(name) fftwf_##name
typedef float real;
#define REAL_TYPE WEFT_F32
#define LIBRARY "libfftw3f"
#else
#define X(name) fftw_##name
typedef double real;
#define REAL_TYPE WEFT_F64
#define LIBRARY "libfftw3"
#endif

/* FFTW's types, short.  A plan is a pointer to a handle. */
typedef struct X(plan_s) handle;
typedef X(complex) pair;
typedef X(iodim) iodim;
typedef X(iodim64) iodim64;
typedef X(r2r_kind) r2r_kind;

/* ---- layout.c: a shape -------------------------------------------------- */

/* More dimensions than anybody has; weft itself takes WEFT_MAX_RANK that are
 * longer than 1. */
enum { MAX_DIMS = 64 };

typedef struct shape {
    int rank, batch_rank;
    weft_dim dims[MAX_DIMS], batch[MAX_DIMS];
} shape;

/* One side of the basic and advanced interfaces. */
typedef struct side {
    const int *embed; /* NULL: the array is as large as the transform */
    int64_t stride, dist;
} side;

/* Which side of a transform holds reals where the other has complex numbers:
 * its default extent of the last dimension differs. */
typedef enum real_side { NO_REALS, REAL_INPUT, REAL_OUTPUT } real_side;

/* False: nothing that can be planned (the reason is traced). */
bool shape_of_guru(shape *s, int rank, const iodim *dims, int batch_rank,
                   const iodim *batch);
bool shape_of_guru64(shape *s, int rank, const iodim64 *dims, int batch_rank,
                     const iodim64 *batch);
bool shape_of_many(shape *s, int rank, const int *n, int howmany, side in,
                   side out, real_side reals, bool in_place);

/* ---- planner.c ---------------------------------------------------------- */

/* The program's arrays: interleaved and real ones in [0], split ones re and
 * im.  An array that the kind does not have is NULL. */
typedef struct arrays {
    void *in[2], *out[2];
} arrays;

/* What a plan function asks for, beside the shape. */
typedef struct request {
    weft_kind kind;
    weft_layout layout;
    int sign;            /* FFTW's; C2C only */
    const r2r_kind *r2r; /* WEFT_R2R: one for each dimension */
    arrays at;
    unsigned flags;
} request;

/* NULL where FFTW's planner returns NULL, or weft cannot. */
handle *plan_make(const shape *s, const request *r);
/* The same, of a guru interface's dimensions. */
handle *plan_guru(int rank, const iodim *dims, int batch_rank,
                  const iodim *batch, request r);
handle *plan_guru64(int rank, const iodim64 *dims, int batch_rank,
                    const iodim64 *batch, request r);

void planner_set_timelimit(double seconds);
void planner_set_threads(int threads);
int planner_threads(void);

/* ---- cache.c: plans made lately, so that planning again is quick -------- */

/* A plan of this problem for which measuring might take so many seconds or more, with
 * a reference for the caller, or NULL. */
weft_plan *cache_find(const weft_problem *problem, double least);
/* Keeps a reference of its own. */
void cache_insert(const weft_problem *problem, double limit, weft_plan *plan);
void cache_clear(void);

/* ---- stage.c: split transforms from a copy of their input --------------- */

typedef struct stage stage;

/* For a problem with explicit strides, whose input strides become those of
 * the copy.  NULL without memory. */
stage *stage_new(weft_problem *p);
void stage_free(stage *s);
/* False without memory, or when weft refuses the arrays. */
bool stage_execute(const stage *s, const weft_plan *plan, const real *ri,
                   const real *ii, real *ro, real *io);

/* ---- handle.c: the pointers programs hold ------------------------------- */

/* A power of two of bytes, so that finding out whether an address is one divides
 * nothing; what an execution reads is in one line. */
struct X(plan_s) {
    _Alignas(128) atomic_bool live;
    bool split;
    weft_plan *plan;
    arrays at;
    stage *stage;               /* NULL: execute on the arrays themselves */
    _Atomic(weft_plan *) other; /* for arrays placed unlike the plan's; made
                                   when first needed */
    handle *next_free;
};

/* The first ones, which are most programs' only ones. */
enum { FIRST_HANDLES = 64 };
extern __attribute__((visibility("hidden")))
handle first_handles[FIRST_HANDLES];

/* A handle that owns `plan`, its other fields zero; NULL without memory. */
handle *handle_new(weft_plan *plan);
/* What a pointer that calls itself a plan refers to: NULL, with one line on
 * standard error, unless it is a live handle of this library. */
handle *handle_sought(handle *const p);
static inline handle *handle_of(handle *const p)
{
    const uintptr_t offset = (uintptr_t)p - (uintptr_t)first_handles;
    if (offset < sizeof first_handles && offset % sizeof *p == 0 &&
        atomic_load_explicit(&p->live, memory_order_acquire))
        return p;
    return handle_sought(p);
}
void handle_free(handle *handle);

/* ---- execute_api.c ------------------------------------------------------ */

/* The problem a plan was made for. */
bool problem_of_plan(const weft_plan *plan, weft_problem *problem);

/* ---- trace.c ------------------------------------------------------------ */

/* A misuse that would crash FFTW: one line on standard error, once a reason
 * and process. */
typedef enum misuse { NULL_PLAN, FOREIGN_PLAN, REFUSED_ARRAYS } misuse;
void complain(misuse what, const char *detail);

/* Why there is no plan, on standard error if WEFT_FFTW_TRACE is set. */
void trace_refusal(const weft_problem *problem, const char *why);

#endif
