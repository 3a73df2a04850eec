/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.c - see path.h.
 */
#include "plan/path.h"

#include <string.h>

#include "num/num.h"

/* 128 divisors cover every n below 50000, 1536 every n below 2^40 that has
 * only small factors; more is refused (other rules split such lengths). */
enum { MAX_DIVISORS = 1536 };

typedef struct edge {
    double cost;           /* from here to n; < 0: no way */
    int radix, next_radix; /* next_radix != 0: fused with it */
} edge;

typedef struct graph {
    const wf_path *path;
    int count;
    int64_t divisor[MAX_DIVISORS]; /* ascending */
    edge best[MAX_DIVISORS];
    int radix[WF_LARGEST_RADIX + 1]; /* the radices that exist */
    int radices;
    double first[WF_LARGEST_RADIX + 1]; /* prices: of a first pass, */
    double later[WF_LARGEST_RADIX + 1]; /* of any other (of columns: of all) */
    double last[WF_LARGEST_RADIX + 1];  /* but the last */
} graph;

static bool list_divisors(graph *g, int64_t n)
{
    wf_factors f = wf_factor((uint64_t)n);
    g->count = 1;
    g->divisor[0] = 1;
    for (int i = 0; i < f.count; i++) {
        int before = g->count;
        int64_t factor = 1;
        if (f.prime[i] > WF_LARGEST_RADIX)
            return false;
        for (int e = 0; e < f.power[i]; e++) {
            factor *= (int64_t)f.prime[i];
            for (int j = 0; j < before; j++) {
                if (g->count == MAX_DIVISORS)
                    return false;
                g->divisor[g->count++] = factor * g->divisor[j];
            }
        }
    }
    for (int i = 1; i < g->count; i++) { /* insertion sort, near-sorted */
        int64_t d = g->divisor[i];
        int j = i;
        for (; j > 0 && g->divisor[j - 1] > d; j--)
            g->divisor[j] = g->divisor[j - 1];
        g->divisor[j] = d;
    }
    return true;
}

static int find(const graph *g, int64_t d)
{
    int low = 0, high = g->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (g->divisor[middle] <= d)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double pass_cost(const graph *g, wf_pass_place p)
{
    const wf_path *path = g->path;
    const wf_search *search = path->search;
    if (path->half)
        return wf_cost_half_pass(search->engine, search->type, path->n, p.s,
                                 p.r, p.s > 1 && p.s <= WF_LARGEST_RADIX,
                                 path->width);
    if (path->column)
        return wf_cost_column_pass(search->engine, search->type, path->n, p.r,
                                   path->width, g->later[p.r]);
    if (p.s == 1 &&
        (p.r < path->width || path->n / p.r < path->width || p.r == path->n))
        return -1;
    return wf_cost_pass(search->engine, search->type, &p,
                        p.s == 1           ? g->first[p.r]
                        : p.s * p.r == p.n ? g->last[p.r]
                                           : g->later[p.r]);
}

static void offer(graph *g, int at, double cost, int radix, int next_radix)
{
    if (g->best[at].cost < 0 || cost < g->best[at].cost)
        g->best[at] = (edge){cost, radix, next_radix};
}

static void try_single(graph *g, int at, int r)
{
    int64_t s = g->divisor[at];
    int to = find(g, s * r);
    double cost = pass_cost(g,
                            (wf_pass_place){g->path->n, s, r, g->path->width,
                                            WF_ALONE, 0, false});
    if (cost >= 0 && g->best[to].cost >= 0)
        offer(g, at, cost + g->best[to].cost, r, 0);
}

/* May ra and rb share a buffer at s?  Blocks of `width` lanes must be whole
 * and two cache lines long (shorter pieces of far rows cost more than the trip
 * they save), and the buffer must leave room in the first cache. */
static bool can_fuse(const wf_path *path, int64_t s, int ra, int rb)
{
    const wf_search *search = path->search;
    double piece = path->width * (double)wf_complex_bytes(search->type);
    double buffer = ra * rb * piece;
    if (piece < 128 || buffer > search->engine->machine()->level_bytes[0] / 2)
        return false;
    if (s == 1)
        return ra % path->width == 0 &&
               path->n / ((int64_t)ra * rb) % path->width == 0;
    return s % path->width == 0;
}

static void try_pair(graph *g, int at, int ra, int rb)
{
    int64_t s = g->divisor[at];
    if (!can_fuse(g->path, s, ra, rb))
        return;
    const int64_t n = g->path->n;
    const int width = g->path->width;
    wf_fusing fusing = s == 1             ? WF_FUSED_FIRST
                       : s * ra * rb == n ? WF_FUSED_LAST
                                          : WF_FUSED_MIDDLE;
    double a = pass_cost(g,
                         (wf_pass_place){n, s, ra, width, fusing, rb, false});
    double b = pass_cost(g, (wf_pass_place){n, s * ra, rb, width, fusing, ra,
                                            true});
    int to = find(g, s * ra * rb);
    if (a >= 0 && b >= 0 && g->best[to].cost >= 0)
        offer(g, at, a + b + g->best[to].cost, ra, rb);
}

static bool worth_fusing(const wf_path *path)
{
    const wf_search *search = path->search;
    return path->fuse &&
           (double)path->n * (double)wf_complex_bytes(search->type) >
               search->engine->machine()->level_bytes[0] / 2;
}

static void walk_back(graph *g)
{
    bool fuse = worth_fusing(g->path);
    int64_t n = g->path->n;
    g->best[g->count - 1].cost = 0;
    for (int at = g->count - 2; at >= 0; at--) {
        int64_t rest = n / g->divisor[at];
        g->best[at].cost = -1;
        for (int i = 0; i < g->radices; i++) {
            int ra = g->radix[i];
            if (rest % ra != 0)
                continue;
            try_single(g, at, ra);
            for (int j = 0; fuse && ra >= 4 && j < g->radices; j++) {
                int rb = g->radix[j];
                if (rb >= 4 && rb <= 16 && ra <= 16 && rest / ra % rb == 0)
                    try_pair(g, at, ra, rb);
            }
        }
    }
}

static bool read_path(const graph *g, wf_step *step)
{
    step->radices = 0;
    for (int at = 0; at < g->count - 1;) {
        const edge *e = &g->best[at];
        int64_t s = g->divisor[at] * e->radix;
        if (step->radices + 2 > WF_MAX_RADICES)
            return false;
        step->fused[step->radices] = e->next_radix != 0;
        step->radix[step->radices++] = e->radix;
        if (e->next_radix != 0) {
            step->fused[step->radices] = false;
            step->radix[step->radices++] = e->next_radix;
            s *= e->next_radix;
        }
        at = find(g, s);
    }
    return true;
}

/* Columns need the radix at every narrower width too, for the right edge. */
static bool has_kernel(graph *g, int r)
{
    const wf_path *path = g->path;
    const wf_engine *engine = path->search->engine;
    weft_type type = path->search->type;
    if (path->half) /* narrow ones exist where wide ones do */
        return engine->price(WF_ROLE_HALF, type, path->width, r) >= 0;
    wf_role role = path->column ? WF_ROLE_COLUMN : WF_ROLE_PASS;
    g->later[r] = engine->price(role, type, path->width, r);
    if (!path->column) {
        g->first[r] = engine->price(WF_ROLE_FIRST, type, path->width, r);
        g->last[r] = engine->price(WF_ROLE_LAST, type, path->width, r);
        return g->later[r] >= 0 || g->first[r] >= 0;
    }
    for (const int *width = engine->widths(type); *width != 0; width++)
        if (*width <= path->width &&
            engine->price(WF_ROLE_COLUMN, type, *width, r) < 0)
            return false;
    return true;
}

bool wf_path_cheapest(const wf_path *path, wf_step *step)
{
    wf_search *search = path->search;
    graph *g = wf_alloc(sizeof *g);
    bool found = false;
    if (g == NULL) {
        search->no_memory = true;
        return false;
    }
    g->path = path;
    g->radices = 0;
    for (int r = 2; r <= path->largest; r++)
        if (path->n % r == 0 && has_kernel(g, r))
            g->radix[g->radices++] = r;
    if (list_divisors(g, path->n)) {
        walk_back(g);
        found = g->best[0].cost >= 0 && read_path(g, step);
    }
    wf_free(g);
    return found;
}
