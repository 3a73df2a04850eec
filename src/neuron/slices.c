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
 * A longer transform is passes of radix r, a call of the device each: rows of
 * r numbers n/r apart, sliced anew.  The host multiplies by the twiddles as it
 * makes the digits: three roundings in a fixed order, as the CPU engine has
 * them (cpu/staged.c), so a tree has the same bits there.  So has Bluestein's
 * convolution of a length with a large prime factor.
 *
 * Error: about (1 + 0.65 s) 2^(-9 s) a pass of random rows (docs/neuron.md).
 * It is relative to a row's largest element, so of a row with all its norm in
 * one element sqrt(r) times that.  The device needs no FP64 for it, and
 * problems of doubles are welcome.
 */
#include "neuron/lower.h"

#include <math.h>
#include <string.h>

#include "kernel/hand/spectrum.h"
#include "neuron/program.h"
#include "num/num.h"

enum { BETA = 9, TURN = 128, PAIRS = 2, NOT_FINITE = INT32_MAX };

/* One pass: butterflies of the host's planes, digits up, sums down.  Lives in
 * the program's list of contexts. */
typedef struct sliced {
    wf_nc_slab slab;
    int64_t r, s; /* radix, after transforms of length s */
    int slices, groups, turns;
    int digits, sums; /* tensors: [slice][row][2r], [group][row][2r] */
    wf_nc_room exponents, line; /* line: a row's 2r doubles */
    const double *root;         /* of s r; NULL: no twiddles, s = 1 */
    double scale;
    bool narrow;
} sliced;

/* Sums of one level: pairs two at a time, for each tile of the contraction. */
static int groups_of(const sliced *s, int level)
{
    return s->turns * (level / PAIRS + 1);
}

static int64_t numbers_of(const wf_nc_slab *slab)
{
    return slab->outer * slab->n * slab->inner;
}

static int64_t rows_of(const sliced *s)
{
    return numbers_of(&s->slab) / s->r;
}

/* Where element i of vector v is in a plane. */
static int64_t place(const wf_nc_slab *slab, int64_t v, int64_t i)
{
    return (v / slab->inner * slab->n + i) * slab->inner + v % slab->inner;
}

/* ---- On the host --------------------------------------------------------- */

/* Row (v, p, q) of the product is butterfly p, q of vector v: legs at
 * q + s p + j n/r, results at q + s (k + r p). */
typedef struct butterfly {
    int64_t v, p, q;
} butterfly;

static butterfly butterfly_of(const sliced *s, int64_t row)
{
    int64_t each = s->slab.n / s->r;
    return (butterfly){row / each, row % each / s->s, row % s->s};
}

static void load_line(const sliced *s, const double *re, const double *im,
                      int64_t row, double *line)
{
    butterfly b = butterfly_of(s, row);
    for (int64_t j = 0; j < s->r; j++) {
        int64_t at = place(&s->slab, b.v,
                           b.q + s->s * b.p + s->slab.n / s->r * j);
        double x = re[at], y = im[at];
        if (s->root != NULL) {
            const double *w = s->root + 2 * j * b.q;
            x = re[at] * w[0] - im[at] * w[1];
            y = re[at] * w[1] + im[at] * w[0];
        }
        line[j] = x;
        line[s->r + j] = y;
    }
}

/* The least e with |x| <= 2^e for all of a row. */
static int exponent_of(const double *line, int64_t count)
{
    double most = 0;
    for (int64_t j = 0; j < count; j++) {
        double a = fabs(line[j]);
        if (!isfinite(a))
            return NOT_FINITE;
        most = a > most ? a : most;
    }
    int e = 0;
    double m = most > 0 ? frexp(most, &e) : 0.5;
    return m == 0.5 ? e - 1 : e;
}

static void slice_row(const sliced *s, const double *line, int64_t row,
                      int exponent, uint16_t *digits)
{
    int64_t side = 2 * s->r, all = rows_of(s) * side;
    for (int64_t j = 0; j < side; j++) {
        double rest = exponent == NOT_FINITE
                          ? 0
                          : ldexp(line[j], BETA - 1 - exponent);
        for (int i = 0; i < s->slices; i++) {
            double digit = rint(rest);
            digits[i * all + row * side + j] = wf_f32_to_bf16((float)digit);
            rest = (rest - digit) * (1 << BETA);
        }
    }
}

static void make_digits(const void *context, wf_nc_machine *m)
{
    const sliced *s = context;
    const double *re = wf_nc_machine_room(m, s->slab.planes);
    const double *im = re + numbers_of(&s->slab);
    double *line = wf_nc_machine_room(m, s->line);
    int *exponents = wf_nc_machine_room(m, s->exponents);
    uint16_t *digits = wf_nc_machine_tensor(m, s->digits);
    for (int64_t row = 0; row < rows_of(s); row++) {
        load_line(s, re, im, row, line);
        exponents[row] = exponent_of(line, 2 * s->r);
        slice_row(s, line, row, exponents[row], digits);
    }
}

static double combined(const sliced *s, const float *sums, int64_t at)
{
    int64_t all = rows_of(s) * 2 * s->r;
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
    double *plane = wf_nc_machine_room(m, s->slab.planes);
    const int *exponents = wf_nc_machine_room(m, s->exponents);
    const float *sums = wf_nc_machine_tensor(m, s->sums);
    for (int64_t row = 0; row < rows_of(s); row++) {
        butterfly b = butterfly_of(s, row);
        int e = exponents[row];
        for (int64_t k = 0; k < 2 * s->r; k++) {
            double x = e == NOT_FINITE
                           ? NAN
                           : ldexp(combined(s, sums, row * 2 * s->r + k), e);
            int64_t half = k / s->r * numbers_of(&s->slab);
            x *= s->scale;
            plane[half +
                  place(&s->slab, b.v, b.q + s->s * (k % s->r + s->r * b.p))] =
                s->narrow ? (double)(float)x : x;
        }
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
                .side = 2 * s->r,
                .rows = rows_of(s),
                .table = matrix_digits(l, s->r, s->slices)};
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

/* All roots, which live as long as the program; NULL: not wanted, or told. */
static const double *circle(wf_nc_program *p, int64_t n, bool inverse)
{
    if (!p->keep || p->status != WEFT_OK)
        return NULL;
    double *root = wf_nc_context(p, (size_t)n * 2 * sizeof *root);
    if (root != NULL && !wf_roots_circle((uint64_t)n, !inverse, NULL, root))
        p->status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a table");
    return root;
}

static void one_pass(wf_nc_lowering *l, const sliced *pass)
{
    wf_nc_program *p = l->program;
    int64_t numbers = 2 * numbers_of(&pass->slab);
    sliced *s = wf_nc_context(p, sizeof *s);
    if (s == NULL)
        return;
    *s = *pass;
    s->turns = (int)((2 * s->r + TURN - 1) / TURN);
    if (s->s > 1)
        s->root = circle(p, s->s * s->r, l->inverse);
    for (int level = s->slices - 1; level >= 0; level--)
        s->groups += groups_of(s, level);
    s->digits = wf_nc_tensor(p, WF_NC_BF16, s->slices * numbers);
    s->sums = wf_nc_tensor(p, WF_NC_FP32, s->groups * numbers);
    s->exponents = wf_nc_host_room(p, (size_t)rows_of(s) * sizeof(int));
    s->line = wf_nc_host_room(p, (size_t)(2 * s->r) * sizeof(double));
    wf_nc_host(p, make_digits, s, s->slices * numbers * 2);
    emit(l, s);
    wf_nc_host(p, add_sums, s, s->groups * numbers * 4);
    double law = (1 + 0.65 * s->slices) * ldexp(1, -BETA * s->slices);
    const double variance = law * law + wf_nc_product_variance(l);
    l->variance += variance + 0.5 * 0x1p-106;
    l->worst += (double)s->r * variance + 0.5 * 0x1p-106;
}

static void all_passes(wf_nc_lowering *l, const wf_step *matrix,
                       wf_nc_slab slab, double scale, bool narrow)
{
    sliced pass = {
        .slab = slab, .s = 1, .slices = matrix->scheme.parts, .scale = 1};
    for (int i = 0; i < matrix->radices; i++, pass.s *= pass.r) {
        bool last = i == matrix->radices - 1;
        pass.r = matrix->radix[i];
        pass.scale = last ? scale : 1;
        pass.narrow = last && narrow;
        one_pass(l, &pass);
    }
}

/* ---- Convolution --------------------------------------------------------- */

/* Rows of `to` are those of `from` times the table, then zeros. */
typedef struct times {
    wf_nc_slab from, to;
    const double *table; /* [count] complex */
    int64_t count;
    double factor;
    bool narrow;
} times;

static void multiply_rows(const void *context, wf_nc_machine *m)
{
    const times *t = context;
    const double *re = wf_nc_machine_room(m, t->from.planes);
    const double *im = re + numbers_of(&t->from);
    double *to_re = wf_nc_machine_room(m, t->to.planes);
    double *to_im = to_re + numbers_of(&t->to);
    for (int64_t v = 0; v < t->to.outer * t->to.inner; v++)
        for (int64_t i = 0; i < t->to.n; i++) {
            int64_t to = place(&t->to, v, i), from = place(&t->from, v, i);
            double x = 0, y = 0;
            if (i < t->count) {
                double a = re[from], b = im[from];
                double c = t->table[2 * i], d = t->table[2 * i + 1];
                x = t->factor * (a * c - b * d);
                y = t->factor * (a * d + b * c);
            }
            to_re[to] = t->narrow ? (double)(float)x : x;
            to_im[to] = t->narrow ? (double)(float)y : y;
        }
}

static void exchange_planes(const void *context, wf_nc_machine *m)
{
    const wf_nc_slab *slab = context;
    double *re = wf_nc_machine_room(m, slab->planes);
    double *im = re + numbers_of(slab);
    for (int64_t i = 0; i < numbers_of(slab); i++) {
        double x = re[i];
        re[i] = im[i];
        im[i] = x;
    }
}

static void host_product(wf_nc_program *p, const times *what)
{
    times *t = wf_nc_context(p, sizeof *t);
    if (t == NULL)
        return;
    *t = *what;
    wf_nc_host(p, multiply_rows, t, 0);
}

static void host_exchange(wf_nc_program *p, const wf_nc_slab *slab)
{
    wf_nc_slab *kept = wf_nc_context(p, sizeof *kept);
    if (kept == NULL)
        return;
    *kept = *slab;
    wf_nc_host(p, exchange_planes, kept, 0);
}

/* The chirp, then the spectrum; NULL: not wanted, or told. */
static const double *convolution_tables(wf_nc_program *p, int64_t n, int64_t m,
                                        bool inverse)
{
    if (!p->keep || p->status != WEFT_OK)
        return NULL;
    size_t count = 2 * (size_t)(n + m);
    double *chirp = wf_nc_chirp_doubles(p, n, m, inverse);
    double *table = chirp == NULL ? NULL
                                  : wf_nc_context(p, count * sizeof *table);
    if (table != NULL) {
        memcpy(table, chirp, 2 * (size_t)n * sizeof *table);
        weft_status status = wf_make_spectrum(WF_F64, false, chirp + 2 * n, m,
                                              table + 2 * n);
        if (status != WEFT_OK)
            p->status = status;
    }
    wf_free(chirp);
    return table;
}

/* The inverse transform is the forward one with the planes exchanged on both
 * sides, as in cpu/matrix.c. */
static void convolution(wf_nc_lowering *l, const wf_step *matrix,
                        wf_nc_slab slab, double scale, bool narrow)
{
    wf_nc_program *p = l->program;
    int64_t n = slab.n, m = matrix->split[0],
            vectors = slab.outer * slab.inner;
    wf_nc_lowering forward = *l;
    wf_nc_slab wide = {wf_nc_host_room(p, (size_t)(vectors * m) * 2 *
                                              sizeof(double)),
                       vectors, m, 1};
    const double *table = convolution_tables(p, n, m, l->inverse);
    forward.inverse = false;
    host_product(p, &(times){slab, wide, table, n, 1, false});
    all_passes(&forward, matrix, wide, 1, false);
    host_product(p, &(times){wide, wide, table ? table + 2 * n : NULL, m, 1,
                             false});
    host_exchange(p, &wide);
    all_passes(&forward, matrix, wide, 1, false);
    host_exchange(p, &wide);
    host_product(p, &(times){wide, slab, table, n, scale, narrow});
    l->variance = forward.variance + 0x1p-106;
    l->worst = forward.worst + 0x1p-106;
}

void wf_nc_slices_axis(wf_nc_lowering *l, const wf_step *matrix,
                       wf_nc_slab slab, double scale, bool narrow)
{
    if (matrix->split[0] != 0)
        convolution(l, matrix, slab, scale, narrow);
    else
        all_passes(l, matrix, slab, scale, narrow);
}
