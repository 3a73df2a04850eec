/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A spectrogram as a PNG, drawn with cairo: seconds along, hertz up, level
 * in decibels as colour with its scale beside.
 */
#ifndef WEFT_CLI_PICTURE_H
#define WEFT_CLI_PICTURE_H

#include "cli.h"

typedef struct picture {
    const char *title, *subtitle;
    const float *levels; /* decibels, [frame][bin] */
    int64_t frames, bins;
    double frame_first, frame_step; /* seconds of frame 0 and between */
    double bin_step;                /* hertz */
    double seconds;                 /* the width of the picture */
    double low, high;               /* hertz, its height */
    double bottom, top;             /* decibels, its colours */
    const char *unit;               /* of the colour scale */
    int map;                        /* of colours.h */
    int width, height;              /* pixels */
} picture;

/* cairo's version, or NULL when left out. */
const char *picture_library(void);
/* 0, CODE_OUTPUT, CODE_LIBRARY or CODE_ABSENT, told. */
int picture_write(const picture *self, const char *path);

#endif
