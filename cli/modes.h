/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft accuracy prints without a problem: every precision mode at many
 * lengths.
 */
#ifndef WEFT_CLI_MODES_H
#define WEFT_CLI_MODES_H

#include "report.h"

typedef struct modes_request {
    const char *kind; /* "c2c", ... */
    int type;         /* 0 f32, 1 f64, 2 both */
    int64_t top;      /* lengths 2^4, 2^6 .. 2^top */
    int64_t seed;
    const char *plot; /* an SVG, or NULL */
} modes_request;

/* An exit code; CODE_CHECK when a bound was exceeded. */
int modes_run(const modes_request *want, report *root);

/* plot.c: lines over 2^n on logarithmic scales. */
typedef struct plot_line {
    char name[32];
    int count;
    double n[32], value[32];
} plot_line;
int plot_write(const char *path, const char *title, const plot_line *lines,
               int count);

#endif
