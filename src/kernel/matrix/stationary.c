/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stationary.c - the operand of a product that is packed once: parts of every
 * column, in panels of nr columns, in the order in which a tile reads them.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "kernel/matrix/matrix.h"

/* ---- Which products a scheme takes --------------------------------------- */

static void add_pair(wf_level *level, int a, int b)
{
    level->a[level->pairs] = (uint8_t)a;
    level->b[level->pairs] = (uint8_t)b;
    level->pairs++;
}

/* Products of parts i and j with i + j < parts: what is left out is below
 * the last part.  bf16 has FP32's exponents, so all share one sum; the parts
 * of the others are scaled, and each power of the scale has its own. */
static void plan_levels(wf_stationary *b)
{
    const wf_scheme *s = &b->scheme;
    const bool one = !s->sliced && s->format == WF_FORMAT_BF16;
    const int step = s->sliced ? wf_scheme_slice_bits(s) : 11;
    const int top = s->sliced ? 2 * (step - 1) : 0;
    b->levels = 0;
    for (int sum = s->parts - 1; sum >= 0; sum--) {
        const bool fresh = !one || b->levels == 0;
        wf_level *level = &b->level[fresh ? b->levels++ : 0];
        if (fresh)
            *level = (wf_level){.weight = one ? 1
                                              : ldexp(1, -sum * step - top)};
        for (int i = sum; i >= 0; i--)
            add_pair(level, i, sum - i);
    }
}

/* ---- Sizes --------------------------------------------------------------- */

static int64_t panels_of(const wf_stationary *b)
{
    return (b->n + b->tile->nr - 1) / b->tile->nr;
}

static bool add_block(size_t count, size_t each, size_t *bytes)
{
    size_t block;
    return wf_mul_size(count, each, &block) &&
           wf_add_size(block, 63, &block) &&
           wf_add_size(*bytes, block & ~(size_t)63, bytes);
}

bool wf_stationary_plan(wf_stationary *b, const wf_scheme *scheme, wf_isa isa,
                        bool portable, int64_t k, int64_t n, size_t *bytes,
                        size_t *scratch)
{
    *b = (wf_stationary){.scheme = *scheme,
                         .tile = wf_tile_for(scheme, isa, portable),
                         .isa = wf_matrix_isa_for(isa),
                         .k = k,
                         .n = n};
    plan_levels(b);
    b->depth = (k + b->tile->depth - 1) / b->tile->depth * b->tile->depth;
    const size_t depth = (size_t)b->depth, panels = (size_t)panels_of(b);
    const size_t parts = (size_t)scheme->parts;
    const size_t numbers = 2 * (size_t)b->tile->nr * sizeof(float);
    const size_t values = 2 * WF_TILE_ROWS *
                          (sizeof(double) + parts * sizeof(float));
    *bytes = *scratch = 0;
    return wf_mul_size(depth, parts * b->tile->b_bytes, &b->panel_bytes) &&
           add_block(panels, b->panel_bytes, bytes) &&
           add_block((size_t)n, sizeof(int), bytes) &&
           add_block(panels, 1, bytes) &&
           add_block((size_t)k, values, scratch) &&
           add_block(depth, parts * numbers, scratch);
}

/* ---- Numbers to parts ---------------------------------------------------- */

/* hi + lo to odd: the last bit says that something is left over, so that
 * rounding again, to a shorter format, is rounding once (Boldo and Melquiond,
 * IEEE TC 57, 2008). */
static double to_odd(double hi, double lo)
{
    uint64_t bits;
    memcpy(&bits, &hi, sizeof bits);
    if (lo == 0 || (bits & 1) != 0 || hi == 0)
        return hi;
    bits += (lo > 0) == (hi > 0) ? 1 : (uint64_t)-1;
    memcpy(&hi, &bits, sizeof bits);
    return hi;
}

/* A number in doubles, scaled already. */
static void split_sum(const wf_stationary *b, double hi, double lo,
                      float *parts)
{
    const wf_scheme *s = &b->scheme;
    const wf_tile_splits *splits = b->isa->splits;
    if (!s->sliced) {
        const wf_scheme one = {.format = s->format, .parts = 1};
        const double up = s->format == WF_FORMAT_BF16 ? 1 : 0x1p11;
        const int zero = 0;
        for (int p = 0; p < s->parts; p++) {
            double panel[2] = {to_odd(hi, lo), 0};
            float part[2];
            splits->split(&one, panel, 1, 1, &zero, part);
            parts[p] = part[0];
            const double rest = hi - part[0], sum = rest + lo;
            lo = ((rest - sum) + lo) * up; /* |rest| >= |lo|, or it is 0 */
            hi = sum * up;
        }
        return;
    }
    const int bits = wf_scheme_slice_bits(s);
    if (s->format == WF_FORMAT_INT8) {
        double v = ldexp(hi, bits * s->parts - 1), whole = rint(v);
        int64_t rest = (int64_t)whole +
                       (int64_t)rint((v - whole) +
                                     ldexp(lo, bits * s->parts - 1));
        for (int p = s->parts - 1; p > 0; p--) {
            const int64_t digit = ((rest + 128) & 255) - 128;
            parts[p] = (float)digit;
            rest = (rest - digit) / 256;
        }
        parts[0] = (float)rest;
        return;
    }
    hi = ldexp(hi, bits - 1);
    lo = ldexp(lo, bits - 1);
    for (int p = 0; p < s->parts; p++) {
        const double slice = rint(hi + lo);
        parts[p] = (float)slice;
        const double rest = hi - slice, sum = rest + lo;
        lo = ldexp((rest - sum) + lo, bits);
        hi = ldexp(sum, bits);
    }
}

/* ---- Filling ------------------------------------------------------------- */

/* The numbers of one panel, [part][depth][2][nr], to where the tile reads. */
static void arrange(const wf_stationary *b, const float *numbers, char *panel,
                    uint8_t *empty)
{
    const size_t depth = (size_t)b->depth;
    const size_t part = depth * 2 * (size_t)b->tile->nr;
    *empty = 0;
    for (int p = 0; p < b->scheme.parts; p++) {
        const float *from = numbers + (size_t)p * part;
        char *to = panel + (size_t)p * depth * b->tile->b_bytes;
        bool zeros = true;
        for (size_t i = 0; i < part; i++)
            zeros &= from[i] == 0;
        *empty = (uint8_t)(*empty | zeros << p);
        if (b->tile->convert_b != NULL)
            b->tile->convert_b(from, depth, to);
        else
            memcpy(to, from, part * sizeof(float));
    }
}

static void lay_out(wf_stationary *b, void *memory)
{
    const size_t panels = (size_t)panels_of(b) * b->panel_bytes;
    b->panels = memory;
    b->exponent = (int *)(b->panels + ((panels + 63) & ~(size_t)63));
    b->empty = (uint8_t *)b->exponent +
               (((size_t)b->n * sizeof(int) + 63) & ~(size_t)63);
}

/* A panel's columns `c` .. c + count - 1, from [k][mr][2] of T. */
#define PLACE(T)                                                     \
    do {                                                             \
        const T *from = values;                                      \
        T *to = (T *)panel + c;                                      \
        for (size_t i = 0; i < k; i++, from += 2 * mr, to += 2 * nr) \
            for (size_t l = 0; l < count; l++) {                     \
                to[l] = from[2 * l];                                 \
                to[nr + l] = from[2 * l + 1];                        \
            }                                                        \
    } while (0)

static void place(bool wide, const void *values, size_t k, size_t mr,
                  size_t count, size_t nr, size_t c, void *panel)
{
    if (wide)
        PLACE(double);
    else
        PLACE(float);
}

/* Columns first .. first + count - 1, the c-th of their panel and on.  Those
 * of a group beyond the last repeat the first. */
static void fill_columns(wf_stationary *b, const wf_strided *from,
                         int64_t first, size_t count, size_t c, char *panel,
                         char *scratch)
{
    const wf_scheme *s = &b->scheme;
    const wf_tile_moves *moves = from->real == WF_F64 ? b->isa->moves_f64
                                                      : b->isa->moves_f32;
    const size_t k = (size_t)b->k, nr = (size_t)b->tile->nr;
    const size_t mr = WF_TILE_ROWS;
    wf_lines lines = {.re = from->re,
                      .im = from->im,
                      .step = from->row,
                      .conjugate = from->conjugate};
    for (size_t l = 0; l < mr; l++)
        lines.offset[l] = (first + (int64_t)(l < count ? l : 0)) *
                          from->column;
    if (s->format == WF_FORMAT_F32) {
        moves->pack(&lines, (int)mr, k, scratch);
        place(false, scratch, k, mr, count, nr, c, panel);
        return;
    }
    double *values = (double *)scratch;
    moves->load(&lines, (int)mr, k, values);
    if (s->format == WF_FORMAT_F64) {
        place(true, values, k, mr, count, nr, c, panel);
        return;
    }
    int exponent[WF_TILE_ROWS];
    float *parts = (float *)(values + 2 * mr * k);
    b->isa->splits->limits(s, values, (int)mr, k, exponent);
    b->isa->splits->split(s, values, (int)mr, k, exponent, parts);
    for (size_t l = 0; l < count; l++)
        b->exponent[first + (int64_t)l] = exponent[l];
    for (int p = 0; p < s->parts; p++)
        place(false, parts + (size_t)p * 2 * mr * k, k, mr, count, nr, c,
              (float *)panel + (size_t)p * 2 * nr * (size_t)b->depth);
}

void wf_stationary_fill(wf_stationary *b, const wf_strided *from, void *memory,
                        void *scratch)
{
    const int nr = b->tile->nr;
    const bool native = wf_scheme_native(&b->scheme);
    const size_t columns = (size_t)b->k * 2 * WF_TILE_ROWS *
                           (sizeof(double) +
                            (size_t)b->scheme.parts * sizeof(float));
    float *numbers = (float *)((char *)scratch +
                               ((columns + 63) & ~(size_t)63));
    lay_out(b, memory);
    memset(b->exponent, 0, (size_t)b->n * sizeof *b->exponent);
    for (int64_t i = 0; i < panels_of(b); i++) {
        char *panel = b->panels + (size_t)i * b->panel_bytes;
        char *to = native ? panel : (char *)numbers;
        b->empty[i] = 0;
        memset(to, 0,
               native ? b->panel_bytes
                      : (size_t)b->scheme.parts * (size_t)b->depth * 2 *
                            (size_t)nr * sizeof(float));
        for (int c = 0; c < nr && i * nr + c < b->n; c += WF_TILE_ROWS) {
            int64_t count = b->n - (i * nr + c);
            count = count > nr - c ? nr - c : count;
            count = count > WF_TILE_ROWS ? WF_TILE_ROWS : count;
            fill_columns(b, from, i * nr + c, (size_t)count, (size_t)c, to,
                         scratch);
        }
        if (!native)
            arrange(b, numbers, panel, &b->empty[i]);
    }
}

/* ---- The DFT matrix ------------------------------------------------------ */

static void make_roots(const wf_stationary *b, bool inverse,
                       wf_root_parts *table)
{
    const int e = b->scheme.sliced && b->scheme.format == WF_FORMAT_INT8;
    for (int64_t i = 0; i < b->n; i++) {
        wf_dd re, im;
        wf_root_dd(inverse ? i : -i, (uint64_t)b->n, &re, &im);
        table[i].re = re.hi;
        table[i].im = im.hi;
        if (b->scheme.format == WF_FORMAT_F32) {
            table[i].part[0][0] = (float)to_odd(re.hi, re.lo);
            table[i].part[1][0] = (float)to_odd(im.hi, im.lo);
        } else if (b->scheme.format != WF_FORMAT_F64) {
            split_sum(b, ldexp(re.hi, -e), ldexp(re.lo, -e), table[i].part[0]);
            split_sum(b, ldexp(im.hi, -e), ldexp(im.lo, -e), table[i].part[1]);
        }
    }
    for (int64_t i = 0; i < b->n; i++)
        b->exponent[i] = e;
}

void wf_stationary_fill_dft(wf_stationary *b, bool inverse, void *memory,
                            void *scratch, wf_root_parts *table)
{
    const size_t nr = (size_t)b->tile->nr, depth = (size_t)b->depth;
    const bool wide = b->scheme.format == WF_FORMAT_F64;
    const bool native = wf_scheme_native(&b->scheme);
    float *numbers = scratch;
    lay_out(b, memory);
    make_roots(b, inverse, table);
    for (int64_t i = 0; i < panels_of(b); i++) {
        char *panel = b->panels + (size_t)i * b->panel_bytes;
        void *to = native ? (void *)panel : (void *)numbers;
        memset(to, 0,
               native
                   ? b->panel_bytes
                   : (size_t)b->scheme.parts * depth * 2 * nr * sizeof(float));
        for (size_t c = 0; c < nr; c++) {
            const int64_t j = i * (int64_t)nr + (int64_t)c;
            if (j >= b->n)
                break;
            int64_t phase = 0; /* j l mod n */
            for (size_t l = 0; l < (size_t)b->k; l++) {
                const wf_root_parts *root = &table[phase];
                const size_t at = 2 * l * nr + c;
                if (wide) {
                    ((double *)to)[at] = root->re;
                    ((double *)to)[at + nr] = root->im;
                }
                for (size_t p = 0; !wide && p < (size_t)b->scheme.parts; p++)
                    for (size_t plane = 0; plane < 2; plane++)
                        ((float *)to)[p * depth * 2 * nr + at + plane * nr] =
                            root->part[plane][p];
                phase += j;
                phase -= phase >= b->n ? b->n : 0;
            }
        }
        b->empty[i] = 0;
        if (!native)
            arrange(b, numbers, panel, &b->empty[i]);
    }
}
