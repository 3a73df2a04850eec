/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit_prime_leaf.c - whole transforms of large primes: the body that calls
 * the loops of kernel/vec/prime_leaf.h, and their table.
 */
#include "emit_body.h"

#include "util.h"

/* The most registers of outputs that prime_leaf.h takes together. */
enum { MOST = 8 };

static int lanes_of(const row *r)
{
    const int lanes = target_lanes(r->isa, r->real);
    const int widest = r->real == WF_F64 ? 4 : 8;
    return lanes < widest ? lanes : widest;
}

/* Of `left` registers, those in the next block: even shares. */
static int block_of(int left)
{
    const int blocks = (left + MOST - 1) / MOST;
    return (left + blocks - 1) / blocks;
}

static int registers_of(const row *r)
{
    const int c = lanes_of(r) / 2;
    return ((r->radix - 1) / 2 + c - 1) / c;
}

/* Rows of one matrix: for each j the columns of `count` registers from k on. */
static void emit_rows(const emitter *e, int sine, int k, int count)
{
    const int p = e->r->radix, lanes = lanes_of(e->r);
    for (int j = 1; j <= (p - 1) / 2; ++j)
        for (int l = 0; l < count * lanes; ++l) {
            const long turns = (long)j * (k + l / 2);
            fputs("        ", e->f);
            print_constant(e->f, e->r->real,
                           sine ? turn_sin(turns, p) : turn_cos(turns, p));
            fputs(",\n", e->f);
        }
}

void emit_prime_leaf(FILE *f, const row *r)
{
    const emitter e = {.f = f, .r = r};
    const int p = r->radix, c = lanes_of(r) / 2, all = registers_of(r);
    fputs("    static const T roots[] __attribute__((aligned(64))) = {\n", f);
    for (int done = 0, n; done < all; done += n) {
        n = block_of(all - done);
        emit_rows(&e, 0, 1 + done * c, n);
        emit_rows(&e, 1, 1 + done * c, n);
    }
    fprintf(f,
            "    };\n    const T sign = inverse ? 1 : -1;\n"
            "    const P alt = PALT(sign);\n"
            "    for (; i < count; ++i) {\n"
            "    const T *x = in + (ptrdiff_t)i * in_dist, *t = roots;\n"
            "    T *y = out + (ptrdiff_t)i * out_dist;\n"
            "    T b[2 * PRIME_ROOM] __attribute__((aligned(64)));\n"
            "    const P first = PALL(x);\n"
            "    prime_leaf_fold(x, %d, b);\n",
            p);
    for (int done = 0, n; done < all; done += n) {
        n = block_of(all - done);
        fprintf(f, "    %sprime_leaf_%d(first, y, %d, %d, b, t, alt);\n",
                done + n < all ? "t = " : "", n, p, 1 + done * c);
    }
    fputs("    }\n", f);
}
