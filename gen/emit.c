/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - programs as C text in the vocabulary of kernel/vec/.
 *
 * A kernel is two loops around straight-line code in single assignment: node
 * i is the constant t<i>.  Loads appear at their first use.  The strides are
 * made opaque inside the loop: otherwise the compiler hoists one product for
 * each leg, runs out of integer registers and reloads them from the stack;
 * recomputing is an address addition that costs less.
 */
#include "emit_body.h"

#include "util.h"

#include <stdlib.h>
#include <string.h>

const char *real_name(wf_real real)
{
    return real == WF_F64 ? "f64" : "f32";
}

void emit_name(char *out, size_t room, const row *r)
{
    snprintf(out, room, "%s_%d_%s_%s", kind_of(r->kind)->name, r->radix,
             real_name(r->real), target_of(r->isa)->name);
}

/* A constant with a decimal point, so that 2 is 2.0 and 2.0f. */
void print_constant(FILE *f, wf_real real, long double k)
{
    char text[64];
    if (real == WF_F64)
        snprintf(text, sizeof text, "%.17g", (double)k);
    else
        snprintf(text, sizeof text, "%.9g", (double)(float)k);
    fprintf(f, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0",
            real == WF_F64 ? "" : "f");
}

/* One complex float lies in half a register. */
static int is_half(const emitter *e)
{
    return e->p->interleaved && e->r->real == WF_F32 && e->p->g->width == 2;
}

char value_letter(const emitter *e)
{
    return e->twin ? 'u' : 't';
}

void emit_operand(const emitter *e, int i)
{
    const node *n = &e->p->g->nodes[i];
    if (n->op == OP_VEC || (n->op == OP_ALT && e->turns)) {
        const int at = e->place[i];
        fprintf(e->f, "%cLD%s(%c + %d)", e->letter, is_half(e) ? "H" : "",
                at < 0 ? 'd' : 'c', at < 0 ? ~at : at);
    } else if (n->op == OP_CONST || n->op == OP_ALT) {
        fprintf(e->f, "%c%s(", e->letter, n->op == OP_ALT ? "ALT" : "K");
        print_constant(e->f, e->r->real, n->k);
        fputc(')', e->f);
    } else {
        fprintf(e->f, "%c%d", value_letter(e), i);
    }
}

static void name_leg(emitter *e, int j)
{
    if (e->leg_known[j])
        return;
    e->leg_known[j] = 1;
    if (j > 0 && !e->kind->leaf)
        fprintf(e->f, "    const ptrdiff_t i%d = jb + %d * js;\n", j, j);
}

static void load_leg(emitter *e, int j)
{
    dag *g = e->p->g;
    const int re = dag_load(g, 2 * j), im = dag_load(g, 2 * j + 1);
    char offset[32] = "";
    name_leg(e, j);
    if (j > 0 && e->kind->leaf)
        snprintf(offset, sizeof offset, " + %d", 2 * j);
    else if (j > 0)
        snprintf(offset, sizeof offset, " + i%d", j);
    e->declared[re] = e->declared[im] = 1;
    fprintf(e->f, "    V t%d, t%d;\n    %s(xr%s, &t%d, &t%d);\n", re, im,
            e->kind->first || e->kind->out_i ? "vldi_any" : "vldi", offset, re,
            im);
}

static void load_input(emitter *e, int i)
{
    const node *n = &e->p->g->nodes[i];
    if (e->kind->rows && n->a < SLOT_TWIDDLE) {
        e->declared[i] = 1;
        fprintf(e->f, "    const V t%d = u[%d];\n", i, n->a / 2);
    } else if (n->a == SLOT_SCALE) {
        e->declared[i] = 1;
        fprintf(e->f, "    const V t%d = VK((T)a->scale);\n", i);
    } else if (n->a >= SLOT_TWIDDLE) {
        const int w = n->a - SLOT_TWIDDLE;
        e->declared[i] = 1;
        if (e->kind->twiddles == 'V')
            fprintf(e->f, "    const V t%d = VLD(w + %d * VL);\n", i, w);
        else
            fprintf(e->f, "    const V t%d = VLD1(w + %d);\n", i, w);
    } else if (e->kind->in_i) {
        load_leg(e, n->a / 2);
    } else {
        const char part = n->a % 2 ? 'i' : 'r';
        const int j = n->a / 2;
        e->declared[i] = 1;
        if (e->from_blocks) {
            fprintf(e->f, "    const V t%d = ", i);
            load_from_block(e, n->a);
            fputs(";\n", e->f);
            return;
        }
        name_leg(e, j);
        if (j == 0)
            fprintf(e->f, "    const V t%d = VLD(x%c);\n", i, part);
        else
            fprintf(e->f, "    const V t%d = VLD(x%c + i%d);\n", i, part, j);
    }
}

void emit_use(emitter *e, int i)
{
    const int declared = e->declared[i] >> e->twin & 1;
    if (e->p->g->nodes[i].op == OP_LOAD && !declared)
        e->load(e, i);
}

/* Lanes of either operand that stay where they are.  gcc 12 makes some of these
 * for 256 bits exchanges of halves, which fewer pipes do, later. */
static int is_blend(const emitter *e, const node *n)
{
    for (int l = 0; l < e->p->g->width; ++l)
        if (e->p->g->patterns[n->c].src[l] % e->p->g->width != l)
            return 0;
    return e->kind->alone && e->letter == 'Y';
}

static void print_blend(const emitter *e, const node *n)
{
    int mask = 0;
    for (int l = 0; l < e->p->g->width; ++l)
        mask |= (e->p->g->patterns[n->c].src[l] >= e->p->g->width) << l;
    fputs("YBLEND(", e->f);
    emit_operand(e, n->a);
    fputs(", ", e->f);
    emit_operand(e, n->b);
    fprintf(e->f, ", %d);\n", mask);
}

static void print_shuffle(const emitter *e, const node *n)
{
    if (is_blend(e, n)) {
        print_blend(e, n);
        return;
    }
    fprintf(e->f, "%cSHUF(", e->letter);
    emit_operand(e, n->a);
    fputs(", ", e->f);
    emit_operand(e, n->b);
    const int width = e->p->g->width, more = is_half(e) ? width : 0;
    for (int l = 0; l < width; ++l) {
        const int from = e->p->g->patterns[n->c].src[l];
        fprintf(e->f, ", %d", from < width ? from : from + more);
    }
    for (int l = 0; l < more; ++l) /* the other half is nobody's */
        fprintf(e->f, ", %d", width + l);
    fputs(");\n", e->f);
}

static int is_sum(const node *n)
{
    return n->op == OP_ADD || n->op == OP_SUB;
}

/* The next sum is one of those, evenly spread, that are written as fused. */
static int sum_is_fused(emitter *e)
{
    const int i = e->seen++;
    return (i + 1) * e->fused / e->sums != i * e->fused / e->sums;
}

/* a + b as a * 1 + b, which has the same bits. */
static void print_fused(const emitter *e, const node *n)
{
    const int minus = n->op == OP_SUB;
    fprintf(e->f, "%cF%sMA(", e->letter, minus ? "N" : "");
    emit_operand(e, minus ? n->b : n->a);
    fprintf(e->f, ", %cK(", e->letter);
    print_constant(e->f, e->r->real, 1);
    fputs("), ", e->f);
    emit_operand(e, minus ? n->a : n->b);
    fputs(");\n", e->f);
}

static void emit_node(emitter *e, int i)
{
    static const char *const names[] = {
        [OP_ADD] = "ADD", [OP_SUB] = "SUB",     [OP_NEG] = "NEG",
        [OP_MUL] = "MUL", [OP_FMA] = "FMA",     [OP_FNMA] = "FNMA",
        [OP_FMS] = "FMS", [OP_FMALT] = "FMALT", [OP_SWAP] = "SWAP"};
    const node *n = &e->p->g->nodes[i];
    const int as_loaded = e->load_doubled && is_doubled(e->p->g, i);
    int x[3];
    const int count = dag_operands(n, x);
    for (int j = 0; j < count && !as_loaded; ++j)
        emit_use(e, x[j]);
    fprintf(e->f, "    const %c %c%d = ", e->letter, value_letter(e), i);
    if (as_loaded) {
        e->load_doubled(e, i);
        return;
    }
    if (n->op == OP_SHUF) {
        print_shuffle(e, n);
        return;
    }
    if (e->fused && is_sum(n) && sum_is_fused(e)) {
        print_fused(e, n);
        return;
    }
    fprintf(e->f, "%c%s(", e->letter, names[n->op]);
    for (int j = 0; j < count; ++j) {
        if (j)
            fputs(", ", e->f);
        emit_operand(e, x[j]);
    }
    fputs(");\n", e->f);
}

static void emit_step(emitter *e, int step)
{
    if (step >= 0) {
        emit_node(e, step);
        return;
    }
    const sink *k = &e->p->sinks[~step];
    for (int r = k->first; r < k->first + k->count; ++r)
        emit_use(e, e->p->roots[r]);
    e->store(e, k);
}

void emit_body(emitter *e, const schedule *s)
{
    for (int i = 0; i < s->count; ++i)
        for (e->twin = e->twins - 1; e->twin >= 0; --e->twin)
            emit_step(e, s->steps[i]);
    e->twin = 0;
}

static void store_block(emitter *e, const sink *s)
{
    const int vl = target_lanes(e->r->isa, e->r->real);
    const int block = s->first / 2 / vl;
    fputs("    {\n", e->f);
    for (int part = 0; part < 2; ++part) {
        fprintf(e->f, "    V %c[VL] = {", part ? 'v' : 'u');
        /* Missing outputs repeat the last one: finite garbage. */
        for (int l = 0; l < vl; ++l) {
            const int k = s->first + (2 * l < s->count ? 2 * l : s->count - 2);
            fputs(l ? ", " : " ", e->f);
            emit_operand(e, e->p->roots[k + part]);
        }
        fputs(" };\n", e->f);
    }
    fprintf(e->f,
            "    vtranspose(u);\n    vtranspose(v);\n"
            "    const ptrdiff_t o = %d * ks;\n",
            block);
    for (int part = 0; part < 2; ++part)
        for (int l = 0; l < vl; ++l)
            fprintf(e->f, "    VST(y%c + o + %d * kr, %c[%s(%d)]);\n",
                    part ? 'i' : 'r', l, part ? 'v' : 'u',
                    e->kind->in_i ? "VLANE_ANY" : "", l);
    fputs("    }\n", e->f);
}

/* The conjugate is made; reversed, below the place of the mirrored output. */
static void store_mirrored(const emitter *e, int k, int re, int im)
{
    fprintf(e->f, "    {\n    const ptrdiff_t o = zo + %d * ks;\n",
            e->r->radix - k);
    if (e->kind->out_i)
        fprintf(e->f, "    vsti_back(out_re + o, t%d, t%d);\n", re, im);
    else
        fprintf(e->f,
                "    VST(out_re + o, VREV(t%d));\n"
                "    VST(out_im + o, VREV(t%d));\n",
                re, im);
    fputs("    }\n", e->f);
}

static void store_hartley(const emitter *e, int k, int minus, int plus)
{
    fprintf(e->f,
            "    {\n    const ptrdiff_t o = %d * ks;\n"
            "    VST(yr + o, t%d);\n",
            k, minus);
    if (k == 0)
        fprintf(e->f,
                "    if (q == 0)\n        VST_HEAD(out_re + zo, VREV(t%d));\n"
                "    else\n    ",
                plus);
    fprintf(e->f, "    VST(out_re + (zo - o), VREV(t%d));\n    }\n", plus);
}

static void store_sink(emitter *e, const sink *s)
{
    if (e->kind->first) {
        store_block(e, s);
        return;
    }
    if (e->kind->rows) {
        fprintf(e->f, "    v[%d] = t%d;\n", s->first, e->p->roots[s->first]);
        return;
    }
    if (e->kind->cosine) {
        fprintf(e->f, "    VST(yr + %d * ks, t%d);\n", s->first,
                e->p->roots[s->first]);
        return;
    }
    const int k = s->first / 2;
    if (e->kind->half == HARTLEY) {
        store_hartley(e, k, e->p->roots[2 * k], e->p->roots[2 * k + 1]);
        return;
    }
    if (e->kind->half && 2 * k > e->r->radix) {
        store_mirrored(e, k, e->p->roots[2 * k], e->p->roots[2 * k + 1]);
        return;
    }
    const int re = e->p->roots[2 * k], im = e->p->roots[2 * k + 1];
    if (e->kind->leaf) {
        fprintf(e->f, "    vsti_any(yr + %d, t%d, t%d);\n", 2 * k, re, im);
        return;
    }
    if (e->from_blocks) {
        store_in_block(e, k, re, im);
        return;
    }
    char offset[32] = "";
    if (k > 0) {
        fprintf(e->f, "    const ptrdiff_t o%d = %d * ks;\n", k, k);
        snprintf(offset, sizeof offset, " + o%d", k);
    }
    if (e->kind->out_i)
        fprintf(e->f, "    %s(yr%s, t%d, t%d);\n",
                e->kind->in_i ? "vsti_any" : "vsti", offset, re, im);
    else
        fprintf(e->f, "    VST(yr%s, t%d);\n    VST(yi%s, t%d);\n", offset, re,
                offset, im);
}

static void open_leaf(const emitter *e, const char *name)
{
    emit_leaf_entry(e->f, name, 0);
    fprintf(e->f, "    for (size_t i = 0; i < count; ++i) {\n"
                  "    const T *xr = in + (ptrdiff_t)i * in_dist;\n"
                  "    T *yr = out + (ptrdiff_t)i * out_dist;\n");
}

/* Rows come and go as squares: lane l of u[j] is element j of row l. */
static void load_squares(const emitter *e)
{
    const int vl = target_lanes(e->r->isa, e->r->real);
    fprintf(e->f, "    const ptrdiff_t kr = a->out_q;\n    V u[%d], v[%d];\n",
            e->r->radix, e->r->radix);
    for (int j = 0; j < e->r->radix; ++j)
        fprintf(e->f, "    u[%d] = VLD(xr + %d * a->in_q + %d);\n", j, j % vl,
                j / vl * vl);
    for (int j = 0; j < e->r->radix; j += vl)
        fprintf(e->f, "    vtranspose(u + %d);\n", j);
}

/* Its input is at in_re alone. */
static int has_one_plane(const kind_info *k)
{
    return k->in_i || k->cosine || (k->half && k->first);
}

static void print_head(FILE *f, const row *r, const char *before,
                       const char *after)
{
    char name[96];
    emit_name(name, sizeof name, r);
    fprintf(f,
            "%s%s(const T *in_re, const T *in_im, T *out_re,\n"
            "    T *out_im, const T *tw, const wf_pass_args *a)%s",
            before, name, after);
}

void emit_pass_opening(FILE *f, const row *r)
{
    print_head(f, r, "\nvoid wf_", ";\n");
    print_head(f, r, "void wf_", "\n{\n");
}

void emit_all_opening(FILE *f, const row *r)
{
    print_head(f, r, "\nstatic __attribute__((noinline)) void all_", "\n{\n");
}

static void open_pass(const emitter *e)
{
    const kind_info *k = e->kind;
    FILE *f = e->f;
    (has_lone_function(e->r) ? emit_all_opening : emit_pass_opening)(f, e->r);
    if (has_one_plane(k) || blocks_of(e->r) == BLOCKS_ALONE)
        fputs("    (void)in_im;\n", f);
    if (k->out_i || k->cosine || k->half == HARTLEY)
        fputs("    (void)out_im;\n", f);
    if (!k->twiddles)
        fputs("    (void)tw;\n", f);
}

/* The loops around a butterfly. */
static void open_loops(const emitter *e)
{
    const kind_info *k = e->kind;
    const int one_plane = has_one_plane(k);
    FILE *f = e->f;
    fputs("    const size_t np = a->np, nq = a->nq;\n"
          "    for (size_t p = 0; p < np; ++p) {\n"
          "    ptrdiff_t xo = (ptrdiff_t)p * a->in_p;\n"
          "    ptrdiff_t yo = (ptrdiff_t)p * a->out_p;\n",
          f);
    if (k->twiddles)
        fputs("    ptrdiff_t wo = (ptrdiff_t)p * a->tw_p;\n", f);
    if (k->half && !k->first)
        fprintf(f, "    ptrdiff_t zo = yo - a->out_back - %d * (VL - 1);\n",
                k->out_i ? 2 : 1);
    fputs("    for (size_t q = 0; q < nq; ++q) {\n"
          "    const T *xr = in_re + xo;\n",
          f);
    if (!one_plane)
        fputs("    const T *xi = in_im + xo;\n", f);
    fputs("    T *yr = out_re + yo;\n", f);
    if (!k->out_i && !k->cosine && k->half != HARTLEY)
        fputs("    T *yi = out_im + yo;\n", f);
    if (k->twiddles)
        fputs("    const T *w = tw + wo;\n", f);
    if (k->rows) {
        load_squares(e);
        return;
    }
    fputs("    ptrdiff_t js = a->in_leg, ks = a->out_leg;\n"
          "    const ptrdiff_t jb = a->in_base;\n"
          "    VOPAQUE(js);\n    VOPAQUE(ks);\n",
          f);
    if (k->first)
        fputs("    ptrdiff_t kr = a->out_q;\n    VOPAQUE(kr);\n", f);
}

static void store_squares(const emitter *e)
{
    const int vl = target_lanes(e->r->isa, e->r->real);
    for (int j = 0; j < e->r->radix; j += vl)
        fprintf(e->f, "    vtranspose(v + %d);\n", j);
    for (int j = 0; j < e->r->radix; ++j)
        fprintf(e->f, "    VST(yr + %d * kr + %d, v[%d]);\n", j % vl,
                j / vl * vl, j);
}

static void close_loops(const emitter *e)
{
    const char *in = e->kind->rows ? "VL * a->in_q" : "a->in_q";
    const int wide = e->kind->first || e->kind->rows;
    if (e->kind->rows)
        store_squares(e);
    fprintf(e->f, "    xo += %s;\n", in);
    fprintf(e->f, "    yo += %s;\n", wide ? "VL * a->out_q" : "a->out_q");
    if (e->kind->twiddles)
        fputs("    wo += a->tw_q;\n", e->f);
    if (e->kind->half && !e->kind->first)
        fputs("    zo -= a->out_q;\n", e->f);
    fputs("    }\n    }\n", e->f);
}

static void emit_loops(emitter *e, const schedule *s)
{
    open_loops(e);
    emit_body(e, s);
    close_loops(e);
}

void emit_head(FILE *f, wf_isa isa, wf_real real, int leaves)
{
    fprintf(f,
            "/* SPDX-License-Identifier: BSD-3-Clause */\n"
            "/* Made by weft-gen; do not edit. */\n"
            "#define WF_VEC_REAL %d\n"
            "#include \"kernel/vec/%s.h\"\n"
            "#include \"kernel/pass.h\"\n",
            real == WF_F64 ? 64 : 32,
            !leaves                ? target_of(isa)->name
            : isa == WF_ISA_SCALAR ? "scalar"
                                   : "interleaved");
}

void emitter_begin(emitter *e, FILE *f, const row *r, const program *p)
{
    memset(e, 0, sizeof *e);
    e->f = f;
    e->r = r;
    e->kind = kind_of(r->kind);
    e->p = p;
    e->twins = 1;
    e->declared = gen_alloc((size_t)p->g->count);
    emitter_forget(e);
}

void emitter_forget(emitter *e)
{
    memset(e->declared, 0, (size_t)e->p->g->count);
    memset(e->leg_known, 0, sizeof e->leg_known);
    e->seen = 0;
}

void emitter_end(emitter *e)
{
    free(e->declared);
    free(e->place);
}

/*
 * Zen's sums and fused operations have two pipes each, and shuffles, most of
 * what a transposing kernel does, share one with these and two with those.  So
 * a third of all that it does shall be fused.  Elsewhere both cost the same.
 */
static void share_pipes(emitter *e, const made *m, const schedule *s)
{
    const tally t = count_operations(m);
    const int third = (t.adds + t.muls + t.fmas + t.shuffles) / 3;
    const int few = third - t.muls - t.fmas;
    if (!e->kind->first || !target_of(m->r.isa)->has_sum_pipes || few <= 0)
        return;
    for (int i = 0; i < s->count; ++i)
        e->sums += s->steps[i] >= 0 && is_sum(&e->p->g->nodes[s->steps[i]]);
    e->fused = few < e->sums ? few : e->sums;
}

static void emit_split(FILE *f, const made *m)
{
    const row *r = &m->r;
    const program *p = m->parts[0].p;
    const schedule *s = &m->parts[0].s;
    emitter e;
    /* Both parts of a leg are loaded together, even if one is not used. */
    for (int j = 0; kind_of(r->kind)->in_i && j < 2 * r->radix; ++j)
        dag_load(p->g, j);
    emitter_begin(&e, f, r, p);
    e.letter = 'V';
    e.load = load_input;
    e.store = store_sink;
    share_pipes(&e, m, s);
    if (e.kind->leaf) {
        char name[96] = "wf_";
        emit_name(name + 3, sizeof name - 3, r);
        open_leaf(&e, name);
        emit_body(&e, s);
        fputs("    }\n", f);
    } else {
        if (has_lone_function(r))
            emit_lone_function(f, m);
        open_pass(&e);
        if (blocks_of(r) != BLOCKS_NOT)
            emit_from_blocks(&e, s);
        if (blocks_of(r) != BLOCKS_ALONE)
            emit_loops(&e, s);
    }
    fputs("}\n", f);
    if (has_lone_function(r))
        emit_lone_entry(f, m);
    emitter_end(&e);
}

void emit_kernel(FILE *f, const made *m)
{
    if (borrows(&m->r))
        emit_borrowing(f, &m->r);
    else if (kind_of(m->r.kind)->alone)
        emit_alone(f, &m->r, m->parts[0].p, &m->parts[0].s);
    else if (kind_of(m->r.kind)->reals)
        (m->r.isa == WF_ISA_SCALAR ? emit_lone : emit_reals)(f, m);
    else if (kind_of(m->r.kind)->within == WITHIN_WHOLE)
        emit_columns(f, &m->r);
    else if (kind_of(m->r.kind)->within == WITHIN_APART)
        emit_columns_apart(f, &m->r);
    else if (kind_of(m->r.kind)->within)
        emit_within(f, &m->r);
    else if (kind_of(m->r.kind)->split)
        emit_leaf_split(f, m);
    else if (m->parts[0].p->interleaved)
        emit_leaf(f, m);
    else if (in_loops(&m->r))
        emit_prime(f, &m->r);
    else
        emit_split(f, m);
}
