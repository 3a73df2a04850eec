/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ref_test.c - the oracle against the definition, summed in MPFR where the
 * build found it and in double-double elsewhere, and that it leaks nothing
 * whichever of its allocations fails.
 */
#include "kernel/ref/ref.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#ifdef WEFT_HAVE_MPFR
#include <mpfr.h>
#endif

static void fill(double *x, size_t count)
{
    static noise_state noise = {1};
    for (size_t i = 0; i < count; i++)
        x[i] = noise_real(&noise);
}

#ifdef WEFT_HAVE_MPFR
/* |got - exact| of output k, the exact one in 200 bits. */
static double error_at(size_t n, int sign, const double *in, const wf_dd *out,
                       size_t k)
{
    mpfr_t angle, c, s, re, im, t;
    mpfr_inits2(200, angle, c, s, re, im, t, (mpfr_ptr)0);
    mpfr_set_zero(re, 1);
    mpfr_set_zero(im, 1);
    for (size_t j = 0; j < n; j++) {
        mpfr_const_pi(angle, MPFR_RNDN);
        mpfr_mul_si(angle, angle, sign * 2 * (long)(j * k % n), MPFR_RNDN);
        mpfr_div_ui(angle, angle, n, MPFR_RNDN);
        mpfr_sin_cos(s, c, angle, MPFR_RNDN);
        mpfr_mul_d(t, c, in[2 * j], MPFR_RNDN);
        mpfr_add(re, re, t, MPFR_RNDN);
        mpfr_mul_d(t, s, -in[2 * j + 1], MPFR_RNDN);
        mpfr_add(re, re, t, MPFR_RNDN);
        mpfr_mul_d(t, c, in[2 * j + 1], MPFR_RNDN);
        mpfr_add(im, im, t, MPFR_RNDN);
        mpfr_mul_d(t, s, in[2 * j], MPFR_RNDN);
        mpfr_add(im, im, t, MPFR_RNDN);
    }
    mpfr_sub_d(re, re, out[2 * k].hi, MPFR_RNDN);
    mpfr_sub_d(re, re, out[2 * k].lo, MPFR_RNDN);
    mpfr_sub_d(im, im, out[2 * k + 1].hi, MPFR_RNDN);
    mpfr_sub_d(im, im, out[2 * k + 1].lo, MPFR_RNDN);
    double error = hypot(mpfr_get_d(re, MPFR_RNDN), mpfr_get_d(im, MPFR_RNDN));
    mpfr_clears(angle, c, s, re, im, t, (mpfr_ptr)0);
    return error;
}

#else
/* |got - exact| of output k, the exact one in double-double. */
static double error_at(size_t n, int sign, const double *in, const wf_dd *out,
                       size_t k)
{
    wf_dd re = {-out[2 * k].hi, -out[2 * k].lo}, c, s;
    wf_dd im = {-out[2 * k + 1].hi, -out[2 * k + 1].lo};
    for (size_t j = 0; j < n; j++) {
        wf_dd a = {in[2 * j], 0}, b = {in[2 * j + 1], 0};
        wf_root_dd(sign * (int64_t)(j * k % n), n, &c, &s);
        re = wf_dd_add(re, wf_dd_sub(wf_dd_mul(a, c), wf_dd_mul(b, s)));
        im = wf_dd_add(im, wf_dd_add(wf_dd_mul(a, s), wf_dd_mul(b, c)));
    }
    return hypot(re.hi, im.hi);
}
#endif

static void test_size(size_t n, int sign)
{
    double *in = calloc(2 * n, sizeof *in);
    wf_dd *out = calloc(2 * n, sizeof *out);
    fill(in, 2 * n);
    weft_status status = wf_reference_c2c(n, sign, in, out);
    CHECK(status == WEFT_OK, "n = %zu: status %d", n, (int)status);
    double norm = 0, worst = 0;
    for (size_t j = 0; j < 2 * n; j++)
        norm += in[j] * in[j];
    size_t step = n < 64 ? 1 : n / 8 + 1;
    for (size_t k = 0; k < n; k += step)
        worst = fmax(worst, error_at(n, sign, in, out, k) / sqrt(norm));
    CHECK(worst < 0x1p-98, "n = %zu: error 2^%.1f", n, log2(worst));
    free(in);
    free(out);
}

static void test_no_memory(size_t n)
{
    double *in = calloc(2 * n, sizeof *in);
    wf_dd *out = calloc(2 * n, sizeof *out);
    int64_t live = wf_alloc_live();
    for (int i = 0;; i++) {
        wf_alloc_fail_after(i);
        weft_status status = wf_reference_c2c(n, 1, in, out);
        wf_alloc_fail_after(-1);
        CHECK(wf_alloc_live() == live, "leak at allocation %d", i);
        if (status == WEFT_OK)
            break;
        CHECK(status == WEFT_ERR_NO_MEMORY, "status %d", (int)status);
    }
    free(in);
    free(out);
}

int main(void)
{
    static const size_t sizes[] = {64,  97,   100,  256,  499,  503,
                                   509, 1006, 1009, 4096, 5000, 2 * 2003};
    for (size_t n = 1; n < 40; n++)
        test_size(n, n % 2 ? -1 : 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        test_size(sizes[i], i % 2 ? -1 : 1);
    test_no_memory(503);
    test_no_memory(64);
    double one[2] = {1, 0};
    wf_dd out[2];
    CHECK(wf_reference_c2c(0, 1, one, out) == WEFT_ERR_ARGUMENT, "n = 0");
    CHECK(wf_reference_c2c(1, 0, one, out) == WEFT_ERR_ARGUMENT, "sign 0");
#ifdef WEFT_HAVE_MPFR
    mpfr_free_cache();
#endif
    return check_report("ref");
}
