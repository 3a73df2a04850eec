/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fftw3.h - the interface of FFTW 3, declared afresh for weft's drop-in
 * libraries libfftw3 (double) and libfftw3f (float).
 *
 * The names, types and values are those of FFTW's public manual, so that a
 * program compiled with this header runs on FFTW's libraries and the other
 * way round.  fftwl_ (long double) and fftwq_ (__float128, where the compiler
 * has it) are declared for programs that also use the system's libfftw3l and
 * libfftw3q; weft has no libraries of those names.
 *
 * What weft does with them:
 *   - Plans are made by weft_plan_create, from any thread, and touch no array.
 *     FFTW_ESTIMATE is weft's deterministic search; FFTW_MEASURE, _PATIENT and
 *     _EXHAUSTIVE time candidates on weft's own buffers, the longer the later.
 *     Planning the same problem again costs microseconds.
 *   - A problem that cannot be solved is a NULL plan.
 *   - Inputs are preserved unless the plan is in place.  Any alignment that a
 *     number of the type has will do, for plans and for new arrays.
 *   - Plans stay valid over fftw_cleanup and may be destroyed in any thread.
 *   - fftw_malloc, fftw_export_wisdom_to_string and fftw_sprint_plan return
 *     blocks for fftw_free or free.
 *   - Wisdom is weft's, one store for both types; FFTW's own is refused.
 * WEFT_FFTW_TRACE=1 in the environment says on standard error why a planner
 * returned NULL.
 */
#ifndef FFTW3_H
#define FFTW3_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FFTW_CONCAT(prefix, name) prefix##name
#define FFTW_MANGLE_DOUBLE(name) FFTW_CONCAT(fftw_, name)
#define FFTW_MANGLE_FLOAT(name) FFTW_CONCAT(fftwf_, name)
#define FFTW_MANGLE_LONG_DOUBLE(name) FFTW_CONCAT(fftwl_, name)
#define FFTW_MANGLE_QUAD(name) FFTW_CONCAT(fftwq_, name)

/* C99's own complex numbers where <complex.h> came first, else pairs; the
 * two are laid out alike. */
#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex) && \
    defined(I)
#define FFTW_COMPLEX_IS_C99
#define FFTW_DEFINE_COMPLEX(R, C) typedef R _Complex C
#else
#define FFTW_DEFINE_COMPLEX(R, C) typedef R C[2]
#endif

#ifndef FFTW_EXTERN
#define FFTW_EXTERN extern
#endif
#ifndef FFTW_CDECL
#define FFTW_CDECL
#endif

enum fftw_r2r_kind_do_not_use_me {
    FFTW_R2HC = 0,
    FFTW_HC2R = 1,
    FFTW_DHT = 2,
    FFTW_REDFT00 = 3,
    FFTW_REDFT01 = 4,
    FFTW_REDFT10 = 5,
    FFTW_REDFT11 = 6,
    FFTW_RODFT00 = 7,
    FFTW_RODFT01 = 8,
    FFTW_RODFT10 = 9,
    FFTW_RODFT11 = 10
};

struct fftw_iodim_do_not_use_me {
    int n;  /* length */
    int is; /* elements from one to the next in the input */
    int os; /* and in the output */
};

struct fftw_iodim64_do_not_use_me {
    ptrdiff_t n;
    ptrdiff_t is;
    ptrdiff_t os;
};

typedef void(FFTW_CDECL *fftw_write_char_func_do_not_use_me)(char c, void *);
typedef int(FFTW_CDECL *fftw_read_char_func_do_not_use_me)(void *);

/* clang-format off */
/* Everything of one type but C: X(name) is the name with its prefix, R the
 * real type, C the complex one. */
#define FFTW_DEFINE_API(X, R, C)                                              \
    typedef struct X(plan_s) * X(plan);                                       \
    typedef struct fftw_iodim_do_not_use_me X(iodim);                         \
    typedef struct fftw_iodim64_do_not_use_me X(iodim64);                     \
    typedef enum fftw_r2r_kind_do_not_use_me X(r2r_kind);                     \
    typedef fftw_write_char_func_do_not_use_me X(write_char_func);            \
    typedef fftw_read_char_func_do_not_use_me X(read_char_func);              \
                                                                              \
    /* Executing: the plan's arrays, or new ones of the same shape. */        \
    FFTW_EXTERN void FFTW_CDECL X(execute)(const X(plan) p);                  \
    FFTW_EXTERN void FFTW_CDECL X(execute_dft)(const X(plan) p, C *in,        \
                                               C *out);                       \
    FFTW_EXTERN void FFTW_CDECL X(execute_dft_r2c)(const X(plan) p, R *in,    \
                                                   C *out);                   \
    FFTW_EXTERN void FFTW_CDECL X(execute_dft_c2r)(const X(plan) p, C *in,    \
                                                   R *out);                   \
    FFTW_EXTERN void FFTW_CDECL X(execute_r2r)(const X(plan) p, R *in,        \
                                               R *out);                       \
    FFTW_EXTERN void FFTW_CDECL X(execute_split_dft)(                         \
        const X(plan) p, R *ri, R *ii, R *ro, R *io);                         \
    FFTW_EXTERN void FFTW_CDECL X(execute_split_dft_r2c)(                     \
        const X(plan) p, R *in, R *ro, R *io);                                \
    FFTW_EXTERN void FFTW_CDECL X(execute_split_dft_c2r)(                     \
        const X(plan) p, R *ri, R *ii, R *out);                               \
                                                                              \
    /* Complex transforms. */                                                 \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft)(int rank, const int *n, C *in, \
                                               C *out, int sign,              \
                                               unsigned flags);               \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_1d)(                            \
        int n, C *in, C *out, int sign, unsigned flags);                      \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_2d)(                            \
        int n0, int n1, C *in, C *out, int sign, unsigned flags);             \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_3d)(                            \
        int n0, int n1, int n2, C *in, C *out, int sign, unsigned flags);     \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_many_dft)(                          \
        int rank, const int *n, int howmany, C *in, const int *inembed,       \
        int istride, int idist, C *out, const int *onembed, int ostride,      \
        int odist, int sign, unsigned flags);                                 \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru_dft)(                          \
        int rank, const X(iodim) *dims, int howmany_rank,                     \
        const X(iodim) *howmany_dims, C *in, C *out, int sign,                \
        unsigned flags);                                                      \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru64_dft)(                        \
        int rank, const X(iodim64) *dims, int howmany_rank,                   \
        const X(iodim64) *howmany_dims, C *in, C *out, int sign,              \
        unsigned flags);                                                      \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru_split_dft)(                    \
        int rank, const X(iodim) *dims, int howmany_rank,                     \
        const X(iodim) *howmany_dims, R *ri, R *ii, R *ro, R *io,             \
        unsigned flags);                                                      \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru64_split_dft)(                  \
        int rank, const X(iodim64) *dims, int howmany_rank,                   \
        const X(iodim64) *howmany_dims, R *ri, R *ii, R *ro, R *io,           \
        unsigned flags);                                                      \
                                                                              \
    /* Real to complex. */                                                    \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_r2c)(                           \
        int rank, const int *n, R *in, C *out, unsigned flags);               \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_r2c_1d)(int n, R *in, C *out,   \
                                                      unsigned flags);        \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_r2c_2d)(                        \
        int n0, int n1, R *in, C *out, unsigned flags);                       \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_r2c_3d)(                        \
        int n0, int n1, int n2, R *in, C *out, unsigned flags);               \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_many_dft_r2c)(                      \
        int rank, const int *n, int howmany, R *in, const int *inembed,       \
        int istride, int idist, C *out, const int *onembed, int ostride,      \
        int odist, unsigned flags);                                           \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru_dft_r2c)(                      \
        int rank, const X(iodim) *dims, int howmany_rank,                     \
        const X(iodim) *howmany_dims, R *in, C *out, unsigned flags);         \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru64_dft_r2c)(                    \
        int rank, const X(iodim64) *dims, int howmany_rank,                   \
        const X(iodim64) *howmany_dims, R *in, C *out, unsigned flags);       \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru_split_dft_r2c)(                \
        int rank, const X(iodim) *dims, int howmany_rank,                     \
        const X(iodim) *howmany_dims, R *in, R *ro, R *io, unsigned flags);   \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru64_split_dft_r2c)(              \
        int rank, const X(iodim64) *dims, int howmany_rank,                   \
        const X(iodim64) *howmany_dims, R *in, R *ro, R *io, unsigned flags); \
                                                                              \
    /* Complex to real. */                                                    \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_c2r)(                           \
        int rank, const int *n, C *in, R *out, unsigned flags);               \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_c2r_1d)(int n, C *in, R *out,   \
                                                      unsigned flags);        \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_c2r_2d)(                        \
        int n0, int n1, C *in, R *out, unsigned flags);                       \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_dft_c2r_3d)(                        \
        int n0, int n1, int n2, C *in, R *out, unsigned flags);               \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_many_dft_c2r)(                      \
        int rank, const int *n, int howmany, C *in, const int *inembed,       \
        int istride, int idist, R *out, const int *onembed, int ostride,      \
        int odist, unsigned flags);                                           \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru_dft_c2r)(                      \
        int rank, const X(iodim) *dims, int howmany_rank,                     \
        const X(iodim) *howmany_dims, C *in, R *out, unsigned flags);         \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru64_dft_c2r)(                    \
        int rank, const X(iodim64) *dims, int howmany_rank,                   \
        const X(iodim64) *howmany_dims, C *in, R *out, unsigned flags);       \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru_split_dft_c2r)(                \
        int rank, const X(iodim) *dims, int howmany_rank,                     \
        const X(iodim) *howmany_dims, R *ri, R *ii, R *out, unsigned flags);  \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru64_split_dft_c2r)(              \
        int rank, const X(iodim64) *dims, int howmany_rank,                   \
        const X(iodim64) *howmany_dims, R *ri, R *ii, R *out,                 \
        unsigned flags);                                                      \
                                                                              \
    /* Real to real: halfcomplex, Hartley, cosine and sine transforms. */     \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_r2r)(                               \
        int rank, const int *n, R *in, R *out, const X(r2r_kind) *kind,       \
        unsigned flags);                                                      \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_r2r_1d)(                            \
        int n, R *in, R *out, X(r2r_kind) kind, unsigned flags);              \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_r2r_2d)(                            \
        int n0, int n1, R *in, R *out, X(r2r_kind) kind0, X(r2r_kind) kind1,  \
        unsigned flags);                                                      \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_r2r_3d)(                            \
        int n0, int n1, int n2, R *in, R *out, X(r2r_kind) kind0,             \
        X(r2r_kind) kind1, X(r2r_kind) kind2, unsigned flags);                \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_many_r2r)(                          \
        int rank, const int *n, int howmany, R *in, const int *inembed,       \
        int istride, int idist, R *out, const int *onembed, int ostride,      \
        int odist, const X(r2r_kind) *kind, unsigned flags);                  \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru_r2r)(                          \
        int rank, const X(iodim) *dims, int howmany_rank,                     \
        const X(iodim) *howmany_dims, R *in, R *out,                          \
        const X(r2r_kind) *kind, unsigned flags);                             \
    FFTW_EXTERN X(plan) FFTW_CDECL X(plan_guru64_r2r)(                        \
        int rank, const X(iodim64) *dims, int howmany_rank,                   \
        const X(iodim64) *howmany_dims, R *in, R *out,                        \
        const X(r2r_kind) *kind, unsigned flags);                             \
                                                                              \
    /* Plans. */                                                              \
    FFTW_EXTERN void FFTW_CDECL X(destroy_plan)(X(plan) p);                   \
    FFTW_EXTERN void FFTW_CDECL X(fprint_plan)(const X(plan) p,               \
                                               FILE *output_file);            \
    FFTW_EXTERN void FFTW_CDECL X(print_plan)(const X(plan) p);               \
    FFTW_EXTERN char *FFTW_CDECL X(sprint_plan)(const X(plan) p);             \
    FFTW_EXTERN void FFTW_CDECL X(flops)(const X(plan) p, double *add,        \
                                         double *mul, double *fmas);          \
    FFTW_EXTERN double FFTW_CDECL X(estimate_cost)(const X(plan) p);          \
    FFTW_EXTERN double FFTW_CDECL X(cost)(const X(plan) p);                   \
    FFTW_EXTERN void FFTW_CDECL X(set_timelimit)(double t);                   \
    FFTW_EXTERN void FFTW_CDECL X(cleanup)(void);                             \
                                                                              \
    /* Threads. */                                                            \
    FFTW_EXTERN int FFTW_CDECL X(init_threads)(void);                         \
    FFTW_EXTERN void FFTW_CDECL X(plan_with_nthreads)(int nthreads);          \
    FFTW_EXTERN int FFTW_CDECL X(planner_nthreads)(void);                     \
    FFTW_EXTERN void FFTW_CDECL X(cleanup_threads)(void);                     \
    FFTW_EXTERN void FFTW_CDECL X(make_planner_thread_safe)(void);            \
    FFTW_EXTERN void FFTW_CDECL X(threads_set_callback)(                      \
        void (*parallel_loop)(void *(*work)(char *), char *jobdata,           \
                              size_t elsize, int njobs, void *data),          \
        void *data);                                                          \
                                                                              \
    /* Wisdom. */                                                             \
    FFTW_EXTERN void FFTW_CDECL X(forget_wisdom)(void);                       \
    FFTW_EXTERN int FFTW_CDECL X(export_wisdom_to_filename)(                  \
        const char *filename);                                                \
    FFTW_EXTERN void FFTW_CDECL X(export_wisdom_to_file)(FILE *output_file);  \
    FFTW_EXTERN char *FFTW_CDECL X(export_wisdom_to_string)(void);            \
    FFTW_EXTERN void FFTW_CDECL X(export_wisdom)(                             \
        X(write_char_func) write_char, void *data);                           \
    FFTW_EXTERN int FFTW_CDECL X(import_system_wisdom)(void);                 \
    FFTW_EXTERN int FFTW_CDECL X(import_wisdom_from_filename)(                \
        const char *filename);                                                \
    FFTW_EXTERN int FFTW_CDECL X(import_wisdom_from_file)(FILE *input_file);  \
    FFTW_EXTERN int FFTW_CDECL X(import_wisdom_from_string)(                  \
        const char *input_string);                                            \
    FFTW_EXTERN int FFTW_CDECL X(import_wisdom)(X(read_char_func) read_char,  \
                                                void *data);                  \
                                                                              \
    /* Memory: aligned for any vector unit; NULL when there is none. */       \
    FFTW_EXTERN void *FFTW_CDECL X(malloc)(size_t n);                         \
    FFTW_EXTERN R *FFTW_CDECL X(alloc_real)(size_t n);                        \
    FFTW_EXTERN C *FFTW_CDECL X(alloc_complex)(size_t n);                     \
    FFTW_EXTERN void FFTW_CDECL X(free)(void *p);                             \
    FFTW_EXTERN int FFTW_CDECL X(alignment_of)(R * p);                        \
                                                                              \
    FFTW_EXTERN const char X(version)[];                                      \
    FFTW_EXTERN const char X(cc)[];                                           \
    FFTW_EXTERN const char X(codelet_optim)[];

/* clang-format on */

FFTW_DEFINE_COMPLEX(double, fftw_complex);
FFTW_DEFINE_COMPLEX(float, fftwf_complex);
FFTW_DEFINE_COMPLEX(long double, fftwl_complex);
FFTW_DEFINE_API(FFTW_MANGLE_DOUBLE, double, fftw_complex)
FFTW_DEFINE_API(FFTW_MANGLE_FLOAT, float, fftwf_complex)
FFTW_DEFINE_API(FFTW_MANGLE_LONG_DOUBLE, long double, fftwl_complex)

/* gcc has no _Complex __float128 but by its mode. */
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 fftw_quad_do_not_use_me;
#ifdef FFTW_COMPLEX_IS_C99
typedef _Complex float fftwq_complex __attribute__((mode(TC)));
#else
typedef fftw_quad_do_not_use_me fftwq_complex[2];
#endif
FFTW_DEFINE_API(FFTW_MANGLE_QUAD, fftw_quad_do_not_use_me, fftwq_complex)
#endif

#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD (+1)

#define FFTW_NO_TIMELIMIT (-1.0)

/* How hard to look for a plan, and what it may do. */
#define FFTW_MEASURE (0U)
#define FFTW_DESTROY_INPUT (1U << 0)
#define FFTW_UNALIGNED (1U << 1)
#define FFTW_CONSERVE_MEMORY (1U << 2)
#define FFTW_EXHAUSTIVE (1U << 3)
#define FFTW_PRESERVE_INPUT (1U << 4)
#define FFTW_PATIENT (1U << 5)
#define FFTW_ESTIMATE (1U << 6)
#define FFTW_WISDOM_ONLY (1U << 21)

/* FFTW's switches of its own planner: accepted, of no effect here. */
#define FFTW_ESTIMATE_PATIENT (1U << 7)
#define FFTW_BELIEVE_PCOST (1U << 8)
#define FFTW_NO_DFT_R2HC (1U << 9)
#define FFTW_NO_NONTHREADED (1U << 10)
#define FFTW_NO_BUFFERING (1U << 11)
#define FFTW_NO_INDIRECT_OP (1U << 12)
#define FFTW_ALLOW_LARGE_GENERIC (1U << 13)
#define FFTW_NO_RANK_SPLITS (1U << 14)
#define FFTW_NO_VRANK_SPLITS (1U << 15)
#define FFTW_NO_VRECURSE (1U << 16)
#define FFTW_NO_SIMD (1U << 17)
#define FFTW_NO_SLOW (1U << 18)
#define FFTW_NO_FIXED_RADIX_LARGE_N (1U << 19)
#define FFTW_ALLOW_PRUNING (1U << 20)

#ifdef __cplusplus
}
#endif

#endif
