/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.c - seconds that never run backwards.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <time.h>

double wf_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
