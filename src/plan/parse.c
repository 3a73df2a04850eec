/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parse.c - the text of a tree, read back.
 *
 * The text may come from a file that anyone wrote: every number is bounded,
 * depth is bounded, and what a tree says about itself (products, child
 * counts, lengths) must hold before anyone else sees it.
 */
#include "num/num.h"
#include "plan/problem.h"
#include "plan/step.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

typedef struct reader {
    const char *at;
    const char *start;
} reader;

static weft_status refuse(const reader *r, const char *what)
{
    return wf_fail(WEFT_ERR_PARSE, "plan tree at byte %zu: %s",
                   (size_t)(r->at - r->start), what);
}

static void skip_space(reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool read_char(reader *r, char c)
{
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

/* A decimal number in 0 .. limit. */
static bool read_number(reader *r, int64_t limit, int64_t *value)
{
    if (*r->at < '0' || *r->at > '9')
        return false;
    int64_t v = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++) {
        int digit = *r->at - '0';
        if (v > (limit - digit) / 10)
            return false;
        v = 10 * v + digit;
    }
    *value = v;
    return true;
}

static bool read_int(reader *r, int limit, int *value)
{
    int64_t wide;
    if (!read_number(r, limit, &wide))
        return false;
    *value = (int)wide;
    return true;
}

static bool read_radices(reader *r, wf_step *step)
{
    for (;;) {
        if (step->radices == WF_MAX_RADICES)
            return false;
        int i = step->radices;
        if (!read_int(r, 1024, &step->radix[i]) || step->radix[i] < 2)
            return false;
        step->radices++;
        if (read_char(r, '+'))
            step->fused[i] = true;
        else if (!read_char(r, '.'))
            return true;
    }
}

static bool read_real_kind(reader *r, weft_kind *kind)
{
    size_t length = strspn(r->at, "abcdefghijklmnopqrstuvwxyz0123456789");
    for (int k = WEFT_R2HC; k < WEFT_R2R; k++) {
        const char *name = wf_kind_name((weft_kind)k);
        if (strlen(name) == length && memcmp(name, r->at, length) == 0) {
            r->at += length;
            *kind = (weft_kind)k;
            return true;
        }
    }
    return false;
}

static bool read_scheme(reader *r, wf_scheme *scheme)
{
    size_t length = wf_scheme_parse(r->at, scheme);
    r->at += length;
    return length != 0;
}

static bool read_field(reader *r, char field, wf_step *step)
{
    skip_space(r);
    switch (field) {
    case 'A': return read_int(r, WEFT_MAX_RANK - 1, &step->axis);
    case 'K': return read_real_kind(r, &step->real);
    case 'N': return read_number(r, INT64_MAX, &step->n) && step->n >= 1;
    case 'S':
        return read_number(r, INT64_MAX, &step->split[0]) &&
               read_char(r, 'x') && read_number(r, INT64_MAX, &step->split[1]);
    case 'M':
        return read_char(r, 'm') && read_number(r, INT64_MAX, &step->split[0]);
    case 'C': /* radices follow, which begin with a digit */
        return *r->at != 'm' ||
               (read_field(r, 'M', step) && step->split[0] > 0);
    case 'F': return read_scheme(r, &step->scheme);
    case 'W':
        return read_char(r, 'w') && read_int(r, 64, &step->width) &&
               step->width >= 1;
    default: return read_radices(r, step);
    }
}

static bool product_is_n(const wf_step *step)
{
    bool convolves = step->kind == WF_STEP_MATRIX && step->split[0] != 0;
    bool may_fuse = step->kind != WF_STEP_MATRIX &&
                    step->kind != WF_STEP_INTERLEAVED &&
                    step->kind != WF_STEP_BESIDE;
    int64_t product = 1;
    for (int i = 0; i < step->radices; i++)
        if (!wf_mul_i64(product, step->radix[i], &product) ||
            (step->fused[i] && !may_fuse))
            return false;
    return product == (convolves ? step->split[0] : step->n);
}

static bool split_is_n(const wf_step *step)
{
    int64_t product;
    return step->split[0] >= 2 && step->split[1] >= 2 &&
           wf_mul_i64(step->split[0], step->split[1], &product) &&
           product == step->n && step->child[0]->n == step->split[0] &&
           step->child[1]->n == step->split[1];
}

/* What the children must be; NULL or what is wrong. */
static const char *check_kinds(const wf_step *step)
{
    for (int i = 0; i < step->children; i++) {
        const wf_step *child = step->child[i];
        bool column = wf_step_is_column(child);
        bool abreast = wf_step_is_abreast(child);
        bool columns = (step->kind == WF_STEP_COLS && !abreast &&
                        !wf_step_is_dense(child)) ||
                       (step->kind == WF_STEP_FOURSTEP &&
                        (i == 0 || column)) ||
                       step->kind == WF_STEP_LANED ||
                       step->kind == WF_STEP_REAL_LANED ||
                       (step->kind == WF_STEP_BUFFERED && column) ||
                       step->kind == WF_STEP_CONVOLVED ||
                       ((step->kind == WF_STEP_SCRAMBLED ||
                         step->kind == WF_STEP_DECIMATED ||
                         step->kind == WF_STEP_REAL_DECIMATED) &&
                        i == 0);
        bool inside = wf_step_is_transform(step->kind);
        if (step->kind == WF_STEP_PAIRS || step->kind == WF_STEP_CHIRP) {
            if (child->kind != WF_STEP_PASSES &&
                (child->kind != WF_STEP_CHIRP || step->kind == WF_STEP_CHIRP))
                return "something else where an axis of pairs is wanted";
        } else if (step->kind == WF_STEP_SLICED) {
            if (child->kind != WF_STEP_RANK && child->kind != WF_STEP_STAGED)
                return "something else where a rank is wanted";
        } else if (wf_step_has_part(step->kind)) {
            if (child->kind != WF_STEP_RANK)
                return "something else where a rank is wanted";
        } else if (child->kind == WF_STEP_ONCE &&
                   step->kind != WF_STEP_WIDEN &&
                   step->kind != WF_STEP_WHOLE) {
            return "a whole problem where a part of one is wanted";
        } else if (step->kind == WF_STEP_WIDEN) {
            if (child->kind != WF_STEP_RANK && child->kind != WF_STEP_STAGED &&
                child->kind != WF_STEP_ONCE)
                return "something else where a rank is wanted";
        } else if (step->kind == WF_STEP_WHOLE) {
            if (child->kind != WF_STEP_RANK && child->kind != WF_STEP_PAIRS &&
                child->kind != WF_STEP_ONCE)
                return "something else where complex vectors are wanted";
        } else if (child->kind == WF_STEP_PASSES ||
                   child->kind == WF_STEP_CHIRP) {
            return "an axis of pairs where there are none";
        } else if (step->kind == WF_STEP_RANK ||
                   step->kind == WF_STEP_REPACK ||
                   step->kind == WF_STEP_EXCHANGED ||
                   step->kind == WF_STEP_STAGED) {
            if (wf_step_is_transform(child->kind) ||
                child->kind == WF_STEP_REPACK ||
                child->kind == WF_STEP_EXCHANGED ||
                child->kind == WF_STEP_STAGED)
                return "a transform where an axis is wanted";
        } else if (!wf_step_is_transform(child->kind)) {
            return "an axis where a transform is wanted";
        } else if (child->kind == WF_STEP_MATRIX &&
                   step->kind != WF_STEP_ROWS && step->kind != WF_STEP_FULL) {
            return "a matrix that is not the child of rows or full";
        } else if (child->kind == WF_STEP_BESIDE || wf_step_is_lone(child) ||
                   (child->kind == WF_STEP_REAL_COLUMN &&
                    step->kind != WF_STEP_SPECTRAL)) {
            if (step->kind != WF_STEP_COLS)
                return "few or short columns that are not the child of cols";
        } else if (columns != column) {
            return "columns and rows mixed up";
        } else if (step->kind == WF_STEP_CONVOLVED &&
                   child->kind != WF_STEP_COLUMN) {
            return "a convolution by something else than passes";
        } else if (abreast && step->kind != WF_STEP_ROWS &&
                   step->kind != WF_STEP_COLS) {
            return "lanes where one vector is wanted";
        } else if (child->kind == WF_STEP_SCRAMBLED && inside) {
            return "a scrambled order inside a transform";
        } else if (inside && wf_step_is_r2r(child->kind) !=
                                 (step->kind == WF_STEP_FOLDED)) {
            return "a real kind inside another transform";
        } else if (inside && wf_step_is_real(child->kind) !=
                                 (step->kind == WF_STEP_SPECTRAL ||
                                  step->kind == WF_STEP_PERIOD ||
                                  step->kind == WF_STEP_REAL_SPLIT ||
                                  step->kind == WF_STEP_REAL_RADER)) {
            return "real and complex transforms mixed up";
        }
    }
    return NULL;
}

/* Even n, by complex columns of n/2 as wide. */
static bool is_laned(const wf_step *step)
{
    const wf_step *column = step->child[0];
    return step->n % 2 == 0 && column->n == step->n / 2 &&
           column->width == step->width && step->width > 1;
}

/* Of even n, and by the kernel of reals anywhere, only the halfcomplex kinds. */
static bool spectrum_fits(const wf_step *step, const wf_step *spectrum)
{
    const bool halfcomplex = step->real == WEFT_R2HC ||
                             step->real == WEFT_HC2R;
    if (wf_step_is_lone(step))
        return halfcomplex && spectrum->width == 1;
    return !wf_step_is_halves(step) ||
           (halfcomplex && spectrum->kind == WF_STEP_REAL_LEAF);
}

/* The steps of the real kinds. */
static const char *check_r2r(const wf_step *step)
{
    const wf_step *a = step->child[0], *b = step->child[1];
    bool cosine = step->real == WEFT_REDFT00;
    bool first = cosine || step->real == WEFT_RODFT00;
    bool fits;
    if (step->kind == WF_STEP_LANES)
        fits = !first && step->real > WEFT_REDFT00;
    else if (step->kind == WF_STEP_LANED)
        fits = !first && is_laned(step);
    else if (step->kind == WF_STEP_HALVED)
        fits = !first && step->n % 2 == 0 && a->n == step->n / 2;
    else if (step->kind == WF_STEP_SPECTRAL)
        fits = !first && step->n > 1 && a->n == step->n &&
               spectrum_fits(step, a);
    else if (step->kind == WF_STEP_DENSE)
        fits = step->real >= WEFT_R2HC && step->n > 1;
    else if (step->kind == WF_STEP_ALONE)
        fits = step->real == WEFT_REDFT10 || step->real == WEFT_REDFT01 ||
               step->real == WEFT_RODFT10 || step->real == WEFT_RODFT01;
    else if (step->kind == WF_STEP_PERIOD)
        fits = first && step->n > 1 && a->n % 2 == 0 &&
               a->n / 2 == (cosine ? step->n - 1 : step->n + 1);
    else
        fits = first && step->n % 2 == 1 && step->n >= 7 &&
               a->n == step->n / 2 + 1 && b->n == step->n / 2 &&
               a->real == (cosine ? WEFT_REDFT00 : WEFT_RODFT01) &&
               b->real == (cosine ? WEFT_REDFT01 : WEFT_RODFT00);
    return fits ? NULL : "kind, length and children do not fit";
}

static const char *check_real_split(const wf_step *step)
{
    int64_t product;
    return step->n % 2 == 1 && step->split[0] >= 3 && step->split[1] >= 3 &&
                   wf_mul_i64(step->split[0], step->split[1], &product) &&
                   product == step->n && step->child[0]->n == step->split[1]
               ? NULL
               : "the split does not make an odd n";
}

/* A length that is not padded must be n - 1. */
static const char *check_real_rader(const wf_step *step)
{
    int64_t n = step->n, m = step->split[0];
    return n >= 3 && n <= INT32_MAX / 2 && m % 2 == 0 &&
                   m == step->child[0]->n && (m == n - 1 || m >= 2 * n - 3)
               ? NULL
               : "the child must have length n - 1 or an even m >= 2n - 3";
}

/* A column convolution: Rader's of n - 1, or Bluestein's. */
static const char *check_convolved(const wf_step *step)
{
    const wf_step *child = step->child[0];
    const int64_t n = step->n, m = step->split[0];
    return n >= 2 && n <= INT32_MAX / 2 && m == child->n &&
                   (m == n - 1 || m >= 2 * n - 1) &&
                   step->width == child->width
               ? NULL
               : "the child must have length n - 1 or m >= 2n - 1, and the "
                 "width";
}

/* Does its child have this length, and is m long enough? */
static bool check_chirp(const wf_step *step, int64_t length)
{
    return step->child[0]->n == length && step->n <= INT64_MAX / 4 &&
           step->split[0] <= INT64_MAX / 4 &&
           step->split[0] >= 2 * step->n - 1;
}

static const char *check_lengths(const wf_step *step)
{
    switch (step->kind) {
    case WF_STEP_STOCKHAM:
    case WF_STEP_INTERLEAVED:
    case WF_STEP_COLUMN:
    case WF_STEP_BESIDE:
    case WF_STEP_PASSES:
    case WF_STEP_REAL_PASSES:
        return product_is_n(step) ? NULL : "the radices do not make n";
    case WF_STEP_FOURSTEP:
        if (!wf_step_is_column(step->child[1]) &&
            step->split[0] != step->split[1] &&
            (step->split[0] % 2 != 0 || step->split[0] / 2 != step->split[1]))
            return "rows below fourstep want a split into mxm or 2mxm";
        return split_is_n(step) ? NULL : "the split does not make n";
    case WF_STEP_TWOSTEP:
    case WF_STEP_DECIMATED:
    case WF_STEP_SIXSTEP:
    case WF_STEP_SCRAMBLED:
        return split_is_n(step) ? NULL : "the split does not make n";
    case WF_STEP_REAL_DECIMATED:
        return step->n % 2 == 1 && split_is_n(step)
                   ? NULL
                   : "the split does not make an odd n";
    case WF_STEP_GOOD:
        return split_is_n(step) && wf_gcd((uint64_t)step->split[0],
                                          (uint64_t)step->split[1]) == 1
                   ? NULL
                   : "the split does not make n of coprime factors";
    case WF_STEP_RADER:
        return step->child[0]->n == step->n - 1
                   ? NULL
                   : "the child must have length n - 1";
    case WF_STEP_MATRIX:
        if (step->split[0] != 0 &&
            (step->n > INT64_MAX / 4 || step->split[0] < 2 * step->n - 1))
            return "m is less than 2n - 1";
        return product_is_n(step) ? NULL : "the radices do not make n";
    case WF_STEP_BLUESTEIN:
        return check_chirp(step, step->split[0]) ||
                       (step->split[0] % 2 == 0 &&
                        check_chirp(step, step->split[0] / 2))
                   ? NULL
                   : "the child must have length m >= 2n - 1, or m/2";
    case WF_STEP_CHIRP:
        return check_chirp(step, step->split[0])
                   ? NULL
                   : "the child must have length m >= 2n - 1";
    case WF_STEP_HALF:
        return step->n % 2 == 0 && step->child[0]->n == step->n / 2
                   ? NULL
                   : "the child must have length n/2";
    case WF_STEP_FULL:
        return step->child[0]->n == step->n ? NULL
                                            : "the child must have length n";
    case WF_STEP_REAL_SPLIT: return check_real_split(step);
    case WF_STEP_REAL_RADER: return check_real_rader(step);
    case WF_STEP_REAL_LANED:
        return is_laned(step) ? NULL : "length, width and child do not fit";
    case WF_STEP_CONVOLVED: return check_convolved(step);
    case WF_STEP_HALVED:
    case WF_STEP_SPECTRAL:
    case WF_STEP_PERIOD:
    case WF_STEP_FOLDED:
    case WF_STEP_DENSE:
    case WF_STEP_ALONE:
    case WF_STEP_LANES:
    case WF_STEP_LANED: return check_r2r(step);
    default: return NULL;
    }
}

static int children_wanted(wf_step_kind kind)
{
    static const int8_t count[WF_STEP_KIND_COUNT] = {
#define WF_STEP(id, name, fields, children, meaning) children,
#include "plan/steps.def"
#undef WF_STEP
    };
    return count[kind];
}

static bool read_kind(reader *r, wf_step_kind *kind)
{
    size_t length = strspn(r->at, "abcdefghijklmnopqrstuvwxyz");
    for (int k = 0; k < WF_STEP_KIND_COUNT; k++) {
        const char *name = wf_step_name((wf_step_kind)k);
        if (strlen(name) == length && memcmp(name, r->at, length) == 0) {
            r->at += length;
            *kind = (wf_step_kind)k;
            return true;
        }
    }
    return false;
}

static weft_status read_step(reader *r, int depth, wf_step **result);

static weft_status read_children(reader *r, int depth, wf_step *step)
{
    for (;;) {
        skip_space(r);
        if (*r->at != '(')
            break;
        if (step->children == WF_MAX_CHILDREN)
            return refuse(r, "too many children");
        wf_step *child;
        weft_status status = read_step(r, depth + 1, &child);
        if (status != WEFT_OK)
            return status;
        wf_step_adopt(step, child);
    }
    int wanted = children_wanted(step->kind);
    if (wanted >= 0 ? step->children != wanted : step->children < 1)
        return refuse(r, "wrong number of children");
    const char *wrong = check_kinds(step);
    if (wrong == NULL)
        wrong = check_lengths(step);
    return wrong == NULL ? WEFT_OK : refuse(r, wrong);
}

static weft_status read_step(reader *r, int depth, wf_step **result)
{
    wf_step_kind kind;
    *result = NULL;
    if (depth > MAX_DEPTH)
        return refuse(r, "too deep");
    if (!read_char(r, '('))
        return refuse(r, "expected (");
    if (!read_kind(r, &kind))
        return refuse(r, "unknown step");
    wf_step *step = wf_step_new(kind, 0);
    if (step == NULL)
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan tree");
    weft_status status = WEFT_OK;
    for (const char *f = wf_step_fields(kind); *f != '\0'; f++)
        if (!read_field(r, *f, step)) {
            status = refuse(r, "malformed attribute");
            goto fail;
        }
    status = read_children(r, depth, step);
    if (status != WEFT_OK)
        goto fail;
    if (!read_char(r, ')')) {
        status = refuse(r, "expected )");
        goto fail;
    }
    *result = step;
    return WEFT_OK;
fail:
    wf_step_free(step);
    return status;
}

weft_status wf_step_parse(const char *text, wf_step **step)
{
    reader r = {text, text};
    weft_status status = read_step(&r, 0, step);
    if (status == WEFT_OK && *r.at != '\0') {
        status = refuse(&r, "text after the tree");
        wf_step_free(*step);
        *step = NULL;
    }
    return status;
}
