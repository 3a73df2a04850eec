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

#include <limits.h>
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
        dag_mark(p->g, p->roots[i], live);
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

/* ---- By time -------------------------------------------------------------- */

/* Cycles until a result is known: nearly the same on all machines. */
static int latency(const node *n)
{
    switch (n->op) {
    case OP_SWAP: return 1;
    case OP_FMA:
    case OP_FNMA:
    case OP_FMS:
    case OP_FMALT:
    case OP_SHUF: return 4;
    default: return 3;
    }
}

/* A machine that issues the ready operation with the longest way to the end,
 * ISSUE of them a cycle; while FULL values are alive, of all that could come
 * next, whenever, the one that ends most of them. */
enum { ISSUE = 4, FULL = 10 };

typedef struct timing {
    const dag *g;
    char *live;
    int *way;   /* cycles from the node's start to the end */
    int *known; /* the cycle its value is there; -1: not yet issued */
    int *uses;  /* to come */
    int alive;
} timing;

/* Operands of node i, each once. */
static int operands_once(const dag *g, int i, int x[3])
{
    int all[3], count = 0;
    const int n = dag_operands(&g->nodes[i], all);
    for (int j = 0; j < n; ++j) {
        int k = 0;
        while (k < count && x[k] != all[j])
            ++k;
        if (k == count)
            x[count++] = all[j];
    }
    return count;
}

static void begin_timing(timing *m, const program *p)
{
    const dag *g = p->g;
    const size_t n = (size_t)g->count;
    m->g = g;
    m->live = gen_alloc(n);
    m->way = gen_alloc(n * sizeof *m->way);
    m->known = gen_alloc(n * sizeof *m->known);
    m->uses = gen_alloc(n * sizeof *m->uses);
    m->alive = 0;
    memset(m->live, 0, n);
    memset(m->way, 0, n * sizeof *m->way);
    memset(m->uses, 0, n * sizeof *m->uses);
    for (int i = 0; i < p->root_count; ++i) {
        dag_mark(g, p->roots[i], m->live);
        ++m->uses[p->roots[i]];
    }
    for (int i = g->count - 1; i >= 0; --i) {
        int x[3];
        const int count = operands_once(g, i, x);
        m->known[i] = count ? -1 : 0;
        if (!m->live[i] || !count)
            continue;
        m->way[i] += latency(&g->nodes[i]);
        for (int j = 0; j < count; ++j) {
            ++m->uses[x[j]];
            if (m->way[x[j]] < m->way[i])
                m->way[x[j]] = m->way[i];
        }
    }
}

static int can_issue(const timing *m, int i, int cycle)
{
    int x[3];
    const int count = operands_once(m->g, i, x);
    if (!m->live[i] || m->known[i] >= 0)
        return 0;
    for (int j = 0; j < count; ++j)
        if (m->known[x[j]] < 0 || m->known[x[j]] > cycle)
            return 0;
    return 1;
}

/* Values that node i is the last to use. */
static int ends_of(const timing *m, int i)
{
    int x[3], ends = 0;
    const int count = operands_once(m->g, i, x);
    for (int j = 0; j < count; ++j)
        ends += !is_input(&m->g->nodes[x[j]]) && m->uses[x[j]] == 1;
    return ends;
}

static int next_by_time(const timing *m, int cycle)
{
    const int full = m->alive >= FULL;
    int best = -1, most = 0;
    for (int i = 0; i < m->g->count; ++i) {
        if (!can_issue(m, i, full ? INT_MAX : cycle))
            continue;
        const int ends = full ? ends_of(m, i) : 0;
        if (best < 0 || ends > most ||
            (ends == most && m->way[i] > m->way[best])) {
            best = i;
            most = ends;
        }
    }
    return best;
}

static void issue(timing *m, state *t, int i, int cycle)
{
    int x[3];
    const int count = operands_once(m->g, i, x);
    m->alive += 1 - ends_of(m, i);
    for (int j = 0; j < count; ++j)
        --m->uses[x[j]];
    m->known[i] = cycle + latency(&m->g->nodes[i]);
    t->done[i] = 1;
    t->s->steps[t->s->count++] = i;
    const int before = t->s->count;
    store_ready_sinks(t);
    for (int k = before; k < t->s->count; ++k) {
        const sink *s = &t->p->sinks[~t->s->steps[k]];
        for (int r = s->first; r < s->first + s->count; ++r)
            m->alive -= --m->uses[t->p->roots[r]] == 0;
    }
}

static schedule by_time(const program *p)
{
    schedule s;
    state t;
    timing m;
    begin(&t, p, &s);
    begin_timing(&m, p);
    for (int cycle = 0, idle = 0; !idle; ++cycle) {
        int i = next_by_time(&m, cycle), issued = 0;
        idle = i < 0 && next_by_time(&m, INT_MAX) < 0;
        for (; i >= 0; i = ++issued < ISSUE ? next_by_time(&m, cycle) : -1)
            issue(&m, &t, i, cycle);
    }
    free(m.live);
    free(m.way);
    free(m.known);
    free(m.uses);
    end(&t);
    return s;
}

schedule schedule_program(const program *p)
{
    schedule a = order_of_creation(p);
    schedule b = depth_first(p);
    a.max_live = max_live(p, &a);
    b.max_live = max_live(p, &b);
    if (b.max_live < a.max_live) {
        const schedule t = a;
        a = b;
        b = t;
    }
    free(b.steps);
    if (!p->registers)
        return a;
    b = by_time(p);
    b.max_live = max_live(p, &b);
    if (b.max_live > p->registers) {
        free(b.steps);
        return a;
    }
    free(a.steps);
    return b;
}
