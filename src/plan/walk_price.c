/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_price.c - ns of the ways to walk an axis (axis.c), of the transforms and of what
 * goes around them.
 *
 * Figures without a name were fitted to timings of many layouts, on a Zen 4 where a
 * machine (engine.h) has none of its own.
 */
#include "plan/dense.h"
#include "plan/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What an engine says against a transform outlives what it says against one of
 * two walks, unless that is all there is. */
static bool weigh_axis(const wf_engine *engine, const wf_problem *problem,
                       wf_step *step)
{
    char before[WF_ERROR_TEXT];
    snprintf(before, sizeof before, "%s", wf_error_text());
    step->cost = engine->weigh(engine, problem, step, &step->flops);
    if (step->cost == -2 && before[0] != '\0')
        wf_fail(WEFT_OK, "%s", before);
    return step->cost >= 0;
}

/* ns to bring `there` of `width` vectors of n into rows of a tile, or back; full
 * rows of neighbours are there already.  Parts of the narrowest vectors are
 * copied by way of memory. */
static double price_side(const wf_engine *engine, int64_t leg, int64_t next,
                         double n, int width, int64_t there, bool narrow)
{
    if (next == 1 && there == width)
        return 0.2 * n;
    if (next == 1)
        return engine->machine()->kernel_call + (narrow ? 5 : 1.75) * n;
    return engine->machine()->kernel_call +
           n * (leg == 1 ? 0.4 * (1 + log2(width)) : 1.2 * width);
}

/* Vectors side by side: of the loop that wf_walk_abreast takes. */
static bool price_abreast(const wf_engine *engine, weft_type type,
                          const wf_walk *walk, wf_step *step, double stream)
{
    const wf_step *child = step->child[0];
    int taken = wf_walk_abreast(walk, child->width);
    bool rows = wf_walk_is_rows(walk);
    if (taken < 0 || rows != (step->kind == WF_STEP_ROWS) ||
        step->kind == WF_STEP_BUFFERED)
        return false;
    const weft_dim *d = &walk->loop[taken];
    if (walk->real && (rows || walk->in_place || d->is != 1 || d->os != 1))
        return false; /* only neighbours, which others do not overlap */
    const double n = (double)walk->axis.n;
    const bool narrow = child->width * (int)wf_complex_bytes(type) / 2 <= 16;
    const int64_t there[2] = {child->width, d->n % child->width};
    /* ns of what goes around a child that is passes over columns */
    const double around = rows ? 0 : child->kind == WF_STEP_LANES ? 6 : 15;
    double group[2]; /* a full one, what is left */
    for (int i = 0; i < 2; i++)
        group[i] = child->cost +
                   price_side(engine, walk->axis.is, d->is, n, child->width,
                              there[i], narrow) +
                   price_side(engine, walk->axis.os, d->os, n, child->width,
                              there[i], narrow) +
                   around;
    if (rows && child->kind == WF_STEP_LANES && child->real < WEFT_RODFT00) {
        const double squares = engine->price(WF_ROLE_ROWS, type, child->width,
                                             (int)child->n);
        group[0] = squares >= 0 ? squares : group[0];
    }
    step->cost = (double)walk->count / (double)d->n *
                     ((double)(d->n / child->width) * group[0] +
                      (there[1] > 0 ? group[1] : 0)) +
                 stream;
    return true;
}

/* ns to bring rows from memory and back, beside their transforms.  Long ones
 * find nothing fetched when they begin. */
static double price_rows(const wf_machine *machine, double row, double bytes)
{
    if (row >= WF_LONG_ROW && 2 * bytes > machine->kept)
        return 2 * bytes * machine->level_rate[3];
    return wf_cost_bytes(machine, 2 * bytes, 2 * bytes);
}

/* Does streaming pay?  For single kernels and for rows of a page and more; between
 * them transforms that take half as long as the trips hide those by themselves, but
 * reals by a leaf or a half may be the machine's own case. */
static bool streaming_pays(const wf_machine *machine, const wf_step *child,
                           double row)
{
    const double trips = 2 * row * machine->level_rate[3];
    const bool reals = child->kind == WF_STEP_REAL_LEAF ||
                       child->kind == WF_STEP_HALF ||
                       child->kind == WF_STEP_HALVED;
    return child->kind == WF_STEP_LEAF || row >= WF_PAGE ||
           (row >= WF_LONG_ROW && 2 * child->cost < trips) ||
           (reals && machine->streamed_reals > 0 &&
            row >= machine->streamed_reals);
}

/* Is it a leaf in whose loads the processor sees no stream? */
static bool is_unfollowed(const wf_machine *machine, weft_type type,
                          const wf_step *child)
{
    const bool real = child->kind == WF_STEP_REAL_LEAF;
    return (real || child->kind == WF_STEP_LEAF) && child->n < 64 &&
           (machine->unfollowed[real][type == WEFT_F64] >> child->n & 1) != 0;
}

/* Bytes of rows from which it pays in place. */
static double streamed_from(const wf_machine *machine, weft_type type,
                            const wf_step *child)
{
    double from = machine->streamed_from[type == WEFT_F64];
    if (child->kind == WF_STEP_HALF && machine->streamed_halves > 0)
        from = machine->streamed_halves;
    return from > 0 && child->kind != WF_STEP_ALONE ? from : WF_LONG_ROW;
}

/* In place, where input is fetched ahead and that is all, for rows of few pages; by way
 * of a buffer, as some processors do it there, for longer ones. */
static bool streaming_pays_in_place(const wf_machine *machine, weft_type type,
                                    const wf_step *child, double row,
                                    double bytes)
{
    return is_unfollowed(machine, type, child) ||
           (row >= streamed_from(machine, type, child) &&
            (row <= 4 * WF_PAGE ||
             (row <= machine->streamed && bytes >= machine->all_streamed)));
}

/* The same of rows that are streamed, if that pays and the second cache holds one.  In
 * the end the stores are waited for. */
static double price_streamed(const wf_machine *machine, double row,
                             double bytes, bool pays)
{
    enum { SETTLED = 300 };
    pays = pays && machine->stream > 0 && row <= machine->level_bytes[1];
    return SETTLED +
           2 * bytes * (pays ? machine->stream : machine->level_rate[3]);
}

/* Blocks that so many columns take: what is left of full ones goes as powers of
 * two. */
static double blocks_of(const wf_machine *machine, int64_t lanes, int width)
{
    const int left = (int)(lanes % width);
    const int parts = __builtin_popcount((unsigned)left);
    const double each = machine->part > 0        ? machine->part * parts
                        : left == 0 || parts > 1 ? parts
                                                 : 2;
    return (double)(lanes / width) + each;
}

/* The most bytes of a problem whose vectors are worth a copy: of longer ones
 * memory brings a line for each sample. */
enum { COPIED_BYTES = 1 << 22 };

/* Calls that move groups of neighbours in, or out: see group_size in buffered.c. */
static double groups_of(const wf_walk *walk)
{
    enum { GROUP = 16 };
    const int nearest = wf_walk_abreast(walk, 1);
    const double n = nearest < 0 ? 1 : (double)walk->loop[nearest].n;
    return (double)walk->count / n * ceil(n / GROUP);
}

/* Sides that are copied to rows, or from them. */
static int strided_sides(const wf_walk *walk)
{
    return walk->in_place ? 2 : (walk->axis.is != 1) + (walk->axis.os != 1);
}

/* Channels that a machine has a price for. */
static bool has_channels(const wf_machine *machine, const wf_walk *walk)
{
    return machine->strided > 0 && wf_walk_channels(walk) > 0;
}

/* Those of channels: from 7 on shuffles count. */
static double price_channels(const wf_machine *machine, const wf_walk *walk,
                             double bytes, bool complex)
{
    return (complex ? 1 : 1.25) * (wf_walk_channels(walk) > 6 ? 1.5 : 1) *
           machine->strided * bytes;
}

/* ns to copy strided vectors to rows and back.  Neighbouring ones of complex
 * numbers and channels are moved by whole vectors.  Complex ones of unit stride on
 * one side are not copied there. */
static double price_copied(const wf_machine *machine, const wf_walk *walk,
                           double samples, double bytes, double stream,
                           bool complex)
{
    static const double number = 0.4;
    const int sides = strided_sides(walk);
    const double calls = (complex ? 2 : 5) * machine->kernel_call *
                         groups_of(walk);
    if (has_channels(machine, walk))
        return price_channels(machine, walk, bytes, complex) + calls + stream;
    if (wf_walk_lanes(walk) == 0 && complex && walk->in_scalars == 2 &&
        sides > 0)
        return number * sides * samples + calls + 2 * stream;
    if (wf_walk_lanes(walk) == 0)
        return 2.4 * samples + calls + 2 * stream;
    return machine->strided > 0 && complex && bytes <= COPIED_BYTES
               ? machine->strided * bytes + calls + stream
               : 1.2 * samples + calls + 2 * stream;
}

static bool is_leaf(const wf_step *step)
{
    return step->kind == WF_STEP_LEAF ||
           (step->kind == WF_STEP_REAL_LEAF && step->n > 2);
}

/* Of so many leaves by one call: what one takes of one alone, beside the call. */
static double part_of_many(const wf_step *leaf, double count)
{
    const int64_t n = leaf->n;
    if (count < 3 || n > 32)
        return 1;
    return count < 8 || n > 8 ? 0.6 : n > 2 ? 0.3 : 0.15;
}

/* Do the vectors of two planes adjoin, so that they can be merged and parted as one? */
static bool are_joined(const wf_walk *walk)
{
    const int64_t n = walk->axis.n, half = n / 2 + 1;
    if (walk->count == 1 || !walk->real)
        return walk->count == 1 ? wf_walk_is_rows(walk)
                                : wf_walk_packed(walk, n, n) >= 0;
    return wf_walk_packed(walk, n, half) >= 0 ||
           wf_walk_packed(walk, half, n) >= 0;
}

/* Vectors that whole registers bring to rows and back: of planes that are joined, or of
 * a matrix that is transposed. */
static double price_joined(const wf_machine *machine, const wf_step *child,
                           double count, double bytes)
{
    const bool leaf = is_leaf(child); /* all by one call, side by side */
    const double each = leaf ? part_of_many(child, count) : 1,
                 calls = leaf ? machine->call : 0;
    const bool whole = fmod(bytes, WF_LINE) == 0;
    return 2 * machine->kernel_call + (whole ? 0 : machine->call) +
           count * each * (child->cost - calls) + calls +
           machine->merged * bytes;
}

/* Real ones of which one call does several; rows of 2 it does not. */
static bool are_short_reals(const wf_step *child)
{
    enum { SHORT = 40 };
    return (child->kind == WF_STEP_REAL_LEAF ||
            child->kind == WF_STEP_DIRECT) &&
           child->n > 2 && child->n <= SHORT;
}

/* Are they rows on one side, columns on the other? */
static bool are_crossed(const wf_walk *walk)
{
    const int nearest = wf_walk_abreast(walk, 1);
    if (nearest < 0)
        return false;
    const weft_dim *d = &walk->loop[nearest];
    return (walk->axis.is == 1 && d->os == 1) ||
           (walk->axis.os == 1 && d->is == 1);
}

/* Short real vectors, copied to rows, several of which are transformed side by side,
 * and back.  Rows that are there already are not copied. */
static double price_short_reals(const wf_machine *machine, const wf_walk *walk,
                                const wf_step *child, weft_type type,
                                bool split)
{
    const double samples = (double)walk->axis.n / 2,
                 each = (double)wf_complex_bytes(type), bytes = samples * each;
    const bool joined = split && are_joined(walk),
               crossed = !split && are_crossed(walk),
               channels = has_channels(machine, walk);
    const bool whole_in = walk->axis.is == 1 && walk->in_scalars == 1,
               whole_out = walk->axis.os == 1 && walk->out_scalars == 1;
    const int sides = split && !walk->in_place ? !whole_in + !whole_out
                                               : strided_sides(walk);
    const double move = joined    ? machine->merged_reals * bytes
                        : crossed ? 1.37 * machine->merged_reals * bytes
                        : channels
                            ? price_channels(machine, walk, bytes, false)
                            : sides * (1.5 + samples * (0.3 + 0.025 * each));
    const double calls = joined     ? 2
                         : channels ? 8 * groups_of(walk)
                         : crossed  ? 4 * groups_of(walk)
                                    : 2 * sides * groups_of(walk);
    const double together = child->kind == WF_STEP_DIRECT ? 1
                            : joined                      ? 0.06
                                                          : 0.15;
    return machine->call + machine->kernel_call * calls +
           (double)walk->count *
               (together * (child->cost - machine->call) + move);
}

/* Columns of a matrix that vectors are copied to and from, a block at a time;
 * contiguous ones are transposed in registers.  Both matrices and the columns'
 * own blocks should stay in the second cache, and rows that memory must bring are
 * better read one by one. */
static bool price_copied_columns(const wf_engine *engine, weft_type type,
                                 const wf_walk *walk, double bytes, bool split,
                                 wf_step *step)
{
    const wf_step *child = step->child[0];
    const int taken = wf_walk_abreast(walk, child->width);
    if (taken < 0 || bytes > COPIED_BYTES)
        return false;
    const int64_t lanes = walk->loop[taken].n;
    const double width = child->width;
    const double blocks = (double)walk->count / (double)lanes *
                          blocks_of(engine->machine(), lanes, child->width);
    const double n = (double)walk->axis.n;
    const double data = n * width * (double)wf_complex_bytes(type);
    const bool in = walk->axis.is == 1 && !split,
               out = walk->axis.os == 1 && !split;
    const double side = (in ? 1.4 : 0.8 * width) + (out ? 1.4 : 0.8 * width);
    step->cost = blocks *
                     (child->cost + side * n +
                      wf_cost_bytes(engine->machine(), 8 * data, 8 * data)) +
                 engine->machine()->call;
    return true;
}

/* A matrix in pieces of 4 by c numbers, over what it has: of those that are not full
 * lanes go one by one. */
static double pieces_of(double rows, double columns, double c)
{
    const double whole = 4 * ceil(rows / 4) * c * ceil(columns / c);
    return 3 * whole / (rows * columns) - 2;
}

/* Columns between one side's rows and a tile that is transposed. */
static bool price_crossed(const wf_engine *engine, weft_type type,
                          const wf_walk *walk, double bytes, wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const wf_step *child = step->child[0];
    const int taken = wf_walk_crossed(walk);
    if (taken < 0)
        return false;
    const int64_t lanes = walk->loop[taken].n;
    const double matrices = (double)walk->count / (double)lanes;
    const double columns =
        child->radices == 1
            ? wf_cost_columns(engine, type, child, lanes, 0, matrices, false)
            : matrices * blocks_of(machine, lanes, child->width) * child->cost;
    step->cost = columns + matrices * machine->kernel_call +
                 (child->width * (int)wf_complex_bytes(type) == 128 ? 0.75
                                                                    : 1.5) *
                     machine->merged * bytes *
                     pieces_of((double)child->n, (double)lanes,
                               fmax(4, child->width / 2));
    return true;
}

/* A few numbers by the definition, anywhere. */
static bool price_dense_lone(const wf_engine *engine,
                             const wf_problem *problem, const wf_walk *walk,
                             wf_step *step)
{
    static const double each[WF_DENSE_ANYWHERE + 1] = {0, 0, 0.6, 1.5, 3.1};
    const wf_machine *machine = engine->machine();
    step->cost = machine->call + machine->kernel_call +
                 (double)walk->count * each[walk->axis.n];
    return !problem->split;
}

/* Rows on either side that are transposed, as `planes` matrices. */
static double price_tiles(const wf_machine *machine, const wf_walk *walk,
                          weft_type type, double planes)
{
    const double bytes = (double)walk->axis.n *
                         (double)wf_complex_bytes(type) / 2,
                 side = 1.3 * machine->merged * bytes * (double)walk->count +
                        2 * planes * machine->kernel_call;
    return wf_walk_is_rows(walk) ? 2.8 * side : side;
}

/* Neighbours by the definition, or (512 bits) rows on both sides: a product for each
 * pair of numbers, and vectors read and written. */
static bool price_dense_columns(const wf_engine *engine,
                                const wf_problem *problem, const wf_walk *walk,
                                wf_step *step)
{
    enum { SUMS = 4 }; /* made together at least */
    /* Numbers that 16 registers hold, and 32. */
    enum { FEW = 8, SOME = 24 };
    const wf_machine *machine = engine->machine();
    const weft_type type = problem->type;
    const weft_kind kind = wf_axis_kind(problem, step->axis);
    const int crossed = wf_dense_crossed(kind, walk);
    const int64_t lanes = crossed >= 0 ? walk->loop[crossed].n
                                       : wf_walk_lanes(walk);
    const int64_t n = walk->axis.n;
    const wf_dense_group few = wf_dense_group_of(kind, type, walk,
                                                 engine->widths(type));
    const int width = few.registers > 0
                          ? few.width
                          : wf_dense_width(lanes, type, engine->widths(type));
    const int bits = width * (type == WEFT_F64 ? 64 : 32);
    if (wf_dense_anywhere(kind, walk))
        return price_dense_lone(engine, problem, walk, step);
    if (lanes == 0 || problem->split || n > WF_DENSE ||
        (walk->real && walk->in_place))
        return false;
    const double product = machine->product[bits / 256];
    if (few.registers > 0) {
        step->cost = machine->call +
                     (double)walk->count / (double)lanes *
                         (2 + 0.5 * few.registers +
                          (0.4 + product * few.registers) * few.legs);
        return true;
    }
    const double most = walk->real ? (double)(n / 2 * 2 + 2) : (double)n;
    /* Of 512 bits few sums are slow, but not slower than many. */
    const double together = ceil(most / SUMS) * SUMS,
                 products = product * (bits == 512 ? most : together) *
                            (double)n,
                 copied = 2 + 1.2 * most + products;
    double whole = copied;
    if (!walk->real && n <= FEW)
        whole = 1 + (0.6 + 0.8 * product * together) * (double)n;
    else if (!walk->real && n <= SOME && bits > 128)
        whole = 1 + products;
    const double planes = (double)walk->count / (double)lanes;
    step->cost = machine->call + planes * (machine->kernel_call +
                                           (double)(lanes / width) * whole +
                                           (lanes % width > 0 ? copied : 0));
    if (crossed >= 0)
        step->cost += price_tiles(machine, walk, type, planes);
    return crossed < 0 || bits == 512 || !wf_walk_is_rows(walk);
}

/* Short reals one at a time, anywhere, by scalars: less around each than a pass has.
 * A factor is a step of its own. */
static bool price_lone(const wf_engine *engine, const wf_problem *problem,
                       const wf_walk *walk, double price, wf_step *step)
{
    step->cost = engine->machine()->call + 0.7 +
                 (double)walk->count * (price - 1) +
                 (problem->scale == 1 ? 0 : 0.5 * (double)problem->total);
    return price >= 0;
}

/* Rows of even n have leaves. */
static bool price_lone_reals(const wf_engine *engine,
                             const wf_problem *problem, const wf_walk *walk,
                             double price, wf_step *step)
{
    const bool rows = wf_walk_is_rows(walk) && !problem->split,
               has_leaf = walk->axis.n % 2 == 0 &&
                          engine->widths(problem->type)[0] > 1;
    return walk->real && !(rows && has_leaf) &&
           price_lone(engine, problem, walk, price, step);
}

/* The same of halfcomplex ones.  By the definition rows take less than thought. */
static bool price_lone_halves(const wf_engine *engine,
                              const wf_problem *problem, const wf_walk *walk,
                              wf_step *step)
{
    const wf_step *child = step->child[0];
    const double price = engine->price(child->real == WEFT_HC2R
                                           ? WF_ROLE_REAL_COLUMN_BACK
                                           : WF_ROLE_REAL_COLUMN,
                                       problem->type, 1, (int)child->n);
    if (!wf_walk_is_apart(walk) ||
        !price_lone(engine, problem, walk, price, step))
        return false;
    step->cost += wf_walk_is_rows(walk) ? 1.5 : 0;
    return true;
}

/* Short real neighbours by one kernel, a vector of them at a time; what is left is
 * masked in 512 bits, else copied to a vector and back.  Masked, one with a stride is
 * still sooner done than copied to a row and back. */
static bool price_real_columns(const wf_engine *engine,
                               const wf_problem *problem, const wf_walk *walk,
                               wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const weft_type type = problem->type;
    const int width = step->child[0]->width, n = (int)walk->axis.n;
    const bool masks = width * (type == WEFT_F64 ? 64 : 32) == 512,
               lone = walk->count == 1 && masks &&
                      (walk->axis.is != 1 || walk->axis.os != 1);
    const int crossed = wf_walk_crossed_reals(walk);
    const int64_t lanes = lone           ? 1
                          : crossed >= 0 ? walk->loop[crossed].n
                                         : wf_walk_lanes(walk);
    const double price = engine->price(problem->kind == WEFT_C2R
                                           ? WF_ROLE_REAL_COLUMN_BACK
                                           : WF_ROLE_REAL_COLUMN,
                                       type, width, n);
    if (width == 1)
        return price_lone_reals(engine, problem, walk, price, step);
    if (lanes == 0 || problem->split || !walk->real || walk->in_place)
        return false;
    const int64_t left = lanes % width;
    step->cost =
        machine->call + machine->real_call +
        (double)walk->count / (double)lanes *
            ((double)((lanes + width - 1) / width) * price * (lone ? 1.6 : 1) +
             (left > 0 && !masks ? machine->kernel_call + 10 + 1.5 * n : 0));
    if (crossed >= 0)
        step->cost += price_tiles(machine, walk, type,
                                  (double)walk->count / (double)lanes);
    return price >= 0;
}

/* What the transforms of an axis come to: how many, their complex samples and bytes, ns
 * to bring them from where they are and back; and bytes of a row that is written. */
typedef struct total {
    double count, samples, bytes, stream, row;
} total;

static total total_of(const wf_engine *engine, const wf_problem *problem,
                      const wf_walk *walk)
{
    const double each = (double)wf_complex_bytes(problem->type);
    const bool halves = walk->real || problem->kind == WEFT_R2R;
    total t = {.count = (double)walk->count};
    t.samples = t.count * (double)walk->axis.n / (halves ? 2 : 1);
    t.bytes = t.samples * each;
    t.stream = wf_cost_bytes(engine->machine(), 2 * t.bytes, 2 * t.bytes);
    t.row = (double)wf_walk_reals(walk, WF_OUTPUT) * each / 2;
    return t;
}

/* Short ones one after the other by the definition, as many in a register as it
 * holds. */
static bool price_dense_rows(const wf_engine *engine,
                             const wf_problem *problem, const wf_walk *walk,
                             const total *t, wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const wf_step *child = step->child[0];
    const weft_kind kind = child->kind == WF_STEP_DENSE ? child->real
                                                        : problem->kind;
    const int64_t numbers = wf_dense_reals(kind, child->n, WF_INPUT),
                  in = wf_dense_pitch(kind, child->n, WF_INPUT,
                                      walk->in_place),
                  out = wf_dense_pitch(kind, child->n, WF_OUTPUT,
                                       walk->in_place);
    const int *widths = engine->widths(problem->type);
    const int bits = widths[0] * (problem->type == WEFT_F64 ? 64 : 32);
    const int together = wf_dense_together(in, out, problem->type, widths);
    const int packed = wf_walk_packed(walk, in, out);
    if (together == 0 || packed < 0 || problem->split)
        return false;
    const double many = (double)walk->loop[packed].n;
    step->cost = machine->call +
                 (double)walk->count / many *
                     (machine->kernel_call +
                      ceil(many / together) *
                          (1.5 + 1.2 * machine->product[bits / 256] *
                                     (double)numbers));
    if (t->count > 1)
        step->cost += price_rows(machine, t->row, t->bytes);
    return true;
}

/* Halfcomplex ones of even length: leaves, and whole registers from their spectra or
 * to them.  False where there are no kernels for several, and where memory must bring
 * rows of two lines and more: a register of all rows of a block, then the next, waits
 * for it longer than rows one by one (in place it does not). */
static bool price_halves(const wf_engine *engine, weft_type type,
                         bool in_place, const total *t, const wf_step *child,
                         wf_step *step)
{
    /* What one of many leaves takes of one alone. */
    static const double many = 0.5;
    const wf_machine *machine = engine->machine();
    const wf_step *leaf = child->child[0];
    const double n = (double)child->n,
                 row = (n + 2) / 2 * (double)wf_complex_bytes(type);
    const int width = wf_halves_width((int)child->n, type,
                                      engine->widths(type));
    const bool far = 2 * t->bytes > machine->kept && !in_place;
    if (width == 0 || (far && row >= 2 * WF_LINE))
        return false;
    const double reals = child->real == WEFT_HC2R ? n + 2 : n,
                 each = width * (int)wf_complex_bytes(type) == 128 ? 1.2
                                                                   : 0.75;
    step->cost = machine->call + 12 +
                 2 * machine->kernel_call *
                     ceil(t->count * row / WF_HALVES_TILE) +
                 t->count * (many * (leaf->cost - machine->call) +
                             each * ceil(reals / width));
    return true;
}

/* Rows of two arrays, by one call of a kernel. */
static bool price_split_leaves(const wf_engine *engine, weft_type type,
                               const total *t, wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const wf_step *leaf = step->child[0];
    const double each = leaf->n > WF_LONGEST_LEAF
                            ? -1
                            : engine->price(WF_ROLE_LEAF_SPLIT, type, 0,
                                            (int)leaf->n);
    step->cost = machine->call + t->count * each;
    if (t->count > 1)
        step->cost += price_rows(machine, t->row, t->bytes);
    return each >= 0;
}

/* Where they are. */
static bool price_plain_rows(const wf_engine *engine,
                             const wf_problem *problem, const wf_walk *walk,
                             const total *t, wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const wf_step *child = step->child[0];
    if (walk->axis.is != 1 || walk->axis.os != 1)
        return false;
    if (problem->split && child->kind == WF_STEP_LEAF)
        return price_split_leaves(engine, problem->type, t, step);
    if (problem->split && child->kind != WF_STEP_STOCKHAM)
        return false;
    step->cost = t->count * child->cost;
    if (problem->split)
        step->cost += t->count * wf_cost_apart(engine, problem->type, child);
    if (wf_step_is_halves(child) &&
        !price_halves(engine, problem->type, walk->in_place, t, child, step))
        return false;
    const bool far = 2 * t->bytes > machine->kept;
    if (is_leaf(child)) /* all by one call; those from memory wait for that */
        step->cost = machine->call +
                     t->count * (far ? 1 : part_of_many(child, t->count)) *
                         (child->cost - machine->call);
    const bool back = walk->real && problem->kind == WEFT_C2R;
    if (walk->in_place || back)
        step->cost += t->count * wf_cost_in_place(engine, problem->type,
                                                  child->kind == WF_STEP_HALF
                                                      ? child->child[0]
                                                      : child,
                                                  back);
    if (problem->split && (child->radices != 2 || child->fused[0]))
        step->cost += 1.5 * machine->call;
    if (t->count > 1)
        step->cost += price_rows(machine, t->row, t->bytes);
    /* Passes read two arrays from both ends of many pages at once. */
    if (problem->split && !walk->in_place && t->count > 1 &&
        2 * t->row > WF_LONG_ROW && 2 * t->bytes > machine->kept)
        step->cost += 0.3 * 2 * t->bytes * machine->level_rate[3];
    return true;
}

static bool price_streamed_rows(const wf_engine *engine,
                                const wf_problem *problem, const wf_walk *walk,
                                const total *t, wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const wf_step *child = step->child[0];
    const bool joined = problem->split && child->kind != WF_STEP_STOCKHAM;
    if (wf_walk_streamed(walk) < 0 ||
        (joined && (walk->real || !are_joined(walk))))
        return false;
    const double row = t->row * (problem->split ? 2 : 1); /* of both arrays */
    const bool pays = (!problem->split || t->row >= WF_LONG_ROW) &&
                      (walk->in_place
                           ? streaming_pays_in_place(machine, problem->type,
                                                     child, row, t->bytes)
                           : streaming_pays(machine, child, row));
    step->cost = t->count * child->cost +
                 price_streamed(machine, row, t->bytes, pays);
    if (problem->split)
        step->cost += t->count * wf_cost_apart(engine, problem->type, child);
    if (joined)
        step->cost += machine->merged * t->bytes +
                      2 * t->count * machine->kernel_call;
    if (problem->rank > 1 && 2 * t->bytes < machine->followed)
        step->cost += 2 * t->bytes * machine->level_rate[3];
    return true;
}

/* Neighbours as one transform whose numbers are rows of them. */
static bool price_beside(const wf_engine *engine, const wf_problem *problem,
                         const wf_walk *walk, const total *t, wf_step *step)
{
    const wf_beside_prices *prices = &engine->machine()->beside;
    const wf_step *child = step->child[0];
    const int64_t columns = wf_walk_lanes(walk);
    if (step->kind != WF_STEP_COLS || problem->split ||
        problem->kind == WEFT_R2R || walk->real || walk->axis.os != columns ||
        !wf_fits_beside(child, columns))
        return false;
    const double matrices = t->count / (double)columns;
    step->cost = matrices *
                     wf_cost_beside(engine, problem->type, child, columns) +
                 (walk->in_place ? prices->in_place
                  : matrices > 1 ? prices->many
                                 : prices->one) *
                     t->stream;
    return true;
}

/* Complex columns of neighbours, or anywhere. */
static bool price_columns(const wf_engine *engine, const wf_problem *problem,
                          const wf_walk *walk, const total *t, wf_step *step)
{
    const wf_step *child = step->child[0];
    const int64_t lanes = wf_walk_lanes(walk);
    const int64_t row = llabs(walk->axis.os) *
                        (int64_t)wf_complex_bytes(problem->type);
    if (walk->real || problem->kind == WEFT_R2R)
        return false;
    if (lanes == 0) {
        const bool rows = wf_walk_is_rows(walk),
                   crossed = wf_walk_crossed(walk) >= 0;
        const wf_lone lone = {t->count, problem->split, crossed,
                              crossed && walk->axis.os != 1 ? row : 0};
        const double cost = wf_cost_lone(engine, problem->type, child, &lone);
        step->cost = cost + 1.5 * t->stream;
        return cost >= 0 && (problem->split || !rows);
    }
    const double matrices = t->count / (double)lanes;
    step->cost = child->radices == 1 || lanes < child->width
                     ? wf_cost_columns(engine, problem->type, child, lanes,
                                       row, matrices, !walk->in_place)
                     : matrices *
                           blocks_of(engine->machine(), lanes, child->width) *
                           child->cost;
    step->cost += 1.5 * t->stream;
    return true;
}

/* Copied to rows or columns. */
static bool price_buffered(const wf_engine *engine, const wf_problem *problem,
                           const wf_walk *walk, const total *t, wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const wf_step *child = step->child[0];
    const bool complex = !walk->real && problem->kind != WEFT_R2R,
               split = problem->split, rows = wf_walk_is_rows(walk);
    if (wf_step_is_column(child)) {
        if (!price_crossed(engine, problem->type, walk, t->bytes, step) &&
            !price_copied_columns(engine, problem->type, walk, t->bytes, split,
                                  step))
            return false;
        step->cost += t->stream;
    } else if (split ? complex && are_joined(walk)
                     : wf_walk_crossed(walk) >= 0) {
        step->cost = price_joined(machine, child, t->count, t->bytes) +
                     t->stream;
    } else if (are_short_reals(child) && (split || !rows)) {
        step->cost = price_short_reals(machine, walk, child, problem->type,
                                       split) +
                     t->stream;
    } else {
        step->cost = t->count * child->cost +
                     price_copied(machine, walk, t->samples, t->bytes,
                                  t->stream, complex);
    }
    return true;
}

/* By the way that the step walks them. */
static bool price_walk(const wf_engine *engine, const wf_problem *problem,
                       const wf_walk *walk, const total *t, wf_step *step)
{
    switch (step->kind) {
    case WF_STEP_ROWS: return price_plain_rows(engine, problem, walk, t, step);
    case WF_STEP_STREAMED:
        return price_streamed_rows(engine, problem, walk, t, step);
    case WF_STEP_COLS: return price_columns(engine, problem, walk, t, step);
    default: return price_buffered(engine, problem, walk, t, step);
    }
}

bool wf_price_axis(const wf_engine *engine, const wf_course *course,
                   wf_step *step, bool first)
{
    const wf_problem *problem = &course->problem;
    const bool r2r = problem->kind == WEFT_R2R;
    wf_walk walk;
    if (engine->weigh != NULL)
        return weigh_axis(engine, problem, step);
    wf_walk_axis(course, step->axis, first, &walk);
    const wf_step *child = step->child[0];
    const total t = total_of(engine, problem, &walk);
    if (wf_step_has_part(step->kind)) {
        const bool paired = step->kind == WF_STEP_PAIRED;
        if (!(paired ? wf_price_paired : wf_price_embedded)(
                engine, problem, &walk, wf_axis_kind(problem, step->axis),
                step))
            return false;
        step->cost += t.stream;
        return true;
    }
    step->flops = t.count * child->flops;
    if (walk.real != wf_step_is_real(child->kind) ||
        r2r != wf_step_is_r2r(child->kind) ||
        (r2r && child->real != problem->kinds[step->axis]) ||
        (child->kind == WF_STEP_REAL_LANED && problem->split))
        return false;
    const bool cols = step->kind == WF_STEP_COLS,
               rows = step->kind == WF_STEP_ROWS,
               dense = wf_step_is_dense(child), lone = wf_step_is_lone(child);
    if ((cols && dense) || lone || child->kind == WF_STEP_REAL_COLUMN) {
        if (!cols ||
            !(dense  ? price_dense_columns
              : lone ? price_lone_halves
                     : price_real_columns)(engine, problem, &walk, step))
            return false;
        /* Rows with gaps from memory are better read one by one. */
        const bool far = dense && wf_walk_is_rows(&walk) &&
                         2 * t.bytes > engine->machine()->kept;
        step->cost += (far ? 2 : 1) * t.stream;
        return true;
    }
    const bool even = child->kind == WF_STEP_DIRECT && child->n % 2 == 0;
    if (even && (child->n > 2 || !rows))
        return false; /* rows have kernels for those */
    if (rows && dense && price_dense_rows(engine, problem, &walk, &t, step))
        return true;
    if (even)
        return false;
    if (wf_step_is_abreast(child)) {
        const wf_machine *machine = engine->machine();
        const bool pieces = machine->abreast > 0 && !rows && !walk.in_place &&
                            t.bytes > machine->kept;
        return price_abreast(engine, problem->type, &walk, step,
                             t.stream * (pieces ? machine->abreast : 1));
    }
    if (child->kind == WF_STEP_MATRIX) { /* any strides: rows are packed */
        step->cost = t.count * child->cost + (t.count > 1 ? t.stream : 0);
        return rows;
    }
    if (child->kind == WF_STEP_BESIDE)
        return price_beside(engine, problem, &walk, &t, step);
    if (!price_walk(engine, problem, &walk, &t, step))
        return false;
    if (problem->kind == WEFT_C2R)
        step->cost += t.count * wf_cost_turned(engine, child);
    return true;
}
