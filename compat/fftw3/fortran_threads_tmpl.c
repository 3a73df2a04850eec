/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran_threads_tmpl.c - the part of the legacy Fortran interface that the
 * companions have too; included once for each way to decorate a NAME.
 */

#define SUBROUTINE(name, parameters)        \
    FFTW_EXTERN void NAME(name) parameters; \
    void NAME(name) parameters

SUBROUTINE(init_threads, (int *okay))
{
    *okay = X(init_threads)();
}

SUBROUTINE(plan_with_nthreads, (const int *nthreads))
{
    X(plan_with_nthreads)(*nthreads);
}

SUBROUTINE(planner_nthreads, (int *nthreads))
{
    *nthreads = X(planner_nthreads)();
}

SUBROUTINE(cleanup_threads, (void))
{
    X(cleanup_threads)();
}

#undef SUBROUTINE
