/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gemm_api.c - weft_cgemm: sizes, strides and formats checked, then the
 * engine's product.
 */
#include <inttypes.h>

#include "api/api.h"
#include "cpu/gemm.h"

static const char *const operand_name[] = {"a", "b", "c"};

/* Rows, columns and strides of an operand. */
typedef struct extent {
    int64_t rows, columns, row, column;
} extent;

static weft_status check_extent(const extent *e, int operand, bool written)
{
    int64_t span, other;
    const int64_t rows = e->rows > 0 ? e->rows - 1 : 0;
    const int64_t columns = e->columns > 0 ? e->columns - 1 : 0;
    if (written &&
        ((rows > 0 && e->row == 0) || (columns > 0 && e->column == 0)))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "a stride of %s is 0: its elements would overlap",
                       operand_name[operand]);
    /* INT64_MIN has no magnitude. */
    if (e->row == INT64_MIN || e->column == INT64_MIN ||
        !wf_mul_i64(rows, e->row < 0 ? -e->row : e->row, &span) ||
        !wf_mul_i64(columns, e->column < 0 ? -e->column : e->column, &other) ||
        !wf_add_i64(span, other, &span) || !wf_mul_i64(span, 16, &span) ||
        !wf_add_i64(span, 16, &span))
        return wf_fail(WEFT_ERR_OVERFLOW,
                       "%" PRId64 " x %" PRId64 " elements of %s, %" PRId64
                       " and %" PRId64 " apart, do not fit in 63 bits",
                       e->rows, e->columns, operand_name[operand], e->row,
                       e->column);
    return WEFT_OK;
}

static bool is_packed(const weft_gemm *g)
{
    return g->a_row == 0 && g->a_column == 0 && g->b_row == 0 &&
           g->b_column == 0 && g->c_row == 0 && g->c_column == 0;
}

static weft_status read_extents(const weft_gemm *g, extent e[3])
{
    const bool packed = is_packed(g);
    e[0] = (extent){g->m, g->k, packed ? g->k : g->a_row,
                    packed ? 1 : g->a_column};
    e[1] = (extent){g->k, g->n, packed ? g->n : g->b_row,
                    packed ? 1 : g->b_column};
    e[2] = (extent){g->m, g->n, packed ? g->n : g->c_row,
                    packed ? 1 : g->c_column};
    weft_status status = WEFT_OK;
    for (int i = 0; i < 3 && status == WEFT_OK; i++)
        status = check_extent(&e[i], i, i == 2);
    return status;
}

static weft_status read_format(const weft_gemm *g, wf_scheme *scheme)
{
    const char *own = g->type == WEFT_F64 ? "f64" : "f32";
    const char *name = g->format == NULL ? own : g->format;
    const size_t length = wf_scheme_parse(name, scheme);
    if (length == 0 || name[length] != '\0' || scheme->refined)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "format \"%.40s\": not a format of products", name);
    if (scheme->format == WF_FORMAT_F32 && g->type == WEFT_F64)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "format \"f32\" on f64 data: it has not their range");
    return WEFT_OK;
}

static weft_status check(const weft_gemm *g, weft_layout layout, extent e[3],
                         wf_scheme *scheme)
{
    if (g == NULL)
        return wf_fail(WEFT_ERR_ARGUMENT, "gemm is NULL");
    if (g->size != sizeof *g)
        return wf_fail(WEFT_ERR_ARGUMENT, "size %zu is not sizeof(weft_gemm)",
                       g->size);
    if (g->type != WEFT_F64 && g->type != WEFT_F32)
        return wf_fail(WEFT_ERR_ARGUMENT, "type %d: unknown", (int)g->type);
    if (g->layout != layout)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "layout %d: weft_cgemm is for interleaved data, "
                       "weft_cgemm_split for split data",
                       (int)g->layout);
    if (g->m < 0 || g->n < 0 || g->k < 0)
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "a size is negative: m %" PRId64 ", n %" PRId64
                       ", k %" PRId64,
                       g->m, g->n, g->k);
    if (g->threads < 0)
        return wf_fail(WEFT_ERR_ARGUMENT, "threads %d: negative",
                       (int)g->threads);
    weft_status status = read_format(g, scheme);
    return status == WEFT_OK ? read_extents(g, e) : status;
}

/* A B is zero: k = 0. */
static void clear(const wf_gemm *g)
{
    for (int64_t i = 0; i < g->m; i++)
        for (int64_t j = 0; j < g->n; j++) {
            const ptrdiff_t at = i * g->c_row + j * g->c_column;
            if (g->real == WF_F64)
                ((double *)g->c_re)[at] = ((double *)g->c_im)[at] = 0;
            else
                ((float *)g->c_re)[at] = ((float *)g->c_im)[at] = 0;
        }
}

static weft_status multiply(const weft_gemm *gemm, weft_layout layout,
                            const void *const a[2], const void *const b[2],
                            void *const c[2])
{
    extent e[3];
    wf_scheme scheme;
    weft_status status = check(gemm, layout, e, &scheme);
    if (status != WEFT_OK || gemm->m == 0 || gemm->n == 0)
        return status;
    const bool reads = gemm->k > 0;
    for (int i = 0; i < 2; i++)
        if (c[i] == NULL || (reads && (a[i] == NULL || b[i] == NULL)))
            return wf_fail(WEFT_ERR_ARGUMENT, "a, b or c is NULL");
    const ptrdiff_t scalars = layout == WEFT_SPLIT ? 1 : 2;
    const wf_gemm g = {.scheme = scheme,
                       .real = gemm->type == WEFT_F64 ? WF_F64 : WF_F32,
                       .m = gemm->m,
                       .n = gemm->n,
                       .k = gemm->k,
                       .a_row = scalars * e[0].row,
                       .a_column = scalars * e[0].column,
                       .b_row = scalars * e[1].row,
                       .b_column = scalars * e[1].column,
                       .c_row = scalars * e[2].row,
                       .c_column = scalars * e[2].column,
                       .conjugate_a = gemm->conjugate_a != 0,
                       .conjugate_b = gemm->conjugate_b != 0,
                       .more = gemm->accumulate != 0,
                       .threads = gemm->threads,
                       .a_re = a[0],
                       .a_im = a[1],
                       .b_re = b[0],
                       .b_im = b[1],
                       .c_re = c[0],
                       .c_im = c[1]};
    if (reads)
        return wf_cpu_gemm(&g);
    if (!g.more)
        clear(&g);
    return WEFT_OK;
}

/* The imaginary part behind a real one. */
static void *imaginary(const weft_gemm *g, const void *p)
{
    const size_t bytes = g != NULL && g->type == WEFT_F32 ? 4 : 8;
    return p == NULL ? NULL : (char *)(uintptr_t)p + bytes;
}

weft_status weft_cgemm(const weft_gemm *gemm, const void *a, const void *b,
                       void *c)
{
    const void *const from_a[2] = {a, imaginary(gemm, a)};
    const void *const from_b[2] = {b, imaginary(gemm, b)};
    void *const to[2] = {c, imaginary(gemm, c)};
    return multiply(gemm, WEFT_INTERLEAVED, from_a, from_b, to);
}

weft_status weft_cgemm_split(const weft_gemm *gemm, const void *a_re,
                             const void *a_im, const void *b_re,
                             const void *b_im, void *c_re, void *c_im)
{
    const void *const a[2] = {a_re, a_im}, *const b[2] = {b_re, b_im};
    void *const c[2] = {c_re, c_im};
    return multiply(gemm, WEFT_SPLIT, a, b, c);
}
