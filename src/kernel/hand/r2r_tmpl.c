/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * r2r_tmpl.c - what stands before and after the transforms inside the real
 * kinds; docs/math.md derives the formulas.
 *
 * All of them work on blocks of VL elements from the front and VL from the
 * back, which come and go in reverse.  A length that is not a multiple of VL
 * ends with a block that overlaps the one before it and makes the same again;
 * a length below VL is one block of fewer elements.  Hence no output may be an
 * input.
 */

#define REVERSED(i, h, n) ((n)-1 - (i))
#define EVENS_REVERSED(i, h, n) (2 * ((n)-1 - (i)))
#define ODDS_REVERSED(i, h, n) (2 * ((n)-1 - (i)) + 1)
#define MERGED_LOW_REVERSED(i, h, n) ((n)-1 - (i) / 2 + (i) % 2 * (n))
#define MERGED_HIGH_REVERSED(i, h, n) ((n) / 2 - 1 - (i) / 2 + (i) % 2 * (n))
/* Of a block and the one after it. */
#define FROM_SECOND(i, h, n) ((i) + 1)
#define FROM_SECOND_REVERSED(i, h, n) ((i) == 0 ? (n) : (n) - (i))
#define FROM_LAST(i, h, n) ((n)-1 + (i))
#define ITSELF(i, h, n) (i)

/* Planes are for vectors that are a cache line; others have no code for them. */
#define WHOLE_LINES (VECTOR_BYTES == 64)

#define ROOT_HALF ((T)0.70710678118654752440)

/* ---- Blocks of count <= VL elements -------------------------------------- */

static inline vec reals(const T *p, size_t count)
{
    return count == VL ? load(p) : load_part(p, count);
}

/* p[0], p[-1], ... */
static inline vec reals_back(const T *p, size_t count)
{
    p -= VL - 1;
    vec x = count == VL ? load(p) : load_end(p, count);
    return SHUFFLE(VL, REVERSED, 0, x, x);
}

static inline void put_reals(T *p, vec x, size_t count)
{
    if (count == VL)
        store(p, x);
    else
        store_part(p, x, count);
}

/* The same of lanes that are in reverse already. */
static inline void put_reversed(T *p, vec x, size_t count)
{
    p -= VL - 1;
    if (count == VL)
        store(p, x);
    else
        store_end(p, x, count);
}

static inline void put_reals_back(T *p, vec x, size_t count)
{
    put_reversed(p, SHUFFLE(VL, REVERSED, 0, x, x), count);
}

/* How many of 2 count numbers are in the first vector, and in the second. */
static inline size_t low_part(size_t count)
{
    return 2 * count < VL ? 2 * count : VL;
}

static inline size_t high_part(size_t count)
{
    return 2 * count < VL ? 0 : 2 * count - VL;
}

/* What two shuffles take; floats of AVX2 take several each, two of them with an
 * operand in memory (redft10 of 1024 1.05 as fast). */
static inline vec once(vec x)
{
    return BITS == 64 || WHOLE_LINES ? held(x) : x;
}

/* Two vectors of pairs, as they lie. */
static inline split load_pairs(const T *p, size_t count)
{
    if (count == VL)
        return (split){once(load(p)), once(load(p + VL))};
    return (split){load_part(p, low_part(count)),
                   load_part(p + VL, high_part(count))};
}

/* Pairs: the re and im of complex numbers, or neighbouring reals. */
static inline split pairs(const T *p, size_t count)
{
    split x = load_pairs(p, count);
    return parted(x.re, x.im);
}

/* The pair at p, the one before it, ... */
static inline split pairs_back(const T *p, size_t count)
{
    vec a, b;
    p -= 2 * (VL - 1);
    if (count == VL) {
        a = once(load(p));
        b = once(load(p + VL));
    } else {
        a = load_end(p, high_part(count));
        b = load_end(p + VL, low_part(count));
    }
    return (split){SHUFFLE(VL, EVENS_REVERSED, 0, a, b),
                   SHUFFLE(VL, ODDS_REVERSED, 0, a, b)};
}

/* Two vectors of pairs, as they are to lie. */
static inline void store_pairs(T *p, vec a, vec b, size_t count)
{
    if (count == VL) {
        store(p, a);
        store(p + VL, b);
    } else {
        store_part(p, a, low_part(count));
        store_part(p + VL, b, high_part(count));
    }
}

static inline void put_pairs(T *p, vec re, vec im, size_t count)
{
    const split in_turns = merged(re, im);
    store_pairs(p, in_turns.re, in_turns.im, count);
}

static inline void put_pairs_back(T *p, vec re, vec im, size_t count)
{
    vec a = SHUFFLE(VL, MERGED_LOW_REVERSED, 0, re, im);
    vec b = SHUFFLE(VL, MERGED_HIGH_REVERSED, 0, re, im);
    p -= 2 * (VL - 1);
    if (count == VL) {
        store(p, a);
        store(p + VL, b);
    } else {
        store_end(p, a, high_part(count));
        store_end(p + VL, b, low_part(count));
    }
}

static inline split split_product(split x, split w)
{
    return (split){FMA(x.re, w.re, -(x.im * w.im)),
                   FMA(x.re, w.im, x.im * w.re)};
}

/* Row i of a table: its re and im lie in rows of their own. */
static inline split factors(const T *table, size_t ld, size_t k, size_t count)
{
    return (split){reals(table + k, count), reals(table + ld + k, count)};
}

/* For every block [k, k + VL) that covers first .. last, all of it below end:
 * the last may overlap; when there are fewer than VL from low <= first on, one
 * block of them. */
#define FOR_BLOCKS_TO(next, low, first, last, end, k, count, body) \
    do {                                                           \
        size_t low_ = (low), last_ = (last), end_ = (end);         \
        if (end_ >= low_ + VL) {                                   \
            for (size_t at_ = first; at_ <= last_; at_ = next) {   \
                size_t k = at_ + VL > end_ ? end_ - VL : at_;      \
                const size_t count = VL;                           \
                body;                                              \
            }                                                      \
        } else if (end_ > low_) {                                  \
            size_t k = low_, count = end_ - low_;                  \
            body;                                                  \
        }                                                          \
    } while (0)

/* The first block overlaps, too, so that the others begin at multiples of VL;
 * or none does, where both ends of an array are read and one would be as odd. */
#define FOR_BLOCKS(first, last, end, k, count, body) \
    FOR_BLOCKS_TO(at_ / VL * VL + VL, first, first, last, end, k, count, body)
#define FOR_BLOCKS_IN_TURN(first, last, end, k, count, body) \
    FOR_BLOCKS_TO(at_ + VL, 1, first, last, end, k, count, body)

/* ---- Even lengths: h complex numbers are all ----------------------------- */

/* Vectors that are cache lines go from k = 0 on, so that all loads and stores are
 * whole lines where n is a multiple of 32; one that has numbers of two blocks is
 * made of both in a register.  One block is made twice, hence from so many k on
 * (redft01 of 1000 and 1024 floats and doubles 1.03 to 1.08 times as fast; with
 * AVX2, half of whose loads lie across lines, 3 to 8 % slower). */
enum { LINES_LEAST = 4 * VL };

/* Those of one block.  Forms without a have their scale in a.re. */
typedef struct half_factors {
    split a, b;
} half_factors;

static inline half_factors half_factors_at(wf_r2r_form form,
                                           const wf_r2r_pass *p, size_t k,
                                           size_t count)
{
    const T *table = p->table;
    half_factors f = {.b = factors(table, p->ld, k, count)};
    if (form >= WF_R2R_COSINE)
        f.a = factors(table + 2 * p->ld, p->ld, k, count);
    else
        f.a.re = (vec){0} + (T)p->scale;
    return f;
}

/* Of row j, and of number c in it. */
static inline half_factors half_row(const wf_r2r_pass *p, size_t j)
{
    const T *row = (const T *)p->rows + j;
    const size_t ld = p->row_ld;
    const vec zero = {0};
    return (half_factors){.b = {zero + row[0], zero + row[ld]},
                          .a = {zero + row[2 * ld], zero + row[3 * ld]}};
}

static inline half_factors half_product(const wf_r2r_pass *p,
                                        const half_factors *row, size_t c)
{
    const T *table = p->table;
    return (half_factors){
        .b = split_product(factors(table, p->ld, c, VL), row->b),
        .a = split_product(factors(table + 2 * p->ld, p->ld, c, VL), row->a)};
}

static inline split half_times(wf_r2r_form form, split x, split a)
{
    return form >= WF_R2R_COSINE ? split_product(x, a)
                                 : (split){x.re * a.re, x.im * a.re};
}

/* What of a spectrum is stored for k, n - k, h - k and h + k; sines have that of
 * j at n - 1 - j. */
typedef struct quad {
    vec at[4];
} quad;

/* Of x = Z[k] and y = Z[h-k] on. */
static inline quad half_out_quad(wf_r2r_form form, split x, split y,
                                 half_factors f)
{
    split p = {x.re + y.re, x.im - y.im}, q = {x.re - y.re, x.im + y.im};
    split b = split_product(q, f.b), a = half_times(form, p, f.a);
    split s = {a.re + b.re, a.im + b.im};
    split d = {a.re - b.re, b.im - a.im};
    if (form == WF_R2R_HALFCOMPLEX)
        return (quad){{s.re, s.im, d.re, d.im}};
    if (form == WF_R2R_HARTLEY)
        return (quad){{s.re - s.im, s.re + s.im, d.re - d.im, d.re + d.im}};
    const vec root = (vec){0} + ROOT_HALF, im = d.im * root;
    return (quad){{s.re, -s.im, FMA(d.re, root, im), FMA(d.re, root, -im)}};
}

static inline void put_quad(wf_r2r_form form, T *out, quad q, size_t h,
                            size_t k, size_t count)
{
    if (form == WF_R2R_SINE) {
        put_reals_back(out + 2 * h - 1 - k, q.at[0], count);
        put_reals(out + k - 1, q.at[1], count);
        put_reals(out + h - 1 + k, q.at[2], count);
        put_reals_back(out + h - 1 - k, q.at[3], count);
    } else {
        put_reals(out + k, q.at[0], count);
        put_reals_back(out + 2 * h - k, q.at[1], count);
        put_reals_back(out + h - k, q.at[2], count);
        put_reals(out + h + k, q.at[3], count);
    }
}

#if WHOLE_LINES
/* The same in blocks from k = 0 and the ends of the vector and its half: two of
 * the four have one number of this quad and the others of the one before. */
static inline void put_quad_line(wf_r2r_form form, T *out, quad before, quad q,
                                 size_t h, size_t k)
{
    T *up = out + k, *down = out + h - k;
    if (form == WF_R2R_SINE) {
        store(down + h - VL, SHUFFLE(VL, REVERSED, 0, q.at[0], q.at[0]));
        store(down - VL, SHUFFLE(VL, REVERSED, 0, q.at[3], q.at[3]));
        if (k == 0)
            return;
        store(up - VL, SHUFFLE(VL, FROM_SECOND, 0, before.at[1], q.at[1]));
        store(up + h - VL, SHUFFLE(VL, FROM_SECOND, 0, before.at[2], q.at[2]));
    } else {
        store(up, q.at[0]);
        store(up + h, q.at[3]);
        if (k == 0)
            return;
        store(down + h,
              SHUFFLE(VL, FROM_SECOND_REVERSED, 0, before.at[1], q.at[1]));
        store(down,
              SHUFFLE(VL, FROM_SECOND_REVERSED, 0, before.at[2], q.at[2]));
    }
}

/* Number after number, forth or back from where number 0 would be, in whole lines:
 * of lanes of the block before and of this one.  A store across lines is two, which
 * many in turn have to wait for. */
typedef struct shifted {
    T *to; /* the line of number 0 */
    ptrdiff_t step;
    __m512i lanes;
} shifted;

static inline shifted shifted_from(T *zero, bool back)
{
    const ptrdiff_t beyond = beyond_line(zero);
    const word zeros = {0}, lanes = {JOIN(LIST, VL)(ITSELF, 0, VL, 0)};
    const word from = back ? zeros + (WORD)(VL + beyond) - lanes
                           : zeros + (WORD)(VL - beyond) + lanes;
    return (shifted){zero - beyond, back ? -1 : 1, (__m512i)from};
}

/* The block from number k on, of which k = 0 is none. */
static inline void put_shifted(const shifted *s, size_t k, vec before, vec x)
{
    store(s->to + s->step * (ptrdiff_t)k,
          MASKED(permutex2var)(before, s->lanes, x));
}

/* Each of a quad, where put_quad puts it. */
typedef struct shifted_quad {
    shifted at[4];
} shifted_quad;

static inline shifted_quad shifted_quad_of(wf_r2r_form form, T *out, size_t h)
{
    if (form == WF_R2R_SINE)
        return (shifted_quad){{shifted_from(out + 2 * h - 1, true),
                               shifted_from(out - 1, false),
                               shifted_from(out + h - 1, false),
                               shifted_from(out + h - 1, true)}};
    return (shifted_quad){
        {shifted_from(out, false), shifted_from(out + 2 * h, true),
         shifted_from(out + h, true), shifted_from(out + h, false)}};
}

/* Blocks from k = 0 on, of which what is made is no result, up to `last`; where
 * the next ones are to begin: the last has not been stored whole.  Shifts: where
 * lines begin elsewhere. */
INLINE size_t half_out_lines(wf_r2r_form form, bool shifts, T *out, const T *z,
                             const wf_r2r_pass *p, size_t last)
{
    const wf_r2r_pass pass = *p;
    const size_t h = pass.n / 2;
    const shifted_quad to = shifted_quad_of(form, out, h);
    split far = {(vec){0} + z[0], (vec){0} + z[1]};
    quad before = {{{0}}};
    size_t k = 0;
    for (; k + VL <= last + 1; k += VL) {
        const split near = pairs_back(z + 2 * (h - k - 1), VL);
        const split y = {SHUFFLE(VL, FROM_LAST, 0, far.re, near.re),
                         SHUFFLE(VL, FROM_LAST, 0, far.im, near.im)};
        const quad q = half_out_quad(form, pairs(z + 2 * k, VL), y,
                                     half_factors_at(form, &pass, k, VL));
        if (!shifts || k <= VL)
            put_quad_line(form, out, before, q, h, k);
        if (shifts && k > 0) {
            put_shifted(&to.at[0], k, before.at[0], q.at[0]);
            put_shifted(&to.at[1], k, before.at[1], q.at[1]);
            put_shifted(&to.at[2], k, before.at[2], q.at[2]);
            put_shifted(&to.at[3], k, before.at[3], q.at[3]);
        }
        before = q;
        far = near;
    }
    return k - VL + 1;
}

INLINE size_t half_out_either(wf_r2r_form form, T *out, const T *z,
                              const wf_r2r_pass *p, size_t last)
{
    const bool lines = beyond_line(out) == 0 &&
                       beyond_line(out + p->n / 2) == 0;
    return lines || p->n < SHIFTED_LEAST
               ? half_out_lines(form, false, out, z, p, last)
               : half_out_lines(form, true, out, z, p, last);
}

/* The loops once for each form. */
static size_t half_out_most(wf_r2r_form form, T *out, const T *z,
                            const wf_r2r_pass *p, size_t last)
{
    switch (form) {
    case WF_R2R_HALFCOMPLEX:
        return half_out_either(WF_R2R_HALFCOMPLEX, out, z, p, last);
    case WF_R2R_HARTLEY:
        return half_out_either(WF_R2R_HARTLEY, out, z, p, last);
    case WF_R2R_COSINE: return half_out_either(WF_R2R_COSINE, out, z, p, last);
    default: return half_out_either(WF_R2R_SINE, out, z, p, last);
    }
}
#else
#define half_out_most(form, out, z, p, last) 1
#endif

static inline void half_out_of(wf_r2r_form form, T *out, const T *z,
                               const wf_r2r_pass *p)
{
    const size_t h = p->n / 2, last = p->end - 1;
    bool mirrored = form == WF_R2R_SINE;
    size_t first = p->begin;
    if (first == 0)
        first = WHOLE_LINES && last >= LINES_LEAST
                    ? half_out_most(form, out, z, p, last)
                    : 1;
    FOR_BLOCKS_IN_TURN(first, last, h, k, count, {
        const quad q = half_out_quad(form, pairs(z + 2 * k, count),
                                     pairs_back(z + 2 * (h - k), count),
                                     half_factors_at(form, p, k, count));
        put_quad(form, out, q, h, k, count);
    });
    if (p->begin > 1)
        return;
    out[mirrored ? 2 * h - 1 : 0] = (T)p->first * (z[0] + z[1]);
    out[mirrored ? h - 1 : h] = (T)p->middle * (z[0] - z[1]);
}

/* Where Z may be: cosines write where they have read.  Sines write beside, in
 * the back over what the next block is to read, which is read before. */
static inline void half_out_planes(wf_r2r_form form, T *out, const T *z,
                                   const wf_r2r_pass *p)
{
    const size_t h = p->n / 2;
    const T re = z[0], im = z[h], *back = z + h - 1;
    bool mirrored = form == WF_R2R_SINE;
    split y = {reals_back(back, VL), reals_back(back + h, VL)};
    for (size_t k = 1; k <= h / 2;) {
        const half_factors row = half_row(p, k / WF_R2R_ROW);
        for (size_t c = 0; c < WF_R2R_ROW && k <= h / 2; c += VL, k += VL) {
            split x = {load(z + k), load(z + h + k)}, far = y;
            back -= VL;
            y = (split){reals_back(back, VL), reals_back(back + h, VL)};
            const quad q = half_out_quad(form, x, far,
                                         half_product(p, &row, c));
            put_quad(form, out, q, h, k, VL);
        }
    }
    out[mirrored ? 2 * h - 1 : 0] = (T)p->first * (re + im);
    out[mirrored ? h - 1 : h] = (T)p->middle * (re - im);
}

static void half_out(T *out, const T *z, const wf_r2r_pass *p)
{
    switch (p->form) {
    case WF_R2R_HALFCOMPLEX: half_out_of(WF_R2R_HALFCOMPLEX, out, z, p); break;
    case WF_R2R_HARTLEY: half_out_of(WF_R2R_HARTLEY, out, z, p); break;
    case WF_R2R_COSINE:
        if (WHOLE_LINES && p->rows)
            half_out_planes(WF_R2R_COSINE, out, z, p);
        else
            half_out_of(WF_R2R_COSINE, out, z, p);
        break;
    case WF_R2R_SINE:
        if (WHOLE_LINES && p->rows)
            half_out_planes(WF_R2R_SINE, out, z, p);
        else
            half_out_of(WF_R2R_SINE, out, z, p);
        break;
    }
}

static inline quad quad_at(wf_r2r_form form, const T *in, size_t h, size_t k,
                           size_t count)
{
    if (form == WF_R2R_SINE)
        return (quad){{reals_back(in + 2 * h - 1 - k, count),
                       reals(in + k - 1, count), reals(in + h - 1 + k, count),
                       reals_back(in + h - 1 - k, count)}};
    return (quad){{reals(in + k, count), reals_back(in + 2 * h - k, count),
                   reals_back(in + h - k, count), reals(in + h + k, count)}};
}

/* The same of whole blocks, as put_quad_line stores them; far: the blocks before
 * of which one number is wanted. */
static inline quad quad_of_line(wf_r2r_form form, const T *in, vec far[2],
                                size_t h, size_t k)
{
    const T *up = in + k, *down = in + h - k - VL;
    const bool sine = form == WF_R2R_SINE;
    vec a = load(sine ? up : down + h), b = load(sine ? up + h : down);
    vec before[2] = {far[0], far[1]};
    far[0] = a;
    far[1] = b;
    if (sine) {
        vec c = load(down + h), d = load(down);
        return (quad){{SHUFFLE(VL, REVERSED, 0, c, c),
                       SHUFFLE(VL, FROM_LAST, 0, before[0], a),
                       SHUFFLE(VL, FROM_LAST, 0, before[1], b),
                       SHUFFLE(VL, REVERSED, 0, d, d)}};
    }
    return (quad){
        {load(up), SHUFFLE(VL, FROM_SECOND_REVERSED, 0, a, before[0]),
         SHUFFLE(VL, FROM_SECOND_REVERSED, 0, b, before[1]), load(up + h)}};
}

/* Z[k] on and Z[h-k] on of one block. */
typedef struct two_splits {
    split front, back;
} two_splits;

static inline two_splits half_in_pairs(wf_r2r_form form, quad q,
                                       half_factors f)
{
    split s = {q.at[0] + q.at[2], q.at[1] - q.at[3]};
    split d = {q.at[0] - q.at[2], q.at[1] + q.at[3]};
    if (form >= WF_R2R_COSINE) {
        const vec root = (vec){0} + ROOT_HALF;
        const vec re = q.at[2] + q.at[3], im = q.at[3] - q.at[2];
        s = (split){FMA(re, root, q.at[0]), FMA(im, root, -q.at[1])};
        d = (split){FMA(-re, root, q.at[0]), FMA(-im, root, -q.at[1])};
    }
    split b = split_product(d, f.b), a = half_times(form, s, f.a);
    return (two_splits){{a.re + b.re, a.im + b.im},
                        {a.re - b.re, b.im - a.im}};
}

#if WHOLE_LINES
/* As half_out_lines, the way back: what is stored from the back is a line of two
 * vectors, wherever lines begin; number 0 has no place there. */
INLINE size_t half_in_lines(wf_r2r_form form, T *z, const T *in,
                            const wf_r2r_pass *p, size_t last)
{
    const wf_r2r_pass pass = *p;
    const size_t h = pass.n / 2;
    const shifted to = shifted_from(z + 2 * h + 2, false);
    vec far[2] = {{0}, {0}}, low = {0};
    size_t k = 0;
    for (; k + VL <= last + 1; k += VL) {
        const quad q = quad_of_line(form, in, far, h, k);
        const two_splits x =
            half_in_pairs(form, q, half_factors_at(form, &pass, k, VL));
        const vec a = SHUFFLE(VL, MERGED_LOW_REVERSED, 0, x.back.re,
                              x.back.im);
        const vec b = SHUFFLE(VL, MERGED_HIGH_REVERSED, 0, x.back.re,
                              x.back.im);
        put_pairs(z + 2 * k, x.front.re, x.front.im, VL);
        if (k == 0) {
            store_part(z + 2 * h + 2 - VL, b, VL - 2);
            store(z + 2 * h + 2 - 2 * VL, a);
        } else {
            T *line = to.to - 2 * k;
            store(line - VL, MASKED(permutex2var)(a, to.lanes, b));
            store(line, MASKED(permutex2var)(b, to.lanes, low));
        }
        low = a;
    }
    return k - VL + 1;
}

static size_t half_in_most(wf_r2r_form form, T *z, const T *in,
                           const wf_r2r_pass *p, size_t last)
{
    if (form == WF_R2R_COSINE)
        return half_in_lines(WF_R2R_COSINE, z, in, p, last);
    if (form == WF_R2R_SINE)
        return half_in_lines(WF_R2R_SINE, z, in, p, last);
    return half_in_lines(WF_R2R_HALFCOMPLEX, z, in, p, last);
}
#else
#define half_in_most(form, z, in, p, last) 1
#endif

static inline void half_in_of(wf_r2r_form form, T *z, const T *in,
                              const wf_r2r_pass *p)
{
    const size_t h = p->n / 2, last = p->end - 1;
    bool mirrored = form == WF_R2R_SINE;
    size_t first = p->begin;
    if (first == 0)
        first = WHOLE_LINES && last >= LINES_LEAST
                    ? half_in_most(form, z, in, p, last)
                    : 1;
    FOR_BLOCKS_IN_TURN(first, last, h, k, count, {
        const two_splits x = half_in_pairs(form,
                                           quad_at(form, in, h, k, count),
                                           half_factors_at(form, p, k, count));
        put_pairs(z + 2 * k, x.front.re, x.front.im, count);
        put_pairs_back(z + 2 * (h - k), x.back.re, x.back.im, count);
    });
    if (p->begin > 1)
        return;
    T a = (T)p->first * in[mirrored ? 2 * h - 1 : 0];
    T b = (T)p->middle * in[mirrored ? h - 1 : h];
    z[0] = a + b;
    z[1] = a - b;
}

#if VECTOR_BYTES >= 32
/* One number of the blocks before those of quad_of_line. */
static inline void far_of_line(wf_r2r_form form, const T *in, vec far[2],
                               size_t h, size_t k)
{
    const T *from = form == WF_R2R_SINE ? in + k - VL : in + h - k;
    far[0] = far[1] = (vec){0};
    if (k == 0)
        return;
    far[0] = load(form == WF_R2R_SINE ? from : from + h);
    far[1] = load(form == WF_R2R_SINE ? from + h : from);
}

/* One loop for cosines and sines, which differ in where numbers come from. */
static void half_in_legs(T *front, T *back, const T *in, const wf_r2r_pass *p,
                         const wf_r2r_legs *l)
{
    const wf_r2r_form form = p->form;
    const wf_r2r_legs legs = *l;
    const wf_r2r_pass pass = *p;
    const size_t h = pass.n / 2, last = legs.near * (legs.legs - 1);
    T *up = front, *down = back + last + legs.count - VL;
    for (size_t i = 0; i < legs.legs; i++) {
        const size_t j = legs.first + i * legs.step;
        const size_t k = j * legs.row + legs.column;
        const half_factors row = half_row(&pass, j);
        vec far[2];
        far_of_line(form, in, far, h, k);
        for (size_t c = 0; c < legs.count; c += VL) {
            const two_splits x = half_in_pairs(
                WF_R2R_COSINE, quad_of_line(form, in, far, h, k + c),
                half_product(&pass, &row, legs.column + c));
            T *to = down - c;
            store(up + c, x.front.re);
            store(up + c + legs.count, x.front.im);
            store(to, SHUFFLE(VL, REVERSED, 0, x.back.re, x.back.re));
            store(to + legs.count,
                  SHUFFLE(VL, REVERSED, 0, x.back.im, x.back.im));
        }
        up += legs.near;
        down -= legs.near;
    }
    if (legs.first > 0 || legs.column > 0)
        return;
    T a = (T)pass.first * in[form == WF_R2R_SINE ? 2 * h - 1 : 0];
    T b = (T)pass.middle * in[form == WF_R2R_SINE ? h - 1 : h];
    front[0] = a + b;
    front[legs.count] = a - b;
}
#endif

static void half_in(T *z, const T *in, const wf_r2r_pass *p)
{
    if (p->form == WF_R2R_COSINE)
        half_in_of(WF_R2R_COSINE, z, in, p);
    else if (p->form == WF_R2R_SINE)
        half_in_of(WF_R2R_SINE, z, in, p);
    else
        half_in_of(WF_R2R_HALFCOMPLEX, z, in, p);
}

/* ---- Odd lengths: half a spectrum ---------------------------------------- */

INLINE void odd_out_block(wf_r2r_form form, T *out, const T *x, const T *table,
                          size_t ld, T scale, size_t n, size_t k, size_t count)
{
    split s = pairs(x + 2 * k, count);
    if (form >= WF_R2R_COSINE)
        s = split_product(s, factors(table, ld, k, count));
    else
        s = (split){s.re * scale, s.im * scale};
    switch (form) {
    case WF_R2R_HALFCOMPLEX:
        put_reals(out + k, s.re, count);
        put_reals_back(out + n - k, s.im, count);
        break;
    case WF_R2R_HARTLEY:
        put_reals(out + k, s.re - s.im, count);
        put_reals_back(out + n - k, s.re + s.im, count);
        break;
    case WF_R2R_COSINE:
        put_reals(out + k, s.re, count);
        put_reals_back(out + n - k, -s.im, count);
        break;
    case WF_R2R_SINE:
        put_reals_back(out + n - 1 - k, s.re, count);
        put_reals(out + k - 1, -s.im, count);
        break;
    }
}

INLINE void odd_out_of(wf_r2r_form form, T *out, const T *x,
                       const wf_r2r_pass *p)
{
    const size_t n = p->n, last = (n - 1) / 2;
    const T *table = p->table;
    const T scale = (T)p->scale;
    FOR_BLOCKS(1, last, last + 1, k, count,
               odd_out_block(form, out, x, table, p->ld, scale, n, k, count));
    out[form == WF_R2R_SINE ? n - 1 : 0] = (T)p->first * x[0];
}

/* The loop once for each form, where vectors have 256 bits and more. */
static void odd_out(T *out, const T *x, const wf_r2r_pass *p)
{
    switch (VECTOR_BYTES < 32 ? -1 : (int)p->form) {
    case WF_R2R_HALFCOMPLEX: odd_out_of(WF_R2R_HALFCOMPLEX, out, x, p); break;
    case WF_R2R_HARTLEY: odd_out_of(WF_R2R_HARTLEY, out, x, p); break;
    case WF_R2R_COSINE: odd_out_of(WF_R2R_COSINE, out, x, p); break;
    case WF_R2R_SINE: odd_out_of(WF_R2R_SINE, out, x, p); break;
    default: odd_out_of(p->form, out, x, p);
    }
}

INLINE void odd_in_block(wf_r2r_form form, T *x, const T *in, const T *table,
                         size_t ld, T scale, size_t n, size_t k, size_t count)
{
    split s;
    if (form == WF_R2R_HALFCOMPLEX)
        s = (split){reals(in + k, count) * scale,
                    reals_back(in + n - k, count) * scale};
    else if (form == WF_R2R_COSINE)
        s = (split){reals(in + k, count), -reals_back(in + n - k, count)};
    else
        s = (split){reals_back(in + n - 1 - k, count),
                    -reals(in + k - 1, count)};
    if (form >= WF_R2R_COSINE)
        s = split_product(s, factors(table, ld, k, count));
    put_pairs(x + 2 * k, s.re, s.im, count);
}

static void odd_in(T *x, const T *in, const wf_r2r_pass *p)
{
    const size_t n = p->n, last = (n - 1) / 2;
    const T *table = p->table;
    const T scale = (T)p->scale;
    FOR_BLOCKS(1, last, last + 1, k, count,
               odd_in_block(p->form, x, in, table, p->ld, scale, n, k, count));
    x[0] = (T)p->first * in[p->form == WF_R2R_SINE ? n - 1 : 0];
    x[1] = 0;
}

/* ---- Orders -------------------------------------------------------------- */

#if WHOLE_LINES
/* As far as whole blocks go, those at the back in whole lines; where the next is to
 * begin. */
static size_t unzip_shifted(T *front, T *back, const T *in, vec sign, size_t h)
{
    const shifted to = shifted_from(back, true);
    vec before = {0};
    size_t k = 0;
    for (; k + VL <= h; k += VL) {
        const split x = parted(load(in + 2 * k), load(in + 2 * k + VL));
        const vec odd = sign * x.im;
        store(front + k, x.re);
        if (k == 0)
            put_reals_back(back, odd, VL);
        else
            put_shifted(&to, k, before, odd);
        before = odd;
    }
    return k - VL + 1;
}
#endif

static void unzip(T *front, T *back, const T *in, bool negate, size_t n)
{
    const vec sign = (vec){0} + (T)(negate ? -1 : 1);
    size_t first = 0;
#if WHOLE_LINES
    if (n >= SHIFTED_LEAST && beyond_line(back + 1) > 0)
        first = unzip_shifted(front, back, in, sign, n / 2);
#endif
    FOR_BLOCKS(first, n / 2 - 1, n / 2, k, count, {
        split x = load_pairs(in + 2 * k, count);
        put_reals(front + k, SHUFFLE(VL, EVENS, 0, x.re, x.im), count);
        put_reversed(back - k,
                     sign * SHUFFLE(VL, ODDS_REVERSED, 0, x.re, x.im), count);
    });
    if (n % 2)
        front[n / 2] = in[n - 1];
}

static void zip(T *out, const T *front, const T *back, bool negate, size_t n)
{
    const vec sign = (vec){0} + (T)(negate ? -1 : 1);
    FOR_BLOCKS(0, n / 2 - 1, n / 2, k, count, {
        vec x = reals(front + k, count);
        vec y = reals_back(back - k, count);
        put_pairs(out + 2 * k, x, sign * y, count);
    });
    if (n % 2)
        out[n - 1] = front[n / 2];
}

/* u, v: re and im of the columns. */
static void turn_row(T *re, T *im, const T *u, const T *v, const T *row_re,
                     const T *row_im, size_t n)
{
    const split row = {(vec){0} + *row_re, (vec){0} + *row_im};
    for (size_t k = 0; k < n; k += VL) {
        split x = split_product((split){load(u + k), load(v + k)}, row);
        store(re + k, x.re);
        store(im + k, x.im);
    }
}

static void weave(T *out, const T *even, const T *odd, size_t n)
{
    FOR_BLOCKS(0, n / 2 - 1, n / 2, k, count,
               put_pairs(out + 2 * k, reals(even + k, count),
                         reals(odd + k, count), count));
    if (n % 2)
        out[n - 1] = even[n / 2];
}

static void fold(T *sum, T *difference, const T *x, size_t n)
{
    FOR_BLOCKS(0, n / 2 - 1, n / 2, k, count, {
        vec a = reals(x + k, count);
        vec b = reals_back(x + n - 1 - k, count);
        put_reals(sum + k, a + b, count);
        put_reals(difference + k, a - b, count);
    });
    sum[n / 2] = x[n / 2] + x[n / 2];
}

static void unfold(T *front, T *back, const T *x, double sign, size_t n)
{
    const vec s = (vec){0} + (T)sign;
    FOR_BLOCKS(0, n - 1, n, k, count, {
        vec a = reals(x + k, count);
        put_reals(front + k, a, count);
        put_reals_back(back - k, s * a, count);
    });
}

/* ---- Type IV of even length ---------------------------------------------- */

static inline void quarter_in_block(bool sine, T *z, const T *x,
                                    const T *table, size_t h, size_t j,
                                    size_t count)
{
    size_t back = h - 1 - j;
    split f = pairs(x + 2 * j, count), b = pairs_back(x + 2 * back, count);
    split front = sine ? (split){b.im, f.re} : (split){f.re, b.im};
    split rear = sine ? (split){f.im, b.re} : (split){b.re, f.im};
    split w = {reals_back(table + back, count),
               reals_back(table + h + back, count)};
    front = split_product(front, factors(table, h, j, count));
    rear = split_product(rear, w);
    put_pairs(z + 2 * j, front.re, front.im, count);
    put_pairs_back(z + 2 * back, rear.re, rear.im, count);
}

static void quarter_in(T *z, const T *x, const wf_r2r_pass *p)
{
    const size_t h = p->n / 2;
    const T *table = p->table;
    bool sine = p->form == WF_R2R_SINE;
    FOR_BLOCKS_TO(at_ + VL, 0, p->begin, p->end - 1, h, j, count,
                  quarter_in_block(sine, z, x, table, h, j, count));
}

static inline void quarter_out_block(bool sine, T *y, const T *z,
                                     const T *table, size_t h, size_t k,
                                     size_t count)
{
    size_t back = h - 1 - k;
    split w = {reals_back(table + back, count),
               reals_back(table + h + back, count)};
    split f = split_product(pairs(z + 2 * k, count),
                            factors(table, h, k, count));
    split b = split_product(pairs_back(z + 2 * back, count), w);
    put_pairs(y + 2 * k, f.re, sine ? b.im : -b.im, count);
    put_pairs_back(y + 2 * back, b.re, sine ? f.im : -f.im, count);
}

static void quarter_out(T *y, const T *z, const wf_r2r_pass *p)
{
    const size_t h = p->n / 2;
    const T *table = p->table;
    bool sine = p->form == WF_R2R_SINE;
    FOR_BLOCKS_TO(at_ + VL, 0, p->begin, p->end - 1, h, k, count,
                  quarter_out_block(sine, y, z, table, h, k, count));
}

/* ---- Type I -------------------------------------------------------------- */

/* Every second real: scale re or im of complex x[first ..]. */
static void part_of(T *out, const T *x, bool im, double scale, size_t n)
{
    const vec s = (vec){0} + (T)scale;
    FOR_BLOCKS(0, n - 1, n, k, count, {
        split v = pairs(x + 2 * k, count);
        put_reals(out + k, (im ? v.im : v.re) * s, count);
    });
}
