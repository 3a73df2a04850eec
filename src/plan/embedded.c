/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * embedded.c - real neighbours by the complex transforms of as many columns.
 *
 * A real transform of its own has half of the operations, but for odd lengths, and
 * short ones, none that goes with a transform in each lane: so one after the other.
 * The complex ones of a block of neighbours, whose imaginary parts are zeros, do
 * what is left over for nothing.
 * Error: as the complex transforms', and a product's.
 */
#include "plan/search.h"

/* Bytes of a tile: two of them, and what the columns need, lie beside each other in
 * the first cache or, of the longest lengths, in the second.  Beyond LONGEST half
 * spectra are as fast one by one. */
enum { TILE_BYTES = 12 << 10, MOST_COLUMNS = 64, LONGEST = 256 };

void wf_embedded_part(const wf_problem *problem, const wf_walk *walk,
                      int64_t columns, wf_problem *part)
{
    const int64_t n = walk->axis.n;
    *part = (wf_problem){.kind = WEFT_C2C,
                         .type = problem->type,
                         .sign = problem->sign,
                         .scale = 1,
                         .precision = problem->precision,
                         .threads = 1,
                         .engine = problem->engine,
                         .rank = 1,
                         .loops = 1,
                         .dim = {{n, columns, columns}},
                         .loop = {{columns, 1, 1}},
                         .total = n * columns};
}

/* Bytes of a vector. */
static int64_t vector_of(const wf_engine *engine, weft_type type)
{
    return engine->widths(type)[0] * (int64_t)wf_complex_bytes(type) / 2;
}

/* Types II and III. */
static bool has_factors(weft_kind kind)
{
    return wf_kind_is_type(kind, WEFT_REDFT10) ||
           wf_kind_is_type(kind, WEFT_REDFT01);
}

/* Kinds whose numbers are those of a half spectrum, of neighbours that do not
 * overlap, in vectors that there are kernels for. */
static bool fits(const wf_engine *engine, const wf_problem *problem,
                 const wf_walk *walk, weft_kind kind, int64_t columns)
{
    const int lanes = wf_walk_neighbours(walk);
    const bool r2r = kind == WEFT_R2HC || kind == WEFT_HC2R ||
                     kind == WEFT_DHT || has_factors(kind);
    return (r2r || walk->real) && !(walk->real && walk->in_place) &&
           !problem->split && !wf_problem_is_matrix(problem) && lanes >= 0 &&
           walk->axis.n >= 3 && columns > 0 && columns <= MOST_COLUMNS &&
           columns % engine->widths(problem->type)[0] == 0 &&
           vector_of(engine, problem->type) >= 32;
}

bool wf_price_embedded(const wf_engine *engine, const wf_problem *problem,
                       const wf_walk *walk, weft_kind kind, wf_step *step)
{
    const int64_t columns = step->n;
    if (engine->weigh != NULL || !fits(engine, problem, walk, kind, columns))
        return false;
    wf_problem part;
    wf_embedded_part(problem, walk, columns, &part);
    if (wf_price_axes(engine, &part, step->child[0]) != WEFT_OK)
        return false;
    const wf_machine *machine = engine->machine();
    const int64_t lanes = walk->loop[wf_walk_neighbours(walk)].n;
    const double n = (double)walk->axis.n;
    const int width = engine->widths(problem->type)[0];
    const bool wide = vector_of(engine, problem->type) > 32;
    const double vectors = (double)(columns / width);
    const wf_real_prices *prices = &machine->reals;
    /* Parts of a vector are stored slowly, most of all of 256 bits. */
    const double left = lanes % width == 0 ? 0 : wide ? 2.5 : 10;
    const double image = has_factors(kind)                       ? 1.3
                         : kind == WEFT_C2R || kind == WEFT_HC2R ? 1.15
                                                                 : 1;
    const double blocks = (double)((lanes + columns - 1) / columns) *
                          ((double)walk->count / (double)lanes);
    step->cost = machine->call +
                 left * n * (double)walk->count / (double)lanes +
                 blocks * (prices->embedded * step->child[0]->cost +
                           2 * machine->kernel_call +
                           image * prices->row[wide] * n * vectors);
    step->flops = blocks * step->child[0]->flops;
    return true;
}

wf_step *wf_plan_part(wf_search *search, const wf_problem *part,
                      wf_step_kind kind, int64_t n)
{
    wf_step *child = NULL, *step;
    const int64_t root = search->root;
    const weft_status status = wf_plan_axes(search, part, &child, NULL);
    search->root = root;
    search->no_memory |= status == WEFT_ERR_NO_MEMORY;
    if (status != WEFT_OK)
        return NULL;
    const bool ranked = child->kind == WF_STEP_RANK;
    step = ranked ? wf_step_new(kind, n) : NULL;
    search->no_memory |= ranked && step == NULL;
    if (step == NULL)
        wf_step_free(child);
    else
        wf_step_adopt(step, child);
    return step;
}

wf_step *wf_plan_embedded(wf_search *search, const wf_problem *problem,
                          const wf_walk *walk, weft_kind kind)
{
    const int lanes = wf_walk_neighbours(walk);
    const int width = search->engine->widths(problem->type)[0];
    const int64_t row = walk->axis.n *
                        (int64_t)wf_complex_bytes(problem->type);
    if (lanes < 0 || walk->axis.n > LONGEST)
        return NULL;
    int64_t columns = TILE_BYTES / row / width * width;
    columns = columns < 2 * width ? 2 * width : columns;
    columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
    while (columns - width >= walk->loop[lanes].n)
        columns -= width;
    if (!fits(search->engine, problem, walk, kind, columns))
        return NULL;
    wf_problem part;
    wf_embedded_part(problem, walk, columns, &part);
    return wf_plan_part(search, &part, WF_STEP_EMBEDDED, columns);
}
