/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * definition.c - see definition.h.
 */
#include "cpu/definition.h"

#include <math.h>

#include "plan/precise.h"

static double cosine(const wf_definition *d, int64_t k)
{
    return d->roots.re_im[2 * (k % d->roots.n)];
}

static double sine(const wf_definition *d, int64_t k)
{
    return -d->roots.re_im[2 * (k % d->roots.n) + 1];
}

/* Number i of n that hold a half spectrum: of X[f], im or re. */
static double half_complex(const wf_definition *d, int64_t i, int64_t k)
{
    return 2 * i > d->n ? -sine(d, (d->n - i) * k) : cosine(d, i * k);
}

/* Of X[f] and its mirror image. */
static double both(const wf_definition *d, int64_t f)
{
    return f % d->n == 0 || 2 * f == d->n ? 1 : 2;
}

/* What the orthogonal matrix scales apart, and the ends of types I and III. */
static double ends(const wf_definition *d, int64_t j, int64_t k)
{
    const int64_t last = d->n - 1;
    const double half = d->ortho ? sqrt(0.5) : 0.5;
    const bool in = j == 0 || j == last,
               out = d->ortho && (k == 0 || k == last);
    switch (d->kind) {
    case WEFT_REDFT00: return in && out ? 0.5 : in || out ? half : 1;
    case WEFT_REDFT01: return j == 0 ? half : 1;
    case WEFT_RODFT01: return j == last ? half : 1;
    case WEFT_REDFT10: return d->ortho && k == 0 ? half : 1;
    case WEFT_RODFT10: return d->ortho && k == last ? half : 1;
    default: return 1;
    }
}

/* What number j of the input is in number k of the output; of half spectra
 * numbers are re and im in turn. */
static double entry(const wf_definition *d, int64_t j, int64_t k)
{
    switch (d->kind) {
    case WEFT_R2C:
        return k % 2 ? -sine(d, j * (k / 2)) : cosine(d, j * (k / 2));
    case WEFT_C2R:
        return both(d, j / 2) *
               (j % 2 ? -sine(d, j / 2 * k) : cosine(d, j / 2 * k));
    case WEFT_R2HC: return half_complex(d, k, j);
    case WEFT_HC2R: return both(d, j) * half_complex(d, j, k);
    case WEFT_DHT: return cosine(d, j * k) + sine(d, j * k);
    case WEFT_REDFT00: return 2 * cosine(d, j * k);
    case WEFT_REDFT10: return 2 * cosine(d, (2 * j + 1) * k);
    case WEFT_REDFT01: return 2 * cosine(d, j * (2 * k + 1));
    case WEFT_REDFT11: return 2 * cosine(d, (2 * j + 1) * (2 * k + 1));
    case WEFT_RODFT00: return 2 * sine(d, (j + 1) * (k + 1));
    case WEFT_RODFT10: return 2 * sine(d, (2 * j + 1) * (k + 1));
    case WEFT_RODFT01: return 2 * sine(d, (j + 1) * (2 * k + 1));
    default: return 2 * sine(d, (2 * j + 1) * (2 * k + 1));
    }
}

weft_status wf_definition_make(weft_kind kind, int64_t n,
                               const wf_usage *usage, wf_definition *d)
{
    *d = (wf_definition){
        .kind = kind, .n = n, .ortho = usage->ortho, .scale = usage->scale};
    return wf_roots_make(wf_whole_period(kind, n).length, false, &d->roots);
}

void wf_definition_drop(wf_definition *d)
{
    wf_roots_drop(&d->roots);
}

double wf_definition_entry(const wf_definition *d, int64_t j, int64_t k)
{
    return d->scale * ends(d, j, k) * entry(d, j, k);
}
