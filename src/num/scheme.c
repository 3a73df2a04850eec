/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scheme.c - the ways numbers go through a matrix product, and their names.
 *
 * A number is one value of a format (bf16), a sum of `parts` values (bf16x3:
 * each the rounding of what the ones before left over), or `parts` slices
 * (bf16s4: digits of a fixed-point number, so small that sums of products are
 * exact in FP32).  docs/math.md derives the widths of the slices.
 */
#include "num/num.h"

#include <stdio.h>
#include <string.h>

typedef struct format_row {
    const char *name;
    int most_parts;    /* as a sum of roundings; 0: slices only */
    int slice_bits;    /* beta; 0: no slices */
    int slice_columns; /* complex terms of one exact sum */
    int slice_pairs;   /* products of one level that may share that sum */
} format_row;

/* A slice is at most 2^(beta-1) in magnitude and must be a number of the
 * format; a complex term is two products; so 2 columns pairs 2^(2 beta-2)
 * <= 2^24.  int8 is at most 128 and could hold more. */
static const format_row formats[WF_FORMAT_COUNT] = {
    [WF_FORMAT_F64] = {"f64", 1, 0, 0, 0},
    [WF_FORMAT_F32] = {"f32", 1, 0, 0, 0},
    [WF_FORMAT_TF32] = {"tf32", 2, 0, 0, 0},
    [WF_FORMAT_FP16] = {"fp16", 2, 11, 8, 1},
    [WF_FORMAT_BF16] = {"bf16", 3, 9, 64, 2},
    [WF_FORMAT_INT8] = {"int8", 0, 8, 64, 8},
};

const char *wf_format_name(wf_format format)
{
    return formats[format].name;
}

int wf_scheme_slice_bits(const wf_scheme *scheme)
{
    return formats[scheme->format].slice_bits;
}

int wf_scheme_columns(const wf_scheme *scheme)
{
    return scheme->sliced ? formats[scheme->format].slice_columns
                          : WF_CHUNK_COLUMNS;
}

int wf_scheme_pairs(const wf_scheme *scheme)
{
    return scheme->sliced ? formats[scheme->format].slice_pairs
                          : WF_SCHEME_PAIRS;
}

bool wf_scheme_native(const wf_scheme *scheme)
{
    return scheme->format == WF_FORMAT_F64 || scheme->format == WF_FORMAT_F32;
}

int wf_scheme_products(const wf_scheme *scheme)
{
    return scheme->parts * (scheme->parts + 1) / 2;
}

bool wf_scheme_valid(const wf_scheme *scheme)
{
    if ((unsigned)scheme->format >= WF_FORMAT_COUNT)
        return false;
    const format_row *f = &formats[scheme->format];
    if (scheme->refined)
        return scheme->format == WF_FORMAT_BF16 && scheme->parts == 1 &&
               !scheme->sliced;
    if (scheme->sliced)
        return f->slice_bits != 0 && scheme->parts >= 2 &&
               scheme->parts <= WF_SCHEME_PARTS;
    return scheme->parts >= 1 && scheme->parts <= f->most_parts;
}

void wf_scheme_print(const wf_scheme *scheme, char text[WF_SCHEME_TEXT])
{
    const char *name = wf_format_name(scheme->format);
    if (scheme->refined)
        snprintf(text, WF_SCHEME_TEXT, "refined");
    else if (scheme->sliced)
        snprintf(text, WF_SCHEME_TEXT, "%ss%d", name, scheme->parts);
    else if (scheme->parts > 1)
        snprintf(text, WF_SCHEME_TEXT, "%sx%d", name, scheme->parts);
    else
        snprintf(text, WF_SCHEME_TEXT, "%s", name);
}

size_t wf_scheme_parse(const char *text, wf_scheme *scheme)
{
    *scheme = (wf_scheme){.parts = 1};
    if (strncmp(text, "refined", 7) == 0) {
        scheme->format = WF_FORMAT_BF16;
        scheme->refined = true;
        return 7;
    }
    for (int i = 0; i < WF_FORMAT_COUNT; i++) {
        size_t length = strlen(formats[i].name);
        if (strncmp(text, formats[i].name, length) != 0)
            continue;
        scheme->format = (wf_format)i;
        const char *end = text + length;
        if ((*end == 'x' || *end == 's') && end[1] >= '2' && end[1] <= '9') {
            scheme->sliced = *end == 's';
            scheme->parts = end[1] - '0';
            end += 2;
        }
        return wf_scheme_valid(scheme) ? (size_t)(end - text) : 0;
    }
    return 0;
}
