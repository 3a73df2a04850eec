/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * num_test.c - exact arithmetic against definitions; double-double and roots
 * of unity against MPFR at 300 bits, where the build found MPFR.
 */
#include "num/num.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static noise_state noise = {1};

/* ---- integers ----------------------------------------------------------- */

static void check_factor(uint64_t n)
{
    wf_factors f = wf_factor(n);
    uint64_t product = 1, before = 0;
    for (int i = 0; i < f.count; i++) {
        CHECK(f.prime[i] > before && wf_is_prime(f.prime[i]),
              "n = %llu: factor %llu", (unsigned long long)n,
              (unsigned long long)f.prime[i]);
        before = f.prime[i];
        for (int e = 0; e < f.power[i]; e++)
            product *= f.prime[i];
    }
    CHECK(product == n, "n = %llu: product %llu", (unsigned long long)n,
          (unsigned long long)product);
}

static void test_factor(void)
{
    for (uint64_t n = 1; n < 20000; n++)
        check_factor(n);
    for (int i = 0; i < 100; i++)
        check_factor(noise_bits(&noise) >> (i % 60) | 1);
    check_factor(UINT64_MAX);
    check_factor(18446744073709551557u);               /* largest prime */
    check_factor(4294967291u * (uint64_t)4294967279u); /* two large primes */
    check_factor(4294967291u * (uint64_t)4294967291u);
    check_factor((uint64_t)1 << 63);
    check_factor(341550071728321u); /* pseudoprime to 2..17 */
    CHECK(wf_largest_prime_factor(1) == 1, "of 1");
    CHECK(wf_largest_prime_factor(97 * 64) == 97, "of 97 * 64");
}

static bool is_prime_slowly(uint64_t n)
{
    for (uint64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

static void test_primes(void)
{
    for (uint64_t n = 0; n < 20000; n++)
        CHECK(wf_is_prime(n) == is_prime_slowly(n), "n = %d", (int)n);
}

/* Numbers that take Miller-Rabin, and some that pass it with one base. */
static void test_larger_primes(void)
{
    for (uint64_t n = 4294967295u; n > 4294967295u - 300; n--)
        CHECK(wf_is_prime(n) == is_prime_slowly(n), "n = %llu",
              (unsigned long long)n);
    static const uint64_t pseudo[] = {2047,     314821,   2269093,    8725753,
                                      25326001, 46094401, 3215031751u};
    for (size_t i = 0; i < sizeof pseudo / sizeof *pseudo; i++)
        CHECK(wf_is_prime(pseudo[i]) == is_prime_slowly(pseudo[i]), "n = %llu",
              (unsigned long long)pseudo[i]);
}

static void test_powers(void)
{
    static const uint64_t primes[] = {3, 5, 7, 1009, 65537, 2147483647};
    static uint32_t powers[2001];
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        for (size_t count = i < 3 ? 0 : 1995; count < (i < 3 ? 9 : 2000);
             count++) {
            const uint64_t p = primes[i], g = wf_primitive_root(p);
            size_t k = 0;
            uint64_t x = 1;
            powers[count] = 12345;
            wf_powers_mod(g, p, count, powers);
            for (; k < count && powers[k] == x; k++)
                x = x * g % p;
            CHECK(k == count && powers[count] == 12345,
                  "power %zu of %llu mod %llu", k, (unsigned long long)g,
                  (unsigned long long)p);
        }
}

static bool is_smooth(uint64_t n, int largest)
{
    for (int p = 2; p <= largest; p++)
        while (n % (uint64_t)p == 0)
            n /= (uint64_t)p;
    return n == 1;
}

static void test_smooth(void)
{
    static const int largest[] = {2, 3, 5, 7, 11, 13};
    for (int i = 0; i < 6; i++)
        for (uint64_t n = 1; n < 3000; n++) {
            uint64_t want = n;
            while (!is_smooth(want, largest[i]))
                want++;
            uint64_t got = wf_next_smooth(n, largest[i]);
            CHECK(got == want, "n = %d, %d: got %d, want %d", (int)n,
                  largest[i], (int)got, (int)want);
        }
    CHECK(wf_next_smooth(UINT64_MAX, 13) == 0, "beyond 63 bits");
    CHECK(wf_next_smooth(((uint64_t)1 << 62) + 1, 2) == 0, "beyond 63 bits");
    CHECK(wf_next_smooth((uint64_t)1 << 62, 13) == (uint64_t)1 << 62, "2^62");
}

static void test_modular(void)
{
    for (uint64_t m = 1; m < 60; m++)
        for (uint64_t a = 0; a < 80; a++) {
            uint64_t want = 0;
            for (uint64_t x = 1; x < m; x++)
                if (a * x % m == 1)
                    want = x;
            CHECK(wf_inverse_mod(a, m) == want, "1/%d mod %d", (int)a, (int)m);
        }
    uint64_t p = 18446744073709551557u;
    for (int i = 0; i < 100; i++) {
        uint64_t a = noise_bits(&noise) % p;
        CHECK(wf_mul_mod(a, wf_inverse_mod(a, p), p) == 1, "inverse mod p");
        CHECK(wf_pow_mod(a, p - 1, p) == 1, "Fermat");
    }
    for (uint64_t q = 2; q < 2000; q++) {
        if (!wf_is_prime(q))
            continue;
        uint64_t g = wf_primitive_root(q), x = g % q, order = 1;
        for (; x != 1; x = x * g % q)
            order++;
        CHECK(order == q - 1, "root %d of %d", (int)g, (int)q);
    }
    CHECK(wf_primitive_root(41) == 6, "smallest");
    CHECK(wf_gcd(0, 7) == 7 && wf_gcd(48, 36) == 12, "gcd");
}

/* Lengths of tables and roots. */
static const uint64_t sizes[] = {1,
                                 2,
                                 3,
                                 4,
                                 5,
                                 6,
                                 7,
                                 8,
                                 9,
                                 12,
                                 16,
                                 24,
                                 30,
                                 64,
                                 97,
                                 100,
                                 360,
                                 1000,
                                 1024,
                                 4096,
                                 10007,
                                 65536,
                                 65537,
                                 1000000,
                                 1u << 20,
                                 999999937u,
                                 1ull << 40,
                                 1000000000000003ull,
                                 1ull << 59,
                                 2305843009213693951ull,
                                 9223372036854775783ull};

#ifdef WEFT_HAVE_MPFR
#include <mpfr.h>

/* ---- double-double ------------------------------------------------------ */

typedef mpfr_t number;

static double error_of(const number exact, wf_dd got)
{
    number difference;
    mpfr_init2(difference, 300);
    mpfr_sub_d(difference, exact, got.hi, MPFR_RNDN);
    mpfr_sub_d(difference, difference, got.lo, MPFR_RNDN);
    if (!mpfr_zero_p(exact))
        mpfr_div(difference, difference, exact, MPFR_RNDN);
    double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return error;
}

static wf_dd random_dd(void)
{
    int exponent = (int)noise_below(&noise, 40) - 17;
    double hi = ldexp(fabs(noise_real(&noise)), exponent);
    double lo = hi * 0x1p-54 * noise_real(&noise);
    double sum = hi + lo;
    return (wf_dd){sum, lo - (sum - hi)};
}

static void set_dd(number x, wf_dd a)
{
    mpfr_set_d(x, a.hi, MPFR_RNDN);
    mpfr_add_d(x, x, a.lo, MPFR_RNDN);
}

static void test_dd(void)
{
    number x, y, z;
    mpfr_inits2(300, x, y, z, (mpfr_ptr)0);
    double worst[5] = {0};
    for (int i = 0; i < 20000; i++) {
        wf_dd a = random_dd(), b = random_dd();
        if (i % 2) /* cancel */
            b = (wf_dd){-a.hi, ldexp(a.lo, -i % 20)};
        set_dd(x, a);
        set_dd(y, b);
        mpfr_add(z, x, y, MPFR_RNDN);
        worst[0] = fmax(worst[0], error_of(z, wf_dd_add(a, b)));
        mpfr_sub(z, x, y, MPFR_RNDN);
        worst[1] = fmax(worst[1], error_of(z, wf_dd_sub(a, b)));
        mpfr_mul(z, x, y, MPFR_RNDN);
        worst[2] = fmax(worst[2], error_of(z, wf_dd_mul(a, b)));
        mpfr_div(z, x, y, MPFR_RNDN);
        worst[3] = fmax(worst[3], error_of(z, wf_dd_div(a, b)));
        mpfr_sqrt(z, x, MPFR_RNDN);
        worst[4] = fmax(worst[4], error_of(z, wf_dd_sqrt(a)));
    }
    static const double bounds[] = {3, 3, 6, 10, 6}; /* of u^2 */
    for (int i = 0; i < 5; i++)
        CHECK(worst[i] <= bounds[i] * 0x1p-106, "operation %d: 2^%.2f", i,
              log2(worst[i]));
    mpfr_clears(x, y, z, (mpfr_ptr)0);
}

/* ---- roots -------------------------------------------------------------- */

static void exact_root(int64_t k, uint64_t n, number c, number s)
{
    number angle;
    mpfr_init2(angle, 400);
    mpfr_const_pi(angle, MPFR_RNDN);
    mpfr_mul_si(angle, angle, k, MPFR_RNDN);
    mpfr_mul_2ui(angle, angle, 1, MPFR_RNDN);
    mpfr_div_ui(angle, angle, n, MPFR_RNDN);
    mpfr_sin_cos(s, c, angle, MPFR_RNDN);
    mpfr_clear(angle);
    if (mpfr_cmpabs_ui(c, 1) < 0 && mpfr_get_exp(c) < -200)
        mpfr_set_zero(c, 1);
    if (mpfr_get_exp(s) < -200)
        mpfr_set_zero(s, 1);
}

static void test_one_root(int64_t k, uint64_t n, double *worst)
{
    number c, s;
    mpfr_inits2(300, c, s, (mpfr_ptr)0);
    exact_root(k, n, c, s);
    wf_dd re, im;
    wf_root_dd(k, n, &re, &im);
    *worst = fmax(*worst, fmax(error_of(c, re), error_of(s, im)));
    double r, i;
    wf_root(k, n, &r, &i);
    CHECK(r == mpfr_get_d(c, MPFR_RNDN) && i == mpfr_get_d(s, MPFR_RNDN),
          "root %lld of %llu in double", (long long)k, (unsigned long long)n);
    float rf, jf;
    wf_root_f32(k, n, &rf, &jf);
    CHECK(rf == mpfr_get_flt(c, MPFR_RNDN) && jf == mpfr_get_flt(s, MPFR_RNDN),
          "root %lld of %llu in float", (long long)k, (unsigned long long)n);
    mpfr_clears(c, s, (mpfr_ptr)0);
}

static void test_roots(void)
{
    double worst = 0;
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
        for (int i = 0; i < 300; i++) {
            int64_t k = (int64_t)noise_bits(&noise) >> (i % 50);
            if (sizes[j] < 64)
                k = i - 150;
            test_one_root(k, sizes[j], &worst);
        }
    printf("roots: worst relative error 2^%.2f\n", log2(worst));
    CHECK(worst < 0x1p-100, "worst 2^%.2f", log2(worst));
}

#endif /* WEFT_HAVE_MPFR */

/* Exact values and symmetries, to the bit. */
static void test_symmetry(void)
{
    for (uint64_t n = 8; n < 400; n++)
        for (int64_t k = 0; k < (int64_t)n; k++) {
            double a, b, c, d;
            wf_root(k, n, &a, &b);
            wf_root(-k, n, &c, &d);
            CHECK(a == c && b == -d, "conjugate of %d of %d", (int)k, (int)n);
            wf_root(4 * k + (int64_t)n, 4 * n, &c, &d);
            CHECK(a == d && b == -c, "quarter turn, %d of %d", (int)k, (int)n);
            wf_root(3 * k, 3 * n, &c, &d);
            CHECK(a == c && b == d, "%d of %d unreduced", (int)k, (int)n);
        }
    for (uint64_t n = 24; n < 24000; n += 24) {
        double a, b, c[2];
        wf_root((int64_t)n / 8, n, &a, &b);
        CHECK(a == sqrt(0.5) && b == a, "eighth of %d", (int)n);
        wf_root(-(int64_t)n / 4, n, &a, &b);
        CHECK(a == 0 && !signbit(a) && b == -1, "quarter of %d", (int)n);
        wf_root((int64_t)n / 12, n, &a, &b);
        CHECK(b == 0.5, "twelfth of %d", (int)n);
        wf_roots(n, (int64_t)n / 3, 0, 1, c);
        CHECK(c[0] == -0.5, "third of %d", (int)n);
    }
}

/* Tables: the share of correctly rounded values, and the largest error. */
static void test_tables(void)
{
    static double table[2 << 16];
    static float table_f32[2 << 16];
    long wrong = 0, wrong_f32 = 0, total = 0;
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
        uint64_t n = sizes[j];
        size_t count = n > 60000 || n < 100 ? 3000 : (size_t)n;
        int64_t start = -7, step = n < 1000000 ? 1 : (int64_t)(n / 2999);
        if (n == 999999937u || n == 1u << 20)
            count = 50000; /* enough for the inner table */
        wf_roots(n, start, step, count, table);
        wf_roots_f32(n, start, step, count, table_f32);
        for (size_t i = 0; i < count; i++) {
            double re, im;
            float rf, jf;
            int64_t k = start + (int64_t)i * step;
            wf_root(k, n, &re, &im);
            wf_root_f32(k, n, &rf, &jf);
            wrong += (re != table[2 * i]) + (im != table[2 * i + 1]);
            wrong_f32 += (rf != table_f32[2 * i]) +
                         (jf != table_f32[2 * i + 1]);
            CHECK(fabs(re - table[2 * i]) <= fabs(re) * 0x1p-52 &&
                      fabs(im - table[2 * i + 1]) <= fabs(im) * 0x1p-52,
                  "root %lld of %llu", (long long)k, (unsigned long long)n);
        }
        total += 2 * (long)count;
    }
    printf("tables: %ld of %ld not correctly rounded, %ld in float\n", wrong,
           total, wrong_f32);
    CHECK((double)wrong <= 1e-6 * (double)total, "%ld", wrong);
    CHECK((double)wrong_f32 <= 1e-6 * (double)total, "%ld", wrong_f32);
}

/* The circle of n: each root within an ulp, no negative zero, conjugates and
 * half turns with the same bits. */
static void test_circle_of(uint64_t n, double *circle, double *conjugates)
{
    CHECK(wf_roots_circle(n, false, NULL, circle) &&
              wf_roots_circle(n, true, NULL, conjugates),
          "circle of %d", (int)n);
    long wrong = 0;
    for (uint64_t k = 0; k < n; k++) {
        const double *w = &circle[2 * k], *v = &conjugates[2 * k];
        double re, im;
        wf_root((int64_t)k, n, &re, &im);
        wrong += (re != w[0]) + (im != w[1]);
        bool near = fabs(re - w[0]) <= fabs(re) * 0x1p-52 &&
                    fabs(im - w[1]) <= fabs(im) * 0x1p-52;
        bool mirrored = v[0] == w[0] && v[1] == 0 - w[1];
        if (n % 2 == 0) {
            const double *far = &circle[2 * ((k + n / 2) % n)];
            mirrored &= far[0] == 0 - w[0] && far[1] == 0 - w[1];
        }
        bool signs = (w[0] != 0 || !signbit(w[0])) &&
                     (w[1] != 0 || !signbit(w[1])) &&
                     (v[1] != 0 || !signbit(v[1]));
        CHECK(near && mirrored && signs, "root %d of the circle of %d", (int)k,
              (int)n);
    }
    CHECK((double)wrong <= 1e-5 * (double)n + 1, "%ld of %d", wrong, (int)n);
    /* half of it, at the place of the conjugates */
    CHECK(wf_roots_part(n, 2, NULL, conjugates) &&
              !memcmp(conjugates, circle,
                      2 * (size_t)(n / 2 + 1) * sizeof *circle),
          "half a circle of %d", (int)n);
    CHECK(n % 2 != 0 || (wf_roots_part(n, 4, NULL, conjugates) &&
                         !memcmp(conjugates, circle,
                                 2 * (size_t)(n / 4 + 1) * sizeof *circle)),
          "a quarter of a circle of %d", (int)n);
    CHECK(n % 4 != 0 || (wf_roots_part(n, 8, NULL, conjugates) &&
                         !memcmp(conjugates, circle,
                                 2 * (size_t)(n / 8 + 1) * sizeof *circle)),
          "an eighth of a circle of %d", (int)n);
    /* and all of it from that eighth */
    bool same = true;
    for (uint64_t k = 0; n % 4 == 0 && k < n; k++) {
        double root[2];
        wf_root_of_octant(conjugates, n, k, root);
        same &= !memcmp(root, &circle[2 * k], sizeof root);
    }
    CHECK(same, "the circle of %d from its first octant", (int)n);
}

static void test_circle(void)
{
    static double circle[2][2 * 65536];
    for (uint64_t n = 1; n <= 300; n++)
        test_circle_of(n, circle[0], circle[1]);
    test_circle_of(65521, circle[0], circle[1]); /* a prime */
    test_circle_of(65534, circle[0], circle[1]); /* twice an odd number */
    test_circle_of(65532, circle[0], circle[1]); /* 4 of them */
    test_circle_of(65536, circle[0], circle[1]);
    CHECK(!wf_roots_circle(0, false, NULL, circle[0]), "no circle");
}

static void test_chirp(void)
{
    double chirp[2 * 1000], re, im;
    wf_root_table *table = wf_root_table_new(2 * 997);
    CHECK(table != NULL, "a table");
    wf_root_table_f64(table, 0, 1, 2, 997, chirp);
    for (int64_t j = 0; j < 997; j++) {
        wf_root(j * j, 2 * 997, &re, &im);
        CHECK(chirp[2 * j] == re && chirp[2 * j + 1] == im, "j = %d", (int)j);
    }
    wf_root_table_free(table);
    CHECK(!wf_root_table_new(0) && !wf_root_table_new(UINT64_MAX), "no table");
}

/* ---- half formats ------------------------------------------------------- */

/* Every binary16 goes to float and back; every float near it rounds as the
 * midpoints say. */
static void test_f16(void)
{
    for (uint32_t h = 0; h < 65536; h++) {
        float x = wf_f16_to_f32((uint16_t)h);
        int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
        if (e == 31 && m) {
            CHECK(isnan(x) && (wf_f32_to_f16(x) | 0x200) == (h | 0x200),
                  "NaN %x", h);
            continue;
        }
        double want = e == 31 ? HUGE_VAL
                      : e     ? ldexp(1024 + m, e - 25)
                              : ldexp(m, -24);
        CHECK(fabs(x) == want && !signbit(x) == !(h >> 15), "%x", h);
        CHECK(wf_f32_to_f16(x) == h, "%x: back as %x", h, wf_f32_to_f16(x));
        if (e == 31 || h >> 15)
            continue;
        double next = ldexp(1024 + m + 1, (e ? e : 1) - 25);
        if (!e)
            next = ldexp(m + 1, -24);
        float middle = (float)((want + next) / 2);
        CHECK(wf_f32_to_f16(middle) == h + (h & 1), "tie after %x", h);
        CHECK(wf_f32_to_f16(nextafterf(middle, 0)) == h, "below tie %x", h);
        CHECK(wf_f32_to_f16(nextafterf(middle, INFINITY)) == h + 1,
              "above tie %x", h);
        CHECK(wf_f32_to_f16(-middle) == (0x8000 | (h + (h & 1))), "-tie %x",
              h);
    }
    CHECK(wf_f32_to_f16(1e30f) == 0x7c00 && wf_f32_to_f16(-1e30f) == 0xfc00 &&
              wf_f32_to_f16(1e-30f) == 0 && wf_f32_to_f16(0x1p-149f) == 0,
          "out of range");
}

static void test_bf16(void)
{
    for (uint32_t h = 0; h < 65536; h++) {
        float x = wf_bf16_to_f32((uint16_t)h), middle;
        if (isnan(x)) {
            CHECK(wf_f32_to_bf16(x) == (h | 0x40), "NaN %x", h);
            continue;
        }
        CHECK(wf_f32_to_bf16(x) == h, "%x: back as %x", h, wf_f32_to_bf16(x));
        if (isinf(x))
            continue;
        uint32_t bits = h << 16 | 0x8000;
        memcpy(&middle, &bits, 4);
        CHECK(wf_f32_to_bf16(middle) == h + (h & 1), "tie after %x", h);
        bits--;
        memcpy(&middle, &bits, 4);
        CHECK(wf_f32_to_bf16(middle) == h, "below tie %x", h);
        bits += 2;
        memcpy(&middle, &bits, 4);
        CHECK(wf_f32_to_bf16(middle) == h + 1, "above tie %x", h);
    }
}

int main(void)
{
    test_factor();
    test_primes();
    test_larger_primes();
    test_powers();
    test_smooth();
    test_modular();
#ifdef WEFT_HAVE_MPFR
    test_dd();
    test_roots();
    mpfr_free_cache();
#endif
    test_symmetry();
    test_tables();
    test_circle();
    test_chirp();
    test_f16();
    test_bf16();
    return check_report("num");
}
