/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.c - the spectrum of a fixed sequence, by the transform that will be
 * multiplied by it.
 *
 * One execution; its error would add to those of the two that every
 * convolution makes.  What is known of the spectrum beforehand takes most of
 * it away again:
 *
 * - A number and its mirror image are computed by other operations, so their
 *   mean errs by less: 0.77 of it (roundings are independent, those of the
 *   twiddles are not).  Error at 65536 numbers, of Rader's sequence: 2.33 u,
 *   then 1.89 u.
 * - Where the modulus is known, the error along the radius can be seen and
 *   removed: 1.28 u.
 * - A transform makes all results too long or too short by the same share, up
 *   to 1 u (rounded constants), and shares add up: 3 u of a convolution.
 *   Parseval's sum tells how much; taken off the spectrum as often as there
 *   are transforms, it is gone from all of them.  c2c:f64:100003: 4.36 u, then
 *   3.89 u; with a spectrum of pairs of doubles, rounded once, 3.67 u.
 */
#include "cpu/spectrum.h"

typedef struct complex_number {
    double re, im;
} complex_number;

static inline complex_number get(wf_real real, const void *table, int64_t k)
{
    return (complex_number){wf_table_get(real, table, 2 * k),
                            wf_table_get(real, table, 2 * k + 1)};
}

static inline void put(wf_real real, void *table, int64_t k, complex_number x)
{
    wf_table_set(real, table, 2 * k, x.re);
    wf_table_set(real, table, 2 * k + 1, x.im);
}

static weft_status run(const wf_node *transform, void *data)
{
    char *scratch = wf_alloc(transform->scratch + 1);
    if (scratch == NULL)
        return wf_no_memory();
    transform->run(transform, &(wf_samples){data, data, data, data}, scratch);
    wf_free(scratch);
    return WEFT_OK;
}

/* ---- What is known beforehand -------------------------------------------- */

static inline double square_at(wf_real real, const void *table, int64_t k)
{
    complex_number x = get(real, table, k);
    return x.re * x.re + x.im * x.im;
}

/* By what share the transform makes its results too long: the squares' mean
 * is the sequence's energy (Parseval).  Sums are of differences from it, in
 * blocks, and what a block's addition rounds away is added to the next (Kahan).
 * mirrored: of the numbers behind m/2 only the mirror images are there. */
static double excess(wf_real real, const wf_sequence *s, const void *table,
                     bool mirrored)
{
    enum { LANES = 4, BLOCK = 64 };
    int64_t count = mirrored ? s->m / 2 + 1 : s->m;
    double sum = 0, error = 0;
    for (int64_t i = 0; i < count; i += BLOCK) {
        double part[LANES] = {0};
        for (int64_t k = i; k < i + BLOCK && k < count; k++)
            part[k % LANES] += square_at(real, table, k) - s->energy;
        double block = (part[0] + part[1]) + (part[2] + part[3]) - error;
        double next = sum + block;
        error = (next - sum) - block;
        sum = next;
    }
    if (mirrored)
        sum = 2 * sum - (square_at(real, table, 0) - s->energy) -
              (square_at(real, table, s->m / 2) - s->energy);
    return sum / (2 * (double)s->m * s->energy);
}

/* The modulus of number k > 0 set to what it is; times 1 + more; then factor/m.
 * A quotient, not a product with 1/m, whose error would be the same in every
 * output and add up where convolutions nest. */
static inline complex_number finish(const wf_sequence *s, int64_t k,
                                    complex_number x, double more)
{
    if (s->gauss != 0 && k == 0)
        x = (complex_number){-1, 0};
    else if (s->gauss != 0) {
        double n = (double)s->gauss;
        more += (n - (x.re * x.re + x.im * x.im)) * (0.5 / n);
    }
    x.re += more * x.re;
    x.im += more * x.im;
    return (complex_number){s->factor * x.re / (double)s->m,
                            s->factor * x.im / (double)s->m};
}

/* Number k and its mirror image. */
static inline void finish_two(const wf_sequence *s, wf_real real, void *table,
                              int64_t k, double more)
{
    int64_t mirror = k == 0 ? 0 : s->m - k;
    complex_number a = get(real, table, k), b = get(real, table, mirror);
    bool turned = s->symmetry == WF_SYMMETRY_TURNED;
    double re = turned && k % 2 != 0 ? -1 : 1, im = turned ? -re : 1;
    a.re = (a.re + re * b.re) / 2;
    a.im = (a.im + im * b.im) / 2;
    a = finish(s, k, a, more);
    put(real, table, k, a);
    if (mirror != k)
        put(real, table, mirror, (complex_number){re * a.re, im * a.im});
}

/* ---- The two ways -------------------------------------------------------- */

static inline void correct(wf_real real, const wf_sequence *s, void *table)
{
    const int times = s->gauss != 0 ? 2 : 3;
    double less = times * excess(real, s, table, false);
    for (int64_t k = 0; k <= s->m / 2; k++)
        finish_two(s, real, table, k, -less);
}

weft_status wf_spectrum(const wf_node *transform, const wf_sequence *s,
                        void *table)
{
    weft_status status = run(transform, table);
    if (status == WEFT_OK && transform->real == WF_F64)
        correct(WF_F64, s, table);
    else if (status == WEFT_OK)
        correct(WF_F32, s, table);
    return status;
}

/* The mirror image is that of the sequence read backwards. */
static void turn_round(const wf_node *transform, int64_t m, const void *table,
                       void *image)
{
    for (int64_t i = 0; i < m; i++)
        wf_table_set(transform->real, image, i,
                     wf_table_get(transform->real, table, i == 0 ? 0 : m - i));
}

/* The image is the table itself where moduli are enough. */
static inline void correct_half(wf_real real, const wf_sequence *s,
                                void *table, const void *image)
{
    const int times = image == table ? 1 : 2;
    double less = times * excess(real, s, table, true);
    for (int64_t k = 0; k <= s->m / 2; k++) {
        complex_number a = get(real, table, k), b = get(real, image, k);
        if (image != table)
            a = (complex_number){(a.re + b.re) / 2, (a.im - b.im) / 2};
        put(real, table, k, finish(s, k, a, -less));
    }
}

weft_status wf_real_spectrum(const wf_node *transform, const wf_sequence *s,
                             void *table)
{
    const bool alone = s->gauss != 0;
    void *image = alone ? table
                        : wf_alloc(((size_t)s->m + 2) * transform->bytes);
    if (image == NULL)
        return wf_no_memory();
    if (!alone)
        turn_round(transform, s->m, table, image);
    weft_status status = run(transform, table);
    if (status == WEFT_OK && !alone)
        status = run(transform, image);
    if (status == WEFT_OK && transform->real == WF_F64)
        correct_half(WF_F64, s, table, image);
    else if (status == WEFT_OK)
        correct_half(WF_F32, s, table, image);
    if (!alone)
        wf_free(image);
    return status;
}
