/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_tmpl.c - the table of one type and ISA.
 */
#define TABLE JOIN(JOIN(TABLE_TYPE, _), ISA)

extern const TABLE_TYPE TABLE;
const TABLE_TYPE TABLE = {
    .lanes = LANES,
    .multiply = multiply,
    .multiply_powers = multiply_powers,
    .scale = scale,
    .gather = gather,
    .scatter = scatter,
    .gather_wide = gather_wide,
    .scatter_wide = scatter_wide,
    .gather_many = gather_many,
    .scatter_many = scatter_many,
    .move_reals = move_reals,
    .gather_index = gather_index,
    .scatter_index = scatter_index,
    .real_unpack = real_unpack,
    .real_pack = real_pack,
    .real_tiny = real_tiny,
    .real_tiny_back = real_tiny_back,
    .real_widen = real_widen,
    .real_halve = real_halve,
    .real_mirror = real_mirror,
    .real_narrow = real_narrow,
    .half_out = half_out,
    .half_in = half_in,
    .odd_out = odd_out,
    .odd_in = odd_in,
    .quarter_in = quarter_in,
    .quarter_out = quarter_out,
    .unzip = unzip,
    .zip = zip,
    .weave = weave,
    .fold = fold,
    .unfold = unfold,
    .part_of = part_of,
    .pick = pick,
    .transpose = transpose,
    .transpose_twiddle = transpose_twiddle,
    .transpose_square = transpose_square,
    .transpose_square_twiddle = transpose_square_twiddle,
    .transpose_rect = transpose_rect,
    .column_twiddle_transpose = column_twiddle_transpose,
};
