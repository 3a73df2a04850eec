/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_tmpl.c - the table of one type and ISA.
 */
#define TABLE JOIN(JOIN(TABLE_TYPE, _), ISA)

extern const TABLE_TYPE TABLE;
const TABLE_TYPE TABLE = {
    .lanes = LANES,
    .multiply = multiply,
    .multiply_turned = multiply_turned,
    .multiply_turned_both = multiply_turned_both,
    .multiply_to_blocks = multiply_to_blocks,
    .multiply_blocks = multiply_blocks,
#if VECTOR_BYTES >= 32
    .twist_to_blocks = twist_to_blocks,
    .twist_from_blocks = twist_from_blocks,
#endif
    .multiply_from_blocks = multiply_from_blocks,
    .multiply_powers = multiply_powers,
    .scale = scale,
    .merge = merge,
    .gather = gather,
    .scatter = scatter,
    .gather_wide = gather_wide,
    .scatter_wide = scatter_wide,
    .gather_wide_reals = gather_wide_reals,
    .scatter_wide_reals = scatter_wide_reals,
    .gather_many = gather_many,
    .scatter_many = scatter_many,
    .move_reals = move_reals,
#if BITS == 32
    .square_reals = square_reals,
#endif
    .gather_index = gather_index,
    .scatter_index = scatter_index,
    .stream = stream,
    .real_unpack = real_unpack,
    .real_pack = real_pack,
    .real_row = real_row,
    .real_some = real_some,
    .real_unpack_ends = real_unpack_ends,
    .real_pack_ends = real_pack_ends,
    .real_tiny = real_tiny,
    .real_tiny_back = real_tiny_back,
    .real_widen = real_widen,
    .real_halve = real_halve,
    .real_mirror = real_mirror,
    .real_narrow = real_narrow,
    .half_out = half_out,
    .half_in = half_in,
#if VECTOR_BYTES >= 32
    .half_in_legs = half_in_legs,
#endif
    .turn_row = turn_row,
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
    .hartley_pick = hartley_pick,
    .hartley_place = hartley_place,
    .part = part,
    .dense = {{dense_plain_1, dense_plain_2, dense_plain_3, dense_plain_4},
              {dense_pairs_1, dense_pairs_2, dense_pairs_3, dense_pairs_4},
              {dense_both_1, dense_both_2, dense_both_3, dense_both_4}},
    .dense_columns = dense_columns,
    .rows_widen = rows_widen,
    .rows_narrow = rows_narrow,
#if VECTOR_BYTES >= 32
    .dense_few = dense_few,
    .dense_rows = dense_rows,
    .window_rows = window_rows,
#endif
#ifdef ONE_LANE
    .dense_lone = dense_lone,
#else
    .lanes_in = lanes_in,
    .lanes_out = lanes_out,
    .lanes_join = lanes_join,
    .lanes_part = lanes_part,
    .lanes_half_out = lanes_half_out,
    .lanes_half_in = lanes_half_in,
    .lanes_quarter_in = lanes_quarter_in,
    .lanes_quarter_out = lanes_quarter_out,
#endif
#if VECTOR_BYTES >= 32
    .embed_in = embed_in,
    .embed_out = embed_out,
#endif
    .transpose = transpose,
    .transpose_twiddle = transpose_twiddle,
    .transpose_square = transpose_square,
    .transpose_square_twiddle = transpose_square_twiddle,
    .transpose_swap = transpose_swap,
    .transpose_rect = transpose_rect,
    .column_twiddle_transpose = column_twiddle_transpose,
#if VECTOR_BYTES >= 32
    .column_to_tiles = column_to_tiles,
    .column_from_tiles = column_from_tiles,
#endif
    .column_twiddle = column_twiddle,
    .column_gather = column_gather,
    .column_scatter = column_scatter,
    .column_multiply = column_multiply,
    .column_share = column_share,
};
