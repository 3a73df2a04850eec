/* SPDX-License-Identifier: BSD-3-Clause */
/* The posts' rows and their prediction: see posts.h. */
#include "posts.h"

#include <math.h>
#include <string.h>

#include <weft/weft.h>

#define OLD "SDK 2.24"
#define SAME "SDK 2.24, printed again"
#define BF16 ":precision=bf16"

/* In the posts' order.  The three bf16 products of "ozaki" are three graphs,
 * one after the other (the post adds a dependency so that they are); refined
 * is three products, a difference and a sum. */
const post_row post_rows[] = {
    {"gemm", "dft-gemm", 64, 1, 1883, OLD, "", 0, 0, 0},
    {"gemm", "dft-gemm", 256, 1, 1882, OLD, "", 0, 0, 0},
    {"gemm", "radix-8", 64, 1, 3402, "", "", 8, 0, 0},
    {"gemm", "radix-4", 64, 1, 4254, "", "", 4, 0, 0},
    {"gemm", "butterfly", 64, 1, 4767, "", "", 2, 0, 0},
    {"gemm", "radix-4", 256, 1, 5446, "", "", 4, 0, 0},
    {"gemm", "butterfly", 256, 1, 6067, "", "", 2, 0, 0},
    {"gemm", "radix-8", 512, 1, 4483, "", "", 8, 0, 0},
    {"gemm", "butterfly", 512, 1, 6600, "the post's estimate", "", 2, 0, 0},
    {"gemm", "radix-4", 1024, 1, 6628, "", "", 4, 0, 0},
    {"gemm", "butterfly", 1024, 1, 7399, "", "", 2, 0, 0},
    {"gemm", "mixed", 1024, 1, 5634, "given as -15 % of radix-4", "", 84, 0,
     0},
    {"gemm", "radix-8", 4096, 1, 5917, "", "", 8, 0, 0},
    {"gemm", "radix-4", 4096, 1, 8424, "", "", 4, 0, 0},
    {"gemm", "butterfly", 4096, 1, 9387, "", "", 2, 0, 0},
    {"dtype", "dft-gemm", 128, 32, 1088, "", "", 0, 0, 0},
    {"dtype", "dft-gemm", 256, 32, 1214, "", "", 0, 0, 0},
    {"dtype", "butterfly", 128, 32, 17153, "how it ran is not told", "", 2, 0,
     0},
    {"dtype", "butterfly", 256, 32, 17375, "how it ran is not told", "", 2, 0,
     0},
    {"dtype", "stft", 128, 1000, 1127, "frames not told", "", 0, 0, 0},
    {"dtype", "stft", 256, 1000, 1214, "frames not told", "", 0, 0, 0},
    {"dtype", "stft butterfly", 128, 1000, 14791, "how it ran is not told", "",
     2, 0, 0},
    {"dtype", "stft butterfly", 256, 1000, 15196, "how it ran is not told", "",
     2, 0, 0},
    {"fp32 sum", "bf16", 64, 1, 1189, "", BF16, 0, 0, 0},
    {"fp32 sum", "fast", 64, 1, 1833, OLD, "", 0, 0, 0},
    {"fp32 sum", "bf16", 128, 1, 1208, "", BF16, 0, 0, 0},
    {"fp32 sum", "bf16", 256, 1, 1310, "", BF16, 0, 0, 0},
    {"fp32 sum", "fast", 256, 1, 1882, SAME, "", 0, 0, 0},
    {"fp32 sum", "refined", 256, 1, 2500, "given as 2400 to 2600", BF16, 0, 1,
     5},
    {"ozaki", "ozaki", 64, 1, 3241, "", BF16, 0, 3, 3},
    {"ozaki", "bf16", 64, 1, 1179, "", BF16, 0, 0, 0},
    {"ozaki", "fast", 64, 1, 1833, SAME, "", 0, 0, 0},
    {"ozaki", "ozaki", 128, 1, 3291, "", BF16, 0, 3, 3},
    {"ozaki", "bf16", 128, 1, 1216, "", BF16, 0, 0, 0},
    {"ozaki", "ozaki", 256, 1, 3466, "", BF16, 0, 3, 3},
    {"ozaki", "bf16", 256, 1, 1302, "", BF16, 0, 0, 0},
    {"ozaki", "fast", 256, 1, 1882, SAME, "", 0, 0, 0},
};
const int post_count = sizeof post_rows / sizeof post_rows[0];

void post_tree(int n, int radix, bool fused, char *text, size_t size)
{
    if (radix == 0) {
        snprintf(text, size, "(rank (rows 0 (leaf %d)))", n);
        return;
    }
    int log = 0, at = snprintf(text, size, "(rank (rows 0 (stockham %d w1", n);
    for (int m = n; m > 1; m /= 2)
        log++;
    int fours = log % 3 == 0 ? 0 : log % 3 == 1 ? 2 : 1;
    for (int first = 1; n > 1; first = 0) {
        int r = radix == 84 ? n >> (2 * fours) > 1 ? 8 : 4 : radix;
        at += snprintf(text + at, size - (size_t)at, "%s%d",
                       first   ? " "
                       : fused ? "+"
                               : ".",
                       r);
        n /= r;
    }
    snprintf(text + at, size - (size_t)at, ")))");
}

int post_count_row(const post_row *row, post_counts *counts)
{
    char text[128], tree[160];
    weft_problem problem;
    weft_plan *plan;
    weft_plan_options options = {.size = sizeof options, .tree = tree};
    snprintf(text, sizeof text, "c2c:f32:%d*%d:engine=neuron%s", row->n,
             row->batch, row->problem);
    post_tree(row->n, row->radix, false, tree, sizeof tree);
    if (weft_problem_parse(text, &problem) ||
        weft_plan_create(&problem, &options, &plan))
        return fail_library(text);
    int calls = row->calls ? row->calls : 1;
    int kernels = row->kernels ? row->kernels : 1;
    weft_plan_figure(plan, "calls", &counts->calls);
    weft_plan_figure(plan, "kernels", &counts->kernels);
    weft_plan_figure(plan, "device_ns", &counts->device);
    counts->stages = 0;
    for (const char *at = strstr(tree, " w1 "); row->radix && at;
         at = strchr(at + 1, '.'))
        counts->stages++;
    counts->calls *= calls;
    counts->kernels *= kernels;
    counts->device *= kernels / 1e3;
    weft_plan_release(plan);
    return CODE_OK;
}

double post_predict(const post_fit *fit, int row, const post_counts *counts)
{
    const post_counts *c = &counts[row];
    int radix = post_rows[row].radix;
    double kernels = radix == 0   ? c->kernels
                     : radix == 2 ? c->stages * fit->butterfly
                                  : c->stages * fit->radix;
    return fit->call * c->calls + fit->kernel * kernels + c->device;
}

double post_error(const post_fit *fit, int row, const post_counts *counts)
{
    return post_predict(fit, row, counts) / post_rows[row].measured - 1;
}

bool post_is_again(int row)
{
    return !strcmp(post_rows[row].remark, SAME);
}

static double sum_of_errors(const post_fit *fit, const post_counts *counts,
                            const bool *taken)
{
    double sum = 0;
    for (int i = 0; i < post_count; i++)
        if (taken[i])
            sum += fabs(post_error(fit, i, counts));
    return sum;
}

/* The two prices that make rows i and j exact, for given counts of kernels;
 * false when the rows do not tell them apart, or a price is negative. */
static bool solve(int i, int j, const post_counts *counts, post_fit *fit)
{
    post_fit one = *fit;
    double calls[2], kernels[2], rest[2];
    for (int k = 0; k < 2; k++) {
        int row = k ? j : i;
        calls[k] = counts[row].calls;
        one.call = 0;
        one.kernel = 1;
        rest[k] = post_rows[row].measured - counts[row].device;
        kernels[k] = post_predict(&one, row, counts) - counts[row].device;
    }
    double d = calls[0] * kernels[1] - calls[1] * kernels[0];
    if (d == 0)
        return false;
    fit->call = (rest[0] * kernels[1] - rest[1] * kernels[0]) / d;
    fit->kernel = (calls[0] * rest[1] - calls[1] * rest[0]) / d;
    return fit->call >= 0 && fit->kernel >= 0;
}

/* The least sum of absolute values is met where two of them are zero: every
 * pair of rows is solved and tried, for every count of kernels a stage. */
post_fit post_calibrate(const post_counts *counts, const bool *taken)
{
    post_fit best = {0, 0, 0, 0};
    double least = INFINITY;
    for (int k = 0; k < POST_MOST_KERNELS * POST_MOST_KERNELS; k++)
        for (int i = 0; i < post_count; i++)
            for (int j = 0; taken[i] && j < i; j++) {
                post_fit fit = {0, 0, 1 + k / POST_MOST_KERNELS,
                                1 + k % POST_MOST_KERNELS};
                if (!taken[j] || !solve(i, j, counts, &fit))
                    continue;
                double sum = sum_of_errors(&fit, counts, taken);
                if (sum < least) {
                    least = sum;
                    best = fit;
                }
            }
    return best;
}
