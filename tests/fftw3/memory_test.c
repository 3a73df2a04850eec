/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_test.c - each allocation of planning fails once, where FFTW would
 * abort: no plan, nothing kept, and the next call works.  Executing after it,
 * and wisdom, likewise.
 *
 * The C library's allocators are replaced by ones that count and fail.
 */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "check.h"
#include "fftw3_both.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

static long until_failure = -1, live;

static bool fails(void)
{
    return until_failure >= 0 && until_failure-- == 0;
}

static void *counted(void *block)
{
    live += block != NULL;
    return block;
}

#pragma GCC visibility push(default) /* the libraries call them */

void *malloc(size_t bytes)
{
    return fails() ? NULL : counted(__libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : counted(__libc_calloc(count, bytes));
}

void *realloc(void *block, size_t bytes)
{
    if (fails())
        return NULL;
    live += block == NULL;
    return __libc_realloc(block, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *made = fails() ? NULL : counted(__libc_memalign(alignment, bytes));
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block)
{
    live -= block != NULL;
    __libc_free(block);
}

#pragma GCC visibility pop

/* ---- What is tried -------------------------------------------------------- */

static real in[4096], out[4096];
static C *const cin = (C *)(void *)in, *const cout = (C *)(void *)out;

static plan plan_prime(void)
{
    return X(plan_dft_1d)(1009, cin, cout, -1, FFTW_ESTIMATE);
}

static plan plan_field(void)
{
    return X(plan_dft_r2c_2d)(24, 30, in, cout, FFTW_ESTIMATE);
}

static plan plan_tangled(void)
{
    const iodim64 d = {20, 1, 1};
    return X(plan_guru64_split_dft_r2c)(1, &d, 0, NULL, in, in, out,
                                        FFTW_ESTIMATE);
}

static plan plan_measured(void)
{
    return X(plan_dft_1d)(16, cin, cin, 1, FFTW_MEASURE);
}

static void try_all(plan (*make)(void), const char *what)
{
    long failure = 0;
    bool failed = true;
    X(destroy_plan)(make());
    X(cleanup)();
    long before = live;
    for (; failed && failure < 10000; failure++) {
        until_failure = failure;
        plan p = make();
        failed = until_failure < 0;
        if (p)
            X(execute)(p);
        char *text = X(export_wisdom_to_string)();
        if (text)
            X(import_wisdom_from_string)(text);
        until_failure = -1;
        free(text);
        CHECK(p || failed, "%s: no plan though nothing failed", what);
        X(destroy_plan)(p);
        X(cleanup)();
        CHECK(live == before, "%s: allocation %ld fails, %ld blocks stay",
              what, failure, live - before);
    }
    CHECK(failure > 2, "%s: only %ld allocations", what, failure);
}

/* A file that wisdom cannot be written to for lack of memory stays. */
static void try_file(void)
{
    char name[] = "/tmp/weft-fftw3-XXXXXX", text[8] = "";
    int file = mkstemp(name);
    if (!CHECK(file >= 0, "no temporary file"))
        return;
    int failures = 0;
    for (long failure = 0; failure < 100; failure++) {
        if (ftruncate(file, 0) || pwrite(file, "kept", 4, 0) != 4)
            break;
        until_failure = failure;
        int written = X(export_wisdom_to_filename)(name);
        until_failure = -1;
        if (written)
            break;
        failures++;
        CHECK(pread(file, text, 4, 0) == 4 && !strcmp(text, "kept"),
              "allocation %ld fails: the file is gone", failure);
    }
    CHECK(failures >= 3, "%d allocations", failures);
    close(file);
    unlink(name);
}

int main(void)
{
    memset(in, 0, sizeof in);
    try_file();
    try_all(plan_prime, "a prime");
    try_all(plan_field, "a field");
    try_all(plan_tangled, "a split transform onto itself");
    try_all(plan_measured, "a measured plan");
    return check_report(TEST_LIBRARY " memory_test");
}
