/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * within.c - a transform of n = R1 R2 within registers by two kernels.
 *
 * What a long leaf does (gen/emit_within.c), of any length whose factors have
 * kernels: columns of the R1 x R2 matrix, transposed by squares into scratch, or
 * the output; its rows, turned.  The choice of R1 is that of the fewest operations,
 * which the best of a length had within 1 to 3 %, 10 % (20 %, AVX-512 f32) at worst
 * (58 lengths from 140 to 1024, Zen 5).  No kernels are narrower than 256 bits.
 */
#include "cpu/node.h"

typedef struct within {
    wf_node node;
    wf_pair pair;
    wf_pass_args first, last;
    const void *turns;
    size_t claimed; /* bytes of the output */
} within;

static int blocks_of(int length, int c)
{
    return (length + c - 1) / c;
}

static int operations(const wf_kernel *k)
{
    return k->adds + k->muls + k->fmas + k->shuffles;
}

static int weigh(const wf_pair *pair, int c)
{
    return operations(pair->first) * blocks_of(pair->last->radix, c) +
           operations(pair->last) * blocks_of(pair->first->radix, c);
}

/* The radices of both kinds (gen/target.c). */
enum { SMALLEST = 8, LARGEST = 40 };

static bool choose(wf_real real, int width, int n, wf_pair *best)
{
    const int c = width / 2, low = (n + LARGEST - 1) / LARGEST;
    int least = 0;
    for (int r1 = low > SMALLEST ? low : SMALLEST;
         r1 <= LARGEST && r1 * c <= n; r1++) {
        wf_pair pair;
        if (n % r1 != 0)
            continue;
        pair.first = wf_kernel_of_width(WF_KERNEL_WITHIN_FIRST, real, width,
                                        r1);
        if (pair.first == NULL)
            continue;
        pair.last = wf_kernel_of_width(WF_KERNEL_WITHIN_LAST, real, width,
                                       n / r1);
        if (pair.last == NULL)
            continue;
        const int weight = weigh(&pair, c);
        if (least == 0 || weight < least) {
            least = weight;
            *best = pair;
        }
    }
    return least != 0;
}

/* Up to SHORT a kernel in registers half as wide is as fast as two. */
bool wf_leaf_is_pair(const wf_kernel *leaf, weft_type type, int64_t n,
                     wf_pair *pair)
{
    enum { SHORT = 128 };
    const wf_real real = type == WEFT_F32 ? WF_F32 : WF_F64;
    const int bits = real == WF_F64 ? 64 : 32;
    const int *width = wf_cpu_widths(type);
    if (n > WF_LONGEST_LEAF || (leaf != NULL && n <= SHORT))
        return false;
    for (; *width * bits > 128; width++)
        if (leaf != NULL && wf_leaf_bits(leaf) >= *width * bits)
            return false;
        else if (choose(real, *width, (int)n, pair))
            return true;
    return false;
}

void wf_pair_blocks(const wf_pair *pair, int *columns, int *rows)
{
    const int c = pair->first->lanes / 2;
    *columns = blocks_of(pair->last->radix, c);
    *rows = blocks_of(pair->first->radix, c);
}

wf_kernel wf_pair_count(const wf_pair *pair)
{
    const wf_kernel *a = pair->first, *b = pair->last;
    const int c = a->lanes / 2, n = a->radix * b->radix;
    int columns, rows;
    wf_pair_blocks(pair, &columns, &rows);
#define SUM(field) .field = (int16_t)(a->field * columns + b->field * rows)
    return (wf_kernel){.kind = WF_KERNEL_LEAF_FWD,
                       .real = a->real,
                       .isa = a->isa,
                       .lanes = a->lanes,
                       .radix = (int16_t)n,
                       SUM(adds),
                       SUM(muls),
                       SUM(fmas),
                       SUM(shuffles),
                       /* as a leaf is counted: of input and output */
                       .loads = (int16_t)blocks_of(n, c),
                       .stores = (int16_t)blocks_of(n, c)};
#undef SUM
}

/* The rows that a block reads, if whole, lie where it writes. */
static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const within *w = (const within *)node;
    void *middle = node->scratch > 0 ? scratch : at->out_re;
    wf_call_pass(w->pair.first, at->in_re, NULL, middle, NULL, NULL,
                 &w->first);
    wf_claim(at->out_re, w->claimed);
    wf_call_pass(w->pair.last, middle, NULL, at->out_re, NULL, w->turns,
                 &w->last);
}

weft_status wf_bind_within(const wf_binder *binder, const wf_pair *pair,
                           const wf_usage *usage, wf_node **node)
{
    within *w = (within *)wf_node_new(binder, sizeof *w, run);
    if (w == NULL)
        return wf_no_memory();
    w->pair = *pair;
    const ptrdiff_t lanes = pair->first->lanes;
    const ptrdiff_t r1 = pair->first->radix, r2 = pair->last->radix;
    const ptrdiff_t column = blocks_of((int)r1, (int)lanes / 2) * lanes;
    w->first = (wf_pass_args){.nq = (size_t)r2, .out_q = column};
    w->last = (wf_pass_args){.np = 1, .nq = (size_t)r1, .out_leg = 2 * r1};
    wf_set_legs(&w->first, binder->inverse, 2 * r2, (int)r1);
    wf_set_legs(&w->last, binder->inverse, column, (int)r2);
    if (usage->in_place || column != 2 * r1)
        w->node.scratch = wf_round64((size_t)(r2 * column) * binder->bytes);
    if (column != 2 * r1)
        w->claimed = wf_bytes_to_claim((size_t)(2 * r1 * r2) * binder->bytes,
                                       (size_t)lanes * binder->bytes);
    const wf_turns turns = {.real = binder->real,
                            .lanes = (int)lanes,
                            .r1 = (int)r1,
                            .r2 = (int)r2,
                            .reversed = binder->inverse};
    weft_status status = wf_bind_turns(&w->node, &turns, binder->inverse,
                                       &w->turns);
    if (status == WEFT_OK)
        *node = &w->node;
    else
        wf_node_free(&w->node);
    return status;
}
