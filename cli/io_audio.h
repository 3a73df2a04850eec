/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings: whatever libsndfile reads.  One channel is an array of rank 1,
 * more are (frames, channels).  Samples are float32, or float64 where the
 * file holds more than 24 bits.  Built without libsndfile the reader says
 * so.
 */
#ifndef WEFT_CLI_IO_AUDIO_H
#define WEFT_CLI_IO_AUDIO_H

#include "array.h"

/* 0, CODE_INPUT or CODE_ABSENT with a reason; looks only at the bytes.  Of a
 * recording that was cut short what is there is read: 0, and a reason, which
 * else is empty. */
int audio_parse(const unsigned char *bytes, size_t length, array *result,
                reason *why);
/* libsndfile's version, or NULL when left out. */
const char *audio_library(void);

#endif
