/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of FFTW's guru planners made of bytes: family, sign, flags, ranks,
 * then four bytes a dimension.  What is planned and small is executed on
 * blocks that hold exactly what it touches, so that AddressSanitizer sees one
 * sample too far; arrays in place are one block for both sides.
 *
 *     byte 0   family (7), then in place, then backward; 0xff: what follows is a
 *              text that is read as wisdom
 *     byte 1   rank (7), then batch rank
 *     bytes 2  flags: bits 0 to 7, bits 17 to 24
 *     then     n, is, os, kind of each dimension; from 0xf8 up strange values
 */
#include "fuzz.h"

#include <fftw3.h>
#include <limits.h>

enum { MAX_DIMS = 12, MOST = 1 << 12 };
enum { COMPLEX, SPLIT, R2C, C2R, SPLIT_R2C, SPLIT_C2R, R2R, FAMILIES };

typedef struct bytes {
    const uint8_t *at;
    size_t left;
} bytes;

static uint8_t take(bytes *b)
{
    return b->left ? (b->left--, *b->at++) : 1;
}

static ptrdiff_t number(uint8_t byte)
{
    static const ptrdiff_t strange[] = {INT_MAX,     INT_MIN,
                                        PTRDIFF_MAX, PTRDIFF_MIN,
                                        -1,          -2,
                                        -3,          PTRDIFF_MAX / 16};
    return byte < 0xf8 ? byte : strange[byte - 0xf8];
}

typedef struct call {
    int family, rank, batch, sign;
    bool in_place;
    unsigned flags;
    fftw_iodim64 dim[MAX_DIMS];
    fftw_r2r_kind kind[MAX_DIMS];
} call;

static call call_of(bytes *b)
{
    call c = {0};
    uint8_t first = take(b);
    uint8_t ranks = take(b);
    uint8_t flags = take(b);
    c.family = first % FAMILIES;
    c.in_place = first / FAMILIES % 2;
    c.sign = first / FAMILIES / 2 % 2 ? FFTW_BACKWARD : FFTW_FORWARD;
    c.rank = ranks % 7;
    c.batch = ranks / 7 % 6;
    c.flags = FFTW_ESTIMATE | (unsigned)take(b) << 17 | flags;
    for (int i = 0; i < c.rank + c.batch; i++) {
        c.dim[i].n = number(take(b));
        c.dim[i].is = number(take(b));
        c.dim[i].os = number(take(b));
        c.kind[i] = (fftw_r2r_kind)(take(b) % 12);
        /* A length that fits is planned: gigabytes of tables. */
        if (c.dim[i].n == INT_MAX)
            c.dim[i].n = 0;
    }
    return c;
}

/* ---- What it touches ----------------------------------------------------- */

static bool is_split(const call *c)
{
    return c->family == SPLIT || c->family == SPLIT_R2C ||
           c->family == SPLIT_C2R;
}

static bool is_real(const call *c, bool out)
{
    if (c->family == R2C || c->family == SPLIT_R2C)
        return !out;
    if (c->family == C2R || c->family == SPLIT_C2R)
        return out;
    return c->family == R2R;
}

typedef struct span {
    ptrdiff_t low, high; /* reals, from the pointer, inclusive */
} span;

/* False: too large to try. */
static bool span_of(const call *c, bool out, span *s)
{
    bool halved = c->family >= R2C && c->family <= SPLIT_C2R;
    bool pairs = !is_real(c, out) && !is_split(c);
    ptrdiff_t total = 1, low = 0, high = 0;
    for (int i = 0; i < c->rank + c->batch; i++) {
        ptrdiff_t n = c->dim[i].n, step = out ? c->dim[i].os : c->dim[i].is;
        if (n < 0 || n > MOST || (n && total > MOST / n))
            return false;
        total *= n;
        if (halved && i == c->rank - 1 && !is_real(c, out))
            n = n / 2 + 1;
        if (n > 1 && (step > MOST || step < -MOST))
            return false;
        ptrdiff_t reach = n > 1 ? (n - 1) * step : 0;
        *(reach < 0 ? &low : &high) += reach;
    }
    if (total == 0)
        low = high = 0;
    *s = pairs ? (span){2 * low, 2 * high + 1} : (span){low, high};
    return true;
}

/* ---- Planning and executing ----------------------------------------------- */

static fftw_plan plan_of(const call *c, double *in[2], double *out[2])
{
    const fftw_iodim64 *d = c->dim, *h = c->dim + c->rank;
    fftw_complex *cin = (fftw_complex *)(void *)in[0];
    fftw_complex *cout = (fftw_complex *)(void *)out[0];
    switch (c->family) {
    case COMPLEX:
        return fftw_plan_guru64_dft(c->rank, d, c->batch, h, cin, cout,
                                    c->sign, c->flags);
    case SPLIT:
        return fftw_plan_guru64_split_dft(c->rank, d, c->batch, h, in[0],
                                          in[1], out[0], out[1], c->flags);
    case R2C:
        return fftw_plan_guru64_dft_r2c(c->rank, d, c->batch, h, in[0], cout,
                                        c->flags);
    case C2R:
        return fftw_plan_guru64_dft_c2r(c->rank, d, c->batch, h, cin, out[0],
                                        c->flags);
    case SPLIT_R2C:
        return fftw_plan_guru64_split_dft_r2c(c->rank, d, c->batch, h, in[0],
                                              out[0], out[1], c->flags);
    case SPLIT_C2R:
        return fftw_plan_guru64_split_dft_c2r(c->rank, d, c->batch, h, in[0],
                                              in[1], out[0], c->flags);
    default:
        return fftw_plan_guru64_r2r(c->rank, d, c->batch, h, in[0], out[0],
                                    c->kind, c->flags);
    }
}

typedef struct block {
    double *data;
    size_t count;
} block;

static block block_of(span s)
{
    block b = {NULL, (size_t)(s.high - s.low + 1)};
    b.data = fuzz_need(b.count * sizeof *b.data);
    for (size_t i = 0; i < b.count; i++)
        b.data[i] = (double)(i % 17) - 8;
    return b;
}

static void run(const call *c, span in, span out)
{
    block blocks[4];
    double *from[2], *to[2];
    span both = {in.low < out.low ? in.low : out.low,
                 in.high > out.high ? in.high : out.high};
    for (int i = 0; i < 4; i++)
        blocks[i] = block_of(c->in_place ? both : i < 2 ? in : out);
    for (int i = 0; i < 2; i++) {
        const block *target = &blocks[c->in_place ? i : 2 + i];
        from[i] = blocks[i].data - (c->in_place ? both.low : in.low);
        to[i] = target->data - (c->in_place ? both.low : out.low);
    }
    if (is_real(c, false))
        from[1] = NULL;
    if (is_real(c, true))
        to[1] = NULL;
    fftw_plan p = plan_of(c, from, to);
    if (p) {
        fftw_execute(p);
        DEMAND(fftw_cost(p) >= 0, "a cost of %g", fftw_cost(p));
        char *text = fftw_sprint_plan(p);
        DEMAND(text, "no text");
        free(text);
    }
    fftw_destroy_plan(p);
    for (int i = 0; i < 4; i++)
        free(blocks[i].data);
}

/* Known or not, and read to the end or not: what is said is kept. */
static void read_wisdom(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    fftw_forget_wisdom();
    const int known = fftw_import_wisdom_from_string(text);
    char *kept = fftw_export_wisdom_to_string();
    DEMAND(known == 0 || known == 1, "%d from wisdom", known);
    DEMAND(kept && fftw_import_wisdom_from_string(kept) == 1,
           "own wisdom is refused: %s", kept ? kept : "none");
    free(kept);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == 0xff) {
        read_wisdom(data + 1, size - 1);
        return 0;
    }
    bytes b = {data, size};
    call c = call_of(&b);
    span in, out;
    if (span_of(&c, false, &in) && span_of(&c, true, &out)) {
        run(&c, in, out);
    } else {
        double some[4] = {0};
        double *from[2] = {some, some + 1}, *to[2] = {some + 2, some + 3};
        fftw_destroy_plan(plan_of(&c, from, to));
    }
    return 0;
}
