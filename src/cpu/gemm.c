/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gemm.c - one complex matrix product: B packed in strips of columns, the
 * rows of A dealt out to threads.
 */
#include "cpu/gemm.h"

#include "base/base.h"

/* A strip of B is packed at a time: enough columns to use a packed row of A
 * well, few enough that the packed strip stays in the third cache. */
enum { STRIP_BYTES = 8 << 20 };

typedef struct work {
    wf_multiply multiply;
    const wf_gemm *g;
    void *c_re, *c_im; /* of the strip */
    int64_t share;     /* rows a thread takes */
    size_t slice;      /* bytes of scratch a thread takes */
    char *scratch;
} work;

static void take_share(void *context, size_t index)
{
    const work *w = context;
    const int64_t begin = (int64_t)index * w->share;
    const int64_t end = begin + w->share < w->g->m ? begin + w->share
                                                   : w->g->m;
    if (begin < end)
        wf_multiply_rows(&w->multiply, w->g->a_re, w->g->a_im, w->c_re,
                         w->c_im, begin, end, w->scratch + index * w->slice);
}

/* Columns of a strip: a multiple of the tile's, all when they fit. */
static int64_t strip_width(const wf_gemm *g, const wf_stationary *whole)
{
    const int64_t panel = (int64_t)whole->panel_bytes, nr = whole->tile->nr;
    const int64_t fit = STRIP_BYTES / (panel > 0 ? panel : 1);
    const int64_t width = (fit < 1 ? 1 : fit) * nr;
    return width < g->n ? width : g->n;
}

static void *column_of(const void *base, ptrdiff_t scalars, const wf_gemm *g)
{
    return (char *)(uintptr_t)base + scalars * (g->real == WF_F64 ? 8 : 4);
}

/* One strip of columns first .. first + b->n - 1. */
static void multiply_strip(const wf_gemm *g, wf_stationary *b, int64_t first,
                           void *packed, char *scratch, size_t slice)
{
    const int threads = g->threads > 1 ? g->threads : 1;
    const int64_t block = wf_multiply_block(b);
    const int64_t blocks = (g->m + block - 1) / block;
    const wf_strided strip = {.real = g->real,
                              .re = column_of(g->b_re, first * g->b_column, g),
                              .im = column_of(g->b_im, first * g->b_column, g),
                              .row = g->b_row,
                              .column = g->b_column,
                              .conjugate = g->conjugate_b};
    wf_stationary_fill(b, &strip, packed, scratch);
    work w = {.multiply = {.b = b,
                           .in_real = g->real,
                           .out_real = g->real,
                           .nq = g->m,
                           .np = 1,
                           .in = {0, 0, g->a_row, g->a_column},
                           .out = {0, 0, g->c_row, g->c_column},
                           .conjugate = g->conjugate_a,
                           .more = g->more,
                           .factor = 1},
              .g = g,
              .c_re = column_of(g->c_re, first * g->c_column, g),
              .c_im = column_of(g->c_im, first * g->c_column, g),
              .share = (blocks + threads - 1) / threads * block,
              .slice = slice,
              .scratch = scratch};
    wf_parallel_for(threads, (size_t)threads, take_share, &w);
}

weft_status wf_cpu_gemm(const wf_gemm *g)
{
    wf_stationary b;
    size_t bytes, fill, slice, room;
    const wf_isa isa = (wf_isa)wf_cpu_isa();
    if (!wf_stationary_plan(&b, &g->scheme, isa, false, g->k, 1, &bytes,
                            &fill))
        return wf_fail(WEFT_ERR_OVERFLOW, "k %lld is too long to be packed",
                       (long long)g->k);
    const int64_t width = strip_width(g, &b);
    slice = wf_multiply_scratch(&b);
    if (!wf_stationary_plan(&b, &g->scheme, isa, false, g->k, width, &bytes,
                            &fill) ||
        !wf_mul_size(slice, (size_t)(g->threads > 1 ? g->threads : 1), &room))
        return wf_fail(WEFT_ERR_OVERFLOW, "k %lld is too long to be packed",
                       (long long)g->k);
    void *packed = wf_alloc(bytes);
    char *scratch = wf_alloc(room > fill ? room : fill);
    weft_status status = WEFT_OK;
    if (packed == NULL || scratch == NULL) {
        status = wf_fail(WEFT_ERR_NO_MEMORY,
                         "no memory for a product of k = %lld",
                         (long long)g->k);
        goto done;
    }
    for (int64_t first = 0; first < g->n; first += width) {
        b.n = g->n - first < width ? g->n - first : width;
        multiply_strip(g, &b, first, packed, scratch, slice);
    }
done:
    wf_free(packed);
    wf_free(scratch);
    return status;
}
