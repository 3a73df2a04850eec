/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notation.c - the one notation of problems (weft.h): parse, print, and the
 * key, which is the notation of the canonical problem with every stride
 * explicit.
 *
 * The text is hostile: it is read once, left to right, never past its NUL,
 * and each number has one spelling (no leading zeros, no plus, no spaces),
 * so that a key that parses and prints as itself is well-formed.
 * Print gives the text that parses to the same problem; strides appear when
 * they are not the packed ones.
 */
#include "plan/notation.h"
#include "plan/layout.h"
#include "plan/problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ------------------------------------------------------------ */

const char *wf_quote(const char *start, const char *end, char *buffer,
                     size_t size)
{
    size_t i = 0;
    for (; i + 1 < size && start + i < end && start[i]; i++)
        buffer[i] = start[i] >= ' ' && start[i] <= '~' ? start[i] : '?';
    buffer[i] = '\0';
    return buffer;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void wf_number_print(wf_text *text, double number)
{
    char digits[40], plain[40];
    int precision = 15, k = 0;
    do
        snprintf(digits, sizeof digits, "%.*g", precision, number);
    while (strtod(digits, NULL) != number && ++precision <= 17);
    /* A locale may write its own decimal point, of one or more bytes. */
    for (const char *c = digits; *c; c++) {
        if (is_digit(*c) || *c == '-' || *c == '+' || *c == 'e')
            plain[k++] = *c;
        else if (k && plain[k - 1] != '.')
            plain[k++] = '.';
    }
    plain[k] = '\0';
    wf_text_add(text, "%s", plain);
}

/* Rewritten as DIGITSeEXPONENT, which strtod reads alike in every locale. */
bool wf_number_parse(const char *start, const char *end, double *number)
{
    enum { LONGEST = 64 };
    char plain[LONGEST + 16];
    const char *at = start;
    int k = 0, digits = 0, after_point = 0, exponent = 0;
    bool point = false, negative = false;
    if (end - start > LONGEST)
        return false;
    if (at < end && *at == '-')
        plain[k++] = *at++;
    for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        plain[k++] = *at;
        digits++;
        after_point += point;
    }
    if (digits == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '-' || *at == '+'))
            negative = *at++ == '-';
        if (at == end || end - at > 4)
            return false;
        for (; at < end && is_digit(*at); at++)
            exponent = 10 * exponent + (*at - '0');
    }
    if (at != end)
        return false;
    exponent = (negative ? -exponent : exponent) - after_point;
    snprintf(plain + k, sizeof plain - (size_t)k, "e%d", exponent);
    double value = strtod(plain, NULL);
    if (!isfinite(value))
        return false;
    *number = value;
    return true;
}

/* -?(0|[1-9][0-9]*), within int64_t; *at moves behind it. */
static bool read_integer(const char **at, int64_t *value)
{
    const char *c = *at;
    bool negative = *c == '-';
    c += negative;
    if (!is_digit(*c) || (*c == '0' && (negative || is_digit(c[1]))))
        return false;
    int64_t n = 0;
    for (; is_digit(*c); c++)
        if (!wf_mul_i64(n, 10, &n) ||
            !wf_add_i64(n, negative ? '0' - *c : *c - '0', &n))
            return false;
    *value = n;
    *at = c;
    return true;
}

/* ---- Parse -------------------------------------------------------------- */

typedef struct reader {
    const char *at;
    weft_problem problem;
    int plain, strided; /* how many dimensions came without and with strides */
    unsigned seen;      /* options already given, a bit each */
} reader;

static const char *field_end(const char *at)
{
    while (*at && *at != ':')
        at++;
    return at;
}

static weft_status malformed(const char *part, const char *at)
{
    char quoted[41];
    return wf_fail(WEFT_ERR_PARSE, "problem text: %s expected at \"%s\"", part,
                   wf_quote(at, at + strlen(at), quoted, sizeof quoted));
}

/* Takes `word` if it is the whole field. */
static bool take(reader *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(field_end(r->at) - r->at) != length ||
        memcmp(r->at, word, length))
        return false;
    r->at += length;
    return true;
}

static weft_status read_dim(reader *r, int64_t least, weft_dim *dim)
{
    const char *start = r->at;
    if (!read_integer(&r->at, &dim->n) || dim->n < least)
        return malformed(least ? "a size of at least 1 that fits 63 bits"
                               : "a batch of at least 0 that fits 63 bits",
                         start);
    if (*r->at != '/') {
        r->plain++;
        return WEFT_OK;
    }
    r->strided++;
    r->at++;
    start = r->at;
    if (!read_integer(&r->at, &dim->is) || *r->at != '/')
        return malformed("an input stride and /", start);
    r->at++;
    start = r->at;
    if (!read_integer(&r->at, &dim->os))
        return malformed("an output stride", start);
    return WEFT_OK;
}

/* n or n/is/os joined by x, or `-` for none. */
static weft_status read_dims(reader *r, int64_t least, weft_dim *dims,
                             int32_t *rank)
{
    if (*r->at == '-' && (!r->at[1] || r->at[1] == '*' || r->at[1] == ':')) {
        r->at++;
        return WEFT_OK;
    }
    for (;;) {
        if (*rank == WEFT_MAX_RANK)
            return malformed("at most 16 dimensions, so `*`, `:` or the end",
                             r->at);
        weft_status status = read_dim(r, least, &dims[*rank]);
        if (status != WEFT_OK)
            return status;
        ++*rank;
        if (*r->at != 'x')
            return WEFT_OK;
        r->at++;
    }
}

static weft_status read_shape(reader *r)
{
    const char *start = r->at;
    weft_problem *p = &r->problem;
    weft_status status = read_dims(r, 1, p->dims, &p->rank);
    if (status == WEFT_OK && *r->at == '*') {
        r->at++;
        status = read_dims(r, 0, p->batch, &p->batch_rank);
    }
    if (status != WEFT_OK)
        return status;
    if (*r->at && *r->at != ':')
        return malformed("`x`, `*`, `:` or the end", r->at);
    if (r->plain && r->strided)
        return malformed("strides n/is/os in every dimension or in none",
                         start);
    return WEFT_OK;
}

static weft_status read_norm(reader *r)
{
    static const char *const names[] = {"none", "backward", "ortho",
                                        "forward"};
    for (int i = 0; i < 4; i++)
        if (take(r, names[i])) {
            r->problem.norm = (weft_norm)i;
            return WEFT_OK;
        }
    const char *end = field_end(r->at);
    if (!wf_number_parse(r->at, end, &r->problem.scale))
        return malformed("none, backward, ortho, forward or a finite number",
                         r->at);
    r->problem.norm = WEFT_NORM_SCALE;
    r->at = end;
    return WEFT_OK;
}

static weft_status read_threads(reader *r)
{
    const char *start = r->at;
    int64_t threads;
    if (!read_integer(&r->at, &threads) || threads < 0 || threads > 1024 ||
        r->at != field_end(r->at))
        return malformed("a number of threads from 0 to 1024", start);
    r->problem.threads = (int32_t)threads;
    return WEFT_OK;
}

const char *wf_engine_name(weft_engine engine)
{
    static const char *const names[] = {"auto",           "cpu",
                                        "neuron",         "neuron-trn2",
                                        "neuron-product", "neuron-output"};
    size_t index = (size_t)engine;
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

static weft_status read_engine(reader *r)
{
    const char *name;
    for (int i = 0; (name = wf_engine_name((weft_engine)i)) != NULL; i++)
        if (take(r, name)) {
            r->problem.engine = (weft_engine)i;
            return WEFT_OK;
        }
    return malformed("engine auto, cpu, neuron, neuron-trn2, neuron-product "
                     "or neuron-output",
                     r->at);
}

static const char *const modes[] = {
    [WEFT_PRECISION_FAST] = "fast",
    [WEFT_PRECISION_COMPENSATED] = "compensated",
    [WEFT_PRECISION_DOUBLE] = "double",
    [WEFT_PRECISION_BF16] = "bf16",
    [WEFT_PRECISION_FP16] = "fp16",
    [WEFT_PRECISION_SPLIT2] = "split2",
    [WEFT_PRECISION_SPLIT3] = "split3",
    [WEFT_PRECISION_REFINED] = "refined",
    [WEFT_PRECISION_FP16X2] = "fp16x2",
    [WEFT_PRECISION_SLICES] = "slices",
};

const char *wf_precision_name(weft_precision precision)
{
    return modes[precision];
}

static weft_status read_precision(reader *r)
{
    for (int i = 0; i < WEFT_PRECISION_SLICES; i++)
        if (take(r, modes[i])) {
            r->problem.precision = (weft_precision)i;
            return WEFT_OK;
        }
    const char *start = r->at, *digit = r->at + 6;
    if (!strncmp(start, "slices", 6) && *digit >= '2' && *digit <= '8' &&
        field_end(start) == digit + 1) {
        r->problem.precision = WEFT_PRECISION_SLICES;
        r->problem.slices = *digit - '0';
        r->at = digit + 1;
        return WEFT_OK;
    }
    return malformed("fast, compensated, double, bf16, fp16, split2, split3, "
                     "refined, fp16x2 or slices2 to slices8",
                     start);
}

static weft_status read_target(reader *r)
{
    const char *start = r->at;
    r->at = field_end(start);
    if (!wf_number_parse(start, r->at, &r->problem.target_error) ||
        r->problem.target_error <= 0)
        return malformed("a relative error above 0", start);
    return WEFT_OK;
}

/* `name` at the cursor: moves behind it. */
static bool starts(reader *r, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(r->at, name, length))
        return false;
    r->at += length;
    return true;
}

static weft_status read_option(reader *r)
{
    enum {
        INVERSE = 1,
        PLACE = 2,
        SPLIT = 4,
        ORDER = 8,
        NORM = 16,
        THREADS = 32,
        ENGINE = 64,
        PRECISION = 128,
        TARGET = 256
    };
    const char *start = r->at;
    weft_problem *p = &r->problem;
    weft_status status = WEFT_OK;
    unsigned option;
    if (take(r, "inverse"))
        p->sign = WEFT_INVERSE, option = INVERSE;
    else if (take(r, "inplace"))
        p->place = WEFT_IN_PLACE, option = PLACE;
    else if (take(r, "split"))
        p->layout = WEFT_SPLIT, option = SPLIT;
    else if (take(r, "scrambled"))
        p->order = WEFT_SCRAMBLED, option = ORDER;
    else if (starts(r, "norm="))
        status = read_norm(r), option = NORM;
    else if (starts(r, "threads="))
        status = read_threads(r), option = THREADS;
    else if (starts(r, "engine="))
        status = read_engine(r), option = ENGINE;
    else if (starts(r, "precision="))
        status = read_precision(r), option = PRECISION;
    else if (starts(r, "target="))
        status = read_target(r), option = TARGET;
    else
        return malformed("an option (inverse, inplace, split, scrambled, "
                         "norm=, threads=, engine=, precision=, target=)",
                         start);
    if (status == WEFT_OK && (r->seen & option))
        return malformed("each option once: another one", start);
    r->seen |= option;
    return status;
}

/* One kind, or one for each dimension joined by +. */
static weft_status read_kinds(reader *r, int *count)
{
    const char *start = r->at;
    weft_kind kinds[WEFT_MAX_RANK + 1];
    for (*count = 0; *count < WEFT_MAX_RANK; ++r->at) {
        const char *end = r->at + strcspn(r->at, "+:");
        int k = WEFT_C2C;
        while (k < WEFT_R2R &&
               (strlen(wf_kind_name((weft_kind)k)) != (size_t)(end - r->at) ||
                memcmp(wf_kind_name((weft_kind)k), r->at,
                       (size_t)(end - r->at)) != 0))
            k++;
        if (k == WEFT_R2R ||
            ((*count > 0 || *end == '+') && !wf_kind_is_real((weft_kind)k)))
            break;
        kinds[(*count)++] = (weft_kind)k;
        r->at = end;
        if (*end == '+')
            continue;
        if (*end != ':')
            return malformed("`:` and a type", end);
        r->at++;
        bool mixed = false;
        for (int i = 1; i < *count; i++)
            mixed |= kinds[i] != kinds[0];
        r->problem.kind = mixed ? WEFT_R2R : kinds[0];
        for (int i = 0; mixed && i < *count; i++)
            r->problem.kinds[i] = kinds[i];
        return WEFT_OK;
    }
    return malformed("a kind `c2c:`, `r2c:`, `c2r:` or real kinds joined by +",
                     *count < WEFT_MAX_RANK ? r->at : start);
}

weft_status wf_problem_parse(const char *text, weft_problem *problem)
{
    if (!text || !problem)
        return wf_fail(WEFT_ERR_ARGUMENT, "%s is NULL",
                       text ? "problem" : "text");
    reader r = {.at = text, .problem = {.size = sizeof r.problem}};
    int kinds;
    weft_status status = read_kinds(&r, &kinds);
    if (status != WEFT_OK)
        return status;
    if (take(&r, "f32"))
        r.problem.type = WEFT_F32;
    else if (!take(&r, "f64"))
        return malformed("the type f64 or f32", r.at);
    if (*r.at != ':')
        return malformed("`:` and a shape", r.at);
    r.at++;
    const char *shape = r.at;
    status = read_shape(&r);
    if (status == WEFT_OK && kinds > 1 && kinds != r.problem.rank)
        return malformed("as many dimensions as kinds", shape);
    while (status == WEFT_OK && *r.at == ':') {
        r.at++;
        status = read_option(&r);
    }
    if (status == WEFT_OK)
        *problem = r.problem;
    return status;
}

/* ---- Print -------------------------------------------------------------- */

static void print_dims(wf_text *text, const weft_dim *dims, int rank,
                       bool strides)
{
    for (int i = 0; i < rank; i++) {
        wf_text_add(text, "%s%" PRId64, i ? "x" : "", dims[i].n);
        if (strides)
            wf_text_add(text, "/%" PRId64 "/%" PRId64, dims[i].is, dims[i].os);
    }
    if (rank == 0)
        wf_text_add(text, "-");
}

/* Real kinds that are all the same are one; a copy of reals has any name. */
static void print_kind(wf_text *text, weft_kind kind, const weft_kind *kinds,
                       int rank)
{
    bool mixed = false;
    if (kind != WEFT_R2R) {
        wf_text_add(text, "%s", wf_kind_name(kind));
        return;
    }
    for (int i = 1; i < rank; i++)
        mixed |= kinds[i] != kinds[0];
    wf_text_add(text, "%s", wf_kind_name(rank > 0 ? kinds[0] : WEFT_R2HC));
    for (int i = 1; mixed && i < rank; i++)
        wf_text_add(text, "+%s", wf_kind_name(kinds[i]));
}

static void print_shape(wf_text *text, weft_type type, const weft_dim *dims,
                        int rank, const weft_dim *batch, int batch_rank,
                        bool strides)
{
    wf_text_add(text, ":%s:", type == WEFT_F64 ? "f64" : "f32");
    print_dims(text, dims, rank, strides);
    if (batch_rank) {
        wf_text_add(text, "*");
        print_dims(text, batch, batch_rank, strides);
    }
}

static void print_flags(wf_text *text, bool inverse, bool in_place, bool split,
                        bool scrambled)
{
    wf_text_add(text, "%s%s%s%s", inverse ? ":inverse" : "",
                in_place ? ":inplace" : "", split ? ":split" : "",
                scrambled ? ":scrambled" : "");
}

static void print_scale(wf_text *text, double scale)
{
    wf_text_add(text, ":norm=");
    wf_number_print(text, scale);
}

static void print_precision(wf_text *text, weft_precision precision,
                            int slices, double target)
{
    if (precision == WEFT_PRECISION_SLICES)
        wf_text_add(text, ":precision=slices%d", slices);
    else if (precision != WEFT_PRECISION_FAST)
        wf_text_add(text, ":precision=%s", modes[precision]);
    if (target > 0) {
        wf_text_add(text, ":target=");
        wf_number_print(text, target);
    }
}

/* A scale in two parts has no number: the normalisation's name, which means
 * it.  1/N or 1/sqrt(N), and N is at least 3. */
static const char *norm_name(const wf_problem *c)
{
    double n = 1;
    for (int i = 0; i < c->rank; i++)
        n *= (double)c->dim[i].n;
    if (c->scale * n > 1.5)
        return "ortho";
    return c->sign == WEFT_INVERSE ? "backward" : "forward";
}

static weft_status finish(const wf_text *text)
{
    return text->failed ? wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a text")
                        : WEFT_OK;
}

weft_status wf_problem_print(const weft_problem *problem, wf_text *text)
{
    static const char *const norms[] = {"", ":norm=backward", ":norm=ortho",
                                        ":norm=forward"};
    const weft_problem *p = problem;
    weft_status status = wf_problem_check(p);
    if (status != WEFT_OK)
        return status;
    print_kind(text, p->kind, p->kinds, p->rank);
    print_shape(text, p->type, p->dims, p->rank, p->batch, p->batch_rank,
                !wf_layout_is_packed(p));
    print_flags(text, p->sign == WEFT_INVERSE, p->place == WEFT_IN_PLACE,
                p->layout == WEFT_SPLIT, p->order == WEFT_SCRAMBLED);
    if (p->norm == WEFT_NORM_SCALE)
        print_scale(text, p->scale);
    else
        wf_text_add(text, "%s", norms[p->norm]);
    if (p->threads > 1)
        wf_text_add(text, ":threads=%d", (int)p->threads);
    if (p->engine != WEFT_ENGINE_AUTO)
        wf_text_add(text, ":engine=%s", wf_engine_name(p->engine));
    print_precision(text, p->precision, (int)p->slices, p->target_error);
    return finish(text);
}

void wf_problem_key(const wf_problem *canonical, wf_text *text)
{
    static const weft_dim nothing = {0, 0, 0};
    const wf_problem *c = canonical;
    print_kind(text, c->kind, c->kinds, c->rank);
    if (c->empty)
        print_shape(text, c->type, NULL, 0, &nothing, 1, true);
    else
        print_shape(text, c->type, c->dim, c->rank, c->loop, c->loops, true);
    print_flags(text, c->sign == WEFT_INVERSE, c->in_place, c->split,
                c->scrambled);
    if (c->ortho)
        wf_text_add(text, ":norm=ortho");
    else if (c->scale_low != 0)
        wf_text_add(text, ":norm=%s", norm_name(c));
    else if (c->scale != 1)
        print_scale(text, c->scale);
    if (c->threads > 1)
        wf_text_add(text, ":threads=%d", c->threads);
    if (c->engine != WEFT_ENGINE_CPU)
        wf_text_add(text, ":engine=%s", wf_engine_name(c->engine));
    print_precision(text, c->precision, c->slices, c->target);
}
