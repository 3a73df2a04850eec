/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tile_amx.c - the tiles by AMX-BF16 and AMX-INT8.  base/cpu.c says that a
 * CPU has them only when the system also lets this process use them.
 *
 * Both have run on a Granite Rapids, where matrix_test holds them to the scalar
 * tile; elsewhere tile_amx_model.c is tested, the same template on the
 * instructions' meaning.
 */
#include <immintrin.h>
#include <stdint.h>

/* Palette 1: sixteen rows of 64 bytes in each register. */
typedef struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t bytes[16];
    uint8_t rows[16];
} tile_config;

static const tile_config whole_registers = {
    .palette = 1,
    .bytes = {64, 64, 64, 64, 64, 64, 64, 64},
    .rows = {16, 16, 16, 16, 16, 16, 16, 16}};

#define SUFFIX amx
#define BEGIN() _tile_loadconfig(&whole_registers)
#define END() _tile_release()
#define LOAD(t, p) _tile_loadd(t, p, 64)
#define STORE(t, p) _tile_stored(t, p, 64)
#define ZERO(t) _tile_zero(t)
#define DP_bf16(c, a, b) _tile_dpbf16ps(c, a, b)
#define DP_int8(c, a, b) _tile_dpbssd(c, a, b)
#include "kernel/matrix/tile_amx_tmpl.c"
