/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes_tmpl.c - real transforms side by side: row j of a tile is element j of
 * VL transforms.
 *
 * Between user memory and a tile there is nothing to do where transforms are
 * neighbours, and transposes of squares where each of them is contiguous.  The
 * passes are those of r2r_tmpl.c with a factor for all lanes: nothing is
 * shuffled.
 */
#ifndef ONE_LANE

typedef T half_vec __attribute__((vector_size(VECTOR_BYTES / 2),
                                  aligned(sizeof(T)), may_alias));

#define IN_ORDER(i, h, n) (i)
#if VL == 16
#define LIST_HALF LIST8
#elif VL == 8
#define LIST_HALF LIST4
#endif

/* Where element j of n goes: in order, or the even ones before the odd ones,
 * which are mirrored. */
static inline T *lane_row(T *tile, bool unzipped, size_t j, size_t n)
{
    size_t row = !unzipped ? j : j % 2 ? n - 1 - j / 2 : j / 2;
    return tile + row * VL;
}

static inline vec lane_sign(const wf_lanes *l, size_t j)
{
    return (vec){0} + (T)(l->negate && j % 2 ? -1 : 1);
}

/* VL elements from `first` on of all transforms, each of them contiguous;
 * whole: no lane and no element is missing. */
static inline void square_in(T *tile, const T *in, const wf_lanes *l,
                             size_t first, bool plain, bool whole)
{
    size_t some = whole ? VL : least(VL, l->n - first);
    vec v[VL];
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++) {
        const T *from = in + i * l->next + (ptrdiff_t)first;
        v[i] = whole                   ? load(from)
               : (size_t)i >= l->count ? (vec){0}
                                       : load_part(from, some);
    }
    transpose_lanes(v);
#pragma GCC unroll 16
    for (size_t i = 0; i < VL; i++) {
        if (i == some)
            break;
        if (plain)
            store(tile + (first + i) * VL, v[i]);
        else
            store(lane_row(tile, l->unzipped, first + i, l->n),
                  v[i] * lane_sign(l, first + i));
    }
}

static inline void square_out(T *out, T *tile, const wf_lanes *l, size_t first,
                              bool plain, bool whole)
{
    size_t some = whole ? VL : least(VL, l->n - first);
    vec v[VL];
#pragma GCC unroll 16
    for (size_t i = 0; i < VL; i++)
        v[i] = i >= some ? (vec){0}
               : plain   ? load(tile + (first + i) * VL)
                         : load(lane_row(tile, l->unzipped, first + i, l->n)) *
                             lane_sign(l, first + i);
    transpose_lanes(v);
#pragma GCC unroll 16
    for (int i = 0; i < VL; i++) {
        T *to = out + i * l->next + (ptrdiff_t)first;
        if (whole)
            store(to, v[i]);
        else if ((size_t)i < l->count)
            store_part(to, v[i], some);
    }
}

/* All squares; the compiler makes one loop of each case. */
static inline void squares_in(T *tile, const T *in, const wf_lanes *l,
                              bool plain)
{
    size_t first = 0;
    for (; l->count == VL && first + VL <= l->n; first += VL)
        square_in(tile, in, l, first, plain, true);
    for (; first < l->n; first += VL)
        square_in(tile, in, l, first, plain, false);
}

static inline void squares_out(T *out, T *tile, const wf_lanes *l, bool plain)
{
    size_t first = 0;
    for (; l->count == VL && first + VL <= l->n; first += VL)
        square_out(out, tile, l, first, plain, true);
    for (; first < l->n; first += VL)
        square_out(out, tile, l, first, plain, false);
}

#if VL > 4
/* Two squares of half the size side by side, for n = VL / 2: a vector is an
 * element of transforms i and VL / 2 + i. */
static inline void halves_transposed(vec *v)
{
#if LANE_ROWS == 2
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i += 2) {
        vec a = v[i], b = v[i + 1];
        v[i] = SHUFFLE(VL, LOWER, 1, a, b);
        v[i + 1] = SHUFFLE(VL, UPPER, 1, a, b);
    }
#endif
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++)
        if (!(i & LANE_ROWS))
            EXCHANGE(v[i], v[i + LANE_ROWS], 1);
#if DOUBLES > 4
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++)
        if (!(i & 2 * LANE_ROWS))
            EXCHANGE(v[i], v[i + 2 * LANE_ROWS], 2);
#endif
}

static inline void halves_in(T *tile, const T *in, const wf_lanes *l)
{
    vec v[UNITS];
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++) {
        half_vec a = *(const half_vec *)(in + i * l->next);
        half_vec b = *(const half_vec *)(in + (i + UNITS) * l->next);
        v[i] = __builtin_shufflevector(a, b,
                                       JOIN(LIST, VL)(IN_ORDER, 0, VL, 0));
    }
    halves_transposed(v);
#pragma GCC unroll 8
    for (size_t i = 0; i < UNITS; i++)
        store(tile + i * VL, v[i]);
}

static inline void halves_out(T *out, const T *tile, const wf_lanes *l)
{
    vec v[UNITS];
#pragma GCC unroll 8
    for (size_t i = 0; i < UNITS; i++)
        v[i] = load(tile + i * VL);
    halves_transposed(v);
#pragma GCC unroll 8
    for (int i = 0; i < UNITS; i++) {
        *(half_vec *)(out + i * l->next) =
            __builtin_shufflevector(v[i], v[i], LIST_HALF(IN_ORDER, 0, VL, 0));
        *(half_vec *)(out + (i + UNITS) * l->next) = __builtin_shufflevector(
            v[i], v[i], LIST_HALF(IN_ORDER, 0, VL, UNITS));
    }
}
#endif

static void lanes_in(T *tile, const T *in, const wf_lanes *l)
{
    if (l->next == 1) {
        for (size_t j = 0; j < l->n; j++) {
            const T *from = in + (ptrdiff_t)j * l->leg;
            vec v = l->count == VL ? load(from) : load_part(from, l->count);
            store(lane_row(tile, l->unzipped, j, l->n), v * lane_sign(l, j));
        }
        return;
    }
#if VL > 4
    if (l->leg == 1 && l->n == UNITS && l->count == VL && !l->unzipped &&
        !l->negate) {
        halves_in(tile, in, l);
        return;
    }
#endif
    if (l->leg == 1) {
        if (l->unzipped || l->negate)
            squares_in(tile, in, l, false);
        else
            squares_in(tile, in, l, true);
        return;
    }
    for (size_t j = 0; j < l->n; j++) {
        T *row = lane_row(tile, l->unzipped, j, l->n);
        const T *from = in + (ptrdiff_t)j * l->leg;
        T sign = l->negate && j % 2 ? -1 : 1;
        for (size_t t = 0; t < VL; t++)
            row[t] = t < l->count ? sign * from[(ptrdiff_t)t * l->next] : 0;
    }
}

static void lanes_out(T *out, const T *tile, const wf_lanes *l)
{
    T *rows = (T *)(uintptr_t)tile; /* only read */
    if (l->next == 1) {
        for (size_t j = 0; j < l->n; j++) {
            T *to = out + (ptrdiff_t)j * l->leg;
            vec v = load(lane_row(rows, l->unzipped, j, l->n)) *
                    lane_sign(l, j);
            if (l->count == VL)
                store(to, v);
            else
                store_part(to, v, l->count);
        }
        return;
    }
#if VL > 4
    if (l->leg == 1 && l->n == UNITS && l->count == VL && !l->unzipped &&
        !l->negate) {
        halves_out(out, tile, l);
        return;
    }
#endif
    if (l->leg == 1) {
        if (l->unzipped || l->negate)
            squares_out(out, rows, l, false);
        else
            squares_out(out, rows, l, true);
        return;
    }
    for (size_t j = 0; j < l->n; j++) {
        const T *row = lane_row(rows, l->unzipped, j, l->n);
        T *to = out + (ptrdiff_t)j * l->leg;
        T sign = l->negate && j % 2 ? -1 : 1;
        for (size_t t = 0; t < l->count; t++)
            to[(ptrdiff_t)t * l->next] = sign * row[t];
    }
}

/* The half spectrum of a halfcomplex tile, rows of `count` complex numbers. */
static void lanes_join(T *out, ptrdiff_t leg, const T *tile, size_t n,
                       size_t count)
{
    for (size_t k = 0; k <= n / 2; k++, out += leg) {
        const bool real = k == 0 || 2 * k == n;
        const split v = merged(load(tile + k * VL),
                               real ? (vec){0} : load(tile + (n - k) * VL));
        if (2 * count < VL) {
            store_part(out, v.re, 2 * count);
            continue;
        }
        store(out, v.re);
        if (count == VL)
            store(out + VL, v.im);
        else
            store_part(out + VL, v.im, 2 * count - VL);
    }
}

/* And back. */
static void lanes_part(T *tile, const T *in, ptrdiff_t leg, size_t n,
                       size_t count)
{
    for (size_t k = 0; k <= n / 2; k++, in += leg) {
        vec a, b = {0};
        if (2 * count < VL) {
            a = load_part(in, 2 * count);
        } else {
            a = load(in);
            b = count == VL ? load(in + VL)
                            : load_part(in + VL, 2 * count - VL);
        }
        const split v = parted(a, b);
        store(tile + k * VL, v.re);
        if (k != 0 && 2 * k != n)
            store(tile + (n - k) * VL, v.im);
    }
}

/* ---- Passes: complex k is rows 2k and 2k + 1 of a tile ------------------- */

static inline split lane_pair(const T *z, size_t k)
{
    return (split){load(z + 2 * k * VL), load(z + (2 * k + 1) * VL)};
}

static inline void put_lane_pair(T *z, size_t k, vec re, vec im)
{
    store(z + 2 * k * VL, re);
    store(z + (2 * k + 1) * VL, im);
}

/* Factor k of row i of a table; see factors. */
static inline split lane_factor(const wf_r2r_pass *p, size_t i, size_t k)
{
    const T *table = (const T *)p->table + 2 * i * p->ld;
    return (split){(vec){0} + table[k], (vec){0} + table[p->ld + k]};
}

/* Those of k. */
static inline half_factors lane_factors(wf_r2r_form form, const wf_r2r_pass *p,
                                        size_t k)
{
    half_factors f = {.b = lane_factor(p, 0, k)};
    if (form >= WF_R2R_COSINE)
        f.a = lane_factor(p, 1, k);
    else
        f.a.re = (vec){0} + (T)p->scale;
    return f;
}

/* As half_out_of; a mirrored out (sines) has its last row first and a
 * negative leg. */
static inline void lanes_half_out_of(wf_r2r_form form, T *out, ptrdiff_t leg,
                                     const T *z, const wf_r2r_pass *pass)
{
    const size_t h = pass->n / 2;
    const ptrdiff_t n = (ptrdiff_t)pass->n, m = n / 2;
    for (size_t i = 1; i <= h / 2; i++) {
        const ptrdiff_t k = (ptrdiff_t)i;
        const quad q = half_out_quad(form, lane_pair(z, i),
                                     lane_pair(z, h - i),
                                     lane_factors(form, pass, i));
        store(out + k * leg, q.at[0]);
        store(out + (n - k) * leg, q.at[1]);
        store(out + (m - k) * leg, q.at[2]);
        store(out + (m + k) * leg, q.at[3]);
    }
    split first = lane_pair(z, 0);
    store(out, (T)pass->first * (first.re + first.im));
    store(out + m * leg, (T)pass->middle * (first.re - first.im));
}

static void lanes_half_out(T *out, ptrdiff_t leg, const T *z,
                           const wf_r2r_pass *p)
{
    if (p->form == WF_R2R_HALFCOMPLEX)
        lanes_half_out_of(WF_R2R_HALFCOMPLEX, out, leg, z, p);
    else if (p->form == WF_R2R_HARTLEY)
        lanes_half_out_of(WF_R2R_HARTLEY, out, leg, z, p);
    else
        lanes_half_out_of(WF_R2R_COSINE, out, leg, z, p);
}

static inline void lanes_half_in_of(wf_r2r_form form, T *z, const T *in,
                                    ptrdiff_t leg, const wf_r2r_pass *pass)
{
    const size_t h = pass->n / 2;
    const ptrdiff_t n = (ptrdiff_t)pass->n, m = n / 2;
    for (size_t i = 1; i <= h / 2; i++) {
        const ptrdiff_t k = (ptrdiff_t)i;
        const quad q = {{load(in + k * leg), load(in + (n - k) * leg),
                         load(in + (m - k) * leg), load(in + (m + k) * leg)}};
        const two_splits x = half_in_pairs(form, q,
                                           lane_factors(form, pass, i));
        put_lane_pair(z, i, x.front.re, x.front.im);
        put_lane_pair(z, h - i, x.back.re, x.back.im);
    }
    vec a = (T)pass->first * load(in),
        b = (T)pass->middle * load(in + m * leg);
    put_lane_pair(z, 0, a + b, a - b);
}

static void lanes_half_in(T *z, const T *in, ptrdiff_t leg,
                          const wf_r2r_pass *p)
{
    if (p->form == WF_R2R_HALFCOMPLEX)
        lanes_half_in_of(WF_R2R_HALFCOMPLEX, z, in, leg, p);
    else
        lanes_half_in_of(WF_R2R_COSINE, z, in, leg, p);
}

static void lanes_quarter_in(T *z, const T *in, ptrdiff_t leg,
                             const wf_r2r_pass *p)
{
    const ptrdiff_t n = (ptrdiff_t)p->n;
    for (ptrdiff_t j = 0; j < n / 2; j++) {
        split x = {load(in + 2 * j * leg), load(in + (n - 1 - 2 * j) * leg)};
        x = split_product(x, lane_factor(p, 0, (size_t)j));
        put_lane_pair(z, (size_t)j, x.re, x.im);
    }
}

static void lanes_quarter_out(T *out, ptrdiff_t leg, const T *z,
                              const wf_r2r_pass *p)
{
    const ptrdiff_t n = (ptrdiff_t)p->n;
    const vec sign = (vec){0} + (T)(p->form == WF_R2R_SINE ? 1 : -1);
    for (ptrdiff_t k = 0; k < n / 2; k++) {
        split y = split_product(lane_pair(z, (size_t)k),
                                lane_factor(p, 0, (size_t)k));
        store(out + 2 * k * leg, y.re);
        store(out + (n - 1 - 2 * k) * leg, y.im * sign);
    }
}

#endif /* with one lane no transforms are planned side by side */
