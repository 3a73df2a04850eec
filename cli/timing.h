/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timing contenders fairly: in one process, in turn, round after round, so
 * that what disturbs the machine disturbs all.  In each round a contender is
 * called for at least a millisecond unmeasured (its code, tables and data
 * are in the caches and the clock has risen), then gives some samples, each
 * as many calls as last `sample` seconds; all contenders as many, and fewer
 * where two rounds would exceed the budget.
 */
#ifndef WEFT_CLI_TIMING_H
#define WEFT_CLI_TIMING_H

#include "cli.h"
#include "peer.h"

enum { SAMPLES_A_ROUND = 5, FEWEST_SAMPLES = 2 };

typedef enum timing_clock {
    CLOCK_CPU, /* of the whole process, all its threads */
    CLOCK_WALL
} timing_clock;

typedef struct contender {
    runner run;
    bool out;        /* no more rounds: it failed */
    int64_t calls;   /* of one sample */
    double *samples; /* seconds a call */
    int64_t count;
    double minimum, median; /* seconds a call, after timing_run */
} contender;

typedef struct timing_plan {
    int rounds;    /* at most */
    double budget; /* seconds, after which no round begins (two are
                          always done) */
    double sample; /* seconds a sample lasts at least */
    double warm;   /* seconds of warming up */
    timing_clock clock;
    /* After a contender's samples of a round: false puts it out. */
    bool (*check)(void *context, int index);
    void *context;
} timing_plan;

/* Fills minimum and median of those that stayed; 0 or CODE_LIBRARY, told. */
int timing_run(contender *contenders, int count, const timing_plan *plan);
double timing_now(timing_clock clock);

#endif
