/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_row.c - what the generator knows of a kernel, as its line in
 * kernels.inc, and of a run of those lines, as its line in groups.inc.
 */
#include "emit_body.h"

static void count_steps(tally *t, const program *p, const schedule *s)
{
    for (int i = 0; i < s->count; ++i) {
        if (s->steps[i] < 0)
            continue;
        switch (p->g->nodes[s->steps[i]].op) {
        case OP_ADD:
        case OP_SUB:
        case OP_NEG: ++t->adds; break;
        case OP_MUL: ++t->muls; break;
        case OP_FMA:
        case OP_FNMA:
        case OP_FMS:
        case OP_FMALT: ++t->fmas; break;
        default: ++t->shuffles; break;
        }
    }
    for (int i = 0; i < p->g->count; ++i) {
        const op o = p->g->nodes[i].op;
        t->loads += o == OP_LOAD;
        t->constants += o == OP_CONST || o == OP_ALT || o == OP_VEC;
    }
    t->stores = p->root_count;
}

/* What surrounds the graph: interleaving and transposes. */
static void count_frame(tally *t, const row *r, const program *p)
{
    const kind_info *kind = kind_of(r->kind);
    if (kind->in_i)
        t->shuffles += r->radix *
                       target_interleave_cost(r->isa, r->real,
                                              kind->first || kind->out_i);
    if (kind->out_i)
        t->shuffles += r->radix *
                       target_interleave_cost(r->isa, r->real, kind->in_i);
    if (kind->half && !kind->first && !kind->out_i)
        t->shuffles += kind->half == HARTLEY ? r->radix : r->radix - 1;
    if (kind->rows)
        t->shuffles += 2 * r->radix / target_lanes(r->isa, r->real) *
                       target_transpose_cost(r->isa, r->real);
    if (kind->first) {
        t->shuffles += 2 * p->sink_count *
                       target_transpose_cost(r->isa, r->real);
        t->stores = 2 * p->sink_count * target_lanes(r->isa, r->real);
    }
}

/* Registers of two arrays are put together, scaled and parted. */
static void count_split(tally *t)
{
    t->shuffles += t->loads + t->stores;
    t->muls += t->stores;
}

/* A leaf is counted as it runs alone; a batch may share registers and take
 * less. */
tally count_operations(const made *m)
{
    tally t = {0};
    const int alone = m->count - 1;
    const program *p = m->parts[alone].p;
    count_steps(&t, p, &m->parts[alone].s);
    if (kind_of(m->r.kind)->split)
        count_split(&t);
    else if (!kind_of(m->r.kind)->leaf && !kind_of(m->r.kind)->within)
        count_frame(&t, &m->r, p);
    return t;
}

static const char *const reals[] = {"F64", "F32"};
static const char *const isas[] = {"SCALAR", "SSE2", "AVX2", "AVX512", "NEON"};
static const char *const kinds[] = {
#define WF_KIND(id, kind_name, role) #id,
#include "kernel/kinds.def"
#undef WF_KIND
};

void emit_row(FILE *f, const made *m)
{
    const row *r = &m->r;
    const tally t = count_operations(m);
    char name[80];
    emit_name(name, sizeof name, r);
    fprintf(
        f,
        "WF_ROW(%s, %s, %s, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, "
        "%s, %s)\n",
        kinds[r->kind], reals[r->real], isas[r->isa], r->radix,
        target_lanes(r->isa, r->real), t.adds, t.muls, t.fmas, t.loads,
        t.stores, t.shuffles, t.constants, m->parts[m->count - 1].s.max_live,
        in_two_loops(r) ? m->parts[0].p->leaf.rows : 0, leaf_scaled(m),
        kind_of(r->kind)->leaf && !kind_of(r->kind)->split ? "leaf"
        : r->real == WF_F64                                ? "pass_f64"
                                                           : "pass_f32",
        name);
}

void emit_run(FILE *f, const row *first, int count)
{
    char name[80];
    emit_name(name, sizeof name, first);
    fprintf(f, "WF_RUN(%s, %s, %s, %d, %s)\n", kinds[first->kind],
            reals[first->real], isas[first->isa], count, name);
}
