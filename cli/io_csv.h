/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text: one row a line, columns separated by commas (or semicolons, tabs,
 * blanks); a number is 1.5 or, complex, 1.5+2j as numpy and Python write
 * it.  Lines that begin with # and empty lines do not count.  One column is
 * an array of rank 1, several are rank 2.  Numbers are doubles.
 */
#ifndef WEFT_CLI_IO_CSV_H
#define WEFT_CLI_IO_CSV_H

#include "array.h"

/* Pure, like npy_parse. */
bool csv_parse(const unsigned char *bytes, size_t length, array *result,
               reason *why);
/* Rank 0 to 2, the last index fastest; false on a write error. */
bool csv_write(FILE *stream, const array *self);

#endif
