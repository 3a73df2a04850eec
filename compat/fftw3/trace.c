/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.c - the two things these libraries ever print, both on standard
 * error: that a program misuses a plan (FFTW would crash), and, when
 * WEFT_FFTW_TRACE is set, why a planner returned NULL.
 */
#include "compat.h"

#include <stdlib.h>

void complain(misuse what, const char *detail)
{
    static const char *const texts[] = {
        [NULL_PLAN] = "the plan is NULL",
        [FOREIGN_PLAN] = "not a plan of this library, or a destroyed one",
        [REFUSED_ARRAYS] = "the arrays do not suit the plan",
    };
    static atomic_bool said[sizeof texts / sizeof *texts];
    if (atomic_exchange(&said[what], true))
        return;
    fprintf(stderr, "weft " LIBRARY ": nothing is done: %s%s%s\n", texts[what],
            detail ? ": " : "", detail ? detail : "");
}

void trace_refusal(const weft_problem *problem, const char *why)
{
    char text[1000] = "-";
    if (!getenv("WEFT_FFTW_TRACE"))
        return;
    if (problem)
        weft_problem_print(problem, text, sizeof text, NULL);
    fprintf(stderr, "weft " LIBRARY ": no plan: %s: %s\n", text, why);
}
