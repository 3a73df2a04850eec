/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.h - the noise that tests are made of: the same numbers on every
 * machine and in every run, by splitmix64 (Steele, Lea and Flood 2014).  Any
 * seed will do, 0 too; a thread has a state of its own.
 */
#ifndef WEFT_TESTS_RANDOM_H
#define WEFT_TESTS_RANDOM_H

#include <stdint.h>

typedef struct noise_state {
    uint64_t state;
} noise_state;

static inline uint64_t noise_bits(noise_state *noise)
{
    uint64_t z = noise->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 .. limit - 1, limit >= 1. */
static inline int64_t noise_below(noise_state *noise, int64_t limit)
{
    return (int64_t)(noise_bits(noise) % (uint64_t)limit);
}

/* Uniform in (-1, 1), never 0. */
static inline double noise_real(noise_state *noise)
{
    return (double)(noise_bits(noise) >> 12) * 0x1p-51 - 1 + 0x1p-52;
}

#endif
