/* SPDX-License-Identifier: BSD-3-Clause */
/* Fair timing: see timing.h. */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include <stdlib.h>
#include <time.h>

double timing_now(timing_clock clock)
{
    struct timespec now;
    clock_gettime(
        clock == CLOCK_CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double call_many(const runner *run, int64_t calls, timing_clock clock)
{
    double start = timing_now(clock);
    run->run(run->argument, calls);
    return timing_now(clock) - start;
}

/* Calls for `warm` seconds and says how many calls fill a sample. */
static int64_t warm_up(const runner *run, const timing_plan *plan)
{
    int64_t calls = 1;
    double spent = 0, one = 0;
    while (spent < plan->warm) {
        double took = call_many(run, calls, CLOCK_WALL);
        spent += took;
        one = took / (double)calls;
        if (took < plan->warm / 4)
            calls *= 2;
    }
    double wanted = plan->sample / (one > 1e-10 ? one : 1e-10);
    return wanted < 1 ? 1 : (int64_t)wanted + 1;
}

/* As many as leave two rounds within the budget, from a call of each. */
static int samples_a_round(const contender *contenders, int count,
                           const timing_plan *plan)
{
    double all = 1e-9;
    for (int i = 0; i < count; i++)
        if (!contenders[i].out)
            all += call_many(&contenders[i].run, 1, CLOCK_WALL);
    double fit = plan->budget / 2 / all - 1; /* one call warms up */
    return fit < FEWEST_SAMPLES    ? FEWEST_SAMPLES
           : fit > SAMPLES_A_ROUND ? SAMPLES_A_ROUND
                                   : (int)fit;
}

static void take_samples(contender *c, int samples, const timing_plan *plan)
{
    int64_t calls = warm_up(&c->run, plan);
    if (calls > c->calls)
        c->calls = calls;
    for (int i = 0; i < samples; i++)
        c->samples[c->count++] = call_many(&c->run, c->calls, plan->clock) /
                                 (double)c->calls;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarize(contender *c)
{
    if (c->count == 0)
        return;
    qsort(c->samples, (size_t)c->count, sizeof *c->samples, compare);
    c->minimum = c->samples[0];
    int64_t middle = c->count / 2;
    c->median = c->count % 2
                    ? c->samples[middle]
                    : (c->samples[middle - 1] + c->samples[middle]) / 2;
}

int timing_run(contender *contenders, int count, const timing_plan *plan)
{
    size_t most = (size_t)plan->rounds * SAMPLES_A_ROUND;
    int code = CODE_OK;
    for (int i = 0; i < count; i++) {
        contender *c = &contenders[i];
        c->count = c->calls = 0;
        c->samples = malloc(most * sizeof *c->samples);
        if (!c->samples)
            code = fail(CODE_LIBRARY, "no memory for %zu samples", most);
    }
    int samples = code ? 0 : samples_a_round(contenders, count, plan);
    double start = timing_now(CLOCK_WALL);
    for (int round = 0; round < plan->rounds && !code; round++) {
        if (round >= 2 && timing_now(CLOCK_WALL) - start > plan->budget)
            break;
        for (int i = 0; i < count; i++) {
            if (contenders[i].out)
                continue;
            take_samples(&contenders[i], samples, plan);
            if (plan->check && !plan->check(plan->context, i))
                contenders[i].out = true;
        }
    }
    for (int i = 0; i < count; i++) {
        if (!code)
            summarize(&contenders[i]);
        free(contenders[i].samples);
        contenders[i].samples = NULL;
    }
    return code;
}
