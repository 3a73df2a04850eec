/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_prime.c - passes of large primes: tables and entries for the loops of
 * kernel/vec/prime.h.
 *
 * Straight lines of these radices were a fifth of the library, and mostly
 * slower (ns of a butterfly, Zen 4, before and after: mid_31 f64 SSE2 328, 223,
 * AVX2 232, 185, AVX-512 381, 327; mid_19 118, 97, 77, 76, 135, 131), those of 17
 * and 19 without twiddle factors, and of 17 on AVX-512, a little faster (col_s_17
 * AVX2 54 and 61, AVX-512 91 and 102; mid_17 105 and 109).  So are 11 and 13 where
 * a vector has few lanes (lengths of them: SSE2 0.94 in the mean, scalar 0.87), for
 * 230 KB, which cosine transforms of more lengths have better use for.
 */
#include "emit_body.h"

#include "util.h"

enum { SMALLEST = 17, SMALLEST_OF_FEW = 11 };

static int is_prime(int n)
{
    for (int d = 2; d * d <= n; ++d)
        if (n % d == 0)
            return 0;
    return n > 1;
}

int in_loops(const row *r)
{
    const kind_info *k = kind_of(r->kind);
    const int few = r->isa == WF_ISA_SCALAR || r->isa == WF_ISA_SSE2;
    return !k->real && !k->reals && !k->first && !k->cosine && !k->within &&
           r->radix >= (few && !k->leaf ? SMALLEST_OF_FEW : SMALLEST) &&
           is_prime(r->radix) && !borrows(r);
}

/* As many columns as prime.h takes together. */
static int block_of(int left)
{
    return left == 5 ? 5 : left % 3 ? 4 : 3;
}

/* Instruction sets without loads that fill a register with one number have copies of
 * it; those with 32 registers another order; all others the same tables, which are in
 * the file of scalars. */
static int copies_in(const row *r)
{
    return r->isa == WF_ISA_SSE2 ? target_lanes(r->isa, r->real) : 1;
}

static int has_many_registers(const row *r)
{
    return r->isa == WF_ISA_AVX512 || r->isa == WF_ISA_NEON;
}

static void print_roots_name(FILE *f, const row *r)
{
    fprintf(f, "wf_roots_%d_%s", r->radix, real_name(r->real));
}

/* alone: for a file that is not among the library's. */
static void emit_roots(const emitter *e, int alone)
{
    const int p = e->r->radix, h = (p - 1) / 2, copies = copies_in(e->r),
              many = has_many_registers(e->r),
              shared = copies == 1 && !many && !alone;
    if (shared) {
        fputs("\nextern __attribute__((visibility(\"hidden\"))) const T ",
              e->f);
        print_roots_name(e->f, e->r);
        fputs("[];\n", e->f);
        if (e->r->isa != WF_ISA_SCALAR)
            return;
    }
    fputs(shared ? "const T " : "\nstatic const T ", e->f);
    print_roots_name(e->f, e->r);
    fputs("[] __attribute__((aligned(64))) = {\n", e->f);
    for (int k = 1, n; k <= h; k += n) {
        n = block_of(h + 1 - k);
        for (int step = 0; step < 2 * h; ++step) {
            const int j = 1 + (many ? step / 2 : step % h);
            const int sine = many ? step % 2 : step / h;
            for (int i = 0; i < n * copies; ++i) {
                const long turns = (long)j * (k + i / copies);
                fputs("    ", e->f);
                print_constant(e->f, e->r->real,
                               sine ? turn_sin(turns, p) : turn_cos(turns, p));
                fputs(",\n", e->f);
            }
        }
    }
    fputs("};\n", e->f);
}

static void emit_head_of(FILE *f, const char *prefix, const char *name,
                         const char *suffix)
{
    fprintf(f,
            "%s%s(const T *in_re, const T *in_im, T *out_re,\n"
            "    T *out_im, const T *tw, const wf_pass_args *a%s",
            prefix, name, suffix);
}

static void emit_loops(FILE *f, const kind_info *k)
{
    emit_head_of(f, "\nstatic __attribute__((noinline)) void prime_", k->name,
                 ",\n    ptrdiff_t h, const T *roots)\n{\n");
    fprintf(f,
            "    prime_pass(in_re, in_im, out_re, out_im, tw, a, h, roots,\n"
            "        0%s%s%s%s%s%s%s);\n}\n",
            k->in_i ? " | PRIME_IN_I" : "", k->out_i ? " | PRIME_OUT_I" : "",
            k->twiddles == 'V' ? " | PRIME_TWIDDLE_V" : "",
            k->twiddles == 'B' ? " | PRIME_TWIDDLE_B" : "",
            k->scaled ? " | PRIME_SCALED" : "",
            k->half && k->half != HARTLEY ? " | PRIME_MIRRORED" : "",
            k->half == HARTLEY ? " | PRIME_HARTLEY" : "");
}

static void emit_include(FILE *f, const row *r)
{
    fprintf(f, "#define PRIME_COPIES %d\n", copies_in(r));
    if (has_many_registers(r))
        fputs("#define PRIME_MANY_REGISTERS\n", f);
    fputs("#include \"kernel/vec/prime.h\"\n", f);
}

void emit_prime_head(FILE *f, const row *rows, int count, int alone)
{
    char radix_done[MAX_RADIX + 1] = {0},
                                kind_done[WF_KERNEL_KIND_COUNT] = {0};
    int included = 0;
    for (int i = 0; i < count; ++i) {
        row r;
        if (!lender_of(&rows[i], &r))
            r = rows[i];
        if (!in_loops(&r) || kind_of(r.kind)->leaf)
            continue;
        const emitter e = {.f = f, .r = &r};
        if (!included++)
            emit_include(f, &r);
        if (!radix_done[r.radix]++)
            emit_roots(&e, alone);
        if (!kind_done[r.kind]++)
            emit_loops(f, kind_of(r.kind));
    }
}

void emit_prime(FILE *f, const row *r)
{
    char name[80];
    emit_name(name, sizeof name, r);
    emit_head_of(f, "\nvoid wf_", name, ");\n");
    emit_head_of(f, "void wf_", name, ")\n{\n");
    fprintf(f, "    prime_%s(in_re, in_im, out_re, out_im, tw, a, %d, ",
            kind_of(r->kind)->name, (r->radix - 1) / 2);
    print_roots_name(f, r);
    fputs(");\n}\n", f);
}
