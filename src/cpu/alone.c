/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone.c - one vector of type II or III, unit stride, by one kernel that reads
 * all of it before it writes.
 *
 * A sine transform is what the kernel makes of factors a quarter turn on, with
 * the sign that it has for them: its frequencies lie one element lower, and
 * number 0, which would be below the first, is apart at the other end.
 */
#include <math.h>

#include "cpu/r2r.h"
#include "num/num.h"

/* Where the kernel's pointers are, in elements of the input and the output. */
typedef struct alone {
    wf_node node;
    const wf_kernel *kernel;
    ptrdiff_t in, in_apart, out, out_apart;
} alone;

static void run_alone(const void *what, const void *in, void *out)
{
    const alone *a = what;
    const size_t bytes = a->node.bytes;
    wf_call_pass(a->kernel, wf_at(in, a->in, bytes),
                 wf_at(in, a->in_apart, bytes), wf_to(out, a->out, bytes),
                 wf_to(out, a->out_apart, bytes), a->node.table[0], NULL);
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    (void)scratch;
    run_alone(node, at->in_re, at->out_re);
}

wf_alone_run *wf_alone_of(const wf_node *node)
{
    return node->run == run ? run_alone : NULL;
}

/* See kinds.def. */
static weft_status make_table(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, alone *a)
{
    enum { ENDS = 16 };
    const int64_t n = step->n;
    const bool back = a->kernel->kind == WF_KERNEL_ALONE3;
    const bool sine = wf_r2r_is_sine(step->real);
    const int64_t sign = back ? 1 : -1, from = sine ? -sign * n : 0;
    const double scale = usage->scale, middle = sqrt(2) * scale;
    const double first = usage->ortho ? middle : back ? scale : 2 * scale;
    const wf_r2r_row rows[2] = {{from + sign, sign, scale},
                                {from + sign * (n + 5), 5 * sign, scale}};
    void *table = wf_node_table(&a->node, (size_t)n + 2 * ENDS + 3);
    if (table == NULL)
        return wf_no_memory();
    for (int64_t i = 0; i < ENDS; i++) {
        const bool odd = i % 2 != 0;
        wf_table_set(binder->real, table, n + i,
                     back || !odd ? first : -middle);
        wf_table_set(binder->real, table, n + ENDS + i,
                     odd    ? middle
                     : back ? -middle
                            : first);
    }
    const double turn = sine ? -1 : 1;
    wf_table_set(binder->real, table, n + 2 * ENDS, turn);
    wf_table_set(binder->real, table, n + 2 * ENDS + 1, -turn);
    wf_table_set(binder->real, table, n + 2 * ENDS + 2, turn * sqrt(0.5));
    return wf_r2r_rows(binder, table, (size_t)n / 4, 4 * (uint64_t)n, rows, 2);
}

weft_status wf_bind_alone(const wf_binder *binder, const wf_step *step,
                          const wf_usage *usage, wf_node **node)
{
    const wf_kernel_kind kind = wf_r2r_is_kind(step->real, WEFT_REDFT01)
                                    ? WF_KERNEL_ALONE3
                                    : WF_KERNEL_ALONE2;
    const wf_kernel *kernel = NULL;
    *node = NULL;
    if (step->n <= 1024)
        kernel = wf_kernel_of_leaf(kind, binder->type, (int)step->n);
    if (kernel == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "no kernel for %lld numbers alone", (long long)step->n);
    alone *a = (alone *)wf_node_new(binder, sizeof *a, run);
    if (a == NULL)
        return wf_no_memory();
    a->kernel = kernel;
    if (wf_r2r_is_sine(step->real)) {
        const ptrdiff_t last = (ptrdiff_t)step->n - 1;
        const bool back = kind == WF_KERNEL_ALONE3;
        a->in = back ? -1 : 0;
        a->out = back ? 0 : -1;
        a->in_apart = a->out_apart = last;
    }
    weft_status status = make_table(binder, step, usage, a);
    if (status != WEFT_OK) {
        wf_node_free(&a->node);
        return status;
    }
    *node = &a->node;
    return WEFT_OK;
}
