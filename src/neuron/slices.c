/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.c - transforms of any accuracy from bf16 products: fixed-point slices
 * so short that every FP32 sum is exact.
 *
 * A row x with |re|, |im| <= 2^e is the digits d_i = rint(rest 2^8), rest the
 * 2^9-fold of what the ones before left over, |d_i| <= 256 = 2^(9-1): numbers
 * of bf16.  The matrix likewise, from roots in double-double.  Of the products
 * of digits i and j those with i + j < slices are kept; products of one level
 * i + j may share an FP32 sum of 128 terms and two pairs, 2^8 2^16 = 2^24.
 * The host makes the digits and adds the sums in FP64, where they are exact;
 * then the levels, smallest first: total += sum 2^(-9 (i + j) - 16).  Every
 * machine that does this gets the same bits.
 *
 * Error: about (1 + 0.65 s) 2^(-9 s) of random rows (docs/neuron.md).  It is
 * relative to a row's largest element, so of a row with all its norm in one
 * element sqrt(n) times that.  The device needs no FP64 for it, and problems of
 * doubles are welcome.
 */
#include "neuron/lower.h"

#include <math.h>
#include <string.h>

#include "neuron/program.h"
#include "num/num.h"

enum { BETA = 9, TURN = 128, PAIRS = 2, NOT_FINITE = INT32_MAX };

/* One axis: rows of the host's planes, digits up, sums down.  Lives in the
 * program's list of contexts. */
typedef struct sliced {
    int64_t outer, n, inner; /* rows are outer x inner */
    int slices, groups, turns;
    int digits, sums; /* tensors: [slice][row][2n], [group][row][2n] */
    wf_nc_room planes, exponents;
    double scale;
} sliced;

/* Sums of one level: pairs two at a time, for each tile of the contraction. */
static int groups_of(const sliced *s, int level)
{
    return s->turns * (level / PAIRS + 1);
}

static int64_t rows_of(const sliced *s)
{
    return s->outer * s->inner;
}

/* Element j of a row, in a plane. */
static int64_t place(const sliced *s, int64_t row, int64_t j)
{
    return (row / s->inner * s->n + j) * s->inner + row % s->inner;
}

/* ---- On the host --------------------------------------------------------- */

/* The least e with |x| <= 2^e for all of a row. */
static int exponent_of(const sliced *s, const double *re, const double *im,
                       int64_t row)
{
    double most = 0;
    for (int64_t j = 0; j < s->n; j++) {
        double a = fabs(re[place(s, row, j)]), b = fabs(im[place(s, row, j)]);
        if (!isfinite(a) || !isfinite(b))
            return NOT_FINITE;
        most = a > most ? a : most;
        most = b > most ? b : most;
    }
    int e = 0;
    double m = most > 0 ? frexp(most, &e) : 0.5;
    return m == 0.5 ? e - 1 : e;
}

static void slice_row(const sliced *s, const double *plane, int64_t row,
                      int64_t half, int exponent, uint16_t *digits)
{
    int64_t side = 2 * s->n, all = rows_of(s) * side;
    for (int64_t j = 0; j < s->n; j++) {
        double rest = exponent == NOT_FINITE ? 0
                                             : ldexp(plane[place(s, row, j)],
                                                     BETA - 1 - exponent);
        for (int i = 0; i < s->slices; i++) {
            double digit = rint(rest);
            digits[i * all + row * side + half * s->n + j] = wf_f32_to_bf16(
                (float)digit);
            rest = (rest - digit) * (1 << BETA);
        }
    }
}

static void make_digits(const void *context, wf_nc_machine *m)
{
    const sliced *s = context;
    const double *re = wf_nc_machine_room(m, s->planes);
    const double *im = re + rows_of(s) * s->n;
    int *exponents = wf_nc_machine_room(m, s->exponents);
    uint16_t *digits = wf_nc_machine_tensor(m, s->digits);
    for (int64_t row = 0; row < rows_of(s); row++) {
        exponents[row] = exponent_of(s, re, im, row);
        slice_row(s, re, row, 0, exponents[row], digits);
        slice_row(s, im, row, 1, exponents[row], digits);
    }
}

static double combined(const sliced *s, const float *sums, int64_t at)
{
    int64_t all = rows_of(s) * 2 * s->n;
    double total = 0;
    for (int level = s->slices - 1, g = 0; level >= 0; level--) {
        double sum = 0;
        for (int last = g + groups_of(s, level); g < last; g++)
            sum += (double)sums[g * all + at];
        total += ldexp(sum, -BETA * level - 2 * (BETA - 1));
    }
    return total;
}

static void add_sums(const void *context, wf_nc_machine *m)
{
    const sliced *s = context;
    double *plane = wf_nc_machine_room(m, s->planes);
    const int *exponents = wf_nc_machine_room(m, s->exponents);
    const float *sums = wf_nc_machine_tensor(m, s->sums);
    for (int64_t row = 0; row < rows_of(s); row++)
        for (int64_t k = 0; k < 2 * s->n; k++) {
            int e = exponents[row];
            double x = e == NOT_FINITE
                           ? NAN
                           : ldexp(combined(s, sums, row * 2 * s->n + k), e);
            int64_t half = k / s->n * rows_of(s) * s->n;
            plane[half + place(s, row, k % s->n)] = x * s->scale;
        }
}

/* ---- The matrix's digits ------------------------------------------------- */

static void slice_root(wf_dd value, int slices, float *digit)
{
    double hi = ldexp(value.hi, BETA - 1), lo = ldexp(value.lo, BETA - 1);
    for (int i = 0; i < slices; i++) {
        double d = rint(hi + lo);
        digit[i] = (float)d;
        double rest = hi - d, sum = rest + lo;
        lo = ldexp((rest - sum) + lo, BETA);
        hi = ldexp(sum, BETA);
    }
}

/* [slice][2n][2n], rows and columns as in wf_nc_matrix_table. */
static int matrix_digits(wf_nc_lowering *l, int64_t n, int slices)
{
    wf_nc_program *p = l->program;
    int64_t side = 2 * n, all = side * side;
    float *values = NULL, *digit = NULL; /* of roots: [k][re, im][slice] */
    if (p->keep && p->status == WEFT_OK) {
        values = wf_alloc((size_t)(slices * all) * sizeof *values);
        digit = wf_alloc((size_t)(2 * n * slices) * sizeof *digit);
        if (values == NULL || digit == NULL)
            p->status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a table");
    }
    bool made = values != NULL && digit != NULL;
    for (int64_t k = 0; made && k < n; k++) {
        wf_dd re, im;
        wf_root_dd(l->inverse ? k : -k, (uint64_t)n, &re, &im);
        slice_root(re, slices, digit + 2 * k * slices);
        slice_root(im, slices, digit + (2 * k + 1) * slices);
    }
    for (int64_t j = 0; made && j < n; j++)
        for (int64_t k = 0; k < n; k++)
            for (int i = 0; i < slices; i++) {
                float re = digit[2 * (j * k % n) * slices + i];
                float im = digit[(2 * (j * k % n) + 1) * slices + i];
                float *at = values + i * all + j * side + k;
                at[0] = at[n * side + n] = re;
                at[n] = im;
                at[n * side] = -im;
            }
    int table = wf_nc_constant(p, WF_NC_BF16, slices * all, values);
    wf_free(values);
    wf_free(digit);
    return table;
}

/* ---- The kernel ---------------------------------------------------------- */

typedef struct kernel {
    wf_nc_program *p;
    const sliced *s;
    int64_t side, rows;
    int table, bank;
    int64_t at_digits, at_turned, at_table, at_out[4];
} kernel;

static int64_t turn_size(const kernel *k, int turn)
{
    return wf_nc_least(TURN, k->side - (int64_t)turn * TURN);
}

static wf_nc_view turned(const kernel *k, int slice, int turn, int64_t rows)
{
    int64_t slot = (int64_t)slice * k->s->turns + turn;
    return wf_nc_tile(WF_NC_SBUF, WF_NC_BF16, 0, (int)turn_size(k, turn),
                      k->at_turned + slot * TURN * 2, rows);
}

static wf_nc_view table_tile(const kernel *k, int slice, int turn,
                             int64_t count)
{
    int64_t slot = (int64_t)slice * k->s->turns + turn;
    return wf_nc_tile(WF_NC_SBUF, WF_NC_BF16, 0, (int)turn_size(k, turn),
                      k->at_table + slot * WF_NC_MOVING * 2, count);
}

static void turn_digits(kernel *k, int64_t first, int64_t rows)
{
    for (int i = 0; i < k->s->slices; i++) {
        wf_nc_view tile = wf_nc_tile(WF_NC_SBUF, WF_NC_BF16, 0, (int)rows,
                                     k->at_digits, k->side);
        wf_nc_load(k->p, tile,
                   wf_nc_rows(k->p, k->s->digits,
                              (i * k->rows + first) * k->side, k->side, rows,
                              k->side));
        for (int turn = 0; turn < k->s->turns; turn++) {
            int64_t size = turn_size(k, turn);
            wf_nc_view bank = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, (int)size,
                                         wf_nc_bank(k->bank++ % 4), rows);
            wf_nc_transpose(k->p, WF_NC_TENSOR, bank,
                            wf_nc_columns(tile, (int64_t)turn * TURN, size));
            wf_nc_copy(k->p, turn % 2 ? WF_NC_VECTOR : WF_NC_SCALAR,
                       turned(k, i, turn, rows), bank);
        }
    }
}

/* One exact sum: pairs (i, level - i), i = first .. first + pairs - 1. */
static void one_sum(kernel *k, int group, int level, int first, int pairs,
                    int turn, int64_t row, int64_t rows, int64_t column,
                    int64_t count)
{
    wf_nc_view bank = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, (int)rows,
                                 wf_nc_bank(4 + k->bank % 4), count);
    wf_nc_view out = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, (int)rows,
                                k->at_out[k->bank % 4], count);
    for (int i = 0; i < pairs; i++)
        wf_nc_matmul(k->p, bank, turned(k, first + i, turn, rows),
                     table_tile(k, level - first - i, turn, count), i > 0,
                     i == pairs - 1);
    wf_nc_copy(k->p, k->bank++ % 2 ? WF_NC_VECTOR : WF_NC_SCALAR, out, bank);
    wf_nc_load(k->p,
               wf_nc_rows(k->p, k->s->sums,
                          (group * k->rows + row) * k->side + column, k->side,
                          rows, count),
               out);
}

static void all_sums(kernel *k, int64_t row, int64_t rows, int64_t column,
                     int64_t count)
{
    int group = 0;
    for (int level = k->s->slices - 1; level >= 0; level--)
        for (int turn = 0; turn < k->s->turns; turn++)
            for (int i = 0; i <= level; i += PAIRS)
                one_sum(k, group++, level, i,
                        (int)wf_nc_least(PAIRS, level + 1 - i), turn, row,
                        rows, column, count);
}

static void load_table(const kernel *k, int64_t column, int64_t count)
{
    for (int i = 0; i < k->s->slices; i++)
        for (int turn = 0; turn < k->s->turns; turn++)
            wf_nc_load(k->p, table_tile(k, i, turn, count),
                       wf_nc_rows(k->p, k->table,
                                  ((int64_t)i * k->side + turn * TURN) *
                                          k->side +
                                      column,
                                  k->side, turn_size(k, turn), count));
}

static void emit(wf_nc_lowering *l, const sliced *s)
{
    wf_nc_program *p = l->program;
    kernel k = {.p = p,
                .s = s,
                .side = 2 * s->n,
                .rows = rows_of(s),
                .table = matrix_digits(l, s->n, s->slices)};
    int64_t slots = (int64_t)s->slices * s->turns;
    wf_nc_call(p);
    wf_nc_begin(p, "slices");
    wf_nc_use(p, s->digits, WF_NC_ARGUMENT);
    wf_nc_use(p, s->sums, WF_NC_RESULT);
    k.at_digits = wf_nc_sbuf(p, WF_NC_BF16, k.side);
    k.at_turned = wf_nc_sbuf(p, WF_NC_BF16, slots * TURN);
    k.at_table = wf_nc_sbuf(p, WF_NC_BF16, slots * WF_NC_MOVING);
    for (int i = 0; i < 4; i++)
        k.at_out[i] = wf_nc_sbuf(p, WF_NC_FP32, WF_NC_MOVING);
    for (int64_t column = 0; column < k.side; column += WF_NC_MOVING) {
        int64_t count = wf_nc_least(WF_NC_MOVING, k.side - column);
        load_table(&k, column, count);
        for (int64_t row = 0; row < k.rows; row += WF_NC_PARTITIONS) {
            int64_t rows = wf_nc_least(WF_NC_PARTITIONS, k.rows - row);
            turn_digits(&k, row, rows);
            all_sums(&k, row, rows, column, count);
        }
    }
    wf_nc_end(p);
}

void wf_nc_slices_axis(wf_nc_lowering *l, int slices, wf_nc_room planes,
                       int64_t outer, int64_t n, int64_t inner, double scale)
{
    wf_nc_program *p = l->program;
    int64_t numbers = outer * inner * 2 * n;
    sliced *s = wf_nc_context(p, sizeof *s);
    if (s == NULL)
        return;
    *s = (sliced){.outer = outer,
                  .n = n,
                  .inner = inner,
                  .slices = slices,
                  .turns = (int)((2 * n + TURN - 1) / TURN),
                  .planes = planes,
                  .scale = scale};
    for (int level = slices - 1; level >= 0; level--)
        s->groups += groups_of(s, level);
    s->digits = wf_nc_tensor(p, WF_NC_BF16, slices * numbers);
    s->sums = wf_nc_tensor(p, WF_NC_FP32, s->groups * numbers);
    s->exponents = wf_nc_host_room(p, (size_t)rows_of(s) * sizeof(int));
    wf_nc_host(p, make_digits, s, slices * numbers * 2);
    emit(l, s);
    wf_nc_host(p, add_sums, s, s->groups * numbers * 4);
    double law = (1 + 0.65 * slices) * ldexp(1, -BETA * slices);
    l->variance += law * law;
    l->worst += (double)n * law * law;
}

/* ---- No axis: the host alone --------------------------------------------- */

typedef struct scaled {
    wf_nc_room planes;
    int64_t numbers;
    double scale;
} scaled;

static void scale_planes(const void *context, wf_nc_machine *m)
{
    const scaled *s = context;
    double *plane = wf_nc_machine_room(m, s->planes);
    for (int64_t i = 0; i < s->numbers; i++)
        plane[i] *= s->scale;
}

void wf_nc_slices_copy(wf_nc_lowering *l, wf_nc_room planes, double scale)
{
    scaled *s = wf_nc_context(l->program, sizeof *s);
    if (s == NULL)
        return;
    *s = (scaled){planes, 2 * l->total, scale};
    wf_nc_host(l->program, scale_planes, s, 0);
}
