/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined_test.c - Bluestein's convolution joined to the trips of a four-step, small
 * enough for the oracle: both types and signs, in place and scaled, every width,
 * square and lopsided, numbers that end with a row, with a block and within one.
 * Vectors of less than 256 bits have the same trees by other steps.
 */
#include "check.h"
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/node.h"

enum { MOST = 2048, TEXT = 300, GUARD = 8 };

static double samples[2 * MOST], hi[2][2 * MOST], lo[2 * MOST], got[2 * MOST];
static char memory[2][2 * (MOST + GUARD) * sizeof(double)];

static double number(weft_type type, const char *p, int64_t at)
{
    return type == WEFT_F64 ? ((const double *)(const void *)p)[at]
                            : ((const float *)(const void *)p)[at];
}

static void set_numbers(weft_type type, char *p, int64_t n)
{
    for (int64_t i = 0; i < 2 * n; i++)
        if (type == WEFT_F64)
            ((double *)(void *)p)[i] = samples[i];
        else
            ((float *)(void *)p)[i] = (float)samples[i];
}

/* What the plan leaves, behind which nothing may be written. */
static void check_values(const weft_plan *plan, const weft_problem *p,
                         int64_t n, const char *what)
{
    const size_t bytes = p->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    char *in = memory[0], *out = memory[p->place == WEFT_IN_PLACE ? 0 : 1];
    memset(memory, 0x5a, sizeof memory);
    set_numbers(p->type, in, n);
    CHECK(weft_execute(plan, in, out) == WEFT_OK, "%s: %s", what,
          weft_error_text());
    for (int64_t i = 0; i < 2 * n; i++)
        got[i] = number(p->type, out, i);
    const oracle_error e = oracle_compare(n, got, hi[p->sign], NULL,
                                          oracle_scale(p));
    const double bar = oracle_bar(p->type, 1, &(int64_t){1009});
    CHECK(e.l2 <= bar, "%s: L2 %.3g above %.3g", what, e.l2, bar);
    int written = 0;
    for (size_t i = 2 * (size_t)n * bytes; i < sizeof memory[0]; i++)
        written += out[i] != 0x5a;
    CHECK(written == 0, "%s: %d bytes behind the output", what, written);
}

/* By so many threads, which have the same bits. */
static void check_tree(weft_type type, int64_t n, const char *tree)
{
    static const char *const options[] = {"", ":inverse:norm=0.75",
                                          ":inverse:inplace", ":norm=ortho"};
    static char alone[sizeof memory[0]];
    for (int o = 0; o < 4; o++)
        for (int threads = 1; threads <= 3; threads++) {
            char text[TEXT], what[3 * TEXT];
            weft_problem p;
            weft_plan *plan = NULL;
            weft_plan_options with = {.size = sizeof with, .tree = tree};
            snprintf(text, sizeof text, "c2c:%s:%d%s:threads=%d",
                     type == WEFT_F64 ? "f64" : "f32", (int)n, options[o],
                     threads);
            snprintf(what, sizeof what, "%s by %s", text, tree);
            if (!CHECK(weft_problem_parse(text, &p) == WEFT_OK &&
                           weft_plan_create(&p, &with, &plan) == WEFT_OK,
                       "%s: %s", what, weft_error_text()))
                return;
            check_values(plan, &p, n, what);
            char *out = memory[p.place == WEFT_IN_PLACE ? 0 : 1];
            if (threads == 1)
                memcpy(alone, out, sizeof alone);
            CHECK(memcmp(alone, out, sizeof alone) == 0, "%s: other bits",
                  what);
            weft_plan_release(plan);
        }
}

/* m, of two parts, as n1 x n2; radices of both. */
typedef struct shape {
    int m, n1, n2;
    const char *first, *second;
} shape;

static void check_length(weft_type type, int64_t n, const shape *s)
{
    noise_state noise = {(uint64_t)n};
    char tree[TEXT];
    for (int64_t i = 0; i < 2 * n; i++)
        samples[i] = oracle_sample(&noise, type);
    oracle_transform(type, false, 1, &n, samples, hi[0], lo);
    oracle_reverse(n, hi[0], hi[1]);
    for (const int *width = wf_cpu_widths(type); *width != 0; width++) {
        snprintf(tree, sizeof tree,
                 "(rank (rows 0 (bluestein %d m%d (fourstep %d %dx%d (column "
                 "%d w%d %s) (column %d w%d %s)))))",
                 (int)n, 2 * s->m, s->m, s->n1, s->n2, s->n1, *width, s->first,
                 s->n2, *width, s->second);
        check_tree(type, n, tree);
    }
}

int main(void)
{
    static const shape square = {1024, 32, 32, "4.8", "8.4"},
                       wide = {1024, 16, 64, "16", "4.4.4"},
                       tall = {1536, 96, 16, "6.16", "16"};
    for (int type = 0; type < 2; type++) {
        const weft_type t = type == 0 ? WEFT_F64 : WEFT_F32;
        /* all numbers, all rows, a row and a half, within a block */
        check_length(t, 1024, &square);
        check_length(t, 992, &square);
        check_length(t, 1009, &square);
        check_length(t, 1023, &wide);
        check_length(t, 560, &wide);
        check_length(t, 1531, &tall);
        check_length(t, 1187, &tall);
    }
    return check_report("joined_test");
}
