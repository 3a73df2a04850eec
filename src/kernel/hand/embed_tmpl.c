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

/* A vector of the tile, of which `count` neighbours are there. */
INLINE void embed_some(wf_embed_form form, T *tile, const T *in,
                       const wf_embed *e, size_t count)
{
    const size_t n = e->n, row = 2 * e->width;
    const size_t known = form == WF_EMBED_REALS ? n : n / 2 + 1;
    const vec scale = (vec){0} + (T)e->scale, zero = {0};
    for (size_t k = 0; k < known; k++) {
        const T *from = in + (ptrdiff_t)k * e->leg;
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
        split x = {reals(from, count) * scale, zero};
        if (!real)
            x.im = reals(in + (ptrdiff_t)(n - k) * e->leg, count) * scale;
        put_pairs(to, x.re, x.im, VL);
        if (!real)
            put_pairs(image, x.re, -x.im, VL);
    }
}

INLINE void embed_all(wf_embed_form form, T *tile, const T *in,
                      const wf_embed *e)
{
    const size_t unit = form == WF_EMBED_SPECTRA ? 2 : 1;
    size_t at = 0;
    for (; at + VL <= e->count; at += VL)
        embed_some(form, tile + 2 * at, in + unit * at, e, VL);
    for (; at < e->width; at += VL)
        embed_some(form, tile + 2 * at, in + unit * at, e,
                   at < e->count ? e->count - at : 0);
}

static void embed_in(T *tile, const T *in, const wf_embed *e)
{
    switch (e->form) {
    case WF_EMBED_REALS: embed_all(WF_EMBED_REALS, tile, in, e); break;
    case WF_EMBED_SPECTRA: embed_all(WF_EMBED_SPECTRA, tile, in, e); break;
    default: embed_all(WF_EMBED_HALFCOMPLEX, tile, in, e);
    }
}

INLINE void take_some(wf_embed_form form, T *out, const T *tile,
                      const wf_embed *e, size_t count)
{
    const size_t n = e->n, row = 2 * e->width;
    const size_t known = form == WF_EMBED_REALS ? n : n / 2 + 1;
    for (size_t k = 0; k < known; k++, tile += row) {
        T *to = out + (ptrdiff_t)k * e->leg;
        T *image = out + (ptrdiff_t)(n - k) * e->leg;
        if (form == WF_EMBED_SPECTRA) {
            const split x = load_pairs(tile, count);
            store_pairs(to, x.re, x.im, count);
            continue;
        }
        const split x = pairs(tile, count);
        const bool alone = form == WF_EMBED_REALS || is_its_image(k, n);
        const bool hartley = form == WF_EMBED_HARTLEY && !alone;
        put_reals(to, hartley ? x.re - x.im : x.re, count);
        if (!alone)
            put_reals(image, hartley ? x.re + x.im : x.im, count);
    }
}

INLINE void take_all(wf_embed_form form, T *out, const T *tile,
                     const wf_embed *e)
{
    const size_t unit = form == WF_EMBED_SPECTRA ? 2 : 1;
    size_t at = 0;
    for (; at + VL <= e->count; at += VL)
        take_some(form, out + unit * at, tile + 2 * at, e, VL);
    if (at < e->count)
        take_some(form, out + unit * at, tile + 2 * at, e, e->count - at);
}

static void embed_out(T *out, const T *tile, const wf_embed *e)
{
    switch (e->form) {
    case WF_EMBED_REALS: take_all(WF_EMBED_REALS, out, tile, e); break;
    case WF_EMBED_SPECTRA: take_all(WF_EMBED_SPECTRA, out, tile, e); break;
    case WF_EMBED_HALFCOMPLEX:
        take_all(WF_EMBED_HALFCOMPLEX, out, tile, e);
        break;
    case WF_EMBED_HARTLEY: take_all(WF_EMBED_HARTLEY, out, tile, e); break;
    }
}

#endif
