/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_tmpl.c - the table of one type and ISA.
 */
#define TABLE2(prefix, isa) prefix##_##isa
#define TABLE1(prefix, isa) TABLE2(prefix, isa)
#define TABLE TABLE1(F(wf_hand), ISA)

extern const F(wf_hand) TABLE;
const F(wf_hand) TABLE = {
    .lanes = LANES,
    .multiply = F(multiply),
    .multiply_conj = F(multiply_conj),
    .scale = F(scale),
    .scale_strided = F(scale_strided),
    .copy = F(copy),
    .gather = F(gather),
    .scatter = F(scatter),
    .gather_many = F(gather_many),
    .scatter_many = F(scatter_many),
    .gather_index = F(gather_index),
    .scatter_index = F(scatter_index),
    .transpose = F(transpose),
    .transpose_twiddle = F(transpose_twiddle),
    .transpose_square = F(transpose_square),
    .transpose_square_twiddle = F(transpose_square_twiddle),
    .transpose_rect = F(transpose_rect),
    .column_twiddle_transpose = F(column_twiddle_transpose),
};

#undef TABLE
#undef TABLE1
#undef TABLE2
