/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_test_body.h - kernel_test.c for one real type T.
 *
 * A pass is described by where things are (struct layout); the reference
 * fills an expected image of the whole output buffer, which starts as a copy
 * of the canaries, and the buffers are compared scalar by scalar.
 */

/* Where one call's samples are; offsets into one buffer for each side. */
typedef struct F(layout) {
    wf_pass_args a;
    ptrdiff_t in_re, in_im, out_re, out_im; /* buffer offsets */
    size_t in_size, out_size;
} F(layout);

static ptrdiff_t F(leg)(const wf_pass_args *a, int j)
{
    return j ? a->in_base + j * a->in_leg : 0;
}

/* Offsets of element l of a vector: re, im relative to the pointers. */
static ptrdiff_t F(lane)(int interleaved, int l)
{
    return interleaved ? 2 * l : l;
}

/*
 * A random layout.  Vectors of one side sit at unit * slot for slot numbers
 * given by mixed radices (leg, p, q in random significance), with a random
 * pad, of whole vectors or not, so that no two overlap.
 */
static void F(random_strides)(int unit, int legs, int np, int nq,
                              ptrdiff_t *leg, ptrdiff_t *p, ptrdiff_t *q,
                              size_t *span)
{
    ptrdiff_t *strides[3] = {leg, p, q};
    int counts[3] = {legs, np, nq};
    for (int i = 2; i > 0; --i) {
        const int j = random_below(i + 1);
        ptrdiff_t *s = strides[i];
        strides[i] = strides[j];
        strides[j] = s;
        const int c = counts[i];
        counts[i] = counts[j];
        counts[j] = c;
    }
    const int pad = random_below(2) ? unit : 1;
    ptrdiff_t step = unit + pad * random_below(3);
    for (int i = 0; i < 3; ++i) {
        *strides[i] = step;
        step = step * counts[i] + pad * random_below(5);
    }
    *span = (size_t)step;
}

static F(layout) F(random_layout)(const wf_kernel *k, int inverse)
{
    F(layout) y;
    memset(&y, 0, sizeof y);
    const int vl = k->lanes, r = k->radix;
    const int in_i = in_interleaved(k->kind);
    const int out_i = out_interleaved(k->kind);
    const int from_blocks = k->kind == WF_KERNEL_COLMID ||
                            k->kind == WF_KERNEL_COLLAST_SCALED;
    const int blocks = from_blocks || !random_below(2);
    const int out_blocks = from_blocks ? !random_below(2) : blocks;
    const int in_unit = in_i || blocks ? 2 * vl : vl;
    const int out_unit = out_i || out_blocks ? 2 * vl : vl;
    const ptrdiff_t front = 40 + random_below(16);
    size_t in_span, out_span;
    y.a.np = 1 + (size_t)random_below(3);
    y.a.nq = 1 + (size_t)random_below(3);
    const int np = (int)y.a.np, nq = (int)y.a.nq;
    F(random_strides)
    (in_unit, r, np, nq, &y.a.in_leg, &y.a.in_p, &y.a.in_q, &in_span);
    if (is_rows(k->kind)) {
        y.a.in_q = r + random_below(5);
        y.a.in_p = y.a.in_q * vl * nq + random_below(5);
        in_span = (size_t)(y.a.in_p * np);
    } else if (inverse) {
        y.a.in_base = r * y.a.in_leg;
        y.a.in_leg = -y.a.in_leg;
    }
    const int in_planes = !in_i && !blocks;
    y.in_re = front;
    y.in_im = in_planes ? front + (ptrdiff_t)in_span + 7 : front + vl;
    y.in_size = (size_t)front * 2 + (in_planes ? 2 : 1) * in_span + 7;
    int out_planes = !out_i && !out_blocks;
    if (is_rows(k->kind)) {
        y.a.out_q = r + random_below(5);
        y.a.out_p = y.a.out_q * vl * nq + random_below(5);
        out_span = (size_t)(y.a.out_p * np);
    } else if (is_first(k->kind)) {
        /* Rows of R, packed when R is no multiple of VL, as two planes. */
        const int row = row_of(k);
        out_planes = 1;
        y.a.out_leg = vl;
        y.a.out_q = row + (row % vl || !random_below(2) ? 0 : random_below(5));
        y.a.out_p = y.a.out_q * vl * nq + random_below(5);
        out_span = (size_t)(y.a.out_p * np + vl);
    } else if (is_mirrored(k->kind)) {
        /* Half spectra of R s elements, in rows; an out_back of 0 would
         * store element 0 twice, which is the same only of real data. */
        const int unit = out_i ? 2 : 1, back = 1 + random_below(3);
        const int s = 2 * vl * nq + back + random_below(5);
        y.a.out_back = unit * back;
        out_planes = !out_i;
        y.a.out_q = unit * vl;
        y.a.out_leg = unit * s;
        y.a.out_p = unit * s * r + random_below(5);
        out_span = (size_t)(y.a.out_p * np);
    } else if (is_hartley(k->kind)) {
        /* The second reals where no first ones are, from 2 R s downwards. */
        const int s = vl * nq + random_below(5);
        out_planes = 0;
        y.a.out_q = vl;
        y.a.out_leg = s;
        y.a.out_p = 2 * s * r + 1 + random_below(5);
        y.a.out_back = -2 * s * r;
        out_span = (size_t)(y.a.out_p * np);
    } else {
        F(random_strides)
        (out_unit, r, np, nq, &y.a.out_leg, &y.a.out_p, &y.a.out_q, &out_span);
    }
    y.out_re = front;
    y.out_im = out_planes ? front + (ptrdiff_t)out_span + 7 : front + vl;
    y.out_size = (size_t)front * 2 + (out_planes ? 2 : 1) * out_span + 7;
    y.a.tw_p = 2 * (r - 1) * vl;
    y.a.tw_q = y.a.tw_p * np;
    y.a.scale = is_scaled(k->kind) ? 0.375 : 1e300;
    return y;
}

/* In place: the same addresses for leg k of the output as for leg k of the
 * input. */
static void F(make_in_place)(F(layout) * y, const wf_kernel *k)
{
    y->out_re = y->in_re;
    y->out_im = y->in_im;
    y->out_size = y->in_size;
    y->a.out_leg = y->a.in_base ? -y->a.in_leg : y->a.in_leg;
    y->a.out_p = y->a.in_p;
    y->a.out_q = y->a.in_q;
    (void)k;
}

/* The expected lanes of butterfly (p, q) into image. */
static long double F(expect)(const wf_kernel *k, const F(layout) * y,
                             ptrdiff_t p, ptrdiff_t q, const T *in,
                             const T *tw, long double *image)
{
    const wf_pass_args *a = &y->a;
    const int vl = k->lanes, r = k->radix;
    const int in_i = in_interleaved(k->kind);
    const int out_i = out_interleaved(k->kind);
    const T *w = tw + p * a->tw_p + q * a->tw_q;
    long double largest = 0;
    for (int l = 0; l < vl; ++l) {
        long double x[2 * MAX_N] = {0}, out[2 * MAX_N];
        for (int j = 0; j < r; ++j) {
            const ptrdiff_t o = p * a->in_p + q * a->in_q + F(leg)(a, j) +
                                F(lane)(in_i, l);
            long double re = in[y->in_re + o];
            long double im = in_i ? in[y->in_re + o + 1] : in[y->in_im + o];
            if (k->kind == WF_KERNEL_HALF_FIRST)
                im = 0;
            if (has_twiddles(k->kind) && j > 0) {
                const int n = lane_twiddles(k->kind) ? vl : 1;
                const long double c = w[2 * (j - 1) * n + l % n];
                const long double d = w[(2 * (j - 1) + 1) * n + l % n];
                const long double t = re * c - im * d;
                im = re * d + im * c;
                re = t;
            } else if (is_scaled(k->kind)) {
                re *= (T)a->scale;
                im *= (T)a->scale;
            }
            x[2 * j] = re;
            x[2 * j + 1] = im;
        }
        reference_dft(r, -1, x, out);
        for (int i = 0; i < (is_first(k->kind) ? row_of(k) : r); ++i) {
            ptrdiff_t o = p * a->out_p + q * a->out_q + i * a->out_leg +
                          F(lane)(out_i, l);
            if (is_hartley(k->kind)) {
                const ptrdiff_t back = p * a->out_p - q * a->out_q -
                                       i * a->out_leg - a->out_back - l;
                image[y->out_re + o] = out[2 * i] - out[2 * i + 1];
                if (i != 0 || q != 0 || l != 0)
                    image[y->out_re + back] = out[2 * i] + out[2 * i + 1];
                largest = fmaxl(largest, fabsl(image[y->out_re + o]));
                continue;
            }
            if (is_mirrored(k->kind) && 2 * i > r) {
                o = p * a->out_p - q * a->out_q + (r - i) * a->out_leg -
                    a->out_back - F(lane)(out_i, l);
                out[2 * i + 1] = -out[2 * i + 1];
            }
            if (is_first(k->kind))
                o = p * a->out_p + (q * vl + l) * a->out_q +
                    i / vl * a->out_leg + i % vl;
            image[y->out_re + o] = out[2 * i];
            image[out_i ? y->out_re + o + 1 : y->out_im + o] = out[2 * i + 1];
            largest = fmaxl(largest, fabsl(out[2 * i]));
            largest = fmaxl(largest, fabsl(out[2 * i + 1]));
        }
    }
    return largest;
}

/* The same of a cosine kind. */
static long double F(expect_cosine)(const wf_kernel *k, const F(layout) * y,
                                    ptrdiff_t p, ptrdiff_t q, const T *in,
                                    const T *tw, long double *image)
{
    const wf_pass_args *a = &y->a;
    long double largest = 0, x[MAX_N], s[3];
    for (int i = 0; i < 3; ++i)
        s[i] = tw[p * a->tw_p + q * a->tw_q + i];
    for (int l = 0; l < k->lanes; ++l) {
        const int rows = is_rows(k->kind);
        const ptrdiff_t row = rows ? q * k->lanes + l : q;
        for (int j = 0; j < k->radix; ++j)
            x[j] = in[y->in_re + p * a->in_p + row * a->in_q +
                      (rows ? j : F(leg)(a, j) + l)];
        for (int i = 0; i < k->radix; ++i) {
            long double *to =
                &image[y->out_re + p * a->out_p + row * a->out_q +
                       (rows ? i : i * a->out_leg + l)];
            *to = reference_cosine(cosine_type(k->kind), k->radix, i, x, s);
            largest = fmaxl(largest, fabsl(*to));
        }
    }
    return largest;
}

/* Scalars a FIRST kernel may leave as garbage: VL after the last row. */
static void F(forgive)(const wf_kernel *k, const F(layout) * y, char *garbage)
{
    const int row = row_of(k);
    if (!is_first(k->kind) || row % k->lanes == 0)
        return;
    for (ptrdiff_t p = 0; p < (ptrdiff_t)y->a.np; ++p)
        for (int i = 0; i < k->lanes; ++i) {
            const ptrdiff_t o = p * y->a.out_p +
                                ((ptrdiff_t)y->a.nq * k->lanes - 1) *
                                    y->a.out_q +
                                row + i;
            garbage[y->out_re + o] = 1;
            garbage[y->out_im + o] = 1;
        }
}

static int F(compare)(const wf_kernel *k, const T *out, const T *before,
                      const long double *image, const char *garbage,
                      size_t size, long double largest, double *worst)
{
    for (size_t i = 0; i < size; ++i) {
        if (isnan(image[i])) {
            if (garbage[i] ? !isfinite(out[i])
                           : memcmp(&out[i], &before[i], sizeof(T)) != 0) {
                printf("%s: scalar %zu must not change\n",
                       wf_kernel_name_of(k).text, i);
                return 1;
            }
            continue;
        }
        const double e = (double)(fabsl(image[i] - (long double)out[i]) /
                                  largest) /
                         EPSILON;
        if (!(e < MOST_EPSILONS)) {
            printf("%s: scalar %zu is %g, expected %Lg\n",
                   wf_kernel_name_of(k).text, i, (double)out[i], image[i]);
            return 1;
        }
        if (e > *worst)
            *worst = e;
    }
    return 0;
}

static void F(fill)(T *x, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        x[i] = (T)noise_real(&noise);
}

static T *F(make)(size_t n)
{
    T *x = malloc((n + 1) * sizeof *x);
    if (!x)
        exit(2);
    F(fill)(x, n);
    return x;
}

/* What a kernel reads and writes; image: what is to be in out, NAN where it must
 * stay as it was before, or, if garbage, be finite. */
typedef struct F(scene) {
    size_t size; /* of all but in */
    T *in, *out, *before;
    long double *image;
    char *garbage;
} F(scene);

static F(scene) F(set_scene)(size_t in_size, size_t size, int in_place)
{
    T *in = F(make)(in_size);
    F(scene)
    s = {size,
         in,
         in_place ? in : F(make)(size),
         F(make)(size),
         malloc(size * sizeof *s.image),
         calloc(size, 1)};
    if (!s.image || !s.garbage)
        exit(2);
    memcpy(s.before, s.out, size * sizeof *s.out);
    for (size_t i = 0; i < size; ++i)
        s.image[i] = NAN;
    return s;
}

/* Compares, and frees it all. */
static int F(judge)(const wf_kernel *k, F(scene) s, long double largest,
                    double *worst)
{
    const int bad = F(compare)(k, s.out, s.before, s.image, s.garbage, s.size,
                               largest, worst);
    if (s.out != s.in)
        free(s.out);
    free(s.in);
    free(s.before);
    free(s.image);
    free(s.garbage);
    return bad;
}

static int F(run_pass)(const wf_kernel *k, const F(layout) * y, int in_place,
                       double *worst)
{
    const size_t tw_size = (size_t)(2 * k->radix * k->lanes) * y->a.np *
                           y->a.nq;
    T *tw = F(make)(tw_size);
    const F(scene) s = F(set_scene)(y->in_size, y->out_size, in_place);
    long double largest = 0;
    for (size_t p = 0; p < y->a.np; ++p)
        for (size_t q = 0; q < y->a.nq; ++q)
            largest = fmaxl(largest,
                            (cosine_type(k->kind)
                                 ? F(expect_cosine)
                                 : F(expect))(k, y, (ptrdiff_t)p, (ptrdiff_t)q,
                                              s.in, tw, s.image));
    F(forgive)(k, y, s.garbage);
    RUN_PASS(k)
    (s.in + y->in_re, in_interleaved(k->kind) ? NULL : s.in + y->in_im,
     s.out + y->out_re, out_interleaved(k->kind) ? NULL : s.out + y->out_im,
     tw, &y->a);
    free(tw);
    return F(judge)(k, s, largest, worst);
}

static int F(test_pass)(const wf_kernel *k, double *worst)
{
    int bad = 0;
    const int same_format = in_interleaved(k->kind) ==
                            out_interleaved(k->kind);
    for (int round = 0; round < 8 && !bad; ++round) {
        F(layout) y = F(random_layout)(k, round & 1);
        bad |= F(run_pass)(k, &y, 0, worst);
        if (bad || is_first(k->kind) || is_mirrored(k->kind) ||
            is_hartley(k->kind))
            continue;
        /* Another format at the same addresses needs blocks: a vector of
         * either format is the same 2 VL scalars. */
        if (!same_format && y.in_im != y.in_re + k->lanes &&
            !in_interleaved(k->kind))
            continue;
        if (!same_format && in_interleaved(k->kind))
            y.in_im = y.in_re + k->lanes;
        F(make_in_place)(&y, k);
        bad |= F(run_pass)(k, &y, 1, worst);
    }
    return bad;
}

/* What transform t of a leaf's input gives, and how many numbers. */
static void F(expect_leaf)(const wf_kernel *k, const T *in, long double *y)
{
    const int n = k->radix, m = n / 2;
    long double x[2 * MAX_N] = {0}, z[2 * MAX_N];
    if (k->kind == WF_KERNEL_REAL_FWD) {
        for (int j = 0; j < n; ++j)
            x[2 * j] = in[j];
        reference_dft(n, -1, x, z);
        memcpy(y, z, (size_t)(2 * m + 2) * sizeof *y);
    } else if (k->kind == WF_KERNEL_REAL_INV) {
        for (int j = 0; j < n; ++j) {
            const int from = j <= m ? j : n - j;
            x[2 * j] = in[2 * from];
            x[2 * j + 1] = from % m == 0 ? 0 : in[2 * from + 1];
            if (j > m)
                x[2 * j + 1] = -x[2 * j + 1];
        }
        reference_dft(n, 1, x, z);
        for (int j = 0; j < n; ++j)
            y[j] = z[2 * j];
    } else {
        for (int i = 0; i < 2 * n; ++i)
            x[i] = in[i];
        reference_dft(n, k->kind == WF_KERNEL_LEAF_FWD ? -1 : 1, x, y);
    }
}

/* Where blocks of c of n start: the last one overlaps that before. */
static int F(row_of)(int n, int c, int block)
{
    return block * c + c <= n ? block * c : n - c;
}

static size_t F(turns_scalars)(int r1, int r2, int vl, wf_turns_form form)
{
    const int c = vl / 2, blocks = (r1 + c - 1) / c;
    return (size_t)(blocks * (r2 - 1) * vl * wf_turns_vectors(form));
}

/* What pass.h says of the factors of R1 = r1 rows, R2 = r2 legs, in vectors of vl
 * numbers, to the power of `sign`. */
static void F(fill_turns)(int r1, int r2, int vl, wf_turns_form form, int sign,
                          T *to)
{
    const int c = vl / 2, blocks = (r1 + c - 1) / c;
    for (int block = 0; block < blocks; ++block)
        for (int q = 1; q < r2; ++q)
            for (int part = 0; part < wf_turns_vectors(form); ++part)
                for (int i = 0; i < c; ++i) {
                    const int p = F(row_of)(r1, c, block) + i;
                    const long double turn =
                        sign * 6.283185307179586476925286766559L * p * q /
                        (r1 * r2);
                    const long double re = cosl(turn), im = sinl(turn);
                    const int twice = form == WF_TURNS_TWICE;
                    *to++ = (T)(part ? -im : re);
                    *to++ = (T)(part == twice ? im : re);
                }
}

static T *F(turns)(int r1, int r2, int vl, wf_turns_form form, int sign)
{
    T *tw = F(make)(F(turns_scalars)(r1, r2, vl, form) + 1);
    F(fill_turns)(r1, r2, vl, form, sign, tw);
    return tw;
}

/* The factors of a long leaf, or the one of a short leaf, if it has one; else NULL. */
static T *F(leaf_table)(const wf_kernel *k, double scale)
{
    if (scale != 1) {
        T *factor = F(make)(2);
        factor[0] = (T)scale;
        factor[1] = k->kind == WF_KERNEL_LEAF_INV;
        return factor;
    }
    return !k->rows ? NULL
                    : F(turns)(k->rows, k->radix / k->rows, k->lanes,
                               wf_turns_of_leaf((wf_isa)k->isa,
                                                (wf_real)k->real, k->radix),
                               k->kind == WF_KERNEL_LEAF_FWD ? -1 : 1);
}

static int F(run_leaf)(const wf_kernel *k, size_t count, int pad_in,
                       int pad_out, int in_place, double scale, double *worst)
{
    const int n = k->radix, real = is_real(k->kind);
    const int forward = k->kind == WF_KERNEL_REAL_FWD;
    const int reads = !real ? 2 * n : forward ? n : n + 2;
    const int writes = !real ? 2 * n : forward ? n + 2 : n;
    const int least = reads > writes || !in_place ? reads : writes;
    const ptrdiff_t in_dist = least + pad_in;
    const ptrdiff_t out_dist = in_place ? in_dist : writes + pad_out;
    const ptrdiff_t front = 33;
    const size_t in_size = (size_t)(in_dist * (ptrdiff_t)count + 2 * front);
    const size_t size = (size_t)(out_dist * (ptrdiff_t)count + 2 * front);
    const F(scene) s = F(set_scene)(in_size, size, in_place);
    long double largest = 1;
    for (size_t t = 0; t < count; ++t) {
        T *x = s.in + front + (ptrdiff_t)t * in_dist;
        long double *y = s.image + front + (ptrdiff_t)t * out_dist;
        F(expect_leaf)(k, x, y);
        if (real && !forward) { /* not to matter, even if it is no number */
            x[1] = (T)NAN;
            x[n + 1] = (T)NAN;
            if (in_place) /* beyond the output it stays */
                s.before[x + n + 1 - s.out] = (T)NAN;
        }
        for (int i = 0; i < writes; ++i) {
            y[i] *= (T)scale;
            largest = fmaxl(largest, fabsl(y[i]));
        }
    }
    T *tw = F(leaf_table)(k, scale);
    k->run.leaf(s.in + front, s.out + front, count, in_dist, out_dist, tw);
    free(tw);
    return F(judge)(k, s, largest, worst);
}

static int F(test_leaf)(const wf_kernel *k, double *worst)
{
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 33};
    int bad = 0;
    /* Long leaves run one by one: no group sizes to be wrong about. */
    const size_t tried = k->radix > 128 ? 6 : sizeof counts / sizeof *counts;
    for (int scaled = 0; scaled <= k->scaled; ++scaled)
        for (size_t i = 0; i < tried && !bad; ++i) {
            const double scale = scaled ? 0.3 : 1;
            bad |= F(run_leaf)(k, counts[i], 0, 0, 0, scale, worst);
            bad |= F(run_leaf)(k, counts[i], 0, 0, 1, scale, worst);
            bad |= F(run_leaf)(k, counts[i], random_below(9), random_below(9),
                               0, scale, worst);
            bad |= F(run_leaf)(k, counts[i], random_below(9), 0, 1, scale,
                               worst);
        }
    return bad;
}

/* ---- Alone ----------------------------------------------------------------- */

/* K[k] of kinds.def, of ALONE2 or, `back`, of ALONE3. */
static long double F(left_of)(int m, int k, int back)
{
    const long double eighth = 0.785398163397448309615660845819876L;
    if (k == 0 || k == m)
        return k && !back ? 0 : 1;
    for (; k % 2 == 0 && m % 2 == 0; k /= 2)
        m /= 2;
    const int q = m / 2, p = k / 2;
    if (m % 2)
        return 1;
    if (q % 2)
        return back ? 1 : cosl(eighth);
    const long double a = (8 * (p % 2 ? (q - 1 - p) / 2 : p / 2) + 1) *
                          eighth / (2 * q);
    const long double larger = a < eighth ? cosl(a) : sinl(a);
    return back ? larger : (p % 2 ? -1 : 1) * cosl(eighth / (2 * q)) * larger;
}

/* The table of kinds.def, for the number apart times `apart`. */
static void F(fill_alone)(const wf_kernel *k, int sign, long double apart,
                          T *tw)
{
    const int n = k->radix, back = k->kind == WF_KERNEL_ALONE3;
    const int q = wf_alone_columns(n), m = n / q;
    const long double pi = 3.14159265358979323846264338327950288L;
    T *more = tw + 2 * n;
    for (int i = 0; i < 2 * n; ++i) {
        const int j = i % m + 1, row = i / m, upper = row % 2;
        const int l = upper ? q / 2 - 1 - row / 8 : row / 8;
        const int which = (row % 8 / 2) ^ upper, less = which % 3 != 0;
        const long double a = pi * j * (q - 1 - 2 * l) / (2 * n);
        const int sine = (which % 2 == 1) != (sign < 0);
        long double f = sine ? 2 * sinl(a) : 2 * cosl(a);
        f *= F(left_of)(m, less ? m - j : j, back);
        if (back && j == m)
            f /= 2;
        if (which >= 2)
            f *= (which == 2 ? sign : -sign) * (l % 2 ? -1 : 1);
        tw[i] = (T)f;
    }
    for (int i = 0; i < 16; ++i)
        more[i] = (T)(i < q / 2 ? sign : -sign);
    more[16] = (T)sign;
    for (int t = 0; t <= q / 4; ++t) {
        more[17 + 2 * t] = (T)(sign * cosl(pi * t / q));
        more[18 + 2 * t] = (T)(sign * sinl(pi * t / q));
    }
    for (int y = 0; y < q / 2; ++y)
        for (int l = 0; l < q / 2; ++l) {
            const long double a = pi * y * (2 * l + 1) / q;
            const long double first = sign > 0 || l % 2 ? apart : -apart;
            more[48 + (back ? 16 * y + l : 16 * l + y)] =
                (T)(y == 0     ? first
                    : sign > 0 ? 2 * cosl(a)
                               : -2 * sinl(a));
        }
}

/* By the definition of REDFT10, REDFT01 and their sine kinds, whose numbers lie
 * one place up. */
static void F(expect_alone)(const wf_kernel *k, int sign, long double apart,
                            const T *x, long double *y)
{
    const int n = k->radix, back = k->kind == WF_KERNEL_ALONE3;
    const int end = sign > 0 ? 0 : n, turn = sign > 0 ? 0 : 3 * n;
    const long double pi = 3.14159265358979323846264338327950288L;
    long double *cosine = malloc(4 * (size_t)n * sizeof *cosine);
    for (int i = 0; i < 4 * n; ++i)
        cosine[i] = cosl(pi * i / (2 * n));
    for (int i = 0; i < n; ++i)
        y[i + (!back && sign < 0)] = 0;
    for (int i = 0; i < n; ++i)
        for (int j = sign < 0; j < n + (sign < 0); ++j) {
            const long double c = cosine[(j * (2 * i + 1) + turn) % (4 * n)] *
                                  (j == end ? apart : 2);
            y[back ? i : j] += c * x[back ? j : i];
        }
    free(cosine);
}

static int F(run_alone)(const wf_kernel *k, int sign, int in_place,
                        double *worst)
{
    const int n = k->radix, second = k->kind == WF_KERNEL_ALONE2;
    const int down = sign < 0, apart = down ? n : 0;
    const size_t front = 33, size = (size_t)n + 2 * front;
    T *tw = F(make)(2 * (size_t)n + 48 + 16 * 16);
    const F(scene) s = F(set_scene)(size, size, in_place);
    const T *x = s.in + front - (second ? 0 : down);
    T *y = s.out + front - (second ? down : 0);
    long double *image = s.image + (y - s.out), largest = 0;
    F(fill_alone)(k, sign, 1.25L, tw);
    F(expect_alone)(k, sign, 1.25L, x, image);
    for (size_t i = front; i < front + (size_t)n; ++i)
        largest = fmaxl(largest, fabsl(s.image[i]));
    RUN_PASS(k)
    (x, second ? NULL : x + apart, y, second ? y + apart : NULL, tw, NULL);
    free(tw);
    return F(judge)(k, s, largest, worst);
}

static int F(test_alone)(const wf_kernel *k, double *worst)
{
    int bad = 0;
    for (int round = 0; round < 8 && !bad; ++round)
        bad |= F(run_alone)(k, round & 1 ? -1 : 1, round & 2, worst);
    return bad;
}

/* ---- Within ---------------------------------------------------------------- */

/* Legs of a column, or of a row: with its factors. */
static void F(expect_within)(int n, const T *in, const wf_pass_args *a,
                             int turned_by, long double *y)
{
    long double x[2 * MAX_N];
    for (int j = 0; j < n; ++j) {
        const T *leg = in + F(leg)(a, j);
        const long double turn = -6.283185307179586476925286766559L *
                                 turned_by * j / ((long double)a->nq * n);
        const long double re = cosl(turn), im = sinl(turn);
        x[2 * j] = leg[0] * re - leg[1] * im;
        x[2 * j + 1] = leg[0] * im + leg[1] * re;
    }
    reference_dft(n, -1, x, y);
}

/* `count` columns, or rows: element e of block b of y is of y[k] and column q, or
 * of y[k] and row p.  own: each group of rows has factors of its own.  One block of
 * rows may be transformed where it is. */
static int F(run_within)(const wf_kernel *k, int count, int reversed, int pad,
                         int own, int in_place, double *worst)
{
    const int n = k->radix, vl = k->lanes, c = vl / 2;
    const int first = k->kind == WF_KERNEL_WITHIN_FIRST;
    const int front = 33, inner = first ? n : count;
    const int blocks = (inner + c - 1) / c, groups = first ? 1 : 1 + pad % 3;
    const ptrdiff_t in_leg = (first ? 2 * count : blocks * vl) + pad;
    const ptrdiff_t out_leg = first ? blocks * vl + pad : 2 * count + pad;
    wf_pass_args a = {.np = (size_t)groups,
                      .nq = (size_t)count,
                      .in_base = reversed ? n * in_leg : 0,
                      .in_leg = reversed ? -in_leg : in_leg,
                      .in_p = n * in_leg,
                      .out_p = n * out_leg,
                      .out_q = out_leg,
                      .out_leg = out_leg};
    const size_t in_size = (size_t)(groups * n * in_leg + 2 * front);
    const size_t size = (size_t)((first ? count : groups * n) * out_leg +
                                 2 * front);
    const F(scene) s = F(set_scene)(in_size, size, in_place);
    long double *image = s.image + front, largest = 0;
    const wf_turns_form form = WF_TURNS_TWICE;
    const size_t each = F(turns_scalars)(count, n, vl, form);
    T *tw = first ? NULL : F(make)((size_t)(own ? groups : 1) * each + 1);
    a.tw_q = own ? (ptrdiff_t)each : 0;
    for (int p = 0; !first && p < (own ? groups : 1); ++p)
        F(fill_turns)(count, n, vl, form, -1 - p, tw + (size_t)p * each);
    for (int p = 0; p < groups; ++p)
        for (int b = 0; b < blocks; ++b)
            for (int q = 0; q < (first ? count : c); ++q) {
                const int start = F(row_of)(inner, c, b);
                const T *in = s.in + front + p * a.in_p +
                              (first ? 2 * q : b * vl + 2 * q);
                long double y[2 * MAX_N];
                F(expect_within)
                (n, in, &a, first ? 0 : (start + q) * (own ? 1 + p : 1), y);
                for (int i = 0; i < 2 * (first ? c : n); ++i) {
                    const long double value = y[(first ? 2 * start : 0) + i];
                    image[p * a.out_p +
                          (first ? q * out_leg + b * vl + i
                                 : i / 2 * out_leg + 2 * (start + q) +
                                       i % 2)] = value;
                    largest = fmaxl(largest, fabsl(value));
                }
            }
    RUN_PASS(k)(s.in + front, NULL, s.out + front, NULL, tw, &a);
    free(tw);
    return F(judge)(k, s, largest, worst);
}

static int F(test_within)(const wf_kernel *k, double *worst)
{
    int bad = 0;
    const int rows = k->kind == WF_KERNEL_WITHIN_LAST;
    for (int round = 0; round < 8 && !bad; ++round) {
        const int in_place = rows && round / 2 == 3;
        bad |= F(run_within)(k,
                             k->lanes / 2 + (in_place ? 0 : random_below(20)),
                             round & 1, round & 2 ? random_below(9) : 0,
                             rows && round & 4, in_place, worst);
    }
    return bad;
}

/* ---- Any number of columns -------------------------------------------------- */

static int F(run_columns)(const wf_kernel *k, int count, int reversed, int pad,
                          int in_place, double *worst)
{
    const int n = k->radix, front = 33;
    const int planes = 1 + pad % (count == 1 ? 10 : 3);
    const ptrdiff_t in_leg = 2 * count + pad;
    const ptrdiff_t out_leg = in_place ? in_leg : 2 * count + pad / 2;
    const wf_pass_args a = {.np = (size_t)planes,
                            .nq = (size_t)count,
                            .in_base = reversed ? n * in_leg : 0,
                            .in_leg = reversed ? -in_leg : in_leg,
                            .in_p = n * in_leg,
                            .out_p = n * out_leg,
                            .out_leg = out_leg};
    const F(scene)
        s = F(set_scene)((size_t)(planes * n * in_leg + 2 * front),
                         (size_t)(planes * n * out_leg + 2 * front), in_place);
    long double *image = s.image + front, largest = 0;
    for (int p = 0; p < planes; ++p)
        for (int q = 0; q < count; ++q) {
            long double y[2 * MAX_N];
            F(expect_within)
            (n, s.in + front + p * a.in_p + 2 * q, &a, 0, y);
            for (int i = 0; i < 2 * n; ++i) {
                image[p * a.out_p + i / 2 * out_leg + 2 * q + i % 2] = y[i];
                largest = fmaxl(largest, fabsl(y[i]));
            }
        }
    RUN_PASS(k)(s.in + front, NULL, s.out + front, NULL, NULL, &a);
    return F(judge)(k, s, largest, worst);
}

static int F(test_columns)(const wf_kernel *k, double *worst)
{
    int bad = 0;
    for (int pad = 0; pad < 10 && !bad; ++pad) /* matrices of one, together */
        bad |= F(run_columns)(k, 1, pad & 1, pad, pad & 2, worst);
    for (int count = 1; count <= 2 * k->lanes + 1 && !bad; ++count)
        bad |= F(run_columns)(k, count, count & 1, random_below(9), count & 2,
                              worst);
    return bad;
}

/* ---- Leaves of two arrays ------------------------------------------------------ */

/* exchanged: re and im, which makes the inverse. */
static int F(run_split)(const wf_kernel *k, int count, int pad, int exchanged,
                        int in_place, double *worst)
{
    const int n = k->radix, next = n + pad, plane = count * next + 3,
              front = 7;
    const wf_pass_args a = {
        .nq = (size_t)count, .in_q = next, .out_q = next, .scale = 0.375};
    const size_t size = (size_t)(2 * plane + 2 * front);
    const F(scene) s = F(set_scene)(size, size, in_place);
    const int re = front + (exchanged ? plane : 0),
              im = front + (exchanged ? 0 : plane);
    long double largest = 1;
    for (int q = 0; q < count; ++q) {
        long double x[2 * MAX_N], y[2 * MAX_N];
        for (int j = 0; j < n; ++j) {
            x[2 * j] = s.in[front + q * next + j];
            x[2 * j + 1] = s.in[front + plane + q * next + j];
        }
        reference_dft(n, exchanged ? 1 : -1, x, y);
        for (int i = 0; i < 2 * n; ++i) {
            const int at = front + i % 2 * plane + q * next + i / 2;
            s.image[at] = 0.375L * y[i];
            largest = fmaxl(largest, fabsl(s.image[at]));
        }
    }
    RUN_PASS(k)(s.in + re, s.in + im, s.out + re, s.out + im, NULL, &a);
    return F(judge)(k, s, largest, worst);
}

static int F(test_split)(const wf_kernel *k, double *worst)
{
    int bad = 0;
    for (int count = 0; count < 4 && !bad; ++count)
        for (int how = 0; how < 4 && !bad; ++how)
            bad |= F(run_split)(k, count, random_below(9), how & 1, how & 2,
                                worst);
    return bad;
}

/* ---- Columns anywhere -------------------------------------------------------- */

/* How they lie, on either side: rows, neighbours, or with gaps everywhere. */
typedef struct F(place) {
    ptrdiff_t leg, q, p, size;
} F(place);

static F(place) F(place_of)(int n, int np, int nq, int how)
{
    const int many = np * nq;
    F(place) s = {0};
    s.leg = how == 0 ? 2 : how == 1 ? 2 * many : 2 * many * 3;
    s.q = how == 0 ? 2 * n : how == 1 ? 2 : 4;
    s.p = nq * s.q;
    s.size = s.leg * n + s.q * many;
    return s;
}

static int F(run_apart)(const wf_kernel *k, int np, int nq, int in_how,
                        int out_how, int reversed, int in_place, double *worst)
{
    const int n = k->radix, front = 7, back = 5;
    const F(place) from = F(place_of)(n, np, nq, in_how),
                   to = F(place_of)(n, np, nq, in_place ? in_how : out_how);
    wf_pass_args a = {.np = (size_t)np,
                      .nq = (size_t)nq,
                      .in_base = reversed & 1 ? n * from.leg : 0,
                      .in_leg = reversed & 1 ? -from.leg : from.leg,
                      .in_p = from.p,
                      .in_q = from.q,
                      .out_leg = reversed & 2 ? -to.leg : to.leg,
                      .out_p = to.p,
                      .out_q = to.q,
                      .out_back = reversed & 2 ? n * to.leg : 0};
    const F(scene)
        s = F(set_scene)((size_t)(from.size + front + back),
                         (size_t)(to.size + front + back), in_place);
    long double *image = s.image + front, largest = 0;
    for (int q = 0; q < np * nq; ++q) {
        long double y[2 * MAX_N];
        F(expect_within)(n, s.in + front + q * from.q, &a, 0, y);
        for (int i = 0; i < 2 * n; ++i) {
            const int at = reversed & 2 ? (n - i / 2) % n : i / 2;
            image[q * to.q + at * to.leg + i % 2] = y[i];
            largest = fmaxl(largest, fabsl(y[i]));
        }
    }
    RUN_PASS(k)(s.in + front, NULL, s.out + front, NULL, NULL, &a);
    return F(judge)(k, s, largest, worst);
}

static int F(test_apart)(const wf_kernel *k, double *worst)
{
    int bad = 0;
    for (int round = 0; round < 4 * 9 * 2 && !bad; ++round)
        bad |= F(run_apart)(k, 1 + random_below(2), 1 + random_below(11),
                            round / 4 % 3, round / 12 % 3, round % 4,
                            round / 36, worst);
    return bad;
}

/* ---- Columns of reals -------------------------------------------------------- */

/* Of a column whose numbers are `leg` apart, their im `im_leg` from im on. */
static void F(expect_real)(int n, int back, const T *in, ptrdiff_t leg,
                           ptrdiff_t im, ptrdiff_t im_leg, long double *y)
{
    long double x[2 * MAX_N] = {0}, z[2 * MAX_N];
    for (int j = 0; j < n; ++j) {
        const int from = back && 2 * j > n ? n - j : j;
        x[2 * j] = in[from * leg];
        if (back && from > 0 && 2 * from != n)
            x[2 * j + 1] = from == j ? in[from * im_leg + im]
                                     : -in[from * im_leg + im];
    }
    reference_dft(n, back ? 1 : -1, x, z);
    for (int i = 0; i < (back ? n : 2 * (n / 2 + 1)); ++i)
        y[i] = back ? z[2 * i] : z[i];
}

static int F(run_real_columns)(const wf_kernel *k, int count, int pad,
                               double *worst)
{
    const int n = k->radix, back = k->kind == WF_KERNEL_REAL_COL_INV;
    const int half = n / 2 + 1, front = 33, planes = 1 + pad % 3;
    const int in_unit = back ? 2 : 1, out_unit = back ? 1 : 2;
    const int in_rows = back ? half : n, out_rows = back ? n : half;
    const ptrdiff_t in_leg = in_unit * count + pad;
    const ptrdiff_t out_leg = out_unit * count + pad / 2;
    const wf_pass_args a = {.np = (size_t)planes,
                            .nq = (size_t)count,
                            .in_leg = in_leg,
                            .in_p = in_rows * in_leg,
                            .out_p = out_rows * out_leg,
                            .out_leg = out_leg};
    const F(scene)
        s = F(set_scene)((size_t)(planes * in_rows * in_leg + 2 * front),
                         (size_t)(planes * out_rows * out_leg + 2 * front), 0);
    long double *image = s.image + front, largest = 0;
    for (int p = 0; p < planes; ++p)
        for (int q = 0; q < count; ++q) {
            long double y[2 * MAX_N];
            F(expect_real)
            (n, back, s.in + front + p * a.in_p + in_unit * q, in_leg, 1,
             in_leg, y);
            for (int i = 0; i < out_unit * out_rows; ++i) {
                image[p * a.out_p + i / out_unit * out_leg + out_unit * q +
                      i % out_unit] = y[i];
                largest = fmaxl(largest, fabsl(y[i]));
            }
        }
    RUN_PASS(k)(s.in + front, NULL, s.out + front, NULL, NULL, &a);
    return F(judge)(k, s, largest, worst);
}

/* np times nq of one lane: re and im side by side, in halves of an array or in
 * halfcomplex order, legs closer than transforms or not. */
static int F(run_lone_reals)(const wf_kernel *k, int np, int nq,
                             lone_order order, int crossed, int in_place,
                             double *worst)
{
    const int n = k->radix, back = k->kind == WF_KERNEL_REAL_COL_INV;
    const int half = n / 2 + 1, many = np * nq, front = 5;
    const int apart = order != LONE_TOGETHER, mirrored = order == LONE_HALVES;
    const int rows[] = {back && !mirrored ? half : n,
                        back || mirrored ? n : half};
    const int unit[] = {back && !apart ? 2 : 1, back || apart ? 1 : 2};
    ptrdiff_t leg[2], q[2], p[2], size[2];
    for (int i = 0; i < 2; ++i) {
        const ptrdiff_t row = in_place ? 2 * half : unit[i] * (rows[i] + 1);
        leg[i] = crossed ? unit[i] * (many + 1) : unit[i];
        q[i] = crossed ? unit[i] : row;
        p[i] = nq * q[i];
        size[i] = (crossed ? unit[i] * (many + 1) * rows[i] : many * row) + 7;
    }
    const ptrdiff_t im_leg = mirrored ? -leg[!back] : leg[!back];
    ptrdiff_t im[2];
    for (int i = 0; i < 2; ++i)
        im[i] = mirrored ? n * leg[i] : apart ? size[i] : 1;
    const wf_pass_args a = {.np = (size_t)np,
                            .nq = (size_t)nq,
                            .in_leg = leg[0],
                            .in_p = p[0],
                            .in_q = q[0],
                            .out_leg = leg[1],
                            .out_p = p[1],
                            .out_q = q[1],
                            .im_leg = im_leg};
    const F(scene) s = F(set_scene)((size_t)(2 * size[0] + front),
                                    (size_t)(2 * size[1] + front), in_place);
    long double *image = s.image + front, largest = 0;
    for (int i = 0; i < many; ++i) {
        long double y[2 * MAX_N];
        F(expect_real)
        (n, back, s.in + front + i * q[0], leg[0], im[0], im_leg, y);
        for (int j = 0; j < (back ? n : 2 * half); ++j) {
            const int number = back ? j : j / 2, is_im = !back && j % 2;
            if (is_im && mirrored && (number == 0 || 2 * number == n))
                continue;
            image[i * q[1] +
                  (is_im ? im[1] + number * im_leg : number * leg[1])] = y[j];
            largest = fmaxl(largest, fabsl(y[j]));
        }
    }
    RUN_PASS(k)
    (s.in + front, s.in + front + im[0], s.out + front, s.out + front + im[1],
     NULL, &a);
    return F(judge)(k, s, largest, worst);
}

static int F(test_lone_reals)(const wf_kernel *k, double *worst)
{
    int bad = 0;
    for (int round = 0; round < 24 && !bad; ++round) {
        const int in_place = round % 4 == 3;
        const lone_order order = (lone_order)(round % 3);
        bad |= F(run_lone_reals)(k, 1 + random_below(3), 1 + random_below(4),
                                 in_place && order == LONE_APART
                                     ? LONE_TOGETHER
                                     : order,
                                 !in_place && round & 2, in_place, worst);
    }
    return bad;
}

static int F(test_real_columns)(const wf_kernel *k, double *worst)
{
    if (k->lanes == 1)
        return F(test_lone_reals)(k, worst);
    const int step = k->isa == WF_ISA_AVX512 ? 1 : k->lanes;
    int bad = 0;
    for (int count = step; count <= 3 * k->lanes && !bad; count += step)
        bad |= F(run_real_columns)(k, count, random_below(9), worst);
    return bad;
}
