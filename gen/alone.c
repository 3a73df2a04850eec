/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone.c - one cosine transform of type II or III in registers.  The contract
 * is in kinds.def.
 *
 * With n = Q m and element Q j + l of the vector, l and Q - 1 - l have angles
 * that lie as far from those of a transform of j, of length m, to either side.
 * So a sum and a difference for each l < Q/2, transforms of length m of either
 * across registers, all lanes alike, of type II of the sums and of the
 * differences with every other sign changed (which is a sine transform in
 * reverse); then, lanes by frequency k, a rotation for each l and one complex
 * transform of length Q/2 give outputs from both ends of Q/2 blocks.  Nothing
 * but butterflies and rotations.  Type III is all of it the other way round.
 *
 * A register has V lanes, numbers l of one j.  Where V = Q, sums have its lower
 * half and differences the upper one; where V < Q, registers of their own.
 */
#include "alone.h"

#include "util.h"

#include <string.h>

int alone_input(const maker *k, int at, int direction)
{
    return dag_load(k->g, at + direction);
}

int alone_spread(const maker *k, int at)
{
    return dag_load(k->g, ALONE_TABLE + ALONE_EACH + 2 * k->n + at);
}

int alone_row_of_ends(const maker *k, int row, int first)
{
    return dag_load(k->g, ALONE_TABLE + 2 * k->n + ALONE_ENDS +
                              row * ALONE_ROW + first);
}

int alone_factor(const maker *k, int l, int which, int first)
{
    return dag_load(k->g, ALONE_TABLE + ALONE_ON +
                              alone_row(k->q, l, which) * k->m + first - 1);
}

void alone_add_root(const maker *k, int place, int root)
{
    program *p = k->p;
    p->sinks[p->sink_count++] = (sink){p->root_count, 1};
    p->places[p->root_count] = place;
    p->roots[p->root_count++] = root;
}

int alone_scratch(const maker *k, int b, int of_less, int i)
{
    return ALONE_SCRATCH + ((2 * b + of_less) * (k->m + 1) + i) * k->v;
}

int alone_leg(const maker *k, int g)
{
    const int h = k->q / 2;
    return g == 0 ? 0 : g <= h / 2 ? 2 * g - 1 : 2 * (h - g);
}

int alone_halves(const maker *k)
{
    lanes v;
    memset(&v, 0, sizeof v);
    for (int i = 0; i < k->v; ++i)
        v.k[i] = i < k->v / 2 ? 1 : -1;
    return dag_vec(k->g, &v);
}

int alone_scaled_halves(const maker *k)
{
    return dag_load(k->g, ALONE_TABLE + 2 * k->n + ALONE_HALVES);
}

int alone_is_shared(const maker *k)
{
    return k->v == k->q;
}

alone_turns alone_turns_of(const maker *k, int t)
{
    const int h = k->q / 2, swap = 2 * t > h, u = swap ? h - t : t;
    const int at = ALONE_TURNS + 2 * u;
    return (alone_turns){dag_const(k->g, turn_cos(t, 2 * k->q)),
                         dag_const(k->g, turn_sin(t, 2 * k->q)),
                         alone_spread(k, at + swap),
                         alone_spread(k, at + !swap)};
}

/* The widest registers that are no wider than Q and m, but for alone_short.c, and
 * whose blocks make no more than half of the frequencies twice. */
int alone_lanes(const row *r)
{
    const int q = wf_alone_columns(r->radix), m = r->radix / q;
    const int is_short = r->real == WF_F32 && q == 8 && m == 4;
    int v = target_lanes(r->isa, r->real);
    while (v > q || (v > m && !is_short) ||
           (v > 4 && m > v && (m + v - 1) / v * v > m + m / 2))
        v /= 2;
    return v;
}

int alone_blocks(const maker *k)
{
    return (k->m + k->v - 1) / k->v;
}

int alone_first(const maker *k, int block)
{
    const int last = k->m - k->v + 1, first = 1 + block * k->v;
    return first < last ? first : last;
}

static maker maker_new(const row *r)
{
    const int second = kind_of(r->kind)->cosine == 2;
    const int v = alone_lanes(r), bits = r->real == WF_F64 ? 64 : 32;
    const int q = wf_alone_columns(r->radix), inside = 128 / bits;
    program *p = gen_alloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->interleaved = 1;
    p->radix = r->radix;
    /* Type III may spill a quarter.  Zen 4, ns, as far as registers, as a quarter
     * more allow: type II AVX2 f64 64 25.9, 29.7; f32 256 70.9, 76; AVX-512 f64 256
     * 113, 126; type III AVX2 f64 256 142, 136; f32 512 174, 170. */
    p->registers = target_of(r->isa)->registers;
    p->registers += second ? 0 : p->registers / 4;
    p->g = dag_new(v);
    return (maker){.p = p,
                   .g = p->g,
                   .b = {p->g, 0, second ? -1 : 1},
                   .n = r->radix,
                   .q = q,
                   .m = r->radix / q,
                   .v = v,
                   .inside = inside,
                   .quarters = v / inside,
                   .pairs = v == q ? 1 : q / v / 2};
}

int alone_row(int q, int l, int which)
{
    const int upper = 4 * l >= q, pair = upper ? q / 2 - 1 - l : l;
    return 8 * pair + 2 * (which ^ upper) + upper;
}

int alone_lane(int at, int l, int width)
{
    const int away = at / ALONE_DISTANCE - ALONE_FAR - width / 2;
    const int each = at & ALONE_EACH ? 0 : l;
    return (at & ALONE_AT) + each +
           (at & ALONE_TWO && 2 * l >= width ? away : 0);
}

program *alone_program_new(const row *r)
{
    const maker k = maker_new(r);
    if (kind_of(r->kind)->cosine == 2)
        alone_second(&k);
    else
        alone_third(&k);
    return k.p;
}

program *alone_part_new(const row *r, alone_part part)
{
    const maker k = maker_new(r);
    if (kind_of(r->kind)->cosine == 2)
        alone_second_part(&k, part);
    else
        alone_third_part(&k, part);
    return k.p;
}
