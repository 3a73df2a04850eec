/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - what a tree costs, without running it.
 *
 * A step costs its kernels' prices (ns per butterfly with the data in the
 * first cache, from the engine) plus the bytes it moves at the rate of the
 * cache level its working set lives in.  The rates are those of a class of
 * machines, not measurements of this one, so that a problem has the same plan
 * in every run; `measure` exists for those who want the machine asked.
 */
#include "plan/dense.h"
#include "plan/half.h"
#include "plan/path.h"
#include "plan/precise.h"
#include "plan/search.h"

#include <math.h>
#include <string.h>

size_t wf_complex_bytes(weft_type type)
{
    return type == WEFT_F64 ? 16 : 8;
}

/* log2 with straight lines between the powers of two. */
static double rough_log2(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * 0x1p-52;
}

/* How much of `working_set` a cache no longer holds: 0 to 1. */
static double beyond(double working_set, double capacity, double spread)
{
    if (working_set <= capacity)
        return 0;
    if (working_set >= capacity * spread)
        return 1;
    return fmin(1, (rough_log2(working_set) - rough_log2(capacity)) /
                       (rough_log2(spread) - rough_log2(1)));
}

double wf_cost_bytes(const wf_machine *machine, double bytes,
                     double working_set)
{
    double rate = machine->level_rate[0];
    for (int i = 0; i < 3 && working_set > machine->level_bytes[i]; i++)
        rate += (machine->level_rate[i + 1] - machine->level_rate[i]) *
                beyond(working_set, machine->level_bytes[i],
                       i < 2 ? machine->spread : 1);
    return bytes * rate;
}

/* How many of r rows, so many bytes apart, are more than `most` in their sets. */
static int64_t crowd_beyond(int64_t most, int64_t apart, int r)
{
    int64_t low = apart & -apart, groups = low < WF_PAGE ? WF_PAGE / low : 1;
    return r > most * groups ? r - most * groups : 0;
}

/* How many of r legs are one too many in sets of eight ways. */
static int64_t crowd(int64_t apart, int r)
{
    return crowd_beyond(8, apart, r);
}

/* ns a block of a fused pair loses to rows that evict each other: the second pass writes
 * as many as the radices make, as far apart as the first pass's results. */
static double cost_block_rows(const wf_machine *machine, weft_type type,
                              const wf_pass_place *p)
{
    enum { KEPT = 20 };
    if (!p->second)
        return 0;
    const int64_t sample = (int64_t)wf_complex_bytes(type);
    return machine->alias_pair *
           (double)crowd_beyond(KEPT, p->s / p->partner * sample,
                                p->r * p->partner);
}

/* ns a butterfly loses to legs that evict each other.  The second of two fused
 * passes reads them from a buffer, the first writes to it.  apart: n / r. */
static double cost_alias(const wf_machine *machine, weft_type type,
                         const wf_pass_place *p, int64_t apart)
{
    int64_t sample = (int64_t)wf_complex_bytes(type);
    if (p->r <= 8)
        return 0;
    double loss = 0;
    if (apart * sample % WF_PAGE == 0)
        loss += (p->r - 8) *
                (p->second ? machine->alias_buffer : machine->alias);
    if (p->s > 1 && (p->partner == 0 || p->second))
        loss += (double)crowd(p->s * sample, p->r) * machine->alias_out;
    return loss;
}

/* Zen 5, AVX-512: c2c:f64:8192:split 11.2 us by radix 8 at the end, 7.2 by 4. */
double wf_cost_apart_pass(const wf_engine *engine, weft_type type,
                          const wf_pass_place *p)
{
    const int64_t apart = p->n / p->r;
    if (p->s != apart)
        return 0;
    const wf_machine *machine = engine->machine();
    const int64_t scalar = (int64_t)wf_complex_bytes(type) / 2;
    return (double)(apart / p->width) * (machine->alias + machine->alias_out) *
           (double)crowd(apart * scalar, 2 * p->r);
}

/* x mod w is not 0; widths are powers of two. */
static bool begins_inside(int64_t x, int w)
{
    return (x & (w - 1)) != 0;
}

/* ns a butterfly loses where rows begin in the middle of a cache line; fused
 * passes have whole vectors.  The user's data are interleaved: half a vector
 * of samples is a line's worth there.  Lines that are not in the second cache
 * are asked for twice. */
static double cost_split(const wf_machine *machine, weft_type type,
                         const wf_pass_place *p, int64_t apart)
{
    int w = p->width;
    if (p->partner != 0 || w < 2)
        return 0;
    bool last = p->s == apart;
    bool in = p->s == 1 ? begins_inside(apart, w / 2) : begins_inside(p->s, w);
    bool out = p->s == 1 ? begins_inside(p->r, w)
                         : begins_inside(p->s, last ? w / 2 : w);
    double vector = w * (double)wf_complex_bytes(type) / 2;
    double far = machine->split_far *
                 beyond(2 * (double)p->n * (double)wf_complex_bytes(type),
                        machine->level_bytes[1], machine->spread);
    return 2 * p->r * vector / 64 *
           ((in ? machine->split_load + far : 0) +
            (out ? machine->split_store + far : 0));
}

/* ns a pass over more bytes than `reach` loses. */
static double cost_walk(const wf_machine *machine, weft_type type,
                        const wf_pass_place *p)
{
    const double bytes = (double)wf_complex_bytes(type),
                 data = (double)p->n * bytes,
                 farther = (data - machine->reach / 2) / (1 << 20);
    if (farther <= 0)
        return 0;
    return (double)p->n *
               (machine->walk[type == WEFT_F64] +
                (wf_is_wide(type, p->width) ? machine->walk_wide : 0)) +
           data * machine->walk_more * farther;
}

double wf_cost_pass(const wf_engine *engine, weft_type type,
                    const wf_pass_place *p, double price)
{
    if (price < 0)
        return -1;
    const wf_machine *machine = engine->machine();
    const double n = (double)p->n, s = (double)p->s;
    const int64_t apart = (int64_t)(n / p->r);
    double m = n / (p->r * s);
    int64_t lanes = p->s == 1 ? apart : p->s;
    double vectors = (double)((lanes + p->width - 1) >>
                              __builtin_ctz((unsigned)p->width)) *
                     (p->s == 1 ? 1 : m);
    double data = n * (double)wf_complex_bytes(type);
    double table = p->s == 1 ? 0
                             : s * (p->r - 1) * (double)wf_complex_bytes(type);
    double blocks = p->partner == 0
                        ? 0
                        : n / ((double)p->r * p->partner * p->width);
    double set = 2 * data, table_set = 2 * data + table;
    if (machine->whole) {
        set = p->s == 1 ? 4 * data : table_set;
        table_set = 4 * data;
    }
    price += cost_alias(machine, type, p, apart) +
             cost_split(machine, type, p, apart);
    if (p->n > machine->many && p->r > 16 && p->width < 16)
        price += machine->legs * (double)(p->r - 16) * p->width *
                 (double)wf_complex_bytes(type);
    return machine->kernel_call +
           blocks * (machine->block_call + cost_block_rows(machine, type, p)) +
           vectors * price + (p->s == 1 ? 0 : m * machine->row) +
           machine->share[p->fusing] * wf_cost_bytes(machine, 2 * data, set) +
           machine->table * wf_cost_bytes(machine, table, table_set) +
           cost_walk(machine, type, p);
}

/* The part of rows of x numbers, one after the other, that begin inside a line. */
static double inside(int64_t x, double bytes)
{
    const double whole = (double)(x & -x) * bytes / 64; /* lines */
    return whole >= 1 ? 0 : 1 - whole;
}

/* What `data` bytes that are read as rows of `in` numbers, and written as rows of
 * `out`, lose to vectors across two lines. */
static double cost_row_splits(const wf_machine *machine, double data,
                              double bytes, int64_t in, int64_t out)
{
    return data / 64 *
           (machine->row_split[0] * inside(in, bytes) +
            machine->row_split[1] * inside(out, bytes));
}

/* Is s, the product of the radices before a pass, that of one first pass? */
static bool may_be_first(const wf_engine *engine, weft_type type, int width,
                         int64_t s)
{
    return s <= WF_LARGEST_RADIX || (s <= WF_LARGEST_INTERLEAVED &&
                                     engine->price(WF_ROLE_INTERLEAVED_FIRST,
                                                   type, width, (int)s) >= 0);
}

/* Vectors of half as many numbers as lanes, in which no lane is idle; from the third
 * pass on (whose s is no first radix) a call more for what rows have beyond whole
 * vectors.  Factors take two vectors of the table for one of numbers.  Passes have
 * three arrays, and the last one rewrites its own, mostly; where these meet in few sets
 * of the first cache, that is no gain.  Of a line that a vector does not fill legs in one
 * set are gone before their other half is due. */
double wf_cost_interleaved_pass(const wf_engine *engine, weft_type type,
                                const wf_pass_place *p, double price)
{
    if (price < 0)
        return -1;
    const wf_machine *machine = engine->machine();
    const double bytes = (double)wf_complex_bytes(type);
    const double data = (double)p->n * bytes;
    const int64_t groups = p->s == 1 ? 1 : p->n / (p->s * p->r);
    const int64_t lanes = p->s == 1 ? p->n / p->r : p->s;
    const int c = p->width / 2;
    const bool overlaps = p->s % c != 0 &&
                          !may_be_first(engine, type, p->width, p->s);
    const double vectors = (double)(groups * ((lanes + c - 1) / c));
    const double table = p->s == 1 ? 0
                                   : 2 * (double)(p->s * (p->r - 1)) * bytes;
    const int64_t apart = p->n / p->r;
    const bool crowded = (double)(p->n & -p->n) * bytes >= 4 * WF_PAGE;
    const bool rewritten = apart == p->s && !crowded;
    const double set = (machine->whole ? crowded ? 4 : 3 : 2) * data;
    price += cost_alias(machine, type, p, apart);
    if (c * bytes < 64 && p->r >= 8 && apart * (int64_t)bytes % WF_PAGE == 0)
        price += 8 * machine->alias;
    return (overlaps ? 2 : 1) * machine->kernel_call +
           cost_row_splits(machine, data, bytes,
                           p->s == 1 ? p->n / p->r : p->s,
                           p->s == 1 ? p->r : p->s) +
           (double)groups *
               (machine->row + (overlaps ? 2 : 1) * machine->group) +
           vectors * price +
           machine->share[WF_ALONE] *
               wf_cost_bytes(machine, rewritten ? data : 2 * data, set) +
           machine->table * wf_cost_bytes(machine, table, set + table);
}

/* Where pass i of a step stands; s: the product of the radices before it. */
static wf_pass_place place_of(const wf_step *step, int i, int64_t s)
{
    bool second = i > 0 && step->fused[i - 1];
    wf_pass_place p = {.n = step->n,
                       .s = s,
                       .r = step->radix[i],
                       .width = step->width,
                       .second = second};
    int first = second ? i - 1 : i;
    if (step->fused[first]) {
        p.partner = step->radix[second ? i - 1 : i + 1];
        p.fusing = first == 0                   ? WF_FUSED_FIRST
                   : first + 2 == step->radices ? WF_FUSED_LAST
                                                : WF_FUSED_MIDDLE;
    }
    return p;
}

/* Far beyond the second cache many legs in two planes each are more streams
 * than are fetched ahead and more pages than are known: r2c:f64:531441 3.4 ms
 * as 27.27.27.27, 1.3 as 9.9.9.9.9.9. */
static double cost_streams(const wf_machine *machine, double data, int r)
{
    return 2 * data > 4 * machine->level_bytes[1] && r > 16 ? 20 * (r - 16)
                                                            : 0;
}

double wf_cost_half_pass(const wf_engine *engine, weft_type type, int64_t n,
                         int64_t s, int r, bool single, int most)
{
    wf_half_pass p = wf_half_pass_at(n, s, r, single, engine->widths(type),
                                     most);
    wf_role role = s == 1 ? WF_ROLE_HALF_FIRST : WF_ROLE_HALF;
    double price = engine->price(role, type, p.width, r);
    if (price < 0)
        return -1;
    double vectors = ceil((double)p.lanes / p.width) *
                     (s == 1 ? 1 : (double)p.m);
    double data = (double)n / 2 * (double)wf_complex_bytes(type);
    double table = s == 1 ? 0
                          : (double)(p.lanes * (r - 1)) *
                                (double)wf_complex_bytes(type);
    const wf_machine *machine = engine->machine();
    const bool wide = wf_is_wide(type, p.width);
    price += cost_streams(machine, data, r);
    return machine->kernel_call + vectors * price +
           (wide && s > 1 ? machine->half_row * (double)p.m : 0) +
           wf_cost_bytes(machine, 2 * data, 2 * data) +
           wf_cost_bytes(machine, table, 2 * data + table);
}

/* How many legs of a butterfly are one too many in their sets of the first cache.
 * Rows outside are `row` bytes apart, 0: that is not known; with them in the last pass
 * come those that it reads, which often are a multiple of a page apart.  Fitted on
 * Zen 4 to 900 trees, half of them of AVX2: the choice takes 1.01 of the best one's
 * time, without 1.03 to 1.05; rows of several lines anew, to 1900 trees of lengths from
 * 9 to 256: 1.015 with the prices below, 1.07 without. */
static double crowd_of(const wf_pass_place *p, int64_t row, int64_t inside)
{
    const int64_t apart = p->n / p->r * row;
    if (p->s != 1 && p->s * p->r != p->n)
        return (double)crowd(p->s * inside, p->r);
    if (row == 0)
        return 0;
    const double many = (double)crowd(apart, p->r),
                 both = fmin(8, (double)crowd(apart, 2 * p->r));
    const bool lines = inside > WF_LINE; /* a row has several */
    return p->s == 1 ? 0.75 * many + (lines ? 0.15 * both : 0)
                     : 1.25 * many + (lines ? 0.6 : 0.15) * both;
}

/* Butterflies of the first pass begin a row each; passes between work in place. */
double wf_cost_column_pass(const wf_engine *engine, weft_type type,
                           const wf_pass_place *p, int64_t row, double price)
{
    if (price < 0)
        return -1;
    const wf_machine *machine = engine->machine();
    const int64_t inside = p->width * (int64_t)wf_complex_bytes(type);
    const double data = (double)(p->n * inside);
    const bool first = p->s == 1, last = p->s * p->r == p->n && !first;
    if (last && p->r > 8)
        price += 0.25 * machine->alias * (p->r - 8);
    price += (first ? machine->column_row : 0) +
             machine->crowded * crowd_of(p, row, inside);
    return machine->kernel_call + (double)(p->n / p->r) * price +
           wf_cost_bytes(machine, (first || last ? 2 : 1) * data, 2 * data);
}

bool wf_column_crowds(const wf_machine *machine, const wf_step *column,
                      int64_t row)
{
    if (machine->crowded == 0)
        return false;
    if (column->radices < 2)
        return crowd(row, column->radix[0]) > 0;
    const int first = column->radix[0],
              last = column->radix[column->radices - 1];
    return crowd(column->n / first * row, 2 * first) > 0 ||
           crowd(column->n / last * row, 2 * last) > 0;
}

/* ns a block, of `piece` bytes of each row, loses to rows that are too many for their
 * sets of the first cache: they are read and written anew, and where a piece is half a
 * line that is fetched twice.  Zen 4's. */
static double cost_crowd(const wf_machine *machine, int64_t row, int r,
                         int64_t piece)
{
    const double many = row > 0 ? (double)crowd(row, r) : 0;
    const double both = row > 0 ? (double)crowd(row, 2 * r) : 0;
    if (piece >= WF_LINE)
        return machine->crowded > 0 ? fmax(8 * sqrt(many), 3.2 * many)
                                    : fmax(3 * many, 0.2 * many * many);
    return (many > 0 ? fmax(6 * many, 2.2 * r) : 0) + 0.35 * both;
}

/* Columns of one pass by a kernel that takes any number of them, half a vector at a
 * time where they do not fill one; -1: there is none.  Rows are `row` bytes apart, 0:
 * that is not known. */
static double cost_whole_columns(const wf_engine *engine, weft_type type,
                                 const wf_step *column, int64_t columns,
                                 int64_t row)
{
    const wf_machine *machine = engine->machine();
    const int width = column->width, n = (int)column->n;
    if (column->kind != WF_STEP_COLUMN || column->radices != 1)
        return -1;
    const double full = engine->price(WF_ROLE_WHOLE_COLUMN, type, width, n);
    const double half = engine->price(WF_ROLE_WHOLE_COLUMN, type, width / 2,
                                      n);
    const int64_t c = width / 2, part = c / 2;
    if (full < 0)
        return -1;
    const int64_t left = columns % c,
                  piece = c * (int64_t)wf_complex_bytes(type);
    return (double)(columns / c) *
               (full + cost_crowd(machine, row, n, piece)) +
           (half >= 0 ? (double)((left + part - 1) / part) * half
                      : __builtin_popcount((unsigned)left) * full);
}

/* All passes of a stockham or column step; -1 when a kernel is missing. */
static double cost_passes(const wf_engine *engine, weft_type type,
                          wf_step *step)
{
    double cost = engine->machine()->call;
    int64_t s = 1;
    const double whole = cost_whole_columns(engine, type, step, step->width,
                                            0);
    if (whole >= 0) {
        step->flops = 2 *
                      engine->flops(WF_ROLE_WHOLE_COLUMN, type, step->width,
                                    step->radix[0]) /
                      step->width;
        return cost + engine->machine()->kernel_call + whole;
    }
    step->flops = 0;
    for (int i = 0; i < step->radices; i++) {
        int r = step->radix[i];
        bool column = step->kind == WF_STEP_COLUMN;
        wf_role role = column   ? WF_ROLE_COLUMN
                       : s == 1 ? WF_ROLE_FIRST
                                : WF_ROLE_PASS;
        bool last = s > 1 && i == step->radices - 1;
        double price = engine->price(last && !column ? WF_ROLE_LAST : role,
                                     type, step->width, r);
        wf_pass_place place = place_of(step, i, s);
        double pass = column
                          ? wf_cost_column_pass(engine, type, &place, 0, price)
                          : wf_cost_pass(engine, type, &place, price);
        if (pass < 0)
            return -1;
        double flops = engine->flops(role, type, step->width, r);
        step->flops += flops * (double)(step->n / r) / step->width;
        cost += pass;
        s *= r;
    }
    return cost;
}

bool wf_fits_beside(const wf_step *step, int64_t columns)
{
    enum { MOST_NUMBERS = 1 << 22 }; /* whose bytes do not overflow */
    const int64_t c = step->width / 2;
    return step->radices >= 2 && c >= 1 && columns >= 1 &&
           columns <= MOST_NUMBERS / step->n && step->radix[0] * columns >= c;
}

/* Zen 4, 540 problems of 32 lengths from 36 to 512, 2 to 128 columns: the model's
 * choice, planes or this, takes 1.026 of the best tree's time from 8 columns on (in
 * place 1.025), 1.006 below; AVX2 1.016 and 1.01. */
double wf_cost_beside_pass(const wf_engine *engine, weft_type type,
                           const wf_pass_place *p, int64_t columns)
{
    const wf_machine *machine = engine->machine();
    const wf_beside_prices *prices = &machine->beside;
    const int64_t number = columns * (int64_t)wf_complex_bytes(type),
                  lanes = p->s * columns, groups = p->n / (p->s * p->r),
                  c = p->width / 2;
    const bool first = p->s == 1, overlaps = !first && lanes % c != 0;
    const int64_t piece = c * (int64_t)wf_complex_bytes(type);
    const double data = (double)(p->n * number);
    const double table = first ? 0 : 2 * (double)(p->s * (p->r - 1) * number);
    double group; /* butterflies of one */
    if (first) {
        const wf_step column = {.kind = WF_STEP_COLUMN,
                                .n = p->r,
                                .width = p->width,
                                .radices = 1};
        group = cost_whole_columns(engine, type, &column, columns,
                                   groups * number);
    } else {
        const double price = engine->price(WF_ROLE_INTERLEAVED, type, p->width,
                                           p->r);
        group = price < 0 ? -1
                          : (double)((lanes + c - 1) / c) *
                                (price +
                                 prices->crowd *
                                     (cost_crowd(machine, p->n / p->r * number,
                                                 p->r, piece) +
                                      cost_crowd(machine, p->s * number, p->r,
                                                 piece)));
    }
    if (group >= 0) /* later passes read what they write, mostly */
        group += (double)((lanes + c - 1) / c) *
                 (first              ? prices->both
                  : piece >= WF_LINE ? 0.67 * prices->both
                                     : 0.2 * prices->both) *
                 (double)crowd(number, 2 * p->r);
    return group < 0 ? -1
                     : (overlaps ? 2 : 1) * machine->kernel_call +
                           (double)groups * (prices->butterfly * group +
                                             machine->row + prices->group) +
                           prices->pass *
                               wf_cost_bytes(machine, 2 * data, 3 * data) +
                           machine->table *
                               wf_cost_bytes(machine, table, 3 * data + table);
}

double wf_cost_beside(const wf_engine *engine, weft_type type,
                      const wf_step *step, int64_t columns)
{
    double cost = engine->machine()->call;
    int64_t s = 1;
    for (int i = 0; i < step->radices; i++) {
        const wf_pass_place place = {
            .n = step->n, .s = s, .r = step->radix[i], .width = step->width};
        const double pass = wf_cost_beside_pass(engine, type, &place, columns);
        if (pass < 0)
            return -1;
        cost += pass;
        s *= step->radix[i];
    }
    return cost;
}

/* Of as many as fill a vector; its operations are one column's. */
static double cost_beside(const wf_engine *engine, weft_type type,
                          wf_step *step)
{
    const int width = step->width, c = width > 1 ? width / 2 : 1;
    step->flops = 0;
    if (!wf_fits_beside(step, c))
        return -1;
    for (int i = 0; i < step->radices; i++) {
        const int r = step->radix[i];
        step->flops += engine->flops(i == 0 ? WF_ROLE_WHOLE_COLUMN
                                            : WF_ROLE_INTERLEAVED,
                                     type, width, r) *
                       (double)(2 * step->n / r) / width;
    }
    return wf_cost_beside(engine, type, step, c);
}

static double cost_interleaved(const wf_engine *engine, weft_type type,
                               wf_step *step)
{
    double cost = engine->machine()->call;
    int64_t s = 1;
    step->flops = 0;
    for (int i = 0; i < step->radices; i++) {
        const int r = step->radix[i];
        const wf_role role = i == 0 ? WF_ROLE_INTERLEAVED_FIRST
                                    : WF_ROLE_INTERLEAVED;
        const wf_pass_place place = place_of(step, i, s);
        const double pass = wf_cost_interleaved_pass(
            engine, type, &place, engine->price(role, type, step->width, r));
        if (pass < 0)
            return -1;
        step->flops += engine->flops(role, type, step->width, r) *
                       (double)(2 * step->n / r) / step->width;
        cost += pass;
        s *= r;
    }
    return cost;
}

static double cost_real_passes(const wf_engine *engine, weft_type type,
                               wf_step *step)
{
    double cost = engine->machine()->call + engine->machine()->half_call;
    const int *widths = engine->widths(type);
    int64_t s = 1;
    step->flops = 0;
    for (int i = 0; i < step->radices; i++) {
        int r = step->radix[i];
        wf_half_pass p = wf_half_pass_at(step->n, s, r, i == 1, widths,
                                         step->width);
        wf_role role = i == 0 ? WF_ROLE_HALF_FIRST : WF_ROLE_HALF;
        double pass = wf_cost_half_pass(engine, type, step->n, s, r, i == 1,
                                        step->width);
        if (pass < 0)
            return -1;
        step->flops += engine->flops(role, type, p.width, r) *
                       (double)p.lanes / p.width * (i == 0 ? 1 : (double)p.m);
        cost += pass;
        s *= r;
    }
    return cost;
}

double wf_cost_turned(const wf_engine *engine, const wf_step *step)
{
    const double *turned = engine->machine()->turned;
    return step->kind == WF_STEP_REAL_PASSES
               ? turned[0] + turned[1] * (double)step->n
               : 0;
}

double wf_cost_apart(const wf_engine *engine, weft_type type,
                     const wf_step *step)
{
    if (step->kind != WF_STEP_STOCKHAM)
        return 0;
    const int last = step->radices - 1;
    const wf_pass_place p = place_of(step, last, step->n / step->radix[last]);
    return wf_cost_apart_pass(engine, type, &p);
}

/* Measured where level_bytes[1], a fitted second cache, is 512 KiB of 2 MiB: three
 * arrays leave it from 256 KiB of data on, two from 896. */
double wf_cost_in_place(const wf_engine *engine, weft_type type,
                        const wf_step *step, bool room)
{
    const wf_machine *machine = engine->machine();
    const double bytes = (double)step->n * (double)wf_complex_bytes(type),
                 data = bytes / machine->level_bytes[1];
    if (step->kind == WF_STEP_STOCKHAM)
        return -machine->in_place[0] * step->cost *
               fmin(beyond(data, 0.45, 2.7), 1 - beyond(data, 1.75, 2.3));
    if (step->kind == WF_STEP_FOURSTEP && !room &&
        wf_step_is_column(step->child[1]))
        return machine->in_place[1] * step->cost * beyond(data, 1.25, 1.6);
    return 0;
}

/* Of one vector, forward. */
static bool cost_real_column(const wf_engine *engine, weft_type type,
                             wf_step *step)
{
    const int width = step->width;
    if (step->n > WF_LONGEST_REAL_COLUMN)
        return false;
    const double price = engine->price(WF_ROLE_REAL_COLUMN, type, width,
                                       (int)step->n);
    step->flops =
        engine->flops(WF_ROLE_REAL_COLUMN, type, width, (int)step->n) / width;
    step->cost = engine->machine()->call + engine->machine()->real_call +
                 price;
    return price >= 0;
}

/* Each block beyond the first is a call more. */
static bool cost_dense(const wf_engine *engine, weft_type type, wf_step *step,
                       weft_kind kind, int most)
{
    if (step->n > most)
        return false;
    const wf_dense_shape s = wf_dense_shape_of(kind, type, (int)step->n,
                                               engine->widths(type));
    step->flops = 2.0 * s.rows * s.columns;
    const wf_machine *machine = engine->machine();
    const int bits = s.width * (type == WEFT_F64 ? 64 : 32);
    const double product = machine->product[bits / 256];
    const bool second = wf_kind_is_type(kind, WEFT_REDFT10) && bits == 512 &&
                        step->n > 16;
    const double share = second ? machine->reals.second : 1;
    step->cost = machine->call + 1.5 + share * product * s.products +
                 3 * (s.blocks - 1);
    return true;
}

/* What a step adds to its children: passes over all data. */
static double cost_moves(const wf_engine *engine, weft_type type,
                         const wf_step *step, double passes)
{
    double data = (double)step->n * (double)wf_complex_bytes(type);
    return engine->machine()->call +
           wf_cost_bytes(engine->machine(), 2 * passes * data, 3 * data) +
           /* a copy that rearranges: half a nanosecond a sample in cache */
           0.5 * passes * (double)step->n;
}

/* Blocks of a four-step's columns: what is left of full ones goes as powers of
 * two, each 0.7 as dear as a full one.  (Columns of an axis, blocks_of in walk_price.c,
 * lie in short rows.) */
static double blocks_of(int64_t columns, int width)
{
    const int left = (int)(columns % width);
    return (double)(columns / width) +
           0.7 * __builtin_popcount((unsigned)left);
}

/* A four-step's transposes between blocks and matrix, a trip. */
static double cost_tiles(const wf_machine *machine, weft_type type,
                         const wf_step *step)
{
    const double vectors = machine->halves
                               ? (double)wf_complex_bytes(type) / 16
                               : 8.0 / step->child[0]->width;
    return machine->tile * (double)step->n * vectors;
}

static double cost_two_factors(const wf_engine *engine, weft_type type,
                               wf_step *step)
{
    const wf_step *a = step->child[0], *b = step->child[1];
    double times_a = (double)step->split[1], times_b = (double)step->split[0];
    step->flops = times_a * a->flops + times_b * b->flops +
                  (step->kind == WF_STEP_GOOD ? 0 : 6.0 * (double)step->n);
    const bool columns = step->kind == WF_STEP_FOURSTEP ||
                         step->kind == WF_STEP_SCRAMBLED;
    double blocks_a = columns ? blocks_of(step->split[1], a->width) : 0;
    if (step->kind == WF_STEP_FOURSTEP && b->kind != WF_STEP_COLUMN) {
        /* In place: two trips over the same memory, and half of it again. */
        double data = (double)step->n * (double)wf_complex_bytes(type);
        return engine->machine()->call + blocks_a * a->cost +
               times_b * b->cost +
               wf_cost_bytes(engine->machine(), 3 * data, data) +
               cost_tiles(engine->machine(), type, step);
    }
    if (step->kind == WF_STEP_FOURSTEP) {
        const double bytes = (double)wf_complex_bytes(type);
        double data = (double)step->n * bytes;
        const wf_machine *machine = engine->machine();
        double piece = a->width * bytes;
        /* Two trips through memory, the second rewriting what it reads; the
         * tile transposes and the factored twiddles about a ns.  In pieces
         * below two cache lines the trips cost twice, and where the third
         * cache holds the data, passes that stream are faster still; but the
         * engine reads far columns in longer pieces. */
        bool narrow = piece < 128 && data <= machine->level_bytes[1];
        double cost = machine->call + blocks_a * a->cost +
                      blocks_of(step->split[0], b->width) * b->cost +
                      wf_cost_bytes(machine, (narrow ? 7 : 3.5) * data,
                                    2 * data) +
                      machine->rewritten * data *
                          beyond(piece * (double)b->n, machine->level_bytes[0],
                                 machine->spread) +
                      cost_tiles(machine, type, step) +
                      cost_row_splits(machine, data, bytes, step->split[1],
                                      step->split[0]) +
                      cost_row_splits(machine, data, bytes, step->split[0],
                                      step->split[0]);
        if (step->split[0] >= 32 * step->split[1])
            cost *= 1 + machine->lopsided;
        if (type == WEFT_F64 && (double)step->split[0] * bytes < 2 * WF_PAGE)
            cost *= 1 + machine->shared;
        return narrow && 2 * data <= machine->level_bytes[2]
                   ? machine->pieces * cost
                   : cost;
    }
    if (step->kind == WF_STEP_SCRAMBLED) {
        double data = (double)step->n * (double)wf_complex_bytes(type);
        return engine->machine()->call + blocks_a * a->cost +
               times_b * b->cost +
               wf_cost_bytes(engine->machine(), 3 * data, 2 * data) +
               0.4 * (double)step->n;
    }
    if (step->kind == WF_STEP_TWOSTEP) {
        double data = (double)step->n * (double)wf_complex_bytes(type);
        const wf_machine *machine = engine->machine();
        return times_a * (a->cost - machine->again) +
               times_b * (b->cost - machine->again) + machine->call +
               wf_cost_bytes(machine, 8 * data, 3 * data) +
               machine->copied * data;
    }
    double passes = step->kind == WF_STEP_SIXSTEP ? 3 : 4;
    return times_a * a->cost + times_b * b->cost +
           cost_moves(engine, type, step, passes);
}

/* ns a byte more that a convolution of n numbers takes where the second cache does
 * not hold a twentieth of them. */
static double cost_far(const wf_machine *machine, int64_t n, weft_type type)
{
    enum { TWENTY = 20 };
    const double far = beyond((double)n * (double)wf_complex_bytes(type),
                              machine->level_bytes[1], TWENTY);
    return machine->trips[2] * far * far;
}

/* Products and what moves samples to them and from them; n: of all transforms
 * together.  Of two parts there is a sum more, or blocks, joined; Rader's indices
 * take an element at a time. */
static double cost_products(const wf_engine *engine, weft_type type,
                            const wf_step *step, int64_t n)
{
    const double bytes = (double)wf_complex_bytes(type);
    const double data = (double)n * bytes;
    const wf_step *child = step->child[0];
    const wf_machine *machine = engine->machine();
    double number = machine->indexed * (0.82 + 0.034 * bytes), trips = 4,
           crowd = 0;
    bool sixteen = false; /* lanes of passes beside them */
    if (step->kind == WF_STEP_BLUESTEIN) {
        const bool joined = n != child->n && wf_step_joined_rows(child) != 0;
        number = joined ? machine->joined[0] + machine->joined[1] * bytes
                        : 0.04 * bytes + (n == child->n ? 0 : machine->sum);
        trips = joined ? 0.5 : 6;
        if (child->kind == WF_STEP_STOCKHAM)
            crowd = machine->passes_far *
                    beyond((double)child->n * bytes / machine->level_bytes[1],
                           0.36, 2.05);
        sixteen = child->kind == WF_STEP_STOCKHAM && child->width == 16 &&
                  !joined;
    }
    const double near = 1 - beyond(3 * data, machine->level_bytes[1],
                                   machine->spread);
    const double far = step->kind == WF_STEP_BLUESTEIN &&
                               child->kind == WF_STEP_FOURSTEP
                           ? cost_far(machine, child->n, type)
                           : 0;
    return machine->call + data * (far + crowd) +
           (engine->widths(type)[0] == 16 ? machine->wide : 0) +
           (1 - near * machine->convolved[sixteen]) * number * (double)n +
           wf_cost_bytes(machine, trips * data, 3 * data);
}

/* Two parts over a four-step, whose columns are transformed where samples and
 * products come and go (cpu/joined_fourstep.c).  More than twice as many columns as
 * rows, or rows as columns, are a little too many, or on machines that say so better
 * up to eight times as many. */
static double cost_trips(const wf_engine *engine, weft_type type,
                         const wf_step *step)
{
    const wf_step *child = step->child[0], *a = child->child[0],
                  *b = child->child[1];
    const wf_machine *machine = engine->machine();
    const double number = machine->trips[0] +
                          (double)wf_complex_bytes(type) *
                              (machine->trips[1] +
                               cost_far(machine, child->n, type));
    const double cost = 4 * (blocks_of(b->n, a->width) * a->cost +
                             blocks_of(a->n, b->width) * b->cost) +
                        2 * number * (double)child->n;
    const double apart = fabs(rough_log2((double)a->n) -
                              rough_log2((double)b->n));
    const double octaves =
        fmax(0, fmin(apart, machine->apart < 0 ? 3 : apart) - 1);
    return machine->call + cost * (1 + machine->apart * octaves);
}

/* Two parts: as often two transforms of half as many numbers. */
static double cost_convolution(const wf_engine *engine, weft_type type,
                               wf_step *step)
{
    const wf_step *child = step->child[0];
    const bool rader = step->kind == WF_STEP_RADER;
    const int64_t n = rader ? child->n : step->split[0];
    const double transforms = 2 * (double)(n / child->n);
    step->flops = transforms * child->flops + 6.0 * (double)n +
                  (rader ? 2 : 6 * transforms) * (double)step->n;
    if (!rader && n != child->n && engine->machine()->trips[1] > 0 &&
        wf_step_joins_trips(child, wf_complex_bytes(type) / 2))
        return cost_trips(engine, type, step);
    return transforms * child->cost + cost_products(engine, type, step, n);
}

/* Rows of a block are read and written twice as often as by a pass of a
 * transform; what each costs is about the same in all vectors.  The legs of long
 * blocks of a power of two meet in few sets of the first cache. */
static double cost_convolved(const wf_engine *engine, weft_type type,
                             wf_step *step)
{
    const wf_step *child = step->child[0];
    const wf_machine *machine = engine->machine();
    const double n = (double)step->n, m = (double)child->n,
                 width = step->width;
    const double row = width * (double)wf_complex_bytes(type);
    const bool rader = child->n == step->n - 1;
    const bool meet = (child->n & (child->n - 1)) == 0 &&
                      m * row > machine->level_bytes[0] / 2;
    step->flops = 2 * child->flops + 6 * m + (rader ? 2 : 12) * n;
    return (meet ? 2.6 : 2.1) * child->cost + 3 * machine->kernel_call +
           machine->indexed * (1.6 * n + 0.8 * m) +
           wf_cost_bytes(machine, (rader ? 3 : 6) * (n + m) * row,
                         3 * m * row);
}

/* A block of columns by kernels of interleaved passes, which take the place of
 * planes of 128 bits (cpu/column.c), with factors for each lane; -1: there are
 * none. */
static double cost_interleaved_block(const wf_engine *engine, weft_type type,
                                     const wf_step *step, int width)
{
    const wf_machine *machine = engine->machine();
    const double row = (double)width * (double)wf_complex_bytes(type);
    const double data = (double)step->n * row;
    double cost = machine->call, s = 1;
    if (row != WF_INTERLEAVED_BYTES || step->kind != WF_STEP_COLUMN ||
        step->n > WF_INTERLEAVED_ROWS)
        return -1;
    for (int i = 0; i < step->radices; i++) {
        const int r = step->radix[i];
        const double price = engine->price(WF_ROLE_INTERLEAVED, type,
                                           2 * width, r);
        const double table = 2 * s * (r - 1) * row;
        if (price < 0)
            return -1;
        cost += machine->kernel_call + 1.15 * (double)(step->n / r) * price +
                wf_cost_bytes(machine, 8 * data + 4 * table, 2 * data);
        if (step->radices > 1) /* the last pass goes row by row */
            cost += i == step->radices - 1 ? 10 + s : 10;
        s *= r;
    }
    return cost;
}

/* A block of `width` columns, narrower ones than the step is planned for. */
static double cost_block(const wf_engine *engine, weft_type type,
                         const wf_step *step, int width)
{
    wf_step narrow = *step, child;
    narrow.width = width;
    if (width == step->width)
        return step->cost;
    const double block = cost_interleaved_block(engine, type, step, width);
    if (step->kind == WF_STEP_COLUMN)
        return block < 0 ? cost_passes(engine, type, &narrow) : block;
    child = *step->child[0];
    child.width = width;
    child.cost = cost_passes(engine, type, &child);
    narrow.child[0] = &child;
    return cost_convolved(engine, type, &narrow);
}

/* ns more of one pass to another array, whose rows share the sets of those that are
 * read. */
static double cost_other_rows(const wf_engine *engine, weft_type type,
                              const wf_step *column, int64_t columns,
                              int64_t row)
{
    const wf_machine *machine = engine->machine();
    const int64_t c = column->width / 2;
    if (machine->crowded > 0 && c * (int64_t)wf_complex_bytes(type) >= WF_LINE)
        return (double)(columns / c) *
               fmin(12, 1.1 * (double)crowd(row, 2 * (int)column->n));
    return 0.5 * (cost_whole_columns(engine, type, column, columns, row) -
                  cost_whole_columns(engine, type, column, columns, 0));
}

double wf_cost_columns(const wf_engine *engine, weft_type type,
                       const wf_step *column, int64_t columns, int64_t row,
                       double matrices, bool apart)
{
    const wf_machine *machine = engine->machine();
    enum { MATRIX = 1 }; /* ns around the loops of each */
    const double whole = cost_whole_columns(engine, type, column, columns,
                                            row);
    if (whole >= 0)
        return machine->call + machine->kernel_call +
               matrices * (whole + MATRIX +
                           (apart ? cost_other_rows(engine, type, column,
                                                    columns, row)
                                  : 0));
    const double calls = machine->call + machine->kernel_call;
    const bool single = column->radices == 1;
    double cost = single ? machine->call : 0;
    int64_t left = columns;
    for (const int *width = engine->widths(type); left > 0; width++) {
        if (*width > column->width)
            continue;
        int64_t blocks = left / *width;
        left %= *width;
        if (apart && columns > *width && width[1] == 1 &&
            wf_columns_overlap(columns, column->n, type) &&
            cost_interleaved_block(engine, type, column, *width) >= 0) {
            blocks++; /* cols.c */
            left = 0;
        }
        if (apart && single && matrices == 1 && blocks == 1 && left > 0 &&
            columns < 2 * *width) {
            blocks = 2; /* the last columns overlap the first, in one call */
            left = 0;
        }
        if (blocks == 0)
            continue;
        const double block = cost_block(engine, type, column, *width);
        cost += single ? machine->kernel_call +
                             matrices * (double)blocks * (block - calls)
                       : matrices * (double)blocks * block;
    }
    return cost;
}

/* In scalars. */
static double cost_lone_planes(const wf_engine *engine, weft_type type,
                               const wf_step *column)
{
    static const double scalars = 0.7; /* of what a pass of several takes */
    const int r = column->radix[0];
    const bool has = engine->price(WF_ROLE_COLUMN, type, column->width, r) >=
                     0;
    return has ? scalars * engine->price(WF_ROLE_COLUMN, type, 1, r) : -1;
}

/* In registers of 256 bits, as many as fill them together (gen/emit_apart.c), which
 * takes a shuffle or two a number, but few where n is frequent and they are rows on one
 * side and neighbours on the other; what is left in the lower half. */
static double cost_lone_columns(const wf_engine *engine, weft_type type, int n,
                                const wf_lone *lone)
{
    enum { LEAST = 4 };
    const int together = WF_INTERLEAVED_BYTES / (int)wf_complex_bytes(type);
    const bool frequent = n <= 10 || n == 12 || n == 16;
    const double price = engine->price(WF_ROLE_LONE_COLUMN, type, 2 * together,
                                       n);
    const double groups = lone->count >= LEAST ? floor(lone->count / together)
                                               : 0;
    const double each = lone->crossed && frequent ? 1.1
                        : type == WEFT_F64        ? 1.6
                                                  : 2.4;
    const double crowded = lone->row > 0 ? 1.2 * (double)crowd(lone->row, n)
                                         : 0;
    return price < 0 ? -1
                     : groups * (each * price + crowded) +
                           (lone->count - groups * together) *
                               (frequent ? 0.75 : 1.2) * price;
}

double wf_cost_lone(const wf_engine *engine, weft_type type,
                    const wf_step *column, const wf_lone *lone)
{
    const wf_machine *machine = engine->machine();
    if (column->radices != 1)
        return -1;
    const double cost =
        lone->split ? lone->count * cost_lone_planes(engine, type, column)
                    : cost_lone_columns(engine, type, column->radix[0], lone);
    return cost < 0 ? -1 : machine->call + machine->kernel_call + cost;
}

/* Columns between interleaved rows: a shuffle or two a row, and less time than
 * other passes have to save what registers do not hold.  One pass is one call
 * for all blocks. */
static double cost_block_of_rows(const wf_engine *engine, weft_type type,
                                 const wf_step *column, int width)
{
    const wf_machine *machine = engine->machine();
    const double block = cost_block(engine, type, column, width);
    if (column->kind == WF_STEP_CONVOLVED)
        return block;
    if (column->radices > 1)
        return block + 1.2 * (double)column->n;
    return (column->n > 16 ? 1.42 : 1) *
           (block - machine->call - machine->kernel_call +
            1.2 * (double)column->n);
}

/* Of so many columns; the last block may begin before its time. */
static double cost_blocks_of_rows(const wf_engine *engine, weft_type type,
                                  const wf_step *column, int64_t columns)
{
    const int *width = engine->widths(type);
    while (*width > column->width || *width > columns)
        width++;
    return (double)((columns + *width - 1) / *width) *
           cost_block_of_rows(engine, type, column, *width);
}

/* Leaves find their rows just written by a transpose, and write what is read at once
 * for the factors: 0.2 to 0.4 ns a sample more than they take alone. */
static double cost_decimated(const wf_engine *engine, weft_type type,
                             wf_step *step)
{
    const wf_step *column = step->child[0], *row = step->child[1];
    const wf_machine *machine = engine->machine();
    const double n = (double)step->n, rows = (double)step->split[0];
    const double data = n * (double)wf_complex_bytes(type);
    const int64_t columns = step->split[1];
    const bool leaves = row->kind == WF_STEP_LEAF;
    step->flops = (double)columns / column->width * column->flops +
                  rows * row->flops + 6 * n;
    return cost_blocks_of_rows(engine, type, column, columns) + machine->call +
           15 + rows * (row->cost - machine->again + (leaves ? 0 : 10)) +
           0.1 * n + (leaves && row->n >= 32 ? 0.024 * data : 0) +
           wf_cost_bytes(machine, 4 * data, 3 * data);
}

/* Two rows are one complex row, of whose columns half are there. */
static double cost_real_decimated(const wf_engine *engine, weft_type type,
                                  wf_step *step)
{
    const wf_step *column = step->child[0], *row = step->child[1];
    const wf_machine *machine = engine->machine();
    const double n = (double)step->n, rows = (double)(step->split[0] / 2 + 1);
    const double data = n / 2 * (double)wf_complex_bytes(type);
    const int64_t columns = step->split[1] / 2 + 1;
    step->flops = (double)columns / column->width * column->flops +
                  rows * row->flops + 8 * n;
    const double cost = cost_blocks_of_rows(engine, type, column, columns) +
                        machine->call + 15 +
                        rows * (row->cost - machine->again +
                                (row->kind == WF_STEP_LEAF ? 0 : 10)) +
                        0.62 * n + wf_cost_bytes(machine, 6 * data, 4 * data);
    return machine->primes[0] > 0 ? cost : 1.3 * cost;
}

static double cost_real_split(const wf_engine *engine, weft_type type,
                              wf_step *step)
{
    const wf_step *child = step->child[0];
    const double r = (double)step->split[0];
    const double data = (double)step->n / 2 * (double)wf_complex_bytes(type);
    if (r > WF_LARGEST_RADIX)
        return -1;
    double pass = wf_cost_half_pass(engine, type, step->n, step->split[1],
                                    (int)r, false, engine->widths(type)[0]);
    const wf_machine *machine = engine->machine();
    step->flops = r * child->flops + 6 * (double)step->n;
    return pass < 0
               ? -1
               : r * (child->cost - machine->again) + pass + machine->call +
                     machine->sorted[type == WEFT_F64] * (double)step->n +
                     wf_cost_bytes(machine, 4 * data, 3 * data);
}

/* Forward and back a leaf of reals is two straight lines, ten bytes of code an operation
 * on vectors.  Of what they have beyond 20 KiB the first cache loses one while it runs
 * the other (Zen 5, 512 doubles in turn: 331 ns, each by itself 242). */
static double cost_both_ways(const wf_engine *engine, weft_type type,
                             const wf_step *leaf)
{
    const double code = leaf->kind == WF_STEP_REAL_LEAF
                            ? 20 * leaf->flops / engine->widths(type)[0]
                            : 0;
    return 0.01 * fmax(0, code - 20480);
}

static double cost_real_rader(const wf_engine *engine, weft_type type,
                              wf_step *step)
{
    const wf_step *child = step->child[0];
    const double data = (double)child->n / 2 * (double)wf_complex_bytes(type);
    step->flops = 2 * child->flops + 3 * (double)child->n + (double)step->n;
    const double products = (double)step->n + 0.1 * (double)child->n;
    const wf_machine *machine = engine->machine();
    const double timed = machine->primes[type == WEFT_F64];
    return 2 * child->cost + cost_both_ways(engine, type, child) +
           machine->call + 20 +
           (timed > 0 ? timed : 1 - machine->convolved[0]) * products +
           wf_cost_bytes(machine, 6 * data, 3 * data);
}

/* Errors, and for a cost the multiply-adds: the engine weighs the tree with the
 * axis above it, but lengths inside of others need an order of their own. */
static void fill_unweighed(wf_step *tree)
{
    double n = (double)tree->n;
    tree->cost = tree->kind == WF_STEP_LEAF ? n * n : 0;
    for (int i = 0; i < tree->radices; i++)
        tree->cost += n * (tree->radix[i] + 100);
    for (int i = 0; i < tree->children; i++) {
        wf_step *child = tree->child[i];
        fill_unweighed(child);
        tree->cost += tree->kind == WF_STEP_BLUESTEIN
                          ? 2 * child->cost
                          : n / (double)child->n * child->cost;
    }
    tree->error = wf_step_error(tree);
}

/* A pass over the half spectrum: n/4 pairs in vectors of the widest width,
 * with as many factors, but where those would fill the second cache.  It waits
 * for the transform's last stores. */
static double cost_half(const wf_engine *engine, weft_type type, wf_step *step)
{
    const wf_step *child = step->child[0];
    double data = (double)step->n / 2 * (double)wf_complex_bytes(type);
    double width = engine->widths(type)[0];
    bool factors = data / 2 <= engine->machine()->level_bytes[1];
    step->flops = child->flops + 3.5 * (double)step->n;
    return child->cost + engine->machine()->kernel_call + 11 +
           (double)step->n / 4 * (4 / width + 0.1) +
           wf_cost_bytes(engine->machine(), (factors ? 2.5 : 2) * data,
                         1.5 * data);
}

/* Reals to complex numbers and half a spectrum back (fitted: n = 33 to 2073). */
static double cost_full(const wf_engine *engine, weft_type type, wf_step *step)
{
    const wf_machine *machine = engine->machine();
    const wf_step *child = step->child[0];
    const double n = (double)step->n,
                 data = n * (double)wf_complex_bytes(type);
    step->flops = child->flops;
    return child->cost + machine->call + machine->full_call +
           0.75 * n / engine->widths(type)[0] +
           wf_cost_bytes(machine, machine->full_trips * data, 3 * data);
}

/* The passes around the children of a real kind: each over n reals, and over
 * as many factors where there are some. */
static double cost_r2r(const wf_engine *engine, weft_type type, wf_step *step)
{
    double n = (double)step->n, passes = 2;
    double width = engine->widths(type)[0];
    double data = n / 2 * (double)wf_complex_bytes(type), below = 0;
    step->flops = 0;
    for (int i = 0; i < step->children; i++) {
        below += step->child[i]->cost;
        step->flops += step->child[i]->flops;
    }
    if (step->kind == WF_STEP_HALVED || step->kind == WF_STEP_SPECTRAL)
        step->flops += 6 * n;
    else
        step->flops += step->kind == WF_STEP_FOLDED ? n : 0;
    if (step->kind == WF_STEP_SPECTRAL &&
        (step->real == WEFT_HC2R || wf_kind_is_type(step->real, WEFT_REDFT01)))
        below += wf_cost_turned(engine, step->child[0]);
    if (step->kind == WF_STEP_FOLDED)
        passes = 1.2; /* f64 129: 28 ns, the pass of `period` 60 */
    if (step->kind == WF_STEP_SPECTRAL && step->real < WEFT_REDFT00)
        passes = 1; /* no factors */
    if (step->kind == WF_STEP_SPECTRAL &&
        (step->real == WEFT_REDFT11 || step->real == WEFT_RODFT11))
        passes = 8; /* permutations, an element at a time */
    return below + engine->machine()->call +
           passes * (engine->machine()->kernel_call + n * (1 / width + 0.02)) +
           wf_cost_bytes(engine->machine(), 6 * data, 3 * data);
}

/* Of `width` vectors; what brings them side by side is the axis step's. */
static bool cost_lanes(const wf_engine *engine, weft_type type, wf_step *step)
{
    double n = (double)step->n, width = (double)step->width;
    double tile = n * width / 2 * (double)wf_complex_bytes(type);
    if (step->kind != WF_STEP_LANES) {
        step->flops = step->child[0]->flops / width + 6 * n;
        step->cost = step->child[0]->cost +
                     2 * engine->machine()->kernel_call +
                     engine->machine()->reals.laned * n +
                     wf_cost_bytes(engine->machine(), 4 * tile, 3 * tile);
        return true;
    }
    double price = n > 128 ? -1
                           : engine->price(WF_ROLE_COSINE, type, step->width,
                                           (int)step->n);
    if (price < 0)
        return false;
    step->cost = engine->machine()->call + price;
    step->flops =
        engine->flops(WF_ROLE_COSINE, type, step->width, (int)step->n) / width;
    return true;
}

/* Each pass: four products of every kind a sample and leg, then packing, the
 * splitting into parts and back, which cost as much as some products. */
static void cost_matrix(const wf_engine *engine, weft_type type, wf_step *step)
{
    const wf_scheme *scheme = &step->scheme;
    const bool native = wf_scheme_native(scheme);
    const double n = (double)(step->split[0] != 0 ? step->split[0] : step->n);
    const double rounds = scheme->refined ? 3 + 2 * 6 : 1;
    const double rate = engine->products(scheme->format, &step->emulated);
    double cost = 0, products = 0;
    for (int i = 0; i < step->radices; i++) {
        products += 4 * rounds * wf_scheme_products(scheme) * n *
                    step->radix[i];
        cost += n *
                (native ? 2.5
                        : (8 + 3 * scheme->parts) * (scheme->refined ? 5 : 1));
    }
    const double data = n * (double)wf_complex_bytes(type);
    const double times = step->split[0] != 0 ? 2 : 1;
    step->flops = times * 2 * products;
    step->cost = engine->machine()->call +
                 times * (cost + products / rate +
                          wf_cost_bytes(engine->machine(),
                                        2 * step->radices * data, 2 * data));
}

/* One kernel and nothing else; false: there is none. */
static bool cost_kernel(const wf_engine *engine, weft_type type, wf_role role,
                        wf_step *step)
{
    if (step->n > WF_LONGEST_LEAF)
        return false;
    step->cost = engine->price(role, type, 0, (int)step->n);
    if (step->cost < 0)
        return false;
    step->cost += engine->machine()->call;
    step->flops = engine->flops(role, type, 0, (int)step->n);
    return true;
}

bool wf_cost_step(const wf_engine *engine, weft_type type, wf_step *tree)
{
    if (engine->weigh != NULL) {
        fill_unweighed(tree);
        return true;
    }
    tree->error = wf_step_error(tree);
    if (tree->kind == WF_STEP_MATRIX)
        tree->error = wf_matrix_error(type, tree) /
                      ldexp(1, type == WEFT_F64 ? -53 : -24);
    switch (tree->kind) {
    case WF_STEP_MATRIX:
        if (engine->products == NULL ||
            (tree->scheme.format == WF_FORMAT_F32 && type == WEFT_F64))
            return false;
        cost_matrix(engine, type, tree);
        return true;
    case WF_STEP_LEAF: return cost_kernel(engine, type, WF_ROLE_LEAF, tree);
    case WF_STEP_ALONE: return cost_kernel(engine, type, WF_ROLE_ALONE, tree);
    case WF_STEP_STOCKHAM:
    case WF_STEP_COLUMN:
        tree->cost = cost_passes(engine, type, tree);
        return tree->cost >= 0;
    case WF_STEP_INTERLEAVED:
        tree->cost = cost_interleaved(engine, type, tree);
        return tree->cost >= 0;
    case WF_STEP_REAL_COLUMN: return cost_real_column(engine, type, tree);
    case WF_STEP_BESIDE:
        tree->cost = cost_beside(engine, type, tree);
        return tree->cost >= 0;
    case WF_STEP_DECIMATED:
        tree->cost = cost_decimated(engine, type, tree);
        return true;
    case WF_STEP_TWOSTEP:
    case WF_STEP_FOURSTEP:
    case WF_STEP_SIXSTEP:
    case WF_STEP_GOOD:
    case WF_STEP_SCRAMBLED:
        tree->cost = cost_two_factors(engine, type, tree);
        return true;
    case WF_STEP_RADER:
    case WF_STEP_BLUESTEIN:
        tree->cost = cost_convolution(engine, type, tree);
        return true;
    case WF_STEP_CONVOLVED:
        tree->cost = cost_convolved(engine, type, tree);
        return true;
    case WF_STEP_PASSES:
    case WF_STEP_CHIRP: return wf_cost_pairs(engine, tree);
    case WF_STEP_REAL_LEAF:
        if (tree->n > 1024)
            return false;
        tree->flops = tree->n <= 2
                          ? (double)tree->n
                          : engine->flops(WF_ROLE_REAL, type, 0, (int)tree->n);
        tree->cost = tree->n <= 2
                         ? 1
                         : engine->price(WF_ROLE_REAL, type, 0, (int)tree->n);
        if (tree->cost < 0)
            return false;
        tree->cost += engine->machine()->call;
        return true;
    case WF_STEP_HALF: tree->cost = cost_half(engine, type, tree); return true;
    case WF_STEP_DIRECT:
        return cost_dense(engine, type, tree, WEFT_R2C, WF_DIRECT);
    case WF_STEP_DENSE:
        return cost_dense(engine, type, tree, tree->real, WF_DENSE);
    case WF_STEP_REAL_DECIMATED:
        tree->cost = cost_real_decimated(engine, type, tree);
        return true;
    case WF_STEP_REAL_SPLIT:
        tree->cost = cost_real_split(engine, type, tree);
        return tree->cost >= 0;
    case WF_STEP_REAL_RADER:
        tree->cost = cost_real_rader(engine, type, tree);
        return true;
    case WF_STEP_REAL_PASSES:
        tree->cost = cost_real_passes(engine, type, tree);
        return tree->cost >= 0;
    case WF_STEP_FULL: tree->cost = cost_full(engine, type, tree); return true;
    case WF_STEP_HALVED:
    case WF_STEP_SPECTRAL:
    case WF_STEP_PERIOD:
    case WF_STEP_FOLDED:
        tree->cost = cost_r2r(engine, type, tree);
        return true;
    case WF_STEP_LANES:
    case WF_STEP_LANED:
    case WF_STEP_REAL_LANED: return cost_lanes(engine, type, tree);
    default: /* axis steps: priced by walk_price.c, which knows the problem */
        return true;
    }
}

bool wf_cost_tree(const wf_engine *engine, weft_type type, wf_step *tree)
{
    const weft_type below = tree->kind == WF_STEP_WIDEN ? WEFT_F64 : type;
    for (int i = 0; engine->weigh == NULL && i < tree->children; i++)
        if (!wf_cost_tree(engine, below, tree->child[i]))
            return false;
    return wf_cost_step(engine, below, tree);
}
