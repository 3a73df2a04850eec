/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.c - the CPU behind engine.h: prices from what the generator knows of
 * its kernels, rates of three kinds of machines, measuring.
 *
 * On the reference machine a kernel's price is the slowest of its three queues:
 * arithmetic (two a cycle), loads (two) and stores (one); 512-bit shuffles share a
 * port with arithmetic on the machines that set the pace (docs/performance.md),
 * those of leaves in narrower registers have one of their own.  Wide leaves and
 * passes cost the same there within a few per cent; other machines, whose shuffles
 * steal nothing, tip the scale (Zen 4, c2c:f32:1024: 510 ns as a leaf, 720 in
 * passes).  Zen 4, which makes 512 bits of two halves, Zen 5 and Intel's servers have
 * prices of their own (core_prices).
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "cpu/node.h"
#include "kernel/matrix/matrix.h"
#include "plan/search.h"

static const double ghz = 2.6;

/* Of Zen 4's first fit, butterflies at full price: not timed elsewhere. */
#define BESIDE_UNTIMED                                                    \
    {                                                                     \
        .butterfly = 1, .crowd = 1, .pass = 2.5, .one = 1.5, .many = 1.5, \
        .in_place = 1.5                                                   \
    }

/* Of a Zen 4 (900 problems), whose other ways of reals are priced a third too high, so
 * that `embedded` is, too; but `second` of an Emerald Rapids: type II of 20 to 48 takes
 * 0.68 to 0.76 there (type III, sums last, 0.76 to 1). */
#define REALS_UNTIMED                                                  \
    {                                                                  \
        .embedded = 1.3, .row = {2.2, 3.4}, .laned = 2, .second = 0.72 \
    }

static const wf_machine reference = {.level_bytes = {40 << 10, 1 << 20,
                                                     24 << 20},
                                     .level_rate = {0, 0.012, 0.045, 0.12},
                                     .kept = 24 << 20,
                                     .stream = WF_HAND_STREAMS * 0.08,
                                     .spread = 1,
                                     .call = 4,
                                     .kernel_call = 14,
                                     .real_call = 14,
                                     .table = 1,
                                     .share = {1, 0.75, 0.75, 0.75},
                                     .alias = 3,
                                     .alias_buffer = 3,
                                     .product = {0.5, 0.33, 0.33},
                                     .sum = 0.12,
                                     .sorted = {0.6, 0.6},
                                     .full_call = 16,
                                     .full_trips = 2,
                                     .joined = {0.26, 0.04},
                                     .copied = 0.125,
                                     .merged = 0.06,
                                     .merged_reals = 0.114,
                                     .beside = BESIDE_UNTIMED,
                                     .reals = REALS_UNTIMED,
                                     .indexed = 1,
                                     .pieces = 1.5,
                                     .tile = 0.9};

/* Cycles of one instruction in its queue, of a shuffle that transposes beside
 * fused sums, too, and what one that multiplies takes more, for each that has no
 * plain sum beside it; what shows of the shorter queue; cycles around a butterfly,
 * and how many of them first passes hide; for each value alive beyond the
 * registers, and beyond `many`. */
typedef struct queues {
    double sum, product, shuffle, transpose, load, store, constant, overlap;
    double around, hidden, spill, spill_more;
    int registers, many;
} queues;

/* Cycles of an instruction of a leaf, of a kernel of WF_ROLE_ALONE, and of one that
 * is an interleaved pass or one of two that are a leaf: of 512 bits, of less; of
 * the last kind around a block, and for each value alive beyond the registers.  How
 * often a leaf of two kernels moves its data beyond the first cache. */
typedef struct issue {
    double leaf[2], around, alone[2], pass[2], block, spill[2], trips;
} issue;

/* Where nothing else is known. */
#define TRIPS 15

/* What is known of one kind of processor: fitted to the minima of thousands of
 * trees.  A pass spends its time in the two longest of its queues. */
typedef struct core_prices {
    wf_machine machine;
    double ghz;
    queues zmm, ymm;
    queues half_zmm, half_ymm;  /* of half spectra; no registers: as others */
    double narrow[WF_ISA_AVX2]; /* of ymm's price, what lesser ISAs take */
    issue issue;
} core_prices;

/*
 * Zen 4 at 3.7 GHz, AVX-512: 4000 trees of 34 lengths and both types; of these
 * lengths the model's choice is within 5 % of the best tree at all but a few.  A
 * 256-bit half has four pipes for arithmetic and shuffles, two for loads, one for
 * stores.  AVX2, beyond one kernel: 2500 trees of 75 lengths to 2^20, and 400 of
 * columns; the model's choice takes 1.022 of the best tree's time in the mean.
 * Half spectra: 3300 trees of 70 odd lengths to 20000, and 500 of 40 with a larger
 * prime; 1.014 and 1.02, in 512 bits by the other passes' prices 1.12 and 1.18.
 */
static const core_prices zen4 = {
    .machine = {.level_bytes = {33158, 555332, 32 << 20},
                .level_rate = {0, 0.00154, 0.00517, 0.12},
                .kept = 12 << 20,
                .stream = WF_HAND_STREAMS * 0.02,
                .streamed = 32 << 10,
                .sliced = {1 << 20, 0},
                .spread = 2.01,
                .whole = true,
                .rivals = 1,
                .fused = 416 << 10,
                .call = 4,
                .kernel_call = 3.27,
                .real_call = 3.27,
                .block_call = 2.85,
                .row = 0.00887,
                .table = 0.0732,
                .share = {1, 1.1, 0.752, 1.35},
                .reach = 3 << 20,
                .walk = {0.0227, 0.08},
                .walk_wide = 0.0545,
                .walk_more = 0.00228,
                .alias = 1.11,
                .alias_out = 2.03,
                .column_row = 2,
                .crowded = 2,
                .half_row = 2.95,
                .split_load = 0.0924,
                .split_store = 0.262,
                .product = {0.3, 0.2, 0.3},
                .primes = {0.45, 0.55},
                .sum = 0.12,
                .sorted = {0.27, 0.45},
                .full_call = 16,
                .full_trips = 12,
                .half_call = 8,
                .turned = {7, 0.1},
                .joined = {0.26, 0.04},
                .trips = {0.54, 0.085, 0.34},
                .apart = 0.02,
                .copied = 0.125,
                .strided = 0.055,
                .merged = 0.022,
                .merged_reals = 0.0418,
                .beside = {.butterfly = 0.79,
                           .crowd = 0.6,
                           .both = 1.5,
                           .group = 0.34,
                           .pass = 1.1,
                           .many = 1.5,
                           .in_place = 3},
                .reals = REALS_UNTIMED,
                .part = 0.62,
                .indexed = 1,
                .shared = 0.005,
                .pieces = 1.5,
                .tile = 1.1,
                .halves = true},
    .ghz = 3.7,
    .zmm = {.sum = 0.498,
            .shuffle = 1.19,
            .transpose = 0.72,
            .load = 0.768,
            .store = 1.05,
            .constant = 0.0721,
            .overlap = 0.33,
            .around = 4.43,
            .spill = 1.59,
            .spill_more = 2.52,
            .registers = 30,
            .many = 44},
    .ymm = {.sum = 0.285,
            .shuffle = 0.0522,
            .transpose = 0.238,
            .load = 0.198,
            .store = 0.439,
            .constant = 0.304,
            .overlap = 0.589,
            .around = 5.2,
            .spill = 0.954,
            .spill_more = 0.979,
            .registers = 15,
            .many = 31},
    .half_zmm = {.sum = 0.109,
                 .product = 1.05,
                 .transpose = 1.69,
                 .around = 14.2,
                 .hidden = 14.2,
                 .spill = 3.21,
                 .registers = 30,
                 .many = 64},
    .half_ymm = {.sum = 0.324,
                 .product = 0.256,
                 .transpose = 0.733,
                 .around = 9.8,
                 .hidden = 9.8,
                 .spill = 1.52,
                 .registers = 15,
                 .many = 64},
    .narrow = {1, 1},
    .issue = {.leaf = {0.62, 0.38},
              .around = 12,
              .alone = {0.75, 0.4},
              .pass = {0.69, 0.36},
              .block = 4,
              .spill = {2.5, 1.3},
              .trips = 3}};

/*
 * Zen 5, AVX-512 and AVX2, at 4 GHz: 39000 trees of 8100 problems of all kinds, of
 * those that the search takes by prices around these.  The model's choice takes 1.022
 * of the best tree's time with AVX-512 and 1.014 with AVX2; by prices that were fitted
 * to 12500 trees of complex lengths alone it took 1.044 and 1.034.  What fused pairs
 * lose whose results are a page apart (alias_pair) is not timed elsewhere.
 */
static const core_prices zen5 = {
    .machine = {.level_bytes = {25350, 551400, 32 << 20},
                .level_rate = {0, 0.00171, 0.0046, 0.12},
                .kept = 12 << 20,
                .stream = WF_HAND_STREAMS * 0.02,
                .spread = 3.49,
                .whole = true,
                .rivals = 1,
                .call = 4,
                .kernel_call = 4.49,
                .real_call = 3.47,
                .block_call = 3.06,
                .table = 2.48,
                .share = {0.744, 1.3, 0.264, 1.64},
                .reach = 8300000,
                .walk = {0.232, 0.232},
                .many = 123000,
                .legs = 0.03,
                .alias = 0.633,
                .alias_out = 2.91,
                .alias_pair = 7.12,
                .column_row = 5.61,
                .split_load = 0.194,
                .split_store = 0.223,
                .split_far = 0.3,
                .product = {0.3, 0.226, 0.265},
                .convolved = {0.45, 0.472},
                .primes = {0.0695, 0.0991},
                .wide = 15,
                .sum = 0.0936,
                .sorted = {0.33, 0.33},
                .full_call = 24.8,
                .full_trips = 2,
                .turned = {25.3, 0},
                .joined = {0.11, 0.041},
                .copied = 0.0625,
                .strided = 0.0398,
                .merged = 0.0263,
                .merged_reals = 0.0684,
                .beside = {.butterfly = 0.724,
                           .crowd = 1,
                           .pass = 1.78,
                           .one = 1.5,
                           .many = 1.5,
                           .in_place = 1.5},
                .reals = {.embedded = 1.84,
                          .row = {2.69, 2.64},
                          .laned = 1.54,
                          .second = 0.978},
                .again = 2.5,
                .indexed = 0.916,
                .pieces = 1.5,
                .tile = 0.398},
    .ghz = 4,
    .zmm = {.sum = 0.206,
            .shuffle = 2.07,
            .load = 0.116,
            .store = 1.49,
            .constant = 0.0191,
            .overlap = 0.239,
            .around = 7.91,
            .spill = 2.29,
            .spill_more = 3.19,
            .registers = 30,
            .many = 44},
    .ymm = {.sum = 0.282,
            .transpose = 0.658,
            .load = 0.00626,
            .store = 0.0705,
            .constant = 0.168,
            .overlap = 1.79,
            .around = 6.63,
            .spill = 0.0322,
            .spill_more = 1.49,
            .registers = 15,
            .many = 34},
    .narrow = {1.22, 1.2},
    .issue = {.leaf = {0.38, 0.397},
              .around = 10,
              .alone = {0.4, 0.4},
              .pass = {0.38, 0.348},
              .block = 4.87,
              .spill = {0, 1.12},
              .trips = TRIPS}};

/*
 * Ice Lake's servers, AVX-512 and AVX2, at 2.5 to 3 GHz: 10400 trees of 387 lengths
 * and both types.  The model's choice takes 1.013 (AVX-512) and 1.010 (AVX2) of the
 * best tree's time in the mean; by the reference machine's rates it took 1.053 and
 * 1.034.  Beyond the third cache, and of batches, the rates are the reference's.
 */
static const core_prices icelake = {
    .machine = {.level_bytes = {22820, 478701, 24 << 20},
                .level_rate = {0, 0.00299, 0.038, 0.12},
                .kept = 24 << 20,
                .stream = WF_HAND_STREAMS * 0.08,
                .spread = 6.74,
                .whole = true,
                .rivals = 1,
                .call = 4,
                .kernel_call = 5,
                .real_call = 5,
                .block_call = 2,
                .table = 0.3,
                .share = {0.748, 0.303, 0.768, 2.5},
                .reach = 10 << 20,
                .walk = {0.54, 0.54},
                .many = 705063,
                .legs = 0.0119,
                .alias = 0.248,
                .alias_out = 4,
                .split_store = 0.513,
                .split_far = 2,
                .product = {0.3, 0.2, 0.36},
                .convolved = {0, 0.644},
                .wide = 24.8,
                .sum = 0.12,
                .sorted = {0.6, 0.6},
                .full_call = 16,
                .full_trips = 2,
                .joined = {0.26, 0.04},
                .copied = 0.0188,
                .strided = 0.1,
                .merged = 0.036,
                .merged_reals = 0.0684,
                .beside = BESIDE_UNTIMED,
                .reals = REALS_UNTIMED,
                .part = 1,
                .indexed = 1.38,
                .rewritten = 0.0268,
                .pieces = 1.22,
                .tile = 0.337},
    .ghz = 2.7,
    .zmm = {.sum = 0.534,
            .shuffle = 0.1,
            .transpose = 0.042,
            .load = 0.709,
            .store = 0.00238,
            .overlap = 0.239,
            .around = 34.5,
            .spill = 3.21,
            .spill_more = 1.93,
            .registers = 30,
            .many = 44},
    .ymm = {.sum = 0.267,
            .shuffle = 0.1,
            .transpose = 0.611,
            .constant = 0.131,
            .overlap = 1.13,
            .around = 18.7,
            .spill = 0.911,
            .spill_more = 2.93,
            .registers = 15,
            .many = 34},
    .narrow = {1.5, 1.25},
    .issue = {.leaf = {0.58, 0.489},
              .around = 1.44,
              .alone = {0.5, 0.45},
              .pass = {0.529, 0.535},
              .trips = TRIPS}};

/*
 * Sapphire Rapids and Emerald Rapids, whose core is one, at 2.6 GHz with 512 bits and
 * 3.0 with 256 (an Emerald Rapids): 5100 trees of 105 complex lengths of both types and
 * 7200 of 750 random problems of all kinds and layouts, AVX-512 and AVX2.  The model's
 * choice takes 1.019 of the best tree's time in the mean, by Granite Rapids' prices 1.028.
 * Half spectra: 4900 trees of 1300 odd lengths; 1.011, by the other passes' prices 1.015.
 */
static const core_prices emeraldrapids = {
    .machine = {.level_bytes = {15383, 524281, 60 << 20},
                .level_rate = {0, 0.00323, 0.0255, 0.066},
                .kept = 40 << 20,
                .sliced = {7 << 20, 7 << 20},
                .stream = WF_HAND_STREAMS * 0.033,
                .followed = 96 << 20,
                .spread = 12.4,
                .whole = true,
                .rivals = 1,
                .fused = 512 << 10,
                .unfused = 32 << 10,
                .in_place = {0.23, 0.1},
                .trips = {0, 0.33, 0.15},
                .apart = -0.04,
                .trips_from = 256 << 10,
                .passes_far = 0.125,
                .buffer = 24 << 10,
                .call = 3.08,
                .kernel_call = 7.85,
                .block_call = 1.05,
                .row = 0.0085,
                .group = 4,
                .table = 0.137,
                .share = {1, 0.349, 0.52, 0.864},
                .reach = 7453510,
                .walk = {0.0174, 0.0174},
                .half_row = 0.0001, /* timed: none */
                .many = 303931,
                .legs = 0.0155,
                .alias = 0.0882,
                .alias_out = 2.9,
                .split_load = 0.0718,
                .split_store = 0.501,
                .split_far = 0.516,
                .product = {0.3, 0.233, 0.3},
                .convolved = {0.18, 0.0864},
                .wide = 19.9,
                .sum = 0.17,
                .sorted = {0.345, 0.31},
                .full_call = 25.2,
                .full_trips = 2,
                .half_call = 6.3,
                .turned = {25, 0.018},
                .joined = {0.158, 0.0215},
                .copied = 0.0528,
                .strided = 0.068,
                .merged = 0.042,
                .merged_reals = 0.0505,
                .beside = {.butterfly = 0.661,
                           .crowd = 0.58,
                           .pass = 3.44,
                           .one = 1.02,
                           .many = 1.5,
                           .in_place = 1.79},
                .reals = REALS_UNTIMED,
                .part = 0.85,
                .again = 1.66,
                .indexed = 1.04,
                .lopsided = 0.143,
                .exchanged = 64 << 20,
                .rewritten = 0.00553,
                .row_split = {0.226, 0.284},
                .pieces = 1.25,
                .tile = 0.468,
                .halves = true},
    .ghz = 2.7,
    .zmm = {.sum = 0.413,
            .shuffle = 0.48,
            .transpose = 0.581,
            .load = 0.924,
            .store = 0.196,
            .constant = 0.0363,
            .overlap = 0.116,
            .around = 8.54,
            .spill = 0.989,
            .spill_more = 0.727,
            .registers = 30,
            .many = 44},
    .half_zmm = {.sum = 0.539,
                 .transpose = 0.777,
                 .store = 0.694,
                 .constant = 0.143,
                 .overlap = 0.331,
                 .around = 2.37,
                 .registers = 30,
                 .many = 44},
    .ymm = {.sum = 0.198,
            .shuffle = 0.288,
            .transpose = 1.06,
            .load = 0.0668,
            .store = 0.353,
            .constant = 0.151,
            .overlap = 1.35,
            .around = 2.31,
            .spill = 0.204,
            .spill_more = 0.526,
            .registers = 15,
            .many = 34},
    .narrow = {1.5, 1.25},
    .issue = {.leaf = {0.481, 0.458},
              .around = 2.9,
              .alone = {0.583, 0.33},
              .pass = {0.459, 0.364},
              .block = 3.77,
              .spill = {2.09, 0.986},
              .trips = 2.71}};

/*
 * Granite Rapids, AVX-512 and AVX2, at 3.5 GHz, on a host that gives its guests
 * pages of 4 KiB: 17500 trees of 235 lengths and both types, of those that the
 * search chooses by prices around these.  The model's choice takes 1.023 (AVX-512)
 * and 1.020 (AVX2) of the best tree's time in the mean; by the other processors'
 * prices it took 1.07 to 1.10.
 */
static const core_prices graniterapids = {
    .machine = {.level_bytes = {15383, 800792, 60 << 20},
                .level_rate = {0, 0.00156, 0.0304, 0.066},
                .kept = 40 << 20,
                .sliced = {7 << 20, 7 << 20},
                .stream = WF_HAND_STREAMS * 0.033,
                .followed = 96 << 20,
                .spread = 20.9,
                .whole = true,
                .rivals = 1,
                .call = 4,
                .kernel_call = 3.84,
                .real_call = 3.84,
                .block_call = 2.12,
                .row = 0.00887,
                .table = 0.0946,
                .share = {1, 0.685, 0.657, 0.945},
                .reach = 7276860,
                .walk = {0.0174, 0.0174},
                .many = 303931,
                .legs = 0.0155,
                .alias = 0.0948,
                .alias_out = 2.21,
                .split_load = 0.0842,
                .split_store = 0.651,
                .split_far = 0.595,
                .product = {0.3, 0.2, 0.3},
                .convolved = {0.284, 0.163},
                .wide = 19.6,
                .sum = 0.216,
                .sorted = {0.43, 0.43},
                .full_call = 16,
                .full_trips = 2,
                .joined = {0.163, 0.0111},
                .copied = 0.0528,
                .strided = 0.06,
                .merged = 0.036,
                .merged_reals = 0.0684,
                .beside = BESIDE_UNTIMED,
                .reals = REALS_UNTIMED,
                .part = 0.62,
                .again = 2.5,
                .indexed = 0.775,
                .lopsided = 0.15,
                .exchanged = 64 << 20,
                .rewritten = 0.016,
                .row_split = {0.151, 0.478},
                .pieces = 1.2,
                .tile = 0.294,
                .halves = true},
    .ghz = 3.7,
    .zmm = {.sum = 0.449,
            .shuffle = 0.526,
            .transpose = 0.18,
            .load = 1.32,
            .store = 0.16,
            .constant = 0.037,
            .overlap = 0.157,
            .around = 10.7,
            .spill = 1.7,
            .spill_more = 0.557,
            .registers = 30,
            .many = 44},
    .ymm = {.sum = 0.251,
            .shuffle = 0.169,
            .transpose = 0.48,
            .load = 0.0315,
            .store = 0.233,
            .constant = 0.291,
            .overlap = 0.994,
            .around = 7.94,
            .spill = 0.246,
            .spill_more = 0.936,
            .registers = 15,
            .many = 34},
    .narrow = {1.5, 1.25},
    .issue = {.leaf = {0.478, 0.405},
              .around = 5.58,
              .alone = {0.5, 0.45},
              .pass = {0.458, 0.294},
              .block = 7.22,
              .spill = {3.96, 1.67},
              .trips = 2.37}};

/* NULL: the reference machine's are all there is. */
static const core_prices *core(void)
{
    switch (wf_cpu_core_kind()) {
    case WF_CORE_ICELAKE: return wf_cpu_isa() >= WF_ISA_AVX2 ? &icelake : NULL;
    case WF_CORE_EMERALDRAPIDS:
        return wf_cpu_isa() >= WF_ISA_AVX2 ? &emeraldrapids : NULL;
    case WF_CORE_GRANITERAPIDS:
        return wf_cpu_isa() >= WF_ISA_AVX2 ? &graniterapids : NULL;
    case WF_CORE_ZEN4: return wf_cpu_isa() >= WF_ISA_AVX2 ? &zen4 : NULL;
    case WF_CORE_ZEN5: return wf_cpu_isa() >= WF_ISA_AVX2 ? &zen5 : NULL;
    default: return NULL;
    }
}

static const wf_machine *machine(void)
{
    const core_prices *c = core();
    return c != NULL ? &c->machine : &reference;
}

/* A whole transform in registers of any width. */
static bool is_leaf(wf_role role)
{
    return role == WF_ROLE_LEAF || role == WF_ROLE_LEAF_SPLIT ||
           role == WF_ROLE_REAL || role == WF_ROLE_ALONE;
}

static bool is_interleaved(wf_role role)
{
    return role == WF_ROLE_INTERLEAVED_FIRST || role == WF_ROLE_INTERLEAVED ||
           role == WF_ROLE_WHOLE_COLUMN || role == WF_ROLE_LONE_COLUMN;
}

/* A leaf that is two kernels, and what they do together. */
typedef struct two {
    wf_pair pair;
    wf_kernel both;
} two;

/* `both` of *room where it is two. */
static const wf_kernel *kernel_of(wf_role role, weft_type type, int width,
                                  int radix, two *room)
{
    wf_real real = type == WEFT_F64 ? WF_F64 : WF_F32;
    static const wf_kernel_kind kind[WF_ROLE_COUNT] = {
        WF_KERNEL_LEAF_FWD, WF_KERNEL_LEAF_SPLIT_SCALED, WF_KERNEL_FIRST_I,
        WF_KERNEL_MID, WF_KERNEL_LAST_SCALED, WF_KERNEL_COLMID,
        WF_KERNEL_COL_ANY, WF_KERNEL_COL_APART, WF_KERNEL_WITHIN_FIRST,
        WF_KERNEL_WITHIN_LAST, WF_KERNEL_REAL_FWD, WF_KERNEL_REAL_COL_FWD,
        WF_KERNEL_REAL_COL_INV, WF_KERNEL_HALF_FIRST, WF_KERNEL_HALF_MID,
        /* types III and IV cost what II does: */
        WF_KERNEL_COSINE2, WF_KERNEL_ROWS2, WF_KERNEL_ALONE2};
    if (!is_leaf(role))
        return wf_kernel_of_width(kind[role], real, width, radix);
    const wf_kernel *leaf = wf_kernel_of_leaf(kind[role], type, radix, false);
    if (role != WF_ROLE_LEAF ||
        !wf_leaf_is_pair(leaf, type, radix, &room->pair))
        return leaf;
    room->both = wf_pair_count(&room->pair);
    return &room->both;
}

/* A block of a kernel that has both parts of a number in one vector. */
static double cycles_of_block(const core_prices *core, const wf_kernel *k)
{
    const bool narrow = k->isa != WF_ISA_AVX512;
    const issue *i = &core->issue;
    const int spilled = k->live -
                        (narrow ? core->ymm.registers : core->zmm.registers);
    return i->pass[narrow] * (k->adds + k->muls + k->fmas + k->shuffles) +
           i->block + (spilled > 0 ? i->spill[narrow] * spilled : 0);
}

static bool is_half(wf_role role)
{
    return role == WF_ROLE_HALF_FIRST || role == WF_ROLE_HALF;
}

static const queues *queues_of(const core_prices *core, wf_role role,
                               wf_isa isa)
{
    const bool wide = isa == WF_ISA_AVX512;
    const queues *half = wide ? &core->half_zmm : &core->half_ymm;
    if (is_half(role) && half->registers > 0)
        return half;
    return wide ? &core->zmm : &core->ymm;
}

static double price_of_core(const core_prices *core, wf_role role,
                            const wf_kernel *k)
{
    double sums = k->adds + k->muls + k->fmas;
    if (is_leaf(role)) {
        const int narrow = wf_leaf_bits(k) < 512;
        const issue *i = &core->issue;
        if (role == WF_ROLE_ALONE) /* a longer chain, called with less */
            return i->alone[narrow] * (sums + k->shuffles) / core->ghz;
        return (i->leaf[narrow] * (sums + k->shuffles) + i->around) /
               core->ghz;
    }
    const queues *q = queues_of(core, role, k->isa);
    if (is_interleaved(role)) {
        /* More legs than registers wait in memory; a first pass of 7 stores one
         * block over the other. */
        const bool more = k->radix > WF_LARGEST_RADIX ||
                          (role == WF_ROLE_INTERLEAVED_FIRST && k->radix < 8);
        return (cycles_of_block(core, k) + (more ? 0.5 * k->radix : 0)) /
               core->ghz;
    }
    double constants = k->fmas > k->muls ? k->fmas - k->muls : 0;
    bool first = role == WF_ROLE_FIRST || role == WF_ROLE_HALF_FIRST;
    double a = q->sum * sums +
               q->product * fmax(0, k->muls + k->fmas - k->adds) +
               (first ? q->transpose : q->shuffle) * k->shuffles;
    double b = q->load * k->loads + q->store * k->stores +
               q->constant * constants;
    double cycles = (a > b ? a + q->overlap * b : b + q->overlap * a) +
                    q->around - (first ? q->hidden : 0);
    if (k->live > q->registers)
        cycles += q->spill * (k->live - q->registers);
    if (k->live > q->many)
        cycles += q->spill_more * (k->live - q->many);
    if (k->isa < WF_ISA_AVX2)
        cycles *= core->narrow[k->isa];
    return cycles / core->ghz;
}

/* What a leaf of two kernels takes beside its operations: two calls, and where
 * registers have 512 bits traffic, once input, output and scratch do not fit into
 * the first cache; narrower ones leave the time for that. */
static double cost_of_two(const wf_kernel *k, double trips)
{
    const double data = k->radix * (k->real == WF_F64 ? 16.0 : 8.0);
    const double traffic = wf_cost_bytes(machine(), trips * data, 4 * data);
    return 2 * machine()->kernel_call + (wf_leaf_bits(k) < 512 ? 0 : traffic);
}

static double price_of_two(const core_prices *core, const two *t)
{
    int columns, rows;
    wf_pair_blocks(&t->pair, &columns, &rows);
    return (columns * cycles_of_block(core, t->pair.first) +
            rows * cycles_of_block(core, t->pair.last) + core->issue.around) /
               core->ghz +
           cost_of_two(&t->both, core->issue.trips);
}

static double find_price(wf_role role, weft_type type, int width, int radix)
{
    const core_prices *own = core();
    if (role == WF_ROLE_LAST && own == NULL)
        role = WF_ROLE_PASS; /* what the other rates were found with */
    two room;
    const wf_kernel *k = kernel_of(role, type, width, radix, &room);
    if (k == NULL)
        return -1;
    const bool pair = k == &room.both;
    if (own != NULL)
        return pair ? price_of_two(own, &room) : price_of_core(own, role, k);
    const double around = pair ? cost_of_two(k, TRIPS) : 0;
    double sums = 0.5 * (k->adds + k->muls + k->fmas);
    double arithmetic = sums + k->shuffles;
    bool leaf = is_leaf(role), within = leaf || is_interleaved(role);
    const bool narrow = leaf ? wf_leaf_bits(k) < 512 : k->isa != WF_ISA_AVX512;
    if (within && narrow)
        arithmetic = sums > k->shuffles ? sums : k->shuffles;
    else if (within)
        arithmetic = sums + 0.8 * k->shuffles;
    double memory = 0.5 * k->loads + 1.0 * k->stores;
    double cycles = arithmetic > memory ? arithmetic : memory;
    /* Beyond the registers values go through memory: radix 16 nearly free, as
     * memory operands (mid_16 on AVX2 has 16 registers), radix 32 dear. */
    bool reals = role == WF_ROLE_HALF_FIRST || role >= WF_ROLE_COSINE;
    int live = (reals || within ? 1 : 2) * radix + 4,
        registers = k->isa == WF_ISA_AVX512 ? 36 : 24;
    if (!leaf && live > registers)
        cycles += 0.4 * (live - registers);
    if (!leaf && live > 36)
        cycles += 1.4 * (live - 36);
    return (cycles + 2) / ghz + around;
}

/* Prices of passes, found once a process: a plan asks for some hundreds of
 * them.  0: not asked yet.  Two threads that ask at once find the same.  A tree
 * that is given may name any width and radix. */
static double price(wf_role role, weft_type type, int width, int radix)
{
    enum { TYPES = 2, WIDTHS = 5, WIDEST = 1 << (WIDTHS - 1) };
    static _Atomic double known[TYPES][WF_ROLE_COUNT][WIDTHS]
                               [WF_LARGEST_INTERLEAVED + 1];
    if (width < 1 || width > WIDEST || (width & (width - 1)) != 0 ||
        radix < 0 || radix > WF_LARGEST_INTERLEAVED)
        return find_price(role, type, width, radix);
    _Atomic double *here =
        &known[type == WEFT_F64][role][__builtin_ctz((unsigned)width)][radix];
    double found = atomic_load_explicit(here, memory_order_relaxed);
    if (found == 0) {
        found = find_price(role, type, width, radix);
        atomic_store_explicit(here, found, memory_order_relaxed);
    }
    return found;
}

static double flops(wf_role role, weft_type type, int width, int radix)
{
    two room;
    const wf_kernel *k = kernel_of(role, type, width, radix, &room);
    if (k == NULL)
        return 0;
    const int lanes = is_leaf(role)
                          ? wf_leaf_bits(k) / (k->real == WF_F64 ? 64 : 32)
                          : k->lanes;
    return (k->adds + k->muls + 2.0 * k->fmas) * lanes;
}

/* A tile keeps one fused operation a cycle busy on every lane, twice that
 * where registers are halves of what the arithmetic has; VDPBF16PS does two
 * in the place of one. */
static double products(wf_format format, bool *emulated)
{
    const wf_real real = format == WF_FORMAT_F64 ? WF_F64 : WF_F32;
    const wf_isa isa = (wf_isa)wf_cpu_isa();
    const char *hardware = wf_format_hardware(format);
    const bool special = real == WF_F32 && format != WF_FORMAT_F32 &&
                         hardware != NULL;
    *emulated = hardware == NULL;
    return (special ? 2 : 1) * (isa == WF_ISA_AVX512 ? 1 : 1.6) * ghz *
           wf_isa_lanes(isa, real);
}

/* ---- Measuring ----------------------------------------------------------- */

typedef struct span {
    int64_t low, high;
} span;

static void stretch(span *s, int64_t n, int64_t stride)
{
    if (stride < 0)
        s->low += (n - 1) * stride;
    else
        s->high += (n - 1) * stride;
}

static void spans(const wf_problem *p, span *in, span *out)
{
    *in = *out = (span){0, 0};
    for (int i = 0; i < p->rank; i++) {
        stretch(in, wf_dim_length(p, i, WF_INPUT), p->dim[i].is);
        stretch(out, wf_dim_length(p, i, WF_OUTPUT), p->dim[i].os);
    }
    for (int i = 0; i < p->loops; i++) {
        stretch(in, p->loop[i].n, p->loop[i].is);
        stretch(out, p->loop[i].n, p->loop[i].os);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Zeros transform to zeros: no overflow however often it runs. */
static double seconds_of(const wf_program *program, void *const at[4],
                         int runs)
{
    double begin = wf_clock_seconds();
    for (int i = 0; i < runs; i++)
        wf_cpu_execute(program, at[0], at[1], at[2], at[3]);
    return wf_clock_seconds() - begin;
}

/* Warms up, and says how many runs make 20 us.  A time below 1 ms that seems enough is
 * taken again: it may have been pages that are touched for the first time, and samples
 * of one short run would be the clock's. */
static int find_runs(const wf_program *program, void *const at[4])
{
    const double enough = 20e-6;
    int runs = 1;
    for (; runs < 1 << 14; runs *= 2) {
        double took = seconds_of(program, at, runs);
        if (took > enough && took < 1e-3)
            took = seconds_of(program, at, runs);
        if (took > enough)
            break;
    }
    return runs;
}

static double time_runs(const wf_program *program, void *const at[4],
                        double limit)
{
    enum { SAMPLES = 15 };
    double sample[SAMPLES];
    int count = 0;
    const double start = wf_clock_seconds();
    const int runs = find_runs(program, at);
    while (count < SAMPLES &&
           (count < 1 || wf_clock_seconds() - start < limit))
        sample[count++] = seconds_of(program, at, runs) / runs;
    qsort(sample, (size_t)count, sizeof sample[0], by_value);
    return sample[count / 2];
}

static weft_status measure(wf_program *program, const wf_problem *problem,
                           double limit, double *seconds)
{
    span in, out;
    spans(problem, &in, &out);
    size_t bytes = problem->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    size_t in_unit = (size_t)wf_side_scalars(problem, WF_INPUT) * bytes;
    size_t out_unit = (size_t)wf_side_scalars(problem, WF_OUTPUT) * bytes;
    size_t in_bytes = (size_t)(in.high - in.low + 1) * in_unit;
    size_t out_bytes = (size_t)(out.high - out.low + 1) * out_unit;
    if (problem->in_place) { /* one block for both, from the lower end */
        int64_t in_low = in.low * (int64_t)in_unit;
        int64_t out_low = out.low * (int64_t)out_unit;
        int64_t in_end = in_low + (int64_t)in_bytes;
        int64_t out_end = out_low + (int64_t)out_bytes;
        in_low = in_low < out_low ? in_low : out_low;
        in_bytes = (size_t)((in_end > out_end ? in_end : out_end) - in_low);
        in = out = (span){in_low / (int64_t)bytes, 0};
        in_unit = out_unit = bytes;
    }
    char *block[4] = {NULL};
    weft_status status = WEFT_OK;
    for (int i = 0; i < 4; i++) {
        bool wanted = (i % 2 == 0 || problem->split) &&
                      (i < 2 || !problem->in_place);
        size_t size = i < 2 ? in_bytes : out_bytes;
        block[i] = wanted ? wf_alloc(size) : NULL;
        if (wanted && block[i] == NULL)
            status = wf_no_memory();
        else if (wanted)
            memset(block[i], 0, size);
    }
    if (status == WEFT_OK) {
        void *at[4];
        for (int i = 0; i < 4; i++) {
            bool input = i < 2 || problem->in_place;
            char *base = block[problem->in_place ? i % 2 : i];
            int64_t low = input ? in.low : out.low;
            at[i] = base == NULL
                        ? NULL
                        : base - low * (int64_t)(input ? in_unit : out_unit);
        }
        *seconds = time_runs(program, at, limit);
    }
    for (int i = 0; i < 4; i++)
        wf_free(block[i]);
    return status;
}

static weft_status bind(const wf_engine *engine, const wf_problem *problem,
                        const wf_step *tree, wf_program **program)
{
    (void)engine;
    return wf_cpu_bind(problem, tree, program);
}

static void sizes(const wf_program *program, size_t *tables, size_t *scratch)
{
    *tables = wf_cpu_table_bytes(program);
    *scratch = wf_cpu_scratch_bytes(program);
}

static void release(wf_program *program)
{
    wf_cpu_release(program);
}

const wf_engine wf_cpu_engine = {.name = "cpu",
                                 .machine = machine,
                                 .widths = wf_cpu_widths,
                                 .price = price,
                                 .flops = flops,
                                 .products = products,
                                 .bind = bind,
                                 .measure = measure,
                                 .release = release,
                                 .execute = wf_cpu_execute,
                                 .sizes = sizes,
                                 .explain = wf_cpu_explain,
                                 .figure = wf_cpu_figure,
                                 .source = wf_cpu_source,
                                 .order = wf_cpu_order};
