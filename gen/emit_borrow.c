/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_borrow.c - kernels that borrow the arithmetic of another row.
 *
 * With one lane, interleaved is split with im = re + 1, a transpose is no
 * motion, and the two forms of a twiddle table are one: scalar kernels need
 * three bodies of each radix, the rest are calls.
 */
#include "emit_body.h"

typedef enum borrow { NONE, RENAMED, LEAF } borrow;

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
        char entry[96];
        snprintf(entry, sizeof entry, "wf_%s", name);
        emit_leaf_entry(f, entry, 0);
        emit_leaf_call(f, r, body);
    } else {
        fprintf(f, "wf_pass_%s wf_%s;\n", real, name);
        fprintf(f,
                "void wf_%s(const T *in_re, const T *in_im, T *out_re,\n"
                "    T *out_im, const T *tw, const wf_pass_args *a)\n{\n",
                name);
        emit_renamed(f, r, body);
    }
    fputs("}\n", f);
}
