/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isa.c - which matrix kernels this build and this CPU have.  WEFT_HAVE_<ISA>
 * and WEFT_HAVE_<TILE> come from the build; scalar is always there.
 */
#include "base/base.h"
#include "kernel/matrix/matrix.h"

#define DECLARE(isa)                                                   \
    extern const wf_tile wf_tile_f64_##isa, wf_tile_f32_##isa;         \
    extern const wf_tile_moves wf_moves_f64_##isa, wf_moves_f32_##isa; \
    extern const wf_tile_splits wf_splits_##isa;
#define ROW(isa)                                                     \
    {                                                                \
        &wf_tile_f64_##isa, &wf_tile_f32_##isa, &wf_moves_f64_##isa, \
            &wf_moves_f32_##isa, &wf_splits_##isa                    \
    }

DECLARE(scalar)
DECLARE(sse2)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(neon)
extern const wf_tile wf_tile_bf16_avx512, wf_tile_bf16_amx, wf_tile_int8_amx;
extern const wf_tile wf_tile_bf16_amx_model, wf_tile_int8_amx_model;

static const wf_matrix_isa rows[WF_ISA_COUNT] = {
#ifdef WEFT_HAVE_SSE2
    [WF_ISA_SSE2] = ROW(sse2),
#endif
#ifdef WEFT_HAVE_AVX2
    [WF_ISA_AVX2] = ROW(avx2),
#endif
#ifdef WEFT_HAVE_AVX512
    [WF_ISA_AVX512] = ROW(avx512),
#endif
#ifdef WEFT_HAVE_NEON
    [WF_ISA_NEON] = ROW(neon),
#endif
    [WF_ISA_SCALAR] = ROW(scalar),
};

const wf_matrix_isa *wf_matrix_isa_for(wf_isa isa)
{
    int level = (unsigned)isa < WF_ISA_COUNT ? (int)isa : WF_ISA_SCALAR;
    while (level > WF_ISA_SCALAR && rows[level].f32 == NULL)
        level--;
    return &rows[level];
}

/* Tiles for hardware that not every CPU of a level has, best first. */
static const struct special {
    const wf_tile *tile;
    const char *feature;
    int also; /* a format whose numbers it holds exactly, besides its own */
} specials[] = {
#ifdef WEFT_HAVE_AMX
    {&wf_tile_int8_amx, "amx-int8", -1},
    {&wf_tile_bf16_amx, "amx-bf16", -1},
#endif
#ifdef WEFT_HAVE_BF16
    {&wf_tile_bf16_avx512, "avx512bf16", WF_FORMAT_INT8},
#endif
    {NULL, NULL, -1}};

static const struct special *special_for(wf_format format)
{
    for (const struct special *s = specials; s->tile != NULL; s++)
        if ((s->tile->holds == format || s->also == (int)format) &&
            wf_cpu_has(s->feature))
            return s;
    return NULL;
}

const wf_tile *wf_tile_for(const wf_scheme *scheme, wf_isa isa, bool portable)
{
    const struct special *s = portable ? NULL : special_for(scheme->format);
    if (s != NULL)
        return s->tile;
    const wf_matrix_isa *level = wf_matrix_isa_for(isa);
    return scheme->format == WF_FORMAT_F64 ? level->f64 : level->f32;
}

const char *wf_format_hardware(wf_format format)
{
    if (format == WF_FORMAT_F64 || format == WF_FORMAT_F32)
        return wf_isa_name((wf_isa)wf_cpu_isa());
    const struct special *s = special_for(format);
    return s == NULL ? NULL : s->feature;
}

const wf_tile *wf_tile_at(int index, wf_isa *isa, const char **feature)
{
    *feature = NULL;
    for (int level = 0; level < WF_ISA_COUNT; level++) {
        if (rows[level].f32 == NULL)
            continue;
        *isa = (wf_isa)level;
        if (index < 2)
            return index == 0 ? rows[level].f64 : rows[level].f32;
        index -= 2;
    }
    /* Models of hardware, which run anywhere and only tests want. */
    static const wf_tile *const models[] = {&wf_tile_bf16_amx_model,
                                            &wf_tile_int8_amx_model};
    *isa = WF_ISA_SCALAR;
    if (index < 2)
        return models[index];
    index -= 2;
    const struct special *s = specials;
    while (s->tile != NULL && index-- > 0)
        s++;
    *isa = WF_ISA_AVX512;
    *feature = s->feature;
    return s->tile;
}
