/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bare numbers in the machine's own byte order, the last index fastest.
 * Type and shape come from the command line.
 */
#ifndef WEFT_CLI_IO_RAW_H
#define WEFT_CLI_IO_RAW_H

#include "array.h"

/* "512x512" into rank and shape. */
bool raw_parse_shape(const char *text, array *shape, reason *why);
/* Pure, like npy_parse.  `shape` gives type, rank and shape; rank -1 means
 * one dimension, as long as the bytes are. */
bool raw_parse(const unsigned char *bytes, size_t length, const array *shape,
               array *result, reason *why);
bool raw_write(FILE *stream, const array *self);

#endif
