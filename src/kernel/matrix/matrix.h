/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - complex matrix products C = A B in any number format.
 *
 * The stationary operand B is split into parts and packed once (wf_stationary,
 * the DFT matrix of a plan); the rows of A are packed as they come, a group of
 * `mr` rows at a time, and both planes of both operands are loaded once for
 * the four real products.  A tile of mr x nr complex sums stays in registers.
 *
 * Exactness.  In f32 and f64 the products are rounded as that type does.  In
 * every other scheme the products are exact in FP32, and the sums of at most
 * wf_scheme_columns() terms are FP32 sums; sums of sums are FP64.  So slices
 * give the same bits on every instruction set, engine, batch size and thread
 * count, and the other schemes give the same bits wherever the FP32 tile
 * computes them.
 *
 * No remainder is dropped: panels are padded with zeros, rows beyond the last
 * repeat the first of their group, and neither is stored.
 *
 * Units.  Steps and offsets count scalars, not complex numbers, not bytes.
 */
#ifndef WEFT_KERNEL_MATRIX_MATRIX_H
#define WEFT_KERNEL_MATRIX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/isa.h"
#include "num/num.h"

enum {
    WF_TILE_ROWS = 16,   /* mr at most */
    WF_TILE_COLUMNS = 64 /* nr at most */
};

/* ---- The kernels of one instruction set --------------------------------- */

/* Sums a tile: for each of `pairs` panels of A and B, k complex terms, in
 * order; terms add re_a re_b, then -im_a im_b to re; re_a im_b, then im_a re_b
 * to im.  out: [mr][2][nr], re before im.
 *
 * Panels of numbers: A [k][mr][2], B [k][2][nr].  Tiles that want another
 * arrangement convert from these (float); their panels hold multiples of
 * `depth` terms, the rest zeros. */
typedef struct wf_tile {
    const char *name; /* "tile_f32_avx512" */
    wf_format holds;  /* what a panel can hold: F64, F32, BF16, INT8 */
    int mr, nr;
    int depth;               /* power of two, divides 64 */
    size_t a_bytes, b_bytes; /* of one term of a panel */
    void (*run)(int pairs, const void *const a[], const void *const b[],
                size_t k, void *out);
    void (*convert_a)(const float *numbers, size_t k, void *panel);
    void (*convert_b)(const float *numbers, size_t k, void *panel);
} wf_tile;

/* A group of rows in the caller's memory; row r of it, column j: re at
 * re + offset[r] + j step.  twiddle (or NULL): column j of row r is multiplied
 * by the complex number at twiddle + 2 (j twiddle_step + turn[r]). */
typedef struct wf_lines {
    const void *re, *im;
    void *to_re, *to_im; /* when written */
    ptrdiff_t offset[WF_TILE_ROWS];
    ptrdiff_t step;
    const void *twiddle;
    ptrdiff_t twiddle_step;
    ptrdiff_t turn[WF_TILE_ROWS];
    bool conjugate;
} wf_lines;

/* The loops around the tiles, for samples of one type T. */
typedef struct wf_tile_moves {
    /* A panel of T from rows; twiddles are T. */
    void (*pack)(const wf_lines *lines, int mr, size_t k, void *panel);
    /* The same numbers as doubles; twiddles are doubles. */
    void (*load)(const wf_lines *lines, int mr, size_t k, void *panel);
    /* sum += tile, `count` numbers of T. */
    void (*add)(void *sum, const void *tile, size_t count);
    /* `rows` x `columns` of a tile [mr][2][nr] of T, or of doubles that are
     * scaled by 2^(exponent[r] + column_exponent[c]), times factor, to the
     * rows; `more`: added to them. */
    void (*write)(const wf_lines *lines, const void *tile, int rows, int nr,
                  size_t columns, double factor, bool more);
    void (*store)(const wf_lines *lines, const double *tile, int rows, int nr,
                  size_t columns, const int *exponent,
                  const int *column_exponent, double factor, bool more);
} wf_tile_moves;

#define WF_NOT_FINITE INT32_MAX

/* The loops on doubles and FP32 numbers that no type of samples enters. */
typedef struct wf_tile_splits {
    /* The least e with |x| <= 2^e for every number of each line of
     * panel[k][lines][2] (int8: with room for digits that carry); 0 for a
     * line of zeros.  A line with a NaN or an infinity is WF_NOT_FINITE, and
     * zeros from then on. */
    void (*limits)(const wf_scheme *scheme, double *panel, int lines, size_t k,
                   int *exponent);
    /* The parts or slices of the panel, which is scaled by 2^-exponent[line]
     * in place, as floats: part p at parts + p 2 k lines. */
    void (*split)(const wf_scheme *scheme, double *panel, int lines, size_t k,
                  const int *exponent, float *parts);
    /* sum += tile; total += weight sum, weight a power of two. */
    void (*add)(double *sum, const float *tile, size_t count);
    void (*combine)(double *total, const double *sum, double weight,
                    size_t count);
} wf_tile_splits;

typedef struct wf_matrix_isa {
    const wf_tile *f64, *f32;
    const wf_tile_moves *moves_f64, *moves_f32;
    const wf_tile_splits *splits;
} wf_matrix_isa;

/* isa.c: of this level, or of the widest below that was compiled. */
const wf_matrix_isa *wf_matrix_isa_for(wf_isa isa);
/* The tile that multiplies a scheme's numbers on this CPU; `portable`: that
 * of the level itself, which every CPU of the level has. */
const wf_tile *wf_tile_for(const wf_scheme *scheme, wf_isa isa, bool portable);
/* All tiles compiled in, for tests and reports; NULL after the last.  Only
 * run those of this CPU. */
const wf_tile *wf_tile_at(int index, wf_isa *isa, const char **feature);
/* "avx512bf16", or NULL: no hardware, the FP32 tile does it exactly. */
const char *wf_format_hardware(wf_format format);

/* ---- stationary.c: the operand that is packed once ----------------------- */

/* Products of parts that may share sums, smallest first; the level's sum is
 * worth `weight` times the whole. */
typedef struct wf_level {
    int pairs;
    uint8_t a[WF_SCHEME_PARTS], b[WF_SCHEME_PARTS];
    double weight;
} wf_level;

typedef struct wf_stationary {
    wf_scheme scheme;
    const wf_tile *tile;
    const wf_matrix_isa *isa;
    int levels;
    wf_level level[WF_SCHEME_PARTS]; /* in the order in which they are added */
    int64_t k, n;
    int64_t depth;      /* k rounded up to the tile's depth */
    size_t panel_bytes; /* of all parts of a panel of nr columns */
    char *panels;
    int *exponent; /* of each column, which is scaled by 2^-e; 0 in f32, f64 */
    uint8_t *empty; /* a bit for each part of a panel that is all zeros */
} wf_stationary;

/* Describes the operand; *bytes: the memory that wf_stationary_fill wants,
 * 64-byte aligned, and *scratch while it fills.  False when the sizes do not
 * fit. */
bool wf_stationary_plan(wf_stationary *b, const wf_scheme *scheme, wf_isa isa,
                        bool portable, int64_t k, int64_t n, size_t *bytes,
                        size_t *scratch);

/* From a matrix in memory: element (i, j) at re + i row + j column. */
typedef struct wf_strided {
    wf_real real; /* WF_F32 in the f32 scheme */
    const void *re, *im;
    ptrdiff_t row, column;
    bool conjugate;
} wf_strided;
void wf_stationary_fill(wf_stationary *b, const wf_strided *from, void *memory,
                        void *scratch);
/* The DFT matrix of k = n points, exp(-2 pi i j k/n) (inverse: +), each
 * entry rounded once from its integer phase.  `table` is n of these. */
typedef struct wf_root_parts {
    double re, im;                  /* f64 */
    float part[2][WF_SCHEME_PARTS]; /* the others; f32: part 0 */
} wf_root_parts;
void wf_stationary_fill_dft(wf_stationary *b, bool inverse, void *memory,
                            void *scratch, wf_root_parts *table);

/* ---- multiply.c ---------------------------------------------------------- */

/* Where rows are: row i = (b, p, q), q fastest, starts at
 * b * outer + p * middle + q * inner; its columns are `step` apart. */
typedef struct wf_row_map {
    ptrdiff_t outer, middle, inner, step;
} wf_row_map;

typedef struct wf_multiply {
    const wf_stationary *b;
    wf_real in_real, out_real; /* WF_F32 both in the f32 scheme */
    int64_t nq, np;            /* extents of q and p */
    wf_row_map in, out;
    const void *twiddle; /* [k][nq] complex, T (native schemes) or double */
    bool conjugate;      /* of the numbers of A */
    bool more;           /* C += A B */
    double factor;       /* C = factor A B */
} wf_multiply;

/* Rows begin .. end-1.  All of a block of rows is read before any of it is
 * written.  scratch: wf_multiply_scratch bytes, 64-byte aligned. */
void wf_multiply_rows(const wf_multiply *m, const void *in_re,
                      const void *in_im, void *out_re, void *out_im,
                      int64_t begin, int64_t end, char *scratch);
size_t wf_multiply_scratch(const wf_stationary *b);
/* Rows that are packed together; threads should take multiples of it. */
int64_t wf_multiply_block(const wf_stationary *b);

#endif
