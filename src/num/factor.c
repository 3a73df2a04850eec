/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * factor.c - what 64-bit numbers are made of.
 *
 * Small primes by division, then Pollard's rho in Brent's form (R. P. Brent,
 * "An improved Monte Carlo factorization algorithm", BIT 20, 1980) with
 * starting values tried in order, so the same n always takes the same path.
 * Primality is Miller-Rabin with the first twelve primes as bases, which is a
 * proof for every n < 3.3e24 (J. Sorenson and J. Webster, "Strong
 * pseudoprimes to twelve prime bases", Math. Comp. 86, 2017); below 2^32 2, 7
 * and 61 are enough (G. Jaeschke, "On strong pseudoprimes to several bases",
 * Math. Comp. 61, 1993).
 */
#include "num/num.h"

static const int small_primes[] = {2,  3,  5,  7,  11, 13, 17, 19,
                                   23, 29, 31, 37, 41, 43, 47, 53};
#define SMALL_COUNT ((int)(sizeof small_primes / sizeof *small_primes))
#define SMALL_SQUARE 3481 /* 59 * 59: below it, what is left is prime */

uint64_t wf_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* True when base a proves that n = d * 2^s + 1 is composite. */
static bool is_witness(uint64_t a, uint64_t d, int s, uint64_t n)
{
    uint64_t x = wf_pow_mod(a, d, n);
    if (x == 1 || x == n - 1)
        return false;
    while (--s > 0) {
        x = wf_mul_mod(x, x, n);
        if (x == n - 1)
            return false;
    }
    return true;
}

bool wf_is_prime(uint64_t n)
{
    if (n < 2)
        return false;
    for (int i = 0; i < SMALL_COUNT; i++)
        if (n % (uint64_t)small_primes[i] == 0)
            return n == (uint64_t)small_primes[i];
    if (n < SMALL_SQUARE)
        return true;
    static const uint64_t few[] = {2, 7, 61};
    const bool short_number = n >> 32 == 0;
    int s = __builtin_ctzll(n - 1);
    for (int i = 0; i < (short_number ? 3 : 12); i++) {
        uint64_t base = short_number ? few[i] : (uint64_t)small_primes[i];
        if (is_witness(base, (n - 1) >> s, s, n))
            return false;
    }
    return true;
}

static uint64_t step(uint64_t x, uint64_t c, uint64_t n)
{
    uint64_t square = wf_mul_mod(x, x, n);
    return square >= n - c ? square - (n - c) : square + c;
}

/* A divisor of n by the walk x -> x^2 + c, or n when this walk found none.
 * Differences are multiplied up and one gcd serves 64 of them; when that
 * overshoots to n, the last stretch is walked again one by one. */
static uint64_t brent(uint64_t n, uint64_t c)
{
    uint64_t y = 2, x = 2, saved = 2, q = 1, g = 1;
    for (uint64_t r = 1; g == 1; r *= 2) {
        x = y;
        for (uint64_t i = 0; i < r; i++)
            y = step(y, c, n);
        for (uint64_t k = 0; k < r && g == 1; k += 64) {
            saved = y;
            for (uint64_t i = 0; i < 64 && i < r - k; i++) {
                y = step(y, c, n);
                q = wf_mul_mod(q, x > y ? x - y : y - x, n);
            }
            g = wf_gcd(q, n);
        }
    }
    if (g == n)
        for (g = 1; g == 1; g = wf_gcd(x > saved ? x - saved : saved - x, n))
            saved = step(saved, c, n);
    return g;
}

static void add_prime(wf_factors *f, uint64_t p)
{
    int at = 0;
    while (at < f->count && f->prime[at] < p)
        at++;
    if (at < f->count && f->prime[at] == p) {
        f->power[at]++;
        return;
    }
    for (int i = f->count++; i > at; i--) {
        f->prime[i] = f->prime[i - 1];
        f->power[i] = f->power[i - 1];
    }
    f->prime[at] = p;
    f->power[at] = 1;
}

/* n > 1 has no small prime. */
static void split(wf_factors *f, uint64_t n)
{
    if (n < SMALL_SQUARE || wf_is_prime(n)) {
        add_prime(f, n);
        return;
    }
    uint64_t d = n;
    for (uint64_t c = 1; d == n; c++)
        d = brent(n, c);
    split(f, d);
    split(f, n / d);
}

/* Divides n by p as often as it goes. */
static int strip(uint64_t *n, uint64_t p)
{
    int power = 0;
    for (; *n % p == 0; *n /= p)
        power++;
    return power;
}

wf_factors wf_factor(uint64_t n)
{
    wf_factors f = {0};
    for (int i = 0; i < SMALL_COUNT && n > 1; i++) {
        int power = strip(&n, (uint64_t)small_primes[i]);
        if (power == 0)
            continue;
        f.prime[f.count] = (uint64_t)small_primes[i];
        f.power[f.count++] = power;
    }
    if (n > 1)
        split(&f, n);
    return f;
}

uint64_t wf_largest_prime_factor(uint64_t n)
{
    uint64_t largest = 1;
    for (int i = 0; i < SMALL_COUNT && n > 1; i++)
        if (strip(&n, (uint64_t)small_primes[i]) > 0)
            largest = (uint64_t)small_primes[i];
    if (n == 1)
        return largest;
    wf_factors f = wf_factor(n);
    return f.prime[f.count - 1];
}

/* The best of m * 2^a over the odd smooth m built from primes[at..]. */
static void search_smooth(uint64_t n, int at, int largest, uint64_t m,
                          uint64_t *best)
{
    static const uint64_t primes[] = {3, 5, 7, 11, 13};
    uint64_t candidate = m;
    while (candidate < n && candidate <= (uint64_t)INT64_MAX / 2)
        candidate *= 2;
    if (candidate >= n && candidate < *best)
        *best = candidate;
    for (; at < 5 && (int)primes[at] <= largest; at++)
        if (m < n && m <= *best / primes[at])
            search_smooth(n, at, largest, m * primes[at], best);
}

uint64_t wf_next_smooth(uint64_t n, int largest)
{
    const uint64_t none = (uint64_t)INT64_MAX + 1;
    uint64_t best = none;
    search_smooth(n, 0, largest, 1, &best);
    return best == none ? 0 : best;
}
