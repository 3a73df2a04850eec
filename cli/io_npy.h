/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numpy's .npy format, versions 1.0, 2.0 and 3.0 (numpy's NEP 1), little
 * endian.  float32, float64, complex64 and complex128 are read as they are;
 * integers and booleans become float64; everything else is refused.
 */
#ifndef WEFT_CLI_IO_NPY_H
#define WEFT_CLI_IO_NPY_H

#include "array.h"

/* Pure: looks only at bytes[0 .. length), allocates only what these bytes
 * can fill.  On false *result holds nothing to free. */
bool npy_parse(const unsigned char *bytes, size_t length, array *result,
               reason *why);
/* Version 1.0; false on a write error. */
bool npy_write(FILE *stream, const array *self);

#endif
