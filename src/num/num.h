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
/* Of odd n, the residue 1 mod 8 among +-(2j+1) and 4n +- (2j+1), mod 8n; the cosine of
 * an odd multiple changes sign with 4n: then it is negative. */
static inline int64_t wf_residue_of_eighths(int64_t n, int64_t j,
                                            bool *negative)
{
    int64_t a = 2 * j + 1, way[4] = {a, 8 * n - a, 4 * n + a, 4 * n - a};
    int i = 0;
    while (i < 3 && way[i] % 8 != 1)
        i++;
    *negative = i >= 2;
    return way[i];
}
/* out[i] = g^i mod p, i < count; 0 < g < p < 2^31. */
void wf_powers_mod(uint64_t g, uint64_t p, size_t count, uint32_t *out);

/* ---- dd.c: double-double (about 106 bits), Knuth sums, Dekker products  */
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

/* Many roots: re_im[2i], re_im[2i+1] = root of k = start + i*step, each
 * within 0.5 + 2^-24 ulp (the float form: rounded once, the same bound).
 * No memory for the inner table only makes it slower. */
void wf_roots(uint64_t n, int64_t start, int64_t step, size_t count,
              double *re_im);
void wf_roots_f32(uint64_t n, int64_t start, int64_t step, size_t count,
                  float *re_im);

/* cosine[i] + i sine[i] = (by[0] + i by[2]) (at[0][i] + i at[2][i]), i < count,
 * rounded; by[1], by[3], at[1], at[3] are what is left of numbers of 26 bits.
 * The same bits whoever does it. */
typedef void wf_turn(const double by[4], size_t count,
                     const double *const at[4], double *cosine, double *sine);
/* All n roots in order (their conjugates: of -k), to the same bound, with one
 * evaluation for up to eight of them, by `turn` (NULL: by plain C).  False when
 * there is no memory. */
bool wf_roots_circle(uint64_t n, bool conjugate, wf_turn *turn, double *re_im);
/* Roots 0 .. n/part of them, part 2, 4 of an even n or 8 of a multiple of 4;
 * root n - k is the conjugate of root k. */
bool wf_roots_part(uint64_t n, int part, wf_turn *turn, double *re_im);
/* Root k < n of a multiple of 4, from roots 0 .. n/8. */
static inline void wf_root_of_octant(const double *octant, uint64_t n,
                                     uint64_t k, double root[2])
{
    const uint64_t quarter = n / 4, turns = k / quarter;
    const uint64_t r = k - turns * quarter;
    const bool swap = 8 * r > n;
    const double *at = &octant[2 * (swap ? quarter - r : r)];
    const double x = at[swap], y = at[!swap];
    const double c = turns % 2 == 0 ? x : 0 - y;
    const double s = turns % 2 == 0 ? y : x;
    root[0] = turns < 2 ? c : 0 - c;
    root[1] = turns < 2 ? s : 0 - s;
}
/* As re, its rest, im, its rest: to 2^-76; one by one. */
bool wf_roots_circle_pairs(uint64_t n, bool conjugate, double *re_im);

/* The same as wf_roots with the inner table (about 2 sqrt(n) entries) kept between calls,
 * for tables by rows.  Root i has k = start + i*step + bend*i*(i-1)/2, so a
 * chirp exp(pi i j^2 / n) is table 2n, start 0, step 1, bend 2.  NULL when
 * there is no memory or n is 0 or above 2^59. */
typedef struct wf_root_table wf_root_table;
wf_root_table *wf_root_table_new(uint64_t n);
void wf_root_table_free(wf_root_table *table);
void wf_root_table_f64(const wf_root_table *table, int64_t start, int64_t step,
                       int64_t bend, size_t count, double *re_im);
void wf_root_table_f32(const wf_root_table *table, int64_t start, int64_t step,
                       int64_t bend, size_t count, float *re_im);
/* In two parts: re_im[2i] and [2i+1] within 2^-76 of the root. */
void wf_root_table_dd(const wf_root_table *table, int64_t start, int64_t step,
                      int64_t bend, size_t count, wf_dd *re_im);

/* ---- half.c: IEEE binary16 and bfloat16, round to nearest even --------- */
uint16_t wf_f32_to_f16(float x);
float wf_f16_to_f32(uint16_t x);
uint16_t wf_f32_to_bf16(float x);
float wf_bf16_to_f32(uint16_t x);

/* ---- scheme.c: how numbers go through a matrix product ----------------- */
typedef enum wf_format {
    WF_FORMAT_F64,
    WF_FORMAT_F32,
    WF_FORMAT_TF32, /* 11 bits, the exponents of f32 */
    WF_FORMAT_FP16, /* 11 bits, scaled */
    WF_FORMAT_BF16, /* 8 bits, the exponents of f32 */
    WF_FORMAT_INT8,
    WF_FORMAT_COUNT
} wf_format;

/* "f32", "bf16x3" (three parts, six products), "bf16s4" (four slices, ten
 * products), "refined" (bf16, corrected twice by an FP32 residual). */
typedef struct wf_scheme {
    wf_format format;
    int parts; /* 1: the number itself */
    bool sliced, refined;
} wf_scheme;

enum {
    WF_SCHEME_PARTS = 8, /* at most */
    WF_SCHEME_PAIRS = WF_SCHEME_PARTS * (WF_SCHEME_PARTS + 1) / 2,
    WF_SCHEME_TEXT = 12,  /* bytes of a name, with its end */
    WF_CHUNK_COLUMNS = 64 /* complex terms of one FP32 or FP64 sum; such sums
                             are then added, so rounding grows like their
                             number's root, not like the length's */
};

const char *wf_format_name(wf_format format);
bool wf_scheme_valid(const wf_scheme *scheme);
/* f32 and f64: arithmetic of that type, no parts. */
bool wf_scheme_native(const wf_scheme *scheme);
int wf_scheme_products(const wf_scheme *scheme); /* real ones, per real one */
int wf_scheme_slice_bits(const wf_scheme *scheme);
/* Complex terms, and products of one level, that may share one FP32 sum. */
int wf_scheme_columns(const wf_scheme *scheme);
int wf_scheme_pairs(const wf_scheme *scheme);
void wf_scheme_print(const wf_scheme *scheme, char text[WF_SCHEME_TEXT]);
/* Bytes of the name at the start of text; 0: there is none. */
size_t wf_scheme_parse(const char *text, wf_scheme *scheme);

#endif
