/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modular.c - arithmetic mod m for any 64-bit m, products in 128 bits; and
 * primitive roots, which turn a prime-length transform into a convolution
 * (C. M. Rader, "Discrete Fourier transforms when the number of data samples
 * is prime", Proc. IEEE 56, 1968).
 */
#include "num/num.h"

__extension__ typedef unsigned __int128 u128;

uint64_t wf_mul_mod(uint64_t a, uint64_t b, uint64_t m)
{
    if ((a | b) >> 32 == 0)
        return a * b % m;
    return (uint64_t)((u128)a * b % m);
}

uint64_t wf_pow_mod(uint64_t a, uint64_t e, uint64_t m)
{
    uint64_t result = 1 % m;
    for (a %= m; e; e >>= 1) {
        if (e & 1)
            result = wf_mul_mod(result, a, m);
        a = wf_mul_mod(a, a, m);
    }
    return result;
}

/* Euclid's remainders r with r = t * a (mod m); t kept mod m. */
uint64_t wf_inverse_mod(uint64_t a, uint64_t m)
{
    uint64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1 % m;
    while (r1) {
        uint64_t q = r0 / r1, r = r0 - q * r1;
        uint64_t qt = wf_mul_mod(q % m, t1, m);
        uint64_t t = t0 >= qt ? t0 - qt : t0 + (m - qt);
        r0 = r1;
        r1 = r;
        t0 = t1;
        t1 = t;
    }
    return r0 == 1 ? t0 : 0;
}

/* g is primitive when g^((p-1)/q) != 1 for every prime q of p-1. */
uint64_t wf_primitive_root(uint64_t p)
{
    if (p == 2)
        return 1;
    wf_factors f = wf_factor(p - 1);
    for (uint64_t g = 2;; g++) {
        int i = 0;
        while (i < f.count && wf_pow_mod(g, (p - 1) / f.prime[i], p) != 1)
            i++;
        if (i == f.count)
            return g;
    }
}

/* Eight powers at a time, each a product with g^8.  The quotient by p from the
 * fixed factor's, g^8 2^32 / p rounded down, is one too small at most (V.
 * Shoup's product, as in NTL). */
void wf_powers_mod(uint64_t g, uint64_t p, size_t count, uint32_t *out)
{
    enum { LANES = 8 };
    uint64_t x[LANES] = {1 % p};
    for (size_t l = 1; l < LANES; l++)
        x[l] = x[l - 1] * g % p;
    const uint64_t step = x[LANES - 1] * g % p, share = (step << 32) / p;
    for (; count >= LANES; count -= LANES, out += LANES)
        for (size_t l = 0; l < LANES; l++) {
            out[l] = (uint32_t)x[l];
            x[l] = x[l] * step - (x[l] * share >> 32) * p;
            x[l] = x[l] >= p ? x[l] - p : x[l];
        }
    for (size_t l = 0; l < count; l++)
        out[l] = (uint32_t)x[l];
}
