/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phases.c - phases of parts, in one parallel for.
 *
 * Everybody goes through all phases in order.  In each he takes the part of his
 * own number, then parts that nobody has taken, and waits until all are done.
 * A part that is taken is being worked on, so nobody waits for a thread that
 * never came: whoever did come has taken its parts.
 */
#include "base/base.h"

#include <sched.h>
#include <stdatomic.h>

/* Looks before the processor is offered to others, about 100 microseconds: the
 * parts of a phase are equal, so that the others are nearly done. */
enum { LINE = 64, SPINS = 5000 };

/* In a cache line of its own: who waits for a phase looks at it all the time. */
typedef struct phase {
    _Alignas(LINE) _Atomic uint64_t taken; /* bit i: part i */
    atomic_size_t done;
} phase;

typedef struct course {
    size_t parts;
    int phases;
    wf_phase_job *job;
    void *context;
    phase phase[WF_PHASES];
} course;

static void wait_for(phase *p, size_t parts)
{
    int spins = 0;
    while (atomic_load_explicit(&p->done, memory_order_acquire) != parts)
        if (++spins < SPINS)
            wf_relax();
        else
            sched_yield();
}

static void take(course *c, int index, size_t part)
{
    phase *p = &c->phase[index];
    const uint64_t bit = (uint64_t)1 << part;
    if (atomic_load_explicit(&p->taken, memory_order_relaxed) & bit ||
        atomic_fetch_or_explicit(&p->taken, bit, memory_order_relaxed) & bit)
        return;
    c->job(c->context, index, part);
    atomic_fetch_add_explicit(&p->done, 1, memory_order_release);
}

static void go_through(void *context, size_t number)
{
    course *c = context;
    for (int i = 0; i < c->phases; i++) {
        take(c, i, number);
        for (size_t part = 0; part < c->parts; part++)
            take(c, i, part);
        if (i + 1 < c->phases)
            wait_for(&c->phase[i], c->parts);
    }
}

void wf_parallel_phases(size_t parts, int phases, wf_phase_job *job,
                        void *context)
{
    course c;
    if (parts == 1) {
        for (int i = 0; i < phases; i++)
            job(context, i, 0);
        return;
    }
    c.parts = parts;
    c.phases = phases;
    c.job = job;
    c.context = context;
    for (int i = 0; i < phases; i++) {
        atomic_init(&c.phase[i].taken, 0);
        atomic_init(&c.phase[i].done, 0);
    }
    wf_parallel_for((int)parts, parts, go_through, &c);
}
