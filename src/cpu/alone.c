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
#include <string.h>

#include "cpu/r2r.h"
#include "num/num.h"

/* Where the kernel's pointers are, in bytes from the input and the output; the
 * kernel's row by value, for a short one is over as soon as that is found. */
typedef struct alone {
    wf_node node;
    wf_kernel kernel;
    ptrdiff_t in, in_apart, out, out_apart;
} alone;

static void run_alone(const void *what, const void *in, void *out)
{
    const alone *a = what;
    wf_call_pass(&a->kernel, wf_at(in, a->in, 1), wf_at(in, a->in_apart, 1),
                 wf_to(out, a->out, 1), wf_to(out, a->out_apart, 1),
                 a->node.table[0], NULL);
}

/* The table of kinds.def: what it is made for, and where it is. */
typedef struct making {
    const wf_binder *binder;
    void *table;
    int64_t n, q, m;
    bool second, sine;
    double scale, first; /* of all outputs or inputs, and of the one apart */
} making;

enum { LANES = 16, TURNS = LANES + 1, ENDS = 3 * LANES };

static double angle(int64_t turns, int64_t order)
{
    return 2 * 3.14159265358979323846 * (double)turns / (double)order;
}

/* What the kernel leaves to be multiplied of output k of its transforms, or wants
 * multiplied beforehand of their input; it drops number m. */
static double left_of(const making *make, int64_t k)
{
    int64_t n = make->m;
    if (k == 0 || k == n)
        return make->second && k == n ? 0 : 1;
    for (; k % 2 == 0 && n % 2 == 0; k /= 2)
        n /= 2;
    if (n % 2)
        return 1;
    const int64_t p = k / 2, q = n / 2;
    if (q % 2)
        return make->second ? sqrt(0.5) : 1;
    const double a = angle(8 * (p % 2 ? (q - 1 - p) / 2 : p / 2) + 1, 16 * q);
    const double given = fmax(cos(a), sin(a));
    return make->second ? (p % 2 ? -1 : 1) * cos(angle(1, 16 * q)) * given
                        : given;
}

static void set(const making *make, int64_t at, double value)
{
    wf_table_set(make->binder->real, make->table, at, value);
}

/* Four factors of l for each frequency; those of the last one, which stands in
 * two places, count half on the way in. */
static void set_factors(const making *make, int64_t l, const double *line)
{
    const int64_t m = make->m, upper = 4 * l >= make->q;
    const int64_t pair = upper ? make->q / 2 - 1 - l : l;
    int64_t row[4];
    for (int64_t which = 0; which < 4; which++)
        row[which] = (8 * pair + 2 * (which ^ upper) + upper) * m - 1;
    const double minus = (l % 2 != 0) != make->sine ? -1 : 1;
    for (int64_t k = 1; k <= m; k++) {
        const double half = k == m && !make->second ? 0.5 : 1;
        const double sum = make->scale * half * left_of(make, k);
        const double less = make->scale * half * left_of(make, m - k);
        const double u = line[2 * (k - 1) + make->sine];
        const double w = line[2 * (k - 1) + !make->sine];
        set(make, row[0] + k, sum * u);
        set(make, row[1] + k, less * w);
        set(make, row[2] + k, minus * less * u);
        set(make, row[3] + k, -minus * sum * w);
    }
}

static void set_others(const making *make, wf_root_table *roots)
{
    const int64_t at = 2 * make->n, q = make->q;
    const double sign = make->sine ? -1 : 1;
    for (int64_t i = 0; i < LANES; i++)
        set(make, at + i, i < q / 2 ? sign : -sign);
    set(make, at + LANES, sign);
    for (int64_t t = 0; t <= q / 4; t++) {
        double turn[2];
        wf_root_table_f64(roots, 2 * t * make->m, 0, 0, 1, turn);
        set(make, at + TURNS + 2 * t, sign * turn[0]);
        set(make, at + TURNS + 2 * t + 1, sign * turn[1]);
    }
    for (int64_t y = 0; y < q / 2; y++)
        for (int64_t l = 0; l < q / 2; l++) {
            double turn[2];
            wf_root_table_f64(roots, 2 * make->m * y * (2 * l + 1), 0, 0, 1,
                              turn);
            const double even = y ? make->scale : make->first;
            const double odd = y       ? -make->scale * turn[1]
                               : l % 2 ? make->first
                                       : -make->first;
            set(make,
                at + ENDS + (make->second ? LANES * l + y : LANES * y + l),
                make->sine ? odd : even * turn[0]);
        }
}

/* Zeros first: the kernel multiplies by what is behind the last factor of a row,
 * too, and drops the result; others leave denormal numbers there, at 150 cycles a
 * product. */
static weft_status make_table(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, alone *a)
{
    making make = {.binder = binder, .n = step->n};
    make.q = wf_alone_columns((int)step->n);
    make.second = a->kernel.kind == WF_KERNEL_ALONE2;
    make.sine = wf_r2r_is_sine(step->real);
    make.scale = 2 * usage->scale;
    make.first = usage->ortho  ? sqrt(2) * usage->scale
                 : make.second ? 2 * usage->scale
                               : usage->scale;
    make.m = step->n / make.q;
    const size_t scalars = (size_t)(2 * step->n + ENDS + LANES * (make.q / 2));
    make.table = wf_node_table(&a->node, scalars);
    if (make.table != NULL)
        memset(make.table, 0, scalars * a->node.bytes);
    double *line = wf_alloc(2 * (size_t)make.m * sizeof *line);
    wf_root_table *roots = wf_root_table_new(4 * (uint64_t)step->n);
    const bool made = make.table != NULL && line != NULL && roots != NULL;
    for (int64_t l = 0; made && l < make.q / 2; l++) {
        const int64_t u = make.q - 1 - 2 * l;
        wf_root_table_f64(roots, u, u, 0, (size_t)make.m, line);
        set_factors(&make, l, line);
    }
    if (made)
        set_others(&make, roots);
    wf_root_table_free(roots);
    wf_free(line);
    return made ? WEFT_OK : wf_no_memory();
}

weft_status wf_bind_alone(const wf_binder *binder, const wf_step *step,
                          const wf_usage *usage, wf_node **node)
{
    const wf_kernel_kind kind = wf_kind_is_type(step->real, WEFT_REDFT01)
                                    ? WF_KERNEL_ALONE3
                                    : WF_KERNEL_ALONE2;
    const wf_kernel *kernel = NULL;
    *node = NULL;
    if (step->n <= 1024)
        kernel = wf_kernel_of_leaf(kind, binder->type, (int)step->n, false);
    if (kernel == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "no kernel for %lld numbers alone", (long long)step->n);
    alone *a = (alone *)wf_node_new(binder, sizeof *a, wf_node_run_plain);
    if (a == NULL)
        return wf_no_memory();
    a->node.plain = (wf_plain){run_alone, a};
    a->kernel = *kernel;
    if (wf_r2r_is_sine(step->real)) {
        const ptrdiff_t bytes = (ptrdiff_t)a->node.bytes;
        const bool back = kind == WF_KERNEL_ALONE3;
        a->in = back ? -bytes : 0;
        a->out = back ? 0 : -bytes;
        a->in_apart = a->out_apart = ((ptrdiff_t)step->n - 1) * bytes;
    }
    weft_status status = make_table(binder, step, usage, a);
    if (status != WEFT_OK) {
        wf_node_free(&a->node);
        return status;
    }
    *node = &a->node;
    return WEFT_OK;
}
