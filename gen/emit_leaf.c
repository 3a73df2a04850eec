/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_leaf.c - interleaved leaves as C text, in the vocabulary of
 * kernel/vec/interleaved.h.
 *
 * A leaf is a loop over single transforms.  If it has a program for blocks of
 * transforms side by side, that is a function of its own, called where there
 * are enough, which leaves the rest to the former: so a single transform saves
 * no registers (f32 8 5.7, then 4.6 ns with the call).
 *
 * The sign of a complex leaf is in the signs of some constants of its lanes
 * (leaf.c).  So from SHARED on both signs are one function that takes these
 * from one half of a table, and two entries.  Which half is opaque inside the
 * loop: otherwise the compiler takes them all out of it and spills them (n =
 * 20, AVX2: 9.8, then 10.5 ns).  What a shorter leaf would save is less than
 * the jump costs.
 *
 * Loops move x and y along: i times a distance would be waited for, and take two
 * registers more (all short leaves 1.05, 57 KB less).
 *
 * Scaled ones (leaf_scaled) are all loops again, each output times the factor, in a
 * function that is jumped to.
 */
#include "constants.h"
#include "emit_body.h"
#include "util.h"

enum { SHARED = 17, MOST_APART = 10 };

/* Complex, with both signs apart. */
static int is_short(const row *r)
{
    const kind_info *kind = kind_of(r->kind);
    return kind->leaf && !kind->real && r->radix > 1 && r->radix < SHARED;
}

static int is_shared(const row *r)
{
    return !kind_of(r->kind)->real && r->radix >= SHARED;
}

char letter_of(const row *r, int lanes)
{
    const int bits = lanes * (r->real == WF_F64 ? 64 : 32);
    return bits <= 128 ? 'X' : bits == 256 ? 'Y' : 'Z';
}

static int is_half(const emitter *e)
{
    return e->r->real == WF_F32 && e->p->g->width == 2;
}

static int is_across(const emitter *e)
{
    return !e->p->leaf.rows && e->p->g->width > 2;
}

/* Element numbers of a pair that holds element j; see plan_across. */
static int pair_of(const emitter *e, int j)
{
    const int n = e->p->inputs;
    return j == n - 1 && n % 2 ? n - 2 : j / 2 * 2;
}

/* The overlapping last pair brings one element that is already here. */
void emit_load_pair(emitter *e, int j, const char *distance)
{
    const int first = pair_of(e, j);
    const int a = dag_load(e->p->g, first);
    const int b = dag_load(e->p->g, first + 1);
    fprintf(e->f, "    %c p%d, q%d;\n    %cLDP(x + %d, %s, &p%d, &q%d);\n",
            e->letter, first, first, e->letter, 2 * first, distance, first,
            first);
    if (!e->declared[a])
        fprintf(e->f, "    const %c t%d = p%d;\n", e->letter, a, first);
    if (!e->declared[b])
        fprintf(e->f, "    const %c t%d = q%d;\n", e->letter, b, first);
    e->declared[a] = e->declared[b] = 1;
}

static void load_across(emitter *e, int i)
{
    const int j = e->p->g->nodes[i].a;
    if (e->r->real == WF_F32) {
        emit_load_pair(e, j, "in_dist");
        return;
    }
    e->declared[i] = 1;
    fprintf(e->f, "    const %c t%d = %cLDA(x + %d, in_dist);\n", e->letter, i,
            e->letter, 2 * j);
}

/* From input x. */
static void load_leaf(emitter *e, int i)
{
    if (is_across(e)) {
        load_across(e, i);
        return;
    }
    e->declared[i] |= (char)(1 << e->twin);
    fprintf(e->f, "    %c %c%d = %cLD%s(x%s + %d);\n", e->letter,
            value_letter(e), i, e->letter, is_half(e) ? "H" : "",
            e->twin ? "2" : "", 2 * e->p->g->nodes[i].a);
}

/* As it is stored. */
static void print_output(const emitter *e, int root)
{
    if (e->scaled)
        fprintf(e->f, ", %cMUL(s, %c%d)", e->letter, value_letter(e), root);
    else
        fprintf(e->f, ", %c%d", value_letter(e), root);
}

/* To output y. */
static void store_leaf(emitter *e, const sink *s)
{
    const int *root = &e->p->roots[s->first];
    const int place = 2 * e->p->places[s->first];
    const int lone = e->p->lone && e->p->lone == s->first;
    const int across = is_across(e), doubles = e->r->real == WF_F64;
    fprintf(e->f, "    %cST%s(y%s + %d%s", e->letter,
            across       ? doubles ? "A" : "P"
            : is_half(e) ? "H"
            : lone       ? "1"
                         : "",
            e->twin ? "2" : "", place, across ? ", out_dist" : "");
    print_output(e, root[0]);
    if (across && !doubles)
        print_output(e, root[1]);
    fputs(");\n", e->f);
}

/* Lane l of a constant that has the sign of the transform. */
static long double signed_lane(const dag *g, const node *n, int l)
{
    return n->op == OP_VEC ? g->vecs[n->a].k[l] : l % 2 ? n->k : -n->k;
}

/* Where the tables have all constants; how many turn, and how many do not? */
static void place_constants(emitter *e, int *turning, int *same)
{
    const dag *g = e->p->g;
    *turning = *same = 0;
    e->place = gen_alloc((size_t)g->count * sizeof *e->place);
    for (int i = 0; i < g->count; ++i) {
        const node *n = &g->nodes[i];
        lanes signs;
        e->place[i] = 0;
        if (e->turns && (n->op == OP_ALT ||
                         (n->op == OP_VEC && leaf_vec_turns(g, n->a)))) {
            for (int l = 0; l < g->width; ++l)
                signs.k[l] = signed_lane(g, n, l);
            e->place[i] = ~turning_place(e->r->real, signs.k, g->width);
            ++*turning;
        } else if (n->op == OP_VEC) {
            e->place[i] = fixed_place(e->r->real, g->vecs[n->a].k, g->width);
            ++*same;
        }
    }
}

static void declare_fixed(const emitter *e, int same)
{
    if (same)
        fprintf(e->f, "    const T *const c = wf_fixed_%s;\n",
                real_name(e->r->real));
}

void emit_lane_constants(emitter *e)
{
    int turning, same;
    place_constants(e, &turning, &same);
    declare_fixed(e, same);
}

void emit_leaf_constants(emitter *e)
{
    int turning, same;
    e->turns = 1;
    place_constants(e, &turning, &same);
    declare_fixed(e, same);
    if (turning && e->p->radix >= SHARED)
        fputs("    __asm__(\"\" : \"+r\"(inverse));\n", e->f);
    fputs(turning ? "    const T *d = signs_of(inverse);\n"
                  : "    (void)inverse;\n",
          e->f);
}

/* A transform within eight registers of 512 bits waits for its own results:
 * two in turn fill the pipes (ns each: f32 64 23.4, then 19.7; f64 32 17.2,
 * 16.1; r2c:f32:128 34.4, 28.2).  In twelve they gain 6 %; in sixteen, in 256
 * bits and in four nothing.  Other real ones gain in the caches only: beyond
 * them c2r:f32:128*65536 is no faster and r2c:f64:64*65536 takes 3.1 ms in
 * place of 2.1. */
static int in_pairs(const made *m)
{
    const program *p = m->parts[m->count - 1].p;
    const kind_info *kind = kind_of(m->r.kind);
    const int gains = !kind->real || (m->r.real == WF_F32 && kind->leaf < 0);
    return gains && m->count == 1 && p->leaf.rows && !in_two_loops(&m->r) &&
           letter_of(&m->r, p->leaf.lanes) == 'Z' &&
           2 * p->radix == 8 * p->leaf.lanes;
}

/* Transforms of one round of part i's loop. */
static int block_of(const made *m, int i)
{
    const program *p = m->parts[i].p;
    return p->leaf.rows ? 1 : p->g->width / 2;
}

/* All of both twins' inputs, by rising address, which the compiler would
 * change: so the processor fetches well what comes from beyond the caches
 * (Zen 4, c2c:f64:32*131072 5.8, then 3.6 ms; one by one 4.2). */
static void load_in_order(emitter *e)
{
    const dag *g = e->p->g;
    for (e->twin = 0; e->twin < e->twins; ++e->twin)
        for (int j = 0; j < e->p->radix; ++j)
            for (int i = 0; i < g->count; ++i)
                if (g->nodes[i].op == OP_LOAD && g->nodes[i].a == j) {
                    emit_use(e, i);
                    fprintf(e->f,
                            "    __asm__ volatile(\"\" : \"+v\"(%c%d));\n",
                            value_letter(e), i);
                }
    e->twin = 0;
}

/* What a loop does beside its transforms: those of either sign, as `inverse` says;
 * times *tw. */
enum { PLAIN = 0, BOTH_SIGNS = 1, SCALED = 2 };

static void emit_part(FILE *f, const made *m, int i, int twins, int also)
{
    emitter e;
    const program *p = m->parts[i].p;
    emitter_begin(&e, f, &m->r, p);
    e.letter = letter_of(&m->r, p->g->width);
    e.load = load_leaf;
    e.store = store_leaf;
    e.twins = twins;
    e.scaled = also & SCALED;
    const int block = twins * block_of(m, i);
    fprintf(f,
            "    {\n    const T *x = in + (ptrdiff_t)i * in_dist;\n"
            "    T *y = out + (ptrdiff_t)i * out_dist;\n"
            "    for (; i + %d <= count; i += %d,\n"
            "        x += %d * in_dist, y += %d * out_dist) {\n",
            block, block, block, block);
    if (also & BOTH_SIGNS)
        emit_leaf_constants(&e);
    else
        emit_lane_constants(&e);
    if (e.scaled)
        fprintf(f, "    const %c s = %cK(*tw);\n", e.letter, e.letter);
    if (twins == 2) {
        fputs("    const T *x2 = x + in_dist;\n    T *y2 = y + out_dist;\n",
              f);
        load_in_order(&e);
    }
    emit_body(&e, &m->parts[i].s);
    fputs("    }\n    }\n", f);
    emitter_end(&e);
}

static void emit_head_of(FILE *f, const char *name, const char *sign)
{
    fprintf(f,
            "static __attribute__((noinline)) void %s(const T *in, T *out,\n"
            "    size_t count, ptrdiff_t in_dist, ptrdiff_t out_dist%s)",
            name, sign);
}

/* Entries of both types are of one function type (kernel/pass.h). */
void emit_leaf_entry(FILE *f, const char *name, int reads_table)
{
    fprintf(f,
            "\nwf_leaf %s;\n"
            "void %s(const void *from, void *to, size_t count,\n"
            "    ptrdiff_t in_dist, ptrdiff_t out_dist, const void *tw)\n{\n"
            "    const T *in = from;\n    T *out = to;\n%s",
            name, name, reads_table ? "" : "    (void)tw;\n");
}

static void emit_body_of(FILE *f, const made *m)
{
    fputs("    size_t i = 0;\n", f);
    if (in_two_loops(&m->r))
        emit_long_leaf(f, m);
    else if (in_loops(&m->r)) {
        for (int i = 0; i < m->count - 1; ++i)
            emit_part(f, m, i, 1, BOTH_SIGNS);
        emit_prime_leaf(f, &m->r);
    } else
        emit_part(f, m, m->count - 1, 1,
                  is_shared(&m->r) ? BOTH_SIGNS : PLAIN);
}

static int has_blocks(const made *m)
{
    return in_pairs(m) ||
           (m->count > 1 && !in_loops(&m->r) && !in_two_loops(&m->r));
}

int leaf_scaled(const made *m)
{
    const row *r = &m->r;
    const kind_info *kind = kind_of(r->kind);
    const int wide = r->isa == WF_ISA_AVX2 || r->isa == WF_ISA_AVX512;
    const int n = r->radix;
    const int real = kind->real && kind->leaf > 0 && n < SHARED,
              rare = n == 11 || n == 13 || n == 14,
              often = is_shared(r) &&
                      (n == 20 || n == 24 || n == 32 || n == 64);
    return wide && !kind->split && !rare && (real || is_short(r) || often);
}

static int smallest_block(const made *m)
{
    return in_pairs(m) ? 2 : block_of(m, m->count - 2);
}

/* `sign` is what a shared leaf takes beside the distances; what is left goes to
 * `rest`, with `more` behind the distances. */
static void emit_blocks(FILE *f, const made *m, const char *name,
                        const char *sign, const char *rest, const char *more)
{
    const int also = *sign ? BOTH_SIGNS : PLAIN;
    char many[96];
    if (!has_blocks(m))
        return;
    snprintf(many, sizeof many, "many_%s", name);
    emit_head_of(f, many, sign);
    fputs("\n{\n    size_t i = 0;\n", f);
    if (in_pairs(m))
        emit_part(f, m, 0, 2, also);
    for (int i = 0; i < m->count - 1; ++i)
        emit_part(f, m, i, 1, also);
    /* What is called may be of narrower registers, and compilers leave the upper
     * halves in use then. */
    const int halves = m->r.isa == WF_ISA_AVX2 || m->r.isa == WF_ISA_AVX512;
    fprintf(f,
            "    if (i < count) {\n%s"
            "        %s(in + (ptrdiff_t)i * in_dist,\n"
            "            out + (ptrdiff_t)i * out_dist, count - i,\n"
            "            in_dist, out_dist, %s);\n    }\n}\n",
            halves ? "        __builtin_ia32_vzeroupper();\n" : "", rest,
            more);
}

static void emit_call_of_blocks(FILE *f, const made *m, const char *name,
                                const char *more)
{
    if (has_blocks(m))
        fprintf(f,
                "    if (count >= %d) {\n"
                "        many_%s(in, out, count, in_dist, out_dist%s);\n"
                "        return;\n    }\n",
                smallest_block(m), name, more);
}

/* What ends the names of all functions of a leaf. */
static void print_suffix(char suffix[64], const row *r)
{
    snprintf(suffix, 64, "_%d_%s_%s", r->radix, real_name(r->real),
             target_of(r->isa)->name);
}

/* All loops of a leaf, times *tw; complex ones of either sign. */
static void emit_scaled(FILE *f, const made *m, const char *name)
{
    const int real = kind_of(m->r.kind)->real;
    char scaled[120];
    snprintf(scaled, sizeof scaled, "scaled_%s", name);
    emit_head_of(f, scaled, ", const T *tw");
    fputs("\n{\n    size_t i = 0;\n", f);
    if (!real)
        fputs("    ptrdiff_t inverse = (ptrdiff_t)tw[1];\n", f);
    for (int i = 0; i < m->count; ++i) {
        if (i > 0)
            fputs("    if (i == count)\n        return;\n", f);
        emit_part(f, m, i, 1, SCALED | (real ? PLAIN : BOTH_SIGNS));
    }
    fputs("}\n", f);
}

static void emit_call_of_scaled(FILE *f, const char *name)
{
    fprintf(f,
            "    if (__builtin_expect(tw != NULL, 0)) {\n"
            "        scaled_%s(in, out, count, in_dist, out_dist, tw);\n"
            "        return;\n    }\n",
            name);
}

static void emit_shared(FILE *f, const made *m, const char *name)
{
    const int long_leaf = in_two_loops(&m->r);
    const char *sign = long_leaf ? ", const T *tw, ptrdiff_t inverse"
                                 : ", ptrdiff_t inverse";
    const int inverse = kind_of(m->r.kind)->leaf > 0;
    char suffix[64], shared[80];
    print_suffix(suffix, &m->r);
    snprintf(shared, sizeof shared, "leaf%s", suffix);
    if (!inverse) { /* which comes first */
        if (in_loops(&m->r))
            fputs("\n#include \"kernel/vec/prime_leaf.h\"\n", f);
        fputs("\n", f);
        emit_head_of(f, shared, sign);
        fputs(";\n", f);
        emit_blocks(f, m, shared, sign, shared, "inverse");
        emit_head_of(f, shared, sign);
        fputs("\n{\n", f);
        emit_call_of_blocks(f, m, shared, ", inverse");
        emit_body_of(f, m);
        fputs("}\n", f);
        if (leaf_scaled(m))
            emit_scaled(f, m, shared);
    }
    emit_leaf_entry(f, name, long_leaf || leaf_scaled(m));
    if (leaf_scaled(m))
        emit_call_of_scaled(f, shared);
    fprintf(f, "    %s(in, out, count, in_dist, out_dist, %s%d);\n}\n", shared,
            long_leaf ? "tw, " : "", inverse);
}

/* Where blocks have many numbers they are one function for both signs, which saves 24
 * KB; what is left of them and single transforms are two, as the jump would cost more
 * than it saves. */
static void emit_apart(FILE *f, const made *m, const char *name)
{
    const int inverse = kind_of(m->r.kind)->leaf > 0,
              real = kind_of(m->r.kind)->real, first = real || !inverse,
              both = is_short(&m->r) && m->r.radix > MOST_APART,
              scaled = leaf_scaled(m);
    char suffix[64], shared[80], rest[200], sign[16] = "";
    print_suffix(suffix, &m->r);
    snprintf(shared, sizeof shared, "leaf%s", suffix);
    snprintf(rest, sizeof rest, "(inverse ? wf_leaf_inv%s : wf_leaf_fwd%s)",
             suffix, suffix);
    if (both && first)
        fprintf(f, "\nwf_leaf wf_leaf_fwd%s, wf_leaf_inv%s;\n", suffix,
                suffix);
    else if (!both && has_blocks(m))
        fprintf(f, "\nwf_leaf %s;\n", name);
    if (!both)
        emit_blocks(f, m, name, "", name, "NULL");
    else if (first)
        emit_blocks(f, m, shared, ", ptrdiff_t inverse", rest, "NULL");
    if (scaled && first)
        emit_scaled(f, m, real ? name : shared);
    emit_leaf_entry(f, name, scaled);
    if (scaled)
        emit_call_of_scaled(f, real ? name : shared);
    if (both)
        snprintf(sign, sizeof sign, ", %d", inverse);
    emit_call_of_blocks(f, m, both ? shared : name, sign);
    emit_body_of(f, m);
    fputs("}\n", f);
}

void emit_leaf(FILE *f, const made *m)
{
    char bare[80], name[96];
    emit_name(bare, sizeof bare, &m->r);
    snprintf(name, sizeof name, "wf_%s", bare);
    if (is_shared(&m->r))
        emit_shared(f, m, name);
    else
        emit_apart(f, m, name);
}
