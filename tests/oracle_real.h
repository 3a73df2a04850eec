/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle_real.h - the oracle's real transforms, included by oracle.c after
 * oracle_fft.h, once for each arithmetic.
 *
 * The cosine transform of x and the sine transform of y of one type (1 to 4)
 * are two parts of one transform of 2 n numbers with a symmetry, which n
 * complex numbers hold.  With C and S the two transforms as weft.h defines
 * them, and S counted from k = 1 where the sine of k = 0 is 0:
 *
 *   1   u[j] = x[j] + y[j], u[2n-j] = x[j] - y[j];     U[k] = C[k] - i S[k]
 *   2   u[j] = x[j] + y[j], u[2n-1-j] = x[j] - y[j];
 *       U[k] exp(-pi i k/2n) = C[k] - i S[k]
 *   3   G[j] = (x[j] + i y[j]) exp(-pi i j/2n) = conj G[2n-j];
 *       g[k] = C[k] + S[k], g[2n-1-k] = C[k] - S[k]
 *   4   u[j] = x[j] + y[j], u[2n-1-j] = y[j] - x[j];
 *       sum_j u[j] exp(-2 pi i (j+1/2)(k+1/2)/2n) = C[k] - i S[k]
 *
 * oracle_test holds each against its definition.
 */

static REAL *NAME(reals)(int64_t n)
{
    return need((size_t)n * sizeof(REAL));
}

static NAME(value) * NAME(values)(int64_t n)
{
    return need((size_t)n * sizeof(NAME(value)));
}

static NAME(value) *
    NAME(roots)(int64_t count, int64_t first, int64_t step, int64_t n)
{
    NAME(value) *w = NAME(values)(count);
    NAME(fill_roots)(w, count, first, step, n);
    return w;
}

/* U[0..n] of 2 n reals u, from the transform of u[2j] + i u[2j+1]. */
static void NAME(of_reals)(int64_t n, const REAL *u, NAME(value) * U)
{
    NAME(value) *z = NAME(values)(2 * n), *Z = z + n;
    for (int64_t j = 0; j < n; j++)
        z[j] = (NAME(value)){u[2 * j], u[2 * j + 1]};
    NAME(value) *w = NAME(roots)(n + 1, 0, 1, 2 * n);
    NAME(dft)(NAME(find)(n), n, z, 1, Z);
    for (int64_t k = 0; k <= n; k++) {
        NAME(value) a = Z[k % n], b = Z[(n - k) % n];
        NAME(value) even = {(a.re + b.re) / 2, (a.im - b.im) / 2};
        NAME(value) odd = {(a.im + b.im) / 2, (b.re - a.re) / 2};
        odd = NAME(mul)(odd, w[k]);
        U[k] = (NAME(value)){even.re + odd.re, even.im + odd.im};
    }
    free(w);
    free(z);
}

/* x has n + 1 numbers, y n - 1. */
static void NAME(pair1)(int64_t n, const REAL *x, const REAL *y, REAL *c,
                        REAL *s)
{
    REAL *u = NAME(reals)(2 * n);
    NAME(value) *U = NAME(values)(n + 1);
    u[0] = x[0];
    u[n] = x[n];
    for (int64_t j = 1; j < n; j++) {
        u[j] = x[j] + y[j - 1];
        u[2 * n - j] = x[j] - y[j - 1];
    }
    NAME(of_reals)(n, u, U);
    for (int64_t k = 0; k <= n; k++) {
        c[k] = U[k].re;
        if (k > 0 && k < n)
            s[k - 1] = -U[k].im;
    }
    free(u);
    free(U);
}

static void NAME(pair2)(int64_t n, const REAL *x, const REAL *y, REAL *c,
                        REAL *s)
{
    REAL *u = NAME(reals)(2 * n);
    NAME(value) *U = NAME(values)(n + 1);
    for (int64_t j = 0; j < n; j++) {
        u[j] = x[j] + y[j];
        u[2 * n - 1 - j] = x[j] - y[j];
    }
    NAME(of_reals)(n, u, U);
    NAME(value) *w = NAME(roots)(n + 1, 0, 1, 4 * n);
    for (int64_t k = 0; k <= n; k++) {
        NAME(value) t = NAME(mul)(U[k], w[k]);
        if (k < n)
            c[k] = t.re;
        if (k > 0)
            s[k - 1] = -t.im;
    }
    free(w);
    free(u);
    free(U);
}

/* g[2k] + i g[2k+1] is the transform of n numbers. */
static void NAME(pair3)(int64_t n, const REAL *x, const REAL *y, REAL *c,
                        REAL *s)
{
    NAME(value) *G = NAME(values)(4 * n), *H = G + 2 * n, *h = H + n;
    NAME(value) *w = NAME(roots)(n, 0, 1, 4 * n);
    NAME(value) *v = NAME(roots)(n, 0, 1, 2 * n);
    G[0] = (NAME(value)){x[0], 0};
    G[n] = (NAME(value)){y[n - 1], 0};
    for (int64_t j = 1; j < n; j++) {
        NAME(value) t = {x[j], y[j - 1]};
        G[j] = NAME(mul)(t, w[j]);
        G[2 * n - j] = (NAME(value)){G[j].re, -G[j].im};
    }
    for (int64_t j = 0; j < n; j++) {
        NAME(value) a = G[j], b = G[j + n];
        NAME(value) odd = {a.re - b.re, a.im - b.im};
        odd = NAME(mul)(odd, v[j]);
        H[j] = (NAME(value)){a.re + b.re - odd.im, a.im + b.im + odd.re};
    }
    NAME(dft)(NAME(find)(n), n, H, 1, h);
    for (int64_t k = 0; k < n; k++) {
        int64_t mirror = 2 * n - 1 - k;
        REAL a = k % 2 ? h[k / 2].im : h[k / 2].re;
        REAL b = mirror % 2 ? h[mirror / 2].im : h[mirror / 2].re;
        c[k] = (a + b) / 2;
        s[k] = (a - b) / 2;
    }
    free(v);
    free(w);
    free(G);
}

/* U[2k] is the transform of n numbers; U[2n-1-k] = -conj U[k]. */
static void NAME(pair4)(int64_t n, const REAL *x, const REAL *y, REAL *c,
                        REAL *s)
{
    REAL *u = NAME(reals)(2 * n);
    NAME(value) *z = NAME(values)(2 * n), *Z = z + n;
    NAME(value) *w = NAME(roots)(n, 0, 1, 4 * n);
    NAME(value) *v = NAME(roots)(n, 1, 4, 8 * n);
    for (int64_t j = 0; j < n; j++) {
        u[j] = x[j] + y[j];
        u[2 * n - 1 - j] = y[j] - x[j];
    }
    for (int64_t j = 0; j < n; j++)
        z[j] = NAME(mul)((NAME(value)){u[j], -u[j + n]}, w[j]);
    NAME(dft)(NAME(find)(n), n, z, 1, Z);
    for (int64_t k = 0; k < n; k++) {
        NAME(value) t = NAME(mul)(Z[k], v[k]);
        bool mirrored = 2 * k >= n;
        int64_t at = mirrored ? 2 * n - 1 - 2 * k : 2 * k;
        c[at] = mirrored ? -t.re : t.re;
        s[at] = -t.im;
    }
    free(v);
    free(w);
    free(u);
    free(z);
}

static void NAME(pair)(int which, int64_t n, const REAL *x, const REAL *y,
                       REAL *c, REAL *s)
{
    switch (which) {
    case 1: NAME(pair1)(n, x, y, c, s); break;
    case 2: NAME(pair2)(n, x, y, c, s); break;
    case 3: NAME(pair3)(n, x, y, c, s); break;
    default: NAME(pair4)(n, x, y, c, s); break;
    }
}

/* R2HC, HC2R and DHT, from a complex transform. */
static void NAME(halfcomplex)(weft_kind kind, int64_t n, const REAL *x,
                              REAL *y)
{
    NAME(value) *z = NAME(values)(2 * n), *Z = z + n;
    for (int64_t j = 0; j < n; j++)
        z[j] = (NAME(value)){x[j], 0};
    for (int64_t k = 1; kind == WEFT_HC2R && k < n; k++) {
        /* Conjugate, as the transform below is the forward one. */
        REAL im = 2 * k < n ? -x[n - k] : x[k];
        z[k] = (NAME(value)){2 * k <= n ? x[k] : x[n - k], im};
        if (2 * k == n)
            z[k].im = 0;
    }
    NAME(dft)(NAME(find)(n), n, z, 1, Z);
    for (int64_t k = 0; k < n; k++)
        if (kind == WEFT_DHT)
            y[k] = Z[k].re - Z[k].im;
        else if (kind == WEFT_HC2R || 2 * k <= n)
            y[k] = Z[k].re;
        else
            y[k] = Z[n - k].im;
    free(z);
}

/* One vector of any of the real kinds but R2C and C2R. */
static void NAME(real_vector)(weft_kind kind, int64_t n, const REAL *x,
                              REAL *y)
{
    if (kind <= WEFT_DHT) {
        NAME(halfcomplex)(kind, n, x, y);
        return;
    }
    static const int type[] = {1, 3, 2, 4};
    bool sine = kind >= WEFT_RODFT00;
    int which = type[kind - (sine ? WEFT_RODFT00 : WEFT_REDFT00)];
    int64_t m = which > 1 ? n : sine ? n + 1 : n - 1; /* half the period */
    REAL *zero = NAME(reals)(2 * m + 2), *unused = zero + m + 1;
    for (int64_t j = 0; j <= m; j++)
        zero[j] = 0;
    if (sine)
        NAME(pair)(which, m, zero, x, unused, y);
    else
        NAME(pair)(which, m, x, zero, y, unused);
    free(zero);
}

/* The end elements that the orthogonal matrix of a kind scales apart, times
 * `factor`: those with one weight where the others have two (input), and
 * those whose rows are longer than the others (output). */
static void NAME(scale_ends)(weft_kind kind, bool input, int64_t n,
                             REAL factor, REAL *x)
{
    bool first = kind == WEFT_REDFT00 ||
                 kind == (input ? WEFT_REDFT01 : WEFT_REDFT10);
    bool last = kind == WEFT_REDFT00 ||
                kind == (input ? WEFT_RODFT01 : WEFT_RODFT10);
    if (first)
        x[0] *= factor;
    if (last)
        x[n - 1] *= factor;
}

static void NAME(put)(int64_t n, const REAL *x, double *hi, double *lo)
{
    for (int64_t i = 0; i < n; i++) {
        hi[i] = (double)x[i];
        if (lo)
            lo[i] = (double)(x[i] - (REAL)hi[i]);
    }
}

static void NAME(r2r)(bool ortho, int rank, const int64_t *n,
                      const weft_kind *kinds, const double *in, double *hi,
                      double *lo)
{
    const REAL root = (REAL)square_root(2);
    int64_t total = 1, stride = 1;
    for (int d = 0; d < rank; d++)
        total *= n[d];
    REAL *data = NAME(reals)(3 * total), *x = data + total, *y = x + total;
    for (int64_t i = 0; i < total; i++)
        data[i] = (REAL)in[i];
    for (int d = rank - 1; d >= 0; stride *= n[d--])
        for (int64_t i = 0; i < total / n[d]; i++) {
            REAL *line = data + i / stride * stride * n[d] + i % stride;
            for (int64_t j = 0; j < n[d]; j++)
                x[j] = line[j * stride];
            REAL scale = 1;
            if (ortho)
                NAME(scale_ends)(kinds[d], true, n[d], root, x);
            NAME(real_vector)(kinds[d], n[d], x, y);
            if (ortho) {
                NAME(scale_ends)(kinds[d], false, n[d], 1 / root, y);
                scale = 1 / (REAL)square_root(
                                (oracle_quad)oracle_period(kinds[d], n[d]));
            }
            for (int64_t j = 0; j < n[d]; j++)
                line[j * stride] = scale * y[j];
        }
    NAME(put)(total, data, hi, lo);
    free(data);
}

static void NAME(cosines_and_sines)(int which, int64_t n, const double *x,
                                    const double *y, const oracle_split *c,
                                    const oracle_split *s)
{
    int64_t more = which == 1;
    REAL *a = NAME(reals)(4 * n + 4), *b = a + n + 1, *p = b + n + 1,
         *q = p + n + 1;
    for (int64_t i = 0; i < n + more; i++)
        a[i] = (REAL)x[i];
    for (int64_t i = 0; i < n - more; i++)
        b[i] = (REAL)y[i];
    NAME(pair)(which, n, a, b, p, q);
    NAME(put)(n + more, p, c->hi, c->lo);
    NAME(put)(n - more, q, s->hi, s->lo);
    free(a);
}
