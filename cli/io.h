/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading any input and writing any output: chooses the format (by name, by
 * extension, for standard input by the first bytes) and hands over to the
 * io_* file of that format.
 */
#ifndef WEFT_CLI_IO_H
#define WEFT_CLI_IO_H

#include "array.h"

typedef enum io_format {
    FORMAT_AUTO,
    FORMAT_NPY,
    FORMAT_CSV,
    FORMAT_RAW,
    FORMAT_AUDIO
} io_format;

/* For args_choice: "auto", "npy", "csv", "raw", "audio". */
extern const char *const io_format_names[];

typedef struct io_source {
    const char *path;
    io_format format;
    bool raw_type_given;
    array raw; /* type, rank and shape for raw input; rank -1: one
                  dimension */
} io_source;

/* The options --input-format, --raw-type and --shape; 0 or CODE_USAGE. */
int io_set_format(io_source *source, const char *text);
int io_set_raw_type(io_source *source, const char *text);
int io_set_shape(io_source *source, const char *text);

/* 0, CODE_INPUT, CODE_ABSENT or CODE_USAGE, told.  *used is the format it
 * was. */
int io_read(const io_source *source, array *result, io_format *used);

/* The format of an output: `wanted`, else by the extension, else (for `-`)
 * `fallback`.  CODE_USAGE, told, for an extension that means nothing. */
int io_output_format(const char *path, io_format wanted, io_format fallback,
                     io_format *format);
/* Whole and atomic.  May bring *self into C order for csv and raw. */
int io_write(const char *path, io_format format, array *self);

#endif
