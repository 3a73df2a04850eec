/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * embed_tmpl.c - real transforms side by side in complex ones: reals as complex
 * numbers, and half spectra as whole ones, in rows of a tile.
 */
#if VECTOR_BYTES >= 32

/* Number k of n that is its own mirror image, and so real. */
static inline bool is_its_image(size_t k, size_t n)
{
    return k == 0 || 2 * k == n;
}

/* The row of the tile that reals in row k have. */
static inline size_t row_of(const wf_embed *e, size_t k)
{
    return !e->sorted ? k : k % 2 ? e->n - 1 - k / 2 : k / 2;
}

static inline bool is_negated(const wf_embed *e, size_t k)
{
    return e->negate && k % 2;
}

static inline split embed_factor(const wf_embed *e, size_t k)
{
    const T *table = e->table;
    return (split){(vec){0} + table[k], (vec){0} + table[e->ld + k]};
}

/* A vector of the tile, of which `count` neighbours are there. */
INLINE void embed_some(wf_embed_form form, T *tile, const T *in,
                       const wf_embed *what, size_t count)
{
    const wf_embed copy = *what, *e = &copy; /* nobody writes to it */
    const size_t n = e->n, row = 2 * e->width;
    const size_t known = form == WF_EMBED_REALS ? n : n / 2 + 1;
    const vec scale = (vec){0} + (T)e->scale, zero = {0}, minus = -scale;
    for (size_t k = 0; k < known; k++) {
        const T *from = in + (ptrdiff_t)k * e->leg;
        const T *back = in + (ptrdiff_t)(n - k) * e->leg;
        T *to = tile + k * row, *image = tile + (n - k) * row;
        const bool real = form == WF_EMBED_REALS || is_its_image(k, n);
        if (form == WF_EMBED_SPECTRA) {
            split x = load_pairs(from, count);
            x = (split){x.re * scale, x.im * scale};
            if (real)
                x = merged(parted(x.re, x.im).re, zero);
            store_pairs(to, x.re, x.im, VL);
            if (!real)
                store_pairs(image, conjugate(x.re), conjugate(x.im), VL);
            continue;
        }
        split x = {reals(from, count), zero};
        if (form == WF_EMBED_REALS) {
            put_pairs(tile + row_of(e, k) * row,
                      x.re * (is_negated(e, k) ? minus : scale), zero, VL);
            continue;
        }
        if (form == WF_EMBED_COSINE && k == 0) {
            x.re *= (T)e->first;
        } else if (form == WF_EMBED_COSINE) {
            x.im = -reals(back, count);
            x = split_product(x, embed_factor(e, k));
        } else {
            x.re *= scale;
            x.im = real ? zero : reals(back, count) * scale;
        }
        put_pairs(to, x.re, real ? zero : x.im, VL);
        if (!real)
            put_pairs(image, x.re, -x.im, VL);
    }
}

/* Masks of 512 bits take no time to speak of; for narrower ones whole vectors have
 * a loop of their own. */
INLINE void embed_all(wf_embed_form form, T *tile, const T *in,
                      const wf_embed *e)
{
    const size_t unit = form == WF_EMBED_SPECTRA ? 2 : 1;
    size_t at = 0;
    for (; !WHOLE_LINES && at + VL <= e->count; at += VL)
        embed_some(form, tile + 2 * at, in + unit * at, e, VL);
    for (; at < e->width; at += VL)
        embed_some(form, tile + 2 * at, in + unit * at, e,
                   at < e->count ? least(VL, e->count - at) : 0);
}

static void embed_in(T *tile, const T *in, const wf_embed *e)
{
    switch (e->form) {
    case WF_EMBED_REALS: embed_all(WF_EMBED_REALS, tile, in, e); break;
    case WF_EMBED_SPECTRA: embed_all(WF_EMBED_SPECTRA, tile, in, e); break;
    default: embed_all(e->form, tile, in, e); /* room for one loop, not each */
    }
}

INLINE void take_some(wf_embed_form form, T *out, const T *tile,
                      const wf_embed *what, size_t count)
{
    const wf_embed copy = *what, *e = &copy; /* nobody writes to it */
    const size_t n = e->n, row = 2 * e->width;
    const size_t known = form == WF_EMBED_REALS ? n : n / 2 + 1;
    for (size_t k = 0; k < known; k++) {
        const T *from = tile + k * row;
        T *to = out + (ptrdiff_t)k * e->leg;
        T *image = out + (ptrdiff_t)(n - k) * e->leg;
        if (form == WF_EMBED_REALS) {
            const split x = pairs(tile + row_of(e, k) * row, count);
            put_reals(to, is_negated(e, k) ? -x.re : x.re, count);
            continue;
        }
        if (form == WF_EMBED_SPECTRA) {
            const split x = load_pairs(from, count);
            store_pairs(to, x.re, x.im, count);
            continue;
        }
        split x = pairs(from, count);
        if (form == WF_EMBED_COSINE && k == 0) {
            x.re *= (T)e->first;
        } else if (form == WF_EMBED_COSINE) {
            x = split_product(x, embed_factor(e, k));
            x.im = -x.im;
        } else if (form == WF_EMBED_HARTLEY && !is_its_image(k, n)) {
            x = (split){x.re - x.im, x.re + x.im};
        }
        put_reals(to, x.re, count);
        if (!is_its_image(k, n))
            put_reals(image, x.im, count);
    }
}

INLINE void take_all(wf_embed_form form, T *out, const T *tile,
                     const wf_embed *e)
{
    const size_t unit = form == WF_EMBED_SPECTRA ? 2 : 1;
    size_t at = 0;
    for (; !WHOLE_LINES && at + VL <= e->count; at += VL)
        take_some(form, out + unit * at, tile + 2 * at, e, VL);
    for (; at < e->count; at += VL)
        take_some(form, out + unit * at, tile + 2 * at, e,
                  least(VL, e->count - at));
}

static void embed_out(T *out, const T *tile, const wf_embed *e)
{
    switch (e->form) {
    case WF_EMBED_REALS: take_all(WF_EMBED_REALS, out, tile, e); break;
    case WF_EMBED_SPECTRA: take_all(WF_EMBED_SPECTRA, out, tile, e); break;
    default: take_all(e->form, out, tile, e);
    }
}

#endif
