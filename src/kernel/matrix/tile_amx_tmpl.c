/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tile_amx_tmpl.c - the tile of complex sums on a matrix unit whose registers
 * are 16 rows of 64 bytes: bf16 with FP32 sums, int8 with int32 sums.
 *
 * Needs SUFFIX, and for tile registers 0 .. 7 the operations BEGIN() (all
 * rows, all bytes), END(), LOAD(t, p) and STORE(t, p) of 1 KiB, ZERO(t),
 * DP_bf16(c, a, b) and DP_int8(c, a, b): tile_amx.c has the instructions,
 * tile_amx_model.c their meaning in C.
 *
 * re = P - Q with P = re_a re_b and Q = im_a im_b: no operand is negated, as
 * int8 has no +128.  A panel holds, for `depth` terms, the register of re and
 * that of im: A by rows, B by groups of terms that share a 32-bit word
 * (2 bf16, 4 int8), as the unit wants.  int8 sums stay below 2^24, where the
 * floats they become are exact.
 */
#include <string.h>

#include "kernel/matrix/matrix.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

enum { SIDE = 16, REGISTER = 1024, DEPTH_BF16 = 32, DEPTH_INT8 = 64 };

/* All products of a tile into registers 0 (P), 1 (Q), 2 (im). */
#define SUM_TILE(pairs, a, b, k, depth, DP)                \
    do {                                                   \
        ZERO(0);                                           \
        ZERO(1);                                           \
        ZERO(2);                                           \
        for (int p_ = 0; p_ < (pairs); p_++) {             \
            const char *x_ = (a)[p_], *w_ = (b)[p_];       \
            for (size_t i_ = 0; i_ < (k); i_ += (depth)) { \
                LOAD(3, x_);                               \
                LOAD(4, x_ + REGISTER);                    \
                LOAD(5, w_);                               \
                LOAD(6, w_ + REGISTER);                    \
                DP(0, 3, 5);                               \
                DP(1, 4, 6);                               \
                DP(2, 3, 6);                               \
                DP(2, 4, 5);                               \
                x_ += 2 * REGISTER;                        \
                w_ += 2 * REGISTER;                        \
            }                                              \
        }                                                  \
    } while (0)

static void run_bf16(int pairs, const void *const a[], const void *const b[],
                     size_t k, void *out)
{
    float sum[3][SIDE][SIDE];
    float *tile = out;
    BEGIN();
    SUM_TILE(pairs, a, b, k, DEPTH_BF16, DP_bf16);
    STORE(0, sum[0]);
    STORE(1, sum[1]);
    STORE(2, sum[2]);
    END();
    for (int r = 0; r < SIDE; r++)
        for (int c = 0; c < SIDE; c++) {
            tile[2 * r * SIDE + c] = sum[0][r][c] - sum[1][r][c];
            tile[(2 * r + 1) * SIDE + c] = sum[2][r][c];
        }
}

static void run_int8(int pairs, const void *const a[], const void *const b[],
                     size_t k, void *out)
{
    int32_t sum[3][SIDE][SIDE];
    float *tile = out;
    BEGIN();
    SUM_TILE(pairs, a, b, k, DEPTH_INT8, DP_int8);
    STORE(0, sum[0]);
    STORE(1, sum[1]);
    STORE(2, sum[2]);
    END();
    for (int r = 0; r < SIDE; r++)
        for (int c = 0; c < SIDE; c++) {
            tile[2 * r * SIDE + c] = (float)(sum[0][r][c] - sum[1][r][c]);
            tile[(2 * r + 1) * SIDE + c] = (float)sum[2][r][c];
        }
}

static uint16_t to_bf16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* Term i of row r, plane by plane. */
static void a_bf16(const float *numbers, size_t k, void *panel)
{
    for (size_t i = 0; i < k; i++)
        for (size_t r = 0; r < SIDE; r++)
            for (size_t plane = 0; plane < 2; plane++) {
                uint16_t *to = (uint16_t *)((char *)panel +
                                            (2 * (i / DEPTH_BF16) + plane) *
                                                REGISTER);
                to[r * DEPTH_BF16 + i % DEPTH_BF16] = to_bf16(
                    numbers[2 * (i * SIDE + r) + plane]);
            }
}

static void a_int8(const float *numbers, size_t k, void *panel)
{
    for (size_t i = 0; i < k; i++)
        for (size_t r = 0; r < SIDE; r++)
            for (size_t plane = 0; plane < 2; plane++) {
                int8_t *to = (int8_t *)panel +
                             (2 * (i / DEPTH_INT8) + plane) * REGISTER;
                to[r * DEPTH_INT8 + i % DEPTH_INT8] =
                    (int8_t)numbers[2 * (i * SIDE + r) + plane];
            }
}

/* Term i of column c: word (i / 2 or i / 4, c). */
static void b_bf16(const float *numbers, size_t k, void *panel)
{
    for (size_t i = 0; i < k; i++)
        for (size_t plane = 0; plane < 2; plane++)
            for (size_t c = 0; c < SIDE; c++) {
                uint16_t *to = (uint16_t *)((char *)panel +
                                            (2 * (i / DEPTH_BF16) + plane) *
                                                REGISTER);
                to[(i % DEPTH_BF16 / 2 * SIDE + c) * 2 + i % 2] = to_bf16(
                    numbers[(2 * i + plane) * SIDE + c]);
            }
}

static void b_int8(const float *numbers, size_t k, void *panel)
{
    for (size_t i = 0; i < k; i++)
        for (size_t plane = 0; plane < 2; plane++)
            for (size_t c = 0; c < SIDE; c++) {
                int8_t *to = (int8_t *)panel +
                             (2 * (i / DEPTH_INT8) + plane) * REGISTER;
                to[(i % DEPTH_INT8 / 4 * SIDE + c) * 4 + i % 4] =
                    (int8_t)numbers[(2 * i + plane) * SIDE + c];
            }
}

extern const wf_tile JOIN(wf_tile_bf16_, SUFFIX), JOIN(wf_tile_int8_, SUFFIX);
const wf_tile JOIN(wf_tile_bf16_,
                   SUFFIX) = {.name = "tile_bf16_" TEXT(SUFFIX),
                              .holds = WF_FORMAT_BF16,
                              .mr = SIDE,
                              .nr = SIDE,
                              .depth = DEPTH_BF16,
                              .a_bytes = 2 * REGISTER / DEPTH_BF16,
                              .b_bytes = 2 * REGISTER / DEPTH_BF16,
                              .run = run_bf16,
                              .convert_a = a_bf16,
                              .convert_b = b_bf16};
const wf_tile JOIN(wf_tile_int8_,
                   SUFFIX) = {.name = "tile_int8_" TEXT(SUFFIX),
                              .holds = WF_FORMAT_INT8,
                              .mr = SIDE,
                              .nr = SIDE,
                              .depth = DEPTH_INT8,
                              .a_bytes = 2 * REGISTER / DEPTH_INT8,
                              .b_bytes = 2 * REGISTER / DEPTH_INT8,
                              .run = run_int8,
                              .convert_a = a_int8,
                              .convert_b = b_int8};
