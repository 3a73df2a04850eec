/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stockham_tuned.c - a bound stockham step as C code of its own.
 *
 * What stockham.c's run reads from the node stands in the code as literals:
 * kernels are inlined, counts, strides, places and the scale are constants.
 * gcc then keeps in registers, or folds into addresses, what the built-in
 * kernels reload for each butterfly (docs/performance.notes.md has what it
 * gains).  The arithmetic is that of the same kernels: the same bits.
 *
 * The key has every number of the node.  Code is used for nodes of an equal
 * key only, so what was compiled from another plan, or by another version of
 * the planner, cannot be wrong: it is not found.
 */
#include <stdio.h>

#include "cpu/stockham.h"
#include "cpu/tuned.h"
#include "kernel/flags.h"

static void add_args(wf_text *text, const wf_pass_args *a)
{
    const struct {
        const char *name;
        ptrdiff_t value;
    } field[] = {{"in_base", a->in_base}, {"in_leg", a->in_leg},
                 {"in_p", a->in_p},       {"in_q", a->in_q},
                 {"out_leg", a->out_leg}, {"out_p", a->out_p},
                 {"out_q", a->out_q},     {"tw_p", a->tw_p},
                 {"tw_q", a->tw_q}};
    wf_text_add(text, "{.np = %zu, .nq = %zu", a->np, a->nq);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        if (field[i].value != 0)
            wf_text_add(text, ", .%s = %td", field[i].name, field[i].value);
    wf_text_add(text, ", .scale = %a}", a->scale);
}

void wf_stockham_name(const stockham *s, wf_text *text)
{
    const wf_kernel *first = s->pass[0].kernel;
    int64_t n = 1;
    for (int i = 0; i < s->passes; i++)
        n *= (int64_t)s->pass[i].kernel->radix *
             (s->pass[i].second != NULL ? s->pass[i].second->radix : 1);
    wf_text_add(text, "stockham %lld w%d ", (long long)n, s->width);
    for (int i = 0; i < s->passes; i++) {
        const pass *p = &s->pass[i];
        wf_text_add(text, "%s%d", i > 0 ? "." : "", p->kernel->radix);
        if (p->second != NULL)
            wf_text_add(text, "+%d", p->second->radix);
    }
    wf_text_add(text, " %s %s %s", s->node.real == WF_F64 ? "f64" : "f32",
                wf_isa_name(first->isa),
                s->pass[0].args.in_leg < 0 ? "inverse" : "forward");
}

/* ---- The key ------------------------------------------------------------- */

static void add_pass_key(const pass *p, wf_text *text)
{
    wf_text_add(text, "; %s %d %d ", wf_kernel_name_of(p->kernel).text,
                (int)p->from, (int)p->to);
    add_args(text, &p->args);
    if (p->second != NULL) {
        wf_text_add(text, " %s ", wf_kernel_name_of(p->second).text);
        add_args(text, &p->second_args);
        wf_text_add(text, " %lld %lld %td %td %td %td %td %td",
                    (long long)p->outer, (long long)p->inner, p->outer_in,
                    p->inner_in, p->outer_out, p->inner_out, p->inner_table,
                    p->inner_second_table);
    } else if (p->has_tail) {
        wf_text_add(text, " %td %td %td ", p->tail_in, p->tail_out,
                    p->table == NULL ? 0
                                     : (const char *)p->tail_table -
                                           (const char *)p->table);
        add_args(text, &p->tail);
    }
}

static void add_key(const stockham *s, wf_text *text)
{
    wf_stockham_name(s, text);
    wf_text_add(text, " %d %d %zu %zu %zu", (int)s->planes, s->width, s->plane,
                s->b, s->buffer);
    for (int i = 0; i < s->passes; i++)
        add_pass_key(&s->pass[i], text);
}

wf_tuned_run *wf_stockham_find_tuned(const stockham *s)
{
    wf_text key = {0};
    add_key(s, &key);
    wf_tuned_run *run = key.failed ? NULL : wf_tuned_find(key.data);
    wf_text_free(&key);
    return run;
}

/* ---- The code ------------------------------------------------------------ */

/* The real part of a place, and what follows it to the imaginary one. */
typedef struct names {
    const char *re;
    char im[40];
} names;

/* As stockham.c's locate and run have it. */
static names name_end(const stockham *s, place where, bool user)
{
    static const char *const re[] = {[IN] = "in_re",
                                     [OUT] = "out_re",
                                     [SCRATCH_A] = "a",
                                     [SCRATCH_B] = "b"};
    names n = {.re = re[where]};
    if ((where == IN || where == OUT) && (user || s->apart))
        snprintf(n.im, sizeof n.im, "%s", where == IN ? "in_im" : "out_im");
    else
        snprintf(n.im, sizeof n.im, "%s + %zu", n.re, s->plane);
    return n;
}

/* Table `index` of the node, `scalars` on; counts the tables it passed. */
static void add_table(wf_text *text, const void *table, int index,
                      ptrdiff_t scalars)
{
    if (table == NULL)
        wf_text_add(text, "NULL");
    else
        wf_text_add(text, "(const T *)table[%d] + %td", index, scalars);
}

static void add_fused(const stockham *s, const pass *p, int i, int table,
                      names from, names to, wf_text *text)
{
    int second = table + (p->table != NULL);
    wf_text_add(text,
                "    for (ptrdiff_t i = 0; i < %lld; i++)\n"
                "        for (ptrdiff_t j = 0; j < %lld; j++) {\n"
                "            const ptrdiff_t in = i * %td + j * %td;\n"
                "            const ptrdiff_t out = i * %td + j * %td;\n"
                "            wf_%s(%s + in, %s + in, buffer, buffer + %d,\n"
                "                ",
                (long long)p->outer, (long long)p->inner, p->outer_in,
                p->inner_in, p->outer_out, p->inner_out,
                wf_kernel_name_of(p->kernel).text, from.re, from.im, s->width);
    add_table(text, p->table, table, 0);
    if (p->table != NULL)
        wf_text_add(text, " + j * %td", p->inner_table);
    wf_text_add(text,
                ", &args_%d);\n"
                "            wf_%s(buffer, buffer + %d, %s + out, %s + out,\n"
                "                ",
                i, wf_kernel_name_of(p->second).text, s->width, to.re, to.im);
    add_table(text, p->second_table, second, 0);
    wf_text_add(text, " + j * %td, &second_%d);\n        }\n",
                p->inner_second_table, i);
}

static void add_single(const stockham *s, const pass *p, int i, int table,
                       names from, names to, wf_text *text)
{
    if (p->args.nq != 0) {
        wf_text_add(text, "    wf_%s(%s, %s, %s, %s,\n        ",
                    wf_kernel_name_of(p->kernel).text, from.re, from.im, to.re,
                    to.im);
        add_table(text, p->table, table, 0);
        wf_text_add(text, ", &args_%d);\n", i);
    }
    if (p->has_tail) {
        ptrdiff_t bytes = p->table == NULL ? 0
                                           : (const char *)p->tail_table -
                                                 (const char *)p->table;
        wf_text_add(text,
                    "    wf_%s(%s + %td, %s + %td, %s + %td, %s + %td,\n"
                    "        ",
                    wf_kernel_name_of(p->kernel).text, from.re, p->tail_in,
                    from.im, p->tail_in, to.re, p->tail_out, to.im,
                    p->tail_out);
        add_table(text, p->table, table, bytes / (ptrdiff_t)s->node.bytes);
        wf_text_add(text, ", &tail_%d);\n", i);
    }
}

static void add_constants(const pass *p, int i, wf_text *text)
{
    wf_text_add(text, "static const wf_pass_args args_%d = ", i);
    add_args(text, &p->args);
    if (p->second != NULL) {
        wf_text_add(text, ";\nstatic const wf_pass_args second_%d = ", i);
        add_args(text, &p->second_args);
    } else if (p->has_tail) {
        wf_text_add(text, ";\nstatic const wf_pass_args tail_%d = ", i);
        add_args(text, &p->tail);
    }
    wf_text_add(text, ";\n");
}

static void add_function(const stockham *s, wf_text *text)
{
    size_t bytes = s->node.bytes;
    wf_text_add(text,
                "\nstatic void run(const void *from_re, const void *from_im, "
                "void *to_re,\n    void *to_im, char *scratch, "
                "const void *const *table)\n{\n"
                "    const T *const in_re = from_re, *const in_im = from_im;\n"
                "    T *const out_re = to_re, *const out_im = to_im;\n"
                "    T *const a = (void *)scratch, *const b = a + %zu;\n"
                "    T *const buffer = a + %zu;\n"
                "    (void)in_im, (void)out_im, (void)b, (void)buffer;\n",
                s->b / bytes, s->buffer / bytes);
    int table = 0;
    for (int i = 0; i < s->passes; i++) {
        const pass *p = &s->pass[i];
        names from = name_end(s, p->from, i == 0);
        names to = name_end(s, p->to, i == s->passes - 1);
        if (p->second != NULL)
            add_fused(s, p, i, table, from, to, text);
        else
            add_single(s, p, i, table, from, to, text);
        table += (p->table != NULL) + (p->second_table != NULL);
    }
    wf_text_add(text, "}\n");
}

/* Each kernel once, in the order of use. */
static void add_kernel_names(const stockham *s, wf_text *text)
{
    const wf_kernel *seen[2 * WF_MAX_RADICES];
    int count = 0;
    for (int i = 0; i < 2 * s->passes; i++) {
        const pass *p = &s->pass[i / 2];
        const wf_kernel *k = i % 2 == 0 ? p->kernel : p->second;
        int at = 0;
        while (at < count && seen[at] != k)
            at++;
        if (k == NULL || at < count)
            continue;
        seen[count++] = k;
        wf_text_add(text, " %s", wf_kernel_name_of(k).text);
    }
}

void wf_stockham_source(const stockham *s, wf_text *text)
{
    wf_isa isa = s->pass[0].kernel->isa;
    wf_text name = {0}, key = {0};
    wf_stockham_name(s, &name);
    add_key(s, &key);
    if (name.failed || key.failed) {
        wf_text_free(&name);
        wf_text_free(&key);
        wf_text_free(text);
        text->failed = true;
        return;
    }
    wf_text_add(text,
                "/* Written by weft %s for one step of a plan, %s:\n"
                "weft-gen --inline kernels.h",
                weft_version(), name.data);
    add_kernel_names(s, text);
    wf_text_add(text,
                "\ncc -std=c11 -shared -fPIC %s\n */\n"
                "#include \"kernels.h\"\n#include \"kernel/tuned.h\"\n\n",
                wf_isa_flags(isa));
    for (int i = 0; i < s->passes; i++)
        add_constants(&s->pass[i], i, text);
    add_function(s, text);
    wf_text_add(text,
                "\nextern wf_tuned WF_TUNED_NAME;\n"
                "wf_tuned WF_TUNED_NAME = {\n"
                "    sizeof(wf_tuned), \"%s\", \"%s\",\n    \"%s\",\n"
                "    \"%s\",\n    run, NULL};\n",
                weft_version(), wf_isa_name(isa), name.data, key.data);
    wf_text_free(&name);
    wf_text_free(&key);
}
