/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base.h - floor 1: what every room needs and that knows no Fourier
 * transform.  Status, error text, checked sizes, the allocator, CPU features,
 * clock, threads, growing text.
 *
 * Invariants: nothing here prints, exits or aborts for a user's mistake;
 * everything is callable from any thread.
 */
#ifndef WEFT_BASE_BASE_H
#define WEFT_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/weft.h> /* weft_status only */

/* ---- status.c: errors travel as values, the text beside them ------------ */

/* Stores a formatted reason in the calling thread's error text (what
 * weft_error_text() returns; truncated at 511 bytes) and returns `status`, so
 * that `return wf_fail(WEFT_ERR_ARGUMENT, "rank %d: ...", rank);` is one
 * line. */
weft_status wf_fail(weft_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *wf_error_text(void);
enum { WF_ERROR_TEXT = 512 };

/* ---- size.c: checked arithmetic.  False when the result does not fit ---- */
bool wf_mul_size(size_t a, size_t b, size_t *product);
bool wf_add_size(size_t a, size_t b, size_t *sum);
bool wf_mul_i64(int64_t a, int64_t b, int64_t *product);
bool wf_add_i64(int64_t a, int64_t b, int64_t *sum);

/* ---- alloc.c: the only door to the heap --------------------------------- */

/* 64-byte aligned; from 32 KiB on in memory advised as huge pages, from 2 MiB
 * on at a multiple of that.  NULL when there is no memory or the size
 * overflows.  The content of wf_alloc is undefined, of wf_calloc zero.
 * wf_free(NULL) is nothing. */
void *wf_alloc(size_t bytes);
void *wf_calloc(size_t count, size_t bytes);
void wf_free(void *block);
char *wf_strdup(const char *text);

/* For tests: make the n-th next allocation from now fail (n = 0: the very
 * next; one failure, then normal again); n < 0 turns it off.  Returns how
 * many allocations have been asked for since the last call. */
int64_t wf_alloc_fail_after(int64_t n);
int64_t wf_alloc_live(void); /* blocks not yet freed */

/* ---- cpu.c: features once per process, masked by WEFT_ISA --------------- */

/* Bytes of a page, and of the sets of a first cache; of a line. */
enum { WF_PAGE = 4096, WF_LINE = 64 };

/* Values as in kernel.h's wf_isa; base knows only the order. WEFT_ISA=scalar
 * | sse2 | avx2 | avx512 | neon lowers the answer, never raises it; an
 * unknown value is ignored and reported by wf_cpu_mask_text(). */
int wf_cpu_isa(void);
/* Processors that plans have prices of their own for; WEFT_CORE=other | icelake |
 * emeraldrapids | graniterapids | zen4 | zen5 takes another one's than this one's. */
typedef enum wf_cpu_core {
    WF_CORE_OTHER,
    WF_CORE_ICELAKE,
    WF_CORE_EMERALDRAPIDS,
    WF_CORE_GRANITERAPIDS,
    WF_CORE_ZEN4,
    WF_CORE_ZEN5
} wf_cpu_core;
wf_cpu_core wf_cpu_core_kind(void);
const char *wf_cpu_core_name(void);   /* as WEFT_CORE has it */
bool wf_cpu_has(const char *feature); /* "fma", "avx512bf16", "amx-bf16" ... */
const char *wf_cpu_name(void);        /* model name for reports */
const char *wf_cpu_mask_text(void);   /* NULL or why they were ignored */
size_t wf_cpu_cache_size(int level);  /* bytes of data cache 1, 2, 3; 0: ? */
int wf_cpu_count(void);               /* CPUs this process may run on */

/* ---- clock.c ------------------------------------------------------------ */
double wf_clock_seconds(void); /* monotonic */

/* ---- threads.c: a parallel for, on our own pool or the host's executor -- */

/* Calls job(context, i) for i in 0..count-1, from up to `threads` threads,
 * the caller's among them, and returns when all are done.  count <= 1 or
 * threads <= 1 runs inline, in order.  Never fails: when no worker can be
 * had, the caller does all the work.  Re-entrant: a job may call it again,
 * and many threads may call it at once. */
typedef void wf_job(void *context, size_t index);
void wf_parallel_for(int threads, size_t count, wf_job *job, void *context);

/* The host's executor; NULL gives the own pool back. */
void wf_set_executor(weft_executor *executor, void *executor_context);
/* The same where it is this one. */
void wf_unset_executor(weft_executor *executor);

/* Joins and frees the pool's threads (library unload, leak checks); the next
 * parallel for starts them again.  A fork leaves the child with no workers:
 * the pool notices and starts anew. */
void wf_threads_shutdown(void);

/* While another thread's word is awaited. */
static inline void wf_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ---- phases.c: a parallel for in phases ---------------------------------- */

/* Calls job(context, phase, part) for each part of each phase; a phase begins
 * when all parts of the one before are done.  Up to `parts` threads, which keep
 * to parts of one number as far as they come in time: what one phase leaves in a
 * core's cache the next one finds there.  For the rest as wf_parallel_for, which
 * this is one of: it costs less than one for each phase.  parts: 1 to
 * WF_PHASE_PARTS; phases: 1 to WF_PHASES. */
enum { WF_PHASES = 32, WF_PHASE_PARTS = 64 };
typedef void wf_phase_job(void *context, int phase, size_t part);
void wf_parallel_phases(size_t parts, int phases, wf_phase_job *job,
                        void *context);

/* ---- module.c: compiled code from files ---------------------------------- */

/* Loads `path`, a file or all files *.so of a folder, for the life of the
 * process, and gives what each exports as `symbol` to `take`.  Refuses what
 * another user could have written.  Of a folder everything that can be is
 * loaded; what is returned is the first refusal. */
typedef weft_status wf_module_take(void *symbol, const char *file);
weft_status wf_module_load(const char *path, const char *symbol,
                           wf_module_take *take);
/* getenv; NULL in a program that has more rights than who started it. */
const char *wf_environment(const char *name);

/* ---- text.c: a growing string that remembers its first failure ---------- */
typedef struct wf_text {
    char *data; /* NUL-terminated, or NULL when empty or failed */
    size_t length, capacity;
    bool failed; /* an allocation failed: length is meaningless */
} wf_text;
void wf_text_add(wf_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void wf_text_free(wf_text *text);
/* Copies into a caller's buffer of `capacity`; returns the full length
 * without the NUL, like snprintf. */
size_t wf_text_copy(const wf_text *text, char *buffer, size_t capacity);

#endif
