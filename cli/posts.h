/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the trnfft posts measured on trn1, every row of their tables, and
 * how the NeuronCore model predicts it.
 *
 * The posts ran compiled graphs: the host starts one, and each device
 * operation in it (a kernel, a permutation, an elementwise product) has a
 * start of its own.  A row's time is calls a + kernels b + device, the device
 * time and the counts from the model, except how many device operations a
 * stage of radix 4 or 8 and one of the butterfly is: the posts do not say it,
 * so these two whole numbers are fitted with a and b, each to some of the
 * rows, and other rows tell how good that is.
 */
#ifndef WEFT_CLI_POSTS_H
#define WEFT_CLI_POSTS_H

#include <stdbool.h>

#include "cli.h"

typedef struct post_row {
    const char *post; /* which of the four, by a word of its title */
    const char *path;
    int n, batch;
    double measured;     /* us */
    const char *remark;  /* "" or why the row is not like the others */
    const char *problem; /* beyond c2c:f32:N*BATCH:engine=neuron */
    int radix;           /* passes of it, kernels of their own; 0: leaf */
    int calls, kernels;  /* times the plan's, or 0: once */
} post_row;

extern const post_row post_rows[];
extern const int post_count;

/* Counts of the plan that a row runs. */
typedef struct post_counts {
    double calls, kernels, device; /* device in us */
    double stages;                 /* passes with kernels of their own */
} post_counts;
int post_count_row(const post_row *row, post_counts *counts);

/* Is the row's figure one that another row has, printed by a later post?  It
 * is shown, and neither fitted to nor held. */
bool post_is_again(int row);

/* us a call and a kernel, and kernels in a stage: those with the least sum of
 * relative errors over the rows taken. */
enum { POST_MOST_KERNELS = 6 };
typedef struct post_fit {
    double call, kernel;
    int radix, butterfly; /* 1 .. POST_MOST_KERNELS */
} post_fit;
post_fit post_calibrate(const post_counts *counts, const bool *taken);
double post_predict(const post_fit *fit, int row, const post_counts *counts);
double post_error(const post_fit *fit, int row, const post_counts *counts);

/* The passes of n as the posts dispatch: radix, or 84 for their [8^a 4^b]. */
void post_tree(int n, int radix, bool fused, char *text, size_t size);

#endif
