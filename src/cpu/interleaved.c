/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interleaved.c - bound self-sorting passes over interleaved samples.
 *
 * The passes of stockham.c with both parts of C = lanes/2 numbers in a vector, by
 * the kernels of a transform within registers (WITHIN kinds).  The first takes C
 * columns at a time and stores blocks of C rows, transposed, of which the last may
 * overlap the one before; every later one reads such blocks, or numbers one after
 * the other, and leaves these, so that no lane is idle whatever the radices.  What
 * is left of rows beyond whole blocks is a call more, of blocks that overlap.
 * Between passes samples are in scratch and the output by turns; the last pass may
 * rewrite the output, as each block writes where it read: blocks that overlap go
 * first and wait in scratch.  Each thread takes its part of the groups of a pass, or
 * of the blocks of the one group that the last has.
 *
 * Of a few columns (`beside`) a number is that of all of them: the first pass, by a
 * kernel of whole columns, has no lanes but these, all others those of s times as
 * many numbers side by side.
 */
#include "cpu/nest.h"
#include "plan/search.h"

#include <string.h>

typedef enum place { SCRATCH_A, SCRATCH_B, OUT } place;

typedef struct pass {
    const wf_kernel *kernel;
    place to;
    wf_pass_args args; /* whole blocks of all groups */
    wf_pass_args rest; /* and those that overlap; nq = 0: none */
    const void *turns, *rest_turns;
    ptrdiff_t rest_at; /* scalars, on both sides */
    bool waits;        /* in scratch, until the whole blocks have been read */
    size_t kept;       /* there */
    int64_t blocks;    /* whole ones, for threads, of one group */
    ptrdiff_t in_block, out_block, turns_block;
} pass;

typedef struct interleaved {
    wf_node node;
    int passes;
    int c;          /* complex numbers of a vector */
    size_t b;       /* byte offset of the second buffer in scratch */
    size_t claimed; /* bytes of the output, before the last pass */
    int64_t parts;  /* threads that share each pass */
    pass pass[];    /* as many as the step has radices */
} interleaved;

/* ---- Running ------------------------------------------------------------- */

static void *output_of(const interleaved *v, int i, const wf_samples *at,
                       char *scratch)
{
    const place to = v->pass[i].to;
    return to == OUT ? at->out_re : scratch + (to == SCRATCH_B ? v->b : 0);
}

static const void *input_of(const interleaved *v, int i, const wf_samples *at,
                            char *scratch)
{
    return i == 0 ? at->in_re : output_of(v, i - 1, at, scratch);
}

/* What overlaps, to `out`: its place, or where it waits. */
static void run_rest(const pass *p, size_t bytes, const void *in, void *out)
{
    wf_call_pass(p->kernel, wf_at(in, p->rest_at, bytes), NULL, out, NULL,
                 p->rest_turns, &p->rest);
}

/* And to its place, a vector for each leg. */
static void put_rest(const pass *p, size_t bytes, const char *kept, void *out)
{
    enum { PIECE = 16 };
    const size_t vector = (size_t)p->rest.out_leg * bytes;
    char *to = wf_to(out, p->rest_at, bytes);
    for (int leg = 0; leg < p->kernel->radix; leg++, kept += vector) {
        for (size_t i = 0; i < vector; i += PIECE)
            memcpy(to + i, kept + i, PIECE);
        to = wf_to(to, p->args.out_leg, bytes);
    }
}

static void run_pass(const pass *p, size_t bytes, const void *in, void *out,
                     char *scratch)
{
    char *kept = p->waits ? scratch + p->kept : NULL;
    if (kept != NULL)
        run_rest(p, bytes, in, kept);
    wf_call_pass(p->kernel, in, NULL, out, NULL, p->turns, &p->args);
    if (kept != NULL)
        put_rest(p, bytes, kept, out);
    else if (p->rest.nq != 0)
        run_rest(p, bytes, in, wf_to(out, p->rest_at, bytes));
}

static void run_groups(const interleaved *v, const pass *p, wf_range groups,
                       const void *in, void *out)
{
    const size_t bytes = v->node.bytes;
    pass some = *p;
    some.args.np = some.rest.np = (size_t)(groups.end - groups.begin);
    run_pass(&some, bytes, wf_at(in, groups.begin * p->args.in_p, bytes),
             wf_to(out, groups.begin * p->args.out_p, bytes), NULL);
}

/* Some blocks of the only group: all that is left goes with the last. */
static void run_blocks(const interleaved *v, const pass *p, wf_range blocks,
                       const void *in, void *out, char *scratch)
{
    const size_t bytes = v->node.bytes;
    pass some = *p;
    const bool last = blocks.end == p->blocks;
    some.args.nq = last ? p->args.nq - (size_t)(blocks.begin * v->c)
                        : (size_t)((blocks.end - blocks.begin) * v->c);
    some.turns = wf_at(p->turns, blocks.begin * p->turns_block, bytes);
    if (!last) {
        some.rest.nq = 0;
        some.waits = false;
    }
    const ptrdiff_t back = blocks.begin * p->in_block;
    some.rest_at -= back;
    run_pass(&some, bytes, wf_at(in, back, bytes),
             wf_to(out, blocks.begin * p->out_block, bytes), scratch);
}

typedef struct share {
    const interleaved *v;
    const wf_samples *at;
    char *scratch;
} share;

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const interleaved *v = (const interleaved *)node;
    for (int i = 0; i < v->passes; i++) {
        if (i == v->passes - 1)
            wf_claim(at->out_re, v->claimed);
        run_pass(&v->pass[i], node->bytes, input_of(v, i, at, scratch),
                 output_of(v, i, at, scratch), scratch);
    }
}

static void run_part(void *context, int index, size_t number)
{
    const share *c = context;
    const interleaved *v = c->v;
    const pass *p = &v->pass[index];
    const void *in = input_of(v, index, c->at, c->scratch);
    void *out = output_of(v, index, c->at, c->scratch);
    const int64_t part = (int64_t)number;
    if (p->args.np > 1)
        run_groups(v, p, wf_cut((int64_t)p->args.np, part, v->parts), in, out);
    else
        run_blocks(v, p, wf_cut(p->blocks, part, v->parts), in, out,
                   c->scratch);
}

static void run_shared(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    share c = {(const interleaved *)node, at, scratch};
    wf_parallel_phases((size_t)c.v->parts, c.v->passes, run_part, &c);
}

/* ---- Binding ------------------------------------------------------------- */

typedef struct binding {
    const wf_binder *binder;
    const wf_step *step;
    interleaved *node;
    wf_roots_table roots;
    int64_t s;        /* the product of the radices bound so far */
    int64_t columns;  /* 0: one transform, which is transposed; */
    ptrdiff_t in_row; /* else scalars from row to row of the input */
} binding;

static int64_t blocks_of(int64_t length, int c)
{
    return (length + c - 1) / c;
}

/* Numbers side by side between passes. */
static int64_t beside(const binding *b)
{
    return b->columns > 0 ? b->s * b->columns : b->s;
}

/* All there are. */
static int64_t numbers_of(const binding *b)
{
    return b->columns > 0 ? b->step->n * b->columns : b->step->n;
}

/* Scalars of a row of the first pass's output: of whole blocks. */
static ptrdiff_t row_of(const binding *b)
{
    if (b->columns > 0)
        return 2 * (ptrdiff_t)(b->columns * b->step->radix[0]);
    return (ptrdiff_t)blocks_of(b->step->radix[0], b->node->c) *
           b->step->width;
}

static void bind_first(const binding *b, pass *p)
{
    const int r = b->step->radix[0], c = b->node->c;
    const int64_t columns = b->step->n / r;
    const ptrdiff_t row = row_of(b);
    p->args = (wf_pass_args){.np = 1, .nq = (size_t)columns, .out_q = row};
    wf_set_legs(&p->args, b->binder->inverse, 2 * (ptrdiff_t)columns, r);
    p->blocks = columns / c;
    p->in_block = 2 * (ptrdiff_t)c;
    p->out_block = c * row;
}

static void bind_first_columns(const binding *b, pass *p)
{
    const int r = b->step->radix[0];
    const ptrdiff_t groups = (ptrdiff_t)(b->step->n / r);
    p->args = (wf_pass_args){.np = (size_t)groups,
                             .nq = (size_t)b->columns,
                             .in_p = b->in_row,
                             .out_p = row_of(b),
                             .out_leg = 2 * (ptrdiff_t)b->columns};
    wf_set_legs(&p->args, b->binder->inverse, groups * b->in_row, r);
}

static weft_status bind_later(const binding *b, pass *p, int index)
{
    const int r = b->step->radix[index], c = b->node->c;
    const int64_t s = beside(b), m = b->step->n / (b->s * r);
    const ptrdiff_t lanes = b->step->width;
    const ptrdiff_t row = index == 1 ? row_of(b) : 2 * (ptrdiff_t)s;
    const bool overlaps = (index > 1 || b->columns > 0) && s % c != 0;
    const wf_turns turns = {.real = b->binder->real,
                            .lanes = (int)lanes,
                            .r1 = (int)b->s,
                            .r2 = r,
                            .beside = (int)b->columns,
                            .reversed = b->binder->inverse,
                            .roots = &b->roots};
    p->args = (wf_pass_args){.np = (size_t)m,
                             .nq = (size_t)(overlaps ? s / c * c : s),
                             .in_p = row,
                             .out_p = 2 * (ptrdiff_t)(s * r),
                             .out_leg = 2 * (ptrdiff_t)s};
    wf_set_legs(&p->args, b->binder->inverse, row * m, r);
    p->blocks = s / c;
    p->in_block = p->out_block = lanes;
    p->turns_block = 2 * (ptrdiff_t)(r - 1) * lanes;
    weft_status status = wf_bind_turns(&b->node->node, &turns,
                                       b->binder->inverse, &p->turns);
    if (status != WEFT_OK || !overlaps)
        return status;
    p->rest = p->args;
    p->rest.nq = (size_t)c;
    p->rest_at = 2 * (ptrdiff_t)(s - c);
    p->rest_turns = wf_at(p->turns, p->blocks * p->turns_block,
                          b->binder->bytes);
    return WEFT_OK;
}

static weft_status bind_passes(binding *b)
{
    const wf_step *step = b->step;
    for (int i = 0; i < step->radices; i++) {
        pass *p = &b->node->pass[b->node->passes++];
        p->kernel = wf_kernel_of_width(i > 0 ? WF_KERNEL_WITHIN_LAST
                                       : b->columns > 0
                                           ? WF_KERNEL_COL_ANY
                                           : WF_KERNEL_WITHIN_FIRST,
                                       b->binder->real, step->width,
                                       step->radix[i]);
        if (p->kernel == NULL)
            return wf_fail(WEFT_ERR_UNSUPPORTED,
                           "no interleaved kernel for radix %d at width %d",
                           step->radix[i], step->width);
        weft_status status = WEFT_OK;
        if (i == 0)
            (b->columns > 0 ? bind_first_columns : bind_first)(b, p);
        else
            status = bind_later(b, p, i);
        if (status != WEFT_OK)
            return status;
        b->s *= step->radix[i];
    }
    return WEFT_OK;
}

/* The rows of the first pass may be longer than what they hold. */
static bool has_whole_rows(const binding *b)
{
    return b->columns > 0 || row_of(b) == 2 * (ptrdiff_t)b->step->radix[0];
}

/* Does the last pass rewrite the output?  Of two, where that takes no scratch: not in
 * place, as the first would write what it still reads.  Of more, if it comes to that,
 * or where rows begin inside lines, which vectors across two of them wait for unless
 * the pass has just read them: AVX-512, 1.2 times as fast while four arrays are NEAR. */
static bool rewrites(const binding *b, bool in_place)
{
    enum { NEAR = 1 << 18 };
    const interleaved *v = b->node;
    if (v->passes == 2)
        return has_whole_rows(b) && !in_place;
    return v->passes % 2 == 1 ||
           (v->pass[v->passes - 1].rest.nq > 0 &&
            2 * numbers_of(b) * (int64_t)b->binder->bytes <= NEAR);
}

/* The output and scratch by turns, from the last pass back. */
static void place_passes(const binding *b, bool in_place)
{
    pass *p = b->node->pass;
    const int last = b->node->passes - 1;
    p[last].to = OUT;
    p[last - 1].to = rewrites(b, in_place) ? OUT : SCRATCH_A;
    for (int i = last - 2; i >= 0; i--)
        p[i].to = p[i + 1].to == OUT ? SCRATCH_A : OUT;
    if (p[0].to == OUT && (in_place || !has_whole_rows(b)))
        p[0].to = SCRATCH_B;
}

static void size_scratch(const binding *b)
{
    interleaved *v = b->node;
    const size_t bytes = b->binder->bytes, data = 2 * (size_t)numbers_of(b),
                 rows = (size_t)(b->step->n / b->step->radix[0]) *
                        (size_t)row_of(b);
    v->b = wf_round64((rows > data ? rows : data) * bytes);
    for (int i = 0; i < v->passes; i++)
        if (v->pass[i].to != OUT &&
            v->node.scratch < v->b * (v->pass[i].to + 1))
            v->node.scratch = v->b * (v->pass[i].to + 1);
}

/* What overlaps waits if the last pass rewrites the output; if it does not, vectors
 * may be stored across lines. */
static void bind_last(const binding *b)
{
    interleaved *v = b->node;
    pass *last = &v->pass[v->passes - 1];
    const size_t bytes = b->binder->bytes,
                 vector = (size_t)b->step->width * bytes;
    if (v->pass[v->passes - 2].to != OUT) {
        if (last->args.out_leg * (ptrdiff_t)bytes % WF_LINE != 0)
            v->claimed = wf_bytes_to_claim(2 * (size_t)numbers_of(b) * bytes,
                                           vector);
    } else if (last->rest.nq > 0) {
        last->waits = true;
        last->kept = v->node.scratch;
        last->rest.out_leg = b->step->width;
        v->node.scratch += wf_round64((size_t)last->kernel->radix * vector);
    }
}

/* A hostile tree may not fill a vector. */
static bool fits(const wf_step *step)
{
    const int c = step->width / 2;
    return step->radices >= 2 && c >= 1 && step->radix[0] >= c &&
           step->n / step->radix[0] >= c && step->n <= 1 << 22;
}

static weft_status bind(binding *b, bool in_place, wf_node **node)
{
    const wf_binder *binder = b->binder;
    b->s = 1;
    b->node = (interleaved *)wf_node_new(
        binder, sizeof *b->node + (size_t)b->step->radices * sizeof(pass),
        run);
    if (b->node == NULL)
        return wf_no_memory();
    b->node->c = b->step->width / 2;
    weft_status status = wf_roots_make(b->step->n, binder->inverse, &b->roots);
    if (status == WEFT_OK)
        status = bind_passes(b);
    wf_roots_drop(&b->roots);
    if (status != WEFT_OK) {
        wf_node_free(&b->node->node);
        return status;
    }
    place_passes(b, in_place);
    size_scratch(b);
    bind_last(b);
    b->node->parts = wf_parts_for(binder->threads,
                                  2 * numbers_of(b) * (int64_t)binder->bytes,
                                  WF_EXCHANGED_BYTES);
    if (b->node->parts > 1)
        b->node->node.run = run_shared;
    *node = &b->node->node;
    return WEFT_OK;
}

weft_status wf_bind_interleaved(const wf_binder *binder, const wf_step *step,
                                const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "interleaved on split data");
    if (!fits(step))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "interleaved %lld: these radices do not fill width %d",
                       (long long)step->n, step->width);
    binding b = {.binder = binder, .step = step};
    return bind(&b, usage->in_place, node);
}

weft_status wf_bind_beside(const wf_binder *binder, const wf_step *step,
                           int64_t columns, int64_t stride, bool in_place,
                           wf_node **node)
{
    *node = NULL;
    if (!wf_fits_beside(step, columns))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "beside %lld: these radices do not fill width %d",
                       (long long)step->n, step->width);
    binding b = {.binder = binder,
                 .step = step,
                 .columns = columns,
                 .in_row = 2 * (ptrdiff_t)stride};
    return bind(&b, in_place, node);
}
