/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * num.h - floor 2: exact arithmetic that planning, tables and the generator
 * share.  No samples, no ISA.
 */
#ifndef WEFT_NUM_NUM_H
#define WEFT_NUM_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- factor.c ----------------------------------------------------------- */
typedef struct wf_factors {
    int count; /* distinct primes, ascending */
    uint64_t prime[16];
    int power[16];
} wf_factors;
/* n >= 1; trial division by small primes, then Pollard rho with a
 * deterministic Miller-Rabin test: microseconds for any 64-bit n. */
wf_factors wf_factor(uint64_t n);
bool wf_is_prime(uint64_t n);
uint64_t wf_largest_prime_factor(uint64_t n); /* 1 for n = 1 */
/* The smallest m >= n whose prime factors are all <= largest (2,3,5,7,11 or
 * 13); 0 when it would not fit in 63 bits. */
uint64_t wf_next_smooth(uint64_t n, int largest);
uint64_t wf_gcd(uint64_t a, uint64_t b);

/* ---- modular.c ---------------------------------------------------------- */
uint64_t wf_mul_mod(uint64_t a, uint64_t b, uint64_t m); /* 128-bit inside */
uint64_t wf_pow_mod(uint64_t a, uint64_t e, uint64_t m);
uint64_t wf_inverse_mod(uint64_t a, uint64_t m); /* 0 when none */
uint64_t wf_primitive_root(uint64_t p);          /* smallest, p prime */

/* ---- dd.c: double-double (about 106 bits), Dekker/Knuth, FMA products --- */
typedef struct wf_dd {
    double hi, lo;
} wf_dd;
wf_dd wf_dd_add(wf_dd a, wf_dd b);
wf_dd wf_dd_sub(wf_dd a, wf_dd b);
wf_dd wf_dd_mul(wf_dd a, wf_dd b);
wf_dd wf_dd_div(wf_dd a, wf_dd b);
wf_dd wf_dd_sqrt(wf_dd a);

/* ---- roots.c: exp(2 pi i k / n), the phase reduced in integers --------- */
/* k may be any value (reduced mod n, sign respected), n >= 1.  The octant is
 * found in integers, the sine and cosine evaluated in double-double on
 * [0, pi/4], so that 0, +-1, +-sqrt(1/2) are exact and the symmetries hold to
 * the bit.  Relative error below 2^-100. */
void wf_root_dd(int64_t k, uint64_t n, wf_dd *re, wf_dd *im);
/* Rounded once to double. */
void wf_root(int64_t k, uint64_t n, double *re, double *im);
/* Rounded once to float (not twice). */
void wf_root_f32(int64_t k, uint64_t n, float *re, float *im);

/* ---- half.c: IEEE binary16 and bfloat16, round to nearest even --------- */
uint16_t wf_f32_to_f16(float x);
float wf_f16_to_f32(uint16_t x);
uint16_t wf_f32_to_bf16(float x);
float wf_bf16_to_f32(uint16_t x);

#endif
