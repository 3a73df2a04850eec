/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.h - all a test program needs: CHECK counts and reports, check_report
 * sums up.  A test is a main() that checks and returns check_report(name).
 *
 *   CHECK(got == want, "n = %d: got %d, want %d", n, got, want);
 *
 * Failures print file and line; after the first twenty only the count grows.
 */
#ifndef WEFT_TESTS_CHECK_H
#define WEFT_TESTS_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static long check_count, check_failures;

__attribute__((format(printf, 5, 6))) static inline bool check_result(
    bool passed, const char *file, int line, const char *condition,
    const char *format, ...)
{
    check_count++;
    if (passed)
        return true;
    if (++check_failures > 20)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: %s: ", file, line, condition);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

/* CHECK(condition, format, ...): true when it passed.  Call it from one
 * thread at a time. */
#define CHECK(condition, ...) \
    check_result((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)

static inline int check_report(const char *name)
{
    printf("%s: %ld checks, %ld failed\n", name, check_count, check_failures);
    return check_failures != 0;
}

/* The step from one large case to the next one that is run: watched by
 * ThreadSanitizer `many`, and a line says so, else 1. */
static inline size_t check_step(size_t many, const char *cases)
{
#if defined(__SANITIZE_THREAD__)
    printf("under ThreadSanitizer one of %zu: %s\n", many, cases);
    return many;
#else
    (void)many;
    (void)cases;
    return 1;
#endif
}

/* Under a user-mode emulator (the build says so) a program cannot start itself
 * again nor fork with threads; says what is left out for it. */
static inline int check_emulated(const char *left_out)
{
    if (getenv("WEFT_TEST_EMULATED") == NULL)
        return 0;
    printf("left out under an emulator: %s\n", left_out);
    return 1;
}

#endif
