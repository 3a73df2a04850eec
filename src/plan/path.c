/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.c - see path.h.
 *
 * Divisors are numbered by their exponents, those of the first prime fastest:
 * multiples have larger numbers, and a radix leads to a divisor from the one
 * `offset` numbers before.  Which radices divide it is a word of bits.  So the
 * walks sort nothing, look nothing up and divide nothing.
 *
 * Most edges lose by their butterflies and the trip of their samples alone.
 * That bound costs a few operations, so it is followed first, from 1 up: the path
 * that is cheapest by it is priced, and on the way back from n to 1 only what may
 * be on one that is no dearer.
 */
#include "plan/path.h"

#include <math.h>

#include "num/num.h"

/* 128 divisors cover every n below 50000, 1536 every n below 2^40 that has
 * only small factors; more is refused (other rules split such lengths). */
enum { MAX_DIVISORS = 1536, MAX_RADICES = WF_LARGEST_RADIX - 1 };

/* Kernels of a first pass, of any other, but the last. */
typedef enum turn { FIRST, LATER, LAST, TURNS } turn;

/* A product s of radices, and the best way from it to n. */
typedef struct state {
    int64_t s;
    double rows;       /* vectors of a pass over s, times its radix */
    double below;      /* what the passes before cost at the least */
    double most;       /* what may be left to spend */
    double cost;       /* infinite: no way */
    uint32_t possible; /* bit i: radix i divides s */
    int8_t only;       /* the number of the radix s, -1: there is none */
    int8_t before;     /* of the radix that leads here by `below`, -1: none, */
    int8_t radix;      /* of the one taken, */
    int8_t next;       /* and of the one fused with it, -1: none */
} state;

typedef struct graph {
    const wf_path *path;
    int radices; /* that exist, ascending, */
    int radix[MAX_RADICES];
    int offset[MAX_RADICES];          /* how far each leads, */
    double price[TURNS][MAX_RADICES]; /* its kernels' prices, */
    double leg[TURNS][MAX_RADICES];   /* a leg's share of them at the least, */
    uint32_t kernels[TURNS];          /* which have one, */
    uint32_t fusible;                 /* and which may share a buffer */
    bool fuse;                        /* is a buffer worth it? */
    double trip[WF_FUSINGS];          /* ns of a pass beside butterflies, */
    double least_trip;                /* and the least of them */
    int count;
    state *state;
} graph;

/* ---- The radices --------------------------------------------------------- */

/* Columns need the radix at every narrower width too, for the right edge. */
static bool has_columns(wf_search *search, int width, int r)
{
    for (const int *w = search->engine->widths(search->type); *w != 0; w++)
        if (*w <= width && wf_search_price(search, WF_ROLE_COLUMN, *w, r) < 0)
            return false;
    return true;
}

static bool has_kernel(const wf_path *path, int r, double price[TURNS])
{
    static const wf_role role[TURNS] = {WF_ROLE_FIRST, WF_ROLE_PASS,
                                        WF_ROLE_LAST};
    wf_search *search = path->search;
    if (path->half) /* narrow ones exist where wide ones do */
        return search->engine->price(WF_ROLE_HALF, search->type, path->width,
                                     r) >= 0;
    if (path->column) {
        price[LATER] = wf_search_price(search, WF_ROLE_COLUMN, path->width, r);
        return has_columns(search, path->width, r);
    }
    for (int t = 0; t < TURNS; t++)
        price[t] = wf_search_price(search,
                                   !path->interleaved ? role[t]
                                   : t == FIRST ? WF_ROLE_INTERLEAVED_FIRST
                                                : WF_ROLE_INTERLEAVED,
                                   path->width, r);
    return price[LATER] >= 0 || price[FIRST] >= 0;
}

/* Numbers that a vector holds, or two vectors, re and im. */
static int vector_of(const wf_path *path)
{
    return path->interleaved ? path->width / 2 : path->width;
}

/* Whole vectors of the first pass's rows and columns. */
static bool may_begin(const wf_path *path, int r)
{
    const int least = vector_of(path);
    return path->column || path->half ||
           (r >= least && path->n / r >= least && r != path->n);
}

static void add_radix(graph *g, int r)
{
    const wf_path *path = g->path;
    double price[TURNS] = {0};
    if (path->n % r != 0 || g->radices == MAX_RADICES ||
        !has_kernel(path, r, price))
        return;
    const int i = g->radices++;
    const uint32_t bit = (uint32_t)1 << i;
    g->radix[i] = r;
    g->offset[i] = 0;
    if (r >= 4)
        g->fusible |= bit;
    for (int t = 0; t < TURNS; t++) {
        g->price[t][i] = price[t];
        g->leg[t][i] = path->column || path->half ? 0 : price[t] / r;
        if (price[t] >= 0 && (t != FIRST || may_begin(path, r)))
            g->kernels[t] |= bit;
    }
}

/* The butterflies and these are what a pass costs at the least, of columns and
 * half spectra nothing. */
static void price_trips(graph *g)
{
    const wf_search *search = g->path->search;
    const wf_machine *machine = search->engine->machine();
    double bytes = 2 * (double)g->path->n *
                   (double)wf_complex_bytes(search->type);
    double trip = wf_cost_bytes(machine, bytes, bytes);
    for (int f = 0; f < WF_FUSINGS; f++) {
        g->trip[f] = g->path->column || g->path->half
                         ? 0
                         : machine->kernel_call + machine->share[f] * trip;
        if (f == 0 || (g->fuse && g->trip[f] < g->least_trip))
            g->least_trip = g->trip[f];
    }
}

/* ---- The divisors -------------------------------------------------------- */

static int count_divisors(const wf_factors *f)
{
    int count = 1;
    for (int i = 0; i < f->count && count <= MAX_DIVISORS; i++)
        count = f->prime[i] > WF_LARGEST_RADIX ? MAX_DIVISORS + 1
                                               : count * (f->power[i] + 1);
    return count <= MAX_DIVISORS ? count : 0;
}

static int exponent(int r, int prime)
{
    int e = 0;
    for (; r % prime == 0; r /= prime)
        e++;
    return e;
}

/* Every state again with 1 to `power` factors `prime` more. */
static void multiply_states(graph *g, int prime, int power)
{
    enum { MOST = 5 }; /* 2^5 in a radix */
    const int before = g->count;
    uint32_t allowed[MOST + 1] = {0}; /* radices with so many, or less */
    for (int i = 0; i < g->radices; i++) {
        int e = exponent(g->radix[i], prime);
        g->offset[i] += before * e;
        allowed[e] |= (uint32_t)1 << i;
    }
    for (int e = 0; e < MOST; e++)
        allowed[e + 1] |= allowed[e];
    int64_t factor = 1;
    for (int e = 1; e <= power; e++) {
        const uint32_t mask = allowed[e < MOST ? e : MOST];
        factor *= prime;
        for (int j = 0; j < before; j++, g->count++) {
            g->state[g->count].s = factor * g->state[j].s;
            g->state[g->count].possible = mask & g->state[j].possible;
        }
    }
    for (int j = 0; j < before; j++)
        g->state[j].possible &= allowed[0];
}

static void list_states(graph *g, const wf_factors *f)
{
    const double n = (double)g->path->n, width = vector_of(g->path);
    g->count = 1;
    g->state[0].s = 1;
    g->state[0].possible = (uint32_t)(((uint64_t)1 << g->radices) - 1);
    for (int i = 0; i < f->count; i++)
        multiply_states(g, (int)f->prime[i], f->power[i]);
    for (int at = 0; at < g->count; at++) {
        double s = (double)g->state[at].s;
        g->state[at].rows = at == 0 ? n / width : ceil(s / width) * (n / s);
        g->state[at].cost = g->state[at].below = INFINITY;
        g->state[at].only = g->state[at].before = -1;
    }
    for (int i = 0; i < g->radices; i++)
        g->state[g->offset[i]].only = (int8_t)i;
    g->state[g->count - 1].cost = g->state[0].below = 0;
}

/* ---- The edges ----------------------------------------------------------- */

/* Of the pass that leads to a state by radix i. */
static turn turn_of(const graph *g, int to, int i)
{
    return i == g->state[to].only ? FIRST : to == g->count - 1 ? LAST : LATER;
}

/* The radices that may lead to a state. */
static uint32_t radices_to(const graph *g, int to)
{
    const int only = g->state[to].only;
    const uint32_t first = only < 0 ? 0 : (uint32_t)1 << only;
    const uint32_t later = g->kernels[to == g->count - 1 ? LAST : LATER];
    return g->state[to].possible &
           ((later & ~first) | (g->kernels[FIRST] & first));
}

/* The largest of a set, which leaves it. */
static int take_last(uint32_t *set)
{
    int i = 31 - __builtin_clz(*set);
    *set &= ~((uint32_t)1 << i);
    return i;
}

static double butterflies(const graph *g, int to, int i)
{
    return g->state[to - g->offset[i]].rows * g->leg[turn_of(g, to, i)][i];
}

/* What a pass by itself costs at the least; the last interleaved one may rewrite
 * its array. */
static double least_of(const graph *g, int to, int i, double trip)
{
    const bool rewrites = g->path->interleaved && to == g->count - 1;
    return butterflies(g, to, i) + (rewrites ? 0.5 : 1) * trip;
}

/* ---- The walk ------------------------------------------------------------ */

/* Is a pass or two worth a closer look, so much costing its butterflies? */
static bool may_win(const graph *g, int at, double least, double after)
{
    double cost = 0.999999 * least + after;
    return cost <= g->state[at].cost && cost <= g->state[at].most;
}

/* Where costs are equal the smaller radix wins, whatever comes first. */
static void offer(graph *g, int at, double cost, int i, int next)
{
    state *here = &g->state[at];
    if (cost > here->cost || cost > here->most ||
        (cost == here->cost &&
         (i > here->radix || (i == here->radix && next > here->next))))
        return;
    here->cost = cost;
    here->radix = (int8_t)i;
    here->next = (int8_t)next;
}

static double pass_cost(const graph *g, int to, int i, wf_fusing fusing,
                        int partner, bool second)
{
    const wf_path *path = g->path;
    const wf_search *search = path->search;
    const int r = g->radix[i];
    const int64_t s = g->state[to - g->offset[i]].s;
    const wf_pass_place place = {path->n, s,       r,     path->width,
                                 fusing,  partner, second};
    if (path->column)
        return wf_cost_column_pass(search->engine, search->type, &place,
                                   path->row, g->price[LATER][i]);
    if (path->half)
        return wf_cost_half_pass(search->engine, search->type, path->n, s, r,
                                 s > 1 && s <= WF_LARGEST_RADIX, path->width);
    const double price = g->price[turn_of(g, to, i)][i];
    if (path->interleaved)
        return wf_cost_interleaved_pass(search->engine, search->type, &place,
                                        price);
    const double cost = wf_cost_pass(search->engine, search->type, &place,
                                     price);
    return cost < 0 || !path->apart
               ? cost
               : cost +
                     wf_cost_apart_pass(search->engine, search->type, &place);
}

static void try_single(graph *g, int to, int i)
{
    const int at = to - g->offset[i];
    const double after = g->state[to].cost;
    if (!may_win(g, at, least_of(g, to, i, g->trip[WF_ALONE]), after))
        return;
    double cost = pass_cost(g, to, i, WF_ALONE, 0, false);
    if (cost >= 0)
        offer(g, at, cost + after, i, -1);
}

/* Blocks of `width` lanes must be whole, and the buffer leave room in the first
 * cache. */
static bool fits_buffer(const graph *g, int at, int ra, int rb)
{
    const wf_path *path = g->path;
    const wf_search *search = path->search;
    double piece = path->width * (double)wf_complex_bytes(search->type);
    const wf_machine *machine = search->engine->machine();
    const double part = wf_is_wide(search->type, path->width) ? 0.5 : 0.75;
    const double room = machine->buffer > 0 ? machine->buffer
                                            : part * machine->level_bytes[0];
    const int64_t lanes = at == 0 ? ra : g->state[at].s;
    return lanes % path->width == 0 && ra * rb * piece <= room &&
           (at != 0 || path->n / (ra * rb) % path->width == 0);
}

/* Passes i to `middle` and j from there. */
static void try_pair(graph *g, int to, int i, int j)
{
    const int ra = g->radix[i], rb = g->radix[j];
    const int middle = to - g->offset[j], at = middle - g->offset[i];
    const double after = g->state[to].cost;
    const wf_fusing fusing = at == 0              ? WF_FUSED_FIRST
                             : to == g->count - 1 ? WF_FUSED_LAST
                                                  : WF_FUSED_MIDDLE;
    double least = butterflies(g, middle, i) + butterflies(g, to, j) +
                   2 * g->trip[fusing];
    if (!may_win(g, at, least, after) || !fits_buffer(g, at, ra, rb))
        return;
    double a = pass_cost(g, middle, i, fusing, rb, false);
    double b = pass_cost(g, to, j, fusing, ra, true);
    if (a >= 0 && b >= 0)
        offer(g, at, a + b + after, i, j);
}

static void try_pairs(graph *g, int to, int j)
{
    const int middle = to - g->offset[j];
    const double least = butterflies(g, to, j) + g->least_trip;
    if (0.999999 * least + g->state[to].cost > g->state[middle].most)
        return;
    uint32_t before = radices_to(g, middle) & g->fusible;
    while (before != 0)
        try_pair(g, to, take_last(&before), j);
}

/* Blocks of less than two cache lines cost more, as pieces of far rows, than the
 * trip they save; in the second cache they gain, where the machine says so. */
static bool worth_fusing(const wf_path *path)
{
    const wf_machine *machine = path->search->engine->machine();
    const double data = (double)path->n *
                        (double)wf_complex_bytes(path->search->type);
    const double least = machine->unfused > 0 ? machine->unfused
                                              : machine->level_bytes[0] / 2;
    return path->fuse && data > least &&
           (wf_is_wide(path->search->type, path->width) ||
            data <= machine->fused);
}

static void walk_back(graph *g)
{
    for (int to = g->count - 1; to > 0; to--) {
        if (g->state[to].cost > g->state[to].most)
            continue;
        for (uint32_t left = radices_to(g, to); left != 0;) {
            const int i = take_last(&left);
            if (g->fuse && (g->fusible >> i & 1) != 0 &&
                i != g->state[to].only)
                try_pairs(g, to, i);
            try_single(g, to, i);
        }
    }
}

/* ---- The bounds ---------------------------------------------------------- */

static void walk_forth(graph *g)
{
    for (int to = 1; to < g->count; to++)
        for (uint32_t left = radices_to(g, to); left != 0;) {
            const int i = take_last(&left);
            const double below = g->state[to - g->offset[i]].below +
                                 least_of(g, to, i, g->least_trip);
            if (below < g->state[to].below) {
                g->state[to].below = below;
                g->state[to].before = (int8_t)i;
            }
        }
}

/* What the path costs that is cheapest by the bounds. */
static double price_known(const graph *g)
{
    double cost = 0;
    for (int to = g->count - 1; to > 0;) {
        const int i = g->state[to].before;
        double pass = i < 0 ? -1 : pass_cost(g, to, i, WF_ALONE, 0, false);
        if (pass < 0)
            return INFINITY;
        cost += pass;
        to -= g->offset[i];
    }
    return cost;
}

/* From n backwards, a state that costs more than this is on no path that is as
 * cheap as the one known, or as `most`. */
static void limit_states(graph *g)
{
    double most = price_known(g);
    if (g->path->most > 0 && g->path->most < most)
        most = g->path->most;
    for (int at = 0; at < g->count; at++)
        g->state[at].most = isinf(most) ? INFINITY
                                        : most - 0.999999 * g->state[at].below;
}

/* ---- The path ------------------------------------------------------------ */

static bool read_path(const graph *g, wf_step *step)
{
    step->radices = 0;
    for (int at = 0; at < g->count - 1;) {
        const state *here = &g->state[at];
        if (step->radices + 2 > WF_MAX_RADICES)
            return false;
        step->fused[step->radices] = here->next >= 0;
        step->radix[step->radices++] = g->radix[here->radix];
        at += g->offset[here->radix];
        if (here->next >= 0) {
            step->fused[step->radices] = false;
            step->radix[step->radices++] = g->radix[here->next];
            at += g->offset[here->next];
        }
    }
    return true;
}

bool wf_path_cheapest(const wf_path *path, wf_step *step)
{
    const wf_factors factors = wf_factor((uint64_t)path->n);
    const int count = count_divisors(&factors);
    if (count == 0)
        return false;
    graph g = {.path = path, .fuse = worth_fusing(path)};
    for (int r = 2; r <= path->largest; r++)
        add_radix(&g, r);
    g.state = wf_alloc((size_t)count * sizeof *g.state);
    if (g.state == NULL) {
        path->search->no_memory = true;
        return false;
    }
    price_trips(&g);
    list_states(&g, &factors);
    walk_forth(&g);
    limit_states(&g);
    walk_back(&g);
    bool found = isfinite(g.state[0].cost) && read_path(&g, step);
    wf_free(g.state);
    return found;
}
