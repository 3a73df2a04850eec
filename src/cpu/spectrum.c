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
#include "num/num.h"

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

static void run(const wf_node *transform, void *data, void *scratch)
{
    transform->run(transform, &(wf_samples){data, data, data, data}, scratch);
}

/* ---- What is known beforehand -------------------------------------------- */

static inline double square_at(wf_real real, const void *table, int64_t k)
{
    complex_number x = get(real, table, k);
    return x.re * x.re + x.im * x.im;
}

/* The sum of so many squares of reals less `mean`: sums are of these
 * differences, in blocks, and what a block's addition rounds away is added to
 * the next (Kahan). */
static inline double sum_squares(wf_real real, const void *table,
                                 int64_t count, double mean)
{
    enum { LANES = 8, BLOCK = 128 };
    double sum = 0, error = 0;
    for (int64_t i = 0; i < count; i += BLOCK) {
        const int64_t end = count - i < BLOCK ? count : i + BLOCK;
        double part[LANES] = {0};
        int64_t k = i;
        for (; k + LANES <= end; k += LANES)
            for (int l = 0; l < LANES; l++) {
                const double x = wf_table_get(real, table, k + l);
                part[l] += x * x - mean;
            }
        for (; k < end; k++) {
            const double x = wf_table_get(real, table, k);
            part[k % LANES] += x * x - mean;
        }
        double block = ((part[0] + part[1]) + (part[2] + part[3])) +
                       ((part[4] + part[5]) + (part[6] + part[7])) - error;
        double next = sum + block;
        error = (next - sum) - block;
        sum = next;
    }
    return sum;
}

/* By what share the transform makes its results too long: the squares' mean
 * is the sequence's energy (Parseval).  mirrored: of the numbers behind m/2
 * only the mirror images are there. */
static inline double excess(wf_real real, const wf_sequence *s,
                            const void *table, bool mirrored)
{
    const int64_t numbers = mirrored ? s->m / 2 + 1 : s->m;
    double sum = sum_squares(real, table, 2 * numbers, s->energy / 2);
    if (mirrored)
        sum = 2 * sum - (square_at(real, table, 0) - s->energy) -
              (square_at(real, table, s->m / 2) - s->energy);
    return sum / (2 * (double)s->m * s->energy);
}

/* What numbers are multiplied by: factor (1 - less)/m as a sum of two, that
 * its error is not the same in every number, which would add up where
 * convolutions nest; and, where the modulus is known, (square - |x|^2) pull
 * more, which is half of what sets it right. */
typedef struct shares {
    double share, rest;
    double square, pull;
} shares;

static shares shares_of(const wf_sequence *s, double less)
{
    const wf_dd share = wf_dd_div((wf_dd){s->factor, 0},
                                  (wf_dd){(double)s->m, 0});
    const double n = (double)s->gauss;
    return (shares){.share = share.hi,
                    .rest = share.lo - less * share.hi,
                    .square = n,
                    .pull = s->gauss != 0 ? 0.5 / n * share.hi : 0};
}

static inline complex_number finish(const shares *f, bool known,
                                    complex_number x)
{
    double rest = f->rest;
    if (known)
        rest += (f->square - (x.re * x.re + x.im * x.im)) * f->pull;
    return (complex_number){x.re * f->share + x.re * rest,
                            x.im * f->share + x.im * rest};
}

/* Number 0: Rader's is known. */
static inline complex_number finish_first(const wf_sequence *s,
                                          const shares *f, complex_number x)
{
    return finish(f, false, s->gauss != 0 ? (complex_number){-1, 0} : x);
}

/* ---- The ways ------------------------------------------------------------ */

/* Number k > 0 and its mirror image, which is re Re, im Im of it. */
static inline void finish_two(const shares *f, bool known, wf_real real,
                              void *table, int64_t m, int64_t k, double re,
                              double im)
{
    complex_number a = get(real, table, k), b = get(real, table, m - k);
    a.re = (a.re + re * b.re) / 2;
    a.im = (a.im + im * b.im) / 2;
    a = finish(f, known, a);
    put(real, table, k, a);
    put(real, table, m - k, (complex_number){re * a.re, im * a.im});
}

/* Of turned sequences the modulus is known, of even ones it is not. */
static inline void correct(wf_real real, wf_symmetry symmetry,
                           const wf_sequence *s, void *table)
{
    const bool turned = symmetry == WF_SYMMETRY_TURNED;
    const int times = turned ? 2 : 3;
    const shares f = shares_of(s, times * excess(real, s, table, false));
    const double odd = turned ? -1 : 1;
    put(real, table, 0, finish_first(s, &f, get(real, table, 0)));
    for (int64_t k = 1; k <= s->m / 2; k += 2) {
        finish_two(&f, turned, real, table, s->m, k, odd, 1);
        if (k + 1 <= s->m / 2)
            finish_two(&f, turned, real, table, s->m, k + 1, 1, odd);
    }
}

static inline void make(wf_real real, const wf_node *transform,
                        const wf_sequence *s, void *table, void *scratch)
{
    run(transform, table, scratch);
    if (s->symmetry == WF_SYMMETRY_TURNED)
        correct(real, WF_SYMMETRY_TURNED, s, table);
    else
        correct(real, WF_SYMMETRY_EVEN, s, table);
}

void wf_spectrum(const wf_node *transform, const wf_sequence *s, void *table,
                 void *scratch)
{
    if (transform->real == WF_F64)
        make(WF_F64, transform, s, table, scratch);
    else
        make(WF_F32, transform, s, table, scratch);
}

/* All reals of m numbers times share + rest. */
static inline void multiply(wf_real real, const shares *f, int64_t m,
                            void *table)
{
    enum { LANES = 8 };
    int64_t i = 0;
    for (; i + LANES <= 2 * m; i += LANES)
        for (int l = 0; l < LANES; l++) {
            const double x = wf_table_get(real, table, i + l);
            wf_table_set(real, table, i + l, x * f->share + x * f->rest);
        }
    for (; i < 2 * m; i++) {
        const double x = wf_table_get(real, table, i);
        wf_table_set(real, table, i, x * f->share + x * f->rest);
    }
}

static inline void turn_round_pairs(wf_real real, int64_t m, const void *table,
                                    void *image)
{
    put(real, image, 0, get(real, table, 0));
    for (int64_t k = 1; k < m; k++)
        put(real, image, k, get(real, table, m - k));
}

/* Which the transform of the sequence read backwards is, too. */
static inline void take_mean(wf_real real, int64_t m, void *table,
                             const void *image)
{
    for (int64_t k = 0; k < m; k++) {
        const complex_number a = get(real, table, k),
                             b = get(real, image, k == 0 ? 0 : m - k);
        put(real, table, k,
            (complex_number){(a.re + b.re) / 2, (a.im + b.im) / 2});
    }
}

/* The second transform takes 0.3 u off convolutions (c2c:f64:1000003 4.81 u,
 * then 4.49), which those of long sequences need. */
static inline void make_plain(wf_real real, const wf_node *transform,
                              const wf_sequence *about, void *table,
                              void *image, void *scratch)
{
    enum { LONG = 1 << 17 };
    wf_sequence s = *about;
    s.energy += sum_squares(real, table, 2 * s.m,
                            s.energy / (double)(2 * s.m));
    if (s.m > LONG) {
        turn_round_pairs(real, s.m, table, image);
        run(transform, image, scratch);
    }
    run(transform, table, scratch);
    if (s.m > LONG)
        take_mean(real, s.m, table, image);
    const shares f = shares_of(&s, 3 * excess(real, &s, table, false));
    multiply(real, &f, s.m, table);
}

void wf_plain_spectrum(const wf_node *transform, const wf_sequence *s,
                       void *table, void *image, void *scratch)
{
    if (transform->real == WF_F64)
        make_plain(WF_F64, transform, s, table, image, scratch);
    else
        make_plain(WF_F32, transform, s, table, image, scratch);
}

void wf_spectrum_image(wf_real real, int64_t m, const void *table, void *image)
{
    if (real == WF_F64)
        turn_round_pairs(WF_F64, m, table, image);
    else
        turn_round_pairs(WF_F32, m, table, image);
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
    const shares f = shares_of(s, times * excess(real, s, table, true));
    for (int64_t k = 0; k <= s->m / 2; k++) {
        complex_number a = get(real, table, k), b = get(real, image, k);
        if (image != table)
            a = (complex_number){(a.re + b.re) / 2, (a.im - b.im) / 2};
        put(real, table, k,
            k == 0 ? finish_first(s, &f, a) : finish(&f, s->gauss != 0, a));
    }
}

weft_status wf_real_spectrum(const wf_node *transform, const wf_sequence *s,
                             void *table)
{
    const bool alone = s->gauss != 0;
    void *scratch = wf_alloc(transform->scratch + 1);
    void *image = alone ? table
                        : wf_alloc(((size_t)s->m + 2) * transform->bytes);
    const bool made = scratch != NULL && image != NULL;
    if (made && !alone) {
        turn_round(transform, s->m, table, image);
        run(transform, image, scratch);
    }
    if (made) {
        run(transform, table, scratch);
        if (transform->real == WF_F64)
            correct_half(WF_F64, s, table, image);
        else
            correct_half(WF_F32, s, table, image);
    }
    if (!alone)
        wf_free(image);
    wf_free(scratch);
    return made ? WEFT_OK : wf_no_memory();
}
