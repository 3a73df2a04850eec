/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle_fft.h - the oracle's transform, included by oracle.c once for each
 * arithmetic: REAL is the number, NAME(x) the suffix.
 *
 * Decimation in time, one prime at a time: n = r m, the r transforms of m
 * first, then m butterflies of r points.  A prime up to DIRECT_LIMIT is
 * summed directly, with t_j and t_(r-j) taken together; a larger one is a
 * convolution with a chirp (Bluestein 1970), since direct sums of all primes
 * below 1024 would take most of a minute.
 */

typedef struct NAME(value) {
    REAL re, im;
} NAME(value);

/* Roots exp(-2 pi i k / n), k < n, and for a large prime the transform of
 * its chirp.  Made once for each n and kept. */
typedef struct NAME(table) {
    int64_t n, m;
    NAME(value) * root, *chirp, *spectrum;
    struct NAME(table) * next;
} NAME(table);

static NAME(table) * NAME(tables)[BUCKETS];

static void NAME(dft)(const NAME(table) * table, int64_t n,
                      const NAME(value) * in, int64_t stride,
                      NAME(value) * out);

static NAME(value) NAME(mul)(NAME(value) a, NAME(value) b)
{
    return (NAME(value)){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* sum (-1)^k x^(2k+first) / (2k+first)!, |x| <= pi/4: the term of degree 32
 * is below 2e-39. */
static REAL NAME(series)(REAL x, int first)
{
    static REAL inverse[33];
    if (inverse[0] == 0) {
        inverse[0] = 1;
        for (int k = 1; k <= 32; k++)
            inverse[k] = inverse[k - 1] / (REAL)k;
    }
    REAL sum = 0, square = x * x;
    for (int k = 30 + first; k >= first; k -= 2)
        sum = inverse[k] - square * sum;
    return first ? x * sum : sum;
}

/* exp(-2 pi i k / n), 0 <= k < n. */
static NAME(value) NAME(root)(int64_t k, int64_t n)
{
    /* pi to 161 bits, as the sum of the three nearest doubles. */
    const REAL pi = (REAL)0x1.921fb54442d18p+1 + (REAL)0x1.1a62633145c07p-53 +
                    (REAL)-0x1.f1976b7ed8fbcp-109;
    int64_t octant = 8 * k / n, rest = 8 * k - octant * n;
    if (octant & 1)
        rest = n - rest;
    REAL x = pi * (REAL)rest / (4 * (REAL)n);
    REAL c = NAME(series)(x, 0), s = NAME(series)(x, 1);
    const REAL cosines[8] = {c, s, -s, -c, -c, -s, s, c};
    const REAL sines[8] = {s, c, c, s, -s, -c, -c, -s};
    return (NAME(value)){cosines[octant], -sines[octant]};
}

/* w[j] = exp(-2 pi i (first + j step) / n), j < count: products of a coarse and
 * a fine root, as a series takes ten times as long. */
static void NAME(fill_roots)(NAME(value) * w, int64_t count, int64_t first,
                             int64_t step, int64_t n)
{
    int64_t block = 1;
    while (block * block < count)
        block++;
    NAME(value) *fine = need((size_t)block * sizeof *fine);
    for (int64_t j = 0; j < block; j++)
        fine[j] = NAME(root)(j * step % n, n);
    for (int64_t from = 0; from < count; from += block) {
        const NAME(value) coarse = NAME(root)((first + from * step) % n, n);
        for (int64_t j = 0; j < block && from + j < count; j++)
            w[from + j] = NAME(mul)(coarse, fine[j]);
    }
    free(fine);
}

static const NAME(table) * NAME(find)(int64_t n)
{
    NAME(table) **bucket = &NAME(tables)[n % BUCKETS];
    for (NAME(table) *t = *bucket; t; t = t->next)
        if (t->n == n)
            return t;
    NAME(table) *made = need(sizeof *made);
    *made = (NAME(table)){.n = n, .next = *bucket};
    made->root = need((size_t)n * sizeof *made->root);
    NAME(fill_roots)(made->root, n, 0, 1, n);
    *bucket = made;
    return made;
}

/* The chirp c_j = exp(-pi i j^2 / n), with j^2 reduced modulo 2 n. */
static const NAME(table) * NAME(find_chirp)(int64_t n)
{
    NAME(table) *t = (NAME(table) *)NAME(find)(n);
    if (t->chirp)
        return t;
    const NAME(table) *twice = NAME(find)(2 * n);
    int64_t m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    NAME(value) *b = need((size_t)m * sizeof *b);
    t->chirp = need((size_t)n * sizeof *t->chirp);
    t->spectrum = need((size_t)m * sizeof *t->spectrum);
    t->m = m;
    for (int64_t j = 0; j < m; j++)
        b[j] = (NAME(value)){0, 0};
    for (int64_t j = 0; j < n; j++) {
        NAME(value) c = twice->root[j * j % (2 * n)];
        t->chirp[j] = c;
        c.im = -c.im;
        b[j] = c;
        if (j)
            b[m - j] = c;
    }
    NAME(dft)(NAME(find)(m), m, b, 1, t->spectrum);
    for (int64_t j = 0; j < m; j++) {
        t->spectrum[j].re /= (REAL)m;
        t->spectrum[j].im /= (REAL)m;
    }
    free(b);
    return t;
}

/* In place on t[0..n-1].  The second transform is a forward one of the
 * product with re and im exchanged, which is the inverse. */
static void NAME(chirped)(int64_t n, NAME(value) * t)
{
    const NAME(table) *c = NAME(find_chirp)(n);
    const NAME(table) *roots = NAME(find)(c->m);
    NAME(value) *a = need((size_t)c->m * 2 * sizeof *a), *b = a + c->m;
    for (int64_t j = 0; j < c->m; j++)
        a[j] = j < n ? NAME(mul)(t[j], c->chirp[j]) : (NAME(value)){0, 0};
    NAME(dft)(roots, c->m, a, 1, b);
    for (int64_t j = 0; j < c->m; j++) {
        NAME(value) p = NAME(mul)(b[j], c->spectrum[j]);
        b[j] = (NAME(value)){p.im, p.re};
    }
    NAME(dft)(roots, c->m, b, 1, a);
    for (int64_t k = 0; k < n; k++)
        t[k] = NAME(mul)((NAME(value)){a[k].im, a[k].re}, c->chirp[k]);
    free(a);
}

/* Odd r, in place: X_k and X_(r-k) from the same sums of cosines and sines. */
static void NAME(direct)(int64_t r, NAME(value) * t)
{
    NAME(value) sum[DIRECT_LIMIT / 2 + 1], difference[DIRECT_LIMIT / 2 + 1];
    const NAME(value) *w = NAME(find)(r)->root;
    NAME(value) first = t[0];
    int64_t half = r / 2;
    for (int64_t j = 1; j <= half; j++) {
        sum[j].re = t[j].re + t[r - j].re;
        sum[j].im = t[j].im + t[r - j].im;
        difference[j].re = t[j].re - t[r - j].re;
        difference[j].im = t[j].im - t[r - j].im;
        t[0].re += sum[j].re;
        t[0].im += sum[j].im;
    }
    for (int64_t k = 1; k <= half; k++) {
        NAME(value) even = first, odd = {0, 0};
        for (int64_t j = 1; j <= half; j++) {
            NAME(value) root = w[j * k % r];
            even.re += root.re * sum[j].re;
            even.im += root.re * sum[j].im;
            odd.re -= root.im * difference[j].im;
            odd.im += root.im * difference[j].re;
        }
        t[k] = (NAME(value)){even.re + odd.re, even.im + odd.im};
        t[r - k] = (NAME(value)){even.re - odd.re, even.im - odd.im};
    }
}

static void NAME(butterfly)(int64_t r, NAME(value) * t)
{
    if (r == 2) {
        NAME(value) a = t[0], b = t[1];
        t[0] = (NAME(value)){a.re + b.re, a.im + b.im};
        t[1] = (NAME(value)){a.re - b.re, a.im - b.im};
    } else if (r == 4) {
        NAME(value) a = {t[0].re + t[2].re, t[0].im + t[2].im};
        NAME(value) b = {t[0].re - t[2].re, t[0].im - t[2].im};
        NAME(value) c = {t[1].re + t[3].re, t[1].im + t[3].im};
        NAME(value) d = {t[1].re - t[3].re, t[1].im - t[3].im};
        t[0] = (NAME(value)){a.re + c.re, a.im + c.im};
        t[2] = (NAME(value)){a.re - c.re, a.im - c.im};
        t[1] = (NAME(value)){b.re + d.im, b.im - d.re};
        t[3] = (NAME(value)){b.re - d.im, b.im + d.re};
    } else if (r <= DIRECT_LIMIT) {
        NAME(direct)(r, t);
    } else {
        NAME(chirped)(r, t);
    }
}

/* `table` holds the roots of a multiple of n. */
static void NAME(dft)(const NAME(table) * table, int64_t n,
                      const NAME(value) * in, int64_t stride,
                      NAME(value) * out)
{
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    int64_t r = next_factor(n), m = n / r, step = table->n / n;
    for (int64_t q = 0; q < r; q++)
        NAME(dft)(table, m, in + q * stride, stride * r, out + q * m);
    NAME(value) few[DIRECT_LIMIT];
    NAME(value) *t = r <= DIRECT_LIMIT ? few : need((size_t)r * sizeof *t);
    for (int64_t k = 0; k < m; k++) {
        t[0] = out[k];
        for (int64_t q = 1; q < r; q++)
            t[q] = k == 0
                       ? out[q * m]
                       : NAME(mul)(out[q * m + k], table->root[q * k * step]);
        NAME(butterfly)(r, t);
        for (int64_t q = 0; q < r; q++)
            out[q * m + k] = t[q];
    }
    if (t != few)
        free(t);
}

/* One dimension of n, `stride` apart, in place. */
static void NAME(line)(int64_t n, NAME(value) * data, int64_t stride)
{
    NAME(value) *out = need((size_t)n * sizeof *out);
    NAME(dft)(NAME(find)(n), n, data, stride, out);
    for (int64_t k = 0; k < n; k++)
        data[k * stride] = out[k];
    free(out);
}

/* All dimensions; the inverse is the forward transform with re and im
 * exchanged before and after. */
static void NAME(transform)(bool inverse, int rank, const int64_t *n,
                            const double *in, double *hi, double *lo)
{
    int64_t total = 1, stride = 1;
    for (int d = 0; d < rank; d++)
        total *= n[d];
    NAME(value) *data = need((size_t)total * sizeof *data);
    for (int64_t i = 0; i < total; i++)
        data[i] = (NAME(value)){(REAL)in[2 * i + inverse],
                                (REAL)in[2 * i + !inverse]};
    for (int d = rank - 1; d >= 0; stride *= n[d--])
        for (int64_t i = 0; n[d] > 1 && i < total / n[d]; i++)
            NAME(line)
    (n[d], data + i / stride * stride * n[d] + i % stride, stride);
    for (int64_t i = 0; i < total; i++) {
        REAL part[2] = {inverse ? data[i].im : data[i].re,
                        inverse ? data[i].re : data[i].im};
        for (int c = 0; c < 2; c++) {
            hi[2 * i + c] = (double)part[c];
            if (lo)
                lo[2 * i + c] = (double)(part[c] - (REAL)hi[2 * i + c]);
        }
    }
    free(data);
}
