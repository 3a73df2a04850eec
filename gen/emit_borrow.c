/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_borrow.c - kernels that borrow the arithmetic of another row.
 *
 * With one lane, interleaved is split with im = re + 1, a transpose is no
 * motion, and the two forms of a twiddle table are one: scalar kernels need
 * three bodies of each radix, the rest are calls.  For large primes the
 * other kinds gather their legs around col_s; see kernel/vec/legs.h.
 */
#include "emit_body.h"

/* 17 and 19 lose half their speed to gathering, 31 a fifth. */
enum { LARGE_PRIME = 23 };

static int is_large(int radix)
{
    for (int d = 2; d < radix; ++d)
        if (radix % d == 0)
            return 0;
    return radix >= LARGE_PRIME;
}

typedef enum borrow { NONE, RENAMED, LEAF, GATHERED } borrow;

static borrow how(const row *r, wf_kernel_kind *lender)
{
    const kind_info *kind = kind_of(r->kind);
    *lender = WF_KERNEL_COL_S;
    if (kind->half)
        return NONE;
    if (r->isa == WF_ISA_SCALAR && r->radix > 1) {
        if (kind->leaf)
            return LEAF;
        if (r->kind == WF_KERNEL_COLMID)
            *lender = WF_KERNEL_MID;
        if (r->kind == WF_KERNEL_COLLAST_SCALED)
            *lender = WF_KERNEL_LAST_SCALED;
        if (r->kind == WF_KERNEL_COLFIRST || r->kind == WF_KERNEL_COL_I ||
            kind->first || *lender != WF_KERNEL_COL_S)
            return RENAMED;
    }
    if (is_large(r->radix) && !kind->leaf && !kind->first &&
        r->kind != WF_KERNEL_COL_S)
        return GATHERED;
    return NONE;
}

int borrows(const row *r)
{
    wf_kernel_kind lender;
    return how(r, &lender) != NONE;
}

int lender_of(const row *r, row *lender)
{
    *lender = *r;
    return how(r, &lender->kind) != NONE;
}

static void emit_renamed(FILE *f, const row *r, const char *lender)
{
    const kind_info *kind = kind_of(r->kind);
    const int split_out = kind->out_i && !kind->scaled;
    if (kind->in_i)
        fputs("    (void)in_im;\n", f);
    if (split_out)
        fputs("    (void)out_im;\n", f);
    fprintf(f, "    wf_%s(in_re, in_%s, out_re, out_%s, tw, a);\n", lender,
            kind->in_i ? "re + 1" : "im", split_out ? "re + 1" : "im");
}

static void emit_gathered(FILE *f, const row *r, const char *lender)
{
    const kind_info *k = kind_of(r->kind);
    if (k->in_i)
        fputs("    (void)in_im;\n", f);
    if (k->out_i)
        fputs("    (void)out_im;\n", f);
    if (!k->twiddles)
        fputs("    (void)tw;\n", f);
    fprintf(f,
            "    T b[%d * VL] __attribute__((aligned(64)));\n"
            "    wf_pass_args core = { .np = 1, .nq = 1, .in_leg = 2 * VL };\n"
            "    core.out_leg = %s;\n"
            "    const int flags = 0%s%s%s%s;\n"
            "    for (ptrdiff_t p = 0; p < (ptrdiff_t)a->np; ++p)\n"
            "        for (ptrdiff_t q = 0; q < (ptrdiff_t)a->nq; ++q) {\n"
            "            const ptrdiff_t x = p * a->in_p + q * a->in_q;\n"
            "            const ptrdiff_t y = p * a->out_p + q * a->out_q;\n",
            2 * r->radix, k->out_i ? "2 * VL" : "a->out_leg",
            k->in_i ? " | LEGS_INTERLEAVED" : "",
            k->twiddles == 'V' ? " | LEGS_TWIDDLE_LANES" : "",
            k->twiddles == 'B' ? " | LEGS_TWIDDLE_BROADCAST" : "",
            k->scaled ? " | LEGS_SCALED" : "");
    fprintf(f,
            "            legs_gather(b, %d, flags, in_re + x, %s,\n"
            "                %s, a);\n",
            r->radix, k->in_i ? "NULL" : "in_im + x",
            k->twiddles ? "tw + (p * a->tw_p + q * a->tw_q)" : "NULL");
    if (k->out_i)
        fprintf(f,
                "            wf_%s(b, b + VL, b, b + VL, NULL, &core);\n"
                "            legs_scatter(b, %d, out_re + y, a->out_leg);\n",
                lender, r->radix);
    else
        fprintf(f,
                "            wf_%s(b, b + VL, out_re + y, out_im + y, NULL,\n"
                "                &core);\n",
                lender);
    fputs("        }\n", f);
}

static void emit_leaf_call(FILE *f, const row *r, const char *lender)
{
    const int inverse = kind_of(r->kind)->leaf > 0;
    fprintf(f,
            "    const wf_pass_args a = {\n"
            "        .np = 1, .nq = count, .in_base = %d, .in_leg = %d,\n"
            "        .in_q = in_dist, .out_leg = 2, .out_q = out_dist\n"
            "    };\n"
            "    wf_%s(in, in + 1, out, out + 1, NULL, &a);\n",
            inverse ? 2 * r->radix : 0, inverse ? -2 : 2, lender);
}

void emit_borrowing(FILE *f, const row *r)
{
    wf_kernel_kind lender;
    const borrow b = how(r, &lender);
    const row other = {lender, r->real, r->isa, r->radix};
    const char *real = real_name(r->real);
    char name[80], body[80];
    emit_name(name, sizeof name, r);
    emit_name(body, sizeof body, &other);
    fprintf(f, "\nextern wf_pass_%s wf_%s;\n", real, body);
    if (b == LEAF) {
        fprintf(f, "wf_leaf_%s wf_%s;\n", real, name);
        fprintf(f,
                "void wf_%s(const T *in, T *out, size_t count,\n"
                "    ptrdiff_t in_dist, ptrdiff_t out_dist)\n{\n",
                name);
        emit_leaf_call(f, r, body);
    } else {
        fprintf(f, "wf_pass_%s wf_%s;\n", real, name);
        fprintf(f,
                "void wf_%s(const T *in_re, const T *in_im, T *out_re,\n"
                "    T *out_im, const T *tw, const wf_pass_args *a)\n{\n",
                name);
        if (b == RENAMED)
            emit_renamed(f, r, body);
        else
            emit_gathered(f, r, body);
    }
    fputs("}\n", f);
}
