/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole files in, and files out that are either complete or not there.  An
 * output is written under a temporary name in its own directory and renamed
 * at the end: whatever fails before, an existing file keeps its content.
 * The path `-` means standard input or output.
 */
#ifndef WEFT_CLI_FILE_H
#define WEFT_CLI_FILE_H

#include "cli.h"

typedef struct file_bytes {
    unsigned char *data;
    size_t length;
} file_bytes;

/* 0 or CODE_INPUT, told.  Free with file_free. */
int file_read(const char *path, file_bytes *bytes);
void file_free(file_bytes *bytes);

typedef struct output {
    FILE *stream;
    char *path;      /* the final name; NULL: written directly */
    char *temporary; /* NULL: written directly */
} output;

/* Each 0 or CODE_OUTPUT, told. */
int output_open(output *self, const char *path);
int output_commit(output *self);
/* Gives up: the temporary file goes, the old one stays. */
void output_abort(output *self);

/* The part after the last dot of the file's name, "" if there is none. */
const char *file_extension(const char *path);

#endif
