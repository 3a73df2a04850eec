/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target.c - the instruction sets, and which kernels each of them gets.
 */
#include "program.h"

#include "util.h"

static const target targets[WF_ISA_COUNT] = {
    [WF_ISA_SCALAR] = {WF_ISA_SCALAR, "scalar", 0, 16, 0, 0},
    [WF_ISA_SSE2] = {WF_ISA_SSE2, "sse2", 128, 16, 0, 0},
    [WF_ISA_AVX2] = {WF_ISA_AVX2, "avx2", 256, 16, 1, 1},
    [WF_ISA_AVX512] = {WF_ISA_AVX512, "avx512", 512, 32, 1, 1},
    [WF_ISA_NEON] = {WF_ISA_NEON, "neon", 128, 32, 1, 0},
};

const target *target_of(wf_isa isa)
{
    return &targets[isa];
}

int target_lanes(wf_isa isa, wf_real real)
{
    const int bits = targets[isa].bits;
    return bits ? bits / (real == WF_F64 ? 64 : 32) : 1;
}

/* Radices every target has. */
static const int common_radices[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 19, 23, 29, 31};
/* Radices that save a pass where registers are many or wide enough (mid_32
 * f64 runs at 90 % of the rate of mid_16 with AVX-512, 95 % with AVX2).  Not
 * for columns: what is left at their right edge takes every narrower width, and
 * these exist at two of them. */
static const int wide_radices[] = {20, 24, 25, 32};
/* A transposing kernel needs R >= VL: 16 lanes get more of them. */
static const int widest_first_radices[] = {18, 21, 28, 30};
static const int leaf_lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                   12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                   23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
/* Leaves that pay in vectors (with one lane 48 takes 106 ns, in passes 136, but
 * 64 153 and 157, 128 684 and 352) ... */
static const int vector_leaf_lengths[] = {36, 40, 48, 64, 128};
/* ... and where a register holds two complex numbers or more.  All products of
 * primes to 7 below 128 and most of those to 13; of 2 and a larger prime, for
 * whose two passes no vector is full, the first few. */
static const int wide_leaf_lengths[] = {
    33, 34, 35,  38,  39,  42,  44,  45,  49,  50,  52,  54,  55,  56,  60,
    63, 65, 66,  70,  72,  75,  77,  78,  80,  81,  84,  88,  90,  91,  96,
    98, 99, 100, 104, 105, 108, 110, 112, 120, 125, 126, 256, 512, 1024};
/* Longer ones, as loops within registers with all distances in the code: powers of
 * two and what has been here before other lengths were by the WITHIN kinds, which
 * take 1.04 to 1.2 of the time (Zen 5, AVX2 f64 140 93 and 101 ns, AVX-512 f64 300
 * 124, 151; f32 500 153, 181). */
static const int long_double_lengths[] = {140, 144, 160, 192, 200,
                                          240, 250, 320, 512, 1024};
static const int long_float_lengths[] = {144, 160, 192, 240, 320, 400, 1024};
/* Of AVX-512, whole registers of 512 bits. */
static const int widest_double_lengths[] = {300};
static const int widest_float_lengths[] = {200, 250, 300, 360, 384, 480, 500};
/* A straight line wins while the whole transform takes at most this many
 * registers, four to eight times those there are: what is spilled stays in
 * the first cache and comes back as operands. */
enum { LEAF_REGISTERS = 128 };
/* Half as many where each holds one complex number gain too little for 28 KB:
 * SSE2 c2c:f64:128 221 ns, in passes 246. */
enum { LONE_REGISTERS = 64 };

/* Leaves of two arrays: frequent lengths whose registers are all full, and no more
 * than SPLIT_REGISTERS.  ns, then in passes: AVX-512 f32 64 34, 43; 128 66, 80; f64 64
 * 55, 46; AVX2 f64 48 52, 70, for 3 KB; f64 64 87, 78; f32 128 85, 94, for 6. */
static const int split_leaf_lengths[] = {8, 12, 16, 20, 24, 32, 48, 64, 128};
enum { SPLIT_REGISTERS = 16, NO_DOUBLES = 64 };

/* Halves of the real lengths with a leaf. */
static const int real_halves[] = {2,  3,  4,  5,  6,  7,  8,  9,  10,
                                  11, 12, 13, 14, 15, 16, 18, 20, 24,
                                  25, 30, 32, 36, 40, 48, 64};
/* Not with SSE2, for the room of longer leaves and of columns elsewhere: ns of r2c and
 * c2r as a leaf, then by half the length.  Floats: 50 and 60 the model never chose; 72
 * 39 34, 55 50; 80 43 40, 57 55; r2c 26 28, 36; 36 26, 31; 48 22, 32 (FFTW 45, 51, 40).
 * Doubles: 50 53 56, 66 63; 60 59 66, 73 75; 72 66 68, 83 79; 80 68 77, 84 83; 96 85
 * 93, 101 99; 128 130 145, 149 146; r2c 26 28, 38; 36 27, 47; 48 39, 52 (FFTW 36, 35,
 * 46). */
static const int sse2_half_floats[] = {22, 26, 28, 30, 36, 40,
                                       48, 50, 60, 72, 80};
static const int sse2_half_doubles[] = {22, 26, 28, 30, 36, 40, 48,
                                        50, 60, 72, 80, 96, 128};
/* Not with a transform in each of 16 or 8 lanes, 190 KB: Zen 4, 100 one after the
 * other, ns, AVX-512, then AVX2: r2c:f64 14 440, 441; 18 585, 586; 26 1206, 1263; 30
 * 1120, 1212; 36 1426, 1415; 60 2349, 2331; f32 14 267, 266; 22 546, 584; 30 620, 638;
 * 36 848, 801; 50 1325, 1243. */
static const int avx512_across[] = {14, 18, 20, 22, 24, 26,
                                    28, 30, 36, 50, 60};
/* The longest: r2c and c2r as half the length and the pass, then as a leaf, Zen
 * 4, AVX2 f32 256 80 and 80 ns, 67 and 65; AVX-512 f32 256 72 and 71, 57 and 59,
 * f64 256 123 and 122, 111 and 106; 512 f32 138 and 136, 124 and 121, f64 255 and
 * 258, 245 and 234, AVX-512 only.  Not doubles of AVX2: alone 256 takes 102 and 98
 * ns, not 111 and 111 (Zen 5), but 12 KB each of straight line have to be fetched
 * anew in company: rrader 107 m256 and its rows 9764 ns, by half the length 8703. */
enum { LONG_REAL = 256, LONGEST_REAL = 512 };

/* Passes over half spectra; larger primes are not worth theirs. */
static const int half_radices[] = {3, 5, 7, 9, 11, 13, 15, 17, 19};
static const int wide_half_radices[] = {21, 25, 27};
/* For 21 KB: one number at a time 3 and 5 take 1.1 to 1.3 times as long.  First
 * passes remain, of which short lengths have no more than a lane or two. */
static const int dear_scalar_half = 15;
/* Cosine transforms in the lanes.  Half of the code of all of them would be
 * that of 32, which columns of 16 do within 10 % for contiguous vectors, 55 %
 * for neighbours. */
static const int cosine_lengths[] = {4, 8, 16};

/* Cosine transforms alone.  Below 16 the definition is as soon done.  Emerald Rapids,
 * ns, II and III by half the length, then so, AVX-512: f64 40 50 44, 30 28; 100 128 161,
 * 69 81; 240 249 233, 115 135; 1024 804 786, 524 582; f32 60 78 82, 35 39; 1024 404 388,
 * 285 300.  Without the room, 36 to 150 KB each: 320 (AVX-512 f64 252 214, 189 201; f32
 * 138 131, 133 147), 360, 384, 400, 480, 640, 768, 800 and 960 (1.1 to 1.5 times as
 * fast); 180 (191 157, 137 123).  300 and 600 lose. */
static const int alone_lengths[] = {16,  20,  24,  28,  32,  36,  40,
                                    48,  56,  60,  64,  72,  80,  96,
                                    100, 112, 120, 128, 144, 160, 192,
                                    200, 240, 256, 512, 1024};

/* Both loops of transforms within registers (cpu/within.c knows the largest).
 * Without the room: 22, 26, 36, 42, 45, 48, 50, for 35 KB each. */
static const int within_radices[] = {8,  9,  10, 11, 12, 13, 14, 15, 16, 18,
                                     20, 21, 24, 25, 27, 28, 30, 32, 35, 40};
/* And of passes after the first (cpu/interleaved.c). */
static const int short_within_radices[] = {2, 3, 4, 5, 6, 7};
/* And of the first of those, where 7 is the only factor. */
static const int short_within_first = 7;

/* Columns of reals.  Without 11, 13, 14, 15 and 20, for 60 KB: by the definition, and
 * by half as many complex ones, these take three times as long, thrice FFTW's. */
static const int real_column_lengths[] = {2, 3,  4,  5,  6,  7, 8,
                                          9, 10, 12, 16, 24, 32};
/* One anywhere, by scalars: all lengths to this. */
enum { LONGEST_LONE_REAL = 16 };
/* Columns of one pass beside those of every radix to 16. */
static const int whole_column_radices[] = {18, 20, 24, 25, 30, 32};

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define CONTAINS(a, n) contains(a, COUNT(a), n)

static int contains(const int *list, int count, int n)
{
    for (int i = 0; i < count; ++i)
        if (list[i] == n)
            return 1;
    return 0;
}

/* Leaves of AVX-512 that use registers of 256 bits at most would be those of
 * AVX2 again; engines look for leaves at every width.  32 registers in place of 16
 * gain too little for their room (Zen 4, f64 36 5 %). */
static int is_narrow_leaf(const row *r)
{
    const kind_info *kind = kind_of(r->kind);
    const int half = target_lanes(r->isa, r->real) / 2;
    if (r->isa != WF_ISA_AVX512 || r->radix == 1)
        return 0;
    if (kind->alone)
        return alone_lanes(r) <= half;
    if (!kind->leaf)
        return 0;
    const leaf_designs d = leaf_choose(r);
    return d.batch.lanes <= half && d.single.lanes <= half;
}

/* The lengths of the leaves with one lane are worth their code, 140 KB, where
 * nothing else runs (one lane: 32 66 ns, in passes 88). */
static int is_scalar_leaf(int n, int only)
{
    return n == 1 ||
           (only ? CONTAINS(leaf_lengths, n) : CONTAINS(common_radices, n));
}

static int has_floats(wf_isa isa, int lanes)
{
    return lanes * 32 == target_of(isa)->bits;
}

static int is_vector_leaf(wf_isa isa, int lanes, int n)
{
    const int wide = isa == WF_ISA_AVX2 || isa == WF_ISA_AVX512;
    if (CONTAINS(leaf_lengths, n))
        return 1;
    if (CONTAINS(vector_leaf_lengths, n) && n / lanes < LONE_REGISTERS)
        return 1;
    if (wide && (has_floats(isa, lanes) ? CONTAINS(long_float_lengths, n)
                                        : CONTAINS(long_double_lengths, n)))
        return 1;
    if (isa == WF_ISA_AVX512 &&
        (lanes == 16 ? CONTAINS(widest_float_lengths, n)
                     : CONTAINS(widest_double_lengths, n)))
        return 1;
    return wide && 2 * n / lanes <= LEAF_REGISTERS &&
           CONTAINS(wide_leaf_lengths, n);
}

static int is_real_leaf(wf_isa isa, int lanes, int n)
{
    if (n == LONGEST_REAL)
        return isa == WF_ISA_AVX512;
    if (n == LONG_REAL)
        return lanes >= 8;
    if (lanes == 1 || n % 2 != 0 || !CONTAINS(real_halves, n / 2))
        return 0;
    if (isa == WF_ISA_AVX512 && CONTAINS(avx512_across, n))
        return 0;
    return isa != WF_ISA_SSE2 ||
           !(has_floats(isa, lanes) ? CONTAINS(sse2_half_floats, n)
                                    : CONTAINS(sse2_half_doubles, n));
}

/* A radix that every target has as a straight line. */
static int is_short(int n)
{
    return n <= 16 && CONTAINS(common_radices, n);
}

static int wanted(wf_kernel_kind kind, wf_isa isa, int lanes, int n, int only)
{
    const int wide = isa == WF_ISA_AVX2 || isa == WF_ISA_AVX512;
    if (kind == WF_KERNEL_WITHIN_LAST && CONTAINS(short_within_radices, n))
        return wide;
    if (kind_of(kind)->reals)
        return isa == WF_ISA_SCALAR ? n > 1 && n <= LONGEST_LONE_REAL
                                    : wide && CONTAINS(real_column_lengths, n);
    if (kind == WF_KERNEL_COL_ANY || kind == WF_KERNEL_COL_APART)
        return (kind == WF_KERNEL_COL_APART ? isa == WF_ISA_AVX2 : wide) &&
               (is_short(n) || CONTAINS(whole_column_radices, n));
    if (kind_of(kind)->within)
        return wide && 2 * n >= lanes &&
               (n == short_within_first || CONTAINS(within_radices, n));
    if (kind_of(kind)->alone)
        return wide && CONTAINS(alone_lengths, n);
    if (kind_of(kind)->rows)
        return lanes > 1 && n % lanes == 0 && CONTAINS(cosine_lengths, n);
    if (kind_of(kind)->cosine)
        return CONTAINS(cosine_lengths, n);
    if (kind_of(kind)->real) /* around a complex leaf, in registers */
        return is_real_leaf(isa, lanes, n);
    if (kind_of(kind)->half)
        return (CONTAINS(half_radices, n) &&
                (lanes > 1 || n != dear_scalar_half ||
                 kind_of(kind)->first)) ||
               (wide && CONTAINS(wide_half_radices, n));
    if (kind_of(kind)->split)
        return wide && CONTAINS(split_leaf_lengths, n) &&
               2 * n / lanes <= SPLIT_REGISTERS &&
               (n != NO_DOUBLES || has_floats(isa, lanes));
    if (kind_of(kind)->leaf && isa == WF_ISA_SCALAR)
        return is_scalar_leaf(n, only);
    if (kind_of(kind)->leaf)
        return is_vector_leaf(isa, lanes, n);
    const int column = !kind_of(kind)->first && kind_of(kind)->twiddles != 'V';
    if (wide && !column && n >= lanes && CONTAINS(wide_radices, n))
        return 1;
    if (kind_of(kind)->first)
        return (n >= lanes && n <= 16 && CONTAINS(common_radices, n)) ||
               (lanes == 16 && CONTAINS(widest_first_radices, n));
    /* A scalar leaf is col_s of its length, which therefore exists. */
    if (kind == WF_KERNEL_COL_S && isa == WF_ISA_SCALAR && n > 1)
        return is_scalar_leaf(n, only);
    return CONTAINS(common_radices, n) &&
           !(kind == WF_KERNEL_COL_I && wide && is_short(n));
}

int target_rows(wf_isa isa, wf_real real, int only, row *rows, int room)
{
    const int lanes = target_lanes(isa, real);
    int count = 0;
    for (int k = 0; k < WF_KERNEL_KIND_COUNT; ++k)
        for (int n = 1; n <= MAX_RADIX; ++n) {
            const row r = {(wf_kernel_kind)k, real, isa, n};
            if (!wanted(r.kind, isa, lanes, n, only) || is_narrow_leaf(&r))
                continue;
            if (count == room)
                gen_die("more rows than expected");
            rows[count++] = r;
        }
    return count;
}

int target_interleave_cost(wf_isa isa, wf_real real, int any_order)
{
    (void)real;
    switch (isa) {
    case WF_ISA_SCALAR:
    case WF_ISA_NEON: return 0;
    case WF_ISA_AVX2: return any_order ? 2 : 4;
    default: return 2;
    }
}

int target_transpose_cost(wf_isa isa, wf_real real)
{
    const int vl = target_lanes(isa, real);
    int stages = 0;
    for (int w = 1; w < vl; w *= 2)
        ++stages;
    return vl * stages;
}
