/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.c - the order of execution.
 *
 * Compilers keep the order of straight-line code, so register pressure is
 * decided here.  Two orders are tried and the one with fewer live values
 * wins: the order of creation, which is the depth-first recursion of the
 * algebra, and a depth-first walk back from the sinks.  Loads and constants
 * are not scheduled: they happen at their first use, often as memory
 * operands.  A sink is stored as soon as its last value is known.
 */
#include "program.h"

#include "util.h"

#include <stdlib.h>
#include <string.h>

static int is_input(const node *n)
{
    int unused[3];
    return dag_operands(n, unused) == 0;
}

typedef struct state {
    const program *p;
    schedule *s;
    char *done;    /* per node */
    char *stored;  /* per sink */
    int next_sink; /* for ordered programs */
} state;

static int sink_ready(const state *t, int i)
{
    const sink *k = &t->p->sinks[i];
    for (int r = k->first; r < k->first + k->count; ++r)
        if (!t->done[t->p->roots[r]])
            return 0;
    return 1;
}

static void store_ready_sinks(state *t)
{
    for (int i = 0; i < t->p->sink_count; ++i) {
        if (t->stored[i])
            continue;
        if (!sink_ready(t, i)) {
            if (t->p->ordered)
                return;
            continue;
        }
        t->stored[i] = 1;
        t->s->steps[t->s->count++] = ~i;
    }
}

static void mark_live(const dag *g, int i, char *live)
{
    if (live[i])
        return;
    live[i] = 1;
    int x[3];
    const int n = dag_operands(&g->nodes[i], x);
    for (int j = 0; j < n; ++j)
        mark_live(g, x[j], live);
}

static void begin(state *t, const program *p, schedule *s)
{
    const size_t n = (size_t)p->g->count;
    s->steps = gen_alloc((n + MAX_RADIX) * sizeof *s->steps);
    s->count = 0;
    t->p = p;
    t->s = s;
    t->done = gen_alloc(n);
    t->stored = gen_alloc(MAX_RADIX);
    memset(t->stored, 0, MAX_RADIX);
    for (int i = 0; i < p->g->count; ++i)
        t->done[i] = (char)is_input(&p->g->nodes[i]);
}

static void end(state *t)
{
    store_ready_sinks(t);
    for (int i = 0; i < t->p->sink_count; ++i)
        if (!t->stored[i])
            gen_die("a sink was not stored");
    free(t->done);
    free(t->stored);
}

static schedule order_of_creation(const program *p)
{
    schedule s;
    state t;
    begin(&t, p, &s);
    char *live = gen_alloc((size_t)p->g->count);
    memset(live, 0, (size_t)p->g->count);
    for (int i = 0; i < p->root_count; ++i)
        mark_live(p->g, p->roots[i], live);
    for (int i = 0; i < p->g->count; ++i)
        if (live[i] && !t.done[i]) {
            t.done[i] = 1;
            s.steps[s.count++] = i;
            store_ready_sinks(&t);
        }
    free(live);
    end(&t);
    return s;
}

static void visit(state *t, int i)
{
    if (t->done[i])
        return;
    int x[3];
    const int n = dag_operands(&t->p->g->nodes[i], x);
    for (int j = 0; j < n; ++j)
        visit(t, x[j]);
    t->done[i] = 1;
    t->s->steps[t->s->count++] = i;
}

static schedule depth_first(const program *p)
{
    schedule s;
    state t;
    begin(&t, p, &s);
    for (int i = 0; i < p->sink_count; ++i) {
        const sink *k = &p->sinks[i];
        for (int r = k->first; r < k->first + k->count; ++r)
            visit(&t, p->roots[r]);
        store_ready_sinks(&t);
    }
    end(&t);
    return s;
}

/* Position of the last step that reads each node; 0 if none. */
static int *last_uses(const program *p, const schedule *s)
{
    int *last = gen_alloc((size_t)p->g->count * sizeof *last);
    memset(last, 0, (size_t)p->g->count * sizeof *last);
    for (int i = 0; i < s->count; ++i) {
        const int step = s->steps[i];
        if (step < 0) {
            const sink *k = &p->sinks[~step];
            for (int r = k->first; r < k->first + k->count; ++r)
                last[p->roots[r]] = i;
            continue;
        }
        int x[3];
        const int n = dag_operands(&p->g->nodes[step], x);
        for (int j = 0; j < n; ++j)
            last[x[j]] = i;
    }
    return last;
}

/* Most values alive at once.  A load counts from its first use to its last;
 * constants are memory operands and do not count. */
static int max_live(const program *p, const schedule *s)
{
    int *last = last_uses(p, s);
    char *seen = gen_alloc((size_t)p->g->count);
    memset(seen, 0, (size_t)p->g->count);
    int *dying = gen_alloc(((size_t)s->count + 1) * sizeof *dying);
    memset(dying, 0, ((size_t)s->count + 1) * sizeof *dying);
    int live = 0, most = 0;
    for (int i = 0; i < s->count; ++i) {
        const int step = s->steps[i];
        int x[3];
        const int n = step < 0 ? 0 : dag_operands(&p->g->nodes[step], x);
        for (int j = 0; j < n; ++j)
            if (p->g->nodes[x[j]].op == OP_LOAD && !seen[x[j]]) {
                seen[x[j]] = 1;
                if (last[x[j]] > i) {
                    ++live;
                    ++dying[last[x[j]]];
                }
            }
        live -= dying[i];
        if (step >= 0 && last[step] > i) {
            ++live;
            ++dying[last[step]];
        }
        if (live > most)
            most = live;
    }
    free(dying);
    free(seen);
    free(last);
    return most;
}

schedule schedule_program(const program *p)
{
    schedule a = order_of_creation(p);
    schedule b = depth_first(p);
    a.max_live = max_live(p, &a);
    b.max_live = max_live(p, &b);
    if (b.max_live < a.max_live) {
        free(a.steps);
        return b;
    }
    free(b.steps);
    return a;
}
