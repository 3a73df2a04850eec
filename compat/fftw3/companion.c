/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * companion.c - libfftw3_threads and libfftw3_omp, which programs link beside
 * libfftw3 for threads.  weft's libfftw3 has everything; these export FFTW's
 * names of them and pass each call on.
 *
 * The library is asked for by its own name, so that a companion finds the
 * real functions and not itself, whatever the order they were loaded in.  It
 * is loaded before the companion, which is linked to it.
 */
#define _GNU_SOURCE /* RTLD_NOLOAD */
#define FFTW_EXTERN extern __attribute__((visibility("default")))
#include <dlfcn.h>

#include "fftw3.h"

#if WEFT_FFTW_SINGLE
#define X(name) fftwf_##name
#define FORTRAN(name) sfftw_##name
#define PREFIX "fftwf_"
#define LIBRARY "libfftw3f.so.3"
#else
#define X(name) fftw_##name
#define FORTRAN(name) dfftw_##name
#define PREFIX "fftw_"
#define LIBRARY "libfftw3.so.3"
#endif

typedef void parallel_loop(void *(*work)(char *), char *jobdata, size_t elsize,
                           int njobs, void *data);

static struct {
    int (*init_threads)(void);
    void (*plan_with_nthreads)(int nthreads);
    int (*planner_nthreads)(void);
    void (*cleanup_threads)(void);
    void (*make_planner_thread_safe)(void);
    void (*threads_set_callback)(parallel_loop *loop, void *data);
} library;

/* A function pointer from dlsym, by the way POSIX shows. */
static void find(void *handle, const char *name, void *slot)
{
    *(void **)slot = dlsym(handle, name);
}

__attribute__((constructor)) static void load(void)
{
    void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return;
    find(handle, PREFIX "init_threads", &library.init_threads);
    find(handle, PREFIX "plan_with_nthreads", &library.plan_with_nthreads);
    find(handle, PREFIX "planner_nthreads", &library.planner_nthreads);
    find(handle, PREFIX "cleanup_threads", &library.cleanup_threads);
    find(handle, PREFIX "make_planner_thread_safe",
         &library.make_planner_thread_safe);
    find(handle, PREFIX "threads_set_callback", &library.threads_set_callback);
    dlclose(handle);
}

int X(init_threads)(void)
{
    return library.init_threads ? library.init_threads() : 0;
}

void X(plan_with_nthreads)(int nthreads)
{
    if (library.plan_with_nthreads)
        library.plan_with_nthreads(nthreads);
}

int X(planner_nthreads)(void)
{
    return library.planner_nthreads ? library.planner_nthreads() : 1;
}

void X(cleanup_threads)(void)
{
    if (library.cleanup_threads)
        library.cleanup_threads();
}

void X(make_planner_thread_safe)(void)
{
    if (library.make_planner_thread_safe)
        library.make_planner_thread_safe();
}

void X(threads_set_callback)(parallel_loop *loop, void *data)
{
    if (library.threads_set_callback)
        library.threads_set_callback(loop, data);
}

#define NAME(name) FORTRAN(name##_)
#include "fortran_threads_tmpl.c"
#undef NAME
#define NAME(name) FORTRAN(name##__)
#include "fortran_threads_tmpl.c"
