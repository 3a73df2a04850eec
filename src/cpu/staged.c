/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staged.c - see staged.h.
 *
 * The passes are those of rules/stockham.c: pass i turns groups of r
 * transforms of length s into transforms of length s r.  Butterfly (p, q)
 * reads q + s p + (n/r) j, multiplies leg j by exp(-2 pi i j q/(s r)), and
 * writes q + s (k + r p).  The twiddles are applied as rows are packed, in
 * the carrier's arithmetic: three roundings in a fixed order, never fused, so
 * they have the same bits everywhere.
 */
#include "cpu/staged.h"

#include "num/num.h"

/* ---- Binding ------------------------------------------------------------- */

static bool add_table(size_t bytes, size_t *total)
{
    return wf_add_size(bytes, 63, &bytes) &&
           wf_add_size(*total, bytes & ~(size_t)63, total);
}

static size_t carrier_bytes(const wf_staged *staged)
{
    return staged->carrier == WF_F64 ? sizeof(double) : sizeof(float);
}

/* Bytes of a stage's tables, and the most memory for making any. */
static bool plan_stage(const wf_staged *staged, const wf_scheme *scheme,
                       wf_stage *stage, int64_t r, size_t *packed,
                       size_t *twiddles, size_t *making)
{
    size_t scratch, roots;
    bool fits = wf_stationary_plan(&stage->matrix, scheme,
                                   (wf_isa)wf_cpu_isa(), false, r, r, packed,
                                   &scratch) &&
                wf_mul_size((size_t)r, sizeof(wf_root_parts), &roots) &&
                add_table(roots, &scratch) &&
                wf_mul_size((size_t)(stage->s * r), 2 * carrier_bytes(staged),
                            twiddles);
    if (stage->s == 1)
        *twiddles = 0;
    if (fits && scratch > *making)
        *making = scratch;
    return fits;
}

static weft_status make_twiddles(const wf_staged *staged, wf_stage *stage,
                                 bool inverse, void *table)
{
    const int64_t r = stage->matrix.k, s = stage->s;
    wf_roots_table roots;
    weft_status status = wf_roots_make(s * r, inverse, &roots);
    if (status != WEFT_OK)
        return status;
    for (int64_t j = 0; j < r; j++)
        for (int64_t q = 0; q < s; q++) {
            const int64_t phase = j * q; /* below s r */
            wf_table_set(staged->carrier, table, 2 * (j * s + q),
                         roots.re_im[2 * phase]);
            wf_table_set(staged->carrier, table, 2 * (j * s + q) + 1,
                         roots.re_im[2 * phase + 1]);
        }
    wf_roots_drop(&roots);
    stage->twiddle = table;
    return WEFT_OK;
}

static weft_status fill_stages(wf_staged *staged, bool inverse,
                               const size_t *packed, const size_t *twiddles,
                               char *table, char *making)
{
    for (int i = 0; i < staged->stages; i++) {
        wf_stage *stage = &staged->stage[i];
        const size_t roots = ((size_t)stage->matrix.n * sizeof(wf_root_parts) +
                              63) &
                             ~(size_t)63;
        wf_stationary_fill_dft(&stage->matrix, inverse, table, making + roots,
                               (wf_root_parts *)making);
        table += wf_round64(packed[i]);
        if (twiddles[i] != 0) {
            weft_status status = make_twiddles(staged, stage, inverse, table);
            if (status != WEFT_OK)
                return status;
        }
        table += wf_round64(twiddles[i]);
    }
    return WEFT_OK;
}

weft_status wf_bind_staged(wf_node *node, const wf_scheme *scheme,
                           const wf_step *step, int64_t n, bool inverse,
                           wf_staged *staged)
{
    size_t packed[WF_MAX_RADICES], twiddles[WF_MAX_RADICES];
    size_t total = 0, making = 0;
    int64_t s = 1;
    *staged = (wf_staged){.n = n,
                          .carrier = scheme->format == WF_FORMAT_F32 ? WF_F32
                                                                     : WF_F64,
                          .stages = step->radices};
    for (int i = 0; i < step->radices; i++) {
        staged->stage[i].s = s;
        if (!plan_stage(staged, scheme, &staged->stage[i], step->radix[i],
                        &packed[i], &twiddles[i], &making) ||
            !add_table(packed[i], &total) || !add_table(twiddles[i], &total))
            return wf_fail(WEFT_ERR_OVERFLOW, "tables of a matrix of %d",
                           step->radix[i]);
        s *= step->radix[i];
    }
    char *table = wf_node_table(node, total / node->bytes);
    char *memory = wf_alloc(making);
    weft_status status = table == NULL || memory == NULL
                             ? wf_no_memory()
                             : fill_stages(staged, inverse, packed, twiddles,
                                           table, memory);
    wf_free(memory);
    return status;
}

/* ---- Running ------------------------------------------------------------- */

/* Two planes of count n numbers. */
static size_t buffer_bytes(const wf_staged *staged, int64_t count)
{
    return wf_round64((size_t)(count * staged->n) * 2 * carrier_bytes(staged));
}

size_t wf_staged_scratch(const wf_staged *staged, int64_t count)
{
    size_t most = 0;
    for (int i = 0; i < staged->stages; i++) {
        const size_t one = wf_multiply_scratch(&staged->stage[i].matrix);
        most = one > most ? one : most;
    }
    const int buffers = staged->stages < 3 ? staged->stages - 1 : 2;
    return wf_round64(most) + (size_t)buffers * buffer_bytes(staged, count);
}

static wf_ends buffer_at(const wf_staged *staged, int64_t count, char *memory)
{
    return (wf_ends){staged->carrier, memory,
                     memory +
                         (size_t)(count * staged->n) * carrier_bytes(staged),
                     staged->n, 1};
}

static void run_stage(const wf_staged *staged, const wf_stage *stage,
                      int64_t count, const wf_ends *in, const wf_ends *out,
                      double factor, char *scratch)
{
    const int64_t r = stage->matrix.k, s = stage->s, n = staged->n;
    const wf_multiply multiply = {
        .b = &stage->matrix,
        .in_real = in->real,
        .out_real = out->real,
        .nq = s,
        .np = n / (s * r),
        .in = {in->dist, s * in->step, in->step, n / r * in->step},
        .out = {out->dist, s * r * out->step, out->step, s * out->step},
        .twiddle = stage->twiddle,
        .factor = factor};
    wf_multiply_rows(&multiply, in->re, in->im, out->re, out->im, 0,
                     count * (n / r), scratch);
}

void wf_staged_run(const wf_staged *staged, int64_t count, const wf_ends *in,
                   const wf_ends *out, double factor, char *scratch)
{
    const size_t bytes = buffer_bytes(staged, count);
    char *tiles = scratch +
                  (staged->stages < 3 ? (size_t)staged->stages - 1 : 2) *
                      bytes;
    wf_ends from = *in;
    for (int i = 0; i < staged->stages; i++) {
        const bool last = i == staged->stages - 1;
        const wf_ends to = last ? *out
                                : buffer_at(staged, count,
                                            scratch + (size_t)(i & 1) * bytes);
        run_stage(staged, &staged->stage[i], count, &from, &to,
                  last ? factor : 1, tiles);
        from = to;
    }
}
