/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.c - see path.h.
 *
 * Divisors are numbered by their exponents, those of the first prime fastest:
 * multiples have larger numbers, and a radix leads from any divisor that it
 * may follow to the one `offset` numbers on.  Which radices divide what is
 * left is a word of bits.  So the walk from n down to 1 sorts nothing, looks
 * nothing up and divides nothing.
 *
 * Most edges lose by their butterflies and the trip of their samples alone.
 * That bound costs a few operations, and only edges that it leaves a chance are
 * priced.
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
    double most;       /* what may be left to spend */
    double cost;       /* infinite: no way */
    uint32_t possible; /* bit i: radix i divides n/s */
    int8_t radix;      /* the number of the radix taken, */
    int8_t next;       /* and of the one fused with it, -1: none */
} state;

typedef struct graph {
    const wf_path *path;
    int radices; /* that exist, ascending, */
    int radix[MAX_RADICES];
    int offset[MAX_RADICES];          /* how far each leads, */
    double price[TURNS][MAX_RADICES]; /* its kernels' prices, */
    double leg[TURNS][MAX_RADICES];   /* a leg's share of them, */
    uint32_t fusible;                 /* which may share a buffer */
    double trip[WF_FUSINGS];          /* ns of a pass beside butterflies */
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

static void add_radix(graph *g, int r)
{
    const wf_path *path = g->path;
    double price[TURNS] = {0};
    if (path->n % r != 0 || g->radices == MAX_RADICES ||
        !has_kernel(path, r, price))
        return;
    int i = g->radices++;
    g->radix[i] = r;
    g->offset[i] = 0;
    if (r >= 4)
        g->fusible |= (uint32_t)1 << i;
    for (int t = 0; t < TURNS; t++) {
        g->price[t][i] = price[t];
        g->leg[t][i] = price[t] / r;
    }
}

/* Numbers that a vector holds, or two vectors, re and im. */
static int vector_of(const wf_path *path)
{
    return path->interleaved ? path->width / 2 : path->width;
}

/* The best price a sample and bit that a radix has here. */
static double best_rate(const graph *g)
{
    double best = INFINITY;
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < g->radices; i++) {
            double rate = g->leg[t][i] /
                          (vector_of(g->path) * log2((double)g->radix[i]));
            best = rate >= 0 && rate < best ? rate : best;
        }
    return isinf(best) ? 0 : best;
}

/* From n backwards, a state that costs more than this is on no path cheaper
 * than `most`: the passes before it have floor(log2 s) bits at least. */
static void limit_states(graph *g)
{
    const double most = g->path->most;
    const double bit = most > 0 ? (double)g->path->n * best_rate(g) : 0;
    for (int at = 0; at < g->count; at++) {
        const int bits = 63 - __builtin_clzll((uint64_t)g->state[at].s);
        g->state[at].most = most > 0 ? most - 0.999999 * bit * bits : INFINITY;
    }
}

/* The butterflies and these are what a pass costs at the least. */
static void price_trips(graph *g)
{
    const wf_search *search = g->path->search;
    const wf_machine *machine = search->engine->machine();
    double bytes = 2 * (double)g->path->n *
                   (double)wf_complex_bytes(search->type);
    double trip = wf_cost_bytes(machine, bytes, bytes);
    for (int f = 0; f < WF_FUSINGS; f++)
        g->trip[f] = machine->kernel_call + machine->share[f] * trip;
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
        uint32_t mask = allowed[power - e < MOST ? power - e : MOST];
        factor *= prime;
        for (int j = 0; j < before; j++, g->count++) {
            g->state[g->count].s = factor * g->state[j].s;
            g->state[g->count].possible = mask & g->state[j].possible;
        }
    }
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
        g->state[at].cost = INFINITY;
    }
    g->state[g->count - 1].cost = 0;
}

/* ---- The walk ------------------------------------------------------------ */

static turn turn_of(const graph *g, int at, int i)
{
    return at == 0 ? FIRST : at + g->offset[i] == g->count - 1 ? LAST : LATER;
}

/* Is a pass or two worth a closer look, so much costing its butterflies? */
static bool may_win(const graph *g, int at, double least, int to)
{
    double cost = 0.999999 * least + g->state[to].cost;
    return cost <= g->state[at].cost && cost <= g->state[at].most;
}

/* Later offers have smaller radices, which win where costs are equal. */
static void offer(graph *g, int at, double cost, int i, int next)
{
    state *here = &g->state[at];
    if (cost > here->cost || cost > here->most)
        return;
    here->cost = cost;
    here->radix = (int8_t)i;
    here->next = (int8_t)next;
}

static double pass_cost(const graph *g, int at, int i, wf_fusing fusing,
                        int partner, bool second)
{
    const wf_path *path = g->path;
    const wf_search *search = path->search;
    const int r = g->radix[i];
    const wf_pass_place place = {path->n, g->state[at].s, r,     path->width,
                                 fusing,  partner,        second};
    if (path->column)
        return wf_cost_column_pass(search->engine, search->type, &place,
                                   path->row, g->price[LATER][i]);
    if (path->half)
        return wf_cost_half_pass(search->engine, search->type, path->n,
                                 place.s, r,
                                 place.s > 1 && place.s <= WF_LARGEST_RADIX,
                                 path->width);
    const int least = vector_of(path);
    if (at == 0 && (r < least || path->n / r < least || r == path->n))
        return -1;
    const double price = g->price[turn_of(g, at, i)][i];
    return path->interleaved
               ? wf_cost_interleaved_pass(search->engine, search->type, &place,
                                          price)
               : wf_cost_pass(search->engine, search->type, &place, price);
}

static void try_single(graph *g, int at, int i)
{
    const int to = at + g->offset[i];
    const bool priced = !g->path->column && !g->path->half;
    const turn which = turn_of(g, at, i);
    const bool rewrites = which == LAST && g->path->interleaved;
    double least = priced ? g->state[at].rows * g->leg[which][i] +
                                (rewrites ? 0.5 : 1) * g->trip[WF_ALONE]
                          : 0;
    if (!may_win(g, at, least, to))
        return;
    double cost = pass_cost(g, at, i, WF_ALONE, 0, false);
    if (cost >= 0)
        offer(g, at, cost + g->state[to].cost, i, -1);
}

/* May a first of two passes stand at s?  Blocks of `width` lanes must be
 * whole. */
static bool may_fuse(const graph *g, int at, int i)
{
    const int width = g->path->width;
    return (g->fusible >> i & 1) != 0 &&
           (at == 0 ? g->radix[i] : g->state[at].s) % width == 0;
}

/* The buffer must leave room in the first cache. */
static bool fits_buffer(const graph *g, int at, int ra, int rb)
{
    const wf_path *path = g->path;
    const wf_search *search = path->search;
    double piece = path->width * (double)wf_complex_bytes(search->type);
    const double room = search->engine->machine()->level_bytes[0];
    if (ra * rb * piece >
        (wf_is_wide(path->search->type, path->width) ? 0.5 : 0.75) * room)
        return false;
    return at != 0 || path->n / (ra * rb) % path->width == 0;
}

static void try_pair(graph *g, int at, int i, int j)
{
    const int ra = g->radix[i], rb = g->radix[j];
    const int middle = at + g->offset[i], to = middle + g->offset[j];
    const wf_fusing fusing = at == 0              ? WF_FUSED_FIRST
                             : to == g->count - 1 ? WF_FUSED_LAST
                                                  : WF_FUSED_MIDDLE;
    double least = g->state[at].rows * g->leg[turn_of(g, at, i)][i] +
                   g->state[middle].rows * g->leg[turn_of(g, middle, j)][j] +
                   2 * g->trip[fusing];
    if (!may_win(g, at, least, to) || !fits_buffer(g, at, ra, rb))
        return;
    double a = pass_cost(g, at, i, fusing, rb, false);
    double b = pass_cost(g, middle, j, fusing, ra, true);
    if (a >= 0 && b >= 0)
        offer(g, at, a + b + g->state[to].cost, i, j);
}

/* Blocks of less than two cache lines cost more, as pieces of far rows, than the
 * trip they save; in the second cache they gain, where the machine says so. */
static bool worth_fusing(const wf_path *path)
{
    const wf_machine *machine = path->search->engine->machine();
    const double data = (double)path->n *
                        (double)wf_complex_bytes(path->search->type);
    return path->fuse && data > machine->level_bytes[0] / 2 &&
           (wf_is_wide(path->search->type, path->width) ||
            data <= machine->fused);
}

/* The largest of a set, which leaves it. */
static int take_last(uint32_t *set)
{
    int i = 31 - __builtin_clz(*set);
    *set &= ~((uint32_t)1 << i);
    return i;
}

static void walk_back(graph *g)
{
    const bool fuse = worth_fusing(g->path);
    for (int at = g->count - 2; at >= 0; at--)
        for (uint32_t left = g->state[at].possible; left != 0;) {
            int i = take_last(&left);
            uint32_t with = fuse && may_fuse(g, at, i)
                                ? g->fusible &
                                      g->state[at + g->offset[i]].possible
                                : 0;
            while (with != 0)
                try_pair(g, at, i, take_last(&with));
            try_single(g, at, i);
        }
}

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
    graph g = {.path = path};
    for (int r = 2; r <= path->largest; r++)
        add_radix(&g, r);
    g.state = wf_alloc((size_t)count * sizeof *g.state);
    if (g.state == NULL) {
        path->search->no_memory = true;
        return false;
    }
    price_trips(&g);
    list_states(&g, &factors);
    limit_states(&g);
    walk_back(&g);
    bool found = isfinite(g.state[0].cost) && read_path(&g, step);
    wf_free(g.state);
    return found;
}
